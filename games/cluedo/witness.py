"""What players of Cluedo see, stated without evidence: for checks of `games.cluedo.evidence`.

`deduce.testing.check_hidden_game` compares the evidence with these functions. They are written from
the rules document of this project (docs/games/cluedo.md, sections 2 to 4) and share no code with
`games.cluedo.evidence`: a mistake in one is not a mistake in the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from deduce.constraints import Count, Fact, Weigh
from deduce.game import RECORD, Viewer
from deduce.problem import Evidence
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Suggestion
from games.cluedo.setup import ENVELOPE, SetUp

__all__ = ["actor", "likelihood", "seen"]


def seen(game: SetUp, log: Sequence[Event], viewer: Viewer) -> list[tuple[Any, ...]]:
    """Return what a viewer notices of a log, as plain tuples."""
    noticed: list[tuple[object, ...]] = []
    for number, event in enumerate(log, start=1):
        match event:
            case Hand(player, cards):
                if _is_party(game, viewer, (player,)):
                    noticed.append((number, "hand", player, frozenset(cards)))
            case Suggestion(by, cards, passes, shows):
                answers = [
                    (show.by, show.card if _is_party(game, viewer, (by, show.by)) else None)
                    for show in shows
                ]
                noticed.append((number, "suggestion", by, cards, passes, tuple(answers)))
            case Accusation(by, cards, correct):
                noticed.append((number, "accusation", by, cards, correct))
            case Has(holder, card, known_to) | HasNot(holder, card, known_to):
                if known_to is None or _is_party(game, viewer, known_to):
                    noticed.append((number, type(event).__name__, holder, card))
            case OneOf(holder, cards, known_to):
                if known_to is None or _is_party(game, viewer, known_to):
                    noticed.append((number, "one of", holder, cards))
    return noticed


def likelihood(
    game: SetUp, deal: Mapping[Any, Any], log: Sequence[Event], viewer: Viewer
) -> Fraction:
    """Return how probable what a viewer saw is in a deal, up to a factor common to all deals.

    A player who can show several cards shows each with the same probability. Viewers draw no
    conclusion from which of their own cards they showed, since they see their hand.
    """
    result = Fraction(1)
    for event in log:
        result *= _likelihood(game, deal, event, viewer)
    return result


def _likelihood(
    game: SetUp, deal: Mapping[object, object], event: Event, viewer: Viewer
) -> Fraction:
    match event:
        case Hand(player, cards):
            hand = {card for card in deal if deal[card] == player}
            return Fraction(not _is_party(game, viewer, (player,)) or hand == set(cards))
        case Suggestion():
            return _answers(game, deal, event, viewer)
        case Accusation(_, cards, correct):
            return Fraction(all(deal.get(card) == ENVELOPE for card in cards) == correct)
        case Has(holder, card, known_to):
            true = deal[card] == holder
        case HasNot(holder, card, known_to):
            true = deal[card] != holder
        case OneOf(holder, cards, known_to):
            true = holder in [deal[card] for card in cards]
    return Fraction(true or not (known_to is None or _is_party(game, viewer, known_to)))


def _answers(
    game: SetUp, deal: Mapping[object, object], event: Suggestion, viewer: Viewer
) -> Fraction:
    if any(deal.get(card) in event.passes for card in event.cards):
        return Fraction(0)
    result = Fraction(1)
    for show in event.shows:
        could_show = [card for card in event.cards if deal.get(card) == show.by]
        if not could_show:
            return Fraction(0)
        if show.card is not None and _is_party(game, viewer, (event.by, show.by)):
            if show.card not in could_show:
                return Fraction(0)
            if show.by != (game.me if viewer is RECORD else viewer):
                result /= len(could_show)
    return result


def _is_party(game: SetUp, viewer: Viewer, players: Sequence[str]) -> bool:
    """Return whether a viewer sees what only these players see; the keeper of the log does."""
    return viewer is RECORD or (viewer is not None and (viewer in players or viewer == game.me))


def actor(event: Event, piece: Evidence) -> str | None:
    """Return the player who acted: who answered, or else who accused or is stated to hold."""
    match event:
        case Suggestion():
            match piece.constraint:
                case Fact() as fact:
                    holders = fact.values
                case Count(facts=facts) | Weigh(facts=facts):
                    holders = frozenset(value for fact in facts for value in fact.values)
                case _:
                    return None
            return str(*holders) if len(holders) == 1 else None
        case Accusation(by):
            return by
        case Hand(player):
            return player
        case Has(holder) | HasNot(holder) | OneOf(holder):
            return holder
