"""What players can know, by the plain definition: all deals, all cards that were shown unseen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from random import Random

from attrs import evolve

from deduce.game import RECORD, Viewer
from deduce.knowledge import Knowledge
from games.cluedo import ENVELOPE, Cluedo
from games.cluedo.events import Event, Hand, Show, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.simulation import deal, likelihood, meanwhile, opening

Deal = Mapping[str, str]


@lru_cache
def deals(game: Cluedo) -> list[Deal]:
    """Return every deal that the rules allow."""
    found: list[Deal] = []
    for holders in product(game.holders, repeat=len(game.dealt)):
        world = dict(zip(game.dealt, holders, strict=True))
        guilty = solution(world)
        one_each = all(sum(card in kind for card in guilty) == 1 for kind in game.deck.values())
        sizes = game.hand_sizes().items()
        if one_each and all(low <= holders.count(h) <= high for h, (low, high) in sizes):
            found.append(world)
    return found


def solution(world: Deal) -> tuple[str, ...]:
    """Return the cards in the envelope."""
    return tuple(card for card, holder in world.items() if holder == ENVELOPE)


def left(game: Cluedo, log: Sequence[Event], viewer: Viewer) -> dict[int, Fraction]:
    """Return the weight of each deal, by its number, that is possible for a viewer."""
    weights = {n: likelihood(game, world, log, viewer) for n, world in enumerate(deals(game))}
    return {n: weight for n, weight in weights.items() if weight}


def visible(game: Cluedo, log: Sequence[Event], viewer: Viewer) -> list[Event]:
    """Return the log without what the viewer did not see."""
    if viewer is RECORD or (viewer is not None and viewer == game.me):
        return list(log)
    seen: list[Event] = []
    for event in log:
        if isinstance(event, Suggestion):
            shows = (s if viewer in (event.by, s.by) else Show(s.by) for s in event.shows)
            seen.append(evolve(event, shows=tuple(shows)))
        else:
            private = getattr(event, "known_to", None)
            parties = (event.player,) if isinstance(event, Hand) else private
            if parties is None or viewer in parties:
                seen.append(event)
    return seen


def courses(
    log: Sequence[Event], player: str, world: Deal
) -> Iterator[tuple[Fraction, list[Event]]]:
    """Yield what a player may have seen in a deal: probability, and log with the own hand."""
    hidden = [
        (place, show.by, [card for card in event.cards if world.get(card) == show.by])
        for place, event in enumerate(log)
        if isinstance(event, Suggestion) and event.by == player
        for show in event.shows
        if show.card is None
    ]
    hand = Hand(player, tuple(card for card in world if world[card] == player))
    for choice in product(*(cards for _, _, cards in hidden)):
        whole, share = list(log), Fraction(1)
        for (place, by, cards), card in zip(hidden, choice, strict=True):
            share /= len(cards)
            event = whole[place]
            assert isinstance(event, Suggestion)
            shows = tuple(Show(by, card) if s.by == by else s for s in event.shows)
            whole[place] = evolve(event, shows=shows)
        yield share, [*whole, hand]


def cases(
    game: Cluedo, log: Sequence[Event], viewer: Viewer, player: str
) -> Iterator[tuple[Fraction, list[Event]]]:
    """Yield what a player may have seen, with the probabilities that a viewer gives it."""
    seen = visible(game, log, viewer)
    weights = left(game, seen, viewer)
    for number, weight in weights.items():
        for share, whole in courses(seen, player, deals(game)[number]):
            yield share * weight / sum(weights.values()), whole


def position(seed: int, hands: tuple[int, ...] = (6, 6, 6), turns: int = 7) -> Knowledge:
    """Return a position of the classic deck, through the eyes of the first player."""
    names = ("Ann", "Ben", "Cid", "Dan", "Eve")[: len(hands)]
    game, random = Cluedo(names, hands=hands), Random(seed)
    places = deal(game, random)
    log = opening(game, places, random)
    for _ in range(turns):
        event = meanwhile(game, log, places, (), random)
        assert event is not None
        log.append(event)
    return Knowledge(evolve(game, me="Ann"), tuple(seen_log(game, log, "Ann")))
