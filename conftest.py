"""The examples of README.md and docs/ run as tests.

* ```` ```python ```` blocks run, as doctests where they have prompts, in one namespace a page.
* A block whose first line is ``# NAME.py``, ``# pyproject.toml`` or the name of a log, such as
  ``# evening.cluedo``, is written to that file in the page's own folder, where everything on the
  page runs. The entry points in a ``pyproject.toml`` are installed there, so that commands find a
  page's game as they find anybody's.
* In ```` ```console ```` blocks each ``$ ...`` line runs and must print what follows; ``...``
  stands for anything.

The examples of a page build on each other, so parallel runs need ``--dist loadfile``.
"""

import doctest
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser

# Without an extra ("plot", "widgets") what needs it has no tests.
collect_ignore_glob = []
if find_spec("matplotlib") is None:
    collect_ignore_glob += [
        "deduce/search/drawing.py",
        "deduce/show/canvas.py",
        "deduce/show/figures.py",
        "games/pigs/page.py",
    ]
if find_spec("anywidget") is None or find_spec("ipywidgets") is None:
    collect_ignore_glob += [
        "deduce/widgets/*.py",
        "games/*/widget.py",
        "games/cluedo/assistant/entry.py",
    ]

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FILE = re.compile(r"# ([\w.-]+\.(?:py|toml|cluedo|quartets|pigs))\n")


def write_file(example: Example) -> None:
    """Write a block to the file that its first line names."""
    text = str(example.parsed)
    found = FILE.match(text)
    assert found, "the block begins with the name of its file"
    Path(found[1]).write_text(text, encoding="utf-8")
    if found[1] == "pyproject.toml":
        install(tomllib.loads(text)["project"])


def install(project: dict[str, Any]) -> None:
    """Write what ``pip install -e .`` would leave of the project's name and entry points."""
    folder = Path(f"{project['name']}-{project['version']}.dist-info")
    folder.mkdir()
    lines = [f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"]
    (folder / "METADATA").write_text(lines[0], encoding="utf-8")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (folder / "entry_points.txt").write_text("\n".join(points), encoding="utf-8")


def run_commands(example: Example) -> None:
    """Run each command of a block and compare what it prints."""
    checker = doctest.OutputChecker()
    for part in re.split(r"^\$ ", str(example.parsed), flags=re.MULTILINE)[1:]:
        command, _, wanted = part.partition("\n")
        bin_ = str(Path(sys.executable).parent)
        path = {"PATH": bin_ + os.pathsep + os.environ["PATH"], "PYTHONPATH": os.getcwd()}
        done = subprocess.run(
            command,
            shell=True,
            env=os.environ | path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
        )
        if not checker.check_output(wanted, done.stdout, FLAGS):
            raise AssertionError(f"$ {command}\nexpected:\n{wanted}\nfound:\n{done.stdout}")


class Python(PythonCodeBlockParser):
    """Python blocks, those with a file's name on top left to `files`."""

    def __call__(self, document: Document) -> Iterator[Region]:
        """Return the blocks that are to be run."""
        regions = super().__call__(document)
        return (region for region in regions if not FILE.match(str(region.parsed)))


def files(document: Document) -> Iterator[Region]:
    """Yield the blocks that are to be written to files."""
    for language in ("python", "toml", "text"):
        for region in CodeBlockParser(language=language, evaluator=write_file)(document):
            if FILE.match(str(region.parsed)):
                yield region


def setup(namespace: dict[str, Any]) -> None:
    """Give the page a folder of its own."""
    folder = tempfile.TemporaryDirectory(prefix="deduce-docs-")
    namespace["_page"] = folder, Path.cwd(), list(sys.path)
    os.chdir(folder.name)
    sys.path.insert(0, folder.name)


def teardown(namespace: dict[str, Any]) -> None:
    """Leave the page's folder and remove it."""
    folder, before, path = namespace["_page"]
    os.chdir(before)
    sys.path[:] = path
    folder.cleanup()


pytest_collect_file = Sybil(
    parsers=[
        Python(doctest_optionflags=FLAGS),
        files,
        CodeBlockParser(language="console", evaluator=run_commands),
    ],
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
    setup=setup,
    teardown=teardown,
).pytest()
