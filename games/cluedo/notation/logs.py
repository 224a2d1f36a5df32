"""Whole Cluedo logs as text: the set-up, then one event a line.

The lines are those of `games.cluedo.notation.events`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import define, field

from deduce.errors import BadInput
from games.cluedo.decks import DECKS, Deck
from games.cluedo.events import Event
from games.cluedo.game import Cluedo
from games.cluedo.notation.events import format_event, read_event
from games.cluedo.notation.names import Names
from games.cluedo.notation.tokens import Token, quote, tokens, wrong

__all__ = ["format_log", "format_setup", "parse_log", "read_category", "read_players"]

KEYS = {
    "players": "players", "deck": "deck", "me": "me", "faceup": "face up", "undealt": "undealt",
}  # fmt: skip
DIGITS = 4
"""A number of cards has at most so many digits."""


def parse_log(text: str) -> tuple[Cluedo, list[Event]]:
    """Return the game and the events that a log in the notation describes.

    Raises
    ------
    BadInput
        With line, column and word, and what would be right.

    Examples
    --------
    >>> game, events = parse_log('''
    ... players: Ann, Ben, Cid   # the deck is the classic one
    ... Ann: plum rope hall; Ben -; Cid shows
    ... ''')
    >>> game.players, len(events)
    (('Ann', 'Ben', 'Cid'), 1)
    """
    setup = _SetUp()
    game: Cluedo | None = None
    events = []
    for number, line_text in enumerate(text.splitlines(), start=1):
        try:
            line = tokens(line_text)
            if not line:
                continue
            if game is None:
                if setup.read(line, number):
                    continue
                game = setup.game(number)
            setup.refuse(line)
            events.append(read_event(game, line))
        except BadInput as error:
            raise error.at(line=number) from None
    return game or setup.game(len(text.splitlines()) or 1), events


def format_log(game: Cluedo, events: Iterable[Event]) -> str:
    """Return the log as text that `parse_log` reads back to an equal game and equal events.

    >>> game = Cluedo(players=("Ann", "Ben"), hands=(9, None), me="Ann")
    >>> print(format_log(game, [game.parse_event("ben has rope")]), end="")
    deck: classic
    players: Ann 9, Ben ?
    me: Ann
    <BLANKLINE>
    Ben has Rope
    """
    return format_setup(game) + "".join(f"{format_event(game, event)}\n" for event in events)


def format_setup(game: Cluedo) -> str:
    """Return the lines of the set-up, and a blank line."""
    preset = next((name for name, deck in DECKS.items() if _same(deck, game.deck)), None)
    if preset is not None:
        lines = [f"deck: {preset}"]
    else:
        lines = [
            f"{quote(category)}: {', '.join(map(_quote_item, cards))}"
            for category, cards in game.deck.items()
        ]
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
    return "\n".join(lines) + "\n\n"


def _same(one: Deck, other: Deck) -> bool:
    return [(k, tuple(v)) for k, v in one.items()] == [(k, tuple(v)) for k, v in other.items()]


def _quote_item(name: str) -> str:
    """Return the name as an item of the set-up, where a number at its end would be a size."""
    return f'"{name}"' if quote(name) == name and _is_number(name.split()[-1]) else quote(name)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal()


@define
class _SetUp:
    """The lines before the first event."""

    lines: dict[str, tuple[int, Token, Sequence[Token]]] = field(factory=dict)
    deck: dict[str, tuple[str, ...]] = field(factory=dict)

    def read(self, line: Sequence[Token], number: int) -> bool:
        """Take a line of the set-up; return false for the first line that is none."""
        colon = next((i for i, token in enumerate(line) if token.kind == ":"), None)
        key = _key_of(line, colon)
        if key is not None and colon is not None:
            if key in self.lines and key == "me":
                return False
            if key in self.lines:
                raise wrong(line[0], f"`{key}:` stands in line {self.lines[key][0]} already")
            if key == "deck" and self.deck:
                raise wrong(line[0], "the deck is given twice: by name and by its categories")
            self.lines[key] = (number, line[0], line[colon + 1 :])
            return True
        if "players" in self.lines:
            return False
        if not colon:
            raise wrong(
                line[0], "a log begins with the set-up: `players: Ann 6, Ben 6, Cid 6` is missing"
            )
        self._category(line)
        return True

    def _category(self, line: Sequence[Token]) -> None:
        """Read ``suspect: Plum, White``, which can only stand before the players."""
        if "deck" in self.lines:
            raise wrong(
                line[0],
                "before the players stand no events, and no categories if there is a `deck:`",
            )
        category, cards = read_category(line)
        if category in self.deck:
            raise wrong(line[0], f"the category {category!r} is given twice")
        self.deck[category] = cards

    def refuse(self, line: Sequence[Token]) -> None:
        """Raise for a line of the set-up that comes after the first event."""
        colon = next((i for i, token in enumerate(line) if token.kind == ":"), None)
        if _key_of(line, colon) not in {None, "me"}:
            raise wrong(line[0], "the set-up stands before the first event")

    def game(self, number: int) -> Cluedo:
        """Return the game; ``number`` is the line where the set-up ends."""
        if "players" not in self.lines:
            raise BadInput(
                "a log begins with the set-up: `players: Ann 6, Ben 6, Cid 6` is missing",
                line=number,
            )
        players, hands = self._players()
        deck = self.deck or self._preset()
        cards = Names("card", [card for cards in deck.values() for card in cards])
        face_up = self._names("face up", cards)
        me = self._names("me", Names("player", players))
        if len(me) > 1:
            raise wrong(self.lines["me"][1], "one player keeps the log").at(
                line=self.lines["me"][0]
            )
        undealt = self._undealt()
        number, place, _ = self.lines["players"]
        try:
            return Cluedo(
                players=players, deck=deck, hands=hands, face_up=face_up, undealt=undealt,
                me=me[0] if me else None,
            )  # fmt: skip
        except BadInput as error:
            raise error.at(line=number, column=place.column) from None

    def _players(self) -> tuple[tuple[str, ...], tuple[int | None, ...] | None]:
        number, place, rest = self.lines["players"]
        try:
            if not rest:
                raise wrong(place, "a game needs players: `players: Ann 6, Ben 6, Cid 6`")
            return read_players(rest)
        except BadInput as error:
            raise error.at(line=number) from None

    def _preset(self) -> Mapping[str, tuple[str, ...]]:
        if "deck" not in self.lines:
            return DECKS["classic"]
        number, place, rest = self.lines["deck"]
        try:
            if not rest:
                raise wrong(place, f"which deck? known: {', '.join(DECKS)}")
            return DECKS[Names("deck", list(DECKS)).find(rest)]
        except BadInput as error:
            raise error.at(line=number) from None

    def _names(self, key: str, names: Names) -> tuple[str, ...]:
        number, place, rest = self.lines.get(key, (0, None, ()))
        if place is None:
            return ()
        try:
            found = tuple(name for name, _ in names.split(rest))
            if not found:
                raise wrong(place, f"after `{key}:` no {names.what} is named")
        except BadInput as error:
            raise error.at(line=number) from None
        return found

    def _undealt(self) -> int:
        number, place, rest = self.lines.get("undealt", (0, None, ()))
        if place is None:
            return 0
        if len(rest) != 1 or not _is_number(rest[0].text) or len(rest[0].text) > DIGITS:
            raise wrong(rest[0] if rest else place, "how many cards lie undealt? `undealt: 2`").at(
                line=number
            )
        return int(rest[0].text)


def read_players(
    typed: Sequence[Token],
) -> tuple[tuple[str, ...], tuple[int | None, ...] | None]:
    """Return names and hand sizes of ``Ann 6, Ben 6, Cid``; no sizes where none is written.

    >>> read_players(tokens("Ann 6, Ben ?"))
    (('Ann', 'Ben'), (6, None))
    >>> read_players(tokens("Ann, Ben"))
    (('Ann', 'Ben'), None)
    """
    found = [_player(item) for item in _items(typed)]
    names = tuple(name for name, _, _ in found)
    sizes = tuple(size for _, size, _ in found)
    return names, sizes if any(said for _, _, said in found) else None


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
        raise wrong(odd, f"{odd.text!r} cannot stand in a name unless the name is in quotes")
    return " ".join(token.text for token in item)


def _player(item: Sequence[Token]) -> tuple[str, int | None, bool]:
    """Return name, hand size, and whether a size or ``?`` was written."""
    *name, last = item
    if not name:
        return _raw(item), None, False
    if last.kind == "?":
        return _raw(name), None, True
    if last.kind == "word" and _is_number(last.text):
        if len(last.text) > DIGITS:
            raise wrong(last, f"{last.text[:20]} cards are too many")
        return _raw(name), int(last.text), True
    return _raw(item), None, False
