"""The page of Minesweeper: a board to tap, with the probability of a mine in each cell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from deduce.constraints import Fact, Variable
from deduce.errors import DeduceError
from deduce.logs.document import Document
from deduce.logs.events import Log
from deduce.pages.features.advice import Advising
from deduce.pages.features.log import LogBook, Sight
from deduce.pages.features.start import Start
from deduce.pages.features.tiles import BoardSheet, Tile
from deduce.pages.hidden import hidden_page
from deduce.pages.html import (
    Child,
    Html,
    button,
    field,
    join_html,
    problem,
    strength,
    tag,
)
from deduce.pages.presenter import Presenter
from deduce.pages.protocol import Intent, Job, Ui, strings
from deduce.show.sheet import Grid, grid_of
from deduce.show.table import percent
from games.minesweeper.game import CLEAR, MINE, Minesweeper
from games.minesweeper.notation import is_board
from games.minesweeper.players import Choice, choose
from games.minesweeper.position import Position
from games.minesweeper.setup import LEVELS, board_named, cell_name

__all__ = ["minesweeper_page"]

MAX_SAFE = 8
"""How many of the safest cells are listed."""

MAX_CLEAR = 40
"""How many cells that are certainly clear are listed."""


def minesweeper_page() -> Presenter[Sight]:
    """Return the page of Minesweeper."""
    return hidden_page("minesweeper", book=BoardLog, start=BoardStart, sheet=Board, advice=Opening)


class BoardStart(Start):
    """A new board, of a level or of any size."""

    fields = ("kind", "size")
    usual = {level: Minesweeper.of(board) for level, board in LEVELS.items()}  # noqa: RUF012

    def own_controls(self) -> list[Html]:
        """Return the control of the size."""
        return [field(self.say("setup.own"), "size", hint=self.say("setup.own_hint"))]

    def own_game(self, intent: Intent) -> Minesweeper:
        """Return the game on a board of a size that was typed."""
        return Minesweeper.of(board_named("".join(intent.first("size").split())))

    def kept(self, text: str) -> str:
        """Return a drawn board as a log of lines, which can be changed line by line."""
        return _as_log(text)


class BoardLog(LogBook):
    """The log of a board; a drawn board is read as a log of lines, which a first step makes it."""

    def read(self, text: str) -> Log:
        """Return the log of a text; raise `BadInput` if it cannot be read."""
        return super().read(_as_log(text))

    def lines(self, document: Document) -> list[str]:
        """Return the lines of the log."""
        return _as_log(document.text).splitlines()


def _as_log(text: str) -> str:
    if not is_board(text):
        return text
    game, events = Minesweeper.parse_log(text)
    return str(game.format_log(events))


class Board(BoardSheet):
    """The board, in which a tap on an open cell changes its number."""

    def line(self, sight: Sight) -> Child:
        """Return the size of the board, and the mines."""
        game, certain = sight.game, grid_of(sight.knowledge).possible.values()
        mines = sum(values == {MINE} for values in certain)
        key = "board.unknown" if game.mines is None else "board.mines"
        line = self.say(key, columns=game.columns, rows=game.rows, mines=game.mines, n=mines)
        return tag("p", line, class_="summary")

    def is_board(self, sight: Sight) -> bool:
        """Return that this is always a board."""
        return True

    def pens(self, sight: Sight) -> Sequence[str]:
        """Return the numbers."""
        return list(map(str, range(9)))

    def columns(self, sight: Sight) -> Sequence[str]:
        """Return nothing: the coordinates are in the corners of the cells."""
        return ()

    def best(self, sight: Sight) -> Iterator[str]:
        """Yield the cell that the program that plays the game chooses."""
        yield cell_name(_choice(sight).cell)

    def below(self, sight: Sight, ui: Ui, grid: Grid) -> Child:
        """Return nothing: the board shows everything."""
        return None

    def refuted(self, sight: Sight, ui: Ui) -> Child:
        """Return the board with its numbers alone."""
        return self.board(sight, ui, None)

    def actions(self, sight: Sight, fact: Fact, cell: str, verdict: str) -> Child:
        """Return a button for each number that the open cell may show."""
        name = str(fact.variable)
        numbers = [button(str(number), "tell", data_line=f"{name}: {number}")
                   for number in range(len(sight.game.names_around(name)) + 1)]  # fmt: skip
        removes = [
            button(self.say("cell.remove"), "drop", class_="button danger", data_event=number)
            for number, event in enumerate(sight.log.events) if event.cell == name
        ]  # fmt: skip
        return [tag("p", self.say("cell.shows"), class_="wide-label"), *numbers, *removes]

    def tiles(
        self, sight: Sight, ui: Ui, grid: Grid | None, doubtful: Collection[Variable]
    ) -> Mapping[str, Sequence[Tile]]:
        """Return the cells, by rows."""
        say, pen = self.say, ui.get("pen")
        shown = {event.cell: event.number for event in sight.log.events}
        news = {claim.partition(".")[0] for claim in strings(ui, "news")}
        chosen = str(ui.get("cell", "")).partition(".")[0]
        rows: dict[str, list[Tile]] = {}
        for index, (name, (_, y)) in enumerate(sight.game.named_cells().items()):
            fact, inside, what, look = self._cell(name, shown.get(name), grid)
            label = say("board.label", cell=name, what=what)
            do, tap = "why", {"data_fact": f"{index}.{fact}"}
            if name not in shown:
                if str(index) in news:
                    look, label = f"{look} new", f"{label}, {say('grid.new')}"
                if name in doubtful:
                    look, label = f"{look} doubtful", f"{label}, {say('slips.doubtful')}"
                if type(pen) is int:
                    do, tap = "tell", {"data_line": f"{name}: {pen}"}
            tile = Tile(name, inside, label, look, do, tap, chosen == str(index))
            rows.setdefault(str(y + 1), []).append(tile)
        return rows

    def _cell(self, name: str, number: int | None, grid: Grid | None) -> tuple[int, str, str, str]:
        """Return the value a cell is asked about, what it shows, and how it is said and drawn."""
        say = self.say
        possible = {MINE, CLEAR} if grid is None else grid.possible[name]
        fact = 1 if possible == {CLEAR} else 0
        if number is not None:
            return fact, str(number or ""), say("board.open", n=number), f"open n{number}"
        if possible == {MINE}:
            return fact, "⚑", say("board.mine"), "mine"
        if possible == {CLEAR}:
            return fact, "✓", say("board.clear"), "clear"
        if grid is None or grid.numbers is None:
            return fact, "?", say("board.unopened"), "closed"
        share = grid.numbers[name].get(MINE, Fraction(0))
        what = say("board.share", share=percent(share))
        return fact, percent(share).rstrip("% \u00a0"), what, f"closed {strength(float(share))}"


class Opening(Advising):
    """Which cell to open: certain ones, or the one with the best chances."""

    def job(self, sight: Sight, job: Job) -> Iterator[Html]:
        """Yield which cell to open: certain ones, or the one with the best chances."""
        yield Html()
        say, grid = self.say, grid_of(sight.knowledge)
        opened = {event.cell for event in sight.log.events}
        clear = [name for name, values in grid.possible.items()
                 if values == {CLEAR} and name not in opened]  # fmt: skip
        if len(opened) == len(grid.possible) - (sight.game.mines or 0):
            yield tag("p", say("advice.done"))
            return
        if clear:
            cells = [self._open_button(sight, str(cell)) for cell in clear[:MAX_CLEAR]]
            first = _titled(say("advice.clear", cells=len(clear)), cells)
        else:
            first = self._choice(sight)
        yield first
        if grid.numbers is None:
            yield join_html([first, tag("p", say("advice.undecided"))])
            return
        shares = {str(cell): row[MINE] for cell, row in grid.numbers.items() if len(row) > 1}
        safest = [
            self._open_button(sight, c, say("advice.risk", cell=c, share=percent(shares[c])))
            for c in sorted(shares, key=shares.__getitem__)[:MAX_SAFE]
        ]
        yield join_html([first, _titled(say("advice.others"), safest) if safest else None])

    def _choice(self, sight: Sight) -> Html:
        try:
            choice = _choice(sight)
        except DeduceError as error:
            return problem(error)
        name = cell_name(choice.cell)
        told = tag("p", tag("strong", self.say("advice.best", cell=name)), data_advice="exact")
        return join_html([told, tag("p", choice.reason), self._open_button(sight, name)])

    def _open_button(self, sight: Sight, name: str, label: str = "") -> Html:
        index = list(sight.game.variables()).index(name)
        return button(label or name, "why", data_fact=f"{index}.0")


def _titled(title: str, buttons: Sequence[Html]) -> Html:
    return join_html([tag("h3", title), tag("div", *buttons, class_="buttons")])


def _choice(sight: Sight) -> Choice:
    """Return the cell to open, as the program that plays the game chooses it."""
    return choose(Position.of(sight.game, sight.log.events))
