"""Failures: unexpected exceptions, and whose code they came from."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from deduce import registry

__all__ = ["failure_message"]


def failure_message(error: BaseException, command: Sequence[str]) -> str:
    """Return one line on an unexpected exception: where it arose, and to which project it belongs.

    The place is the innermost line of a plug-in game if one is on the stack, else of deduce. Where
    several games are in one file or folder, the one that the command names is meant.
    """
    frames = traceback.extract_tb(error.__traceback__)
    ours = Path(__file__).resolve().parent
    plugins = _plugins()
    place = frames[-1] if frames else None
    owner = ""
    for frame in frames:
        file = Path(frame.filename).resolve()
        if file.is_relative_to(ours):
            place, owner = frame, ""
        theirs = [name for name, home in plugins.items() if file.is_relative_to(home)]
        if theirs:
            place, owner = frame, next((n for n in theirs if n in command), theirs[0])
    kind = type(error).__name__
    what = f"{kind}: {error}" if str(error) else kind
    where = f"{place.filename}, line {place.lineno}, in {place.name}" if place else "unknown place"
    whose = f"the game {owner!r}" if owner else "deduce"
    return f"{what} ({where}); this is a failure of {whose}, not an answer"


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
