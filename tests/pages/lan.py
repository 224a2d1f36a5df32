"""Requests of players to the page of a shared log, in one process, and the raw responses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from deduce.logs.document import Document
from deduce.pages.transports.kept import KeptLog
from deduce.pages.transports.server import Seat, Served, application

__all__ = ["Lan"]

HOST = "table:1"


class Lan:
    """A server that shares a log, with random identifiers that are counted instead."""

    def __init__(self, game: str, log: str | Document, players: Sequence[str]) -> None:
        document = log if isinstance(log, Document) else Document(game, log)
        self.kept = KeptLog(game, None, document)
        self.count = 0
        self.kept.identifier = self.identifier
        seats = {f"token-{player}": Seat(player) for player in players}
        self.served = Served(frozenset({HOST}), seats, self.kept)
        self.app = application(self.served)

    def identifier(self) -> str:
        return "identifier"

    async def raw(
        self, player: str, path: str, body: bytes | None = None, query: str = ""
    ) -> bytes:
        """Return the bytes of a response: status, headers, body."""
        given = [{"type": "http.request", "body": body or b"", "more_body": False}]
        sent: list[bytes] = []

        async def receive() -> Any:
            return given.pop() if given else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            head = [b": ".join(pair) for pair in message.get("headers", ())]
            sent.extend([str(message.get("status", "")).encode(), *head, message.get("body", b"")])

        headers = {"host": HOST, "cookie": f"deduce-1=token-{player}"}
        headers["content-type"] = "application/json"
        scope = {
            "type": "http", "method": "GET" if body is None else "POST", "path": path,
            "raw_path": path.encode(), "query_string": query.encode(), "http_version": "1.1",
            "scheme": "http", "server": ("table", 1), "client": ("phone", 2), "root_path": "",
            "headers": [(key.encode(), value.encode()) for key, value in headers.items()],
        }  # fmt: skip
        await self.app(scope, receive, send)
        return b"\n".join(sent)

    def ask(self, player: str, path: str = "/api/answer", **fields: Any) -> bytes:
        """Return the bytes of a response to a message."""
        return asyncio.run(self.raw(player, path, json.dumps(fields).encode()))

    def answer(self, player: str, **fields: Any) -> dict[str, Any]:
        """Return the response to a request."""
        lines = self.ask(player, **fields).split(b"\n")
        return dict(json.loads(next(line for line in lines if line.startswith(b"{"))))

    def do(
        self, player: str, name: str, form: dict[str, Any] | None = None, /, **values: str
    ) -> Any:
        """Return the notices of an intent."""
        intent = {"do": name, "values": values, "form": form or {}}
        return [n["text"] for n in self.answer(player, intent=intent)["notices"]]
