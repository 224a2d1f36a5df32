"""The command line: general commands, and one group per installed game, loaded when used."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NoReturn

import click
from attrs import evolve
from click.shell_completion import CompletionItem

from deduce import __version__
from deduce.cli.complete import SHELLS, VARIABLE, script
from deduce.cli.endings import (
    EXIT_BROKEN_PIPE,
    EXIT_FAILURE,
    EXIT_INTERRUPTED,
    EXIT_NO,
    EXIT_UNDECIDED,
    EXIT_UNREADABLE,
    EXIT_USAGE,
    EXIT_YES,
    Terminated,
    ending_by_signals,
    insisting,
)
from deduce.cli.lazy import LazyGroup, rules_command
from deduce.cli.numbers import whole_option
from deduce.cli.output import end_with, json_option, print_answer
from deduce.errors import (
    BadInput,
    BrokenPlugin,
    Contradiction,
    DeduceError,
    Interrupted,
    Undecided,
    Unsupported,
)
from deduce.system.language import of_system, speaking
from deduce.system.text import join, nearest

if TYPE_CHECKING:
    from deduce.system.registry import Registration

__all__ = [
    "Commands",
    "main",
]


class _Settings:
    """The options of the whole command line."""

    debug = False


class Commands(LazyGroup):
    """A group whose game commands come from the registry and are imported when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands that belong to no game, then the games."""
        from deduce.system import registry

        return [*super().list_commands(ctx), *registry.names()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, importing the game's group if it is a game."""
        from deduce.system import registry

        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        if registry.is_typed(cmd_name):
            return _game_group(evolve(registry.open_typed(cmd_name), name=cmd_name))
        return _game_group(registry.find(cmd_name)) if cmd_name in registry.names() else None

    def hint(self, ctx: click.Context, name: str) -> str:
        """Return what may have been meant by an unknown command, such as one of a game."""
        from deduce.system import registry

        hidden = next((entry.name for entry in registry.games() if entry.hidden), "")
        group = self.get_command(ctx, hidden)
        if isinstance(group, click.Group) and group.get_command(ctx, name) is not None:
            return f"; it is a command of each game: deduce GAME {name}"
        if Path(name).is_file():
            return f"; the file comes last: deduce solve {name}, or deduce GAME COMMAND {name}"
        return super().hint(ctx, name)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a reader that has seen enough ends it quietly."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            from deduce.cli.endings import failure_message, is_of_a_plugin

            if is_of_a_plugin(error):  # click would end the program without a word
                raise BrokenPlugin(failure_message(error, sys.argv)) from error
            _close_stdout()
            return ctx.exit(EXIT_BROKEN_PIPE)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Return the commands, games and options that begin so, importing no game's commands."""
        from deduce.system import registry

        games = [name for name in registry.names() if name.startswith(incomplete)]
        items = [CompletionItem(name, help=_described(name)["summary"]) for name in games]
        return [*items, *super().shell_complete(ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the games by name and the other commands with their summaries, importing none."""
        from deduce.system import registry

        with formatter.section("Games (deduce GAME --help)"):
            width = formatter.width - formatter.current_indent
            for line in wrap(", ".join(registry.names()), width, break_on_hyphens=False):
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")
        super().format_commands(ctx, formatter)


def _described(name: str) -> dict[str, str]:
    """Return name, summary and purpose of a game; in place of a summary, why it is broken."""
    from deduce.system import registry

    try:
        entry = registry.find(name)
        return {"name": name, "summary": entry.summary, "purpose": entry.purpose}
    except Unsupported as error:
        return {"name": name, "summary": f"(broken: {error})", "purpose": "guess"}


def _game_group(entry: Registration) -> click.Command:
    from deduce.system.registry import load

    if entry.commands:
        command: click.Command = load(entry.commands)
    elif entry.search and not entry.hidden:
        from deduce.search.cli import game_command

        command = game_command(entry.name, entry.summary)
    else:
        from deduce.cli import commands_for

        command = commands_for(entry)
    if isinstance(command, click.Group) and "rules" not in command.commands:
        command.add_command(rules_command(entry))
    return command


@click.group(cls=Commands, context_settings={"help_option_names": ["--help", "-h"]})
@click.version_option(__version__, prog_name="deduce")
@click.option("--debug", is_flag=True, help="Show the traceback of a failure.")
def cli(*, debug: bool) -> None:
    """Exact deduction for games with hidden information, and search for games without.

    \b
    Example:  deduce cluedo sheet game.cluedo
              deduce cluedo why rope=Ann game.cluedo
              deduce games --examples              files to try commands on

    Exit codes: 0 yes, 1 no, 2 wrong usage, 3 unreadable input, 4 undecided, 70 a failure of deduce
    or of a plug-in, 130 interrupted.
    """  # noqa: D301 (click reads the backspace)
    settings = click.get_current_context().ensure_object(_Settings)
    settings.debug = debug


cli.add_lazy("search", "deduce.search.cli:search", "Search a game in which nothing is hidden.")
cli.add_lazy(
    "soak", "deduce.cli.soak:soak_command", "Check generated logs and states of all games."
)
cli.add_lazy("audit", "deduce.audit.cli:audit_command", "Check puzzles that others have made.")
cli.add_lazy("solve", "deduce.audit.cli:solve", "Print what is certain in a problem in a file.")
cli.add_lazy("why", "deduce.audit.cli:why", "Print why a claim about a problem is certain.")
cli.add_lazy("steps", "deduce.audit.cli:steps", "Print how the answers of a problem follow.")
cli.add_lazy("puzzle", "deduce.audit.cli:puzzle", "Drop the clues that a puzzle does not need.")
cli.add_lazy("judge-steps", "deduce.audit.cli:judge_chain", "Find the first wrong step of a chain.")
cli.add_lazy("gym", "deduce.gym.cli:gym", "Episodes with exact rewards, for agents that deduce.")
cli.add_lazy("mcp", "deduce.audit.server:mcp_command", "Serve deduce as a tool for agents.")
cli.add_lazy("new-game", "deduce.cli.new_game:new_game", "Write a game of your own into one file.")
cli.add_lazy("site", "deduce.pages.cli:site", "Write the page as a static site that works offline.")
cli.add_lazy("app", "deduce.pages.cli:app", "Serve the page of a game on this computer.")
cli.add_lazy("link", "deduce.pages.cli:link", "Print the address that opens a log on the page.")


@cli.command("games")
@click.option("--examples", is_flag=True, help="Show the example files instead, with their paths.")
@json_option
def list_games(*, examples: bool, as_json: bool) -> None:
    """List the installed games, built in or added by other packages.

    \b
    Example:  deduce games
              deduce games --examples | grep cluedo
    """  # noqa: D301 (click reads the backspace)
    from deduce.system import registry

    if examples:
        paths = [str(path) for path in registry.examples()]
        print_answer({"schema": "deduce/examples/1", "examples": paths}, paths, as_json=as_json)
        return

    listed = [*map(_described, registry.names())]
    width = max((len(game["name"]) for game in listed), default=0)
    lines: list[str] = []
    for purpose, heading in registry.PURPOSES.items():
        rows = [game for game in listed if game["purpose"] == purpose]
        lines += [heading] * bool(rows)
        lines += [f"  {game['name']:<{width}}  {game['summary']}" for game in rows]
    print_answer({"schema": "deduce/games/1", "games": listed}, lines, as_json=as_json)


@cli.command("completion")
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script that completes commands with the Tab key.

    \b
    Example:  eval "$(deduce completion bash)"

    SHELL is bash, zsh or fish. Commands, options, files and names are completed in the current
    shell. To install it permanently, type once:

    \b
    bash  echo 'eval "$(deduce completion bash)"' >> ~/.bashrc
    zsh   echo 'eval "$(deduce completion zsh)"' >> ~/.zshrc     (after compinit)
    fish  deduce completion fish > ~/.config/fish/completions/deduce.fish

    Names of cards and players come from the log on the line, or else from the newest one in the
    folder. bash must be 4.4 or newer.
    """  # noqa: D301 (click reads the backspace)
    click.echo(script(shell, cli), nl=False)


@cli.command("cases")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@whole_option("--limit", low=0, default=20, help="Print at most this many differences.")
def replay_cases(files: tuple[str, ...], limit: int) -> None:
    """Replay recorded case files and compare every expected field.

    \b
    Example:  deduce cases tests/data/cluedo_exact.json

    FILE is a JSON file that states the kind of its cases. The command prints each difference (case,
    field, expected, found) and finally a line "N passed, M failed". A case that cannot be replayed
    fails, with the field, its value and what is expected there; the other cases still run, and so
    do the other files if one cannot be read.

    Exit code 1 if any case failed, 3 if a file cannot be read, 130 after Ctrl-C.
    """  # noqa: D301 (click reads the backspace)
    from traceback import print_exception

    from deduce.system.text import plural, visible
    from deduce.testing.cases import Report

    report = Report()
    interrupted = False
    try:
        with insisting():
            for file in files:
                for line in report.replay(Path(file)):
                    if report.shown <= limit:
                        click.echo(visible(line))
    except KeyboardInterrupt:
        interrupted = True
        click.echo("interrupted before the last case", err=True)
    if report.shown > limit:
        rest = plural(report.shown - limit, "more difference")
        click.echo(f"... and {rest} (--limit shows more)")
    for error in report.unreadable:
        click.echo(visible(f"error: {error}"), err=True)
    settings = click.get_current_context().find_object(_Settings)
    if settings is not None and settings.debug:
        for failure in report.failures:
            print_exception(failure)
    click.echo(f"{report.passed} passed, {report.failed} failed")
    if interrupted:
        end_with(EXIT_INTERRUPTED)
    end_with(EXIT_UNREADABLE if report.unreadable else EXIT_NO if report.failed else EXIT_YES)


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line; every error of the family becomes one line and an exit code.

    So does an answer that cannot be written, as to a full disk: exit code 3; and any other
    exception, a failure of ours or of a plug-in: exit code 70, also if it calls `sys.exit`. A
    reader that has closed the pipe (``| head``) ends the command quietly with 141, Ctrl-C with 130,
    as shells expect. SIGTERM and SIGHUP end it by that signal, worker processes included.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    settings = _Settings()
    code = EXIT_YES
    try:
        if sys.stdout is None:
            raise BadInput("the answer cannot be written: standard output is closed")
        run = partial(cli.main, args, prog_name="deduce", standalone_mode=False, obj=settings)
        with speaking(of_system(os.environ)):
            result: object = ending_by_signals(run)
        code = result if type(result) is int else EXIT_YES
    except Terminated as error:
        _close_stdout()
        error.end()
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.ctx:
            error = _with_what_would_be_right(error, error.ctx)
        error.show()
        code = error.exit_code
    except KeyboardInterrupt:
        _fail("interrupted", "nothing more is shown", EXIT_INTERRUPTED)
    except BadInput as error:
        _fail("error", error, EXIT_UNREADABLE)
    except Undecided as error:
        code = EXIT_INTERRUPTED if isinstance(error, Interrupted) else EXIT_UNDECIDED
        _fail("undecided", error, code)
    except Contradiction as error:
        _fail("contradiction", error.args[0], EXIT_NO)
    except BrokenPlugin as error:
        _fail("failure", error, EXIT_FAILURE)
    except DeduceError as error:
        _fail("error", error, EXIT_USAGE)
    except BaseException as error:  # SystemExit too: only a plug-in calls sys.exit
        if isinstance(error, SystemExit) and os.environ.get(VARIABLE):
            raise  # the completion of a command line is written by click
        from deduce.cli.endings import failure_message, is_of_a_plugin

        if isinstance(error, click.Abort) and not is_of_a_plugin(error):
            _fail("interrupted", "nothing more is shown", EXIT_INTERRUPTED)
        if isinstance(error, OSError) and not is_of_a_plugin(error):
            _close_stdout()
            _fail("error", f"the answer cannot be written: {error.strerror}", EXIT_UNREADABLE)
        if settings.debug:
            from traceback import print_exception

            print_exception(error)
        hint = "" if settings.debug else "; 'deduce --debug ...' shows the traceback"
        _fail("failure", failure_message(error, args or sys.argv) + hint, EXIT_FAILURE)
    sys.exit(code)


def _with_what_would_be_right(error: click.UsageError, ctx: click.Context) -> click.UsageError:
    """Return an error of click with what its message leaves out."""
    options = [param for param in ctx.command.params if isinstance(param, click.Option)]
    names = [max(option.opts, key=len) for option in options]
    message = error.format_message()
    if isinstance(error, click.NoSuchOption):
        near = [name for name in error.possibilities or () if nearest(error.option_name, [name])]
        known = ", ".join(names) or "--help"
        hint = f"Did you mean {join(near, 'or')}?" if near else f"Options: {known}."
        message = f"{error.message} {hint}"
    elif isinstance(error, click.MissingParameter) and isinstance(error.param, click.Option):
        message += f" {error.param.help}"
    elif "--state" in names and "unexpected extra argument" in message:
        message += "; a state is given by --state TEXT or --state @FILE"
    else:
        return error
    return click.UsageError(message, ctx)


def _close_stdout() -> None:
    """Throw away what is left in the buffer: it would fail once more at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(kind: str, error: object, code: int) -> NoReturn:
    from deduce.system.text import visible

    with suppress(OSError):
        click.echo(visible(f"{kind}: {error}"), err=True)
    sys.exit(code)
