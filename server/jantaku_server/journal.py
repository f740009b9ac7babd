"""The journal: one SQLite file that holds every running table and every finished match.

A table is rebuilt from its rows: how it was made, and each answer in order. The engine is
deterministic, so these decide every event; nothing that follows from an answer is sent before
the answer is committed. One thread owns the database and commits whatever has come in since
its last commit (group commit); the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import json
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from .metrics import Metrics

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    settings TEXT NOT NULL,
    seed BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rows (
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    started REAL NOT NULL,
    ended REAL NOT NULL,
    length TEXT NOT NULL,
    rules TEXT NOT NULL,
    hands INTEGER NOT NULL,
    replay TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS players (
    game_id TEXT NOT NULL REFERENCES games (id),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    placement INTEGER NOT NULL,
    score INTEGER NOT NULL,
    points REAL NOT NULL,
    PRIMARY KEY (game_id, seat)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS games_by_time ON games (ended);
"""
_VERSION: Final = "1"

Statement = tuple[str, Sequence[Any]]


class JournalError(RuntimeError):
    """The database cannot be opened, or belongs to another version."""


class Row(NamedTuple):
    """One entry of a table's journal: its kind and what it says."""

    kind: str
    data: Any


class StoredTable(NamedTuple):
    """An unfinished table as the journal holds it."""

    id: str
    created: float
    settings: dict[str, Any]
    seed: bytes
    rows: list[Row]


class Journal:
    """The database of one server. Methods that write return at once and call back when it is safe.

    Raises:
        JournalError: the file is no journal or cannot be written.
    """

    def __init__(self, path: Path, metrics: Metrics | None = None) -> None:
        self._path = path
        self._metrics = metrics
        self._queue: queue.SimpleQueue[tuple[list[Statement], Callable[[], None] | None, float]]
        self._queue = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._failed: BaseException | None = None
        self.on_failure: Callable[[BaseException], None] = lambda error: None
        try:
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self._db.execute("INSERT OR IGNORE INTO meta VALUES ('version', ?)", (_VERSION,))
            self._db.execute("COMMIT")
            ((version,),) = self._db.execute("SELECT value FROM meta WHERE name = 'version'")
        except sqlite3.Error as error:
            raise JournalError(f"{path}: {error}") from None
        if version != _VERSION:
            raise JournalError(f"{path}: journal version {version}, this server has {_VERSION}")

    # ------------------------------------------------------------------ the writer

    def start(self) -> None:
        """Start the writing thread; callbacks come on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._write_forever, name="journal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Commit what is waiting and close the file; blocks until done."""
        if self._thread is not None:
            self._queue.put(([], None, -1.0))
            self._thread.join()
            self._thread = None
        self._db.close()

    def _write_forever(self) -> None:
        stopping = False
        while not stopping:
            batch = [self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get())
            stopping = any(since < 0 for _, _, since in batch)
            calls = [(call, since) for _, call, since in batch if since >= 0]
            try:
                self._db.execute("BEGIN IMMEDIATE")
                for statements, _, _ in batch:
                    for sql, values in statements:
                        self._db.execute(sql, values)
                self._db.execute("COMMIT")
            except sqlite3.Error as error:
                # Nothing that depends on these rows may be sent: the server must stop.
                self._failed = error
                self._loop.call_soon_threadsafe(self.on_failure, error)
                return
            if calls:
                try:
                    self._loop.call_soon_threadsafe(self._committed, calls, time.perf_counter())
                except RuntimeError:  # the loop is closed: nobody is left to tell
                    return

    def _committed(self, calls: list[tuple[Callable[[], None] | None, float]], when: float) -> None:
        if self._metrics is not None:
            self._metrics.journal_queue.set(self._queue.qsize())
            for _, since in calls:
                self._metrics.commit_seconds.observe(when - since)
        for call, _ in calls:
            if call is not None:
                call()

    def _put(self, statements: list[Statement], call: Callable[[], None] | None) -> None:
        self._queue.put((statements, call, time.perf_counter()))

    # ------------------------------------------------------------------ tables

    def create_table(
        self,
        table_id: str,
        created: float,
        settings: dict[str, Any],
        seed: bytes,
        call: Callable[[], None] | None = None,
    ) -> None:
        """Write a new table; `call` comes when it is committed."""
        values = (table_id, created, _dump(settings), seed)
        self._put([("INSERT INTO tables VALUES (?, ?, ?, ?)", values)], call)

    def append(
        self,
        table_id: str,
        number: int,
        rows: Sequence[Row],
        call: Callable[[], None] | None = None,
    ) -> None:
        """Write rows `number`, `number + 1` ... of a table; `call` comes when committed."""
        self._put(
            [
                (
                    "INSERT INTO rows VALUES (?, ?, ?, ?)",
                    (table_id, number + index, row.kind, _dump(row.data)),
                )
                for index, row in enumerate(rows)
            ],
            call,
        )

    def delete_table(self, table_id: str, call: Callable[[], None] | None = None) -> None:
        """Forget a table that never became a match."""
        self._put(_forget(table_id), call)

    def finish_table(
        self,
        table_id: str,
        game: Sequence[Any],
        players: Sequence[Sequence[Any]],
        call: Callable[[], None] | None = None,
    ) -> None:
        """Turn a table into a finished match: its `games` row, four `players` rows, no journal.

        `game` has the columns of `games`; each of `players` those of `players`.
        """
        statements: list[Statement] = [
            ("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", game)
        ]
        statements += [
            ("INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?, ?, ?, ?)", player)
            for player in players
        ]
        self._put(statements + _forget(table_id), call)

    def unfinished(self) -> list[StoredTable]:
        """Every table that is not finished, oldest first; only before `start`."""
        tables = self._db.execute("SELECT * FROM tables ORDER BY created, id").fetchall()
        return [
            StoredTable(
                table_id,
                created,
                json.loads(settings),
                seed,
                [
                    Row(kind, json.loads(data))
                    for kind, data in self._db.execute(
                        "SELECT kind, data FROM rows WHERE table_id = ? ORDER BY number",
                        (table_id,),
                    )
                ],
            )
            for table_id, created, settings, seed in tables
        ]


def _forget(table_id: str) -> list[Statement]:
    return [
        ("DELETE FROM rows WHERE table_id = ?", (table_id,)),
        ("DELETE FROM tables WHERE id = ?", (table_id,)),
    ]


def _dump(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
