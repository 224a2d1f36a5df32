"""Connections that send nothing: they are closed, and the page stays up."""

from __future__ import annotations

import asyncio
import socket
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.browser import served

pytest.importorskip("uvicorn")
from uvicorn import Config
from uvicorn.server import ServerState

from deduce.face.transports import server as served_by
from deduce.face.transports.server import Connection

DEDUCE = Path(sys.executable).parent / "deduce"
READY = r": (http://127\.0\.0\.1:\d+/\?token=\S+)"


Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def empty(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def listening(clients: int) -> AsyncIterator[tuple[ServerState, list[Client]]]:
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
    monkeypatch.setattr(served_by, "SILENT", 0.2)

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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of open files")
def test_the_page_stays_up_with_256_files_and_400_silent_connections(tmp_path: Path) -> None:
    command: list[str | Path] = [
        "bash", "-c", f'ulimit -n 256; exec "{DEDUCE}" app --no-browser --port 8655'
    ]  # fmt: skip
    with served(command, READY, cwd=tmp_path) as server, ExitStack() as stack:
        base, _, query = server.address.partition("?")
        host, _, port = base.removeprefix("http://").rstrip("/").partition(":")
        for _ in range(400):
            silent = socket.socket()
            stack.enter_context(silent)
            silent.settimeout(30)
            silent.connect((host, int(port)))
        cookie = f"deduce-{port}={query.partition('=')[2]}"
        request = urllib.request.Request(base, headers={"Cookie": cookie})
        with urllib.request.urlopen(request, timeout=30) as response:
            assert response.status == 200
