"""Recorded cases of problems: what the list of all worlds says, compared with the answers.

The fields are described in docs/problems.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from re import escape
from typing import Any

from deduce.errors import BadInput, Contradiction, Undecided
from deduce.knowledge import Knowledge
from deduce.logs.case_forms import Only, Text, of_form
from deduce.logs.problem_json import (
    FORMS,
    read_problem,
    read_value,
    write_problem,
    write_value,
)
from deduce.problem import Problem
from deduce.testing import enumeration
from deduce.testing.cases import Difference, compare
from deduce.testing.laws import LAWS, difference, enumerated
from deduce.testing.paths import PATHS, forced

__all__ = ["problem_case", "replay"]

FIELDS = ("count", "possible", "shares", "posterior")

FORM = Only({
    **FORMS["problem case"],
    "law?": Text("|".join(LAWS), f"one of {', '.join(LAWS)}"),
    "path?": Text("|".join(map(escape, PATHS)), f"one of {', '.join(PATHS)}"),
    "seed?": str,
})  # fmt: skip
"""The form of a case (`deduce.logs.case_forms`)."""


def problem_case(problem: Problem) -> dict[str, object]:
    """Return the fields of a case: the problem, and what is expected if it can be listed.

    Examples
    --------
    >>> problem_case(Problem({"coin": ("heads", "tails")}))["expected"]["posterior"]
    [['coin', [['heads', '1/2'], ['tails', '1/2']]]]
    """
    case: dict[str, object] = {"problem": write_problem(problem)}
    names = list(problem.domains)[:2]
    try:
        worlds = enumeration.worlds(problem, most=enumeration.MAX_COMBINATIONS)
    except Undecided:
        return case
    found = enumerated(problem, worlds, names)
    expected = {
        name: _written(found[name]) for name in ("count", "possible", "shares", "posterior")
    }
    expected["joint"] = {
        "of": list(map(write_value, names)),
        "probabilities": _written(found["joint"]),
    }
    return {**case, "expected": expected}


@of_form(FORM)
def replay(case: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield each expected answer that is given otherwise, and the law that a case still breaks.

    Raises
    ------
    BadInput
        It is not a case of a problem.
    """
    if not case.get("expected") and "law" not in case:
        raise BadInput("the case has nothing to compare: it needs a field 'expected' or 'law'")
    problem = read_problem(case["problem"], "problem")
    path, expected = case.get("path", "auto"), case.get("expected", {})
    doubted = any(piece.doubt for piece in problem.evidence)
    with forced("counting" if doubted and path == "auto" else path) as engine:  # auto may round
        knowledge = Knowledge(problem, engine=engine)
        for name in FIELDS:
            if name in expected:
                found = _given(getattr(knowledge, name))
                yield from compare(f"expected.{name}", _keyed(expected[name]), _keyed(found))
        if "joint" in expected:
            of = expected["joint"]["of"]
            names = [read_value(v, f"expected.joint.of[{n}]") for n, v in enumerate(of)]
            found = _given(partial(knowledge.joint, *names))
            right = _keyed(expected["joint"]["probabilities"])
            yield from compare("expected.joint.probabilities", right, _keyed(found))
    if "law" in case:
        message = difference(problem, case["law"], path, case.get("seed", ""))
        if message:
            yield Difference("law", "", message)


def _given(query: Callable[[], object]) -> object:
    """Return an answer as JSON has it; null: there is none, for no world is possible."""
    try:
        return _written(query())
    except Contradiction:
        return None


def _written(answer: object) -> object:
    if isinstance(answer, Mapping):
        return [[write_value(key), _written(value)] for key, value in answer.items() if value]
    if isinstance(answer, frozenset):
        return sorted(map(write_value, answer), key=json.dumps)
    return answer if answer is None or type(answer) is int else str(answer)


def _keyed(answer: object) -> object:
    """Return an answer in which the order of variables and values does not matter."""
    if not isinstance(answer, list):
        return answer
    if all(isinstance(item, list) for item in answer):
        return {json.dumps(key): _keyed(value) for key, value in answer}
    return sorted(answer, key=json.dumps)
