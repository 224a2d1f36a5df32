"""Tasks in several processes: the same results, and no harm when a process is killed."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from deduce.batch.parallel import run_all
from deduce.errors import BadInput, Undecided


def square(number: int) -> int:
    return number * number


def killed_once(folder: Path, number: int) -> int:
    """Square a number; the process that is first to do so with 5 dies of it."""
    mark = folder / "died"
    if number == 5 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def always_killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    raise BadInput(f"not {number}")


def test_processes_give_what_one_gives() -> None:
    pytest.importorskip("joblib", reason="joblib (the extra 'parallel') is not installed")
    assert sorted(run_all(square, range(20), jobs=2)) == list(run_all(square, range(20)))


def test_an_error_of_a_task_arrives_as_it_is() -> None:
    pytest.importorskip("joblib", reason="joblib (the extra 'parallel') is not installed")
    with pytest.raises(BadInput, match="not 1"):
        list(run_all(refuse, [1], jobs=2))


def test_there_are_not_more_processes_than_items_and_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    joblib = pytest.importorskip("joblib", reason="joblib (the extra 'parallel') is not installed")
    started: list[int] = []
    config = joblib.parallel_config

    def noted(backend: str, n_jobs: int) -> object:
        started.append(n_jobs)
        return config(backend="threading", n_jobs=n_jobs)

    monkeypatch.setattr(joblib, "parallel_config", noted)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert sorted(run_all(square, range(3), jobs=1000)) == [0, 1, 4]
    assert sorted(run_all(square, range(1), jobs=2)) == [0]
    assert started == [3, 2]


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    pytest.importorskip("joblib", reason="joblib (the extra 'parallel') is not installed")
    results = sorted(run_all(partial(killed_once, tmp_path), range(12), jobs=2))
    assert results == [number * number for number in range(12)]


def own_interrupt(number: int) -> int:
    """Send itself what Ctrl-C in a terminal sends to every process there."""
    os.kill(os.getpid(), signal.SIGINT)
    return number


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="a Ctrl-C cannot be held back")
def test_ctrl_c_reaches_this_process_only() -> None:
    """Its traceback in a process that is starting would be printed; this one ends the others."""
    pytest.importorskip("joblib", reason="joblib (the extra 'parallel') is not installed")
    get_reusable_executor = pytest.importorskip("joblib.externals.loky").get_reusable_executor
    get_reusable_executor(reuse=True).shutdown(kill_workers=True)
    assert sorted(run_all(own_interrupt, range(3), jobs=2)) == [0, 1, 2]


def test_tasks_that_always_kill_their_process_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("joblib", reason="joblib (the extra 'parallel') is not installed")
    monkeypatch.setattr("deduce.batch.parallel.MAX_DEATHS", 1)
    with pytest.raises(Undecided, match=r"processes died 1 times .* 3 tasks left"):
        list(run_all(always_killed, range(3), jobs=2))
