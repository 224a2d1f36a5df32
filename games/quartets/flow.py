"""Whether a deal exists, decided exactly by repairing the last deal that was found.

A deal is a flow source -> player -> (player, group) -> card -> sink: each player has exactly their
unlocated places, a pair has between ``low`` and ``high`` cards, a card has one of its holders
(docs/games/quartets.md, section 2). After one more statement the last deal usually still fits; if
not, each violated bound is repaired by one augmenting path, or no deal exists. This is the
feasibility phase of the out-of-kilter method (Ford and Fulkerson, *Flows in Networks*, 1962,
ch. III), with cards as bits of ints and the nodes of the path search reduced to players and pairs.

The core decides the same with `deduce.engines.solve.matching`, from nothing each time. This
incremental flow stays because it is 13 to 30 times faster in the median
(docs/benchmarks/quartets.md); the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from attrs import field, frozen

__all__ = ["Layout", "Masks", "find_deal", "layout", "possible_holders"]

Masks = tuple[int, ...]
"""One int per player; bit ``c`` is card ``c``."""

Bounds = tuple[tuple[int, ...], ...]
"""A number for each player and group: ``bounds[player][group]``."""


@frozen(eq=False)
class Layout:
    """How many players there are, and the cards of each group as a bitmask.

    Cards are numbered through, group by group: group 0 has the cards ``0 .. size - 1``.
    """

    players: int
    sizes: tuple[int, ...]
    masks: tuple[int, ...] = field(init=False)
    group_of: tuple[int, ...] = field(init=False)
    all: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        masks, group_of, first = [], [], 0
        for group, size in enumerate(self.sizes):
            masks.append((1 << size) - 1 << first)
            group_of += [group] * size
            first += size
        object.__setattr__(self, "masks", tuple(masks))
        object.__setattr__(self, "group_of", tuple(group_of))
        object.__setattr__(self, "all", (1 << first) - 1)


@cache
def layout(players: int, sizes: tuple[int, ...]) -> Layout:
    """Return the layout for a number of players and groups of these sizes: always the same value.

    >>> [bin(mask) for mask in layout(2, (2, 3)).masks]
    ['0b11', '0b11100']
    """
    return Layout(players, sizes)


def find_deal(
    table: Layout, may: Masks, places: Sequence[int], low: Bounds, high: Bounds, near: Masks
) -> Masks | None:
    """Return the cards that each player holds in some deal, or ``None`` when there is none.

    Parameters
    ----------
    table
        Players and groups.
    may
        For each player, the unlocated cards that they may hold; if an unlocated card is in no
        mask, there is no deal.
    places
        For each player, how many unlocated cards they hold.
    low, high
        Bounds on how many of these are in each group.
    near
        A deal to start from, such as that of the state before; any masks will do.

    Notes
    -----
    Cost: a few int operations per player and group when ``near`` still fits; one breadth-first
    search over (players x groups) nodes for each unit by which it does not.

    Examples
    --------
    >>> two = layout(2, (2, 2))
    >>> free, one = ((0, 0), (0, 0)), ((1, 1), (1, 1))
    >>> find_deal(two, (0b1111, 0b1111), (2, 2), free, one, (0b0011, 0b1100))
    (6, 9)
    >>> find_deal(two, (0b0011, 0b1111), (2, 2), free, one, (0b0011, 0b1100)) is None
    True
    """
    own = [cards & allowed for cards, allowed in zip(near, may, strict=True)]
    union = placed = 0
    for p, cards in enumerate(own):
        union |= may[p]
        own[p] = cards & ~placed
        placed |= cards
    if union.bit_count() != sum(places):
        return None
    loose = union & ~placed
    while loose:
        card = loose & -loose
        loose ^= card
        takers = [p for p, allowed in enumerate(may) if allowed & card]
        taker = next((p for p in takers if own[p].bit_count() < places[p]), takers[0])
        own[taker] |= card
    return _Repair(table, may, places, low, high, own).run()


class _Repair:
    """A deal in which every card has a holder, but some bounds may be violated.

    Nodes of the residual graph: pair ``(p, g)`` is ``p * groups + g``, then the players, then
    the source. An arc means: the first node takes one card more, so the second must give one.
    """

    def __init__(
        self,
        table: Layout,
        may: Masks,
        places: Sequence[int],
        low: Bounds,
        high: Bounds,
        own: list[int],
    ) -> None:
        self.players, self.groups = table.players, len(table.sizes)
        self.masks = table.masks
        self.may, self.places, self.low, self.high, self.own = may, places, low, high, own
        self.source = self.players * self.groups + self.players

    def run(self) -> Masks | None:
        own, masks, first = self.own, self.masks, self.players * self.groups
        for p in range(self.players):
            while own[p].bit_count() < self.places[p]:
                if not self._repair_by_one(first + p, self.source):
                    return None
        for p in range(self.players):
            low, high, cards = self.low[p], self.high[p], own[p]
            for g, mask in enumerate(masks):
                count = (cards & mask).bit_count()
                if low[g] <= count <= high[g]:
                    continue
                pair, player = p * self.groups + g, first + p
                start, goal = (pair, player) if count < low[g] else (player, pair)
                while not low[g] <= (own[p] & mask).bit_count() <= high[g]:
                    if not self._repair_by_one(start, goal):
                        return None
                cards = own[p]
        return tuple(own)

    def _repair_by_one(self, start: int, goal: int) -> bool:
        """Move one card at each step of a shortest path; return whether there is a path."""
        parent = {start: start}
        queue = [start]
        for node in queue:
            for following in self._arcs(node):
                if following not in parent:
                    parent[following] = node
                    if following == goal:
                        self._walk(parent, goal)
                        return True
                    queue.append(following)
        return False

    def _arcs(self, node: int) -> list[int]:
        groups, own, masks = self.groups, self.own, self.masks
        first = self.players * groups
        if node < first:
            p, g = divmod(node, groups)
            mask = masks[g]
            takes = self.may[p] & mask
            arcs = [q * groups + g for q in range(self.players) if own[q] & takes and q != p]
            if (own[p] & mask).bit_count() > self.low[p][g]:
                arcs.append(first + p)
            return arcs
        p = node - first
        cards, high = own[p], self.high[p]
        if cards.bit_count() > self.places[p]:
            return [self.source]
        base = p * groups
        return [base + g for g, mask in enumerate(masks) if (cards & mask).bit_count() < high[g]]

    def _walk(self, parent: dict[int, int], node: int) -> None:
        groups, own = self.groups, self.own
        first = self.players * groups
        while parent[node] != node:
            before = parent[node]
            if before < first and node < first:
                (taker, g), giver = divmod(before, groups), node // groups
                card = own[giver] & self.may[taker] & self.masks[g]
                card &= -card
                own[giver] ^= card
                own[taker] ^= card
            node = before


def possible_holders(table: Layout, may: Masks, low: Bounds, high: Bounds, deal: Masks) -> Masks:
    """Return for each player the cards that they hold in some deal, all at once.

    Parameters
    ----------
    table, may, low, high
        As for `find_deal`.
    deal
        Any one deal.

    Notes
    -----
    A card can move from ``q`` to ``p`` if the residual graph has a path back from ``(q, group)`` to
    ``(p, group)``. The transitive closure is taken group by group and then between players, so
    that the cost is (groups x players^2) operations on small ints, with no search.
    """
    players = range(table.players)
    inside: list[tuple[int, list[int], int, int]] = []
    between = [1 << p for p in players]
    for g, mask in enumerate(table.masks):
        held = [cards & mask for cards in deal]
        if not any(held):
            continue
        reach = []
        gain = lose = 0
        for p in players:
            takes, bit = may[p] & mask, 1 << p
            arcs = bit
            for q in players:
                if held[q] & takes:
                    arcs |= 1 << q
            reach.append(arcs)
            count = held[p].bit_count()
            if count < high[p][g]:
                gain |= bit
            if count > low[p][g]:
                lose |= bit
        _close(reach)
        for p in players:
            if gain >> p & 1:
                between[p] |= reach[p] & lose
        inside.append((mask, reach, gain, lose))
    _close(between)
    can = [0] * table.players
    for mask, reach, gain, lose in inside:
        for q in players:
            cards = deal[q] & mask
            if not cards:
                continue
            back = reach[q] | _union(reach, _union(between, reach[q] & lose) & gain)
            for p in players:
                if back >> p & 1:
                    can[p] |= cards & may[p]
    return tuple(can)


def _close(reach: list[int]) -> None:
    """Make a relation on players transitive (Warshall, with a row in an int)."""
    for middle, row in enumerate(reach):
        for p, other in enumerate(reach):
            if other >> middle & 1:
                reach[p] = other | row


def _union(rows: Sequence[int], chosen: int) -> int:
    union = 0
    while chosen:
        low = chosen & -chosen
        union |= rows[low.bit_length() - 1]
        chosen ^= low
    return union
