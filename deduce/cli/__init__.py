"""The commands that every hidden game gets, as a click group made from its registration.

``commands_for(entry)`` is all that a game of another package needs. A game that wants more makes
the same group itself, with its own words and tables, and adds commands that are about a log too:

>>> import click
>>> from deduce.system.registry import find
>>> look = Look(variable="CARD", value="HOLDER", example="rope=Ann", log="game.cluedo")
>>> cluedo = GameCommands(find("cluedo"), look)
>>> @cluedo.on_log("first")
... @click.argument("number", type=int)
... def first(ask, number):
...     '''Print the first worlds.'''
...     for _, world in zip(range(number), ask.knowledge.worlds()):
...         ask.print(ask.look.world(ask.knowledge, world))
>>> sorted(cluedo.commands)[:5]
['advise', 'certain', 'check', 'convert', 'count']

A command returns ``False`` where the answer is no (exit code 1). Errors are left to
`deduce.cli.main`, which gives each its exit code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily

if TYPE_CHECKING:
    from deduce.cli.ask import Ask, Look
    from deduce.cli.group import GameCommands, commands_for

__all__ = ["Ask", "GameCommands", "Look", "commands_for"]

__getattr__, __dir__ = lazily(__name__)
