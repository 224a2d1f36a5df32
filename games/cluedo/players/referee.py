"""The referee: whole games between programs, each of which sees only what its seat may see.

The course of a game is that of `games.cluedo.players.table`. At a table with slips an answer is
wrong in the notes of a player with a stated probability: a player who holds a named card may
overlook it, which is what all players then see; what is left is noted wrongly by each of the others
for themselves. The kinds and their proportions are those that `games.cluedo.slips` declares.

`Player` is the interface for players written by others. A player has one seat in one game and sees
only what that seat sees: the referee gives it a `Seat`, passes on every event as the seat sees it,
and asks it three things. A seat gives no access to the deal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Protocol, TypeAlias, TypeVar

from attrs import evolve, frozen

from deduce.budget import cpu_seconds
from deduce.cli.endings import Terminated
from deduce.errors import BadInput, DeduceError, Unsupported
from games.cluedo.events import Event, Show, Suggestion
from games.cluedo.evidence import seen_log
from games.cluedo.game import Cluedo
from games.cluedo.players.table import (
    Answer,
    Effort,
    Question,
    Table,
    ToAccuse,
    ToShow,
    ToSuggest,
    check_record,
    with_hand_sizes,
)
from games.cluedo.slips import RATES, near

__all__ = [
    "Company",
    "Keeper",
    "Maker",
    "Player",
    "PlayerError",
    "Seat",
    "credited_to",
    "misnoted",
    "play",
]


@frozen
class Keeper:
    """A player who notes what happens, sometimes wrongly.

    Parameters
    ----------
    game
        The set-up.
    me
        The player, whose own answers are always noted rightly.
    rate
        The probability that an answer is wrong: a pass, because it is noted wrongly; a show in half
        of the cases, since in the other half the card was overlooked.
    random
        Decides what is noted wrongly.
    """

    game: Cluedo
    me: str
    rate: Fraction
    random: Random

    def noted(self, event: Event) -> Event:
        """Return what the player notes of an event: of one line, at most one answer wrongly."""
        if not isinstance(event, Suggestion):
            return event
        rates = dict.fromkeys(event.passes, self.rate)
        rates |= {show.by: self.rate / 2 for show in event.shows}
        for player, rate in rates.items():
            if player != self.me and self.random.random() < rate:
                kinds = self._kinds(event, player)
                kind = self.random.choices(list(kinds), list(map(float, kinds.values())))[0]
                others = self._others(event, player)
                return misnoted(self.game, event, kind, self.random, others)
        return event

    def _kinds(self, event: Suggestion, player: str) -> dict[str, Fraction]:
        """Return how this answer may be noted wrongly, with the declared rates."""
        kinds = {"name": RATES["name"] / len(event.cards)}
        show = next((show for show in event.shows if show.by == player), None)
        if show is not None and show.card is not None and len(event.cards) > 1:
            kinds["card"] = RATES["card"]
        if self._others(event, player):
            kinds["neighbour"] = RATES["neighbour"]
        return kinds

    def _others(self, event: Suggestion, player: str) -> list[str]:
        """Return who may be noted as the one who showed, if this player's answer is noted wrongly.

        A show goes to a player beside the one who showed; a pass is wrong if it goes to that one.
        """
        others = credited_to(self.game, event) if event.shows else []
        if player in event.passes:
            return [player] if player in others else []
        return [other for other in others if other != self.me]


def credited_to(game: Cluedo, event: Suggestion) -> list[str]:
    """Return the players who answer just before and after the one who showed."""
    order = list(game.after(event.by))
    seat = order.index(event.shows[0].by)
    return order[max(0, seat - 1) : seat] + order[seat + 1 : seat + 2]


def misnoted(
    game: Cluedo, event: Suggestion, kind: str, random: Random, others: Sequence[str] = ()
) -> Suggestion:
    """Return a line as it is noted with a slip.

    Parameters
    ----------
    game
        The set-up.
    event
        The line as it was seen. Something was shown, unless a name is written wrongly.
    kind
        ``card``: another one of the named cards is noted as the one that was shown; ``name``: a
        card that was named is written as another, a near one more probably; ``neighbour``: the
        show goes to another player.
    random
        Decides which.
    others
        Who may be noted as the one who showed.
    """
    if kind == "card":
        (shown,) = event.shows
        noted = random.choice([card for card in event.cards if card != shown.card])
        return evolve(event, shows=(Show(shown.by, noted),))
    if kind == "neighbour":
        other = random.choice(others)
        passes = tuple(player for player in event.passes if player != other)
        return evolve(event, passes=passes, shows=(Show(other, event.shows[0].card),))
    written = random.choice(event.cards)
    category = next(cards for cards in game.deck.values() if written in cards)
    shares = near(category, written)
    new = random.choices(list(shares), [float(share) for share in shares.values()])[0]
    cards = tuple(new if card == written else card for card in event.cards)
    shows = tuple(Show(s.by, new if s.card == written else s.card) for s in event.shows)
    return evolve(event, cards=cards, shows=shows)


T = TypeVar("T")


class PlayerError(DeduceError):
    """A player failed, made an illegal move, or was certain of something false."""


def play(
    makers: Mapping[str, Maker],
    random: Random,
    *,
    rooms: str = "any",
    turns: int = 400,
    setup: Cluedo | None = None,
    slips: Fraction = Fraction(0),
) -> Table:
    """Return the table after a game between players; the record is checked against the deal.

    Parameters
    ----------
    makers
        The players by name, in seat order; the first has the first turn.
    random
        For the deal, the dice and the players' own draws.
    rooms
        The model of movement, see `games.cluedo.players.table`.
    turns
        After this number of turns, of all players together, the game is given up.
    setup
        The deck, the sizes of the hands, and what is dealt and allowed; its own players do not
        count. Left out: the classic deck, dealt as evenly as possible.
    slips
        The probability that an answer is wrong: half of the wrong answers of a player who holds a
        named card are passes, because they overlooked it; all others are noted wrongly by a player.
        A player may then be certain of something false.

    Raises
    ------
    PlayerError
        A player fails, makes an illegal move, or is certain of something false.
    BadInput
        The set-up does not fit this number of players.

    Examples
    --------
    >>> from games.cluedo import find_player
    >>> makers = {name: find_player(name) for name in ("most-no", "not-placed", "random")}
    >>> table = play(makers, Random(7))
    >>> table.end, table.winner, table.turns
    ('solved', 'not-placed', 14)
    """
    players = tuple(makers)
    game = Cluedo(players) if setup is None else evolve(setup, players=players, me=None)
    game = with_hand_sizes(game)
    deal = game.deal(random)
    dice = Random(random.getrandbits(64))
    memory = Random(random.getrandbits(64)) if slips else None
    table = Table(game, deal, rooms=rooms, dice=dice, turns=turns, slips=slips / 2, memory=memory)
    seats = [
        Seat(evolve(game, me=name), table.hands[name], Random(random.getrandbits(64)))
        for name in players
    ]
    company = Company(table, list(zip(makers.values(), seats, strict=True)))
    if memory is not None:
        company.keepers = {
            name: Keeper(game, name, slips, Random(memory.getrandbits(64))) for name in players
        }
    while table.question is not None:
        company.answer()
    company.see()
    check_record(table)
    return table


class Company:
    """The programs at a table, and what they spend.

    Parameters
    ----------
    table
        The table.
    seats
        The seats of the programs, each with its maker.

    Raises
    ------
    PlayerError
        A player cannot be made; from all methods: it fails.
    """

    def __init__(self, table: Table, seats: Sequence[tuple[Maker, Seat]]) -> None:
        self.table = table
        self.seats = {seat.me: seat for _, seat in seats}
        table.efforts = {name: Effort() for name in self.seats}
        self.players: dict[str, Player] = {
            seat.me: self._ask(seat.me, partial(maker, seat)) for maker, seat in seats
        }
        self.keepers: Mapping[str, Keeper] = {}
        """Who notes what they see, sometimes wrongly; all others see what happens."""
        self._seen = 0

    def see(self) -> None:
        """Show every player what is new in the record, as its seat sees it."""
        new = self.table.events[self._seen :]
        self._seen += len(new)
        for event in new:
            for name, player in self.players.items():
                for seen in seen_log(self.table.game, (event,), name):
                    noted = self.keepers[name].noted(seen) if name in self.keepers else seen
                    self._ask(name, partial(_see, player, noted))

    def answer(self) -> None:
        """Let the player answer who is asked.

        Raises
        ------
        PlayerError
            The player fails, makes an illegal move, or is certain of something false without
            slips at the table.
        """
        table, question = self.table, self.table.question
        assert question is not None
        self.see()
        name = question.player
        answer = self._decide(name, question)
        if isinstance(question, ToAccuse) and not table.slips:
            for card, holder in self._ask(name, lambda: dict(self.players[name].certain())).items():
                if table.deal.get(card) != holder:
                    what = f"is certain that {holder!r} has {card!r}, which is false"
                    raise PlayerError(f"the player {name!r} {what}")
        try:
            table.answer(answer)
        except BadInput as error:
            raise PlayerError(f"the player {name!r} {error.message}") from error

    def _decide(self, name: str, question: Question) -> Answer:
        player = self.players[name]

        def decide() -> Answer:
            match question:
                case ToSuggest(_, rooms):
                    return tuple(player.suggest(rooms))
                case ToShow(_, suggestion, cards):
                    return player.show(suggestion, cards)
                case ToAccuse():
                    accused = player.accuse()
                    return None if accused is None else tuple(accused)

        effort = self.table.efforts[name]
        before = effort.seconds
        answer = self._ask(name, decide)
        effort.decisions += 1
        effort.slowest = max(effort.slowest, effort.seconds - before)
        return answer

    def _ask(self, name: str, question: Callable[[], T]) -> T:
        """Return a player's answer; its cost is recorded."""
        start = cpu_seconds()
        try:
            return question()
        except (KeyboardInterrupt, Terminated):
            raise
        except Unsupported as error:
            raise PlayerError(f"the player {name!r} cannot play this game: {error}") from error
        except BaseException as error:  # another person's player may do anything, even sys.exit()
            what = f"failed: {type(error).__name__}: {error}"
            raise PlayerError(f"the player {name!r} {what}") from error
        finally:
            self.table.efforts[name].seconds += cpu_seconds() - start


def _see(player: Player, event: Event) -> None:
    """Show a player an event; one without this method fails here, where that is reported."""
    player.see(event)


@frozen
class Seat:
    """What a player is given when a game begins.

    Parameters
    ----------
    game
        The set-up, which all players know: the players in seat order, the deck, the size of each
        hand. ``game.me`` is the player at this seat, so ``Knowledge(seat.game, events)`` is what
        this player knows.
    hand
        The cards of this seat.
    random
        For whatever the player draws. A player that draws all its random numbers from here plays
        the same game again when the tournament is repeated.
    deals
        How many deals the player may consider in a decision; ``None``: as many as it likes. It is
        a number and not a time, so that the same seed gives the same game on every machine.
    """

    game: Cluedo
    hand: tuple[str, ...]
    random: Random
    deals: int | None = None

    @property
    def me(self) -> str:
        """The player's name in this game."""
        return str(self.game.me)


class Player(Protocol):
    """One seat of one game; a `Maker` makes a new one for every game.

    A turn is: `suggest`, the others answer, `accuse`. An exception in a player, or an answer that
    is not a move of the game, ends the tournament with a message that names the player.
    """

    def see(self, event: Event) -> None:
        """Take note of an event as this seat sees it: first its own hand, then every event.

        The card that is shown to a suggestion is named only for the suggester and the player who
        shows it.
        """

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return one card of each category; the last, the room, is one of ``rooms``."""

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return which of its own ``cards`` to show; called only if there are several.

        ``suggestion`` has the suggester, the named cards, and the players who passed before.
        """

    def accuse(self) -> Sequence[str] | None:
        """Return the solution, to win or to be out of the game; or ``None``, to go on."""

    def certain(self) -> Mapping[str, str]:
        """Return what the player is certain of, card -> holder; checked against the deal.

        A player that does not keep track returns ``{}``.
        """


Maker: TypeAlias = Callable[[Seat], Player]
"""What makes a player for a seat: often just the player's class."""
