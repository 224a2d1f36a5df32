"""What remains undecided after propagation: groups of alike variables, counters, components.

Settled variables and constraints are removed; what they contributed is accounted for in the bounds
of the remaining counters. Variables are *alike* when no constraint distinguishes them; their values
with the same *effect* on every counter are lumped together too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from math import prod

from attrs import define, evolve, frozen

from deduce.budget import Meter
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.logic import Levels
from deduce.engines.core.masks import bits_of, root
from deduce.engines.core.model import (
    CompiledCount,
    CompiledSum,
    CompiledWeigh,
    CompiledWhere,
    Model,
    Reduced,
    Statement,
)

__all__ = [
    "Component",
    "Counter",
    "Effect",
    "Group",
    "Literal",
    "Residue",
    "hands_of",
    "ranks",
    "residue",
]

MANY = 8
"""Terms of a constraint, or values of a variable, that cost a step."""

WIDE = 1000
"""Bits of a field that cost a step for each answer of a question."""

FEW_VARIABLES = 24
"""Up to this number of variables the order of their values is not worth a look at the hands."""

Literal = tuple[int, int, int]
"""A variable's index, a mask of its values, and the label of the answer that they give."""


@frozen(eq=False)
class Counter:
    """A number that is summed up while variables take values, and what it must be at the end.

    ``low`` and ``high`` bound the final number; ``most`` is the largest it could reach. With a
    ``table``, a world's weight is multiplied by ``table[number]`` (no entry: no world). The number
    of a ``question`` is kept to the end: it names the answer. A counter that ``saturates`` only
    distinguishes 0 from more. For each ``(index, settled)`` of ``weighs`` the number of that
    likelihood is the counter's plus ``settled``.
    """

    low: int
    high: int
    most: int
    table: Mapping[int, int] | None = None
    question: int | None = None
    saturates: bool = False
    weighs: tuple[tuple[int, int], ...] = ()

    @property
    def is_code(self) -> bool:
        """Whether the number is the code of a row of a table."""
        return self.table is not None and not self.weighs

    @property
    def is_bound(self) -> bool:
        """Whether the number is an amount with bounds, not the code of a row or an answer."""
        return self.table is None and self.question is None


@frozen(eq=False)
class Effect:
    """Values of a group that do the same: what they add to which counters, and their weight."""

    values: int
    adds: tuple[tuple[int, int], ...]
    weight: int = 1


@frozen(eq=False)
class Group:
    """Alike variables, by index, and the effects that each of them chooses from."""

    members: tuple[int, ...]
    effects: tuple[Effect, ...]

    @cached_property
    def touched(self) -> Mapping[int, int]:
        """The counters that the group may add to, with the most that one member adds."""
        most: dict[int, int] = {}
        for effect in self.effects:
            for number, amount in effect.adds:
                if amount > most.get(number, -1):
                    most[number] = amount
        return most


@frozen(eq=False)
class Component:
    """Groups that share no counter with other components. Effects name counters by position."""

    groups: tuple[Group, ...]
    counters: tuple[Counter, ...]


@frozen(eq=False)
class Residue:
    """The components of a state, and the weight that what is settled gives to every world.

    The weight of a world is ``factor`` times those of its components:
    `deduce.engines.count.part.Parts` multiplies them.

    ``answers[question][number]`` is what the final number of a question's counter means: one of
    these labels, all equally likely. ``weighed`` has the likelihoods without a counter, by index:
    the number, if it is settled; or the one variable that decides it, and ``(number, mask of
    values)``.
    """

    components: tuple[Component, ...]
    factor: int
    answers: tuple[Mapping[int, tuple[int, ...]], ...]
    weighed: Mapping[int, int | tuple[int, Levels]]


def residue(
    bounds: Bounds,
    possible: int,
    *,
    weighs: Sequence[CompiledWeigh] = (),
    questions: Sequence[Sequence[Literal]] = (),
    without: Collection[int] = (),
) -> Residue:
    """Return what is open in a propagated state, ready to be swept.

    Parameters
    ----------
    bounds
        The constraints in force; its meter pays.
    possible
        A state that ``bounds.narrow`` returned.
    weighs
        The likelihoods to apply.
    questions
        For each question its literals, exactly one of which holds in every world.
    without
        Variables, by index, that are left out with all constraints about them.

    Raises
    ------
    Undecided
        When the meter's budget is used up.
    """
    builder = _Builder(bounds.model, possible, questions, bounds.meter, without)
    for where in sorted(bounds.wheres, key=lambda where: -len(where.variables)):
        builder.where(where)
    for count in bounds.counts:
        builder.count(count)
    for form in bounds.sums:
        builder.sum(form)
    builder.count_tables()
    for index, weigh in enumerate(weighs):
        builder.weigh(index, weigh)
    return builder.finish()


@define(eq=False)
class _Rows:
    """What is left of a table: its open variables, and rows of a bit for each of them."""

    variables: Sequence[int]
    rows: list[int]
    form: CompiledWhere | None
    """The table, unless other constraints have joined it."""


class _Builder:
    def __init__(
        self,
        model: Model,
        possible: int,
        questions: Sequence[Sequence[Literal]],
        meter: Meter,
        without: Collection[int] = (),
    ) -> None:
        self.model = model
        self.meter = meter
        self.domains = [self.model.domain(possible, i) for i in range(len(self.model.variables))]
        self.possible = possible
        self.tables: list[_Rows] = []
        self.tables_of: dict[int, list[_Rows]] = {}
        """For each open variable the tables about it."""
        self.counters: list[Counter] = []
        self.without = frozenset(without)
        self.adds: dict[int, list[tuple[int, int, int]]] = {
            i: []
            for i, domain in enumerate(self.domains)
            if domain & (domain - 1) and i not in self.without
        }
        """For each open variable: (counter, mask of values, amount they add)."""
        self.questions = questions
        self.factor = 1
        self.factors: dict[int, list[tuple[int, int]]] = {}
        """For each variable that decides a likelihood alone: (mask of values, their weight)."""
        self.weighed: dict[int, int | tuple[int, Levels]] = {}
        self.numbers: dict[object, int] = {}
        """The counters of likelihoods, by the facts that they count."""
        self.bounded: dict[tuple[tuple[int, int, int], ...], int] = {}
        """The counters of Counts and Sums, by what they add up."""

    def count(self, count: CompiledCount) -> None:
        settled, open_ = self._split(count.terms)
        low, high = max(0, count.low - settled), count.high - settled
        if (low > 0 or high < len(open_)) and not self._absorbed(count, [i for i, _ in open_]):
            counter = Counter(low, min(high, len(open_)), len(open_))
            self._counter(counter, [(i, mask, 1) for i, mask in open_])

    def sum(self, form: CompiledSum) -> None:
        """Add a counter of what each open variable adds beyond the least that it can add."""
        settled, most, terms = self._beyond_least(form.terms)
        low, high = max(0, form.low - settled), min(form.high - settled, most)
        variables = list(dict.fromkeys(i for i, _, _ in terms))
        if (low > 0 or high < most) and not self._absorbed(form, variables):
            self._counter(Counter(low, high, most), terms)

    def weigh(self, index: int, weigh: CompiledWeigh) -> None:
        """Add the counter of a likelihood; none where it is settled, or one variable decides it."""
        settled, most, terms = self._beyond_least(weigh.terms)
        weights = weigh.weights[settled : settled + most + 1]
        variables = {i for i, _, _ in terms}
        if not variables.isdisjoint(self.without):
            return
        if not terms:
            self.weighed[index] = settled
            self.factor *= weights[0]
        elif len(variables) == 1:
            i = variables.pop()
            rest = self.domains[i] & ~sum(mask for _, mask, _ in terms)
            levels = ((0, rest), *((amount, mask) for _, mask, amount in terms))
            self.weighed[index] = i, tuple((settled + amount, mask) for amount, mask in levels)
            if len({weights[amount] for amount, _ in levels}) == 1:
                self.factor *= weights[0]
            else:
                factors = [(mask, weights[amount]) for amount, mask in levels]
                self.factors.setdefault(i, []).extend(factors)
        else:
            saturates = len(set(weigh.kinds[settled + 1 : settled + most + 1])) == 1
            table = dict(enumerate(weights[:2] if saturates else weights))
            same = self.numbers.setdefault((tuple(terms), saturates), len(self.counters))
            mine = ((index, settled),)
            if same == len(self.counters):
                counter = Counter(0, most, most, table, saturates=saturates, weighs=mine)
                self._counter(counter, terms)
            else:
                other = self.counters[same]
                assert other.table is not None
                table = {number: weight * table[number] for number, weight in other.table.items()}
                self.counters[same] = evolve(other, table=table, weighs=other.weighs + mine)

    def where(self, where: CompiledWhere) -> None:
        """Note the rows that are left, unless they are all combinations, or another table's."""
        if not self.without.isdisjoint(where.variables):
            return
        variables = [i for i in where.variables if i in self.adds]
        possible, size = self.possible, prod(self.domains[i].bit_count() for i in variables)
        self.meter.spend(1 + where.cost // MANY)
        if where.within(possible)[1] == size or self._absorbed(where, variables):
            return
        self.meter.spend(len(where.rows) // MANY)
        fields = sum(self.model.field << i * self.model.stride for i in variables)
        rows = [row & fields for row in where.rows if row & possible == row]
        self.tables.append(_Rows(variables, rows, where))
        for i in variables:
            self.tables_of.setdefault(i, []).append(self.tables[-1])

    def _absorbed(
        self, form: CompiledCount | CompiledSum | CompiledWhere, variables: Sequence[int]
    ) -> bool:
        """Return whether a constraint is about variables of one table, whose rows then meet it."""
        for table in self.tables_of.get(variables[0], ()) if variables else ():
            if set(variables) <= set(table.variables):
                self.meter.spend(len(table.rows) * (1 + len(variables)) // MANY)
                holds = partial(self.model.satisfied, Statement(-1, form))
                # Of variables that make no difference to the constraint, any value will do.
                others = self.possible & ~(self.possible & self.possible - self.model.ones)
                others &= ~sum(self.model.field << i * self.model.stride for i in table.variables)
                table.rows = [row for row in table.rows if holds(others | row)]
                table.form = None
                return True
        return False

    def count_tables(self) -> None:
        """Add a counter for each table: the code of a row, of a digit for each open variable.

        Values that have the same rows have one digit, and variables that make no difference none.
        """
        for table in self.tables:
            reduced = table.form.reduced if table.form else {}
            key = table.form.scope & self.possible if table.form else 0
            if key not in reduced:
                reduced.clear()  # the attempts of a query ask about one state
                reduced[key] = self._reduced(table)
            terms, codes, radix = reduced[key]
            if terms:
                counter = Counter(0, radix - 1, radix - 1, dict.fromkeys(codes, 1))
                self._counter(counter, terms)
            elif not codes:
                self.factor = 0

    def _reduced(self, table: _Rows) -> Reduced:
        rows: Iterable[int] = table.rows
        terms: list[tuple[int, int, int]] = []
        digits: dict[int, int] = {}
        radix, stride = 1, self.model.stride
        for i in table.variables:
            self.meter.spend(len(table.rows) // 2)
            field = self.model.field << i * stride
            rests: dict[int, set[int]] = {
                bit << i * stride: set() for bit in bits_of(self.domains[i])
            }
            for row in rows:
                rests[row & field].add(row & ~field)
            classes: dict[frozenset[int], int] = {}
            for bit, others in rests.items():
                key = frozenset(others)
                classes[key] = classes.get(key, 0) | bit
            different = len(classes) > 1
            rows = [rest | mask & -mask * different for r, mask in classes.items() for rest in r]
            for digit, mask in enumerate(classes.values() if different else ()):
                digits[mask & -mask] = digit * radix
                if digit:
                    terms.append((i, mask >> i * stride, digit * radix))
            radix *= len(classes)
        return terms, [sum(digits[bit] for bit in bits_of(row)) for row in rows], radix

    def finish(self) -> Residue:
        asked: dict[int, dict[tuple[int, int], int]] = {}
        for question, literals in enumerate(self.questions):
            for i, mask, label in literals:
                self.meter.spend(1 + self.model.width // WIDE)
                if self.domains[i] & mask and i not in self.without:
                    asked.setdefault(i, {})[question, self.domains[i] & mask] = label
        answers: list[dict[int, tuple[int, ...]]] = [{} for _ in self.questions]
        for i, labels in asked.items():
            for (question, mask), label in labels.items():
                self.meter.spend(1 + self.model.width // WIDE)
                if mask == self.domains[i]:
                    answers[question][0] = (label,)
        groups = list(self._groups(asked, answers))
        for question, known in enumerate(answers):
            most = max(known, default=0)
            self.counters.append(Counter(0, most, most, question=question))
        components = tuple(self._components(groups))
        return Residue(components, self.factor, tuple(answers), self.weighed)

    def _split(self, terms: Sequence[tuple[int, int]]) -> tuple[int, list[tuple[int, int]]]:
        """Return how many terms hold already, and the terms that are still open."""
        self.meter.spend(1 + len(terms) // MANY)
        settled = 0
        open_ = []
        for i, mask in terms:
            inside = self.domains[i] & mask
            if inside == self.domains[i]:
                settled += 1
            elif inside:
                open_.append((i, inside))
        return settled, open_

    def _beyond_least(
        self, terms: Sequence[tuple[int, Levels]]
    ) -> tuple[int, int, list[tuple[int, int, int]]]:
        """Return the least sum, the most beyond it, and what open variables add beyond theirs."""
        settled = most = 0
        beyond = []
        for i, levels in terms:
            self.meter.spend(1 + len(levels) // MANY)
            open_ = [(a, mask & self.domains[i]) for a, mask in levels if mask & self.domains[i]]
            least = open_[0][0]
            settled += least
            most += open_[-1][0] - least
            beyond += [(i, mask, amount - least) for amount, mask in open_ if amount > least]
        return settled, most, beyond

    def _counter(self, counter: Counter, terms: Iterable[tuple[int, int, int]]) -> None:
        """Add a counter; of two bounds of the same amounts, one with what both allow is kept.

        If the facts are about different variables, the amounts of their opposites add up to the
        greatest sum minus theirs.
        """
        number = len(self.counters)
        if counter.is_bound:
            terms, most = sorted(terms), counter.most
            same = self.bounded.get(tuple(terms))
            if same is None and len({i for i, _, _ in terms}) == len(terms):
                opposite = sorted((i, self.domains[i] & ~mask, a) for i, mask, a in terms)
                same = self.bounded.get(tuple(opposite))
                if same is not None:
                    counter = evolve(counter, low=most - counter.high, high=most - counter.low)
            if same is None:
                self.bounded[tuple(terms)] = number
            else:
                other = self.counters[same]
                low, high = max(counter.low, other.low), min(counter.high, other.high)
                if low <= high:
                    self.counters[same] = evolve(other, low=low, high=high)
                else:
                    self.factor = 0
                return
        self.counters.append(counter)
        for i, mask, amount in terms:
            self.adds[i].append((number, mask, amount))

    def _groups(
        self,
        asked: Mapping[int, Mapping[tuple[int, int], int]],
        answers: list[dict[int, tuple[int, ...]]],
    ) -> Iterator[Group]:
        """Yield the groups of alike variables; a question's answers are numbered as they come."""
        alike: dict[object, list[int]] = {}
        for i, adds in self.adds.items():
            labels = asked.get(i, {})
            many = len({question for question, _ in labels}) > 1
            factors = tuple(self.factors.get(i, ()))
            apart = i if many else None, id(self.model.values[i])
            signature = (self.domains[i], tuple(adds), factors, tuple(labels), apart)
            alike.setdefault(signature, []).append(i)
        first = len(self.counters)
        for members in alike.values():
            sample = members[0]
            adds = list(self.adds[sample])
            for question, mask in asked.get(sample, {}):
                known = answers[question]
                number = len(known) + (0 not in known)
                known[number] = tuple(asked[i][question, mask] for i in members)
                adds.append((first + question, mask, number))
            yield Group(tuple(members), tuple(self._effects(sample, adds)))

    def _effects(self, i: int, adds: Sequence[tuple[int, int, int]]) -> Iterator[Effect]:
        domain = self.domains[i]
        self.meter.check()
        self.meter.spend(domain.bit_count() // MANY)
        effects: dict[int, list[tuple[int, int]]] = {bit: [] for bit in self._bits(domain)}
        for number, mask, amount in adds:
            self.meter.spend(1 + (mask & domain).bit_count() // MANY)
            for bit in self._bits(mask & domain):
                effects[bit].append((number, amount))
        weights = dict.fromkeys(effects, 1)
        for mask, weight in self.factors.get(i, ()):
            for bit in self._bits(mask & domain):
                weights[bit] *= weight
        lumped: dict[tuple[tuple[tuple[int, int], ...], int], int] = {}
        for bit, effect in effects.items():
            self.meter.spend(1 + len(effect) // MANY)
            key = tuple(effect), weights[bit]
            lumped[key] = lumped.get(key, 0) | bit
        return (Effect(values, *key) for key, values in lumped.items())

    def _bits(self, mask: int) -> Iterator[int]:
        """Return the bits of a mask; of a long one with looks at the limits in between."""
        bits = bits_of(mask)
        return bits if mask.bit_length() < WIDE else self._looked_at(bits)

    def _looked_at(self, bits: Iterator[int]) -> Iterator[int]:
        for place, bit in enumerate(bits):
            if place % WIDE == 0:
                self.meter.check()
            yield bit

    def _components(self, groups: Sequence[Group]) -> Iterator[Component]:
        parent = list(range(len(self.counters)))
        for group in groups:
            numbers = list(group.touched)
            self.meter.spend((len(group.effects) + len(numbers)) // MANY)
            for number in numbers[1:]:
                parent[root(parent, number)] = root(parent, numbers[0])
        together: dict[int, list[int]] = {}
        for g, group in enumerate(groups):
            first = next(iter(group.touched), None)
            together.setdefault(-1 - g if first is None else root(parent, first), []).append(g)
        for members in together.values():
            self.meter.check()
            numbers = list(dict.fromkeys(n for g in members for n in groups[g].touched))
            position = {n: k for k, n in enumerate(numbers)}
            self.meter.spend(len(numbers) // MANY)
            yield _arranged(
                Component(
                    tuple(self._renumbered(groups[g], position) for g in members),
                    tuple(self.counters[n] for n in numbers),
                )
            )

    def _renumbered(self, group: Group, position: Mapping[int, int]) -> Group:
        """Return a group whose effects name counters by position."""
        self.meter.spend(1 + len(group.effects) // MANY)
        effects = tuple(
            Effect(e.values, tuple((position[n], amount) for n, amount in e.adds), e.weight)
            for e in group.effects
        )
        return Group(group.members, effects)


def hands_of(component: Component) -> Sequence[int]:
    """Return counters to one of which each member of a group adds one; empty: there are none."""
    about: dict[int, list[Effect]] = {}
    for group in component.groups:
        for effect in group.effects:
            for number, amount in effect.adds:
                if component.counters[number].is_bound and amount == 1:
                    about.setdefault(number, []).append(effect)
    hands: list[int] = []
    rest = {effect for group in component.groups for effect in group.effects}
    for number in sorted(about, key=lambda number: -len(about[number])):
        if rest.issuperset(about[number]):
            hands.append(number)
            rest.difference_update(about[number])
    return () if rest else hands


def ranks(component: Component) -> Mapping[int, int]:
    """Return the place of each value in the order of the effects: small hands first.

    The envelope comes before the players: its counters, of which each can only become 1, are closed
    while few cards are dealt. Of ten players a sweep has a half to an eighth of the states then.
    """
    hands = hands_of(component) if _size(component) > FEW_VARIABLES else ()
    size = {number: component.counters[number].high for number in hands}
    least: dict[int, int] = {}
    for group in component.groups:
        for effect in group.effects:
            high = min((size[number] for number, _ in effect.adds if number in size), default=0)
            for value in bits_of(effect.values):
                least[value] = min(high, least.get(value, high))
    return {value: rank for rank, value in enumerate(sorted(least, key=lambda v: (least[v], v)))}


def _size(component: Component) -> int:
    return sum(len(group.members) for group in component.groups)


def _arranged(component: Component) -> Component:
    """Return the same component, with the effects of each group in the order of the ranks."""
    if _size(component) <= FEW_VARIABLES:
        return component
    rank = ranks(component)
    if list(rank) == sorted(rank):
        return component

    def place(effect: Effect) -> int:
        return min(map(rank.__getitem__, bits_of(effect.values)))

    groups = (Group(g.members, tuple(sorted(g.effects, key=place))) for g in component.groups)
    return Component(tuple(groups), component.counters)
