"""Files: read up to a size, and written so that nothing is half written or lost, whatever happens.

A file that a command is changing is locked, so that no other command changes it meanwhile. A lock
is on the file or folder itself, so it leaves nothing behind, and it ends with its process, whatever
ends that. Where the system has no such locks (WebAssembly, Windows), nothing is locked.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from deduce.errors import BadInput, placed
from deduce.system.text import nearest

__all__ = [
    "MAX_FILE",
    "MAX_LINE",
    "append_to_file",
    "check_writable",
    "lock_descriptor",
    "locked",
    "nearest_file",
    "read_bytes",
    "read_text",
    "replace_file",
    "unreadable",
    "write_new_file",
]

MAX_LINE = 100_000
"""Characters; a longer line is refused rather than shown or matched."""

MAX_FILE = 64 * 2**20
"""The size in bytes up to which a file is read."""


def _read_limited(stream: IO[bytes]) -> bytes:
    """Return everything that a stream contains, up to `MAX_FILE` bytes.

    Raises
    ------
    BadInput
        It contains more, or never ends, as ``/dev/zero``.
    """
    data = bytearray()
    while len(data) <= MAX_FILE:
        chunk = stream.read(min(2**20, MAX_FILE + 1 - len(data)))
        if not chunk:
            return bytes(data)
        data += chunk
    raise BadInput(f"larger than {MAX_FILE // 2**20} MiB; no input of deduce is that large")


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, up to `MAX_FILE` bytes; every file is read by this function.

    Raises
    ------
    BadInput
        The file is larger.
    OSError
        It cannot be read.
    """
    with path.open("rb") as file, placed(source=str(path)):
        return _read_limited(file)


def read_text(file: str) -> tuple[str, str]:
    """Return the text of a file (``"-"``: standard input) and the name to use in messages.

    Raises
    ------
    BadInput
        The file is missing, larger than 64 MiB, not UTF-8 text, or has a line of more than
        100 000 characters that is not JSON.
    """
    source = "<stdin>" if file == "-" else file
    if file == "-" and sys.stdin is None:
        raise BadInput("cannot be read: it is closed", source=source)
    try:
        data = _read_limited(sys.stdin.buffer) if file == "-" else read_bytes(Path(file))
    except OSError as error:
        raise unreadable(file, error) from None
    except BadInput as error:
        raise error.at(source=source) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput("not a text file in UTF-8", source=source, line=line) from None
    for number, line_text in enumerate(text.splitlines(), start=1):
        if len(line_text) > MAX_LINE and line_text[0] not in "{[":
            raise BadInput(
                f"a line of {len(line_text)} characters; no event is that long",
                source=source,
                line=number,
            )
        if "\0" in line_text:
            raise BadInput(
                "not a text file: it contains a NUL character", source=source, line=number
            )
    return text, source


def unreadable(file: str, error: OSError) -> BadInput:
    """Return the error for a file that cannot be read: what is wrong, and what would be right.

    >>> print(unreadable("nowhere/a.log", FileNotFoundError(2, "No such file or directory")))
    nowhere/a.log: cannot be read: No such file or directory ('deduce games --examples' lists some)
    """
    message = f"cannot be read: {error.strerror}"
    if not file:
        message = "the name of the file is empty"
    elif isinstance(error, FileNotFoundError):
        claim = "; the log comes last, after the claim" if "=" in file else ""
        message += nearest_file(file) or claim or " ('deduce games --examples' lists some)"
    elif isinstance(error, IsADirectoryError):
        message += "; name a file in it"
    return BadInput(message, source=file)


def nearest_file(file: str) -> str:
    """Return ``"; did you mean 'x'?"`` for a file in the same folder, or an empty string."""
    try:
        return nearest(file, [str(other) for other in Path(file).parent.iterdir()])
    except (OSError, ValueError):
        return ""


def replace_file(path: Path, text: str | bytes, *, force: bool = True) -> None:
    r"""Make a file hold the text, in UTF-8, or the bytes, whatever stops the program meanwhile.

    It is written to a second file in the same folder, forced to the disk, and then put in the
    place of the first, whose permissions it takes over. A link is followed; what is not a
    regular file (a pipe, ``/dev/stdout``) is written to as it is. Without ``force`` it is left to
    the system when it is on the disk: a program that is killed loses nothing, a failure of power
    may undo the change.

    Raises
    ------
    BadInput
        The file cannot be written; it is then as before.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "first.txt")
    ...     replace_file(path, "A asks B\n")
    ...     replace_file(path, "A asks C\n")
    ...     path.read_text(), len(list(path.parent.iterdir()))
    ('A asks C\n', 1)
    """
    data = _encoded(path, text) if isinstance(text, str) else text
    try:
        target = _followed(path)
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target, data, force=force)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", source=str(path)) from None


def check_writable(path: Path) -> None:
    """Raise `BadInput` if a file could not be written: for checks before long work.

    Raises
    ------
    BadInput
        Its folder does not exist or cannot be written to, or it is a folder or a link in a circle.

    Examples
    --------
    >>> check_writable(Path("/no/such/folder/plan.json"))
    Traceback (most recent call last):
    deduce.errors.BadInput: /no/such/folder/plan.json: cannot be written: No such file or directory
    """
    try:
        folder = _followed(path).parent
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", source=str(path)) from None
    if path.is_dir():
        reason = errno.EISDIR
    elif not folder.exists():
        reason = errno.ENOENT
    elif not folder.is_dir():
        reason = errno.ENOTDIR
    elif not os.access(path if path.exists() else folder, os.W_OK):
        reason = errno.EACCES
    else:
        return
    raise BadInput(f"cannot be written: {os.strerror(reason)}", source=str(path))


def write_new_file(path: Path, text: str) -> None:
    """Make a new file that holds the text, in UTF-8, and is on the disk when this returns.

    Raises
    ------
    BadInput
        The file already exists, or it cannot be written; it is not made then.
    """
    data = _encoded(path, text)
    try:
        with path.open("xb") as file:
            try:
                _write_all(file.fileno(), data)
            except BaseException:
                path.unlink(missing_ok=True)
                raise
    except FileExistsError:
        raise BadInput("the file already exists", source=str(path)) from None
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", source=str(path)) from None
    _flush_folder(path)


def append_to_file(path: Path, text: str) -> None:
    """Add text at the end of a file that exists, in UTF-8; it is on the disk when this returns.

    Raises
    ------
    BadInput
        The file cannot be written; it is then as before.
    """
    data = _encoded(path, text)
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            size = os.fstat(file).st_size
            try:
                _write_all(file, data)
            except BaseException:
                os.ftruncate(file, size)
                raise
        finally:
            os.close(file)
    except OSError as error:
        raise BadInput(f"cannot be written: {error.strerror}", source=str(path)) from None


def _encoded(path: Path, text: str) -> bytes:
    """Return the text in UTF-8; half a character, as from a broken locale, is refused."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise BadInput(
            f"cannot be written: {text[error.start : error.end]!r} is not a character",
            source=str(path),
        ) from None


def _replace(path: Path, data: bytes, *, force: bool) -> None:
    second, file = _beside(path)
    try:
        try:
            if path.exists():
                shutil.copymode(path, second)  # before the content is written
            _write_all(file, data, force=force)
            _carry_lock(path, file)
            second.replace(path)
        finally:
            os.close(file)
    except BaseException:
        second.unlink(missing_ok=True)
        raise
    if force:
        _flush_folder(path)


def _beside(path: Path) -> tuple[Path, int]:
    """Return a new empty file in the same folder, and its descriptor."""
    _remove_litter(path.parent)
    number = 0
    while True:
        name = path.with_name(f".deduce-{os.getpid()}-{number}")
        try:
            return name, os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            number += 1


def _write_all(file: int, data: bytes, *, force: bool = True) -> None:
    """Write all bytes to an open descriptor and force them to the disk."""
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]
    if force:
        os.fsync(file)


def _flush_folder(path: Path) -> None:
    """Force the file's name to the disk, where the system can do that."""
    with suppress(OSError):
        folder = os.open(path.resolve().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# Locks

_held: dict[Path, int | None] = {}
"""What this process has locked: the descriptor, or ``None`` where there is nothing to lock yet."""


def lock_descriptor(descriptor: int) -> bool:
    """Lock what is open, and return whether that was possible: ``False`` if another has the lock.

    The lock ends when the descriptor is closed. Where the system or the file system has no locks,
    this is ``True``.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _followed(path: Path) -> Path:
    """Return what a path leads to; links that go in a circle are an `OSError`."""
    with suppress(RuntimeError):  # which Python 3.11 and 3.12 raise there
        target = path.resolve()
        if not target.is_symlink():  # as it is there from Python 3.13 on
            return target
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes of deduce from changing a file or folder within a ``with`` block.

    The file need not exist yet, and may be replaced by `replace_file` in the block; the lock is
    then on what takes its place. Everybody can read it meanwhile. What a killed process left in the
    folder is removed first.

    Parameters
    ----------
    path
        A file or a folder; a link is followed.

    Raises
    ------
    BadInput
        It is locked already, by another process or by this one, or is a link that goes in a circle.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as name, locked(Path(name)):
    ...     with locked(Path(name)):
    ...         pass
    Traceback (most recent call last):
        ...
    deduce.errors.BadInput: ...: is being changed by another command; end that first
    """
    try:
        target = _followed(path)
    except OSError as error:
        raise BadInput(f"cannot be opened: {error.strerror}", source=str(path)) from None
    if target in _held:
        raise _refused(path)
    _remove_litter(target if target.is_dir() else target.parent)
    _held[target] = None
    try:
        _held[target] = _open_locked(target)
        yield
    finally:
        descriptor = _held.pop(target)
        if descriptor is not None:
            os.close(descriptor)


def _carry_lock(path: Path, successor: int) -> None:
    """Lock the open file that is about to take the place of ``path``, if ``path`` is locked here.

    Parameters
    ----------
    path
        The file, with links followed.
    successor
        A descriptor of the file that will be renamed to ``path``; it remains the caller's.

    Raises
    ------
    BadInput
        Another process made the file meanwhile, and has locked it.
    """
    if path not in _held:
        return
    if _held[path] is None:
        _held[path] = _open_locked(path)
    before = _held[path]
    _held[path] = os.dup(successor)
    lock_descriptor(successor)
    if before is not None:
        os.close(before)


def _open_locked(path: Path) -> int | None:
    """Return a locked descriptor of a file or folder; ``None`` where there is none to lock.

    Raises
    ------
    BadInput
        Another process has locked it.
    """
    while True:
        descriptor = _opened(path)
        if descriptor is None:
            return None
        if not lock_descriptor(descriptor):
            os.close(descriptor)
            raise _refused(path)
        with suppress(OSError):
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        os.close(descriptor)  # it was replaced between opening and locking


def _opened(path: Path) -> int | None:
    """Return a descriptor of a regular file or a folder that exists and can be read."""
    with suppress(OSError):
        if stat.S_IFMT(path.stat().st_mode) in (stat.S_IFREG, stat.S_IFDIR):
            return os.open(path, os.O_RDONLY)
    return None


def _refused(path: Path) -> BadInput:
    return BadInput("is being changed by another command; end that first", source=str(path))


# What killed processes leave behind

_LITTER = re.compile(r"\.deduce-([0-9]{1,9})-[0-9]{1,9}")


def _remove_litter(folder: Path) -> None:
    """Remove the second files of processes that were killed before they could do it."""
    with suppress(OSError):
        for path in folder.glob(".deduce-*-*"):
            match = _LITTER.fullmatch(path.name)
            if match and not _is_running(int(match[1])):
                with suppress(OSError):
                    path.unlink()


def _is_running(process: int) -> bool:
    """Return whether there is such a process; of what cannot be known, that there is."""
    if process == os.getpid() or os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
