"""Which variable a search with component caching branches on, and into which sets of values.

A variable with the fewest values is chosen, and of these the one that most is demanded of; or, if a
Count (or a Sum of ones, which is a Count under a condition) leaves less choice than any variable,
whether one of its facts holds. Where most constraints are linear equations modulo 2, only variables
of the others are branched on: what is left then is eliminated (`deduce.engines.core.linear`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from attrs import define, field

from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import Model
from deduce.engines.core.residual import CountResidual, Residual, SumResidual, Watches

__all__ = ["MAX_CLIQUE", "Branching", "Subproblem"]

MAX_CLIQUE = 24
"""Constraints about more open variables than this count alike for the choice of one."""


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
    """

    def __init__(self, model: Model, residuals: Sequence[Residual], watches: Watches) -> None:
        self.model = model
        self.residuals = residuals
        self.watches = watches

    def choices(self, part: Subproblem) -> list[tuple[int, int]]:
        """Return the states to try for one variable, each with the constraints to examine."""
        model = self.model
        candidates = part.others or self._narrowest(part)
        i = candidates.bit_length() // model.stride - 1
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
        best, stride = None, self.model.stride
        for (number, demand), reach in zip(part.demands, part.reaches, strict=True):
            residual = self.residuals[number]
            if isinstance(residual, CountResidual | SumResidual) and demand[0] > 0:
                choice = reach.bit_count() - demand[0] + 1
                if choice < fewest:
                    variables = [guard.bit_length() // stride - 1 for guard in bits_of(reach)]
                    if residual.mask_of.keys() >= {*variables}:
                        fewest, best = choice, (residual, variables)
        if best is None:
            return None
        residual, variables = best
        i = min(variables, key=lambda i: self.model.domain(part.state, i).bit_count())
        return i, residual.mask_of[i]

    def _variable(self, part: Subproblem, candidates: int) -> int:
        """Return the variable to branch on, of those with a guard in ``candidates``.

        The one that most constraints are about, where a constraint counts for a quarter with each
        further variable that it is still about.
        """
        stride = self.model.stride
        variables = [guard.bit_length() // stride - 1 for guard in bits_of(candidates)]
        if len(variables) == 1:
            return variables[0]
        score = dict.fromkeys(variables, 0.0)
        for reach in part.reaches:
            weight = 4.0 ** -min(reach.bit_count(), MAX_CLIQUE)
            for guard in bits_of(reach & candidates):
                score[guard.bit_length() // stride - 1] += weight
        return max(variables, key=lambda i: (score[i], -i))

    def _narrowest(self, part: Subproblem) -> int:
        """Return the guards of the variables of a component that have the fewest values."""
        width, state = self.model.width, part.state
        size_of = {
            guard: (state & (guard - (guard >> width))).bit_count()
            for guard in bits_of(part.guards)
        }
        fewest = min(size_of.values())
        return sum(guard for guard, size in size_of.items() if size == fewest)
