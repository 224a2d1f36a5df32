"""Programs that guess: by expected information, by the worst answer, at random, or by a plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import TypeAlias

from attrs import frozen

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.policy.plan import Plan
from deduce.text import listing, nearest
from games.mastermind.codes import pegs
from games.mastermind.events import Code, Guess
from games.mastermind.game import Mastermind

__all__ = ["PLAYERS", "Played", "Player", "find_player", "plan_player", "play_game"]

Player: TypeAlias = Callable[[Knowledge, Random], Code]
"""Returns the next guess, from what is known of the code."""


@frozen
class _ByAdvice:
    """Guesses what the advice ranks first, by one of the rankings of `deduce.policy`."""

    by: str

    def __call__(self, knowledge: Knowledge, random: Random) -> Code:
        best = knowledge.advise(by=self.by).ranking[0].inquiry
        assert isinstance(best, tuple)
        return best


def _consistent(knowledge: Knowledge, random: Random) -> Code:
    """Return a code that is still possible, at random."""
    game = knowledge.game
    assert isinstance(game, Mastermind)
    [world] = knowledge.sample(1, seed=random.getrandbits(32))
    return game.code_of(world)


PLAYERS: Mapping[str, Player] = {
    "information": _ByAdvice("information"),
    "expected": _ByAdvice("expected"),
    "worst": _ByAdvice("worst"),
    "random": _consistent,
}
"""The players by name: the most information, the fewest codes left on average or after the worst
answer (Knuth, *The computer as master mind*, 1977), any code that is still possible."""


def find_player(name: str) -> Player:
    """Return the player of a name.

    Raises
    ------
    BadInput
        There is no such player.
    """
    if name not in PLAYERS:
        hint = nearest(name, PLAYERS)
        raise BadInput(f"no player is called {name!r}{hint}{listing(PLAYERS, hint)}")
    return PLAYERS[name]


def plan_player(plan: Plan) -> Player:
    """Return a player who guesses by a plan."""

    def guess(knowledge: Knowledge, random: Random) -> Code:
        inquiry = plan.next([(event.black, event.white) for event in knowledge.log])
        if inquiry is None:
            raise BadInput("the plan has no guess after these answers")
        assert isinstance(inquiry, tuple)
        return inquiry

    return guess


@frozen
class Played:
    """A game: the code, and the guesses with their answers, the last of which is right."""

    code: Code
    guesses: tuple[Guess, ...]


MAX_GUESSES = 100
"""A player who needs more guesses is stopped."""


def play_game(game: Mastermind, code: Sequence[str], player: Player, *, seed: int = 0) -> Played:
    """Return the game of a player against a code.

    Raises
    ------
    BadInput
        The code is not one of this game, or the player does not find it.

    Examples
    --------
    >>> played = play_game(Mastermind(slots=2, colours=3), "23", PLAYERS["worst"])
    >>> [("".join(g.code), g.black, g.white) for g in played.guesses][-1]
    ('23', 2, 0)
    """
    secret = tuple(code)
    game.check_code(secret)
    knowledge = Knowledge(game)
    random = Random(seed)
    for _ in range(MAX_GUESSES):
        guess = player(knowledge, random)
        knowledge = knowledge.tell(Guess(guess, *pegs(secret, guess)))
        if guess == secret:
            return Played(secret, tuple(knowledge.log))
    raise BadInput(f"the player did not find the code in {MAX_GUESSES} guesses")
