"""The protocol of a perfect-information game: states are values, moves make new states.

The words are those of Russell and Norvig, *Artificial Intelligence: A Modern Approach*,
chapter 5. A *game* is the rules; a single run of it is a *playthrough*.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from random import Random
from typing import (
    Any,
    Protocol,
    TypeAlias,
    TypeVar,
)

from deduce.system.hooks import hook, offer

__all__ = [
    "Action",
    "AnyGame",
    "Extra",
    "Game",
    "Packed",
    "State",
    "Utilities",
    "has_chance",
    "hook",
    "ordered_actions",
    "outcomes_of",
    "steps_of",
    "text_of_action",
    "text_of_player",
    "text_of_state",
    "turn",
]

State = TypeVar("State", bound=Hashable)
Action = TypeVar("Action", bound=Hashable)

Utilities = tuple[float, ...]
"""One number per player; a `fractions.Fraction` is as good as a float."""

Outcomes: TypeAlias = Sequence[tuple[Any, Fraction | float]]
"""The states that chance may lead to, with their probabilities."""


class Game(Protocol[State, Action]):
    """What a game must have to be searched. Players are numbered from 0.

    Only the members below are required. A game may also have any of those of `Extra` and `Packed`.

    `deduce.search.testing.check_game` plays a game at random and checks all of this.
    """

    @property
    def players(self) -> int:
        """The number of players; a plain attribute is enough."""

    def initial_state(self) -> State:
        """Return the state before the first move."""

    def to_move(self, state: State) -> int:
        """Return the player whose turn it is in an unfinished state where a player moves."""

    def actions(self, state: State) -> Sequence[Action]:
        """Return every legal action where a player moves: at least one, without repeats."""

    def result(self, state: State, action: Action) -> State:
        """Return the state after ``action``; ``state`` itself is unchanged."""

    def utility(self, state: State) -> Utilities | None:
        """Return one number per player when the game is over in ``state``, else ``None``."""


AnyGame: TypeAlias = Game[Any, Any]
"""A game whose kinds of states and actions do not matter."""


class Extra(Protocol):
    """What a game may have as well: every solver uses what there is, and works without the rest."""

    @property
    def utility_bounds(self) -> tuple[float, float]:
        """The least and the greatest utility that any player can get.

        Solvers stop as soon as nothing better is possible, so declaring it makes them faster.
        """

    @property
    def zero_sum(self) -> bool:
        """Whether the utilities of every finished state sum to 0. Solvers that need it check it."""

    @property
    def has_chance(self) -> bool:
        """Whether chance moves in some state.

        Without it, a game that has ``outcomes`` counts as one in which it does. A game whose rules
        are a choice declares it, so that ``best`` can use the solvers for games without chance.
        """

    @property
    def refuses_illegal(self) -> bool:
        """Whether ``parse_action`` refuses every action that is not legal in its state."""

    def outcomes(self, state: Hashable) -> Outcomes | None:
        """Return the states that chance may lead to, with their probabilities, which sum to 1.

        It is ``None`` where a player moves or the game is over.
        """

    def key(self, state: Hashable) -> Hashable:
        """Return what is equal for states that are the same up to symmetry.

        They must have the same value for each player.
        """

    def order(self, state: Hashable, actions: Sequence[Any]) -> Sequence[Any]:
        """Return the same actions, the promising ones first."""

    def quiet(self, state: Hashable, action: Hashable) -> bool:
        """Return whether an action changes so little that it may be searched less deeply."""

    def estimate(self, state: Hashable) -> Utilities:
        """Return an estimate of the utilities of an unfinished state, one number per player."""

    def playout(self, state: Hashable, random: Random) -> Utilities:
        """Return the utilities at the end of one playthrough with uniformly drawn actions.

        Useful only if it is faster than a loop over the other methods.
        """

    def player_name(self, player: int) -> str:
        """Return what a player is called in texts; without it ``"player 0"``. Names differ."""

    def show(self, state: Hashable) -> str:
        """Return the state in several lines, for example as a board."""

    def svg(self, state: Hashable) -> str:
        """Return the state as a picture for notebooks, one ``<svg>`` element.

        All names in it are escaped; `deduce.show.svg` makes them. `deduce.search.board.Board`
        shows it.
        """

    def known_value(self, state: Hashable) -> Utilities | None:
        """Return the utilities of a state with best play where theory gives them.

        Only `check_game <deduce.search.testing.check_game>` uses it, to check everything else.
        """

    def format_state(self, state: Hashable) -> str:
        """Return a state in a line for people and files, which ``parse_state`` reads."""

    def parse_state(self, text: str) -> Any:
        """Return the state of a text, or raise `deduce.errors.BadInput`."""

    def format_action(self, state: Hashable, action: Hashable) -> str:
        """Return an action as text, which ``parse_action`` reads."""

    def parse_action(self, state: Hashable, text: str) -> Any:
        """Return the action of a text, or raise `deduce.errors.BadInput`."""

    def say_action(self, state: Hashable, action: Hashable) -> str:
        """Return what a page calls an action, in the language that is spoken, if not its text."""


class Packed(Protocol):
    """The optional methods with which a game can be solved on disk: the first two, and others."""

    def pack(self, state: Hashable) -> int:
        """Return a number from 0 to 2**64 - 1.

        States with equal numbers are equal, or have the same ``key`` and therefore the same value.
        """

    def unpack(self, code: int) -> Any:
        """Return a state of such a number."""

    def tier(self, state: Hashable) -> int:
        """Return a number from 0 that no move lowers, such as the pieces on the board.

        Moves within a tier are allowed; such a tier is solved in memory. Without it all states are
        in one tier.
        """

    def secured(self, state: Hashable) -> Utilities:
        """Return what each player has already, however the game goes on.

        For a game that is not a two-player zero-sum game and in which play can go on forever. No
        move lowers it, and in a finished state it is the utility. Then the value of a state is what
        each player can force to have, whatever all others do together; see
        `deduce.search.solvers.retrograde.guarantees`.
        """

    def expand_packed(self, codes: object) -> Any:
        """Return the moves of an array of packed states of one tier at once, with numpy.

        The methods for single states are its oracle: `check_game
        <deduce.search.testing.check_game>` compares them.
        """


offer(Extra, Packed)


def text_of_state(game: Game[State, Any] | None, state: State) -> str:
    """Return the game's one-line text of a state, or its `repr`."""
    write = hook(game, Extra.format_state)
    return str(write(state)) if write else repr(state)


def text_of_action(game: Game[State, Action] | None, state: State, action: Action) -> str:
    """Return the game's text of an action, or its `str`."""
    write = hook(game, Extra.format_action)
    return str(write(state, action)) if write else str(action)


def text_of_player(game: AnyGame | None, player: int) -> str:
    """Return what the game calls a player, else ``"player 0"``.

    >>> text_of_player(None, 1)
    'player 1'
    """
    name = hook(game, Extra.player_name)
    return str(name(player)) if name else f"player {player}"


def outcomes_of(
    game: Game[State, Any], state: State
) -> Sequence[tuple[State, Fraction | float]] | None:
    """Return where chance may lead with the probabilities; ``None`` where chance does not move."""
    outcomes = hook(game, Extra.outcomes)
    return outcomes(state) if outcomes else None


def steps_of(game: AnyGame, state: Hashable) -> list[tuple[Any, Any]]:
    """Return every action of an unfinished state (``None``: chance) with the state after it.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> steps_of(Nim((2,)), ((2,), 0))
    [((0, 1), ((1,), 1)), ((0, 2), ((0,), 1))]
    """
    outcomes = outcomes_of(game, state)
    if outcomes is not None:
        return [(None, child) for child, _ in outcomes]
    return [(action, game.result(state, action)) for action in game.actions(state)]


def has_chance(game: AnyGame) -> bool:
    """Return whether chance may move: what the game declares, else whether it has ``outcomes``.

    Examples
    --------
    >>> from games.classics.nim import DiceNim
    >>> from games.classics.nim import Nim
    >>> has_chance(Nim()), has_chance(DiceNim())
    (False, True)
    """
    declared = hook(game, Extra.has_chance, None)
    return hook(game, Extra.outcomes) is not None if declared is None else bool(declared)


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
    actions, order = game.actions, hook(game, Extra.order)
    if order is None:
        return actions
    return lambda state: order(state, actions(state))
