"""How far an opponent has come, view by view: what he knows of the cards, how many solutions.

A shortcut for many views of one opponent: what is public is compiled once, and a view only narrows
what is possible. The answers are those of `games.cluedo.opponents.opponent.Opponent.mind`, which
tests hold it to; only certainties are asked for, so no behaviour of anybody matters.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from deduce.constraints import is_
from deduce.engines.bounds import IMPOSSIBLE, Bounds
from deduce.engines.model import Model, bits_of
from deduce.errors import Contradiction
from games.cluedo.game import ENVELOPE
from games.cluedo.knowledge import game_of
from games.cluedo.opponents.opponent import Opponent, View
from games.cluedo.opponents.reach import Reach

__all__ = ["Insight", "Insights", "Place"]

Place = tuple[str, str]
"""A card and who has it."""


@frozen
class Insight:
    """What an opponent knows: how many solutions are possible, and which cards are placed.

    ``places`` leaves out his own cards.
    """

    solutions: int
    places: frozenset[Place]


class Insights:
    """What one opponent knows in each of his views. Equal positions are worked out once.

    Cost: half a millisecond to three for each new position of a standard game.
    """

    def __init__(self, opponent: Opponent) -> None:
        self.opponent = opponent
        self.cards = game_of(opponent.knowledge).dealt
        public = opponent.public()
        self.budget = public.budget
        self.bounds = Bounds(public.asker.model)
        self._his = {card: self._keep(card, opponent.player) for card in self.cards}
        self._not_his = {card: self._drop(card, opponent.player) for card in self.cards}
        self._known: dict[int, Insight] = {}

    def _keep(self, card: str, holder: str) -> int:
        """Return the mask that leaves a card to one holder."""
        model = self.bounds.model
        i, mask = model.literal(is_(card, holder))
        return ~((model.domains[i] & ~mask) << i * model.stride)

    def _drop(self, card: str, holder: str) -> int:
        """Return the mask that takes a card from a holder."""
        model = self.bounds.model
        i, mask = model.literal(is_(card, holder))
        return ~(mask << i * model.stride)

    def of(self, view: View) -> Insight:
        """Return what he knows with this view.

        Raises
        ------
        Contradiction
            He cannot have this view.
        Undecided
            The budget does not reach.
        """
        state = self.bounds.start
        for card in self.cards:
            state &= self._his[card] if card in view.hand else self._not_his[card]
        for hidden, card in zip(self.opponent.hidden, view.shown, strict=True):
            state &= self._keep(card, hidden.by)
        state = self.bounds.narrow(state)
        if state not in self._known:
            self._known[state] = self._insight(self.bounds, state)
        return self._known[state]

    def surely(self) -> Insight:
        """Return what he knows at least, whatever his view is; see `Opponent.sure`."""
        bounds = Bounds(self.opponent.sure().asker.model)
        return self._insight(bounds, bounds.narrow(bounds.start))

    def _insight(self, bounds: Bounds, state: int) -> Insight:
        if state == IMPOSSIBLE:
            raise Contradiction
        model = bounds.model
        kinds = game_of(self.opponent.knowledge).groups().values()
        categories = [[model.index[card] for card in cards] for cards in kinds]
        reach = Reach(bounds, state, categories, model.bit[ENVELOPE], self.budget.meter())
        solutions = reach.solutions()
        return Insight(solutions, frozenset(self._places(model, reach.settled())))

    def _places(self, model: Model, settled: int) -> Iterator[Place]:
        for bit in bits_of(settled):
            i, value = divmod(bit.bit_length() - 1, model.stride)
            if model.values[value] != self.opponent.player:
                yield str(model.variables[i]), str(model.values[value])
