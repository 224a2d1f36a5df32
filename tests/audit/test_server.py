"""The tool for agents: what it answers, what it refuses, and that it keeps to its folder."""

from __future__ import annotations

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired
from types import SimpleNamespace

import anyio
import pytest

from deduce.audit.server import MAX_TEXT, Desk, server_of
from deduce.audit.tools import respond
from deduce.logs.problem_text import parse_problem

HATS = """domains
  Ann, Ben, Cid: red, blue
rules
  exactly 1 of: Ann is red, Ben is red, Cid is red   "one hat is red"
clues
  Ann is not red
"""
CODES = '{"game": "mastermind", "version": 1, "slots": 2, "colours": ["1", "2", "3"]}\n12: 1 0\n'
SECONDS = 60.0
"""Of a busy machine."""
LOG = "players: Ann, Ben, Cid\nme: Ann\nAnn: plum rope hall; Ben -; Cid shows rope\n"


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answer questions in this process, which takes a tenth of the time of one for each."""

    def run(command: list[str], *, input: str, **_: object) -> CompletedProcess[str]:
        return CompletedProcess(command, 0, json.dumps(respond(json.loads(input))), "")

    at_hand = SimpleNamespace(run=run, TimeoutExpired=TimeoutExpired)
    monkeypatch.setattr("deduce.audit.server.subprocess", at_hand)


@pytest.mark.usefixtures("near")
def test_a_problem_is_told_and_asked() -> None:
    desk = Desk(seconds=SECONDS)
    begun = desk.start(HATS)
    assert begun["certain"] == {"Ann": "blue"}
    assert begun["possible"] == {"Ben": ["red", "blue"], "Cid": ["red", "blue"]}
    assert desk.probability(begun["id"], "Ben=red")["probability"] == "1/2"
    told = desk.tell(begun["id"], "if Ben is red then Ann is red")
    assert told["certain"] == {"Ann": "blue", "Ben": "blue", "Cid": "red"}
    why = desk.why(begun["id"], "Cid=red")
    assert why["verdict"] == "certain"
    assert [step["event"] for step in why["steps"]] == [1, 2]
    assert why["rules"]
    assert why["proof"]


@pytest.mark.usefixtures("near")
def test_a_contradiction_names_its_clues() -> None:
    desk = Desk(seconds=SECONDS)
    begun = desk.start(HATS)
    told = desk.tell(begun["id"], "Ann is red")
    assert told["consistent"] is False
    assert [step["event"] for step in told["contradiction"]["steps"]] == [1, 2]


@pytest.mark.usefixtures("near")
def test_a_log_is_asked_as_a_player_saw_it() -> None:
    desk = Desk(seconds=SECONDS)
    begun = desk.start(LOG, game="cluedo")
    assert begun["certain"]["Rope"] == "Cid"
    assert "Rope" not in desk.certain(begun["id"], viewer="ben")["certain"]
    assert desk.tell(begun["id"], "Ben has lounge")["certain"]["Lounge"] == "Ben"
    codes = desk.start(CODES, game="mastermind")["id"]
    assert desk.advise(codes)["questions"][0]["gain_bits"] > 0


@pytest.mark.usefixtures("near")
def test_puzzles_and_audits() -> None:
    desk = Desk(seconds=SECONDS)
    made = desk.puzzle("mastermind", seed=1)
    assert len(made["answers"]) == 4 or made["answers"]
    assert made["steps"]
    found = desk.audit(HATS + "answer\n  Cid is red\n")
    assert (found["items"][0]["answer"], found["faulty"]) == ("not unique", 1)
    unique = desk.audit(HATS + "  Ben is not red\n")  # one solution, and no answer is stated
    assert (unique["items"][0]["answer"], unique["faulty"]) == ("none", 0)


@pytest.mark.usefixtures("near")
@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda desk: desk.start("domains\n  Ann: red\nclues\n  Ann is rad\n"), "problem:4:3"),
        (lambda desk: desk.start(LOG, game="nosuch"), "something hidden is called 'nosuch'"),
        (lambda desk: desk.start(LOG, game="/tmp/evil.py"), "no game with something hidden"),
        (lambda desk: desk.start(file="hats.deduce"), "no folder for files was given"),
        (lambda desk: desk.start("x" * (MAX_TEXT + 1)), "at most"),
        (lambda desk: desk.start("[" * 100_000), ""),
        (lambda desk: desk.certain("d9"), "no document has the id"),
        (lambda desk: desk.tell("d9", "x"), "no document has the id"),
        (lambda desk: desk.save("d9", "x"), "no document has the id"),
        (lambda desk: desk.puzzle("nim"), "no game with something hidden"),
        (lambda desk: desk.start(LOG, game="nim"), "no game with something hidden"),
        (lambda desk: desk.puzzle("mastermind", seed=10**5000), "thousands of digits"),
        (lambda desk: desk.puzzle("mastermind", grade=9), "grade"),
        (lambda desk: desk.start("1..43..22..3....\n1..43..22..3....\n"), "expected one problem"),
        (lambda desk: desk.start("domains\n  x: 1 to " + "9" * 6000), "problem:2:11: a number"),
        (lambda desk: desk.start("domains\n  \ud800: red\n"), ""),
        (lambda desk: desk.audit("\x00"), ""),
    ],
)
def test_a_request_that_cannot_be_answered_says_why(ask: object, said: str) -> None:
    found = ask(Desk(seconds=SECONDS))  # type: ignore[operator]
    assert said in found["error"]
    assert "Traceback" not in found["error"]


@pytest.mark.usefixtures("near")
def test_a_refused_line_changes_nothing() -> None:
    desk = Desk(seconds=SECONDS)
    name = desk.start(HATS)["id"]
    assert "error" in desk.tell(name, "Dan is red")
    for line in ("Ann is red\nrules", "Ann is red\rrules", "rules", "# nothing", "", "Ann is red,"):
        assert "error" in desk.tell(name, line)
    assert desk.certain(name)["certain"] == {"Ann": "blue"}


@pytest.mark.usefixtures("near")
def test_calls_at_the_same_time_lose_nothing() -> None:
    desk = Desk(seconds=SECONDS)
    with ThreadPoolExecutor(6) as pool:
        ids = [begun["id"] for begun in pool.map(desk.start, [HATS] * 4)]
        assert sorted(ids) == ["d1", "d2", "d3", "d4"]
        list(pool.map(lambda line: desk.tell("d1", line), ["Ben is blue", "Cid is red"]))
    k = parse_problem(desk._documents["d1"][1])
    assert len(k.evidence) == 3


def test_modules_in_the_folder_of_the_server_are_not_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('a module of the folder')")
    monkeypatch.chdir(tmp_path)
    assert Desk(tmp_path, seconds=SECONDS).start(HATS)["certain"] == {"Ann": "blue"}


@pytest.mark.usefixtures("near")
def test_a_document_that_is_undecided_is_kept_under_its_id() -> None:
    desk = Desk(seconds=0.0)
    begun = desk.start(HATS)
    assert begun["kind"] == "Undecided"
    desk.seconds = 10.0
    assert desk.certain(begun["id"])["certain"] == {"Ann": "blue"}


@pytest.mark.usefixtures("near")
def test_clues_are_added_to_problems_as_text_only() -> None:
    desk = Desk(seconds=SECONDS)
    name = desk.start("1..43..22..3....")["id"]
    assert "not to JSON or a sudoku" in desk.tell(name, "r1c2 is 2")["error"]


@pytest.mark.usefixtures("near")
def test_files_stay_in_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "puzzles"
    folder.mkdir()
    (tmp_path / "secret").write_text(HATS)
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "loop").symlink_to(folder / "loop")
    desk = Desk(folder, seconds=SECONDS)
    for file in ("loop", "../secret", str(tmp_path / "secret"), "link", ".", "a\0b"):
        assert "error" in desk.start(file=file)
    name = desk.start(HATS)["id"]
    assert "error" in desk.save(name, "../other")
    os.mkfifo(folder / "pipe")
    assert "not a regular file" in desk.save(name, "pipe")["error"]
    assert "error" in desk.start(file="pipe")
    (folder / "huge").write_text("x" * (4 * MAX_TEXT + 1))
    assert "at most" in desk.start(file="huge")["error"]
    assert desk.save(name, "hats.deduce") == {"saved": "hats.deduce"}
    assert desk.start(file="hats.deduce")["certain"] == {"Ann": "blue"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["puzzles", "secret"]


def test_a_question_has_limits() -> None:
    pairs = "domains\n" + "".join(f"  v{n}: 1 to 40\n" for n in range(40))
    desk = Desk(seconds=0.5)
    hard = desk.start(pairs)["id"]
    large = "domains\n" + "".join(f"  v{n}: 1 to 60\n" for n in range(2000))
    assert "error" in Desk(memory=16 << 20).start(large)
    assert "id" in desk.tell(hard, "v0 = 1")


def test_the_official_client_calls_the_tools() -> None:
    mcp = pytest.importorskip("mcp")

    async def talk() -> tuple[set[str], str]:
        how = mcp.StdioServerParameters(command=sys.executable, args=["-m", "deduce", "mcp"])
        async with mcp.stdio_client(how) as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            tools = {tool.name for tool in (await session.list_tools()).tools}
            found = await session.call_tool("start", {"text": HATS})
            return tools, found.content[0].text

    tools, answer = anyio.run(talk)
    assert tools == {
        "start", "tell", "certain", "why", "probability", "advise", "audit", "puzzle", "save",
    }  # fmt: skip
    assert '"Ann": "blue"' in answer
    assert server_of(Desk()) is not None
