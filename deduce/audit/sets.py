"""Data sets of reasoning-gym as items: ``reasoning-gym:NAME:ITEMS:SEED``.

Every set has a function that makes a problem and its answer of an entry, from what the entry states
about itself in its metadata, not from its text. Needs the extra ``reasoning-gym``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any

from deduce.audit.items import Item, sudoku
from deduce.constraints import Constraint, Difference, Rows, Sum, Value, Where, exactly, is_, is_not
from deduce.errors import BadInput, missing_extra
from deduce.logic import all_of, any_of, iff, implies, negation
from deduce.problem import Evidence, Problem, Rule, all_different
from deduce.system.text import whole_number

__all__ = ["PREFIX", "SETS", "read_set"]

PREFIX = "reasoning-gym:"

Made = tuple[Problem, Sequence[Constraint]]
"""A problem and its answer."""

Grid = Sequence[Sequence[Any]]

Entry = Mapping[str, Any]
"""What the package states about an item: the names and the types differ from set to set."""


def read_set(name: str) -> Iterator[Item]:
    """Yield the items of a data set, such as ``reasoning-gym:survo:300:1``.

    Raises
    ------
    BadInput
        There is no such set, or the number of items or the seed is not a whole number.
    Unsupported
        reasoning-gym is not installed.
    """
    kind, _, numbers = name.removeprefix(PREFIX).partition(":")
    size, _, seed = numbers.partition(":")
    if kind not in SETS:
        raise BadInput(f"no set {kind!r} can be read; those that can are {', '.join(SETS)}")
    many, first = whole_number(size or "100"), whole_number(seed or "1")
    if many is None or first is None:
        raise BadInput(f"expected {PREFIX}{kind}:ITEMS:SEED, such as {PREFIX}{kind}:300:1")
    try:
        from reasoning_gym import create_dataset
    except ImportError:
        raise missing_extra("data sets need reasoning-gym", "reasoning-gym") from None
    entries = create_dataset(kind, size=many, seed=first)
    for number, entry in enumerate(entries):
        about = {**entry["metadata"], "answer": entry["answer"], "seed": first + number}
        problem, answer = SETS[kind](about)
        yield Item(f"{PREFIX}{kind}:{number}", problem, tuple(answer))


def _clues(domains: Mapping[Any, Sequence[Value]], rules: Sequence[Constraint],
           clues: Sequence[Constraint | Rule]) -> Problem:  # fmt: skip
    """Return a problem whose clues are numbered; a `Rule` is a clue with its sentence."""
    stated = [clue if isinstance(clue, Rule) else Rule(clue) for clue in clues]
    pieces = [Evidence(c.constraint, n, c.sentence) for n, c in enumerate(stated, 1)]
    return Problem(domains, rules, pieces)


def _cells(grid: Grid) -> dict[tuple[int, int], str]:
    """Return the names of the cells of a grid by row and column, from 0."""
    return {(r, c): f"r{r + 1}c{c + 1}" for r, row in enumerate(grid) for c in range(len(row))}


def _values(grid: Grid) -> list[Constraint]:
    return [is_(name, grid[r][c]) for (r, c), name in _cells(grid).items()]


def _different(names: Sequence[str], values: Sequence[Value]) -> list[Constraint]:
    return [exactly(1, [is_(name, value) for name in names]) for value in values]


def _sudoku(of: Entry) -> Made:
    return sudoku("".join(str(n) for row in of["puzzle"] for n in row)), _values(of["solution"])


def _survo(of: Entry) -> Made:
    grid, size = of["puzzle"], of["board_size"] - 1
    numbers: Counter[int] = Counter(of["candidate_numbers"])
    cells = {place: name for place, name in _cells(grid).items() if max(place) < size}
    domains = {name: (grid[r][c],) if grid[r][c] else tuple(numbers)
               for (r, c), name in cells.items()}  # fmt: skip
    empty = [name for (r, c), name in cells.items() if not grid[r][c]]
    rules = [exactly(k, [is_(name, n) for name in empty]) for n, k in numbers.items()]
    clues = []
    for k in range(size):
        for axis, total in ((0, grid[k][size]), (1, grid[size][k])):
            line = [name for place, name in cells.items() if place[axis] == k]
            terms = [(is_(name, value), value) for name in line for value in domains[name]]
            clues.append(Sum(terms, total, total))
    answer = [is_(name, of["solution"][r][c]) for (r, c), name in cells.items()]
    return _clues(domains, rules, clues), answer


def _kakurasu(of: Entry) -> Made:
    cells = _cells(of["puzzle"])
    clues = []
    for axis, totals in ((0, of["row_sums"]), (1, of["col_sums"])):
        for k, total in enumerate(totals):
            line = [(place, name) for place, name in cells.items() if place[axis] == k]
            terms = [(is_(name, 1), place[1 - axis] + 1) for place, name in line]
            clues.append(Sum(terms, total, total))
    return _clues(dict.fromkeys(cells.values(), (0, 1)), (), clues), _values(of["solution"])


def _cryptarithm(of: Entry) -> Made:
    letters, words, total = of["letters"], of["words_letters"], of["result_letters"]
    weights: Counter[str] = Counter()
    for word, sign in [*((word, 1) for word in words), (total, -1)]:
        for power, letter in enumerate(reversed(word)):
            weights[letter] += sign * 10**power
    terms = [(is_(letter, n), n * weights[letter]) for letter in letters for n in range(10)]
    first = [] if of["allow_leading_zero"] else sorted({word[0] for word in [*words, total]})
    clues: list[Constraint] = [*(is_not(letter, 0) for letter in first), Sum(terms, 0, 0)]
    domains = dict.fromkeys(letters, range(10))
    answer = [is_(*pair) for pair in of["letter_to_digit"].items()]
    return _clues(domains, all_different(domains), clues), answer


def _futoshiki(of: Entry) -> Made:
    grid, cells = of["puzzle"], _cells(of["puzzle"])
    digits = range(1, len(grid) + 1)
    lines = [
        [name for place, name in cells.items() if place[axis] == k]
        for axis in (0, 1)
        for k in range(len(grid))
    ]
    rules = [rule for line in lines for rule in _different(line, digits)]
    clues: list[Constraint] = [
        is_(name, grid[r][c]) for (r, c), name in cells.items() if grid[r][c]
    ]
    for a, b, c, d, sign in of["constraints"]:
        ends = (cells[a, b], cells[c, d]) if sign == "<" else (cells[c, d], cells[a, b])
        clues.append(Difference(*ends, 1))
    return _clues(dict.fromkeys(cells.values(), tuple(digits)), rules, clues), _values(
        of["solution"]
    )


def _queens(of: Entry) -> Made:
    boards = [[row.index("Q") for row in board] for board in of["solutions"]]
    columns = range(len(of["puzzle"]))
    rows = [f"row {k + 1}" for k in columns]
    rules = _different(rows, columns)
    for a, b in combinations(columns, 2):
        pairs = [(x, y) for x in columns for y in columns if abs(x - y) != b - a]
        rules.append(Where((rows[a], rows[b]), Rows(pairs)))
    clues = [is_(rows[k], line.index("Q")) for k, line in enumerate(of["puzzle"]) if "Q" in line]
    worlds = [all_of(map(is_, rows, board)) for board in boards]
    return _clues(dict.fromkeys(rows, tuple(columns)), rules, clues), [any_of(worlds)]


_WORDS: Mapping[str, Callable[..., Constraint]] = {
    "not": negation, "¬": negation, "->": implies, "→": implies, "<=>": iff, "↔": iff,
    "and": lambda *parts: all_of(parts), "∧": lambda *parts: all_of(parts),
    "or": lambda *parts: any_of(parts), "∨": lambda *parts: any_of(parts),
}  # fmt: skip


def _knights(of: Entry) -> Made:
    names = list(map(str, of["names"]))

    def claim(said: Any) -> Constraint:
        word, *parts = said
        if word in ("lying", "telling-truth"):
            return is_(names[parts[0]], word == "telling-truth")
        return _WORDS[word](*map(claim, parts))

    clues = [
        iff(is_(name, True), claim(said))
        for name, said in zip(names, of["statements"], strict=True)
    ]
    return _clues(dict.fromkeys(names, (False, True)), (), clues), list(
        map(is_, names, of["solution"])
    )


def _formulas(of: Entry) -> Made:
    from reasoning_gym.logic.propositional_logic import Expression

    def formula(expression: Any) -> Constraint:
        if expression.operator is None:
            left = expression.left
            return is_(left, True) if isinstance(left, str) else formula(left)
        parts = [formula(p) if isinstance(p, Expression) else is_(p, True)
                 for p in (expression.left, expression.right) if p is not None]  # fmt: skip
        return _WORDS[expression.operator.value](*parts)

    premises = [Rule(formula(Expression.from_string(text)), text) for text in of["premises"]]
    answer = formula(Expression.from_string(of["example_answer"]))
    return _clues(dict.fromkeys(of["variables"], (False, True)), (), premises), [answer]


def _zebra(of: Entry) -> Made:
    from reasoning_gym.logic.contrib.logic_puzzle.generate import generate_puzzle

    sizes = of["difficulty"]
    found, puzzle = generate_puzzle(
        Random(of["seed"]), sizes["num_people"], sizes["num_characteristics"]
    )
    houses = tuple(puzzle.houses)
    kinds = [[str(x) for x in puzzle.literals if isinstance(x, kind)]
             for kind in puzzle.element_classes]  # fmt: skip
    rules = [rule for names in kinds for rule in _different(names, houses)]
    clues = []
    for clue in sorted(puzzle.clues):
        if type(clue).__name__ == "found_at":
            stated: Constraint = is_(str(clue.value), clue.house)
        else:
            a, b = str(clue.value1), str(clue.value2)
            low = {"same_house": 0, "consecutive": 1, "beside": 1}[type(clue).__name__]
            absolute = type(clue).__name__ == "beside"
            stated = Difference(a, b, low, low, absolute=absolute)
        clues.append(Rule(stated, str(clue)))
    names = [name for names in kinds for name in names]
    first = found["questions"][0]
    answer = [is_(f"Name.{of['answer']}", int(first["question"].rstrip("?").split()[-1]))]
    return _clues(dict.fromkeys(names, houses), rules, clues), answer


SETS: Mapping[str, Callable[[Entry], Made]] = {
    "cryptarithm": _cryptarithm,
    "futoshiki": _futoshiki,
    "kakurasu": _kakurasu,
    "knights_knaves": _knights,
    "mini_sudoku": _sudoku,
    "n_queens": _queens,
    "propositional_logic": _formulas,
    "sudoku": _sudoku,
    "survo": _survo,
    "zebra_puzzles": _zebra,
}
"""The sets that can be read, each with what makes a problem of an entry."""
