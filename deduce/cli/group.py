"""The click group of a hidden game: the generic commands, and those that the game adds."""

from __future__ import annotations

import copy
import inspect
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

from deduce.cli import complete, generic
from deduce.cli.ask import Ask, Look, ask_about, options
from deduce.cli.dialogue import command_of, lead, opened
from deduce.cli.exits import EXIT_NO
from deduce.cli.lazy import LazyGroup
from deduce.cli.output import new_file_argument, usage, write_or_print
from deduce.cli.proofs import proof_lines, puzzle_command
from deduce.constraints import is_
from deduce.errors import BadInput, Contradiction, Interrupted, Undecided, Unsupported, placed
from deduce.game import Event, Recorded, Written, hook
from deduce.knowledge import Knowledge
from deduce.logs.events import format_event, read_log, read_text, write_log, write_text
from deduce.policy.inquiries import can_ask
from deduce.reasoning.doubts import doubted
from deduce.search.load import make_with
from deduce.show.jsonable import possible_json
from deduce.system.files import replace_file
from deduce.system.registry import Registration, load
from deduce.system.text import nearest, plural

__all__ = ["GameCommands", "commands_for"]

HELP = """\
EVENT       record an event, as a line of the log
COMMAND     {commands}
            about the log so far, with their options
undo, redo  take the last event back, or record it again
quit        end; the log is kept"""


def _keeping_commands(group: GameCommands) -> Iterator[click.Command]:
    """Yield the commands ``new`` and ``track`` for the game of a group."""
    name = group.entry.name
    game_class = load(group.entry.hidden)
    readers = hook(game_class, Written.setup_files, {})

    def new(settings: tuple[str, ...], log: Path | None, **files: str | None) -> None:
        given = {key: _read_setting(file, readers[key]) for key, file in files.items() if file}
        with usage():
            game = make_with(game_class, settings, name, **given)
        write_or_print(log, write_text(game, ()).removesuffix("\n"))

    def track(log: str) -> None:
        path = opened(log, f"deduce {name} new {log}")
        text, source = read_text(log)
        read = read_log(text, load(group.entry.hidden), source=source)
        lead(_Tracking(group, Knowledge.of(read), path))

    setting = click.Option(
        ["--set", "settings"],
        multiple=True,
        metavar="NAME=VALUE",
        help="A part of the set-up. May be repeated.",
    )
    yield new_file_argument()(
        click.Command(
            "new",
            callback=new,
            params=[
                *(
                    click.Option(
                        [f"--{key}", key], metavar="FILE", help=f"Read '{key}' from a file."
                    )
                    for key in readers
                ),
                setting,
            ],
            help="Write a log with a set-up and no events into the file LOG, or print it.\n\n\b\n"
            f"Example:  deduce {name} new {group.look.new}{group.look.log}",
        )
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


def _read_setting(file: str, reader: Callable[[str], object]) -> object:
    """Return the value of a setting that is read from a file."""
    text, source = read_text(file)
    with placed(source=source):
        return reader(text)


class _Tracking:
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

    def __init__(self, group: GameCommands, knowledge: Knowledge, path: Path) -> None:
        self.group = group
        self.knowledge = knowledge
        self.path = path
        self.is_over = False
        self.undone: list[Event] = []
        """The events that were taken back, the next one last."""
        self.corrected: list[tuple[Sequence[Event], Knowledge]] = []
        """Each log that a correction made, with what was known before it."""

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
        listed = self.group.look.worlds or "worlds"
        names = (*commands, listed, "undo", "redo", "help", "quit")
        word, rest = command_of(line, names) or ("", line.strip())
        if word == "quit":
            self.is_over = True
        elif word == "help":
            known = [c for c in commands if c != "advise" or can_ask(self.knowledge.game)]
            yield HELP.format(commands=", ".join(dict.fromkeys([*known, listed])))
        elif word == "undo":
            if not log:
                raise BadInput("there is no event to take back")
            shorter = self.knowledge.upto(len(log) - 1)
            before = next((k for after, k in self.corrected if after == log), shorter)
            yield from self._keep(before, [*self.undone, log[-1]])
        elif word == "redo":
            if not self.undone:
                raise BadInput("there is nothing to redo")
            yield from self._record(self.undone[-1], self.undone[:-1])
        elif word in PROOFS and "-" not in rest[:1]:
            yield from proof_lines(self.knowledge, word, rest)
        elif word:
            self._ask("worlds" if word == listed else word, rest)
        elif rest:
            yield from self._record(rest, [])

    def _ask(self, command: str, rest: str) -> None:
        ask = Ask(self.knowledge, self.group.look, command, json=False, source=str(self.path))
        try:
            self.group.answer(ask, command, shlex.split(rest))
        except ValueError as error:  # of shlex
            raise BadInput(f"{rest}: {error}") from None
        except Contradiction as error:
            raise BadInput(str(error)) from None

    def _told(self, event: Event | str) -> Knowledge:
        """Return the knowledge after an event, without those that it corrects."""
        try:
            told = self.knowledge.tell(event)
        except BadInput as error:
            if not str(event).isalpha():
                raise
            near = nearest(str(event), self.group.commands_about_a_log())
            raise BadInput(f"{error}; and there is no such command{near} (see help)") from None
        corrects = hook(told.game, Recorded.corrects)
        *before, last = told.log
        wrong = [n for n, each in enumerate(before, 1) if corrects and corrects(last, each)]
        for number in reversed(wrong):
            told = told.drop(number)
        return told

    def _record(self, event: Event | str, undone: list[Event]) -> Iterator[str]:
        told = self._told(event)
        if not told.is_consistent():
            reason = str(told).partition("\n")[2] or "  (see check)"
            if self.knowledge.log:
                reason += "\nif an earlier event is wrong, type undo until it is taken back"
            raise BadInput(f"no world fits, so the event is not recorded:\n{reason}")
        for wrong in (each for each in self.knowledge.log if each not in told.log):
            yield f"instead of: {format_event(told.game, wrong)}"
        if len(told.log) <= len(self.knowledge.log):
            self.corrected.append((told.log, self.knowledge))
        yield from self._keep(told, undone)

    def _keep(self, knowledge: Knowledge, undone: list[Event]) -> Iterator[str]:
        replace_file(self.path, write_text(knowledge.game, knowledge.log))
        before, self.knowledge, self.undone = self.knowledge, knowledge, undone
        # Only now is anything computed that may fail: the file and what is undone belong together.
        try:
            known, earlier = knowledge.certain(), {}
        except Contradiction:
            yield f"{plural(len(knowledge.log), 'event')}; no world fits (see check)"
            return
        with suppress(Contradiction, Undecided):
            earlier = before.certain()
        news = [is_(name, value) for name, value in known.items() if name not in earlier]
        if news:
            yield f"now certain: {'; '.join(map(knowledge.say, news))}"
        line = (
            f"{plural(len(knowledge.log), 'event')}; certain: {len(known)} of "
            f"{plural(len(knowledge.problem.domains), 'variable')}"
        )
        worlds = self.group.look.worlds
        yield f"{line}; possible {worlds}: {knowledge.count():,}" if worlds else line


Command = Callable[..., bool | None]

PROOFS = {
    "steps": "Show how everything that is certain follows, one small step at a time.",
    "hint": "Give a hint: the easiest step that is not yet on your own sheet.",
    "judge": "Judge each of your marks as proved, wrong or not yet provable, "
    "and list what you missed.",
}
"""The commands of `deduce.cli.proofs` with their summaries."""

TWO_NAMES = {"grid": "sheet", "sheet": "grid"}
"""The other name of a command, where a game has only one of them."""

GROUP_HELP = """\b
Example:  deduce GAME check LOGFILE
          deduce GAME why EXAMPLE LOGFILE

Exit codes: 0 yes, 1 no, 2 wrong usage, 3 unreadable log, 4 undecided within the limit."""

LOG_HELP = """LOG is a file of events, or - for standard input. Names in it and on the command line
may be abbreviated as long as they are unambiguous."""


class GameCommands(LazyGroup):
    """A group with the generic commands of one hidden game, to which the game may add its own.

    What `add_lazy` names may be a click command, or a function of an `Ask` as for `on_log`.

    Raises
    ------
    Unsupported
        The registration names no hidden game.
    """

    def __init__(self, entry: Registration, look: Look | None = None) -> None:
        if not entry.hidden:
            raise Unsupported(
                f"the game {entry.name!r} has no commands, and nothing is hidden in it"
            )
        self.entry = entry
        self.look = look or Look(
            example=entry.fact or Look().example, log=f"game{entry.suffix or '.log'}"
        )
        super().__init__(
            entry.name,
            help=f"{entry.summary.rstrip('.')}.\n\n{self._words(GROUP_HELP)}",
            context_settings={
                "help_option_names": ["--help", "-h"],
                "obj": complete.Logs(entry.hidden, Path(self.look.log).suffix),
            },
        )
        self._functions: dict[str, Command] = {}
        self._made: dict[str, click.Command] = {}
        for name, function in generic.COMMANDS.items():
            self.on_log(name)(function)
        for name, summary in PROOFS.items():
            self.add_lazy(name, f"deduce.cli.proofs:{name}", summary)
        self.add_command(puzzle_command(entry, self._words))
        self.add_command(self._convert())
        for command in _keeping_commands(self):
            self.add_command(command)

    def on_log(self, name: str) -> Callable[[Command], Command]:
        """Return a decorator that makes a function of an `Ask` a command about a log.

        The function's own click arguments come before ``LOG``; its docstring is the help, in which
        ``GAME``, ``EXAMPLE``, ``EXAMPLE_NAME`` (what is before the ``=``), ``LOGFILE``,
        ``VARIABLE`` and ``VALUE`` stand for the game's words.
        """

        def decorate(function: Command) -> Command:
            own = list(reversed(getattr(function, "__click_params__", [])))
            names = {param.name for param in own}
            self._functions[name] = function

            def run(**values: object) -> None:
                mine = {key: values.pop(key) for key in list(values) if key in names}
                self._run(name, function, mine, **values)

            self._made[name] = click.Command(
                name,
                callback=run,
                params=[self._worded(param) for param in own] + options(),
                help=self._words(inspect.getdoc(function) or ""),
                epilog=LOG_HELP,
            )
            self.add_command(self._made[name])
            return function

        return decorate

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command by either of its names, imported if needed, or ``None``."""
        command = super().get_command(ctx, cmd_name)
        if command is None and cmd_name in TWO_NAMES:
            return super().get_command(ctx, TWO_NAMES[cmd_name])
        return command

    def add_loaded(self, name: str, loaded: Any) -> None:
        """Add a click command, or make a function of an `Ask` a command about a log."""
        if isinstance(loaded, click.Command):
            super().add_loaded(name, loaded)
        else:
            self.on_log(name)(loaded)

    def commands_about_a_log(self) -> list[str]:
        """Return the names of the commands that `answer` answers."""
        own = (name for name, command in self.commands.items() if _log_of(command))
        return sorted({*self._functions, *PROOFS, *own} - {"new", "track"})

    def answer(self, ask: Ask, name: str, words: Sequence[str]) -> None:
        """Answer a command about knowledge that is there already, as a line of a dialogue asks.

        Parameters
        ----------
        ask
            What is known; the answer is printed. A command that the game has in place of the
            generic one reads the log of this name.
        name
            The command, which must be about a log.
        words
            Its own arguments and options, without the log and the options of every command.

        Raises
        ------
        BadInput
            An argument or an option is wrong.
        """
        context = click.Context(self, info_name=self.entry.name)
        command = self.get_command(context, name)
        if command is None or command is self._made.get(name):
            function = self._functions[name]
            own = list(reversed(getattr(function, "__click_params__", [])))
            command = click.Command(name, params=own, callback=partial(function, ask))
            one = sum(isinstance(param, click.Argument) for param in own) == 1
            if one and words and not any(word.startswith("-") for word in words):
                words = [" ".join(words)]  # a claim with blanks
        else:
            first = next(param for param in command.params if isinstance(param, click.Argument))
            log = [ask.source]
            words = [*log, *words] if isinstance(first.type, click.Path) else [*words, *log]
        try:
            with command.make_context(name, list(words), parent=context) as inner:
                command.invoke(inner)
        except click.ClickException as error:
            raise BadInput(error.format_message()) from None
        except click.exceptions.Exit:
            pass

    def _words(self, text: str) -> str:
        look = self.look
        name = look.example.partition("=")[0]
        text = text.replace(r"\b", "\b")  # click's mark; docstrings with a backslash are raw
        for token, word in (
            ("GAME", self.entry.name),
            ("EXAMPLE_NAME", name + "'" * name.startswith("'")),
            ("EXAMPLE", look.example),
            ("LOGFILE", look.log),
            ("VARIABLE", look.variable),
            ("VALUE", look.value),
        ):
            text = text.replace(token, word)
        return text

    def _worded(self, param: click.Parameter) -> click.Parameter:
        param = copy.copy(param)
        if param.metavar:
            param.metavar = self._words(param.metavar)
        if isinstance(param, click.Option) and param.help:
            param.help = self._words(param.help)
        return param

    def _run(self, name: str, function: Command, mine: Mapping[str, object], **given: Any) -> None:
        ask = ask_about(load(self.entry.hidden), self.look, name, **given)
        try:
            yes = function(ask, **mine)
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None
        except Contradiction:
            ask.answer({"contradiction": True})
            raise Contradiction(self._contradiction(ask)) from None
        except Undecided as error:
            if ask.json:
                ask.answer({"undecided": str(error), "known": possible_json(error.known or {})})
            raise
        if yes is False:
            click.get_current_context().exit(EXIT_NO)

    def _contradiction(self, ask: Ask) -> str:
        what = f"no world is possible after {ask.source}"
        known = ask.knowledge
        pieces = doubted(known.game, known.log, known.viewer, known.doubts)
        wrong = [piece for piece in pieces if piece.doubt == 1]
        if not wrong:
            return f"{what}; 'deduce {self.entry.name} check' shows why"
        answer = f"event {wrong[0].event}, {wrong[0].answer or wrong[0]}"
        others = f", and of {len(wrong) - 1} more," if len(wrong) > 1 else ","
        return (
            f"{what}: --slips says of {answer}{others} that it is certainly wrong; "
            "a lower rate leaves it open"
        )

    def _convert(self) -> click.Command:
        def run(log: str, form: str | None) -> None:
            text, source = read_text(log)
            read = read_log(text, load(self.entry.hidden), source=source)
            lines = [line for line in text.splitlines() if line.strip()]
            in_json = all(line.lstrip().startswith("{") for line in lines)
            write = write_text if (form or ("text" if in_json else "json")) == "text" else write_log
            click.echo(write(read.game, read.events), nl=False)

        form = click.Option(
            ["--to", "form"], type=click.Choice(["text", "json"]), help="[default: the other one]"
        )
        help_ = "Write the log in its other form: text or JSON lines.\n\n\b\nExample:  "
        return click.Command(
            "convert",
            callback=run,
            params=[click.Argument(["log"], metavar="LOG", type=click.Path()), form],
            help=self._words(help_ + "deduce GAME convert LOGFILE"),
            epilog=LOG_HELP,
        )


def _log_of(command: click.Command) -> bool:
    """Return whether a command of the game's own takes a log, and no other argument."""
    given = [param for param in command.params if isinstance(param, click.Argument)]
    return [param.name for param in given] == ["log"] and given[0].nargs == 1


def commands_for(entry: Registration) -> click.Group:
    """Return the generic commands of a hidden game as a group.

    Raises
    ------
    Unsupported
        The registration names no hidden game.
    """
    return GameCommands(entry)
