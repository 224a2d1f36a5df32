"""What a log of Cluedo shows a viewer: events in, evidence out.

Source: docs/games/cluedo.md, sections 2 to 4. Nothing is ever inferred from a player's choice of
suggestion or accusation; the only likelihood is that of a show that was seen: a player who could
have shown ``k`` of the named cards showed this one with probability ``1/k``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from attrs import evolve

from deduce.constraints import Weigh, at_least, at_most, is_, is_not
from deduce.game import RECORD, Notice, Viewer
from deduce.problem import Evidence
from deduce.system.language import Texts, listed
from deduce.system.text import join, plural
from games.cluedo.events import (
    Accusation,
    Event,
    Hand,
    Has,
    HasNot,
    OneOf,
    Show,
    Suggestion,
    incomplete,
)
from games.cluedo.setup import ENVELOPE, SetUp

__all__ = [
    "Eyes",
    "event_evidence",
    "evidence",
    "evidence_after",
    "holds",
    "notices",
    "seen_event",
    "seen_log",
]

_say = Texts("cluedo", "games")

holds, lacks = lru_cache(4096)(is_), lru_cache(4096)(is_not)
"""The fact that a holder has a card, or not: names are text, so each fact is made once."""


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
        case _ if event.known_to is not None and not eyes.see(*event.known_to):
            return
        case Has(holder, card):
            yield Evidence(holds(card, holder), number, _say("fact.has", holder=holder, cards=card))
        case HasNot(holder, card):
            sentence = _say("fact.has_not", holder=holder, card=card)
            yield Evidence(lacks(card, holder), number, sentence)
        case OneOf(holder, cards):
            facts = [holds(card, holder) for card in cards]
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
        fact = holds(card, player) if card in cards else lacks(card, player)
        yield Evidence(fact, number, sentence)


def _suggestion(game: SetUp, number: int, event: Suggestion, eyes: Eyes) -> Iterator[Evidence]:
    held = [card for card in event.cards if card not in game.face_up]
    for player in event.passes:
        for card in held:
            sentence = _say("event.passed", name=player, card=card)
            yield Evidence(lacks(card, player), number, sentence)
    for show in event.shows:
        if show.card is None or not eyes.see(event.by, show.by):
            sentence = _say("event.showed_one", by=show.by, to=event.by, cards=listed(held, "or"))
            yield Evidence(at_least(1, [holds(card, show.by) for card in held]), number, sentence)
        else:
            yield from _seen_show(number, event.by, show, show.card, held, eyes)


def _seen_show(
    number: int, by: str, show: Show, card: str, held: Sequence[str], eyes: Eyes
) -> Iterator[Evidence]:
    yield Evidence(holds(card, show.by), number, _say("event.showed", by=show.by, to=by, card=card))
    others = [holds(other, show.by) for other in held if other != card]
    if others and show.by != eyes.viewer:
        weights = [Fraction(1, 1 + also) for also in range(len(others) + 1)]
        sentence = _say("event.chose", by=show.by, card=card)
        yield Evidence(Weigh(others, weights), number, sentence)


def _accusation(game: SetUp, number: int, event: Accusation) -> Iterator[Evidence]:
    if event.correct:
        for card in event.cards:
            yield Evidence(
                holds(card, ENVELOPE), number, _say("event.right", by=event.by, card=card)
            )
    elif not any(card in game.face_up for card in event.cards):
        facts = [holds(card, ENVELOPE) for card in event.cards]
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


# What is odd

MAX_GAPS, MAX_SHARE = 3, 0.25
"""Missing turns and answers are odd only where they are exceptions: up to this number of them, or
up to this share of the suggestions. Many logs do not have them all."""


def notices(game: SetUp, log: Sequence[Event]) -> Iterator[Notice]:
    """Yield what is odd in a log although it is possible, in order: mostly typing mistakes.

    The cost is linear in the length of the log.

    Examples
    --------
    >>> from games.cluedo.events import Show
    >>> game = SetUp(("Kim", "Raj", "Zoe"))
    >>> asked = Suggestion("Kim", ("Professor Plum", "Rope", "Study"), shows=(Show("Zoe"),))
    >>> for notice in notices(game, [asked, asked]):
    ...     print(notice)
    event 1: Zoe showed a card, but the answer of Raj, who comes before, is missing
    event 2: the same as event 1; was it typed twice?
    event 2: Zoe showed a card, but the answer of Raj, who comes before, is missing
    """
    odd = [*_repeated(log), *_missing_turns(game, log), *_missing_answers(game, log)]
    odd += [*_wrong_order(game, log), *_incomplete(game, log)]
    odd += _excluded(game, log)
    yield from sorted(odd, key=lambda notice: notice.event)


def _suggestions(log: Sequence[Event]) -> list[tuple[int, Suggestion]]:
    return [(n, event) for n, event in enumerate(log, start=1) if isinstance(event, Suggestion)]


def _if_rare(odd: Sequence[Notice], total: int) -> Sequence[Notice]:
    """Return what is odd unless it is usual in this log."""
    return odd if len(odd) <= max(MAX_GAPS, MAX_SHARE * total) else ()


def _repeated(log: Sequence[Event]) -> Iterator[Notice]:
    """Yield suggestions that repeat the one before, and other events that repeat any."""
    first: dict[Event, int] = {}
    previous: Event | None = None
    for number, event in enumerate(log, start=1):
        if event in first and (event == previous or not isinstance(event, Suggestion)):
            yield Notice(number, f"the same as event {first[event]}; was it typed twice?")
        first[event] = number
        if isinstance(event, Suggestion):
            previous = event


def _missing_turns(game: SetUp, log: Sequence[Event]) -> Sequence[Notice]:
    """Return the turns that were skipped."""
    out: set[str] = set()
    turns = 0
    missing = []
    before: Event | None = None
    last = None
    for number, event in enumerate(log, start=1):
        if not isinstance(event, Suggestion | Accusation):
            continue
        if last is not None and not (last == event.by and isinstance(event, Accusation)):
            turns += 1
            order = [player for player in game.after(last) if player not in out]
            if event.by != last:
                order = order[: order.index(event.by)] if event.by in order else []
            if order and event != before:
                turn = "the turn" if len(order) == 1 else "the turns"
                verb = "is" if len(order) == 1 else "are"
                what = f"between {last} and {event.by}, {turn} of {join(order)} {verb} missing"
                missing.append(Notice(number, what))
        before, last = event, event.by
        if isinstance(event, Accusation) and not event.correct:
            out.add(event.by)
    return _if_rare(missing, turns)


def _missing_answers(game: SetUp, log: Sequence[Event]) -> Iterator[Notice]:
    """Yield suggestions without all answers up to the show; if many, the first with their number.

    Real logs have answers that were not recorded, so this is often intended.
    """
    suggestions = _suggestions(log)
    missing = []
    for number, event in suggestions:
        order = game.after(event.by)
        shows = [show.by for show in event.shows]
        end = min(map(order.index, shows), default=len(order))
        silent = [player for player in order[:end] if player not in event.passes]
        if not event.passes and not event.shows:
            message = "the answer is missing; add `; nobody` if no player showed a card"
            missing.append(Notice(number, message))
        elif silent:
            subject = f"{order[end]} showed a card" if shows else "no player showed a card"
            position = ", who comes before," if len(silent) == 1 and shows else ""
            verb = "answer of" if len(silent) == 1 else "answers of"
            is_missing = "is missing" if len(silent) == 1 else "are missing"
            message = f"{subject}, but the {verb} {join(silent)}{position} {is_missing}"
            missing.append(Notice(number, message))
    if _if_rare(missing, len(suggestions)):
        yield from missing
    elif missing:
        first, rest = missing[0], len(missing) - 1
        more = f" ({plural(rest, 'other suggestion')} without all answers)"
        yield Notice(first.event, first.message + more)


def _wrong_order(game: SetUp, log: Sequence[Event]) -> Iterator[Notice]:
    """Yield answers out of seat order, and those after a show unless that is usual in this log."""
    later = []
    suggestions = _suggestions(log)
    for number, event in suggestions:
        order = game.after(event.by)
        passes = sorted(event.passes, key=order.index)
        if passes != list(event.passes):
            yield Notice(number, f"the passes are not in seat order, which is {join(passes)}")
        first, *rest = [*sorted([show.by for show in event.shows], key=order.index), ""]
        rest[-1:] = [p for p in passes if first and order.index(p) > order.index(first)]
        if rest:
            later.append(
                Notice(number, f"{first} showed a card, but {join(rest)} answered after that")
            )
    yield from _if_rare(later, sum(bool(event.shows) for _, event in suggestions))


def _incomplete(game: SetUp, log: Sequence[Event]) -> Iterator[Notice]:
    """Yield what does not name one card of each category, where the set-up allows it."""
    if game.free_suggestions:
        for number, event in enumerate(log, start=1):
            if isinstance(event, Suggestion | Accusation):
                reason = incomplete(game, event.cards)
                if reason:
                    yield Notice(number, f"{reason}; usually one card of each category is named")


def _excluded(game: SetUp, log: Sequence[Event]) -> Iterator[Notice]:
    """Yield answers of players who were proved before to hold none, or one, of the named cards.

    Only what single events state counts, which is cheap; a contradiction of many is not found.
    """
    holder: dict[str, tuple[str, int]] = dict.fromkeys(game.face_up, ("", 0))
    excluded: dict[tuple[str, str], int] = {}
    for number, event in enumerate(log, start=1):
        for card, owner, has in _stated(game, event):
            if has:
                holder.setdefault(card, (owner, number))
            else:
                excluded.setdefault((owner, card), number)
        if isinstance(event, Suggestion):
            for player, card in product(event.passes, event.cards):
                owner, since = holder.get(card, ("", 0))
                if owner == player:
                    shows = f"event {since} shows that {player} holds {card}"
                    yield Notice(number, f"{player} passes, but {shows}")
            for show in event.shows:
                named = event.cards if show.card is None else (show.card,)
                reasons = [_since(holder, excluded, show.by, card) for card in named]
                if None not in reasons:
                    yield Notice(number, _refuted(show, named, {n for n in reasons if n}))
                elif show.card is not None:
                    holder.setdefault(show.card, (show.by, number))


def _since(
    holder: Mapping[str, tuple[str, int]],
    excluded: Mapping[tuple[str, str], int],
    by: str,
    card: str,
) -> int | None:
    """Return the number of the event that excludes a card from a hand, if any."""
    owner, number = holder.get(card, (by, 0))
    return number if owner != by else excluded.get((by, card))


def _refuted(show: Show, named: Sequence[str], events: Collection[int]) -> str:
    """Return that a player cannot have shown what is stated, because of events."""
    numbers = join([str(number) for number in sorted(events)])
    prove = f"events {numbers} prove" if len(events) > 1 else f"event {numbers} proves"
    what = f"does not hold {show.card}" if show.card else f"holds none of {join(named)}"
    return f"{show.by} showed a card, but {prove} that {show.by} {what}"


def _stated(game: SetUp, event: Event) -> Iterator[tuple[str, str, bool]]:
    """Yield the cards of which an event states who holds them, or that one does not; not shows."""
    match event:
        case Hand(player, cards):
            yield from ((card, player, card in cards) for card in game.dealt)
        case Suggestion(_, cards, passes):
            yield from ((card, player, False) for player in passes for card in cards)
        case Accusation(_, cards, True):
            yield from ((card, ENVELOPE, True) for card in cards)
        case Has(owner, card) | HasNot(owner, card):
            yield card, owner, isinstance(event, Has)
