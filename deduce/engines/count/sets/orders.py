"""Orders: each value belongs to at most one variable, and is given away after the one before it.

An order of runners with clues such as "Ann before Ben" is a permutation with predicates about two
variables each. A sweep over the variables would have as many states as there are sets of places.
Given away in their order, the places leave only sets of runners; and of these only the sets that
the clues allow, because Ben may come in only once Ann has. This is the dynamic programming over
subsets of Held and Karp, *A dynamic programming approach to sequencing problems* (1962); it counts
linear extensions (Kangas, Hankala, Niinimäki and Koivisto, *Counting linear extensions of sparse
posets*, IJCAI 2016).

A constraint about two variables is looked at when the first of them gets a value: all later values
of the other may then be allowed, so that the constraint is settled; none, so that the other must
come first; or some, so that the value is remembered in the state until the other has one, as for
"at most three places apart". All other constraints are numbers in the state, up to the last value
that counts for them.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property

from attrs import evolve, frozen

from deduce.budget import Meter
from deduce.engines.core.residue import Component, Counter, Group
from deduce.engines.count.sweep.draws import Below, Taken

__all__ = ["Orders"]

PRICE = 2
"""Steps for a variable that gets a value in a state."""

TESTS = 8
"""Variables that cost a step to see whether they may get a value in a state."""


MAX_NUMBER = 1 << 12
"""Greater numbers of a counter are not kept in a state."""

_Number = tuple[int, int, int]
"""The field of a counter: its shift and mask, and the number that stands for all greater ones."""

_Check = tuple[int, int, Container[int], bool]
"""A field, the numbers in it that no way has after a value, and whether it is cleared then."""


@frozen(eq=False)
class _Option:
    """A variable that may get a value where ``state & test == want``."""

    test: int
    want: int
    add: int
    weight: int
    taken: Taken
    members: tuple[int, int] = (0, 0)
    """Where a group has several members: shift and mask of how many of them have a value."""
    remembered: tuple[tuple[int, int, int, int, Container[int]], ...] = ()
    """For each constraint that may have to be remembered: the shift and mask of its field; the bit
    of the other variable; what to remember if that is 0; and what may be remembered of it."""
    numbers: tuple[tuple[_Number, int], ...] = ()

    @property
    def is_simple(self) -> bool:
        return not (self.members[1] or self.remembered or self.numbers)


class Orders:
    """The weights of a component in which each value belongs to at most one variable.

    Attributes
    ----------
    total : int
        The weight of all ways, once `weigh` was called.
    is_narrow : bool
        Whether at most half of the constraints about two variables may have to be remembered. Where
        more are, as for seats at a table, a sweep over the variables often has fewer states.
    """

    def __init__(
        self,
        options: Sequence[Sequence[_Option]],
        skips: Container[int],
        checks: Mapping[int, Sequence[_Check]],
        asked: Mapping[int, tuple[int, int]],
        full: tuple[int, int],
        *,
        is_narrow: bool,
    ) -> None:
        levels = range(len(options))
        self._simple = [[o for o in options[level] if o.is_simple] for level in levels]
        self._others = [[o for o in options[level] if not o.is_simple] for level in levels]
        self._skips = [level in skips for level in levels]
        self._checks = [checks.get(level, ()) for level in levels]
        self._asked, self._full = asked, full
        self.is_narrow = is_narrow
        self._layers: list[dict[int, int]] = []
        self.total = 0

    @classmethod
    def of(cls, component: Component) -> Orders | None:
        """Return the component as an order, not counted yet; ``None`` where it is none.

        Cost: linear in what the groups add to counters, quadratic in the values of two variables
        of a constraint.
        """
        return _Reader(component).order()

    def weigh(self, meter: Meter, *, exact: bool = True) -> None:
        """Count.

        Raises
        ------
        Undecided
            When the meter's budget is used up.
        """
        self._meter = meter
        layer = {0: 1}
        for level in range(len(self._simple)):
            self._layers.append(layer)
            following: dict[int, int] = {}
            reach = following.get
            for state, ways in layer.items():
                for target, weight, _ in self._moves(level, state):
                    following[target] = reach(target, 0) + ways * weight
            layer = following
        mask, full = self._full
        self._layers.append({state: ways for state, ways in layer.items() if state & mask == full})
        self.total = sum(self._layers[-1].values())

    def _moves(self, level: int, state: int) -> list[tuple[int, int, Taken | None]]:
        """Return each next state of a value with a factor, and with who gets the value."""
        moves: list[tuple[int, int, Taken | None]] = [
            (state + option.add, option.weight, option.taken)
            for option in self._simple[level]
            if state & option.test == option.want
        ]
        if self._others[level]:
            moves += self._further(self._others[level], state)
        if self._skips[level]:
            moves.append((state, 1, None))
        for shift, mask, wrong, clears in self._checks[level]:
            keep = ~(mask << shift) if clears else -1
            moves = [
                (target & keep, weight, taken)
                for target, weight, taken in moves
                if target >> shift & mask not in wrong
            ]
        self._meter.spend(
            PRICE * len(moves) + (len(self._simple[level]) + len(self._others[level])) // TESTS
        )
        return moves

    def _further(
        self, options: Sequence[_Option], state: int
    ) -> Iterator[tuple[int, int, Taken | None]]:
        for option in options:
            if state & option.test != option.want:
                continue
            target, weight = state + option.add, option.weight
            shift, mask = option.members
            if mask:
                weight *= len(option.taken[0].members) - (state >> shift & mask)
            for shift, mask, other, remember, allowed in option.remembered:
                if not state & other:
                    target |= remember << shift
                elif known := state >> shift & mask:
                    if known not in allowed:
                        weight = 0
                    target ^= known << shift
            for (shift, mask, cap), amount in option.numbers:
                before = target >> shift & mask
                target += (min(before + amount, cap) - before) << shift
            if weight:
                yield target, weight, option.taken

    @cached_property
    def _after(self) -> tuple[list[dict[int, int]], dict[tuple[Group, int], int]]:
        """The weight of all ways on from each state before each value; and the flows."""
        after = [dict.fromkeys(self._layers[-1], 1)]
        flows: dict[tuple[Group, int], int] = {}
        for level in reversed(range(len(self._simple))):
            beyond = after[-1]
            weights: dict[int, int] = {}
            through: dict[Taken | None, int] = {}
            for state, ways in self._layers[level].items():
                total = 0
                for target, weight, taken in self._moves(level, state):
                    onward = weight * beyond.get(target, 0)
                    total += onward
                    through[taken] = through.get(taken, 0) + ways * onward
                weights[state] = total
            after.append(weights)
            for taken, flow in through.items():
                if taken is not None:
                    flows[taken[0], taken[1]] = flow
        return after[::-1], flows

    def flow(self, group: Group, effect: int) -> int:
        """Return the weight of all ways, each times the members that take the effect's value."""
        return self._after[1].get((group, effect), 0)

    def numbers(self) -> Mapping[tuple[int, int], int]:
        """Return nothing: an order has no likelihoods about several variables."""
        return {}

    @property
    def answers(self) -> Mapping[tuple[tuple[int, int], ...], int]:
        """The weight of each combination of ``(question, number of its counter)``."""
        table: dict[tuple[tuple[int, int], ...], int] = {}
        for state, ways in self._layers[-1].items():
            numbers = tuple((q, state >> at & mask) for q, (at, mask) in self._asked.items())
            table[numbers] = table.get(numbers, 0) + ways
        return table

    def draws(self, count: int, draw: Below) -> Iterable[Sequence[Taken]]:
        """Yield ways drawn by their weight, each of ``(group, effect, 1)``."""
        after, _ = self._after
        for _ in range(count):
            state, way = 0, []
            for level, beyond in enumerate(after[1:]):
                spot = draw(after[level][state])
                for target, weight, taken in self._moves(level, state):
                    spot -= weight * beyond.get(target, 0)
                    if spot < 0:
                        state = target
                        way += [taken] if taken else []
                        break
            yield way


def _right(counter: Counter) -> Collection[int]:
    """Return the numbers that a counter may have at the end."""
    return range(counter.low, counter.high + 1) if counter.table is None else counter.table


class _Reader:
    """A component that may be an order."""

    def __init__(self, component: Component) -> None:
        self.groups, self.counters = component.groups, component.counters
        self.adds = [[dict(effect.adds) for effect in group.effects] for group in self.groups]
        self.touching: list[list[tuple[int, int]]] = [[] for _ in self.counters]
        """For each counter the groups and effects that add to it."""
        takers: dict[int, list[tuple[int, int]]] = {}
        for g, group in enumerate(self.groups):
            for e, effect in enumerate(group.effects):
                takers.setdefault(effect.values, []).append((g, e))
                for number, _ in effect.adds:
                    self.touching[number].append((g, e))
        self.takers = [takers[values] for values in sorted(takers)]
        """For each value the groups and effects that take it."""
        self.levels = {taker: level for level, of in enumerate(self.takers) for taker in of}
        self.size = 0
        self.later = cache(self._later)

    def field(self, most: int) -> tuple[int, int]:
        """Return the shift and mask of a new field for numbers up to one."""
        shift = self.size
        self.size += most.bit_length()
        return shift, (1 << most.bit_length()) - 1

    def order(self) -> Orders | None:
        exclusive = self._exclusive()
        if exclusive is None:
            return None
        counters, groups = self.counters, self.groups
        skips = {
            level
            for level, of in enumerate(exclusive)
            if not any(counters[number].low for number in of)
        }
        places = [self.field(len(group.members)) for group in groups]
        checks: dict[int, list[_Check]] = {}
        numbers: dict[int, _Number] = {}
        asked: dict[int, tuple[int, int]] = {}
        pairs: dict[int, tuple[int, int]] = {}
        mine = {number for of in exclusive for number in of}
        for n, counter in enumerate(counters):
            if n in mine:
                continue
            table = counter.table
            if counter.weighs or not set((table or {}).values()) <= {1}:
                return None
            about = sorted({g for g, _ in self.touching[n]})
            if counter.question is None and [len(groups[g].members) for g in about] == [1, 1]:
                pairs[n] = about[0], about[1]
                continue
            if counter.most > MAX_NUMBER:
                return None
            is_open = counter.is_bound and counter.high >= counter.most
            numbers[n] = *self.field(counter.most), counter.low if is_open else counter.most
            shift, mask, _ = numbers[n]
            if counter.question is not None:
                asked[counter.question] = shift, mask
                continue
            wrong = frozenset(range(mask + 1)).difference(_right(counter))
            last = max(self.levels[taker] for taker in self.touching[n])
            checks.setdefault(last, []).append((shift, mask, wrong, True))
        if not pairs:
            return None
        options: list[list[_Option]] = [
            [self._option(g, e, places[g], numbers) for g, e in takers] for takers in self.takers
        ]
        remembered = 0
        for n, pair in pairs.items():
            remembered += self._apply(n, pair, places, options, checks)
        full = sum(len(g.members) << shift for g, (shift, _) in zip(groups, places, strict=True))
        mask = sum(mask << shift for shift, mask in places)
        is_narrow = 2 * remembered <= len(pairs)
        return Orders(options, skips, checks, asked, (mask, full), is_narrow=is_narrow)

    def _exclusive(self) -> list[list[int]] | None:
        """Return for each value the counters that give it to one variable at most."""
        found = []
        for takers in self.takers:
            group, effect = takers[0]
            of = [
                number
                for number in self.adds[group][effect]
                if self.counters[number].high == 1
                and self.counters[number].is_bound
                and self.touching[number] == takers
                and all(self.adds[g][e][number] == 1 for g, e in takers)
            ]
            alone = len(takers) == 1 == len(self.groups[group].members)
            if self.groups[group].effects[effect].values.bit_count() > 1 or not (of or alone):
                return None
            found.append(of)
        return found

    def _option(
        self, g: int, e: int, place: tuple[int, int], numbers: Mapping[int, _Number]
    ) -> _Option:
        group = self.groups[g]
        several = len(group.members) > 1
        adds = self.adds[g][e].items()
        return _Option(
            test=0 if several else 1 << place[0],
            want=0,
            add=1 << place[0],
            weight=group.effects[e].weight,
            taken=(group, e, 1),
            members=place if several else (0, 0),
            numbers=tuple((numbers[n], amount) for n, amount in adds if n in numbers),
        )

    def _later(self, n: int, g: int, e: int, other: int) -> tuple[frozenset[int], frozenset[int]]:
        """Return the later values of another variable: all, and those that a constraint allows."""
        level, right = self.levels[g, e], _right(self.counters[n])
        number = self.adds[g][e].get(n, 0)
        every = {f: self.levels[other, f] for f in range(len(self.adds[other]))}
        return (
            frozenset(of for of in every.values() if of > level),
            frozenset(
                of
                for f, of in every.items()
                if of > level and number + self.adds[other][f].get(n, 0) in right
            ),
        )

    def _apply(
        self,
        n: int,
        pair: tuple[int, int],
        places: Sequence[tuple[int, int]],
        options: Sequence[list[_Option]],
        checks: dict[int, list[_Check]],
    ) -> bool:
        """Give the options of two variables what a constraint about them demands.

        Return whether it may have to be remembered.
        """
        codes = {
            (g, e): code
            for code, (g, e) in enumerate(
                ((g, e) for g in pair for e in range(len(self.adds[g]))), 1
            )
        }
        others = {pair[0]: pair[1], pair[1]: pair[0]}
        later = {(g, e): self.later(n, g, e, others[g]) for g, e in codes}
        partial = {key for key, (every, allowed) in later.items() if allowed and allowed < every}
        field = self.field(len(codes)) if partial else None
        for (g, e), (_, allowed) in later.items():
            level = self.levels[g, e]
            place = self.takers[level].index((g, e))
            option = options[level][place]
            bit = 1 << places[others[g]][0]
            if not allowed:
                option = evolve(option, test=option.test | bit, want=option.want | bit)
            if field:
                right = {
                    codes[others[g], f]
                    for f in range(len(self.adds[others[g]]))
                    if level in later[others[g], f][1]
                }
                code = codes[g, e] if (g, e) in partial else 0
                remembered = (*option.remembered, (*field, bit, code, right))
                option = evolve(option, remembered=remembered)
            options[level][place] = option
        if field:
            for key in partial:
                checks.setdefault(max(later[key][1]), []).append((*field, {codes[key]}, False))
        return bool(partial)
