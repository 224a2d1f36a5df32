"""Every bundled game that is one file: its promises, its commands, its page and its recorded cases.

What only one of these games needs is in a file of its own, such as a brute force that shares no
code with it.
"""

from __future__ import annotations

import ast
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from deduce import Knowledge, read
from deduce.cli.main import cli
from deduce.game import Questions, Recorded, Simulated, hook
from deduce.logs.document import Document
from deduce.pages.hidden import hidden_page
from deduce.pages.protocol import Request
from deduce.system import registry
from deduce.system.text import by_name
from deduce.testing import check_hidden_game

ROOT = Path(__file__).parents[2]
GAMES = [e.name for e in registry.games() if e.hidden.rpartition(":")[0].count(".") == 1]
MAX_LINES = {"avalon": 185, "clocktower": 438, "hanabi": 278, "planet-x": 193, "secret-hitler": 292}
"""Lines of code that a game may have; others 150."""

# What a game of one file cannot answer is named here with its reason, and so in docs/commands.md.
CANNOT: dict[str, dict[str, str]] = {
    "battleship": {
        "slips": "on 10 by 10 cells, any of nine shots may be wrong: undecided within the limits",
    },
    "clocktower": {
        "advise": "what others say is not asked for by rules",
        "slips": "a line about what all see has too many consequences to be doubted",
    },
    "hanabi": {"puzzle": "a random log hardly ever settles all cards"},
    "one-night": {"advise": "what others say by day is not asked for by rules"},
}
SLOW = {
    *((game, "puzzle") for game in ("clocktower", "planet-x")),
    *((game, "progress") for game in ("battleship", "clocktower", "planet-x")),
    *(
        ("battleship", "steps"),
        ("clocktower", "steps"),
        ("hanabi", "slips"),
        ("one-night", "slips"),
    ),
}
"""One to forty seconds, such as ships that are placed again after each shot."""

ABOUT_A_CLAIM = ("why", "why-not", "possible")
ABOUT_A_LOG = (
    *("check", "certain", "possible", "count", "grid", "progress", "steps", "hint", "slips"),
    *("sample", "model", "advise", "why", "why-not", "rules", "new", "puzzle"),
)


@pytest.fixture(params=GAMES)
def entry(request: pytest.FixtureRequest) -> registry.Registration:
    return registry.find(request.param)


def example(entry: registry.Registration) -> Path:
    (path,) = (ROOT / "games" / "examples").glob(f"*{entry.suffix}")
    return path


def game_of(entry: registry.Registration) -> Any:
    """Return a small game, if its class makes random ones."""
    made = registry.load(entry.hidden)
    small = hook(made, Simulated.random_setup)
    return small(Random(1)) if small else made()


def test_it_keeps_every_promise_on_random_logs(
    entry: registry.Registration, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 300_000 if entry.name == "planet-x" else 100_000
    game = game_of(entry)
    if entry.name in ("clocktower", "secret-hitler"):  # a whole log takes up to ten seconds
        record = type(game).record
        monkeypatch.setattr(type(game), "record", lambda *given: islice(record(*given), 1))
    # What is dealt in Clocktower is undecided within the steps, however often it is compared.
    draws = 0 if entry.name == "clocktower" else 200
    checked = check_hidden_game(game, deals=1, steps=steps, draws=draws)
    assert checked.views > 1
    assert checked.undecided <= checked.views / 10 or entry.name == "clocktower"
    assert (ROOT / "tests" / "data" / f"{entry.name.replace('-', '_')}_logs.json").exists()


def test_it_is_as_short_as_a_game_should_be(entry: registry.Registration) -> None:
    """Counted without docstrings, imports, comments and blank lines."""
    path = ROOT / f"{entry.hidden.rpartition(':')[0].replace('.', '/')}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    lines = [
        number
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if line.strip() and not line.strip().startswith("#") and number not in docs
    ]
    assert len(lines) <= MAX_LINES.get(entry.name, 150)
    imported = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert not [m for m in imported if m.startswith(("deduce.engines", "games."))]


def test_every_command_answers_about_its_example(entry: registry.Registration) -> None:
    path = example(entry)
    knowledge = read(path)
    assert isinstance(knowledge, Knowledge)
    assert len(knowledge.log) >= 3
    possible = knowledge.possible()
    text, variable = next(iter(by_name(possible).items()))
    value = next(iter(by_name(possible[variable])))
    for command in ABOUT_A_LOG[GAMES.index(entry.name) % 5 :: 5]:
        if command in CANNOT.get(entry.name, {}) or (entry.name, command) in SLOW:
            continue
        words = [entry.name, command]
        if command == "possible":
            words.append(text)
        elif command in ABOUT_A_CLAIM:
            words.append(f"{text}={value}")
        if command not in ("rules", "new", "puzzle"):
            words.append(str(path))
        result = CliRunner().invoke(cli, words)
        assert result.exit_code in (0, 1), (words, result.output, result.exception)
        assert result.output.strip() or command == "certain", words
    advises = hook(knowledge.game, Questions.inquiries) is not None
    assert advises or "advise" in CANNOT.get(entry.name, {})


def test_its_page_opens_its_example(entry: registry.Registration) -> None:
    page = hidden_page(entry.name)
    assert "example" in str(page.answer(Request(None)).fragments["setup"])
    text = example(entry).read_text(encoding="utf-8")
    fragments = page.answer(Request(Document(entry.name, text))).fragments
    assert "sheet" in fragments


def test_wrong_lines_are_refused_by_a_sentence(
    entry: registry.Registration, tmp_path: Path
) -> None:
    lines = example(entry).read_text(encoding="utf-8").splitlines()
    assert hook(read(example(entry)).game, Recorded.check) is not None
    for wrong in ("nonsense", "12345 67890", "Ann: Ben", "\u0000", "=" * 2000):
        log = tmp_path / "wrong.log"
        log.write_text("\n".join([*lines, wrong]), encoding="utf-8")
        result = CliRunner().invoke(cli, [entry.name, "check", str(log)])
        assert result.exit_code in (3, 1), (wrong, result.output)
        assert isinstance(result.exception, SystemExit | Exception), wrong
