"""A dialogue in the terminal: lines are typed or come through a pipe, each is answered by lines.

Every interactive command (tracking a log, playing a game) is a `Dialogue` that `run` leads: with a
prompt, line editing and history on a terminal; without a prompt in a pipe.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deduce.cli.endings import EXIT_UNREADABLE, EXIT_YES
from deduce.cli.output import print_part
from deduce.errors import BadInput, DeduceError, Undecided
from deduce.system.files import MAX_LINE, locked, nearest_file
from deduce.system.text import visible

if TYPE_CHECKING:
    from deduce.show.table import Table

__all__ = [
    "Dialogue",
    "command_of",
    "on_terminal",
    "opened",
    "read_line",
    "remember",
    "run",
]

STDIN = "<stdin>"


class Dialogue:
    """What is talked about: it answers lines until it is over; a subclass for each command."""

    @property
    def prompt(self) -> str:
        """The prompt for the next line; on a terminal only."""
        raise NotImplementedError

    @property
    def prefill(self) -> str:
        """Text that the next line begins with, to be edited; usually empty."""
        return ""

    @property
    def is_over(self) -> bool:
        """Whether no further line is wanted."""
        raise NotImplementedError

    def greeting(self) -> Iterable[str | Table]:
        """Return what is shown at the beginning, on a terminal only: lines and tables."""
        return ()

    def opening(self) -> Iterable[str | Table]:
        """Return what happens before the first line; shown in a pipe too, after the greeting."""
        return ()

    def answer(self, line: str) -> Iterable[str | Table]:
        """Return the lines and tables that answer a line; may be a generator, which shows each.

        Raises
        ------
        BadInput
            The line is not understood. The dialogue goes on.
        """
        raise NotImplementedError


def run(dialogue: Dialogue) -> int:
    """Lead a dialogue until it is over, and return its exit code.

    The code is 3 if a line of a pipe or a file was not understood, else 0.

    An error is shown on standard error and the dialogue goes on; in a pipe it names the line. On a
    terminal, Ctrl-C ends the answer that is being given, and at the prompt the dialogue, like
    Ctrl-D.

    Parameters
    ----------
    dialogue
        What is talked about.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C while lines come through a pipe.
    """
    by_hand = on_terminal()
    if by_hand:
        _show(dialogue.greeting(), None)
    try:
        for part in dialogue.opening():
            print_part(part)
    except Undecided as error:
        _warn(error)
    number = failures = 0
    while not dialogue.is_over:
        number += 1
        try:
            line = read_line(dialogue.prompt if by_hand else "", dialogue.prefill)
        except EOFError:
            if by_hand:
                click.echo()
            break
        except KeyboardInterrupt:
            if not by_hand:
                raise
            click.echo()
            break
        except BadInput as error:
            _warn(error if by_hand else error.at(source=STDIN, line=number))
            failures += 1
            continue
        failures += not _show(dialogue.answer(line), None if by_hand else number)
    return EXIT_UNREADABLE if failures and not by_hand else EXIT_YES


def opened(log: str, new: str) -> Path:
    """Return the path of a log that lines are added to, locked until the command ends.

    Parameters
    ----------
    log
        What the command line names.
    new
        The command that makes such a file.

    Raises
    ------
    click.UsageError
        It is standard input.
    BadInput
        There is no such file; a mistyped name must not begin another game.
    """
    if log == "-":
        raise click.UsageError("LOG must be a file: standard input is where lines are typed")
    path = Path(log)
    if not path.exists():
        hint = nearest_file(log)
        raise BadInput(f"there is no such file{hint}; '{new}' makes one", source=log)
    click.get_current_context().with_resource(locked(path))
    return path


def on_terminal() -> bool:
    """Return whether standard input is a terminal, so that a person types; not if it is closed."""
    return sys.stdin is not None and sys.stdin.isatty()


def read_line(prompt: str = "", prefill: str = "") -> str:
    """Return the next line of standard input, without its end.

    Parameters
    ----------
    prompt
        Shown before, never in a pipe or a file: on standard error unless standard output is a
        terminal too.
    prefill
        Text that the line begins with on a terminal with line editing.

    Raises
    ------
    EOFError
        There are no more lines.
    BadInput
        The line is not text in UTF-8, or too long.
    """
    if sys.stdin is None:
        raise EOFError
    if prompt and on_terminal():
        return _edited_line(prompt, prefill)
    data = sys.stdin.buffer.readline(4 * MAX_LINE + 1)
    if not data:
        raise EOFError
    if not data.endswith(b"\n") and len(data) > 4 * MAX_LINE:
        while (rest := sys.stdin.buffer.readline(MAX_LINE)) and not rest.endswith(b"\n"):
            pass
    try:
        line = data.decode()
    except UnicodeDecodeError:
        raise BadInput("not text in UTF-8") from None
    if len(line) > MAX_LINE:
        raise BadInput(f"a line of more than {MAX_LINE} characters; no event is that long")
    return line.rstrip("\r\n")


def _edited_line(prompt: str, prefill: str) -> str:
    try:
        import readline  # gives `input` line editing and history
    except ImportError:
        readline = None  # type: ignore[assignment]
    if readline is not None and prefill:
        readline.set_startup_hook(lambda: readline.insert_text(prefill))
    try:
        if sys.stdout.isatty():
            return input(prompt)
        click.echo(prompt, nl=False, err=True)
        return input()
    except UnicodeDecodeError:
        raise BadInput("not text in UTF-8") from None
    finally:
        if readline is not None:
            readline.set_startup_hook()


def remember(lines: Iterable[str]) -> None:
    """Put lines before those that the arrow keys recall at the prompt, if the terminal can."""
    with suppress(ImportError):
        import readline

        for line in lines:
            readline.add_history(line)


def command_of(line: str, names: Collection[str]) -> tuple[str, str] | None:
    """Return the command that a line begins with and the rest of the line, or ``None``.

    A command may have a colon before it (``:undo``); ``?`` stands for ``help``, and ``q`` and
    ``exit`` for ``quit``.

    Parameters
    ----------
    line
        What was typed.
    names
        The commands.

    Examples
    --------
    >>> command_of(":why rope=Ann", ["why", "undo"]), command_of("undo", ["why", "undo"])
    (('why', 'rope=Ann'), ('undo', ''))
    >>> command_of("Ann: plum rope hall", ["why", "undo"]) is None
    True
    """
    word, _, rest = line.strip().partition(" ")
    word = word.removeprefix(":").casefold()
    word = {"?": "help", "q": "quit", "exit": "quit"}.get(word, word)
    return (word, rest.strip()) if word in names else None


def _show(lines: Iterable[str | Table], number: int | None) -> bool:
    """Print the lines as they come; return whether the line that they answer was understood."""
    try:
        for line in lines:
            print_part(line)
    except BadInput as error:
        _warn(error if number is None else error.at(source=STDIN, line=number))
        return False
    except DeduceError as error:
        _warn(error)
    except KeyboardInterrupt:
        if number is not None:
            raise
        click.echo("interrupted")
    return True


def _warn(error: DeduceError) -> None:
    kind = "undecided" if isinstance(error, Undecided) else "error"
    with suppress(OSError):
        click.echo(visible(f"{kind}: {error}"), err=True)
