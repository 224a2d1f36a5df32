"""Puzzles: one answer, no event too many, and a grade that another program computes as well."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import pytest
from attrs import frozen

from deduce import read
from deduce.cli.main import main
from deduce.constraints import Count, Fact, exactly, is_
from deduce.errors import BadInput, Unsupported
from deduce.game import Viewer
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem, World
from deduce.steps import Puzzle, grade, make_puzzle, puzzle_page
from games.avalon import Avalon
from games.cluedo import Cluedo
from games.mastermind import Mastermind
from games.minesweeper import Minesweeper
from games.one_night import OneNight
from games.quartets.game import Quartets
from games.wordle import Wordle
from tests.project.hats import Hats
from tests.steps.grading import level_of

MADE: list[tuple[Any, int, int]] = [(Cluedo, level, 1) for level in (1, 2, 4)]
MADE += [(Quartets, level, 3) for level in (1, 2)]
MADE += [(Mastermind, level, 4) for level in (2, 4)]


@pytest.fixture(scope="module", params=MADE, ids=lambda made: f"{made[0].__name__}-{made[1:]}")
def puzzle(request: pytest.FixtureRequest) -> Puzzle:
    game, level, seed = request.param
    made = make_puzzle(game, grade=level, seed=seed)
    assert made.grade.level == level
    return made


def test_every_event_is_needed_for_the_one_answer(puzzle: Puzzle) -> None:
    k = Knowledge.of(puzzle.log)
    assert k.is_consistent()
    assert all(map(k.is_certain, puzzle.answers))
    for number in range(1, len(k.log) + 1):
        try:
            shorter = Knowledge(k.game, k.drop(number).log)
            assert not all(map(shorter.is_certain, puzzle.answers))
        except BadInput:  # the order of turns
            continue


def test_the_grade_is_that_of_an_independent_checker(puzzle: Puzzle) -> None:
    assert level_of(puzzle.knowledge.problem, puzzle.answers) == puzzle.grade.level
    assert grade(Knowledge.of(puzzle.log), puzzle.answers) == puzzle.grade


def test_the_log_is_read_back_and_the_steps_lead_to_the_answers(puzzle: Puzzle) -> None:
    assert read(puzzle.text).log == puzzle.log.events
    claims = [step.claim for step in puzzle.proof]
    assert set(puzzle.answers) <= set(claims)
    page = puzzle_page(puzzle)
    assert page.count("<table>") == (not isinstance(puzzle.knowledge.game, Minesweeper))
    assert ("<svg" in page) == hasattr(puzzle.knowledge.game, "svg")
    assert page.count("<li>") >= len(puzzle.log.events)


def test_a_printed_puzzle_has_questions_rules_and_events_in_words() -> None:
    front = puzzle_page(make_puzzle(Cluedo, seed=3)).partition("Solution")[0]
    assert "Revolver, Rope or Spanner is in the envelope?" in front
    assert "Exactly one weapon is in the envelope." in front
    assert "<li>Dora showed Cid one of Mrs White, Dagger or Dining Room.</li>" in front
    assert "Cid has none of Reverend Green, Revolver and Billiard Room; Dora has" in front
    assert "Mark a cell" in front
    assert "players:" not in front
    assert " -" not in front.partition("<table>")[0].partition("</head>")[2]


def test_a_printed_puzzle_does_not_show_what_is_known_and_explains_its_notation() -> None:
    front = puzzle_page(make_puzzle(Wordle, seed=5)).partition("Solution")[0]
    assert "<svg" not in front
    assert "<h2>Rules</h2>" in front
    assert puzzle_page(make_puzzle(OneNight, seed=5)).count("Ann,2 is ... werewolf, seer,") == 1
    evil = puzzle_page(make_puzzle(Avalon, seed=5))
    assert "<li>Is Ann evil or good?</li>" in evil
    assert "so Ann is Mordred, Morgana, Oberon, assassin or minion." in evil


def test_the_same_seed_gives_the_same_puzzle() -> None:
    one, two, other = (make_puzzle(Cluedo, seed=seed) for seed in (7, 7, 8))
    assert one == two
    assert one.log != other.log


def test_a_strangers_set_up_makes_puzzles() -> None:
    made = make_puzzle(Hats(("Ann", "Ben", "Cid", "Dan"), red=2), seed=1)
    assert all(map(made.knowledge.is_certain, made.answers))
    assert len(made.answers) == 4
    with pytest.raises(Unsupported, match="needs a set-up"):
        make_puzzle(Hats, seed=1)
    with pytest.raises(Unsupported, match="needs a method 'deal'"):
        make_puzzle(Knowledge(Problem({"x": ("a", "b")})).game, seed=1)
    with pytest.raises(BadInput, match="from 1 to 5"):
        make_puzzle(Cluedo, seed=1, grade=6)
    with pytest.raises(Unsupported, match="of grade 5"):
        make_puzzle(Hats(("Ann", "Ben")), seed=1, grade=5, tries=3)


def test_grades_of_single_problems() -> None:
    names = "abcdef"
    lone = Problem(dict.fromkeys(names, ("0", "1")), [exactly(1, [is_(n, "1") for n in names])])
    k = Knowledge(lone).tell(is_("a", "1"))
    assert grade(k, [is_("b", "0")]).level == 1
    links = [Count([is_(one, "1"), is_(two, "1")], 1, 1) for one, two in pairwise(names)]
    chain = Knowledge(Problem(dict.fromkeys(names, ("0", "1")), links)).tell(is_("a", "1"))
    assert grade(chain, [is_("c", "1")]).level == 1
    assert (grade(chain, [is_("f", "0")]).level, grade(chain, [is_("f", "0")]).rounds) == (2, 5)
    two = Problem(dict.fromkeys(names, ("0", "1")), [exactly(2, [is_(n, "1") for n in names])])
    assert grade(Knowledge(two).tell("a=1", "b=1"), [is_("f", "0")]).level == 2
    with pytest.raises(BadInput, match="an answer is a fact"):
        grade(k, ["b=0"])  # type: ignore[list-item]


def _run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int | str | None, str]:
    with pytest.raises(SystemExit) as end:
        main(list(args))
    return end.value.code, capsys.readouterr().out


def test_the_command_prints_a_log_that_the_others_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    page = tmp_path / "puzzle.html"
    code, out = _run(capsys, "mastermind", "puzzle", "--grade", "2", "--seed", "4", "--solution",
                     "--print", str(page))  # fmt: skip
    assert code == 0
    assert "# grade 2" in out
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    log = tmp_path / "puzzle.mastermind"
    log.write_text(out, encoding="utf-8")
    assert _run(capsys, "mastermind", "check", str(log))[0] == 0
    code, out = _run(capsys, "mastermind", "puzzle", "--like", str(log), "--seed", "4", "--json")
    document: dict[str, Any] = json.loads(out)
    assert (code, document["schema"]) == (0, "deduce/puzzle/1")
    k = read(document["log"])
    assert all(map(k.is_certain, document["answers"]))
    assert {step["claim"] for step in document["steps"]} >= set(document["answers"])


def test_answers_are_facts() -> None:
    made = make_puzzle(Cluedo, seed=5)
    assert all(isinstance(fact, Fact) and fact.values == {"envelope"} for fact in made.answers)


@frozen
class Seen:
    field: str
    number: int


@frozen
class Silent:
    """A game without a notation: one of three fields has a mine."""

    name: ClassVar[str] = "silent"
    events: ClassVar[tuple[type, ...]] = (Seen,)

    def variables(self) -> Mapping[str, tuple[int, ...]]:
        return dict.fromkeys("abc", (0, 1))

    def rules(self) -> Iterator[Count]:
        yield exactly(1, [is_(field, 1) for field in "abc"])

    def evidence(self, log: Sequence[Seen], viewer: Viewer) -> Iterator[Evidence]:
        for number, event in enumerate(log, start=1):
            yield Evidence(is_(event.field, event.number), number)

    def deal(self, random: Random) -> Mapping[str, int]:
        mine = random.choice("abc")
        return {field: int(field == mine) for field in "abc"}

    def record(self, world: World, random: Random) -> Iterator[Seen]:
        for field in random.sample("abc", 3):
            yield Seen(field, world[field])
