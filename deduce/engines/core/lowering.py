"""Conditions inside conditions as Counts, Sums and tables, with Boolean variables that are added.

Engines that count take flat constraints only. `lowered` gives them a model with the same worlds:

* a condition of which some facts are an alternative becomes a Sum in which each of these facts adds
  what the bound may miss, so that it is *half reified* without a further variable;
* any other condition inside one gets a Boolean that is true exactly if it holds (*full
  reification*), so that every world of the problem is one world of the lowered model, no more.

Booleans come after the variables of the problem (``model.shown``) and are in no answer. Equal
conditions share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from math import prod

from deduce.budget import Meter
from deduce.engines.core.logic import (
    Among,
    CompiledLogic,
    Levels,
    Linear,
    Listed,
    Literal,
    Node,
    Signed,
    conjuncts,
    disjuncts,
)
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model, Statement

__all__ = ["lowered"]

MAX_ROWS = 64
"""Up to this number of combinations of two variables a condition on two facts is a table."""

Terms = Sequence[tuple[int, Levels]]
"""For variables, by index, their values by what they add."""

Choice = tuple[int, int]
"""A variable, and a mask of its values."""


def lowered(
    model: Model, meter: Meter, selection: Sequence[Statement] | None = None
) -> tuple[Model, Sequence[Statement] | None]:
    """Return a model without conditions inside conditions, and the selection in it.

    The model itself, if it has none. That of all statements is kept.

    Parameters
    ----------
    model, meter
        The model, and what looks at the limits.
    selection
        The statements in force, if they are not all those of the model.
    """
    statements = model.statements if selection is None else selection
    if not any(isinstance(statement.form, CompiledLogic) for statement in statements):
        return model, selection
    if selection is not None:
        of_selection = _Lowering(model, statements, meter)
        return of_selection.model, of_selection.statements
    if model.plain is None:
        model.plain = _Lowering(model, statements, meter).model
    return model.plain, None


class _Lowering:
    def __init__(self, model: Model, statements: Sequence[Statement], meter: Meter) -> None:
        self.meter = meter
        self.model = copy(model)
        self.model.values, self.model.domains = list(model.values), list(model.domains)
        self.model.left = self.model.refuted = self.model.within = self.model.plain = None
        self.model.joined = None
        self.statements: list[Statement] = []
        self.known: dict[object, Choice] = {}
        """The Booleans of the conditions that have one."""
        self.kept: list[Node] = []
        """The nodes by whose identity they are known."""
        for statement in statements:
            form = statement.form
            if isinstance(form, CompiledLogic) and model.width < 2:  # no variable has a choice
                keep = statement.keep if form.status(model.start) else 0
                self.statements.append(Statement(keep, None, statement.weigh))
            elif isinstance(form, CompiledLogic):
                meter.check()
                for part, sign in conjuncts(form.root):
                    self._require(disjuncts(part, want=sign))
                if statement.weigh is not None or statement.keep != -1:
                    self.statements.append(Statement(statement.keep, None, statement.weigh))
            else:
                self.statements.append(statement)
        self._finish(len(self.model.domains) - len(model.domains))

    def _finish(self, number: int) -> None:
        model = self.model
        first = len(model.variables)
        model.variables = (*model.variables, *(object() for _ in range(number)))
        for i in range(first, first + number):
            shift = i * model.stride
            model.ones |= 1 << shift
            model.start |= model.domains[i] << shift
        model.full = model.ones * model.field
        model.guards = model.ones << model.width
        model.statements = self.statements

    def _new(self) -> int:
        """Return the index of a further variable with the values of the bits 1 and 2."""
        model = self.model
        model.values.append(tuple(range(model.width)))
        model.domains.append(0b11)
        return len(model.domains) - 1

    def _require(self, alternatives: Iterable[Signed]) -> None:
        """Add what makes at least one of some conditions hold."""
        facts: dict[int, int] = {}
        others: list[Signed] = []
        for part, sign in alternatives:
            self.meter.check()
            if isinstance(part, Literal):
                mask = part.mask if sign else part.domain & ~part.mask
                facts[part.variable] = facts.get(part.variable, 0) | mask
            else:
                others.append((part, sign))
        if any(mask == self.model.domains[i] for i, mask in facts.items()):
            return
        inner = list(conjuncts(others[0][0], want=others[0][1])) if len(others) == 1 else others
        if len(others) == 1 and inner != others:
            stated = [(self._fact(*choice), True) for choice in facts.items()]
            for part, sign in inner:
                self._require([*stated, *disjuncts(part, want=sign)])
            return
        bounded: list[tuple[Terms, int, int]] = []
        tables: list[tuple[Listed, bool]] = []
        for part, sign in others:
            assert not isinstance(part, Literal)
            if isinstance(part, Listed):
                tables.append((part, sign))
            elif isinstance(part, Among) and list(conjuncts(part, want=sign)) != [(part, sign)]:
                i, mask = self._reified(part, sign)
                facts[i] = facts.get(i, 0) | mask
            else:
                terms, low, high = self._linear(part)
                if sign:
                    bounded.append((terms, low, high))
                else:
                    least, most = _bounds(terms)
                    bounded += [(terms, least, low - 1), (terms, high + 1, most)]
        if len(tables) == 1 and not facts and not bounded:
            ((table, sign),) = tables
            rows = (table.table if sign else table.others).rows
            self._add(Statement(-1, self.model.listed(table.variables, rows)))
            return
        for table, sign in tables:
            i, mask = self._reified(table, sign)
            facts[i] = facts.get(i, 0) | mask
        possible = [each for each in bounded if self._range(*each) != "never"]
        if any(self._range(*each) == "always" for each in possible):
            return
        for terms, low, high in possible[1:]:
            i, mask = self._bounded(terms, low, high)
            facts[i] = facts.get(i, 0) | mask
        if any(mask == self.model.domains[i] for i, mask in facts.items()):
            return
        if not possible:
            self._add(self.model.counted(tuple(facts.items()), 1, len(facts)))
            return
        terms, low, high = possible[0]
        least, most = _bounds(terms)
        guards = [(i, mask) for i, mask in facts.items() if mask]
        if low > least:
            self._sum([*terms, *self._guards(guards, low - least)], low, None)
        if high < most:
            self._sum([*terms, *self._guards(guards, high - most)], None, high)

    def _fact(self, i: int, mask: int) -> Literal:
        return Literal(i, mask, self.model.domains[i], i * self.model.stride)

    def _guards(self, guards: Iterable[Choice], amount: int) -> Iterator[tuple[int, Levels]]:
        """Yield facts that each add an amount."""
        for i, mask in guards:
            levels = ((0, self.model.domains[i] & ~mask), (amount, mask))
            yield i, tuple(sorted(level for level in levels if level[1]))

    def _add(self, statement: Statement) -> None:
        self.statements.append(statement)

    def _sum(self, terms: Terms, low: int | None, high: int | None) -> None:
        self._add(self.model.summed(self._merged(terms), low, high))

    def _merged(self, terms: Terms) -> Terms:
        """Return terms in which each variable is once."""
        of: dict[int, dict[int, int]] = {}
        for i, levels in terms:
            before = of.get(i, {0: self.model.domains[i]})
            after: dict[int, int] = {}
            for amount, mask in before.items():
                for more, other in levels:
                    if mask & other:
                        after[amount + more] = after.get(amount + more, 0) | mask & other
            of[i] = after
        return [(i, tuple(sorted(levels.items()))) for i, levels in of.items()]

    def _linear(self, node: Linear | Among) -> tuple[Terms, int, int]:
        """Return a condition as a sum with bounds; parts of it that are no facts get Booleans."""
        if isinstance(node, Linear):
            return node.terms, node.low, node.high
        facts = [self._reified(part, sign) for part, sign in node.parts]
        return self._merged(list(self._guards(facts, 1))), node.low, node.high

    def _range(self, terms: Terms, low: int, high: int) -> str:
        """Return whether a sum is within its bounds always, never, or sometimes."""
        least, most = _bounds(terms)
        if most < low or least > high or low > high:
            return "never"
        return "always" if low <= least and most <= high else ""

    def _reified(self, node: Node, sign: bool) -> Choice:  # noqa: FBT001
        """Return a fact that holds exactly if a condition does (or does not)."""
        if isinstance(node, Literal):
            choice = node.variable, node.mask
        else:
            key = id(node)
            if key not in self.known:
                self.kept.append(node)
                if isinstance(node, Listed):
                    self.known[key] = self._column(node)
                elif isinstance(node, Among) and (node.low, node.high, len(node.parts)) == (
                    1,
                    1,
                    2,
                ):
                    self.known[key] = self._one_of(*(self._reified(*part) for part in node.parts))
                else:
                    self.known[key] = self._bounded(*self._linear(node))
            choice = self.known[key]
        return choice if sign else self._opposite(choice)

    def _opposite(self, choice: Choice) -> Choice:
        i, mask = choice
        return i, self.model.domains[i] & ~mask

    def _one_of(self, first: Choice, second: Choice) -> Choice:
        """Return a fact that holds exactly if one of two does: a table, as it is linear."""
        model = self.model
        sizes = [model.domains[i].bit_count() for i, _ in (first, second)]
        if first[0] == second[0]:
            i, mask = first
            return i, mask ^ second[1]
        if prod(sizes) > MAX_ROWS:
            terms = list(self._guards([first, second], 1))
            return self._bounded(terms, 1, 1)
        key = "one of", first, second
        if key not in self.known:
            new = self._new()
            shifts = [i * model.stride for i in (first[0], second[0], new)]
            rows = [
                x << shifts[0]
                | y << shifts[1]
                | (1 + (bool(x & first[1]) != bool(y & second[1]))) << shifts[2]
                for x in bits_of(model.domains[first[0]])
                for y in bits_of(model.domains[second[0]])
            ]
            self._add(Statement(-1, model.listed((first[0], second[0], new), rows)))
            self.known[key] = new, 2
        return self.known[key]

    def _column(self, node: Listed) -> Choice:
        """Return the fact of a further column of a table."""
        new = self._new()
        shift = new * self.model.stride
        rows = [row | 2 << shift for row in node.table.rows]
        rows += [row | 1 << shift for row in node.others.rows]
        self._add(Statement(-1, self.model.listed((*node.variables, new), rows)))
        return new, 2

    def _bounded(self, terms: Terms, low: int, high: int) -> Choice:
        """Return a fact that holds exactly if a sum is within its bounds."""
        terms = [(i, levels) for i, levels in terms if levels]
        certain = self._range(terms, low, high)
        if certain:
            return 0, self.model.domains[0] if certain == "always" else 0
        least, most = _bounds(terms)
        low, high = max(least, low), min(high, most)
        if len(terms) == 1:
            ((i, levels),) = terms
            return i, sum(mask for amount, mask in levels if low <= amount <= high)
        key = tuple(terms), low, high
        if key not in self.known:
            if high == most:
                self.known[key] = self._threshold(terms, low)
            elif low == least:
                self.known[key] = self._opposite(self._threshold(terms, high + 1))
            else:
                self.known[key] = self._interval(terms, low, high)
        return self.known[key]

    def _threshold(self, terms: Terms, low: int) -> Choice:
        """Return a fact that holds exactly if a sum is at least ``low``."""
        least, most = _bounds(terms)
        new = self._new()
        self._sum([*terms, (new, ((0, 2), (low - least, 1)))], low, None)
        self._sum([*terms, (new, ((0, 2), (most - low + 1, 1)))], None, most)
        return new, 2

    def _interval(self, terms: Terms, low: int, high: int) -> Choice:
        """Return a fact that holds exactly if a sum is in an interval; a second one: is above."""
        least, most = _bounds(terms)
        inside, above = self._new(), self._new()
        self._add(self.model.counted(((inside, 2), (above, 2)), 0, 1))
        for inside_adds, above_adds, bounds in (
            (least - low, least - high - 1, (least, None)),
            (low - 1 - high, low - 1 - most, (None, low - 1)),
        ):
            is_inside = self._guards([(inside, 2)], inside_adds)
            self._sum([*terms, *is_inside, *self._guards([(above, 2)], above_adds)], *bounds)
        return inside, 2


def _bounds(terms: Terms) -> tuple[int, int]:
    return sum(of[0][0] for _, of in terms), sum(of[-1][0] for _, of in terms)
