"""Damaged files are refused; tests/benchmarks/damage.py damages many more."""

from __future__ import annotations

import pytest

from tests.benchmarks.damage import KINDS, WAYS, damaged


@pytest.mark.parametrize("name", KINDS)
def test_a_damaged_or_forged_file_is_refused_and_never_proves_anything(name: str) -> None:
    if name == "export":
        pytest.importorskip("pyarrow")
    assert damaged(name, 3 * len(WAYS), seed=2).total() == 3 * len(WAYS)
