"""How the probabilities change from event to event, and when each role became certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from attrs import frozen

from deduce.errors import Contradiction
from deduce.logs.events import Log
from deduce.system.display import Displayed
from games.pigs.events import Die, PublicEvent
from games.pigs.inference import Factors, SeatFilters, marginals
from games.pigs.reading import Reading, Survivors, read_turns
from games.pigs.setup import LOYAL, REBEL, ROLE_NAMES, Role, log_of

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge

__all__ = ["ROUTES", "Certainty", "Snapshot", "Timeline", "factors_by_event", "timeline"]

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
    for number, factors, survivors in factors_by_event(log, reading):
        total, weights = marginals(factors, survivors, log.game.rebels)
        if not total:
            raise Contradiction(f"no roles and cards fit the first {number} events of this log")
        event = log.events[number - 1] if number else None
        snapshots.append(
            Snapshot(number, event, tuple(Fraction(weight, total) for weight in weights), total)
        )
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
