"""Marginals of standard positions of Cluedo from Python events, beside version 0.1, in CPU time.

``python tests/benchmarks/bench_oldest.py --old FOLDER`` needs a checkout of version 0.1 (commit
55f24ed); both versions read the same logs, one after the other in turn, each in its own process.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

MEASURE = """
import json, sys
from time import process_time as now
try:
    from deduce.logs.events import read_log
except ImportError:
    from deduce.events import read_log
try:
    from deduce.engines.core.model import Model
except ImportError:
    from deduce.engines.model import Model
from deduce.knowledge import Knowledge
try:
    from games.cluedo import Cluedo
except ImportError:
    from games.cluedo.rules import Cluedo

read = []
for text in json.load(sys.stdin):
    log = read_log(text, Cluedo)
    read.append((log.game, log.events) if hasattr(log, "game") else log)
rows = []
for turn in range(4):
    rows = []
    for game, events in read:
        begun = now()
        knowledge = Knowledge(game, tuple(events))
        knowledge.problem
        made = now()
        Model(knowledge.problem)
        compiled = now()
        knowledge.asker
        ready = now()
        knowledge.shares()
        done = now()
        parts = made - begun, compiled - made, done - ready, made - begun + done - compiled
        rows.append([1000 * part for part in parts])
print(json.dumps(rows))
"""
PARTS = ("making", "compiling", "shares", "the whole")


def logs(number: int) -> list[str]:
    """Return standard positions as text in the form that both versions read."""
    from deduce.logs.events import write_log
    from tests.benchmarks.situations import standard

    return [write_log(k.game, k.log) for k in standard(number)]


def rows_of(root: Path, texts: list[str]) -> list[list[float]]:
    """Return the milliseconds of each position by the version in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
    )
    rows: list[list[float]] = json.loads(done.stdout)
    return rows


def main() -> None:
    """Print the medians, the greatest, and the medians of the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--old", type=Path, required=True)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    texts = logs(given.positions)
    here = Path(__file__).parents[2]
    runs = [(rows_of(given.old, texts), rows_of(here, texts)) for _ in range(given.rounds)]
    best = [
        [[min(times) for times in zip(*each, strict=True)] for each in zip(*version, strict=True)]
        for version in zip(*runs, strict=True)
    ]
    old, new = best
    for part, name in enumerate(PARTS):
        before, after = ([row[part] for row in rows] for rows in (old, new))
        ratio = median(b / a for a, b in zip(before, after, strict=True))
        print(
            f"{name:<10} 0.1: {median(before):.2f} ms (worst {max(before):.1f})  "
            f"now: {median(after):.2f} ms (worst {max(after):.1f})  ratio {ratio:.2f}"
        )


if __name__ == "__main__":
    main()
