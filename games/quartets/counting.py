"""The number of possible deals, by the holder of each card and of each whole group.

One sweep over the groups: the state is how many places of each player are used, packed into an int
with a guard bit above each field. Groups about which no statement was made are not swept, since
their contribution has a closed form. With ``w[p]`` places left for ``m`` such groups of ``s``
cards, none of which may be complete in one hand, inclusion and exclusion over the complete ones
gives

    sum over j of (-1)^j  binomial(m, j)  j!  (s (m - j))!  [z^j] product over p of
        (sum over a of  z^a / (a! (w[p] - s a)!))

and without that rule only the multinomial term ``j = 0`` is left.

The counting engine of the core gives the same numbers, and also sweeps group by group
(`deduce.engines.count.sweep.order`), but has no closed form for the rest. Over the recorded
positions with 52 cards and 4 players it takes 8 times as long in the median and 20 times in the
mean; at the opening over 1000 times, and over 10,000 times with 6 players: therefore this module
stays (docs/benchmarks/quartets.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb, factorial, prod

from attrs import frozen

from deduce.budget import STANDARD, Budget, Meter
from deduce.errors import Contradiction
from games.quartets.deal import DealForm
from games.quartets.slots import hand_cards

__all__ = ["Counts", "count_deals"]

Ways = dict[int, int]
"""Packed numbers of cards per player -> number of ways."""


@frozen
class Counts:
    """Numbers of deals, exact.

    Parameters
    ----------
    total
        How many deals are possible.
    holders
        For each card (by number), in how many of them each player holds it now; cards laid aside
        are left out.
    quartets
        For each group in play, in how many of them each player holds all of it.
    """

    total: int
    holders: Mapping[int, tuple[int, ...]]
    quartets: Mapping[int, tuple[int, ...]]

    def probability(self, card: int, player: int) -> Fraction:
        """Return the share of the deals in which the player holds the card."""
        return self._share(self.holders[card][player])

    def quartet_probability(self, group: int, player: int) -> Fraction:
        """Return the share of the deals in which the player holds the whole group."""
        return self._share(self.quartets[group][player])

    def _share(self, number: int) -> Fraction:
        if not self.total:
            raise Contradiction("no deal is possible")
        return Fraction(number, self.total)


def count_deals(form: DealForm, *, budget: Budget = STANDARD) -> Counts:
    """Return the number of deals that fit a state, by card and holder and by group and holder.

    Parameters
    ----------
    form
        The state.
    budget
        Each transition of the sweep is a step.

    Raises
    ------
    Undecided
        The budget ran out.

    Notes
    -----
    Cost: states of the sweep times the ways to distribute one group over the players, for the
    groups about which a statement was made.

    Examples
    --------
    >>> from games.quartets.deal import start_form
    >>> count_deals(start_form(4, [4] * 4, [4] * 4)).total
    63063000
    >>> count_deals(start_form(4, [4] * 4, [4] * 4, deal_quartet=False)).total
    62513568
    """
    if not form.is_valid:
        return Counts(0, {}, {})
    return _Count(form, budget.meter()).run()


@frozen
class _Class:
    """Open cards of one group that are interchangeable, and the players who may hold them."""

    cards: tuple[int, ...]
    steps: tuple[tuple[int, int, tuple[int, ...]], ...]
    """Each way to distribute them: packed numbers, how many ways, the numbers."""


class _Count:
    def __init__(self, form: DealForm, meter: Meter) -> None:
        self.form, self.meter = form, meter
        self.players = range(form.table.players)
        largest = max(*form.places, *form.table.sizes)
        self.width = largest.bit_length() + 1
        self.shifts = [p * self.width for p in self.players]
        self.guards = sum(1 << shift + self.width - 1 for shift in self.shifts)
        self.fields = (1 << self.width - 1) - 1
        bias = [self.fields - n for n in form.places]
        self.start = sum(b << shift for b, shift in zip(bias, self.shifts, strict=True))
        self.ruled, self.silent = self._silent_groups()
        in_play = [g for g in form.groups() if form.open & form.table.masks[g]]
        self.swept = sorted(
            (g for g in in_play if g not in self.silent),
            key=lambda g: (form.open & form.table.masks[g]).bit_count(),
        )
        self.chains = {g: self._chain(g) for g in self.swept}

    def _silent_groups(self) -> tuple[bool, frozenset[int]]:
        """Return whether no player may hold a complete silent group, and the silent groups."""
        form, table = self.form, self.form.table
        free, ruled = set(), set()
        for g in form.groups():
            mask = table.masks[g]
            unknown = form.open & mask
            count = unknown.bit_count()
            if (
                not count
                or any(cards & mask != unknown for cards in form.may)
                or any(row[g] for row in form.low)
            ):
                continue
            highs = {min(row[g], count) for row in form.high}
            if highs == {count}:
                free.add(g)
            elif highs == {count - 1}:
                ruled.add(g)
        sizes = [(form.open & table.masks[g]).bit_count() for g in ruled]
        if not ruled:
            return False, frozenset(free)
        size = max(set(sizes), key=sizes.count)
        return True, frozenset(g for g in ruled if (form.open & table.masks[g]).bit_count() == size)

    def _chain(self, group: int) -> list[_Class]:
        """Return the classes of alike cards of a group."""
        form = self.form
        alike: dict[tuple[int, ...], list[int]] = {}
        for card in self._open_cards(group):
            takers = tuple(p for p in self.players if form.may[p] >> card & 1)
            alike.setdefault(takers, []).append(card)
        chain = []
        for takers, cards in alike.items():
            steps = []
            for numbers, ways in _spreads(len(cards), len(takers)):
                full = [0] * len(self.players)
                for p, number in zip(takers, numbers, strict=True):
                    full[p] = number
                if all(n <= row[group] for n, row in zip(full, form.high, strict=True)):
                    packed = sum(n << s for n, s in zip(full, self.shifts, strict=True))
                    steps.append((packed, ways, tuple(full)))
            chain.append(_Class(tuple(cards), tuple(steps)))
        return chain

    def run(self) -> Counts:
        forward = [{self.start: 1}]
        spreads = {g: self._whole(g) for g in self.swept}
        for g in self.swept:
            forward.append(self._advance(forward[-1], spreads[g]))
        after, closed = self._closed(forward[-1])
        total = sum(ways * after[state] for state, ways in forward[-1].items())
        holders: dict[int, tuple[int, ...]] = {}
        quartets: dict[int, tuple[int, ...]] = {}
        for g, before in zip(reversed(self.swept), reversed(forward[:-1]), strict=True):
            after, flow = self._retreat(before, spreads[g], after)
            holders.update(self._within(g, flow))
            quartets[g] = self._whole_hands(g, spreads[g], flow)
        for g in self.silent:
            holders.update(dict.fromkeys(self._open_cards(g), closed[0]))
            quartets[g] = closed[1][g]
        self._settled(total, holders, quartets)
        order = sorted(holders)
        return Counts(total, {c: holders[c] for c in order}, dict(sorted(quartets.items())))

    def _whole(self, group: int) -> Ways:
        """Return the ways to distribute a group's open cards over the players within its bounds."""
        ways = {0: 1}
        for alike in self.chains[group]:
            following: Ways = {}
            for used, n in ways.items():
                for packed, more, _ in alike.steps:
                    following[used + packed] = following.get(used + packed, 0) + n * more
            ways = following
        return {used: n for used, n in ways.items() if self._within_bounds(group, used)}

    def _within_bounds(self, group: int, used: int) -> bool:
        form = self.form
        return all(
            form.low[p][group] <= (used >> self.shifts[p] & self.fields) <= form.high[p][group]
            for p in self.players
        )

    def _advance(self, states: Ways, spread: Ways) -> Ways:
        following: Ways = {}
        so_far, guards = following.get, self.guards
        self.meter.spend(len(states) * len(spread))
        steps = list(spread.items())
        for state, ways in states.items():
            for packed, more in steps:
                target = state + packed
                if not target & guards:
                    following[target] = so_far(target, 0) + ways * more
        return following

    def _retreat(self, states: Ways, spread: Ways, after: Ways) -> tuple[Ways, Ways]:
        """Return the ways on from each state, and the flow through each distribution of a group."""
        before: Ways = {}
        flow = dict.fromkeys(spread, 0)
        ways_on = after.get
        steps = list(spread.items())
        for state, ways in states.items():
            total = 0
            for packed, more in steps:
                on = ways_on(state + packed)
                if on:
                    total += on * more
                    flow[packed] += on * ways
            if total:
                before[state] = total
        return before, flow

    def _within(self, group: int, flow: Ways) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the holders of each card of a group: a sweep over its classes of alike cards."""
        chain = self.chains[group]
        forward: list[Ways] = [{0: 1}]
        for alike in chain[:-1]:
            following: Ways = {}
            for used, n in forward[-1].items():
                for packed, more, _ in alike.steps:
                    following[used + packed] = following.get(used + packed, 0) + n * more
            forward.append(following)
        after = flow
        for alike, states in zip(reversed(chain), reversed(forward), strict=True):
            before: Ways = {}
            held = [0] * len(self.players)
            for used, n in states.items():
                total = 0
                for packed, more, numbers in alike.steps:
                    on = after.get(used + packed, 0) * more
                    if on:
                        total += on
                        for p, number in enumerate(numbers):
                            if number:
                                held[p] += number * n * on
                before[used] = total
            after = before
            each = tuple(number // len(alike.cards) for number in held)
            yield from ((card, each) for card in alike.cards)

    def _whole_hands(self, group: int, spread: Ways, flow: Ways) -> tuple[int, ...]:
        mask = self.form.table.masks[group]
        count = (self.form.open & mask).bit_count()
        deals = []
        for p, shift in enumerate(self.shifts):
            packed = count << shift
            deals.append(self._alone(p, group) * flow.get(packed, 0) * spread.get(packed, 0))
        return tuple(deals)

    def _open_cards(self, group: int) -> Sequence[int]:
        return hand_cards(self.form.open & self.form.table.masks[group])

    def _closed(
        self, states: Ways
    ) -> tuple[Ways, tuple[tuple[int, ...], Mapping[int, tuple[int, ...]]]]:
        """Return the ways on from each last state of the sweep, by the closed form.

        Second, how often each player holds any one card of the silent groups, and each whole group.
        """
        numbers = {g: len(self._open_cards(g)) for g in self.silent}
        cards = sum(numbers.values())
        size, groups = (max(numbers.values()), len(numbers)) if self.ruled else (0, 0)
        after: Ways = {}
        held = [0] * len(self.players)
        whole = {} if self.ruled else {n: [0] * len(self.players) for n in numbers.values()}
        for state, ways in states.items():
            left = [self.fields - (state >> shift & self.fields) for shift in self.shifts]
            after[state] = on = _ways_on(tuple(sorted(left)), size, groups)
            for p, places in enumerate(left):
                if on:
                    held[p] += ways * on * places
                for number, row in whole.items():
                    if places >= number:
                        rest = [n - number * (q == p) for q, n in enumerate(left)]
                        row[p] += ways * _ways_on(tuple(sorted(rest)), 0, 0)
        each = tuple(number // cards for number in held) if cards else ()
        zeros = [0] * len(self.players)
        quartets = {
            g: tuple(row * self._alone(p, g) for p, row in enumerate(whole.get(numbers[g], zeros)))
            for g in self.silent
        }
        return after, (each, quartets)

    def _alone(self, player: int, group: int) -> bool:
        """Return whether no other player is known to hold a card of the group."""
        mask = self.form.table.masks[group]
        return not any(located & mask for q, located in enumerate(self.form.located) if q != player)

    def _settled(
        self, total: int, holders: dict[int, tuple[int, ...]], quartets: dict[int, tuple[int, ...]]
    ) -> None:
        """Add the located cards, and the groups that are located completely."""
        form = self.form
        for p, located in enumerate(form.located):
            row = tuple(total if q == p else 0 for q in self.players)
            holders.update(dict.fromkeys(hand_cards(located), row))
        for g in form.groups():
            mask = form.table.masks[g]
            if not form.open & mask:
                quartets[g] = tuple(
                    total if located & mask == mask else 0 for located in form.located
                )


@cache
def _spreads(cards: int, players: int) -> Sequence[tuple[tuple[int, ...], int]]:
    """Return all numbers of cards per player, each with the number of ways to distribute cards so.

    >>> _spreads(2, 2)
    (((0, 2), 1), ((1, 1), 2), ((2, 0), 1))
    """
    if players == 0:
        return (((), 1),) if cards == 0 else ()
    if players == 1:
        return (((cards,), 1),)
    return tuple(
        ((first, *rest), comb(cards, first) * ways)
        for first in range(cards + 1)
        for rest, ways in _spreads(cards - first, players - 1)
    )


@cache
def _ways_on(left: tuple[int, ...], size: int, groups: int) -> int:
    """Return in how many ways the cards of silent groups fill the places that are left (sorted).

    ``groups`` groups of ``size`` cards may not be complete in one hand; 0: no such rule.
    """
    cards = sum(left)
    series = [1]
    for places in left if groups else ():
        # Multiplied by places!, so that every coefficient is a whole number.
        factors = [
            factorial(places) // (factorial(a) * factorial(places - size * a))
            for a in range(places // size + 1)
        ]
        product = [0] * (len(series) + len(factors) - 1)
        for i, x in enumerate(series):
            for j, y in enumerate(factors):
                product[i + j] += x * y
        series = product
    number = sum(
        (-1) ** j * comb(groups, j) * factorial(j) * factorial(cards - size * j) * coefficient
        for j, coefficient in enumerate(series[: groups + 1])
    )
    return int(number // prod(map(factorial, left)))
