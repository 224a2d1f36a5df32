"""Every deal, carried along statement by statement: the plain meaning of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from random import Random

from games.quartets.events import Answer, Ask, Event, Quartet
from games.quartets.game import Quartets

Holdings = tuple[int | None, ...]
"""The holder of each card now; ``None``: laid aside."""


def all_deals(game: Quartets) -> set[Holdings]:
    seats = [p for p, n in enumerate(game.hands) for _ in range(n)]
    deals: set[Holdings] = set(permutations(seats))
    if game.deal_quartet:
        return deals
    return {deal for deal in deals if not any(_whole(game, deal, p) for p in set(seats))}


def _whole(game: Quartets, deal: Holdings, player: int) -> list[int]:
    return [
        g
        for g, mask in enumerate(game.table.masks)
        if all(deal[c] == player for c in range(len(deal)) if mask >> c & 1)
    ]


class Oracle:
    """The deals that fit, and the open question."""

    def __init__(self, game: Quartets, deals: set[Holdings] | None = None) -> None:
        self.game = game
        self.deals = all_deals(game) if deals is None else deals
        self.question: tuple[int, int] | None = None

    def tell(self, event: Event) -> Oracle:
        game = self.game
        after = Oracle(game, set(self._after(event)))
        if isinstance(event, Ask):
            after.question = (game.player(event.by), game.card(event.card))
        return after

    def _after(self, event: Event) -> Iterator[Holdings]:
        game = self.game
        by = game.player(event.by)
        for deal in self.deals:
            if isinstance(event, Ask):
                card = game.card(event.card)
                mask = game.table.masks[game.table.group_of[card]]
                if not any(deal[c] == by for c in range(len(deal)) if mask >> c & 1):
                    continue
                if not game.ask_own and deal[card] == by:
                    continue
                if game.silence and _whole(game, deal, by):
                    continue
                yield deal
            elif isinstance(event, Answer):
                assert self.question is not None
                asker, card = self.question
                if (deal[card] == by) != event.yes:
                    continue
                yield (*deal[:card], asker if event.yes else deal[card], *deal[card + 1 :])
            else:
                group = game.group(event.group)
                if group in _whole(game, deal, by):
                    mask = game.table.masks[group]
                    yield tuple(None if mask >> c & 1 else p for c, p in enumerate(deal))


def small_game(random: Random, cards: int = 8) -> Quartets:
    """Return a small set-up with readings at random and, often, unequal hands."""
    players = random.choice([2, 3, 3, 4])
    sizes: list[int] = []
    while sum(sizes) < cards - 1 and len(sizes) < 4:
        sizes.append(random.choice([2, 2, 3, 4]))
    while sum(sizes) > cards:
        sizes.pop()
    names = {f"g{g}": tuple(f"g{g}c{c}" for c in range(size)) for g, size in enumerate(sizes)}
    seats = [random.randrange(players) for _ in range(sum(sizes))]
    hands = tuple(seats.count(p) for p in range(players)) if random.random() < 0.5 else ()
    return Quartets(
        ("Ann", "Ben", "Cid", "Dot")[:players],
        names,
        hands,
        ask_own=random.random() < 0.5,
        silence=random.random() < 0.4,
        deal_quartet=random.random() < 0.6,
        house=random.choice("xyz"),  # type: ignore[arg-type]
        repetition=None,
    )


def any_event(random: Random, game: Quartets, speaker: int, asked: bool) -> Event:
    """Return a statement at random, valid or not."""
    name = game.players[speaker]
    if asked:
        return Answer(name, random.random() < 0.5)
    if random.random() < 0.15:
        return Quartet(name, random.choice(game.group_names))
    others = [other for other in game.players if other != name]
    return Ask(name, random.choice(others), random.choice(game.cards))
