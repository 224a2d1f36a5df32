"""Every fact that follows, one after the other, always the cheapest next.

Where no single constraint yields anything, the cheapest step that combines several is looked for.
For each fact that is still missing, the smallest set of constraints that refutes its opposite is
found by implicit hitting sets, as for the explanations of `deduce.reasoning.explain` (an optimal
constrained unsatisfiable subset, OCUS: Gamba, Bogaerts and Guns, *Efficiently explaining CSPs with
unsatisfiable subset optimization*, JAIR 2023). The fact with the fewest constraints is the next
step; for these constraints the fewest citations are found in the same way.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property

from attrs import evolve

from deduce.budget import Budget, Meter
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds, search
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import CompiledCount
from deduce.errors import Undecided
from deduce.knowledge import Knowledge
from deduce.reasoning.conflicts import quickxplain, smallest_conflict
from deduce.steps.board import COMBINED, Board, price
from deduce.steps.facts import (
    Inference,
    Literal,
    Reason,
    Refutation,
    Source,
    Unit,
    literal_of,
    sources_of,
)
from deduce.steps.nested import refute

__all__ = ["Derivation", "combine"]

CHECKS = 300
"""How many checks the search for the fewest constraints of one fact may take."""

CITATIONS = 120
"""How many checks the search for the fewest citations may take."""

CITING = 600_000
"""What this search may spend beyond the search for some citations: a fraction of a second."""

SETS = Budget(steps=4_000)
"""What these searches may spend on hitting sets."""


def combine(board: Board, final: int, meter: Meter, exact: Meter) -> Inference:
    """Return one of the missing facts by the cheapest combination of constraints.

    Parameters
    ----------
    board
        The facts so far, to which no single constraint adds any.
    final
        The values that are possible in the end; fewer than those on the board.
    meter
        Counts the work.
    exact
        Counts the work for the fewest constraints as well. Where its budget does not suffice, the
        constraints and citations of some refutation are returned.

    Raises
    ------
    Undecided
        The meter's budget is used up.
    """
    least = 1 if board.opaque else 2  # what others prove alone is on the board already
    best: tuple[_Refuter, list[int]] | None = None
    proved = True
    missing = _missing(board, final)
    try:
        for literal in missing:
            refuter = _Refuter(board, (literal,), exact)
            conflict, smallest = refuter.fewest_sources(best and len(best[1]))
            proved = proved and smallest
            if conflict is not None:
                best = refuter, [key for key in conflict if isinstance(key, int)]
                if len(conflict) <= least:
                    proved = smallest
                    break
    except Undecided:
        proved = False
    finally:
        meter.spend(exact.steps)
    if best is None:
        return _any_combination(board, missing, meter)
    refuter, sources = best
    refuter.meter = meter
    return refuter.combination(sources, proved=proved)


def _any_combination(board: Board, missing: Sequence[Literal], meter: Meter) -> Inference:
    """Return a missing fact with a refutation of its opposite, the first that is found."""
    sources = [*board.constraints]
    bounds = Bounds(board.model, [board.sources[index].statement for index in sources])
    probed = sorted(
        missing,
        key=lambda literal: (
            bounds.narrow(board.possible & ~board.removed_by(literal)) != IMPOSSIBLE
        ),
    )
    known = {bit: units for bit, units in board.units.items() if units}
    refutation = refute(board.model, board.sources, sources, known, (probed[0],), meter)
    if refutation is None:
        raise Undecided("no refutation was found")
    literals = tuple(board.literals(probed[0].variable, probed[0].bit))
    used = tuple(sorted(refutation.sources))
    free = {("event", e) for index in used if (e := board.sources[index].event) > 0}
    cited = tuple(sorted(refutation.cited - free))
    reason = Reason(used, cited, refutation.needs & ~board.possible, smallest=False)
    return _combination(board, literals, reason, refutation)


def _combination(
    board: Board,
    facts: tuple[Literal, ...],
    reason: Reason,
    refutation: Refutation | None = None,
    *,
    cheapest: bool = False,
) -> Inference:
    """Return what some constraints prove together, with its kind and its cost."""
    kind, cost = "combination", COMBINED * len(reason.sources) + len(reason.cited)
    if not reason.sources:
        kind = "follows"
    elif len(reason.sources) == 1:
        kind = "single"
        cost += price(board, reason.sources[0]) - COMBINED
    return Inference(facts, reason, kind, cost, cheapest, refutation)


class _Refuter:
    """Looks for the fewest constraints, and the fewest citations, that refute a supposition."""

    def __init__(self, board: Board, supposed: tuple[Literal, ...], meter: Meter) -> None:
        self.board = board
        self.model = board.model
        self.supposed = supposed
        self.meter = meter
        self.removed = 0
        for literal in supposed:
            self.removed |= board.removed_by(literal)

    def fewest_sources(self, best: int | None = None) -> tuple[list[Hashable] | None, bool]:
        """Return the fewest constraints, and whether that is proved.

        ``best`` is the number that must be undercut; ``None`` is returned if that is impossible.
        """
        board, model = self.board, self.model
        start = board.possible & ~self.removed
        near = self._connected(start)

        def check(chosen: Sequence[Hashable]) -> int | None:
            statements = [board.sources[key].statement for key in chosen if isinstance(key, int)]
            return next(search(Bounds(model, statements), start, meter=self.meter), None)

        def fitting(state: int) -> set[Hashable]:
            return {key for key in near if model.satisfied(board.sources[key].statement, state)}

        given: list[Hashable] = quickxplain(check, near) if best is None else list(range(best))
        conflict, smallest = smallest_conflict(
            check, near, given, fitting, checks=CHECKS, sets=SETS
        )
        return (None if best is not None and conflict is given else conflict), smallest

    def combination(self, sources: Sequence[int], *, proved: bool) -> Inference:
        """Return the step that these constraints justify, with the fewest citations."""
        board = self.board
        units, smallest = self._citations(sources)
        known: dict[int, list[Unit]] = {}
        needs = 0
        scope = self._scope(sources)
        for bit, names in board.units.items():
            cited = [unit for unit in names if unit in units]
            if bit & scope and cited:
                known[bit] = cited
                needs |= bit
        refutation = None
        if sources:
            refutation = refute(
                self.model, board.sources, sources, known, self.supposed, self.meter
            )
        if refutation is not None:
            needs &= refutation.needs
        first = self.supposed[0]
        literals: tuple[Literal, ...] = ()
        if len(self.supposed) == 1 and first.positive:
            literals = tuple(board.literals(first.variable, first.bit))
        free = {("event", e) for index in sources if (e := board.sources[index].event) > 0}
        reason = Reason(tuple(sorted(sources)), tuple(sorted(units - free)), needs, smallest)
        return _combination(board, literals, reason, refutation, cheapest=proved and smallest)

    def _connected(self, state: int) -> list[int]:
        """Return the open constraints that unsettled variables connect with the supposition."""
        board, model = self.board, self.model
        several = state & (state - model.ones)
        near: set[int] = set()
        reached = {literal.variable for literal in self.supposed}
        waiting = list(reached)
        while waiting:
            for index in board.touching(waiting.pop()):
                if index not in near and not _is_settled(board, index):
                    near.add(index)
                    for other in board.variables_of(index):
                        if other not in reached and model.domain(several, other):
                            reached.add(other)
                            waiting.append(other)
        return sorted(near)

    def _scope(self, sources: Sequence[int]) -> int:
        """Return all values of the variables of the supposition and of these constraints."""
        indices = {literal.variable for literal in self.supposed}
        indices.update(i for index in sources for i in self.board.variables_of(index))
        return sum(self.model.field << (i * self.model.stride) for i in indices)

    def _citations(self, sources: Sequence[int]) -> tuple[set[Unit], bool]:
        """Return the fewest units whose facts refute the supposition with the constraints."""
        board, model = self.board, self.model
        scope = self._scope(sources)
        outside = 0
        for i in range(len(model.variables)):
            left = model.domain(model.start & ~scope, i)
            outside |= (left & -left) << (i * model.stride)
        excluded: dict[Unit, int] = {}
        for bit, names in board.units.items():
            if bit & scope:
                for unit in names:
                    excluded[unit] = excluded.get(unit, 0) | bit
        free = {("event", e) for index in sources if (e := board.sources[index].event) > 0}
        base = (model.start & scope | outside) & ~self.removed
        for unit in free:
            base &= ~excluded.pop(unit, 0)
        bounds = Bounds(model, [board.sources[index].statement for index in sources])
        units = sorted(excluded, key=lambda unit: (-excluded[unit].bit_count(), unit))

        meter = self.meter

        def check(chosen: Sequence[Unit]) -> int | None:
            start = base
            for unit in chosen:
                start &= ~excluded[unit]
            return next(search(bounds, start, meter=meter), None)

        def fitting(state: int) -> set[Unit]:
            return {unit for unit in units if not state & excluded[unit]}

        conflict, smallest = quickxplain(check, units), True
        if conflict:
            meter = self.meter.share(CITING)
            conflict, smallest = smallest_conflict(
                check, units, conflict, fitting, checks=CITATIONS, sets=SETS
            )
            self.meter.spend(meter.steps)
        return {unit for unit in units if unit in conflict} | free, smallest


def _is_settled(board: Board, index: int) -> bool:
    """Return whether a Count holds whichever of the values that are left are chosen."""
    model, possible = board.model, board.possible
    form = board.sources[index].statement.form
    if not isinstance(form, CompiledCount):
        return False
    could = (((possible & form.inside) + model.full) & model.guards).bit_count()
    fails = (((possible & form.outside) + model.full) & model.guards).bit_count()
    return could <= form.high and len(form.terms) - fails >= form.low


def _missing(board: Board, final: int) -> list[Literal]:
    """Return the opposites of the missing facts: values that are not possible in the end."""
    return [literal_of(board.model, bit) for bit in bits_of(board.possible & ~final)]


EXACT = 1_500_000
"""What the search for the fewest constraints of one step may spend: about half a second."""

MAX_EXACT = 6_000_000
"""What these searches may spend in a whole sequence."""


class Derivation:
    """The facts that follow from knowledge and from some marks, derived when they are asked for.

    Parameters
    ----------
    knowledge
        What is known.
    marks
        Facts that count as seen already; each must be certain.
    """

    def __init__(self, knowledge: Knowledge, marks: Iterable[Literal] = ()) -> None:
        self.knowledge = knowledge
        self.model = knowledge.asker.model
        self.sources: list[Source] = sources_of(self.model)
        self.board = Board(self.model, self.sources)
        self.meter: Meter = knowledge.budget.meter()
        self._spent = 0
        for mark in marks:
            if not self.board.is_known(mark):
                self.board.add(mark)
        self.marks = len(self.board.claims)

    @cached_property
    def final(self) -> int:
        """The values that are possible in the end, as a state."""
        model = self.model
        final = 0
        for variable, values in self.knowledge.possible().items():
            field = model.mask(values)
            final |= field << (model.index[variable] * model.stride)
        return final

    def __iter__(self) -> Iterator[Inference]:
        """Yield the steps in their order; what was yielded before is on the board."""
        while True:
            yield from self._single()
            if not self.board.possible & ~self.final:
                return
            yield from self._combined()

    def _single(self) -> Iterator[Inference]:
        board = self.board
        while (offer := board.cheapest()) is not None:
            fact = next(fact for fact in offer.facts if not board.is_known(fact))
            board.add(fact)
            yield evolve(offer, facts=(fact,), cheapest=offer.reason.smallest)

    def _combined(self) -> Iterator[Inference]:
        try:
            exact = Budget(steps=max(0, min(EXACT, MAX_EXACT - self._spent))).meter()
            combined = combine(self.board, self.final, self.meter, exact)
            self._spent += exact.steps
        except Undecided:
            combined = self._unproved()
        for fact in combined.facts:
            if not self.board.is_known(fact):
                self.board.add(fact)
                yield evolve(combined, facts=(fact,))

    def _unproved(self) -> Inference:
        """Return a missing fact, justified by everything that is known."""
        board = self.board
        missing = literal_of(self.model, next(bits_of(board.possible & ~self.final)))
        literals = tuple(board.literals(missing.variable, missing.bit))
        cited = {unit for units in board.units.values() for unit in units}
        reason = Reason(
            tuple(board.constraints), tuple(sorted(cited)), self.model.start & ~board.possible
        )
        return _combination(board, literals, reason)

    def conclude(self, supposed: Iterable[Literal]) -> Inference:
        """Return the cheapest proof that these facts cannot all hold, from what is on the board.

        Raises
        ------
        Undecided
            The budget is used up.
        """
        refuter = _Refuter(self.board, tuple(supposed), self.meter)
        conflict, smallest = refuter.fewest_sources()
        chosen = [key for key in conflict or () if isinstance(key, int)]
        return evolve(refuter.combination(chosen, proved=smallest), facts=())
