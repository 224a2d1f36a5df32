r"""The commands ``deduce pigs ...``.

Help texts hold ``\b``, click's mark for lines that are not to be wrapped, so they are not raw.
"""

from __future__ import annotations

import sys
from random import Random

import click

from deduce.errors import Undecided
from deduce.events import read_text
from games.pigs.cli_base import json_option, print_json, usage
from games.pigs.cli_logs import infer_command, timeline_command, why_command
from games.pigs.contest import format_deal, format_outcome, parse_deal
from games.pigs.data import (
    deal_to_json,
    outcome_to_json,
    puzzle_to_json,
)
from games.pigs.deals import random_deal
from games.pigs.log import Log, public_log
from games.pigs.logtext import (
    format_log,
    log_to_json,
    parse_weights,
)
from games.pigs.puzzle import EFFORT, make_puzzle
from games.pigs.show import (
    format_trace,
)
from games.pigs.simulate import TURN_LIMIT, Deal, simulate

__all__ = ["pigs"]

limit_option = click.option(
    "--limit",
    default=TURN_LIMIT,
    show_default=True,
    type=click.IntRange(min=1),
    metavar="TURNS",
    help="Stop games that do not end.",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def pigs() -> None:
    """Pig-slaying (SDOI2010): simulate games, infer hidden roles from public logs.

    \b
    Example:  deduce pigs deal --seed 1 | deduce pigs log | deduce pigs infer
              deduce pigs why 3=ZP game.pigs

    Files may be '-' for standard input, which is also the default.
    Exit codes: 0 yes, 1 no, 2 wrong usage, 3 unreadable input, 4 undecided.
    """  # noqa: D301


def _read_deal(file: str) -> Deal:
    text, name = read_text(file)
    return parse_deal(text, source=name)


@pigs.command("simulate")
@click.argument("file", default="-", metavar="[FILE]", type=click.Path())
@click.option("--trace", is_flag=True, help="Print every event instead of the outcome.")
@json_option
@limit_option
def simulate_command(file: str, *, trace: bool, as_json: bool, limit: int) -> None:
    """Play a game out and print its outcome as the contest wants it.

    \b
    Example:  deduce pigs simulate game.txt
              deduce pigs deal --players 4 --seed 7 | deduce pigs simulate --trace

    FILE is 'n m', then for each seat its role (MP, ZP, FP) and four cards, then the m cards of the
    pile. The cards are P peach, K slash, D dodge, F duel, N invasion, W volley, J nullify and Z
    crossbow. Exit code 4 if nobody has won within the limit.
    """  # noqa: D301
    outcome = simulate(_read_deal(file), limit=limit, trace=trace or as_json)
    if as_json:
        print_json(outcome_to_json(outcome))
    else:
        text = format_trace(outcome.trace) if trace else format_outcome(outcome)
        click.echo(text, nl=False)
    if outcome.winner is None:
        raise Undecided(f"nobody has won after {outcome.turns} turns (--limit)")


@pigs.command("deal")
@click.option("--players", "-n", default=5, show_default=True, help="Seats, 2 to 10.")
@click.option("--rebels", type=int, help="Rebels among them; without: any number from 1.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same deal.")
@click.option("--pile", default=200, show_default=True, help="Cards in the pile, 1 to 2000.")
@click.option("--weight", multiple=True, metavar="CARD=N", help="Make a card more or less likely.")
@json_option
def deal_command(
    players: int,
    rebels: int | None,
    seed: int,
    pile: int,
    weight: tuple[str, ...],
    *,
    as_json: bool,
) -> None:
    """Print a random deal in the contest's format.

    \b
    Example:  deduce pigs deal --players 6 --rebels 2 --seed 3
              deduce pigs deal --weight K=14 --weight D=8 --weight P=4
    """  # noqa: D301
    with usage():
        deal = random_deal(
            players, rebels=rebels, pile=pile, weights=parse_weights(weight), rng=Random(seed)
        )
    if as_json:
        print_json(deal_to_json(deal))
    else:
        click.echo(format_deal(deal), nl=False)


@pigs.command("log")
@click.argument("file", default="-", metavar="[GAME]", type=click.Path())
@click.option("--turns", type=click.IntRange(min=0), help="Only the first turns of the game.")
@click.option("--tell-rebels", is_flag=True, help="The table tells the number of rebels.")
@click.option("--show-discards", is_flag=True, help="Lost cards are shown.")
@json_option
@limit_option
def log_command(
    file: str,
    *,
    turns: int | None,
    tell_rebels: bool,
    show_discards: bool,
    as_json: bool,
    limit: int,
) -> None:
    """Play a game out and print what everybody at the table saw.

    \b
    Example:  deduce pigs log game.txt
              deduce pigs log game.txt --turns 3 --tell-rebels | deduce pigs infer

    GAME is a file in the contest's format, as `deduce pigs deal` prints it, or - for standard
    input. Exit code 4 if nobody has won within the limit.
    """  # noqa: D301
    deal = _read_deal(file)
    outcome = simulate(deal, limit=limit if turns is None else min(turns, limit), trace=True)
    log = public_log(
        outcome.trace,
        deal.players,
        rebels=deal.roles.count("FP") if tell_rebels else None,
        discards_shown=show_discards,
    )
    if as_json:
        print_json(log_to_json(log))
    else:
        click.echo(format_log(log), nl=False)
    if outcome.winner is None and turns is None:
        raise Undecided(f"nobody has won after {outcome.turns} turns (--limit)")


@pigs.command("puzzle")
@click.option("--players", "-n", default=4, show_default=True, help="Seats, 3 to 10.")
@click.option("--rebels", type=int, help="So many rebels, and the puzzle tells it.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same puzzle.")
@click.option("--effort", default=EFFORT, show_default=True, help="Deals to try; more: shorter.")
@json_option
def puzzle_command(
    *, players: int, rebels: int | None, seed: int, effort: int, as_json: bool
) -> None:
    """Make a short log from which all roles follow, though not all have declared.

    \b
    Example:  deduce pigs puzzle --players 4 --seed 1
              deduce pigs puzzle --players 5 --seed 2 | grep -v '^#'

    The solution follows as comments, so that the output is a log. Ctrl-C stops the search and
    prints the best puzzle found so far.
    """  # noqa: D301

    def progress(tried: int, log: Log) -> None:
        if sys.stderr.isatty():
            click.echo(f"after {tried} deals: {len(log.events)} events", err=True)

    with usage():
        puzzle = make_puzzle(players, seed=seed, rebels=rebels, effort=effort, progress=progress)
    if as_json:
        print_json(puzzle_to_json(puzzle))
        return
    click.echo("# Who is who? Everybody keeps to the policy; seat 1 is the Master.")
    click.echo(format_log(puzzle.log))
    click.echo(f"# Solution: {' '.join(puzzle.roles)}")
    for answer in puzzle.reasons:
        click.echo(f"# Seat {answer.seat} is {answer.role}:")
        for reason in answer.reasons:
            click.echo(f"#   {reason.sentence}")


for command in (infer_command, why_command, timeline_command):
    pigs.add_command(command)
