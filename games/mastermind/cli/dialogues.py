"""A dialogue in the terminal: guessing a code."""

from __future__ import annotations

from collections.abc import Iterator

from deduce.system.text import plural
from games.mastermind.events import Code, Guess, pegs
from games.mastermind.game import Mastermind
from games.mastermind.notation import format_code, format_pegs, parse_code

__all__ = ["Guessing"]


class Guessing:
    """Lets a person guess a code.

    Parameters
    ----------
    game
        The game.
    code
        The code.
    """

    prompt = "guess> "
    prefill = ""

    def __init__(self, game: Mastermind, code: Code) -> None:
        self.game = game
        self.code = code
        self.guesses: list[Guess] = []
        self.is_over = False

    def greeting(self) -> Iterator[str]:
        """Yield what is asked for."""
        game = self.game
        twice = "may occur several times" if game.repeat else "occurs once"
        colours = format_code(game, game.colours)
        yield f"a code of {game.slots} of the colours {colours}; a colour {twice}"
        yield "type a guess, or give up"

    def answer(self, line: str) -> Iterator[str]:
        """Yield the answer to a guess."""
        word = line.strip().casefold()
        if not word:
            return
        if word in ("give up", "quit", "q"):
            self.is_over = True
            yield f"the code was {format_code(self.game, self.code)}"
            return
        code = parse_code(self.game, line)
        guess = Guess(code, *pegs(self.code, code))
        self.guesses.append(guess)
        yield format_pegs(self.game, guess.answer)
        if code == self.code:
            self.is_over = True
            yield f"right, with {plural(len(self.guesses), 'guess', 'guesses')}"
