"""Tables and HTML for `games.cluedo.widget`, which makes them clickable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from attrs import evolve

from deduce.errors import Contradiction
from deduce.explain import Why
from deduce.knowledge import Knowledge
from deduce.show.sheet import Cell, Row, Sheet
from deduce.show.table import percent
from deduce.show.text import grid_of
from deduce.text import join, visible
from games.cluedo.advice.show import advice_notes, gain_text
from games.cluedo.advice.suggest import Advice
from games.cluedo.assistant.session import Session
from games.cluedo.assistant.tracking import proof
from games.cluedo.knowledge import game_of
from games.cluedo.show import detective_sheet

__all__ = ["advice_table", "clickable_sheet", "lines_html", "log_table", "proof_html"]

MAX_SUGGESTIONS = 5
"""How many suggestions the advice lists."""


def clickable_sheet(knowledge: Knowledge, *, clickable: bool) -> Sheet:
    """Return the detective's sheet with the fact behind each cell.

    A sheet that cannot be clicked is the one before a contradiction; its title shows that.
    """
    game = game_of(knowledge)
    try:
        grid = grid_of(knowledge)
    except Contradiction:
        return Sheet((), [], "The log contradicts itself: no deal is possible")
    shares = None if grid.numbers is None else knowledge.shares()
    sheet = detective_sheet(knowledge, grid, shares=shares, no="–", pick=clickable)
    notes = [*sheet.notes, *(["click a cell for why"] if clickable else [])]
    notes += [f"face up: {join(game.face_up)}"] if game.face_up else []
    title = sheet.title if clickable else f"{sheet.title}: before the contradiction"
    return evolve(sheet, title=title, notes=notes)


def log_table(events: Sequence[str]) -> Sheet:
    """Return the events, numbered, the last one first."""
    numbered = list(enumerate(events, start=1))
    rows = [Row(f"{number}.", (Cell(text),)) for number, text in reversed(numbered)]
    title = "The log, the last event first" if rows else "The log has no events yet"
    return Sheet((), rows, title, wraps=True)


def advice_table(knowledge: Knowledge, advice: Advice) -> Sheet:
    """Return the most informative suggestions; none once the solution is certain."""
    notes = advice_notes(knowledge, advice, MAX_SUGGESTIONS, options=False)
    if not advice.entropy_bits:
        return Sheet((), [], notes=["The solution is certain; there is nothing left to ask."])
    rows = [
        Row(
            gain_text(advice, prospect),
            (Cell(", ".join(prospect.cards)), Cell(percent(prospect.nobody), pick=False)),
        )
        for prospect in advice.ranking[:MAX_SUGGESTIONS]
    ]
    title = f"What {advice.by} may suggest; {advice.entropy_bits:.2f} bits of uncertainty"
    head = ("bits", "suggestion", "no card")
    return Sheet(head, rows, title, [*notes, "click one to begin it"], wraps=True)


def proof_html(session: Session, why: Why, more: str = "") -> str:
    """Return an explanation as HTML, with the events as they are in the log."""
    head = why.headline
    if why.verdict == "contradiction":
        head = "Contradiction: these cannot all be true"
    lines = [f"<strong>{escape(visible(head))}</strong>"]
    for number, event, sentences in proof(session, why):
        cause = event if number is None else f"{number}. {event}"
        lines.append(f"{escape(visible(cause))}<br>→ {escape(visible(sentences))}")
    lines += [f"rule: {escape(visible(rule))}" for rule in why.rules]
    lines += [escape(visible(more))] if more else []
    return f'<div class="deduce-prose">{"".join(f"<div>{line}</div>" for line in lines)}</div>'


def lines_html(lines: Iterable[str]) -> str:
    """Return lines of text as HTML."""
    return "".join(f'<div class="deduce-prose">{escape(visible(line))}</div>' for line in lines)
