"""`deduce cases`: unreadable files, cases with errors, and what null means."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from deduce.cli.main import main
from deduce.errors import BadInput, Undecided
from deduce.logs.case_forms import Either, Form, Tagged, Text, check_form, maybe
from deduce.testing.cases import Difference, compare, replay

DATA = Path(__file__).parent / "data"


EVERY = int(os.environ.get("EVERY_CASE", "120"))
"""``EVERY_CASE=1`` replays them all."""


@pytest.mark.parametrize("path", sorted(DATA.glob("*.json")), ids=lambda path: path.stem)
def test_recorded_cases(path: Path, tmp_path: Path) -> None:
    """The last case of each file and every 120th before it; `make cases` replays them all.

    Each game's own tests spoil a case and see that it is noticed.
    """
    document = json.loads(path.read_bytes())
    lists = {key: document[key][::-EVERY] for key in ("cases", "crafted") if key in document}
    few = tmp_path / path.name
    few.write_text(json.dumps(document | lists), encoding="utf-8")
    results = list(replay(few))
    assert len(results) == sum(map(len, lists.values())) > 0
    assert [line for result in results for line in result.lines()] == []
    assert all(result.passed for result in results)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"\xff\xfe\x00binary", "not a text file"),
        (b'{"format": "cluedo/exact", "cases": [', "not JSON"),
        (b"[1, 2]", 'it has no "format"'),
        (b'{"format": "cluedo/exact"}', 'it has no list "cases"'),
        (b'{"format": "cluedo/exakt", "cases": []}', "known: cluedo/exact, cluedo/peers"),
        (b'{"format": "whist/exact", "cases": []}', "no game 'whist'"),
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


def test_a_case_file_may_be_one_long_line(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    cases = json.loads((DATA / "cultist_lines.json").read_text())
    file.write_text(json.dumps(cases | {"about": "x" * 200_000}))
    assert all(result.passed for result in replay(file))


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (7, "a case is one JSON object"),
        ({"id": "mine"}, "the case has no field 'players'; expected a list of objects there"),
        ({"observer": "Zed"}, "no player is called 'Zed'"),
        ({"own_cards": ["no such card"]}, "no card is called 'no such card'"),
        ({"players": 7}, "players: expected a list of objects, not 7"),
    ],
)
def test_an_error_in_a_case_fails_that_case_and_the_rest_run(
    case: Any, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads((DATA / "cluedo_exact.json").read_text(encoding="utf-8"))
    whole = document["cases"][0]
    del whole["exact"]["next_suggestion"]  # which takes long
    broken = whole | case | {"id": "mine"} if isinstance(case, dict) and len(case) == 1 else case
    if isinstance(case, dict) and "id" in case:
        broken = case
    document["cases"] = [broken, whole]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(SystemExit) as exit_:
        main(["cases", str(file)])
    out = capsys.readouterr().out.splitlines()
    assert exit_.value.code == 1
    assert out[0].startswith("mine: " if isinstance(case, dict) else "0: ")
    assert reason in out[0]
    assert out[-1] == "1 passed, 1 failed"


def test_an_undecided_case_fails_and_the_other_files_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def undecided(*_: object, **__: object) -> None:
        raise Undecided("not decided within 5 steps")

    monkeypatch.setattr("games.cluedo.cases.advise", undecided)
    document = json.loads((DATA / "cluedo_exact.json").read_text())
    few = tmp_path / "few.json"
    few.write_text(json.dumps(document | {"cases": document["cases"][:2]}))
    files = [few, DATA / "cultist_lines.json"]
    with pytest.raises(SystemExit) as exit_:
        main(["cases", *map(str, files)])
    out = capsys.readouterr().out
    assert exit_.value.code == 1
    assert "not decided within 5 steps" in out
    passed, failed = (int(part.split()[0]) for part in out.splitlines()[-1].split(", "))
    cases = [json.loads(file.read_text())["cases"] for file in files]
    assert passed + failed == sum(map(len, cases))
    assert passed >= len(cases[1])


def test_an_unreadable_file_does_not_hide_the_other_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text("[1]")
    with pytest.raises(SystemExit) as exit_:
        main(["cases", str(bad), str(DATA / "cultist_lines.json"), str(tmp_path / "none.json")])
    out, err = capsys.readouterr()
    assert exit_.value.code == 3
    assert err.count("error: ") == 2
    assert out.splitlines()[-1].endswith(" passed, 0 failed")
    assert not out.splitlines()[-1].startswith("0 ")


def test_null_means_nothing_expected_where_the_format_calls_it_optional(tmp_path: Path) -> None:
    document = json.loads((DATA / "cluedo_exact.json").read_text(encoding="utf-8"))
    paths = [
        ("total_deals",),
        ("public", "total_deals"),
        ("views", "*", "possible_solutions"),
        ("next_suggestion", "best_gain_bits"),
    ]
    case = next(
        case
        for case in document["cases"]
        if all(_at(case["exact"], path[:-1]) is not None for path in paths)
    )
    for path in paths:
        _at(case["exact"], path[:-1])[path[-1]] = None
    document["cases"] = [case]
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    (result,) = replay(file)
    assert result.lines() == []


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if not isinstance(value, dict) or not value:
            return None
        value = next(iter(value.values())) if key == "*" else value.get(key)
    return value


def test_null_is_an_answer_elsewhere() -> None:
    assert [str(d) for d in compare("next", {"x": None}, {"x": 1})] == [
        "next.x: expected null, found 1"
    ]


def test_a_missing_file_is_exit_code_3(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["cases", "no-such-file.json"])
    assert exit_.value.code == 3
    assert "no-such-file.json" in capsys.readouterr().err


def test_compare_names_what_is_missing_on_either_side() -> None:
    found = {str(d) for d in compare("x", {"a": 1, "b": 2}, {"b": 2, "c": 3})}
    assert found == {'x.a: expected 1, found "(nothing)"', 'x.c: expected "(nothing)", found 3'}


@pytest.mark.parametrize("name", ["cultist_endgames", "propre_solved"])
def test_ctrl_c_in_a_search_is_no_failed_case(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("games.cultist.game.CultistWars.result", interrupted)
    monkeypatch.setattr("games.propre.game.OpenGame.result", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["cases", str(DATA / f"{name}.json")])
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (130, "0 passed, 0 failed\n")
    assert "interrupted" in err


@pytest.mark.parametrize(
    ("value", "form", "told"),
    [
        (True, int, "case: expected a whole number, not true"),
        ("x", bool, 'case: expected true or false, not "x"'),
        (1.5, range(3), "case: expected a whole number from 0 to 2, not 1.5"),
        ([1, None], [int], "[1]: expected a whole number, not null"),
        ([1], (int, int), "case: expected a list of 2, not [1]"),
        ({"a": "x"}, {str: float}, 'a: expected a number, not "x"'),
        ({}, {"a": str}, "the case has no field 'a'; expected text there"),
        ({"a": {}}, {"a": {"b": [str]}}, "a has no field 'b'; expected a list of texts there"),
        ("9", Text("[ab]", "a or b"), 'case: expected a or b, not "9"'),
        (7, maybe(str), "case: expected null or text, not 7"),
        ([7], Either([str], {str: str}), "[0]: expected text, not 7"),
        ({"t": "c"}, Tagged("t", {"a": {}, "b": {}}), 't: expected one of "a", "b"'),
        ({"t": []}, Tagged("t", {"a": {}, "b": {}}), 't: expected one of "a", "b"'),
        ({"t": "b"}, Tagged("t", {"a": {}, "b": {"n": int}}), "no field 'n'"),
    ],
)
def test_a_wrong_form_is_named_with_field_finding_and_what_is_wanted(
    value: Any, form: Form, told: str
) -> None:
    with pytest.raises(BadInput) as error:
        check_form(value, form)
    assert told in str(error.value)


def test_a_replay_that_breaks_off_shows_what_a_case_has_that_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(case: Mapping[str, Any]) -> Iterator[Difference]:
        yield from ()
        assert case["cells"][1]["id"] != 4

    monkeypatch.setattr("games.cultist.cases.lines", broken)
    file = tmp_path / "cases.json"
    cases = [{"cells": [{}, {"id": number}]} for number in (3, 4)]
    file.write_text(json.dumps({"format": "cultist/lines", "cases": cases}))
    assert [result.error for result in replay(file)] == [
        "",
        "error: the replay broke off (read last: cells[1].id: 4); this should fit the other fields "
        "as in case 0, where it is 3",
    ]


def test_a_replay_that_breaks_off_names_what_was_read_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(case: Mapping[str, Any]) -> Iterator[Difference]:
        yield from ()
        raise ZeroDivisionError(list(case["cells"]))

    monkeypatch.setattr("games.cultist.cases.lines", broken)
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"format": "cultist/lines", "cases": [{"cells": [3, 4]}]}))
    for options, shows in (([], False), (["--debug"], True)):
        with pytest.raises(SystemExit) as exit_:
            main([*options, "cases", str(file)])
        captured = capsys.readouterr()
        assert exit_.value.code == 1
        assert "0: error: the replay broke off (read last: cells[1]: 4)" in captured.out
        assert ("ZeroDivisionError" in captured.err) is shows


def test_an_error_names_what_was_read_last_only_if_it_is_about_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(case: Mapping[str, Any]) -> Iterator[Difference]:
        yield from ()
        order = [case[name] for name in case["order"]]
        raise BadInput(f"no card is called 'ropp'\n  one of {len(order)} names")

    monkeypatch.setattr("games.cultist.cases.lines", refused)
    file = tmp_path / "cases.json"
    cases = [{"order": [*order], "a": "Ann", "r": "ropp"} for order in ("ar", "ra")]
    file.write_text(json.dumps({"format": "cultist/lines", "cases": cases}))
    error = "error: no card is called 'ropp'; one of 2 names"
    named = f'{error} (read last: r: "ropp")'
    assert [result.error for result in replay(file)] == [named, error]


def test_a_replay_that_needs_a_package_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in WebAssembly, where some packages are not at hand."""
    monkeypatch.setitem(sys.modules, "deduce.search.tiers.solve", None)
    first = next(iter(replay(DATA / "quartets_solutions.json")))
    expected = "error: the replay needs deduce.search.tiers.solve, which is not installed here"
    assert first.error.startswith(expected)
