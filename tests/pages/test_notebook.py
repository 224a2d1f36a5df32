"""The page in a notebook, driven as its front end and its owner drive it."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("anywidget", reason="anywidget is not installed (extra widgets)")

import deduce
import deduce.budget
from deduce.errors import BadInput
from deduce.pages.messages import page_summaries
from deduce.pages.transports.notebook import MAX_JOBS, Page
from games.cluedo import Cluedo
from tests.browser import NASTY

DOCS = Path(__file__).parent.parent.parent / "docs"
LOG = "players: Ann, Ben, Cid\nme: Ann\nhand Ann: plum, white, rope, dagger, hall, study\n"


class View:
    """The front end of one display of a page."""

    def __init__(self, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
        self.page = page
        self.received: list[dict[str, Any]] = []
        monkeypatch.setattr(page, "send", lambda content, **_: self.received.append(content))

    def send(self, **message: Any) -> dict[str, Any]:
        """Send a message and return the response."""
        self.page._handle_custom_msg(message, [])
        return dict(json.loads(self.received[-1]["response"]))

    def ask(self, name: str, **fields: Any) -> dict[str, Any]:
        response = self.send(id=name, ask=json.dumps({"game": "cluedo", **fields}))
        assert self.received[-1]["id"] == name
        return response


def test_a_tap_changes_the_log_that_the_kernel_keeps(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("cluedo", text=LOG)
    view = View(page, monkeypatch)
    screen = view.ask("1")
    assert screen["document"] is None
    assert page.version == 0
    view.ask("2", ui=screen["ui"], intent={"do": "type", "form": {"line": ["Ben has lounge"]}})
    assert page.text == LOG + "Ben has Lounge\n"
    # The view that asked knows the version already, so only the others ask again.
    assert page.version == json.loads(view.received[-1]["response"])["version"] == 1
    refused = view.ask("3", intent={"do": "type", "form": {"line": ["Ben has ropp"]}})
    assert refused["notices"][0]["kind"] == "bad"
    assert page.version == 1


def test_jobs_that_were_given_up_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    view = View(Page("cluedo", text=LOG), monkeypatch)
    screen = view.ask("1", intent={"do": "view", "values": {"view": "advice"}})
    (job,) = (job for job in screen["jobs"] if job["slot"] == "advice")
    message = json.dumps({"game": "cluedo", "ui": screen["ui"], "job": job})
    view.send(id="cancelled", work=message)
    view.send(id="cancelled", cancel=True)
    assert view.page._jobs == {}
    for number in range(MAX_JOBS + 3):
        view.send(id=f"lost {number}", work=message)
    assert len(view.page._jobs) <= MAX_JOBS
    assert view.send(id="lost 0", next=True) == {"done": True, "html": ""}


def test_what_is_not_a_message_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    view = View(Page("cluedo", text=LOG), monkeypatch)
    messages: list[Any] = [[], "x", {}, {"id": 3, "ask": "{}"}, {"id": "1"}, {"id": "1", "ask": 3}]
    for message in messages:
        view.page._handle_custom_msg(message, [])
    assert view.received == []
    assert "error" in view.send(id="1", ask="[")
    assert "error" in view.send(id="1", work="[")


def test_python_does_what_a_tap_does(tmp_path: Path) -> None:
    path = tmp_path / "evening.cluedo"
    path.write_text(LOG, encoding="utf-8")
    page = Page("cluedo", path)
    page.tell("Ben has lounge")
    assert path.read_text(encoding="utf-8") == LOG + "Ben has Lounge\n"
    with pytest.raises(BadInput, match="no card is called"):
        page.tell("Ben has ropp")
    page.undo()
    assert path.read_text(encoding="utf-8") == LOG
    assert Page("cluedo", path).text == LOG
    with pytest.raises(BadInput, match="nothing to undo"):
        page.undo()
    page.redo()
    assert page.knowledge.certain()["Lounge"] == "Ben"
    page.show("log")
    assert page.ui["view"] == "log"


def test_knowledge_is_shown_and_continued() -> None:
    game = Cluedo(("Ann", "Ben", "Cid"), me="Ann")
    page = Page(deduce.Knowledge(game).tell("Ben has rope"))
    page.tell("Cid has hall")
    assert page.knowledge.log == deduce.Knowledge(game).tell("Ben has rope", "Cid has hall").log


def test_pages_of_one_notebook_are_independent() -> None:
    one, other = Page("cluedo", text=LOG), Page("cluedo", text=LOG)
    one.tell("Ben has lounge")
    assert other.text == LOG


def test_without_a_kernel_a_still_picture_remains() -> None:
    page = Page(deduce.Knowledge(Cluedo((NASTY[0], "Ben", "Cid"), me="Ben")))
    page.show("sheet")
    data, _ = page._repr_mimebundle_()
    assert 'data-slot="sheet" ' in data["text/html"]
    assert "<table" in data["text/html"]
    assert NASTY[0] not in data["text/html"]
    assert "<script" not in data["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in data


def test_jupyterlite_has_a_resource_module_without_contents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "resource", ModuleType("resource"))
    assert deduce.budget._peak() == 0


def test_a_page_is_one_module() -> None:
    lines = str(Page._esm).splitlines()
    assert not [line for line in lines if line.startswith("import ")]
    assert [line for line in lines if line.startswith("export ")] == ["export default { render };"]


def test_a_file_and_a_text_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not both"):
        Page("cluedo", tmp_path / "x.cluedo", text=LOG)
    with pytest.raises(BadInput, match="no game is called"):
        Page("chess")


def test_every_page_has_a_current_picture() -> None:
    spec = importlib.util.spec_from_file_location("page_pictures", DOCS / "page_pictures.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    kept = json.loads((script.FOLDER / "pages.json").read_text(encoding="utf-8"))
    assert kept == {page: script.checksum(script.scene(page)) for page in page_summaries()}, (
        "run python docs/page_pictures.py"
    )
    shown = (DOCS / "games" / "index.md").read_text(encoding="utf-8")
    for page in kept:
        assert (script.FOLDER / f"{page}.png").is_file()
        assert f"_static/pages/{page}.png" in shown
