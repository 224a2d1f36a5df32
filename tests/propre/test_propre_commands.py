"""The commands as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deduce.cli.main import cli
from games.propre.players import MAX_DECISIONS, play_game, simulate, tally
from games.propre.rules import Rules
from tests.programs import deduce

STATE = "hands 2H 6H / 6S AH; pile 9S AS; FC false"

ROOT = Path(__file__).parents[2]


def run(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, ["propre", *args], input=stdin, catch_exceptions=True)


def test_options_reads_files_and_json(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    told = {"hands": [["2H"], ["3S"]], "pile": ["9H"], "rules": {"announce": True}}
    file.write_text(json.dumps(told), encoding="utf-8")
    assert "none announce" in run("options", str(file)).stdout
    assert "none announce" in run("options", "-", stdin=json.dumps(told)).stdout


@pytest.mark.parametrize(
    ("args", "wanted"),
    [
        (("options", "hands 2H / 2H; pile 9S"), 3),
        (("options", "no such file"), 3),
        (("options", "hands 2 / 2H; pile 9S"), 3),
        (("options", STATE, "--why", "2H 3H"), 2),
        (("options", STATE, "--set", "announce"), 2),
        (("simulate", "random", "random", "--set", "swap_order=up"), 2),
        (("solve", "hands 2H / 4; pile 9S"), 3),
        (("solve",), 2),
        (("solve", "--deal", "2H 3H", "--set", "hand=1"), 2),
        (("simulate", "greedy", "search"), 2),
        (("simulate", "greedy"), 2),
        (("play", "--seat", "7"), 2),
        (("play", "--set", "players=9"), 2),
        (("play", "--resume", "no such file"), 3),
        (("advise", "hands 2H / 4; pile 9S", "--as", "5"), 3),
    ],
)
def test_mistakes_are_told_not_traced(args: tuple[str, ...], wanted: int) -> None:
    ran = deduce("propre", *args)
    assert ran.returncode == wanted
    assert "rror" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_solve_deal() -> None:
    found = run("solve", "--deal", "6H 2H 6S AH AS 2S", "--set", "hand=2", "--set", "swap=no")
    assert found.exit_code == 0
    assert "value      (1, -1), proved" in found.stdout
    told = json.loads(
        run("solve", "--deal", "6H 2H 6S AH AS 2S", "--set", "hand=2", "--json").stdout
    )
    assert told["schema"] == "deduce/propre-solution/1"
    assert told["states"] == sum(told["won"]) + told["drawn"]


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


def test_undo_and_redo_survive_a_resume(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    run("play", "--against", "random", "--save", str(file), stdin="none\nnone\nquit\n")
    saved = file.read_text(encoding="utf-8")
    run("play", "--resume", str(file), stdin="undo\nundo\nredo\nredo\nquit\n")
    assert file.read_text(encoding="utf-8") == saved
    found = run("play", "--resume", str(file), stdin="undo\nundo\nundo\nquit\n")
    assert "error: <stdin>:3: there is nothing to undo" in found.stderr
    assert len(file.read_text(encoding="utf-8")) < len(saved)


def test_steps_show_where_cards_must_be() -> None:
    file = str(ROOT / "games/propre/examples/reshuffled.jsonl")
    shares = json.loads(run("unseen", file, "--as", "0", "--json").stdout)["shares"]
    certain = {card for card, row in shares.items() if "1" in row.values()}
    told = json.loads(run("steps", file, "--as", "0", "--json").stdout)
    assert {step["claim"] for step in told["steps"]} == {f"{card}=seat 1" for card in certain}
    assert len(certain) == 5
    one = run("steps", file, "--as", "0", "--claim", "2H=seat 1")
    assert one.stdout == "1. 2H is with seat 1: there is no other value.\n"
    unproved = run("steps", "hands 2H 9D KC / 3; pile 4H", "--claim", "KD=seat 1")
    assert (unproved.exit_code, unproved.stdout) == (1, "KD is with seat 1: not certain\n")


def test_a_position_has_the_deck_that_is_set() -> None:
    state = "hands 2H 6H / 2; pile AS; FC false"
    told = run("steps", state, "--set", "deck=2H 6H AS KD 7D")
    assert told.exit_code == 0, told.output
    assert "KD is with seat 1 and 7D is with seat 1" in told.stdout


def test_simulate_is_repeatable() -> None:
    first = run("simulate", "greedy", "random", "random", "--games", "6", "--json")
    assert first.stdout == run("simulate", "greedy", "random", "random", "--games", "6",
                               "--json").stdout  # fmt: skip
    told = json.loads(first.stdout)
    assert sum(told["wins"]) + told["given_up"] == 6


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


def test_talk_at_the_table(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    words = ["play", "--seed", "3", "--against", "random", "--save", str(file)]
    lines = "say last card\nsay last card, desired\nsay\nsay propre\nundo\nsay card\nquit\n"
    shown = run(*words, "--set", "talk=yes", stdin=lines)
    assert 'you say "last card" and draw' in shown.stdout
    assert 'you say "last card" and desire the card (6.1.1)' in shown.stdout
    assert 'you say "propre" and draw' in shown.stdout
    assert "say what?" in shown.stderr
    saved = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    said = [line["say"] for line in saved if "say" in line]
    assert said == ["last card", "last card, desired", "card"]
    assert "drawn" in next(line for line in saved if "say" in line)
    resumed = run("play", "--resume", str(file), "--against", "random", stdin="help\nquit\n")
    assert "say card     announces a last card" in resumed.stdout
    assert resumed.exit_code == 0
    assert "no talk at the table" in run("play", stdin="say card\nquit\n").stderr


def test_a_try_that_fails_is_listed_and_is_not_a_card_that_may_be_played() -> None:
    text = "hands 9C QD 6C / 4D 5D; pile 9H KS; FC false"
    shown = run("options", text, "--set", "literal_rm2=yes")
    assert "  try 9C\n" in shown.stdout
    assert "9C is refused: 9C shares neither suit nor rank with KS (Matches 4.1.2)" in shown.stdout
    assert run("options", text, "--why", "9C", "--set", "literal_rm2=yes").exit_code == 1
    assert run("options", text, "--why", "9C").exit_code == 0


def test_play_to_the_end_with_open_hands() -> None:
    found = run("play", "--open", "--against", "random", "--seed", "5", "--set", "hand=2",
                "--set", "swap=no", stdin="none\n" * 300)  # fmt: skip
    assert "seat 1 has won" in found.stdout


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
    sums = tally(names, list(simulate(Rules(players=len(names)), names, games=5, seed=2)))
    assert sums.given_up == 0
    assert sums.median_decisions < MAX_DECISIONS


def test_search_and_sampling_play_legal_games() -> None:
    rules = Rules(hand=3)
    game = play_game(rules, ["search", "sampling"], seed=3, open_hands=True, seconds=0.01)
    assert game.state.winner >= 0


def test_greedy_beats_random() -> None:
    sums = tally(["greedy", "random"], list(simulate(Rules(), ["greedy", "random"], games=60)))
    assert sums.wins[0] > 2 * sums.wins[1]


def test_cards_that_are_due_need_a_stock() -> None:
    ran = deduce("propre", "solve", "hands 2H / 6S; pile AS; deck 3C; due 2")
    assert ran.returncode == 3
    assert "stock" in ran.stderr
    assert run("options", "hands 2H / 6S; pile AS; stock 3C; due 2").exit_code == 0


def test_a_game_that_cannot_be_saved_is_exit_code_3(tmp_path: Path) -> None:
    save = str(tmp_path / "none" / "game.jsonl")
    ran = deduce("propre", "play", "--save", save, stdin="quit\n")
    assert ran.returncode == 3
    assert "cannot be written" in ran.stderr
