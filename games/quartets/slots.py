"""The slot form of a state: that of the first description, with a potential for each place.

Source: docs/games/quartets.md, section 3. From the normal start, and with the least potential
handed over, it agrees with the deal form; it cannot express "no player holds a complete group".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from attrs import field, frozen

from deduce.errors import BadInput, Unsupported
from games.quartets.deal import DealForm, start_form
from games.quartets.events import Answer, Ask, Event
from games.quartets.flow import Layout
from games.quartets.matching import HallSet, Match, largest_matching, match
from games.quartets.setup import Setup

__all__ = ["SlotForm", "hand_cards", "inexpressible", "slot_form", "slots_after"]

Hands = tuple[tuple[int, ...], ...]


def _hands(hands: Iterable[Iterable[int]]) -> Hands:
    return tuple(tuple(hand) for hand in hands)


@frozen(slots=False)
class SlotForm:
    """The places of each hand, each with the identities (bit ``c``: card ``c``) it may still have.

    Parameters
    ----------
    table
        Players and groups.
    hands
        For each player the potentials of their places.

    Raises
    ------
    BadInput
        A potential with an identity that does not exist; more places than there are cards.

    Examples
    --------
    The choice of the place that is handed over is a real one when places differ:

    >>> from games.quartets.flow import layout
    >>> table = layout(3, (2, 2))  # a1, a2, b1, b2
    >>> form = SlotForm(table, ((0b0111, 0b1001), (0b0010,), (0b0100,)))
    >>> form.answered(0, 1, 0, yes=True).is_valid
    False
    """

    table: Layout
    hands: Hands = field(converter=_hands)
    clash: str = ""
    """What is impossible although no place shows it; empty if nothing."""

    def __attrs_post_init__(self) -> None:
        if len(self.hands) != self.table.players:
            raise BadInput(f"{len(self.hands)} hands for {self.table.players} players")
        cards = len(self.table.group_of)
        if len(self.potentials) > cards:
            raise BadInput(f"there are {len(self.potentials)} card places but only {cards} cards")
        for p, hand in enumerate(self.hands):
            for place, potential in enumerate(hand):
                if potential < 0 or potential & ~self.table.all:
                    raise BadInput(
                        f"place {place + 1} of hand {p + 1} may be an identity that does not "
                        f"exist: {potential} has bits outside 0 to {cards - 1}"
                    )

    @cached_property
    def potentials(self) -> tuple[int, ...]:
        """All places, hand after hand."""
        return tuple(potential for hand in self.hands for potential in hand)

    @cached_property
    def _match(self) -> Match:
        return match(self.potentials)

    @property
    def is_valid(self) -> bool:
        """Whether every place can get its own identity."""
        return not self.clash and self._match.identities is not None

    @property
    def witness(self) -> tuple[int, ...] | None:
        """An identity for every place, hand after hand; ``None`` when invalid."""
        return None if self.clash else self._match.identities

    @property
    def hall(self) -> HallSet | None:
        """A minimal set of places with too few identities; ``None`` if there is no such set."""
        return self._match.hall

    def where(self, place: int) -> tuple[int, int]:
        """Return the player and the place in their hand of a place counted through all hands."""
        for p, hand in enumerate(self.hands):
            if place < len(hand):
                return p, place
            place -= len(hand)
        raise IndexError(place)

    # Statements

    def asked(self, by: int, card: int, *, ask_own: bool) -> SlotForm:
        """Return the state after a question: one fitting place is restricted to the group.

        Nothing changes if some place is already in the group; without ``ask_own`` the card is
        first removed from all of the asker's places.
        """
        group = self.table.masks[self.table.group_of[card]]
        hand = list(self.hands[by])
        if not ask_own:
            hand = [potential & ~(1 << card) for potential in hand]
        if not any(potential and potential & ~group == 0 for potential in hand):
            fitting = [place for place, potential in enumerate(hand) if potential & group]
            if not fitting:
                return self._clashing("no place of the asker can be of the group")
            place = min(fitting, key=lambda place: hand[place].bit_count())
            hand[place] &= group
        return self._with({by: hand})

    def answered(self, by: int, to: int, card: int, *, yes: bool) -> SlotForm:
        """Return the state after an answer.

        Yes: the fitting place with the fewest identities becomes the card and changes hands, and
        no other place may be the card. No: no place of the player is the card.
        """
        bit = 1 << card
        if not yes:
            return self._with({by: [potential & ~bit for potential in self.hands[by]]})
        place = self._least(by, bit)
        if place is None:
            return self._clashing("no place of the player can be the card")
        others = [[potential & ~bit for potential in hand] for hand in self.hands]
        del others[by][place]
        others[to].append(bit)
        return SlotForm(self.table, others)

    def declared(self, by: int, group: int) -> SlotForm:
        """Return the state after a quartet, made of the most specified places that fit."""
        mask = self.table.masks[group]
        hand = self.hands[by]
        chosen: list[int] = []
        for place in sorted(range(len(hand)), key=lambda place: hand[place].bit_count()):
            trial = [hand[other] & mask for other in (*chosen, place)]
            if hand[place] & mask and largest_matching(trial) == len(trial):
                chosen.append(place)
        if len(chosen) < self.table.sizes[group]:
            return self._clashing("no places of the player can be that quartet")
        rest = [
            [p & ~mask for place, p in enumerate(other) if q != by or place not in chosen]
            for q, other in enumerate(self.hands)
        ]
        return SlotForm(self.table, rest)

    def _least(self, by: int, bit: int) -> int | None:
        fitting = [place for place, potential in enumerate(self.hands[by]) if potential & bit]
        hand = self.hands[by]
        return min(fitting, key=lambda place: hand[place].bit_count(), default=None)

    def _clashing(self, clash: str) -> SlotForm:
        return SlotForm(self.table, self.hands, clash)

    def _with(self, changed: dict[int, list[int]]) -> SlotForm:
        return SlotForm(self.table, [changed.get(p, hand) for p, hand in enumerate(self.hands)])


def slots_after(game: Setup, log: Sequence[Event]) -> SlotForm:
    """Return the places after a log, by the updates of the first description alone.

    ``deal_quartet: no`` and ``silence: yes`` are ignored, since potentials cannot express them: a
    place for every card of every deal that obeys them remains, and perhaps others. The log has at
    most one losing statement, the last.

    Raises
    ------
    BadInput
        A name that does not exist, or an answer without a question.

    Examples
    --------
    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> slots_after(game, [Ask("Ann", "Ben", "a1"), Answer("Ben", yes=False)]).hands
    ((3, 15), (14, 14))
    """
    form = slot_form(start_form(len(game.players), game.table.sizes, game.hands))
    question: Ask | None = None
    for event in log:
        if form.clash:
            break
        by = game.player(event.by)
        if isinstance(event, Ask):
            form = form.asked(by, game.card(event.card), ask_own=game.ask_own)
            question = event
        elif not isinstance(event, Answer):
            form = form.declared(by, game.group(event.group))
        elif question is None:
            raise BadInput(f"{event.by} answers, but no question was asked")
        else:
            asker, card = game.player(question.by), game.card(question.card)
            form = form.answered(by, asker, card, yes=event.yes)
    return form


def inexpressible(form: DealForm) -> list[tuple[int, int, int]]:
    """Return the bounds "at most" that potentials cannot express: player, group and number.

    A bound that the size of the hand or the exclusions imply is not listed.

    >>> inexpressible(start_form(2, (2, 2), (3, 1), deal_quartet=False))
    [(0, 0, 1), (0, 1, 1)]
    """
    return [
        (p, group, form.high[p][group])
        for p in range(form.table.players)
        for group, mask in enumerate(form.table.masks)
        if form.high[p][group] < min(form.places[p], (form.may[p] & mask).bit_count())
    ]


def slot_form(form: DealForm, *, relaxed: bool = False) -> SlotForm:
    """Return a state in deal form as a slot form.

    Parameters
    ----------
    form
        The state.
    relaxed
        Whether bounds that potentials cannot express are left out.

    Raises
    ------
    Unsupported
        The state has an "at most" that potentials cannot express, and ``relaxed`` is not given.

    Examples
    --------
    >>> slot_form(start_form(2, (2, 2), (2, 2))).hands
    ((15, 15), (15, 15))
    """
    bounds = [] if relaxed else inexpressible(form)
    if bounds:
        player, group, number = bounds[0]
        raise Unsupported(
            f"potentials cannot express that player {player + 1} holds at most {number} of the "
            f"cards of group {group + 1}"
        )
    table, clash, hands = form.table, form.clash, []
    for p in range(table.players):
        claimed = [
            form.may[p] & mask
            for group, mask in enumerate(table.masks)
            for _ in range(form.low[p][group])
        ]
        if len(claimed) > form.places[p]:
            clash = clash or f"player {p + 1} claims more cards than there are places"
            claimed = []
        free = [form.may[p]] * (form.places[p] - len(claimed))
        hands.append([*(1 << card for card in hand_cards(form.located[p])), *claimed, *free])
    return SlotForm(table, hands, clash)


def hand_cards(cards: int) -> Sequence[int]:
    """Return the numbers of the cards in a bitmask."""
    return [card for card in range(cards.bit_length()) if cards >> card & 1]
