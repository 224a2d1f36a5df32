"""`deduce cases` on files that are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deduce.cases import CaseResult, Difference, compare
from deduce.cli import main


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xfe\x00binary", "not a text file"),
        (b'{"format": "cluedo/exact", "cases": [', "not JSON"),
        (b"[1, 2]", 'it has no "format"'),
        (b'{"format": "cluedo/exact"}', 'it has no list "cases"'),
        (b'{"format": "cluedo/exakt", "cases": []}', "known: cluedo/exact, cluedo/peers"),
        (b'{"format": "whist/exact", "cases": []}', "no game 'whist'"),
        (b'{"format": "cluedo/exact", "cases": [{"id": "a"}]}', "not of the form cluedo/exact"),
        (b'{"format": "cluedo/exact", "cases": [7]}', "not of the form cluedo/exact"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" + b"9" * 5000 + b"]", "too many digits"),
    ],
)
def test_an_unreadable_file_is_exit_code_3(
    content: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.json"
    file.write_bytes(content)
    with pytest.raises(SystemExit) as exit_:
        main(["cases", str(file)])
    captured = capsys.readouterr()
    assert exit_.value.code == 3
    assert told in captured.err
    assert str(file) in captured.err


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("observer", "Zed", "no player is called 'Zed'"),
        ("own_cards", ["no such card"], "a case contradicts itself"),
    ],
)
def test_a_case_that_cannot_be_names_its_file(
    field: str, value: object, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = Path(__file__).parent / "data" / "cluedo_exact.json"
    document = json.loads(recorded.read_text(encoding="utf-8"))
    document["cases"] = [document["cases"][0] | {field: value}]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(SystemExit) as exit_:
        main(["cases", str(file)])
    captured = capsys.readouterr()
    assert exit_.value.code == 3
    assert captured.err.startswith(f"error: {file}: {told}")


def test_a_missing_file_is_exit_code_3(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["cases", "no-such-file.json"])
    assert exit_.value.code == 3
    assert "no-such-file.json" in capsys.readouterr().err


def test_compare_names_what_is_missing_on_either_side() -> None:
    found = {str(d) for d in compare("x", {"a": 1, "b": 2}, {"b": 2, "c": 3})}
    assert found == {'x.a: expected 1, found "(nothing)"', 'x.c: expected "(nothing)", found 3'}


def test_a_long_value_is_cut_in_the_message() -> None:
    text = str(Difference("field", "x" * 1000, None))
    assert len(text) < 300
    assert json.dumps(None) in text


def test_a_case_without_differences_passed() -> None:
    assert CaseResult("a").differences == ()


@pytest.mark.parametrize("name", ["cultist_endgames", "propre_solved"])
def test_ctrl_c_in_a_search_is_no_failed_case(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("games.cultist.game.CultistWars.result", interrupted)
    monkeypatch.setattr("games.propre.game.OpenGame.result", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["cases", str(Path(__file__).parent / "data" / f"{name}.json")])
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (4, "0 passed, 0 failed\n")
    assert "stopped" in err
