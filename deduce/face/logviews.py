"""The views of a log: its lines, the whole text, and why a cell is as it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from deduce.explain import Why
from deduce.face.html import Child, Html, join_html, tag
from deduce.face.parts import button, callout, field, form, heading
from deduce.face.texts import Texts
from deduce.game import Notice
from deduce.show.table import percent

__all__ = ["log_view", "text_view", "why_panel"]


def log_view(
    say: Texts,
    lines: Sequence[str],
    notices: Sequence[Notice],
    marked: Collection[int],
    chosen: Any,
    example: str,
    *,
    shared: bool,
) -> Html:
    """Return the events, the last one first, each as a button that opens it.

    Parameters
    ----------
    say
        The texts.
    lines
        The events as text.
    notices
        What is odd, below its event.
    marked
        The numbers of the events that prove the open cell.
    chosen
        The index of the event that is open.
    example
        A line that can be typed.
    shared
        Whether others use the log too.
    """
    odd: dict[int, list[str]] = {}
    for notice in notices:
        odd.setdefault(notice.event, []).append(notice.message)
    items = [
        _item(
            say,
            number,
            line,
            odd.get(number, ()),
            chosen=chosen == number - 1,
            marked=number in marked,
        )
        for number, line in reversed(list(enumerate(lines, start=1)))
    ]
    typed = form(
        "type",
        field(
            say("log.add"),
            "line",
            hint=say("log.example", example=example) if example else None,
            enterkeyhint="done",
        ),
        tag("button", say("log.add_button"), type="submit", class_="button"),
        class_="inline",
        id_="type-form",
    )
    return join_html(
        [
            heading(say("log.title", n=len(lines))),
            typed,
            tag("p", say("log.shared"), class_="hint") if shared else None,
            button(say("log.then"), "then", data_to=0) if items else None,
            tag("ol", *items, class_="log", reversed=True) if items else tag("p", say("log.none")),
        ]
    )


def _item(
    say: Texts, number: int, line: str, odd: Sequence[str], *, chosen: bool, marked: bool
) -> Html:
    warnings = [tag("p", message, class_="warning") for message in odd]
    mark = tag("small", say("log.proof"), class_="mark") if marked else None
    classes = "marked" if marked else None
    if not chosen:
        row = button(
            [tag("b", f"{number}."), " ", line],
            "line",
            class_="row",
            data_event=number - 1,
            title=say("log.open", n=number),
        )
        return tag("li", row, mark, *warnings, class_=classes, data_key=f"event-{number}")
    editor = form(
        "edit",
        field(f"{number}. {say('log.line')}", "line", line, id="line-text", enterkeyhint="done"),
        tag(
            "div",
            tag("button", say("log.save"), type="submit", class_="button main"),
            tag("button", say("log.insert"), type="submit", class_="button", data_do="insert"),
            tag("button", say("log.drop"), type="submit", class_="button danger", data_do="drop"),
            button(say("log.then_line"), "then", data_to=number),
            button(say("log.close"), "close"),
            class_="buttons",
        ),
        id_="line-form",
    )
    return tag("li", editor, mark, *warnings, class_=classes, data_key=f"event-{number}-open")


def text_view(say: Texts, text: str, problem: str) -> Html:
    """Return the whole log as text that can be changed, with what is wrong with it."""
    return form(
        "text",
        callout(tag("h2", say("text.unreadable")), tag("p", problem), kind="bad")
        if problem
        else None,
        tag(
            "label",
            tag("span", say("text.label")),
            tag("textarea", text, name="text", rows=16, spellcheck="false", autocomplete="off"),
            class_="field",
        ),
        tag("button", say("text.save"), type="submit", class_="button main"),
        id_="text-form",
    )


def why_panel(
    say: Texts,
    cell: str,
    claim: str,
    why: Why | None,
    event_text: Callable[[int], str],
    *,
    problem: str,
    probability: float | None,
    more: Child,
    what_if: bool,
) -> Html:
    """Return the panel about a cell: its verdict with the proof, what-if, and more actions.

    Parameters
    ----------
    say
        The texts.
    cell
        The fact as the page names it.
    claim
        The fact as a sentence.
    why
        The explanation; ``None`` if there is none.
    event_text
        Returns an event as text.
    problem
        Why there is no explanation.
    probability
        Of the fact.
    more
        More actions.
    what_if
        Whether the fact can be assumed.
    """
    verdict = why.verdict if why else "open"
    parts: list[Child] = [
        tag(
            "div",
            tag("h2", claim, tag("small", say(f"why.{verdict}")), id="over-title", tabindex=-1),
            button("✕", "close", class_="button quiet", aria_label=say("why.close")),
            class_="over-head",
        )
    ]
    if problem:
        parts.append(tag("p", problem))
    elif why and verdict == "open":
        known = probability is not None
        share = percent(probability) if known else ""  # type: ignore[arg-type]
        parts.append(
            tag("p", say("why.probability" if known else "why.no_probability", share=share))
        )
    elif why:
        parts.append(_proof(say, why, event_text))
    actions: list[Child] = []
    if verdict == "open" and what_if:
        actions = [
            button(say("why.if_so"), "assume", data_fact=cell),
            button(say("why.if_not"), "assume", data_fact=f"{cell}!"),
        ]
    parts.append(tag("div", *actions, more, class_="buttons"))
    return tag("section", *parts, class_="over", aria_labelledby="over-title")


def _proof(say: Texts, why: Why, event_text: Callable[[int], str]) -> Html:
    items: list[Child] = []
    for step in why.steps:
        sentences = "; ".join(step.sentences)
        if step.event is None:
            items.append(tag("li", tag("b", say("why.assumed")), ": ", sentences))
            continue
        line = button(
            f"{step.event}. {event_text(step.event)}",
            "line",
            class_="link",
            data_event=step.event - 1,
        )
        items.append(tag("li", line, tag("span", f"→ {sentences}")))
    items += [tag("li", tag("b", say("why.rule")), ": ", rule) for rule in why.rules]
    note = None if why.smallest else tag("small", say("why.not_smallest"))
    return join_html([tag("p", say("why.because")), tag("ul", *items, class_="proof"), note])
