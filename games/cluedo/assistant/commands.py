"""The interactive commands ``deduce cluedo new`` and ``deduce cluedo track``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from deduce.budget import STANDARD, Budget
from deduce.commands.ask import options
from deduce.errors import BadInput, DeduceError, Undecided
from deduce.events import MAX_LINE
from deduce.exits import EXIT_NO, EXIT_UNDECIDED, EXIT_UNREADABLE, EXIT_YES
from deduce.text import visible
from games.cluedo.assistant.autosave import Kept
from games.cluedo.assistant.dialogue import Tracker
from games.cluedo.assistant.logfile import LogFile
from games.cluedo.assistant.questions import OWN, QUESTIONS, Draft, Question
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
                "--deck", metavar="NAME", help=f"One of {', '.join(DECKS)} (else classic)."
            ),
            click.option(
                "--category",
                multiple=True,
                metavar="CARDS",
                help="Own cards: 'suspect: Plum, ...'.",
            ),
            click.option("--face-up", metavar="CARDS", help="Cards that lie open on the table."),
            click.option("--undealt", metavar="NUMBER", help="Cards that lie aside unseen."),
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
@click.option("--force", is_flag=True, help="Replace a file that is there.")
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
            if sys.stdin.isatty():
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
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="For what is asked after each step.",
)
def track(log: str, shown: str, engine: str, time_limit: float | None) -> None:
    """Keep the log of a game that is being played: type events, and the sheet follows.

    \b
    Example:  deduce cluedo track evening.cluedo
              1> Ann: plum rope hall; Ben -; Cid shows rope
              2> :why rope=cid
              2> :undo

    Every event is on the disk before it is confirmed, so nothing is lost, whatever happens; with
    the same LOG the game goes on. :help shows what can be typed. Lines may come through a pipe.

    Exit codes: 0 all is well, 1 the log contradicts itself, 3 the log or a line is unreadable,
    4 undecided.
    """  # noqa: D301 (click reads the backspace)
    if log == "-":
        raise click.UsageError("events come from standard input; LOG must be a file")
    path = Path(log)
    if not path.exists():
        raise BadInput(f"there is no such file; `deduce cluedo new {log}` makes one", source=log)
    file, session, remark = LogFile.open(path)
    if remark:
        click.echo(f"note: {remark}", err=True)
    on_terminal = sys.stdin.isatty()
    follow = shown == "always" or (shown == "auto" and on_terminal)
    budget = STANDARD if time_limit is None else Budget(None, time_limit)
    kept = Kept(session, file, {"engine": engine, "budget": budget})
    tracker = Tracker(kept, follow=follow)
    if on_terminal:
        _on_terminal(tracker)
    else:
        sys.exit(_through_pipe(tracker, at_end=shown == "auto"))


track.params += [option for option in options() if option.name == "engine"]


def _on_terminal(tracker: Tracker) -> None:
    with suppress(ImportError):
        import readline  # noqa: F401 (gives `input` line editing and history)
    _tell(tracker.greeting())
    while not tracker.is_over:
        try:
            line = _input(f"{len(tracker.session.events) + 1}> ")
        except (EOFError, KeyboardInterrupt):
            click.echo()
            break
        except UnicodeDecodeError:
            click.echo("error: not text in UTF-8", err=True)
            continue
        _tell(tracker.answer(line))
    count = len(tracker.session.events)
    click.echo(f"{count} event{'s'[: count != 1]} in {tracker.kept.place}")


def _input(prompt: str) -> str:
    """Return a typed line; the prompt never goes into a file or a pipe."""
    if sys.stdout.isatty():
        return input(prompt)
    click.echo(prompt, nl=False, err=True)
    return input()


def _through_pipe(tracker: Tracker, *, at_end: bool) -> int:
    """Take all lines of standard input; return the exit code."""
    unreadable = 0
    with suppress(KeyboardInterrupt):
        for number, data in enumerate(sys.stdin.buffer, start=1):
            try:
                line = data.decode()
                if len(line) > MAX_LINE:
                    raise BadInput(f"a line of {len(line)} characters; no event is that long")
            except (UnicodeDecodeError, BadInput) as error:
                told = error if isinstance(error, BadInput) else BadInput("not text in UTF-8")
                _warn(told.at(source=STDIN, line=number))
                unreadable += 1
                continue
            unreadable += not _tell(tracker.answer(line), number)
            if tracker.is_over:
                break
    if at_end:
        _tell(tracker.state())
    return EXIT_UNREADABLE if unreadable else _exit_code(tracker)


def _tell(lines: Iterator[str], number: int | None = None) -> bool:
    """Show the lines as they come; return whether what was typed could be read."""
    try:
        for line in lines:
            click.echo(visible(line))
    except BadInput as error:
        _warn(error.at(source=STDIN, line=number) if number else error)
        return False
    except DeduceError as error:
        _warn(error)
    except KeyboardInterrupt:
        click.echo("interrupted; the log is safe, and :sheet shows the sheet")
    return True


def _warn(error: DeduceError) -> None:
    kind = "undecided" if isinstance(error, Undecided) else "error"
    click.echo(visible(f"{kind}: {error}"), err=True)


def _exit_code(tracker: Tracker) -> int:
    try:
        return EXIT_YES if tracker.knowledge.is_consistent() else EXIT_NO
    except Undecided:
        return EXIT_UNDECIDED
