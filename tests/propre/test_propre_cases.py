"""The recorded and derived cases, replayed; and that the runner sees what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deduce.search import explore, solve
from deduce.testing.cases import CaseResult, replay
from games.propre.game import OpenGame, open_game
from games.propre.rules import Rules
from games.propre.setup import parse_cards

DATA = Path(__file__).parents[1] / "data"


def test_the_search_in_memory_has_the_recorded_solution() -> None:
    case = json.loads((DATA / "propre_solutions.json").read_text(encoding="utf-8"))["cases"][0]
    game = open_game(" ".join(case["deck"]), hand=case["hand"])
    solution = solve(game, symmetric=True)
    assert solution.values[0] == (case["value"], -case["value"])
    assert solution.distances[0] == case["plies"]


def _changed(kind: str, tmp_path: Path, number: int, *path: str, value: Any) -> CaseResult:
    document = json.loads((DATA / f"propre_{kind}.json").read_text(encoding="utf-8"))
    case = document["cases"][number]
    document["cases"] = [case]
    for name in path[:-1]:
        case = case[name]
    case[path[-1]] = value
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return next(replay(file))


@pytest.mark.parametrize(
    ("kind", "number", "path", "value"),
    [
        ("options", 0, ("options",), [["none"]]),
        ("transitions", 5, ("over",), True),
        ("transitions", 5, ("after", "MV"), 7),
        ("transitions", 5, ("next_options",), None),
        ("transitions", 5, ("sub_options",), ["up"]),
        ("transitions", 0, ("drawn",), ["2C"]),
        ("games", 3, ("finished",), False),
        ("games", 3, ("moves",), [{"o": ["attack", "KD"], "s": None, "d": [], "k": 1}]),
        ("solved", 16, ("spec", "states"), 211),
        ("solved", 16, ("cpp", "dtw"), 99),
        ("solved", 16, ("cpp", "root"), [[["none"], None, 0]]),
        ("derived", 1, ("prompt",), False),
        ("derived", 1, ("AV_all",), 4),
    ],
)
def test_a_changed_case_is_found(
    kind: str, number: int, path: tuple[str, ...], value: Any, tmp_path: Path
) -> None:
    assert _changed(kind, tmp_path, number, *path, value=value).differences


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("players",), 5, "players: expected a whole number from 2 to 4, not 5"),
        (("end",), {"active": 0}, "end has no field 'hands'"),
    ],
)
def test_a_case_of_another_form_is_told(
    path: tuple[str, ...], value: Any, message: str, tmp_path: Path
) -> None:
    assert message in str(_changed("games", tmp_path, 3, *path, value=value).error)


@pytest.mark.parametrize(
    ("deck", "hand", "states"), [("5H 4H 3H 2H 7H", 1, 213), ("6H 2H 6S AH AS 2S", 2, 742)]
)
def test_deals_with_option_2_have_as_many_states_as_a_second_program_counts(
    deck: str, hand: int, states: int
) -> None:
    cards = parse_cards(deck)
    suits = "".join(dict.fromkeys(card[1] for card in cards))
    rules = Rules(hand=hand, deck=cards, reshuffle=False, ace_suits=suits)
    assert len(explore(OpenGame(rules), symmetric=True)) == states
