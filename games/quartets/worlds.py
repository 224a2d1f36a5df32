"""What is known in a small game, as the set of all deals that remain possible: one bit for each.

A deal gives each card a holder; with P players it is a number whose digit to the base P, for each
card, is its holder. A set of deals is an `int` with a bit for each such number: a statement is one
AND, and a card that is handed over is one shift. The deal form (`games.quartets.deal`) describes
the same by bounds; nothing is derived here, so that each checks the other.
"""

from __future__ import annotations

from functools import cache, cached_property

from attrs import frozen

from games.quartets.deal import DealForm
from games.quartets.flow import Layout

__all__ = ["MAX_DEALS", "Worlds", "worlds_of"]

MAX_DEALS = 3**10
"""The most numbers of deals that a set has bits for: three players with ten cards."""


@cache
def worlds_of(table: Layout) -> Worlds | None:
    """Return the sets of deals of a game; ``None`` if there are too many deals.

    >>> from games.quartets.flow import layout
    >>> worlds_of(layout(4, (4,) * 13)) is None
    True
    """
    cards = len(table.group_of)
    fits = cards < 20 and table.players**cards <= MAX_DEALS
    return Worlds(table) if fits else None


@frozen(slots=False, eq=False)
class Worlds:
    """Sets of deals of one game, in which players, groups and cards are numbers.

    Examples
    --------
    >>> from games.quartets.flow import layout
    >>> worlds = Worlds(layout(2, (2, 2)))
    >>> start = worlds.dealt((2, 2), 0)
    >>> start.bit_count(), (start & worlds.holds[0][3]).bit_count()
    (6, 3)
    """

    table: Layout

    @cached_property
    def all(self) -> int:
        """Every way to give each card a holder, whatever the hands."""
        count: int = self.table.players ** len(self.table.group_of)
        return (1 << count) - 1

    @cached_property
    def holds(self) -> tuple[tuple[int, ...], ...]:
        """For each player and card, the deals in which the player holds the card."""
        players, cards = self.table.players, len(self.table.group_of)
        return tuple(
            tuple(_with_digit(players, cards, card, player) for card in range(cards))
            for player in range(players)
        )

    @cached_property
    def cards(self) -> tuple[range, ...]:
        """The cards of each group."""
        sizes = self.table.sizes
        return tuple(range(sum(sizes[:g]), sum(sizes[: g + 1])) for g in range(len(sizes)))

    @cached_property
    def some(self) -> tuple[tuple[int, ...], ...]:
        """For each player and group, the deals in which the player holds a card of the group."""
        return tuple(
            tuple(self.union(player, cards) for cards in self.cards)
            for player in range(self.table.players)
        )

    @cached_property
    def whole(self) -> tuple[tuple[int, ...], ...]:
        """For each player and group, the deals in which the player holds the whole group."""
        return tuple(
            tuple(self.counted(player, cards, len(cards), len(cards)) for cards in self.cards)
            for player in range(self.table.players)
        )

    def union(self, player: int, cards: range | list[int]) -> int:
        """Return the deals in which a player holds at least one of some cards."""
        deals = 0
        for card in cards:
            deals |= self.holds[player][card]
        return deals

    def held(self, card: int, holders: int) -> int:
        """Return the deals in which one of some players, a bitmask, holds a card."""
        deals = 0
        for player, holds in enumerate(self.holds):
            if holders >> player & 1:
                deals |= holds[card]
        return deals

    def counted(self, player: int, cards: range | list[int], low: int, high: int) -> int:
        """Return the deals in which a player holds from ``low`` to ``high`` of some cards."""
        exactly = [self.all] + [0] * len(cards)
        for card in cards:
            has = self.holds[player][card]
            exactly = [
                deals & ~has | (exactly[n - 1] & has if n else 0) for n, deals in enumerate(exactly)
            ]
        deals = 0
        for each in exactly[max(low, 0) : high + 1]:
            deals |= each
        return deals

    @cached_property
    def _dealt(self) -> dict[tuple[tuple[int, ...], int], int]:
        return {}

    def dealt(self, hands: tuple[int, ...], aside: int) -> int:
        """Return the deals with these hands, in which the groups of a bitmask are laid aside.

        Cards that are laid aside count for no hand; their digit is 0.
        """
        if (hands, aside) not in self._dealt:
            deals = self.all
            left: list[int] = []
            for group, cards in enumerate(self.cards):
                if aside >> group & 1:
                    deals &= self.whole[0][group]
                else:
                    left += cards
            for player, size in enumerate(hands):
                deals &= self.counted(player, left, size, size)
            self._dealt[hands, aside] = deals
        return self._dealt[hands, aside]

    def moved(self, deals: int, card: int, by: int, to: int) -> int:
        """Return the deals after a card went to another player, who had it in none of them."""
        shift: int = (to - by) * self.table.players**card
        return deals << shift if shift >= 0 else deals >> -shift

    def described(self, form: DealForm) -> int:
        """Return the deals that a deal form leaves."""
        deals = self.dealt(form.hands(), form.aside)
        for group, cards in enumerate(self.cards):
            if form.aside >> group & 1:
                continue
            for card in cards:
                holders = sum(
                    ((may | located) >> card & 1) << player
                    for player, (may, located) in enumerate(
                        zip(form.may, form.located, strict=True)
                    )
                )
                deals &= self.held(card, holders)
            unknown = [card for card in cards if form.open >> card & 1]
            for player in range(self.table.players):
                low, high = form.low[player][group], form.high[player][group]
                if low > 0 or high < len(unknown):
                    deals &= self.counted(player, unknown, low, high)
        return deals


def _with_digit(base: int, digits: int, place: int, value: int) -> int:
    """Return the set of all numbers of ``digits`` digits with a given digit at one place."""
    run: int = base**place
    size, found = run * base, ((1 << run) - 1) << (value * run)
    while size < base**digits:
        found = sum(found << (k * size) for k in range(base))
        size *= base
    return found
