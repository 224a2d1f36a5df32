"""The pages of docs/gallery: short, with current pictures, in the index and the table of times."""

from __future__ import annotations

import pytest

from tests.test_docs import DOCS, script

GALLERY = DOCS / "gallery"
DRAW = script("gallery/draw")
NAMES = sorted(DRAW.DRAWINGS.keys() - {"sudoku"})
"""The pages but one, whose picture takes as long as the page itself."""


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_shows_the_answers_of_its_page(name: str) -> None:
    drawn = (GALLERY / f"{name}.svg").read_text(encoding="utf-8")
    assert drawn == DRAW.drawing(name), "run python docs/gallery/draw.py"
