"""Each counter of a component as a chain: what each number so far can still become.

A counter looks at the variables that touch it one after the other, so it is a small automaton. From
its end, the weight that every number may still get is summed up, each variable being taken to have
a value with a probability that it has by what all other counters make of it. These probabilities
are found by passing such sums between the counters some times (belief propagation). They are only a
guide to where worlds are: `deduce.engines.count.sampling` makes up for all that is wrong in them.
But a number that gets no weight has no world, which is never wrong. Counters of mostly the same
facts, or of their opposites, are one chain, as long as it stays small: taken as independent, they
would be so far from it that no draw reaches some of the worlds.

Source: Kschischang, Frey and Loeliger, *Factor graphs and the sum-product algorithm* (IEEE
Transactions on Information Theory 47, 2001); counters taken together: Mateescu, Kask, Gogate and
Dechter, *Join-graph propagation algorithms* (Journal of Artificial Intelligence Research 37, 2010);
as a proposal: Gogate and Dechter, *SampleSearch: importance sampling in presence of determinism*
(Artificial Intelligence 175, 2011).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement
from math import inf, log, sqrt

from attrs import define, frozen

from deduce.budget import Meter
from deduce.engines.core.masks import root
from deduce.engines.core.residue import Component, Counter, Group
from deduce.engines.count.sweep.order import cells
from deduce.errors import Undecided

__all__ = ["Chains", "Link"]

ROUNDS = 12
"""How often sums are passed between the counters, at most: another time while that takes a small
part of the steps that are left, since the draws need the rest."""

PART_OF_ROUND = 24
"""A round takes at most one in this number of the steps that are left."""

OPEN = 0.2
"""The share of a probability that does not come from the other counters: they may be too sure."""

MAX_SIZE = 2_000_000
"""The most transitions of one chain."""

CORRELATED = 0.6
"""From this correlation on, counters are taken together. That of the hands of three players, of
which each card is in one, is 1/2; to take these together was not worth it."""

MAX_TOGETHER = 10_000
"""The most transitions of all counters that are taken together; a chain gets half of the rest."""

MAX_COMPARED = 200_000
"""If more pairs of counters meet in the effects of variables, they are not compared."""

PRICE = 4
"""Transitions that cost a step of a `deduce.budget.Budget`, each time that they are looked at."""


@frozen(eq=False)
class Link:
    """What one variable does to one counter.

    Parameters
    ----------
    counter
        The position of the counter, or of several that are taken together.
    classes
        For each effect its class: effects of one class add the same.
    goes
        By the state of the counter and the class: the next state; 0 if there is none.
    ratio
        By the same: by how much the weight that is still expected changes; 0: there is no world.
    """

    counter: int
    classes: Sequence[int]
    goes: Sequence[Sequence[int]]
    ratio: Sequence[Sequence[float]]


@define(eq=False)
class _Chain:
    groups: Sequence[Group]
    """The group of each variable that touches the counter, in order."""
    classes: Mapping[Group, Sequence[int]]
    goes: Sequence[Sequence[Sequence[int]]]
    """For each variable: by state and class the next state; -1: there is none."""
    final: Sequence[float]
    """By state at the end: the weight, divided by the greatest."""
    scale: float
    """The logarithm of the greatest weight."""


class Chains:
    """All counters of a component, and an order of its variables.

    Parameters
    ----------
    component
        Groups and counters, without questions.
    meter
        Pays.

    Attributes
    ----------
    order : list
        The variables by index, each with its group.
    links : list
        For each variable of the order what it does to the counters that it touches.
    number : int
        How many counters there are; those that are taken together are one.

    Raises
    ------
    Undecided
        A counter has too many numbers, or the budget is used up.

    Notes
    -----
    ``scale`` is the logarithm of what is left out of all ratios: the weight of a world is its
    product.
    """

    def __init__(self, component: Component, meter: Meter) -> None:
        groups = list(dict.fromkeys(group for group, _ in cells(component, meter)))
        self.meter = meter
        self.order = [(i, group) for group in groups for i in group.members]
        touching: list[list[Group]] = [[] for _ in component.counters]
        for group in groups:
            for number in group.touched:
                touching[number] += [group] * len(group.members)
        self._ways = {
            group: [effect.values.bit_count() * effect.weight for effect in group.effects]
            for group in groups
        }
        chains = [
            self._chain(number, counter, of)
            for number, (counter, of) in enumerate(zip(component.counters, touching, strict=True))
        ]
        self._chains = self._together(chains, component.counters)
        self.number = len(self._chains)
        self._touching: dict[Group, list[int]] = {group: [] for group in groups}
        for number, chain in enumerate(self._chains):
            for group in chain.classes:
                self._touching[group].append(number)
        self.scale = sum(chain.scale for chain in self._chains)
        """Of the values of an effect one is taken later: their number is part of the weight."""
        self.scale += sum(log(max(self._ways[group])) for _, group in self.order)
        self.ways = {group: [way / max(ways) for way in ways] for group, ways in self._ways.items()}
        self._passed: list[dict[Group, list[float]]] = [
            {group: [1.0] * (1 + max(chain.classes[group])) for group in chain.classes}
            for chain in self._chains
        ]
        for _ in range(ROUNDS):
            before = meter.steps
            change = max(map(self._pass, range(len(self._chains))), default=0.0)
            left = inf if meter.budget.steps is None else meter.budget.steps - meter.steps
            if change < 0.01 or PART_OF_ROUND * (meter.steps - before) > left:
                break
        self.links = self._links()

    def _chain(self, number: int, counter: Counter, groups: Sequence[Group]) -> _Chain:
        adds = {
            group: [dict(effect.adds).get(number, 0) for effect in group.effects]
            for group in dict.fromkeys(groups)
        }
        distinct = {group: sorted(set(of)) for group, of in adds.items()}
        classes = {group: [distinct[group].index(add) for add in of] for group, of in adds.items()}
        steps = [distinct[group] for group in groups]
        if counter.table is not None and not counter.weighs:
            goes, final = self._rows(counter.table, steps)
        else:
            goes, final = self._numbers(counter, steps)
        return _scaled(groups, classes, goes, final)

    def _numbers(
        self, counter: Counter, steps: Sequence[Sequence[int]]
    ) -> tuple[list[list[list[int]]], list[int]]:
        """Return the transitions between numbers, and the weights at the end."""
        table, low, high = counter.table, counter.low, counter.high
        cap = 1 if counter.saturates else low if table is None and high >= counter.most else None
        rest = sum(map(max, steps))
        states = {0: 0}
        goes = []
        size = 0
        for adds in steps:
            rest -= max(adds)
            after: dict[int, int] = {}
            rows = []
            for number in states:
                row = []
                for add in adds:
                    total = number + add if cap is None else min(number + add, cap)
                    dead = table is None and (total > high or total + rest < low)
                    row.append(-1 if dead else after.setdefault(total, len(after)))
                rows.append(row)
            self._pay(size := size + len(rows) * len(adds), len(rows) * len(adds))
            goes.append(rows)
            states = after
        if table is None:
            return goes, [1] * len(states)
        return goes, [table.get(number, 0) for number in states]

    def _rows(
        self, table: Mapping[int, int], steps: Sequence[Sequence[int]]
    ) -> tuple[list[list[list[int]]], list[int]]:
        """Return the same for a table of rows: each variable has a digit of the code of a row."""
        by_place = sorted(range(len(steps)), key=lambda j: -steps[j][-1])
        paths = []
        for code in table:
            self._pay(0, len(steps))
            digits, left = [0] * len(steps), code
            for j in by_place:
                digits[j] = max((c for c, add in enumerate(steps[j]) if add <= left), default=-1)
                left -= steps[j][digits[j]] if digits[j] >= 0 else 0
            if not left and min(digits, default=0) >= 0:
                paths.append(tuple(digits))
        heads: dict[tuple[int, ...], int] = {(): 0}
        levels = []
        for j in range(len(steps)):
            after = {path[: j + 1]: 0 for path in paths}
            levels.append(heads)
            heads = {head: number for number, head in enumerate(after)}
        # From the end, heads that are followed by the same are one state.
        goes: list[list[list[int]]] = []
        state = dict.fromkeys(heads, 0)
        for j, before in reversed(list(enumerate(levels))):
            rows: dict[tuple[int, ...], int] = {}
            numbers = {}
            for head in before:
                row = tuple(state.get((*head, c), -1) for c in range(len(steps[j])))
                numbers[head] = rows.setdefault(row, len(rows))
            self._pay(len(rows) * len(steps[j]), len(before))
            goes.append(list(map(list, rows)))
            state = numbers
        return goes[::-1], [1] if paths else [0]

    def _together(self, chains: list[_Chain], counters: Sequence[Counter]) -> list[_Chain]:
        """Return the chains; those of counters that are correlated are one, while it is small."""
        parent, left = list(range(len(chains))), MAX_TOGETHER
        pairs = sum(
            sum(not counters[number].is_code for number, _ in effect.adds) ** 2
            for group in self._ways
            for effect in group.effects
        )
        for a, b in self._correlated(counters) if pairs <= MAX_COMPARED else ():
            a, b = root(parent, a), root(parent, b)
            if a != b:
                both, size = self._both(chains[a], chains[b], left // 2)
                left -= size
                if both is not None:
                    parent[b], chains[a] = a, both
        return [chain for number, chain in enumerate(chains) if parent[number] == number]

    def _correlated(self, counters: Sequence[Counter]) -> Sequence[tuple[int, int]]:
        """Return the pairs of counters whose numbers are correlated, the most correlated first.

        Each variable is taken to have a value by its weight, whatever the others have.
        """
        covariance: dict[tuple[int, int], float] = defaultdict(float)
        for group, ways in self._ways.items():
            size, total = len(group.members), sum(ways)
            means: dict[int, float] = defaultdict(float)
            for effect, way in zip(group.effects, ways, strict=True):
                adds = sorted(
                    (n, amount / counters[n].most)
                    for n, amount in effect.adds
                    if not counters[n].is_code
                )
                self._pay(0, len(adds) ** 2)
                for (a, one), (b, other) in combinations_with_replacement(adds, 2):
                    covariance[a, b] += size * one * other * way / total
                for number, amount in adds:
                    means[number] += amount * way / total
            self._pay(0, len(means) ** 2)
            for a, b in combinations_with_replacement(sorted(means), 2):
                covariance[a, b] -= size * means[a] * means[b]
        found = {
            (a, b): abs(both) / sqrt(covariance[a, a] * covariance[b, b])
            for (a, b), both in covariance.items()
            if a != b and both**2 > CORRELATED**2 * covariance[a, a] * covariance[b, b]
        }
        return sorted(found, key=lambda pair: -found[pair])

    def _both(self, one: _Chain, other: _Chain, limit: int) -> tuple[_Chain | None, int]:
        """Return a chain of which a state is one of each of two, and its number of transitions.

        There is none beyond a limit.
        """
        chains = one, other
        groups = [g for _, g in self.order if g in one.classes or g in other.classes]
        classes: dict[Group, list[int]] = {}
        kinds: dict[Group, list[tuple[int, int]]] = {}
        for group in dict.fromkeys(groups):
            alone = [0] * len(group.effects)
            ways = [chain.classes.get(group, alone) for chain in chains]
            kinds[group] = list(dict.fromkeys(zip(*ways, strict=True)))
            classes[group] = [kinds[group].index(kind) for kind in zip(*ways, strict=True)]
        steps = [iter(chain.goes) for chain in chains]
        states, size, most = {(0, 0): 0}, 0, (0, 0)
        goes: list[list[list[int]]] = []
        for group in groups:
            self._pay(0, len(states) * len(kinds[group]))
            size += len(states) * len(kinds[group])
            if size > limit:
                return None, size
            first, second = (
                next(step) if group in chain.classes else [[n] for n in range(1 + last)]
                for chain, step, last in zip(chains, steps, most, strict=True)
            )
            after: dict[tuple[int, int], int] = {}
            goes.append([])
            for a, b in states:
                to = [(first[a][c], second[b][d]) for c, d in kinds[group]]
                goes[-1].append(
                    [-1 if min(pair) < 0 else after.setdefault(pair, len(after)) for pair in to]
                )
            if not after:
                return None, size  # no world fits both; each chain alone shows this as well
            states = after
            most = max(a for a, _ in states), max(b for _, b in states)
        final = [one.final[a] * other.final[b] for a, b in states]
        return _scaled(groups, classes, goes, final, one.scale + other.scale), size

    def _pay(self, size: int, steps: int) -> None:
        self.meter.spend(1 + steps // PRICE)
        if size > MAX_SIZE:
            raise Undecided("a constraint has too many states")

    # What is passed between the counters

    def _cavity(self, number: int, group: Group) -> list[float]:
        """Return the probabilities of the classes of a group by all counters but one."""
        chances = list(self.ways[group])
        for other in self._touching[group]:
            if other != number:
                classes, passed = self._chains[other].classes[group], self._passed[other][group]
                for effect, which in enumerate(classes):
                    chances[effect] *= passed[which]
        self.meter.spend(1 + len(chances) * len(self._touching[group]) // PRICE)
        total = sum(chances) or 1.0
        plain = sum(self.ways[group])
        classes = self._chains[number].classes[group]
        sums = [0.0] * (1 + max(classes))
        for which, chance, way in zip(classes, chances, self.ways[group], strict=True):
            sums[which] += (1 - OPEN) * chance / total + OPEN * way / plain
        return sums

    def _ahead(self, number: int, chances: Mapping[Group, Sequence[float]]) -> list[list[float]]:
        """Return by position and state the weight that is expected, divided by the greatest."""
        chain = self._chains[number]
        ahead = [list(chain.final)]
        for group, rows in zip(reversed(chain.groups), reversed(chain.goes), strict=True):
            after, of = ahead[-1], chances[group]
            self.meter.spend(1 + len(rows) * len(of) // PRICE)
            level = [
                sum(chance * after[to] for chance, to in zip(of, row, strict=True) if to >= 0)
                for row in rows
            ]
            most = max(level, default=0.0)
            ahead.append([value / most for value in level] if most else level)
        return ahead[::-1]

    def _pass(self, number: int) -> float:
        """Pass on what a counter makes of each group that touches it; return the greatest change.

        All members of a group get the same, so it is computed for its first.
        """
        chain = self._chains[number]
        chances = {group: self._cavity(number, group) for group in chain.classes}
        ahead = self._ahead(number, chances)
        begin = [1.0]
        change, known = 0.0, set()
        for j, (group, rows) in enumerate(zip(chain.groups, chain.goes, strict=True)):
            of, after = chances[group], ahead[j + 1]
            if group not in known:
                known.add(group)
                passed = [
                    sum(
                        here * after[row[c]]
                        for here, row in zip(begin, rows, strict=True)
                        if row[c] >= 0
                    )
                    for c in range(len(of))
                ]
                most = max(passed) or 1.0
                before = self._passed[number][group]
                new = [(value / most + old) / 2 for value, old in zip(passed, before, strict=True)]
                change = max(change, *(abs(a - b) for a, b in zip(new, before, strict=True)))
                self._passed[number][group] = new
            end = [0.0] * len(after)
            for here, row in zip(begin, rows, strict=True):
                for chance, to in zip(of, row, strict=True):
                    if to >= 0:
                        end[to] += here * chance
            most = max(end, default=0.0) or 1.0
            begin = [value / most for value in end]
            self.meter.spend(1 + 2 * len(rows) * len(of) // PRICE)
        return change

    def _links(self) -> list[list[Link]]:
        made: list[list[Link]] = []
        waiting = []
        for number, chain in enumerate(self._chains):
            chances = {group: self._cavity(number, group) for group in chain.classes}
            ahead = self._ahead(number, chances)
            if not ahead[0][0]:
                raise Undecided("no world was found")
            waiting.append(iter(self._linked(number, chain, ahead)))
        for _, group in self.order:
            made.append([next(waiting[number]) for number in self._touching[group]])
        return made

    def _linked(
        self, number: int, chain: _Chain, ahead: Sequence[Sequence[float]]
    ) -> Iterable[Link]:
        """Yield the links of a counter; the product of the ratios of a world is its weight.

        That is the weight at the end, divided by what was expected at the beginning, which is 1.
        """
        for j, (group, rows) in enumerate(zip(chain.groups, chain.goes, strict=True)):
            here, after = ahead[j], ahead[j + 1]
            yield Link(
                number,
                chain.classes[group],
                [[max(to, 0) for to in row] for row in rows],
                [
                    [after[to] / now if to >= 0 and now else 0.0 for to in row]
                    for now, row in zip(here, rows, strict=True)
                ],
            )


def _scaled(
    groups: Sequence[Group],
    classes: Mapping[Group, Sequence[int]],
    goes: Sequence[Sequence[Sequence[int]]],
    final: Sequence[float],
    scale: float = 0.0,
) -> _Chain:
    """Return a chain with weights at the end that are divided by the greatest."""
    most = max(final, default=0)
    if not most:
        return _Chain(groups, classes, goes, [0.0] * len(final), 0.0)
    return _Chain(groups, classes, goes, [weight / most for weight in final], scale + log(most))
