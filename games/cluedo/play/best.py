"""The best player here: learns, gives little away, and takes a risk where waiting is a greater one.

Against players who accuse when certain, a race is not won by being certain first but by accusing
while the others still ask. So this player asks itself after each suggestion: how probable is the
best solution now, and how probable is it that I win if I wait? The second figure weighs what the
opponents may know already, on deals drawn from his own posterior, against what one more suggestion
tells on average (docs/games/cluedo-players.md, section 3; measured in
docs/benchmarks/cluedo-players.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import log2

from attrs import evolve

from games.cluedo.events import Accusation, Event, Show, Suggestion
from games.cluedo.play.belief import Belief
from games.cluedo.play.habits import HABITS
from games.cluedo.play.information import DRAWS, LISTED, Information, candidates
from games.cluedo.play.layers import Worlds
from games.cluedo.play.players import Seat
from games.cluedo.play.prospects import Outlook, outlooks

__all__ = ["Best", "chance_to_hit", "chance_to_solve"]

SOLVE = (
    ((1.0, 0.95), (1.5, 0.7), (2.0, 0.43), (2.5, 0.28), (3.0, 0.25), (4.0, 0.17), (5.0, 0.1),
     (6.0, 0.06), (7.0, 0.01)),
    ((1.5, 0.95), (2.0, 0.8), (2.5, 0.6), (3.0, 0.45), (3.5, 0.36), (4.0, 0.29), (5.0, 0.21),
     (7.0, 0.16)),
)  # fmt: skip
"""Bits open to an opponent -> how often he solves it at his next turn; and, if he has not, at the
one after it. Counted in 67 games between four `information` players."""
HIT = (
    ((0.0, 1.0), (1.0, 0.95), (1.5, 0.85), (2.0, 0.64), (2.5, 0.5), (3.0, 0.46), (4.0, 0.37),
     (5.0, 0.25), (6.0, 0.2), (7.0, 0.12)),
    ((1.5, 1.0), (2.0, 0.95), (2.5, 0.78), (3.0, 0.7), (3.5, 0.6), (4.0, 0.5), (5.0, 0.43),
     (7.0, 0.37)),
)  # fmt: skip
"""Bits open to me -> how probable the best solution is at my next turn, and at the one after it, if
I have another. From the same games."""
STRONG = "own cards early"
"""The habit of players to whom `SOLVE` applies."""
WEAK = 0.4
"""How often the best of the others solves it, compared with `SOLVE`; counted in 140 games."""
CERTAIN = 1 - 1e-9


class Best(Information):
    """Asks, shows and accuses so as to win, not so as to know."""

    draws = 8
    """In how many deals the opponents' knowledge is looked at."""
    late = 4.5
    """With more bits open it asks for information alone: nobody is near the end."""
    least = 0.22
    """It never accuses with less; by chance alone every fourth player wins."""
    patience = 0.8
    """What waiting is worth of what `waiting` says, which takes the better of two averages."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self.events: list[Event] = []
        self.out: set[str] = set()
        self.rivals: list[list[tuple[float, float]]] = []
        """In each drawn deal, for each opponent who is in the game, the open bits and his skill."""

    def see(self, event: Event) -> None:
        """Keep account of it."""
        super().see(event)
        self.events.append(event)
        if isinstance(event, Accusation):
            self.out.add(event.by)

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return the suggestion after which I win most often; early on, that tells most."""
        self.rivals = self.look_around() if _open(self.belief) < self.late else []
        if not self.rivals:
            return super().suggest(rooms)
        worlds = self.belief.worlds(LISTED, DRAWS, self.seat.random.getrandbits(32))
        found = outlooks(self.belief, worlds, candidates(self.seat, rooms))
        alive = self.still_open(1), self.still_open(2)
        values = [round(self.value(outlook, alive), 9) for outlook in found]
        most = max(values)
        ties = [outlook for outlook, value in zip(found, values, strict=True) if value == most]
        return self.seat.random.choice(ties).cards

    def value(self, outlook: Outlook, alive: tuple[float, float]) -> float:
        """Return how probable it is that I win after a suggestion, accusing or waiting.

        ``alive``: the chances that nobody has solved it by my next turn, and by the one after it.
        """
        return sum(
            chance * max(best if best > self.least else 0.0, self.patience * _worth(bits, alive))
            for chance, best, bits in outlook.answers
        )

    def accuse(self) -> Sequence[str] | None:
        """Return the best solution when it is certain, or more probable than to win by waiting."""
        solution, chance = self.belief.best()
        if chance > CERTAIN:
            return solution
        if not self.rivals and chance > self.least:
            self.rivals = self.look_around()
        return solution if chance > self.worth_of_waiting() else None

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return a card that the asker has seen before, else the one that leaves most open to him.

        How much is open to him is the mean over deals drawn by my posterior.
        """
        again = [card for card in cards if (suggestion.by, card) in self.shown_to]
        if again:
            return super().show(suggestion, tuple(again))
        now = self.belief.copy()
        now.tell(suggestion)  # who has passed
        left = dict.fromkeys(cards, 0.0)
        for hands in _hands(now, self._draw(now)):
            mind = self._mind(suggestion.by, hands)
            for card in cards:
                after = mind.copy()
                after.tell(evolve(suggestion, shows=(Show(self.seat.me, card),)))
                left[card] += _open(after)
        return max(left, key=left.__getitem__)

    def worth_of_waiting(self) -> float:
        """Return how probable a solution must be for an accusation; 1 if there is no hurry."""
        if not self.rivals:
            return 1.0
        return max(self.least, self.patience * self.waiting(_open(self.belief)))

    def waiting(self, bits: float) -> float:
        """Return how probable it is that I win if I go on, with so many bits open to me now.

        The better of accusing at my next turn and at the one after it, unless somebody has solved
        it before. What is learnt in a round is taken from averages.
        """
        return _worth(bits, (self.still_open(1), self.still_open(2)))

    def still_open(self, turns: int) -> float:
        """Return how probable it is that no opponent solves it in so many turns of his."""
        total = 0.0
        for rivals in self.rivals:
            alive = 1.0
            for bits, skill in rivals:
                for turn in range(turns):
                    alive *= 1 - skill * chance_to_solve(bits, turn)
            total += alive
        return total / len(self.rivals)

    def look_around(self) -> list[list[tuple[float, float]]]:
        """Return for some deals drawn by my posterior what is open to each opponent, in bits.

        With each stands how good he is at solving, as far as his way of asking shows.
        """
        rivals = [name for name in self.belief.order if name not in self.out]
        if not rivals:
            return []
        worlds = self._draw(self.belief)
        skills = {
            name: _skill(self.belief.habits(name, hands)[STRONG])
            for name, hands in zip(self.belief.order, worlds.hands, strict=True)
        }
        return [
            [(_open(self._mind(name, hands)), skills[name]) for name in rivals]
            for hands in _hands(self.belief, worlds)
        ]

    def _draw(self, belief: Belief) -> Worlds:
        return belief.worlds(0, self.draws, self.seat.random.getrandbits(32))

    def _mind(self, name: str, hands: Mapping[str, Sequence[str]]) -> Belief:
        """Return what an opponent knows, if these are the hands."""
        belief = Belief(self.seat.game, name, hands[name])
        for event in self.events:
            if isinstance(event, Suggestion):
                shows = tuple(self._seen_by(name, event, show, hands) for show in event.shows)
                event = evolve(event, shows=shows)
            belief.tell(event)
        return belief

    def _seen_by(
        self, name: str, event: Suggestion, show: Show, hands: Mapping[str, Sequence[str]]
    ) -> Show:
        """Return a show as an opponent saw it; a card that I did not see is drawn."""
        if event.by != name:
            return Show(show.by)
        if show.card is not None:
            return show
        fitting = [card for card in event.cards if card in hands[show.by]]
        return Show(show.by, self.seat.random.choice(fitting))


def _skill(strong: float) -> float:
    """Return how good an opponent is at solving, if he is so probably a strong one.

    He is taken for one until he is less likely to be than he was at first.
    """
    return min(1.0, max(WEAK, strong * len(HABITS)))


def _hands(belief: Belief, worlds: Worlds) -> Iterator[Mapping[str, Sequence[str]]]:
    """Yield the opponents' hands in each of the deals."""
    for deal in range(len(worlds.weights)):
        yield {
            name: [card for card, bit in belief.bit.items() if hands[deal] & bit]
            for name, hands in zip(belief.order, worlds.hands, strict=True)
        }


def _worth(bits: float, alive: tuple[float, float]) -> float:
    """Return the worth of waiting, if nobody else has solved it so probably by my next turns."""
    return max(chance * chance_to_hit(bits, turn) for turn, chance in enumerate(alive))


def chance_to_solve(bits: float, turn: int) -> float:
    """Return how often somebody with so many bits open solves it at his next turn (0), or next (1).

    >>> chance_to_solve(0.5, 0), chance_to_solve(4.5, 0), chance_to_solve(4.5, 1)
    (0.95, 0.135, 0.25)
    """
    return _between(SOLVE[turn], bits)


def chance_to_hit(bits: float, turn: int) -> float:
    """Return how probable my best solution will be at my next turn (0), or at the one after it (1).

    >>> chance_to_hit(-1, 0), chance_to_hit(2, 0), chance_to_hit(3, 1)
    (1.0, 0.64, 0.7)
    """
    return _between(HIT[turn], bits)


def _between(points: Sequence[tuple[float, float]], at: float) -> float:
    """Return the height of the broken line through the points, level outside."""
    if at <= points[0][0]:
        return points[0][1]
    for (x, y), (next_x, next_y) in pairwise(points):
        if at <= next_x:
            return y + (next_y - y) * (at - x) / (next_x - x)
    return points[-1][1]


def _open(belief: Belief) -> float:
    """Return the entropy of the solution, in bits."""
    chances: list[float] = belief.posterior().tolist()
    return sum(-chance * log2(chance) for chance in chances if chance > 0)
