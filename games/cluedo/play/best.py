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
from games.cluedo.play.belief import Belief, Worlds
from games.cluedo.play.information import DRAWS, LISTED, Information, candidates
from games.cluedo.play.players import Seat
from games.cluedo.play.prospects import prospects

__all__ = ["Best", "chance_to_hit", "chance_to_solve"]

SOLVE = ((1.0, 0.95), (1.5, 0.42), (2.0, 0.25), (2.5, 0.19), (3.0, 0.11), (3.5, 0.05), (4.5, 0.01),
         (5.0, 0.0))  # fmt: skip
"""Entropy of the solution before a suggestion -> how often it is certain after it (measured)."""
HIT = ((0.0, 1.0), (1.0, 0.97), (1.5, 0.73), (2.0, 0.52), (2.5, 0.42), (3.0, 0.34), (3.5, 0.26),
       (4.0, 0.18), (5.0, 0.12), (6.0, 0.05), (8.0, 0.01))  # fmt: skip
"""Entropy before a suggestion -> how probable the best solution is after it (measured)."""
SKILL = {"any cards": 0.15, "others' cards": 0.4, "own cards early": 1.0}
"""How often players of a habit solve it, compared with `SOLVE` (measured)."""
HEARD = 0.6
"""Bits that one learns from the others' suggestions between two of one's own."""
ROUND = 1.5
"""Bits that one learns in a round, one's own suggestion included."""


CERTAIN = 1 - 1e-9


class Best(Information):
    """Asks, shows and accuses so as to win, not so as to know."""

    rounds = 3
    """How many turns ahead waiting is looked at."""
    draws = 8
    """In how many deals the opponents' knowledge is looked at."""
    late = 4.5
    """With more bits open it asks for information alone: nobody is near the end."""
    bit = 0.04
    """What a bit of information is worth, as a chance to win, while the race is on."""
    patience = 0.8
    """What waiting is really worth, of what `waiting` says: the averages flatter it."""
    least = 0.2
    """It never accuses with less; by chance alone every fourth player wins."""

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
        self.rivals = []
        if _open(self.belief) < self.late:
            self.rivals = self.look_around()
        wait = self.worth_of_waiting()
        worlds = self.belief.worlds(LISTED, DRAWS, self.seat.random.getrandbits(32))
        found = prospects(self.belief, worlds, candidates(self.seat, rooms), floor=wait)
        values = [prospect.hit + self.bit * prospect.gain_bits for prospect in found]
        most = max(values)
        ties = [
            prospect for prospect, value in zip(found, values, strict=True) if value >= most - 1e-9
        ]
        return self.seat.random.choice(ties).cards

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

        The best of accusing after my next suggestion, the one after it, and so on, each time unless
        somebody has solved it before. What a suggestion tells is taken from averages.
        """
        values = []
        for turn in range(1, self.rounds + 1):
            before = bits - HEARD - ROUND * (turn - 1)
            values.append(self.still_open(turn) * chance_to_hit(before))
        return max(values)

    def still_open(self, rounds: int) -> float:
        """Return how probable it is that no opponent solves it in so many rounds."""
        total = 0.0
        for rivals in self.rivals:
            alive = 1.0
            for bits, skill in rivals:
                for turn in range(rounds):
                    alive *= 1 - skill * chance_to_solve(bits - HEARD / 2 - ROUND * turn)
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
            name: sum(
                SKILL[habit] * chance for habit, chance in self.belief.habits(name, hands).items()
            )
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


def _hands(belief: Belief, worlds: Worlds) -> Iterator[Mapping[str, Sequence[str]]]:
    """Yield the opponents' hands in each of the deals."""
    for deal in range(len(worlds.weights)):
        yield {
            name: [card for card, bit in belief.bit.items() if hands[deal] & bit]
            for name, hands in zip(belief.order, worlds.hands, strict=True)
        }


def chance_to_solve(bits: float) -> float:
    """Return how often the solution is certain after a suggestion, with so many bits open before.

    >>> chance_to_solve(0.5), chance_to_solve(2.25), chance_to_solve(6)
    (0.95, 0.22, 0.0)
    """
    return _between(SOLVE, bits)


def chance_to_hit(bits: float) -> float:
    """Return how probable the best solution is after a suggestion, with so many bits open before.

    >>> chance_to_hit(-1), chance_to_hit(2.75)
    (1.0, 0.38)
    """
    return _between(HIT, bits)


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
