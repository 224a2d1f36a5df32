"""What a constraint still demands in a state: the part that it has in the key of a component."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from deduce.budget import Meter
from deduce.engines.core.linear import equations_of
from deduce.engines.core.logic import IMPOSSIBLE, CompiledLogic, within
from deduce.engines.core.masks import positions
from deduce.engines.core.model import (
    CompiledCount,
    CompiledSum,
    CompiledWeigh,
    CompiledWhere,
    Form,
    Model,
)

__all__ = ["CountResidual", "Residual", "Watches", "residual_of"]

Part = tuple[int, Hashable]
"""The guards of the variables that still make a difference, and what is demanded of them."""


class Residual:
    """One constraint as the search with component caching examines it.

    Attributes
    ----------
    variables : tuple
        The variables, by index.
    guards : int
        The guard bits of their fields.
    """

    def __init__(self, form: Form, variables: Sequence[int], model: Model) -> None:
        self.form = form
        self.variables = variables
        self.guards = sum(1 << (i * model.stride + model.width) for i in variables)
        self.fields = self.guards - (self.guards >> model.width)

    def revise(self, state: int) -> int:
        """Return the state without the values that this constraint excludes; or `IMPOSSIBLE`."""
        raise NotImplementedError

    def part(self, state: int) -> Part | None:
        """Return what is still demanded of the open variables; ``None``: nothing."""
        raise NotImplementedError

    def weight(self, state: int) -> int:
        """Return the factor of the worlds of a state in which nothing more is demanded."""
        return 1

    def equations(self, state: int, high: int) -> Sequence[int] | None:
        """Return what is demanded as linear equations modulo 2; ``None``: it is something else.

        Every open variable has two values in the state, the upper of which is one of ``high``
        (`deduce.engines.core.linear`).
        """
        return None


class CountResidual(Residual):
    """A Count as the searches examine it."""

    form: CompiledCount

    def __init__(self, form: CompiledCount, model: Model) -> None:
        super().__init__(form, [i for i, _ in form.terms], model)
        self.inside = sum(mask << (i * model.stride) for i, mask in form.terms)
        self.outside = sum(
            (model.domains[i] & ~mask) << (i * model.stride) for i, mask in form.terms
        )
        self.mask_of = dict(form.terms)
        self.width = model.width

    def range(self, state: int) -> tuple[int, int, int]:
        """Return how many facts hold, how many can, and the guards of those that are open."""
        fields, guards = self.fields, self.guards
        hits = ((state & self.inside) + fields) & guards
        misses = ((state & self.outside) + fields) & guards
        return len(self.variables) - misses.bit_count(), hits.bit_count(), hits & misses

    def revise(self, state: int) -> int:
        """Return the state after propagation of this Count alone; or `IMPOSSIBLE`."""
        form, fields, guards, inside = self.form, self.fields, self.guards, self.inside
        hits = ((state & inside) + fields) & guards
        misses = ((state & self.outside) + fields) & guards
        could, does = hits.bit_count(), len(self.variables) - misses.bit_count()
        if could < form.low or does > form.high:
            return IMPOSSIBLE
        if could == form.low:
            if does < could:
                return state & ~(self.outside & (hits - (hits >> self.width)))
        elif does == form.high and could > does:
            return state & ~(inside & (misses - (misses >> self.width)))
        return state

    def reason(self, state: int) -> int:
        """Return the values whose absence makes `revise` narrow a state that it narrows."""
        fields, guards = self.fields, self.guards
        hits = ((state & self.inside) + fields) & guards
        misses = ((state & self.outside) + fields) & guards
        if hits.bit_count() <= self.form.low:
            without = guards & ~hits
            return self.inside & (without - (without >> self.width))
        settled = guards & ~misses
        return self.outside & (settled - (settled >> self.width))

    def part(self, state: int) -> Part | None:
        """Return how many more facts are to hold, of which variables; ``None``: any number."""
        does, could, open_ = self.range(state)
        low, high = self.form.low - does, self.form.high
        if low <= 0:
            return None if could <= high else (open_, (0, high - does))
        return open_, (low, high - does if could > high else -1)

    def equations(self, state: int, high: int) -> Sequence[int] | None:
        """Return an equation if exactly one of two open facts holds; else ``None``."""
        does, could, open_ = self.range(state)
        if could - does != 2 or not self.form.low == self.form.high == does + 1:
            return None
        unknowns = high & (open_ - (open_ >> self.width))
        return (unknowns | ~(unknowns & self.inside).bit_count() & 1,)


class _Added(Residual):
    """A number that the values of variables add up to."""

    form: CompiledSum | CompiledWeigh

    def __init__(self, form: CompiledSum | CompiledWeigh, model: Model) -> None:
        super().__init__(form, [i for i, _ in form.terms], model)
        self.stride = model.stride
        self.guard = 1 << model.width

    def range(self, state: int) -> tuple[int, int, int]:
        """Return the least and the greatest number, and the guards of the variables in between."""
        least = most = reach = 0
        for i, levels in self.form.terms:
            domain = state >> i * self.stride
            open_ = [amount for amount, mask in levels if domain & mask]
            least += open_[0]
            most += open_[-1]
            if len(open_) > 1:
                reach |= self.guard << i * self.stride
        return least, most, reach


class SumResidual(_Added):
    """A Sum as the searches examine it; a Count under a condition is one, too."""

    form: CompiledSum

    def __init__(self, form: CompiledSum, model: Model) -> None:
        super().__init__(form, model)
        self.mask_of = {
            i: levels[-1][1]
            for i, levels in form.terms
            if len(levels) == 2 and levels[1][0] - levels[0][0] == 1
        }
        """The values of the variables that add one or nothing, where they add one."""

    def revise(self, state: int) -> int:
        return within(self.form.terms, self.form.low, self.form.high, state, self.stride)

    def part(self, state: int) -> Part | None:
        least, most, reach = self.range(state)
        low, high = self.form.low - least, self.form.high
        if low <= 0:
            return None if most <= high else (reach, (0, high - least))
        return reach, (low, high - least if most > high else -1)


class _Where(Residual):
    form: CompiledWhere

    def __init__(self, form: CompiledWhere, model: Model, meter: Meter) -> None:
        super().__init__(form, form.variables, model)
        self.model = model
        self.meter = meter
        self.known: dict[int, tuple[int, int]] = {}
        """For states of the variables: the values that a row allows, and the number of rows."""
        self.affine: dict[int, tuple[int, ...] | None] = {}
        """For states of the variables: their equations, where they have been asked for."""

    def revise(self, state: int) -> int:
        allowed, number = self._allowed(state & self.fields)
        return state & (allowed | ~self.fields) if number else IMPOSSIBLE

    def part(self, state: int) -> Part | None:
        own = state & self.fields
        combinations = 1
        reach = 0
        for i in self.variables:
            size = self.model.domain(own, i).bit_count()
            combinations *= size
            if size > 1:
                reach |= 1 << (i * self.model.stride + self.model.width)
        return None if self._allowed(own)[1] == combinations else (reach, own)

    def equations(self, state: int, high: int) -> Sequence[int] | None:
        own = state & self.fields
        if own not in self.affine:
            number = self._allowed(own)[1]
            found = None
            if number & (number - 1) == 0:
                self.meter.spend(len(self.form.rows))
                rows = [row & high for row in self.form.rows if own & row == row]
                found = equations_of(rows, own & high)
            self.affine[own] = found
        return self.affine[own]

    def _allowed(self, own: int) -> tuple[int, int]:
        known = self.known.get(own)
        if known is None:
            self.meter.spend(self.form.cost)
            known = self.known[own] = self.form.within(own)
        return known


class _Logic(Residual):
    """A condition as the refutation examines it; the searches that count have it lowered."""

    form: CompiledLogic

    def __init__(self, form: CompiledLogic, model: Model) -> None:
        super().__init__(form, form.variables, model)

    def revise(self, state: int) -> int:
        return self.form.narrow(state)


class _Weigh(_Added):
    form: CompiledWeigh

    def revise(self, state: int) -> int:
        return state

    def part(self, state: int) -> Part | None:
        least, most, reach = self.range(state)
        weights = self.form.weights[least : most + 1]
        return None if len(set(weights)) == 1 else (reach, least)

    def weight(self, state: int) -> int:
        return self.form.weights[self.range(state)[0]]


MANY_VALUES = 16
"""Values of a variable that cost a step to note which Count is about them."""


class Watches:
    """Which constraints are to be examined again when a state has become narrower.

    Parameters
    ----------
    residuals
        The constraints by position; ``None`` is one that excludes nothing.
    model, meter
        The numbering, and what looks at the limits.
    """

    def __init__(self, residuals: Iterable[Residual | None], model: Model, meter: Meter) -> None:
        self.stride, self.field = model.stride, model.field
        self.meter = meter
        self.variables = [0] * len(model.variables)
        """For each variable the Sums, tables and likelihoods about it."""
        self.values = [0] * (len(model.variables) * model.stride)
        """For each value of each variable the Counts of which it makes a fact true."""
        for position, residual in enumerate(residuals):
            if isinstance(residual, CountResidual):
                for i, mask in residual.mask_of.items():
                    meter.spend(1 + mask.bit_count() // MANY_VALUES)
                    for j in positions(mask):
                        self.values[i * model.stride + j] |= 1 << position
            elif residual is not None:
                for i in residual.variables:
                    self.variables[i] |= 1 << position

    def about(self, i: int) -> int:
        """Return all constraints about a variable."""
        watched = self.variables[i]
        for position in range(i * self.stride, (i + 1) * self.stride):
            watched |= self.values[position]
        return watched

    def narrower(self, state: int, removed: int) -> int:
        """Return the constraints that values which were removed from a state may make narrower.

        A Count is one of them where such a value makes a fact true, or where all that are left do;
        then the lowest of these is among the values that make it true.
        """
        stride, values, field = self.stride, self.values, self.field
        queue = 0
        while removed:
            i = (removed.bit_length() - 1) // stride
            shift = i * stride
            gone = removed >> shift
            removed ^= gone << shift
            self.meter.spend(gone.bit_length() // MANY_VALUES)
            queue |= self.variables[i]
            while gone:
                place = gone.bit_length() - 1
                queue |= values[shift + place]
                gone ^= 1 << place
            left = state >> shift & field
            queue |= values[shift + (left & -left).bit_length() - 1]
        return queue


def residual_of(form: Form, model: Model, meter: Meter) -> Residual:
    """Return a constraint as the search examines it; one may have many values, so it looks."""
    meter.check()
    if isinstance(form, CompiledCount):
        return CountResidual(form, model)
    if isinstance(form, CompiledSum):
        return SumResidual(form, model)
    if isinstance(form, CompiledWhere):
        return _Where(form, model, meter)
    if isinstance(form, CompiledLogic):
        return _Logic(form, model)
    return _Weigh(form, model)
