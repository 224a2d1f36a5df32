"""A problem as a Boolean formula in conjunctive normal form, for SAT solvers and model counters.

One Boolean states that a variable has a value; exactly one of a variable's Booleans is true. A
Count or a Sum becomes a chain of Booleans, one for each sum that the first variables can reach
(Abío et al., *A new look at BDDs for pseudo-Boolean constraints*, JAIR 2012). They are defined in
both directions, so that the formula has exactly as many models as the problem has worlds. A Where
becomes its forbidden rows, or its allowed rows where these are fewer. A Weigh excludes nothing and
is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import inf, prod

from attrs import define, field

from deduce.budget import UNLIMITED
from deduce.constraints import Value, Variable
from deduce.engines.core.lowering import lowered
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import CompiledCount, CompiledSum, CompiledWhere, Model
from deduce.errors import Unsupported
from deduce.problem import Problem, World
from deduce.system.text import name_of

__all__ = ["Formula", "formula_of"]

MAX_SUMS = 1_000_000
"""The maximum number of transitions between the sums of one Sum."""

Clause = tuple[int, ...]
"""Literals: the number of a Boolean, negative where it must be false."""


@define
class Formula:
    """A formula in conjunctive normal form, with the meaning of its Booleans.

    Parameters
    ----------
    meaning
        The variable and the value that Boolean ``n`` states, at index ``n - 1``. The Booleans
        after these are auxiliary: their values follow from the others.
    clauses
        The clauses, each satisfied by at least one of its literals.
    size
        The number of Booleans, auxiliary ones included.
    """

    meaning: Sequence[tuple[Variable, Value]]
    clauses: list[Clause] = field(factory=list)
    size: int = 0

    def world(self, literals: Sequence[int]) -> World:
        """Return the world that a model of the formula stands for.

        Parameters
        ----------
        literals
            The model as a solver prints it: each Boolean, negative where it is false.
        """
        true = {literal for literal in literals if 0 < literal <= len(self.meaning)}
        return dict(self.meaning[number - 1] for number in sorted(true))

    def dimacs(self) -> str:
        """Return the formula as text in the DIMACS format, the names in comments.

        The line ``c p show`` lists the Booleans that are not auxiliary, for projected counting.
        """
        lines = [
            f"c {number} {name_of(variable)} is {name_of(value)}"
            for number, (variable, value) in enumerate(self.meaning, start=1)
        ]
        shown = " ".join(map(str, range(1, len(self.meaning) + 1)))
        lines += [f"p cnf {self.size} {len(self.clauses)}", f"c p show {shown} 0"]
        lines += [" ".join(map(str, (*clause, 0))) for clause in self.clauses]
        text = "\n".join(line.replace("\n", " ") for line in lines)
        return text + "\n"


def formula_of(problem: Problem) -> Formula:
    """Return a formula that has one model for each world of the problem.

    Cost: one Boolean for each sum that the first variables of a Count or a Sum can reach, such as
    ``n * k`` for ``n`` facts and the upper bound ``k``; and for a Count four times as many clauses.

    Raises
    ------
    Unsupported
        A Sum has too many different sums.

    Examples
    --------
    >>> from deduce.constraints import exactly, is_
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> formula = formula_of(Problem(hats, [is_("Ann", "red")]))
    >>> print(formula.dimacs(), end="")
    c 1 Ann is red
    c 2 Ann is blue
    c 3 Ben is red
    c 4 Ben is blue
    p cnf 4 5
    c p show 1 2 3 4 0
    1 2 0
    -1 -2 0
    3 4 0
    -3 -4 0
    -2 0
    >>> formula.world([1, -2, -3, 4])
    {'Ann': 'red', 'Ben': 'blue'}
    """
    return _Builder(lowered(Model(problem), UNLIMITED)[0]).formula


class _Builder:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.number: dict[int, int] = {}
        """The Boolean of each bit of a state."""
        meaning = []
        for i, domain in enumerate(model.domains[: model.shown]):
            for bit in bits_of(domain):
                meaning.append((model.variables[i], model.values[i][bit.bit_length() - 1]))
                self.number[bit << (i * model.stride)] = len(meaning)
        self.formula = Formula(meaning, size=len(meaning))
        for i, domain in enumerate(model.domains[model.shown :], model.shown):
            self.number |= {bit << i * model.stride: self._new() for bit in bits_of(domain)}
        for i, domain in enumerate(model.domains):
            self._exactly_one([self.number[b] for b in bits_of(domain << (i * model.stride))])
        for statement in model.statements:
            for bit in bits_of(model.start & ~statement.keep):
                self._add(-self.number[bit])
            form = statement.form
            if isinstance(form, CompiledCount):
                self._count(form)
            elif isinstance(form, CompiledSum):
                terms = [
                    {
                        amount: [self.number[bit] for bit in bits_of(mask << i * model.stride)]
                        for amount, mask in levels
                    }
                    for i, levels in form.terms
                ]
                self._sum(terms, form.low, form.high, MAX_SUMS)
            elif isinstance(form, CompiledWhere):
                self._where(form)

    def _add(self, *literals: int) -> None:
        self.formula.clauses.append(literals)

    def _new(self) -> int:
        self.formula.size += 1
        return self.formula.size

    def _exactly_one(self, literals: Sequence[int]) -> None:
        self._add(*literals)
        for n, literal in enumerate(literals):
            for other in literals[n + 1 :]:
                self._add(-literal, -other)

    def _count(self, count: CompiledCount) -> None:
        literals = list(self._terms(count))
        if count.low == 1 and count.high >= len(literals):
            self._add(*literals)
        else:
            self._sum(
                [{0: [-literal], 1: [literal]} for literal in literals], count.low, count.high
            )

    def _terms(self, count: CompiledCount) -> Iterator[int]:
        """Yield for each variable of a Count a literal that is true where it adds 1."""
        for i, mask in count.terms:
            bits = [self.number[bit] for bit in bits_of(mask << (i * self.model.stride))]
            if len(bits) == 1:
                yield bits[0]
                continue
            one_of = self._new()
            self._add(-one_of, *bits)
            for bit in bits:
                self._add(one_of, -bit)
            yield one_of

    def _sum(
        self,
        terms: Sequence[Mapping[int, Sequence[int]]],
        low: int,
        high: int,
        limit: float = inf,
    ) -> None:
        """Define, after each variable, one Boolean for each sum; exactly one of them is true.

        A term has for each amount the literals of which one is true where that is added. Without an
        upper bound, all sums from the lower one on are one. More transitions than `limit` are
        refused.
        """
        most = after = sum(map(max, terms))
        last = low if high >= most else most
        nothing = self._new()
        self._add(nothing)
        sums = {0: nothing}
        size = 0
        for term in terms:
            after -= max(term)
            size += len(sums) * len(term)
            if size > limit:
                raise Unsupported(
                    f"a Sum of {len(terms)} variables has too many different sums for a "
                    f"formula (more than {limit}); CP-SAT's format has no such limit"
                )
            reached: dict[int, int] = {}
            for so_far, known in sums.items():
                for amount, literals in term.items():
                    total = min(so_far + amount, last)
                    follows: Clause = ()
                    if total <= high and total + after >= low:
                        if total not in reached:
                            reached[total] = self._new()
                        follows = (reached[total],)
                    for literal in literals:
                        self._add(-known, -literal, *follows)
            for amount, literals in term.items():
                lasting = [sums[so_far] for so_far in sums if so_far + amount >= last]
                for total, defined in reached.items():
                    ways = lasting
                    if total < last:
                        ways = [sums[total - amount]] if total - amount in sums else []
                    for literal in literals:
                        self._add(-defined, -literal, *ways)
            sums = reached
        if not sums:
            self._add()

    def _where(self, where: CompiledWhere) -> None:
        model = self.model
        domains = [list(bits_of(model.domains[i] << (i * model.stride))) for i in where.variables]
        if prod(map(len, domains)) < 2 * len(where.rows):
            allowed = where.allowed
            for bits in product(*domains):
                if sum(bits) not in allowed:
                    self._add(*(-self.number[bit] for bit in bits))
            return
        choices = []
        for row in where.rows:
            chosen = self._new()
            choices.append(chosen)
            literals = [self.number[bit] for bit in bits_of(row)]
            for literal in literals:
                self._add(-chosen, literal)
            self._add(chosen, *(-literal for literal in literals))
        self._add(*choices)
