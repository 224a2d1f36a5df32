r"""The commands ``deduce pigs ...``.

Help texts hold ``\b``, click's mark for lines that are not to be wrapped, so they are not raw.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any, NoReturn, TypeVar, cast

import attrs
import click

from deduce.errors import BadInput, Contradiction, Undecided
from deduce.events import read_text
from deduce.text import fold
from games.pigs.cards import CARDS, ROLE_NAMES, ROLES, Role
from games.pigs.contest import format_deal, format_outcome, parse_deal
from games.pigs.data import (
    deal_to_json,
    inference_to_json,
    outcome_to_json,
    puzzle_to_json,
    timeline_to_json,
    why_to_json,
)
from games.pigs.deals import random_deal
from games.pigs.follow import follow
from games.pigs.infer import infer
from games.pigs.log import Log, public_log
from games.pigs.logtext import (
    format_log,
    log_to_json,
    parse_log,
    parse_viewpoint,
    parse_weights,
)
from games.pigs.notation import format_event
from games.pigs.puzzle import EFFORT, make_puzzle
from games.pigs.show import (
    format_holdings,
    format_inference,
    format_timeline,
    format_trace,
    percent,
    plot_timeline,
)
from games.pigs.simulate import TURN_LIMIT, Deal, simulate
from games.pigs.timeline import timeline
from games.pigs.why import why, why_impossible

__all__ = ["pigs"]

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
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
    Example:  deduce pigs deal --players 5 --seed 1 | deduce pigs log | deduce pigs infer
              deduce pigs why 3=ZP game.pigs

    Files may be '-' for standard input, which is also the default.
    Exit codes: 0 yes, 1 no, 2 wrong usage, 3 unreadable input, 4 undecided.
    """  # noqa: D301


def _read_deal(file: str) -> Deal:
    text, name = read_text(file)
    return parse_deal(text, source=name)


@contextmanager
def _usage() -> Iterator[None]:
    """Turn what an option's value gets wrong into a mistake of usage (exit code 2)."""
    try:
        yield
    except BadInput as error:
        raise click.UsageError(error.message) from None


def _print_json(data: dict[str, Any]) -> None:
    click.echo(json.dumps(data, ensure_ascii=False))


# From deals to games and logs.


@pigs.command("simulate")
@click.argument("file", default="-", metavar="[FILE]")
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
        _print_json(outcome_to_json(outcome))
    else:
        text = format_trace(outcome.trace) if trace else format_outcome(outcome)
        click.echo(text, nl=False)
    if outcome.winner is None:
        raise Undecided(f"nobody has won after {outcome.turns} turns (--limit)")


@pigs.command("deal")
@click.option("--players", "-n", default=5, show_default=True, help="Seats, 2 to 10.")
@click.option("--rebels", type=int, help="Rebels among them; without: any number from 1.")
@click.option("--seed", default=0, show_default=True, help="The same seed gives the same deal.")
@click.option("--pile", default=200, show_default=True, help="Cards in the pile.")
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
    with _usage():
        deal = random_deal(
            players, rebels=rebels, pile=pile, weights=parse_weights(weight), rng=Random(seed)
        )
    if as_json:
        _print_json(deal_to_json(deal))
    else:
        click.echo(format_deal(deal), nl=False)


@pigs.command("log")
@click.argument("file", default="-", metavar="[GAME]")
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
        _print_json(log_to_json(log))
    else:
        click.echo(format_log(log), nl=False)
    if outcome.winner is None and turns is None:
        raise Undecided(f"nobody has won after {outcome.turns} turns (--limit)")


# From logs to roles.


def log_options(command: F) -> F:
    """Add the argument LOG and the options that say what the reader of the log knows."""

    @wraps(command)
    def read_and_run(
        file: str,
        view: str | None,
        upto: int | None,
        rebels: int | None,
        opened: str | None,
        weight: tuple[str, ...],
        **others: Any,
    ) -> Any:
        text, name = read_text(file)
        log = parse_log(text, source=name)
        with _usage():
            changes: dict[str, Any] = {}
            if view is not None:
                changes["viewpoint"] = parse_viewpoint(view.split(":"))
            if rebels is not None:
                changes["rebels"] = rebels
            if opened is not None:
                changes["open_hands"] = tuple(opened.split(","))
            if weight:
                changes["weights"] = parse_weights(weight)
            log = attrs.evolve(log, **changes)
        if upto is not None:
            _check_upto(log, upto)
            log = log.upto(upto)
        return command(log, **others)

    decorators = [
        click.argument("file", default="-", metavar="[LOG]"),
        click.option(
            "--as",
            "view",
            metavar="SEAT:ROLE:CARDS",
            help="Look as this seat, which knows its role and its cards in the order of drawing.",
        ),
        click.option(
            "--upto", type=click.IntRange(min=0), metavar="N", help="Only the first N events."
        ),
        click.option("--rebels", type=int, help="The number of rebels is known."),
        click.option(
            "--open",
            "opened",
            metavar="CARDS,CARDS,...",
            help="All hands are open: each seat's cards in the order of drawing.",
        ),
        click.option(
            "--weight", multiple=True, metavar="CARD=N", help="Prior weight of a card; else 1."
        ),
    ]
    wrapped: Callable[..., Any] = read_and_run
    for decorate in reversed(decorators):
        wrapped = decorate(wrapped)
    return cast(F, wrapped)


def _check_upto(log: Log, upto: int) -> None:
    if upto > len(log.events):
        raise click.UsageError(f"--upto {upto}: the log has only {len(log.events)} events")
    boundaries = follow(log).boundaries
    if upto not in boundaries:
        before = max(end for end in boundaries if end < upto)
        after = min((end for end in boundaries if end > upto), default=before)
        raise click.UsageError(
            f"--upto {upto} stops inside a turn; turns end after events {before} and {after}"
        )


def _refuse(log: Log, *, as_json: bool) -> NoReturn:
    """Say that the log is impossible, which events clash, and leave with exit code 1."""
    answer = why_impossible(log)
    if as_json:
        _print_json({**why_to_json(answer), "possible": False})
    else:
        numbers = ", ".join(str(number) for number in answer.events)
        click.echo(f"This log is impossible; these events clash: {numbers}.")
        for number in answer.events:
            line = f" (line {log.lines[number - 1]})" if log.lines else ""
            click.echo(f"  {number}{line}: {format_event(log.events[number - 1])}")
        click.echo(str(answer))
    sys.exit(1)


@pigs.command("infer")
@log_options
@click.option("--holds", multiple=True, metavar="SEAT=CARD", help="How likely does it hold one?")
@click.option("--cards", is_flag=True, help="Also how likely each seat holds each card.")
@json_option
def infer_command(log: Log, *, holds: tuple[str, ...], cards: bool, as_json: bool) -> None:
    """Tell which roles are possible, certain and how probable.

    \b
    Example:  deduce pigs infer game.pigs
              deduce pigs infer game.pigs --as 4:FP:DDPP --rebels 2
              deduce pigs infer game.pigs --holds 3=J

    Probabilities are exact. Before the log, all role vectors with the known number of rebels (else
    at least one) count as equally likely. Exit code 1 if no roles and cards fit the log.
    """  # noqa: D301
    questions = [_seat_and_card(word, log) for word in holds]
    try:
        found = infer(log)
    except Contradiction:
        _refuse(log, as_json=as_json)
    answers = [(seat, card, found.holds(seat, card)) for seat, card in questions]
    if as_json:
        _print_json(inference_to_json(found))
        return
    if not answers:
        click.echo(format_inference(found), nl=False)
    for seat, card, p in answers:
        click.echo(f"seat {seat} holds {card}: {percent(p)} ({p})")
    if cards:
        click.echo("\n" + format_holdings(found), nl=False)


def _seat_and_card(word: str, log: Log) -> tuple[int, str]:
    seat, _, card = word.partition("=")
    if not seat.isdecimal() or card not in tuple(CARDS):
        raise click.UsageError(f"{word!r} is not of the form SEAT=CARD, like 3=J")
    return _seat(seat, log), card


def _seat(word: str, log: Log) -> int:
    if not 1 <= int(word) <= log.players:
        raise click.UsageError(f"there is no seat {word}, only 1 to {log.players}")
    return int(word)


@pigs.command("why")
@click.argument("claim", metavar="SEAT=ROLE")
@log_options
@json_option
def why_command(log: Log, *, claim: str, as_json: bool) -> None:
    """Tell the smallest set of events that forces a role, in sentences.

    \b
    Example:  deduce pigs why 3=ZP game.pigs
              deduce pigs why 3=loyal game.pigs

    Exit code 1 if the role is not forced, or no roles and cards fit the log.
    """  # noqa: D301
    seat, role = _claim(claim, log)
    try:
        found = infer(log)
    except Contradiction:
        _refuse(log, as_json=as_json)
    p = found.probability(seat, role)
    if p < 1:
        text = f"seat {seat} is {role} with probability {percent(p)} ({p}): not certain"
        if as_json:
            _print_json({"schema": "deduce/pigs-why/1", "seat": seat, "role": role, "p": str(p)})
        else:
            click.echo(f"{text}; it is certainly {found.possible[seat - 1][0]}" if p == 0 else text)
        sys.exit(1)
    answer = why(log, seat, role)
    if as_json:
        _print_json(why_to_json(answer))
    else:
        click.echo(str(answer))


def _claim(claim: str, log: Log) -> tuple[int, Role]:
    roles: dict[str, Role] = {}
    for role in ROLES:
        roles[fold(role)] = roles[fold(ROLE_NAMES[role])] = role
    seat, _, name = claim.partition("=")
    if not seat.isdecimal() or fold(name) not in roles:
        raise click.UsageError(f"{claim!r} is not of the form SEAT=ROLE, like 3=ZP or 3=loyal")
    return _seat(seat, log), roles[fold(name)]


@pigs.command("timeline")
@log_options
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw into this file."
)
@json_option
def timeline_command(log: Log, *, plot: Path | None, as_json: bool) -> None:
    """Tell the probabilities after every event, and when each role became certain.

    \b
    Example:  deduce pigs timeline game.pigs
              deduce pigs timeline game.pigs --plot roles.png
    """  # noqa: D301
    try:
        story = timeline(log)
    except Contradiction:
        _refuse(log, as_json=as_json)
    if plot is not None:
        plot_timeline(story, plot)
    if as_json:
        _print_json(timeline_to_json(story))
    else:
        click.echo(format_timeline(story), nl=False)


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

    with _usage():
        puzzle = make_puzzle(players, seed=seed, rebels=rebels, effort=effort, progress=progress)
    if as_json:
        _print_json(puzzle_to_json(puzzle))
        return
    click.echo("# Who is who? Everybody keeps to the policy; seat 1 is the Master.")
    click.echo(format_log(puzzle.log))
    click.echo(f"# Solution: {' '.join(puzzle.roles)}")
    for answer in puzzle.reasons:
        click.echo(f"# Seat {answer.seat} is {answer.role}:")
        for reason in answer.reasons:
            click.echo(f"#   {reason.sentence}")
