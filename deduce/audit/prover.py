"""Proofs that `deduce.audit.checker` verifies: what an audit found, for anybody to check.

A search goes through the constraints one at a time and records which values each of them excludes.
Where they yield nothing more, a value is supposed; the refutation of that excludes the value. At
the end only the steps remain on which the conclusion rests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from attrs import frozen

from deduce.budget import Meter
from deduce.constraints import Constraint
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.model import CompiledCount, CompiledSum, Model, Statement
from deduce.errors import Undecided
from deduce.steps.facts import variables_in

__all__ = ["Prover", "Steps", "length"]

Steps: TypeAlias = list[Any]
"""Numbers of constraints, and suppositions with the steps that refute them."""

MAX_DEPTH = 100
"""How deep suppositions may be inside one another."""


@frozen
class _Removal:
    """What a step excludes, and the excluded values on which it rests."""

    step: Any
    removed: int
    needs: int


def length(steps: Steps) -> int:
    """Return the number of steps, those inside suppositions included.

    >>> length([3, {"if": [0, 1], "then": [5, 2]}])
    4
    """
    return sum(1 if isinstance(step, int) else 1 + length(step["then"]) for step in steps)


class Prover:
    """Proves what follows from the statements of a model; their numbers begin with 1.

    Parameters
    ----------
    model
        The compiled problem.
    meter
        Counts the work.
    """

    def __init__(self, model: Model, meter: Meter) -> None:
        self.model, self.meter = model, meter
        self._statements: dict[int, Statement] = {}
        self._bounds: dict[int, Bounds] = {}
        self._scopes: dict[int, int] = {}
        self._about = [0] * len(model.variables)
        self._usable = 0
        for number, statement in enumerate(model.statements, 1):
            self._add(number, statement)

    def _add(self, number: int, statement: Statement) -> None:
        self._statements[number] = statement
        self._bounds[number] = Bounds(self.model, [statement])
        self._scopes[number] = _scope(self.model, statement)
        for i in variables_in(self.model, self._scopes[number]):
            self._about[i] |= 1 << number

    def prove(
        self, *, allowed: int = 0, without: int = 0, suppose: Constraint | None = None
    ) -> Steps | None:
        """Return steps that exclude all values but those that are allowed; ``None``: it is false.

        Parameters
        ----------
        allowed
            A state; of 0 the steps lead to a contradiction.
        without
            The number of a statement that may not be used.
        suppose
            A further constraint, whose number is the next one.

        Raises
        ------
        Undecided
            The meter's budget is used up, or suppositions are nested too deeply.
        """
        number = len(self.model.statements) + 1
        about = self._about.copy()
        self._usable = (1 << number) - 2 & ~(1 << without)
        if suppose is not None:
            self._add(number, self.model.compile(suppose))
            self._usable |= 1 << number
        found = self._search(self.model.start, allowed, self._usable, 0)
        self._about = about
        return None if found is None else found[0]

    def _search(
        self, state: int, allowed: int, pending: int, depth: int
    ) -> tuple[Steps, int] | None:
        """Return the steps that a proof needs, and the values excluded before on which it rests."""
        model = self.model
        trail: list[_Removal] = []
        if depth > MAX_DEPTH:
            raise Undecided("the proof nests too many suppositions")
        while True:
            while pending:
                number = pending.bit_length() - 1
                pending ^= 1 << number
                left = self._narrowed(number, state)
                if left == state:
                    continue
                needs = self._scopes[number] & ~state
                if left == IMPOSSIBLE:
                    steps, needs = _sliced(trail, needs)
                    return [*steps, number], needs
                trail.append(_Removal(number, state & ~left, needs))
                for i in variables_in(model, state & ~left):
                    pending |= self._about[i] & self._usable
                state = left
            if not state & ~allowed:
                return _sliced(trail, model.start & ~allowed)
            i, value = self._choice(state, allowed)
            if not value:
                return None
            shift = i * model.stride
            field = model.field << shift
            found = self._search(
                state & ~field | value << shift, 0, self._about[i] & self._usable, depth + 1
            )
            if found is None:
                return None
            domain = model.problem.domains[model.variables[i]]
            position = [1 << model.place[each] for each in domain].index(value)
            step = {"if": [i, position], "then": found[0]}
            trail.append(_Removal(step, value << shift, found[1] & ~field))
            state &= ~(value << shift)
            if not state & field:
                return _sliced(trail, model.start & field)
            pending = self._about[i] & self._usable

    def _narrowed(self, number: int, state: int) -> int:
        """Return what one statement leaves of a state."""
        model = self.model
        state &= self._statements[number].keep
        self.meter.spend()
        if (state + model.full) & model.guards != model.guards:
            return IMPOSSIBLE
        if self._statements[number].form is None:
            return state
        bounds = self._bounds[number]
        before = bounds.work
        left = bounds.narrow(state)
        self.meter.spend(bounds.work - before)
        return left

    def _choice(self, state: int, allowed: int) -> tuple[int, int]:
        """Return a variable with few values, and one that is not allowed; 0: all are settled."""
        model = self.model
        several = state & (state - model.ones)
        open_ = [
            i for i in variables_in(model, several) if model.domain(state & ~allowed, i)
        ]  # fmt: skip
        if not open_:
            return 0, 0
        i = min(open_, key=lambda i: model.domain(state, i).bit_count())
        wrong = model.domain(state & ~allowed, i)
        return i, wrong & -wrong


def _scope(model: Model, statement: Statement) -> int:
    """Return all values of the variables that a statement is about."""
    form = statement.form
    if isinstance(form, CompiledCount | CompiledSum):
        names: Sequence[int] = [i for i, _ in form.terms]
    else:
        names = () if form is None else form.variables
    excluded = model.start & ~statement.keep
    fields = (
        model.domains[i] << i * model.stride for i in {*names, *variables_in(model, excluded)}
    )
    return sum(fields)


def _sliced(trail: Sequence[_Removal], needs: int) -> tuple[Steps, int]:
    """Return the steps that exclude some values, and the values excluded before that they need."""
    kept = []
    for each in reversed(trail):
        if each.removed & needs:
            kept.append(each.step)
            needs = needs & ~each.removed | each.needs
    return kept[::-1], needs
