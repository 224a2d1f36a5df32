"""Reading one event from the tokens of a line; the grammar is in `games.cluedo.notation`."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field, frozen

from deduce.errors import BadInput
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Show, Suggestion
from games.cluedo.notation.names import Names, Token, TypedName, wrong
from games.cluedo.setup import SetUp, in_another_deck

__all__ = ["Reader"]

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
        end = next((i for i, token in enumerate(rest) if _ends_name(token)), len(rest))
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


def _ends_name(token: Token) -> bool:
    return token.kind in {",", ";", "-", "+"} or token.word in {*SHOW, *PASS}


def _until_separator(rest: list[Token]) -> list[Token]:
    end = next((i for i, t in enumerate(rest) if t.kind in {",", ";", "->"}), len(rest))
    typed, rest[:end] = rest[:end], []
    return typed
