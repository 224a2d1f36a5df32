"""What the opponents know (``deduce cluedo minds``): certainly, possibly, and how many solutions.

It covers the viewer's deals by the posterior, and in each what the opponent may have observed there
(`games.cluedo.opponents.opponent`). Each observation gives the opponent a knowledge, of which
only certainties are asked: how many solutions are possible, which cards are placed, whether the
solution is certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import zip_longest

from attrs import define, field, frozen

from deduce.knowledge import Knowledge
from deduce.system.display import Displayed
from games.cluedo.opponents.opponent import (
    Average,
    Certainties,
    Certainty,
    Estimate,
    Observation,
    Opponent,
    Placement,
    check_samples,
    opponents,
    possible_observations,
    run_to_end,
)

__all__ = ["Mind", "Minds", "MindsWork", "minds"]


@frozen
class Mind:
    """What one opponent knows, as far as the viewer can tell.

    Parameters
    ----------
    player
        The opponent.
    solutions
        How many solutions are possible for the opponent, on average.
    names
        The probability that the opponent can name the solution: that only one is possible.
    sure
        Cards whose holder the opponent certainly knows, with the holder; own cards are left out.
    may
        Further cards and holders that the opponent may know, with the probability, the most
        probable first.
    cases
        How many observations of the opponent were examined.
    drawn
        Whether these are draws; otherwise they are all.
    """

    player: str
    solutions: Estimate
    names: Estimate
    sure: Mapping[str, str]
    may: Mapping[Placement, Estimate]
    cases: int
    drawn: bool


@frozen
class Minds(Displayed):
    """What every opponent knows, in seat order from the viewer's left.

    Parameters
    ----------
    knowledge
        What the viewer knows.
    of
        What each opponent knows.
    seed
        The seed of the draws.
    complete
        Whether everything was examined.
    """

    knowledge: Knowledge = field(repr=False)
    of: tuple[Mind, ...]
    seed: int
    complete: bool

    def __getitem__(self, player: str) -> Mind:
        """Return what a player knows; `KeyError` if it is not one of the opponents."""
        for mind in self.of:
            if mind.player == player:
                return mind
        raise KeyError(player)


@define
class _Growing:
    """One opponent's averages, as they grow."""

    certainties: Certainties
    at_least: Certainty
    solutions: Average
    names: Average
    placements: dict[Placement, Fraction] = field(factory=dict)

    @classmethod
    def of(cls, opponent: Opponent) -> _Growing:
        certainties = Certainties(opponent)
        at_least = certainties.at_least()
        solutions = Average(least=1.0, most=float(at_least.solutions), yes_no=False)
        return cls(certainties, at_least, solutions, Average())

    def add(self, observation: Observation, weight: Fraction) -> None:
        certainty = self.certainties.given(observation)
        self.solutions.add(Fraction(certainty.solutions), weight)
        self.names.add(Fraction(certainty.solutions == 1), weight)
        for placement in certainty.placements:
            self.placements[placement] = self.placements.get(placement, Fraction(0)) + weight

    def mind(self) -> Mind:
        sure = set(self.at_least.placements)
        if not self.names.drawn and self.names.weight == 1:
            sure |= {placement for placement, weight in self.placements.items() if weight == 1}
        ranked = sorted(self.placements.items(), key=lambda item: (-item[1], item[0]))
        may = {
            placement: self.names.of_share(weight)
            for placement, weight in ranked
            if placement not in sure
        }
        if self.at_least.solutions == 1:
            solutions = names = Estimate.of(Fraction(1))
        else:
            solutions, names = self.solutions.estimate(), self.names.estimate()
        player = self.certainties.opponent.player
        cases, drawn = self.names.cases, self.names.drawn
        return Mind(player, solutions, names, dict(sorted(sure)), may, cases, drawn)


class MindsWork:
    """The work of `minds`, step by step."""

    def __init__(
        self,
        knowledge: Knowledge,
        players: Sequence[str] | None = None,
        *,
        samples: int | None = None,
        seed: int = 0,
    ) -> None:
        check_samples(samples)
        self.knowledge, self.samples, self.seed = knowledge, samples, seed
        self.opponents = (
            opponents(knowledge)
            if players is None
            else [Opponent.of(knowledge, player) for player in players]
        )
        self._growing = [_Growing.of(opponent) for opponent in self.opponents]
        self._complete = False

    def steps(self) -> Iterator[tuple[int, int]]:
        """Examine one observation after another, of all opponents in turn."""
        observations = possible_observations(
            self.knowledge, self.opponents, samples=self.samples, seed=self.seed
        )
        total = sum(each.count for each in observations)
        for growing, each in zip(self._growing, observations, strict=True):
            growing.solutions.drawn = growing.names.drawn = each.drawn
        done = 0
        meter = self.knowledge.budget.meter()
        for row in zip_longest(*(each.weighted for each in observations)):
            for growing, weighted in zip(self._growing, row, strict=True):
                if weighted is not None:
                    meter.spend()
                    growing.add(*weighted)
                    done += 1
                    yield done, total
        self._complete = True

    def result(self) -> Minds:
        """Return what is known so far."""
        minds = tuple(growing.mind() for growing in self._growing)
        return Minds(self.knowledge, minds, self.seed, complete=self._complete)


def minds(
    knowledge: Knowledge,
    players: Sequence[str] | None = None,
    *,
    samples: int | None = None,
    seed: int = 0,
) -> Minds:
    """Return what the opponents know: what is certain, what is possible, how many solutions.

    Parameters
    ----------
    knowledge
        What the viewer knows. For the bystander, or a referee, every player is an opponent.
    players
        Which opponents; left out: all.
    samples
        Draw this number of deals; 0: exact, however long it takes; left out: draw 200 if there are
        more than 4000 deals or 600 observations.
    seed
        The same seed gives the same draws.

    Raises
    ------
    BadInput
        There is no such player, or it is the viewer.
    Contradiction
        No deal is possible.
    Undecided
        The budget runs out.

    Notes
    -----
    That an opponent "can name the solution" means with certainty, from what the opponent has seen;
    nothing is inferred from how the opponent plays. Assumptions (what-if) narrow the viewer's
    deals, not what the opponent knows. The cost is one to five milliseconds for each different
    observation of an opponent.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> game, log = Cluedo.parse_log('''
    ... suspect: Plum, White, Green
    ... weapon: Rope, Dagger
    ... room: Hall, Attic
    ... players: Ann 2, Ben 1, Cid 1
    ... me: Ann
    ... hand: Plum, Hall
    ... Ben: plum rope hall; Cid -; Ann shows plum
    ... Ben: white rope attic; Cid shows
    ... ''')
    >>> ben = minds(Knowledge(game, log))["Ben"]
    >>> print(ben.solutions, ben.names.percent(), ben.sure)
    2.0 0% {'Green': 'envelope', 'Plum': 'Ann', 'White': 'Cid'}
    >>> print(ben.may["Dagger", "envelope"].percent())
    50%
    """
    return run_to_end(MindsWork(knowledge, players, samples=samples, seed=seed))
