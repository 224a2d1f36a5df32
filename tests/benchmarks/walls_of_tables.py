"""Problems of predicates that were undecided, though other tools answered them, with known numbers.

Each function returns the problem in a size that can be chosen, so that growth can be measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from operator import and_, eq, or_, xor
from random import Random
from typing import Any

from deduce.constraints import (
    Constraint,
    Fact,
    Sum,
    Variable,
    Weigh,
    Where,
    at_most,
    exactly,
    is_,
    is_not,
)
from deduce.problem import Problem

__all__ = ["kakuro", "timetable"]

DOORS = {
    "Hall": ("Study", "Lounge", "Kitchen"),
    "Study": ("Hall", "Library"),
    "Lounge": ("Hall", "Kitchen"),
    "Kitchen": ("Hall", "Lounge", "Library"),
    "Library": ("Study", "Kitchen"),
}
PEOPLE = ("Ann", "Ben", "Cid", "Dot", "Eli")


def timetable(times: int = 6, *, crime: bool = True, idle: int = 0) -> Problem:
    """Return who was where at which time, and with ``crime`` who met Dot alone, and when.

    Five people move between five rooms; 97,488,795,460,134 worlds of six times. ``idle`` predicates
    that are always true are added.
    """
    rooms = tuple(DOORS)
    domains: dict[Variable, tuple[Any, ...]] = {
        (person, time): rooms for person in PEOPLE for time in range(times)
    }
    made: list[Constraint] = []
    for person in PEOPLE:
        for time in range(times - 1):
            pair = (person, time), (person, time + 1)
            made.append(Where(pair, lambda a, b: a == b or b in DOORS[a]))
    if crime:
        others = tuple(person for person in PEOPLE if person != "Dot")
        domains |= {"time": tuple(range(times)), "who": others}
        for time, person in product(range(times), others):
            scope = "time", "who", (person, time), ("Dot", time)
            made.append(Where(scope, partial(_alone, time, person)))
    made.append(exactly(2, [is_((person, 2), "Hall") for person in PEOPLE]))
    made += [is_(("Ann", 0), "Library"), is_(("Ann", 4), "Lounge")]
    made.append(Where((("Ben", 3), ("Cid", 3)), eq))
    made.append(exactly(1, [is_((person, 4), "Study") for person in PEOPLE]))
    for time in range(times):
        made.append(at_most(2, [is_((person, time), "Library") for person in PEOPLE]))
    random = Random(idle)
    names = [name for name in domains if isinstance(name, tuple)]
    for _ in range(idle):
        made.append(Where(random.sample(names, 2), lambda *_: True))
    return Problem(domains, made)


def _alone(time: int, person: str, when: int, who: str, room: str, of_dot: str) -> bool:
    return when != time or (who == person) == (room == of_dot)


def kakuro(size: int = 8) -> Problem:
    """Return a kakuro of few clues: the digits of a run differ, and have a sum."""
    white = {(x, y) for x, y in product(range(size), repeat=2) if (3 * y + 5 * x) % 7}
    made: list[Constraint] = []
    for step in ((1, 0), (0, 1)):
        for x, y in sorted(white):
            if (x - step[0], y - step[1]) in white:
                continue
            run = []
            while (x, y) in white:
                run.append((x, y))
                x, y = x + step[0], y + step[1]
            number = sum((2 * x + 5 * y) % 9 + 1 for x, y in run)
            terms = [(is_(cell, digit), digit) for cell in run for digit in range(1, 10)]
            made.append(Sum(terms, number, number))
            made += [at_most(1, [is_(cell, digit) for cell in run]) for digit in range(1, 10)]
    return Problem(dict.fromkeys(sorted(white), range(1, 10)), made)
