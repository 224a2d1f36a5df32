"""Setting up a game question by question, from a terminal or from options."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen

from deduce.errors import BadInput
from deduce.text import fold
from games.cluedo.assistant.session import Session
from games.cluedo.decks import DECKS, Deck
from games.cluedo.game import Cluedo
from games.cluedo.notation.logs import read_category, read_players
from games.cluedo.notation.names import Names
from games.cluedo.notation.tokens import tokens

__all__ = ["QUESTIONS", "Draft", "Question"]

OWN = "own"
EVEN = "even"


@frozen
class Draft:
    """A set-up as far as the questions are answered."""

    players: tuple[str, ...] = ()
    hands: tuple[int | None, ...] | None = None
    deck: Deck = DECKS["classic"]
    face_up: tuple[str, ...] = ()
    undealt: int = 0
    me: str | None = None
    hand: str = ""

    def game(self) -> Cluedo:
        """Return the game; raise `BadInput` if it is not possible."""
        return Cluedo(self.players, self.deck, self.hands, self.face_up, self.undealt, self.me)

    def session(self) -> Session:
        """Return the session of the new game, with the keeper's hand if it was given."""
        session = Session.new(self.game())
        return session.add(f"hand: {self.hand}") if self.hand else session


@frozen
class Question:
    """One question of the set-up.

    Parameters
    ----------
    name
        The name of the option that answers it.
    ask
        Returns the question, given the answers so far; an empty string: it is not asked.
    take
        Returns the draft with the answer; raises `BadInput` if the answer is not possible.
    default
        The answer that an empty line gives; ``None``: an answer is required.
    many
        Whether the answer has several lines, the last of which is empty.
    """

    name: str
    ask: Callable[[Draft], str]
    take: Callable[[Draft, str], Draft]
    default: Callable[[Draft], str | None] = lambda _: ""
    many: bool = False


def _players(draft: Draft, answer: str) -> Draft:
    players, hands = read_players(tokens(answer))
    evolve(draft, players=players).game()
    return evolve(draft, players=players, hands=hands)


def _deck(draft: Draft, answer: str) -> Draft:
    names = Names("deck", [*DECKS, OWN])
    name = names.find(tokens(answer))
    return evolve(draft, deck={} if name == OWN else DECKS[name])


def _categories(draft: Draft, answer: str) -> Draft:
    """Take all categories of a deck of one's own, one per line."""
    deck: dict[str, tuple[str, ...]] = {}
    for line in answer.splitlines():
        if tokens(line):
            category, cards = read_category(tokens(line))
            if category in deck:
                raise BadInput(f"the category {category!r} is given twice")
            deck[category] = cards
    return _without_sizes(evolve(draft, deck=deck))


def _face_up(draft: Draft, answer: str) -> Draft:
    cards = Names("card", [card for cards in draft.deck.values() for card in cards])
    face_up = tuple(name for name, _ in cards.split(tokens(answer)))
    return _without_sizes(evolve(draft, face_up=face_up))


def _undealt(draft: Draft, answer: str) -> Draft:
    if not (answer.isascii() and answer.isdecimal() and len(answer) < 5):
        raise BadInput("a number of cards is needed, such as 0", text=answer)
    return _without_sizes(evolve(draft, undealt=int(answer)))


def _hands(draft: Draft, answer: str) -> Draft:
    hands: tuple[int | None, ...] | None = None
    if fold(answer) != EVEN:
        sizes = [token.text for token in tokens(answer) if token.kind not in {",", ";"}]
        odd = [s for s in sizes if s != "?" and not (s.isascii() and s.isdecimal() and len(s) < 5)]
        if odd:
            raise BadInput(f"{odd[0]!r} is not a number of cards; `?` if it is not known")
        hands = tuple(None if size == "?" else int(size) for size in sizes)
    changed = evolve(draft, hands=hands)
    changed.game()
    return changed


def _me(draft: Draft, answer: str) -> Draft:
    typed = tokens(answer)
    return evolve(draft, me=Names("player", draft.players).find(typed) if typed else None)


def _hand(draft: Draft, answer: str) -> Draft:
    if draft.me is None and answer:
        raise BadInput("whose hand? a bystander has none; --me names the player")
    changed = evolve(draft, hand=answer)
    changed.session()
    return changed


def _without_sizes(draft: Draft) -> Draft:
    """Return the draft, checked except for hand sizes: the undealt cards may come later."""
    evolve(draft, hands=None).game()
    return draft


def _ask_hands(draft: Draft) -> str:
    low, high = evolve(draft, hands=None).game().hand_sizes()[draft.players[0]]
    each = str(low) if low == high else f"{low} or {high}"
    return f"Cards in each hand in seat order, ? where not known, or {EVEN} ({each} each)"


def _default_hands(draft: Draft) -> str:
    if draft.hands is None:
        return EVEN
    return " ".join("?" if size is None else str(size) for size in draft.hands)


def _none(draft: Draft) -> None:
    return None


QUESTIONS = (
    Question(
        "players",
        lambda _: "Players in seat order, clockwise, such as Ann, Ben, Cid",
        _players,
        _none,
    ),
    Question("deck", lambda _: f"Deck: {', '.join(DECKS)}, or {OWN}", _deck, lambda _: "classic"),
    Question(
        "category",
        lambda draft: (
            "" if draft.deck else "A category and its cards, such as suspect: Plum, White"
        ),
        _categories,
        _none,
        many=True,
    ),
    Question("face_up", lambda _: "Cards that lie face up (Enter: none)", _face_up),
    Question("undealt", lambda _: "How many cards are not dealt", _undealt, lambda _: "0"),
    Question("hands", _ask_hands, _hands, _default_hands),
    Question("me", lambda _: "Who are you? (Enter: a bystander)", _me),
    Question(
        "hand",
        lambda draft: f"Your hand, {draft.me} (Enter: later)" if draft.me else "",
        _hand,
    ),
)
"""In the order in which they are asked; hand sizes come when it is known what is dealt."""
