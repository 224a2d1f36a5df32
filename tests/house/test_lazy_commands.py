"""Commands that are imported only when they run, and the command that prints a game's rules."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from deduce.commands import Ask, GameCommands, Look
from deduce.commands.lazy import LazyGroup, rules_command
from deduce.registry import Registration

RULES = """
Each player wears a hat.
"""


@click.command("later")
def later() -> None:
    """Say that it ran."""
    click.echo("it ran")


def first(ask: Ask) -> None:
    """Show the first world of a LOGFILE."""


def group() -> LazyGroup:
    made = LazyGroup("hats")
    made.add_lazy("later", f"{__name__}:later", "Say that it ran.")
    return made


def test_a_lazy_command_is_listed_without_being_imported() -> None:
    made = LazyGroup("hats")
    made.add_lazy("nowhere", "no.such.module:command", "It does not exist.")
    listed = CliRunner().invoke(made, ["--help"]).output
    assert "nowhere  It does not exist." in listed
    context = click.Context(made)
    assert [item.value for item in made.shell_complete(context, "no")] == ["nowhere"]


def test_a_lazy_command_runs_and_is_completed() -> None:
    assert CliRunner().invoke(group(), ["later"]).output == "it ran\n"


def test_the_list_of_commands_fits_eighty_columns() -> None:
    made = group()
    made.add_lazy("long", "no.such.module:command", "Word " * 40)
    listed = CliRunner().invoke(made, ["--help"]).output
    assert max(map(len, listed.splitlines())) <= 80


def test_a_lazy_function_of_an_ask_becomes_a_command_about_a_log() -> None:
    entry = Registration("hats", "Hats.", hidden="games.cluedo:Cluedo")
    made = GameCommands(entry, Look(log="evening.hats"))
    made.add_lazy("first", f"{__name__}:first", "Show the first world.")
    shown = CliRunner().invoke(made, ["first", "--help"]).output
    assert "Show the first world of a evening.hats." in shown
    assert "--upto" in shown


def test_rules_are_printed_as_a_page() -> None:
    command = rules_command(Registration("hats", "Hats.", rules=f"{__name__}:RULES"))
    assert CliRunner().invoke(command).output == "Each player wears a hat.\n"
    assert "Example:  deduce hats rules" in CliRunner().invoke(command, ["--help"]).output


@pytest.mark.parametrize("line", [["--help"], ["games"]])
def test_no_game_command_is_imported_for_help(line: list[str]) -> None:
    program = (
        "import sys\n"
        "from deduce.cli import main\n"
        "try:\n"
        f"    main({line!r})\n"
        "except SystemExit:\n"
        "    print([name for name in sys.modules if name.endswith('.cli')])\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines()[-1] == "['deduce.cli']"
