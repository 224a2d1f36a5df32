"""What another player knows, as far as the viewer can tell: from a deal and what was observed.

In every deal of the viewer an opponent has a hand and has seen certain cards. What the opponent
then knows follows from the public log, this hand, and these cards: a `Knowledge` of the same game,
with the opponent as its viewer. Source: docs/games/cluedo.md, section 11.

What is averaged over drawn deals states its uncertainty, and can be interrupted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import inf, sqrt
from random import Random
from typing import TypeAlias, TypeVar

from attrs import define, evolve, field, frozen

from deduce.constraints import Fact, is_, is_not
from deduce.errors import BadInput, Contradiction
from deduce.estimates import wilson
from deduce.knowledge import Knowledge
from deduce.logs.events import Log
from deduce.policy.rating import integer_weight
from deduce.problem import World
from deduce.reasoning.alternatives import Alternatives, Remaining
from deduce.show.table import percent
from deduce.system.text import plural
from games.cluedo.events import Event, Hand, Has, HasNot, Show, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.game import game_of, viewer_of

__all__ = [
    "DRAWN",
    "Average",
    "Certainties",
    "Certainty",
    "Draws",
    "Estimate",
    "HiddenShow",
    "Observation",
    "Observations",
    "Opponent",
    "Placement",
    "Steps",
    "check_samples",
    "finished",
    "knowledge_of",
    "method_notes",
    "opponents",
    "possible_observations",
]


Placement = tuple[str, str]
"""A card and its holder."""


@frozen
class HiddenShow:
    """A show to the opponent whose card the viewer did not see.

    ``event`` is its index in ``Opponent.log``, ``by`` the player who showed, ``cards`` the named
    cards.
    """

    event: int
    by: str
    cards: tuple[str, ...]


@frozen
class Observation:
    """What only the opponent sees: the own hand, and the card of each `HiddenShow`."""

    hand: tuple[str, ...]
    shown: tuple[str, ...] = ()


@frozen
class Opponent:
    """A player from the point of view of the viewer of a log.

    Parameters
    ----------
    knowledge
        What the viewer knows.
    player
        The other player.
    log
        The log as the viewer sees it, without the opponent's own hand.
    hidden
        The shows to the opponent whose cards the viewer does not see, in the order of the log.
    """

    knowledge: Knowledge
    player: str
    log: tuple[Event, ...]
    hidden: tuple[HiddenShow, ...]

    @classmethod
    def of(cls, knowledge: Knowledge, player: str) -> Opponent:
        """Return a player from the point of view of the knowledge's viewer.

        Raises
        ------
        BadInput
            There is no such player, or it is the viewer.
        """
        game = game_of(knowledge)
        game.check_player(player)
        if player == viewer_of(knowledge):
            raise BadInput(f"{player} is the viewer of the log, not an opponent")
        log = tuple(
            event
            for event in seen_log(game, knowledge.log, knowledge.viewer)
            if not (isinstance(event, Hand) and event.player == player)
        )
        hidden = tuple(
            HiddenShow(index, show.by, event.cards)
            for index, event in enumerate(log)
            if isinstance(event, Suggestion) and event.by == player
            for show in event.shows
            if show.card is None
        )
        return cls(knowledge, player, log, hidden)

    # What the opponent may have observed

    def observations(self, deal: World) -> Iterator[tuple[Observation, Fraction]]:
        """Yield what the opponent may have observed in a deal, each with its probability there.

        A player who showed a card that the viewer did not see chose it among those that fitted,
        each with the same probability.
        """
        hand = self.hand(deal)
        options = self._options(deal)
        share = Fraction(1)
        for cards in options:
            share /= len(cards)
        for shown in product(*options):
            yield Observation(hand, shown), share

    def draw(self, deal: World, random: Random) -> Observation:
        """Return what the opponent has observed in a deal, drawn by the same probabilities."""
        return Observation(self.hand(deal), tuple(map(random.choice, self._options(deal))))

    def hand(self, deal: World) -> tuple[str, ...]:
        """Return the opponent's hand in a deal."""
        return tuple(str(card) for card, holder in deal.items() if holder == self.player)

    def _options(self, deal: World) -> list[list[str]]:
        return [
            [card for card in hidden.cards if deal.get(card) == hidden.by] for hidden in self.hidden
        ]

    # What the opponent then knows

    def knowledge_with(self, observation: Observation, *more: Event) -> Knowledge:
        """Return what the opponent knows with this observation, and after these further events.

        Cost: half a millisecond for a standard game; a joint distribution of the solution takes
        one to five more.
        """
        hand = Hand(self.player, observation.hand)
        return self._knowledge([hand, *self._completed(observation.shown), *more])

    def public(self) -> Knowledge:
        """Return what the opponent knows without the hand and the cards of the hidden shows."""
        return self._knowledge(self.log)

    def sure(self) -> Knowledge:
        """Return what the opponent knows for certain, whatever the viewer's deal is.

        That is: what is public; cards shown between opponent and viewer, and other things that the
        opponent is known to have seen; the cards that the opponent certainly has or has not; and
        the card of a show to the opponent if only one fits. Nothing here depends on how players
        behave.
        """
        possible = self.knowledge.possible()
        known_to = (self.player,)
        own: list[Event] = [
            Has(self.player, str(card), known_to)
            if len(holders) == 1
            else HasNot(self.player, str(card), known_to)
            for card, holders in possible.items()
            if (self.player in holders) == (len(holders) == 1)
        ]
        fitting = [
            [card for card in hidden.cards if hidden.by in possible.get(card, ())]
            for hidden in self.hidden
        ]
        shown = [cards[0] if len(cards) == 1 else None for cards in fitting]
        return self._knowledge([*own, *self._completed(shown)])

    def _completed(self, shown: Sequence[str | None]) -> list[Event]:
        """Return the log with the cards of the hidden shows."""
        log = list(self.log)
        for hidden, card in zip(self.hidden, shown, strict=True):
            event = log[hidden.event]
            assert isinstance(event, Suggestion)
            shows = tuple(Show(s.by, card) if s.by == hidden.by else s for s in event.shows)
            log[hidden.event] = evolve(event, shows=shows)
        return log

    def _knowledge(self, log: Sequence[Event]) -> Knowledge:
        game = evolve(game_of(self.knowledge), me=None)
        engine, budget = self.knowledge.engine, self.knowledge.budget
        return Knowledge.of(Log(game, log), viewer=self.player, engine=engine, budget=budget)


@frozen
class Certainty:
    """What an opponent knows: how many solutions are possible, and which cards are placed.

    ``placements`` does not contain the opponent's own cards.
    """

    solutions: int
    placements: frozenset[Placement]


class Certainties:
    """What one opponent is certain of, for many observations.

    The answers are those of `Opponent.knowledge_with`, by
    `deduce.reasoning.alternatives.Alternatives`; only certainties are asked for, so no player's
    behaviour matters. Cost: half a millisecond to three for each new observation of a standard
    game.
    """

    def __init__(self, opponent: Opponent) -> None:
        self.opponent = opponent
        game = game_of(opponent.knowledge)
        self._questions = game.questions()
        self._alternatives = Alternatives(opponent.public(), *self._questions)
        self._has = {card: is_(card, opponent.player) for card in game.dealt}
        self._has_not = {card: is_not(card, opponent.player) for card in game.dealt}

    def given(self, observation: Observation) -> Certainty:
        """Return what the opponent knows with this observation.

        Raises
        ------
        Contradiction
            The opponent cannot have observed this.
        Undecided
            The budget runs out.
        """
        facts: list[Fact] = [
            fact if card in observation.hand else self._has_not[card]
            for card, fact in self._has.items()
        ]
        for hidden, card in zip(self.opponent.hidden, observation.shown, strict=True):
            facts.append(is_(card, hidden.by))
        return self._certainty(self._alternatives.given(*facts))

    def at_least(self) -> Certainty:
        """Return what the opponent knows with any observation; see `Opponent.sure`."""
        return self._certainty(Alternatives(self.opponent.sure(), *self._questions).given())

    def _certainty(self, remaining: Remaining) -> Certainty:
        placements = frozenset(
            (str(card), str(holder))
            for card, holder in remaining.certain.items()
            if holder != self.opponent.player
        )
        return Certainty(remaining.combinations, placements)


def opponents(knowledge: Knowledge) -> list[Opponent]:
    """Return all players but the viewer, in seat order from the viewer's left."""
    players = game_of(knowledge).players
    me = viewer_of(knowledge)
    seat = players.index(me) + 1 if me in players else 0
    order = players[seat:] + players[:seat]
    return [Opponent.of(knowledge, player) for player in order if player != me]


def knowledge_of(
    knowledge: Knowledge, player: str, deal: World | None = None, shown: Sequence[str] = ()
) -> Knowledge:
    """Return what a player knows in one of the viewer's deals; without a deal, in every one.

    Parameters
    ----------
    knowledge
        What the viewer knows.
    player
        Another player.
    deal
        One of the viewer's deals, which contains the hand of the player.
    shown
        The cards shown to the player that the viewer did not see, in the order of
        `Opponent.hidden`.

    Raises
    ------
    BadInput
        There is no such player, it is the viewer, a hidden show has no card or a card that does
        not fit the deal.

    Examples
    --------
    >>> from games.cluedo import Cluedo
    >>> deck = {"who": ["Plum", "White"], "with": ["Rope", "Dagger"], "where": ["Hall", "Attic"]}
    >>> game = Cluedo(("Ann", "Ben", "Cid"), deck, me="Ann")
    >>> knowledge = Knowledge(game).tell("hand: plum", "Ben: plum rope hall; Cid shows")
    >>> deal = next(deal for deal in knowledge.worlds() if deal["Rope"] == "Cid")
    >>> ben = knowledge_of(knowledge, "Ben", deal, ["Rope"])
    >>> ben.viewer, ben.certain()["Rope"]
    ('Ben', 'Cid')
    """
    opponent = Opponent.of(knowledge, player)
    if deal is None:
        return opponent.sure()
    if len(shown) != len(opponent.hidden):
        raise BadInput(
            f"{player} was shown {plural(len(opponent.hidden), 'card')} that the viewer did not "
            f"see, not {len(shown)}"
        )
    for hidden, card in zip(opponent.hidden, shown, strict=True):
        if card not in hidden.cards or deal.get(card) != hidden.by:
            raise BadInput(f"in this deal {hidden.by} cannot have shown {card} to {player}")
    return opponent.knowledge_with(Observation(opponent.hand(deal), tuple(shown)))


DRAWN = 200
"""How many deals are drawn by default: under a second, and the error of a probability is then at
most 7 %."""

MAX_WORLDS = 4000
"""If there are more deals, some are drawn: listing all would take longer than examining the
draws."""

OBSERVATIONS_PER_DRAW = 3
"""Deals are drawn, too, if all opponents together have more observations per draw than this."""

Weighted = tuple[Observation, Fraction]


@frozen
class Observations:
    """The observations of an opponent: all, with weights that sum to 1, or draws of weight 1.

    Parameters
    ----------
    weighted
        The observations with their weights; if they are all, the most probable first.
    count
        How many they are.
    drawn
        Whether they are draws.
    """

    weighted: Iterable[Weighted]
    count: int
    drawn: bool


def possible_observations(
    knowledge: Knowledge,
    opponents: Sequence[Opponent],
    *,
    samples: int | None,
    seed: int,
    default: int = DRAWN,
) -> list[Observations]:
    """Return the observations of each opponent: all if there are few, else draws.

    Parameters
    ----------
    knowledge
        What the viewer knows.
    opponents
        Whose observations.
    samples
        Draw this number of deals; 0: take all observations, however many there are; left out: draw
        ``default`` deals if there are more than 4000 deals or three times ``default`` observations.
    seed
        The same seed gives the same draws.
    default
        How many deals are drawn if ``samples`` is left out.

    Raises
    ------
    Contradiction
        No deal is possible.
    Undecided
        The budget runs out.
    """
    if not samples:
        limit = OBSERVATIONS_PER_DRAW * default
        observations = _all(knowledge, opponents, None if samples == 0 else limit)
        if observations is not None:
            return observations
    deals = Draws(knowledge, samples or default, seed)
    return [Observations(_drawn(o, deals), len(deals), drawn=True) for o in opponents]


def _drawn(opponent: Opponent, deals: Draws) -> Iterator[Weighted]:
    """Yield what an opponent has observed in each of the drawn deals."""
    for index in range(len(deals)):
        random = deals.random(opponent.player, index)
        yield opponent.draw(deals[index], random), Fraction(1)


def _all(
    knowledge: Knowledge, opponents: Sequence[Opponent], limit: int | None
) -> list[Observations] | None:
    """Return all observations, or ``None`` if there are more than ``limit``, or too many deals."""
    if limit is not None and knowledge.count() > MAX_WORLDS:
        return None
    weight_of = integer_weight(knowledge)
    tables: list[dict[Observation, Fraction]] = [defaultdict(Fraction) for _ in opponents]
    total = count = 0
    meter = knowledge.budget.meter()
    for deal in knowledge.worlds():
        meter.spend()
        weight = weight_of(deal)
        total += weight
        for opponent, table in zip(opponents, tables, strict=True):
            before = len(table)
            for observation, share in opponent.observations(deal):
                table[observation] += weight * share
                if limit is not None and count + len(table) - before > limit:
                    return None
            count += len(table) - before
    if not total:
        raise Contradiction
    return [
        Observations(
            sorted(((seen, weight / total) for seen, weight in table.items()), key=lambda p: -p[1]),
            len(table),
            drawn=False,
        )
        for table in tables
    ]


Z = 1.959963984540054
"""Half the width of a 95 % interval, in standard errors."""

ONE = Fraction(1)


@frozen
class Estimate:
    """A number, exact or with a 95 % confidence interval.

    Parameters
    ----------
    value
        The number, or the best estimate of it.
    low, high
        The ends of the interval; both are the value if it is exact.
    exact
        Whether nothing is estimated.
    """

    value: Fraction | float
    low: float
    high: float
    exact: bool

    @classmethod
    def of(cls, value: Fraction | float) -> Estimate:
        """Return a number that is exact."""
        return cls(value, float(value), float(value), exact=True)

    def __str__(self) -> str:
        """Return the number with one decimal, and the interval if it is not exact."""
        if self.exact:
            return f"{float(self.value):.1f}"
        return f"{float(self.value):.1f} ({self.low:.1f}-{self.high:.1f})"

    def percent(self) -> str:
        """Return a probability as a percentage, and the interval if it is not exact."""
        if self.exact:
            return percent(Fraction(self.value))
        low, high = (percent(Fraction(bound)) for bound in (self.low, self.high))
        return f"{float(self.value):.0%} ({low.removesuffix('%')}-{high})"


@define
class Average:
    """The average of a number over cases, which are added one by one.

    Parameters
    ----------
    drawn
        Whether the cases are draws, each of weight 1. Otherwise they are all cases, and their
        weights will sum to 1: the average is exact once they do, and until then its interval
        covers every value that the missing cases may have.
    least, most
        Bounds of the number.
    yes_no
        Whether the number is 0 or 1 in each case, so that the average is a probability.
    """

    drawn: bool = False
    least: float = 0.0
    most: float = 1.0
    yes_no: bool = True
    cases: int = 0
    weight: Fraction = field(factory=Fraction)
    total: Fraction | float = field(factory=Fraction)
    squares: float = 0.0

    def add(self, number: Fraction | float, weight: Fraction = ONE) -> None:
        """Add a case."""
        self.cases += 1
        self.weight += weight
        self.total += number * weight
        self.squares += float(number) ** 2 * float(weight)

    def estimate(self) -> Estimate:
        """Return the average of the cases so far."""
        if not self.weight:
            return Estimate((self.least + self.most) / 2, self.least, self.most, exact=False)
        value = self.total / self.weight
        if not self.drawn:
            rest = float(1 - self.weight)
            if not rest:
                return Estimate.of(value)
            total = float(self.total)
            return Estimate(value, total + rest * self.least, total + rest * self.most, exact=False)
        low, high = self._interval(float(value))
        return Estimate(value, max(self.least, low), min(self.most, high), exact=False)

    def of_share(self, weight: Fraction) -> Estimate:
        """Return the probability of what holds in cases of this weight, among the cases so far."""
        share = float(weight)
        return evolve(
            self, total=weight, squares=share, least=0.0, most=1.0, yes_no=True
        ).estimate()

    def _interval(self, mean: float) -> tuple[float, float]:
        """Return a 95 % interval: Wilson's for a probability, else Student's.

        Source of Student's quantile: its expansion in Abramowitz & Stegun, *Handbook of
        Mathematical Functions*, 26.7.5.
        """
        if self.yes_no:
            return wilson(mean, self.cases, Z)
        if self.cases == 1:
            return -inf, inf
        free = self.cases - 1
        variance = max(0.0, self.squares / self.cases - mean**2)
        student = Z + (Z**3 + Z) / (4 * free)
        student += (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * free**2)
        half = student * sqrt(variance / free)
        return mean - half, mean + half


BATCH = 100
"""How many deals are drawn at a time, so that an interrupt comes after some were examined."""

T = TypeVar("T")

Steps: TypeAlias = Iterator[tuple[int, int, Callable[[], T]]]
"""A computation in steps: after each how many are done, of how many, and what returns the result so
far. The first is before any of them."""


def finished(steps: Steps[T]) -> T:
    """Return the result when all steps are done."""
    for _, _, result in steps:  # noqa: B007 (the last one)
        pass
    return result()


def check_samples(samples: int | None, least: int = 0) -> None:
    """Raise `BadInput` for too small a number of draws."""
    if samples is not None and samples < least:
        raise BadInput(f"{samples} samples are too few; at least {least}")


class Draws:
    """Deals drawn by the posterior when they are needed; `IndexError` after the last.

    Parameters
    ----------
    knowledge
        Whose deals.
    count
        How many.
    seed
        The same seed gives the same deals.
    """

    def __init__(self, knowledge: Knowledge, count: int, seed: int) -> None:
        self.knowledge, self.count, self.seed = knowledge, count, seed
        self._batch: tuple[int, Sequence[World]] = (-1, ())

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> World:
        if not 0 <= index < self.count:
            raise IndexError(index)
        batch, rest = divmod(index, BATCH)
        if self._batch[0] != batch:
            count = min(BATCH, self.count - batch * BATCH)
            seed = self.random("worlds", batch).getrandbits(32)
            self._batch = batch, self.knowledge.sample(count, seed=seed)
        return self._batch[1][rest]

    def random(self, purpose: str, index: int) -> Random:
        """Return the source of random numbers for one use of one deal."""
        return Random(f"{self.seed} {purpose} {index}")


def method_notes(*, drawn: bool, cases: int, complete: bool) -> Iterator[str]:
    """Yield how the numbers were computed."""
    if drawn:
        yield (
            f"estimated from {plural(cases, 'drawn deal')}, with the 95% interval in parentheses; "
            "--samples 0 is exact"
        )
    elif not complete:
        yield (
            f"stopped after {plural(cases, 'case')}; in parentheses, the values that the remaining "
            "cases allow"
        )
