"""Real deals, and true games with them: what is said could be seen in the cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.position import start_position, tell
from games.quartets.rules import Quartets

__all__ = ["deal", "record"]

TRIES = 1000
LONGEST = 30
"""Statements."""


def deal(game: Quartets, random: Random) -> dict[str, str]:
    """Return who is dealt each card, all deals being equally likely.

    Where complete groups are so common that no deal without one is drawn in a thousand tries, a
    fixed deal without one is taken.

    Raises
    ------
    BadInput
        There is no deal.
    """
    position = start_position(game)
    seats = [name for name, n in zip(game.players, game.hands, strict=True) for _ in range(n)]
    for _ in range(TRIES):
        random.shuffle(seats)
        world = dict(zip(game.cards, seats, strict=True))
        whole = any(len({world[card] for card in cards}) == 1 for cards in game.groups.values())
        if game.deal_quartet or not whole:
            return world
    held = position.form.deal() or ()
    return {
        card: name
        for name, cards in zip(game.players, held, strict=True)
        for card in game.names_of(cards)
    }


def record(game: Quartets, world: Mapping[str, str], random: Random) -> Iterator[Event]:
    """Yield the statements of a game in which everybody tells the truth about a deal.

    A complete group is declared as soon as its owner has the turn; the game is left after some
    thirty statements.
    """
    holder = dict(world)
    position = start_position(game)
    for _ in range(LONGEST):
        if position.over:
            return
        speaker = game.players[position.speaker()]
        event = _true_statement(game, holder, speaker, random)
        if position.question is not None:
            card = game.cards[position.question[1]]
            event = Answer(speaker, holder[card] == speaker)
            if event.yes and position.turn is not None:
                holder[card] = game.players[position.turn]
        if event is None:
            return
        if isinstance(event, Quartet):
            for card in game.groups[event.group]:
                del holder[card]
        yield event
        position = tell(game, position, event)


def _true_statement(
    game: Quartets, holder: Mapping[str, str], speaker: str, random: Random
) -> Event | None:
    """Return a declaration or a question that is true, if there is one."""
    asked = []
    for group, cards in game.groups.items():
        held = [card for card in cards if holder.get(card) == speaker]
        if len(held) == len(cards):
            return Quartet(speaker, group)
        if held:
            asked += [card for card in cards if game.ask_own or card not in held]
    others = sorted({name for name in holder.values() if name != speaker})
    if not asked or not others:
        return None
    return Ask(speaker, random.choice(others), random.choice(asked))
