r"""The messages between a page and a presenter, the same for every transport: JSON objects.

A request has these fields; all but the first may be left out::

    game       the name of the game
    document   what the last response had (the page keeps it, unless the server does)
    ui         what the last response had
    intent     {"do": ..., "values": {...}, "form": {name: [...]}, "changed": [...]}
    link       instead of a document: the fragment of an address, as `Door.link` makes it
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
    jobs                   [{"name": ..., "slot": ..., "key": ..., "values": {...}}]
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
from typing import Any

from attrs import asdict

from deduce import registry
from deduce.errors import BadInput, DeduceError, Unsupported
from deduce.face.document import MAX_TEXT, Document, unpack
from deduce.face.pages import PLAY
from deduce.face.presenter import Intent, Job, Presenter, PrivateView, Request, Screen
from deduce.face.sentences import refused
from deduce.face.share import qr
from deduce.jsonvalues import parse_json

__all__ = ["Door", "error_message", "presenter_of", "read_link", "read_message"]

MAX_NAME = 100
"""A longer name of a game is refused (characters)."""

MAX_FIELDS = 400
"""More values of one intent are refused."""


class Door:
    """The one entrance of every transport: requests as JSON in, responses as JSON out.

    The presenters are made when they are first needed; their caches are their only state.

    Parameters
    ----------
    presenters
        Page -> a presenter that was made with options of its own.
    """

    def __init__(self, presenters: Mapping[str, Presenter] | None = None) -> None:
        self._presenters = dict(presenters or {})

    def presenter(self, game: str) -> Presenter:
        """Return the presenter of a game.

        Raises
        ------
        BadInput
            No such game is installed.
        Unsupported
            The game has no face.
        """
        if game not in self._presenters:
            self._presenters[game] = presenter_of(game)
        return self._presenters[game]

    def answer(self, message: str) -> str:
        """Return the response to a request that carries its document."""
        try:
            fields = read_message(message)
            if "qr" in fields:
                return self.picture(fields)
            if "file" in fields:
                return _dumps({"game": self._page_of(fields["file"])})
            screen = self.screen(fields, _document(fields))
        except DeduceError as error:
            return error_message(error)
        return self.response(screen)

    def picture(self, fields: Mapping[str, Any]) -> str:
        """Return the response with the QR code of an address."""
        if not isinstance(fields["qr"], str):
            raise BadInput(refused("refused.message"))
        return _dumps({"html": qr(fields["qr"])})

    def _page_of(self, file: object) -> str:
        from deduce.face.opening import page_of

        match file:
            case [str(name), str(text)] if len(text) <= MAX_TEXT:
                return page_of(name, text, self.presenter)
        raise BadInput(refused("refused.file", n=MAX_TEXT))

    def screen(self, fields: Mapping[str, Any], shown: Document | PrivateView | None) -> Screen:
        """Return the screen for a request about a log, or about what a player saw of one."""
        presenter = self.presenter(_game(fields))
        return presenter.answer(_request(shown, _mapping(fields, "ui"), _intent(fields)))

    def response(self, screen: Screen, *, version: int | str | None = None) -> str:
        """Return a screen as JSON.

        Parameters
        ----------
        screen
            What a presenter answered.
        version
            What names the step after which the log was kept elsewhere; the document is then left
            out.
        """
        response = {
            "document": screen.document.to_json() if screen.document and version is None else None,
            "version": version,
            "title": screen.title,
            "ui": screen.ui,
            "fragments": screen.fragments,
            "notices": [asdict(notice) for notice in screen.notices],
            "jobs": [asdict(job) for job in screen.jobs],
            "focus": screen.focus,
            "download": screen.download,
        }
        return _dumps(response)

    def work(
        self,
        message: str,
        shown: Document | PrivateView | None = None,
        game: str | None = None,
    ) -> Iterator[str]:
        """Yield the fragments of a job, each as JSON; the last has ``"done": true``.

        Failures of the job are part of its last fragment. The log and the name of the game are
        those of the message, unless they are kept elsewhere.
        """
        try:
            fields = read_message(message)
            if game is None:
                game, shown = _game(fields), shown or _document(fields)
            job, request = _job(fields), _request(shown, _mapping(fields, "ui"))
            html: str | None = None
            for html in self.presenter(game).work(request, job):
                yield _dumps({"html": html} if html else {})
            yield _dumps({"html": html, "done": True})
        except DeduceError as error:
            yield error_message(error, done=True)


def presenter_of(game: str) -> Presenter:
    """Return a new presenter of a game: its own, or the one that suits its kind.

    Raises
    ------
    BadInput
        No such game is installed.
    Unsupported
        Nothing of the game can be shown on a page.
    """
    base = game.removesuffix(PLAY)
    if base != game and game not in registry.names():
        entry = registry.find(base)
        if entry.search:
            return _play(base, game)
    entry = registry.find(game)
    if entry.face:
        presenter: Presenter = registry.load(entry.face)()
        return presenter
    if entry.hidden:
        from deduce.face.sheet import SheetFace

        return SheetFace(game)
    if entry.search:
        return _play(game, game)
    raise Unsupported(refused("refused.nothing", game=game))


def _play(game: str, page: str) -> Presenter:
    from deduce.face.play import PlayFace

    return PlayFace(game, page)


def error_message(error: DeduceError, **more: Any) -> str:
    """Return the response with the reason why there is no other."""
    return _dumps({"error": str(error), **more})


def _request(
    shown: Document | PrivateView | None, ui: Mapping[str, Any], intent: Intent | None = None
) -> Request:
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


def read_message(message: str) -> Mapping[str, Any]:
    """Return the fields of a message; raise `BadInput` if it is not one JSON object."""
    try:
        fields = parse_json(message)
    except BadInput:
        raise BadInput(refused("refused.message")) from None
    if not isinstance(fields, dict):
        raise BadInput(refused("refused.message"))
    return fields


def _game(fields: Mapping[str, Any]) -> str:
    game = fields.get("game")
    if not isinstance(game, str):
        raise BadInput(refused("refused.game"))
    if len(game) > MAX_NAME:
        raise BadInput(refused("refused.game_name"))
    return game


def _document(fields: Mapping[str, Any]) -> Document | None:
    if isinstance(fields.get("link"), str):
        document = read_link(f"{_game(fields)}:{fields['link']}")
    elif isinstance(fields.get("text"), str):
        document = Document(_game(fields), fields["text"])
    elif isinstance(fields.get("document"), str):
        document = Document.from_json(fields["document"])
    else:
        return None
    if document.game != _game(fields):
        raise BadInput(refused("refused.other_game"))
    return document


def _mapping(fields: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = fields.get(key) or {}
    if not isinstance(value, dict) or len(value) > MAX_FIELDS:
        raise BadInput(refused("refused.object", name=key))
    return value


def _intent(fields: Mapping[str, Any]) -> Intent | None:
    intent = _mapping(fields, "intent")
    if not intent:
        return None
    values, form = _mapping(intent, "values"), _mapping(intent, "form")
    changed = intent.get("changed") or []
    if not (
        isinstance(intent.get("do"), str)
        and all(isinstance(value, str) for value in values.values())
        and all(isinstance(each, list) and len(each) <= MAX_FIELDS for each in form.values())
        and all(isinstance(value, str) for each in form.values() for value in each)
        and isinstance(changed, list)
        and all(isinstance(name, str) for name in changed)
    ):
        raise BadInput(refused("refused.not_intent"))
    form = {name: tuple(each) for name, each in form.items()}
    return Intent(intent["do"], values, form, tuple(changed))


def _job(fields: Mapping[str, Any]) -> Job:
    job = _mapping(fields, "job")
    if not all(isinstance(job.get(key), str) for key in ("name", "slot", "key")):
        raise BadInput(refused("refused.not_job"))
    return Job(job["name"], job["slot"], job["key"], _mapping(job, "values"))


def _dumps(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
