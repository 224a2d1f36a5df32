"""The text notation of Cluedo: a log that is typed at the table, one event per line.

A log begins with the set-up, and the events follow; ``#`` begins a comment::

    deck: classic                      # one of `games.cluedo.DECKS`; left out: classic
    players: Ann 6, Ben 6, Cid ?       # in seat order; no numbers: dealt evenly; ?: not known
    me: Ann                            # who keeps the log; left out: a bystander
    face up: Rope, Hall
    undealt: 2
    suggestions: free                  # they may name any cards; left out: one of each category

A deck of one's own comes before the players, one category per line: ``suspect: Plum, White``. Then

======================================  =========================================================
``hand Ann: rope, hall, plum``          Ann's complete hand (``hand:`` is that of ``me``); ``-`` if
                                        it is empty
``Ann: plum rope hall; Ben -; Cid +``   a suggestion; Ben passes; Cid shows a card, not seen
``...; Ben, Cid -; Dan + rope``         Ben and Cid pass; Dan shows Rope
``... -> Cid + rope``                   all between Ann and Cid in seat order pass
``...; nobody``                         no player shows: all that are not named pass
``Ann: plum rope hall``                 the answers were not recorded: nothing follows
``Ann accuses plum rope hall: wrong``   an accusation; or ``: right``
``Ben has rope``                        also of the ``envelope``, and of the ``undealt`` pile
``Ben has not rope``                    also ``hasn't``, ``no``
``Ben has one of rope, hall``           also ``has rope or hall``
``Ben has rope (seen by Ann, Cid)``     who learned it; left out: all players
======================================  =========================================================

``-`` may be written ``passes``, ``+`` ``shows``, ``->`` ``clockwise to``, ``+ ?`` and a bare ``+``
``shows``; ``me`` and ``I`` are the keeper of the log. How names are abbreviated and quoted:
`games.cluedo.names`; in a suggestion and an accusation, an abbreviation that fits several
cards means the one of the category that is still missing. Passes are never derived from the seating
unless ``->`` or ``nobody`` is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TypeVar

from attrs import define, field, frozen

from deduce.errors import BadInput, placed
from deduce.logs.events import Log
from games.cluedo.events import (
    ENVELOPE,
    UNDEALT,
    Accusation,
    Event,
    Hand,
    Has,
    HasNot,
    OneOf,
    Show,
    Suggestion,
    check_event,
)
from games.cluedo.names import Names, Token, TypedName, quote, tokens, wrong
from games.cluedo.setup import DECKS, Deck, SetUp, in_another_deck

__all__ = [
    "MAX_DIGITS",
    "deck_lines",
    "format_event",
    "format_log",
    "format_setup",
    "parse_event",
    "parse_log",
    "players_line",
    "read_deck",
    "read_event",
    "read_players",
]


SUGGEST = {"suggests", "suggest", "suggested", "asks"}
ACCUSE = {"accuses", "accuse", "accused"}
HAVE = {"has", "have", "hasnt", "does", "doesnt", "no"}
HAS_NOT = {
    "has not", "has no", "have no", "have not", "hasnt", "hasnt have", "no", "does not have",
    "doesnt have",
}  # fmt: skip
PASS = {"passes", "pass", "passed", "no", "nothing"}
SHOW = {"shows", "show", "showed", "shown"}
NO_PLAYER = {"nobody", "noone", "none"}
RIGHT = {"right": True, "correct": True, "true": True, "wrong": False, "false": False}

EXAMPLE = "`Ann: plum rope hall; Ben -; Cid shows rope`"


@frozen(slots=False, eq=False)
class Reader:
    """Reads the lines of one game.

    Parameters
    ----------
    game
        The set-up.
    typed_names
        The names in the line that was read last, with where they were typed.
    """

    game: SetUp
    players: Names = field(init=False)
    holders: Names = field(init=False)
    cards: Names = field(init=False)
    typed_names: list[TypedName] = field(factory=list, init=False)

    @players.default
    def _players(self) -> Names:
        me = self.game.me
        return Names("player", self.game.players, {"me": me, "i": me} if me else {})

    @holders.default
    def _holders(self) -> Names:
        return Names("holder", self.game.holders, self.players.also)

    @cards.default
    def _cards(self) -> Names:
        kinds = {card: kind for kind, cards in self.game.deck.items() for card in cards}
        return Names("card", self.game.cards, kinds=kinds, elsewhere=in_another_deck)

    def event(self, line: Sequence[Token]) -> Event:
        """Return the event; whether it is possible in this game is not checked.

        Raises
        ------
        BadInput
            With the column, the word, and what would be right.
        """
        self.typed_names.clear()
        if not line:
            raise BadInput(f"there is no event on this line; for example {EXAMPLE}")
        if line[0].word == "hand" and len(line) > 1:
            return self._hand(line)
        for at, token in enumerate(line):
            if token.kind == ":" or token.word in SUGGEST:
                return self._suggestion(line[:at], line[at + 1 :], token)
            if token.word in ACCUSE:
                return self._accusation(line[:at], line[at + 1 :], token)
            if token.word in HAVE:
                return self._has(line[:at], line[at:])
        raise BadInput(
            f"not understood; for example {EXAMPLE}", column=line[0].column, text=line[0].text
        )

    # The kinds of event

    def _hand(self, line: Sequence[Token]) -> Hand:
        colon = next((i for i, token in enumerate(line) if token.kind == ":"), None)
        if colon is None:
            raise wrong(line[-1], "a hand is written `hand Ann: rope, hall`")
        if colon == 1:
            if self.game.me is None:
                raise wrong(line[0], "whose hand? `hand Ann: rope, hall`; there is no `me:`")
            player = self.game.me
        else:
            player = self._one(self.players, line[1:colon], line[colon])
        named = line[colon + 1 :]
        if len(named) == 1 and (named[0].kind == "-" or named[0].word == "nothing"):
            return Hand(player, ())
        return Hand(player, self._list(self.cards, named, line[colon]))

    def _suggestion(
        self, subject: Sequence[Token], rest: Sequence[Token], colon: Token
    ) -> Suggestion:
        by = self._one(self.players, subject, colon)
        end = next((i for i, token in enumerate(rest) if begins_answers(token)), len(rest))
        try:
            cards = self._named_cards(rest[:end], colon)
        except BadInput as error:
            typed = next((token for token in rest[:end] if token.text == error.text), None)
            if typed is None or not self.players.matches([typed]):
                raise
            message = error.message.partition(" (")[0]  # not the cards: a player is meant
            raise wrong(typed, f"{message}; answers come after a `;`") from None
        answers = _Answers(self, by, cards)
        answers.read(list(rest[end:]))
        return Suggestion(by, cards, tuple(answers.passes), tuple(answers.shows))

    def _accusation(
        self, subject: Sequence[Token], rest: Sequence[Token], verb: Token
    ) -> Accusation:
        by = self._one(self.players, subject, verb)
        if not rest or rest[-1].word not in RIGHT:
            raise wrong(
                rest[-1] if rest else verb,
                "was it right? an accusation ends with `: right` or `: wrong`",
            )
        named = list(rest[:-1])
        while named and named[-1].kind in {":", ";", ",", "-"}:
            named.pop()
        cards = self._named_cards(named, verb)
        return Accusation(by, cards, RIGHT[rest[-1].word])

    def _has(self, subject: Sequence[Token], rest: Sequence[Token]) -> Event:
        holder = self._one(self.holders, subject, rest[0])
        rest, known_to = self._known_to(rest)
        verb: list[str] = []
        while len(verb) < len(rest) and rest[len(verb)].word in {*HAVE, "not", "one", "of"}:
            verb.append(rest[len(verb)].word)
        phrase, named = " ".join(verb), rest[len(verb) :]
        one_of = phrase in {"has one of", "have one of"}
        yes = phrase in {"has", "have"}
        if not one_of and not yes and phrase not in HAS_NOT:
            raise wrong(
                rest[0], f"{phrase!r} is not understood; write `has`, `has not` or `has one of`"
            )
        cards = self._list(self.cards, named, rest[0])
        if one_of or (yes and any(token.word == "or" for token in named)):
            return OneOf(holder, cards, known_to)
        if len(cards) != 1:
            raise wrong(
                named[0], "one card per line here; `has one of rope, hall` if it is not known which"
            )
        return Has(holder, cards[0], known_to) if yes else HasNot(holder, cards[0], known_to)

    def _known_to(self, rest: Sequence[Token]) -> tuple[Sequence[Token], tuple[str, ...] | None]:
        """Return the line without ``(seen by Ann, Cid)``, and these players."""
        at = next((i for i, token in enumerate(rest) if token.kind == "("), None)
        if at is None:
            return rest, None
        inner = list(rest[at + 1 :])
        words = [token.word for token in inner[:2]]
        if not inner or inner[-1].kind != ")" or words not in (["seen", "by"], ["known", "to"]):
            raise wrong(
                rest[at], "brackets hold the players who saw it, at the end: `(seen by Ann, Cid)`"
            )
        inner = inner[2:-1]
        if len(inner) == 1 and inner[0].word in NO_PLAYER:
            return rest[:at], ()
        return rest[:at], self._list(self.players, inner, rest[at])

    # Names

    def _one(self, names: Names, typed: Sequence[Token], at: Token) -> str:
        if not typed:
            raise wrong(at, f"the name of a {names.what} is missing before {at.text!r}")
        name = names.find(typed)
        self.typed_names.append((name, typed[0]))
        return name

    def _list(self, names: Names, typed: Sequence[Token], at: Token) -> tuple[str, ...]:
        return self._located(names, names.split(typed), at)

    def _named_cards(self, typed: Sequence[Token], at: Token) -> tuple[str, ...]:
        """Return the cards of a suggestion or an accusation: usually one of each category."""
        if self.game.free_suggestions:
            named = self.cards.split(typed, len(self.game.deck))
        else:
            named = self.cards.one_of_each(typed)
        return self._located(self.cards, named, at)

    def _located(self, names: Names, named: Sequence[TypedName], at: Token) -> tuple[str, ...]:
        if not named:
            raise wrong(at, f"after {at.text!r} no {names.what} is named")
        self.typed_names.extend(named)
        return tuple(name for name, _ in named)


def begins_answers(token: Token) -> bool:
    """Return whether this token ends the cards of a suggestion."""
    return token.kind in {";", "->", "-", "+"} or token.word in {
        "clockwise",
        *NO_PLAYER,
        *SHOW,
        *PASS,
    }


@define
class _Answers:
    """Reads the answers to a suggestion of ``cards`` by ``by``."""

    reader: Reader
    by: str
    cards: tuple[str, ...]
    passes: list[str] = field(factory=list)
    shows: list[Show] = field(factory=list)

    def read(self, rest: list[Token]) -> None:
        """Take all the tokens after the cards."""
        subject: list[Token] = []
        while rest:
            token = rest.pop(0)
            if token.kind == "->" or token.word == "clockwise":
                self._check_nothing_left(subject)
                self._until(token, rest)
            elif token.word in NO_PLAYER or (token.word == "no" and rest and rest[0].word == "one"):
                self._check_nothing_left(subject)
                self._rest_passes(rest)
            elif token.kind == "-" or token.word in PASS:
                self._passes(subject, token)
                subject = []
            elif token.kind == "+" or token.word in SHOW:
                typed = _until_separator(rest)
                if len(typed) == 1 and typed[0].word in {"nothing", *NO_PLAYER}:
                    self._passes(subject, token)
                else:
                    self._shows(subject, token, typed)
                subject = []
            elif token.kind not in {",", ";"} or subject:
                subject.append(token)
        self._check_nothing_left([token for token in subject if token.kind not in {",", ";"}])

    def _passes(self, subject: Sequence[Token], at: Token) -> None:
        for name, token in self._subjects(subject, at):
            if name in self.passes:
                raise wrong(token, f"{name} passes twice")
            self.passes.append(name)

    def _shows(self, subject: Sequence[Token], at: Token, typed: Sequence[Token]) -> None:
        players = self._subjects(subject, at)
        card = None
        if typed and not (len(typed) == 1 and typed[0].kind == "?"):
            named = Names("card", self.cards).matches(typed)
            card = named[0] if len(named) == 1 else self.reader.cards.find(typed)
            self.reader.typed_names.append((card, typed[0]))
            if len(players) > 1:
                raise wrong(typed[0], f"only one player can show {card}")
        for name, token in players:
            if any(show.by == name for show in self.shows):
                raise wrong(token, f"{name} shows one card to a suggestion, not two")
            self.shows.append(Show(name, card))

    def _subjects(self, subject: Sequence[Token], verb: Token) -> list[TypedName]:
        named = self.reader.players.split(subject)
        if not named:
            raise wrong(verb, f"the name of a player is missing before {verb.text!r}")
        self.reader.typed_names.extend(named)
        return named

    def _until(self, arrow: Token, rest: list[Token]) -> None:
        """Read ``-> Cid``: those between the suggester and Cid who did not answer yet pass."""
        if arrow.word == "clockwise" and rest and rest[0].word == "to":
            rest.pop(0)
        ends = {*SHOW, *PASS}
        end = next(
            (i for i, t in enumerate(rest) if t.kind in {",", ";", "-", "+"} or t.word in ends),
            len(rest),
        )
        subject, rest[:end] = rest[:end], []
        if len(subject) == 1 and subject[0].word in NO_PLAYER:
            self._rest_passes(rest)
            return
        if not subject:
            raise wrong(arrow, f"the name of a player is missing after {arrow.text!r}")
        name = self.reader.players.find(subject)
        self.reader.typed_names.append((name, subject[0]))
        if name == self.by:
            raise wrong(subject[0], f"{name} suggests and cannot answer")
        order = self.reader.game.after(self.by)
        self.passes += [player for player in order[: order.index(name)] if self._is_new(player)]
        verb = rest.pop(0) if rest and rest[0].kind not in {",", ";"} else arrow
        if verb.kind == "-" or verb.word in PASS:
            self._passes(subject, verb)
        else:
            self._shows(subject, verb, _until_separator(rest))

    def _rest_passes(self, rest: list[Token]) -> None:
        while rest and rest[0].word in {"one", *SHOW, *PASS}:
            rest.pop(0)
        self.passes += [
            player for player in self.reader.game.after(self.by) if self._is_new(player)
        ]

    def _is_new(self, player: str) -> bool:
        return player not in self.passes and all(show.by != player for show in self.shows)

    def _check_nothing_left(self, subject: Sequence[Token]) -> None:
        if subject:
            text = " ".join(token.text for token in subject)
            raise wrong(subject[0], f"what did {text} do? `-`: passes; `+` or `shows rope`: shows")


def _until_separator(rest: list[Token]) -> list[Token]:
    end = next((i for i, t in enumerate(rest) if t.kind in {",", ";", "->"}), len(rest))
    typed, rest[:end] = rest[:end], []
    return typed


def parse_event(game: SetUp, text: str) -> Event:
    """Return the event that a line of text states.

    Raises
    ------
    BadInput
        With the column, the word, and what would be right.

    Examples
    --------
    >>> game = SetUp(players=("Ann", "Ben", "Cid", "Dan"))
    >>> parse_event(game, "dan: plum rope br -> cid shows rope")
    Suggestion(by='Dan', cards=('Professor Plum', 'Rope', 'Billiard Room'),
        passes=('Ann', 'Ben'), shows=(Show(by='Cid', card='Rope'),))
    >>> parse_event(game, "dan: pe rev di; ann -").cards
    ('Mrs Peacock', 'Revolver', 'Dining Room')
    >>> parse_event(game, "Ben has ropp")
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: column 9: no card is called 'ropp'; did you mean 'Rope'?
    """
    return read_event(Reader(game), tokens(text))


def read_event(reader: Reader, line: Sequence[Token]) -> Event:
    """Return the event that the tokens of a line state; see `parse_event`."""
    event = reader.event(line)
    try:
        check_event(reader.game, event)
    except BadInput as error:
        token = next(
            (typed for name, typed in reversed(reader.typed_names) if name in error.message),
            line[0],
        )
        raise BadInput(error.message, column=token.column, text=token.text) from None
    return event


def format_event(game: SetUp, event: Event) -> str:
    """Return the event as a line that `parse_event` reads back to an equal event.

    >>> game = SetUp(players=("Ann", "Ben", "Cid"))
    >>> format_event(game, parse_event(game, "ann: plum rope hall -> cid + rope"))
    'Ann: Professor Plum, Rope, Hall; Ben -; Cid shows Rope'
    """
    match event:
        case Hand(player, cards):
            return f"hand {quote(player)}: {_list(cards) or '-'}"
        case Suggestion(by, cards, passes, shows):
            answers = [f"; {_list(passes)} -"] if passes else []
            answers += [
                f"; {quote(show.by)} shows{'' if show.card is None else ' ' + quote(show.card)}"
                for show in shows
            ]
            return f"{quote(by)}: {_list(cards)}{''.join(answers)}"
        case Accusation(by, cards, correct):
            return f"{quote(by)} accuses {_list(cards)}: {'right' if correct else 'wrong'}"
        case Has(holder, card, known_to):
            return f"{_holder(holder)} has {quote(card)}{_seen_by(known_to)}"
        case HasNot(holder, card, known_to):
            return f"{_holder(holder)} has not {quote(card)}{_seen_by(known_to)}"
        case OneOf(holder, cards, known_to):
            return f"{_holder(holder)} has one of {_list(cards)}{_seen_by(known_to)}"


def _holder(name: str) -> str:
    return name if name in {ENVELOPE, UNDEALT} else quote(name)


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(quote, names))


def _seen_by(known_to: Sequence[str] | None) -> str:
    if known_to is None:
        return ""
    return f" (seen by {_list(known_to) or 'nobody'})"


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
    lines.append(players_line(game.players, game.hands))
    if game.me is not None:
        lines.append(f"me: {quote(game.me)}")
    if game.face_up:
        lines.append(f"face up: {', '.join(map(quote, game.face_up))}")
    if game.undealt:
        lines.append(f"undealt: {game.undealt}")
    if game.free_suggestions:
        lines.append("suggestions: free")
    return "\n".join(lines) + "\n\n"


def players_line(players: Sequence[str], hands: Sequence[int | None] | None) -> str:
    """Return the line of the players, with the sizes of their hands."""
    items = list(map(_quote_item, players))
    if hands is not None:
        sizes = ("?" if size is None else size for size in hands)
        items = [f"{item} {size}" for item, size in zip(items, sizes, strict=True)]
    return f"players: {', '.join(items)}"


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
        _add_category(self.deck, line)

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
    groups = _items(typed)
    if len(groups) < 2:  # separated by blanks alone, each perhaps with a size after it
        words, groups = [token for group in groups for token in group], []
        for token in words:
            if groups and len(groups[-1]) == 1 and _is_size(token):
                groups[-1].append(token)
            else:
                groups.append([token])
    players = [_player(group) for group in groups]
    has_sizes = any(len(group) > 1 and _is_size(group[-1]) for group in groups)
    sizes = tuple(size for _, size in players) if has_sizes else None
    return tuple(name for name, _ in players), sizes


def read_deck(text: str) -> dict[str, tuple[str, ...]]:
    """Return a deck of one's own from its categories, one per line, as in a log.

    >>> read_deck("weapon: Rope, Axe")
    {'weapon': ('Rope', 'Axe')}
    """
    deck: dict[str, tuple[str, ...]] = {}
    for line in filter(None, map(tokens, text.splitlines())):
        _add_category(deck, line)
    return deck


def _add_category(deck: dict[str, tuple[str, ...]], typed: Sequence[Token]) -> None:
    """Add a category and its cards, as in ``suspect: Plum, White``, to a deck."""
    colon = next((i for i, token in enumerate(typed) if token.kind == ":"), 0)
    if not colon:
        raise wrong(typed[0], "a category and its cards are written `suspect: Plum, White`")
    category = _raw(typed[:colon])
    cards = tuple(_raw(item) for item in _items(typed[colon + 1 :]))
    if not cards:
        raise wrong(typed[0], f"the category {category!r} has no cards")
    if category in deck:
        raise wrong(typed[0], f"the category {category!r} is given twice")
    deck[category] = cards


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


def _is_size(token: Token) -> bool:
    return token.kind == "?" or (token.kind == "word" and _is_number(token.text))


def _player(item: Sequence[Token]) -> tuple[str, int | None]:
    """Return name and hand size; ``None``: not known, or not written."""
    *name, last = item
    if not name or not _is_size(last):
        return _raw(item), None
    if len(last.text) > MAX_DIGITS:
        raise wrong(last, f"{last.text[:20]} cards are too many")
    return _raw(name), None if last.kind == "?" else int(last.text)
