"""What every command prints: one JSON object, or lines and tables for people."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from deduce.errors import Interrupted, Undecided
from deduce.exits import EXIT_INTERRUPTED, EXIT_UNDECIDED

if TYPE_CHECKING:
    from deduce.show.table import Table

__all__ = ["end_undecided", "end_with", "json_option", "print_answer", "print_json", "print_part"]

F = TypeVar("F", bound=Callable[..., Any])


def json_option(function: F) -> F:
    """Add the option ``--json`` to a command, which gets it as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(function)


def print_json(document: Any) -> None:
    """Print a JSON document on one line of standard output."""
    click.echo(json.dumps(document, ensure_ascii=False))


def print_part(part: str | Table) -> None:
    """Print a line or a table on standard output; what would act on a terminal is escaped."""
    if isinstance(part, str):
        from deduce.text import visible

        click.echo(visible(part))
    else:
        from deduce.show.table import print_table

        print_table(part)


def print_answer(
    document: Mapping[str, Any], parts: Iterable[str | Table], *, as_json: bool
) -> None:
    """Print the document under ``--json``, else the parts one below the other."""
    if as_json:
        print_json(document)
    else:
        for part in parts:
            print_part(part)


def end_with(code: int) -> NoReturn:
    """End a command with an exit code of `deduce.exits`.

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
