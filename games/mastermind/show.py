"""Views of Mastermind: the board as text and as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from deduce.show.svg import Markup, circle, picture, text
from deduce.show.table import Table
from games.mastermind.events import Guess
from games.mastermind.notation import format_code, format_guess, format_pegs
from games.mastermind.setup import Setup

__all__ = ["board_svg", "guess_table"]

ROW = 34
"""The height of a row of the picture, in pixels."""


def guess_table(game: Setup, guesses: Sequence[Guess]) -> Table:
    """Return the guesses with their answers as a table."""
    return Table(
        ("guess", "answer"),
        [[format_code(game, each.code), format_pegs(game, each.answer)] for each in guesses],
    )


def board_svg(game: Setup, guesses: Sequence[Guess]) -> str:
    """Return the board as one SVG element: a row for each guess, with its pegs."""
    shapes: list[Markup] = []
    for number, guess in enumerate(guesses):
        y = ROW * number + ROW / 2
        for slot, colour in enumerate(guess.code):
            x = ROW * slot + ROW / 2
            shapes.append(circle(x, y, ROW * 0.42, fill="none", stroke="currentColor"))
            shapes.append(text(x, y + 5, colour[:3], size=13 if len(colour) == 1 else 10))
        for peg in range(guess.black + guess.white):
            x = ROW * game.slots + 14 + 15 * peg
            fill = "currentColor" if peg < guess.black else "none"
            shapes.append(circle(x, y, 5, fill=fill, stroke="currentColor"))
    width = ROW * game.slots + 15 * game.slots + 20
    height = max(ROW, ROW * len(guesses))
    lines = "; ".join(format_guess(game, guess) for guess in guesses) or "no guess yet"
    return picture(width, height, *shapes, title="Mastermind", desc=lines)
