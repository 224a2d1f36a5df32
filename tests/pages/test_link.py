"""``deduce link``: the address that opens a log."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from deduce.cli.main import cli
from deduce.errors import BadInput
from deduce.pages.messages import read_link
from deduce.pages.transports.kept import KeptLog
from tests.browser import served
from tests.pages.test_page_in_browser import DEDUCE, EVENING, READY

SITE = "https://example.org/deduce/"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def test_the_address_holds_the_log() -> None:
    result = CliRunner().invoke(cli, ["link", str(EVENING), "--site", SITE])
    address, _, fragment = result.output.strip().partition("#")
    assert (result.exit_code, address) == (0, SITE)
    document = read_link(fragment)
    assert (document.game, document.text) == ("cluedo", EVENING.read_text(encoding="utf-8"))
    # From a pipe the first words tell which game it is.
    piped = CliRunner().invoke(cli, ["link", "-", "--site", SITE], input=document.text)
    assert piped.output == result.output


def test_a_code_for_a_phone() -> None:
    pytest.importorskip("segno")
    result = CliRunner().invoke(cli, ["link", str(EVENING), "--site", SITE, "--qr"])
    assert result.exit_code == 0
    assert len(result.output.splitlines()) > 20


@pytest.mark.parametrize(
    ("arguments", "text", "code", "said"),
    [
        ([], "players: Ann, Ben, Cid\n", 2, "with --site"),
        (["--site", "javascript:1"], "players: Ann, Ben, Cid\n", 2, "an address like"),
        (["--site", SITE], "hello\n", 3, "no game can read this file"),
        (["--site", SITE, "--qr"], "", 3, "too long for a QR code"),
    ],
    ids=["no page runs", "no address", "no log", "too long"],
)
def test_what_is_refused(arguments: list[str], text: str, code: int, said: str) -> None:
    if not text:
        pytest.importorskip("segno")
        lines = [f"# {hash((0.1, number))} {number * 7919}" for number in range(2000)]
        text = "\n".join(["players: Ann, Ben, Cid", *lines, ""])
    result = CliRunner().invoke(cli, ["link", "-", *arguments], input=text)
    assert isinstance(result.exception, BadInput if code == 3 else SystemExit)
    assert said in (str(result.exception) if code == 3 else result.output)


def test_a_log_alone_names_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("uvicorn")
    served: list[KeptLog | None] = []
    monkeypatch.setattr("deduce.pages.transports.server.run", lambda kept, **_: served.append(kept))
    log = tmp_path / "evening.cluedo"
    log.write_text("players: Ann, Ben, Cid\nme: Ann\n", encoding="utf-8")
    assert CliRunner().invoke(cli, ["app", str(log)]).exit_code == 0
    [kept] = served
    assert kept is not None
    assert kept.file is not None
    assert (kept.game, kept.file.path) == ("cluedo", log.resolve())


def test_the_page_that_runs_is_found(tmp_path: Path) -> None:
    pytest.importorskip("uvicorn")
    env = {"XDG_STATE_HOME": str(tmp_path)}
    command: list[str | Path] = [DEDUCE, "app", "--no-browser"]
    with served(command, READY, cwd=tmp_path, env=env) as server:
        result = CliRunner().invoke(cli, ["link", str(EVENING)])
        assert result.output.startswith(f"{server.address}#cluedo:")
    result = CliRunner().invoke(cli, ["link", str(EVENING)])
    assert result.exit_code == 2, "it ended"
