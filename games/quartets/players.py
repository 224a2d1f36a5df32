"""A computer player: sound, quick, and nothing more."""

from __future__ import annotations

from random import Random

from games.quartets.events import Event, Quartet
from games.quartets.moves import answers, certain, declarable, questions
from games.quartets.position import Position
from games.quartets.rules import Quartets

__all__ = ["choose"]


def choose(game: Quartets, position: Position, random: Random) -> Event:
    """Return a statement that leaves a deal.

    It declares what it certainly holds, says no when it can (which brings the turn), and asks for
    what must be answered with yes, else for what may be; possible groups are declared when the
    whole group would otherwise soon be somebody else's to declare.

    Parameters
    ----------
    game, position
        Where the speaker is the player to choose for.
    random
        Breaks ties.
    """
    by = position.speaker()
    name = game.players[by]
    if position.question is not None:
        return min(answers(game, position), key=lambda answer: answer.yes)
    for group in certain(position):
        return Quartet(name, game.group_names[group])
    asked = questions(game, position)
    rivals = [p for p in range(len(game.players)) if p != by]
    for group in declarable(position):
        if not asked or any(position.form.can_declare(p, group) for p in rivals):
            return Quartet(name, game.group_names[group])
    best = [q for q in asked if q.forced] or [q for q in asked if q.yes] or asked
    return random.choice(best).ask
