"""The table as a picture for notebooks: the pile, what is left to draw, every hand in a row.

Cards are white with dark signs on light and dark pages alike, as cards are; suits differ in shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from deduce.show.cells import number_html, row_html, side_by_side, table_html
from deduce.show.svg import (
    FAINT,
    NOBODY,
    SIDES,
    Markup,
    group,
    legible,
    path,
    picture,
    rect,
    shortened,
    text,
)
from games.propre.cards import Card, effective, printed
from games.propre.hidden import View
from games.propre.notation import HIDDEN, format_state
from games.propre.show import SEEN, card_order, table_facts, unseen_table
from games.propre.state import State

__all__ = ["card_svg", "table_svg", "view_html"]

WIDE, TALL = 34, 48
"""A card, in pixels."""
SIGNS = {"D": "♦", "H": "♥", "S": "♠", "C": "♣"}
INKS = {"D": "#a3122f", "H": "#a3122f", "S": "#1b1f24", "C": "#1b1f24"}
LEFT = 124
MOST = 420
"""The room for a hand; larger hands overlap."""


def card_svg(x: float, y: float, card: Card) -> Markup:
    """Return a card with its left upper corner at a point; an unseen one shows its back.

    >>> "TD as AD" in card_svg(0, 0, "TD=AD"), "unseen" in card_svg(0, 0, "??")
    (True, True)
    """
    frame = {"rx": 4, "stroke": NOBODY}
    if card == HIDDEN or len(card) < 2 or card[1] not in SIGNS:
        back = rect(x, y, WIDE, TALL, fill=SIDES[0], **frame)
        lines = path(
            f"M {x + 5:g} {y + 5:g} h {WIDE - 10} v {TALL - 10} h {10 - WIDE} Z",
            fill="none",
            stroke="#fff",
        )
        return group(back, lines, title="an unseen card")
    face = printed(card)
    rank = "10" if face[0] == "T" else face[0]
    paper = rect(x, y, WIDE, TALL, fill="#fdfdfb", **frame)
    corner = text(x + 4, y + 17, rank, size=16 - 2 * len(rank), anchor="start", fill=INKS[face[1]])
    counts = effective(card)
    if counts == face:
        sign = text(x + WIDE / 2, y + 37, SIGNS[face[1]], size=20, fill=INKS[face[1]])
        return group(paper, corner, sign, title=face, data_card=face)
    sign = text(x + WIDE - 4, y + 17, SIGNS[face[1]], size=13, anchor="end", fill=INKS[face[1]])
    told = f"={counts[0].replace('T', '10')}{SIGNS[counts[1]]}"
    below = text(x + WIDE / 2, y + 39, told, size=13, fill=INKS[counts[1]])
    return group(paper, corner, sign, below, title=f"{face} as {counts}", data_card=face)


def _cards(x: float, y: float, cards: Sequence[Card]) -> Iterator[Markup]:
    step = min(WIDE + 3.0, (MOST - WIDE) / max(len(cards) - 1, 1))
    for place, card in enumerate(cards):
        yield card_svg(x + place * step, y, card)


def table_svg(state: State, *, names: Sequence[str] = ()) -> Markup:
    """Return the table: pile and stock above, below them every seat with its hand.

    Parameters
    ----------
    state
        The state; hidden cards show their backs.
    names
        The names of the seats.

    Examples
    --------
    >>> state = State(hands=(("2H", "6H"), ("??",)), pile=("AS",))
    >>> table_svg(state).count('data-card="2H"'), table_svg(state).count("unseen")
    (1, 1)
    """
    pile, left = state.pile[-SEEN:], len(state.deck) + len(state.stock)
    shapes = [text(8, 34, "pile", size=14, anchor="start"), *_cards(LEFT, 6, pile)]
    more = len(state.pile) - len(pile)
    if more:
        shapes.append(text(8, 50, f"{more} below", size=11, anchor="start", opacity=FAINT))
    if left:
        shapes.append(card_svg(MOST + LEFT - WIDE, 6, HIDDEN))
        x = MOST + LEFT - WIDE - 6
        shapes.append(text(x, 34, f"{left} to draw", size=12, anchor="end"))
    shapes.append(text(8, 76, ", ".join(table_facts(state)), size=12, anchor="start"))
    y = 90.0
    for seat, hand in enumerate(state.hands):
        shapes += _seat(state, seat, names[seat] if names else f"seat {seat}", hand, y)
        y += TALL + 8
    return picture(
        LEFT + MOST + 8, y, *shapes, title="Propreantepenultimate Card", desc=format_state(state)
    )


def view_html(view: View) -> str:
    """Return what a player sees: the table, and where each unseen card may be, shaded.

    >>> from games.propre.notation import parse_position
    >>> rules, state = parse_position("hands 2H 5D 7C 9S TS JD KC / 7; pile 4H")
    >>> "38,320,568 deals" in view_html(View.of(rules, state, 0))
    True
    """
    table = unseen_table(view)
    shares = view.knowledge.shares() if view.groups else {}
    rows = []
    for card, *cells in table.rows:
        told = [shares[card].get(place, Fraction(0)) for place in table.head[1:]]
        numbers = (number_html(p, str(p), cell) for p, cell in zip(told, cells, strict=True))
        rows.append(row_html(card, numbers))
    return side_by_side(table_svg(view.state), table_html("", table.head, rows, table.notes))


def _seat(state: State, seat: int, name: str, hand: Sequence[Card], y: float) -> Iterator[Markup]:
    if state.winner == seat:
        yield text(8, y + 44, "has won", size=11, anchor="start")
    elif seat == state.active and state.winner < 0:
        yield path(f"M 4 {y + 17:g} l 9 6 l -9 6 Z")
    if state.said and state.said[seat]:
        yield text(18, y + 44, "announced", size=11, anchor="start")
    told = shortened(name, 11)
    yield text(18, y + 28, told, size=14, anchor="start", title=legible(name))
    if hand:
        yield from _cards(LEFT, y, sorted(hand, key=card_order))
    else:
        yield text(LEFT, y + 28, "no card", size=13, anchor="start", opacity=FAINT)
