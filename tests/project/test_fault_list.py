"""Every fault of tests/data/planted.toml can still be planted."""

from __future__ import annotations

import ast

import pytest

from tests.benchmarks.planted import faults, planted


@pytest.mark.parametrize("fault", faults().values(), ids=list(faults()))
def test_a_fault_of_the_list_applies(fault: dict[str, str]) -> None:
    assert set(fault) - {"test"} == {"id", "file", "what", "situation", "old", "new"}
    ast.parse(planted(fault))
