"""Completion in real shells, each skipped where it is not installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from deduce.cli.complete import SHELLS
from deduce.cli.main import cli
from games.cluedo import examples
from tests.programs import deduce

LOGS = Path(examples.__path__[0])
BIN = str(Path(sys.executable).parent)
ENVIRONMENT = os.environ | {"PATH": BIN + os.pathsep + os.environ["PATH"], "TERM": "dumb"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three logs, of which that of the evening is the newest."""
    made = tmp_path_factory.mktemp("logs")
    for age, name in enumerate(("evening.cluedo", "bystander.cluedo", "master.cluedo")):
        shutil.copy(LOGS / name, made)
        os.utime(made / name, (1e9 - age, 1e9 - age))
    return made


def asked(line: str, folder: Path) -> list[str]:
    """What bash is told for a line with the cursor at its end, without a bash."""
    told = {"_DEDUCE_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_WORDBREAKS": " =:"}
    with patch.dict(os.environ, told), chdir(folder):
        done = deduce()
    assert (done.returncode, done.stderr) == (0, "")
    return [item.partition(",")[2] for item in done.stdout.splitlines() if item]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("deduce clu", ["cluedo"]),
        ("deduce cluedo so", ["solution"]),
        ("deduce cluedo sheet evening.cluedo --as ", ["Ann", "Ben", "Cid", "Dora", "public"]),
        ("deduce cluedo sheet evening.cluedo --engine b", ["bits"]),
        ("deduce cluedo possible col", ["Colonel-Mustard"]),
        ("deduce cluedo why rope=d", ["Dora"]),
        ("deduce cluedo check evening.cluedo --assume hall!=e", ["envelope"]),
        ("deduce cluedo sheet bystander.cluedo --as=c", ["Cid"]),
        ("deduce search connect-four --solver m", ["minimax", "maxn", "mcts"]),
        ("deduce search th", ["three-player-nim"]),
        ("deduce cultist match g", ["greedy"]),
        ("deduce propre play --against s", ["search", "sampling"]),
        ("deduce cluedo why plum=ann master.cluedo --as ol", ["Olga"]),
        ("deduce cluedo possible plum evening.cluedo --as nobody --upto ", []),
        ("deduce cluedo sheet nosuch.cluedo --as ", []),
    ],
)
def test_what_is_offered(line: str, offered: list[str], folder: Path) -> None:
    assert asked(line, folder) == offered


def test_an_unknown_command_is_no_error_while_typing(folder: Path) -> None:
    assert "cluedo" in asked("deduce nosuch ", folder)


def test_cards_of_the_newest_log_are_offered_before_a_log_is_typed(folder: Path) -> None:
    assert "Professor-Plum=Ann" in asked("deduce cluedo why plum", folder)


def test_only_names_of_games_are_needed_to_complete_a_game() -> None:
    code = "import sys; from deduce.cli.main import cli; from click import Context; "
    code += "cli.shell_complete(Context(cli), ''); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"games.cluedo.cli", "games.cultist.cli", "networkx", "ortools", "rich"}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_written_for_each_shell(shell: str) -> None:
    done = CliRunner().invoke(cli, ["completion", shell])
    assert done.exit_code == 0
    assert "_DEDUCE_COMPLETE" in done.output


@contextmanager
def terminal(folder: Path, shell: str, *options: str) -> Iterator[Any]:
    """A shell in a terminal, with completion installed as the help says."""
    pexpect = pytest.importorskip("pexpect")
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    child = pexpect.spawn(
        shell, list(options), env=ENVIRONMENT, cwd=str(folder), encoding="utf-8", timeout=30
    )
    child.setwinsize(40, 200)
    try:
        yield child
    finally:
        child.close(force=True)


BEGUN = {
    ("bash", "--norc", "--noprofile", "-i"): 'PS1="@@ "',
    ("zsh", "-f", "-i"): 'PROMPT="@@ "; autoload -U compinit; compinit -u -d {}/dump',
}
"""How each shell is started, and what is typed first."""


@pytest.mark.parametrize("command", BEGUN, ids=lambda command: command[0])
def test_a_shell_completes_commands_files_and_facts(
    command: tuple[str, ...], folder: Path, tmp_path: Path
) -> None:
    name, *options = command
    with terminal(folder, name, *options) as shell:
        shell.sendline(BEGUN[command].format(tmp_path))
        shell.sendline(f'eval "$(deduce completion {name})"; echo rea""dy')
        shell.expect("ready\r\n")
        shell.send("deduce clu\t")
        shell.expect("edo ")
        shell.send("why green=env\t")
        shell.expect("elope ")
        shell.send("evening.c\t")
        shell.expect("luedo ")
        shell.sendline("--upto 12")
        shell.expect("Reverend Green is in the envelope: certain")


def test_fish_completes_commands_files_and_facts(folder: Path) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("fish is not installed")

    def complete(line: str) -> list[str]:
        code = f"deduce completion fish | source; complete -C '{line}'"
        done = subprocess.run(
            [fish, "--no-config", "-c", code],
            env=ENVIRONMENT,
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
        return [item.partition("\t")[0] for item in done.stdout.splitlines()]

    assert complete("deduce clu") == ["cluedo"]
    assert complete("deduce cluedo sheet even") == ["evening.cluedo"]
    assert complete("deduce cluedo why rope=d") == ["rope=Dora"]
