"""One run of the game, step by step: played by the referee, seen by every seat, saved as lines.

A session is a value; a step makes a new one that remembers the one before, so undo keeps the old.
Its file is JSON lines: the header with the set-up and the deal, then an option or a drawn card a
line, so that a game can be appended to, read by people and taken up again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from attrs import field, frozen

from deduce.display import Displayed
from deduce.errors import BadInput, BadProblem
from deduce.jsontext import parse_json
from games.propre.cards import Card, parse_cards
from games.propre.explain import play
from games.propre.hidden import View
from games.propre.notation import (
    HIDDEN,
    parse_option,
    state_from_json,
    state_to_json,
)
from games.propre.rules import Rules
from games.propre.setup import parse_rules, rules_to_json
from games.propre.state import Option, State

__all__ = ["Session"]

SCHEMA = "deduce/propre-game/1"


@frozen(repr=False)
class Session(Displayed):
    """A game so far.

    Examples
    --------
    >>> session = Session.dealt(Rules(), Random(1))
    >>> session = session.settled(Random(2))
    >>> len(session.state.hand), Session.parse(session.text()).state == session.state
    (7, True)
    """

    rules: Rules
    state: State
    """The referee's state; all that is left to draw is stock."""
    views: tuple[View, ...]
    """What each seat sees."""
    step: Option | Card | None = None
    """The option played or the card drawn last."""
    before: Session | None = field(default=None, eq=False)

    @classmethod
    def dealt(cls, rules: Rules, random: Random) -> Session:
        """Return a game after a shuffled deal."""
        cards = list(rules.deck)
        random.shuffle(cards)
        return cls.of(rules, rules.deal(cards, known_order=False))

    @classmethod
    def of(cls, rules: Rules, state: State) -> Session:
        """Return a game that begins in a state with open hands.

        Raises
        ------
        BadInput
            A hand is not known, or the order of the deck is.
        """
        if any(HIDDEN in hand for hand in state.hands) or HIDDEN in state.stock:
            raise BadInput("a game to be played needs every hand; some cards are unseen here")
        if state.deck:
            state = state._replace(deck=(), stock=tuple(sorted(state.deck + state.stock)))
        views = tuple(View.of(rules, state, seat) for seat in range(rules.players))
        return cls(rules, state, views)

    def __repr__(self) -> str:
        return f"<Session of {self.rules.players} players after {len(list(self.steps()))} steps>"

    def __str__(self) -> str:
        """Return the table as the referee sees it, all hands open."""
        return str(self.state)

    def _repr_html_(self) -> str:
        return self.state._repr_html_()

    # Steps

    def play(self, option: Option) -> Session:
        """Return the game after an option.

        Raises
        ------
        IllegalOption
            With the paragraphs that forbid it.
        """
        after = play(self.rules, self.state, option)
        views = tuple(view.after_option(self.state, option, after) for view in self.views)
        return Session(self.rules, after, views, option, self)

    def draw(self, card: Card) -> Session:
        """Return the game after a card was drawn by the player at turn.

        Raises
        ------
        BadInput
            No card is due, or this one cannot be drawn.
        """
        try:
            after = self.rules.draw(self.state, card)
        except BadProblem as error:
            raise BadInput(str(error)) from error
        views = tuple(view.after_draw(self.state, card, after) for view in self.views)
        return Session(self.rules, after, views, card, self)

    def settled(self, random: Random) -> Session:
        """Return the game after all cards that are due were drawn at random."""
        session = self
        while session.state.due:
            session = session.draw(random.choice(session.state.stock))
        return session

    def undone(self, seat: int | None = None) -> Session:
        """Return the game before the last option, or before the last one of a seat.

        At the beginning, or where the seat has chosen nothing yet, the game as it is.
        """
        session: Session | None = self
        while session is not None and session.before is not None:
            earlier = session.before
            if isinstance(session.step, Option) and seat in (None, earlier.state.active):
                return earlier
            session = earlier
        return self

    def steps(self) -> Iterator[tuple[State, Option | Card]]:
        """Yield every step with the state before it, the first one first."""
        made = []
        session = self
        while session.before is not None and session.step is not None:
            made.append((session.before.state, session.step))
            session = session.before
        return reversed(made)

    # Text

    def text(self) -> str:
        """Return the file of the game."""
        first = self
        while first.before is not None:
            first = first.before
        header = {
            "schema": SCHEMA,
            "rules": rules_to_json(self.rules),
            "start": state_to_json(first.state),
        }
        lines = [json.dumps(header)]
        for state, step in self.steps():
            told: dict[str, Any] = {"seat": state.active}
            told |= {"option": str(step)} if isinstance(step, Option) else {"draw": step}
            lines.append(json.dumps(told))
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Session:
        """Return the game of a file, every step of it checked.

        Raises
        ------
        BadInput
            With the line, and what would be right.
        """
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if not lines:
            raise BadInput("the file is empty; it begins with the set-up", source=source)
        session: Session | None = None
        for number, line in lines:
            try:
                told = _object(line)
                session = cls._header(told) if session is None else session._stepped(told)
            except BadInput as error:
                raise error.at(source=source, line=number) from error
        assert session is not None
        return session

    @classmethod
    def _header(cls, told: dict[str, Any]) -> Session:
        if told.get("schema") != SCHEMA:
            raise BadInput(f'a saved game begins with "schema": "{SCHEMA}"')
        if not isinstance(told.get("rules"), dict) or not isinstance(told.get("start"), dict):
            raise BadInput('the first line of a saved game needs "rules" and "start"')
        rules = parse_rules(told["rules"])
        return cls.of(rules, state_from_json(told["start"], rules))

    def _stepped(self, told: dict[str, Any]) -> Session:
        if told.get("seat") != self.state.active:
            raise BadInput(
                f"it is the turn of seat {self.state.active}, not of seat {told.get('seat')}"
            )
        option, card = told.get("option"), told.get("draw")
        if isinstance(option, str) and card is None:
            return self.play(parse_option(option, self.rules, self.state))
        if isinstance(card, str) and option is None:
            drawn = parse_cards(card)
            if len(drawn) == 1:
                return self.draw(drawn[0])
        raise BadInput('a step is {"seat": 0, "option": "attack 2H"} or {"seat": 0, "draw": "2H"}')


def _object(line: str) -> dict[str, Any]:
    try:
        told = parse_json(line)
    except BadInput as error:  # its line is the first of this text, which is one of many
        raise BadInput(error.message, column=error.column) from None
    if not isinstance(told, dict):
        raise BadInput("each line of a saved game is one object")
    return told
