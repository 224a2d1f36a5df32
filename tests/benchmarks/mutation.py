"""The plug-in of pytest that records which test runs which line, and runs tests against mutants."""

from __future__ import annotations

import functools
import gc
import importlib.machinery
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

from tests.benchmarks.mutants import compiled

__all__ = ["Recorder", "Runner", "import_mutant"]

SURVIVED, KILLED, LATE = range(3)


def spent() -> float:
    """Return the processor time of this process and of its children that ended, in seconds."""
    return sum(os.times()[:4])


EXAMPLES = 30
"""How many examples of hypothesis are drawn for one test; the suite itself draws more."""


class Repeatable:
    """Lets hypothesis draw the same few examples in every run, and not shrink what fails."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self) -> None:
        """Register the settings before they are loaded."""
        from hypothesis import HealthCheck, Phase, settings

        settings.register_profile(
            "mutation",
            deadline=None,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        os.environ["HYPOTHESIS_PROFILE"] = "mutation"

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Lower the number of examples where a test wants more."""
        from hypothesis import settings

        for item in items:
            test: Any = getattr(item, "obj", None)
            test = getattr(test, "__func__", test)  # that of a class is bound to an object of it
            own = getattr(test, "_hypothesis_internal_use_settings", None)
            if own is not None and own.max_examples > EXAMPLES:
                test._hypothesis_internal_use_settings = settings(own, max_examples=EXAMPLES)


class Recorder(Repeatable):
    """Records the lines of some files that each test runs, and how long it takes.

    Parameters
    ----------
    files
        The files.
    longest
        A test that takes more processor seconds than this is left out, and the rest of it is not
        traced: tracing costs more than the test, and what is tried first are the quick tests.
    """

    def __init__(self, files: Sequence[Path], longest: float) -> None:
        import coverage

        self.files, self.longest = files, longest
        self.coverage = coverage.Coverage(
            data_file=None, include=[str(file) for file in files], config_file=False
        )
        self.tests: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record one test."""
        start = spent()
        self.coverage.start()
        self.coverage.switch_context(item.nodeid)
        signal.signal(signal.SIGPROF, lambda _, __: self.leave_out(item))
        signal.setitimer(signal.ITIMER_PROF, self.longest)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.coverage.stop()
            self.tests[item.nodeid] = round(spent() - start, 3)

    def leave_out(self, item: pytest.Item) -> None:
        """Trace a test no longer; an exception here could be raised while a lock is taken."""
        sys.settrace(None)
        self.failed.add(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember what fails or is skipped without a mutant."""
        if not report.passed:
            self.failed.add(report.nodeid)

    def document(self, root: Path) -> dict[str, Any]:
        """Return the tests with their seconds, and for each file the tests of each line."""
        data = self.coverage.get_data()
        names = [name for name in self.tests if name not in self.failed]
        numbers = {name: n for n, name in enumerate(names)}
        lines = {}
        for file in self.files:
            contexts = data.contexts_by_lineno(str(file))
            lines[file.relative_to(root).as_posix()] = {
                line: [numbers[name] for name in tests if name in numbers]
                for line, tests in contexts.items()
            }
        return {"tests": {name: self.tests[name] for name in names}, "lines": lines}


class Runner(Repeatable):
    """Runs the tests of each mutant in a fork of a process that has collected all tests.

    Parameters
    ----------
    root
        The project.
    tasks
        The mutants: module, index, and the tests with their seconds, in the order of running.
    ended
        Is called with how each mutant ended.
    fresh
        Whether the one mutant of this process took the place of its module at import.
    """

    def __init__(
        self,
        root: Path,
        tasks: Iterator[tuple[str, int, dict[str, float]]],
        ended: Any,
        *,
        fresh: bool = False,
    ) -> None:
        self.root, self.tasks, self.ended, self.fresh = root, tasks, ended, fresh
        self.in_child = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """End the child when a test fails."""
        if self.in_child and report.failed:
            self.tell(KILLED, report.nodeid)

    def tell(self, code: int, test: str = "") -> None:
        """End the child, and say which test failed."""
        with suppress(OSError):
            os.write(self.pipe, test.encode())
        os._exit(code)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests of all mutants; a fresh mutant that cannot be imported has no tests."""
        if self.fresh and session.testsfailed:
            return True
        items = {item.nodeid: item for item in session.items}
        gc.collect()
        gc.freeze()
        for module, index, tests in self.tasks:
            chosen = [items[name] for name in tests if name in items]
            seconds = [tests[item.nodeid] for item in chosen]
            self.ended(module, index, *self.fork(module, index, chosen, seconds))
        return True

    def fork(
        self, module: str, index: int, items: list[pytest.Item], seconds: list[float]
    ) -> tuple[str, str, float]:
        """Return how a mutant ended, by which test, and the processor seconds that it took."""
        reading, self.pipe = os.pipe()
        before = spent()
        child = os.fork()
        if not child:
            os.setsid()
            os.close(reading)
            self.in_child = True
            self.child(module, index, items, seconds)
        os.close(self.pipe)
        ended = 0
        deadline = time.monotonic() + 60 + 40 * (20 + sum(seconds))
        while not ended and time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            time.sleep(0.01)
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        if not ended:
            _, status = os.waitpid(child, 0)
        with os.fdopen(reading) as file:
            test = file.read()
        code = os.waitstatus_to_exitcode(status)
        end = {SURVIVED: "survived", KILLED: "killed", 77: "module level"}.get(code, "late")
        return end, test, spent() - before

    def child(
        self, module: str, index: int, items: list[pytest.Item], seconds: list[float]
    ) -> None:
        """Run the tests until one fails or takes much longer than without the mutant."""
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, 6 * 2**30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not self.fresh and not replace_functions(self.root / module, index):
            os._exit(77)
        current = ""

        def late(_: int, frame: FrameType | None) -> None:
            self.tell(LATE, current)

        signal.signal(signal.SIGPROF, late)
        for item, after, limit in zip(items, [*items[1:], None], seconds, strict=True):
            current = item.nodeid
            allowed = 2 + 5 * limit
            signal.setitimer(signal.ITIMER_PROF, allowed)
            used = sum(os.times()[:2])
            hard = int(used + 3 * allowed) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (hard, resource.RLIM_INFINITY))
            try:
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            except BaseException:
                self.tell(KILLED, current)
        os._exit(SURVIVED)


def replace_functions(path: Path, index: int) -> bool:
    """Give the functions of a module that is imported the code of a mutant.

    Returns whether the change is within functions; else the module must be imported anew.
    """
    source = path.read_text(encoding="utf-8")
    before = _bodies(compiled(source, None, str(path)))
    after = _bodies(compiled(source, index, str(path)))
    changed = {
        key for key in before if list(map(_alone, before[key])) != list(map(_alone, after[key]))
    }
    found = set()
    for function in _functions():
        code = function.__code__
        key = (code.co_qualname, code.co_firstlineno)
        if code.co_filename == str(path) and len(after.get(key, ())) == 1:
            function.__code__ = after[key][0]
            found.add(key[0])
    for cached in gc.get_objects():
        if isinstance(cached, functools._lru_cache_wrapper):
            cached.cache_clear()
    return bool(changed) and all(
        any(name == outer or name.startswith(f"{outer}.<locals>.") for outer in found)
        for name, _ in changed
    )


def _alone(code: CodeType) -> CodeType:
    """Return a code without those that are in it."""
    constants = (c.co_name if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_consts=tuple(constants))


def _functions() -> Iterator[FunctionType]:
    gc.unfreeze()
    yield from [each for each in gc.get_objects() if isinstance(each, FunctionType)]


def _bodies(code: CodeType) -> dict[tuple[str, int], list[CodeType]]:
    """Return the codes within a code, by their name and first line."""
    found: dict[tuple[str, int], list[CodeType]] = {}
    left = [code]
    while left:
        one = left.pop()
        found.setdefault((one.co_qualname, one.co_firstlineno), []).append(one)
        left += [each for each in one.co_consts if isinstance(each, CodeType)]
    return found


def import_mutant(path: Path, index: int) -> None:
    """Let the next import of a module import a mutant."""
    code = compiled(path.read_text(encoding="utf-8"), index, str(path))
    real = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: Any, fullname: str) -> CodeType | None:
        return code if Path(self.path) == path else real(self, fullname)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
