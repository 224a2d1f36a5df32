"""The best player of this package: learns, reveals little, and takes a risk where waiting is worse.

Against players who accuse when they are certain, a race is not won by being certain first but by
accusing while the others still ask. After each suggestion this player compares two figures: how
probable the best solution is now, and how probable it is to win by waiting. The second figure
weighs what the opponents may know already, in deals drawn from the posterior, against what one more
suggestion gives on average (docs/games/cluedo-players.md, section 3; measured in
docs/benchmarks/cluedo-players.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import evolve

from deduce.errors import Contradiction
from deduce.reasoning.hands import Deals
from games.cluedo.events import Accusation, Event, Show, Suggestion
from games.cluedo.players.information import (
    DRAWS,
    HABITS,
    Belief,
    Information,
    Outcomes,
    candidates,
)
from games.cluedo.players.referee import Seat

__all__ = ["Best", "chance_to_hit", "chance_to_solve"]


SOLVE = (
    ((1.0, 0.95), (1.5, 0.7), (2.0, 0.43), (2.5, 0.28), (3.0, 0.25), (4.0, 0.17), (5.0, 0.1),
     (6.0, 0.06), (7.0, 0.01)),
    ((1.5, 0.95), (2.0, 0.8), (2.5, 0.6), (3.0, 0.45), (3.5, 0.36), (4.0, 0.29), (5.0, 0.21),
     (7.0, 0.16)),
)  # fmt: skip
"""Entropy of the solution for an opponent, in bits -> how often the opponent solves it at the next
turn; and, failing that, at the one after it. Counted in 67 games between four `information`
players."""
HIT = (
    ((0.0, 1.0), (1.0, 0.95), (1.5, 0.85), (2.0, 0.64), (2.5, 0.5), (3.0, 0.46), (4.0, 0.37),
     (5.0, 0.25), (6.0, 0.2), (7.0, 0.12)),
    ((1.5, 1.0), (2.0, 0.95), (2.5, 0.78), (3.0, 0.7), (3.5, 0.6), (4.0, 0.5), (5.0, 0.43),
     (7.0, 0.37)),
)  # fmt: skip
"""Entropy of the solution for this player, in bits -> how probable the best solution is at the next
turn, and at the one after it, if there is another. From the same games."""
STRONG = "own cards early"
"""The habit of players to whom `SOLVE` applies."""
WEAK = 0.4
"""How often the best of the other players solves it, compared with `SOLVE`; from 140 games."""
CERTAIN = 1 - 1e-9


class Best(Information):
    """Suggests, shows and accuses in order to win, not in order to know."""

    draws = 8
    """In how many deals the opponents' knowledge is examined."""
    late = 4.5
    """With more bits of uncertainty, only information counts: no player is near the end."""
    least = 0.22
    """It never accuses with a smaller probability; by chance alone every fourth player wins."""
    patience = 0.8
    """The share of `waiting`, which takes the better of two averages, that waiting is worth."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.draws = max(1, self.draws * self.limits[1] // DRAWS)
        self.out: set[str] = set()
        self.rivals: list[list[tuple[float, float]]] = []
        """For each drawn deal and each opponent still in the game: uncertainty in bits, skill."""

    def see(self, event: Event) -> None:
        """Update the belief, and remember who is out."""
        super().see(event)
        if isinstance(event, Accusation):
            self.out.add(event.by)

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return the suggestion that wins most often; early on, that gives most information."""
        self.settle()
        self.rivals = self.assess_rivals() if self.belief.entropy() < self.late else []
        if not self.rivals:
            return super().suggest(rooms)
        deals = self.belief.deals(*self.limits, self.seat.random.getrandbits(32))
        outcomes = Outcomes(self.belief, deals)
        unsolved = self.unsolved_chance(1), self.unsolved_chance(2)
        values = {
            cards: round(self.value(outcomes.answers(cards), unsolved), 9)
            for cards in candidates(self.seat, rooms)
        }
        most = max(values.values())
        return self.seat.random.choice([cards for cards, value in values.items() if value == most])

    def value(
        self, answers: Iterable[tuple[float, float, float]], unsolved: tuple[float, float]
    ) -> float:
        """Return the probability of winning after a suggestion, by accusing or waiting.

        ``answers``: see `games.cluedo.players.information.Outcomes`.
        ``unsolved``: the probabilities that no opponent has solved it by this player's next turn,
        and by the one after it.
        """
        return sum(
            chance * max(best if best > self.least else 0.0, self.patience * _worth(bits, unsolved))
            for chance, best, bits in answers
        )

    def accuse(self) -> Sequence[str] | None:
        """Return the best solution if it is certain, or more probable than winning by waiting."""
        self.settle()
        solution, chance = self.belief.best()
        if chance > CERTAIN:
            return solution
        if not self.rivals and chance > self.least:
            self.rivals = self.assess_rivals()
        return solution if chance > self.worth_of_waiting() else None

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return a card the suggester has seen before, else the one that gives least information.

        The uncertainty that it leaves to the suggester is the mean over deals drawn by the
        posterior.
        """
        again = [card for card in cards if (suggestion.by, card) in self.shown_to]
        if again:
            return super().show(suggestion, tuple(again))
        self.settle()
        now = self.belief.copy()
        try:
            now.tell(suggestion)  # the players who have passed
            _ = now.layers
        except Contradiction:
            return super().show(suggestion, cards)
        left = dict.fromkeys(cards, 0.0)
        for hands in _hands(now, self._draw(now)):
            belief = self._belief_of(suggestion.by, hands)
            for card in cards:
                after = belief.copy()
                after.tell(evolve(suggestion, shows=(Show(self.seat.me, card),)))
                left[card] += after.entropy()
        return max(left, key=left.__getitem__)

    def worth_of_waiting(self) -> float:
        """Return how probable a solution must be for an accusation; 1 if there is no hurry."""
        if not self.rivals:
            return 1.0
        return max(self.least, self.patience * self.waiting(self.belief.entropy()))

    def waiting(self, bits: float) -> float:
        """Return the probability of winning by going on, with this uncertainty in bits.

        The better of accusing at the next turn and at the one after it, unless an opponent has
        solved it before. What is learnt in a round is taken from averages.
        """
        return _worth(bits, (self.unsolved_chance(1), self.unsolved_chance(2)))

    def unsolved_chance(self, turns: int) -> float:
        """Return the probability that no opponent solves it in this number of their turns."""
        total = 0.0
        for rivals in self.rivals:
            unsolved = 1.0
            for bits, skill in rivals:
                for turn in range(turns):
                    unsolved *= 1 - skill * chance_to_solve(bits, turn)
            total += unsolved
        return total / len(self.rivals)

    def assess_rivals(self) -> list[list[tuple[float, float]]]:
        """Return, for some deals drawn by the posterior, each opponent's uncertainty in bits.

        With it comes how good the opponent is at solving, as far as the suggestions show.
        """
        rivals = [name for name in self.belief.holders if name not in self.out]
        if not rivals:
            return []
        deals = self._draw(self.belief)
        skills = {
            name: _skill(self.belief.habits(name, hands)[STRONG])
            for name, hands in zip(self.belief.holders, deals.hands, strict=True)
        }
        return [
            [(self._belief_of(name, hands).entropy(), skills[name]) for name in rivals]
            for hands in _hands(self.belief, deals)
        ]

    def _draw(self, belief: Belief) -> Deals:
        return belief.deals(0, self.draws, self.seat.random.getrandbits(32))

    def _belief_of(self, name: str, hands: Mapping[str, Sequence[str]]) -> Belief:
        """Return what an opponent knows if these are the hands."""
        belief = Belief(self.seat.game, name, hands[name])
        for event in self.told:
            if isinstance(event, Suggestion):
                shows = tuple(self._seen_by(name, event, show, hands) for show in event.shows)
                event = evolve(event, shows=shows)
            belief.tell(event)
        return belief

    def _seen_by(
        self, name: str, event: Suggestion, show: Show, hands: Mapping[str, Sequence[str]]
    ) -> Show:
        """Return a show as an opponent saw it; a card that this player did not see is drawn."""
        if event.by != name:
            return Show(show.by)
        if show.card is not None:
            return show
        fitting = [card for card in event.cards if card in hands[show.by]]
        return Show(show.by, self.seat.random.choice(fitting))


def _skill(strong: float) -> float:
    """Return how good an opponent is at solving, given the probability that it is a strong one.

    An opponent counts as strong until that is less probable than it was at first.
    """
    return min(1.0, max(WEAK, strong * len(HABITS)))


def _hands(belief: Belief, deals: Deals) -> Iterator[Mapping[str, Sequence[str]]]:
    """Yield the opponents' hands in each of the deals."""
    for deal in range(len(deals.weights)):
        yield {
            name: [card for card, bit in belief.bit.items() if hands[deal] & bit]
            for name, hands in zip(belief.holders, deals.hands, strict=True)
        }


def _worth(bits: float, unsolved: tuple[float, float]) -> float:
    """Return the worth of waiting, given the chances that it is unsolved at the next turns."""
    return max(chance * chance_to_hit(bits, turn) for turn, chance in enumerate(unsolved))


def chance_to_solve(bits: float, turn: int) -> float:
    """Return how often a player with this uncertainty solves it at the next turn (0), or then (1).

    >>> chance_to_solve(0.5, 0), chance_to_solve(4.5, 0), chance_to_solve(4.5, 1)
    (0.95, 0.135, 0.25)
    """
    return _interpolated(SOLVE[turn], bits)


def chance_to_hit(bits: float, turn: int) -> float:
    """Return how probable the best solution will be at the next turn (0), or the one after it (1).

    >>> chance_to_hit(-1, 0), chance_to_hit(2, 0), chance_to_hit(3, 1)
    (1.0, 0.64, 0.7)
    """
    return _interpolated(HIT[turn], bits)


def _interpolated(points: Sequence[tuple[float, float]], at: float) -> float:
    """Return the value of the piecewise linear function through the points, constant outside."""
    if at <= points[0][0]:
        return points[0][1]
    for (x, y), (next_x, next_y) in pairwise(points):
        if at <= next_x:
            return y + (next_y - y) * (at - x) / (next_x - x)
    return points[-1][1]
