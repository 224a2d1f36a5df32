"""Cultist Wars: two sides convert and shoot cultists; perfect information on a 13 x 7 board.

CULTIST WARS

Two cult leaders convert neutral people into cultists, who shoot. The side
with more living units after 150 turns wins; equal numbers are a draw. A side
without living units loses at once. Nothing is hidden.

Board   13 columns and 7 rows; (0, 0) is top left. A tile is floor or an
        obstacle, and holds at most one unit.
Units   14 units with 10 hit points each. Unit 0 is the leader of side A
        (player 0), unit 1 the leader of side B (player 1); both begin in the
        middle row. Units 2 to 13 are cultists, who begin as neutrals.
Turns   The sides alternate; A has the first turn, number 0. In a turn the
        side acts once, then at most one neutral moves, then dead units are
        removed.

Orders
  WAIT               Do nothing. No further words may follow.
  3 MOVE 4 5         Unit 3 moves to the adjacent tile (4, 5).
  3 SHOOT 9          Cultist 3 shoots at unit 9, up to 6 tiles away (columns
                     and rows added). Leaders do not shoot.
  0 CONVERT 7        Leader 0 converts unit 7 on an adjacent tile: a neutral
                     or an enemy cultist. It keeps its hit points.

An order for a more distant goal becomes one step of a shortest path to it, or
WAIT if that step is not free. A move to an obstacle or to an occupied adjacent
tile is WAIT. An invalid order loses the game: the side scores -1, the other
side 0. Examples are unknown words, units of the other side, dead units and
goals off the board.

Shots   The first obstacle or unit of any owner on the line to the target is
        hit instead of the target. A hit takes 7 minus the distance from the
        shooter to the unit that is hit; a unit with 0 hit points is dead.

Neutrals move by a fixed generator of pseudo-random numbers, which begins in
the same state in each game. The game is therefore deterministic. With
--neutrals statement (or slots) they move at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily
from deduce.system.registry import Registration

if TYPE_CHECKING:
    from games.cultist.advice import analyse
    from games.cultist.events import BadOrder, Turn, play_turn, resolve
    from games.cultist.game import CultistWars
    from games.cultist.match import make_bot, play
    from games.cultist.notation import format_state, parse_state
    from games.cultist.players import BOTS, Bot, BotFailed, Careful, Greedy, RandomBot, TimeLimits
    from games.cultist.protocol import Tracker
    from games.cultist.replay import Fault, Replay, format_replay, parse_replay
    from games.cultist.rules import actions, is_over, result
    from games.cultist.setup import LINE_OFFSETS, WAIT, Action, Board, State, Unit, new_state

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
    rules="games.cultist",
    page="games.cultist.page:cultist_page",
)

__getattr__, __dir__ = lazily(__name__)
