"""Minesweeper against enumeration: probabilities, certain cells, endgames, boards as text."""

from __future__ import annotations

import contextlib
import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from deduce import Knowledge
from deduce.cli.main import cli
from deduce.errors import BadInput, Contradiction, DeduceError
from deduce.logs.events import parse_event
from deduce.testing import check_hidden_game
from games.minesweeper import Board, Field, Minesweeper, Open, Position, choose, play
from games.minesweeper.advice import best_cell
from games.minesweeper.notation import board_json, board_text, read_board
from games.minesweeper.players import Start
from games.minesweeper.setup import Cell, board_named, cell_name, read_cell


@st.composite
def positions(draw: st.DrawFn) -> tuple[Field, dict[Cell, int]]:
    """Return a small field, and some of its cells as a player could have opened them."""
    columns, rows = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    mines = draw(st.integers(0, columns * rows - 1))
    random = Random(draw(st.integers(0, 10**9)))
    board = Board(columns, rows, mines)
    first = random.choice(board.cells())
    field = Field.random(board, first, "classic", random)
    opened = field.open(first) or {}
    clear = [cell for cell in board.cells() if cell not in field.mines]
    for cell in random.sample(clear, random.randint(0, min(4, len(clear)))):
        opened |= field.open(cell, opened) or {}
    return field, opened


def placements(board: Board, opened: dict[Cell, int]) -> list[frozenset[Cell]]:
    """Return every placement of the mines that fits, by trying all."""
    hidden = [cell for cell in board.cells() if cell not in opened]
    return [
        frozenset(mines)
        for mines in combinations(hidden, board.mines or 0)
        if all(sum(o in mines for o in board.around(c)) == n for c, n in opened.items())
    ]


@settings(max_examples=15)
@given(positions())
def test_probabilities_are_those_of_enumeration(position: tuple[Field, dict[Cell, int]]) -> None:
    field, opened = position
    worlds = placements(field.board, opened)
    known = Position(field.board)
    known.open(opened)
    for cell in known.mines:
        assert all(cell in world for world in worlds)
    for cell in known.clear:
        assert not any(cell in world for world in worlds)
    assert known.risks().ways == len(worlds)
    assert known.probabilities() == {
        cell: Fraction(sum(cell in world for world in worlds), len(worlds))
        for cell in field.board.cells()
        if cell not in opened
    }


def wins(board: Board, opened: dict[Cell, int], worlds: list[frozenset[Cell]]) -> int:
    """Return how many placements the best play wins, by trying every order of cells."""
    best = 0
    for cell in board.cells():
        if cell not in opened:
            best = max(best, wins_by(board, opened, worlds, cell))
    return best


def wins_by(
    board: Board, opened: dict[Cell, int], worlds: list[frozenset[Cell]], cell: Cell
) -> int:
    groups: dict[int, list[frozenset[Cell]]] = {}
    total = 0
    for world in worlds:
        if cell in world:
            continue
        if len(opened) + 1 + len(world) == len(board.cells()):
            total += 1
        else:
            number = sum(other in world for other in board.around(cell))
            groups.setdefault(number, []).append(world)
    return total + sum(
        wins(board, {**opened, cell: number}, group) for number, group in groups.items()
    )


@given(positions())
def test_endgames_are_played_best(position: tuple[Field, dict[Cell, int]]) -> None:
    field, opened = position
    board = field.board
    known = Position(board)
    known.open(opened)
    hidden = len(board.cells()) - len(opened)
    if known.clear or hidden > 7 or hidden == board.mines or 0 in known.probabilities().values():
        return
    worlds = placements(board, opened)
    found = best_cell(known.view())
    assert found is not None
    cell, won, count = board.grid().cells[found[0]], found[1], found[2]
    assert (won, count) == (wins(board, opened, worlds), len(worlds))
    assert wins_by(board, opened, worlds, cell) == won


@given(positions())
def test_one_step_ahead_is_what_enumeration_finds(position: tuple[Field, dict[Cell, int]]) -> None:
    field, opened = position
    board, grid = field.board, field.board.grid()
    known = Position(board)
    known.open(opened)
    view = known.view()
    worlds = [world for world in placements(board, opened) if not known.clear & world]
    for index in view.mined():
        cell = grid.cells[index]
        groups: dict[int, list[frozenset[Cell]]] = {}
        for world in worlds:
            if cell not in world:
                number = sum(other in world for other in board.around(cell))
                groups.setdefault(number, []).append(world)
        left = [other for other in known.hidden() if other != cell]
        expected = []
        for group in groups.values():
            mined = sorted(sum(other in world for world in group) for other in left)
            won = all(count == len(group) for count in mined)
            safest = 1.0 if won else 1 - mined[0] / len(group)
            expected.append((len(group), round(safest, 9)))
        found = [(after.ways, round(after.safest, 9)) for after in view.after(index)]
        assert sorted(found) == sorted(expected)


def test_a_guess_that_cannot_be_avoided_is_taken_early() -> None:
    # A1 and A2 are cut off by mines in A3 and B3.
    board = Board(10, 12, 30)
    below = [cell for cell in board.cells() if cell[1] >= 3]
    met = 0
    for seed in range(5):
        mines = Random(seed).sample(below, 27)
        field = Field(board, frozenset({(0, 1), (0, 2), (1, 2), *mines}))
        guesses: list[tuple[Cell, str]] = []

        def watch(position: Position, choice: Any, guesses: list[Any] = guesses) -> None:
            if choice.survives < 1:
                guesses.append((choice.cell, choice.reason))

        play(field, (9, 0), watch)
        for cell, reason in guesses:
            assert "placements" in reason  # other regions may be cut off, too
            if cell in {(0, 0), (0, 1)}:
                met += 1
                break
    assert met


def test_boards_of_any_size_are_rated() -> None:
    board = board_named("100x100:2000")
    position = Position(board)
    assert choose(position).survives == Fraction(4, 5)
    position.open({(5, 5): 2})
    assert 0 < choose(position).survives < 1


@pytest.mark.parametrize("start", ["classic", "modern"])
def test_a_player_opens_no_mine_that_it_calls_clear(start: Start) -> None:
    board = Board(9, 9, 12)
    won = 0
    for seed in range(15):
        field = Field.random(board, (3, 3), start, Random(seed))

        def watch(position: Position, choice: Any, field: Field = field) -> None:
            if choice.survives == 1:
                assert choice.cell not in field.mines
            assert position.clear.isdisjoint(field.mines)
            assert position.mines <= field.mines

        won += play(field, (3, 3), watch).won
    assert won >= 8


def test_the_starts_keep_what_they_promise() -> None:
    board = Board(5, 5, 15)
    for seed in range(30):
        assert (2, 2) not in Field.random(board, (2, 2), "classic", Random(seed)).mines
        shown = Field.random(board, (2, 2), "modern", Random(seed)).open((2, 2)) or {}
        assert shown[2, 2] == 0
    with pytest.raises(BadInput, match="17 mines do not fit on 16 cells"):
        Field.random(Board(5, 5, 17), (2, 2), "modern", Random(0))


def test_the_conformance_check_passes() -> None:
    check_hidden_game(Minesweeper(3, 3, 3))
    check_hidden_game(Minesweeper(3, 2))


@given(positions(), st.booleans())
def test_boards_round_trip(position: tuple[Field, dict[Cell, int]], has_mines: bool) -> None:
    field, opened = position
    board = field.board if has_mines else Board(field.board.columns, field.board.rows)
    assert read_board(board_text(board, opened)) == (board, opened)
    assert read_board(json.dumps(board_json(board, opened))) == (board, opened)
    flagged = board_text(board, opened).replace(".", "F")
    assert read_board(flagged) == (board, opened)
    game = Minesweeper(board.columns, board.rows, board.mines)
    events = [Open(cell_name(cell), number) for cell, number in opened.items()]
    log = Minesweeper.parse_log(game.format_log(events))
    assert (log.game, list(log.events)) == (game, events)


@settings(max_examples=15)
@given(st.text(alphabet='0123456789.#F mines:board{}[]"\n\x00²', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(DeduceError):
        Minesweeper.parse_log(text)


@pytest.mark.parametrize(
    "line", ["A1:1", " a1 :1", "A01: 1", '{"event": "open", "cell": "a01", "number": 1}']
)
def test_a_cell_has_one_name(line: str) -> None:
    assert parse_event(Minesweeper(3, 3), line) == Open("A1", 1)


def test_a_wrong_line_is_answered_by_an_example() -> None:
    with pytest.raises(BadInput, match="an opened cell is written as 'C4: 2', not 'C4 2'"):
        parse_event(Minesweeper(), "C4 2")


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["minesweeper", *arguments], input=text)


def test_playing_many_games_prints_one_object() -> None:
    for start in ("classic", "modern"):
        arguments = ("--games", "4", "--seed", "3", "--start", start, "--board", "beginner")
        result = run("play", *arguments, "--json")
        assert result.exit_code == 0, result.output
        document = json.loads(result.output)
        assert document["games"] == 4
        assert 0 <= document["won"] <= 4
        assert document["undecided"] == 0
        assert document == json.loads(run("play", *arguments, "--json", "--jobs", "2").output)
        assert f"{document['won']} of 4 games won" in run("play", *arguments).output


def test_games_are_continued_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    arguments = ("--seed", "3", "--board", "beginner", "--json")
    results = ("--results", str(file))
    first = run("play", "--games", "3", *arguments, *results)
    assert first.exit_code == 0, first.output
    lines = file.read_text().splitlines()
    assert len(lines) == 4
    file.write_text("\n".join([*lines[:3], lines[3][:5]]))  # as if it was killed in the last line
    whole = run("play", "--games", "6", *arguments, *results)
    assert len(file.read_text().splitlines()) == 7
    assert json.loads(whole.output) == json.loads(run("play", "--games", "6", *arguments).output)
    assert json.loads(run("play", "--games", "3", *arguments, *results).output) == json.loads(
        first.output
    )
    other = run("play", "--games", "3", "--seed", "4", "--board", "beginner", *results)
    assert isinstance(other.exception, BadInput)
    assert run("play", *results).exit_code == 2


def test_playing_oneself() -> None:
    result = run(
        *("play", "--board", "4x4:1", "--seed", "1"),
        text="A1\nhint\nrisks\nboard\nhelp\nA1\nnonsense\nquit\n",
    )
    assert "A B C D" in result.output
    assert "certainly clear" in result.output or "won" in result.output
    board = Board(4, 4, 1)
    field = Field.random(board, (0, 0), "classic", Random(1))
    cells = [cell_name(cell) for cell in board.cells() if cell not in field.mines]
    assert run("play", "--board", "4x4:1", "--seed", "1", text="\n".join(cells)).output.endswith(
        "won\n"
    )
    mine = cell_name(next(iter(field.mines)))
    lost = run("play", "--board", "4x4:1", "--seed", "1", text=f"A1\n{mine}\n").output
    assert "lost" in lost or "won" in lost


def test_advice_is_the_exact_best_where_few_placements_are_left() -> None:

    contradicting = Position(Board(3, 1, 1))
    contradicting.open({(1, 0): 0})
    assert contradicting.clear
    for board in (contradicting, Position(Board(2, 1, 1), {(0, 0): 0})):
        with pytest.raises(Contradiction):  # and not a board that is solved, or a clear cell
            choose(board)
    position = Position(Board(4, 1, 1))
    position.open({(1, 0): 1})
    assert choose(position).survives == 1  # D1, for the mine is beside B1
    position.open({(3, 0): 0} if (2, 0) in position.clear else {(3, 0): 1})
    assert choose(position).survives == 1
    corner = Position(Board(2, 2, 1))
    corner.open({(0, 0): 1})
    choice = choose(corner)
    assert choice.survives == Fraction(2, 3)
    assert "1 of 3 placements are won" in choice.reason


@pytest.mark.parametrize("seed", range(6))
def test_misread_numbers_agree_with_all_placements_and_all_sets_of_slips(seed: int) -> None:
    random = Random(seed)
    game = Minesweeper(3, 3, 2)
    log = [Open("A1", random.randint(0, 3)), Open("B2", random.randint(0, 5)), Open("C3", 1)]
    rate = Fraction(1, 10)
    cells = list(game.variables())
    weights: dict[tuple[str, ...], Fraction] = {}
    wrong: dict[int, Fraction] = dict.fromkeys(range(1, 4), Fraction(0))
    for mines in combinations(cells, 2):
        if any(event.cell in mines for event in log):
            continue
        factors = []
        for event in log:
            around = game.around(read_cell(event.cell, game))
            true = sum(cell_name(cell) in mines for cell in around)
            others = [n for n in range(len(around) + 1) if n != event.number]
            whole = sum(Fraction(1, abs(n - event.number)) for n in others)
            distance = abs(true - event.number)
            misread = rate / distance / whole if distance else Fraction(0)
            factors.append((misread, misread or 1 - rate))
        weights[mines] = factors[0][1] * factors[1][1] * factors[2][1]
        for number, (misread, _) in enumerate(factors, start=1):
            wrong[number] += weights[mines] * bool(misread)
    total = sum(weights.values())
    knowledge = Knowledge(game, log, doubts={"number": rate})
    for cell in cells:
        share = sum(w for mines, w in weights.items() if cell in mines) / total
        assert knowledge.posterior()[cell].get("mine", 0) == share
    assert {slip.event: slip.probability for slip in knowledge.slips()} == {
        number: share / total for number, share in wrong.items()
    }


def test_a_misread_number_is_ranked_first() -> None:
    log = ["A1: 0", "B1: 0", "A2: 0", "B2: 3", "C1: 1", "A3: 1"]
    knowledge = Knowledge(Minesweeper(4, 4, 3)).tell(*log)
    assert not knowledge.is_consistent()
    first = knowledge.doubting(True).slips()[0]
    assert (first.event, first.answer) == (4, "B2: 3")
    assert 0.99 < first.probability < 1
    instead = dict(first.instead)  # of its neighbours only C3 can be a mine
    assert instead["B2 shows 0"] + instead["B2 shows 1"] > 0.99


def test_an_event_of_a_drawn_board_has_no_line_and_can_be_changed(tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("mines: 1\n111\n1..\n")
    assert "the new event is missing" in run("track", str(file), text="edit 4\n").output
