"""The commands as a new user types them, also with broken input."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from deduce.cli.main import main
from games.pigs.notation import format_log
from games.pigs.puzzle import is_puzzle
from games.pigs.setup import format_deal
from tests.pigs.strategies import deal_of, log_from_json, parse_log, simulations

KEPT = (
    "pigs 3\nturn 1\n1 ends\nturn 2\n2 ends\nturn 3\n3 ends\n"
    "turn 1\n1 uses N\nat 2\n2 hit by 1\nat 3\n3 answers K\n1 ends\n"
)
CLASH = "pigs 2\nturn 1\n1 uses N\nat 2\n2 hit by 1\n1 uses N\nat 2\n2 answers K\n1 ends\n"


class Ran:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


def run(args: Sequence[str], text: str = "") -> Ran:
    """Run ``deduce pigs ARGS`` the way the installed command does."""

    def command() -> None:
        main(["pigs", *args])

    runner = CliRunner()
    with runner.isolation(input=text) as (out, err, _):
        try:
            command()
            code = 0
        except SystemExit as left:
            code = int(left.code or 0)
        return Ran(code, out.getvalue().decode(), err.getvalue().decode())


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
    assert (ran.code, ran.out) == (0, "MP\nK D D Z Z\nDEAD\nDEAD\nDEAD\n")
    assert run(["simulate"], Path(game).read_text()).out == ran.out


def test_a_pile_that_is_longer_than_announced_is_read_up_to_its_length() -> None:
    deal = "2 2\nMP W K D D\nFP W D P F\nF F\n"
    ran = run(["simulate"], deal + "K K\n")
    assert (ran.code, ran.out) == (0, run(["simulate"], deal).out)
    assert ran.err == "warning: <stdin>:5: the pile has 2 cards; 2 words after it are ignored\n"
    assert json.loads(run(["simulate", "--json"], deal + "K").out)["drawn"] == 6


def test_simulate_tells_every_event_or_gives_data(game: str) -> None:
    trace = run(["simulate", game, "--trace"]).out
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
    data = json.loads(run(["simulate", game, "--json"]).out)
    assert data["schema"] == "deduce/pigs-game/1"
    assert (data["winner"], data["turns"], data["drawn"]) == ("MP", 9, 21)
    assert ["draw", 1, "DD"] in data["trace"]


def test_a_game_without_end_is_undecided() -> None:
    ran = run(["simulate", "--limit", "50"], "2 1 MP D D D D FP D D D D D")
    assert ran.code == 4
    assert ran.out.startswith("UNDECIDED\nD D D D")
    assert "no side has won after 50 turns" in ran.err


def test_deal_log_and_infer_go_together() -> None:
    deal = run(["deal", "--players", "4", "--rebels", "1", "--seed", "5", "--weight", "K=5"]).out
    assert run(["simulate"], deal).code == 0
    log = run(["log", "--tell-rebels", "--show-discards"], deal).out
    assert log.startswith("pigs 4\nrebels 1\ndiscards shown\nturn 1\n")
    first = run(["log", "--turns", "1"], deal).out
    assert log.endswith("wins\n")
    assert first.count("turn ") == 1
    assert run(["infer"], log).code == 0
    data = json.loads(run(["log", "--json"], deal).out)
    assert log_from_json(data).game.seats == 4
    text = json.loads(run(["deal", "--players", "4", "--seed", "5", "--json"]).out)["text"]
    assert run(["simulate"], text).code == 0


def test_infer_prints_roles_and_vectors(kept: str) -> None:
    ran = run(["infer", kept])
    assert ran.code == 0
    assert ran.out.splitlines()[:4] == [
        "seat  role    rebel  exactly",
        "1     Master     0%",
        "2     rebel    100%",
        "3     loyal      0%",
    ]
    assert "1 possible role vector, total weight 1313225156250" in ran.out
    data = json.loads(run(["infer", kept, "--json"]).out)
    assert data["schema"] == "deduce/pigs-inference/1"
    assert data["certain"] == {"2": "FP", "3": "ZP"}
    assert run(["infer", kept, "--cards"]).out.count("nullify") == 1
    assert run(["infer", kept, "--holds", "2=K"]).out == "seat 2 holds K: 0% (0)\n"


def test_infer_takes_what_the_reader_knows(kept: str) -> None:
    early = run(["infer", kept, "--upto", "6"]).out
    assert "loyal or rebel" in early
    assert "loyal or rebel" not in run(["infer", kept, "--upto", "6", "--rebels", "2"]).out
    seen = run(["infer", kept, "--upto", "6", "--as", "2:ZP:KKDDFF"]).out
    assert "3     rebel    100%" in seen
    opened = "DDDDDD,FDDDDD,DDDDDD"
    assert "2     loyal" in run(["infer", kept, "--upto", "6", "--open", opened]).out
    weighed = run(["infer", kept, "--upto", "6", "--weight", "F=0"]).out
    assert weighed != early


def test_a_log_that_is_being_written_can_be_asked_about_its_turns() -> None:
    open_turn = KEPT + "turn 2\n2 uses W\n"
    assert run(["infer"], open_turn).code == 3
    assert run(["infer", "--upto", "13"], open_turn).out == run(["infer"], KEPT).out


def test_why_tells_the_smallest_set_of_events(kept: str) -> None:
    ran = run(["why", "3=loyal", kept])
    assert ran.code == 0
    assert "must have held when it ended its turn next to the Master" in ran.out
    assert run(["why", "3=ZP"], KEPT).out == ran.out
    data = json.loads(run(["why", "2=FP", kept, "--json"]).out)
    assert (data["events"], data["rules"]) == ([6, 12], ["N1", "P6"])
    refused = run(["why", "3=FP", kept])
    assert refused.code == 1
    assert "probability 0% (0): not certain; it is certainly ZP" in refused.out
    open_ = run(["why", "3=FP", kept, "--upto", "6"])
    assert (open_.code, "not certain" in open_.out) == (1, True)
    never = run(["why", "3=MP", kept, "--upto", "6"])
    assert (never.code, never.out) == (1, "seat 3 is MP with probability 0% (0): not certain\n")
    assert json.loads(run(["why", "3=FP", kept, "--json"]).out)["p"] == "0"


def test_timeline_prints_and_draws(kept: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ran = run(["timeline", kept, "--plot", str(tmp_path / "roles.svg")])
    assert ran.code == 0
    assert "Seat 3: loyal, certain after event 12: silent, but given away" in ran.out
    assert "<svg" in (tmp_path / "roles.svg").read_text()
    data = json.loads(run(["timeline", kept, "--json"]).out)
    assert data["certain"][0] == {"seat": 3, "role": "ZP", "number": 12, "route": "cards"}


def test_a_puzzle_is_a_log_with_its_solution_as_comments() -> None:
    ran = run(["puzzle", "--players", "4", "--seed", "1", "--effort", "60"])
    assert ran.code == 0
    assert is_puzzle(parse_log(ran.out))
    assert "\n# Solution: MP " in ran.out
    data = json.loads(run(["puzzle", "-n", "4", "--seed", "1", "--effort", "60", "--json"]).out)
    log = log_from_json(data["log"])
    assert format_log(log.game, log.events) in ran.out


@pytest.mark.parametrize("command", [["infer"], ["timeline"], ["why", "2=FP"]])
def test_impossible_logs_name_the_events_that_clash(command: list[str]) -> None:
    ran = run(command, CLASH)
    assert ran.code == 1
    assert ran.out.splitlines()[:3] == [
        "This log is impossible; these events clash: 4, 7.",
        "  4 (line 5): 2 hit by 1",
        "  7 (line 8): 2 answers K",
    ]
    data = json.loads(run([*command, "--json"], CLASH).out)
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
    assert ran.code == code
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_the_literal_rules_from_deal_to_inference() -> None:
    text = "3 4  MP D D D D  ZP K D D D  FP D D D D  D D D D"
    assert run(["simulate", "--limit", "2"], text).out.splitlines()[2] == "K D D D D D"
    assert run(["simulate", "--limit", "2", "--rules", "literal"], text).out.splitlines()[2] == (
        "D D D D D"
    )
    log = run(["log", "--turns", "2", "--rules", "literal"], text).out
    assert log.startswith("pigs 3\nrules literal\npile 4\nturn 1\n")
    assert "2 uses K on 3\n2 declares loyal\n3 answers D\n" in log
    for command in (["infer"], ["timeline"], ["check", "-"], ["certain", "-"], ["why", "3=FP"]):
        assert run(command, log).code == 0, command
    data = json.loads(run(["log", "--turns", "2", "--rules", "literal", "--json"], text).out)
    assert (data["rule_set"], data["pile"]) == ("literal", 4)
    assert log_from_json(data).events == parse_log(log).events
    assert run(["convert", "-"], run(["convert", "-"], log).out).out == log


def test_the_rules_may_be_given_beside_the_log() -> None:
    log = "pigs 3\nturn 1\n1 ends\nturn 2\n2 uses K on 3\n2 declares loyal\n3 hit by 2\n2 ends\n"
    assert run(["infer"], log).code == 3
    assert "3     rebel" in run(["infer", "--rules", "literal", "--pile", "90"], log).out
    wrong = run(["infer", "--pile", "90"], log)
    assert wrong.code == 2
    assert "only under the literal rules" in wrong.err
    wrong = run(["infer"], "pigs 3\nrules home\n")
    assert (wrong.code, "write 'rules contest' or 'rules literal'" in wrong.err) == (3, True)


def test_the_example_of_new_makes_a_log() -> None:
    [example] = re.findall(r"deduce pigs (new .*) game.pigs", run(["new", "--help"]).out)
    made = run(example.split())
    assert (made.code, made.out) == (0, "pigs 5\n")
