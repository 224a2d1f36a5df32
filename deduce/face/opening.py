r"""Which page a file belongs to: by its name, or because only that page can read it.

>>> from deduce.face.messages import presenter_of
>>> page_of("evening.cluedo", "", presenter_of), page_of("nim (2).log", "", presenter_of)
('cluedo', 'nim')
>>> page_of("notes.txt", "players: Ann, Ben, Cid\nAnn has rope\n", presenter_of)
'cluedo'
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from deduce import registry
from deduce.errors import BadInput, DeduceError
from deduce.face.pages import games_with_face
from deduce.face.sentences import refused

__all__ = ["page_of"]


def page_of(name: str, text: str, presenter: Callable[[str], Any]) -> str:
    """Return the name of the page that shows a file.

    Parameters
    ----------
    name
        The name of the file. Its ending decides (``.cluedo``), or its first word, as a page names
        the files that it saves (``nim.log``).
    text
        What is in it; it decides if the name does not.
    presenter
        Returns the presenter of a page.

    Raises
    ------
    BadInput
        No page can read the text, or several can.
    """
    pages = list(games_with_face())
    for page in pages:
        if page in registry.names():
            suffix = registry.find(page).suffix
            if suffix and name.endswith(suffix):
                return page
    first = PurePath(name).name.partition(".")[0].partition(" ")[0]
    if first in pages:
        return first
    found = [page for page in pages if _can_read(presenter, page, text)]
    if len(found) == 1:
        return found[0]
    if found:
        raise BadInput(refused("refused.pages", pages=", ".join(found)))
    raise BadInput(refused("refused.no_page"))


def _can_read(presenter: Callable[[str], Any], page: str, text: str) -> bool:
    try:
        presenter(page).read(text)
    except (DeduceError, AttributeError):
        return False
    return bool(text.strip())
