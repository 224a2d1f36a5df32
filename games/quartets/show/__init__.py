"""Deals, proofs and counts as text for people, and the registration of all views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deduce.display import register
from deduce.show.table import Table, percent
from deduce.text import join, plural
from games.quartets.counting import Counts
from games.quartets.evidence import Names
from games.quartets.matching import HallSet
from games.quartets.position import Position
from games.quartets.session import Session
from games.quartets.setup import Setup, named_groups
from games.quartets.show.picture import position_svg, state_svg
from games.quartets.slots import SlotForm
from games.quartets.states import State, format_state
from games.quartets.wording import position_text

__all__ = ["counts_table", "deal_lines", "hall_lines", "plain_setup", "slots_lines"]


def plain_setup(position: Position) -> Setup:
    """Return a set-up with plain names that a position fits: ``player 1``, cards ``a1`` ..."""
    table = position.form.table
    names = tuple(f"player {p}" for p in range(1, table.players + 1))
    return Setup(names, named_groups(table.sizes))


def deal_lines(names: Names, deal: Sequence[int]) -> Iterator[str]:
    """Yield the hand of each player in one deal."""
    for name, hand in zip(names.players, deal, strict=True):
        yield f"{name}: {', '.join(names.names_of(hand)) or '-'}"


def slots_lines(state: State, form: SlotForm) -> Iterator[str]:
    """Yield the identity of every place of each hand, in a valid state."""
    identities = iter(form.witness or ())
    for name, hand in zip(state.players, form.hands, strict=True):
        cards = [state.cards[next(identities)] for _ in hand]
        yield f"{name}: {', '.join(cards) or '-'}"


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
    for group in counts.quartets:
        shares = (percent(counts.quartet_probability(group, p)) for p in players)
        rows.append((names.group_names[group], *shares))
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
