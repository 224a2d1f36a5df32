"""How the minds of opponents look: a table of all, what each knows, and both as JSON. No logic."""

from __future__ import annotations

from typing import Any

from deduce.show.text import Table
from games.cluedo.estimate import Estimate
from games.cluedo.minds import Mind, Minds
from games.cluedo.opponent import viewer_of

__all__ = ["estimate_json", "minds_json", "minds_tables"]


def minds_tables(minds: Minds) -> list[Table]:
    """Return how far each opponent has come, and which cards he knows."""
    number = len(minds.knowledge.log)
    me = viewer_of(minds.knowledge)
    title = f"What {f'the others know, as {me} sees it,' if me else 'the players know'}"
    overview = Table(
        ("player", "solutions", "can name it", "cards placed"),
        [
            [
                mind.player,
                str(mind.solutions),
                mind.names.percent(),
                str(len(mind.sure)),
            ]
            for mind in minds.of
        ],
        f"{title} after {number} event{'s'[: number != 1]}",
    )
    return [overview]


def estimate_json(estimate: Estimate) -> dict[str, Any]:
    return {}


def minds_json(minds: Minds) -> dict[str, Any]:
    return {}
