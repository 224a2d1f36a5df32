"""Replaying recorded cases: every expected field is compared with what the toolkit answers.

A case file is one JSON object with a ``format`` such as ``"cluedo/exact"`` and a list ``cases``.
The part before the slash names a game; its registration names the function that replays the kind.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import field, frozen

from deduce import registry
from deduce.errors import BadInput, Contradiction
from deduce.events import unreadable
from deduce.jsontext import parse_json

__all__ = ["CaseResult", "Difference", "Replay", "compare", "replay"]


@frozen
class Difference:
    """One expected field that came out otherwise."""

    field: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        return f"{self.field}: expected {_short(self.expected)}, found {_short(self.found)}"


@frozen
class CaseResult:
    """The outcome of one case: it passed when there is no difference."""

    case: str
    differences: tuple[Difference, ...] = ()
    skipped: tuple[str, ...] = field(factory=tuple)
    """Expected fields that this version cannot compute yet; they are counted, never hidden."""


Replay = Callable[[Mapping[str, Any]], Iterator[CaseResult]]
"""A game's function for one kind of file: the whole document in, one result a case out."""


def compare(path: str, expected: Any, found: Any) -> Iterator[Difference]:
    """Yield a difference for every leaf in which two JSON-like values differ.

    >>> [str(d) for d in compare("hand", {"Ann": 3, "Ben": 2}, {"Ann": 3, "Ben": 4})]
    ['hand.Ben: expected 2, found 4']
    """
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        missing = "(nothing)"
        for key in dict.fromkeys([*expected, *found]):
            yield from compare(f"{path}.{key}", expected.get(key, missing), found.get(key, missing))
    elif expected != found:
        yield Difference(path, expected, found)


def replay(file: Path | str) -> Iterator[CaseResult]:
    """Yield the result of every case of a file, in order.

    Raises
    ------
    BadInput
        The file cannot be read, is not JSON, or has a format that no installed game replays.
    """
    document = _read(Path(file))
    name, _, kind = document["format"].partition("/")
    if name not in registry.names():
        raise BadInput(f"no game {name!r} is installed for format {name}/{kind}", source=str(file))
    kinds = registry.find(name).cases
    if kind not in kinds:
        known = ", ".join(f"{name}/{k}" for k in sorted(kinds)) or "none"
        raise BadInput(f"unknown format {name}/{kind}; known: {known}", source=str(file))
    function: Replay = registry.load(kinds[kind])
    try:
        yield from function(document)
    except BadInput as error:
        raise error.at(source=str(file)) from None
    except Contradiction as error:
        raise BadInput(f"a case contradicts itself: {error}", source=str(file)) from None
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        if not _about_the_file(error, function.__module__):
            raise
        raise BadInput(
            f"a case is not of the form {name}/{kind}: {error!r}", source=str(file)
        ) from error


def _about_the_file(error: Exception, reader: str) -> bool:
    """Return whether the error arose in the module that reads the cases: deeper, it is our own."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and trace.tb_frame.f_globals.get("__name__") == reader


def _read(file: Path) -> Mapping[str, Any]:
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BadInput("not a text file in UTF-8", source=str(file)) from error
    except OSError as error:
        raise unreadable(str(file), error) from error
    try:
        document = parse_json(text)
    except BadInput as error:
        raise error.at(source=str(file)) from error
    if not isinstance(document, dict) or not isinstance(document.get("format"), str):
        raise BadInput('not a case file: it has no "format", like "cluedo/exact"', source=str(file))
    if not isinstance(document.get("cases"), list):
        raise BadInput('not a case file: it has no list "cases"', source=str(file))
    return document


def _short(value: Any, limit: int = 200) -> str:
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= limit else text[: limit - 1] + "…"
