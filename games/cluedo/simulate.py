"""Random deals and random logs of them: suggestions with true answers and private shows.

Meant for tests and for trying things out. Nobody plays well here: suggestions are random, a wrong
accuser goes on answering and suggesting, and some answers are left unrecorded, as in real logs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from attrs import evolve

from games.cluedo.events import (
    ENVELOPE,
    Accusation,
    Event,
    Hand,
    Has,
    HasNot,
    OneOf,
    Show,
    Suggestion,
)

if TYPE_CHECKING:
    from games.cluedo.game import Cluedo

__all__ = ["answered", "deal", "record"]

Deal = Mapping[str, str]
"""Where each card is."""


def deal(game: Cluedo, random: Random) -> dict[str, str]:
    """Return a random deal that fits the rules: every dealt card with its holder."""
    solution = {
        random.choice([card for card in cards if card not in game.face_up])
        for cards in game.deck.values()
    }
    rest = [card for card in game.dealt if card not in solution]
    sizes = game.hand_sizes()
    numbers = {holder: low for holder, (low, _) in sizes.items()}
    for _ in range(len(rest) - sum(numbers.values())):
        numbers[random.choice([h for h, (_, high) in sizes.items() if numbers[h] < high])] += 1
    random.shuffle(rest)
    places = dict.fromkeys(solution, ENVELOPE)
    for holder, number in numbers.items():
        places |= {rest.pop(): holder for _ in range(number)}
    return {card: places[card] for card in game.dealt}


def answered(
    game: Cluedo,
    deal: Deal,
    by: str,
    cards: Sequence[str],
    choose: Callable[[str, Suggestion, tuple[str, ...]], str],
) -> Suggestion:
    """Return a suggestion with its true answers, and with the shown card.

    In seat order, the first who can show a card does. Which of his cards that fit, ``choose`` says:
    it is given the player, the suggestion with those who passed before him, and these cards.
    """
    seat = game.players.index(by)
    suggestion = Suggestion(by, tuple(cards))
    for player in game.players[seat + 1 :] + game.players[:seat]:
        fitting = tuple(card for card in cards if deal.get(card) == player)
        if fitting:
            return evolve(suggestion, shows=(Show(player, choose(player, suggestion, fitting)),))
        suggestion = evolve(suggestion, passes=(*suggestion.passes, player))
    return suggestion


def record(game: Cluedo, deal: Deal, random: Random) -> list[Event]:
    """Return a random log of a deal.

    With ``game.me`` it holds what that player sees; else it is a referee's, with every hand and
    every card that was shown.
    """
    table = _Table(game, deal, random)
    log: list[Event] = [table.hand(p) for p in game.players if game.me in (None, p)]
    everybody_shows = random.random() < 0.25
    for turn in range(random.randint(1, 3 * len(game.players))):
        by = game.players[turn % len(game.players)]
        log.append(table.suggestion(by, everybody_shows=everybody_shows))
        if random.random() < 0.2:
            log.extend(table.aside(by))
    return log


class _Table:
    """A deal and those who look at it."""

    def __init__(self, game: Cluedo, deal: Deal, random: Random) -> None:
        self.game = game
        self.deal = deal
        self.random = random

    def hand(self, player: str) -> Hand:
        return Hand(player, tuple(card for card, holder in self.deal.items() if holder == player))

    def suggestion(self, by: str, *, everybody_shows: bool) -> Suggestion:
        cards = self._triple()
        seat = self.game.players.index(by)
        passes, shows = [], []
        for player in self.game.players[seat + 1 :] + self.game.players[:seat]:
            fitting = [card for card in cards if self.deal.get(card) == player]
            recorded = self.random.random() < 0.9
            if fitting:
                seen = self.game.me in (None, by, player)
                shows.append(Show(player, self.random.choice(fitting) if seen else None))
                if not everybody_shows:
                    break
            elif recorded:
                passes.append(player)
        return Suggestion(by, cards, tuple(passes), tuple(shows))

    def aside(self, by: str) -> Iterator[Event]:
        """Yield something that happens beside the suggestions."""
        kind = self.random.choice(("accusation", "has", "has not", "one of"))
        held = [card for card, holder in self.deal.items() if holder in self.game.players]
        if kind == "accusation":
            cards = self._triple()
            correct = all(self.deal.get(card) == ENVELOPE for card in cards)
            yield Accusation(by, cards, correct)
        elif held:
            card = self.random.choice(held)
            holder = self.deal[card]
            known_to = self.random.choice((None, (self.game.me or by,)))
            if kind == "has":
                yield Has(holder, card, known_to)
            elif kind == "has not":
                others = [player for player in self.game.players if player != holder]
                if others:
                    yield HasNot(self.random.choice(others), card, known_to)
            else:
                other = self.random.choice([c for c in self.game.dealt if c != card])
                yield OneOf(holder, (card, other), known_to)

    def _triple(self) -> tuple[str, ...]:
        return tuple(self.random.choice(cards) for cards in self.game.deck.values())
