"""The commands ``new`` and ``track`` of a hidden game that does not bring its own."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import click

from deduce.commands.ask import Ask, Look
from deduce.commands.dialogue import command_of, opened, run
from deduce.errors import BadInput, Contradiction
from deduce.events import read_log, read_text, write_text
from deduce.exits import EXIT_NO
from deduce.files import replace_file
from deduce.knowledge import Knowledge
from deduce.registry import Registration, load
from deduce.search.load import make_with
from deduce.text import plural

__all__ = ["Tracking", "keeping_commands"]

HELP = """\
EVENT       record an event, as a line of the log
COMMAND     {commands}
            about the log so far, with their options
undo        take the last event back
quit        end; the log is kept"""


class LogCommands(Protocol):
    """The commands of a game, of which those about a log can be typed without it."""

    @property
    def entry(self) -> Registration:
        """The game."""

    @property
    def look(self) -> Look:
        """How its answers are shown."""

    def commands_about_a_log(self) -> list[str]:
        """Return the names of the commands about a log."""

    def answer(self, ask: Ask, name: str, words: Sequence[str]) -> None:
        """Answer a command about a log, given what is known of it."""


def keeping_commands(group: LogCommands) -> Iterator[click.Command]:
    """Yield the commands ``new`` and ``track`` for the game of a group."""
    name = group.entry.name

    def new(settings: tuple[str, ...]) -> None:
        try:
            game = make_with(load(group.entry.hidden), settings, name)
        except BadInput as error:
            raise click.UsageError(error.message) from None
        click.echo(write_text(game, ()), nl=False)

    def track(log: str) -> None:
        path = opened(log, f"deduce {name} new > {log}")
        text, source = read_text(log)
        read = read_log(text, load(group.entry.hidden), source=source)
        if run(Tracking(group, Knowledge.of(read), path)):
            click.get_current_context().exit(EXIT_NO)

    setting = click.Option(
        ["--set", "settings"],
        multiple=True,
        metavar="NAME=VALUE",
        help="A part of the set-up. May be repeated.",
    )
    yield click.Command(
        "new",
        callback=new,
        params=[setting],
        help="Print a log with a set-up and no events.\n\n\b\n"
        f"Example:  deduce {name} new > {group.look.log}",
    )
    yield click.Command(
        "track",
        callback=track,
        params=[click.Argument(["log"], metavar="LOG", type=click.Path())],
        help="Keep the log of a game: type events, and ask about what they show.\n\n\b\n"
        f"Example:  deduce {name} track {group.look.log}\n\n"
        'LOG is a file such as "new" prints. Each event is written to it at once. Any command of '
        'the game about a log can be typed without the log, such as "advise"; "undo" takes the '
        'last event back, "help" lists what can be typed.',
    )


class Tracking:
    """A dialogue that keeps the log of a game.

    Parameters
    ----------
    group
        The commands of the game, which can be typed.
    knowledge
        What is known at the beginning.
    path
        The file to which the log is written after every event.
    """

    prefill = ""

    def __init__(self, group: LogCommands, knowledge: Knowledge, path: Path) -> None:
        self.group = group
        self.knowledge = knowledge
        self.path = path
        self.is_over = False

    @property
    def prompt(self) -> str:
        """The name of the game, and the number of the event that comes next."""
        return f"{self.group.entry.name} {len(self.knowledge.log) + 1}> "

    def greeting(self) -> Iterator[str]:
        """Yield the log so far."""
        yield write_text(self.knowledge.game, self.knowledge.log).rstrip("\n")
        yield "type an event as a line of the log, or help"

    def answer(self, line: str) -> Iterator[str]:
        """Yield the answer to a line."""
        log, commands = self.knowledge.log, self.group.commands_about_a_log()
        word, rest = command_of(line, (*commands, "undo", "help", "quit")) or ("", line.strip())
        if word == "quit":
            self.is_over = True
        elif word == "help":
            yield HELP.format(commands=", ".join(commands))
        elif word == "undo":
            if not log:
                raise BadInput("there is no event to take back")
            yield from self._keep(self.knowledge.upto(len(log) - 1))
        elif word:
            self._ask(word, rest)
        elif rest:
            told = self.knowledge.tell(rest)
            if not told.is_consistent():
                reason = str(told).partition("\n")[2] or "  (see check)"
                raise BadInput(f"no world fits, so the event is not recorded:\n{reason}")
            yield from self._keep(told)

    def _ask(self, command: str, rest: str) -> None:
        ask = Ask(self.knowledge, self.group.look, command, json=False, source="the log")
        try:
            self.group.answer(ask, command, shlex.split(rest))
        except ValueError as error:  # of shlex
            raise BadInput(f"{rest}: {error}") from None
        except Contradiction as error:
            raise BadInput(str(error)) from None

    def _keep(self, knowledge: Knowledge) -> Iterator[str]:
        replace_file(self.path, write_text(knowledge.game, knowledge.log))
        self.knowledge = knowledge
        known = len(knowledge.certain())
        yield (
            f"{plural(len(knowledge.log), 'event')}; certain: {known} of "
            f"{plural(len(knowledge.problem.domains), 'variable')}"
        )
