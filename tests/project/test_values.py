"""Values are equal by value, and can be pickled and copied at any time."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce import Knowledge, Problem, Where, is_
from deduce.errors import BadProblem
from deduce.steps import steps
from games.cluedo import Cluedo
from games.mastermind import Mastermind
from tests.engines.strategies import problems

QUERIES: dict[str, Callable[[Knowledge], Any]] = {
    "nothing": lambda k: None,
    "is_consistent": lambda k: k.is_consistent(),
    "contradiction": lambda k: k.contradiction(),
    "possible": lambda k: k.possible(),
    "certain": lambda k: k.certain(),
    "is_certain": lambda k: k.is_certain(_fact(k)),
    "why": lambda k: k.why(_fact(k)),
    "count": lambda k: k.count(),
    "shares": lambda k: k.shares(),
    "posterior": lambda k: k.posterior(),
    "joint": lambda k: k.joint(*list(k.problem.domains)[:2]),
    "slips": lambda k: k.slips(),
    "certain_unless": lambda k: k.certain_unless(),
    "sample": lambda k: k.sample(2, seed=1),
    "probable_worlds": lambda k: k.probable_worlds(2),
    "worlds": lambda k: next(k.worlds(), None),
    "verdicts": lambda k: k.assume(_fact(k)).verdicts(),
    "undo": lambda k: k.assume(_fact(k)).undo(),
    "steps": lambda k: steps(k),
    "advise": lambda k: k.advise(),
    "problem": lambda k: k.problem,
    "asker": lambda k: k.asker and None,
}


def _fact(k: Knowledge) -> Any:
    variable, values = next(iter(k.problem.domains.items()))
    return is_(variable, values[0])


def answered(query: Callable[[Knowledge], Any], k: Knowledge) -> Any:
    try:
        return query(k)
    except Exception as error:
        return type(error)


def travelled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))  # noqa: S301


def check_travels(k: Knowledge) -> None:
    for query in QUERIES.values():
        value = answered(query, k)
        for way in (travelled, copy.copy, copy.deepcopy):
            assert way(value) == value
            assert way(k) == k
        assert answered(query, travelled(k)) == value


def small(a: int, b: int) -> bool:
    return a + b < 3


@given(problems(), st.sampled_from((None, Fraction(1, 10))))
def test_every_value_travels_after_every_query(problem: Problem, doubts: Fraction | None) -> None:
    rules = [r for r in problem.rules if not isinstance(r.constraint, Where)]
    evidence = [p for p in problem.evidence if not isinstance(p.constraint, Where)]
    log = [p.constraint for p in evidence]
    check_travels(Knowledge(Problem(problem.domains, rules), log, doubts=doubts))


def test_knowledge_of_a_log_travels_after_every_query() -> None:
    deck = {"suspect": ("plum", "white"), "weapon": ("rope", "dagger"), "room": ("hall", "study")}
    start = Knowledge(Cluedo(("Ann", "Ben", "Cid"), deck))
    k = start.tell("Ann: plum rope hall; Ben -", "Ben: white rope study; Cid shows")
    check_travels(k)
    assert travelled(k).undo() == start
    assert [name for name in vars(travelled(k)) if name[1:] in ("model", "tally", "total")] == []
    check_travels(Knowledge(Mastermind(slots=2, colours=2)))
    check_travels(Knowledge(Problem({"a": (0, 1), "b": (0, 1)}, [Where(("a", "b"), small)])))


def test_a_long_log_travels() -> None:
    k = Knowledge(Problem({"a": (0, 1)}))
    for _ in range(1500):
        k = k.tell(is_("a", 0))
    assert travelled(k) == copy.deepcopy(k) == k
    assert travelled(k).undo().undo().log == k.log[:-2]


def test_a_predicate_that_cannot_be_pickled_is_named() -> None:
    k = Knowledge(Problem({"a": (0, 1), "b": (0, 1)}, [Where(("a", "b"), lambda a, b: a < b, "<")]))
    assert k.count() == 1
    with pytest.raises(BadProblem, match=r"the predicate of '<' cannot be pickled; define it"):
        pickle.dumps(k)
    assert copy.deepcopy(k) == copy.copy(k) == k
    assert copy.deepcopy(k).count() == 1
