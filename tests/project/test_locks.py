"""Two commands do not change one file; a lock leaves nothing behind, and ends with its process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deduce.cli.main import cli
from deduce.errors import BadInput
from deduce.system.files import append_to_file, locked, replace_file
from tests.programs import deduce

if sys.platform == "win32":
    pytest.skip("nothing is locked there", allow_module_level=True)

TRY = """
import sys
from pathlib import Path
from deduce.errors import BadInput
from deduce.system.files import locked
try:
    with locked(Path(sys.argv[1])):
        print("free")
except BadInput as error:
    print(error)
"""


def another(path: Path) -> str:
    """Return what another process says that wants to change a file."""
    done = subprocess.run([sys.executable, "-c", TRY, path], capture_output=True, text=True)
    assert not done.stderr
    return done.stdout.strip()


def test_another_process_is_refused_until_the_block_ends(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_text("a\n")
    with locked(file):
        assert another(file) == f"{file}: is being changed by another command; end that first"
        assert another(tmp_path / "other") == "free"
    assert another(file) == "free"
    assert os.listdir(tmp_path) == ["log"]


def test_the_lock_stays_on_a_file_that_is_made_replaced_or_longer(tmp_path: Path) -> None:
    file, link = tmp_path / "log", tmp_path / "link"
    link.symlink_to(file)
    with locked(link):
        for _ in range(2):
            replace_file(link, "a\n")
            assert "is being changed" in another(file)
        append_to_file(file, "b\n")
        assert "is being changed" in another(file)
    assert another(link) == "free"
    assert file.read_text() == "a\nb\n"


def test_who_makes_the_file_first_has_it(tmp_path: Path) -> None:
    file = tmp_path / "log"
    code = TRY.replace('print("free")', 'replace_file(Path(sys.argv[1]), "theirs"); input()')
    code = "from deduce.system.files import replace_file" + code
    with locked(file):
        with subprocess.Popen(
            [sys.executable, "-c", code, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as other:
            while not file.exists():
                assert other.poll() is None
            with pytest.raises(BadInput, match="is being changed by another command"):
                replace_file(file, "ours")
            other.communicate(b"\n")
        assert file.read_text() == "theirs"
        replace_file(file, "ours")
    assert os.listdir(tmp_path) == ["log"]


def test_a_folder_is_locked_and_what_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".deduce-999999999-0").write_text("half")
    with locked(tmp_path):
        assert os.listdir(tmp_path) == []
        assert "is being changed" in another(tmp_path)


def test_what_does_not_exist_or_is_no_file_is_not_locked(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path / "missing" / "log"):
        with locked(path):
            assert another(path) == "free"


def test_without_locks_of_the_system_nothing_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with locked(tmp_path):
        assert another(tmp_path) == "free"


@pytest.mark.parametrize(
    ("new", "command"),
    [
        (["cluedo", "new", "--players", "Ann 6, Ben 6, Cid 6", "-"], ["cluedo", "track"]),
        (["mastermind", "new"], ["mastermind", "track"]),
        (["quartets", "new", "--players", "Ann,Ben"], ["quartets", "play"]),
        (["minesweeper", "new", "--board", "beginner"], ["minesweeper", "track"]),
        (None, ["propre", "play", "--save"]),
        (None, ["cluedo", "play"]),
        (None, ["app", "cluedo", "--no-browser"]),
    ],
)
def test_commands_that_keep_a_log_refuse_one_that_another_keeps(
    new: list[str] | None, command: list[str], tmp_path: Path
) -> None:
    log = tmp_path / "log"
    if new is not None:
        log.write_text(deduce(*new).stdout, encoding="utf-8")
    with locked(log):
        if new is None:
            replace_file(log, "")
        done = deduce(*command, str(log))
    assert done.returncode == 3, done
    assert "log: is being changed by another command; end that first" in done.stderr


@pytest.mark.parametrize("game", ["cluedo", "mastermind", "minesweeper", "quartets"])
def test_a_mistyped_log_begins_no_other_game(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.log").touch()
    verb = "play" if game == "quartets" else "track"
    with pytest.raises(BadInput) as refused:
        cli.main([game, verb, "gme.log"], standalone_mode=False)
    message = str(refused.value)
    assert message.startswith("gme.log: there is no such file; did you mean 'game.log'?; ")
    assert f"'deduce {game} new" in message
    assert list(tmp_path.iterdir()) == [tmp_path / "game.log"]
