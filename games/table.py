"""A table becomes a game: which row is it? Guess Who, twenty questions, a key for diagnoses."""

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from io import StringIO
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from attrs import frozen

from deduce import BadInput, Fact, Knowledge
from deduce.line_game import Line, LineGame
from deduce.problem import World
from deduce.system.registry import Registration
from deduce.system.text import check_known

if TYPE_CHECKING:
    from numpy.typing import NDArray

Inquiry: TypeAlias = tuple[str, ...]

FACES = """\
face,hair,eyes,hat,glasses
Ann,red,blue,yes,no
Ben,black,brown,no,no
Cid,black,blue,no,yes
Dot,red,brown,no,no
Eli,grey,brown,yes,yes
Fay,grey,blue,no,no
"""

TRAITS = ("hat", "glasses", "beard", "scarf", "earrings", "freckles", "smile", "red hair")
"""The columns of random tables of faces."""


def rows_of(text: str) -> tuple[tuple[str, ...], ...]:
    r"""Return the rows of a CSV text, the names of the columns first.

    Raises
    ------
    BadInput
        A row is longer or shorter than the first one, or has an empty cell.

    Examples
    --------
    >>> rows_of("who, hat\nAnn, yes\n")
    (('who', 'hat'), ('Ann', 'yes'))
    """
    rows: list[tuple[str, ...]] = []
    try:
        for row in (reader := csv.reader(StringIO(text), strict=True)):
            cells = tuple(cell.strip() for cell in row)
            if len(cells) != len(rows[0] if rows else cells):
                raise BadInput(
                    f"expected {len(rows[0])} cells as in the first row, got {len(cells)}",
                    line=reader.line_num,
                )
            if "" in cells:
                where = cells.index("")
                raise BadInput(f"cell {where + 1} is empty", line=reader.line_num)
            rows += [cells] if cells else []
    except csv.Error as error:
        raise BadInput(f"not CSV: {error}", line=reader.line_num) from None
    return tuple(rows)


class Told(Line, template="{column}: {value}"):
    """The value in a column."""

    column: str
    value: str


class Asked(Line, template="{column}={value}? {answer}"):
    """Whether a column has a value; about the first column, whether it is a certain row."""

    column: str
    value: str
    answer: bool


Event: TypeAlias = Told | Asked


@frozen
class Table(LineGame):
    """Find the row of your own table by asking about its columns.

    The rows of a table are the possibilities: the first column has their names, the others are what
    you can ask about. One row is chosen, each with the same probability. ``deduce table new --csv
    FILE`` begins a log with your own table; its first line has the names of the columns.

    A line of a log is an answer: ``hair: red`` states the value in a column, ``hair=red? no``
    whether it is a given value, and likewise ``face=Ann? no`` whether it is a given row.
    ``--slips`` allows for wrong answers.

    With ``yes_no`` only questions with the answers yes and no are asked, as in Guess Who; with
    ``naming`` the row must be named in the end, which counts as a question.

    The rules are those of this docstring; for the game of Guess Who see `race`.

    Examples
    --------
    >>> k = Knowledge(Table()).tell("hair: grey", "hat=yes? no")
    >>> k.certain()
    {'face': 'Fay'}
    """

    name = "table"
    summary = "A table of your own: find the row by asking about its columns (Guess Who)"
    events = (Told, Asked)
    setup_files: ClassVar = {"csv": rows_of}

    csv: tuple[tuple[str, ...], ...] = rows_of(FACES)
    yes_no: bool = False
    naming: bool = False

    def __attrs_post_init__(self) -> None:
        """Refuse a table from which nothing can be found."""
        names = [row[0] for row in self.csv[1:]]
        if len(names) < 2 or len(self.csv[0]) < 2:
            raise BadInput("a table has a line with names, two rows or more, and two columns")
        for listed in (names, self.csv[0]):
            if len(set(listed)) < len(listed):
                twice = next(name for name in listed if listed.count(name) > 1)
                raise BadInput(f"two rows or columns are called {twice!r}")
        if {len(row) for row in self.csv} != {len(self.csv[0])}:
            raise BadInput("all rows have as many cells as the first one")

    @cached_property
    def by_column(self) -> Mapping[str, Mapping[str, str]]:
        """The value of each row by column and name; the first column has the names themselves."""
        head, *rows = self.csv
        return {name: {row[0]: row[i] for row in rows} for i, name in enumerate(head)}

    def variables(self) -> Mapping[str, Sequence[str]]:
        """Return what is hidden: the row."""
        return {self.csv[0][0]: [row[0] for row in self.csv[1:]]}

    def fields(self, kind: type) -> Mapping[str, Collection[str]]:
        """Return the columns."""
        return {"column": self.by_column}

    def check(self, event: Event) -> None:
        """Refuse columns and values that the table does not have."""
        super().check(event)
        check_known(f"value of {event.column}", event.value, self.by_column[event.column].values())

    def means(self, event: Event, log: Sequence[Event]) -> Iterator[Fact]:
        """Yield that it is one of the rows that fit an answer."""
        holds = isinstance(event, Told) or event.answer
        cells = self.by_column[event.column].items()
        yield Fact(self.csv[0][0], [row for row, v in cells if (v == event.value) == holds])

    def records(self, event: Event) -> int:
        """Return how many answers could have been recorded."""
        return max(2, len({*self.by_column[event.column].values()}) * isinstance(event, Told))

    def inquiries(self, log: Sequence[Event], viewer: object) -> Iterator[Inquiry]:
        """Yield the questions about columns, and with ``naming`` those about rows."""
        names, *columns = self.csv[0]
        for column in columns:
            values = list(dict.fromkeys(self.by_column[column].values()))
            asked = [(column, value) for value in values[len(values) == 2 :]]
            yield from asked if self.yes_no else [(column,)]
        if self.naming:
            yield from ((names, row) for row in self.by_column[names])

    def answer(self, inquiry: Inquiry, world: World) -> str:
        """Return the value in a column, or ``"yes"`` or ``"no"``."""
        cell = self.by_column[inquiry[0]][world[self.csv[0][0]]]
        return cell if len(inquiry) == 1 else "yes" if cell == inquiry[1] else "no"

    def answer_table(
        self, inquiries: Sequence[Inquiry], worlds: Sequence[World]
    ) -> tuple[list[str], "NDArray[Any]"]:
        """Return the answers to many questions at once."""
        import numpy as np

        code, rows = {"yes": 0, "no": 1}, [world[self.csv[0][0]] for world in worlds]
        columns = {}
        for column, cells in self.by_column.items():
            columns[column] = np.array([code.setdefault(cells[row], len(code)) for row in rows])
        asked = [(columns[column], value) for column, *value in inquiries]
        codes = [given != code.get(value[0], -1) if value else given for given, value in asked]
        return list(code), np.array(codes, np.int64)

    def scope(self, inquiry: Inquiry) -> tuple[str]:
        """Return the only variable."""
        return (self.csv[0][0],)

    def ends(self, inquiry: Inquiry, answer: str) -> bool:
        """Return whether the row was named."""
        return inquiry[0] == self.csv[0][0] and answer == "yes"

    def event_of(self, inquiry: Inquiry, answer: str) -> Event:
        """Return the event of a question and its answer."""
        return Asked(*inquiry, answer == "yes") if len(inquiry) == 2 else Told(inquiry[0], answer)

    def format_inquiry(self, inquiry: Inquiry) -> str:
        """Return ``hair?`` or ``hair=red?``."""
        return f"{'='.join(inquiry)}?"

    def svg(self, knowledge: Knowledge) -> str:
        """Return the rows as cards, shaded by their probability."""
        from deduce.show.svg import shaded_cells

        (row,) = knowledge.posterior().values()
        cells = [(str(name), share) for name, share in row.items()]
        return shaded_cells([cells[i : i + 6] for i in range(0, len(cells), 6)], title="the rows")

    @classmethod
    def random_setup(cls, random: Random) -> "Table":
        """Return a small table with random cells."""
        columns = [f"column {letter}" for letter in "ABCD"[: random.randint(1, 4)]]
        rows = [
            (f"row {number}", *(random.choice("xyz"[: random.randint(2, 3)]) for _ in columns))
            for number in range(random.randint(2, 9))
        ]
        return cls((("it", *columns), *rows), random.random() < 0.5, random.random() < 0.5)

    @classmethod
    def staged(cls, level: int, random: Random) -> "Table":
        """Return Guess Who with 12, 24 or 48 faces that differ in 6 to 8 yes-or-no columns."""
        faces, columns = 12 * 2 ** (level - 1), 5 + level
        drawn = random.sample(range(2**columns), faces)
        rows = [(f"face{n}", *f"{code:0{columns}b}") for n, code in enumerate(drawn, start=1)]
        words = [tuple({"0": "no", "1": "yes"}.get(cell, cell) for cell in row) for row in rows]
        return cls((("face", *TRAITS[:columns]), *words), yes_no=True, naming=True)


@cache
def race(mine: int, theirs: int) -> Fraction:
    """Return the probability that the player to move wins a race of two, as in Guess Who.

    Both have a secret face. In turn they ask a question about any set of the faces that are left,
    or name a face, which takes a turn; a wrong name loses. Cost: the product of both numbers, times
    the larger.

    Parameters
    ----------
    mine, theirs
        How many faces are possible for the player to move, and for the other one.

    Examples
    --------
    >>> race(24, 24)
    Fraction(5, 9)
    """
    asked = (
        Fraction(part, mine) * (1 - race(theirs, part))
        + Fraction(mine - part, mine) * (1 - race(theirs, mine - part))
        for part in range(1, mine // 2 + 1)
    )
    return max(Fraction(1, mine), max(asked, default=Fraction(0)))


REGISTRATION = Registration.of(Table, "games.examples", fact="face=Ben")
