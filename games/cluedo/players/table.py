"""One game from the deal to the end: it asks its players one question after the other.

A turn: the player suggests (from the rooms in reach), the others answer in seat order until one of
them shows a card, and then the player may accuse. A correct accusation wins; a player who accuses
wrongly is out, but goes on answering. The game ends when it is solved, when all players are out, or
after a given number of turns.

A `Table` knows no players: a program, a person or a file can answer its questions. It records what
happens; what each player may see of it is left to `games.cluedo.evidence.seen_event`. The real
board differs from edition to edition: `MODELS` has the models of movement.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Literal, TypeAlias

from attrs import define, evolve, frozen

from deduce.errors import BadInput
from deduce.game import RECORD
from deduce.problem import Problem
from games.cluedo.events import Accusation, Event, Hand, Show, Suggestion
from games.cluedo.evidence import evidence
from games.cluedo.game import Cluedo
from games.cluedo.setup import ENVELOPE

__all__ = [
    "MAX_PLAYERS",
    "MODELS",
    "Answer",
    "Effort",
    "End",
    "Question",
    "Table",
    "ToAccuse",
    "ToShow",
    "ToSuggest",
    "check_record",
    "check_table",
    "with_hand_sizes",
]


MODELS = ("any", "circle")
"""The models of movement: a player reaches all rooms, or those near on a circle.

On a circle the rooms are in the order of the deck, and all players begin in rooms drawn at random.
A turn begins with the roll of a die: with 1 or 2 the player reaches the next room in either
direction, with 3 or 4 up to the second, with 5 or 6 up to the third; the player may also stay."""
MAX_PLAYERS = 10
"""How many players can sit at a table."""


def check_table(players: int, rooms: str = MODELS[0]) -> None:
    """Raise `BadInput` for a number of players that no table has, or an unknown model."""
    if not 2 <= players <= MAX_PLAYERS:
        raise BadInput(f"a game has 2 to {MAX_PLAYERS} players, not {players}")
    if rooms not in MODELS:
        raise BadInput(f"no model of movement is called {rooms!r} ({', '.join(MODELS)})")


End: TypeAlias = Literal["solved", "all out", "turn limit"]


@frozen
class ToSuggest:
    """A player is to suggest; a room that is named must be one of ``rooms``."""

    player: str
    rooms: tuple[str, ...]


@frozen
class ToShow:
    """A player is to show one of their ``cards``; there are at least two.

    ``suggestion`` has the suggester, the named cards, and the players who passed before.
    """

    player: str
    suggestion: Suggestion
    cards: tuple[str, ...]


@frozen
class ToAccuse:
    """A player may accuse at the end of their turn."""

    player: str


Question: TypeAlias = ToSuggest | ToShow | ToAccuse
Answer: TypeAlias = tuple[str, ...] | str | None
"""The named cards; the card that is shown; the accused cards or ``None``."""


@define
class Effort:
    """What a player spent.

    Parameters
    ----------
    decisions
        How often the player was asked to suggest, to show or to accuse.
    seconds
        CPU time of everything the player did, watching included.
    slowest
        CPU time of its slowest decision.
    """

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0


class Table:
    """One game, with all that is hidden in it.

    Parameters
    ----------
    game
        The set-up that all players know, with the size of each hand (`with_hand_sizes`).
    deal
        The holder of each card.
    rooms
        The model of movement.
    dice
        For the movement.
    turns
        After this number of turns, of all players together, the game is given up.
    slips
        The probability that a player who holds one of the named cards overlooks it, and passes.
    memory
        Decides who overlooks a card; needed with ``slips``.

    Examples
    --------
    >>> game = with_hand_sizes(Cluedo(("Ann", "Ben")))
    >>> table = Table(game, game.deal(Random(1)), turns=1)
    >>> type(table.question).__name__, table.question.player
    ('ToSuggest', 'Ann')
    >>> table.answer(("Professor Plum", "Rope", "Hall"))
    >>> table.question, game.format_event(table.events[-1])
    (ToAccuse(player='Ann'), 'Ann: Professor Plum, Rope, Hall; Ben shows Professor Plum')
    >>> table.answer(None)
    >>> table.question, table.end
    (None, 'turn limit')
    """

    def __init__(
        self,
        game: Cluedo,
        deal: Mapping[str, str],
        *,
        rooms: str = "any",
        dice: Random | None = None,
        turns: int = 400,
        slips: Fraction = Fraction(0),
        memory: Random | None = None,
    ) -> None:
        self.game = game
        self.deal = deal
        self.limit = turns
        self.slips = slips
        self._memory = memory or Random()
        self.overlooked: list[tuple[int, str]] = []
        """The passes that are wrong: the number of the event, from 1, and the player."""
        self.turns = 0
        """How many turns have begun, of all players together."""
        self.wrong: list[str] = []
        """The players who accused wrongly, in order."""
        self.winner: str | None = None
        self.end: End | None = None
        """How the game ended, once it has ended."""
        self.hands = {
            name: tuple(card for card, holder in deal.items() if holder == name)
            for name in game.players
        }
        self.events: list[Event] = [Hand(name, hand) for name, hand in self.hands.items()]
        """The record: every hand, every shown card, every accusation."""
        self.answers: list[Answer] = []
        """What has been answered to the questions so far."""
        self.efforts: dict[str, Effort] = {}
        """What each program at the table spent."""
        self.solution = {card for card, holder in deal.items() if holder == ENVELOPE}
        self._rooms = list(game.deck.values())[-1]
        self._dice = dice or Random()
        on_circle = game.players if rooms == "circle" else ()
        self._room_of = {player: self._dice.randrange(len(self._rooms)) for player in on_circle}
        """The index of the room of each player's piece, on a circle."""
        self._steps = self._play()
        self.question: Question | None = next(self._steps)
        """What is asked now; ``None`` once the game has ended."""

    def log(self) -> str:
        """Return the record in the notation of logs, which every command reads."""
        return self.game.format_log(self.events)

    def answer(self, answer: Any) -> None:
        """Answer the question; the game goes on to the next one.

        Raises
        ------
        BadInput
            This is not an answer to the question; the question is still open.
        """
        checked = self._checked(answer)
        self.answers.append(checked)
        try:
            self.question = self._steps.send(checked)
        except StopIteration:
            self.question = None

    def _checked(self, answer: Any) -> Answer:
        """Return the answer, with the cards in the order of the categories."""
        match self.question:
            case ToSuggest(_, rooms):
                cards = self._named(answer, "suggests")
                away = [card for card in cards if card in self._rooms and card not in rooms]
                if away:
                    raise BadInput(f"suggests {away[0]}, which cannot be reached now")
                return cards
            case ToShow(_, _, cards):
                if not isinstance(answer, str) or answer not in cards:
                    raise BadInput(f"shows {answer!r}, which is not one of {', '.join(cards)}")
                return answer
            case ToAccuse():
                return None if answer is None else self._named(answer, "accuses")
        raise BadInput("answers, but the game has ended")

    def _named(self, cards: Sequence[str], does: str) -> tuple[str, ...]:
        """Return the named cards: one of each category, unless the set-up allows others."""
        named = tuple(cards)
        categories = self.game.deck.values()
        known = {card for card in named if isinstance(card, str)}
        ordered = tuple(card for category in categories for card in category if card in known)
        fits = len(named) == len(ordered) > 0
        if fits and self.game.free_suggestions:
            return ordered
        if not fits or len(ordered) != len(self.game.deck) or any(
            card not in category for card, category in zip(ordered, categories, strict=True)
        ):  # fmt: skip
            raise BadInput(f"{does} {named!r}, which is not one card of each category")
        return ordered

    def _play(self) -> Generator[Question, Any, None]:
        active = list(self.game.players)
        while active and self.turns < self.limit:
            by = active[0]
            self.turns += 1
            yield from self._suggestion(by)
            cards = yield ToAccuse(by)
            if cards is None:
                active.append(active.pop(0))
                continue
            correct = set(cards) == self.solution
            self.events.append(Accusation(by, cards, correct))
            if correct:
                self.winner, self.end = by, "solved"
                return
            self.wrong.append(active.pop(0))
        self.end = "turn limit" if active else "all out"

    def _suggestion(self, by: str) -> Generator[Question, Any, None]:
        cards = yield ToSuggest(by, self._reachable(by))
        for card in cards:
            if by in self._room_of and card in self._rooms:
                self._room_of[by] = self._rooms.index(card)
        suggestion = Suggestion(by, cards)
        for player in self.game.after(by):
            held = tuple(card for card in cards if self.deal.get(card) == player)
            if held and not self._overlooks(player):
                card = held[0] if len(held) == 1 else (yield ToShow(player, suggestion, held))
                suggestion = evolve(suggestion, shows=(Show(player, card),))
                break
            suggestion = evolve(suggestion, passes=(*suggestion.passes, player))
        self.events.append(suggestion)

    def _reachable(self, player: str) -> tuple[str, ...]:
        """Return the rooms in reach, in the order of the deck; on a circle, the die is rolled."""
        if player not in self._room_of:
            return tuple(self._rooms)
        steps = (self._dice.randint(1, 6) + 1) // 2
        here, count = self._room_of[player], len(self._rooms)
        near = {(here + step) % count for step in range(-steps, steps + 1)}
        return tuple(self._rooms[index] for index in sorted(near))

    def _overlooks(self, player: str) -> bool:
        if not self.slips or self._memory.random() >= self.slips:
            return False
        self.overlooked.append((len(self.events) + 1, player))
        return True


def with_hand_sizes(game: Cluedo) -> Cluedo:
    """Return the set-up with the size of each hand: what is left open is dealt evenly.

    The first of those seats have one card more if necessary.

    >>> with_hand_sizes(Cluedo(("Ann", "Ben", "Cid", "Dan"))).hands
    (5, 5, 4, 4)
    >>> with_hand_sizes(Cluedo(("Ann", "Ben", "Cid"), hands=(None, 3, None))).hands
    (8, 3, 7)
    """
    sizes = list(game.hands or [None] * len(game.players))
    open_ = [seat for seat, size in enumerate(sizes) if size is None]
    left = len(game.dealt) - len(game.deck) - game.undealt - sum(size or 0 for size in sizes)
    for rank, seat in enumerate(open_):
        sizes[seat] = left // len(open_) + (rank < left % len(open_))
    return evolve(game, hands=tuple(sizes))


def check_record(table: Table) -> None:
    """Check that the record fits the deal; it would be an error of the table if not.

    The passes of players who overlooked a card are left out.
    """
    game, wrong = table.game, table.overlooked
    true = [
        evolve(event, passes=[name for name in event.passes if (number, name) not in wrong])
        if isinstance(event, Suggestion)
        else event
        for number, event in enumerate(table.events, start=1)
    ]
    record = evidence(game, true, RECORD)
    if not Problem(game.variables(), game.rules(), record).holds(table.deal):
        raise AssertionError(f"the record does not fit its deal:\n{table.log()}")
