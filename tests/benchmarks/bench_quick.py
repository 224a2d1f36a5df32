"""What `make bench` measures, beside `bench_goals`: figures of every area and of its peers.

Each test is one figure. Its docstring says what is measured; its group are the figures that do the
same work, of which that by ``deduce`` is what the others are compared with. ``extra_info`` has who
did the work (``by``) and the CPU seconds that were asked for (``goal``). Peers that are not
installed are skipped. The longer measurements are the other files beside this one, each with its
own command.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from deduce import export
from deduce.engines.choose import engine
from deduce.engines.solve.cnf import formula_of
from deduce.knowledge import Knowledge
from deduce.search import StateGraph, alphabeta, mcts, solve
from games.classics.connect_four import ConnectFour
from games.classics.tic_tac_toe import TicTacToe
from games.cluedo.advice import advise
from tests.benchmarks import situations
from tests.benchmarks.situations import PlainFour, grid, marginals, position, standard
from tests.benchmarks.solvers import PEERS

SAMPLES = 5_000


def measured(benchmark: Any, by: str, goal: float | None = None) -> None:
    """Say in the JSON who did the work, and what was asked for."""
    benchmark.extra_info.update(by=by, goal=goal)


def each(work: Callable[[Knowledge], None], positions: Sequence[Knowledge]) -> None:
    """Do the work on every position."""
    for knowledge in positions:
        work(knowledge)


# --- counting ------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["deduce", "Ganak"])
@pytest.mark.benchmark(group="counting, five standard positions of Cluedo")
def test_marginals_beside_ganak(benchmark: Any, by: str) -> None:
    """All marginals by deduce; the count alone by Ganak (pyganak). The counts are compared."""
    positions = list(standard(5))
    measured(benchmark, by, goal=0.01 if by == "deduce" else None)
    if by == "deduce":
        benchmark.pedantic(lambda: each(marginals, positions), rounds=9, warmup_rounds=1)
        return
    module, form, count = PEERS[by]
    pytest.importorskip(module)
    texts = [export(knowledge.problem, form) for knowledge in positions]
    counts = benchmark.pedantic(lambda: [count(text) for text in texts], rounds=3)
    assert counts == [k.count() for k in positions]


@pytest.mark.parametrize("by", ["deduce", "CP-SAT", "CaDiCaL"])
@pytest.mark.benchmark(group="yes/no grid, ten standard positions of Cluedo")
def test_grids(benchmark: Any, by: str) -> None:
    """Which card may be with whom, by counting, by CP-SAT (ortools) and by CaDiCaL (python-sat)."""
    positions = list(standard(10))
    measured(benchmark, by)
    if by == "CaDiCaL":
        pytest.importorskip("pysat")
        benchmark.pedantic(lambda: [sat_grid(k) for k in positions], rounds=3)
        return
    if by == "CP-SAT":
        pytest.importorskip("ortools")
    chosen = engine("counting" if by == "deduce" else "cpsat")
    benchmark.pedantic(lambda: each(lambda k: grid(k, chosen), positions), rounds=3)


def sat_grid(knowledge: Knowledge) -> list[int]:
    """Return the literals that some world has: a call of the solver each, unless a model has it."""
    from pysat.solvers import Cadical153  # type: ignore[import-untyped,unused-ignore]

    formula = formula_of(knowledge.problem)
    variables = len(formula.meaning)
    with Cadical153(bootstrap_with=formula.clauses) as solver:
        found: set[int] = set()
        for literal in range(1, variables + 1):
            if literal not in found and solver.solve([literal]):
                found |= {n for n in solver.get_model() if 0 < n <= variables}
    return sorted(found)


@pytest.mark.benchmark(group="counting, the opening of six players of Cluedo")
def test_opening(benchmark: Any) -> None:
    """All marginals of 35 315 280 000 deals."""
    measured(benchmark, "deduce", goal=0.01)
    benchmark.pedantic(marginals, (position(0, 6, 0),), rounds=9, warmup_rounds=1)


# --- explanations and advice ---------------------------------------------------------------


@pytest.mark.benchmark(group="explanations, ten standard positions of Cluedo")
def test_explanations(benchmark: Any) -> None:
    """The smallest sets of events that prove up to four certain facts of each position."""
    measured(benchmark, "deduce")
    positions = list(standard(10))
    benchmark.pedantic(lambda: situations.explanations(positions), rounds=3)


@pytest.mark.benchmark(group="advice, a middle game of Cluedo")
def test_advice(benchmark: Any) -> None:
    """All 324 suggestions ranked by what their answers are worth, exactly."""
    measured(benchmark, "deduce")
    benchmark.pedantic(advise, (position(3, 4, 12),), rounds=3)


# --- samples -------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "suggestions"), [(3, 14), (4, 14), (5, 14), (6, 14), (6, 0)])
@pytest.mark.benchmark(group=f"samples, {SAMPLES} hidden states of a position of Cluedo")
def test_samples(benchmark: Any, players: int, suggestions: int) -> None:
    """`Knowledge.sample` with the sweep before it; the target is 50 000 a second."""
    knowledge = position(players, players, suggestions)
    by = f"deduce, {players} players, {suggestions} suggestions"
    measured(benchmark, by, goal=SAMPLES / 50_000)
    benchmark.pedantic(lambda: knowledge.sample(SAMPLES, seed=1), rounds=3)


# --- search --------------------------------------------------------------------------------


def peer_value(game: str) -> Callable[[], Any]:
    pytest.importorskip("pyspiel")
    return situations.open_spiel_value(game)


def easy(work: Callable[[], Callable[[], Any]]) -> Callable[[], Any]:
    pytest.importorskip("easyAI")
    return work()


VALUES: dict[str, dict[str, Callable[[], Callable[[], Any]]]] = {
    "tic-tac-toe": {
        "deduce": lambda: lambda: alphabeta(TicTacToe()),
        "OpenSpiel": lambda: peer_value("tic_tac_toe"),
        "easyAI": lambda: easy(situations.easy_ai_tic_tac_toe),
    },
    "connect four, 4 by 4, no symmetry": {
        "deduce": lambda: lambda: alphabeta(PlainFour(4, 4)),
        "OpenSpiel": lambda: peer_value("connect_four(rows=4,columns=4)"),
        "easyAI": lambda: easy(partial(situations.easy_ai_four, 4, 4)),
    },
}


@pytest.mark.parametrize(
    ("game", "by"), [(game, by) for game, works in VALUES.items() for by in works]
)
def test_values(benchmark: Any, game: str, by: str) -> None:
    """The value of a game by alpha-beta (easyAI: negamax)."""
    benchmark.group = f"search, value of {game}"
    measured(benchmark, by)
    benchmark.pedantic(VALUES[game][by](), rounds=3, warmup_rounds=1)


@pytest.mark.parametrize("by", ["deduce", "OpenSpiel"])
@pytest.mark.benchmark(group="search, 500 simulations of a tree search of connect four")
def test_tree_search(benchmark: Any, by: str) -> None:
    """Monte-Carlo tree search in Python, from the empty board."""
    measured(benchmark, by)
    if by == "OpenSpiel":
        pytest.importorskip("pyspiel")
        work = situations.open_spiel_mcts(500)
    else:
        work = partial(mcts, ConnectFour(), simulations=500)
    benchmark.pedantic(work, rounds=3)


@pytest.mark.parametrize("by", ["deduce, lists", "deduce, networkx"])
@pytest.mark.benchmark(group="search, connect four 4 by 3 built and solved")
def test_whole_games(benchmark: Any, by: str) -> None:
    """Every position with its value and distance."""
    measured(benchmark, by)
    works = {
        "deduce, lists": lambda: solve(ConnectFour(4, 3)),
        "deduce, networkx": lambda: StateGraph(ConnectFour(4, 3)).build().solve(),
    }
    benchmark.pedantic(works[by], rounds=3)
