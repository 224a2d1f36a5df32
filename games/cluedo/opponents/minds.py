"""What the opponents know (``deduce cluedo minds``), and what follows from their silence.

`minds` covers the viewer's deals by the posterior, and in each what the opponent may have observed
there (`games.cluedo.opponents.opponent`). Each observation gives the opponent a knowledge, of which
only certainties are asked: how many solutions are possible, which cards are placed, whether the
solution is certain.

`silence` (``minds --rational``) judges who could have accused and did not. A player may accuse at
the end of each turn. One who does not is taken not to know the solution: not to be certain of it
from the own hand, the cards shown to them, and what is public. Nothing is taken from what a player
suggests, since players bluff, and nothing from what the players themselves make of the silence of
others: a player who knew more by that would accuse earlier, so that the conclusion holds all the
same. This is a public announcement, judged in each of the viewer's deals
(`deduce.reasoning.knowing`). Source: docs/games/cluedo.md, section 11.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import zip_longest

from attrs import define, field, frozen

from deduce.errors import Contradiction, Undecided
from deduce.knowledge import Knowledge
from deduce.policy.rating import integer_weight
from deduce.problem import World, rate_of
from deduce.show.jsonable import record_json
from deduce.show.table import Table, percent
from deduce.system.display import Displayed, register
from deduce.system.text import plural
from games.cluedo.events import Accusation, Event, Suggestion
from games.cluedo.game import game_of, viewer_of
from games.cluedo.opponents.opponent import (
    Average,
    Certainties,
    Certainty,
    Estimate,
    Observation,
    Opponent,
    Placement,
    Steps,
    check_samples,
    finished,
    method_notes,
    opponents,
    possible_observations,
)
from games.cluedo.setup import ENVELOPE

__all__ = [
    "MAX_DEALS",
    "ROWS",
    "Mind",
    "Minds",
    "Silence",
    "mind_steps",
    "minds",
    "minds_json",
    "minds_tables",
    "silence",
    "silence_json",
    "silence_table",
    "silent_after",
]


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
        return {mind.player: mind for mind in self.of}[player]


@define
class _Growing:
    """One opponent's averages, as they grow."""

    certainties: Certainties
    at_least: Certainty
    solutions: Average
    names: Average
    placements: dict[Placement, Fraction] = field(factory=lambda: defaultdict(Fraction))

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
            self.placements[placement] += weight

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
    return finished(mind_steps(knowledge, players, samples=samples, seed=seed))


def mind_steps(
    knowledge: Knowledge,
    players: Sequence[str] | None = None,
    *,
    samples: int | None = None,
    seed: int = 0,
) -> Steps[Minds]:
    """Examine one observation after another, of all opponents in turn; as for `minds`."""
    check_samples(samples)
    if players is None:
        others = opponents(knowledge)
    else:
        others = [Opponent.of(knowledge, player) for player in players]
    growing = [_Growing.of(opponent) for opponent in others]

    def result(*, complete: bool = False) -> Minds:
        return Minds(knowledge, tuple(one.mind() for one in growing), seed, complete)

    yield 0, 0, result
    observations = possible_observations(knowledge, others, samples=samples, seed=seed)
    total = sum(each.count for each in observations)
    for one, each in zip(growing, observations, strict=True):
        one.solutions.drawn = one.names.drawn = each.drawn
    done = 0
    meter = knowledge.budget.meter()
    for row in zip_longest(*(each.weighted for each in observations)):
        for one, weighted in zip(growing, row, strict=True):
            if weighted is not None:
                meter.spend()
                one.add(*weighted)
                done += 1
                yield done, total, result
    yield total, total, partial(result, complete=True)


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
    before: dict[Solution, Fraction] = defaultdict(Fraction)
    after: dict[Solution, Fraction] = defaultdict(Fraction)
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
        before[solution] += weight
        if part:
            left += 1
            after[solution] += part
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
    ranked = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return {solution: weight / total for solution, weight in ranked}


# Views

ROWS = 8
"""How many cards are listed for each opponent."""


def minds_tables(minds: Minds, limit: int = ROWS) -> list[Table]:
    """Return how many solutions remain for each opponent, and which cards each knows."""
    me = viewer_of(minds.knowledge)
    whose = f"What the others know, as far as {me} can tell," if me else "What the players know"
    title = f"{whose} after {plural(len(minds.knowledge.log), 'event')}"
    rows = [
        [mind.player, str(mind.solutions), mind.names.percent(), str(len(mind.sure))]
        for mind in minds.of
    ]
    drawn = [mind for mind in minds.of if mind.drawn]
    notes: list[str] = []
    if drawn:
        notes += method_notes(drawn=True, cases=drawn[0].cases, complete=minds.complete)
    elif not minds.complete:
        notes.append("stopped early; in parentheses, the values that the remaining cases allow")
    heads = ("", "solutions", "can name it", "certain cards")
    return [
        Table(heads, rows, title, tuple(notes)),
        *(_mind_table(mind, limit) for mind in minds.of),
    ]


def _mind_table(mind: Mind, limit: int) -> Table:
    """Return what one opponent knows of the cards of others."""
    rows = [[card, holder, "certainly"] for card, holder in mind.sure.items()]
    rows += [[card, holder, chance.percent()] for (card, holder), chance in mind.may.items()]
    rest = len(rows) - limit
    notes = (f"and {rest} more; --limit shows them",) if rest > 0 else ()
    if not rows:
        notes = ("no card of another holder",)
    return Table(("card", "holder", "known"), rows[:limit], f"\n{mind.player} knows:", notes)


def silence_table(silence: Silence, limit: int = ROWS) -> Table:
    """Return the solutions, with their probabilities if silence means something, and if not."""
    rows = [
        [", ".join(cards), percent(silence.solutions.get(cards, Fraction(0))), percent(before)]
        for cards in {**silence.solutions, **silence.before}
        if (before := silence.before[cards])
    ]
    notes = [
        f"{player} did not accuse after event {event}; the probability that {player} knew the "
        f"solution by then, without this: {percent(silence.names[player])}"
        for player, event in silence.silent.items()
    ] or ["no other player could have accused so far"]
    if len(rows) > limit:
        notes.append(f"and {len(rows) - limit} more; --limit shows them")
    remain = f"{silence.deals} of {plural(silence.of, 'deal')} remain possible"
    title = f"\nIf players accuse when they are certain, {remain}:"
    return Table(("solution", "probability", "without this"), rows[:limit], title, tuple(notes))


def silence_json(silence: Silence) -> dict[str, object]:
    """Return the field ``rational`` of ``deduce/minds/1``; docs/games/cluedo.md, section 11."""
    return {
        "deals": silence.deals,
        "of": silence.of,
        "silent": [
            {"player": player, "event": event, "names": str(silence.names[player])}
            for player, event in silence.silent.items()
        ],
        "solutions": [
            {"cards": list(cards), "probability": str(p), "before": str(silence.before[cards])}
            for cards, p in silence.solutions.items()
        ],
    }


def minds_json(minds: Minds) -> dict[str, object]:
    """Return the fields of ``deduce/minds/1``; docs/games/cluedo.md, section 11."""
    return {
        "viewer": viewer_of(minds.knowledge),
        "complete": minds.complete,
        "minds": [
            {
                "player": mind.player,
                "solutions": record_json(mind.solutions),
                "names": record_json(mind.names),
                "sure": dict(mind.sure),
                "may": [
                    {"card": card, "holder": holder, "known": record_json(chance)}
                    for (card, holder), chance in mind.may.items()
                ],
                "method": "samples" if mind.drawn else "views",
                "cases": mind.cases,
            }
            for mind in minds.of
        ],
    }


register(Minds, parts=minds_tables)
register(Silence, parts=lambda silence: [silence_table(silence)])
