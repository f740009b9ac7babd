"""Hostile input is normal input: whatever is sent, the table goes on as if it had not been."""

from __future__ import annotations

import asyncio
import contextlib
import random
from pathlib import Path
from typing import Any

import msgpack
import pytest
import structlog
from app_kit import address, ask, receive, running, send
from server_kit import Peer, World, dull, sample
from table_kit import rig
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from jantaku_engine.wall import Wall
from jantaku_server import wire
from jantaku_server.session import MOST_OWN
from jantaku_server.table import PLAYING
from jantaku_server.wire import Format, Message


class Frames:
    """Frames that nobody should send: random, cut, bent, and nearly right."""

    def __init__(self, seed: int, fmt: Format, secrets: dict[str, Any]) -> None:
        self.rng = random.Random(seed)
        self.fmt = fmt
        self.secrets = secrets

    def value(self, depth: int = 0) -> Any:
        rng = self.rng
        choices: list[Any] = [
            *(None, True, False, 0, 1, -1, 3, 4, 255, 2**31, 2**53, -(2**53), 2**53 + 1, 2**63 - 1),
            *(0.0, 1.5, -1e300, 1e-300, "", "x", "open", "bot:greedy", "json", "\x00", "\u202e"),
            *("x" * rng.choice((10, 65, 129, 5000)), "0" * 16, "ff", "none", "dahai", "5mr", "?"),
            *("people", "bots", "hand", "hello", "good_game", "tenhou", "tonpuu", "AA==", "🀄"),
            *self.secrets.values(),
        ]
        if depth < 4:
            choices.append([self.value(depth + 1) for _ in range(rng.randrange(5))])
            choices.append(["open", "bot:random", "open", "bot:tsumogiri"])
            choices.append({self.key(): self.value(depth + 1) for _ in range(rng.randrange(4))})
            choices.append({"type": rng.choice(("none", "dahai", "pon", "hora", "reach", "ankan"))})
        return rng.choice(choices)

    def key(self) -> str:
        names = ["type", "preset", "length", "move", "bank", "pai", "consumed", "actor", "x", ""]
        fields = [name for fields in wire.CLIENT_MESSAGES.values() for name in fields]
        return self.rng.choice(names + fields)

    def message(self) -> Message:
        """A message of a known type with some of its fields, right or not."""
        rng = self.rng
        kind = rng.choice([*wire.CLIENT_MESSAGES, "answer", "answer", "join"])
        message: Message = {"type": kind}
        for name in wire.CLIENT_MESSAGES[kind]:
            if rng.random() < 0.7:
                message[name] = self.secrets.get(name) if rng.random() < 0.3 else self.value()
        if rng.random() < 0.2:
            message[self.key()] = self.value()
        return message

    def next(self) -> str | bytes:
        rng = self.rng
        how = rng.random()
        if how < 0.1:
            data = rng.randbytes(rng.randrange(200))
            return data if self.fmt == "msgpack" else data.decode("latin-1")
        if how < 0.12:
            nested = rng.choice(("[", '{"a":', "\x91", "\x81\xa1a")) * rng.randrange(1, 3000)
            return nested.encode("latin-1") if self.fmt == "msgpack" else nested
        if how < 0.15:  # a frame of the other kind
            return b'{"type":"ping"}' if self.fmt == "json" else '{"type":"ping"}'
        if how < 0.17 and self.fmt == "msgpack":
            extra = rng.choice((msgpack.ExtType(rng.randrange(128), b"x"), b"\xff", 2**64 - 1))
            return bytes(msgpack.packb({"type": "ping", "nonce": extra}))
        frame = wire.encode(self.message(), self.fmt)
        return self.bent(frame) if how < 0.5 else frame

    def bent(self, frame: str | bytes) -> str | bytes:
        data = bytearray(frame.encode() if isinstance(frame, str) else frame)
        for _ in range(self.rng.randrange(1, 4)):
            at = self.rng.randrange(len(data) + 1)
            match self.rng.randrange(4):
                case 0:
                    del data[at : at + self.rng.randrange(1, 9)]
                case 1:
                    data[at:at] = self.rng.randbytes(self.rng.randrange(1, 5))
                case 2:
                    data[at:at] = data[: self.rng.randrange(len(data) + 1)]
                case _ if data:
                    data[at % len(data)] ^= 1 << self.rng.randrange(8)
        return data.decode("utf-8", "replace") if isinstance(frame, str) else bytes(data)


@pytest.mark.parametrize("fmt", ["json", "msgpack"])
@pytest.mark.parametrize("seed", range(4))
def test_ten_thousand_frames_raise_nothing_and_are_each_answered_by_the_schema(
    tmp_path: Path, seed: int, fmt: Format
) -> None:
    world = World(tmp_path, max_tables=50)
    patient = {"move": 600_000, "grace": 3_600_000}
    table, peers = world.seated(4, chat=True, private=True, clock=patient)
    waiting, _ = world.table()
    rng = random.Random(seed)
    peer = Peer(world, fmt)
    sent = 0
    answers: set[str] = set()
    with structlog.testing.capture_logs() as logs:
        for _ in range(1400):
            if peer.line.closed or peer.line.dropped or rng.random() < 0.02:
                peer.hang_up()
                peer = Peer(world, fmt, hello=rng.random() < 0.9)
                if rng.random() < 0.5:
                    peer.say("resume", token=rng.choice(peers).token)
            secrets = {
                "table": waiting.id,
                "code": table.settings.code,
                "token": rng.choice(peers).token,
                "id": table.published,
                "after": table.published - 1,
                "protocol": 1,
                "name": "name",
            }
            frames = Frames(rng.randrange(2**32), fmt, secrets)
            peer.send(frames.next())
            sent += 1
            world.clock.advance(0.3)
            answers |= {message["type"] for message in peer.got[-9:]}
            del peer.got[:-9]
    assert sent == 1400
    assert answers <= set(wire.SERVER_MESSAGES)
    assert {"error", "rejected", "pong", "tables"} <= answers
    assert not [line for line in logs if line["log_level"] in ("warning", "error")]
    assert sample(world.metrics, "jantaku_faults_total") == 0
    # The table is as fit as ever.
    assert table.state == PLAYING
    for one in peers:
        again = world.peer()
        again.say("resume", token=one.token)
        again.begin(dull)
    world.clock.advance(1)
    world.finish(table, within=10_000)


def garbage(rng: random.Random, peer: Peer, request: Message) -> str | bytes:
    """Something that a seat should not send while it is asked."""
    others: list[Message] = [
        {"type": "answer", "id": request["id"], "index": len(request["menu"])},
        {"type": "answer", "id": request["id"] - 1, "index": 0},
        {"type": "answer", "id": request["id"] + 1, "index": 0},
        {"type": "answer", "id": request["id"], "index": -1},
        {"type": "answer", "id": request["id"], "action": {"type": "hora", "actor": 9}},
        {"type": "answer", "id": request["id"], "action": {"type": "dahai", "pai": "1m"}},
        {"type": "join", "table": peer.table, "name": "again"},
        {"type": "resume", "token": peer.token},
        {"type": "hello", "protocol": 1},
        {"type": "ready", "ready": False},
        {"type": "fill"},
        {"type": "rematch"},
        {"type": "chat", "phrase": "hello"},
        {"type": "nonsense"},
    ]
    frame = wire.encode(rng.choice(others), peer.fmt)
    return rng.choice((frame, frame[:-1], frame))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_among_hostile_messages_is_the_game_without_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rig(monkeypatch, *(Wall.from_seed(bytes([seed]) * 32, number) for number in range(40)))
    games = []
    for hostile in (False, True):
        world = World(tmp_path / str(hostile))
        table, peers = world.seated(4, ("json", "msgpack"), rules={"length": "tonpuu"})
        rng = random.Random(seed)

        def play(peer: Peer, world: World, rng: random.Random, hostile: bool) -> Any:
            def answer(request: Message) -> int:
                for _ in range(rng.randrange(3) if hostile else 0):
                    peer.session.receive(garbage(rng, peer, request))
                    world.clock.advance(0.06)  # within its allowance
                return dull(request)

            return answer

        for peer in peers:
            peer.begin(play(peer, world, rng, hostile))
        world.finish(table)
        games.append((table.match.events, [p.all("event") for p in peers]))  # type: ignore[union-attr]
        refusals = sum(len(peer.all("rejected") + peer.all("error")) for peer in peers)
        assert (refusals > 100) == hostile
    assert games[0] == games[1]


def test_thousands_of_tables_stop_at_the_limits(world: World) -> None:
    peers = [world.peer() for _ in range(20)]
    for crowd, tables in ((peers[:10], 10 * MOST_OWN), (peers, 100)):
        for _ in range(50):
            for peer in crowd:
                peer.session.receive(wire.encode({"type": "create"}, "json"))
            world.clock.advance(3)
        assert len(world.lobby.tables) == tables, "8 a connection, max_tables of the lobby"
    assert all(m["code"] in ("full", "flooding") for peer in peers for m in peer.all("error"))


def test_a_thousand_spectators_that_read_nothing_cost_the_table_nothing(world: World) -> None:
    table, peers = world.seated(4, spectator_delay=0)
    crowd = [world.peer() for _ in range(1000)]
    for one in crowd:
        one.say("spectate", table=table.id)
        one.line.unread = 10**9
    for peer in peers:
        peer.begin(dull)
    world.finish(table)
    assert all(one.line.dropped for one in crowd)
    assert not any(peer.line.dropped for peer in peers)


async def flood(app: Any, path: str, frames: list[str], **options: Any) -> None:
    """Connect and send all of it, as fast as the server takes it."""
    with contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError):
        async with connect(address(app, path), **options) as client:
            for text in frames:
                await client.send(text)
            async with asyncio.timeout(10):
                while True:
                    await client.recv()


async def test_a_table_on_sockets_plays_on_while_the_server_is_under_fire(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        async with connect(address(app)) as client:
            await ask(client, "hello", "welcome", protocol=1)
            made = await ask(
                client,
                "create",
                "created",
                seats=["open", *["bot:tsumogiri"] * 3],
                rules={"length": "tonpuu"},
                clock="bots",
            )
            await send(client, "join", table=made["table"], name="calm")
            fire: list[tuple[str, list[str], dict[str, Any]]] = [
                ("/ws", ['{"type":"hello","protocol":1}'] + ['{"type":"list"}'] * 400, {}),
                ("/ws", ["[" * 16_000] * 100, {}),
                ("/ws", ["x" * 20_000], {}),
                ("/ws", ['{"type":"hello","protocol":1}'] * 200, {}),
                ("/ws", [], {"subprotocols": ["chess"]}),
                ("/mjai?name=x&table=nowhere", [], {}),
                ("/mjai?style=dance", [], {}),
                ("/mjai?token=" + "t" * 100, [], {}),
            ]
            attackers = [
                asyncio.create_task(flood(app, path, frames, **options))
                for path, frames, options in fire * 3
            ]
            answered = 0
            while True:
                message = await receive(client, "request", "finished", "error", "rejected")
                assert message["type"] not in ("error", "rejected"), message
                if message["type"] == "finished":
                    break
                answered += 1
                await send(client, "answer", id=message["id"], index=dull(message))
            assert answered > 20
            await asyncio.gather(*attackers)
        assert sample(app.metrics, "jantaku_faults_total") == 0
