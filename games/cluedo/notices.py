"""What is odd in a log of Cluedo although it is possible: mostly typing mistakes.

>>> from games.cluedo.events import Show
>>> game = SetUp(("Kim", "Raj", "Zoe"))
>>> asked = Suggestion("Kim", ("Professor Plum", "Rope", "Study"), shows=(Show("Zoe"),))
>>> for notice in notices(game, [asked, asked]):
...     print(notice)
event 1: Zoe showed a card, but the answer of Raj, who comes before, is missing
event 2: the same as event 1; was it typed twice?
event 2: Zoe showed a card, but the answer of Raj, who comes before, is missing
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deduce.game import Notice
from deduce.system.text import join, plural
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Suggestion, incomplete
from games.cluedo.setup import ENVELOPE, SetUp

__all__ = ["notices"]

MAX_GAPS, MAX_SHARE = 3, 0.25
"""Missing turns and answers are odd only where they are exceptions: up to this number of them, or
up to this share of the suggestions. Many logs do not have them all."""


def notices(game: SetUp, log: Sequence[Event]) -> Iterator[Notice]:
    """Yield what is odd in a log, in the order of its events; the cost is linear in its length."""
    odd = [*_repeated(log), *_missing_turns(game, log), *_missing_answers(game, log)]
    odd += _incomplete(game, log)
    odd += _excluded(game, log)
    yield from sorted(odd, key=lambda notice: notice.event)


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


def _missing_turns(game: SetUp, log: Sequence[Event]) -> Iterator[Notice]:
    """Yield the turns that were skipped, unless that is usual in this log."""
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
                missing.append(Notice(number, f"between {last} and {event.by}, {_turn(order)}"))
        before, last = event, event.by
        if isinstance(event, Accusation) and not event.correct:
            out.add(event.by)
    if len(missing) <= max(MAX_GAPS, MAX_SHARE * turns):
        yield from missing


def _turn(players: Sequence[str]) -> str:
    if len(players) == 1:
        return f"the turn of {players[0]} is missing"
    return f"the turns of {join(players)} are missing"


def _missing_answers(game: SetUp, log: Sequence[Event]) -> Iterator[Notice]:
    """Yield suggestions without all answers up to the show; if many, the first with their number.

    Real logs have answers that were not recorded, so this is often intended.
    """
    missing = []
    total = 0
    for number, event in enumerate(log, start=1):
        if not isinstance(event, Suggestion):
            continue
        total += 1
        if not event.passes and not event.shows:
            message = "no answers, so nothing follows; add `; nobody` if no player showed a card"
            missing.append(Notice(number, message))
            continue
        order = game.after(event.by)
        shows = [show.by for show in event.shows]
        end = min(map(order.index, shows), default=len(order))
        silent = [player for player in order[:end] if player not in event.passes]
        if silent:
            subject = f"{order[end]} showed a card" if shows else "no player showed a card"
            position = ", who comes before," if len(silent) == 1 and shows else ""
            verb = "answer of" if len(silent) == 1 else "answers of"
            is_missing = "is missing" if len(silent) == 1 else "are missing"
            missing.append(
                Notice(number, f"{subject}, but the {verb} {join(silent)}{position} {is_missing}")
            )
    if len(missing) <= max(MAX_GAPS, MAX_SHARE * total):
        yield from missing
    else:
        first, rest = missing[0], len(missing) - 1
        more = f" ({plural(rest, 'other suggestion')} without all answers)"
        yield Notice(first.event, first.message + more)


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

    def set_holder(card: str, owner: str, number: int) -> None:
        holder.setdefault(card, (owner, number))

    def not_held(player: str, card: str) -> int | None:
        """Return the number of the event that excludes a card from a hand, if any."""
        known = holder.get(card)
        if known is not None and known[0] != player:
            return known[1]
        return excluded.get((player, card))

    for number, event in enumerate(log, start=1):
        match event:
            case Hand(player, cards):
                for card in game.dealt:
                    if card in cards:
                        set_holder(card, player, number)
                    else:
                        excluded.setdefault((player, card), number)
            case Suggestion(_, cards, passes, shows):
                for player in passes:
                    for card in cards:
                        if card in holder and holder[card][0] == player:
                            yield Notice(
                                number,
                                f"{player} passes, but event {holder[card][1]} shows that "
                                f"{player} holds {card}",
                            )
                        excluded.setdefault((player, card), number)
                for show in shows:
                    named = cards if show.card is None else (show.card,)
                    reasons = [not_held(show.by, card) for card in named]
                    if all(reason is not None for reason in reasons):
                        events = sorted({reason for reason in reasons if reason})
                        listed = join([str(reason) for reason in events])
                        because = f"{'events' if len(events) > 1 else 'event'} {listed}"
                        what = show.card or f"none of {join(named)}"
                        negation = "does not hold" if show.card else "holds"
                        yield Notice(
                            number,
                            f"{show.by} showed a card, but {because} "
                            f"{'prove' if len(events) > 1 else 'proves'} that "
                            f"{show.by} {negation} {what}",
                        )
                    elif show.card is not None:
                        set_holder(show.card, show.by, number)
            case Accusation(_, cards, True):
                for card in cards:
                    set_holder(card, ENVELOPE, number)
            case Has(owner, card):
                set_holder(card, owner, number)
            case HasNot(owner, card):
                excluded.setdefault((owner, card), number)
            case OneOf():
                pass
