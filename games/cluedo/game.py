"""Cluedo: one game with its rules, its evidence and its notation; the class that users know.

The variables are the dealt cards, the values are the holders: the players, the envelope, and the
pile of undealt cards where there is one. Source: docs/games/cluedo.md, sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Self

from attrs import evolve, frozen

from deduce.constraints import Count, Fact, exactly, is_
from deduce.events import Log
from deduce.game import RECORD, Notice, Viewer
from deduce.problem import Evidence, Rule
from deduce.text import plural
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Suggestion, check_event
from games.cluedo.inquiries import Shown, answer, event_of, inquiries
from games.cluedo.knowledge import evidence, seen_log
from games.cluedo.rates import RATES
from games.cluedo.setup import ENVELOPE, UNDEALT, SetUp

if TYPE_CHECKING:
    from deduce.doubts import Slip
    from deduce.knowledge import Knowledge

__all__ = ["ENVELOPE", "UNDEALT", "Cluedo"]


@frozen
class Cluedo(SetUp):
    """One game's set-up, and what follows from it.

    Parameters
    ----------
    players
        Names in seat order, at least two.
    deck
        Category -> cards, in order; `games.cluedo.DECKS` has the usual editions.
    hands
        How many cards each player holds, ``None`` where unknown; left out: all cards are dealt
        as evenly as possible, and if some players then hold one more, it is not known which.
    face_up
        Cards that lie open on the table, in no hand and not in the envelope.
    undealt
        How many cards lie unseen outside hands and envelope.
    me
        The player who keeps the log, and who has seen every card that is named in it.
    free_suggestions
        Whether a suggestion or an accusation may name any cards; otherwise it names one card of
        each category. In a log: ``suggestions: free``.

    Raises
    ------
    BadInput
        The set-up is impossible; where numbers do not add up, the sum is in the message.

    Examples
    --------
    >>> Cluedo(players=("Ann", "Ben", "Cid"), hands=(6, 6, 5))
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: the hands hold 17 cards, but 18 are dealt: 21 in the deck minus 3 in \
the envelope
    """

    name: ClassVar[str] = "cluedo"
    events: ClassVar[tuple[type, ...]] = (Hand, Suggestion, Accusation, Has, HasNot, OneOf)
    calibrated: ClassVar[bool] = True

    # The hidden game

    def variables(self) -> Mapping[str, tuple[str, ...]]:
        """Return every dealt card with its possible holders."""
        return dict.fromkeys(self.dealt, self.holders)

    def rules(self) -> Iterator[Rule]:
        """Return: one card of each category in the envelope; the sizes of the hands."""
        for category, cards in self.groups().items():
            sentence = f"exactly one {category} is in the envelope"
            yield Rule(exactly(1, [is_(card, ENVELOPE) for card in cards]), sentence)
        for holder, (low, high) in self.hand_sizes().items():
            facts = [is_(card, holder) for card in self.dealt]
            if (low, high) != (0, len(facts)):
                size = plural(low, "card") if low == high else f"{low} to {high} cards"
                yield Rule(Count(facts, low, high), f"{holder} holds {size}")

    def evidence(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Evidence]:
        """Return what the log shows the viewer; see `games.cluedo.knowledge`."""
        return evidence(self, log, viewer)

    def evidence_after(
        self, log: Sequence[Event], number: int, viewer: Viewer
    ) -> Iterator[Evidence]:
        """Return the part of the evidence that the events after the first ``number`` ones show."""
        return evidence(self, log, viewer, number)

    def seen_by(self, viewer: Viewer) -> Self:
        """Return the set-up as a viewer sees it: which player keeps the log is not public."""
        return self if viewer is RECORD or viewer == self.me else evolve(self, me=None)

    def seen_event(self, event: Event, viewer: Viewer) -> Event | None:
        """Return an event as a viewer sees it; see `games.cluedo.knowledge.seen_log`."""
        return next(seen_log(self, [event], viewer), None)

    @property
    def slip_rates(self) -> Mapping[str, Fraction]:
        """The declared rates of slips, by kind; see `games.cluedo.rates`."""
        return RATES

    @property
    def slip_unit(self) -> Fraction:
        """The probability that a pass is wrong by the declared rates: what one number replaces."""
        rates = self.slip_rates
        return rates["pass"] + rates["name"] / len(self.deck) + rates["neighbour"]

    def doubted(
        self, log: Sequence[Event], viewer: Viewer, rates: Mapping[str, Fraction]
    ) -> Iterator[Evidence]:
        """Return the same evidence with doubts; see `games.cluedo.slips`."""
        from games.cluedo.slips import doubted

        return doubted(self, log, viewer, rates)

    def instead(self, knowledge: Knowledge, slip: Slip) -> Sequence[tuple[str, Fraction]]:
        """Return what may be right instead of an answer; see `games.cluedo.slips`."""
        from games.cluedo.slips import instead

        return instead(knowledge, slip)

    def say(self, fact: Fact) -> str:
        """Return a fact as a sentence.

        >>> Cluedo(players=("Ann", "Ben")).say(is_("Rope", "envelope"))
        'Rope is in the envelope'
        """
        names = " or ".join(sorted(str(value) for value in fact.values))
        negation = "not " if fact.negated else ""
        if fact.values == {ENVELOPE}:
            return f"{fact.variable} is {negation}in the envelope"
        return f"{names} {'does not have' if fact.negated else 'has'} {fact.variable}"

    def say_all(self, facts: Sequence[Fact]) -> str:
        """Return facts about the same holder as one clause; see `games.cluedo.wording`."""
        from games.cluedo.wording import say_all

        return say_all(facts)

    def pattern(self, kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
        """Return the name of a kind of step of a proof; see `games.cluedo.wording`."""
        from games.cluedo.wording import pattern

        return pattern(kind, pieces)

    def questions(self) -> list[Mapping[str, Fact]]:
        """Return the solution as one question per category: which card is in the envelope."""
        return [{card: is_(card, ENVELOPE) for card in cards} for cards in self.groups().values()]

    # What to ask

    def inquiries(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Suggestion]:
        """Yield what the viewer may suggest; see `games.cluedo.inquiries`."""
        return inquiries(self, viewer)

    def answer(
        self, inquiry: Suggestion, world: Mapping[str, str]
    ) -> Shown | dict[Shown, Fraction]:
        """Return who shows which of the named cards, with probabilities if there is a choice."""
        return answer(self, inquiry, world)

    def scope(self, inquiry: Suggestion) -> list[str]:
        """Return the cards that are named and dealt, on which the answer depends."""
        return [card for card in inquiry.cards if card not in self.face_up]

    def alike(self, inquiry: Suggestion, log: Sequence[Event]) -> tuple[object, ...]:
        """Return who suggests, and which of the named cards are dealt."""
        return (inquiry.by, *(card not in self.face_up for card in inquiry.cards))

    def event_of(self, inquiry: Suggestion, answer: Shown) -> Suggestion:
        """Return the suggestion with its answer."""
        return event_of(self, inquiry, answer)

    def format_inquiry(self, inquiry: Suggestion) -> str:
        """Return the named cards."""
        return ", ".join(inquiry.cards)

    def format_answer(self, inquiry: Suggestion, answer: Shown) -> str:
        """Return who shows what.

        >>> game = Cluedo(("Ann", "Ben"))
        >>> game.format_answer(Suggestion("Ann", ("Professor Plum", "Rope", "Hall")), ("Ben", 1))
        'Ben shows Rope'
        """
        return (
            "no player shows" if answer is None else f"{answer[0]} shows {inquiry.cards[answer[1]]}"
        )

    # Text, events

    @classmethod
    def parse_log(cls, text: str) -> Log:
        """Return the log that a text describes; see `games.cluedo.notation.logs`."""
        from games.cluedo.notation.logs import parse_log

        return parse_log(text, cls)

    def format_log(self, events: Iterable[Event]) -> str:
        """Return the log as text, which `parse_log` reads back to equal values."""
        from games.cluedo.notation.logs import format_log

        return format_log(self, events)

    def parse_event(self, text: str) -> Event:
        """Return the event that a line states; see `games.cluedo.notation`."""
        from games.cluedo.notation import parse_event

        return parse_event(self, text)

    def format_event(self, event: Event) -> str:
        """Return the event as a line of text."""
        from games.cluedo.notation import format_event

        return format_event(self, event)

    def check(self, event: Event) -> None:
        """Raise `BadInput` for an event that cannot happen in this game.

        >>> Cluedo(("Ann", "Ben")).check(Accusation("Cid", ("Rope",)))
        Traceback (most recent call last):
        ...
        deduce.errors.BadInput: no player is called 'Cid' (Ann, Ben)
        """
        check_event(self, event)

    def notices(self, log: Sequence[Event]) -> Iterator[Notice]:
        """Yield what is odd in a log but possible; see `games.cluedo.notices`."""
        from games.cluedo.notices import notices

        return notices(self, log)

    # Random games

    @classmethod
    def puzzle_setup(cls, random: Random) -> Cluedo:
        """Return a set-up for a puzzle: three to five players, of whom the first keeps the log."""
        players = ("Ann", "Ben", "Cid", "Dora", "Eve")[: random.randint(3, 5)]
        return cls(players, me=players[0])

    def deal(self, random: Random) -> dict[str, str]:
        """Return a random deal; see `games.cluedo.simulate`."""
        from games.cluedo.simulate import deal

        return deal(self, random)

    @classmethod
    def random_setup(cls, random: Random) -> Self:
        """Return a random small set-up, for ``deduce soak``; see `games.cluedo.simulate`."""
        from games.cluedo.simulate import random_setup

        return cls(**random_setup(random))

    def record(self, world: Mapping[str, str], random: Random) -> list[Event]:
        """Return a random log of a deal; see `games.cluedo.simulate`."""
        from games.cluedo.simulate import record

        return record(self, world, random)

    # What is seen, stated without evidence, for checks

    def seen(self, log: Sequence[Event], viewer: Viewer) -> list[tuple[Any, ...]]:
        """Return what a viewer notices of a log; see `games.cluedo.witness`."""
        from games.cluedo.witness import seen

        return seen(self, log, viewer)

    def likelihood(
        self, world: Mapping[str, str], log: Sequence[Event], viewer: Viewer
    ) -> Fraction:
        """Return how probable what a viewer saw is in a deal; see `games.cluedo.witness`."""
        from games.cluedo.witness import likelihood

        return likelihood(self, world, log, viewer)

    def actor(self, event: Event, piece: Evidence) -> str | None:
        """Return the player who acted; see `games.cluedo.witness`."""
        from games.cluedo.witness import actor

        return actor(event, piece)
