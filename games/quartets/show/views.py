"""The views of positions, sessions and states."""

from __future__ import annotations

from deduce.display import register
from games.quartets.position import Position
from games.quartets.session import Session
from games.quartets.show.picture import position_svg, state_svg
from games.quartets.show.text import plain_setup, position_text
from games.quartets.states import State, format_state

__all__: list[str] = []

# A position knows only numbers, so its names are plain.
register(
    Position,
    text=lambda position: position_text(plain_setup(position), position),
    html=lambda position: position_svg(plain_setup(position), position),
)
register(
    Session,
    text=lambda session: position_text(session.game, session.position),
    html=lambda session: position_svg(session.game, session.position),
)
register(State, text=lambda state: format_state(state).rstrip("\n"), html=state_svg)
