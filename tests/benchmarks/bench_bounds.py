"""How often propagation and the Hamming bound decide alone, on the recorded cases of each game.

``python tests/benchmarks/bench_bounds.py`` prints the table of docs/benchmarks/bounds.md: of all
claims that the recorded cases show to be impossible, how many propagation refutes, how many more
the bound, and how many are left for a search. No figure depends on the machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deduce.constraints import is_
from deduce.engines.core.bounds import IMPOSSIBLE, Bounds
from deduce.engines.core.model import Model
from deduce.errors import Contradiction
from deduce.knowledge import Knowledge
from deduce.problem import Evidence, Problem
from games.cluedo.cases import recorded
from games.pigs.game import Pigs
from games.quartets.evidence import slot_problem
from games.quartets.flow import layout
from games.quartets.slots import SlotForm

DATA = Path(__file__).parents[1] / "data"


def cases(file: str) -> list[Mapping[str, Any]]:
    """Return the cases of a recorded file."""
    document: Mapping[str, Any] = json.loads((DATA / file).read_text())
    return list(document["cases"])


def cluedo() -> Iterator[Problem]:
    """Yield each recorded position with one holder that the exact table excludes."""
    for case in cases("cluedo_exact.json"):
        problem = recorded(case).problem
        exact = case["exact"]
        for card, row in exact["table"].items():
            for holder, mark in zip(exact["holders"], row, strict=True):
                if mark == "N":
                    yield problem.with_evidence(Evidence(is_(card, holder), None))


def quartets() -> Iterator[Problem]:
    """Yield each recorded list of potentials that is invalid."""
    for case in cases("quartets_potentials.json"):
        if not case["valid"]:
            form = SlotForm(layout(1, (case["n_ids"],)), (tuple(case["slots"]),))
            try:
                yield slot_problem(form)
            except Contradiction:
                continue


def pigs() -> Iterator[Problem]:
    """Yield every fourth recorded log with one role that is impossible."""
    for case in cases("pigs_inference.json")[::4]:
        if case["viewpoint"] or case["open_hands"] or len(case["log"]) > 100:
            continue
        problem = Knowledge.of(Pigs.log_from_json(case)).problem
        for seat, roles in enumerate(case["possible"], start=1):
            variable = ("role", seat)
            for role in problem.domains.get(variable, ()):
                if role not in roles:
                    yield problem.with_evidence(Evidence(is_(variable, role), None))


def tally(problems: Iterator[Problem]) -> tuple[int, int, int]:
    """Return how many there are, how many propagation refutes, and how many more the bound."""
    number = propagated = bounded = 0
    for problem in problems:
        number += 1
        bounds = Bounds(Model(problem))
        left = bounds.narrow(bounds.start)
        if left == IMPOSSIBLE:
            propagated += 1
        elif bounds.refutes(left):
            bounded += 1
        else:
            assert not Knowledge(problem).is_consistent(), "the case is possible after all"
    return number, propagated, bounded


if __name__ == "__main__":
    for game, problems in (("cluedo", cluedo()), ("quartets", quartets()), ("pigs", pigs())):
        number, propagated, bounded = tally(problems)
        rest = number - propagated - bounded
        print(f"{game:<10} {number:>6} impossible: {propagated} by propagation, {bounded} more by")
        print(f"{'':<10} the bound, {rest} left for a search ({rest / number:.1%})")
