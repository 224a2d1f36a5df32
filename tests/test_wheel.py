"""What is installed from a wheel, outside the checkout, is whole: commands, examples, notebooks.

The wheel goes into an environment with the few packages that it always needs, which are lent from
here, so that no network is needed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from grimp import build_graph
from packaging.requirements import Requirement

from deduce.system import registry

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path, stdin: str = "") -> str:
    """Return what a command prints; it must not fail, nor say anything on standard error."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=plain | {"PYTHONDONTWRITEBYTECODE": "1"},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (built,) = folder.glob("*.whl")
    return built


LEAN = ("attrs", "cattrs", "click", "rich")


@pytest.fixture(scope="module")
def bin_(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment with the wheel and the packages of `LEAN`."""
    home = tmp_path_factory.mktemp("lean")
    venv.create(home, with_pip=False, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python")]
    install = [*pip, "install", "-q", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(install, check=True, capture_output=True, timeout=120)
    (site,) = home.glob("lib/python*/site-packages")
    wanted = list(LEAN)
    for name in wanted:
        found = distribution(name)
        marked = [Requirement(text) for text in found.requires or ()]
        wanted += [need.name for need in marked if not need.marker and need.name not in wanted]
        for top in {Path(str(file)).parts[0] for file in found.files or ()} - {".."}:
            (site / top).symlink_to(Path(str(found.locate_file(top))))
    return home / "bin"


def test_a_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    files = (path for room in ("deduce", "games") for path in (ROOT / room).rglob("*"))
    there = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == there
    assert {"deduce/py.typed", "games/cluedo/examples/evening.cluedo"} <= packed


def test_the_installed_package_is_the_one_that_answers(bin_: Path, tmp_path: Path) -> None:
    code = "import deduce, games; print(deduce.__file__, *games.__path__, sep='\\n')"
    for place in run(bin_ / "python", "-c", code, cwd=tmp_path).splitlines():
        assert Path(place).is_relative_to(bin_.parent)


def test_the_installed_commands_know_the_games(bin_: Path, tmp_path: Path) -> None:
    listed = run(bin_ / "deduce", "games", cwd=tmp_path)
    assert {"cluedo", "pigs", "tic-tac-toe"} <= {line.split()[0] for line in listed.splitlines()}
    assert "(broken" not in listed


ASKED = {
    ".cluedo": "cluedo sheet",
    ".quartets": "quartets check",
    ".pigs": "pigs infer",
    "pigs.txt": "pigs simulate",
    ".mastermind": "mastermind check",
    "minesweeper.txt": "minesweeper check",
    "cultist.txt": "cultist actions",
    "cultist.json": "cultist replay --turn 3",
    "propre.txt": "propre options",
    "propre.json": "propre options",
    "propre.jsonl": "propre unseen --as 0",
    ".tic-tac-toe": "tic-tac-toe --solve --state",
    ".nim": "nim --solve --state",
    ".connect-four": "connect-four --best --max-nodes 2000 --state",
    ".dice-nim": "dice-nim --solve --state",
    ".three-player-nim": "three-player-nim --solve --state",
}
"""What is asked about each example: by its ending, or by the game and the ending."""

ONE_FILE = {
    entry.suffix: f"{entry.name} convert"
    for entry in registry.games()
    if entry.examples == "games.examples"
}
"""The same of games that are one file."""

NO = ("contradiction.cluedo", "lost.quartets", "places.quartets")
"""Examples that are there to be refuted."""

RUN_ALL = r"""
import sys
from click.testing import CliRunner
from deduce.cli.main import cli
for line in sys.stdin:
    done = CliRunner().invoke(cli, line.rstrip("\n").split("\t"))
    print(done.exit_code, repr(done.exception), len(done.stdout), line.rstrip("\n"), sep="\t")
"""


def ask_about(files: list[str], bin_: Path, tmp_path: Path) -> None:
    """Ask what is asked about each example, in one process; every answer must be right."""
    lines = []
    for file in files:
        path = Path(file)
        asked = ASKED.get(path.suffix) or ASKED.get(path.parent.parent.name + path.suffix)
        *words, last = (asked or ONE_FILE[path.suffix]).split()
        lines.append("\t".join([*words, last, ("@" if last == "--state" else "") + file]))
    answers = run(bin_ / "python", "-c", RUN_ALL, cwd=tmp_path, stdin="\n".join(lines))
    assert len(answers.splitlines()) == len(lines) > 20
    for answer in answers.splitlines():
        code, error, length, *words = answer.split("\t")
        assert int(code) == (Path(words[-1]).name in NO), answer
        assert error == "None" or "SystemExit" in error or "Contradiction" in error, answer
        assert int(length) > 0 or "Contradiction" in error, answer


def test_the_installed_commands_answer_about_every_installed_example(
    bin_: Path, tmp_path: Path
) -> None:
    files = run(bin_ / "deduce", "games", "--examples", cwd=tmp_path).splitlines()
    games = {Path(file).parent.parent.name for file in files}
    assert games == {
        "classics",
        "cluedo",
        "cultist",
        "games",
        "mastermind",
        "minesweeper",
        "pigs",
        "propre",
        "quartets",
    }
    assert all(Path(file).is_relative_to(bin_.parent) for file in files)
    ask_about(files, bin_, tmp_path)


def test_a_game_of_another_distribution_is_imported_side_by_side(
    bin_: Path, tmp_path: Path
) -> None:
    """PEP 420: `games` belongs to no distribution, whichever folder they are installed into."""
    other = tmp_path / "elsewhere" / "games"
    other.mkdir(parents=True)
    (other / "other.py").write_text("NAME = 'other'\n", encoding="utf-8")
    code = f"import sys; sys.path.append({str(other.parent)!r})\n"
    code += "import games.other, games.cluedo, games; print(games.other.NAME, games.__file__)"
    assert run(bin_ / "python", "-c", code, cwd=tmp_path) == "other None\n"


FOREIGN = "has files of another project"


def test_files_of_another_project_in_the_folder_are_noticed(wheel: Path, tmp_path: Path) -> None:
    """As pip leaves them after ``pip install deduce deduce-toolkit``, in either order."""
    zipfile.ZipFile(wheel).extractall(tmp_path)

    def errors(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "always", *words],
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True, text=True, timeout=60, cwd=tmp_path,
        )  # fmt: skip
        return done.stderr

    assert errors("-c", "import deduce; deduce.Knowledge") == ""
    (tmp_path / "deduce" / "core.py").write_text("", encoding="utf-8")
    warning = errors("-c", "import deduce; deduce.Knowledge")
    assert warning.count(FOREIGN) == 1
    assert f"{tmp_path / 'deduce'} {FOREIGN} (core.py)" in warning
    assert "python -m pip uninstall deduce deduce-toolkit" in warning
    assert errors("-m", "deduce", "games").count(FOREIGN) == 1
    (tmp_path / "deduce" / "__init__.py").write_text("version = 3\n", encoding="utf-8")
    assert f"{FOREIGN} (__init__.py, core.py)" in errors("-m", "deduce", "games")


def test_the_installed_commands_replay_cases(bin_: Path, tmp_path: Path) -> None:
    cases = ROOT / "tests" / "data" / "quartets_turns.json"
    assert run(bin_ / "deduce", "cases", cases, cwd=tmp_path).endswith(" 0 failed\n")


def test_every_import_is_a_declared_dependency(wheel: Path) -> None:
    """The dependencies are lent to the environment above, so it would not miss one."""
    graph = build_graph("deduce", "games", include_external_packages=True, cache_dir=None)
    imported = {name.partition(".")[0] for name in graph.modules if graph.is_module_squashed(name)}
    with zipfile.ZipFile(wheel) as packed:
        metadata = next(name for name in packed.namelist() if name.endswith("METADATA"))
        declared = {
            re.split(r"[ ;<>=!~\[]", line)[1].lower()
            for line in packed.read(metadata).decode().splitlines()
            if line.startswith("Requires-Dist: ")
        }
    others = imported - set(sys.stdlib_module_names) - {"attr"}
    others -= {"typing_extensions"}  # for type checkers, which bring it
    known_as = {
        "constraint": "python-constraint2",
        "pyspiel": "open-spiel",
        "reasoning_gym": "reasoning-gym",
    }
    assert {known_as.get(name, name).lower() for name in others} <= declared


NEEDS = {
    "cluedo sheet {cluedo} --engine cpsat": "ortools",
    "cluedo sheet {cluedo} --engine reference": "python-constraint2",
    "search nim --graph graph.svg --depth 2": "networkx",
    "search tic-tac-toe --solve --to solved": "numpy",
    "mastermind solve --slots 2 --colours 2": "numpy",
    "cluedo sheet --plot sheet.png {cluedo}": "matplotlib",
    "app": "starlette",
    "site site": "segno",
}
"""Commands that need more, and the package that they name."""


RUN_NEEDS = r"""
import sys
from deduce.cli.main import main
for line in sys.stdin:
    try:
        main(line.split())
    except SystemExit as end:
        print(end.code, file=sys.stderr)
"""


def test_a_lean_environment_names_what_is_missing(bin_: Path, tmp_path: Path) -> None:
    listed = run(bin_ / "deduce", "games", "--examples", cwd=tmp_path).splitlines()
    cluedo = next(file for file in listed if file.endswith("evening.cluedo"))
    done = subprocess.run(
        [str(bin_ / "python"), "-c", RUN_NEEDS],
        cwd=tmp_path,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTHON")},
        input="\n".join(NEEDS).format(cluedo=cluedo),
        capture_output=True,
        text=True,
        timeout=60,
    )
    told = re.split(r"^(\d+)\n", done.stderr, flags=re.MULTILINE)
    assert told[1::2] == ["2"] * len(NEEDS), done
    for message, needed in zip(told[::2], NEEDS.values(), strict=False):
        assert needed in message
        assert "python -m pip install" in message
    assert not list(tmp_path.iterdir())


def test_a_lean_environment_is_small(bin_: Path) -> None:
    (site,) = bin_.parent.glob("lib/python*/site-packages")
    files = (Path(top, name) for top, _, names in os.walk(site, followlinks=True) for name in names)
    size = sum(file.stat().st_size for file in files if file.suffix != ".pyc")
    assert size < 40_000_000
