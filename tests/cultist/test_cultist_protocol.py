"""The platform's protocol, the tracker of the neutrals' generator, the referee and matches."""

from __future__ import annotations

import re
import sys
from io import StringIO
from pathlib import Path
from random import Random
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.budget import cpu_seconds
from deduce.errors import BadInput
from games.cultist.events import resolve
from games.cultist.game import default_evaluation, hit_point_sum, square_roots
from games.cultist.match import Program, make_bot, play, play_match, standing
from games.cultist.players import BOTS, Bot, Careful, Deepening, Greedy, RandomBot, TimeLimits
from games.cultist.protocol import Reader, Tracker, first_input, serve, turn_input
from games.cultist.rules import actions, is_over, result
from games.cultist.setup import WAIT, Board, State, Unit, new_state
from tests.cultist.cultist_states import some_state

PATIENT = TimeLimits(30.0, 30.0)


def alive(state: State) -> list[Unit]:
    """Return the units that a bot sees in a state."""
    return [unit for unit in state.units if unit.is_alive]


def test_input_lines_read_back() -> None:
    state = new_state(4)
    reader = Reader(StringIO(first_input(state, 1) + turn_input(state)))
    assert reader.read_start() == (1, state.board)
    assert reader.read_units() == list(state.units)
    assert reader.read_units() is None


@given(st.integers(0, 10**6))
def test_the_tracker_knows_the_generator_from_the_visible_units(seed: int) -> None:
    random, state = Random(seed), new_state(seed)
    trackers = [Tracker(player, state.board) for player in range(2)]
    bots: list[Bot] = [Careful(), Greedy()]
    while not is_over(state):
        player = state.player
        assert trackers[player].see(alive(state)) == state
        assert trackers[player].candidates == 1
        action = resolve(state, bots[player].order(state, 1))
        if random.random() < 0.5:
            action = random.choice(actions(state, all_shots=True))
        trackers[player].act(action)
        state = result(state, action)


def test_the_tracker_finds_the_generator_again_after_a_missed_turn() -> None:
    state = new_state(8)
    tracker = Tracker(0, state.board)
    tracker.see(alive(state))
    tracker.miss()
    state = result(result(state, WAIT), WAIT)
    tracker.see(alive(state))
    assert tracker.candidates > 1
    while tracker.candidates > 1:
        tracker.act(WAIT)
        state = result(result(state, WAIT), WAIT)
        seen = tracker.see(alive(state))
    assert seen == state
    assert state.turn < 30


@pytest.mark.parametrize("name", list(BOTS))
def test_every_bot_plays_where_neutrals_move_at_random(name: str) -> None:
    start = new_state(2, "statement")._replace(turn=136)
    replay = play(start, (make_bot(name), Careful()), limits=TimeLimits(0.2, 0.02)).replay
    assert len(replay.orders) >= 13 or replay.fault is not None
    assert replay.fault is None or "no answer within" in replay.fault.reason


@pytest.mark.parametrize("name", ["roots", "points", "careful", "greedy"])
def test_a_bot_does_not_know_the_random_steps(name: str) -> None:
    state = some_state(3, 60)._replace(neutrals="statement")
    orders = {make_bot(name).order(state._replace(rng=rng), 30) for rng in range(3)}
    assert len(orders) == 1


def test_a_bot_is_told_the_variant_and_reports_no_generator() -> None:
    answers, log = StringIO(), StringIO()
    requests = StringIO(BOARD + TWO + MALFORMED_TURNS[0] + TWO)
    serve(Greedy(), requests, answers, log, neutrals="statement")
    assert answers.getvalue() == "WAIT\n" * 3
    assert "generator" not in log.getvalue()


BOARD = "0\n13 7\n" + ".............\n" * 7
TWO = "2\n0 1 10 0 3 0\n1 1 10 12 3 1\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, "the input ends"),
        ("x\n", 1, "1 whole number"),
        ("2\n", 1, "0 or 1"),
        ("0\n12 7\n", 2, "13 7"),
        ("0\n13 7\n....\n", 5, "in the middle of the board"),
        ("0\n13 7\n" + "............\n" * 7, 3, "a row has 13"),
        ("0\n13 7\n" + ".............\n" * 6 + "......o......\n", 9, "a tile is"),
    ],
)
def test_an_error_in_the_start_has_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(BadInput, match=message) as error:
        Reader(StringIO(text)).read_start()
    assert error.value.line in (line, line - 1)


MALFORMED_TURNS = [
    "two\n0 1 10 0 3 0\n1 1 10 12 3 1\n",
    "99\n",
    "2\n0 1 10 0 3 0\n1 1 10 12 3\n",
    "2\n0 1 10 0 3 0\n1 1 ten 12 3 1\n",
    "2\n0 1 10 0 3 0\n0 1 10 0 3 0\n",
    "2\n0 1 10 0 3 0\n1 1 10 0 3 1\n",
    "2\n0 1 10 13 3 0\n1 1 10 12 3 1\n",
    "2\n0 0 10 0 3 0\n1 1 10 12 3 1\n",
    "2\n0 1 0 0 3 0\n1 1 10 12 3 1\n",
    "3\n0 1 10 0 3 0\n1 1 10 12 3 1\n",
]


@pytest.mark.parametrize("malformed", MALFORMED_TURNS)
def test_a_malformed_turn_is_answered_with_wait_and_reported(malformed: str) -> None:
    answers, log = StringIO(), StringIO()
    serve(Greedy(), StringIO(BOARD + TWO + malformed + TWO + TWO), answers, log)
    assert answers.getvalue() == "WAIT\n" * 4
    assert "answering WAIT" in log.getvalue()


def test_each_turn_has_one_answer() -> None:
    answers, log = StringIO(), StringIO()
    serve(Greedy(), StringIO(BOARD + TWO), answers, log)
    assert (answers.getvalue(), log.getvalue()) == ("WAIT\n", "")


def test_the_server_plays_as_the_bot_does() -> None:
    state, answers, log = new_state(2), StringIO(), StringIO()
    played = play(state, (Careful(), Greedy()), limits=PATIENT).replay
    shown = [turn.before for turn in played.turns if turn.before.player == 1]
    text = first_input(state, 1) + "".join(turn_input(before) for before in shown)
    serve(Greedy(), StringIO(text), answers, log)
    assert answers.getvalue().split("\n")[:-1] == list(played.orders[1::2])
    assert log.getvalue() == ""


def test_a_bot_that_sends_wait_with_further_words_scores_minus_one() -> None:
    class Talkative(Bot):
        def order(self, state: State, seconds: float) -> str:
            return "WAIT a moment"

    replay = play(new_state(0), (Greedy(), Talkative()), limits=PATIENT).replay
    assert (replay.scores, len(replay.orders)) == ((0, -1), 1)


@pytest.mark.parametrize("name", [name for name in BOTS if name != "random"])
def test_every_bot_answers_with_valid_orders(name: str) -> None:
    opponent = RandomBot(3)
    late = new_state(6)._replace(turn=130)
    played = play(late, (make_bot(name), opponent), limits=TimeLimits(0.2, 0.05))
    assert played.replay.fault is None
    assert played.efforts[0].turns == 10


def test_a_bot_uses_its_own_clock_and_the_wall_clock_when_it_serves() -> None:
    bot, state = Deepening(), new_state(6)
    assert bot.clock is cpu_seconds
    now = 0.0

    def ticks() -> float:
        nonlocal now
        now += 0.01
        return now

    bot.clock = ticks
    bot.order(state, 0.1)
    assert 0.05 <= now < 0.1
    serve(bot, StringIO(BOARD), StringIO(), StringIO())
    assert bot.clock is perf_counter


@pytest.mark.parametrize("evaluation", [default_evaluation, square_roots, hit_point_sum])
def test_evaluations_are_symmetric(evaluation: object) -> None:
    assert callable(evaluation)
    state = new_state(11)
    assert evaluation(state) == pytest.approx(0)
    ahead = state._replace(owners=bytes([0, 1, 0, *state.owners[3:]]))
    assert evaluation(ahead) > 10


def test_the_default_bot_takes_a_win_in_one() -> None:
    board = Board.of(["............."] * 7)
    from games.cultist.setup import state_of

    units = [Unit(0, 10, 0, 0, 0), Unit(2, 10, 5, 3, 0), Unit(9, 2, 6, 3, 1)]
    state = state_of(board, units, turn=100, rng=42)
    assert Deepening().order(state, 1.0) == "2 SHOOT 9"


def test_a_program_that_ends_or_sends_nonsense_loses() -> None:
    for code, seconds, reason in [
        ("raise SystemExit('no idea')", 30, "no idea"),
        ("print('HELLO', flush=True); input()", 30, "an order is WAIT alone"),
        ("import time; time.sleep(60)", 0.3, "no answer within 300 ms"),
        ("import os; os.close(1); input(); input()", 30, "exit code|closed its output"),
    ]:
        program = Program(f'{sys.executable} -c "{code}"')
        try:
            played = play(new_state(0), (program, Greedy()), limits=TimeLimits(seconds, seconds))
        finally:
            program.close()
        assert played.replay.scores == (-1, 0)
        assert played.replay.fault is not None
        assert re.search(reason, played.replay.fault.reason)


def test_a_program_plays_like_the_bot_inside_it() -> None:
    command = f"{sys.executable} -c 'from deduce.cli.main import main; main()' cultist bot greedy"
    (game,) = play_match(command, "careful", 1, seed=5, limits=PATIENT)
    (same,) = play_match("greedy", "careful", 1, seed=5, limits=PATIENT)
    assert game.replay.orders == same.replay.orders


def test_an_unknown_bot_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(BadInput, match="did you mean 'greedy'"):
        make_bot("gredy")
    with pytest.raises(BadInput):
        make_bot("")


def test_a_match_is_counted_for_its_first_bot(tmp_path: Path) -> None:
    games = list(play_match("greedy", "random", 4, limits=PATIENT))
    result_ = standing(games)
    assert (result_.wins, result_.games) == (4, 4)
    assert [game.points(0) for game in games] == [1.0] * 4
    assert [game.replay.winner for game in games] == [0, 1, 0, 1]
    mirrored = standing(list(play_match("random", "greedy", 4, limits=PATIENT)))
    assert (mirrored.losses, mirrored.faults) == (4, 0)


def test_games_in_parallel_are_the_same_games() -> None:
    pytest.importorskip("joblib", reason="joblib (the extra 'parallel') is not installed")
    alone, together = (
        {g.number: g.replay for g in play_match("greedy", "careful", 4, limits=PATIENT, jobs=jobs)}
        for jobs in (1, 2)
    )
    assert alone == together
