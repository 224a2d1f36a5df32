"""The slot form of a state: that of the first description, with a potential for each place.

Source: docs/games/quartets.md, section 3. From the normal start, and with the least potential
handed over, it agrees with the deal form; it cannot express "no player holds a complete group".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from attrs import field, frozen

from deduce.errors import BadInput, Unsupported
from games.quartets.deal import DealForm
from games.quartets.flow import Layout
from games.quartets.matching import HallSet, Match, largest_matching, match

__all__ = ["SlotForm", "hand_cards", "slot_form"]

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


def slot_form(form: DealForm) -> SlotForm:
    """Return a state in deal form as a slot form.

    Raises
    ------
    Unsupported
        The state has an "at most", or claims more cards than a hand has places: potentials cannot
        express that.

    Examples
    --------
    >>> from games.quartets.deal import start_form
    >>> slot_form(start_form(2, (2, 2), (2, 2))).hands
    ((15, 15), (15, 15))
    """
    table = form.table
    if form.clash:
        raise Unsupported(f"the state is impossible: {form.clash}")
    hands = []
    for p in range(table.players):
        hand = [1 << card for card in hand_cards(form.located[p])]
        for group, mask in enumerate(table.masks):
            held = form.may[p] & mask
            if form.high[p][group] < held.bit_count():
                raise Unsupported(
                    f"potentials cannot express that player {p + 1} holds at most "
                    f"{form.high[p][group]} of the cards of group {group + 1}"
                )
            hand += [held] * form.low[p][group]
        free = form.places[p] - sum(form.low[p])
        if free < 0:
            raise Unsupported(f"player {p + 1} claims more groups than there are places")
        hands.append(hand + [form.may[p]] * free)
    return SlotForm(table, hands)


def hand_cards(cards: int) -> Sequence[int]:
    """Return the numbers of the cards in a bitmask."""
    return [card for card in range(cards.bit_length()) if cards >> card & 1]
