"""The sentences of the pages: message keys and values in, text out.

A page makes no sentence itself. It names a message and its values, and `Texts` finds the message in
the catalogues (`deduce.system.language`). A message may have two forms, for one and for several;
the value ``n`` selects the form.

>>> say = Texts("mastermind", "games")
>>> say("sheet.worlds", n=1), say("sheet.worlds", n=12_000)
('1 code remains possible', '12,000 codes remain possible')
"""

from __future__ import annotations

import re

from attrs import field, frozen

from deduce.pages.html import short
from deduce.system import language, registry

__all__ = ["Texts", "page_texts", "refused", "texts_of"]


@frozen
class Texts(language.Texts):
    """The sentences of a page: those of a game before those of all games.

    Parameters
    ----------
    title
        The title of the page, unless the game has a message ``title``.
    """

    title: str = field(default="", kw_only=True)

    def shown(self, value: object) -> str:
        """Return a value as it stands in a sentence; a long name is abbreviated."""
        return short(super().shown(value))

    @property
    def heading(self) -> str:
        """The title of the page."""
        return self("title") if self.has("title") else self.title


def texts_of(game: str) -> Texts:
    """Return the sentences of the page of a game, which are in the package that brings the game."""
    entry = registry.find(game)
    module = entry.page or entry.hidden or entry.search
    title = game.replace("-", " ").capitalize()
    return Texts(game, re.split("[.:]", module)[0], title=title)


def page_texts() -> dict[str, dict[str, str]]:
    """Return the sentences around the games by language and key; ``name`` is the language's own."""
    return {
        each: {
            key.removeprefix("page."): forms[0]
            for key, forms in language.catalogue("deduce", each).messages.items()
            if key.startswith("page.")
        }
        for each in language.languages()
    }


refused = Texts()
"""Returns what is refused and what no game says, where no texts of a game are at hand."""
