"""Doubts against brute force over all worlds and all sets of slips."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce import Knowledge, Problem, Sum, Weigh, Where, at_least, at_most, exactly, is_, is_not
from deduce.constraints import Constraint, Count, Difference, Fact, Number
from deduce.errors import BadInput, BadProblem, Contradiction
from deduce.problem import Evidence, Instead, World, is_true, number_of, rate_of

VALUES = ("a", "b", "c")
NAMES = ("u", "v", "w", "x")


@st.composite
def facts(draw: st.DrawFn) -> list[Fact]:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    return [
        Fact(
            name,
            draw(st.sets(st.sampled_from(VALUES), min_size=1, max_size=2)),
            negated=draw(st.booleans()),
        )
        for name in names
    ]


@st.composite
def constraints(draw: st.DrawFn) -> Constraint:
    kinds = ("fact", "count", "none", "all", "sum", "where", "weigh", "constant")
    kind = draw(st.sampled_from(kinds))
    if kind == "constant":  # as of a line that names only cards that lie face up
        constant: tuple[Constraint, ...] = (at_most(0, []), at_least(1, []), Weigh([], [3]))
        return draw(st.sampled_from(constant))
    of = draw(facts())
    if kind == "fact":
        return of[0]
    if kind == "count":
        low = draw(st.integers(0, len(of)))
        return Count(of, low, draw(st.none() | st.integers(low, len(of))))
    if kind == "none":
        return at_most(0, of)
    if kind == "all":
        return at_least(len(of), of)
    if kind == "sum":
        terms = [(fact, draw(st.integers(-2, 2))) for fact in of]
        return Sum(terms, draw(st.none() | st.integers(-2, 2)))
    if kind == "weigh":
        weight = st.fractions(min_value=Fraction(1, 3), max_value=3, max_denominator=3)
        return Weigh(of, [draw(weight) for _ in range(len(of) + 1)])
    salt = draw(st.integers(0, 5))
    variables = tuple(fact.variable for fact in of)[:2]
    return Where(variables, lambda *values: (sum(map(ord, values)) + salt) % 3 != 0, f"salt {salt}")


@st.composite
def pieces(draw: st.DrawFn) -> list[Evidence]:
    found = []
    doubts = st.sampled_from((None, Fraction(1, 10), 0.02, Fraction(1, 2)))
    for event in range(1, draw(st.integers(1, 4)) + 1):
        doubt = draw(doubts)
        instead: tuple[Instead, ...] = ()
        if draw(st.booleans()):
            instead = tuple(
                Instead(
                    draw(st.none() | constraints() | st.lists(constraints(), max_size=2)),
                    draw(st.integers(1, 3)),
                    f"other {n}",
                )
                for n in range(draw(st.integers(1, 2)))
            )
        for number in range(draw(st.integers(1, 2))):
            more = instead if number == 0 else ()
            found.append(Evidence(draw(constraints()), event, doubt=doubt, instead=more))
    return found


def factor(constraint: Constraint, world: World) -> Fraction:
    """The definition of each constraint, as the factor of a world's weight."""
    match constraint:
        case Fact():
            return Fraction(is_true(constraint, world))
        case Count(of, low, high):
            held = sum(is_true(fact, world) for fact in of)
            return Fraction(low <= held and (high is None or held <= high))
        case Sum(terms, low, high):
            total = sum(amount for fact, amount in terms if is_true(fact, world))
            return Fraction((low is None or low <= total) and (high is None or total <= high))
        case Where(variables, predicate):
            return Fraction(predicate(*(world[v] for v in variables)))
        case Weigh():
            return constraint.weights[number_of(constraint, world)]
    return Fraction(Problem(problem_domains(world), [constraint]).holds(world))


def problem_domains(world: World) -> dict[Any, list[Any]]:
    return {variable: [value] for variable, value in world.items()}


def brute_force(
    problem: Problem, evidence: list[Evidence]
) -> tuple[dict[tuple[Any, ...], Fraction], list[list[Fraction]]]:
    """Return the weight of each world, and of each hypothesis about each doubted event."""
    doubted: dict[int, list[Evidence]] = {}
    for piece in evidence:
        if piece.doubt is not None and piece.event is not None:
            doubted.setdefault(piece.event, []).append(piece)
    choices: list[list[tuple[Fraction, list[Constraint]]]] = []
    for together in doubted.values():
        doubt = together[0].doubt
        assert doubt is not None
        others = [o for piece in together for o in piece.instead] or [Instead()]
        shares = sum(o.share for o in others)
        stated: list[Constraint] = [piece.constraint for piece in together]
        wrong = [(doubt * o.share / shares, list(o.constraints)) for o in others]
        choices.append([(1 - doubt, stated), *wrong])
    worlds: dict[tuple[Any, ...], Fraction] = {}
    totals = [[Fraction(0)] * len(choice) for choice in choices]
    for values in product(VALUES, repeat=len(NAMES)):
        world = dict(zip(problem.domains, values, strict=True))
        certain = [rule.constraint for rule in problem.rules]
        certain += [piece.constraint for piece in evidence if piece.doubt is None]
        base = prod((factor(constraint, world) for constraint in certain), start=Fraction(1))
        if not base:
            continue
        for chosen in product(*(range(len(choice)) for choice in choices)):
            weight = base
            for choice, index in zip(choices, chosen, strict=True):
                probability, conditions = choice[index]
                weight *= probability
                for condition in conditions:
                    weight *= factor(condition, world)
            if weight:
                worlds[values] = worlds.get(values, Fraction(0)) + weight
                for total, index in zip(totals, chosen, strict=True):
                    total[index] += weight
    return worlds, totals


@given(pieces(), st.sampled_from(("auto", "counting", "bits", "reference")))
def test_doubts_agree_with_all_worlds_and_all_sets_of_slips(
    evidence: list[Evidence], engine: str
) -> None:
    rules = [at_most(3, [is_(name, "a") for name in NAMES])]
    problem = Problem(dict.fromkeys(NAMES, VALUES), rules, evidence)
    knowledge = Knowledge(problem, engine=engine)
    worlds, totals = brute_force(problem, evidence)
    whole = sum(worlds.values())
    if not whole:
        with pytest.raises(Contradiction):
            knowledge.posterior()
        if totals:
            with pytest.raises(Contradiction):
                knowledge.slips()
        return
    marginals: dict[str, dict[str, Fraction]] = {name: {} for name in NAMES}
    for values, weight in worlds.items():
        for name, value in zip(NAMES, values, strict=True):
            marginals[name][value] = marginals[name].get(value, Fraction(0)) + weight / whole
    posterior = {
        name: {value: share for value, share in row.items() if share}
        for name, row in knowledge.posterior().items()
    }
    assert posterior == marginals
    joint = knowledge.joint("u", "x")
    expected: dict[tuple[str, str], Fraction] = {}
    for values, weight in worlds.items():
        key = values[0], values[3]
        expected[key] = expected.get(key, Fraction(0)) + weight / whole
    assert {key: share for key, share in joint.items() if share} == expected
    best = knowledge.probable_worlds(4)
    assert [share for _, share in best] == sorted(
        (weight / whole for weight in worlds.values()), reverse=True
    )[:4]
    for world, share in best:
        assert worlds[tuple(world[name] for name in NAMES)] / whole == share
    assert len({tuple(world.items()) for world, _ in best}) == len(best)
    slips = sorted(knowledge.slips(), key=lambda slip: slip.event)
    events = sorted({p.event for p in evidence if p.doubt is not None and p.event is not None})
    assert [slip.event for slip in slips] == events
    for slip, (right, *wrong) in zip(slips, totals, strict=True):
        assert slip.probability == 1 - right / whole
        assert [probability for _, probability in slip.instead] == [w / whole for w in wrong]
    for world in knowledge.sample(5, seed=1):
        assert worlds[tuple(world[name] for name in NAMES)] > 0


@pytest.mark.parametrize("engine", ["auto", "counting", "bits", "reference"])
def test_a_world_without_weight_is_no_probable_world(engine: str) -> None:
    told = is_("u", "a")
    other = Instead((told,), Fraction(1), "told in another way")
    evidence = [Evidence(told, event=1, doubt=Fraction(1, 10), instead=(other,))]
    knowledge = Knowledge(Problem({"u": ("a", "b")}, (), evidence), engine=engine)
    assert list(knowledge.probable_worlds(2)) == [({"u": "a"}, Fraction(1))]


@pytest.mark.parametrize("engine", ["auto", "counting", "bits", "reference"])
def test_a_doubt_about_nothing_hidden_has_no_effect(engine: str) -> None:
    named = Evidence(is_("u", "a"), 1, doubt=Fraction(1, 10))
    true = Evidence(at_most(0, []), 2, doubt=Fraction(1, 10), instead=[Instead(at_least(1, []))])
    problem = Problem({"u": VALUES}, (), [named])
    without = Knowledge(problem, engine=engine)
    doubted = Knowledge(problem.with_evidence(true), engine=engine)
    assert doubted.posterior() == without.posterior()
    assert doubted.slips()[0] == without.slips()[0]
    assert doubted.slips()[1].event == 2
    assert doubted.slips()[1].probability == 0
    zero = Evidence(Difference(Number([]), Number([]), 0), 2, doubt=Fraction(1, 10))
    doubted = Knowledge(problem.with_evidence(zero), engine=engine)
    assert doubted.posterior() == without.posterior()
    false = Evidence(at_least(1, []), 3, doubt=Fraction(1, 10), instead=[Instead(at_least(1, []))])
    with pytest.raises(Contradiction):
        Knowledge(problem.with_evidence(false), engine=engine).posterior()


def test_doubts_about_a_fact_with_a_value_that_the_variable_cannot_have() -> None:
    domains = dict.fromkeys("uv", VALUES)
    doubtful = [
        Evidence(is_("u", "a", 77, lenient=True), 1, doubt=Fraction(1, 10)),
        Evidence(is_not("v", "b", 77, lenient=True), 2, doubt=Fraction(1, 10)),
    ]
    stated = (is_("u", "a"), is_not("v", "b"))
    plain = [Evidence(c, n, doubt=Fraction(1, 10)) for n, c in enumerate(stated, start=1)]
    k = Knowledge(Problem(domains, [], doubtful))
    assert k.posterior() == Knowledge(Problem(domains, [], plain)).posterior()


@pytest.mark.parametrize("rate", ["1e-400", Fraction(1, 10**13), 1e-300])
def test_a_rate_without_meaning_is_refused(rate: object) -> None:
    coin = Problem({"coin": ("heads", "tails")})
    with pytest.raises(BadInput, match=r"0, or at least one in 10\^12"):
        Knowledge(coin, doubts=rate)


def test_digits_of_a_rate_that_mean_nothing_are_rounded() -> None:
    coin = Problem({"coin": ("heads", "tails")})
    assert Knowledge(coin, doubts="0." + "3" * 3000).doubts == Fraction(1, 3)
    assert Knowledge(coin, doubts=0.02).doubts == Fraction(1, 50)


def test_an_event_that_states_too_much_is_named() -> None:
    names = "abcdef"
    wide = Where(tuple(names), lambda *values: len(set(values)) > 1)
    problem = Problem(dict.fromkeys(names, tuple(range(9))))
    knowledge = Knowledge(problem, [wide], doubts=0.01)
    with pytest.raises(BadProblem, match=r"^event 1 \(.*\) states too much .* 531441 combinations"):
        knowledge.posterior()


def test_answers_of_one_form_have_the_same_weights_as_without_a_form() -> None:
    domains = dict.fromkeys("abcd", ("x", "y", "z"))
    for first, second in (("a", "b"), ("c", "d")):
        # Both kinds of values of a variable count: for one test x, for another all but x.
        instead = [Instead(at_least(1, [is_not(first, "x"), is_(second, "y")]), share=2), Instead()]
        right = exactly(1, [is_(first, "x"), is_(second, "y")])
        piece = Evidence(right, 1, doubt=Fraction(1, 5), instead=instead)
        posterior = Knowledge(Problem(domains, [], [piece])).posterior()
        weights = dict.fromkeys("xyz", Fraction(0))
        for one, other in product("xyz", repeat=2):
            holds = (one == "x") + (other == "y") == 1
            weight = Fraction(4, 5) * holds + Fraction(1, 15)
            weights[one] += weight + Fraction(2, 15) * (one != "x" or other == "y")
        whole = sum(weights.values())
        assert posterior[first] == {value: weight / whole for value, weight in weights.items()}


@pytest.mark.parametrize(
    ("rate", "exact"), [(0.02, "1/50"), ("1/3", "1/3"), (Fraction(1, 3), "1/3"), (1, "1"), (0, "0")]
)
def test_a_rate_is_a_number_or_its_text(rate: Any, exact: str) -> None:
    assert str(rate_of(rate)) == exact


@pytest.mark.parametrize("rate", [True, None, [0.5], b"1", "x", "1/0"])
def test_what_is_no_rate_is_refused(rate: Any) -> None:
    with pytest.raises(BadProblem, match="a number from 0 to 1"):
        rate_of(rate)


def test_none_is_a_value_that_may_be_open() -> None:
    stated = Problem({"v": (None, "a"), "w": (0, 1)}, evidence=[
        Evidence(is_("v", None), 1, doubt=Fraction(1, 3)),
        Evidence(is_("w", 0), 2, doubt=Fraction(1, 3)),
    ])  # fmt: skip
    told = Knowledge(stated).certain_unless(1)
    assert [(u.variable, u.value, u.slips, u.events) for u in told] == [
        ("v", None, 0, (1,)),
        ("w", 0, 0, (2,)),
    ]
