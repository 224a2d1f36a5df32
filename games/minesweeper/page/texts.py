"""Every sentence of the page of Minesweeper."""

from __future__ import annotations

from deduce.pages.sentences import Table

__all__ = ["TEXTS"]

TEXTS: Table = {
    "slips.begin": "Allow for misread numbers",
    "slips.end": "Trust every number",
    "slips.on": "Each number may be misread, so nothing that rests on one is certain.",
    "slips.title": "Numbers that may be misread",
    "slips.none": "No number is suspicious.",
    "slips.doubtful": "rests on a number that may be misread",
    "view.sheet": "Board",
    "example.endgame": "One guess is left: which of two cells?",
    "view.advice": "Next",
    "setup.board": "Board",
    "setup.level.beginner": "Beginner, 9 × 9 with 10 mines",
    "setup.level.intermediate": "Intermediate, 16 × 16 with 40 mines",
    "setup.level.expert": "Expert, 30 × 16 with 99 mines",
    "setup.level.own": "Another size",
    "setup.own": "Columns × rows : mines",
    "setup.own_hint": "for example 12x8:15; without a number of mines, every number is possible",
    "setup.start": "Start",
    "board.title": "The board",
    "board.mines": "{columns} × {rows} cells, {mines} mines, {n} located",
    "board.unknown": "{columns} × {rows} cells, an unknown number of mines, {n} located",
    "board.help": "Tap a cell to enter the number that it shows. Percentages: a mine is there. The "
    "framed cell is the best one to open.",
    "board.label": "{cell}: {what}",
    "board.open": "shows {n}",
    "board.mine": "certainly a mine",
    "board.clear": "certainly clear",
    "board.best": "open this one",
    "board.pen": "Enter with one tap",
    "board.share": "a mine with {share}",
    "board.unopened": "hidden",
    "cell.shows": "It shows",
    "cell.remove": "Remove the number",
    "sheet.worlds": ("{n} placement of the mines remains", "{n} placements of the mines remain"),
    "advice.title": "Which cell to open",
    "advice.best": "Open {cell}.",
    "advice.clear": "Certainly clear: {cells}",
    "advice.others": "The safest cells",
    "advice.risk": "{cell}: a mine with {share}",
    "advice.done": "Every cell that is clear is open.",
    "advice.undecided": "The probabilities are not known within the time limit.",
}
"""Message key -> sentence; see `deduce.pages.sentences`."""
