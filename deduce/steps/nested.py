"""Why a supposition cannot be true: a sequence of small steps that ends in a contradiction.

A step that combines several constraints is too large to be seen at once. Its explanation supposes
the opposite and takes single constraints one at a time, the cheapest first, with nothing but the
facts and the constraints of the step, until one is violated. Where single constraints yield nothing
more, another supposition is refuted in the same way within it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from attrs import evolve

from deduce.budget import Meter
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.model import Model
from deduce.errors import Undecided
from deduce.steps.board import Board, offer
from deduce.steps.facts import (
    Inference,
    Literal,
    Reason,
    Refutation,
    Source,
    Unit,
    literal_of,
    open_bits,
    reason_key,
)

__all__ = ["refute"]

MAX_DEPTH = 12
"""How deeply suppositions are nested at most; more would mean that there is no contradiction."""


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
    chosen = list(active)
    board = Board(model, sources, chosen, stated=False)
    for bit, cited in units.items():
        board.units[bit] = list(cited)
        board.possible &= ~bit
    bounds = Bounds(model, [sources[index].statement for index in chosen])
    for depth in range(1, MAX_DEPTH + 1):
        found = _refute(board, bounds, supposed, depth, "1", meter)
        if found is not None:
            if found.length > FEW:
                found = _shortest(board, supposed, found, meter)
            return found
    return None


FEW = 7
"""Steps of a refutation that is short enough not to look for a shorter one."""

SHORTENING, PART = 1_000_000, 4
"""What this may spend, in the steps of a `deduce.budget.Budget`; and at most this part of what is
left, so that what was found is not lost to a search for something shorter."""


def _shortest(
    board: Board, supposed: tuple[Literal, ...], found: Refutation, meter: Meter
) -> Refutation:
    """Return a refutation with the fewest steps, or what was found if that takes too long."""
    left = meter.budget.steps
    left = SHORTENING if left is None else min(SHORTENING, (left - meter.steps) // PART)
    orders = _Orders(board, meter.share(left))
    possible = board.possible
    for literal in supposed:
        possible &= ~board.removed_by(literal)
    with suppress(Undecided):
        for length in range(1, found.length):
            plan = orders.plan(possible, length)
            if plan is not None:
                other = _followed(board, plan, supposed, "1")
                found = min(found, other, key=lambda each: each.length)
                break
    meter.steps += orders.meter.steps
    return found


Plan = tuple["int | tuple[Literal, Plan]", ...]
"""What refutes a supposition, in order: constraints, of which the last is violated, and
suppositions within it, each with its own plan."""


class _Orders:
    """The shortest plans that refute what is possible: all orders of the constraints are tried.

    What a constraint excludes counts as one step, so a table, whose rows may exclude its values
    for different reasons, may need more steps than the plan has.
    """

    def __init__(self, board: Board, meter: Meter) -> None:
        model, sources = board.model, board.sources
        self.meter, self.board = meter, board
        self._single = {i: Bounds(model, [sources[i].statement]) for i in board.constraints}
        self._plans: dict[int, tuple[int, Plan]] = {}
        self._longer: dict[int, int] = {}

    def plan(self, possible: int, length: int) -> Plan | None:
        """Return a plan with at most ``length`` steps, or ``None`` if there is none."""
        if length <= self._longer.get(possible, 0):
            return None
        steps, plan = self._plans.get(possible, (0, None))
        if plan is None or steps > length:
            plan = self._searched(possible, length)
            if plan is None:
                self._longer[possible] = length
            else:
                self._plans[possible] = length, plan
        return plan

    def _searched(self, possible: int, length: int) -> Plan | None:
        after: dict[int, int] = {}
        for index, bounds in self._single.items():
            before = bounds.work
            left = bounds.narrow(possible)
            self.meter.spend(bounds.work - before)
            if left == IMPOSSIBLE:
                return (index,)
            if left != possible:
                after.setdefault(left, index)
        for left in sorted(after, key=int.bit_count) if length > 1 else ():
            rest = self.plan(left, length - 1)
            if rest is not None:
                return (after[left], *rest)
        return self._split(possible, length)

    def _split(self, possible: int, length: int) -> Plan | None:
        """Return a plan that first refutes one value by a supposition within.

        What one constraint refutes it also excludes, if it is of a kind that is examined
        completely; so neither of the two parts has a single step.
        """
        model = self.board.model
        least = 1 if self.board.opaque else 2
        for bit, supposed in open_bits(model, possible) if length >= 2 * least else ():
            literal = literal_of(model, bit)
            if self.board.touching(literal.variable):
                for less in range(least, length - least + 1):
                    inner = self.plan(supposed, less)
                    if inner is not None:
                        rest = self.plan(possible & ~bit, length - less)
                        if rest is not None:
                            return ((literal, inner), *rest)
                        break
        return None


def _followed(outer: Board, plan: Plan, supposed: tuple[Literal, ...], level: str) -> Refutation:
    """Return the refutation that a plan stands for."""
    board = outer.child(level)
    steps: list[Inference | None] = [None] * len(supposed)
    for literal in supposed:
        board.add(literal)
    for number, move in enumerate(plan):
        if isinstance(move, int):
            while (found := offer(board, move)) and not all(map(board.is_known, found.facts)):
                literal = next(fact for fact in found.facts if not board.is_known(fact))
                board.add(literal)
                steps.append(Inference((literal,), found.reason, found.kind))
        else:
            literal, inner = move
            case = _case(board, _followed(board, inner, (literal,), f"{level}.{number}"))
            board.add(case.facts[0])
            steps.append(case)
    assert found is not None
    assert not found.facts
    return _sliced(supposed, level, steps, found)


def _refute(
    outer: Board,
    bounds: Bounds,
    supposed: tuple[Literal, ...],
    depth: int,
    level: str,
    meter: Meter,
) -> Refutation | None:
    removed = 0
    for literal in supposed:
        removed |= outer.removed_by(literal)
    if not _is_refuted(bounds, outer.possible & ~removed, depth, meter):
        return None
    board = outer.child(level)
    for literal in supposed:
        board.add(literal)
    steps: list[Inference | None] = [None] * len(supposed)
    while True:
        offer = board.cheapest()
        meter.spend(STEP * (1 + len(board.constraints)))
        if offer is None:
            inner = _split(board, bounds, depth - 1, level, meter) if depth > 1 else None
            if inner is None:
                return None
            board.add(inner.facts[0])
            steps.append(inner)
        elif not offer.facts:
            return _sliced(supposed, level, steps, offer)
        else:
            literal = next(fact for fact in offer.facts if not board.is_known(fact))
            board.add(literal)
            steps.append(Inference((literal,), offer.reason, offer.kind))


def _is_refuted(bounds: Bounds, possible: int, depth: int, meter: Meter) -> bool:
    """Return whether suppositions nested this deep refute what is left, without the reasons."""
    model = bounds.model
    before = bounds.work
    possible = bounds.narrow(possible)
    meter.spend(bounds.work - before)
    changed = depth > 1
    while possible != IMPOSSIBLE and changed:
        changed = False
        for bit, supposed in open_bits(model, possible):
            if possible & bit and _is_refuted(bounds, supposed & possible, depth - 1, meter):
                possible, changed = bounds.narrow(possible & ~bit), True
                if possible == IMPOSSIBLE:
                    break
    return possible == IMPOSSIBLE


def _case(board: Board, found: Refutation) -> Inference:
    """Return the step that excludes a value that was refuted."""
    (supposed,) = found.supposed
    reason = Reason(tuple(sorted(found.sources)), tuple(sorted(found.cited)))
    fact = board.literals(supposed.variable, supposed.bit)[0]
    return Inference((fact,), reason, "case", refutation=found)


def _split(board: Board, bounds: Bounds, depth: int, level: str, meter: Meter) -> Inference | None:
    """Return the fact whose opposite has the shortest refutation, by suppositions this deep."""
    model = board.model
    for less in range(1, depth + 1):
        best: Inference | None = None
        tried = 0
        for number, (bit, _) in enumerate(open_bits(model, board.possible)):
            supposed = literal_of(model, bit)
            if not board.touching(supposed.variable):
                continue
            found = _refute(board, bounds, (supposed,), less, f"{level}.{number}", meter)
            if found is None:
                continue
            tried += 1
            if best is None or best.refutation is None or found.length < best.refutation.length:
                best = _case(board, found)
            if found.length <= SHORT or tried == (ENOUGH if less == 1 else 1):
                break
        if best is not None:
            return best
    return None


SHORT = 3
"""Steps of a refutation that is short enough not to look for a shorter one."""

ENOUGH = 4
"""How many refutations by single constraints are compared at a split; of longer ones, the first is
taken, since the comparisons within comparisons would grow with every depth."""

STEP = 20
"""What it costs to look at a constraint here, in the steps of a `deduce.budget.Budget`."""


def _sliced(
    supposed: tuple[Literal, ...],
    level: str,
    steps: Sequence[Inference | None],
    violated: Inference,
) -> Refutation:
    """Return the refutation with the steps that the contradiction needs, numbered anew."""
    needed: set[int] = set()
    waiting = [i for name, i in violated.reason.cited if name == level]
    while waiting:
        index = waiting.pop()
        step = steps[index]
        if index not in needed and step is not None:
            needed.add(index)
            waiting += [i for name, i in step.reason.cited if name == level]
    first: dict[object, int] = {}
    alike = [
        (first.setdefault(reason_key(step), index), index)
        for index in sorted(needed)
        if (step := steps[index]) is not None
    ]
    kept = [*range(len(supposed)), *(index for _, index in sorted(alike))]
    number = {old: new for new, old in enumerate(kept)}
    inner = tuple(_renumbered(step, level, number) for i in kept if (step := steps[i]) is not None)
    contradiction = Inference((), violated.reason, violated.kind)
    return Refutation(supposed, level, inner, _renumbered(contradiction, level, number))


def _renumbered(step: Inference, level: str, number: dict[int, int]) -> Inference:
    refutation = step.refutation
    if refutation is not None:
        inner = tuple(_renumbered(each, level, number) for each in refutation.steps)
        contradiction = _renumbered(refutation.contradiction, level, number)
        refutation = evolve(refutation, steps=inner, contradiction=contradiction)
    cited = tuple(
        (name, number[i]) if name == level else (name, i) for name, i in step.reason.cited
    )
    return evolve(step, reason=evolve(step.reason, cited=cited), refutation=refutation)
