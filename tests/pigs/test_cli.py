"""The commands as a new user types them, also with broken input."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from games.pigs.notation import format_log
from games.pigs.puzzle import is_puzzle
from games.pigs.setup import format_deal
from tests.pigs.strategies import deal_of, log_from_json, parse_log, simulations
from tests.programs import deduce

KEPT = (
    "pigs 3\nturn 1\n1 ends\nturn 2\n2 ends\nturn 3\n3 ends\n"
    "turn 1\n1 uses N\nat 2\n2 hit by 1\nat 3\n3 answers K\n1 ends\n"
)
CLASH = "pigs 2\nturn 1\n1 uses N\nat 2\n2 hit by 1\n1 uses N\nat 2\n2 answers K\n1 ends\n"


def run(args: Sequence[str], text: str = "") -> CompletedProcess[str]:
    return deduce("pigs", *args, stdin=text)


@pytest.fixture
def game(tmp_path: Path) -> str:
    file = tmp_path / "game.txt"
    file.write_text(format_deal(deal_of(simulations()[0])))
    return str(file)


@pytest.fixture
def kept(tmp_path: Path) -> str:
    file = tmp_path / "kept.pigs"
    file.write_text(KEPT)
    return str(file)


def test_simulate_prints_what_the_contest_wants(game: str) -> None:
    ran = run(["simulate", game])
    assert (ran.returncode, ran.stdout) == (0, "MP\nK D D Z Z\nDEAD\nDEAD\nDEAD\n")
    assert run(["simulate"], Path(game).read_text()).stdout == ran.stdout


def test_a_pile_that_is_longer_than_announced_is_read_up_to_its_length() -> None:
    deal = "2 2\nMP W K D D\nFP W D P F\nF F\n"
    ran = run(["simulate"], deal + "K K\n")
    assert (ran.returncode, ran.stdout) == (0, run(["simulate"], deal).stdout)
    assert ran.stderr == "warning: <stdin>:5: the pile has 2 cards; 2 words after it are ignored\n"
    assert json.loads(run(["simulate", "--json"], deal + "K").stdout)["drawn"] == 6


def test_simulate_tells_every_event_or_gives_data(game: str) -> None:
    trace = run(["simulate", game, "--trace"]).stdout
    for words in (
        "turn of 1\n",
        "  1 uses volley\n",
        "    2 takes 1 damage from 1\n",
        "    2 dies, a rebel (lost: ",
        "    1 is rewarded with 3 cards\n",
        "    2 has declared itself rebel\n",
        "    1 loses hand and crossbow for killing a loyal (lost: ",
        "the game is over: the Master wins\n",
    ):
        assert words in trace
    data = json.loads(run(["simulate", game, "--json"]).stdout)
    assert data["schema"] == "deduce/pigs-game/1"
    assert (data["winner"], data["turns"], data["drawn"]) == ("MP", 9, 21)
    assert ["draw", 1, "DD"] in data["trace"]


def test_a_game_without_end_is_undecided() -> None:
    ran = run(["simulate", "--limit", "50"], "2 1 MP D D D D FP D D D D D")
    assert ran.returncode == 4
    assert ran.stdout.startswith("UNDECIDED\nD D D D")
    assert "no side has won after 50 turns" in ran.stderr


def test_deal_log_and_infer_go_together() -> None:
    deal = run(["deal", "--players", "4", "--rebels", "1", "--seed", "5", "--weight", "K=5"]).stdout
    assert run(["simulate"], deal).returncode == 0
    log = run(["log", "--tell-rebels", "--show-discards"], deal).stdout
    assert log.startswith("pigs 4\nrebels 1\ndiscards shown\nturn 1\n")
    first = run(["log", "--turns", "1"], deal).stdout
    assert log.endswith("wins\n")
    assert first.count("turn ") == 1
    assert run(["infer"], log).returncode == 0
    data = json.loads(run(["log", "--json"], deal).stdout)
    assert log_from_json(data).game.seats == 4
    text = json.loads(run(["deal", "--players", "4", "--seed", "5", "--json"]).stdout)["text"]
    assert run(["simulate"], text).returncode == 0


def test_infer_prints_roles_and_vectors(kept: str) -> None:
    ran = run(["infer", kept])
    assert ran.returncode == 0
    assert ran.stdout.splitlines()[:4] == [
        "seat  role    rebel  exactly",
        "1     Master     0%",
        "2     rebel    100%",
        "3     loyal      0%",
    ]
    assert "1 possible role vector, total weight 1313225156250" in ran.stdout
    data = json.loads(run(["infer", kept, "--json"]).stdout)
    assert data["schema"] == "deduce/pigs-inference/1"
    assert data["certain"] == {"2": "FP", "3": "ZP"}
    assert run(["infer", kept, "--cards"]).stdout.count("nullify") == 1
    assert run(["infer", kept, "--holds", "2=K"]).stdout == "seat 2 holds K: 0% (0)\n"


def test_infer_takes_what_the_reader_knows(kept: str) -> None:
    early = run(["infer", kept, "--upto", "6"]).stdout
    assert "loyal or rebel" in early
    assert "loyal or rebel" not in run(["infer", kept, "--upto", "6", "--rebels", "2"]).stdout
    seen = run(["infer", kept, "--upto", "6", "--as", "2:ZP:KKDDFF"]).stdout
    assert "3     rebel    100%" in seen
    opened = "DDDDDD,FDDDDD,DDDDDD"
    assert "2     loyal" in run(["infer", kept, "--upto", "6", "--open", opened]).stdout
    weighed = run(["infer", kept, "--upto", "6", "--weight", "F=0"]).stdout
    assert weighed != early


def test_a_log_that_is_being_written_can_be_asked_about_its_turns() -> None:
    open_turn = KEPT + "turn 2\n2 uses W\n"
    assert run(["infer"], open_turn).returncode == 3
    assert run(["infer", "--upto", "13"], open_turn).stdout == run(["infer"], KEPT).stdout


def test_why_tells_the_smallest_set_of_events(kept: str) -> None:
    ran = run(["why", "3=loyal", kept])
    assert ran.returncode == 0
    assert "must have held when it ended its turn next to the Master" in ran.stdout
    assert run(["why", "3=ZP"], KEPT).stdout == ran.stdout
    data = json.loads(run(["why", "2=FP", kept, "--json"]).stdout)
    assert (data["events"], data["rules"]) == ([6, 12], ["N1", "P6"])
    refused = run(["why", "3=FP", kept])
    assert refused.returncode == 1
    assert "probability 0% (0): not certain; it is certainly ZP" in refused.stdout
    open_ = run(["why", "3=FP", kept, "--upto", "6"])
    assert (open_.returncode, "not certain" in open_.stdout) == (1, True)
    never = run(["why", "3=MP", kept, "--upto", "6"])
    assert (never.returncode, never.stdout) == (
        1,
        "seat 3 is MP with probability 0% (0): not certain\n",
    )
    assert json.loads(run(["why", "3=FP", kept, "--json"]).stdout)["p"] == "0"


def test_timeline_prints_and_draws(kept: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ran = run(["timeline", kept, "--plot", str(tmp_path / "roles.svg")])
    assert ran.returncode == 0
    assert "Seat 3: loyal, certain after event 12: silent, but given away" in ran.stdout
    assert "<svg" in (tmp_path / "roles.svg").read_text()
    data = json.loads(run(["timeline", kept, "--json"]).stdout)
    assert data["certain"][0] == {"seat": 3, "role": "ZP", "number": 12, "route": "cards"}


def test_a_puzzle_is_a_log_with_its_solution_as_comments() -> None:
    ran = run(["puzzle", "--players", "4", "--seed", "1", "--effort", "60"])
    assert ran.returncode == 0
    assert is_puzzle(parse_log(ran.stdout))
    assert "\n# Solution: MP " in ran.stdout
    data = json.loads(run(["puzzle", "-n", "4", "--seed", "1", "--effort", "60", "--json"]).stdout)
    log = log_from_json(data["log"])
    assert format_log(log.game, log.events) in ran.stdout


@pytest.mark.parametrize("command", [["infer"], ["timeline"], ["why", "2=FP"]])
def test_impossible_logs_name_the_events_that_clash(command: list[str]) -> None:
    ran = run(command, CLASH)
    assert ran.returncode == 1
    assert ran.stdout.splitlines()[:3] == [
        "This log is impossible; these events clash: 4, 7.",
        "  4 (line 5): 2 hit by 1",
        "  7 (line 8): 2 answers K",
    ]
    data = json.loads(run([*command, "--json"], CLASH).stdout)
    assert (data["possible"], data["events"]) == (False, [4, 7])


@pytest.mark.parametrize(
    ("args", "text", "code", "message"),
    [
        (["simulate", "no-such-file"], "", 3, "error: no-such-file: cannot be read"),
        (["simulate"], "2 1\nMP K K K Q", 3, "error: <stdin>:2: a card of seat 1 has to be"),
        (["infer"], "pigs 3\nturn 2", 3, "error: <stdin>:2: event 1 (turn 2): it is the turn of"),
        (["infer"], "\xff\xfe", 3, "error: <stdin>"),
        (["infer", "--upto", "3"], KEPT, 2, "the turn before it ends with event 2"),
        (["infer", "--upto", "99"], KEPT, 2, "--upto 99: the log has only 13 events"),
        (["infer", "--as", "2:FP"], KEPT, 3, "the known cards of seat 2 end too early"),
        (["infer", "--as", "me"], KEPT, 2, "a viewpoint is a seat, its role and its cards"),
        (["infer", "--rebels", "7"], KEPT, 2, "7 rebels: with 3 seats there are 1 to 2"),
        (["infer", "--holds", "J"], KEPT, 2, "is not of the form SEAT=CARD, like 3=J"),
        (["infer", "--holds", "9=J"], KEPT, 2, "there is no seat 9"),
        (["infer", "--weight", "Q=2"], KEPT, 2, "card weights look like K=14"),
        (["why", "3"], KEPT, 2, "is not of the form SEAT=ROLE"),
        (["why", "9=ZP"], KEPT, 2, "there is no seat 9"),
        (["deal", "--players", "11"], "", 2, "a game has 2 to 10 seats, not 11"),
        (["deal", "--pile", "0"], "", 2, "a pile of 0 cards"),
        (["deal", "--pile", "1000000000"], "", 2, "there have to be 1 to 2000"),
        (["infer"], "pigs 3\nhand 999999", 3, "a starting hand of 999999 cards: it has 0 to 100"),
        (["infer"], "pigs 3\npigs 4", 3, "<stdin>:2: 'pigs' is given twice"),
        (["infer"], "pigs 2\nopen 2 K\nopen 2 D", 3, "<stdin>:3: 'open 2' is given twice"),
        (["infer"], '{"n": 3, "log": [[["turn"], 1]]}', 3, "event 1: an event is a list that"),
        (["infer"], '{"n": 3, "log": [], "viewpoint": {"seat": 2.5}}', 3, "not 2.5"),
        (["infer"], '{"n": 2, "log": [], "open_hands": [1, 2]}', 3, "expected text, not 1"),
        (["infer"], '{"n": null, "log": []}', 3, '"n" is the number of seats, a whole number'),
        (
            ["infer"],
            '{"n": 2, "log": [["die", 2, "XX"]]}',
            3,
            'event 1: event [\'die\', 2, \'XX\']: role: expected "MP", "ZP" or "FP", not "XX"',
        ),
        (["puzzle", "--players", "2"], "", 2, "a puzzle needs at least 3"),
        (["puzzle", "--players", "10", "--effort", "1"], "", 2, "try more (--effort)"),
        (["jump"], "", 2, "there is no command"),
    ],
)
def test_mistakes_get_one_clear_line(args: list[str], text: str, code: int, message: str) -> None:
    ran = run(args, text)
    assert ran.returncode == code
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr


def test_the_literal_rules_from_deal_to_inference() -> None:
    text = "3 4  MP D D D D  ZP K D D D  FP D D D D  D D D D"
    assert run(["simulate", "--limit", "2"], text).stdout.splitlines()[2] == "K D D D D D"
    assert run(["simulate", "--limit", "2", "--rules", "literal"], text).stdout.splitlines()[2] == (
        "D D D D D"
    )
    log = run(["log", "--turns", "2", "--rules", "literal"], text).stdout
    assert log.startswith("pigs 3\nrules literal\npile 4\nturn 1\n")
    assert "2 uses K on 3\n2 declares loyal\n3 answers D\n" in log
    for command in (["infer"], ["timeline"], ["check", "-"], ["certain", "-"], ["why", "3=FP"]):
        assert run(command, log).returncode == 0, command
    data = json.loads(run(["log", "--turns", "2", "--rules", "literal", "--json"], text).stdout)
    assert (data["rule_set"], data["pile"]) == ("literal", 4)
    assert log_from_json(data).events == parse_log(log).events
    assert run(["convert", "-"], run(["convert", "-"], log).stdout).stdout == log


def test_the_rules_may_be_given_beside_the_log() -> None:
    log = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses K on 3\n2 declares loyal\n3 hit by 2\n2 ends\n"
    assert run(["infer"], log).returncode == 3
    assert "3     rebel" in run(["infer", "--rules", "literal", "--pile", "90"], log).stdout
    wrong = run(["infer", "--pile", "90"], log)
    assert wrong.returncode == 2
    assert "only under the literal rules" in wrong.stderr
    wrong = run(["infer"], "pigs 3\nrules home\n")
    assert (wrong.returncode, "write 'rules contest' or 'rules literal'" in wrong.stderr) == (
        3,
        True,
    )


def test_the_example_of_new_makes_a_log() -> None:
    [example] = re.findall(r"deduce pigs (new .*) game.pigs", run(["new", "--help"]).stdout)
    made = run(example.split())
    assert (made.returncode, made.stdout) == (0, "pigs 5\n")
