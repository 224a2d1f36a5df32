"""Mutation testing: a seeded sample of small faults in the core, each run against its tests.

    python -m tests.benchmarks.mutate --count 600 --seed 1 --out mutants.jsonl

A mutant is one changed operator, comparison, constant or returned value. It is written into a copy
of the project, and the tests of its module run until the first one fails. The sample is spread
evenly over the modules. Results are appended to a file, and the same command continues it.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from deduce.batch.results import ResultsFile

ROOT = Path(__file__).parents[2]

CORE = "tests/test_queries.py tests/engines/test_agreement.py tests/house/test_entrances.py"
TESTS = {
    "deduce/constraints.py": CORE,
    "deduce/problem.py": CORE,
    "deduce/queries.py": "tests/test_queries.py tests/house/test_knowledge.py",
    "deduce/explain.py": "tests/house/test_explain.py tests/house/test_conformance.py",
    "deduce/engines": "tests/engines tests/house/test_conformance.py",
    "games/cluedo/knowledge.py": "tests/house/test_planted_faults.py tests/cluedo",
    "games/quartets/knowledge.py": "tests/quartets",
    "games/pigs/knowledge.py": "tests/pigs",
}
"""Which tests cover a module or a package."""

COMPARISONS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def mutants(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the nodes that can be changed."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[first, *_]) if type(first) in COMPARISONS:
                yield node
            case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in OPERATORS:
                yield node
            case ast.Constant(value=bool() | int()) | ast.UnaryOp(op=ast.Not()):
                yield node


def mutate(source: str, index: int) -> tuple[str, int, str]:
    """Return the source with one node changed, its line, and what was changed."""
    tree = ast.parse(source)
    node = list(mutants(tree))[index]
    before = ast.unparse(node)
    if isinstance(node, ast.Compare):
        node.ops[0] = COMPARISONS[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp | ast.BoolOp):
        node.op = OPERATORS[type(node.op)]()
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else int(str(node.value)) + 1
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [copy.deepcopy(node.operand)], [])
    return (
        ast.unparse(ast.fix_missing_locations(tree)),
        node.lineno,
        f"{before} -> {ast.unparse(node)}",
    )


def modules() -> list[Path]:
    """Return the modules that are mutated."""
    found: list[Path] = []
    for name in TESTS:
        path = ROOT / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [path for path in found if list(mutants(ast.parse(path.read_text(encoding="utf-8"))))]


def tests_of(module: str) -> list[str]:
    """Return the tests that cover a module."""
    return next(tests for name, tests in TESTS.items() if module.startswith(name)).split()


def main() -> None:
    """Run the sample and print the score of each module."""
    options = argparse.ArgumentParser()
    options.add_argument("--count", type=int, default=600)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=Path("mutants.jsonl"))
    options.add_argument("--timeout", type=float, default=600)
    chosen = options.parse_args()
    files, random = modules(), Random(chosen.seed)
    with (
        ResultsFile(chosen.out, {"of": "mutants", "seed": chosen.seed}, number="mutant") as results,
        TemporaryDirectory() as folder,
    ):
        done = {int(row["mutant"]): row for row in results.rows()}
        for name in ("deduce", "games", "tests", "pyproject.toml"):
            copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copied(ROOT / name, Path(folder, name))
        for number in range(chosen.count):
            file = files[number % len(files)]
            source = file.read_text(encoding="utf-8")
            index = random.randrange(len(list(mutants(ast.parse(source)))))
            if number in done:
                continue
            changed, line, what = mutate(source, index)
            module = file.relative_to(ROOT).as_posix()
            Path(folder, module).write_text(changed, encoding="utf-8")
            command = [sys.executable, "-m", "pytest", "-q", "-x", *tests_of(module)]
            env = os.environ | {"PYTHONPATH": folder, "HYPOTHESIS_PROFILE": "ci"}
            try:
                code = subprocess.run(
                    command, cwd=folder, env=env, capture_output=True, timeout=chosen.timeout
                ).returncode
                end = "survived" if code == 0 else "killed"
            except subprocess.TimeoutExpired:
                end = "timeout"
            Path(folder, module).write_text(source, encoding="utf-8")
            done[number] = {
                "mutant": number,
                "module": module,
                "line": line,
                "what": what,
                "end": end,
            }
            results.add(done[number])
            print(number, module, line, what, end, flush=True)
    score = Counter((row["module"], row["end"] == "survived") for row in done.values())
    for module in sorted({row["module"] for row in done.values()}):
        killed, survived = score[module, False], score[module, True]
        print(f"{module}: {killed} of {killed + survived} found")


if __name__ == "__main__":
    main()
