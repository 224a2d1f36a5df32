"""Draw the pictures of the gallery from the answers of its pages.

``python docs/gallery/draw.py`` runs the first block of code of each page, asks about its problem
and writes the picture beside the page; a test compares the files with what is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import cos, pi, sin
from pathlib import Path
from typing import Any

from deduce import Knowledge, is_
from deduce.show.svg import SIDES, Markup, circle, line, path, picture, rect, shade, text

HERE = Path(__file__).parent
INK, PAPER = "#1f2328", "#ffffff"
COLOURS = ("#d1242f", "#bf8700", "#1a7f37", "#2563c9", "#8250df", "#c2410c", "#57606a", "#0e7490")
WIDTH, HEIGHT = 400, 320
"""The size of every picture, so that the index shows them alike."""

Names = dict[str, Any]
Drawn = tuple[list[Markup], str]
"""The shapes of a picture and what they show in words."""


def model(name: str) -> Names:
    """Return the names that the first block of code of a page defines."""
    page = (HERE / f"{name}.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert found, f"{name}.md has no code"
    names: Names = {}
    exec(compile(found[1], f"{name}.md", "exec"), names)
    return names


def percent(share: Any) -> str:
    """Return a share in percent, without the sign."""
    return f"{float(share) * 100:.0f}"


def square(x: float, y: float, size: float, share: Any, height: float = 0) -> Markup:
    """Return a square or rectangle shaded by a share."""
    fill = shade(share) if share else PAPER
    return rect(x, y, size, height or size, fill=fill, stroke=INK, stroke_opacity=0.25)


def ring(number: int, of: int, radius: float) -> tuple[float, float]:
    """Return a place on a ring, the first at the top."""
    angle = 2 * pi * number / of - pi / 2
    return round(WIDTH / 2 + radius * cos(angle), 2), round(HEIGHT / 2 + radius * sin(angle), 2)


def sudoku(names: Names) -> Drawn:
    """Return the clues, and in the other cells the digits that remain possible."""
    possible = Knowledge(names["problem"]).possible()
    clues = {cell for cell, clue in zip(names["cells"], names["CLUES"], strict=True) if clue != "."}
    shapes, size = [], 34
    for (r, c), digits in possible.items():
        x, y = 47 + size * c, 7 + size * r
        if (r, c) in clues:
            shapes.append(rect(x, y, size, size, fill="#eceff2", stroke=INK, stroke_opacity=0.25))
            shapes.append(text(x + 17, y + 24, min(digits), size=20, font_weight=700))
            continue
        shapes.append(square(x, y, size, 1 / len(digits)))
        for digit in sorted(digits):
            column, row = (digit - 1) % 3, (digit - 1) // 3
            shapes.append(text(x + 7 + 10 * column, y + 10 + 10 * row, digit, size=9))
    for i in range(0, 10, 3):
        shapes.append(line(47 + size * i, 7, 47 + size * i, 313, stroke_width=2))
        shapes.append(line(47, 7 + size * i, 353, 7 + size * i, stroke_width=2))
    return shapes, "clues bold; small digits are what the 292 solutions have in a cell"


def zebra(names: Names) -> Drawn:
    """Return the five houses with what belongs to each."""
    houses = Knowledge(names["problem"]).certain()
    kinds = names["pairs"](names["KINDS"])
    paint = {"red": 0, "green": 2, "ivory": 6, "yellow": 1, "blue": 3}
    shapes = []
    for house in range(1, 6):
        x, here = 6 + 78 * (house - 1), [name for name, h in houses.items() if h == house]
        (colour,) = (name for name in here if name in paint)
        opacity = 0.12 if colour == "ivory" else 0.4
        fill = COLOURS[paint[colour]]
        style = {"fill": fill, "fill_opacity": opacity, "stroke": INK}
        shapes.append(path(f"M{x} 80l37 -50l37 50z", fill=fill, stroke=INK))
        shapes.append(rect(x, 80, 74, 210, **style))
        shapes.append(text(x + 37, 72, house, size=16, font_weight=700, fill=PAPER))
        for row, kind in enumerate(kinds):
            (name,) = (name for name in here if name in kind)
            bold = 700 if name in ("zebra", "water") else None
            shapes.append(text(x + 37, 112 + 40 * row, name, size=11, font_weight=bold))
    return shapes, "; ".join(
        f"house {house}: " + ", ".join(name for name, h in houses.items() if h == house)
        for house in range(1, 6)
    )


def knights(names: Names) -> Drawn:
    """Return the ring of people, shaded by the probability of a knight if number 1 is one."""
    people = names["PEOPLE"]
    shares = Knowledge(names["problem"]).assume(is_(1, "knight")).shares()
    shapes = []
    for index, person in enumerate(people):
        share = shares[person].get("knight", 0)
        x, y = ring(index, len(people), 148)
        shapes.append(circle(x, y, 4.3, fill=shade(share) if share else PAPER, stroke=INK))
    shapes.append(text(WIDTH / 2, 64, "1 is a knight; the others:", size=12))
    for row, person in enumerate(range(2, 12)):
        share, y = shares[person].get("knight", 0), 78 + 18 * row
        shapes.append(text(150, y + 13, person, size=11, anchor="end"))
        shapes.append(rect(158, y + 2, 120 * float(share), 14, fill=SIDES[0], fill_opacity=0.6))
        shapes.append(text(284, y + 13, f"{percent(share)}%", size=11, anchor="start"))
    shapes.append(text(WIDTH / 2, 274, "(both ways round)", size=12))
    return shapes, "the darker a person, the more probably a knight; it evens out with distance"


def secret_santa(names: Names) -> Drawn:
    """Return the table of givers and receivers after Ann's draw."""
    shares = Knowledge(names["problem"]).tell(is_("Ann", "Cid")).shares()
    people, size = list(shares), 22
    shapes = [text(90, 18, "gives to", size=11, anchor="end")]
    for row, giver in enumerate(people):
        y = 42 + size * row
        shapes.append(text(90, y + 15, giver, size=11, anchor="end"))
        x = 96 + size * row
        shapes.append(text(x + 11, 20 + 14 * (row % 2), giver, size=10))
        for column, receiver in enumerate(people):
            share = shares[giver].get(receiver, 0)
            shapes.append(square(96 + size * column, y, size, share))
            if share:
                words = percent(share)
                shapes.append(text(96 + size * column + 11, y + 15, words, size=9))
    return shapes, "each pair of giver and receiver with its probability in percent"


def bridge(names: Names) -> Drawn:
    """Return the 52 cards with the probability that partner has each."""
    shares = Knowledge(names["problem"]).shares()
    shapes = []
    for row, (suit, sign) in enumerate(zip(names["MINE"], "♠♥♦♣", strict=True)):
        y = 16 + 74 * row
        fill = COLOURS[0] if suit in "HD" else INK
        shapes.append(text(16, y + 32, sign, size=24, fill=fill))
        for column, rank in enumerate(names["RANKS"]):
            x, card = 32 + 28 * column, suit + rank
            is_mine = rank in names["MINE"][suit]
            share = 0 if is_mine else shares[card].get("partner", 0)
            style = {"fill": INK if is_mine else shade(share), "stroke": INK}
            shapes.append(rect(x, y, 26, 48, rx=4, **style))
            ink = PAPER if is_mine else INK
            shapes.append(text(x + 13, y + 20, rank.replace("T", "10"), size=13, fill=ink))
            words = "own" if is_mine else percent(share)
            shapes.append(text(x + 13, y + 40, words, size=10, fill=ink))
    return shapes, "own cards black; the others with the probability in percent that partner has it"


def russian_cards(names: Names) -> Drawn:
    """Return the hands that Anne names, as triangles on a ring of the cards."""
    told = Knowledge(names["problem"]).tell(names["anne"])
    hands = {tuple(c for c, who in world.items() if who == "Anne") for world in told.worlds()}
    at = {card: ring(card, 7, 120) for card in names["CARDS"]}
    shapes = []
    for number, hand in enumerate(sorted(hands)):
        corners = "L".join(f"{x} {y}" for x, y in map(at.__getitem__, hand))
        ink = COLOURS[number]
        shapes.append(
            path(f"M{corners}Z", fill=ink, fill_opacity=0.06, stroke=ink, stroke_width=2.5)
        )
    for card, (x, y) in at.items():
        shapes.append(circle(x, y, 16, fill=PAPER, stroke=INK, stroke_width=2))
        shapes.append(text(x, y + 6, card, size=16, font_weight=700))
    return shapes, "seven cards on a ring; each of the five hands that Anne names is a triangle"


DRAWINGS: Mapping[str, tuple[str, Callable[[Names], Drawn]]] = {
    "sudoku": ("Sudoku", sudoku),
    "zebra": ("Zebra", zebra),
    "knights": ("Knights and knaves", knights),
    "secret-santa": ("Secret Santa", secret_santa),
    "bridge": ("Bridge hands", bridge),
    "russian-cards": ("Russian cards", russian_cards),
}
"""The pages with their titles, and what draws them."""


def drawing(name: str) -> str:
    """Return the picture of a page."""
    title, draw = DRAWINGS[name]
    shapes, words = draw(model(name))
    # A page that shows a file as an image does not give it the colour of its text.
    paper = rect(0, 0, WIDTH, HEIGHT, fill=PAPER)
    return picture(WIDTH, HEIGHT, paper, *shapes, title=title, desc=words, color=INK) + "\n"


if __name__ == "__main__":
    for name in DRAWINGS:
        (HERE / f"{name}.svg").write_text(drawing(name), encoding="utf-8")
