"""Stepping through logs, the referee, and the explorer, driven by their values and handlers."""

from __future__ import annotations

from pathlib import Path

import pytest

from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from games.cluedo import Cluedo
from games.cluedo import examples as cluedo_examples
from games.pigs.game import Pigs
from games.pigs.timelines import timeline
from games.quartets import examples as quartets_examples
from games.quartets.events import Answer, Ask, Quartet
from games.quartets.game import Quartets
from games.quartets.setup import named_groups
from tests.browser import NASTY
from tests.house.hats import Hats, Sees
from tests.widgets.views import foreign_tags, text_of

pytest.importorskip("anywidget", reason="anywidget is not installed (extra widgets)")

from deduce.history import History
from deduce.widgets.stepper import Stepper, log_stepper
from games.pigs.widget import role_stepper
from games.quartets.session import Session
from games.quartets.widget import Referee, transcript_stepper

CLUEDO, QUARTETS = (Path(p.__path__[0]) for p in (cluedo_examples, quartets_examples))
PIGS = CLUEDO.parents[1] / "pigs" / "examples"


def cells(stepper: Stepper) -> dict[str, list[str]]:
    rows = stepper.sheet.table["rows"]
    return {row["head"]: [cell["text"] for cell in row["cells"]] for row in rows}


def test_a_history_goes_back_and_forth_and_ends() -> None:
    history = History(1).to(2)
    assert history.undo().redo() == history
    for step in (History(1).undo, history.redo):
        with pytest.raises(BadInput, match="there is nothing to"):
            step()


# Logs


def test_a_stepper_shows_what_is_known_after_each_event_and_what_changed() -> None:
    game, log = Cluedo.parse_log((CLUEDO / "evening.cluedo").read_text(encoding="utf-8"))
    whole = Knowledge(game, log)
    stepper = log_stepper(whole)
    assert (stepper.slider.max, stepper.back.disabled) == (22, True)
    for number in (1, 2, 22):
        stepper.slider.value = number
        now, before = whole.upto(number), whole.upto(number - 1)
        assert stepper.moment.title == f"{number}. {game.format_event(log[number - 1])}"
        certain = now.certain()
        shown = {name: row for name, row in cells(stepper).items() if "yes" in row}
        assert shown.keys() == certain.keys()
        new = len(certain) - len(before.certain())
        lines = [line for line in stepper.moment.changes if line.startswith("certain now: ")]
        assert len(lines) == new
    assert stepper.ahead.disabled
    stepper.back.click()
    assert stepper.slider.value == 21
    stepper.go(99)
    assert stepper.slider.value == 22


def test_a_click_in_a_stepper_explains_the_cell_at_that_moment() -> None:
    game, log = Cluedo.parse_log("players: Ann, Ben, Cid\nBen has rope\nCid has hall")
    stepper = log_stepper(Knowledge(game, log))
    stepper.go(1)
    rows = list(cells(stepper))
    stepper.sheet.picked = [rows.index("Rope"), 1]
    assert "Ben has Rope: certain, because" in text_of(stepper.why.value)
    stepper.go(2)
    assert stepper.why.value == ""


def test_a_stepper_shows_a_contradiction_where_it_arises() -> None:
    game, log = Cluedo.parse_log("players: Ann, Ben, Cid\nBen has rope\nCid has rope\nAnn has hall")
    stepper = log_stepper(Knowledge(game, log))
    stepper.go(2)
    assert stepper.moment.changes == ("no world is possible any more",)
    assert "cannot all be true" in stepper.board.picture
    stepper.go(3)
    assert not stepper.moment.changes


def test_any_hidden_game_has_a_stepper() -> None:
    game = Hats(("Ann", "Ben", NASTY[0]))
    stepper = log_stepper(Knowledge(game, [Sees("Ann", NASTY[0], "red")]))
    stepper.ahead.click()
    assert cells(stepper)["Ben"] == ["–", "yes"]
    assert foreign_tags(stepper) == set()


# Pigs


@pytest.mark.parametrize("name", ["kept-slash", "puzzle"])
def test_the_roles_of_a_pigs_log_are_those_of_its_timeline(name: str) -> None:
    log = Pigs.parse_log((PIGS / f"{name}.pigs").read_text(encoding="utf-8"))
    story, stepper = timeline(log), role_stepper(log)
    for moment in story.snapshots:
        stepper.go(moment.number)
        known = {known.seat for known in story.certain if known.number <= moment.number}
        table = cells(stepper)
        assert {seat for seat in log.game.players[1:] if table[f"seat {seat}"][0] != "open"} \
            == known  # fmt: skip
        for seat in known:
            stepper.sheet.picked = [seat - 1, 1]
            assert f"eat {seat}" in stepper.why.value
            assert "deduce-bad" not in stepper.why.value


# Quartets


def test_a_transcript_is_stepped_through_with_the_cards() -> None:
    session = Session.read((QUARTETS / "evening.quartets").read_text(encoding="utf-8"))
    stepper = transcript_stepper(session)
    for number in (0, 7, len(session.log)):
        stepper.go(number)
        held = [row.count("yes") for row in cells(stepper).values() if row]
        assert all(count <= 1 for count in held)
    assert stepper.moment.title.endswith(session.game.format_event(session.log[-1]))


def test_a_lost_transcript_says_who_lost_and_why_cards_are_where_they_are() -> None:
    session = Session.read((QUARTETS / "lost.quartets").read_text(encoding="utf-8"))
    stepper = transcript_stepper(session)
    fault = session.first_fault()
    assert fault is not None
    stepper.go(fault)
    assert "loses: no deal is possible" in stepper.moment.changes[0]
    place = next(at for at, row in enumerate(stepper.sheet.table["rows"]) if row["cells"])
    stepper.sheet.picked = [place, 0]
    assert stepper.why.value


@pytest.fixture
def referee() -> Referee:
    return Referee(Quartets(("Ann", "Ben"), named_groups([2, 2])))


def test_the_referee_takes_questions_answers_and_declarations(referee: Referee) -> None:
    referee.card.value = "a1"
    referee.ask.click()
    assert "Ben is asked for a1" in referee.status.value
    assert referee._turn.layout.display == "none"
    referee.yes.click()
    referee.group.value = "a"
    referee.declare.click()
    assert referee.session.log == (
        Ask("Ann", "Ben", "a1"),
        Answer("Ben", True),
        Quartet("Ann", "a"),
    )
    assert referee.cards.table["rows"][0]["head"] == "a: laid aside"
    assert "valid" in referee.verdict.value
    assert referee.text == referee.session.text()
    assert Session.read(referee.text).log == referee.session.log


def test_the_referee_goes_back_and_forth(referee: Referee) -> None:
    referee.line.value = "Ben a1"
    referee.say.click()
    referee.undo.click()
    assert (referee.session.log, referee.line.value) == ((), "")
    assert referee.undo.disabled
    referee.redo.click()
    assert len(referee.session.log) == 1


def test_the_referee_keeps_the_transcript_in_its_file(tmp_path: Path) -> None:
    file = tmp_path / "table.quartets"
    file.write_text(Referee(Quartets(("Ann", "Ben"), named_groups([2, 2]))).text)
    referee = Referee.open(file)
    referee.line.value = "Ben a1"
    referee.say.click()
    assert file.read_text() == referee.text
    assert Referee.open(file).session.log == (Ask("Ann", "Ben", "a1"),)
    referee.undo.click()
    assert Referee.open(file).session.log == ()
    with pytest.raises(BadInput, match="cannot be read"):
        Referee.open(tmp_path / "none.quartets")


def test_the_referee_refuses_what_cannot_be_said(referee: Referee) -> None:
    for line in ("", "no", "Cid a1", "nonsense"):
        referee.line.value = line
        referee.say.click()
        assert "deduce-bad" in referee.status.value, line
        assert referee.session.log == ()


def test_a_losing_statement_is_explained() -> None:
    text = (QUARTETS / "lost.quartets").read_text(encoding="utf-8")
    referee = Referee(Session.read(text))
    assert "deduce-bad" in referee.verdict.value
    assert "loses" in text_of(referee.verdict.value)
    assert foreign_tags(referee) == set()


def test_a_click_on_a_card_says_why_it_is_there(referee: Referee) -> None:
    for line in ("Ben a1", "yes"):
        referee.line.value = line
        referee.say.click()
    rows = referee.cards.table["rows"]
    place = next(at for at, row in enumerate(rows) if row["head"] == "a1")
    referee.cards.picked = [place, 0]
    assert "Ann has a1: it was handed over publicly" in referee.why.value


def test_names_that_come_as_they_are_said_are_taken_by_the_line() -> None:
    game = Quartets(("Ann", "Ben"), named_groups([2, 2], invented=True), invented=True)
    referee = Referee(game)
    referee.line.value = "Ann asks Ben for cod of fish"
    referee.say.click()
    assert len(referee.session.log) == 1, referee.status.value


def test_names_of_quartets_are_text_and_no_markup() -> None:
    groups = {"<b>a</b>": ("a1", NASTY[1]), "b": ("<i>", "b2")}
    referee = Referee(Quartets(("<u>", "Ben"), groups))
    referee.ask.click()
    assert foreign_tags(referee) == set()
    assert foreign_tags(transcript_stepper(referee.session)) == set()
