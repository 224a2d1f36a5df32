"""Every fact that follows, one after the other, always the cheapest next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from attrs import frozen

from deduce.budget import Meter
from deduce.engines.masks import bits_of
from deduce.engines.model import CompiledCount, CompiledWhere
from deduce.errors import Undecided
from deduce.knowledge import Knowledge
from deduce.steps.board import Board
from deduce.steps.combine import Combination, combine, conclude
from deduce.steps.cost import COMBINED, COUNTING, EVENT, ONE_PLACE, TABLE
from deduce.steps.facts import Literal, Reason, Source, sources_of
from deduce.steps.nested import Refutation

__all__ = ["Derivation", "Derived"]

EXACT = 1_500_000
"""What the search for the fewest constraints of one step may spend: about half a second."""

MAX_EXACT = 6_000_000
"""What these searches may spend in a whole sequence."""


@frozen
class Derived:
    """A fact that follows, as the engine knows it.

    ``index`` is that of the claim on the board; ``fact`` is ``None`` for a conclusion that is not a
    single fact.
    """

    index: int
    fact: Literal | None
    reason: Reason
    cost: int
    kind: str
    cheapest: bool
    refutation: Refutation | None = None


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

    def __iter__(self) -> Iterator[Derived]:
        """Yield the steps in their order; what was yielded before is on the board."""
        while True:
            yield from self._single()
            if not self.board.possible & ~self.final:
                return
            yield from self._combined()

    def _single(self) -> Iterator[Derived]:
        board = self.board
        while (offer := board.cheapest()) is not None:
            fact = next(fact for fact in offer.facts if not board.is_known(fact))
            index = board.add(fact)
            yield Derived(index, fact, offer.reason, offer.cost, offer.kind, offer.reason.smallest)

    def _combined(self) -> Iterator[Derived]:
        try:
            exact = min(EXACT, MAX_EXACT - self._spent)
            before = self.meter.steps
            found = combine(self.board, self.final, self.meter, max(0, exact))
            self._spent += self.meter.steps - before
        except Undecided:
            found = self._unproved()
        for fact in found.literals:
            if not self.board.is_known(fact):
                index = self.board.add(fact)
                yield self._derived(index, fact, found)

    def _unproved(self) -> Combination:
        """Return a missing fact, justified by everything that is known."""
        board = self.board
        bit = next(bits_of(board.possible & ~self.final))
        i = (bit.bit_length() - 1) // self.model.stride
        literals = tuple(board.literals(i, bit >> (i * self.model.stride)))
        cited = {unit for units in board.units.values() for unit in units}
        reason = Reason(
            tuple(board.constraints), tuple(sorted(cited)), self.model.start & ~board.possible
        )
        cost = COMBINED * len(board.constraints) + len(cited)
        return Combination(literals, reason, None, cost, cheapest=False)

    def conclude(self, supposed: Iterable[Literal]) -> Derived:
        """Return why these facts cannot all hold, from what is on the board now.

        Raises
        ------
        Undecided
            The budget is used up.
        """
        return self._derived(-1, None, conclude(self.board, tuple(supposed), self.meter))

    def _derived(self, index: int, fact: Literal | None, found: Combination) -> Derived:
        kind, cost = "combination", found.cost
        if not found.reason.sources:
            kind = "follows"
        elif len(found.reason.sources) == 1:
            kind = "single"
            cost += self._price(found.reason.sources[0]) - COMBINED
        return Derived(index, fact, found.reason, cost, kind, found.cheapest, found.refutation)

    def _price(self, index: int) -> int:
        form = self.sources[index].statement.form
        if self.sources[index].event:
            return EVENT
        if isinstance(form, CompiledWhere):
            return TABLE
        one = isinstance(form, CompiledCount) and form.high == 1
        return ONE_PLACE if one else COUNTING
