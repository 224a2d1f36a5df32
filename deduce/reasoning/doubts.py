"""Doubts: which events of a log may be wrong, and how probably.

Evidence with a doubt excludes no world. It is a mixture: right with the probability 1 - doubt, and
otherwise one of its alternatives holds, or nothing is known. Slips of different answers are
independent. How the mixtures are weighed is the subject of `deduce.reasoning.likelihoods`;
`certain_unless` states what is certain although few answers may be wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import evolve, frozen

from deduce.constraints import Constraint, Value, Variable, Weigh
from deduce.engines.base import Numbers
from deduce.errors import BadInput, BadProblem, Contradiction
from deduce.game import Event, HiddenGame, Slip, Slips, Viewer, hook
from deduce.problem import Evidence, Problem, rate_of
from deduce.reasoning.likelihoods import Likelihood
from deduce.system.text import join, nearest, plural, visible

if TYPE_CHECKING:
    from deduce.reasoning.queries import Queries

    Known = TypeVar("Known", bound=Queries)

__all__ = [
    "Doubts",
    "Unless",
    "certain_unless",
    "check_doubts",
    "check_events",
    "doubted",
    "ranked_slips",
    "rates_of",
    "with_doubts",
]

Doubts = Any
"""``None``: no event is doubted; ``True``: the rates that the game declares; a number: the rate for
each event; a mapping: rates by the game's kinds of slips, or by the number of the event."""


DEFAULT_RATE = Fraction(1, 100)
"""The probability that an event is wrong, for games that declare none."""


def doubted(
    game: HiddenGame, log: Sequence[Event], viewer: Viewer, doubts: Doubts
) -> Iterable[Evidence]:
    """Return the evidence of a log, with the doubts that are asked for.

    Raises
    ------
    BadInput
        The game cannot have these doubts (`check_doubts`).
    """
    check_doubts(game, doubts)
    if doubts is None:
        return game.evidence(log, viewer)
    by_kind, declared = hook(game, Slips.doubted), _declared(game)
    if by_kind is None or not declared or _by_event(doubts):
        return _with_rates(game, log, viewer, doubts)
    return by_kind(log, viewer, _rates(game, declared, doubts))


def _declared(game: HiddenGame) -> Mapping[str, Fraction]:
    """Return the rates of slips that a game declares, by kind; it must also have ``doubted``."""
    return hook(game, Slips.slip_rates, {}) if hook(game, Slips.doubted) else {}


def check_doubts(game: HiddenGame, doubts: Doubts) -> None:
    """Raise `BadInput` unless the game can have these doubts; its evidence is not asked for.

    Raises
    ------
    BadInput
        The game declares no kinds of slips, or none of this name.
    """
    if doubts is None or _by_event(doubts):
        return
    declared = _declared(game)
    if doubts is True and not declared:
        raise BadInput("this game declares no rates of slips; name a rate, such as 0.01")
    if not isinstance(doubts, tuple):
        return
    names = [name for name, _ in doubts]
    if not declared:
        kinds = ", ".join(map(str, names))
        raise BadInput(f"this game declares no kinds of slips ({kinds}); name one rate")
    for name in names:
        if name not in declared:
            hint = nearest(str(name), declared)
            raise BadInput(f"no kind of slip is called {name!r}{hint} ({', '.join(declared)})")


def check_events(doubts: Doubts, events: int) -> None:
    """Raise `BadInput` if doubts are about an event that a log of this length does not have."""
    for number, _ in doubts if _by_event(doubts) else ():
        if not 1 <= number <= events:
            raise BadInput(f"there is no event {number} to be doubted; the log has {events}")


def _by_event(doubts: Doubts) -> bool:
    return isinstance(doubts, tuple) and all(type(name) is int for name, _ in doubts)


def _with_rates(
    game: HiddenGame, log: Sequence[Event], viewer: Viewer, doubts: Doubts
) -> Iterator[Evidence]:
    """Yield evidence with doubts: the probability that this record was made, though it is wrong."""
    rates = dict(doubts) if isinstance(doubts, tuple) else None
    records = hook(game, Slips.records)
    for piece in game.evidence(log, viewer):
        if not isinstance(piece, Evidence):
            yield piece  # the problem refuses it, and names it
            continue
        rate = doubts if rates is None else rates.get(piece.event)
        if piece.event is None or not rate or piece.doubt is not None:
            yield piece
        else:
            others = 1 if records is None else max(1, records(log[piece.event - 1]) - 1)
            yield evolve(piece, doubt=rate_of(rate) / others, answer=piece.answer)


def _rates(
    game: HiddenGame, declared: Mapping[str, Fraction], doubts: Doubts
) -> Mapping[str, Fraction]:
    """Return the rate of each kind; one number is shared out as the declared rates are."""
    if doubts is True:
        return declared
    if isinstance(doubts, tuple):
        return {**dict.fromkeys(declared, Fraction(0)), **dict(doubts)}
    unit = hook(game, Slips.slip_unit, None) or max(declared.values())
    return {name: rate * doubts / unit for name, rate in declared.items()}


PRECISION = 10**12
"""Rates are rounded to fractions with this denominator at most.

Their digits mean nothing beyond it, and would only make all numbers long.
"""


def _rate_of(rate: Any) -> Fraction:
    result = rate_of(rate).limit_denominator(PRECISION)
    if not result and rate_of(rate):
        raise BadProblem("a rate is 0, or at least one in 10^12")
    return result


def rates_of(doubts: Doubts) -> Doubts:
    """Return doubts in the form in which knowledge keeps them.

    Raises
    ------
    BadInput
        They are not a rate, a mapping of rates, ``True`` or ``None``.
    """
    if doubts is None or doubts is True:
        return doubts
    if doubts is False:
        return None
    try:
        if isinstance(doubts, Mapping | tuple):
            pairs = doubts.items() if isinstance(doubts, Mapping) else doubts
            return tuple((name, _rate_of(rate)) for name, rate in pairs)
        return _rate_of(doubts)
    except (BadProblem, TypeError, ValueError) as error:
        raise BadInput(f"doubts are a rate from 0 to 1, or a mapping of rates: {error}") from None


def ranked_slips(problem: Problem, numbers: Numbers) -> tuple[Slip, ...]:
    """Return the answers of a problem that may be wrong, the most probably wrong first.

    Parameters
    ----------
    problem
        A problem with at least one likelihood.
    numbers
        The weight of all worlds by the number of each likelihood, in the order of the problem.

    Raises
    ------
    Contradiction
        All weights are 0: no world is possible even if answers are wrong.
    """
    if not any(numbers[0].values()):
        raise Contradiction
    stated: list[tuple[int | None, Constraint]] = [
        (None, rule.constraint) for rule in problem.rules
    ]
    stated += [(piece.event, piece.constraint) for piece in problem.evidence]
    weighs = [(event, weigh) for event, weigh in stated if isinstance(weigh, Weigh)]
    slips = []
    for (event, weigh), of in zip(weighs, numbers, strict=True):
        if isinstance(weigh, Likelihood) and event is not None:
            right, *wrong = weigh.hypotheses(of)
            instead = zip(weigh.sentences, wrong, strict=True)
            slips.append(Slip(event, weigh.answer, 1 - right, tuple(instead)))
    return tuple(sorted(slips, key=lambda slip: (-slip.probability, slip.event)))


def with_doubts(knowledge: Known) -> Known:
    """Return knowledge with doubts: those it has, those that its game declares, or 1 %."""
    if knowledge.doubts is not None:
        return knowledge
    return knowledge.doubting(True if _declared(knowledge.game) else DEFAULT_RATE)


@frozen(str=False)
class Unless:
    """What is certain as long as few answers of the log are wrong.

    Parameters
    ----------
    variable, value
        The claim.
    slips
        It holds in every world in which up to this number of answers are wrong.
    events
        The numbers of the events that it rests on: if an answer of one of them is wrong too, it is
        open. Empty where one more wrong answer was not looked at.
    """

    variable: Variable
    value: Value
    slips: int
    events: tuple[int, ...] = ()

    def __str__(self) -> str:
        claim = f"{self.variable}: {self.value}"
        if self.events:
            numbers = join([str(event) for event in self.events], "or")
            what = "event" if len(self.events) == 1 else "one of the events"
            also = f"{plural(self.slips, 'answer')} and " if self.slips else ""
            return visible(f"{claim}, unless {also}{what} {numbers} is wrong")
        return visible(f"{claim}, even if {plural(self.slips, 'answer')} may be wrong")


Possible = Mapping[Variable, frozenset[Value]]


def certain_unless(
    problem: Problem,
    evidence: Iterable[Evidence],
    slips: int,
    possible: Callable[[Problem], Possible],
) -> tuple[Unless, ...]:
    """Return what is certain as long as few answers are wrong.

    Parameters
    ----------
    problem
        Without the evidence of the log.
    evidence
        What the log states; pieces with a doubt belong to answers that may be wrong.
    slips
        Up to this number of answers may be wrong.
    possible
        Returns the possible values of a problem; raises `Contradiction` if it has no world.
    """
    undoubted = []
    by_answer: dict[tuple[int | None, str], list[Evidence]] = {}
    for piece in evidence:
        if piece.doubt is None:
            undoubted.append(piece)
        else:
            by_answer.setdefault((piece.event, piece.answer), []).append(piece)
    problem = problem.with_evidence(*undoubted)
    answers = list(by_answer.values())
    certain: dict[Variable, Value] | None = None
    claims: dict[Variable, Unless] = {}
    for number in range(slips + 1):
        breaks: dict[Variable, dict[int, None]] = {}
        for wrong in combinations(range(len(answers)), number):
            pieces = [
                evolve(piece, doubt=None, instead=())
                for index, answer in enumerate(answers)
                if index not in wrong
                for piece in answer
            ]
            try:
                left = possible(problem.with_evidence(*pieces))
            except Contradiction:
                continue
            settled = {v: next(iter(of)) for v, of in left.items() if len(of) == 1}
            if certain is None:
                certain = settled
            for variable, value in certain.items():
                if variable not in settled or settled[variable] != value:
                    events = breaks.setdefault(variable, {})
                    events.update((answers[index][0].event or 0, None) for index in wrong)
        if certain is None:
            continue
        for variable, value in list(certain.items()):
            if variable not in breaks:
                claims[variable] = Unless(variable, value, number)
                continue
            certain.pop(variable)
            if variable in claims:
                rests_on = tuple(sorted(breaks[variable]))
                claims[variable] = evolve(claims[variable], events=rests_on)
    if certain is None:
        raise Contradiction
    return tuple(claims.values())
