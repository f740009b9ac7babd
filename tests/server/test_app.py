"""A whole server: its figures, how it starts and how it stops."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
from pathlib import Path

import pytest
import structlog
from app_kit import address, ask, hello, plain_get, receive, running, send, wait_for_figure
from server_kit import sample
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from jantaku_engine.rules import Ruleset
from jantaku_server.app import App, StartError
from jantaku_server.journal import JournalError
from jantaku_server.mjai_session import MOST_PARAMETERS
from jantaku_server.replay_files import DATABASE, list_games
from jantaku_server.settings import read_settings

# ---------------------------------------------------------------------- figures


async def test_figures_are_for_this_machine_or_for_the_bearer_of_the_token(tmp_path: Path) -> None:
    async with running(tmp_path / "a") as app:
        assert (await plain_get(app, "/metrics"))[0] == 200
        for name in ("Forwarded", "X_Forwarded_For", "X_Real_IP"):
            through_a_proxy = await plain_get(app, "/metrics", **{name: "203.0.113.5"})
            assert through_a_proxy[0] == 403, "a proxy on this machine is not its client"
    async with running(tmp_path / "b", metrics_token="s3cret") as app:
        assert (await plain_get(app, "/metrics"))[0] == 403
        assert (await plain_get(app, "/metrics", Authorization="Bearer wrong"))[0] == 403
        assert (await plain_get(app, "/metrics", Authorization="s3cret"))[0] == 403
        right = await plain_get(app, "/metrics", Authorization="Bearer s3cret", Forwarded="for=x")
        assert right[0] == 200


async def test_each_figure_moves_when_it_should(tmp_path: Path) -> None:
    async with running(tmp_path) as app, connect(address(app)) as client:
        await hello(client)
        assert sample(app.metrics, "jantaku_connections") == 1
        made = await ask(client, "create", "created", seats=["open", *["bot:tsumogiri"] * 3])
        assert sample(app.metrics, "jantaku_tables", state="waiting") == 1
        await send(client, "join", table=made["table"], name="x")
        request = await receive(client, "request")
        assert sample(app.metrics, "jantaku_tables", state="waiting") == 0
        assert sample(app.metrics, "jantaku_tables", state="playing") == 1
        assert sample(app.metrics, "jantaku_events_total") == request["id"]
        before = {
            name: sample(app.metrics, name)
            for name in (
                "jantaku_moves_total",
                "jantaku_answer_seconds_count",
                "jantaku_thinking_seconds_count",
                "jantaku_commit_seconds_count",
            )
        }
        await ask(client, "answer", "accepted", id=request["id"], index=0)
        for name, old in before.items():
            assert sample(app.metrics, name) > old, name
        await ask(client, "answer", "rejected", id=request["id"], index=0)
        await ask(client, "resume", "error", token="x")
        assert sample(app.metrics, "jantaku_rejected_total", reason="stale") == 1
        assert sample(app.metrics, "jantaku_rejected_total", reason="unexpected") == 1
        text = (await plain_get(app, "/metrics"))[2].decode()
        assert made["table"] not in text
        assert "seat" not in text
    # The names of the page in README.md are those that exist.
    readme = (Path(__file__).parents[2] / "server" / "README.md").read_text(encoding="utf-8")
    families = {line.split()[2] for line in text.splitlines() if line.startswith("# TYPE")}
    told = {name for name in families if not name.endswith("_created")}
    assert told == {
        line.split("`")[1] for line in readme.splitlines() if line.startswith("| `jantaku_")
    }


async def test_the_queue_of_the_journal_is_seen_while_it_waits_for_the_disk(tmp_path: Path) -> None:
    async with running(tmp_path) as app, connect(address(app)) as client:
        await hello(client)
        await ask(client, "create", "created")
        assert sample(app.metrics, "jantaku_journal_queue") == 0
        other = sqlite3.connect(tmp_path / DATABASE, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")  # the disk is busy
        await send(client, "create")
        await send(client, "ping")
        await receive(client, "pong")
        assert sample(app.metrics, "jantaku_journal_queue") > 0
        other.execute("ROLLBACK")
        other.close()
        await receive(client, "created")
        assert sample(app.metrics, "jantaku_journal_queue") == 0


# ---------------------------------------------------------------------- addresses


async def test_an_address_with_too_many_parameters_is_refused_and_is_no_fault(
    tmp_path: Path,
) -> None:
    most = "/mjai?" + "&".join(["x=1"] * MOST_PARAMETERS)
    async with running(tmp_path) as app:
        async with connect(address(app, most)) as client:
            assert (await receive(client))["type"] == "hello"
        async with connect(address(app, f"{most}&x=1")) as client:
            assert (await receive(client))["code"] == "invalid"
            await client.wait_closed()
            assert (client.close_code, client.close_reason) == (1008, "invalid")
        assert sample(app.metrics, "jantaku_faults_total") == 0


# ---------------------------------------------------------------------- start and stop


async def test_a_folder_has_one_server(tmp_path: Path) -> None:
    async with running(tmp_path):
        with pytest.raises(StartError, match="another server uses this folder"):
            async with running(tmp_path):
                pass
    async with running(tmp_path) as app:
        assert (await plain_get(app, "/healthz"))[0] == 200


async def test_a_taken_port_is_told_before_any_table_moves(tmp_path: Path) -> None:
    async with running(tmp_path / "a") as app:
        with pytest.raises(StartError, match=f"127.0.0.1:{app.port}: cannot listen there"):
            async with running(tmp_path / "b", port=app.port):
                pass
    async with running(tmp_path / "b"):
        pass  # its folder is free again


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a..b", "203.0.113.1", "x" * 300])
async def test_a_host_that_cannot_be_is_told(tmp_path: Path, host: str) -> None:
    with pytest.raises(StartError, match="cannot listen there") as refused:
        async with running(tmp_path, host=host):
            pass
    assert "\n" not in str(refused.value)


async def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StartError, match="cannot be the data folder"):
        async with running(tmp_path / "file"):
            pass


async def test_a_database_that_is_none_is_told_and_the_folder_is_free_again(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"this is no database, but long enough to be read as one" * 9)
    for _ in range(2):
        with pytest.raises(JournalError, match=DATABASE):
            async with running(tmp_path):
                pass


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "http://127.0.0.1:{port}"),
        ("0.0.0.0", "http://127.0.0.1:{port}"),
        ("", "http://127.0.0.1:{port}"),
        ("::1", "http://[::1]:{port}"),
        ("::", "http://[::1]:{port}"),
        ("localhost", "http://localhost:{port}"),
    ],
)
async def test_the_address_is_one_that_can_be_opened(tmp_path: Path, host: str, shown: str) -> None:
    if ":" in host and not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    try:
        async with running(tmp_path, host=host) as app:
            assert app.address == shown.format(port=app.port)
            assert bool(app.network_address) == (host in ("", "0.0.0.0", "::"))
            async with connect(app.address.replace("http", "ws", 1) + "/ws") as client:
                await hello(client)
    except StartError as error:
        if ":" not in host:
            raise
        pytest.skip(f"this machine has no IPv6: {error}")


async def test_stopping_tells_everybody_and_keeps_every_table(tmp_path: Path) -> None:
    with structlog.testing.capture_logs() as logs:
        async with running(tmp_path) as app:
            client = await hello(await connect(address(app)))
            made = await ask(client, "create", "created", seats=["open", *["bot:tsumogiri"] * 3])
            seat = await ask(client, "join", "joined", table=made["table"], name="x")
            request = await receive(client, "request")
        assert (await receive(client, "error"))["code"] == "going_down"
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1001, "going_down")
        async with running(tmp_path) as app, connect(address(app)) as again:
            await hello(again)
            await ask(again, "resume", "resumed", token=seat["token"], after=request["id"] - 1)
            same = await receive(again, "request")
            assert (same["id"], same["menu"]) == (request["id"], request["menu"])
    events = [line["event"] for line in logs if line["log_level"] != "debug"]
    for event in ("server started", "table created", "match started", "server stopped"):
        assert event in events
    assert events.count("table restored") == 1
    assert not [line for line in logs if line["log_level"] in ("warning", "error")]


async def test_a_journal_that_cannot_write_stops_the_server_and_nothing_more_is_told(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as app, connect(address(app)) as client:
        await hello(client)
        app._journal._db.close()  # from now on every write fails
        await send(client, "create")
        await send(client, "ping")
        await receive(client, "pong")
        async with asyncio.timeout(20):
            await app.stopping.wait()
        assert app.failed
        assert (await plain_get(app, "/healthz"))[0] == 503
        assert (await ask(client, "ping", "created", "pong"))["type"] == "pong"


async def test_whatever_a_callback_lets_fall_is_one_line(tmp_path: Path) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    with structlog.testing.capture_logs() as logs:
        async with running(tmp_path) as app:
            app.clock.call_at(app.clock.now(), broken)
            await wait_for_figure(app, 1, "jantaku_faults_total")
            assert (await plain_get(app, "/healthz"))[0] == 200
    (line,) = [entry for entry in logs if entry["log_level"] == "error"]
    assert line["error"] == "ZeroDivisionError"
    assert "test_app.py" in line["where"]


async def test_a_demonstration_table_is_kept_and_may_be_watched(tmp_path: Path) -> None:
    async with running(tmp_path, demo=True) as app, connect(address(app)) as client:
        await hello(client)
        while not (tables := (await ask(client, "list", "tables"))["tables"]):
            pass
        (table,) = tables
        assert [seat["kind"] for seat in table["seats"]] == ["house"] * 4
        await send(client, "spectate", table=table["table"])
        assert (await receive(client, "event"))["event"]["type"] == "start_game"


async def test_a_full_server_has_no_demonstration_and_does_not_fail(tmp_path: Path) -> None:
    async with running(tmp_path, max_tables=1) as app:
        app.lobby.create({}, lambda table, code, owner: None)
        app._demo()
        assert len(app.lobby.tables) == 1


def test_settings_reach_the_server(tmp_path: Path) -> None:
    settings = read_settings({"data": str(tmp_path), "port": 0}, {"JANTAKU_MAX_TABLES": "3"})

    async def look() -> None:
        app = App(settings, Ruleset.preset("tenhou"), {}, "9.9")
        await app.start()
        try:
            assert app.lobby.rules.preset_name == "tenhou"
            assert json.loads((await plain_get(app, "/healthz"))[2])["version"] == "9.9"
        finally:
            await app.stop()

    asyncio.run(look())
    assert list_games(tmp_path) == []
