"""The page of Minesweeper: a board to tap, with the probability of a mine in each cell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from attrs import evolve

from deduce.constraints import Fact, Variable
from deduce.errors import DeduceError
from deduce.logs.events import Log
from deduce.pages.features.advice import Advising
from deduce.pages.features.log import LogBook, Sight
from deduce.pages.features.start import Start
from deduce.pages.features.tiles import BoardSheet, Tile
from deduce.pages.hidden import hidden_page
from deduce.pages.html import (
    Child,
    Chip,
    Html,
    button,
    chips,
    field,
    form,
    join_html,
    problem,
    strength,
    submit,
    tag,
)
from deduce.pages.presenter import Act, Feature, Presenter
from deduce.pages.protocol import Intent, Job, Moment, Ui, strings
from deduce.pages.sentences import Texts
from deduce.show.table import percent
from deduce.show.text import Grid, grid_of
from games.minesweeper.game import CLEAR, MINE, Minesweeper, Open
from games.minesweeper.notation import is_board
from games.minesweeper.players import Choice, choose
from games.minesweeper.position import Position
from games.minesweeper.setup import LEVELS, board_named, cell_name, read_cell

__all__ = ["minesweeper_page"]

OWN = "own"
MAX_SAFE = 8
"""How many of the safest cells are listed."""

MAX_CLEAR = 40
"""How many cells that are certainly clear are listed."""


def minesweeper_page() -> Presenter[Sight]:
    """Return the page of Minesweeper."""
    return hidden_page(
        "minesweeper", book=BoardLog, start=BoardStart, sheet=Board, advice=Opening, own=_own
    )


class BoardStart(Start):
    """A new board, of a level or of any size."""

    fields = ("level", "size")

    def new_game(self) -> Html:
        """Return the form for a new board."""
        say = self.say
        levels = [Chip(level, say(f"setup.level.{level}")) for level in (*LEVELS, OWN)]
        size = tag("div", field(say("setup.own"), "size", hint=say("setup.own_hint")), class_="own")
        level = chips(say("setup.board"), "level", levels, ["beginner"])
        start = submit(say("setup.start"), class_="button main big")
        return form("begin", level, size, start, id_="begin-form")

    def begin(self, moment: Moment, intent: Intent) -> None:
        """Begin with an empty board."""
        level = intent.first("level")
        size = "".join(intent.first("size").split())
        named = board_named(size if level == OWN or level not in LEVELS else level)
        game = Minesweeper(named.columns, named.rows, named.mines)
        moment.begin(self.page, game.format_log([]))

    def kept(self, text: str) -> str:
        """Return a drawn board as a log of lines, which can be changed line by line."""
        return _as_log(text)


class BoardLog(LogBook):
    """The log of a board; a drawn board becomes a log of lines by the first step."""

    def change(self, moment: Moment, start: int, end: int, lines: list[str], key: str) -> None:
        """Take the step that replaces lines."""
        document = moment.log
        if is_board(document.text):
            last = len(self.lines(document))
            moment.document = evolve(document, text=_as_log(document.text))
            count = len(self.lines(moment.log))
            start, end = (count, count) if start == last else (start + 1, end + 1)
        super().change(moment, start, end, lines, key)


def _as_log(text: str) -> str:
    if not is_board(text):
        return text
    log = Minesweeper.parse_log(text)
    return str(log.game.format_log(log.events))


def _own(say: Texts, book: LogBook) -> Sequence[Feature[Sight]]:
    def show(moment: Moment, intent: Intent) -> None:
        """Enter the number that a cell shows, or another one than before."""
        log = book.read(moment.log.text)
        name, number = intent.values.get("at", ""), intent.index("number", 9)
        line = book.line_of(log, f"{name}: {number}")
        moment.ui.pop("cell", None)
        event = _event(log, name)
        if event is None:
            book.add(moment, line)
        else:
            book.replace(moment, event, line)

    return [Feature(intents={"show": Act(show, "at", "number")})]


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
        if len(sight.log.events) < sight.game.rows * sight.game.columns:
            yield cell_name(_choice(sight).cell)

    def below(self, sight: Sight, ui: Ui, grid: Grid) -> Child:
        """Return nothing: the board shows everything."""
        return None

    def refuted(self, sight: Sight, ui: Ui) -> Child:
        """Return the board with its numbers alone."""
        return self.board(sight, ui, None)

    def actions(self, sight: Sight, fact: Fact, cell: str) -> Child:
        """Return a button for each number that the open cell may show."""
        game, name = sight.game, str(fact.variable)
        around = len(game.around(read_cell(name, game)))
        numbers = [
            button(str(number), "show", data_at=name, data_number=number)
            for number in range(around + 1)
        ]
        parts: list[Child] = [tag("p", self.say("cell.shows"), class_="wide-label"), *numbers]
        event = _event(sight.log, name)
        if event is not None:
            remove = button(self.say("cell.remove"), "drop", class_="button danger",
                            data_event=event)  # fmt: skip
            parts.append(remove)
        return parts

    def tiles(
        self, sight: Sight, ui: Ui, grid: Grid | None, doubtful: Collection[Variable]
    ) -> Mapping[str, Sequence[Tile]]:
        """Return the cells, by rows."""
        game = sight.game
        shown = {event.cell: event.number for event in sight.log.events}
        news = {claim.partition(".")[0] for claim in strings(ui, "news")}
        chosen = str(ui.get("cell", "")).partition(".")[0]
        pen = ui.get("pen")
        rows: dict[str, list[Tile]] = {}
        for index in range(game.rows * game.columns):
            y, x = divmod(index, game.columns)
            name = cell_name((x, y))
            fact, inside, what, look = self._cell(name, shown.get(name), grid)
            label = self.say("board.label", cell=name, what=what)
            if str(index) in news and name not in shown:
                look, label = f"{look} new", f"{label}, {self.say('grid.new')}"
            if name in doubtful and name not in shown:
                look, label = f"{look} doubtful", f"{label}, {self.say('slips.doubtful')}"
            do, tap = "why", {"data_fact": f"{index}.{fact}"}
            if type(pen) is int and name not in shown:
                do, tap = "show", {"data_at": name, "data_number": str(pen)}
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
        say, game = self.say, sight.game
        grid = grid_of(sight.knowledge)
        opened = {event.cell for event in sight.log.events}
        clear = [c for c, values in grid.possible.items() if values == {CLEAR} and c not in opened]
        if len(opened) == len(grid.possible) - (game.mines or 0) and game.mines is not None:
            yield tag("p", say("advice.done"))
            return
        parts: list[Child] = []
        if clear:
            buttons = [self._open_button(sight, str(c), str(c)) for c in clear[:MAX_CLEAR]]
            parts += [tag("h3", say("advice.clear", cells=len(clear))),
                      tag("div", *buttons, class_="buttons")]  # fmt: skip
        else:
            parts.append(self._choice(sight))
        yield join_html(parts)
        if grid.numbers is None:
            parts.append(tag("p", say("advice.undecided")))
        else:
            shares = {
                str(cell): row[MINE]
                for cell, row in grid.numbers.items()
                if len(row) > 1 and cell not in opened
            }
            safest = sorted(shares, key=shares.__getitem__)[:MAX_SAFE]
            items = [
                self._open_button(sight, c, say("advice.risk", cell=c, share=percent(shares[c])))
                for c in safest
            ]
            if items:
                parts += [tag("h3", say("advice.others")), tag("div", *items, class_="buttons")]
        yield join_html(parts)

    def _choice(self, sight: Sight) -> Html:
        try:
            choice = _choice(sight)
        except DeduceError as error:
            return problem(error)
        name = cell_name(choice.cell)
        told = tag("p", tag("strong", self.say("advice.best", cell=name)), data_advice="exact")
        return join_html([told, tag("p", choice.reason), self._open_button(sight, name, name)])

    def _open_button(self, sight: Sight, name: str, label: str) -> Html:
        variables = list(sight.game.variables())
        return button(label, "why", data_fact=f"{variables.index(name)}.0")


def _choice(sight: Sight) -> Choice:
    """Return the cell to open, as the program that plays the game chooses it."""
    game, position = sight.game, Position(sight.game)
    position.open({read_cell(event.cell, game): event.number for event in sight.log.events})
    return choose(position)


def _event(log: Log, name: str) -> int | None:
    """Return the index of the event about a cell, or ``None``."""
    for index, event in enumerate(log.events):
        if isinstance(event, Open) and event.cell == name:
            return index
    return None
