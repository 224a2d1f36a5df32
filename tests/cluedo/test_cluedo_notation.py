from __future__ import annotations

import contextlib

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from deduce.errors import BadInput
from deduce.logs.events import Log, read_log, write_log
from games.cluedo import Cluedo
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Show, Suggestion
from tests.cluedo.strategies import events, games, records

FEW = settings(max_examples=15, suppress_health_check=list(HealthCheck))
GAME = Cluedo(players=("Ann", "Ben", "Cid", "Dan"), me="Ben")
PLUM, ROPE, HALL = "Professor Plum", "Rope", "Hall"


def suggestion(passes: str = "", shows: tuple[Show, ...] = ()) -> Suggestion:
    return Suggestion("Ann", (PLUM, ROPE, HALL), tuple(passes.split()), shows)


# Round trips


@FEW
@given(records())
def test_a_log_as_text_reads_back_equal(record: tuple[Cluedo, list[Event]]) -> None:
    game, log = record
    assert Cluedo.parse_log(game.format_log(log)) == Log(game, log)


@FEW
@given(records())
def test_a_log_as_json_reads_back_equal(record: tuple[Cluedo, list[Event]]) -> None:
    game, log = record
    assert read_log(write_log(game, log), Cluedo) == Log(game, log)


@FEW
@given(st.data())
def test_a_line_reads_back_equal(data: st.DataObject) -> None:
    game = data.draw(games())
    event = data.draw(events(game))
    line = game.format_event(event)
    assert len(line.splitlines()) == 1
    assert game.parse_event(line) == event


def test_the_order_of_categories_and_cards_is_kept() -> None:
    game = Cluedo(("A", "B"), {"z": ("2", "1"), "a": ("4", "3", "5")})
    read = Cluedo.parse_log(game.format_log([])).game
    assert list(read.deck.items()) == [("z", ("2", "1")), ("a", ("4", "3", "5"))]


# Only BadInput leaves the parsers

PIECES = st.sampled_from(
    ["Ann", "ben", "cid", "plum", "rope", "hall", "br", ":", ";", ",", "-", "->", "+", "?", "shows",
     "passes", "nobody", "no", "one", "of", "has", "not", "hand", "me", "(", "seen", "by", ")", "#",
     "accuses", "right", "wrong", '"Rope"', '"', "clockwise", "to", "or", "=", "!=", "players:",
     "deck:", "me:", "face up:", "undealt:", "6", "\n", "suspect:", "classic", "envelope", "\\",
     "no one", "9" * 5000, "é", "\ud800", "-" * 9]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map(" ".join) | st.text(max_size=60)


@settings(FEW)
@given(TEXTS)
@example('Ann: "\\ud800" ' + "plum " * 30)
@example('"' * 7)
def test_only_bad_input_leaves_the_parser_of_events(text: str) -> None:
    with contextlib.suppress(BadInput):
        GAME.parse_event(text)


@settings(FEW)
@given(TEXTS, st.booleans())
@example("players: " + "Ann, " * 3000, False)
@example("{", False)
@example("[" * 100_000, False)
def test_only_bad_input_leaves_the_parser_of_logs(text: str, headed: bool) -> None:
    try:
        read_log("players: Ann, Ben, Cid\n" * headed + text, Cluedo)
    except BadInput as error:
        line = error.line
    else:
        line = 1
    assert line


@given(records(), st.data())
@settings(FEW)
def test_a_json_log_cut_anywhere_is_bad_input_or_a_shorter_log(
    record: tuple[Cluedo, list[Event]], data: st.DataObject
) -> None:
    text = write_log(*record)
    cut = data.draw(st.integers(0, len(text)))
    try:
        read = read_log(text[:cut], Cluedo)
    except BadInput:
        return
    assert read == Log(record[0], record[1][: len(read.events)])


# What can be typed


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("Ann: plum rope hall", suggestion()),
        ("ANN:PLUM,ROPE/hall", suggestion()),
        ("a: prof. plum, rope and hall", suggestion()),
        ("ann suggests pp rope hall;", suggestion()),
        ("Ann: plum rope hall; Ben -; Cid shows rope", suggestion("Ben", (Show("Cid", ROPE),))),
        ("Ann: plum rope hall; Ben-, Cid + r", suggestion("Ben", (Show("Cid", ROPE),))),
        ("Ann: plum rope hall; Ben Cid -; Dan +", suggestion("Ben Cid", (Show("Dan"),))),
        ("Ann: plum rope hall; I pass; Cid shows ?", suggestion("Ben", (Show("Cid"),))),
        ("Ann: plum rope hall -> Cid + hall", suggestion("Ben", (Show("Cid", HALL),))),
        ("Ann: plum rope hall → Cid", suggestion("Ben", (Show("Cid"),))),
        ("Ann: plum rope hall clockwise to Dan shows", suggestion("Ben Cid", (Show("Dan"),))),
        ("Ann: plum rope hall; nobody", suggestion("Ben Cid Dan")),
        ("Ann: plum rope hall; no one shows", suggestion("Ben Cid Dan")),
        ("Ann: plum rope hall -> Cid -", suggestion("Ben Cid")),
        (
            "Ann: plum rope hall; Ben + hall, Cid -, Dan + plum",
            suggestion("Cid", (Show("Ben", HALL), Show("Dan", PLUM))),
        ),
        (
            "Ann: plum rope hall; Cid + ; -> Dan -",
            suggestion("Ben Dan", (Show("Cid"),)),
        ),
        ("dan: plum rope hall -> ben", Suggestion("Dan", (PLUM, ROPE, HALL), ("Ann",),
                                                  (Show("Ben"),))),
        ("ann: pe rev di", Suggestion("Ann", ("Mrs Peacock", "Revolver", "Dining Room"))),
        ("ann: rev gre, rev, h", Suggestion("Ann", ("Reverend Green", "Revolver", HALL))),
        ("ann: di pe rev", Suggestion("Ann", ("Dining Room", "Mrs Peacock", "Revolver"))),
        ("ann: mrs white, sp, s", Suggestion("Ann", ("Mrs White", "Spanner", "Study"))),
        ("ann: sc, sp, st", Suggestion("Ann", ("Miss Scarlett", "Spanner", "Study"))),
        ("Ann: plum rope hall; Ben shows h", suggestion(shows=(Show("Ben", HALL),))),
        ("Ann accuses plum rope hall: wrong", Accusation("Ann", (PLUM, ROPE, HALL))),
        ("Ann accuses plum, rope, hall; right", Accusation("Ann", (PLUM, ROPE, HALL), True)),
        ("Ben has rope", Has("Ben", ROPE)),
        ("Ben hasn't rope # he says", HasNot("Ben", ROPE)),
        ("Ben no rope", HasNot("Ben", ROPE)),
        ("envelope has not plum", HasNot("envelope", PLUM)),
        ("Ben does not have rope (known to me)", HasNot("Ben", ROPE, ("Ben",))),
        ("Ben has one of rope, hall", OneOf("Ben", (ROPE, HALL))),
        ("Ben has rope or hall (seen by Ann, Cid)", OneOf("Ben", (ROPE, HALL), ("Ann", "Cid"))),
        ("Ben has rope (seen by nobody)", Has("Ben", ROPE, ())),
    ],
)  # fmt: skip
def test_what_is_typed_at_the_table(text: str, event: Event) -> None:
    assert GAME.parse_event(text) == event


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("miss scarlett", "Miss Scarlett"), ("SCAR", "Miss Scarlett"), ("ms", "Miss Scarlett"),
        ("col must", "Colonel Mustard"), ("Reverend-Green", "Reverend Green"),
        ("leadpiping", "Lead Piping"), ("lp", "Lead Piping"), ("billiard", "Billiard Room"),
        ("dining room", "Dining Room"), ('"Study"', "Study"), ("mrs  peacock", "Mrs Peacock"),
    ],
)  # fmt: skip
def test_names_may_be_shortened_while_only_one_fits(typed: str, card: str) -> None:
    assert GAME.parse_event(f"Ann has {typed}") == Has("Ann", card)


def test_hand_without_a_name_is_the_hand_of_the_keeper() -> None:
    cards = "plum, rope, hall, study, lounge, dagger"
    log = Cluedo.parse_log(f"players: Ann, Ben 6, Cid 6\nme: ben\nhand: {cards}")
    assert log.events[0] == Hand("Ben", (PLUM, ROPE, HALL, "Study", "Lounge", "Dagger"))
    assert log.game.hands == (None, 6, 6)


def test_an_empty_hand_is_a_dash() -> None:
    game = Cluedo(("Ann", "Ben"), hands=(18, 0))
    assert game.parse_event("hand Ben: -") == Hand("Ben", ())
    assert game.format_event(Hand("Ben", ())) == "hand Ben: -"
    with pytest.raises(BadInput, match="no card is named"):
        game.parse_event("hand Ben:")


# What is wrong, where, and what would be right


def test_words_that_split_in_two_ways_are_refused() -> None:
    game = Cluedo(("Ann", "Ben"), {"x": ("a", "a b", "b c", "c", "d", "e")})
    with pytest.raises(BadInput, match="can be read as a and b c or as a b and c; write more"):
        game.parse_event("Ann has one of a b c")
    assert game.parse_event("Ann has one of a, b c") == OneOf("Ann", ("a", "b c"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann: plum rope hall; Ben +", "all cards that are named lie face up; no player can show"),
        ("Ann accuses plum dagger hall: right", "Professor Plum lies face up on the table"),
    ],
)
def test_what_lies_face_up_is_neither_shown_nor_in_the_envelope(text: str, told: str) -> None:
    game = Cluedo(("Ann", "Ben", "Cid"), face_up=("Professor Plum", "Rope", "Hall"))
    with pytest.raises(BadInput, match=told):
        game.parse_event(text)
    assert game.parse_event("Ann: plum dagger hall; Ben +")
    assert game.parse_event("Ann accuses plum dagger hall: wrong")
