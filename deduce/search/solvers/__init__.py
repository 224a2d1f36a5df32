"""The solvers: each a function of a game and a state, or of a space of states.

``retrograde``
    the value of every state of a space, by retrograde analysis or backward induction; the states
    from which a coalition can force play into a set, and what each player can force
``alphabeta``, ``deepening``, ``minimax``, ``mcts``, ``proof_number``
    the value of one state
``pimc``
    the value of one state where something is hidden, over sampled worlds
``choose``
    the solver that fits a game or that has a name
``shared``
    what several of them share
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from attrs import frozen

__all__ = ["SOLVERS", "Solver"]


@frozen
class Solver:
    """A solver that values a state: where it is, what it is for, and which options it takes."""

    function: str
    """A module of this package, a colon, and the name of the function."""
    summary: str
    """The games that it takes."""
    options: tuple[str, ...] = ()
    """Those of ``depth``, ``all_values`` and ``seed`` that it has."""
    solves_spaces: bool = False
    """Whether it takes a `StateSpace` and values all of its states."""

    def load(self) -> Callable[..., Any]:
        """Return the function; its module is imported when this is first called."""
        module, _, name = self.function.partition(":")
        function: Callable[..., object] = getattr(import_module(f"{__name__}.{module}"), name)
        return function


SOLVERS: Mapping[str, Solver] = {
    "retrograde": Solver(
        "retrograde:retrograde",
        "every state, cycles too: two players, zero sum, no chance",
        solves_spaces=True,
    ),
    "induction": Solver(
        "retrograde:backward_induction",
        "every state: any number of players, chance; play must end",
        solves_spaces=True,
    ),
    "alphabeta": Solver(
        "alphabeta:alphabeta",
        "to the end, with a table: two players, zero sum, no chance",
        ("all_values",),
    ),
    "deepening": Solver(
        "deepening:deepening",
        "alpha-beta ply by ply with estimates: two players, zero sum, no chance",
        ("depth", "all_values"),
    ),
    "minimax": Solver(
        "minimax:minimax", "full width: two players, zero sum, no chance", ("depth",)
    ),
    "expectiminimax": Solver(
        "minimax:expectiminimax", "full width: two players, zero sum, chance", ("depth",)
    ),
    "maxn": Solver("minimax:maxn", "full width: any number of players, chance", ("depth",)),
    "mcts": Solver("mcts:mcts", "Monte-Carlo tree search: any game", ("seed",)),
}
"""The solvers by name: the one table that `search_by`, the commands and the tests use."""
