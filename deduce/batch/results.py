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
from itertools import count
from pathlib import Path
from stat import S_ISREG
from types import TracebackType
from typing import Any, TypeAlias

from deduce.errors import BadInput
from deduce.system.files import lock_descriptor
from deduce.system.saved import digest_of

__all__ = [
    "ResultsFile",
]


Written: TypeAlias = dict[str, Any]
"""A row as it is read from the file."""

Row = Mapping[str, object]

FORMAT, DIGEST = "format", "digest"
RESULTS = "deduce/results/1"

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
        self.header = _plain({FORMAT: RESULTS, **header})
        self.number = number
        self.healed = False
        """Whether an incomplete last line was removed."""
        self._rows: dict[int, Written] = {}
        self._last: str | None = ""
        """The digest of the last line; ``None`` in a file without digests."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
        except OSError as error:
            raise self._cannot("be opened", error) from error
        try:
            self._lock()
            self._load()
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

    def rows(self) -> Iterator[Written]:
        """Yield the results so far, in the order in which they came."""
        yield from self._rows.values()

    def add(self, row: Row) -> None:
        """Append a result; it is in the file when this returns.

        Raises
        ------
        BadInput
            The file cannot be written.
        """
        plain = _plain(row)
        try:
            self._write(plain)
        except OSError as error:
            raise self._cannot("be written", error) from error
        self._rows[plain[self.number]] = plain

    def close(self) -> None:
        """Close the file; a result that could not be written was reported by `add`."""
        with suppress(OSError):
            self._file.close()

    def _write(self, row: Row) -> None:
        line, digest = self._line(row)
        self._file.write(line)
        self._file.flush()
        self._last = digest

    def _line(self, row: Row) -> tuple[bytes, str | None]:
        """Return the next line of the file, and its digest."""
        digest = None if self._last is None else digest_of(row, self._last)
        sealed = row if digest is None else {**row, DIGEST: digest}
        return json.dumps(sealed, ensure_ascii=False).encode() + b"\n", digest

    def _lock(self) -> None:
        """Keep other processes from writing, where the system has such locks."""
        if not lock_descriptor(self._file.fileno()):
            raise self._bad("another process is writing to this file")

    def _load(self) -> None:
        """Read all lines; write the header of a new file, and remove an incomplete last line."""
        if not S_ISREG(os.fstat(self._file.fileno()).st_mode):
            raise self._bad("not a regular file, so results would be lost; name another")
        self._file.seek(0)
        end = 0
        for number in count(1):
            line = self._file.readline(MAX_LINE + 1)
            if len(line) > MAX_LINE:
                size = MAX_LINE // 2**20
                raise self._bad(f"a line of more than {size} MiB is too long for a result", number)
            if not line.endswith(b"\n"):
                break
            self._take(self._parse(line, number), number)
            end += len(line)
        if not end and not self._line(self.header)[0].startswith(line):
            raise self._not_results()  # another file, which must not be truncated
        if line:
            self.healed = True
            self._file.truncate(end)
        if end:
            return
        try:
            self._write(self.header)
            os.fsync(self._file.fileno())
        except OSError as error:
            raise self._cannot("be written", error) from error

    def _take(self, row: Written, line: int) -> None:
        """Check a line and keep the result in it; refuse a file of other trials."""
        digest = row.pop(DIGEST, None)
        if line == 1:
            self._compare(row)
            self._last = "" if FORMAT in row else None
        if digest != self._line(row)[1]:
            raise self._bad("damaged, or changed since it was written", line)
        self._last = digest
        if line == 1:
            return
        number = row.get(self.number)
        if type(number) is not int:
            raise self._bad(f"a result without {self.number!r}", line)
        if number in self._rows:
            raise self._bad(f"{self.number} {number} occurs twice", line)
        self._rows[number] = row

    def _compare(self, header: Row) -> None:
        known = {FORMAT: RESULTS, **header}  # older versions wrote none
        for name in [*self.header, *known]:
            if known.get(name) != self.header.get(name):
                raise self._bad(
                    f"the file has results of something else: {name} is "
                    f"{_field(known, name)} there, and {_field(self.header, name)} now; "
                    "name another file",
                    1,
                )

    def _parse(self, line: bytes, line_number: int) -> Written:
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


def _plain(row: Row) -> Written:
    """Return a row as it is when it is read again: tuples are lists, keys are text."""
    plain: Written = json.loads(json.dumps(row))
    return plain


def _field(row: Row, name: str) -> str:
    return json.dumps(row[name], ensure_ascii=False) if name in row else "missing"
