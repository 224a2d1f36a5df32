"""Answers as JSON objects; each has a ``schema``, exact numbers stand as text."""

from __future__ import annotations

from typing import Any

import attrs

from games.pigs.cards import CARDS
from games.pigs.contest import format_deal
from games.pigs.events import Declare, Draw, Event, Suspect
from games.pigs.infer import Inference
from games.pigs.logtext import log_to_json
from games.pigs.notation import event_to_json
from games.pigs.puzzle import Puzzle
from games.pigs.simulate import Deal, Outcome
from games.pigs.timeline import Timeline
from games.pigs.why import Why

__all__ = [
    "deal_to_json",
    "inference_to_json",
    "outcome_to_json",
    "puzzle_to_json",
    "timeline_to_json",
    "why_to_json",
]


def deal_to_json(deal: Deal) -> dict[str, Any]:
    """Return a deal: roles, hands, pile, and the contest's text."""
    return {
        "schema": "deduce/pigs-deal/1",
        "roles": list(deal.roles),
        "hands": list(deal.hands),
        "pile": deal.pile,
        "text": format_deal(deal),
    }


def outcome_to_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome with its trace; a dead seat's hand is null."""
    return {
        "schema": "deduce/pigs-game/1",
        "winner": outcome.winner,
        "hands": list(outcome.hands),
        "turns": outcome.turns,
        "drawn": outcome.drawn,
        "longest_chain": outcome.longest_chain,
        "trace": [_event(event) for event in outcome.trace],
    }


def _event(event: Event) -> list[int | str]:
    if isinstance(event, Draw | Declare | Suspect):
        return [type(event).__name__.lower(), *attrs.astuple(event)]
    return event_to_json(event)


def inference_to_json(found: Inference) -> dict[str, Any]:
    """Return everything an inference says, in the words of the case files and more."""
    return {
        "schema": "deduce/pigs-inference/1",
        "possible": [list(roles) for roles in found.possible],
        "certain": {str(seat): role for seat, role in found.certain.items()},
        "p_rebel": [str(p) for p in found.rebel],
        "vectors": [
            ["".join(role[0] for role in roles), str(weight)]
            for roles, weight in found.vectors.items()
        ],
        "total": str(found.total),
        "factors": [{r: str(w) for r, w in factor.items()} for factor in found.factors],
        "holds": [
            {card: str(found.holds(seat, card)) for card in CARDS}
            for seat in range(1, found.players + 1)
        ],
    }


def why_to_json(answer: Why) -> dict[str, Any]:
    """Return an explanation: event numbers count from 1."""
    return {
        "schema": "deduce/pigs-why/1",
        "seat": answer.seat,
        "role": answer.role,
        "events": list(answer.events),
        "rules": list(answer.rules),
        "reasons": [
            {"seat": reason.seat, "rule": reason.rule, "sentence": reason.sentence}
            for reason in answer.reasons
        ],
    }


def timeline_to_json(story: Timeline) -> dict[str, Any]:
    """Return the probabilities after every event and the certainties in their order."""
    return {
        "schema": "deduce/pigs-timeline/1",
        "moments": [
            {
                "number": moment.number,
                "event": moment.event and event_to_json(moment.event),
                "p_rebel": [str(p) for p in moment.rebel],
                "total": str(moment.total),
            }
            for moment in story.moments
        ],
        "certain": [attrs.asdict(known) for known in story.certain],
    }


def puzzle_to_json(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle with its solution."""
    return {
        "schema": "deduce/pigs-puzzle/1",
        "log": log_to_json(puzzle.log),
        "solution": list(puzzle.roles),
        "why": [why_to_json(answer) for answer in puzzle.reasons],
    }
