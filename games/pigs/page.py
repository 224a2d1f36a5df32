"""The table as a picture for notebooks: every seat with its role, hit points and cards.

A full heart is a hit point left, an empty one a hit point lost. Rebels have a double frame, so that
they are found without their colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from attrs import frozen

from deduce.show.cells import HEAD, number_html, row_html, table_html
from deduce.show.svg import (
    FAINT,
    SIDES,
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
from games.pigs.cards import CARD_NAMES, FULL_HP, REBEL, ROLE_NAMES, Role
from games.pigs.infer import Inference
from games.pigs.notation import format_event
from games.pigs.rules import Table
from games.pigs.show import TIMELINE, certainties
from games.pigs.simulate import Deal, Outcome
from games.pigs.timeline import Timeline

__all__ = [
    "Seat",
    "deal_svg",
    "inference_svg",
    "outcome_svg",
    "seats_svg",
    "table_svg",
    "timeline_html",
]

WIDE, TALL = 124, 92
"""A seat, in pixels."""
IN_A_ROW = 5
MOST_CARDS = 14
"""How many cards of a hand are written out."""
HEART = "m 0 4 c -1 -4 -7 -3 -7 1 c 0 3 4 5 7 8 c 3 -3 7 -5 7 -8 c 0 -4 -6 -5 -7 -1 Z"


@frozen
class Seat:
    """What is seen of one seat.

    Parameters
    ----------
    number
        From 1.
    word
        Its role, the side that it has declared, or what else is known of it.
    rebel
        Whether it is a rebel; ``None``: not known.
    hp
        Hit points; ``None``: not shown.
    cards
        Its hand, left to right; ``None``: not seen.
    crossbow, alive
        Whether it has a crossbow; whether it lives.
    share
        The probability that it is a rebel, drawn as a bar; ``None``: not shown.
    """

    number: int
    word: str = ""
    rebel: bool | None = None
    hp: int | None = None
    cards: str | None = None
    crossbow: bool = False
    alive: bool = True
    share: float | None = None


def seats_svg(seats: Sequence[Seat], *, title: str, desc: str, below: str = "") -> Markup:
    """Return the seats in their order, at most five in a row.

    Examples
    --------
    >>> picture = seats_svg([Seat(1, "Master", hp=3, cards="PK")], title="t", desc="d")
    >>> "3 hit points" in picture, "peach, slash" in picture
    (True, True)
    """
    rows = -(-len(seats) // IN_A_ROW) or 1
    columns = -(-len(seats) // rows) or 1
    shapes = [
        _seat(seat, 6 + place % columns * (WIDE + 10), 6 + place // columns * (TALL + 10))
        for place, seat in enumerate(seats)
    ]
    width, height = 2 + columns * (WIDE + 10), 2 + rows * (TALL + 10)
    if below:
        shapes.append(text(6, height + 12, below, size=13, anchor="start"))
        width, height = max(width, 12 + 7 * len(below)), height + 22
    return picture(width, height, *shapes, title=title, desc=desc)


def _seat(seat: Seat, x: float, y: float) -> Markup:
    frame = {"rx": 7, "fill": "none", "stroke": "currentColor"}
    shapes = [rect(x, y, WIDE, TALL, **frame, stroke_width=1.5)]
    if seat.rebel:
        shapes.append(rect(x + 3.5, y + 3.5, WIDE - 7, TALL - 7, **{**frame, "rx": 5}))
    shapes.append(
        text(x + 10, y + 22, f"{seat.number}", size=16, anchor="start", font_weight="bold")
    )
    shapes.append(text(x + WIDE - 10, y + 22, seat.word, size=13, anchor="end"))
    if seat.hp is not None:
        shapes.append(group(*_hearts(seat, x, y), title=f"{seat.hp} hit points"))
    if seat.crossbow:
        shapes.append(text(x + 10, y + 59, "crossbow", size=11, anchor="start"))
    if seat.share is not None:
        shapes += _bar(seat.share, x, y)
    if seat.cards is not None:
        told = " ".join(seat.cards[:MOST_CARDS]) or "no card"
        more = len(seat.cards) - MOST_CARDS
        names = ", ".join(CARD_NAMES.get(card, card) for card in seat.cards)
        shown = told if more <= 0 else f"{told[: 2 * MOST_CARDS - 6]} +{more + 3}"
        small = 12 if len(shown) < 20 else 8
        shapes.append(
            text(x + 10, y + 79, shown, size=small, anchor="start", title=names or "no card")
        )
    if not seat.alive:
        shapes.append(path(f"M {x} {y + TALL} L {x + WIDE} {y}", stroke="currentColor"))
    title = f"seat {seat.number}: {seat.word}" + ("" if seat.alive else ", dead")
    return group(*shapes, title=title, opacity=None if seat.alive else FAINT)


def _hearts(seat: Seat, x: float, y: float) -> Iterator[Markup]:
    for place in range(max(FULL_HP, seat.hp or 0)):
        fill = SIDES[1] if place < (seat.hp or 0) else "none"
        at = f"translate({x + 16 + place * 16} {y + 33})"
        yield path(HEART, transform=at, fill=fill, stroke="currentColor", stroke_width=0.8)


def _bar(share: float, x: float, y: float) -> Iterator[Markup]:
    room = WIDE - 20
    yield rect(x + 10, y + 54, room, 12, fill="none", stroke="currentColor", stroke_width=0.8)
    if share:
        yield rect(x + 10, y + 54, room * float(share), 12, fill=shade(1))


def table_svg(
    table: Table, *, roles: Sequence[Role] = (), hands: Sequence[str | None] = ()
) -> Markup:
    """Return what everybody sees of a running game, with the roles and hands that you know.

    Parameters
    ----------
    table
        The public state.
    roles
        Every seat's role, beginning with the Master's; empty: only what was declared is shown.
    hands
        Every seat's cards; empty: not shown.

    Examples
    --------
    >>> "suspicious" in table_svg(Table(3))
    False
    """
    seats = []
    for number in range(1, table.players + 1):
        side = table.side[number]
        word: str = "suspicious" if table.suspicious[number] else side or "undeclared"
        if number == 1:
            word = "Master"
        if roles:
            word = ROLE_NAMES[roles[number - 1]]
        seats.append(
            Seat(
                number,
                word,
                roles[number - 1] == REBEL if roles else side == "rebel",
                table.hp[number],
                hands[number - 1] if hands else None,
                table.crossbow[number],
                table.alive[number],
            )
        )
    return seats_svg(seats, title="Pig-slaying: the table", desc=_desc(seats))


def _desc(seats: Sequence[Seat]) -> str:
    told = []
    for seat in seats:
        hp = "" if seat.hp is None else f", {seat.hp} hp"
        cards = "" if seat.cards is None else f", {seat.cards or 'no card'}"
        told.append(f"{seat.number} {seat.word}{hp}{'' if seat.alive else ', dead'}{cards}")
    return "; ".join(told)


def deal_svg(deal: Deal) -> Markup:
    """Return how a game begins: roles and hands, and how many cards are to be drawn.

    >>> deal_svg(Deal(("MP", "FP"), ("WKDD", "WDPF"), "FF")).count("seat ")
    2
    """
    seats = [
        Seat(number, ROLE_NAMES[role], role == REBEL, cards=hand)
        for number, (role, hand) in enumerate(zip(deal.roles, deal.hands, strict=True), 1)
    ]
    below = f"{len(deal.pile)} cards in the pile, {shortened(' '.join(deal.pile), 40)}"
    return seats_svg(seats, title="Pig-slaying: a deal", desc=_desc(seats), below=below)


def outcome_svg(outcome: Outcome) -> Markup:
    """Return how a game ended: who lives, and with which cards.

    >>> from games.pigs.simulate import simulate
    >>> "the Master wins" in outcome_svg(simulate(Deal(("MP", "FP"), ("PPPP", "KKKK"), "K")))
    True
    """
    seats = [
        Seat(number, "" if hand is not None else "dead", cards=hand, alive=hand is not None)
        for number, hand in enumerate(outcome.hands, 1)
    ]
    won = {None: "nobody has won", REBEL: "the rebels win"}.get(outcome.winner, "the Master wins")
    below = f"After {outcome.turns} turns {won}."
    return seats_svg(seats, title="Pig-slaying: an outcome", desc=below, below=below)


def timeline_html(story: Timeline) -> str:
    r"""Return the story as a heat map: the events that changed something against the seats.

    >>> from games.pigs.logtext import parse_log
    >>> from games.pigs.timeline import timeline
    >>> "33.3%" in timeline_html(timeline(parse_log("pigs 4\nrebels 1\nturn 1\n1 ends")))
    True
    """
    seats = range(2, len(story.moments[0].rebel) + 1)
    rows, last = [], None
    for moment in story.moments:
        if moment.rebel != last:
            event = "(start)" if moment.event is None else format_event(moment.event)
            cells = [f'<td style="{HEAD}">{escape(event)}</td>']
            cells += [number_html(float(p), str(p), percent(p, digits=1)) for p in moment.rebel[1:]]
            rows.append(row_html(str(moment.number), cells))
        last = moment.rebel
    head = ("event", "", *(f"seat {seat}" for seat in seats))
    return table_html(TIMELINE, head, rows, certainties(story))


def inference_svg(found: Inference) -> Markup:
    r"""Return the seats, each with the roles that it may have and a bar: how probable is a rebel.

    >>> from games.pigs.infer import infer
    >>> from games.pigs.logtext import parse_log
    >>> "50.0%" in inference_svg(infer(parse_log("pigs 3\nrebels 1\nturn 1\n1 ends")))
    True
    """
    seats = []
    for number, roles in enumerate(found.possible, 1):
        share = found.rebel[number - 1]
        word = ROLE_NAMES[roles[0]] if len(roles) == 1 else f"rebel {percent(share, digits=1)}"
        rebel = roles == (REBEL,) or None
        seats.append(Seat(number, word, rebel, share=float(share)))
    return seats_svg(seats, title="Pig-slaying: who is a rebel", desc=_desc(seats))
