"""``check --engine collapse``: the check of the first description against the exact one."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from attrs import asdict, evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.errors import BadInput
from games.quartets.cases import _event, _game
from games.quartets.deal import start_form
from games.quartets.game import Quartets
from games.quartets.session import Session
from games.quartets.setup import named_groups
from games.quartets.slots import slot_form, slots_after
from games.quartets.verdict import Method, verdict
from tests.quartets.oracle import any_event, small_game

DATA = Path(__file__).parents[1] / "data"


def recorded() -> tuple[Session, ...]:
    """Return each eighth of the recorded transcripts."""
    cases = json.loads((DATA / "quartets_transcripts.json").read_text())["cases"]
    sessions = []
    for case in cases[::8]:
        game = Quartets(**asdict(_game(case), recurse=False))
        log = [_event(game, record, record["p"]) for record in case["events"]]
        sessions.append(Session.new(game, log))
    return tuple(sessions)


def agrees(session: Session) -> bool | None:
    """Return the answer of the collapse, after it was compared with the exact one."""
    result = verdict(session, Method("collapse"))
    assert result.valid in (None, session.first_fault() is None)
    rules = result.proof.get("inexpressible", [])
    if session.game.deal_quartet and not session.game.silence:
        assert result.valid is not None
        assert rules == []
    else:
        assert rules or result.valid is not None
    return result.valid


def test_collapse_agrees_with_the_exact_check_on_recorded_transcripts() -> None:
    random, answers = Random(14), []
    for session in recorded():
        answers.append(agrees(session))
        answers.append(agrees(session.upto(random.randrange(len(session.log)))))
    assert len(answers) == 26
    assert min(answers.count(answer) for answer in (True, False, None)) >= 1


def generated(seed: int) -> Session:
    """Return a random game of small hands with its first losing statement, if there is one."""
    random = Random(seed)
    session = Session.new(small_game(random))
    while not session.position.over and session.first_fault() is None and len(session.log) < 30:
        asked = session.position.question is not None
        event = any_event(random, session.game, session.position.speaker(), asked)
        with suppress(BadInput):
            session = session.tell(event)
    return session


@settings(max_examples=15)
@given(seed=st.integers(0, 10**9), cut=st.floats(0, 1))
def test_collapse_agrees_with_the_exact_check_on_generated_transcripts(
    seed: int, cut: float
) -> None:
    try:
        session = generated(seed)
    except BadInput:  # no deal is possible without a complete group in one hand
        return
    agrees(session)
    agrees(session.upto(int(cut * len(session.log))))


@settings(max_examples=15)
@given(seed=st.integers(0, 10**9))
def test_every_rule_of_the_original_text_can_be_expressed(seed: int) -> None:
    random = Random(seed)
    game = evolve(small_game(random), silence=False, deal_quartet=True)
    session = Session.new(game)
    while not session.position.over and session.first_fault() is None and len(session.log) < 20:
        asked = session.position.question is not None
        event = any_event(random, game, session.position.speaker(), asked)
        with suppress(BadInput):
            session = session.tell(event)
        assert agrees(session) is (session.first_fault() is None)


def test_more_claims_than_places_are_invalid() -> None:
    form = start_form(2, (2, 2, 2), (1, 5))
    for card in (0, 2):
        form = form.asked(0, card, ask_own=True, silence=False)
    assert not form.is_valid
    assert not slot_form(form).is_valid
    game = Quartets(("Ann", "Ben"), named_groups([2, 2, 2]), (1, 5))
    session = Session.new(game).say("Ann asks Ben for a1").say("yes").say("Ben b1")
    assert agrees(session) is False  # Ann's only unknown card is of group a


def test_a_log_is_played_again_up_to_its_losing_statement() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2, 2]), ask_own=False)
    session = Session.new(game).say("Ben a1").say("no")
    assert slots_after(game, session.log[:1]).hands == ((2, 14), (15, 15))
    assert not slots_after(game, session.log).is_valid
    with pytest.raises(BadInput, match="Ben answers, but no question was asked"):
        slots_after(game, session.log[1:])
