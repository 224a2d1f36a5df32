"""The answers to a suggestion: who passed, who showed; see `games.cluedo.notation.events`."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, field

from games.cluedo.events import Show
from games.cluedo.notation.names import Names, Place
from games.cluedo.notation.tokens import Token, wrong

__all__ = ["NOBODY", "Answers", "begins_answers"]

PASS = {"passes", "pass", "passed", "no", "nothing"}
SHOW = {"shows", "show", "showed", "shown"}
NOBODY = {"nobody", "noone", "none"}


def begins_answers(token: Token) -> bool:
    """Return whether this token ends the cards of a suggestion."""
    return token.kind in {";", "->", "-", "+"} or token.word in {"clockwise", *NOBODY, *SHOW, *PASS}


@define
class Answers:
    """Reads the answers to a suggestion of ``cards`` by ``by``."""

    seats: tuple[str, ...]
    players: Names
    deck: Names
    by: str
    cards: tuple[str, ...]
    places: list[Place]
    passes: list[str] = field(factory=list)
    shows: list[Show] = field(factory=list)

    def read(self, rest: list[Token]) -> None:
        """Take all the tokens after the cards."""
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
                raise wrong(token, f"{name} passes twice")
            self.passes.append(name)

    def _shows(self, who: Sequence[Token], at: Token, typed: Sequence[Token]) -> None:
        players = self._who(who, at)
        card = None
        if typed and not (len(typed) == 1 and typed[0].kind == "?"):
            named = Names("card", self.cards).matches(typed)
            card = named[0] if len(named) == 1 else self.deck.find(typed)
            self.places.append((card, typed[0]))
            if len(players) > 1:
                raise wrong(typed[0], f"only one player can show {card}")
        for name, token in players:
            if any(show.by == name for show in self.shows):
                raise wrong(token, f"{name} shows one card to a suggestion, not two")
            self.shows.append(Show(name, card))

    def _who(self, who: Sequence[Token], verb: Token) -> list[Place]:
        places = self.players.split(who)
        if not places:
            raise wrong(verb, f"who? the name of a player is missing before {verb.text!r}")
        self.places += places
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
        if not who:
            raise wrong(arrow, f"up to whom? a player's name is missing after {arrow.text!r}")
        name = self.players.find(who)
        self.places.append((name, who[0]))
        if name == self.by:
            raise wrong(who[0], f"{name} suggests and cannot answer")
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
        seat = self.seats.index(self.by)
        return [*self.seats[seat + 1 :], *self.seats[:seat]]

    def _is_new(self, player: str) -> bool:
        return player not in self.passes and all(show.by != player for show in self.shows)

    def _nothing_open(self, who: Sequence[Token]) -> None:
        if who:
            text = " ".join(token.text for token in who)
            raise wrong(who[0], f"what did {text} do? `-` passes, `+` or `shows rope` shows")


def _ends_name(token: Token) -> bool:
    return token.kind in {",", ";", "-", "+"} or token.word in {*SHOW, *PASS}


def _until_separator(rest: list[Token]) -> list[Token]:
    end = next((i for i, t in enumerate(rest) if t.kind in {",", ";", "->"}), len(rest))
    typed, rest[:end] = rest[:end], []
    return typed
