"""Time limits hold even where a game's own methods take long."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from click.testing import CliRunner, Result

from deduce.budget import cpu_seconds
from deduce.cli.main import cli
from deduce.errors import Undecided
from deduce.search import Limits, commands, minimax
from deduce.search.limits import LimitReached, NodeMeter, deadline
from games.classics.nim import Nim

QUARTETS = (
    "hands: 4, 4, 4; turn: Ann; most: Ann, b, 0; most: Ann, c, 3; most: Ben, a, 3; "
    "most: Ben, b, 3; most: Cid, a, 3; most: Cid, b, 3; most: Cid, c, 3"
)


class Slow(Nim):
    """Nim in which the actions of one state are never listed."""

    def actions(self, state: Any) -> Sequence[tuple[int, int]]:
        """Return nothing, for ever, where three objects are left."""
        while sum(state[0]) == 3:
            pass
        return super().actions(state)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


@pytest.mark.parametrize("clock", [time.perf_counter, cpu_seconds])
def test_a_game_that_does_not_return_is_interrupted(clock: Callable[[], float]) -> None:
    result = minimax(Slow((2, 2)), limits=Limits(seconds=0.2, clock=clock))
    assert result.stopped == "time"
    assert not result.proved


def _sleep_through_exceptions() -> None:
    while True:
        try:
            time.sleep(1)
        except Exception:
            raise AssertionError("a deadline is not an exception") from None


def test_the_deadline_passes_through_handlers_of_exceptions() -> None:
    with pytest.raises(LimitReached), deadline(0.05):
        _sleep_through_exceptions()


def _sleep_twice(meter: NodeMeter) -> None:
    with meter.until_stopped():
        time.sleep(5)
    assert meter.stopped == "time"
    time.sleep(5)


def test_a_time_limit_that_is_over_at_once_ends_the_block_and_nothing_else() -> None:
    """A timer may ring before the block is entered, or while it is left."""
    for _ in range(500):
        meter = NodeMeter(Limits(seconds=1e-9))
        with meter.until_stopped():
            pass
    with meter.until_stopped():
        time.sleep(5)
    assert meter.stopped == "time"


class Swallowing:
    """Takes long where Python reports an exception and goes on, as in a collection of garbage."""

    def __del__(self) -> None:
        time.sleep(0.2)


def _swallow_and_sleep() -> None:
    Swallowing()
    time.sleep(10)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_time_limit_that_is_swallowed_rings_again() -> None:
    with pytest.raises(LimitReached), deadline(0.05):
        _swallow_and_sleep()


def test_a_time_limit_that_is_over_while_it_is_left_does_not_end_the_program() -> None:
    """In a process of its own, which the alarm of the system would end."""
    run = subprocess.run([sys.executable, "-c", LEFT], check=False, timeout=120)
    assert run.returncode == 0


LEFT = """
from contextlib import suppress
from random import Random
from deduce.search.limits import LimitReached, deadline

random = Random(1)
for _ in range(5000):
    with suppress(LimitReached), deadline(random.uniform(5e-6, 6e-5)):
        for _ in range(random.randrange(60)):
            pass
"""


def test_an_outer_deadline_goes_on_after_an_inner_one() -> None:
    started = time.monotonic()
    with pytest.raises(LimitReached), deadline(0.3):
        _sleep_twice(NodeMeter(Limits(seconds=0.05)))
    assert time.monotonic() - started < 5


def test_perft_stops_at_its_time_limit_and_prints_what_it_has_counted() -> None:
    result = run("search", "nim", "--perft", "30", "--time-limit", "0.5")
    assert isinstance(result.exception, Undecided)
    assert "the time limit ended counting the lines after" in str(result.exception)


def test_best_stops_at_its_time_limit_where_one_state_has_too_many_actions() -> None:
    started = time.monotonic()
    options = ("--best", "--time-limit", "0.5", "--max-nodes", "100")
    result = run("search", "quartets", "--state", QUARTETS, *options)
    assert result.exit_code in {0, 4} or isinstance(result.exception, Undecided)
    assert time.monotonic() - started < 60


def test_what_a_game_does_outside_of_the_solver_is_limited_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commands, "search_by", lambda *_, **__: time.sleep(5))
    result = run("search", "nim", "best", "--set", "heaps=1,2", "--time-limit", "0.1")
    assert isinstance(result.exception, Undecided)
    assert "actions of a single state" in str(result.exception)
