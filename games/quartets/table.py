"""Playing at the terminal: hot seat, against the computer, or as referee of a real table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

from attrs import frozen

from deduce.errors import BadInput
from games.quartets.players import choose
from games.quartets.session import Session
from games.quartets.show import show_position

__all__ = ["HELP", "Terms", "play"]

HELP = """\
Say what is said, in full or short:
  Ann asks Ben for a1    or  Ben a1
  Ben: yes               or  yes
  Ann declares a         or  declare a
or: ? (what may be said), show (who has what), undo, help, quit"""


@frozen
class Terms:
    """How a game is played here.

    Parameters
    ----------
    computer
        The players whom the computer plays, by name.
    hints
        One of `games.quartets.session.HINTS`.
    referee
        Whether people play at a real table: the program records what they say and announces
        forced answers, contradictions and the winner.
    seed
        For the computer's choices.
    """

    computer: Collection[str] = ()
    hints: str = "none"
    referee: bool = False
    seed: int = 0


def play(
    session: Session,
    terms: Terms,
    *,
    ask: Callable[[str], str],
    tell: Callable[[str], None],
    save: Callable[[Session], None],
) -> Session:
    """Return the session at the end, or when the people left.

    Parameters
    ----------
    session, terms
        Where to begin, and how.
    ask
        Asks for a line; raises `EOFError` at the end of the input.
    tell
        Prints a line.
    save
        Called after every statement and every undo.
    """
    random = Random(terms.seed)
    tell(show_position(session.game, session.position))
    for line in session.forced() if terms.referee else ():
        tell(line)
    while not session.position.over:
        name = session.game.players[session.position.speaker()]
        if name in terms.computer:
            event = choose(session.game, session.position, random)
            session = session.tell(event)
            tell(session.game.format_event(session.log[-1]))
            _told(session, terms, tell)
            save(session)
            continue
        for line in session.hints(terms.hints):
            tell(f"  {line}")
        try:
            text = ask(f"{name}> ").strip()
        except EOFError:
            return session
        if text in ("quit", "exit"):
            return session
        session = _heard(session, text, terms, tell, save)
    return session


def _heard(
    session: Session,
    text: str,
    terms: Terms,
    tell: Callable[[str], None],
    save: Callable[[Session], None],
) -> Session:
    if text in ("", "help"):
        tell(HELP)
    elif text == "?":
        for line in session.hints("full" if terms.hints == "full" else "legal"):
            tell(f"  {line}")
    elif text == "show":
        tell(show_position(session.game, session.position))
    elif text == "undo":
        if not session.log:
            tell("Nothing has been said yet.")
        while session.log:
            taken = session.log[-1]
            tell(f"Taken back: {session.game.format_event(taken)}")
            session = session.undo()
            if taken.by not in terms.computer:
                break
        save(session)
    else:
        try:
            session = session.say(text)
        except BadInput as error:
            tell(f"error: {error.message}")
            return session
        _told(session, terms, tell)
        save(session)
    return session


def _told(session: Session, terms: Terms, tell: Callable[[str], None]) -> None:
    """Tell what must be announced: everything to a referee, to others what ends or loses."""
    position = session.position
    if terms.referee or position.fault is not None or position.over:
        for line in session.announcements():
            tell(line)
