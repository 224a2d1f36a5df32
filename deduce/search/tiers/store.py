"""The files of a solution: sorted arrays of packed states by tier, and what is known of them.

A folder has ``solution.json`` (what is solved and how far), and for every part of every tier three
files of little-endian numbers, in the order of the states: ``.codes`` (8 bytes each), ``.values``
(1 byte, an index into the utilities of ``solution.json``) and ``.plies`` (2 bytes; 65535 for
endless play). A file appears under its name only when it is whole, and a receipt beside it records
what its making returned; so a solution that was stopped, however that happened, is continued.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict, define, field, frozen

from deduce.errors import BadInput
from deduce.events import read_text, structure
from deduce.files import replace_file
from deduce.jsontext import parse_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from deduce.search.tiers.packing import Codes

__all__ = [
    "ENDLESS",
    "SCHEMA",
    "Manifest",
    "Part",
    "Tier",
    "TierFiles",
    "mapped",
    "receipt",
    "write_array",
]

SCHEMA = "deduce/tablebase/1"
ENDLESS = 65535
"""The plies of a state from which play goes on for ever."""
MANIFEST = "solution.json"


@frozen
class Part:
    """The states of a tier within a range of codes; the names of its files begin with ``name``."""

    name: str
    states: int


@define
class Tier:
    """What is known of one tier."""

    tier: int
    splits: list[int] = field(factory=list)
    """The least codes of all parts but the first."""
    parts: list[Part] | None = None
    """``None`` until all states of the tier are collected."""
    expanded: bool = False
    cyclic: bool = False
    """Whether some moves stay within the tier."""
    summary: dict[str, int] | None = None
    """Counts of its states, once it is solved."""

    @property
    def states(self) -> int:
        """The number of states that are collected."""
        return sum(part.states for part in self.parts or ())


@define
class Manifest:
    """What a folder solves, and how far it came."""

    game: str
    root: str
    root_code: int
    players: int
    memory: int
    """The limit under which the parts were divided, in bytes."""
    tiers: list[Tier]
    utilities: list[list[float]] = field(factory=list)
    """Utilities of finished states, one number per player; values are indices into this list."""
    explored: bool = False
    solved: bool = False
    seconds: float = 0.0
    """Time spent so far, over all runs."""
    schema: str = SCHEMA

    def save(self, folder: Path) -> None:
        """Write the manifest."""
        self.tiers.sort(key=lambda tier: tier.tier)
        replace_file(folder / MANIFEST, json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def load(cls, folder: Path) -> Manifest | None:
        """Return the manifest of a folder, ``None`` if there is none.

        Raises
        ------
        BadInput
            The file cannot be read, or is not the manifest of a solution.
        """
        path = folder / MANIFEST
        if not path.exists():
            return None
        text, source = read_text(str(path))
        try:
            manifest = structure(parse_json(text), cls)
            if manifest.schema != SCHEMA:
                raise BadInput(f"the schema is {manifest.schema!r}, not {SCHEMA!r}")
        except BadInput as error:
            raise error.at(source=source) from None
        return manifest


class TierFiles:
    """The states of a tier with their values, mapped from the disk while they are looked up.

    Files are opened when first needed; `close` gives back their memory.
    """

    def __init__(self, folder: Path, splits: Sequence[int], names: Sequence[str]) -> None:
        import numpy as np

        self._folder = folder
        self._names = names
        self._splits = np.array(splits, np.uint64)
        self._open: dict[int, tuple[Codes, NDArray[np.uint8], NDArray[np.uint16]]] = {}

    def look_up(self, codes: Codes) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
        """Return the values and the plies of packed states, all of which are in the tier."""
        import numpy as np

        if len(self._names) == 1:
            return self._within(0, codes)
        values = np.empty(len(codes), np.uint8)
        plies = np.empty(len(codes), np.uint16)
        parts = np.searchsorted(self._splits, codes, side="right")
        for part in np.unique(parts).tolist():
            chosen = np.flatnonzero(parts == part)
            values[chosen], plies[chosen] = self._within(part, codes[chosen])
        return values, plies

    def _within(self, part: int, codes: Codes) -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
        import numpy as np

        if part not in self._open:
            name = self._names[part]
            self._open[part] = (
                mapped(self._folder / f"{name}.codes", "<u8"),
                mapped(self._folder / f"{name}.values", "<u1"),
                mapped(self._folder / f"{name}.plies", "<u2"),
            )
        known, values, plies = self._open[part]
        indices = np.searchsorted(known, codes)
        return values[indices], plies[indices]

    def close(self) -> None:
        """Unmap the files."""
        self._open.clear()


def mapped(path: Path, dtype: str) -> NDArray[Any]:
    """Return the numbers in a file, which are read from the disk when they are used."""
    import numpy as np

    return np.memmap(path, dtype, "r") if path.stat().st_size else np.zeros(0, dtype)


@contextmanager
def write_array(path: Path) -> Iterator[Callable[[NDArray[Any]], None]]:
    """Give a function that appends arrays to a file, which appears when the block ends.

    Raises
    ------
    BadInput
        The file cannot be written; its name is part of the error.
    """
    second = path.with_name(path.name + ".part")
    try:
        with second.open("wb") as file:
            yield lambda array: array.tofile(file)
            file.flush()
            os.fsync(file.fileno())
        second.replace(path)
    except OSError as error:
        with suppress(OSError):
            second.unlink()
        raise BadInput(f"cannot be written: {error.strerror}", source=str(path)) from None


def receipt(path: Path, work: Callable[[], Any]) -> Any:
    """Return what a piece of work returns, a JSON value; do it only if it was not done before.

    What the work writes must be whole before it returns. Then the result is recorded in a file.
    """
    if path.exists():
        return json.loads(path.read_text())
    result = work()
    replace_file(path, json.dumps(result))
    return result
