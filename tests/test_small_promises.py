"""What the core promises in small: wording, defaults, and the limits of its arguments.

Each of these stands for a mutant that the larger tests did not notice (docs/benchmarks/solid.md).
"""

from __future__ import annotations

from fractions import Fraction
from inspect import signature
from typing import Any

import numpy as np
import pytest

from deduce import BadInput, BadProblem, Knowledge, Problem, is_
from deduce.budget import Budget
from deduce.constraints import Count, Sum, Weigh, at_least, at_most, exactly, is_not
from deduce.engines.choose import engine
from deduce.engines.counting import Counting
from deduce.engines.counting.moves import _sort_rows
from deduce.engines.counting.numbers import _is_prime, exact, primes
from deduce.engines.model import Model
from deduce.explain import Why
from deduce.problem import Instead, Rule, rate_of
from games.mastermind import Guess, Mastermind
from games.quartets.wording import fact_text

FACTS = [is_("hat", "red"), is_("coat", "red")]
CLOTHES = Problem({"hat": ("red", "blue"), "coat": ("red", "blue")})


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (at_most(1, FACTS), "at most 1 of: "),
        (at_least(1, FACTS), "at least 1 of: "),
        (exactly(0, FACTS), "exactly 0 of: "),
        (exactly(1, FACTS), "exactly 1 of: "),
        (Count(FACTS, 1, 2), "1 to 2 of: "),
        (Count(FACTS, 0, 2), "at most 2 of: "),
    ],
)
def test_the_wording_of_a_count(constraint: Count, text: str) -> None:
    assert str(constraint) == f"{text}{FACTS[0]}, {FACTS[1]}"


def test_at_most_allows_none() -> None:
    assert Knowledge(CLOTHES).tell(at_most(1, FACTS)).count() == 3


def test_a_rule_without_a_sentence_is_its_constraint() -> None:
    assert str(Rule(FACTS[0])) == str(FACTS[0])
    assert str(Rule(FACTS[0], "hats are red")) == "hats are red"


@pytest.mark.parametrize("facts", ["hat is red", 7])
def test_facts_come_in_a_list(facts: Any) -> None:
    with pytest.raises(BadProblem, match="facts are wanted in a list"):
        at_least(1, facts)


def test_likelihoods_of_one_are_taken_and_not_counted_as_worlds() -> None:
    k = Knowledge(Problem(CLOTHES.domains, [Weigh(FACTS, [1, 1, 5])]))
    assert k.count() == 4
    assert k.posterior()["hat"]["red"].as_integer_ratio() == (3, 4)
    Weigh(FACTS, [1, 1, 5], amounts=(1, 1))
    with pytest.raises(BadProblem, match="from 1 on, not 0"):
        Weigh(FACTS, [1, 1, 5], amounts=(1, 0))


def test_numbers_of_worlds_and_slips() -> None:
    k = Knowledge(CLOTHES)
    assert len(k.probable_worlds()) == 1
    assert len(k.probable_worlds(0)) == 0
    with pytest.raises(BadInput, match="0 or more"):
        k.probable_worlds(-1)
    assert k.certain_unless(slips=0) is not None
    with pytest.raises(BadInput, match="0, 1 or 2"):
        k.certain_unless(slips=3)


def test_a_sum_is_worded() -> None:
    assert str(Sum([(FACTS[0], 4)], 4)) == f"at least 4 as the sum of: 4 if {FACTS[0]}"


def test_a_weight_of_nothing_is_refused() -> None:
    with pytest.raises(BadProblem, match="weights are positive"):
        Weigh(FACTS, [1, 0, 1])


def test_doubts_are_named() -> None:
    with pytest.raises(TypeError, match="positional argument"):
        Knowledge(CLOTHES, (), None)  # type: ignore[call-arg]


def test_a_game_without_a_log_is_there_after_no_event() -> None:
    k = Knowledge(CLOTHES).tell(FACTS[0])
    assert k.upto(0).log == ()
    assert k.upto(0).count() == 4
    for number in (-1, True, "1"):
        with pytest.raises(BadInput, match="there is no event"):
            k.upto(number)  # type: ignore[arg-type]


def test_a_proof_is_smallest_unless_it_says_otherwise() -> None:
    assert Why("hat is red", "certain").smallest is True


def test_the_repairs_of_a_contradiction_are_worded() -> None:
    k = Knowledge(CLOTHES).tell(FACTS[0], is_not("hat", "red"))
    assert k.contradiction().repair == "leaving out any one of these events resolves it: 1, 2"
    single = Knowledge(CLOTHES).assume(FACTS[0]).tell(is_not("hat", "red")).contradiction()
    assert (single.events, single.repairs) == ((1,), (1,))
    assert single.repair == "leaving out event 1 resolves it"
    twice = Knowledge(CLOTHES).tell(FACTS[0], FACTS[0], is_not("hat", "red"), is_not("hat", "red"))
    assert twice.contradiction().repair == "leaving out a single event does not resolve it"


def test_an_assumption_is_a_reason_beside_the_events() -> None:
    k = Knowledge(CLOTHES).tell(exactly(1, FACTS)).assume(FACTS[0])
    why = k.why("coat=blue")
    assert (why.verdict, why.events) == ("certain", (1,))
    assert [step.event for step in why.steps if str(FACTS[0]) in str(step)][-1] is None


def test_the_negation_of_a_sum_begins_above_it() -> None:
    k = Knowledge(CLOTHES).tell(exactly(2, FACTS))
    terms = [(fact, 1) for fact in FACTS]
    assert k.is_certain(Sum(terms, 1, 2))
    assert not k.is_certain(Sum(terms, 1, 1))
    assert not k.is_certain(Sum(terms, 3, None))


@pytest.mark.parametrize(
    ("rate", "exact"), [(0.02, "1/50"), ("1/3", "1/3"), (Fraction(1, 3), "1/3"), (1, "1"), (0, "0")]
)
def test_a_rate_is_a_number_or_its_text(rate: Any, exact: str) -> None:
    assert str(rate_of(rate)) == exact


@pytest.mark.parametrize("rate", [True, None, [0.5], b"1", "x", "1/0"])
def test_what_is_no_rate_is_refused(rate: Any) -> None:
    with pytest.raises(BadProblem, match="a number from 0 to 1"):
        rate_of(rate)


def test_the_share_of_an_alternative_may_be_nothing_but_not_less() -> None:
    assert Instead((), 0).share == 0
    with pytest.raises(BadProblem, match="not negative"):
        Instead((), -1)


def test_a_proof_is_the_smallest_unless_it_says_otherwise() -> None:
    assert Why("hat=red", "certain").smallest is True


def test_listed_worlds_count_with_their_weights() -> None:
    likely = [Weigh([FACTS[0]], (1, 3)), Weigh([FACTS[1]], (1, 5))]
    model = Model(Problem(CLOTHES.domains, likely))
    numbers = [{0: 6, 1: 18}, {0: 4, 1: 20}]
    for name in ("bits", "counting", "reference"):
        assert list(engine(name).numbers(model, Budget().meter())) == numbers
        ranked = engine(name).ranked(model, Budget().meter(), 2)
        assert [weight for weight, _ in ranked] == [15, 5]


def test_counting_by_name_is_exact() -> None:
    assert Counting().settings.exact


def test_what_is_left_out_means_the_same_as_the_documented_default() -> None:
    defaults: dict[tuple[Any, str], Any] = {
        (Knowledge.certain_unless, "slips"): 1,
        (Knowledge.advise, "weighted"): True,
        (Mastermind, "slots"): 4,
    }
    for (function, name), value in defaults.items():
        assert signature(function).parameters[name].default == value


def test_facts_about_a_dealt_hand_are_named() -> None:
    assert fact_text(is_("a1", "Ann", "Ben")) == "Ann or Ben was dealt a1"
    assert fact_text(is_not("a1", "Ann")) == "Ann was not dealt a1"
    assert fact_text(is_not("a1", "Ann", "Ben")) == "neither Ann nor Ben was dealt a1"
    assert fact_text(is_not("a1", "Ann", "Ben", "Cid")) == "none of Ann, Ben and Cid was dealt a1"


def test_rows_are_sorted_by_exchanges() -> None:
    for count in range(1, 12):
        rows = np.array([[(7 * i + 3 * j) % count for j in range(5)] for i in range(count)])
        wanted = np.sort(rows, axis=0)
        sorted_ = rows.astype(np.uint64)
        _sort_rows(sorted_)
        assert (sorted_ == wanted).all()


def test_large_numbers_are_put_together_from_remainders() -> None:
    assert primes(3) == (2**31 - 1, 2**31 - 19, 2**31 - 61)
    small = [n for n in range(3, 3000, 2) if all(n % d for d in range(3, int(n**0.5) + 1, 2))]
    assert [n for n in range(3, 3000, 2) if _is_prime(n)] == small
    for number in (0, 5, 2**64 - 1, 2**64 + 7, 10**25 + 3, 10**28):
        rests = [(number % p, p) for p in primes(2)]
        assert exact(number % 2**64, float(number), rests, 1e-6) == number
    large = 2**65 + 2**63 + 1
    assert exact(large % 2**64, float(large), [], 1e-6) == large
    with pytest.raises(ArithmeticError):
        exact(5, 1e30, [], 1e-6)


def test_a_failure_within_the_solver_is_raised_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")

    def solve(*_: Any) -> None:
        raise MemoryError("of the solver")

    monkeypatch.setattr(cp_model.CpSolver, "solve", solve)
    with pytest.raises(MemoryError, match="of the solver"):
        engine("cpsat").solve(Model(CLOTHES), Budget().meter())


@pytest.mark.parametrize("name", ["components", "counting", "reference", "bits"])
def test_weights_with_a_denominator_of_two_are_divided_out(name: str) -> None:
    halves = Weigh(FACTS[:1], [1, Fraction(1, 2)])
    k = Knowledge(Problem(CLOTHES.domains, [halves]), engine=name)
    assert k.posterior()["hat"]["red"] == Fraction(1, 3)
    assert k.count() == 4


@pytest.mark.parametrize("name", ["reference", "components", "counting", "bits", "cpsat"])
@pytest.mark.parametrize(
    ("low", "high", "worlds"), [(3, 3, 1), (1, 1, 2), (-1, 0, 1), (0, 2, 2), (-1, 3, 4), (2, 2, 0)]
)
def test_the_bounds_of_a_sum_are_included(name: str, low: int, high: int, worlds: int) -> None:
    coat = [(FACTS[1], 0), (is_("coat", "blue"), -2)]
    amounts = Sum([(FACTS[0], 3), (is_("hat", "blue"), 1), *coat], low, high)
    assert Knowledge(Problem(CLOTHES.domains, [amounts]), engine=name).count() == worlds


def test_codes_of_mastermind_at_the_limits_of_their_colours() -> None:
    assert Mastermind(colours=9).colours == tuple("123456789")
    assert Mastermind(colours=10).colours == tuple("0123456789")
    assert Mastermind(slots=3, colours=3, repeat=False).codes == 6
    with pytest.raises(BadInput, match="need as many colours"):
        Mastermind(slots=3, colours=2, repeat=False)
    one = Mastermind(slots=2, colours=2)
    [_, both] = one.evidence([Guess(("1", "1"), 1, 0)], None)
    assert isinstance(both.constraint, Count)


@pytest.mark.parametrize("name", ["reference", "components", "counting", "bits", "cpsat"])
@pytest.mark.parametrize(("low", "high", "worlds"), [(5, 5, 2), (5, 6, 4), (4, 5, 4), (9, 9, 1)])
def test_a_sum_that_propagation_leaves_open(name: str, low: int, high: int, worlds: int) -> None:
    bits = {f"bit {n}": (0, 1) for n in (1, 2, 3, 4)}
    total = Sum([(is_(f"bit {n}", 1), n) for n in (1, 2, 3, 4)], low, high)
    assert Knowledge(Problem(bits, [total]), engine=name).count() == worlds


def test_a_matching_gives_each_variable_one_value() -> None:
    people = dict.fromkeys(("Ann", "Ben", "Cid"), ("red", "blue", "green"))
    rules = [exactly(1, [is_(name, hat) for name in people]) for hat in ("red", "blue", "green")]
    for hat in ("red", "blue", "green"):
        problem = Problem(people, [*rules, is_("Ann", hat)])
        world = engine("matching").solve(Model(problem), Budget().meter())
        assert world is not None
        assert world["Ann"] == hat
        assert problem.holds(world)
