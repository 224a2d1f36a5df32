"""How Blink Quartets is shown: pictures, texts, and the registration of all views.

No player has seen a card, so a row of a picture shows every card that the hand may contain. The
marks differ in shape, not only in colour: a filled square is a card that is publicly known, a
framed one follows from the statements, a ring is possible, a dot is impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from deduce.show.svg import (
    FAINT,
    SIDES,
    Markup,
    circle,
    group,
    legible,
    line,
    path,
    picture,
    rect,
    shortened,
    text,
)
from deduce.show.table import Table, percent
from deduce.system.display import register
from deduce.system.text import join, plural
from games.quartets.counting import Counts
from games.quartets.deal import DealForm
from games.quartets.position import Position
from games.quartets.session import Session
from games.quartets.setup import Names, Setup, named_groups
from games.quartets.slots import HallSet, SlotForm
from games.quartets.states import State, format_state
from games.quartets.wording import position_text, turn_line

__all__ = [
    "KINDS",
    "Row",
    "card_kinds",
    "counts_table",
    "deal_lines",
    "group_bounds",
    "hall_lines",
    "matrix_svg",
    "plain_setup",
    "position_svg",
    "state_svg",
]


CELL = 24
GAP = 10
"""Pixels between two groups."""
BOUND = 26
"""Pixels for the bound on the cards of a group."""
KINDS = {"has": "publicly known", "sure": "certain", "may": "possible", "not": "impossible"}
"""The relation of a card to a hand, and the words for it."""


@frozen
class Row:
    """A row of the picture: a hand or a place of one.

    Parameters
    ----------
    name
        The player, and the place if the row is one.
    kinds
        For each card one of `KINDS`, or an empty text where the card is out of the game.
    bounds
        For each group a bound on the number of its cards here, such as ``"≥1"``, or empty.
    beside
        Text on the right: the number of cards.
    marked
        Whether an arrow points at the row: this player has to speak.
    faint
        Whether the player has lost.
    """

    name: str
    kinds: tuple[str, ...]
    bounds: tuple[str, ...] = ()
    beside: str = ""
    marked: bool = False
    faint: bool = False


def matrix_svg(
    rows: Sequence[Row],
    groups: Sequence[tuple[str, Sequence[str]]],
    *,
    title: str,
    desc: str,
    below: Iterable[str] = (),
) -> Markup:
    """Return the picture: one row per hand, one column per card, groups separated.

    Parameters
    ----------
    rows
        The hands.
    groups
        The names of the groups and of their cards.
    title, desc
        See `deduce.show.svg.picture`.
    below
        Lines of text under the picture, besides the meaning of the marks.

    Examples
    --------
    >>> row = Row("Ann", ("has", "not"))
    >>> "Ann, a1: publicly known" in matrix_svg([row], [("a", ("a1", "a2"))], title="t", desc="d")
    True
    """
    left = 28 + 8 * max((len(shortened(row.name, 14)) for row in rows), default=0)
    bounded = any(any(row.bounds) for row in rows)
    cards = [card for _, names in groups for card in names]
    high = 40 if max(map(len, cards), default=0) <= 3 else 84
    places, starts, x = [], [], float(left)
    for _, names in groups:
        starts.append(x)
        for _ in names:
            places.append(x)
            x += CELL
        x += GAP + (BOUND if bounded else 0)
    width = x + 8 * max((len(row.beside) for row in rows), default=0)
    shapes = list(_headings(groups, starts, places, high))
    for index, row in enumerate(rows):
        shapes.append(_row(row, cards, groups, places, high + index * CELL))
        if row.beside:
            y = high + index * CELL + 17
            shapes.append(text(x, y, row.beside, size=12, anchor="start"))
    under = high + len(rows) * CELL + 22
    used = [kind for kind in KINDS if any(kind in row.kinds for row in rows)]
    at = 4.0
    for kind in used:
        shapes += _mark(kind, at, under - CELL / 2 - 5)
        shapes.append(text(at + 28, under, KINDS[kind], size=12, anchor="start"))
        at += 44 + 6.5 * len(KINDS[kind])
    width = max(width, at)
    lines = list(below)
    for number, content in enumerate(lines, 1):
        shapes.append(
            text(6, under + 4 + 18 * number, shortened(content, 90), size=13, anchor="start")
        )
    width = max(width, *(8.0 + 7 * len(shortened(content, 90)) for content in ("", *lines)))
    return picture(width, under + 14 + 18 * len(lines), *shapes, title=title, desc=desc)


def _headings(
    groups: Sequence[tuple[str, Sequence[str]]],
    starts: Sequence[float],
    places: Sequence[float],
    high: float,
) -> Iterator[Markup]:
    for (name, names), x in zip(groups, starts, strict=True):
        wide = len(names) * CELL
        short = shortened(name, max(3, wide // 8))
        yield text(x + wide / 2, 13, short, size=13, font_weight="bold", title=legible(name))
        yield line(x + 2, 18, x + wide - 2, 18, opacity=FAINT)
    cards = [card for _, names in groups for card in names]
    for card, x in zip(cards, places, strict=True):
        middle = x + CELL / 2
        if high <= 40:
            yield text(middle, high - 8, card, size=11)
        else:
            turned = f"rotate(-60 {middle:g} {high - 6:g})"
            short = shortened(card, 9)
            yield text(
                middle - 2, high - 6, short, size=11, anchor="start", title=card, transform=turned
            )


def _row(
    row: Row,
    cards: Sequence[str],
    groups: Sequence[tuple[str, Sequence[str]]],
    places: Sequence[float],
    y: float,
) -> Markup:
    shapes = [text(18, y + 17, shortened(row.name, 14), anchor="start", title=legible(row.name))]
    if row.marked:
        shapes.append(path(f"M 4 {y + 6:g} l 9 6 l -9 6 Z"))
    for card, kind, x in zip(cards, row.kinds, places, strict=True):
        if kind:
            title = f"{row.name}, {card}: {KINDS[kind]}"
            free = rect(x, y, CELL, CELL, fill="none", pointer_events="all")
            shapes.append(group(free, *_mark(kind, x, y), title=title, data_card=card))
    last = -1
    for (_, names), bound in zip(groups, row.bounds, strict=False):
        last += len(names)
        if bound:
            shapes.append(text(places[last] + CELL + 3, y + 16, bound, size=11, anchor="start"))
    return group(*shapes, opacity=FAINT if row.faint else None)


def _mark(kind: str, x: float, y: float) -> tuple[Markup, ...]:
    if kind == "has":
        return (rect(x + 4, y + 4, CELL - 8, CELL - 8, rx=3, fill=SIDES[0]),)
    if kind == "sure":
        frame = {"fill": "none", "stroke": SIDES[0], "stroke_width": 2.5}
        inside = rect(x + 5.25, y + 5.25, CELL - 10.5, CELL - 10.5, rx=3, **frame)
        return inside, circle(x + CELL / 2, y + CELL / 2, 3, fill=SIDES[0])
    if kind == "may":
        ring = circle(x + CELL / 2, y + CELL / 2, 4.5, fill="none", stroke="currentColor")
        return (ring,)
    return (circle(x + CELL / 2, y + CELL / 2, 1, opacity=FAINT),)


def position_svg(game: Setup, position: Position) -> Markup:
    """Return a position of the game: what is known of every hand, and who has to speak.

    Examples
    --------
    >>> from games.quartets.position import start_position
    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> position_svg(game, start_position(game)).count(": possible")
    8
    """
    form = position.form
    speaker = None if position.over else position.speaker()
    aside = [
        f"{game.players[p]} laid aside {game.group_names[g]}." for p, g in position.won
    ]  # in order, since the order decides a tie
    rows = [
        Row(
            name,
            card_kinds(form, p),
            group_bounds(form, p),
            plural(form.hands()[p], "card"),
            marked=p == speaker,
            faint=p in position.out,
        )
        for p, name in enumerate(game.players)
    ]
    groups = list(game.groups.items())
    below = [*aside, turn_line(game, position)]
    desc = position_text(game, position).replace("\n", "; ")
    return matrix_svg(rows, groups, title="Blink Quartets", desc=desc, below=below)


def card_kinds(form: DealForm, player: int) -> tuple[str, ...]:
    """Return for each card one of `KINDS`; empty: it is laid aside."""
    can, sure, has = form.can[player], form.sure(player), form.located[player]
    kinds = []
    for card in range(len(form.table.group_of)):
        bit = 1 << card
        if form.aside >> form.table.group_of[card] & 1:
            kinds.append("")
        elif has & bit:
            kinds.append("has")
        elif can & bit:
            kinds.append("sure" if sure & bit else "may")
        else:
            kinds.append("not")
    return tuple(kinds)


def group_bounds(form: DealForm, player: int) -> tuple[str, ...]:
    """Return the bound on the number of open cards of each group."""
    texts = []
    for g, size in enumerate(form.table.sizes):
        low, high = form.low[player][g], form.high[player][g]
        if form.aside >> g & 1:
            texts.append("")
        elif low and low == high:
            texts.append(f"={low}")
        elif low:
            texts.append(f"≥{low}")
        else:
            texts.append(f"≤{high}" if 0 < high < size - 1 else "")
    return tuple(texts)


def state_svg(state: State) -> Markup:
    """Return a state in deal form (one row per hand) or in slot form (one row per place).

    >>> from games.quartets.states import parse_masks
    >>> state_svg(parse_masks("3 3 / 5")).count("place 1")
    8
    """
    form, rows = state.form, []
    if isinstance(form, SlotForm):
        for name, hand in zip(state.players, form.hands, strict=True):
            for place, potential in enumerate(hand, 1):
                kinds = (
                    "not" if not potential >> c & 1 else "has" if potential == 1 << c else "may"
                    for c in range(len(state.cards))
                )
                rows.append(Row(f"{name}, place {place}", tuple(kinds)))
        valid = form.is_valid
    else:
        hands = form.hands()
        rows = [
            Row(name, card_kinds(form, p), group_bounds(form, p), plural(hands[p], "card"))
            for p, name in enumerate(state.players)
        ]
        valid = form.is_valid
    verdict = "Valid: some deal is possible." if valid else "Invalid: no deal is possible."
    groups = list(state.groups.items())
    return matrix_svg(rows, groups, title="Blink Quartets, a state", desc=verdict, below=[verdict])


def plain_setup(position: Position) -> Setup:
    """Return a set-up with plain names that a position fits: ``player 1``, cards ``a1`` ..."""
    table = position.form.table
    names = tuple(f"player {p}" for p in range(1, table.players + 1))
    return Setup(names, named_groups(table.sizes))


def deal_lines(hands: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the hand of each player in one deal."""
    for name, hand in hands.items():
        yield f"{name}: {', '.join(hand) or '-'}"


def hall_lines(state: State, form: SlotForm, hall: HallSet) -> Iterator[str]:
    """Yield why a slot form is invalid: places that have too few identities between them."""
    count = len(hall.places)
    between = state.names_of(hall.identities)
    names = join(between, "and") if between else "none"
    verb = "has" if count == 1 else "have"
    identities = plural(len(between), "identity", "identities")
    yield f"{plural(count, 'place')} {verb} only {identities}: {names}"
    for place in hall.places:
        p, index = form.where(place)
        potential = state.names_of(form.hands[p][index])
        yield f"  {state.players[p]}, place {index + 1}: {join(potential, 'or') or 'nothing'}"


def counts_table(names: Names, counts: Counts) -> Table:
    """Return the number of deals and the probabilities of each card's and group's holder."""
    title = plural(counts.total, "deal")
    if not counts.total:
        return Table(("",), (), title)
    players = range(len(names.players))
    rows = []
    for card in counts.holders:
        shares = (percent(counts.probability(card, p)) for p in players)
        rows.append((names.cards[card], *shares))
    rows.append(("whole groups held:", *("" for _ in players)))
    for g in counts.quartets:
        shares = (percent(counts.quartet_probability(g, p)) for p in players)
        rows.append((names.group_names[g], *shares))
    return Table(("", *names.players), rows, title)


# A position knows only numbers, so its names are plain.
register(
    Position,
    text=lambda position: position_text(plain_setup(position), position),
    html=lambda position: position_svg(plain_setup(position), position),
)
register(
    Session,
    text=lambda session: position_text(session.game, session.position),
    html=lambda session: position_svg(session.game, session.position),
)
register(State, text=lambda state: format_state(state).rstrip("\n"), html=state_svg)
