"""Problems as text, and audits against the list of all worlds."""

from __future__ import annotations

import json
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from deduce import BadInput, Budget, Knowledge, export, is_
from deduce.audit import audit, checker
from deduce.audit.cli import audit_command, solve
from deduce.audit.items import dimacs, items_of
from deduce.constraints import never
from deduce.errors import Undecided, Unsupported
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
        ("domains\n Ann: red\nrules\n {\"kind\": }", "line 4, column 11"),
        ("domains\n Ann: red\nclues\n 0: Ann is red", "line 4, column 2"),
        ("domains\n Ann: red\nclues\n 99999999999: Ann is red", "line 4, column 2"),
        ("domains\n Ann: 1 to 99999999\n", "line 2, column 2"),
        ("domains\n Ann: red\nclues\n " + "not " * 1000 + "Ann is red", "line 4, column"),
        ("domains\n Ann: red\nclues\n " + "(" * 1000 + "Ann is red", "line 4, column"),
        ("rules\n Ann is red", "line 2, column 2"),
    ],
)  # fmt: skip
def test_a_text_that_is_wrong_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(BadInput, match=place):
        parse_problem(text)


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


def test_what_is_certain_is_shown_where_the_number_of_solutions_is_undecided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count(_: Knowledge) -> int:
        raise Undecided("not decided within 1 step")

    monkeypatch.setattr(Knowledge, "count", count)
    hats = tmp_path / "hats.deduce"
    hats.write_text(HATS.replace("ANSWER", "red"))
    result = CliRunner().invoke(solve, [str(hats)])
    assert result.exit_code == 4
    assert "Cid: red\nnumber of solutions undecided, 3 of 3 variables certain" in result.stdout
    assert result.stderr == "undecided: not decided within 1 step\n"
    in_json = json.loads(CliRunner().invoke(solve, ["--json", str(hats)]).stdout)
    assert in_json["solutions"] is None
    assert ["Cid", "red"] in in_json["certain"]


@pytest.mark.parametrize("results", [False, True])
def test_an_item_that_is_undecided_is_shown_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, results: bool
) -> None:
    monkeypatch.setattr("deduce.audit.cli.audit", partial(audit, budget=Budget(steps=0)))
    hats = tmp_path / "hats.deduce"
    hats.write_text(HATS.replace("ANSWER", "red"))
    command = [str(hats), *(["--results", str(tmp_path / "found.jsonl")] if results else [])]
    for _ in range(2):  # the second time, the reason is in the file of results
        result = CliRunner().invoke(audit_command, command)
        assert result.exit_code == 4
        assert f"undecided: {hats}: " in result.stderr
        assert "within" in result.stderr
    in_json = CliRunner().invoke(audit_command, ["--json", str(hats)])
    assert [json.loads(line) for line in in_json.stdout.splitlines()][1]["items"] == 1
    assert f"undecided: {hats}: " in in_json.stderr


CNF = "c 1 rain\nc 2 wet\nc answer 2 0\np cnf 3 3\n1 3 0\n-1 2\n0 -3 2 0\n"


def test_a_formula_in_dimacs_has_the_names_of_its_map() -> None:
    (item,) = items_of(CNF, "a.cnf")
    assert item.problem.domains == dict.fromkeys(("rain", "wet", 3), (False, True))
    assert item.answer == (is_("wet", True),)
    assert [str(clue) for clue in item.problem.evidence] == [
        "rain is True or 3 is True", "rain is False or wet is True",
        "3 is False or wet is True",
    ]  # fmt: skip
    (clue,) = dimacs("p cnf 1 1\n-1 -1 0\n").problem.evidence
    assert clue.constraint == is_(1, False)
    found = audit(item)
    assert (found.solutions, found.answer, found.redundant) == ("2+", "right", ())
    assert checker.verify({**item.to_json(), "found": found.to_json(), "proof": found.proof}) == ""


def test_formulas_in_dimacs_agree_with_the_list_of_all_assignments() -> None:
    for seed in range(30):
        random = Random(seed)
        size = random.randint(1, 4)
        clauses = [[random.choice((-1, 1)) * random.randint(1, size) for _ in range(3)]
                   for _ in range(random.randint(1, 8))]  # fmt: skip
        text = f"p cnf {size} {len(clauses)}\n"
        text += "".join(f"{' '.join(map(str, clause))} 0\n" for clause in clauses)
        models = sum(
            all(any(row[abs(n) - 1] == (n > 0) for n in clause) for clause in clauses)
            for row in product((False, True), repeat=size)
        )
        (item,) = items_of(text, "a.cnf")
        assert audit(item, deep=False).solutions == ("2+" if models > 1 else models), text


def test_a_problem_exported_in_dimacs_has_as_many_solutions_as_before() -> None:
    problem = parse_problem(HATS.replace("ANSWER", "red"))
    (item,) = items_of(export(problem), "hats.cnf")
    assert Knowledge(item.problem).certain()["Cid is red"] is True
    assert audit(item).solutions == 1


TABLE = {
    "id": "three",
    "solution": {"header": ["House", "Name", "Drink"],
                 "rows": [["1", "Ann", "tea"], ["2", "Ben", "oat milk"], ["3", "Cid", "juice"]]},
    "clues": ["Ann before Ben", 'Ben with "oat milk"', "Ann 2 from Cid", "tea 1 before Ben"],
}  # fmt: skip


def test_a_zebra_table_is_a_problem_with_its_table_as_the_answer() -> None:
    (item,) = items_of(json.dumps(TABLE), "tables.jsonl")
    assert item.name == "three"
    found = audit(item)
    assert (found.solutions, found.answer) == (1, "right")
    problem = {"variables": [["Ann", [1, 2]]]}  # which an item may have beside clues in words
    (item,) = items_of(json.dumps({"problem": problem, "clues": ["Ann is first"]}), "items.jsonl")
    assert Knowledge(item.problem).count() == 2
    rows = [["1", "Ann", "tea"], ["2", "Ben", "juice"], ["3", "Cid", "oat milk"]]
    wrong = {**TABLE, "solution": {"header": ["House", "Name", "Drink"], "rows": rows}}
    (item,) = items_of(json.dumps(wrong), "tables.jsonl")
    assert audit(item).answer == "wrong"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("p cnf 2 1\n1 3 0\n", "source:2: .*1 to 2"),
        ("p cnf 2 1\n1 2\n", "source:2: .* ends with 0"),
        ("p cnf 2 2\n1 2 0\n", "2 clauses, not 1"),
        ("p cnf 2\n1 2 0\n", "source:1: expected p cnf"),
        ("p cnf 999999999 1\n1 0\n", "source:1: at most"),
        ("c only a comment\n", "p cnf"),
        ("p cnf 1 1\n" + ("1 " * 1000 + "0\n") * 1000, "at most 1000000 literals"),
        (json.dumps({**TABLE, "solution": {"header": ["House", "A"], "rows": [["1", "x"]] * 60}}),
         "1 to 50 rows"),
        ("c 1 rain\nc 2 rain\np cnf 2 1\n1 0\n", "rain"),
        ("p cnf 2 1\n1 x 0\n", "source:2: .*'x'"),
        ("p cnf 2 1\nc answer 7 0\n1 0\n", "source:2: .*1 to 2"),
        (json.dumps({**TABLE, "clues": ["Ann is 1\nanswer\n Ben is 1"]}), "clue 1"),
        (json.dumps({**TABLE, "clues": ["Ann is 1", "Ann nxt Ben"]}), "clue 2: .*expected"),
        (json.dumps({**TABLE, "clues": ["Ann is 1 # 2"] * 2}), ""),
        (json.dumps({**TABLE, "solution": {"header": ["House"], "rows": []}}), "header"),
        (json.dumps({**TABLE, "solution": {"header": ["House", "Name"], "rows": [["1"]]}}),
         "rows.0."),
        (json.dumps({**TABLE, "solution": {"header": ["House", "A", "B"],
                     "rows": [["1", "x", "x"]]}}), "'x' appears twice"),
        (json.dumps({**TABLE, "solution": {"header": ["House", "A"],
                     "rows": [["1", "x"], ["1", "y"]]}}), "twice"),
        (json.dumps({**TABLE, "solution": {"header": ["House", "A"],
                     "rows": [["1", "x"], ["01", "y"]]}}), "'1' appears twice"),
        (json.dumps({**TABLE, "solution": {"header": ["House", "A"],
                     "rows": [["9" * 5000, "x"]]}}), "clue 1"),
    ],
)  # fmt: skip
def test_formulas_and_tables_that_are_wrong_are_refused_with_the_place(
    text: str, reason: str
) -> None:
    if not reason:
        assert list(items_of(text, "source"))
        return
    with pytest.raises(BadInput, match=reason):
        list(items_of(text, "source"))


def test_words_for_how_places_compare_are_written_as_they_are_read() -> None:
    words = ["Ann before Ben", "Ann next to Ben", "Ann with Ben", "Ann 2 before Ben",
             "Ann 2 from Ben", "not (Ann with Ben)", "Ann is 1 or 2"]  # fmt: skip
    domains = "domains\n  Ann, Ben: 1 to 4\nclues\n"
    for word, worlds in zip(words, (6, 6, 4, 2, 4, 12, 8), strict=True):
        problem = parse_problem(f"{domains}  {word}\n")
        assert Knowledge(problem).count() == worlds, word
        assert parse_problem(write_text(problem)) == problem
        assert "{" not in write_text(problem), word
    (clue,) = parse_problem(f"{domains}  Ann is 3 or Ann is 4\n").evidence
    assert clue.constraint == is_("Ann", 3, 4)
    none = "Ann is not 1 or 2 or 3 or 4"
    (clue,) = parse_problem(f"{domains}  {none} or {none}\n").evidence
    assert clue.constraint == never("Ann")
