"""The outgoing side of the websockets: what one turn of the loop has to say is written together."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from websockets.asyncio.server import ServerConnection
from websockets.protocol import State

from .tally import Times

CLOSE_S: Final = 3.0
"""Seconds that a client has to take note of the end of its connection."""

LATER_S: Final = 0.005
"""Within how many seconds a client hears what it only has to know."""

BUSY_LATER_S: Final = 0.02
"""The same while the server has hardly any time left: more of it then goes into one write."""

_STEPS: Final = 4
"""In how many steps that time passes. What waits is written with the next question to its client,
so it had better wait until the end; a step is how exactly that end is met."""

_BUSY: Final = 0.65
"""Share of the time that the event loop's thread computes, from which on the server is busy."""

_LOOK_S: Final = 1.0
"""Over how many seconds, at least, that share is taken: a busy moment is nothing yet."""


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
        if isinstance(message, str):
            data, opcode = message.encode(), 0x81
        else:
            data, opcode = message, 0x82
        size = len(data)
        if size < 126:
            head = bytes((opcode, size))
        elif size < 1 << 16:
            head = bytes((opcode, 126, size >> 8, size & 255))
        else:
            head = bytes((opcode, 127)) + size.to_bytes(8, "big")
        self._message = message
        self._framed = head + data
        return self._framed


class Outbox:
    """The lines that have something to write.

    Writing costs more than all the rest of a move, and a move is several messages to each of
    four clients. So a client that is asked or answered is written to at the end of the loop's
    turn, all its messages together; one that only has to know waits for more to come, a moment
    that nobody notices.

    Attributes:
        step: the number of the running step; what begins to wait in it is written `_STEPS` later.
    """

    def __init__(self, answer_seconds: Times) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: list[WebsocketLine] = []
        self._later: list[list[WebsocketLine]] = [[] for _ in range(_STEPS)]
        self._answers: list[list[float]] = [[] for _ in range(_STEPS)]
        self._answers_now: list[float] = []
        self._answer_seconds = answer_seconds
        self._next_step: asyncio.TimerHandle | None = None
        self._wait = LATER_S
        self._looked_at = time.monotonic()
        self._computed = time.thread_time()
        self.step = 0
        self.framer = Framer()

    def add(self, line: WebsocketLine) -> None:
        """A line has something to write in this turn."""
        if not self._lines:
            self._loop.call_soon(self._write)
        self._lines.append(line)

    def add_later(self, line: WebsocketLine) -> None:
        """A line has something that it only has to hear soon."""
        self._later[self.step % _STEPS].append(line)
        if self._next_step is None:
            self._arrange_step(self._loop.time() + self._wait / _STEPS)

    def told(self, since: float) -> None:
        """All that follows from an answer, read at the moment `since`, has been sent.

        How long it took is counted when everybody has certainly been written to.
        """
        if self._next_step is not None:
            self._answers[self.step % _STEPS].append(since)
        elif self._lines:
            self._answers_now.append(since)
        else:
            self._count([since], time.monotonic())

    def _write(self) -> None:
        lines, self._lines = self._lines, []
        self._write_to(lines)
        if self._answers_now:
            answers, self._answers_now = self._answers_now, []
            self._count(answers, time.monotonic())

    def _write_to(self, lines: list[WebsocketLine]) -> None:
        for line in lines:
            try:
                line.write()
            except Exception as error:  # the others must hear what they are told
                context = {"message": "a connection failed", "exception": error}
                self._loop.call_exception_handler(context)
                line.drop()

    def _arrange_step(self, when: float) -> None:
        self._next_step = self._loop.call_at(when, self._take_steps)

    def _take_steps(self) -> None:
        """Take the steps whose time has come: several when the loop's turn was a long one."""
        assert self._next_step is not None
        due = self._next_step.when()
        now = self._loop.time()
        while due <= now and self._waits():
            self._take_step()
            due += self._wait / _STEPS
        if self._waits():
            self._arrange_step(due)
        else:
            self._next_step = None

    def _waits(self) -> bool:
        return any(self._later) or any(self._answers)

    def _take_step(self) -> None:
        """Write to those who have waited long enough and were not written to meanwhile."""
        began = self.step + 1 - _STEPS
        self.step += 1
        place = self.step % _STEPS
        lines, self._later[place] = self._later[place], []
        answers, self._answers[place] = self._answers[place], []
        self._write_to([line for line in lines if line.waits_since == began])
        self._write()
        now = time.monotonic()
        self._count(answers, now)
        if now - self._looked_at >= _LOOK_S:
            self._look(now)

    def _look(self, now: float) -> None:
        """How busy the thread has been since the last time decides how long the next wait is."""
        computed = time.thread_time()
        share = (computed - self._computed) / (now - self._looked_at)
        self._wait = BUSY_LATER_S if share > _BUSY else LATER_S
        self._looked_at, self._computed = now, computed

    def _count(self, answers: list[float], now: float) -> None:
        for since in answers:
            self._answer_seconds.observe(now - since)


class WebsocketLine:
    """One websocket: the transport's buffer is the queue, and it is bounded.

    Attributes:
        waits_since: the step in which what waits now began to wait (`Outbox.step`).
    """

    def __init__(self, connection: ServerConnection, outbox: Outbox) -> None:
        self._connection = connection
        self._transport = connection.transport
        self._outbox = outbox
        self._closing: asyncio.Task[None] | None = None
        self._frames: list[bytes] = []
        self._size = 0
        self._unread = 0
        self._is_due = False
        self.waits_since = 0

    def send(self, frame: str | bytes, later: bool = False) -> int:
        """See `session.Line.send`."""
        framed = self._outbox.framer.frame(frame)
        if later:
            if not self._frames:
                self.waits_since = self._outbox.step
                self._outbox.add_later(self)
        elif not self._is_due:
            self._is_due = True
            self._outbox.add(self)
        self._frames.append(framed)
        self._size += len(framed)
        # Between two writes the client can only have read some of what waited.
        return self._size if not self._unread else self.waiting()

    def write(self) -> None:
        """Hand everything that was sent to the transport."""
        self._is_due = False
        frames = self._frames
        if frames:
            self._frames = []
            self._size = 0
            if self._connection.protocol.state is State.OPEN:
                self._transport.write(frames[0] if len(frames) == 1 else b"".join(frames))
                self._unread = self._transport.get_write_buffer_size()

    def waiting(self) -> int:
        """Bytes that wait in this process for the client to read."""
        self._unread = self._transport.get_write_buffer_size()
        return self._size + self._unread

    def close(self, code: int, reason: str) -> None:
        """See `session.Line.close`."""
        self.write()
        if self._closing is None:
            self._closing = asyncio.create_task(self._connection.close(code, reason))
            # Who does not read what it was sent would not read the close frame either.
            in_time = asyncio.get_running_loop().call_later(CLOSE_S, self.drop)
            self._closing.add_done_callback(lambda _: in_time.cancel())

    def drop(self) -> None:
        """See `session.Line.drop`."""
        self._transport.abort()
