"""Pages that `make docs` makes from the code, so that they cannot go stale.

The games that are one file: rules, set-up, an example, and what the commands print about it. The
table of all games and what each has. The public names, each with the first line of its docstring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import attrs
from click.testing import CliRunner

from deduce.cli.main import cli
from deduce.game import Questions, SeenInParts, Shown, hook
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from deduce.system import registry

__all__ = [
    "PACKAGES",
    "game_page",
    "games_table",
    "llms_text",
    "one_file_games",
    "public_names",
    "write_pages",
]

PACKAGES = {
    "deduce": "The toolkit: `import deduce` or `from deduce import Knowledge, is_`.",
    "deduce.steps": "Proofs that a person can follow: [Steps](../steps.md).",
    "deduce.policy": "What to ask: [What to ask](../advice.md).",
    "deduce.gym": "Episodes for agents: [The gym](../gym.md).",
    "deduce.audit": "Checking puzzles: [Problems in files](../problems.md).",
    "deduce.search": "Games in which nothing is hidden: [Search](../searching.md).",
    "deduce.gym.openspiel": "Games of OpenSpiel: [OpenSpiel](../openspiel.md).",
    "deduce.gym.openspiel_cards": "Its [card games](../openspiel.md#card-games).",
    **{
        f"games.{name}": f"The game: [{name.title()}](../games/{name}.md)."
        for name in (
            "classics", "cluedo", "cultist", "mastermind", "minesweeper", "pigs", "propre",
            "quartets",
        )
    },
}  # fmt: skip
"""The packages whose names in ``__all__`` are stable, and what each is for."""

COMMANDS = ("check", "grid", "advise")
"""What is shown about the example, as far as the game has it; `progress` can take too long."""

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
    for page, text in (("games-table", games_table()), ("public-names", public_names())):
        (folder.parent / f"{page}.md").write_text(text, encoding="utf-8")
    return names


def games_table() -> str:
    """Return a table of all games: what they are, and what each states about itself."""
    lines = ["| game | | deduction | points of view | advice | search |", "|---" * 6 + "|"]
    one_file = {entry.name for entry in one_file_games()}
    for entry in registry.games():
        game = registry.load(entry.hidden) if entry.hidden else None
        seats = game and hook(game, SeenInParts.players, None)
        asks = game and hook(game, Questions.inquiries)
        has = (game, seats, asks, entry.search)
        package = (entry.hidden or entry.search).partition(":")[0].split(".")[1]
        page = f"api/games/{entry.name}" if entry.name in one_file else f"games/{package}"
        cells = " | ".join("yes" if value else "" for value in has)
        lines.append(f"| [`{entry.name}`](../{page}.md) | {entry.summary} | {cells} |")
    return "\n".join(lines) + "\n"


def public_names() -> str:
    """Return the page of public names: each with the first line of its docstring."""
    parts = [
        "# Public names",
        "These names are stable: they change only with a note in the [changelog](../changelog.md). "
        "Other modules are in the [reference](../reference.md), and may change.",
    ]
    for package, purpose in PACKAGES.items():
        module = import_module(package)
        rows = [f"| `{name}` | {first_line(module, name)} |" for name in sorted(module.__all__)]
        parts += [f"## `{package}`", purpose, "\n".join(["| name | |", "|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def first_line(module: object, name: str) -> str:
    """Return the first line of a name's docstring; of a constant, what kind of value it is."""
    value = getattr(module, name)
    text = (value.__doc__ or "").strip().partition("\n")[0]
    if not text or isinstance(value, str | int | float | dict | tuple | frozenset):
        text = f"A value of the type `{type(value).__name__}`."
    return text.replace("|", "\\|")


def llms_text(root: Path) -> str:
    """Return ``llms.txt``, an overview for programs: each page of the manual and what it is about.

    Source: the proposal at https://llmstxt.org.
    """
    lines = ["# deduce", "", f"> {summary(root)}", "", "## Manual", ""]
    contents = (root / "docs" / "index.md").read_text(encoding="utf-8")
    for name in re.findall(r"^([a-z][\w/-]+)$", contents, re.MULTILINE):
        title, _, rest = (root / "docs" / f"{name}.md").read_text(encoding="utf-8").partition("\n")
        first = re.sub(r"\s+", " ", rest.strip().partition("\n\n")[0])
        about = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", first) if first[:1].isalpha() else ""
        lines.append(f"- [{title.lstrip('# ')}]({name}.html)" + (f": {about}" if about else ""))
    lines += ["", "## Games", ""]
    lines += [f"- {entry.name}: {entry.summary}" for entry in registry.games()]
    return "\n".join(lines) + "\n"


def summary(root: Path) -> str:
    """Return the sentence with which README begins."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    return readme.partition("\n\n")[2].partition("\n\n")[0]
