"""Recorded cases of logs, for every hidden game: what a log proves, compared with the answers.

The format is ``GAME/logs``; a case has these fields:

=============  ==================================================================================
``log``        the text of a log
``viewer``     whose view: ``"RECORD"`` (the default), the name of a player, or null (bystander)
``expected``   what is compared, each field optional:
               ``worlds``, a whole number or its digits as text;
               ``certain``, from variables to their only value, for all that have one;
               ``probabilities``, from claims to fractions such as ``"1/3"``;
               ``verdicts``, from claims to ``"certain"``, ``"impossible"`` or ``"open"``
=============  ==================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from deduce.constraints import Fact
from deduce.errors import BadInput, Contradiction
from deduce.knowledge import Knowledge
from deduce.logs.case_forms import of_form
from deduce.logs.claims import parse_viewer
from deduce.logs.events import read_log
from deduce.logs.problem_json import FORMS
from deduce.show.jsonable import world_json
from deduce.system import registry
from deduce.testing.cases import Difference, compare

__all__ = ["replay"]


@of_form(FORMS["log case"])
def replay(case: Mapping[str, Any], *, game: str) -> Iterator[Difference]:
    """Yield each expected answer about a log that is given otherwise.

    Raises
    ------
    BadInput
        It is not a case of a log of this game, or expects nothing.
    """
    expected = case["expected"]
    if not expected:
        raise BadInput("the case has nothing to compare: 'expected' is empty")
    log = read_log(case["log"], registry.load(registry.find(game).hidden))
    viewer = case.get("viewer", "RECORD")
    knowledge = Knowledge.of(log, viewer=viewer and parse_viewer(log.game, viewer))
    # What the posterior needs answers the other questions too, so it is asked for first.
    for text, share in expected.get("probabilities", {}).items():
        yield from compare(f"expected.probabilities.{text}", share, _probability(knowledge, text))
    if "worlds" in expected:
        yield from compare("expected.worlds", int(expected["worlds"]), knowledge.count())
    if "certain" in expected:
        found = {v: str(x) for v, x in (world_json(knowledge.certain()) or {}).items()}
        yield from compare("expected.certain", expected["certain"], found)
    for text, verdict in expected.get("verdicts", {}).items():
        yield from compare(f"expected.verdicts.{text}", verdict, knowledge.why(text).verdict)


def _probability(knowledge: Knowledge, text: str) -> str | None:
    """Return the probability of a claim as a fraction; ``None`` where no world is possible."""
    try:
        claim = knowledge.claim(text)
        if isinstance(claim, Fact):
            row = knowledge.posterior()[claim.variable]
            return str(sum((row.get(value, Fraction(0)) for value in claim.values), Fraction(0)))
        return str(knowledge.probability(text))
    except Contradiction:
        return None
