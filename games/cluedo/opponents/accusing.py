"""Accuse now or wait: how probable the best solution is, and how soon somebody else solves it.

Waiting is valued by playing on from my worlds, under a model that is stated in full in
docs/games/cluedo.md, section 13: everybody reasons exactly, names cards that he cannot rule out,
and accuses as soon as he is certain; I accuse what is then most probable at one of my next turns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random

from attrs import evolve, field, frozen

from deduce.constraints import is_
from deduce.display import Displayed
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.problem import World
from games.cluedo.events import Accusation, Event, Suggestion
from games.cluedo.game import ENVELOPE
from games.cluedo.knowledge import game_of, seen_log
from games.cluedo.opponents.estimate import Average, Estimate
from games.cluedo.opponents.opponent import Opponent, View, opponents, viewer_of
from games.cluedo.opponents.views import Draws, check_samples, whole
from games.cluedo.simulate import answered

__all__ = ["Decision", "DecisionWork", "Rival", "accuse_or_wait", "can_name", "simple_suggestion"]

DRAWN = 100
"""How many worlds are played on from where nobody names a number."""

TURNS = 3
"""How many of my next turns are looked at."""


@frozen
class Rival:
    """An opponent who may still accuse.

    Parameters
    ----------
    player
        The opponent.
    now
        The probability that he can name the solution already.
    first
        The probability that he names it at his next turn, before anybody else does.
    """

    player: str
    now: Estimate
    first: Estimate


@frozen
class Decision(Displayed):
    """What accusing now is worth, and what waiting is.

    Parameters
    ----------
    knowledge
        What I know.
    best
        The most probable solutions, all that tie.
    now
        Their probability, each: how often accusing now wins.
    rivals
        The opponents who may still accuse, in seat order from my left.
    solved
        The probability that one of them names the solution before my next turn.
    waits
        How often it wins to wait for my next turn, the one after, and so on, and then to accuse
        what is most probable; sooner, if I am certain sooner.
    draws
        How many worlds were played on from.
    seed
        What repeats the draws.
    complete
        Whether all of them were.
    """

    knowledge: Knowledge = field(repr=False)
    best: tuple[tuple[str, ...], ...]
    now: Fraction
    rivals: tuple[Rival, ...]
    solved: Estimate
    waits: tuple[Estimate, ...]
    draws: int
    seed: int
    complete: bool

    @property
    def wait(self) -> Estimate:
        """How often waiting wins, for as many turns as is best."""
        return max(self.waits, key=lambda wait: wait.value, default=Estimate.of(Fraction(0)))

    @property
    def turns(self) -> int:
        """For how many turns it is best to wait, if one waits."""
        return self.waits.index(self.wait) + 1 if self.waits else 0

    @property
    def accuse(self) -> bool:
        """Whether accusing now wins at least as often as waiting."""
        return self.now >= self.wait.value

    @property
    def is_clear(self) -> bool:
        """Whether accusing now lies outside the interval of waiting."""
        return not self.wait.low <= self.now <= self.wait.high or self.now == 1


class DecisionWork:
    """The work of `accuse_or_wait`, step by step."""

    def __init__(
        self,
        knowledge: Knowledge,
        *,
        turns: int = TURNS,
        out: Sequence[str] = (),
        samples: int | None = None,
        seed: int = 0,
    ) -> None:
        game = game_of(knowledge)
        me = viewer_of(knowledge)
        if me is None:
            raise BadInput(
                "a bystander does not accuse; who does? --as PLAYER, or 'me:' in the log"
            )
        if turns < 0:
            raise BadInput(f"{turns} turns cannot come")
        check_samples(samples, 1)
        accusations = [event for event in knowledge.log if isinstance(event, Accusation)]
        if any(event.correct for event in accusations):
            raise BadInput("the game is over: somebody has accused rightly")
        gone = {*out, *(event.by for event in accusations)}
        if me in gone:
            raise BadInput(f"{me} has accused wrongly and cannot accuse again")
        for player in out:
            if player not in game.players:
                raise BadInput(f"no player is called {player!r} ({', '.join(game.players)})")
        self.knowledge, self.me, self.seed = knowledge, me, seed
        solutions = knowledge.joint(*game.questions())
        self.best = tuple(tuple(map(str, solution)) for solution in solutions.best())
        self.now = solutions[self.best[0]]
        self.rivals = [o for o in opponents(knowledge) if o.player not in gone]
        # What is certain need not be played out.
        self._worlds = Draws(knowledge, 0 if self.now == 1 else samples or DRAWN, seed)
        turns = turns if self._worlds else 0
        self._table = _Table(knowledge, me, self.rivals, turns)
        self._draws = 0
        self._names = {rival.player: Average(drawn=True) for rival in self.rivals}
        self._first = {rival.player: Average(drawn=True) for rival in self.rivals}
        self._solved = Average(drawn=True)
        self._waits = [Average(drawn=True) for _ in range(turns)]

    def steps(self) -> Iterator[tuple[int, int]]:
        """Play on from one world after the other."""
        meter = self.knowledge.budget.meter()
        one = Fraction(1)
        for number in range(self._draws, len(self._worlds)):
            meter.spend()
            played = self._table.play(self._worlds[number], self._worlds.random("play", number))
            for player, average in self._names.items():
                average.add(Fraction(player in played.names), one)
            for player, average in self._first.items():
                average.add(Fraction(player == played.first), one)
            self._solved.add(Fraction(played.first is not None), one)
            for average, value in zip(self._waits, played.values, strict=True):
                average.add(value, one)
            self._draws += 1
            yield self._draws, len(self._worlds)

    def result(self) -> Decision:
        """Return what is known so far."""
        rivals = tuple(
            Rival(player, average.estimate(), self._first[player].estimate())
            for player, average in self._names.items()
        )
        return Decision(
            self.knowledge,
            self.best,
            self.now,
            rivals,
            self._solved.estimate(),
            tuple(wait.estimate() for wait in self._waits),
            self._draws,
            self.seed,
            complete=self._draws == len(self._worlds),
        )


@frozen
class _Played:
    """How a world was played on.

    Parameters
    ----------
    names
        Who could name the solution at the start.
    first
        Who named it before my next turn.
    values
        For each of my turns, the probability with which I would win if I accused then.
    """

    names: frozenset[str]
    first: str | None
    values: tuple[float, ...]


@frozen
class _Table:
    """Those who play on, in the simple way of docs/games/cluedo.md, section 13."""

    knowledge: Knowledge
    me: str
    rivals: Sequence[Opponent]
    turns: int

    def play(self, world: World, random: Random) -> _Played:
        """Play on from a world, until somebody is certain or my last turn has come."""
        views = [rival.draw(world, random) for rival in self.rivals]
        pairs = list(zip(self.rivals, views, strict=True))
        names = frozenset(o.player for o, view in pairs if can_name(o.mind(view), world))
        events: list[Event] = []
        values: list[float] = []
        for turn in range(max(self.turns, 1)):
            for rival, view in pairs:
                if (not turn and rival.player in names) or self._solves(
                    rival, view, events, world, random
                ):
                    first = None if turn else rival.player
                    return _Played(names, first, self._filled(values, 0.0))
            if turn < self.turns:
                values.append(self._my_turn(events, world, random))
                if values[-1] == 1:
                    return _Played(names, None, self._filled(values, 1.0))
        return _Played(names, None, tuple(values))

    def _filled(self, values: Sequence[float], rest: float) -> tuple[float, ...]:
        return (*values, *[rest] * (self.turns - len(values)))

    def _solves(
        self, rival: Opponent, view: View, events: list[Event], world: World, random: Random
    ) -> bool:
        """Let a rival take his turn; return whether he is certain before or after he suggests."""
        mind = rival.mind(view, *events)
        if can_name(mind, world):
            return True
        events.append(simple_suggestion(mind, rival.player, world, random))
        return can_name(rival.mind(view, *events), world)

    def _my_turn(self, events: list[Event], world: World, random: Random) -> float:
        """Take my turn; return the probability of what is then the best solution to me."""
        game = evolve(game_of(self.knowledge), me=None)
        mine = self.knowledge.tell(*seen_log(game, events, self.me))
        events.append(simple_suggestion(mine, self.me, world, random))
        mine = mine.tell(*seen_log(game, events[-1:], self.me))
        solutions = mine.joint(*game.questions())
        return float(max(solutions.values()))


def can_name(mind: Knowledge, world: World) -> bool:
    """Return whether the solution of this world is certain to somebody."""
    solution = (card for card, holder in world.items() if holder == ENVELOPE)
    return all(mind.is_certain(is_(card, ENVELOPE)) for card in solution)


def simple_suggestion(mind: Knowledge, by: str, world: World, random: Random) -> Suggestion:
    """Return the simple suggestion of a player, with its true answers.

    It names a card of each category that he cannot rule out by propagation alone.
    """
    game = game_of(mind)
    left = mind.asker.not_excluded()
    cards = tuple(
        random.choice([card for card in cards if ENVELOPE in left.get(card, ())])
        for cards in game.deck.values()
    )
    return answered(game, world, by, cards, lambda _, __, fitting: random.choice(fitting))


def accuse_or_wait(
    knowledge: Knowledge,
    *,
    turns: int = TURNS,
    out: Sequence[str] = (),
    samples: int | None = None,
    seed: int = 0,
) -> Decision:
    """Return what it is worth to accuse now, at my turn, and what to wait.

    Parameters
    ----------
    knowledge
        What I know; its viewer is me, and it is my turn: I have suggested, if I wanted to.
    turns
        How many more turns of mine may come at most, and how far is looked ahead; 0: none.
    out
        Players who do not accuse any more, besides those whose wrong accusation is in the log.
    samples
        How many worlds are played on from; left out: 100.
    seed
        Repeats them.

    Raises
    ------
    BadInput
        The viewer is nobody, has accused already, or the game is over; a number or a name that
        cannot be.
    Contradiction
        No world fits.
    Undecided
        The budget does not reach.

    Notes
    -----
    The probability of the best solution is exact; everything else is an estimate. What waiting is
    worth is a lower bound within the model: one may wait longer than ``turns``. The cost is two
    to ten milliseconds for each turn that is played, of mine or of a rival.

    Examples
    --------
    >>> from games.cluedo.game import Cluedo
    >>> game, log = Cluedo.parse_log('''
    ... suspect: Plum, White
    ... weapon: Rope, Dagger
    ... room: Hall, Attic
    ... players: Ann 1, Ben 1, Cid 1
    ... me: Ann
    ... hand: Plum
    ... Ann: white rope hall; Ben shows hall
    ... ''')
    >>> decision = accuse_or_wait(Knowledge(game, log), turns=0)
    >>> decision.best, decision.now, decision.accuse
    ((('White', 'Rope', 'Attic'), ('White', 'Dagger', 'Attic')), Fraction(1, 2), True)
    """
    work = DecisionWork(knowledge, turns=turns, out=out, samples=samples, seed=seed)
    return whole(work)
