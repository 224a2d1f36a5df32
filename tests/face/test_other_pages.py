"""The pages of Quartets, Pig-slaying and Cultist Wars, without a browser."""

from __future__ import annotations

import json
import re
from random import Random

import pytest

from games.cultist.replay import parse_replay
from tests.browser import NASTY
from tests.face.asking import Page

START = "quartets\nplayers: Ann, Ben, Cid\ngroup a: a1, a2\ngroup b: b1, b2\ngroup c: c1, c2\n"


@pytest.fixture
def quartets() -> Page:
    return Page("quartets", text=START)


def test_a_game_of_quartets_is_set_up(quartets: Page) -> None:
    page = Page("quartets")
    assert page.do("begin", {"players": "Ann, Ben", "groups": " "})[0].startswith("bad: describe")
    assert page.do("begin", {"players": " ", "groups": "3 of 4"})[0].startswith("bad: name")
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
    assert page.do("ask", {"to": "1"}) == ["bad: choose a player and a card first"]
    page.do("draft", {"to": "1", "group": "0"})
    assert page.ui["turn"] == {"to": 1, "group": 0}
    page.do("ask", {"to": "1", "group": "0", "card": "0"})
    assert page.log.endswith("Ann asks Ben for a1\n")
    assert "Ben is asked for a1." in page.text
    page.do("reply", yes="yes")
    assert page.log.endswith("Ben: yes\n")
    assert 'aria-label="a1, Ann: yes"' in page.html
    page.do("reason", at="0.0")
    assert "it was handed over publicly" in page.text
    page.do("close")
    page.do("type", {"line": "Ben b1"})
    page.do("type", {"line": "no"})
    page.do("undo")
    page.do("view", view="verdict")
    assert "Every statement leaves a deal" in page.work("verdict")
    page.do("step", to="1")
    assert "After 1 statements of 3" in page.text
    page.do("step", {"to": "0"})
    assert "Before the first statement" in page.text


def test_a_losing_statement_is_shown_with_its_reason() -> None:
    page = Page("quartets")
    page.do("example", example="3")
    assert "lost" in page.html or "loses" in page.text
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
    shares = [int(share) for share in re.findall(r"yes with (\d+)%", html)]
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
        ("0", "c1 42% 41% 18%", "A deal is possible"),
        ("4", "There are 0 ways", "No deal is possible"),
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
    for intent in ("ask", "reply", "declare", "reason", "step", "type", "edit", "nothing"):
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
    monkeypatch.setattr("games.pigs.face.presenter.Random", lambda: Random(1))
    page = Page("pigs")
    page.do("begin", {"seats": "3", "grade": ""})
    assert page.ui["tutor"] is True
    assert page.log.startswith("pigs 3")
    assert "The answers are hidden" in page.text
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


def test_a_replay_of_cultist_wars_is_shown_board_by_board() -> None:
    page = Page("cultist")
    assert page.do("paste", {"text": "{}"})[0].startswith("bad: ")
    page.do("example", example="0")
    replay = parse_replay(page.log)
    last = len(replay.orders)
    assert f"Turn {last} of {last}" in page.text
    assert "The game is over" in page.text or "the game is not over" in page.text.lower()
    page.do("step", to="1")
    assert replay.orders[0] in page.text
    assert "<svg" in page.html
    assert not re.search(r"<[^>]*\sstyle=", page.html)
    page.do("view", view="orders")
    assert page.html.count('data-key="order-') == last
    assert page.do("step", to="100000")[0].startswith("bad: ")
    fields = json.loads(page.log) | {"names": list(NASTY)}
    page = Page("cultist", text=json.dumps(fields))
    assert not re.search("<(img|script)", page.html)
