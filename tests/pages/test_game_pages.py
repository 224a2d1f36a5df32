"""The page of any hidden game, and those of the games but Cluedo, without a browser."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from html import unescape
from random import Random
from typing import Any

import pytest
from attrs import frozen

from deduce.constraints import is_
from deduce.line_game import Dealt, Line, LineGame
from deduce.logs.document import Document
from deduce.logs.events import write_text
from deduce.pages.features.forms import setup_of
from deduce.pages.hidden import hidden_page
from deduce.pages.messages import Door, page_of, page_summaries
from deduce.pages.protocol import Intent, Request
from deduce.pages.transports import site
from deduce.problem import Evidence
from deduce.system.registry import Registration, games
from games.battleship import Battleship
from games.clocktower import Clocktower
from games.cultist.replay import parse_replay
from games.cultist.wording import action_words
from games.secret_hitler import SecretHitler
from games.table import Table
from tests.browser import NASTY
from tests.pages.asking import Page


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
    monkeypatch.setattr("deduce.system.registry.find", lambda name: entry)
    return Page("hats", Door({"hats": hidden_page("hats")}))


def test_a_strangers_game_has_a_page_with_everything(hats: Page) -> None:
    hats.do("begin")
    assert "3 worlds remain possible" in hats.text
    assert not re.search("<(img|script)", hats.html)
    assert hats.do("type", {"line": "Cid: blue"}) == ["good: Now certain: Cid is blue"]
    hats.do("why", fact="2.1")
    assert "Cid is blue certain" in hats.text
    hats.do("why", fact="0.0")
    assert "Its probability is 50%" in hats.text
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
    assert "Any event may be wrong" in hats.text
    sheet = hats.work("slips")
    assert "No event is suspicious" in sheet
    assert re.search('aria-label="Cid, red: [^"]*, depends on an event that may be wrong"', sheet)
    # A log that contradicts itself shows which of its events is probably wrong.
    for _ in range(2):
        hats.do("type", {"line": "Cid: blue"})
    sheet = hats.work("slips")
    assert re.search("1. Cid: red</b><small>[^<]* wrong with probability &gt;99%", sheet)
    hats.do("slips")
    assert "contradicts itself" in hats.text
    assert "Allow for mistakes" in hats.text


def test_a_board_of_minesweeper_allows_for_a_misread_number() -> None:
    page = Page("minesweeper", text="board: 3x3:2\nA1: 1\nC1: 0\n")
    page.do("slips")
    board = page.work("slips")
    label = 'aria-label="A2: a mine with [^"]*, depends on a number that may be misread"'
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
    assert "a board is" in page.do("begin", {"kind": "own", "size": "zero"})[0]
    page.do("begin", {"kind": "own", "size": "3x3:2"})
    assert page.log == "board: 3x3:2\n"
    page.do("why", fact="0.0")
    assert "It shows" in page.text
    page.do("tell", line="A1: 1")
    [notice] = page.do("tell", line="C1: 0")
    assert notice.startswith("good: Now certain: B1 is clear")
    assert 'aria-label="A2: certainly a mine, new"' in page.html
    assert 'aria-label="A3: a mine with probability 33%"' in page.html
    page.do("view", view="advice")
    assert "Certainly clear: 3" in page.work("advice")
    page.do("tell", line="C1: 1")
    assert page.log.endswith("A1: 1\nC1: 1\n")
    assert page.do("tell", line="Z9: 1")[0].startswith("bad:")
    page.do("pen", value="8")
    page.do("at", at="open A2")
    page.do("drop", event="1")
    assert page.log.endswith("A1: 1\n")
    page = Page("minesweeper", text="board: 3x1\nA1: 1\n")
    page.do("view", view="advice")
    assert "The number of mines is needed" in page.work("advice")


def test_a_board_of_battleship_is_tapped() -> None:
    page = Page("battleship", text=write_text(Battleship(3, 3, (2,)), []))
    assert re.search(
        'class="closed p7 best"><[^>]* aria-label="b2: 33%, shoot', page.work("marked")
    )
    page.do("at", at="b2")
    assert "Tap the answer that you got" in page.text
    page.do("tell", line="b2: hit")
    assert 'aria-label="b2: yes, shot at already">' in page.html, "and the cell is not open"
    page.do("pen", value="0")
    page.do("at", at="a2")
    assert page.log.endswith("b2: hit\na2: miss\n")
    page.do("at", at="b2")
    assert 'value="b2: hit"' in page.html, "a cell that was shot at opens its event"
    assert page.do("at", at="z9")[0].startswith("bad:")


def test_a_drawn_board_becomes_a_log_that_can_be_changed() -> None:
    page = Page("minesweeper", text="mines: 1\n1..\n...\n")
    page.do("tell", line="C1: 0")
    assert page.log == "board: 3x2:1\nA1: 1\nC1: 0\n"
    page = Page("minesweeper", text="mines: 1\n1..\n...\n")
    page.do("then", to="0")
    assert "Before the first event" in page.text
    page.do("tell", line="A1: 0")
    assert page.log == "board: 3x2:1\nA1: 0\n"
    page.do("text", {"text": "mines: 2\n...\n.1.\n"})
    assert page.log == "board: 3x2:2\nB2: 1\n"
    page.do("undo")
    assert page.log == "board: 3x2:1\nA1: 0\n"
    page = Page("minesweeper", text="board: 3x3:2\nA1: 1\nC1: 0\nA1: 2\n")
    page.do("tell", line="A1: 1")
    assert page.log == "board: 3x3:2\nA1: 1\nC1: 0\n", "all that it corrects goes"


@pytest.mark.parametrize("numpy", [True, False], ids=["numpy", "no numpy"])
def test_a_guess_of_mastermind_is_tapped(monkeypatch: pytest.MonkeyPatch, numpy: bool) -> None:
    if not numpy:
        monkeypatch.setattr("deduce.system.arrays.has_arrays", lambda: False)
        monkeypatch.setattr("games.mastermind.page.has_arrays", lambda: False)
    page = Page("mastermind")
    assert "bad: Slots: must be a whole" in page.do("begin", {"kind": "own", "slots": "x"})[0]
    page.do("begin", {"kind": "own", "slots": "3", "colours": "4", "repeat": "no"})
    taps = {"s1": "0", "s2": "1", "s3": "2", "black": "1"}
    assert page.do("add", taps) == ["bad: Choose both numbers of the answer first"]
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
    assert re.search('aria-current="true"[^>]*aria-label="Slot 2', page.html)
    page.do("peg", colour="5")
    assert page.ui["guess"] == {"s1": 0, "s2": 5, "s3": 2, "s4": 3, "black": 2}
    page.do("slot", number="2")
    page.do("slot", number="2")
    assert "s3" not in page.ui["guess"]
    assert page.do("peg", colour="6")[0].startswith("bad:")
    assert page.do("slot", number="9")[0].startswith("bad:")


def test_pages_need_neither_numpy_nor_networkx_nor_ortools() -> None:
    """The example of every third game, without Battleship: nine seconds without numpy."""
    import subprocess

    code = (
        "import sys, json\n"
        "for name in ('numpy', 'networkx', 'ortools', 'click'): sys.modules[name] = None\n"
        "from deduce.pages.messages import Door\n"
        "door = Door()\n"
        f"for game in {sorted(page_summaries().keys() - {'battleship'})[::3]!r}:\n"
        "    one = json.loads(door.answer(json.dumps({'game': game})))\n"
        "    assert 'setup' in one['fragments'], one\n"
        "    intent = {'do': 'example', 'values': {'example': '0'}}\n"
        "    two = json.loads(door.answer(json.dumps({'game': game, 'intent': intent})))\n"
        "    assert 'error' not in two, two\n"
        "    fields = {'game': game, 'document': two['document'], 'ui': two['ui']}\n"
        "    for job in two['jobs']:\n"
        "        part = next(door.work(json.dumps({**fields, 'job': job})))\n"
        "        assert 'error' not in json.loads(part), part\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_document_of_another_page_is_refused() -> None:
    page = Page("mastermind")
    page.do("begin", {"kind": "bulls"})
    message = {"game": "minesweeper", "document": page.document}
    assert "another game" in json.loads(Door().answer(json.dumps(message)))["error"]


# Quartets, Pig-slaying and Cultist Wars

START = "quartets\nplayers: Ann, Ben, Cid\ngroup a: a1, a2\ngroup b: b1, b2\ngroup c: c1, c2\n"


@pytest.fixture
def quartets() -> Page:
    return Page("quartets", text=START)


def test_a_game_of_quartets_is_set_up(quartets: Page) -> None:
    page = Page("quartets")
    assert page.do("begin", {"players": "Ann, Ben", "groups": " "})[0].startswith("bad: Describe")
    assert page.do("begin", {"players": " ", "groups": "3 of 4"})[0].startswith("bad: Name")
    page.do("begin", {"players": "Ann, Ben, Cid", "groups": "3 of 4", "preset": "recommended"})
    assert "groups: 3 of 4, named as they come" in page.log
    page.do("draft", {"to": "1", "group": "0"})
    assert "a card of a new group" in page.text
    page = Page("quartets")
    groups = "fish: cod, eel\nbird: owl, jay\ntree: oak, ash"
    page.do("begin", {"players": "Ann, Ben, Cid", "groups": groups, "preset": "strict"})
    assert "group bird: owl, jay" in page.log
    assert "Ann has the turn." in page.text


def test_statements_are_tapped_and_judged(quartets: Page) -> None:
    page = quartets
    assert page.do("ask", {"to": "1"}) == ["bad: Choose a player and a card first"]
    page.do("draft", {"to": "1", "group": "0"})
    assert page.ui["turn"] == {"to": 1, "group": 0}
    page.do("ask", {"to": "1", "group": "0", "card": "0"})
    assert page.log.endswith("Ann asks Ben for a1\n")
    assert "Ben is asked for a1." in page.text
    page.do("reply", yes="yes")
    assert page.log.endswith("Ben: yes\n")
    assert 'aria-label="a1, Ann: yes"' in page.html
    page.do("why", fact="0.0")
    assert "it was handed over publicly" in page.text
    page.do("close")
    page.do("type", {"line": "Ben b1"})
    page.do("type", {"line": "no"})
    page.do("undo")
    page.do("view", view="verdict")
    assert "Every statement leaves a deal" in page.work("verdict")
    page.do("then", to="0")
    page.do("then", {"to": "1"})
    assert "After event 1: Ann asks Ben for a1" in page.text
    assert 'aria-label="a1, Ann: ' in page.html
    assert 'aria-label="a1, Ann: yes"' not in page.html


def test_a_losing_statement_is_shown_with_its_reason() -> None:
    page = Page("quartets")
    page.do("example", example="3")
    assert "Statement 24 loses: Cid gave elm to Dot" in page.text
    page.do("view", view="verdict")
    verdict = page.work("verdict")
    assert "callout bad" in verdict
    page.do("line", event="0")
    assert 'id="line-text"' in page.html


def test_the_advice_names_what_must_be_handed_over_and_what_loses(quartets: Page) -> None:
    page = Page("quartets")
    page.do("example", example="2")
    page.do("view", view="advice")
    html = page.work("advice")
    assert re.search(r"Ask Cid for cod</bdi></b><small>the answer must be yes", html)
    shares = [int(share) for share in re.findall(r"yes: (\d+)%", html)]
    assert shares == sorted(shares, reverse=True)
    values = re.search(r'data-card="(\d+)" data-to="(\d+)"', html)
    assert values
    page.do("use", card=values[1], to=values[2])
    assert page.ui["view"] == "turn"
    page.do("ask", {key: str(value) for key, value in page.ui["turn"].items()})
    assert page.log.endswith("Ben asks Cid for cod of fish\n")
    assert "deals remain possible. Ben has the turn." in page.work("advice")
    assert "This loses: no deal would remain possible." in page.work("advice")
    assert page.do("use", card="<b>", to="0")[0].startswith("bad:")


@pytest.mark.parametrize(
    ("example", "shown", "verdict"),
    [
        ("0", "b ≤2 b1 23% 53% 24%", "A deal is possible"),
        ("4", "Ben, 2 any card", "No deal is possible"),
    ],
    ids=["deal form", "slot form"],
)
def test_a_single_state_is_opened(example: str, shown: str, verdict: str) -> None:
    page = Page("quartets")
    assert "A state in slot form. Four places have only three cards" in page.text
    page.do("example", example=example)
    assert shown in page.text
    page.do("view", view="verdict")
    assert verdict in page.work("verdict")
    page.do("view", view="share")
    assert page.do("text", {"text": "quartets deal\nplayers\n"})[0].startswith("bad:")


def test_hostile_statements_change_nothing(quartets: Page) -> None:
    page = quartets
    for intent in ("ask", "reply", "declare", "why", "step", "type", "edit", "nothing"):
        form = {"to": "99", "card": "<img>", "line": NASTY[0]}
        notices = page.do(intent, form, at="9.9", group="x", yes="<b>")
        assert notices[0].startswith("bad: "), intent
    assert page.log == START
    quoted = json.dumps(NASTY[1])
    page = Page("quartets", text=START.replace("Ann", quoted))
    assert not re.search("<(img|script)", page.html)


LOG = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses F on 1\n1 hit by 2\n2 ends\n"


def test_a_log_of_pigs_is_stepped_through() -> None:
    page = Page("pigs", text=LOG)
    assert "Event 6 of 6" in page.text
    page.do("step", to="4")
    assert "Seat 2 is certainly a rebel: declared by its own action." in page.text
    assert not re.search(r"<[^>]*\sstyle=", page.html)
    page.do("seat", seat="2")
    assert "Seat 2: rebel" in page.text
    page.do("close")
    page.do("step", to="3")
    page.do("seat", seat="2")
    assert "Both roles are possible." in page.text
    page.do("view", view="roles")
    assert "The probability of being a rebel, over time" in page.text
    page.do("type", {"line": "turn 3"})
    assert "The last turn is not finished" in page.text
    for intent in ("step", "seat", "begin"):
        assert page.do(intent, {"seats": "99"}, to="77", seat="99")[0].startswith("bad: ")


def test_a_puzzle_of_pigs_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.pigs.page.Random", lambda: Random(1))
    page = Page("pigs")
    page.do("puzzle", {"seats": "3", "grade": ""})
    assert page.ui["tutor"] is True
    assert page.log.startswith("pigs 3")
    assert "What happened" in page.text
    assert "rebel 1" not in page.html
    cells = re.findall(r'data-do="mark" data-fact="([^"]*)"', page.html)
    assert len(cells) == 4, "two seats with two roles each"
    page.do("mark", fact=cells[0])
    page.do("mark", fact=cells[1])
    for asked in ("1", "2", "3", "steps"):
        page.do("asked", asked=asked)
        assert "seat" in page.work("tutor").lower()
    page.do("asked", asked="judge")
    assert "1 proved, 1 wrong, 0 not yet provable" in page.work("tutor")


def test_rows_of_equal_percentages_are_one_line_that_unfolds() -> None:
    page = Page("pigs")
    page.do("example", example="0")
    page.do("view", view="sheet")
    assert "peach, slash, dodge, duel, nullify: 20% each" in page.text
    assert "Seat 1, card 1 – 4" in page.text
    # Every card can still be asked about.
    assert re.search('data-do="why"[^>]*aria-label="Seat 1, card 4[^"]*peach', page.html)


def test_a_replay_of_cultist_wars_is_shown_board_by_board() -> None:
    page = Page("cultist")
    assert page.do("paste", {"text": "{}"})[0].startswith("bad: ")
    page.do("example", example="0")
    replay = parse_replay(page.log)
    last = len(replay.orders)
    assert f"Turn {last} of {last}" in page.text
    assert "The game is over" in page.text or "the game is not over" in page.text.lower()
    page.do("step", to="1")
    assert action_words(replay.turns[0].action) in page.text
    assert "<svg" in page.html
    assert not re.search(r"<[^>]*\sstyle=", page.html)
    page.do("view", view="orders")
    assert page.html.count('data-key="order-') == last
    assert page.do("step", to="100000")[0].startswith("bad: ")
    fields = json.loads(page.log) | {"names": list(NASTY)}
    page = Page("cultist", text=json.dumps(fields))
    assert not re.search("<(img|script)", page.html)


@pytest.mark.parametrize("game", ["cluedo", "minesweeper", "quartets"])
def test_a_puzzle_is_one_screen_with_marks_and_clues(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deduce.pages.features.start.Random", lambda: Random(6))
    page = Page(game)
    [notice] = page.do("puzzle", {"grade": ""})
    assert "Everything asked for follows from the clues" in notice
    assert page.ui["puzzle"] is True
    assert "What happened" in page.text
    page.do("mark", fact=re.findall(r'data-do="mark" data-fact="([^"]*)"', page.html)[0])
    page.do("asked", asked="1")
    assert page.work("tutor")
    page.do("asked", asked="judge")
    assert re.search("1 proved|1 wrong", page.work("tutor"))
    page.do("tutor")
    assert 'data-do="mark"' not in page.html


def test_undoing_a_puzzle_shows_the_answers_again() -> None:
    page = Page("wordle")
    page.do("begin")
    before = page.log
    page.do("puzzle", {"grade": ""})
    page.do("undo")
    assert page.log == before
    assert not page.ui.keys() & {"puzzle", "tutor"}


def test_a_puzzle_on_a_board_is_solved_when_what_is_hidden_there_is_marked() -> None:
    page = Page("battleship")
    page.do("paste", {"text": '{"game": "battleship", "version": 1, "width": 3, "height": 1, '
                              '"fleet": [2]}\na1: miss\n'})  # fmt: skip
    page.do("tutor")
    for cell, result in (("b1", ""), ("c1", "Solved")):
        page.do("mark", fact=f"@{cell}")
        page.do("asked", asked="judge")
        assert result in page.work("tutor")
        assert ("Solved" in page.work("tutor")) is bool(result)


def test_a_board_is_not_solved_by_marks_that_nothing_proves() -> None:
    page = Page("battleship", text=write_text(Battleship(4, 4, (2,)), []))
    page.do("type", {"line": "a1: miss"})
    page.do("tutor")
    page.do("mark", fact="@d4")
    page.do("asked", asked="judge")
    assert "Not yet provable: d4" in page.work("tutor")
    assert "Solved" not in page.work("tutor")


def test_a_game_of_lines_is_set_up_and_its_events_are_entered_by_forms() -> None:
    page = Page("avalon")
    assert page.do("begin", {"set-evil_fails": "x"})[0].startswith("bad: ")
    assert page.do("begin", {"set-players": "Mia, Jo, Al, Bo, Cy, Di"}) == []
    assert "Fails is missing" in page.do("enter", {"kind": "3", "f-team": ["Mia", "Jo"]})[0]
    page.do("enter", {"kind": "3", "f-team": ["Mia", "Jo"], "f-fails": "1"})
    assert page.log.splitlines()[-1] == "mission Mia Jo: 1"
    assert page.do("enter", {"kind": "9"})[0].startswith("bad: ")


class Weighed(Line, template="coin {coin} is light"):
    """A weighing."""

    coin: str


@frozen
class Coins(LineGame):
    """Which coin is light?"""

    name = "coins"
    events = (Weighed,)

    def variables(self) -> dict[str, tuple[str, ...]]:
        return {"light coin": ("A", "B", "C")}


@frozen
class MoreCoins(Coins):
    """The same with settings of many types."""

    rate: float = 0.5
    shift: int = -1
    most: int | None = None
    mottos: tuple[str, ...] = ("heads, tails", "none")
    left_out: Mapping[str, int] = {}


@pytest.mark.parametrize(
    ("kind", "settings", "kept"),
    [
        (Coins, {}, {}),
        (MoreCoins, {}, {}),
        (
            MoreCoins,
            {"rate": "2.25", "shift": "-7", "most": "3", "mottos": "a, b\r\nc\r\n"},
            {"rate": 2.25, "shift": -7, "most": 3, "mottos": ["a, b", "c"]},
        ),
        (MoreCoins, {"most": ""}, {}),
        (MoreCoins, {"rate": "nan"}, None),
    ],
)
def test_a_strangers_game_is_set_up_with_settings_of_many_types(
    monkeypatch: pytest.MonkeyPatch,
    kind: type,
    settings: dict[str, str],
    kept: dict[str, object] | None,
) -> None:
    entry = Registration("coins", "", hidden=f"{__name__}:{kind.__name__}")
    monkeypatch.setattr("deduce.system.registry.find", lambda name: entry)
    page = Page("coins", Door({"coins": hidden_page("coins")}))
    shown = {name: unescape(text) for name, text in
             re.findall('name="set-([^"]*)" value="([^"]*)"', page.html)}  # fmt: skip
    form = {f"set-{name}": text for name, text in (shown | settings).items()}
    notices = page.do("begin", form)
    if kept is None:
        assert notices[0].startswith("bad: rate")
        return
    fields = json.loads(page.log.splitlines()[0])
    assert {key: fields[key] for key in fields if key not in ("game", "version")} == kept


def test_entries_of_settings_may_contain_commas() -> None:
    rows = {"set-csv": ('name, motto\nAnn, "a, b"\nBen, c',)}
    assert setup_of(Table, Intent("begin", {}, rows)).csv[1:] == (("Ann", "a, b"), ("Ben", "c"))
    story = {"set-story": ("Ann nominates Ben, executed: no\r\nexecuted: Ben",)}
    kept = setup_of(Clocktower, Intent("begin", {}, story)).story
    assert kept == ("Ann nominates Ben, executed: no", "executed: Ben")


def test_a_list_of_nobody_is_filled_in_and_another_empty_list_is_missing() -> None:
    page = Page("avalon")
    page.do("begin")
    votes = {"kind": "2", "f-approving": ["Ann", "Ben", "Cid", "Dot", "Eli"]}
    assert "Team is missing" in page.do("enter", votes)[0]
    page.do("enter", votes | {"f-team": ["Ann", "Ben"]})
    assert page.log.splitlines()[-1].endswith("nobody")


def test_a_hand_is_typed_in_its_order_and_with_commas_too() -> None:
    page = Page("hanabi")
    assert 'data-do="puzzle"' not in page.html
    page.do("begin", {"set-colours": "red, blue"})
    page.do("enter", {"kind": "0", "f-player": "Ben", "f-cards": "R3, R1,B2 R1, B1"})
    assert page.log.splitlines()[-1] == "Ben holds: R3 R1 B2 R1 B1"
    assert not re.search('name="f-cards" value="R1"', page.html)  # chips would lose the order


def test_advice_says_who_can_ask_where_the_whole_log_cannot() -> None:
    page = Page("hanabi")
    page.do("example", example="0")
    page.do("view", view="advice")
    assert "--as Ann" in page.work("advice")


def test_the_heading_of_a_sheet_says_what_is_left_out_of_a_name() -> None:
    page = Page("one-night")
    page.do("begin")
    assert re.search("in the morning.*>Ann<", page.html)
    assert ">Ann,2<" not in page.html
    page.do("tutor")
    assert ">Ann<" in page.html
    assert ">Ann,2<" not in page.html


def test_an_event_that_the_log_as_a_whole_refuses_is_not_added() -> None:
    page = Page("secret-hitler")
    page.do("begin")
    before = page.log
    [notice] = page.do("type", {"line": "Ann and Ben for Ann Ben against Ann Ben"})
    assert "one vote of each player" in notice
    assert page.log == before


def test_the_page_can_show_what_one_player_knows() -> None:
    """Of a log that several players share, the keeper chooses whose knowledge is shown."""
    game = SecretHitler(players=("Ann", "Ben", "None", "Dan", "Eve"))
    text = write_text(game, [Dealt("Ann", "Hitler")])
    page = Page("secret-hitler", text=text)
    everything = page.html
    assert "Whose view?" in page.text  # not that of the player called None
    page.do("whose", value="2")
    assert "What Ben knows" in page.text
    assert page.html.count("✓") < everything.count("✓")
    page.do("whose", value="99")  # there is no such player
    assert "What Ben knows" in page.text
    page.do("whose", value="0")
    assert page.html == everything
    own = page_of("secret-hitler").answer(Request(Document("secret-hitler", text), viewer="Ben"))
    assert "Whose view?" not in own.fragments["sheet"]


def test_the_static_site_has_the_data_that_games_read() -> None:
    packed = {name for name, _ in site._modules()}
    assert "games/cluedo/decks.json" in packed
