"""The old name of `deduce.pages.transports.notebook`, for one version."""

from __future__ import annotations

import warnings

from deduce.pages.transports.notebook import Page

__all__: list[str] = []


def __getattr__(name: str) -> type[Page]:
    if name != "Face":
        raise AttributeError(name)
    told = "deduce.pages.notebook.Face is now deduce.pages.transports.notebook.Page"
    warnings.warn(told, DeprecationWarning, stacklevel=2)
    return Page
