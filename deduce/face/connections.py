"""The connections of the local page: how many there may be, and how long one may be silent."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["SILENT", "Connection"]

SILENT = 10.0
"""Seconds after which a connection that has not sent a whole request is closed."""


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
        """Whether there is no request that is being answered."""
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
