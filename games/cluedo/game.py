"""Cluedo: one game with its rules, its evidence and its notation; the class that users know.

The variables are the dealt cards, the values are the holders: the players, the envelope, and the
pile of undealt cards where there is one. Source: docs/games/cluedo.md, sections 1 and 2.

It also words the steps of proofs: several facts at once, and the names of the patterns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import TYPE_CHECKING, ClassVar, Self, TypeAlias, cast

from attrs import evolve, frozen

from deduce.constraints import Count, Fact, exactly, is_
from deduce.errors import BadInput
from deduce.game import RECORD, Viewer
from deduce.problem import Evidence, Rule
from deduce.system.language import Texts, listed
from games.cluedo import evidence as _evidence
from games.cluedo import notation, simulation, slips
from games.cluedo.events import (
    Accusation,
    Event,
    Hand,
    Has,
    HasNot,
    OneOf,
    Show,
    Suggestion,
    check_event,
)
from games.cluedo.setup import ENVELOPE, UNDEALT, SetUp

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge

__all__ = ["ENVELOPE", "UNDEALT", "Cluedo", "Shown", "game_of", "pattern", "say_all", "viewer_of"]


MAX_COUNT = 6
"""Up to this number of cards the pattern of an answer says how many."""


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts about the same holder as one clause.

    >>> from deduce.constraints import is_, is_not
    >>> say_all([is_not("Rope", "Ben"), is_not("Hall", "Ben")])
    'Ben has neither Rope nor Hall'
    >>> say_all([is_("Rope", "envelope"), is_("Hall", "envelope")])
    'Rope and Hall are in the envelope'
    >>> say_all([is_not("Rope", "Ann", "Ben")])
    'neither Ann nor Ben has Rope'
    """
    cards = [str(fact.variable) for fact in facts]
    holders = sorted(map(str, facts[0].values))
    negated = facts[0].negated
    if negated and len(holders) > 1:
        names = [each if each != ENVELOPE else _say("turn.envelope") for each in holders]
        return _say("fact.nobody_has", holders=listed(names, "neither"), cards=listed(cards, "or"))
    holder = listed(holders, "or")
    if holder == ENVELOPE:
        key = "fact.not_in_envelope" if negated else "fact.in_envelope"
        return _say(key, cards=listed(cards), n=len(cards))
    if negated and len(cards) == 1:
        return _say("fact.has_not", holder=holder, card=cards[0])
    if negated:
        return _say("fact.has_none", holder=holder, cards=listed(cards, "neither"))
    return _say("fact.has", holder=holder, cards=listed(cards))


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default (`deduce.game.Said.pattern`)."""
    if kind == "given":
        return _say("pattern.seen")
    if kind == "last value":
        return _say("pattern.place")
    if kind in ("combination", "case"):
        return _combination(pieces)
    if len(pieces) != 1 or not isinstance(pieces[0].constraint, Count):
        return None
    count = pieces[0].constraint
    if isinstance(pieces[0], Evidence):
        if kind != "needed":
            return _say("pattern.accusation")
        return _answer(len(count.facts))
    if all(fact.values == {ENVELOPE} for fact in count.facts):
        return _say("pattern.solution" if kind == "needed" else "pattern.solved")
    return _say("pattern.hand" if kind == "needed" else "pattern.full")


def _answer(cards: int) -> str:
    return _say(f"pattern.one_of.{cards if 1 < cards <= MAX_COUNT else 'several'}")


def _combination(pieces: Sequence[Rule | Evidence]) -> str:
    """Return the name of a step that combines several constraints."""
    answers = [piece for piece in pieces if isinstance(piece, Evidence)]
    if len(answers) == len(pieces):
        return _say("pattern.either_or")
    if not answers:
        return _say("pattern.hands")
    return _say("pattern.shared" if len(pieces) == 2 else "pattern.cases")


_say = Texts("cluedo", "games")

Shown: TypeAlias = tuple[str, int] | None
"""An answer: who shows which of the named cards (by its index), or ``None``: no player shows."""


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
            sentence = _say("rule.category", category=category)
            yield Rule(exactly(1, [_evidence.holds(card, ENVELOPE) for card in cards]), sentence)
        for holder, (low, high) in self.hand_sizes().items():
            facts = [_evidence.holds(card, holder) for card in self.dealt]
            if (low, high) != (0, len(facts)):
                key = "rule.hand" if low == high else "rule.hand_open"
                sentence = _say(key, holder=holder, low=low, n=high)
                yield Rule(Count(facts, low, high), sentence)

    evidence = _evidence.evidence
    evidence_after = _evidence.evidence_after
    seen_event = _evidence.seen_event

    def seen_by(self, viewer: Viewer) -> Self:
        """Return the set-up as a viewer sees it: which player keeps the log is not public."""
        return self if viewer is RECORD or viewer == self.me else evolve(self, me=None)

    def player_of(self, viewer: Viewer) -> str | None:
        """Return the player whose view it is; ``None`` for the bystander and a referee."""
        player = self.me if viewer is RECORD else viewer
        return None if player is None else str(player)

    def acting(self, viewer: Viewer, action: str) -> str:
        """Return the player whose view it is, and who is to act.

        Raises
        ------
        BadInput
            It is the view of the bystander or of a referee, who cannot do this (``"suggest"``).
        """
        player = self.player_of(viewer)
        if player is None:
            hint = "name the player by --as PLAYER, or by 'me:' in the log"
            raise BadInput(f"a bystander cannot {action}; {hint}")
        return player

    slip_rates: ClassVar[Mapping[str, Fraction]] = slips.RATES
    doubted = slips.doubted
    instead = slips.instead

    @property
    def slip_unit(self) -> Fraction:
        """The probability that a pass is wrong by the declared rates: what one number replaces."""
        rates = self.slip_rates
        return rates["pass"] + rates["name"] / len(self.deck) + rates["neighbour"]

    def say(self, fact: Fact) -> str:
        """Return a fact as a sentence.

        >>> Cluedo(players=("Ann", "Ben")).say(is_("Rope", "envelope"))
        'Rope is in the envelope'
        """
        if fact.negated and len(fact.values) > 1:
            names = listed(sorted(map(str, fact.values)), "or")
            return _say("fact.has_not", holder=names, card=str(fact.variable))
        return say_all([fact])

    say_all = staticmethod(say_all)
    pattern = staticmethod(pattern)

    def questions(self) -> list[Mapping[str, Fact]]:
        """Return the solution as one question per category: which card is in the envelope."""
        return [{card: is_(card, ENVELOPE) for card in cards} for cards in self.groups().values()]

    # What to ask

    def inquiries(self, log: Sequence[Event], viewer: Viewer) -> Iterator[Suggestion]:
        """Yield every suggestion of one card of each category, in deck order.

        Raises
        ------
        BadInput
            The viewer is the bystander or a referee, who cannot suggest.
        """
        by = self.acting(viewer, "suggest")
        return (Suggestion(by, cards) for cards in product(*self.deck.values()))

    def answer(
        self, inquiry: Suggestion, world: Mapping[str, str]
    ) -> Shown | dict[Shown, Fraction]:
        """Return who shows which card; with probabilities if the player can choose.

        Players answer in seat order from the suggester's left, and the first who can show a card
        does, choosing among the fitting cards with equal probability.
        """
        for player in self.after(inquiry.by):
            held = [i for i, card in enumerate(inquiry.cards) if world.get(card) == player]
            if len(held) == 1:
                return player, held[0]
            if held:
                return {(player, i): Fraction(1, len(held)) for i in held}
        return None

    def event_of(self, inquiry: Suggestion, answer: Shown) -> Suggestion:
        """Return the suggestion with its answer.

        >>> game = Cluedo(("Ann", "Ben", "Cid"))
        >>> asked = Suggestion("Ann", ("Professor Plum", "Rope", "Hall"))
        >>> game.event_of(asked, ("Cid", 1)).passes
        ('Ben',)
        """
        order = self.after(inquiry.by)
        if answer is None:
            return evolve(inquiry, passes=order)
        player, index = answer
        passes = order[: order.index(player)]
        return evolve(inquiry, passes=passes, shows=(Show(player, inquiry.cards[index]),))

    def scope(self, inquiry: Suggestion) -> list[str]:
        """Return the cards that are named and dealt, on which the answer depends."""
        return [card for card in inquiry.cards if card not in self.face_up]

    def alike(self, inquiry: Suggestion, log: Sequence[Event]) -> tuple[object, ...]:
        """Return who suggests, and which of the named cards are dealt."""
        return (inquiry.by, *(card not in self.face_up for card in inquiry.cards))

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

    parse_log = classmethod(notation.parse_log)
    format_log = notation.format_log
    parse_event = notation.parse_event
    format_event = notation.format_event
    check = check_event
    notices = _evidence.notices

    # Random games

    @classmethod
    def puzzle_setup(cls, random: Random) -> Cluedo:
        """Return a set-up for a puzzle: three to five players, of whom the first keeps the log."""
        players = ("Ann", "Ben", "Cid", "Dora", "Eve")[: random.randint(3, 5)]
        return cls(players, me=players[0])

    deal = simulation.deal
    record = simulation.record

    @classmethod
    def random_setup(cls, random: Random) -> Self:
        """Return a random small set-up, for ``deduce soak``; see `games.cluedo.simulation`."""
        return cls(**simulation.random_setup(random))

    # Episodes of the gym

    @classmethod
    def staged(cls, level: int, random: Random) -> Self:
        """Return a game of six, four or three players: the fewer, the less is overheard."""
        return cls(("Ann", "Ben", "Cid", "Dot", "Eve", "Fay")[: (6, 4, 3)[level - 1]])

    opening = simulation.opening
    meanwhile = simulation.meanwhile

    def subjects(self) -> dict[str, Mapping[str, Fact]]:
        """Return the solution by category."""
        return dict(zip(self.groups(), self.questions(), strict=True))

    def named(self, player: str, solution: Mapping[str, str], *, right: bool) -> Accusation:
        """Return the accusation."""
        return Accusation(player, tuple(solution.values()), right)

    # What is seen, stated without evidence, for checks

    seen = simulation.seen
    likelihood = simulation.likelihood
    actor = staticmethod(simulation.actor)


def game_of(knowledge: Knowledge) -> Cluedo:
    """Return the knowledge's game, which is Cluedo wherever this package is used."""
    return cast(Cluedo, knowledge.game)


def viewer_of(knowledge: Knowledge) -> str | None:
    """Return the player whose view the knowledge is; ``None`` for the bystander and a referee."""
    return game_of(knowledge).player_of(knowledge.viewer)
