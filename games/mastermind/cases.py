"""Replaying recorded cases: ``mastermind/answers`` and ``mastermind/plans``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deduce.knowledge import Knowledge
from deduce.logs.case_forms import of_form, read_forms
from deduce.policy.best import best_plan
from deduce.testing.cases import Difference, compare
from games.mastermind.game import Mastermind

__all__ = ["answers", "plans"]

Case = Mapping[str, Any]


FORMS = read_forms("games.mastermind")
"""The forms of the cases, by their kinds."""


def _game(case: Case) -> Mastermind:
    return Mastermind(case["slots"], case["colours"], case.get("repeat", True))


@of_form(FORMS["answers"])
def answers(case: Case) -> Iterator[Difference]:
    """Yield what differs: the answer of a code to a guess, or the codes that guesses leave."""
    game = _game(case)
    if "code" in case:
        code, guess = game.parse_code(case["code"]), game.parse_code(case["guess"])
        answer = game.answer(guess, game.world_of(code))
        yield from compare("answer", case["answer"], list(answer))
        return
    knowledge = Knowledge(game).tell(*case["guesses"])
    yield from compare("codes", case["codes"], knowledge.count())
    if "best" in case:
        advice = knowledge.advise(by=case.get("by", "information"))
        best = sorted(rated.text for rated in advice.best())
        yield from compare("best", sorted(case["best"]), best)


@of_form(FORMS["plans"])
def plans(case: Case) -> Iterator[Difference]:
    """Yield what differs: the figures of the best plan."""
    plan = best_plan(
        Knowledge(_game(case)),
        objective=case.get("objective", "expected"),
        within=case.get("within"),
    ).uninterrupted()
    actual = {"total": plan.total, "worst": plan.worst, "found": plan.found, "proved": plan.proved}
    for name, value in case["expected"].items():
        yield from compare(name, value, actual[name])
