"""The search with component caching as an engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any, ClassVar

from deduce.budget import Meter
from deduce.constraints import Value, Variable
from deduce.engines.base import Joint, Numbers, Question, Ranked, Tally, Weight
from deduce.engines.bounds import IMPOSSIBLE, Bounds
from deduce.engines.counting.graph import Branch, draw, flows
from deduce.engines.counting.search import Search
from deduce.engines.counting.swept import Rounds
from deduce.engines.model import CompiledWeigh, Model, Statement
from deduce.errors import Undecided, Unsupported
from deduce.problem import World

__all__ = ["Components", "with_sweeps"]


class Components:
    """The engine that counts by branching, splitting into components and caching them.

    Parameters
    ----------
    sweeps
        Whether the components that a problem falls into at first may be swept instead, whatever
        is faster; see `deduce.engines.counting.swept.Rounds`.
    """

    name: ClassVar[str] = "components"

    def __init__(self, *, sweeps: bool = False) -> None:
        self.sweeps = sweeps

    def supports(self, model: Model, query: str) -> bool:
        """Return whether the query is one about weights or about one world."""
        return query not in {"numbers", "ranked", "worlds"}

    def solve(
        self, model: Model, meter: Meter, selection: Sequence[Statement] | None = None
    ) -> World | None:
        """Return a world that satisfies the selected statements, or ``None``."""
        searched = self._searched(model, meter, selection=selection)
        return None if searched.root is None else searched.world(Random(0))

    def possible(self, model: Model, meter: Meter) -> Mapping[Variable, frozenset[Value]]:
        """Return the values that each variable has in some world; an empty mapping: no world."""
        tally = self.tally(model, meter, weighted=False)
        return {variable: frozenset(row) for variable, row in tally.of.items()}

    def tally(self, model: Model, meter: Meter, *, weighted: bool) -> Tally:
        """Return the number (or weight) of all worlds, in all and by variable and value.

        Raises
        ------
        Undecided
            The budget is used up; ``at_least`` and ``at_most`` are bounds on the number of worlds.
        """
        searched = self._searched(model, meter, weighted=weighted)
        if searched.root is None:
            return Tally(0, {})
        total = searched.weight(searched.root.total)
        try:
            return Tally(total, searched.marginals(searched.root))
        except Undecided as error:
            if not weighted:
                error.at_least = error.at_most = searched.root.total
            raise

    def total(self, model: Model, meter: Meter, *, weighted: bool) -> Weight:
        """Return the number (or weight) of all worlds."""
        searched = self._searched(model, meter, weighted=weighted, keep=False)
        return 0 if searched.root is None else searched.weight(searched.root.total)

    def joint(
        self, model: Model, meter: Meter, questions: Sequence[Question], *, weighted: bool
    ) -> Joint:
        """Return the number (or weight) of worlds for each combination of answers that occurs.

        Each combination is counted with what the others have left in the cache.
        """
        searched = self._searched(model, meter, weighted=weighted, counted=False, keep=False)
        table: dict[tuple[Value, ...], Weight] = {}
        if searched.state == IMPOSSIBLE:
            return table
        literals = [searched.literals(question) for question in questions]
        for combination in product(*literals):
            state = searched.state
            for _, mask in combination:
                state &= mask
            total = searched.within(state)
            if total:
                answers = tuple(label for label, _ in combination)
                table[answers] = table.get(answers, 0) + searched.weight(total)
        return table

    def sample(
        self, model: Model, meter: Meter, number: int, random: Random, *, weighted: bool
    ) -> Sequence[World]:
        """Return independent worlds, drawn uniformly or by weight; empty when there is none."""
        searched = self._searched(model, meter, weighted=weighted)
        if searched.root is None:
            return []
        worlds = []
        for _ in range(number):
            meter.spend(len(model.variables))
            worlds.append(searched.world(random))
        return worlds

    def _searched(self, model: Model, meter: Meter, **options: Any) -> _Searched:
        return _Searched(model, meter, sweeps=self.sweeps, **options)

    def numbers(self, model: Model, meter: Meter) -> Numbers:
        """Raise `Unsupported`: the search does not follow the numbers of settled likelihoods."""
        raise Unsupported("the engine 'components' does not count by likelihoods; 'counting' does")

    def ranked(self, model: Model, meter: Meter, number: int) -> Ranked:
        """Raise `Unsupported`: the search does not rank worlds."""
        raise Unsupported("the engine 'components' does not rank worlds; 'counting' does")

    def worlds(self, model: Model, meter: Meter) -> Iterator[World]:
        """Raise `Unsupported`: the search does not list worlds."""
        raise Unsupported("the engine 'components' does not list worlds; 'bits' does")


def with_sweeps() -> Components:
    """Return the engine that may sweep components."""
    return Components(sweeps=True)


class _Searched:
    """A model and what the search has found in it."""

    def __init__(
        self,
        model: Model,
        meter: Meter,
        *,
        selection: Sequence[Statement] | None = None,
        weighted: bool = False,
        counted: bool = True,
        sweeps: bool = False,
        keep: bool = True,
    ) -> None:
        self.model = model
        self.bounds = Bounds(model, selection, meter)
        weighs = [
            s.form for s in model.statements if weighted and isinstance(s.form, CompiledWeigh)
        ]
        self.scale = prod(weigh.scale for weigh in weighs)
        self.state = self.bounds.narrow(self.bounds.start)
        self.root: Branch | None = None
        if self.state == IMPOSSIBLE:
            return
        self.search = search = Search(self.bounds, meter, weighs)
        if sweeps:
            search.rounds = Rounds(model, search.residuals, meter, keep=keep)
        if counted:
            try:
                self.root = self.search.count(self.state)
            except Undecided as error:
                if not weighted:
                    error.at_least, error.at_most = self.search.bounds_on_count()
                raise

    def weight(self, scaled: int) -> Weight:
        """Return a weight with its scale divided out; a number of worlds stays an int."""
        return scaled if self.scale == 1 else Fraction(scaled, self.scale)

    def within(self, state: int) -> int:
        """Return the scaled weight of the worlds within a state."""
        state = self.bounds.narrow(state)
        if state == IMPOSSIBLE:
            return 0
        root = self.search.count(state)
        return 0 if root is None else root.total

    def literals(self, question: Question) -> list[tuple[Value, int]]:
        """Return the labels of a question, each with a mask that leaves one of its literals."""
        model = self.model
        result = []
        for label, literals in question.items():
            for variable, values in literals:
                i = model.index[variable]
                outside = model.field & ~model.mask(values)
                mask = ~(outside << (i * model.stride))
                if model.domain(self.state & mask, i):
                    result.append((label, mask))
        return result

    def marginals(self, root: Branch) -> Mapping[Variable, Mapping[Value, Weight]]:
        model = self.model
        of: dict[Variable, dict[Value, Weight]] = {variable: {} for variable in model.variables}
        search = self.search
        found = flows(model, root, search.nodes, search.meter, search.price)
        for bit, flow in sorted(found.items()):
            i, value = divmod(bit.bit_length() - 1, model.stride)
            of[model.variables[i]][model.values[i][value]] = self.weight(flow)
        return of

    def world(self, random: Random) -> World:
        assert self.root is not None
        return self.model.world(draw(self.model, self.root, random))
