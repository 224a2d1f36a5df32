"""Draw the way of each query through the engines, from the tables of `deduce.engines.choose`.

``python docs/hot_path.py`` writes docs/_static/hot-path.svg; a test compares the file with the
tables.
"""

from __future__ import annotations

from pathlib import Path

from deduce.engines.choose import BY_COMPONENTS, BY_SWEEP, FEW_LISTED, LARGE, LAST, PLANS
from deduce.show.svg import SIDES, Markup, line, picture, rect, text

TARGET = Path(__file__).parent / "_static" / "hot-path.svg"

QUERIES = {
    "solve": ("consistent? certain? one world", f"fewer than {LARGE} constraints"),
    "large solve": ("the same questions", f"from {LARGE} constraints on"),
    "linear solve": ("the same questions", "linear equations modulo 2"),
    "possible": ("what is possible, what is certain", "every value of every variable"),
    "tally": ("how many, how probable", "count, shares, posterior, joint, sample"),
    "numbers": ("how many facts hold", "and the most probable worlds"),
    "worlds": ("all worlds, one by one", ""),
}
FIRST, GAP, BOX, ROW, TOP = 244, 20, 106, 62, 150


def box(x: float, y: float, width: float, head: str, small: str, **style: object) -> list[Markup]:
    """Return a box with a word and a smaller line under it."""
    shape = {"fill": "none", "stroke": "currentColor", "stroke_opacity": 0.5} | style
    return [
        rect(x, y, width, 42, rx=6, **shape),
        text(x + width / 2, y + 18, head, size=14, font_weight=600),
        text(x + width / 2, y + 34, small, size=11),
    ]


def arrow(x: float, y: float) -> list[Markup]:
    """Return an arrow to the right, as wide as the gap between two boxes."""
    end = x + GAP
    return [line(x, y, end, y), line(end - 5, y - 4, end, y), line(end - 5, y + 4, end, y)]


def attempts(query: str) -> list[tuple[str, str, float]]:
    """Return the head, the small line and the width of each attempt of a query."""
    first, last = PLANS[query], LAST.get(query, ())
    alone = len(first) + len(last) == 1
    rows = [[_attempt(*step, alone=alone) for step in plan] for plan in (first, last)]
    if query == "linear solve":
        rows.append([("as above", "by their number", BOX)])
    if last:
        names = {name for name, _ in BY_SWEEP}
        assert names | {name for name, _ in FEW_LISTED} == names | {
            name for name, _ in BY_COMPONENTS
        }
        both = " and ".join(sorted(names))
        few = [_attempt("list of worlds", steps, alone=False) for _, steps in FEW_LISTED]
        rows.insert(1, [*few, (both, "in the order of an estimate", 2 * BOX + GAP)])
    return [attempt for row in rows for attempt in row]


def _attempt(name: str, steps: int | None, *, alone: bool) -> tuple[str, str, float]:
    if name == "matching":
        return name, "nested Counts", BOX
    share = f"{steps:,} steps" if steps else "whole budget" if alone else "the rest"
    return name, share, BOX


def drawing() -> str:
    """Return the picture."""
    drawn = [(PLANS[name], LAST.get(name)) for name in QUERIES]
    for name in PLANS.keys() - QUERIES.keys():
        assert (PLANS[name], LAST.get(name)) in drawn, f"{name} has a plan of its own: draw it"
    shapes = [
        text(8, 18, "Every query first", size=13, anchor="start", font_weight=600),
        text(
            8, TOP - 18, "Then, if it is not refuted: the first engine that decides",
            size=13, anchor="start", font_weight=600,
        ),
    ]  # fmt: skip
    x = 8.0
    for position, (head, small) in enumerate(
        [
            ("problem", "facts and Counts"),
            ("compiled", "one integer"),
            ("propagation", "of each constraint"),
            ("Hamming bound", "on sets of variables"),
        ]
    ):
        style = {"fill": SIDES[0], "fill_opacity": 0.14} if position > 1 else {}
        shapes += box(x, 30, 138, head, small, **style) + arrow(x + 138, 51)
        x += 138 + GAP
    shapes += box(x, 30, 190, "no world: answered", "no engine is started", stroke_dasharray="4 3")
    described, width = [], 0.0
    for row, (query, (first, second)) in enumerate(QUERIES.items()):
        y = TOP + ROW * row
        shapes.append(text(8, y + 18, first, size=14, anchor="start"))
        shapes.append(text(8, y + 34, second, size=11, anchor="start"))
        x = FIRST
        for head, small, wide in attempts(query):
            style = {"fill": SIDES[1], "fill_opacity": 0.16} if head == "cpsat" else {}
            shapes += box(x, y, wide, head, small, **style) + arrow(x + wide, y + 21)
            x += wide + GAP
        shapes += box(x, y, BOX, "undecided", "never 'no'", stroke_dasharray="4 3")
        width = max(width, x + BOX + 8)
        described.append(f"{first}: " + ", ".join(head for head, _, _ in attempts(query)))
    height = TOP + ROW * len(QUERIES) - 8
    title = "The way of each query: propagation and the Hamming bound, then the engines in turn"
    # A page that shows a file as an image does not give it the colour of its text.
    paper = rect(0, 0, width, height, fill="#ffffff")
    words = "; ".join(described)
    return picture(width, height, paper, *shapes, title=title, desc=words, color="#1f2328") + "\n"


if __name__ == "__main__":
    TARGET.write_text(drawing(), encoding="utf-8")
