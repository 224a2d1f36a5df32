"""The front door: the names of `deduce`, reading, telling in text, writing, recognising."""

from __future__ import annotations

import ast
from io import StringIO
from pathlib import Path
from pydoc import render_doc

import pytest
from click.testing import CliRunner

import deduce
from deduce.cli.main import cli, main
from deduce.logs.reading import recognise
from deduce.system import registry
from games.cluedo import Cluedo, Suggestion

LOG = "players: Ann, Ben, Cid\nAnn: plum rope hall; Ben -\n"
GAMES = ("classics", "cluedo", "cultist", "mastermind", "minesweeper", "pigs", "propre", "quartets")
PACKAGES = ["deduce", "deduce.policy", "deduce.search", *(f"games.{name}" for name in GAMES)]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_public_name_is_there_and_listed_once_for_the_type_checker(package: str) -> None:
    module = __import__(package, fromlist=["__all__"])
    assert module.__file__ is not None
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    typed = {
        alias.name
        for node in tree.body
        if isinstance(node, ast.If)
        for statement in node.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    names = getattr(module, "__all__", list(typed))
    assert typed <= set(names)
    assert len(names) == len(set(names))
    for name in names:
        assert getattr(module, name) is not None
        assert name in dir(module)


def test_help_of_the_package_is_a_map() -> None:
    assert len(render_doc(deduce).splitlines()) < 150


def test_a_wrong_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'deduce' has no attribute 'Knowlege'"):
        _ = deduce.Knowlege


def test_a_log_is_read_from_a_path_an_open_file_or_text(tmp_path: Path) -> None:
    path = tmp_path / "evening.cluedo"
    path.write_text(LOG, encoding="utf-8")
    k = deduce.read(LOG, Cluedo)
    assert deduce.read(path) == deduce.read(str(path), Cluedo) == k
    assert deduce.read(StringIO(LOG)) == k
    with path.open(encoding="utf-8") as file:
        assert deduce.read(file) == k
    assert hash(deduce.read(path)) == hash(k)


def test_a_log_is_written_and_read_back_in_both_forms(tmp_path: Path) -> None:
    k = deduce.read(LOG).tell("Cid has rope")
    for form in ("text", "json"):
        path = tmp_path / f"log.{form}"
        text = deduce.write(k, path, form=form)
        assert path.read_text(encoding="utf-8") == text
        assert deduce.read(path) == k
    with pytest.raises(deduce.BadInput, match="'text' or 'json', not 'xml'"):
        deduce.write(k, form="xml")


def test_a_bare_problem_has_no_log_to_write() -> None:
    k = deduce.Knowledge(deduce.Problem({"a": (1, 2)})).tell("a=1")
    with pytest.raises(deduce.Unsupported):
        deduce.write(k)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\nworld\n", "the game of this log is not recognised"),
        ('{"game": "cluedi", "version": 1}\n', "did you mean 'cluedo'"),
        ('{"version": 1}\n', "names no game"),
        ('{"game": "cultist"}\n', "hides nothing"),
        ("{\n", "not JSON"),
    ],
)
def test_a_log_of_no_game_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(deduce.BadInput, match=message):
        deduce.read(text)


def test_the_ending_of_a_file_decides_which_game_explains_its_faults(tmp_path: Path) -> None:
    path = tmp_path / "wrong.cluedo"
    path.write_text("players: Ann, Ben, Cid\nAnn: plum ropp hall\n", encoding="utf-8")
    with pytest.raises(deduce.BadInput, match=r"wrong\.cluedo:2.*ropp"):
        deduce.read(path)


def test_the_games_of_the_bundled_logs_are_recognised() -> None:
    folder = Path(__file__).parents[2] / "games"
    for path in folder.glob("*/examples/*.cluedo"):
        assert recognise(path.read_text(encoding="utf-8")) is Cluedo


def test_events_and_claims_can_be_told_as_text() -> None:
    k = deduce.read(LOG)
    told = k.tell("Cid: plum rope study; Ann -; Ben +")
    asked = Suggestion("Cid", ("Professor Plum", "Rope", "Study"), ("Ann",), told.log[-1].shows)
    assert told.log[-1] == asked
    assert k.tell('{"event": "has", "holder": "Cid", "card": "Rope"}') == k.tell("Cid has rope")
    assert told.why("study=Ben").verdict == "certain"
    assert told.is_certain("study=Ben")
    assert told.is_possible("plum=Cid or rope=Cid")
    assert told.assume("rope=Cid").assumed == (deduce.is_("Rope", "Cid"),)
    with pytest.raises(deduce.BadInput, match="no variable is called 'ropp'"):
        k.why("ropp=Ann")


def test_every_game_that_names_a_folder_of_examples_has_some() -> None:
    folders = {path.parent for path in registry.examples()}
    assert len(folders) == len({entry.examples for entry in registry.games() if entry.examples})


def test_games_examples_prints_paths_that_exist() -> None:
    lines = CliRunner().invoke(cli, ["games", "--examples"]).output.splitlines()
    assert any(line.endswith("evening.cluedo") for line in lines)
    assert all(Path(line).exists() for line in lines)


def test_every_game_has_its_rules_on_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    for name in registry.names():
        with pytest.raises(SystemExit) as ended:
            main([name, "rules"])
        lines = capsys.readouterr().out.splitlines()
        assert ended.value.code == 0
        assert 5 < len(lines) <= 50, name
        assert max(map(len, lines)) <= 100, name
