"""What is installed from a wheel, outside the checkout, is whole: commands, examples, notebooks.

The wheel goes into an empty environment without its dependencies, which are lent from here, so
that no network is needed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str | Path, cwd: Path) -> str:
    """Return what a command prints; it must not fail, nor say anything on standard error."""
    plain = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=plain | {"PYTHONDONTWRITEBYTECODE": "1"},
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


@pytest.fixture(scope="module")
def bin_(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment in which only the wheel is installed."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=False, symlinks=True)
    commands = home / "bin"
    python = commands / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    install = [*pip, "install", "-q", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(install, check=True, capture_output=True, timeout=120)
    here = run(
        python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home
    ).strip()
    lent = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(here) / "lent.pth").write_text("\n".join(sorted(lent)) + "\n", encoding="utf-8")
    return commands


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


def test_the_installed_commands_run_on_the_installed_examples(bin_: Path, tmp_path: Path) -> None:
    code = "import games.cluedo.examples as e; print(e.__path__[0])"
    examples = Path(run(bin_ / "python", "-c", code, cwd=tmp_path).strip())
    assert examples.is_relative_to(bin_.parent)
    sheet = run(bin_ / "deduce", "cluedo", "sheet", examples / "evening.cluedo", cwd=tmp_path)
    assert sheet.startswith("Ann's sheet after 22 events")
    assert "solution: Reverend Green, Rope, Billiard Room" in sheet
    checked = run(bin_ / "deduce", "cluedo", "check", examples / "evening.cluedo", cwd=tmp_path)
    assert checked == "consistent: 22 events\n"


def test_the_installed_package_shows_html(bin_: Path, tmp_path: Path) -> None:
    code = """
from importlib.resources import files
from deduce.constraints import is_
from deduce.knowledge import Knowledge
from games.cluedo.rules import Cluedo
text = (files("games.cluedo.examples") / "evening.cluedo").read_text(encoding="utf-8")
k = Knowledge(*Cluedo.parse_log(text))
print(k._repr_html_(), k.why(is_("Rope", "envelope"))._repr_html_())
"""
    shown = run(bin_ / "python", "-c", code, cwd=tmp_path)
    assert "What the log says after 22 events: 2 worlds</caption>" in shown
    assert "<strong>Rope is in the envelope: certain, because</strong>" in shown
