"""The HTML page around the pages of games: the list of games, before any engine is loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from string import Template

from deduce.logs.document import pack
from deduce.pages.html import Html, details, join_html, strength, tag, text
from deduce.pages.messages import FEATURED, PLAY, page_of, page_summaries
from deduce.pages.protocol import Request
from deduce.pages.sentences import page_texts, refused, texts_of
from deduce.system import registry
from deduce.system.language import ENGLISH, speaking, spoken

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
        if entry.name.endswith((".js", ".css", ".svg", ".html", ".webmanifest"))
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
    web_parts = web_files()
    page, listing = (Template(web_parts[name].decode()) for name in ("index.html", "list.html"))
    texts, lists = page_texts(), {}
    for language in texts:
        with speaking(language):
            lists[language] = _list(listing, texts, form=loading)
    shared = {"texts": texts, "table": table, **(extra or {})}
    first = texts[ENGLISH]
    return page.substitute(
        policy=POLICY,
        description=text(first["description"]),
        settings=json.dumps(shared, ensure_ascii=False).replace("<", "\\u003c"),
        web=web,
        head="\n".join(head),
        script=script,
        progress=_progress(first["loading"]) if loading else "",
        list=lists.pop(ENGLISH),
        others=join_html([tag("template", part, lang=name) for name, part in lists.items()]),
        noscript=text(first["noscript"]),
    )


def _list(template: Template, all_texts: Mapping[str, Mapping[str, str]], *, form: bool) -> Html:
    """Return the list of games in the language that is spoken, perhaps with a form for Cluedo."""
    options = [
        tag("option", own["name"], value=each, lang=each, selected=each == spoken())
        for each, own in all_texts.items()
    ]
    texts = all_texts[spoken()]
    return Html(
        template.safe_substitute(
            {key: text(sentence) for key, sentence in texts.items() if "." not in key},
            picture=_picture(texts["picture"]),
            example=_example(),
            featured=f"#/new/{FEATURED}",
            games=_sections(texts),
            languages=join_html(options),
            setup=_setup() if form else "",
        )
    )


def game_title(game: str) -> str:
    """Return the title of a game's page.

    >>> game_title("tic-tac-toe"), game_title("quartets-play")
    ('Tic tac toe', 'Quartets: play')
    """
    base = game.removesuffix(PLAY)
    title = texts_of(base).heading
    return refused("page.play_title", game=title) if base != game else title


def _sections(texts: Mapping[str, str]) -> Html:
    """Return the pages of the games by what one wants of them, the others under "More"."""
    sections: dict[str, list[Html]] = {purpose: [] for purpose in (*registry.PURPOSES, "")}
    for game, summary in page_summaries().items():
        # The second page of a game, on which it is played, has no name in the registry.
        entry = registry.find(game) if game in registry.names() else None
        purpose = "" if entry is None or entry.research else entry.purpose
        inside = [tag("b", game_title(game)), tag("small", summary)]
        link = tag("a", *inside, href=f"#/new/{game}", class_="row", id=f"game-{game}")
        sections[purpose if purpose in sections else ""].append(tag("li", link))
    more = tag("ul", *sections.pop(""), class_="rows")
    return join_html(
        [
            *(
                tag(
                    "section",
                    tag("h2", texts[f"purpose.{key}"]),
                    tag("ul", *items, class_="rows"),
                )
                for key, items in sections.items()
                if items
            ),
            details(texts["more"], more, key="more"),
        ]
    )


def _picture(sheet: str) -> Html:
    """Return a picture of a half-filled sheet."""
    rows = [line.split() for line in sheet.splitlines()]
    looks = {"✓": "yes", "–": "no"}
    cells = [
        tag("tr", tag("th", row[0].replace("_", " ")),
            *(tag("td", each, class_=looks.get(each) or strength(int(each[:-1]) / 100))
              for each in row[1:]))
        for row in rows
    ]  # fmt: skip
    return tag("table", tag("tbody", *cells), class_="picture", aria_hidden="true")


def _progress(label: str) -> Html:
    """Return the bar that shows how much of the engine has come."""
    bar = tag("progress", id="progress", value=0, max=1, hidden=True,
              aria_label=label)  # fmt: skip
    return tag("div", bar, " ", tag("span", id="progress-text"), id="progress-box")


def _setup() -> Html:
    """Return the form of a new game of Cluedo, which can be filled in while Python loads."""
    fragments = page_of(FEATURED).answer(Request(None)).fragments
    slot = '<section data-slot="setup" class="pane">'
    frame = fragments["frame"].replace(slot, slot + fragments["setup"])
    return tag("template", Html(frame), data_game=FEATURED)


def _example() -> str:
    """Return the address of a game of Cluedo that is half over."""
    folder = registry.find(FEATURED).examples
    text = (files(folder) / f"evening.{FEATURED}").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    return f"#{FEATURED}:{pack(''.join(lines[: -len(lines) // 3]))}"
