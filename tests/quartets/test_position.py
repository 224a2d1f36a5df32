from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from deduce.errors import BadInput
from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.game import Quartets
from games.quartets.players import choose
from games.quartets.position import (
    actions,
    answers,
    declarable,
    position_after,
    questions,
    start_position,
    turn_after,
    winner_of,
)
from games.quartets.session import Session
from games.quartets.setup import PRESETS, named_groups, readings
from tests.quartets.oracle import small_game
from tests.quartets.test_deal_form import walk

PAIRS = Quartets(("Ann", "Ben", "Cid"), named_groups([2, 2, 2]), repetition=None)


def after(game: Quartets, *events: Event) -> Session:
    return Session.new(game, events)


def test_questions_and_answers_are_those_that_leave_a_deal() -> None:
    for seed in range(40):
        for game, position, oracle in walk(seed, steps=8):
            if position.over or position.question is not None:
                continue
            name = game.players[position.speaker()]
            expected = {}
            for card in game.cards:
                for to, n in zip(game.players, position.form.hands(), strict=True):
                    if to == name or not n:
                        continue
                    asked = oracle.tell(Ask(name, to, card))
                    if asked.deals and position.form.hands()[position.speaker()]:
                        told = [bool(asked.tell(Answer(to, yes)).deals) for yes in (True, False)]
                        assert any(told)
                        expected[to, card] = told
            found = {(q.ask.to, q.ask.card): [q.yes, q.no] for q in questions(game, position)}
            assert found == expected
            legal = set(actions(game, position))
            assert len(legal) == len(actions(game, position))
            declared = {game.group(a.group) for a in legal if isinstance(a, Quartet)}
            assert declared == set(declarable(position))
            assert legal or not any(position.form.hands())


def test_a_player_with_cards_always_has_something_to_say() -> None:
    for seed in range(30):
        random = Random(seed)
        game = small_game(random)
        try:
            position = start_position(game)
        except BadInput:
            continue
        for _ in range(60):
            if position.over:
                break
            legal = actions(game, position)
            assert legal
            position = position_after(game, position, random.choice(legal))
            assert position.fault is None


def test_who_loses_a_second_time_by_an_answer_does_not_end_the_game() -> None:
    groups = named_groups([4, 2])
    hands, start = (1, 1, 4), "Ben"
    game = Quartets(("Ann", "Ben", "Cid"), groups, hands, start, house="y", deal_quartet=False)
    session = after(game, Quartet("Ben", "b"), Ask("Ann", "Ben", "b1"))
    assert session.position.out == (1,)
    session = session.tell(Answer("Ben", yes=True))
    assert session.position.fault is not None
    assert session.position.out == (1,)
    assert session.position.over == ""


def test_a_losing_question_is_undone_and_its_speaker_has_no_more_turns() -> None:
    game = evolve(PAIRS, ask_own=False, deal_quartet=False, silence=False)
    session = after(game, Ask("Ann", "Ben", "a1"), Answer("Ben", True), Ask("Ann", "Ben", "a1"))
    assert session.position.fault is not None
    assert session.position.fault.stage == "ask"
    assert session.position.out == (0,)
    assert session.position.form == session.positions[-2].form
    # Ben was asked last (by the question that was not undone) and has cards.
    assert session.position.turn == 1
    assert "Ann loses" in next(session.announcements())


def test_a_wrong_answer_is_replaced_by_the_other_one() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2, 2]), ask_own=False, repetition=None)
    session = after(game, Ask("Ann", "Ben", "a1"), Answer("Ben", False))
    assert session.position.fault is not None
    assert session.position.over == "last one standing"
    assert session.position.winner() == 0
    names = ("Ann", "Ben", "Cid")
    three = Quartets(names, named_groups([3, 3, 3]), ask_own=False, repetition=None)
    session = after(
        three,
        Ask("Ann", "Ben", "a1"),
        Answer("Ben", False),
        Ask("Ben", "Cid", "a1"),
        Answer("Cid", False),
    )
    assert session.position.fault is not None
    assert session.position.form.located[1] == 1
    assert session.position.turn == 1
    assert session.position.out == (2,)


def test_the_game_can_end_at_the_first_contradiction() -> None:
    game = evolve(PAIRS, stop=True)
    session = after(game, Quartet("Ann", "a"))
    assert session.position.over == ""
    # Ann is out of cards; Ben has the turn by house rule x.
    session = session.tell(Quartet("Ben", "a"))
    assert session.position.over == "contradiction"
    assert session.position.winner() is None


def test_nobody_speaks_out_of_turn() -> None:
    session = after(PAIRS)
    wrong: list[tuple[Event, str]] = [
        (Ask("Ben", "Ann", "a1"), "Ann has the turn"),
        (Answer("Ben", True), "no question was asked"),
        (Ask("Ann", "Ann", "a1"), "Ann cannot ask Ann"),
        (Ask("Ann", "Ben", "z9"), "no card is called 'z9'"),
        (Ask("Ann", "Zed", "a1"), "no player is called 'Zed'"),
        (Quartet("Ann", "z"), "no group is called 'z'"),
    ]
    for event, message in wrong:
        with pytest.raises(BadInput, match=message):
            session.tell(event)
    asked = session.tell(Ask("Ann", "Ben", "a1"))
    with pytest.raises(BadInput, match="Ben has yet to answer Ann, who asked for a1"):
        asked.tell(Quartet("Ann", "a"))
    with pytest.raises(BadInput, match="Ben has to answer"):
        asked.tell(Answer("Cid", True))
    out = session.tell(Quartet("Ann", "a"))
    with pytest.raises(BadInput, match="Ann has no cards"):
        out.tell(Ask("Ben", "Ann", "b1"))


def test_the_same_position_three_times_is_a_draw() -> None:
    # With one's own card allowed, a question for it is a pass.
    game = Quartets(("Ann", "Ben"), named_groups([2, 2]))
    session = after(game)
    statements = ["Ben a1", "yes", "Ben b1", "no", "Ann b1", "yes"]
    for text in statements:
        session = session.say(text)
    for _ in range(12):
        if session.position.over:
            break
        asker = game.players[session.position.speaker()]
        other = "Ben" if asker == "Ann" else "Ann"
        own = session.position.form.located[session.position.speaker()]
        card = game.names_of(own)[0]
        session = session.say(f"{other} {card}").say("no")
    assert session.position.over == "repetition"
    assert session.position.winner() is None
    assert session.upto(len(session.log) - 1).position.over == ""
    limited = after(evolve(game, limit=1000), *session.log)
    assert limited.position.over == "repetition"


def test_a_limit_of_statements_is_a_draw() -> None:
    session = after(evolve(PAIRS, limit=2), Ask("Ann", "Ben", "a1"), Answer("Ben", False))
    assert session.position.over == "limit"


@pytest.mark.parametrize(
    ("hands", "last", "turns"),
    [([0, 2, 0, 1], None, "131"), ([0, 3, 5, 5], 0, "112"), ([0, 2, 4, 4], 3, "333")],
)
def test_the_house_rules_pass_the_turn(hands: list[int], last: int | None, turns: str) -> None:
    assert "".join(str(turn_after(hands, 0, last, house)) for house in "xyz") == turns


def test_a_player_who_has_lost_is_passed_over() -> None:
    assert turn_after([0, 2, 4], 0, 1, "x", out=(1,)) == 2
    assert turn_after([0, 2, 0], 0, 1, "x", out=(1,)) is None


def test_a_tie_goes_to_the_one_whose_last_group_came_first() -> None:
    assert winner_of([0, 1, 1, 0, 2]) == 1
    assert winner_of([]) is None


def test_presets_are_readings() -> None:
    for preset, chosen in PRESETS.items():
        game = Quartets.preset(preset, ("Ann", "Ben"), named_groups([4, 4]))
        assert {name: getattr(game, name) for name in chosen} == chosen
    with pytest.raises(BadInput, match="did you mean 'strict'"):
        readings("stritc")


def test_names_are_invented_as_they_come() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    session = Session.new(game).say("Ann asks Ben for cod of fish").say("Ben: no")
    assert session.game.group_names == ("fish", "?2")
    session = session.say("Ben asks Ann for oak of tree")
    with pytest.raises(BadInput, match="all groups are named already: fish, tree"):
        session.say("no").say("Ann asks Ben for owl of bird")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"players": ("Ann",)}, "2 to 10"),
        ({"players": ("Ann", "Ann")}, "two players"),
        ({"groups": {"a": ("x", "y"), "b": ("x", "z")}}, "two cards are called 'x'"),
        ({"groups": {"a": ()}}, "no cards"),
        ({"groups": {}}, "no groups"),
        ({"hands": (1, 2)}, "3 players but 2 hand sizes"),
        ({"hands": (7, -1, 0)}, "negative"),
        ({"hands": (3, 3, 3)}, "hold 9 cards, but there are 6"),
        ({"house": "w"}, "the house rule is x, y or z, not 'w'"),
        ({"start": "Zed"}, "no player is called 'Zed'"),
        ({"repetition": 1}, "at least twice"),
        ({"limit": -1}, "negative"),
    ],
)
def test_a_set_up_that_cannot_be_is_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        evolve(PAIRS, **change)  # type: ignore[arg-type]


def test_a_set_up_without_any_deal_is_refused() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2, 2]), (4, 0), deal_quartet=False)
    with pytest.raises(BadInput, match="no deal is possible"):
        start_position(game)


def test_the_computer_never_loses_by_a_contradiction() -> None:
    for seed in range(8):
        random = Random(seed)
        preset = random.choice(list(PRESETS))
        game = Quartets.preset(preset, ("Ann", "Ben", "Cid"), named_groups([4] * 4))
        position = start_position(game)
        for _ in range(150):
            if position.over:
                break
            position = position_after(game, position, choose(game, position, random))
            assert position.fault is None
            if position.question is not None:
                assert answers(game, position)
