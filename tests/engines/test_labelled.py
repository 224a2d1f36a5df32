"""Joint distributions by a sweep whose states have a row of weights for the answers."""

from __future__ import annotations

from fractions import Fraction
from math import factorial, prod
from random import Random
from typing import Any

import pytest

from deduce.budget import Budget
from deduce.constraints import Constraint, Count, Fact, Value, Variable, Weigh, exactly, is_
from deduce.engines.core.model import Model
from deduce.engines.count import Counting
from deduce.engines.count import part as parts
from deduce.engines.count.sweep import labelled
from deduce.errors import Undecided
from deduce.problem import Problem
from deduce.testing import enumeration as yardstick
from tests.benchmarks.situations import BIG_DECK, position
from tests.engines.bodies import meter

Asked = dict[Value, list[tuple[Variable, frozenset[Value]]]]

PLAIN = Counting(large=10**9)
ROWS = [
    Counting(large=0, rows_from=0),
    Counting(large=0, rows_from=0, prune_from=0, moduli=2),
]

KINDS = (("s", 3), ("w", 2), ("r", 2))


@pytest.fixture(params=[labelled.PRIME, 1 << 62], ids=["", "reduced before each addition"])
def swept(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The moduli of each sweep by rows."""
    monkeypatch.setattr(labelled, "PRIME", request.param)
    used: list[tuple[int, ...]] = []

    class Watched(labelled.LabelledSweep):
        def __init__(self, *args: Any, **given: Any) -> None:
            super().__init__(*args, **given)
            used.append(self.moduli)

    monkeypatch.setattr(labelled, "LabelledSweep", Watched)
    return used


once = pytest.mark.parametrize("swept", [labelled.PRIME], indirect=True)


def deal(kinds: tuple[tuple[str, int], ...], sizes: tuple[int, ...]) -> tuple[Problem, list[Asked]]:
    """Return cards of which one of each kind is in an envelope, and what is asked about it."""
    cards = [[f"{kind}{i}" for i in range(number)] for kind, number in kinds]
    holders = ["case", *(f"p{i}" for i in range(len(sizes)))]
    rules: list[Constraint] = [exactly(1, [is_(card, "case") for card in kind]) for kind in cards]
    everything = [card for kind in cards for card in kind]
    for holder, size in zip(holders[1:], sizes, strict=True):
        rules.append(exactly(size, [is_(card, holder) for card in everything]))
    asked: list[Asked] = [{card: [(card, frozenset({"case"}))] for card in kind} for kind in cards]
    return Problem(dict.fromkeys(everything, holders), rules), asked


def with_evidence(problem: Problem, seed: int) -> Problem:
    """Return the problem with some clauses and a likelihood."""
    random = Random(seed)
    cards = list(problem.domains)
    rules = list(problem.constraints())
    for _ in range(random.randint(1, 4)):
        holder = random.choice(["p0", "p1", "case"])
        facts: list[Fact] = [is_(card, holder) for card in random.sample(cards, 3)]
        if random.random() < 0.7:
            rules.append(Count(facts, 1))
        else:
            rules.append(Weigh(facts, [Fraction(n, 3) for n in (1, 2, 4, 1)]))
    return Problem(problem.domains, rules)


@pytest.mark.parametrize("seed", range(2))
def test_rows_agree_with_listing(seed: int, swept: list[Any]) -> None:
    problem, asked = deal(KINDS, (2, 1, 1))
    problem = with_evidence(problem, seed)
    model, found = Model(problem), list(yardstick.worlds(problem))
    holder: Asked = {v: [("s0", frozenset({v}))] for v in ("case", "p0", "p1", "p2")}
    pair: list[Asked] = [asked[2], holder]
    for questions in (asked, pair):
        for weighted in (False, True):
            expected = yardstick.joint(problem, found, questions, weighted=weighted)
            for engine in ROWS:
                assert engine.joint(model, meter(), questions, weighted=weighted) == expected
    assert swept or not found


@once
def test_numbers_beyond_a_machine_word(swept: list[Any]) -> None:
    sizes = tuple([4] * 7 + [3] * 3)
    problem, asked = deal((("s", 12), ("w", 12), ("r", 16)), sizes)
    joint = ROWS[0].joint(Model(problem), meter(), asked, weighted=False)
    deals = factorial(37) // prod(map(factorial, sizes))
    assert deals > 1 << 64
    assert len(joint) == 12 * 12 * 16
    assert set(joint.values()) == {deals}
    assert swept


def test_many_combinations_of_answers_are_kept_in_the_states(
    swept: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem, asked = deal(KINDS, (2, 1, 1))
    model = Model(problem)
    monkeypatch.setattr(parts, "MAX_COLUMNS", 1)
    joint = ROWS[0].joint(model, meter(), asked, weighted=False)
    assert joint == PLAIN.joint(model, meter(), asked, weighted=False)
    assert not swept


def test_a_sweep_by_rows_stops_at_the_limit() -> None:
    knowledge = position(4, 10, 26, BIG_DECK).seen_by("Ann")
    asked = knowledge.game.questions()  # type: ignore[attr-defined]
    with pytest.raises(Undecided, match="not decided within 300000 steps"):
        knowledge.using(engine="counting", budget=Budget(300_000)).joint(*asked)
