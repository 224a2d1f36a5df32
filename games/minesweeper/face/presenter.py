"""The presenter of Minesweeper: a board whose cells are tapped."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from attrs import evolve

from deduce.constraints import Fact
from deduce.errors import DeduceError
from deduce.events import Log
from deduce.face.document import Document
from deduce.face.html import Child, Html, join_html, tag
from deduce.face.logs import Sight
from deduce.face.parts import Chip, button, callout, chips, field, form, heading, strength
from deduce.face.presenter import Intent, Job, Moment
from deduce.face.sheet import SheetFace
from deduce.face.texts import Table
from deduce.knowledge import Knowledge
from deduce.show.table import percent
from deduce.show.text import Grid, grid_of
from games.minesweeper.face.texts import TEXTS
from games.minesweeper.game import CLEAR, MINE, Minesweeper, Open
from games.minesweeper.notation import is_board
from games.minesweeper.players import choose
from games.minesweeper.position import Position
from games.minesweeper.setup import LEVELS, board_named, cell_name, read_cell

__all__ = ["MinesweeperFace"]

OWN = "own"
FITS = 9
"""A board with more columns is wider than a phone."""

MAX_SAFE = 8
"""How many of the safest cells are listed."""

MAX_CLEAR = 40
"""How many cells that are certainly clear are listed."""


class MinesweeperFace(SheetFace):
    """The face of Minesweeper; see `deduce.face.presenter.Presenter`."""

    tables: tuple[Table, ...] = (TEXTS,)

    def __init__(self) -> None:
        super().__init__("minesweeper")

    # Set-up

    def new_game(self, moment: Moment) -> Html:
        """Return the form for a new board."""
        say = self.say
        levels = [Chip(level, say(f"setup.level.{level}")) for level in (*LEVELS, OWN)]
        size = tag("div", field(say("setup.own"), "size", hint=say("setup.own_hint")), class_="own")
        submit = tag("button", say("setup.start"), type="submit", class_="button main big")
        level = chips(say("setup.board"), "level", levels, ["beginner"])
        return form("begin", level, size, submit, id_="begin-form")

    def do_begin(self, moment: Moment, intent: Intent) -> None:
        """Begin with an empty board."""
        level = intent.first("level")
        size = "".join(intent.first("size").split())
        named = board_named(size if level == OWN or level not in LEVELS else level)
        game = Minesweeper(named.columns, named.rows, named.mines)
        moment.begin(self.name, game.format_log([]))

    def do_example(self, moment: Moment, intent: Intent) -> None:
        """Begin with an example."""
        super().do_example(moment, intent)
        moment.document = self._as_log(moment.log)

    def do_paste(self, moment: Moment, intent: Intent) -> None:
        """Begin with a board or a log that was pasted."""
        super().do_paste(moment, intent)
        moment.document = self._as_log(moment.log)

    def do_text(self, moment: Moment, intent: Intent) -> None:
        """Replace the whole board by a text."""
        super().do_text(moment, intent)
        moment.document = self._as_log(moment.log)

    def _as_log(self, document: Document) -> Document:
        """Return a drawn board as a log of lines, which can be changed line by line."""
        if not is_board(document.text):
            return document
        log = self.read(document.text)
        return evolve(document, text=log.game.format_log(log.events))

    def change(self, moment: Moment, start: int, end: int, lines: list[str], key: str) -> None:
        """Take the step that replaces lines; a drawn board becomes a log first."""
        if is_board(moment.log.text):
            last = len(self.lines(moment.log))
            moment.document = self._as_log(moment.log)
            count = len(self.lines(moment.log))
            start, end = (count, count) if start == last else (start + 1, end + 1)
        super().change(moment, start, end, lines, key)

    # Numbers

    def do_show(self, moment: Moment, intent: Intent) -> None:
        """Enter the number that a cell shows, or another one than before."""
        log = self.read(moment.log.text)
        name, number = intent.values.get("at", ""), intent.index("number", 9)
        line = self.line_of(log, f"{name}: {number}")
        moment.ui.pop("cell", None)
        index = _event(log, name)
        if index is None:
            self.add(moment, line)
        else:
            moment.ui["line"] = index
            _, at = self._open_line(moment)
            self.change(moment, at, at + 1, [line], "step.edit")
            moment.ui.pop("line", None)

    def cell_actions(self, sight: Sight, fact: Fact, cell: str) -> Child:
        """Return a button for each number that the open cell may show."""
        game, name = sight.game, str(fact.variable)
        around = len(game.around(read_cell(name, game)))
        numbers = [
            button(str(number), "show", data_at=name, data_number=number)
            for number in range(around + 1)
        ]
        parts: list[Child] = [tag("p", self.say("cell.shows"), class_="wide-label"), *numbers]
        index = _event(sight.log, name)
        if index is not None:
            remove = button(self.say("cell.remove"), "drop", class_="button danger",
                            data_event=index)  # fmt: skip
            parts.append(remove)
        return parts

    # Views

    def view_sheet(self, sight: Sight, ui: dict[str, Any], jobs: list[Job]) -> Html:
        """Return the board."""
        if ui.get("slips"):
            return self.doubts_frame(sight, jobs)
        if ui.get("tutor") or sight.consistent is False:
            shown = super().view_sheet(sight, ui, jobs)
            return shown if ui.get("tutor") else join_html([shown, self._board(sight, ui, None)])
        grid = grid_of(sight.knowledge)
        return join_html(
            [
                heading(self.say("board.title")),
                self._located(sight, grid),
                self.summary(sight.knowledge),
                self._board(sight, ui, grid),
                tag("p", self.say("board.help"), class_="hint"),
                self.doubts_button(sight),
            ]
        )

    def doubtful_sheet(self, sight: Sight, knowledge: Knowledge) -> Html:
        """Return the board when numbers may be misread."""
        grid = grid_of(knowledge)
        certain = sight.knowledge.certain() if sight.consistent else {}
        doubtful = {cell for cell in certain if len(grid.possible[cell]) > 1}
        return self._board(sight, {}, grid, doubtful)

    def _located(self, sight: Sight, grid: Grid) -> Html:
        game = sight.game
        mines = sum(values == {MINE} for values in grid.possible.values())
        key = "board.unknown" if game.mines is None else "board.mines"
        line = self.say(key, columns=game.columns, rows=game.rows, mines=game.mines, n=mines)
        return tag("p", line, class_="summary")

    def _board(
        self,
        sight: Sight,
        ui: Mapping[str, Any],
        grid: Grid | None,
        doubtful: Collection[Any] = (),
    ) -> Html:
        game = sight.game
        shown = {event.cell: event.number for event in sight.log.events}
        news = set(ui.get("news") or ())
        chosen = str(ui.get("cell", "")).partition(".")[0]
        rows = []
        for y in range(game.rows):
            cells = []
            for x in range(game.columns):
                index = y * game.columns + x
                new = f"{index}.0" in news or f"{index}.1" in news
                name = cell_name((x, y))
                pressed = chosen == str(index)
                cells.append(self._cell(name, index, shown.get(name), grid, new, pressed=pressed,
                                        doubtful=name in doubtful))  # fmt: skip
            rows.append(tag("tr", *cells))
        table = tag(
            "table",
            tag("caption", self.say("board.title"), class_="hidden"),
            tag("tbody", *rows),
            class_="mines small" if game.columns <= FITS else "mines",
            data_grid=True,
        )
        return tag("div", table, class_="wide")

    def _cell(
        self, name: str, index: int, number: int | None, grid: Grid | None, new: bool,  # noqa: FBT001
        *, pressed: bool, doubtful: bool,
    ) -> Html:  # fmt: skip
        say = self.say
        possible = {MINE, CLEAR} if grid is None else grid.possible[name]
        share: Fraction | None = None
        if grid is not None and grid.numbers is not None:
            share = grid.numbers[name].get(MINE, Fraction(0))
        fact = f"{index}.{1 if possible == {CLEAR} else 0}"
        if number is not None:
            shown, what, look = str(number or ""), say("board.open", n=number), f"open n{number}"
        elif possible == {MINE}:
            shown, what, look = "⚑", say("board.mine"), "mine"
        elif possible == {CLEAR}:
            shown, what, look = "✓", say("board.clear"), "clear"
        elif share is None:
            shown, what, look = "?", say("board.unopened"), "closed"
        else:
            shown = percent(share).removesuffix("%")
            what, look = say("board.share", share=percent(share)), f"closed {strength(share)}"
        label = say("board.label", cell=name, what=what)
        if new and number is None:
            look, label = f"{look} new", f"{label}, {say('grid.new')}"
        if doubtful and number is None:
            look, label = f"{look} doubtful", f"{label}, {say('slips.doubtful')}"
        inside = button(shown, "why", class_="cell", data_fact=fact, aria_label=label,
                        aria_pressed="true" if pressed else None)  # fmt: skip
        return tag("td", inside, class_=look)

    def job_advice(self, sight: Sight, job: Job) -> Iterator[Html]:
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
        game = sight.game
        position = Position(game)
        position.open({read_cell(event.cell, game): event.number for event in sight.log.events})
        try:
            choice = choose(position)
        except DeduceError as error:
            return tag("p", str(error))
        name = cell_name(choice.cell)
        told = tag("p", tag("strong", self.say("advice.best", cell=name)))
        return callout(told, tag("p", choice.reason), self._open_button(sight, name, name))

    def _open_button(self, sight: Sight, name: str, label: str) -> Html:
        variables = list(sight.game.variables())
        return button(label, "why", data_fact=f"{variables.index(name)}.0")


def _event(log: Log, name: str) -> int | None:
    """Return the index of the event about a cell, or ``None``."""
    for index, event in enumerate(log.events):
        if isinstance(event, Open) and event.cell == name:
            return index
    return None
