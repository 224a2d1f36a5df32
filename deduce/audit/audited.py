"""What an audit finds about one item."""

from __future__ import annotations

from itertools import islice
from typing import Any

from attrs import evolve, frozen

from deduce.audit.items import Item
from deduce.budget import Budget
from deduce.constraints import Fact, is_
from deduce.errors import Undecided, Unsupported
from deduce.knowledge import Knowledge
from deduce.logs.problem_json import write_value
from deduce.problem import World
from deduce.steps.grading import Grade, grade

__all__ = ["Audited", "audit"]

USUAL = Budget()


@frozen
class Audited:
    """What an audit finds.

    Parameters
    ----------
    item
        What was audited.
    solutions
        0, 1, ``"2+"``, or ``None`` if this was not decided.
    answer
        Whether the stated answer is ``"right"`` (it holds in every solution), ``"not unique"`` (in
        some), ``"wrong"`` (in none); ``"contradiction"``: there is no solution; ``"none"``: no
        answer is stated; ``"undecided"``.
    redundant
        The numbers of the clues, from 1, of which each follows from all the others; none are
        looked for where there is no solution.
    grade
        How hard it is to find the answer, or the only solution; otherwise ``None``.
    conflict
        The sentences of clues and rules that contradict each other.
    worlds
        Up to two solutions: of two, one in which the stated answer does not hold, if there is one.
    """

    item: Item
    solutions: int | str | None
    answer: str
    redundant: tuple[int, ...] = ()
    grade: Grade | None = None
    conflict: tuple[str, ...] = ()
    worlds: tuple[World, ...] = ()

    @property
    def is_decided(self) -> bool:
        """Whether it was found out within the budget."""
        return self.answer != "undecided"

    @property
    def is_faulty(self) -> bool:
        """Whether the answer is not right; or, of an item without one, the solution not unique."""
        return self.answer not in ("right", "undecided") and (
            self.answer != "none" or self.solutions != 1
        )

    def to_json(self) -> dict[str, Any]:
        """Return it as one line of ``deduce audit --json``."""
        return {
            "item": self.item.name,
            "solutions": self.solutions,
            "answer": self.answer,
            "redundant": list(self.redundant),
            "grade": self.grade and self.grade.level,
            "conflict": list(self.conflict),
            "worlds": [
                [[write_value(name), write_value(value)] for name, value in world.items()]
                for world in self.worlds
            ],
        }


def audit(item: Item, *, deep: bool = True, budget: Budget = USUAL) -> Audited:
    """Return whether an item has one solution and its stated answer is right, and what is wrong.

    Parameters
    ----------
    item
        A problem with its answer.
    deep
        Whether redundant clues and the grade are looked for as well.
    budget
        What each question may spend.

    Examples
    --------
    >>> from deduce import Problem
    >>> hats = Problem({"Ann": ("red", "blue")})
    >>> found = audit(Item("hats", hats, (is_("Ann", "red"),)))
    >>> found.solutions, found.answer
    ('2+', 'not unique')
    """
    knowledge = Knowledge(item.problem, budget=budget)
    try:
        return _audited(item, knowledge, deep=deep)
    except Undecided:
        return Audited(item, None, "undecided")


def _audited(item: Item, knowledge: Knowledge, *, deep: bool) -> Audited:
    if not knowledge.is_consistent():
        why = knowledge.contradiction()
        conflict = (*map(str, why.steps), *(f"rule: {rule}" for rule in why.rules))
        return Audited(item, 0, "contradiction", conflict=conflict)
    worlds = tuple(islice(knowledge.worlds(), 2))
    verdict = "none"
    if item.answer:
        right = all(map(knowledge.is_certain, item.answer))
        held = knowledge.tell(*item.answer)
        verdict = "right" if right else "not unique" if held.is_consistent() else "wrong"
        if verdict == "not unique":
            open_ = next(fact for fact in item.answer if not knowledge.is_certain(fact))
            other = knowledge.why(open_).fails
            worlds = next(held.worlds()), *(() if other is None else (other,))
    answers: list[Fact] = []
    if len(worlds) == 1:
        answers = [is_(name, value) for name, value in worlds[0].items()]
    elif verdict == "right":
        answers = list(item.answer)
    return Audited(
        item,
        1 if len(worlds) == 1 else "2+",
        verdict,
        _redundant(item, knowledge) if deep else (),
        _grade(knowledge, answers) if deep and answers else None,
        worlds=worlds,
    )


def _grade(knowledge: Knowledge, answers: list[Fact]) -> Grade | None:
    try:
        return grade(knowledge, answers)
    except (Undecided, Unsupported):
        return None


def _redundant(item: Item, knowledge: Knowledge) -> tuple[int, ...]:
    """Return the numbers of the clues that follow from all other clues and the rules."""
    pieces = item.problem.evidence
    found = []
    for number, piece in enumerate(pieces):
        if piece.doubt is not None:
            continue
        others = evolve(item.problem, evidence=(*pieces[:number], *pieces[number + 1 :]))
        without = Knowledge(others, budget=knowledge.budget)
        if without.is_certain(piece.constraint):
            found.append(number + 1)
    return tuple(found)
