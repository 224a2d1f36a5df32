"""The results of solvers, which keep proved values apart from estimates.

A `Result` is about one state; a `Solution` has the values of all states of a space.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import inf, isfinite
from typing import Any, Generic, Literal, Self, TypeAlias

from attrs import field, frozen
from attrs.converters import optional

from deduce.search.game import (
    Action,
    AnyGame,
    Extra,
    Game,
    State,
    Utilities,
    hook,
    text_of_action,
    text_of_player,
    text_of_state,
)
from deduce.search.limits import Stop
from deduce.search.space import StateSpace
from deduce.show.table import Table
from deduce.system.display import Displayed
from deduce.system.text import plural

__all__ = [
    "ActionValue",
    "AnyResult",
    "AnySolution",
    "Result",
    "Solution",
    "action_facts",
    "as_json",
    "as_text",
    "between",
    "effort",
    "facts",
    "line_texts",
    "number",
    "outcome",
    "rank",
    "utilities_text",
]


def _without_minus_zero(values: Utilities) -> Utilities:
    """Return utilities in which 0 has no sign: a zero-sum solver negates that of one player.

    >>> _without_minus_zero((-0.0, 1, -2.5))
    (0.0, 1, -2.5)
    """
    return tuple(value + 0 for value in values)


@frozen
class ActionValue:
    """What is known about one action at the root."""

    utilities: Utilities = field(converter=_without_minus_zero)
    """One number per player."""
    proved: bool
    """Whether they follow from the rules; otherwise they depend on estimates or samples."""
    bound: Literal["exact", "at least", "at most"] = "exact"
    """How the mover's true utility compares with the one in ``utilities``."""
    visits: int = 0
    """How many simulations began with the action, where the solver simulates."""
    spread: float | None = None
    """The standard deviation of the mover's utility over the sampled worlds, if worlds were."""


@frozen
class Result(Displayed, Generic[State, Action]):
    """What a solver found out about one state; a notebook shows it beside the board.

    Examples
    --------
    >>> from deduce.search.solvers.alphabeta import alphabeta
    >>> from games.classics.tic_tac_toe import TicTacToe
    >>> result = alphabeta(TicTacToe())
    >>> result.value, result.estimate, result.proved
    ((0, 0), None, True)
    """

    solver: str
    state: State
    mover: int | None
    """The player to move in ``state``; ``None`` where chance moves or the game is over."""
    value: Utilities | None = field(converter=optional(_without_minus_zero))
    """The proved utilities under best play, one number per player; ``None`` if not proved."""
    estimate: Utilities | None = field(converter=optional(_without_minus_zero))
    """An estimate of them; ``None`` if they are proved or nothing is known."""
    best_actions: tuple[Action, ...] = ()
    """The best actions found; all of them only where the solver states this."""
    root_values: Mapping[Action, ActionValue] = field(factory=dict)
    principal_variation: tuple[Action, ...] = ()
    """Best play from ``state`` as far as it is known; it ends where chance moves."""
    bounds: tuple[float, float] | None = None
    """Proved least and greatest value for player 0 of a two-player zero-sum game."""
    holds: bool | None = None
    """Whether the claim of a proof-number search is true; ``None``: not known, or no claim."""
    distance: int | None = None
    """Plies to the end of the game under best play, where the solver knows it."""
    secured_in: tuple[int, ...] = ()
    """Where the value is what each player can force against all others: the plies until they have
    it."""
    depth: int | None = None
    """The depth in plies that was searched completely, where the depth was limited."""
    nodes: int = 0
    seconds: float = 0.0
    stopped: Stop | None = None
    """What ended the search early: a limit, or the user; ``None`` if nothing did."""
    game: Game[State, Action] | None = field(default=None, eq=False, repr=False)
    """The game, which gives states and actions their texts and pictures."""

    def __str__(self) -> str:
        return as_text(self.game, self)

    @property
    def proved(self) -> bool:
        """Whether the value follows from the rules alone."""
        return self.value is not None

    @property
    def best_action(self) -> Action | None:
        """The first of the best actions, if there is any."""
        return self.best_actions[0] if self.best_actions else None

    def uninterrupted(self) -> Self:
        """Return this result, or raise the Ctrl-C that ended its search.

        A search that is the whole task returns at Ctrl-C what it has. A search within a longer
        task, such as a match, must pass the interrupt on; else the task goes on with half a result.

        Raises
        ------
        KeyboardInterrupt
            The search was stopped by it.
        """
        if self.stopped == "interrupt":
            raise KeyboardInterrupt
        return self


AnyResult: TypeAlias = Result[Any, Any]
"""A result of a game whose kinds of states and actions do not matter."""


def number(value: float) -> str:
    """Return a utility with at most four decimals; fractions become decimals.

    >>> number(1.0), number(-0.5), number(1 / 3)
    ('1', '-0.5', '0.3333')
    """
    text = f"{float(value):.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def between(values: Collection[float], bounds: tuple[float, float] | None) -> list[float]:
    """Return where utilities are between the least and the greatest, from 0 to just below 1.

    Below 1, because only a certainty gets the frame that `deduce.show.table.number_html` draws.
    """
    low, high = bounds or (min(values, default=0), max(values, default=0))
    span = float(high - low) or 1.0
    return [min(0.999, max(0.0, (value - float(low)) / span)) for value in values]


def outcome(game: AnyGame | None, utilities: Utilities, player: int = 0) -> str:
    """Return ``"player 0 wins"``, ``"player 0 loses"`` or ``"draw"`` where these words fit.

    They fit the extreme utilities and 0 in a two-player game with ``utility_bounds``; elsewhere
    the text is empty.

    >>> from games.classics.nim import Nim
    >>> outcome(Nim(), (-1, 1))
    'player 0 loses'
    """
    bounds = hook(game, Extra.utility_bounds, None)
    if bounds is None or len(utilities) != 2 or utilities[0] != -utilities[1]:
        return ""
    own = utilities[player]
    if own and abs(own) == max(map(abs, bounds)):
        return f"{text_of_player(game, player)} {'wins' if own > 0 else 'loses'}"
    return "draw" if own == 0 else ""


def utilities_text(game: AnyGame | None, utilities: Utilities, player: int = 0) -> str:
    """Return utilities with what they mean for a player: ``"-1, 1 (player 0 loses)"``."""
    meaning = outcome(game, utilities, player)
    return ", ".join(map(number, utilities)) + (f" ({meaning})" if meaning else "")


def _numbers(utilities: Utilities) -> str:
    return "(" + ", ".join(number(u) for u in utilities) + ")"


def as_text(game: Game[State, Action] | None, result: Result[State, Action]) -> str:
    """Return the result in a few lines; without a game, states and actions are Python values."""
    lines = [f"{name:<11}{text}" for name, text in facts(game, result)]
    lines += [f"  {action:<12}{text}" for action, text in action_facts(game, result)]
    return "\n".join([*lines, f"{'effort':<11}{effort(result)}"])


def facts(game: Game[State, Action] | None, result: Result[State, Action]) -> list[tuple[str, str]]:
    """Return the names and texts of what is known about the state, the best line last."""
    name = "" if result.mover is None else f"{text_of_player(game, result.mover)} to move"
    rows = [("state", f"{text_of_state(game, result.state)}{name and f' ({name})'}")]
    if result.value is not None:
        meaning = outcome(game, result.value, result.mover or 0)
        rows.append(("value", f"{_numbers(result.value)}, proved{meaning and f': {meaning}'}"))
    elif result.estimate is not None:
        rows.append(("value", f"{_numbers(result.estimate)}, estimated"))
    else:
        rows.append(("value", "unknown"))
    if result.holds is not None:
        rows.append(("claim", f"{'holds' if result.holds else 'does not hold'}, proved"))
    if result.value is None and result.bounds is not None and any(map(isfinite, result.bounds)):
        low, high = (number(bound) for bound in result.bounds)
        rows.append(("bounds", f"{low} to {high} for {text_of_player(game, 0)}, proved"))
    if result.distance is not None:
        rows.append(("end", f"in {result.distance} plies"))
    for player, plies in enumerate(result.secured_in):
        name = text_of_player(game, player)
        gain = number((result.value or ())[player])
        rows.append(("forced", f"{gain} by {name}, in {plural(plies, 'ply', 'plies')}"))
    if result.best_actions:
        best = (text_of_action(game, result.state, action) for action in result.best_actions)
        rows.append(("best", "; ".join(best)))
    if result.principal_variation:
        rows.append(("line", "; ".join(line_texts(game, result))))
    return rows


def action_facts(
    game: Game[State, Action] | None, result: Result[State, Action]
) -> list[tuple[str, str]]:
    """Return for each valued action its text and what is known about it."""
    rows = []
    for action, known in result.root_values.items():
        mark = "" if known.bound == "exact" else f" {known.bound}"
        tail = "proved" if known.proved else "estimated"
        visits = f", {known.visits} visits" if known.visits else ""
        name = text_of_action(game, result.state, action)
        rows.append((name, f"{mark} {_numbers(known.utilities)}, {tail}{visits}"))
    return rows


def effort(result: AnyResult) -> str:
    """Return nodes, time, depth, solver and what ended the search, in one line."""
    depth = "" if result.depth is None else f", depth {result.depth}"
    stopped = "" if result.stopped is None else f", stopped by {result.stopped}"
    return f"{result.nodes} nodes, {result.seconds:.2f} s{depth}, {result.solver}{stopped}"


def as_json(game: Game[State, Action], result: Result[State, Action]) -> dict[str, object]:
    """Return the result as plain JSON data; states and actions are the game's own texts."""
    state = result.state
    return {
        "schema": "deduce/search-result/1",
        "solver": result.solver,
        "state": text_of_state(game, state),
        "mover": result.mover,
        "proved": result.proved,
        "value": _floats(result.value),
        "estimate": _floats(result.estimate),
        "bounds": _floats(result.bounds),
        "holds": result.holds,
        "best_actions": [text_of_action(game, state, action) for action in result.best_actions],
        "root_values": [
            {
                "action": text_of_action(game, state, action),
                "utilities": _floats(known.utilities),
                "proved": known.proved,
                "bound": known.bound,
                "visits": known.visits,
            }
            for action, known in result.root_values.items()
        ],
        "principal_variation": line_texts(game, result),
        "distance": result.distance,
        "secured_in": list(result.secured_in) or None,
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 3),
        "stopped": result.stopped,
    }


def _floats(values: tuple[float, ...] | None) -> list[float | None] | None:
    if values is None:
        return None
    return [float(value) if isfinite(value) else None for value in values]


def line_texts(game: Game[State, Action] | None, result: Result[State, Action]) -> list[str]:
    """Return the texts of the actions of best play."""
    if game is None:
        return [str(action) for action in result.principal_variation]
    state, texts = result.state, []
    for action in result.principal_variation:
        texts.append(text_of_action(game, state, action))
        state = game.result(state, action)
    return texts


MAX_VALUES = 12
"""How many different values a summary lists."""


@frozen
class Solution(Displayed, Generic[State, Action]):
    """Value and distance of every state of a space, in the order of its numbers.

    *Distance* is the number of plies to the end of the game when each player keeps their value,
    players who gain (more than by endless play: 0) finish as soon as possible, and the others as
    late as possible. It is ``None`` where play can go on forever, and where the value is not
    known. A chance node counts its longest outcome.
    """

    space: StateSpace[State, Action]
    solver: str
    values: list[Utilities | None] = field(repr=False)
    """Proved utilities; ``None`` where the limits left too much unexpanded."""
    distances: list[int | None] = field(repr=False)
    infinite: float = 0
    """The value of endless play for player 0."""
    seconds: float = 0.0
    """The time of solving, including that of exploring in `deduce.search.solve`."""

    def summary(self) -> Table:
        """Return how many states have each value, and the longest way to the end from there.

        Examples
        --------
        >>> from deduce.search.solvers.choose import solve
        >>> from games.classics.nim import Nim
        >>> print(solve(Nim((1, 2))).summary())
        8 states
        value  states  longest (plies)
        1, -1       5                3
        -1, 1       3                1
        """
        counts: dict[Utilities | None, int] = {}
        longest: dict[Utilities | None, int | None] = {}
        for value, distance in zip(self.values, self.distances, strict=True):
            counts[value] = counts.get(value, 0) + 1
            before = longest.get(value, 0)
            endless = before is None or distance is None
            longest[value] = None if endless else max(before or 0, distance or 0)
        ranked = sorted(counts, key=lambda value: -counts[value])
        rows = [
            (
                "unknown" if value is None else ", ".join(map(number, value)),
                f"{counts[value]}",
                "endless" if longest[value] is None else f"{longest[value]}",
            )
            for value in ranked[:MAX_VALUES]
        ]
        more = len(ranked) - len(rows)
        notes = (f"and {more} rarer values",) if more > 0 else ()
        head = ("value", "states", "longest (plies)")
        return Table(head, rows, f"{len(self.space)} states", notes)

    def best(self, index: int) -> tuple[Action, ...]:
        """Return the best actions of a state, all of them, in the order of the game.

        Where the mover gains, those that win soonest; where they lose, those that lose latest;
        where endless play is as good, every action that keeps the value.
        """
        space = self.space
        mover, children = space.movers[index], space.children[index]
        value = self.values[index]
        if mover < 0 or value is None:
            return ()
        own = value[mover]
        keeping = [i for i, child in enumerate(children) if self._own(child, mover) == own]
        gain = own - (self.infinite if mover == 0 else -self.infinite)
        if gain != 0:
            ranks = [rank(gain, self.distances[children[i]]) for i in keeping]
            least = min(ranks)
            keeping = [i for i, r in zip(keeping, ranks, strict=True) if r == least]
        return tuple(space.actions[index][i] for i in keeping)

    def result(self, state: State | None = None) -> Result[State, Action]:
        """Return the answer for one state, by default the root.

        In a symmetric space the actions are those of the state itself, not of its
        representative.

        Raises
        ------
        BadInput
            The state is not in the space.
        """
        space = self.space
        state = space.states[0] if state is None else state
        index = space.number(state)
        mover = space.movers[index]
        return Result(
            solver=self.solver,
            state=state,
            mover=mover if mover >= 0 else None,
            value=self.values[index],
            estimate=None,
            best_actions=self._best_of(state),
            root_values={
                action: ActionValue(utilities, proved=True)
                for action, child in self._after(state).items()
                if (utilities := self.values[child]) is not None
            },
            principal_variation=self._line(state),
            distance=self.distances[index],
            nodes=len(space),
            seconds=self.seconds,
            stopped=space.stopped,
            game=space.game,
        )

    def _after(self, state: State) -> dict[Action, int]:
        """Return the numbers of the states after a state's own actions."""
        space = self.space
        index = space.number(state)
        if space.movers[index] < 0:
            return {}
        if space.states[index] == state:
            return dict(zip(space.actions[index], space.children[index], strict=True))
        game = space.game
        return {action: space.number(game.result(state, action)) for action in game.actions(state)}

    def _best_of(self, state: State) -> tuple[Action, ...]:
        """Return the best of a state's own actions: those that lead where the best ones do."""
        space = self.space
        index = space.number(state)
        best = self.best(index)
        if space.states[index] == state:
            return best
        wanted = {space.children[index][i] for i in map(space.actions[index].index, best)}
        return tuple(action for action, child in self._after(state).items() if child in wanted)

    def _own(self, index: int, player: int) -> float | None:
        value = self.values[index]
        return None if value is None else value[player]

    def _line(self, state: State) -> tuple[Action, ...]:
        """Return best play from a state until the game ends, repeats or chance moves."""
        game, space = self.space.game, self.space
        line: list[Action] = []
        met: set[int] = set()
        while (index := space.number(state)) not in met:
            met.add(index)
            actions = self._best_of(state)
            if not actions:
                break
            # The longest known line comes first, where all else is equal.
            after = {action: game.result(state, action) for action in actions}
            lengths = {a: self.distances[space.number(child)] for a, child in after.items()}
            action = max(actions, key=lambda a: inf if (own := lengths[a]) is None else own)
            line.append(action)
            state = after[action]
        return tuple(line)


AnySolution: TypeAlias = Solution[Any, Any]
"""A solution of a game whose kinds of states and actions do not matter."""


def rank(own: float, distance: int | None) -> float:
    """Return the order in which a mover prefers children of the same value; lower is better.

    >>> rank(1, 3) < rank(1, 5), rank(-1, 3) > rank(-1, 5)
    (True, True)
    """
    if distance is None:
        return float("inf") if own > 0 else float("-inf")
    return distance if own > 0 else -distance
