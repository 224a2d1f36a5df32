"""Recorded cases, replayed: simulated games and inferences; every expected field is compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deduce.logs.case_forms import of_form, read_forms
from deduce.testing.cases import Difference, compare
from games.pigs.game import Pigs
from games.pigs.inference import answer_fields, infer
from games.pigs.setup import parse_deal
from games.pigs.simulation import Outcome, Play, format_outcome, simulate

__all__ = ["inference", "simulation", "simulation_fields"]


FORMS = read_forms("games.pigs")
"""The forms of the cases, by their kinds."""


@of_form(FORMS["simulation"])
def simulation(case: Mapping[str, Any], *, play: type[Play] = Play) -> Iterator[Difference]:
    """Yield what differs in a game of a ``pigs/simulation`` or ``pigs/published`` file.

    Parameters
    ----------
    case
        The deal and what the contest's programs print.
    play
        The class that plays; tests pass variants with one rule changed.
    """
    outcome = simulate(parse_deal(contest_text(case)), play=play)
    # Hands are compared as the lines of output that the contest judges, without trailing blanks.
    expected = {
        "output": "\n".join([case["winner"], *map(" ".join, map(_words, case["hands"]))]),
        **{name: case[name] for name in ("turns", "drawn", "chainmax")},
    }
    yield from compare("game", expected, simulation_fields(outcome))


def contest_text(case: Mapping[str, Any]) -> str:
    """Return the case's deal in the contest's text format."""
    rows = [f"{case['n']} {case['m']}"]
    rows += [" ".join([role, *cards]) for role, cards in case["players"]]
    return "\n".join([*rows, " ".join(case["deck"])])


def _words(hand: str) -> list[str]:
    return [hand] if hand == "DEAD" else list(hand)


def simulation_fields(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome with the fields of the case files."""
    output = "\n".join(line.rstrip() for line in format_outcome(outcome).split("\n")[:-1])
    return {
        "output": output,
        "turns": outcome.turns,
        "drawn": outcome.drawn,
        "chainmax": outcome.longest_chain,
    }


@of_form(FORMS["inference"])
def inference(case: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield what differs in a log of a ``pigs/inference`` file."""
    names = ("vectors", "total", "p_rebel", "possible", "certain", "factors")
    expected = {name: case[name] for name in names}
    yield from compare("answer", expected, answer_fields(infer(Pigs.log_from_json(case))))
