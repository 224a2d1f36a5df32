"""What a page of its own runs in its kernel: the one widget that the command has named.

Voila runs this file as the only cell of a notebook; see `deduce.widgets.serve`.
"""

from __future__ import annotations

import os

from deduce.registry import load

__all__ = ["ARGUMENT", "WIDGET"]

WIDGET = "DEDUCE_PAGE_WIDGET"
"""The variable of the environment with the function that makes the widget, ``module:name``."""

ARGUMENT = "DEDUCE_PAGE_ARGUMENT"
"""The variable of the environment with what that function is called with."""

if __name__ == "__main__":
    from IPython.display import display

    display(  # type: ignore[no-untyped-call]
        load(os.environ[WIDGET])(os.environ[ARGUMENT])
    )
