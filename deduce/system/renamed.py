"""Tables whose entries have new names since version 0.3; the former ones work for one version."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

__all__ = ["Renamed"]

Value = TypeVar("Value")


class Renamed(dict[str, Value]):
    """A table that also finds entries by their former names, which it does not list.

    >>> decks = Renamed({"console": 21}, {"seed": "console"})
    >>> list(decks), decks["seed"], "seed" in decks, decks.current("seed")
    (['console'], 21, True, 'console')
    """

    def __init__(self, entries: Mapping[str, Value], former: Mapping[str, str]) -> None:
        super().__init__(entries)
        self.former = former

    def __missing__(self, name: str) -> Value:
        return self[self.former[name]]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (super().__contains__(name) or name in self.former)

    def current(self, name: object) -> Any:
        """Return the present name of an entry; anything else unchanged."""
        return self.former.get(name, name) if isinstance(name, str) else name
