from __future__ import annotations

from importlib.resources import files

import pytest

from deduce.knowledge import Knowledge
from games.quartets.deal import start_form
from games.quartets.events import Event
from games.quartets.evidence import public_reasons
from games.quartets.game import Quartets
from games.quartets.position import position_after, positions_of, start_position
from games.quartets.session import Session, conflict, fits, why_invalid
from games.quartets.setup import named_groups
from games.quartets.verdict import reason
from tests.quartets.test_deal_form import walk


def losing(seed: int) -> tuple[Quartets, list[Event]] | None:
    """Return a random game that ends with a losing statement, if this seed gives one."""
    from random import Random

    from deduce.errors import BadInput
    from tests.quartets.oracle import any_event, small_game

    random = Random(seed)
    game = small_game(random)
    try:
        position = start_position(game)
    except BadInput:
        return None
    log: list[Event] = []
    while len(log) < 25 and not position.over:
        event = any_event(random, game, position.speaker(), position.question is not None)
        try:
            position = position_after(game, position, event)
        except BadInput:
            continue
        log.append(event)
        if position.fault is not None:
            return game, log
    return None


def test_an_explanation_is_in_conflict_and_minimal() -> None:
    proved = 0
    for seed in range(120):
        found = losing(seed)
        if found is None:
            continue
        game, log = found
        why = why_invalid(game, log, positions_of(game, log))
        assert why.events[-1] == len(log)
        assert why.verdict == "contradiction"
        problem = Knowledge(game, log).problem
        assert not Knowledge(problem).is_consistent()
        if list(public_reasons(game, log, Session.new(game, log).positions)):
            continue
        others = {piece.event for piece in problem.evidence} - set(why.events)
        proved += 1
        for event in why.events:
            assert Knowledge(problem.without({*others, event})).is_consistent()
    assert proved > 20


def test_a_conflict_of_claims_is_violated_and_minimal() -> None:
    seen = 0
    for seed in range(60):
        for _, position, _ in walk(seed)[-1:]:
            for by in range(position.form.table.players):
                for group in position.form.groups():
                    form = position.form.declared(by, group)
                    if form.is_valid or form.clash:
                        continue
                    claims = conflict(form)
                    assert not fits(form, claims)
                    for i in range(len(claims)):
                        assert fits(form, claims[:i] + claims[i + 1 :])
                    seen += 1
    assert seen
    with pytest.raises(ValueError, match="valid"):
        conflict(start_form(2, (2, 2), (2, 2)))


@pytest.mark.parametrize(
    ("said", "events", "sentence"),
    [
        (["Ben a1", "yes", "Ben b1", "no", "Ann a1", "no"], (2, 6), "Ben gave a1 to Ann"),
        (["Ben a1", "yes", "Ben a1", "yes"], (2, 4), "Ben gave a1 to Ann"),
        (["Ben a1", "yes", "Ben b1", "no", "declare a"], (2, 5), "Ben gave a1 to Ann"),
    ],
)
def test_what_lies_public_reasons_is_named(
    said: list[str], events: tuple[int, ...], sentence: str
) -> None:
    session = Session.new(Quartets(("Ann", "Ben", "Cid"), named_groups([3, 3, 3])))
    for text in said:
        session = session.say(text)
    assert session.position.fault is not None
    why = why_invalid(session.game, session.log, session.positions)
    assert why.events == events
    assert sentence in str(why)
    assert set(why.repairs) == set(events)


def test_a_group_laid_aside_is_named() -> None:
    session = Session.new(Quartets(("Ann", "Ben"), named_groups([2, 2, 2])))
    session = session.say("declare a").say("Ben a1")
    why = why_invalid(session.game, session.log, session.positions)
    assert why.events == (1, 2)


def test_her_own_card_public_reasons_is_named() -> None:
    game = Quartets(("Ann", "Ben", "Cid"), named_groups([3, 3, 3]), ask_own=False)
    session = Session.new(game).say("Ben a1").say("yes").say("Cid a1")
    assert why_invalid(game, session.log, session.positions).events == (2, 3)


def test_a_complete_group_public_reasons_that_was_not_declared_is_named() -> None:
    game = Quartets(("Ann", "Ben", "Cid"), named_groups([3, 6, 6]), silence=True)
    session = Session.new(game)
    for text in ["Ben a1", "yes", "Cid b1", "no", "Ann a2", "yes", "Ben b2", "no", "Ann b3", "no"]:
        session = session.say(text)
    for text in ["Cid a2", "yes", "Cid a3", "yes", "Ben b1"]:
        session = session.say(text)
    assert session.position.fault is not None
    assert session.first_fault() == 15
    assert why_invalid(game, session.log, session.positions).events == (2, 12, 14, 15)


def test_a_group_of_which_all_cards_are_with_others_is_named() -> None:
    game = Quartets(("Ann", "Ben", "Cid"), named_groups([3, 6, 6]))
    session = Session.new(game)
    for text in ["Ben a1", "yes", "Cid b1", "no", "Ann a2", "yes", "Ben b2", "no", "Ann b3", "no"]:
        session = session.say(text)
    for text in ["Cid a2", "yes", "Cid a3", "yes", "Ben b1", "no", "Ann a1"]:
        session = session.say(text)
    assert session.first_fault() == 17
    assert why_invalid(game, session.log, session.positions).events == (2, 12, 14, 17)


def test_several_losing_statements_at_the_end_prove_nothing() -> None:
    text = (files("games.quartets") / "examples" / "lost.quartets").read_text(encoding="utf-8")
    session = Session.read(f"{text}Dot asks Cid for cod\n")
    before = session.upto(session.first_fault() - 1)  # type: ignore[operator]
    for holder in ("Ann", "Ben", "Cid", "Dot"):
        assert reason(session, f"owl={holder}").text == reason(before, f"owl={holder}").text


def test_reasons_for_holders_and_statements() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2, 2]), ask_own=False)
    session = Session.new(game).say("Ann asks Ben for a1")
    certain = reason(session, "a2=Ann")
    assert certain.proved
    assert "event 1: Ann asked for a1" in certain.text
    assert not reason(session, "b1=Ann").proved
    loses = reason(session, "Ben: no")
    assert loses.proved
    assert "this would lose" in loses.text
    assert not reason(session, "Ben: yes").proved
    assert not reason(session, None).proved
    given = reason(session.say("yes"), "a1=Ben")
    assert given.proved
    assert "Ann has" in given.text
    assert reason(session.say("no"), None).text.startswith("statement 2 loses")
    assert reason(session.say("no"), "a2=Ann").proved
    assert "laid aside" in reason(session.say("yes").say("declare a"), "a1=Ann").text
