"""How far an opponent has come, view by view: what he knows of the cards, how many solutions.

A shortcut for many views of one opponent: what is public is compiled once, and a view only narrows
what is possible. The answers are those of `games.cluedo.opponent.Opponent.mind`, which tests hold
it to; only certainties are asked for, so no behaviour of anybody matters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from attrs import frozen

from deduce.constraints import Value, Variable, is_
from deduce.engines.base import Question
from deduce.engines.bounds import IMPOSSIBLE, Bounds
from deduce.engines.model import Model
from deduce.errors import Contradiction
from deduce.queries import Asker
from games.cluedo.knowledge import game_of
from games.cluedo.opponent import Opponent, View
from games.cluedo.rules import ENVELOPE

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

    Cost: one to five milliseconds for each new view of a standard game.
    """

    def __init__(self, opponent: Opponent) -> None:
        self.player = opponent.player
        self.hidden = opponent.hidden
        self.opponent = opponent
        self.game = game_of(opponent.knowledge)
        public = opponent.public()
        self.engine, self.budget = public.engine, public.budget
        self.model = public.asker.model
        self.bounds = Bounds(self.model)
        self.questions: list[Question] = [
            {card: [(card, frozenset([ENVELOPE]))] for card in question}
            for question in self.game.questions()
        ]
        self._his = {card: self._keep(card, self.player) for card in self.game.dealt}
        self._not_his = {card: self._keep(card, self.player, no=True) for card in self.game.dealt}
        self._known: dict[int, Insight] = {}

    def _keep(self, card: str, holder: str, *, no: bool = False) -> int:
        i, mask = self.model.literal(is_(card, holder))
        out = mask if no else self.model.domains[i] & ~mask
        return ~(out << (i * self.model.stride))

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
        for card in self.game.dealt:
            state &= self._his[card] if card in view.hand else self._not_his[card]
        for hidden, card in zip(self.hidden, view.shown, strict=True):
            state &= self._keep(card, hidden.by)
        state = self.bounds.narrow(state)
        if state == IMPOSSIBLE:
            raise Contradiction
        if state not in self._known:
            self._known[state] = self._insight(self.model.within(state))
        return self._known[state]

    def surely(self) -> Insight:
        """Return what he knows at least, whatever his view is; see `Opponent.sure`."""
        return self._insight(self.opponent.sure().asker.model)

    def _insight(self, model: Model) -> Insight:
        asker = Asker(model, self.engine, self.budget)
        solutions = len(asker.joint(self.questions, weighted=False).value)
        possible = asker.tally(weighted=False).value.of
        return Insight(solutions, frozenset(self._places(possible)))

    def _places(self, possible: Mapping[Variable, Collection[Value]]) -> Iterator[Place]:
        for card, holders in possible.items():
            if len(holders) == 1:
                [holder] = holders
                if holder != self.player:
                    yield str(card), str(holder)
