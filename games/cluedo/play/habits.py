"""Reading how the others ask: a posterior that knows habits of suggesting.

The logic of this package infers nothing from anybody's choice of a suggestion, and neither does
this: a habit makes hands more or less probable, and excludes none. Which habit an opponent has is
not known either; it is learnt with the hands, by Bayes' rule, from how the named cards fit what is
known of his hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from games.cluedo.events import Event, Suggestion
from games.cluedo.game import Cluedo
from games.cluedo.play.belief import Belief

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int32]
    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["HABITS", "HabitBelief"]

HABITS: Mapping[str, Sequence[Sequence[float]]] = {
    "any cards": ((),),
    "others' cards": ((0.97, 0.01, 0.01, 0.01),),
    "own cards early": (
        (0.02, 0.35, 0.61, 0.02),
        (0.05, 0.73, 0.20, 0.02),
        (0.17, 0.70, 0.11, 0.02),
        (0.42, 0.47, 0.09, 0.02),
        (0.50, 0.40, 0.08, 0.02),
    ),
}
"""For a player's first suggestion, his second, and so on (the last for all that follow): how
probable it is that he names none, one, two or three of his own cards. Nothing: as chance has it.
The third habit is that of players who ask what tells most, counted in 155 games."""


class HabitBelief(Belief):
    """A belief in which each opponent has one of `HABITS`, all equally probable at first."""

    def __init__(self, game: Cluedo, me: str, hand: Sequence[str]) -> None:
        super().__init__(game, me, hand)
        self._kinds = [(len(kind), self.bits(kind)) for kind in game.deck.values()]
        self._said: dict[str, tuple[Suggestion, ...]] = {}

    def tell(self, event: Event) -> None:
        """Take an event, as I see it."""
        super().tell(event)
        if isinstance(event, Suggestion) and event.by != self.me:
            hands = self.hands_of(event.by)
            before = self._likelihood(event.by, hands).sum(0)
            said = (*self._said.get(event.by, ()), event)
            self._said = self._said | {event.by: said}
            self.weigh(event.by, self._likelihood(event.by, hands).sum(0) / before)

    def habits(self, name: str, hands: Ints) -> dict[str, float]:
        """Return how probable each habit of an opponent is, on average over these hands of his."""
        found = self._likelihood(name, hands)
        means = (found / found.sum(0)).mean(1)
        return dict(zip(HABITS, means.tolist(), strict=True))

    def _likelihood(self, name: str, hands: Ints) -> Floats:
        """Return for each habit (row) and hand how probable they make all that he has named.

        Relative to somebody who names cards as chance has it; times how probable the habit was.
        """
        import numpy as np

        by_chance = self._by_chance(hands)
        which = np.arange(len(hands))
        found = np.full((len(HABITS), len(hands)), 1 / len(HABITS))
        for row, habit in zip(found, HABITS.values(), strict=True):
            for turn, suggestion in enumerate(self._said.get(name, ())):
                chances = habit[min(turn, len(habit) - 1)]
                if chances:
                    own = np.bitwise_count(hands & self.bits(suggestion.cards))
                    row *= np.array(chances)[own] / by_chance[own, which]
        return found

    def _by_chance(self, hands: Ints) -> Floats:
        """Return how probable it is to name so many own cards (row) by chance, for each hand."""
        import numpy as np

        found = np.zeros((len(self._kinds) + 1, len(hands)))
        found[0] = 1
        for size, bits in self._kinds:
            share = np.bitwise_count(hands & bits) / size
            found[1:] = found[1:] * (1 - share) + found[:-1] * share
            found[0] *= 1 - share
        return found
