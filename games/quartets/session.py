"""A game in progress: its statements, the position after each, and the referee's announcements.

A statement that makes the state invalid is explained by the smallest set of earlier statements that
it contradicts; commands and pages ask `games.quartets.verdict`. There are two kinds of reasons.
What is public (a card that was handed over, a group laid aside) needs no proof: the statement that
caused it is named. Everything else in a log is proved by the core (`deduce.reasoning.explain`): a
set of statements from which none can be left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from attrs import evolve, field, frozen

from deduce.errors import placed
from deduce.game import Notice
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from deduce.reasoning.conflicts import quickxplain
from deduce.reasoning.explain import Step, Why
from deduce.system.display import Displayed
from deduce.system.text import plural
from games.quartets.deal import Claim, DealForm, claimed_form
from games.quartets.events import Event
from games.quartets.evidence import log_problem, public_reasons
from games.quartets.game import Quartets
from games.quartets.notation import format_log, parse_statement
from games.quartets.position import (
    Position,
    answers,
    certain,
    declarable,
    position_after,
    positions_of,
    questions,
)
from games.quartets.setup import Names, Setup, named_by, spoken_name, with_names
from games.quartets.wording import question_lines, sentence, turn_line

__all__ = ["HINTS", "Session", "claim_lines", "conflict", "fits", "why_invalid"]


HINTS = ("none", "legal", "full")
"""Levels of help: none; the possible statements; and also what is forced or certain."""


@frozen(slots=False)
class Session(Displayed):
    """The game, all statements, and the positions before, between and after them.

    Examples
    --------
    >>> from games.quartets.setup import named_groups
    >>> session = Session.new(Quartets(("Ann", "Ben"), named_groups([2, 2])))
    >>> session = session.say("ask Ben a1").say("no")
    >>> session.log
    (Ask(by='Ann', to='Ben', card='a1'), Answer(by='Ben', yes=False))
    >>> session.upto(1).position.speaker()
    1
    """

    game: Quartets
    log: tuple[Event, ...]
    positions: tuple[Position, ...] = field(repr=False)
    lines: tuple[int, ...] = field(default=(), eq=False, repr=False)
    """The line of each statement in the file that it was read from."""

    @classmethod
    def new(cls, game: Quartets, log: Sequence[Event] = ()) -> Session:
        """Return the session of a game and its statements so far.

        Raises
        ------
        BadInput
            A statement cannot be made; its number is in the message.
        """
        return cls(game, tuple(log), tuple(positions_of(game, log)))

    @classmethod
    def read(cls, text: str, *, source: str | None = None, upto: int | None = None) -> Session:
        """Return the session of a transcript, which is text or JSON lines.

        Parameters
        ----------
        text
            The transcript.
        source
            The name of its file, for messages.
        upto
            How many statements to use at most; by default, all.

        Raises
        ------
        BadInput
            The transcript cannot be read, or a statement cannot be made; with the line.
        """
        log = read_log(text, Quartets, source=source)
        events = log.events if upto is None else log.events[:upto]
        session = cls.new(named_by(log.game, events))
        for event, line in zip(events, log.lines, strict=False):
            with placed(source=source, line=line):
                session = session.tell(event)
        return evolve(session, lines=log.lines)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.positions[-1]

    def tell(self, event: Event) -> Session:
        """Return the session after one more statement, which may use placeholders for new names."""
        game, event = with_names(self.game, event)
        after = position_after(game, self.position, event)
        return evolve(self, game=game, log=(*self.log, event), positions=(*self.positions, after))

    def say(self, text: str) -> Session:
        """Return the session after the statement of a line, in full or short.

        Short statements: ``Ben a1`` or ``ask Ben a1`` (a question), ``yes``, ``no``, ``declare a``.

        Raises
        ------
        BadInput
            The line is not a statement, has an unknown name, or the statement cannot be made now.
        """
        players = self.game.players
        game, event = parse_statement(text, self.game, lambda: players[self.position.speaker()])
        return evolve(self, game=game).tell(event)

    def upto(self, number: int) -> Session:
        """Return the session after the first ``number`` statements."""
        log = self.log[:number]
        return Session(named_by(self.game, log), log, self.positions[: len(log) + 1])

    def first_fault(self) -> int | None:
        """Return the number (from 1) of the first losing statement, or ``None``."""
        return next((n for n, p in enumerate(self.positions) if p.fault is not None), None)

    def text(self) -> str:
        """Return the transcript."""
        return format_log(self.game, self.log)

    def notices(self) -> Sequence[Notice]:
        """Return what is odd in the statements without being impossible."""
        return tuple(self.game.notices(self.log))

    def announcements(self) -> Iterator[str]:
        """Yield the referee's announcements after the last statement."""
        game, position = self.game, self.position
        fault = position.fault
        if fault is not None:
            statement = sentence(game, self.positions[-2], self.log[-1])
            yield f"{game.players[fault.loser]} loses: {statement}, and then no deal is possible."
            yield str(why_invalid(game, self.log, self.positions))
        yield from self.forced()
        yield turn_line(game, position)

    def forced(self) -> Iterator[str]:
        """Yield the answer that must be given, if a question is open and only one is possible."""
        if self.position.question is not None:
            possible = answers(self.game, self.position)
            if len(possible) == 1:
                yield f"{possible[0].by} must say {'yes' if possible[0].yes else 'no'}."

    def hints(self, level: str) -> Iterator[str]:
        """Yield the possible statements; with ``"full"`` also what is forced or certain."""
        game, position = self.game, self.position
        if level == "none" or position.over:
            return
        if position.question is not None:
            possible = answers(game, position)
            yield "may say: " + " or ".join("yes" if a.yes else "no" for a in possible)
            return
        certain_groups = certain(position) if level == "full" else []
        declarations = (
            f"declare {spoken_name(game, game.group_names[group])}"
            + (" (certain)" if group in certain_groups else "")
            for group in declarable(position)
        )
        yield from dict.fromkeys(declarations)
        possible_questions = questions(game, position)
        if level == "legal":
            possible_questions = [evolve(q, yes=True, no=True) for q in possible_questions]
        yield from question_lines(game, possible_questions)


def why_invalid(game: Setup, log: Sequence[Event], positions: Sequence[Position]) -> Why:
    """Return why the last statement of a log is a losing one.

    Parameters
    ----------
    game, log
        A transcript that ends with a losing statement; earlier ones were undone and say nothing.
    positions
        The positions before, between and after the statements.

    Raises
    ------
    ValueError
        The last statement leaves a deal.
    """
    if positions[-1].fault is None:
        raise ValueError("the last statement leaves a deal: there is nothing to explain")
    reasons = tuple(public_reasons(game, log, positions))
    if reasons:
        last = Step(len(log), (sentence(game, positions[-2], log[-1]),))
        repairs = tuple(n for n in (*(s.event for s in reasons), len(log)) if n is not None)
        return Why("", "contradiction", (*reasons, last), repairs=repairs)
    return Knowledge(log_problem(game, log, positions)).contradiction()


def fits(form: DealForm, claims: Collection[Claim]) -> bool:
    """Return whether some deal of the open cards meets the claims, with the hands as they are."""
    known = (claim for claim in form.claims() if claim[0] == "has")
    return claimed_form(form.table, form.hands(), [*known, *claims], form.aside).is_valid


def conflict(form: DealForm) -> list[Claim]:
    """Return a minimal set of claims in an invalid state that no deal meets.

    The hand sizes and what is public are taken as given. Cost: some tens of validity checks
    (QuickXplain).

    Raises
    ------
    ValueError
        The state is valid, or its ``clash`` already names the reason.
    """
    claims = [claim for claim in form.claims() if claim[0] != "has"]
    if form.clash or fits(form, claims):
        raise ValueError(form.clash or "the state is valid")
    return quickxplain(lambda chosen: {} if fits(form, chosen) else None, claims)


def claim_lines(names: Names, claims: Iterable[Claim]) -> Iterator[str]:
    """Yield the claims as sentences.

    >>> from games.quartets.setup import named_groups
    >>> game = Setup(("Ann", "Ben"), named_groups([1, 1]))
    >>> list(claim_lines(game, [("not", 0, 0, 1), ("least", 0, 0, 1)]))
    ['Ann does not have a1', 'Ann has at least 1 open card of a']
    """
    for kind, player, thing, number in claims:
        who = names.players[player]
        if kind == "not":
            yield f"{who} does not have {names.cards[thing]}"
        else:
            cards = f"{plural(number, 'open card')} of {names.group_names[thing]}"
            yield f"{who} has at {kind} {cards}"
