"""Whole logs of Cluedo as text: the set-up, then one event per line.

The notation of the lines is described in `games.cluedo.notation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from attrs import define, field

from deduce.errors import BadInput, placed
from deduce.logs.events import Log
from games.cluedo.events import Event
from games.cluedo.notation import format_event, read_event
from games.cluedo.notation.names import Names, Token, quote, tokens, wrong
from games.cluedo.notation.reading import Reader
from games.cluedo.setup import DECKS, Deck, SetUp, in_another_deck

__all__ = ["deck_lines", "format_log", "format_setup", "parse_log", "read_category", "read_players"]

T = TypeVar("T")

KEYS = {
    "players": "players", "deck": "deck", "me": "me", "faceup": "face up", "undealt": "undealt",
    "suggestions": "suggestions",
}  # fmt: skip
MAX_DIGITS = 4
"""Digits of a number of cards; a longer one is refused."""
NO_PLAYERS = "a log begins with the set-up: `players: Ann 6, Ben 6, Cid 6` is missing"


def parse_log(game_class: type[SetUp], text: str) -> Log:
    """Return the log that a text in the notation describes; its game is a ``game_class``.

    Raises
    ------
    BadInput
        With line, column and word, and what would be right.

    Examples
    --------
    >>> log = parse_log(SetUp, '''
    ... players: Ann, Ben, Cid   # the deck is the classic one
    ... Ann: plum rope hall; Ben -; Cid shows
    ... ''')
    >>> log.game.players, len(log.events), log.lines
    (('Ann', 'Ben', 'Cid'), 1, (3,))
    """
    setup = _SetUpLines()
    reader: Reader | None = None
    events: list[Event] = []
    lines: list[int] = []
    all_lines = text.splitlines()
    for number, line_text in enumerate(all_lines, start=1):
        with placed(line=number):
            line = tokens(line_text)
            if not line:
                continue
            if reader is None:
                if setup.read(line, number):
                    continue
                reader = Reader(setup.game(number, game_class))
            setup.refuse(line)
            events.append(read_event(reader, line))
            lines.append(number)
    game = reader.game if reader else setup.game(len(all_lines) or 1, game_class)
    return Log(game, events, lines)


def format_log(game: SetUp, events: Iterable[Event]) -> str:
    """Return the log as text that `parse_log` reads back to an equal game and equal events.

    >>> from games.cluedo.events import Has
    >>> game = SetUp(players=("Ann", "Ben"), hands=(9, None), me="Ann")
    >>> print(format_log(game, [Has("Ben", "Rope")]), end="")
    deck: classic
    players: Ann 9, Ben ?
    me: Ann
    <BLANKLINE>
    Ben has Rope
    """
    return format_setup(game) + "".join(f"{format_event(game, event)}\n" for event in events)


def deck_lines(deck: Deck) -> str:
    r"""Return a deck as lines of a log, one for each category.

    >>> deck_lines({"weapon": ("Rope", "Axe")})
    'weapon: Rope, Axe\n'
    """
    return "".join(
        f"{quote(category)}: {', '.join(map(_quote_item, cards))}\n"
        for category, cards in deck.items()
    )


def format_setup(game: SetUp) -> str:
    """Return the lines of the set-up, and a blank line."""
    preset = next((name for name, deck in DECKS.items() if _same(deck, game.deck)), None)
    lines = [f"deck: {preset}"] if preset else deck_lines(game.deck).splitlines()
    if game.hands is None:
        players = [_quote_item(player) for player in game.players]
    else:
        players = [
            f"{_quote_item(player)} {'?' if size is None else size}"
            for player, size in zip(game.players, game.hands, strict=True)
        ]
    lines.append(f"players: {', '.join(players)}")
    if game.me is not None:
        lines.append(f"me: {quote(game.me)}")
    if game.face_up:
        lines.append(f"face up: {', '.join(map(quote, game.face_up))}")
    if game.undealt:
        lines.append(f"undealt: {game.undealt}")
    if game.free_suggestions:
        lines.append("suggestions: free")
    return "\n".join(lines) + "\n\n"


def _same(one: Deck, other: Deck) -> bool:
    return list(one.items()) == list(other.items())


def _quote_item(name: str) -> str:
    """Return the name as an item of the set-up, where a number at its end would be a size."""
    return f'"{name}"' if quote(name) == name and _is_number(name.split()[-1]) else quote(name)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


@define
class _SetUpLines:
    """The lines before the first event."""

    lines: dict[str, tuple[int, Token, Sequence[Token]]] = field(factory=dict)
    deck: dict[str, tuple[str, ...]] = field(factory=dict)

    def read(self, line: Sequence[Token], number: int) -> bool:
        """Take a line of the set-up; return false for the first line that is not one."""
        colon = next((i for i, token in enumerate(line) if token.kind == ":"), None)
        key = _key_of(line, colon)
        if key is not None and colon is not None:
            if key in self.lines and key == "me":
                return False
            if key in self.lines:
                raise wrong(line[0], f"`{key}:` is already in line {self.lines[key][0]}")
            if key == "deck" and self.deck:
                raise wrong(line[0], "the deck is given twice: by name and by its categories")
            self.lines[key] = (number, line[0], line[colon + 1 :])
            return True
        if "players" in self.lines:
            return False
        if not colon:
            raise wrong(line[0], NO_PLAYERS)
        self._category(line)
        return True

    def _category(self, line: Sequence[Token]) -> None:
        """Read ``suspect: Plum, White``, which is only allowed before the players."""
        if "deck" in self.lines:
            raise wrong(
                line[0], "events come after the players; with `deck:` there are no own categories"
            )
        if any(token.kind in {"+", "-", "->"} for token in line):  # an event, not a category
            raise wrong(line[0], NO_PLAYERS)
        category, cards = read_category(line)
        if category in self.deck:
            raise wrong(line[0], f"the category {category!r} is given twice")
        self.deck[category] = cards

    def refuse(self, line: Sequence[Token]) -> None:
        """Raise for a line of the set-up that comes after the first event."""
        colon = next((i for i, token in enumerate(line) if token.kind == ":"), None)
        if _key_of(line, colon) not in {None, "me"}:
            raise wrong(line[0], "the set-up comes before the first event")

    def game(self, number: int, game_class: type[SetUp]) -> SetUp:
        """Return the game; ``number`` is the line where the set-up ends."""
        if "players" not in self.lines:
            raise BadInput(NO_PLAYERS, line=number)
        players, hands = self._value("players", _players_and_hands) or ((), None)
        deck: Deck = self.deck or self._value("deck", _preset) or DECKS["classic"]
        named = [card for cards in deck.values() for card in cards]
        cards = Names("card", named, elsewhere=in_another_deck)
        face_up = self._value("face up", partial(_named, "face up", cards)) or ()
        me = self._value("me", partial(_keeper, Names("player", players)))
        undealt = self._value("undealt", _undealt) or 0
        free = self._value("suggestions", _free_suggestions) or False
        line, key, _ = self.lines["players"]
        with placed(line=line, column=key.column):
            return game_class(players, deck, hands, face_up, undealt, me, free_suggestions=free)

    def _value(self, key: str, read: Callable[[Token, Sequence[Token]], T]) -> T | None:
        """Return what a line states, read from its key and the rest of it, or ``None``."""
        if key not in self.lines:
            return None
        line, token, rest = self.lines[key]
        with placed(line=line):
            return read(token, rest)


def _players_and_hands(key: Token, rest: Sequence[Token]) -> PlayersAndHands:
    if not rest:
        raise wrong(key, "a game needs players: `players: Ann 6, Ben 6, Cid 6`")
    return read_players(rest)


def _preset(key: Token, rest: Sequence[Token]) -> Deck:
    if not rest:
        raise wrong(key, f"which deck? known: {', '.join(DECKS)}")
    return DECKS[Names("deck", list(DECKS), also=DECKS.former).find(rest)]


def _named(what: str, names: Names, key: Token, rest: Sequence[Token]) -> tuple[str, ...]:
    named = tuple(name for name, _ in names.split(rest))
    if not named:
        raise wrong(key, f"after `{what}:` no {names.what} is named")
    return named


def _keeper(players: Names, key: Token, rest: Sequence[Token]) -> str:
    name, *others = _named("me", players, key, rest)
    if others:
        raise wrong(key, "one player keeps the log")
    return name


def _undealt(key: Token, rest: Sequence[Token]) -> int:
    if len(rest) != 1 or not _is_number(rest[0].text) or len(rest[0].text) > MAX_DIGITS:
        hint = "the number of cards that are not dealt is needed: `undealt: 2`"
        raise wrong(rest[0] if rest else key, hint)
    return int(rest[0].text)


def _free_suggestions(key: Token, rest: Sequence[Token]) -> bool:
    if len(rest) != 1 or rest[0].word not in {"free", "complete"}:
        hint = (
            "`suggestions: free` if they may name any cards, `suggestions: complete` if they "
            "name one of each category"
        )
        raise wrong(rest[0] if rest else key, hint)
    return rest[0].word == "free"


PlayersAndHands = tuple[tuple[str, ...], tuple[int | None, ...] | None]
"""Names in seat order, and the sizes of the hands."""


def read_players(typed: Sequence[Token]) -> PlayersAndHands:
    """Return names and hand sizes of ``Ann 6, Ben 6, Cid``; no sizes where none is written.

    Names are separated by commas, or by blanks where there is no comma.

    >>> read_players(tokens("Ann 6, Ben ?"))
    (('Ann', 'Ben'), (6, None))
    >>> read_players(tokens("Ann Ben")), read_players(tokens("Mrs Ann, Mr Ben"))
    ((('Ann', 'Ben'), None), (('Mrs Ann', 'Mr Ben'), None))
    """
    items = _items(typed)
    players = [_player(item) for item in (items if len(items) > 1 else _words(typed))]
    names = tuple(name for name, _, _ in players)
    sizes = tuple(size for _, size, _ in players)
    return names, sizes if any(has_size for _, _, has_size in players) else None


def _words(typed: Sequence[Token]) -> list[list[Token]]:
    """Return the words that are separated by blanks alone, each with a number or ``?`` after it."""
    items: list[list[Token]] = []
    for token in typed:
        is_size = token.kind == "?" or (token.kind == "word" and _is_number(token.text))
        if token.kind in {",", ";"}:
            continue
        if is_size and items and len(items[-1]) == 1:
            items[-1].append(token)
        else:
            items.append([token])
    return items


def read_category(typed: Sequence[Token]) -> tuple[str, tuple[str, ...]]:
    """Return category and cards of ``suspect: Plum, White``.

    >>> read_category(tokens("suspect: Plum, White"))
    ('suspect', ('Plum', 'White'))
    """
    colon = next((i for i, token in enumerate(typed) if token.kind == ":"), 0)
    if not colon:
        raise wrong(typed[0], "a category and its cards are written `suspect: Plum, White`")
    category = _raw(typed[:colon])
    cards = tuple(_raw(item) for item in _items(typed[colon + 1 :]))
    if not cards:
        raise wrong(typed[0], f"the category {category!r} has no cards")
    return category, cards


def _key_of(line: Sequence[Token], colon: int | None) -> str | None:
    """Return which line of the set-up this is, if any; quoted words are names, never keys."""
    return KEYS.get("".join(token.word for token in line[:colon])) if colon else None


def _items(rest: Sequence[Token]) -> list[list[Token]]:
    """Return the tokens between commas."""
    items: list[list[Token]] = [[]]
    for token in rest:
        if token.kind in {",", ";"}:
            items.append([])
        else:
            items[-1].append(token)
    return [item for item in items if item]


def _raw(item: Sequence[Token]) -> str:
    """Return a new name as it is written."""
    if len(item) == 1 and item[0].kind == "name":
        return item[0].text
    odd = next((token for token in item if token.kind != "word"), None)
    if odd is not None:
        raise wrong(odd, f"a name with {odd.text!r} is written in quotes")
    return " ".join(token.text for token in item)


def _player(item: Sequence[Token]) -> tuple[str, int | None, bool]:
    """Return name, hand size, and whether a size or ``?`` was written."""
    *name, last = item
    if not name:
        return _raw(item), None, False
    if last.kind == "?":
        return _raw(name), None, True
    if last.kind == "word" and _is_number(last.text):
        if len(last.text) > MAX_DIGITS:
            raise wrong(last, f"{last.text[:20]} cards are too many")
        return _raw(name), int(last.text), True
    return _raw(item), None, False
