"""The notebook of a page: Voila runs this file as its only cell, which shows one widget.

The environment names the widget; see `deduce.widgets.serve`.
"""

from __future__ import annotations

import os

from deduce.registry import load

__all__ = ["ARGUMENT", "WIDGET"]

WIDGET = "DEDUCE_PAGE_WIDGET"
"""The environment variable with the function that makes the widget, as ``module:name``."""

ARGUMENT = "DEDUCE_PAGE_ARGUMENT"
"""The environment variable with the argument of that function."""

if __name__ == "__main__":
    from IPython.display import display

    display(  # type: ignore[no-untyped-call]
        load(os.environ[WIDGET])(os.environ[ARGUMENT])
    )
