"""How Blink Quartets is shown: pictures, texts, and the registration of all views.

No player has seen a card, so a column of a picture shows every card that the hand may contain: in
words, not only in colour, whether it is publicly known, follows from the statements, or is
possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from attrs import frozen

from deduce.show.svg import Markup, Shaded, shaded_cells
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
    "Column",
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


KINDS = {"has": "publicly known", "sure": "certain", "may": "possible", "not": "impossible"}
"""The relation of a card to a hand, and the words for it."""
SHOWN = {
    "has": ("known", 1),
    "sure": ("certain", 0.6),
    "may": ("possible", None),
    "not": ("–", None),
}
"""What a cell shows, and how dark it is."""


@frozen
class Column:
    """A column of the picture: a hand or a place of one.

    Parameters
    ----------
    name
        The player, and the place if the column is one.
    kinds
        For each card one of `KINDS`, or an empty text where the card is out of the game.
    bounds
        For each group what is known of it, such as ``"≥1"``, or empty.
    head
        What is above the column, if not the name.
    cards
        How many cards there are, as text.
    """

    name: str
    kinds: tuple[str, ...]
    bounds: Mapping[int, str] = {}
    head: str = ""
    cards: str = ""


def matrix_svg(
    names: Names, columns: Sequence[Column], *, title: str, below: str, desc: str = ""
) -> Markup:
    """Return the picture: a row for each card below its group, a column for each hand.

    >>> column = Column("Ann", ("has", "not"))
    >>> names = Names(("Ann",), {"a": ("a1", "a2")})
    >>> "Ann, a1: publicly known" in matrix_svg(names, [column], title="t", below="")
    True
    """
    rows = [[Shaded(""), *(Shaded(column.head or column.name) for column in columns)]]
    if any(column.cards for column in columns):
        rows.append([Shaded(""), *(Shaded(column.cards) for column in columns)])
    for number, card in enumerate(names.cards):
        group = names.table.group_of[number]
        if names.table.group_of.index(group) == number:
            bounds = (Shaded(column.bounds.get(group, "")) for column in columns)
            rows.append([Shaded(names.group_names[group]), *bounds])
        if any(column.kinds[number] for column in columns):
            rows.append([Shaded(card)])
            for column in columns:
                kind = column.kinds[number]
                about = f"{column.name}, {card}: {KINDS[kind]}"
                rows[-1].append(Shaded(*SHOWN[kind], about))
    return shaded_cells(rows, title=title, desc=desc, below=[below])


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
    columns = []
    for p, name in enumerate(game.players):
        aside = {g: "laid aside" for player, g in position.won if player == p}
        head = f"({name})" if p in position.out else f"▸ {name}" if p == speaker else name
        bounds = dict(enumerate(group_bounds(form, p))) | aside
        cards = plural(form.hands()[p], "card")
        columns.append(Column(name, card_kinds(form, p), bounds, head, cards))
    desc, turn = position_text(game, position).replace("\n", "; "), turn_line(game, position)
    return matrix_svg(game, columns, title="Blink Quartets", below=turn, desc=desc)


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
    """Return a state in deal form (a column per hand) or in slot form (a column per place).

    >>> from games.quartets.states import parse_masks
    >>> state_svg(parse_masks("3 3 / 5")).count("place 1")
    6
    """
    form = state.form
    if isinstance(form, SlotForm):
        columns = [
            Column(
                f"{name}, place {place}",
                tuple(
                    "not" if not potential >> c & 1 else "has" if potential == 1 << c else "may"
                    for c in range(len(state.cards))
                ),
                head=f"{name} {place}",
            )
            for name, hand in zip(state.players, form.hands, strict=True)
            for place, potential in enumerate(hand, 1)
        ]
    else:
        columns = [
            Column(name, card_kinds(form, p), dict(enumerate(group_bounds(form, p))))
            for p, name in enumerate(state.players)
        ]
    verdict = "Valid: some deal is possible." if form.is_valid else "Invalid: no deal is possible."
    return matrix_svg(state, columns, title="Blink Quartets, a state", below=verdict)


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
