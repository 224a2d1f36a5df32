"""Depth-first search on bitsets: propagate, bound, branch where the fewest ways are open.

A branch is either a variable, value by value, or one fact of a Count that still needs some to hold
("at least one of these three"), true or false. Branching on the Count that has the least choice
left is what refutes quickly when one hand must meet many such demands: of the hardest checks of
recorded Cluedo explanations, those that took over 5000 branchings by variables take under 30.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from deduce.budget import Budget, Meter
from deduce.constraints import Value, Variable
from deduce.engines.bounds import IMPOSSIBLE, Bounds
from deduce.engines.listing import Listing
from deduce.engines.model import Model, Statement
from deduce.problem import World

__all__ = ["Bits", "search"]

Branches = tuple[int, int, int]
"""``(others, values, shift)``: a state for each of the values that a variable may have, from the
least on, or without values one state. Only those that are tried take memory."""


def search(
    bounds: Bounds, start: int | None = None, *, meter: Meter | None = None, hamming: bool = True
) -> Iterator[int]:
    """Yield every complete state (one bit a field) that satisfies the counts and tables.

    Parameters
    ----------
    bounds
        The constraints in force.
    start
        The possible values to search in; all that the facts leave when left out.
    meter
        Counts the constraints examined, in the steps of a `Budget`.
    hamming
        Whether the Hamming bound prunes at every node; the answers are the same without it.

    Raises
    ------
    Undecided
        When the meter's budget is used up.
    """
    meter = meter or Budget().meter()
    stack: list[Branches] = [(bounds.start if start is None else start, 0, 0)]
    branching = len(bounds.model.variables) + len(bounds.counts) // 4
    paid = bounds.work
    while stack:
        others, values, shift = stack.pop()
        value = values & -values
        if value != values:
            stack.append((others, values ^ value, shift))
        possible = bounds.narrow(others | value << shift)
        meter.spend(bounds.work - paid)
        paid = bounds.work
        if possible == IMPOSSIBLE:
            continue
        branches = _branches(bounds, possible)
        if not branches:
            yield possible
            continue
        if hamming and bounds.refutes(possible):
            continue
        meter.spend(branching)
        stack.extend(branches)


class Bits(Listing):
    """The search as an engine; the other queries list all worlds."""

    name: ClassVar[str] = "bits"

    def __init__(self, *, hamming: bool = True) -> None:
        self.hamming = hamming

    def supports(self, model: Model, query: str) -> bool:
        """Return ``True``: a search answers everything."""
        return True

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``."""
        bounds = Bounds(model, selection, meter)
        state = next(search(bounds, meter=meter, hamming=self.hamming), None)
        return None if state is None else model.world(state)

    def possible(self, model: Model, meter: Meter) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that each variable has in some world, by harvesting.

        Every world that is found settles all its values at once; only what no world has shown yet
        is searched for. Cost: at most one search per value.
        """
        bounds = Bounds(model, meter=meter)
        left = bounds.narrow(bounds.start)
        if left == IMPOSSIBLE:
            return {}
        seen = 0
        while missing := left & ~seen:
            bit = missing & -missing
            i = (bit.bit_length() - 1) // model.stride
            start = left & ~(model.field << (i * model.stride)) | bit
            world = next(search(bounds, start, meter=meter, hamming=self.hamming), None)
            if world is not None:
                seen |= world
            else:
                left = bounds.narrow(left & ~bit)
                if left == IMPOSSIBLE:
                    return {}
        return {
            variable: frozenset(model.values_in(i, model.domain(left, i)))
            for i, variable in enumerate(model.variables)
        }

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Yield every world once, in the order of the branching."""
        return map(
            model.world, search(Bounds(model, meter=meter), meter=meter, hamming=self.hamming)
        )


def _branches(bounds: Bounds, possible: int) -> list[Branches]:
    """Return the states to try, the first to be tried last; none when every field is settled."""
    model = bounds.model
    fewest, variable = _narrowest(model, possible)
    if not fewest:
        return []
    literals = _tightest(bounds, possible, fewest)
    if literals:
        literal = literals & -literals
        shift = (literal.bit_length() - 1) // model.stride * model.stride
        chosen = possible & ~(model.field << shift) | literal
        return [(possible & ~literal, 0, 0), (chosen, 0, 0)]
    shift = variable * model.stride
    return [(possible & ~(model.field << shift), model.domain(possible, variable), shift)]


def _narrowest(model: Model, possible: int) -> tuple[int, int]:
    """Return the least number of values of an open variable, and the variable; 0: none is open."""
    best, fewest = -1, 0
    for i in range(len(model.variables)):
        size = model.domain(possible, i).bit_count()
        if size > 1 and (not fewest or size < fewest):
            best, fewest = i, size
            if size == 2:
                break
    return fewest, best


def _tightest(bounds: Bounds, possible: int, fewest: int) -> int:
    """Return the open facts of the Count with the least choice, if that is less than ``fewest``.

    The choice of a Count is how many of its open facts may still fail.
    """
    model = bounds.model
    several = possible & (possible - model.ones)
    lone = model.guards & ~(several + model.full)
    settled = possible & (lone - (lone >> model.width))
    literals = 0
    for count in bounds.counts:
        if count.low and count.single:
            could = possible & count.inside
            does = settled & count.inside
            number = does.bit_count()
            if number < count.low:
                choice = could.bit_count() - count.low
                if choice < fewest:
                    fewest, literals = choice, could & ~does
    return literals
