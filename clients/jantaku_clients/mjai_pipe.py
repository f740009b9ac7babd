"""Between an mjai program on stdin and stdout and the server's mjai endpoint.

The program reads one JSON message a line and prints its answers, one a line; it knows nothing of
the network. What the server says goes to it unchanged, but for `hello`, which names the seat,
and `error`, which goes to stderr. What it prints goes back, reduced to the fields that mjai has.

When the connection breaks, the pipe comes back with the token, the number of messages that the
program has read, and all answers of the game once more: the server takes what it does not have
and recognizes the rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from jantaku_engine.events import EndGame, EventError
from jantaku_engine.mjai import event_from_mjai
from jantaku_server import wire

from .address import Address
from .client import Result
from .connection import (
    ClientError,
    ConnectionLost,
    ProtocolError,
    Refused,
    Retry,
    open_websocket,
)

ANSWER_FIELDS: Final = ("type", "actor", "target", "pai", "consumed", "tsumogiri", "open")
"""Fields of an answer that go to the server; a program's notes on its answer stay here."""

SEAT: Final = "{seat}"
"""What stands in a command for the number of the seat."""

_LONGEST_LINE: Final = 4 * 1024 * 1024
_FAREWELL_S: Final = 3.0
"""How long a program may take to end when its game is over."""

Tell = Callable[[str], None]


def tell_stderr(line: str) -> None:
    """A line for the user."""
    print(line, file=sys.stderr, flush=True)


class ProgramError(ClientError):
    """The program cannot be started, or ended before its game."""


def split_command(command: str) -> list[str]:
    """The words of a command line, in which `{seat}` will be replaced; no shell is involved.

    Raises:
        ValueError: no word, or a quotation that is not closed.
    """
    words = shlex.split(command)
    if not words:
        raise ValueError("the command is empty")
    return words


def read_line(line: bytes) -> str | None:
    """The answer in a line that a program printed, as it goes to the server; None for other text.

    >>> read_line(b'{"type": "dahai", "pai": "5m", "meta": {"q": [0.5]}}')
    '{"type":"dahai","pai":"5m"}'
    """
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        return None
    answer = {name: message[name] for name in ANSWER_FIELDS if name in message}
    return json.dumps(answer, separators=(",", ":"))


class Program:
    """A running mjai program: what it has printed so far, and whether it still runs."""

    def __init__(self, process: asyncio.subprocess.Process, tell: Tell) -> None:
        self.answers: list[str] = []
        self.news = asyncio.Event()
        self.ended = asyncio.Event()
        self._process = process
        self._tell = tell
        self._reader = asyncio.create_task(self._read())

    @staticmethod
    async def start(command: Sequence[str], seat: int, tell: Tell) -> Program:
        """Start a command for a seat; its stderr is ours.

        Raises:
            ProgramError: there is no such program, or it may not be run.
        """
        words = [word.replace(SEAT, str(seat)) for word in command]
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
                # A program in Python that forgets to flush would wait for us, and we for it.
                env={"PYTHONUNBUFFERED": "1", **os.environ},
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise ProgramError(f"{words[0]}: cannot be started: {reason}") from None
        return Program(process, tell)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while True:
            try:
                line = await self._process.stdout.readline()
            except ValueError:
                self._tell(f"the program printed a line of more than {_LONGEST_LINE} bytes")
                continue
            if not line:
                break
            answer = read_line(line)
            if answer is not None:
                self.answers.append(answer)
                self.news.set()
            elif line.strip():
                self._tell(f"not mjai: {line.decode(errors='replace').strip()[:200]}")
        self.ended.set()

    def write(self, line: str) -> None:
        """Give the program a line to read."""
        stdin = self._process.stdin
        assert stdin is not None
        if not stdin.is_closing():
            stdin.write(line.encode() + b"\n")

    async def how_it_ended(self) -> str:
        """In words, of a program that has closed its stdout."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _FAREWELL_S)
        status = self._process.returncode
        if status is None:
            return "the program closed its stdout"
        if status < 0:
            return f"the program was killed by {signal.Signals(-status).name}"
        return f"the program ended with status {status}"

    async def end(self) -> None:
        """Tell the program that nothing follows, and see to it that it ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        for last_resort in (self._process.terminate, self._process.kill):
            try:
                await asyncio.wait_for(self._process.wait(), _FAREWELL_S)
                break
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    last_resort()
        await self._process.wait()
        self._reader.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reader


class Pipe:
    """An mjai command at a server, game after game; each game has a program of its own.

    `on_seat` is told table and seat when there is one.
    """

    def __init__(
        self,
        address: Address,
        command: Sequence[str],
        name: str,
        style: str = "auto",
        pass_after_ms: int = 0,
        retry: Retry | None = None,
        tell: Tell = tell_stderr,
        on_seat: Callable[[str, int], None] = lambda table, seat: None,
    ) -> None:
        self._address = address
        self._command = command
        self._name = name
        self._style = style
        self._pass_after_ms = pass_after_ms
        self._retry = retry or Retry()
        self._tell = tell
        self._on_seat = on_seat
        self._socket: ClientConnection | None = None
        self._program: Program | None = None
        self._sender: asyncio.Task[None] | None = None
        self._refusal: Refused | None = None
        self._token = ""
        self._seat = -1
        self._names: Sequence[str] = ()
        self._lines = 0
        self._events = 0
        self._games = 1
        self._over = False

    async def play(self, games: int = 1) -> Result:
        """Play a game to its end; `games` are wanted at this table, this one included.

        Where the last call wanted more than one, this one goes on at the same table.

        Raises:
            ProgramError: the program failed. Refused: the server does not let it play.
            ConnectionLost: the server is out of reach for good.
        """
        self._lines = self._events = 0
        self._over = False
        self._games = games
        if self._socket is None:
            self._socket = await self._open()
        try:
            while True:
                try:
                    return await self._listen(self._socket)
                except ConnectionClosed as error:
                    self._socket = await self._come_back(error)
        finally:
            await self._end_program()

    async def close(self) -> None:
        """Hang up, and leave the table."""
        socket, self._socket, self._token = self._socket, None, ""
        if socket is not None:
            await socket.close()

    async def _open(self) -> ClientConnection:
        """A connection for the seat of the token, or for a free one."""
        query: dict[str, str | int] = {"style": self._style, "games": self._games}
        if self._pass_after_ms:
            query["pass_after"] = self._pass_after_ms
        if self._token:
            query |= {"token": self._token, "lines": self._lines, "events": self._events}
        else:
            query |= {"name": self._name, "table": self._address.table, "code": self._address.code}
        return await open_websocket(self._address, self._address.mjai(**query))

    async def _come_back(self, broken: ConnectionClosed) -> ClientConnection:
        await self._stop_sending()
        await self._check_program()
        if broken.rcvd is not None and broken.rcvd.code in (1008, 4000):
            code = broken.rcvd.reason
            raise self._refusal or Refused(code, wire.ERRORS.get(code, "the server hung up"))
        if not self._token:
            raise ConnectionLost(f"{self._address} hung up: {broken}")
        why = str(broken)
        for delay in self._retry.delays():
            await self._retry.sleep(delay)
            await self._check_program()
            try:
                return await self._open()
            except ConnectionLost as error:
                why = str(error)
        raise ConnectionLost(f"the connection broke and was not made again: {why}")

    # ------------------------------------------------------------------ server to program

    async def _listen(self, socket: ClientConnection) -> Result:
        """Pass on what the server says until the game is over."""
        while True:
            frame = await socket.recv()
            try:
                text = frame if isinstance(frame, str) else frame.decode()
                message = json.loads(text)
                kind = message["type"] if isinstance(message, dict) else "events"
                if kind == "hello":
                    await self._arrived(socket, message)
                elif kind == "error":
                    self._refusal = Refused(message["code"], message["message"])
                    self._tell(f"the server says: {self._refusal}")
                else:
                    result = await self._pass_on(socket, text, message)
                    if result is not None:
                        return result
            except (ValueError, LookupError, TypeError) as error:
                raise ProtocolError(f"{self._address} sent no mjai: {error}") from None

    async def _arrived(self, socket: ClientConnection, hello: dict[str, Any]) -> None:
        if not self._token:
            self._token, self._seat = hello["token"], hello["seat"]
            self._on_seat(hello["table"], self._seat)
        await self._connect_program(socket)

    async def _connect_program(self, socket: ClientConnection) -> None:
        """Have a program, and send what it answers over this connection."""
        if self._program is None:
            self._program = await Program.start(self._command, self._seat, self._tell)
        await self._stop_sending()
        self._sender = asyncio.create_task(self._send_answers(socket, self._program))

    async def _pass_on(
        self, socket: ClientConnection, text: str, message: dict[str, Any] | list[dict[str, Any]]
    ) -> Result | None:
        """Give a message to the program; the result when the game is over with it."""
        events = message if isinstance(message, list) else [message]
        if self._program is None:  # the table plays again
            await self._connect_program(socket)
        assert self._program is not None
        self._over = events[-1]["type"] == "end_game"
        self._program.write(text)
        self._lines += 1
        self._events += len(events)
        if events[0]["type"] == "start_game":
            self._names = events[0]["names"]
        if not self._over:
            return None
        try:
            end = event_from_mjai(events[-1])
        except EventError as error:
            raise ProtocolError(str(error)) from None
        assert isinstance(end, EndGame)
        self._learn(len(self._program.answers))
        return Result.of(self._names, end, self._seat)

    def _learn(self, answers: int) -> None:
        """After a game it is plain who answers only when it acts: about one message in six."""
        if self._style == "auto" and 3 * answers < self._lines:
            self._style = "act"
            self._tell(
                "the program answers only when it acts: with --style act its first passes of a"
                " game need not wait for the clock"
            )

    # ------------------------------------------------------------------ program to server

    async def _send_answers(self, socket: ClientConnection, program: Program) -> None:
        """Send every answer of the program, those from before this connection first."""
        sent = 0
        with contextlib.suppress(ConnectionClosed):
            while not program.ended.is_set() or sent < len(program.answers):
                for answer in program.answers[sent:]:
                    await socket.send(answer)
                    sent += 1
                program.news.clear()
                if sent == len(program.answers):
                    await _first(program.news.wait(), program.ended.wait())
            if not self._over:
                # `_listen` hears of it as a broken connection.
                await socket.close()

    async def _stop_sending(self) -> None:
        if self._sender is not None:
            self._sender.cancel()
            await asyncio.wait([self._sender])
            self._sender = None

    async def _check_program(self) -> None:
        if self._program is not None and self._program.ended.is_set():
            how = await self._program.how_it_ended()
            raise ProgramError(f"{how} before its game was over{self._hint()}")

    def _hint(self) -> str:
        answers = self._program.answers if self._program is not None else []
        if answers:
            return ""
        if not any(SEAT in word for word in self._command):
            return f"; it may want its seat: {SEAT} in the command becomes its number"
        if self._style == "batch":
            return ""
        return "; if it reads arrays of events, say --style batch"

    async def _end_program(self) -> None:
        await self._stop_sending()
        if self._program is not None:
            await self._program.end()
            self._program = None


async def _first(*waits: Any) -> None:
    """Wait for any of several things."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
