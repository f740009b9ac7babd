"""The journal: what is acknowledged is on the disk, in order, or the server stops."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from app_kit import address, ask, receive, running, send, wait_for
from server_kit import World, dull
from table_kit import answer, events, four, is_asked, quiet, request, rig
from websockets.asyncio.client import connect

from jantaku_clients.bots import BOTS
from jantaku_engine.rules import Ruleset
from jantaku_server.app import App, StartError
from jantaku_server.journal import ROWS_VERSION, Journal, JournalError, Row
from jantaku_server.metrics import Metrics
from jantaku_server.replay_files import DATABASE, list_games
from jantaku_server.seats import hash_token
from jantaku_server.settings import read_settings

QUICK = {"rules": {"preset": "standard", "length": "tonpuu"}, "clock": "bots"}


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    """A journal that is not writing yet."""
    journal = Journal(tmp_path / DATABASE)
    yield journal
    await asyncio.to_thread(journal.close)


def read(path: Path, sql: str) -> list[Any]:
    """What another process reads from the database."""
    database = sqlite3.connect(f"{(path / DATABASE).as_uri()}?mode=ro", uri=True)
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


def change(path: Path, *statements: str) -> None:
    """Change the database from outside."""
    with sqlite3.connect(path / DATABASE) as database:
        for statement in statements:
            database.execute(statement)
    database.close()


async def written(journal: Journal) -> None:
    """Everything that was put so far is committed."""
    done = asyncio.Event()
    journal.append("", 0, (), done.set)
    await asyncio.wait_for(done.wait(), 10)


# ---------------------------------------------------------------------- the writer


async def test_a_callback_comes_when_another_process_can_read_the_row(
    journal: Journal, tmp_path: Path
) -> None:
    seen: list[list[Any]] = []
    journal.start()
    journal.create_table("t", 1.0, {}, b"s")
    for number in range(50):
        row = Row("answer", [number])
        sql = f"SELECT data FROM rows WHERE number = {number}"
        journal.append("t", number, [row], lambda sql=sql: seen.append(read(tmp_path, sql)))
    await written(journal)
    assert seen == [[(f"[{number}]",)] for number in range(50)]


async def test_callbacks_come_in_the_order_of_the_writes(journal: Journal) -> None:
    order: list[int] = []
    journal.start()
    journal.create_table("t", 1.0, {}, b"s", lambda: order.append(-1))
    for number in range(300):
        journal.append("t", number, [Row("x", number)], lambda n=number: order.append(n))
        if number % 50 == 0:
            await asyncio.sleep(0)
    journal.delete_table("t", 100, lambda: order.append(300))
    await written(journal)
    assert order == list(range(-1, 301))


async def test_what_waits_together_is_committed_together(journal: Journal) -> None:
    commits: list[str] = []
    journal._db.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
    journal.create_table("t", 1.0, {}, b"s")
    for number in range(200):
        journal.append("t", number, [Row("x", number)])
    journal.start()
    await written(journal)
    assert len(commits) == 1


async def test_a_write_of_nothing_waits_for_all_before_it_and_costs_no_commit(
    journal: Journal,
) -> None:
    order: list[str] = []
    commits: list[str] = []
    journal._db.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
    journal.create_table("t", 1.0, {}, b"s", lambda: order.append("table"))
    journal.append("t", 0, (), lambda: order.append("nothing"))
    journal.start()
    await written(journal)
    await written(journal)
    assert order == ["table", "nothing"]
    assert len(commits) == 1


async def test_the_event_loop_does_not_wait_for_the_disk(journal: Journal) -> None:
    """While the writer is held up, writes go on and are counted."""
    metrics = journal._metrics = Metrics()
    gate = threading.Event()
    journal._db.create_function("wait", 0, lambda: gate.wait(10) and 0)
    journal.start()
    journal._put([("DELETE FROM meta WHERE wait()", ())], None)
    for number in range(500):
        journal.append("t", number, [Row("x", number)])
    assert metrics.journal_queue.number >= 500
    gate.set()
    await written(journal)
    assert metrics.journal_queue.number == 0


async def test_what_forgotten_tables_leave_in_the_log_is_cleared_away(
    journal: Journal, tmp_path: Path
) -> None:
    journal.start()
    journal.create_table("stays", 1.0, {}, b"s")
    journal.append("stays", 0, [Row("x", n) for n in range(500)])
    most = 0
    for table in range(200):
        journal.create_table(f"t{table}", 2.0, {}, b"s")
        journal.append(f"t{table}", 0, [Row("x", n) for n in range(1000)])
        if table >= 4:  # four play at any time
            journal.delete_table(f"t{table - 4}", 1000)
        if table % 20 == 0:
            await written(journal)
            most = max(most, read(tmp_path, "SELECT count(*) FROM rows")[0][0])
    await written(journal)
    print(f"at most {most} rows, 4500 of them needed")
    assert most <= 2 * 4500
    kept = read(tmp_path, "SELECT data FROM rows WHERE table_id = 'stays' ORDER BY id")
    assert kept == [(str(n),) for n in range(500)]


async def test_the_log_does_not_grow_when_many_tables_are_forgotten_at_once(
    journal: Journal, tmp_path: Path
) -> None:
    journal.start()
    left: list[int] = []
    for round_ in range(4):
        names = [f"t{round_}-{table}" for table in range(100)]
        for name in names:
            journal.create_table(name, 1.0, {}, b"s")
            journal.append(name, 0, [Row("x", n) for n in range(200)])
        await written(journal)
        for name in names:
            journal.delete_table(name, 200)
            await written(journal)
        left.append(read(tmp_path, "SELECT count(*) FROM rows")[0][0])
    print(f"left after each round: {left}")
    assert max(left) <= 20_000, "not more than one round wrote"


async def test_closing_commits_what_waits(tmp_path: Path) -> None:
    journal = Journal(tmp_path / DATABASE)
    journal.start()
    journal.create_table("t", 1.0, {}, b"s")
    for number in range(100):
        journal.append("t", number, [Row("x", number)])
    await asyncio.to_thread(journal.close)
    assert read(tmp_path, "SELECT count(*) FROM rows") == [(100,)]


async def test_a_fault_at_one_table_does_not_keep_others_from_their_events(
    journal: Journal,
) -> None:
    faults: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
    order: list[str] = []

    def fail() -> None:
        raise KeyError("a fault")

    journal.create_table("t", 1.0, {}, b"s", lambda: order.append("before"))
    journal.append("t", 0, [Row("x", 0)], fail)
    journal.append("t", 1, [Row("x", 1)], lambda: order.append("after"))
    journal.start()
    await written(journal)
    assert order == ["before", "after"]
    assert [repr(fault["exception"]) for fault in faults] == ["KeyError('a fault')"]


# ---------------------------------------------------------------------- when it cannot be written

FULL = (
    "CREATE TRIGGER full BEFORE INSERT ON rows WHEN NEW.kind = 'answer'"
    " BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
)


async def test_a_failure_is_told_once_and_nothing_after_it_is_called_back(
    journal: Journal, tmp_path: Path
) -> None:
    failures: list[BaseException] = []
    told: list[str] = []
    failed = asyncio.Event()

    def fails(error: BaseException) -> None:
        failures.append(error)
        failed.set()

    journal.on_failure = fails
    change(tmp_path, FULL)
    journal.create_table("t", 1.0, {}, b"s", lambda: told.append("with it"))
    journal.append("t", 0, [Row("answer", 0)], lambda: told.append("it"))
    journal.start()
    await asyncio.wait_for(failed.wait(), 10)
    journal.append("t", 1, [Row("start", 0)], lambda: told.append("later"))
    for _ in range(20):
        await asyncio.sleep(0)
    assert told == []
    assert [str(failure) for failure in failures] == ["disk is full"]
    # The transaction is undone as a whole.
    assert read(tmp_path, "SELECT count(*) FROM tables") == [(0,)]


@pytest.mark.parametrize("value", ["\ud800", 2**70])
async def test_what_the_database_cannot_hold_is_a_failure_too(journal: Journal, value: Any) -> None:
    failed = asyncio.Event()
    journal.on_failure = lambda error: failed.set()
    journal.start()
    journal._put([("SELECT ?", (value,))], None)
    await asyncio.wait_for(failed.wait(), 10)


async def test_a_server_that_cannot_keep_an_answer_stops_and_tells_nothing_of_it(
    tmp_path: Path,
) -> None:
    async with running(tmp_path) as app:
        client = await connect(address(app))
        await ask(client, "hello", "welcome", protocol=1)
        seats = ["open", *["bot:tsumogiri"] * 3]
        made = await ask(client, "create", "created", seats=seats, **QUICK)
        await send(client, "join", table=made["table"], name="A", seat=0)
        asked = await receive(client, "request")
        change(tmp_path, FULL)
        await send(client, "answer", id=asked["id"], index=0)
        await asyncio.wait_for(app.stopping.wait(), 10)
        assert app.failed
    told = [json.loads(frame) async for frame in client]
    assert {message["type"] for message in told} <= {"error", "presence"}
    # What was promised before is there, and the answer may be given again.
    async with running(tmp_path) as app:
        assert list(app.lobby.tables) == [made["table"]]
        assert app.lobby.tables[made["table"]].published == asked["id"]


# ---------------------------------------------------------------------- acknowledged is committed


def test_nothing_is_told_before_it_is_committed(world: World) -> None:
    world.journal.hold = True
    owner = world.peer()
    assert owner.say("create", **QUICK) is None
    world.journal.commit()
    table = owner.last("created")["table"]
    peers = [world.peer() for _ in range(4)]
    for seat, peer in enumerate(peers):
        peer.say("join", table=table, name="x", seat=seat)
        assert peer.all("joined") == []
        assert owner.say("list") is not None
    assert world.peer().say("resume", token="x") is not None
    world.journal.commit()
    world.clock.settle()
    assert [len(peer.all("joined")) for peer in peers] == [1] * 4
    assert peers[0].all("event") == []
    world.journal.commit()  # the start
    world.clock.settle()
    assert [event["type"] for event in events(peers[0])] == ["start_game"]
    world.journal.commit()  # the deal
    world.clock.settle()
    assert [event["type"] for event in events(peers[0])] == ["start_game", "start_kyoku", "tsumo"]
    answer(peers[0])
    assert peers[0].all("accepted") == []
    assert len(events(peers[3])) == 3
    world.journal.commit()
    world.clock.settle()
    assert len(peers[0].all("accepted")) == 1
    assert len(events(peers[3])) > 3


def test_a_token_opens_nothing_before_its_seat_is_committed(world: World) -> None:
    table, _ = world.table(**QUICK)
    world.journal.hold = True
    table.take_seat(0, "bot", "B", hash_token("secret"), "")
    refused = world.peer().say("resume", token="secret")
    assert refused is not None
    assert refused["code"] == "bad_token"
    world.journal.commit()
    resumed = world.peer()
    resumed.say("resume", token="secret")
    assert resumed.all("resumed")


def test_an_acknowledgement_comes_before_what_follows_from_the_answer(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    _, peers = four(world)
    before = len(peers[0].got)
    answer(peers[0])
    kinds = [message["type"] for message in peers[0].got[before:]]
    assert kinds[:2] == ["accepted", "event"]


def test_a_question_is_closed_while_its_answer_is_on_the_way(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig(monkeypatch, quiet())
    table, peers = four(world)
    world.journal.hold = True
    answer(peers[0])
    assert not is_asked(peers[0], table)
    refused = peers[0].say("answer", id=request(peers[0])["id"], index=1)
    assert refused is not None
    assert refused["code"] == "stale"
    world.clock.advance(100)
    assert len(world.journal.waiting) == 1
    world.journal.commit()
    assert len(peers[0].all("accepted")) == 1


def test_what_follows_from_two_answers_waits_for_both(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one is committed, the second one is not: only the first is acknowledged."""
    hands = ("19m19p1234567z77s", "19m19p1234567z68s", "1458m1458p3377s1m", "2467m2467p24688s")
    rig(monkeypatch, quiet(hands=hands, draws="."))
    _, peers = four(world)
    seven = next(i for i, a in enumerate(request(peers[0])["menu"]) if a.get("pai") == "7s")
    peers[0].say("answer", id=request(peers[0])["id"], index=seven)
    world.journal.hold = True
    answer(peers[1])
    answer(peers[2], "pon")
    world.journal.commit(1)
    world.clock.settle()
    assert [len(peers[seat].all("accepted")) for seat in (1, 2)] == [1, 0]
    assert events(peers[3])[-1]["type"] == "dahai"
    world.journal.commit(1)
    world.clock.settle()
    assert events(peers[3])[-1]["type"] == "pon"


# ---------------------------------------------------------------------- readers, and other servers


async def test_the_games_can_be_listed_while_the_server_runs(tmp_path: Path) -> None:
    async with running(tmp_path) as app:
        assert list_games(tmp_path) == []
        app.lobby.create({"seats": ["bot:tsumogiri"] * 4, **QUICK}, lambda *_: None)
        (table,) = app.lobby.tables.values()
        await wait_for(lambda: table.replay != "", 30)
        (game,) = list_games(tmp_path)
        assert game["id"] == table.id
        assert game["replay"] == f"{table.id}.mjson.gz"
        assert sorted(player["placement"] for player in game["players"]) == [1, 2, 3, 4]
        assert sum(player["score"] for player in game["players"]) == 100_000
        assert sum(player["points"] for player in game["players"]) == 0
        assert game["started"] <= game["ended"]
        assert game["hands"] >= 4
        assert (game["rules"], game["length"]) == ("standard", "tonpuu")


async def test_two_servers_on_one_folder_are_refused(tmp_path: Path) -> None:
    async with running(tmp_path):
        flags = {"port": 0, "data": str(tmp_path)}
        second = App(read_settings(flags, {}), Ruleset(), BOTS, "0.0")
        with pytest.raises(StartError, match="another server uses this folder"):
            await second.start()
    async with running(tmp_path):
        pass  # the folder is free again


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[sqlite3.Connection]:
    """The databases that are opened from now on."""
    connections: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def keep(*words: Any, **options: Any) -> sqlite3.Connection:
        connections.append(connect(*words, **options))
        return connections[-1]

    monkeypatch.setattr(sqlite3, "connect", keep)
    return connections


def assert_closed(connections: list[sqlite3.Connection]) -> None:
    assert connections
    for connection in connections:
        with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
            connection.execute("SELECT 1")


def test_a_journal_of_another_layout_is_left_alone(
    tmp_path: Path, opened: list[sqlite3.Connection]
) -> None:
    Journal(tmp_path / DATABASE).close()
    change(tmp_path, "UPDATE meta SET value = '99'")
    with pytest.raises(JournalError, match="journal version 99, this server has 3"):
        Journal(tmp_path / DATABASE)
    assert read(tmp_path, "SELECT value FROM meta") == [("99",)]
    assert_closed(opened)


FIRST_LAYOUT = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "INSERT INTO meta VALUES ('version', '1')",
    "CREATE TABLE tables (id TEXT PRIMARY KEY, created REAL NOT NULL, version INTEGER NOT NULL,"
    " settings TEXT NOT NULL, seed BLOB NOT NULL) WITHOUT ROWID",
    "INSERT INTO tables VALUES ('hidden', 1.0, 1, '{\"rules\":{},\"code\":\"0a1b\"}', x'00')",
    "INSERT INTO tables VALUES ('open', 1.0, 1, '{\"rules\":{},\"code\":\"\"}', x'00')",
    "CREATE TABLE rows (table_id TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, data"
    " TEXT NOT NULL, PRIMARY KEY (table_id, number)) WITHOUT ROWID",
    "INSERT INTO rows VALUES ('open', 1, 'ready', '[0,true]')",
    "INSERT INTO rows VALUES ('hidden', 0, 'ready', '[1,true]')",
    "INSERT INTO rows VALUES ('open', 0, 'ready', '[0,false]')",
    "CREATE TABLE games (id TEXT PRIMARY KEY, started REAL NOT NULL, ended REAL NOT NULL, length"
    " TEXT NOT NULL, rules TEXT NOT NULL, hands INTEGER NOT NULL, replay TEXT NOT NULL)"
    " WITHOUT ROWID",
    "INSERT INTO games VALUES ('old', 1.0, 2.0, 'hanchan', 'tenhou', 9, 'old.mjson.gz')",
    "INSERT INTO games VALUES ('open', 1.0, 3.0, 'tonpuu', 'wrc2022', 5, 'open.mjson.gz')",
    "INSERT INTO games VALUES ('hidden', 1.0, 4.0, 'tonpuu', 'tenhou', 4, 'hidden.mjson.gz')",
    "CREATE TABLE players (game_id TEXT NOT NULL REFERENCES games (id), seat INTEGER NOT NULL,"
    " name TEXT NOT NULL, kind TEXT NOT NULL, placement INTEGER NOT NULL, score INTEGER NOT NULL,"
    " points REAL NOT NULL, PRIMARY KEY (game_id, seat)) WITHOUT ROWID",
    "INSERT INTO players VALUES ('old', 0, 'Aoi', 'person', 1, 50000, 60.0)",
)
"""A database of the first layout, with three games; of two of them the tables are still there."""


def test_a_folder_of_the_first_layout_goes_on(tmp_path: Path) -> None:
    change(tmp_path, *FIRST_LAYOUT)
    before = list_games(tmp_path)
    assert [game["id"] for game in before] == ["hidden", "open", "old"]
    assert before[-1]["players"][0]["name"] == "Aoi"
    for _ in range(2):  # it is brought up to date once
        journal = Journal(tmp_path / DATABASE)
        assert {table.id: table.rows for table in journal.unfinished()} == {
            "hidden": [("ready", [1, True])],
            "open": [("ready", [0, False]), ("ready", [0, True])],
        }
        journal.close()
        assert list_games(tmp_path) == before[1:]
        told = list_games(tmp_path, private=True)
        assert [(game["id"], game["private"]) for game in told] == [
            *(("hidden", True), ("open", False), ("old", False))
        ]
    new = tmp_path / "new"
    new.mkdir()
    Journal(new / DATABASE).close()
    for table in ("games", "tables", "rows", "players", "meta"):
        columns = f"SELECT name, type, \"notnull\" FROM pragma_table_info('{table}')"
        assert read(tmp_path, columns) == read(new, columns)


def test_a_file_that_is_no_journal_is_left_alone(
    tmp_path: Path, opened: list[sqlite3.Connection]
) -> None:
    (tmp_path / DATABASE).write_text("dear diary " * 100)
    with pytest.raises(JournalError, match="not a database"):
        Journal(tmp_path / DATABASE)
    assert (tmp_path / DATABASE).read_text().startswith("dear diary")
    assert_closed(opened)


# ---------------------------------------------------------------------- tables that cannot be read

DAMAGES: dict[str, tuple[str, str]] = {
    "a row that is no JSON": (
        "UPDATE rows SET data = '[0,' WHERE number = 6 AND table_id = '{id}'",
        "row 6:",
    ),
    "a row that is missing": (
        "DELETE FROM rows WHERE number = 4 AND table_id = '{id}'",
        "row 4 is missing",
    ),
    "a row of an unknown kind": (
        "UPDATE rows SET kind = 'tea' WHERE number = 6 AND table_id = '{id}'",
        "do not fit",
    ),
    "an answer that nobody could give": (
        "UPDATE rows SET kind = 'answer', data = '[3,\"hora\",0]' WHERE number = 6"
        " AND table_id = '{id}'",
        "do not fit",
    ),
    "clocks that are none": (
        "UPDATE rows SET data = '[3,4]' WHERE kind = 'stop' AND table_id = '{id}'",
        "do not fit",
    ),
    "an answer with too little": (
        "UPDATE rows SET kind = 'answer', data = '[]' WHERE number = 6 AND table_id = '{id}'",
        "do not fit",
    ),
    "a deal out of order": (
        "UPDATE rows SET data = '7' WHERE kind = 'deal' AND table_id = '{id}'",
        "do not fit",
    ),
    "a seat that there is not": (
        'UPDATE rows SET data = \'[9,"bot","x","",""]\' WHERE number = 0 AND table_id = \'{id}\'',
        "do not fit",
    ),
    "rules that do not exist": (
        "UPDATE tables SET settings = replace(settings, 'kuikae', 'kuikaeru') WHERE id = '{id}'",
        "do not fit",
    ),
    "settings that are no JSON": (
        "UPDATE tables SET settings = '{{' WHERE id = '{id}'",
        "row",
    ),
    "a seed that is too short": (
        "UPDATE tables SET seed = x'00' WHERE id = '{id}'",
        "do not fit",
    ),
    "rows of another version": (
        f"UPDATE tables SET version = {ROWS_VERSION + 1} WHERE id = '{{id}}'",
        f"its rows have version {ROWS_VERSION + 1}",
    ),
}


@pytest.mark.parametrize("what", DAMAGES)
async def test_a_table_that_cannot_be_read_is_kept_aside_and_the_server_starts(
    tmp_path: Path, what: str
) -> None:
    statement, why = DAMAGES[what]
    async with running(tmp_path) as app:
        for _ in range(2):
            message = {"seats": ["bot:tsumogiri"] * 4, **QUICK, "pace_ms": 5_000}
            app.lobby.create(message, lambda *_: None)
        for table in app.lobby.tables.values():
            while table.published < 3:
                await asyncio.sleep(0.001)
        bad, good = app.lobby.tables
    change(tmp_path, statement.format(id=bad))
    for _ in range(2):  # it is still there the next time
        with structlog.testing.capture_logs() as log:
            async with running(tmp_path) as app:
                assert list(app.lobby.tables) == [good]
        (line,) = [entry for entry in log if entry["event"] == "table not restored"]
        assert (line["table"], line["log_level"]) == (bad, "error")
        assert why in line["why"]
        assert [entry["table"] for entry in log if entry["event"] == "table restored"] == [good]
    assert read(tmp_path, f"SELECT count(*) FROM tables WHERE id = '{bad}'") == [(1,)]


def test_a_finished_table_is_forgotten_with_all_its_rows(world: World) -> None:
    table, _ = world.seated(4, play=dull, **QUICK)
    world.finish(table)
    assert table.id in world.journal.tables
    world.clock.advance(10_000)
    assert world.journal.tables == {}
    assert list(world.journal.games) == [table.id]
