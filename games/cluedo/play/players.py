"""What a player is, and finding players by name: the interface to which strangers write theirs.

A player sits at one seat of one game and sees only what that seat sees: the table hands it a
`Seat`, tells it every event through the seat's eyes, and asks it three things. There is no way from
a seat to the deal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Protocol, TypeAlias

from attrs import frozen

from deduce.errors import BadInput
from deduce.text import nearest
from games.cluedo.events import Event, Suggestion
from games.cluedo.game import Cluedo

__all__ = ["PLAYERS", "Maker", "Player", "Seat", "find_player", "label"]


@frozen
class Seat:
    """What a player is given when a game begins.

    Parameters
    ----------
    game
        The set-up that everybody knows: the players in seat order, the deck, the size of each hand.
        ``game.me`` is the player at this seat, so ``Knowledge(seat.game, events)`` has his eyes.
    hand
        The cards of this seat.
    random
        For whatever the player draws. Whoever takes all chance from here plays the same game again
        when the tournament is repeated.
    """

    game: Cluedo
    hand: tuple[str, ...]
    random: Random

    @property
    def me(self) -> str:
        """The player's name at the table."""
        return str(self.game.me)


class Player(Protocol):
    """One seat of one game; made anew for every game by a `Maker`.

    A turn is: `suggest`, the others answer, `accuse`. An error that a player raises, or an answer
    that is no move of the game, ends the tournament with a message that names the player.
    """

    def see(self, event: Event) -> None:
        """Take what happened, as this seat sees it: first the own hand, then every event.

        Of a suggestion the shown card is named only to the one who asked and the one who showed.
        """

    def suggest(self, rooms: Sequence[str]) -> Sequence[str]:
        """Return one card of each category; the last, the room, is one of ``rooms``."""

    def show(self, suggestion: Suggestion, cards: tuple[str, ...]) -> str:
        """Return which of the own ``cards`` to show; asked only if there are several.

        ``suggestion`` has the suggester, what he named, and who passed before.
        """

    def accuse(self) -> Sequence[str] | None:
        """Return the solution, to win or be out of the game; or ``None``, to go on."""

    def certain(self) -> Mapping[str, str]:
        """Return what the player is sure of, card -> holder; the table checks it against the deal.

        A player who keeps no account returns ``{}``.
        """


Maker: TypeAlias = Callable[[Seat], Player]
"""What makes a player for a seat: often simply the player's class."""

PLAYERS: Mapping[str, tuple[str, str]] = {
    "random": ("games.cluedo.play.seed:asks_random", "asks at random, shows at random"),
    "not-placed": ("games.cluedo.play.seed:asks_not_placed", "asks for cards not yet placed"),
    "most-no": ("games.cluedo.play.seed:asks_most_no", "asks for the cards with the most no"),
    "reasoner": ("games.cluedo.play.reasoner:Reasoner", "asks at random, knows all that follows"),
    "information": (
        "games.cluedo.play.information:Information",
        "asks what tells most, accuses from 2 in 3 on",
    ),
    "best": ("games.cluedo.play.best:Best", "weighs what it learns, gives away and risks"),
}
"""Name -> where the maker is, and what the player does in a few words."""

SHOWS = ("random", "most-shown", "least-shown")
"""The ways of showing that ``random``, ``not-placed`` and ``most-no`` may have after a ``+``."""


def find_player(name: str) -> Maker:
    """Return the maker of a named player or of ``module:attribute``.

    ``random``, ``not-placed`` and ``most-no`` may say how they show: ``most-no+least-shown``.

    Raises
    ------
    BadInput
        There is no such player; the message names the nearest.

    Examples
    --------
    >>> find_player("best").__name__
    'Best'
    >>> find_player("most-yes")
    Traceback (most recent call last):
    ...
    deduce.errors.BadInput: no player is called 'most-yes'; did you mean 'most-no'? Others are \
named module:attribute
    """
    if ":" in name:
        return _load(name, name)
    plain, plus, way = name.partition("+")
    if plain not in PLAYERS:
        hint = nearest(plain, PLAYERS) or f" ({', '.join(PLAYERS)})."
        raise BadInput(f"no player is called {plain!r}{hint} Others are named module:attribute")
    maker = _load(PLAYERS[plain][0], plain)
    if not plus:
        return maker
    from games.cluedo.play.seed import showing

    return showing(plain, maker, way)


def label(name: str) -> str:
    """Return what a player is called at the table: the name, or the attribute's.

    >>> label("most-no+least-shown"), label("mine.players:Careful")
    ('most-no+least-shown', 'Careful')
    """
    return name.rpartition(":")[2] or name


def _load(path: str, name: str) -> Maker:
    module, _, attribute = path.partition(":")
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadInput(f"the player {name!r} cannot be loaded: {error}") from error
    except (Exception, SystemExit) as error:  # whatever a stranger's module does
        what = f"{type(error).__name__}: {error}"
        raise BadInput(f"the player {name!r} cannot be loaded: {what}") from error
    if not callable(found):
        raise BadInput(f"the player {name!r} is no class or function that makes a player")
    maker: Maker = found
    return maker
