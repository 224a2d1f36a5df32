"""The sentences of the platform's statement, each on a small board."""

from __future__ import annotations

import pytest

from games.cultist.events import BadOrder, play_turn, resolve
from games.cultist.game import CultistWars
from games.cultist.rules import actions, is_over, result
from games.cultist.setup import CONVERT, SHOOT, WAIT, Board, State, Unit, new_state, state_of

LEADERS = (Unit(0, 10, 0, 3, 0), Unit(1, 10, 12, 3, 1))


def board(*rows: str) -> Board:
    """Return a board whose first rows are given; the others are empty."""
    return Board.of([row.ljust(13, ".") for row in rows] + ["." * 13] * (7 - len(rows)))


def state(
    *units: tuple[int, int, int, int, int], rows: tuple[str, ...] = (), turn: int = 0
) -> State:
    """Return a state with the leaders and more units (id, hp, x, y, owner)."""
    return state_of(board(*rows), [*LEADERS, *(Unit(*u) for u in units)], turn=turn, rng=42)


def orders(of: State, unit: int) -> set[str]:
    """Return the orders of a unit that have an effect."""
    return {str(action) for action in actions(of) if action.unit == unit and action != WAIT}


def test_a_game_begins_with_fourteen_units_of_ten_hp_on_thirteen_by_seven_tiles() -> None:
    start = new_state(7)
    assert (len(start.board.grid[0]), len(start.board.grid)) == (13, 7)
    assert list(start.hp) == [10] * 14
    assert [unit.owner for unit in start.units] == [0, 1] + [2] * 12


def test_a_leader_moves_and_converts_and_does_not_shoot() -> None:
    here = state((2, 10, 1, 3, 2), (3, 10, 4, 3, 1))
    assert orders(here, 0) == {"0 CONVERT 2", "0 MOVE 0 2", "0 MOVE 0 4"}
    with pytest.raises(BadOrder, match="leader"):
        resolve(here, "0 SHOOT 3")


def test_a_cultist_moves_and_shoots_and_does_not_convert() -> None:
    here = state((2, 10, 6, 0, 0), (3, 10, 8, 0, 1))
    assert orders(here, 2) == {"2 MOVE 5 0", "2 MOVE 7 0", "2 MOVE 6 1", "2 SHOOT 3"}
    with pytest.raises(BadOrder):
        resolve(here, "2 CONVERT 3")


def test_a_neutral_takes_no_orders_until_it_is_converted() -> None:
    here = state((2, 10, 1, 3, 2))
    with pytest.raises(BadOrder):
        resolve(here, "2 WAIT")
    with pytest.raises(BadOrder, match="2"):
        resolve(here, "2 MOVE 1 2")
    after = result(here, resolve(here, "0 CONVERT 2"))
    assert after.owners[2] == 0
    assert after.hp[2] == 10


def test_a_step_goes_one_tile_in_one_of_four_directions() -> None:
    here = state((2, 10, 6, 3, 0))
    moves = {order for order in orders(here, 2) if "MOVE" in order}
    assert moves == {"2 MOVE 6 2", "2 MOVE 7 3", "2 MOVE 6 4", "2 MOVE 5 3"}
    assert str(resolve(here, "2 MOVE 9 3")) == "2 MOVE 7 3"


def test_no_unit_enters_an_obstacle_or_another_unit() -> None:
    here = state((2, 10, 0, 0, 0), (3, 10, 0, 1, 2), rows=(".x",))
    assert orders(here, 2) == set()
    for goal in ("1 0", "0 1"):
        assert resolve(here, f"2 MOVE {goal}") == WAIT


def test_conversion_needs_a_neighbour_in_four_directions_and_never_takes_a_leader() -> None:
    diagonal = state((2, 10, 1, 2, 2))
    assert not [a for a in actions(diagonal) if a.verb == CONVERT]
    assert str(resolve(diagonal, "0 CONVERT 2")) == "0 MOVE 0 2"  # it approaches
    enemy = state((2, 10, 1, 3, 1))
    assert result(enemy, resolve(enemy, "0 CONVERT 2")).owners[2] == 0
    with pytest.raises(BadOrder):
        resolve(enemy, "0 CONVERT 1")


def test_more_units_after_the_last_turn_win_and_no_units_lose_at_once() -> None:
    game = CultistWars(state((2, 10, 6, 0, 0), turn=149))
    last = game.initial_state()
    end = result(last, WAIT)
    assert is_over(end)
    utility = game.utility(end)
    assert utility is not None
    assert utility[0] > 0 > utility[1]
    units = [Unit(0, 10, 0, 3, 0), Unit(2, 10, 3, 0, 0), Unit(3, 1, 4, 0, 1)]
    alone = state_of(board(), units, rng=42)
    shot = next(action for action in actions(alone) if action.verb == SHOOT)
    assert is_over(result(alone, shot))


@pytest.mark.parametrize("distance", range(1, 8))
def test_damage_is_seven_minus_the_distance_up_to_six(distance: int) -> None:
    here = state((2, 10, 2, 0, 0), (3, 10, 2 + distance, 0, 1))
    turn = play_turn(here, "2 SHOOT 3")
    if distance <= 6:
        assert turn.after.hp[3] == 10 - (7 - distance)
    else:
        assert str(turn.action) == "2 MOVE 3 0"  # beyond its range it approaches


def test_what_is_between_is_hit_instead_and_obstacles_stay() -> None:
    here = state((2, 10, 2, 0, 0), (3, 10, 3, 0, 2), (4, 10, 5, 0, 1))
    after = result(here, resolve(here, "2 SHOOT 4"))
    assert (after.hp[3], after.hp[4]) == (4, 10)
    here = state((2, 10, 2, 0, 0), (4, 10, 5, 0, 1), rows=("...x",))
    after = result(here, resolve(here, "2 SHOOT 4"))
    assert after.hp[4] == 10
    assert after.board == here.board


def test_a_distant_goal_is_approached_on_a_shortest_path_even_if_it_is_blocked() -> None:
    here = state((2, 10, 0, 0, 0), rows=(".x", "..x"))
    assert str(resolve(here, "2 MOVE 3 0")) == "2 MOVE 0 1"
    closed = state((2, 10, 0, 0, 0), (3, 10, 2, 0, 2), rows=("...x", "xxxx"))
    assert str(resolve(closed, "2 MOVE 4 0")) in ("2 MOVE 1 0", "WAIT")
