"""Hypothesis strategies: arbitrary legal games and events of Cluedo."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from games.cluedo import ENVELOPE, UNDEALT, Cluedo
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Show, Suggestion
from games.cluedo.setup import DECKS

WORDS = ["Ann", "ann", "Rope", "Mrs White", "mrs", "white", "José", "Jose", "O'Neil", "Jean-Luc"]
ODD = ["has", "me", "Hand", "6", "Bot 3", "?", "-", "a, b", 'say "x"', "Nobody", "players", " x ",
       "#1", "C#", "no one", "Plum: Rope", "->", "a\nb", "\u2028", "[SEP]", "(", "Sword and Shield",
       "Envelope", "Undealt", "\\", "I", "Übel", "李", "a  b", "{", "Clockwise"]  # fmt: skip
NAMES = st.one_of(
    st.sampled_from(WORDS), st.sampled_from(ODD), st.text(min_size=1, max_size=8)
).filter(lambda name: bool(name.strip()) and name not in {ENVELOPE, UNDEALT})


@st.composite
def decks(draw: st.DrawFn) -> dict[str, tuple[str, ...]]:
    if draw(st.booleans()):
        return dict(DECKS[draw(st.sampled_from(sorted(DECKS)))])
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    cards = draw(st.lists(NAMES, min_size=sum(sizes), max_size=sum(sizes), unique=True))
    categories = draw(st.lists(NAMES, min_size=len(sizes), max_size=len(sizes), unique=True))
    left = iter(cards)
    return {
        category: tuple(next(left) for _ in range(size))
        for category, size in zip(categories, sizes, strict=True)
    }


@st.composite
def games(draw: st.DrawFn) -> Cluedo:
    deck = draw(decks())
    players = tuple(draw(st.lists(NAMES, min_size=2, max_size=5, unique=True)))
    spare = [card for cards in deck.values() for card in cards[1:]]
    chosen = st.lists(st.sampled_from(spare), unique=True, max_size=2) if spare else st.just([])
    face_up = tuple(draw(chosen))
    left = len(spare) - len(face_up)
    undealt = draw(st.integers(0, min(left, 2)))
    left -= undealt
    hands: tuple[int | None, ...] | None = None
    if draw(st.booleans()):
        cuts = sorted(draw(st.lists(st.integers(0, left), min_size=len(players) - 1,
                                    max_size=len(players) - 1)))  # fmt: skip
        sizes = [b - a for a, b in zip([0, *cuts], [*cuts, left], strict=True)]
        hands = tuple(None if draw(st.booleans()) else size for size in sizes)
    me = draw(st.none() | st.sampled_from(players))
    return Cluedo(players, deck, hands, face_up, undealt, me, draw(st.booleans()))


def some(names: Any, low: int = 1, high: int = 4) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(names), min_size=low, max_size=high, unique=True).map(tuple)


@st.composite
def named_cards(draw: st.DrawFn, game: Cluedo) -> tuple[str, ...]:
    """What a suggestion or an accusation may name."""
    if game.free_suggestions:
        return draw(some(game.cards))
    cards = [draw(st.sampled_from(cards)) for cards in game.deck.values()]
    return tuple(draw(st.permutations(cards)))


@st.composite
def events(draw: st.DrawFn, game: Cluedo) -> Event:
    held, players, holders = game.dealt, game.players, game.holders
    known_to = st.none() | some(players, 0)
    kind = draw(st.sampled_from(game.events))
    if kind is Hand:
        player = draw(st.sampled_from(players))
        low, high = game.hand_sizes()[player]
        size = draw(st.integers(low, min(high, len(held))))
        return Hand(player, draw(some(held, size, size)))
    if kind is Accusation:
        named = draw(named_cards(game))
        right = set(named) <= set(held) and draw(st.booleans())
        return Accusation(draw(st.sampled_from(players)), named, right)
    if kind in (Has, HasNot):
        holder, card = draw(st.sampled_from(holders)), draw(st.sampled_from(held))
        return (Has if kind is Has else HasNot)(holder, card, draw(known_to))
    if kind is OneOf:
        return OneOf(draw(st.sampled_from(holders)), draw(some(held)), draw(known_to))
    by, named = draw(st.sampled_from(players)), draw(named_cards(game))
    others = draw(st.permutations([player for player in players if player != by]))
    cut = draw(st.integers(0, len(others)))
    shown = st.none() | st.sampled_from(named).filter(lambda card: card in held)
    can_show = others[cut:] if set(named) & set(held) else []
    shows = tuple(Show(player, draw(shown)) for player in can_show if draw(st.booleans()))
    return Suggestion(by, named, tuple(others[:cut]), shows)


@st.composite
def records(draw: st.DrawFn) -> tuple[Cluedo, list[Event]]:
    game = draw(games())
    return game, draw(st.lists(events(game), max_size=6))
