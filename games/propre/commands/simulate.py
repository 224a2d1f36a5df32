"""The command ``simulate``: computers against each other."""

from __future__ import annotations

import click
from attrs import asdict

from deduce.commands.complete import offering
from deduce.commands.numbers import MAX_GAMES, Whole
from deduce.commands.output import end_undecided, json_option, print_answer, progress_bar
from deduce.errors import Interrupted
from deduce.show.table import Table
from deduce.text import plural
from games.propre.commands.arguments import (
    OPEN,
    SEED,
    SET,
    SETTINGS,
    make_rules,
    require_computers,
    think_option,
)
from games.propre.players import PLAYERS
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
    "--games", type=Whole(1, MAX_GAMES), default=100, show_default=True, help="How many games."
)
@OPEN
@think_option(default=0.2)
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
    require_computers(rules, names, open_hands=open_hands)
    if rules.players != len(names):
        named = plural(len(names), "player")
        raise click.UsageError(f"{named} named, but players={rules.players}")
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
