"""Pig-slaying in notebooks: who is a rebel, event by event. Needs the extra ``widgets``."""

from __future__ import annotations

from html import escape

from deduce.show.table import percent
from deduce.text import visible
from deduce.widgets.cells import Cell, Row, Table
from deduce.widgets.stepper import Moment as Shown
from deduce.widgets.stepper import Stepper
from deduce.widgets.tables import share_cell
from deduce.widgets.toolkit import message
from games.pigs.cards import MASTER, REBEL, ROLE_NAMES, Role
from games.pigs.follow import turn_ends
from games.pigs.log import Log
from games.pigs.page import Seat, seats_svg
from games.pigs.show import sentence
from games.pigs.timeline import ROUTES, Moment, timeline
from games.pigs.why import why

__all__ = ["role_stepper"]


def role_stepper(log: Log) -> Stepper:
    r"""Return a stepper through a public log; a click on a certain role tells why.

    Raises
    ------
    BadInput
        The log cannot be read by the rules.
    Contradiction
        No roles and cards fit it.

    Examples
    --------
    >>> from games.pigs.logtext import parse_log
    >>> log = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 ends"
    >>> stepper = role_stepper(parse_log(log))
    >>> stepper.go(4)
    >>> stepper.moment.changes[:2]
    ('seat 2: certainly rebel, declared by its own action', 'seat 2: a rebel with 66.7% → 100%')
    """
    story = timeline(log)
    certain = {known.seat: known for known in story.certain}
    ends = turn_ends(log)

    def moment(number: int) -> Shown:
        now = story.moments[number]
        title = f"{number}. {sentence(now.event)}" if now.event else "0. before the first turn"
        changes = [
            f"seat {known.seat}: certainly {ROLE_NAMES[known.role]}, {ROUTES[known.route]}"
            for known in story.certain
            if known.number == number
        ]
        if number:
            changes += _moved(story.moments[number - 1], now)
        return Shown(
            title, tuple(changes), table(now), lambda place: explained(number, place), board(now)
        )

    def role(now: Moment, seat: int) -> Role | None:
        """Return the role of a seat where it is certain by now."""
        known = certain.get(seat)
        return None if known is None or known.number > now.number else known.role

    def board(now: Moment) -> str:
        seats = []
        for seat, share in enumerate(now.rebel, start=1):
            sure = MASTER if seat == 1 else role(now, seat)
            word = f"rebel {percent(share, digits=1)}" if sure is None else ROLE_NAMES[sure]
            rebel = True if sure == REBEL else None
            seats.append(Seat(seat, word, rebel, share=float(share)))
        words = "; ".join(f"seat {seat.number}: {seat.word}" for seat in seats)
        return str(seats_svg(seats, title="Who is a rebel", desc=words))

    def table(now: Moment) -> Table:
        rows = []
        for seat, share in enumerate(now.rebel, start=1):
            sure = MASTER if seat == 1 else role(now, seat)
            word = "open" if sure is None else ROLE_NAMES[sure]
            cell = share_cell(share, name=f"seat {seat}, a rebel", pick=seat > 1)
            rows.append(Row(f"seat {seat}", (Cell(word, pick=False), cell)))
        return Table(("", "role", "rebel"), rows, "How probable it is that a seat is a rebel")

    def explained(number: int, place: tuple[int, int]) -> str:
        # An explanation is of whole turns: of the one that goes on, and of those before.
        upto = min((end for end in ends if end >= number), default=ends[-1])
        known = certain.get(place[0] + 1)
        if known is None or known.number > number:
            return message(f"seat {place[0] + 1}: both roles are possible")
        answer = why(log.upto(upto), known.seat, known.role)
        lines = (f"<div>{escape(visible(reason.sentence))}</div>" for reason in answer.reasons)
        return f'<div class="deduce-prose">{"".join(lines)}</div>'

    return Stepper(len(log.events), moment)


def _moved(before: Moment, now: Moment) -> list[str]:
    return [
        f"seat {seat}: a rebel with {percent(old, digits=1)} → {percent(new, digits=1)}"
        for seat, (old, new) in enumerate(zip(before.rebel, now.rebel, strict=True), start=1)
        if old != new
    ]
