"""The local page: a small server on this machine for all pages, one process and no kernel.

It listens on the loopback address. Every request needs the token of the address that was opened,
which the browser then keeps as a cookie; the ``Host`` and ``Origin`` of a request must be the
server's own, so that no other page can use it, whatever name resolves to this machine. With
``lan``, each player has a token, and a page with that token shows only what this player may see.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections import Counter, defaultdict
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Hashable,
    Iterator,
    Mapping,
    Sequence,
)
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import define, field, frozen

from deduce.errors import BadInput, missing_extra
from deduce.pages.messages import Door, error_message
from deduce.pages.sentences import refused
from deduce.pages.transports.kept import KeptLog
from deduce.pages.transports.shell import POLICY, page_html, web_files

try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import (
        HTMLResponse,
        PlainTextResponse,
        RedirectResponse,
        Response,
        StreamingResponse,
    )
    from starlette.routing import Route
    from uvicorn.protocols.http.h11_impl import H11Protocol
except ImportError as error:
    raise missing_extra("the page needs starlette and uvicorn", "app") from error

__all__ = [
    "PORT",
    "Connection",
    "Jobs",
    "Seat",
    "Served",
    "address_in_network",
    "application",
    "run",
]

PORT = 8437
"""The port that is tried first: games in the browser's storage belong to an address."""

MAX_BODY, MAX_PLAYER_BODY = 4_000_000, 200_000
"""A longer request is refused (bytes): of a page that sends its log, and of one that does not."""

MAX_REQUESTS = 16
"""How many requests of one player may wait at the same time."""

MAX_READING = 10.0
"""Seconds within which the whole of a request must arrive."""

WAIT = 20.0
"""Seconds after which a page asks again whether the log has changed."""

MAX_JOBS = 8
"""How many jobs of one player are computed at the same time."""

PATIENCE = 2.0
"""Seconds for which a part of a job waits for steps: so that steps without end do not end jobs."""

SILENT = 10.0
"""Seconds after which a connection that has not sent a whole request is closed."""

HEADERS = {
    "Content-Security-Policy": POLICY + "; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


@define
class Jobs:
    """The jobs of all pages of a server, computed one part after the other, fairly.

    Every player has a queue. A part of a job of one player is followed by one of the next player,
    so no player can keep the others waiting; and while a step of any player is being answered, no
    part begins. One thread computes.
    """

    _queues: defaultdict[Hashable, asyncio.Lock] = field(factory=lambda: defaultdict(asyncio.Lock))
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    _thread: Executor = field(factory=lambda: ThreadPoolExecutor(1))
    _jobs: Counter[Hashable] = field(factory=Counter)
    _steps: int = 0
    _no_steps: asyncio.Event = field(factory=asyncio.Event)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let jobs wait while a step is answered."""
        self._steps += 1
        self._no_steps.clear()
        try:
            yield
        finally:
            self._steps -= 1
            if not self._steps:
                self._no_steps.set()

    async def results(self, player: Hashable, parts: Iterator[str]) -> AsyncIterator[str]:
        """Yield the parts of a job as they are computed.

        Raises
        ------
        BadInput
            The player has too many jobs already.
        """
        if self._jobs[player] >= MAX_JOBS:
            raise BadInput(refused("refused.busy"))
        self._jobs[player] += 1
        try:
            while True:
                async with self._queues[player], self._turn:
                    if self._steps:
                        with suppress(TimeoutError):
                            await asyncio.wait_for(self._no_steps.wait(), PATIENCE)
                    loop = asyncio.get_running_loop()
                    part = await loop.run_in_executor(self._thread, next, parts, None)
                if part is None:
                    return
                yield part
        finally:
            self._jobs[player] -= 1


@frozen
class Seat:
    """Who a token lets in: a player, or with ``None`` the person who started the server."""

    player: str | None = None


Endpoint = Callable[[Request], Awaitable[Response]]
Handler = Callable[[Request, Seat], Awaitable[Response]]


@define
class Served:
    """What a server serves.

    Parameters
    ----------
    hosts
        The values of ``Host`` that are answered, such as ``"127.0.0.1:8437"``.
    seats
        Token -> who it lets in.
    kept
        The log that the server keeps; ``None``: each browser keeps its own games.
    """

    hosts: frozenset[str]
    seats: Mapping[str, Seat]
    kept: KeptLog | None = None
    door: Door = field(factory=Door)
    jobs: Jobs = field(factory=Jobs)
    _doors: dict[str, Door] = field(factory=dict)

    def seat(self, token: str) -> Seat | None:
        """Return who a token lets in, in a time that does not depend on the token."""
        found = None
        for known, seat in self.seats.items():
            if secrets.compare_digest(known.encode(), token.encode()):
                found = seat
        return found

    def door_of(self, seat: Seat) -> Door:
        """Return the presenters of a page; those of a player share nothing with the others."""
        return self.door if seat.player is None else self._doors.setdefault(seat.player, Door())

    def answer(self, message: str, seat: Seat) -> str:
        """Return the response to a request; a failure of deduce is a response as well."""
        try:
            if self.kept is None:
                return self.door.answer(message)
            return self.kept.answer(self.door_of(seat), message, seat.player)
        except Exception as error:
            return _failure(error)

    def work(self, message: str, seat: Seat) -> Iterator[str]:
        """Yield the fragments of a job; the last may be a failure of deduce."""
        try:
            if self.kept is None:
                yield from self.door.work(message)
            else:
                yield from self.kept.work(self.door_of(seat), message, seat.player)
        except Exception as error:
            yield _failure(error, done=True)


def _failure(error: Exception, **more: object) -> str:
    return json.dumps({"error": refused("refused.failure", kind=type(error).__name__), **more})


def application(served: Served) -> Starlette:
    """Return the ASGI application."""
    web = web_files()
    answering = {seat: asyncio.Lock() for seat in served.seats.values()}
    waiting = dict.fromkeys(answering, 0)
    threads = ThreadPoolExecutor(max_workers=len(answering) or 1)

    def cookie(request: Request) -> str:
        return f"deduce-{request.url.port or 80}"

    def refusal(request: Request) -> Response | None:
        """Return why a request is refused, or ``None``."""
        host = request.headers.get("host", "")
        if host not in served.hosts:
            return PlainTextResponse(refused("refused.host"), 403)
        origin = request.headers.get("origin")
        if origin is not None and origin != f"http://{host}":
            return PlainTextResponse(refused("refused.origin"), 403)
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return PlainTextResponse(refused("refused.origin"), 403)
        return None

    def checked(handler: Endpoint) -> Endpoint:
        async def handle(request: Request) -> Response:
            response = refusal(request) or await handler(request)
            for name, value in HEADERS.items():
                response.headers.setdefault(name, value)
            return response

        return handle

    def guarded(handler: Handler) -> Endpoint:
        async def handle(request: Request) -> Response:
            seat = served.seat(request.cookies.get(cookie(request), ""))
            if seat is None:
                return PlainTextResponse(refused("refused.token"), 403)
            if waiting[seat] >= MAX_REQUESTS:
                return PlainTextResponse(refused("refused.busy"), 429)
            waiting[seat] += 1
            try:
                return await handler(request, seat)
            finally:
                waiting[seat] -= 1

        return checked(handle)

    async def enter(request: Request) -> Response:
        """Exchange the token of the address for a cookie; the address is then without it."""
        token = request.query_params.get("token")
        if token is not None and served.seat(token) is not None:
            response: Response = RedirectResponse("/", 303)
            response.set_cookie(cookie(request), token, httponly=True, samesite="strict", path="/")
            return response
        return await page(request)

    async def show_page(request: Request, seat: Seat) -> Response:
        game = served.kept.game if served.kept else None
        html = page_html("served.js", web="web/", table=game)
        return HTMLResponse(html)

    page = guarded(show_page)

    async def show_file(request: Request, seat: Seat) -> Response:
        name = request.path_params["name"]
        suffix = Path(name).suffix
        if name not in web or suffix not in TYPES:
            return PlainTextResponse(refused("refused.no_file"), 404)
        return Response(web[name], media_type=TYPES[suffix])

    async def body(request: Request, seat: Seat) -> str | None:
        if request.headers.get("content-type") != "application/json":
            return None
        most = MAX_BODY if seat.player is None else MAX_PLAYER_BODY
        data = b""
        with suppress(UnicodeDecodeError, TimeoutError, ClientDisconnect):
            async with asyncio.timeout(MAX_READING):
                async for part in request.stream():
                    data += part
                    if len(data) > most:
                        return None
            return data.decode()
        return None

    async def answer(request: Request, seat: Seat) -> Response:
        message = await body(request, seat)
        if message is None:
            return PlainTextResponse(refused("refused.message"), 400)
        async with answering[seat]:
            with served.jobs.waiting():
                loop = asyncio.get_running_loop()
                response = await loop.run_in_executor(threads, served.answer, message, seat)
        return Response(response, media_type="application/json")

    async def work(request: Request, seat: Seat) -> Response:
        message = await body(request, seat)
        if message is None:
            return PlainTextResponse(refused("refused.message"), 400)

        async def lines() -> AsyncIterator[str]:
            try:
                async for part in served.jobs.results(seat, served.work(message, seat)):
                    yield part + "\n"
            except BadInput as error:
                yield error_message(error, done=True) + "\n"

        return StreamingResponse(lines(), media_type="application/x-ndjson")

    async def changes(request: Request, seat: Seat) -> Response:
        kept = served.kept
        if kept is None:
            return PlainTextResponse(refused("refused.no_log"), 404)
        since = request.query_params.get("since", "")

        for _ in range(int(WAIT / 0.2)):
            if str(kept.state(seat.player)) != since or await request.is_disconnected():
                break
            await asyncio.sleep(0.2)
        version = kept.state(seat.player)
        return Response(json.dumps({"version": version}), media_type="application/json")

    return Starlette(
        routes=[
            Route("/", checked(enter)),
            Route("/web/{name}", guarded(show_file)),
            Route("/api/answer", guarded(answer), methods=["POST"]),
            Route("/api/work", guarded(work), methods=["POST"]),
            Route("/api/changes", guarded(changes)),
        ]
    )


class Connection(H11Protocol):
    """A connection. If there are too many, the one that has been silent longest is closed."""

    most = 120
    """How many there may be; up to half as many more are accepted at once. A process can have 256
    open files on every system."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self.since = self.loop.time()
        self.loop.call_later(SILENT, self._check)
        if len(self.connections) > self.most:
            ours = [each for each in self.connections if isinstance(each, Connection)]
            silent = [each for each in ours if each.is_silent]
            closed = min(silent, key=lambda each: each.since, default=self)
            self.connections.discard(closed)
            closed.transport.abort()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.since = self.loop.time()
        super().on_response_complete()

    @property
    def is_silent(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def _check(self) -> None:
        """Close the connection if it has been silent too long."""
        if self.transport.is_closing():
            return
        left = self.since + SILENT - self.loop.time()
        if left <= 0 and self.is_silent:
            self.transport.abort()
        else:
            self.loop.call_later(left if left > 0 else SILENT, self._check)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on a port, or on a free one if it is taken."""
    for candidate in (port, 0):
        with suppress(OSError):
            return socket.create_server((host, candidate), backlog=64)
    raise BadInput(f"no port of {host} is free")


def address_in_network() -> str:
    """Return the address of this machine in its network; it sends nothing to find out.

    Raises
    ------
    BadInput
        The machine is in no network.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation; nothing is sent
        except OSError:
            raise BadInput("this machine is not connected to a network; leave out --lan") from None
        return str(probe.getsockname()[0])


def run(
    kept: KeptLog | None,
    *,
    players: Sequence[str] = (),
    lan: bool = False,
    port: int = PORT,
    door: Door | None = None,
    ready: Callable[[str, Mapping[str, str]], None],
) -> None:
    """Serve until Ctrl-C.

    Parameters
    ----------
    kept
        The log that the server keeps, if any.
    players
        Who gets a token of their own.
    lan
        Whether other machines of the network may ask.
    port
        The port that is tried first.
    door
        The presenters, if some of them have options.
    ready
        Gets the address to open, and the address of each player.
    """
    network = address_in_network() if lan else ""
    listening = listen("0.0.0.0" if lan else "127.0.0.1", port)
    number = listening.getsockname()[1]
    hosts = {f"127.0.0.1:{number}", f"localhost:{number}"}
    if lan:
        hosts.add(f"{network}:{number}")
    own = secrets.token_urlsafe(24)
    tokens = {player: secrets.token_urlsafe(24) for player in players}
    seats = {token: Seat(player) for player, token in tokens.items()}
    if not lan:
        seats[own] = Seat()
    served = Served(frozenset(hosts), seats, kept, door or Door())
    app = application(served)
    config = uvicorn.Config(
        app, log_level="error", access_log=False, lifespan="off", timeout_graceful_shutdown=1,
        server_header=False, http=Connection, ws="none", backlog=Connection.most // 2,
    )  # fmt: skip
    server = uvicorn.Server(config)
    links = {p: f"http://{network}:{number}/?token={t}" for p, t in tokens.items()}
    ready(f"http://127.0.0.1:{number}/?token={own}" if not lan else "", links)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
