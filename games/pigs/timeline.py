"""How the probabilities move from event to event, and when each role became certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from attrs import frozen

from deduce.display import Displayed
from deduce.errors import Contradiction
from games.pigs.cards import LOYAL, REBEL, Role
from games.pigs.census import Factors, marginals
from games.pigs.events import Die, PublicEvent
from games.pigs.facts import Facts, Standing
from games.pigs.follow import follow
from games.pigs.infer import Seats
from games.pigs.log import Log

__all__ = ["ROUTES", "Certainty", "Moment", "Timeline", "steps", "timeline"]

ROUTES: Mapping[str, str] = {
    "told": "known from the start",
    "declared": "declared by its own action",
    "died": "shown by its death",
    "cards": "silent, but given away by its cards",
    "counting": "left over by counting rebels",
}


@frozen
class Moment:
    """What is known after an event (or, with number 0, before the first)."""

    number: int
    event: PublicEvent | None
    rebel: tuple[Fraction, ...]
    """For each seat the exact probability that it is a rebel."""
    total: int
    """The weighted number of worlds whose log begins with the events so far."""


@frozen
class Certainty:
    """The first moment at which a seat's role was certain, and how it became so."""

    seat: int
    role: Role
    number: int
    """Of the event; 0: from the start."""
    route: str
    """One of ``told``, ``declared``, ``died``, ``cards`` and ``counting``."""


@frozen
class Timeline(Displayed):
    """The whole story of a log."""

    moments: tuple[Moment, ...]
    certain: tuple[Certainty, ...]
    """In the order in which the roles became certain; without the Master."""

    def __str__(self) -> str:
        from games.pigs.show import format_timeline

        return format_timeline(self).rstrip("\n")

    def _repr_html_(self) -> str:
        from games.pigs.page import timeline_html

        return timeline_html(self)


def timeline(log: Log) -> Timeline:
    r"""Return what was known after every event of a log.

    The silence of seats that were asked for a nullify or an answer counts as soon as the next event
    shows it.

    Raises
    ------
    BadInput
        The log cannot be read by the rules.
    Contradiction
        No world fits the events up to some number, which the message names.

    Notes
    -----
    One pass over the log: about as long as one inference and a sum over role vectors an event.

    Examples
    --------
    >>> from games.pigs.logtext import parse_log
    >>> story = timeline(parse_log("pigs 2\nturn 1\n1 ends"))
    >>> story.certain
    (Certainty(seat=2, role='FP', number=0, route='told'),)
    """
    facts = follow(log)
    moments: list[Moment] = []
    certain: dict[int, Certainty] = {}
    for number, factors, standing in steps(log, facts):
        total, weights = marginals(factors, standing, log.rebels)
        if not total:
            raise Contradiction(f"no roles and cards fit the first {number} events of this log")
        event = log.events[number - 1] if number else None
        moments.append(
            Moment(number, event, tuple(Fraction(weight, total) for weight in weights), total)
        )
        for seat in range(2, log.players + 1):
            if seat not in certain and weights[seat - 1] in (0, total):
                role: Role = REBEL if weights[seat - 1] else LOYAL
                route = _route(log, facts, seat, number, factors)
                certain[seat] = Certainty(seat, role, number, route)
    # What follows by counting follows from what the same event has shown of other seats.
    order = sorted(certain.values(), key=lambda known: (known.number, known.route == "counting"))
    return Timeline(tuple(moments), tuple(order))


def steps(log: Log, facts: Facts) -> Iterator[tuple[int, Factors, Standing]]:
    """Yield after every event its number, the factors of the seats and who lives."""
    seats = Seats(log)
    observations, standings = list(facts.observations[::-1]), list(facts.standings[::-1])
    standing = standings.pop()
    factors = list(seats.factors())
    for event in range(-1, len(log.events)):
        changed = set()
        while observations and observations[-1].event == event:
            changed.add(observations[-1].seat)
            seats.tell(observations.pop())
        while standings and standings[-1].event == event:
            standing = standings.pop()
        for seat in changed:
            factors[seat - 1] = seats.factor(seat)
        yield event + 1, tuple(factors), standing


def _route(log: Log, facts: Facts, seat: int, number: int, factors: Factors) -> str:
    if number == 0:
        return "told"
    if sum(factor > 0 for factor in factors[seat - 1].values()) > 1:
        return "counting"
    if facts.shown.get(seat) == number - 1:
        return "died" if isinstance(log.events[number - 1], Die) else "declared"
    return "cards"
