"""Slips at the table: which lines of a log may be wrong, how probably, and what is right then.

Each answer to a suggestion is doubted by itself. If it is wrong,

* a player who passed holds a card that was named: they overlooked it, or the card that they hold
  was not named (another name was written), or the pass was a neighbour's;
* a player who showed a card that was not seen holds none of the named cards: another name was
  written, or a neighbour showed it;
* the card that was shown is another one of the named cards, or as above.

Which neighbour and which name is not part of the weights, but of what `instead` reports. A missing
line makes no other line false. Complete hands and accusations are not doubted: they are checked by
all players. Method and assumptions: docs/slips.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from attrs import evolve, frozen

from deduce.constraints import Constraint, Value, Variable, Weigh, at_least, at_most, is_, is_not
from deduce.errors import Contradiction
from deduce.game import Slip, Viewer
from deduce.problem import Evidence, Instead
from games.cluedo.events import Event, Has, HasNot, OneOf, Show, Suggestion
from games.cluedo.evidence import Eyes, event_evidence
from games.cluedo.names import quote
from games.cluedo.notation import format_event
from games.cluedo.setup import SetUp

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge

__all__ = ["RATES", "doubted", "instead", "near"]

RATES: Mapping[str, Fraction] = {
    "pass": Fraction(1, 300),
    "card": Fraction(1, 600),
    "name": Fraction(1, 400),
    "neighbour": Fraction(1, 1200),
    "show": Fraction(1, 600),
    "missing": Fraction(1, 300),
}
"""The probability of each kind of slip, at a table that takes care; see docs/slips.md.

An assumption, not a measurement: in one game of five an answer is wrong. The rates of a table are
learned from its finished logs."""

MAX_ALTERNATIVES = 8
"""How many alternatives of one answer are named."""

OVERLOOKED = "overlooked"
NOTED = "the card is noted wrongly"
NAMED = "the name is written wrongly"
NEIGHBOUR = "a neighbour's answer"


NONE = Fraction(0)

Way: TypeAlias = tuple[str, Fraction]
"""What may have happened, as text, and how probable it is."""

Posterior: TypeAlias = Mapping[Variable, Mapping[Value, Fraction]]

Ways = tuple[Fraction, tuple[tuple[str, Fraction], ...]]
"""How probable it is that an answer is wrong, and what may have caused it, with shares of that."""


def doubted(
    game: SetUp, log: Sequence[Event], viewer: Viewer, rates: Mapping[str, Fraction]
) -> Iterator[Evidence]:
    """Yield what each event shows the viewer, with the doubts that the rates of slips make."""
    eyes = Eyes(game, viewer)
    for number, event in enumerate(log, start=1):
        if isinstance(event, Suggestion):
            held = _held(game, event)
            noted = {NAMED: rates["name"] / len(event.cards), NEIGHBOUR: rates["neighbour"]}
            yield from _passes(number, event, held, _ways({OVERLOOKED: rates["pass"]} | noted))
            for show in event.shows:
                if show.card is None or not eyes.see(event.by, show.by):
                    ways = _ways(_unseen(noted, rates["show"]))
                elif {*held} - {show.card}:
                    ways = _ways(noted | {NOTED: rates["card"]})
                else:
                    ways = _ways(noted)
                yield from _show(game, number, event, show, eyes, held, ways)
            continue
        for piece in event_evidence(game, number, event, eyes):
            if isinstance(event, Has | HasNot | OneOf) and rates["card"]:
                answer = format_event(game, event)
                yield evolve(piece, doubt=rates["card"], answer=answer)
            else:
                yield piece


def _ways(ways: Mapping[str, Fraction]) -> Ways:
    some = tuple((cause, share) for cause, share in ways.items() if share)
    return min(sum((share for _, share in some), NONE), Fraction(1)), some


def _unseen(noted: Mapping[str, Fraction], rate: Fraction) -> Mapping[str, Fraction]:
    """Return the ways of a show that was not seen: they share the rate of shows."""
    whole = sum(noted.values(), NONE)
    if not whole:
        return {NAMED: rate}
    return {cause: share * rate / whole for cause, share in noted.items()}


def _held(game: SetUp, event: Suggestion) -> list[str]:
    return [card for card in event.cards if card not in game.face_up]


def _passes(number: int, event: Suggestion, held: Sequence[str], ways: Ways) -> Iterator[Evidence]:
    """Yield the passes of a line; if one is wrong, the player holds a card that was named."""
    named = " or ".join(held)
    for player in event.passes:
        facts = [is_(card, player) for card in held]
        wrong = at_least(1, facts)
        yield _doubted(
            Evidence(at_most(0, facts), number, f"{player} could not show {named}"),
            f"{quote(player)} -",
            ways,
            dict.fromkeys((OVERLOOKED, NAMED, NEIGHBOUR), wrong),
        )


def _show(
    game: SetUp,
    number: int,
    event: Suggestion,
    show: Show,
    eyes: Eyes,
    held: Sequence[str],
    ways: Ways,
) -> Iterator[Evidence]:
    """Yield what a show states; if it is wrong, the player holds none of the cards, or others."""
    player = show.by
    answer = f"{quote(player)} shows"
    otherwise: dict[str, Constraint | Sequence[Constraint]]
    if show.card is not None and eyes.see(event.by, player):
        answer += f" {quote(show.card)}"
        another = is_not(show.card, player)
        otherwise = {NAMED: another, NEIGHBOUR: another}
        others = [is_(card, player) for card in held if card != show.card]
        if others:
            otherwise[NOTED] = [another, at_least(1, others)]
    else:
        wrong = at_most(0, [is_(card, player) for card in held])
        otherwise = {NAMED: wrong, NEIGHBOUR: wrong}
    alone = evolve(event, passes=(), shows=(show,))
    for piece in event_evidence(game, number, alone, eyes):
        # Which of the fitting cards was shown is right or wrong together with the card.
        is_choice = isinstance(piece.constraint, Weigh)
        yield _doubted(piece, answer, ways, {} if is_choice else otherwise)


def _doubted(
    piece: Evidence,
    answer: str,
    ways: Ways,
    otherwise: Mapping[str, Constraint | Sequence[Constraint]],
) -> Evidence:
    """Return a piece of evidence with its doubt, and what holds if it is wrong, by cause."""
    doubt, causes = ways
    if not doubt:
        return piece
    instead = [Instead(otherwise[cause], share, cause) for cause, share in causes if otherwise]
    return Evidence(
        piece.constraint, piece.event, piece.sentence, doubt=doubt, instead=instead, answer=answer
    )


# What is right instead


def near(cards: Sequence[str], card: str) -> dict[str, Fraction]:
    """Return how probable it is that each other card was meant where one was written.

    The nearest names on the sheet are the most probable: one over the distance.

    >>> shares = near(("Dagger", "Rope", "Spanner", "Pipe"), "Rope")
    >>> {name: str(share) for name, share in shares.items()}
    {'Dagger': '2/5', 'Spanner': '2/5', 'Pipe': '1/5'}
    """
    place = cards.index(card)
    shares = {
        other: Fraction(1, abs(index - place)) for index, other in enumerate(cards) if other != card
    }
    whole = sum(shares.values(), Fraction(0))
    return {other: share / whole for other, share in shares.items()}


def instead(game: SetUp, knowledge: Knowledge, slip: Slip) -> Sequence[tuple[str, Fraction]]:
    """Return what may be right instead of an answer, with probabilities, the greatest first.

    Each is the probability that the answer is wrong in this way; that a player holds this card and
    that they hold that one may both be true. What is too improbable is not named. Cost: one
    posterior.
    """
    event = knowledge.log[slip.event - 1]
    if not isinstance(event, Suggestion) or not slip.probability:
        return [(cause or "it is not so", share) for cause, share in slip.instead if share]
    wrong = _WrongAnswer.of(game, event, slip.answer)
    try:
        if_wrong = knowledge.assume(wrong.constraint()).posterior()
    except Contradiction:
        return []
    ways = [
        pair
        for cause, probability in wrong.causes(slip).items()
        for pair in wrong.ways(cause, probability, if_wrong)
        if pair[1]
    ]
    return sorted(ways, key=lambda pair: -pair[1])[:MAX_ALTERNATIVES]


@frozen
class _WrongAnswer:
    """An answer to a suggestion that is taken to be wrong."""

    game: SetUp
    player: str
    """Who is said to have answered."""
    card: str | None
    """The card that was seen."""
    passed: bool
    """Whether the player is said to have had none of the cards."""
    held: Sequence[str]
    """The cards that were named and that a player may hold."""
    beside: Sequence[str]
    """The neighbours whose answer it may have been."""

    @classmethod
    def of(cls, game: SetUp, event: Suggestion, answer: str) -> _WrongAnswer:
        """Return an answer of an event, as it is written there."""
        player, card = _answered(event, answer)
        beside = _neighbours(game, event, player)
        return cls(game, player, card, player in event.passes, _held(game, event), beside)

    def constraint(self) -> Constraint:
        """Return what holds since it is wrong."""
        if self.card is not None:
            return is_not(self.card, self.player)
        facts = [is_(card, self.player) for card in self.held]
        return at_least(1, facts) if self.passed else at_most(0, facts)

    def causes(self, slip: Slip) -> dict[str, Fraction]:
        """Return how probable each cause is; a pass may not be that of a neighbour who passed."""
        causes = dict(slip.instead)
        if self.passed and not self.beside and NEIGHBOUR in causes and OVERLOOKED in causes:
            causes[OVERLOOKED] += causes.pop(NEIGHBOUR)
        return causes

    def ways(self, cause: str, probability: Fraction, if_wrong: Posterior) -> Iterable[Way]:
        """Return what may have happened by a cause, with probabilities."""
        if cause in (OVERLOOKED, NOTED):
            return self._other_cards(probability, if_wrong)
        weigh = self._names if cause == NAMED else self._neighbours
        return _shared_out(weigh(if_wrong), probability, cause)

    def _other_cards(self, probability: Fraction, if_wrong: Posterior) -> Iterator[Way]:
        """Yield each card that was overlooked or noted wrongly.

        A player may hold several of them, so they do not share the probability.
        """
        verb = "holds {} and overlooked it" if self.passed else "showed {}"
        for card in self.held:
            if card != self.card:
                share = _share(if_wrong, card, self.player)
                yield f"{self.player} {verb.format(card)}", probability * share

    def _names(self, if_wrong: Posterior) -> dict[str, Fraction]:
        """Return the weight of each card that may have been named where another is written."""
        weights = {}
        for written in [self.card] if self.card is not None else self.held:
            category = next(cards for cards in self.game.deck.values() if written in cards)
            for meant, share in near(category, written).items():
                weight = share * _share(if_wrong, meant, self.player)
                if self.passed:  # they hold what is written, and not what was meant
                    has_written = _share(if_wrong, written, self.player)
                    weight = has_written * (share - weight)
                weights[f"{meant} was named, not {written}"] = weight
        return weights

    def _neighbours(self, if_wrong: Posterior) -> dict[str, Fraction]:
        """Return the weight of each neighbour whose answer it may have been."""
        weights = {}
        for other in self.beside:
            cards = [self.card] if self.card is not None else self.held
            shares = sum((_share(if_wrong, card, other) for card in cards), NONE)
            weights[f"it was {other}'s answer"] = max(NONE, 1 - shares) if self.passed else shares
        return weights


def _share(posterior: Posterior, card: str, player: str) -> Fraction:
    """Return how probable it is that a player holds a card."""
    return posterior.get(card, {}).get(player, NONE)


def _shared_out(
    weights: Mapping[str, Fraction], probability: Fraction, cause: str
) -> Iterator[Way]:
    """Yield the ways with their shares of a probability; the cause alone where none is possible."""
    whole = sum(weights.values(), NONE)
    if whole:
        for text, weight in weights.items():
            yield text, probability * weight / whole
    else:
        yield cause, probability


def _answered(event: Suggestion, answer: str) -> tuple[str, str | None]:
    """Return the player of an answer, and the card that was seen."""
    for player in event.passes:
        if answer == f"{quote(player)} -":
            return player, None
    for show in event.shows:
        if answer == f"{quote(show.by)} shows":
            return show.by, None
        if answer == f"{quote(show.by)} shows {quote(str(show.card))}":
            return show.by, show.card
    raise AssertionError(answer)


def _neighbours(game: SetUp, event: Suggestion, player: str) -> list[str]:
    seat = game.players.index(player)
    beside = (game.players[seat - 1], game.players[(seat + 1) % len(game.players)])
    same = event.passes if player in event.passes else tuple(show.by for show in event.shows)
    return [other for other in dict.fromkeys(beside) if other != event.by and other not in same]
