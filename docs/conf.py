"""How `make docs` builds the site.

Its pages are those of this folder, README and CHANGELOG, the
notebooks with what they show when run, and the reference from docstrings.

Nothing is fetched, so the site builds and reads the same without a network: no web font, no script
from elsewhere. Names of other projects link to their documentation by the short inventories in
`inventories/`, which list what our docstrings mention and are packed here for intersphinx.

Every reference has to be found (`nitpicky`), and a name in a docstring means what it means in the
module in which it appears.
"""

import ast
import json
import re
import shutil
import sys
import tomllib
import zlib
from collections import defaultdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import deduce
from deduce.system.registry import games

HERE = Path(__file__).parent
ROOT = HERE.parent

project = "deduce"
author = "the deduce developers"
version = release = deduce.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build", "inventories", "paper"]
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb"}

myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_raise_on_error = True  # this is where CI runs the notebooks
# A widget has no kernel here: what it shows is its text.
nb_ipywidgets_js: dict[str, Any] = {}
nb_mime_priority_overrides = [("*", "application/vnd.jupyter.widget-view+json", None)]

default_role = "py:obj"
nitpicky = True
# As click writes it in what we inherit; a type variable with a default, for type checkers only.
nitpick_ignore = [
    ("py:class", name) for name in ("t.Any", "InquiryType", "P", "NDArray", "pandas.DataFrame")
]
# numpy is imported for its types only; and Sphinx cuts a Callable without arguments in two.
nitpick_ignore_regex = [
    ("py:class", r"np\.\w+|collections\.abc\.Callable\[\[\]"),
    ("py:class", r"(vf|verifiers|reasoning_gym)\..*|.*gym\.verifiers\..*"),
]
autodoc_mock_imports = ["reasoning_gym", "verifiers"]  # each brings some fifty packages
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_use_type_comments = False  # there are none, and looking for them takes a tenth of the time
autodoc_typehints_format = "short"
napoleon_google_docstring = False
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"deduce {version}"
html_static_path = ["_static"]
html_css_files = ["deduce.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
pygments_style = "tango"
pygments_dark_style = "github-dark"


INVENTORIES = HERE / "_build" / "inventories"
intersphinx_mapping = {
    "python": ("https://docs.python.org/3", str(INVENTORIES / "python.inv")),
    "click": ("https://click.palletsprojects.com/en/stable", str(INVENTORIES / "click.inv")),
    "networkx": ("https://networkx.org/documentation/stable", str(INVENTORIES / "networkx.inv")),
}


def pack_inventories(app: Any, config: Any) -> None:
    """Pack the inventories as intersphinx reads them.

    Each line of a source is a name, its role, and the address below the project's own.
    """
    INVENTORIES.mkdir(parents=True, exist_ok=True)
    for name in intersphinx_mapping:
        text = (HERE / "inventories" / f"{name}.txt").read_text(encoding="utf-8")
        entries = [line.split() for line in text.splitlines() if not line.startswith("#")]
        body = "".join(f"{thing} {role} 1 {uri} -\n" for thing, role, uri in entries)
        head = f"# Sphinx inventory version 2\n# Project: {name}\n# Version: \n"
        head += "# The remainder of this file is compressed using zlib.\n"
        packed = head.encode() + zlib.compress(body.encode())
        (INVENTORIES / f"{name}.inv").write_bytes(packed)


def begin_anew(app: Any) -> None:
    """Remove the pages that were generated before: some may be of modules that are gone."""
    shutil.rmtree(HERE / "api", ignore_errors=True)


def bring_notebooks(app: Any) -> None:
    """Copy the notebooks to where Sphinx finds them; the copies are not committed."""
    target = HERE / "notebooks"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "notebooks", target, ignore=shutil.ignore_patterns(".*"))


TRY = {
    "index": ("index.html", "Open the sheet in the browser"),
    "notebooks": ("lab/lab/index.html", "Run the notebooks in the browser"),
    "games/classics": ("index.html#/new/tic-tac-toe", "Play in the browser"),
    **{
        f"games/{page}": (f"index.html#/new/{page.partition('-')[0]}", "Try it in the browser")
        for page in (
            "cluedo", "cluedo-players", "cultist", "mastermind", "minesweeper",
            "pigs", "propre", "quartets",
        )
    },
}  # fmt: skip
"""Page -> the part of the site ``try`` that it leads to with one click, and the link's text."""


KEYWORDS: dict[str, str] = tomllib.loads((HERE / "keywords.toml").read_text(encoding="utf-8"))
"""Page -> words that readers type, and that it does not use."""


def link_to_site(app: Any, docname: str, source: list[str]) -> None:
    """Put a link to the running page below the title."""
    target, label = TRY.get(docname, ("", ""))
    if docname.startswith("notebooks/"):
        target = f"lab/lab/index.html?path={docname.partition('/')[2]}.ipynb"
        notebook = json.loads(source[0])
        title = "".join(notebook["cells"][0]["source"])
        lines = _with_link(title, docname, target, "Run it in the browser")
        notebook["cells"][0]["source"] = lines
        notebook["cells"] = with_checks(notebook["cells"], docname.partition("/")[2])
        source[0] = json.dumps(notebook)
    elif docname == "index":  # its title is that of README, which is included
        source[0] = f"{_link_html(docname, target, label)}\n\n{source[0]}"
    elif target:
        source[0] = _with_link(source[0], docname, target, label)


def with_checks(cells: list[Any], name: str) -> list[Any]:
    """Return the cells of a notebook with its checks, which run and are not shown."""
    text = (ROOT / "tests" / "data" / "notebook_checks.txt").read_text(encoding="utf-8")
    parts = re.split(r"^# %% (.+)\n", text, flags=re.MULTILINE)[1:]
    checks = {
        place: check
        for place, check in zip(parts[::2], parts[1::2], strict=True)
        if re.fullmatch(rf"{name}-\d+", place)
    }
    checked = []
    for cell in cells:
        checked.append(cell)
        if check := checks.pop(cell["id"], ""):
            place = {"id": f"{cell['id']}-check", "metadata": {"tags": ["remove-cell"]}}
            code = {"cell_type": "code", "source": check, "execution_count": None, "outputs": []}
            checked.append(place | code)
    assert not checks, f"checks of cells that are not in the notebook: {', '.join(checks)}"
    return checked


def _with_link(text: str, docname: str, target: str, label: str) -> str:
    head, mark, rest = text.partition("# ")
    title, _, body = rest.partition("\n")
    return f"{head}{mark}{title}\n\n{_link_html(docname, target, label)}\n\n{body}"


def _link_html(docname: str, target: str, label: str) -> str:
    up = "../" * docname.count("/")
    return f'<p class="try"><a href="{up}try/{target}">{label}</a></p>'


def bring_site(app: Any, error: Exception | None) -> None:
    """Copy the page that runs in the browser to ``try``, and write the overview for programs."""
    if error is not None or app.builder.format != "html":
        return
    from generated import llms_text

    (Path(app.outdir) / "llms.txt").write_text(llms_text(ROOT), encoding="utf-8")
    target = Path(app.outdir) / "try"
    shutil.rmtree(target, ignore_errors=True)
    if (ROOT / "build" / "site" / "index.html").exists():
        shutil.copytree(ROOT / "build" / "site", target)
    for page in ("index.html", "lab/lab/index.html"):
        if not (target / page).exists():
            (target / page).parent.mkdir(parents=True, exist_ok=True)
            text = "<!DOCTYPE html><title>deduce</title><p>This part of the site is built by "
            text += "<code>make site</code>, before <code>make docs</code>."
            (target / page).write_text(text, encoding="utf-8")


def show_one_branch(app: Any, page: str, template: str, context: Any, doctree: Any) -> None:
    """Open only the branch of the contents that leads to the page.

    The whole tree on every page would be most of what is written, and of the time that it takes.
    """
    tree = context["toctree"]
    context["toctree"] = lambda **options: tree(**{**options, "collapse": True})


def write_help(app: Any) -> None:
    """Write the page of all commands, as ``--help`` shows them."""
    import click

    from deduce.cli.main import cli

    text = ["# Every command", "What `deduce COMMAND --help` prints.\n"]

    def tell(command: click.Command, name: str, level: int, parent: Any = None) -> None:
        ctx = click.Context(command, parent, name, terminal_width=80, **command.context_settings)
        shown = command.get_help(ctx)
        text.append(f"{'#' * level} {ctx.command_path}\n\n```text\n{shown}\n```\n")
        if isinstance(command, click.Group):
            for below in command.list_commands(ctx):
                found = command.get_command(ctx, below)
                assert found is not None
                tell(found, below, 3 if parent else 2, ctx)

    tell(cli, "deduce", 2)
    target = HERE / "api" / "help.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text("\n".join(text), encoding="utf-8")


def write_game_pages(app: Any) -> None:
    """Write the pages that are made from the code; see `generated`."""
    sys.path.insert(0, str(HERE))
    from generated import write_pages

    write_pages(HERE / "api" / "games", ROOT)


def look_up_types_exactly(app: Any, doctree: Any) -> None:
    """Keep Sphinx from linking a type variable to any class of the same name elsewhere."""
    from sphinx.addnodes import pending_xref

    for node in doctree.findall(pending_xref):
        if node.get("refdomain") == "py" and "refspecific" in node:
            del node["refspecific"]


def add_keywords(app: Any, doctree: Any) -> None:
    """Let the search find a page by words that it does not use."""
    from docutils.nodes import meta

    if words := KEYWORDS.get(app.env.docname):
        doctree.insert(0, meta(name="keywords", content=", ".join(re.findall(r"\w+", words))))


def leave_out_object(app: Any, doctree: Any) -> None:
    """Say nothing of the bases of a class that has none of its own."""
    from docutils.nodes import paragraph

    for node in list(doctree.findall(paragraph)):
        if node.astext() == "Bases: object":
            node.parent.remove(node)


def look_up_as_the_module_does(app: Any, env: Any, node: Any, text: Any) -> Any:
    """Return the link of a name in a docstring, looked up where Python would look it up.

    A name that is known there but has no entry of its own (a constant, an alias) stays plain text.
    Else, a name of which there is only one in the same game, or in deduce, means that one.
    """
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"].removeprefix("~").removeprefix(".")
    module = node.get("py:module") or ""
    for place in (module, f"{module}.{node.get('py:class')}", target.rpartition(".")[0]):
        found = _thing(place, target.removeprefix(f"{place}."))
        home, name = getattr(found, "__module__", None), getattr(found, "__qualname__", None)
        if home and name and f"{home}.{name}" != target:
            return _link(app, env, node, text, f"{home}.{name}") or text
        if found is not None:
            return text
    imported = _for_type_checkers(module)
    if target in imported:
        return _link(app, env, node, text, imported[target]) or text
    # A package exports names of its modules, whose annotations mean what they mean there.
    for name in _modules_below(module):
        if target in (imported := _for_type_checkers(name)):
            return _link(app, env, node, text, imported[target]) or text
        if _thing(name, target) is not None:
            return text
    room = ".".join(module.split(".")[:2]) if module.startswith("games.") else "deduce"
    named = _with_last_name(env.domains["py"].objects, target.rpartition(".")[2])
    named = [thing for thing in named if thing.endswith(f".{target}")]
    for inside in (room, "deduce", ""):
        known = [thing for thing in named if f"{thing}.".startswith(f"{inside}." if inside else "")]
        if known and len({id(_thing(thing, "")) for thing in known}) == 1:
            return _link(app, env, node, text, min(known, key=len))
    # What the reference does not document is plain text, but it has to exist.
    if _is_module(target) or any(hasattr(sys.modules[m], target) for m in _modules_below(room)):
        return text
    return None


def _is_module(name: str) -> bool:
    try:
        return name.startswith(("deduce.", "games.")) and find_spec(name) is not None
    except ModuleNotFoundError:  # below a module, which is not a package
        return False


_INDEX: dict[int, dict[str, list[str]]] = {}


def _with_last_name(objects: Any, last: str) -> list[str]:
    """Return the documented names that end with a name, from an index that is made once."""
    if len(objects) not in _INDEX:
        index = _INDEX[len(objects)] = defaultdict(list)
        for name in objects:
            index[name.rpartition(".")[2]].append(name)
    return _INDEX[len(objects)].get(last, [])


@cache
def _modules_below(package: str) -> list[str]:
    """Return the modules of a package that are loaded: all, when references are looked up."""
    return sorted(name for name in sys.modules if name.startswith(f"{package}."))


def _thing(place: str, name: str) -> Any:
    """Return what a dotted name means in a module or class, or ``None``."""
    module, _, rest = place, "", ""
    while module and module not in sys.modules:
        module, _, last = module.rpartition(".")
        rest = f"{last}.{rest}"
    found: Any = sys.modules.get(module)
    for part in filter(None, f"{rest}{name}".split(".")):
        found = getattr(found, part, None)
    return found


@cache
def _for_type_checkers(module: str) -> dict[str, str]:
    """Return what a module names under ``if TYPE_CHECKING``, which Python never sees."""
    file = getattr(sys.modules.get(module), "__file__", None)
    named: dict[str, str] = {}
    for block in ast.walk(
        ast.parse(Path(file).read_text(encoding="utf-8")) if file else ast.Pass()
    ):
        if isinstance(block, ast.If) and "TYPE_CHECKING" in ast.unparse(block.test):
            for node in block.body:
                if isinstance(node, ast.ImportFrom):
                    named |= {n.asname or n.name: f"{node.module}.{n.name}" for n in node.names}
                elif isinstance(node, ast.Assign | ast.AnnAssign):
                    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                    named |= {ast.unparse(name): ast.unparse(name) for name in targets}
    return named


def _link(app: Any, env: Any, node: Any, text: Any, full: str) -> Any:
    node["reftarget"] = full
    args = (env, node["refdoc"], app.builder, "obj", full, node, text)
    return env.domains["py"].resolve_xref(*args) or _elsewhere(app, env, node, text)


def _elsewhere(app: Any, env: Any, node: Any, text: Any) -> Any:
    from sphinx.ext.intersphinx import missing_reference

    node["reftype"] = "obj"
    return missing_reference(app, env, node, text)


def read_attributes_as_text() -> None:
    """Keep napoleon from taking the text before a colon in an attribute's text for its type."""
    from sphinx.ext.napoleon.docstring import GoogleDocstring

    def whole(self: Any) -> tuple[str, list[str]]:
        return "", self._dedent(self._consume_to_end())

    GoogleDocstring._consume_inline_attribute = whole


def leave_out_matplotlib(app: Any, what: str, name: str, thing: Any, *rest: Any) -> bool | None:
    """Keep what matplotlib writes into classes derived from its own out of the reference."""
    return True if str(getattr(thing, "__module__", "")).startswith("matplotlib") else None


def keep_lines_of_examples(app: Any, what: str, name: str, thing: Any, *rest: Any) -> None:
    r"""Make literal blocks of the rules of a game, and of what follows ``\b`` in help by click."""
    lines = rest[-1]
    if what == "module" and any(entry.rules == name for entry in games()):
        start = lines.index("") + 1
        lines[start:] = ["::", "", *(f"    {line}".rstrip() for line in lines[start:])]
        return
    is_kept = False
    for index, line in enumerate(lines):
        if line.strip() in (r"\b", "\b"):
            lines[index], is_kept = "::", True
            lines.insert(index + 1, "")
        elif is_kept and line.strip():
            lines[index] = f"    {line}"
        elif index and lines[index - 1] != "::":
            is_kept = False


def setup(app: Any) -> dict[str, bool]:
    """Register what happens before and after the pages are read, by several processes."""
    read_attributes_as_text()
    app.connect("config-inited", pack_inventories, priority=100)
    app.connect("builder-inited", begin_anew, priority=100)
    app.connect("builder-inited", bring_notebooks)
    app.connect("builder-inited", write_game_pages)
    app.connect("builder-inited", write_help)
    app.connect("source-read", link_to_site)
    app.connect("html-page-context", show_one_branch, priority=400)  # the theme's is 500
    app.connect("build-finished", bring_site)
    app.connect("doctree-read", add_keywords)
    app.connect("doctree-read", look_up_types_exactly)
    app.connect("doctree-read", leave_out_object)
    app.connect("missing-reference", look_up_as_the_module_does)
    app.connect("autodoc-skip-member", leave_out_matplotlib)
    app.connect("autodoc-process-docstring", keep_lines_of_examples)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
