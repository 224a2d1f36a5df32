"""The Cluedo assistant, driven by its values and handlers."""

from __future__ import annotations

from pathlib import Path
from random import Random
from shutil import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce.constraints import is_
from deduce.errors import BadInput
from games.cluedo import Cluedo, examples
from games.cluedo.assistant.autosave import LogFile
from games.cluedo.assistant.dialogue import TrackDialogue
from games.cluedo.assistant.session import Session
from games.cluedo.assistant.tracking import Tracking
from games.cluedo.events import Accusation, Has, HasNot, Show, Suggestion
from tests.browser import NASTY
from tests.cluedo.strategies import games
from tests.widgets.views import foreign_tags, html_of, text_of

pytest.importorskip("anywidget", reason="anywidget is not installed (extra widgets)")

from games.cluedo.widget import Assistant, page

EVENING = Path(examples.__path__[0]) / "evening.cluedo"
SMALL = {"suspect": ("Plum", "White"), "weapon": ("Rope", "Dagger"), "room": ("Hall", "Attic")}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return Path(copy(EVENING, tmp_path / "evening.cluedo"))


@pytest.fixture
def small() -> Assistant:
    return Assistant(Cluedo(("Ann", "Ben", "Cid"), SMALL, me="Ann"))


def suggest(assistant: Assistant, *cards: str, **answers: str | int) -> None:
    for choice, card in zip(assistant.entry.cards, cards, strict=True):
        choice.value = card
    for player, answer in answers.items():
        assistant.entry.answers[player].value = answer
    assistant.entry.add.click()


def cells(assistant: Assistant) -> dict[str, list[str]]:
    rows = assistant.sheet.table["rows"]
    return {row["head"]: [cell["text"] for cell in row["cells"]] for row in rows}


# Events


def test_a_suggestion_is_clicked_together_and_the_sheet_follows(small: Assistant) -> None:
    suggest(small, "Plum", "Rope", "Hall", Ben="passes", Cid=1)
    shown = Suggestion("Ann", ("Plum", "Rope", "Hall"), ("Ben",), (Show("Cid", "Rope"),))
    assert small.session.events == (shown,)
    assert cells(small)["Rope"] == ["–", "–", "yes", "–"]
    assert small.entry.by.value == "Ben"
    assert {choice.value for choice in small.entry.cards} == {""}
    assert "1. Ann: Plum, Rope, Hall" in text_of(small.status.value)
    assert "now certain: Cid has Rope" in text_of(small.status.value)


def test_a_suggestion_that_is_not_complete_is_refused_and_kept(small: Assistant) -> None:
    small.entry.cards[0].value = "Plum"
    small.entry.add.click()
    assert "which weapon?" in small.status.value
    assert "deduce-bad" in small.status.value
    assert small.entry.cards[0].value == "Plum"
    assert small.session.events == ()


def test_accusations_and_hands_are_clicked_together(small: Assistant) -> None:
    small.entry.kind.value = "accusation"
    small.entry.outcome.value = False
    suggest(small, "Plum", "Rope", "Hall")
    assert small.session.events[-1] == Accusation("Ann", ("Plum", "Rope", "Hall"))
    small.entry.kind.value = "hand"
    for card, chosen in zip(small.session.game.dealt, small.entry.hand, strict=True):
        chosen.value = card == "White"
    small.entry.add.click()
    assert cells(small)["White"][0] == "yes"
    assert not any(chosen.value for chosen in small.entry.hand)


def test_those_who_were_passed_over_are_filled_in_up_to_the_first_who_shows(
    small: Assistant,
) -> None:
    small.entry.by.value = "Cid"
    small.entry.answers["Ben"].value = "shows"
    small.entry.before.click()
    answers = {player: choice.value for player, choice in small.entry.answers.items()}
    assert (answers["Ann"], answers["Ben"]) == ("passes", "shows")


def test_every_suggestion_of_a_game_can_be_clicked_together() -> None:
    game, random = Cluedo(("Ann", "Ben", "Cid", "Dan")), Random(5)
    assistant = Assistant(game)
    for event in game.record(game.deal(random), random):
        if isinstance(event, Suggestion):
            entry = assistant.entry
            entry.by.value = event.by
            for choice, card in zip(entry.cards, event.cards, strict=True):
                choice.value = card
            for player in event.passes:
                entry.answers[player].value = "passes"
            for show in event.shows:
                at = "shows" if show.card is None else event.cards.index(show.card)
                entry.answers[show.by].value = at
            assert entry.event() == event
            entry.clear()


def test_a_typed_line_is_taken_as_the_tracker_takes_it(tmp_path: Path) -> None:
    assistants, trackers = tmp_path / "a.cluedo", tmp_path / "b.cluedo"
    new = Session.new(Cluedo(("Ann", "Ben", "Cid"), me="Ann"))
    LogFile.create(assistants, new)
    assistant = Assistant(assistants)
    tracker = TrackDialogue(Tracking(new, LogFile.create(trackers, new)), follow=False)
    for line in ("Ann: plum rope hall -> Cid + rope  # early", "Ben has one of dagger, study"):
        assistant.line.value = line
        assistant.add_line.click()
        list(tracker.answer(line))
    assert assistant.line.value == ""
    assert assistants.read_text() == trackers.read_text()


def test_a_line_that_cannot_be_read_is_told_with_its_place_and_kept(small: Assistant) -> None:
    small.line.value = "Ben has ropp"
    small.add_line.click()
    assert "column 9: no card is called &#x27;ropp&#x27;" in small.status.value
    assert small.line.value == "Ben has ropp"


# Why


def test_a_click_on_a_cell_tells_why_in_numbered_events_and_marks_them(log: Path) -> None:
    assistant = Assistant(log)
    assistant.pick("Rope", "envelope")
    told = text_of(assistant.why.value)
    assert "Rope is in the envelope: certain, because" in told
    assert "22. Ann accuses Reverend Green, Rope" in told
    numbers = [len(assistant.session.events) - row for row in assistant.log.marked]
    assert numbers == [22]
    assistant.close.click()
    assert assistant.picked is None
    assert assistant.log.marked == []


def test_an_open_cell_tells_its_probability(small: Assistant) -> None:
    small.pick("Rope", "Ben")
    assert "open" in small.why.value
    assert "probability: 17%" in small.why.value


def test_what_a_browser_sends_is_checked(small: Assistant) -> None:
    for sent in ([99, 0], [1, 99], [-1, 0], [0, 0], [1], [1, 2, 3]):
        small.sheet.picked = sent
        assert small.picked is None
        small.log.picked = sent
        assert small.chosen is None
    small.if_so.click()
    assert "Click a cell" in small.status.value


def test_a_cell_can_be_written_into_the_log(small: Assistant) -> None:
    small.pick("Rope", "Ben")
    small.has_not.click()
    small.pick("Hall", "envelope")
    small.has.click()
    assert small.session.events == (HasNot("Ben", "Rope"), Has("envelope", "Hall"))


# What if


def test_a_cell_is_assumed_and_given_up(small: Assistant) -> None:
    small.pick("Rope", "Ben")
    small.if_so.click()
    assert small.session.assumed == (is_("Rope", "Ben"),)
    assert "assumed: Ben has Rope (possible)" in text_of(small.assumed.value)
    assert cells(small)["Rope"][1] == "yes"
    assert small.picked == is_("Rope", "Ben")
    small.free.click()
    assert not small.session.assumed
    assert small.assumed.value == ""


def test_an_assumption_against_the_log_is_a_contradiction_with_it(log: Path) -> None:
    assistant = Assistant(log)
    assistant.pick("Rope", "envelope")
    assistant.if_not.click()
    assert "Contradiction" in assistant.conflict.value
    assert "assume nothing" in assistant.conflict.value
    assistant.undo.click()
    assert assistant.conflict.value == ""


# Undo, redo, edit, delete


def test_steps_are_undone_and_done_again_by_name(small: Assistant) -> None:
    assert small.undo.disabled
    assert small.redo.disabled
    suggest(small, "Plum", "Rope", "Hall", Ben="passes")
    assert small.undo.tooltip == "Undo: adding Ann's suggestion"
    after = cells(small)
    small.undo.click()
    assert small.redo.tooltip == "Redo: adding Ann's suggestion"
    assert small.session.events == ()
    small.redo.click()
    assert cells(small) == after


def test_any_line_is_changed_or_deleted_in_its_place(log: Path) -> None:
    assistant, before = Assistant(log), log.read_text().splitlines()
    assistant.choose(3)
    assert assistant.line.value == "Ben: Miss Scarlett, Rope, Study; Cid -; Dora shows"
    assistant.line.value = "Ben: scarlett rope study; Cid, Dora, Ann -"
    assistant.change.click()
    after = log.read_text().splitlines()
    changed = [at for at, line in enumerate(before) if line != after[at]]
    assert [after[at] for at in changed] == ["Ben: Miss Scarlett, Rope, Study; Cid, Dora, Ann -"]
    assistant.undo.click()
    assistant.choose(3)
    assistant.drop.click()
    assert log.read_text().splitlines() == [line for line in before if line != before[changed[0]]]
    assert assistant.chosen is None


def test_change_and_delete_need_an_event(small: Assistant) -> None:
    for control in (small.change, small.drop):
        control.click()
        assert "which event?" in small.status.value


# Contradictions


def test_a_contradiction_names_the_fewest_events_and_loses_nothing(log: Path) -> None:
    assistant = Assistant(log)
    before = cells(assistant)
    assistant.line.value = "Ben has rope"
    assistant.add_line.click()
    told = text_of(assistant.conflict.value)
    assert "18. Ann: Mrs Peacock, Rope, Hall; Ben -; Cid shows Hall" in told
    assert "23. Ben has Rope" in told
    assert "it is enough to change or delete event 23" in told
    assert len(assistant.session.events) == 23
    assert log.read_text().endswith("Ben has Rope\n")
    assert cells(assistant) == before
    assert "before the contradiction" in assistant.sheet.table["title"]
    assert assistant.log.marked == [0, 5]
    with pytest.raises(BadInput, match="has no cell"):
        assistant.pick("Rope", "Ben")
    assistant.choose(23)
    assistant.drop.click()
    assert assistant.conflict.value == ""
    assert log.read_text() == EVENING.read_text()


def test_a_log_that_contradicts_itself_opens_and_can_be_mended(tmp_path: Path) -> None:
    log = Path(copy(EVENING.parent / "contradiction.cluedo", tmp_path))
    assistant = Assistant(log)
    assert "Contradiction" in assistant.conflict.value
    assert assistant.sheet.table["rows"] == []
    while assistant.conflict.value:
        why = assistant.tracking.knowledge.contradiction()
        assistant.choose(why.events[-1])
        assistant.drop.click()
    assert assistant.sheet.table["rows"]


# Files


def test_a_change_by_another_program_is_told_and_nothing_is_written(log: Path) -> None:
    assistant = Assistant(log)
    log.write_text(log.read_text() + "Ben has not hall\n")
    there = log.read_text()
    assistant.line.value = "Cid has not rope"
    assistant.add_line.click()
    assert "another program changed the log" in assistant.status.value
    assert assistant.line.value == "Cid has not rope"
    assert len(assistant.session.events) == 22
    assert log.read_text() == there


def test_a_file_that_is_not_there_is_an_error_and_on_a_page_a_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        Assistant(tmp_path / "none.cluedo")
    assert "cannot be read" in page(str(tmp_path / "none.cluedo")).value


# Advice


def test_advice_follows_and_a_click_begins_the_suggestion(log: Path) -> None:
    session = Session.read(log.read_text())
    while len(session.events) > 14:
        session = session.drop(len(session.events))
    assistant = Assistant(session)
    first = assistant.suggestions.table["rows"][0]["cells"][0]["text"]
    assert len(assistant.suggestions.table["rows"]) == 5
    assert "--" not in str(assistant.suggestions.table["notes"])
    assistant.suggestions.picked = [0, 0]
    assert ", ".join(choice.value for choice in assistant.entry.cards) == first
    assert assistant.entry.by.value == "Ann"
    assert "bits left" in assistant.prospect.value


def test_a_bystander_gets_no_advice_but_a_reason() -> None:
    assistant = Assistant(Cluedo(("Ann", "Ben"), SMALL))
    assert "Whose log is it?" in assistant.suggestions.table["notes"][0]


# Names


def test_names_are_text_and_no_markup() -> None:
    deck = {NASTY[0]: (NASTY[0], "Plum"), "weapon": ("Rope", NASTY[1]), "room": ("Hall", "Attic")}
    players = (f"{NASTY[0]} A", f"{NASTY[1]} B", "<b>")
    assistant = Assistant(Cluedo(players, deck, me=players[0]))
    suggest(assistant, NASTY[0], "Rope", "Hall")
    assistant.line.value = NASTY[0]
    assistant.add_line.click()
    assistant.pick(NASTY[0], players[1])
    assistant.if_so.click()
    assistant.line.value = f'"{players[2]}" has "{NASTY[0]}"'
    assistant.add_line.click()
    assert "Contradiction" in html_of(assistant)
    assert foreign_tags(assistant) == set()


@settings(max_examples=15)
@given(st.data())
def test_any_game_has_an_assistant(data: st.DataObject) -> None:
    game = data.draw(games())
    if data.draw(st.booleans()):
        game = Cluedo(game.players, game.deck, game.hands, game.face_up, game.undealt)
    assistant = Assistant(game)
    assistant.entry.add.click()
    assert foreign_tags(assistant) == set()
    assert assistant.session.events == ()
