"""`deduce games --examples` shows where the bundled logs and states lie."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from deduce import registry
from deduce.cli import cli


def test_every_game_that_names_a_folder_of_examples_has_some() -> None:
    folders = {path.parent for path in registry.examples()}
    assert len(folders) == len({entry.examples for entry in registry.games() if entry.examples})


def test_games_examples_prints_paths_that_exist() -> None:
    lines = CliRunner().invoke(cli, ["games", "--examples"]).output.splitlines()
    assert any(line.endswith("evening.cluedo") for line in lines)
    assert all(Path(line).exists() for line in lines)
