"""The protocol of a game in which something is hidden, and the viewpoints on its log."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Protocol, TypeAlias, runtime_checkable

from attrs import frozen

from deduce.constraints import Constraint
from deduce.problem import Evidence, Rule

__all__ = ["RECORD", "HiddenGame", "Notice", "Player", "SeenInParts", "View", "Viewer"]

Player: TypeAlias = Hashable


class View(Enum):
    """The one viewpoint that is not a player's."""

    RECORD = "record"
    """The reader of the log, who knows everything in it."""

    def __repr__(self) -> str:
        return self.name


RECORD = View.RECORD

Viewer: TypeAlias = Player | View | None
"""A player; ``None``, the bystander, who sees what is public; or `RECORD`."""


@frozen
class Notice:
    """Something odd in a log that is possible all the same, such as an event recorded twice.

    Parameters
    ----------
    event
        The number of the event, from 1.
    message
        What is odd, as a sentence.
    """

    event: int
    message: str

    def __str__(self) -> str:
        return f"event {self.event}: {self.message}"


class HiddenGame(Protocol):
    """What a game must offer to be deduced from: an object that holds one set-up of the game.

    Only these three methods are required. A game may also have

    ``name``
        what its logs call it;
    ``events``
        the attrs classes of its events, which lets logs be read and written as JSON lines;
    ``check(event)``
        raises `BadInput` for an event that cannot be one of this game;
    ``notices(log)``
        what is odd in a log without being impossible, as `Notice` values;
    ``parse_event(text)``, ``format_event(event)``
        one event as a line of text, which must round-trip; a class of events with a ``template``
        such as ``"{field}: {number}"`` needs neither (see `deduce.templates`);
    ``parse_next(text, log)``
        the game and the event that a line of text states after the events of a log: for games in
        which a line may leave out what the log determines (who speaks), or in which names are
        introduced during the game, so that the set-up returned has more names than this one;
    ``parse_log(text)`` (a class method, returning game and events), ``format_log(events)``
        a whole text notation of its own, which must round-trip: the log of this game, set-up
        included; if ``reads_documents`` is true, ``parse_log`` also reads a JSON document of the
        game's own, which has no field ``"game"``;
    ``evidence_after(log, number, viewer)``
        the part of the evidence that comes from the events after the first ``number`` ones, in a
        game in which later events change nothing about the evidence of earlier ones: one more
        event then costs less;
    ``drawn(log)``
        what has become hidden in the course of a log, as cards do that are drawn from a pile:
        more variables with their values, about which the evidence of that log may speak;
    ``say(fact)``
        a fact as a player would say it;
    ``groups()``, or a mapping ``groups``
        the variables under headings, in the order in which tables show them;
    ``questions()``
        what the players want to find out: variables, or mappings from answers to facts of which
        one holds; the bits of `deduce.uncertainty` are about them;
    ``inquiries(log, viewer)``, with ``answer(inquiry, world)``
        the questions that the viewer can ask after a log, each any hashable; and the answer that
        one gets in a world, or a mapping from answers to probabilities where a player chooses the
        answer: with these two, `deduce.knowledge.Knowledge.advise` ranks the questions. A viewer
        who cannot ask gets `BadInput`;
    ``scope(inquiry)``
        the variables that determine the answer, in any order; ``answer`` then gets worlds with
        these variables only, and can be advised upon even if worlds are too many to be listed;
    ``alike(inquiry, log)``
        what a question has in common with others that differ only in the variables of their
        scopes, any hashable: questions for which it is equal are answered alike where the
        variables of their scopes, in order, have the same values. They are rated once if these
        variables are interchangeable;
    ``answer_table(inquiries, worlds)``
        many answers at once, for speed: a list of answers, and an array of numpy with their
        indices, one row for each question, one column for each world;
    ``ends(inquiry, answer)``
        whether this answer ends the game;
    ``event_of(inquiry, answer)``
        the event of a question and its answer;
    ``format_inquiry(inquiry)``, ``format_answer(inquiry, answer)``
        a question and an answer as players say them;
    ``svg(knowledge)``
        a picture that notebooks show beside the grid: one ``<svg>`` element in which all names are
        escaped, such as `deduce.show.svg` makes;
    ``players``
        those who can be viewers;
    ``seen_by(viewer)``, ``seen_event(event, viewer)``
        the parts of a log that a player sees, so that players can share one: see `SeenInParts`;
    ``deal(random)``
        a random world that fits the rules, and ``record(world, random)``, a random log of it:
        with these two `deduce.testing.check_hidden_game` plays whole games.
    """

    def variables(self) -> Mapping[Any, Collection[Any]]:
        """Return what is hidden from the start: every variable with the values it may have."""
        ...

    def rules(self) -> Iterable[Rule | Constraint]:
        """Return what always holds."""
        ...

    def evidence(self, log: Sequence[Any], viewer: Viewer) -> Iterable[Evidence]:
        """Return what the log means for the viewer, as evidence; event ``n`` is ``log[n - 1]``."""
        ...


@runtime_checkable
class SeenInParts(Protocol):
    """A hidden game that states what each player sees of a log, so that players can share one.

    The parts that a player sees are a log of their own, from which the page of this player is
    computed: whatever these two methods leave out cannot reach it.
    """

    @property
    def players(self) -> Sequence[Player]:
        """Those who can be viewers."""
        ...

    def seen_by(self, viewer: Viewer) -> Any:
        """Return the set-up as the viewer sees it, a game of the same class."""
        ...

    def seen_event(self, event: Any, viewer: Viewer) -> Any:
        """Return an event as the viewer sees it; ``None`` if they see nothing of it."""
        ...
