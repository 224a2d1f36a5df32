"""Accuse now or wait: how probable the best solution is, and how soon an opponent solves it.

The value of waiting is estimated by playing on from the viewer's deals, with a model that is stated
in full in docs/games/cluedo.md, section 13: all players reason exactly, name cards that they cannot
rule out, and accuse as soon as they are certain; the viewer accuses what is then most probable at
one of the next turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from attrs import evolve, field, frozen

from deduce.constraints import is_
from deduce.errors import BadInput, Contradiction
from deduce.knowledge import Knowledge
from deduce.problem import World
from deduce.show.jsonable import record_json
from deduce.show.table import Table, percent
from deduce.system.display import Displayed, register
from deduce.system.text import plural
from games.cluedo.events import Accusation, Event, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.game import game_of
from games.cluedo.opponents.opponent import (
    Average,
    Draws,
    Estimate,
    Observation,
    Opponent,
    Steps,
    check_samples,
    finished,
    opponents,
)
from games.cluedo.setup import ENVELOPE

__all__ = [
    "Decision",
    "Rival",
    "accuse_or_wait",
    "can_name",
    "decision_json",
    "decision_steps",
    "decision_tables",
    "simple_suggestion",
]

DRAWN = 100
"""How many deals are played on from by default."""

TURNS = 3
"""How many of the viewer's next turns are considered by default."""


@frozen
class Rival:
    """An opponent who may still accuse.

    Parameters
    ----------
    player
        The opponent.
    now
        The probability that the opponent can name the solution already.
    first
        The probability that the opponent names it at the next turn, before any other player.
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
        What the viewer knows.
    best
        The most probable solutions, all that tie.
    now
        The probability of each of them: how often accusing now wins.
    rivals
        The opponents who may still accuse, in seat order from the viewer's left.
    solved
        The probability that one of them names the solution before the viewer's next turn.
    waits
        How often it wins to wait for the next turn, the one after, and so on, and then to accuse
        what is most probable; or sooner, when the solution is certain sooner.
    draws
        How many deals were played on from.
    seed
        The seed of the draws.
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
        """How often waiting wins, for the best number of turns."""
        return max(self.waits, key=lambda wait: wait.value, default=Estimate.of(Fraction(0)))

    @property
    def turns(self) -> int:
        """The best number of turns to wait, if waiting at all."""
        return self.waits.index(self.wait) + 1 if self.waits else 0

    @property
    def accuse(self) -> bool:
        """Whether accusing now wins at least as often as waiting."""
        return self.now >= self.wait.value

    @property
    def is_clear(self) -> bool:
        """Whether the value of accusing now is outside the interval of waiting."""
        return not self.wait.low <= self.now <= self.wait.high or self.now == 1


@frozen
class _Played:
    """The outcome of playing on from a deal.

    Parameters
    ----------
    names
        The players who could name the solution at the start.
    first
        The player who named it before the viewer's next turn, if any.
    values
        For each of the viewer's turns, the probability of winning by accusing then.
    """

    names: frozenset[str]
    first: str | None
    values: tuple[float, ...]


@frozen
class _Playout:
    """Plays on from deals with the simple model of docs/games/cluedo.md, section 13."""

    knowledge: Knowledge
    me: str
    rivals: Sequence[Opponent]
    turns: int

    def play(self, deal: World, random: Random) -> _Played:
        """Play on from a deal until a player is certain or the viewer's last turn has come."""
        pairs = [(rival, rival.draw(deal, random)) for rival in self.rivals]
        names = frozenset(o.player for o, seen in pairs if can_name(o.knowledge_with(seen), deal))
        events: list[Event] = []
        values: list[float] = []
        for turn in range(max(self.turns, 1)):
            for rival, seen in pairs:
                could_name = turn == 0 and rival.player in names
                if could_name or self._solves(rival, seen, events, deal, random):
                    first = rival.player if turn == 0 else None
                    return _Played(names, first, self._padded(values, 0.0))
            if turn < self.turns:
                values.append(self._own_turn(events, deal, random))
                if values[-1] == 1:
                    return _Played(names, None, self._padded(values, 1.0))
        return _Played(names, None, tuple(values))

    def _padded(self, values: Sequence[float], rest: float) -> tuple[float, ...]:
        return (*values, *[rest] * (self.turns - len(values)))

    def _solves(
        self, rival: Opponent, seen: Observation, events: list[Event], deal: World, random: Random
    ) -> bool:
        """Play a rival's turn; return whether the rival is certain before or after suggesting."""
        knowledge = rival.knowledge_with(seen, *events)
        if can_name(knowledge, deal):
            return True
        events.append(simple_suggestion(knowledge, rival.player, deal, random))
        return can_name(rival.knowledge_with(seen, *events), deal)

    def _own_turn(self, events: list[Event], deal: World, random: Random) -> float:
        """Play the viewer's turn; return the probability of what is then the best solution."""
        game = evolve(game_of(self.knowledge), me=None)
        mine = self.knowledge.tell(*seen_log(game, events, self.me))
        events.append(simple_suggestion(mine, self.me, deal, random))
        mine = mine.tell(*seen_log(game, events[-1:], self.me))
        solutions = mine.joint(*game.questions())
        return float(max(solutions.values()))


def can_name(knowledge: Knowledge, deal: World) -> bool:
    """Return whether the solution of this deal is certain.

    A player whose log contradicts itself, as one with a slip may, is certain of nothing.
    """
    solution = (card for card, holder in deal.items() if holder == ENVELOPE)
    try:
        return all(knowledge.is_certain(is_(card, ENVELOPE)) for card in solution)
    except Contradiction:
        return False


def simple_suggestion(knowledge: Knowledge, by: str, deal: World, random: Random) -> Suggestion:
    """Return the simple suggestion of a player, with its true answers.

    It names a card of each category that the player cannot rule out by propagation alone.
    """
    game = game_of(knowledge)
    left = knowledge.asker.not_excluded()
    cards = tuple(
        random.choice([card for card in cards if ENVELOPE in left.get(card, ())] or cards)
        for cards in game.deck.values()
    )
    suggestion = Suggestion(by, cards)
    given = game.answer(suggestion, deal)
    answer = random.choice(list(given)) if isinstance(given, dict) else given
    return game.event_of(suggestion, answer)


def accuse_or_wait(
    knowledge: Knowledge,
    *,
    turns: int = TURNS,
    out: Sequence[str] = (),
    samples: int | None = None,
    seed: int = 0,
) -> Decision:
    """Return what it is worth to accuse now, at the viewer's turn, and what to wait.

    Parameters
    ----------
    knowledge
        What the viewer knows. It is the viewer's turn, after the suggestion, if any.
    turns
        How many more turns of the viewer may come, and how far ahead to look; 0: none.
    out
        Players who cannot accuse any more, besides those whose wrong accusation is in the log.
    samples
        How many deals are played on from; left out: 100.
    seed
        The same seed gives the same draws.

    Raises
    ------
    BadInput
        The viewer is not a player, or has accused already; the game is over; a number or a name is
        invalid.
    Contradiction
        No deal is possible.
    Undecided
        The budget runs out.

    Notes
    -----
    The probability of the best solution is exact; everything else is an estimate. The value of
    waiting is a lower bound within the model, since one may wait longer than ``turns``. The cost is
    two to ten milliseconds for each turn that is played, of the viewer or of a rival.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> deck = {"who": ["Plum", "White"], "with": ["Rope", "Dagger"], "where": ["Hall", "Attic"]}
    >>> game = Cluedo(("Ann", "Ben", "Cid"), deck, me="Ann")
    >>> knowledge = Knowledge(game).tell("hand: plum", "Ann: white rope hall; Ben shows hall")
    >>> decision = accuse_or_wait(knowledge, turns=0)
    >>> decision.best, decision.now, decision.accuse
    ((('White', 'Rope', 'Attic'), ('White', 'Dagger', 'Attic')), Fraction(1, 2), True)
    """
    return finished(decision_steps(knowledge, turns=turns, out=out, samples=samples, seed=seed))


def decision_steps(
    knowledge: Knowledge,
    *,
    turns: int = TURNS,
    out: Sequence[str] = (),
    samples: int | None = None,
    seed: int = 0,
) -> Steps[Decision]:
    """Play on from one deal after another; parameters and errors as for `accuse_or_wait`."""
    check_samples(samples, 1)
    me, rivals = _players(knowledge, turns, out)
    solutions = knowledge.joint(*game_of(knowledge).questions())
    best = tuple(tuple(map(str, solution)) for solution in solutions.best())
    now = solutions[best[0]]
    # A certain solution need not be played on.
    deals = Draws(knowledge, 0 if now == 1 else samples or DRAWN, seed)
    playout = _Playout(knowledge, me, rivals, turns if deals else 0)
    names = {rival.player: Average(drawn=True) for rival in rivals}
    firsts = {rival.player: Average(drawn=True) for rival in rivals}
    solved = Average(drawn=True)
    waits = [Average(drawn=True) for _ in range(playout.turns)]

    def decision() -> Decision:
        return Decision(
            knowledge,
            best,
            now,
            tuple(Rival(p, names[p].estimate(), firsts[p].estimate()) for p in names),
            solved.estimate(),
            tuple(wait.estimate() for wait in waits),
            solved.cases,
            seed,
            complete=solved.cases == len(deals),
        )

    yield 0, len(deals), decision
    meter = knowledge.budget.meter()
    for index in range(len(deals)):
        meter.spend()
        played = playout.play(deals[index], deals.random("play", index))
        for player in names:
            names[player].add(Fraction(player in played.names))
            firsts[player].add(Fraction(player == played.first))
        solved.add(Fraction(played.first is not None))
        for average, value in zip(waits, played.values, strict=True):
            average.add(value)
        yield solved.cases, len(deals), decision


def _players(
    knowledge: Knowledge, turns: int, out: Sequence[str]
) -> tuple[str, Sequence[Opponent]]:
    """Return who may accuse now, and the others who still may."""
    game = game_of(knowledge)
    me = game.acting(knowledge.viewer, "accuse")
    if turns < 0:
        raise BadInput(f"the number of turns is 0 or more, not {turns}")
    accusations = [event for event in knowledge.log if isinstance(event, Accusation)]
    if any(event.correct for event in accusations):
        raise BadInput("the game is over: a correct accusation is in the log")
    gone = {*out, *(event.by for event in accusations)}
    if me in gone:
        raise BadInput(f"{me} has accused wrongly and cannot accuse again")
    for player in out:
        game.check_player(player)
    return me, [each for each in opponents(knowledge) if each.player not in gone]


# Views


def decision_tables(decision: Decision) -> list[Table]:
    """Return what accusing and waiting are worth, and what the rivals may do meanwhile."""
    events = plural(len(decision.knowledge.log), "event")
    rows = [[f"accuse now: {', '.join(decision.best[0])}", percent(decision.now)]]
    rows += [
        [f"wait {plural(turns, 'turn')}, then accuse", wait.percent()]
        for turns, wait in enumerate(decision.waits, start=1)
    ]
    notes = [_verdict(decision)]
    if len(decision.best) > 1:
        notes.append(f"{len(decision.best)} solutions tie for the best")
    if decision.draws and decision.waits and not decision.is_clear:
        notes.append("the difference is within the error; more --samples may decide")
    if decision.draws:
        notes.append(
            f"played on from {plural(decision.draws, 'drawn deal')}, with the 95% interval in "
            "parentheses"
        )
    values = Table(("", "wins"), rows, f"Accuse or wait, after {events}", tuple(notes))
    if not decision.draws:
        return [values]
    rivals = Table(
        ("", "can name it now", "names it first, next turn"),
        [[rival.player, rival.now.percent(), rival.first.percent()] for rival in decision.rivals],
        "\nThe rivals",
        (
            f"a rival names the solution before my next turn: {decision.solved.percent()}"
            if decision.rivals
            else "no other player may accuse",
        ),
    )
    return [values, rivals]


def _verdict(decision: Decision) -> str:
    now = percent(decision.now)
    if decision.now == 1:
        return "accuse: the solution is certain"
    if decision.waits and not decision.draws:
        return "stopped before the first deal was played on; nothing is known about waiting"
    if not decision.waits:
        return f"accuse: this is the last turn, and accusing wins {now} of the time"
    wait = percent(Fraction(decision.wait.value))
    if decision.accuse:
        return f"accuse: it wins {now} of the time, waiting {wait}"
    return f"wait: it wins {wait} of the time, accusing now {now}"


def decision_json(decision: Decision) -> dict[str, object]:
    """Return the fields of ``deduce/accuse/1``; docs/games/cluedo.md, section 13."""
    return {
        "accuse": decision.accuse,
        "clear": decision.is_clear,
        "best": [list(cards) for cards in decision.best],
        "now": str(decision.now),
        "waits": [record_json(wait) for wait in decision.waits],
        "turns": decision.turns,
        "solved": record_json(decision.solved),
        "rivals": [record_json(rival) for rival in decision.rivals],
        "draws": decision.draws,
        "complete": decision.complete,
    }


register(Decision, parts=decision_tables)
