"""Playing against the search in the terminal."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from random import Random
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from deduce.cli.dialogue import Dialogue, command_of, run
from deduce.cli.output import progress_bar
from deduce.logs.document import History
from deduce.search.board import shown_state
from deduce.search.game import (
    AnyGame,
    ordered_actions,
    outcomes_of,
    text_of_action,
    text_of_player,
)
from deduce.search.limits import Limits
from deduce.search.load import action_texts, read_action
from deduce.search.playouts import draw_outcome
from deduce.search.result import number
from deduce.search.solvers.choose import best
from deduce.system.text import join

if TYPE_CHECKING:
    from deduce.search.tiers.table import Tablebase

__all__ = ["Match", "play"]

COMMANDS = ("help", "actions", "hint", "undo", "redo", "quit")
HELP = "Type an action, or: actions, hint, undo, redo, help, quit (:undo where undo is an action)."


def play(
    game: AnyGame,
    state: Hashable = None,
    *,
    seats: Collection[int] = (0,),
    limits: Limits | None = None,
    seed: int = 0,
    table: Tablebase | None = None,
) -> tuple[float, ...] | None:
    """Play a game in the terminal: lines are read from standard input.

    Parameters
    ----------
    game, state
        The game, and where to begin if not at its initial state.
    seats
        The players that the user plays; the search plays the others.
    limits
        For each move of the search; 1 second if not given.
    seed
        For chance and for the search.
    table
        A solution on disk, from which the other players play instead of searching.

    Returns
    -------
    tuple or None
        The utilities at the end; ``None`` if the person left before.
    """
    limits = limits or Limits(seconds=1)
    match = Match(game, state, seats=seats, limits=limits, seed=seed, table=table)
    run(match)
    return game.utility(match.history.now)


@define
class Match(Dialogue):
    """A game between a person and the search.

    Parameters are those of `play`.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> match = Match(Nim((1, 2)), limits=Limits(nodes=100))
    >>> for line in match.answer("1 from 2"):
    ...     print(line)
    player 0: 1 from 2
    1,1 player 1
    player 1: 1 from 1
    0,1 player 0
    """

    game: AnyGame
    state: Hashable = None
    seats: Collection[int] = field(default=(0,), kw_only=True)
    limits: Limits = field(default=Limits(seconds=1), kw_only=True)
    seed: int = field(default=0, kw_only=True)
    table: Tablebase | None = field(default=None, kw_only=True)
    has_quit: bool = field(default=False, init=False)
    history: History[object] = field(init=False)
    """The states in which a person's turn began; the last one may be the end of the game."""
    random: Random = field(init=False)

    def __attrs_post_init__(self) -> None:
        state = self.game.initial_state() if self.state is None else self.state
        self.history, self.random = History(state), Random(self.seed)

    @property
    def prompt(self) -> str:
        """Whose turn it is."""
        return f"{text_of_player(self.game, self.game.to_move(self.history.now))}> "

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or the person has quit."""
        return self.has_quit or self.game.utility(self.history.now) is not None

    def greeting(self) -> Iterator[str]:
        """Yield who plays, and what can be typed."""
        names = join([text_of_player(self.game, seat) for seat in sorted(self.seats)])
        yield f"You play {names}. {HELP}"

    def opening(self) -> Iterator[str]:
        """Yield the lines up to the person's first turn."""
        yield from self._proceed(self.history.now, keep=False)

    def answer(self, line: str) -> Iterator[str]:
        """Yield the lines that answer an action or a command of the person.

        Raises
        ------
        BadInput
            It is neither an action nor a command; the message has some actions.
        """
        game, state = self.game, self.history.now
        is_action = line.strip() in action_texts(game, state)
        command = None if is_action else command_of(line, COMMANDS)
        if command is not None:
            yield from self._command(command[0])
        elif not line.strip():
            yield HELP
        else:
            yield from self._take(state, read_action(game, state, line.strip()))

    def _command(self, name: str) -> Iterator[str]:
        game, state = self.game, self.history.now
        if name == "quit":
            self.has_quit = True
        elif name == "hint":
            yield f"hint: {text_of_action(game, state, self._best(state))}"
        elif name == "actions":
            yield "; ".join(action_texts(game, state))
        elif name == "help":
            yield HELP
            yield "; ".join(action_texts(game, state))
        else:
            self.history = self.history.undo() if name == "undo" else self.history.redo()
            yield shown_state(game, self.history.now)

    def _take(self, state: Hashable, action: Hashable) -> Iterator[str]:
        """Yield an action, and what follows it up to the next turn of the person."""
        name = text_of_player(self.game, self.game.to_move(state))
        yield f"{name}: {text_of_action(self.game, state, action)}"
        yield from self._proceed(self.game.result(state, action), keep=True)

    def _proceed(self, state: Hashable, *, keep: bool) -> Iterator[str]:
        """Yield what chance and the search do until it is the person's turn or the game is over."""
        game = self.game
        while (final := game.utility(state)) is None:
            outcomes = outcomes_of(game, state)
            if outcomes is not None:
                state = draw_outcome(outcomes, self.random)
                continue
            yield shown_state(game, state)
            mover = game.to_move(state)
            if mover in self.seats:
                break
            action = self._best(state)
            yield f"{text_of_player(game, mover)}: {text_of_action(game, state, action)}"
            state = game.result(state, action)
        self.history = self.history.to(state) if keep else History(state)
        if final is not None:
            yield shown_state(game, state)
            gains = (f"{text_of_player(game, p)} gets {number(u)}" for p, u in enumerate(final))
            yield f"the game is over: {', '.join(gains)}"

    def _best(self, state: Hashable) -> object:
        """Return the best action found; the first in the game's order if there was no time."""
        if self.table is not None:
            return self.table.result(state).best_actions[0]
        with progress_bar("nodes") as advance:
            limits = evolve(self.limits, progress=lambda nodes, _: advance(nodes))
            result = best(self.game, state, limits=limits, seed=self.seed).uninterrupted()
        return (result.best_actions or ordered_actions(self.game)(state))[0]
