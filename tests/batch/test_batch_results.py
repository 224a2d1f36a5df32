"""The file of results: what is in it survives whatever ends the program."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deduce.batch.results import ResultsFile
from deduce.errors import BadInput

HEADER = {"of": "coin", "seed": 3}


def filled(path: Path, number: int) -> None:
    with ResultsFile(path, HEADER) as file:
        for trial in range(number):
            file.add({"trial": trial, "heads": trial % 2 == 0})


def test_a_second_start_finds_what_the_first_has_written(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "coin.jsonl"
    filled(path, 3)
    with ResultsFile(path, HEADER) as file:
        assert [row["trial"] for row in file.rows()] == [0, 1, 2]
        assert not file.healed
        file.add({"trial": 3, "heads": True})
    assert len(path.read_text().splitlines()) == 5


@given(cut=st.integers(min_value=1))
def test_a_file_cut_off_anywhere_keeps_every_whole_line(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "coin.jsonl"
    filled(path, 5)
    whole = path.read_bytes()
    left = whole[: cut % len(whole)]
    path.write_bytes(left)
    with ResultsFile(path, HEADER) as file:
        rows = list(file.rows())
        assert file.healed == (bool(left) and not left.endswith(b"\n"))
        file.add({"trial": 99})
        assert [*rows, {"trial": 99}] == list(file.rows())
    assert len(rows) == max(0, left.count(b"\n") - 1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("my diary\nMonday\n", "1: this is not a file of results"),
        ("my diary", "1: this is not a file of results"),
        ("my diary\nMonday", "1: this is not a file of results"),
        ('{"answer": 42}', "1: this is not a file of results"),
        ('{"of": "dice", "seed": 3}\n{"trial": 1, "he', 'of is "dice" there, and "coin" now'),
        ('{"of": "dice", "seed": 3}\n', 'of is "dice" there, and "coin" now'),
        ('{"of": "coin", "seed": 3, "sides": 2}\n', "sides is 2 there, and missing now"),
        (json.dumps(HEADER) + "\n[]\n", "2: this line is not a result"),
        (json.dumps(HEADER) + '\n{"trial": "x"}\n', "2: a result without 'trial'"),
        (json.dumps(HEADER) + '\n{"trial": 1}\n{"trial": 1}\n', "3: trial 1 occurs twice"),
    ],
)
def test_what_is_no_file_of_these_trials_is_refused_and_left_alone(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text(text)
    with pytest.raises(BadInput) as error, ResultsFile(path, HEADER) as file:
        list(file.rows())
    assert said in str(error.value)
    assert path.read_text() == text


def test_two_writers_at_a_time_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="this system has no such locks")
    path = tmp_path / "coin.jsonl"
    with (
        ResultsFile(path, HEADER),
        pytest.raises(BadInput, match="another process is writing"),
        ResultsFile(path, HEADER),
    ):
        pass


@pytest.mark.parametrize("device", ["/dev/null", "/dev/full"])
def test_what_keeps_nothing_cannot_be_continued(device: str) -> None:
    if not Path(device).exists():
        pytest.skip("this system has no such device")
    with pytest.raises(BadInput, match=f"{device}: not a regular file"):
        ResultsFile(Path(device), HEADER)


def test_a_pipe_in_the_place_of_the_file_is_an_error_that_says_so(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no pipes with names")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match=r"cannot be opened: .*not seekable"):
        ResultsFile(tmp_path / "pipe", HEADER)


def test_a_folder_in_the_place_of_the_file_is_an_error_that_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be opened: Is a directory"):
        ResultsFile(tmp_path, HEADER)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_said_with_the_file_and_masks_no_other_error(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    file = ResultsFile(path, {"of": "x"})
    with Path("/dev/full").open("r+b") as full:
        os.dup2(full.fileno(), file._file.fileno())
    with pytest.raises(BadInput, match=r"results.jsonl: cannot be written: No space left"), file:
        file.add({"trial": 1})
    with ResultsFile(path, {"of": "x"}) as again:
        assert list(again.rows()) == []


def test_a_line_without_end_is_not_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deduce.batch.results.MAX_LINE", 2**20)
    path = tmp_path / "results.jsonl"
    with path.open("wb") as sparse:
        sparse.truncate(2**30)
    with pytest.raises(BadInput, match=r"results.jsonl:1: a line of more than 1 MiB"):
        ResultsFile(path, {"of": "x"})
    path.write_bytes(b'{"of": "x"}\n{"trial": "' + b"x" * 2**20 + b'"}\n')
    with pytest.raises(BadInput, match=r"results.jsonl:2: a line of more than 1 MiB"):
        ResultsFile(path, {"of": "x"})


def test_a_line_that_was_changed_moved_or_removed_is_named(tmp_path: Path) -> None:
    path = tmp_path / "coin.jsonl"
    filled(path, 4)
    lines = path.read_text().splitlines(keepends=True)
    assert '"heads": true' in lines[1]
    changed = [lines[0], lines[1].replace("true", "false"), *lines[2:]]
    for damaged, number in (
        (changed, 2),
        ([lines[0], lines[2], lines[1], *lines[3:]], 2),
        ([*lines[:2], *lines[3:]], 3),
        ([lines[0].replace('"digest"', '"d"'), *lines[1:]], 1),
    ):
        path.write_text("".join(damaged))
        with pytest.raises(BadInput, match=rf"coin.jsonl:{number}: "):
            ResultsFile(path, HEADER)


def test_a_file_of_an_older_version_is_continued_without_digests(tmp_path: Path) -> None:
    path = tmp_path / "coin.jsonl"
    header = {**HEADER, "schema": "coins/1"}
    path.write_text(json.dumps(header) + '\n{"trial": 0, "heads": true}\n')
    with ResultsFile(path, header) as file:
        file.add({"trial": 1, "heads": False})
    with ResultsFile(path, header) as file:
        assert [row["trial"] for row in file.rows()] == [0, 1]
    path.write_text(path.read_text().replace("}\n", ', "digest": "0"}\n'))
    with pytest.raises(BadInput, match=r"coin.jsonl:1: "):
        ResultsFile(path, header)
