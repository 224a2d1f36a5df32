from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import deduce as toolkit
from deduce.cli.main import cli
from games.quartets import examples
from tests.programs import deduce

EXAMPLES = Path(next(iter(examples.__path__)))


def run(*args: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["quartets", *args], input=text)


def example(name: str) -> str:
    return str(EXAMPLES / f"{name}.quartets")


@pytest.mark.parametrize("engine", ["matching", "bits", "counting", "cpsat", "reference"])
def test_check_says_valid_with_a_deal_and_invalid_with_a_certificate(engine: str) -> None:
    result = run("check", example("claims"), "--engine", engine, "--json")
    told = json.loads(result.output)
    assert (result.exit_code, told["valid"], told["engine"]) == (0, True, engine)
    assert sum(map(len, told["deal"].values())) == 12
    result = run("check", example("places"), "--engine", engine, "--json")
    told = json.loads(result.output)
    assert (result.exit_code, told["valid"]) == (1, False)
    assert told["hall"]["identities"] == ["a1", "a2", "b1"]
    result = run("check", example("lost"), "--engine", engine)
    assert result.exit_code == 1
    assert "statement 24 loses: Cid gave elm to Dot" in result.output
    assert run("check", example("lost"), "--upto", "23", "--engine", engine).exit_code == 0
    told = json.loads(run("check", example("evening"), "--engine", engine, "--json").output)
    assert (told["valid"], set(map(tuple, told["deal"].values()))) == (True, {()})


def test_a_bitmask_longer_than_a_name_of_a_file_is_refused() -> None:
    assert deduce("quartets", "check", "1" * 401).returncode == 3


def test_a_time_limit_is_undecided(tmp_path: Path) -> None:
    file = tmp_path / "hard.json"
    full = (1 << 30) - 1
    file.write_text(json.dumps({"slots": [full] * 27 + [3, 3, 3], "n_ids": 30}))
    limit = ("--engine", "collapse", "--no-sort", "--time-limit", "0.2")
    assert run("check", str(file)).exit_code == 1
    assert deduce("quartets", "check", str(file), *limit).returncode == 4


def test_bad_input_is_told_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.quartets"
    head = "quartets\nplayers: Ann, Ben\ngroups: 2 of 2\n"
    for text, place in [
        (head + "Ann asks Ben for a9", "4:18: no card is called 'a9'"),
        (head + "\n# a comment\nBen: yes", "6: Ben answers, but no question was asked"),
        (head + "prest: strict", "4:1: no line of the head is called 'prest'; did you mean"),
        ("", "1: the first line"),
        ("\x00", "NUL"),
    ]:
        file.write_text(text)
        ran = deduce("quartets", "check", str(file))
        assert ran.returncode == 3
        assert place in ran.stderr
    file.write_text(head + "Ann asks Ben for a1")
    ran = deduce("quartets", "why", str(file), "Ben: maybe")
    assert ran.returncode == 3
    assert ran.stderr == "error: the claim:6: Ben answers yes or no, not 'maybe'\n"
    assert deduce("quartets", "check", str(file), "--upto", "2").returncode == 2
    assert deduce("quartets", "moves", example("places")).returncode == 3
    assert deduce("quartets", "play", str(file), "--computer", "Zed").returncode == 2
    assert deduce("quartets", "new", "--players", "Ann").returncode == 2


def test_a_transcript_can_be_handed_to_other_solvers(tmp_path: Path) -> None:
    file = tmp_path / "evening.cnf"
    result = run("model", example("evening"), "--upto", "12", "--to", str(file))
    assert (result.exit_code, "lines" in result.output) == (0, True)
    knowledge = toolkit.read(example("evening")).upto(12)
    assert file.read_text(encoding="utf-8") == toolkit.export(knowledge)
    assert run("model", "3 3 5").exit_code != 0
