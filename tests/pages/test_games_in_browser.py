"""The pages of all games in a real browser: each is opened, begun and tapped once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.browser import expect
from tests.pages.test_page_in_browser import AXE, SMALL_TARGETS, WIDTHS, local, pytestmark, view

__all__ = ["pytestmark"]

START = "#begin-form [type=submit]"
EXAMPLE = '[data-do="example"]'

TAPS: dict[str, tuple[str, str, str]] = {
    "connect-four": (START, 'svg [data-move="4"]', "O to move"),
    "cultist": (EXAMPLE, 'button[aria-label^="◀"]', "shoots at"),
    "cultist-play": (START, 'svg [data-move="0"]', "Wait"),
    "dice-nim": (START, '[data-do="roll"]', "Player 1 to move"),
    "mastermind": (EXAMPLE, '[data-do="clear"]', "The guesses so far"),
    "minesweeper": (
        EXAMPLE,
        '.mines .cell[aria-label^="A5: a mine with probability 50%"]',
        "It shows",
    ),
    "nim": (START, 'svg [data-move="1 from 1"]', "Player 2 to move"),
    "pigs": (EXAMPLE, '[data-seat="2"]', "Seat 2: rebel"),
    "propre": (START, 'button[data-do="take"]', "Player 2 to move"),
    "quartets": (START, '[data-do="draft"], .chip', "Ann has the turn"),
    "quartets-play": (START, "main summary", "Ann asks Ben"),
    "tic-tac-toe": (START, 'svg [data-move="5"]', "O to move"),
}
"""Game -> what begins it, what is then tapped, and what must be shown."""


def test_every_game_is_opened_and_tapped(tmp_path: Path) -> None:
    width = WIDTHS["phone"]
    axe = AXE.read_text(encoding="utf-8") if AXE.exists() else ""
    screen = {"viewport": {"width": width, "height": 844}, "color_scheme": "dark"}
    with local(tmp_path, **screen) as page:
        for game, (begin, tap, shown) in TAPS.items():
            page.evaluate("game => { location.hash = `#/new/${game}` }", game)
            page.locator(".frame").wait_for()
            check(page, axe, width, f"{game}, set-up")
            page.locator(begin).first.click()
            page.locator(tap).locator("visible=true").first.click()
            expect(page.locator(".content")).to_contain_text(shown)
            check(page, axe, width, game)
            page.locator('[data-local="home"]').click()
            page.locator("#list").wait_for()


REFUSED = """() => {
  window.refused = []
  const seen = () => window.refused.push(...[...document.querySelectorAll(".messages.bad p")]
    .map((line) => line.textContent))
  new MutationObserver(seen).observe(document.body, {childList: true, subtree: true})
}"""


def test_the_engine_answers_once_by_itself_and_the_board_shows_values(tmp_path: Path) -> None:
    with local(tmp_path, viewport={"width": 390, "height": 844}) as page:
        page.evaluate(REFUSED)
        for game, taps, replies in (("tic-tac-toe", ("1", "2"), 2), ("nim", ("1 from 1",), 1)):
            page.evaluate("game => { location.hash = `#/new/${game}` }", game)
            page.locator(START).click()
            page.locator("#engine-form .chip").nth(1).click()
            for number, tap in enumerate(taps, start=1):
                page.locator(f'svg [data-move="{tap}"]').dblclick()
                expect(page.locator("h1 small")).to_contain_text(f"{2 * number} moves")
            page.wait_for_timeout(300)
            assert page.evaluate("window.refused") == [], "a move of the engine was sent twice"
            # What the moves are worth is shown on demand, as colours and in words.
            assert page.locator(".move.win, .move.loss, .move.draw").count() == 0
            page.get_by_role("button", name="Show what each move is worth").click()
            page.locator('[data-advice="exact"]').get_by_text("Best: ").wait_for()
            assert page.locator(".move.win, .move.loss, .move.draw").count() > 0
            page.get_by_role("button", name="Undo").click()
            expect(page.locator("h1 small")).to_contain_text(f"{2 * replies - 2} moves")
        # A part of the picture is a button for the keyboard, too. The game is played to its end.
        title = page.locator("#turn-title")
        while "over" not in title.inner_text():
            count = page.locator("h1 small").inner_text()
            page.locator('svg [data-do="take"]').last.focus()
            page.keyboard.press("Enter")
            expect(page.locator("h1 small")).not_to_have_text(count)
            expect(title).to_contain_text(re.compile("Player 1|over"))
        assert page.evaluate("window.refused") == []
        # While the engine looks for its move, no earlier one can be tapped.
        page.evaluate("location.hash = '#/new/cultist-play'")
        page.locator(START).click()
        page.locator("#engine-form .chip").nth(1).click()
        page.locator('svg [data-move="0"]').click()
        page.locator('svg [data-move="0 MOVE 1 3"]').click()
        page.get_by_text("The engine is looking").wait_for()
        assert page.locator('[data-do="take"]:not([data-auto])').count() == 0


def check(page: Any, axe: str, width: int, where: str) -> None:
    """Check the targets, the width, and what axe finds."""
    assert page.evaluate(SMALL_TARGETS) == [], where
    assert page.evaluate("document.documentElement.scrollWidth") == width, where
    if axe:
        page.evaluate(axe)
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found = [
            f"{where}: {each['id']}: {node['html'][:150]}"
            for each in result["violations"]
            for node in each["nodes"]
        ]
        assert found == []


LOST = {
    "#cluedo:AAAA": "the link is damaged or incomplete",
    "#cluedo:%%%": "This address does not name a game",
    "#/new/nosuch": "no game is called 'nosuch'",
    "#/saved/none": "This game is not in this browser",
    f"#/new/{'a' * 1_000_000}": "no game has a name as long as this one",
}
SLOW_ANSWERS = """
const quick = window.fetch;
window.fetch = async (...request) => {
  const answer = await quick(...request);
  await new Promise((resolve) => setTimeout(resolve, 600));
  return answer;
};
"""
FULL = "() => { Storage.prototype.setItem = () => { throw new DOMException('full') } }"


def test_what_goes_wrong_is_said_and_the_list_stays(tmp_path: Path) -> None:
    log = b"players: Ann, Ben, Cid\nme: Ann\nAnn has rope\n"
    with local(tmp_path, viewport={"width": 1280, "height": 844}) as page:
        for address, problem in LOST.items():
            page.evaluate("address => { location.hash = address }", address)
            expect(page.locator("#file-problem")).to_contain_text(problem)
            expect(page.locator("#game-cluedo")).to_be_visible()
        for data, problem in ((b"\x89PNG\x00\xff", "not text"), (b"x" * 5_000_000, "too big")):
            page.set_input_files("#file", {"name": "a", "mimeType": "", "buffer": data})
            expect(page.locator("#file-problem")).to_contain_text(problem)
        page.set_input_files("#file", {"name": "a.cluedo", "mimeType": "", "buffer": log})
        expect(page.locator("h1 small")).to_contain_text("1 event")
        page.go_back()
        expect(page.locator("#list")).to_be_visible()
        page.go_forward()
        expect(page.locator("h1 small")).to_contain_text("1 event")

        # A second tab with the same game shows what the first one does, and undoes nothing, also
        # where a step is taken while the other tab still waits for its first answer.
        page.context.add_init_script(SLOW_ANSWERS)
        with page.expect_popup() as popup:
            page.evaluate("() => { window.open(location.href) }")
        other = popup.value
        for tab, line, shown in ((page, "Ben has hall", "2"), (other, "Cid has study", "3")):
            view(tab, "log")
            tab.get_by_label("Add a line").fill(line)
            tab.get_by_role("button", name="Add", exact=True).click()
            for each in (page, other):
                expect(each.locator("h1 small")).to_contain_text(f"{shown} events")
        other.close()

        page.evaluate(FULL)
        view(page, "advice")
        page.get_by_text("This browser does not let the page keep the game").wait_for()


def test_a_typed_line_is_taken_once_or_stays(tmp_path: Path) -> None:
    log = b"players: Ann, Ben, Cid\nme: Ann\nAnn has rope\n"
    with local(tmp_path, viewport={"width": 1280, "height": 844}) as page:
        page.set_input_files("#file", {"name": "a.cluedo", "mimeType": "", "buffer": log})
        view(page, "log")
        line = page.get_by_label("Add a line")
        add = page.get_by_role("button", name="Add", exact=True)
        for number, send in ((2, add.click), (3, lambda: line.press("Enter"))):
            line.fill("Ben has nobody")
            send()
            expect(page.locator(".messages.bad")).to_contain_text("no card is called 'nobody'")
            expect(line).to_have_value("Ben has nobody")
            line.fill(f"Ben has {('hall', 'study')[number - 2]}")
            send()
            expect(page.locator("h1 small")).to_contain_text(f"{number} events")
            expect(line).to_have_value("")

        # While an answer is on its way: what is typed is not drawn over, and two taps are one.
        page.evaluate(f"() => {{ {SLOW_ANSWERS} }}")
        view(page, "log")
        line.fill("Ben has nobody")
        add.click()
        expect(page.locator(".messages.bad")).to_contain_text("no card is called 'nobody'")
        expect(line).to_have_value("Ben has nobody")
        view(page, "log")
        line.fill("Cid has lounge")
        add.dblclick()
        expect(page.locator("h1 small")).to_contain_text("4 events")
        expect(line).to_have_value("")
        view(page, "log")
        line.fill("half a line")
        add.focus()
        page.locator("tr .cell").first.click()
        expect(page.locator(".over")).to_be_visible()
        expect(line).to_have_value("half a line")

        # On paper there is the sheet and the log, and nothing to tap.
        page.emulate_media(media="print")
        expect(page.locator(".cell").first).to_be_visible()
        expect(page.locator(".log li").first).to_be_visible()
        for control in (line, add, page.locator(".over")):
            expect(control).to_be_hidden()
