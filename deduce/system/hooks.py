"""Optional members of games: protocols list them, and `hook` asks a game for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Concatenate, ParamSpec, TypeVar, overload

__all__ = ["hook", "offer"]

P = ParamSpec("P")
R = TypeVar("R")
D = TypeVar("D")
_NO_DEFAULT = object()
_NAMES: dict[object, str] = {}


def offer(*protocols: type) -> Mapping[object, str]:
    """Return the members of protocols with their names; `hook` takes these members from now on."""
    names: dict[object, str] = {
        member: name
        for protocol in protocols
        for name, member in vars(protocol).items()
        if name[0] != "_" and isinstance(member, FunctionType | property)
    }
    _NAMES.update(names)
    return names


@overload
def hook(game: object, member: Callable[Concatenate[Any, P], R]) -> Callable[P, R] | None: ...
@overload
def hook(game: object, member: Callable[[Any], R], default: D) -> R | D: ...
def hook(game: object, member: Any, default: object = _NO_DEFAULT) -> object:
    """Return a game's method for a member of a protocol, or ``None`` if the game has none.

    Parameters
    ----------
    game
        A game, or its class.
    member
        A member of a protocol of `deduce.game` or `deduce.search.game`, such as ``Said.say``.
    default
        What is returned where a game lacks a value such as ``SeenInParts.players``; needed for
        members that are values, and for these only.

    Raises
    ------
    TypeError
        No protocol has this member, or it is a value and no default is given.

    Examples
    --------
    >>> from deduce.search.game import Extra
    >>> from games.classics.nim import Nim
    >>> hook(Nim(), Extra.utility_bounds, None), hook(Nim(), Extra.estimate)
    ((-1, 1), None)
    """
    name = _NAMES.get(member)
    if name is None:
        raise TypeError(f"not a member of a protocol of games: {member!r}")
    if isinstance(member, property) == (default is _NO_DEFAULT):
        needed = "needs a" if isinstance(member, property) else "is a method and has no"
        raise TypeError(f"{name} {needed} default")
    absent = None if default is _NO_DEFAULT else default
    inherited = getattr(game if isinstance(game, type) else type(game), name, None) is member
    return absent if inherited else getattr(game, name, absent)
