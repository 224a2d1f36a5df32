r"""The commands that read a log: ``infer``, ``why`` and ``timeline``.

Help texts hold ``\b``, click's mark for lines that are not to be wrapped, so they are not raw.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

import attrs
import click

from deduce.errors import Contradiction
from deduce.events import read_text
from deduce.exits import EXIT_NO
from deduce.show.table import percent
from deduce.text import fold
from games.pigs.cards import CARDS, ROLE_NAMES, ROLES, Role
from games.pigs.cli_base import json_option, long_numbers, print_json, usage
from games.pigs.data import (
    inference_to_json,
    timeline_to_json,
    why_to_json,
)
from games.pigs.follow import turn_ends
from games.pigs.infer import infer
from games.pigs.log import Log
from games.pigs.logtext import (
    parse_log,
    parse_viewpoint,
    parse_weights,
)
from games.pigs.notation import format_event
from games.pigs.show import (
    format_holdings,
    format_inference,
    format_timeline,
)
from games.pigs.timeline import timeline
from games.pigs.why import why, why_impossible

__all__ = ["infer_command", "timeline_command", "why_command"]

F = TypeVar("F", bound=Callable[..., Any])


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
        with usage():
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
        with long_numbers():
            return command(log, **others)

    decorators = [
        click.argument("file", default="-", metavar="[LOG]", type=click.Path()),
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
    last = turn_ends(log.upto(upto))[-1]
    if upto != last:
        raise click.UsageError(
            f"--upto {upto} stops inside a turn; the turn before it ends with event {last}"
        )


def _refuse(log: Log, *, as_json: bool) -> NoReturn:
    """Say that the log is impossible, which events clash, and leave with exit code 1."""
    answer = why_impossible(log)
    if as_json:
        print_json({**why_to_json(answer), "possible": False})
    else:
        numbers = ", ".join(str(number) for number in answer.events)
        click.echo(f"This log is impossible; these events clash: {numbers}.")
        for number in answer.events:
            line = f" (line {log.lines[number - 1]})" if log.lines else ""
            click.echo(f"  {number}{line}: {format_event(log.events[number - 1])}")
        click.echo(str(answer))
    sys.exit(EXIT_NO)


@click.command("infer")
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

    LOG is a file, or - for standard input. Probabilities are exact. Before the log, all role
    vectors with the known number of rebels (else at least one) count as equally likely. Exit code
    1 if no roles and cards fit the log.
    """  # noqa: D301
    questions = [_seat_and_card(word, log) for word in holds]
    try:
        found = infer(log)
    except Contradiction:
        _refuse(log, as_json=as_json)
    answers = [(seat, card, found.holds(seat, card)) for seat, card in questions]
    if as_json:
        print_json(inference_to_json(found))
        return
    if not answers:
        click.echo(format_inference(found), nl=False)
    for seat, card, p in answers:
        click.echo(f"seat {seat} holds {card}: {percent(p, digits=1)} ({p})")
    if cards:
        click.echo("\n" + format_holdings(found), nl=False)


def _seat_and_card(word: str, log: Log) -> tuple[int, str]:
    seat, _, card = word.partition("=")
    if not re.fullmatch(r"[0-9]{1,6}", seat) or card not in tuple(CARDS):
        raise click.UsageError(f"{word!r} is not of the form SEAT=CARD, like 3=J")
    return _seat(seat, log), card


def _seat(word: str, log: Log) -> int:
    if not 1 <= int(word) <= log.players:
        raise click.UsageError(f"there is no seat {word}, only 1 to {log.players}")
    return int(word)


@click.command("why")
@click.argument("claim", metavar="SEAT=ROLE")
@log_options
@json_option
def why_command(log: Log, *, claim: str, as_json: bool) -> None:
    """Tell the smallest set of events that forces a role, in sentences.

    \b
    Example:  deduce pigs why 3=ZP game.pigs
              deduce pigs why 3=loyal game.pigs

    SEAT counts from 1; ROLE is MP (Master), ZP (loyal) or FP (rebel), or the word. LOG is a file,
    or - for standard input. Exit code 1 if the role is not forced, or no roles and cards fit.
    """  # noqa: D301
    seat, role = _claim(claim, log)
    try:
        found = infer(log)
    except Contradiction:
        _refuse(log, as_json=as_json)
    p = found.probability(seat, role)
    if p < 1:
        text = f"seat {seat} is {role} with probability {percent(p, digits=1)} ({p}): not certain"
        if as_json:
            print_json({"schema": "deduce/pigs-why/1", "seat": seat, "role": role, "p": str(p)})
        else:
            roles = found.possible[seat - 1]
            click.echo(f"{text}; it is certainly {roles[0]}" if len(roles) == 1 else text)
        sys.exit(EXIT_NO)
    answer = why(log, seat, role)
    if as_json:
        print_json(why_to_json(answer))
    else:
        click.echo(str(answer))


def _claim(claim: str, log: Log) -> tuple[int, Role]:
    roles: dict[str, Role] = {}
    for role in ROLES:
        roles[fold(role)] = roles[fold(ROLE_NAMES[role])] = role
    seat, _, name = claim.partition("=")
    if not re.fullmatch(r"[0-9]{1,6}", seat) or fold(name) not in roles:
        raise click.UsageError(f"{claim!r} is not of the form SEAT=ROLE, like 3=ZP or 3=loyal")
    return _seat(seat, log), roles[fold(name)]


@click.command("timeline")
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

    LOG is a file, or - for standard input. Exit code 1 if no roles and cards fit the log.
    """  # noqa: D301
    try:
        story = timeline(log)
    except Contradiction:
        _refuse(log, as_json=as_json)
    if plot is not None:
        from deduce.show.canvas import save
        from games.pigs.figures import timeline_figure

        with usage():
            save(timeline_figure(story), plot)
    if as_json:
        print_json(timeline_to_json(story))
    else:
        click.echo(format_timeline(story), nl=False)
