r"""The commands that answer by the exact method: ``infer``, ``why`` and ``timeline``.

Help texts contain ``\b``, click's mark for lines that must not be wrapped, so they are not raw.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import attrs
import click
from click.core import ParameterSource

from deduce.cli.endings import EXIT_NO
from deduce.cli.numbers import Choice, whole_option
from deduce.cli.output import (
    end_with,
    json_option,
    plot_option,
    print_answer,
    print_json,
    print_part,
    usage,
)
from deduce.errors import Contradiction, placed
from deduce.logs.events import Log, read_log
from deduce.show.table import percent
from deduce.system.files import read_text
from deduce.system.text import fold, plural, whole_number
from games.pigs.cli import why_by_engine
from games.pigs.game import Pigs
from games.pigs.inference import Timeline, answer_fields, infer, timeline
from games.pigs.notation import event_to_json, format_event, parse_viewpoint, parse_weights
from games.pigs.proofs import RoleProof, why, why_impossible
from games.pigs.reading import read_events
from games.pigs.setup import CARDS, ROLE_NAMES, ROLES, RULE_SETS, Role
from games.pigs.show import holdings_table, inference_table, timeline_table

__all__ = ["infer_command", "proof_to_json", "timeline_command", "why_command"]

Command = Callable[..., Any]


LOG_OPTIONS = [
    click.argument("file", default="-", metavar="[LOG]", type=click.Path()),
    click.option(
        "--as",
        "view",
        metavar="SEAT:ROLE:CARDS|SEAT|public",
        help="The view of a seat that knows its role and its cards in the order of drawing.",
    ),
    whole_option("--upto", low=0, metavar="N", help="Only the first N events."),
    whole_option("--rebels", help="The number of rebels, if it is known."),
    click.option(
        "--open",
        "opened",
        metavar="CARDS,CARDS,...",
        help="All hands are open: each seat's cards in the order of drawing.",
    ),
    click.option(
        "--rules",
        "rule_set",
        type=Choice(RULE_SETS),
        help="The rules of the game.  [default: those that the log names]",
    ),
    whole_option("--pile", help="Cards in the pile, if known; only under the literal rules."),
    click.option(
        "--weight", multiple=True, metavar="CARD=N", help="Prior weight of a card.  [default: 1]"
    ),
]


TABLE_OPTIONS = ("view", "rebels", "opened", "rule_set", "pile", "weight")
"""The options that change the set-up of a log."""
ENGINE_OPTIONS = ("assume", "engine", "time_limit", "in_steps")
"""The options of ``why`` that ask an engine of the toolkit."""


def _log_arguments(command: Command) -> Command:
    for decorate in reversed(LOG_OPTIONS):
        command = decorate(command)
    return command


def _engine_options(command: Command) -> Command:
    known = {param.name: param for param in why_by_engine.params}
    for name in reversed(ENGINE_OPTIONS):
        command.__click_params__.append(known[name])  # type: ignore[attr-defined]
    return command


def log_options(command: Command) -> Command:
    """Add the argument LOG and the options that state what the reader of the log knows."""

    @wraps(command)
    def read_and_run(file: str, upto: int | None, **given: Any) -> Any:
        table = {name: given.pop(name) for name in TABLE_OPTIONS}
        text, source = read_text(file)
        with placed(source=source):
            log = read_log(text, Pigs, source=source)
            with usage():
                log = attrs.evolve(log, game=_changed(log.game, **table))
            if upto is not None:
                _check_upto(log, upto)
                log = log.upto(upto)
            digits = sys.get_int_max_str_digits()
            sys.set_int_max_str_digits(0)  # the counts of long games have 5000
            try:
                return command(log, **given)
            finally:
                sys.set_int_max_str_digits(digits)

    return _log_arguments(read_and_run)


def _changed(
    game: Pigs, *, view: str | None, opened: str | None, weight: tuple[str, ...], **others: Any
) -> Pigs:
    """Return the set-up with what the options state; options that are ``None`` change nothing."""
    changes = {name: value for name, value in others.items() if value is not None}
    if view == "public":
        changes["viewpoint"] = None
    elif view is not None and whole_number(view, digits=6) is not None:
        game.check_seat(int(view))
        changes["viewpoint"] = game.seen_by(int(view)).viewpoint
    elif view is not None:
        changes["viewpoint"] = parse_viewpoint(view.split(":"))
    if opened is not None:
        changes["open_hands"] = tuple(opened.split(","))
    if weight:
        changes["weights"] = parse_weights(weight)
    return attrs.evolve(game, **changes)


def _check_upto(log: Log, upto: int) -> None:
    if upto > len(log.events):
        raise click.UsageError(
            f"--upto {upto}: the log has only {plural(len(log.events), 'event')}"
        )
    last = read_events(log.game, log.events[:upto], lines=log.lines).boundaries[-1]
    if upto != last:
        raise click.UsageError(
            f"--upto {upto} stops inside a turn; the turn before it ends with event {last}"
        )


def _refuse(log: Log, *, as_json: bool) -> NoReturn:
    """Print that the log is impossible and which events clash, and end with exit code 1."""
    proof = why_impossible(log)
    numbers = ", ".join(str(number) for number in proof.events)
    lines = [f"This log is impossible; these events clash: {numbers}."]
    for number in proof.events:
        line = f" (line {log.lines[number - 1]})" if log.lines else ""
        lines.append(f"  {number}{line}: {format_event(log.events[number - 1])}")
    document = {**proof_to_json(proof), "possible": False}
    print_answer(document, [*lines, str(proof)], as_json=as_json)
    end_with(EXIT_NO)


@click.command("infer")
@log_options
@click.option("--holds", multiple=True, metavar="SEAT=CARD", help="The probability of holding one.")
@click.option("--cards", is_flag=True, help="Also the probability of every card in every hand.")
@json_option
def infer_command(log: Log, *, holds: tuple[str, ...], cards: bool, as_json: bool) -> None:
    """Show which roles are possible and certain, and their probabilities.

    \b
    Example:  deduce pigs infer game.pigs
              deduce pigs infer game.pigs --as 4:FP:DDPP --rebels 2
              deduce pigs infer game.pigs --holds 3=J

    LOG is a file, or - for standard input. Probabilities are exact. Before the log, all role
    vectors with the known number of rebels (if it is not known: at least one) are equally likely.
    Exit code 1 if no roles and cards fit the log.
    """  # noqa: D301
    questions = [_seat_and_card(word, log) for word in holds]
    try:
        inference = infer(log)
    except Contradiction:
        _refuse(log, as_json=as_json)
    answers = [(seat, card, inference.holds(seat, card)) for seat, card in questions]
    if as_json:
        seats = range(1, inference.seats + 1)
        held = [{card: str(inference.holds(seat, card)) for card in CARDS} for seat in seats]
        fields = {"schema": "deduce/pigs-inference/1", **answer_fields(inference)}
        print_json({**fields, "holds": held})
        return
    if not answers:
        print_part(inference_table(inference))
    for seat, card, p in answers:
        click.echo(f"seat {seat} holds {card}: {percent(p, digits=1)} ({p})")
    if cards:
        print_part(holdings_table(inference))


def _seat_and_card(word: str, log: Log) -> tuple[int, str]:
    seat, _, card = word.partition("=")
    if not re.fullmatch(r"[0-9]{1,6}", seat) or card not in tuple(CARDS):
        raise click.UsageError(f"{word!r} is not of the form SEAT=CARD, like 3=J")
    return _seat(seat, log), card


def _seat(word: str, log: Log) -> int:
    with usage():
        log.game.check_seat(int(word))
    return int(word)


@click.command("why")
@click.argument("claim", metavar="SEAT=ROLE|VARIABLE=VALUE")
@_log_arguments
@_engine_options
@json_option
@click.pass_context
def why_command(context: click.Context, /, claim: str, **values: Any) -> None:
    """Show the smallest set of events that forces a role, in sentences.

    \b
    Example:  deduce pigs why 3=ZP game.pigs
              deduce pigs why 3=loyal game.pigs
              deduce pigs why 'card 3.2=K' game.pigs
              deduce pigs why 3=ZP --assume 'role 2=FP' --engine cpsat game.pigs
              deduce pigs why --steps 3=ZP game.pigs

    SEAT counts from 1; ROLE is MP (Master), ZP (loyal) or FP (rebel), or the word. LOG is a file,
    or - for standard input. A claim VARIABLE=VALUE about cards, and any claim with --assume,
    --engine, --time-limit or --steps, is answered by an engine of the toolkit. Exit code 1 if the
    claim is not certain, or no roles and cards are possible.
    """  # noqa: D301
    own = {name: values.pop(name) for name in ENGINE_OPTIONS}
    given = [n for n in own if context.get_parameter_source(n) is ParameterSource.COMMANDLINE]
    if given or ("=" in claim and not re.fullmatch(r"\s*[0-9]+\s*=[^=]*", claim)):
        for name in TABLE_OPTIONS:
            if name != "view" and values.pop(name):
                raise click.UsageError(
                    "--rebels, --open, --weight, --rules and --pile are options of the exact "
                    "method, which takes claims like 3=ZP and neither --assume, --engine, "
                    "--time-limit nor --steps; write them as lines of the log"
                )
        claim = re.sub(r"^\s*([0-9]+)\s*=", r"role \1=", claim)
        log, viewer = values.pop("file"), values.pop("view")
        assert why_by_engine.callback is not None
        why_by_engine.callback(fact=claim, log=log, viewer=viewer, slips=None, **own, **values)
    else:
        _why(claim=claim, **values)


@log_options
def _why(log: Log, *, claim: str, as_json: bool) -> None:
    """Answer a claim about a role by the exact method."""
    seat, role = _claim(claim, log)
    try:
        inference = infer(log)
    except Contradiction:
        _refuse(log, as_json=as_json)
    p = inference.probability(seat, role)
    if p < 1:
        text = f"seat {seat} is {role} with probability {percent(p, digits=1)} ({p}): not certain"
        roles = inference.possible[seat - 1]
        text += f"; it is certainly {roles[0]}" if len(roles) == 1 else ""
        document = {"schema": "deduce/pigs-why/1", "seat": seat, "role": role, "p": str(p)}
        print_answer(document, [text], as_json=as_json)
        end_with(EXIT_NO)
    proof = why(log, seat, role)
    print_answer(proof_to_json(proof), [str(proof)], as_json=as_json)


def _claim(claim: str, log: Log) -> tuple[int, Role]:
    roles: dict[str, Role] = {}
    for role in ROLES:
        roles[fold(role)] = roles[fold(ROLE_NAMES[role])] = role
    seat, _, name = claim.partition("=")
    if not re.fullmatch(r"[0-9]{1,6}", seat.strip()) or fold(name) not in roles:
        raise click.UsageError(f"{claim!r} is not of the form SEAT=ROLE, like 3=ZP or 3=loyal")
    return _seat(seat, log), roles[fold(name)]


@click.command("timeline")
@log_options
@plot_option
@json_option
def timeline_command(log: Log, *, plot: Path | None, as_json: bool) -> None:
    """Show the probabilities after every event, and when each role became certain.

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
        from games.pigs.show import timeline_figure

        with usage():
            save(timeline_figure(story), plot)
    document = timeline_to_json(story) if as_json else {}
    print_answer(document, [timeline_table(story)], as_json=as_json)


def proof_to_json(proof: RoleProof) -> dict[str, object]:
    """Return a proof; event numbers count from 1."""
    return {
        "schema": "deduce/pigs-why/1",
        "seat": proof.seat,
        "role": proof.role,
        "events": list(proof.events),
        "rules": list(proof.rules),
        "reasons": [
            {"seat": reason.seat, "rule": reason.rule, "sentence": reason.sentence}
            for reason in proof.reasons
        ],
    }


def timeline_to_json(story: Timeline) -> dict[str, Any]:
    """Return the probabilities after every event, and the certainties in order."""
    return {
        "schema": "deduce/pigs-timeline/1",
        "moments": [
            {
                "number": snapshot.number,
                "event": snapshot.event and event_to_json(snapshot.event),
                "p_rebel": [str(p) for p in snapshot.rebel],
                "total": str(snapshot.total),
            }
            for snapshot in story.snapshots
        ],
        "certain": [attrs.asdict(known) for known in story.certain],
    }
