"""The HTML page around the pages of games: the list of games, before any engine is loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template

from deduce.pages.html import Html, join_html, tag, text
from deduce.pages.messages import FEATURED, PLAY, page_summaries
from deduce.pages.sentences import PAGE_TEXTS
from deduce.system import registry

__all__ = ["POLICY", "page_html", "web_files"]

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'"
)
"""What a browser may load for the page: only what its own server offers."""


def web_files() -> dict[str, bytes]:
    """Return the files of the front end by name."""
    folder = files("deduce.pages") / "web"
    return {
        entry.name: entry.read_bytes()
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith((".js", ".css", ".svg", ".html"))
    }


def page_html(
    script: str,
    *,
    web: str = "",
    head: Sequence[str] = (),
    table: str | None = None,
    loading: bool = False,
    extra: Mapping[str, object] | None = None,
) -> str:
    """Return the page.

    Parameters
    ----------
    script
        The module that starts it.
    web
        The folder of the front end, ending in ``/``; empty: the page's own.
    head
        More elements of the head, as HTML.
    table
        The game of the one log that the server keeps.
    loading
        Whether an engine must be loaded.
    extra
        More settings for the script.
    """
    template = web_files()["index.html"].decode()
    shared = {"texts": dict(PAGE_TEXTS), "table": table, **(extra or {})}
    return Template(template).substitute(
        policy=POLICY,
        description=text(PAGE_TEXTS["description"]),
        settings=json.dumps(shared).replace("<", "\\u003c"),
        web=web,
        head="\n".join(head),
        script=script,
        engine=text(PAGE_TEXTS["loading"]) if loading else "",
        title=text(PAGE_TEXTS["title"]),
        saved=text(PAGE_TEXTS["saved"]),
        games=_sections(),
        open=text(PAGE_TEXTS["open"]),
        open_hint=text(PAGE_TEXTS["open_hint"]),
        about=text(PAGE_TEXTS["about"]),
        noscript=text(PAGE_TEXTS["noscript"]),
    )


def game_title(game: str) -> str:
    """Return the title of a game's page.

    >>> game_title("tic-tac-toe"), game_title("quartets-play")
    ('Tic tac toe', 'Quartets: play')
    """
    base = game.removesuffix(PLAY)
    title = base.replace("-", " ").capitalize()
    return PAGE_TEXTS["play_title"].format(game=title) if base != game else title


def _sections() -> Html:
    """Return the pages of the games under two headings: logs, and boards to play on."""
    sections: dict[str, list[Html]] = {"logs": [], "boards": []}
    for game, summary in page_summaries().items():
        # The second page of a game, on which it is played, has no name in the registry.
        entry = registry.find(game) if game in registry.names() else None
        has_logs = entry is not None and (entry.page or entry.hidden)
        link = tag(
            "a",
            tag("b", game_title(game)),
            tag("small", summary),
            href=f"#/new/{game}",
            class_="row featured" if game == FEATURED else "row",
            id=f"game-{game}",
        )
        sections["logs" if has_logs else "boards"].append(tag("li", link))
    return join_html(
        [
            [tag("h2", PAGE_TEXTS[key]), tag("ul", *items, class_="rows")]
            for key, items in sections.items()
            if items
        ]
    )
