"""The commands ``play`` and ``simulate``: at the table."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import click

from deduce.completion import offering
from deduce.errors import BadInput
from deduce.events import read_text
from deduce.files import replace_file
from games.propre.commands.common import AS_JSON, SEED, SET, SETTINGS, set_up
from games.propre.rules import Rules

__all__ = ["play", "simulate"]


def _players() -> Iterable[str]:
    from games.propre.players import PLAYERS

    return PLAYERS


@click.command(epilog=SETTINGS)
@click.argument(
    "names", nargs=-1, required=True, metavar="PLAYER...", shell_complete=offering(_players)
)
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="How many games."
)
@click.option("--open", "open_hands", is_flag=True, help="Hands lie open.")
@click.option(
    "--think",
    type=click.FloatRange(0, min_open=True),
    default=0.2,
    show_default=True,
    metavar="SECONDS",
    help="For each option of search and sampling.",
)
@SEED
@SET
@AS_JSON
def simulate(
    names: tuple[str, ...],
    *,
    games: int,
    open_hands: bool,
    think: float,
    seed: int,
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Let computers play against each other.

    \b
    Example:  deduce propre simulate greedy random --games 200
              deduce propre simulate search greedy --open --games 20

    A PLAYER is random, greedy, search (open hands only) or sampling; one a seat, 2 to 5. The seats
    change round from game to game. Ctrl-C gives the table of the games so far.
    """  # noqa: D301
    from games.propre.players import find_player
    from games.propre.simulate import simulate as run
    from games.propre.simulate import tally

    rules = set_up(settings, players=len(names))
    try:
        for name in names:
            find_player(name)
        if "search" in names and not open_hands:
            raise BadInput("the player 'search' needs open hands: add --open")
        if rules.players != len(names):
            raise BadInput(f"{len(names)} players are named, but players={rules.players}")
        if rules.endless:
            raise BadInput("with an endless deck there is no deal to simulate")
    except BadInput as error:
        raise click.UsageError(str(error)) from error
    shown = sys.stderr.isatty()
    outcomes = []
    try:
        for outcome in run(rules, names, games=games, seed=seed, open_hands=open_hands,
                           seconds=think):  # fmt: skip
            outcomes.append(outcome)
            if shown:
                click.echo(f"\r{len(outcomes)} of {games} games \r", nl=False, err=True)
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
    _print_tally(tally(names, outcomes), as_json=as_json)


def _print_tally(sums: Any, *, as_json: bool) -> None:
    from attrs import asdict

    from deduce.show.table import Table, print_table

    if as_json:
        click.echo(json.dumps({"schema": "deduce/propre-simulation/1", **asdict(sums)}))
        return
    rows = [
        [f"{place + 1} {name}", str(wins), f"{wins / max(1, sums.games):.0%}"]
        for place, (name, wins) in enumerate(zip(sums.names, sums.wins, strict=True))
    ]
    notes = [f"{sums.games} games, median {sums.median_decisions} decisions"]
    if sums.given_up:
        notes.append(f"{sums.given_up} given up as endless")
    print_table(Table(("player", "won", "share"), rows, notes=tuple(notes)))


@click.command(epilog=SETTINGS)
@click.option(
    "--against",
    multiple=True,
    shell_complete=offering(_players),
    metavar="PLAYER",
    help="random, greedy, search (with --open) or sampling; one a seat  [default: greedy]",
)
@click.option("--seat", default=0, show_default=True, help="Where you sit.")
@click.option("--open", "open_hands", is_flag=True, help="Play with open hands.")
@click.option(
    "--think", type=click.FloatRange(0, min_open=True), default=1.0, show_default=True,
    metavar="SECONDS", help="For each option of search and sampling.",
)  # fmt: skip
@click.option(
    "--save",
    "path",
    metavar="FILE",
    type=click.Path(),
    help="Keep the game in this file as it goes on.",
)
@click.option("--resume", metavar="FILE", type=click.Path(), help="Go on with a saved game.")
@SEED
@SET
def play(
    *,
    against: tuple[str, ...],
    seat: int,
    open_hands: bool,
    think: float,
    path: str | None,
    resume: str | None,
    seed: int,
    settings: tuple[str, ...],
) -> None:
    """Play against computers.

    \b
    Example:  deduce propre play
              deduce propre play --against sampling --save evening.jsonl
              deduce propre play --resume evening.jsonl

    Your cards that may be played stand in brackets. Type an option (2h, ace AC h, none), or: ? for
    all of them, why 7D, hint, unseen, undo, save FILE, quit. Lines may come through a pipe.
    """  # noqa: D301
    from games.propre.playing import HELP, Table
    from games.propre.session import Session

    random = Random(seed)
    if resume is not None:
        if settings:
            raise click.UsageError("--resume brings its own set-up; leave out --set")
        text, source = read_text(resume)
        session = Session.parse(text, source)
        path = path or (None if resume == "-" else resume)
    else:
        rules = set_up(settings, players=max(2, len(against) + 1))
        if rules.endless:
            raise click.UsageError("with an endless deck there is no deal to play")
        session = Session.dealt(rules, random)
    table = Table(
        session,
        _seated(session.rules, against, seat, open_hands=open_hands),
        random,
        think,
        open_hands,
        _writer(path),
    )
    shown = sys.stdin.isatty()
    if shown:
        click.echo(f"You sit at seat {seat}. {HELP}")
    try:
        table.run(lambda prompt: _line(prompt if shown else ""), click.echo)
    except KeyboardInterrupt:
        click.echo()
    if path:
        _writer(path)(table.session.text())
        click.echo(f"the game is in {path}; go on with --resume {path}", err=True)


def _seated(rules: Rules, against: Sequence[str], seat: int, *, open_hands: bool) -> list[Any]:
    """Return the computer of each seat, ``None`` for the person's."""
    from games.propre.players import find_player

    names = list(against) or ["greedy"]
    try:
        if not 0 <= seat < rules.players:
            raise BadInput(f"seats are 0 to {rules.players - 1}, not {seat}")
        if "search" in names and not open_hands:
            raise BadInput("the player 'search' needs open hands: add --open")
        if len(names) > rules.players - 1:
            raise BadInput(f"{rules.players - 1} opponents sit at the table, not {len(names)}")
        players = [find_player(name) for name in names]
    except BadInput as error:
        raise click.UsageError(str(error)) from error
    players += players[-1:] * (rules.players - 1 - len(players))
    return [*players[:seat], None, *players[seat:]]


def _writer(path: str | None) -> Callable[[str], None]:
    return (lambda text: None) if path is None else partial(replace_file, Path(path))


def _line(prompt: str) -> str:
    if prompt:
        click.echo(prompt, nl=False, err=True)
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        raise BadInput("not text in UTF-8", source="<stdin>") from None
    if not line:
        raise EOFError
    return line
