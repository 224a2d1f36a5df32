"""Search in games of perfect information: one protocol, one state graph, the standard solvers.

>>> from deduce.search import StateGraph, solve
>>> from games.classics.nim import Nim
>>> solve(Nim((1, 3, 5))).result().best_actions
((2, 3),)

Everything in ``__all__`` is public and is imported when it is first used. The modules:

``game``, ``errors``, ``limits``, ``result``
    the protocol, the errors of games, when to stop, and what solvers return: of a state or all
``space``, ``graph``, ``graph_game``
    the states that can be reached, as lists and as a networkx graph; the game of a graph that was
    made elsewhere
``tiers``
    the values of all states of games that do not fit into memory, on disk
``solvers``
    alpha-beta, Monte-Carlo tree search, retrograde analysis and the others
``playouts``, ``testing``
    counting lines of play, random play, and the check of your own game
``board``, ``drawing``, ``show``
    pictures and other views
``cli``, ``commands``, ``load``, ``terminal``
    the command ``deduce search``

Only ``graph`` needs networkx. See docs/searching.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deduce.system.imports import lazily

if TYPE_CHECKING:
    from deduce.search.board import Board, text_tree
    from deduce.search.drawing import draw, graph_figure, graph_svg, to_dot
    from deduce.search.errors import (
        ActionsDisagree,
        BadGame,
        BadGraph,
        BadMover,
        BadOutcomes,
        BadUtility,
        InfinitePlay,
        NotZeroSum,
        UnhashableState,
    )
    from deduce.search.game import Action, Game, State, Utilities
    from deduce.search.graph import StateGraph
    from deduce.search.graph_game import GraphGame
    from deduce.search.limits import Limits
    from deduce.search.load import load_game, read_action, read_state
    from deduce.search.playouts import divide, perft, playout, playthrough
    from deduce.search.result import ActionValue, Result, Solution
    from deduce.search.solvers import SOLVERS
    from deduce.search.solvers.alphabeta import alphabeta
    from deduce.search.solvers.choose import best, search_by, solve, solve_space
    from deduce.search.solvers.deepening import TranspositionTable, deepening
    from deduce.search.solvers.mcts import mcts
    from deduce.search.solvers.minimax import expectiminimax, maxn, minimax
    from deduce.search.solvers.pimc import PimcResult, pimc, value_actions
    from deduce.search.solvers.proof_number import proof_number
    from deduce.search.solvers.retrograde import (
        Attractor,
        Guarantees,
        attractor,
        backward_induction,
        guarantees,
        retrograde,
    )
    from deduce.search.space import StateSpace, explore
    from deduce.search.terminal import play
    from deduce.search.testing import check_game
    from deduce.search.tiers.solve import solve_on_disk
    from deduce.search.tiers.table import Entry, Tablebase

__all__ = [
    "SOLVERS",
    "Action",
    "ActionValue",
    "ActionsDisagree",
    "Attractor",
    "BadGame",
    "BadGraph",
    "BadMover",
    "BadOutcomes",
    "BadUtility",
    "Board",
    "Entry",
    "Game",
    "GraphGame",
    "Guarantees",
    "InfinitePlay",
    "Limits",
    "NotZeroSum",
    "PimcResult",
    "Result",
    "Solution",
    "State",
    "StateGraph",
    "StateSpace",
    "Tablebase",
    "TranspositionTable",
    "UnhashableState",
    "Utilities",
    "alphabeta",
    "attractor",
    "backward_induction",
    "best",
    "check_game",
    "deepening",
    "divide",
    "draw",
    "expectiminimax",
    "explore",
    "graph_figure",
    "graph_svg",
    "guarantees",
    "load_game",
    "maxn",
    "mcts",
    "minimax",
    "perft",
    "pimc",
    "play",
    "playout",
    "playthrough",
    "proof_number",
    "read_action",
    "read_state",
    "retrograde",
    "search_by",
    "solve",
    "solve_on_disk",
    "solve_space",
    "text_tree",
    "to_dot",
    "value_actions",
]

__getattr__, __dir__ = lazily(__name__)
