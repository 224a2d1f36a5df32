"""What follows from silence: who could have accused and did not (``minds --rational``).

A player may accuse at the end of each turn. One who does not is taken not to know the solution: not
to be certain of it from the own hand, the cards shown to them, and what is public. Nothing is taken
from what a player suggests, since players bluff, and nothing from what the players themselves make
of the silence of others: a player who knew more by that would accuse earlier, so that the
conclusion holds all the same. This is a public announcement, judged in each of the viewer's deals
(`deduce.reasoning.knowing`). Source: docs/games/cluedo.md, section 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from attrs import field, frozen

from deduce.errors import Contradiction, Undecided
from deduce.knowledge import Knowledge
from deduce.policy.rating import integer_weight
from deduce.problem import World, rate_of
from deduce.system.display import Displayed
from games.cluedo.events import Accusation, Event, Suggestion
from games.cluedo.game import game_of
from games.cluedo.opponents.opponent import Certainties, Opponent, opponents
from games.cluedo.setup import ENVELOPE

__all__ = ["MAX_DEALS", "Silence", "silence", "silent_after"]

MAX_DEALS = 20_000
"""With more deals than this it is undecided what follows: each of them is examined."""

Solution = tuple[str, ...]


@frozen
class Silence(Displayed):
    """What a viewer knows of the solution, if players accuse as soon as they are certain.

    Parameters
    ----------
    knowledge
        What the viewer knows.
    silent
        The players who could have accused and did not, with the number of the last event after
        which they could.
    names
        For each of them the probability that they were certain by then, if silence meant nothing.
    before, solutions
        The probability of each solution, if silence means nothing and if it does.
    deals, of
        How many deals remain possible, of how many.
    """

    knowledge: Knowledge = field(repr=False)
    silent: Mapping[str, int]
    names: Mapping[str, Fraction]
    before: Mapping[Solution, Fraction]
    solutions: Mapping[Solution, Fraction]
    deals: int
    of: int


def silent_after(log: Sequence[Event]) -> dict[str, int]:
    """Return who could have accused and did not, with the number of the last such event.

    That is the last suggestion of the player which an event of another player follows; a player who
    has accused wrongly cannot accuse again.

    Examples
    --------
    >>> cards = ("Professor Plum", "Rope", "Hall")
    >>> log = [Suggestion("Ann", cards), Suggestion("Ben", cards), Accusation("Ben", cards, False)]
    >>> silent_after([*log, Suggestion("Cid", cards)])
    {'Ann': 1}
    """
    silent: dict[str, int] = {}
    out: set[str] = set()
    turn: tuple[str, int] | None = None
    for number, event in enumerate(log, start=1):
        if not isinstance(event, Suggestion | Accusation):
            continue
        if turn is not None and event.by != turn[0]:
            if turn[0] not in out:
                silent[turn[0]] = turn[1]
            turn = None
        if isinstance(event, Accusation):
            out.add(event.by)
        else:
            turn = event.by, number
    return silent


class _Watched:
    """A player who was silent after an event, in each of the viewer's deals."""

    def __init__(self, knowledge: Knowledge, player: str, event: int) -> None:
        self.opponent = Opponent.of(knowledge.upto(event), player)
        self.certainties = Certainties(self.opponent)

    def chance(self, deal: World) -> Fraction:
        """Return the probability that the player was certain, in a deal: it may depend on shows."""
        return sum(
            (
                share
                for observation, share in self.opponent.observations(deal)
                if self.certainties.given(observation).solutions == 1
            ),
            Fraction(0),
        )


def silence(knowledge: Knowledge, *, asleep: Fraction | float = 0) -> Silence:
    """Return what a viewer knows of the solution, if players accuse as soon as they are certain.

    Parameters
    ----------
    knowledge
        What the viewer knows.
    asleep
        The probability that a player does not notice that they are certain, for each player: the
        doubt about their silence.

    Raises
    ------
    BadProblem
        It is not a probability.
    Contradiction
        No deal is possible; with silence and without doubt, that can also mean that a player did
        not notice.
    Undecided
        More than `MAX_DEALS` deals are possible, or the budget runs out. It is never estimated.

    Notes
    -----
    The probabilities are exact. Cost: each deal once, and one to three milliseconds for each
    different observation of a silent player.

    Examples
    --------
    Ben named three cards that no player showed. Had he none of them, he would have accused:

    >>> from games.cluedo import Cluedo
    >>> game, log = Cluedo.parse_log('''
    ... suspect: Plum, White, Green
    ... weapon: Rope, Dagger, Spanner
    ... room: Hall, Attic, Study
    ... players: Ann 2, Ben 2, Cid 2
    ... me: Ann
    ... hand: Plum, Hall
    ... Ben: green rope attic; Cid -; Ann -
    ... Cid: plum rope hall; Ann shows plum
    ... ''')
    >>> told = silence(Knowledge(game, log))
    >>> told.silent, told.deals, told.of
    ({'Ben': 2}, 15, 23)
    """
    rate = rate_of(asleep)
    count = knowledge.count()
    if count > MAX_DEALS:
        raise Undecided(f"more than {MAX_DEALS:,} deals are possible: {count:,}")
    others = {opponent.player for opponent in opponents(knowledge)}
    silent = {p: n for p, n in silent_after(knowledge.log).items() if p in others}
    watched = {player: _Watched(knowledge, player, event) for player, event in silent.items()}
    names = dict.fromkeys(silent, Fraction(0))
    before: dict[Solution, Fraction] = {}
    after: dict[Solution, Fraction] = {}
    left = 0
    meter = knowledge.budget.meter()
    weight_of = integer_weight(knowledge)
    for deal in knowledge.worlds():
        meter.spend(len(deal))
        weight = part = Fraction(weight_of(deal))
        for player, one in watched.items():
            chance = one.chance(deal)
            names[player] += weight * chance
            part *= 1 - chance * (1 - rate)
        solution = _solution(knowledge, deal)
        before[solution] = before.get(solution, Fraction(0)) + weight
        if part:
            left += 1
            after[solution] = after.get(solution, Fraction(0)) + part
    total = sum(before.values())
    if not total or not after:
        raise Contradiction
    return Silence(
        knowledge,
        silent,
        {player: weight / total for player, weight in names.items()},
        _shares(before),
        _shares(after),
        left,
        count,
    )


def _solution(knowledge: Knowledge, deal: World) -> Solution:
    groups = game_of(knowledge).groups().values()
    return tuple(next(card for card in cards if deal[card] == ENVELOPE) for cards in groups)


def _shares(weights: Mapping[Solution, Fraction]) -> dict[Solution, Fraction]:
    """Return probabilities, the greatest first."""
    total = sum(weights.values())
    ranked: Iterator[tuple[Solution, Fraction]] = iter(
        sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    )
    return {solution: weight / total for solution, weight in ranked}
