"""The page of one run of the benchmarks, from its JSON; no figure on it is copied by hand.

``python -m tests.benchmarks.page RUN.json`` prints the page; ``--page docs/benchmarks/latest.md``
writes it, and beside it the figure of how times grow (extra ``plot``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log
from pathlib import Path
from statistics import correlation, linear_regression
from typing import Any

__all__ = ["fit", "page"]

Point = tuple[float, float]
Measured = Mapping[str, Any]

HEAD = """# The latest run

Made by `python -m tests.benchmarks.page` from [the JSON of the run]({json}), which `make bench`
wrote. CPU time of one process: the median of a few rounds, with half of the distance between the
quartiles after ±. In the last column, 27 means that it took 27 times as long as deduce.

| | |
|---|---|
"""

HOW = """
## Repeat and compare

`make bench` takes about three minutes on a free machine and writes `build/bench/TIME.json` and
`build/bench/latest.md`. To see what became slower since the run on this page:

```text
pytest-benchmark compare docs/benchmarks/{json} build/bench/TIME.json \\
  --group-by=fullname --columns=median,iqr
```

Between different machines or loads, only the ratios within a run can be compared.
"""


def page(run: Measured, file: str) -> str:
    """Return the page in Markdown.

    Parameters
    ----------
    run
        What pytest-benchmark wrote, with what `tests/benchmarks/conftest.py` adds.
    file
        Where the JSON is, from the page.
    """
    lines = [HEAD.format(json=file).rstrip("\n")]
    lines += [f"| {name} | {value} |" for name, value in _circumstances(run)]
    groups = _groups(run)
    lines += ["", "| work | deduce | target | others, as multiples |", "|---|---|---|---|"]
    for group, members in groups.items():
        if not group.startswith("growth"):
            lines += _rows(group, members)
    lines += ["", "## Growth", "", "| work | sizes | times | power of the size | correlation |"]
    lines.append("|---|---|---|---|---|")
    for group, members in groups.items():
        if group.startswith("growth"):
            lines.append(_growth(group.removeprefix("growth: "), members))
    picture = "\n![CPU seconds against sizes, in logarithmic scales](latest_growth.svg)"
    return "\n".join([*lines, picture, HOW.format(json=file)])


def fit(points: Sequence[Point]) -> tuple[float, float]:
    """Return the order of a power of the size that the times follow, and its correlation.

    A straight line by least squares through the logarithms of both.

    Examples
    --------
    >>> order, r = fit([(1, 3.0), (2, 12.0), (4, 48.0)])
    >>> round(order, 9), round(r, 9)
    (2.0, 1.0)
    """
    sizes, times = zip(*((log(size), log(time)) for size, time in points), strict=True)
    return linear_regression(sizes, times).slope, correlation(sizes, times)


def _circumstances(run: Measured) -> Iterator[tuple[str, str]]:
    machine = run["machine_info"]
    yield "when", run["datetime"].partition("T")[0]
    yield "commit", f"`{run['commit_info']['id'][:12]}`"
    cpu = machine.get("cpu", {}).get("brand_raw", machine.get("machine", "unknown"))
    yield "machine", f"{cpu}, {machine['cores']} cores"
    loads = " / ".join(map(str, machine["load"]))
    busy = machine["load"][0] > machine["cores"]
    note = ": **a busy machine**, read the ratios" if busy else ""
    yield "load at the end (1, 5, 15 minutes)", f"{loads}{note}"
    yield "Python", f"{machine['python_implementation']} {machine['python_version']}"
    found = [f"{name} {version}" for name, version in machine["versions"].items() if version]
    yield "packages", ", ".join(found)
    missing = [name for name, version in machine["versions"].items() if not version]
    if missing:
        yield "not installed, so not measured", ", ".join(missing)


def _groups(run: Measured) -> dict[str, list[Measured]]:
    groups: dict[str, list[Measured]] = {}
    for benchmark in run["benchmarks"]:
        groups.setdefault(str(benchmark["group"]), []).append(benchmark)
    return groups


def _rows(group: str, members: Sequence[Measured]) -> Iterator[str]:
    """Yield a row of each of our figures; the first has those of others, as multiples of it."""
    first = members[0]["stats"]["median"]
    others = ", ".join(
        f"{m['extra_info']['by']} {_times(m['stats']['median'] / first)}"
        for m in members
        if not m["extra_info"]["by"].startswith("deduce")
    )
    for member in members:
        info, stats = member["extra_info"], member["stats"]
        kind = info["by"].removeprefix("deduce").strip(", ")
        if not info["by"].startswith("deduce"):
            continue
        work = f"{group[0].upper()}{group[1:]}" if member is members[0] else "the same"
        work += f" ({kind})" if kind else ""
        time = f"{_time(stats['median'])} ± {_time(stats['iqr'] / 2)}"
        yield f"| {work} | {time} | {_met(info['goal'], stats['median'])} | {others} |"
        others = ""


def _times(ratio: float) -> str:
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"


def _met(goal: float | None, median: float) -> str:
    if goal is None:
        return ""
    return f"{_time(goal)}: {'met' if median <= goal else '**missed**'}"


def _growth(work: str, members: Sequence[Measured]) -> str:
    points = _points(members)
    order, r = fit(points)
    sizes = ", ".join(f"{size:g}" for size, _ in points)
    times = ", ".join(_time(time) for _, time in points)
    return f"| {work} | {sizes} | {times} | {order:.2f} | {r:.3f} |"


def _points(members: Sequence[Measured]) -> list[Point]:
    return [(float(m["extra_info"]["size"]), m["stats"]["median"]) for m in members]


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def draw(run: Measured, file: Path) -> None:
    """Draw the groups that show growth, with the fitted lines."""
    from deduce.show.canvas import Figure, save

    groups = {name: m for name, m in _groups(run).items() if name.startswith("growth")}
    figure = Figure(figsize=(4 * len(groups), 3.4))
    panels = figure.subplots(1, len(groups), squeeze=False)[0]
    for panel, (name, members) in zip(panels, groups.items(), strict=True):
        points = _points(members)
        order, _ = fit(points)
        sizes = [size for size, _ in points]
        middle = sum(log(time) - order * log(size) for size, time in points) / len(points)
        panel.loglog(*zip(*points, strict=True), "o", color="#0072b2")
        label = f"power {order:.2f}"
        line = [exp(middle + order * log(size)) for size in sizes]
        panel.loglog(sizes, line, color="#d55e00", lw=1, label=label)
        panel.set_title(name.removeprefix("growth: "), fontsize=8)
        panel.set(xlabel="size", ylabel="CPU seconds")
        panel.grid(alpha=0.3)
        panel.legend()
    save(figure, file)


def main() -> None:
    """Print or write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path, metavar="RUN.json")
    parser.add_argument("--page", type=Path, metavar="FILE")
    given = parser.parse_args()
    run = json.loads(given.run.read_text(encoding="utf-8"))
    if given.page is None:
        print(page(run, given.run.name), end="")
        return
    link = given.run.resolve().relative_to(given.page.resolve().parent).as_posix()
    given.page.write_text(page(run, link), encoding="utf-8")
    draw(run, given.page.parent / "latest_growth.svg")


if __name__ == "__main__":
    main()
