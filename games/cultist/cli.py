"""``deduce cultist``: new, show, actions, play, bot, match, replay, analyse."""

from __future__ import annotations

import json
from pathlib import Path

import click

from deduce.errors import BadInput
from deduce.events import read_text
from games.cultist.cli_games import paint, play, run_bot, run_match, show_replay
from games.cultist.maps import new_state
from games.cultist.notation import format_state, parse_state, state_to_json
from games.cultist.rules import CultistWars, actions, is_over
from games.cultist.searchers import analyse
from games.cultist.show import board_text
from games.cultist.state import State

__all__ = ["cultist"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def cultist() -> None:
    """Cultist Wars: convert neutrals, shoot cultists, own more units after 150 turns.

    \b
    Example:  deduce cultist new --seed 3 > state.txt
              deduce cultist analyse state.txt --time 1
              deduce cultist match alphabeta greedy --games 20

    STATE is a file, "-" for standard input, or the state's line itself.
    """  # noqa: D301  (click reads the backspace)


@cultist.command()
@click.option("--seed", type=int, default=0, show_default=True, help="The map's seed, 64 bits.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def new(seed: int, *, as_json: bool) -> None:
    """Print the first state of the map that the platform draws for a seed.

    \b
    Example:  deduce cultist new --seed -5 --json
    """  # noqa: D301  (click reads the backspace)
    state = new_state(seed)
    click.echo(json.dumps(state_to_json(state)) if as_json else format_state(state))


@cultist.command()
@click.argument("state", type=click.Path())
def show(state: str) -> None:
    """Print the board of a STATE as text.

    \b
    Example:  deduce cultist new --seed 3 | deduce cultist show -
    """  # noqa: D301  (click reads the backspace)
    click.echo(board_text(_read_state(state), paint=paint()))


@cultist.command("actions")
@click.argument("state", type=click.Path())
@click.option("--all-shots", is_flag=True, help="Shots at own units and at neutrals too.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def list_actions(state: str, *, all_shots: bool, as_json: bool) -> None:
    """Print the actions of the side to move, one a line.

    \b
    Example:  deduce cultist actions state.txt

    STATE is a file, "-" for standard input, or the state's line itself.
    """  # noqa: D301  (click reads the backspace)
    read = _read_decision(state)
    found = [] if is_over(read) else [str(a) for a in actions(read, all_shots=all_shots)]
    if as_json:
        value = {"schema": "deduce/cultist-actions/1", "player": read.player, "actions": found}
        click.echo(json.dumps(value))
    else:
        click.echo("\n".join(found) if found else "none, the game is over")


@cultist.command("analyse")
@click.argument("state", type=click.Path())
@click.option("--time", "seconds", type=click.FloatRange(min=0.001), help="Seconds; 1 by default.")
@click.option("--depth", type=click.IntRange(min=1), help="Turns to look ahead at most.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def analyse_state(state: str, seconds: float | None, depth: int | None, *, as_json: bool) -> None:
    """Print what the default bot's search finds in a STATE, with the value of every action.

    \b
    Example:  deduce cultist analyse state.txt --time 5

    Values are those of the default bot's evaluation for the side to move: up to 100 a unit,
    10 000 and more for a game that is won. Ctrl-C prints what is known so far.
    """  # noqa: D301  (click reads the backspace)
    from deduce.search import Limits
    from deduce.search.result import as_json as result_json
    from deduce.search.result import number

    read = _read_decision(state)
    if is_over(read):
        raise BadInput("the game is over: there is nothing to analyse")
    if seconds is None and depth is None:
        seconds = 1.0
    found = analyse(read, depth=depth, limits=Limits(seconds=seconds))
    if as_json:
        click.echo(json.dumps(result_json(CultistWars(), found)))
        return
    click.echo(board_text(read, paint=paint()))
    side = read.player
    for action, known in sorted(
        found.root_values.items(), key=lambda item: -item[1].utilities[side]
    ):
        mark = "proved" if known.proved else "estimated"
        click.echo(f"{action!s:<14} {number(known.utilities[side]):>11}  {mark}")
    line = ", ".join(str(action) for action in found.principal_variation)
    click.echo(f"best play: {line}")
    click.echo(
        f"looked {found.depth} turns ahead, {found.nodes} states in {found.seconds:.2f} s", err=True
    )


def _read_state(text: str) -> State:
    """Return the state of a file's name, of ``-``, or of the line itself."""
    if not text.strip():
        raise BadInput('an empty STATE: give a file, "-" for standard input, or a state\'s line')
    source = None
    if not ({" ", "{"} & set(text.strip())) or _is_file(text):
        text, source = read_text(text)
    try:
        return parse_state(text)
    except BadInput as error:
        raise error.at(source=source) from None


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # a state's line is longer than names may be
        return False


def _read_decision(text: str) -> State:
    """Return the state, in which a side moves and not chance."""
    state = _read_state(text)
    if state.chance:
        raise BadInput("chance moves next in this state; give one in which a side moves")
    return state


for _command in (play, run_bot, run_match, show_replay):
    cultist.add_command(_command)
