"""Measures steps, hints and puzzles: ``python -m tests.benchmarks.bench_steps PART [NUMBER]``.

Parts: ``positions`` (recorded and random positions of Cluedo), ``brute`` (small logs by listing all
assignments and by the reference engine), ``grades`` (time of a puzzle of each grade), ``puzzles``
(unique, minimal, grade by an independent checker). Times are CPU seconds. Every part prints a line
as it goes and can be run with a smaller number. ``puzzles`` keeps each result in a file (a third
argument, or ``steps-puzzles.jsonl``), and the same command continues with the seeds that are left.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from deduce.batch.results import ResultsFile
from deduce.constraints import Fact
from deduce.errors import BadInput
from deduce.knowledge import Knowledge
from deduce.steps import hint, make_puzzle, steps
from deduce.steps.proof import check_step
from games.cluedo import Cluedo
from games.cluedo.cases import recorded
from tests.steps.brute import Brute, check_proof, small_logs
from tests.steps.grading import level_of

DATA = Path(__file__).parent.parent / "data" / "cluedo_exact.json"
NAMES = ("Ann", "Ben", "Cid", "Dora", "Eve", "Fay")


def random_positions(number: int) -> Iterator[Knowledge]:
    """Yield random positions of Cluedo with 3 to 6 players, as the first player sees them."""
    for seed in range(number):
        random = Random(f"position {seed}")
        game = Cluedo(NAMES[: random.randint(3, 6)], me="Ann")
        world = game.deal(random)
        log: list[Any] = []
        for _ in range(random.randint(1, 3)):
            log += [event for event in game.record(world, random) if event not in log]
        yield Knowledge(game, log)


def positions(number: int) -> None:
    cases = json.loads(DATA.read_text(encoding="utf-8"))["cases"]
    recordings = [recorded(case) for case in cases if not case["id"].startswith("big")]
    for name, found in (("recorded", recordings), ("random", random_positions(number))):
        times, hints, sizes = [], [], []
        small = positive = cheapest = total = large = 0
        for k in found:
            _ = k.asker.model
            began = time.process_time()
            proof = steps(k)
            times.append(time.process_time() - began)
            fresh = Knowledge(k.game, k.log)
            _ = fresh.asker.model
            marks = [s.claim for s in proof if s.given and s.claim is not None]
            began = time.process_time()
            hint(fresh, marks)
            hints.append(time.process_time() - began)
            claims = [s.claim for s in proof if isinstance(s.claim, Fact)]
            certain = {c.variable: next(iter(c.values)) for c in claims if not c.negated}
            assert certain == k.certain()
            sizes.append(len(proof))
            for step in proof:
                total += 1
                cheapest += step.cheapest
                large += step.combined > 1
                if isinstance(step.claim, Fact) and not step.claim.negated and not step.given:
                    positive += 1
                    small += len(step.events) <= 3 and len(step.earlier) <= 7
        print(
            f"{name}: {len(times)} positions, steps median {median(sizes)}; sequence median "
            f"{median(times):.3f} s, 99 % {quantiles(times, n=100)[98]:.2f} s, worst "
            f"{max(times):.2f} s; hint median {median(hints):.3f} s, worst {max(hints):.2f} s; "
            f"positive facts found {positive}, small {small} ({small / max(1, positive):.1%}); "
            f"steps {total}, combined {large}, proved cheapest {cheapest / total:.2%}"
        )


def brute(number: int) -> None:
    checked = 0
    for done, k in enumerate(small_logs(number), start=1):
        proof = steps(k)
        check_proof(Brute(k.problem), proof)
        if done % 10 == 0:
            assert all(check_step(k, step, engine="reference") for step in proof)
            assert all(check_step(k, step, engine="cpsat") for step in proof)
        checked += len(proof)
        if done % 100 == 0:
            print(f"{done} logs, {checked} steps: no difference", flush=True)


def grades(number: int) -> None:
    for level in (1, 2, 3, 4, 5):
        times = []
        for seed in range(number):
            began = time.process_time()
            make_puzzle(Cluedo, grade=level, seed=seed)
            times.append(time.process_time() - began)
        print(f"grade {level}: {number} puzzles, median {median(times):.2f} s, "
              f"worst {max(times):.2f} s", flush=True)  # fmt: skip


def puzzle_row(seed: int) -> dict[str, Any]:
    """Return the grade of a puzzle that has one answer, is minimal, and is graded alike twice."""
    made = make_puzzle(Cluedo, seed=1000 + seed)
    k = Knowledge.of(made.log)
    assert k.is_consistent()
    assert all(map(k.is_certain, made.answers))
    for event in range(1, len(k.log) + 1):
        try:
            assert not all(map(k.drop(event).is_certain, made.answers))
        except BadInput:
            continue
    assert level_of(k.problem, made.answers) == made.grade.level
    return {"seed": seed, "level": made.grade.level}


def puzzles(number: int) -> None:
    path = Path(sys.argv[3] if len(sys.argv) > 3 else "steps-puzzles.jsonl")
    with ResultsFile(path, {"of": "steps puzzles"}, number="seed") as file:
        done = {one["seed"]: dict(one) for one in file.rows()}
        for seed in range(number):
            if seed not in done:
                done[seed] = puzzle_row(seed)
                file.add(done[seed])
            if (seed + 1) % 50 == 0 or seed + 1 == number:
                counts = sorted(Counter(done[one]["level"] for one in range(seed + 1)).items())
                shown = ", ".join(f"{level}: {count}" for level, count in counts)
                print(f"{seed + 1} puzzles: no difference; by grade {shown}", flush=True)


def main() -> None:
    parts: dict[str, tuple[Callable[[int], None], int]] = {
        "positions": (positions, 400),
        "brute": (brute, 2000),
        "grades": (grades, 40),
        "puzzles": (puzzles, 1000),
    }
    run, number = parts[sys.argv[1]]
    run(int(sys.argv[2]) if len(sys.argv) > 2 else number)


if __name__ == "__main__":
    main()
