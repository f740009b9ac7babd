"""Websockets of the library, as this server uses them: bounded in number and in memory."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable
from typing import Any, Final

from websockets.asyncio.server import ServerConnection
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State

from .frames import ends_with_frame, whole_message
from .limits import TokenBucket
from .lines import CLOSE_S

SEND_BUFFER: Final = 128 * 1024
"""Bytes that the system may hold for one client, beside what waits in this process."""

SPARE_SOCKETS: Final = 128
"""Sockets beyond the most connections: plain requests, and handshakes under way."""

READ_AT_ONCE: Final = 16 * 1024
"""Bytes of one client that are read before the others have their turn."""

RATE: Final = 20.0
"""Pings, pongs and pieces of messages a second that a client may send on average."""

BURST: Final = 100.0
"""Of these at once."""

LIBRARY_CLOSES: Final = {
    1002: "protocol",
    1007: "not_utf8",
    1009: "oversized",
    1011: "unreachable",
}
"""Close codes with which the library itself ends a connection, and our names of the reasons."""


class Connection(ServerConnection):
    """A connection that hands over each message in the moment in which it is read.

    The way of the library, a queue and a task that wakes up, costs more than reading does. It
    stays for a message in several frames and for one that came before `hand_to`, and for all
    that follow, so that the order is kept.

    Attributes:
        is_flooding: whether it was cut for more pings and pieces than a client may send.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._take: Callable[[str | bytes], None] | None = None
        self._queued = False
        self._aligned = False
        self._came = b""
        self._bucket = TokenBucket(RATE, BURST, time.monotonic())
        self._is_ending = False
        self.is_flooding = False

    def data_received(self, data: bytes) -> None:
        """See `websockets.asyncio.connection.Connection.data_received`.

        Nearly everything that comes is one short message, whole and alone: that is read here.
        Everything else is the library's, and when what came does not end where a frame ends, so
        is all that follows.
        """
        if self._take is not None and self._aligned and not self._queued:
            message = whole_message(data)
            if message is not None and self.protocol.state is State.OPEN:
                self._take(message)
                return
            self._aligned = ends_with_frame(data)
        elif self._take is None:
            self._came = data[-len(_HEAD_END) :]
        super().data_received(data)
        if self._take is not None and not self._is_ending and self.protocol.close_expected():
            # Who broke the protocol, or said good-bye, may not stay for ever.
            self._is_ending = True
            self.loop.call_later(CLOSE_S, self.transport.abort)

    def hand_to(self, take: Callable[[str | bytes], None]) -> None:
        """From now on `take` gets the messages; what it does not get is to be had by `recv`."""
        # A frame that has begun already is the library's, with all that follows.
        self._aligned = self._came == _HEAD_END
        self._take = take

    def process_event(self, event: Event) -> None:
        """See `websockets.asyncio.connection.Connection.process_event`."""
        if _is_small_talk(event) and not self._bucket.take(time.monotonic()):
            # The library answers each ping, whether the answers are read or not.
            self.is_flooding = True
            self.transport.abort()
            return
        if isinstance(event, Frame) and event.opcode in _DATA:
            if self._take is not None and not self._queued and event.fin:
                data = bytes(event.data)
                try:
                    message = data.decode() if event.opcode is Opcode.TEXT else data
                except UnicodeDecodeError:
                    pass  # the library closes the connection in order
                else:
                    self._take(message)
                    return
            self._queued = True
        super().process_event(event)


_HEAD_END: Final = b"\r\n\r\n"
"""How the request ends that asks for the connection."""

_WHOLE: Final = (Opcode.TEXT, Opcode.BINARY)
_DATA: Final = (*_WHOLE, Opcode.CONT)


def _is_small_talk(event: Event) -> bool:
    """Whether it is no message: a ping, a pong, or a piece of a message."""
    return isinstance(event, Frame) and not (event.fin and event.opcode in _WHOLE)


def bounded(most: int, gone: Callable[[], None]) -> type[Connection]:
    """The connections of a server that has at most so many sockets, silent ones included.

    `gone` is called when one has gone, whether it was a websocket, a request or nothing.
    """

    class Bounded(Connection):
        """A connection that is cut at once when there are too many."""

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            with contextlib.suppress(AttributeError):  # a loop may have its own way
                transport.max_size = READ_AT_ONCE  # type: ignore[attr-defined]
            if len(self.server.handler_tasks) > most:
                self.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            gone()

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
