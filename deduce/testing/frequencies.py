"""Many simulated deals and logs, whose frequencies are compared with probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import inf, log
from random import Random
from typing import Any

from deduce.budget import Budget
from deduce.constraints import Variable
from deduce.errors import Undecided
from deduce.estimates import Estimate, Z
from deduce.game import Viewer, Witnessed, hook
from deduce.knowledge import Knowledge
from deduce.line_game import LineGame
from deduce.problem import World

__all__ = [
    "ConformanceError",
    "check_calibration",
    "check_chances",
    "deviation",
    "how_to_repeat",
    "surprise",
]

PAIRS = 10
"""How many pairs of variables are compared besides the single variables."""

ONE_SIDED = 0.05
"""The probability that a share is beyond the one end of an interval that begins at 0."""

MAX_DEVIATION = 5.5
"""In standard deviations: one honest comparison in about fifty million exceeds it."""


class ConformanceError(AssertionError):
    """A game (or an engine) breaks a promise; the message names it, and how to repeat it."""


ConformanceError.__module__ = "deduce.testing"  # where it is imported from


def how_to_repeat(game: object, seed: int) -> str:
    """Return the call that checks one deal again.

    >>> how_to_repeat("GAME", 3)
    "check_hidden_game('GAME', deals=1, seed=3)"
    """
    return f"check_hidden_game({game!r}, deals=1, seed={seed})"


def check_chances(game: Any, draws: int, seed: int, steps: int) -> int:
    """Compare how often worlds are dealt with the posterior; return how often it was undecided."""
    if not draws:
        return 0
    random = Random(seed)
    knowledge = Knowledge(game, budget=Budget(steps))
    variables = list(knowledge.problem.domains)
    dealt: Sequence[World]
    if type(game).deal is LineGame.deal:  # one sweep for all of them
        dealt = Knowledge(game).sample(draws, seed=random.getrandbits(32))
    else:
        dealt = [game.deal(random) for _ in range(draws)]
    groups: list[tuple[Variable, ...]] = [(variable,) for variable in variables]
    if len(variables) > 1:
        groups += [tuple(random.sample(variables, 2)) for _ in range(PAIRS)]
    for number, group in enumerate(groups):
        expected: Mapping[tuple[object, ...], Fraction]
        try:
            if len(group) == 1:  # the posterior is computed once for all of them
                row = knowledge.posterior()[group[0]]
                expected = {(value,): share for value, share in row.items() if share}
            else:
                expected = knowledge.joint(*group)
        except Undecided:
            return len(groups) - number
        counts = Counter(tuple(world.get(variable) for variable in group) for world in dealt)
        if deviation(counts, expected, draws) > MAX_DEVIATION:
            values, count = max(
                counts.items(),
                key=lambda item: abs(item[1] - float(draws * expected.get(item[0], 0))),
            )
            named = ", ".join(f"{v}={w}" for v, w in zip(group, values, strict=True))
            raise ConformanceError(
                f"worlds are not dealt as often as they are probable: {named} in {count} of "
                f"{draws} deals, but its probability before any event is "
                f"{float(expected.get(values, 0)):.4f}\n  If your worlds are not equally likely, "
                "weigh them (deduce.copies, Weigh); else deal() is not fair.\n"
                f"  again: check_hidden_game({game!r}, deals=0, seed={seed}, draws={draws})"
            )
    return 0


def deviation(counts: Mapping[Any, int], expected: Mapping[Any, Fraction], draws: int) -> float:
    """Return by how many standard deviations Pearson's statistic exceeds what is expected.

    Cells in which fewer than five are expected are taken together (Cochran, *Some methods for
    strengthening the common chi-square tests*, 1954); the statistic is made normal by its cube root
    (Wilson and Hilferty, *The distribution of chi-square*, 1931).
    """
    if any(cell not in expected for cell in counts):
        return float("inf")
    cells: list[tuple[int, float]] = []
    few_found, few_expected = 0, 0.0
    for cell, share in expected.items():
        wanted = float(share * draws)
        if wanted < 5:
            few_found, few_expected = few_found + counts.get(cell, 0), few_expected + wanted
        else:
            cells.append((counts.get(cell, 0), wanted))
    if few_expected >= 5:
        cells.append((few_found, few_expected))
    freedom = len(cells) - 1
    if freedom < 1:
        return 0.0
    statistic = sum((found - wanted) ** 2 / wanted for found, wanted in cells)
    spread = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5)


def surprise(estimate: Estimate, right: Fraction) -> float:
    """Return by how much an estimated share surprises if another one is right.

    The probability of an estimate that is as far from it, on the same side, is at most ``exp`` of
    minus that for as many independent draws as the interval tells of: the bound of Chernoff (*A
    measure of asymptotic efficiency*, Annals of Mathematical Statistics 23, 1952).

    Examples
    --------
    >>> from deduce.estimates import share_estimate
    >>> unseen = share_estimate((0.0, 0.0, 0.0), 100)
    >>> [round(surprise(unseen, Fraction(n, 100)), 2) for n in (0, 5, 50)]
    [0.0, 5.13, 69.31]
    """
    low, high = float(estimate.low), float(estimate.high)
    if estimate.exact:
        return 0.0 if estimate.value == right else inf
    if low == 0:
        draws, seen = log(ONE_SIDED) / log(1 - high), 0.0
    elif high == 1:
        draws, seen = log(ONE_SIDED) / log(low), 1.0
    else:
        seen = float(estimate.value)
        draws = seen * (1 - seen) * (2 * Z / (high - low)) ** 2
    terms = ((seen, float(right)), (1 - seen, float(1 - right)))
    return draws * sum(a * (log(a / b) if b else inf) for a, b in terms if a)


def check_calibration(game: Any, viewers: Sequence[Viewer], *, games: int, seed: int) -> None:
    """Check over simulated games that what has the posterior p is true in a share p of them.

    It is checked only if the game states ``calibrated = True``: that ``record`` draws logs with the
    probabilities that its evidence assumes.

    Raises
    ------
    ConformanceError
        The truth of some values differs from their probabilities by more than chance explains.
    """
    if not games or not hook(game, Witnessed.calibrated, default=False):
        return
    sums: dict[int, list[float]] = {}
    for number in range(games):
        random = Random(f"calibration {seed} {number}")
        world = game.deal(random)
        log = list(game.record(world, random))
        log = log[: random.randint(0, len(log))]
        viewer = random.choice(viewers)
        try:
            posterior = Knowledge(game, log, viewer=viewer, budget=Budget(100_000)).posterior()
        except Undecided:
            continue
        variable = random.choice(list(posterior))
        value, share = random.choice(list(posterior[variable].items()))
        chance = float(share)
        cell = sums.setdefault(int(chance * 5), [0.0, 0.0])
        cell[0] += (world[variable] == value) - chance
        cell[1] += chance * (1 - chance)
    for fifth, (difference, variance) in sums.items():
        if abs(difference) > MAX_DEVIATION * max(variance, 1) ** 0.5:
            raise ConformanceError(
                f"probabilities between {fifth / 5:.1f} and {fifth / 5 + 0.2:.1f} are not those of "
                f"{games} simulated games: {difference:+.0f} times true compared with what is "
                f"expected\n  again: check_hidden_game({game!r}, deals=0, seed={seed}, draws=0, "
                f"calibration={games})"
            )
