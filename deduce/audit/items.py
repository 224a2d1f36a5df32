"""What is audited: problems with the answers that are stated for them, read from files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, islice
from math import isqrt
from typing import Any

from attrs import evolve, frozen

from deduce.constraints import Constraint, Fact, at_least, exactly, is_
from deduce.errors import BadInput, placed
from deduce.logs.case_forms import below, check_form
from deduce.logs.events import with_game
from deduce.logs.json_values import parse_json
from deduce.logs.problem_json import read_constraint, read_problem, write_problem
from deduce.logs.problem_text import parse_condition, parse_stated
from deduce.problem import Evidence, Problem, Rule
from deduce.system.files import read_text
from deduce.system.text import whole_number

__all__ = ["Item", "items_of", "read_items", "sudoku"]

_BOARD = re.compile(r"[0-9.]+(?=\s*(,|$))")

_ZEBRA = {"id?": str, "solution": {"header": [str], "rows": [[str]]}, "clues": [str]}

_ITEM = {"item?": str, "problem": {}, "stated?": [{}], "accepted?": [[{}]]}


@frozen
class Item:
    """A problem with its name, and the answers that are stated for it.

    Parameters
    ----------
    name, problem
        The problem.
    answer
        What is stated to hold; empty: nothing is.
    accepted
        Other answers that are paid as well.
    """

    name: str
    problem: Problem
    answer: tuple[Constraint, ...] = ()
    accepted: tuple[tuple[Constraint, ...], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as an object of JSON, from which `items_of` makes an equal one.

        Raises
        ------
        Unsupported
            The problem has no form in JSON.
        """
        pieces = [Evidence(claim, None) for claim in chain(self.answer, *self.accepted)]
        claims = evolve(self.problem, rules=(), evidence=pieces)
        written = iter([one["constraint"] for one in write_problem(claims)["evidence"]])
        stated = list(islice(written, len(self.answer)))
        return {
            "item": self.name,
            "problem": write_problem(self.problem),
            "stated": stated,
            "accepted": [list(islice(written, len(claims))) for claims in self.accepted],
        }


def read_items(file: str, unreadable: list[BadInput] | None = None) -> Iterator[Item]:
    """Yield the items of a file, whose form docs/problems.md describes.

    It is a problem as text, in JSON or in DIMACS CNF; or has a board, an item in JSON or a zebra
    table in JSON on each line. With a list ``unreadable``, lines that cannot be read are added to
    it, and those after them are read.

    Raises
    ------
    BadInput
        The file cannot be read, or is none of these forms; with the place.
    """
    text, source = read_text(file)
    try:
        yield from items_of(text, source, unreadable)
    except BadInput as error:
        raise with_game(error, source) from None


def items_of(text: str, source: str, unreadable: list[BadInput] | None = None) -> Iterator[Item]:
    """Yield the items of a text; see `read_items`. Their names begin with the source."""
    numbered = enumerate(map(str.strip, text.splitlines()), 1)
    lines = [(n, line) for n, line in numbered if line and not line.startswith("#")]
    first = lines[0][1] if lines else ""
    by_line: Callable[[str, str], Item] | None = None
    if _BOARD.match(first):
        by_line = _of_board
    elif first.startswith("{") and first.endswith("}"):
        by_line = _of_json
    with placed(source=source):
        if by_line is not None:
            for number, line in lines:
                try:
                    yield by_line(line, f"{source}:{number}" if len(lines) > 1 else source)
                except BadInput as error:
                    wrong = BadInput(error.message, line=number, column=error.column)
                    if unreadable is None:
                        raise wrong from None
                    unreadable.append(wrong.at(source=source))
        elif first.startswith("{"):
            yield _of_json(text, source)
        elif first.split(maxsplit=1)[:1] in (["c"], ["p"]):
            yield dimacs(text, source)
        else:
            stated = parse_stated(text)
            yield Item(source, stated.problem, stated.answer)


def _of_board(line: str, name: str) -> Item:
    """Return the item of a sudoku board, and of its solution after a comma if there is one."""
    board, comma, solution = map(str.strip, line.partition(","))
    problem = sudoku(board)
    if not comma:
        return Item(name, problem)
    if len(solution) != len(board):
        raise BadInput(f"the solution has {len(board)} digits, not {solution[:90]!r}")
    digits = {str(digit): digit for digit in next(iter(problem.domains.values()))}
    wrong = [digit for digit in solution if digit not in digits]
    if wrong:
        raise BadInput(f"the digits of the solution are 1 to {len(digits)}, not {wrong[0]!r}")
    cells = zip(problem.domains, solution, strict=True)
    return Item(name, problem, tuple(is_(cell, digits[digit]) for cell, digit in cells))


def _of_json(text: str, name: str) -> Item:
    """Return an item as `Item.to_json` writes it, or a problem without a stated answer."""
    document = parse_json(text)
    if "clues" in document and not {"problem", "variables"} & {*document}:
        return _zebra_table(document, name)
    if "problem" not in document:
        return Item(name, read_problem(document))
    check_form(document, _ITEM)
    problem = read_problem(document["problem"], "problem")
    claims = {"stated": document.get("stated", ())}
    claims |= {f"accepted[{n}]": each for n, each in enumerate(document.get("accepted", ()))}
    stated, *accepted = (
        tuple(read_constraint(problem, one, below(path, n)) for n, one in enumerate(listed))
        for path, listed in claims.items()
    )
    return Item(document.get("item", name), problem, stated, tuple(accepted))


def _zebra_table(document: Any, name: str) -> Item:
    """Return the puzzle whose solution is a table; its clues are conditions of the text form."""
    check_form(document, _ZEBRA)
    header, rows = document["solution"]["header"], document["solution"]["rows"]
    if not (1 < len(header) <= MAX_TABLE and 0 < len(rows) <= MAX_TABLE):
        raise BadInput(f"solution: expected a header of 2 to {MAX_TABLE} columns, and 1 to "
                       f"{MAX_TABLE} rows")  # fmt: skip
    for number, row in enumerate(rows):
        if len(row) != len(header):
            raise BadInput(f"{below('solution.rows', number)}: expected {len(header)} texts")
    places, *columns = ([row[k].strip() for row in rows] for k in range(len(header)))
    numbers = map(whole_number, places)
    values = [text if of is None else of for text, of in zip(places, numbers, strict=True)]
    for text, times in [*Counter(values).items(), *Counter(chain(*columns)).items()]:
        if times > 1:
            raise BadInput(f"solution: {str(text)!r} appears twice")
    rules = [
        Rule(
            exactly(1, [is_(thing, value) for thing in column]), f"one {kind} for each {header[0]}"
        )
        for kind, column in zip(header[1:], columns, strict=True)
        for value in values
    ]
    blank = Problem(dict.fromkeys(chain(*columns), values), rules)
    clues = []
    for number, text in enumerate(document["clues"], 1):
        try:
            clues.append(Evidence(parse_condition(blank, text), number, text))
        except BadInput as error:
            raise BadInput(f"clue {number}: {error.message}", column=error.column) from None
    answer = [is_(*pair) for column in columns for pair in zip(column, values, strict=True)]
    return Item(document.get("id", name), evolve(blank, evidence=clues), tuple(answer))


def dimacs(text: str, name: str = "formula") -> Item:
    r"""Return the problem of a formula in DIMACS CNF: its clauses are the clues.

    The comment ``c 1 rain`` names Boolean 1, and ``c answer 1 -3 0`` states the answer. A Boolean
    without a name is called by its number.

    Raises
    ------
    BadInput
        It is not such a formula; with the line.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> item = dimacs("c 1 rain\nc 2 wet\np cnf 2 2\n1 0\n-1 2 0\n")
    >>> Knowledge(item.problem).certain()
    {'rain': True, 'wet': True}
    """
    names: dict[int, str] = {}
    literals: list[tuple[str, int]] = []
    answer: list[tuple[str, int]] = []
    size = stated = -1
    line = 0
    for line, words in enumerate(map(str.split, text.split("\n")), 1):
        match words:
            case ["c", "answer", *rest]:
                answer += [(word, line) for word in rest]
            case ["c", number, *rest] if rest and (index := whole_number(number)):
                names[index] = " ".join(rest)
            case ["%"]:
                break  # how some collections end
            case ["p", *rest]:
                sizes = [whole_number(word) for word in rest[1:]]
                if size >= 0 or rest[:1] != ["cnf"] or len(sizes) != 2 or None in sizes:
                    raise BadInput("expected p cnf BOOLEANS CLAUSES, once", line=line)
                size, stated = (number or 0 for number in sizes)
                if size > MAX_BOOLEANS:
                    raise BadInput(f"at most {MAX_BOOLEANS} Booleans are read", line=line)
            case [kind, *_] if kind != "c":
                literals += [(word, line) for word in words]
                if len(literals) > MAX_LITERALS:
                    raise BadInput(f"at most {MAX_LITERALS} literals are read", line=line)
    if size < 1:
        raise BadInput("expected a line p cnf BOOLEANS CLAUSES, with at least one Boolean")
    named = Counter(names.get(n, n) for n in range(1, size + 1))
    if twice := [each for each, times in named.items() if times > 1]:
        raise BadInput(f"two Booleans have the name {twice[0]!r}")

    def listed(words: list[tuple[str, int]]) -> Iterator[list[Fact]]:
        facts: list[Fact] = []
        for word, at in words:
            number = whole_number(word.removeprefix("-"))
            if number is None or number > size:
                raise BadInput(f"expected a number from 1 to {size}, 0 at the end, or one with -, "
                               f"not {word!r}", line=at)  # fmt: skip
            if number:
                facts.append(is_(names.get(number, number), not word.startswith("-")))
            else:
                yield facts
                facts = []
        if facts:
            raise BadInput("a clause ends with 0", line=words[-1][1])

    clauses = list(listed(literals))
    if len(clauses) != stated:
        raise BadInput(f"the line p states {stated} clauses, not {len(clauses)}")
    clues = []
    for event, clause in enumerate(map(list, map(dict.fromkeys, clauses)), 1):
        said = " or ".join(map(str, clause)) or "an empty clause"
        constraint = clause[0] if len(clause) == 1 else at_least(1, clause)
        clues.append(Evidence(constraint, event, said))
    return Item(
        name,
        Problem(dict.fromkeys(named, (False, True)), evidence=clues),
        tuple(chain(*listed(answer))),
    )


MAX_BOOLEANS, MAX_LITERALS = 10_000, 1_000_000
"""How many Booleans and literals a formula may have."""

MAX_TABLE = 50
"""How many rows and columns a zebra table may have."""


def sudoku(board: str) -> Problem:
    """Return the problem of a sudoku board that is written in one line, row by row.

    Parameters
    ----------
    board
        81 digits (or 16, for a board of 4 by 4); ``0`` or ``.`` for an empty cell.

    Raises
    ------
    BadInput
        There are not 16 or 81 digits, or one of them is too large.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> Knowledge(sudoku("1..43..22..3....")).certain()["r1c2"]
    2
    """
    size = isqrt(len(board))
    if len(board) not in (16, 81) or set(board) - {*"0123456789."}:
        raise BadInput(f"a board has 16 or 81 digits or dots, not {len(board)} characters")
    high = [digit for digit in board if digit not in ".0" and int(digit) > size]
    if high:
        raise BadInput(f"the digits of this board are 1 to {size}, not {high[0]}")
    blank = _blank(size)
    given = [(cell, int(d)) for cell, d in zip(blank.domains, board, strict=True) if d not in ".0"]
    clues = [Evidence(is_(cell, digit), number) for number, (cell, digit) in enumerate(given, 1)]
    return evolve(blank, evidence=clues)


@cache
def _blank(size: int) -> Problem:
    """Return the problem of an empty sudoku board."""
    box, places = isqrt(size), range(size)
    names = {(r, c): f"r{r + 1}c{c + 1}" for r in places for c in places}
    houses = {f"row {n + 1}": [names[n, c] for c in places] for n in places}
    houses |= {f"column {n + 1}": [names[r, n] for r in places] for n in places}
    houses |= {
        f"box {n + 1}": [names[n // box * box + k // box, n % box * box + k % box] for k in places]
        for n in places
    }
    values = tuple(range(1, size + 1))
    rules = [
        Rule(exactly(1, [is_(cell, digit) for cell in cells]), f"{house} has one {digit}")
        for house, cells in houses.items()
        for digit in values
    ]
    return Problem(dict.fromkeys(names.values(), values), rules)
