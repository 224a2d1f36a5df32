"""Click groups of which some commands are imported only when they run or when their help is shown.

>>> group = LazyGroup("nim")
>>> group.add_lazy("search", "deduce.search.cli:search", "Search a game.")
>>> group.list_commands(click.Context(group))
['search']
"""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

from deduce.system.registry import Registration, load, rules_text
from deduce.system.text import listing

__all__ = ["LazyGroup", "rules_command"]

MAX_SUMMARY = 70
"""Characters of a summary that a shell shows beside a completion."""


class _Unloaded(click.Command):
    """A command before it is imported: its name, where it is, and its summary."""

    def __init__(self, name: str, path: str, summary: str) -> None:
        super().__init__(name, help=summary)
        self.path = path


class LazyGroup(click.Group):
    """A click group to which commands can be added by the name of their module."""

    def add_lazy(self, name: str, path: str, summary: str) -> None:
        """Add a command that is imported when it is used.

        Parameters
        ----------
        name
            The name of the command.
        path
            Where it is, as ``"module:attribute"``.
        summary
            What the list of commands shows: the first line of the command's help.
        """
        self.add_command(_Unloaded(name, path, summary))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command, imported if needed, or ``None``."""
        command = super().get_command(ctx, cmd_name)
        if isinstance(command, _Unloaded):
            self.add_loaded(cmd_name, load(command.path))
            command = super().get_command(ctx, cmd_name)
        return command

    def add_loaded(self, name: str, loaded: Any) -> None:
        """Add what the path of a lazy command named, once it is imported."""
        self.add_command(loaded, name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of a line; for an unknown one, name the nearest."""
        if ctx.resilient_parsing or not args or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        command = self.get_command(ctx, args[0])
        if command is None:
            ctx.fail(f"there is no command {args[0]!r}{self.hint(ctx, args[0])}")
        return args[0], command, args[1:]

    def hint(self, ctx: click.Context, name: str) -> str:
        """Return what may have been meant by an unknown command, to stand behind a message."""
        return listing(self.list_commands(ctx), name)

    def _summaries(self, limit: int) -> list[tuple[str, str]]:
        """Return the name and the summary of each visible command; imports none of them."""
        return [
            (name, command.get_short_help_str(limit))
            for name, command in sorted(self.commands.items())
            if not command.hidden
        ]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        limit = formatter.width - 6 - max(map(len, self.commands), default=0)
        with formatter.section("Commands"):
            formatter.write_dl(self._summaries(limit))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """Return the commands and options that begin with a text, without importing commands."""
        items = [
            CompletionItem(name, help=summary)
            for name, summary in self._summaries(MAX_SUMMARY)
            if name.startswith(incomplete)
        ]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]


def rules_command(entry: Registration) -> click.Command:
    """Return the command ``deduce GAME rules``."""

    def rules() -> None:
        click.echo(rules_text(entry))

    help_ = f"Print the rules of the game.\n\n\b\nExample:  deduce {entry.name} rules"
    return click.Command("rules", callback=rules, help=help_)
