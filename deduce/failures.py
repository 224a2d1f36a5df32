"""Failures: unexpected exceptions, and whose code they came from."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from deduce import registry

__all__ = ["failure_message", "is_of_a_plugin"]


def failure_message(error: BaseException, command: Sequence[str]) -> str:
    """Return one line on an unexpected exception: where it arose, and to which project it belongs.

    The place is the innermost line of a plug-in game or of deduce. Where several games are in one
    file or folder, the one that the command names is meant.
    """
    error = _origin(error)
    place, owners = _place(error)
    kind = type(error).__name__
    what = f"{kind}: {error}" if str(error) else kind
    where = f"{place.filename}, line {place.lineno}, in {place.name}" if place else "unknown place"
    named = [name for name in owners if name in command] or owners
    whose = f"the game {named[0]!r}" if named else "deduce"
    return f"{what} ({where}); this is a failure of {whose}, not an answer"


def is_of_a_plugin(error: BaseException) -> bool:
    """Return whether the code of a game raised this, and not what prints answers or reads lines.

    An `OSError` or `EOFError` usually means standard output or input; from a game it is a failure.
    """
    return bool(_place(_origin(error))[1])


def _origin(error: BaseException) -> BaseException:
    """Return the exception of which Python or click made this one.

    Python turns a `StopIteration` that leaves a generator into a `RuntimeError`, and click an
    `EOFError` into its `Abort`, which is one too.
    """
    earlier = error.__cause__
    made = isinstance(error, RuntimeError) and isinstance(earlier, StopIteration | EOFError)
    return earlier if made and earlier is not None else error


def _place(error: BaseException) -> tuple[traceback.FrameSummary | None, Sequence[str]]:
    """Return the innermost frame of a game, of deduce or of click; and the games it belongs to."""
    known = [Path(module.__file__ or "").resolve().parent for module in (registry, click)]
    plugins = _plugins()
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        file = Path(frame.filename).resolve()
        owners = [name for name, home in plugins.items() if file.is_relative_to(home)]
        if owners or any(file.is_relative_to(home) for home in known):
            return frame, owners
    return (frames[-1] if frames else None), ()


def _plugins() -> dict[str, Path]:
    """Return the file or the folder of each game that is loaded already, by the game's name."""
    places: dict[str, Path] = {}
    for name in registry.names():
        for module_name in registry.modules_of(name):
            module = sys.modules.get(module_name)
            file = getattr(module, "__file__", None)
            if file is not None:
                path = Path(file).resolve()
                places[name] = path.parent if path.name == "__init__.py" else path
    return places
