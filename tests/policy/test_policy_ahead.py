"""Two turns ahead, against the plain definition."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import log2

import pytest

from deduce import Knowledge
from deduce.policy.advice import Outcome, RatedInquiry
from deduce.policy.ahead import TwoTurns, different, two_turns
from games.mastermind import Mastermind


def entropy(counts: Counter[object]) -> float:
    total = sum(counts.values())
    return -sum(count / total * log2(count / total) for count in counts.values())


def test_two_turns_are_the_question_and_the_best_next_one() -> None:
    game = Mastermind(slots=2, colours=4)
    knowledge = Knowledge(game).tell("12: 0 1")
    worlds = list(knowledge.worlds())
    codes = game.inquiries((), None)
    asked = [codes[0], codes[5], codes[11]]
    for each in two_turns(knowledge, asked):
        first = Counter(game.answer(each.rated.inquiry, world) for world in worlds)  # type: ignore[arg-type]
        both = entropy(Counter(first))
        for answer, count in first.items():
            left = [w for w in worlds if game.answer(each.rated.inquiry, w) == answer]  # type: ignore[arg-type]
            best = max(entropy(Counter(game.answer(code, w) for w in left)) for code in codes)
            if not game.ends(each.rated.inquiry, answer):  # type: ignore[arg-type]
                both += count / len(worlds) * best
        assert each.both_bits == pytest.approx(both)
        assert len(each.after) == len(each.rated.outcomes)


def test_questions_that_tie_are_looked_at_once() -> None:
    assert list(different([("a", 2.0), ("b", 2.0), ("c", 1.0), ("d", 0.5)], 2)) == ["a", "c"]
    assert list(different([], 3)) == []


def test_a_reason_calls_nothing_certain_that_is_not() -> None:
    likely = Outcome("yes", "yes", Fraction(999, 1000), 0.0, 1, 1)
    other = Outcome("no", "no", Fraction(1, 1000), 1.0, 2, 2)
    rated = RatedInquiry("ask", "ask", 0.01, 0.0, (likely, other))
    reason = TwoTurns(rated, 0.02, ("", "")).reason()
    assert "yes (>99%)" in reason
    assert "With >99% all is certain at once" in reason
