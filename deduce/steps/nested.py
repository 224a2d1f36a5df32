"""Why a supposition cannot be true: a sequence of small steps that ends in a contradiction.

A step that combines several constraints is too large to be seen at once. Its explanation supposes
the opposite and takes single constraints one at a time, the cheapest first, with nothing but the
facts and the constraints of the step, until one is violated. Where single constraints yield nothing
more, another supposition is refuted in the same way within it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from deduce.budget import Meter
from deduce.engines.model import Model, bits_of
from deduce.steps.board import Board, Literal, Reason, Source, Unit

__all__ = ["InnerStep", "Refutation", "refute"]

MAX_DEPTH = 12
"""How deeply suppositions are nested at most; more would mean that there is no contradiction."""


@frozen
class InnerStep:
    """A fact that follows within a supposition, and why."""

    literal: Literal
    reason: Reason
    kind: str
    refutation: Refutation | None = None


@frozen
class Refutation:
    """A supposition, what follows from it, and the constraint that is then violated."""

    supposed: tuple[Literal, ...]
    level: str
    steps: tuple[InnerStep, ...]
    violated: Reason
    kind: str

    @property
    def depth(self) -> int:
        """How deeply suppositions are nested: 1 when single constraints are sufficient."""
        inner = (step.refutation.depth for step in self.steps if step.refutation is not None)
        return 1 + max(inner, default=0)

    @property
    def length(self) -> int:
        """The number of steps, those of inner suppositions and the contradictions included."""
        return 1 + sum(
            1 if step.refutation is None else step.refutation.length for step in self.steps
        )

    @property
    def needs(self) -> int:
        """The excluded values that it uses, as bits; those that it derives itself included."""
        needs = self.violated.needs
        for step in self.steps:
            needs |= step.reason.needs
            if step.refutation is not None:
                needs |= step.refutation.needs
        return needs


def refute(
    model: Model,
    sources: Sequence[Source],
    active: Iterable[int],
    units: dict[int, list[Unit]],
    supposed: tuple[Literal, ...],
    meter: Meter,
) -> Refutation | None:
    """Return why a supposition is in conflict with some constraints and facts.

    Parameters
    ----------
    model, sources
        The problem.
    active
        The indices of the constraints that may be used.
    units
        The excluded values that may be used, with their citations.
    supposed
        The facts that are supposed together.
    meter
        Counts the constraints examined.

    Returns
    -------
    Refutation or None
        ``None`` if no contradiction is reached by suppositions nested `MAX_DEPTH` deep.
    """
    board = Board(model, sources, active, stated=False, level="claim")
    for bit, cited in units.items():
        board.units[bit] = list(cited)
        board.possible &= ~bit
    for depth in range(1, MAX_DEPTH + 1):
        found = _refute(board, supposed, depth, "1", meter)
        if found is not None:
            return found
    return None


def _refute(
    outer: Board, supposed: tuple[Literal, ...], depth: int, level: str, meter: Meter
) -> Refutation | None:
    board = outer.child(level)
    for literal in supposed:
        board.add(literal)
    steps: list[InnerStep | None] = [None] * len(supposed)
    while True:
        offer = board.cheapest()
        meter.spend(1 + len(board.constraints))
        if offer is None:
            inner = _split(board, depth - 1, level, meter) if depth > 1 else None
            if inner is None:
                return None
            board.add(inner.literal)
            steps.append(inner)
        elif not offer.facts:
            return _sliced(supposed, level, steps, offer.reason, offer.kind)
        else:
            literal = next(fact for fact in offer.facts if not board.is_known(fact))
            board.add(literal)
            steps.append(InnerStep(literal, offer.reason, offer.kind))


def _split(board: Board, depth: int, level: str, meter: Meter) -> InnerStep | None:
    """Return the fact whose opposite has the shortest refutation by suppositions of this depth."""
    model = board.model
    scope = 0
    for i in range(len(model.variables)):
        scope |= (model.field if board.touching(i) else 0) << (i * model.stride)
    several = board.possible & (board.possible - model.ones)
    lone = model.guards & ~(several + model.full)
    settled = board.possible & (lone - (lone >> model.width))
    best: InnerStep | None = None
    for number, bit in enumerate(bits_of(board.possible & scope & ~settled)):
        i = (bit.bit_length() - 1) // model.stride
        value = bit >> (i * model.stride)
        supposed = (Literal(i, value, positive=True),)
        found = _refute(board, supposed, depth, f"{level}.{number}", meter)
        if found is None:
            continue
        if best is None or best.refutation is None or found.length < best.refutation.length:
            cited = tuple(sorted(_outside(found)))
            sources = tuple(sorted(_sources(found)))
            literals = board.literals(i, value)
            reason = Reason(sources, cited)
            best = InnerStep(literals[0], reason, "case", found)
        if found.length <= SHORT:
            break
    return best


SHORT = 3
"""Steps of a refutation that is short enough not to look for a shorter one."""


def _outside(found: Refutation) -> set[Unit]:
    """Return what a refutation cites of what is known outside of it."""
    cited = set(found.violated.cited)
    for step in found.steps:
        cited |= set(step.reason.cited)
    return {unit for unit in cited if unit[0] != found.level}


def _sources(found: Refutation) -> set[int]:
    used = set(found.violated.sources)
    for step in found.steps:
        used |= set(step.reason.sources)
    return used


def _sliced(
    supposed: tuple[Literal, ...],
    level: str,
    steps: Sequence[InnerStep | None],
    violated: Reason,
    kind: str,
) -> Refutation:
    """Return the refutation with the steps that the contradiction needs, numbered anew."""
    needed: set[int] = set()
    waiting = [i for name, i in violated.cited if name == level]
    while waiting:
        index = waiting.pop()
        step = steps[index]
        if index not in needed and step is not None:
            needed.add(index)
            waiting += [i for name, i in step.reason.cited if name == level]
    kept = [*range(len(supposed)), *sorted(needed)]
    number = {old: new for new, old in enumerate(kept)}
    inner = tuple(_renumbered(step, level, number) for i in kept if (step := steps[i]) is not None)
    return Refutation(supposed, level, inner, _renumbered_reason(violated, level, number), kind)


def _renumbered(step: InnerStep, level: str, number: dict[int, int]) -> InnerStep:
    refutation = step.refutation
    if refutation is not None:
        refutation = Refutation(
            refutation.supposed,
            refutation.level,
            tuple(_renumbered(inner, level, number) for inner in refutation.steps),
            _renumbered_reason(refutation.violated, level, number),
            refutation.kind,
        )
    reason = _renumbered_reason(step.reason, level, number)
    return InnerStep(step.literal, reason, step.kind, refutation)


def _renumbered_reason(reason: Reason, level: str, number: dict[int, int]) -> Reason:
    cited = tuple((name, number[i]) if name == level else (name, i) for name, i in reason.cited)
    return Reason(reason.sources, cited, reason.needs, reason.smallest)
