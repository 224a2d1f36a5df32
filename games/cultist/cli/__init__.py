"""``deduce cultist``: new, show, actions, analyse, play, bot, match, replay."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import get_args

import click

from deduce.cli.endings import EXIT_INTERRUPTED
from deduce.cli.lazy import LazyGroup
from deduce.cli.numbers import Seconds, whole_option
from deduce.cli.output import (
    json_line,
    json_option,
    new_file_argument,
    print_answer,
    print_json,
    write_or_print,
)
from deduce.errors import BadInput, placed
from deduce.system.files import read_text
from deduce.system.text import plural
from games.cultist.notation import format_state, parse_state, state_to_json
from games.cultist.rules import actions, is_over
from games.cultist.setup import Neutrals, State, new_state
from games.cultist.wording import Paint, board_text

__all__ = ["cultist", "neutrals_option", "paint", "seed_option"]

_COLOURS = ("bright_blue", "bright_red", "yellow")


def seed_option(help: str) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Return the option ``--seed``, whose help is ``help``."""
    return whole_option("--seed", default=0, help=help)


_neutrals = partial(
    click.option,
    "--neutrals",
    type=click.Choice(get_args(Neutrals)),
    help="How neutrals move: by the referee's generator, or at random, from slots or as stated.",
)
neutrals_option = _neutrals(default="referee", show_default=True)
_state_argument = click.argument("state", type=click.Path())
_state_neutrals = _neutrals(show_default="as in the STATE")


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["--help", "-h"]})
def cultist() -> None:
    """Cultist Wars: convert neutrals, shoot cultists, own more units after 150 turns.

    \b
    Example:  deduce cultist new --seed 3 state.txt
              deduce cultist analyse state.txt --time 1
              deduce cultist match alphabeta greedy --games 20

    STATE is a file, "-" for standard input, or the line of the state itself.
    """  # noqa: D301  (click reads the backspace)


def paint() -> Paint:
    """Return the function that colours units; it does nothing in a pipe or with NO_COLOR."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return lambda text, owner: text
    return lambda text, owner: click.style(text, fg=_COLOURS[owner])


@cultist.command()
@new_file_argument("STATE")
@seed_option(help="Seed of the map, a 64-bit integer.")
@neutrals_option
@json_option
def new(log: Path | None, seed: int, neutrals: Neutrals, *, as_json: bool) -> None:
    """Write the first state of the map of a seed into the file STATE, or print it.

    \b
    Example:  deduce cultist new --seed -5 --json
              deduce cultist new --neutrals statement

    The platform makes the same map from the same seed. A state in which neutrals move at random
    records this, and the other commands follow it.
    """  # noqa: D301  (click reads the backspace)
    state = new_state(seed, neutrals)
    write_or_print(log, json_line(state_to_json(state)) if as_json else format_state(state))


@cultist.command()
@_state_argument
@_state_neutrals
def show(state: str, neutrals: Neutrals | None) -> None:
    """Print the board of a state.

    \b
    Example:  deduce cultist new --seed 3 | deduce cultist show -

    STATE is a file, "-" for standard input, or the line of the state itself.
    """  # noqa: D301  (click reads the backspace)
    click.echo(board_text(_read_state(state, neutrals), paint=paint()))


@cultist.command("actions")
@_state_argument
@click.option("--all-shots", is_flag=True, help="Include shots at own units and neutrals.")
@_state_neutrals
@json_option
def list_actions(state: str, neutrals: Neutrals | None, *, all_shots: bool, as_json: bool) -> None:
    """Print the actions of the side to move, one per line.

    \b
    Example:  deduce cultist actions state.txt

    STATE is a file, "-" for standard input, or the line of the state itself.
    """  # noqa: D301  (click reads the backspace)
    before = _read_decision(state, neutrals)
    offered = [] if is_over(before) else [str(a) for a in actions(before, all_shots=all_shots)]
    document = {"schema": "deduce/cultist-actions/1", "player": before.player, "actions": offered}
    print_answer(document, offered or ["none, the game is over"], as_json=as_json)


@cultist.command("analyse")
@_state_argument
@click.option(
    "--time",
    "seconds",
    type=Seconds(0.001, open_below=False),
    help="Seconds of search. Default: 1.",
)
@whole_option("--depth", low=1, help="Maximum number of turns to look ahead.")
@_state_neutrals
@json_option
def analyse_state(
    state: str,
    seconds: float | None,
    depth: int | None,
    neutrals: Neutrals | None,
    *,
    as_json: bool,
) -> None:
    """Search a state and print the value of every action.

    \b
    Example:  deduce cultist analyse state.txt --time 5

    STATE is a file, "-" for standard input, or the line of the state itself. Values are those of
    the default bot's evaluation for the side to move: up to 100 per unit, and 10 000 or more for a
    game that is won. Where neutrals move at random, the search assumes that they stay where they
    are, so all values are estimates. Ctrl-C prints what is known so far and ends with exit code
    130.
    """  # noqa: D301  (click reads the backspace)
    from deduce.search import Limits
    from deduce.search.result import as_json as result_json
    from deduce.search.result import number
    from games.cultist.advice import analyse
    from games.cultist.game import CultistWars

    before = _read_decision(state, neutrals)
    if is_over(before):
        raise BadInput("the game is over: there is nothing to analyse")
    if seconds is None and depth is None:
        seconds = 1.0
    result = analyse(before, depth=depth, limits=Limits(seconds=seconds))
    if as_json:
        print_json(result_json(CultistWars(), result))
    else:
        click.echo(board_text(before, paint=paint()))
        side = before.player
        for action, value in sorted(
            result.root_values.items(), key=lambda item: -item[1].utilities[side]
        ):
            mark = "proved" if value.proved else "estimated"
            click.echo(f"{action!s:<14} {number(value.utilities[side]):>11}  {mark}")
        click.echo(f"best play: {', '.join(map(str, result.principal_variation))}")
        turns, states = plural(result.depth or 0, "turn"), plural(result.nodes, "state")
        click.echo(f"looked {turns} ahead, {states} in {result.seconds:.2f} s", err=True)
    if result.stopped == "interrupt":
        click.get_current_context().exit(EXIT_INTERRUPTED)


def _read_state(text: str, neutrals: Neutrals | None) -> State:
    """Return the state that a file, ``-`` or the text itself describes, perhaps as a variant."""
    if not text.strip():
        raise BadInput(
            'an empty STATE: give a file, "-" for standard input, or the line of a state'
        )
    source = None
    if not ({" ", "{"} & set(text.strip())) or _is_file(text):
        text, source = read_text(text)
    with placed(source=source):
        state = parse_state(text)
    return state if neutrals is None else state._replace(neutrals=neutrals)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # the line of a state is too long for the name of a file
        return False


def _read_decision(text: str, neutrals: Neutrals | None) -> State:
    """Return the state that a text describes, in which a side must be to move."""
    state = _read_state(text, neutrals)
    if state.chance:
        raise BadInput("chance moves next in this state; give a state in which a side moves")
    return state


for _name, _function, _summary in (
    ("play", "play", "Play against a bot in the terminal."),
    ("bot", "run_bot", "Run a bot that uses the platform's protocol."),
    ("match", "run_match", "Play a match of two bots and print the results."),
    ("replay", "show_replay", "Print a replay turn by turn, or write it as one HTML page."),
):
    cultist.add_lazy(_name, f"games.cultist.cli.games:{_function}", _summary)
