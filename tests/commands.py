"""Every command of every installed game, for the tests of help, completion and errors."""

from __future__ import annotations

from collections.abc import Iterator

import click

from deduce.cli.main import cli

__all__ = ["COMMANDS", "context"]


def context(*names: str) -> click.Context:
    """The context of the command that the names lead to."""
    found = click.Context(cli, info_name="deduce", **cli.context_settings)
    for name in names:
        assert isinstance(found.command, click.Group)
        command = found.command.get_command(found, name)
        assert command is not None, names
        found = click.Context(command, info_name=name, parent=found, **command.context_settings)
    return found


def _below(*names: str) -> Iterator[tuple[str, ...]]:
    yield names
    here = context(*names)
    if isinstance(here.command, click.Group):
        for name in here.command.list_commands(here):
            yield from _below(*names, name)


COMMANDS = tuple(_below())
"""The names that lead to each command and group, the root first."""
