"""The commands ``deduce cluedo new`` and ``track``, which keep the log of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from deduce.budget import STANDARD, Budget
from deduce.commands.ask import check_slips, options, parse_doubts
from deduce.commands.dialogue import on_terminal, opened, remember, run
from deduce.commands.numbers import Real, Seconds
from deduce.commands.output import end_undecided, end_with, print_part
from deduce.errors import BadInput, Interrupted, Undecided
from deduce.exits import EXIT_NO, EXIT_UNDECIDED, EXIT_UNREADABLE, EXIT_YES
from deduce.text import plural
from games.cluedo.assistant.autosave import LogFile
from games.cluedo.assistant.dialogue import TrackDialogue
from games.cluedo.assistant.questions import OWN, QUESTIONS, Draft, Question
from games.cluedo.assistant.tracking import Tracking
from games.cluedo.decks import DECKS

__all__ = ["new", "set_up", "set_up_options", "track"]

STDIN = "<stdin>"

F = TypeVar("F", bound=Callable[..., Any])


def set_up_options(command: F) -> F:
    """Add the options that answer the questions of a set-up."""
    for option in reversed(
        [
            click.option(
                "--players", metavar="NAMES", help="In seat order, with hand sizes: 'Ann 6, Ben 6'."
            ),
            click.option(
                "--deck", metavar="NAME", help=f"One of {', '.join(DECKS)}; left out: classic."
            ),
            click.option(
                "--category",
                multiple=True,
                metavar="CARDS",
                help="A category of your own deck: 'suspect: Plum, ...'.",
            ),
            click.option("--face-up", metavar="CARDS", help="Cards that lie open on the table."),
            click.option("--undealt", metavar="NUMBER", help="How many cards are not dealt."),
            click.option(
                "--me", metavar="PLAYER", help="Who keeps the log; left out: a bystander."
            ),
            click.option("--hand", metavar="CARDS", help="The hand of --me."),
        ]
    ):
        command = option(command)
    return command


@click.command()
@click.argument("file", required=False, metavar="[FILE]", type=click.Path())
@set_up_options
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
def new(file: str | None, *, force: bool, category: tuple[str, ...], **answers: str | None) -> None:
    """Set up a game and write its log; asks for what is needed.

    \b
    Example:  deduce cluedo new evening.cluedo
              deduce cluedo new evening.cluedo --players 'Ann 6, Ben 6, Cid 6'
              deduce cluedo new --players 'Ann, Ben, Cid, Dan' > evening.cluedo

    With --players nothing is asked. Players are named in seat order, clockwise. Without FILE, or
    with "-", the log goes to standard output. Go on with "deduce cluedo track FILE".
    """  # noqa: D301 (click reads the backspace)
    path = None if file in (None, "-") else Path(str(file))
    if path is not None and path.exists() and not force:
        raise BadInput("there is such a file already; --force replaces it", source=str(path))
    given = {name: answer for name, answer in answers.items() if answer is not None}
    session = set_up(given, category).session()
    if path is None:
        click.echo(session.text, nl=False)
        return
    LogFile.create(path, session, replace=force)
    click.echo(f"wrote {path}; go on with: deduce cluedo track {path}", err=True)


def set_up(given: Mapping[str, str], category: Sequence[str]) -> Draft:
    """Return the set-up from the options, and from answers where players are not given."""
    if category:
        if "deck" in given:
            raise click.UsageError("--deck and --category exclude each other; leave one out")
        given = {**given, "deck": OWN, "category": "\n".join(category)}
    draft = Draft()
    for question in QUESTIONS:
        text = question.ask(draft)
        if question.name in given or (text and "players" in given):
            answer = given.get(question.name, question.default(draft) or "")
            try:
                draft = question.take(draft, answer)
            except BadInput as error:
                option = "players" if question.name == "hands" else question.name
                hint = f"--{option.replace('_', '-')}"
                raise click.BadParameter(error.message, param_hint=hint) from None
        elif text:
            draft = _ask(question, text, draft)
    return draft


def _ask(question: Question, text: str, draft: Draft) -> Draft:
    default = question.default(draft)
    while True:
        try:
            answer = click.prompt(text, default, show_default=bool(default), err=True)
            while question.many and (more := click.prompt("Another one", "", err=True)):
                answer += f"\n{more}"
        except click.Abort:
            if on_terminal():
                raise
            click.echo(err=True)
            message = "the answers end before the game is set up; with --players nothing is asked"
            raise BadInput(message, source=STDIN) from None
        try:
            return question.take(draft, answer)
        except BadInput as error:
            click.echo(f"error: {error.message}", err=True)


@click.command()
@click.argument("log", metavar="LOG", type=click.Path())
@click.option(
    "--sheet",
    "shown",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="After every step (auto: on a terminal; in a pipe once, at the end).",
)
@click.option(
    "--time-limit",
    type=Seconds(),
    metavar="SECONDS",
    help="For the questions after each step.",
)
@click.option(
    "--warn",
    type=Real(0, 1),
    default=0.5,
    show_default=True,
    metavar="P",
    help="With --slips: warn once of an event that is wrong with this probability.",
)
def track(
    log: str, shown: str, engine: str, time_limit: float | None, slips: str | None, warn: float
) -> None:
    """Keep the log of a game: type events, see the sheet.

    \b
    Example:  deduce cluedo track evening.cluedo
              1> Ann: plum rope hall; Ben -; Cid shows rope
              2> why rope=cid
              2> undo

    Every event is on the disk before it is confirmed, so nothing is lost when the program is
    killed; with the same LOG the game goes on, and its steps can still be undone. The line "help"
    lists what can be typed. Lines may come through a pipe.

    With --slips RATE events may be wrong: the sheet has probabilities, a warning names an event
    that later events make improbable, and a contradiction does not end the game.

    Exit codes: 0 the log is consistent, 1 the log contradicts itself, 3 the log or a line is
    unreadable, 4 undecided.
    """  # noqa: D301 (click reads the backspace)
    path = opened(log, f"deduce cluedo new {log}")
    file, session, note = LogFile.open(path)
    if note:
        click.echo(f"note: {note}", err=True)
    by_hand = on_terminal()
    follow = shown == "always" or (shown == "auto" and by_hand)
    budget = STANDARD if time_limit is None else Budget(None, time_limit)
    doubts = parse_doubts(slips)
    options_ = {"engine": engine, "budget": budget, "doubts": doubts}
    tracking = Tracking(session, file, options_, level=warn)
    check_slips(tracking.knowledge)
    dialogue = TrackDialogue(tracking, follow=follow, edits_lines=by_hand)
    if by_hand:
        remember(tracking.events())
        run(dialogue)
        click.echo(f"{plural(len(dialogue.session.events), 'event')} in {tracking.path}")
        return
    unreadable = 0
    interrupted = None
    try:
        unreadable = run(dialogue)
    except KeyboardInterrupt:
        interrupted = Interrupted("interrupted; all lines before are in the log")
    if shown == "auto":
        try:
            for part in dialogue.state():
                print_part(part)
        except Undecided as error:
            click.echo(f"undecided: {error}", err=True)
    end_undecided(interrupted)
    end_with(EXIT_UNREADABLE if unreadable else _exit_code(dialogue))


track.params += [option for option in options() if option.name in ("engine", "slips")]


def _exit_code(dialogue: TrackDialogue) -> int:
    try:
        return EXIT_YES if dialogue.knowledge.is_consistent() else EXIT_NO
    except Undecided:
        return EXIT_UNDECIDED
