"""OR-Tools CP-SAT as an engine. The only file that knows the package, and it loads it when asked.

One Boolean per value that a variable may have; a Count is a linear constraint over them. The
solver runs with one worker, so that the same question gives the same answer. It runs without
presolve, which has called feasible models infeasible (google/or-tools, issue 5274); our small
Boolean models are mostly solved faster without it. A status that is not known is `Undecided`,
never "no". The solver runs beside the main thread, so that Ctrl-C stops it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import inf, prod
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from deduce.budget import UNLIMITED, Meter
from deduce.constraints import Value, Variable
from deduce.engines.base import Listing
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.different import Summed, summed
from deduce.engines.core.logic import (
    Levels,
    Linear,
    Listed,
    Literal,
    Node,
    conjuncts,
    disjuncts,
)
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import (
    CompiledCount,
    CompiledLogic,
    CompiledSum,
    CompiledWhere,
    Model,
    Statement,
)
from deduce.errors import Undecided, missing_package
from deduce.problem import Problem, World
from deduce.system.interrupts import interrupted_later
from deduce.system.text import name_of

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

__all__ = ["CpSat", "model_text"]


def model_text(problem: Problem) -> str:
    """Return a problem as a model in CP-SAT's own text format (a protocol buffer as text).

    The Booleans are named ``variable=value``, and each constraint that stands for a rule or for
    evidence has its sentence as its name. A Weigh excludes nothing and is left out.

    Raises
    ------
    Unsupported
        The package ortools is not installed.
    """
    model = Model(problem)
    sentences = [str(piece) for piece in (*problem.rules, *problem.evidence)]
    return _Encoding(model, model.statements, names=sentences).text()


# Prices in steps of a `Budget`; docs/benchmarks/budgets.md has the measurements.
DETERMINISTIC_SECOND = 10_000_000
"""A second of CP-SAT's deterministic time, which takes three to eight seconds without presolve."""
BUILD = 60
"""Each literal, statement and term, when the model is made."""
LOAD = 20
"""Each of these, whenever the solver is started."""
LITERAL_SECONDS = 15e-6
"""Seconds that the solver takes to load a literal or a quarter of a statement, which no limit
interrupts."""
ROWS = 500
"""Rows that are given to the solver between two looks at the limits."""
IMPROVING = 3_000_000
"""Steps for a world with as many values as possible that no world has shown yet."""
FOUND = 2
"""Each value of each variable, for each world that is listed: reading the world, excluding it."""


Expression: TypeAlias = Any
"""A literal or a linear expression of CP-SAT; the package states no types."""


class CpSat(Listing):
    """CP-SAT: a world and possible values by solving, the rest by listing all worlds."""

    name: ClassVar[str] = "cpsat"

    def supports(self, model: Model, query: str) -> bool:
        """Return ``True``: a search answers everything."""
        return True

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``."""
        statements = model.statements if selection is None else selection
        encoding = _Encoding(model, statements, meter)
        state = encoding.solve(meter)
        return None if state is None else model.world(state)

    def possible(self, model: Model, meter: Meter) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that each variable has in some world, by harvesting.

        Each world has to show at least one value that no world has shown yet, and as many of them
        as the solver finds in a moment. It shows all worlds that differ from it in one variable,
        too, so that what is hardly constrained needs no more worlds than it has kinds of values.
        When no such world exists, the values that are missing are impossible. Cost: at most one
        solution per value, mostly far fewer, and one refutation.
        """
        left = model.left
        if left is None:
            bounds = Bounds(model, meter=meter)
            left = bounds.narrow(bounds.start)
        if left == IMPOSSIBLE:
            return {}
        encoding = _Encoding(model, model.statements, meter)
        seen = 0
        while worlds := encoding.harvest(meter, left & ~seen):
            for world in worlds:
                seen |= model.around(world, meter) & left
        return model.left_by(seen) if seen else {}

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Yield every world once, in batches that double: 1, 2, 4, ... are found at a time.

        The solver starts anew for each batch, without the worlds that it has already given; so no
        search is left running while the caller looks at a world, and none is longer than what the
        caller has used so far. Memory: all worlds yielded.
        """
        encoding = _Encoding(model, model.statements, meter)
        size = 1
        while True:
            batch, complete = encoding.enumerate(meter, size)
            for state in batch:
                meter.spend(FOUND * encoding.literals)
                encoding.exclude(state)
                yield model.world(state)
            if complete:
                return
            if len(batch) < size:
                raise _over(meter)
            size *= 2


class _Encoding:
    """A CP-SAT model of some statements, and its solver."""

    def __init__(
        self,
        model: Model,
        statements: Sequence[Statement],
        meter: Meter = UNLIMITED,
        names: Sequence[str] = (),
    ) -> None:
        self._meter = meter
        open_ = sum(domain.bit_count() for domain in model.domains)
        seconds = (open_ + 4 * len(statements)) * LITERAL_SECONDS
        left = meter.seconds_left()
        if left is not None and seconds > left:
            raise Undecided("not decided within the time limit, too short to start the solver")
        with meter.loading():
            self._package = _load()
        self._cp = self._package.CpModel()
        self._solver = self._package.CpSolver()
        self._solver.parameters.num_workers = 1
        self._solver.parameters.cp_model_presolve = False
        # The handler of the solver would swallow Ctrl-C; ours is in `_run`.
        self._solver.parameters.catch_sigint_signal = False
        self._model, self._statements = model, statements
        self._literals: dict[int, cp_model.IntVar] = {}
        """The Boolean of each bit of a state."""
        self._reified: dict[int, tuple[Node, Expression]] = {}
        """The conditions inside others, by identity, each with a Boolean: whether it holds."""
        for i, domain in enumerate(model.domains):
            meter.check()
            mine = list(bits_of(domain << (i * model.stride)))
            self._literals.update((bit, self._new_bool(i, bit, named=bool(names))) for bit in mine)
            self._cp.add_exactly_one(self._literals[bit] for bit in mine)
        together = Summed((), frozenset(), {}) if names else summed(model, statements)
        self._has_integers = bool(together.sums)
        self._add_integers(together)
        for n, statement in enumerate(statements):
            meter.check()
            if n in together.counts or n in together.sums:
                continue
            first = len(self._cp.proto.constraints)
            self._add(statement)
            for constraint in list(self._cp.proto.constraints)[first:] if names else ():
                constraint.name = names[n]
        terms = [
            len(s.form.terms) for s in statements if isinstance(s.form, CompiledCount | CompiledSum)
        ]
        self._size = len(self._literals) + len(statements) + sum(terms)
        self._built = False

    @property
    def literals(self) -> int:
        """How many values all variables have together."""
        return len(self._literals)

    def _new_bool(self, i: int, bit: int, *, named: bool) -> Expression:
        """Return the Boolean of a bit of the state, which belongs to variable ``i``."""
        if not named:
            return self._cp.new_bool_var("")
        (value,) = self._model.values_in(i, bit >> i * self._model.stride)
        return self._cp.new_bool_var(f"{name_of(self._model.variables[i])}={name_of(value)}")

    def _add_integers(self, together: Summed) -> None:
        """State what is summed in integers, which are the places of values."""
        model, numbers = self._model, {}
        for i in dict.fromkeys(i for group in together.groups for i in group):
            numbers[i] = number = self._cp.new_int_var(0, model.width - 1, "")
            for bit in bits_of(model.domains[i] << (i * model.stride)):
                place, literal = bit.bit_length() - 1 - i * model.stride, self._literals[bit]
                self._cp.add(number == place).only_enforce_if(literal)
                self._cp.add(number != place).only_enforce_if(~literal)
        for group in together.groups:
            self._cp.add_all_different([numbers[i] for i in group])
        for n, (factors, constant) in together.sums.items():
            self._meter.check()
            form = self._statements[n].form
            assert isinstance(form, CompiledSum)
            amount = sum(factor * numbers[i] for i, factor in factors) + constant
            self._limit(amount, form)

    def text(self) -> str:
        """Return the model in the text format of protocol buffers."""
        return str(self._cp.proto)

    def exclude(self, state: int) -> None:
        """Forbid a solution that has been given."""
        self._cp.add_bool_or(~self._literals[bit] for bit in bits_of(state))

    def solve(self, meter: Meter) -> int | None:
        """Return a solution as a state, or ``None``."""
        self._solver.parameters.enumerate_all_solutions = False
        if self._decided(meter, None) == self._package.INFEASIBLE:
            return None
        return self._state(self._solver.value)

    def harvest(self, meter: Meter, fresh: int) -> list[int]:
        """Return solutions that have at least one of the fresh bits; empty: there is none.

        The solver first looks for a solution with as many fresh bits as possible, and each one
        that it finds on its way counts too: to load the model takes longer than to improve on a
        solution.
        """
        wanted = [literal for bit, literal in self._literals.items() if bit & fresh]
        if not wanted:
            return []
        self._solver.parameters.enumerate_all_solutions = False
        self._cp.add_bool_or(wanted)
        self._cp.clear_hints()
        for literal in wanted:
            self._cp.add_hint(literal, 1)
        if self._has_integers:
            solution = self.solve(meter)
            return [] if solution is None else [solution]
        self._cp.maximize(sum(wanted))
        shown: list[int] = []
        read = self._state

        class Collect(self._package.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(self) -> None:
                shown.append(read(self.value))

        status = self._run(meter, Collect(), most=IMPROVING)
        self._cp.clear_objective()
        if status != self._package.UNKNOWN:
            return shown
        solution = self.solve(meter)
        return [] if solution is None else [solution]

    def enumerate(self, meter: Meter, number: int) -> tuple[list[int], bool]:
        """Return at most ``limit`` solutions, and whether these are all."""
        found: list[int] = []
        read = self._state

        class Collect(self._package.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(self) -> None:
                found.append(read(self.value))
                if len(found) == number:
                    self.stop_search()

        self._solver.parameters.enumerate_all_solutions = True
        status = self._decided(meter, Collect())
        return found, status != self._package.FEASIBLE

    def _decided(self, meter: Meter, callback: Any) -> int:
        """Return the solver's status; raise `Undecided` when it does not know."""
        status = self._run(meter, callback)
        if status == self._package.UNKNOWN:
            raise _over(meter)
        return status

    def _run(self, meter: Meter, callback: Any, most: int | None = None) -> int:
        """Return the solver's status after at most some steps; stop when Ctrl-C is pressed."""
        if not self._built:
            self._built = True
            meter.spend(BUILD * self._size)
        meter.spend(LOAD * self._size)
        parameters = self._solver.parameters
        seconds = meter.seconds_left()
        if seconds is not None:
            parameters.max_time_in_seconds = max(0.0, seconds - self._size * LITERAL_SECONDS)
        if meter.budget.memory is not None:
            parameters.max_memory_in_mb = max(1, meter.budget.memory >> 20)
        left = inf if meter.budget.steps is None else max(0, meter.budget.steps - meter.steps)
        if most is not None:
            left = min(left, most)
        parameters.max_deterministic_time = left / DETERMINISTIC_SECOND
        status: int = self._package.UNKNOWN
        failed: list[BaseException] = []
        done, cancelled = Event(), Event()

        def run() -> None:
            nonlocal status
            try:
                if not cancelled.is_set():
                    status = self._solver.solve(self._cp, callback)
            except BaseException as error:
                failed.append(error)
            finally:
                done.set()

        thread = Thread(target=run, daemon=True)
        try:
            thread.start()
            done.wait()  # not Thread.join: an interrupted join takes the thread for finished
        except KeyboardInterrupt:
            cancelled.set()
            # A solver that is about to begin ignores that it should stop, so it is told again.
            while thread.is_alive() and not done.is_set():
                self._solver.stop_search()
                done.wait(0.05)
            raise
        if failed:
            raise failed[0]
        spent = self._solver.response_proto.deterministic_time
        meter.spend(int(spent * DETERMINISTIC_SECOND))
        return status

    def _state(self, value: Callable[[Any], int]) -> int:
        return sum(bit for bit, literal in self._literals.items() if value(literal))

    def _add(self, statement: Statement) -> None:
        model = self._model
        for bit in bits_of(model.start & ~statement.keep):
            self._cp.add_bool_or(~self._literals[bit])
        form = statement.form
        if isinstance(form, CompiledCount):
            number = sum(self._literals[bit] for bit in bits_of(form.inside))
            self._cp.add_linear_constraint(number, form.low, max(form.low, form.high))
        elif isinstance(form, CompiledSum):
            self._limit(self._amount(form.terms), form)
        elif isinstance(form, CompiledWhere):
            self._add_rows(form)
        elif isinstance(form, CompiledLogic):
            for part, sign in conjuncts(form.root):
                one_of = disjuncts(part, want=sign)
                self._cp.add_bool_or([self._literal(node, want=want) for node, want in one_of])

    def _limit(self, amount: Expression, form: CompiledSum) -> None:
        # CP-SAT takes an empty range for a wrong model; no Sum is below its lower bound.
        self._cp.add_linear_constraint(amount, form.low, max(form.low, form.high))
        if form.high < form.low:
            self._cp.add_bool_or([])

    def _amount(self, terms: Sequence[tuple[int, Levels]]) -> Expression:
        """Return what the values of some variables add up to."""
        return sum(
            amount * self._literals[bit]
            for i, levels in terms
            for amount, mask in levels
            for bit in bits_of(mask << (i * self._model.stride))
            if amount
        )

    def _literal(self, node: Node, *, want: bool) -> Expression:
        """Return a Boolean that is true exactly if a condition holds (or does not)."""
        if id(node) not in self._reified:
            self._meter.check()
            self._reified[id(node)] = node, self._condition(node)
        literal = self._reified[id(node)][1]
        return literal if want else ~literal

    def _condition(self, node: Node) -> Expression:
        if isinstance(node, Literal):
            bits = list(bits_of(node.mask << node.shift))
            if len(bits) == 1:
                return self._literals[bits[0]]
            holds = self._cp.new_bool_var("")
            self._cp.add(sum(self._literals[bit] for bit in bits) == holds)
            return holds
        holds = self._cp.new_bool_var("")
        if isinstance(node, Listed):
            rows = []
            for number, row in enumerate(node.table.rows):
                if number % ROWS == 0:
                    self._meter.check()
                rows.append(self._cp.new_bool_var(""))
                values = [self._literals[bit] for bit in bits_of(row)]
                self._cp.add_bool_and(values).only_enforce_if(rows[-1])
                self._cp.add_bool_or([rows[-1], *(~value for value in values)])
            self._cp.add(sum(rows) == holds)
        elif isinstance(node, Linear):
            self._within(self._amount(node.terms), node.low, node.high, *node.bounds, holds)
        else:
            parts = [self._literal(part, want=sign) for part, sign in node.parts]
            self._within(sum(parts), node.low, node.high, 0, len(parts), holds)
        return holds

    def _within(
        self, amount: Expression, low: int, high: int, least: int, most: int, holds: Expression
    ) -> None:
        """Make a Boolean true exactly if an amount is between two bounds."""
        if low <= high:
            self._cp.add_linear_constraint(amount, low, high).only_enforce_if(holds)
        else:
            self._cp.add_bool_or([~holds])
        outside = [[a, b] for a, b in ((least, low - 1), (high + 1, most)) if a <= b]
        if outside:
            domain = self._package.Domain.from_intervals(outside)
            self._cp.add_linear_expression_in_domain(amount, domain).only_enforce_if(~holds)
        else:
            self._cp.add_bool_or([holds])

    def _add_rows(self, where: CompiledWhere) -> None:
        """Forbid the rows that are not in the table, or choose one that is, whichever are fewer."""
        model = self._model
        domains = [list(bits_of(model.domains[i] << (i * model.stride))) for i in where.variables]
        if prod(map(len, domains)) < 2 * len(where.rows):
            allowed = where.allowed
            for number, bits in enumerate(product(*domains)):
                if number % ROWS == 0:
                    self._meter.check()
                if sum(bits) not in allowed:
                    self._cp.add_bool_or(~self._literals[bit] for bit in bits)
            return
        choices = []
        for number, row in enumerate(where.rows):
            if number % ROWS == 0:
                self._meter.check()
            chosen = self._cp.new_bool_var("")
            choices.append(chosen)
            for bit in bits_of(row):
                self._cp.add_implication(chosen, self._literals[bit])
        self._cp.add_bool_or(choices)


def _over(meter: Meter) -> Undecided:
    budget = meter.budget
    limit = f"{budget.seconds:g} s" if budget.seconds is not None else f"{budget.steps} steps"
    return Undecided(f"CP-SAT has not decided within {limit}")


def _load() -> Any:
    """Return the package; a Ctrl-C while it is imported comes afterwards, since it swallows one."""
    with interrupted_later():
        try:
            from ortools.sat.python import cp_model
        except ImportError:
            raise missing_package("the engine 'cpsat'", "ortools") from None
    return cp_model
