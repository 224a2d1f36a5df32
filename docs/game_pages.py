"""Pages of the games that are one file: rules, set-up, an example and what the commands answer.

`make docs` writes one for each such game; every answer on it is what the command prints.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import attrs
from click.testing import CliRunner

from deduce.cli.main import cli
from deduce.game import Shown, hook
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from deduce.system import registry

__all__ = ["game_page", "one_file_games", "write_pages"]

COMMANDS = ("check", "grid", "progress", "advise")
"""What is shown about the example, as far as the game has it."""

MAX_LINES = 24
"""More lines of an answer are cut."""


def one_file_games() -> Iterator[registry.Registration]:
    """Yield the installed hidden games that are one file of ``games``."""
    for entry in registry.games():
        if entry.hidden.rpartition(":")[0].count(".") == 1:
            yield entry


def example(entry: registry.Registration) -> str:
    """Return the path of the example log of a game, below ``games``."""
    (name,) = (f.name for f in files("games.examples").iterdir() if f.name.endswith(entry.suffix))
    return f"games/examples/{name}"


def game_page(entry: registry.Registration, root: Path) -> tuple[str, str]:
    """Return the page of a game as Markdown, and its picture as SVG; empty: it has none."""
    game = registry.load(entry.hidden)
    path = example(entry)
    text = (root / path).read_text(encoding="utf-8")
    knowledge = Knowledge.of(read_log(text, game))
    draw = hook(knowledge.game, Shown.svg)
    rules = registry.rules_text(entry).partition("\n")[2].strip()
    lines = [f"# {entry.name.replace('-', ' ').replace('_', ' ').title()}", f"{entry.summary}."]
    lines += [f"![the example]({entry.name}.svg)"] if draw else []
    lines += [rules.replace(">>>", "    >>>") if ">>>" in rules else rules]
    rows = [f"| `{a.name}` | `{a.default!r}` |" for a in attrs.fields(game) if a.init]
    table = ["| setting | by default |", "|---|---|", *rows]
    lines += ["## The set-up", "`deduce NAME new --set SETTING=VALUE` begins a log with others."]
    lines += ["\n".join(table), "## An example", f"```text\n{text.strip()}\n```"]
    for command in COMMANDS:
        result = CliRunner().invoke(cli, [entry.name, command, str(root / path)])
        if result.exit_code == 0:
            shown = result.output.strip().splitlines()
            shown = shown[:MAX_LINES] + ["..."] * (len(shown) > MAX_LINES)
            lines.append("\n".join(["```console", f"$ deduce {entry.name} {command} {path}"]))
            lines[-1] += "\n" + "\n".join(shown) + "\n```"
    lines.append(
        "Every other command of a hidden game works, too: see [Commands](../../commands.md)."
    )
    return "\n\n".join(lines).replace("deduce NAME", f"deduce {entry.name}"), (
        draw(knowledge) if draw else ""
    )


def write_pages(folder: Path, root: Path) -> list[str]:
    """Write the pages into a folder; return the names of the games."""
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for entry in one_file_games():
        page, picture = game_page(entry, root)
        (folder / f"{entry.name}.md").write_text(page, encoding="utf-8")
        if picture:
            (folder / f"{entry.name}.svg").write_text(picture, encoding="utf-8")
        names.append(entry.name)
    return names
