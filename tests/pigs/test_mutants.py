"""Every deliberate mistake in one rule is found by a recorded game."""

from __future__ import annotations

import pytest

from games.pigs.simulation import Outcome, Play, format_outcome, simulate
from tests.pigs.mutants import MUTANTS
from tests.pigs.strategies import deal_of, simulations

READ_OTHERWISE = {8, 31, 33}
"""Mutants whose one-line description can be meant in more than one way: they are killed too, but
not by exactly the recorded games."""


def kills(mutant: type[Play]) -> set[str]:
    """Return the ids of the recorded games that a mutant gets wrong."""
    return {
        case["id"]
        for case in simulations()
        if output(simulate(deal_of(case), play=mutant, limit=1500))
        != [case["winner"], *case["hands"]]
    }


def output(outcome: Outcome) -> list[str]:
    return [line.replace(" ", "") for line in format_outcome(outcome).split("\n")[:-1]]


def test_there_are_29_mutants() -> None:
    assert len(MUTANTS) == 29


@pytest.mark.parametrize("number", MUTANTS)
def test_mutant_is_killed_by_the_recorded_games(number: int) -> None:
    found = kills(MUTANTS[number])
    recorded = {case["id"] for case in simulations() if number in case["kills"]}
    assert found & recorded
    if number not in READ_OTHERWISE:
        assert found == recorded
