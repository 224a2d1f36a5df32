"""The search with component caching, and the automatic choice between it and a sweep."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial, inf
from random import Random

import pytest

from deduce import Budget, Knowledge, Problem, Undecided, exactly, is_, is_not
from deduce.constraints import Fact, Weigh, Where, at_least
from deduce.engines import choose
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.model import Model
from deduce.engines.count.search.components import Components
from deduce.engines.count.search.search import Search
from tests.engines.bodies import assert_engine_agrees, meter

HARDEST = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
"""A sudoku with 21 clues, by Arto Inkala (2012), called the hardest in newspapers."""


def _sudoku(clues: str) -> Problem:
    rows = [[(r, c) for c in range(9)] for r in range(9)]
    columns = [[(r, c) for r in range(9)] for c in range(9)]
    boxes = [[(r + i // 3, c + i % 3) for i in range(9)] for r in (0, 3, 6) for c in (0, 3, 6)]
    units = [*rows, *columns, *boxes]
    rules = [exactly(1, [is_(cell, v) for cell in unit]) for unit in units for v in range(1, 10)]
    given_ = [is_((i // 9, i % 9), int(clue)) for i, clue in enumerate(clues) if clue != "."]
    return Problem({cell: range(1, 10) for row in rows for cell in row}, [*rules, *given_])


def _derangement(size: int) -> Problem:
    numbers = range(size)
    once = [exactly(1, [is_(i, v) for i in numbers]) for v in numbers]
    return Problem(dict.fromkeys(numbers, numbers), [*once, *(is_not(i, i) for i in numbers)])


def speakers(size: int, seed: int) -> Problem:
    """Each says how many of three others tell the truth, and tells the truth or lies."""
    random = Random(seed)
    truth = [random.random() < 0.5 for _ in range(size)]
    rules = []
    for speaker in range(size):
        group = random.sample([other for other in range(size) if other != speaker], 3)
        number = sum(truth[other] for other in group)
        said = number if truth[speaker] else (number + random.randrange(1, 4)) % 4

        def fits(speaks: str, *others: str, said: int = said) -> bool:
            return (speaks == "truth") == (others.count("truth") == said)

        rules.append(Where((speaker, *group), fits, f"{speaker} says {said} of {group}"))
    return Problem(dict.fromkeys(range(size), ("truth", "lies")), rules)


def test_sudoku_is_counted_within_the_default_budget() -> None:
    k = Knowledge(_sudoku(HARDEST))
    assert k.count() == 1
    assert all(len(values) == 1 for values in k.possible().values())
    assert k.asker.tally(weighted=False).engine == "components"  # a list takes four times as long


def test_derangements_of_24_are_counted_within_the_default_budget() -> None:
    n = 24
    k = Knowledge(_derangement(n))
    assert k.count() == sum((-1) ** i * factorial(n) // factorial(i) for i in range(n + 1))


def test_people_who_speak_about_each_other_are_counted_as_by_listing_them() -> None:
    problem = speakers(30, 5)
    expected = sum(1 for _ in Knowledge(problem).worlds())
    tally = Components().tally(Model(problem), meter(), weighted=False)
    assert tally.total == expected > 0


@pytest.mark.parametrize("shared", [[is_("x", 0), is_("z", 1)], [is_("x", 0), is_("z", 0)]])
def test_a_component_keeps_the_factor_of_a_likelihood(shared: list[Fact]) -> None:
    """Where y is known, x decides the likelihood alone, and both of its values weigh the same."""
    weigh = Weigh([is_("x", 1), is_("y", 1)], [1, 7, 3, 5, 7], amounts=(3, 1))
    problem = Problem(dict.fromkeys("xyz", (0, 1)), [at_least(1, shared), weigh])
    assert_engine_agrees(Components(), problem)
    for name in ("auto", "auto:counting", "components", "bits"):
        k = Knowledge(problem, engine=name)
        for variable, row in k.posterior().items():
            assert dict(k.joint(variable)) == {(value,): share for value, share in row.items()}


def test_the_engines_of_the_automatic_choice_have_names() -> None:
    assert Knowledge(Problem({"x": (1, 2)}), engine="auto:counting").shares()["x"][1] == 1 / 2
    assert choose.engine("auto:counting") is not choose.engine("counting")
    plan = choose.engines_for("tally", Model(_derangement(6)), meter())
    names = ("auto:counting", "auto:branches", "components")
    assert {tool for tool, _ in plan} == {*map(choose.engine, names)}


def test_the_estimate_chooses_by_states_and_by_large_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert choose.states_to_sweep(Model(_derangement(6)), meter()) == 0  # by sets
    assert choose.states_to_sweep(Model(_sudoku(HARDEST)), meter()) > choose.MAX_STATES
    apart = [Where(two, lambda a, b: abs(a - b) > 2, "apart") for two in ((0, 1), (1, 2), (0, 2))]
    ships = Model(Problem(dict.fromkeys(range(3), range(12)), apart))
    assert choose.states_to_sweep(ships, meter()) == inf
    cards = dict.fromkeys(range(40), ("A", "B", "C"))
    hands = [exactly(10, [is_(card, who) for card in cards]) for who in "AB"]
    pairs = [exactly(1, [is_(c, "A"), is_(c + 1, "B")]) for c in range(0, 39, 3)]
    assert choose.states_to_sweep(Model(Problem(cards, [*hands, *pairs])), meter()) == 0
    chain = [exactly(1, [is_(card, "A"), is_(card + 1, "B")]) for card in range(11)]
    narrow = Model(Problem(dict.fromkeys(range(12), ("A", "B", "C")), chain))
    assert 0 < choose.states_to_sweep(narrow, meter()) <= choose.MAX_STATES
    monkeypatch.setattr(choose, "MAX_GROUPS", 5)
    assert choose.states_to_sweep(narrow, meter()) == inf


def _budgets() -> Iterator[int]:
    yield from range(0, 3000, 150)
    yield from range(3000, 60000, 9000)


def _bounds(model: Model, steps: int) -> tuple[int, int]:
    """Return the least and the greatest number of worlds that is possible after these steps."""
    try:
        total = int(Components().tally(model, Budget(steps).meter(), weighted=False).total)
    except Undecided as error:
        return error.at_least or 0, error.at_most or 0
    return total, total


def test_bounds_hold_wherever_the_search_is_stopped() -> None:
    """For every budget the number of worlds is within the bounds, which are close at the end."""
    problem = speakers(24, 8)
    model = Model(problem)
    expected = Components().tally(model, meter(), weighted=False).total
    known = [_bounds(model, steps) for steps in _budgets()]
    assert all(low <= expected <= high for low, high in known)
    assert len({high for _, high in known}) >= 5
    assert known[0][1] == 2**24
    assert known[-1] == (expected, expected)


def test_undecided_says_what_was_tried_and_between_what_the_number_is() -> None:
    with pytest.raises(Undecided) as caught:
        Knowledge(speakers(200, 1), budget=Budget(steps=130_000)).count()
    error = caught.value
    assert str(error).startswith("counting: not decided within 60000 steps; worlds: ")
    assert "; components: not decided" in str(error)
    assert str(error).endswith(" worlds")
    assert error.at_least is not None
    assert error.at_most is not None
    assert error.at_least < error.at_most <= 2**200


def test_components_that_return_are_counted_once() -> None:
    """A chain of 60 pairs has 3^60 worlds; each component of the chain occurs for two states."""
    names = range(61)
    rules = [Where((i, i + 1), lambda a, b: (a, b) != (1, 1), "not both") for i in range(60)]
    problem = Problem(dict.fromkeys(names, (0, 1)), rules)
    model = Model(problem)
    bounds = Bounds(model)
    searched = Search(bounds, meter())
    root = searched.count(bounds.narrow(bounds.start))
    a, b = 1, 1
    for _ in names:
        a, b = b, a + b
    assert root is not None
    assert root.total == b
    assert len(searched.cache) < 3 * 61
