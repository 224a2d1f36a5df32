"""Dialogues in the terminal: tracking a game, and guessing a code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from deduce.cli.dialogue import command_of
from deduce.cli.proofs import PROOF_HELP, proof_lines
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.logs.events import write_text
from deduce.show.table import Table
from deduce.system.files import replace_file
from deduce.system.text import plural
from games.mastermind.events import Code, Guess, pegs
from games.mastermind.game import Mastermind
from games.mastermind.notation import format_code, format_pegs, parse_code
from games.mastermind.show import guess_table

__all__ = ["Guessing", "Tracking"]

MAX_LISTED = 20
"""Up to this number of codes, they are listed."""

HELP = f"""\
CODE: BLACK WHITE   record a guess and its answer, such as 1122: 1 2
advise              rank the next guesses
codes               list the possible codes
{PROOF_HELP}
undo                take the last guess back
quit                end; the log is kept"""

COMMANDS = ("advise", "codes", "steps", "hint", "undo", "help", "quit")


class Tracking:
    """Keeps the log of a game.

    Parameters
    ----------
    knowledge
        What is known at the beginning.
    path
        The file to which the log is written after every guess; ``None``: nowhere.
    """

    prompt = "guess> "
    prefill = ""

    def __init__(self, knowledge: Knowledge, path: Path | None) -> None:
        self.knowledge = knowledge
        self.path = path
        self.is_over = False

    @property
    def game(self) -> Mastermind:
        """The game."""
        game = self.knowledge.game
        assert isinstance(game, Mastermind)
        return game

    def greeting(self) -> Iterator[str | Table]:
        """Yield the log so far."""
        if self.knowledge.log:
            yield guess_table(self.game, self.knowledge.log)
        yield from self._state()
        yield "type a guess and its answer, such as 1122: 1 2, or help"

    def answer(self, line: str) -> Iterator[str | Table]:
        """Yield the answer to a line."""
        if not line.strip():
            return
        word, rest = command_of(line, COMMANDS) or ("", "")
        if word == "quit":
            self.is_over = True
        elif word == "help":
            yield HELP
        elif word in ("steps", "hint"):
            yield from proof_lines(self.knowledge, word, rest)
        elif word == "advise":
            from deduce.policy.show import advice_tables

            yield from advice_tables(self.knowledge.advise())
        elif word == "codes":
            yield from self._codes()
        elif word == "undo":
            if not self.knowledge.log:
                raise BadInput("there is no guess to take back")
            self._keep(self.knowledge.upto(len(self.knowledge.log) - 1))
            yield from self._state()
        else:
            told = self.knowledge.tell(line.strip())
            if not told.is_consistent():
                raise BadInput("no code gets these answers; the guess is not recorded")
            self._keep(told)
            yield from self._state()

    def _keep(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        if self.path is not None:
            replace_file(self.path, write_text(self.game, knowledge.log))

    def _state(self) -> Iterator[str]:
        count = self.knowledge.count()
        yield f"{plural(count, 'code')} possible"
        if count == 1:
            yield from self._codes()

    def _codes(self) -> Iterator[str]:
        count = self.knowledge.count()
        if count > MAX_LISTED:
            yield f"{count:,} codes are possible, too many to list"
            return
        codes = sorted(self.game.code_of(world) for world in self.knowledge.worlds())
        yield " ".join(format_code(self.game, code) for code in codes)


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
