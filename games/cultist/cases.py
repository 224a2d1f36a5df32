"""Replaying the recorded cases of Cultist Wars: one function for each kind of file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from deduce.logs.case_forms import of_form, read_forms
from deduce.search import alphabeta
from deduce.testing.cases import Difference, compare
from games.cultist.events import BadOrder, play_turn, resolve
from games.cultist.game import CultistWars
from games.cultist.notation import state_from_json, units_to_json
from games.cultist.rules import actions, is_over, result
from games.cultist.setup import LAST_TURN, State, line, new_state, x_of, y_of

__all__ = [
    "endgames",
    "games",
    "lines",
    "maps",
    "paths",
    "perft",
    "shots",
    "solutions",
    "state_of_case",
    "transitions",
]

Case = Mapping[str, Any]
_STATE_FIELDS = ("grid", "units", "turn", "rng", "player")
_FAULT_SCORE = -1
"""The score of a side that sent an invalid order."""


FORMS = read_forms("games.cultist")
"""The forms of the cases, by their kinds."""


def _differences(case: Case, actual: Case, *, given: str) -> Iterator[Difference]:
    """Yield the differences from the fields of a case, except its inputs, which ``given`` names."""
    inputs = {*given.split(), "id"}
    expected = {name: value for name, value in case.items() if name not in inputs}
    yield from compare("", expected, actual)


def state_of_case(case: Case) -> State:
    """Return the state in the fields ``grid units turn rng player`` of a case."""
    return state_from_json({name: case[name] for name in _STATE_FIELDS if name in case})


@of_form(FORMS["transitions"])
def transitions(case: Case) -> Iterator[Difference]:
    """Replay single turns: every part of a valid one, the error code of an invalid one."""
    return _differences(case, _transition(case), given="src grid units turn rng action")


def _transition(case: Case) -> dict[str, object]:
    state = state_of_case(case)
    actual: dict[str, object] = {"player": state.player, "counts": list(state.counts)}
    try:
        turn = play_turn(state, case["action"])
    except BadOrder as error:
        return {**actual, "valid": False, "error": error.code}
    after, mover = turn.after, turn.step.mover
    actual |= {
        "valid": True,
        "resolved": str(turn.action),
        "mid": units_to_json(turn.middle),
        "neutral": {
            "list": list(turn.step.listed),
            "roll": turn.step.roll,
            "move": None if mover is None else [mover, *_point(after.tiles[mover])],
        },
        "after": units_to_json(after),
        "rng_after": after.rng,
        "counts_after": list(after.counts),
        "over": is_over(after),
    }
    if turn.hit is not None:
        x, y = _point(turn.hit.tile)
        actual["hit"] = {"x": x, "y": y, "unit": turn.hit.unit, "damage": turn.hit.damage}
    return actual


def _point(tile: int) -> list[int]:
    return [x_of(tile), y_of(tile)]


@of_form(FORMS["shots"])
def shots(case: Case) -> Iterator[Difference]:
    """Replay shots: the unit or obstacle that is hit, the damage, and the remaining hit points."""
    turn = play_turn(state_of_case(case), case["action"])
    actual: dict[str, object] = {"hit": None}
    if turn.hit is not None:
        unit = turn.hit.unit
        kind = "obstacle" if unit is None else "target" if unit == turn.action.target else "unit"
        actual = {
            "hit": _point(turn.hit.tile),
            "kind": kind,
            "unit": unit,
            "damage": turn.hit.damage,
            "hp_after": None if unit is None else turn.middle.hp[unit],
        }
    return _differences(case, actual, given="grid units player action")


@of_form(FORMS["lines"])
def lines(case: Case) -> Iterator[Difference]:
    """Compare the tiles between a shooter and a target."""
    return _differences(case, {"cells": [list(c) for c in line(*case["d"])]}, given="d")


@of_form(FORMS["paths"])
def paths(case: Case) -> Iterator[Difference]:
    """Compare the actions that orders for distant goals become."""
    resolved = str(resolve(state_of_case(case), case["action"]))
    return _differences(case, {"resolved": resolved}, given="grid units player action")


@of_form(FORMS["maps"])
def maps(case: Case) -> Iterator[Difference]:
    """Compare the maps drawn from seeds."""
    return _differences(case, _start(new_state(int(case["seed"]))), given="seed")


def _start(state: State) -> dict[str, object]:
    return {"grid": list(state.board.grid), "units": units_to_json(state)}


@of_form(FORMS["games"])
def games(case: Case) -> Iterator[Difference]:
    """Replay whole games: the effect and the number of actions of each turn, and the scores."""
    state = new_state(int(case["seed"]))
    start = _start(state)
    turns: list[dict[str, object]] = []
    scores: list[int] | None = None
    for recorded in case["turns"]:
        if scores is not None:
            turns.append({"a": "(the game was over)"})
            continue
        count = len(actions(state))
        try:
            after = play_turn(state, recorded["a"]).after
        except BadOrder:
            after = state
            scores = [_FAULT_SCORE if side == state.player else 0 for side in range(2)]
        pairs = zip(units_to_json(state), units_to_json(after), strict=True)
        changed = [now for then, now in pairs if then != now]
        turns.append({"a": recorded["a"], "n": count, "rng": after.rng, "d": changed})
        state = after
        if scores is None and is_over(state):
            scores = list(state.counts)
    actual = {**start, "turns": turns, "scores": scores}
    return _differences(case, actual, given="seed policy")


@of_form(FORMS["perft"])
def perft(case: Case) -> Iterator[Difference]:
    """Compare the numbers of leaves at depth 1, 2, 3 and so on."""
    state = new_state(int(case["seed"])) if "seed" in case else state_of_case(case)
    counts = [leaves(state, depth) for depth in range(1, len(case["perft"]) + 1)]
    return _differences(case, {"perft": counts}, given="seed grid units turn rng")


def leaves(state: State, depth: int) -> int:
    """Return the number of leaves of the tree of ``depth`` turns, with games that end earlier."""
    if depth == 0 or is_over(state):
        return 1
    return sum(leaves(result(state, action), depth - 1) for action in actions(state))


@of_form(FORMS["endgames"])
def endgames(case: Case) -> Iterator[Difference]:
    """Compare the values of endgames and of their actions, and the sizes of their trees."""
    state = state_of_case(case)
    solved = alphabeta(CultistWars(state), all_values=True).uninterrupted()
    root = {str(action): value.utilities[0] for action, value in solved.root_values.items()}
    actual = {
        "counts": list(state.counts),
        "plies": LAST_TURN + 1 - state.turn,
        "value": None if solved.value is None else solved.value[0],
        "nodes": _tree_size(state),
        "root": root,
    }
    return _differences(case, actual, given="grid units turn player rng")


@of_form(FORMS["solutions"])
def solutions(case: Case) -> Iterator[Difference]:
    """Return what differs in a ``cultist/solutions`` case: an endgame solved on disk."""
    from deduce.testing.searched import compare_solution

    return compare_solution(CultistWars(state_of_case(case)), case)


def _tree_size(state: State) -> int:
    """Return the number of nodes of the game tree without pruning."""
    if is_over(state):
        return 1
    return 1 + sum(_tree_size(result(state, action)) for action in actions(state))
