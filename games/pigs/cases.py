"""Replaying recorded cases: simulated games and inferences, every expected field compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deduce.cases import CaseResult, compare
from deduce.errors import DeduceError
from games.pigs.contest import format_outcome, parse_deal
from games.pigs.infer import Inference, infer
from games.pigs.logtext import log_from_json
from games.pigs.simulate import Outcome, Play, simulate

__all__ = ["inference_fields", "replay_inference", "replay_simulation", "simulation_fields"]


def replay_simulation(
    document: Mapping[str, Any], *, play: type[Play] = Play
) -> Iterator[CaseResult]:
    """Yield the result of every game of a ``pigs/simulation`` or ``pigs/published`` file.

    Parameters
    ----------
    document
        The file's content; games stand under ``cases`` and, if there, ``crafted``.
    play
        The class that plays; tests pass variants with one rule changed.
    """
    for case in [*document["cases"], *document.get("crafted", ())]:
        try:
            outcome = simulate(parse_deal(contest_text(case)), play=play)
        except DeduceError as error:
            found: Mapping[str, Any] = {"error": str(error)}
        else:
            found = simulation_fields(outcome)
        # The hands are compared as the lines that the contest wants printed, without blanks at
        # their ends: that is what its programs are judged by.
        expected = {
            "output": "\n".join([case["winner"], *map(" ".join, map(_words, case["hands"]))]),
            **{name: case[name] for name in ("turns", "drawn", "chainmax")},
        }
        yield CaseResult(case["id"], tuple(compare("game", expected, found)))


def contest_text(case: Mapping[str, Any]) -> str:
    """Return the case's deal in the contest's text format."""
    rows = [f"{case['n']} {case['m']}"]
    rows += [" ".join([role, *cards]) for role, cards in case["players"]]
    return "\n".join([*rows, " ".join(case["deck"])])


def _words(hand: str) -> list[str]:
    return [hand] if hand == "DEAD" else list(hand)


def simulation_fields(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome in the words of the case files."""
    output = "\n".join(line.rstrip() for line in format_outcome(outcome).split("\n")[:-1])
    return {
        "output": output,
        "turns": outcome.turns,
        "drawn": outcome.drawn,
        "chainmax": outcome.longest_chain,
    }


def replay_inference(document: Mapping[str, Any]) -> Iterator[CaseResult]:
    """Yield the result of every log of a ``pigs/inference`` file."""
    for case in document["cases"]:
        try:
            found: Mapping[str, Any] = inference_fields(infer(log_from_json(case)))
        except DeduceError as error:
            found = {"error": str(error)}
        names = ("vectors", "total", "p_rebel", "possible", "certain", "factors")
        expected = {name: case[name] for name in names}
        yield CaseResult(case["id"], tuple(compare("answer", expected, found)))


def inference_fields(found: Inference) -> dict[str, Any]:
    """Return an inference in the words of the case files: exact fractions and integers as text."""
    return {
        "vectors": [
            ["".join(role[0] for role in roles), str(weight)]
            for roles, weight in found.vectors.items()
        ],
        "total": str(found.total),
        "p_rebel": [str(p) for p in found.rebel],
        "possible": [list(roles) for roles in found.possible],
        "certain": {str(seat): role for seat, role in found.certain.items()},
        "factors": [{r: str(w) for r, w in factor.items()} for factor in found.factors],
    }
