"""What can be wrong with a game: every error names the state in which it occurs.

All are `deduce.errors.DeduceError`; ``error.state`` is the state itself.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isfinite
from typing import Any

from deduce.errors import DeduceError
from deduce.search.game import AnyGame, Extra, Utilities, hook, text_of_action, text_of_state

__all__ = [
    "ActionsDisagree",
    "BadGame",
    "BadGraph",
    "BadMover",
    "BadOutcomes",
    "BadUtility",
    "InfinitePlay",
    "NotZeroSum",
    "UnhashableState",
    "are_shares",
    "check_hashable",
    "check_mover",
    "check_shares",
    "check_state",
    "check_utilities",
    "diagnose",
]


class BadGame(DeduceError):
    """A game breaks the protocol, or a solver was given a game that it cannot solve.

    Parameters
    ----------
    message
        What is wrong.
    game, state
        Where; the state's text becomes part of the message.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> print(BadGame("something is wrong", Nim((1, 2)), ((1, 2), 0)))
    something is wrong, in state 1,2 player 0
    """

    def __init__(self, message: str, game: AnyGame, state: Hashable) -> None:
        try:
            where = text_of_state(game, state)
        except Exception:  # the state may be too broken to be written as the game writes it
            where = repr(state)
        super().__init__(f"{message}, in state {where}")
        self.state: Any = state


class BadGraph(DeduceError):
    """A graph cannot be played as a game; ``error.state`` is the node in question, if it is one.

    >>> print(BadGraph("it needs the attribute 'player'", "start"))
    it needs the attribute 'player', at node 'start'
    """

    def __init__(self, message: str, node: Any = None) -> None:
        super().__init__(message if node is None else f"{message}, at node {node!r}")
        self.state = node


class ActionsDisagree(BadGame):
    """``actions`` and ``result`` disagree, or there is no action although the game goes on."""


class UnhashableState(BadGame, TypeError):
    """A state or its key cannot be hashed, so it cannot be a node of a graph or a table."""


class BadUtility(BadGame):
    """The utilities of a finished state are not one number per player within the bounds."""


class NotZeroSum(BadUtility):
    """A solver for zero-sum games met a finished state whose utilities do not sum to 0."""


class BadMover(BadGame):
    """The player to move does not exist: players are numbered from 0."""


class BadOutcomes(BadGame):
    """The probabilities of a chance node are not positive numbers that sum to 1."""


class InfinitePlay(BadGame):
    """Play can continue for ever, and the solver has neither a rule for that nor a limit."""


def check_mover(game: AnyGame, state: Hashable, mover: int) -> int:
    """Return the player to move if the game has such a player; else `BadMover` is raised."""
    if not isinstance(mover, int) or not 0 <= mover < game.players:
        raise BadMover(f"to_move gives {mover!r}, not 0 to {game.players - 1}", game, state)
    return mover


def check_utilities(
    game: AnyGame, state: Hashable, utilities: Utilities, what: str = "utility"
) -> Utilities:
    """Return utilities that are one finite number per player; else `BadUtility` is raised."""
    try:
        if len(utilities) == game.players and all(map(isfinite, utilities)):
            return utilities
    except (TypeError, OverflowError):
        pass
    raise BadUtility(f"{what} gives {utilities!r}, not {game.players} finite numbers", game, state)


def are_shares(shares: Sequence[Any]) -> bool:
    """Return whether these are positive numbers whose sum is 1, up to rounding errors."""
    try:
        return bool(shares) and bool(min(shares) > 0) and abs(sum(shares) - 1) <= 1e-9
    except TypeError:
        return False


def check_shares(game: AnyGame, state: Hashable, shares: Sequence[object]) -> Sequence[object]:
    """Return probabilities that are positive with sum 1; else `BadOutcomes` is raised."""
    if not are_shares(shares):
        raise BadOutcomes(
            f"the probabilities {', '.join(map(str, shares))} are not positive with sum 1",
            game,
            state,
        )
    return shares


def check_hashable(game: AnyGame, state: Hashable, what: str, value: object) -> None:
    """Raise `UnhashableState` unless a value can be hashed."""
    try:
        hash(value)
    except Exception as error:
        raise UnhashableState(f"{what} {value!r} is not hashable: {error}", game, state) from error


def check_state(game: AnyGame, state: Hashable) -> tuple[list[Hashable], list[Hashable]]:
    """Return the states that can follow a state, and the actions to them; chance has no actions.

    Every method of the game that is required for this is called twice.

    Raises
    ------
    BadGame
        The game breaks the protocol in the state.
    """

    def asked(name: str, *action: Hashable) -> Any:
        """Return what a method answers, checked so far that two answers can be compared."""
        answer = getattr(game, name)(state, *action)
        if name == "result":
            check_hashable(game, answer, "state", answer)
        elif name == "utility" and answer is not None:
            check_utilities(game, state, answer)
        several = name == "actions" or (name in ("utility", "outcomes") and answer is not None)
        return list(answer) if several else answer

    def twice(name: str, *action: Hashable) -> Any:
        try:
            first, second = asked(name, *action), asked(name, *action)
        except BadGame:
            raise
        except Exception as error:
            if action:
                said = text_of_action(game, state, action[0])
                message = f"actions lists {said}, but result refuses it: {error!r}"
                raise ActionsDisagree(message, game, state) from error
            raise BadGame(f"{name} fails: {error!r}", game, state) from error
        if first != second:
            raise BadGame(f"{name} differs when it is called again", game, state)
        return first

    check_hashable(game, state, "state", state)
    before = hash(state), repr(state)
    if twice("utility") is not None:
        return [], []
    outcomes = twice("outcomes") if hook(game, Extra.outcomes) else None
    if outcomes is not None:
        check_shares(game, state, [share for _, share in outcomes])
        return [child for child, _ in outcomes], []
    check_mover(game, state, twice("to_move"))
    actions = twice("actions")
    if not actions:
        raise ActionsDisagree("the game is not over but has no action", game, state)
    for action in actions:
        check_hashable(game, state, "action", action)
    if len(set(actions)) < len(actions):
        raise ActionsDisagree("actions lists an action twice", game, state)
    following = [twice("result", action) for action in actions]
    for action, child in zip(actions, following, strict=True):
        if child is None:
            raise ActionsDisagree(f"result of {action!r} is None", game, state)
    if (hash(state), repr(state)) != before:
        raise BadGame("result changes the state", game, state)
    return following, actions


def diagnose(game: AnyGame, state: Hashable, error: Exception) -> Exception:
    """Return the error that names what is wrong with expanding ``state``.

    Called after one of the game's own methods has raised an exception, so it costs solvers nothing
    as long as there is no error. An error that this cannot explain is returned unchanged.
    """
    if isinstance(error, BadGame):
        return error
    key = hook(game, Extra.key) or (lambda node: 0)
    try:
        following, _ = check_state(game, state)
        for child in following:
            check_state(game, child)
        for node in (state, *following):
            check_hashable(game, node, "key", key(node))
    except BadGame as found:
        return found
    except Exception as cause:
        return BadGame(f"key fails: {cause!r}", game, state) if hook(game, Extra.key) else error
    return error
