"""A sample of the generated problems; tests/benchmarks/bench_generated.py has thousands."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from deduce.testing import enumeration as yardstick
from tests.benchmarks.bench_generated import PATHS, check, generated


@pytest.mark.parametrize("path", PATHS)
def test_each_path_agrees_with_trying_everything(path: str) -> None:
    assert [check(seed, path) for seed in range(4)] == [""] * 4


@pytest.mark.parametrize("path", PATHS)
def test_a_wrong_number_of_worlds_is_noticed(path: str) -> None:
    seed = next(seed for seed in range(100) if len(yardstick.worlds(generated(seed))) == 2)
    worlds = yardstick.worlds
    with patch("tests.engines.yardstick.worlds", lambda problem: worlds(problem)[:1]):
        assert check(seed, path)
