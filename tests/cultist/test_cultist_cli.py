"""The commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deduce.cli.main import cli, main
from games.cultist.advice import Evaluated
from games.cultist.cli.games import GameDialogue
from games.cultist.notation import format_state
from games.cultist.players import BotFailed, Careful, Greedy
from games.cultist.replay import Replay, format_replay, parse_replay
from games.cultist.setup import State, new_state
from tests.cultist.cultist_states import some_state


def run(*words: str, typed: str | None = None) -> Result:
    """Return what ``deduce cultist ...`` prints."""
    return CliRunner().invoke(cli, ["cultist", *words], input=typed, catch_exceptions=False)


@pytest.fixture
def state_file(tmp_path: Path) -> str:
    file = tmp_path / "state.txt"
    file.write_text(format_state(some_state(3, 60)), encoding="utf-8")
    return str(file)


def test_games_with_random_neutrals_are_played_saved_and_replayed(tmp_path: Path) -> None:
    folder, saved = tmp_path / "replays", tmp_path / "game.json"
    words = ["match", "careful", "greedy", "--games", "2", "--neutrals", "slots", "--json"]
    value = json.loads(run(*words, "--save", str(folder)).stdout)
    assert value["neutrals"] == "slots"
    assert value == json.loads(run(*words).stdout) | {"slowest_ms": value["slowest_ms"]}
    (first, _) = sorted(folder.iterdir())
    assert parse_replay(first.read_text()).start == new_state(0, "slots")
    assert "neutrals: slots" in run("replay", str(first)).output
    words = ["play", "--bot", "greedy", "--neutrals", "statement", "--save", str(saved)]
    run(*words, typed="WAIT\nWAIT\nquit\n")
    replay = parse_replay(saved.read_text())
    assert (replay.start, replay.seed) == (new_state(0, "statement"), 0)
    assert "neutrals: statement" in run("replay", str(saved), "--turn", "3").output
    bot = [
        sys.executable,
        "-c",
        "from deduce.cli.main import main; main()",
        "cultist",
        "bot",
        "greedy",
    ]
    typed = "0\n13 7\n" + ".............\n" * 7 + "2\n0 1 10 0 3 0\n1 1 10 12 3 1\n"
    shown = subprocess.run(
        [*bot, "--neutrals", "statement"], input=typed, capture_output=True, text=True, check=True
    )
    assert (shown.stdout, shown.stderr) == ("WAIT\n", "")


def test_match_prints_a_table_and_saves_replays(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "replays"
    shown = run("match", "greedy", "random", "--games", "2", "--save", str(folder))
    assert "100.0%" in shown.stdout
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["game0000-seed0.json", "game0001-seed0.json"]
    replay = parse_replay(files[0].read_text())
    assert replay.names == ("greedy", "random")
    page = tmp_path / "page.html"
    run("replay", str(files[0]), "--html", str(page))
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert "turn 3:" in run("replay", str(files[0]), "--turn", "3").output
    assert run("replay", "-", typed=files[0].read_text()).output.count("turn 2:") == 1


def test_match_as_json_has_a_schema() -> None:
    value = json.loads(run("match", "greedy", "random", "--games", "2", "--json").stdout)
    assert value["schema"] == "deduce/cultist-match/1"
    assert (value["wins"], value["games"], value["faults"]) == (2, 2, [0, 0])


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["show", "no-such-file"], 3, "no-such-file: cannot be read"),
        (["show", "two words"], 3, "a state is its rows"),
        (["show", ""], 3, "an empty STATE"),
        (["show", " "], 3, "an empty STATE"),
        (["show", "\u00e9 " * 200], 3, "a state is its rows"),
        (["show", "{}"], 3, "grid: this field is missing"),
        (["match", "gredy", "random"], 3, "did you mean 'greedy'"),
        (["replay", "pyproject.toml"], 3, "not JSON"),
        (["bot", "unknown"], 2, "is not one of"),
        (["analyse", "x", "--time", "0"], 2, "--time"),
    ],
)
def test_wrong_input_has_a_message_and_the_right_exit_code(
    words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["cultist", *words])
    assert exit_.value.code == code
    assert message in capsys.readouterr().err


def test_the_rules_fit_one_page_and_simple_commands_load_no_search() -> None:
    lines = run("rules").output.splitlines()
    assert lines[0] == "CULTIST WARS"
    assert len(lines) < 60
    assert max(map(len, lines)) < 80
    code = (
        "import sys; from games.cultist.cli import cultist; "
        "cultist(['new'], standalone_mode=False); "
        "print([name for name in sys.modules if 'search' in name or name.endswith('cli.games')])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"


def test_a_replay_of_long_orders_can_be_read_again(tmp_path: Path) -> None:
    # all that the referee reads of an order
    long = ["0 MOVE 0 3 " + "\N{SNOWMAN}" * 980, "1 MOVE 12 3 " + "\N{SNOWMAN}" * 980]
    file = tmp_path / "game.json"
    replay = Replay(new_state(0), (*long,) * 75)
    file.write_text(format_replay(replay), encoding="utf-8")
    assert run("replay", str(file), "--turn", "0").exit_code == 0


def test_ctrl_c_in_a_match_prints_the_finished_games_and_exits_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = Careful.order

    def interrupted(self: Careful, state: State, seconds: float) -> str:
        if state.board is not new_state(0).board:  # in the third game
            raise KeyboardInterrupt
        return orders(self, state, seconds)

    monkeypatch.setattr(Careful, "order", interrupted)
    with pytest.raises(SystemExit) as exit_:
        main(["cultist", "match", "careful", "random", "--games", "4", "--json", "--time", "9999"])
    out, err = capsys.readouterr()
    assert exit_.value.code == 130
    assert json.loads(out)["games"] == 2
    assert "interrupted after 2 of 4 games" in err


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_ctrl_c_in_a_search_prints_its_values_and_exits_with_130(
    option: list[str],
    state_file: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def evaluation(self: object, state: State) -> tuple[float, float]:
        if state.turn > 61:
            raise KeyboardInterrupt
        return 0.0, 0.0

    monkeypatch.setattr(Evaluated, "estimate", evaluation)
    with pytest.raises(SystemExit) as exit_:
        main(["cultist", "analyse", state_file, "--depth", "4", *option])
    assert exit_.value.code == 130
    assert "WAIT" in capsys.readouterr().out


def test_a_bot_that_fails_loses_against_a_person() -> None:
    class Silent(Greedy):
        def order(self, state: State, seconds: float) -> str:
            raise BotFailed("no idea")

    game = GameDialogue(new_state(0), Silent(), 0, paint=lambda text, owner: text, show=str)
    assert list(game.answer("wait")) == ["A waits; neutral 5 moves to (3, 3)"]
    replay = game.replay(("you", "silent"), 0)
    assert (game.is_over, replay.scores, replay.orders) == (True, (0, -1), ("WAIT",))
