"""The files of a solution: sorted arrays of packed states by tier, and what is known of them.

A folder has ``solution.json`` (what is solved and how far), and for every part of every tier three
files of little-endian numbers, in the order of the states: ``.codes`` (8 bytes each), ``.values``
(1 byte, an index into the utilities of ``solution.json``) and ``.plies`` (2 bytes; 65535 for
endless play; in a game with ``secured`` two bytes for each player). A file appears under its name
only when it is whole, and a receipt beside it records what its making returned; so a solution that
was stopped, however that happened, is continued.

Only ``solution.json`` is forced to the disk while a solution grows, and that every few seconds,
since waiting for the disk after every file took longer than the work. What a failure of power or
anything else has damaged is noticed: receipts and ``solution.json`` have a digest of each of their
files, computed while it is written; when a solution is continued, all files are compared with
them, and those of a part when its values are first looked up. For arrays the digest is a CRC-32,
twice as fast as SHA-256. What is unfinished, and receipts, are believed only if they have the
signature of this account (`deduce.system.saved.signature`), since what they leave out would be
missing.
"""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from attrs import asdict, define, field, frozen

from deduce.errors import BadInput, Unsupported, placed
from deduce.logs.json_values import structure
from deduce.system.saved import read_saved, save, sealed

if TYPE_CHECKING:
    from numpy.typing import NDArray


__all__ = [
    "ENDLESS",
    "SCHEMA",
    "Manifest",
    "Part",
    "Tier",
    "digest_of_file",
    "force_to_disk",
    "mapped",
    "part_name",
    "receipt",
    "remove_temporary",
    "run_name",
    "too_long",
    "write_array",
]

SCHEMA = "deduce/tablebase/1"
ENDLESS = 65535
"""The plies of a state from which play goes on for ever."""
MANIFEST = "solution.json"
RECEIPT = "deduce/tablebase-receipt/1"
UNFINISHED = ".part"
NUMBER = "[0-9]{5,}"
_TEMPORARY = re.compile(
    f"run(-{NUMBER}){{4}}\\.codes|(expand|collect|close|solve)-{NUMBER}-{NUMBER}\\.json"
    rf"|(run|tier|expand|collect|close|solve)-.*\{UNFINISHED}"
)


def part_name(tier: int, part: int) -> str:
    """Return how the names of the files of a part begin."""
    return f"tier-{tier:05}-{part:05}"


def run_name(*numbers: int) -> str:
    """Return how the names of runs begin: those of a tier, of a part of it, or of one source."""
    return "-".join(["run", *(f"{number:05}" for number in numbers)])


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

    def files(self, folder: Path, columns: int) -> Iterator[tuple[Path, int]]:
        """Yield the files that the tier has by now, with their sizes in bytes."""
        sizes = {"codes": 8}
        if self.summary is not None:
            sizes |= {"values": 1, "plies": 2 * columns}
        for part in self.parts or ():
            for suffix, size in sizes.items():
                yield folder / f"{part.name}.{suffix}", part.states * size


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
    solved: bool = False
    seconds: float = 0.0
    """Time spent so far, over all runs."""
    is_secured: bool = False
    """Whether values are what each player can force, each with plies of their own."""
    contents: dict[str, str] = field(factory=dict)
    """The digests of files by their names; older versions wrote none."""
    schema: str = SCHEMA

    @property
    def columns(self) -> int:
        """How many numbers of plies a state has."""
        return self.players if self.is_secured else 1

    def files(self, folder: Path) -> Iterator[tuple[Path, int]]:
        """Yield the files that there are by now, with their sizes in bytes."""
        for tier in self.tiers:
            yield from tier.files(folder, self.columns)

    def save(self, folder: Path, *, force: bool = True) -> None:
        """Write the manifest; with ``force`` it is on the disk when this returns."""
        self.tiers.sort(key=lambda tier: tier.tier)
        self.contents = dict(sorted(self.contents.items()))
        save(folder / MANIFEST, asdict(self), sign=True, force=force)

    def check_files(self, folder: Path) -> None:
        """Raise `BadInput` if a file is missing, damaged, or has another size than recorded.

        A tier that is not expanded may have more states already, those that closing it has added.
        """
        for tier in self.tiers:
            for path, size in tier.files(folder, self.columns):
                self.check_file(path, size, exactly=tier.expanded)
        for name in self.contents:
            if name.startswith("run-"):
                self.check_file(folder / name)

    def check_file(self, path: Path, size: int | None = None, *, exactly: bool = True) -> None:
        """Raise `BadInput` if a file is missing, damaged, or does not have this many bytes."""
        digest = self.contents.get(path.name)
        try:
            found = path.stat().st_size
            if size is not None and (found < size or (exactly and found > size)):
                problem = f"has {found:,} bytes, not {size:,}: it was cut short or changed"
            elif digest is None or size not in (None, found) or digest == digest_of_file(path):
                return
            else:
                problem = "damaged, or changed since it was written"
        except OSError as error:
            raise BadInput(f"cannot be read: {error.strerror}", source=str(path)) from None
        raise BadInput(f"{problem}; remove the folder and solve again", source=str(path))

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
        document, is_signed = read_saved(path, SCHEMA)
        document.pop("explored", None)  # which older versions wrote, and none has read
        with placed(source=str(path)):
            manifest = structure(document, cls)
            manifest._check()
            if not manifest.solved and not is_signed:
                raise BadInput(
                    "the solution is unfinished, and was not written by this account with this "
                    "version; remove the folder and solve again"
                )
        return manifest

    def _check(self) -> None:
        """Raise `BadInput` if the manifest contradicts itself."""
        numbers = [tier.tier for tier in self.tiers]
        if numbers != sorted(set(numbers)):
            raise BadInput("the tiers are not in order")
        for tier in self.tiers:
            for index, part in enumerate(tier.parts or ()):
                name = part_name(tier.tier, index)
                if part.name != name or part.states < 0:
                    raise BadInput(f"part {index} of tier {tier.tier} is to be {name}")
            if tier.parts is not None and len(tier.parts) != len(tier.splits) + 1:
                raise BadInput(f"tier {tier.tier} has another number of parts than its splits say")
            if tier.summary is None and self.solved:
                raise BadInput(f"tier {tier.tier} is not solved, but the whole is said to be")
        if any(len(each) != self.players for each in self.utilities):
            raise BadInput(f"utilities are {self.players} numbers, one per player")


def mapped(path: Path, dtype: str) -> NDArray[Any]:
    """Return the numbers in a file, which are read from the disk when they are used."""
    import numpy as np

    return np.memmap(path, dtype, "r") if path.stat().st_size else np.zeros(0, dtype)


def too_long() -> Unsupported:
    """Return the error of a game whose end may be too far off to be stored."""
    return Unsupported(
        f"play may take more than {ENDLESS - 1:,} plies, which two bytes cannot hold"
    )


def digest_of_file(path: Path) -> str:
    """Return the digest of what a file contains; `write_array` gives the same."""
    digest = 0
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest = crc32(chunk, digest)
    return f"{digest:08x}"


@contextmanager
def write_array(path: Path, made: dict[str, str]) -> Iterator[Callable[[NDArray[Any]], None]]:
    """Give a function that appends arrays to a file, which appears when the block ends.

    The digest of the file is then in ``made``, under its name.

    Raises
    ------
    BadInput
        The file cannot be written; its name is part of the error.
    """
    second, digest = _second(path), 0

    def append(array: NDArray[Any]) -> None:
        nonlocal digest
        array.tofile(file)
        digest = crc32(array.data, digest)

    try:
        try:
            with second.open("wb") as file:
                yield append
            second.replace(path)
            made[path.name] = f"{digest:08x}"
        except BaseException:
            second.unlink(missing_ok=True)
            raise
    except OSError as error:
        reason = error.strerror or "not all of it was written; is the disk full?"  # so numpy
        raise BadInput(f"cannot be written: {reason}", source=str(path)) from None


def receipt(
    path: Path, work: Callable[[], Any], made: dict[str, str]
) -> tuple[object, dict[str, str]]:
    """Return what a piece of work returns, a JSON value, and the digests of its files.

    The work is done only if it was not done before. What it writes must be whole before it returns.
    Then the result is recorded in a file, with the digests of the files that were ``made`` by then.
    Where one of them is missing or damaged, which a failure of power may have done, the work is
    done again.

    Raises
    ------
    BadInput
        The file cannot be written.
    """
    # Where there is none yet, as for most work, no message about a missing file is made.
    with suppress(OSError, LookupError, BadInput):  # damaged, or of an earlier version
        known, is_signed = read_saved(path, RECEIPT) if path.exists() else ({"files": {}}, False)
        files = known["files"]
        if is_signed and all(digest_of_file(path.with_name(name)) == files[name] for name in files):
            return known["result"], files
    result = work()
    second = _second(path)
    try:
        known = {"schema": RECEIPT, "result": result, "files": made}
        second.write_text(json.dumps(sealed(known, sign=True)))
        second.replace(path)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", source=str(path)) from None
    return result, made


def _second(path: Path) -> Path:
    """Return the name of a file while it is written, one for each process that may write it."""
    return path.with_name(f"{path.name}.{socket.gethostname()}-{os.getpid()}{UNFINISHED}")


def remove_temporary(folder: Path, *, unfinished: bool = False) -> None:
    """Remove what is needed only while a folder is solved, or only files that are not whole."""
    for path in folder.iterdir():
        if _TEMPORARY.fullmatch(path.name) and (not unfinished or path.suffix == UNFINISHED):
            path.unlink(missing_ok=True)


def force_to_disk(paths: Iterable[Path]) -> None:
    """Return when files are on the disk, for which the system is asked about many at a time."""

    def force(path: Path) -> None:
        with path.open("rb") as file:
            os.fsync(file.fileno())

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(force, paths))
