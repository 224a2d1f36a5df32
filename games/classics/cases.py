"""Recorded solutions of connect four, solved again on disk and compared tier by tier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from tempfile import TemporaryDirectory
from typing import Any

from deduce.logs.case_forms import of_form
from deduce.testing.cases import Difference, compare
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
    """Yield what differs in a ``connect-four/solutions`` case: value, length and counts by tier."""
    from deduce.search.tiers.solve import solve_on_disk, stop_beyond

    game = ConnectFour(case["width"], case["height"])
    # Each is expanded, and valued later.
    with TemporaryDirectory() as folder:
        table = solve_on_disk(game, folder, progress=stop_beyond(case["positions"], 2))
        first = table.probe(game.initial_state())
        yield from compare("value", case["value"], first.utilities[0])
        yield from compare("plies", case["plies"], first.plies)
        yield from compare("positions", case["positions"], len(table))
        found = {str(tier["tier"]): [tier[key] for key in COLUMNS] for tier in table.tiers}
    yield from compare("tiers", case["tiers"], found)
