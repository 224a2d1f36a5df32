"""What one player can know, exactly, as the hands that each opponent may have.

In a game whose hand sizes are known every event that he sees speaks of one hand only: who passed
has none of the cards, who showed has one of them, and a shown card counts ``1/k`` where the hand
has ``k`` of the named ones. So the posterior of a deal is a product of one weight a hand, over the
deals in which hands and envelope share no card: lists of hands as numbers with a bit a card, joined
from the last player to the first. That is the posterior of `Knowledge`, a good deal faster for
these games, and for these only (21 cards, known hand sizes): a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from attrs import evolve

from deduce.errors import Contradiction, Unsupported
from games.cluedo.events import ENVELOPE, Accusation, Event, Suggestion
from games.cluedo.game import Cluedo
from games.cluedo.play.layers import Layer, Worlds, all_hands, drawn, join, listed, possible, union

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int32]
    Floats: TypeAlias = NDArray[np.float64]

__all__ = ["Belief"]

MOST_CARDS = 18
"""So many cards out of one's own hand are met at most: six players and the classic deck."""


class Belief:
    """The posterior of one player, kept up to date event by event.

    Parameters
    ----------
    game
        A set-up with known hand sizes.
    me
        Whose eyes.
    hand
        His cards.

    Raises
    ------
    Unsupported
        Hand sizes are not known, cards lie undealt, or more than 18 cards are out of the hand.

    Examples
    --------
    >>> game = Cluedo(("Ann", "Ben"), deck={"who": ("Plum", "White", "Green"), "with": ("Rope",
    ...     "Dagger")}, hands=(1, 2))
    >>> belief = Belief(game, "Ann", ["Plum"])
    >>> belief.tell(Suggestion("Ann", ("White", "Rope"), ("Ben",)))
    >>> belief.best(), belief.certain()
    ((('White', 'Rope'), 1.0), {'White': 'envelope', 'Green': 'Ben', 'Rope': 'envelope', \
'Dagger': 'Ben'})
    """

    def __init__(self, game: Cluedo, me: str, hand: Sequence[str]) -> None:
        import numpy as np

        sizes = game.hand_sizes()
        seat = game.players.index(me)
        self.me = me
        self.order = game.players[seat + 1 :] + game.players[:seat]
        """The opponents, in the order in which they answer me."""
        self.cards = tuple(card for card in game.dealt if card not in hand)
        """The cards that I do not have."""
        if game.undealt or any(low != high for low, high in sizes.values()):
            raise Unsupported("this player needs hands of known sizes and no undealt cards")
        if len(self.cards) > MOST_CARDS:
            raise Unsupported(f"this player keeps account of {MOST_CARDS} cards, not more")
        self.bit = {card: 1 << place for place, card in enumerate(self.cards)}
        self.all = (1 << len(self.cards)) - 1
        kinds = [[card for card in kind if card in self.bit] for kind in game.deck.values()]
        self._solutions: list[tuple[str, ...]] = list(product(*kinds))
        self._envelopes = np.array([self.bits(cards) for cards in self._solutions], np.int32)
        self._hands = [all_hands(len(self.cards), sizes[name][0]) for name in self.order]
        self._weights = [np.ones(len(hands)) for hands in self._hands]
        self._layers: list[Layer] | None = None
        self._sequence: list[int] = []
        """The opponents by place, in the order in which the layers have them."""

    def bits(self, cards: Sequence[str]) -> int:
        """Return the cards as a number; those that are mine or lie face up count nothing."""
        return sum(self.bit.get(card, 0) for card in cards)

    def copy(self) -> Self:
        """Return a belief that may go its own way."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._hands = list(self._hands)
        other._weights = list(self._weights)
        other._solutions = list(self._solutions)
        return other

    # Events

    def tell(self, event: Event) -> None:
        """Take an event, as I see it."""
        match event:
            case Suggestion(_, cards, passes, shows):
                for name in passes:
                    if name == self.me:
                        continue
                    self._keep(name, self._has(name, self.bits(cards)) == 0)
                for show in shows:
                    if show.by == self.me:
                        continue
                    if show.card is None:
                        self._keep(show.by, self._has(show.by, self.bits(cards)) != 0)
                    else:
                        self._seen(show.by, show.card, cards)
            case Accusation(_, cards, correct):
                self._accused(tuple(cards), correct=correct)

    def _has(self, name: str, bits: int) -> Ints:
        found: Ints = self._hands[self.order.index(name)] & bits
        return found

    def _keep(self, name: str, kept: Any) -> None:
        if kept.all():
            return
        place = self.order.index(name)
        self._hands[place] = self._hands[place][kept]
        self._weights[place] = self._weights[place][kept]
        self._layers = None

    def weigh(self, name: str, factors: Floats) -> None:
        """Multiply the weights of an opponent's hands, in the order of `hands_of`."""
        place = self.order.index(name)
        self._weights[place] = self._weights[place] * factors
        self._layers = None

    def hands_of(self, name: str) -> Ints:
        """Return the hands that nothing excludes at once for an opponent, as bits of ``cards``."""
        return self._hands[self.order.index(name)]

    def _seen(self, name: str, card: str, named: Sequence[str]) -> None:
        import numpy as np

        self._keep(name, self._has(name, self.bits([card])) != 0)
        number = np.bitwise_count(self._has(name, self.bits(named)))
        if (number > 1).any():
            self.weigh(name, 1 / number)

    def _accused(self, cards: tuple[str, ...], *, correct: bool) -> None:
        import numpy as np

        kept = np.array([(solution == cards) == correct for solution in self._solutions])
        if not kept.all():
            self._leave(kept)

    def _leave(self, kept: Any) -> None:
        """Keep only some of the solutions."""
        self._envelopes = self._envelopes[kept]
        self._solutions = [s for s, keep in zip(self._solutions, kept, strict=True) if keep]
        self._layers = None

    # Answers

    @property
    def layers(self) -> list[Layer]:
        """The ways to deal out, joined: first the envelopes, then each opponent."""
        if self._layers is None:
            self._narrow()
            # The longest list joins last, when the envelopes leave little of it.
            self._sequence = sorted(
                range(len(self.order)), key=lambda place: -len(self._hands[place])
            )
            self._layers = join(
                self.all,
                self._envelopes,
                [self._hands[place] for place in self._sequence],
                [self._weights[place] for place in self._sequence],
            )
        return self._layers

    def _narrow(self) -> None:
        """Leave out hands that cannot be because of a card that is certain elsewhere.

        Only to be faster: the join would leave them out too.

        Raises
        ------
        Contradiction
            No hand is left to somebody.
        """
        import numpy as np

        before = -1
        while before != (before := sum(map(len, self._hands)) + len(self._envelopes)):
            lists = [*self._hands, self._envelopes]
            if not all(map(len, lists)):
                raise Contradiction
            must = [int(np.bitwise_and.reduce(hands)) for hands in lists]
            can = [int(np.bitwise_or.reduce(hands)) for hands in lists]
            for place, hands in enumerate(lists):
                others = [other for other in range(len(lists)) if other != place]
                taken = union(must[other] for other in others)
                needed = self.all & ~union(can[other] for other in others)
                kept = ((hands & taken) == 0) & ((hands & needed) == needed)
                if kept.all():
                    continue
                if place < len(self._hands):
                    self._hands[place] = hands[kept]
                    self._weights[place] = self._weights[place][kept]
                else:
                    self._leave(kept)

    @property
    def solutions(self) -> Sequence[tuple[str, ...]]:
        """The solutions that are not excluded at once; some may have the probability 0."""
        _ = self.layers
        return self._solutions

    def posterior(self) -> Floats:
        """Return the probability of each of ``solutions``."""
        top = self.layers[0]
        found: Floats = top.weights / top.weights.sum()
        return found

    def best(self) -> tuple[tuple[str, ...], float]:
        """Return the most probable solution, and how probable it is."""
        posterior = self.posterior()
        place = int(posterior.argmax())
        return self.solutions[place], float(posterior[place])

    def certain(self) -> dict[str, str]:
        """Return every card that I do not have whose holder is certain."""
        import numpy as np

        found = {}
        layers = self.layers
        some = [(ENVELOPE, int(np.bitwise_or.reduce(self._envelopes[layers[0].weights > 0])))]
        for place, hands in zip(self._sequence, possible(layers), strict=True):
            some.append((self.order[place], int(np.bitwise_or.reduce(hands))))
        for card, bit in self.bit.items():
            fitting = [name for name, bits in some if bits & bit]
            if len(fitting) == 1:
                found[card] = fitting[0]
        return found

    def worlds(self, most: int, draws: int, seed: int) -> Worlds:
        """Return all deals if they are at most so many, else so many drawn by the posterior."""
        layers = self.layers
        found = listed(layers, most) or drawn(layers, draws, seed)
        hands = dict(zip(self._sequence, found.hands, strict=True))
        return evolve(found, hands=tuple(hands[place] for place in range(len(self.order))))
