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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb, factorial, prod

from attrs import frozen

from deduce.budget import STANDARD, Budget, Meter
from deduce.errors import Contradiction
from games.quartets.deal import DealForm, hand_cards

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


Chain = Mapping[tuple[int, ...], Sequence[int]]
"""The open cards of a group, by the players who may hold them (the shifts of their fields)."""


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
        self.open = {g: hand_cards(form.open & form.table.masks[g]) for g in form.groups()}
        self.ruled, self.silent = self._silent_groups()
        swept = (g for g, cards in self.open.items() if cards and g not in self.silent)
        self.swept = sorted(swept, key=lambda g: len(self.open[g]))

    def _silent_groups(self) -> tuple[int, Sequence[int]]:
        """Return the silent groups, and before them their size if none may be complete, or else 0.

        These are groups of the same size; if there are none, all silent groups may be complete.
        """
        form = self.form
        free: list[int] = []
        ruled: dict[int, list[int]] = {}
        for g, cards in self.open.items():
            count, mask = len(cards), form.open & form.table.masks[g]
            if not cards or any(may & mask != mask for may in form.may):
                continue
            highs = {min(row[g], count) for row in form.high}
            if any(row[g] for row in form.low):
                continue
            if highs == {count}:
                free.append(g)
            elif highs == {count - 1}:
                ruled.setdefault(count, []).append(g)
        if not ruled:
            return 0, free
        size = max(ruled, key=lambda size: len(ruled[size]))
        return size, ruled[size]

    def run(self) -> Counts:
        chains = {g: self._chain(g) for g in self.swept}
        spreads = {g: self._spread(g, chain) for g, chain in chains.items()}
        forward = [{self.start: 1}]
        for spread in spreads.values():
            forward.append(self._advance(forward[-1], spread))
        last = forward.pop()
        after, held, whole = self._closed(last)
        total = sum(ways * after[state] for state, ways in last.items())
        nothing = [0] * len(self.players)
        holders = {card: held for g in self.silent for card in self.open[g]}
        complete = {g: whole.get(len(self.open[g]), nothing) for g in self.silent}
        for g in reversed(self.swept):
            after, flow = self._retreat(forward.pop(), spreads[g], after)
            holders |= self._held(chains[g], flow)
            hands = [len(self.open[g]) << shift for shift in self.shifts]
            complete[g] = [flow.get(hand, 0) * spreads[g].get(hand, 0) for hand in hands]
        for p, located in enumerate(self.form.located):
            row = tuple(total * (q == p) for q in self.players)
            holders |= dict.fromkeys(hand_cards(located), row)
        quartets = {
            g: tuple(
                deals * self._alone(p, g)
                for p, deals in enumerate(complete.get(g, [total] * len(self.players)))
            )
            for g in self.open
        }
        return Counts(total, dict(sorted(holders.items())), quartets)

    def _alone(self, player: int, group: int) -> bool:
        """Return whether no other player is known to hold a card of the group."""
        mask = self.form.table.masks[group]
        return not any(located & mask for q, located in enumerate(self.form.located) if q != player)

    # The groups that are swept

    def _chain(self, group: int) -> Chain:
        chain: dict[tuple[int, ...], list[int]] = {}
        for card in self.open[group]:
            takers = tuple(self.shifts[p] for p in self.players if self.form.may[p] >> card & 1)
            chain.setdefault(takers, []).append(card)
        return chain

    def _spread(self, group: int, chain: Chain) -> Ways:
        """Return the ways to distribute a group's open cards over the players within its bounds."""
        low, high = ([row[group] for row in bounds] for bounds in (self.form.low, self.form.high))
        limits = list(zip(self.shifts, low, high, strict=True))
        ways = _distributed((takers, len(cards)) for takers, cards in chain.items())
        return {
            used: n
            for used, n in ways.items()
            if all(least <= (used >> s & self.fields) <= most for s, least, most in limits)
        }

    def _held(self, chain: Chain, flow: Ways) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield each card of a group with how often each player holds it."""
        for takers, cards in chain.items():
            rest = _distributed(
                (shifts, len(alike) - (shifts == takers)) for shifts, alike in chain.items()
            )
            row = [0] * len(self.players)
            for shift in takers:
                own = 1 << shift
                row[shift // self.width] = sum(
                    ways * flow.get(used + own, 0) for used, ways in rest.items()
                )
            yield from dict.fromkeys(cards, tuple(row)).items()

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

    # The silent groups

    def _closed(self, states: Ways) -> tuple[Ways, tuple[int, ...], Mapping[int, Sequence[int]]]:
        """Return the ways on from each last state of the sweep, by the closed form.

        Then how often each player holds any one card of the silent groups; and how often a whole
        group, by its number of cards.
        """
        numbers = [len(self.open[g]) for g in self.silent]
        groups = len(numbers) if self.ruled else 0
        after: Ways = {}
        held = [0] * len(self.players)
        whole = {} if self.ruled else {n: [0] * len(self.players) for n in numbers}
        for state, ways in states.items():
            left = [self.fields - (state >> shift & self.fields) for shift in self.shifts]
            after[state] = on = _ways_on(tuple(sorted(left)), self.ruled, groups)
            for p, places in enumerate(left):
                held[p] += ways * on * places
                for number, row in whole.items():
                    if places >= number:
                        rest = [n - number * (q == p) for q, n in enumerate(left)]
                        row[p] += ways * _ways_on(tuple(sorted(rest)), 0, 0)
        return after, tuple(number // max(sum(numbers), 1) for number in held), whole


def _distributed(kinds: Iterable[tuple[tuple[int, ...], int]]) -> Ways:
    """Return the ways to distribute cards, given the takers and the number of each kind."""
    ways = {0: 1}
    for takers, cards in kinds:
        following: Ways = {}
        for used, n in ways.items():
            for packed, more in _spreads(cards, takers):
                following[used + packed] = following.get(used + packed, 0) + n * more
        ways = following
    return ways


@cache
def _spreads(cards: int, shifts: tuple[int, ...]) -> Sequence[tuple[int, int]]:
    """Return all packed numbers of cards per player, each with the number of ways to deal them so.

    >>> _spreads(2, (0, 4))
    ((32, 1), (17, 2), (2, 1))
    """
    if len(shifts) < 2:
        return tuple((cards << shift, 1) for shift in shifts) if shifts or cards else ((0, 1),)
    return tuple(
        ((first << shifts[0]) + rest, comb(cards, first) * ways)
        for first in range(cards + 1)
        for rest, ways in _spreads(cards - first, shifts[1:])
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
