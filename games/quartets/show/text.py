"""Positions, deals, proofs and counts as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deduce.show.table import Table, percent
from deduce.text import join, plural, visible
from games.quartets.counting import Counts
from games.quartets.deal import DealForm
from games.quartets.matching import HallSet
from games.quartets.position import Position
from games.quartets.setup import Setup, named_groups
from games.quartets.slots import SlotForm, hand_cards
from games.quartets.states import State
from games.quartets.wording import turn_line

__all__ = [
    "counts_table",
    "deal_lines",
    "hall_lines",
    "plain_setup",
    "position_text",
    "slots_lines",
]


def position_text(game: Setup, position: Position) -> str:
    """Return what is known of each hand, and who has to speak.

    >>> from games.quartets.position import start_position
    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> print(position_text(game, start_position(game)))
    Ann: 2 cards
    Ben: 2 cards
    Ann has the turn.
    """
    form, hands = position.form, position.form.hands()
    lines = []
    for p, name in enumerate(game.players):
        known = join(game.names_of(form.located[p]))
        aside = [game.group_names[g] for player, g in position.won if player == p]
        parts = [plural(hands[p], "card") + (f", known: {known}" if known else "")]
        certain = game.names_of(_certain_cards(form, p))
        if certain:
            parts.append(f"certain: {join(certain)}")
        if aside:
            parts.append(f"laid aside: {join(aside)}")
        if p in position.out:
            parts.append("has lost")
        lines.append(f"{name}: {'; '.join(parts)}")
    return visible("\n".join([*lines, turn_line(game, position)]))


def plain_setup(position: Position) -> Setup:
    """Return a set-up with plain names that a position fits: ``player 1``, cards ``a1`` ..."""
    table = position.form.table
    names = tuple(f"player {p}" for p in range(1, table.players + 1))
    return Setup(names, named_groups(table.sizes))


def _certain_cards(form: DealForm, player: int) -> int:
    others = 0
    for p, cards in enumerate(form.can):
        if p != player:
            others |= cards
    return form.can[player] & ~others


def deal_lines(players: Sequence[str], cards: Sequence[str], deal: Sequence[int]) -> Iterator[str]:
    """Yield the hand of each player in one deal."""
    for name, hand in zip(players, deal, strict=True):
        yield f"{name}: {', '.join(cards[card] for card in hand_cards(hand)) or '-'}"


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


def counts_table(
    players: Sequence[str], cards: Sequence[str], groups: Sequence[str], counts: Counts
) -> Table:
    """Return the number of deals and the probabilities of each card's and group's holder."""
    title = plural(counts.total, "deal")
    if not counts.total:
        return Table(("",), (), title)
    rows = []
    for card in counts.holders:
        shares = (percent(counts.probability(card, p)) for p in range(len(players)))
        rows.append((cards[card], *shares))
    rows.append(("whole groups held:", *([""] * len(players))))
    for group in counts.quartets:
        shares = (percent(counts.quartet_probability(group, p)) for p in range(len(players)))
        rows.append((groups[group], *shares))
    return Table(("", *players), rows, title)
