"""What is known of a game of Cluedo: the game of a knowledge, its player, and the log they see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from deduce.errors import BadInput
from deduce.game import RECORD, Viewer
from games.cluedo.events import Event
from games.cluedo.evidence import seen_event
from games.cluedo.setup import SetUp

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from games.cluedo.game import Cluedo

__all__ = ["acting_player", "game_of", "seen_log", "viewer_of"]


def seen_log(game: SetUp, log: Sequence[Event], viewer: Viewer) -> Iterator[Event]:
    """Return the log as the viewer sees it; see `games.cluedo.evidence.seen_event`."""
    seen = (seen_event(game, event, viewer) for event in log)
    return (event for event in seen if event is not None)


def game_of(knowledge: Knowledge) -> Cluedo:
    """Return the knowledge's game, which is Cluedo wherever this package is used."""
    return cast("Cluedo", knowledge.game)


def viewer_of(knowledge: Knowledge) -> str | None:
    """Return the player whose view the knowledge is; ``None`` for the bystander and a referee."""
    viewer = game_of(knowledge).me if knowledge.viewer is RECORD else knowledge.viewer
    return None if viewer is None else str(viewer)


def acting_player(knowledge: Knowledge, action: str) -> str:
    """Return the player whose view the knowledge is, and who is to act.

    Raises
    ------
    BadInput
        It is the view of the bystander or of a referee, who cannot do this (``"suggest"``).
    """
    viewer = viewer_of(knowledge)
    if viewer is None:
        hint = "name the player by --as PLAYER, or by 'me:' in the log"
        raise BadInput(f"a bystander cannot {action}; {hint}")
    return viewer
