"""Refutation: a search that finds a world, or the statements by which it excluded every world.

Propagation goes from statement to statement by the variables that they share. Each step records
which values it removed and which earlier removals it rests on, so that a conflict can be followed
back to the statements that it needs (as in Marques-Silva and Sakallah, *GRASP: a search algorithm
for propositional satisfiability*, 1999). A choice that is refuted becomes a removal of its own,
which rests on what its refutation needed; a choice that was not needed is undone without trying the
other side.
"""

from __future__ import annotations

from collections.abc import Sequence

from deduce.budget import Meter
from deduce.engines.bounds import IMPOSSIBLE, WORD
from deduce.engines.counting.residual import CountResidual, Residual, residual_of
from deduce.engines.model import CompiledWeigh, Model, Statement, bits_of

__all__ = ["Refuter"]

Removal = tuple[int, int, int]
"""The statements that removed values (a bit each), the values, and the removals it rests on."""


class Refuter:
    """Looks for worlds of selections of statements, and records what refutes the others.

    Parameters
    ----------
    model
        The compiled problem.
    statements
        All statements that selections are made of, by position.
    meter
        Counts the work of preparing them.

    Examples
    --------
    >>> from deduce.budget import UNLIMITED
    >>> from deduce.constraints import exactly, is_, is_not
    >>> from deduce.problem import Problem
    >>> hats = {name: ("red", "blue") for name in ("Ann", "Ben", "Cid")}
    >>> told = [is_("Cid", "red"), is_not("Ann", "red"), is_("Ann", "red")]
    >>> model = Model(Problem(hats, told))
    >>> Refuter(model, model.statements, UNLIMITED).solve(0b111, UNLIMITED)
    (None, 6)
    """

    def __init__(self, model: Model, statements: Sequence[Statement], meter: Meter) -> None:
        self.model = model
        self.statements = statements
        self.residuals: list[Residual | None] = []
        self.watch = [0] * len(model.variables)
        """For each variable the Sums and tables about it."""
        self.about = [0] * (len(model.variables) * model.stride)
        """For each value of each variable the Counts of which it makes a fact true."""
        for position, statement in enumerate(statements):
            residual = None
            form = statement.form
            if isinstance(form, CompiledWeigh):
                form = None  # excludes nothing
            if form is not None:
                meter.spend()
                residual = residual_of(form, model, meter)
            if isinstance(residual, CountResidual):
                for bit in bits_of(residual.inside):
                    self.about[bit.bit_length() - 1] |= 1 << position
            elif residual is not None:
                for i in residual.variables:
                    self.watch[i] |= 1 << position
            self.residuals.append(residual)
        self.facts = sum(1 << p for p, s in enumerate(statements) if s.keep != -1)
        self.propagating = sum(1 << p for p, r in enumerate(self.residuals) if r is not None)
        by_degree: dict[int, int] = {}
        for i, watched in enumerate(self.watch):
            for place in range(model.stride):
                watched |= self.about[i * model.stride + place]
            guard = 1 << (i * model.stride + model.width)
            by_degree[watched.bit_count()] = by_degree.get(watched.bit_count(), 0) | guard
        self.tiers = [by_degree[degree] for degree in sorted(by_degree, reverse=True)]
        """The guards of the variables, those first that most statements are about."""
        self.price = 4 + model.start.bit_length() // WORD
        self.hint = 0
        """The world found last, whose values are tried first."""

    def solve(self, chosen: int, meter: Meter) -> tuple[int | None, int]:
        """Return a world as a state and 0, or ``None`` and statements that exclude every world.

        Parameters
        ----------
        chosen
            The statements in force, a bit for each position.
        meter
            Counts the statements that are examined.

        Raises
        ------
        Undecided
            When the meter's budget is used up.
        """
        search = _Search(self, chosen, meter)
        world, core = search.run()
        if world is not None:
            self.hint = world
        return world, core


class _Search:
    """One search; the trail has all removals that led to the state."""

    def __init__(self, refuter: Refuter, chosen: int, meter: Meter) -> None:
        self.refuter = refuter
        self.model = refuter.model
        self.chosen = chosen
        self.meter = meter
        self.state = self.model.start
        self.trail: list[Removal] = []
        self.choices: list[tuple[int, int, int]] = []
        """For each choice: the length of the trail, the state, and the value that it tries."""

    def run(self) -> tuple[int | None, int]:
        queue = self._begin()
        while True:
            conflict = self._narrow(queue)
            if conflict is None:
                value = self._choice()
                if not value:
                    return self.state, 0
                shift = (value.bit_length() - 1) // self.model.stride * self.model.stride
                others = self.state & (self.model.field << shift) & ~value
                self.choices.append((len(self.trail), self.state, value))
                queue = self._remove(0, others, 0)
                continue
            core, needed = conflict
            while self.choices:
                length, state, value = self.choices.pop()
                core, needed, chosen = self._followed_back(core, needed, length + 1)
                if chosen:
                    del self.trail[length:]
                    self.state = state
                    queue = self._remove(core, value, needed)
                    break
                del self.trail[length:]
                self.state = state
            else:
                core, _, _ = self._followed_back(core, needed, 0)
                return None, core

    def _begin(self) -> int:
        """Apply the facts, and return all statements that are to be examined."""
        statements = self.refuter.statements
        for position in bits_of(self.chosen & self.refuter.facts):
            removed = self.state & ~statements[position.bit_length() - 1].keep
            if removed:
                self.trail.append((position, removed, 0))
                self.state &= ~removed
        return self.chosen & self.refuter.propagating

    def _remove(self, core: int, removed: int, needed: int) -> int:
        """Remove values, and return the statements to examine for it."""
        self.trail.append((core, removed, needed))
        self.state &= ~removed
        return self._about(removed)

    def _about(self, changed: int) -> int:
        """Return the statements that values which were removed may have made narrower.

        A Count is one of them where such a value makes a fact true, or where all that are left do;
        then the lowest of these is among the values that make it true.
        """
        stride, watch, about = self.model.stride, self.refuter.watch, self.refuter.about
        state, field = self.state, self.model.field
        queue = 0
        while changed:
            i = (changed.bit_length() - 1) // stride
            shift = i * stride
            values = changed >> shift
            changed ^= values << shift
            queue |= watch[i]
            while values:
                place = values.bit_length() - 1
                queue |= about[shift + place]
                values ^= 1 << place
            left = state >> shift & field
            queue |= about[shift + (left & -left).bit_length() - 1]
        return queue & self.chosen

    def _narrow(self, queue: int) -> tuple[int, int] | None:
        """Propagate; return ``None``, or for a conflict its statement and the removals it needs."""
        model, residuals = self.model, self.refuter.residuals
        full, guards, field = model.full, model.guards, model.field
        work = 0
        try:
            while True:
                empty = guards & ~(self.state + full)
                if empty:
                    shift = (empty.bit_length() - 1) - model.width
                    return 0, model.start & field << shift
                if not queue:
                    return None
                while queue:
                    position = queue & -queue
                    queue ^= position
                    work += 1
                    if work & 127 == 0:
                        self.meter.check()
                    residual = residuals[position.bit_length() - 1]
                    assert residual is not None
                    narrowed = residual.revise(self.state)
                    if narrowed == self.state:
                        continue
                    needed = self._reason(residual)
                    if narrowed == IMPOSSIBLE:
                        return position, needed
                    queue |= self._remove(position, self.state ^ narrowed, needed)
                    break
        finally:
            self.meter.spend(work * self.refuter.price)

    def _reason(self, residual: Residual) -> int:
        """Return removed values because of which a statement narrows the state."""
        if isinstance(residual, CountResidual):
            return residual.reason(self.state) & self.model.start
        return residual.fields & self.model.start & ~self.state

    def _followed_back(self, core: int, needed: int, length: int) -> tuple[int, int, bool]:
        """Return the statements of a conflict, what it needs, and whether it needs the choice.

        Only as far as the choice, which is the removal before ``length``.
        """
        self.meter.spend(1 + (len(self.trail) - length) // 2)
        for position in range(len(self.trail) - 1, length - 1, -1):
            statements, removed, rests_on = self.trail[position]
            if removed & needed:
                core |= statements
                needed = needed & ~removed | rests_on
        if not length:
            return core, needed, False
        choice = self.trail[length - 1][1]
        return core, needed & ~choice, bool(needed & choice)

    def _choice(self) -> int:
        """Return a value of the open variable with the fewest; 0: none is open.

        Of several, one that most statements are about. A value of the world found last comes first.
        """
        model = self.model
        self.meter.spend(self.refuter.price)
        ones, full, guards = model.ones, model.full, model.guards
        left = self.state & (self.state - ones)
        open_ = (left + full) & guards
        if not open_:
            return 0
        left &= open_ - (open_ >> model.width)
        ones = open_ >> model.width
        while True:
            left &= left - ones
            more = (left + full) & open_
            if more != open_:
                break
        fewest = open_ & ~more
        fewest = next(fewest & tier for tier in self.refuter.tiers if fewest & tier)
        shift = (fewest & -fewest).bit_length() - 1 - model.width
        values = self.state & (model.field << shift)
        tried = values & self.refuter.hint or values
        return tried & -tried
