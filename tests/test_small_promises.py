"""What the core promises in small: wording, defaults, and the limits of its arguments.

Each of these stands for a mutant that the larger tests did not notice (docs/benchmarks/solid.md).
"""

from __future__ import annotations

from typing import Any

import pytest

from deduce import BadInput, BadProblem, Knowledge, Problem, is_
from deduce.constraints import Count, Weigh, at_least, at_most, exactly
from deduce.problem import Rule

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
