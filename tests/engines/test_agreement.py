"""Every engine gives the answers of the known table; `test_generated` has those of problems."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deduce.constraints import Rows, Where, at_least, at_most, is_, is_not
from deduce.engines.base import Engine
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.model import Model
from deduce.engines.core.residue import residue
from deduce.engines.count import Counting
from deduce.engines.count.branches import Branches
from deduce.engines.count.search.components import Components
from deduce.engines.count.sweep.order import cells
from deduce.engines.solve.bits import Bits
from deduce.engines.solve.cpsat import CpSat
from deduce.engines.solve.matching import Matching
from deduce.engines.solve.reference import Reference
from deduce.logic import count_of
from deduce.problem import Problem
from tests.engines.bodies import assert_engine_agrees, assert_selections_agree, meter, questions
from tests.engines.strategies import problems
from tests.known import KNOWN, Known

OWN: list[Engine] = [
    Bits(),
    Bits(hamming=False),
    Counting(),
    Counting(prune_from=0),
    Counting(prune_from=0, large=0),
    Counting(large=0, arrays=False),
    Components(),
]
PACKAGES: list[Engine] = [CpSat(), Reference()]
OWN_IDS = [
    "bits",
    "bits-without-hamming",
    "counting",
    "counting-with-pruning",
    "counting-with-arrays",
    "counting-with-folds",
    "components",
]
PACKAGE_IDS = ["cpsat", "reference"]

any_engine = pytest.mark.parametrize(
    "engine", [*OWN, *PACKAGES, Matching()], ids=[*OWN_IDS, *PACKAGE_IDS, "matching"]
)


@any_engine
def test_engine_reproduces_the_known_answers(engine: Engine) -> None:
    fitting = [known for known in KNOWN if engine.supports(Model(known.problem), "solve")]
    # A package takes a second for the largest table, which the others count, as long lists do.
    slow = engine in PACKAGES or isinstance(engine, Bits)
    for known in fitting:
        if not (slow and known.name == "small table"):
            check(engine, known)
    assert fitting


def check(engine: Engine, known: Known) -> None:
    model = Model(known.problem)
    world = engine.solve(model, meter())
    assert (world is not None) == (known.worlds > 0)
    assert world is None or known.problem.holds(world)
    possible = engine.possible(model, meter())
    assert bool(possible) == (known.worlds > 0)
    assert {name: possible[name] for name in known.settled} == known.settled
    if engine.supports(model, "tally"):
        plain = engine.tally(model, meter(), weighted=False)
        assert plain.total == known.worlds
        for (name, value), share in known.shares.items():
            assert plain.of[name][value] == share * plain.total
        weighed = engine.tally(model, meter(), weighted=True)
        for (name, value), share in known.posteriors.items():
            assert weighed.of[name][value] == share * weighed.total


OPEN = [Where(pair, Rows([(0, 1), (1, 2), (2, 0), (1, 1)])) for pair in (["b", "c"], ["c", "d"])]
OPEN_RULE = count_of([is_("a", 1), count_of(OPEN, 0, 2)], 1, 1)
"""A rule inside which another always holds."""


@example(Problem(dict.fromkeys("abcd", (0, 1, 2)), [OPEN_RULE, is_not("d", 1)]))
@given(problem=st.one_of(problems(), problems("laminar")))
def test_worlds_that_are_listed_in_branches_answer_what_is_counted(problem: Problem) -> None:
    branches = "deduce.engines.count.branches"  # so that the order is chosen, and rows are joined
    with patch(f"{branches}.MANY_ROWS", 3), patch(f"{branches}.REPEATED", -1):
        assert_engine_agrees(Branches(), problem)


@given(problem=st.one_of(problems(), problems("laminar")), data=st.data())
def test_every_engine_solves_selected_statements(problem: Problem, data: st.DataObject) -> None:
    number = len(list(problem.constraints()))
    kept = data.draw(st.lists(st.booleans(), min_size=number, max_size=number))
    model = Model(problem)
    engines = [*OWN, data.draw(st.sampled_from(PACKAGES)), Matching()]
    fitting = [engine for engine in engines if engine.supports(model, "solve")]
    assert_selections_agree(fitting, problem, kept)


def test_counting_estimates_orders_of_hundreds_of_groups() -> None:
    """By effects, 700 numbers of members left would be open together: more than a float holds."""
    names = [(f"a{i}", f"b{i}") for i in range(700)]
    rules = [at_least(1, [is_(name, "x") for name in pair]) for pair in names]
    rules.append(at_most(1399, [is_(name, "x") for pair in names for name in pair]))
    bounds = Bounds(Model(Problem({name: ("x", "y") for pair in names for name in pair}, rules)))
    (component,) = residue(bounds, bounds.narrow(bounds.start)).components
    assert len(cells(component, meter())) == 2 * 700


def test_a_random_problem_gets_a_question_about_several_variables_too() -> None:
    problem = next(known.problem for known in KNOWN if known.name == "permutations of 4")
    assert len(questions(problem)) == 3
