"""One run of the game, step by step: checked, observed by every seat, saved as lines.

A playthrough is a value; a step makes a new one. Its file is JSON lines: the header with the set-up
and the state at the beginning, then one option or one drawn card a line. A game that is being
played can be appended to it, people can read it, and it can be resumed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

from attrs import frozen

from deduce.errors import BadInput, BadProblem, placed
from deduce.logs.document import History
from deduce.logs.events import read_object
from deduce.logs.json_values import structure
from deduce.system.display import Displayed
from deduce.system.text import plural
from games.propre.evidence import Observation
from games.propre.notation import parse_rules, state_from_json, state_to_json
from games.propre.rules import Rules
from games.propre.setup import HIDDEN, Card, Option, Saying, State, parse_cards, setup_to_json
from games.propre.wording import parse_option, play

__all__ = ["SCHEMA", "Playthrough"]

SCHEMA = "deduce/propre-game/1"
Step: TypeAlias = Option | Card | Saying


@frozen
class _Header:
    """The first line of a saved game."""

    schema: str
    rules: dict[str, Any]
    start: dict[str, Any]


@frozen
class _Line:
    """A further line of a saved game: what a seat has chosen, drawn or said."""

    seat: int
    option: str | None = None
    draw: str | None = None
    say: str | None = None
    drawn: str = ""
    """The card drawn for what was said."""


@frozen(repr=False)
class Playthrough(Displayed):
    """A game up to some step.

    Examples
    --------
    >>> game = Playthrough.dealt(Rules(), Random(1))
    >>> game = game.settled(Random(2))
    >>> len(game.state.hand), Playthrough.parse(game.text()) == game
    (7, True)
    """

    rules: Rules
    start: State
    """The referee's state at the beginning."""
    state: State
    """The referee's state; all cards to be drawn are stock."""
    observations: tuple[Observation, ...]
    """What each seat sees."""
    steps: tuple[tuple[int, Step], ...] = ()
    """For each step the seat, and its option, the card that it drew, or what it said."""

    @classmethod
    def dealt(cls, rules: Rules, random: Random) -> Playthrough:
        """Return a game after a shuffled deal."""
        cards = list(rules.deck)
        random.shuffle(cards)
        return cls.of(rules, rules.deal(cards, known_order=False))

    @classmethod
    def of(cls, rules: Rules, state: State) -> Playthrough:
        """Return a game that begins in a state with open hands.

        Raises
        ------
        BadInput
            A hand is not known.
        """
        if any(HIDDEN in hand for hand in state.hands) or HIDDEN in state.stock:
            raise BadInput("a game to be played needs every hand; some cards are unseen here")
        if state.deck:
            state = state._replace(deck=(), stock=tuple(sorted(state.deck + state.stock)))
        observations = tuple(Observation.of(rules, state, seat) for seat in range(rules.players))
        return cls(rules, state, state, observations)

    def __repr__(self) -> str:
        steps = plural(len(self.steps), "step")
        return f"<Playthrough of {self.rules.players} players after {steps}>"

    # Steps

    def play(self, option: Option) -> Playthrough:
        """Return the game after an option.

        Raises
        ------
        IllegalOption
            With the paragraphs that forbid it.
        """
        after = play(self.rules, self.state, option)
        seen = (each.after_option(self.state, option, after) for each in self.observations)
        return self._after(self.state.active, option, after, seen)

    def draw(self, card: Card) -> Playthrough:
        """Return the game after the player at turn has drawn a card.

        Raises
        ------
        BadInput
            No card is due, or this one cannot be drawn.
        """
        try:
            after = self.rules.draw(self.state, card)
        except BadProblem as error:
            raise BadInput(str(error)) from error
        seen = (each.after_draw(self.state, card, after) for each in self.observations)
        return self._after(self.state.active, card, after, seen)

    def say(self, seat: int, saying: Saying, random: Random | None = None) -> Playthrough:
        """Return the game after a seat has said something (section 6), at any time.

        Parameters
        ----------
        seat
            Any seat, not only that at turn.
        saying
            The words.
        random
            The source of the card that must be drawn, unless ``saying`` has it.

        Raises
        ------
        BadInput
            The set-up has no talk, the game is over, cards are due, or the card cannot be drawn.
        """
        rules, state = self.rules, self.state
        if not rules.talk:
            raise BadInput("this set-up has no talk at the table: begin with --set talk=yes")
        if state.winner >= 0 or state.due or not 0 <= seat < rules.players:
            raise BadInput(f"seat {seat} cannot say anything here")
        ready = rules.penalty(state, saying)
        if ready is not None and random is not None:
            saying = saying._replace(drawn=random.choice(ready.stock))
        try:
            after = rules.say(state, seat, saying)
        except BadProblem as error:
            raise BadInput(str(error)) from error
        seen = (
            each.after_saying(state, seat, saying, ready or state, after)
            for each in self.observations
        )
        return self._after(seat, saying, after, seen)

    def _after(
        self, seat: int, step: Step, state: State, observations: Iterator[Observation]
    ) -> Playthrough:
        steps = (*self.steps, (seat, step))
        return Playthrough(self.rules, self.start, state, tuple(observations), steps)

    def settled(self, random: Random) -> Playthrough:
        """Return the game after all cards that are due were drawn at random."""
        game = self
        while game.state.due:
            game = game.draw(random.choice(game.state.stock))
        return game

    def history(self, seat: int) -> History[Playthrough]:
        """Return this game with the moments before each option and saying of a seat.

        >>> game = Playthrough.dealt(Rules(), Random(1))
        >>> later = game.play(Option("none")).settled(Random(2))
        >>> later.history(game.state.active).undo().now == game
        True
        """
        game = Playthrough.of(self.rules, self.start)
        past: list[Playthrough] = []
        for active, step in self.steps:
            if isinstance(step, str):
                game = game.draw(step)
                continue
            past += [game] if active == seat else []
            game = game.play(step) if isinstance(step, Option) else game.say(active, step)
        return History(self, tuple(past))

    # Text

    def text(self) -> str:
        """Return the file of the game."""
        lines: list[dict[str, object]] = [
            {
                "schema": SCHEMA,
                "rules": setup_to_json(self.rules),
                "start": state_to_json(self.start),
            }
        ]
        for seat, step in self.steps:
            kinds = {Option: "option", Saying: "say"}
            lines.append({"seat": seat, kinds.get(type(step), "draw"): str(step)})
            if isinstance(step, Saying) and step.drawn:
                lines[-1]["drawn"] = step.drawn
        return "".join(json.dumps(line) + "\n" for line in lines)

    @classmethod
    def parse(cls, text: str, source: str | None = None) -> Playthrough:
        """Return the game of a file; every step of it is checked.

        Raises
        ------
        BadInput
            With the line, and what would be right.
        """
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if not lines:
            raise BadInput("the file is empty; it begins with the set-up", source=source)
        game: Playthrough | None = None
        for number, line in lines:
            with placed(source=source, line=number):
                fields = read_object(line)
                game = cls._begun(fields) if game is None else game._continued(fields)
        assert game is not None
        return game

    @classmethod
    def _begun(cls, fields: dict[str, object]) -> Playthrough:
        if fields.get("schema") != SCHEMA:
            raise BadInput(f'a saved game begins with "schema": "{SCHEMA}"')
        header = structure(fields, _Header)
        rules = parse_rules(header.rules)
        return cls.of(rules, state_from_json(header.start, rules))

    def _continued(self, fields: dict[str, object]) -> Playthrough:
        line = structure(fields, _Line)
        if line.say is not None and line.option is None and line.draw is None:
            return self.say(line.seat, Saying.parse(line.say)._replace(drawn=line.drawn))
        if line.seat != self.state.active:
            raise BadInput(f"it is the turn of seat {self.state.active}, not of seat {line.seat}")
        if line.option is not None and line.draw is None:
            return self.play(parse_option(line.option, self.rules, self.state))
        if line.draw is not None and line.option is None:
            cards = parse_cards(line.draw)
            if len(cards) == 1:
                return self.draw(cards[0])
        raise BadInput('a step is {"seat": 0, "option": "attack 2H"} or {"seat": 0, "draw": "2H"}')
