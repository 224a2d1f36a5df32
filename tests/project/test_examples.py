"""What every game brings: example files, and its rules on a page."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from deduce import registry
from deduce.cli import cli, main


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
