"""Puzzles of problems in files: no clue that is left can be dropped, and the answer stays."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

from deduce import Evidence, Knowledge, Problem
from deduce.constraints import is_
from deduce.logs.problem_text import parse_problem, parse_stated, write_text
from deduce.steps.puzzle import minimal_clues
from tests.programs import deduce

SEATS = """domains
  Ann, Ben, Cid, Dot: 1 to 4
rules
  all different: Ann, Ben, Cid, Dot
clues
  Dot = 3 or Dot = 4
  Ann before Ben
  Cid is 1
  Ben is not 4
  Ann is not 3
"""


@pytest.mark.parametrize("seed", range(4))
def test_each_clue_that_is_left_is_needed(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "seats.deduce"
    file.write_text(SEATS)
    done = deduce("puzzle", str(file), "--seed", str(seed), "--solution")
    assert done.returncode == 0
    made = parse_stated(done.stdout)
    k = Knowledge(made.problem)
    assert k.count() == 1
    assert all(map(k.is_certain, made.answer))
    events = [piece.event for piece in made.problem.evidence]
    assert events == list(range(1, len(events) + 1))
    assert len(events) < 5
    for event in events:
        left = [piece for piece in made.problem.evidence if piece.event != event]
        assert Knowledge(evolve(made.problem, evidence=left)).count() > 1
    found = json.loads(deduce("puzzle", str(file), "--seed", str(seed), "--json").stdout)
    assert parse_problem(found["text"]) == made.problem
    assert found["answers"] == [["Ann", 2], ["Ben", 3], ["Cid", 1], ["Dot", 4]]


def test_facts_about_one_variable_joined_by_or_are_one_fact() -> None:
    problem = parse_problem(SEATS)
    assert problem.evidence[0].constraint == is_("Dot", 3, 4)
    assert parse_problem(write_text(problem)) == problem
    text = SEATS.replace("Dot = 3 or Dot = 4", "Dot is not 1 or 2 or Dot is 2")
    assert parse_problem(text).evidence[0].constraint == is_("Dot", 2, 3, 4)


def test_what_has_no_number_is_a_clue_of_its_own() -> None:
    clues = [Evidence(is_("a", 1), 1), Evidence(is_("b", 1), None), Evidence(is_("c", 1), 2)]
    problem = Problem(dict.fromkeys("abc", (1, 2)), evidence=clues)
    for name in "ab":
        left = minimal_clues(Knowledge(problem), [is_(name, 1)], Random(0)).evidence
        assert [piece.constraint for piece in left] == [is_(name, 1)]
