"""Questions that a game lets its players ask: `deduce.game.Questions` and `deduce.game.Rated`.

An *inquiry* is any hashable: a suggestion, a guess, a field to open. A game that has ``inquiries``
and ``answer`` can be advised; the other methods make advice faster or its text better. The
functions here call them, with the defaults for what a game leaves out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from traceback import extract_tb
from typing import TYPE_CHECKING, Any

from deduce.constraints import Number, Variable
from deduce.errors import BadInput, BrokenPlugin, DeduceError, Unsupported
from deduce.game import (
    RECORD,
    Answer,
    Event,
    HiddenGame,
    Inquiry,
    Questions,
    Rated,
    SeenInParts,
    Written,
    hook,
)
from deduce.problem import World
from deduce.reasoning.viewpoint import BareGame
from deduce.system.text import name_of, nearest

if TYPE_CHECKING:
    from deduce.reasoning.queries import Queries

__all__ = [
    "Answer",
    "Inquiry",
    "answers_to",
    "asker_of",
    "can_ask",
    "check_inquiries",
    "check_listed",
    "ends",
    "event_of",
    "form_of",
    "format_answer",
    "format_inquiry",
    "inquiries_of",
    "reads_of",
    "typed_inquiries",
    "variables_read",
]


def can_ask(game: HiddenGame) -> bool:
    """Return whether a game states which questions can be asked, and how they are answered."""
    return None not in (hook(game, Questions.inquiries), hook(game, Questions.answer))


def inquiries_of(knowledge: Queries, *, every: bool = False) -> tuple[Inquiry, ...]:
    """Return the questions that can be asked now; all, where a game offers only some of many.

    Raises
    ------
    Unsupported
        The game does not state which questions can be asked.
    BadInput
        They are not different hashables, or the viewer cannot ask.
    """
    game = knowledge.game
    inquiries = hook(game, Questions.inquiries)
    if inquiries is None or not can_ask(game):
        name = f"the game {hook(game, Written.name, type(game).__name__)!r}"
        name = "a Problem" if isinstance(game, BareGame) else name
        raise Unsupported(
            f"in {name} nothing can be asked that advice could rank "
            "(a game states its questions by the methods 'inquiries' and 'answer')"
        )
    inquiries = (every and hook(game, Rated.every_inquiry)) or inquiries
    return check_inquiries(inquiries(knowledge.log, knowledge.viewer))


def asker_of(knowledge: Any) -> str | None:
    """Return a player who can ask something where the reader of the log cannot."""
    players = hook(knowledge.game, SeenInParts.players, ()) if knowledge.viewer is RECORD else ()
    return next((str(p) for p in players if inquiries_of(knowledge.seen_by(p))), None)


def check_inquiries(inquiries: Iterable[Inquiry]) -> tuple[Inquiry, ...]:
    """Return a list of questions as a tuple; raises `BadInput` unless they are different."""
    try:
        listed = tuple(inquiries)
        different = len(set(listed)) == len(listed)
    except TypeError as error:
        raise BadInput(f"questions are hashables in a list, not {inquiries!r}: {error}") from None
    if not different:
        raise BadInput("a question that can be asked is listed twice")
    return listed


def typed_inquiries(knowledge: Queries, inquiries: tuple[Inquiry, ...]) -> tuple[Inquiry, ...]:
    """Return the questions, for a text the one that can be asked now and is written so."""
    write = hook(knowledge.game, Questions.format_inquiry)
    if write is None or not any(isinstance(inquiry, str) for inquiry in inquiries):
        return inquiries
    listed = inquiries_of(knowledge, every=True)
    written = {} if {*inquiries} <= {*listed} else {write(i): i for i in listed}
    own = any(isinstance(i, str) for i in listed)  # then a text may be a question as it is

    def meant(inquiry: Inquiry) -> Inquiry:
        if isinstance(inquiry, str) and inquiry in written:
            return written[inquiry]
        if isinstance(inquiry, str) and not own:
            raise _not_listed(inquiry, [*written])
        return inquiry

    return check_inquiries(map(meant, inquiries))


def check_listed(knowledge: Queries, inquiries: Iterable[Inquiry]) -> None:
    """Raise `BadInput` unless all these questions are among those that can be asked now."""
    listed = inquiries_of(knowledge, every=True)
    for inquiry in inquiries:
        if inquiry not in listed:
            raise _not_listed(inquiry, listed)


def _not_listed(inquiry: Inquiry, listed: Sequence[Inquiry]) -> BadInput:
    example = f"; for example {listed[0]!r}" if listed else ""
    texts = [each for each in listed if isinstance(each, str)]
    near = nearest(inquiry, texts) if isinstance(inquiry, str) else ""
    return BadInput(f"not a question that can be asked now: {inquiry!r}{near or example}")


def reads_of(game: HiddenGame, inquiry: Inquiry) -> tuple[Variable | Number, ...] | None:
    """Return what determines the answer: variables, and numbers of facts that hold.

    ``None`` if the game does not state it.

    Raises
    ------
    BadInput
        It is not a list; or a number is not that of facts about different variables, each of which
        counts as one.
    """
    scope = hook(game, Rated.scope)
    if scope is None:
        return None
    stated = scope(inquiry)
    if not isinstance(stated, Iterable):
        raise BadInput(f"the scope of {inquiry!r} must be a list of variables, not {stated!r}")
    reads = tuple(stated)
    for each in reads:
        if isinstance(each, Number):
            facts = [fact.variable for fact, amount in each.terms if amount == 1]
            if len(facts) != len(each.terms) or len(set(facts)) != len(facts):
                raise BadInput(
                    f"the scope of {inquiry!r} has a number whose facts are not about "
                    f"different variables: {each}"
                )
    return reads


def variables_read(reads: Iterable[Variable | Number]) -> tuple[Variable, ...]:
    """Return the variables of what is read, those of facts that are counted included."""
    scope: list[Variable] = []
    for each in reads:
        scope += [fact.variable for fact, _ in each.terms] if isinstance(each, Number) else [each]
    return tuple(scope)


def form_of(
    game: HiddenGame, inquiry: Inquiry, log: Sequence[Event], reads: Sequence[Variable | Number]
) -> Hashable:
    """Return what a question has in common with others; by default it is like no other."""
    alike = hook(game, Rated.alike)
    if alike is None:
        return "inquiry", inquiry
    counted = [tuple(f.values for f, _ in each.terms) for each in reads if isinstance(each, Number)]
    return "alike", alike(inquiry, log), *counted


def answers_to(game: Any, inquiry: Inquiry, world: World) -> tuple[tuple[Answer, Fraction], ...]:
    """Return the answers that a question may get in a world, with their probabilities.

    Raises
    ------
    BadInput
        The answer is not hashable, or the probabilities are not positive or do not sum to 1.
    BrokenPlugin
        The game's ``answer`` raises something else.
    """
    try:
        given = game.answer(inquiry, world)
    except DeduceError:
        raise
    except Exception as error:
        place = extract_tb(error.__traceback__)[-1]
        raise BrokenPlugin(
            f"answer() of {type(game).__name__} fails for the question {inquiry!r}: "
            f"{type(error).__name__}: {error} ({place.filename}, line {place.lineno})"
        ) from error
    if not isinstance(given, Mapping):
        try:
            hash(given)
        except TypeError:
            raise BadInput(f"the answer to {inquiry!r} must be hashable, not {given!r}") from None
        return ((given, Fraction(1)),)
    shares = tuple((answer, Fraction(share)) for answer, share in given.items())
    if sum(share for _, share in shares) != 1 or any(share <= 0 for _, share in shares):
        raise BadInput(
            f"the probabilities of the answers to {inquiry!r} must be positive and sum to 1, "
            f"not {dict(shares)}"
        )
    return shares


def ends(game: HiddenGame, inquiry: Inquiry, answer: Answer) -> bool:
    """Return whether this answer ends the game (all positions are right, the ship is sunk)."""
    method = hook(game, Questions.ends)
    return method is not None and bool(method(inquiry, answer))


def event_of(game: HiddenGame, inquiry: Inquiry, answer: Answer) -> Event:
    """Return the event that a question with its answer is.

    Raises
    ------
    Unsupported
        The game does not state it.
    """
    method = hook(game, Questions.event_of)
    if method is None:
        name = hook(game, Written.name, type(game).__name__)
        raise Unsupported(
            f"the game {name!r} does not state which event records a question and its answer: "
            "it has no method 'event_of'"
        )
    return method(inquiry, answer)


def format_inquiry(game: HiddenGame, inquiry: Inquiry) -> str:
    """Return a question as players say it."""
    method = hook(game, Questions.format_inquiry)
    return str(method(inquiry)) if method else name_of(inquiry)


def format_answer(game: HiddenGame, inquiry: Inquiry, answer: Answer) -> str:
    """Return an answer as players say it."""
    method = hook(game, Questions.format_answer)
    return str(method(inquiry, answer)) if method else name_of(answer)
