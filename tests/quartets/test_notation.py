from __future__ import annotations

import json
from random import Random

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from deduce import Knowledge
from deduce.errors import BadInput
from deduce.logs.events import Log, read_log, write_log
from games.quartets.deal import layout
from games.quartets.events import Answer, Ask, Quartet
from games.quartets.game import Quartets
from games.quartets.notation import format_log
from games.quartets.session import Session
from games.quartets.setup import PRESETS, named_groups
from games.quartets.slots import SlotForm, slot_form
from games.quartets.states import SCHEMA, State, format_state, parse_masks, parse_state
from tests.quartets.test_deal_form import walk


@given(seed=st.integers(0, 10**9))
def test_transcripts_round_trip_as_text_and_as_json_lines(seed: int) -> None:
    random = Random(seed)
    invented = random.random() < 0.3
    preset = random.choice(list(PRESETS))
    groups = named_groups([4] * 3, invented=invented)
    game = evolve(
        Quartets.preset(
            preset, ("Ann", "Ben Bo", "C. D."), groups if not invented else named_groups([4] * 3)
        ),
        house=random.choice(["x", "y", "z"]),
        start=random.choice(["Ann", "Ben Bo"]),
        repetition=random.choice([None, 2, 3]),
        limit=random.choice([None, 50]),
        stop=random.random() < 0.5,
    )
    if invented:
        game = evolve(game, groups=groups, invented=True)
    session = Session.new(game)
    for _ in range(8):
        position = session.position
        if position.over:
            break
        if position.question is not None:
            text = random.choice(["yes", "no"])
        else:
            by = position.speaker()
            to = game.players[(by + 1) % 3]
            g, c = random.randrange(3), random.randrange(4)
            card = f"card {g}{c} of group {g}" if invented else game.cards[4 * g + c]
            text = f"{game.players[by]} asks {to} for {card}"
        try:
            session = session.say(text)
        except BadInput:
            continue
    written = session.text()
    assert Quartets.parse_log(written) == Log(session.game, session.log)
    again = read_log(write_log(session.game, session.log), Quartets)
    assert again == Log(session.game, session.log)


def state_json(state: State) -> dict[str, object]:
    """Return a state as a JSON object, which `parse_state` reads."""
    form = state.form
    fields: dict[str, object] = {
        "schema": SCHEMA,
        "players": list(state.players),
        "groups": {name: list(cards) for name, cards in state.groups.items()},
    }
    if isinstance(form, SlotForm):
        hands = [[state.names_of(place) for place in hand] for hand in form.hands]
        return fields | {"slots": dict(zip(state.players, hands, strict=True))}
    names = list(state.groups)
    unknown = [(form.open & mask).bit_count() for mask in form.table.masks]
    pairs = [(p, g) for p in range(len(state.players)) for g in range(len(names))]
    who = state.players
    return fields | {
        "hands": list(form.hands()),
        "aside": [name for g, name in enumerate(names) if form.aside >> g & 1],
        "has": {who[p]: state.names_of(form.located[p]) for p in range(len(who))},
        "not": {who[p]: state.names_of(form.open & ~form.may[p]) for p in range(len(who))},
        "least": [[who[p], names[g], form.low[p][g]] for p, g in pairs if form.low[p][g]],
        "most": [
            [who[p], names[g], form.high[p][g]] for p, g in pairs if form.high[p][g] < unknown[g]
        ],
    }


@given(seed=st.integers(0, 10**9))
def test_states_round_trip_as_text_and_json(seed: int) -> None:
    for game, position, _ in walk(seed, steps=10)[-2:]:
        state = State(game.players, game.groups, position.form)
        for again in (parse_state(format_state(state)), parse_state(json.dumps(state_json(state)))):
            assert again.players == state.players
            assert again.groups == state.groups
            assert state_json(again) == state_json(state)
            assert again.form.is_valid
        if not game.silence and game.deal_quartet:
            slots = State(game.players, game.groups, slot_form(position.form))
            assert parse_state(format_state(slots)) == slots
            assert parse_state(json.dumps(state_json(slots))) == slots


def test_bare_bitmasks_are_a_slot_form() -> None:
    state = parse_masks("0x3, 3 / 4")
    assert state is not None
    assert state.form.is_valid
    assert state.players == ("hand 1", "hand 2")
    assert parse_masks("game.quartets") is None
    with pytest.raises(BadInput, match="more than 1000 identities"):
        parse_masks("9" * 500)
    places = "quartets slots\nplayers: Ann, Ben\ngroups: 1 of 3\nAnn: 0x1, 3\nBen: "
    assert parse_state(f"{places}2").form.hands == ((1, 3), (2,))
    with pytest.raises(BadInput, match="no card is called"):
        parse_state(f"{places}1\t2")


def test_bounds_that_exclude_each_other_are_an_invalid_state() -> None:
    head = "quartets deal\nplayers: Ann, Ben\ngroups: 2 of 2\nhands: 2, 2\n"
    state = parse_state(f"{head}Ann at least 2 of a\nAnn at most 1 of a")
    assert not state.form.is_valid


def test_a_finished_game_is_written_and_read() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2]), (2, 0))
    session = Session.new(game).say("declare a")
    assert session.position.over == "complete"
    assert Quartets.parse_log(format_log(game, session.log)) == Log(game, session.log)


def test_invented_names_may_have_of_in_them() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    for card in ("ace of spades of aces", "ace of spades", "ace of house of cards"):
        session = Session.new(game).say(f"Ben {card}").say("no").say(f"Ann {card}")
        assert Quartets.parse_log(session.text()) == Log(session.game, session.log)


def test_what_has_no_name_yet_is_named_by_the_statement() -> None:
    blank = Quartets(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    session = Session.new(blank).tell(Ask("Ann", "Ben", "?1.1")).say("Ben: yes")
    session = session.tell(Ask("Ann", "Ben", session.game.cards[1]))
    assert [event.card for event in session.log if isinstance(event, Ask)] == ["a1", "a2"]
    assert Quartets.parse_log(session.text()) == Log(session.game, session.log)
    declared = Session.new(blank).say("Ann declares fish")
    assert declared.position.won == ((0, 0),)
    assert Quartets.parse_log(declared.text()) == Log(declared.game, declared.log)
    with pytest.raises(BadInput, match=r"'\?2' has '\?' in its name"):
        declared.say("Ben declares ?2")


def test_an_undo_takes_a_name_back() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    session = Session.new(game).say("Ann asks Ben for cod of fsh").upto(0)
    assert session.game == game
    session = session.say("Ann asks Ben for cod of fish").say("no").say("Ann oak of tree")
    assert session.game.group_names == ("fish", "tree")
    assert list(session.upto(2).hints("legal"))[-1] == (
        "ask Ann for cod, another card of fish or a card of a new group"
    )


def test_a_place_without_a_card_is_not_read_back_as_the_card_called_0() -> None:
    state = parse_state("0 3")
    assert not state.form.is_valid
    for again in (parse_state(format_state(state)), parse_state(json.dumps(state_json(state)))):
        assert again == state
        assert not again.form.is_valid


@given(masks=st.lists(st.lists(st.integers(0, 31), max_size=3), min_size=1, max_size=4))
def test_all_slot_states_round_trip(masks: list[list[int]]) -> None:
    names = tuple(f"p{p}" for p in range(len(masks)))
    cards = ("0", "1", "3", "0x1", "a 1"), tuple(f"c{c}" for c in range(9))
    form = SlotForm(layout(len(masks), (5, 9)), masks)
    state = State(names, dict(zip(("a", "b"), cards, strict=True)), form)
    assert parse_state(format_state(state)) == state
    assert parse_state(json.dumps(state_json(state))) == state


def test_names_that_could_not_be_read_back_are_refused_in_states() -> None:
    for name in ("a|b", "-", "?", "a, b", "a: b"):
        document = {"players": ["A", "B"], "groups": {"a": [name, "y"]}, "hands": [1, 1]}
        with pytest.raises(BadInput, match=r"name|called"):
            parse_state(json.dumps(document))


SHORT = [
    "ask Ben a2",
    "yes",
    "Ask Ben for b1",
    "n",
    "Cid b2",
    "NO",
    "asks Ben a1",
    "y",
    "Ben for c1",
    "Ben: no",
    "declare a",
]
FULL = """Ann asks Ben for a2
Ben: yes
Ann asks Ben for b1
Ben: no
Ben asks Cid for b2
Cid: no
Cid asks Ben for a1
Ben: yes
Cid asks Ben for c1
Ben: no
"""


def test_short_statements_are_read_in_files_sessions_and_knowledge() -> None:
    head = "quartets\nplayers: Ann, Ben, Cid\ngroups: 3 of 4\n"
    full = Quartets.parse_log(head + FULL)
    short = "".join(f"  {line}  # short\n" for line in SHORT[:-1])
    assert Quartets.parse_log(head + short) == full
    assert full.lines == tuple(range(4, 14))
    session = Session.new(full.game)
    for line in SHORT[:-1]:
        session = session.say(line)
    assert session.log == full.events
    knowledge = Knowledge(full.game).tell(*SHORT[:-1])
    assert knowledge == Knowledge.of(full)
    assert knowledge.replace(2, "n").log[1] == Answer("Ben", False)
    assert knowledge.tell(SHORT[-1]).log[-1] == Quartet("Ben", "a")


def test_a_question_that_was_denied_before_is_noticed() -> None:
    game = Quartets(("Ann", "Ben", "Cid"), named_groups([4, 4, 4]))
    lines = ["Ben a1", "no", "Ann b1", "no", "Ben a1", "no", "Cid a1", "yes", "Ann c1", "no"]
    knowledge = Knowledge(game).tell(*lines, "Ben a1", "yes")  # since then, Ben was given it
    assert [notice.event for notice in knowledge.notices()] == [5]
