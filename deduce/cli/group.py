"""The click group of a hidden game: the generic commands, and those that the game adds."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from deduce.cli import complete, generic
from deduce.cli.ask import Ask, Look, ask_about, options
from deduce.cli.endings import EXIT_NO
from deduce.cli.lazy import LazyGroup
from deduce.cli.output import new_file_argument, usage, write_or_print
from deduce.cli.proofs import puzzle
from deduce.errors import BadInput, Contradiction, Interrupted, Undecided, Unsupported, placed
from deduce.game import Written, hook
from deduce.logs.events import read_log, write_log, write_text
from deduce.reasoning.doubts import doubted
from deduce.search.load import make_with
from deduce.show.jsonable import possible_json
from deduce.system.files import read_text
from deduce.system.registry import Registration, load

__all__ = ["GameCommands", "commands_for"]


@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE",
    help="A part of the set-up. May be repeated.",
)  # fmt: skip
@new_file_argument()
def new(
    group: GameCommands, *, settings: tuple[str, ...], log: Path | None, **files: str | None
) -> None:
    r"""Write a log with a set-up and no events into the file LOG, or print it.

    \b
    Example:  deduce GAME new OPTIONS LOGFILE
    """
    game_class = load(group.entry.hidden)
    readers = hook(game_class, Written.setup_files, {})
    given = {key: _read_setting(file, readers[key]) for key, file in files.items() if file}
    with usage():
        game = make_with(game_class, settings, group.entry.name, **given)
    write_or_print(log, write_text(game, ()).removesuffix("\n"))


def _setting_of_file(key: str) -> click.Option:
    return click.Option([f"--{key}", key], metavar="FILE", help=f"Read '{key}' from a file.")


def _read_setting(file: str, reader: Callable[[str], object]) -> object:
    """Return the value of a setting that is read from a file."""
    text, source = read_text(file)
    with placed(source=source):
        return reader(text)


@click.argument("log", metavar="LOG", type=click.Path())
@click.option("--to", "form", type=click.Choice(["text", "json"]), help="[default: the other one]")
def convert(group: GameCommands, *, log: str, form: str | None) -> None:
    r"""Write the log in its other form: text or JSON lines.

    \b
    Example:  deduce GAME convert LOGFILE
    """
    text, source = read_text(log)
    read = read_log(text, load(group.entry.hidden), source=source)
    lines = [line for line in text.splitlines() if line.strip()]
    in_json = all(line.lstrip().startswith("{") for line in lines)
    write = write_text if (form or ("text" if in_json else "json")) == "text" else write_log
    click.echo(write(read.game, read.events), nl=False)


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
            help=f"{entry.summary.rstrip('.')}.\n\n{self.in_words(GROUP_HELP)}",
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
        self._about_game("puzzle", partial(puzzle, entry))
        self._about_game("convert", partial(convert, self), epilog=LOG_HELP)
        readers = hook(load(entry.hidden), Written.setup_files, {})
        self._about_game("new", partial(new, self), [_setting_of_file(key) for key in readers])
        summary = "Keep the log of a game: type events, and ask about what they show."
        self.add_lazy("track", "deduce.cli.tracking:track_command", summary)

    def _about_game(
        self,
        name: str,
        command: partial[None],
        options: Sequence[click.Parameter] = (),
        epilog: str | None = None,
    ) -> None:
        """Add a command about the game; its docstring is the help, as that of `on_log`."""
        params = [*options, *reversed(command.func.__click_params__)]  # type: ignore[attr-defined]
        text = self.in_words(inspect.getdoc(command.func) or "")
        self.add_command(
            click.Command(name, callback=command, params=params, help=text, epilog=epilog)
        )

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
                help=self.in_words(inspect.getdoc(function) or ""),
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
        if name == "track":
            super().add_loaded(name, loaded(self))
        elif isinstance(loaded, click.Command):
            super().add_loaded(name, loaded)
        else:
            self.on_log(name)(loaded)

    def commands_about_a_log(self) -> list[str]:
        """Return the names of the commands that `answer` answers; imports those of the game."""
        names = {*self._functions, *self.commands} - {"new", "play", "track"}
        for name in names:
            self.get_command(click.Context(self), name)
        return sorted(n for n in names if n in self._functions or _log_of(self.commands[n]))

    def answer(self, ask: Ask, name: str, words: Sequence[str]) -> None:
        """Answer a command about knowledge that is there already, as a line of a dialogue asks.

        Parameters
        ----------
        ask
            What is known; the answer is printed. A command that the game has in place of the
            generic one reads the log of this name; under assumptions or with doubts, which it does
            not know, the generic one answers.
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
        name = (command and command.name) or name  # of two names, that of the function
        doubted_or_assumed = ask.knowledge.doubts is not None or ask.knowledge.assumed
        beyond_log = doubted_or_assumed and name != "convert"
        if beyond_log and name not in self._functions:
            raise BadInput(f"{name} takes the log as it is, without what-if and --slips")
        if command is None or command is self._made.get(name) or beyond_log:
            function = self._functions[name]
            own = list(reversed(getattr(function, "__click_params__", [])))
            command = click.Command(name, params=own, callback=partial(function, ask))
            one = sum(isinstance(param, click.Argument) for param in own) == 1
            if one and words and not any(word.startswith("--") for word in words):
                words = [" ".join(words)]  # a claim with blanks
        else:
            first = next(param for param in command.params if isinstance(param, click.Argument))
            log = [ask.source]
            words = [*log, *words] if isinstance(first.type, click.Path) else [*words, *log]
        try:
            with command.make_context(name, list(words), parent=context) as inner:
                command.invoke(inner)
        except click.ClickException as error:
            message = error.format_message()
            help_ = self._made[name].help if name in self._made else command.help
            example = (help_ or "").partition("Example:")[2].partition("\n")[0]
            if isinstance(error, click.MissingParameter) and example:
                message += f" For example:{example}"
            raise BadInput(message) from None
        except click.exceptions.Exit:
            pass

    def in_words(self, text: str) -> str:
        """Return a text with the words of the game in place of ``GAME``, ``EXAMPLE`` and so on."""
        look = self.look
        name = look.example.partition("=")[0]
        text = text.replace(r"\b", "\b")  # click's mark; docstrings with a backslash are raw
        for token, word in (
            ("GAME", self.entry.name),
            ("OPTIONS ", look.new),
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
            param.metavar = self.in_words(param.metavar)
        if isinstance(param, click.Option) and param.help:
            param.help = self.in_words(param.help)
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
