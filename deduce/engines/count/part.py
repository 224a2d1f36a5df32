"""One component, swept in the way that fits its size.

A sweep begins with a dictionary. When that has many states, it begins again with arrays, where
numpy is installed and the states fit 64 bits, and with states of the same future made one; when
there are still very many, the states of a joint distribution of answers have rows of weights
(`deduce.engines.count.sweep.labelled`). Where every constraint is about one value, as in a card
game in which answers may be wrong, a large component is counted by sets instead
(`deduce.engines.count.sets.partition`), and an order of variables value by value
(`deduce.engines.count.sets.orders`). The answers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from itertools import chain, islice, product
from math import inf, prod
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from deduce.budget import Meter
from deduce.engines.core.residue import Component, Effect, Group, Residue
from deduce.engines.count.sets.orders import Orders
from deduce.engines.count.sweep.draws import Below, Fill, Taken, ValuesIn
from deduce.engines.count.sweep.folds import Folds
from deduce.engines.count.sweep.order import remembering, states_of
from deduce.engines.count.sweep.plan import Plan
from deduce.engines.count.sweep.sweep import MIN_STATES, ManyStates, Sweep
from deduce.engines.count.trees import Tree
from deduce.system.arrays import has_arrays, needs_arrays

if TYPE_CHECKING:
    from deduce.engines.count.sets.partition import Partition
    from deduce.engines.count.sweep.arrays import ArraySweep

__all__ = ["MAX_STATES", "ROWS_FROM", "Part", "Parts", "Settings"]

AnySweep: TypeAlias = "Sweep | ArraySweep"
Answers: TypeAlias = tuple[tuple[int, int], ...]
"""``(question, number of its counter)``, for each question."""

MAX_STATES = 3000
"""Up to this many states before a step, a dictionary takes less time than arrays."""

ROWS_FROM = 2.0**28
"""From this estimate on, the states of a joint distribution have rows of weights.

Of 400 standard positions of Cluedo 22 have more than `MAX_STATES`; with estimates up to 2^22 rows
take 1.1 to 2.8 times as long there. With 40 cards and ten players they take a tenth to 1.2.
"""

SETS_FROM = 20
"""From how many states by the estimate on, per entry of its arrays, counting by sets is faster.

Of 40 standard positions of Cluedo with doubts, 27 are large. Above it (13) sets take 0.07 to 0.9 of
the CPU time of a sweep, with one exception (1.1); below it 0.6 to 2.4.
"""

ORDERS_FROM = 2.0**12
"""From which estimate on an order of variables is counted value by value."""

SETS_AT_ONCE = 2.0**24
"""From this estimate on, sets are tried before a sweep by a dictionary."""

MAX_COLUMNS = 1 << 14
"""Up to this many combinations of answers, a state has a weight for each of them."""

MAX_SIZE = 64
"""Bits of the longest state that an array sweep takes."""


MAX_PLANS = 6
"""Plans with shorter states that are made until one is short enough."""

WORSE = 4
"""How many times as many states a plan with shorter ones may have."""


@frozen
class Settings:
    """From how many states on a sweep does more than the simplest. Answers do not depend on it.

    Parameters
    ----------
    prune_from
        Before a step: states that cannot be completed are dropped.
    large
        Before a step: the sweep begins again with arrays, and with folds.
    rows_from
        By the estimate, in a sweep that is large: answers are kept apart from the states.
    moduli
        The least number of primes that an array sweep uses beside machine words.
    arrays
        Whether there are arrays at all.
    sets
        Whether a large sweep may give way to counting by sets: by the estimate (``None``), always
        where that is possible, or never.
    orders_from
        By the estimate: an order is counted value by value, where that is possible.
    long
        By the bits of a state: other plans with shorter states are looked at.
    exact
        Whether probabilities are exact, and not within
        `deduce.engines.count.sets.rounded.MAX_ERROR`.
    trees
        Whether trees of tables are counted as such (`deduce.engines.count.trees`).
    """

    prune_from: int = MIN_STATES
    large: int = MAX_STATES
    rows_from: float = ROWS_FROM
    moduli: int = 0
    arrays: bool = True
    sets: bool | None = None
    exact: bool = True
    trees: bool = True
    orders_from: float = ORDERS_FROM
    long: int = MAX_SIZE


class Part:
    """A component with its weights.

    Parameters
    ----------
    component
        Groups and counters, from `deduce.engines.core.residue`.
    meter
        Counts what all sweeps spend.
    settings
        Thresholds.
    keep
        Whether flows or draws will be asked for.

    Attributes
    ----------
    total : int
        The weighted number of ways to fill the component.
    final : Mapping[int, int]
        The states at the end, which differ in the answers of questions, with their weights.

    Raises
    ------
    Undecided
        When the meter's budget is used up.
    """

    def __init__(
        self, component: Component, meter: Meter, settings: Settings, *, keep: bool = True
    ) -> None:
        self.component = component
        self.meter = meter
        self.settings = settings
        self.folds: Folds | None = None
        self.keep = keep
        self._sets: Partition | Orders | None = None
        self._swept: AnySweep | None = None
        self._plain: AnySweep | None = None
        self._marked: dict[frozenset[int], AnySweep] = {}
        self._answers: Mapping[Answers, int] | None = None
        if not settings.exact:
            self._sets = self._long_partition()
        if self._sets is None:
            estimate = states_of(component, meter, self._first.order)
            if estimate >= settings.orders_from:
                orders = Orders.of(component)
                if orders is not None and (orders.is_narrow or not settings.orders_from):
                    self._sets = orders
            if self._sets is None and self.plan is not self._first:
                estimate = states_of(component, meter, self.plan.order)
            if self._sets is None and estimate >= SETS_AT_ONCE:
                self._sets = self._partition(estimate)
            if self._sets is None:
                self._sweep(estimate)
        if self._answers is not None:
            self.total: int = sum(self._answers.values())
        elif self._sets is None:
            self.total = self.sweep.total
        else:
            self._sets.weigh(meter, exact=self.settings.exact)
            self.total = self._sets.total

    @cached_property
    def _first(self) -> Plan:
        """The plan of a sweep that remembers no more values than it must."""
        return Plan(self.component, self.meter)

    @cached_property
    def plan(self) -> Plan:
        """The plan of a sweep, by the order that is known so far.

        Where states are too long for arrays, some values may be remembered instead of their digits
        in tables, if the states are short then, and not many more.
        """
        component, meter = self.component, self.meter
        plan = self._first
        if plan.size <= self.settings.long or not any(c.is_code for c in component.counters):
            return plan
        states = states_of(component, meter, plan.order)
        for order, first in islice(remembering(component, meter), MAX_PLANS):
            if states_of(component, meter, order) <= WORSE * states:
                other = Plan(component, meter, order, first)
                if other.size <= MAX_SIZE:
                    return other
        return plan

    def _sweep(self, estimate: float) -> None:
        """Begin with a dictionary, and choose how to go on where that has many states."""
        plan, meter, settings = self.plan, self.meter, self.settings
        try:
            self._swept = Sweep(plan, meter, settings.prune_from, max_width=settings.large)
        except ManyStates:
            if estimate < SETS_AT_ONCE:
                self._sets = self._partition(estimate)
            if self._sets is not None:
                return
            if not self.keep and estimate >= settings.rows_from:
                self._answers = self._labelled()

    def _labelled(self) -> Mapping[Answers, int] | None:
        """Return the answers by a sweep with a row of weights for each state, if possible."""
        component, meter, settings = self.component, self.meter, self.settings
        sizes = [1 + c.high for c in component.counters if c.question is not None]
        if not sizes or prod(sizes) > MAX_COLUMNS or not settings.arrays or not needs_arrays():
            return None
        from deduce.engines.count.sweep.labelled import LabelledSweep, unlabelled
        from deduce.engines.count.sweep.numbers import TooLarge

        component = unlabelled(component)
        plan = Plan(component, meter)
        if plan.size > MAX_SIZE:
            return None
        try:
            return LabelledSweep(
                plan,
                meter,
                folds=Folds(plan),
                prune_from=settings.prune_from,
                moduli=settings.moduli,
            ).answers
        except TooLarge:
            return None

    @property
    def sweep(self) -> AnySweep:
        """The sweep; where the component was counted by sets, it is made when it is needed."""
        if self._swept is None:
            self.folds = Folds(self.plan)
            self._swept = self._large(frozenset(), keep=self.keep)
        return self._swept

    def _long_partition(self) -> Partition | None:
        """Return the component by sets, if that is possible and floats are much faster."""
        partition = self._by_sets
        return partition if partition is not None and partition.is_long else None

    def _partition(self, estimate: float) -> Partition | None:
        """Return the component by sets, if that is possible and likely to be faster."""
        partition = self._by_sets
        if partition is None or self.settings.sets:
            return partition
        return partition if partition.size * SETS_FROM < estimate else None

    @cached_property
    def _by_sets(self) -> Partition | None:
        """The component by sets, if that is possible and allowed."""
        if not self.settings.arrays or self.settings.sets is False or not has_arrays():
            return None
        from deduce.engines.count.sets.partition import Partition

        return Partition.of(self.component)

    def answers(self, questions: int) -> Mapping[Answers, int]:
        """Return the weight of each combination of ``(question, answer)`` in the component."""
        if self._sets is not None:
            return self._sets.answers
        if self._answers is not None:
            return self._answers
        fields = [
            (question, place)
            for question in range(questions)
            if (place := self.plan.answer_field(question)) is not None
        ]
        table: dict[Answers, int] = {}
        for state, ways in self.sweep.final.items():
            numbers = tuple((q, state >> shift & mask) for q, (shift, mask) in fields)
            table[numbers] = table.get(numbers, 0) + ways
        return table

    def flow(self, group: Group, effect: int) -> int:
        """Return the weight of all ways, each times the members that take the effect's values."""
        if self._sets is not None:
            return self._sets.flow(group, effect)
        return self._sweep_for(group, group.effects[effect]).flow(group, effect)

    def numbers(self) -> Mapping[tuple[int, int], int]:
        """Return the weight of all ways for each likelihood, by index, and number.

        A likelihood's number is never exchanged with another, so no value is kept apart.
        """
        return self.sweep.numbers() if self._sets is None else self._sets.numbers()

    def draws(self, count: int, draw: Below) -> Iterable[Sequence[Taken]]:
        """Return ways drawn by their weight, each of ``(group, effect, members that take it)``.

        ``draw(n)`` gives a random int below ``n``, now or while the ways are iterated over.
        """
        counted = self._sets if isinstance(self._sets, Orders) else self.sweep
        return counted.draws(count, draw)

    def _sweep_for(self, group: Group, effect: Effect) -> AnySweep:
        """Return a sweep that does not sort the values of an effect among others."""
        apart = self._apart(group, effect)
        if not apart:
            return self.sweep
        if self._plain is None and not self._marked:
            needed = {self._apart(g, e) for g in self.component.groups for e in g.effects}
            with suppress(ManyStates):
                self._plain = self._large(None, max_states=self.sweep.states * len(needed))
        if self._plain is not None:
            return self._plain
        if apart not in self._marked:
            self._marked[apart] = self._large(apart)
        return self._marked[apart]

    def _apart(self, group: Group, effect: Effect) -> frozenset[int]:
        """Return the values of an effect that are alike with others when a group is swept."""
        if self.folds is None:
            return frozenset()
        last = self.plan.last_steps[group]
        return frozenset(
            value
            for value, index in self.folds.first_alike.items()
            if effect.values & value and index <= last
        )

    def _large(
        self, apart: frozenset[int] | None, *, keep: bool = True, max_states: float = inf
    ) -> AnySweep:
        plan, meter, settings = self.plan, self.meter, self.settings
        if settings.arrays and plan.size <= MAX_SIZE and needs_arrays():
            from deduce.engines.count.sweep.arrays import ArraySweep
            from deduce.engines.count.sweep.numbers import TooLarge

            try:
                return ArraySweep(
                    plan,
                    meter,
                    folds=self.folds,
                    apart=apart,
                    keep=keep,
                    prune_from=settings.prune_from,
                    moduli=settings.moduli,
                    max_states=max_states,
                )
            except TooLarge:
                pass
        return Sweep(
            plan, meter, settings.prune_from, folds=self.folds, apart=apart, max_states=max_states
        )


class Parts:
    """All that is open in a state, component by component, and the factor of what is settled.

    Parameters
    ----------
    rest
        What is open. Its factor belongs to every weight that is returned.
    trees
        What is open beside it.
    meter, settings, keep
        As for `Part`.

    Attributes
    ----------
    total : int
        The weight of all worlds.

    Raises
    ------
    Undecided
        When the meter's budget is used up.
    """

    def __init__(
        self,
        rest: Residue,
        trees: Sequence[Tree],
        meter: Meter,
        settings: Settings,
        *,
        keep: bool = True,
    ) -> None:
        self._factor = self.total = rest.factor
        self._parts: list[Part] = []
        self._trees = trees
        self.total *= prod(tree.total for tree in trees)
        for component in rest.components:
            if not self.total:
                return
            part = Part(component, meter, settings, keep=keep)
            self._parts.append(part)
            self.total *= part.total

    def flows(self) -> Iterator[tuple[Group, Effect, int]]:
        """Yield each effect that a member of a group may take, with the weight of these worlds."""
        for part in self._parts if self.total else ():
            others = self.total // part.total
            for group in part.component.groups:
                for number, effect in enumerate(group.effects):
                    flow = part.flow(group, number) * others
                    if flow:
                        yield group, effect, flow // len(group.members)

    def tree_flows(self) -> Iterator[tuple[int, int, int]]:
        """Yield each variable of a tree, by index, and value, by position, with their weight."""
        for tree in self._trees if self.total else ():
            others = self.total // tree.total
            for i, flow in tree.flows():
                for place, weight in zip(tree.places[i], flow, strict=True):
                    if weight:
                        yield i, place, weight * others

    def numbers(self) -> Iterator[tuple[tuple[int, int], int]]:
        """Yield each likelihood, by index, and number, with the weight of the worlds with it."""
        for part in self._parts if self.total else ():
            others = self.total // part.total
            for key, flow in part.numbers().items():
                yield key, flow * others

    def answers(self, questions: int) -> Iterator[tuple[dict[int, int], int]]:
        """Yield combinations of answers, by question, with the weight of the worlds with them."""
        if self.total:
            parts: list[Tree | Part] = [*self._trees, *self._parts]
            tables = [part.answers(questions).items() for part in parts]
            for combination in product(*tables):
                numbers = chain.from_iterable(numbers for numbers, _ in combination)
                yield dict(numbers), self._factor * prod(ways for _, ways in combination)

    def ways(
        self, write: Callable[[Sequence[Taken]], Sequence[Taken]]
    ) -> list[Callable[[], Iterator[Sequence[Taken]]]]:
        """Return for each component what goes through all its ways, by dictionaries."""
        makers: list[Callable[[], Iterator[Sequence[Taken]]]] = []
        for part in self._parts:
            assert isinstance(part.sweep, Sweep), "settings that forbid arrays"
            makers.append(partial(part.sweep.ways, write))
        return makers

    def draw(self, rows: Sequence[list[Any]], values_in: ValuesIn, draw: Below) -> None:
        """Write a world into each row, by the numbers of the variables; worlds come by weight."""
        parts: list[Tree | Part] = [*self._trees, *self._parts]
        for part in parts:
            fill = Fill(values_in, draw).fill
            for row, taken in zip(rows, part.draws(len(rows), draw), strict=True):
                fill(row, taken)
