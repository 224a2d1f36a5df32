"""The command ``play``: a person against programs, or programs alone, in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import SystemRandom

import click
from attrs import evolve
from click.core import ParameterSource

from deduce.budget import STANDARD, Budget
from deduce.commands.ask import options
from deduce.commands.dialogue import on_terminal, run
from deduce.commands.numbers import MAX_SAMPLES, Seconds, Whole
from deduce.commands.output import end_with, print_part
from deduce.errors import BadInput, Undecided
from deduce.exits import EXIT_UNREADABLE
from deduce.locks import locked
from deduce.show.table import Table
from games.cluedo import Cluedo
from games.cluedo.assistant.commands import set_up
from games.cluedo.decks import DECKS
from games.cluedo.play.cli import ROOMS_OPTION, SET_UP_FILE, TURNS_OPTION, read_setup
from games.cluedo.play.console import PlayDialogue, WatchDialogue
from games.cluedo.play.evening import Evening, Sitting, save_path
from games.cluedo.play.table import MAX_PLAYERS

__all__ = ["play"]

NAMES = ("Ann", "Ben", "Cid", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan")
"""The names of players who are only counted; the first is the person."""
AT_ANY_TIME = {"log", "shown", "engine", "time_limit", "bots"}
"""The parameters that a game that is resumed may have; of its programs, only those it names."""


@click.command()
@click.argument("log", metavar="[LOG]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--players", metavar="NAMES", default="6", show_default=True,
    help="A number from 2 to 10, or names in seat order, with hand sizes if you like: "
    "'Ann 9, Ben 9'.",
)  # fmt: skip
@click.option("--me", metavar="PLAYER", help="Which of them you are; left out: the first.")
@click.option(
    "--bots", metavar="PLAYERS", default="seed", show_default=True,
    help="The programs, as `deduce cluedo players` lists them: one for all, or one for each "
    "other seat, 'best, seed'.",
)  # fmt: skip
@click.option("--watch", is_flag=True, help="Only programs play; all cards are open.")
@click.option("--deck", metavar="NAME", help=f"One of {', '.join(DECKS)}; left out: classic.")
@click.option(
    "--category", multiple=True, metavar="CARDS",
    help="A category of your own deck: 'suspect: Plum, ...'.",
)  # fmt: skip
@click.option("--face-up", metavar="CARDS", help="Cards that lie open on the table.")
@click.option("--undealt", metavar="NUMBER", help="How many cards are not dealt.")
@SET_UP_FILE
@ROOMS_OPTION
@TURNS_OPTION
@click.option(
    "--deals", type=Whole(1, MAX_SAMPLES), metavar="N",
    help="Limit the programs' thinking: how many deals each may consider in a decision.",
)  # fmt: skip
@click.option("--seed", type=Whole(), help="The same seed, the same cards. [default: at random]")
@click.option(
    "--sheet", "shown", type=click.Choice(["auto", "always", "never"]), default="auto",
    help="Your sheet, whenever you are asked (auto: on a terminal).",
)  # fmt: skip
@click.option(
    "--time-limit", type=Seconds(), metavar="SECONDS",
    help="For your sheet and each hint.",
)  # fmt: skip
def play(
    log: Path | None,
    *,
    players: str,
    me: str | None,
    bots: str,
    watch: bool,
    setup: str | None,
    rooms: str,
    turns: int,
    deals: int | None,
    seed: int | None,
    shown: str,
    engine: str,
    time_limit: float | None,
    category: tuple[str, ...],
    **answers: str | None,
) -> None:
    """Play against programs, or watch them play.

    \b
    Example:  deduce cluedo play
              deduce cluedo play evening.cluedo --players 4 --bots best
              deduce cluedo play --deck seed --rooms circle --seed 7
              deduce cluedo play --watch --bots 'best, information, seed'

    You suggest as in a log (plum rope hall), choose the card to show when you have several, and may
    accuse after each of your suggestions. You see only what your seat may see. The line "help"
    lists what else can be typed: hint, sheet, why, ... Lines may come through a pipe.

    With LOG, the log of what you have seen is written there, and every command reads it. Beside it
    is LOG.save with the hidden cards, encoded so that you do not read them by accident; the same
    command continues the game.

    Exit codes: 0 the game has ended or can be continued, 3 a file or a line is unreadable.
    """  # noqa: D301 (click reads the backspace)
    context = click.get_current_context()
    programs = [name.strip() for name in bots.split(",") if name.strip()]
    if any(":" in name for name in programs):
        sys.path.insert(0, os.getcwd())  # where another person's player is most likely to be
    if log is not None:
        context.with_resource(locked(log))
    if log is not None and (log.exists() or save_path(log).exists()):
        _refuse_setup(context, log)
        evening = Evening.resume(log, programs)
    else:
        given = {name: answer for name, answer in answers.items() if answer is not None}
        game = _game(context, players, me, setup, given, category, watch=watch)
        number = SystemRandom().getrandbits(32) if seed is None else seed
        seats = _programs(game, programs)
        evening = _new(game, seats, number, rooms, turns, deals, log)
    budget = STANDARD if time_limit is None else Budget(None, time_limit)
    end_with(_lead(evening, shown, {"engine": engine, "budget": budget}))


play.params += [option for option in options() if option.name == "engine"]


def _refuse_setup(context: click.Context, log: Path) -> None:
    """Refuse options that set up a game if there is one already."""
    if not save_path(log).exists():
        raise BadInput(
            f"there is such a log already, without a save file; `deduce cluedo track {log}` "
            "continues a log, and another name begins a new game",
            source=str(log),
        )
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is ParameterSource.COMMANDLINE and name not in AT_ANY_TIME:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(
                f"{log} is continued; it has its own set-up, so leave out {option}"
            )


def _game(
    context: click.Context,
    players: str,
    me: str | None,
    setup: str | None,
    given: dict[str, str],
    category: tuple[str, ...],
    *,
    watch: bool,
) -> Cluedo:
    """Return the set-up that the options describe, with the person as its ``me``."""
    named = context.get_parameter_source("players") is ParameterSource.COMMANDLINE
    if watch and me is not None:
        raise click.UsageError("with --watch no person plays: leave out --me")
    if setup is not None:
        if given or category or (named and players.isdecimal()):
            raise click.UsageError("--setup has the deck and the players; leave out the others")
        game = read_setup(setup)
        if named:
            game = evolve(game, players=set_up({"players": players}, ()).players, me=None)
    else:
        if players.isdecimal():
            players = ", ".join(_names(int(players)))
        game = set_up({**given, "players": players}, category).game()
    if len(game.players) > MAX_PLAYERS:
        raise click.UsageError(f"a game has 2 to {MAX_PLAYERS} players, not {len(game.players)}")
    if watch:
        return evolve(game, me=None)
    try:
        return evolve(game, me=me or game.me or game.players[0])
    except BadInput as error:
        raise click.BadParameter(error.message, param_hint="'--me'") from None


def _names(count: int) -> Iterable[str]:
    if not 2 <= count <= MAX_PLAYERS:
        raise click.UsageError(f"a game has 2 to {MAX_PLAYERS} players, not {count}")
    return NAMES[:count]


def _programs(game: Cluedo, programs: list[str]) -> dict[str, str]:
    """Return the program at each seat but the person's."""
    seats = [name for name in game.players if name != game.me]
    if len(programs) == 1:
        programs *= len(seats)
    if len(programs) != len(seats):
        message = f"{len(programs)} programs for {len(seats)} seats; name one, or one for each"
        raise click.BadParameter(message, param_hint="'--bots'")
    return dict(zip(seats, programs, strict=True))


def _new(
    game: Cluedo,
    bots: dict[str, str],
    seed: int,
    rooms: str,
    turns: int,
    deals: int | None,
    log: Path | None,
) -> Evening:
    try:
        sitting = Sitting.new(game, bots, seed, rooms=rooms, turns=turns, deals=deals)
    except BadInput as error:
        raise click.UsageError(error.message) from None
    evening = Evening(sitting, log)
    evening.save()
    return evening


def _lead(evening: Evening, shown: str, knowing: dict[str, object]) -> int:
    """Lead the dialogue; return the exit code."""
    by_hand = on_terminal()
    follow = shown == "always" or (shown == "auto" and by_hand)
    dialogue: PlayDialogue | WatchDialogue
    if evening.me is None:
        dialogue = WatchDialogue(evening, knowing)
        _print(dialogue.opening())
        if not by_hand:
            _print(dialogue.run())
            return 0
    else:
        dialogue = PlayDialogue(evening, follow, knowing)
        _print(dialogue.opening())
    unreadable = 0
    with suppress(KeyboardInterrupt):
        unreadable = run(dialogue)
    if evening.question is not None and evening.path is not None:
        click.echo(f"saved; continue with: deduce cluedo play {evening.path}", err=True)
    return EXIT_UNREADABLE if unreadable and not by_hand else 0


def _print(parts: Iterable[str | Table]) -> None:
    try:
        for part in parts:
            print_part(part)
    except Undecided as error:
        click.echo(f"undecided: {error}", err=True)
