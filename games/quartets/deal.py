"""The deal form of a state: the players who may hold each card, and bounds for each group.

Source: docs/games/quartets.md, section 2. Players, groups and cards are numbers here;
`games.quartets.setup` gives them names. Every statement makes a new form, whose witness is the old
one repaired, so that validity is known at no further cost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import TypeVar

from attrs import field, frozen

from deduce.errors import BadInput
from games.quartets.flow import Layout, Masks, find_deal, layout, possible_holders

__all__ = ["DealForm", "start_form", "stated_form"]

T = TypeVar("T")

Bounds = tuple[tuple[int, ...], ...]


@frozen(slots=False)
class DealForm:
    """What is known about the cards: the same for all players, since no player has seen any.

    Parameters
    ----------
    table
        Players and groups.
    open
        The cards not yet located in public.
    may
        For each player, the open cards that they may hold.
    located
        For each player, the cards in play that they are known to hold.
    places
        For each player, how many open cards they hold.
    low, high
        For each player and group, bounds on how many of its open cards they hold.
    aside
        The groups laid aside, as a bitmask.
    clash
        What simple bookkeeping has found to be impossible; empty if nothing.
    witness
        One deal that fits: the open cards of each player. ``None``: the state is invalid.
    """

    table: Layout
    open: int
    may: Masks
    located: Masks
    places: tuple[int, ...]
    low: Bounds
    high: Bounds
    aside: int = 0
    clash: str = ""
    witness: Masks | None = field(default=None, eq=False)

    @property
    def is_valid(self) -> bool:
        """Whether some deal fits all statements."""
        return self.witness is not None

    def deal(self) -> Masks | None:
        """Return all cards of each player in one deal that fits, or ``None``."""
        if self.witness is None:
            return None
        return tuple(a | b for a, b in zip(self.located, self.witness, strict=True))

    def hands(self) -> tuple[int, ...]:
        """Return how many cards each player holds now."""
        return tuple(
            n + cards.bit_count() for n, cards in zip(self.places, self.located, strict=True)
        )

    def groups(self) -> Iterator[int]:
        """Return the groups that are still in play."""
        return (g for g in range(len(self.table.sizes)) if not self.aside >> g & 1)

    @cached_property
    def can(self) -> Masks:
        """For each player, the open cards that they hold in some deal; none if the form is invalid.

        Cost: see `games.quartets.flow.possible_holders`; computed once.
        """
        if self.witness is None:
            return (0,) * self.table.players
        return possible_holders(self.table, self.may, self.low, self.high, self.witness)

    def sure(self, player: int) -> int:
        """Return the open cards that the player holds in every deal."""
        others = (can for p, can in enumerate(self.can) if p != player)
        return self.can[player] & ~reduce(or_, others, 0)

    # Statements

    def asked(self, by: int, card: int, *, ask_own: bool, silence: bool) -> DealForm:
        """Return the state after ``by`` asked another player for the card.

        Parameters
        ----------
        by, card
            The asker and the card.
        ask_own
            Whether the asker may hold the card.
        silence
            Whether asking states that the asker holds no complete group.
        """
        table, bit = self.table, 1 << card
        group = table.group_of[card]
        mask = table.masks[group]
        if self.aside >> group & 1:
            return self._clashing("the group is laid aside")
        may, low, high, clash = self.may, self.low, self.high, ""
        if silence:
            row = list(high[by])
            for g in self.groups():
                most = table.sizes[g] - 1 - (self.located[by] & table.masks[g]).bit_count()
                row[g] = min(row[g], most)
                if most < 0:
                    clash = "a complete group was not declared"
            high = _with(high, by, tuple(row))
        if not ask_own:
            if self.located[by] & bit:
                clash = "the card is in the own hand"
            may = _with(may, by, may[by] & ~bit)
        if not self.located[by] & mask and not low[by][group]:
            low = _with(low, by, _with(low[by], group, 1))
        return self._with_changes(clash, may=may, low=low, high=high)

    def answered(self, by: int, to: int, card: int, *, yes: bool) -> DealForm:
        """Return the state after ``by`` answered ``to``; on yes, ``to`` gets the card."""
        table, bit = self.table, 1 << card
        group = table.group_of[card]
        held = self.located[by] & bit
        if not self.open & bit:
            if yes and not held:
                return self._clashing("the card is known to be elsewhere")
            if not yes and held:
                return self._clashing("the card is known to be there")
            if not yes:
                return self
            located = _with(self.located, by, self.located[by] ^ bit)
            return self._with_changes("", located=_with(located, to, located[to] | bit))
        if not yes:
            return self._with_changes("", may=_with(self.may, by, self.may[by] & ~bit))
        if not self.may[by] & bit:
            return self._clashing("the card was denied before")
        high = self.high[by][group] - 1
        clash = "no more cards of this group can be there" if high < 0 else ""
        return self._with_changes(
            clash,
            open=self.open ^ bit,
            may=tuple(cards & ~bit for cards in self.may),
            located=_with(self.located, to, self.located[to] | bit),
            places=_with(self.places, by, self.places[by] - 1),
            low=_with(self.low, by, _with(self.low[by], group, max(0, self.low[by][group] - 1))),
            high=_with(self.high, by, _with(self.high[by], group, high)),
        )

    def declared(self, by: int, group: int) -> DealForm:
        """Return the state after ``by`` laid a complete group aside."""
        table = self.table
        mask = table.masks[group]
        unknown = self.open & mask
        count = unknown.bit_count()
        others = [p for p in range(table.players) if p != by]
        clash = ""
        if self.aside >> group & 1:
            clash = "the group is laid aside"
        elif any(self.located[p] & mask for p in others):
            clash = "a card of the group is known to be elsewhere"
        elif unknown & ~self.may[by]:
            clash = "a card of the group was denied before"
        elif any(self.low[p][group] for p in others):
            clash = "another player has claimed a card of the group"
        elif not self.low[by][group] <= count <= self.high[by][group]:
            clash = "the player cannot have the whole group"
        if clash:
            return self._clashing(clash)
        return self._with_changes(
            "",
            open=self.open & ~mask,
            may=tuple(cards & ~mask for cards in self.may),
            located=tuple(cards & ~mask for cards in self.located),
            places=_with(self.places, by, self.places[by] - count),
            low=tuple(_with(row, group, 0) for row in self.low),
            high=tuple(_with(row, group, table.sizes[group]) for row in self.high),
            aside=self.aside | 1 << group,
        )

    def can_declare(self, by: int, group: int) -> bool:
        """Return whether the player could declare the group without contradiction."""
        return not self.aside >> group & 1 and self.declared(by, group).is_valid

    def is_certain(self, by: int, group: int) -> bool:
        """Return whether the player holds the whole group in every deal."""
        mask = self.table.masks[group]
        return (
            not self.aside >> group & 1
            and self.is_valid
            and not any(
                (cards | can) & mask
                for p, (cards, can) in enumerate(zip(self.located, self.can, strict=True))
                if p != by
            )
        )

    def can_answer(self, by: int, card: int, *, yes: bool) -> bool:
        """Return whether an answer about the card leaves a deal; the state itself is valid."""
        bit = 1 << card
        if yes:
            return bool((self.located[by] | self.can[by]) & bit)
        if not self.open & bit:
            return not self.located[by] & bit
        return any(can & bit for p, can in enumerate(self.can) if p != by)

    # How a new form is made

    def _with_changes(
        self,
        clash: str,
        *,
        open: int | None = None,
        may: Masks | None = None,
        located: Masks | None = None,
        places: tuple[int, ...] | None = None,
        low: Bounds | None = None,
        high: Bounds | None = None,
        aside: int | None = None,
    ) -> DealForm:
        may = self.may if may is None else may
        places = self.places if places is None else places
        low = self.low if low is None else low
        high = self.high if high is None else high
        witness = None
        if not clash and self.witness is not None:
            witness = find_deal(self.table, may, places, low, high, self.witness)
        return DealForm(
            self.table,
            self.open if open is None else open,
            may,
            self.located if located is None else located,
            places,
            low,
            high,
            self.aside if aside is None else aside,
            clash,
            witness,
        )

    def _clashing(self, clash: str) -> DealForm:
        return self._with_changes(clash)


def _with(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return the tuple with one item replaced."""
    return (*row[:index], value, *row[index + 1 :])


def start_form(
    players: int, sizes: Sequence[int], hands: Sequence[int], *, deal_quartet: bool = True
) -> DealForm:
    """Return the state before the first statement.

    Parameters
    ----------
    players
        How many players there are.
    sizes
        The size of each group.
    hands
        How many cards each player is dealt.
    deal_quartet
        Whether a player may hold a complete group at the deal.

    Raises
    ------
    BadInput
        The hands do not add up to the cards.

    Examples
    --------
    >>> start_form(3, (4, 4, 4), (4, 4, 4)).is_valid
    True
    """
    table = layout(players, tuple(sizes))
    if sum(hands) != sum(sizes):
        raise BadInput(f"the hands hold {sum(hands)} cards, but there are {sum(sizes)}")
    less = 0 if deal_quartet else 1
    high = (tuple(size - less for size in sizes),) * players
    low = ((0,) * len(sizes),) * players
    may = (table.all,) * players
    start, first = [], 0
    for size in hands:
        start.append((1 << size) - 1 << first)
        first += size
    form = DealForm(table, table.all, may, (0,) * players, tuple(hands), low, high)
    witness = find_deal(table, may, form.places, low, high, tuple(start))
    return DealForm(table, form.open, may, form.located, form.places, low, high, 0, "", witness)


def stated_form(
    table: Layout,
    hands: Sequence[int],
    *,
    located: Sequence[int],
    may: Sequence[int],
    low: Sequence[Sequence[int]],
    high: Sequence[Sequence[int]],
    aside: int = 0,
) -> DealForm:
    """Return the state with these parts, without a history.

    Parameters
    ----------
    table
        Players and groups.
    hands
        How many cards each player holds now.
    located, may, low, high, aside
        As in `DealForm`, except that ``may`` may include cards that are not open.

    Examples
    --------
    >>> free, one = [[0, 0]] * 2, [[1, 1]] * 2
    >>> state = stated_form(
    ...     layout(2, (2, 2)), (2, 2), located=(1, 0), may=(15, 15), low=free, high=one
    ... )
    >>> state.places, state.can
    ((1, 2), (12, 14))
    """
    unknown = table.all
    for cards in (*located, *(mask for g, mask in enumerate(table.masks) if aside >> g & 1)):
        unknown &= ~cards
    holders = tuple(cards & unknown for cards in may)
    places = tuple(n - cards.bit_count() for n, cards in zip(hands, located, strict=True))
    lows, highs = tuple(map(tuple, low)), tuple(map(tuple, high))
    clash = any(a > b for x, y in zip(lows, highs, strict=True) for a, b in zip(x, y, strict=True))
    witness = None
    if not clash and min(places) >= 0:
        witness = find_deal(table, holders, places, lows, highs, (0,) * table.players)
    reason = "at least is more than at most" if clash else ""
    return DealForm(
        table, unknown, holders, tuple(located), places, lows, highs, aside, reason, witness
    )
