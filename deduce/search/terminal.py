"""Playing against the search in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from typing import Any

from deduce.errors import BadInput
from deduce.search.game import (
    Game,
    hook,
    ordered_actions,
    text_of_action,
    text_of_player,
    text_of_state,
)
from deduce.search.limits import Limits
from deduce.search.load import read_action
from deduce.search.result import number
from deduce.search.solvers.choose import best

__all__ = ["play"]

HELP = "an action, or: ? for all actions, hint, undo, quit"


def play(
    game: Game[Any, Any],
    state: Any,
    *,
    seats: Collection[int],
    limits: Limits,
    seed: int = 0,
    ask: Callable[[str], str],
    tell: Callable[[str], None],
) -> tuple[float, ...] | None:
    """Return the utilities at the end, or ``None`` if the person left before.

    Parameters
    ----------
    game, state
        The game and where to begin.
    seats
        The players whom the person plays; the search plays the others.
    limits
        For each move of the search.
    seed
        For chance and for the search.
    ask
        Asks for a line; raises `EOFError` at the end of the input.
    tell
        Prints a line.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> game, lines = Nim((1, 2)), iter(["1 from 2", "1 from 2"])
    >>> play(game, game.initial_state(), seats={0}, limits=Limits(nodes=100),
    ...      ask=lambda prompt: next(lines), tell=print)
    1,2 player 0
    player 0: 1 from 2
    1,1 player 1
    player 1: 1 from 1
    0,1 player 0
    player 0: 1 from 2
    0,0 player 1
    the game is over: player 0 gets 1, player 1 gets -1
    (1, -1)
    """
    random, outcomes = Random(seed), hook(game, "outcomes")
    show = hook(game, "show") or (lambda here: text_of_state(game, here))
    before: list[Any] = []
    while (final := game.utility(state)) is None:
        by_chance = outcomes(state) if outcomes else None
        if by_chance is not None:
            children, shares = zip(*by_chance, strict=True)
            state = random.choices(children, [float(share) for share in shares])[0]
            continue
        tell(show(state))
        mover = game.to_move(state)
        if mover in seats:
            action = _ask(game, state, mover, limits, seed, ask, tell)
            if action == "quit":
                return None
            if action == "undo":
                state = before.pop() if before else state
                continue
            before.append(state)
            action = action[0]
        else:
            action = _best(game, state, limits, seed)
        tell(f"{text_of_player(game, mover)}: {text_of_action(game, state, action)}")
        state = game.result(state, action)
    tell(show(state))
    gains = (
        f"{text_of_player(game, player)} gets {number(gain)}" for player, gain in enumerate(final)
    )
    tell(f"the game is over: {', '.join(gains)}")
    return final


def _best(game: Game[Any, Any], state: Any, limits: Limits, seed: int) -> Any:
    """Return the best action found; the first that comes to mind if there was no time at all."""
    found = best(game, state, limits=limits, seed=seed).best_actions
    return (found or ordered_actions(game)(state))[0]


def _ask(
    game: Game[Any, Any],
    state: Any,
    mover: int,
    limits: Limits,
    seed: int,
    ask: Callable[[str], str],
    tell: Callable[[str], None],
) -> Any:
    """Return the person's action in a tuple, or ``"undo"`` or ``"quit"``."""
    while True:
        try:
            line = ask(f"{text_of_player(game, mover)}> ").strip()
        except EOFError:
            return "quit"
        if line in ("quit", "undo"):
            return line
        if line == "?":
            tell(", ".join(text_of_action(game, state, action) for action in game.actions(state)))
        elif line == "hint":
            action = _best(game, state, limits, seed)
            tell(f"hint: {text_of_action(game, state, action)}")
        elif line:
            try:
                return (read_action(game, state, line),)
            except BadInput as error:
                tell(str(error))
        else:
            tell(HELP)
