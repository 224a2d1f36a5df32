"""What the others know: for each opponent, what is certain, what may be, and how far he has come.

It ranges over my worlds by my posterior, and in each over what the opponent may have seen there
(`games.cluedo.opponents.views`); every such view gives him a knowledge of his own, of which only
certainties are asked: how many solutions are possible to him, which cards are placed, whether the
solution is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from attrs import define, field, frozen

from deduce.display import Displayed
from deduce.knowledge import Knowledge
from games.cluedo.opponents.estimate import Average, Estimate
from games.cluedo.opponents.insight import Insight, Insights, Place
from games.cluedo.opponents.opponent import Opponent, View, opponents
from games.cluedo.opponents.views import Views, check_samples, may_see, whole

__all__ = ["Mind", "Minds", "MindsWork", "minds"]


@frozen
class Mind:
    """What one opponent knows, as far as I can tell.

    Parameters
    ----------
    player
        The opponent.
    solutions
        How many solutions are possible to him, on average.
    names
        The probability that he can name the solution: that only one is possible to him.
    sure
        Cards whose holder he certainly knows, with the holder; not those in his own hand.
    may
        Further cards and holders of which he may know, with the probability that he does, the most
        probable first.
    cases
        How many views of his were looked at.
    drawn
        Whether these are draws; else they are all.
    """

    player: str
    solutions: Estimate
    names: Estimate
    sure: Mapping[str, str]
    may: Mapping[Place, Estimate]
    cases: int
    drawn: bool


@frozen
class Minds(Displayed):
    """What every opponent knows, in seat order from my left.

    Parameters
    ----------
    knowledge
        What I know.
    of
        Each opponent's mind.
    seed
        What repeats the draws.
    complete
        Whether everything was looked at that was to be.
    """

    knowledge: Knowledge = field(repr=False)
    of: tuple[Mind, ...]
    seed: int
    complete: bool

    def __getitem__(self, player: str) -> Mind:
        """Return the mind of a player; `KeyError` for who is none of the opponents."""
        for mind in self.of:
            if mind.player == player:
                return mind
        raise KeyError(player)


@define
class _Growing:
    """One opponent's averages, as they grow."""

    insights: Insights
    surely: Insight
    solutions: Average
    names: Average
    places: dict[Place, Fraction] = field(factory=dict)

    @classmethod
    def of(cls, opponent: Opponent) -> _Growing:
        insights = Insights(opponent)
        surely = insights.surely()
        solutions = Average(least=1.0, most=float(surely.solutions), yes=False)
        return cls(insights, surely, solutions, Average())

    def take(self, views: Views) -> None:
        self.solutions.drawn = self.names.drawn = views.drawn

    def add(self, view: View, weight: Fraction) -> None:
        insight = self.insights.of(view)
        self.solutions.add(Fraction(insight.solutions), weight)
        self.names.add(Fraction(insight.solutions == 1), weight)
        for place in insight.places:
            self.places[place] = self.places.get(place, Fraction(0)) + weight

    def mind(self) -> Mind:
        sure = set(self.surely.places)
        if not self.names.drawn and self.names.weight == 1:
            sure |= {place for place, weight in self.places.items() if weight == 1}
        ranked = sorted(self.places.items(), key=lambda item: (-item[1], item[0]))
        may = {place: self.names.of_share(weight) for place, weight in ranked if place not in sure}
        if self.surely.solutions == 1:
            solutions = names = Estimate.of(Fraction(1))
        else:
            solutions, names = self.solutions.estimate(), self.names.estimate()
        player = self.insights.opponent.player
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
        """Look at one view after the other, of all opponents in turn."""
        found = may_see(self.knowledge, self.opponents, samples=self.samples, seed=self.seed)
        total = sum(len(views.weighted) for views in found)
        for growing, views in zip(self._growing, found, strict=True):
            growing.take(views)
        done = 0
        meter = self.knowledge.budget.meter()
        for place in range(max((len(views.weighted) for views in found), default=0)):
            for growing, views in zip(self._growing, found, strict=True):
                if place < len(views.weighted):
                    meter.spend()
                    growing.add(*views.weighted[place])
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
    """Return what the opponents know: what is certain, what may be, how far each has come.

    Parameters
    ----------
    knowledge
        What I know; its viewer is me. Through the bystander's eyes, or a referee's, every player
        is an opponent.
    players
        Which opponents; left out: all.
    samples
        Draw so many worlds; 0: exact, however long it takes; left out: draw 200 where there are
        more than 4000 worlds or 600 views.
    seed
        Repeats the draws.

    Raises
    ------
    BadInput
        No such player, or it is the viewer himself.
    Contradiction
        No world fits.
    Undecided
        The budget does not reach.

    Notes
    -----
    That he "can name the solution" is meant with certainty, from what he has seen; nothing is
    inferred from how he plays. Assumptions of mine (what-if) narrow my worlds, not his knowledge.
    The cost is one to five milliseconds for each position that an opponent can be in.

    Examples
    --------
    >>> from games.cluedo.game import Cluedo
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
    return whole(MindsWork(knowledge, players, samples=samples, seed=seed))
