from __future__ import annotations

import io
import os
import re
import select
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import deduce
from deduce.cli import endings
from deduce.cli import main as cli
from deduce.cli.output import print_part
from deduce.cli.tracking import Tracking, open_log
from deduce.errors import BadInput
from deduce.show.sheet import grid_of
from games.cluedo import Cluedo, examples
from games.cluedo.cli import cluedo
from games.cluedo.cli.new import new
from games.cluedo.show import sheet_table

EXAMPLES = Path(examples.__path__[0])
SET_UP = "deck: classic\nplayers: Ann, Ben, Cid, Dan\nme: Ann\n\n"
DEDUCE = [sys.executable, "-c", "from deduce.cli.main import main; main()", "cluedo"]


def run(*args: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli.cli, ["cluedo", *args], input=typed)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.cluedo"
    path.write_text(SET_UP)
    return path


# new


def test_new_asks_question_by_question_and_asks_again(tmp_path: Path) -> None:
    path = tmp_path / "a"
    answers = ["Ann 5, Ann", "Ann, Ben, Cid, Dan", "clasic", "own", "# ?", "",
               "suspect: A, B, C", "weapon: X, Y, Z", "", "Q", "C", "many", "0", "1 1 2",
               "1 1 1 ?", "zoe", "ann", "B, C", "B"]  # fmt: skip
    result = run("new", str(path), typed="\n".join(answers) + "\n")
    assert result.exit_code == 0, result.output
    assert path.read_text() == (
        "suspect: A, B, C\nweapon: X, Y, Z\nplayers: Ann 1, Ben 1, Cid 1, Dan ?\nme: Ann\n"
        "face up: C\n\nhand Ann: B\n"
    )
    for told in ("seat order", "two players are called 'Ann'", "did you mean 'classic'",
                 "there are 4 players but 3 hand sizes", "no player is called 'zoe'",
                 "C lies face up", "a number of cards is needed",
                 "own needs categories"):  # fmt: skip
        assert told in result.stderr
    # The runner of a click before 8.4 shows there what was typed.
    assert all(line.strip() in answers for line in result.stdout.splitlines())


def test_new_has_defaults_and_keeps_sizes_that_were_typed_with_the_names() -> None:
    result = run("new", typed="Ann 9, Ben 9\n" + "\n" * 7)
    assert result.stdout.strip().endswith("deck: classic\nplayers: Ann 9, Ben 9")


def test_new_replaces_only_files(tmp_path: Path) -> None:
    for place in (tmp_path, Path("/dev/null")):
        result = CliRunner().invoke(new, [str(place), "--force", "--players", "Ann, Ben"])
        assert isinstance(result.exception, BadInput)
        assert "it is not a file" in str(result.exception)


# track, through a pipe


def test_unreadable_lines_are_named_and_the_rest_is_taken(log: Path) -> None:
    typed = (
        "ben has ropp\nben has rope\n  :edit 1 ben has daggr\n:foo\n:undoo\n:why rope\n"
        ":why ropp=ann\n:drop\n:drop 7\n:edit x\n:\n:re\n" + "x" * 200_000 + "\n"
    )
    result = CliRunner().invoke(
        cluedo, ["track", str(log)], input=typed.encode() + b"\xff\n:quit\nbad line"
    )
    assert result.exit_code == endings.EXIT_UNREADABLE
    assert [line.removeprefix("error: <stdin>:") for line in result.stderr.splitlines()] == [
        "1:9: no card is called 'ropp'; did you mean 'Rope'?",
        "3:19: no card is called 'daggr'; did you mean 'Dagger'?",
        "4: no command is called 'foo' (log, undo, redo, edit, insert, drop and 29 more)",
        "5: no command is called 'undoo'; did you mean 'undo'?",
        "6: 'rope' is not of the form CARD=HOLDER (or CARD!=HOLDER)",
        "7: no card is called 'ropp'; did you mean 'Rope'?",
        "8: which event? a number from :log, such as :drop 3",
        "9: there is no event 7; the log has 1",
        "10: which event? a number from :log, such as :edit 3",
        "11: no command is called '' (log, undo, redo, edit, insert, drop and 29 more)",
        "12: there is nothing to redo",
        "13: a line of more than 100000 characters; no event is that long",
        "14: not text in UTF-8",
    ]
    assert log.read_text() == SET_UP + "Ben has Rope\n"


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.cluedo")))
def test_examples_can_be_tracked(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text((EXAMPLES / name).read_text())
    result = run("track", str(path), typed=":check\n")
    assert result.exit_code == (
        endings.EXIT_NO if name == "contradiction.cluedo" else endings.EXIT_YES
    )
    assert path.read_text() == (EXAMPLES / name).read_text()


# track as a real program


class Terminal:
    """A program that runs on a terminal of its own."""

    def __init__(self, *args: str) -> None:
        import pty

        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ |= {"TERM": "dumb", "NO_COLOR": "1"}
            os.execv(DEDUCE[0], [*DEDUCE, *args])
        self.seen = ""

    def wait_for(self, text: str, seconds: float = 30) -> str:
        end = time.monotonic() + seconds
        while text not in self.seen:
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            assert ready, f"{text!r} did not come; seen: {self.seen!r}"
            try:
                self.seen += os.read(self.terminal, 65536).decode()
            except OSError:
                self.seen += "<end>"
        before, _, self.seen = self.seen.partition(text)
        return before

    def soon(self, text: str, seconds: float = 5) -> bool:
        """Whether the text comes in time; it stays to be waited for."""
        end = time.monotonic() + seconds
        while text not in self.seen and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.terminal, 65536).decode()
                except OSError:
                    self.seen += "<end>"
        return text in self.seen

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def exit_code(self) -> int:
        self.wait_for("<end>")
        code = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        os.close(self.terminal)
        return code


on_terminals = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")


@on_terminals
@pytest.mark.parametrize("key", ["\x04", "half a line\x03"])
def test_on_a_terminal_the_sheet_follows_and_one_can_leave(log: Path, key: str) -> None:
    terminal = Terminal("track", str(log))
    greeting = terminal.wait_for("1> ")
    assert "players in seat order: Ann, Ben, Cid, Dan" in greeting
    assert "Billiard" in greeting
    terminal.type("ben has rope\n")
    answer = terminal.wait_for("2> ")
    assert "now certain: Ben has Rope" in answer
    assert "Billiard" in answer
    terminal.type("ben has ropp\n")
    assert "error: column 9: no card is called 'ropp'" in terminal.wait_for("2> ")
    time.sleep(0.2)  # until it waits: the interpreter can miss a Ctrl-C just before
    terminal.type(key)
    if key.endswith("\x03") and not terminal.soon(f"1 event in {log}"):
        terminal.type("\x03")
    terminal.wait_for(f"1 event in {log}")
    assert terminal.exit_code() == 0
    assert log.read_text() == SET_UP + "Ben has Rope\n"


# Commands


def test_edit_begins_the_next_line_with_the_event_on_a_terminal(log: Path) -> None:
    file, document, _ = open_log(log, Cluedo)
    dialogue = Tracking(cluedo, file, document, by_hand=True)
    list(dialogue.answer("ben has rope"))
    assert list(dialogue.answer("edit 1")) == []
    assert dialogue.prefill == ":edit 1 Ben has Rope"
    shown = list(dialogue.answer(dialogue.prefill.replace("Rope", "Hall")))
    assert (shown[0], dialogue.prefill) == ("1. Ben has Hall", "")
    result = run("track", str(log), "--sheet", "never", typed="ben has rope\n:edit 1\n")
    assert "the new event is missing, such as :edit 1 Ben has Hall" in result.stderr


def test_a_new_log_has_no_steps_of_the_one_that_it_replaces(log: Path) -> None:
    again = ("new", str(log), "--force", "--players", "Ann, Ben, Cid, Dan", "--me", "Ann")
    run(*again)
    run("track", str(log), "--sheet", "never", typed="ben has rope\nundo\n")
    run(*again)
    result = run("track", str(log), "--sheet", "never", typed="redo\n")
    assert "there is nothing to redo" in result.stderr


def test_without_its_steps_a_log_loses_its_last_event_by_undo(log: Path) -> None:
    steps = log.parent / f".{log.name}.steps"
    for content in ("", "{", "[]", '{"past": 3}', "\x00"):
        log.write_text(SET_UP)
        steps.unlink(missing_ok=True)
        run("track", str(log), "--sheet", "never", typed="ben has rope\n")
        steps.write_text(content)
        result = run("track", str(log), "--sheet", "never", typed="undo\nundo\nredo\n")
        assert "undone: adding Ben has Rope" in result.stdout
        assert "done again: adding Ben has Rope" in result.stdout
        assert result.stderr == "error: <stdin>:2: there is nothing to undo\n"
        assert log.read_text() == SET_UP + "Ben has Rope\n"


EVERY_COMMAND = """\
sheet
log
insert 1 Ben has not C
edit 1 Ben has not B
drop 1
undo
redo
why A=Ben
steps
steps A=Ben
hint
hint 3
what-if A=Ben
grid
what-if
check
solution
advise
advise P
advise --limit 1
:accuse --samples 1 --turns 0
minds --samples 1
minds Ben
show Ben: B X Q; Cid -
show "Ben": B X Q; Cid -
show --samples 1 'Ben: B X Q; Cid -'
show-card Ben: B X Q; Cid -
as Ben
why A=O'Neil or X=O'Neil
help
quit"""


def test_every_command_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "small.cluedo"
    path.write_text(
        "suspect: A, B, C\nweapon: X, Y\nroom: P, Q, R\n"
        'players: Ann 2, Ben 1, Cid 1, "O\'Neil" 1\nme: Ann\n\nhand Ann: B, Q\n'
    )
    result = run("track", str(path), "--sheet", "never", typed=EVERY_COMMAND)
    assert result.stderr == ""
    sheets = [line.split() for line in result.stdout.splitlines() if line.startswith("A ")]
    assert [line[2] for line in sheets] == ["17%", "yes", "13%"]  # now, assumed, and seen by Ben
    assert result.stdout.count("accuse now:") == 1
    assert result.stdout.count("What Ben would know") == 4


# The sheet on a terminal


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("columns", "lines"), [(100, 40), (80, 24), (50, 24)])
def test_the_sheet_keeps_its_colour_and_its_head(
    columns: int, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", screen)
    knowledge = deduce.read(EXAMPLES / "evening.cluedo", Cluedo).upto(12)
    print_part(sheet_table(knowledge, grid_of(knowledge)))
    shown = screen.getvalue()
    assert ("\x1b[" in shown) == (columns > 50)
    last = re.sub(r"\x1b\[[\d;]*m", "", shown).splitlines()[-lines + 2 :]
    assert any(re.search(r"Ann +Ben +Cid +Dora +envelope", line) for line in last)
