"""Cultist Wars: two sides convert and shoot cultists; perfect information on a 13 x 7 board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.lazy import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.cultist.advice import analyse
    from games.cultist.board import LINE_OFFSETS, Board
    from games.cultist.events import BadOrder, Turn, play_turn, resolve
    from games.cultist.game import CultistWars
    from games.cultist.match import make_bot, play
    from games.cultist.notation import format_state, parse_state
    from games.cultist.players import BOTS, Bot, BotFailed, Careful, Greedy, RandomBot, TimeLimits
    from games.cultist.protocol import Tracker
    from games.cultist.replay import Fault, Replay, format_replay, parse_replay
    from games.cultist.rules import actions, is_over, result
    from games.cultist.setup import WAIT, Action, State, Unit, new_state

__all__ = [
    "BOTS",
    "LINE_OFFSETS",
    "REGISTRATION",
    "WAIT",
    "Action",
    "BadOrder",
    "Board",
    "Bot",
    "BotFailed",
    "Careful",
    "CultistWars",
    "Fault",
    "Greedy",
    "RandomBot",
    "Replay",
    "State",
    "TimeLimits",
    "Tracker",
    "Turn",
    "Unit",
    "actions",
    "analyse",
    "format_replay",
    "format_state",
    "is_over",
    "make_bot",
    "new_state",
    "parse_replay",
    "parse_state",
    "play",
    "play_turn",
    "resolve",
    "result",
]

REGISTRATION = Registration(
    name="cultist",
    summary="Cultist Wars: convert neutrals, shoot cultists, own more units after 150 turns",
    commands="games.cultist.cli:cultist",
    search="games.cultist.game:CultistWars",
    cases={
        kind: f"games.cultist.cases:{kind}"
        for kind in (
            "transitions",
            "shots",
            "lines",
            "paths",
            "maps",
            "games",
            "perft",
            "endgames",
            "solutions",
        )
    },
    research=True,
    examples="games.cultist.examples",
    rules="games.cultist.guide",
    page="games.cultist.page:cultist_page",
)

__getattr__, __dir__ = lazily(__name__)
