"""Problems as text, and audits against the list of all worlds."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest

from deduce import BadInput, Evidence, Problem, is_
from deduce.audit import Item, audit
from deduce.errors import Unsupported
from deduce.logs.problem_json import read_problem, write_problem
from deduce.logs.problem_text import parse_problem, parse_stated, write_text
from deduce.testing.problems import generated
from tests.programs import deduce

HATS = """domains
  Ann, Ben, Cid: red, blue
rules
  exactly 1 of: Ann is red, Ben is red, Cid is red
clues
  Ann is not red
  if Ben is red then Ann is red
answer
  Cid is ANSWER
"""


def test_every_problem_with_a_form_in_json_is_the_same_after_writing_and_reading_it() -> None:
    seen = 0
    for seed in range(60):
        try:
            problem = read_problem(write_problem(generated(Random(seed))))
        except Unsupported:
            continue
        again = parse_problem(write_text(problem))
        assert again == problem
        assert write_problem(again) == write_problem(problem), seed
        seen += 1
    assert seen > 40


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ("domains\n Ann: red\nclues\n Ann is rad", "line 4, column 2"),
        ("domains\n Ann: red\nclues\n Bob is red", "line 4, column 2"),
        ("domains\n Ann: red\n Ann: red", "line 3, column 2"),
        ("domains\n Ann: red\nclues\n (Ann is red", "line 4, column 13"),
        ("domains\n Ann: red\nrules\n at least x of: Ann is red", "line 4, column 11"),
        ("domains\n Ann: red\nrules\n {\"kind\": }", "line 4, column 2"),
        ("domains\n Ann: 1 to 99999999\n", "line 2, column 2"),
        ("domains\n Ann: red\nclues\n " + "not " * 1000 + "Ann is red", "line 4, column"),
        ("domains\n Ann: red\nclues\n " + "(" * 1000 + "Ann is red", "line 4, column"),
        ("rules\n Ann is red", "line 2, column 2"),
    ],
)  # fmt: skip
def test_a_text_that_is_wrong_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(BadInput, match=place):
        parse_problem(text)


def test_audits_agree_with_the_list_of_all_worlds() -> None:
    every = [dict(zip("abc", row, strict=True)) for row in product("xyz", repeat=3)]
    verdicts = set()
    for seed in range(40):
        random = Random(seed)
        pairs = [(random.choice("abc"), random.choice("xyz")) for _ in range(4)]
        stated, clues = pairs[3], pairs[: random.randint(1, 3)]
        pieces = [Evidence(is_(*pair), number) for number, pair in enumerate(clues, 1)]
        problem = Problem(dict.fromkeys("abc", tuple("xyz")), evidence=pieces)
        found = audit(Item("item", problem, (is_(*stated),)))
        listed = [w for w in every if all(w[name] == value for name, value in clues)]
        held = [w for w in listed if w[stated[0]] == stated[1]]
        verdict = "not unique" if held else "wrong"
        verdict = "right" if held == listed else verdict
        verdict = verdict if listed else "contradiction"
        assert found.answer == verdict
        assert found.solutions == ("2+" if len(listed) > 1 else len(listed))
        doubled = [number for number, pair in enumerate(clues, 1) if clues.count(pair) > 1]
        if listed:
            assert list(found.redundant) == doubled
        assert all(world in listed for world in found.worlds)
        assert verdict != "not unique" or [w in held for w in found.worlds] == [True, False]
        verdicts.add(verdict)
    assert verdicts == {"contradiction", "wrong", "right", "not unique"}


def test_the_commands_about_files_of_problems(tmp_path: Path) -> None:
    right, wrong, boards = (tmp_path / name for name in ("right.deduce", "wrong.deduce", "boards"))
    right.write_text(HATS.replace("ANSWER", "red"))
    wrong.write_text(HATS.replace("ANSWER", "blue"))
    boards.write_text("1..43..22..3....\n11..............\n")
    result = deduce("audit", "--json", str(right), str(wrong), str(boards))
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["answer"] for line in lines[:-1]] == ["right", "wrong", "none", "contradiction"]
    assert lines[-1]["items"] == 4
    assert lines[-1]["faulty"] == sum(
        line["answer"] != "right" and (line["answer"], line["solutions"]) != ("none", 1)
        for line in lines[:-1]
    )
    assert result.returncode == 1
    assert deduce("audit", str(right)).returncode == 0
    assert deduce("audit", str(right), str(tmp_path / "nothing")).returncode == 3
    assert "Cid: red" in deduce("solve", str(right)).stdout
    why = deduce("why", "Cid=red", str(right))
    assert (why.returncode, "event 2" in why.stdout) == (0, True)
    assert "Cid is red" in deduce("steps", str(right)).stdout
    assert parse_stated(right.read_text()).answer == (is_("Cid", "red"),)
