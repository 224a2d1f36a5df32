"""The fewest citations: which claims, events and rules cite the facts that a step rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deduce.budget import Budget
from deduce.conflicts import smallest_hitting_set
from deduce.errors import Undecided

__all__ = ["Unit", "cite"]

Unit = tuple[str, int]
"""What is cited: ``("claim", index)``, ``("event", number)`` or ``("source", index)``."""

COVERS = Budget(steps=3_000)
"""What the search for the fewest citations of one reason may spend, in partial sets."""


def cite(
    demands: Iterable[frozenset[Unit]],
    *,
    free: set[Unit] = frozenset(),  # type: ignore[assignment]
) -> tuple[tuple[Unit, ...], bool]:
    """Return the fewest units of which each demand contains one, and whether that is proved.

    Parameters
    ----------
    demands
        For each fact that must be cited, the units that cite it.
    free
        Units that are cited anyway.

    Notes
    -----
    Of equally many, events are preferred to claims as long as there are at most three.

    Examples
    --------
    >>> cite([frozenset({("claim", 0), ("event", 2)}), frozenset({("claim", 1), ("event", 2)})])
    ((('event', 2),), True)
    """
    left = {demand for demand in demands if not demand & free}
    left = {demand for demand in left if not any(other < demand for other in left)}
    chosen: list[Unit] = []
    covers: dict[Unit, set[frozenset[Unit]]] = {}
    for demand in left:
        for unit in demand:
            covers.setdefault(unit, set()).add(demand)
    several = {unit for unit, covered in covers.items() if len(covered) > 1}
    alone = [demand for demand in left if not demand & several]
    rest = [frozenset(demand & several) for demand in left if demand & several]
    smallest = True
    if rest:
        units = sorted(several, key=lambda unit: (-len(covers[unit]), unit))
        number = {unit: i for i, unit in enumerate(units)}
        sets = [frozenset(number[unit] for unit in demand) for demand in rest]
        try:
            hitting = smallest_hitting_set(sets, len(sets), COVERS.meter())
        except Undecided:
            hitting, smallest = _greedy(sets), False
        chosen = [units[i] for i in hitting or ()]
    events = sum(unit[0] == "event" for unit in chosen)
    for demand in sorted(alone, key=sorted):
        stated = [unit for unit in demand if unit[0] != "claim"]
        if stated and (events < MAX_EVENTS or len(stated) == len(demand)):
            events += 1
            chosen.append(min(stated))
        else:
            chosen.append(min(unit for unit in demand if unit[0] == "claim"))
    return tuple(sorted(set(chosen))), smallest


MAX_EVENTS = 3
"""Up to this many events are preferred to claims when both cite a single fact."""


def _greedy(sets: Sequence[frozenset[int]]) -> list[int]:
    left, chosen = list(sets), []
    while left:
        best = max(sorted(set().union(*left)), key=lambda i: sum(i in one for one in left))
        chosen.append(best)
        left = [one for one in left if best not in one]
    return chosen
