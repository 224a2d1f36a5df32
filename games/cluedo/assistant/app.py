"""The command ``deduce cluedo app``: the assistant as a page in the browser."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from deduce.errors import BadInput
from games.cluedo.assistant.commands import set_up, set_up_options
from games.cluedo.assistant.logfile import LogFile

__all__ = ["app"]


@click.command()
@click.argument("log", metavar="LOG", type=click.Path())
@set_up_options
@click.option("--browser/--no-browser", default=True, help="Open it; else only tell the address.")
def app(log: str, *, browser: bool, category: tuple[str, ...], **answers: str | None) -> None:
    """Track a game in the browser: click events together, and sheet and advice follow.

    \b
    Example:  deduce cluedo app evening.cluedo
              deduce cluedo app evening.cluedo --players 'Ann 6, Ben 6, Cid 6'
              deduce cluedo app --no-browser evening.cluedo

    Every step is on the disk at once; with the same LOG the game goes on, here or with "deduce
    cluedo track". If there is no LOG yet, it is set up first, as by "deduce cluedo new". The page
    is for this machine alone, and for who has its address. Ctrl-C ends it.

    Exit codes: 2 the game is set up already, or cannot be so, 3 the log is unreadable. Needs the
    extra: pip install 'deduce-toolkit[app]'.
    """  # noqa: D301 (click reads the backspace)
    from deduce.widgets.serve import needs, serve

    if log == "-":
        raise click.UsageError("the page keeps the log in a file; LOG must be one")
    needs()
    path = Path(log)
    given = {name: answer for name, answer in answers.items() if answer is not None}
    if path.exists():
        if given or category:
            raise click.UsageError(f"{log} is there already; it holds its own set-up")
        LogFile.open(path)
    else:
        if "players" not in given and not sys.stdin.isatty():
            raise BadInput("there is no such file; --players sets up a new game", source=log)
        LogFile.create(path, set_up(given, category).session())
    serve(
        "games.cluedo.widget:page",
        str(path.resolve()),
        title=path.name,
        browser=browser,
        tell=lambda address: click.echo(f"{path.name}: {address}  (Ctrl-C ends it)"),
    )
    click.echo(f"ended; {path} has everything", err=True)
