"""Who makes the statements: a computer player, and simulated games in which all tell the truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.position import (
    Position,
    answers,
    certain,
    declarable,
    position_after,
    questions,
    start_position,
)
from games.quartets.setup import Setup

__all__ = ["choose", "deal", "record"]

MAX_TRIES = 1000
MAX_STATEMENTS = 30


def choose(game: Setup, position: Position, random: Random) -> Event:
    """Return a statement that leaves a deal.

    The computer declares groups that it certainly holds, says no when that is possible (which
    gives it the turn), and asks for a card that must be handed over, or else for one that may be;
    possible groups are declared if another player could otherwise declare them.

    Parameters
    ----------
    game, position
        The position; the statement is that of the player who has to speak.
    random
        Breaks ties.
    """
    by = position.speaker()
    name = game.players[by]
    if position.question is not None:
        return min(answers(game, position), key=lambda answer: answer.yes)
    for group in certain(position):
        return Quartet(name, game.group_names[group])
    possible = questions(game, position)
    rivals = [p for p in range(len(game.players)) if p != by]
    for group in declarable(position):
        if not possible or any(position.form.can_declare(p, group) for p in rivals):
            return Quartet(name, game.group_names[group])
    best = [q for q in possible if q.forced] or [q for q in possible if q.yes] or possible
    return random.choice(best).ask


def deal(game: Setup, random: Random) -> dict[str, str]:
    """Return the player who is dealt each card, all deals being equally likely.

    If complete groups are so common that no deal without one is drawn in a thousand tries, a fixed
    deal without one is returned.

    Raises
    ------
    BadInput
        There is no deal.
    """
    position = start_position(game)
    owners = [name for name, n in zip(game.players, game.hands, strict=True) for _ in range(n)]
    for _ in range(MAX_TRIES):
        random.shuffle(owners)
        world = dict(zip(game.cards, owners, strict=True))
        complete = any(len({world[card] for card in cards}) == 1 for cards in game.groups.values())
        if game.deal_quartet or not complete:
            return world
    hands = position.form.deal() or ()
    return {
        game.cards[card]: name
        for name, hand in zip(game.players, hands, strict=True)
        for card in hand
    }


def record(game: Setup, world: Mapping[str, str], random: Random) -> Iterator[Event]:
    """Yield the statements of a game in which all players tell the truth about a deal.

    Players declare a complete group as soon as they have the turn; the game is left after some
    thirty statements.
    """
    holder = dict(world)
    position = start_position(game)
    for _ in range(MAX_STATEMENTS):
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
        position = position_after(game, position, event)


def _true_statement(
    game: Setup, holder: Mapping[str, str], speaker: str, random: Random
) -> Event | None:
    """Return a declaration or a question that is true, if there is one."""
    wanted = []
    for group, cards in game.groups.items():
        held = [card for card in cards if holder.get(card) == speaker]
        if len(held) == len(cards):
            return Quartet(speaker, group)
        if held:
            wanted += [card for card in cards if game.ask_own or card not in held]
    others = sorted({name for name in holder.values() if name != speaker})
    if not wanted or not others:
        return None
    return Ask(speaker, random.choice(others), random.choice(wanted))
