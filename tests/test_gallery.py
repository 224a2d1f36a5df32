"""The pages of docs/gallery: short, with current pictures, in the index and the table of times."""

from __future__ import annotations

import re

import pytest

from tests.test_docs import DOCS, links, script

GALLERY = DOCS / "gallery"
DRAW = script("gallery/draw")
NAMES = list(DRAW.DRAWINGS)
MAX_LINES = 60


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_shows_the_answers_of_its_page(name: str) -> None:
    drawn = (GALLERY / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == DRAW.drawing(name), "run python docs/gallery/draw.py"


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_short_and_has_its_picture_and_a_check(name: str) -> None:
    page = (GALLERY / f"{name}.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert 0 < sum(len(block.splitlines()) for block in code) <= MAX_LINES
    assert f"]({name}.svg)" in page
    assert "\n**Checked** " in page


def test_the_index_shows_every_page_with_its_picture() -> None:
    pages = {path.stem for path in GALLERY.glob("*.md")} - {"index"}
    assert pages == set(NAMES)
    targets = links(GALLERY / "index.md")
    assert {f"{name}.{kind}" for name in NAMES for kind in ("md", "svg")} <= set(targets)
