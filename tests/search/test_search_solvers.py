"""Every solver gives the known values, and all of them the same values on random games."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from time import sleep, thread_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.errors import BadInput, BadProblem, Unsupported
from deduce.search import (
    InfinitePlay,
    Result,
    TranspositionTable,
    alphabeta,
    best,
    deepening,
    expectiminimax,
    maxn,
    mcts,
    minimax,
    proof_number,
    search_by,
    solve,
)
from deduce.search.limits import Limits, NodeMeter
from games.classics.connect_four import ConnectFour
from games.classics.nim import DiceNim, Nim, ThreePlayerNim
from games.classics.tic_tac_toe import TicTacToe
from tests.search.search_tables import KNOWN, TableGame, table_games

Solver = Callable[[Any], Result[Any, Any]]

PROVERS: dict[str, Solver] = {
    "alphabeta": alphabeta,
    "alphabeta, all": lambda game: alphabeta(game, all_values=True),
    "deepening": deepening,
    "deepening, all": lambda game: deepening(game, all_values=True),
    "deepening, selective": lambda game: deepening(game, full_width=1),
    "minimax": minimax,
    "maxn": maxn,
    "solve": lambda game: solve(game).result(),
}
SLOW = {"alphabeta, all", "deepening, all", "deepening, selective", "minimax", "maxn", "solve"}
"""They look at many positions, so they do not get the larger of the known games."""


@pytest.mark.parametrize("solver", PROVERS)
@pytest.mark.parametrize(("name", "game", "value"), KNOWN, ids=[name for name, _, _ in KNOWN])
def test_known_values_are_proved(solver: str, name: str, game: Any, value: int) -> None:
    large = {"connect four 5x4"} if solver == "deepening" else set()
    if (solver in SLOW and name.startswith("connect four")) or name in large:
        return
    result = PROVERS[solver](game)
    assert result.value == (value, -value)
    assert result.estimate is None
    assert result.proved
    assert result.stopped is None
    _check_line(game, result)


def _check_line(game: Any, result: Result[Any, Any]) -> None:
    """The line is legal play, and if it reaches an end it has the value."""
    state = result.state
    for action in result.principal_variation:
        assert action in game.actions(state)
        state = game.result(state, action)
    assert result.principal_variation[:1] == result.best_actions[:1]
    final = game.utility(state)
    assert final is None or final == result.value


@given(table_games(cycles=False))
def test_all_solvers_agree_on_random_games(game: TableGame) -> None:
    value = minimax(game).value
    assert value is not None
    for solver in PROVERS.values():
        assert solver(game).value == value
    for share in (False, True):
        assert mcts(game, simulations=300, share=share).value in (None, value)
    for goal in (-2, -1, 0, 1, 2):
        mover = game.to_move(0)
        assert proof_number(game, goal=goal).holds == (value[mover] >= goal)


@given(table_games(cycles=False))
def test_all_root_values_agree_and_best_actions_are_all_of_the_best(game: TableGame) -> None:
    plain = minimax(game)
    for result in (
        alphabeta(game, all_values=True),
        deepening(game, all_values=True),
        solve(game).result(),
    ):
        assert {a: v.utilities for a, v in result.root_values.items()} == {
            a: v.utilities for a, v in plain.root_values.items()
        }
        assert set(result.best_actions) <= set(plain.best_actions)
    assert set(alphabeta(game, all_values=True).best_actions) == set(plain.best_actions)


@given(table_games(cycles=False, chance=True))
def test_chance_gives_the_same_exact_expectation(game: TableGame) -> None:
    value = expectiminimax(game).value
    assert value is not None
    assert maxn(game).value == value
    assert solve(game).result().value == value
    sampled = mcts(game, simulations=400)
    if sampled.value is not None:
        assert sampled.value == pytest.approx(tuple(map(float, value)))


@given(table_games(cycles=False, players=3, zero_sum=False))
def test_each_mover_of_three_gets_the_best_that_his_actions_lead_to(game: TableGame) -> None:
    solution = solve(game)
    space = solution.space
    for number, mover in enumerate(space.movers):
        value = solution.values[number]
        if mover >= 0:
            after = [solution.values[child] for child in space.children[number]]
            assert value in after
            assert value is not None
            assert value[mover] == max(v[mover] for v in after if v)


@pytest.mark.parametrize(
    "heaps", [(a, b, c) for a in range(5) for b in range(a, 5) for c in (1, 3)]
)
def test_three_player_nim_obeys_the_theorem_of_li(heaps: tuple[int, ...]) -> None:
    value = maxn(ThreePlayerNim(heaps)).value
    assert value is not None
    digits = [sum(heap >> place & 1 for heap in heaps) for place in range(3)]
    assert (value[0] == -1) == all(count % 3 == 0 for count in digits)


def test_a_limit_returns_the_best_so_far_and_says_so() -> None:
    game = ConnectFour()
    for result in (
        alphabeta(game, limits=Limits(nodes=500)),
        deepening(game, limits=Limits(nodes=500)),
        minimax(game, limits=Limits(nodes=500)),
        mcts(game, simulations=None, limits=Limits(nodes=500)),
        solve(game, limits=Limits(nodes=500)).result(),
        proof_number(game, goal=1, limits=Limits(nodes=500)),
    ):
        assert result.stopped == "nodes"
        assert result.value is None
        assert not result.proved
        assert result.nodes <= 3_000
    assert deepening(game, limits=Limits(seconds=0.05)).best_actions
    assert mcts(game, simulations=None, limits=Limits(seconds=0.05)).stopped == "time"


@pytest.mark.parametrize("solver", ["alphabeta", "deepening", "minimax", "mcts", "solve", "claim"])
def test_ctrl_c_returns_the_best_so_far(solver: str) -> None:
    class Interrupted(ConnectFour):
        playout = None  # type: ignore[assignment]
        left = 4000

        def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
            self.left -= 1
            if not self.left:
                raise KeyboardInterrupt
            return super().result(state, action)

    game = Interrupted()
    if solver == "claim":
        result: Result[Any, Any] = proof_number(game, goal=1)
    else:
        result = search_by(solver, game, limits=Limits(seconds=60))
    assert result.stopped == "interrupt"
    assert result.value is None


def test_depth_limits_give_estimates_not_values() -> None:
    game = ConnectFour()
    for result in (deepening(game, depth=3), minimax(game, depth=3)):
        assert result.value is None
        assert result.estimate == (0, 0)
        assert result.stopped == "depth"
        assert result.depth == 3


def test_a_proved_win_is_found_through_a_horizon() -> None:
    game = ConnectFour()
    state = game.parse_state("//OO/XXX/O//")
    for result in (deepening(game, state, depth=1), minimax(game, state, depth=1)):
        assert result.value == (1, -1)
        assert result.best_actions == (4,)


class Estimated(ConnectFour):
    """Connect four with a count of stones in the centre column as estimate."""

    utility_bounds = (-1, 1)

    def estimate(self, state: tuple[int, int]) -> tuple[float, float]:
        mine, stones = state
        column = ((1 << self.height) - 1) << (self.width // 2) * (self.height + 1)
        own, all_ = (mine & column).bit_count(), (stones & column).bit_count()
        guess = (2 * own - all_) / 10
        return (guess, -guess) if self.to_move(state) == 0 else (-guess, guess)


@pytest.mark.parametrize("solver", [alphabeta, deepening, minimax])
def test_chance_below_the_root_is_refused_and_not_taken_for_a_choice(solver: Solver) -> None:
    half = Fraction(1, 2)
    game = TableGame([0] * 4, [[1], [2, 3], [], []], {2: (1, -1), 3: (-1, 1)}, 2, {1: [half, half]})
    with pytest.raises(Unsupported, match="chance"):
        solver(game)


class Guessed(TableGame):
    """A table game that declares its bounds and guesses at unfinished states, up to the bounds."""

    utility_bounds = (-2, 2)
    outcomes = None  # type: ignore[assignment]

    def estimate(self, state: int) -> tuple[float, float]:
        guess = state * 7 % 5 - 2
        return guess, -guess


def test_an_estimate_as_high_as_a_win_makes_no_other_action_a_proved_win() -> None:
    # By 1, which looks won until the fifth ply, player 0 has lost; by 2 player 1 chooses between
    # 10 and 11.
    after = [[1, 2], [5], [3], [4], [10, 11], [6], [7], [8], [9], [], [], []]
    ends = {9: (-2, 2), 10: (2, -2), 11: (-1, 1)}

    class Hopeful(Guessed):
        def estimate(self, state: int) -> tuple[float, float]:
            return (2, -2) if 5 <= state <= 8 or state == 1 else (0, 0)

    found = deepening(Hopeful([0, 0, 1, 0, 1, *[0] * 7], after, ends))
    assert (found.value, found.best_action) == ((-1, 1), 2)
    guessed = Guessed([0] * 4, [[1, 2], [], [3], []], {1: (2, -2), 3: (-2, 2)})
    found = minimax(guessed, depth=1)  # 2, which is lost, looks won
    assert (found.value, found.best_actions) == ((2, -2), (1,))


@given(
    table_games(cycles=False),
    st.integers(1, 4),
    st.integers(1, 30),
    st.sampled_from([None, 1, 2]),
    st.booleans(),
)
def test_searches_of_all_states_that_share_a_table_prove_only_what_is_true(
    drawn: TableGame, depth: int, nodes: int, full_width: int | None, all_values: bool
) -> None:
    game = Guessed(drawn.movers, drawn.after, drawn.ends)
    table = TranspositionTable()
    search = partial(deepening, game, table=table, full_width=full_width, all_values=all_values)
    for state in range(len(game.after)):
        true = minimax(game, state).value
        results = search(state, depth=depth), search(state, limits=Limits(nodes=nodes))
        for found in (*results, search(state)):
            assert found.value in (None, true)
            for after in found.principal_variation if found.proved else ():
                assert minimax(game, after).value == true
            for action, known in found.root_values.items():
                value = minimax(game, action).value
                assert value is not None
                mover = game.to_move(state)
                most = known.utilities[mover]
                if known.proved:
                    own = value[mover]
                    assert own == most if known.bound == "exact" else own <= most
        assert found.value == true


def test_a_proved_value_has_a_proved_line() -> None:
    """An estimate of an earlier depth, in which state 1 was a draw, is not followed."""
    ends: dict[int, tuple[float, ...]] = {2: (2, -2), 4: (-2, 2), 5: (0, 0)}
    game = TableGame([1] * 6, [[1], [2, 3, 5], [], [4, 5], [], []], ends)
    assert deepening(game).principal_variation == (1, 3, 4)


def test_a_table_serves_one_game() -> None:
    table, game = TranspositionTable(), Nim((2, 2))
    for _ in range(2):
        assert deepening(game, table=table).value == (-1, 1)
    with pytest.raises(BadProblem, match="another game"):
        deepening(Nim((1, 1), misere=True), table=table)


def test_tree_search_is_repeatable_and_sums_its_visits() -> None:
    game = ConnectFour()
    one, two = (mcts(game, simulations=400, seed=5) for _ in range(2))
    assert one.root_values == two.root_values
    assert sum(value.visits for value in one.root_values.values()) == 400
    assert one.best_actions == (max(one.root_values, key=lambda a: one.root_values[a].visits),)
    assert mcts(game, simulations=400, seed=6).root_values != one.root_values


def test_tree_search_proves_tic_tac_toe_late_and_small_wins_early() -> None:
    game = TicTacToe()
    win = mcts(game, game.parse_state("XX.|OO.|..."), simulations=2000)
    assert win.value == (1, -1)
    assert win.nodes < 2000
    assert mcts(game, game.parse_state("XOX|OXO|..."), simulations=100).proved


def test_tree_search_cuts_playouts_at_a_horizon() -> None:
    result = mcts(Estimated(), simulations=300, horizon=2)
    assert result.estimate is not None
    with pytest.raises(BadProblem, match="estimate"):
        mcts(ConnectFour(), simulations=10, horizon=2)


def test_sleeping_takes_no_processor_time() -> None:
    watched = NodeMeter(Limits(seconds=0.02, clock=thread_time))
    sleep(0.03)
    watched.check(1)
    assert watched.seconds < 0.02


def test_a_finished_state_has_its_utilities_and_no_action() -> None:
    game = TicTacToe()
    over = game.parse_state("XXX|OO.|...")
    for solver in ("alphabeta", "deepening", "minimax", "mcts", "solve", "retrograde", "induction"):
        result = search_by(solver, game, over, limits=Limits(seconds=5))
        assert (result.value, result.best_actions, result.mover) == ((1, -1), (), None)
    assert proof_number(game, over, goal=1).holds


def test_solvers_refuse_games_that_are_not_theirs() -> None:
    for solver in (alphabeta, deepening, minimax):
        with pytest.raises(Unsupported, match="chance"):
            solver(DiceNim(3))
        with pytest.raises(Unsupported, match="players"):
            solver(ThreePlayerNim())
    with pytest.raises(Unsupported):
        search_by("retrograde", ThreePlayerNim(), limits=Limits())
    with pytest.raises(BadInput, match="no solver"):
        search_by("guess", TicTacToe(), limits=Limits())
    with pytest.raises(BadProblem):
        mcts(TicTacToe(), simulations=None)
    with pytest.raises(BadProblem):
        deepening(TicTacToe(), depth=0)
    with pytest.raises(BadProblem, match="full depth"):
        deepening(TicTacToe(), full_width=0)
    with pytest.raises(BadProblem):
        proof_number(TicTacToe(), goal=1, player=2)


def test_the_best_solver_fits_the_game() -> None:
    limits = Limits(nodes=300, seconds=5)
    assert "alpha-beta" in best(ConnectFour(), limits=limits).solver
    others: list[Any] = [DiceNim(), ThreePlayerNim((3, 4, 5))]
    for game in others:
        assert "Monte-Carlo" in best(game, limits=limits).solver


def test_a_proved_value_of_tree_search_is_exact() -> None:
    big = 10**18 + 1
    thirds = [Fraction(1, 3)] * 3
    ends = {1: (big, -big), 2: (big, -big), 3: (0, 0)}
    game = TableGame([0] * 4, [[1, 2, 3], [], [], []], ends, 2, {0: thirds})
    value: Any = Fraction(2 * big, 3)
    assert mcts(game).value == (value, -value)


def test_tree_search_names_chance_that_never_ends() -> None:
    half = [Fraction(1, 2)] * 2
    game = TableGame([0, 0], [[0, 1], [0, 1]], {}, 2, {0: half, 1: half})
    with pytest.raises(InfinitePlay, match="chance alone"):
        mcts(game, limits=Limits(nodes=5))


def test_the_repr_of_a_solution_is_short() -> None:
    assert len(repr(solve(TicTacToe()))) < 200
