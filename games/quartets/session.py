"""A game that is being played: what was said, what can be taken back, what has to be announced."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve, field, frozen

from deduce.display import Displayed
from deduce.errors import BadInput
from games.quartets.events import Event
from games.quartets.moves import answers, certain, declarable, questions
from games.quartets.names import named_by, spoken_name, with_names
from games.quartets.notation import format_log, heard
from games.quartets.position import Position, start_position, tell
from games.quartets.rules import Quartets
from games.quartets.show import show_position, show_questions, turn_line
from games.quartets.why import spoken, why_invalid

__all__ = ["HINTS", "Session"]

HINTS = ("none", "legal", "full")
"""How much help: nothing; what may be said; and also what is forced or certain."""


@frozen(slots=False)
class Session(Displayed):
    """The set-up, all statements, and the position after each of them.

    Examples
    --------
    >>> from games.quartets.rules import named_groups
    >>> session = Session.new(Quartets(("Ann", "Ben"), named_groups([2, 2])))
    >>> session = session.say("Ben a1").say("no")
    >>> session.log
    (Ask(by='Ann', to='Ben', card='a1'), Answer(by='Ben', yes=False))
    >>> session.undo().position.speaker()
    1
    """

    game: Quartets
    log: tuple[Event, ...]
    positions: tuple[Position, ...] = field(repr=False)

    @classmethod
    def new(cls, game: Quartets, log: Sequence[Event] = ()) -> Session:
        """Return the session of a set-up and the statements so far.

        Raises
        ------
        BadInput
            A statement that could not be made; its number is in the message.
        """
        session = cls(game, (), (start_position(game),))
        for number, event in enumerate(log, start=1):
            try:
                session = session.tell(event)
            except BadInput as error:
                raise BadInput(f"statement {number}: {error.message}") from None
        return session

    def __str__(self) -> str:
        return show_position(self.game, self.position)

    def _repr_html_(self) -> str:
        from games.quartets.page import position_svg

        return position_svg(self.game, self.position)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    def tell(self, event: Event) -> Session:
        """Return the session after one more statement, which may name what has no name yet."""
        game, event = with_names(self.game, event)
        after = tell(game, self.position, event)
        return evolve(self, game=game, log=(*self.log, event), positions=(*self.positions, after))

    def say(self, text: str) -> Session:
        """Return the session after a statement as a line, in full or short.

        Short forms: ``Ben a1`` (a question), ``yes``, ``no``, ``declare a``.

        Raises
        ------
        BadInput
            No statement, a name that does not exist, or one that cannot be made now.
        """
        game, event = heard(self._in_full(text.strip()), self.game)
        return evolve(self, game=game).tell(event)

    def _in_full(self, text: str) -> str:
        name = self.game.players[self.position.speaker()]
        if text.casefold() in ("yes", "no", "y", "n"):
            return f"{name}: {'yes' if text[0] in 'yY' else 'no'}"
        declared = re.fullmatch(r"declare\s+(.+)", text, re.IGNORECASE)
        if declared:
            return f"{name} declares {declared[1]}"
        if re.search(r"\s(asks|declares)\s|:", text):
            return text
        for to in sorted(self.game.players, key=len, reverse=True):
            if text.casefold().startswith(to.casefold() + " "):
                return f"{name} asks {to} for {text[len(to) :].strip()}"
        return text

    def undo(self) -> Session:
        """Return the session before the last statement; itself at the beginning."""
        if not self.log:
            return self
        game, log = named_by(self.game, self.log[:-1]), self.log[:-1]
        return evolve(self, game=game, log=log, positions=self.positions[:-1])

    def first_fault(self) -> int | None:
        """Return the number (from 1) of the first losing statement, or ``None``."""
        return next((n for n, p in enumerate(self.positions) if p.fault is not None), None)

    def text(self) -> str:
        """Return the transcript."""
        return format_log(self.game, self.log)

    def announcements(self) -> Iterator[str]:
        """Yield what a referee says after the last statement."""
        game, position = self.game, self.position
        fault = position.fault
        if fault is not None:
            said = spoken(game, self.positions[-2], self.log[-1])
            yield f"{game.players[fault.loser]} loses: {said}, and then no deal fits."
            yield str(why_invalid(game, self.log))
        yield from self.forced()
        yield turn_line(game, position)

    def forced(self) -> Iterator[str]:
        """Yield what has to be answered, if a question is open and only one answer fits."""
        if self.position.question is not None:
            possible = answers(self.game, self.position)
            if len(possible) == 1:
                yield f"{possible[0].by} must say {'yes' if possible[0].yes else 'no'}."

    def hints(self, level: str) -> Iterator[str]:
        """Yield what may be said now; with ``"full"`` also what is forced and certain."""
        game, position = self.game, self.position
        if level == "none" or position.over:
            return
        if position.question is not None:
            possible = answers(game, position)
            yield "may say: " + " or ".join("yes" if a.yes else "no" for a in possible)
            return
        sure = certain(position) if level == "full" else []
        said = (
            f"declare {spoken_name(game, game.group_names[group])}"
            + (" (certain)" if group in sure else "")
            for group in declarable(position)
        )
        yield from dict.fromkeys(said)
        asked = questions(game, position)
        if level == "legal":
            asked = [evolve(q, yes=True, no=True) for q in asked]
        yield from show_questions(game, asked)
