r"""The commands that play games: ``simulate``, ``deal``, ``log`` and ``puzzle``.

Help texts contain ``\b``, click's mark for lines that must not be wrapped, so they are not raw.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random

import click
from attrs import evolve

from deduce.cli.numbers import Choice, whole_option
from deduce.cli.output import (
    file_option,
    json_option,
    print_answer,
    print_json,
    progress_bar,
    usage,
)
from deduce.errors import Interrupted, Undecided
from deduce.logs.events import Log
from deduce.show.jsonable import record_json
from deduce.steps import puzzle_page
from deduce.system.files import read_text, replace_file
from deduce.system.text import plural, visible
from games.pigs.cli.logs import proof_to_json
from games.pigs.events import Draw, Event, Suspect, public_events
from games.pigs.game import Pigs
from games.pigs.notation import event_to_json, format_log, log_to_json, parse_weights
from games.pigs.puzzle import EFFORT, Puzzle, graded, make_graded_puzzle, make_puzzle
from games.pigs.setup import REBEL, RULE_SETS, Deal, RuleSet, format_deal, parse_deal, random_deal
from games.pigs.show import format_trace
from games.pigs.simulation import TURN_LIMIT, Outcome, format_outcome, simulate

__all__ = ["deal_command", "log_command", "puzzle_command", "simulate_command"]

limit_option = whole_option(
    "--limit", low=1, default=TURN_LIMIT, metavar="TURNS", help="Stop games that do not end."
)


rules_option = click.option(
    "--rules",
    "rule_set",
    type=Choice(RULE_SETS),
    default="contest",
    show_default=True,
    help="The contest's rules, or the original text read literally.",
)


def _read_deal(file: str) -> Deal:
    text, name = read_text(file)
    return parse_deal(
        text, source=name, warn=lambda message: click.echo(visible(f"warning: {message}"), err=True)
    )


@click.command("simulate")
@click.argument("file", default="-", metavar="[FILE]", type=click.Path())
@click.option("--trace", is_flag=True, help="Print every event instead of the outcome.")
@rules_option
@json_option
@limit_option
def simulate_command(
    file: str, *, trace: bool, rule_set: RuleSet, as_json: bool, limit: int
) -> None:
    """Play a game and print its outcome in the contest's format.

    \b
    Example:  deduce pigs simulate game.txt
              deduce pigs deal --players 4 --seed 7 | deduce pigs simulate --trace

    FILE is 'n m', then for each seat its role (MP, ZP, FP) and four cards, then the m cards of the
    pile. The cards are P peach, K slash, D dodge, F duel, N invasion, W volley, J nullify and Z
    crossbow. Cards after the m-th are ignored, with a warning. Exit code 4 if no side has won
    within the limit.
    """  # noqa: D301
    outcome = simulate(_read_deal(file), limit=limit, trace=trace or as_json, rule_set=rule_set)
    text = format_trace(outcome.trace) if trace else format_outcome(outcome)
    print_answer(outcome_to_json(outcome), [text.removesuffix("\n")], as_json=as_json)
    if outcome.winner is None:
        raise _not_won(outcome)


@click.command("deal")
@whole_option("--players", "-n", default=5, help="Number of seats, 2 to 10.")
@whole_option("--rebels", help="Number of rebels.  [default: random]")
@whole_option("--seed", default=0, help="The same seed gives the same deal.")
@whole_option("--pile", low=0, default=200, help="Cards in the pile, 1 to 2000.")
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
    print_answer(deal_to_json(deal), [format_deal(deal).removesuffix("\n")], as_json=as_json)


@click.command("log")
@click.argument("file", default="-", metavar="[GAME]", type=click.Path())
@whole_option("--turns", low=0, help="Only the first turns of the game.")
@click.option("--tell-rebels", is_flag=True, help="The log states the number of rebels.")
@click.option("--show-discards", is_flag=True, help="The log shows lost cards.")
@rules_option
@json_option
@limit_option
def log_command(
    file: str,
    *,
    turns: int | None,
    tell_rebels: bool,
    show_discards: bool,
    rule_set: RuleSet,
    as_json: bool,
    limit: int,
) -> None:
    """Play a game and print its public log: what every seat saw.

    \b
    Example:  deduce pigs log game.txt
              deduce pigs log game.txt --turns 3 --tell-rebels | deduce pigs infer

    GAME is a file in the contest's format, as `deduce pigs deal` prints it, or - for standard
    input. Exit code 4 if no side has won within the limit.
    """  # noqa: D301
    deal = _read_deal(file)
    limit = limit if turns is None else min(turns, limit)
    outcome = simulate(deal, limit=limit, trace=True, rule_set=rule_set)
    rebels = deal.roles.count(REBEL) if tell_rebels else None
    game = Pigs(
        deal.seats,
        rebels=rebels,
        discards_shown=show_discards,
        rule_set=rule_set,
        pile=len(deal.pile) if rule_set == "literal" else None,
    )
    events = public_events(outcome.trace, discards_shown=show_discards, rule_set=rule_set)
    text = format_log(game, events).removesuffix("\n")
    print_answer(log_to_json(Log(game, events)), [text], as_json=as_json)
    if outcome.winner is None and turns is None:
        raise _not_won(outcome)


@click.command("puzzle")
@whole_option("--players", "-n", default=4, help="Number of seats, 3 to 10.")
@whole_option("--rebels", help="Number of rebels, which the puzzle then states.")
@whole_option("--seed", default=0, help="The same seed gives the same puzzle.")
@whole_option(
    "--effort", low=1, default=EFFORT, help="Number of deals to try; more make shorter puzzles."
)
@whole_option(
    "--grade",
    low=1,
    high=5,
    help="How hard, from 1 to 5: see 'deduce cluedo puzzle --help'.  [default: any]",
)
@file_option(
    "--print",
    "page",
    help="Write one sheet for print (HTML), with the solution and its steps on its back.",
)
@rules_option
@json_option
def puzzle_command(
    *,
    players: int,
    rebels: int | None,
    seed: int,
    effort: int,
    grade: int | None,
    page: Path | None,
    rule_set: RuleSet,
    as_json: bool,
) -> None:
    """Make a short log from which all roles follow although some seats have not declared.

    \b
    Example:  deduce pigs puzzle --players 4 --seed 1
              deduce pigs puzzle --players 5 --seed 2 | grep -v '^#'
              deduce pigs puzzle --grade 4 --effort 100 --print puzzle.html

    The solution is printed as comments, so that the output is a log. Ctrl-C stops the search and
    prints the best puzzle so far, with exit code 130.
    """  # noqa: D301
    with usage(), progress_bar("deals", effort) as advance:

        def show(tried: int, log: Log | None) -> None:
            advance(tried, "" if log is None else plural(len(log.events), "event"))

        make = make_puzzle if grade is None else partial(make_graded_puzzle, grade=grade)
        puzzle = make(
            players, seed=seed, rebels=rebels, effort=effort, rule_set=rule_set, progress=show
        )
    if page is not None:
        replace_file(page, puzzle_page(graded(puzzle, seed=seed)))
    if as_json:
        print_json(puzzle_to_json(puzzle))
    else:
        click.echo("# Who is who? Every seat follows the policy; seat 1 is the Master.")
        click.echo(format_log(puzzle.log.game, puzzle.log.events))
        click.echo(f"# Solution: {' '.join(puzzle.roles)}")
        for proof in puzzle.proofs:
            click.echo(f"# Seat {proof.seat} is {proof.role}:")
            for reason in proof.reasons:
                click.echo(f"#   {reason.sentence}")
    if puzzle.interrupted:
        raise Interrupted("interrupted; this is the shortest puzzle until then")


def _not_won(outcome: Outcome) -> Undecided:
    return Undecided(f"no side has won after {plural(outcome.turns, 'turn')} (--limit)")


def deal_to_json(deal: Deal) -> dict[str, object]:
    """Return a deal: roles, hands, pile, and the contest's text."""
    return {"schema": "deduce/pigs-deal/1", **record_json(deal), "text": format_deal(deal)}


def outcome_to_json(outcome: Outcome) -> dict[str, object]:
    """Return an outcome with its trace; a dead seat's hand is null."""
    return {
        "schema": "deduce/pigs-game/1",
        **record_json(evolve(outcome, trace=())),
        "trace": [_event(event) for event in outcome.trace],
    }


def _event(event: Event) -> list[int | str]:
    if isinstance(event, Draw):
        return ["draw", event.seat, event.cards]
    if isinstance(event, Suspect):
        return ["suspect", event.seat]
    return event_to_json(event)


def puzzle_to_json(puzzle: Puzzle) -> dict[str, object]:
    """Return a puzzle with its solution."""
    return {
        "schema": "deduce/pigs-puzzle/1",
        "log": log_to_json(puzzle.log),
        "solution": list(puzzle.roles),
        "grade": graded(puzzle, seed=0).grade.level,
        "why": [proof_to_json(proof) for proof in puzzle.proofs],
    }
