"""Recorded solutions of connect four, solved again on disk and compared tier by tier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deduce.logs.case_forms import of_form
from deduce.testing.cases import Difference
from games.classics.connect_four import ConnectFour

__all__ = ["COLUMNS", "solutions"]

COLUMNS = ("positions", "finished", "wins", "draws", "losses", "longest_win")
"""The counts of a tier, in the order in which a case lists them."""


SIZE = range(1, 9)
SOLUTIONS = {
    "width": SIZE, "height": SIZE, "value": float, "plies": int, "positions": int,
    "tiers": {str: [int]},
}  # fmt: skip
"""The form of a case."""


@of_form(SOLUTIONS)
def solutions(case: Mapping[str, Any]) -> Iterator[Difference]:
    """Return what differs in a ``connect-four/solutions`` case: value, length, tiers."""
    from deduce.testing.searched import compare_solution

    game = ConnectFour(case["width"], case["height"])
    return compare_solution(game, case, lambda tier: [tier[key] for key in COLUMNS])
