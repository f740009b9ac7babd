"""A real server on a free port: in this process (`running`), or as a process (`served`).

`ask`, `receive`, `plain_get` and `raw` talk to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import IO, Any

from server_kit import sample, unpack
from websockets.asyncio.client import connect

from jantaku_clients.bots import BOTS
from jantaku_engine.rules import Ruleset
from jantaku_server.app import App
from jantaku_server.house import Players
from jantaku_server.settings import read_settings
from jantaku_server.wire import Message


@contextlib.asynccontextmanager
async def running(
    data: Path, players: Players = BOTS, rules: Ruleset | None = None, **settings: Any
) -> AsyncIterator[App]:
    """A whole server on a free port of this machine, stopped at the end."""
    flags: Mapping[str, Any] = {"port": 0, "data": str(data), **settings}
    app = App(read_settings(flags, {}), rules or Ruleset(), players, "0.0")
    await app.start()
    try:
        yield app
    finally:
        await app.stop()


def address(app: App, path: str = "/ws") -> str:
    """The websocket address of a running server."""
    return f"ws://127.0.0.1:{app.port}{path}"


async def send(connection: Any, kind: str, **fields: Any) -> None:
    """Send a JSON message over a websocket."""
    await connection.send(json.dumps({"type": kind, **fields}))


async def receive(connection: Any, *kinds: str, timeout: float = 20) -> Message:
    """The next message, or the next one of these types."""
    async with asyncio.timeout(timeout):
        while True:
            message = unpack(await connection.recv())
            if not kinds or message["type"] in kinds:
                return message


async def ask(connection: Any, kind: str, *answers: str, **fields: Any) -> Message:
    """Send a message and return the next one of the types `answers`."""
    await send(connection, kind, **fields)
    return await receive(connection, *answers)


async def raw(app: App, data: bytes, timeout: float = 20) -> bytes:
    """Send bytes to the port and read until the server closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    try:
        writer.write(data)
        async with asyncio.timeout(timeout):
            return await reader.read()
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def plain_get(app: App, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers (names in lower case) and body of a GET request."""
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{app.port}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    answer = await raw(app, ("\r\n".join(lines) + "\r\n\r\n").encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *fields = head.decode().split("\r\n")
    pairs = (field.split(": ", 1) for field in fields)
    return int(status.split()[1]), {name.lower(): value for name, value in pairs}, body


# ---------------------------------------------------------------------- a server as a process


COMMAND = (sys.executable, "-c", "from jantaku_clients.cli import main; raise SystemExit(main())")
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith("JANTAKU_")
} | {"PYTHONPATH": os.pathsep.join(sys.path)}


class Served:
    """A running server: its address, what it printed, and its log once it has ended."""

    def __init__(self, process: asyncio.subprocess.Process, log: IO[bytes]) -> None:
        self.process = process
        self.lines: list[str] = []
        self.log: list[str] = []
        self._log = log

    @property
    def address(self) -> str:
        return self.lines[0].removeprefix("Jantaku is at ")

    @property
    def websocket(self) -> str:
        return self.address.replace("http", "ws", 1) + "/ws"

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        async with asyncio.timeout(20):
            status = await self.process.wait()
        self._log.seek(0)
        self.log = self._log.read().decode().splitlines()
        return status


@contextlib.asynccontextmanager
async def served(data: Path, *arguments: str, **environment: str) -> AsyncIterator[Served]:
    """`jantaku serve` as a process on a free port, killed at the end if it still runs."""
    with tempfile.TemporaryFile() as log:
        process = await asyncio.create_subprocess_exec(
            *COMMAND,
            *("serve", "--port", "0", "--data", str(data), *arguments),
            stdout=subprocess.PIPE,
            stderr=log,
            env={**ENVIRONMENT, **environment},
        )
        server = Served(process, log)
        try:
            assert process.stdout is not None
            async with asyncio.timeout(30):
                while not server.lines or "Ctrl-C" not in server.lines[-1]:
                    line = (await process.stdout.readline()).decode()
                    assert line, "the server ended"
                    server.lines.append(line.rstrip())
            yield server
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


# ---------------------------------------------------------------------- talk

BOT_TABLE = {"seats": ["bot:tsumogiri"] * 4, "rules": {"length": "tonpuu"}}


async def hello(connection: Any) -> Any:
    await ask(connection, "hello", "welcome", protocol=1)
    return connection


async def wait_for(is_so: Callable[[], bool], timeout: float = 20) -> None:
    """Let the loop run until something is so."""
    async with asyncio.timeout(timeout):
        while not is_so():
            await asyncio.sleep(0.002)


async def wait_for_figure(app: App, value: float, name: str, **labels: str) -> None:
    """Let the loop run until a figure has a value."""
    await wait_for(lambda: sample(app.metrics, name, **labels) == value)


async def watch_a_game(app: App) -> str:
    """Let house bots play a match; its id."""
    async with connect(address(app)) as client:
        await hello(client)
        made = await ask(client, "create", "created", **BOT_TABLE)
        await ask(client, "spectate", "finished", table=made["table"])
    return str(made["table"])


def handshake(port: int) -> bytes:
    return (
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    ).encode()


def frame(message: dict[str, Any]) -> bytes:
    """A masked text frame (with a mask of zeros)."""
    data = json.dumps(message).encode()
    assert len(data) < 126
    return struct.pack("!BB4x", 0x81, 0x80 | len(data)) + data
