"""Statements, turns and questions as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deduce.text import join
from games.quartets.events import Ask, Event, Quartet
from games.quartets.moves import Question
from games.quartets.names import spoken_name
from games.quartets.position import Position
from games.quartets.setup import Setup

__all__ = ["question_lines", "sentence", "turn_line"]


def sentence(game: Setup, position: Position, event: Event) -> str:
    """Return a statement that is made in a position as a sentence.

    >>> from games.quartets.position import start_position
    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([2, 2]))
    >>> sentence(game, start_position(game), Ask("Ann", "Ben", "a1"))
    'Ann asked Ben for a1'
    """
    if isinstance(event, Ask):
        return f"{event.by} asked {event.to} for {event.card}"
    if isinstance(event, Quartet):
        return f"{event.by} declared {event.group}"
    card = "the card" if position.question is None else game.cards[position.question[1]]
    asker = "" if position.turn is None else f" to {game.players[position.turn]}"
    if event.yes:
        return f"{event.by} gave {card}{asker}"
    return f"{event.by} said no to {card}"


def turn_line(game: Setup, position: Position) -> str:
    """Return who has to speak, or how the game ended."""
    if position.over:
        winner = position.winner()
        result = "there is no winner" if winner is None else f"{game.players[winner]} wins"
        return f"The game is over ({position.over}): {result}."
    name = game.players[position.speaker()]
    if position.question is None:
        return f"{name} has the turn."
    return f"{name} is asked for {game.cards[position.question[1]]}."


def question_lines(game: Setup, questions: Sequence[Question]) -> Iterator[str]:
    """Yield a line for each player who can be asked and each kind of answer, with the cards."""
    kinds: dict[tuple[str, bool | None], list[str]] = {}
    for question in questions:
        cards = kinds.setdefault((question.ask.to, question.forced), [])
        card = spoken_name(game, question.ask.card)
        if card not in cards:
            cards.append(card)
    for (to, forced), cards in kinds.items():
        answer = {None: "", True: " (must say yes)", False: " (must say no)"}[forced]
        yield f"ask {to} for {join(cards, 'or')}{answer}"
