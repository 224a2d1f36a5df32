"""CP-SAT answers every yes/no field of the recorded cases as recorded: a sample.

All of them: ``python -m tests.engines.cpsat_cases``.
"""

from __future__ import annotations

import pytest

from tests.commands import context
from tests.engines.cpsat_cases import KINDS, Case, differences, document


def size(case: Case) -> int:
    """Return the length of the log of a case, or the number of its places."""
    events = case.get("events") or case.get("log") or case.get("slots") or ()
    return len(events)


EVERY = {"cluedo_exact": 5, "pigs_inference": 18, "quartets_transcripts": 20}
"""One of how many cases of a kind is replayed, in the order of their sizes; else all."""


@pytest.mark.parametrize("kind", KINDS)
def test_cpsat_answers_recorded_yes_no_fields_as_recorded(kind: str) -> None:
    cases = sorted(document(kind), key=size)
    if kind in EVERY:
        cases = cases[: len(cases) * 4 // 5 : EVERY[kind]]
    assert len(cases) >= 4
    assert [line for case in cases for line in differences(kind, case)] == []


def test_a_wrong_expectation_is_found() -> None:
    for kind, field in (("quartets_potentials", "valid"), ("pigs_inference", "certain")):
        case = min(document(kind), key=size)
        spoiled = {**case, field: not case[field] if field == "valid" else {"2": "?"}}
        assert differences(kind, spoiled)


@pytest.mark.parametrize("names", [("cluedo", "check"), ("pigs", "check"), ("quartets", "check")])
def test_each_hidden_game_offers_the_engine(names: tuple[str, str]) -> None:
    (option,) = (p for p in context(*names).command.params if p.name == "engine")
    assert "cpsat" in str(option.to_info_dict())
