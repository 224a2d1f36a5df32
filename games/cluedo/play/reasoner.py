"""A player who knows all that follows from what he saw, but asks and shows at random.

Beside the others he measures what reasoning alone is worth, and what asking well is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deduce.knowledge import Knowledge
from games.cluedo.events import ENVELOPE, Event, Suggestion
from games.cluedo.play.players import Seat

__all__ = ["Reasoner"]


class Reasoner:
    """Asks at random, shows at random, accuses as soon as the solution follows."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.knowledge = Knowledge(seat.game)

    def see(self, event: Event) -> None:
        """Tell it to the knowledge."""
        self.knowledge = self.knowledge.tell(event)

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return any cards."""
        *kinds, _ = self.seat.game.deck.values()
        return [self.seat.random.choice(kind) for kind in (*kinds, rooms)]

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return any of the cards."""
        return self.seat.random.choice(cards)

    def accuse(self) -> Sequence[str] | None:
        """Return the solution when it is certain."""
        guilty = [card for card, holder in self.certain().items() if holder == ENVELOPE]
        return guilty if len(guilty) == len(self.seat.game.deck) else None

    def certain(self) -> Mapping[str, str]:
        """Return every card whose holder follows."""
        return {str(card): str(holder) for card, holder in self.knowledge.certain().items()}
