r"""The front door for logs: reading one into knowledge, recognising its game, and writing it.

>>> from games.cluedo import Cluedo
>>> k = read("players: Ann, Ben, Cid\nAnn: plum rope hall; Ben -", Cluedo)
>>> "Ben" in k.possible()["Rope"]
False
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from os import PathLike, fspath
from pathlib import Path
from typing import TextIO

from deduce.budget import STANDARD, Budget
from deduce.errors import BadInput, Unsupported, placed
from deduce.game import RECORD, Documents, HiddenGame, Viewer, Written, hook
from deduce.knowledge import Knowledge
from deduce.logs.events import read_log, write_log, write_text
from deduce.system import registry
from deduce.system.files import read_text, replace_file

__all__ = ["read", "recognise", "write"]


def read(
    source: str | PathLike[str] | TextIO,
    game: type | str | None = None,
    *,
    viewer: Viewer = RECORD,
    engine: str = "auto",
    budget: Budget = STANDARD,
) -> Knowledge:
    r"""Return the knowledge from a log.

    Parameters
    ----------
    source
        A path, an open text file, or the text itself (a string of more than one line).
    game
        The class of the game, or its name, such as ``"cluedo"``; by default it is recognised from
        the log, see `recognise`.
    viewer, engine, budget
        As for `Knowledge`.

    Raises
    ------
    BadInput
        The file or a line of it cannot be read, with the place; or the game is not recognised.

    Examples
    --------
    >>> k = read("players: Ann, Ben, Cid\nAnn: plum rope hall; Ben -\n")
    >>> k.game.players
    ('Ann', 'Ben', 'Cid')
    """
    text, name = _text(source)
    log = read_log(text, _class(game) or recognise(text, name), source=name)
    return Knowledge.of(log, viewer=viewer, engine=engine, budget=budget)


def write(
    knowledge: Knowledge, target: str | PathLike[str] | None = None, *, form: str | None = None
) -> str:
    r"""Return the log of some knowledge as text, and write it to a file if one is named.

    `read` reads it back to the same set-up and the same events. Assumptions are not part of a log.

    Parameters
    ----------
    knowledge
        Its game and log are written.
    target
        The path of the file, which is replaced.
    form
        ``"text"``, the game's own notation; ``"json"``, JSON lines. Default: text if the game has
        a notation.

    Raises
    ------
    Unsupported
        The game has no text notation, or it is a bare problem, whose constraints have no file form.
    BadInput
        The file cannot be written; it is then as before.

    Examples
    --------
    >>> k = read("players: Ann, Ben, Cid\nAnn: plum rope hall; Ben -\n")
    >>> read(write(k)) == k
    True
    """
    if form not in (None, "text", "json"):
        raise BadInput(f"the form of a log is 'text' or 'json', not {form!r}")
    if not isinstance(knowledge, Knowledge):
        raise BadInput(f"not knowledge, which has a log to write: {knowledge!r}")
    if hook(knowledge.game, Written.events, None) is None:
        raise Unsupported(f"{knowledge.game!r} names no classes of events, so it has no logs")
    text = ""
    if form != "json":
        with suppress(*([Unsupported] if form is None else [])):
            text = write_text(knowledge.game, knowledge.log)
    text = text or write_log(knowledge.game, knowledge.log)
    if not isinstance(target, str | PathLike | None):
        raise BadInput(f"a log is written to a path, not {target!r}")
    if target is not None:
        replace_file(Path(target), text)
    return text


def recognise(text: str, name: str | None = None) -> type:
    r"""Return the class of the installed game to which a log belongs.

    The header of JSON lines names the game. For a log in a notation, the ending of the file's name
    decides (``.cluedo``), or else which game's notation it can be read in.

    Raises
    ------
    BadInput
        No game, or more than one, can read the log.

    Examples
    --------
    >>> recognise("players: Ann, Ben, Cid\nAnn: plum rope hall; Ben -\n").__name__
    'Cluedo'
    """
    if text.lstrip().startswith("{"):
        return _named_in_header(text, name)
    failures: list[str] = []
    readers: list[type] = []
    for entry, game in _games_with_notation():
        if entry.suffix and name is not None and name.endswith(entry.suffix):
            return game
        try:
            read_log(text, game)
        except BadInput as error:
            failures.append(f"{entry.name}: {error}")
        else:
            readers.append(game)
    if len(readers) == 1:
        return readers[0]
    reason = "; ".join(failures) or "more than one game can read it"
    raise BadInput(f"the game of this log is not recognised, so name it ({reason})", source=name)


def _text(source: str | PathLike[str] | TextIO) -> tuple[str, str | None]:
    """Return the text of a source and its name for messages."""
    if isinstance(source, str) and ("\n" in source or not source):
        return source, None
    if isinstance(source, str | PathLike):
        return read_text(fspath(source))
    try:
        text = source.read()
    except AttributeError:
        message = f"a log is read from a path, an open file or text, not {source!r}"
        raise BadInput(message) from None
    if not isinstance(text, str):
        raise BadInput("the file must be opened in text mode")
    with suppress(AttributeError):  # text in memory has no name
        return text, str(source.name) or None
    return text, None


def _class(game: type | str | None) -> type | None:
    """Return the class of a game that is given as a class or by its name."""
    if isinstance(game, str):
        hidden = registry.find(game).hidden
        if not hidden:
            raise BadInput(f"the game {game!r} hides nothing, so it has no logs")
        named: type = registry.load(hidden)
        return named
    if game is not None and hook(game, HiddenGame.evidence) is None:
        raise BadInput(f"not the class of a hidden game: {game!r}")
    return game


def _named_in_header(text: str, source: str | None) -> type:
    from deduce.logs.json_values import parse_json

    first = text.lstrip().partition("\n")[0]
    with placed(source=source, line=1):
        header = parse_json(first)
        name = header.get("game") if isinstance(header, dict) else None
        if not isinstance(name, str):
            raise BadInput('the header names no game: it needs a field "game", such as "cluedo"')
        game = _class(name)
        assert game is not None
        return game


def _games_with_notation() -> Iterator[tuple[registry.Registration, type[object]]]:
    """Yield the installed hidden games whose logs have a notation; broken plug-ins are left out."""
    for name in registry.names():
        with suppress(Unsupported, ImportError):
            entry = registry.find(name)
            game = registry.load(entry.hidden)
            if hook(game, Documents.parse_log):
                yield entry, game
