"""The example files of a game, as a page offers them; they may be inside a ZIP archive."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
from typing import Any

from deduce import registry
from deduce.errors import BadInput, DeduceError
from deduce.face.html import Child, Html, join_html, name, tag
from deduce.face.parts import button, callout, form, heading
from deduce.face.sentences import refused
from deduce.face.texts import Texts

__all__ = ["example", "example_list", "examples", "start_page"]

MAX_ABOUT = 200
"""How much of an example's description is shown (characters)."""


def examples(game: str, read: Callable[[str], Any]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each example file that the page of a game can read."""
    entry = registry.find(game)
    if not entry.examples:
        return
    found = [
        file
        for file in sorted(files(entry.examples).iterdir(), key=lambda file: file.name)
        if file.is_file() and not file.name.startswith(("_", "."))
    ]
    # Several games may have their examples in one folder.
    for file in [file for file in found if file.name.endswith(f".{game}")] or found:
        try:
            text = file.read_text(encoding="utf-8")
            read(text)
        except (DeduceError, UnicodeDecodeError):
            continue
        yield file.name.rpartition(".")[0], text


def example(game: str, read: Callable[[str], Any], index: int) -> str:
    """Return the text of an example; raise `BadInput` if there is no such example."""
    texts = [text for _, text in examples(game, read)]
    if index >= len(texts):
        raise BadInput(refused("refused.example"))
    return texts[index]


def example_list(say: Texts, found: Iterable[tuple[str, str]]) -> Html:
    """Return a button for each example, with what it shows; empty if there is none."""
    rows = []
    for index, (title, text) in enumerate(found):
        label = name(title.replace("-", " ").replace("_", " ").capitalize())
        about = _about(say, title, text)
        inside: Child = [tag("b", label), tag("small", about[:MAX_ABOUT])] if about else label
        rows.append(tag("li", button(inside, "example", class_="row", data_example=index)))
    if not rows:
        return Html()
    return join_html([tag("h3", say("start.examples")), tag("ul", *rows, class_="rows")])


def _about(say: Texts, title: str, text: str) -> str:
    """Return what an example shows: the comment in its first line, or ``example.TITLE``."""
    first = text.partition("\n")[0]
    if first.startswith("#"):
        return first.removeprefix("#").strip()
    try:
        return say(f"example.{title}")
    except KeyError:
        return ""


def start_page(
    say: Texts,
    found: Iterable[tuple[str, str]],
    *,
    new: Html | None = None,
    text: str = "",
    rules: str = "",
) -> Html:
    """Return the page on which a game begins.

    Parameters
    ----------
    say
        The texts.
    found
        The names and the texts of the examples.
    new
        The form for a new game.
    text
        The text that is offered to be changed.
    rules
        The rules of the game.
    """
    parts = [heading(say("start.title"), id_="start-title"), new or Html()]
    parts.append(example_list(say, found))
    box = tag("textarea", text, name="text", rows=8, spellcheck="false", autocomplete="off")
    parts.append(
        tag(
            "details",
            tag("summary", say("start.text")),
            form(
                "paste",
                tag("label", tag("span", say("start.label")), box, class_="field"),
                tag("button", say("start.open"), type="submit", class_="button main"),
                id_="paste-form",
            ),
            data_key="paste",
        )
    )
    if rules:
        told = [tag("p", part) for part in rules.strip().split("\n\n")]
        parts.append(
            tag("details", tag("summary", say("start.rules")), callout(*told), data_key="rules")
        )
    return join_html(parts)
