"""The text notation of Cluedo: a log that one types at the table, one event a line.

A log begins with the set-up, and the events follow; ``#`` begins a comment::

    deck: classic                      # or clue, clue-orchid, master; left out: classic
    players: Ann 6, Ben 6, Cid ?       # in seat order; no numbers: dealt evenly; ?: not known
    me: Ann                            # who keeps the log; left out: a bystander
    face up: Rope, Hall
    undealt: 2

Own cards come before the players, one category a line: ``suspect: Plum, White``. Then

======================================  =========================================================
``hand Ann: rope, hall, plum``          Ann's complete hand (``hand:`` is that of ``me``)
``Ann: plum rope hall; Ben -; Cid +``   a suggestion; Ben passes; Cid shows a card, not seen
``...; Ben, Cid -; Dan + rope``         Ben and Cid pass; Dan shows Rope
``... -> Cid + rope``                   all between Ann and Cid in seat order pass
``...; nobody``                         nobody shows: all that are not named pass
``Ann: plum rope hall``                 the answers were not recorded: says nothing
``Ann accuses plum rope hall: wrong``   an accusation; or ``: right``
``Ben has rope``                        also of the ``envelope``, and of the ``undealt`` pile
``Ben has not rope``                    also ``hasn't``, ``no``
``Ben has one of rope, hall``           also ``has rope or hall``
``Ben has rope (seen by Ann, Cid)``     who learnt it; left out: everybody
======================================  =========================================================

``-`` can be said ``passes``, ``+`` ``shows``, ``->`` ``clockwise to``, ``+ ?`` and a bare ``+``
``shows``; ``me`` and ``I`` are the keeper of the log. How names are shortened and quoted:
`games.cluedo.names`. Passes are never derived from the seating unless ``->`` or ``nobody`` says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from deduce.constraints import Fact, is_, is_not
from deduce.errors import BadInput
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Show, Suggestion
from games.cluedo.names import Names, Place, Token, quote, tokens
from games.cluedo.rules import Cluedo

__all__ = ["format_event", "parse_event", "parse_fact", "read_event"]

SUGGEST = {"suggests", "suggest", "suggested", "asks"}
ACCUSE = {"accuses", "accuse", "accused"}
HAVE = {"has", "have", "hasnt", "does", "doesnt", "no"}
PASS = {"passes", "pass", "passed", "no", "nothing"}
SHOW = {"shows", "show", "showed", "shown"}
NOBODY = {"nobody", "noone", "none"}
RIGHT = {"right": True, "correct": True, "true": True, "wrong": False, "false": False}

EXAMPLE = "`Ann: plum rope hall; Ben -; Cid shows rope`"


def parse_event(game: Cluedo, text: str) -> Event:
    """Return the event that a line of text says.

    Raises
    ------
    BadInput
        With the column, the word, and what would be right.

    Examples
    --------
    >>> game = Cluedo(players=("Ann", "Ben", "Cid", "Dan"))
    >>> parse_event(game, "dan: plum rope br -> cid shows rope")
    Suggestion(by='Dan', cards=('Professor Plum', 'Rope', 'Billiard Room'),
        passes=('Ann', 'Ben'), shows=(Show(by='Cid', card='Rope'),))
    >>> parse_event(game, "Ben has ropp")
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: column 9: no card is called 'ropp'; did you mean 'Rope'?
    """
    return read_event(game, tokens(text))


def read_event(game: Cluedo, line: Sequence[Token]) -> Event:
    """Return the event that the tokens of a line say; see `parse_event`."""
    reader = _Reader(game)
    event = reader.event(line)
    try:
        game.check(event)
    except BadInput as error:
        place = next((t for name, t in reversed(reader.places) if name in error.message), line[0])
        raise BadInput(error.message, column=place.column, text=place.text) from None
    return event


def parse_fact(game: Cluedo, text: str) -> Fact:
    """Return the fact that ``CARD=HOLDER`` (or ``CARD!=HOLDER``) says.

    >>> str(parse_fact(Cluedo(players=("Ann", "Ben")), "rope=ann"))
    'Rope is Ann'
    """
    line = tokens(text)
    at = next((i for i, token in enumerate(line) if token.kind in ("=", "!=")), None)
    if at in (None, 0, len(line) - 1):
        raise BadInput("a fact is written CARD=HOLDER, such as rope=ann", text=text)
    reader = _Reader(game)
    card, holder = reader.cards.find(line[:at]), reader.holders.find(line[at + 1 :])
    if card in game.face_up:
        raise BadInput(f"{card} lies face up on the table; nobody holds it", column=1, text=card)
    return is_(card, holder) if line[at].kind == "=" else is_not(card, holder)


def format_event(game: Cluedo, event: Event) -> str:
    """Return the event as a line that `parse_event` reads back to an equal event.

    >>> game = Cluedo(players=("Ann", "Ben", "Cid"))
    >>> format_event(game, Suggestion("Ann", ("Rope",), ("Ben",), (Show("Cid", "Rope"), )))
    'Ann: Rope; Ben -; Cid shows Rope'
    """
    match event:
        case Hand(player, cards):
            return f"hand {quote(player)}: {_list(cards)}"
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
            return f"{quote(holder)} has {quote(card)}{_seen_by(known_to)}"
        case HasNot(holder, card, known_to):
            return f"{quote(holder)} has not {quote(card)}{_seen_by(known_to)}"
        case OneOf(holder, cards, known_to):
            return f"{quote(holder)} has one of {_list(cards)}{_seen_by(known_to)}"


def _list(names: Sequence[str]) -> str:
    return ", ".join(map(quote, names))


def _seen_by(known_to: Sequence[str] | None) -> str:
    if known_to is None:
        return ""
    return f" (seen by {_list(known_to) or 'nobody'})"


@define
class _Reader:
    """Reads one line; remembers where each name was typed."""

    game: Cluedo
    places: list[Place] = field(factory=list)

    @property
    def players(self) -> Names:
        me = self.game.me
        return Names("player", self.game.players, {"me": me, "i": me} if me else {})

    @property
    def holders(self) -> Names:
        return Names("holder", self.game.holders, self.players.also)

    @property
    def cards(self) -> Names:
        return Names("card", self.game.cards)

    def event(self, line: Sequence[Token]) -> Event:
        if not line:
            raise BadInput(f"there is no event on this line; one is {EXAMPLE}")
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
            f"this says nothing that happens at the table; an event is {EXAMPLE}",
            column=line[0].column,
            text=line[0].text,
        )

    # The kinds of event

    def _hand(self, line: Sequence[Token]) -> Hand:
        colon = next((i for i, token in enumerate(line) if token.kind == ":"), None)
        if colon is None:
            raise _wrong(line[-1], "a hand is written `hand Ann: rope, hall`")
        if colon == 1:
            if self.game.me is None:
                raise _wrong(line[0], "whose hand? `hand Ann: rope, hall`; there is no `me:`")
            player = self.game.me
        else:
            player = self._one(self.players, line[1:colon], line[colon])
        return Hand(player, self._list(self.cards, line[colon + 1 :], line[colon]))

    def _suggestion(self, who: Sequence[Token], rest: Sequence[Token], colon: Token) -> Suggestion:
        by = self._one(self.players, who, colon)
        end = next((i for i, token in enumerate(rest) if _begins_answers(token)), len(rest))
        try:
            cards = self._list(self.cards, rest[:end], colon, len(self.game.deck))
        except BadInput as error:
            typed = next((token for token in rest[:end] if token.text == error.text), None)
            if typed is None or not self.players.matches([typed]):
                raise
            raise _wrong(typed, f"{error.message}; answers come after a `;`") from None
        answers = _Answers(self, by, cards)
        answers.read(list(rest[end:]))
        return Suggestion(by, cards, tuple(answers.passes), tuple(answers.shows))

    def _accusation(self, who: Sequence[Token], rest: Sequence[Token], verb: Token) -> Accusation:
        by = self._one(self.players, who, verb)
        if not rest or rest[-1].word not in RIGHT:
            raise _wrong(
                rest[-1] if rest else verb,
                "was it right? an accusation ends with `: right` or `: wrong`",
            )
        named = list(rest[:-1])
        while named and named[-1].kind in {":", ";", ",", "-"}:
            named.pop()
        cards = self._list(self.cards, named, verb, len(self.game.deck))
        return Accusation(by, cards, RIGHT[rest[-1].word])

    def _has(self, who: Sequence[Token], rest: Sequence[Token]) -> Event:
        holder = self._one(self.holders, who, rest[0])
        rest, known_to = self._known_to(rest)
        verb: list[str] = []
        while len(verb) < len(rest) and rest[len(verb)].word in {*HAVE, "not", "one", "of"}:
            verb.append(rest[len(verb)].word)
        phrase, named = " ".join(verb), rest[len(verb) :]
        one_of = phrase in {"has one of", "have one of"}
        yes = phrase in {"has", "have"}
        if not one_of and not yes and phrase not in _HAS_NOT:
            raise _wrong(rest[0], f"{phrase!r}? say `has`, `has not` or `has one of`")
        cards = self._list(self.cards, named, rest[0])
        if one_of or (yes and any(token.word == "or" for token in named)):
            return OneOf(holder, cards, known_to)
        if len(cards) != 1:
            raise _wrong(
                named[0], "one card a line here; `has one of rope, hall` if it is not known which"
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
            raise _wrong(rest[at], "in brackets stands `(seen by Ann, Cid)`, last on the line")
        inner = inner[2:-1]
        if len(inner) == 1 and inner[0].word in NOBODY:
            return rest[:at], ()
        return rest[:at], self._list(self.players, inner, rest[at])

    # Names

    def _one(self, names: Names, typed: Sequence[Token], at: Token) -> str:
        if not typed:
            raise _wrong(at, f"the name of a {names.what} is missing before {at.text!r}")
        name = names.find(typed)
        self.places.append((name, typed[0]))
        return name

    def _list(
        self, names: Names, typed: Sequence[Token], at: Token, number: int | None = None
    ) -> tuple[str, ...]:
        places = names.split(typed, number)
        if not places:
            raise _wrong(at, f"after {at.text!r} no {names.what} is named")
        self.places += places
        return tuple(name for name, _ in places)


@define
class _Answers:
    """Reads the answers to a suggestion."""

    reader: _Reader
    by: str
    cards: tuple[str, ...]
    passes: list[str] = field(factory=list)
    shows: list[Show] = field(factory=list)

    def read(self, rest: list[Token]) -> None:
        who: list[Token] = []
        while rest:
            token = rest.pop(0)
            if token.kind == "->" or token.word == "clockwise":
                self._nothing_open(who)
                self._until(token, rest)
            elif token.word in NOBODY or (token.word == "no" and rest and rest[0].word == "one"):
                self._nothing_open(who)
                self._rest_passes(rest)
            elif token.kind == "-" or token.word in PASS:
                self._passes(who, token)
                who = []
            elif token.kind == "+" or token.word in SHOW:
                typed = _until_separator(rest)
                if len(typed) == 1 and typed[0].word in {"nothing", *NOBODY}:
                    self._passes(who, token)
                else:
                    self._shows(who, token, typed)
                who = []
            elif token.kind not in {",", ";"} or who:
                who.append(token)
        self._nothing_open([token for token in who if token.kind not in {",", ";"}])

    def _passes(self, who: Sequence[Token], at: Token) -> None:
        for name, token in self._who(who, at):
            if name in self.passes:
                raise _wrong(token, f"{name} passes twice")
            self.passes.append(name)

    def _shows(self, who: Sequence[Token], at: Token, typed: Sequence[Token]) -> None:
        players = self._who(who, at)
        card = None
        if typed and not (len(typed) == 1 and typed[0].kind == "?"):
            named = Names("card", self.cards).matches(typed)
            card = named[0] if len(named) == 1 else self.reader.cards.find(typed)
            self.reader.places.append((card, typed[0]))
            if len(players) > 1:
                raise _wrong(typed[0], f"only one player can show {card}")
        for name, token in players:
            if any(show.by == name for show in self.shows):
                raise _wrong(token, f"{name} shows one card to a suggestion, not two")
            self.shows.append(Show(name, card))

    def _who(self, who: Sequence[Token], verb: Token) -> list[Place]:
        places = self.reader.players.split(who)
        if not places:
            raise _wrong(verb, f"who? the name of a player is missing before {verb.text!r}")
        self.reader.places += places
        return places

    def _until(self, arrow: Token, rest: list[Token]) -> None:
        """Read ``-> Cid``: those between the suggester and Cid who did not answer yet pass."""
        if arrow.word == "clockwise" and rest and rest[0].word == "to":
            rest.pop(0)
        end = next((i for i, token in enumerate(rest) if _ends_name(token)), len(rest))
        who, rest[:end] = rest[:end], []
        if len(who) == 1 and who[0].word in NOBODY:
            self._rest_passes(rest)
            return
        name = self.reader._one(self.reader.players, who, arrow)
        if name == self.by:
            raise _wrong(who[0], f"{name} suggests and cannot answer")
        order = self._order()
        self.passes += [player for player in order[: order.index(name)] if self._is_new(player)]
        verb = rest.pop(0) if rest and rest[0].kind not in {",", ";"} else arrow
        if verb.kind == "-" or verb.word in PASS:
            self._passes(who, verb)
        else:
            self._shows(who, verb, _until_separator(rest))

    def _rest_passes(self, rest: list[Token]) -> None:
        while rest and rest[0].word in {"one", *SHOW, *PASS}:
            rest.pop(0)
        self.passes += [player for player in self._order() if self._is_new(player)]

    def _order(self) -> list[str]:
        """Return the other players in seat order, from the suggester's left."""
        players = self.reader.game.players
        seat = players.index(self.by)
        return [*players[seat + 1 :], *players[:seat]]

    def _is_new(self, player: str) -> bool:
        return player not in self.passes and all(show.by != player for show in self.shows)

    def _nothing_open(self, who: Sequence[Token]) -> None:
        if who:
            text = " ".join(token.text for token in who)
            raise _wrong(who[0], f"what did {text} do? `-` passes, `+` or `shows rope` shows")


_HAS_NOT = {
    "has not", "has no", "have no", "have not", "hasnt", "hasnt have", "no", "does not have",
    "doesnt have",
}  # fmt: skip


def _begins_answers(token: Token) -> bool:
    return token.kind in {";", "->", "-", "+"} or token.word in {"clockwise", *NOBODY, *SHOW, *PASS}


def _ends_name(token: Token) -> bool:
    return token.kind in {",", ";", "-", "+"} or token.word in {*SHOW, *PASS}


def _until_separator(rest: list[Token]) -> list[Token]:
    end = next((i for i, t in enumerate(rest) if t.kind in {",", ";", "->"}), len(rest))
    typed, rest[:end] = rest[:end], []
    return typed


def _wrong(token: Token, message: str) -> BadInput:
    return BadInput(message, column=token.column, text=token.text)
