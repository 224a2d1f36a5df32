"""The explorer, used through its values and handlers instead of a browser."""

from __future__ import annotations

import pytest

from deduce.search import Limits, solve
from games.classics.connect_four import ConnectFour
from games.classics.dice_nim import DiceNim
from games.classics.nim import Nim
from games.classics.tic_tac_toe import TicTacToe
from games.quartets.game import Quartets
from games.quartets.search import QuartetsGame
from games.quartets.setup import named_groups

pytest.importorskip("anywidget", reason="anywidget is not installed (extra widgets)")

from deduce.widgets.explorer import Explorer


def test_the_values_are_those_of_the_solver() -> None:
    game = Nim((1, 2, 2))
    explorer, solution = Explorer(game), solve(game)
    for _ in range(2):
        result = solution.result(explorer.state)
        transitions = explorer.transitions()
        assert all(each.proved for each in transitions)
        assert [each.value for each in transitions] == [
            value.utilities for value in result.root_values.values()
        ]
        assert [each.label for each in transitions if each.best] == [
            game.format_action(explorer.state, action) for action in result.best_actions
        ]
        explorer.take(0)


def test_a_click_takes_a_transition_and_the_history_goes_back_and_forward() -> None:
    explorer = Explorer(Nim((1, 2)))
    root = explorer.state
    explorer.sheet.picked = [1, 0]
    after = explorer.state
    assert after == explorer.game.result(root, explorer.game.actions(root)[1])
    explorer.undo.click()
    assert explorer.state == root
    explorer.redo.click()
    assert explorer.state == after
    explorer.root.click()
    assert explorer.state == root


def test_a_click_on_the_board_takes_the_action_there() -> None:
    explorer = Explorer(TicTacToe())
    explorer.board.action = "5"
    middle = explorer.state
    assert explorer.game.actions(middle) != explorer.game.actions(explorer.graph.root)
    assert explorer.board.action == ""
    for action in ("5", "nonsense", ""):
        explorer.board.action = action
        assert explorer.state == middle


def test_the_search_plays_its_seats_to_the_end_and_does_not_lose() -> None:
    explorer = Explorer(TicTacToe(), seats={1})
    while explorer.game.utility(explorer.state) is None:
        assert explorer.game.to_move(explorer.state) == 0
        explorer.take(0)
    assert explorer.game.utility(explorer.state)[1] >= 0  # type: ignore[index]
    assert "the game is over" in explorer.status.value
    assert explorer.play.disabled
    assert explorer.sheet.table["rows"] == []


def test_a_seat_can_be_given_to_the_search_in_the_middle() -> None:
    explorer = Explorer(Nim((1, 2)))
    explorer.play.click()
    assert "player 1 to move" in explorer.status.value
    explorer.seat_boxes[1].value = True
    assert "player 0 to move" in explorer.status.value


def test_chance_moves_by_itself_where_the_search_plays_and_the_seed_repeats_it() -> None:
    ends = []
    for _ in range(2):
        explorer = Explorer(DiceNim(), seats={0, 1}, seed=4)
        assert explorer.game.utility(explorer.state) is not None
        ends.append(explorer.history)
    assert ends[0] == ends[1]


def test_the_outcomes_of_chance_are_listed_with_their_probabilities() -> None:
    explorer = Explorer(DiceNim())
    outcomes = explorer.game.outcomes  # type: ignore[attr-defined]
    while outcomes(explorer.state) is None:
        explorer.take(0)
    assert all(each.label.startswith("chance ") for each in explorer.transitions())
    assert "chance moves" in explorer.status.value


def test_the_values_of_a_large_game_are_marked_as_estimates() -> None:
    explorer = Explorer(ConnectFour(), limits=Limits(nodes=300))
    transitions = explorer.transitions()
    assert not any(each.proved for each in transitions)
    assert sum(each.best for each in transitions) >= 1
    assert "proved" not in str(explorer.sheet.table)
    assert explorer.states.endswith("1 expanded")


def test_the_search_against_itself_stops_where_play_can_go_on_for_ever() -> None:
    game = QuartetsGame(Quartets(("Ann", "Ben", "Cid"), named_groups([2, 2, 2])))
    explorer = Explorer(game, seats={0, 1, 2}, limits=Limits(nodes=20))
    assert game.utility(explorer.state) is not None or len(explorer.history.past) == 200


def test_a_state_can_be_typed_and_a_wrong_one_is_an_error() -> None:
    game = TicTacToe()
    explorer = Explorer(game)
    for typed in ("", "XXX", "@/etc/passwd"):
        explorer.typed.value = typed
        explorer.jump.click()
        assert "deduce-bad" in explorer.status.value, typed
        assert explorer.state == game.initial_state()
    state = game.result(game.initial_state(), game.actions(game.initial_state())[4])
    explorer.typed.value = game.format_state(state)
    explorer.jump.click()
    assert explorer.state == state
