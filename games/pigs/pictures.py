"""Pictures of the game: every seat with its role, hit points and cards; and a log over time.

A full heart is a remaining hit point, an empty one a lost hit point. Rebels have a double frame, so
that they can be recognised without colour. `timeline_figure` needs matplotlib (the extra ``plot``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from attrs import frozen

from deduce.show.cells import HEAD, number_html, row_html, table_html
from deduce.show.svg import (
    FAINT,
    Markup,
    group,
    path,
    picture,
    rect,
    shade,
    shortened,
    text,
)
from deduce.show.table import percent
from deduce.system.text import plural
from games.pigs.deals import Deal
from games.pigs.events import Turn
from games.pigs.inference import Inference
from games.pigs.notation import format_event
from games.pigs.setup import CARD_NAMES, REBEL, ROLE_NAMES
from games.pigs.simulation import Outcome
from games.pigs.timelines import ROUTES, Timeline

if TYPE_CHECKING:
    from deduce.show.canvas import Figure

__all__ = [
    "TIMELINE_TITLE",
    "SeatView",
    "deal_svg",
    "inference_svg",
    "outcome_svg",
    "seats_svg",
    "timeline_figure",
    "timeline_html",
]

WIDE, TALL = 124, 92
"""The size of a seat in pixels."""
MAX_IN_ROW = 3
MAX_CARDS = 14
"""The number of cards of a hand that are written out."""
TIMELINE_TITLE = "Probability of being a rebel; events that change nothing are left out."
INK, FILL = "#00204d", "#7b8fb5"


@frozen
class SeatView:
    """What is visible of one seat.

    Parameters
    ----------
    number
        From 1.
    word
        Its role, the side that it has declared, or what else is known about it.
    rebel
        Whether it is a rebel; ``None``: not known.
    cards
        Its hand, from left to right; ``None``: not shown.
    alive
        Whether it is alive.
    share
        The probability that it is a rebel, drawn as a bar; ``None``: not shown.
    """

    number: int
    word: str = ""
    rebel: bool | None = None
    cards: str | None = None
    alive: bool = True
    share: float | None = None


def seats_svg(seats: Sequence[SeatView], *, title: str, desc: str, below: str = "") -> Markup:
    """Return the seats in order, up to three in a row.

    Examples
    --------
    >>> picture = seats_svg([SeatView(1, "Master", cards="PK")], title="t", desc="d")
    >>> "peach, slash" in picture
    True
    """
    rows = -(-len(seats) // MAX_IN_ROW) or 1
    columns = -(-len(seats) // rows) or 1
    shapes = [
        _seat(seat, 6 + index % columns * (WIDE + 10), 6 + index // columns * (TALL + 10))
        for index, seat in enumerate(seats)
    ]
    width, height = 2 + columns * (WIDE + 10), 2 + rows * (TALL + 10)
    if below:
        shapes.append(text(6, height + 12, below, size=13, anchor="start"))
        width, height = max(width, 12 + 7 * len(below)), height + 22
    return picture(width, height, *shapes, title=title, desc=desc)


def _seat(seat: SeatView, x: float, y: float) -> Markup:
    frame = {"rx": 7, "fill": "none", "stroke": "currentColor"}
    shapes = [rect(x, y, WIDE, TALL, **frame, stroke_width=1.5)]
    if seat.rebel:
        shapes.append(rect(x + 3.5, y + 3.5, WIDE - 7, TALL - 7, **{**frame, "rx": 5}))
    shapes.append(
        text(x + 10, y + 22, f"{seat.number}", size=16, anchor="start", font_weight="bold")
    )
    shapes.append(text(x + WIDE - 10, y + 22, seat.word, size=13, anchor="end"))
    if seat.share is not None:
        shapes += _bar(seat.share, x, y)
    if seat.cards is not None:
        letters = " ".join(seat.cards[:MAX_CARDS]) or "no card"
        more = len(seat.cards) - MAX_CARDS
        names = ", ".join(CARD_NAMES.get(card, card) for card in seat.cards)
        shown = letters if more <= 0 else f"{letters[: 2 * MAX_CARDS - 6]} +{more + 3}"
        small = 12 if len(shown) < 20 else 8
        shapes.append(
            text(x + 10, y + 79, shown, size=small, anchor="start", title=names or "no card")
        )
    if not seat.alive:
        shapes.append(path(f"M {x} {y + TALL} L {x + WIDE} {y}", stroke="currentColor"))
    title = f"seat {seat.number}: {seat.word}" + ("" if seat.alive else ", dead")
    return group(*shapes, title=title, opacity=None if seat.alive else FAINT)


def _bar(share: float, x: float, y: float) -> Iterator[Markup]:
    width = WIDE - 20
    yield rect(x + 10, y + 54, width, 12, fill="none", stroke="currentColor", stroke_width=0.8)
    if share:
        yield rect(x + 10, y + 54, width * float(share), 12, fill=shade(1))


def _desc(seats: Sequence[SeatView]) -> str:
    parts = []
    for seat in seats:
        cards = "" if seat.cards is None else f", {seat.cards or 'no card'}"
        parts.append(f"{seat.number} {seat.word}{'' if seat.alive else ', dead'}{cards}")
    return "; ".join(parts)


def deal_svg(deal: Deal) -> Markup:
    """Return how a game begins: roles, hands, and the pile.

    >>> deal_svg(Deal(("MP", "FP"), ("WKDD", "WDPF"), "FF")).count("seat ")
    2
    """
    seats = [
        SeatView(number, ROLE_NAMES[role], role == REBEL, cards=hand)
        for number, (role, hand) in enumerate(zip(deal.roles, deal.hands, strict=True), 1)
    ]
    below = f"{plural(len(deal.pile), 'card')} in the pile, {shortened(' '.join(deal.pile), 40)}"
    return seats_svg(seats, title="Pig-slaying: a deal", desc=_desc(seats), below=below)


def outcome_svg(outcome: Outcome) -> Markup:
    """Return how a game ended: the living seats and their cards.

    >>> from games.pigs.simulation import simulate
    >>> "the Master wins" in outcome_svg(simulate(Deal(("MP", "FP"), ("PPPP", "KKKK"), "K")))
    True
    """
    seats = [
        SeatView(number, "" if hand is not None else "dead", cards=hand, alive=hand is not None)
        for number, hand in enumerate(outcome.hands, 1)
    ]
    result = {None: "no side has won", REBEL: "the rebels win"}.get(
        outcome.winner, "the Master wins"
    )
    below = f"After {plural(outcome.turns, 'turn')} {result}."
    return seats_svg(seats, title="Pig-slaying: an outcome", desc=below, below=below)


def timeline_html(story: Timeline) -> str:
    r"""Return a heat map: the events that changed a probability against the seats.

    >>> from games.pigs import Pigs, timeline
    >>> "33.3%" in timeline_html(timeline(Pigs.parse_log("pigs 4\nrebels 1\nturn 1\n1 ends")))
    True
    """
    seats = range(2, len(story.snapshots[0].rebel) + 1)
    rows = []
    for snapshot in story.changes():
        event = "(start)" if snapshot.event is None else format_event(snapshot.event)
        cells = [f'<td style="{HEAD}">{escape(event)}</td>']
        cells += [number_html(float(p), str(p), percent(p, digits=1)) for p in snapshot.rebel[1:]]
        rows.append(row_html(str(snapshot.number), cells))
    head = ("event", "", *(f"seat {seat}" for seat in seats))
    return table_html(TIMELINE_TITLE, head, rows, list(map(str, story.certain)))


def inference_svg(inference: Inference) -> Markup:
    r"""Return the seats, each with its possible roles and a bar: the probability of being a rebel.

    >>> from games.pigs import Pigs, infer
    >>> "50.0%" in inference_svg(infer(Pigs.parse_log("pigs 3\nrebels 1\nturn 1\n1 ends")))
    True
    """
    seats = []
    for number, roles in enumerate(inference.possible, 1):
        share = inference.rebel[number - 1]
        word = ROLE_NAMES[roles[0]] if len(roles) == 1 else f"rebel {percent(share, digits=1)}"
        rebel = roles == (REBEL,) or None
        seats.append(SeatView(number, word, rebel, share=float(share)))
    return seats_svg(seats, title="Pig-slaying: who is a rebel", desc=_desc(seats))


def timeline_figure(story: Timeline) -> Figure:
    r"""Return the probability of being a rebel over the events of a log, with a row for each seat.

    A dot marks the event after which a role was certain; grey lines mark turns.

    Examples
    --------
    >>> from games.pigs import Pigs, timeline
    >>> log = Pigs.parse_log("pigs 3\nrebels 1\nturn 1\n1 ends")
    >>> [axes.get_ylabel() for axes in timeline_figure(timeline(log)).axes]
    ['seat 2', 'seat 3']
    """
    from matplotlib.ticker import MaxNLocator

    from deduce.show.canvas import Figure, words

    seats = range(2, len(story.snapshots[0].rebel) + 1)
    numbers = [snapshot.number for snapshot in story.snapshots]
    turns = [snapshot.number for snapshot in story.snapshots if isinstance(snapshot.event, Turn)]
    certain = {known.seat: known for known in story.certain}
    figure = Figure(figsize=(9, 1.4 + 0.8 * len(seats)))
    rows = figure.subplots(len(seats), 1, sharex=True, squeeze=False)[:, 0]
    for seat, axes in zip(seats, rows, strict=True):
        values = [float(snapshot.rebel[seat - 1]) for snapshot in story.snapshots]
        axes.vlines(turns, 0, 1, color="0.88", linewidth=0.8)
        axes.fill_between(numbers, values, step="post", color=FILL, alpha=0.45, linewidth=0)
        axes.step(numbers, values, where="post", color=INK, linewidth=1.6)
        if seat in certain:
            known = certain[seat]
            axes.plot(known.number, values[known.number], "o", color="black", clip_on=False)
            label = words(f"{ROLE_NAMES[known.role]}: {ROUTES[known.route]}")
            axes.set_title(label, loc="right", fontsize=9, pad=3)
        axes.set(ylim=(0, 1), yticks=(0, 0.5, 1), xlim=(0, max(numbers[-1], 1)))
        axes.set_yticklabels(("0", "", "1"), fontsize=8)
        axes.set_ylabel(f"seat {seat}", rotation=0, ha="right", va="center")
        axes.spines[["top", "right"]].set_visible(False)
    rows[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    rows[-1].set_xlabel("events of the log (grey: a turn begins; dot: the role became certain)")
    figure.suptitle("Probability of being a rebel, from 0 (loyal) to 1 (rebel)", fontsize=11)
    return figure
