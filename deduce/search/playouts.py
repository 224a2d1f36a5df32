"""Counting lines of play, and random play: first tests of a new game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from deduce.errors import BadProblem
from deduce.search.errors import InfinitePlay, check_utilities, diagnose
from deduce.search.game import Action, Extra, Game, State, Utilities, hook, outcomes_of, steps_of

__all__ = ["divide", "draw_outcome", "perft", "playout", "playthrough", "sampler"]

MAX_PLIES = 10_000


def perft(
    game: Game[State, Action],
    depth: int,
    state: State | None = None,
    *,
    progress: Callable[[int], None] = lambda lines: None,
) -> int:
    """Return how many lines of play of exactly ``depth`` plies there are.

    Every action and every outcome of chance is a ply; lines that end earlier do not count, as
    in chess. Nothing is merged, so this checks and times a game's methods. ``progress`` is called
    now and then with the number of lines that were found since the last call.

    Raises
    ------
    BadProblem
        The depth is negative.

    Examples
    --------
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> [perft(TicTacToe(), depth) for depth in range(7)]
    [1, 9, 72, 504, 3024, 15120, 54720]
    """
    if type(depth) is not int or depth < 0:
        raise BadProblem(f"a depth is a whole number from 0 on, not {depth!r}")
    return _leaves(game, game.initial_state() if state is None else state, depth, progress)


def divide(game: Game[State, Action], depth: int, state: State | None = None) -> dict[Action, int]:
    """Return the lines of ``depth`` plies after each action of a state: perft, split.

    Raises
    ------
    BadProblem
        The depth is less than 1.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> divide(Nim((1, 2)), 2)
    {(0, 1): 2, (1, 1): 2, (1, 2): 1}
    """
    if depth < 1:
        raise BadProblem(f"a depth to divide is at least 1, not {depth}")
    root = game.initial_state() if state is None else state
    return {
        action: perft(game, depth - 1, game.result(root, action)) for action in game.actions(root)
    }


def _leaves(
    game: Game[State, Action], state: State, depth: int, progress: Callable[[int], None]
) -> int:
    if depth == 0:
        return 1
    if game.utility(state) is not None:
        return 0
    try:
        children = [child for _, child in steps_of(game, state)]
    except Exception as error:
        raise diagnose(game, state, error) from error
    if depth == 1:
        return len(children)
    lines = sum(_leaves(game, child, depth - 1, progress) for child in children)
    if depth == 2:
        progress(lines)
    return lines


def playthrough(
    game: Game[State, Action],
    state: State | None = None,
    *,
    random: Random,
    max_plies: int = MAX_PLIES,
) -> Iterator[tuple[Action | None, State]]:
    """Yield the actions and states of one random playthrough; chance comes with ``None``.

    Raises
    ------
    InfinitePlay
        The game goes on after ``max_plies``.

    Examples
    --------
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> steps = list(playthrough(TicTacToe(), random=Random(1)))
    >>> steps[0], TicTacToe().utility(steps[-1][1])
    ((3, (4, 0)), (1, -1))
    """
    here = game.initial_state() if state is None else state
    for _ in range(max_plies):
        if game.utility(here) is not None:
            return
        action: Action | None = None
        try:
            outcomes = outcomes_of(game, here)
            if outcomes is not None:
                here = draw_outcome(outcomes, random)
            else:
                action = random.choice(game.actions(here))
                here = game.result(here, action)
        except Exception as error:
            raise diagnose(game, here, error) from error
        yield action, here
    if game.utility(here) is None:
        raise InfinitePlay(f"a random playthrough goes on after {max_plies} plies", game, here)


def draw_outcome(outcomes: Sequence[tuple[State, Fraction | float]], random: Random) -> State:
    """Return one of the states that chance may lead to, drawn by its probability."""
    states, shares = zip(*outcomes, strict=True)
    state: State = random.choices(states, [float(share) for share in shares])[0]
    return state


def playout(
    game: Game[State, Action],
    state: State | None = None,
    *,
    seed: int = 0,
    max_plies: int = MAX_PLIES,
) -> Utilities:
    """Return the utilities at the end of one random playthrough.

    Examples
    --------
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> [playout(TicTacToe(), seed=seed) for seed in range(3)]
    [(-1, 1), (0, 0), (-1, 1)]
    """
    root = game.initial_state() if state is None else state
    return sampler(game, Random(seed), max_plies=max_plies)(root)


def sampler(
    game: Game[State, Any],
    random: Random,
    *,
    max_plies: int = MAX_PLIES,
    estimate: Callable[[State], Utilities] | None = None,
) -> Callable[[State], Utilities]:
    """Return a function that plays a state out at random: the game's ``playout`` if it has one.

    With ``estimate``, a state that is not finished after ``max_plies`` counts as it says.
    """
    own = hook(game, Extra.playout)
    if own is not None and estimate is None:
        return lambda state: own(state, random)
    utility, actions, result = game.utility, game.actions, game.result
    outcomes, draw = hook(game, Extra.outcomes), random.random

    def play(state: State) -> Utilities:
        start = state
        try:
            for _ in range(max_plies):
                final = utility(state)
                if final is not None:
                    return check_utilities(game, state, final)
                by_chance = outcomes(state) if outcomes is not None else None
                if by_chance is not None:
                    left = draw()
                    for child, share in by_chance:
                        state = child
                        left -= share
                        if left < 0:
                            break
                else:
                    choices = actions(state)
                    state = result(state, choices[int(draw() * len(choices))])
            if estimate is not None:
                return utility(state) or tuple(estimate(state))
        except Exception as error:
            raise diagnose(game, state, error) from error
        raise InfinitePlay(f"a random playthrough goes on after {max_plies} plies", game, start)

    return play
