"""What an audit finds about one item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from attrs import frozen

from deduce.audit.items import Item
from deduce.audit.prover import Prover, length
from deduce.budget import Budget
from deduce.constraints import Constraint, Fact, Logic, Weigh, is_
from deduce.engines.core.model import Model
from deduce.errors import BadProblem, Undecided, Unsupported
from deduce.knowledge import Knowledge
from deduce.logic import negation
from deduce.logs.problem_json import write_value
from deduce.problem import World
from deduce.reasoning.queries import negations
from deduce.steps.puzzle import Grade, grade

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
        Up to two solutions: of two, the second is one in which the stated answer does not hold, if
        there is one.
    paid
        The numbers, from 1, of the answers that are accepted although they do not hold in every
        solution.
    proof
        What `deduce.audit.checker` needs to verify all this; ``None``: it was not looked for, or
        not found within the budget.
    undecided
        Why the answer is undecided; otherwise empty.
    """

    item: Item
    solutions: int | str | None
    answer: str
    redundant: tuple[int, ...] = ()
    grade: Grade | None = None
    conflict: tuple[str, ...] = ()
    worlds: tuple[World, ...] = ()
    paid: tuple[int, ...] = ()
    proof: Mapping[str, Any] | None = None
    undecided: str = ""

    @property
    def is_faulty(self) -> bool:
        """Whether the answer is not right or others are paid; without one, whether it is unique."""
        if self.answer == "none":
            return self.solutions != 1 or bool(self.paid)
        return self.answer not in ("right", "undecided") or bool(self.paid)

    @property
    def steps(self) -> int | None:
        """The number of steps of the proof of the solution, or of the right answer."""
        if self.proof is None or (self.solutions != 1 and self.answer != "right"):
            return None
        return length(self.proof["steps" if self.solutions == 1 else "answer"])

    def to_json(self) -> dict[str, Any]:
        """Return it as one line of ``deduce audit --json``."""
        return {
            "item": self.item.name,
            "solutions": self.solutions,
            "answer": self.answer,
            "redundant": list(self.redundant),
            "grade": self.grade and self.grade.level,
            "steps": self.steps,
            "paid": list(self.paid),
            "faulty": self.is_faulty,
            "conflict": list(self.conflict),
            "worlds": list(map(_pairs, self.worlds)),
        }


def audit(item: Item, *, deep: bool = True, budget: Budget = USUAL) -> Audited:
    """Return whether an item has one solution and its stated answer is right, and what is wrong.

    Parameters
    ----------
    item
        A problem with its answer.
    deep
        Whether redundant clues, the grade and the proof are looked for as well.
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
    except Undecided as error:
        return Audited(item, None, "undecided", undecided=str(error))


def _audited(item: Item, knowledge: Knowledge, *, deep: bool) -> Audited:
    prover = Prover(knowledge.asker.model, knowledge.budget.meter()) if deep else None
    if not knowledge.is_consistent():
        why = knowledge.contradiction()
        conflict = (*map(str, why.steps), *(f"rule: {rule}" for rule in why.rules))
        proof = _proved({"steps": prover.prove}) if prover else None
        return Audited(item, 0, "contradiction", conflict=conflict, proof=proof)
    worlds = tuple(islice(knowledge.worlds(), 2))
    unique = len(worlds) == 1
    answer = Logic("all", item.answer)
    verdict = "none"
    if item.answer:
        false = knowledge.asker.solve(negation(answer)).value
        true = worlds[0] if false is None else knowledge.asker.solve(answer).value
        verdict = "right" if false is None else "wrong" if true is None else "not unique"
        if true is not None and false is not None:
            worlds = true, false
    failing = [(n, knowledge.asker.solve(negation(Logic("all", accepted))).value)
               for n, accepted in enumerate(item.accepted, 1)]  # fmt: skip
    paid = {n: world for n, world in failing if world is not None}
    redundant = _redundant(knowledge) if deep else ()
    proof = None
    if prover is not None:
        model, first = prover.model, len(item.problem.rules)
        goal = _state(model, worlds[0]) if unique else model.start
        asked: dict[str, Callable[[], Any]] = {"steps": partial(prover.prove, allowed=goal)}
        if not unique and verdict in ("right", "wrong"):
            supposed = negation(answer) if verdict == "right" else answer
            asked["answer"] = partial(prover.prove, suppose=supposed)
        clues = [(n, item.problem.evidence[n - 1].constraint) for n in redundant]
        asked["redundant"] = lambda: [
            prover.prove(without=first + n, suppose=negation(clue)) for n, clue in clues
        ]
        asked["paid"] = lambda: list(map(_pairs, paid.values()))
        proof = _proved(asked)
    answers: Sequence[Constraint] = ()
    if unique:
        answers = [is_(name, value) for name, value in worlds[0].items()]
    elif verdict == "right":
        answers = item.answer
    graded = _grade(knowledge, answers) if deep and answers else None
    return Audited(
        item, 1 if unique else "2+", verdict, redundant, graded, worlds=worlds,
        paid=tuple(paid), proof=proof,
    )  # fmt: skip


def _proved(asked: Mapping[str, Callable[[], Any]]) -> Mapping[str, Any] | None:
    """Return what was asked, or ``None`` if it is not proved within the budget."""
    try:
        return {name: ask() for name, ask in asked.items()}
    except (BadProblem, Undecided):
        return None


def _pairs(world: World) -> list[list[Any]]:
    return [[write_value(name), write_value(value)] for name, value in world.items()]


def _state(model: Model, world: World) -> int:
    return sum(
        1 << model.place[value] + model.index[name] * model.stride for name, value in world.items()
    )


def _grade(knowledge: Knowledge, answers: Sequence[Constraint]) -> Grade | None:
    try:
        return grade(knowledge, [fact for fact in answers if isinstance(fact, Fact)])
    except (Undecided, Unsupported):
        return None


def _redundant(knowledge: Knowledge) -> tuple[int, ...]:
    """Return the numbers of the clues that follow from all other clues and the rules."""
    found = []
    asker, problem = knowledge.asker, knowledge.problem
    for number, piece in enumerate(problem.evidence, 1):
        if piece.doubt is not None or isinstance(piece.constraint, Weigh):
            continue
        others = list(asker.model.statements)
        del others[len(problem.rules) + number - 1]
        opposed = map(asker.model.compile, negations(piece.constraint))
        if all(asker.solve_selection([*others, one]).value is None for one in opposed):
            found.append(number)
    return tuple(found)
