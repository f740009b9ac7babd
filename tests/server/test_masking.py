"""What must not be known is not told: hidden tiles, seeds, keys, tokens, who could call.

That no byte of a seat depends on what it may not know is tested deeper in test_hidden_tiles.py;
here it is the wire as a whole, from the first message to the last, and everything around it:
pages, errors, logs and replays.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from app_kit import address, ask, plain_get, receive, running, send, served
from server_kit import Peer, World, dull
from table_kit import rig
from websockets.asyncio.client import connect

from jantaku_engine.wall import HAIPAI, Wall
from jantaku_server import lobby
from jantaku_server.replay_files import DATABASE

# ---------------------------------------------------------------------- hidden tiles


def evening(
    folder: Path, monkeypatch: pytest.MonkeyPatch, walls: list[Wall]
) -> dict[str, list[tuple[float, str | bytes]]]:
    """A whole match of four seats and two spectators: what each was sent, and when."""
    count = itertools.count()
    chance = SimpleNamespace(
        token_hex=lambda size: f"{next(count):0{size * 2}x}",
        token_bytes=lambda size: next(count).to_bytes(size, "big"),
        randbits=lambda size: next(count),
    )
    monkeypatch.setattr(lobby, "secrets", chance)
    rig(monkeypatch, *walls)
    world = World(folder)
    table, peers = world.seated(
        4, ("json", "msgpack"), call_window_ms=500, pause_ms=2000, chat=True, spectator_delay=0
    )
    watchers = [Peer(world, "json"), Peer(world, "msgpack")]
    for watcher in watchers:
        watcher.say("spectate", table=table.id)
    told: dict[str, list[tuple[float, str | bytes]]] = {}
    everybody = {f"seat {seat}": peer for seat, peer in enumerate(peers)}
    everybody |= {f"spectator in {watcher.fmt}": watcher for watcher in watchers}
    for name, peer in everybody.items():
        told[name] = [(world.clock.now(), frame) for frame in peer.line.frames]
        hear = peer.line.on_frame

        def note(frame: str | bytes, name: str = name, hear: Any = hear) -> None:
            told[name].append((world.clock.now(), frame))
            hear(frame)

        peer.line.on_frame = note
    for peer in peers:
        peer.begin(dull)
    world.finish(table)
    for watcher in watchers:
        assert watcher.last("event")["event"]["type"] == "end_game"
    return told


def swapped(wall: Wall, dealer: int, seats: tuple[int, int]) -> Wall:
    """The wall with one tile of two seats' first hands exchanged."""
    ids = list(wall.ids)
    first, second = (HAIPAI[(seat - dealer) % 4][0] for seat in seats)
    ids[first], ids[second] = ids[second], ids[first]
    return Wall(ids)


def test_a_match_that_differs_in_hidden_tiles_is_the_same_byte_for_byte_and_moment_for_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Everybody discards what it draws and passes, so the first hands are never seen: each hand
    # ends in a draw, the dealer's place goes round, and nobody is tenpai.
    walls = [Wall(Wall.from_seed(b"\7" * 32, number).ids) for number in range(9)]
    others = [swapped(wall, number % 4, (2, 3)) for number, wall in enumerate(walls)]
    one = evening(tmp_path / "a", monkeypatch, walls)
    two = evening(tmp_path / "b", monkeypatch, others)
    hands = sum('"start_kyoku"' in str(frame) for _, frame in one["seat 0"])
    assert hands >= 8
    for name in ("seat 0", "seat 1", "spectator in json", "spectator in msgpack"):
        assert one[name] == two[name]
    for name in ("seat 2", "seat 3"):
        assert one[name] != two[name], "the difference was real"
    # They were asked at other moments too, and nobody else could tell.
    asked = [sum("request" in str(frame) for _, frame in game["seat 2"]) for game in (one, two)]
    assert asked[0] != asked[1]


# ---------------------------------------------------------------------- secrets


def seeds(data: Path) -> list[str]:
    """The seeds of the running matches, from the database itself."""
    database = sqlite3.connect(f"file:{data / DATABASE}?mode=ro", uri=True)
    try:
        return [seed.hex() for (seed,) in database.execute("SELECT seed FROM tables")]
    finally:
        database.close()


async def test_a_running_match_tells_its_secrets_nowhere(tmp_path: Path) -> None:
    async with running(tmp_path) as app, connect(address(app)) as client:
        heard: list[str] = []

        async def listen(*kinds: str) -> Any:
            while True:
                heard.append(str(await asyncio.wait_for(client.recv(), 20)))
                message = json.loads(heard[-1])
                if message["type"] in kinds:
                    return message

        await send(client, "hello", protocol=1)
        seats = ["open", *["bot:tsumogiri"] * 3]
        await send(client, "create", seats=seats, private=True, clock="bots")
        made = await listen("created")
        await send(client, "join", code=made["code"], name="x", entropy="5f09a1c2")
        joined = await listen("joined")
        keys: list[str] = []
        for turn in range(200):  # into the second hand
            request = await listen("request")
            if turn % 10 == 0:
                await send(client, "answer", id=request["id"], index=900)
                await listen("rejected")
                request = await listen("request")
            if turn == 30:
                await send(client, "resume", token="wrong")
                await send(client, "join", code="wrong", name="x")
                await send(client, "replay", game=made["table"])
                assert (await listen("error"))["code"] == "unexpected"
                assert (await listen("error"))["code"] == "unexpected"
                assert (await listen("error"))["code"] == "not_found"
            await send(client, "answer", id=request["id"], index=dull(request))
            keys = re.findall(r'"wall_key":"(\w+)"', "".join(heard))
            if keys and turn > 60:
                break
        assert keys, "the key of a hand that is over is public"
        (seed,) = seeds(tmp_path)
        pages = [
            (await plain_get(app, path))[2].decode()
            for path in ("/api/tables", "/api/games", "/api/presets", "/metrics", "/healthz", "/")
        ]
        for secret in (seed, joined["token"], made["owner"], made["code"], "5f09a1c2"):
            assert secret not in "".join(pages)
        assert made["table"] not in "".join(pages), "the table is private"
        assert seed not in "".join(heard)
        assert "".join(heard).count(joined["token"]) == 1
        status, _, body = await plain_get(app, f"/replays/{made['table']}.mjson.gz")
        assert (status, body) == (404, b"no such replay\n")
        assert not list(tmp_path.glob("replays/*"))


SECRET_LIKE = re.compile(r"[0-9a-f]{32}|[\w-]{32}")
TILE_LIKE = re.compile(r"\b[1-9][mps]r?\b|\bpai\b|tehai|consumed")


async def test_the_log_of_a_whole_match_has_no_secret_and_no_hand(tmp_path: Path) -> None:
    names = ("Aoi", "Beni", "Chika")
    async with served(tmp_path, "--log-level", "debug", "--log-format", "json") as server:
        secrets: list[str] = []
        sockets = [await connect(server.websocket) for _ in names]
        for socket in sockets:
            await ask(socket, "hello", "welcome", protocol=1, client="secretive")
        owner = sockets[0]
        made = await ask(
            owner,
            "create",
            "created",
            seats=["open"] * 4,
            private=True,
            clock="bots",
            rules={"length": "tonpuu"},
            call_window_ms=0,
        )
        secrets += [made["code"], made["owner"]]
        for index, (socket, name) in enumerate(zip(sockets, names, strict=True)):
            entropy = f"{index}a" * 16
            where = {"code": made["code"], "entropy": entropy}
            joined = await ask(socket, "join", "joined", name=name, **where)
            secrets += [entropy, joined["token"]]
            await ask(socket, "resume", "error", token="x" * 32)
        mjai_address = server.websocket.replace("/ws", f"/mjai?code={made['code']}&style=line")
        program = await connect(mjai_address)
        hello = json.loads(await program.recv())
        secrets.append(hello["token"])
        secrets += seeds(tmp_path)
        assert len(secrets) == 10
        ends = await asyncio.gather(
            *(follow(socket, stale=index == 0) for index, socket in enumerate(sockets)),
            run_program(program, hello["seat"]),
        )
        secrets += ends[0]
        for socket in (*sockets, program):
            await socket.close()
        assert await server.stop() == 0
    log = server.log
    entries = [json.loads(line) for line in log[:-1]]
    events = {entry["event"] for entry in entries}
    assert {"match started", "match finished", "connection opened", "connection closed"} <= events
    assert {"server started", "server stopped", "table created", "replay written"} <= events
    for secret in secrets:
        assert len(secret) >= 12
        assert not [line for line in log if secret in line]
    for line in log:
        assert not SECRET_LIKE.search(line), line
    for entry in entries:
        assert entry["level"] in ("debug", "info"), entry
        if entry["level"] != "debug":
            assert not TILE_LIKE.search(json.dumps(entry)), entry
        if entry["event"].startswith("connection"):
            assert entry["connection"]
    assert "Aoi" not in "".join(log), "who plays is nobody's business"


async def follow(socket: Any, stale: bool) -> list[str]:
    """Play to the end; the seed and keys that are public then."""
    keys: list[str] = []
    while True:
        message = await receive(socket, "request", "event", "finished")
        if message["type"] == "finished":
            return [message["seed"], *keys]
        if message["type"] == "event":
            keys += [message["event"]["wall_key"]] if "wall_key" in message["event"] else []
            continue
        await send(socket, "answer", id=message["id"], index=dull(message))
        if stale:
            await send(socket, "answer", id=message["id"], index=900)


async def run_program(socket: Any, seat: int) -> list[str]:
    """An mjai program that discards what it draws."""
    async for text in socket:
        event = json.loads(text)
        if event["type"] == "end_game":
            break
        if event["type"] == "tsumo" and event["actor"] == seat:
            tile = {"actor": seat, "pai": event["pai"], "tsumogiri": True}
            await socket.send(json.dumps({"type": "dahai", **tile}))
        else:
            await socket.send('{"type":"none"}')
    return []


async def test_a_match_that_was_stopped_in_the_middle_is_not_downloadable_either(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as app, connect(address(app)) as client:
        await ask(client, "hello", "welcome", protocol=1)
        made = await ask(client, "create", "created", seats=["open", *["bot:greedy"] * 3])
        await send(client, "join", table=made["table"], name="x")
        await receive(client, "request")
    async with running(tmp_path) as app, connect(address(app)) as client:
        await ask(client, "hello", "welcome", protocol=1)
        assert (await plain_get(app, f"/replays/{made['table']}.mjson.gz"))[0] == 404
        assert json.loads((await plain_get(app, "/api/games"))[2]) == {"games": []}
        error = await ask(client, "replay", "error", "replay", game=made["table"])
        assert error["code"] == "not_found"
