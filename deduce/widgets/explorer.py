"""Walking through the states of a search game: expand them, see their values, play the search.

Values are proved where the game is small enough to be solved at once, and come from a short search
elsewhere; the table says which of them are proved.
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
from deduce.search.result import Result, number
from deduce.search.solution import Solution
from deduce.search.solvers.choose import best
from deduce.text import visible
from deduce.widgets.board import Board
from deduce.widgets.cells import Cell, Row, Table
from deduce.widgets.sheet import Sheet
from deduce.widgets.toolkit import Panel, button, guarded, ipywidgets, message, row

__all__ = ["Explorer", "Way"]

SOLVED = Limits(nodes=20_000, seconds=2.0)
"""How far a whole game may reach that is solved at once."""

MOST_MOVES = 200
"""How many moves the search and chance make without anybody else."""

MOST_WAYS = 200
"""How many ways on are listed."""


@frozen
class Way:
    """One way on from a state: an action, or what chance may bring.

    Parameters
    ----------
    label
        The action, or the probability.
    after
        The state that it leads to.
    value
        What it is worth to each player.
    proved
        Whether the value follows from the rules.
    best
        Whether it is among the best.
    """

    label: str
    after: Any
    value: tuple[float, ...] | None
    proved: bool
    best: bool


class Explorer(Panel):
    """A state, its board and the ways on, with their values; a click takes one.

    Parameters
    ----------
    game
        A perfect-information game.
    state
        Where to begin; left out: the initial state.
    seats
        The players whom the search plays, as soon as it is their turn.
    limits
        Of each search for estimates, and for the moves of the search.
    seed
        Repeats what chance and the search do.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> explorer = Explorer(Nim((1, 2)))
    >>> [(way.label, way.value, way.best) for way in explorer.ways()]
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
        self._ways: dict[Any, list[Way]] = {}
        self.history: History[Any] = History(root)
        self.status, self.about = ipywidgets.HTML(), ipywidgets.HTML()
        self.board = Board()
        self.board.observe(lambda _: self._clicked(), "action")
        self.undo = button("Back", lambda: self._step(lambda: self.history.undo()))
        self.redo = button("Forth", lambda: self._step(lambda: self.history.redo()))
        self.root = button("Root", lambda: self._to(self.graph.root), "The state at the beginning")
        self.play = button("The search plays", self._play, "Take the best action that it finds")
        self.place = ipywidgets.Text(
            placeholder="a state of this game", layout=ipywidgets.Layout(width="auto", flex="1")
        )
        self.jump = button("Go there", self._jump, "As the line above tells the state")
        self.sheet = Sheet()
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
        reach = row(self.place, self.jump) if hook(game, "parse_state") else row()
        parts = [self.status, controls, self.board, self.sheet, self.about]
        self.view = ipywidgets.VBox([*parts, reach, row(*self.seat_boxes)])
        self.view.add_class("deduce-panel")
        self._go_on()

    def __str__(self) -> str:
        best_ways = ", ".join(way.label for way in self.ways() if way.best)
        here = text_of_state(self.game, self.state)
        return f"{here}: {self.states}" + (f"; best: {best_ways}" if best_ways else "")

    @property
    def state(self) -> Any:
        """Where we are."""
        return self.history.now

    @property
    def states(self) -> str:
        """How much of the graph is known."""
        expanded = len(self.graph) - len(self.graph.frontier)
        return f"{len(self.graph)} states known, {expanded} expanded"

    def ways(self) -> list[Way]:
        """Return the ways on from here, with their values; expands the state."""
        state = self.state
        if state not in self._ways:
            self._ways[state] = self._find(state)
        return self._ways[state]

    def take(self, at: int) -> None:
        """Take one of the ways on, by its place; then the search moves where it has a seat."""
        self._to(self.ways()[at].after)

    # Steps

    def _to(self, state: Any) -> None:
        self.history = self.history.to(state)
        self._go_on()

    def _step(self, step: Any) -> None:
        def take() -> None:
            self.history = step()

        if guarded(take, self._warn):
            self._show()

    def _picked(self) -> None:
        place = self.sheet.place
        if place is not None:
            self.take(place[0])

    def _clicked(self) -> None:
        """Take the action that was clicked on the board."""
        labels = [way.label for way in self.ways()]
        if self.board.action in labels:
            self.take(labels.index(self.board.action))

    def _jump(self) -> None:
        def jump() -> None:
            if not self.place.value.strip():
                raise BadInput("which state? Such as: " + text_of_state(self.game, self.state))
            parse = hook(self.game, "parse_state")
            if parse is not None:
                self._to(parse(self.place.value.strip()))

        if guarded(jump, self._warn):
            self.place.value = ""

    def _seated(self) -> None:
        self.seats = {player for player, box in enumerate(self.seat_boxes) if box.value}
        self._go_on()

    def _play(self) -> None:
        if self.game.utility(self.state) is None:
            self.history = self.history.to(self._answer(self.state))
        self._go_on()

    def _go_on(self) -> None:
        """Let chance and the search move until it is somebody else's turn; then show it.

        Some games never end between two who only want not to lose, so the moves are counted.
        """
        for _ in range(MOST_MOVES):
            if not self.seats or self.game.utility(self.state) is not None:
                break
            chance = outcomes_of(self.game, self.state) is not None
            if not chance and self.game.to_move(self.state) not in self.seats:
                break
            self.history = self.history.to(self._answer(self.state))
        self._show()

    def _answer(self, state: Any) -> Any:
        """Return the state after the search's action, or after what chance has drawn."""
        chances = outcomes_of(self.game, state)
        if chances is not None:
            children, shares = zip(*chances, strict=True)
            return self._random.choices(children, [float(share) for share in shares])[0]
        ways = self.ways()
        return next((way for way in ways if way.best), ways[0]).after

    # Values

    def _solve(self, root: Any) -> Solution[Any, Any] | None:
        """Return the solution of the whole game if it is small."""
        graph = StateGraph(self.game, root).build(limits=SOLVED)
        with suppress(InfinitePlay):
            return graph.solve() if graph.is_complete else None
        return None

    def _find(self, state: Any) -> list[Way]:
        game, final = self.game, self.game.utility(state)
        if final is not None:
            return []
        self.graph.space.add_root(state)  # it may be one that was typed
        self.graph.expand(state)
        chances = outcomes_of(self.game, state)
        if chances is not None:
            values = ((after, share, self._value(after)) for after, share in chances)
            return [
                Way(f"chance {share}", after, value, value is not None, best=False)
                for after, share, value in values
            ]
        result = self._search(state)
        ways = []
        for action in game.actions(state):
            known = result.root_values.get(action)
            if known is not None and known.bound != "exact":
                known = None
            ways.append(
                Way(
                    text_of_action(game, state, action),
                    game.result(state, action),
                    None if known is None else known.utilities,
                    known is not None and known.proved,
                    best=action in result.best_actions,
                )
            )
        return ways

    def _search(self, state: Any) -> Result[Any, Any]:
        """Return what the actions of a state are worth."""
        if self._solution is not None:
            with suppress(BadInput):  # a state that cannot be reached from the root
                return self._solution.result(state)
        return best(self.game, state, limits=self.limits, all_values=True, seed=self._seed)

    def _value(self, state: Any) -> tuple[float, ...] | None:
        """Return the proved value of a state, if the game is solved."""
        if self._solution is not None:
            with suppress(BadInput):
                return self._solution.result(state).value
        return None

    # What it looks like

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
        ways = self.ways()
        rows = [_line(way, game.players) for way in ways[:MOST_WAYS]]
        notes = ["* = best; a click here or on the board takes it"] if rows else []
        if len(ways) > MOST_WAYS:
            notes.append(f"the first {MOST_WAYS} of {len(ways)} are listed")
        head = ("", *(text_of_player(game, player) for player in range(game.players)), "")
        self.sheet.show(Table(head, rows, "Ways on, and their values" if rows else "", notes))
        self.about.value = f'<div class="deduce-note">{escape(self.states)}</div>'


def _line(way: Way, players: int) -> Row:
    values: list[str] = ["?"] * players if way.value is None else [*map(number, way.value)]
    kind = "" if way.value is None else "proved" if way.proved else "estimated"
    cells = (Cell(text, certain=way.best) for text in values)
    return Row(f"{way.label}{' *' if way.best else ''}", (*cells, Cell(kind, faint=True)))


def _board(game: Game[Any, Any], state: Any) -> str:
    """Return the picture of a state, if it has one, else its text, as HTML."""
    picture = svg_of_state(game, state)
    if picture is not None:
        return picture
    show = hook(game, "show")
    text = show(state) if show is not None else text_of_state(game, state)
    return f"<pre>{escape(visible(str(text)))}</pre>"
