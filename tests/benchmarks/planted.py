"""Planted faults: whether the tests, or `deduce soak`, find each fault of a list.

    python -m tests.benchmarks.planted --by suite --results suite.jsonl
    python -m tests.benchmarks.planted --by soak --results soak.jsonl --seed 1

The list is tests/data/planted.toml. Each fault is planted in a copy of the tree, and what is run
there ends at the first difference, or when its processor time is over (it is read from /proc, so
this runs on Linux). The fault ``unchanged`` is a copy without any: it must not be found, and is
only run where ``--only unchanged`` names it. A line of JSON is written for each fault, with the
time by the clock and of the processor, and the same command continues with those that have none.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path

__all__ = ["UNCHANGED", "faults", "planted"]

ROOT = Path(__file__).parents[2]
LEFT_OUT = (".git", ".venv", "build", "dist", "node_modules", "__pycache__", ".*_cache")
UNCHANGED = "unchanged"

OWN_TEST = "tests/project/test_fault_list.py"
FIRST = "engines/test_generated.py"
"""The tests that are most likely to find a fault that names none."""
NEXT = (FIRST, "engines", "policy", "test_*.py", "steps", "cluedo", "quartets", "project")
SHOWN = 200
"""Characters of what found a fault that are kept."""

Fault = dict[str, str]


def faults() -> dict[str, Fault]:
    """Return the faults of the list by their ids."""
    text = (ROOT / "tests/data/planted.toml").read_text(encoding="utf-8")
    listed: list[Fault] = tomllib.loads(text)["fault"]
    assert len({fault["id"] for fault in listed}) == len(listed), "two faults have one id"
    return {fault["id"]: fault for fault in listed}


def planted(fault: Fault) -> str:
    """Return the text of the file of a fault with the fault in it."""
    text = (ROOT / fault["file"]).read_text(encoding="utf-8")
    assert text.count(fault["old"]) == 1, f"{fault['id']}: 'old' must occur once in {fault['file']}"
    return text.replace(fault["old"], fault["new"])


def found_by_suite(tree: Path, fault: Fault, seconds: float, _seed: int) -> str:
    """Return the first test that fails, or "" if none does."""
    package = Path(fault.get("file", "any/any")).parts[1]
    options = ["-x", "-q", "--tb=no", "-p", "no:xdist", f"--ignore={OWN_TEST}"]
    options += ["--ignore-glob=*_in_browser.py"]
    began = processor_time()
    for part in ([fault.get("test", FIRST)], [package, *NEXT], []):
        paths = [path for name in part for path in sorted(tree.glob(f"tests/{name}"))]
        names = dict.fromkeys(str(path.relative_to(tree)) for path in paths)
        left = seconds - (processor_time() - began)
        status, text = _run(tree, ["-m", "pytest", *options, *names], left)
        if status:
            failed = (line for line in text.splitlines() if line.startswith(("FAILED", "ERROR")))
            return next(failed, text[-SHOWN:].strip() or f"exit code {status}")
        options += [f"--ignore={name}" for name in names]
    return ""


def found_by_soak(tree: Path, _fault: Fault, seconds: float, seed: int) -> str:
    """Return the file of the first difference.

    Raises
    ------
    ChildProcessError
        It ended without a difference.
    """
    found = tree / "found"
    found.mkdir()
    command = ["-m", "deduce", "soak", "--minutes", "10000", "--seed", str(seed)]
    status, text = _run(tree, [*command, "--to", str(found)], seconds, until=found)
    names = sorted(path.name for path in found.glob("soak-*"))
    if not names:
        raise ChildProcessError(f"exit code {status}: {text.strip()[-SHOWN:]}")
    return names[0]


def _run(
    tree: Path, command: Sequence[str], seconds: float, until: Path | None = None
) -> tuple[int, str]:
    """Run a command in a tree, until a file appears in a folder; return its exit code and text.

    Raises
    ------
    TimeoutError
        The processor time is over.
    """
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=tree, env=environment, text=True,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            while process.poll() is None and not (until and any(until.glob("soak-*"))):
                if _used(process.pid) > seconds:
                    raise TimeoutError
                time.sleep(1)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        output.seek(0)
        return process.returncode, output.read()


def _used(session: int) -> float:
    """Return the processor time of the programs of a session so far, in seconds."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            values = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(values[3]) == session:
            ticks += sum(map(int, values[11:15]))  # with those of children that have ended
    return ticks / os.sysconf("SC_CLK_TCK")


def processor_time() -> float:
    """Return the processor time of all programs that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Plant the faults one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--by", choices=("suite", "soak"), required=True)
    parser.add_argument("--results", type=Path, required=True, metavar="FILE")
    parser.add_argument("--only", nargs="+", metavar="ID")
    parser.add_argument("--seconds", type=float, default=600, help="of processor time, for each")
    parser.add_argument("--seed", type=int, default=0, help="of deduce soak")
    asked = parser.parse_args()
    everything = {**faults(), UNCHANGED: Fault(id=UNCHANGED)}
    wanted = asked.only or [name for name in everything if name != UNCHANGED]
    lines = asked.results.read_text(encoding="utf-8").splitlines() if asked.results.exists() else []
    rows = [json.loads(line) for line in lines]
    known = {row["id"]: row for row in rows if row["by"] == asked.by}
    run = found_by_suite if asked.by == "suite" else found_by_soak
    for name in wanted:
        if name in known:
            continue
        fault = everything[name]
        with tempfile.TemporaryDirectory(prefix="planted-") as folder:
            tree = Path(folder) / "tree"
            shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
            if name != UNCHANGED:
                (tree / fault["file"]).write_text(planted(fault), encoding="utf-8")
            began, used = time.monotonic(), processor_time()
            try:
                what = run(tree, fault, asked.seconds, asked.seed)
                found = bool(what)
            except TimeoutError:
                what, found = "the time is over", False
            except ChildProcessError as error:
                what, found = f"error: {error}", False
            seconds = round(time.monotonic() - began, 1)
        row = {"id": name, "by": asked.by, "found": found, "seconds": seconds, "what": what}
        row["processor"] = round(processor_time() - used, 1)
        known[name] = row
        with asked.results.open("a", encoding="utf-8") as file:
            print(json.dumps(row), file=file)
        print(f"{name}: {what or 'not found'} ({seconds} s, {row['processor']} s)", flush=True)
    print(f"found {sum(known[name]['found'] for name in wanted)} of {len(wanted)}")


if __name__ == "__main__":
    main()
