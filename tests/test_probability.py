"""Probabilities of claims, and joint distributions of numbers and claims."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from deduce import (
    BadInput,
    BadProblem,
    Budget,
    Contradiction,
    Distribution,
    Knowledge,
    Problem,
    Undecided,
    Unsupported,
    Weigh,
    Where,
    at_least,
    exactly,
    iff,
    is_,
    is_not,
    knows,
    number_of,
)
from deduce.constraints import Constraint, Fact, Number, Sum
from deduce.logs.claims import parse_claim
from deduce.logs.events import Log, read_log
from deduce.problem import World
from deduce.reasoning.estimating import Estimates
from deduce.testing.enumeration import listed
from deduce.testing.logcases import replay
from games.cluedo import Cluedo

NAMES = ("Ann", "Ben", "Dan", "Eve", "Fay")
EVIL = {name: is_(name, "evil") for name in NAMES}
THREE = [EVIL[name] for name in ("Ann", "Dan", "Eve")]
VILLAGE = Problem(
    dict.fromkeys(NAMES, ("good", "evil", "drunk")),
    [exactly(2, EVIL.values()), Weigh([EVIL["Ann"], EVIL["Ben"]], [1, 3, Fraction(1, 2)])],
)


def weight(world: World) -> Fraction:
    """The weight of a world of the village, written out."""
    evil_pair = [world["Ann"], world["Ben"]].count("evil")
    return (Fraction(1), Fraction(3), Fraction(1, 2))[evil_pair]


def villages() -> Iterator[World]:
    for values in product(("good", "evil", "drunk"), repeat=5):
        if values.count("evil") == 2:
            yield dict(zip(NAMES, values, strict=True))


def expected(value: Callable[[World], Any]) -> dict[Any, Fraction]:
    table: dict[Any, Fraction] = {}
    for world in villages():
        table[value(world)] = table.get(value(world), Fraction(0)) + weight(world)
    return {key: part / sum(table.values()) for key, part in table.items()}


def evil(world: World) -> int:
    return sum(world[name] == "evil" for name in ("Ann", "Dan", "Eve"))


@pytest.mark.parametrize("engine", ["auto", "counting", "components", "bits", "reference"])
def test_exactly_two_of_three_are_evil(engine: str) -> None:
    k = Knowledge(VILLAGE, engine=engine)
    right = expected(evil)
    assert k.probability(exactly(2, THREE)) == right[2]
    assert dict(k.joint(number_of(THREE))) == {(n,): p for n, p in right.items()}
    drunk = Where(("Ben", "Fay"), lambda ben, fay: "drunk" in (ben, fay))
    points = number_of({is_("Ann", "evil"): 5, is_("Ann", "drunk"): -2, is_not("Fay", "good"): 3})
    joint = k.joint(points, drunk, "Ben", exactly(2, THREE))
    assert dict(joint) == expected(
        lambda w: (
            {"evil": 5, "drunk": -2, "good": 0}[w["Ann"]] + 3 * (w["Fay"] != "good"),
            "drunk" in (w["Ben"], w["Fay"]),
            w["Ben"],
            evil(w) == 2,
        )
    )


@pytest.mark.parametrize(
    "claim",
    [
        EVIL["Ben"],
        is_not("Ben", "evil", "drunk"),
        exactly(2, THREE),
        Sum([(fact, 2) for fact in THREE], 3),
        Where(NAMES[:3], lambda a, b, c: a == b != c),
        iff(EVIL["Ann"], at_least(1, [is_("Ben", "drunk"), is_("Fay", "drunk")])),
    ],
    ids=str,
)
def test_the_probability_is_that_of_its_worlds(claim: Constraint) -> None:
    k = Knowledge(VILLAGE)
    total = sum(map(weight, villages()))
    right = sum(weight(world) for world in villages() if Problem.satisfied(claim, world)) / total
    assert k.probability(claim) == right == k.joint(claim).get((True,), 0)
    assert k.probability(claim, estimate=True).value == right


def test_a_probability_of_0_or_1_and_no_world() -> None:
    k = Knowledge(VILLAGE)
    assert k.probability(at_least(1, EVIL.values())) == 1
    assert k.probability(exactly(1, EVIL.values())) == 0
    with pytest.raises(Contradiction):
        k.tell(exactly(5, EVIL.values())).probability("Ann=evil")
    with pytest.raises(Contradiction):
        k.tell(exactly(5, EVIL.values())).joint(number_of(THREE))


def test_a_doubted_claim_is_weighed() -> None:
    coin = Problem({"coin": ("heads", "tails"), "other": ("heads", "tails")})
    k = Knowledge(coin, [is_("coin", "heads")], doubts=Fraction(1, 10))
    posterior = k.posterior()["coin"]["heads"]
    same = Where(("coin", "other"), lambda coin, other: coin == other == "heads")
    assert k.probability("coin=heads") == posterior
    assert k.probability(same) == posterior / 2
    heads = number_of([is_("coin", "heads"), is_("other", "heads")])
    assert k.joint(heads)[2,] == posterior / 2


def test_facts_of_a_number_may_be_about_the_same_value_and_values_equal_to_truths() -> None:
    numbers = Problem({"x": (0, 1, 2), "y": (True, False)}, [is_not("x", 2)])
    twice = Number([(is_("x", 1, 2), 1), (is_("x", 1), 10), (is_("y", True), 100)])
    joint = Knowledge(numbers).joint(twice, is_("y", True), "x")
    quarter = Fraction(1, 4)
    assert dict(joint) == {
        (0, False, 0): quarter, (11, False, 1): quarter, (100, True, 0): quarter,
        (111, True, 1): quarter,
    }  # fmt: skip
    assert all(type(truth) is bool and type(x) is int for _, truth, x in joint)


@pytest.mark.parametrize("told", [(), (is_("Ann", "red"),)])
def test_questions_about_what_is_known_beside_numbers(told: tuple[Fact, ...]) -> None:
    names = ("Ann", "Ben", "Cid")
    red = [is_(name, "red") for name in names]
    sees = {name: [other for other in names if other != name] for name in names}
    hats = Problem(dict.fromkeys(names, ("red", "blue")), [at_least(1, red)], sees=sees)
    k = Knowledge(hats).tell(*told)
    worlds = listed(Problem(hats.domains, [*hats.rules, *told]))
    joint = k.joint(number_of(red), knows("Ben", "Ben"), "Ben")
    table: dict[Any, Fraction] = {}
    for world in worlds:
        others = [world[name] for name in names if name != "Ben"]
        public = bool(told) or "red" in others
        knowing = not public
        key = list(world.values()).count("red"), knowing, world["Ben"]
        table[key] = table.get(key, Fraction(0)) + Fraction(1, len(worlds))
    assert dict(joint) == table
    assert k.probability(knows("Ben", "Ben")) == sum(p for key, p in table.items() if key[1])
    stated = k.tell(knows("Ben", "Ben")) if not told else k
    assert sum(stated.joint(number_of(red)).values()) == 1


def test_what_cannot_be_asked_is_an_error() -> None:
    k = Knowledge(VILLAGE)
    for ask in (k.probability, k.joint):
        with pytest.raises(BadProblem):
            ask(is_("Zoe", "evil"))
        with pytest.raises(BadProblem):
            ask(exactly(1, [is_("Ann", "bad")]))
        with pytest.raises(BadInput):
            ask(Weigh(THREE, [1, 1, 1, 1]))
    with pytest.raises(BadProblem):
        k.joint(number_of([is_("Zoe", "evil")]))
    wrongs: list[Any] = [["Ann"], "Zoe", 5]
    for wrong in wrongs:
        with pytest.raises(BadProblem):
            k.joint(wrong)
    many = Knowledge(Problem(dict.fromkeys(range(20), (0, 1))))
    powers = Number([(is_(n, 1), 1 << n) for n in range(20)])
    with pytest.raises(BadProblem, match="more than"):
        many.joint(powers)
    hurried = Knowledge(VILLAGE, budget=Budget(steps=3))
    with pytest.raises(Undecided) as caught:
        hurried.joint(number_of(THREE))
    assert set(caught.value.known or ()) <= set(NAMES)


def test_an_estimate_covers_what_is_exact() -> None:
    k = Knowledge(VILLAGE)
    drawn = Estimates(k.asker, weighted=True).drawn(300)
    asked = number_of(THREE), exactly(2, THREE), "Ben"
    found, right = drawn.joint([k._asked(one) for one in asked]), k.joint(*asked)
    assert {type(holds) for _, holds, _ in found} == {bool}
    assert found.keys() <= right.keys()
    for answers, share in right.items():
        assert answers not in found or abs(float(found[answers]) - share) < 0.12
    likely = drawn.probability(asked[1])
    assert not likely.exact
    assert 0 < likely.low < k.probability(asked[1]) < likely.high < 1


def test_claims_as_text() -> None:
    assert parse_claim(VILLAGE, "exactly 2 of: ann=evil, Dan=evil,eve=evil") == exactly(2, THREE)
    assert parse_claim(VILLAGE, "At least 1 of ann=evil, dan=evil, eve=evil") == at_least(1, THREE)
    k = Knowledge(VILLAGE)
    both = k.probability("ann=evil and dan=evil")
    assert both == expected(lambda w: w["Ann"] == w["Dan"] == "evil")[True]
    assert k.probability("at most 1 of ann=evil, ann=drunk") == 1
    written = '{"kind": "count", "facts": [{"variable": "Ann", "values": ["evil"]}], "low": 1}'
    assert parse_claim(VILLAGE, written) == at_least(1, [EVIL["Ann"]])
    for wrong in (
        "exactly two of ann=evil", "exactly 1 of ann", "exactly 1 of", "{", "{}", '{"kind": "x"}',
        '{"kind": "fact", "variable": "Zoe", "values": []}',
        '{"kind": "weigh", "facts": [], "weights": ["1"]}', "ann=evil and dan", "",
    ):  # fmt: skip
        with pytest.raises(BadInput):
            parse_claim(VILLAGE, wrong)


LOG = "players: Ann, Ben, Cid\n"


def read(text: str) -> Log:
    return read_log(text, Cluedo)


def test_a_case_may_expect_the_probability_of_any_claim() -> None:
    right = str(Knowledge.of(read(LOG)).probability("plum=Ann or rope=Ann"))
    claims = {"plum=Ann or rope=Ann": right, "plum=Ann": "1/4"}
    case = {"log": LOG, "expected": {"probabilities": claims}}
    differences = list(replay(case, game="cluedo"))
    assert [difference.field for difference in differences] == ["expected.probabilities.plum=Ann"]


def test_a_distribution_as_plain_data() -> None:
    joint = Knowledge(VILLAGE).joint("Ann", number_of(THREE), exactly(2, THREE))
    floats = joint.to_dict(float)
    assert floats == {key: float(share) for key, share in joint.items()}
    assert {type(share) for share in floats.values()} == {float}
    assert joint.to_dict() == dict(joint)
    read_back = {tuple(row["answers"]): row["probability"] for row in json.loads(joint.to_json())}
    assert read_back == {key: str(share) for key, share in joint.items()}
    labels, array = joint.to_array()
    assert array.sum() == pytest.approx(1)
    for place, key in enumerate(product(*labels)):
        assert array.flat[place] == float(joint.get(key, 0))
    pandas = pytest.importorskip("pandas")
    frame = joint.to_frame(["Ann", "evil", "two"])
    assert isinstance(frame, pandas.DataFrame)
    assert frame.groupby("evil").probability.sum()[2] == pytest.approx(
        float(Knowledge(VILLAGE).probability(exactly(2, THREE)))
    )
    with pytest.raises(BadInput, match="2 names are given for 3 questions"):
        joint.to_frame(["Ann", "Ben"])


def test_an_array_that_is_too_large_is_refused() -> None:
    many = Distribution({tuple(range(n, n + 30)): 1 for n in range(4)})
    with pytest.raises(Unsupported, match="too large"):
        many.to_array()
