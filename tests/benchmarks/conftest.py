"""What a run of benchmarks writes into its JSON: enough to judge the figures, nothing personal."""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pytest

import deduce

PACKAGES = (
    "numpy",
    "ortools",
    "networkx",
    "python-constraint2",
    "pyganak",
    "python-sat",
    "open-spiel",
    "easyAI",
    "PySDD",
    "dd",
    "cpmpy",
)
"""What our engines use, and the peers."""

PERSONAL = ("node", "processor")
KEPT = ("id", "time", "dirty")


@pytest.fixture(autouse=True)
def _described(request: pytest.FixtureRequest) -> None:
    """Put the first line of a benchmark's docstring beside its figures."""
    if "benchmark" in request.fixturenames:
        text = (request.function.__doc__ or "").partition("\n")[0]
        request.getfixturevalue("benchmark").extra_info["what"] = text


def pytest_benchmark_update_machine_info(config: Any, machine_info: dict[str, Any]) -> None:
    """Add the load and the versions; leave out the name of the machine."""
    for name in PERSONAL:
        machine_info.pop(name, None)
    machine_info["load"] = [round(load, 1) for load in os.getloadavg()]
    machine_info["cores"] = os.cpu_count()
    machine_info["versions"] = {
        "deduce": deduce.__version__,
        **{name: _version(name) for name in PACKAGES},
    }


def pytest_benchmark_update_json(config: Any, benchmarks: Any, output_json: dict[str, Any]) -> None:
    """Leave out the branch, and of the times of single rounds all but their statistics."""
    commit = output_json["commit_info"]
    output_json["commit_info"] = {name: commit[name] for name in KEPT if name in commit}
    for benchmark in output_json["benchmarks"]:
        benchmark["stats"].pop("data", None)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
