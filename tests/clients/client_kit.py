"""A real server on a free port, a gate before it that breaks connections, and a false server."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import gzip
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from jantaku_clients.bots import BOTS
from jantaku_clients.client import Retry
from jantaku_engine.rules import Ruleset
from jantaku_replays.files import parse
from jantaku_replays.findings import Tally
from jantaku_replays.verify import verify
from jantaku_server.app import App
from jantaku_server.replay_files import REPLAYS
from jantaku_server.settings import read_settings

SHORT = {"preset": "standard", "length": "tonpuu"}
HOUSE = ["open", "bot:random", "bot:tsumogiri", "bot:random"]


@contextlib.asynccontextmanager
async def running(data: Path, port: int = 0) -> AsyncIterator[App]:
    """A whole server in this process, stopped at the end."""
    flags = {"port": port, "data": str(data), "log_level": "error"}
    app = App(read_settings(flags, {}), Ruleset(), BOTS, "0.0")
    await app.start()
    try:
        yield app
    finally:
        await app.stop()


def url(app: App, path: str = "") -> str:
    """The address of a running server."""
    return f"http://127.0.0.1:{app.port}{path}"


def nowhere() -> str:
    """An address at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


async def eventually(is_so: Callable[[], Any], seconds: float = 120) -> Any:
    """Wait until something is true; its value."""
    async with asyncio.timeout(seconds):
        while not (value := is_so()):
            await asyncio.sleep(0.001)  # the programs at the other end need the processor too
    return value


async def replay_of(app: App, table: str) -> Path:
    """The replay of a finished table, when it is written."""
    path = app.settings.data / REPLAYS / f"{table}.mjson.gz"
    await eventually(path.exists)
    return path


def verified(path: Path) -> Tally:
    """The figures of a replay in which nothing is wrong and every wall is proved."""
    tally = verify(parse(gzip.decompress(path.read_bytes()), path.name.removesuffix(".gz")))
    assert tally.mismatches == []
    assert tally.walls_checked == tally.rounds > 0
    return tally


def quick(attempts: int = 50) -> Retry:
    """Comes back at once."""

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(0.001)

    return Retry(first=1.0, longest=1.0, patience=float(attempts), sleep=sleep, rng=Random(1))


# ---------------------------------------------------------------------- a gate


class Gate:
    """Passes bytes between clients and a server, until it is told to break or to swallow them.

    `swallow` lets nothing of what clients send arrive any more; `cut` breaks every connection;
    `shut` refuses new ones until `open`.
    """

    def __init__(self, port: int) -> None:
        self.target = port
        self.is_open = True
        self.swallow = False
        self.connections = 0
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> Gate:
        self._server = await asyncio.start_server(self._pass, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self.is_open:
            writer.transport.abort()
            return
        self.connections += 1
        try:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, to_server}
        await asyncio.wait(
            [
                asyncio.create_task(self._copy(reader, to_server, inward=True)),
                asyncio.create_task(self._copy(from_server, writer, inward=False)),
            ]
        )
        self._writers -= {writer, to_server}

    async def _copy(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, inward: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if not (inward and self.swallow):
                    writer.write(data)
        writer.close()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def stop(self) -> None:
        self._server.close()
        self.cut()


@contextlib.asynccontextmanager
async def gate_to(app: App) -> AsyncIterator[Gate]:
    """A gate before a running server."""
    gate = await Gate(app.port).start()
    try:
        yield gate
    finally:
        await gate.stop()


# ---------------------------------------------------------------------- a false server


@dataclasses.dataclass
class FalseServer:
    """Says what a test wants it to say. `heard` is what the clients said, without their hello."""

    script: Callable[[FalseServer, ServerConnection], Awaitable[None]]
    heard: list[dict[str, Any]] = dataclasses.field(default_factory=list)
    connections: int = 0
    port: int = 0

    async def talk(self, connection: ServerConnection) -> None:
        await connection.recv()
        await self.say(connection, "welcome", bots=["greedy"])
        self.connections += 1
        await self.script(self, connection)

    @staticmethod
    async def say(connection: ServerConnection, kind: str, **fields: Any) -> None:
        await connection.send(json.dumps({"type": kind, **fields}))

    async def hear(self, connection: ServerConnection) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await connection.recv())
        self.heard.append(message)
        return message

    async def seat(self, connection: ServerConnection) -> None:
        """Give the client that asks for it a seat."""
        await self.hear(connection)
        await self.say(connection, "joined", table="t", seat=0, token="secret")


@contextlib.asynccontextmanager
async def pretending(
    script: Callable[[FalseServer, ServerConnection], Awaitable[None]],
) -> AsyncIterator[tuple[FalseServer, str]]:
    """A server that follows a script with each client, and its address."""
    false = FalseServer(script)
    protocols = [Subprotocol("jantaku.v1.json")]
    async with serve(false.talk, "127.0.0.1", 0, subprotocols=protocols) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield false, f"http://127.0.0.1:{port}"
