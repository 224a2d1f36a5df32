"""How the cost of some problems grows with their size: a page and a figure, with fitted orders.

``python -m tests.benchmarks.bench_growth FOLDER`` writes ``growth.md`` and ``growth.svg`` there
(extra ``plot``). Every problem is made and compiled anew; compiling is a part of its cost.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from math import exp, log
from pathlib import Path
from statistics import correlation, linear_regression
from time import process_time
from typing import Any

from attrs import field, frozen

from deduce import Knowledge, Problem
from deduce.budget import Budget, Meter
from deduce.errors import Undecided
from deduce.show.canvas import Figure, save
from tests.benchmarks.situations import deck_of, position
from tests.benchmarks.walls_of_choices import order, ships
from tests.benchmarks.walls_of_tables import kakuro, multiplier, timetable

PAGE = """# How costs grow with size

`python -m tests.benchmarks.bench_growth docs/benchmarks` wrote this page on {day}, on a busy
machine. Times are CPU seconds of all shares (kakuro: what is certain; multiplier: the posterior),
with compiling, the least of three; for Cluedo, of six random positions together (30 cards, 15
suggestions; 6 players, 20). An order is the better fit of a power and an exponential: it describes
these sizes, and promises nothing about larger ones, as the undecided ones show.

![CPU seconds and steps against sizes, with fits and their correlations](growth.svg)

| n | sizes | seconds | order | million steps | order |
|---|---|---|---|---|---|
{rows}
"""
UNITS = (("seconds", "#0072b2", "o", 1), ("steps", "#d55e00", "s", 1_000_000))

Ask = Callable[[Knowledge], Any]
Make = Callable[[int], Sequence[Knowledge]]


@frozen
class Counted(Budget):
    """A budget that keeps its meters, so that the steps of a question can be added up."""

    meters: list[Meter] = field(factory=list, kw_only=True, eq=False)

    def meter(self) -> Meter:
        self.meters.append(Meter(self))
        return self.meters[-1]


def one(problem: Callable[[int], Problem]) -> Make:
    """Return what makes one problem of a size."""
    return lambda size: [Knowledge(problem(size))]


WORKS: Mapping[str, tuple[Ask, Make, Sequence[int]]] = {
    "timetable: people": (Knowledge.shares, one(partial(timetable, 6)), (4, 5, 6, 7)),
    "timetable: times": (Knowledge.shares, one(timetable), (5, 6, 7, 8)),
    "times without crime": (
        Knowledge.shares,
        one(partial(timetable, crime=False)),
        (5, 6, 8, 10, 12, 14),
    ),
    "battleship: width": (Knowledge.shares, one(ships), (6, 7, 8, 9, 10, 11, 12)),
    "order: runners": (Knowledge.shares, one(order), (12, 14, 16, 18, 20, 22, 24)),
    "kakuro: width": (Knowledge.certain, one(kakuro), (5, 6, 7, 8, 9)),
    "multiplier: bits": (Knowledge.posterior, one(multiplier), (2, 3, 4, 5, 6)),
    "Cluedo: players": (
        Knowledge.shares,
        lambda size: [position(seed, size, 15, deck_of(30)) for seed in range(6)],
        (2, 3, 4, 5, 6, 8, 10),
    ),
    "Cluedo: cards": (
        Knowledge.shares,
        lambda size: [position(seed, 6, 20, deck_of(size)) for seed in range(6)],
        (12, 18, 24, 30, 36, 42, 48),
    ),
}


def cost(ask: Ask, make: Make, size: int) -> tuple[float, int]:
    """Return the CPU seconds and the steps of what is asked about a size."""
    budget = Counted()
    asked = [knowledge.using(budget=budget) for knowledge in make(size)]
    began = process_time()
    for knowledge in asked:
        ask(knowledge)
    return process_time() - began, sum(meter.steps for meter in budget.meters)


@frozen
class Fit:
    """A straight line through the logarithms of costs, against sizes or their logarithms."""

    power: bool
    slope: float
    start: float
    correlation: float

    @classmethod
    def of(cls, costs: Mapping[int, float]) -> Fit:
        """Return the better fit of the two.

        Examples
        --------
        >>> Fit.of({1: 3.0, 2: 12.0, 4: 48.0}).order, Fit.of({1: 6.0, 2: 12.0, 3: 24.0}).order
        ('n^2.0', '2.0^n')
        """
        found = list(map(log, costs.values()))
        fits = []
        for power in (True, False):
            sizes = [log(size) if power else size for size in costs]
            line = linear_regression(sizes, found)
            fits.append(cls(power, line.slope, line.intercept, correlation(sizes, found)))
        return max(fits, key=lambda fit: fit.correlation)

    @property
    def order(self) -> str:
        return f"n^{self.slope:.1f}" if self.power else f"{exp(self.slope):.1f}^n"

    def __call__(self, size: float) -> float:
        return exp(self.start + self.slope * (log(size) if self.power else size))


def draw(panel: Any, name: str, found: Mapping[int, Sequence[float]], undecided: list[int]) -> str:
    """Draw seconds and steps against sizes, and return the row of the table."""
    first, last = min(found), max(found)
    row = [name, "; ".join([f"{first}–{last}", *(f"{size} undecided" for size in undecided)])]
    lines = []
    for which, (unit, colour, mark, factor) in enumerate(UNITS):
        axes = panel.twinx() if which else panel
        points = {size: cost[which] for size, cost in found.items()}
        fit = Fit.of(points)
        axes.semilogy(list(points), list(points.values()), mark, color=colour, fillstyle="none")
        between = [first + i / 50 * (last - first) for i in range(51)]
        label = f"{unit}: {fit.order} ({fit.correlation:.2f})"
        lines += axes.semilogy(between, list(map(fit, between)), color=colour, lw=1, label=label)
        axes.tick_params(axis="y", which="both", colors=colour, labelsize=8)
        row += [f"{points[first] / factor:.2g}–{points[last] / factor:.2g}", f"{fit.order}"]
    for size in undecided:
        lines.append(panel.axvline(size, color="0.4", linestyle=":", label=f"{size}: undecided"))
    panel.set_title(name, fontsize=10)
    panel.set_xticks([*found, *undecided])
    panel.legend(handles=lines, fontsize=8, loc="upper left")
    return f"| {' | '.join(row)} |"


def main() -> None:
    """Measure everything; write the page and the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    figure, rows = Figure(figsize=(12, 9)), []
    for panel, (name, (ask, make, sizes)) in zip(
        figure.subplots(3, 3).flat, WORKS.items(), strict=True
    ):
        found, undecided = {}, []
        for size in sizes:
            try:
                found[size] = min(cost(ask, make, size) for _ in range(3))
            except Undecided:
                undecided.append(size)
        rows.append(draw(panel, name, found, undecided))
        print(rows[-1], found, flush=True)
    save(figure, folder / "growth.svg")
    page = PAGE.format(day=date.today(), rows="\n".join(rows))
    (folder / "growth.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
