"""How `make docs` builds the site.

Its pages are those of this folder, README and CHANGELOG, the
notebooks with what they show when run, and the reference from docstrings.

Nothing is fetched: there is no intersphinx (its inventories live on other sites), no web font and
no script from elsewhere, so the site builds and reads the same without a network. Links to other
projects are plain addresses.
"""

import shutil
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent

project = "deduce"
author = "the authors of deduce"
version = release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "version"
]

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]
source_suffix = {".rst": "restructuredtext", ".md": "myst-nb", ".ipynb": "myst-nb"}

myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
# A widget has no kernel here: what it shows is its text.
nb_ipywidgets_js: dict[str, Any] = {}
nb_mime_priority_overrides = [("*", "application/vnd.jupyter.widget-view+json", None)]

default_role = "py:obj"
autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
napoleon_google_docstring = False
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"deduce {version}"
html_show_sphinx = False
html_copy_source = False
pygments_style = "tango"


def bring_notebooks(app: Any) -> None:
    """Copy the notebooks to where Sphinx finds them; the copies are not committed."""
    target = HERE / "notebooks"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "notebooks", target, ignore=shutil.ignore_patterns(".*"))


def look_up_types_exactly(app: Any, doctree: Any) -> None:
    """Keep Sphinx from linking a type variable to any class of the same name elsewhere."""
    from sphinx.addnodes import pending_xref

    for node in doctree.findall(pending_xref):
        if node.get("refdomain") == "py" and "refspecific" in node:
            del node["refspecific"]


def leave_out_matplotlib(app: Any, what: str, name: str, thing: Any, *rest: Any) -> bool | None:
    """Keep what matplotlib writes into classes derived from its own out of the reference."""
    return True if str(getattr(thing, "__module__", "")).startswith("matplotlib") else None


def setup(app: Any) -> None:
    """Register what happens before and after the pages are read."""
    app.connect("builder-inited", bring_notebooks)
    app.connect("doctree-read", look_up_types_exactly)
    app.connect("autodoc-skip-member", leave_out_matplotlib)
