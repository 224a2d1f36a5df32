"""The views of states and replays, registered for `str` and for notebooks."""

from __future__ import annotations

from html import escape

from deduce.display import register
from games.cultist.drawing import board_svg
from games.cultist.replay import Replay
from games.cultist.show.page import replay_frame
from games.cultist.show.text import board_text, heading, replay_text
from games.cultist.state import State

__all__ = ["board_html"]


def board_html(state: State) -> str:
    """Return the board with its heading for a notebook."""
    return f"<div>{escape(heading(state))}<br>{board_svg(state)}</div>"


register(State, text=board_text, html=board_html)
register(Replay, text=replay_text, html=replay_frame)
