"""Playing at the terminal: several people, against the computer, or as referee of a real table."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from random import Random

from attrs import define, evolve, field

from deduce.cli.dialogue import Dialogue, command_of
from deduce.cli.proofs import PROOF_HELP, proof_lines
from deduce.knowledge import Knowledge
from deduce.logs.document import History
from deduce.system.files import replace_file
from games.quartets.players import choose
from games.quartets.session import Session
from games.quartets.wording import position_text

__all__ = ["HELP", "Play"]

HELP = f"""\
Type a statement, in full or short:
  Ann asks Ben for a1    or  ask Ben a1  or  Ben a1
  Ben: yes               or  yes
  Ann declares a         or  declare a
Commands: moves (the possible statements), show (the hands), undo, redo, help, quit
{PROOF_HELP}"""
COMMANDS = ("help", "moves", "show", "steps", "hint", "undo", "redo", "quit")


@define
class Play(Dialogue):
    """Takes statements and answers with what follows.

    Parameters
    ----------
    history
        The game, with the moments before the statements of persons.
    path
        The file in which it is saved after every statement, undo and redo.
    computer
        The names of the players that the computer plays.
    hints
        One of `games.quartets.session.HINTS`.
    referee
        Whether people play at a real table: their statements are recorded, and forced answers,
        contradictions and the winner are announced.
    random
        For the computer's choices.
    """

    history: History[Session]
    path: Path
    computer: Collection[str]
    hints: str
    referee: bool
    random: Random
    has_quit: bool = field(default=False, init=False)

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

    def opening(self) -> Iterator[str]:
        """Yield the position and the statements of the computer, up to a person's first turn."""
        yield position_text(self.session.game, self.session.position)
        if self.referee:
            yield from self.session.forced()
        yield from self._continue()

    def answer(self, line: str) -> Iterator[str]:
        """Yield what follows from a statement, or the answer to a command."""
        command = command_of(line, COMMANDS) if line.strip() else ("help", "")
        if command is not None and command[0] in ("steps", "hint"):
            yield from proof_lines(Knowledge(self.session.game, self.session.log), *command)
            return
        if command is None or command[1]:
            yield from self._play(self.session.say(line))
            return
        match command[0]:
            case "quit":
                self.has_quit = True
            case "show":
                yield position_text(self.session.game, self.session.position)
            case "undo" | "redo" as name:
                yield from self._step(undo=name == "undo")
            case name:
                if name == "help":
                    yield HELP
                for hint in self.session.hints("full" if self.hints == "full" else "legal"):
                    yield f"  {hint}"

    def _speaker(self) -> str:
        return self.session.game.players[self.session.position.speaker()]

    def _play(self, session: Session) -> Iterator[str]:
        """Yield what follows from a statement of a person, up to the next one."""
        self._keep(self.history.to(session))
        yield from self._announced()
        yield from self._continue()

    def _keep(self, history: History[Session]) -> None:
        replace_file(self.path, history.now.text())
        self.history = history

    def _continue(self) -> Iterator[str]:
        """Yield the statements of the computer, and hints for the person who speaks next."""
        while not self.is_over and self._speaker() in self.computer:
            session = self.session
            event = choose(session.game, session.position, self.random)
            self._keep(evolve(self.history, now=session.tell(event)))
            yield self.session.game.format_event(self.session.log[-1])
            yield from self._announced()
        if not self.is_over:
            for hint in self.session.hints(self.hints):
                yield f"  {hint}"

    def _announced(self) -> Iterator[str]:
        """Yield what must be announced: to a referee everything, else only losses and the end."""
        position = self.session.position
        if self.referee or position.fault is not None or position.over:
            yield from self.session.announcements()

    def _step(self, *, undo: bool) -> Iterator[str]:
        """Undo the last statement of a person with the computer's answers to it, or redo them."""
        before = self.session
        self._keep(self.history.undo() if undo else self.history.redo())
        if undo:
            for event in reversed(before.log[len(self.session.log) :]):
                yield f"Undone: {before.game.format_event(event)}"
        else:
            for event in self.session.log[len(before.log) :]:
                yield f"Redone: {self.session.game.format_event(event)}"
        yield from self._continue()
