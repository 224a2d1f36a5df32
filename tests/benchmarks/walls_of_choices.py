"""Problems of many choices that were undecided, though other tools answered them.

Each function returns the problem in a size that can be chosen, and `KNOWN` has numbers of worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from operator import lt
from random import Random

from deduce import Problem, Where, at_most, exactly, permutation
from deduce.constraints import Constraint, Fact

__all__ = ["FLEET", "HITS", "KNOWN", "MISSES", "apart", "order", "ships"]

FLEET = (5, 4, 3, 3, 2)
MISSES = ((4, 4), (5, 5), (2, 7), (7, 2), (1, 1), (8, 8), (3, 0), (6, 9))
HITS = ((3, 4), (3, 5))

Cell = tuple[int, int]
Place = frozenset[Cell]


def _fleet(size: int, lengths: Sequence[int]) -> Mapping[str, Sequence[Place]]:
    """Return for each ship the sets of cells that it may cover."""
    return {
        f"ship {number} of {length}": list(
            dict.fromkeys(
                frozenset((x + i * across, y + i * (1 - across)) for i in range(length))
                for across in (0, 1)
                for x in range(size - (length - 1) * across)
                for y in range(size - (length - 1) * (1 - across))
            )
        )
        for number, length in enumerate(lengths)
    }


def ships(
    size: int,
    lengths: Sequence[int] = FLEET,
    misses: Sequence[Cell] = (),
    hits: Sequence[Cell] = (),
) -> Problem:
    """Return ships on a square board that may touch, after some shots: a value is a place."""
    domains = _fleet(size, lengths)
    rules: list[Constraint] = []
    for cell in [(x, y) for x in range(size) for y in range(size)]:
        facts = [Fact(ship, [p for p in domains[ship] if cell in p]) for ship in domains]
        on_it = 0 if cell in misses else 1
        rules.append(exactly(on_it, facts) if cell in (*misses, *hits) else at_most(1, facts))
    return Problem(domains, rules)


def apart(size: int, lengths: Sequence[int] = FLEET) -> Problem:
    """Return ships that may not touch, not even at a corner, as predicates of two ships each."""
    domains = _fleet(size, lengths)
    around = {
        place: {(x + i, y + j) for x, y in place for i in (-1, 0, 1) for j in (-1, 0, 1)}
        for places in domains.values()
        for place in places
    }
    return Problem(
        domains,
        [Where(two, lambda a, b: not around[a] & b) for two in combinations(domains, 2)],
    )


def order(runners: int, clues: int | None = None) -> Problem:
    """Return the order of some runners, with as many clues that one came in before another."""
    random = Random(runners)
    rows = permutation(range(runners), range(1, runners + 1))
    pairs = [
        sorted(random.sample(range(runners), 2)) for _ in range(runners if clues is None else clues)
    ]
    return Problem(rows.domains, [*rows.rules, *(Where(pair, lt) for pair in pairs)])


KNOWN: Mapping[str, tuple[Callable[[], Problem], int]] = {
    "ships, 10 x 10": (partial(ships, 10), 30_093_975_536),
    "ships, 10 x 10, ten shots": (partial(ships, 10, FLEET, MISSES, HITS), 638_433_098),
    "ships apart, 10 x 10": (partial(apart, 10), 3_851_502_784),
    "order of 18": (partial(order, 18), 131_423_523_840),
    "order of 22": (partial(order, 22), 33_196_225_216_049_280),
}
"""Problems with their numbers of worlds, which other programs counted."""
