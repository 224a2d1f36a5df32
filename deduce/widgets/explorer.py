"""Exploring the states of a search game: their values, and playing against the search.

Values are proved if the game is small enough to be solved at once; otherwise a short search
estimates them. The table shows which values are proved.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from html import escape
from random import Random
from typing import Any

from attrs import frozen

from deduce.errors import BadInput
from deduce.history import History
from deduce.search.board import svg_of_state
from deduce.search.errors import InfinitePlay
from deduce.search.game import (
    Game,
    hook,
    outcomes_of,
    text_of_action,
    text_of_player,
    text_of_state,
    turn,
)
from deduce.search.graph import StateGraph
from deduce.search.limits import Limits
from deduce.search.playouts import draw_outcome
from deduce.search.result import Result, number
from deduce.search.solution import Solution
from deduce.search.solvers.choose import best
from deduce.show.sheet import Cell, Row, Sheet
from deduce.text import plural, visible
from deduce.widgets.sheet import Picture, SheetWidget
from deduce.widgets.toolkit import Panel, button, guarded, ipywidgets, message, row

__all__ = ["Explorer", "Transition"]

SOLVED = Limits(nodes=20_000, seconds=2.0)
"""The limits within which a whole game is solved at once."""

MAX_MOVES = 200
"""The number of moves that the search and chance make without the user."""

MAX_TRANSITIONS = 200
"""The number of transitions that are listed."""


@frozen
class Transition:
    """A transition from a state to the next: an action, or an outcome of chance.

    Parameters
    ----------
    label
        The action, or the probability.
    after
        The next state.
    value
        The value to each player; ``None`` if it is not known.
    proved
        Whether the value is proved, not estimated.
    best
        Whether it is one of the best actions.
    """

    label: str
    after: Any
    value: tuple[float, ...] | None
    proved: bool
    best: bool


class Explorer(Panel):
    """A state, its board and its transitions with their values; a click takes a transition.

    Parameters
    ----------
    game
        A game with perfect information.
    state
        The first state; by default the initial state of the game.
    seats
        The players for which the search moves, as soon as it is their turn.
    limits
        The limits of each search.
    seed
        The seed of chance and of the search.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> explorer = Explorer(Nim((1, 2)))
    >>> [(each.label, each.value, each.best) for each in explorer.transitions()]
    [('1 from 1', (-1, 1), False), ('1 from 2', (1, -1), True), ('2 from 2', (-1, 1), False)]
    >>> explorer.take(1)
    >>> explorer.states
    '6 states known, 2 expanded'
    """

    def __init__(
        self,
        game: Game[Any, Any],
        state: Any = None,
        *,
        seats: Collection[int] = (),
        limits: Limits | None = None,
        seed: int = 0,
    ) -> None:
        root = game.initial_state() if state is None else state
        self.game, self.seats = game, set(seats)
        self.limits = limits or Limits(nodes=20_000, seconds=1.0)
        self.graph = StateGraph(game, root)
        self._solution = self._solve(root)
        self._seed, self._random = seed, Random(seed)
        self._transitions: dict[Any, list[Transition]] = {}
        self.history: History[Any] = History(root)
        self.status, self.about = ipywidgets.HTML(), ipywidgets.HTML()
        self.board = Picture()
        self.board.observe(lambda _: self._clicked(), "action")
        self.undo = button("Back", lambda: self._step(lambda: self.history.undo()))
        self.redo = button("Forward", lambda: self._step(lambda: self.history.redo()))
        self.root = button("Start", lambda: self._to(self.graph.root), "The first state")
        self.play = button("Search and play", self._play, "Take the best action of a search")
        self.typed = ipywidgets.Text(
            placeholder="a state of this game", layout=ipywidgets.Layout(width="auto", flex="1")
        )
        self.jump = button("Go to state", self._jump, "Show the state of the text field")
        self.sheet = SheetWidget()
        self.sheet.observe(lambda _: self._picked(), "picked")
        self.seat_boxes = [
            ipywidgets.Checkbox(
                player in self.seats,
                description=f"the search plays {text_of_player(game, player)}",
                indent=False,
                layout=ipywidgets.Layout(width="auto"),
            )
            for player in range(game.players)
        ]
        for box in self.seat_boxes:
            box.observe(lambda _: self._seated(), "value")
        controls = row(self.undo, self.redo, self.root, self.play)
        typed = row(self.typed, self.jump) if hook(game, "parse_state") else row()
        parts = [self.status, controls, self.board, self.sheet, self.about]
        self.view = ipywidgets.VBox([*parts, typed, row(*self.seat_boxes)])
        self.view.add_class("deduce-panel")
        self._go_on()

    def __str__(self) -> str:
        best_labels = ", ".join(each.label for each in self.transitions() if each.best)
        text = f"{text_of_state(self.game, self.state)}: {self.states}"
        return f"{text}; best: {best_labels}" if best_labels else text

    @property
    def state(self) -> Any:
        """The current state."""
        return self.history.now

    @property
    def states(self) -> str:
        """The numbers of known and of expanded states."""
        expanded = len(self.graph) - len(self.graph.frontier)
        return f"{plural(len(self.graph), 'state')} known, {expanded} expanded"

    def transitions(self) -> list[Transition]:
        """Return the transitions from the current state, with their values; expands the state."""
        state = self.state
        if state not in self._transitions:
            self._transitions[state] = self._expand(state)
        return self._transitions[state]

    def take(self, index: int) -> None:
        """Take a transition, given by its index; then the search plays its seats."""
        self._to(self.transitions()[index].after)

    # Moves

    def _to(self, state: Any) -> None:
        self.history = self.history.to(state)
        self._go_on()

    def _step(self, step: Any) -> None:
        def take() -> None:
            self.history = step()

        if guarded(take, self._warn):
            self._show()

    def _picked(self) -> None:
        cell = self.sheet.place
        if cell is not None:
            self.take(cell[0])

    def _clicked(self) -> None:
        """Take the action that was clicked on the board."""
        labels = [each.label for each in self.transitions()]
        if self.board.action in labels:
            self.take(labels.index(self.board.action))

    def _jump(self) -> None:
        def jump() -> None:
            if not self.typed.value.strip():
                example = text_of_state(self.game, self.state)
                raise BadInput(f"no state is given; for example: {example}")
            parse = hook(self.game, "parse_state")
            if parse is not None:
                self._to(parse(self.typed.value.strip()))

        if guarded(jump, self._warn):
            self.typed.value = ""

    def _seated(self) -> None:
        self.seats = {player for player, box in enumerate(self.seat_boxes) if box.value}
        self._go_on()

    def _play(self) -> None:
        if self.game.utility(self.state) is None:
            self.history = self.history.to(self._reply(self.state))
        self._go_on()

    def _go_on(self) -> None:
        """Let chance and the search move until another player is to move; then show the state.

        The number of moves is limited, because some games between two careful players never end.
        """
        for _ in range(MAX_MOVES):
            if not self.seats or self.game.utility(self.state) is not None:
                break
            chance = outcomes_of(self.game, self.state) is not None
            if not chance and self.game.to_move(self.state) not in self.seats:
                break
            self.history = self.history.to(self._reply(self.state))
        self._show()

    def _reply(self, state: Any) -> Any:
        """Return the state after the search's action, or after a random outcome of chance."""
        outcomes = outcomes_of(self.game, state)
        if outcomes is not None:
            return draw_outcome(outcomes, self._random)
        transitions = self.transitions()
        return next((each for each in transitions if each.best), transitions[0]).after

    # Values

    def _solve(self, root: Any) -> Solution[Any, Any] | None:
        """Return the solution of the whole game, if the game is small enough."""
        graph = StateGraph(self.game, root).build(limits=SOLVED)
        with suppress(InfinitePlay):
            return graph.solve() if graph.is_complete else None
        return None

    def _expand(self, state: Any) -> list[Transition]:
        game = self.game
        if game.utility(state) is not None:
            return []
        self.graph.space.add_root(state)  # it may be a typed state
        self.graph.expand(state)
        outcomes = outcomes_of(game, state)
        if outcomes is not None:
            values = ((after, share, self._value(after)) for after, share in outcomes)
            return [
                Transition(f"chance {share}", after, value, value is not None, best=False)
                for after, share, value in values
            ]
        result = self._search(state)
        transitions = []
        for action in game.actions(state):
            value = result.root_values.get(action)
            if value is not None and value.bound != "exact":
                value = None
            transitions.append(
                Transition(
                    text_of_action(game, state, action),
                    game.result(state, action),
                    None if value is None else value.utilities,
                    value is not None and value.proved,
                    best=action in result.best_actions,
                )
            )
        return transitions

    def _search(self, state: Any) -> Result[Any, Any]:
        """Return the values of the actions of a state."""
        if self._solution is not None:
            with suppress(BadInput):  # a state that cannot be reached from the root
                return self._solution.result(state)
        return best(self.game, state, limits=self.limits, all_values=True, seed=self._seed)

    def _value(self, state: Any) -> tuple[float, ...] | None:
        """Return the proved value of a state; ``None`` if it is not known."""
        if self._solution is not None:
            with suppress(BadInput):
                return self._solution.result(state).value
        return None

    # View

    def _warn(self, text: str) -> None:
        self.status.value = message(visible(text), "bad")

    def _show(self) -> None:
        game, state = self.game, self.state
        self.undo.disabled, self.redo.disabled = not self.history.past, not self.history.future
        final = game.utility(state)
        self.play.disabled = final is not None
        if final is not None:
            gains = (
                f"{text_of_player(game, p)} gets {number(gain)}" for p, gain in enumerate(final)
            )
            text = f"the game is over: {', '.join(gains)}"
        else:
            text = turn(game, state)
        self.status.value = message(visible(f"{text_of_state(game, state)} — {text}"), "good")
        self.board.show(_board(game, state))
        transitions = self.transitions()
        rows = [_row(each, game.players) for each in transitions[:MAX_TRANSITIONS]]
        notes = ["* = best; click a row or the board to take an action"] if rows else []
        if len(transitions) > MAX_TRANSITIONS:
            notes.append(f"the first {MAX_TRANSITIONS} of {len(transitions)} are listed")
        head = ("", *(text_of_player(game, player) for player in range(game.players)), "")
        self.sheet.show(Sheet(head, rows, "Moves and their values" if rows else "", notes))
        self.about.value = f'<div class="deduce-note">{escape(self.states)}</div>'


def _row(transition: Transition, players: int) -> Row:
    value, is_best = transition.value, transition.best
    texts: list[str] = ["?"] * players if value is None else [*map(number, value)]
    kind = "" if value is None else "proved" if transition.proved else "estimated"
    cells = (Cell(text, certain=is_best) for text in texts)
    return Row(f"{transition.label}{' *' if is_best else ''}", (*cells, Cell(kind, faint=True)))


def _board(game: Game[Any, Any], state: Any) -> str:
    """Return the picture of a state as HTML; its text if the game draws no pictures."""
    picture = svg_of_state(game, state)
    if picture is not None:
        return picture
    show = hook(game, "show")
    text = show(state) if show is not None else text_of_state(game, state)
    return f"<pre>{escape(visible(str(text)))}</pre>"
