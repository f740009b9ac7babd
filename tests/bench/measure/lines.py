"""Many websocket clients in one loop, in two makes with the same interface.

`Loop` costs next to nothing, so that the load is not the bottleneck of what it measures: its
frames are cut by hand and masked with zeros, and it answers pings. `LibraryLoop` uses the
clients of the package websockets, as most programs do; its 200 clients fill a core before a
bare server does.
"""

import asyncio
import heapq
import select
import socket
from time import perf_counter

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
READ_AT_ONCE = 16_384
KEY = "amFudGFrdS1iZW5jaC0wMA=="


class LineClosed(Exception):
    """The server closed a connection."""


class Line:
    """One connection; `take(line, payload)` gets every message."""

    __slots__ = ("__dict__", "_buffer", "_socket", "take")

    def __init__(self, port, path, subprotocol, take):
        self._buffer = b""
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        offer = f"Sec-WebSocket-Protocol: {subprotocol}\r\n" if subprotocol else ""
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\n{offer}"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode("ascii")
        )
        head = b""
        while b"\r\n\r\n" not in head:
            part = self._socket.recv(65536)
            if not part:
                break
            head += part
        if not head.startswith(b"HTTP/1.1 101"):
            raise LineClosed(f"no websocket: {head[:200]!r}")
        self._buffer = head.partition(b"\r\n\r\n")[2]
        self._socket.setblocking(False)
        self.take = take

    def fileno(self):
        return self._socket.fileno()

    def send(self, payload):
        """Send bytes as a binary message, text as a text message."""
        if isinstance(payload, str):
            self._write(payload.encode(), TEXT)
        else:
            self._write(payload, BINARY)

    def _write(self, payload, opcode):
        data = frame(payload, opcode)
        if self._socket.send(data) != len(data):
            raise LineClosed("the server does not read")

    def read(self):
        """Take what has come; every complete message goes to `take`."""
        data = self._socket.recv(262_144)
        if not data:
            raise LineClosed("the server closed a connection")
        if self._buffer:
            data = self._buffer + data
        at, end = 0, len(data)
        while end - at >= 2:
            size = data[at + 1]
            start = at + 2
            if size == 126:
                if end - at < 4:
                    break
                size = data[at + 2] << 8 | data[at + 3]
                start = at + 4
            elif size == 127:
                if end - at < 10:
                    break
                size = int.from_bytes(data[at + 2 : at + 10], "big")
                start = at + 10
            if end - start < size:
                break
            opcode = data[at] & 15
            at = start + size
            if opcode <= BINARY:
                self.take(self, data[start:at])
            elif opcode == PING:
                self._write(data[start:at], PONG)
            elif opcode == CLOSE:
                raise LineClosed(f"the server closed a connection: {data[start:at]!r}")
        self._buffer = data[at:]

    def close(self):
        self._socket.setblocking(True)
        self._socket.sendall(frame((1000).to_bytes(2, "big"), CLOSE))
        self._socket.close()


def frame(payload, opcode):
    """One whole message from a client, masked with zeros."""
    size = len(payload)
    if size < 126:
        return bytes((0x80 | opcode, 0x80 | size, 0, 0, 0, 0)) + payload
    return bytes((0x80 | opcode, 0xFE, size >> 8, size & 255, 0, 0, 0, 0)) + payload


class Loop:
    """Reads lines as data comes, and makes calls when their time has come."""

    def __init__(self):
        self._epoll = select.epoll()
        self._lines = {}
        self._due = []
        self._order = 0

    def open(self, port, path, subprotocol, take):
        """A new connection; `take(line, payload)` gets every message as bytes."""
        line = Line(port, path, subprotocol, take)
        self._lines[line.fileno()] = line
        self._epoll.register(line.fileno(), select.EPOLLIN)
        return line

    def later(self, seconds, call, *arguments):
        self._order += 1
        heapq.heappush(self._due, (perf_counter() + seconds, self._order, call, arguments))

    def run(self, seconds, done=lambda: False):
        """Run for so long, or until `done()` is true; whether it was."""
        until = perf_counter() + seconds
        poll, lines, due = self._epoll.poll, self._lines, self._due
        while not done():
            now = perf_counter()
            if now >= until:
                return False
            while due and due[0][0] <= now:
                _, _, call, arguments = heapq.heappop(due)
                call(*arguments)
            wait = min(until, due[0][0]) - now if due else until - now
            for fd, _ in poll(max(0.0, min(wait, 0.05))):
                lines[fd].read()
        return True

    def close(self):
        for line in self._lines.values():
            line.close()
        self._epoll.close()


class LibraryLine:
    """One connection of the package websockets."""

    def __init__(self, connection, loop):
        self._connection = connection
        self._loop = loop

    def send(self, payload):
        self._loop.create_task(self._connection.send(payload))


class LibraryLoop:
    """The same with clients of the package websockets."""

    def __init__(self):
        self._loop = asyncio.new_event_loop()
        self._connections = []
        self._tasks = []
        self._closed = None

    def open(self, port, path, subprotocol, take):
        offered = [subprotocol] if subprotocol else None
        url = f"ws://127.0.0.1:{port}{path}"
        connection = self._loop.run_until_complete(_connected(url, offered))
        self._connections.append(connection)
        line = LibraryLine(connection, self._loop)
        self._tasks.append(self._loop.create_task(self._listen(connection, line, take)))
        return line

    async def _listen(self, connection, line, take):
        try:
            while True:
                take(line, await connection.recv(decode=False))
        except ConnectionClosed as error:
            self._closed = error

    def later(self, seconds, call, *arguments):
        self._loop.call_later(seconds, call, *arguments)

    def run(self, seconds, done=lambda: False):
        return self._loop.run_until_complete(self._wait(seconds, done))

    async def _wait(self, seconds, done):
        until = perf_counter() + seconds
        while not done():
            if self._closed is not None:
                raise LineClosed(f"the server closed a connection: {self._closed}")
            left = until - perf_counter()
            if left <= 0:
                return False
            await asyncio.sleep(min(left, 0.05))
        return True

    def close(self):
        self._loop.run_until_complete(self._close())
        self._loop.close()

    async def _close(self):
        await asyncio.gather(*[connection.close() for connection in self._connections])
        await asyncio.gather(*self._tasks)


async def _connected(url, offered):
    connection = await connect(url, subprotocols=offered, compression=None)
    # asyncio's 256 KiB for each read may be mapped and returned each time, at three times the cost.
    connection.transport.max_size = READ_AT_ONCE
    return connection
