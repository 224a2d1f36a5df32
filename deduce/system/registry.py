"""The games that are installed, found through the entry-point group ``deduce.games``.

An entry point names a `Registration`, or the class of a game directly: a hidden
game (``variables``, ``rules``, ``evidence``) or a perfect-information game (``actions``,
``result``, ``utility``). Nothing of a game is imported until it is used.

A game that is not installed may be typed as the file or the module that it is written in
(`open_typed`). Only what a person types on a command line or in Python is opened so: no name that
was read from a log, a link or a page ever is.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import cleandoc
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from deduce.errors import BadInput, BrokenPlugin, Unsupported

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "PURPOSES",
    "Registration",
    "examples",
    "find",
    "games",
    "is_typed",
    "load",
    "modules_of",
    "names",
    "open_typed",
    "rules_text",
    "typed_object",
]

GROUP = "deduce.games"

PURPOSES = {
    "cards": "Cards and hands",
    "roles": "Hidden roles",
    "guess": "Find what is hidden",
    "open": "Nothing hidden: play and search",
}
"""What games are for, with the headings under which lists have them, in this order."""


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
    law: str = ""
    """A function of a log, its world and random numbers that returns what the game answers wrongly
    about it, for ``deduce soak``; it compares what is of this game only."""
    examples: str = ""
    """The package folder with example logs and states."""
    suffix: str = ""
    """The ending of the game's log files, such as ``".cluedo"``; by default the name of a hidden
    game. It helps to recognise a log."""
    fact: str = ""
    """A fact about the game as it is typed, such as ``rope=Ann``, for the examples in help."""
    rules: str = ""
    """A module whose docstring has the rules, as a text of one page, after its first paragraph; or
    such a text itself. Empty: the docstring of the game's class."""
    purpose: str = ""
    """A key of `PURPOSES`; by default ``"guess"`` of a hidden game, ``"open"`` of another one."""
    page: str = ""
    """A callable without arguments that makes the game's page (`deduce.pages.presenter`)."""
    research: bool = False
    """Whether the page lists it under "More games"."""
    face: str = field(default="", repr=False, eq=False)
    """The name of ``page`` in version 0.2, with a warning; it goes with the next version."""

    def __attrs_post_init__(self) -> None:
        if self.face:
            from warnings import warn

            warn("Registration(face=...) is called page", DeprecationWarning, stacklevel=3)
            object.__setattr__(self, "page", self.page or self.face)
        if self.hidden and not self.suffix:
            object.__setattr__(self, "suffix", f".{self.name}")
        if not self.purpose:
            object.__setattr__(self, "purpose", "guess" if self.hidden else "open")

    @classmethod
    def of(cls, game: Any, examples: str = "", *, path: str = "", **more: Any) -> Registration:
        """Return the registration of a game that is only a class, or a function that makes a game.

        Parameters
        ----------
        game
            The class, with a ``name`` unless ``more`` has one. Its ``summary`` is by default the
            first line of its docstring.
        examples
            The package folder with example logs.
        path
            Where the class is, as ``"module:attribute"``; by default where it was defined.
        more
            Other parts of the registration.

        Raises
        ------
        BadInput
            The game has no name.

        Examples
        --------
        >>> from games.zebra import Zebra
        >>> Registration.of(Zebra, fact="tea=3").hidden
        'games.zebra:Zebra'
        """
        from deduce.game import HiddenGame, Written, hook

        more.setdefault("name", hook(game, Written.name, ""))
        if not isinstance(more["name"], str) or not more["name"]:
            raise BadInput(f"{game!r} has no name: give it an attribute 'name', or give name=...")
        if "summary" not in more:
            own = hook(game, Written.summary, None)
            first = (game.__doc__ or "").strip().partition("\n")[0]
            more["summary"] = own if isinstance(own, str) else first
        if not {"hidden", "search"} & more.keys():
            kind = "hidden" if hook(game, HiddenGame.evidence) else "search"
            more[kind] = path or f"{game.__module__}:{game.__qualname__}"
        return cls(examples=examples, **more)


_TYPED: dict[str, Registration] = {}
"""The games of this process that were opened by a typed path, by name."""


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
    return tuple(sorted({*_entry_points(), *_TYPED}))


def modules_of(name: str) -> tuple[str, ...]:
    """Return the modules that the entry points of a game name; loads none of them."""
    if name in _TYPED:
        entry = _TYPED[name]
        return ((entry.hidden or entry.search).rpartition(":")[0],)
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
    from deduce.system.text import join, listing, nearest

    if name in _TYPED:
        return _TYPED[name]
    try:
        point, *others = _entry_points()[name].values()
    except KeyError:
        hint = nearest(name, names()) or listing(names())
        raise BadInput(f"no game is called {name!r}{hint}") from None
    if others:
        both = join([point.value, *(other.value for other in others)])
        raise BrokenPlugin(
            f"{name!r} is provided by {both}: uninstall all but one of these packages"
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
    return Registration.of(found, path=point.value, name=name)


def is_typed(text: str) -> bool:
    """Return whether a text is a file or a module with a game, and not the name of one.

    >>> is_typed("my/tower.py"), is_typed("tower.game:Tower"), is_typed("cluedo")
    (True, True, False)
    """
    return text.endswith(".py") or ":" in text


def open_typed(text: str) -> Registration:
    """Return the registration of a game that is not installed, and find it by its name from now on.

    Parameters
    ----------
    text
        ``FILE.py`` with one game, ``FILE.py:CLASS``, or ``package.module:CLASS``. Its code is run,
        so the text must come from the user, never from a file.

    Raises
    ------
    BadInput
        There is no such file, module or class; it cannot be loaded; or an installed game has its
        name. The name is the attribute ``name`` of the class, or else that of the file or class.
    """
    from deduce.game import Written, hook

    found = typed_object(text)
    where, _, attribute = text.rpartition(":")
    default = (
        Path(where or text).stem if text.endswith(".py") or where.endswith(".py") else attribute
    )
    if not hasattr(found, "__qualname__"):
        raise BadInput("it is not a class or function that makes a game", source=text)
    own = hook(found, Written.name, None)
    name = own if isinstance(own, str) and own else default.lower()
    if name in _entry_points():
        raise BadInput(
            f"a game called {name!r} is installed; give yours another 'name'", source=text
        )
    _TYPED[name] = Registration.of(found, name=name)
    return _TYPED[name]


def typed_object(text: str, *, makes: str = "a game") -> Any:
    """Return the class, or the function that makes a game, that a user typed as for `open_typed`.

    Parameters
    ----------
    text
        What was typed.
    makes
        What it makes, if that is not a game.

    Raises
    ------
    BadInput
        There is none, or it cannot be loaded.
    """
    where, colon, attribute = text.rpartition(":")
    if text.endswith(".py"):
        where, colon, attribute = text, "", ""
    try:
        module = _module_of_file(Path(where)) if where.endswith(".py") else _module_here(where)
        found = getattr(module, attribute) if colon else _only_game(module)
    except (Exception, SystemExit) as error:  # the user's own module may do anything
        if isinstance(error, BadInput):
            raise error.at(source=text) from None
        plain = isinstance(error, ImportError | AttributeError)
        reason = getattr(error, "strerror", None) or str(error)
        kind = "" if plain or isinstance(error, OSError) else f"{type(error).__name__}: "
        raise BadInput(f"{text} cannot be loaded: {kind}{reason}") from error
    if not callable(found):
        raise BadInput(f"{text} is not a class or function that makes {makes}")
    if makes == "a game" and isinstance(found, type) and not _is_game(found):
        _refuse_misspelt(found)
    return found


def _module_here(name: str) -> ModuleType:
    """Return a module, which may be in the current folder."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    return import_module(name)


def _module_of_file(path: Path) -> ModuleType:
    """Return the module in a file, run once; it has the name of the file, if that is free."""
    path = path.resolve(strict=True)
    for loaded in list(sys.modules.values()):
        if getattr(loaded, "__file__", None) == str(path):
            return loaded
    name = path.stem if path.stem not in sys.modules else f"{path.stem} of {path.parent}"
    spec = spec_from_file_location(name, path)
    assert spec is not None  # the name ends in .py
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _only_game(module: ModuleType) -> type:
    """Return the class of the only game that a module defines."""
    defined = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
    ]
    found = [*filter(_is_game, defined)]
    if len(found) == 1:
        return found[0]
    if not found:
        _refuse_misspelt(*defined)
    names = ", ".join(cls.__name__ for cls in found)
    raise BadInput(
        f"there is more than one game in it; name one after a colon ({names})"
        if found
        else "there is no game in it: a class with variables, rules and evidence, or with actions, "
        "result and utility"
    )


def _is_game(cls: type) -> bool:
    return not {"evidence", "to_move"}.isdisjoint(dir(cls))


def _refuse_misspelt(*classes: type) -> None:
    """Refuse classes that would be a game but for the name of a method."""
    from deduce.game import near_misses

    for message in (message for cls in classes for message in near_misses(cls)):
        raise BadInput(f"there is no game in it: {message}")


def rules_text(entry: Registration) -> str:
    """Return the rules of a game as text: those of its registration, or else a docstring.

    Raises
    ------
    Unsupported
        Python runs with the option ``-OO``, which leaves docstrings out.

    Examples
    --------
    >>> rules_text(find("mastermind")).partition(",")[0]
    'Mastermind'
    """
    if ":" in entry.rules:
        return str(load(entry.rules)).strip()
    if sys.flags.optimize > 1:
        raise Unsupported("rules are docstrings, which python -OO leaves out; run it without -OO")
    if entry.rules:
        return cleandoc(import_module(entry.rules).__doc__ or "").partition("\n\n")[2]
    text = cleandoc(load(entry.hidden or entry.search).__doc__ or entry.summary)
    return re.split(r"\n\n(?:Parameters|Examples)\n---", text)[0]


def games() -> Iterator[Registration]:
    """Return the registrations of all installed games, in the order of their names."""
    return (find(name) for name in names())


def of_file(file: str) -> str:
    """Return the game whose logs have the ending of a file's name, or an empty string.

    Broken plug-ins are left out.

    >>> of_file("evening.cluedo"), of_file("evening.txt"), of_file("")
    ('cluedo', '', '')
    """
    ending = Path(file).suffix
    for name in names() if ending else ():
        with suppress(BrokenPlugin, BadInput):
            if find(name).suffix == ending:
                return name
    return ""


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
    module, _, attribute = path.rpartition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, type):
        from deduce.game import warn_of_near_misses

        warn_of_near_misses(found)
    return found
