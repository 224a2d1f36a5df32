"""The facts known so far, and the cheapest that single constraints add to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from deduce.engines.masks import bits_of
from deduce.engines.model import CompiledCount, CompiledSum, CompiledWhere, Model
from deduce.steps.facts import Facts, Literal, Source, variables_in
from deduce.steps.offers import ROWS, Offer, offer

__all__ = ["Board"]


class Board(Facts):
    """The facts known so far, with all that single constraints add to them.

    Parameters
    ----------
    model
        The compiled problem.
    sources
        Its rules and evidence, from `sources_of`.
    active
        The indices of the sources that may be used; all by default.
    stated
        Whether facts that a source states itself are offered, and may be cited by their event.
    level
        What the units of its own claims are called.
    """

    def __init__(
        self,
        model: Model,
        sources: Sequence[Source],
        active: Iterable[int] | None = None,
        *,
        stated: bool = True,
        level: str = "claim",
    ) -> None:
        super().__init__(model, sources, level)
        self.constraints: list[int] = []
        self.opaque: list[int] = []
        """Constraints that are too large, or of a kind, to be examined completely here."""
        self._heap: list[tuple[int, int, int]] = []
        self._version: dict[int, int] = {}
        self._offers: dict[int, Offer] = {}
        self._touching: list[list[int]] = [[] for _ in model.variables]
        self._dirty: set[int] = set()
        for index in range(len(sources)) if active is None else active:
            self._add_source(index, stated=stated)
        self._dirty.update(self.constraints)
        self._dirty.update(~i for i in range(len(model.variables)))

    def _add_source(self, index: int, *, stated: bool) -> None:
        statement = self.sources[index].statement
        form = statement.form
        if form is None:
            if stated:
                for bit in bits_of(self.model.start & ~statement.keep):
                    unit = self.unit(index)
                    known = self.units.setdefault(bit, [])
                    if unit not in known:
                        known.append(unit)
                self._dirty.add(index)
        elif isinstance(form, CompiledCount):
            self.constraints.append(index)
            for i, _ in form.terms:
                self._touching[i].append(index)
        elif isinstance(form, CompiledWhere | CompiledSum):
            self.constraints.append(index)
            for i in self.variables_of(index):
                self._touching[i].append(index)
            if isinstance(form, CompiledSum) or len(form.rows) > ROWS:
                self.opaque.append(index)

    def _order_of(self, index: int) -> int:
        event = self.sources[index].event
        return event if event >= 0 else len(self.sources)

    def add(self, literal: Literal) -> int:
        """Add a claim to the known facts, and return its index."""
        self._dirty.add(~literal.variable)
        self._dirty.update(self._touching[literal.variable])
        return super().add(literal)

    def touching(self, i: int) -> Sequence[int]:
        """Return the constraints about a variable."""
        return self._touching[i]

    def cheapest(self) -> Offer | None:
        """Return the cheapest offer of a single constraint, or ``None``; a violation comes first.

        Cost: the constraints about variables that have changed since the last call.
        """
        for key in sorted(self._dirty):
            version = self._version[key] = self._version.get(key, 0) + 1
            found = offer(self, key)
            if found is not None:
                self._offers[key] = found
                cost = found.cost if found.facts else -1
                heappush(self._heap, (cost, self._rank(key), version))
        self._dirty.clear()
        while self._heap:
            _, rank, version = self._heap[0]
            key = self._key(rank)
            found = self._offers[key]
            fresh = version == self._version[key]
            if fresh and (not found.facts or not all(map(self.is_known, found.facts))):
                return found
            heappop(self._heap)
        return None

    def _rank(self, key: int) -> int:
        """Return a number that sorts sources by event, then variables."""
        if key < 0:
            return (1 << 60) + ~key
        form = self.sources[key].statement.form
        weaker = form is None and not self._fixes(key)
        return (2 * self._order_of(key) + weaker << 30) + key

    def _fixes(self, key: int) -> bool:
        """Return whether a source states the value of a variable, not just that of others."""
        excluded = self.model.start & ~self.sources[key].statement.keep
        left = (
            self.model.domains[i] & ~self.model.domain(excluded, i)
            for i in variables_in(self.model, excluded)
        )
        return all(mask & (mask - 1) == 0 for mask in left)

    def _key(self, rank: int) -> int:
        return ~(rank - (1 << 60)) if rank >= 1 << 60 else rank & ((1 << 30) - 1)

    def child(self, level: str) -> Board:
        """Return a board with the same facts, whose own claims are of another level."""
        board = Board(self.model, self.sources, (), stated=False, level=level)
        board.possible = self.possible
        board.fixed = self.fixed | self.settled_by_one_unit()
        board.units = {bit: list(units) for bit, units in self.units.items()}
        board.constraints, board._touching = self.constraints, self._touching
        board._dirty = {*self.constraints, *(~i for i in range(len(self.model.variables)))}
        return board
