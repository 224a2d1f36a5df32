"""The commands as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deduce.cli.main import cli
from games.propre.players import MAX_DECISIONS, Tally, play_game, simulate
from games.propre.rules import Rules
from tests.programs import deduce


def run(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["propre", *args], input=stdin, catch_exceptions=True)


def test_options_reads_files_and_json(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    told = {"hands": [["2H"], ["3S"]], "pile": ["9H"], "rules": {"announce": True}}
    file.write_text(json.dumps(told), encoding="utf-8")
    assert "none announce" in run("options", str(file)).stdout
    assert "none announce" in run("options", "-", stdin=json.dumps(told)).stdout


def test_solve_gives_up_at_its_limit() -> None:
    found = run("solve", "--deal", "6H 2H 6S AH AS 2S", "--set", "hand=2", "--max-states", "20")
    assert found.exit_code == 4


def test_advise_tells_votes_spread_and_answers() -> None:
    told = json.loads(
        run("advise", "hands 2H 9D KC / 3; pile 4H", "--worlds", "2", "--json").stdout
    )
    assert told["schema"] == "deduce/propre-advice/1"
    assert told["worlds"] == 2
    assert {"votes", "spread"} <= told["options"][0].keys()
    assert told["answers"][0]["after"] == "attack 2H"
    found = run("advise", "hands 2H 9D KC / 3; pile 4H", "--worlds", "2").stdout
    assert "spread" in found
    assert "can answer" in found


def test_play_through_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    lines = "?\nwhy KD\nnonsense\nwhy\nunseen\n\nundo\nnone\nundo\nredo\nsave\n:quit\n"
    found = run("play", "--seed", "3", "--save", str(file), stdin=lines)
    assert found.exit_code == 0
    assert "none, swap" in found.stdout
    assert "KD is not in the hand of seat 0 (5.1)" in found.stdout
    assert "save where?" in found.stderr
    assert "error: <stdin>:7: there is nothing to undo" in found.stderr
    again = run("play", "--resume", str(file), "--think", "0.1", stdin="hint\nquit\n")
    assert "sampled deal" in again.stdout
    assert run("unseen", str(file), "--as", "0").exit_code == 0
    assert "quit" not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{}", "a saved game begins with"),
        ('{"schema": "deduce/propre-game/1"}', "start: this field is missing"),
        ("", "the file is empty"),
    ],
)
def test_broken_saved_games(line: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(line, encoding="utf-8")
    ran = deduce("propre", "play", "--resume", str(file))
    assert ran.returncode == 3
    assert message in ran.stderr


@pytest.mark.parametrize("names", [["greedy", "random"], ["random"] * 5, ["greedy"] * 3])
def test_games_of_bots_end(names: list[str]) -> None:
    sums = Tally.of(names, list(simulate(Rules(players=len(names)), names, games=5, seed=2)))
    assert sums.given_up == 0
    assert sums.median_decisions < MAX_DECISIONS


def test_search_and_sampling_play_legal_games() -> None:
    rules = Rules(hand=3)
    game = play_game(rules, ["search", "sampling"], seed=3, open_hands=True, seconds=0.01)
    assert game.state.winner >= 0


def test_greedy_beats_random() -> None:
    sums = Tally.of(["greedy", "random"], list(simulate(Rules(), ["greedy", "random"], games=60)))
    assert sums.wins[0] > 2 * sums.wins[1]
