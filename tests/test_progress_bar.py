"""The progress line of long commands."""

from __future__ import annotations

import io
import sys

import pytest

from deduce.cli import output as module
from deduce.cli.output import progress_bar


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    monkeypatch.setenv("COLUMNS", "80")
    return now


def screen(text: str) -> str:
    """Return what is left on one line of a terminal."""
    line = ""
    for part in text.split("\r"):
        line = part + line[len(part) :]
    return line.rstrip()


def test_the_line_appears_late_changes_seldom_and_is_gone_at_the_end(
    clock: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_bar("games", 1200) as advance:
        advance(1)
        assert terminal.getvalue() == ""
        clock[0] += 2
        advance(1100, "600 won, 500 lost")
        assert screen(terminal.getvalue()).startswith(
            "1,100 of 1,200 games, 600 won, 500 lost, 2 s"
        )
        clock[0] += 0.1
        advance(1101)
        assert "1,101" not in terminal.getvalue()
        clock[0] += 0.2
        advance(7)
        assert screen(terminal.getvalue()) == (
            "7 of 1,200 games, 2 s (Ctrl-C shows what is known so far)"
        )
    assert screen(terminal.getvalue()) == ""
    assert "\n" not in terminal.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO(), None])
def test_nothing_is_written_where_there_is_no_terminal(
    clock: list[float], monkeypatch: pytest.MonkeyPatch, stream: io.StringIO | None
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_bar("states") as advance:
        clock[0] += 9
        advance(5)
        advance(6, "note")
    assert stream is None or stream.getvalue() == ""
