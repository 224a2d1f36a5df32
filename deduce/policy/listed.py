"""Rating questions over worlds side by side: all worlds, or worlds that were drawn.

With numpy, everything is counted by arrays (`deduce.policy.arrays`). Without numpy, or for weights
that floats cannot add exactly, the cells of `deduce.policy.rating` are dictionaries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from math import log2
from typing import TYPE_CHECKING, Any

from deduce.constraints import Value, Variable
from deduce.policy.information import Weight, entropy, jackknife
from deduce.policy.inquiries import Answer, Inquiry, answers_to, scope_of
from deduce.policy.rating import Cell, Given, Left, Rating, rate_cells
from deduce.problem import World

if TYPE_CHECKING:
    from deduce.policy.arrays import Arrays

__all__ = ["ListedWorlds"]

MAX_EXACT = 2**53
"""Floats hold all whole numbers up to this one."""


class ListedWorlds:
    """Worlds with their weights, over which questions are rated.

    Parameters
    ----------
    game
        Answers the questions.
    domains
        The values that each variable may have.
    worlds
        The worlds.
    weights
        A whole number for each world.
    solutions
        What is asked about, for each world; ``None``: which world it is.
    parts
        Of how many parts of equal size the worlds are drawn; 1: they are all worlds.
    drawn_from
        From how many worlds they are drawn, if they are and it is known.
    """

    def __init__(
        self,
        game: Any,
        domains: Mapping[Variable, Sequence[Value]],
        worlds: Sequence[World],
        weights: Sequence[int],
        solutions: Sequence[Hashable] | None,
        *,
        parts: int = 1,
        drawn_from: int | None = None,
    ) -> None:
        self.game = game
        self.domains = domains
        self.worlds = worlds
        self.weights = weights
        self.solutions = solutions
        self.parts = parts
        self.drawn_from = drawn_from

    def rate(self, inquiry: Inquiry, form: Hashable) -> Rating:
        """Return the rating of a question; questions of one form share their answers."""
        scope = scope_of(self.game, inquiry)
        if self._uses_arrays:
            gain, error, left = self._arrays.rate(inquiry, form, scope)
        else:
            gain, error, left = self._rate_plainly(inquiry, scope)
        if self.parts > 1 and self.solutions is None:
            total = sum(item.weight for item in left.values())
            left = {answer: self._estimated(item, total) for answer, item in left.items()}
        return Rating(gain, error, left)

    def entropy(self) -> tuple[float, float]:
        """Return the entropy of what is asked about, estimated from drawn worlds; its error."""
        size = len(self.worlds)
        parts: list[Counter[Hashable]] = [Counter() for _ in range(self.parts)]
        for i, solution in enumerate(self.solutions or ()):
            parts[i * self.parts // size][solution] += self.weights[i]
        whole = sum(parts, Counter[Hashable]())
        return jackknife(entropy(whole), [entropy(whole - part) for part in parts])

    @cached_property
    def _uses_arrays(self) -> bool:
        return find_spec("numpy") is not None and sum(self.weights) < MAX_EXACT // 5040

    @cached_property
    def _arrays(self) -> Arrays:
        from deduce.policy.arrays import Arrays

        return Arrays(
            self.game, self.domains, self.worlds, self.weights, self.solutions, self.parts
        )

    def _estimated(self, left: Left, total: Weight) -> Left:
        """Return what an answer leaves where the worlds are only a sample of all.

        ``total`` is the weight of all answers.
        """
        if self.drawn_from is None:
            return Left(left.weight, None, None, None)
        share = float(left.weight) / float(total)
        return Left(left.weight, log2(self.drawn_from * share), None, None)

    def _rate_plainly(
        self, inquiry: Inquiry, scope: tuple[Variable, ...] | None
    ) -> tuple[float, float, Mapping[Answer, Left]]:
        size = len(self.worlds)
        given: dict[Hashable, Given] = {}
        keys: list[Hashable] = []
        for world in self.worlds:
            key: Hashable = len(keys) if scope is None else tuple(world[v] for v in scope)
            if key not in given:
                given[key] = answers_to(self.game, inquiry, world)
            keys.append(key)

        def rated(leave_out: int | None) -> tuple[float, Mapping[Answer, Left]]:
            cells: dict[Hashable, Cell] = {}
            for i, key in enumerate(keys):
                if leave_out is None or i * self.parts // size != leave_out:
                    self._count(cells.setdefault(key, Cell()), i)
            return rate_cells([(given[key], cell) for key, cell in cells.items()])

        gain, left = rated(None)
        if self.parts == 1:
            return gain, 0.0, left
        return *jackknife(gain, [rated(part)[0] for part in range(self.parts)]), left

    def _count(self, cell: Cell, i: int) -> None:
        weight = self.weights[i]
        cell.weight += weight
        cell.worlds = (cell.worlds or 0) + 1
        cell.log += weight * log2(weight)
        if self.solutions is not None:
            row = cell.solutions = cell.solutions or {}
            row[self.solutions[i]] = row.get(self.solutions[i], 0) + weight
