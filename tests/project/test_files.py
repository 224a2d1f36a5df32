"""Files are written as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from deduce.errors import BadInput
from deduce.system.files import append_to_file, check_writable, locked, replace_file, write_new_file

Write = Callable[[Path, str], None]


def _fail_halfway(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    real = os.write

    def write(file: int, data: memoryview) -> int:
        if len(data) < 5:
            raise error
        return real(file, data[: len(data) // 2])

    monkeypatch.setattr(os, "write", write)


@pytest.mark.parametrize("write", [replace_file, append_to_file])
def test_a_full_disk_leaves_the_file_as_it_was(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "log"
    file.write_text("old\n")
    _fail_halfway(monkeypatch, OSError(28, "No space left on device"))
    with pytest.raises(BadInput, match="log: cannot be written: No space left on device"):
        write(file, "a longer new text\n")
    assert file.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["log"]


def test_ctrl_c_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "log"
    file.write_text("old\n")
    _fail_halfway(monkeypatch, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        replace_file(file, "a longer new text\n")
    assert file.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["log"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_new_file_that_cannot_be_written_whole_is_not_made(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _fail_halfway(monkeypatch, error)
    with pytest.raises((BadInput, KeyboardInterrupt)):
        write_new_file(tmp_path / "log", "a longer new text\n")
    assert os.listdir(tmp_path) == []


def test_what_only_the_owner_may_read_stays_so_while_it_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, real, modes = tmp_path / "log", os.write, []
    file.write_text("old")
    file.chmod(0o600)

    def write(number: int, data: memoryview) -> int:
        modes.append(os.fstat(number).st_mode & 0o777)
        return real(number, data)

    monkeypatch.setattr(os, "write", write)
    replace_file(file, "new")
    assert modes == [0o600]


def test_a_link_to_itself_is_no_file(tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(BadInput, match=r"loop: cannot be written: .*links"):
        replace_file(loop, "text")
    with pytest.raises(BadInput, match=r"loop: cannot be written: .*links"):
        check_writable(loop)
    with pytest.raises(BadInput, match=r"loop: cannot be opened: .*links"), locked(loop):
        pass


def test_replacing_keeps_permissions_and_follows_links(tmp_path: Path) -> None:
    file, link = tmp_path / "log", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    replace_file(link, "new")
    assert (file.read_text(), link.is_symlink()) == ("new", True)
    assert file.stat().st_mode & 0o777 == 0o640


def test_what_is_no_file_is_written_to_as_it_is(tmp_path: Path) -> None:
    replace_file(Path(os.devnull), "text")
    assert not Path(os.devnull).is_file()
    with pytest.raises(BadInput, match="cannot be written: Is a directory"):
        replace_file(tmp_path, "text")


@pytest.mark.parametrize("name", ["n" * 255, "\u725b" * 85])
def test_a_long_name_can_be_replaced(name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    replace_file(file, "text")
    assert file.read_text() == "text"


def test_appending_and_making_look_first(tmp_path: Path) -> None:
    file = tmp_path / "log"
    with pytest.raises(BadInput, match="cannot be written: No such file"):
        append_to_file(file, "text")
    write_new_file(file, "one\n")
    with pytest.raises(BadInput, match="the file already exists"):
        write_new_file(file, "two\n")
    append_to_file(file, "two ä\n")
    assert file.read_text(encoding="utf-8") == "one\ntwo ä\n"
