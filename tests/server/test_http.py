"""What comes in at the port before it is a session: requests, handshakes, frames, deaf clients."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import structlog
from app_kit import (
    BOT_TABLE,
    address,
    ask,
    frame,
    handshake,
    hello,
    plain_get,
    raw,
    receive,
    running,
    wait_for,
    wait_for_figure,
    watch_a_game,
)
from server_kit import sample
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from jantaku_clients.cli import main
from jantaku_server import app as app_module
from jantaku_server import lines, sockets, wire
from jantaku_server.app import App
from jantaku_server.pages import Pages

# ---------------------------------------------------------------------- plain requests


async def test_health_games_tables_presets_and_replays(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        status, headers, body = await plain_get(app, "/healthz")
        assert (status, json.loads(body)["status"]) == (200, "ok")
        assert headers["cache-control"] == "no-store"
        game = await watch_a_game(app)
        status, _, body = await plain_get(app, "/api/games")
        (row,) = json.loads(body)["games"]
        assert status == 200
        assert row["replay"] == f"{game}.mjson.gz"
        assert sorted(player["placement"] for player in row["players"]) == [1, 2, 3, 4]
        status, headers, body = await plain_get(app, f"/replays/{game}.mjson.gz")
        assert status == 200
        assert headers["content-type"] == "application/gzip"
        assert json.loads(gzip.decompress(body).splitlines()[0])["type"] == "start_game"
        async with connect(address(app)) as client:
            await hello(client)
            made = await ask(client, "create", "created")
        status, _, body = await plain_get(app, "/api/tables")
        assert [table["table"] for table in json.loads(body)["tables"]] == [made["table"]]
        status, _, body = await plain_get(app, "/api/presets")
        assert "tenhou" in [preset["name"] for preset in json.loads(body)["presets"]]


async def test_a_private_match_is_listed_nowhere_and_its_replay_is_for_who_knows_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running(tmp_path) as app:
        async with connect(address(app)) as client:
            await hello(client)
            made = await ask(client, "create", "created", **BOT_TABLE, private=True)
            over = await ask(client, "spectate", "finished", code=made["code"])
        public = await watch_a_game(app)
        for path, name, field in (
            ("/api/games", "games", "id"),
            ("/api/games?newest=1000", "games", "id"),
            ("/api/tables", "tables", "table"),
        ):
            _, _, body = await plain_get(app, path)
            listed = [one[field] for one in json.loads(body)[name]]
            assert listed == ([public] if name == "games" else []), path
        assert (await plain_get(app, f"/replays/{over['replay']}"))[0] == 200
    capsys.readouterr()  # the log
    assert main(["games", "--data", str(tmp_path), "--json"]) == 0
    games = json.loads(capsys.readouterr().out)["games"]
    assert [(g["id"], g["private"]) for g in games] == [(public, False), (made["table"], True)]
    assert main(["games", "--data", str(tmp_path)]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "hands" in line]
    assert ["  private  " in line for line in lines] == [False, True]


async def test_options_that_were_changed_are_told_wherever_the_rules_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = {"preset": "tenhou", "length": "tonpuu", "kuitan": False, "uma": [30, 10, -10, -30]}
    async with running(tmp_path) as app:
        async with connect(address(app)) as client:
            await hello(client)
            await ask(client, "create", "created", rules=rules)
            (waiting,) = (await ask(client, "list", "tables"))["tables"]
            made = await ask(client, "create", "created", **{**BOT_TABLE, "rules": rules})
            table = await ask(client, "spectate", "table", table=made["table"])
            await receive(client, "finished")
        _, _, body = await plain_get(app, "/api/games")
        (game,) = json.loads(body)["games"]
    for told in (waiting, table):
        assert (told["preset"], told["length"]) == ("tenhou", "tonpuu")
        assert told["changes"] == "uma=30/10/-10/-30, kuitan=off"
    assert (game["rules"], game["length"], game["changes"]) == (
        *("tenhou", "tonpuu", "uma=30/10/-10/-30, kuitan=off"),
    )
    assert main(["games", "--data", str(tmp_path)]) == 0
    assert "  tenhou (uma=30/10/-10/-30, kuitan=off) tonpuu, " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("newest=1", 200),
        ("newest=0", 200),
        ("newest=99999999999999999999", 200),
        ("other=abc", 200),
        ("newest=abc", 400),
        ("newest=", 400),
        ("newest=-1", 400),
        ("newest=1.5", 400),
        ("newest=%D9%A3", 400),
    ],
)
async def test_how_many_games_are_asked_for_is_a_whole_number(
    tmp_path: Path, query: str, status: int
) -> None:
    async with running(tmp_path) as app:
        got, _, body = await plain_get(app, f"/api/games?{query}")
    assert got == status
    assert status == 200 or body == b"newest must be a whole number\n"


@pytest.mark.parametrize(
    "path",
    [
        "/nowhere",
        "//",
        "/ws/",
        "/replays/",
        "/replays/../jantaku.sqlite3",
        "/replays/..%2fjantaku.sqlite3",
        "/replays/%2e%2e/jantaku.sqlite3",
        "/replays/..\\jantaku.sqlite3",
        "/replays//etc/passwd",
        "/replays/0123456789abcdef.mjson.gz",
        "/replays/0123456789ABCDEF.mjson.gz",
        "/replays/0123456789abcdef.mjson.gz/../../jantaku.sqlite3",
        "/replays/0123456789abcdef.mjson.gz%00",
        "/replays/.0123456789abcdef.part.gz",
        "/replays/0123456789abcde\u0661.mjson.gz".encode().decode("latin-1"),
        "/static/../../pyproject.toml",
        "/static/%2e%2e/serve_command.py",
        "../../etc/passwd",
        "http://127.0.0.1/etc/passwd",
        "/api/games/../../x",
        "/" + "a" * 7000,
    ],
)
async def test_paths_that_lead_nowhere(tmp_path: Path, path: str) -> None:
    async with running(tmp_path) as app:
        answer = await raw(app, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode("latin-1"))
        if path.isascii():
            assert answer.startswith(b"HTTP/1.1 404 ")
            assert len(answer) < 600
            assert str(tmp_path).encode() not in answer
        else:
            assert answer == b"", "no HTTP request: closed without an answer"
        assert sample(app.metrics, "jantaku_faults_total") == 0
        assert (await plain_get(app, "/healthz"))[0] == 200


BAD_REQUESTS: dict[str, tuple[bytes, int | None]] = {
    "POST": (b"POST /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    "DELETE": (b"DELETE /replays/x HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    "OPTIONS *": (b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    "a body": (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", None),
    "chunks": (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", None),
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n", None),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", None),
    "a long line": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    "a long header": (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 9000 + b"\r\n\r\n", 431),
    "many headers": (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 129 + b"\r\n", 431),
    "a broken header": (b"GET / HTTP/1.1\r\nHost x\r\n\r\n", None),
    "two Upgrades": (
        b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nUpgrade: websocket\r\n\r\n",
        400,
    ),
    "two Authorizations": (
        b"GET /metrics HTTP/1.1\r\nAuthorization: a\r\nAuthorization: b\r\n\r\n",
        400,
    ),
    "a strange Authorization": (
        b"GET /metrics HTTP/1.1\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
        403,
    ),
    "no websocket there": (b"GET /metrics HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", 404),
    "a websocket without a key": (b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n", 426),
    "a websocket without a version": (
        b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
        400,
    ),
    "a websocket by POST": (
        b"POST /ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n",
        405,
    ),
}


@pytest.mark.parametrize(("request_", "status"), BAD_REQUESTS.values(), ids=BAD_REQUESTS)
async def test_bad_requests_get_their_status(
    tmp_path: Path, request_: bytes, status: int | None
) -> None:
    async with running(tmp_path, metrics_token="t") as app:
        answer = await raw(app, request_)
        assert answer.split(b"\r\n")[0].split(b" ")[1:2] == (
            [str(status).encode()] if status else []
        )
        if status == 405:
            assert b"\r\nAllow: GET" in answer
        assert sample(app.metrics, "jantaku_faults_total") == 0
        assert (await plain_get(app, "/healthz"))[0] == 200


async def test_head_is_get_without_the_body(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        answer = await raw(app, b"HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        head, _, body = answer.partition(b"\r\n\r\n")
        _, headers, whole = await plain_get(app, "/healthz")
        assert head.startswith(b"HTTP/1.1 200")
        assert body == b""
        assert f"Content-Length: {len(whole)}".encode() in head
        assert headers["content-length"] == str(len(whole))


async def test_a_request_that_dribbles_in_is_cut_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app_module, "HANDSHAKE_S", 0.2)
    async with running(tmp_path) as app:
        pairs = [await asyncio.open_connection("127.0.0.1", app.port) for _ in range(50)]
        for _, writer in pairs:
            writer.write(b"GET /ws HTTP/1.1\r\nHost: x\r\nX-a: ")
        assert (await plain_get(app, "/healthz"))[0] == 200
        async with asyncio.timeout(10):
            assert await asyncio.gather(*(reader.read() for reader, _ in pairs)) == [b""] * 50
        for _, writer in pairs:
            writer.close()
        async with connect(address(app)) as client:
            await hello(client)


async def test_silent_sockets_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_module, "SPARE_SOCKETS", 10)
    monkeypatch.setattr(app_module, "HANDSHAKE_S", 60.0)
    async with running(tmp_path, max_connections=1) as app:
        pairs = [await asyncio.open_connection("127.0.0.1", app.port) for _ in range(40)]
        assert app._server is not None
        await wait_for(lambda: sum(reader.at_eof() for reader, _ in pairs) >= 29)  # 11 are left
        assert len(app._server.handler_tasks) <= 11
        for _, writer in pairs:
            writer.close()
        await wait_for(lambda: not app._server.handler_tasks)  # type: ignore[union-attr]
        assert (await plain_get(app, "/healthz"))[0] == 200


async def test_a_fault_of_a_page_is_500_and_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*arguments: Any) -> None:
        raise ZeroDivisionError("secret")

    with structlog.testing.capture_logs() as logs:
        async with running(tmp_path) as app:
            with monkeypatch.context() as patched:
                patched.setattr(Pages, "get", broken)
                status, _, body = await plain_get(app, "/")
            assert (status, body) == (500, b"the server failed\n")
            assert sample(app.metrics, "jantaku_faults_total") == 1
            assert (await plain_get(app, "/healthz"))[0] == 200
    (line,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert (line["event"], line["error"]) == ("request failed", "ZeroDivisionError")
    assert "secret" not in str(line)


# ---------------------------------------------------------------------- handshakes


async def test_the_format_is_chosen_by_subprotocol(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        for offered, chosen in (
            (["jantaku.v1.json"], "jantaku.v1.json"),
            (["jantaku.v1.msgpack"], "jantaku.v1.msgpack"),
            (["jantaku.v9.json", "jantaku.v1.json"], "jantaku.v1.json"),
            (["jantaku.v1.json", "jantaku.v1.msgpack"], "jantaku.v1.json"),
            (None, None),
        ):
            async with connect(address(app), subprotocols=offered) as client:  # type: ignore[arg-type]
                assert client.subprotocol == chosen
                fmt = wire.SUBPROTOCOLS.get(chosen or "", "json")
                await client.send(wire.encode({"type": "hello", "protocol": 1}, fmt))
                answer = wire.decode(await client.recv(), fmt, longest=1 << 20)
                assert answer["type"] == "welcome"


async def test_another_subprotocol_is_refused_with_those_that_exist(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        with pytest.raises(InvalidStatus) as refused:
            async with connect(address(app), subprotocols=["chess.v1"]):  # type: ignore[list-item]
                pass
        assert refused.value.response.status_code == 400
        assert b"jantaku.v1.json" in refused.value.response.body


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        (None, 101),
        ("http://127.0.0.1:{port}", 101),
        ("https://127.0.0.1:{port}", 101),
        ("https://club.example", 101),
        ("http://club.example", 403),
        ("http://127.0.0.1", 403),
        ("http://evil.example", 403),
        ("http://127.0.0.1:{port}.evil.example", 403),
        ("http://evil.example@127.0.0.1:{port}", 403),
        ("null", 403),
        ("", 403),
        ("http://[", 403),
        ("file://", 403),
    ],
)
async def test_only_own_and_named_origins_may_connect(
    tmp_path: Path, origin: str | None, status: int
) -> None:
    async with running(tmp_path, origins=["https://club.example"]) as app:
        head = (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{app.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
        )
        if origin is not None:
            head += f"Origin: {origin.format(port=app.port)}\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
        writer.write(f"{head}\r\n".encode())
        line = await reader.readline()
        writer.close()
        assert int(line.split()[1]) == status
        assert sample(app.metrics, "jantaku_rejected_total", reason="origin") == (status == 403)


async def test_one_connection_too_many_is_told_so(tmp_path: Path) -> None:
    async with running(tmp_path, max_connections=2) as app:
        async with connect(address(app)), connect(address(app)):
            with pytest.raises(InvalidStatus) as refused:
                async with connect(address(app)):
                    pass
            assert refused.value.response.status_code == 503
            assert sample(app.metrics, "jantaku_connections") == 2
            assert (await plain_get(app, "/healthz"))[0] == 200
        await wait_for_figure(app, 0, "jantaku_connections")
        async with connect(address(app)) as client:
            await hello(client)


# ---------------------------------------------------------------------- clients that do harm


async def test_what_is_too_long_or_no_text_closes_with_the_documented_code(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        for frame, code, reason in (
            ("x" * (wire.MAX_FRAME + 1), 1009, "oversized"),
            (b"\xff\xfe", 1007, "not_utf8"),
        ):
            async with connect(address(app)) as client:
                await hello(client)
                with contextlib.suppress(ConnectionClosed):
                    await client.send(frame, text=True)
                with pytest.raises(ConnectionClosed) as closed:
                    await client.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == code
            await wait_for_figure(app, 1, "jantaku_dropped_connections_total", reason=reason)
            assert sample(app.metrics, "jantaku_rejected_total", reason=reason) == 1
        async with connect(address(app)) as client:
            await client.send(b'{"type":"hello","protocol":1}')  # binary, where JSON is text
            assert (await receive(client))["code"] == "malformed"


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x81\x04ping",  # not masked
        b"\xf1\x80\0\0\0\0",  # reserved bits
        b"\x83\x80\0\0\0\0",  # no such kind of frame
        b"\x80\x80\0\0\0\0",  # goes on with nothing
        b"\x09\x80\0\0\0\0",  # a ping in pieces
        b"\x89\xfe\x01\x00\0\0\0\0" + bytes(256),  # a ping too long
        b"GET / HTTP/1.1\r\n\r\n",
    ],
)
async def test_what_is_no_websocket_frame_closes_the_connection(
    tmp_path: Path, garbage: bytes
) -> None:
    async with running(tmp_path) as app:
        reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
        writer.write(handshake(app.port))
        assert b"101 Switching Protocols" in await reader.readuntil(b"\r\n\r\n")
        writer.write(garbage)
        async with asyncio.timeout(20):
            answer = await reader.read()
        assert answer[:1] == b"\x88", "a close frame"
        assert struct.unpack("!H", answer[2:4]) == (1002,)
        writer.close()
        await wait_for_figure(app, 1, "jantaku_dropped_connections_total", reason="protocol")
        assert sample(app.metrics, "jantaku_faults_total") == 0


def resident() -> int:
    """Bytes of memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096


class DeafClient:
    """A websocket that says hello, asks for lists, and reads nothing."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.setblocking(False)

    async def __aenter__(self) -> DeafClient:
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self.socket, ("127.0.0.1", self.app.port))
        await loop.sock_sendall(self.socket, handshake(self.app.port))
        await loop.sock_sendall(self.socket, frame({"type": "hello", "protocol": 1}))
        return self

    async def __aexit__(self, *exception: object) -> None:
        self.socket.close()

    async def ask_until(self, is_enough: Callable[[], bool]) -> None:
        """Ask for lists until something is so; each answer has 100 tables, some 60 KB."""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(20):
            for _ in range(50):
                with contextlib.suppress(OSError):
                    await loop.sock_sendall(self.socket, frame({"type": "list"}))
                await asyncio.sleep(0.002)
                if is_enough():
                    return
            raise AssertionError("it may ask without end")


def unread(app: App) -> float:
    return sample(app.metrics, "jantaku_send_queue_bytes")


def dropped(app: App) -> float:
    return sample(app.metrics, "jantaku_dropped_connections_total", reason="slow")


@contextlib.asynccontextmanager
async def busy_server(data: Path) -> AsyncIterator[App]:
    async with running(data, max_tables=1000) as app:
        for _ in range(100):
            app.lobby.create({}, lambda table, code, owner: None)
        yield app


@pytest.mark.parametrize(
    ("first", "then"),
    [(b"\x89\x80", b"\x89\x80"), (b"\x8a\x80", b"\x8a\x80"), (b"\x01\x80", b"\x00\x80")],
    ids=["pings", "pongs", "pieces"],
)
async def test_a_flood_of_what_is_no_message_is_cut(
    tmp_path: Path, first: bytes, then: bytes
) -> None:
    async with running(tmp_path) as app:
        reader, writer = await websocket(app)
        with contextlib.suppress(ConnectionError):
            writer.write(first + bytes(4) + (then + bytes(4)) * 100_000)
            await writer.drain()
            await reader.read()
        await wait_for(lambda: not app._lines)
        assert sample(app.metrics, "jantaku_dropped_connections_total", reason="flooding") == 1
        writer.close()


async def test_who_breaks_the_protocol_and_stays_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "CLOSE_S", 0.1)
    async with running(tmp_path) as app:
        _, writer = await websocket(app)
        writer.write(b"\x09\x80" + bytes(4))  # a ping in pieces
        await wait_for(lambda: not app._lines)
        writer.close()


async def websocket(app: App) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A websocket without a library on this side."""
    reader, writer = await asyncio.open_connection("127.0.0.1", app.port)
    writer.write(handshake(app.port) + frame({"type": "hello", "protocol": 1}))
    assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
    return reader, writer


async def test_some_pings_are_answered(tmp_path: Path) -> None:
    async with running(tmp_path) as app, connect(address(app)) as client:
        await hello(client)
        for _ in range(50):
            await (await client.ping())


async def test_everything_that_has_gone_is_counted_for_the_sweep(tmp_path: Path) -> None:
    """Requests, refused handshakes, silent sockets: the library leaves cycles of each."""
    async with running(tmp_path) as app:
        await plain_get(app, "/healthz")
        _, writer = await asyncio.open_connection("127.0.0.1", app.port)
        writer.close()
        async with connect(address(app)) as client:
            await hello(client)
        await wait_for(lambda: app.sweeper._gone == 3)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
async def test_a_client_that_does_not_read_is_cut_without_memory_growth(tmp_path: Path) -> None:
    async with busy_server(tmp_path) as app:
        before = resident()
        for number in range(1, 6):
            async with DeafClient(app) as client:
                await client.ask_until(lambda: unread(app) > 0)  # it is seen in /metrics
                await client.ask_until(lambda: dropped(app) == number)  # noqa: B023
        grown = resident() - before
        print(f"memory grew by {grown} bytes")
        assert grown < 4 * 1024 * 1024
        await wait_for(lambda: not app._lines)
        assert unread(app) == 0


async def test_a_client_that_does_not_read_cannot_hold_up_the_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "CLOSE_S", 0.1)
    monkeypatch.setattr(app_module, "CLOSE_S", 0.1)
    async with contextlib.AsyncExitStack() as stack:
        app = await stack.enter_async_context(busy_server(tmp_path))
        async with DeafClient(app) as client:
            await client.ask_until(lambda: unread(app) > 0)
            async with asyncio.timeout(10):
                await stack.aclose()
