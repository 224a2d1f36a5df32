"""Every command of every installed game, for the tests of help, completion and errors."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import click

from deduce.cli.main import cli

__all__ = ["COMMANDS", "context"]


@cache
def context(*names: str) -> click.Context:
    """The context of the command that the names lead to; the commands of a game are made once."""
    if not names:
        return click.Context(cli, info_name="deduce", **cli.context_settings)
    *above, name = names
    parent = context(*above)
    assert isinstance(parent.command, click.Group)
    command = parent.command.get_command(parent, name)
    assert command is not None, names
    return click.Context(command, info_name=name, parent=parent, **command.context_settings)


def _below(*names: str) -> Iterator[tuple[str, ...]]:
    yield names
    here = context(*names)
    if isinstance(here.command, click.Group):
        for name in here.command.list_commands(here):
            yield from _below(*names, name)


COMMANDS = tuple(_below())
"""The names that lead to each command and group, the root first."""
