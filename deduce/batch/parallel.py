"""Running many independent tasks: in this process, in several processes, or on a Dask cluster.

All three give the same results, since each depends on its item alone; only their order differs.
If a process is killed, no result is lost: its unfinished tasks are done again by another.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar, cast

from deduce.errors import BadInput, Undecided, missing_extra
from deduce.system.interrupts import interrupted_later
from deduce.system.text import plural

__all__ = ["connected", "run_all"]

T = TypeVar("T")
R = TypeVar("R")

MAX_DEATHS = 3
"""How often in a row processes may die without a single result before the run is given up."""


def run_all(
    task: Callable[[T], R],
    items: Sequence[T],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[R]:
    """Yield ``task(item)`` for every item, in the order in which the tasks finish.

    Parameters
    ----------
    task
        A function at the top level of a module, so that other processes can import it.
    items
        The argument of each call.
    jobs
        How many processes on this machine, at most one for each item or core; 1: only this process.
    scheduler
        The address of a Dask scheduler, such as ``tcp://127.0.0.1:8786``: all tasks run
        on the workers of that cluster, and ``jobs`` is ignored.

    Raises
    ------
    Unsupported
        joblib (the extra ``parallel``) or distributed (the extra ``cluster``) is not installed.
    BadInput
        There is no scheduler at the address.
    Undecided
        Processes die repeatedly.

    Examples
    --------
    >>> list(run_all(abs, [-1, -2, -3]))
    [1, 2, 3]
    """
    if scheduler is None and jobs == 1:
        yield from map(task, items)
        return
    try:
        from joblib.externals.loky.process_executor import BrokenProcessPool
    except ImportError:
        raise missing_extra("several processes need joblib", "parallel") from None
    left: dict[int, T] = dict(enumerate(items))
    deaths = 0
    with connected(scheduler), _workers_end(scheduler):
        while left:
            try:
                for number, result in _batch(task, left, jobs, scheduler):
                    del left[number]
                    deaths = 0
                    yield result
            except BrokenProcessPool:
                deaths += 1
                if deaths == MAX_DEATHS:
                    unfinished = plural(len(left), "task")
                    raise Undecided(
                        f"processes died {MAX_DEATHS} times (out of memory?); {unfinished} left; "
                        "try again with fewer jobs"
                    ) from None


@contextmanager
def _workers_end(scheduler: str | None) -> Iterator[None]:
    """End the worker processes if the block is left before its end: by a signal, or an error."""
    try:
        yield
    except BaseException:
        if scheduler is None:
            from joblib.externals.loky import get_reusable_executor

            get_reusable_executor(reuse=True).shutdown(wait=False, kill_workers=True)
        raise


def _batch(
    task: Callable[[T], R], left: Mapping[int, T], jobs: int, scheduler: str | None
) -> Iterator[tuple[int, R]]:
    from joblib import Parallel, delayed, parallel_config

    # All processes are started at once, so not more than can have work. The same number for each
    # batch keeps them for the next one.
    most = max(len(left), os.cpu_count() or 1)
    backend, n_jobs = ("loky", min(jobs, most)) if scheduler is None else ("dask", -1)
    with parallel_config(backend=backend, n_jobs=n_jobs):
        pool = Parallel(return_as="generator_unordered")
    numbered = delayed(_numbered)
    if scheduler is None and os.name == "posix":
        from multiprocessing.resource_tracker import ensure_running

        ensure_running()  # what watches the processes lets a Ctrl-C come again, so not in the block
    with interrupted_later():  # the processes start here, and are ended by this one
        results: Iterator[tuple[int, R]] = pool(
            numbered(task, number, item) for number, item in list(left.items())
        )
    return results


def _numbered(task: Callable[[T], R], number: int, item: T) -> tuple[int, R]:
    return number, task(item)


@contextmanager
def connected(scheduler: str | None) -> Iterator[None]:
    """Keep a connection to a Dask cluster, so that each `run_all` in the block need not make one.

    Raises
    ------
    Unsupported
        distributed (the extra ``cluster``) is not installed.
    BadInput
        There is no scheduler at the address.
    """
    if scheduler is None or scheduler in _connections:
        yield
        return
    try:
        from distributed import Client
    except ImportError:
        raise missing_extra("a Dask cluster needs distributed", "cluster") from None
    try:
        client: AbstractContextManager[Any] = cast(Any, Client)(scheduler, timeout=10)
    except (OSError, ValueError, TypeError) as error:
        raise BadInput(f"no Dask scheduler answers at {scheduler!r}: {error}") from error
    with client:  # which joblib then uses
        _connections.add(scheduler)
        try:
            yield
        finally:
            _connections.remove(scheduler)


_connections: set[str] = set()
"""The schedulers to which there is a connection."""
