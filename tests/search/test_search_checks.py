"""Games that break the protocol get a named error with the state; good games pass the check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from deduce.errors import BadInput, BadProblem, DeduceError
from deduce.search import (
    ActionsDisagree,
    BadGame,
    BadMover,
    BadOutcomes,
    BadUtility,
    InfinitePlay,
    Limits,
    NotZeroSum,
    UnhashableState,
    alphabeta,
    check_game,
    deepening,
    divide,
    explore,
    maxn,
    mcts,
    minimax,
    perft,
    playout,
    proof_number,
    retrograde,
)
from games.classics.connect_four import ConnectFour
from games.classics.nim import DiceNim, Nim, ThreePlayerNim
from games.classics.tic_tac_toe import TicTacToe

CLASSICS = [
    TicTacToe(),
    ConnectFour(3, 5),
    Nim(),
    Nim((2, 0, 3), misere=True),
    DiceNim(6, 4),
    ThreePlayerNim(),
]


@pytest.mark.parametrize("game", CLASSICS, ids=lambda game: type(game).__name__)
def test_the_classics_conform(game: Any) -> None:
    assert check_game(game, playthroughs=5) > 10


class Countdown:
    """Players take 1 or 2 from a number; who reaches 0 wins: the smallest game of our own."""

    players = 2

    def __init__(self, start: int = 7) -> None:
        self.start = start

    def initial_state(self) -> Any:
        return self.start, 0

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Any:
        return range(1, min(2, state[0]) + 1)

    def result(self, state: Any, action: Any) -> Any:
        return state[0] - action, 1 - state[1]

    def utility(self, state: Any) -> Any:
        if state[0]:
            return None
        return (1, -1) if state[1] else (-1, 1)


def test_a_game_of_our_own_is_solved_at_once() -> None:
    assert check_game(Countdown()) > 5
    assert alphabeta(Countdown(7)).best_actions == (1,)
    assert alphabeta(Countdown(6)).value == (-1, 1)


def test_actions_may_be_an_iterator_and_utilities_an_array() -> None:
    def values(self: Any, state: Any) -> Any:
        found = Countdown.utility(self, state)
        return None if found is None else np.array(found)

    def moves(self: Any, state: Any) -> Any:
        return iter(Countdown.actions(self, state))

    assert check_game(faulty(Countdown, actions=moves, utility=values)) > 5
    with pytest.raises(ActionsDisagree, match="refuses"):
        explore(after_four(no, actions=moves))


def faulty(kind: type, **parts: Any) -> Any:
    """Return a game of a kind in which some members are replaced."""
    return type("Faulty", (kind,), parts)()


def ending(utilities: Any) -> Any:
    """Return the Countdown whose finished states have these utilities."""
    return faulty(Countdown, utility=lambda self, state: None if state[0] else utilities)


def after_four(after: Callable[[Any], Any], **parts: Any) -> Any:
    """Return the Countdown in which a function gives what follows a state with 4 left."""
    rules = Countdown().result

    def result(self: Any, state: Any, action: Any) -> Any:
        return after(state) if state[0] == 4 else rules(state, action)

    return faulty(Countdown, result=result, **parts)


def no(state: Any) -> Any:
    raise KeyError("no")


REFUSING = after_four(no)
STUCK = faulty(
    Countdown, actions=lambda self, state: [] if state[0] == 4 else range(1, min(2, state[0]) + 1)
)
UNHASHABLE = faulty(
    Countdown,
    result=lambda self, state, action: (
        [4, 1 - state[1]] if state[0] - action == 4 else (state[0] - action, 1 - state[1])
    ),
)
ENDLESS = after_four(lambda state: (state[0] + 1, 1 - state[1]), actions=lambda self, state: [1])
GROWING = faulty(Countdown, result=lambda self, state, action: (state[0] + 1, 1 - state[1]))
GENEROUS, SHORT = ending((1, 1)), ending((1,))
BARE, NOT_NUMBERS = ending(1), ending((float("nan"), float("nan")))
BOUNDED = faulty(Countdown, utility_bounds=(0, 1))
FROM_ONE = faulty(Countdown, to_move=lambda self, state: state[1] + 1)
TOO_MUCH = faulty(
    Countdown,
    outcomes=lambda self, state: [((2, 0), 0.5), ((1, 0), 0.6)] if state[0] == 7 else None,
)
HALF_A_DIE = faulty(
    DiceNim, outcomes=lambda self, state: (DiceNim.outcomes(self, state) or [])[:-1] or None
)


SOLVERS: list[Callable[[Any], Any]] = [
    alphabeta,
    deepening,
    minimax,
    maxn,
    explore,
    lambda game: mcts(game, simulations=200),
    lambda game: proof_number(game, goal=1),
]


@pytest.mark.parametrize("solver", SOLVERS)
def test_players_that_are_counted_from_1_are_named(solver: Any) -> None:
    with pytest.raises(BadMover, match=r"to_move gives 2, not 0 to 1, in state \(\d, 1\)"):
        solver(FROM_ONE)
    with pytest.raises(BadMover, match="to_move gives 2"):
        check_game(FROM_ONE)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("game", [BARE, NOT_NUMBERS], ids=["bare", "nan"])
def test_utilities_that_are_not_finite_numbers_are_named(solver: Any, game: Any) -> None:
    with pytest.raises(BadUtility, match=r"utility gives .*, not 2 finite numbers, in state \(0"):
        solver(game)


@pytest.mark.parametrize("solver", [maxn, explore, lambda game: mcts(game, simulations=50)])
def test_probabilities_that_do_not_sum_to_1_are_named(solver: Any) -> None:
    with pytest.raises(BadOutcomes, match=r"0\.5, 0\.6 are not positive with sum 1"):
        solver(TOO_MUCH)


def test_a_goal_is_a_number() -> None:
    with pytest.raises(BadProblem, match="the goal is not a number"):
        proof_number(Countdown(), goal=float("nan"))


@pytest.mark.parametrize("solver", SOLVERS)
def test_actions_and_result_that_disagree_are_named_with_the_state(solver: Any) -> None:
    with pytest.raises(
        ActionsDisagree, match=r"refuses it: KeyError.*in state \(4, [01]\)"
    ) as told:
        solver(REFUSING)
    assert told.value.state[0] == 4
    with pytest.raises(ActionsDisagree, match=r"has no action, in state \(4, [01]\)"):
        solver(STUCK)


@pytest.mark.parametrize("solver", SOLVERS[:5])
def test_unhashable_states_are_named(solver: Any) -> None:
    with pytest.raises(UnhashableState, match=r"in state \[4, [01]\]"):
        solver(UNHASHABLE)


def test_infinite_play_is_named_with_a_state_on_the_way() -> None:
    for solver in (alphabeta, deepening, minimax, maxn):
        with pytest.raises(InfinitePlay, match=r"in state \([45], [01]\)"):
            solver(ENDLESS)
    with pytest.raises(InfinitePlay):
        playout(ENDLESS, max_plies=100)
    with pytest.raises(InfinitePlay, match="10000 plies"):
        mcts(GROWING, simulations=5)
    with pytest.raises(InfinitePlay):
        alphabeta(GROWING)
    assert retrograde(explore(ENDLESS)).values[0] == (0, 0)
    assert deepening(ENDLESS, limits=Limits(nodes=200)).stopped == "nodes"
    assert explore(GROWING, limits=Limits(nodes=200)).stopped == "nodes"


def test_utilities_that_are_not_zero_sum_are_named_with_the_state() -> None:
    zero_sum: list[Callable[[Any], Any]] = [
        alphabeta,
        deepening,
        minimax,
        lambda game: retrograde(explore(game)),
    ]
    for solver in zero_sum:
        with pytest.raises(NotZeroSum, match=r"in state \(0, [01]\)"):
            solver(GENEROUS)
    assert maxn(GENEROUS).value == (1, 1)
    for solver in SOLVERS[:-1]:
        with pytest.raises(BadUtility, match=r"in state \(0, [01]\)"):
            solver(SHORT)
    with pytest.raises(BadUtility, match="outside"):
        alphabeta(BOUNDED)


@pytest.mark.parametrize(
    ("game", "error", "message"),
    [
        (REFUSING, ActionsDisagree, "refuses"),
        (STUCK, ActionsDisagree, "has no action"),
        (UNHASHABLE, UnhashableState, "hashable"),
        (SHORT, BadUtility, "not 2 finite numbers"),
        (BOUNDED, BadUtility, "outside 0 to 1"),
        (HALF_A_DIE, BadOutcomes, "sum 1"),
        (faulty(DiceNim, has_chance=False), BadGame, "has_chance is False"),
        (faulty(TicTacToe, key=lambda self, state: state[0]), BadGame, "key merges"),
        (faulty(TicTacToe, format_action=lambda self, _, n: str(10 - n)), BadGame, "read"),
        (faulty(TicTacToe, say_action=lambda self, _, n: "a move"), BadGame, "same words"),
        (faulty(TicTacToe, parse_action=lambda self, _, text: int(text)), BadGame, "BadInput"),
        (faulty(TicTacToe, order=lambda self, _, all_: list(all_)[1:]), ActionsDisagree, "order"),
        (faulty(TicTacToe, quiet=lambda self, state, action: "perhaps"), BadGame, "quiet"),
        (faulty(TicTacToe, estimate=lambda self, state: (3, -3)), BadUtility, "estimate"),
        (faulty(TicTacToe, actions=lambda self, state: (1, 2, 1)), ActionsDisagree, "twice"),
        (faulty(TicTacToe, to_move=lambda self, state: 2), BadGame, "to_move"),
        (faulty(TicTacToe, zero_sum=True, utility=lambda self, _: (1, 1)), NotZeroSum, "sum to 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_conformance_check_finds(game: Any, error: type[BadGame], message: str) -> None:
    with pytest.raises(error, match=message) as told:
        check_game(game)
    assert isinstance(told.value, DeduceError)


def test_the_conformance_check_asks_a_second_opinion() -> None:
    with pytest.raises(ActionsDisagree, match="not legal"):
        check_game(TicTacToe(), is_legal=lambda state, action: action != 5)


def test_probabilities_that_do_not_sum_to_one_stop_the_exploration() -> None:
    with pytest.raises(BadOutcomes, match="pieces"):
        explore(HALF_A_DIE)


def test_perft_counts_the_published_tree() -> None:
    game = TicTacToe()
    assert [perft(game, depth) for depth in range(5)] == [1, 9, 72, 504, 3024]
    assert sum(divide(game, 4).values()) == perft(game, 4)
    counted: list[int] = []
    assert sum(counted) < perft(game, 4, progress=counted.append) == sum(counted)
    assert sum(divide(game, 3).values()) == 504
    # 549 946 nodes of the whole tree: all lines of all lengths, from the centre only here.
    centre = game.result(game.initial_state(), 5)
    assert sum(perft(game, depth, centre) for depth in range(9)) == 55_505
    assert perft(DiceNim(2, 2), 2) == 3
    with pytest.raises(BadProblem):
        perft(game, -1)


@pytest.mark.parametrize("nodes", [0, -1])
def test_limits_are_positive(nodes: int) -> None:
    with pytest.raises(BadProblem, match="positive"):
        Limits(nodes=nodes)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (TicTacToe(), "XXX|XXX|..."),
        (TicTacToe(), "XO"),
        (ConnectFour(), "/"),
        (ConnectFour(), "XXXXXXX//////"),
        (ConnectFour(), "X/X/////"),
        (ConnectFour(), "Q//////"),
        (Nim(), "1,x"),
        (Nim(), "1,2 player 2"),
        (DiceNim(), "7 pieces, player 1 has thrown 9"),
        (DiceNim(), "seven"),
    ],
)
def test_unreadable_states_are_refused(game: Any, text: str) -> None:
    with pytest.raises(BadInput):
        game.parse_state(text)


@pytest.mark.parametrize("make", [lambda: ConnectFour(0, 4), lambda: Nim(()), lambda: DiceNim(0)])
def test_impossible_sizes_are_refused(make: Callable[[], Any]) -> None:
    with pytest.raises(BadProblem):
        make()
