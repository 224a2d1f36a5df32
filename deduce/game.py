"""What a game in which something is hidden offers, and the viewpoints on its log.

`HiddenGame` is required. The other protocols are optional, and so is each of their members: a game
has those that it needs, and `hook` asks for one. A game need not name a protocol; if it inherits
from one, the members that it does not define count as absent.

>>> from games.cluedo import Cluedo
>>> say = hook(Cluedo(("Ann", "Ben")), Said.say)
>>> say and say(Fact("Rope", ["Ann"]))
'Ann has Rope'
>>> hook(Cluedo(("Ann", "Ben")), Questions.ends) is None
True
>>> hook(Cluedo(("Ann", "Ben")), SeenInParts.players, ())
('Ann', 'Ben')
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache
from random import Random
from typing import (
    TYPE_CHECKING,
    Any,
    Protocol,
    TypeAlias,
    runtime_checkable,
)

from attrs import frozen

from deduce.constraints import Constraint, Fact
from deduce.estimates import Estimate, rounded_percent
from deduce.problem import Evidence, Rule, World
from deduce.system.hooks import hook, offer
from deduce.system.text import visible

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.integer[Any]]

__all__ = [
    "RECORD",
    "Answer",
    "Documents",
    "Event",
    "EventLine",
    "Growing",
    "HiddenGame",
    "Inquiry",
    "Notice",
    "Player",
    "Questions",
    "Rated",
    "Recorded",
    "Said",
    "Seeing",
    "SeenInParts",
    "Shown",
    "Simulated",
    "Slip",
    "Slips",
    "Staged",
    "View",
    "Viewer",
    "Witnessed",
    "Written",
    "hook",
    "near_misses",
    "warn_of_near_misses",
]

Player: TypeAlias = Hashable
Inquiry: TypeAlias = Hashable
Answer: TypeAlias = Hashable
Event: TypeAlias = Any
"""An event of a game, of one of the game's own classes."""


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


@frozen(str=False)
class Slip:
    """An answer of the log, and the probability that it is wrong.

    Parameters
    ----------
    event
        The number of the event, from 1.
    answer
        What the event states, as the game writes it.
    probability
        The probability that it is wrong.
    instead
        What may be right instead, with its probability; these add up to ``probability``.
    estimate
        The probability with its error, where it is not exact.
    """

    event: int
    answer: str
    probability: Fraction
    instead: tuple[tuple[str, Fraction], ...] = ()
    estimate: Estimate | None = None

    @property
    def exact(self) -> bool:
        """Whether the probabilities are exact."""
        return self.estimate is None

    def __str__(self) -> str:
        share = self.estimate or f"{rounded_percent(self.probability)}%"
        return visible(f"event {self.event}: {self.answer} ({share} wrong)")


class HiddenGame(Protocol):
    """What a game must offer to be deduced from: an object that holds one set-up of the game."""

    def variables(self) -> Mapping[Any, Collection[Any]]:
        """Return what is hidden from the start: every variable with the values it may have."""

    def rules(self) -> Iterable[Rule | Constraint]:
        """Return what always holds."""

    def evidence(self, log: Sequence[Event], viewer: Viewer) -> Iterable[Evidence]:
        """Return what the log means for the viewer, as evidence; event ``n`` is ``log[n - 1]``."""


class Growing(Protocol):
    """How what is hidden, and what is known of it, grows with the log."""

    def drawn(self, log: Sequence[Event]) -> Mapping[Hashable, Collection[Hashable]]:
        """Return what has become hidden in the course of a log, as cards do that are drawn.

        These are more variables with their values, about which the evidence of that log may speak.
        """

    def drawn_rules(self, log: Sequence[Event]) -> Iterable[Rule | Constraint]:
        """Return what always holds of what is hidden after a log, besides ``rules``.

        Only asked for where there is ``drawn``, and again where that has changed.
        """

    def evidence_after(
        self, log: Sequence[Event], start: int, viewer: Viewer
    ) -> Iterable[Evidence]:
        """Return the part of the evidence that the events after the first ``start`` ones give.

        Only for a game in which later events change nothing about the evidence of earlier ones: one
        more event then costs less.
        """

    def parse_next(self, text: str, log: Sequence[Event]) -> tuple[HiddenGame, Event]:
        """Return the game and the event that a line of text states after the events of a log.

        For games in which a line may leave out what the log determines (who speaks), or in which
        names are introduced during the game, so that the set-up returned has more names.
        """


class Written(Protocol):
    """How events are written: the classes of events let logs be read and written as JSON lines."""

    @property
    def name(self) -> str:
        """What the logs of the game call it."""

    @property
    def summary(self) -> str:
        """One line for ``deduce games``; by default the first line of the docstring."""

    @property
    def events(self) -> Sequence[type]:
        """The attrs classes of the events."""

    def parse_event(self, text: str) -> Event:
        """Return the event that a line of text states; not needed where events have a template."""

    def format_event(self, event: Event) -> str:
        """Return an event as the line of text that ``parse_event`` reads back."""

    @property
    def setup_files(self) -> Mapping[str, Callable[[str], Any]]:
        """The settings that ``deduce GAME new --SETTING FILE`` reads from a file, of the class.

        Each has the function that returns the value of the setting for the text of the file, or
        raises `BadInput`.
        """


class EventLine(Protocol):
    """What a class of events may have, so that its game needs no notation of its own."""

    @property
    def template(self) -> str:
        """The form of its line, such as ``"{field}: {number}"`` (see `deduce.logs.templates`)."""


class Documents(Protocol):
    """A text notation of whole logs, set-up included; it must round-trip."""

    def parse_log(self, text: str) -> Iterable[Any]:
        """Return the game and the events of a text, as a pair or a `Log`; a class method."""

    def format_log(self, events: Iterable[Event]) -> str:
        """Return the log of this game as text."""

    @property
    def reads_documents(self) -> bool:
        """Whether ``parse_log`` also reads a JSON document of the game's own.

        Such a document has no field ``"game"``.
        """


class Recorded(Protocol):
    """Who keeps the log, what cannot be in it, and what is odd in it."""

    @property
    def me(self) -> Player | None:
        """The player who keeps the log."""

    def check(self, event: Event) -> None:
        """Raise `BadInput` for an event that cannot be one of this game."""

    def notices(self, log: Sequence[Event]) -> Iterable[Notice]:
        """Return what is odd in a log without being impossible."""

    def corrects(self, event: Event, earlier: Event) -> bool:
        """Return whether an event can only be a correction of one before, which track drops."""


@runtime_checkable
class SeenInParts(Protocol):
    """A hidden game that states what each player sees of a log, so that players can share one.

    The parts that a player sees are a log of their own, from which the page of this player is
    computed: whatever these two methods leave out cannot reach it.
    """

    @property
    def players(self) -> Sequence[Player]:
        """Those who can be viewers."""

    def seen_by(self, viewer: Viewer) -> Any:
        """Return the set-up as the viewer sees it, a game of the same class."""

    def seen_event(self, event: Event, viewer: Viewer) -> Event | None:
        """Return an event as the viewer sees it; ``None`` if they see nothing of it."""


class Seeing(Protocol):
    """What players see of the hidden variables, for what they know (`deduce.logic.knows`)."""

    def sees(self, log: Sequence[Event]) -> Mapping[Any, Sequence[Any]]:
        """Return for each player what they have seen after a log, besides what is public.

        That is a list of variables, whose values the player has seen; of questions, which are
        mappings from answers to facts; and of facts and other constraints, of which the player has
        seen whether they hold. What each player sees is known to all players.
        """


class Said(Protocol):
    """The words of the game, in explanations and proofs."""

    def say(self, fact: Fact) -> str:
        """Return a fact as a player would say it."""

    def say_all(self, facts: Sequence[Fact]) -> str:
        """Return several facts as one clause."""

    def pattern(self, kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
        """Return the name of a kind of step of a proof; ``None`` for the usual name.

        Parameters
        ----------
        kind
            A kind of `deduce.steps.words.PATTERNS`.
        pieces
            The rules and the pieces of evidence that the step rests on.
        """


class Shown(Protocol):
    """What tables and pictures show."""

    def groups(self) -> Mapping[str, Sequence[Any]]:
        """Return the variables under headings, in the order of tables; also a plain mapping."""

    def questions(self) -> Iterable[Any]:
        """Return what the players want to find out; `deduce.reasoning.uncertainty` measures it.

        These are variables, or mappings from answers to facts of which one holds.
        """

    def shown_cells(self, log: Sequence[Event]) -> Mapping[str, Mapping[str, Sequence[Fact]]]:
        """Return what the grid after a log shows in place of all values: rows of cells by heading.

        A cell has facts of which at most one holds; it shows whether one of them does.
        """

    def comments(self, knowledge: Any) -> Iterable[str]:
        """Return sentences that ``deduce GAME grid`` adds: what the game computes by itself."""

    def svg(self, knowledge: Any) -> str:
        """Return a picture that notebooks and pages show beside the grid.

        It is one ``<svg>`` element in which all names are escaped, such as `deduce.show.svg` makes.
        """


class Questions(Protocol):
    """What can be asked: with the first two, `deduce.knowledge.Knowledge.advise` ranks it."""

    def inquiries(self, log: Sequence[Event], viewer: Viewer) -> Iterable[Inquiry]:
        """Return the questions that the viewer can ask after a log.

        A viewer who cannot ask gets `BadInput`.
        """

    def answer(self, inquiry: Inquiry, world: World) -> Any:
        """Return the answer that a question gets in a world.

        Where a player chooses the answer: a mapping from answers to probabilities.
        """

    def ends(self, inquiry: Inquiry, answer: Answer) -> bool:
        """Return whether this answer ends the game."""

    def event_of(self, inquiry: Inquiry, answer: Answer) -> Event:
        """Return the event of a question and its answer."""

    def format_inquiry(self, inquiry: Inquiry) -> str:
        """Return a question as players say it."""

    def format_answer(self, inquiry: Inquiry, answer: Answer) -> str:
        """Return an answer as players say it."""


class Rated(Protocol):
    """What makes advice faster."""

    def every_inquiry(self, log: Sequence[Event], viewer: Viewer) -> Sequence[Inquiry]:
        """Return all questions, for a plan, where ``inquiries`` offers only some of very many."""

    def scope(self, inquiry: Inquiry) -> Iterable[Hashable]:
        """Return the variables that determine the answer, in any order.

        ``answer`` then gets worlds with these variables only, and a question can be rated even if
        worlds are too many to be listed. In place of variables of which it only matters how many
        have some value, a `deduce.number_of` such facts makes this faster.
        """

    def answer_facts(self, inquiry: Inquiry) -> Mapping[Answer, Sequence[Fact] | None]:
        """Return for each answer the facts of which exactly one holds if it is given.

        With any other answer none of them holds. One answer may have ``None``: it is given where no
        other one is. The posterior of the values then rates all questions at once, if the game has
        no ``questions`` of its own.
        """

    def alike(self, inquiry: Inquiry, log: Sequence[Event]) -> Hashable:
        """Return what a question has in common with others that differ only in their scopes.

        Questions for which it is equal are answered alike where the variables (and numbers) of
        their scopes, in order, have the same values. They are rated once if these variables are
        interchangeable.
        """

    def alike_after(self, asked: Sequence[Any], inquiries: Sequence[Any]) -> Numbers:
        """Return a number for each question, equal for those that are alike after those asked."""

    def answer_table(
        self, inquiries: Sequence[Any], worlds: Sequence[World]
    ) -> tuple[Sequence[Answer], Numbers]:
        """Return many answers at once: a list of answers, and an array with their indices.

        The array has one row for each question, one column for each world.
        """

    def independent(self) -> Sequence[Sequence[Hashable]]:
        """Return groups of variables that every question asks side by side, such as boards.

        The answer to a question is that of each group alone: ``answer_table`` then also takes
        worlds of one group, and ``joined`` makes an answer of theirs; the game ends where it ends
        for each. Groups with the same values, more than one, are answered alike. Whether they are
        independent, given the log, is found out by counting.
        """

    def joined(self, answers: Sequence[Answer]) -> Answer:
        """Return the answer that consists of an answer for each group of ``independent``."""


class Slips(Protocol):
    """What can go wrong at the table: which answers of a log may be wrong."""

    @property
    def slip_rates(self) -> Mapping[str, Fraction]:
        """The probability of a slip, by kind."""

    @property
    def slip_unit(self) -> Fraction | None:
        """The rate that one number given for all kinds replaces; by default the largest."""

    def doubted(
        self, log: Sequence[Event], viewer: Viewer, rates: Mapping[str, Fraction]
    ) -> Iterable[Evidence]:
        """Return the evidence with the doubts that these rates make; needs ``slip_rates``."""

    def records(self, event: Event) -> int:
        """Return how many different events of its kind could have been recorded, at least 2.

        A wrong record is any other one with the same probability. By default there are 2, as for
        yes and no. Not asked for where there is ``doubted``.
        """

    def instead(self, knowledge: Any, slip: Slip) -> Iterable[tuple[str, Fraction]]:
        """Return what may be right instead of an answer, with probabilities."""


class Simulated(Protocol):
    """How random games are made, for puzzles and for `deduce.testing.check_hidden_game`."""

    def deal(self, random: Random) -> World:
        """Return a random world that fits the rules."""

    def record(self, world: World, random: Random) -> Iterable[Event]:
        """Return a random log of a world."""

    def puzzle_setup(self, random: Random) -> Any:
        """Return a random set-up for a puzzle; a class method; ``None``: none can be made."""

    def random_setup(self, random: Random) -> Any:
        """Return a random small set-up, for ``deduce soak``; a class method."""

    def random_log(self, random: Random) -> tuple[Any, World | None]:
        """Return a random log with its world, where there is no ``deal``; a class method."""


class Staged(Protocol):
    """What an episode of `deduce.gym` needs, besides `Simulated.deal` and what can be asked.

    Random numbers come from a generator of their own for each call. What a method draws must not
    depend on what is hidden, but for the answer itself: who sees the same then reads the same.
    """

    def staged(self, level: int, random: Random) -> Any:
        """Return the set-up of a level, 1 (easy) to 3; a class method."""

    def opening(self, world: World, random: Random) -> Iterable[Event]:
        """Return what is dealt and seen before the first turn."""

    def meanwhile(
        self, log: Sequence[Event], world: World, waiting: Sequence[Player], random: Random
    ) -> Event | None:
        """Return what the next player does who is not an agent; ``None``: an agent is to move.

        ``waiting`` are the agents, the one who has just moved first.
        """

    def outcome(
        self, inquiry: Inquiry, answer: Answer, log: Sequence[Event], world: World
    ) -> bool | None:
        """Return whether an answer wins or loses; ``None``: the game goes on.

        By default the answers that end the game win it. ``log`` ends before the question.
        """

    def subjects(self) -> Mapping[str, Any]:
        """Return what is to be found out: variables, or mappings from answers to facts, by name.

        By default all variables. Agents state beliefs about these. In a game without ``ends`` an
        agent wins by naming the answers to all of them.
        """

    def named(self, player: Player, solution: Mapping[str, Any], *, right: bool) -> Event | None:
        """Return the event of a player who named a solution, if the others learn of it."""

    def favourite(self, knowledge: Any) -> Inquiry:
        """Return the question that a good player asks, where it is not the most informative."""


class Witnessed(Protocol):
    """What is seen, stated without evidence, so that evidence can be checked against it.

    It is best written by a person who has not read ``evidence``.
    """

    def seen(self, log: Sequence[Event], viewer: Viewer) -> Any:
        """Return what a viewer notices of a log; logs that look equal must be equal evidence."""

    def likelihood(self, world: World, log: Sequence[Event], viewer: Viewer) -> Fraction | int:
        """Return how probable what the viewer saw is in a world, up to a common factor.

        Exactly the worlds with a likelihood must be possible, with weights in proportion.
        """

    def actor(self, event: Event, piece: Evidence) -> Player | None:
        """Return the player who acted; the sentence of the evidence must name this player first."""

    @property
    def calibrated(self) -> bool:
        """Whether ``record`` draws logs with the probabilities that the evidence assumes.

        Posteriors are then compared with the frequencies in simulated games.
        """


_PROTOCOLS = (
    *(HiddenGame, Growing, Written, EventLine, Documents, Recorded, SeenInParts, Said, Shown),
    *(Seeing, Questions, Rated, Slips, Simulated, Staged, Witnessed),
)
_NAMES = offer(*_PROTOCOLS)


_SEARCHED = ("initial_state", "to_move", "actions", "result", "utility")
"""What a game without hidden information must offer (`deduce.search.game`)."""


def near_misses(game_class: type) -> Iterator[str]:
    """Yield a sentence for each method whose name is nearly that of a hook that a class lacks.

    Examples
    --------
    >>> class Game:
    ...     def variables(self): ...
    ...     def evidense(self, log, viewer): ...
    >>> list(near_misses(Game))
    ["Game has a method 'evidense'; did you mean 'evidence'?"]
    """
    from difflib import get_close_matches

    methods = {name for name in dir(game_class) if callable(getattr(game_class, name))}
    is_hidden = not methods.isdisjoint(("variables", "rules", "evidence"))
    known = {*_NAMES.values()} if is_hidden else {*_SEARCHED}
    if not is_hidden and methods.isdisjoint(_SEARCHED):
        return
    lacking = known.difference(dir(game_class))
    for name in sorted(methods - known):
        for near in get_close_matches(name, lacking, n=1, cutoff=0.8):
            if not is_hidden or near != f"{name}s":  # ``group(card)`` is not a misspelt ``groups``
                yield f"{game_class.__name__} has a method {name!r}; did you mean {near!r}?"


@cache
def warn_of_near_misses(game_class: type) -> None:
    """Warn, once for each class, of its `near_misses`."""
    for message in near_misses(game_class):
        warnings.warn(message, stacklevel=2)
