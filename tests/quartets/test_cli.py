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


def test_the_collapse_and_its_switches() -> None:
    for switch in ((), ("--no-sort",), ("--no-bound",), ("--no-sort", "--no-bound")):
        assert run("check", "3 3 3 4", "--engine", "collapse", *switch).exit_code == 1
        assert run("check", "3 3 / 5", "--engine", "collapse", *switch).exit_code == 0


def test_a_bitmask_longer_than_a_name_of_a_file_is_refused() -> None:
    assert deduce("quartets", "check", "1" * 401).returncode == 3


def test_a_time_limit_is_undecided(tmp_path: Path) -> None:
    file = tmp_path / "hard.json"
    full = (1 << 30) - 1
    file.write_text(json.dumps({"slots": [full] * 27 + [3, 3, 3], "n_ids": 30}))
    limit = ("--engine", "collapse", "--no-sort", "--time-limit", "0.2")
    assert run("check", str(file)).exit_code == 1
    assert deduce("quartets", "check", str(file), *limit).returncode == 4


def test_why_explains_losing_statements_and_holders() -> None:
    result = run("why", example("lost"))
    assert result.exit_code == 0
    assert "event 24: Cid had elm" in result.output
    assert run("why", example("evening")).exit_code == 1
    assert run("why", example("evening"), "eel=Ann", "--upto", "2").exit_code == 0
    told = json.loads(run("why", example("lost"), "--json").output)
    assert (told["verdict"], told["events"][-1]) == ("contradiction", 24)


def test_new_and_play_keep_a_file_that_can_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "game.quartets"
    file.write_text(run("new", "--players", "Ann,Ben", "--groups", "2 of 2").output)
    first = run("play", str(file), "--hints", "full", text="Ben a1\n?\nundo\nBen a1\nyes\nquit\n")
    assert "ask Ben for a1, a2, b1 or b2 (must say yes)" in first.output
    assert "Commands: moves" in first.output
    assert file.read_text().endswith("Ann asks Ben for a1\nBen: yes\n")
    second = run("play", str(file), text="declare a\nnonsense\nhelp\nshow\n")
    assert "error: <stdin>:2:1: not a statement" in second.output
    assert second.exit_code == 3
    assert "laid aside: a" in second.output
    assert file.read_text().endswith("Ann declares a\n")
    third = run("play", str(file), text="undo\n:undo\nredo\nmoves\n")
    assert third.output.count("Undone") == 2
    assert "Redone: Ben: yes" in third.output
    assert "declare a" in third.output
    assert file.read_text().endswith("Ann asks Ben for a1\nBen: yes\n")


def test_an_undo_takes_back_the_answers_of_the_computer(tmp_path: Path) -> None:
    file = tmp_path / "game.quartets"
    file.write_text(run("new", "--players", "Ann,Ben,Cid").output)
    begun = run("play", str(file), "--computer", "Ben,Cid", text="ask Ben a1\n")
    assert "Ben: no" in begun.output
    text = file.read_text()
    again = run("play", str(file), "--computer", "Ben,Cid", text="undo\nredo\n")
    assert again.output.count("Undone") == again.output.count("Redone") > 1
    assert file.read_text() == text


def test_a_question_that_was_denied_is_a_warning_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "game.quartets"
    head = "quartets\nplayers: Ann, Ben\ngroups: 2 of 4\n\n"
    file.write_text(head + "ask Ben a1\nno\nask Ann b1\nno\nask Ben a1\n")
    result = run("check", str(file))
    assert result.exit_code == 0
    assert f"warning: {file}:9: event 5: Ann asked Ben for a1 before" in result.output


def test_the_referee_announces_forced_answers_contradictions_and_winners(tmp_path: Path) -> None:
    file = tmp_path / "game.quartets"
    file.write_text(run("new", "--players", "Ann,Ben", "--groups", "2 of 2").output)
    assert "Ben must" in run("play", str(file), "--referee", text="Ann asks Ben for a1\n").output
    result = run("play", str(file), "--referee", text="Ben: no\n")
    assert "Ben must say yes." in result.output
    assert "Ben loses: Ben said no to a1, and then no deal is possible." in result.output
    assert "The game is over (last one standing): Ann wins." in result.output


def test_the_computer_plays_to_the_end(tmp_path: Path) -> None:
    file = tmp_path / "game.quartets"
    file.write_text(run("new", "--players", "Ann,Ben,Cid", "--groups", "4 of 4").output)
    result = run("play", str(file), "--computer", "Ann,Ben,Cid", "--seed", "3")
    assert result.exit_code == 0
    assert "The game is over" in result.output
    assert run("check", str(file)).exit_code == 0


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


def test_a_certificate_has_the_fields_of_its_kind() -> None:
    text = "quartets deal\nplayers: Ann, Ben\ngroups: 1 of 2\nhands: 1, 1\nAnn at most 0 of a\n"
    told = json.loads(run("check", "-", "--json", text=text).output)
    assert told["claims"] == ["Ann has at most 0 open cards of a"]
    told = json.loads(run("check", example("lost"), "--json").output)
    assert (told["statement"], told["conflict"][-1]) == (24, 24)
    assert "2 places have only 1 identity: 0" in run("check", "1 1").output


@pytest.mark.parametrize("limit", ["0", "-1", "nan"])
def test_a_time_limit_is_a_positive_number(limit: str) -> None:
    assert run("check", "3 3", "--time-limit", limit).exit_code == 2


def test_a_transcript_can_be_handed_to_other_solvers(tmp_path: Path) -> None:
    file = tmp_path / "evening.cnf"
    result = run("model", example("evening"), "--upto", "12", "--to", str(file))
    assert (result.exit_code, "lines" in result.output) == (0, True)
    knowledge = toolkit.read(example("evening")).upto(12)
    assert file.read_text(encoding="utf-8") == toolkit.export(knowledge)
    assert run("model", "3 3 5").exit_code != 0
