"""The help of every command: an example first, nothing unexplained, and examples that are true."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import cache

import click
import pytest

from deduce.cli.main import cli
from tests.commands import COMMANDS, context


@cache
def help_of(names: tuple[str, ...]) -> str:
    here = context(*names)
    return here.command.get_help(here)


def test_an_example_stands_in_the_first_ten_lines() -> None:
    for names in COMMANDS:
        top = "\n".join(help_of(names).splitlines()[:10])
        assert re.search(r"^  Examples?: ", top, re.MULTILINE), names
        assert " ".join(("deduce", *names)) in top.replace(" \\\n", "")


def test_every_option_and_argument_is_explained() -> None:
    for names in COMMANDS:
        here = context(*names)
        text = help_of(names).partition("\n\n")[2]
        for param in here.command.get_params(here):
            if isinstance(param, click.Option):
                assert param.help, (names, param.opts)
            elif isinstance(param, click.Argument):
                for word in re.findall(r"[A-Z]+", " ".join(param.get_usage_pieces(here))):
                    assert word in text, f"{names}: {word} is only in the usage"


def test_help_fits_a_terminal_of_80_columns() -> None:
    options = re.compile(r"  --[\w-]+ \[[\w|-]+\]")  # a choice is one word
    for names in COMMANDS:
        lines = [line for line in help_of(names).splitlines() if not options.match(line)]
        assert max(map(len, lines)) <= 80, names
        assert "\\b" not in help_of(names), names


def examples() -> Iterator[str]:
    """Every ``deduce ...`` of an example in any help, without pipes and redirections."""
    for names in COMMANDS:
        shown = help_of(names).partition("Example")[2].partition("\n\n")[0]
        for found in re.findall(r"(?:^|[ $(])(deduce .*)", shown, re.MULTILINE):
            for part in re.split(r" \| | {3,}", re.sub(r"\)\"$| > .*", "", found)):
                if part.startswith("deduce "):
                    yield part.strip()


def test_an_example_of_the_help_is_a_command_that_exists() -> None:
    lines = sorted(set(examples()))
    assert len(lines) > 400
    for line in lines[::4]:
        here = click.Context(cli, info_name="deduce")
        words = shlex.split(line)[1:]
        while isinstance(here.command, click.Group) and (
            words or not here.command.invoke_without_command
        ):
            name, command, words = here.command.resolve_command(here, words)
            assert command is not None, line
            here = click.Context(command, info_name=name, parent=here)
        here.command.make_context(here.info_name, words, parent=here.parent)  # runs nothing


@pytest.mark.parametrize(
    ("game", "players", "slips"),
    [
        ("cluedo", True, "pass=0.02,card=0.01"),
        ("minesweeper", False, "number=0.02"),
        ("mastermind", False, None),
    ],
)
def test_options_that_do_not_fit_a_game_are_not_offered(
    game: str, players: bool, slips: str | None
) -> None:
    text = " ".join(help_of((game, "certain")).split())
    assert ("--as PLAYER" in text) == players
    assert "may be wrong with this probability, such as 0.02" in text
    assert ("rates by kind" in text) == ("'declared'" in text) == (slips is not None)
    assert slips is None or slips in text
