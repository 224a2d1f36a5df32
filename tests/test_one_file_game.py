"""A game in one file, which is not installed: typed by its path, it has every command."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from deduce import BadInput, Knowledge, Undecided, Unsupported, read
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


EXAMPLES = Path(__file__).parents[1] / "games" / "examples"


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


def test_a_line_that_no_world_fits_is_not_recorded(folder: Path) -> None:
    Path("hoard.py").write_text(GAME.format(name="Hoard", title="hoard"))
    Path("my.log").write_text(run("hoard.py", "new")[1])
    _, output = run("hoard.py", "track", "my.log", lines="found cave\nfound island\nundo\nundo\n")
    assert "no world fits" in output
    assert "there is nothing to undo" in output


def test_undo_and_redo_keep_every_event_of_a_log_that_no_world_fits() -> None:
    head = run("one-night", "new")[1]
    first, second, third = "Ann is dealt: seer", "Ann is dealt: robber", "Ben says left: seer"
    log = Path("my.log")
    log.write_text(f"{head}{first}\n{second}\n{third}\n")
    code, output = run("one-night", "track", "my.log", lines="undo\nundo\nundo\nredo\nredo\n")
    assert (code, log.read_text()) == (3, f"{head}{first}\n"), output
    assert "2 events; no world fits" in output
    assert "so the event is not recorded" in output
    log.write_text(f"{head}{first}\n{second}\n{third}\n")
    assert run("one-night", "track", "my.log", lines="drop 3\nundo\nredo\n")[0] == 0
    log.write_text(f"{head}{first}\n{third}\n")
    for lines in ("undo\nundo\nredo\nredo\n", "undo\nredo\nundo\nredo\n"):
        assert run("one-night", "track", "my.log", lines=lines)[0] == 0
        assert log.read_text() == f"{head}{first}\n{third}\n"


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
    assert run(game, "new", "my.log", *options) == (0, "")
    assert (code, printed) == (0, Path("my.log").read_text())
    assert run(game, "new", "-", *options) == (0, printed)
    result = CliRunner().invoke(cli, [game, "new", "my.log", *options])
    assert isinstance(result.exception, BadInput)
    assert Path("my.log").read_text() == printed


def test_a_claim_with_blanks_needs_no_quotes_in_a_dialogue(folder: Path) -> None:
    Path("my.walk").write_text(run("hidden-walk", "new")[1] + "moves by bus\n")
    lines = "why place 1=zoo\nprobability place 1=port or place 0=port\npossible place 0\n"
    code, output = run("hidden-walk", "track", "my.walk", lines=lines)
    assert (code, output.splitlines()[0]) == (0, "place 1 is zoo: impossible, because")
    assert output.endswith("\n1 (100 %)\nport\nbank\n")


def test_a_set_up_without_defaults_is_made_of_settings(folder: Path) -> None:
    code, output = run("pigs", "new", "--set", "seats=4")
    assert (code, output) == (0, "pigs 4\n")
    assert run("pigs", "new", "--set", "seats=5", "--set", "rebels=2")[0] == 0
    Path("my.pigs").write_text(output)
    lines = "turn 1\n1 ends\nhint\nundo\n"
    assert run("pigs", "track", "my.pigs", lines=lines)[0] == 0
    assert Path("my.pigs").read_text() == "pigs 4\nturn 1\n"
    code, output = run("pigs", "track", "my.pigs", lines="1 ends\ndrop 1\n")
    assert (code, "done: deleting" in output) == (3, False)  # the rest is no log of the game
    assert Path("my.pigs").read_text() == "pigs 4\nturn 1\n1 ends\n"


def test_why_of_a_game_s_own_answers_in_a_dialogue_as_outside(folder: Path) -> None:
    head = run("quartets", "new", "--players", "Ann,Ben", "--groups", "2 of 2")[1]
    Path("my.quartets").write_text(head + "Ann asks Ben for a1\nBen: no\n")
    deal = run("pigs", "deal", "--players", "3", "--seed", "5")[1]
    Path("my.pigs").write_text(run("pigs", "log", "--turns", "3", lines=deal)[1])
    for game, words in (("quartets", ()), ("quartets", ("a1=Ben",)), ("pigs", ("2=loyal",))):
        outside = ["my.quartets", *words] if game == "quartets" else [*words, "my.pigs"]
        _, output = run(game, "why", *outside)
        typed = run(game, "track", f"my.{game}", lines=" ".join(["why", *words]))
        assert output
        assert typed == (0, output), output


def test_a_game_s_own_commands_do_not_forget_what_is_assumed(folder: Path) -> None:
    head = run("quartets", "new", "--players", "Ann,Ben", "--groups", "2 of 2")[1]
    Path("my.quartets").write_text(head)
    output = run("quartets", "track", "my.quartets", lines="what-if a1=Ben\nwhy a1=Ben\n")[1]
    assert "Ben was dealt a1: certain" in output
    Path("my.mines").write_text("board: 2x2:1\n")
    code, output = run("minesweeper", "track", "my.mines", lines="what-if A1=mine\nsolve\n")
    assert (code, "solve takes the log as it is" in output) == (3, True)


def test_dialogues_end_with_3_if_a_line_was_not_understood(folder: Path) -> None:
    logs = {
        "cluedo": ["--players", "Ann 6, Ben 6, Cid 6", "-"],
        "mastermind": [],
        "minesweeper": ["--board", "beginner", "--closed"],
        "pigs": ["--set", "seats=3"],
        "quartets": [],
    }
    for game, words in logs.items():
        Path("my.log").write_text(run(game, "new", *words)[1])
        assert run(game, "track", "my.log", lines="what is this\n")[0] == 3, game
    assert run("mastermind", "play", lines="what is this\n")[0] == 3


def test_a_game_without_fields_is_named_by_commands_about_a_log(folder: Path) -> None:
    plain = GAME.format(name="Plain", title="plain").replace("@frozen\n", "")
    Path("plain.py").write_text(plain)
    Path("my.log").write_text('{"game": "plain", "version": 1}\n')
    for command in ("check", "grid", "convert", "track"):
        result = CliRunner().invoke(cli, ["plain.py", command, "my.log"])
        assert isinstance(result.exception, Unsupported), command
        assert "make Plain an attrs class" in str(result.exception)


def test_help_in_a_dialogue_lists_advice_only_where_there_is_some(folder: Path) -> None:
    for game, words, has in (("pigs", ["--set", "seats=3"], False), ("mastermind", [], True)):
        Path("my.log").write_text(run(game, "new", *words)[1])
        assert ("advise" in run(game, "track", "my.log", lines="help\n")[1]) == has


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


@pytest.mark.parametrize("name", ["json.py", "cluedo.py", "attrs.py"])
def test_a_new_game_has_a_name_of_its_own(name: str) -> None:
    code, output = run("new-game", name)
    assert code == 1
    assert not Path(name).exists(), output


def test_a_path_may_have_a_colon(folder: Path) -> None:
    Path("a:b.py").write_text(GAME.format(name="Hoard", title="hoard"))
    Path("my.log").write_text(run("a:b.py", "new")[1])
    assert run("a:b.py", "count", "my.log") == (0, "2\n")


def test_a_log_does_not_run_a_file(folder: Path) -> None:
    Path("evil.py").write_text("raise SystemError('run')")
    Path("my.log").write_text('{"game": "evil.py", "version": 1}\n')
    with pytest.raises(BadInput, match="no game is called"):
        read("my.log")


def test_advice_names_a_player_who_can_ask() -> None:
    output = run("hanabi", "advise", str(EXAMPLES / "night.hanabi"))[1]
    assert "--as Ann ranks what Ann can ask" in output


def test_progress_says_where_more_became_hidden() -> None:
    output = run("hidden-walk", "progress", str(EXAMPLES / "evening.walk"))[1]
    assert "less than 0 gained by event 3: more is hidden after it than before" in output
