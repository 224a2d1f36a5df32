"""Thousands of generated problems: each way of answering against the list of all worlds.

``python -m tests.benchmarks.bench_generated --number 2000 --results FILE`` compares all answers
about problems of `deduce.testing.problems`, each way of `deduce.testing.paths`, with the list of
all worlds, and looks at the other laws of `deduce.testing.laws` by some of the ways.
``--study arrays`` and ``--study large`` draw worlds of problems like the one whose samples were
biased, and test that the p-values of all problems are uniform. Every problem is a line of the file,
from which an interrupted run continues; a difference is printed with the seed that repeats it.
docs/benchmarks/net.md has the figures.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import exp, lgamma, log
from pathlib import Path
from random import Random
from typing import Any

from deduce import Knowledge, Problem
from deduce.errors import Undecided
from deduce.testing import enumeration
from deduce.testing.laws import LAWS, difference
from deduce.testing.paths import PATHS, forced
from deduce.testing.problems import LARGE, SHAPES, generated

SOME_LAWS = 6
"""How many laws each problem is checked by, along one way; all answers are compared by all ways."""

SLOW = {"cpsat", "reference", "auto, sweep gives up", "auto, components give up"}
"""Ways that take as long as ten others; the last two find possible values by CP-SAT."""

RARE = 10
"""One of this number of problems is given to the slow ways; one has hundreds of constraints."""

DRAWS = 50
"""Draws for each world."""


def shape_of(seed: int) -> str:
    """Return the shape of a problem: all shapes take turns, that of many constraints rarely."""
    shapes = [shape for shape in SHAPES if shape not in LARGE]
    shape = shapes[seed % len(shapes)]
    return "mixed" if shape == "many" and seed // len(shapes) % RARE else shape


def problem_of(seed: int) -> Problem:
    """Return the generated problem with this number."""
    return generated(Random(seed), shape_of(seed))


def compared(seed: int) -> dict[str, Any]:
    """Return the differences of one problem, by law and way."""
    problem = problem_of(seed)
    random = Random(f"ways {seed}")
    paths = [path for path in PATHS if path not in SLOW or seed % RARE == 0]
    way, laws = random.choice(paths), random.sample(list(LAWS), SOME_LAWS)
    checks = [("listed", path) for path in paths] + [(law, way) for law in laws]
    try:
        worlds: int | None = len(enumeration.worlds(problem, most=20_000))
    except Undecided:
        worlds = None
    found = {f"{law} / {path}": difference(problem, law, path, str(seed)) for law, path in checks}
    different = {name: text for name, text in found.items() if text}
    return {"shape": shape_of(seed), "worlds": worlds, "different": different}


# The study of samples


def chi_square(counts: Mapping[Any, int], shares: Mapping[Any, Fraction]) -> float:
    """Return the p-value of Pearson's chi-square test; 0 if something impossible was drawn."""
    number = sum(counts.values())
    if not counts.keys() <= shares.keys():
        return 0.0
    expected = {key: float(share * number) for key, share in shares.items()}
    statistic = sum((counts.get(key, 0) - size) ** 2 / size for key, size in expected.items())
    return upper_gamma((len(shares) - 1) / 2, statistic / 2)


def upper_gamma(a: float, x: float) -> float:
    """Return the regularized upper incomplete gamma function.

    By its series, or by the continued fraction (Press et al., *Numerical Recipes*, section 6.2).
    """
    if x <= 0 or a <= 0:
        return 1.0
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - front * total)
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for i in range(1, 10_000):
        b += 2
        step = -i * (i - a)
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        h *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * h


def uniform(values: Sequence[float]) -> tuple[float, float]:
    """Return the statistic of Kolmogorov and Smirnov for uniform values, and its p-value."""
    ordered, n = sorted(values), len(values)
    most = max(max((i + 1) / n - v, v - i / n) for i, v in enumerate(ordered))
    root = most * (n**0.5 + 0.12 + 0.11 / n**0.5)
    p = 2 * sum((-1) ** (k - 1) * exp(-2 * (k * root) ** 2) for k in range(1, 101))
    return most, min(1.0, max(0.0, p))


def by_arrays(seed: int) -> dict[str, Any]:
    """Return the p-value of the worlds of a small problem, drawn by arrays from one state on."""
    random = Random(f"arrays {seed}")
    while True:
        problem, worlds = generated(random, "half settled"), []
        with suppress(Undecided):
            worlds = enumeration.worlds(problem, most=20_000)
        if 5 <= len(worlds) <= 200:
            break
    weights = enumeration.weights(problem, worlds, weighted=True)
    keys = map(enumeration.frozen_world, worlds)
    shares = {key: weight / sum(weights) for key, weight in zip(keys, weights, strict=True)}
    with forced("arrays") as engine:
        knowledge = Knowledge(problem, engine=engine)
        drawn = knowledge.sample(DRAWS * len(worlds), seed=seed)
    p = chi_square(Counter(map(enumeration.frozen_world, drawn)), shares)
    return {"worlds": len(worlds), "p": p}


def by_default(seed: int) -> dict[str, Any]:
    """Return the p-value of one variable of a large problem, drawn as the default does."""
    random = Random(f"large {seed}")
    while True:
        problem = generated(random, "half settled, large")
        knowledge = Knowledge(problem)
        if knowledge.is_consistent() and knowledge.count() >= 10_000:
            break
    exact = Knowledge(problem, engine="bits" if knowledge.count() < 20_000 else "components")
    name = random.choice([v for v, row in exact.posterior().items() if len(row) > 1])
    drawn = knowledge.sample(2_000, seed=seed)
    shares = {value: share for value, share in exact.posterior()[name].items() if share}
    p = chi_square(Counter(world[name] for world in drawn), shares)
    return {"worlds": knowledge.count(), "p": p}


STUDIES: Mapping[str, Callable[[int], dict[str, Any]]] = {
    "laws": compared,
    "arrays": by_arrays,
    "large": by_default,
}


def missing(path: Path, first: int, number: int) -> Iterator[int]:
    """Yield the seeds that a file of results does not have yet."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    known = {json.loads(line)["seed"] for line in lines}
    yield from (seed for seed in range(first, first + number) if seed not in known)


def main() -> None:
    """Check what is missing, and print the differences and the figures of all problems."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--number", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first problem")
    parser.add_argument("--study", choices=STUDIES, default="laws")
    parser.add_argument("--results", type=Path, default=Path("generated.jsonl"))
    given = parser.parse_args()
    for seed in missing(given.results, given.first, given.number):
        try:
            row = STUDIES[given.study](seed)
        except Exception as error:
            row = {"different": {given.study: f"{type(error).__name__}: {error}"}}
        with given.results.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"seed": seed, **row}) + "\n")
        if row.get("different"):
            print(f"problem {seed}: {row}", flush=True)
    rows = [json.loads(line) for line in given.results.read_text(encoding="utf-8").splitlines()]
    print(f"{len(rows)} problems, {sum(bool(row.get('different')) for row in rows)} that differ")
    if values := [row["p"] for row in rows if "p" in row]:
        most, p = uniform(values)
        print(f"least p {min(values):.2g}; uniform: D = {most:.4f}, p = {p:.3f}")


if __name__ == "__main__":
    main()
