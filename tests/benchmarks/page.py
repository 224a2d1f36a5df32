"""The page of one run of the benchmarks, from its JSON; no figure on it is copied by hand.

``python -m tests.benchmarks.page RUN.json`` prints the page; ``--page docs/benchmarks/latest.md``
writes it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

__all__ = ["page"]

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
    lines += ["", "| work | deduce | target | others, as multiples |", "|---|---|---|---|"]
    for group, members in _groups(run).items():
        lines += _rows(group, members)
    return "\n".join([*lines, HOW.format(json=file)])


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


def _time(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


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


if __name__ == "__main__":
    main()
