"""What a release states about itself is the same at every place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import deduce

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIRED = [Requirement(text) for text in PROJECT["dependencies"]]
EXTRAS = [
    Requirement(text) for extra in PROJECT["optional-dependencies"].values() for text in extra
]


def pins() -> dict[str, str]:
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    lines = (line.split("==") for line in text.splitlines() if "==" in line)
    return {canonicalize_name(name): version for name, version in lines}


def test_the_version_is_the_one_that_is_cited_and_the_newest_of_the_changelog() -> None:
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {deduce.__version__}\n" in cited
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.search(r"^## (\d\S+) \((\d{4}-\d\d-\d\d)\)$", changes, re.M)
    assert released is not None
    assert released[1] == deduce.__version__
    assert f'\ndate-released: "{released[2]}"\n' in cited


def test_a_pinned_version_is_one_that_is_declared() -> None:
    for need in REQUIRED + EXTRAS:
        version = pins().get(canonicalize_name(need.name))
        assert version is None or need.specifier.contains(version, prereleases=True), need
