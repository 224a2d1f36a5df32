"""What one player of a tournament can know: the posterior over deals, and habits of suggesting.

In a game whose hand sizes are known every event that a player sees concerns one hand only: a player
who passed has none of the named cards, a player who showed has one of them, and a shown card counts
``1/k`` where the hand has ``k`` of the named ones. So `deduce.reasoning.hands.Hands` gives the same
posterior as `Knowledge`, fast enough for tournaments; a test compares the two.

`HabitBelief` also learns from how the other players suggest. The logic of this package infers
nothing from a player's choice of a suggestion, and neither does this class: a habit makes hands
more or less probable, and excludes none. Which habit an opponent has is unknown too; it is learnt
together with the hands, by Bayes' rule, from how the named cards fit what is known of the hand.

`ForgivingBelief` allows for wrong answers: a pass makes hands with a named card improbable, and
excludes none (docs/slips.md).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from math import log2
from typing import TYPE_CHECKING, Any, TypeAlias

from deduce.errors import Unsupported
from deduce.reasoning.hands import MAX_CARDS, Hands
from games.cluedo.events import Accusation, Event, Suggestion, incomplete
from games.cluedo.game import Cluedo
from games.cluedo.setup import ENVELOPE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int32]
    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["HABITS", "Belief", "ForgivingBelief", "HabitBelief"]


class Belief(Hands):
    """The posterior of one player, updated event by event.

    The holders are the opponents in the order in which they answer this player, and the rests are
    the solutions.

    Parameters
    ----------
    game
        A set-up with known hand sizes.
    me
        Whose knowledge.
    hand
        The cards of this player.

    Raises
    ------
    Unsupported
        Hand sizes are not known, there are undealt cards, or more than 18 cards are not in the
        hand.

    Examples
    --------
    >>> game = Cluedo(("Ann", "Ben"), deck={"who": ("Plum", "White", "Green"), "with": ("Rope",
    ...     "Dagger")}, hands=(1, 2))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> belief.tell(Suggestion("Ann", ("White", "Rope"), ("Ben",)))
    >>> belief.best(), belief.placed()
    ((('White', 'Rope'), 1.0), {'White': 'envelope', 'Green': 'Ben', 'Rope': 'envelope', \
'Dagger': 'Ben'})
    """

    def __init__(self, game: Cluedo, me: str, hand: Sequence[str]) -> None:
        sizes = game.hand_sizes()
        seat = game.players.index(me)
        self.me = me
        opponents = game.players[seat + 1 :] + game.players[:seat]
        cards = [card for card in game.dealt if card not in hand]
        if game.undealt or any(low != high for low, high in sizes.values()):
            raise Unsupported("this player needs hands of known sizes and no undealt cards")
        if len(cards) > MAX_CARDS:
            raise Unsupported(f"this player keeps track of up to {MAX_CARDS} cards, not more")
        candidates = [[c for c in category if c in cards] for category in game.deck.values()]
        super().__init__(cards, {name: sizes[name][0] for name in opponents}, product(*candidates))

    def tell(self, event: Event) -> None:
        """Take an event into account, as this player sees it."""
        match event:
            case Suggestion(_, cards, passes, shows):
                for name in passes:
                    if name != self.me:
                        self._passed(name, self.of(name) & self.bits(cards) == 0)
                for show in shows:
                    if show.by == self.me:
                        continue
                    if show.card is None:
                        self._showed(show.by, self.of(show.by) & self.bits(cards) != 0)
                    else:
                        self._seen(show.by, show.card, cards)
            case Accusation(_, cards, correct):
                self._accused(tuple(cards), correct=correct)

    def _passed(self, name: str, fits: object) -> None:
        """Take a pass into account; ``fits``: for each hand whether it has no named card."""
        self.keep(name, fits)

    def _showed(self, name: str, fits: Any) -> None:
        """Take a show into account; ``fits``: for each hand whether it has a named card."""
        self.keep(name, fits)

    def _seen(self, name: str, card: str, named: Sequence[str]) -> None:
        import numpy as np

        self.keep(name, self.of(name) & self.bits([card]) != 0)
        fitting = np.bitwise_count(self.of(name) & self.bits(named))
        if (fitting > 1).any():
            self.weigh(name, 1 / fitting)

    def _accused(self, cards: tuple[str, ...], *, correct: bool) -> None:
        import numpy as np

        self.keep_rests(np.array([(solution == cards) == correct for solution in self._rests]))

    def placed(self) -> dict[str, str]:
        """Return every card of another holder that is certain, with the holder."""
        return {card: holder or ENVELOPE for card, holder in self.certain().items()}

    def entropy(self) -> float:
        """Return the entropy of the solution in bits."""
        chances: list[float] = self.posterior().tolist()
        return sum(-chance * log2(chance) for chance in chances if chance > 0)


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
"""For a player's first suggestion, second, and so on (the last for all that follow): the
probabilities of naming none, one, two or three of the player's own cards. Empty: as by chance.
The third habit is that of players who suggest what gives most information, counted in 155 games.
With more or fewer than three categories it is an approximation."""
RARELY = 0.01
"""The probability of naming more own cards than a habit has figures for."""


class HabitBelief(Belief):
    """A belief in which each opponent has one of `HABITS`, all equally probable at first."""

    def __init__(self, game: Cluedo, me: str, hand: Sequence[str]) -> None:
        super().__init__(game, me, hand)
        self._game = game
        self._categories = [(len(cards), self.bits(cards)) for cards in game.deck.values()]
        self._suggested: dict[str, tuple[Suggestion, ...]] = {}

    def tell(self, event: Event) -> None:
        """Take an event into account, as this player sees it."""
        super().tell(event)
        if not isinstance(event, Suggestion) or event.by == self.me:
            return
        if not incomplete(self._game, event.cards):
            hands = self.of(event.by)
            before = self._likelihood(event.by, hands).sum(0)
            suggested = (*self._suggested.get(event.by, ()), event)
            self._suggested = self._suggested | {event.by: suggested}
            self.weigh(event.by, self._likelihood(event.by, hands).sum(0) / before)

    def habits(self, name: str, hands: Ints) -> dict[str, float]:
        """Return the probability of each habit of an opponent, averaged over these hands."""
        likelihood = self._likelihood(name, hands)
        means = (likelihood / likelihood.sum(0)).mean(1)
        return dict(zip(HABITS, means.tolist(), strict=True))

    def _likelihood(self, name: str, hands: Ints) -> Floats:
        """Return the likelihood of all suggestions of a player, for each habit (row) and hand.

        It is relative to a player who names cards by chance, times the prior of the habit.
        """
        import numpy as np

        by_chance = self._by_chance(hands)
        which = np.arange(len(hands))
        likelihood = np.full((len(HABITS), len(hands)), 1 / len(HABITS))
        for row, habit in zip(likelihood, HABITS.values(), strict=True):
            for turn, suggestion in enumerate(self._suggested.get(name, ())):
                chances = habit[min(turn, len(habit) - 1)]
                if chances:
                    own = np.bitwise_count(hands & self.bits(suggestion.cards))
                    row *= self._of_each_count(chances)[own] / by_chance[own, which]
        return likelihood

    def _of_each_count(self, chances: Sequence[float]) -> Floats:
        """Return the probabilities of naming 0, 1, ... own cards, for this number of categories."""
        import numpy as np

        counts = len(self._categories) + 1
        return np.array([*chances, *[RARELY] * (counts - len(chances))][:counts])

    def _by_chance(self, hands: Ints) -> Floats:
        """Return the probability of naming 0, 1, ... own cards (row) by chance, for each hand."""
        import numpy as np

        chances = np.zeros((len(self._categories) + 1, len(hands)))
        chances[0] = 1
        for size, bits in self._categories:
            share = np.bitwise_count(hands & bits) / size
            chances[1:] = chances[1:] * (1 - share) + chances[:-1] * share
            chances[0] *= 1 - share
        return chances


class ForgivingBelief(HabitBelief):
    """A belief that allows for wrong answers.

    Examples
    --------
    >>> game = Cluedo(("Ann", "Ben"), deck={"who": ("Plum", "White", "Green"), "with": ("Rope",
    ...     "Dagger")}, hands=(1, 2))
    >>> belief = ForgivingBelief(game, "Ann", ["Plum"])
    >>> belief.tell(Suggestion("Ann", ("White", "Rope"), ("Ben",)))
    >>> solution, chance = belief.best()
    >>> solution, f"{chance:.3f}", belief.placed()
    (('White', 'Rope'), '0.971', {})
    """

    overlooked = 0.01
    """How often a player who holds a named card passes, or a pass is noted for a show."""
    misheard = 0.005
    """How often a show is noted of a player who holds none of the named cards."""
    misread = 0.003
    """How often a card that a player does not hold is noted as the one that they showed."""

    negligible = 1e-5
    """Hands are left out that are worth less than this share of the best of the same player: that
    takes three slips, and saves most of the time."""

    _wrong: Collection[str] | None = None
    """Whose answers are wrong; ``None``: any may be."""

    def suppose(self, event: Event, wrong: Collection[str]) -> None:
        """Take an event into account, of which exactly the answers of some players are wrong."""
        self._wrong = wrong
        self.tell(event)
        self._wrong = None

    def _passed(self, name: str, fits: Any) -> None:
        self._answered(name, fits * 1.0, ~fits * self.overlooked)

    def _showed(self, name: str, fits: Any) -> None:
        self._answered(name, fits * 1.0, ~fits * self.misheard)

    def _seen(self, name: str, card: str, named: Sequence[str]) -> None:
        import numpy as np

        hands = self.of(name)
        has = hands & self.bits([card]) != 0
        fitting = np.bitwise_count(hands & self.bits(named))
        self._answered(name, has / np.maximum(fitting, 1), ~has * self.misread)

    def _answered(self, name: str, right: Floats, wrong: Floats) -> None:
        """Weigh the hands of a player by what an answer is worth if it is right, and if not."""
        factors = right + wrong
        if self._wrong is not None:
            factors = wrong if name in self._wrong else right
        weights = self.weights_of(name) * factors
        kept = weights > self.negligible * weights.max(initial=0.0)
        self.keep(name, kept)
        self.weigh(name, factors[kept])
