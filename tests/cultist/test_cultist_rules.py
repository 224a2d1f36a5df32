"""The rules, beyond the recorded cases."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.errors import BadInput
from deduce.search import check_game, expectiminimax
from games.cultist.events import BadOrder, parse_order, play_turn, resolve, translate
from games.cultist.game import CultistWars
from games.cultist.notation import format_state, parse_state, state_from_json, state_to_json
from games.cultist.rules import actions, bullet, is_over, result
from games.cultist.setup import (
    LINE_OFFSETS,
    NEUTRAL,
    NOWHERE,
    SHOOT,
    TILES,
    WAIT,
    Board,
    Neutrals,
    State,
    Unit,
    line,
    new_state,
    sides,
    state_of,
)
from tests.cultist.cultist_states import some_state

states = st.builds(some_state, st.integers(0, 10**6), st.integers(0, 150))
EMPTY = Board.of(["............."] * 7)


def state_with(*units: tuple[int, int, int, int, int], turn: int = 0) -> State:
    """Return a state on the empty board with units (id, hp, x, y, owner)."""
    return state_of(EMPTY, [Unit(*unit) for unit in units], turn=turn, rng=42)


def test_lines_in_both_directions_use_the_same_tiles() -> None:
    for dx, dy in LINE_OFFSETS:
        back = [(dx + x, dy + y) for x, y in reversed(line(-dx, -dy))]
        assert list(line(dx, dy)) == back
    assert len(LINE_OFFSETS) == 84


def test_a_map_is_symmetric_and_depends_on_the_low_64_bits_of_its_seed() -> None:
    state = new_state(99)
    assert all(row == row[::-1] for row in state.board.grid)
    for unit in state.units[2:8]:
        mirror = state.units[unit.id + 6]
        assert (mirror.x, mirror.y) == (12 - (unit.x or 0), unit.y)
    assert new_state(99 + 2**64) == state
    assert new_state(-1) == new_state(2**64 - 1)


@given(states)
def test_a_turn_preserves_the_invariants_of_states(state: State) -> None:
    if is_over(state):
        return
    for action in actions(state, all_shots=True):
        after = result(state, action)
        standing = [tile for tile in after.tiles if tile != NOWHERE]
        assert len(set(standing)) == len(standing)
        assert all(after.board.is_floor(tile) for tile in standing)
        assert [hp > 0 for hp in after.hp] == [tile != NOWHERE for tile in after.tiles]
        assert all(now <= then for now, then in zip(after.hp, state.hp, strict=True))
        assert after.owners[:2] == bytes([0, 1])
        assert after.turn == state.turn + 1


@given(states)
def test_every_canonical_action_is_an_order_for_itself(state: State) -> None:
    if is_over(state):
        return
    offered = actions(state, all_shots=True)
    assert len(set(offered)) == len(offered)
    assert set(actions(state)) <= set(offered)
    for action in offered:
        assert resolve(state, str(action)) == action
        turn = play_turn(state, str(action))
        assert turn.after == result(state, action)


@given(states, st.integers(0, 13), st.sampled_from(["MOVE", "SHOOT", "CONVERT"]), st.data())
def test_every_accepted_order_becomes_a_canonical_action(
    state: State, unit: int, verb: str, data: st.DataObject
) -> None:
    if is_over(state):
        return
    goal = data.draw(st.integers(0, 13))
    text = f"{unit} {verb} {goal}" + (f" {data.draw(st.integers(-1, 7))}" if verb == "MOVE" else "")
    try:
        order = parse_order(state, text)
    except BadOrder:
        return
    assert translate(state, order) in actions(state, all_shots=True)


VARIANTS: tuple[Neutrals, ...] = ("referee", "slots", "statement")
RANDOM: tuple[Neutrals, ...] = ("slots", "statement")


@given(states, st.sampled_from(VARIANTS))
def test_state_texts_round_trip(state: State, neutrals: Neutrals) -> None:
    chance = neutrals != "referee" and not is_over(state)
    state = state._replace(neutrals=neutrals, chance=chance)
    assert parse_state(format_state(state)) == state
    assert state_from_json(json.loads(json.dumps(state_to_json(state)))) == state
    assert eval(repr(state), {"State": State, "Board": Board}) == state  # noqa: S307
    assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301


@settings(max_examples=15)
@given(st.text(max_size=60) | st.from_regex(r"-?[0-9]{1,3} (MOVE|SHOOT|CONVERT)( -?[0-9]+){0,3}"))
def test_any_text_is_an_order_or_a_bad_order(text: str) -> None:
    state = some_state(3, 30)
    try:
        action = resolve(state, text)
    except BadOrder:
        return
    assert action in actions(state, all_shots=True)


@settings(max_examples=15)
@given(st.text(max_size=60), st.integers(0, 250), st.integers(0, 20))
def test_a_damaged_state_text_is_a_state_or_bad_input(noise: str, start: int, cut: int) -> None:
    text = format_state(some_state(1, 20))
    damaged = text[:start] + noise + text[start + cut :]
    try:
        state = parse_state(damaged)
    except BadInput:
        return
    assert parse_state(format_state(state)) == state


@pytest.mark.parametrize("text", ["WAIT x", "WAIT WAIT", "WAIT MOVE 1 1", " WAIT 0 ", "WAIT  x"])
def test_wait_with_further_words_is_invalid(text: str) -> None:
    with pytest.raises(BadOrder, match="WAIT"):
        play_turn(new_state(0), text)


def test_blanks_around_wait_are_ignored() -> None:
    assert resolve(new_state(0), " WAIT\t ") == WAIT


def test_a_hit_unit_loses_by_its_own_distance() -> None:
    state = state_with(
        (0, 10, 0, 0, 0), (1, 10, 12, 6, 1), (2, 10, 2, 3, 0), (3, 10, 4, 3, 0), (4, 9, 7, 3, 1)
    )
    shot = next(a for a in actions(state) if a.verb == SHOOT and a.unit == 2)
    assert bullet(state, 2, 4) == (state.tiles[3], 3)
    assert result(state, shot).hp[3] == 5  # distance 2, the target's would be 5
    assert result(state, shot).hp[4] == 9


def test_a_unit_killed_this_turn_still_blocks_the_neutral() -> None:
    # The first slot drawn from 42 is 3: the fourth neutral, whose only free neighbour is held by
    # a unit that dies in this very turn.
    board = Board.of([".x...........", "x............", *["............."] * 5])
    units = [Unit(0, 10, 0, 6, 0), Unit(1, 10, 12, 6, 1), Unit(2, 10, 12, 0, 2)]
    units += [Unit(3, 10, 11, 0, 2), Unit(4, 10, 10, 0, 2), Unit(5, 10, 4, 0, 2)]
    units += [Unit(6, 10, 3, 0, 0), Unit(7, 10, 5, 0, 0), Unit(8, 1, 4, 1, 1)]
    state = state_of(board, units, rng=42)
    turn = play_turn(state, "6 SHOOT 8")
    assert turn.step.roll == 3
    assert turn.step.listed[3] == 5
    assert turn.step.mover is None
    assert turn.middle.tiles[8] != NOWHERE
    assert turn.after.tiles[8] == NOWHERE
    assert turn.after.rng != play_turn(state, "WAIT").before.rng


def test_without_neutrals_nothing_is_drawn() -> None:
    units = [(unit, 10, unit % 13, unit // 13, unit % 2) for unit in range(14)]
    state = state_with(*units)
    assert result(state, WAIT).rng == state.rng
    assert play_turn(state, "WAIT").step.roll is None


@pytest.mark.parametrize("neutrals", ["slots", "statement"])
def test_chance_moves_one_neutral_with_the_stated_probabilities(neutrals: Neutrals) -> None:
    game = CultistWars(some_state(5, 20), neutrals)
    state = game.initial_state()
    waiting = game.result(state, WAIT)
    outcomes = game.outcomes(waiting)
    assert game.outcomes(state) is None
    assert outcomes is not None
    assert sum(share for _, share in outcomes) == 1
    assert len({after for after, _ in outcomes}) == len(outcomes)
    assert all(after.rng == state.rng and not after.chance for after, _ in outcomes)
    movers = [
        unit
        for unit in sides(state.owners)[NEUTRAL]
        if state.hp[unit]
        and any(near not in state.tiles for near in state.board.neighbours[state.tiles[unit]])
    ]
    each = Fraction(1, 12 if neutrals == "slots" else len(movers))
    for unit in movers:
        moved = sum(share for after, share in outcomes if after.tiles[unit] != state.tiles[unit])
        assert moved == each


@pytest.mark.parametrize("neutrals", ["referee", "slots", "statement"])
def test_the_game_conforms_to_the_search_protocol(neutrals: Neutrals) -> None:
    check_game(CultistWars(some_state(2, 140), neutrals), playthroughs=5, seed=1)


def test_in_the_statement_every_neutral_that_can_move_is_equally_likely_to_move() -> None:
    # Unit 4 in the corner is blocked by units 2 and 3. By slots units 2, 3 and 5 move with
    # probability 1/12 each; as in the statement, one of the three always moves.
    units = [(0, 10, 6, 6, 0), (1, 10, 12, 6, 1), (2, 10, 1, 0, 2), (3, 10, 0, 1, 2)]
    state = state_with(*units, (4, 10, 0, 0, 2), (5, 10, 6, 3, 2))
    movers = {}
    for neutrals in RANDOM:
        rolls = range(600)
        steps = [
            play_turn(state._replace(neutrals=neutrals, rng=977 * roll), "WAIT").step.mover
            for roll in rolls
        ]
        movers[neutrals] = {mover: steps.count(mover) for mover in {*steps}}
    assert set(movers["statement"]) == {2, 3, 5}
    assert all(150 < times < 250 for times in movers["statement"].values())
    assert set(movers["slots"]) == {2, 3, 5, None}
    assert movers["slots"][None] > 400


@pytest.mark.parametrize("neutrals", RANDOM)
def test_a_game_follows_the_state_unless_it_is_set_up_as_a_variant(neutrals: Neutrals) -> None:
    state = new_state(4, neutrals)
    assert new_state(4, neutrals) == state
    assert new_state(4)._replace(neutrals=neutrals, rng=state.rng) == state
    assert CultistWars(state).result(state, WAIT).chance
    game = CultistWars(new_state(4), neutrals)
    assert game.initial_state().neutrals == neutrals
    assert game.parse_state(format_state(new_state(4))).neutrals == neutrals
    assert game.result(new_state(4), WAIT) == game.result(game.initial_state(), WAIT)
    check_game(CultistWars(some_state(2, 140)._replace(neutrals=neutrals)), playthroughs=3)


def test_boards_with_the_same_grid_are_one_board() -> None:
    assert Board.of(EMPTY.grid) is EMPTY
    assert len(EMPTY.neighbours) == TILES + 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"player": 1}, "player: turn 0 is not a turn of player 1"),
        ({"player": 2}, "player: a player is 0 or 1, not 2"),
        ({"player": None}, "player: expected a whole number"),
        ({"chance": "no"}, "chance: expected true or false"),
        ({"turn": 150, "chance": True}, "over after turn 149"),
        ({"neutrals": "lazy"}, 'neutrals: expected "referee", "slots" or'),
        ({"turn": 1.0}, "turn: expected a whole number"),
    ],
)
def test_a_state_that_contradicts_itself_is_refused(
    change: dict[str, object], message: str
) -> None:
    with pytest.raises(BadInput, match=message):
        state_from_json({**state_to_json(new_state(0)), **change})


def test_the_field_player_determines_the_turn_if_there_is_no_turn() -> None:
    value = state_to_json(new_state(0))
    del value["turn"]
    assert state_from_json({**value, "player": 1}).turn == 1
    with pytest.raises(BadInput, match=r'player: expected .*, not "A"'):
        state_from_json({**value, "player": "A"})


@pytest.mark.parametrize("neutrals", ["slots", "statement"])
def test_expected_values_are_exact(neutrals: Neutrals) -> None:
    state = state_with((0, 10, 6, 3, 0), (1, 10, 12, 6, 1), (2, 10, 0, 0, 2), turn=148)
    solved = expectiminimax(CultistWars(state, neutrals))
    assert solved.value == (0, 0)
    wounded = state_with((0, 10, 6, 3, 0), (3, 1, 8, 3, 1), (2, 10, 0, 0, 2), turn=148)
    values = expectiminimax(CultistWars(wounded, neutrals)).root_values.values()
    assert all(type(known.utilities[0]) is not float for known in values)
