"""Tournaments: the same games however they are played, kept in a file, and counted."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from deduce.batch.results import DIGEST
from games.cluedo.players.tournament import Tournament, play_tournament
from tests.cluedo.conftest import Run
from tests.cluster import started, wait_for

FOUR = ("random", "not-placed", "most-no", "most-no+least-shown")
DEDUCE = [sys.executable, "-c", "from deduce.cli.main import main; main()"]


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the results in a file in the order of the games, without what they cost."""
    found = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    for row in found:
        del row["cpu_seconds"], row["slowest_seconds"], row[DIGEST]
    return sorted(found, key=lambda row: int(row["game"]))


# Which games are played


def test_a_game_depends_on_seed_and_number_alone() -> None:
    tournament = Tournament(FOUR[:3], seed=2)
    late = [tournament.play(number) for number in (4, 1)]
    again = [tournament.play(number) for number in (4, 1)]
    assert [(each.deal, each.events) for each in late] == [(e.deal, e.events) for e in again]
    assert late[0].deal != late[1].deal
    assert Tournament(FOUR[:3], seed=3).play(4).deal != late[0].deal


def test_players_in_processes_play_the_same_games() -> None:
    pytest.importorskip("joblib", reason="joblib (the extra 'parallel') is not installed")
    tournament = Tournament(FOUR, seed=4, rooms="circle")
    alone = list(play_tournament(tournament, 30))
    together = sorted(play_tournament(tournament, 30, jobs=2), key=lambda game: game.game)
    assert alone == together


# The command


def test_the_table_says_who_won_how_often(deduce: Run) -> None:
    code, out, err = deduce("tournament", *FOUR, "--games", "4", "--check")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].split()[:4] == ["player", "seats", "won", "share"]
    assert {line.split()[0] for line in lines[1:5]} == set(FOUR)
    assert lines[5].startswith("4 games, 4 solved after ")


def test_json_has_one_object(deduce: Run) -> None:
    code, out, _ = deduce(
        "tournament", "random", "random", "--games", "3", "--turns", "2", "--json"
    )
    found = json.loads(out)
    assert (code, found["schema"], found["games"]) == (0, "deduce/cluedo-tournament/1", 3)
    assert found["ends"] == {"turn limit": 3}
    [player] = found["players"]
    assert (player["seats"], player["wins"], player["turns_to_win"]) == (2, 0, None)


def test_a_second_start_goes_on_where_the_first_stopped(deduce: Run, tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    deduce("tournament", *FOUR, "--games", "9", "--out", str(whole))
    deduce("tournament", *FOUR, "--games", "4", "--out", str(parts))
    before = parts.read_text()
    parts.write_text(before + '{"game": 4, "win')
    code, out, err = deduce("tournament", *FOUR, "--games", "9", "--out", str(parts))
    assert (code, "an incomplete last line was removed" in err) == (0, True)
    assert parts.read_text().startswith(before)
    assert rows(parts) == rows(whole)
    assert "9 games" in out


def test_every_game_is_saved_as_a_log_that_replays(deduce: Run, tmp_path: Path) -> None:
    logs, out = tmp_path / "logs", tmp_path / "out.jsonl"
    command = ("tournament", *FOUR, "--games", "3", "--logs", str(logs), "--out", str(out))
    deduce(*command)
    names = sorted(path.name for path in logs.iterdir())
    assert names == ["game000000.cluedo", "game000001.cluedo", "game000002.cluedo"]
    for name in names:
        assert deduce("check", str(logs / name))[0] == 0
        code, sheet, _ = deduce("sheet", "--as", "most-no", str(logs / name))
        assert (code, sheet.startswith("most-no's sheet after ")) == (0, True)
    lost, text = logs / names[1], (logs / names[1]).read_text()
    lost.unlink()
    results = out.read_text()
    assert deduce(*command)[0] == 0
    assert (lost.read_text(), out.read_text()) == (text, results)


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["most-yes", "random"], 2, "did you mean 'most-no'"),
        (["random"], 2, "a game has 2 to 10 players, not 1"),
        (["random"] * 11, 2, "not 11"),
        (["strangers_unreadable:X", "random"], 2, "cannot be loaded: SyntaxError: "),
        (["strangers_exiting:X", "random"], 2, "cannot be loaded: SystemExit: 0"),
        (["strangers_odd:envelope", "random"], 2, "a player cannot be called 'envelope'"),
        (["random", "random", "--backend", "dask"], 2, "need each other"),
        (["random", "random", "--scheduler", "tcp://127.0.0.1:1"], 2, "need each other"),
        (["random", "random", "--out", "/dev/null/x"], 3, "cannot be opened"),
        (["random", "random", "--logs", "/dev/null/x"], 3, "cannot be created"),
    ],
)
def test_what_cannot_be_is_told_and_how_it_would_be_right(
    deduce: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    args: list[str],
    code: int,
    said: str,
) -> None:
    (tmp_path / "strangers_unreadable.py").write_text("X = (")
    (tmp_path / "strangers_exiting.py").write_text("raise SystemExit(0)")
    (tmp_path / "strangers_odd.py").write_text(
        "from games.cluedo.players.best import Best as envelope"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    found, _, err = deduce("tournament", *args)
    assert (found, said in err) == (code, True)


BROKEN = """
from games.cluedo.players.simple import suggests_any

def breaks(seat):
    player = suggests_any(seat)
    player.accuse = lambda: ["Rope"]
    return player
"""


def test_a_strangers_player_is_found_in_the_folder_and_his_fault_is_named(
    deduce: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "strangers_broken.py").write_text(BROKEN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    code, _, err = deduce("tournament", "strangers_broken:breaks", "random", "--seed", "3")
    assert code == 2
    assert "game 0 of seed 3: the player 'breaks' accuses ('Rope',), which is not one card" in err


def test_ctrl_c_gives_the_table_of_the_games_so_far(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    command = [*DEDUCE, "cluedo", "tournament", *FOUR]
    with started([*command, "--games", "100000", "--out", str(out)]) as running:
        wait_for(lambda: results_in(out) > 20, running)
        running.send_signal(signal.SIGINT)
        table, talk = running.communicate(timeout=30)
    assert running.returncode == 130
    games = len(rows(out))
    assert f"stopped after {games} of 100,000 games" in talk
    assert f"{games} games, " in table


def results_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") - 1 if path.exists() else 0
