"""Which variable a search with component caching branches on, and into which sets of values.

The variables are chosen so that a component falls apart early: against the order of an elimination
by minimum degree, as in Korhonen and Järvisalo, *Integrating tree decompositions into decision
heuristics of propositional model counters* (CP 2021); where the decomposition is too wide to help,
a variable with the fewest values is chosen, and of these the one that most is demanded of; or, if a
Count leaves less choice than any variable, whether one of its facts holds. Where most constraints
are linear equations modulo 2, only variables of the others are branched on: what is left then is
eliminated (`deduce.engines.core.linear`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log2
from typing import Any

from attrs import define, field

from deduce.budget import Meter
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model
from deduce.engines.core.residual import CountResidual, Residual, Watches

__all__ = ["MAX_CLIQUE", "Branching", "Subproblem"]

MAX_WIDTH = 40.0
"""Bits of the widest bag of a decomposition that is still followed."""

MAX_SHARE = 0.25
"""The share of the bits of all variables that this bag may have."""

MAX_CLIQUE = 24
"""A constraint about more open variables than this does not count for the decomposition."""

WIDE = 64
"""With more values than this, the values of each variable are counted, not removed one by one."""

MAX_ORDERED = 1500
"""More variables than this are not decomposed, since that takes quadratic time."""


@define(eq=False)
class Subproblem:
    """A component that is to be counted."""

    state: int
    guards: int
    active: list[int]
    key: Hashable
    mask: int = 0
    """The active constraints, a bit each."""
    reaches: list[int] = field(factory=list)
    """For each active constraint the guards of the variables that it is still about."""
    demands: tuple[tuple[int, Any], ...] = ()
    """For each active constraint its number, and what is demanded of these variables."""
    others: int = 0
    """The guards of the variables of constraints that are not linear, where most are."""


class Branching:
    """How the components of a problem are branched on.

    Parameters
    ----------
    model, residuals, watches
        The problem, and its constraints as the search looks at them.
    meter
        Counts what the decomposition takes.
    """

    def __init__(
        self, model: Model, residuals: Sequence[Residual], watches: Watches, meter: Meter
    ) -> None:
        self.model = model
        self.residuals = residuals
        self.watches = watches
        self.meter = meter
        self.rank: list[int] = []
        self.dynamic = True

    def choices(self, part: Subproblem) -> list[tuple[int, int]]:
        """Return the states to try for one variable, each with the constraints to examine."""
        model = self.model
        candidates = part.others
        if not candidates:
            candidates = self._narrowest(part) if self.dynamic else part.guards
        i = candidates.bit_length() // model.stride - 1
        literal = None
        if self.dynamic:
            literal = self._literal(part, model.domain(part.state, i).bit_count())
        if literal is not None:
            i, mask = literal
            domain = model.domain(part.state, i)
            pieces = [domain & mask, domain & ~mask]
        else:
            i = self._variable(part, candidates)
            domain = model.domain(part.state, i)
            pieces = self._pieces(part, i, domain)
        shift = i * model.stride
        others = part.state & ~(model.field << shift)
        choices = []
        for piece in pieces:
            state = others | piece << shift
            removed = (domain ^ piece) << shift
            choices.append((state, self.watches.narrower(state, removed) & part.mask))
        return choices

    def _pieces(self, part: Subproblem, i: int, domain: int) -> list[int]:
        """Return the values of a variable, those together that no constraint distinguishes."""
        about = self.watches.about(i)
        pieces = [domain]
        for number in part.active:
            if about >> number & 1:
                masks = self.residuals[number].masks(i)
                if masks is None:
                    return list(bits_of(domain))
                for mask in masks:
                    pieces = [
                        piece
                        for whole in pieces
                        for piece in (whole & mask, whole & ~mask)
                        if piece
                    ]
        return pieces

    def _literal(self, part: Subproblem, fewest: int) -> tuple[int, int] | None:
        """Return a variable and values of it, of the Count that leaves the least choice.

        ``None`` if a variable with the fewest values leaves less.
        """
        if fewest == 2:
            return None
        best = None
        for (number, demand), reach in zip(part.demands, part.reaches, strict=True):
            residual = self.residuals[number]
            if isinstance(residual, CountResidual) and demand[0] > 0:
                choice = reach.bit_count() - demand[0] + 1
                if choice < fewest:
                    fewest, best = choice, (residual, reach)
        if best is None:
            return None
        residual, reach = best
        stride = self.model.stride
        variables = [guard.bit_length() // stride - 1 for guard in bits_of(reach)]
        i = min(variables, key=lambda i: self.model.domain(part.state, i).bit_count())
        return i, residual.mask_of[i]

    def _variable(self, part: Subproblem, candidates: int) -> int:
        """Return the variable to branch on, of those with a guard in ``candidates``.

        Where a decomposition is followed, the one that it has first. Elsewhere the one that most
        constraints are about, where a constraint counts for a quarter with each further variable
        that it is still about.
        """
        stride, rank = self.model.stride, self.rank
        variables = [guard.bit_length() // stride - 1 for guard in bits_of(candidates)]
        if not self.dynamic or len(variables) == 1:
            return min(variables, key=rank.__getitem__)
        score = dict.fromkeys(variables, 0.0)
        for reach in part.reaches:
            weight = 4.0 ** -min(reach.bit_count(), MAX_CLIQUE)
            for guard in bits_of(reach & candidates):
                score[guard.bit_length() // stride - 1] += weight
        return max(variables, key=lambda i: (score[i], -rank[i]))

    def _narrowest(self, part: Subproblem) -> int:
        """Return the guards of the variables of a component that have the fewest values."""
        if self.model.stride > WIDE:
            width, state = self.model.width, part.state
            size_of = {
                guard: (state & (guard - (guard >> width))).bit_count()
                for guard in bits_of(part.guards)
            }
            fewest = min(size_of.values())
            return sum(guard for guard, size in size_of.items() if size == fewest)
        ones = part.guards >> self.model.width
        fields = part.guards - ones
        left = part.state & fields
        while True:
            left &= left - ones
            more = (left + fields) & part.guards
            if more != part.guards:
                return part.guards & ~more

    def decompose(self, state: int) -> None:
        """Rank the variables: what an elimination by minimum degree leaves to the end is first."""
        model = self.model
        size = len(model.variables)
        domains = [model.domain(state, i).bit_count() for i in range(size)]
        open_ = [i for i in range(size) if domains[i] > 1]
        self.rank = list(range(size))
        if len(open_) > MAX_ORDERED:
            return
        near = dict.fromkeys(open_, 0)
        for residual in self.residuals:
            scope = [i for i in residual.variables if domains[i] > 1]
            if len(scope) <= MAX_CLIQUE:
                mask = sum(1 << i for i in scope)
                for i in scope:
                    near[i] |= mask
        bits = {i: log2(domains[i]) for i in open_}
        width = 0.0
        position = size
        for i in near:
            near[i] &= ~(1 << i)
        while near:
            self.meter.spend(len(near))
            i = min(near, key=lambda i: (near[i].bit_count(), -bits[i]))
            mask = near.pop(i)
            position -= 1
            self.rank[i] = position
            around = [j for j in near if mask >> j & 1] if mask else []
            for j in around:
                near[j] = (near[j] | mask) & ~(1 << i | 1 << j)
            width = max(width, bits[i] + sum(bits[j] for j in around))
        self.dynamic = width > min(MAX_WIDTH, MAX_SHARE * sum(bits.values()))
