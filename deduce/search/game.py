"""The protocol of a perfect-information game: states are values, moves make new states.

The words are those of Russell and Norvig, *Artificial Intelligence: A Modern Approach*,
chapter 5. A *game* is the rules; a single run of it is a *playthrough*.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar, overload

__all__ = [
    "Action",
    "Game",
    "State",
    "Utilities",
    "has_chance",
    "hook",
    "ordered_actions",
    "outcomes_of",
    "text_of_action",
    "text_of_player",
    "text_of_state",
    "turn",
]

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

Utilities = tuple[float, ...]
"""One number per player; a `fractions.Fraction` is as good as a float."""


class Game(Protocol[State, Action]):
    """What a game must have to be searched. Players are numbered from 0.

    Only the members below are required. A game may also have any of these; every solver uses them
    if they exist and works without:

    ``utility_bounds: tuple[float, float]``
        the least and the greatest utility that any player can get. Solvers stop as soon as
        nothing better is possible, so declaring it makes them faster.
    ``zero_sum: bool``
        whether the utilities of every finished state sum to 0. Solvers that need it check it.
    ``outcomes(state) -> Sequence[tuple[State, Fraction | float]] | None``
        the states that chance may lead to, with their probabilities (which sum to 1), when
        chance moves in ``state``; ``None`` where a player moves or the game is over.
    ``has_chance: bool``
        whether chance moves in some state; without it, a game that has ``outcomes`` counts as one
        in which it does. A game whose rules are a choice declares it, so that ``best`` can use the
        solvers for games without chance.
    ``key(state) -> Hashable``
        equal for states that are the same up to symmetry and have the same value for each player.
    ``order(state, actions) -> Sequence[Action]``
        the same actions, the promising ones first.
    ``quiet(state, action) -> bool``
        whether an action changes so little that a selective search may search it less deeply.
    ``estimate(state) -> tuple[float, ...]``
        an estimate of the utilities of an unfinished state, one number per player.
    ``playout(state, random) -> tuple[float, ...]``
        the utilities at the end of one playthrough in which every action is drawn uniformly
        with the given `random.Random`; useful only if it is faster than a loop over the other
        methods.
    ``player_name(player) -> str``
        what a player is called in texts: ``"Ann"``; without it ``"player 0"``. Names differ.
    ``show(state) -> str``
        the state in several lines, for example as a board.
    ``svg(state) -> str``
        the state as a picture for notebooks, one ``<svg>`` element in which all names are
        escaped; `deduce.show.svg` makes them. `deduce.search.board.Board` shows it.
    ``known_value(state) -> tuple[float, ...] | None``
        the utilities of a state with best play where theory gives them; only `check_game
        <deduce.search.testing.check_game>` uses it, to check everything else.
    ``refuses_illegal: bool``
        whether ``parse_action`` refuses every action that is not legal in its state.
    ``format_state(state) -> str`` and ``parse_state(text) -> State``
        a state in a line for people and files; they round-trip, and the parser raises
        `deduce.errors.BadInput`.
    ``format_action(state, action) -> str`` and ``parse_action(state, text) -> Action``
        the same for an action.

    `deduce.search.testing.check_game` plays a game at random and checks all of this.
    """

    @property
    def players(self) -> int:
        """The number of players; a plain attribute is enough."""
        ...

    def initial_state(self) -> State:
        """Return the state before the first move."""
        ...

    def to_move(self, state: State) -> int:
        """Return the player whose turn it is in an unfinished state where a player moves."""
        ...

    def actions(self, state: State) -> Sequence[Action]:
        """Return every legal action where a player moves: at least one, without repeats."""
        ...

    def result(self, state: State, action: Action) -> State:
        """Return the state after ``action``; ``state`` itself is unchanged."""
        ...

    def utility(self, state: State) -> Utilities | None:
        """Return one number per player when the game is over in ``state``, else ``None``."""
        ...


HOOKS = {
    *("utility_bounds", "zero_sum", "outcomes", "has_chance", "key", "order", "quiet", "estimate"),
    *("playout", "player_name", "show", "svg", "known_value", "refuses_illegal", "format_state"),
    *("parse_state", "format_action", "parse_action", "secured", "tier"),
    *("pack", "unpack", "expand_packed"),
}
"""The optional members of a game: those of `Game`, and those of `deduce.search.tiers`."""

T = TypeVar("T")


@overload
def hook(game: object, name: str) -> Callable[..., Any] | None: ...
@overload
def hook(game: object, name: str, default: T) -> T: ...
def hook(game: object, name: str, default: object = None) -> object:
    """Return an optional member of a game, or the default if the game does not have it.

    Raises
    ------
    TypeError
        No game can have such a member.
    """
    if name not in HOOKS:
        raise TypeError(f"no game for deduce.search has an optional member {name!r}")
    return getattr(game, name, default)


def text_of_state(game: Game[State, Any] | None, state: State) -> str:
    """Return the game's one-line text of a state, or its `repr`."""
    write = hook(game, "format_state")
    return str(write(state)) if write else repr(state)


def text_of_action(game: Game[State, Action] | None, state: State, action: Action) -> str:
    """Return the game's text of an action, or its `str`."""
    write = hook(game, "format_action")
    return str(write(state, action)) if write else str(action)


def text_of_player(game: Game[Any, Any] | None, player: int) -> str:
    """Return what the game calls a player, else ``"player 0"``.

    >>> text_of_player(None, 1)
    'player 1'
    """
    name = hook(game, "player_name")
    return str(name(player)) if name else f"player {player}"


def outcomes_of(
    game: Game[State, Any], state: State
) -> Sequence[tuple[State, Fraction | float]] | None:
    """Return where chance may lead with the probabilities; ``None`` where chance does not move."""
    outcomes = hook(game, "outcomes")
    return outcomes(state) if outcomes else None


def has_chance(game: Game[Any, Any]) -> bool:
    """Return whether chance may move: what the game declares, else whether it has ``outcomes``.

    Examples
    --------
    >>> from games.classics.dice_nim import DiceNim
    >>> from games.classics.nim import Nim
    >>> has_chance(Nim()), has_chance(DiceNim())
    (False, True)
    """
    declared = hook(game, "has_chance", None)
    return hook(game, "outcomes") is not None if declared is None else bool(declared)


def turn(game: Game[State, Any], state: State) -> str:
    """Return whose turn it is in an unfinished state: ``"player 0 to move"``, ``"chance moves"``.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> turn(Nim(), ((1, 2), 1))
    'player 1 to move'
    """
    if outcomes_of(game, state) is not None:
        return "chance moves"
    return f"{text_of_player(game, game.to_move(state))} to move"


def ordered_actions(game: Game[State, Action]) -> Callable[[State], Sequence[Action]]:
    """Return the function that gives a state's actions, the promising ones first."""
    actions, order = game.actions, hook(game, "order")
    if order is None:
        return actions
    return lambda state: order(state, actions(state))
