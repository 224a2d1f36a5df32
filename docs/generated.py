"""Pages that `make docs` makes from the code, so that they cannot go stale.

The games that are one file: rules, set-up, an example, and what the commands print about it. The
table of all games and what each has. The public names, and the reference, which has a page for each
part of deduce and each game, not one for each module.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from types import ModuleType

import attrs
from click.testing import CliRunner

from deduce.cli.main import cli
from deduce.game import Questions, SeenInParts, Shown, hook
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log
from deduce.system import registry
from deduce.system.imports import imported_names

__all__ = [
    "PACKAGES",
    "game_page",
    "games_table",
    "llms_text",
    "one_file_games",
    "public_names",
    "reference_pages",
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

FILES = ("deduce.game", "deduce.line_game", "deduce.testing", "deduce.steps.words")
"""Modules of which the reference documents everything in ``__all__``."""

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
    made = {
        "games-table.md": games_table(),
        "public-names.md": public_names(),
        "modules.md": module_table(root),
        **{f"{page}.rst": text for page, text in reference_pages().items()},
    }
    for page, text in made.items():
        (folder.parent / page).write_text(text, encoding="utf-8")
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
        "The page of each package has the whole text; other modules may change.",
    ]
    for package, purpose in PACKAGES.items():
        module = import_module(package)
        rows = []
        for name in sorted(public(module)):
            home = getattr(getattr(module, name), "__module__", None)
            label = f"`{name}`"
            if name in reference().get(home, ()):
                label = f"{{py:obj}}`{name} <{home}.{name}>`"
            rows.append(f"| {label} | {first_line(module, name)} |")
        parts += [f"## `{package}`", purpose, "\n".join(["| name | |", "|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def public(module: ModuleType) -> list[str]:
    """Return the public names of a module; ``deduce`` has no ``__all__``, so its help is a map."""
    return getattr(module, "__all__", None) or [*imported_names(module.__name__), "__version__"]


@cache
def reference() -> dict[str, list[str]]:
    """Return what the reference documents: module -> names that are defined in it.

    These are the public names, what the files of ``deduce`` that users name list in ``__all__``,
    and the classes of this project that those inherit from.
    """
    named: dict[str, set[str]] = defaultdict(set)
    for package in (*PACKAGES, *FILES):
        module = import_module(package)
        for name in public(module):
            value = getattr(module, name)
            for thing in getattr(value, "__mro__", (value,)):
                home = getattr(thing, "__module__", None) or ""
                own = getattr(thing, "__name__", "").lstrip("_")
                if home.startswith(("deduce.", "games.")) and hasattr(import_module(home), own):
                    named[home].add(own)
            if package in FILES and not hasattr(value, "__name__"):
                named[package].add(name)  # a constant
    return {module: sorted(names) for module, names in sorted(named.items())}


def page_of(module: str) -> str:
    """Return the page of a module: that of its part of deduce, or of its game."""
    return ".".join(module.split(".")[:2])


def reference_pages() -> dict[str, str]:
    """Return the pages of the reference in reStructuredText, with a section for each module."""
    pages: dict[str, list[str]] = {}
    for module, names in {"deduce": [], **reference()}.items():
        page = page_of(module)
        if page not in pages:
            pages[page] = [page, "=" * len(page), "", f".. automodule:: {page}", ""]
        lines = pages[page]
        if module != page:
            lines += [module, "-" * len(module), "", f".. automodule:: {module}", ""]
        if names:
            lines[-1:] = [f"   :members: {', '.join(names)}", "   :show-inheritance:", ""]
    return {page: "\n".join(lines) for page, lines in pages.items()}


def module_table(root: Path) -> str:
    """Return the page of all modules, public or not: each with the first line of its docstring."""
    rows = []
    for path in sorted(p for part in ("deduce", "games") for p in (root / part).rglob("*.py")):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        if text:
            rows.append(f"| `{name}` | {in_table(text)} |")
    intro = "The design is described in [Architecture](../record/architecture.md)."
    return "\n".join(["# Every module", "", intro, "", "| module | |", "|---|---|", *rows]) + "\n"


def first_line(module: object, name: str) -> str:
    """Return the first line of a name's docstring; of a constant, what kind of value it is."""
    value = getattr(module, name)
    text = value.__doc__
    if not text or isinstance(value, str | int | float | dict | tuple | frozenset):
        text = f"A value of the type `{type(value).__name__}`."
    return in_table(text)


def in_table(text: str) -> str:
    """Return the first line of a docstring as a cell of a Markdown table."""
    return text.strip().partition("\n")[0].replace("|", "\\|")


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
