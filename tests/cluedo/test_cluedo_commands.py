"""Cluedo's commands as a user meets them: what they print, and their exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from games.cluedo import Cluedo, examples
from tests.cluedo.conftest import Run

FOLDER = Path(examples.__path__[0])
EVENING = str(FOLDER / "evening.cluedo")
MASTER = str(FOLDER / "master.cluedo")
CLASH = str(FOLDER / "contradiction.cluedo")


def test_sheet_shows_every_card_what_is_found_and_the_solution(deduce: Run) -> None:
    code, out, err = deduce("sheet", EVENING)
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0] == "Ann's sheet after 22 events"
    assert lines[1].split() == ["Ann", "Ben", "Cid", "Dora", "envelope"]
    rope = next(line for line in lines if line.startswith("Rope"))
    assert rope.split() == ["Rope", "-", "-", "-", "-", "yes"]
    assert "5 of 5" in next(line for line in lines if line.startswith("-- found"))
    assert lines[-1] == "solution: Reverend Green, Rope, Billiard Room"


def test_grid_is_another_name_of_the_sheet(deduce: Run) -> None:
    assert deduce("grid", "--json", MASTER) == deduce("sheet", "--json", MASTER)


def test_sheet_of_an_open_game_names_the_best_solutions(deduce: Run) -> None:
    _, out, _ = deduce("sheet", MASTER)
    assert "most probable of 4 solutions: Madame Rose, Horseshoe, Courtyard 39%" in out


def test_sheet_json_is_exact_and_documented_by_its_schema(deduce: Run) -> None:
    _, out, _ = deduce("sheet", "--json", MASTER)
    document = json.loads(out)
    log = read_log(Path(MASTER).read_text(), Cluedo)
    game, events = log.game, log.events
    knowledge = Knowledge(game, events)
    assert document["schema"] == "deduce/sheet/1"
    assert int(document["deals"]) == knowledge.count()
    for card, row in knowledge.posterior().items():
        found = {h: Fraction(share) for h, share in document["posterior"][card].items()}
        assert found == {h: share for h, share in row.items() if share}
    assert sum(Fraction(s["posterior"]) for s in document["solutions"]) == 1
    assert document["found"]["Paul"] == "5 of 5"


def test_shares_and_posterior_differ_and_each_is_named(deduce: Run) -> None:
    _, posterior, _ = deduce("sheet", "--upto", "10", EVENING)
    _, shares, _ = deduce("sheet", "--upto", "10", "--shares", EVENING)
    assert "percentages are probabilities" in posterior
    assert "percentages are shares of worlds" in shares
    assert posterior.splitlines()[2:-2] != shares.splitlines()[2:-2]


def test_solution_is_yes_when_it_is_certain_and_no_before(deduce: Run) -> None:
    assert deduce("solution", EVENING)[0] == 0
    code, out, _ = deduce("solution", "--upto", "12", "--limit", "2", EVENING)
    assert code == 1
    assert "the most probable 2 are shown" in out


def test_solution_json_has_exact_probabilities_that_add_up(deduce: Run) -> None:
    _, out, _ = deduce("solution", "--json", "--limit", "1000", "--upto", "12", EVENING)
    document = json.loads(out)
    assert document["possible"] == len(document["solutions"])
    assert sum(Fraction(s["posterior"]) for s in document["solutions"]) == 1
    assert sum(Fraction(s["share"]) for s in document["solutions"]) == 1


def test_check_names_the_clash_and_every_single_repair(deduce: Run) -> None:
    assert deduce("check", EVENING)[0] == 0
    code, out, _ = deduce("check", "--json", CLASH)
    why = json.loads(out)["why"]
    log = read_log(Path(CLASH).read_text(), Cluedo)
    game, events = log.game, log.events
    numbers = [step["event"] for step in why["steps"]]
    assert code == 1
    for number in numbers:
        rest = [events[n - 1] for n in numbers if n != number]
        assert Knowledge(game, rest).is_consistent(), "an event that is not needed"
    for number in range(1, len(events) + 1):
        mended = Knowledge(game, events).drop(number).is_consistent()
        assert mended == (number in why["repairs"])


def test_why_proves_and_why_not_shows_a_deal(deduce: Run) -> None:
    code, out, _ = deduce("why", "rope=env", EVENING)
    assert code == 0
    assert "Rope is in the envelope: certain, because" in out
    code, out, _ = deduce("why-not", "dining=dora", EVENING)
    assert code == 1
    assert "Dora: Colonel Mustard, Dining Room, Conservatory, Study" in out
    assert deduce("why-not", "kitchen=dora", EVENING)[0] == 0


def test_an_entailed_disjunction_can_be_asked_for(deduce: Run) -> None:
    code, out, _ = deduce("why", "dining=ben or ballroom=ben", EVENING)
    assert code == 0
    assert "Ben has Dining Room or Ben has Ballroom: certain" in out


def test_as_public_sees_less_than_the_keeper(deduce: Run) -> None:
    mine = int(deduce("count", "--upto", "12", EVENING)[1])
    public = int(deduce("count", "--upto", "12", "--as", "public", EVENING)[1])
    ben = int(deduce("count", "--upto", "12", "--as", "ben", EVENING)[1])
    assert mine < ben < public


def test_assume_says_what_if_in_the_title(deduce: Run) -> None:
    _, out, _ = deduce("sheet", "--assume", "dining=ben", EVENING)
    assert out.startswith("Ann's sheet after 22 events, if Ben has Dining Room")
    assert "1 deal remains possible" in out


@pytest.mark.parametrize("command", ["sheet", "solution", "certain"])
def test_questions_to_a_contradiction_say_so(deduce: Run, command: str) -> None:
    code, _, err = deduce(command, CLASH)
    assert code == 1
    assert "deduce cluedo check" in err


def test_a_time_limit_that_is_too_short_is_undecided(deduce: Run) -> None:
    code, out, err = deduce("sheet", "--time-limit", "0.000001", "--upto", "5", EVENING)
    assert code == 4
    assert "?" in out
    assert "not decided within" in err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Ann: plum rope hal; Zed -", "Zed"),
        ("Ann: plum ropp hall; Ben -", "ropp"),
        ("Ann: plum plum hall; Ben -", "twice"),
        ("Ann: plum rope hall; Ben -; Ben shows rope", "Ben"),
        ("Ann: plum rope hall; Ben shows knight", "knight"),
        ("gibberish", "not understood; for example"),
    ],
)
def test_a_bad_line_is_named_with_its_place(
    deduce: Run, line: str, told: str, tmp_path: Path
) -> None:
    log = tmp_path / "bad.cluedo"
    log.write_text(f"deck: classic\nplayers: Ann, Ben, Cid\n\n{line}\n")
    code, out, err = deduce("sheet", str(log))
    assert (code, out) == (3, "")
    assert f"{log}:4:" in err
    assert told in err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "player"),
        ("deck: classic\nplayers:\n", "player"),
        ("deck: classic\nplayers: Ann 6, Ben 6, Cid 5\n", "17 cards"),
        ("suspect:\nweapon: a, b\nplayers: Ann, Ben\n", "suspect"),
        ('{"game": "cluedo", "players": ["Ann", "Be', "not JSON"),
        ('{"game": "cluedo", "players": []}', "player"),
        ('{"game": "cluedo", "players": ["Ann", "Ben"], "colour": 1}', "colour"),
        ('{"game": "cluedo", "players": ["Ann", "Ben"]}\n{"event": "suggest"}', "suggestion"),
    ],
)
def test_an_impossible_set_up_is_refused(deduce: Run, text: str, told: str, tmp_path: Path) -> None:
    log = tmp_path / "bad.cluedo"
    log.write_text(text)
    code, out, err = deduce("check", str(log))
    assert (code, out) == (3, "")
    assert told in err
    assert str(log) in err


def test_a_line_of_ten_megabytes_is_refused_with_its_number(deduce: Run, tmp_path: Path) -> None:
    log = tmp_path / "long.cluedo"
    log.write_text("deck: classic\nplayers: Ann, Ben\n\n" + "x" * 10_000_000)
    code, _, err = deduce("check", str(log))
    assert code == 3
    assert f"{log}:4: a line of 10000000 characters" in err
    assert len(err) < 300


HOSTILE = """\
{"game": "cluedo", "players": ["A\\u001b[31mnn", "[bold]Ben[/bold]\\nX"], \
"deck": {"w": ["S\\u202e1", "s2"]}}
{"event": "has", "holder": "A\\u001b[31mnn", "card": "s2"}
"""


@pytest.mark.parametrize("command", [["sheet"], ["certain"], ["worlds"], ["why", "s2=A"]])
def test_names_in_a_log_do_not_act_on_the_terminal(
    deduce: Run, command: list[str], tmp_path: Path
) -> None:
    log = tmp_path / "hostile.log"
    log.write_text(HOSTILE)
    code, out, _ = deduce(*command, str(log))
    assert code == 0
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "A\\x1b[31mnn" in out


def test_a_name_of_two_lines_is_one_line_of_the_sheet(deduce: Run, tmp_path: Path) -> None:
    log = tmp_path / "hostile.log"
    log.write_text(HOSTILE)
    _, out, _ = deduce("sheet", str(log))
    assert "[bold]Ben[/bold]\\nX" in out.splitlines()[1]


def _process(*args: str, **given: Any) -> subprocess.CompletedProcess[str]:
    code = "from deduce.cli.main import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, "cluedo", *args],
        stderr=subprocess.PIPE, text=True, check=False, timeout=60, **given,
    )  # fmt: skip


def test_a_terminal_without_the_letters_of_a_name_shows_escapes(tmp_path: Path) -> None:
    log = tmp_path / "li.cluedo"
    log.write_text("players: \u674e, Ben\n", encoding="utf-8")
    narrow = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = _process("sheet", str(log), env=narrow, stdout=subprocess.PIPE)
    assert done.returncode == 0
    assert "\\u674e" in done.stdout


def test_every_schema_is_documented(deduce: Run) -> None:
    docs = Path(__file__).parents[2] / "docs"
    told = (docs / "commands.md").read_text() + (docs / "games" / "cluedo.md").read_text()
    commands = ["check", "sheet", "certain", "count", "worlds", "sample", "solution"]
    for command in [*commands, "possible rope", "why rope=ann", "why-not rope=ann"]:
        document = json.loads(deduce(*command.split(), "--json", EVENING)[1])
        schema = document.pop("schema")
        row = next(line for line in told.splitlines() if f"`{schema}`" in line)
        assert [name for name in document if f"`{name}`" not in row] == []
