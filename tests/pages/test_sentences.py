"""Every sentence of a page is in a catalogue, so that another language is another file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "deduce" / "pages" / "web"
PAGES = sorted([*ROOT.glob("deduce/pages/**/*.py"), *ROOT.glob("games/*/page/*.py")])
COMMANDS = {"cli.py", "site.py", "notebook.py"}
"""Their sentences are read in a terminal or in Python, not on a page."""

SYNTAX = {
    # Of logs, transcripts and playthroughs
    *("set ", "engine ", "seed ", "from ", "chance "),
    *("me: ", "players: ", "groups: ", "group ", "preset: ", ", named as they come", "4 of 4"),
    # Of HTML, of HTTP, of the policy, and what is cut out of other texts
    *("text/javascript; charset=utf-8", "text/css; charset=utf-8", "; frame-ancestors 'none'"),
    *(' style="[^"<>]*"', " of ", " slider"),
    *("number ", "peg c", "open n"),
    # Never shown: why a saved document is refused, and what is said in the terminal of the server
    *("a text is missing", "a message is missing", "a change is missing"),
    *("the page needs starlette and uvicorn", "no port of ", " is free"),
    "this machine is not connected to a network; leave out --lan",
}
NAMED = {"WORDS", "POLICY"}
"""Constants that are neither: the dictionary of links, and the content security policy."""

CLASSES = set(re.findall(r"\.([a-z][\w-]*)", (WEB / "screen.css").read_text(encoding="utf-8")))


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that are not docstrings, with their lines."""
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(node.value)
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            skipped |= {each for each in ast.walk(node) if isinstance(each, ast.Constant)}
        if isinstance(node, ast.Assign) and {ast.unparse(each) for each in node.targets} & NAMED:
            skipped |= {each for each in ast.walk(node) if isinstance(each, ast.Constant)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in skipped:
            yield node.lineno, node.value


def is_sentence(text: str) -> bool:
    """Return whether a text has words, and is neither a list of classes nor a part of a picture."""
    words = text.split()
    drawn = text.startswith(("<", '"'))
    return " " in text and re.search(r"[^\W\d_]{2}", text) is not None and not (
        drawn or text in SYNTAX or set(words) <= CLASSES
    )  # fmt: skip


def test_a_page_makes_no_sentence_itself() -> None:
    found = [
        (path.name, line, text)
        for path in PAGES
        if path.name not in COMMANDS
        for line, text in literals(ast.parse(path.read_text(encoding="utf-8")))
        if is_sentence(text)
    ]
    assert found == []


def test_a_sentence_would_be_found() -> None:
    tree = ast.parse('"""A docstring."""\ntag("p", f"{n} cards left", class_="button quiet")\n')
    assert [text for _, text in literals(tree) if is_sentence(text)] == [" cards left"]


STRING = re.compile(r'"([^"\n]*)"|`([^`]*)`')
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*|(?<=[;,{]) //[^\n]*", re.DOTALL | re.MULTILINE)
SCRIPTED = {
    # The names of caches, an error that only the console gets, and one that a start recovers from
    *("deduce $ ", "deduce ", "$memory $folder"),
    *("the worker could not be loaded", "no memory"),
    # A list of elements, and the name of the toolkit after the title
    *("input:checked, input, textarea, button", " – deduce"),
}


def test_the_front_end_makes_no_sentence_itself() -> None:
    shown = []
    for path in sorted(WEB.glob("*.js")):
        code = COMMENT.sub("", path.read_text(encoding="utf-8"))
        for match in STRING.finditer(code):
            text = re.sub(r"\$\{.*\}", "", match[1] or match[2] or "")
            python = "import " in text or "Door()" in text
            if is_sentence(text) and text not in SCRIPTED and "[" not in text and not python:
                shown.append((path.name, text))
    assert shown == []
    page = (WEB / "index.html").read_text(encoding="utf-8")
    assert re.findall(r">\s*[^<>$\s][^<>$]*<", page.partition("<body")[2]) == []
