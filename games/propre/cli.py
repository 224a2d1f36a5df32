"""The commands of Propreantepenultimate Card: play, options, unseen, solve, advise, simulate."""

from __future__ import annotations

import click

from games.propre.commands.look import options, unseen
from games.propre.commands.table import play, simulate
from games.propre.commands.think import advise, solve

__all__ = ["propre"]


@click.group("propre", context_settings={"help_option_names": ["-h", "--help"]})
def propre() -> None:
    """Propreantepenultimate Card: play, solve, and ask for advice.

    \b
    Examples:  deduce propre play
               deduce propre options 'hands 2H 6H / 6S AH; pile AS; FC false'
               deduce propre solve --deal '6H 2H 6S AH AS 2S' --set hand=2
               deduce propre advise 'hands 2H 5D 7C 9S TS JD KC / 7; pile 4H'
               deduce propre simulate greedy random --games 100

    `deduce search propre` brings trees, graphs and every solver for open hands.
    """  # noqa: D301 (click reads the backspace)


for command in (play, options, unseen, solve, advise, simulate):
    propre.add_command(command)
