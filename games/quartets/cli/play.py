"""Playing at the terminal: several people, against the computer, or as referee of a real table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from random import Random

from attrs import frozen

from deduce.cli.dialogue import command_of
from deduce.cli.proofs import PROOF_HELP, proof_lines
from deduce.knowledge import Knowledge
from deduce.logs.history import History
from games.quartets.players import choose
from games.quartets.session import Session
from games.quartets.wording import position_text

__all__ = ["HELP", "Play", "Terms"]

HELP = f"""\
Type a statement, in full or short:
  Ann asks Ben for a1    or  ask Ben a1  or  Ben a1
  Ben: yes               or  yes
  Ann declares a         or  declare a
Commands: moves (the possible statements), show (the hands), undo, redo, help, quit
{PROOF_HELP}"""
COMMANDS = ("help", "moves", "show", "steps", "hint", "undo", "redo", "quit")


@frozen
class Terms:
    """How a game is played here.

    Parameters
    ----------
    computer
        The names of the players that the computer plays.
    hints
        One of `games.quartets.session.HINTS`.
    referee
        Whether people play at a real table: their statements are recorded, and forced answers,
        contradictions and the winner are announced.
    seed
        The seed of the computer's choices.
    """

    computer: Collection[str] = ()
    hints: str = "none"
    referee: bool = False
    seed: int = 0


class Play:
    """A `deduce.cli.dialogue.Dialogue` that takes statements and answers with what follows.

    Parameters
    ----------
    session
        Where the game begins.
    terms
        How it is played.
    save
        Called with the session after every statement, undo and redo.
    """

    prefill = ""

    def __init__(self, session: Session, terms: Terms, *, save: Callable[[Session], None]) -> None:
        self.history = session.history()
        self.terms = terms
        self.save = save
        self.random = Random(terms.seed)
        self.has_quit = False

    @property
    def session(self) -> Session:
        """The game so far."""
        return self.history.now

    @property
    def prompt(self) -> str:
        """The player who has to speak."""
        return f"{self._speaker()}> "

    @property
    def is_over(self) -> bool:
        """Whether the game has ended or the player has quit."""
        return self.has_quit or bool(self.session.position.over)

    def greeting(self) -> Iterable[str]:
        """Return the help."""
        return [HELP]

    def begin(self) -> Iterator[str]:
        """Yield the position and the statements of the computer, up to a person's first turn."""
        yield position_text(self.session.game, self.session.position)
        if self.terms.referee:
            yield from self.session.forced()
        yield from self._continue()

    def answer(self, line: str) -> Iterator[str]:
        """Yield what follows from a statement, or the answer to a command."""
        command = command_of(line, COMMANDS) if line.strip() else ("help", "")
        if command is not None and command[0] in ("steps", "hint"):
            yield from proof_lines(Knowledge(self.session.game, self.session.log), *command)
            return
        if command is None or command[1]:
            yield from self._advance(self.history.to(self.session.say(line)))
            yield from self._continue()
            return
        match command[0]:
            case "quit":
                self.has_quit = True
            case "show":
                yield position_text(self.session.game, self.session.position)
            case "undo":
                yield from self._undo()
                yield from self._continue()
            case "redo":
                yield from self._redo()
                yield from self._continue()
            case name:
                if name == "help":
                    yield HELP
                for hint in self.session.hints("full" if self.terms.hints == "full" else "legal"):
                    yield f"  {hint}"

    def _speaker(self) -> str:
        return self.session.game.players[self.session.position.speaker()]

    def _keep(self, history: History[Session]) -> None:
        self.save(history.now)
        self.history = history

    def _continue(self) -> Iterator[str]:
        """Yield the statements of the computer, and hints for the person who speaks next."""
        while not self.is_over and self._speaker() in self.terms.computer:
            session = self.session
            event = choose(session.game, session.position, self.random)
            after = self.history.to(session.tell(event))
            yield after.now.game.format_event(after.now.log[-1])
            yield from self._advance(after)
        if not self.is_over:
            for hint in self.session.hints(self.terms.hints):
                yield f"  {hint}"

    def _advance(self, history: History[Session]) -> Iterator[str]:
        """Yield what must be announced: to a referee everything, else only losses and the end."""
        self._keep(history)
        position = self.session.position
        if self.terms.referee or position.fault is not None or position.over:
            yield from self.session.announcements()

    def _undo(self) -> Iterator[str]:
        """Undo statements up to and including the last one of a person."""
        history = self.history.undo()
        undone = [self.history.now]
        while undone[-1].log[-1].by in self.terms.computer and history.past:
            undone.append(history.now)
            history = history.undo()
        self._keep(history)
        for session in undone:
            yield f"Undone: {session.game.format_event(session.log[-1])}"

    def _redo(self) -> Iterator[str]:
        """Redo a statement, and the computer's answers to it."""
        history = self.history.redo()
        redone = [history.now]
        while history.future and history.future[-1].log[-1].by in self.terms.computer:
            history = history.redo()
            redone.append(history.now)
        self._keep(history)
        for session in redone:
            yield f"Redone: {session.game.format_event(session.log[-1])}"
