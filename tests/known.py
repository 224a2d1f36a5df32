"""Small problems with answers known from elsewhere: by hand, or from the theory named as source.

Every engine has to reproduce the table; other tests, docs and benchmarks take their problems here.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

from attrs import field, frozen

from deduce.constraints import (
    Constraint,
    Value,
    Variable,
    Weigh,
    Where,
    at_least,
    at_most,
    exactly,
    is_,
    is_not,
)
from deduce.problem import Problem

__all__ = ["KNOWN", "Known"]


@frozen
class Known:
    """A problem with its number of worlds, what the variables of ``settled`` can be, and why."""

    name: str
    problem: Problem
    worlds: int
    source: str
    settled: Mapping[Variable, frozenset[Value]] = field(factory=dict)
    shares: Mapping[tuple[Variable, Value], Fraction] = field(factory=dict)
    posteriors: Mapping[tuple[Variable, Value], Fraction] = field(factory=dict)


def _hats() -> Problem:
    hats = dict.fromkeys(("Ann", "Ben"), ("red", "blue"))
    return Problem(hats, [exactly(1, [is_(name, "red") for name in hats])])


def _deal(sizes: Mapping[str, int], *more: Constraint) -> Problem:
    cards = [f"card {number}" for number in range(1, sum(sizes.values()) + 1)]
    hands = [exactly(size, [is_(card, who) for card in cards]) for who, size in sizes.items()]
    return Problem(dict.fromkeys(cards, tuple(sizes)), [*hands, *more])


def _each_once(size: int, *more: Constraint) -> Problem:
    places = range(1, size + 1)
    once = [exactly(1, [is_(f"guest {g}", p) for g in places]) for p in places]
    return Problem({f"guest {g}": places for g in places}, [*once, *more])


def _derangement(size: int) -> Problem:
    return _each_once(size, *(is_not(f"guest {g}", g) for g in range(1, size + 1)))


def _queens(size: int) -> Problem:
    columns = range(size)
    rows = [at_most(1, [is_(c, r) for c in columns]) for r in range(size)]
    diagonals = [
        Where((a, b), lambda x, y, d=b - a: abs(x - y) != d, f"{a} and {b} on no diagonal")
        for a, b in combinations(columns, 2)
    ]
    return Problem(dict.fromkeys(columns, range(size)), [*rows, *diagonals])


def _latin(size: int) -> Problem:
    lines = [[(r, c) for c in range(size)] for r in range(size)]
    lines += [[(r, c) for r in range(size)] for c in range(size)]
    cells = {(r, c): range(size) for r in range(size) for c in range(size)}
    return Problem(
        cells, [exactly(1, [is_(cell, v) for cell in line]) for line in lines for v in range(size)]
    )


def _colouring(size: int, colours: int, edges: list[tuple[int, int]]) -> Problem:
    differ = [Where(edge, lambda x, y: x != y, "neighbours differ") for edge in edges]
    return Problem({node: range(colours) for node in range(size)}, differ)


def _ring(size: int) -> list[tuple[int, int]]:
    return [(node, (node + 1) % size) for node in range(size)]


def _monty_hall() -> Problem:
    """The guest has chosen door 1, the host has opened door 3."""
    prize = {"prize": (1, 2, 3)}
    free_choice = Weigh([is_("prize", 1)], [1, Fraction(1, 2)])
    return Problem(prize, [is_not("prize", 3), free_choice])


def _pigeons(pigeons: int, holes: int) -> Problem:
    return Problem(
        {f"pigeon {p}": range(holes) for p in range(pigeons)},
        [at_most(1, [is_(f"pigeon {p}", h) for p in range(pigeons)]) for h in range(holes)],
    )


def _table() -> Problem:
    """Nine cards of three kinds, one of each in the envelope, two each for three players."""
    kinds = {kind: [f"{kind} {n}" for n in (1, 2, 3)] for kind in ("who", "how", "where")}
    cards = [card for kind in kinds.values() for card in kind]
    envelope = [exactly(1, [is_(card, "envelope") for card in kind]) for kind in kinds.values()]
    hands = [exactly(2, [is_(card, who) for card in cards]) for who in ("Ann", "Ben", "Cid")]
    return Problem(dict.fromkeys(cards, ("envelope", "Ann", "Ben", "Cid")), [*envelope, *hands])


def _mines() -> Problem:
    """A row of five closed cells under open numbers 1 2 2: the middle three see three each."""
    cells = dict.fromkeys("abcde", ("mine", "free"))
    seen = {"abc": 1, "bcd": 2, "cde": 2}
    return Problem(cells, [exactly(n, [is_(c, "mine") for c in near]) for near, n in seen.items()])


def _shown() -> Problem:
    """Four cards, two hands of two; Ann has card 1 or 2 and showed it, as she likes if both."""
    fits = [is_("card 1", "Ann"), is_("card 2", "Ann")]
    showed_first = Weigh([fits[1]], [1, Fraction(1, 2)])
    return _deal({"Ann": 2, "Ben": 2}, at_least(1, fits), is_("card 1", "Ann"), showed_first)


KNOWN: tuple[Known, ...] = (
    Known("hats", _hats(), 2, "by hand"),
    Known(
        "hats with one seen",
        Problem(_hats().domains, [*_hats().rules, is_("Ann", "red")]),
        1,
        "by hand",
        settled={"Ben": frozenset({"blue"})},
    ),
    Known("no rule", Problem({"x": tuple("abc"), "y": tuple("ab")}), 6, "3 * 2"),
    Known(
        "hands of 3, 2 and 1",
        _deal({"Ann": 3, "Ben": 2, "Cid": 1}),
        60,
        "6! / (3! 2! 1!)",
        shares={("card 1", "Ann"): Fraction(1, 2), ("card 6", "Cid"): Fraction(1, 6)},
    ),
    Known("permutations of 4", _each_once(4), 24, "4!"),
    Known("derangements of 4", _derangement(4), 9, "OEIS A000166"),
    Known("derangements of 5", _derangement(5), 44, "OEIS A000166"),
    Known("4 queens", _queens(4), 2, "OEIS A000170", settled={0: frozenset({1, 2})}),
    Known("3 queens", _queens(3), 0, "OEIS A000170"),
    Known("latin squares of 3", _latin(3), 12, "OEIS A002860"),
    Known("ring of 5 in 3 colours", _colouring(5, 3, _ring(5)), 30, "(k-1)^n + (-1)^n (k-1)"),
    Known("ring of 3 in 2 colours", _colouring(3, 2, _ring(3)), 0, "an odd ring"),
    Known(
        "three doors",
        _monty_hall(),
        2,
        "Selvin, The American Statistician 29 (1975)",
        shares={("prize", 2): Fraction(1, 2)},
        posteriors={("prize", 1): Fraction(1, 3), ("prize", 2): Fraction(2, 3)},
    ),
    Known("4 pigeons in 4 holes", _pigeons(4, 4), 24, "4!"),
    Known("5 pigeons in 4 holes", _pigeons(5, 4), 0, "Dirichlet"),
    Known(
        "small table",
        _table(),
        2430,
        "3^3 * 6! / 2!^3",
        shares={("who 1", "envelope"): Fraction(1, 3), ("how 2", "Ann"): Fraction(2, 9)},
    ),
    Known(
        "mines",
        _mines(),
        2,
        "by hand: a must be free, and d a mine",
        settled={
            "a": frozenset({"free"}),
            "b": frozenset({"mine", "free"}),
            "d": frozenset({"mine"}),
        },
    ),
    Known(
        "one of two shown",
        _shown(),
        3,
        "by hand: the deals 12, 13, 14 with weights 1/2, 1, 1",
        shares={("card 2", "Ann"): Fraction(1, 3)},
        posteriors={("card 2", "Ann"): Fraction(1, 5), ("card 3", "Ann"): Fraction(2, 5)},
    ),
    Known(
        "too many wanted",
        Problem({"x": ("a", "b"), "y": ("a", "b")}, [at_least(3, [is_("x", "a"), is_("y", "a")])]),
        0,
        "by hand",
    ),
    Known(
        "facts against each other",
        Problem({"x": ("a", "b"), "y": ("a", "b")}, [is_("x", "a"), is_not("x", "a")]),
        0,
        "by hand",
    ),
)
