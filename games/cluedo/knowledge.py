"""What a log of Cluedo shows a viewer: events in, evidence out.

Source: docs/games/cluedo.md, sections 2 to 4. Nothing is ever inferred from a player's choice of
suggestion or accusation; the only likelihood is that of a show that was seen: a player who could
have shown ``k`` of the named cards showed this one with probability ``1/k``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, cast

from attrs import evolve

from deduce.constraints import Weigh, at_least, at_most, is_, is_not
from deduce.errors import BadInput
from deduce.game import RECORD, Viewer
from deduce.problem import Evidence
from deduce.text import join
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Show, Suggestion
from games.cluedo.setup import ENVELOPE, SetUp

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge
    from games.cluedo.game import Cluedo

__all__ = [
    "Eyes",
    "acting_player",
    "event_evidence",
    "evidence",
    "game_of",
    "seen_log",
    "viewer_of",
]


def evidence(
    game: SetUp, log: Sequence[Event], viewer: Viewer, number: int = 0
) -> Iterator[Evidence]:
    """Yield what each event after the first ``number`` ones shows the viewer.

    The keeper of the log (``game.me``) and the reader of the record see all that is written; a
    player sees their own hand, the cards shown to them and by them, and what is ``known_to`` them;
    the bystander sees what is public.
    """
    eyes = Eyes(game, viewer)
    for place in range(number, len(log)):
        yield from event_evidence(game, place + 1, log[place], eyes)


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
                yield Evidence(is_(card, holder), number, f"{holder} has {card}")
        case HasNot(holder, card, known_to):
            if known_to is None or eyes.see(*known_to):
                yield Evidence(is_not(card, holder), number, f"{holder} does not have {card}")
        case OneOf(holder, cards, known_to):
            if known_to is None or eyes.see(*known_to):
                facts = [is_(card, holder) for card in cards]
                sentence = f"{holder} has {join(cards, 'or')}"
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
    sentence = f"{player}'s hand is {join(cards) or 'empty'}"
    for card in game.dealt:
        fact = is_(card, player) if card in cards else is_not(card, player)
        yield Evidence(fact, number, sentence)


def _suggestion(game: SetUp, number: int, event: Suggestion, eyes: Eyes) -> Iterator[Evidence]:
    held = [card for card in event.cards if card not in game.face_up]
    for player in event.passes:
        for card in held:
            yield Evidence(is_not(card, player), number, f"{player} could not show {card}")
    for show in event.shows:
        if show.card is None or not eyes.see(event.by, show.by):
            sentence = f"{show.by} showed {event.by} one of {join(held, 'or')}"
            yield Evidence(at_least(1, [is_(card, show.by) for card in held]), number, sentence)
        else:
            yield from _seen_show(number, event.by, show, show.card, held, eyes)


def _seen_show(
    number: int, by: str, show: Show, card: str, held: Sequence[str], eyes: Eyes
) -> Iterator[Evidence]:
    yield Evidence(is_(card, show.by), number, f"{show.by} showed {by} {card}")
    others = [is_(other, show.by) for other in held if other != card]
    if others and show.by != eyes.viewer:
        weights = [Fraction(1, 1 + also) for also in range(len(others) + 1)]
        sentence = f"{show.by} chose {card} among the cards they could show"
        yield Evidence(Weigh(others, weights), number, sentence)


def _accusation(game: SetUp, number: int, event: Accusation) -> Iterator[Evidence]:
    if event.correct:
        for card in event.cards:
            yield Evidence(is_(card, ENVELOPE), number, f"{event.by} correctly accused {card}")
    elif not any(card in game.face_up for card in event.cards):
        facts = [is_(card, ENVELOPE) for card in event.cards]
        sentence = f"{event.by} wrongly accused {join(event.cards)}"
        yield Evidence(at_most(len(facts) - 1, facts), number, sentence)


def seen_log(game: SetUp, log: Sequence[Event], viewer: Viewer) -> Iterator[Event]:
    """Yield the log as the viewer sees it.

    What is private to others is left out, a show whose card the viewer did not see names no card,
    and of a fact that only some players learned the viewer sees that they did themselves. The
    viewer's `evidence` is the same, except for the numbers of the events.
    """
    eyes = Eyes(game, viewer)
    for event in log:
        match event:
            case Hand(player):
                if eyes.see(player):
                    yield event
            case Suggestion(by, shows=shows):
                yield evolve(
                    event, shows=tuple(s if eyes.see(by, s.by) else Show(s.by) for s in shows)
                )
            case Has() | HasNot() | OneOf():
                if event.known_to is None or eyes.all:
                    yield event
                elif viewer is not None and eyes.see(*event.known_to):
                    yield evolve(event, known_to=(str(viewer),))
            case Accusation():
                yield event


def game_of(knowledge: Knowledge) -> Cluedo:
    """Return the knowledge's game, which is Cluedo wherever this package is used."""
    return cast("Cluedo", knowledge.game)


def viewer_of(knowledge: Knowledge) -> str | None:
    """Return the player whose view the knowledge is; ``None`` for the bystander and a referee."""
    viewer = game_of(knowledge).me if knowledge.viewer is RECORD else knowledge.viewer
    return None if viewer is None else str(viewer)


def acting_player(knowledge: Knowledge, action: str) -> str:
    """Return the player whose view the knowledge is, and who is to act.

    Raises
    ------
    BadInput
        It is the view of the bystander or of a referee, who cannot do this (``"suggest"``).
    """
    viewer = viewer_of(knowledge)
    if viewer is None:
        hint = "name the player by --as PLAYER, or by 'me:' in the log"
        raise BadInput(f"a bystander cannot {action}; {hint}")
    return viewer
