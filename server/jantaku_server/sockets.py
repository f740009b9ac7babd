"""Websockets of the library, as this server uses them: bounded in number and in memory."""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

SEND_BUFFER: Final = 128 * 1024
"""Bytes that the system may hold for one client, beside what waits in this process."""

SPARE_SOCKETS: Final = 128
"""Sockets beyond the most connections: plain requests, and handshakes under way."""

CLOSE_S: Final = 3.0
"""Seconds that a client has to take note of the end of its connection."""

LIBRARY_CLOSES: Final = {
    1002: "protocol",
    1007: "not_utf8",
    1009: "oversized",
    1011: "unreachable",
}
"""Close codes with which the library itself ends a connection, and our names of the reasons."""


class Framer:
    """Messages as they stand on the wire (RFC 6455: one frame, unmasked, not compressed).

    A table tells the same message to one listener after the other, so the last one is kept.
    """

    def __init__(self) -> None:
        self._message: str | bytes = b""
        self._framed = b""

    def frame(self, message: str | bytes) -> bytes:
        """The bytes of a text (str) or binary message."""
        if message is self._message:
            return self._framed
        data = message.encode() if isinstance(message, str) else message
        opcode = 0x81 if isinstance(message, str) else 0x82
        size = len(data)
        if size < 126:
            head = bytes((opcode, size))
        elif size < 1 << 16:
            head = bytes((opcode, 126)) + size.to_bytes(2, "big")
        else:
            head = bytes((opcode, 127)) + size.to_bytes(8, "big")
        self._message = message
        self._framed = head + data
        return self._framed


_FRAMER: Final = Framer()


class WebsocketLine:
    """The outgoing side of a websocket: the transport's buffer is the queue, and it is bounded.

    What is sent in one turn of the event loop is written together: a move is several messages
    to each of four clients, and writing costs more than all the rest.
    """

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._closing: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._frames: list[bytes] = []
        self._size = 0

    def send(self, frame: str | bytes) -> int:
        """See `session.Line.send`."""
        framed = _FRAMER.frame(frame)
        if not self._frames:
            self._loop.call_soon(self._write)
        self._frames.append(framed)
        self._size += len(framed)
        return self.waiting()

    def _write(self) -> None:
        frames = self._frames
        if frames and self._connection.protocol.state is State.OPEN:
            self._connection.transport.write(b"".join(frames))
        self._frames = []
        self._size = 0

    def waiting(self) -> int:
        """Bytes that wait in this process for the client to read."""
        size: int = self._connection.transport.get_write_buffer_size()
        return size + self._size

    def close(self, code: int, reason: str) -> None:
        """See `session.Line.close`."""
        self._write()
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(code, reason))

    async def _close(self, code: int, reason: str) -> None:
        # Who does not read what it was sent would not read the close frame either.
        try:
            async with asyncio.timeout(CLOSE_S):
                await self._connection.close(code, reason)
        except TimeoutError:
            self.drop()

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
