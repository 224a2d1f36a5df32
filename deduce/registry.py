"""The games that are installed, found through the entry-point group ``deduce.games``.

An entry point names a `Registration`, or the class of a game directly: a hidden
game (``variables``, ``rules``, ``evidence``) or a perfect-information game (``actions``,
``result``, ``utility``). Nothing of a game is imported until it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from deduce.errors import BadInput, BrokenPlugin, Unsupported

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["Registration", "examples", "find", "games", "load", "modules_of", "names"]

GROUP = "deduce.games"


@frozen
class Registration:
    """What a game offers; every part is named as ``"module:attribute"`` and loaded when used."""

    name: str
    summary: str
    """One line for ``deduce games``."""
    commands: str = ""
    """The click group behind ``deduce NAME``; empty: the commands that every such game gets."""
    hidden: str = ""
    """The class of the hidden-information game."""
    search: str = ""
    """A callable without arguments that makes the perfect-information game."""
    cases: Mapping[str, str] = field(factory=dict)
    """Kind of case file (``"exact"`` of ``"cluedo/exact"``) -> function that replays it."""
    examples: str = ""
    """The package folder with example logs and states."""
    suffix: str = ""
    """The ending of the game's log files, such as ``".cluedo"``; it helps to recognise a log."""
    rules: str = ""
    """The rules of the game as a text of one page, which ``deduce NAME rules`` prints."""
    face: str = ""
    """A callable without arguments that makes the game's page (`deduce.face.presenter`)."""


@cache
def _entry_points() -> Mapping[str, Mapping[str, EntryPoint]]:
    """Return the entry points by the game's name and by what they name."""
    from importlib.metadata import entry_points

    found: dict[str, dict[str, EntryPoint]] = {}
    for point in sorted(entry_points(group=GROUP)):
        found.setdefault(point.name, {})[point.value] = point
    return found


def names() -> tuple[str, ...]:
    """Return the names of all installed games, sorted; loads none of them.

    Examples
    --------
    >>> "cluedo" in names()
    True
    """
    return tuple(_entry_points())


def modules_of(name: str) -> tuple[str, ...]:
    """Return the modules that the entry points of a game name; loads none of them."""
    return tuple(point.module for point in _entry_points()[name].values())


def find(name: str) -> Registration:
    """Return the registration of the game called ``name``.

    Raises
    ------
    BadInput
        No such game is installed; the message names the nearest one.
    BrokenPlugin
        The package that brings the game cannot be imported, or two packages bring such a game.
    """
    from deduce.text import join, listing, nearest

    try:
        point, *others = _entry_points()[name].values()
    except KeyError:
        hint = nearest(name, names()) or listing(names())
        raise BadInput(f"no game is called {name!r}{hint}") from None
    if others:
        both = join([point.value, *(other.value for other in others)])
        raise BrokenPlugin(
            f"{name!r} is brought by {both}: uninstall all packages but one of these"
        )
    try:
        found = point.load()
    except (
        Exception,
        SystemExit,
    ) as error:  # importing may do anything
        raise BrokenPlugin(
            f"the game {name!r} ({point.value}) cannot be loaded: {error}"
        ) from error
    if isinstance(found, Registration):
        return found
    summary = (found.__doc__ or "").strip().partition("\n")[0]
    if hasattr(found, "evidence"):
        return Registration(name=name, summary=summary, hidden=point.value)
    return Registration(name=name, summary=summary, search=point.value)


def games() -> Iterator[Registration]:
    """Return the registrations of all installed games, in the order of their names."""
    return (find(name) for name in names())


def examples() -> Iterator[Path]:
    """Return the example files of all installed games: logs and states to try commands on."""
    for package in dict.fromkeys(entry.examples for entry in games() if entry.examples):
        folder = Path(import_module(package).__path__[0])
        yield from sorted(p for p in folder.iterdir() if not p.name.startswith(("_", ".")))


def load(path: str) -> Any:
    """Return the object that ``"module:attribute"`` names.

    Raises
    ------
    Unsupported
        The path is empty: the game does not offer this.
    """
    if not path:
        raise Unsupported("the game does not offer this")
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)
