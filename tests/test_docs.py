"""The pages of the docs: all in the contents, all links well formed; and the checker of links."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
BUILT = ("_build", "api", "notebooks")
PAGES = sorted(
    path for path in DOCS.rglob("*.md") if path.relative_to(DOCS).parts[0] not in BUILT
)  # fmt: skip
ISSUES = Callable[[Path], Iterator[tuple[str, str, str]]]


def script(name: str) -> Any:
    """Return a script of the docs as a module."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def problems() -> ISSUES:
    """What `make docs` runs over the site."""
    return script("check_links").problems  # type: ignore[no-any-return]


def test_the_picture_of_the_engines_shows_their_tables() -> None:
    hot_path = script("hot_path")
    drawn = hot_path.TARGET.read_text(encoding="utf-8")
    assert drawn == hot_path.drawing(), "run python docs/hot_path.py"


@pytest.mark.parametrize(
    ("link", "wrong"),
    [
        ("b.html", ""),
        ("b.html#here", ""),
        ("#", ""),
        ("sub/", ""),
        ("https://example.org/x#y", ""),
        ("data:image/png;base64,", ""),
        ("nosuch.html", "no such file"),
        ("b.html#there", "no anchor 'there'"),
        ("#there", "no anchor 'there'"),
        ("../outside.html", "no such file"),
        ("http://example.org", "by https"),
        ("https://example", "by https"),
        ("https://[example", "Invalid"),
    ],
)
def test_a_broken_link_is_found(problems: ISSUES, link: str, wrong: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "sub").mkdir(parents=True)
    (site / "sub" / "index.html").touch()
    (tmp_path / "outside.html").touch()
    (site / "a.html").write_text(f'<a href="{link}">x</a>', encoding="utf-8")
    (site / "b.html").write_text('<h1 id="here">x</h1>', encoding="utf-8")
    found = list(problems(site))
    assert len(found) == bool(wrong)
    assert all(page == "a.html" and wrong in told for page, _, told in found)


def links(path: Path) -> list[str]:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"\]\(([^)\s]+)\)", prose)


GENERATED = script("generated")


def test_the_page_of_commands_has_every_exit_code() -> None:
    from deduce.cli import endings

    section = (DOCS / "commands.md").read_text(encoding="utf-8").partition("## Exit codes")[2]
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", section, flags=re.MULTILINE)}
    assert codes == {getattr(endings, name) for name in endings.__all__ if "EXIT" in name}


def test_the_modules_that_games_share_are_in_the_table_of_a_game() -> None:
    section = (DOCS / "record" / "architecture.md").read_text(encoding="utf-8")
    table = section.partition("## How a game is organised")[2].partition("\n## ")[0]
    firsts = re.findall(r"^\|(.*?)\|", table, flags=re.MULTILINE)
    listed = {name for first in firsts for name in re.findall(r"`(\w+)[`.]", first)}
    folders = {path.parent for path in (ROOT / "games").glob("*/game.py")}
    modules = [{path.stem for path in folder.glob("[a-z]*")} for folder in folders]
    of_several = {n for n in set().union(*modules) if sum(n in of for of in modules) > 1}
    assert of_several - {"py"} == listed  # py.typed


BLOCKS = [ROOT / "README.md", *PAGES]
MODULES = re.compile(r"^(?:>>> )?\s*(?:from|import) ((?:deduce|games)[\w.]*)", flags=re.MULTILINE)
INTERNAL = {
    "architecture.md": {
        "deduce.system.display",
        "deduce.engines.core.bounds",
        "deduce.engines.core.model",
    },
    "add-a-game.md": {"deduce.testing"},
    "pages.md": {
        *("deduce.pages.html", "deduce.pages.messages", "deduce.pages.presenter"),
        "deduce.system.language",
    },
    "notebooks.md": {"deduce.pages.transports.notebook"},
    "problems.md": {"deduce.logs.problem_json", "deduce.testing.problemcases"},
    "audits.md": {"deduce.audit", "deduce.logs.problem_text"},
}
"""Modules below a front door that a page is about."""


def test_examples_import_from_the_front_doors() -> None:
    for path in BLOCKS:
        code = "".join(
            re.findall(r"```(?:python|\{code-cell\}[^\n]*)\n(.*?)```", path.read_text(), re.DOTALL)
        )
        doors = {*GENERATED.PACKAGES, *INTERNAL.get(path.name, set())}
        assert set(MODULES.findall(code)) <= doors, path.name
