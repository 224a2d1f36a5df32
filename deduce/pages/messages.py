r"""The messages between a page and a presenter, the same for every transport: JSON objects.

A request has these fields; all but the first may be left out::

    game       the name of the game
    document   what the last response had (the page keeps it, unless the server does)
    ui         what the last response had
    language   the language of the answer, such as "de"
    intent     {"do": ..., "values": {...}, "form": {name: [...]}, "changed": [...]}
    link       instead of a document: the fragment of an address, as its page "share" makes it
    text       instead of a document: a log file as text
    qr         alone: an address; the answer is {"html": ...}, its QR code
    file       alone: the name and the text of a file; the answer is {"game": ...}, its page
    job        a job of a response; the answer is a stream of {"html": ...}, of which the last
               has "done": true

and a response::

    document, title        to keep
    version                instead of a document that is kept elsewhere: which step it is
    ui                     to send back
    fragments              slot -> escaped HTML; only what changed needs drawing
    notices                [{"text": ..., "kind": "note" | "good" | "bad"}]
    jobs                   [{"name": ..., "slot": ..., "key": ..., "values": {...}, "first": ...}]
    focus, download        see `Screen`
    error                  alone: the request made no sense

>>> door = Door()
>>> response = door.answer('{"game": "cluedo"}')
>>> sorted(json.loads(response)["fragments"])
['frame', 'setup']
>>> json.loads(door.answer('{"game": "chess"}'))["error"]
"no game is called 'chess' ..."
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import TypeAlias

from attrs import asdict

from deduce.errors import BadInput, DeduceError, Unsupported
from deduce.logs.document import MAX_TEXT, Document, unpack
from deduce.logs.json_values import parse_json
from deduce.pages.features.share import qr
from deduce.pages.protocol import GamePage, Intent, Job, PrivateView, Request, Screen, Ui
from deduce.pages.sentences import refused, texts_of
from deduce.system import registry
from deduce.system.language import speaking

__all__ = [
    "PLAY",
    "Door",
    "Fields",
    "error_message",
    "page_of",
    "page_summaries",
    "read_link",
    "read_message",
    "request_ui",
]

Fields: TypeAlias = "Mapping[str, object]"
"""The fields of a message; nothing of them has been checked."""

FEATURED = "cluedo"

PLAY = "-play"
"""Ends the name of the page on which a game is played that has another page as well."""

MAX_NAME = 100
"""A longer name of a game is refused (characters)."""

MAX_FIELDS = 400
"""More values of one intent are refused."""


class Door:
    """The one entrance of every transport: requests as JSON in, responses as JSON out.

    The pages are made when they are first needed; their caches are their only state.

    Parameters
    ----------
    pages
        Name -> a page that was made with options of its own.
    """

    def __init__(self, pages: Mapping[str, GamePage] | None = None) -> None:
        self._pages = dict(pages or {})

    def page(self, game: str) -> GamePage:
        """Return the page of a game.

        Raises
        ------
        BadInput
            No such game is installed.
        Unsupported
            The game has no page.
        """
        if game not in self._pages:
            self._pages[game] = page_of(game)
        return self._pages[game]

    def answer(self, message: str) -> str:
        """Return the response to a request that carries its document."""
        try:
            fields = read_message(message)
            with speaking(str(fields.get("language"))):
                if "qr" in fields:
                    return self.picture(fields)
                if "file" in fields:
                    return _dumps({"game": self.opened_by(fields["file"])})
                screen = self.screen(fields, _document(fields))
        except DeduceError as error:
            return error_message(error)
        return self.response(screen)

    def picture(self, fields: Fields) -> str:
        """Return the response with the QR code of an address."""
        if not isinstance(fields["qr"], str):
            raise BadInput(refused("refused.message"))
        return _dumps({"html": qr(fields["qr"])})

    def opened_by(self, file: object) -> str:
        """Return the name of the page that shows a file, which is its name and its text.

        Its ending decides (``.cluedo``), or its first word, as a page names the files that it
        saves (``nim.log``); otherwise the one page that can read the text.
        """
        match file:
            case [str(name), str(text)] if len(text) <= MAX_TEXT:
                pages = list(page_summaries())
            case _:
                raise BadInput(refused("refused.file", n=MAX_TEXT))
        for page in pages:
            suffix = registry.find(page).suffix if page in registry.names() else ""
            if suffix and name.endswith(suffix):
                return page
        first = PurePath(name).name.partition(".")[0].partition(" ")[0]
        if first in pages:
            return first
        found = [page for page in pages if text.strip() and self._can_read(page, text)]
        if len(found) > 1:
            raise BadInput(refused("refused.pages", pages=", ".join(found)))
        if not found:
            raise BadInput(refused("refused.no_page"))
        return found[0]

    def _can_read(self, page: str, text: str) -> bool:
        try:
            self.page(page).read(text)
        except (DeduceError, AttributeError):  # the page of another package may have no ``read``
            return False
        return True

    def screen(self, fields: Fields, shown: Document | PrivateView | None) -> Screen:
        """Return the screen for a request about a log, or about what a player saw of one."""
        page = self.page(_game(fields))
        return page.answer(_request(shown, request_ui(fields), _intent(fields)))

    def response(self, screen: Screen, *, version: int | str | None = None) -> str:
        """Return a screen as JSON.

        Parameters
        ----------
        screen
            What a page answered.
        version
            What names the step after which the log was kept elsewhere; the document is then left
            out.
        """
        document = screen.document.to_json() if screen.document and version is None else None
        return _dumps({**asdict(screen), "document": document, "version": version})

    def work(
        self, message: str, shown: Document | PrivateView | None = None, game: str | None = None
    ) -> Iterator[str]:
        """Yield the fragments of a job, each as JSON; the last has ``"done": true``.

        Failures of the job are part of its last fragment. The log and the name of the game are
        those of the message, unless they are kept elsewhere.
        """
        try:
            fields = read_message(message)
            if game is None:
                game, shown = _game(fields), shown or _document(fields)
            job, request = _job(fields), _request(shown, request_ui(fields))
            html: str | None = None
            for html in _in_language(str(fields.get("language")), self.page(game), request, job):
                yield _dumps({"html": html} if html else {})
            yield _dumps({"html": html, "done": True})
        except DeduceError as error:
            yield error_message(error, done=True)


def _in_language(language: str, page: GamePage, request: Request, job: Job) -> Iterator[str]:
    """Yield the fragments of a job; between two of them others may speak another language."""
    parts = page.work(request, job)
    while True:
        with speaking(language):
            part = next(parts, None)
        if part is None:
            return
        yield part


def page_of(game: str) -> GamePage:
    """Return a new page of a game: its own, or the one that suits its kind.

    Raises
    ------
    BadInput
        No such game is installed.
    Unsupported
        Nothing of the game can be shown on a page.
    """
    base = game.removesuffix(PLAY)
    second = base != game and game not in registry.names() and registry.find(base).search
    entry = registry.find(base if second else game)
    if entry.page and not second:
        page: GamePage = registry.load(entry.page)()
        return page
    if entry.hidden and not second:
        from deduce.pages.hidden import hidden_page

        return hidden_page(game)
    if entry.search:
        from deduce.pages.features.play import play_page

        return play_page(entry.name, game)
    raise Unsupported(refused("refused.nothing", game=game))


def page_summaries() -> dict[str, str]:
    """Return the names of the pages of all games, with their summaries; Cluedo first.

    A game with a page of its own in which nothing is hidden has a second one, to be played.
    """
    summaries = {}
    for game in registry.names():
        try:
            entry = registry.find(game)
        except DeduceError:  # a broken plug-in must not take the page away
            continue
        if entry.page or entry.hidden or entry.search:
            say = texts_of(game)
            summaries[game] = say("summary") if say.has("summary") else entry.summary
        if entry.search and (entry.page or entry.hidden):
            summaries[f"{game}{PLAY}"] = refused("page.second")
    return dict(sorted(summaries.items(), key=lambda item: (item[0] != FEATURED, item[0])))


def error_message(error: DeduceError, **more: object) -> str:
    """Return an error response, with the reason."""
    return _dumps({"error": str(error), **more})


def _request(shown: Document | PrivateView | None, ui: Ui, intent: Intent | None = None) -> Request:
    if isinstance(shown, PrivateView):
        return Request(shown.document, ui, intent, shown.player, shown.own)
    return Request(shown, ui, intent)


def read_link(fragment: str) -> Document:
    """Return the document that the fragment of an address holds: ``game:packed``.

    Raises
    ------
    BadInput
        The link is damaged.
    """
    game, _, packed = fragment.partition(":")
    return Document(game, unpack(packed))


def read_message(message: str) -> Fields:
    """Return the fields of a message; raise `BadInput` if it is not one JSON object."""
    try:
        fields = parse_json(message)
    except BadInput:
        raise BadInput(refused("refused.message")) from None
    if not isinstance(fields, dict):
        raise BadInput(refused("refused.message"))
    return fields


def _game(fields: Fields) -> str:
    game = fields.get("game")
    if not isinstance(game, str):
        raise BadInput(refused("refused.game"))
    if len(game) > MAX_NAME:
        raise BadInput(refused("refused.game_name"))
    return game


def _document(fields: Fields) -> Document | None:
    match fields:
        case {"link": str(link)}:
            document = read_link(f"{_game(fields)}:{link}")
        case {"text": str(text)}:
            document = Document(_game(fields), text)
        case {"document": str(kept)}:
            document = Document.from_json(kept)
        case _:
            return None
    if document.game != _game(fields):
        raise BadInput(refused("refused.other_game"))
    return document


def request_ui(fields: Fields) -> Ui:
    """Return what is open on the page that asks; raise `BadInput` if it is not an object."""
    return dict(_mapping(fields, "ui"))


def _mapping(fields: Fields, key: str) -> Fields:
    value = fields.get(key) or {}
    if not isinstance(value, dict) or len(value) > MAX_FIELDS:
        raise BadInput(refused("refused.object", name=key))
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise BadInput(refused("refused.not_intent"))
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MAX_FIELDS:
        raise BadInput(refused("refused.not_intent"))
    return tuple(map(_text, value))


def _intent(fields: Fields) -> Intent | None:
    intent = _mapping(fields, "intent")
    if not intent:
        return None
    values = {name: _text(value) for name, value in _mapping(intent, "values").items()}
    form = {name: _texts(value) for name, value in _mapping(intent, "form").items()}
    return Intent(_text(intent.get("do")), values, form, _texts(intent.get("changed") or []))


def _job(fields: Fields) -> Job:
    match _mapping(fields, "job"):
        case {"name": str(name), "slot": str(slot), "key": str(key)} as job:
            return Job(name, slot, key, _mapping(job, "values"))
    raise BadInput(refused("refused.not_job"))


def _dumps(fields: Fields) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
