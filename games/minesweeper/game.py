"""Minesweeper as a game in which something is hidden: where the mines are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import TYPE_CHECKING, ClassVar

from attrs import evolve, field, frozen

from deduce import Evidence, Rule, exactly, is_, number_of
from deduce.constraints import Fact, Number
from deduce.errors import BadInput, placed
from deduce.line_game import Line
from deduce.logs.events import Log, format_event, parse_event
from deduce.problem import Instead
from deduce.system.language import Texts, listed
from deduce.system.text import whole_number
from games.minesweeper.notation import is_board, read_board
from games.minesweeper.setup import Board, board_named, cell_name, normal_name, read_cell

if TYPE_CHECKING:
    from deduce.knowledge import Knowledge

__all__ = ["CLEAR", "MINE", "Minesweeper", "Open"]

MINE, CLEAR = "mine", "clear"

_say = Texts("minesweeper", "games")


def _cell(name: object) -> str:
    return normal_name(str(name))


def say(fact: Fact) -> str:
    """Return a fact as a sentence.

    >>> from deduce.constraints import is_, is_not
    >>> say(is_("A1", MINE)), say(is_not("A1", MINE))
    ('A1 is a mine', 'A1 is clear')
    """
    if len(fact.values) == 2:
        return _say("fact.neither" if fact.negated else "fact.either", cells=str(fact.variable))
    return say_all([fact])


def say_all(facts: Sequence[Fact]) -> str:
    """Return facts of the same kind as one clause.

    >>> from deduce.constraints import is_
    >>> say_all([is_("A1", MINE), is_("B2", MINE)]), say_all([is_("A1", CLEAR)])
    ('A1 and B2 are mines', 'A1 is clear')
    """
    if len(facts) == 1 and len(facts[0].values) == 2:
        return say(facts[0])
    key = "fact.mine" if (facts[0].values == {MINE}) != facts[0].negated else "fact.clear"
    cells = listed([str(fact.variable) for fact in facts])
    return _say(key, cells=cells, n=len(facts))


def pattern(kind: str, pieces: Sequence[Rule | Evidence]) -> str | None:
    """Return the name of a kind of step; ``None`` for the default (`deduce.game.Said.pattern`)."""
    numbers = sum(isinstance(piece, Evidence) for piece in pieces)
    if kind in ("combination", "case"):
        if numbers < len(pieces):
            return _say("pattern.mines")
        return _say("pattern.two" if numbers == 2 else "pattern.several")
    if kind not in ("given", "enough", "needed"):
        return None
    return _say("pattern.given" if kind == "given" else f"pattern.{kind}.{bool(numbers)}")


class Open(Line, template="{cell}: {number}"):
    """A cell was opened and shows how many of its neighbours are mines."""

    cell: str = field(converter=_cell)
    number: int


@frozen
class Minesweeper(Board):
    """Minesweeper on a board of any size; the variables are the names of the cells.

    Parameters
    ----------
    columns, rows, mines
        See `games.minesweeper.setup.Board`.

    Examples
    --------
    >>> from deduce import Knowledge
    >>> k = Knowledge(Minesweeper(3, 3, 2)).tell("A1: 1", "C1: 0")
    >>> k.count(), k.certain()["B2"], k.shares()["A3"]["mine"]
    (3, 'clear', Fraction(1, 3))
    """

    name = "minesweeper"
    events = (Open,)
    reads_documents = True
    slip_rates: ClassVar[Mapping[str, Fraction]] = {"number": Fraction(1, 100)}
    """How often a number is misread; see `doubted`."""

    @classmethod
    def of(cls, board: Board) -> Minesweeper:
        """Return the game on a board."""
        return cls(board.columns, board.rows, board.mines)

    def variables(self) -> Mapping[str, tuple[str, str]]:
        """Return the cells, each a mine or clear."""
        return dict.fromkeys(self.named_cells(), (MINE, CLEAR))

    def names_around(self, name: str) -> list[str]:
        """Return the names of the neighbours of a cell."""
        return list(map(cell_name, self.around(read_cell(name, self))))

    def mines_around(self, name: str) -> list[Fact]:
        """Return the facts that the neighbours of a cell are mines."""
        return [is_(other, MINE) for other in self.names_around(name)]

    def rules(self) -> Iterator[Rule]:
        """Return the number of mines, if it is known."""
        if self.mines is not None:
            facts = [is_(name, MINE) for name in self.variables()]
            yield Rule(exactly(self.mines, facts), _say("rule.mines", n=self.mines))

    def evidence(self, log: Sequence[Open], viewer: object) -> Iterator[Evidence]:
        """Return what the opened cells show: the cell is clear, and how many mines are around."""
        return self.evidence_after(log, 0, viewer)

    def evidence_after(self, log: Sequence[Open], start: int, viewer: object) -> Iterator[Evidence]:
        """Return the part of the evidence that is about cells after the first ``start`` ones."""
        for number, event in enumerate(log[start:], start + 1):
            around = self.mines_around(event.cell)
            sentence = _say("event.opened", cell=event.cell, number=event.number)
            yield Evidence(is_(event.cell, CLEAR), number, sentence)
            yield Evidence(exactly(event.number, around), number, sentence)

    def doubted(
        self, log: Sequence[Open], viewer: object, rates: Mapping[str, Fraction]
    ) -> Iterator[Evidence]:
        """Return the same evidence, in which numbers may be misread.

        That a cell was opened, and is no mine, cannot be misread. Instead of the number another one
        was there, a near one more probably: one over the distance.
        """
        rate = rates["number"]
        for piece in self.evidence(log, viewer):
            event = log[(piece.event or 1) - 1]
            facts = self.mines_around(event.cell)
            others = [number for number in range(len(facts) + 1) if number != event.number]
            if isinstance(piece.constraint, Fact) or not rate or not others:
                yield piece
                continue
            instead = tuple(
                Instead(
                    exactly(number, facts),
                    Fraction(1, abs(number - event.number)),
                    _say("event.shows", cell=event.cell, number=number),
                )
                for number in others
            )
            yield evolve(piece, doubt=rate, instead=instead, answer=format_event(self, event))

    def check(self, event: Open) -> None:
        """Raise `BadInput` for a cell that is not on the board, or a number that cannot be."""
        around = len(self.names_around(event.cell))
        if not 0 <= event.number <= around:
            raise BadInput(f"{event.cell} has {around} neighbours and cannot show {event.number}")

    def corrects(self, event: Open, earlier: Open) -> bool:
        """Return whether both are about one cell, which always shows the same."""
        return event.cell == earlier.cell

    def parse_event(self, text: str) -> Open:
        """Return the event of a line such as ``C4: 2``."""
        cell, _, typed = text.partition(":")
        number = whole_number(typed.strip(), digits=1)
        if number is None:
            raise BadInput(f"an opened cell is written as 'C4: 2', not {text.strip()!r}")
        return Open(cell_name(read_cell(cell, self)), number)

    @classmethod
    def parse_log(cls, text: str) -> Log:
        """Return the log of a board drawn as text or in JSON, or of lines such as ``C4: 2``.

        A log of lines begins with ``board: expert`` or ``board: 12x8:15``.

        Raises
        ------
        BadInput
            With the line.
        """
        if is_board(text):
            board, numbers = read_board(text)
            game = cls.of(board)
            shown = [cell for cell in board.cells() if cell in numbers]
            events = [Open(cell_name(cell), numbers[cell]) for cell in shown]
            for event in events:
                game.check(event)
            return Log(game, events)
        numbered = enumerate((line.split("#")[0] for line in text.splitlines()), start=1)
        (first, header), *lines = [(number, line) for number, line in numbered if line.strip()]
        with placed(line=first):
            game = cls.of(board_named(header.partition(":")[2].strip()))
        opened = []
        for number, line in lines:
            with placed(line=number):
                opened.append(parse_event(game, line))
        return Log(game, opened, [number for number, _ in lines])

    def format_log(self, events: Iterable[Open]) -> str:
        """Return a log as lines: the board, then the opened cells in order."""
        mines = "" if self.mines is None else f":{self.mines}"
        lines = [
            f"board: {self.columns}x{self.rows}{mines}",
            *(format_event(self, event) for event in events),
        ]
        return "\n".join(lines) + "\n"

    def svg(self, knowledge: Knowledge) -> str:
        """Return the board with the opened cells as a picture."""
        from games.minesweeper.show import board_svg

        return board_svg(self, {read_cell(each.cell, self): each.number for each in knowledge.log})

    say = staticmethod(say)
    say_all = staticmethod(say_all)
    pattern = staticmethod(pattern)

    def questions(self) -> tuple[str, ...]:
        """Return all cells."""
        return tuple(self.variables())

    def inquiries(self, log: Sequence[Open], viewer: object) -> tuple[str, ...]:
        """Return the cells that can be opened."""
        opened = {event.cell for event in log}
        return tuple(name for name in self.variables() if name not in opened)

    def scope(self, inquiry: str) -> tuple[str, Number]:
        """Return what determines what opening a cell shows: itself, and the mines around it."""
        return inquiry, number_of(self.mines_around(inquiry))

    def alike(self, inquiry: str, log: Sequence[Open]) -> int:
        """Return the number of neighbours: which of them are mines makes no difference."""
        return len(self.names_around(inquiry))

    def answer(self, inquiry: str, world: Mapping[str, str]) -> int | str:
        """Return the number that an opened cell shows in a world, or ``"mine"``."""
        if world[inquiry] == MINE:
            return MINE
        return sum(world[other] == MINE for other in self.names_around(inquiry))

    def ends(self, inquiry: str, answer: int | str) -> bool:
        """Return whether the game is lost."""
        return answer == MINE

    def event_of(self, inquiry: str, answer: int | str) -> Open:
        """Return the event of an opened cell."""
        if not isinstance(answer, int):
            raise BadInput("after a mine the game is over")
        return Open(inquiry, answer)

    def format_inquiry(self, inquiry: str) -> str:
        """Return ``open C4``."""
        return f"open {inquiry}"

    def format_answer(self, inquiry: str, answer: int | str) -> str:
        """Return the number, or ``mine``."""
        return str(answer)

    @classmethod
    def puzzle_setup(cls, random: Random) -> Minesweeper:
        """Return a set-up for a puzzle: a small board; the number of mines is known, or it is not.

        Where it is not known, single numbers lead further, so that these puzzles are the easy ones.
        """
        side = random.randint(5, 7)
        if random.random() < 1 / 3:
            return cls(5, 5)
        return cls(side, side, side * side // random.randint(4, 6))

    @classmethod
    def staged(cls, level: int, random: Random) -> Minesweeper:
        """Return 5x5 cells with 4 mines, 7x7 with 8, or 9x9 with 10."""
        return cls(*((5, 5, 4), (7, 7, 8), (9, 9, 10))[level - 1])

    def outcome(
        self, inquiry: str, answer: int | str, log: Sequence[Open], world: Mapping[str, str]
    ) -> bool | None:
        """Return a loss for a mine, and a win when all other cells are open."""
        clear = {name for name, what in world.items() if what == CLEAR}
        won = clear == {inquiry, *(event.cell for event in log)}
        return False if answer == MINE else True if won else None

    def favourite(self, knowledge: Knowledge) -> str:
        """Return the safest cell; of several, one with the fewest neighbours."""
        shares = knowledge.posterior()
        cells = self.inquiries(knowledge.log, None)
        return min(cells, key=lambda name: (shares[name].get(MINE, 0), self.alike(name, ())))

    def deal(self, random: Random) -> dict[str, str]:
        """Return a random placement of the mines, all being equally likely."""
        names = list(self.variables())
        if self.mines is None:  # all placements of any number are equally likely
            mines = {name for name in names if random.getrandbits(1)}
        else:
            mines = set(random.sample(names, self.mines))
        return {name: MINE if name in mines else CLEAR for name in names}

    def record(self, world: Mapping[str, str], random: Random) -> Iterator[Open]:
        """Return some clear cells of a board, opened in random order."""
        clear = [name for name in world if world[name] == CLEAR]
        for name in random.sample(clear, random.randint(0, len(clear))):
            answer = self.answer(name, world)
            if isinstance(answer, int):
                yield Open(name, answer)
