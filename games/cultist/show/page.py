"""Replays as pages: one HTML page that needs no other file, and the same in a frame.

The board is drawn once; the page's script only moves, colours and hides its units. Text that a
person or a program may have written (names, orders, reasons) is escaped.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from string import Template

from games.cultist.drawing import BODIES, FILLS, bar_width, board_svg, frame
from games.cultist.replay import Replay
from games.cultist.show.text import sentence, variant_text, verdict
from games.cultist.state import FULL_HP, OWNER_NAMES

__all__ = ["replay_frame", "replay_page"]


def replay_page(replay: Replay) -> str:
    """Return the replay as a self-contained HTML page with controls to step and to play.

    Keys: the left and right arrows step, Home and End jump, the space bar plays and stops. Without
    JavaScript the page still shows the first board and the list of turns.

    Raises
    ------
    BadInput
        An order of the replay is not valid.
    """
    template = Template(files("games.cultist.show").joinpath("replay.html").read_text("utf-8"))
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
        data=_script_json(data),
    )


def _script_json(value: object) -> str:
    """Return JSON in which an HTML parser finds no end of the script that contains it."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def replay_frame(replay: Replay) -> str:
    """Return the page in a sandboxed frame, for a notebook."""
    return (
        f'<iframe srcdoc="{escape(replay_page(replay))}" sandbox="allow-scripts" '
        'title="Cultist Wars replay" style="width:100%;height:640px;border:0"></iframe>'
    )
