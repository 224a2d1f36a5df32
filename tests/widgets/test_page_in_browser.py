"""The page of ``deduce cluedo app`` in a real browser, on a desk and on a phone."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser import NASTY, expect, opened, served

pytestmark = pytest.mark.skipif(
    not importlib.util.find_spec("voila"), reason="voila is not installed (extra app)"
)

DEDUCE = Path(sys.executable).parent / "deduce"
READY = r": (http://127\.0\.0\.1:\d+/\?token=\S+)"

LOG = f"""\
suspect: "{NASTY[0]}", Plum
weapon: Rope, "{NASTY[1]}"
room: Hall, Attic, Cellar
players: Ann 2, "{NASTY[0]} B" 1, Cid 1
me: Ann
hand Ann: Plum, Rope
"""


def cell(page: Any, sheet: int, row: int, column: int) -> Any:
    """Return the button in a cell of one of the page's sheets."""
    return page.locator(".deduce-sheet").nth(sheet).locator(f'[data-place="{row},{column}"]')


def pick(page: Any, *choices: str) -> None:
    """Choose the cards of a suggestion; the first lists on the page are theirs."""
    for at, label in enumerate(choices):
        page.locator("select").nth(at).select_option(label=label)


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (390, "dark")], ids=["desk", "phone"]
)
def test_a_game_is_tracked_by_clicking(tmp_path: Path, width: int, scheme: str) -> None:
    log = tmp_path / "evening.cluedo"
    log.write_text(LOG, encoding="utf-8")
    command: list[str | Path] = [DEDUCE, "cluedo", "app", "--no-browser", log]
    with (
        opened(viewport={"width": width, "height": 844}, color_scheme=scheme) as page,
        served(command, READY, cwd=tmp_path) as server,
    ):
        page.goto(server.address)
        rope = cell(page, 0, 4, 0)
        rope.wait_for()
        assert rope.inner_text() == "yes"

        # A suggestion is clicked together, and the sheet follows.
        pick(page, NASTY[0], "Rope", "Hall")
        page.locator("select").nth(3).select_option(label="passes")
        page.locator("select").nth(4).select_option(label="shows Hall")
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_text("2. Ann:").first.wait_for()
        hall = cell(page, 0, 7, 2)
        expect(hall).to_have_text("yes")
        assert log.read_text(encoding="utf-8").splitlines()[-1].endswith("Cid shows Hall")

        # A click tells why, in numbered events.
        hall.click()
        why = page.locator(".deduce-cell")
        why.get_by_text("Cid has Hall: certain, because").wait_for()
        assert "2. Ann:" in why.inner_text()

        # A contradiction is shown, and Undo takes it back.
        page.get_by_role("button", name="It is not so").click()
        page.get_by_text("Contradiction: these cannot all be true").wait_for()
        assert len(log.read_text(encoding="utf-8").splitlines()) == 8
        page.screenshot(path=tmp_path / "contradiction.png", full_page=True)
        page.get_by_role("button", name="Undo").click()
        page.get_by_text("undone: adding that Cid does not have Hall").wait_for()
        page.get_by_role("button", name="Undo").click()
        page.get_by_text("undone: adding Ann's suggestion").wait_for()
        expect(hall).not_to_have_text("yes")
        assert log.read_text(encoding="utf-8") == LOG

        # Names stay text, nothing is wider than the screen, and nothing went wrong.
        assert NASTY[0] in page.inner_text(".deduce-sheet")
        assert NASTY[1] in page.inner_text(".deduce-sheet")
        assert page.locator('img[src="x"]').count() == 0
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.screenshot(path=tmp_path / f"{width}.png", full_page=True)
        assert page.troubles == []
        assert server.stop() == 0
    assert "ended; " in server.said
    assert server.said.count("token") == 1
    assert "Traceback" not in server.said


SIX = """\
players: Bartholomew-Christopher, Maximiliane, Konstantin, Alexandrina, Theodora, Ann
me: Ann
hand Ann: scarlett, peacock, lead
"""


@pytest.mark.parametrize("width", [1280, 390], ids=["desk", "phone"])
def test_the_sheet_of_six_players_with_long_names_is_not_cut_off(
    tmp_path: Path, width: int
) -> None:
    log = tmp_path / "six.cluedo"
    log.write_text(SIX, encoding="utf-8")
    command: list[str | Path] = [DEDUCE, "cluedo", "app", "--no-browser", log]
    with (
        opened(viewport={"width": width, "height": 844}) as page,
        served(command, READY, cwd=tmp_path) as server,
    ):
        page.goto(server.address)
        cell(page, 0, 8, 6).wait_for()
        wide = page.locator(".deduce-wide").first
        assert wide.evaluate("e => e.scrollWidth <= e.clientWidth")

        # What is said about a cell reaches down to the end of the screen.
        cell(page, 0, 8, 6).click()
        about = page.locator(".deduce-cell")
        about.get_by_text("probability").wait_for()
        end = about.evaluate("e => e.getBoundingClientRect().bottom")
        assert 840 <= end <= 844
        assert page.troubles == []


def test_only_this_machine_is_let_in_and_only_with_the_token(tmp_path: Path) -> None:
    log = tmp_path / "evening.cluedo"
    log.write_text(LOG, encoding="utf-8")
    with (
        opened() as page,
        served([DEDUCE, "cluedo", "app", "--no-browser", log], READY, cwd=tmp_path) as server,
    ):
        ask = page.request.get
        address, _, token = server.address.partition("?token=")
        assert ask(address, max_redirects=0).status == 302
        assert ask(f"{address}api/kernels", max_redirects=0).status in (302, 403, 404)
        assert ask(server.address, headers={"Host": "evil.example"}).status == 403
        for file in ("page.py", "evening.cluedo", "..%2f..%2fpyproject.toml"):
            assert ask(f"{address}voila/files/{file}?token={token}").status in (403, 404)
        assert server.stop() == 0
    assert server.said.count("token") == 1
