"""A stepper for notebooks: the probability of each role after every event (extra ``widgets``)."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from deduce.events import Log
from deduce.show.sheet import Cell, Row, Sheet, share_cell
from deduce.show.table import percent
from deduce.text import visible
from deduce.widgets.stepper import Moment, Stepper
from deduce.widgets.toolkit import message
from games.pigs.cards import MASTER, REBEL, ROLE_NAMES, Role
from games.pigs.page import SeatView, seats_svg
from games.pigs.proofs import why
from games.pigs.reading import read_events
from games.pigs.setup import log_of
from games.pigs.show import sentence
from games.pigs.timelines import ROUTES, Snapshot, timeline

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge

__all__ = ["role_stepper"]


def role_stepper(log: Log | Knowledge) -> Stepper:
    r"""Return a stepper through a public log; a click on a certain role shows why.

    Parameters
    ----------
    log
        A log of complete turns, or knowledge, whose log is then used as its viewer sees it.

    Raises
    ------
    BadInput
        The log cannot be read by the rules.
    Contradiction
        No roles and cards agree with it.

    Examples
    --------
    >>> from games.pigs import Pigs
    >>> log = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 ends"
    >>> stepper = role_stepper(Pigs.parse_log(log))
    >>> stepper.go(4)
    >>> stepper.moment.changes[:2]
    ('seat 2: certainly rebel, declared by its own action', 'seat 2: a rebel with 66.7% → 100%')
    """
    log = log_of(log)
    story = timeline(log)
    certain = {known.seat: known for known in story.certain}
    ends = read_events(log.game, log.events).boundaries

    def moment(number: int) -> Moment:
        now = story.snapshots[number]
        title = f"{number}. {sentence(now.event)}" if now.event else "0. before the first turn"
        changes = [
            f"seat {known.seat}: certainly {ROLE_NAMES[known.role]}, {ROUTES[known.route]}"
            for known in story.certain
            if known.number == number
        ]
        if number:
            changes += _changes(story.snapshots[number - 1], now)
        return Moment(
            title, tuple(changes), table(now), lambda cell: explanation(number, cell), board(now)
        )

    def role(now: Snapshot, seat: int) -> Role | None:
        """Return the role of a seat if it is certain by now."""
        known = certain.get(seat)
        return None if known is None or known.number > now.number else known.role

    def board(now: Snapshot) -> str:
        seats = []
        for seat, share in enumerate(now.rebel, start=1):
            sure = MASTER if seat == 1 else role(now, seat)
            word = f"rebel {percent(share, digits=1)}" if sure is None else ROLE_NAMES[sure]
            rebel = True if sure == REBEL else None
            seats.append(SeatView(seat, word, rebel, share=float(share)))
        words = "; ".join(f"seat {seat.number}: {seat.word}" for seat in seats)
        return str(seats_svg(seats, title="Which seats are rebels", desc=words))

    def table(now: Snapshot) -> Sheet:
        rows = []
        for seat, share in enumerate(now.rebel, start=1):
            sure = MASTER if seat == 1 else role(now, seat)
            word = "open" if sure is None else ROLE_NAMES[sure]
            cell = share_cell(share, name=f"seat {seat}, a rebel", pick=seat > 1)
            rows.append(Row(f"seat {seat}", (Cell(word, pick=False), cell)))
        return Sheet(("", "role", "rebel"), rows, "The probability that a seat is a rebel")

    def explanation(number: int, cell: tuple[int, int]) -> str:
        # A proof needs complete turns: the current one and those before it.
        upto = min((end for end in ends if end >= number), default=ends[-1])
        known = certain.get(cell[0] + 1)
        if known is None or known.number > number:
            return message(f"seat {cell[0] + 1}: both roles are possible")
        proof = why(log.upto(upto), known.seat, known.role)
        lines = (f"<div>{escape(visible(reason.sentence))}</div>" for reason in proof.reasons)
        return f'<div class="deduce-prose">{"".join(lines)}</div>'

    return Stepper(len(log.events), moment)


def _changes(before: Snapshot, now: Snapshot) -> list[str]:
    return [
        f"seat {seat}: a rebel with {percent(old, digits=1)} → {percent(new, digits=1)}"
        for seat, (old, new) in enumerate(zip(before.rebel, now.rebel, strict=True), start=1)
        if old != new
    ]
