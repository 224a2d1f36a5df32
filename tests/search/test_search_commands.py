"""The command line, pictures and playing, as a person would use them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from deduce.cli.main import cli
from deduce.errors import BadInput, BadProblem, Interrupted
from deduce.search import (
    Board,
    StateGraph,
    draw,
    graph_svg,
    load_game,
    read_state,
    solve,
    text_tree,
    to_dot,
)
from deduce.search.drawing import part
from games.classics.connect_four import ConnectFour
from games.classics.nim import DiceNim, Nim
from games.classics.tic_tac_toe import TicTacToe


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(arguments), input=text)


def told(*arguments: str) -> Any:
    result = run(*arguments, "--json")
    assert result.exception is None, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    ("flags", "command"),
    [
        (("--solve", "--solver", "minimax", "--all"), ("solve", "--solver", "minimax", "--all")),
        (("--best", "--max-nodes", "9"), ("best", "--max-nodes", "9")),
        (("--goal", "-1"), ("goal", "-1")),
        (("--perft", "3"), ("perft", "3")),
        (("--graph", "-", "--depth", "1"), ("graph", "-", "--depth", "1")),
        (("--tree", "--depth", "1"), ("tree", "--depth", "1")),
        (("--play", "--max-nodes", "9"), ("play", "--max-nodes", "9")),
        ((), ("show",)),
    ],
)
def test_the_flags_of_the_first_version_still_work(
    flags: tuple[str, ...], command: tuple[str, ...]
) -> None:
    def shown(*line: str) -> str:
        done = run(*line, text="1\nquit\n")
        assert done.exit_code in (0, 1), done.output
        return "\n".join(line for line in done.output.splitlines() if " s, " not in line)

    game, state = "tic-tac-toe", ("--after", "5;1;9")
    expected = shown("search", game, *command, *state)
    assert expected
    for line in (
        ("search", game, *flags, *state),
        ("search", *flags, *state, game),
        ("search", *state, game, *flags),
        (game, *flags, *state),
        (game, *command, *state),
        (game, *state, *command),
    ):
        assert shown(*line) == expected, line


def test_help_shows_what_settings_states_and_actions_look_like() -> None:
    text = run("search", "nim", "--help").output
    assert "heaps=1,3,5,7" in text
    assert "'1,3,5,7 player 0'" in text
    assert "'1 from 1'" in text
    assert "actions here: 1 from 1; " in str(run("nim", "--after", "x").exception)
    assert "actions  1 from 1; 1 from 2; " in run("nim").output
    lost = run("nim", "solve", "--set", "heaps=1,1").output
    assert "value      (-1, 1), proved: player 0 loses\n" in lost
    ended = run("nim", "--state", "0 player 0").output
    assert "over     -1, 1 (player 0 loses)\n" in ended


@pytest.mark.parametrize("ending", ["dot", "svg"])
def test_a_graph_that_cannot_be_written_is_told(ending: str) -> None:
    file = f"/no/such/folder/a.{ending}"
    found = run("tic-tac-toe", "--depth", "1", "--graph", file).exception
    assert isinstance(found, BadInput)
    assert str(found) == f"{file}: cannot be written: No such file or directory"


@pytest.mark.parametrize(
    ("game", "text", "message"),
    [
        (TicTacToe(), "XXX|OOO|...", "already has a row"),
        (TicTacToe(), "OOO|XX.|XX.", "already has a row"),
        (ConnectFour(4, 4), "XXXX/OOOO//", "already has a row"),
        (ConnectFour(4, 4), "XXXX/OOO/O/", "already has a row"),
        (Nim(), "9999999999999", "of up to 999999 pieces"),
        (Nim(), "1" * 5000, "of up to 999999 pieces"),
        (DiceNim(), "1" * 5000 + " pieces player 0 throws", "a state is written as"),
        (DiceNim(), "5 pieces, player 0 has thrown 0", "a state is written as"),
    ],
)
def test_states_that_cannot_be_are_refused(game: Any, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        game.parse_state(text)


def test_an_interrupted_count_tells_the_actions_it_has_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules, asked = TicTacToe.result, 0

    def result(self: TicTacToe, state: Any, action: int) -> Any:
        nonlocal asked
        asked += 1
        if asked == 80:
            raise KeyboardInterrupt
        return rules(self, state, action)

    monkeypatch.setattr(TicTacToe, "result", result)
    ran = run("tic-tac-toe", "--perft", "3")
    assert ran.stdout == "1: 56\n"
    assert isinstance(ran.exception, Interrupted)


def test_an_interrupted_search_prints_its_result_and_ends_with_130(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(TicTacToe, "result", interrupted)
    ran = run("tic-tac-toe", "solve")
    assert ran.exit_code == 130
    assert "stopped by" in ran.stdout


@pytest.mark.parametrize("words", ["graph all.graphml", "graph a.svg --solved", "tree --only-best"])
def test_after_ctrl_c_no_graph_is_made_of_the_states_so_far(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(TicTacToe, "result", interrupted)
    monkeypatch.setattr(StateGraph, "_add_new", lambda *_: pytest.fail("it took up to 9 seconds"))
    ran = run("tic-tac-toe", *words.split())
    assert isinstance(ran.exception, Interrupted)
    assert "interrupted after 1 state" in str(ran.exception)


def test_a_graph_that_is_interrupted_while_it_is_written_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("networkx.readwrite.gexf.GEXFWriter.add_graph", interrupted)
    path = tmp_path / "all.gexf"
    path.write_text("before")
    run("nim", "graph", str(path), "--set", "heaps=1,2")
    assert path.read_text() == "before"


def test_a_game_in_the_current_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_countdown.py").write_text(
        "class Game:\n"
        "    players = 2\n"
        "    def __init__(self, start=7): self.start = start\n"
        "    def initial_state(self): return self.start, 0\n"
        "    def to_move(self, state): return state[1]\n"
        "    def actions(self, state): return [1, 2][:state[0]]\n"
        "    def result(self, state, action): return state[0] - action, 1 - state[1]\n"
        "    def utility(self, state):\n"
        "        return None if state[0] else (1, -1) if state[1] else (-1, 1)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    found = told("search", "my_countdown:Game", "--set", "start=8", "--solve")
    assert found["best_actions"] == ["2"]
    assert found["state"] == "(8, 0)"
    assert told("search", "my_countdown:Game", "--after", "1")["actions"] == ["1", "2"]
    with pytest.raises(BadInput, match="'5' is not an action here; one of: 1; 2"):
        read_state(load_game("my_countdown:Game"), None, ["5"])


@pytest.fixture(scope="module")
def solved() -> StateGraph:
    game = TicTacToe()
    graph = StateGraph(game, game.parse_state("XO.|.XO|...")).build()
    graph.solve()
    return graph


def test_graphviz_text_marks_values_and_best_actions(solved: StateGraph) -> None:
    text = to_dot(solved, depth=1)
    assert text.count(" -> ") == 5
    assert 'label="9", penwidth=2.5' in text
    assert "peripheries=2" in text
    assert r"X O .\n. X O\n. . .\n1, -1 in 1" in text


def test_parts_are_limited_by_depth_value_and_best(solved: StateGraph) -> None:
    assert len(part(solved, depth=1)) == 6
    assert len(part(solved, depth=9, best=True)) == 2
    assert len(part(solved, depth=1, values=[0])) == 2
    unsolved = StateGraph(TicTacToe()).build()
    with pytest.raises(BadProblem, match="solve"):
        part(unsolved, best=True)


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_pictures_are_the_same_bytes_each_time(
    solved: StateGraph, tmp_path: Path, suffix: str
) -> None:
    pytest.importorskip("matplotlib")
    files = [tmp_path / f"{name}.{suffix}" for name in "ab"]
    assert [draw(solved, file, depth=1) for file in files] == [6, 6]
    assert files[0].read_bytes() == files[1].read_bytes()
    with pytest.raises(BadProblem, match="readable picture"):
        draw(StateGraph(TicTacToe()).build(), files[0], depth=4)


def test_the_text_tree_tells_chance_value_and_distance(solved: StateGraph) -> None:
    assert text_tree(DiceNim(1, 2), depth=2) == (
        "1 piece, player 0 throws\n"
        "├─ chance 1/2: 1 piece, player 0 has thrown 1\n"
        "│  └─ 1: 0 pieces, player 1 throws = 1, -1\n"
        "└─ chance 1/2: 1 piece, player 0 has thrown 2\n"
        "   └─ 1: 0 pieces, player 1 throws = 1, -1"
    )
    tree = text_tree(TicTacToe(), solved.root, graph=solved, depth=1, best=True)
    assert tree == "XO.|.XO|... = 1, -1 in 1\n└─ 9: XO.|.XO|..X = 1, -1"


def test_a_notebook_shows_a_small_graph_and_names_a_large_one(solved: StateGraph) -> None:
    assert "<svg" in solved._repr_html_()
    assert "no game" in solved.copy()._repr_html_()


def test_graph_files_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for suffix in ("dot", "graphml", "gexf", "json"):
        found = told("nim", "--set", "heaps=1,2", "--graph", f"g.{suffix}")
        assert (found["states"], found["solved"]) == (8, True)
        assert (tmp_path / f"g.{suffix}").stat().st_size > 200
    assert run("nim", "--set", "heaps=1", "--graph", "-").output.startswith("digraph")
    assert json.loads((tmp_path / "g.json").read_text())["schema"] == "deduce/state-graph/1"


def test_connect_four_is_drawn_with_its_top_row_first() -> None:
    game = ConnectFour(3, 2)
    assert game.show(game.parse_state("XO/X/")) == "O . .\nX X .\n1 2 3"


class NamedNim(Nim):
    """Nim between two people with names."""

    def player_name(self, player: int) -> str:
        return ("Ann", "Ben")[player]


def test_a_game_that_names_its_players_is_told_with_their_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Nim, "player_name", NamedNim.player_name, raising=False)
    small = ("nim", "--set", "heaps=1,2")
    assert "to move  Ann\n" in run(*small).output
    assert "state      1,2 player 0 (Ann to move)" in run(*small, "--solve").output
    played = run(*small, "--play", "--max-nodes", "50", text="1 from 2\n1 from 2\n").output
    assert "Ann: 1 from 2\n" in played
    assert "Ben: 1 from 1\n" in played
    assert "the game is over: Ann gets 1, Ben gets -1" in played
    game = NamedNim((1, 2))
    assert str(Board(game)).endswith("Ann to move")
    graph = StateGraph(game).build()
    graph.solve()
    assert "won for Ann in 3 plies" in graph_svg(graph)
    assert "Ben: 1 from 1" in solve(game).result()._repr_html_()
