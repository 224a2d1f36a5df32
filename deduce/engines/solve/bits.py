"""Depth-first search on bitsets (`deduce.engines.core.bounds.search`) as an engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from deduce.budget import Meter
from deduce.constraints import Value, Variable
from deduce.engines.base import Listing
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds, search
from deduce.engines.core.model import Model, Statement
from deduce.problem import World

__all__ = ["Bits"]


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
        return model.left_by(left)

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Yield every world once, in the order of the branching."""
        return map(
            model.world, search(Bounds(model, meter=meter), meter=meter, hamming=self.hamming)
        )
