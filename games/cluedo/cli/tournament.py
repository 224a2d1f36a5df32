"""The commands ``tournament`` and ``players``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import nullcontext
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deduce.cli.complete import offering
from deduce.cli.endings import EXIT_INTERRUPTED
from deduce.cli.numbers import MAX_GAMES, jobs_option, whole_option
from deduce.cli.output import end_with, file_option, json_option, print_answer, usage
from deduce.problem import rate_of
from deduce.system.text import pick, plural
from games.cluedo.setup import DECKS

if TYPE_CHECKING:
    from deduce.show.table import Table
    from games.cluedo import Cluedo
    from games.cluedo.players.tournament import Score, Standing, Tournament

__all__ = ["players", "tournament"]


ROOMS = ("any", "circle")

SET_UP_FILE = click.option(
    "--setup", type=click.Path(), metavar="FILE",
    help="Deck and house rules from the set-up of this log, such as `deduce cluedo new` writes.",
)  # fmt: skip
ROOMS_OPTION = click.option(
    "--rooms", type=click.Choice(ROOMS), default="any", show_default=True,
    help="Which rooms can be reached: all, or those near on a circle, by the roll of a die.",
)  # fmt: skip
TURNS_OPTION = whole_option(
    "--turns",
    low=1,
    default=400,
    help="Give up a game after this number of turns of all players together.",
)


def _players() -> Iterable[str]:
    from games.cluedo.players.tournament import PLAYERS

    return PLAYERS


@click.command()
@click.argument(
    "names", nargs=-1, required=True, metavar="PLAYER...", shell_complete=offering(_players)
)
@whole_option("--games", low=1, high=MAX_GAMES, default=100, help="The number of games.")
@whole_option("--seed", default=0, help="The same seed repeats the whole tournament.")
@jobs_option("The number of processes; more than 1 needs the extra 'parallel'.")
@click.option(
    "--backend", type=click.Choice(["processes", "dask"]), default="processes", show_default=True,
    help="Processes on this machine, or the workers of a Dask cluster (the extra 'cluster').",
)  # fmt: skip
@click.option(
    "--scheduler", metavar="ADDRESS", help="The scheduler of the cluster: tcp://HOST:PORT."
)
@click.option("--deck", metavar="NAME", help=f"One of {', '.join(DECKS)}; left out: classic.")
@SET_UP_FILE
@ROOMS_OPTION
@TURNS_OPTION
@click.option(
    "--slips", default="0", show_default=True, metavar="RATE",
    help="How often an answer is wrong, such as 0.01: overlooked, or noted wrongly.",
)  # fmt: skip
@file_option("--out", help="Save the results in FILE; the same command continues where it stopped.")
@click.option(
    "--logs", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
    help="Write the log of every game into this folder.",
)  # fmt: skip
@click.option(
    "--check", is_flag=True,
    help="Follow every player's exact knowledge, and compare it with the deal after every event.",
)  # fmt: skip
@json_option
def tournament(
    names: tuple[str, ...],
    *,
    games: int,
    seed: int,
    jobs: int,
    backend: str,
    scheduler: str | None,
    deck: str | None,
    setup: str | None,
    rooms: str,
    turns: int,
    slips: str,
    out: Path | None,
    logs: Path | None,
    check: bool,
    as_json: bool,
) -> None:
    """Let programs play whole games against each other.

    \b
    Example:  deduce cluedo tournament information random not-placed --games 200
              deduce cluedo tournament best information --jobs 2 --out duel.jsonl

    A PLAYER is a name that 'deduce cluedo players' lists, or module:attribute; name 2 to 10
    players, one for each seat. The seats change from game to game. Each game depends only on --seed
    and its number, wherever it is played. Ctrl-C prints the table of the games so far (exit code
    130).
    """  # noqa: D301 (click reads the backspace)
    if (backend == "dask") != (scheduler is not None):
        raise click.UsageError("--backend dask and --scheduler ADDRESS need each other")
    with usage("--slips"):
        rate = rate_of(slips)
    if rate and check:
        raise click.UsageError(
            "--check compares with the deal, which wrong answers contradict; leave out --slips"
        )
    from deduce.batch.results import ResultsFile
    from deduce.cli.output import take_all
    from games.cluedo.players.tournament import GameResult, Standing, Tournament, play_tournament

    with usage():
        played = Tournament(
            names, seed=seed, rooms=rooms, turns=turns, setup=_house_rules(deck, setup), slips=rate
        )
    standing = Standing(played)

    def take(result: GameResult) -> str:
        standing.add(result)
        best = max(standing.scores.values(), key=lambda score: score.wins)
        return f"{best.name} {best.wins / standing.games:.0%}"

    with nullcontext() if out is None else ResultsFile(out, played.header(), number="game") as file:
        if file is not None and file.healed:
            click.echo(f"{out}: an incomplete last line was removed", err=True)
        results = play_tournament(
            played, games, jobs=jobs, scheduler=scheduler, results=file, logs=logs, check=check
        )
        is_whole = take_all(results, "games", games, take)
    if not is_whole:
        click.echo(f"stopped after {standing.games} of {plural(games, 'game')}", err=True)
    print_answer(_json(standing, games), [_table(standing)], as_json=as_json)
    if not is_whole:
        end_with(EXIT_INTERRUPTED)


def _house_rules(deck: str | None, path: str | None) -> Cluedo | None:
    """Return the set-up that the options name; its players do not count."""
    from games.cluedo import Cluedo

    if deck is None:
        return None if path is None else read_setup(path)
    if path is not None:
        raise click.UsageError("--deck and --setup exclude each other; leave one out")
    return Cluedo(("Ann", "Ben"), DECKS[pick(DECKS.current(deck), DECKS, "deck")])


def read_setup(path: str) -> Cluedo:
    """Return the set-up of a log; its events do not matter.

    Raises
    ------
    BadInput
        The log cannot be read.
    """
    from deduce.logs.events import read_log
    from deduce.system.files import read_text
    from games.cluedo import Cluedo

    text, source = read_text(path)
    game: Cluedo = read_log(text, Cluedo, source=source).game
    return game


@click.command()
def players() -> None:
    """List the players of tournaments.

    \b
    Example:  deduce cluedo players

    Your own players are named module:attribute: a class or function that takes a seat.
    """  # noqa: D301 (click reads the backspace)
    from games.cluedo.players.simple import WAYS_TO_SHOW
    from games.cluedo.players.tournament import PLAYERS

    for name, (_, summary) in PLAYERS.items():
        click.echo(f"{name:<12}  {summary}")
    ways = ", ".join(f"+{way}" for way in WAYS_TO_SHOW)
    click.echo(
        f"random, not-placed and most-no can be given a way to show: {ways} (most-no+least-shown)"
    )


def _ordered(standing: Standing) -> list[Score]:
    return sorted(standing.scores.values(), key=lambda score: -score.wins / score.seats)


def _table(standing: Standing) -> Table:
    from deduce.show.table import Table

    rows = []
    for score in _ordered(standing):
        low, high = standing.interval(score)
        median = _quantile(score.turns, 0.5)
        rows.append(
            (
                score.name,
                str(score.seats),
                str(score.wins),
                f"{score.wins / max(1, standing.games):.1%}",
                f"{low:.1%} to {high:.1%}",
                "-" if median is None else str(median),
                str(score.wrong),
                f"{1000 * score.cpu / max(1, score.decisions):.2f} ms",
            )
        )
    head = ("player", "seats", "won", "share", "95 %", "turns to win", "wrong", "CPU a decision")
    return Table(head, rows, notes=tuple(_notes(standing)))


def _notes(standing: Standing) -> list[str]:
    turns = standing.turns()
    notes = [f"{plural(standing.games, 'game')}, {turns.total()} solved"]
    if turns:
        low, middle, high = (_quantile(turns, share) for share in (0.05, 0.5, 0.95))
        notes[0] += f" after {middle} turns (9 of 10 games: {low} to {high})"
    for end, count in standing.ends.items():
        if end != "solved":
            notes.append(f"{count} ended unsolved: {end}")
    return notes


def _quantile(turns: Counter[int], share: float) -> int | None:
    """Return the least number of turns that this share of the games does not exceed."""
    ordered = sorted(turns.elements())
    return ordered[ceil(share * len(ordered)) - 1] if ordered else None


def _json(standing: Standing, asked: int) -> dict[str, object]:
    played: Tournament = standing.tournament
    turns = standing.turns()
    return {
        "schema": "deduce/cluedo-tournament/1",
        "seed": played.seed,
        "rooms": played.rooms,
        "turn_limit": played.turns,
        "slips": str(played.slips),
        "asked": asked,
        "games": standing.games,
        "ends": dict(sorted(standing.ends.items())),
        "turns": {str(share): _quantile(turns, share) for share in (0.05, 0.5, 0.95)},
        "players": [
            {
                "name": score.name,
                "seats": score.seats,
                "wins": score.wins,
                "share": round(score.wins / max(1, standing.games), 4),
                "interval": [round(end, 4) for end in standing.interval(score)],
                "turns_to_win": _quantile(score.turns, 0.5),
                "wrong_accusations": score.wrong,
                "decisions": score.decisions,
                "cpu_ms_per_decision": round(1000 * score.cpu / max(1, score.decisions), 3),
                "cpu_ms_slowest": round(1000 * score.slowest, 1),
            }
            for score in _ordered(standing)
        ],
    }
