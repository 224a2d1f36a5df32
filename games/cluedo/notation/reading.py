"""Reading one event from the tokens of a line; the grammar is in `games.cluedo.notation.events`."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from deduce.errors import BadInput
from games.cluedo.events import Accusation, Event, Hand, Has, HasNot, OneOf, Suggestion
from games.cluedo.game import Cluedo
from games.cluedo.notation.answers import NOBODY, Answers, begins_answers
from games.cluedo.notation.names import Names, Place
from games.cluedo.notation.tokens import Token, wrong

__all__ = ["Reader"]

SUGGEST = {"suggests", "suggest", "suggested", "asks"}
ACCUSE = {"accuses", "accuse", "accused"}
HAVE = {"has", "have", "hasnt", "does", "doesnt", "no"}
HAS_NOT = {
    "has not", "has no", "have no", "have not", "hasnt", "hasnt have", "no", "does not have",
    "doesnt have",
}  # fmt: skip
RIGHT = {"right": True, "correct": True, "true": True, "wrong": False, "false": False}

EXAMPLE = "`Ann: plum rope hall; Ben -; Cid shows rope`"


@define
class Reader:
    """Reads one line; remembers where each name was typed."""

    game: Cluedo
    players: Names = field(init=False)
    holders: Names = field(init=False)
    cards: Names = field(init=False)
    places: list[Place] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        me = self.game.me
        also = {"me": me, "i": me} if me else {}
        self.players = Names("player", self.game.players, also)
        self.holders = Names("holder", self.game.holders, also)
        self.cards = Names("card", self.game.cards)

    def event(self, line: Sequence[Token]) -> Event:
        """Return the event; whether it can be in this game is not checked."""
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

    def _suggestion(self, who: Sequence[Token], rest: Sequence[Token], colon: Token) -> Suggestion:
        by = self._one(self.players, who, colon)
        end = next((i for i, token in enumerate(rest) if begins_answers(token)), len(rest))
        try:
            cards = self._list(self.cards, rest[:end], colon, len(self.game.deck))
        except BadInput as error:
            typed = next((token for token in rest[:end] if token.text == error.text), None)
            if typed is None or not self.players.matches([typed]):
                raise
            told = error.message.partition(" (")[0]  # not the cards: a player is meant
            raise wrong(typed, f"{told}; answers come after a `;`") from None
        answers = Answers(self.game.players, self.players, self.cards, by, cards, self.places)
        answers.read(list(rest[end:]))
        return Suggestion(by, cards, tuple(answers.passes), tuple(answers.shows))

    def _accusation(self, who: Sequence[Token], rest: Sequence[Token], verb: Token) -> Accusation:
        by = self._one(self.players, who, verb)
        if not rest or rest[-1].word not in RIGHT:
            raise wrong(
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
        if not one_of and not yes and phrase not in HAS_NOT:
            raise wrong(rest[0], f"{phrase!r}? say `has`, `has not` or `has one of`")
        cards = self._list(self.cards, named, rest[0])
        if one_of or (yes and any(token.word == "or" for token in named)):
            return OneOf(holder, cards, known_to)
        if len(cards) != 1:
            raise wrong(
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
            raise wrong(rest[at], "in brackets stands `(seen by Ann, Cid)`, last on the line")
        inner = inner[2:-1]
        if len(inner) == 1 and inner[0].word in NOBODY:
            return rest[:at], ()
        return rest[:at], self._list(self.players, inner, rest[at])

    # Names

    def _one(self, names: Names, typed: Sequence[Token], at: Token) -> str:
        if not typed:
            raise wrong(at, f"the name of a {names.what} is missing before {at.text!r}")
        name = names.find(typed)
        self.places.append((name, typed[0]))
        return name

    def _list(
        self, names: Names, typed: Sequence[Token], at: Token, number: int | None = None
    ) -> tuple[str, ...]:
        places = names.split(typed, number)
        if not places:
            raise wrong(at, f"after {at.text!r} no {names.what} is named")
        self.places += places
        return tuple(name for name, _ in places)
