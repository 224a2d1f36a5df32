"""The command ``deduce search GAME``: the commands that every perfect-information game has.

The small classics have the same commands under their own names (``deduce nim solve``).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click
from attrs import frozen
from click import Option
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from deduce.cli.lazy import LazyGroup
from deduce.cli.numbers import MAX_JOBS, Real, Seconds, Whole
from deduce.errors import BadInput
from deduce.search.game import Extra, hook
from deduce.search.solvers import SOLVERS

__all__ = ["game_command", "search"]

_FOLDER = click.Path(file_okay=False)
_OPTIONS = (
    Option(["--set", "settings"], multiple=True, metavar="NAME=VALUE", help="Set up the game."),
    Option(["--state"], metavar="TEXT", help="Begin at this state."),
    Option(["--after"], multiple=True, metavar="ACTIONS", help="Begin after these actions."),
    Option(
        ["--solver"],
        type=click.Choice(list(SOLVERS)),
        help="Use this solver, not the one that fits the game.",
    ),
    Option(["--all", "all_values"], is_flag=True, help="Value every action of the state."),
    Option(["--depth"], type=Whole(1), metavar="D", help="Search or draw D plies."),
    Option(["--solved"], is_flag=True, help="Solve the whole game, for all values."),
    Option(["--symmetric"], is_flag=True, help="Merge symmetric states."),
    Option(["--only-best"], is_flag=True, help="Draw best actions only."),
    Option(
        ["--value", "values"],
        type=Real(),
        multiple=True,
        metavar="U",
        help="Draw only states with this value for the first player.",
    ),
    Option(["--time-limit"], type=Seconds(), metavar="SECONDS", help="Stop after this time."),
    Option(["--max-nodes"], type=Whole(1), metavar="N", help="Stop after N nodes."),
    Option(
        ["--seat", "seats"],
        type=Whole(0),
        multiple=True,
        help="Your player, numbered from 0 (the default).",
    ),
    Option(
        ["--seed"],
        type=Whole(),
        default=0,
        show_default=True,
        help="The seed of all random choices.",
    ),
    Option(
        ["--to", "to_folder"],
        type=_FOLDER,
        metavar="DIR",
        help="Solve all states on disk, in this folder; the same command continues.",
    ),
    Option(
        ["--from", "from_folder"],
        type=_FOLDER,
        metavar="DIR",
        help="Use the solution in this folder.",
    ),
    Option(
        ["--memory"],
        default="1GB",
        show_default=True,
        metavar="SIZE",
        help="With --to: the memory of each process, such as 200MB.",
    ),
    Option(
        ["--jobs"],
        type=Whole(1, MAX_JOBS),
        default=1,
        show_default=True,
        metavar="N",
        help="With --to: how many processes.",
    ),
    Option(
        ["--scheduler"],
        metavar="ADDRESS",
        help="With --to: a Dask scheduler, instead of processes here.",
    ),
    Option(["--json"], is_flag=True, help="Print one JSON object."),
)
OPTIONS = {option.name or "": option for option in _OPTIONS}

WHERE = ("settings", "state", "after")
LIMITS = ("time_limit", "max_nodes")
DISK = ("to_folder", "memory", "jobs", "scheduler")


class _Utility(click.ParamType):  # type: ignore[type-arg]
    """A number; a mistyped option, which looks like a negative one, is named as an option."""

    name = "float"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            return float(value)
        except ValueError:
            if str(value).startswith("-"):
                known = [name for each in ctx.command.params for name in each.opts] if ctx else []
                raise click.NoSuchOption(str(value), possibilities=known, ctx=ctx) from None
            self.fail(f"{value!r} is not a number", param, ctx)


@frozen
class _Mode:
    """A command about a game."""

    help: str
    examples: tuple[str, ...]
    options: tuple[str, ...] = ()
    argument: click.Argument | None = None


MODES: dict[str, _Mode] = {
    "show": _Mode("Show the state and its actions.", ("show",), ("json",)),
    "solve": _Mode(
        "Prove the value of the state.\n\n"
        "With --to DIR, the values of all reachable states are computed on disk, "
        "even if the game does not fit into memory.\n\nExit code 4: not proved within the limits.",
        ("solve", "solve --solver alphabeta --all", "solve --to solved --memory 200MB"),
        ("solver", "all_values", "depth", "symmetric", *LIMITS, "seed", *DISK, "json"),
    ),
    "best": _Mode(
        "Find the best action within 5 seconds.\n\nProved values and estimates are marked as such.",
        ("best", "best --time-limit 2 --json"),
        ("solver", "all_values", "depth", "symmetric", *LIMITS, "seed", "json"),
    ),
    "probe": _Mode(
        "Look up a state in a solution on disk.\n\n"
        "STATE is the game's own text; the solution is what `solve --to DIR` wrote.",
        ("probe STATE --from solved",),
        ("from_folder", "json"),
        click.Argument(["position"], metavar="STATE"),
    ),
    "export": _Mode(
        "Write a solution on disk to a Parquet file, which DuckDB and pandas read.\n\n"
        "OUT is the file; the solution is what `solve --to DIR` wrote.",
        ("export all.parquet --from solved",),
        ("from_folder",),
        click.Argument(["parquet"], type=click.Path(dir_okay=False), metavar="OUT"),
    ),
    "goal": _Mode(
        "Prove whether the mover can be sure of a utility U.\n\n"
        "Exit codes: 0 yes, 1 no, 4 not decided within the limits.",
        ("goal 1",),
        (*LIMITS, "json"),
        click.Argument(["utility"], type=_Utility(), metavar="U"),
    ),
    "perft": _Mode(
        "Count the lines of play of D plies, split by the first action.",
        ("perft 4",),
        ("time_limit", "json"),
        click.Argument(["plies"], type=Whole(0), metavar="D"),
    ),
    "graph": _Mode(
        "Draw the first plies of the state graph, or export the whole graph.\n\n"
        "OUT ends in .svg, .png, .pdf or .dot (a drawing) or in .graphml, .gexf or .json (all "
        "states); - writes Graphviz text to standard output.",
        ("graph tree.svg --depth 2", "graph all.graphml"),
        ("depth", "solved", "values", "only_best", "symmetric", *LIMITS, "json"),
        click.Argument(["out"], type=click.Path(), metavar="OUT"),
    ),
    "tree": _Mode(
        "Print the tree below the state.",
        ("tree --depth 3", "tree --only-best"),
        ("depth", "only_best", *LIMITS),
    ),
    "play": _Mode(
        "Play against the search, which takes 1 second for a move.",
        ("play", "play --seat 1 --time-limit 5", "play --from solved"),
        ("seats", "from_folder", *LIMITS, "seed"),
    ),
}


STATES = """A state is given by --state (the game's own text, @FILE, or - for standard input), by
--after with actions separated by semicolons, or by both."""

EXIT_CODES = """Exit codes: 0 answered, 1 the goal cannot be reached, 2 wrong usage, 3 unreadable
state or action, 4 not decided within the limits. Ctrl-C prints the best result so far."""


def _examples(path: str, *examples: str) -> str:
    lines = [f"deduce {path} {example}".rstrip() for example in examples]
    return "\b\n" + "\n".join(
        f"{'Example:  ' if i == 0 else '          '}{line}" for i, line in enumerate(lines)
    )


def _run(game_name: str, mode: str, options: dict[str, Any]) -> None:
    """Read the game and the state, and run a command with the options that it has."""
    from deduce.search import commands
    from deduce.search.load import load_game, read_state

    try:
        game = load_game(game_name, options["settings"])
    except BadInput as error:
        raise click.UsageError(str(error)) from error
    state = read_state(game, options["state"], options["after"])
    own = MODES[mode].options
    argument = MODES[mode].argument
    names = (*own, *([argument.name or ""] if argument else []))
    chosen = {name: options[name] for name in names}
    if "to_folder" in own or "from_folder" in own:
        chosen["name"] = " ".join([game_name, *sorted(options["settings"])])
    getattr(commands, mode)(game, state, **chosen)


class _GameGroup(LazyGroup):
    """The commands about one game; without a command, the state and its actions."""

    def __init__(self, name: str, summary: str, path: str) -> None:
        examples = ("", "solve", "best --time-limit 2 --json", "graph tree.svg --depth 2", "play")
        visible = (*WHERE, "json")
        others = (option for name, option in OPTIONS.items() if name not in visible)
        super().__init__(
            name,
            help=f"{summary}\n\n{_examples(path, *examples)}\n\n"
            f"Without a command, the state and its actions are shown.\n{STATES}\n\n{EXIT_CODES}",
            params=[OPTIONS[name] for name in visible] + [*map(_hidden, others)],
            callback=self._run,
            invoke_without_command=True,
        )
        self.game_name = name
        for mode_name in MODES:
            self.add_command(self._command(mode_name, path))

    def _command(self, name: str, path: str) -> click.Command:
        mode = MODES[name]
        first, _, rest = mode.help.partition("\n\n")
        text = f"{first}\n\n{_examples(path, *mode.examples)}\n\n{rest}"
        return click.Command(
            name,
            callback=lambda **options: _run(self.game_name, name, options),
            params=[
                *([mode.argument] if mode.argument else []),
                *(OPTIONS[option] for option in (*WHERE, *mode.options)),
            ],
            help=text,
            epilog=f"{STATES} 'deduce {path} --help' shows what they look like.",
            # so that `goal -1` is a number and not an option
            context_settings={"ignore_unknown_options": name == "goal"},
        )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read a line in which a command may be an option such as ``--solve``, as before 0.2."""
        for index, argument in enumerate(args):
            flag, _, value = argument.partition("=")
            if flag.startswith("--") and flag[2:] in MODES:
                later = args[index + 1 :]
                beside = [*args[:index][:1], *([] if MODES[flag[2:]].argument else later[:1])]
                for other in (*beside, *(each for each in later if each.startswith("--"))):
                    other, _, _ = other.partition("=")
                    if other.removeprefix("--") in MODES:
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
    """Return an option before a command, which is listed only in the help of the command."""
    twin = copy.copy(option)
    twin.hidden = True
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
            words = [each for each in args if not each.startswith("-") and each not in MODES]
            if not words:
                raise click.UsageError("Missing argument 'GAME'.", ctx)
            name = next((each for each in words if each in _searchable()), words[-1])
        args.remove(name)
        return name, _GameGroup(name, f"Search the game {name}.", f"search {name}"), args

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands and the games."""
        with formatter.section("Commands"):
            rows = [(name, mode.help.partition("\n")[0]) for name, mode in MODES.items()]
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


search = _Search(
    "search",
    help="Search a game in which nothing is hidden.\n\n"
    + _examples(
        "search",
        "tic-tac-toe",
        "tic-tac-toe solve",
        "connect-four best --time-limit 2 --json",
        "nim graph tree.svg --depth 2 --set heaps=1,2",
    )
    + "\n\nUsage is deduce search GAME [COMMAND]. GAME is an installed game, or module:name for "
    "one of your own;\nCOMMAND is one of those below. Without a command, the state and its actions "
    f"are shown.\n\n{STATES}\n\n{EXIT_CODES}",
    options_metavar="",
    subcommand_metavar="GAME [COMMAND] [OPTIONS]...",
    context_settings={"ignore_unknown_options": True},
)
