"""What another player knows, as far as I can tell: from a deal and what he saw, his own knowledge.

In every world of mine an opponent has a hand and has seen certain cards. His knowledge is then
that of somebody who sees the public log, this hand, and these cards: a `Knowledge` of the same
game, with him as the viewer. Source: docs/games/cluedo.md, section 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random

from attrs import evolve, frozen

from deduce.errors import BadInput
from deduce.game import RECORD
from deduce.knowledge import Knowledge
from deduce.problem import World
from games.cluedo.events import Event, Hand, Has, HasNot, Show, Suggestion
from games.cluedo.knowledge import game_of, seen_log

__all__ = ["Hidden", "Opponent", "View", "mind", "opponents", "viewer_of"]


@frozen
class Hidden:
    """A show to the opponent whose card I did not see: in which event, by whom, one of which."""

    event: int
    by: str
    cards: tuple[str, ...]


@frozen
class View:
    """What an opponent sees that I do not: his hand, and the card of each `Hidden` show to him."""

    hand: tuple[str, ...]
    shown: tuple[str, ...] = ()


@frozen
class Opponent:
    """A player as the viewer of a log sees him.

    Parameters
    ----------
    knowledge
        What I, the viewer, know.
    player
        The other.
    log
        The log as I see it, but for the opponent's own hand.
    hidden
        The shows to him whose cards I do not see, in the order of the log.
    """

    knowledge: Knowledge
    player: str
    log: tuple[Event, ...]
    hidden: tuple[Hidden, ...]

    @classmethod
    def of(cls, knowledge: Knowledge, player: str) -> Opponent:
        """Return the player as the knowledge's viewer sees him.

        Raises
        ------
        BadInput
            There is no such player, or he is the viewer himself.
        """
        game = game_of(knowledge)
        if player not in game.players:
            raise BadInput(f"no player is called {player!r} ({', '.join(game.players)})")
        if player == viewer_of(knowledge):
            raise BadInput(f"{player} is the one through whose eyes the log is read")
        log = tuple(
            event
            for event in seen_log(game, knowledge.log, knowledge.viewer)
            if not (isinstance(event, Hand) and event.player == player)
        )
        hidden = tuple(
            Hidden(place, show.by, event.cards)
            for place, event in enumerate(log)
            if isinstance(event, Suggestion) and event.by == player
            for show in event.shows
            if show.card is None
        )
        return cls(knowledge, player, log, hidden)

    # What he may have seen

    def views(self, world: World) -> Iterator[tuple[View, Fraction]]:
        """Yield what he may have seen in a world, each with its probability there.

        Who showed him a card that I did not see chose it among those that fitted, each with the
        same probability.
        """
        hand = self.hand(world)
        options = self._options(world)
        share = Fraction(1)
        for cards in options:
            share /= len(cards)
        for shown in product(*options):
            yield View(hand, shown), share

    def draw(self, world: World, random: Random) -> View:
        """Return what he has seen in a world, drawn by the same probabilities."""
        return View(self.hand(world), tuple(map(random.choice, self._options(world))))

    def hand(self, world: World) -> tuple[str, ...]:
        """Return his hand in a world."""
        return tuple(str(card) for card, holder in world.items() if holder == self.player)

    def _options(self, world: World) -> list[list[str]]:
        return [
            [card for card in hidden.cards if world.get(card) == hidden.by]
            for hidden in self.hidden
        ]

    # What he then knows

    def mind(self, view: View, *more: Event) -> Knowledge:
        """Return his knowledge, if he has seen this, and after these further events.

        Cost: half a millisecond for a standard game; a joint distribution of the solution takes
        one to five more.
        """
        return self._knowledge([Hand(self.player, view.hand), *self._told(view.shown), *more])

    def public(self) -> Knowledge:
        """Return what he knows without his hand and the cards of the hidden shows."""
        return self._knowledge(self.log)

    def sure(self) -> Knowledge:
        """Return what he knows for certain, whatever my world is: what I know that he has seen.

        That is: what is public; cards shown between him and me, and other things that I know he
        has seen; the cards of which I know that he has them or not; and the card of a show to him
        where only one fits. Nothing here depends on how anybody behaves.
        """
        possible = self.knowledge.possible()
        only_him = (self.player,)
        own: list[Event] = [
            Has(self.player, str(card), only_him)
            if len(holders) == 1
            else HasNot(self.player, str(card), only_him)
            for card, holders in possible.items()
            if (self.player in holders) == (len(holders) == 1)
        ]
        fitting = [
            [card for card in hidden.cards if hidden.by in possible.get(card, ())]
            for hidden in self.hidden
        ]
        told = self._told([cards[0] if len(cards) == 1 else None for cards in fitting])
        return self._knowledge([*own, *told])

    def _told(self, shown: Sequence[str | None]) -> list[Event]:
        """Return the log with the cards of the hidden shows filled in."""
        log = list(self.log)
        for hidden, card in zip(self.hidden, shown, strict=True):
            event = log[hidden.event]
            assert isinstance(event, Suggestion)
            shows = tuple(Show(s.by, card) if s.by == hidden.by else s for s in event.shows)
            log[hidden.event] = evolve(event, shows=shows)
        return log

    def _knowledge(self, log: Sequence[Event]) -> Knowledge:
        game = evolve(game_of(self.knowledge), me=None)
        engine, budget = self.knowledge.engine, self.knowledge.budget
        return Knowledge(game, log, viewer=self.player, engine=engine, budget=budget)


def viewer_of(knowledge: Knowledge) -> str | None:
    """Return the player whose eyes the knowledge has; ``None``: nobody's, or a referee's."""
    viewer = game_of(knowledge).me if knowledge.viewer is RECORD else knowledge.viewer
    return None if viewer is None else str(viewer)


def opponents(knowledge: Knowledge) -> list[Opponent]:
    """Return all players but the viewer, in seat order from his left."""
    players = game_of(knowledge).players
    me = viewer_of(knowledge)
    seat = players.index(me) + 1 if me in players else 0
    order = players[seat:] + players[:seat]
    return [Opponent.of(knowledge, player) for player in order if player != me]


def mind(
    knowledge: Knowledge, player: str, world: World | None = None, shown: Sequence[str] = ()
) -> Knowledge:
    """Return what a player knows in one of my worlds; without a world, what he surely knows.

    Parameters
    ----------
    knowledge
        What I know.
    player
        Somebody else.
    world
        One of my worlds: it says which hand he has.
    shown
        The cards shown to him that I did not see, in the order of `Opponent.hidden`.

    Raises
    ------
    BadInput
        There is no such player, he is the viewer, a hidden show has no card or a card that does
        not fit the world.

    Examples
    --------
    >>> from games.cluedo.game import Cluedo
    >>> game, log = Cluedo.parse_log('''
    ... suspect: Plum, White
    ... weapon: Rope, Dagger
    ... room: Hall, Attic
    ... players: Ann 1, Ben 1, Cid 1
    ... me: Ann
    ... hand: Plum
    ... Ben: plum rope hall; Cid shows
    ... ''')
    >>> knowledge = Knowledge(game, log)
    >>> world = next(world for world in knowledge.worlds() if world["Rope"] == "Cid")
    >>> ben = mind(knowledge, "Ben", world, ["Rope"])
    >>> ben.viewer, ben.certain()["Rope"]
    ('Ben', 'Cid')
    """
    opponent = Opponent.of(knowledge, player)
    if world is None:
        return opponent.sure()
    if len(shown) != len(opponent.hidden):
        raise BadInput(f"{len(opponent.hidden)} cards shown to {player} are hidden from me")
    for hidden, card in zip(opponent.hidden, shown, strict=True):
        if card not in hidden.cards or world.get(card) != hidden.by:
            raise BadInput(f"in this world {hidden.by} cannot have shown {card} to {player}")
    return opponent.mind(View(opponent.hand(world), tuple(shown)))
