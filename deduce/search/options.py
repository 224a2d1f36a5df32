"""The options and the help of ``deduce search``, imported at once with any game's command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from deduce.search.solvers.choose import SOLVERS

__all__ = ["HELP", "with_options"]

HELP = """{summary}

\b
Examples:  deduce {name} --solve
           deduce {name} --best --time-limit 2 --json
           deduce {name} --perft 4
           deduce {name} --graph tree.svg --depth 2
           deduce {name} --play

{about}Without a mode the position and its actions are shown.
A state is given by --state (the game's own text, @FILE, or - for the standard input), by --after
with actions parted by semicolons, or by both.

Exit codes: 0 answered, 1 the --goal cannot be reached, 2 wrong usage, 3 unreadable state or
action, 4 not decided within the limits. Ctrl-C gives the best so far.
"""

OPTIONS: list[Callable[[Any], Any]] = [
    click.option("--solve", is_flag=True, help="Prove the value of the state."),
    click.option("--best", is_flag=True, help="Find the best action in 5 seconds."),
    click.option("--perft", type=click.IntRange(0), metavar="D", help="Count lines of D plies."),
    click.option(
        "--graph",
        metavar="OUT",
        type=click.Path(),
        help="Draw (.svg .png .pdf), write Graphviz (.dot, -) or export (.graphml .gexf .json).",
    ),
    click.option("--tree", is_flag=True, help="Print the tree, --depth plies deep."),
    click.option("--play", is_flag=True, help="Play against the search."),
    click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set up the game."),
    click.option("--state", metavar="TEXT", help="Begin at this state."),
    click.option("--after", multiple=True, metavar="ACTIONS", help="Play these actions first."),
    click.option(
        "--solver",
        type=click.Choice(list(SOLVERS)),
        help="Use this solver, not the one that fits the game.",
    ),
    click.option("--goal", type=float, metavar="U", help="Ask if the mover can be sure of U."),
    click.option("--all", "all_values", is_flag=True, help="Value every action of the state."),
    click.option("--depth", type=click.IntRange(1), metavar="D", help="Plies to look or draw."),
    click.option("--symmetric", is_flag=True, help="Merge symmetric states in graphs."),
    click.option("--only-best", is_flag=True, help="Draw best actions only."),
    click.option(
        "--value",
        "values",
        type=float,
        multiple=True,
        help="Draw only states with this value for player 0.",
    ),
    click.option(
        "--time-limit",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="Stop after so many seconds.",
    ),
    click.option("--max-nodes", type=click.IntRange(1), metavar="N", help="Stop after N nodes."),
    click.option(
        "--seat",
        "seats",
        type=click.IntRange(0),
        multiple=True,
        help="The player you are; 0 if not given.",
    ),
    click.option("--seed", default=0, show_default=True, help="For everything random."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
]


def with_options(function: Callable[..., None]) -> Callable[..., None]:
    """Return the function with all the options of ``deduce search``."""
    for option in reversed(OPTIONS):
        function = option(function)
    return function
