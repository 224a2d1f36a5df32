"""Results of numbered trials in a file that can be continued: JSON lines, appended one by one.

The first line is a header that identifies the trials; every further line is the result of one
trial, an object with its number. A result counts once its line is complete, so if the program ends
for whatever reason, at most the unfinished trials are lost.

Each line has a digest of itself and of the digest before it, so that a line that was changed, moved
or removed is noticed; only lines at the end can be missing. Files of versions before 0.3 have no
digests; they are read and continued without.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from io import SEEK_END
from itertools import count
from pathlib import Path
from stat import S_ISREG
from types import TracebackType
from typing import IO, Any

from deduce.errors import BadInput
from deduce.locks import lock_descriptor
from deduce.saved import digest_of

__all__ = ["ResultsFile"]

Row = Mapping[str, Any]

SCHEMA = "deduce/results/1"
DIGEST = "digest"

MAX_LINE = 16 * 2**20
"""The size in bytes up to which a line is read."""


class ResultsFile:
    """A file of results, open for more.

    Parameters
    ----------
    path
        The file; it is created if it does not exist, with its folder.
    header
        What all trials of the file have in common, as values that JSON can represent.
    number
        The field of a result that has the number of the trial.

    Raises
    ------
    BadInput
        The file cannot be read or written, is not a file of results, has results of other trials
        (the message names the field that differs), a line is damaged, or another process is
        writing to it.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "coin.jsonl")
    ...     with ResultsFile(path, {"of": "coin"}) as file:
    ...         file.add({"trial": 1, "heads": True})
    ...     with path.open("a") as torn:
    ...         _ = torn.write('{"trial": 2, "hea')     # the machine was switched off here
    ...     with ResultsFile(path, {"of": "coin"}) as file:
    ...         list(file.rows()), file.healed
    ([{'trial': 1, 'heads': True}], True)
    """

    def __init__(self, path: Path, header: Row, *, number: str = "trial") -> None:
        self.path = path
        self.header = json.loads(json.dumps({"schema": SCHEMA, **header}))
        self.number = number
        self.healed = False
        """Whether an incomplete last line was removed."""
        self._last: str | None = None
        """The digest of the last line; ``None`` in a file without digests."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as error:
            raise self._cannot("be opened", error) from error
        try:
            self._lock()
            self._check()
            self._heal()
            for _ in self.rows():  # each is checked, and the digest of the last one remains
                pass
        except BaseException:
            self.close()
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
            A line is not a result or is damaged, or a number occurs twice.
        """
        seen = set()
        last: str | None = None
        is_old = False
        with self.path.open("rb") as file:
            for line_number in count(1):
                line = self._read_line(file, line_number)
                if not line:
                    self._last = last
                    return
                row = self._parse(line, line_number)
                digest = row.pop(DIGEST, None)
                if line_number == 1:
                    is_old = "schema" not in row
                if digest != (None if is_old else digest_of(row, last or "")):
                    raise self._bad("damaged, or changed since it was written", line_number)
                last = digest
                if line_number == 1:
                    continue
                number = row.get(self.number)
                if type(number) is not int:
                    raise self._bad(f"a result without {self.number!r}", line_number)
                if number in seen:
                    raise self._bad(f"{self.number} {number} occurs twice", line_number)
                seen.add(number)
                yield row

    def add(self, row: Row) -> None:
        """Append a result; it is in the file when this returns.

        Raises
        ------
        BadInput
            The file cannot be written.
        """
        try:
            self._write(row)
        except OSError as error:
            raise self._cannot("be written", error) from error

    def close(self) -> None:
        """Close the file; a result that could not be written was reported by `add`."""
        with suppress(OSError):
            self._file.close()

    def _read_line(self, file: IO[bytes], number: int) -> bytes:
        line = file.readline(MAX_LINE + 1)
        if len(line) > MAX_LINE:
            raise self._bad(
                f"a line of more than {MAX_LINE // 2**20} MiB, which no result is", number
            )
        return line

    def _write(self, row: Row) -> None:
        if self._last is not None:
            row = _with_digest(row, self._last)
        self._file.write(_line(row))
        self._file.flush()
        self._last = row.get(DIGEST)

    def _lock(self) -> None:
        """Keep other processes from writing, where the system has such locks."""
        if not lock_descriptor(self._file.fileno()):
            raise self._bad("another process is writing to this file")

    def _check(self) -> None:
        """Refuse a file of other trials; write the header of a new file."""
        if not S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise self._bad("this is not a regular file, which keeps what is written; name another")
        self._file.seek(0)
        first = self._read_line(self._file, 1)
        if first.endswith(b"\n"):
            self._compare(self._parse(first, 1))
            return
        if not _line(_with_digest(self.header, "")).startswith(first):
            raise self._not_results()  # another file, which must not be truncated
        self._cut(0)
        self._last = ""
        try:
            self._write(self.header)
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._cannot("be written", error) from error

    def _compare(self, header: Row) -> None:
        known = {"schema": SCHEMA, **header}  # older versions wrote none
        known.pop(DIGEST, None)
        for name in [*self.header, *known]:
            if known.get(name) != self.header.get(name):
                raise self._bad(
                    f"the file has results of something else: {name} is "
                    f"{_field(known, name)} there, and {_field(self.header, name)} now; "
                    "name another file",
                    1,
                )

    def _heal(self) -> None:
        """Remove an incomplete last line."""
        end = self._file.seek(0, SEEK_END)
        self._cut(_end_of_last_line(self._file, end))

    def _cut(self, end: int) -> None:
        if end < self._file.seek(0, SEEK_END):
            self.healed = True
            self._file.truncate(end)

    def _parse(self, line: bytes, line_number: int) -> dict[str, Any]:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise self._not_results(line_number)
        return row

    def _not_results(self, line: int = 1) -> BadInput:
        what = "this is not a file of results" if line == 1 else "this line is not a result"
        return self._bad(f"{what}: a JSON object is expected here", line)

    def _cannot(self, what: str, error: OSError) -> BadInput:
        return self._bad(f"cannot {what}: {error.strerror or error}")

    def _bad(self, message: str, line: int | None = None) -> BadInput:
        return BadInput(message, source=str(self.path), line=line)


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def _with_digest(row: Row, before: str) -> Row:
    plain = json.loads(json.dumps(row))  # tuples and numbers as keys as they are read again
    return {**plain, DIGEST: digest_of(plain, before)}


def _end_of_last_line(file: IO[bytes], end: int) -> int:
    """Return the position after the last line end."""
    while end > 0:
        start = max(0, end - 4096)
        file.seek(start)
        newline = file.read(end - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        end = start
    return 0


def _field(row: Row, name: str) -> str:
    return json.dumps(row[name], ensure_ascii=False) if name in row else "missing"
