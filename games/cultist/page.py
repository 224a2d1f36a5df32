"""Pictures for browsers: a board as SVG, a replay as one HTML page that needs nothing else.

The board is drawn here, once; the page's script only moves, colours and hides what stands in it.
Whatever a person or a program may have written (names, orders, reasons) is escaped.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, TypedDict

from deduce.show import svg
from games.cultist.board import HEIGHT, NOWHERE, OBSTACLE, WIDTH, x_of, y_of
from games.cultist.notation import format_state
from games.cultist.replay import Replay
from games.cultist.show import SIDES, bullet_tiles, sentence, verdict
from games.cultist.state import FULL_HP, LEADERS, State, Unit
from games.cultist.turns import Turn

__all__ = ["board_html", "board_svg", "replay_frame", "replay_page"]

CELL = 48
_MARGIN = 22
_FILLS = (*svg.SIDES, svg.NOBODY)
# side 0 round, side 1 square, nobody a diamond: the colours are not needed to tell them apart
_BODIES = (
    "M 0 -17 A 17 17 0 1 1 -0.01 -17 Z",
    "M -15 -15 H 15 V 15 H -15 Z",
    "M 0 -19 L 19 0 L 0 19 L -19 0 Z",
)
_CROWN = "M -9 -14 L -9 -23 L -4.5 -18.5 L 0 -25 L 4.5 -18.5 L 9 -23 L 9 -14 Z"
_BAR = 26


def board_svg(state: State, turn: Turn | None = None) -> str:
    """Return the board as an SVG drawing; with ``turn``, the shot that led to the state too.

    Side 0 is a blue circle, side 1 an orange square, a neutral a grey diamond; a leader wears a
    crown; the bar under a unit shows its hit points.
    """
    width, height = WIDTH * CELL + _MARGIN + 4, HEIGHT * CELL + _MARGIN + 4
    shot = None if turn is None else _shot(turn)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cw-board" viewBox="0 0 {width} {height}"'
        f' role="img" aria-label="{escape(_label(state))}"'
        f' style="width:100%;max-width:{width}px;font-family:system-ui,sans-serif">',
        svg.tag("title", _label(state)),
        svg.tag("desc", format_state(state)),
        *_ground(state),
        *(_unit(unit) for unit in state.units),
        _shot_line(shot),
        "</svg>",
    ]
    return "".join(parts)


def _label(state: State) -> str:
    first, second = state.counts
    return f"Cultist Wars board, turn {state.turn}, {first} units against {second}"


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
    columns = (f'<text x="{_middle(x)}" y="{_MARGIN - 7}" {style}>{x}</text>' for x in range(WIDTH))
    rows = (
        f'<text x="{_MARGIN - 10}" y="{_middle(y) + 4}" {style}>{y}</text>' for y in range(HEIGHT)
    )
    return [*parts, *columns, *rows]


def _middle(number: int) -> int:
    return _MARGIN + number * CELL + CELL // 2


def _unit(unit: Unit) -> str:
    x, y = (0, 0) if unit.x is None or unit.y is None else (_middle(unit.x), _middle(unit.y))
    hidden = "" if unit.is_alive else ' visibility="hidden"'
    crown = f'<path d="{_CROWN}" fill="#e3b106" stroke="#6b5200"/>' if unit.id in LEADERS else ""
    return (
        f'<g class="cw-unit" transform="translate({x} {y})"{hidden}>'
        f"<title>{escape(_title(unit))}</title>"
        f'<path class="cw-body" d="{_BODIES[unit.owner]}" fill="{_FILLS[unit.owner]}" '
        f'stroke="#fff" stroke-width="1.5"/>{crown}'
        f'<text y="4" font-size="13" font-weight="700" fill="#fff" text-anchor="middle">{unit.id}'
        f'</text><rect x="{-_BAR / 2}" y="13" width="{_BAR}" height="10" rx="2" fill="#2b2b2b"/>'
        f'<rect class="cw-bar" x="{1 - _BAR / 2}" y="14" width="{_bar(unit.hp)}" height="8" '
        f'rx="1" fill="#2f8f46"/><text class="cw-hp" y="21" font-size="8.5" fill="#fff" '
        f'text-anchor="middle">{unit.hp}</text></g>'
    )


def _title(unit: Unit) -> str:
    who = "neutral" if unit.owner == len(_FILLS) - 1 else f"side {SIDES[unit.owner]}"
    return f"{'leader' if unit.is_leader else 'cultist'} {unit.id}, {who}, {unit.hp} hp"


def _bar(hp: int) -> float:
    return (_BAR - 2) * hp / FULL_HP


def _shot_line(shot: _Shot | None) -> str:
    points, (x, y) = ("", (0, 0)) if shot is None else (shot["points"], shot["end"])
    hidden = ' visibility="hidden"' if shot is None else ""
    return (
        f'<g class="cw-shot" pointer-events="none" fill="none" stroke="#e11d48" stroke-width="3"'
        f'{hidden}><polyline points="{points}" stroke-dasharray="7 4"/>'
        f'<circle cx="{x}" cy="{y}" r="20"/></g>'
    )


class _Shot(TypedDict):
    """A shot as drawn: over the middles of the tiles passed, from rim to rim."""

    points: str
    end: tuple[int, int]


def _shot(turn: Turn) -> _Shot | None:
    if turn.hit is None:
        return None
    tiles = [turn.before.tiles[turn.action.unit], *bullet_tiles(turn), turn.hit.tile]
    places = [(_middle(x_of(tile)), _middle(y_of(tile))) for tile in tiles]
    start, end = _rim(places[0], places[1]), _rim(places[-1], places[-2])
    points = " ".join(f"{x},{y}" for x, y in (start, *places[1:-1], end))
    return {"points": points, "end": places[-1]}


def _rim(middle: tuple[int, int], towards: tuple[int, int]) -> tuple[int, int]:
    """Return where a line leaves a unit, so that the number in its middle stays readable."""
    (x, y), (i, j) = middle, towards
    return round(x + 0.4 * (i - x)), round(y + 0.4 * (j - y))


def board_html(state: State) -> str:
    """Return the board with its heading for a notebook."""
    first, second = state.counts
    heading = f"turn {state.turn}, {SIDES[state.player]} to move, A {first} : {second} B"
    return f"<div>{escape(heading)}<br>{board_svg(state)}</div>"


def replay_page(replay: Replay) -> str:
    """Return the replay as a self-contained HTML page with step and play controls.

    Keys: left and right step, Home and End jump, blank plays and stops. Without a script the page
    still shows the first position and the list of turns.

    Raises
    ------
    BadInput
        An order of the replay is not valid.
    """
    template = Template(files("games.cultist").joinpath("replay.html").read_text("utf-8"))
    frames = [_frame(replay.start, "the start", None)]
    frames += [_frame(turn.after, sentence(turn), _shot(turn)) for turn in replay.turns]
    names = [f"{side}: {name}" for side, name in zip(SIDES, replay.names, strict=False)]
    data = {"frames": frames, "bodies": _BODIES, "fills": _FILLS, "bar": _bar(FULL_HP)}
    turns = "".join(
        f'<li><button type="button">{escape(f"{turn.before.turn}. {sentence(turn)}")}</button></li>'
        for turn in replay.turns
    )
    return template.substitute(
        title=escape(f"Cultist Wars: {replay.names[0]} against {replay.names[1]}"),
        first=escape(names[0]),
        second=escape(names[1]),
        seed="" if replay.seed is None else f"seed {replay.seed}",
        verdict=escape(verdict(replay)),
        board=board_svg(replay.start),
        turns=turns,
        last=len(replay.turns),
        data=_script_json(data),
    )


def _frame(state: State, text: str, shot: _Shot | None) -> dict[str, Any]:
    units = [
        [
            0 if tile == NOWHERE else _middle(x_of(tile)),
            0 if tile == NOWHERE else _middle(y_of(tile)),
            hp,
            owner,
        ]
        for tile, hp, owner in zip(state.tiles, state.hp, state.owners, strict=True)
    ]
    return {
        "turn": state.turn,
        "label": _label(state),
        "text": text,
        "units": units,
        "shot": shot,
        "score": state.counts,
    }


def _script_json(value: object) -> str:
    """Return JSON that no HTML parser mistakes for the end of the script it stands in."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def replay_frame(replay: Replay) -> str:
    """Return the page inside a sandboxed frame, for a notebook's cell."""
    return (
        f'<iframe srcdoc="{escape(replay_page(replay))}" sandbox="allow-scripts" '
        'title="Cultist Wars replay" style="width:100%;height:640px;border:0"></iframe>'
    )
