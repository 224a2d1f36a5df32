"""The examples of README.md and docs/ run as tests.

* ```` ```python ```` blocks run, as doctests where they have prompts, in one namespace per page.
* A block whose first line is the name of a file, such as ``# NAME.py``, ``# pyproject.toml`` or
  ``# game.cluedo``, is written to that file in the page's own folder, in which everything on the
  page runs. The entry points in a ``pyproject.toml`` are installed there, so that commands find
  the page's game like any other installed game.
* In ```` ```console ```` blocks each line ``$ ...`` runs and must print what follows; ``...``
  matches anything. A line of commands of deduce runs in this process, which takes a tenth of the
  time; a shell runs what has files, loops or other programs, and games that the page installs.
* ``<!-- skip: next if(missing("PACKAGE"), reason="...") -->`` before a block skips it where a
  package is not installed.

The examples of a page build on each other, so parallel runs need ``--dist loadfile``.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sybil import Document, Example, Region, Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

from deduce.system import registry
from tests.programs import deduce

# Modules that need an extra ("plot", "widgets") are tested only where it is installed.
collect_ignore_glob = []
if find_spec("matplotlib") is None:
    collect_ignore_glob += [
        "deduce/search/drawing.py",
        "deduce/show/canvas.py",
        "deduce/show/figures.py",
    ]
if find_spec("segno") is None:
    collect_ignore_glob += ["deduce/pages/features/share.py"]
if find_spec("pyspiel") is None:
    collect_ignore_glob += ["deduce/gym/openspiel*.py"]
collect_ignore_glob += [
    f"deduce/gym/{name}.py"
    for name in ("gymnasium", "reasoning_gym", "verifiers")
    if find_spec(name) is None
]
if find_spec("uvicorn") is None or find_spec("starlette") is None:
    collect_ignore_glob += ["deduce/pages/transports/server.py"]
if find_spec("anywidget") is None:
    collect_ignore_glob += ["deduce/pages/transports/notebook.py"]

ROOT = Path(__file__).parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FILE = re.compile(r"# ([\w-][\w.-]*\.[a-z]+)\n")


def write_file(example: Example) -> None:
    """Write a block to the file that its first line names."""
    text = str(example.parsed)
    match = FILE.match(text)
    assert match, "the first line of the block names its file"
    Path(match[1]).write_text(text, encoding="utf-8")
    if match[1] == "pyproject.toml":
        install(tomllib.loads(text))


def install(document: dict[str, Any]) -> None:
    """Write the metadata and entry points that ``pip install -e .`` would write."""
    project = document["project"]
    named = {
        entry.partition(":")[0]
        for entries in project["entry-points"].values()
        for entry in entries.values()
    }
    # setuptools refuses a folder with several modules unless they are listed.
    assert set(document["tool"]["setuptools"]["py-modules"]) == named
    assert all(Path(f"{module}.py").exists() for module in named)
    folder = Path(f"{project['name']}-{project['version']}.dist-info")
    folder.mkdir()
    lines = [f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"]
    (folder / "METADATA").write_text(lines[0], encoding="utf-8")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (folder / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")


CODE = '; echo "exit code $?"'
QUOTED = re.compile(r"""'[^']*'|"[^"]*\"""")


def run_commands(example: Example) -> None:
    """Run each command of a block and compare what it prints."""
    checker = doctest.OutputChecker()
    for part in re.split(r"^\$ ", str(example.parsed), flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        plain = command.removesuffix(CODE)
        if all(map(is_plain, plain.split(" | "))):
            printed, code = piped(plain.split(" | "))
            printed += f"exit code {code}\n" if plain != command else ""
        else:
            printed = shell(command)
        if not checker.check_output(expected, printed, FLAGS):
            raise AssertionError(f"$ {command}\nexpected:\n{expected}\ngot:\n{printed}")


def is_plain(command: str) -> bool:
    """Return whether a line is one command of deduce, without any work for a shell."""
    bare = QUOTED.sub("", command)
    installed = list(Path().glob("*.dist-info"))
    return not installed and bare.startswith("deduce ") and not set("|;<>&()*?[~") & set(bare) and (
        not set("$`\\") & set(command)
    )  # fmt: skip


def piped(commands: list[str]) -> tuple[str, int]:
    """Return what commands print, each reading what the one before printed, and the exit code."""
    printed, code = "", 0
    for command in commands:
        words = shlex.split(command, comments=True)
        with patch.dict(registry._TYPED):
            done = deduce(*words[1:], stdin=printed, mixed=True)
        printed, code = done.stdout, done.returncode
    return printed, code


def shell(command: str) -> str:
    """Return what a line prints in a shell that finds deduce and the games of the page."""
    path = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")]),
    }
    return subprocess.run(
        command,
        shell=True,
        env=os.environ | path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    ).stdout


class Python(PythonCodeBlockParser):
    """Python blocks, except those that name a file, which `files` handles."""

    def __call__(self, document: Document) -> Iterator[Region]:
        """Return the blocks to run."""
        regions = super().__call__(document)
        return (region for region in regions if not FILE.match(str(region.parsed)))


def files(document: Document) -> Iterator[Region]:
    """Yield the blocks to write to files."""
    for language in ("python", "toml", "text"):
        for region in CodeBlockParser(language=language, evaluator=write_file)(document):
            if FILE.match(str(region.parsed)):
                yield region


def setup(namespace: dict[str, Any]) -> None:
    """Give the page a folder of its own, in which the bundled examples have their usual paths."""
    folder = tempfile.TemporaryDirectory(prefix="deduce-docs-")
    namespace["_page"] = folder, Path.cwd(), list(sys.path)
    namespace["missing"] = lambda package: find_spec(package) is None
    for examples in ROOT.glob("games/*/examples"):
        link = Path(folder.name) / examples.relative_to(ROOT)
        link.parent.mkdir(parents=True)
        link.symlink_to(examples)
    os.chdir(folder.name)
    sys.path.insert(0, folder.name)


def teardown(namespace: dict[str, Any]) -> None:
    """Leave the page's folder, and forget its modules."""
    folder, before, path = namespace["_page"]
    os.chdir(before)
    sys.path[:] = path
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(os.path.realpath(folder.name)):
            del sys.modules[name]
    folder.cleanup()


pytest_collect_file = Sybil(
    parsers=[
        SkipParser(),
        Python(doctest_optionflags=FLAGS),
        files,
        CodeBlockParser(language="console", evaluator=run_commands),
    ],
    patterns=["README.md", "docs/*.md", "docs/**/*.md"],
    setup=setup,
    teardown=teardown,
).pytest()
