"""``deduce cluedo app`` before it serves anything; the rest needs a browser."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deduce.cli import cli
from deduce.errors import BadInput, Unsupported

LOG = "players: Ann, Ben, Cid\n"

MISSING = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from deduce.cli import main
main(sys.argv[1:])
"""


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, ["cluedo", "app", "--no-browser", *args])


@pytest.mark.parametrize(("package", "extra"), [("voila", "app"), ("anywidget", "widgets")])
def test_without_a_package_the_extra_is_named(tmp_path: Path, package: str, extra: str) -> None:
    if package != "voila":
        pytest.importorskip("voila", reason="the page asks for voila first")
    log = tmp_path / "evening.cluedo"
    log.write_text(LOG)
    done = subprocess.run(
        [sys.executable, "-c", f"MISSING = {package!r}\n{MISSING}", "cluedo", "app", str(log)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert f"the package '{package}', which is not installed here" in done.stderr
    assert f"'deduce-toolkit[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Return what would be served, in a place of the server."""
    pytest.importorskip("voila", reason="voila is not installed (extra app)")
    seen: list[tuple[str, str]] = []

    def serve(widget: str, argument: str, **_: object) -> None:
        seen.append((widget, argument))

    monkeypatch.setattr("deduce.widgets.serve.serve", serve)
    return seen


def test_a_log_that_is_there_is_served(tmp_path: Path, served: list[tuple[str, str]]) -> None:
    log = tmp_path / "evening.cluedo"
    log.write_text(LOG)
    result = run(str(log))
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == f"ended; {log} has everything\n"
    assert served == [("games.cluedo.widget:page", str(log.resolve()))]
    assert log.read_text() == LOG


def test_a_log_that_is_not_there_is_set_up_first(
    tmp_path: Path, served: list[tuple[str, str]]
) -> None:
    log = tmp_path / "new.cluedo"
    result = run(str(log), "--players", "Ann 6, Ben 6, Cid 6", "--me", "Ann")
    assert result.exit_code == 0
    assert log.read_text() == "deck: classic\nplayers: Ann 6, Ben 6, Cid 6\nme: Ann\n\n"
    assert len(served) == 1


def test_a_log_that_is_not_there_is_not_asked_for_in_a_pipe(
    tmp_path: Path, served: list[tuple[str, str]]
) -> None:
    result = run(str(tmp_path / "none.cluedo"))
    assert isinstance(result.exception, BadInput)
    assert "--players sets up a new game" in str(result.exception)
    assert served == []


def test_a_log_that_cannot_be_read_is_told_with_its_line(
    tmp_path: Path, served: list[tuple[str, str]]
) -> None:
    log = tmp_path / "broken.cluedo"
    log.write_text("players: Ann, Ben\nAnn has ropp\nBen has hall\n")
    result = run(str(log))
    assert isinstance(result.exception, BadInput)  # exit code 3
    assert (result.exception.line, result.exception.column) == (2, 9)
    assert served == []


@pytest.mark.parametrize("args", [["-"], ["LOG", "--players", "Ann, Ben"], []])
def test_wrong_usage_is_told(
    tmp_path: Path, served: list[tuple[str, str]], args: list[str]
) -> None:
    log = tmp_path / "evening.cluedo"
    log.write_text(LOG)
    result = run(*(str(log) if arg == "LOG" else arg for arg in args))
    assert result.exit_code == 2
    assert served == []


def test_unsupported_is_what_a_missing_package_is(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed (extra widgets)")
    from deduce.widgets.serve import needs

    monkeypatch.setitem(sys.modules, "voila", None)
    monkeypatch.setitem(sys.modules, "voila.app", None)
    with pytest.raises(Unsupported, match=r"deduce-toolkit\[app\]"):
        needs()
