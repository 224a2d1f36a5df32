"""Wrong input is refused at every entrance, from Python as from files; odd input is noted."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path
from typing import Any

import pytest

import deduce
from deduce.errors import BadInput
from deduce.logs.events import write_log
from games.cluedo import (
    DECKS,
    Accusation,
    Cluedo,
    Hand,
    Has,
    OneOf,
    Show,
    Suggestion,
)

GAME = Cluedo(("Kim", "Raj", "Zoe"))
PLUM, ROPE, STUDY = "Professor Plum", "Rope", "Study"
TRIPLE = (PLUM, ROPE, STUDY)
HEAD = "players: Kim, Raj, Zoe\n"


# Values


def test_a_game_and_its_events_are_hashable_and_their_repr_rebuilds_them() -> None:
    made = [
        Cluedo(["Kim", "Raj"], {"x": ["a", "b"], "y": ("c", "d")}, [1, None], me="Kim"),
        Cluedo(("Kim", "Raj"), free_suggestions=True),
        Suggestion("Kim", list(TRIPLE), ["Raj"], [Show("Zoe")]),
        OneOf("Kim", [PLUM, ROPE], ["Raj"]),
        Hand("Kim", [PLUM]),
    ]
    for value in made:
        assert eval_repr(value) == value
        assert hash(value) == hash(copy.deepcopy(value)) == hash(pickle.loads(pickle.dumps(value)))  # noqa: S301


def eval_repr(value: Any) -> Any:
    names = {name: getattr(deduce, name, None) for name in dir(deduce)}
    names |= {cls.__name__: cls for cls in (Cluedo, Suggestion, OneOf, Hand, Show)}
    return eval(repr(value), names)  # noqa: S307


def test_the_deck_of_a_game_cannot_be_changed() -> None:
    for deck in (GAME.deck, DECKS["clue"]):
        with pytest.raises(TypeError, match="cannot be changed"):
            deck["suspect"] = ()  # type: ignore[index]
    assert Cluedo(("A", "B"), {"x": ("a", "b"), "y": ("c",)}) != Cluedo(
        ("A", "B"), {"y": ("c",), "x": ("a", "b")}
    ), "the order of the categories is that of the sheet"


# Refused


WRONG = [
    ("kim: plum", "a suggestion names one suspect, one weapon and one room; here no weapon and no"),
    ("kim: plum peacock rope", "Professor Plum and Mrs Peacock are of the same category"),
    ("kim: wh ca lou > k", "'>' is not part of the notation"),
    ("kim: plum, rope, lounge, kitchen", "Lounge and Kitchen are of the same category (room)"),
    ("kim accuses plum: wrong", "an accusation names one suspect, one weapon and one room"),
    ("kim: r r h", "can be read as Reverend Green, Revolver and Hall or as"),
    ("kim: plum rope study; raj | zoe -", "'|' is not part"),
]


@pytest.mark.parametrize(("line", "message"), WRONG)
def test_wrong_lines_are_refused_with_what_would_be_right(line: str, message: str) -> None:
    for read in (
        GAME.parse_event,
        deduce.Knowledge(GAME).tell,
        lambda line: Cluedo.parse_log(HEAD + line),
    ):
        with pytest.raises(BadInput, match=re.escape(message)):
            read(line)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Suggestion("Bob", TRIPLE), "no player is called 'Bob'"),
        (Accusation("Bob", TRIPLE), "no player is called 'Bob'"),
        (Suggestion("Kim", (PLUM, ROPE, ROPE)), "Rope is named twice"),
        (Suggestion("Kim", (PLUM,)), "no weapon and no room is named"),
        (Suggestion("Kim", (PLUM, "Mrs Peacock", ROPE)), "the same category"),
        (Suggestion("Kim", TRIPLE, ("Kim",)), "Kim suggests and cannot answer"),
        (Has("Bob", ROPE), "no holder is called 'Bob'"),
        (Has("Kim", "Ropp"), "did you mean 'Rope'"),
        (5, "not an event of cluedo"),
        (Show("Kim"), "not an event of cluedo"),
    ],
)
def test_wrong_events_are_refused_from_python(event: Any, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        deduce.Knowledge(GAME).tell(event)
    with pytest.raises(BadInput, match=message):
        deduce.Knowledge(GAME, [event])


@pytest.mark.parametrize(
    "make",
    [
        lambda: Suggestion("Kim", "Rope"),
        lambda: Suggestion("Kim", (1, 2, 3)),  # type: ignore[arg-type]
        lambda: Suggestion("Kim", TRIPLE, (), [("Raj", "Rope")]),  # type: ignore[list-item]
        lambda: Suggestion("Kim", TRIPLE, "Raj"),
        lambda: Has("Kim", ROPE, "Raj"),
        lambda: Cluedo("Kim Raj"),
        lambda: Cluedo(("Kim",)),
        lambda: Cluedo(()),
        lambda: Cluedo(("Kim", "Raj"), hands=(9.0, 9)),  # type: ignore[arg-type]
        lambda: Cluedo(("Kim", "Raj"), hands="99"),  # type: ignore[arg-type]
        lambda: Cluedo(("Kim", "Raj"), undealt="2"),  # type: ignore[arg-type]
        lambda: Cluedo(("Kim", "Raj"), deck="classic"),  # type: ignore[arg-type]
        lambda: Cluedo(("Kim", "Raj"), deck={"x": "ab"}),
        lambda: Cluedo(("Kim", "Raj"), me="Bob"),
    ],
)
def test_wrong_types_are_refused(make: Any) -> None:
    with pytest.raises(BadInput):
        make()


def test_a_set_up_can_allow_any_cards() -> None:
    log = Cluedo.parse_log(HEAD + "suggestions: free\nkim: plum peacock; raj -\nkim: plum\n")
    assert [event.cards for event in log.events] == [(PLUM, "Mrs Peacock"), (PLUM,)]
    assert log.game == Cluedo(("Kim", "Raj", "Zoe"), free_suggestions=True)
    assert Cluedo.parse_log(log.game.format_log(log.events)) == log
    assert deduce.read(write_log(log.game, log.events), Cluedo).log == log.events
    assert '"free_suggestions": true' in write_log(log.game, log.events)
    assert Cluedo.parse_log(HEAD + "suggestions: complete\n").game == GAME
    with pytest.raises(BadInput, match="line 2, column 14: `suggestions: free` if"):
        Cluedo.parse_log(HEAD + "suggestions: some\n")


# Noted


# Logs of earlier versions


def test_logs_written_by_version_0_1_are_still_read() -> None:
    data = Path(__file__).parents[1] / "data" / "v0.1" / "cluedo_logs.json"
    for recorded in json.loads(data.read_text(encoding="utf-8"))["logs"]:
        text = deduce.read(recorded["text"], Cluedo)
        assert deduce.read(recorded["json"], Cluedo) == text
        assert isinstance(text.game, Cluedo)
        assert len(text.log) == recorded["events"]
        assert str(text.count()) == recorded["deals"]
        assert text.game.format_log(text.log) == recorded["text"]
        assert write_log(text.game, text.log) == recorded["json"]
