"""The commands of every hidden game, run on a stranger's game as its user would."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import click
import pytest
from attrs import frozen

from deduce.cli import Ask, GameCommands, Look, commands_for
from deduce.cli.main import main
from deduce.engines.count import Counting
from deduce.errors import BadInput, Undecided, Unsupported
from deduce.game import Questions, hook
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log, write_log
from deduce.show.sheet import Grid
from deduce.show.table import Table
from deduce.system import registry
from deduce.system.registry import Registration
from games.cluedo import Cluedo
from tests.project.hats import Hats, Sees

GAME = Hats(("Ann", "Ben", "Cid"))
EVENTS = [Sees("Ann", "Ben", "blue"), Sees("Ben", "Ann", "blue")]


@frozen
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        assert self.out.count("\n") == 1
        return dict(json.loads(self.out))


Run = Callable[..., Result]


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "hats.log"
    path.write_text(write_log(GAME, EVENTS), encoding="utf-8")
    return str(path)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    point = EntryPoint("hats", "tests.project.hats:Hats", registry.GROUP)
    monkeypatch.setattr(registry, "_entry_points", lambda: {"hats": {point.value: point}})

    def invoke(*args: str) -> Result:
        with pytest.raises(SystemExit) as stopped:
            main(["hats", *args])
        captured = capsys.readouterr()
        return Result(int(stopped.value.code or 0), captured.out, captured.err)

    return invoke


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"event": "accusation", "by": "Ann", "cards": ["Rope"], "correct": "false"}',
         'correct: expected true or false, not "false"'),
        ('{"event": "accusation", "by": "Ann", "cards": ["Rope"], "correct": 0}',
         "correct: expected true or false, not 0"),
        ('{"event": "hand", "player": "Ann", "cards": "Rope"}',
         'cards: expected a list, not "Rope"'),
        ('{"event": "has", "holder": "Ann", "card": ["Rope"]}', "expected text, not"),
        ('{"event": "has", "holder": "Ann", "card": "Rope", "card": "Hall"}',
         'the field "card" is given twice'),
        ('{"event": "suggestion", "by": "Ann", "cards": ["Rope"], "shows": ["Ben"]}',
         "shows: expected an object with fields"),
        ('{"event": ["has"]}', 'no event is called ["has"]'),
        ('{"event": "has", "holder": NaN, "card": "Rope"}', "NaN is not a number"),
        ('{"event": "has", "holder": ' + "9" * 5000 + "}", "too many digits"),
        ('{"event": "has", "holder": "\\ud800", "card": "Rope"}', "half a character"),
    ],
)  # fmt: skip
def test_json_of_the_wrong_type_is_refused_and_never_taken_for_something_else(
    line: str, told: str
) -> None:
    head = '{"game": "cluedo", "version": 1, "players": ["Ann", "Ben"]}\n'
    with pytest.raises(BadInput, match="line 2") as caught:
        read_log(head + line, Cluedo)
    assert told in str(caught.value)


@pytest.mark.parametrize("fields", ['"hands": ["9", 9.7]', '"hands": [true, 17]', '"undealt": 2.5'])
def test_numbers_of_a_set_up_are_whole_numbers(fields: str) -> None:
    with pytest.raises(BadInput, match="expected a whole number"):
        read_log('{"game": "cluedo", "players": ["Ann", "Ben"], ' + fields + "}", Cluedo)


def _exhausted(*args: object, **options: object) -> None:
    raise Undecided("not decided within 3 steps")


def test_over_budget_is_told_with_what_is_known(
    run: Run, log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for query in ("tally", "possible"):
        monkeypatch.setattr(Counting, query, _exhausted)
    args = ("--engine", "counting", "--as", "ann", log)
    grid = run("grid", "--exact", *args)
    assert grid.code == 4
    assert "Ben   no   yes\n" in grid.out
    assert "Ann    ?     ?\n" in grid.out
    assert grid.err.startswith("undecided: counting: not decided")
    certain = run("certain", *args)
    assert (certain.code, certain.out) == (4, "Ben: blue\n")
    possible = run("possible", "ann", "--json", *args)
    assert possible.code == 4
    assert possible.json["known"]["Ben"] == ["blue"]


def test_an_interrupt_ends_with_130_and_keeps_what_is_known(
    run: Run, log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*args: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Knowledge, "count", interrupt)
    assert run("count", log) == Result(130, "", "undecided: interrupted\n")
    monkeypatch.setattr(Knowledge, "possible", interrupt)
    answer = run("certain", log)
    assert (answer.code, answer.out) == (130, "Ann: blue\nBen: blue\nCid: red\n")


def test_a_game_replaces_words_and_looks_and_adds_commands(
    log: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def table(knowledge: Knowledge, grid: Grid) -> Table:
        return Table(("hat",), [("a drawing",)])

    look = Look(variable="PLAYER", value="COLOUR", example="ann=red", log="x.hats", grid=table)
    group = GameCommands(Registration("hats", "Hats", hidden="tests.project.hats:Hats"), look)

    @group.on_log("reds")
    @click.option("--least", type=int, default=1)
    def reds(ask: Ask, least: int) -> bool:
        """Say whether enough hats are certainly red.

        Example: deduce GAME reds LOGFILE
        """
        found = [v for v, colour in ask.knowledge.certain().items() if colour == "red"]
        ask.answer({"reds": found}, f"{len(found)} red")
        return len(found) >= least

    assert group.main(["grid", log], standalone_mode=False) is None
    assert capsys.readouterr().out == "hat\na drawing\n"
    assert group.main(["reds", "--least", "2", "--as", "ann", log], standalone_mode=False) == 1
    assert capsys.readouterr().out == "0 red\n"
    assert group.main(["reds", "--json", log], standalone_mode=False) is None
    assert json.loads(capsys.readouterr().out) == {"schema": "deduce/reds/1", "reds": ["Cid"]}
    group.main(["why", "--help"], standalone_mode=False)
    help_ = capsys.readouterr().out
    assert "PLAYER=COLOUR LOG" in help_
    assert "deduce hats why ann=red x.hats" in help_


def test_a_game_that_hides_nothing_has_none_of_these_commands() -> None:
    with pytest.raises(Unsupported, match="nothing is hidden in it"):
        commands_for(Registration("chess", "Chess"))


def test_every_hidden_game_has_every_command_and_the_documents_say_what_it_cannot() -> None:
    page = Path("docs/commands.md").read_text(encoding="utf-8")
    named = {name.split()[0] for name in re.findall(r"^\| `([a-z-]+)[^|]*\| ", page, re.M)}
    every = {*GameCommands(Registration("hats", "", hidden="tests.project.hats:Hats")).commands}
    assert {"grid", "advise", "track", "new", "puzzle"} <= every <= named
    for entry in filter(lambda entry: entry.hidden, registry.games()):
        group = registry.load(entry.commands) if entry.commands else commands_for(entry)
        assert all(group.get_command(click.Context(group), name) for name in every)
        game = registry.load(entry.hidden)
        missing = {
            "`--as` (no players)": not (
                hasattr(game, "players") or "players" in inspect.signature(game).parameters
            ),
            "`advise` (no player asks anything)": hook(game, Questions.inquiries) is None,
        }
        says = ", ".join(what for what, lacking in missing.items() if lacking)
        rows = [
            line for line in page.splitlines() if re.match(rf"\|.*`{entry.name}`.*\|.*\|$", line)
        ]
        assert not says or any(line.endswith(f"| {says} |") for line in rows), entry.name
