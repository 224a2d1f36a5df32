"""Codes, answers and guesses as text.

Where every colour is one character, a code is written without blanks (``1122``), else with
(``red red blue blue``). A guess is a code, a colon, and two numbers: ``1122: 1 2``.
"""

from __future__ import annotations

import re

from deduce.errors import BadInput
from deduce.system.text import pick, plural
from games.mastermind.events import Code, Guess, Pegs
from games.mastermind.setup import Setup

__all__ = ["format_code", "format_guess", "format_pegs", "parse_code", "parse_guess", "parse_pegs"]


def _is_short(game: Setup) -> bool:
    return all(len(colour) == 1 for colour in game.colours)


def format_code(game: Setup, code: Code) -> str:
    """Return a code as text."""
    return ("" if _is_short(game) else " ").join(code)


def parse_code(game: Setup, text: str) -> Code:
    """Return the code that a text names; colours may be abbreviated.

    Raises
    ------
    BadInput
        It is not a code of this game.

    Examples
    --------
    >>> from games.mastermind import Mastermind
    >>> parse_code(Mastermind(colours=("red", "green", "blue")), "red g g b")
    ('red', 'green', 'green', 'blue')
    """
    words = text.replace(",", " ").split()
    if _is_short(game) and (len(words) == 1 or any(len(word) > 1 for word in words)):
        words = list("".join(words))
    code = tuple(
        word if word in game.colours else pick(word, game.colours, "colour") for word in words
    )
    game.check_code(code)
    return code


def format_pegs(game: Setup, answer: Pegs) -> str:
    """Return an answer as text: black and white, or bulls and cows where no colour is repeated."""
    black, white = answer
    if game.repeat:
        return f"{black} black, {white} white"
    return f"{plural(black, 'bull')}, {plural(white, 'cow')}"


_ANSWER = re.compile(
    r"\s*(\d{1,3})\s*(?:b(?:lack|ulls?)?)?\s*[,/ ]?\s*(\d{1,3})\s*(?:w(?:hite)?|c(?:ows?)?)?\s*",
    re.IGNORECASE | re.ASCII,
)


def format_guess(game: Setup, guess: Guess) -> str:
    """Return a guess with its answer as a line of text."""
    return f"{format_code(game, guess.code)}: {guess.black} {guess.white}"


def parse_pegs(text: str) -> Pegs:
    """Return the answer that a text states.

    Raises
    ------
    BadInput
        It is not an answer.

    Examples
    --------
    >>> parse_pegs("1 2"), parse_pegs("1b2w"), parse_pegs("1 bull, 2 cows")
    ((1, 2), (1, 2), (1, 2))
    """
    found = _ANSWER.fullmatch(text)
    digits = text.strip()
    if len(digits) == 2 and digits.isascii() and digits.isdigit():
        return int(digits[0]), int(digits[1])
    if found is None or len(digits) < 3:
        raise BadInput(
            f"{text.strip()!r} is not an answer; two numbers are needed, black and white: 1 2"
        )
    return int(found[1]), int(found[2])


def parse_guess(game: Setup, text: str) -> Guess:
    """Return the guess that a line states.

    Raises
    ------
    BadInput
        It is not a guess with its answer.

    Examples
    --------
    >>> from games.mastermind import Mastermind
    >>> parse_guess(Mastermind(), "1122: 1 2")
    Guess(code=('1', '1', '2', '2'), black=1, white=2)
    """
    code, colon, answer = text.partition(":")
    if not colon:
        code, arrow, answer = text.partition("->")
        if not arrow:
            words = text.split()
            if len(words) < game.slots + 2 and not (_is_short(game) and len(words) == 3):
                raise BadInput(
                    f"{text.strip()!r} is not a guess with its answer; "
                    f"for example {format_code(game, _example(game))}: 1 2"
                )
            code, answer = " ".join(words[:-2]), " ".join(words[-2:])
    guess = Guess(parse_code(game, code), *parse_pegs(answer))
    game.check(guess)
    return guess


def _example(game: Setup) -> Code:
    return tuple(game.colours[i % len(game.colours)] for i in range(game.slots))
