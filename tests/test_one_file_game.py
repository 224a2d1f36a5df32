"""A game in one file, which is not installed: typed by its path, it has every command."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from deduce import BadInput, Knowledge, Undecided, read
from deduce.cli.main import cli
from deduce.cli.new_game import game_source
from deduce.system import registry

GAME = """
from attrs import frozen
from deduce import Evidence, is_

@frozen
class Found:
    template = "found {{place}}"
    place: str

@frozen
class {name}:
    name = {title!r}
    events = (Found,)
    def variables(self): return {{"treasure": ("cave", "island")}}
    def rules(self): return ()
    def evidence(self, log, viewer):
        return [Evidence(is_("treasure", e.place), n) for n, e in enumerate(log, 1)]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_TYPED", {})
    return tmp_path


def run(*words: str, lines: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(cli, words, input=lines, catch_exceptions=True)
    return result.exit_code, result.output


def test_the_written_game_has_every_command(folder: Path) -> None:
    assert run("new-game", "lair.py")[0] == 0
    log = folder / "my.log"
    log.write_text(run("lair.py", "new")[1])
    code, output = run(
        "lair.py", "track", "my.log", lines="Ann: Ben is a knave\nundo\nCid: Ann is a knave\n"
    )
    assert (code, output.count("certain: 0 of 5 variables")) == (0, 3)
    assert log.read_text().splitlines()[1:] == ["Cid: Ann is a knave"]
    for command in ("check", "grid", "count", "advise", "steps", "progress", "sample", "slips"):
        assert run("lair.py", command, "my.log")[0] == 0, command
    assert "event 1: Cid says" in run("lair.py", "why", "Cid=knave or Ann=knave", "my.log")[1]
    assert "people" in run("lair.py", "new", "--set", "people=A,B,C")[1]
    assert registry.find("lair").hidden == "lair:Lair"


def test_the_written_game_passes_its_own_check() -> None:
    source = game_source("cave").replace("deals=3", "deals=1")
    exec(compile(source, "cave.py", "exec"), {"__name__": "__main__"})


def test_undo_is_done_also_if_what_follows_is_not_decided(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(self: object) -> int:
        raise Undecided("too many")

    text = run("pigs", "new", "--set", "seats=4")[1]
    Path("my.pigs").write_text(f"{text}turn 1\n")
    monkeypatch.setattr(Knowledge, "count", exhausted)
    monkeypatch.setattr(Knowledge, "certain", exhausted)
    code, output = run("pigs", "track", "my.pigs", lines="undo\nredo\nundo\nredo\nredo\n")
    assert (code, output.count("undecided: too many")) == (3, 4)
    assert "there is nothing to redo" in output
    assert Path("my.pigs").read_text() == f"{text}turn 1\n"


def test_commands_that_keep_a_log_are_not_typed_in_the_dialogue() -> None:
    for game in ("pigs", "quartets"):
        group = registry.load(registry.find(game).commands)
        assert not {"new", "track"} & set(group.commands_about_a_log())


@pytest.mark.parametrize(
    "words",
    [
        ("cultist", "--json"),
        ("mastermind",),
        ("minesweeper",),
        ("pigs", "--set", "seats=3"),
        ("quartets",),
    ],
)
def test_new_writes_the_file_that_it_names_and_never_over_another(words: tuple[str, ...]) -> None:
    game, *options = words
    code, printed = run(game, "new", *options)
    steps = Path(".my.log.steps")
    steps.write_text("of another log, which was deleted")
    assert run(game, "new", "my.log", *options) == (0, "")
    assert not steps.exists()
    Path(".other.log.steps").mkdir()
    assert run(game, "new", "other.log", *options) == (0, "")
    assert (code, printed) == (0, Path("my.log").read_text())
    assert run(game, "new", "-", *options) == (0, printed)
    result = CliRunner().invoke(cli, [game, "new", "my.log", *options])
    assert isinstance(result.exception, BadInput)
    assert Path("my.log").read_text() == printed


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("none.py", "none.py cannot be loaded: No such file or directory"),
        ("empty.py", "there is no game in it"),
        ("near.py", "Near has a method 'evidense'; did you mean 'evidence'?"),
        ("near.py:Near", "Near has a method 'evidense'; did you mean 'evidence'?"),
        ("heap.py", "Heap has a method 'to_moves'; did you mean 'to_move'?"),
        ("two.py", "name one after a colon (One, Two)"),
        ("broken.py", "ZeroDivisionError: division by zero"),
        ("leaves.py", "SystemExit: 3"),
        ("two.py:Three", "has no attribute 'Three'"),
        ("taken.py", "a game called 'cluedo' is installed"),
        ("no.such:Game", "No module named 'no'"),
        ("deduce.cli.main:cli", "not a class or function"),
    ],
)
def test_what_cannot_be_opened_is_said(typed: str, message: str) -> None:
    Path("empty.py").write_text("x = 1")
    near = GAME.format(name="Near", title="near")
    Path("near.py").write_text(near.replace("def evidence", "def evidense"))
    Path("heap.py").write_text(
        "class Heap:\n  def actions(self, state): ...\n  def to_moves(self, state): ...\n"
    )
    Path("two.py").write_text(
        GAME.format(name="One", title="one") + GAME.format(name="Two", title="two")
    )
    Path("broken.py").write_text("1 / 0")
    Path("leaves.py").write_text("import sys; sys.exit(3)")
    Path("taken.py").write_text(GAME.format(name="Taken", title="cluedo"))
    with pytest.raises(BadInput) as caught:
        registry.open_typed(typed)
    assert message in str(caught.value)


def test_a_log_does_not_run_a_file(folder: Path) -> None:
    Path("evil.py").write_text("raise SystemError('run')")
    Path("my.log").write_text('{"game": "evil.py", "version": 1}\n')
    with pytest.raises(BadInput, match="no game is called"):
        read("my.log")
