"""Games that break the protocol get a named error with the state; good games pass the check."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from games.classics.dice_nim import DiceNim
from games.classics.nim import Nim
from games.classics.three_player_nim import ThreePlayerNim
from games.classics.tic_tac_toe import TicTacToe

CLASSICS = [
    TicTacToe(),
    ConnectFour(),
    ConnectFour(3, 5),
    Nim(),
    Nim((2, 0, 3), misere=True),
    DiceNim(6, 4),
    ThreePlayerNim(),
]


@pytest.mark.parametrize("game", CLASSICS, ids=lambda game: type(game).__name__)
def test_the_classics_conform(game: Any) -> None:
    assert check_game(game, playthroughs=10) > 10


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


class Refusing(Countdown):
    def result(self, state: Any, action: Any) -> Any:
        if state[0] == 4:
            raise KeyError("no")
        return super().result(state, action)


class Stuck(Countdown):
    def actions(self, state: Any) -> Any:
        return [] if state[0] == 4 else super().actions(state)


class Unhashable(Countdown):
    def result(self, state: Any, action: Any) -> Any:
        after = super().result(state, action)
        return list(after) if after[0] == 4 else after


class Endless(Countdown):
    def result(self, state: Any, action: Any) -> Any:
        return (state[0] + 1, 1 - state[1]) if state[0] == 4 else super().result(state, action)

    def actions(self, state: Any) -> Any:
        return [1]


class Growing(Countdown):
    def result(self, state: Any, action: Any) -> Any:
        return state[0] + 1, 1 - state[1]


class Generous(Countdown):
    def utility(self, state: Any) -> Any:
        return None if state[0] else (1, 1)


class Short(Countdown):
    def utility(self, state: Any) -> Any:
        return None if state[0] else (1,)


class Bounded(Countdown):
    utility_bounds = (0, 1)


class FromOne(Countdown):
    def to_move(self, state: Any) -> int:
        return super().to_move(state) + 1


class Bare(Countdown):
    def utility(self, state: Any) -> Any:
        return None if state[0] else 1


class NotNumbers(Countdown):
    def utility(self, state: Any) -> Any:
        return None if state[0] else (float("nan"), float("nan"))


class TooMuch(Countdown):
    def outcomes(self, state: Any) -> Any:
        return [((2, 0), 0.5), ((1, 0), 0.6)] if state[0] == 7 else None


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
        solver(FromOne())
    with pytest.raises(BadMover, match="to_move gives 2"):
        check_game(FromOne())


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("game", [Bare, NotNumbers], ids=lambda game: game.__name__)
def test_utilities_that_are_not_finite_numbers_are_named(solver: Any, game: Any) -> None:
    with pytest.raises(BadUtility, match=r"utility gives .*, not 2 finite numbers, in state \(0"):
        solver(game())


@pytest.mark.parametrize("solver", [maxn, explore, lambda game: mcts(game, simulations=50)])
def test_probabilities_that_do_not_sum_to_1_are_named(solver: Any) -> None:
    with pytest.raises(BadOutcomes, match=r"0\.5, 0\.6 are not positive with sum 1"):
        solver(TooMuch())


def test_a_goal_is_a_number() -> None:
    with pytest.raises(BadProblem, match="the goal is not a number"):
        proof_number(Countdown(), goal=float("nan"))


@pytest.mark.parametrize("solver", SOLVERS)
def test_actions_and_result_that_disagree_are_named_with_the_state(solver: Any) -> None:
    with pytest.raises(
        ActionsDisagree, match=r"refuses it: KeyError.*in state \(4, [01]\)"
    ) as told:
        solver(Refusing())
    assert told.value.state[0] == 4
    with pytest.raises(ActionsDisagree, match=r"has no action, in state \(4, [01]\)"):
        solver(Stuck())


@pytest.mark.parametrize("solver", SOLVERS[:5])
def test_unhashable_states_are_named(solver: Any) -> None:
    with pytest.raises(UnhashableState, match=r"in state \[4, [01]\]"):
        solver(Unhashable())


def test_infinite_play_is_named_with_a_state_on_the_way() -> None:
    for solver in (alphabeta, deepening, minimax, maxn):
        with pytest.raises(InfinitePlay, match=r"in state \([45], [01]\)"):
            solver(Endless())
    with pytest.raises(InfinitePlay):
        playout(Endless(), max_plies=100)
    with pytest.raises(InfinitePlay, match="10000 plies"):
        mcts(Growing(), simulations=5)
    with pytest.raises(InfinitePlay):
        alphabeta(Growing())
    assert retrograde(explore(Endless())).values[0] == (0, 0)
    assert deepening(Endless(), limits=Limits(nodes=200)).stopped == "nodes"
    assert explore(Growing(), limits=Limits(nodes=200)).stopped == "nodes"


def test_utilities_that_are_not_zero_sum_are_named_with_the_state() -> None:
    zero_sum: list[Callable[[Any], Any]] = [
        alphabeta,
        deepening,
        minimax,
        lambda game: retrograde(explore(game)),
    ]
    for solver in zero_sum:
        with pytest.raises(NotZeroSum, match=r"in state \(0, [01]\)"):
            solver(Generous())
    assert maxn(Generous()).value == (1, 1)
    for solver in SOLVERS[:-1]:
        with pytest.raises(BadUtility, match=r"in state \(0, [01]\)"):
            solver(Short())
    with pytest.raises(BadUtility, match="outside"):
        alphabeta(Bounded())


class FaultyOutcomes(DiceNim):
    def outcomes(self, state: Any) -> Any:
        found = super().outcomes(state)
        return found[:-1] if found else None


class FaultyDeclaration(DiceNim):
    has_chance = False


class FaultyKey(TicTacToe):
    def key(self, state: Any) -> Any:
        return state[0]


class FaultyText(TicTacToe):
    def format_action(self, state: Any, action: int) -> str:
        return str(10 - action)


class FaultyReading(TicTacToe):
    def parse_action(self, state: Any, text: str) -> int:
        return int(text)


class FaultyOrder(TicTacToe):
    def order(self, state: Any, actions: Any) -> Any:
        return list(actions)[1:]


class FaultyQuiet(TicTacToe):
    def quiet(self, state: Any, action: int) -> Any:
        return "perhaps"


class FaultyEstimate(TicTacToe):
    def estimate(self, state: Any) -> Any:
        return (3, -3)


class Repeating(TicTacToe):
    def actions(self, state: Any) -> Any:
        return (*super().actions(state), super().actions(state)[0])


class FaultyMover(TicTacToe):
    def to_move(self, state: Any) -> int:
        return 2


class FaultySum(TicTacToe):
    def utility(self, state: Any) -> Any:
        return None if super().utility(state) is None else (1, 1)


@pytest.mark.parametrize(
    ("game", "error", "message"),
    [
        (Refusing(), ActionsDisagree, "refuses"),
        (Stuck(), ActionsDisagree, "has no action"),
        (Unhashable(), UnhashableState, "hashable"),
        (Short(), BadUtility, "not 2 finite numbers"),
        (Bounded(), BadUtility, "outside 0 to 1"),
        (FaultyOutcomes(), BadOutcomes, "sum 1"),
        (FaultyDeclaration(), BadGame, "has_chance is False"),
        (FaultyKey(), BadGame, "key merges"),
        (FaultyText(), BadGame, "read"),
        (FaultyReading(), BadGame, "BadInput"),
        (FaultyOrder(), ActionsDisagree, "order"),
        (FaultyQuiet(), BadGame, "quiet"),
        (FaultyEstimate(), BadUtility, "estimate"),
        (Repeating(), ActionsDisagree, "twice"),
        (FaultyMover(), BadGame, "to_move"),
        (FaultySum(), NotZeroSum, "sum to 0"),
    ],
    ids=lambda value: type(value).__name__,
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
        explore(FaultyOutcomes())


def test_perft_counts_the_published_tree() -> None:
    game = TicTacToe()
    assert [perft(game, depth) for depth in range(5)] == [1, 9, 72, 504, 3024]
    assert sum(divide(game, 4).values()) == perft(game, 4)
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
