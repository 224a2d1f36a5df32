"""The deal form of a state: the players who may hold each card, and bounds for each group.

Source: docs/games/quartets.md, section 2. Players, groups and cards are numbers here;
`games.quartets.setup` gives them names. Every statement makes a new form, whose witness is the old
one repaired, so that validity is known at no further cost.

A deal is a flow source -> player -> (player, group) -> card -> sink: each player has exactly their
unlocated places, a pair has between ``low`` and ``high`` cards, a card has one of its holders
(docs/games/quartets.md, section 2). Whether a deal exists is decided exactly: after one more
statement the last one usually still fits; if not, each violated bound is repaired by one augmenting
path, or no deal exists. This is the feasibility phase of the out-of-kilter method (Ford and
Fulkerson, *Flows in Networks*, 1962, ch. III), with cards as bits of ints and the nodes of the path
search reduced to players and pairs.

The core decides the same with `deduce.engines.solve.matching`, from nothing each time. This
incremental flow stays because it is 13 to 30 times faster in the median
(docs/benchmarks/quartets.md); the tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, reduce
from operator import or_
from typing import Any, TypeVar

from attrs import define, evolve, field, frozen

from deduce.errors import BadInput

__all__ = [
    "Claim",
    "Deal",
    "DealForm",
    "Layout",
    "Masks",
    "claimed_form",
    "find_deal",
    "hand_cards",
    "layout",
    "possible_holders",
    "start_form",
]


Masks = tuple[int, ...]
"""One int per player; bit ``c`` is card ``c``."""

Deal = Sequence[Sequence[int]]
"""The cards of each player."""

Claim = tuple[str, int, int, int]
"""``("has", player, card, 1)``: it is known that they have it; ``"not"``: they do not have it;
``("least", player, group, number)``: they have at least this number of its open cards; ``"most"``:
at most."""

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


def hand_cards(cards: int) -> Sequence[int]:
    """Return the numbers of the cards in a bitmask."""
    return [card for card in range(cards.bit_length()) if cards >> card & 1]


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
    first = table.players * len(table.sizes)
    return _Repair(table, may, places, low, high, own, first).run()


@define
class _Repair:
    """A deal in which every card has a holder, but some bounds may be violated.

    Nodes of the residual graph: pair ``(p, g)`` is ``p * groups + g``, then the players, then
    the source. An arc means: the first node takes one card more, so the second must give one.
    """

    table: Layout
    may: Masks
    places: Sequence[int]
    low: Bounds
    high: Bounds
    own: list[int]
    first: int
    """The node of the first player."""

    def run(self) -> Masks | None:
        own, masks, first = self.own, self.table.masks, self.first
        source = first + len(own)
        for p, places in enumerate(self.places):
            while own[p].bit_count() < places:
                if not self._repair_by_one(first + p, source):
                    return None
        for p, (low, high) in enumerate(zip(self.low, self.high, strict=True)):
            for g, mask in enumerate(masks):
                count = (own[p] & mask).bit_count()
                if low[g] <= count <= high[g]:
                    continue
                pair, player = p * len(masks) + g, first + p
                start, goal = (pair, player) if count < low[g] else (player, pair)
                while not low[g] <= (own[p] & mask).bit_count() <= high[g]:
                    if not self._repair_by_one(start, goal):
                        return None
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
        own, masks, first = self.own, self.table.masks, self.first
        if node < first:
            p, g = divmod(node, len(masks))
            mask = masks[g]
            takes = self.may[p] & mask
            arcs = [q * len(masks) + g for q, cards in enumerate(own) if cards & takes and q != p]
            if (own[p] & mask).bit_count() > self.low[p][g]:
                arcs.append(first + p)
            return arcs
        p = node - first
        cards, high = own[p], self.high[p]
        if cards.bit_count() > self.places[p]:
            return [first + len(own)]
        base = p * len(masks)
        return [base + g for g, mask in enumerate(masks) if (cards & mask).bit_count() < high[g]]

    def _walk(self, parent: dict[int, int], node: int) -> None:
        own, masks = self.own, self.table.masks
        while parent[node] != node:
            before = parent[node]
            if before < self.first and node < self.first:
                (taker, g), giver = divmod(before, len(masks)), node // len(masks)
                card = own[giver] & self.may[taker] & masks[g]
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


T = TypeVar("T")


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
    near
        A deal from which one that fits is searched for, such as that of the state before.
        ``None``: no deal fits.
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
    near: Masks | None = field(default=None, eq=False, repr=False)

    witness: Masks | None = field(init=False, eq=False)
    """One deal that fits: the open cards of each player. ``None``: the state is invalid."""

    def __attrs_post_init__(self) -> None:
        near, witness = self.near, None
        if near is not None and not self.clash:
            witness = find_deal(self.table, self.may, self.places, self.low, self.high, near)
        object.__setattr__(self, "witness", witness)

    @property
    def is_valid(self) -> bool:
        """Whether some deal fits all statements."""
        return self.witness is not None

    def deal(self) -> Deal | None:
        """Return all cards of each player in one deal that fits, or ``None``."""
        if self.witness is None:
            return None
        return [hand_cards(a | b) for a, b in zip(self.located, self.witness, strict=True)]

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

        Cost: see `possible_holders`; computed once.
        """
        if self.witness is None:
            return (0,) * self.table.players
        return possible_holders(self.table, self.may, self.low, self.high, self.witness)

    def sure(self, player: int) -> int:
        """Return the open cards that the player holds in every deal."""
        others = (can for p, can in enumerate(self.can) if p != player)
        return self.can[player] & ~reduce(or_, others, 0)

    def claims(self, limits: Sequence[int] = ()) -> Iterator[Claim]:
        """Yield the claims of which `claimed_form` makes this state.

        ``limits`` are the numbers of cards of each group from which on "at most" says nothing; by
        default those of its open cards.
        """
        limits = limits or [(self.open & mask).bit_count() for mask in self.table.masks]
        for p in range(self.table.players):
            yield from (("has", p, card, 1) for card in hand_cards(self.located[p]))
            yield from (("not", p, card, 1) for card in hand_cards(self.open & ~self.may[p]))
            for g, (low, high) in enumerate(zip(self.low[p], self.high[p], strict=True)):
                if low:
                    yield "least", p, g, low
                if high < limits[g]:
                    yield "most", p, g, high

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
            return self._changed("the group is laid aside")
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
        return self._changed(clash, may=may, low=low, high=high)

    def answered(self, by: int, to: int, card: int, *, yes: bool) -> DealForm:
        """Return the state after ``by`` answered ``to``; on yes, ``to`` gets the card."""
        table, bit = self.table, 1 << card
        group = table.group_of[card]
        held = self.located[by] & bit
        if not self.open & bit:
            if yes and not held:
                return self._changed("the card is known to be elsewhere")
            if not yes and held:
                return self._changed("the card is known to be there")
            if not yes:
                return self
            located = _with(self.located, by, self.located[by] ^ bit)
            return self._changed(located=_with(located, to, located[to] | bit))
        if not yes:
            return self._changed(may=_with(self.may, by, self.may[by] & ~bit))
        if not self.may[by] & bit:
            return self._changed("the card was denied before")
        high = self.high[by][group] - 1
        clash = "no more cards of this group can be there" if high < 0 else ""
        return self._changed(
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
            return self._changed(clash)
        return self._changed(
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

    def _changed(self, clash: str = "", **changes: Any) -> DealForm:
        return evolve(self, clash=clash, near=self.witness, **changes)


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
    limits = [("most", p, g, size - 1) for p in range(players) for g, size in enumerate(sizes)]
    return claimed_form(table, hands, [] if deal_quartet else limits)


def claimed_form(
    table: Layout, hands: Sequence[int], claims: Iterable[Claim], aside: int = 0
) -> DealForm:
    """Return the state in which claims are all that is known.

    Parameters
    ----------
    table
        Players and groups.
    hands
        How many cards each player holds now.
    claims
        What is known of the cards.
    aside
        The groups laid aside, as a bitmask.

    Examples
    --------
    >>> claims = [("has", 0, 0, 1), *(("most", p, g, 1) for p in range(2) for g in range(2))]
    >>> state = claimed_form(layout(2, (2, 2)), (2, 2), claims)
    >>> state.places, state.can
    ((1, 2), (12, 14))
    """
    located, may = [0] * table.players, [table.all] * table.players
    low = [[0] * len(table.sizes) for _ in may]
    high = [list(table.sizes) for _ in may]
    for kind, player, thing, number in claims:
        if kind == "has":
            located[player] |= 1 << thing
        elif kind == "not":
            may[player] &= ~(1 << thing)
        elif kind == "least":
            low[player][thing] = max(low[player][thing], number)
        else:
            high[player][thing] = min(high[player][thing], number)
    unknown = table.all
    for cards in (*located, *(mask for g, mask in enumerate(table.masks) if aside >> g & 1)):
        unknown &= ~cards
    places = tuple(n - cards.bit_count() for n, cards in zip(hands, located, strict=True))
    clash = any(a > b for x, y in zip(low, high, strict=True) for a, b in zip(x, y, strict=True))
    return DealForm(
        table,
        unknown,
        tuple(cards & unknown for cards in may),
        tuple(located),
        places,
        tuple(map(tuple, low)),
        tuple(map(tuple, high)),
        aside,
        "at least is more than at most" if clash else "",
        (0,) * table.players if min(places) >= 0 else None,
    )
