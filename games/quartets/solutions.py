"""Recorded solutions of whole games, solved again on disk: ``quartets/solutions``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from tempfile import TemporaryDirectory
from typing import Any

from deduce.caseforms import of_form
from deduce.cases import Difference, compare
from games.quartets.case_forms import SOLUTIONS
from games.quartets.game import Quartets
from games.quartets.search import PLAYERS, QuartetsGame
from games.quartets.setup import named_groups

__all__ = ["solutions"]


@of_form(SOLUTIONS)
def solutions(case: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield what differs in the solution of a game.

    Its value, which is how many groups each player can force against all others together; after how
    many statements they have them; and the number of positions up to the names of cards.
    """
    from deduce.search.tiers.solve import solve_on_disk, stop_beyond

    names, groups = PLAYERS[: case["players"]], named_groups(case["groups"])
    house = case.get("house", "x")
    game = QuartetsGame(Quartets(names, groups, house=house, **case["rules"]))
    # Each is collected, expanded and valued.
    with TemporaryDirectory() as folder:
        table = solve_on_disk(game, folder, progress=stop_beyond(case["positions"], 3))
        first = table.probe(table.root)
        yield from compare("value", case["value"], list(first.utilities))
        yield from compare("plies", case["plies"], list(first.secured_in))
        yield from compare("positions", case["positions"], len(table))
