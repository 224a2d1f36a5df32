"""Settings that all tests share.

``HYPOTHESIS_PROFILE=ci`` draws the same examples in every run; the default looks for new ones.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from deduce.system import registry
from tests.browser import launched

HERE = Path(__file__).parent

settings.register_profile(
    "default",
    deadline=None,
    max_examples=8,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
)
settings.register_profile("ci", parent=settings.get_profile("default"), derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


gc.disable()
"""Until all tests are collected."""


def pytest_sessionstart() -> None:
    """Let the second of two processes import the tests from the last one on.

    In a new clone, where none is compiled yet, each process then compiles half of them.
    """
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1":
        for path in sorted(HERE.rglob("test_*.py"), reverse=True):
            with suppress(Exception, pytest.skip.Exception):  # told where the test is collected
                import_module(".".join(("tests", *path.relative_to(HERE).with_suffix("").parts)))


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass over what is never freed: the modules and all tests.

    It looks at every object again and again, which takes a tenth of the time of the suite.
    """
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def signals_end_programs() -> Iterator[None]:
    """Let signals end programs that tests start, also where the tests themselves ignore them.

    A shell starts what runs in its background with SIGINT ignored, ``nohup`` with SIGHUP, and
    children inherit that.
    """
    handlers: dict[signal.Signals, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGHUP: signal.SIG_DFL,
    }
    before = {number: signal.getsignal(number) for number in handlers}
    for number, handler in handlers.items():
        if before[number] == signal.SIG_IGN:
            signal.signal(number, handler)
    yield
    for number, previous in before.items():
        signal.signal(number, previous)


@pytest.fixture(autouse=True, scope="session")
def quick_disk() -> Iterator[None]:
    """Let no test wait until the disk has what is written: that is for a failure of power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield


@pytest.fixture(autouse=True, scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the key of saved results out of the home of the person who runs the tests."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(autouse=True, scope="session")
def language() -> None:
    """Let commands speak English, whatever the person who runs the tests speaks."""
    os.environ |= {"LC_ALL": "C.UTF-8", "LANGUAGE": ""}


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget after each test the games that it has typed, which are registered until then."""
    monkeypatch.setattr(registry, "_TYPED", dict(registry._TYPED))


@pytest.fixture(scope="module")
def one_browser() -> Iterator[None]:
    """The pages of a file are opened in one browser, each with a storage of its own."""
    with launched():
        yield
