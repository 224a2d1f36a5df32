"""The HTML page around the face: the list of games, before any engine is loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template
from typing import Any

from deduce import registry
from deduce.errors import DeduceError
from deduce.face.html import Html, join_html, tag, text
from deduce.face.sentences import PAGE_TEXTS

__all__ = ["PLAY", "POLICY", "games_with_face", "page_html", "web_files"]

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'"
)
"""What a browser may load for the page: only what its own server offers."""

FEATURED = "cluedo"

PLAY = "-play"
"""Ends the name of the page on which a game is played that has another page as well."""


def web_files() -> dict[str, bytes]:
    """Return the files of the front end by name."""
    folder = files("deduce.face") / "web"
    return {
        entry.name: entry.read_bytes()
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith((".js", ".css", ".svg", ".html"))
    }


def games_with_face() -> dict[str, str]:
    """Return the names of the pages of all games, with their summaries; Cluedo first.

    A game with a page of its own in which nothing is hidden has a second one, to be played.
    """
    summaries = {}
    for game in registry.names():
        try:
            entry = registry.find(game)
        except DeduceError:  # a broken plug-in must not take the page away
            continue
        if entry.face or entry.hidden or entry.search:
            summaries[game] = entry.summary
        if entry.search and (entry.face or entry.hidden):
            summaries[f"{game}{PLAY}"] = PAGE_TEXTS["play"]
    return dict(sorted(summaries.items(), key=lambda item: (item[0] != FEATURED, item[0])))


def page_html(
    script: str,
    *,
    web: str = "",
    head: Sequence[str] = (),
    table: str | None = None,
    loading: bool = False,
    extra: Mapping[str, Any] | None = None,
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
    for game, summary in games_with_face().items():
        sections["logs" if _has_logs(game) else "boards"].append(_item(game, summary))
    return join_html(
        [
            join_html([tag("h2", PAGE_TEXTS[key]), tag("ul", *items, class_="rows")])
            for key, items in sections.items()
            if items
        ]
    )


def _has_logs(game: str) -> bool:
    if game not in registry.names():
        return False  # the second page of a game, on which it is played
    entry = registry.find(game)
    return bool(entry.face or entry.hidden)


def _item(game: str, summary: str) -> Html:
    title = game_title(game)
    link = tag(
        "a",
        tag("b", title),
        tag("small", summary),
        href=f"#/new/{game}",
        class_="row featured" if game == FEATURED else "row",
        id=f"game-{game}",
    )
    return tag("li", link)
