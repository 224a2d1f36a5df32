"""The searches beside OpenSpiel's and easyAI's, in CPU seconds.

``python tests/benchmarks/bench_search.py`` prints the table of docs/benchmarks/search.md and,
with ``--plot FILE``, draws the growth of retrograde analysis; it needs the extra ``peers``.
``pytest tests/benchmarks/bench_search.py`` runs our own part under pytest-benchmark.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from time import process_time
from typing import Any

import pytest

from deduce.search import StateGraph, alphabeta, mcts, retrograde, solve
from deduce.search.space import OVER, StateSpace, explore
from games.classics.connect_four import ConnectFour
from games.classics.tic_tac_toe import TicTacToe


class PlainFour(ConnectFour):
    """Connect four with the required methods and an order only, as a stranger would begin."""

    key = None  # type: ignore[assignment]
    playout = None  # type: ignore[assignment]


def seconds(work: Callable[[], Any], repeat: int = 3) -> float:
    """Return the least CPU seconds of several runs."""
    best = float("inf")
    for _ in range(repeat):
        started = process_time()
        work()
        best = min(best, process_time() - started)
    return best


def random_space(states: int, *, near: bool, seed: int = 0) -> StateSpace[int, int]:
    """Return a random graph with cycles, four edges a state, one state in ten an end.

    ``near`` leads to states with a number not far off, as in games that were explored breadth
    first; otherwise to any, which the caches of the machine like least.
    """
    random = Random(seed)
    space: StateSpace[int, int] = StateSpace(TicTacToe())  # type: ignore[arg-type]
    space.states = list(range(states))
    for number in space.states:
        over = random.random() < 0.1
        first, last = (max(0, number - 500), number + 1500) if near else (0, states)
        after = [random.randrange(first, min(last, states)) for _ in range(0 if over else 4)]
        space.movers.append(OVER if over else random.randrange(2))
        space.utilities.append(random.choice([(1, -1), (-1, 1), (0, 0)]) if over else None)
        space.actions.append(range(len(after)))
        space.children.append(after)
    return space


# --- peers ---------------------------------------------------------------------------------


def open_spiel_value(game: str) -> Callable[[], Any]:
    """Return OpenSpiel's alpha-beta of a game, called from Python."""
    import pyspiel
    from open_spiel.python.algorithms import minimax

    loaded = pyspiel.load_game(game)
    return lambda: minimax.alpha_beta_search(loaded)


def open_spiel_mcts(simulations: int) -> Callable[[], Any]:
    """Return OpenSpiel's Python Monte-Carlo tree search of connect four."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts as peer

    game = pyspiel.load_game("connect_four")
    random = np.random.RandomState(1)
    evaluator = peer.RandomRolloutEvaluator(1, random)
    bot = peer.MCTSBot(game, 2.0, simulations, evaluator, random_state=random)
    return lambda: bot.mcts_search(game.new_initial_state())


def easy_ai_four(width: int, height: int) -> Callable[[], Any]:
    """Return easyAI's negamax with a table on connect four, with bit sets and centre first."""
    from easyAI import AI_Player, Negamax, TwoPlayerGame
    from easyAI.AI import TranspositionTable

    up = height + 1
    bottom = [1 << column * up for column in range(width)]
    top = [cell << height - 1 for cell in bottom]
    centre_first = sorted(range(width), key=lambda column: abs(column - (width - 1) / 2))

    class Four(TwoPlayerGame):  # type: ignore[misc]
        def __init__(self) -> None:
            self.players = [AI_Player(None), AI_Player(None)]
            self.current_player = 1
            self.stones = [0, 0]

        def possible_moves(self) -> list[int]:
            taken = self.stones[0] | self.stones[1]
            return [column for column in centre_first if not taken & top[column]]

        def make_move(self, move: int) -> None:
            taken = self.stones[0] | self.stones[1]
            self.stones[self.current_player - 1] |= (taken + bottom[move]) & ~taken

        def unmake_move(self, move: int) -> None:
            taken = (self.stones[0] | self.stones[1]) & (top[move] * 2 - bottom[move])
            self.stones[self.current_player - 1] ^= 1 << taken.bit_length() - 1

        def lose(self) -> bool:
            stones = self.stones[2 - self.current_player]
            for step in (up, 1, up - 1, up + 1):
                pairs = stones & stones >> step
                if pairs & pairs >> 2 * step:
                    return True
            return False

        def is_over(self) -> bool:
            return self.lose() or not self.possible_moves()

        def scoring(self) -> int:
            return -1 if self.lose() else 0

        def show(self) -> None: ...

        def ttentry(self) -> tuple[int, int]:
            return self.stones[0], self.stones[1]

    return lambda: Negamax(width * height, tt=TranspositionTable(), win_score=1)(Four())


def easy_ai_tic_tac_toe() -> Callable[[], Any]:
    """Return easyAI's negamax of tic-tac-toe."""
    from easyAI import AI_Player, Negamax
    from easyAI.games.TicTacToe import TicTacToe as Peer

    return lambda: Negamax(9)(Peer([AI_Player(None), AI_Player(None)]))


# --- the table -----------------------------------------------------------------------------


def rows() -> Iterator[tuple[str, str, str]]:
    """Yield what was measured, by whom, and the figure."""
    five = ConnectFour(5, 4)
    ours = seconds(lambda: alphabeta(five))
    plain = seconds(lambda: alphabeta(PlainFour(5, 4)))
    easy = seconds(easy_ai_four(5, 4), 2)
    spiel = seconds(open_spiel_value("connect_four(rows=4,columns=5)"), 1)
    work = "connect four 5x4, value"
    yield work, "alphabeta, mirrored boards merged", f"{ours:.3f} s"
    yield work, "alphabeta, no key", f"{plain:.3f} s"
    yield work, "easyAI Negamax + table", f"{easy:.2f} s = {easy / plain:.1f} x no key"
    yield work, "OpenSpiel alpha_beta_search", f"{spiel:.2f} s = {spiel / plain:.0f} x no key"

    for width, height in ((5, 5), (6, 4)):
        board = ConnectFour(width, height)
        result = alphabeta(board)
        spent = f"{seconds(partial(alphabeta, board), 1):.2f} s, value {result.value}"
        yield f"connect four {width}x{height}, value", "alphabeta", spent

    work = "tic-tac-toe, value"
    ours = seconds(lambda: alphabeta(TicTacToe()))
    yield work, "alphabeta", f"{ours:.4f} s"
    peer = seconds(open_spiel_value("tic_tac_toe"))
    yield work, "OpenSpiel alpha_beta_search", f"{peer:.3f} s"
    yield work, "easyAI Negamax(9)", f"{seconds(easy_ai_tic_tac_toe()):.3f} s"
    full = seconds(lambda: StateGraph(TicTacToe()).build().solve())
    yield "tic-tac-toe, whole StateGraph solved", "StateGraph", f"{full:.3f} s"

    work = "connect four 4x4, 161 029 positions built and solved"
    lists = seconds(lambda: solve(ConnectFour(4, 4)))
    yield work, "lists (explore + retrograde)", f"{lists:.2f} s"
    output = subprocess.run(
        [sys.executable, __file__, "--state-graph"], capture_output=True, text=True, check=True
    ).stdout.split()
    yield work, "StateGraph (networkx), own process", f"{output[0]} s, {output[1]} MiB at most"

    work = "Monte-Carlo tree search, connect four 7x6"
    count = 4_000
    quick = count / seconds(lambda: mcts(ConnectFour(), simulations=count))
    slow = count / seconds(lambda: mcts(PlainFour(), simulations=count))
    peer = 1_000 / seconds(open_spiel_mcts(1_000))
    yield work, "mcts, the game's own playout", f"{quick:,.0f} simulations/s = {quick / peer:.1f} x"
    yield work, "mcts, playouts through the protocol", f"{slow:,.0f} simulations/s"
    yield work, "OpenSpiel Python mcts", f"{peer:,.0f} simulations/s"

    for near in (True, False):
        work = f"retrograde analysis, {'near' if near else 'any'} states follow"
        for edges, taken in growth(near=near):
            text = f"{taken:.2f} s, {1e6 * taken / edges:.2f} microseconds an edge"
            yield work, f"{edges:,} edges", text


def growth(*, near: bool) -> Iterator[tuple[int, float]]:
    """Yield edges and CPU seconds of retrograde analysis on random graphs with cycles."""
    for states in (70_000, 140_000, 280_000, 420_000, 560_000):
        space = random_space(states, near=near)
        yield sum(map(len, space.children)), seconds(partial(retrograde, space), 2)


def plot(file: str) -> None:
    """Draw the growth of retrograde analysis."""
    from deduce.show.canvas import Figure, save

    figure = Figure(figsize=(6, 3.6))
    axes = figure.add_subplot(
        xlabel="edges", ylabel="CPU seconds", title="Retrograde analysis of random graphs"
    )
    for near, colour in ((False, "#b5651d"), (True, "#1f6f4a")):
        edges, spent = zip(*growth(near=near), strict=True)
        slope = sum(e * s for e, s in zip(edges, spent, strict=True)) / sum(e * e for e in edges)
        axes.plot((0, max(edges)), (0, slope * max(edges)), color=colour, lw=0.8)
        follow = "states with a near number follow" if near else "any states follow"
        axes.plot(edges, spent, "o", color=colour, label=f"{follow} (line: best fit through 0)")
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    axes.set(xlim=(0, None), ylim=(0, None))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1e6:g} M" if value else "0")
    save(figure, file)


# --- the same under pytest-benchmark -----------------------------------------------------------


OURS: dict[str, Callable[[], Any]] = {
    "alphabeta_5x4": lambda: alphabeta(ConnectFour(5, 4)),
    "alphabeta_5x4_without_key": lambda: alphabeta(PlainFour(5, 4)),
    "alphabeta_tic_tac_toe": lambda: alphabeta(TicTacToe()),
    "state_graph_tic_tac_toe": lambda: StateGraph(TicTacToe()).build().solve(),
    "explore_4x4": lambda: explore(ConnectFour(4, 4)),
    "solve_4x4": lambda: solve(ConnectFour(4, 4)),
    "state_graph_4x4": lambda: StateGraph(ConnectFour(4, 4)).build().solve(),
    "mcts_7x6": lambda: mcts(ConnectFour(), simulations=4_000),
}


@pytest.mark.benchmark(timer=process_time)
@pytest.mark.parametrize("work", OURS.values(), ids=OURS.keys())
def test_search(benchmark: Any, work: Callable[[], Any]) -> None:
    benchmark.pedantic(work, rounds=3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument("--state-graph", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.state_graph:
        started = process_time()
        StateGraph(ConnectFour(4, 4)).build().solve()
        spent = process_time() - started
        print(f"{spent:.2f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}")
    elif options.plot:
        plot(options.plot)
    else:
        for row in rows():
            print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
