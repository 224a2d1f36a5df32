"""One meter for a question: time and memory, from compiling to what is known at the end."""

from __future__ import annotations

import time
from contextlib import suppress
from itertools import cycle
from math import comb
from mmap import mmap
from random import Random

import pytest

from deduce import BadInput, Budget, Knowledge, Problem, Undecided, Where, is_
from deduce import budget as budgets
from deduce.budget import UNLIMITED, cpu_seconds
from deduce.constraints import Constraint, Count, Fact, at_least, at_most, exactly
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.model import Model
from deduce.engines.count.sweep.sweep import PIECE, pieces
from deduce.engines.solve.matching import places_of
from tests.engines.hostile import KINDS
from tests.engines.hostile import QUERIES as HOSTILE

QUERIES = ("is_consistent", "posterior")


def _overlapping(counts: int = 60) -> Problem:
    """Sixty variables and Counts of twenty facts, of which no engine decides sixty quickly."""
    random = Random(2)
    world = {v: random.randrange(3) for v in range(60)}
    made: list[Constraint] = []
    for _ in range(counts):
        facts = [is_(v, random.randrange(3)) for v in random.sample(range(60), 20)]
        number = sum(world[fact.variable] in fact.values for fact in facts)  # type: ignore[index]
        made.append(Count(facts, number, number))
    made.append(is_(3, world[3]))
    return Problem(dict.fromkeys(range(60), range(3)), made)


def _tabulated() -> Problem:
    """A predicate of about 50 microseconds over 4^8 rows: three seconds in all."""

    def fits(*row: int) -> bool:
        return sum(sum(row) for _ in range(200)) % 3 == 1

    return Problem(dict.fromkeys("abcdefgh", range(4)), [Where(tuple("abcdefgh"), fits, "slow")])


def _wide() -> Problem:
    """Values that do not occur twice: the numbering alone would take gigabytes."""
    domains = {v: range(v * 20_000, (v + 1) * 20_000) for v in range(20)}
    return Problem(domains, [at_least(1, [is_(v, v * 20_000) for v in domains])])


def _many_values() -> Problem:
    """Values for the engine of flows, each an edge of every variable: eight seconds in all."""
    domains = dict.fromkeys(range(20), range(20_000))
    return Problem(domains, [at_most(1, [is_(v, n) for v in domains]) for n in range(300)])


def _alike() -> Problem:
    """One Count over all variables, a group whose binomial coefficients are long numbers."""
    domains = dict.fromkeys(range(15_000), range(2))
    return Problem(domains, [exactly(7500, [is_(v, 0) for v in domains])])


@pytest.fixture(scope="module", autouse=True)
def packages() -> None:
    """Load the packages of the engines, whose imports are not part of a question."""
    pytest.importorskip("ortools.sat.python.cp_model")
    pytest.importorskip("numpy")


@pytest.mark.parametrize(
    ("make", "query"),
    list(
        zip([_overlapping, _tabulated, _wide, _many_values, _alike], cycle(QUERIES), strict=False)
    ),
)
def test_the_time_limit_holds_from_compiling_on(make: object, query: str) -> None:
    """By the time of the processor, for other programs take time from this one."""
    assert callable(make)
    problem = make()
    started = cpu_seconds()
    budget = Budget(None, seconds=0.05, clock=cpu_seconds)
    with suppress(Undecided):
        getattr(Knowledge(problem, budget=budget), query)()
    assert cpu_seconds() - started < 5


@pytest.mark.parametrize(
    ("kind", "seed", "query", "engine"),
    [
        (
            "many",
            2,
            "posterior",
            "reference",
        ),  # 16.5 s: loops of its package
        ("wide", 7, "joint", "reference"),  # 3.2 s and 1.1 GB: each value was a long number
        ("wide", 7, "posterior", "components"),  # 2.3 s: values were removed one by one
        ("capacities", 12, "count", "components"),  # 1.5 s: bounds after the end
        ("overlapping", 13, "slips", "counting"),  # 1.5 s: a step of a sweep was one piece
        ("pigeons", 1, "probable_worlds", "counting"),  # no end: all assignments were listed
    ],
)
def test_engines_look_at_the_limits_in_every_loop(
    kind: str, seed: int, query: str, engine: str
) -> None:
    budget = Budget(None, seconds=0.05, clock=cpu_seconds)
    knowledge = Knowledge(KINDS[kind](Random(seed)), budget=budget, engine=engine)
    started = cpu_seconds()
    with suppress(Undecided):
        HOSTILE[query](knowledge)
    assert cpu_seconds() - started < 1


def test_a_sweep_pays_for_each_piece_before_it_is_made() -> None:
    states = dict.fromkeys(range(1000), 1)
    meter = Budget(steps=3 * PIECE).meter()
    with pytest.raises(Undecided):
        list(pieces(states, PIECE // 100, meter))
    assert meter.steps == 4 * PIECE
    whole = list(pieces(states, PIECE // 100, UNLIMITED))
    assert [len(piece) for piece in whole] == [100] * 10
    assert {state for piece in whole for state in piece} == set(states)


def test_the_memory_limit_ends_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    used = iter(range(0, 10**9, 10**5))
    monkeypatch.setattr(budgets, "memory_in_use", lambda: next(used))
    with pytest.raises(Undecided, match="MiB of memory"):
        Knowledge(_overlapping(), budget=Budget(None, memory=5_000_000)).count()


def test_memory_in_use_grows_with_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "MEMORY_SECONDS", 1e-9)
    before = budgets.memory_in_use()
    if not before:
        pytest.skip("the operating system does not tell")
    with mmap(-1, 50_000_000) as kept:  # no memory that Python has already
        kept.write(bytes([1]) * 50_000_000)
        assert budgets.memory_in_use() - before > 40_000_000


@pytest.mark.parametrize("memory", [-1, 1.5, True, "1"])
def test_a_memory_limit_is_a_number_of_bytes(memory: object) -> None:
    with pytest.raises(BadInput, match="whole number of bytes or None"):
        Budget(memory=memory)  # type: ignore[arg-type]


def test_shares_have_the_limits_of_the_whole() -> None:
    meter = Budget(1000, seconds=60).meter()
    meter.spend(600)
    part = meter.share(800, halved=True)
    assert part.budget.steps == 400
    left, seconds = part.seconds_left(), meter.seconds_left()
    assert left is not None
    assert seconds is not None
    assert seconds / 3 < left < seconds * 2 / 3
    with pytest.raises(Undecided, match="within 400 steps"):
        part.spend(401)
    assert Budget(None).meter().share().budget.steps is None


def test_undecided_keeps_what_propagation_found_before_the_time_was_over() -> None:
    problem = _overlapping()
    fact = problem.rules[-1].constraint
    assert isinstance(fact, Fact)
    with pytest.raises(Undecided) as caught:
        Knowledge(problem, budget=Budget(200)).count()
    assert caught.value.known[3] == fact.values
    assert Knowledge(problem, budget=Budget(200)).asker.not_excluded()[3] == fact.values
    late = Budget(until=time.monotonic() - 1)
    with pytest.raises(Undecided) as caught:
        Knowledge(problem, budget=late).count()
    assert caught.value.known[3] == frozenset({0, 1, 2})


def test_places_are_nested_or_apart_also_where_there_are_thousands() -> None:
    names = range(3000)
    rules = [at_least(1, [is_(v, 1), is_(v + 1, 1)]) for v in names[:-1:2]]
    model = Model(Problem(dict.fromkeys(names, (0, 1)), [*rules, at_least(9, [is_(0, 1)])]))
    places = places_of(model.statements)
    assert places is not None
    overlapping = [at_least(1, [is_(v, 1), is_(v + 1, 1)]) for v in range(3)]
    assert (
        places_of(Model(Problem(dict.fromkeys(range(4), (0, 1)), overlapping)).statements) is None
    )


def test_propagation_looks_at_the_meter() -> None:
    model = Model(_overlapping(3000))
    late = Budget(None, until=time.monotonic() - 1).meter()
    bounds = Bounds(model, model.statements, late)
    with pytest.raises(Undecided, match="time limit"):
        bounds.narrow(bounds.start)


def test_alike_variables_are_prepared_in_linear_time() -> None:
    domains = dict.fromkeys(range(3000), range(2))
    problem = Problem(domains, [exactly(1500, [is_(v, 0) for v in domains])])
    knowledge = Knowledge(problem, engine="counting", budget=Budget(200_000))
    assert knowledge.count() == comb(3000, 1500)
