"""Conditions inside conditions, order, numbers, disjoint choices: meaning, engines, sentences."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import combinations, permutations, product
from typing import Any

import pytest

from deduce import (
    BadProblem,
    Constraint,
    Fact,
    Knowledge,
    Logic,
    Problem,
    Sum,
    Weigh,
    Where,
    adjacent,
    all_of,
    any_of,
    at_least,
    before,
    between,
    count_of,
    disjoint,
    exactly,
    iff,
    implies,
    is_,
    is_not,
    likelihood,
    negation,
    none_of,
    number_of,
    opposite,
)
from deduce.constraints import variables_of
from deduce.engines.core.bounds import Bounds
from deduce.engines.core.lowering import lowered
from deduce.engines.core.model import CompiledCount, CompiledSum, CompiledWhere, Model
from deduce.logs.problem_json import read_problem, write_problem
from deduce.testing import enumeration

ENGINES = ("auto", "bits", "counting", "components", "cpsat", "reference")
COINS = dict.fromkeys("abcd", (0, 1))
A, B, C, D = (is_(name, 1) for name in COINS)
TWO = exactly(2, [A, B, C, D])


def numbers(condition: Constraint) -> list[int]:
    """Return the worlds of four coins, as bits, by every engine, which agree."""
    problem = Problem(COINS, [condition])
    found = set()
    for engine in ENGINES:
        k = Knowledge(problem, engine=engine)
        assert k.count() == len(enumeration.worlds(problem)), engine
        if engine in ("bits", "cpsat", "reference"):
            listed = [sum(world[v] << i for i, v in enumerate(COINS)) for world in k.worlds()]
            found.add(tuple(sorted(listed)))
    (worlds,) = found
    return list(worlds)


def by_hand(holds: Any) -> list[int]:
    rows = product((0, 1), repeat=4)
    return sorted(sum(x << i for i, x in enumerate(row)) for row in rows if holds(*row))


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (implies(A, TWO), lambda a, b, c, d: not a or a + b + c + d == 2),
        (implies(TWO, A), lambda a, b, c, d: a + b + c + d != 2 or a),
        (iff(A, TWO), lambda a, b, c, d: a == (a + b + c + d == 2)),
        (negation(TWO), lambda a, b, c, d: a + b + c + d != 2),
        (negation(negation(TWO)), lambda a, b, c, d: a + b + c + d == 2),
        (none_of([A, TWO]), lambda a, b, c, d: not a and a + b + c + d != 2),
        (any_of([TWO, all_of([A, B, C])]), lambda a, b, c, d: a + b + c + d == 2 or a + b + c == 3),
        (count_of([A, TWO, iff(C, D)], 1, 1),
         lambda a, b, c, d: a + (a + b + c + d == 2) + (c == d) == 1),
        (count_of([A, TWO, iff(C, D)], 2),
         lambda a, b, c, d: a + (a + b + c + d == 2) + (c == d) > 1),
        (implies(Where(("a", "b"), lambda a, b: a < b), Sum([(C, 2), (D, -1)], 1)),
         lambda a, b, c, d: a >= b or 2 * c - d >= 1),
        (iff(implies(A, B), iff(C, D)), lambda a, b, c, d: (not a or b) == (c == d)),
        (before("a", "b"), lambda a, b, c, d: a < b),
        (negation(before("a", "b")), lambda a, b, c, d: a >= b),
        (before(number_of([A, B]), number_of([C, D])), lambda a, b, c, d: a + b < c + d),
        (before("a", number_of([B, C, D]), gap=1), lambda a, b, c, d: b + c + d - a == 1),
        (adjacent(number_of([A, B]), number_of([C, D])),
         lambda a, b, c, d: abs(a + b - c - d) == 1),
        (implies(A, adjacent("b", "c")), lambda a, b, c, d: not a or b != c),
        (before("a", "b", gap=(0, 0), order=(1, 0)), lambda a, b, c, d: a == b),
        (before("a", "b", order=(1, 0)), lambda a, b, c, d: a > b),
        (all_of([]), lambda a, b, c, d: True),
        (any_of([]), lambda a, b, c, d: False),
        (count_of([A, B], 3), lambda a, b, c, d: False),
        (implies(any_of([]), TWO), lambda a, b, c, d: True),
        (is_("a", 1, 9, lenient=True), lambda a, b, c, d: a == 1),
        (is_not("a", 9, lenient=True), lambda a, b, c, d: True),
        (implies(A, is_("b", 7, lenient=True)), lambda a, b, c, d: not a),
        (Where(("a", "b", "a"), lambda a, b, c: a == c != b), lambda a, b, c, d: a != b),
        (Weigh([A, B, C], [0, 1, 0, 2]), lambda a, b, c, d: a + b + c in (1, 3)),
        (Weigh([A, B], [1, 2, 0]), lambda a, b, c, d: a + b < 2),
        (Weigh([A], [0, 1]), lambda a, b, c, d: a),
        (Weigh([A], [0, 0]), lambda a, b, c, d: False),
    ],
)  # fmt: skip
def test_each_word_means_what_it_says(condition: Constraint, holds: Any) -> None:
    assert numbers(condition) == by_hand(holds)


def test_values_between_others_and_choices_that_share_nothing() -> None:
    seats: dict[str, Sequence[Any]] = dict.fromkeys(("Ann", "Ben", "Cid"), ("left", "mid", "right"))
    order = ("left", "mid", "right")
    k = Knowledge(Problem(seats, [between("Ben", "Ann", "Cid", order=order)]))
    assert {tuple(world.values()) for world in k.worlds()} == {
        ("left", "mid", "right"), ("right", "mid", "left"),
    }  # fmt: skip
    hands = tuple(combinations("ABCDE", 2))
    players = dict.fromkeys(("x", "y"), hands)
    for engine in ENGINES:
        assert Knowledge(Problem(players, [disjoint(players)]), engine=engine).count() == 30
    sharing = Knowledge(Problem(players, [negation(disjoint(players))]))
    assert sharing.count() == 70
    items = {"pair": "AB", "ace": "A", "none": ""}
    choices = dict.fromkeys(("x", "y", "z"), tuple(items))
    assert Knowledge(Problem(choices, [disjoint(choices, items)])).count() == 1 + 3 * 2


def test_large_hands_are_not_a_table_of_pairs() -> None:
    hands = tuple(combinations(range(52), 2))[:1081]
    problem = Problem(dict.fromkeys(("Ann", "Ben"), hands), [disjoint(("Ann", "Ben"))])
    expected = sum(not set(a) & set(b) for a, b in product(hands, repeat=2))
    assert Knowledge(problem).count() == expected
    certain = Knowledge(problem).tell(is_("Ann", (0, 1))).possible()["Ben"]
    assert certain == {hand for hand in hands if not {0, 1} & set(hand)}


def test_a_guarded_count_propagates_as_the_count_does() -> None:
    problem = Problem(COINS, [implies(A, at_least(3, [B, C, D])), is_("a", 1)])
    bounds = Bounds(Model(problem))
    assert Model(problem).world(bounds.narrow(bounds.start)) == dict.fromkeys("abcd", 1)
    problem = Problem(COINS, [implies(A, at_least(3, [B, C, D])), is_("b", 0)])
    model = Model(problem)
    assert model.domain(Bounds(model).narrow(model.start & ~0), 0)
    assert Knowledge(problem).asker.narrowed()["a"] == {0}


@pytest.mark.parametrize(
    ("condition", "variables"),
    [
        (implies(A, B), 0), (iff(A, B), 0), (all_of([A, B]), 0),
        (implies(A, exactly(1, [B, C, D])), 0), (implies(all_of([A, B]), at_least(1, [C, D])), 0),
        (implies(A, all_of([at_least(2, [B, C, D]), any_of([B, C])])), 0),
        (any_of([at_least(2, [A, B, C]), at_least(2, [B, C, D])]), 1),
        (iff(A, at_least(2, [B, C, D])), 2),
    ],
)  # fmt: skip
def test_variables_are_added_only_where_counting_needs_them(
    condition: Constraint, variables: int
) -> None:
    model = Model(Problem(COINS, [condition]))
    plain, _ = lowered(model, Knowledge(Problem(COINS)).budget.meter())
    assert len(plain.variables) - plain.shown <= variables
    forms = {type(statement.form) for statement in plain.statements}
    assert forms <= {CompiledCount, CompiledSum, CompiledWhere, type(None)}


def test_sentences() -> None:
    assert str(implies(A, TWO)) == f"if a is 1, then {TWO}"
    k = Knowledge(Problem(COINS, [implies(A, B)])).tell(is_("a", 1), iff(B, all_of([C, D])))
    why = k.why(is_("c", 1))
    assert why.verdict == "certain"
    assert why.rules == ("if a is 1, then b is 1",)
    assert [step.sentences for step in why.steps] == [
        ("a is 1",), ("b is 1 if and only if (c is 1 and d is 1)",),
    ]  # fmt: skip
    assert variables_of(iff(B, all_of([C, D]))) == ("b", "c", "d")


def test_a_likelihood_of_several_values() -> None:
    roles = dict.fromkeys(("x", "y", "z"), ("loyal", "traitor"))

    def vote(x: str, y: str, z: str) -> int:
        return {0: 1, 1: 4, 2: 0, 3: 2}[[x, y, z].count("traitor")]

    weigh = likelihood(roles, vote)
    for engine in ENGINES:
        k = Knowledge(Problem(roles, [weigh]), engine=engine)
        assert k.count() == 5
        assert k.posterior()["x"]["traitor"] * 15 == 4 + 2
    with pytest.raises(BadProblem, match="too many"):
        likelihood(dict.fromkeys(range(20), (0, 1)), lambda *_: 1)
    with pytest.raises(BadProblem, match="'seer' is not one of them"):
        Problem({**roles, "y": ("loyal", "traitor", "seer")}, [weigh])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Logic("xor", [A, B]), "word of a Logic"),
        (lambda: Logic("if", [A]), "two conditions"),
        (lambda: all_of([Weigh([A], [1, 2])]), "neither true nor false"),
        (lambda: any_of(["a"]), "not a condition"),  # type: ignore[list-item]
        (lambda: Problem(COINS, [implies(A, is_("e", 1))]), "no variable 'e'"),
        (lambda: Problem(COINS, [implies(A, is_("b", 7))]), "can never be 7"),
        (lambda: Problem({"x": ("u", "v")}, [before("x", "x")]), "not a whole number"),
        (lambda: Problem(COINS, [before("a", "b", order=(0, 2))]), "does not name 1"),
        (lambda: Problem(COINS, [disjoint("ab")]), "expected a list of variables"),
        (lambda: Problem(COINS, [disjoint(("a", "b"))]), "items of 0"),
        (lambda: Weigh([A], [1, -1]), "0 or more"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused(make: Any, message: str) -> None:
    with pytest.raises(BadProblem, match=message):
        make()


def test_conditions_may_be_deep_but_not_without_end() -> None:
    deep: Constraint = A
    for n in range(100):
        coin = is_("abc"[n % 3], 1)
        deep = iff(deep, coin) if n % 2 else implies(opposite(coin), deep)
    problem = Problem(COINS, [deep])
    counts = {Knowledge(problem, engine=e).count() for e in ("bits", "components", "reference")}
    assert counts == {len(enumeration.worlds(problem))}
    assert Knowledge(problem).why(deep).verdict == "certain"
    assert read_problem(write_problem(problem)) == problem
    with pytest.raises(BadProblem, match="more than 100 deep"):
        implies(deep, A)


def test_conditions_are_values() -> None:
    condition = iff(implies(A, TWO), disjoint(("a", "b"), {0: "", 1: "x"}))
    copied = pickle.loads(pickle.dumps(condition))  # noqa: S301
    assert (copied, hash(copied)) == (condition, hash(condition))
    assert isinstance(negation(A), Fact)
    for order in permutations("abcd"):
        assert Knowledge(Problem(dict.fromkeys(order, (0, 1)), [condition])).count() == len(
            enumeration.worlds(Problem(COINS, [condition]))
        )
