"""Hidden hands: what a player can know, and how probably the next player can answer an attack.

Everything that is played or swapped is public, and a player need not play, so a draw or a pass
proves nothing. The unknown is therefore a deal: each unseen card is in some place, and the number
of cards in each place is known. After a reshuffle there are two kinds of unseen cards: those that
were in hands then, and those that were shuffled. Each kind is a deal of its own (a `Group`).

All possible deals are equally likely, since nothing is inferred from the players' choices.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from attrs import evolve, field, frozen

from deduce.constraints import Fact, at_most, exactly, is_
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.problem import Problem, Rule, World
from deduce.reasoning.viewpoint import BareGame
from deduce.system.display import Displayed
from deduce.system.text import join, listing, plural
from games.propre.rules import Rules
from games.propre.setup import END, HIDDEN, Card, Option, Saying, State, printed

__all__ = ["IN_DECK", "AnswerChances", "Group", "Observation", "seat_name"]

IN_DECK = "the deck"
"""The place of the cards that are still to be drawn."""


def seat_name(seat: int) -> str:
    """Return the name of a seat's hand as a place."""
    return f"seat {seat}"


def _where(place: str) -> str:
    return f"in {place}" if place == IN_DECK else f"with {place}"


@frozen(repr=False)
class _Deal(BareGame):
    """The unseen cards as a game with words of its own."""

    def say(self, fact: Fact) -> str:
        """Return where a card is, or is not."""
        places = join([_where(str(place)) for place in sorted(fact.values, key=str)], "or")
        return f"{fact.variable} is {'not ' * fact.negated}{places}"


@frozen
class Group:
    """Unseen cards of which only the number in each place is known."""

    cards: tuple[Card, ...]
    places: Mapping[str, int] = field(hash=False)
    """Place -> how many of the cards are there; the numbers sum to that of the cards."""

    def without(self, card: Card, place: str) -> Group:
        """Return the group after one of its cards was seen in a place."""
        cards = tuple(other for other in self.cards if other != card)
        return Group(cards, {**self.places, place: self.places[place] - 1})

    def moved(self, source: str, target: str) -> Group:
        """Return the group after an unseen card was moved from one place to another."""
        places = {**self.places, source: self.places[source] - 1}
        return Group(self.cards, {**places, target: places.get(target, 0) + 1})


@frozen
class AnswerChances:
    """The probabilities that a player can answer an attack, and with what."""

    seat: int
    attack_value: int
    any_card: Fraction
    """The player holds a card that may be played instead of drawing."""
    block: Fraction
    """The player holds a 3 or a 7, which reduces the attack."""
    attack: Fraction
    """The player holds a 2 or a 5, which increases the attack."""
    pass_on: Fraction
    """The player holds a jack or a ten, which passes the attack on unchanged."""

    @property
    def shares(self) -> dict[str, Fraction]:
        """The probabilities, by the names that they have in JSON."""
        shares = (self.any_card, self.block, self.attack, self.pass_on)
        return dict(zip(("can_answer", "block", "attack", "pass_on"), shares, strict=True))


def _groups(groups: Iterable[Group]) -> tuple[Group, ...]:
    return tuple(group for group in groups if group.cards)


@frozen
class Observation(Displayed):
    """What one player sees: the public state, their own hand, and groups of unseen cards.

    Examples
    --------
    >>> from games.propre.notation import parse_state
    >>> rules = Rules()
    >>> state = parse_state("hands 2H 5D 7C 9S TS JD KC / 7; pile 4H", rules)
    >>> seen = Observation.of(rules, state, me=0)
    >>> len(seen.groups[0].cards), seen.knowledge.count()
    (44, 38320568)
    """

    rules: Rules
    state: State
    """The state with every hidden card as ``??``."""
    me: int
    groups: tuple[Group, ...] = field(converter=_groups)

    @classmethod
    def of(cls, rules: Rules, state: State, me: int) -> Observation:
        """Return what a seat sees of a state whose history is not known: one group.

        Raises
        ------
        BadInput
            The seat's own hand is not known, or the numbers of cards do not fit.
        """
        if rules.endless:
            raise BadInput(
                "with an endless deck a card may be in two places, so nothing can be deduced"
            )
        if not 0 <= me < rules.players:
            raise BadInput(f"seats are 0 to {rules.players - 1}, not {me}")
        own_hand = state.hands[me]
        if HIDDEN in own_hand:
            raise BadInput(f"the hand of seat {me}, the observer, must be known")
        seen = {*own_hand, *map(printed, state.pile)}
        unseen = tuple(card for card in rules.deck if card not in seen)
        sizes = {seat_name(seat): len(hand) for seat, hand in enumerate(state.hands) if seat != me}
        left = len(state.deck) + len(state.stock)
        places = {**sizes, IN_DECK: left}
        if sum(places.values()) != len(unseen):
            raise BadInput(
                f"{plural(len(unseen), 'card is', 'cards are')} unseen, but hands and deck hold "
                f"{sum(places.values())}"
            )
        return cls(rules, _hide(state, me), me, [Group(unseen, places)])

    # Steps

    def after_option(self, before: State, option: Option, after: State) -> Observation:
        """Return the observation after an option of the player at turn.

        ``before`` and ``after`` are the referee's states, in which all cards to be drawn are
        stock; only what ``me`` may see of them is used.
        """
        seat = before.active
        shown: tuple[Card, ...] = (option.card,) if option.card else ()
        if option.kind == "swap":
            shown = before.hand
        observation = self
        if seat != self.me:
            for card in shown:
                observation = observation._seen(card, seat_name(seat))
            if option.kind == "try":  # the card is shown and stays in the hand
                known = Group(shown, {seat_name(seat): 1})
                observation = evolve(observation, groups=(*observation.groups, known))
        return observation._at(after, reshuffled=bool(after.stock) and not before.stock)

    def after_saying(
        self, before: State, seat: int, saying: Saying, ready: State, after: State
    ) -> Observation:
        """Return the observation after a seat has said something and drawn the card for it.

        ``ready`` is the state from which the card is drawn; see `Rules.penalty`.
        """
        seen = self._at(ready, reshuffled=not before.stock)
        if saying.drawn:
            return seen.after_draw(ready, saying.drawn, after, seat)
        return seen._at(after, reshuffled=False)

    def after_draw(
        self, before: State, card: Card, after: State, drawer: int | None = None
    ) -> Observation:
        """Return the observation after chance gave a card to a seat, by default that at turn."""
        drawer = before.active if drawer is None else drawer
        if drawer == self.me:
            after_card = self._seen(card, IN_DECK)
        else:
            seat = seat_name(drawer)
            groups = [
                group.moved(IN_DECK, seat) if group.places.get(IN_DECK) else group
                for group in self.groups
            ]
            after_card = evolve(self, groups=groups)
        return after_card._at(after, reshuffled=len(after.stock) >= len(before.stock))

    def _seen(self, card: Card, place: str) -> Observation:
        groups = [
            group.without(card, place) if card in group.cards else group for group in self.groups
        ]
        return evolve(self, groups=groups)

    def _at(self, after: State, *, reshuffled: bool) -> Observation:
        groups = self.groups
        if reshuffled and after.stock:
            groups = (*groups, Group(after.stock, {IN_DECK: len(after.stock)}))
        return evolve(self, state=_hide(after, self.me), groups=groups)

    # Queries

    @cached_property
    def knowledge(self) -> Knowledge:
        """The deal problem: unseen cards as variables, places as values."""
        domains: dict[Card, tuple[str, ...]] = {}
        rules: list[Rule] = []
        for group in self.groups:
            sizes = {place: size for place, size in group.places.items() if size}
            domains |= dict.fromkeys(group.cards, tuple(sizes))
            for place, size in sizes.items():
                count = exactly(size, [is_(card, place) for card in group.cards])
                cards = (
                    f"{listing(group.cards)}: {size} of these cards {'is' if size == 1 else 'are'}"
                )
                rules.append(Rule(count, f"{cards} {_where(place)}"))
        return Knowledge(_Deal(Problem(domains, rules)))

    def state_in(self, world: World) -> State:
        """Return the open state that a world of `knowledge` represents; the deck is stock."""
        hands = [
            hand if seat == self.me else tuple(sorted(_cards_in(world, seat_name(seat))))
            for seat, hand in enumerate(self.state.hands)
        ]
        stock = tuple(sorted(_cards_in(world, IN_DECK)))
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
        wanted = set(cards)
        facts = [
            is_(card, place)
            for group in self.groups
            if group.places.get(place)
            for card in group.cards
            if card in wanted
        ]
        if not facts:
            return Fraction(0)
        none = self.knowledge.assume(at_most(0, facts)).count()
        return 1 - Fraction(none, self.knowledge.count())

    def answer(self, options: Sequence[Option] = ()) -> AnswerChances | None:
        """Return how probably the next player can answer the attack after the turn of ``me``.

        Parameters
        ----------
        options
            What ``me`` plays before the turn ends.

        Returns
        -------
        AnswerChances or None
            ``None`` if there is nothing to answer: AV is 0, the game is over, or ``me`` has the
            next turn too.
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
        kinds = defaultdict[str, set[Card]](set)
        for group in self.groups:
            for card in group.cards:
                for option in self.rules.options(_holding(state, card)):
                    kinds[option.kind].add(card)
        every = set[Card]().union(*(kinds[kind] for kind in kinds.keys() - {"none", "try"}))
        wanted = every, kinds["block"], kinds["attack"], kinds["jack"] | kinds["ten"]
        shares = (self.chance_of_one(state.active, cards) for cards in wanted)
        return AnswerChances(state.active, state.attack_value, *shares)

    def answers(self) -> list[tuple[str, AnswerChances]]:
        """Return the chances to answer the attack now, or after each option of ``me``.

        Each entry is the text of the option (``"now"`` if it is not the turn of ``me``) and the
        chances; options that leave no attack are left out.
        """
        if self.state.active != self.me or self.state.winner >= 0:
            chances = [("now", self.answer())]
        else:
            plays = [option for option in self.rules.options(self.state) if option.card]
            chances = [(str(option), self.answer([option])) for option in plays]
            if not self.state.first_card:
                chances.insert(0, (str(END), self.answer()))
        return [(name, answer) for name, answer in chances if answer is not None]


def _hide(state: State, me: int) -> State:
    return state._replace(
        hands=tuple(
            hand if seat == me else (HIDDEN,) * len(hand) for seat, hand in enumerate(state.hands)
        ),
        deck=(HIDDEN,) * len(state.deck),
        stock=(HIDDEN,) * len(state.stock),
    )


def _holding(state: State, card: Card) -> State:
    """Return the state as if the player at turn held only copies of one card.

    The options of a card depend on the rest of the hand only in whether it is the last one.
    """
    hands = list(state.hands)
    hands[state.active] = (card,) * len(state.hand)
    return state._replace(hands=tuple(hands))


def _cards_in(world: World, place: str) -> list[Card]:
    return [str(card) for card, where in world.items() if where == place]
