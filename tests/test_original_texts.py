"""The table of docs/record/original-texts.csv: every row names a test or command that exists."""

from __future__ import annotations

import ast
import csv
import re
from functools import cache
from pathlib import Path

from click.testing import CliRunner

from deduce.cli.main import cli

TESTS = Path(__file__).parent
TABLE = TESTS.parent / "docs" / "record" / "original-texts.csv"
NAMED = re.compile(r"`([^`]+)`")

with TABLE.open(encoding="utf-8", newline="") as lines:
    ROWS = list(csv.reader(lines))[1:]
SHOWN = sorted({name for row in ROWS for name in NAMED.findall(row[2])})


@cache
def names_in(path: Path) -> set[str]:
    """Return the functions and classes at the top of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def test_a_named_test_exists() -> None:
    for name in SHOWN:
        file, _, member = name.partition("::")
        if member:
            assert member in names_in(TESTS / file), name
            assert member.startswith("test_")


def test_a_named_command_exists_and_has_help() -> None:
    for command in (name for name in SHOWN if "::" not in name):
        program, *words = command.split()
        assert program == "deduce"
        at = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
        words, options = words[:at], words[at:]
        result = CliRunner().invoke(cli, [*words, "--help"])
        assert result.exit_code == 0, result.output
        assert f"Usage: cli {' '.join(words)}" in result.output
        assert set(re.findall(r"[\w-]+", result.output)) >= set(options), command
