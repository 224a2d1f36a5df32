"""What `make bench` measures beside `bench_quick`: what each part of deduce was asked to take.

Each test is one figure with the CPU seconds that were asked for, where any were, and beside it the
public programs that do the same work, where they are installed. What takes longer than a few
seconds has a command of its own in this folder.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from deduce import Knowledge, Problem, export, is_
from deduce.policy.best import best_plan
from deduce.search import solve
from deduce.search.tiers.solve import solve_on_disk
from deduce.steps import steps
from games.classics.connect_four import ConnectFour
from games.cluedo.advice import advise
from games.mastermind import Mastermind
from games.minesweeper.players import play_games
from games.minesweeper.setup import Board
from tests.benchmarks import situations
from tests.benchmarks.bench_quick import measured
from tests.benchmarks.situations import position, standard
from tests.benchmarks.solvers import PEERS
from tests.engines.test_components import HARDEST, speakers
from tests.test_docs import script

# --- counting ------------------------------------------------------------------------------


SAT = ("Ganak", "python-sat", "CP-SAT")
COUNTED: dict[str, tuple[Callable[[], Problem], float, tuple[str, ...]]] = {
    "a sudoku of 21 clues": (lambda: situations.sudoku(HARDEST), 0.3, SAT),
    "the sudoku without a clue, 292 solutions": (
        lambda: situations.sudoku(HARDEST.replace("8", ".", 1)), 1.0, SAT
    ),
    "60 people who speak about each other": (lambda: speakers(60, 1), 0.1, SAT),
    "100 people who speak about each other": (lambda: speakers(100, 1), 0.2, SAT),
    "a zebra puzzle": (lambda: script("gallery/draw").model("zebra")["problem"], 0.05, SAT),
}  # fmt: skip
"""By name: the problem, the seconds asked for, and the peers that count it in a few seconds."""


@pytest.mark.parametrize(
    ("name", "by"), [(name, by) for name, row in COUNTED.items() for by in ("deduce", *row[2])]
)
def test_counts(benchmark: Any, name: str, by: str) -> None:
    """The worlds of a problem, by others from what `deduce.export` writes; the counts are equal."""
    make, goal, _ = COUNTED[name]
    problem = make()
    benchmark.group = f"counting, {name}"
    measured(benchmark, by, goal=goal if by == "deduce" else None)
    if by == "deduce":
        benchmark.pedantic(lambda: Knowledge(problem).count(), rounds=3, warmup_rounds=1)
        return
    module, form, work = PEERS[by]
    pytest.importorskip(module)
    text = export(problem, form)
    assert benchmark.pedantic(work, (text,), rounds=3) == Knowledge(problem).count()


@pytest.mark.benchmark(group="counting, derangements of 24")
def test_derangements(benchmark: Any) -> None:
    """By the engine `counting`; the automatic choice does not decide it within its budget."""
    measured(benchmark, "deduce", goal=0.5)
    found = benchmark.pedantic(situations.count, (situations.derangements(24),), rounds=3)
    assert found == 228250211305338670494289


@pytest.mark.benchmark(group="counting, a permanent of 20 by 20, all cells")
def test_permanent(benchmark: Any) -> None:
    """Every cell of a random matrix of zeros and ones: how many permutations use it."""
    measured(benchmark, "deduce", goal=1.5)
    problem = situations.permanent(20)
    benchmark.pedantic(situations.cells, (problem,), rounds=1)


@pytest.mark.benchmark(group="counting, 40 cards and 10 players of Cluedo")
def test_forty_cards(benchmark: Any) -> None:
    """The deals that one player holds possible after 26 suggestions."""
    measured(benchmark, "deduce", goal=0.5)
    (knowledge,) = situations.large("Ann", 1)
    benchmark.pedantic(situations.count, (knowledge.problem,), rounds=3)


# --- explanations and proofs ---------------------------------------------------------------


@pytest.mark.benchmark(group="explanations, a cell of ten boards of Minesweeper")
def test_why_a_mine(benchmark: Any) -> None:
    """Explanations of why an unopened cell is certain, on expert boards. The goal is 0.05 s."""
    measured(benchmark, "deduce", goal=0.5)
    asked = list(situations.boards(10))
    benchmark.pedantic(
        lambda: [situations.timed(k, claim, 30.0) for k, claim in asked], rounds=1, warmup_rounds=1
    )


def unsatisfiable_core() -> Callable[[], list[Any]]:
    """Return the work of CPMpy: clues from which none can be dropped."""
    cp: Any = pytest.importorskip("cpmpy")
    explain: Any = pytest.importorskip("cpmpy.tools.explain")
    cells = cp.intvar(1, 9, shape=(9, 9))
    boxes = [cells[r : r + 3, c : c + 3] for r in (0, 3, 6) for c in (0, 3, 6)]
    rules = [cp.AllDifferent(unit) for unit in [*cells, *cells.T, *boxes]]
    rules.append(cells[4, 4] != 5)
    told = [(*divmod(i, 9), int(clue)) for i, clue in enumerate(situations.EASY) if clue != "."]
    clues = [cells[row, column] == digit for row, column, digit in told]
    return lambda: list(explain.mus(clues, rules))


@pytest.mark.parametrize("by", ["deduce", "CPMpy"])
@pytest.mark.benchmark(group="explanations, the centre of an easy sudoku")
def test_why_a_digit(benchmark: Any, by: str) -> None:
    """The fewest clues that prove a 5 (CPMpy: clues of which none can be dropped)."""
    measured(benchmark, by, goal=1.0 if by == "deduce" else None)
    if by == "CPMpy":
        assert benchmark.pedantic(unsatisfiable_core(), rounds=3)
        return
    knowledge = Knowledge(situations.sudoku(situations.EASY))
    _, why = benchmark.pedantic(situations.timed, (knowledge, is_((4, 4), 5), 30.0), rounds=3)
    assert why.smallest


@pytest.mark.benchmark(group="proofs in steps, ten positions of Cluedo")
def test_steps(benchmark: Any) -> None:
    """The whole sequence of small steps of each position; the target is a second each."""
    measured(benchmark, "deduce", goal=10.0)
    positions = list(standard(10))
    benchmark.pedantic(lambda: [steps(k) for k in positions], rounds=3)


# --- logs with slips -----------------------------------------------------------------------


@pytest.mark.parametrize("by", ["deduce", "deduce, with doubts"])
@pytest.mark.benchmark(group="posterior, ten standard positions of Cluedo")
def test_doubts(benchmark: Any, by: str) -> None:
    """All probabilities, of a log that is true and of one that may have slips."""
    measured(benchmark, by)

    def ask() -> None:
        for knowledge in standard(10):
            (knowledge if by == "deduce" else knowledge.doubting(0.02)).posterior()

    benchmark.pedantic(ask, rounds=3, warmup_rounds=1)


# --- what to ask ---------------------------------------------------------------------------


@pytest.mark.benchmark(group="advice, Mastermind after two guesses")
def test_next_guess(benchmark: Any) -> None:
    """The best next guess of 1296, one step ahead."""
    measured(benchmark, "deduce", goal=0.05)
    log = ("1123: 1 1", "4455: 0 1")
    benchmark.pedantic(
        lambda: Knowledge(Mastermind()).tell(*log).advise(), rounds=5, warmup_rounds=1
    )


@pytest.mark.benchmark(group="best plan, Mastermind of 3 slots and 6 colours")
def test_best_plan(benchmark: Any) -> None:
    """The fewest guesses over all codes, proved."""
    measured(benchmark, "deduce")
    plan = benchmark.pedantic(
        lambda: best_plan(Knowledge(Mastermind(slots=3, colours=6))), rounds=1, warmup_rounds=1
    )
    assert plan.proved


@pytest.mark.benchmark(group="advice, the opening of six players of Cluedo")
def test_opening_advice(benchmark: Any) -> None:
    """The best first suggestion."""
    measured(benchmark, "deduce", goal=1.0)
    benchmark.pedantic(lambda: advise(position(0, 6, 0)), rounds=3, warmup_rounds=1)


# --- solutions on disk ---------------------------------------------------------------------


@pytest.mark.benchmark(group="solutions, connect four 4 by 4, all 161,029 positions")
@pytest.mark.parametrize("by", ["deduce, on disk", "deduce, lists"])
def test_whole_solution(benchmark: Any, by: str, tmp_path: Path) -> None:
    """Every position with its value and distance."""
    measured(benchmark, by, goal=0.6 if by == "deduce, on disk" else None)
    if by == "deduce, lists":
        benchmark.pedantic(lambda: solve(ConnectFour(4, 4)), rounds=1)
        return
    folders = map(str, (tmp_path / str(number) for number in range(9)))
    benchmark.pedantic(lambda: solve_on_disk(ConnectFour(4, 4), next(folders)), rounds=3)


@pytest.mark.benchmark(group="solutions, connect four 5 wide and 4 high, 3,945,711 positions")
def test_five_by_four(benchmark: Any, tmp_path: Path) -> None:
    """Every position with its value and distance, on disk."""
    measured(benchmark, "deduce", goal=2.0)
    folders = map(str, (tmp_path / str(number) for number in range(9)))
    benchmark.pedantic(lambda: solve_on_disk(ConnectFour(5, 4), next(folders)), rounds=3)


@pytest.mark.benchmark(group="solutions, a look into one of 4 by 4")
def test_probe(benchmark: Any, tmp_path: Path) -> None:
    """A thousand positions looked up; the target is 20 microseconds each."""
    measured(benchmark, "deduce", goal=0.02)
    game = ConnectFour(4, 4)
    solution = solve_on_disk(game, tmp_path / "four")
    random = Random(1)
    states: list[Any] = []
    while len(states) < 1000:
        state = game.initial_state()
        while game.utility(state) is None and random.random() < 0.9:
            state = game.result(state, random.choice(game.actions(state)))
        states.append(state)
    benchmark.pedantic(lambda: [solution.probe(s) for s in states], rounds=5, warmup_rounds=1)


# --- whole games ---------------------------------------------------------------------------


@pytest.mark.benchmark(group="Minesweeper, five expert games")
def test_minesweeper(benchmark: Any) -> None:
    """Five games played to their end; the target is 0.5 s each."""
    measured(benchmark, "deduce", goal=2.5)
    benchmark.pedantic(lambda: list(play_games(Board(30, 16, 99), "modern", 1, 5)), rounds=3)
