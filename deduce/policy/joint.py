"""Rating a question by a joint distribution of what is asked about and what the answer reads."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import log2, prod
from typing import TYPE_CHECKING, Any

from attrs import evolve

from deduce.constraints import Fact, Variable, Weigh
from deduce.game import Shown, hook
from deduce.policy.advice import UNKNOWN, Unknown
from deduce.policy.inquiries import Inquiry, answers_to
from deduce.policy.rating import Cell, Given, Rating, rate_cells

if TYPE_CHECKING:
    from deduce.queries import Asker, Queries

__all__ = ["Target", "rate_by_joint", "targets_of"]

Target = Mapping[Hashable, Sequence[Fact]]
"""A question of the game as a mapping from answers to facts."""


def targets_of(knowledge: Queries) -> tuple[Target, ...]:
    """Return what the players want to find out, from the game's method ``questions``."""
    questions = hook(knowledge.game, Shown.questions)
    asked: Sequence[Any] = () if questions is None else tuple(questions())
    return tuple(
        {
            label: [Fact(variable, values) for variable, values in literals]
            for label, literals in knowledge.question(question).items()
        }
        for question in asked
    )


def rate_by_joint(
    knowledge: Queries,
    inquiry: Inquiry,
    scope: Sequence[Variable],
    targets: Sequence[Target],
    numbers: Mapping[Variable, int],
    answers: dict[Hashable, Given],
    *,
    possible: Mapping[Variable, frozenset[Any]],
    count: int,
    weighted: bool,
    once: Asker | None,
) -> Rating:
    """Return the exact rating of a question.

    Parameters
    ----------
    knowledge
        The worlds.
    inquiry, scope
        The question, and the variables that determine its answer.
    targets
        What is asked about; empty: which world it is.
    numbers
        Those of `deduce.policy.symmetry.interchangeable`. Answers of a target that differ
        only in interchangeable variables which the question does not read are counted together.
    answers
        The answers by the values in the scope, as far as they are known; more are added.
    possible, count
        The possible values, and the number of worlds (of positive weight, if ``weighted``).
    weighted
        Whether worlds count by the posterior.
    once
        Where worlds have different weights: asks about `deduce.likelihoods.counted_once`. Left
        out, it is not counted how many worlds each answer leaves.

    Raises
    ------
    Undecided
        The budget runs out.
    """
    labels = [_labels(target, possible, scope, numbers) for target in targets]
    questions: list[Any] = []
    read: list[Any] = []
    fixed: list[Hashable] = []
    for label in labels:
        fixed.append(next(iter(label)) if len(label) == 1 else _ASKED)
        if len(label) > 1:
            questions.append({mark: facts for mark, (facts, _) in label.items()})
    for variable in scope:
        left = possible[variable]
        fixed.append(next(iter(left)) if len(left) == 1 else _ASKED)
        if len(left) > 1:
            read.append(variable)
    joint = knowledge.joint(*questions, *read, weighted=weighted)
    equal = not weighted or not any(
        isinstance(constraint, Weigh) for constraint in knowledge.problem.constraints()
    )
    sizes: dict[Hashable, int] = {}
    cells: dict[Hashable, tuple[Given, Cell]] = {}
    for combination, share in joint.items():
        if not share:
            continue
        given = iter(combination)
        full = [next(given) if answer is _ASKED else answer for answer in fixed]
        solution, values = tuple(full[: len(labels)]), tuple(full[len(labels) :])
        if values not in answers:
            world = dict(zip(scope, values, strict=True))
            answers[values] = answers_to(knowledge.game, inquiry, world)
        _, cell = cells.setdefault(values, (answers[values], Cell()))
        cell.weight += share
        if not isinstance(cell.worlds, Unknown):
            cell.worlds = cell.worlds + int(share * count) if equal else UNKNOWN
        if labels:
            sizes[solution] = prod(
                label[mark][1] for mark, label in zip(solution, labels, strict=True)
            )
            row = cell.solutions = cell.solutions or {}
            row[solution] = row.get(solution, 0) + share
    if once is not None:
        variables = list(map(knowledge.question, read))
        for combination, share in once.joint(variables, weighted=True).value.items():
            given = iter(combination)
            values = tuple(next(given) if v is _ASKED else v for v in fixed[len(labels) :])
            if share:
                cells[values][1].worlds = int(share * count)
    gain, after = rate_cells(cells.values(), sizes=sizes, knows_bits=False)
    is_chosen = any(len(given) > 1 for given, _ in cells.values())
    if not targets and equal and not is_chosen:  # all worlds that an answer leaves weigh the same
        after = {
            answer: item
            if isinstance(item.worlds, Unknown)
            else evolve(item, bits=log2(item.worlds))
            for answer, item in after.items()
        }
    return Rating(gain, 0.0, after)


_ASKED = object()
"""Stands for an answer that is not known beforehand."""


def _labels(
    target: Target,
    possible: Mapping[Variable, frozenset[Any]],
    scope: Sequence[Variable],
    numbers: Mapping[Variable, int],
) -> dict[Hashable, tuple[list[Fact], int]]:
    """Return the possible answers to a target: the facts, and how many answers one label is."""
    alone = len({fact.variable for facts in target.values() for fact in facts}) == 1
    labels: dict[Hashable, tuple[list[Fact], int]] = {}
    for answer, facts in target.items():
        open_ = [fact for fact in facts if possible[fact.variable] & fact.values]
        if not open_:
            continue
        mark: Hashable = ("answer", answer)
        if not alone and len(facts) == 1 and facts[0].variable not in scope:
            mark = ("like", numbers[facts[0].variable], facts[0].values)
        before, size = labels.get(mark, ([], 0))
        labels[mark] = ([*before, *facts], size + 1)
    return labels
