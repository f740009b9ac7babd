"""A server in a process of its own, and clients that play whole games on it through anything.

A `Follower` keeps what it was told and checks it as it comes: no event is skipped, none comes
twice, and nothing that was acknowledged is asked again. `Player` sits and answers by chance.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from jantaku_engine.events import Event
from jantaku_engine.mjai import event_from_mjai
from jantaku_replays.files import parse
from jantaku_replays.findings import Tally
from jantaku_replays.verify import verify

CHECKOUT = Path(__file__).resolve().parents[2]
Message = dict[str, Any]

PATIENCE_S = 60.0
"""How long anything may take on a busy machine."""


def environment() -> dict[str, str]:
    """An environment in which `python -m jantaku_clients.cli` runs these sources."""
    folders = [str(CHECKOUT / name) for name in ("engine", "replays", "server", "clients")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(folders)}


class ServerProcess:
    """`jantaku serve` on a folder; started again it may have another port.

    Attributes:
        address: of its websockets, while it runs. up: set while it runs.
        starts: how often it was started.
    """

    def __init__(self, data: Path, *flags: str) -> None:
        self.data = data
        self.log = data / "log.jsonl"
        self.up = asyncio.Event()
        self.address = ""
        self.starts = 0
        self._flags = flags
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it and wait until it listens."""
        command = [sys.executable, "-m", "jantaku_clients.cli", "serve", "--port", "0"]
        command += ["--data", str(self.data), "--log-format", "json", *self._flags]
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command, stdout=asyncio.subprocess.PIPE, stderr=log, env=environment()
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            while b"Jantaku is at " not in (line := await self._process.stdout.readline()):
                assert line, f"the server has ended: {self.log.read_text()[-2000:]}"
        self.starts += 1
        self.address = line.decode().split()[-1].replace("http", "ws", 1)
        self.up.set()

    async def end(self, number: int = signal.SIGKILL) -> int:
        """Send it a signal and wait until it is gone; its exit status."""
        assert self._process is not None
        self.up.clear()
        self._process.send_signal(number)
        async with asyncio.timeout(PATIENCE_S):
            return await self._process.wait()

    def log_lines(self) -> list[Message]:
        """Everything that it has logged, over all its lives; what is no log line has level raw."""
        lines = self.log.read_text().splitlines()
        return [_parsed(line) for line in lines if line != "stopped; every table is kept"]

    def complaints(self) -> list[Message]:
        """Log lines of more than `info`, tracebacks among them."""
        return [line for line in self.log_lines() if line["level"] not in ("debug", "info")]


def _parsed(line: str) -> Message:
    try:
        message: Message = json.loads(line)
    except ValueError:
        return {"level": "raw", "event": line}
    return message


@contextlib.asynccontextmanager
async def serving(data: Path, *flags: str) -> AsyncIterator[ServerProcess]:
    """A server process, stopped in order at the end."""
    server = ServerProcess(data, *flags)
    await server.start()
    try:
        yield server
    finally:
        if server.up.is_set():
            status = await server.end(signal.SIGINT)
            assert status == 0, server.log.read_text()[-2000:]


async def create(address: str, **settings: Any) -> str:
    """A new table."""
    async with connect(f"{address}/ws") as line:
        await line.send(json.dumps({"type": "hello", "protocol": 1}))
        await line.send(json.dumps({"type": "create", **settings}))
        while True:
            message = json.loads(await line.recv())
            if message["type"] == "created":
                return str(message["table"])
            assert message["type"] == "welcome", message


class Follower:
    """One client that follows a table through dropped connections and restarts.

    Attributes:
        events: everything that it was told, in order. finished: the last message, at the end.
    """

    def __init__(
        self,
        server: ServerProcess,
        fmt: str = "json",
        on_event: Callable[[], None] = lambda: None,
    ) -> None:
        self.server = server
        self.events: list[Message] = []
        self.finished: Message | None = None
        self.table = ""
        self.connections = 0
        self._fmt = fmt
        self._on_event = on_event

    async def run(self) -> None:
        """Follow to the end, coming back whenever the connection is gone."""
        while self.finished is None:
            await self.server.up.wait()
            with contextlib.suppress(OSError, WebSocketException, EOFError):
                await self._once()

    async def _once(self) -> None:
        protocol = Subprotocol(f"jantaku.v1.{self._fmt}")
        address = f"{self.server.address}/ws"
        async with connect(address, subprotocols=[protocol], open_timeout=PATIENCE_S) as line:
            self.connections += 1
            await self.send(line, "hello", protocol=1)
            await self.begin(line)
            async for frame in line:
                message = msgpack.unpackb(frame) if isinstance(frame, bytes) else json.loads(frame)
                await self.hear(line, message)
                if self.finished is not None:
                    return

    async def send(self, line: ClientConnection, kind: str, /, **fields: Any) -> None:
        message = {"type": kind, **fields}
        await line.send(json.dumps(message) if self._fmt == "json" else msgpack.packb(message))

    async def begin(self, line: ClientConnection) -> None:
        """Say where to go on."""
        await self.send(line, "spectate", table=self.table, after=len(self.events) - 1)

    async def hear(self, line: ClientConnection, message: Message) -> None:
        """Take one message."""
        kind = message["type"]
        if kind == "event":
            assert message["seq"] == len(self.events), "an event was skipped or came twice"
            self.events.append(message["event"])
            self._on_event()
        elif kind == "finished":
            self.finished = message
        elif kind == "error":
            assert message["code"] in ("going_down", "full", "not_found"), message


class Player(Follower):
    """A client that takes a seat and answers by chance.

    Attributes:
        accepted: what it answered and was acknowledged, by question.
    """

    def __init__(
        self,
        server: ServerProcess,
        table: str,
        rng: random.Random,
        fmt: str = "json",
        on_event: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(server, fmt, on_event)
        self.table = table
        self.rng = rng
        self.token = ""
        self.seat = -1
        self.accepted: dict[int, Message] = {}
        self._said: dict[int, Message] = {}
        self.entropy = rng.randbytes(8).hex() if rng.random() < 0.5 else ""

    async def begin(self, line: ClientConnection) -> None:
        if self.token:
            await self.send(line, "resume", token=self.token, after=len(self.events) - 1)
        else:
            given = {"entropy": self.entropy} if self.entropy else {}
            await self.send(line, "join", table=self.table, name="x", kind="bot", **given)

    async def hear(self, line: ClientConnection, message: Message) -> None:
        kind = message["type"]
        if kind == "joined":
            self.token, self.seat = message["token"], message["seat"]
        elif kind == "request":
            assert message["id"] not in self.accepted, "an acknowledged answer was lost"
            assert message["id"] == len(self.events), "a question before its events"
            menu = message["menu"]
            index = int(self.rng.random() * len(menu))
            self._said[message["id"]] = menu[index]
            await self.send(line, "answer", id=message["id"], index=index)
        elif kind == "accepted":
            self.accepted[message["id"]] = self._said[message["id"]]
        elif kind == "error" and not self.token:
            # The seat of a join that was never told is kept for a while: try again.
            assert message["code"] in ("full", "going_down"), message
            await asyncio.sleep(0.05)
            await self.begin(line)
        else:
            assert kind != "rejected", message
            await super().hear(line, message)


# ---------------------------------------------------------------------- what a table left behind


def record_of(data: Path, table: str) -> tuple[list[Event], list[Message]]:
    """The events of a saved game, all hands open, and its lines."""
    text = gzip.decompress((data / "replays" / f"{table}.mjson.gz").read_bytes()).decode()
    lines = [json.loads(line) for line in text.splitlines()]
    return [event_from_mjai(line) for line in lines], lines


def verified(data: Path, table: str) -> Tally:
    """What the verifier finds in a saved game."""
    path = data / "replays" / f"{table}.mjson.gz"
    return verify(parse(gzip.decompress(path.read_bytes()), path.name.removesuffix(".gz")))


def masked(events: list[Event], seat: int) -> list[Message]:
    """The events as a seat, or a spectator (-1), may know them."""
    return [json.loads(json.dumps(event.seen_by(seat).to_mjai())) for event in events]


def broken_answers(player: Player, events: list[Event]) -> Iterator[str]:
    """Every acknowledged answer that the game does not show, in words."""
    game = [event.to_mjai() for event in events]
    for number, answer in player.accepted.items():
        after = [
            e for e in game[number : number + 4] if e["type"] not in ("dora", "reach_accepted")
        ]
        if not _shows(after, answer, player.seat):
            yield f"answer {answer} to question {number} of seat {player.seat}: {after[0]}"


def _shows(after: list[Message], answer: Message, seat: int) -> bool:
    event = after[0]
    kind = answer["type"]
    if kind in ("none", "noten"):
        # It did not claim the tile, whatever the others did.
        mine = event.get("actor") == seat
        return not mine or event["type"] in ("tsumo", "dahai", "reach", "ankan", "kakan")
    if kind in ("chi", "pon", "daiminkan") and event["type"] != kind:
        stronger = ("hora",) if kind != "chi" else ("hora", "pon", "daiminkan")
        return event["type"] in stronger and event["actor"] != seat
    if kind in ("chi", "pon", "daiminkan"):
        return event["actor"] == seat or kind == "chi"
    if kind == "hora":
        won = [e for e in after if e["type"] == "hora"]
        return any(e["actor"] == seat for e in won) or bool(won) or event["type"] == "ryukyoku"
    if kind == "ryukyoku":
        return event["type"] == "ryukyoku"
    wanted = {key: answer[key] for key in ("type", "actor", "pai", "tsumogiri") if key in answer}
    return all(event.get(key) == value for key, value in wanted.items())
