"""Results of numbered trials in a file that can be continued: JSON lines, appended one by one.

The first line is a header that says which trials these are; every further line is the result of
one trial, an object with its number. A result counts once its line is complete, so whatever ends
the program loses at most the trials that were not finished.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from io import SEEK_END
from pathlib import Path
from stat import S_ISREG
from types import TracebackType
from typing import IO, Any

from deduce.errors import BadInput

__all__ = ["ResultsFile"]

Row = Mapping[str, Any]


class ResultsFile:
    """A file of results, open for more.

    Parameters
    ----------
    path
        The file; it is made if it does not exist, with its folder.
    header
        What all trials of the file have in common; must be able to stand in JSON.
    number
        The field of a result that has the trial's number.

    Raises
    ------
    BadInput
        The file cannot be read or written, is no file of results, is of other trials (the message
        names the field that differs), or another process is writing to it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "coin.jsonl")
    ...     with ResultsFile(path, {"of": "coin"}) as file:
    ...         file.add({"trial": 1, "heads": True})
    ...     with path.open("a") as torn:
    ...         _ = torn.write('{"trial": 2, "hea')     # here the machine was switched off
    ...     with ResultsFile(path, {"of": "coin"}) as file:
    ...         list(file.rows()), file.healed
    ([{'trial': 1, 'heads': True}], True)
    """

    def __init__(self, path: Path, header: Row, *, number: str = "trial") -> None:
        self.path = path
        self.header = json.loads(json.dumps(header))
        self.number = number
        self.healed = False
        """Whether a half-written last line was taken away."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as error:
            raise self._cannot("be opened", error) from error
        try:
            self._lock()
            self._check()
            self._heal()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ResultsFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the results so far, in the order in which they came.

        Raises
        ------
        BadInput
            A line is no result, or a number stands there twice.
        """
        seen = set()
        with self.path.open("rb") as file:
            for place, line in enumerate(file, start=1):
                row = self._parse(line, place)
                if place == 1:
                    continue
                number = row.get(self.number)
                if not isinstance(number, int):
                    raise BadInput(
                        f"a result without {self.number!r}", source=str(self.path), line=place
                    )
                if number in seen:
                    raise BadInput(
                        f"{self.number} {number} stands here twice",
                        source=str(self.path),
                        line=place,
                    )
                seen.add(number)
                yield row

    def add(self, row: Row) -> None:
        """Append a result; it is in the file when this returns.

        Raises
        ------
        BadInput
            It cannot be written.
        """
        try:
            self._write(row)
        except OSError as error:
            raise self._cannot("be written", error) from error

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, row: Row) -> None:
        self._file.write(_line(row))
        self._file.flush()

    def _lock(self) -> None:
        """Keep others from writing, where the system has such locks."""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadInput(
                "another process is writing to this file", source=str(self.path)
            ) from None

    def _check(self) -> None:
        """Refuse a file that is not of these trials; a new one gets its header."""
        if not S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise BadInput(
                "this is no ordinary file, which keeps what is written; name another",
                source=str(self.path),
            )
        self._file.seek(0)
        first = self._file.readline()
        if first.endswith(b"\n"):
            self._compare(self._parse(first, 1))
            return
        if not _line(self.header).startswith(first):
            raise self._stranger()  # somebody else's, which is not ours to cut
        self._cut(0)
        try:
            self._write(self.header)
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._cannot("be written", error) from error

    def _compare(self, found: Row) -> None:
        for name in [*self.header, *found]:
            if found.get(name) != self.header.get(name):
                raise BadInput(
                    f"the file has results of something else: {name} is "
                    f"{_shown(found, name)} there, and {_shown(self.header, name)} now; "
                    "name another file",
                    source=str(self.path),
                    line=1,
                )

    def _heal(self) -> None:
        """Take away a last line that was not written to its end, of a file that is ours."""
        end = self._file.seek(0, SEEK_END)
        self._cut(_end_of_last_line(self._file, end))

    def _cut(self, whole: int) -> None:
        if whole < self._file.seek(0, SEEK_END):
            self.healed = True
            self._file.truncate(whole)

    def _parse(self, line: bytes, place: int) -> dict[str, Any]:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise self._stranger(place)
        return row

    def _stranger(self, place: int = 1) -> BadInput:
        what = "this is no file of results" if place == 1 else "this line is no result"
        return BadInput(f"{what}: an object in JSON should stand here", source=str(self.path),
                        line=place)  # fmt: skip

    def _cannot(self, what: str, error: OSError) -> BadInput:
        return BadInput(f"cannot {what}: {error.strerror or error}", source=str(self.path))


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _end_of_last_line(file: IO[bytes], end: int) -> int:
    """Return the place after the last line end."""
    while end > 0:
        start = max(0, end - 4096)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def _shown(row: Row, name: str) -> str:
    return json.dumps(row[name], ensure_ascii=False) if name in row else "missing"
