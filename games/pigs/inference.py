"""The exact posterior over roles and hands, given a public log.

Every decision of a seat depends only on its own role, its own hand and public facts. So the number
of deals that agree with a log is a product over the seats: each seat contributes one number for
each role it may have (its *factor*), and only the number of rebels, and whether one of them is
alive, connects the seats. One pass over the log computes all factors; at most 512 role vectors give
the rest (docs/games/pigs.md, 9.1).

This method is private to the game since it is more than 35 times faster than the toolkit's engines
and answers every log: the counting engine stays within its budget for half of the recorded logs of
more than 100 events and then takes 374 ms (median), 423 times as long as this module
(docs/benchmarks/pigs.md). `games.pigs.game.Pigs` states the same inference for the engines, and the
tests compare the two.

A timeline shows how the probabilities change from event to event, and when each role became
certain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

from deduce.errors import BadInput, Contradiction
from deduce.logs.events import Log
from deduce.system.display import Displayed
from games.pigs.events import Die, PublicEvent
from games.pigs.hands import Hands, ScannedHands, bits
from games.pigs.reading import Kind, Observation, Reading, Survivors, read_turns
from games.pigs.setup import CARDS, LOYAL, PLAIN_WEIGHTS, REBEL, ROLE_NAMES, Role, Setup, log_of

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge

__all__ = [
    "ROUTES",
    "Certainty",
    "Factors",
    "Inference",
    "Roles",
    "SeatFilters",
    "Snapshot",
    "Timeline",
    "answer_fields",
    "apply",
    "factors_by_event",
    "infer",
    "marginals",
    "timeline",
    "vectors",
]


Roles = tuple[Role, ...]
Factors = Sequence[Mapping[Role, int]]


@frozen(slots=False)
class Inference(Displayed):
    """What a log implies about roles and cards.

    The prior: role vectors are equally likely among those with the known number of rebels (if it is
    not known: at least one); cards are independent, with the weights of the set-up. The uniform
    prior over role vectors is a choice; a table that deals roles differently multiplies `vectors`
    by its own prior.
    """

    seats: int
    factors: Factors
    """For each seat: role -> weighted number of hands with which the seat would have acted as
    recorded; only the known role of the seat that keeps the log."""
    vectors: Mapping[Roles, int]
    """Possible role vector -> weighted number of deals, in the order of role names."""
    hands: tuple[Mapping[Role, Hands], ...] = field(eq=False, repr=False)
    """The hand filters behind the factors; do not change them."""

    @cached_property
    def total(self) -> int:
        """The weighted number of deals; with plain weights, the number of deals."""
        return sum(self.vectors.values())

    @cached_property
    def possible(self) -> tuple[tuple[Role, ...], ...]:
        """For each seat the roles that it has in some deal."""
        return tuple(tuple(sorted({v[k] for v in self.vectors})) for k in range(self.seats))

    @cached_property
    def certain(self) -> Mapping[int, Role]:
        """Seat -> role, for the seats that have the same role in every deal; without the Master."""
        return {
            seat: roles[0]
            for seat, roles in enumerate(self.possible, 1)
            if len(roles) == 1 and seat > 1
        }

    def probability(self, seat: int, role: Role) -> Fraction:
        """Return the exact probability that the seat has the role."""
        return Fraction(
            sum(weight for roles, weight in self.vectors.items() if roles[seat - 1] == role),
            self.total,
        )

    @cached_property
    def rebel(self) -> tuple[Fraction, ...]:
        """For each seat the exact probability that it is a rebel."""
        return tuple(self.probability(seat, REBEL) for seat in range(1, self.seats + 1))

    def holds(self, seat: int, card: str, *, at_least: int = 1) -> Fraction:
        r"""Return the exact probability that the seat now holds at least this number of a card.

        Parameters
        ----------
        seat
            The number of the seat.
        card
            The letter of a card.
        at_least
            The number of cards.

        Raises
        ------
        BadInput
            There is no such seat or card.

        Examples
        --------
        >>> from games.pigs import Pigs
        >>> infer(Pigs.parse_log("pigs 3\nturn 1\n1 ends")).holds(3, "J")
        Fraction(1695, 4096)
        """
        if not 1 <= seat <= self.seats:
            raise BadInput(f"there is no seat {seat}, only 1 to {self.seats}")
        if card not in CARDS or len(card) != 1:
            raise BadInput(f"unknown card {card!r}; cards are {', '.join(CARDS)}")
        answer = Fraction(0)
        for role in self.possible[seat - 1]:
            hands = self.hands[seat - 1][role]
            if at_least == 1:
                share = Fraction(hands.weight() - hands.weight_without(bits(card)), hands.weight())
            else:
                share = Fraction(sum(hands.weights_by_number(card)[at_least:]), hands.weight())
            answer += self.probability(seat, role) * share
        return answer


def infer(log: Log | Knowledge) -> Inference:
    r"""Return what a log of complete turns implies about roles and cards.

    Parameters
    ----------
    log
        A log, or knowledge (`deduce.read` returns it), whose log is then used as its viewer sees
        it.

    Raises
    ------
    BadInput
        The events cannot follow each other, the log stops inside a turn, or fewer cards are known
        than the seat has drawn.
    Contradiction
        No deal agrees with the log. `games.pigs.proofs.why_impossible` shows which events clash.
    Unsupported
        The knowledge rests on assumptions.

    Notes
    -----
    Source: docs/games/pigs.md, 9.1. Half a millisecond for a typical whole game, a few milliseconds
    for the longest recorded ones.

    Examples
    --------
    >>> from games.pigs import Pigs
    >>> log = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 uses Z\n2 ends"
    >>> inference = infer(Pigs.parse_log(log))
    >>> inference.certain, inference.probability(3, "FP")
    ({2: 'FP'}, Fraction(4096, 6497))
    """
    log = log_of(log)
    reading = read_turns(log)
    filters = SeatFilters(log.game)
    for observation in reading.observations:
        filters.add(observation)
    factors = filters.factors()
    weights = dict(vectors(factors, reading.survivors[-1], log.game.rebels))
    if not weights:
        raise Contradiction("no roles and cards fit this log")
    return Inference(log.game.seats, factors, weights, tuple(filters.filters))


def answer_fields(inference: Inference) -> dict[str, object]:
    """Return an inference with the fields of the case files: exact numbers as text."""
    return {
        "possible": [list(roles) for roles in inference.possible],
        "certain": {str(seat): role for seat, role in inference.certain.items()},
        "p_rebel": [str(p) for p in inference.rebel],
        "vectors": [
            ["".join(role[0] for role in roles), str(weight)]
            for roles, weight in inference.vectors.items()
        ],
        "total": str(inference.total),
        "factors": [{r: str(w) for r, w in factor.items()} for factor in inference.factors],
    }


class SeatFilters:
    """The hand filters of all seats, to which observations are added one after the other."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.unknown = bits(card for card, weight in setup.weights.items() if weight)
        self.known: dict[int, Iterator[int]] = {}
        """Seats whose cards are known -> their slots in the order of drawing."""
        self.filters: list[dict[Role, Hands]] = []
        for seat in setup.players:
            cards = setup.known_cards(seat)
            if cards is not None:
                self.known[seat] = map(bits, cards)
            weights = setup.weights if cards is None else PLAIN_WEIGHTS
            filter_class = Hands if setup.rule_set == "contest" else ScannedHands
            self.filters.append(
                {role: filter_class(weights) for role in setup.possible_roles(seat)}
            )

    def add(self, observation: Observation) -> None:
        """Exclude the hands that an observation rules out."""
        _, seat, kind, by_role, card, number = observation
        slots = self.slots(seat, number) if number else ()
        for role, hands in self.filters[seat - 1].items():
            apply(hands, kind, by_role[role == REBEL], card, slots)

    def slots(self, seat: int, number: int) -> Sequence[int]:
        """Return the next cards that the seat draws: sets of types, of one type if known."""
        known = self.known.get(seat)
        if known is None:
            return (self.unknown,) * number
        slots = [slot for _, slot in zip(range(number), known, strict=False)]
        if len(slots) < number:
            raise BadInput(
                f"the known cards of seat {seat} end too early: name every card it has drawn, "
                "dealt ones first"
            )
        return slots

    def factor(self, seat: int) -> Mapping[Role, int]:
        """Return the weight of the seat's hands under each role."""
        return {role: hands.weight() for role, hands in self.filters[seat - 1].items()}

    def factors(self) -> Factors:
        """Return the weight of the hands of each seat under each role."""
        return tuple(map(self.factor, self.setup.players))


def apply(
    hands: Hands, kind: Kind, types: int | None, card: str | None, slots: Sequence[int]
) -> None:
    """Exclude the hands that an observation rules out under one role."""
    if types is None:
        hands.rule_out()
    elif kind is Kind.LACK:
        hands.lack(types)
    elif kind is Kind.PLAY and card is not None:
        hands.play(card, left=types)
    elif kind is Kind.REACH and card is not None:
        hands.reach(card, usable=types)
    elif kind is Kind.STOP:
        hands.stop(types)
    elif kind is Kind.DRAW:
        hands.draw(slots)
    elif kind is Kind.LOSE:
        hands.lose(card)


def vectors(
    factors: Factors, survivors: Survivors, rebels: int | None
) -> Iterator[tuple[Roles, int]]:
    """Yield the possible role vectors, in the order of role names, each with its weight.

    Parameters
    ----------
    factors
        For each seat role -> weight.
    survivors
        The living seats, and whether a rebel must be among them.
    rebels
        The number of rebels; ``None``: at least one.
    """

    def extend(roles: Roles, weight: int) -> Iterator[tuple[Roles, int]]:
        if len(roles) < len(factors):
            for role, factor in sorted(factors[len(roles)].items()):
                if factor:
                    yield from extend((*roles, role), weight * factor)
            return
        count = roles.count(REBEL)
        if count != rebels if rebels is not None else count == 0:
            return
        if survivors.rebel_lives is not None:
            lives = any(roles[seat - 1] == REBEL for seat in survivors.living)
            if lives is not survivors.rebel_lives:
                return
        yield roles, weight

    return extend((), 1)


def marginals(
    factors: Factors, survivors: Survivors, rebels: int | None
) -> tuple[int, tuple[int, ...]]:
    """Return the total weight, and for each seat the weight with which it is a rebel.

    The result equals a sum over `vectors`, in time quadratic in the seats: seat by seat, the
    weights are added up by the number of rebels and whether one of them is alive, and then once
    more from the last seat on.

    Examples
    --------
    >>> factors = [{"MP": 1}, {"ZP": 1, "FP": 2}, {"ZP": 3, "FP": 4}]
    >>> marginals(factors, Survivors(0, (1, 2, 3), rebel_lives=True), None)
    (18, (0, 14, 12))
    """
    seats = []
    layers = [{(0, False): 1}]
    for seat, factor in enumerate(factors, 1):
        alive, rebel = seat in survivors.living, factor.get(REBEL, 0)
        other = sum(factor.values()) - rebel
        seats.append((alive, rebel, other))
        following = {state: ways * other for state, ways in layers[-1].items()}
        for (count, lives), ways in layers[-1].items() if rebel else ():
            after = count + 1, lives or alive
            following[after] = following.get(after, 0) + ways * rebel
        layers.append(following)
    behind = {
        (count, lives): 1
        for count, lives in layers.pop()
        if (count > 0 if rebels is None else count == rebels)
        and survivors.rebel_lives in (None, lives)
    }
    answer = []
    for (alive, rebel, other), layer in zip(reversed(seats), reversed(layers), strict=True):
        mine, before = 0, dict[tuple[int, bool], int]()
        for (count, lives), ways in layer.items():
            worth = rebel * behind.get((count + 1, lives or alive), 0)
            mine += ways * worth
            before[count, lives] = worth + other * behind.get((count, lives), 0)
        behind = before
        answer.append(mine)
    return behind[0, False], tuple(reversed(answer))


ROUTES: Mapping[str, str] = {
    "told": "known from the start",
    "declared": "declared by its own action",
    "died": "shown by its death",
    "cards": "silent, but given away by its cards",
    "counting": "left over by counting rebels",
}


@frozen
class Snapshot:
    """What is known after an event; with number 0, before the first."""

    number: int
    event: PublicEvent | None
    rebel: tuple[Fraction, ...]
    """For each seat the exact probability that it is a rebel."""
    total: int
    """The weighted number of deals whose log begins with the events so far."""


@frozen
class Certainty:
    """The first moment at which a seat's role was certain, and how it became so."""

    seat: int
    role: Role
    number: int
    """The number of the event; 0: from the start."""
    route: str
    """One of ``told``, ``declared``, ``died``, ``cards`` and ``counting`` (see `ROUTES`)."""

    def __str__(self) -> str:
        when = f" after event {self.number}" if self.number else ""
        return f"Seat {self.seat}: {ROLE_NAMES[self.role]}, certain{when}: {ROUTES[self.route]}."


@frozen
class Timeline(Displayed):
    """The probabilities after every event of a log, and when each role became certain."""

    snapshots: tuple[Snapshot, ...]
    certain: tuple[Certainty, ...]
    """In the order in which the roles became certain; without the Master."""

    def changes(self) -> list[Snapshot]:
        """Return what is known at the start, and after each event that changed a probability."""
        before = (None, *self.snapshots)
        pairs = zip(before, self.snapshots, strict=False)
        return [now for last, now in pairs if last is None or now.rebel != last.rebel]


def timeline(log: Log | Knowledge) -> Timeline:
    r"""Return what was known after every event of a log.

    That a seat did not use a nullify or give an answer counts as soon as the next event shows it.

    Parameters
    ----------
    log
        A log of complete turns, or knowledge, whose log is then used as its viewer sees it.

    Raises
    ------
    BadInput
        The log cannot be read by the rules.
    Contradiction
        No deal agrees with the events up to a number that the message states.

    Notes
    -----
    One pass over the log: the time of one inference, plus that of `marginals` for each event.

    Examples
    --------
    >>> from games.pigs import Pigs
    >>> story = timeline(Pigs.parse_log("pigs 2\nturn 1\n1 ends"))
    >>> story.certain
    (Certainty(seat=2, role='FP', number=0, route='told'),)
    """
    log = log_of(log)
    reading = read_turns(log)
    snapshots: list[Snapshot] = []
    certain: dict[int, Certainty] = {}
    before: object = None
    for number, factors, survivors in factors_by_event(log, reading):
        event = log.events[number - 1] if number else None
        if (factors, survivors) == before:
            snapshots.append(evolve(snapshots[-1], number=number, event=event))
            continue
        before = factors, survivors
        total, weights = marginals(factors, survivors, log.game.rebels)
        if not total:
            raise Contradiction(f"no roles and cards fit the first {number} events of this log")
        shares = tuple(Fraction(weight, total) for weight in weights)
        snapshots.append(Snapshot(number, event, shares, total))
        for seat in log.game.players[1:]:
            if seat not in certain and weights[seat - 1] in (0, total):
                role: Role = REBEL if weights[seat - 1] else LOYAL
                route = _route(log, reading, seat, number, factors)
                certain[seat] = Certainty(seat, role, number, route)
    # Counting comes last: it builds on what the same event has shown of other seats.
    order = sorted(certain.values(), key=lambda known: (known.number, known.route == "counting"))
    return Timeline(tuple(snapshots), tuple(order))


def factors_by_event(log: Log, reading: Reading) -> Iterator[tuple[int, Factors, Survivors]]:
    """Yield after every event its number, the factors of the seats and the living seats."""
    filters = SeatFilters(log.game)
    observations, changes = list(reading.observations[::-1]), list(reading.survivors[::-1])
    survivors = changes.pop()
    factors = list(filters.factors())
    for event in range(-1, len(log.events)):
        changed = set()
        while observations and observations[-1].event == event:
            changed.add(observations[-1].seat)
            filters.add(observations.pop())
        while changes and changes[-1].event == event:
            survivors = changes.pop()
        for seat in changed:
            factors[seat - 1] = filters.factor(seat)
        yield event + 1, tuple(factors), survivors


def _route(log: Log, reading: Reading, seat: int, number: int, factors: Factors) -> str:
    if number == 0:
        return "told"
    if sum(factor > 0 for factor in factors[seat - 1].values()) > 1:
        return "counting"
    if reading.shown.get(seat) == number - 1:
        return "died" if isinstance(log.events[number - 1], Die) else "declared"
    return "cards"
