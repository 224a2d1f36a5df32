"""The commands of Propreantepenultimate Card, each imported when it is used."""

from __future__ import annotations

import click

from deduce.commands.lazy import LazyGroup

__all__ = ["propre"]

COMMANDS = {
    "play": ("play:play", "Play against computers."),
    "options": ("options:options", "List the options, and why the other cards are refused."),
    "unseen": ("options:unseen", "Show where the unseen cards may be, and how probably."),
    "solve": ("solve:solve", "Solve a position with open hands."),
    "advise": ("solve:advise", "Compare the options of a player with hidden opponents."),
    "simulate": ("simulate:simulate", "Let computers play against each other."),
}
"""Where each command is below ``games.propre.commands``, and its summary."""


@click.group("propre", cls=LazyGroup, context_settings={"help_option_names": ["--help", "-h"]})
def propre() -> None:
    """Propreantepenultimate Card: play, solve, and compare options.

    \b
    Examples:  deduce propre play
               deduce propre options 'hands 2H 6H / 6S AH; pile AS; FC false'
               deduce propre solve --deal '6H 2H 6S AH AS 2S' --set hand=2
               deduce propre advise 'hands 2H 5D 7C 9S TS JD KC / 7; pile 4H'
               deduce propre simulate greedy random --games 100

    `deduce search propre` has trees, graphs and every solver for open hands.
    """  # noqa: D301 (click reads the backspace)


for _name, (_place, _summary) in COMMANDS.items():
    propre.add_lazy(_name, f"games.propre.commands.{_place}", _summary)
