"""The command ``simulate``: computers against each other."""

from __future__ import annotations

import click
from attrs import asdict

from deduce.commands.output import end_undecided, json_option, print_answer
from deduce.commands.progress_bar import progress_bar
from deduce.completion import offering
from deduce.errors import BadInput, Interrupted
from deduce.show.table import Table
from deduce.text import plural
from games.propre.commands.arguments import SEED, SET, SETTINGS, make_rules
from games.propre.players import PLAYERS, find_player
from games.propre.simulate import Tally, tally
from games.propre.simulate import simulate as simulate_games

__all__ = ["simulate"]


@click.command(epilog=SETTINGS)
@click.argument(
    "names",
    nargs=-1,
    required=True,
    metavar="PLAYER...",
    shell_complete=offering(lambda: PLAYERS),
)
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="How many games."
)
@click.option("--open", "open_hands", is_flag=True, help="Play with open hands.")
@click.option(
    "--think",
    type=click.FloatRange(0, min_open=True),
    default=0.2,
    show_default=True,
    metavar="SECONDS",
    help="The time for each option of search and sampling.",
)
@SEED
@SET
@json_option
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

    A PLAYER is random, greedy, search (open hands only) or sampling; name one for each seat, 2 to
    5. The players change seats after each game. Ctrl-C shows the table of the games so far.
    """  # noqa: D301
    rules = make_rules(settings, players=len(names))
    try:
        for name in names:
            find_player(name)
        if "search" in names and not open_hands:
            raise BadInput("the player 'search' needs open hands: add --open")
        if rules.players != len(names):
            raise BadInput(f"{plural(len(names), 'player')} named, but players={rules.players}")
        if rules.endless:
            raise BadInput("games with an endless deck cannot be simulated")
    except BadInput as error:
        raise click.UsageError(str(error)) from error
    outcomes = []
    interrupted = None
    try:
        with progress_bar("games", games) as advance:
            for outcome in simulate_games(
                rules, names, games=games, seed=seed, open_hands=open_hands, seconds=think
            ):
                outcomes.append(outcome)
                advance(len(outcomes))
    except KeyboardInterrupt:
        interrupted = Interrupted(f"interrupted after {len(outcomes)} of {plural(games, 'game')}")
    totals = tally(names, outcomes)
    document = {"schema": "deduce/propre-simulation/1", **asdict(totals)}
    print_answer(document, [_table(totals)], as_json=as_json)
    end_undecided(interrupted)


def _table(totals: Tally) -> Table:
    rows = [
        [f"{number} {name}", str(wins), f"{wins / max(1, totals.games):.0%}"]
        for number, (name, wins) in enumerate(zip(totals.names, totals.wins, strict=True), 1)
    ]
    decisions = plural(totals.median_decisions, "decision")
    notes = [f"{plural(totals.games, 'game')}, median {decisions}"]
    if totals.given_up:
        notes.append(f"{totals.given_up} given up because they did not end")
    return Table(("player", "won", "share"), rows, notes=tuple(notes))
