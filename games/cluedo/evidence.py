"""What a log of Cluedo shows a viewer: events in, evidence out.

Source: docs/games/cluedo.md, sections 2 to 4. Nothing is ever inferred from a player's choice of
suggestion or accusation; the only likelihood is that of a show that was seen: a player who could
have shown ``k`` of the named cards showed this one with probability ``1/k``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from attrs import evolve

from deduce.constraints import Weigh, at_least, at_most, is_, is_not
from deduce.game import RECORD, Viewer
from deduce.problem import Evidence
from deduce.system.language import Texts, listed
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Show, Suggestion
from games.cluedo.setup import ENVELOPE, SetUp

__all__ = ["Eyes", "event_evidence", "evidence", "evidence_after", "seen_event", "seen_log"]

_say = Texts("cluedo", "games")


def evidence(game: SetUp, log: Sequence[Event], viewer: Viewer) -> Iterator[Evidence]:
    """Return what the log shows the viewer.

    The keeper of the log (``game.me``) and the reader of the record see all that is written; a
    player sees their own hand, the cards shown to them and by them, and what is ``known_to`` them;
    the bystander sees what is public.
    """
    return evidence_after(game, log, 0, viewer)


def evidence_after(
    game: SetUp, log: Sequence[Event], start: int, viewer: Viewer
) -> Iterator[Evidence]:
    """Yield what each event after the first ``start`` ones shows the viewer."""
    eyes = Eyes(game, viewer)
    for number, event in enumerate(log[start:], start + 1):
        yield from event_evidence(game, number, event, eyes)


def event_evidence(game: SetUp, number: int, event: Event, eyes: Eyes) -> Iterator[Evidence]:
    """Yield what one event shows."""
    match event:
        case Hand(player, cards):
            if eyes.see(player):
                yield from _hand(game, number, player, cards)
        case Suggestion():
            yield from _suggestion(game, number, event, eyes)
        case Accusation():
            yield from _accusation(game, number, event)
        case Has(holder, card, known_to):
            if known_to is None or eyes.see(*known_to):
                sentence = _say("fact.has", holder=holder, cards=card)
                yield Evidence(is_(card, holder), number, sentence)
        case HasNot(holder, card, known_to):
            if known_to is None or eyes.see(*known_to):
                sentence = _say("fact.has_not", holder=holder, card=card)
                yield Evidence(is_not(card, holder), number, sentence)
        case OneOf(holder, cards, known_to):
            if known_to is None or eyes.see(*known_to):
                facts = [is_(card, holder) for card in cards]
                sentence = _say("fact.has", holder=holder, cards=listed(cards, "or"))
                yield Evidence(at_least(1, facts), number, sentence)


class Eyes:
    """Which private information the viewer of a log sees."""

    def __init__(self, game: SetUp, viewer: Viewer) -> None:
        self.all = viewer is RECORD or (viewer is not None and viewer == game.me)
        self.viewer = game.me if viewer is RECORD else viewer

    def see(self, *parties: str) -> bool:
        """Return whether the viewer sees what only these players see."""
        return self.all or self.viewer in parties


def _hand(game: SetUp, number: int, player: str, cards: Sequence[str]) -> Iterator[Evidence]:
    sentence = _say("event.hand" if cards else "event.no_hand", name=player, cards=listed(cards))
    for card in game.dealt:
        fact = is_(card, player) if card in cards else is_not(card, player)
        yield Evidence(fact, number, sentence)


def _suggestion(game: SetUp, number: int, event: Suggestion, eyes: Eyes) -> Iterator[Evidence]:
    held = [card for card in event.cards if card not in game.face_up]
    for player in event.passes:
        for card in held:
            sentence = _say("event.passed", name=player, card=card)
            yield Evidence(is_not(card, player), number, sentence)
    for show in event.shows:
        if show.card is None or not eyes.see(event.by, show.by):
            sentence = _say("event.showed_one", by=show.by, to=event.by, cards=listed(held, "or"))
            yield Evidence(at_least(1, [is_(card, show.by) for card in held]), number, sentence)
        else:
            yield from _seen_show(number, event.by, show, show.card, held, eyes)


def _seen_show(
    number: int, by: str, show: Show, card: str, held: Sequence[str], eyes: Eyes
) -> Iterator[Evidence]:
    yield Evidence(is_(card, show.by), number, _say("event.showed", by=show.by, to=by, card=card))
    others = [is_(other, show.by) for other in held if other != card]
    if others and show.by != eyes.viewer:
        weights = [Fraction(1, 1 + also) for also in range(len(others) + 1)]
        sentence = _say("event.chose", by=show.by, card=card)
        yield Evidence(Weigh(others, weights), number, sentence)


def _accusation(game: SetUp, number: int, event: Accusation) -> Iterator[Evidence]:
    if event.correct:
        for card in event.cards:
            yield Evidence(is_(card, ENVELOPE), number, _say("event.right", by=event.by, card=card))
    elif not any(card in game.face_up for card in event.cards):
        facts = [is_(card, ENVELOPE) for card in event.cards]
        sentence = _say("event.wrong", by=event.by, cards=listed(event.cards))
        yield Evidence(at_most(len(facts) - 1, facts), number, sentence)


def seen_event(game: SetUp, event: Event, viewer: Viewer) -> Event | None:
    """Return an event as the viewer sees it, or ``None``.

    What is private to others is left out, a show whose card the viewer did not see names no card,
    and of a fact that only some players learned the viewer sees that they did themselves. The
    viewer's `evidence` is the same, except for the numbers of the events.
    """
    eyes = Eyes(game, viewer)
    match event:
        case Hand(player):
            return event if eyes.see(player) else None
        case Suggestion(by, shows=shows):
            seen = tuple(show if eyes.see(by, show.by) else Show(show.by) for show in shows)
            return evolve(event, shows=seen)
        case Accusation():
            return event
    if event.known_to is None or eyes.all:
        return event
    if viewer is not None and eyes.see(*event.known_to):
        return evolve(event, known_to=(str(viewer),))
    return None


def seen_log(game: SetUp, log: Sequence[Event], viewer: Viewer) -> Iterator[Event]:
    """Return the log as the viewer sees it; see `seen_event`."""
    seen = (seen_event(game, event, viewer) for event in log)
    return (event for event in seen if event is not None)
