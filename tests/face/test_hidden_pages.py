"""The page of any hidden game, and those of Minesweeper and Mastermind, without a browser."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import pytest
from attrs import frozen

from deduce.constraints import is_
from deduce.face.hidden import hidden_page
from deduce.face.messages import Door, page_summaries
from deduce.problem import Evidence
from deduce.registry import Registration, games
from tests.browser import NASTY
from tests.face.asking import Page

HATS = '{"game": "hats", "version": 1}\n'


@frozen
class Seen:
    """A hat that was seen."""

    template = "{name}: {colour}"
    name: str
    colour: str


@frozen
class Hats:
    """Three hats, one of which is red; a stranger's game with hostile names."""

    name = "hats"
    events = (Seen,)

    def variables(self) -> dict[str, tuple[str, ...]]:
        return dict.fromkeys((*NASTY, "Cid"), ("red", "blue"))

    def rules(self) -> Any:
        from deduce.constraints import exactly
        from deduce.problem import Rule

        yield Rule(exactly(1, [is_(name, "red") for name in self.variables()]), "one is red")

    def evidence(self, log: Any, viewer: Any) -> Any:
        for number, event in enumerate(log, start=1):
            yield Evidence(is_(event.name, event.colour), number, f"{event.name} {event.colour}")

    def inquiries(self, log: Any, viewer: Any) -> Any:
        return tuple(self.variables())

    def answer(self, inquiry: Any, world: Any) -> Any:
        return world[inquiry]

    def event_of(self, inquiry: Any, answer: Any) -> Any:
        return Seen(inquiry, answer)


@pytest.fixture
def hats(monkeypatch: pytest.MonkeyPatch) -> Page:
    entry = Registration("hats", "Hats", hidden=f"{__name__}:Hats")
    monkeypatch.setattr("deduce.registry.find", lambda name: entry)
    return Page("hats", Door({"hats": hidden_page("hats")}))


def test_a_strangers_game_has_a_page_with_everything(hats: Page) -> None:
    hats.do("begin")
    assert "3 worlds remain possible" in hats.text
    assert not re.search("<(img|script)", hats.html)
    assert hats.do("type", {"line": "Cid: blue"}) == ["good: Now certain: Cid is blue"]
    hats.do("why", fact="2.1")
    assert "Cid is blue certain" in hats.text
    hats.do("why", fact="0.0")
    assert "Probability 50%" in hats.text
    hats.do("assume", fact="0.0")
    assert "What if:" in hats.text
    hats.do("free")
    hats.do("view", view="advice")
    advice = hats.work("advice")
    line = re.search(r'data-line="([^"]*)"', advice)
    assert line
    assert not re.search("<(img|script)", advice)
    for intent in ("nothing", "why", "tell", "mark", "line", "assume", "example"):
        assert all("bad" in notice for notice in hats.do(intent, fact="9.9", example="x"))


def test_a_sheet_can_allow_for_mistakes(hats: Page) -> None:
    hats.do("begin")
    assert "Allow for mistakes" not in hats.text
    hats.do("type", {"line": "Cid: red"})
    hats.do("slips")
    assert "Each event may be wrong" in hats.text
    sheet = hats.work("slips")
    assert "No event is suspicious" in sheet
    assert re.search('aria-label="Cid, red: [^"]*, rests on an event that may be wrong"', sheet)
    # A log that contradicts itself shows which of its events is probably wrong.
    for _ in range(2):
        hats.do("type", {"line": "Cid: blue"})
    sheet = hats.work("slips")
    assert re.search("1. Cid: red</b><small>[^<]* wrong with &gt;99%", sheet)
    hats.do("slips")
    assert "contradicts itself" in hats.text
    assert "Allow for mistakes" in hats.text


def test_a_board_of_minesweeper_allows_for_a_misread_number() -> None:
    page = Page("minesweeper", text="board: 3x3:2\nA1: 1\nC1: 0\n")
    page.do("slips")
    board = page.work("slips")
    label = 'aria-label="A2: a mine with [^"]*, rests on a number that may be misread"'
    assert re.search(label, board)
    page.do("slips")
    assert "certainly a mine" in page.html


def test_the_tutor_hides_the_answers_judges_marks_and_gives_hints(hats: Page) -> None:
    hats.do("begin")
    hats.do("type", {"line": "Cid: red"})
    hats.do("view", view="tutor")
    hats.do("tutor")
    assert "Your sheet" in hats.text
    assert "✓" not in hats.text
    hats.do("asked", asked="1")
    first = hats.work("tutor")
    assert "one is red" in first
    hats.do("mark", fact="2.0")
    hats.do("mark", fact="0.0")
    assert hats.ui["marks"] == {"2.0": "yes", "0.0": "yes"}
    hats.do("asked", asked="judge")
    assert "1 proved, 1 wrong, 0 not yet provable" in hats.work("tutor")
    assert 'aria-label="Cid, red: marked yes, proved"' in hats.html
    hats.do("mark", fact="0.0")
    assert hats.ui["marks"]["0.0"] == "no"
    hats.do("mark", fact="0.0")
    assert "0.0" not in hats.ui["marks"]
    hats.do("asked", asked="3")
    assert "blue" in hats.work("tutor")
    hats.do("asked", asked="steps")
    assert "<ol" in hats.work("tutor")
    hats.ui["marks"] = {"x": "yes", "0.0": ["no"], "9.9": "yes"}
    hats.do("asked", asked="judge")
    hats.work("tutor")
    hats.do("unmark")
    assert "marks" not in hats.ui


def test_every_game_with_anything_to_show_has_a_page() -> None:
    names = page_summaries()
    assert {entry.name for entry in games()} <= set(names)
    assert next(iter(names)) == "cluedo"
    for game in names:
        page = Page(game)
        assert "setup" in page.response["fragments"]
        if 'data-do="example"' in page.html:
            page.do("example", example="0")
            assert page.document is not None
            assert "callout bad" not in page.response["fragments"].get("setup", "")


def test_a_board_of_minesweeper_is_tapped() -> None:
    page = Page("minesweeper")
    assert "a board is" in page.do("begin", {"level": "own", "size": "zero"})[0]
    page.do("begin", {"level": "own", "size": "3x3:2"})
    assert page.log == "board: 3x3:2\n"
    page.do("why", fact="0.0")
    assert "It shows" in page.text
    page.do("show", at="A1", number="1")
    [notice] = page.do("show", at="C1", number="0")
    assert notice.startswith("good: Now certain: B1 is clear")
    assert 'aria-label="A2: certainly a mine, new"' in page.html
    assert 'aria-label="A3: a mine with 33%"' in page.html
    page.do("view", view="advice")
    assert "Certainly clear: 3" in page.work("advice")
    page.do("show", at="C1", number="1")
    assert page.log.endswith("A1: 1\nC1: 1\n")
    assert page.do("show", at="Z9", number="1")[0].startswith("bad:")
    page.do("drop", event="1")
    assert page.log.endswith("A1: 1\n")


def test_a_drawn_board_becomes_a_log_that_can_be_changed() -> None:
    page = Page("minesweeper", text="mines: 1\n1..\n...\n")
    page.do("show", at="C1", number="0")
    assert page.log == "board: 3x2:1\nA1: 1\nC1: 0\n"
    page = Page("minesweeper", text="mines: 1\n1..\n...\n")
    page.do("show", at="A1", number="0")
    assert page.log == "board: 3x2:1\nA1: 0\n"


@pytest.mark.parametrize("numpy", [True, False], ids=["numpy", "no numpy"])
def test_a_guess_of_mastermind_is_tapped(monkeypatch: pytest.MonkeyPatch, numpy: bool) -> None:
    if not numpy:
        monkeypatch.setattr("games.mastermind.face.presenter.find_spec", lambda name: None)
    page = Page("mastermind")
    assert "bad: Slots: a whole number" in page.do("begin", {"kind": "own", "slots": "x"})[0]
    page.do("begin", {"kind": "own", "slots": "3", "colours": "4", "repeat": "no"})
    taps = {"s1": "0", "s2": "1", "s3": "2", "black": "1"}
    assert page.do("add", taps) == ["bad: choose both numbers of the answer first"]
    assert page.ui["guess"] == {"s1": 0, "s2": 1, "s3": 2, "black": 1}
    page.do("add", {**taps, "white": "1"})
    assert page.log.endswith("123: 1 1\n")
    page.do("view", view="advice")
    advice = page.work("advice")
    code = re.search(r'data-code="(\d+)"', advice)
    assert code
    page.do("use", code=code[1])
    assert len(page.ui["guess"]) == 3
    assert page.do("use", code="<b>")[0].startswith("bad:")
    page.do("clear")
    page.do("draft", {"s1": "77", "white": "-1"})
    assert page.ui["guess"] == {}


def test_a_colour_goes_into_the_next_empty_slot_or_the_chosen_one() -> None:
    page = Page("mastermind")
    page.do("begin", {"kind": "mastermind"})
    for colour in "0123":
        page.do("peg", colour=colour)
    assert page.ui["guess"] == {"s1": 0, "s2": 1, "s3": 2, "s4": 3}
    page.do("peg", colour="5")
    assert page.ui["guess"]["s4"] == 3, "all slots are full and none is chosen"
    page.do("slot", {"black": "2"}, number="1")
    page.do("peg", colour="5")
    assert page.ui["guess"] == {"s1": 0, "s2": 5, "s3": 2, "s4": 3, "black": 2}
    page.do("slot", number="2")
    page.do("slot", number="2")
    assert "s3" not in page.ui["guess"]
    assert page.do("peg", colour="6")[0].startswith("bad:")
    assert page.do("slot", number="9")[0].startswith("bad:")


def test_pages_need_neither_numpy_nor_networkx_nor_ortools() -> None:
    import subprocess

    code = (
        "import sys, json\nfrom itertools import islice\n"
        "for name in ('numpy', 'networkx', 'ortools', 'click'): sys.modules[name] = None\n"
        "from deduce.face.messages import Door\n"
        "door = Door()\n"
        f"for game in {list(page_summaries())!r}:\n"
        "    one = json.loads(door.answer(json.dumps({'game': game})))\n"
        "    assert 'setup' in one['fragments'], one\n"
        "    for do in ('example', 'begin'):\n"
        "        intent = {'do': do, 'values': {'example': '0'}}\n"
        "        two = json.loads(door.answer(json.dumps({'game': game, 'intent': intent})))\n"
        "        assert 'error' not in two, two\n"
        "        fields = {'game': game, 'document': two['document'], 'ui': two['ui']}\n"
        "        for job in two['jobs']:\n"
        "            for part in islice(door.work(json.dumps({**fields, 'job': job})), 2):\n"
        "                assert 'error' not in json.loads(part), part\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_document_of_another_page_is_refused() -> None:
    page = Page("mastermind")
    page.do("begin", {"kind": "bulls"})
    message = {"game": "minesweeper", "document": page.document}
    assert "another game" in json.loads(Door().answer(json.dumps(message)))["error"]
