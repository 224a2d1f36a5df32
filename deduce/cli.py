"""The command line: commands of the house, and one group per installed game, loaded when used."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from textwrap import wrap
from typing import Any, NoReturn, cast

import click
from click.shell_completion import CompletionItem

from deduce import __version__
from deduce.completion import SHELLS, script
from deduce.errors import BadInput, Contradiction, DeduceError, Undecided, Unsupported
from deduce.exits import EXIT_NO, EXIT_UNDECIDED, EXIT_UNREADABLE, EXIT_USAGE, EXIT_YES

__all__ = [
    "Commands",
    "main",
]

LATE = {"search": ("deduce.search.cli:search", "Search a game in which nothing is hidden.")}
"""Commands of the house that are imported when they run: where they are, and their help."""


INTERRUPTED, BROKEN_PIPE = 130, 141
"""What shells give for programs ended by Ctrl-C or by a closed pipe."""


class Commands(click.Group):
    """A group whose game commands come from the registry and are imported when they run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the house's own commands, then the games."""
        from deduce import registry

        return [*super().list_commands(ctx), *LATE, *registry.names()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, importing the game's group if it is a game."""
        from deduce import registry

        if cmd_name in LATE:
            return cast(click.Command, registry.load(LATE[cmd_name][0]))
        own = super().get_command(ctx, cmd_name)
        if own is not None or cmd_name not in registry.names():
            return own
        return _game_group(cmd_name)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that has seen enough ends it quietly."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _close_stdout()
            return ctx.exit(BROKEN_PIPE)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of a line; for an unknown one, name the nearest."""
        known = ctx.resilient_parsing or not args or args[0].startswith("-")
        if not known and self.get_command(ctx, args[0]) is None:
            from deduce.text import nearest

            hint = nearest(args[0], self.list_commands(ctx))
            ctx.fail(f"there is no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Return the commands, games and options that begin so, importing no game's commands."""
        from deduce import registry

        helps = {name: own.get_short_help_str(70) for name, own in sorted(self.commands.items())}
        helps |= {name: summary for name, (_, summary) in LATE.items()}
        helps |= {name: _summary(name) for name in registry.names()}
        found = [CompletionItem(n, help=helps[n]) for n in helps if n.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the house's commands with their help and the games by name, importing none."""
        from deduce import registry

        own = [
            (name, command.get_short_help_str(70))
            for name, command in sorted(self.commands.items())
        ] + [(name, summary) for name, (_, summary) in LATE.items()]
        with formatter.section("Games (deduce GAME --help)"):
            width = formatter.width - formatter.current_indent
            for line in wrap(", ".join(registry.names()), width, break_on_hyphens=False):
                formatter.write(f"{'':{formatter.current_indent}}{line}\n")
        with formatter.section("Commands"):
            formatter.write_dl(own)


def _summary(name: str) -> str:
    """Return what a game is, or why it cannot be loaded."""
    from deduce import registry

    try:
        return registry.find(name).summary
    except Unsupported as error:
        return f"(broken: {error})"


def _game_group(name: str) -> click.Command:
    from deduce import registry

    entry = registry.find(name)
    if entry.commands:
        return cast(click.Command, registry.load(entry.commands))
    from deduce.commands import commands_for

    return commands_for(entry)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="deduce")
def cli() -> None:
    """Exact deduction for games with hidden information, and search for games without.

    \b
    Example:  deduce cluedo sheet game.cluedo
              deduce cluedo why rope=Ann game.cluedo
              deduce games --examples              files to try commands on

    Exit codes: 0 yes, 1 no, 2 wrong usage, 3 unreadable input, 4 undecided.
    """  # noqa: D301 (click reads the backspace)


@cli.command("games")
@click.option("--examples", is_flag=True, help="Show the example files instead, with their paths.")
def list_games(*, examples: bool) -> None:
    """List the installed games, built in or added by other packages.

    \b
    Example:  deduce games
              deduce games --examples | grep cluedo
    """  # noqa: D301 (click reads the backspace)
    from deduce import registry

    if examples:
        for path in registry.examples():
            click.echo(path)
        return

    names = registry.names()
    width = max(map(len, names), default=0)
    for name in names:
        click.echo(f"{name:<{width}}  {_summary(name)}")


@cli.command("completion")
@click.argument("shell", metavar="SHELL", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script that completes commands with the Tab key.

    \b
    Example:  eval "$(deduce completion bash)"

    SHELL is bash, zsh or fish. Commands, options, files and names are completed as long as the
    shell runs. To have it always, say once:

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
@click.option("--limit", default=20, show_default=True, help="Print at most so many differences.")
def replay_cases(files: tuple[str, ...], limit: int) -> None:
    """Replay recorded case files and compare every expected field.

    \b
    Example:  deduce cases tests/data/cluedo_exact.json

    A FILE is JSON with the kind of its cases; docs/games tells of each game. Prints each
    difference (case, field, expected, found) and last a line "N passed, M failed".
    Exit code 1 if any case failed, 3 if a file cannot be read, 4 after Ctrl-C.
    """  # noqa: D301 (click reads the backspace)
    from deduce.cases import replay

    passed = failed = shown = 0
    skipped: dict[str, int] = {}
    exit_code = EXIT_YES
    try:
        for result in (result for file in files for result in replay(Path(file))):
            if result.differences:
                failed += 1
            else:
                passed += 1
            for name in result.skipped:
                skipped[name] = skipped.get(name, 0) + 1
            for difference in result.differences:
                shown += 1
                if shown <= limit:
                    click.echo(f"{result.case}: {difference}")
    except KeyboardInterrupt:
        click.echo("stopped before the last case", err=True)
        exit_code = EXIT_UNDECIDED
    if shown > limit:
        click.echo(f"... and {shown - limit} more differences (--limit shows more)")
    for name, times in sorted(skipped.items()):
        click.echo(f"not compared in this version: {name} ({times} cases)")
    click.echo(f"{passed} passed, {failed} failed")
    sys.exit(EXIT_NO if failed else exit_code)


def main(args: list[str] | None = None) -> NoReturn:
    """Run the command line; every error of the family becomes one line and an exit code.

    So does an answer that cannot be written, as to a full disk: exit code 3. A reader that has seen
    enough (``| head``) ends the command quietly with 141, Ctrl-C with 130, as shells expect.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a name may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(args, prog_name="deduce", standalone_mode=False)
        sys.exit(code if type(code) is int else EXIT_YES)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _fail("interrupted", "nothing more is shown", INTERRUPTED)
    except BadInput as error:
        _fail("error", error, EXIT_UNREADABLE)
    except Undecided as error:
        _fail("undecided", error, EXIT_UNDECIDED)
    except Contradiction as error:
        _fail("contradiction", error, EXIT_NO)
    except DeduceError as error:
        _fail("error", error, EXIT_USAGE)
    except OSError as error:
        _close_stdout()
        _fail("error", f"the answer cannot be written: {error.strerror}", EXIT_UNREADABLE)


def _close_stdout() -> None:
    """Throw away what is left in the buffer: it would fail once more at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(kind: str, error: object, code: int) -> NoReturn:
    from deduce.text import visible

    with suppress(OSError):
        click.echo(visible(f"{kind}: {error}"), err=True)
    sys.exit(code)
