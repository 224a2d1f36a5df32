"""Every sentence of the page of Mastermind; the names of the colours are those of the log."""

from __future__ import annotations

from deduce.pages.sentences import Table

__all__ = ["TEXTS"]

TEXTS: Table = {
    "view.turn": "Guess",
    "example.bulls": "Bulls and Cows after two guesses: 90 codes remain.",
    "example.evening": "Mastermind after three guesses.",
    "setup.kind": "Which game?",
    "setup.kind.mastermind": "Mastermind: 4 slots, 6 colours",
    "setup.kind.super": "Super: 5 slots, 8 colours",
    "setup.kind.bulls": "Bulls and Cows: 4 different digits",
    "setup.kind.own": "Another size",
    "setup.slots": "Slots",
    "setup.colours": "Colours",
    "setup.repeat": "May a colour occur twice?",
    "setup.repeat.yes": "yes",
    "setup.repeat.no": "no",
    "setup.number": "{what}: a whole number is needed, not {value}",
    "setup.start": "Start",
    "guess.title": "Your guess and its answer",
    "guess.slot": "Slot {n}: {what}",
    "guess.empty": "empty",
    "guess.colours": "Colours",
    "guess.hint": "Tap a colour for the marked slot.",
    "guess.full": "Tap a slot to change it.",
    "guess.black": "Right colour, right slot",
    "guess.white": "Right colour, other slot",
    "guess.add": "Add the guess",
    "guess.clear": "Clear",
    "guess.missing": "choose a colour for slot {n} first",
    "guess.answer": "choose both numbers of the answer first",
    "guess.board": "The guesses so far",
    "guess.none": "No guess yet.",
    "guess.row": "{code}: {answer}",
    "sheet.worlds": ("{n} code remains possible", "{n} codes remain possible"),
    "advice.title": "What to guess",
    "advice.some": ("{n} guess was compared.", "{n} guesses were compared."),
    "advice.use": "Use this guess",
    "advice.left_worst": "Codes left after the answer: {average} on average, {n} at most.",
    "advice.others": "Other guesses",
}
"""Message key -> sentence; see `deduce.pages.sentences`."""
