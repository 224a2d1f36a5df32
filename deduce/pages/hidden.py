"""The page of a game in which something is hidden: sheet, log, advice, tutor, doubts, share.

A game that is found by its entry point gets this page without writing a line; the page of a game
with more replaces some of its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deduce.game import Questions, Shown, hook
from deduce.pages.features.advice import Advising
from deduce.pages.features.log import LogBook, Sight
from deduce.pages.features.share import Sharing
from deduce.pages.features.sheet import KnowledgeSheet
from deduce.pages.features.start import Start
from deduce.pages.features.tiles import BoardSheet
from deduce.pages.features.tutor import Tutoring
from deduce.pages.features.why import Explaining
from deduce.pages.presenter import Feature, Presenter, Views
from deduce.pages.sentences import Texts, texts_of
from deduce.system import registry

__all__ = ["hidden_page"]


def hidden_page(
    name: str,
    *,
    views: Views | None = None,
    panels: tuple[str, ...] = (),
    book: type[LogBook] = LogBook,
    start: type[Start] = Start,
    tutor: type[Tutoring] = Tutoring,
    sheet: type[KnowledgeSheet] | None = None,
    advice: type[Advising] | None = Advising,
    own: Callable[[Texts, LogBook], Sequence[Feature[Sight]]] = lambda say, book: (),
) -> Presenter[Sight]:
    """Return the page of a hidden game.

    Parameters
    ----------
    name
        The name of its entry point.
    views
        The views; by default the sheet beside log, advice, tutor and share.
    panels
        The keys of ``ui`` that hold what is open over the views, besides a cell.
    book, start, tutor, sheet, advice
        The parts, of which a game replaces some methods; ``advice`` may be one of its own features.
        The sheet is a board by default where the game has cells of its own.
    own
        Returns features of the game's own, which come first.

    Examples
    --------
    >>> from deduce.pages.protocol import Request
    >>> sorted(hidden_page("mastermind").answer(Request(None)).fragments)
    ['frame', 'setup']
    """
    game = registry.load(registry.find(name).hidden)
    if views is None:
        asks = hook(game, Questions.inquiries)
        views = Views(("sheet",), ("log", *(("advice",) if asks else ()), "tutor", "share"))
    if sheet is None:
        sheet = BoardSheet if hook(game, Shown.shown_cells) else KnowledgeSheet
    say = texts_of(name)
    log = book(say, name, views, (*panels, *sheet.panels))
    begin, tutoring = start(say, name, log.read), tutor(say, log)
    advising = (advice or Advising)(say, log)
    cells = sheet(say, log, tutoring.sheet, advising)
    features: list[Feature[Sight]] = [
        *own(say, log),
        cells.feature(),
        tutoring.feature(),
        *([advising.feature()] if advice and "advice" in views.side else []),
        begin.feature(),
        log.feature(),
        Explaining(say, log, cells.actions).feature(),
        Sharing(say, name, log.invitation).feature(),
    ]
    return Presenter(name, say, log, views, begin.setup, features)
