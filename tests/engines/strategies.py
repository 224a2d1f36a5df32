"""Random problems for hypothesis: those of `deduce.testing.problems`, by their seed."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from deduce.problem import Problem
from deduce.testing.problems import generated

__all__ = ["problems"]


def problems(shape: str = "mixed") -> st.SearchStrategy[Problem]:
    """Return problems of a shape."""
    return st.integers(0, 2**32).map(lambda seed: generated(Random(seed), shape))
