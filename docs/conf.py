"""How `make docs` builds the site.

Its pages are those of this folder, README and CHANGELOG, and the reference from docstrings.

Nothing is fetched: there is no intersphinx (its inventories live on other sites), no web font and
no script from elsewhere, so the site builds and reads the same without a network. Links to other
projects are plain addresses.
"""

import tomllib
from pathlib import Path

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
nb_execution_mode = "off"

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
