"""Text views: the board, a turn as a sentence, a turn with its board, the end of a game."""

from __future__ import annotations

from collections.abc import Callable

from deduce.system.language import Texts
from deduce.system.text import plural, visible
from games.cultist.events import Turn
from games.cultist.replay import Replay
from games.cultist.rules import is_over
from games.cultist.setup import (
    CONVERT,
    FLOOR,
    HEIGHT,
    LEADERS,
    MOVE,
    NEUTRAL,
    NOWHERE,
    OWNER_NAMES,
    SHOOT,
    WIDTH,
    Action,
    State,
    position,
    tile_at,
    x_of,
    y_of,
)

__all__ = [
    "Paint",
    "action_words",
    "board_text",
    "heading",
    "replay_text",
    "sentence",
    "turn_text",
    "variant_text",
    "verdict",
]

_say = Texts("cultist", "games")

Paint = Callable[[str, int], str]
"""Returns a text in the colour of an owner."""


def _plain(text: str, owner: int) -> str:
    return text


def action_words(action: Action) -> str:
    """Return an action in the language that is spoken, with columns and rows as pictures have them.

    >>> action_words(Action(SHOOT, 3, 1))
    'Cultist 3 shoots at leader 1'
    """
    verb, unit, target = action
    if verb == MOVE:
        kind = "leader" if unit in LEADERS else "cultist"
        return _say(f"move.{kind}", unit=unit, x=x_of(target), y=y_of(target))
    if verb == SHOOT:
        kind = "leader" if target in LEADERS else "cultist"
        return _say(f"shoot.{kind}", unit=unit, target=target)
    return _say("convert", unit=unit, target=target) if verb == CONVERT else _say("wait")


def board_text(state: State, *, marks: dict[int, str] | None = None, paint: Paint = _plain) -> str:
    """Return the board as text, with a line for the hit points of each owner.

    ``A`` is a unit of side 0, ``B`` of side 1, ``n`` a neutral, ``*`` a leader, ``#`` an obstacle.

    Parameters
    ----------
    state
        The state.
    marks
        Characters for tiles without a unit, for example the path of a bullet.
    paint
        Colours the text of a unit by its owner.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> print(board_text(new_state(0)).splitlines()[5])
      3 A0* .   .   .   .   .   .   .   .   .   .   .   B1*
    """
    marks = marks or {}
    units = {tile: unit for unit, tile in enumerate(state.tiles) if tile != NOWHERE}
    rows = ["    " + "".join(f"{x:<4}" for x in range(WIDTH)).rstrip()]
    for y in range(HEIGHT):
        cells = []
        for x in range(WIDTH):
            tile = tile_at(x, y)
            if tile in units:
                owner = state.owners[units[tile]]
                cells.append(paint(f"{_name(units[tile], owner):<4}", owner))
            else:
                floor = "." if state.board.grid[y][x] == FLOOR else "#"
                cells.append(f"{marks.get(tile, floor):<4}")
        rows.append(f"{y:>3} " + "".join(cells).rstrip())
    return "\n".join([heading(state), *rows, *_hit_points(state, paint)])


def _name(unit: int, owner: int) -> str:
    return f"{OWNER_NAMES[owner]}{unit}" + ("*" if unit in LEADERS else "")


def heading(state: State) -> str:
    """Return the turn, the side to move and the score, or the end of the game.

    It names the variant if neutrals move at random.
    """
    first, second = state.counts
    score = f"A {first} : {second} B{variant_text(state)}"
    if is_over(state):
        winner = "draw" if first == second else f"{'A' if first > second else 'B'} wins"
        return f"after turn {state.turn - 1}, game over, {winner}, {score}"
    return f"turn {state.turn}, {OWNER_NAMES[state.player]} to move, {score}"


def variant_text(state: State) -> str:
    """Return ``", neutrals: statement"`` or the like; nothing if they move as in the referee.

    >>> from games.cultist.setup import new_state
    >>> variant_text(new_state(0, "slots"))
    ', neutrals: slots'
    """
    return "" if state.neutrals == "referee" else f", neutrals: {state.neutrals}"


def _hit_points(state: State, paint: Paint) -> list[str]:
    rows = []
    for owner, side in enumerate(OWNER_NAMES):
        alive = [f"{unit.id}:{unit.hp}" for unit in state.units if unit.owner == owner and unit.hp]
        label = f"{side} (neutral)" if owner == NEUTRAL else side
        rows.append(paint(f"{label} hit points  {' '.join(alive) or 'none alive'}", owner))
    return rows


def sentence(turn: Turn) -> str:
    """Return one line about what happened in a turn.

    Examples
    --------
    >>> from games.cultist.setup import new_state
    >>> from games.cultist.events import play_turn
    >>> sentence(play_turn(new_state(0), "0 MOVE 12 3"))
    'A0 moves to (1, 3) [0 MOVE 12 3]; neutral 5 moves to (3, 3)'
    """
    verb, unit, target = turn.action
    side = OWNER_NAMES[turn.before.player]
    if verb == MOVE:
        text = f"{side}{unit} moves to {position(target)}"
    elif verb == SHOOT:
        text = f"{side}{unit} shoots at {_unit(turn.before, target)}{_outcome(turn)}"
    elif verb == CONVERT:
        text = f"{side}{unit} converts {_unit(turn.before, target)}"
    else:
        text = f"{side} waits"
    if turn.order.strip() != str(turn.action):
        text += f" [{visible(turn.order.strip())}]"
    mover = turn.step.mover
    if mover is not None:
        text += f"; neutral {mover} moves to {position(turn.after.tiles[mover])}"
    return text


def _outcome(turn: Turn) -> str:
    hit = turn.hit
    if hit is None:
        return ""
    if hit.unit is None:
        return f", the obstacle at {position(hit.tile)} stops it"
    left = turn.middle.hp[hit.unit]
    victim = "" if hit.unit == turn.action.target else f" hits {_unit(turn.before, hit.unit)},"
    rest = f"{left} hp left" if left else "dead"
    return f",{victim} damage {hit.damage}, {rest}"


def _unit(state: State, unit: int) -> str:
    owner = state.owners[unit]
    return f"neutral {unit}" if owner == NEUTRAL else f"{OWNER_NAMES[owner]}{unit}"


def turn_text(turn: Turn, *, paint: Paint = _plain) -> str:
    """Return the sentence of a turn and the board after it, with the path of a bullet as ``+``."""
    marks: dict[int, str] = {}
    if turn.hit is not None:
        marks = dict.fromkeys(turn.hit.passed, "+")
        # On floor it is visible only if the unit that was hit is dead.
        marks[turn.hit.tile] = "X" if turn.after.board.is_floor(turn.hit.tile) else "#X"
    board = board_text(turn.after, marks=marks, paint=paint)
    return f"turn {turn.before.turn}: {sentence(turn)}\n{board}"


def verdict(replay: Replay) -> str:
    """Return one line about the end of the game."""
    if replay.scores is None:
        return f"not finished: turn {replay.final.turn} is next"
    first, second = replay.scores
    winner = "draw" if replay.winner is None else f"{OWNER_NAMES[replay.winner]} wins"
    reason = "" if replay.fault is None else f" ({visible(replay.fault.reason)})"
    return f"{winner}, {first} : {second}{reason}"


def replay_text(replay: Replay) -> str:
    """Return the players, the end of the game, and its last board."""
    players = f"A: {replay.names[0]}, B: {replay.names[1]}, {plural(len(replay.orders), 'turn')}"
    return visible(f"{players}\n{verdict(replay)}\n{board_text(replay.final)}")
