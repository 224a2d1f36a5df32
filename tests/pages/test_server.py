"""The local page: who is let in, what is kept, what each player sees."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn")
from uvicorn import Config
from uvicorn.server import ServerState

from deduce.errors import BadInput
from deduce.logs.document import Document
from deduce.pages.messages import Door
from deduce.pages.protocol import Screen
from deduce.pages.transports import server as local_server
from deduce.pages.transports.kept import KeptLog
from deduce.pages.transports.server import Connection, Seat, Served
from tests.browser import Server, served

DEDUCE = Path(sys.executable).parent / "deduce"
READY = r": (http://127\.0\.0\.1:\d+/\?token=\S+)"
LOG = "players: Ann, Ben, Cid\nme: Ann\nhand Ann: plum, white, rope, dagger, hall, study\n"


class Client:
    """Requests of one browser."""

    def __init__(self, address: str) -> None:
        self.base, _, self.token = address.partition("?token=")
        self.cookie = ""
        self.enter(self.token)

    def ask(self, path: str, data: Any = None, **headers: str) -> tuple[int, str]:
        body = None if data is None else json.dumps(data).encode()
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        named = {"Content-Type": "application/json", "Cookie": self.cookie, **named}
        request = urllib.request.Request(self.base + path, body, named)
        try:
            with OPENER.open(request, timeout=30) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            self.cookie = error.headers.get("Set-Cookie", self.cookie).partition(";")[0]
            with error:
                return error.code, error.read().decode()

    def enter(self, token: str) -> int:
        return self.ask(f"?token={token}")[0]

    def do(self, **fields: Any) -> dict[str, Any]:
        status, text = self.ask("api/answer", {"game": "cluedo", **fields})
        assert status == 200
        return dict(json.loads(text))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **options: Any) -> None:
        return None


OPENER = urllib.request.build_opener(NoRedirect)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("app")
    (folder / "evening.cluedo").write_text(LOG, encoding="utf-8")
    options = "app --no-browser --port 8639 cluedo evening.cluedo"
    command: list[str | Path] = ["bash", "-c", f'ulimit -n 256; exec "{DEDUCE}" {options}']
    with served(command, READY, cwd=folder) as server:
        server.folder = folder  # type: ignore[attr-defined]
        yield server


def test_the_page_needs_its_token_its_own_host_and_its_own_origin(server: Server) -> None:
    client = Client(server.address)
    assert client.ask("")[0] == 200
    host = client.base.removeprefix("http://").rstrip("/")
    for headers in (
        {"Host": "evil.example"},
        {"Host": f"evil.example:{host.partition(':')[2]}"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Cookie": ""},
        {"Cookie": client.cookie[:-1]},
        {"Cookie": client.cookie.partition("=")[0] + "=guess"},
    ):
        for path, data in (("", None), ("web/screen.js", None), ("api/answer", {"game": "cluedo"})):
            assert client.ask(path, data, **headers)[0] == 403, (path, headers)
    assert client.ask("api/answer", {"game": "cluedo"}, Content_Type="text/plain")[0] == 400
    assert client.ask("api/answer", {"x": "y" * 5_000_000})[0] == 400
    assert client.ask("web/..%2f..%2fcli.py")[0] == 404
    assert client.ask("web/index.html")[0] == 404
    assert Client(server.address.replace("token=", "token=x")).ask("")[0] == 403


def test_every_step_is_in_the_file_and_undo_survives_a_restart(server: Server) -> None:
    file = server.folder / "evening.cluedo"  # type: ignore[attr-defined]
    client = Client(server.address)
    screen = client.do()
    assert screen["document"] is None
    screen = client.do(ui=screen["ui"], intent={"do": "type", "form": {"line": ["Ben has lounge"]}})
    assert file.read_text(encoding="utf-8") == LOG + "Ben has Lounge\n"
    kept = KeptLog.open("cluedo", file)
    assert kept.document is not None
    assert kept.document.undo().text == LOG
    assert "Undone" in client.do(intent={"do": "undo"})["notices"][0]["text"]
    assert file.read_text(encoding="utf-8") == LOG
    job = client.do(ui={"side": "advice"})["jobs"][0]
    status, lines = client.ask("api/work", {"game": "cluedo", "job": job})
    assert status == 200
    assert json.loads(lines.splitlines()[-1])["done"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none/evening.cluedo", "cannot be written: No such file or directory"),
        ("pipe", "this file cannot be kept"),
    ],
)
def test_a_log_that_cannot_be_kept_is_refused_before_the_page_opens(
    tmp_path: Path, name: str, reason: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadInput, match=reason):
        KeptLog.open("cluedo", tmp_path / name)


@pytest.mark.parametrize("text", [LOG + "Ben has lounge\n", LOG])
def test_a_log_that_another_program_changed_is_not_overwritten(tmp_path: Path, text: str) -> None:
    file = tmp_path / "evening.cluedo"
    file.write_text(LOG, encoding="utf-8")
    kept = KeptLog.open("cluedo", file)
    assert kept.document is not None
    file.write_text("players: X, Y\n", encoding="utf-8")
    with pytest.raises(BadInput, match="another program"):
        kept.keep(kept.document.to(text, step=None), kept.document)
    assert file.read_text(encoding="utf-8") == "players: X, Y\n"


@pytest.mark.parametrize("kept", [b"\xff", b"[" * 5000, b"{}"])
def test_steps_that_were_damaged_are_left_out(tmp_path: Path, kept: bytes) -> None:
    file = tmp_path / "evening.cluedo"
    file.write_text(LOG, encoding="utf-8")
    (tmp_path / ".evening.cluedo.steps").write_bytes(kept)
    document = KeptLog.open("cluedo", file).document
    assert document is not None
    assert document.text == LOG


SHARED = """\
players: Ann, Ben, Cid
hand Ann: plum, white, rope, dagger, hall, study
hand Ben: scarlett, green, spanner, lounge, kitchen, library
Ann: scarlett revolver lounge; Ben shows scarlett
"""


@pytest.fixture
def shared(tmp_path: Path) -> Served:
    file = tmp_path / "shared.cluedo"
    file.write_text(SHARED, encoding="utf-8")
    seats = {name: Seat(name) for name in ("Ann", "Ben", "Cid")}
    return Served(frozenset(), seats, KeptLog.open("cluedo", file))


def asked(served: Served, player: str, **fields: Any) -> dict[str, Any]:
    seat = served.seat(player)
    assert seat is not None
    return dict(json.loads(served.answer(json.dumps({"game": "cluedo"} | fields), seat)))


def test_a_log_that_cannot_be_shown_to_a_player_is_not_shown_as_text(shared: Served) -> None:
    served = Served(frozenset(), {"Eve": Seat("Eve")}, shared.kept)  # no player of this log
    screen = asked(served, "Eve")
    assert "This log cannot be read" in screen["fragments"]["setup"]
    assert "hand" not in json.dumps(screen["fragments"])


def test_what_a_player_notes_is_seen_by_that_player_alone(shared: Served) -> None:
    assert shared.kept is not None
    asked(shared, "Cid", intent={"do": "note", "values": {"fact": "7.1"}})
    assert shared.kept.document is not None
    assert shared.kept.document.text.endswith("Ben has Dagger (seen by Cid)\n")


def test_a_page_hears_of_the_steps_of_other_pages(server: Server) -> None:
    one, other = Client(server.address), Client(server.address)
    before = one.do()["version"]
    assert json.loads(one.ask(f"api/changes?since={before - 1}")[1]) == {"version": before}
    other.do(intent={"do": "type", "form": {"line": ["Cid has kitchen"]}})
    assert json.loads(one.ask(f"api/changes?since={before}")[1]) == {"version": before + 1}
    assert "Kitchen" in one.do()["fragments"]["sheet"]
    other.do(intent={"do": "undo"})


def test_a_page_never_overwrites_a_step_that_another_took_while_it_was_drawn() -> None:
    kept = KeptLog("cluedo", None, Document("cluedo", LOG))

    def typed(door: Door, line: str) -> Any:
        intent = {"do": "type", "form": {"line": [line]}}
        return json.loads(kept.answer(door, json.dumps({"intent": line and intent})))

    class Slow(Door):
        def screen(self, *args: Any) -> Screen:
            screen = super().screen(*args)
            typed(Door(), f"Cid has {others.pop()}")
            return screen

    others = ["kitchen", "lounge"]
    assert typed(Slow(), "")["version"] == 0  # which was drawn, so the page asks again
    assert "what others entered" in typed(Slow(), "Ben has rope")["error"]
    assert kept.document is not None
    assert kept.document.text == f"{LOG}Cid has Lounge\nCid has Kitchen\n"


# Connections that send nothing: they are closed, and the page stays up


Opened = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def empty(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def listening(clients: int) -> AsyncIterator[tuple[ServerState, list[Opened]]]:
    """Serve the connections of some clients."""
    state, config, loop = ServerState(), Config(empty, lifespan="off"), asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(config, state, {}), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    opened = [await asyncio.open_connection("127.0.0.1", port) for _ in range(clients)]
    try:
        yield state, opened
    finally:
        server.close()
        for connection in state.connections:
            connection.transport.close()
        for _, writer in opened:
            writer.close()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /"]
)
def test_a_connection_that_sends_no_whole_request_is_closed(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_server, "SILENT", 0.2)

    async def run() -> bytes:
        async with listening(1) as (_, [(reader, writer)]):
            writer.write(sent)
            try:
                return await reader.read()  # until the server closes it
            except ConnectionResetError:
                return b""

    assert asyncio.run(run()).count(b"204") == sent.count(b"\r\n\r\n")


def test_of_too_many_connections_the_one_that_was_silent_longest_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Connection, "most", 3)

    async def run() -> None:
        async with listening(10) as (state, idle):
            for reader, writer in idle[-3:]:
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                assert b"204" in await reader.readline()
            for reader, _ in idle[:7]:
                assert await reader.read() == b""
            assert len(state.connections) <= 3

    asyncio.run(run())


def test_the_page_stays_up_with_256_files_and_400_silent_connections(server: Server) -> None:
    client = Client(server.address)
    host, _, port = client.base.removeprefix("http://").rstrip("/").partition(":")
    with ExitStack() as stack:
        for _ in range(400):
            silent = socket.socket()
            stack.enter_context(silent)
            silent.settimeout(30)
            silent.connect((host, int(port)))
        assert client.ask("")[0] == 200
