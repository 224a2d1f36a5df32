"""Packages of strangers: found through entry points, used from the command line, run in docs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from deduce.cli.main import main
from deduce.logs.events import write_log
from deduce.system import registry
from tests.programs import deduce
from tests.project.hats import Hats, Sees

ROOT = Path(__file__).parent.parent.parent
HATS = (ROOT / "tests" / "project" / "hats.py").read_text(encoding="utf-8")

SEARCHED = '''
class Nim:
    """Nim with one heap."""
    players = 2
    utility_bounds = (-1, 1)
    zero_sum = True
    def initial_state(self): return 4
    def to_move(self, state): return 0
    def actions(self, state): return [1, 2][:state]
    def result(self, state, action): return state - action
    def utility(self, state): return None if state else (1, -1)
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder as ``pip install`` leaves it: modules, and the record of their entry points."""
    (tmp_path / "their_hats.py").write_text(HATS, encoding="utf-8")
    (tmp_path / "their_nim.py").write_text(SEARCHED, encoding="utf-8")
    (tmp_path / "their_torn.py").write_text("class Torn", encoding="utf-8")
    record = tmp_path / "their_games-2.1.dist-info"
    record.mkdir()
    (record / "METADATA").write_text("Metadata-Version: 2.1\nName: their-games\nVersion: 2.1\n")
    (record / "entry_points.txt").write_text(
        "[deduce.games]\nhats = their_hats:Hats\none-heap = their_nim:Nim\nlost = their_lost:Lost\n"
        "bowlers = their_hats:Hats\n"
        "torn = their_torn:Torn\npigs = their_hats:Hats\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    registry._entry_points.cache_clear()
    yield tmp_path
    registry._entry_points.cache_clear()
    for name in [name for name in sys.modules if name.startswith("their_")]:
        del sys.modules[name]


def test_a_strangers_game_is_in_the_list(package: Path) -> None:
    listed = deduce("games")
    assert listed.returncode == 0
    lines = dict(line.split(maxsplit=1) for line in listed.stdout.splitlines())
    assert lines["hats"] == "Hats: who wears red?"
    assert lines["one-heap"] == "Nim with one heap."
    assert "cluedo" in lines
    assert lines["lost"].startswith("(broken: ")
    assert lines["torn"].startswith("(broken: ")
    assert "hats" in deduce("--help").stdout


def test_a_strangers_game_has_the_commands(package: Path, tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text(write_log(Hats(("Ann", "Ben")), [Sees("Ann", "Ben", "red")]))
    answer = deduce("hats", "why", "ann=blue", str(log))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.startswith("Ann is blue: certain, because\n  event 1: Ann sees Ben in red")


def test_a_strangers_searched_game_has_the_commands_of_search(package: Path) -> None:
    answer = deduce("one-heap", "perft", "4")
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout == deduce("search", "one-heap", "perft", "4").stdout


def test_a_package_that_cannot_be_loaded_is_an_error_of_one_line(package: Path) -> None:
    answer = deduce("lost", "check", "x.log")
    assert answer.returncode == 70
    assert answer.stderr.startswith("failure: the game 'lost' (their_lost:Lost) cannot be loaded")
    assert answer.stderr.count("\n") == 1


def test_two_packages_with_one_name_are_told_instead_of_guessed(package: Path) -> None:
    answer = deduce("pigs", "simulate", "x")
    assert answer.returncode == 70
    both = "games.pigs:REGISTRATION and their_hats:Hats"
    assert answer.stderr.startswith(f"failure: 'pigs' is provided by {both}: uninstall all")
    assert f"(broken: 'pigs' is provided by {both}" in deduce("games").stdout


FAULTS = {
    "evidence": ("def evidence(self", "    raise StopIteration\n"),
    "parse_event": ("def parse_event(self", "    return 1 // 0\n"),
    "variables": ("def variables(self", "    return self.nothing\n"),
}


@pytest.mark.parametrize("method", FAULTS)
def test_an_exception_in_a_plugin_is_a_failure_of_the_plugin(
    method: str, package: Path, tmp_path: Path
) -> None:
    head, fault = FAULTS[method]
    lines = (package / "their_hats.py").read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if head in line)
    while not lines[at].rstrip().endswith(":"):
        at += 1
    lines.insert(at + 1, f"    {fault}")
    (package / "their_hats.py").write_text("".join(lines), encoding="utf-8")
    log = tmp_path / "x.log"
    log.write_text(write_log(Hats(("Ann", "Ben")), []) + "Ann sees Ben red\n")
    answer = deduce("hats", "check", str(log))
    assert (answer.returncode, answer.stdout) == (70, "")
    assert answer.stderr.startswith("failure: ")
    assert answer.stderr.count("\n") == 1
    place = f"their_hats.py, line {at + 2}, in {method}); this is a failure of the game 'hats'"
    assert place in answer.stderr
    shown = deduce("--debug", "hats", "check", str(log))
    assert shown.returncode == 70
    assert "Traceback (most recent call last)" in shown.stderr


class Shaky(Hats):
    """Hats of which one method raises what it is made to raise."""

    name = "shaky"
    method, error = "", Exception()

    def __getattribute__(self, name: str) -> Any:
        if name == Shaky.method:
            return self.fail
        return super().__getattribute__(name)

    def fail(self, *_: Any) -> None:
        raise Shaky.error


HOOKS = ["variables", "rules", "evidence", "parse_event", "check", "notices", "say", "groups",
         "drawn", "format_event", "inquiries", ]  # fmt: skip
ERRORS = [KeyError("x"), StopIteration(), RecursionError(), SystemExit(3), OSError(2, "gone"),
          BrokenPipeError(32, "pipe"), EOFError(), GeneratorExit(), MemoryError()]  # fmt: skip


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_whatever_a_plugin_raises_is_a_failure_of_the_plugin(
    error: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path
) -> None:
    point = EntryPoint("shaky", f"{__name__}:Shaky", registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: {"shaky": {point.value: point}})
    log = tmp_path / "x.log"
    log.write_text(write_log(Shaky(("Ann", "Ben")), []) + "Ann sees Ben red\n")
    place = ERRORS.index(error)
    for method in HOOKS[place % 3 :: 3] if place else HOOKS:  # each error in a third of them
        monkeypatch.setattr(Shaky, "method", method)
        monkeypatch.setattr(Shaky, "error", error)
        for command in ("check", "advise"):
            with pytest.raises(SystemExit) as ended:
                main(["shaky", command, str(log)])
            out, err = capsys.readouterr()
            if ended.value.code in (0, 2):  # the method is not used by this command
                continue
            assert ended.value.code == 70, (method, command, err)
            assert out == "", (method, command)
            assert "failure of the game 'shaky'" in err, (method, command, err)


@pytest.mark.parametrize(
    ("fault", "line"),
    [("raise BadInput('odd')", 1), ("if log: raise BadInput('odd')", 2), ("yield 3", 1)],
)
def test_evidence_that_refuses_an_event_is_an_unreadable_log(
    fault: str, line: int, package: Path, tmp_path: Path
) -> None:
    module = package / "their_hats.py"
    source = module.read_text(encoding="utf-8")
    head = "viewer: Viewer) -> Iterator[Evidence]:\n"
    module.write_text(source.replace(head, f"{head}        {fault}\n"), encoding="utf-8")
    log = tmp_path / "x.log"
    log.write_text(write_log(Hats(("Ann", "Ben")), []) + "Ann sees Ben red\n")
    for slips in ((), ("--slips", "0.01")):
        answer = deduce("hats", "check", *slips, str(log))
        assert answer.returncode == 3, answer
        if line is not None:
            assert answer.stderr.startswith(f"error: {log}:{line}: "), answer
