"""The information player: asks what is expected to tell most, and accuses when nearly certain.

Its posterior knows habits of suggesting (`games.cluedo.play.habits`): it reads how the others ask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from games.cluedo.events import Event, Suggestion
from games.cluedo.play.habits import HabitBelief
from games.cluedo.play.players import Seat
from games.cluedo.play.prospects import Prospect, prospects

__all__ = ["Information", "candidates"]

LISTED = 8_000
"""Up to so many deals, what a suggestion tells is exact."""
DRAWS = 4_000
"""Of more deals so many are drawn by the posterior, and the figures are estimates."""


class Information:
    """Asks what tells most in bits, shows what it showed before, accuses from `sure` on."""

    sure = Fraction(2, 3)
    """How probable a solution must be for an accusation: twice as probable as all the others."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.belief = HabitBelief(seat.game, seat.me, seat.hand)
        self.shown: Counter[str] = Counter()
        self.shown_to: set[tuple[str, str]] = set()

    def see(self, event: Event) -> None:
        """Keep account of it."""
        self.belief.tell(event)
        if isinstance(event, Suggestion):
            for show in event.shows:
                if show.by == self.seat.me and show.card is not None:
                    self.shown[show.card] += 1
                    self.shown_to.add((event.by, show.card))

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return the suggestion with the greatest gain; of several, any."""
        found = self.prospects(rooms)
        most = max(prospect.gain_bits for prospect in found)
        ties = [prospect for prospect in found if prospect.gain_bits >= most - 1e-9]
        return self.seat.random.choice(ties).cards

    def prospects(self, rooms: Sequence[str]) -> list[Prospect]:
        """Return the prospect of each suggestion that differs from the others."""
        seed = self.seat.random.getrandbits(32)
        worlds = self.belief.worlds(LISTED, DRAWS, seed)
        return prospects(self.belief, worlds, candidates(self.seat, rooms))

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return a card that the asker has seen before, else one that was shown most often."""
        again = [card for card in cards if (suggestion.by, card) in self.shown_to] or cards
        most = max(self.shown[card] for card in again)
        return self.seat.random.choice([card for card in again if self.shown[card] == most])

    def accuse(self) -> Sequence[str] | None:
        """Return the best solution when it is probable enough."""
        solution, chance = self.belief.best()
        return solution if chance >= self.sure else None

    def certain(self) -> Mapping[str, str]:
        """Return every card whose holder is certain."""
        return dict.fromkeys(self.seat.hand, self.seat.me) | self.belief.certain()


def candidates(seat: Seat, rooms: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the suggestions; of the own cards of a category only one, for all tell the same."""
    *kinds, _ = seat.game.deck.values()
    choices = []
    for kind in (*kinds, rooms):
        own = [card for card in kind if card in seat.hand]
        others = [card for card in kind if card not in seat.hand]
        choices.append([*others, *([seat.random.choice(own)] if own else [])])
    return product(*choices)
