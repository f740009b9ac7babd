"""Websockets of the library, as this server uses them: bounded in number and in memory."""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from websockets.asyncio.server import ServerConnection, broadcast

SEND_BUFFER: Final = 128 * 1024
"""Bytes that the system may hold for one client, beside what waits in this process."""

SPARE_SOCKETS: Final = 128
"""Sockets beyond the most connections: plain requests, and handshakes under way."""

LIBRARY_CLOSES: Final = {
    1002: "protocol",
    1007: "not_utf8",
    1009: "oversized",
    1011: "unreachable",
}
"""Close codes with which the library itself ends a connection, and our names of the reasons."""


class WebsocketLine:
    """The outgoing side of a websocket: the transport's buffer is the queue, and it is bounded."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._closing: asyncio.Task[None] | None = None

    def send(self, frame: str | bytes) -> int:
        """See `session.Line.send`."""
        broadcast((self._connection,), frame)
        return self.waiting()

    def waiting(self) -> int:
        """Bytes that wait in this process for the client to read."""
        size: int = self._connection.transport.get_write_buffer_size()
        return size

    def close(self, code: int, reason: str) -> None:
        """See `session.Line.close`."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._connection.close(code, reason))

    def drop(self) -> None:
        """See `session.Line.drop`."""
        self._connection.transport.abort()


def bounded(most: int) -> type[ServerConnection]:
    """The connections of a server that has at most so many sockets, silent ones included."""

    class Bounded(ServerConnection):
        """A connection that is cut at once when there are too many."""

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            if len(self.server.handler_tasks) > most:
                self.transport.abort()

    return Bounded


def allow_files(wanted: int) -> int:
    """Raise the number of files that the process may open towards `wanted`; what it is then."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft
