"""Perfect-information Monte Carlo: search where something is hidden, world by world.

Matthew Ginsberg, *GIB: Imperfect information in a computationally challenging game* (2001); on
when it works, Jeffrey Long and others, *Understanding the success of perfect information Monte
Carlo sampling in game tree search* (2010).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any, Generic, Protocol

from attrs import frozen

from deduce.errors import BadProblem
from deduce.search.errors import BadGame
from deduce.search.game import (
    Action,
    Extra,
    Game,
    State,
    Utilities,
    hook,
    ordered_actions,
    text_of_action,
)
from deduce.search.graph_game import as_game
from deduce.search.limits import LimitReached, Limits, NodeMeter, Stop
from deduce.search.result import ActionValue, Result, between, number
from deduce.search.solvers.mcts import mcts
from deduce.search.solvers.shared import Subject, takes_graphs
from deduce.show.table import Shade, Table
from deduce.system.display import Displayed

__all__ = ["Ballot", "PimcResult", "Worlds", "as_table", "pimc", "value_actions"]

_PORTION = 1_000
"""Worlds that are sampled at once."""


class Worlds(Protocol):
    """Something from which worlds can be sampled, such as a ``Knowledge``."""

    def sample(
        self, number: int, /, *, seed: int, weighted: bool = ...
    ) -> Sequence[Mapping[Any, Any]]:
        """Return this number of worlds, drawn uniformly or, ``weighted``, by their posterior."""


@frozen
class Ballot:
    """The results of one action over the sampled worlds."""

    votes: Fraction
    """In how many worlds it was best; a world with several best actions shares its vote."""
    mean: Utilities
    """Mean utilities, one per player."""
    spread: float
    """The standard deviation of the mover's utility between worlds."""
    least: float
    most: float
    """The mover's least and greatest utility in any world."""


@frozen
class PimcResult(Displayed, Generic[State, Action]):
    """The votes of all sampled worlds, and the resulting answer."""

    result: Result[State, Action]
    """The best action by mean utility; always an estimate."""
    ballots: Mapping[Action, Ballot]
    worlds: int
    """How many worlds were searched."""
    proved_worlds: int
    """In how many of them the solver proved its values."""

    @property
    def standing(self) -> str:
        """How many worlds were searched, and in how many of them the values are proved."""
        return f"{self.worlds} sampled worlds, {self.proved_worlds} of them solved"


def pimc(
    worlds: Worlds,
    state_of: Callable[[Mapping[Any, Any]], State],
    game: Subject[State, Action],
    *,
    n: int = 20,
    seed: int = 0,
    weighted: bool = True,
    solver: Callable[[Game[State, Action], State], Result[State, Action]] | None = None,
    limits: Limits | None = None,
) -> PimcResult[State, Action]:
    """Return the results of all actions of the mover if each sampled world is searched as open.

    **Known weakness.** Every world is searched as if all players saw it, so the mover is
    assumed to choose differently in worlds that they will not be able to distinguish (*strategy
    fusion*), and hiding or finding out something has no value: an action that only gathers or
    denies information is worth nothing here. A high ``spread`` is a warning.

    Parameters
    ----------
    worlds
        Where worlds are drawn from: a ``Knowledge``, or anything else with its ``sample``.
    state_of
        The state of the open game that a world stands for. In all of them the same player is to
        move and has the same actions: players know what they may do.
    game
        The open game, or a graph whose nodes are its states; values are not written into it, since
        they are means over worlds and not those of one state.
    n, seed, weighted
        How many worlds to draw, and how; see `Worlds.sample`. Equal states are searched once.
    solver
        Solves one state with the values of *all* root actions; by default `value_actions`.
    limits
        ``nodes`` counts worlds. Limits and Ctrl-C answer from the worlds searched so far.

    Raises
    ------
    BadGame
        The mover or their actions differ between worlds; the error names the state.
    BadProblem
        No world was drawn, or a solver gave no value for an action.
    """
    meter, game = NodeMeter(limits or Limits()), as_game(game)
    if solver is None:
        solver = partial(value_actions, seed=seed)
    known: dict[Hashable, Result[State, Action]] = {}
    searched: list[Result[State, Action]] = []
    stopped: Stop | None = None
    try:
        for world in _drawn(worlds, n, seed=seed, weighted=weighted):
            if searched:
                meter.check(len(searched))
            state = state_of(world)
            if state not in known:
                known[state] = solver(game, state).uninterrupted()
            searched.append(known[state])
    except LimitReached as limit:
        stopped = limit.reason
    except KeyboardInterrupt:
        if not searched:
            raise
        stopped = "interrupt"
    if not searched:
        raise BadProblem("no world was drawn")
    ballots = _count(game, searched)
    mover = searched[0].mover or 0
    top = max((ballot.mean[mover] for ballot in ballots.values()), default=0)
    best = tuple(action for action, ballot in ballots.items() if ballot.mean[mover] == top)
    return PimcResult(
        result=Result(
            solver="perfect-information Monte Carlo",
            state=searched[0].state,
            mover=mover,
            value=None,
            estimate=ballots[best[0]].mean if best else None,
            best_actions=best,
            root_values={
                action: ActionValue(ballot.mean, proved=False, spread=ballot.spread)
                for action, ballot in ballots.items()
            },
            nodes=sum(result.nodes for result in known.values()),
            seconds=meter.seconds,
            stopped=stopped,
            game=game,
        ),
        ballots=ballots,
        worlds=len(searched),
        proved_worlds=sum(result.proved for result in searched),
    )


def _drawn(
    worlds: Worlds, n: int, *, seed: int, weighted: bool
) -> Iterator[Mapping[Hashable, Hashable]]:
    """Yield the worlds, drawn in portions, so that a limit need not wait for all of them."""
    for first in range(0, n, _PORTION):
        portion = min(_PORTION, n - first)
        yield from worlds.sample(portion, seed=seed + first, weighted=weighted)


@takes_graphs
def value_actions(
    game: Game[State, Action],
    state: State,
    *,
    simulations: int = 1_000,
    seed: int = 0,
    horizon: int | None = None,
) -> Result[State, Action]:
    """Return the value of every action by a tree search after each, with equal simulations.

    Of equal actions the first in the game's ``order`` comes first. ``horizon`` is that of `mcts`.

    Examples
    --------
    >>> from games.classics.nim import Nim
    >>> game = Nim((1, 2))
    >>> found = value_actions(game, game.initial_state(), simulations=300)
    >>> {action: value.utilities for action, value in found.root_values.items()}
    {(0, 1): (-1, 1), (1, 1): (1, -1), (1, 2): (-1, 1)}
    """
    mover, actions = game.to_move(state), ordered_actions(game)(state)
    share = max(1, simulations // len(actions))
    known, nodes, seconds = {}, 0, 0.0
    for action in actions:
        after = game.result(state, action)
        result = mcts(game, after, simulations=share, seed=seed, horizon=horizon).uninterrupted()
        utilities = result.value if result.value is not None else result.estimate
        assert utilities is not None
        known[action] = ActionValue(utilities, result.proved, visits=result.nodes)
        nodes, seconds = nodes + result.nodes, seconds + result.seconds
    own = max(value.utilities[mover] for value in known.values())
    best = tuple(action for action, value in known.items() if value.utilities[mover] == own)
    proved = all(value.proved for value in known.values())
    top = known[best[0]].utilities
    return Result(
        solver="Monte-Carlo tree search of every action",
        state=state,
        mover=mover,
        value=top if proved else None,
        estimate=None if proved else top,
        best_actions=best,
        root_values=known,
        nodes=nodes,
        seconds=seconds,
        game=game,
    )


def _count(
    game: Game[State, Action], searched: Sequence[Result[State, Action]]
) -> dict[Action, Ballot]:
    """Return the ballot of every action, the best mean first."""
    mover = searched[0].mover
    actions = searched[0].root_values.keys()
    if mover is None:
        raise BadGame("no player is to move", game, searched[0].state)
    votes: dict[Action, Fraction] = dict.fromkeys(actions, Fraction(0))
    for result in searched:
        if result.mover != mover or result.root_values.keys() != actions:
            names = ", ".join(
                text_of_action(game, result.state, action)
                for action in result.root_values.keys() ^ actions
            )
            raise BadGame(
                f"the mover or their actions differ between worlds ({names or 'another mover'}); "
                "players must know what they may do, and the solver must value all actions",
                game,
                result.state,
            )
        own = {action: value.utilities[mover] for action, value in result.root_values.items()}
        top = max(own.values())
        winners = [action for action, utility in own.items() if utility == top]
        for action in winners:
            votes[action] += Fraction(1, len(winners))
    ballots = {}
    for action in actions:
        values = [result.root_values[action].utilities for result in searched]
        mean = tuple(sum(column) / len(values) for column in zip(*values, strict=True))
        own_values = [value[mover] for value in values]
        variance = sum((value - mean[mover]) ** 2 for value in own_values) / len(values)
        ballots[action] = Ballot(
            votes[action], mean, sqrt(variance), min(own_values), max(own_values)
        )
    return dict(sorted(ballots.items(), key=lambda item: -item[1].mean[mover]))


def as_table(game: Game[State, Action] | None, result: PimcResult[State, Action]) -> Table:
    """Return the ballots as a table."""
    mover = result.result.mover or 0
    rows = [
        (
            text_of_action(game, result.result.state, action),
            number(float(ballot.votes)),
            number(ballot.mean[mover]),
            number(ballot.spread),
            number(ballot.least),
            number(ballot.most),
        )
        for action, ballot in result.ballots.items()
    ]
    means = [float(ballot.mean[mover]) for ballot in result.ballots.values()]
    shades = [[None, Shade(s)] for s in between(means, hook(game, Extra.utility_bounds, None))]
    head = ("action", "votes", "mean", "spread", "least", "most")
    return Table(head, rows, notes=(result.standing,), shades=shades)
