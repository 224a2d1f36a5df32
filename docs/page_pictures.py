"""Draws docs/_static/pages, the pictures of docs/games/index.md: ``python docs/page_pictures.py``.

Needs Chromium, playwright and Pillow. The first lines of each page's text are kept in pages.json as
a checksum, by which a test sees whether the pictures are current.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from deduce.errors import BadInput
from deduce.pages.messages import page_summaries
from deduce.pages.transports.notebook import Page

FOLDER = Path(__file__).parent / "_static" / "pages"

EXAMPLES = {"cluedo": 2, "mastermind": 1, "quartets": 2}
"""Which example is shown; by default the first."""

WIDTH, HEIGHT, COLOURS = 390, 560, 48


def scene(game: str) -> Page:
    """Return the page of a game with an example, or at the beginning."""
    page = Page(game)
    try:
        page.do("example", values={"example": str(EXAMPLES.get(game, 0))})
    except BadInput:
        page.do("begin")
    if game == "cluedo":
        # Some turns before the end, while there is something to find out.
        lines = page.text.splitlines(keepends=True)
        page = Page(game, text="".join(lines[:-6]))
        page.show("sheet")
    return page


def checksum(page: Page) -> str:
    """Return a checksum of the words of a page."""
    body = re.sub(r"<style>.*?</style>", "", page.still(), flags=re.DOTALL)
    words = " ".join(re.sub(r"<[^>]*>", " ", body).split())
    return sha256(words.encode()).hexdigest()[:16]


def main() -> None:
    """Draw all pages."""
    from PIL import Image

    from tests.browser import opened

    FOLDER.mkdir(parents=True, exist_ok=True)
    sums = {}
    with opened(viewport={"width": WIDTH, "height": HEIGHT}) as browser:
        for game in page_summaries():
            page = scene(game)
            body = '<body class="deduce-page" style="margin:0">'
            browser.set_content(f"<!DOCTYPE html>{body}{page.still()}")
            picture = Image.open(BytesIO(browser.screenshot())).convert("RGB")
            picture.quantize(COLOURS).save(FOLDER / f"{game}.png", optimize=True)
            sums[game] = checksum(page)
    (FOLDER / "pages.json").write_text(json.dumps(sums, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
