"""The words of every game, and where people see proofs: dialogues, ``why --steps``, notebooks."""

from __future__ import annotations

from random import Random

import pytest

from deduce import Evidence, Knowledge, Problem, at_least, implies, is_, is_not
from deduce.cli.proofs import proof_lines
from deduce.constraints import Constraint, Fact
from deduce.errors import BadInput, Contradiction
from deduce.steps import hint, steps
from deduce.steps.show import paragraphs
from deduce.testing import ConformanceError, check_hidden_game
from games.mastermind import Mastermind
from games.minesweeper import Minesweeper
from games.pigs import Pigs
from games.quartets import Quartets

TURNS = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 ends\n"


def test_the_opposite_of_a_mine_is_a_clear_cell(capsys: pytest.CaptureFixture[str]) -> None:
    k = Knowledge(Minesweeper(2, 1, 1)).tell("A1: 1")
    assert k.say(is_not("A1", "mine")) == k.say(is_("A1", "clear")) == "A1 is clear"
    assert str(k.why("A1!=mine")).startswith("A1 is clear: certain")


@pytest.mark.parametrize("game", [Minesweeper, Mastermind, Quartets], ids=lambda g: g.__name__)
def test_each_step_names_a_pattern_of_the_game(game: type) -> None:
    setup = game.puzzle_setup(Random(1))  # type: ignore[attr-defined]
    random = Random(3)
    k = Knowledge(setup, list(setup.record(setup.deal(random), random)))
    proof = steps(k)
    assert len(proof)
    for step in proof:
        assert isinstance(step.claim, Fact)
        assert k.say(step.claim) in step.text or step.given
    assert all(step.pattern and step.pattern != "single rule" for step in proof)


def test_cards_of_a_seat_are_one_clause_and_no_card_is_named_twice() -> None:
    k = Knowledge.of(Pigs.parse_log(TURNS))
    first = hint(k)
    assert first is not None
    named = first.text(1).removeprefix("Look at ").rstrip(".").replace(" and ", ", ").split(", ")
    assert len(named) == len(set(named)) > 1
    assert first.text(2) == "Event 2 (pattern: cards played or kept)."
    cards = "cards 1, 2, 3, 4, 5 and 6 of seat 1 are not an invasion"
    assert first.text(3).startswith(f"1 ends (event 2): {cards}")
    assert [s.pattern for s in steps(k) if s.given and "role" in str(s.claim)] == ["declared"]


def test_values_of_one_variable_are_excluded_together() -> None:
    k = Knowledge(Mastermind(2, 6)).tell("12: 0 0", "34: 0 0", "55: 1 0", "15: 1 0")
    texts = [text for text, _ in paragraphs(steps(k))]
    assert "Slot 1 is none of 2, 4 and 5, slot 1 is not 1 (event 1)" in " ".join(texts)


def test_steps_and_hints_answer_in_a_dialogue() -> None:
    k = Knowledge(Minesweeper(3, 3, 2)).tell("A1: 0", "C1: 1", "A3: 1")
    assert list(proof_lines(k, "hint", "")) == ["Look at C2."]
    assert list(proof_lines(k, "hint", "3"))[-1].endswith("so C2 is a mine.")
    assert "".join(proof_lines(k, "steps", "C2=mine")).endswith("so C2 is a mine.")
    assert list(proof_lines(k, "steps", "A1=mine")) == ["A1 is a mine: not certain"]
    for command, rest in (("hint", "4"), ("hint", "now"), ("steps", "Z9=mine"), ("steps", "C2")):
        with pytest.raises(BadInput):
            list(proof_lines(k, command, rest))
    with pytest.raises(Contradiction):
        list(proof_lines(k.tell("C3: 0"), "steps", ""))
    done = Knowledge(Minesweeper(1, 1, 1))
    assert "".join(proof_lines(done, "steps", "")) == "1. There is 1 mine: A1 is a mine."


def test_a_game_that_says_the_opposite_in_the_same_words_is_refused() -> None:
    class Wrong(Minesweeper):
        def say(self, fact: Fact) -> str:
            return f"{fact.variable} is {min(map(str, fact.values))}"

    with pytest.raises(ConformanceError, match="for the opposite too"):
        check_hidden_game(Wrong(3, 2, 1), deals=1)


def test_the_facts_that_a_step_cites_are_one_list() -> None:
    """It was "a is red and b is red and c is blue"."""
    on, red = is_("s", "on"), [is_("a", "red"), is_("b", "red")]
    clues: list[Constraint] = [on, *(implies(on, fact) for fact in (*red, is_("c", "blue")))]
    clues.append(
        at_least(1, [is_("a", "blue"), is_("b", "blue"), is_("c", "red"), is_("d", "red")])
    )
    domains = {"s": ("on", "off"), **dict.fromkeys("abcd", ("red", "blue"))}
    evidence = [Evidence(clue, number) for number, clue in enumerate(clues, 1)]
    texts = [step.text for step in steps(Knowledge(Problem(domains, (), evidence)))]
    assert texts[-1].endswith("a is red, b is red and c is blue, so d is red.")
