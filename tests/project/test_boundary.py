"""One boundary: hostile files, options, plug-ins and signals end with the right exit code."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from deduce.errors import BadInput
from deduce.system.files import MAX_FILE, read_bytes, replace_file
from deduce.system.guarded import GuardedProcess, ProcessEnded, ProcessLate
from tests.programs import deduce

DEDUCE = [sys.executable, "-c", "from deduce.cli.main import main; main()"]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["cases", "/dev/zero"], 3, "larger than 64 MiB"),
        (["cluedo", "check", "/dev/zero"], 3, "larger than 64 MiB"),
        (["search", "nim", "--state", "@/dev/zero"], 3, "larger than 64 MiB"),
        (["propre", "simulate", "greedy", "random", "--games", "1" + "0" * 13], 2, "expected a"),
        (["cluedo", "tournament", "random", "random", "--games", "1" + "0" * 13], 2, "expected a"),
        (["cluedo", "tournament", "random", "random", "--jobs", "1000000"], 2, "expected a"),
        (["cultist", "match", "random", "random", "--games", "1" + "0" * 13], 2, "expected a"),
        (["cluedo", "play", "--players", "9" * 5000], 2, "at least two players"),
        (["search", "dice-nim", "--after", "9" * 5000], 3, "number of the outcome"),
        (["search", "nim", "--max-nodes", "²"], 2, "expected a whole number from"),
        (["search", "nim", "--set", "heaps=5²,4,3"], 2, "heaps=5²,4,3 is not of the form"),
        (["search", "nim", "--set", "heaps=１,2"], 2, "is not of the form"),
    ],
)
def test_hostile_arguments_are_refused(args: list[str], code: int, message: str) -> None:
    done = deduce(*args)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done
    assert message in done.stderr


@pytest.mark.parametrize(
    ("name", "text", "command"),
    [
        ("a.quartets", "quartets\nplayers: A, B, C\ngroups: 3 of 4\nhands: 5²,4,3\n", "quartets"),
        ("a.json", '{"seats": 5, "n": null, "schema": "x"}\n', "pigs"),
        ("b.jsonl", '{"game": "pigs", "seats": 5, "n": null}\n', "pigs"),
        ("c.json", '{"n": null, "log": []}\n', "pigs"),
    ],
)
def test_hostile_logs_are_unreadable(tmp_path: Path, name: str, text: str, command: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    done = deduce(command, "check", str(path))
    assert done.returncode == 3, done
    assert "Traceback" not in done.stderr


def test_a_name_that_is_half_a_character_is_refused(tmp_path: Path) -> None:
    log = os.fsencode(tmp_path / "new.cluedo")
    command = [*map(os.fsencode, DEDUCE), b"cluedo", b"new", b"--players", b"A\xffn, Ben, Cid", log]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.returncode == 3, done
    assert not os.path.exists(log)


# Case files


# Signals


@pytest.mark.skipif(os.name != "posix", reason="needs signals of POSIX")
def test_a_signal_ends_a_tournament_and_its_workers(tmp_path: Path) -> None:
    """Of Ctrl-C `test_stopped` and `test_cluedo_tournament` know more."""
    pytest.importorskip("joblib")
    out = tmp_path / "out.jsonl"
    command = [*DEDUCE, "cluedo", "tournament", "random", "random", "random", "--games", "100000",
               "--jobs", "2", "--out", str(out)]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        wait_until(lambda: out.exists() and out.read_bytes().count(b"\n") > 3)
        os.kill(process.pid, signal.SIGHUP)
        _, error = process.communicate(timeout=60)
        assert process.returncode == -signal.SIGHUP, error.decode()
        wait_until(lambda: not members_of(process.pid))
    finally:
        for member in members_of(process.pid):
            os.kill(member, signal.SIGKILL)


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.05)


def members_of(session: int) -> list[int]:
    """Return the processes of a session that are still running."""
    members = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            members.append(int(folder.name))
    return members


# Programs of strangers


@pytest.mark.skipif(os.name != "posix", reason="needs pipes of POSIX")
@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("import time; time.sleep(60)", ProcessLate),
        ("import os, time; os.fork() or time.sleep(60)", ProcessLate),
        ("import os, time; os.fork() or (os.setsid(), time.sleep(60))", ProcessLate),
        ("import sys; sys.exit(3)", ProcessEnded),
        ("import os; os.close(1); os.close(0); input()", ProcessEnded),
        ("import sys\nwhile True: sys.stderr.write('x' * 10000)", ProcessLate),
    ],
)
def test_a_program_never_blocks_its_guard(program: str, error: type[Exception]) -> None:
    guarded = GuardedProcess(f"{sys.executable} -c {shlex.quote(program)}")
    started = time.monotonic()
    with pytest.raises(error):
        guarded.ask("x" * 1_000_000 + "\n", seconds=0.3 if error is ProcessLate else 20)
    guarded.close()
    assert time.monotonic() - started < 40


@pytest.mark.skipif(os.name != "posix", reason="needs pipes of POSIX")
def test_output_without_end_is_limited() -> None:
    program = "import sys\nwhile True: sys.stdout.write('x' * 10000)"
    guarded = GuardedProcess(f"{sys.executable} -c {shlex.quote(program)}")
    assert guarded.ask("go\n", seconds=20) == "x" * 1000
    guarded.close()


# Files


def test_litter_of_killed_processes_is_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    (tmp_path / f".deduce-{ended.pid}-0").write_text("half written")
    (tmp_path / f".deduce-{os.getpid()}-7").write_text("in use")
    (tmp_path / ".deduce-notes").write_text("of the user")
    replace_file(tmp_path / "a.txt", "text")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == sorted([".deduce-notes", f".deduce-{os.getpid()}-7", "a.txt"])


def test_a_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(MAX_FILE)
    assert len(read_bytes(path)) == MAX_FILE
    with path.open("ab") as file:
        file.write(b"x")
    with pytest.raises(BadInput, match="larger than 64 MiB"):
        read_bytes(path)


def test_the_column_of_an_error_counts_blanks_before_the_event() -> None:
    from deduce.logs.events import parse_event
    from games.cluedo import Cluedo

    with pytest.raises(BadInput) as error:
        parse_event(Cluedo(("Ann", "Ben")), "   Ben has ropp")
    assert error.value.column == 12


def test_every_promise_of_the_threat_model_names_tests_that_exist() -> None:
    page = (ROOT / "docs/record/threat-model.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", page)
    assert len(named) > 20
    for file, test in named:
        source = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {test}(" in source if test else source, (file, test)
