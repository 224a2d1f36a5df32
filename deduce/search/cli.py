"""The command ``deduce search GAME``: the commands that every perfect-information game has.

The small classics have the same commands under their own names (``deduce nim solve``).
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click
from click import Option
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from deduce.cli.lazy import LazyGroup
from deduce.errors import BadInput
from deduce.search.commands import COMMANDS, Position
from deduce.search.game import Extra, hook

__all__ = ["game_command", "search"]

WHERE = (
    Option(["--set", "settings"], multiple=True, metavar="NAME=VALUE", help="Set up the game."),
    Option(["--state"], metavar="TEXT", help="Begin at this state."),
    Option(["--after"], multiple=True, metavar="ACTIONS", help="Begin after these actions."),
)

STATES = """A state is given by --state (the game's own text, @FILE, or - for standard input), by
--after with actions separated by semicolons, or by both."""

EXIT_CODES = """Exit codes: 0 answered, 1 the goal cannot be reached, 2 wrong usage, 3 unreadable
state or action, 4 not decided within the limits. Ctrl-C prints the best result so far."""


def _examples(path: str, *examples: str) -> str:
    lines = [f"deduce {path} {example}".rstrip() for example in examples]
    return "\b\n" + "\n".join(
        f"{'Example:  ' if i == 0 else '          '}{line}" for i, line in enumerate(lines)
    )


def _parameters(name: str) -> list[click.Parameter]:
    """Return the parameters of a command, beside those that name the state."""
    return list(reversed(COMMANDS[name].__click_params__))  # type: ignore[attr-defined]


def _run(game_name: str, command: str, options: dict[str, Any]) -> None:
    """Read the game and the state, and run a command with the options that it has."""
    from deduce.search.load import load_game, read_state

    try:
        game = load_game(game_name, options["settings"])
    except BadInput as error:
        raise click.UsageError(str(error)) from error
    state = read_state(game, options["state"], options["after"])
    name = " ".join([game_name, *sorted(options["settings"])])
    chosen = {str(param.name): options[str(param.name)] for param in _parameters(command)}
    COMMANDS[command](Position(game, state, name), **chosen)


class _GameGroup(LazyGroup):
    """The commands about one game; without a command, the state and its actions."""

    def __init__(self, name: str, summary: str, path: str) -> None:
        examples = ("", "solve", "best --time-limit 2 --json", "graph tree.svg --depth 2", "play")
        own = {p.name: p for command in COMMANDS for p in _parameters(command)}
        others = [option for option in own.values() if isinstance(option, Option)]
        super().__init__(
            name,
            help=f"{summary}\n\n{_examples(path, *examples)}\n\n"
            f"Without a command, the state and its actions are shown.\n{STATES}\n\n{EXIT_CODES}",
            params=[*WHERE, *map(_hidden, others)],
            callback=self._run,
            invoke_without_command=True,
        )
        self.game_name = name
        for command in COMMANDS:
            self.add_command(self._command(command, path))

    def _command(self, name: str, path: str) -> click.Command:
        text = inspect.getdoc(COMMANDS[name]) or ""
        own = _parameters(name)
        arguments = [param for param in own if isinstance(param, click.Argument)]
        return click.Command(
            name,
            callback=lambda **options: _run(self.game_name, name, options),
            params=[*arguments, *WHERE, *(param for param in own if param not in arguments)],
            help=text.replace(r"\b", "\b").replace("GAME", path),
            epilog=f"{STATES} 'deduce {path} --help' shows what they look like.",
            # so that `goal -1` is a number and not an option
            context_settings={"ignore_unknown_options": name == "goal"},
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read a line in which a command may be an option such as ``--solve``, as before 0.2."""
        for index, argument in enumerate(args):
            flag, _, value = argument.partition("=")
            if flag.startswith("--") and flag[2:] in COMMANDS:
                later = args[index + 1 :]
                takes = isinstance(_parameters(flag[2:])[0], click.Argument)
                beside = [*args[:index][:1], *([] if takes else later[:1])]
                for other in (*beside, *(each for each in later if each.startswith("--"))):
                    other, _, _ = other.partition("=")
                    if other.removeprefix("--") in COMMANDS:
                        raise click.UsageError(f"{flag} and {other} cannot be combined", ctx)
                args = [flag[2:], *args[:index], *([value] if value else []), *args[index + 1 :]]
                break
        return super().parse_args(ctx, args)

    def _run(self, **options: object) -> None:
        """Run what the options of the group ask for, or prepare the command that follows them."""
        ctx = click.get_current_context()
        command = ctx.invoked_subcommand
        if command is None:
            _run(self.game_name, "show", options)
            return
        given = {
            name: value
            for name, value in options.items()
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        }
        # Options before the command become defaults of its options of the same name.
        ctx.default_map = {command: given}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what settings, states and actions of the game look like."""
        try:
            rows = _appearance(self.game_name)
        except BadInput as error:
            raise click.UsageError(str(error)) from error
        if rows:
            with formatter.section("What they look like"):
                formatter.write_dl(rows)


def _appearance(name: str) -> list[tuple[str, str]]:
    """Return examples of what can be typed for a game."""
    from deduce.search.game import outcomes_of, text_of_state
    from deduce.search.load import action_texts, load_game, settings_of

    rows = [("--set", f"{key}={value}") for key, value in settings_of(name).items()]
    with suppress(BadInput):
        game = load_game(name)
        state = game.initial_state()
        if hook(game, Extra.parse_state):
            rows.append(("--state", repr(text_of_state(game, state))))
        outcomes = outcomes_of(game, state)
        if outcomes is not None:
            rows.append(("--after", f"1 to {len(outcomes)}, the number of chance's outcome"))
            state = outcomes[0][0]
        actions = list(action_texts(game, state))
        rows.append(("--after", f"{actions[0]!r}; actions here are: {'; '.join(actions[:4])}"))
    return [(left, right if len(right) <= 60 else right[:60] + "…") for left, right in rows]


def _hidden(option: Option) -> Option:
    """Return an option before a command; all but ``--json`` are only in the help of commands."""
    twin = copy.copy(option)
    twin.hidden = option.name != "as_json"
    return twin


def game_command(name: str, summary: str) -> click.Group:
    """Return the commands of a game in which nothing is hidden."""
    return _GameGroup(name, f"{summary.rstrip('.')}.", name)


class _Search(click.Group):
    """The command ``deduce search``: the first word is a game, the rest a command about it."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the commands of the game that the line names."""
        name = args[0]
        if name.startswith("-"):  # options before GAME
            words = [each for each in args if not each.startswith("-") and each not in COMMANDS]
            if not words:
                raise click.UsageError("Missing argument 'GAME'.", ctx)
            name = next((each for each in words if each in _searchable()), words[-1])
        args.remove(name)
        return name, _GameGroup(name, f"Search the game {name}.", f"search {name}"), args

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands and the games."""
        with formatter.section("Commands"):
            rows = [(name, str(run.__doc__).partition("\n")[0]) for name, run in COMMANDS.items()]
            formatter.write_dl(rows)
        with formatter.section("Games"), formatter.indentation():
            formatter.write_text(", ".join(_searchable()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Return the games that begin with a text."""
        names = [name for name in _searchable() if name.startswith(incomplete)]
        return [*map(CompletionItem, names), *click.Command.shell_complete(self, ctx, incomplete)]


def _searchable() -> Sequence[str]:
    """Return the names of the installed games in which nothing is hidden."""
    from deduce.system import registry

    return [entry.name for entry in registry.games() if entry.search]


@click.group(
    cls=_Search,
    options_metavar="",
    subcommand_metavar="GAME [COMMAND] [OPTIONS]...",
    context_settings={"ignore_unknown_options": True},
)
def search() -> None:
    """Search a game in which nothing is hidden.

    \b
    Example:  deduce search tic-tac-toe
              deduce search tic-tac-toe solve
              deduce search connect-four best --time-limit 2 --json
              deduce search nim graph tree.svg --depth 2 --set heaps=1,2

    Usage is deduce search GAME [COMMAND]. GAME is an installed game, or module:name for one of your
    own; COMMAND is one of those below. Without a command, the state and its actions are shown.
    """  # noqa: D301


search.help = f"{inspect.getdoc(search.callback)}\n\n{STATES}\n\n{EXIT_CODES}"
