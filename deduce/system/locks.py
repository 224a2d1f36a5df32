"""Other processes: none changes a file at the same time, and what a killed one left is removed.

A lock is on the file or folder itself, so it leaves nothing behind, and it ends with its process,
whatever ends that. Where the system has no such locks (WebAssembly, Windows), nothing is locked.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from deduce.errors import BadInput

__all__ = ["carry_lock", "followed", "lock_descriptor", "locked", "remove_litter"]

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


def followed(path: Path) -> Path:
    """Return what a path leads to; links that go in a circle are an `OSError`."""
    with suppress(RuntimeError):  # which Python 3.11 and 3.12 raise there
        target = path.resolve()
        if not target.is_symlink():  # as it is there from Python 3.13 on
            return target
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes of deduce from changing a file or folder within a ``with`` block.

    The file need not exist yet, and may be replaced by `deduce.system.files.replace_file` in the
    block; the lock is then on what takes its place. Reading is not kept from anybody. What a killed
    process left in the folder is removed first.

    Parameters
    ----------
    path
        A file or a folder; a link is followed.

    Raises
    ------
    BadInput
        It is locked already, by another process or by this one, or a link that goes in a circle.

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
        target = followed(path)
    except OSError as error:
        raise BadInput(f"cannot be opened: {error.strerror}", source=str(path)) from None
    if target in _held:
        raise _refused(path)
    remove_litter(target if target.is_dir() else target.parent)
    _held[target] = None
    try:
        _held[target] = _open_locked(target)
        yield
    finally:
        descriptor = _held.pop(target)
        if descriptor is not None:
            os.close(descriptor)


def carry_lock(path: Path, successor: int) -> None:
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


_LITTER = re.compile(r"\.deduce-([0-9]{1,9})-[0-9]{1,9}")


def remove_litter(folder: Path) -> None:
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
