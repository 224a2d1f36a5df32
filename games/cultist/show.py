"""Pictures in text: the board, a turn as a sentence, a turn on the board."""

from __future__ import annotations

from collections.abc import Callable

from deduce.text import visible
from games.cultist.board import FLOOR, HEIGHT, NOWHERE, WIDTH, tile_at, x_of, y_of
from games.cultist.replay import Replay
from games.cultist.rules import is_over
from games.cultist.state import CONVERT, LEADERS, MOVE, NEUTRAL, SHOOT, State
from games.cultist.turns import Turn

__all__ = ["SIDES", "Paint", "board_text", "bullet_tiles", "sentence", "turn_text", "verdict"]

SIDES = ("A", "B", "n")
"""How pictures mark the owner of a unit: side 0, side 1, nobody."""

Paint = Callable[[str, int], str]
"""Gives a piece of text the colour of an owner."""


def _plain(text: str, owner: int) -> str:
    return text


def board_text(state: State, *, marks: dict[int, str] | None = None, paint: Paint = _plain) -> str:
    """Return the board as a picture in text, with a line per side on its hit points.

    ``A`` is side 0, ``B`` side 1, ``n`` a neutral, ``*`` a leader, ``#`` an obstacle.

    Parameters
    ----------
    marks
        Characters for tiles without a unit, such as a bullet's path.
    paint
        Colours the text of a unit by its owner.

    Examples
    --------
    >>> from games.cultist.maps import new_state
    >>> print(board_text(new_state(0)).splitlines()[5])
      3 A0* .   .   .   .   .   .   .   .   .   .   .   B1*
    """
    marks = marks or {}
    standing = {tile: unit for unit, tile in enumerate(state.tiles) if tile != NOWHERE}
    rows = ["    " + "".join(f"{x:<4}" for x in range(WIDTH)).rstrip()]
    for y in range(HEIGHT):
        cells = []
        for x in range(WIDTH):
            tile = tile_at(x, y)
            if tile in standing:
                owner = state.owners[standing[tile]]
                cells.append(paint(f"{_name(standing[tile], owner):<4}", owner))
            else:
                floor = "." if state.board.grid[y][x] == FLOOR else "#"
                cells.append(f"{marks.get(tile, floor):<4}")
        rows.append(f"{y:>3} " + "".join(cells).rstrip())
    return "\n".join([_heading(state), *rows, *_hit_points(state, paint)])


def _name(unit: int, owner: int) -> str:
    return f"{SIDES[owner]}{unit}" + ("*" if unit in LEADERS else "")


def _heading(state: State) -> str:
    first, second = state.counts
    score = f"A {first} : {second} B"
    if is_over(state):
        verdict = "draw" if first == second else f"{'A' if first > second else 'B'} wins"
        return f"after turn {state.turn - 1}, game over, {verdict}, {score}"
    return f"turn {state.turn}, {SIDES[state.player]} to move, {score}"


def _hit_points(state: State, paint: Paint) -> list[str]:
    rows = []
    for owner, side in enumerate(SIDES):
        alive = [f"{unit.id}:{unit.hp}" for unit in state.units if unit.owner == owner and unit.hp]
        label = f"{side} (neutral)" if owner == NEUTRAL else side
        rows.append(paint(f"{label} hit points  {' '.join(alive) or 'none alive'}", owner))
    return rows


def sentence(turn: Turn) -> str:
    """Return what happened in a turn in one line.

    Examples
    --------
    >>> from games.cultist.maps import new_state
    >>> from games.cultist.turns import play_turn
    >>> sentence(play_turn(new_state(0), "0 MOVE 12 3"))
    'A0 moves to (1, 3) [0 MOVE 12 3]; neutral 5 moves to (3, 3)'
    """
    verb, unit, target = turn.action
    side = SIDES[turn.before.player]
    if verb == MOVE:
        done = f"{side}{unit} moves to {_place(target)}"
    elif verb == SHOOT:
        done = f"{side}{unit} shoots at {_who(turn.before, target)}{_outcome(turn)}"
    elif verb == CONVERT:
        done = f"{side}{unit} converts {_who(turn.before, target)}"
    else:
        done = f"{side} waits"
    if turn.order.strip() != str(turn.action):
        done += f" [{visible(turn.order.strip())}]"
    mover = turn.step.mover
    if mover is not None:
        done += f"; neutral {mover} moves to {_place(turn.after.tiles[mover])}"
    return done


def _outcome(turn: Turn) -> str:
    hit = turn.hit
    if hit is None:
        return ""
    if hit.unit is None:
        return f", the obstacle at {_place(hit.tile)} stops it"
    left = turn.middle.hp[hit.unit]
    whom = "" if hit.unit == turn.action.target else f" hits {_who(turn.before, hit.unit)},"
    fate = f"{left} hp left" if left else "dead"
    return f",{whom} damage {hit.damage}, {fate}"


def _who(state: State, unit: int) -> str:
    owner = state.owners[unit]
    return f"neutral {unit}" if owner == NEUTRAL else f"{SIDES[owner]}{unit}"


def _place(tile: int) -> str:
    return f"({x_of(tile)}, {y_of(tile)})"


def bullet_tiles(turn: Turn) -> list[int]:
    """Return the tiles that the turn's bullet passed before it hit, none without a shot."""
    if turn.hit is None:
        return []
    tiles = turn.before.tiles
    passed, _ = turn.before.board.lines[tiles[turn.action.unit]][tiles[turn.action.target]]
    return list(passed[: passed.index(turn.hit.tile)] if turn.hit.tile in passed else passed)


def turn_text(turn: Turn, *, paint: Paint = _plain) -> str:
    """Return the sentence of a turn and the board after it, a bullet's way marked with ``+``."""
    marks = dict.fromkeys(bullet_tiles(turn), "+")
    if turn.hit is not None and turn.after.board.is_floor(turn.hit.tile):
        marks[turn.hit.tile] = "X"  # seen only where the unit hit is gone
    elif turn.hit is not None:
        marks[turn.hit.tile] = "#X"
    picture = board_text(turn.after, marks=marks, paint=paint)
    return f"turn {turn.before.turn}: {sentence(turn)}\n{picture}"


def verdict(replay: Replay) -> str:
    """Return how the game ended, in one line."""
    if replay.scores is None:
        return f"not finished: turn {replay.final.turn} is next"
    first, second = replay.scores
    who = "draw" if replay.winner is None else f"{SIDES[replay.winner]} wins"
    why = "" if replay.fault is None else f" ({visible(replay.fault.reason)})"
    return f"{who}, {first} : {second}{why}"
