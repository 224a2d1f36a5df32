"""Chains of steps, right and corrupted, judged by the referee and by listing all assignments.

    python -m tests.benchmarks.bench_referee 100000 --results chains.jsonl

Six families of problems; of each problem 40 chains, about half of which are made right and then
changed in a step. What is right is decided by sets of assignments (`tests.steps.brute`), for both.
A row of the results is a problem; the same command continues a file. It stops at the first
difference.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import permutations, product
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from attrs import evolve

from deduce.audit.items import sudoku
from deduce.audit.referee import FAULTS, Link, Ruling, judge_steps, links_of, tampered
from deduce.batch.results import ResultsFile
from deduce.constraints import Constraint, Fact
from deduce.knowledge import Knowledge
from deduce.logs.problem_text import parse_problem
from deduce.steps import steps
from games.mastermind import Mastermind
from games.minesweeper.game import Minesweeper
from tests.steps.brute import Brute, small_logs

CHAINS = 40
"""Chains of a problem."""


def cluedo(random: Random) -> Knowledge:
    """Return a small game of Cluedo."""
    return next(small_logs(1, start=random.getrandbits(32)))


def mastermind(random: Random) -> Knowledge:
    """Return a game with 3 slots and 5 colours."""
    game = Mastermind(slots=3, colours=5)
    return Knowledge(game, [*game.record(game.deal(random), random)][: random.randint(2, 4)])


def minesweeper(random: Random) -> Knowledge:
    """Return a board of 3 by 3."""
    game = Minesweeper(3, 3, random.randint(1, 3))
    return Knowledge(game, [*game.record(game.deal(random), random)])


def knights(random: Random) -> Knowledge:
    """Return six people, each of whom says something about two others."""
    people = ("Ann", "Ben", "Cid", "Dot", "Eli", "Fay")
    truth = {name: random.choice(("knight", "knave")) for name in people}
    lines = []
    for name in people:
        one, two = random.sample([other for other in people if other != name], 2)
        kind = random.choice(("knight", "knave"))
        word, same = random.choice(("iff", "or", "and")), truth[one] == kind
        said = {
            "iff": same == (truth[two] == kind),
            "or": same or truth[two] == kind,
            "and": same and truth[two] == kind,
        }[word]
        is_so = "" if said == (truth[name] == "knight") else "not "
        text = f"{is_so}({one} is {kind} {word} {two} is {kind})"
        lines.append(f"  {name} is knight iff {text}")
    clue = random.choice(people)
    lines.append(f"  {clue} is {truth[clue]}")
    head = f"domains\n  {', '.join(people)}: knight, knave\nclues\n"
    return Knowledge(parse_problem(head + "\n".join(lines)))


def zebra(random: Random) -> Knowledge:
    """Return two kinds of three things in three houses."""
    kinds = (("Ann", "Ben", "Cid"), ("tea", "milk", "water"))
    at = {t: house for things in kinds for house, t in enumerate(random.sample(things, 3), 1)}
    things = [*at]
    clues = []
    for _ in range(random.randint(3, 5)):
        one, two = random.sample(things, 2)
        if at[one] < at[two]:
            clues.append(f"{one} before {two}")
        elif at[one] == at[two]:
            clues += [f"{one} is {house} iff {two} is {house}" for house in (1, 2, 3)]
        elif abs(at[one] - at[two]) == 1 and random.random() < 0.5:
            clues.append(f"{one} next to {two}")
        else:
            clues.append(f"{one} is {' or '.join(map(str, sorted({at[one], at[two]})))}")
    lines = ["domains", f"{', '.join(things)}: 1 to 3", "rules"]
    lines += [f"all different: {', '.join(of)}" for of in kinds]
    return Knowledge(parse_problem("\n".join([*lines, "clues", *clues])))


def boards() -> list[dict[Any, Any]]:
    """Return the 288 sudokus of 4 by 4."""
    rows = list(permutations(range(1, 5)))
    found = []
    for grid in product(rows, repeat=4):
        halves = [[*grid[r][c : c + 2], *grid[r + 1][c : c + 2]] for r in (0, 2) for c in (0, 2)]
        if all(len({*one}) == 4 for one in (*zip(*grid, strict=True), *halves)):
            cells = product(range(4), range(4))
            found.append({f"r{r + 1}c{c + 1}": grid[r][c] for r, c in cells})
    return found


GRIDS: list[dict[Any, Any]] = []


def sudokus(random: Random) -> Knowledge:
    """Return a board of 4 by 4 with 6 to 9 digits."""
    GRIDS[:] = GRIDS or boards()
    grid = random.choice(GRIDS)
    given = random.sample([*grid], random.randint(6, 9))
    return Knowledge(sudoku("".join(str(d) if c in given else "." for c, d in grid.items())))


FAMILIES: Mapping[str, Callable[[Random], Knowledge]] = {
    "cluedo": cluedo,
    "mastermind": mastermind,
    "minesweeper": minesweeper,
    "knights": knights,
    "zebra": zebra,
    "sudoku": sudokus,
}


class Sets(Brute):
    """Brute force about chains; a sudoku has only the boards that its rules allow."""

    def __init__(self, k: Knowledge) -> None:
        if "r4c4" in k.problem.domains:
            self.problem, self.sets, self.worlds = k.problem, {}, [*GRIDS]
            self.possible = self.all = (1 << len(GRIDS)) - 1
            for piece in k.problem.evidence:
                self.possible &= self.having(piece.constraint)
        else:
            super().__init__(k.problem)

    def having(self, constraint: Constraint) -> int:
        if isinstance(constraint, Fact) and constraint not in self.sets:
            allowed = self.problem.values_of(constraint)
            name = constraint.variable
            self.sets[constraint] = sum(
                1 << i for i, world in enumerate(self.worlds) if world[name] in allowed
            )
        return super().having(constraint)

    def ruling(self, k: Knowledge, chain: Sequence[Link]) -> tuple[int | None, str, str]:
        """Return the number of the first wrong step, what is wrong with it, and its truth."""
        claims = [self._claim(k, link.claim) for link in chain]
        for number, link in enumerate(chain, 1):
            cited = [self._claim(k, text) for text in link.earlier]
            if not {*cited} <= {*claims[: number - 1]}:
                verdict = "not yet stated"
            elif self.used(link, cited) & ~claims[number - 1]:
                verdict = "does not follow"
            else:
                continue
            lacks = self.possible & ~claims[number - 1]
            is_so = "open" if self.possible & claims[number - 1] else "impossible"
            return number, verdict, is_so if lacks else "certain"
        return None, "right", "certain"

    def _claim(self, k: Knowledge, text: str) -> int:
        return self.having(k.claim(text))

    def used(self, link: Link, cited: Sequence[int] = ()) -> int:
        """Return the assignments that satisfy what a link cites."""
        left = self.all
        for rule in self.problem.rules if len(self.worlds) != len(GRIDS) else ():
            if link.rules is None or str(rule) in link.rules:
                left &= self.having(rule.constraint)
        for piece in self.problem.evidence:
            if piece.event in link.events or piece.event is None:
                left &= self.having(piece.constraint)
        for one in cited:
            left &= one
        return left


def right_chain(whole: Sequence[Link], random: Random, *, all_rules: bool) -> list[Link]:
    """Return the steps that some claims of a chain need, in another order, citing more at times."""
    wanted = {link.claim for link in random.sample(whole, random.randint(1, min(3, len(whole))))}
    for link in reversed(whole):
        wanted.update(link.earlier if link.claim in wanted else ())
    left = [link for link in whole if link.claim in wanted]
    chain: list[Link] = []
    stated: set[str] = set()
    events = sorted({event for link in whole for event in link.events})
    while left:
        link = random.choice([one for one in left if stated.issuperset(one.earlier)])
        left.remove(link)
        stated.add(link.claim)
        if events and random.random() < 0.1:
            link = evolve(link, events=(*link.events, random.choice(events)))
        if all_rules or random.random() < 0.5:
            link = evolve(link, rules=None)
        chain.append(link)
    return chain


def problem_row(number: int) -> dict[str, Any]:
    """Return the counts of a problem's chains; a difference is an error."""
    family = [*FAMILIES][number % len(FAMILIES)]
    random = Random(f"{family} {number}")
    counts: Counter[str] = Counter()
    seconds: list[float] = []
    k = FAMILIES[family](random)
    whole = links_of(steps(k, check=False)) if k.is_consistent() else []
    if whole:
        brute = Sets(k)
        for turn in range(1, CHAINS + 1):
            chain = right_chain(whole, random, all_rules=family == "sudoku")
            kind = "right"
            if 2 * counts["right"] >= turn - 1:
                kind = random.choice(FAULTS)
                changed = next(tampered(k, chain, kind, random), None)
                if changed is None:
                    continue
                chain = changed[0]
            expected = brute.ruling(k, chain)
            began = time.process_time()
            ruling = judge_steps(k, chain)
            seconds.append((time.process_time() - began) / (ruling.step or len(chain)))
            compare(brute, k, chain, ruling, expected)
            if kind == "right":
                assert ruling.step is None, (number, chain)
            counts[kind if ruling.step is not None else "right"] += 1
            counts["steps"] += ruling.step or len(chain)
    return {
        "seed": number,
        "family": family,
        "counts": dict(counts),
        "milliseconds": [round(1000 * one, 3) for one in seconds],
    }


def compare(
    brute: Sets,
    k: Knowledge,
    chain: Sequence[Link],
    ruling: Ruling,
    expected: tuple[int | None, str, str],
) -> None:
    """Compare a ruling with brute force: the step, what is wrong, its truth, what it lacks."""
    assert (ruling.step, ruling.verdict, ruling.truth) == expected, (chain, ruling, expected)
    if ruling.step is None or ruling.truth != "certain":
        return
    assert ruling.missing is not None
    link = chain[ruling.step - 1]
    stated = {earlier.claim for earlier in chain[: ruling.step - 1]}
    cited = [brute.having(k.claim(text)) for text in link.earlier if text in stated]
    claim = brute.having(k.claim(link.claim))
    for left_out in (None, *ruling.missing):
        more = tuple(event for event in ruling.missing if event != left_out)
        full = evolve(link, events=(*link.events, *more), rules=None)
        assert bool(brute.used(full, cited) & ~claim) == (left_out is not None), (chain, ruling)
    if link.rules is not None:
        full = evolve(link, events=(*link.events, *ruling.missing))
        full = evolve(full, rules=(*link.rules, *ruling.rules))
        assert not brute.used(full, cited) & ~claim, (chain, ruling)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chains", type=int)
    parser.add_argument("--results", type=Path, default=Path("chains.jsonl"))
    asked = parser.parse_args()
    total: Counter[str] = Counter()
    times: list[float] = []
    with ResultsFile(asked.results, {"chains": CHAINS}, number="seed") as results:
        rows = {row["seed"]: row for row in results.rows()}
        number = 0
        while total.total() - total["steps"] < asked.chains:
            if number not in rows:
                rows[number] = problem_row(number)
                results.add(rows[number])
            total += Counter(rows[number]["counts"])
            times += rows[number]["milliseconds"]
            number += 1
    judged = total.total() - total["steps"]
    print(f"{judged} chains of {number} problems, {judged - total['right']} of them wrong, 0 wrong "
          f"verdicts; CPU time of a step: median {median(times):.2f} ms, "
          f"worst {max(times):.1f} ms; {dict(total)}")  # fmt: skip


if __name__ == "__main__":
    main()
