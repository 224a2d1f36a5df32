"""The choices of one step of a sweep by arrays: which states have them, and where they lead."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from deduce.engines.counting.numbers import Numbers
from deduce.engines.counting.plan import Choice, Close, Plan, Step
from deduce.engines.counting.words import Indices, States, word

__all__ = ["Move", "Stage", "moves", "stages", "then"]


@frozen(eq=False)
class Stage:
    """A step of the plan and the close after it; or a close with tables, ``step=None``."""

    index: int
    """The position of its first step in the plan."""
    after: int
    """The position of the step that follows."""
    step: Step | None
    close: Close | None


@frozen(eq=False)
class Move:
    """One choice for many states: all of them, or those at the indices ``which``."""

    which: Indices | None
    targets: States
    choice: Choice
    factors: Numbers | None


def moves(stage: Stage, states: States, moduli: tuple[int, ...]) -> Iterator[Move]:
    """Yield the choices that some states have; the targets are not folded."""
    close = stage.close
    if stage.step is None:
        assert close is not None
        yield from tables(close, states, moduli)
        return
    step = stage.step
    if not step.mask:
        for choice in step.choices[0]:
            yield from _move(choice, step.guards, close, states, None)
        return
    left = states >> np.uint64(step.shift) & np.uint64(step.mask)
    for members in np.unique(left).tolist():
        which = np.flatnonzero(left == np.uint64(members))
        some = states[which]
        for choice in step.choices[members]:
            yield from _move(choice, step.guards, close, some, which)


def tables(close: Close, states: States, moduli: tuple[int, ...]) -> Iterator[Move]:
    """Yield the one move of a close that multiplies weights."""
    which = np.flatnonzero(_passes(close, states))
    factors = Numbers.ones(len(which), moduli)
    for shift, mask, table in close.tables:
        entries = {number: weight for number, weight in sorted(table.items()) if weight}
        numbers = np.array(list(entries), np.uint64)
        values = states[which] >> np.uint64(shift) & np.uint64(mask)
        if not entries:
            return
        spot = np.minimum(np.searchsorted(numbers, values), len(numbers) - 1)
        allowed = np.flatnonzero(numbers[spot] == values)
        which, spot = which[allowed], spot[allowed]
        factors = factors.take(allowed)
        if any(weight != 1 for weight in entries.values()):
            factors = factors * Numbers.of(list(entries.values()), moduli).take(spot)
    yield Move(which, states[which] & word(close.keep), (0, 0, 1, -1, 0), factors)


def then(move: Move, close: Close, moduli: tuple[int, ...]) -> Move:
    """Return a move and the close with tables after it."""
    for closed in tables(close, move.targets, moduli):
        assert closed.which is not None
        which = closed.which if move.which is None else move.which[closed.which]
        return Move(which, closed.targets, move.choice, closed.factors)
    nothing = np.zeros(0, np.int64)
    return Move(nothing, np.zeros(0, np.uint64), move.choice, None)


def stages(plan: Plan) -> Iterator[Stage]:
    """Yield the steps of a plan, each with the close after it if that has no tables."""
    steps = plan.steps
    for index, step in enumerate(steps):
        following = steps[index + 1] if index + 1 < len(steps) else None
        if isinstance(step, Close):
            if step.tables:
                yield Stage(index, index + 1, None, step)
        elif isinstance(following, Close) and not following.tables:
            yield Stage(index, index + 2, step, following)
        else:
            yield Stage(index, index + 1, step, None)


def _move(
    choice: Choice, guards: int, close: Close | None, states: States, which: Indices | None
) -> Iterator[Move]:
    add, either, _, _, _ = choice
    targets = (states | np.uint64(either)) + np.uint64(add & (1 << 64) - 1)
    live = None
    if guards:
        live = (targets & np.uint64(guards)) == 0
    if close is not None and close.test:
        passes = _passes(close, targets)
        live = passes if live is None else live & passes
    if live is not None:
        some = np.flatnonzero(live)
        if len(some) < len(targets):
            targets = targets[some]
            which = some if which is None else which[some]
    if close is not None:
        targets = targets & word(close.keep)
    if len(targets):
        yield Move(which, targets, choice, None)


def _passes(close: Close, states: States) -> NDArray[np.bool_]:
    test = np.uint64(close.test)
    passes: NDArray[np.bool_] = ((states + np.uint64(close.lift)) & test) == test
    return passes
