"""Problems of predicates that were undecided, though other tools answered them, with known numbers.

Each function returns the problem in a size that can be chosen, so that growth can be measured.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import product
from operator import and_, eq, or_, xor
from random import Random
from typing import Any

from deduce.constraints import Constraint, Sum, Variable, Weigh, Where, at_most, exactly, is_
from deduce.problem import Problem

__all__ = ["DECK", "SEATS", "kakuro", "loops", "multiplier", "night", "timetable"]

DOORS = {
    "Hall": ("Study", "Lounge", "Kitchen"),
    "Study": ("Hall", "Library"),
    "Lounge": ("Hall", "Kitchen"),
    "Kitchen": ("Hall", "Lounge", "Library"),
    "Library": ("Study", "Kitchen"),
}
STEPS = ((1, 0), (0, 1))
PEOPLE = ("Ann", "Ben", "Cid", "Dot", "Eli", "Flo", "Gus")


def timetable(times: int = 6, people: int = 5, *, crime: bool = True, idle: int = 0) -> Problem:
    """Return who was where at which time, and with ``crime`` who met Dot alone, and when.

    The people move between five rooms; six times and five people have 97,488,795,460,134 worlds.
    ``idle`` predicates that are always true are added.
    """
    rooms, everyone = tuple(DOORS), PEOPLE[:people]
    domains: dict[Variable, tuple[Any, ...]] = {
        (person, time): rooms for person in everyone for time in range(times)
    }
    made: list[Constraint] = []
    for person in everyone:
        for time in range(times - 1):
            pair = (person, time), (person, time + 1)
            made.append(Where(pair, lambda a, b: a == b or b in DOORS[a]))
    if crime:
        others = tuple(person for person in everyone if person != "Dot")
        domains |= {"time": tuple(range(times)), "who": others}
        for time, person in product(range(times), others):
            scope = "time", "who", (person, time), ("Dot", time)
            made.append(Where(scope, partial(_alone, time, person)))
    made.append(exactly(2, [is_((person, 2), "Hall") for person in everyone]))
    made += [is_(("Ann", 0), "Library"), is_(("Ann", 4), "Lounge")]
    made.append(Where((("Ben", 3), ("Cid", 3)), eq))
    made.append(exactly(1, [is_((person, 4), "Study") for person in everyone]))
    for time in range(times):
        made.append(at_most(2, [is_((person, time), "Library") for person in everyone]))
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
    for step in STEPS:
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


def multiplier(size: int = 4, *, known: bool = True) -> Problem:
    """Return an array multiplier that gave a wrong product, of gates that are faulty by 1 %.

    A faulty gate gives any bit. With ``known`` the factors are given too; only their product else.
    """
    domains: dict[Variable, tuple[Any, ...]] = {}
    made: list[Constraint] = []

    def gate(of: Any, a: Variable, b: Variable) -> Variable:
        number = len(domains)
        out, fault = ("wire", number), ("faulty", number)
        domains.update({out: (0, 1), fault: (False, True)})
        made.append(Where((fault, out, a, b), partial(_gate, of)))
        made.append(Weigh([is_(fault, True)], [Fraction(99, 100), Fraction(1, 100)]))
        return out

    for name, at in product("ab", range(size)):
        domains[name, at] = (0, 1)
    columns: list[list[Variable]] = [[] for _ in range(2 * size)]
    for i, j in product(range(size), repeat=2):
        columns[i + j].append(gate(and_, ("a", i), ("b", j)))
    for at, column in enumerate(columns):
        while len(column) > 1:
            a, b, *rest = column
            half, carry = gate(xor, a, b), gate(and_, a, b)
            if rest:
                carry = gate(or_, carry, gate(and_, half, rest[0]))
                half = gate(xor, half, rest[0])
            column[:] = [*rest[1:], half]
            if at + 1 < 2 * size:
                columns[at + 1].append(carry)
    factors = {"a": (1 << size) - 2, "b": (1 << size) - 3}
    if known:
        made += [is_((name, i), factors[name] >> i & 1) for name in "ab" for i in range(size)]
    wrong = factors["a"] * factors["b"] ^ 1 << size
    made += [is_(wires[0], wrong >> at & 1) for at, wires in enumerate(columns) if wires]
    return Problem(domains, made)


def _gate(of: Any, fault: bool, out: int, a: int, b: int) -> bool:
    return fault or out == of(a, b)


DECK = ("werewolf", "minion", "seer", "robber", "troublemaker", "drunk", "villager")
SEATS = ("Ann", "Ben", "Cid", "Dot", "left", "middle", "right")


def night(ann: str, ben: str, cid: str, dot: str, left: str, *_: str) -> bool:
    """Return whether a deal agrees with what was said: only the werewolf and the minion lie."""
    evil = ("werewolf", "minion")
    return (
        (ann in evil or ann != "seer" or ben not in evil)
        and (ben in evil or (ben == "robber") == (cid == "villager") or dot == "drunk")
        and (cid in evil or left != "werewolf" or ann == "troublemaker")
    )


def loops(size: int = 5) -> Problem:
    """Return unions of loops on a grid of points: at each point 0 or 2 of its edges are used."""
    points = list(product(range(size), repeat=2))
    pairs = [(a, b) for a, b in product(points, repeat=2) if (b[0] - a[0], b[1] - a[1]) in STEPS]
    made: list[Constraint] = []
    for point in points:
        near = [pair for pair in pairs if point in pair]
        made.append(Where(near, lambda *used: sum(used) in (0, 2), "0 or 2"))
    return Problem(dict.fromkeys(pairs, (0, 1)), made)
