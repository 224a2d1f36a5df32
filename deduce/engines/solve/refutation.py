"""Refutation: a search that finds a world, or the statements by which it excluded every world.

Propagation goes from statement to statement by the variables that they share. Each step records
which values it removed and which earlier removals it rests on, so that a conflict can be followed
back to the statements that it needs (as in Marques-Silva and Sakallah, *GRASP: a search algorithm
for propositional satisfiability*, 1999). A choice that is refuted becomes a removal of its own,
which rests on what its refutation needed; a choice that was not needed is undone without trying the
other side.

A search begins from a world that is near: the *candidate* has its values, except where they are
excluded by now. Only statements that the candidate violates are branched on, and the search ends
when there are none, so that a check which differs from the last one in a single statement changes a
few variables, not all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deduce.budget import Meter
from deduce.engines.core.bounds import IMPOSSIBLE, WORD
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model, Statement
from deduce.engines.core.residual import CountResidual, Residual, Watches, residual_of

__all__ = ["Refuter"]

MANY_VALUES = 64
"""With more values than this, variables with few values are found one by one."""

MAX_CLOSE = 24
"""A Count about more variables than this is met last, by the variables that matter least."""

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
        self.facts_about = [0] * len(model.variables)
        """For each variable the facts about it."""
        for position, statement in enumerate(statements):
            residual = None
            form = statement.form
            if form is not None:
                meter.spend()
                residual = residual_of(form, model, meter)
            self.residuals.append(residual)
            for i in self.variables(model.start & ~statement.keep):
                self.facts_about[i] |= 1 << position
        self.facts = sum(1 << p for p, s in enumerate(statements) if s.keep != -1)
        self.propagating = sum(1 << p for p, r in enumerate(self.residuals) if r is not None)
        self.watches = Watches(self.residuals, model, meter)
        by_degree: dict[int, int] = {}
        for i in range(len(model.variables)):
            degree = self.watches.about(i).bit_count()
            by_degree[degree] = by_degree.get(degree, 0) | 1 << (i * model.stride + model.width)
        self.tiers = [by_degree[degree] for degree in sorted(by_degree, reverse=True)]
        """The guards of the variables, those first that most statements are about."""
        self.price = 4 + model.start.bit_length() // WORD
        self.first = model.start & ~(model.start - model.ones)
        """The first value of each variable, which is where the first search begins."""
        self.fits = 0
        """The statements that these satisfy."""
        for position, statement in enumerate(statements):
            meter.check()
            if model.satisfied(statement, self.first):
                self.fits |= 1 << position

    def variables(self, state: int) -> Iterator[int]:
        """Yield the variables of which a state has values, the last first."""
        stride = self.model.stride
        while state:
            i = (state.bit_length() - 1) // stride
            yield i
            state &= (1 << i * stride) - 1

    def fitting(self, world: int, near: int, fits: int) -> int:
        """Return the statements that a world satisfies, by those that a near one does."""
        for position in bits_of(self.moved(world ^ near)):
            statement = self.statements[position.bit_length() - 1]
            if self.model.satisfied(statement, world):
                fits |= position
            else:
                fits &= ~position
        return fits

    def moved(self, changed: int) -> int:
        """Return the statements about values that a variable has in one of two worlds only."""
        touched = 0
        for i in self.variables(changed):
            touched |= self.watches.variables[i] | self.facts_about[i]
        for bit in bits_of(changed):
            touched |= self.watches.values[bit.bit_length() - 1]
        return touched

    def solve(
        self, chosen: int, meter: Meter, near: int | None = None, fits: int = 0
    ) -> tuple[int | None, int]:
        """Return a world as a state and 0, or ``None`` and statements that exclude every world.

        Parameters
        ----------
        chosen
            The statements in force, a bit for each position.
        meter
            Counts the statements that are examined.
        near, fits
            A complete state whose values are tried first, and the statements that it satisfies.

        Raises
        ------
        Undecided
            When the meter's budget is used up.
        """
        if near is None:
            near, fits = self.first, self.fits
        return _Search(self, chosen, meter, near, fits).run()


class _Search:
    """One search; the trail has all removals that led to the state, except those by facts."""

    def __init__(self, refuter: Refuter, chosen: int, meter: Meter, near: int, fits: int) -> None:
        self.refuter = refuter
        self.model = refuter.model
        self.chosen = chosen
        self.meter = meter
        self.state = self.model.start
        self.near = self.candidate = near
        self.unmet = chosen & refuter.propagating & ~fits
        """The statements that the candidate violates."""
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
                    return self.candidate, 0
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
                core, needed, _ = self._followed_back(core, needed, 0)
                return None, core | self._facts(needed)

    def _begin(self) -> int:
        """Apply the facts, and return all statements that are to be examined."""
        statements = self.refuter.statements
        for position in bits_of(self.chosen & self.refuter.facts):
            self.state &= statements[position.bit_length() - 1].keep
        return self.chosen & self.refuter.propagating

    def _facts(self, needed: int) -> int:
        """Return facts that remove these values."""
        refuter = self.refuter
        core = 0
        for i in refuter.variables(needed):
            for position in bits_of(refuter.facts_about[i] & self.chosen):
                keep = refuter.statements[position.bit_length() - 1].keep
                if needed & ~keep:
                    core |= position
                    needed &= keep
        return core

    def _remove(self, core: int, removed: int, needed: int) -> int:
        """Remove values, and return the statements to examine for it."""
        self.trail.append((core, removed, needed))
        self.state &= ~removed
        return self.refuter.watches.narrower(self.state, removed) & self.chosen

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
        """Return a value to try; 0: the candidate is a world.

        Of a variable that an unmet statement is about, one with the fewest values, and of these one
        that most statements are about. A value of the near world comes first.
        """
        model, refuter = self.model, self.refuter
        self._move()
        if not self.unmet:
            return 0
        state, ones, full, width = self.state, model.ones, model.full, model.width
        open_ = ((state & (state - ones)) + full) & model.guards  # several values are left
        wide = reach = 0
        for position in bits_of(self.unmet):
            residual = refuter.residuals[position.bit_length() - 1]
            assert residual is not None
            if len(residual.variables) > MAX_CLOSE:
                wide |= position
            else:
                reach |= residual.guards
        self.meter.spend(self.unmet.bit_count())
        if not reach:
            return self._exchange(wide, open_)
        open_ &= reach
        if width > MANY_VALUES:
            return self._value(self._fewest(open_), refuter.tiers, state)
        first = open_ >> width
        left = state & (state - ones) & (open_ - first)
        while True:
            left &= left - first
            more = (left + full) & open_
            if more != open_:
                break
        return self._value(open_ & ~more, refuter.tiers, state)

    def _fewest(self, guards: int) -> int:
        """Return the guards of those variables that have the fewest values."""
        model = self.model
        by_size: dict[int, int] = {}
        for guard in bits_of(guards):
            i = (guard.bit_length() - 1) // model.stride
            size = model.domain(self.state, i).bit_count()
            by_size[size] = by_size.get(size, 0) | guard
            self.meter.check()
        return by_size[min(by_size)]

    def _exchange(self, wide: int, open_: int) -> int:
        """Return a value that brings one of these unmet statements nearer to being met.

        A Count of many variables leaves a choice, so one that few statements are about is changed.
        """
        refuter = self.refuter
        residual = refuter.residuals[wide.bit_length() - 1]
        assert residual is not None
        values = residual.fields
        if isinstance(residual, CountResidual):
            does = (self.candidate & residual.inside).bit_count()
            inside, outside = residual.inside, residual.outside
            values, others = (inside, outside) if does < residual.form.low else (outside, inside)
            wrong = ((self.candidate & others) + self.model.full) & open_
            open_ = ((self.state & values) + self.model.full) & wrong
        else:
            open_ &= residual.guards
        return self._value(open_, refuter.tiers[::-1], self.state & values)

    def _value(self, guards: int, tiers: Sequence[int], values: int) -> int:
        """Return one of the values of a variable of the first of the tiers."""
        model = self.model
        guards = next(guards & tier for tier in tiers if guards & tier)
        shift = (guards & -guards).bit_length() - 1 - model.width
        values &= model.field << shift
        tried = values & self.near or values
        return tried & -tried

    def _move(self) -> None:
        """Make the candidate one of the state, and note which statements it violates."""
        model, refuter, state = self.model, self.refuter, self.state
        kept = state & self.near
        gone = model.guards & ~(kept + model.full)
        first = state & ~(state - model.ones) & (gone - (gone >> model.width))
        changed = self.candidate ^ (kept | first)
        self.candidate ^= changed
        work = 0
        for position in bits_of(refuter.moved(changed) & self.chosen & refuter.propagating):
            work += 1
            statement = refuter.statements[position.bit_length() - 1]
            if model.satisfied(statement, self.candidate):
                self.unmet &= ~position
            else:
                self.unmet |= position
        self.meter.spend(refuter.price + work)
