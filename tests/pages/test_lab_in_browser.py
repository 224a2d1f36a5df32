"""Pages in JupyterLab, in a real browser: one notebook with several is run and clicked."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser import NASTY, expect, opened, served

pytestmark = pytest.mark.skipif(
    not importlib.util.find_spec("jupyterlab") or not importlib.util.find_spec("anywidget"),
    reason="JupyterLab or anywidget is not installed (extra browser)",
)

CELLS = (
    f"""\
from deduce import Knowledge
from deduce.pages.transports.notebook import Page
from games.cluedo import Cluedo
deck = {{"suspect": ({NASTY[0]!r}, "Plum"), "weapon": ("Rope", {NASTY[1]!r})}}
game = Cluedo(("Ann", "Ben"), deck | {{"room": ("Hall", "Attic", "Cellar")}}, (2, 2), me="Ann")
shown = Page(Knowledge(game))
shown""",
    "shown",
    'Page("cluedo")',
    """\
explorer = Page("tic-tac-toe", text="engine 1\\nmoves\\n")
explorer""",
    f"""\
from games.cultist import Replay, new_state
Replay(new_state(0), ("WAIT", "WAIT"), ({NASTY[0]!r}, {NASTY[1]!r}))""",
)


def notebook(path: Path) -> None:
    cells: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "id": f"cell-{at}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for at, source in enumerate(CELLS)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(whole), encoding="utf-8")


def test_the_pages_in_a_notebook_follow_clicks(tmp_path: Path) -> None:
    notebook(tmp_path / "widgets.ipynb")
    # Outside the range from which connections get their ports, so that nobody takes it meanwhile.
    port = 20_000 + os.getpid() % 10_000
    command = [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--allow-root"),
        *(f"--ServerApp.root_dir={tmp_path}", f"--ServerApp.port={port}", "--LabApp.news_url="),
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    own = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "RUNTIME", "DATA")}
    own["JUPYTERLAB_WORKSPACES_DIR"] = own["JUPYTERLAB_SETTINGS_DIR"] = str(tmp_path / "lab")
    settings = tmp_path / "lab" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    # Cells that are out of sight are there all the same.
    (settings / "tracker.jupyterlab-settings").write_text('{"windowingMode": "none"}')
    ready = r"(http://127\.0\.0\.1:\d+/lab\?token=\S+)"
    with (
        opened(viewport={"width": 1200, "height": 1000}) as page,
        served(command, ready, cwd=tmp_path, env=own) as server,
    ):
        page.goto(server.address.replace("/lab?", "/doc/tree/widgets.ipynb?"))
        page.locator(".jp-Notebook .jp-CodeCell").first.click()
        page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        outputs = page.locator(".jp-Cell-outputArea")
        shown, again, other, explorer, replay = map(outputs.nth, range(5))

        # The page asks for the hand; then a suggestion is tapped together, the sheet follows, a tap
        # tells why.
        shown.get_by_role("button", name="Later").click()
        for at, label in enumerate((NASTY[0], "Rope", "Hall")):
            shown.locator(f'[data-field="c{at}"]').filter(has_text=label).first.click()
        shown.locator('[data-field="a1"]').filter(has_text="Hall").click()
        shown.get_by_role("button", name="Add to the log").click()
        shown.get_by_text("Now certain: Ben has Hall").wait_for()
        hall = shown.locator('.sheet button[aria-label^="Hall, Ben: yes"]')
        hall.click()
        shown.get_by_text("Ben showed Ann Hall").wait_for()
        shown.locator(".side-tabs").get_by_role("button", name="Advice").click()
        expect(shown.locator('[data-slot="advice"]')).to_have_attribute("aria-busy", "false")
        assert NASTY[0] in shown.inner_text()
        # The same page displayed twice shows the same log; another page has its own.
        again.locator('.sheet button[aria-label^="Hall, Ben: yes"]').wait_for()
        assert other.locator("#setup-form").count() == 1
        # The arrow keys move in the sheet, and not between the cells of the notebook.
        hall.focus()
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.ariaLabel").startswith("Attic, Ben")
        shown.get_by_role("button", name="Undo").click()
        again.locator('.sheet button[aria-label^="Hall, Ben: yes"]').wait_for(state="detached")

        # A game that is searched: a move is taken, and the engine answers it by itself.
        explorer.locator('svg [data-move="1"]').click()
        expect(explorer.locator("svg").first).to_contain_text("nought in 5")

        # The replay of Cultist Wars is a page in a frame of its own.
        frame = replay.frame_locator("iframe")
        frame.locator("#next").click()
        expect(frame.locator("#turn")).to_have_text("after turn 0")
        assert NASTY[0] in frame.locator("body").inner_text()

        for at in range(5):
            outputs.nth(at).screenshot(path=tmp_path / f"lab-{at}.png")
        assert page.locator('img[src="x"]').count() == 0
        # Where JupyterLite is installed too, JupyterLab meets its extensions and cannot use them.
        assert [said for said in page.troubles if "@jupyterlite/" not in said] == []
