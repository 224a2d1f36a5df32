"""Hidden hands: what a player at the table can know, and what others may be able to do.

Everything that is played or swapped is public, and nobody is obliged to play, so a draw or a pass
proves nothing. What is hidden is therefore a deal: a card lies in some place, and how many cards
lie in each place is known. After a reshuffle there are two kinds of unseen cards: those that were
in hands then, and those that were shuffled; each kind is a deal of its own (a `Group`).

All deals that fit are equally likely, since nothing is inferred from what anybody chose to do.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from attrs import evolve, field, frozen

from deduce.constraints import at_most, exactly, is_
from deduce.display import Displayed
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.problem import Problem, Rule, World
from games.propre.cards import Card, printed
from games.propre.notation import HIDDEN
from games.propre.rules import Rules
from games.propre.state import END, Option, State

__all__ = ["DECK", "Answer", "Group", "View", "seat_name"]

DECK = "the deck"
"""The place of the cards that are still to be drawn."""


def seat_name(seat: int) -> str:
    """Return how a seat is called among the places."""
    return f"seat {seat}"


@frozen
class Group:
    """Unseen cards of which only the number in each place is known."""

    cards: tuple[Card, ...]
    places: Mapping[str, int]
    """Place -> how many of the cards lie there; the numbers sum to that of the cards."""

    def without(self, card: Card, place: str) -> Group:
        """Return the group after a card of it was seen to lie in a place."""
        cards = tuple(other for other in self.cards if other != card)
        return Group(cards, {**self.places, place: self.places[place] - 1})

    def moved(self, source: str, target: str) -> Group:
        """Return the group after an unseen card went from one place to another."""
        places = {**self.places, source: self.places[source] - 1}
        return Group(self.cards, {**places, target: places.get(target, 0) + 1})


@frozen
class Answer:
    """How probable it is that a player can answer an attack, and with what."""

    seat: int
    attack_value: int
    any_card: Fraction
    """A card is at hand that may be played, so that the player need not draw."""
    block: Fraction
    """A 3 or a 7 is at hand, which takes from the attack."""
    attack: Fraction
    """A 2 or a 5 is at hand, which adds to it."""
    pass_on: Fraction
    """A jack or a ten is at hand, with which the attack goes to the next player as it is."""


def _groups(groups: Iterable[Group]) -> tuple[Group, ...]:
    return tuple(group for group in groups if group.cards)


@frozen
class View(Displayed):
    """What one player sees: the public state, the own hand, and groups of unseen cards.

    Examples
    --------
    >>> from games.propre.notation import parse_state
    >>> rules = Rules()
    >>> state = parse_state("hands 2H 5D 7C 9S TS JD KC / 7; pile 4H", rules)
    >>> view = View.of(rules, state, me=0)
    >>> len(view.groups[0].cards), view.knowledge.count()
    (44, 38320568)
    """

    rules: Rules
    state: State
    """The state with every hidden card as ``??``."""
    me: int
    groups: tuple[Group, ...] = field(converter=_groups)

    @classmethod
    def of(cls, rules: Rules, state: State, me: int) -> View:
        """Return the view of a seat of a state whose history is not known: one group.

        Raises
        ------
        BadInput
            The own hand is not known, or cards repeat.
        """
        if rules.endless:
            raise BadInput("with an endless deck a card may be in two places: nothing to deduce")
        if not 0 <= me < rules.players:
            raise BadInput(f"seats are 0 to {rules.players - 1}, not {me}")
        own = state.hands[me]
        if HIDDEN in own:
            raise BadInput(f"the hand of seat {me}, whose view it is, must be known")
        seen = {*own, *map(printed, state.pile)}
        unseen = tuple(card for card in rules.deck if card not in seen)
        sizes = {seat_name(seat): len(hand) for seat, hand in enumerate(state.hands) if seat != me}
        left = len(state.deck) + len(state.stock)
        places = {**sizes, DECK: left}
        if sum(places.values()) != len(unseen):
            raise BadInput(
                f"{len(unseen)} cards are unseen, but hands and deck hold {sum(places.values())}"
            )
        return cls(rules, _hide(state, me), me, [Group(unseen, places)])

    def __str__(self) -> str:
        """Return the table as the player sees it, and where the unseen cards may be."""
        from games.propre.show import table_text, unseen_table

        return f"{table_text(self.state)}\n{unseen_table(self)}"

    def _repr_html_(self) -> str:
        from games.propre.page import view_html

        return view_html(self)

    # How a view grows

    def after_option(self, before: State, option: Option, after: State) -> View:
        """Return the view after an option of the player at turn, whose cards all have seen.

        ``before`` and ``after`` are the referee's states, in which all that is left to draw is
        stock; of them only what ``me`` may see is used.
        """
        seat = before.active
        shown: Sequence[Card] = (option.card,) if option.card else ()
        if option.kind == "swap":
            shown = before.hand
        view = self
        if seat != self.me:
            for card in shown:
                view = view._seen(card, seat_name(seat))
        return view._at(after, reshuffled=bool(after.stock) and not before.stock)

    def after_draw(self, before: State, card: Card, after: State) -> View:
        """Return the view after chance gave a card to the player at turn."""
        if before.active == self.me:
            view = self._seen(card, DECK)
        else:
            groups = [
                group.moved(DECK, seat_name(before.active)) if group.places.get(DECK) else group
                for group in self.groups
            ]
            view = evolve(self, groups=groups)
        return view._at(after, reshuffled=len(after.stock) >= len(before.stock))

    def _seen(self, card: Card, place: str) -> View:
        groups = [
            group.without(card, place) if card in group.cards else group for group in self.groups
        ]
        return evolve(self, groups=groups)

    def _at(self, after: State, *, reshuffled: bool) -> View:
        groups = self.groups
        if reshuffled and after.stock:
            groups = (*groups, Group(after.stock, {DECK: len(after.stock)}))
        return evolve(self, state=_hide(after, self.me), groups=groups)

    # What can be known

    @cached_property
    def knowledge(self) -> Knowledge:
        """The deal problem: unseen cards as variables, places as values."""
        domains: dict[Card, tuple[str, ...]] = {}
        rules: list[Rule] = []
        for group in self.groups:
            places = tuple(place for place, number in group.places.items() if number)
            domains |= dict.fromkeys(group.cards, places)
            for place in places:
                number = group.places[place]
                count = exactly(number, [is_(card, place) for card in group.cards])
                rules.append(Rule(count, f"{number} of these cards are with {place}"))
        return Knowledge(Problem(domains, rules))

    def state_in(self, world: World) -> State:
        """Return the open state that a world of `knowledge` stands for; the deck is stock."""
        hands = [
            hand if seat == self.me else tuple(sorted(_lying(world, seat_name(seat))))
            for seat, hand in enumerate(self.state.hands)
        ]
        stock = tuple(sorted(_lying(world, DECK)))
        return self.state._replace(hands=tuple(hands), deck=(), stock=stock)

    def chances(self, seat: int) -> dict[Card, Fraction]:
        """Return the probability of each unseen card to be in the hand of a seat."""
        if not self.groups:
            return {}
        place = seat_name(seat)
        return {
            str(card): row.get(place, Fraction(0)) for card, row in self.knowledge.shares().items()
        }

    def chance_of_one(self, seat: int, cards: Iterable[Card]) -> Fraction:
        """Return the probability that a seat holds at least one of some unseen cards."""
        place = seat_name(seat)
        asked = set(cards)
        facts = [
            is_(card, place)
            for group in self.groups
            if group.places.get(place)
            for card in group.cards
            if card in asked
        ]
        if not facts:
            return Fraction(0)
        none = self.knowledge.assume(at_most(0, facts)).count()
        return 1 - Fraction(none, self.knowledge.count())

    def answer(self, options: Sequence[Option] = ()) -> Answer | None:
        """Return whether the next player can answer the attack, once ``me`` has ended the turn.

        Parameters
        ----------
        options
            What ``me`` plays before; then the turn ends.

        Returns
        -------
        Answer or None
            ``None`` where there is nothing to answer: AV is 0, the game is over, or the turn
            comes back to ``me``.
        """
        state = self.state
        if state.active == self.me:
            for option in options:
                state = self.rules.result(state, option)
            if state.first_card:
                return None
            state = self.rules.result(state, END)
        if state.winner >= 0 or state.due or not state.attack_value or state.active == self.me:
            return None
        kinds: dict[str, set[Card]] = {}
        for group in self.groups:
            for card in group.cards:
                for option in self.rules.options(_holding(state, card)):
                    kinds.setdefault(option.kind, set()).add(card)
        kinds.pop("none", None)
        seat = state.active
        return Answer(
            seat,
            state.attack_value,
            self.chance_of_one(seat, set().union(*kinds.values())),
            self.chance_of_one(seat, kinds.get("block", ())),
            self.chance_of_one(seat, kinds.get("attack", ())),
            self.chance_of_one(seat, kinds.get("jack", set()) | kinds.get("ten", set())),
        )

    def answers(self) -> list[tuple[str, Answer]]:
        """Return whether the attack can be answered: as it is, or after each option of ``me``."""
        if self.state.active != self.me or self.state.winner >= 0:
            found = [("now", self.answer())]
        else:
            plays = [option for option in self.rules.options(self.state) if option.card]
            found = [(str(option), self.answer([option])) for option in plays]
            if not self.state.first_card:
                found.insert(0, (str(END), self.answer()))
        return [(name, answer) for name, answer in found if answer is not None]


def _hide(state: State, me: int) -> State:
    return state._replace(
        hands=tuple(
            hand if seat == me else (HIDDEN,) * len(hand) for seat, hand in enumerate(state.hands)
        ),
        deck=(HIDDEN,) * len(state.deck),
        stock=(HIDDEN,) * len(state.stock),
    )


def _holding(state: State, card: Card) -> State:
    """Return the state as if the player at turn held nothing but copies of one card.

    The options of a card depend on the rest of the hand only by whether it is the last one.
    """
    hands = list(state.hands)
    hands[state.active] = (card,) * len(state.hand)
    return state._replace(hands=tuple(hands))


def _lying(world: World, place: str) -> list[Card]:
    return [str(card) for card, where in world.items() if where == place]
