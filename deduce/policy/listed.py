"""Rating questions over worlds side by side: all worlds, or worlds that were drawn.

With numpy, every variable that an answer reads is an array with one number for each world, and the
cells of `deduce.policy.rating` are counted by ``bincount``; all numbers stay below 2**53, so that
floats add them exactly. Without numpy, or for larger weights, the cells are dictionaries.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from math import lcm, log2, prod
from typing import TYPE_CHECKING, Any

from attrs import define, field

from deduce.constraints import Variable
from deduce.policy.information import NOISE, jackknife
from deduce.policy.inquiries import Answer, Inquiry, answers_to, scope_of
from deduce.policy.rating import Cell, Given, Left, Rating, rate_cells
from deduce.problem import World

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

__all__ = ["ListedWorlds"]

MAX_KEYS = 4096
"""Up to this number of combinations of values, they are counted in an array with all of them."""

MAX_CELLS = 50
"""Up to this number of pairs of a key and a solution for each world, all have a place in an array.

With more of them almost all are empty, and each answer is counted by itself.
"""

MAX_EXACT = 2**53
"""Floats hold all whole numbers up to this one."""


class ListedWorlds:
    """Worlds with their weights, over which questions are rated.

    Parameters
    ----------
    game
        Answers the questions.
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
        worlds: Sequence[World],
        weights: Sequence[int],
        solutions: Sequence[Hashable] | None,
        *,
        parts: int = 1,
        drawn_from: int | None = None,
    ) -> None:
        self.game = game
        self.worlds = worlds
        self.weights = weights
        self.solutions = solutions
        self.parts = parts
        self.drawn_from = drawn_from
        self._answers: dict[Hashable, _Answers] = {}

    def rate(self, inquiry: Inquiry, form: Hashable) -> Rating:
        """Return the rating of a question; questions of one form share their answers."""
        scope = scope_of(self.game, inquiry)
        if self._uses_arrays:
            gain, error, left = self._arrays.rate(inquiry, form, scope)
        else:
            gain, error, left = self._rate_plainly(inquiry, scope)
        if self.parts > 1 and self.solutions is None:
            left = {answer: self._estimated(item) for answer, item in left.items()}
        return Rating(gain, error, left)

    def answers(self, inquiry: Inquiry, form: Hashable, scope: Any) -> _Answers:
        """Return the answers that were already asked for, by the values in the scope."""
        domains = scope if scope is None else len(scope)
        return self._answers.setdefault((form, domains), _Answers())

    @cached_property
    def _uses_arrays(self) -> bool:
        return find_spec("numpy") is not None and sum(self.weights) < MAX_EXACT // 5040

    @cached_property
    def _arrays(self) -> _Arrays:
        return _Arrays(self)

    def _estimated(self, left: Left) -> Left:
        """Return what an answer leaves where the worlds are only a sample of all."""
        if self.drawn_from is None:
            return Left(left.weight, None, None, None)
        share = float(left.weight) / len(self.worlds)
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


@define
class _Answers:
    """The answers of a form that are known: each gets a number, each key a row of shares."""

    numbers: dict[Answer, int] = field(factory=dict)
    rows: dict[Hashable, Given] = field(factory=dict)
    scale: int = 1

    def add(self, key: Hashable, given: Given) -> None:
        self.rows[key] = given
        for answer, share in given:
            self.numbers.setdefault(answer, len(self.numbers))
            self.scale = lcm(self.scale, share.denominator)


class _Arrays:
    """The worlds as arrays."""

    def __init__(self, listed: ListedWorlds) -> None:
        import numpy as np

        self.np = np
        self.listed = listed
        worlds = listed.worlds
        size = len(worlds)
        self.size = size
        self.weights = np.array(listed.weights, dtype=np.float64)
        self.logs = self.weights * np.log2(self.weights) if size else self.weights
        self.equal = bool(size) and len(set(listed.weights)) == 1
        self.part = np.arange(size) * listed.parts // max(size, 1)
        self.columns: dict[Variable, tuple[Ints, list[Any]]] = {}
        self.solution, self.kinds = np.zeros(size, dtype=np.int64), 1
        if listed.solutions is not None:
            number: dict[Hashable, int] = {}
            self.solution = np.array(
                [number.setdefault(s, len(number)) for s in listed.solutions], dtype=np.int64
            )
            self.kinds = len(number)

    def column(self, variable: Variable) -> tuple[Ints, list[Any]]:
        """Return the value of a variable in each world as a number, and the values."""
        if variable not in self.columns:
            number: dict[Any, int] = {}
            column = self.np.array(
                [number.setdefault(world[variable], len(number)) for world in self.listed.worlds],
                dtype=self.np.int64,
            )
            self.columns[variable] = column, list(number)
        return self.columns[variable]

    def keys(self, scope: tuple[Variable, ...]) -> tuple[Ints, int, list[list[Any]]]:
        """Return the key of each world as a number, how many there could be, and the values."""
        key = self.np.zeros(self.size, dtype=self.np.int64)
        values = []
        for variable in scope:
            column, named = self.column(variable)
            key = key * len(named) + column
            values.append(named)
        return key, prod(map(len, values)), values

    def rate(
        self, inquiry: Inquiry, form: Hashable, scope: tuple[Variable, ...] | None
    ) -> tuple[float, float, Mapping[Answer, Left]]:
        np = self.np
        answers = self.listed.answers(inquiry, form, scope)
        if scope is not None:
            key, size, values = self.keys(scope)
        if scope is None or size > MAX_KEYS:
            key, rows = self._rows_by_world(inquiry, scope, answers)
            size = len(rows)
        else:
            rows = [()] * size
            for number in np.nonzero(np.bincount(key, minlength=size))[0]:
                digits, rest = [], int(number)
                for named in reversed(values):
                    rest, digit = divmod(rest, len(named))
                    digits.append(named[digit])
                named_values = tuple(reversed(digits))
                if named_values not in answers.rows:
                    world = dict(zip(scope or (), named_values, strict=True))
                    answers.add(named_values, answers_to(self.listed.game, inquiry, world))
                rows[number] = answers.rows[named_values]
        shares = np.zeros((size, len(answers.numbers)))
        for number, given in enumerate(rows):
            for answer, share in given:
                shares[number, answers.numbers[answer]] = int(share * answers.scale)
        return self._rate(key, size, shares, answers)

    def _rows_by_world(
        self, inquiry: Inquiry, scope: tuple[Variable, ...] | None, answers: _Answers
    ) -> tuple[Ints, list[Given]]:
        """Return the keys and rows where each world is asked by itself; equal answers are one."""
        key = []
        rows: dict[Given, int] = {}
        for world in self.listed.worlds:
            seen: Hashable = None if scope is None else tuple(world[v] for v in scope)
            given = answers.rows.get(seen) if scope is not None else None
            if given is None:
                given = answers_to(self.listed.game, inquiry, world)
                answers.add(seen if scope is not None else ("row", given), given)
            key.append(rows.setdefault(given, len(rows)))
        return self.np.array(key, dtype=self.np.int64), list(rows)

    def _rate(
        self, key: Ints, size: int, shares: Floats, answers: _Answers
    ) -> tuple[float, float, Mapping[Answer, Left]]:
        np = self.np
        parts = self.listed.parts
        asks_world = self.listed.solutions is None
        kinds = 1 if asks_world else self.kinds
        if asks_world or parts * size * kinds <= MAX_CELLS * self.size:
            cell = (self.part * size + key) * kinds + self.solution
            weight = np.bincount(cell, self.weights, parts * size * kinds)
            rows = shares.T @ weight.reshape(parts, size, kinds)  # parts x answers x solutions
        else:
            cell, cells = self.part * kinds + self.solution, parts * kinds
            counted = [np.bincount(cell, self.weights * row[key], cells) for row in shares.T]
            rows = np.stack(counted).reshape(-1, parts, kinds).swapaxes(0, 1)
        by_key = np.bincount(self.part * size + key, self.weights, parts * size)
        by_key = by_key.reshape(parts, size)
        whole = rows.sum(axis=0)
        logs = np.bincount(key, self.logs, size) if asks_world else None
        with np.errstate(divide="ignore", invalid="ignore"):
            chosen = np.where(shares > 0, shares * np.log2(shares / answers.scale), 0.0).sum(axis=1)
        weight = by_key.sum(axis=0)
        gain, bits = self._information(whole, weight, chosen, shares, logs, answers)
        error = 0.0
        if parts > 1:
            without = [
                self._information(
                    whole - rows[p], weight - by_key[p], chosen, shares, None, answers
                )[0]
                for p in range(parts)
            ]
            gain, error = jackknife(gain, without)
        worlds = np.bincount(key, minlength=size) @ (shares > 0)
        totals = whole.sum(axis=1)
        open_ = (whole > 0).sum(axis=1)
        exact = parts == 1
        left = {
            answer: Left(
                int(totals[i]),
                None if bits is None else max(0.0, float(bits[i])),
                int(worlds[i] if asks_world else open_[i]),
                int(worlds[i]) if exact else None,
            )
            for answer, i in answers.numbers.items()
            if totals[i]
        }
        return gain, error, left

    def _information(
        self,
        table: Floats,
        weight: Floats,
        chosen: Floats,
        shares: Floats,
        logs: Floats | None,
        answers: _Answers,
    ) -> tuple[float, Floats | None]:
        """Return the expected information, and the bits that each answer leaves."""
        np = self.np
        totals = table.sum(axis=1)
        total = totals.sum()
        if not total:
            return 0.0, None
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.listed.solutions is not None:
                bits = _entropies(table, totals)
                now = _entropies(table.sum(axis=0)[None, :], total[None])[0]
                gain = float(now - (totals * bits).sum() / total)
            else:
                bits = None
                # The entropy of the answer, less what a player chooses in each world.
                answer = _entropies(totals[None, :], total[None])[0]
                gain = float(answer + (weight * chosen).sum() / total)
                if logs is not None:
                    part = np.where(shares > 0, shares / answers.scale, 0.0)
                    log_share = np.where(part > 0, part * np.log2(part), 0.0)
                    sums = part.T @ logs + log_share.T @ weight
                    alone = totals / answers.scale
                    bits = np.where(alone > 0, np.log2(alone) - sums / alone, 0.0)
                    bits = np.where(bits > 1e-9, bits, 0.0)
        return (gain if gain > NOISE else 0.0), bits


def _entropies(table: Floats, totals: Floats) -> Floats:
    """Return the entropy in bits of each row, of which the totals are given."""
    import numpy as np

    share = table / np.where(totals > 0, totals, 1.0)[:, None]
    terms = np.where(share > 0, -share * np.log2(np.where(share > 0, share, 1.0)), 0.0)
    result: Floats = terms.sum(axis=1)
    return result
