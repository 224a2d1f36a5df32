"""The pictures of the pages in the documentation are those of the pages as they are."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from deduce.face.messages import page_summaries

pytest.importorskip("anywidget", reason="anywidget is not installed (extra widgets)")

DOCS = Path(__file__).parent.parent.parent / "docs"


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
    shown = (DOCS / "pages.md").read_text(encoding="utf-8")
    for page in kept:
        assert (script.FOLDER / f"{page}.png").is_file()
        assert f"_static/pages/{page}.png" in shown
