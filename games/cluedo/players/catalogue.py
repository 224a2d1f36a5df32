"""The players of tournaments, by name."""

from __future__ import annotations

from importlib import import_module

from deduce.errors import BadInput
from deduce.system.renamed import Renamed
from deduce.system.text import listing, nearest
from games.cluedo.players.seat import Maker
from games.cluedo.players.simple import with_way_to_show

__all__ = ["PLAYERS", "find_player", "label"]


PLAYERS: Renamed[tuple[str, str]] = Renamed(
    {
        "random": ("simple:suggests_any", "suggests at random, shows at random"),
        "not-placed": (
            "simple:suggests_not_placed",
            "suggests cards whose holder is not known yet",
        ),
        "most-no": ("simple:suggests_most_no", "suggests the cards that most players do not have"),
        "console": (
            "simple:console_player",
            "most-no+most-shown: the player of the console game that these players come from",
        ),
        "reasoner": ("simple:Reasoner", "suggests at random, knows everything that follows"),
        "information": (
            "information:Information",
            "suggests what gives most information, accuses from 2 in 3 on",
        ),
        "forgiving": (
            "information:Forgiving",
            "as information, and allows for players who overlook a card",
        ),
        "best": ("best:Best", "weighs what it learns, what it reveals, and the risk"),
    },
    {"seed": "console"},
)
"""Name -> where in this package the maker is, and what the player does in a few words."""


def find_player(name: str) -> Maker:
    """Return the maker of a player by its name or by ``module:attribute``.

    For ``random``, ``not-placed`` and ``most-no`` the name may include how they show:
    ``most-no+least-shown``.

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
    deduce.errors.BadInput: no player is called 'most-yes'; did you mean 'most-no'? Other players \
are named module:attribute
    """
    if ":" in name:
        return _load(name, name)
    plain, plus, way = name.partition("+")
    if plain not in PLAYERS:
        hint = nearest(plain, PLAYERS) or f"{listing(PLAYERS)}."
        raise BadInput(f"no player is called {plain!r}{hint} Other players are named "
                       "module:attribute")  # fmt: skip
    maker = _load(f"games.cluedo.players.{PLAYERS[plain][0]}", plain)
    return with_way_to_show(plain, maker, way) if plus else maker


def label(name: str) -> str:
    """Return what a player is called in a game: the name, or the attribute's.

    >>> label("most-no+least-shown"), label("mine.players:Careful")
    ('most-no+least-shown', 'Careful')
    """
    return name.rpartition(":")[2] or name


def _load(path: str, name: str) -> Maker:
    module, _, attribute = path.partition(":")
    try:
        maker: Maker = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadInput(f"the player {name!r} cannot be loaded: {error}") from error
    except (Exception, SystemExit) as error:  # another person's module may do anything
        what = f"{type(error).__name__}: {error}"
        raise BadInput(f"the player {name!r} cannot be loaded: {what}") from error
    if not callable(maker):
        raise BadInput(f"the player {name!r} is not a class or function that makes a player")
    return maker
