"""What every command prints: one JSON object, or lines and tables for people; figures; progress."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, TypeVar

import click

from deduce.cli.endings import EXIT_INTERRUPTED, EXIT_UNDECIDED
from deduce.errors import BadInput, BadProblem, Interrupted, Undecided

if TYPE_CHECKING:
    from deduce.show.table import Table

__all__ = [
    "Advance",
    "end_undecided",
    "end_with",
    "file_option",
    "json_line",
    "json_option",
    "new_file_argument",
    "plot_option",
    "print_answer",
    "print_json",
    "print_part",
    "progress_bar",
    "take_all",
    "usage",
    "write_or_print",
]

F = TypeVar("F", bound=Callable[..., object])
T = TypeVar("T")


def json_option(function: F) -> F:
    """Add the option ``--json`` to a command, which gets it as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(function)


def print_json(document: object) -> None:
    """Print a JSON document on one line of standard output."""
    click.echo(json_line(document))


def json_line(document: object) -> str:
    """Return a JSON document on one line, as it is printed.

    >>> json_line({"name": "Zoë"})
    '{"name": "Zoë"}'
    """
    return json.dumps(document, ensure_ascii=False)


def print_part(part: str | Table) -> None:
    """Print a line or a table on standard output; what would act on a terminal is escaped."""
    if isinstance(part, str):
        from deduce.system.text import visible

        click.echo(visible(part))
    else:
        from deduce.show.table import print_table

        print_table(part)


def print_answer(
    document: Mapping[str, object], parts: Iterable[str | Table], *, as_json: bool
) -> None:
    """Print the document under ``--json``, else the parts one below the other."""
    if as_json:
        print_json(document)
    else:
        for part in parts:
            print_part(part)


def file_option(*names: str, **others: Any) -> Callable[[F], F]:
    """Return an option that takes the `Path` of a file to write; others as for `click.option`."""
    path = click.Path(dir_okay=False, path_type=Path)
    return click.option(*names, type=path, metavar="FILE", **others)


def new_file_argument(name: str = "LOG") -> Callable[[F], F]:
    """Return the optional argument of a file for `write_or_print`, which a command gets as ``log``.

    Parameters
    ----------
    name
        What the help calls it.
    """
    path = click.Path(path_type=Path)
    return click.argument("log", required=False, metavar=f"[{name}]", type=path)


def write_or_print(file: Path | None, text: str, *, replace: bool = False) -> None:
    """Write lines into a new file; without one, or with ``-``, print them.

    The steps of an earlier log in a file of this name are removed.

    Raises
    ------
    BadInput
        The file already exists and is not to be replaced, or it cannot be written.
    """
    if file is None or str(file) == "-":
        click.echo(text)
    else:
        from deduce.logs.document import LogFile
        from deduce.system.files import replace_file, write_new_file

        write = replace_file if replace and file.exists() else write_new_file
        write(file, f"{text}\n")
        with suppress(OSError):  # steps are an extra
            LogFile.at(file).steps.unlink(missing_ok=True)


@contextmanager
def usage(option: str = "") -> Iterator[None]:
    """Turn what cannot be into wrong usage (exit code 2), of an option or argument if one is named.

    Parameters
    ----------
    option
        As it is typed, such as ``--by``.
    """
    try:
        yield
    except (BadInput, BadProblem) as error:
        message = error.message if isinstance(error, BadInput) else str(error)
        if option:
            raise click.BadParameter(message, param_hint=f"'{option}'") from None
        raise click.UsageError(message) from None


def end_with(code: int) -> NoReturn:
    """End a command with an exit code of `deduce.cli.endings`.

    Commands do not call `sys.exit`: what calls it is a plug-in, whose failure must not look like an
    answer (see `deduce.cli.main`).
    """
    raise click.exceptions.Exit(code)


def end_undecided(error: Undecided | None) -> None:
    """End a command that has printed what is known, with exit code 4, or 130 after Ctrl-C.

    Parameters
    ----------
    error
        Why the answer is incomplete; ``None`` if it is not.
    """
    if error is not None:
        click.echo(f"undecided: {error}", err=True)
        interrupted = isinstance(error, Interrupted)
        end_with(EXIT_INTERRUPTED if interrupted else EXIT_UNDECIDED)


def _checked(ctx: click.Context, param: click.Parameter, file: Path | None) -> Path | None:
    """Refuse a file name that is not that of a figure, before anything is computed for it."""
    if file is not None and not ctx.resilient_parsing:
        from deduce.show.canvas import FORMS

        if file.suffix.lower().removeprefix(".") not in FORMS:
            endings = ", ".join(f".{form}" for form in FORMS)
            raise click.BadParameter(f"{file} ends in none of {endings}")
    return file


plot_option = file_option(
    "--plot", callback=_checked, help="Also draw it into this file: .png, .svg or .pdf."
)


FIRST, INTERVAL = 1.0, 0.2
"""Seconds until the line appears, and between its changes."""
HINT = "Ctrl-C shows what is known so far"


class Advance(Protocol):
    """Shows how many steps are done, what else is known, and the total if it has changed."""

    def __call__(self, done: int, text: str = "", *, total: int | None = None) -> None:
        """Show it; calls may be frequent."""


@contextmanager
def progress_bar(what: str, total: int | None = None) -> Iterator[Advance]:
    """Give a function that shows how many are done; the line is removed at the end.

    Parameters
    ----------
    what
        What is counted, in the plural: ``"nodes"``.
    total
        How many there are; ``None`` if that is not known.

    Notes
    -----
    The line appears after a second and changes five times a second, so calls may be frequent. At
    the end and after any exception it is gone. Without a terminal nothing is written.

    Examples
    --------
    >>> with progress_bar("games", 2) as advance:
    ...     advance(1)
    ...     advance(2, "1 won, 1 lost")
    """
    on_terminal = sys.stderr is not None and sys.stderr.isatty()
    began, shown_at, width, last = monotonic(), 0.0, 0, total

    def advance(done: int, text: str = "", *, total: int | None = None) -> None:
        nonlocal shown_at, width, last
        now, last = monotonic(), last if total is None else total
        if not on_terminal or now - began < FIRST or now - shown_at < INTERVAL:
            return
        count = f"{done:,} {what}" if last is None else f"{done:,} of {last:,} {what}"
        parts = [count, *([text] if text else []), f"{now - began:.0f} s ({HINT})"]
        shown = ", ".join(parts)[: shutil.get_terminal_size().columns - 1]
        _write(f"\r{shown:<{width}}")
        shown_at, width = now, len(shown)

    try:
        yield advance
    finally:
        if width:
            _write(f"\r{'':<{width}}\r")


def take_all(results: Iterable[T], what: str, total: int, take: Callable[[T], str | None]) -> bool:
    """Return whether all results came; Ctrl-C ends them, and those that came are kept.

    Parameters
    ----------
    results
        The results of a long run, as they come.
    what, total
        As for `progress_bar`.
    take
        Keeps a result, and returns what else the line of progress says, if anything.

    Examples
    --------
    >>> kept = []
    >>> take_all(iter("ab"), "letters", 2, kept.append), kept
    (True, ['a', 'b'])
    """
    with progress_bar(what, total) as advance:
        try:
            for done, result in enumerate(results, start=1):
                advance(done, take(result) or "")
        except KeyboardInterrupt:
            if isinstance(results, Generator):
                results.close()  # which ends the processes that work for it
            return False
    return True


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
