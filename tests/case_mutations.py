"""Mutations of JSON documents: what a careless or hostile hand does to a case file."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

__all__ = ["mutations"]

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**9, 10**30, "", "x", "5²", "\ud83d", [], {}, [[]], [None],
    {"": None}, "__class__",
)  # fmt: skip


def mutations(document: Any, *, count: int, seed: int) -> Iterator[Any]:
    """Yield copies of a document, each with one part of a case replaced, removed or doubled.

    The field ``format`` stays as it is, so that a game replays what is left.
    """
    random = Random(seed)
    for _ in range(count):
        mutated = copy.deepcopy(document)
        for _ in range(random.choice((1, 1, 2))):
            _mutate(mutated, random)
        yield mutated


def _mutate(document: Any, random: Random) -> None:
    slots = [slot for key in ("cases", "crafted") for slot in _slots(document, key)]
    if not slots:
        return
    holder, key = random.choice(slots)
    match random.randrange(4):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        case 2:
            other, name = random.choice(slots)
            holder[key] = copy.deepcopy(other[name])
        case _:
            holder[key] = random.choice(VALUES)


def _slots(holder: Any, key: Any) -> list[tuple[Any, Any]]:
    """Return every place below ``holder[key]``, itself included."""
    if isinstance(holder, dict) and key not in holder:
        return []
    value = holder[key]
    inner: list[Any] = (
        list(value) if isinstance(value, dict) else list(range(len(value)))
        if isinstance(value, list) else []
    )  # fmt: skip
    below = [slot for name in inner for slot in _slots(value, name)]
    return [(holder, key), *below]
