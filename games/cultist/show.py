"""Views of states and replays: the board as SVG, and a replay as one HTML page.

The page needs no other file. Its board is drawn once; its script only moves, colours and hides the
units. Text that a person or a program may have written (names, orders, reasons) is escaped, and
does not occur in drawings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from string import Template
from typing import TypedDict

from deduce.show import svg
from deduce.system.display import register
from deduce.system.text import plural
from games.cultist.events import Turn
from games.cultist.notation import format_state
from games.cultist.replay import Replay
from games.cultist.setup import (
    FULL_HP,
    HEIGHT,
    LEADERS,
    NEUTRAL,
    NOWHERE,
    OBSTACLE,
    OWNER_NAMES,
    TILES,
    WIDTH,
    State,
    Unit,
    x_of,
    y_of,
)
from games.cultist.wording import board_text, heading, replay_text, sentence, variant_text, verdict

__all__ = [
    "BODIES",
    "FILLS",
    "Frame",
    "Shot",
    "bar_width",
    "board_html",
    "board_label",
    "board_svg",
    "frame",
    "replay_frame",
    "replay_page",
]


_ESCAPED = str.maketrans({sign: f"\\u{ord(sign):04x}" for sign in "<>&"})

CELL = 48
"""The width of a tile."""
_MARGIN = 22
FILLS = (*svg.SIDES, svg.UNOWNED)
"""The colours of the owners."""
BODIES = (
    "M 0 -17 A 17 17 0 1 1 -0.01 -17 Z",
    "M -15 -15 H 15 V 15 H -15 Z",
    "M 0 -19 L 19 0 L 0 19 L -19 0 Z",
)
"""The shapes of the owners, so that they differ in more than colour: circle, square, diamond."""
_CROWN = "M -9 -14 L -9 -23 L -4.5 -18.5 L 0 -25 L 4.5 -18.5 L 9 -23 L 9 -14 Z"
_BAR = 26


class Shot(TypedDict):
    """A shot: a line through the centres of the tiles that were passed, and its end."""

    points: str
    end: tuple[int, int]


class Frame(TypedDict):
    """One board of a replay, as the script of the page gets it."""

    turn: int
    label: str
    text: str
    units: list[tuple[int, int, int, int]]
    """For each unit the centre of its tile, its hit points and its owner."""
    shot: Shot | None
    score: tuple[int, int]


def board_svg(state: State, turn: Turn | None = None, *, tapped: bool = False) -> str:
    """Return the board as an SVG element.

    A unit of side 0 is a blue circle, of side 1 an orange square, and a neutral a grey diamond. A
    leader has a crown. The bar below a unit shows its hit points.

    Parameters
    ----------
    state
        The state.
    turn
        The turn that led to the state, if its shot is to be drawn as well.
    tapped
        Whether tiles have the parts of orders in ``data-action``: a unit, then a target.
    """
    width, height = WIDTH * CELL + _MARGIN + 4, HEIGHT * CELL + _MARGIN + 4
    shot = None if turn is None else _shot(turn)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cw-board" viewBox="0 0 {width} {height}"'
        f' role="img" aria-label="{escape(board_label(state))}"'
        f' style="width:100%;max-width:{width}px;font-family:system-ui,sans-serif">',
        svg.tag("title", board_label(state)),
        svg.tag("desc", format_state(state)),
        *_ground(state),
        *(_unit(unit) for unit in state.units),
        *(_controls(state) if tapped else [_shot_line(shot)]),
        "</svg>",
    ]
    return "".join(parts)


def board_label(state: State) -> str:
    """Return what screen readers say about the board."""
    first, second = state.counts
    units = plural(first, "unit")
    return f"Cultist Wars board, turn {state.turn}, {units} against {second}"


def _ground(state: State) -> list[str]:
    parts = []
    for y, row in enumerate(state.board.grid):
        for x, tile in enumerate(row):
            fill = "#4b4f57" if tile == OBSTACLE else ("#efece4" if (x + y) % 2 else "#f6f4ee")
            parts.append(
                f'<rect x="{_MARGIN + x * CELL}" y="{_MARGIN + y * CELL}" width="{CELL}" '
                f'height="{CELL}" fill="{fill}" stroke="#d5d0c4"/>'
            )
    style = 'font-size="11" fill="#777" text-anchor="middle"'
    columns = (f'<text x="{_centre(x)}" y="{_MARGIN - 7}" {style}>{x}</text>' for x in range(WIDTH))
    rows = (
        f'<text x="{_MARGIN - 10}" y="{_centre(y) + 4}" {style}>{y}</text>' for y in range(HEIGHT)
    )
    return [*parts, *columns, *rows]


def _controls(state: State) -> Iterator[str]:
    """Yield the tiles without obstacles, each with how an order begins or ends there."""
    for tile in filter(state.board.is_floor, range(TILES)):
        unit, x, y = state.tiles.find(tile), x_of(tile), y_of(tile)
        action = f"MOVE {x} {y}" if unit < 0 else f"{unit}|SHOOT {unit}|CONVERT {unit}"
        title = None if unit < 0 else _title(state.units[unit])
        left, top = _MARGIN + x * CELL, _MARGIN + y * CELL
        yield svg.rect(left + 1, top + 1, CELL - 2, CELL - 2, title=title, fill="none",
                       pointer_events="all", data_action=action)  # fmt: skip


def _centre(index: int) -> int:
    """Return the centre of a column or row."""
    return _MARGIN + index * CELL + CELL // 2


def _unit(unit: Unit) -> str:
    x, y = (0, 0) if unit.x is None or unit.y is None else (_centre(unit.x), _centre(unit.y))
    hidden = "" if unit.is_alive else ' visibility="hidden"'
    crown = f'<path d="{_CROWN}" fill="#e3b106" stroke="#6b5200"/>' if unit.id in LEADERS else ""
    return (
        f'<g class="cw-unit" transform="translate({x} {y})"{hidden}>'
        f"<title>{escape(_title(unit))}</title>"
        f'<path class="cw-body" d="{BODIES[unit.owner]}" fill="{FILLS[unit.owner]}" '
        f'stroke="#fff" stroke-width="1.5"/>{crown}'
        f'<text y="3" font-size="14" font-weight="700" fill="#fff" text-anchor="middle">{unit.id}'
        f'</text><rect x="{-_BAR / 2}" y="11" width="{_BAR}" height="12" rx="2" fill="#2b2b2b"/>'
        f'<rect class="cw-bar" x="{1 - _BAR / 2}" y="12" width="{bar_width(unit.hp)}" height="10" '
        f'rx="1" fill="#2f8f46"/><text class="cw-hp" y="21" font-size="11" fill="#fff" '
        f'text-anchor="middle">{unit.hp}</text></g>'
    )


def _title(unit: Unit) -> str:
    owner = "neutral" if unit.owner == NEUTRAL else f"side {OWNER_NAMES[unit.owner]}"
    return f"{'leader' if unit.is_leader else 'cultist'} {unit.id}, {owner}, {unit.hp} hp"


def bar_width(hp: int) -> float:
    """Return the width of the bar for hit points."""
    return (_BAR - 2) * hp / FULL_HP


def _shot_line(shot: Shot | None) -> str:
    points, (x, y) = ("", (0, 0)) if shot is None else (shot["points"], shot["end"])
    hidden = ' visibility="hidden"' if shot is None else ""
    return (
        f'<g class="cw-shot" pointer-events="none" fill="none" stroke="#e11d48" stroke-width="3"'
        f'{hidden}><polyline points="{points}" stroke-dasharray="7 4"/>'
        f'<circle cx="{x}" cy="{y}" r="20"/></g>'
    )


def _shot(turn: Turn) -> Shot | None:
    if turn.hit is None:
        return None
    tiles = [turn.before.tiles[turn.action.unit], *turn.hit.passed, turn.hit.tile]
    centres = [(_centre(x_of(tile)), _centre(y_of(tile))) for tile in tiles]
    start, end = _rim(centres[0], centres[1]), _rim(centres[-1], centres[-2])
    points = " ".join(f"{x},{y}" for x, y in (start, *centres[1:-1], end))
    return {"points": points, "end": centres[-1]}


def _rim(centre: tuple[int, int], towards: tuple[int, int]) -> tuple[int, int]:
    """Return where a line leaves a unit; nearer the centre it would cover the unit's id."""
    (x, y), (i, j) = centre, towards
    return round(x + 0.4 * (i - x)), round(y + 0.4 * (j - y))


def frame(state: State, text: str, turn: Turn | None = None) -> Frame:
    """Return one board of a replay as data.

    Parameters
    ----------
    state
        The state.
    text
        What happened before it.
    turn
        The turn that led to the state, if there is one.
    """
    units = []
    for tile, hp, owner in zip(state.tiles, state.hp, state.owners, strict=True):
        x, y = (0, 0) if tile == NOWHERE else (_centre(x_of(tile)), _centre(y_of(tile)))
        units.append((x, y, hp, owner))
    return {
        "turn": state.turn,
        "label": board_label(state),
        "text": text,
        "units": units,
        "shot": None if turn is None else _shot(turn),
        "score": state.counts,
    }


def replay_page(replay: Replay) -> str:
    """Return the replay as a self-contained HTML page with controls to step and to play.

    Keys: the left and right arrows step, Home and End jump, the space bar plays and stops. Without
    JavaScript the page still shows the first board and the list of turns.

    Raises
    ------
    BadInput
        An order of the replay is not valid.
    """
    template = Template(files("games.cultist").joinpath("replay.html").read_text("utf-8"))
    sentences = [sentence(turn) for turn in replay.turns]
    frames = [frame(replay.start, "the start")]
    frames += [frame(t.after, text, t) for t, text in zip(replay.turns, sentences, strict=True)]
    names = [f"{OWNER_NAMES[side]}: {name}" for side, name in enumerate(replay.names)]
    data = {"frames": frames, "bodies": BODIES, "fills": FILLS, "bar": bar_width(FULL_HP)}
    turns = "".join(
        f'<li><button type="button">{escape(f"{t.before.turn}. {text}")}</button></li>'
        for t, text in zip(replay.turns, sentences, strict=True)
    )
    return template.substitute(
        title=escape(f"Cultist Wars: {replay.names[0]} against {replay.names[1]}"),
        first=escape(names[0]),
        second=escape(names[1]),
        seed=("" if replay.seed is None else f"seed {replay.seed}") + variant_text(replay.start),
        verdict=escape(verdict(replay)),
        board=board_svg(replay.start),
        turns=turns,
        last=len(replay.turns),
        # in which an HTML parser finds no end of the script that contains it
        data=json.dumps(data, separators=(",", ":")).translate(_ESCAPED),
    )


def replay_frame(replay: Replay) -> str:
    """Return the page in a sandboxed frame, for a notebook."""
    return (
        f'<iframe srcdoc="{escape(replay_page(replay))}" sandbox="allow-scripts" '
        'title="Cultist Wars replay" style="width:100%;height:640px;border:0"></iframe>'
    )


def board_html(state: State) -> str:
    """Return the board with its heading for a notebook."""
    return f"<div>{escape(heading(state))}<br>{board_svg(state)}</div>"


register(State, text=board_text, html=board_html)
register(Replay, text=replay_text, html=replay_frame)
