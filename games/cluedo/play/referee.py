"""The referee: one game from the deal to the end, in which each player sees only what it may see.

A turn: the player may move, suggests, the others answer in seat order until one of them shows a
card, and then the player may accuse. A correct accusation wins; a player who accuses wrongly is
out, but goes on answering. The game ends when it is solved, when all players are out, or after a
given number of turns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Literal, TypeAlias, TypeVar

from attrs import define, evolve, field, frozen

from deduce.clock import cpu_seconds
from deduce.errors import DeduceError
from deduce.game import RECORD
from deduce.problem import Problem
from games.cluedo import ENVELOPE, Accusation, Cluedo, Hand, Suggestion
from games.cluedo.events import Event
from games.cluedo.knowledge import evidence, seen_log
from games.cluedo.play.movement import MODELS
from games.cluedo.play.seat import Maker, Player, Seat
from games.cluedo.simulate import answered

__all__ = ["Effort", "End", "Played", "PlayerError", "play"]

T = TypeVar("T")

End: TypeAlias = Literal["solved", "all out", "turn limit"]


class PlayerError(DeduceError):
    """A player failed, made an illegal move, or was certain of something false."""


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


@frozen
class Played:
    """A game that is over.

    Parameters
    ----------
    game
        The set-up that all players know.
    deal
        The holder of each card.
    events
        The record: every hand, every shown card, every accusation.
    winner
        The player who accused correctly, or ``None``.
    end
        How the game ended.
    turns
        How many turns were played, of all players together.
    wrong
        The players who accused wrongly, in order.
    efforts
        What each player spent. It does not count when games are compared.
    """

    game: Cluedo
    deal: Mapping[str, str]
    events: tuple[Event, ...]
    winner: str | None
    end: End
    turns: int
    wrong: tuple[str, ...]
    efforts: Mapping[str, Effort] = field(eq=False)

    def log(self) -> str:
        """Return the record in the notation of logs, which every command reads."""
        return self.game.format_log(self.events)


def play(
    makers: Mapping[str, Maker],
    random: Random,
    *,
    rooms: str = "any",
    turns: int = 400,
) -> Played:
    """Return a game between players, played to its end.

    Parameters
    ----------
    makers
        The players by name, in seat order; the first has the first turn.
    random
        For the deal, the dice and the players' own draws.
    rooms
        The model of movement, see `games.cluedo.play.movement`.
    turns
        After this number of turns, of all players together, the game is given up.

    Raises
    ------
    PlayerError
        A player fails, makes an illegal move, or is certain of something false.

    Examples
    --------
    >>> from games.cluedo.play import find_player
    >>> makers = {name: find_player(name) for name in ("most-no", "not-placed", "random")}
    >>> played = play(makers, Random(7))
    >>> played.end, played.winner, played.turns
    ('solved', 'not-placed', 14)
    """
    players = tuple(makers)
    game = Cluedo(players)
    in_hands = len(game.cards) - len(game.deck)
    share, more = divmod(in_hands, len(players))
    game = evolve(game, hands=tuple(share + (seat < more) for seat in range(len(players))))
    deal = game.deal(random)
    return _Referee(game, deal, makers, random, rooms).play(turns)


class _Referee:
    """Runs one game."""

    def __init__(
        self,
        game: Cluedo,
        deal: Mapping[str, str],
        makers: Mapping[str, Maker],
        random: Random,
        rooms: str,
    ) -> None:
        self.game = game
        self.deal = deal
        self.solution = {card for card, holder in deal.items() if holder == ENVELOPE}
        self.events: list[Event] = []
        self.efforts = {name: Effort() for name in game.players}
        self.hands = {
            name: tuple(card for card, holder in deal.items() if holder == name)
            for name in game.players
        }
        last = list(game.deck.values())[-1]
        self.movement = MODELS[rooms](last, game.players, Random(random.getrandbits(64)))
        self.players: dict[str, Player] = {}
        for name, maker in makers.items():
            own_random = Random(random.getrandbits(64))
            seat = Seat(evolve(game, me=name), self.hands[name], own_random)
            self.players[name] = self._ask(name, partial(maker, seat))
        for name, hand in self.hands.items():
            self._announce(Hand(name, hand))

    def play(self, limit: int) -> Played:
        """Return the game when it is over."""
        active = list(self.game.players)
        wrong: list[str] = []
        turns = 0
        while active and turns < limit:
            by = active[0]
            turns += 1
            self._suggest(by)
            cards = self._accuse(by)
            if cards is None:
                active.append(active.pop(0))
                continue
            correct = set(cards) == self.solution
            self._announce(Accusation(by, cards, correct))
            if correct:
                return self._over(by, "solved", turns, wrong)
            wrong.append(active.pop(0))
        return self._over(None, "turn limit" if active else "all out", turns, wrong)

    def _over(self, winner: str | None, end: End, turns: int, wrong: Sequence[str]) -> Played:
        played = Played(
            self.game, self.deal, tuple(self.events), winner, end, turns, tuple(wrong), self.efforts
        )
        _check(played)
        return played

    def _suggest(self, by: str) -> None:
        rooms = self.movement.reachable(by)
        answer = self._decide(by, lambda: tuple(self.players[by].suggest(rooms)))
        cards = self._one_of_each(by, answer, "suggests")
        if cards[-1] not in rooms:
            raise self._error(by, f"suggests {cards[-1]}, which cannot be reached now")
        self.movement.enter(by, cards[-1])
        self._announce(answered(self.game, self.deal, by, cards, self._choose))

    def _choose(self, name: str, suggestion: Suggestion, fitting: tuple[str, ...]) -> str:
        if len(fitting) == 1:
            return fitting[0]
        card = self._decide(name, lambda: self.players[name].show(suggestion, fitting))
        if not isinstance(card, str) or card not in fitting:
            raise self._error(name, f"shows {card!r}, which is not one of {', '.join(fitting)}")
        return card

    def _accuse(self, by: str) -> tuple[str, ...] | None:
        player = self.players[by]
        answer = self._decide(by, lambda: _tuple(player.accuse()))
        for card, holder in self._ask(by, lambda: dict(player.certain())).items():
            if self.deal.get(card) != holder:
                raise self._error(by, f"is certain that {holder!r} has {card!r}, which is false")
        return None if answer is None else self._one_of_each(by, answer, "accuses")

    def _one_of_each(self, by: str, cards: tuple[str, ...], does: str) -> tuple[str, ...]:
        """Return the cards in the order of the categories.

        Raises
        ------
        PlayerError
            They are not one of each category.
        """
        categories = self.game.deck.values()
        named = {card for card in cards if isinstance(card, str)}
        ordered = tuple(card for category in categories for card in category if card in named)
        fits = len(cards) == len(ordered) == len(self.game.deck)
        if not fits or any(
            c not in category for c, category in zip(ordered, categories, strict=True)
        ):
            raise self._error(by, f"{does} {cards!r}, which is not one card of each category")
        return ordered

    def _announce(self, event: Event) -> None:
        """Record an event, and show it to every player as its seat sees it."""
        self.events.append(event)
        for name, player in self.players.items():
            for seen in seen_log(self.game, (event,), name):
                self._ask(name, partial(_see, player, seen))

    def _decide(self, name: str, question: Callable[[], T]) -> T:
        effort = self.efforts[name]
        before = effort.seconds
        answer = self._ask(name, question)
        effort.decisions += 1
        effort.slowest = max(effort.slowest, effort.seconds - before)
        return answer

    def _ask(self, name: str, question: Callable[[], T]) -> T:
        """Return a player's answer; its cost is recorded."""
        start = cpu_seconds()
        try:
            return question()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # another person's player may do anything, even sys.exit()
            raise self._error(name, f"failed: {type(error).__name__}: {error}") from error
        finally:
            self.efforts[name].seconds += cpu_seconds() - start

    def _error(self, name: str, what: str) -> PlayerError:
        return PlayerError(f"the player {name!r} {what}")


def _see(player: Player, event: Event) -> None:
    """Show a player an event; one without this method fails here, where that is reported."""
    player.see(event)


def _tuple(cards: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if cards is None else tuple(cards)


def _check(played: Played) -> None:
    """Check that the record fits the deal; it would be an error of the referee if not."""
    record = evidence(played.game, played.events, RECORD)
    if not Problem(played.game.variables(), played.game.rules(), record).holds(played.deal):
        raise AssertionError(f"the record does not fit its deal:\n{played.log()}")
