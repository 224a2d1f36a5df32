"""Positions, moves and numbers as text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deduce.show.table import percent
from deduce.text import aligned, join, visible
from games.quartets.counting import Counts
from games.quartets.deal import DealForm
from games.quartets.matching import HallSet
from games.quartets.moves import Question
from games.quartets.names import spoken_name
from games.quartets.position import Position
from games.quartets.rules import Quartets, named_groups
from games.quartets.slots import SlotForm, hand_cards
from games.quartets.states import State

__all__ = [
    "plain_setup",
    "show_counts",
    "show_deal",
    "show_hall",
    "show_position",
    "show_questions",
    "show_slots",
    "turn_line",
]


def show_position(game: Quartets, position: Position) -> str:
    """Return who has what, as far as everybody knows, and who has to speak.

    >>> from games.quartets.position import start_position
    >>> from games.quartets.rules import named_groups
    >>> game = Quartets(("Ann", "Ben"), named_groups([2, 2]))
    >>> print(show_position(game, start_position(game)))
    Ann: 2 cards
    Ben: 2 cards
    Ann has the turn.
    """
    form, hands = position.form, position.form.hands()
    lines = []
    for p, name in enumerate(game.players):
        known = join(game.names_of(form.located[p]))
        laid = [game.group_names[g] for player, g in position.won if player == p]
        parts = [f"{hands[p]} card{'s'[: hands[p] != 1]}" + (f", known: {known}" if known else "")]
        sure = game.names_of(_sure(form, p))
        if sure:
            parts.append(f"certain: {join(sure)}")
        if laid:
            parts.append(f"laid aside: {join(laid)}")
        if p in position.out:
            parts.append("has lost")
        lines.append(f"{name}: {'; '.join(parts)}")
    return visible("\n".join([*lines, turn_line(game, position)]))


def plain_setup(position: Position) -> Quartets:
    """Return a set-up with plain names that a position fits: ``player 1``, cards ``a1`` ..."""
    table = position.form.table
    names = tuple(f"player {p}" for p in range(1, table.players + 1))
    return Quartets(names, named_groups(table.sizes))


def _sure(form: DealForm, player: int) -> int:
    others = 0
    for p, cards in enumerate(form.can):
        if p != player:
            others |= cards
    return form.can[player] & ~others


def turn_line(game: Quartets, position: Position) -> str:
    """Return who has to speak, or how the game ended."""
    if position.over:
        winner = position.winner()
        won = "nobody wins" if winner is None else f"{game.players[winner]} wins"
        return f"The game is over ({position.over}): {won}."
    name = game.players[position.speaker()]
    if position.question is None:
        return f"{name} has the turn."
    return f"{name} is asked for {game.cards[position.question[1]]}."


def show_questions(game: Quartets, questions: Sequence[Question]) -> Iterator[str]:
    """Yield a line for each player who can be asked and each kind of answer, with the cards."""
    kinds: dict[tuple[str, bool | None], list[str]] = {}
    for question in questions:
        cards = kinds.setdefault((question.ask.to, question.forced), [])
        card = spoken_name(game, question.ask.card)
        if card not in cards:
            cards.append(card)
    for (to, forced), cards in kinds.items():
        says = {None: "", True: " (must say yes)", False: " (must say no)"}[forced]
        yield f"ask {to} for {join(cards, 'or')}{says}"


def show_deal(players: Sequence[str], cards: Sequence[str], deal: Sequence[int]) -> Iterator[str]:
    """Yield the hand of each player in one deal."""
    for name, held in zip(players, deal, strict=True):
        yield f"{name}: {', '.join(cards[card] for card in hand_cards(held)) or '-'}"


def show_slots(state: State, form: SlotForm) -> Iterator[str]:
    """Yield the identity of every place of each hand, in a valid state."""
    identities = iter(form.witness or ())
    for name, hand in zip(state.players, form.hands, strict=True):
        given = [state.cards[next(identities)] for _ in hand]
        yield f"{name}: {', '.join(given) or '-'}"


def show_hall(state: State, form: SlotForm, hall: HallSet) -> Iterator[str]:
    """Yield why a slot form is invalid: places that have too few identities between them."""
    number = len(hall.places)
    between = state.names_of(hall.identities)
    may = join(between, "and") if between else "nothing at all"
    kind = f"{number} places have" if number > 1 else "1 place has"
    identities = "identity" if len(between) == 1 else "identities"
    yield f"{kind} only {len(between)} {identities}: {may}"
    for place in hall.places:
        p, within = form.where(place)
        potential = state.names_of(form.hands[p][within])
        yield f"  {state.players[p]}, place {within + 1}: {join(potential, 'or') or 'nothing'}"


def show_counts(
    players: Sequence[str],
    cards: Sequence[str],
    groups: Sequence[str],
    counts: Counts,
) -> Iterator[str]:
    """Yield the number of deals, the probabilities of each card's holder and of each quartet."""
    yield f"{counts.total} deal{'s'[: counts.total != 1]}"
    if not counts.total:
        return
    rows = [("", *players)]
    for card in counts.holders:
        shares = (percent(counts.probability(card, p)) for p in range(len(players)))
        rows.append((cards[card], *shares))
    rows.append(("whole groups held:", *([""] * len(players))))
    for group in counts.quartets:
        shares = (percent(counts.quartet_probability(group, p)) for p in range(len(players)))
        rows.append((groups[group], *shares))
    yield from aligned(rows)
