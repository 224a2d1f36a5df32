"""How hard a puzzle is: by its hardest step and by the number of steps.

=====  ====================================================================================
grade  what the answers need
=====  ====================================================================================
1      constraints one at a time, none of which counts more than one place, in few rounds
2      the same in more rounds; or rules that count more (the size of a hand), in few rounds
3      rules that count more, in more rounds
4      suppositions that are refuted by constraints one at a time
5      more: suppositions within suppositions
=====  ====================================================================================

In a *round* every constraint is applied once to what was known before the round; few rounds are up
to `FEW`. All of this is determined by the problem: whatever the order in which constraints are
applied, the same facts follow in the same rounds. So a grade can be computed again by any program
that can apply one constraint.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from deduce.budget import Meter
from deduce.constraints import Fact
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.masks import bits_of
from deduce.engines.core.model import CompiledCount, CompiledSum, Model, Statement
from deduce.errors import BadInput
from deduce.knowledge import Knowledge

__all__ = ["FEW", "GRADES", "Grade", "grade"]

GRADES = (1, 2, 3, 4, 5)
"""All grades, the easiest first."""

FEW = 2
"""Up to this many rounds are few."""

HARDEST = ("one place", "counting", "supposition", "nested suppositions")
"""The kinds of the hardest step, the easiest first."""


@frozen
class Grade:
    """How hard a puzzle is.

    Parameters
    ----------
    level
        The grade, 1 to 5.
    hardest
        The kind of the hardest step, from `HARDEST`.
    rounds
        The rounds of single constraints that lead to the answers, or, with suppositions, the rounds
        of suppositions; 0 where suppositions must be nested.
    """

    level: int
    hardest: str
    rounds: int

    def __str__(self) -> str:
        rounds = f", {self.rounds} rounds" if self.rounds > 1 else ""
        return f"grade {self.level} (hardest step: {self.hardest}{rounds})"


def grade(knowledge: Knowledge, answers: Sequence[Fact]) -> Grade:
    """Return how hard it is to find answers.

    Parameters
    ----------
    knowledge
        The puzzle.
    answers
        The facts that are to be found; all of them must be certain.

    Raises
    ------
    BadInput
        An answer is not a fact about one value.
    Undecided
        The budget of the knowledge is used up.

    Notes
    -----
    Cost: a few propagations; with suppositions, one for each open value and round.

    Examples
    --------
    >>> from deduce import Knowledge, Problem, exactly, is_
    >>> hats = {"Ann": ("red", "blue"), "Ben": ("red", "blue")}
    >>> one_red = exactly(1, [is_(name, "red") for name in hats])
    >>> k = Knowledge(Problem(hats, [one_red])).tell("Ann=red")
    >>> print(grade(k, [is_("Ben", "blue")]))
    grade 1 (hardest step: one place)
    """
    model = knowledge.asker.model
    goal = _goal(model, answers)
    meter = knowledge.budget.meter()
    easy = [
        statement
        for number, statement in enumerate(model.statements)
        if not (number < len(model.problem.rules) and _counts(statement))
    ]
    for hardest, selection in ((0, easy), (1, model.statements)):
        rounds = _rounds(model, selection, goal, meter)
        if rounds is not None:
            few = rounds <= FEW
            return Grade(hardest + (1 if few else 2), HARDEST[hardest], rounds)
    rounds = _rounds_of_suppositions(Bounds(model), goal, meter)
    if rounds is not None:
        return Grade(4, HARDEST[2], rounds)
    return Grade(5, HARDEST[3], 0)


def _goal(model: Model, answers: Sequence[Fact]) -> int:
    """Return the values that must be excluded for the answers to be found."""
    goal = 0
    for fact in answers:
        if not isinstance(fact, Fact):
            raise BadInput(f"an answer is a fact, not {fact!r}")
        i, mask = model.literal(fact)
        goal |= (model.domains[i] & ~mask) << (i * model.stride)
    return goal


def _counts(statement: Statement) -> bool:
    """Return whether a constraint counts more than one place."""
    form = statement.form
    return isinstance(form, CompiledSum) or (isinstance(form, CompiledCount) and form.high > 1)


def _rounds(model: Model, selection: Sequence[Statement], goal: int, meter: Meter) -> int | None:
    """Return how many rounds of single constraints exclude the values of the goal, or ``None``."""
    singles = [Bounds(model, [s]) for s in selection if s.form is not None]
    possible = model.facts_only(selection)
    rounds = 0
    while possible & goal:
        rounds += 1
        before = possible
        for single in singles:
            left = single.narrow(before)
            if left == IMPOSSIBLE:
                return rounds
            possible &= left
        meter.spend(sum(single.work for single in singles))
        for single in singles:
            single.work = 0
        if possible == before:
            return None
    return rounds


def _rounds_of_suppositions(bounds: Bounds, goal: int, meter: Meter) -> int | None:
    """Return how many rounds of suppositions exclude the values of the goal, or ``None``."""
    model = bounds.model
    possible = bounds.narrow(bounds.start)
    rounds = 0
    while possible & goal:
        rounds += 1
        refuted = 0
        several = possible & (possible - model.ones)
        for bit in bits_of(possible):
            i = (bit.bit_length() - 1) // model.stride
            if model.domain(several, i):
                supposed = possible & ~(model.field << (i * model.stride)) | bit
                if bounds.narrow(supposed) == IMPOSSIBLE:
                    refuted |= bit
        meter.spend(bounds.work)
        bounds.work = 0
        if not refuted:
            return None
        possible = bounds.narrow(possible & ~refuted)
    return rounds
