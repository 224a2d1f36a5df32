"""The size and the start-up of the code: ``python -m tests.benchmarks.structure [OTHER]``.

Prints, for this tree and for another one (for example a worktree of an older version): lines of
code of `deduce` and `games` without docstrings, comments and blank lines; and the median CPU time
of ``import deduce``, ``deduce --help`` and the sheet of a log, taken in turn.
"""

from __future__ import annotations

import ast
import os
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median

LOG = "games/cluedo/examples/evening.cluedo"
RUNS = 15
COMMANDS = {
    "import deduce": "import deduce",
    "deduce --help": "from deduce.cli import main; main(['--help'])",
    "deduce cluedo sheet": f"from deduce.cli import main; main(['cluedo', 'sheet', '{LOG}'])",
}


def lines_of_code(tree: Path) -> int:
    """Return the lines of `deduce` and `games` that are code."""
    files = [path for folder in ("deduce", "games") for path in (tree / folder).rglob("*.py")]
    return sum(_lines(path.read_text(encoding="utf-8")) for path in files)


def _lines(source: str) -> int:
    prose: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(ast.Constant(str())):
                prose.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(source.splitlines(), start=1)
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in prose
        for number, line in lines
    )


def cpu_seconds(tree: Path, code: str) -> float:
    """Return the CPU time of a fresh interpreter that runs some code in a tree."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    env = os.environ | {"PYTHONPATH": str(tree)}
    subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=tree, capture_output=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the table."""
    trees = [Path.cwd(), *map(Path, sys.argv[1:])]
    print("lines of code:", *(lines_of_code(tree) for tree in trees))
    for name, code in COMMANDS.items():
        times: list[list[float]] = [[] for _ in trees]
        for _ in range(RUNS):
            for tree, spent in zip(trees, times, strict=True):
                spent.append(cpu_seconds(tree, code))
        print(f"{name}:", *(f"{1000 * median(spent):.0f} ms" for spent in times))


if __name__ == "__main__":
    main()
