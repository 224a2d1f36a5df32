"""Programs that guess: by expected information, by the worst answer, at random, or by a plan.

*Static* guesses are made all at once, before the first answer, so that the code is then certain: no
two codes get the same answers to all of them. The smallest set is searched for by adding the guess
that separates most codes, from many random beginnings, and then by exhausting all smaller sets
where there are few enough. Source: Chvatal, *Mastermind* (1983).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import comb
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import frozen

from deduce.budget import UNLIMITED as NO_LIMIT
from deduce.budget import Budget, Meter
from deduce.errors import BadInput, Undecided
from deduce.knowledge import Knowledge
from deduce.policy.plan import Plan
from deduce.policy.task import task_of
from deduce.system.text import pick
from games.mastermind.events import Code, Guess, pegs
from games.mastermind.game import Mastermind

if TYPE_CHECKING:
    from games.mastermind.events import Array

__all__ = [
    "PLAYERS",
    "Played",
    "Player",
    "StaticGuesses",
    "find_player",
    "plan_player",
    "play_game",
    "static_guesses",
]


Player: TypeAlias = Callable[[Knowledge, Random], Code]
"""Returns the next guess, from what is known of the code."""


def _by_advice(ranking: str) -> Player:
    """Return a player who guesses what the advice ranks first, by one of its rankings."""

    def guess(knowledge: Knowledge, random: Random) -> Code:
        best = knowledge.advise(by=ranking).ranking[0].inquiry
        assert isinstance(best, tuple)
        return best

    return guess


def _consistent(knowledge: Knowledge, random: Random) -> Code:
    """Return a code that is still possible, at random."""
    game = knowledge.game
    assert isinstance(game, Mastermind)
    [world] = knowledge.sample(1, seed=random.getrandbits(32))
    return game.code_of(world)


PLAYERS: Mapping[str, Player] = {
    "information": _by_advice("information"),
    "expected": _by_advice("expected"),
    "worst": _by_advice("worst"),
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
    return PLAYERS[pick(name, PLAYERS, "player")]


def plan_player(plan: Plan) -> Player:
    """Return a player who guesses by a plan."""

    def guess(knowledge: Knowledge, random: Random) -> Code:
        inquiry = plan.next([event.answer for event in knowledge.log])
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


WHOLE = Budget(steps=None)
"""Everything that the search is meant to do."""

TRIES = 60
"""How many random beginnings are tried by default."""

MAX_SETS = 200_000
"""All smaller sets are examined only if there are no more than these."""


@frozen
class StaticGuesses:
    """Guesses whose answers together identify every code.

    Parameters
    ----------
    guesses
        The guesses.
    bound
        No set of fewer guesses identifies every code.
    proved
        Whether there is no smaller set.
    finished
        Whether the whole search was made; not if the budget ran out, or at Ctrl-C.
    interrupted
        Whether the search was ended by Ctrl-C.
    """

    guesses: tuple[Code, ...]
    bound: int
    proved: bool
    finished: bool = True
    interrupted: bool = False


def static_guesses(
    game: Mastermind, *, tries: int = TRIES, seed: int = 0, budget: Budget = WHOLE
) -> StaticGuesses:
    """Return a smallest set of static guesses that was found.

    Parameters
    ----------
    game
        The set-up.
    tries
        How many random beginnings are tried.
    seed
        The same seed gives the same guesses.
    budget
        What the search may spend; a step is one guess that is chosen, or one set that is examined.
        When it is used up, or at Ctrl-C, the set is the smallest so far.

    Raises
    ------
    Undecided
        The answers could not even be tabulated within the budget.

    Examples
    --------
    >>> found = static_guesses(Mastermind(slots=2, colours=3))
    >>> len(found.guesses), found.proved
    (2, True)
    """
    import numpy as np

    meter = budget.meter()
    task = task_of(Knowledge(game), meter)
    table = task.table
    count, size = table.shape
    kinds = len(task.answers)
    best = list(range(count))
    random = Random(seed)
    bound = 0
    while kinds**bound < size:
        bound += 1
    finished, interrupted = False, False
    try:
        best = _grown(table, kinds, count, random, NO_LIMIT) or best  # takes less than a second
        for _ in range(tries - 1 if size > 1 else 0):
            best = _grown(table, kinds, len(best), random, meter) or best
        most = int(np.array([len(np.unique(row)) for row in table]).max())
        while bound and most**bound < size:
            bound += 1
        while bound < len(best) and comb(count, bound) <= MAX_SETS:
            smaller = _exhausted(table, kinds, bound, meter)
            if smaller is not None:
                best = smaller
                break
            bound += 1
        finished = True
    except Undecided:
        pass
    except KeyboardInterrupt:
        interrupted = True
    guesses: list[Any] = [task.inquiries[i] for i in sorted(best)]
    return StaticGuesses(tuple(guesses), bound, bound >= len(best), finished, interrupted)


def _joined(before: Array, row: Array, kinds: int) -> Array:
    """Return the class of each code by the answers so far and one more."""
    import numpy as np

    classes: Array = np.unique(before * kinds + row, return_inverse=True)[1]
    return classes


def _grown(table: Array, kinds: int, limit: int, random: Random, meter: Meter) -> list[int] | None:
    """Return guesses that identify every code, fewer than a limit, or ``None``."""
    import numpy as np

    count, size = table.shape
    classes: Array = np.zeros(size, dtype=np.int64)
    chosen: list[int] = []
    while len(np.unique(classes)) < size:
        if len(chosen) + 1 >= limit:
            return None
        meter.spend()
        meter.check()
        # A few guesses are compared, so that each try goes another way.
        candidates = random.sample(range(count), min(count, 200))
        joined = np.sort(classes[None, :] * kinds + table[candidates], axis=1)
        separated = (np.diff(joined, axis=1) != 0).sum(axis=1)
        chosen.append(candidates[int(separated.argmax())])
        classes = _joined(classes, table[chosen[-1]], kinds)
    return chosen


def _exhausted(table: Array, kinds: int, number: int, meter: Meter) -> list[int] | None:
    """Return a set of this number of guesses that identifies every code, or ``None``."""
    import numpy as np

    size = table.shape[1]
    for chosen in combinations(range(len(table)), number):
        meter.spend()
        meter.check()
        classes: Array = np.zeros(size, dtype=np.int64)
        for i in chosen:
            classes = _joined(classes, table[i], kinds)
        if len(np.unique(classes)) == size:
            return list(chosen)
    return None
