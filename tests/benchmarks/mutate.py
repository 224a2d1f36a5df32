"""Mutation testing: a sample of small faults in the core, each run against the tests of its line.

    python -m tests.benchmarks.mutate record
    python -m tests.benchmarks.mutate run --count 600 --seed 1
    python -m tests.benchmarks.mutate score

``record`` runs the tests once, notes which test runs which line of the modules, and how long it
takes; it leaves out tests longer than ``--longest``. ``run`` makes mutants, spread evenly over the
modules: one changed operator, comparison, constant or condition each. The tests that run the
changed line run in ascending order of their time, up to a limit in processor seconds, until the
first one fails. A mutant within a function takes the place of that function in a fork of a process
that has collected all tests; another is imported in a process of its own. All results are kept in
a folder, and the same command continues.
``record --tests`` and ``run --modules`` choose a part, separated by commas; ``run`` uses the tests
that are recorded.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.benchmarks import mutation
from tests.benchmarks.mutants import mutants

ROOT = Path(__file__).parents[2]

MODULES = (
    "deduce/constraints.py", "deduce/problem.py", "deduce/viewpoint.py",
    "deduce/knowledge.py", "deduce/queries.py", "deduce/explain.py", "deduce/engines",
    "games/cluedo/evidence.py",
    "games/quartets/evidence.py", "games/pigs/evidence.py", "games/minesweeper/game.py",
    "games/mastermind/game.py", "games/propre/evidence.py",
)  # fmt: skip
"""What is mutated: modules and packages."""

TESTS = (
    "tests/engines", "tests/test_queries.py", "tests/test_hands.py", "tests/test_errors.py",
    "tests/test_alternatives.py", "tests/test_doubts.py", "tests/test_cases.py", "tests/steps",
    "tests/policy", "tests/house/test_entrances.py", "tests/house/test_knowledge.py",
    "tests/house/test_explain.py", "tests/house/test_conformance.py",
    "tests/house/test_planted_faults.py", "tests/house/test_commands.py",
    "tests/house/test_displays.py", "tests/cluedo", "tests/quartets", "tests/pigs",
    "tests/minesweeper", "tests/mastermind", "tests/propre", "deduce", "games",
)  # fmt: skip
"""The tests that cover them: files and folders; the last two are examples in docstrings."""

OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist"]


def modules() -> list[Path]:
    """Return the modules that are mutated."""
    found: list[Path] = []
    for name in MODULES:
        path = ROOT / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return [path for path in found if mutants(path.read_text(encoding="utf-8"))]


def record(folder: Path, groups: Sequence[str], longest: float) -> None:
    """Record each group of tests that is not recorded yet."""
    for tests in groups:
        path = folder / f"lines-{tests.replace('/', '-')}.json"
        if not path.exists():
            command = [sys.executable, "-m", __spec__.name, "group", tests, str(path), str(longest)]
            subprocess.run(command, check=True)


def group(tests: str, path: Path, longest: float) -> None:
    """Record a group of tests in this process."""
    recorder = mutation.Recorder(modules(), longest)
    pytest.main([*OPTIONS, tests], plugins=[recorder])
    path.write_text(json.dumps(recorder.document(ROOT)), encoding="utf-8")
    print(f"{tests}: {len(recorder.tests)} tests", flush=True)


class Lines:
    """What was recorded: the tests that run each line, with their seconds."""

    def __init__(self, folder: Path) -> None:
        self.seconds: dict[str, float] = {}
        self.tests: dict[str, dict[int, set[str]]] = {}
        for path in sorted(folder.glob("lines-*.json")):
            document = json.loads(path.read_text(encoding="utf-8"))
            names = list(document["tests"])
            self.seconds |= document["tests"]
            for module, lines in document["lines"].items():
                of_module = self.tests.setdefault(module, {})
                for line, numbers in lines.items():
                    of_module.setdefault(int(line), set()).update(names[n] for n in numbers)

    def of(self, module: str, first: int, last: int, limit: float) -> dict[str, float]:
        """Return the tests of a line in ascending order of their seconds, up to a sum.

        Where no test runs the line itself, as in a class body, the tests of its statement are
        meant, and then those of the module.
        """
        lines = self.tests.get(module, {})
        tests = lines.get(first) or set().union(*(lines.get(n, ()) for n in range(first, last + 1)))
        tests = tests or set().union(*lines.values())
        chosen: dict[str, float] = {}
        total = 0.0
        for name in sorted(tests, key=lambda name: (self.seconds[name], name)):
            total += self.seconds[name]
            if chosen and total > limit:
                break
            chosen[name] = self.seconds[name]
        return chosen


def sample(count: int, seed: int, parts: Sequence[str]) -> list[tuple[str, int]]:
    """Return mutants, spread evenly over the modules: the module and the index in it."""
    random = Random(seed)
    left = []
    for file in modules():
        if not file.relative_to(ROOT).as_posix().startswith(tuple(parts)):
            continue
        indices = list(range(len(mutants(file.read_text(encoding="utf-8")))))
        random.shuffle(indices)
        left.append((file.relative_to(ROOT).as_posix(), deque(indices)))
    chosen: list[tuple[str, int]] = []
    while len(chosen) < count and any(indices for _, indices in left):
        chosen += [(module, indices.popleft()) for module, indices in left if indices]
    return chosen[:count]


def results(folder: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """Return the last result of each mutant."""
    path = folder / "mutants.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rows = [json.loads(line) for line in lines]
    return {(row["module"], row["index"]): row for row in rows}


def run(
    folder: Path, count: int, seed: int, limit: float, parts: Sequence[str], *, again: bool
) -> None:
    """Run the mutants of a sample that have no result yet, or those that survived."""
    lines, done = Lines(folder), results(folder)
    sources = {
        file.relative_to(ROOT).as_posix(): mutants(file.read_text(encoding="utf-8"))
        for file in modules()
    }
    path = folder / "mutants.jsonl"

    def tests_of(module: str, index: int) -> dict[str, float]:
        first, last, _ = sources[module][index]
        return lines.of(module, first, last, limit)

    def keep(module: str, index: int, end: str, test: str, seconds: float) -> None:
        first, _, what = sources[module][index]
        row = {"module": module, "index": index, "line": first, "what": what, "end": end}
        row |= {"test": test, "seconds": round(seconds, 2)}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        print(f"{module}:{first} {what}: {end} {test}", file=sys.__stderr__, flush=True)

    def tasks() -> Iterator[tuple[str, int, dict[str, float]]]:
        for module, index in sample(count, seed, parts):
            if (module, index) in done and not (again and done[module, index]["end"] == "survived"):
                continue
            tests = tests_of(module, index)
            if not tests:
                keep(module, index, "no test", "", 0.0)
                continue
            yield module, index, tests

    def ended(module: str, index: int, end: str, test: str, seconds: float) -> None:
        if end == "module level":
            tests = tests_of(module, index)
            argument = json.dumps([module, index, tests])
            command = [sys.executable, "-m", "tests.benchmarks.mutate", "fresh", argument]
            finished = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            last = finished.stdout.splitlines()[-1:] or ["killed"]
            end, _, test = last[0].partition(" ")
        keep(module, index, end, test, seconds)

    runner = mutation.Runner(ROOT, tasks(), ended)
    files = sorted({name.partition("::")[0] for name in lines.seconds})
    pytest.main([*OPTIONS, *files], plugins=[runner])


def fresh(module: str, index: int, tests: dict[str, float]) -> None:
    """Run the tests of a mutant that is imported; print how it ended."""
    mutation.import_mutant(ROOT / module, index)
    ends: list[str] = []

    def ended(_: str, __: int, end: str, test: str, ___: float) -> None:
        ends.append(f"{end} {test}")

    runner = mutation.Runner(ROOT, iter([(module, index, tests)]), ended, fresh=True)
    files = sorted({name.partition("::")[0] for name in tests})
    # Else pytest would import a module whose examples it runs by a loader of its own, unchanged.
    pytest.main([*OPTIONS, "--assert=plain", *files], plugins=[runner])
    print("\n" + (ends[0] if ends else "killed the collection of the tests"), flush=True)


def score(folder: Path) -> None:
    """Print the score of each module and the mutants that survived."""
    rows = list(results(folder).values())
    found = Counter((row["module"], row["end"] in ("killed", "late")) for row in rows)
    for module in sorted({row["module"] for row in rows}):
        killed, left = found[module, True], found[module, False]
        print(f"{module}: {killed} of {killed + left} found")
    killed = sum(n for (_, end), n in found.items() if end)
    print(f"all: {killed} of {len(rows)} found")
    for row in rows:
        if row["end"] not in ("killed", "late"):
            print(f"{row['module']}:{row['line']} #{row['index']} {row['what']}: {row['end']}")


def main() -> None:
    """Run one step."""
    os.chdir(ROOT)
    if sys.argv[1:2] == ["group"]:
        return group(sys.argv[2], Path(sys.argv[3]), float(sys.argv[4]))
    if sys.argv[1:2] == ["fresh"]:
        return fresh(*json.loads(sys.argv[2]))
    options = argparse.ArgumentParser()
    options.add_argument("step", choices=["record", "run", "score"])
    options.add_argument("--folder", type=Path, default=Path("mutants"))
    options.add_argument("--count", type=int, default=600)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--limit", type=float, default=15, help="processor seconds of a mutant")
    options.add_argument("--longest", type=float, default=3, help="processor seconds of a test")
    options.add_argument("--tests", default=",".join(TESTS))
    options.add_argument("--modules", default=",".join(MODULES))
    options.add_argument("--again", action="store_true", help="run again what survived")
    chosen = options.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if chosen.step == "record":
        record(chosen.folder.resolve(), chosen.tests.split(","), chosen.longest)
    elif chosen.step == "run":
        parts = chosen.modules.split(",")
        run(chosen.folder, chosen.count, chosen.seed, chosen.limit, parts, again=chosen.again)
    else:
        score(chosen.folder)
    return None


if __name__ == "__main__":
    main()
