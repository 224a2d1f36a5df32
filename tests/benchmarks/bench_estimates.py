"""How often intervals of estimates cover the truth: `python -m tests.benchmarks.bench_estimates`.

Every problem is solved exactly first, then estimated from 50, 500 and 5,000 draws. A line of JSON
for each problem is added to the file, so that a run that was ended goes on where it was. With
``--table`` the rows of a table are printed (docs/estimates.md).
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from deduce.budget import Budget
from deduce.constraints import Constraint, Where
from deduce.errors import Contradiction, Undecided
from deduce.estimates import Estimate, interval
from deduce.knowledge import Knowledge
from deduce.problem import Problem, permutation
from deduce.reasoning.estimating import Estimates
from deduce.testing.problems import SHAPES, generated
from tests.benchmarks.situations import position

DRAWS = (50, 500, 5000)
CLASSES = (0.02, 0.1, 0.9, 0.98, 1.0)
NAMES = ("below .02", ".02 to .1", ".1 to .9", ".9 to .98", "above .98")
MOST = 4
"""Numbers of each class that count of one problem: those of one problem depend on each other."""

EXACT = Budget(steps=20_000_000)
DRAWN = Budget(steps=6_000_000)
HOSTILE = 200


def tight(random: Random) -> Problem:
    """Return a problem with few worlds, or of which most of what is tried has none."""
    size = random.randint(5, 9)
    kind = random.randrange(3)
    if kind == 0:  # an order with many clues
        problem = permutation(range(size), range(size))
        rules: list[Constraint] = []
        for _ in range(random.randint(size, 2 * size)):
            some = sorted(random.sample(range(size), 2))
            rules.append(Where(some, lambda x, y: x < y))
        return Problem(problem.domains, [*(r.constraint for r in problem.rules), *rules])
    if kind == 1:  # equations modulo 2, nearly as many as unknowns
        names = range(3 * size)
        world = [random.randrange(2) for _ in names]
        rules = []
        for _ in range(random.randint(2 * size, 3 * size)):
            some = random.sample(names, random.randint(3, 5))
            odd = sum(world[name] for name in some) % 2
            rules.append(Where(some, lambda *of, odd=odd: sum(of) % 2 == odd))
        return Problem(dict.fromkeys(names, (0, 1)), rules)
    names = range(2 * size)  # tables of which few rows are left
    world = [random.randrange(3) for _ in names]
    rules = []
    for _ in range(random.randint(2 * size, 4 * size)):
        some = random.sample(names, 3)
        rows = {tuple(random.randrange(3) for _ in some) for _ in range(random.randint(3, 12))}
        rows.add(tuple(world[name] for name in some))
        rules.append(Where(some, lambda *of, rows=rows: of in rows))
    return Problem(dict.fromkeys(names, range(3)), rules)


def problems() -> Iterator[tuple[str, Knowledge]]:
    """Yield problems by name: hostile ones, positions of Cluedo, and of every shape."""
    for seed in range(HOSTILE):
        yield f"tight {seed}", Knowledge(tight(Random(seed)), budget=EXACT)
    for seed in range(100):
        for players, events in ((3, 4), (4, 8), (6, 12)):
            yield f"cluedo {players} {seed}", position(seed, players, events).using(budget=EXACT)
    for seed in count():
        for shape in SHAPES:
            yield f"{shape} {seed}", Knowledge(generated(Random(seed), shape), budget=EXACT)


def row(name: str, k: Knowledge) -> dict[str, Any] | None:
    """Return what estimates of one problem give; ``None``: it has no world, or nothing is open."""
    try:
        exact = k.posterior()
    except (Contradiction, Undecided):
        return None
    cells = [
        (variable, value, float(exact[variable].get(value, 0)))
        for variable, values in k.asker.narrowed().items()
        if len(values) > 1
        for value in values
    ]
    if not cells:
        return None
    Random(name).shuffle(cells)
    found: dict[str, Any] = {"name": name, "rows": [], "false": 0, "counts": []}
    for draws in DRAWS:
        try:
            drawn = Estimates(k.using(budget=DRAWN).asker, weighted=True, seed=1).drawn(draws)
        except Undecided:
            found["rows"].append([draws, "undecided"])
            continue
        shares = drawn.shares()
        if drawn.draws < 0.9 * draws:
            found["rows"].append([draws, "fewer", drawn.draws])
        used: dict[int, int] = defaultdict(int)
        for variable, value, truth in cells:
            estimate: Estimate = shares[variable][value]
            if (estimate.exact or estimate.value in (0, 1)) and abs(estimate.value - truth) > 1e-9:
                found["false"] += 1
            which = next(i for i, end in enumerate(CLASSES) if truth <= end)
            used[which] += 1
            if used[which] <= MOST:
                inside = estimate.low - 1e-9 <= truth <= estimate.high + 1e-9
                width = float(estimate.high - estimate.low)
                low, high = interval(draws * truth, draws)
                row_ = [draws, which, int(inside), width, high - low, drawn.draws]
                found["rows"].append(row_)
    return found


def table(lines: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the rows of a table in Markdown."""
    rows = [row for line in lines for row in line["rows"]]
    yield "| draws | share | numbers | covered | median width, by independent draws |"
    yield "|---|---|---|---|---|"
    for draws in DRAWS:
        for which, name in enumerate(NAMES):
            some = [row for row in rows if row[0] == draws and row[1] == which]
            if some:
                covered = sum(row[2] for row in some) / len(some)
                wider = median(row[3] / row[4] for row in some)
                yield f"| {draws} | {name} | {len(some)} | {covered:.1%} | {wider:.2f} |"
    undecided = sum(row[1] == "undecided" for row in rows)
    fewer = sum(row[1] == "fewer" for row in rows)
    false = sum(line["false"] for line in lines)
    yield f"{len(lines)} problems, {undecided} estimates undecided, {fewer} from fewer draws than"
    yield f"asked for, {false} false certainties."


def main() -> None:
    """Measure, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--problems", type=int, default=2000)
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    text = given.file.read_text(encoding="utf-8") if given.file.exists() else ""
    lines = [json.loads(line) for line in text.splitlines()]
    if given.table:
        print("\n".join(table([line for line in lines if "rows" in line])))
        return
    known = {line["name"] for line in lines}
    number = sum("rows" in line for line in lines)
    for name, k in problems():
        if number >= given.problems:
            break
        if name in known:
            continue
        made = row(name, k) or {"name": name}
        number += "rows" in made
        with given.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(made) + "\n")


if __name__ == "__main__":
    main()
