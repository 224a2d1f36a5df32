"""The frame of a game's page: its bar, its panes, and the views that are beside or below them.

A wide page shows the main panes and one side view next to each other; a phone shows one view at a
time, chosen at the bottom. Both are the same HTML, and the style sheet decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from deduce.face.document import Document
from deduce.face.html import Child, Html, tag
from deduce.face.parts import button
from deduce.face.texts import Texts

__all__ = ["Views", "frame", "setup_frame"]


@frozen
class Views:
    """The views of a game: main panes, and side views of which one is open."""

    main: Sequence[str]
    side: Sequence[str]

    def clean(self, ui: Mapping[str, Any]) -> tuple[str, str]:
        """Return the view that is open on a phone, and the side view that is open."""
        view, side = str(ui.get("view")), str(ui.get("side"))
        return (
            view if view in (*self.main, *self.side) else self.main[0],
            side if side in self.side else self.side[0],
        )

    def open(self, ui: dict[str, Any], view: str) -> None:
        """Open a view; an unknown one is ignored."""
        if view in (*self.main, *self.side):
            ui["view"] = view
        if view in self.side:
            ui["side"] = view


def frame(
    say: Texts,
    views: Views,
    ui: Mapping[str, Any],
    document: Document,
    *,
    title: Child,
    subtitle: Child,
    above: Sequence[Child] = (),
) -> Html:
    """Return the frame; its slots are named as the main views, and ``"side"`` and ``"over"``.

    Parameters
    ----------
    say
        The texts; ``view.NAME`` is the label of a view.
    views
        The views.
    ui
        Which are open.
    document
        The log, for the names of the steps.
    title, subtitle
        Of the bar.
    above
        What is shown above the panes, such as a contradiction.
    """
    view, side = views.clean(ui)
    shown = view if view in views.main else "side"
    panes = [
        tag(
            "section",
            data_slot=name,
            class_="pane",
            data_pane=name,
            data_open=name == shown,
            aria_label=say(f"view.{name}"),
        )
        for name in views.main
    ]
    tabs = [
        button(
            say(f"view.{name}"),
            "view",
            class_="tab",
            data_view=name,
            data_key=f"side-{name}",
            aria_current="page" if name == side else None,
        )
        for name in views.side
    ]
    beside = tag(
        "section",
        tag("nav", *tabs, class_="side-tabs", aria_label=say("frame.side")),
        tag("div", data_slot="side"),
        class_="pane",
        data_pane="side",
        data_open=shown == "side",
        aria_label=say(f"view.{side}"),
    )
    bottom = [
        button(
            say(f"view.{name}"),
            "view",
            class_="tab",
            data_view=name,
            data_key=f"bottom-{name}",
            aria_current="page" if name == view else None,
        )
        for name in (*views.main, *views.side)
    ]
    return tag(
        "div",
        _bar(say, title, subtitle, document),
        tag("section", above, class_="above", aria_label=say("frame.above"))
        if any(above)
        else None,
        tag(
            "main",
            *panes,
            beside,
            class_="panes" if len(panes) > 1 else "panes two",
        ),
        tag("div", data_slot="over"),
        tag("nav", *bottom, class_="bottom", aria_label=say("frame.views")),
        class_="frame",
    )


def setup_frame(say: Texts, *, title: Child) -> Html:
    """Return the frame of a game that is being set up: one slot, ``"setup"``."""
    return tag(
        "div",
        _bar(say, title, None, None),
        tag("main", tag("section", data_slot="setup", class_="pane"), class_="panes single"),
        class_="frame",
    )


def _bar(say: Texts, title: Child, subtitle: Child, document: Document | None) -> Html:
    tools: list[Html] = []
    if document is not None:
        tools = [
            _step(say, "undo", document.step, possible=bool(document.past)),
            _step(say, "redo", _redone(document), possible=bool(document.future)),
        ]
    return tag(
        "header",
        button(f"‹ {say('frame.games')}", "home", class_="button quiet", data_local="home"),
        tag("h1", title, tag("small", subtitle) if subtitle else None, tabindex=-1, id="title"),
        tag("div", *tools, class_="tools"),
        class_="bar",
    )


def _redone(document: Document) -> Any:
    return document.future[-1].step if document.future else None


def _step(say: Texts, do: str, step: Any, *, possible: bool) -> Html:
    hint = say(f"frame.{do}_step", step=say.message(step)) if step else say(f"frame.{do}")
    if not possible:
        hint = say(f"frame.nothing_to_{do}")
    label = say(f"frame.{do}")
    return button(label, do, class_="button quiet", disabled=not possible, title=hint, data_key=do)
