"""The journal: one SQLite file that holds every running table and every finished match.

A table is rebuilt from its rows: how it was made, and each answer in order. The engine is
deterministic, so these decide every event; nothing that follows from an answer is sent before
the answer is committed. One thread owns the database and commits whatever has come in since
its last commit (group commit); the event loop never waits for the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import operator
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from jantaku_replays.json_text import compact

from .metrics import Metrics

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY,
    created REAL NOT NULL,
    version INTEGER NOT NULL,
    settings TEXT NOT NULL,
    seed BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rows (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    started REAL NOT NULL,
    ended REAL NOT NULL,
    length TEXT NOT NULL,
    rules TEXT NOT NULL,
    hands INTEGER NOT NULL,
    replay TEXT NOT NULL,
    changes TEXT NOT NULL DEFAULT '',
    private INTEGER NOT NULL DEFAULT 0
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
_VERSION: Final = "3"

_MIGRATIONS: Final = {
    "1": """
ALTER TABLE rows RENAME TO old_rows;
CREATE TABLE rows (
    id INTEGER PRIMARY KEY,
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL
);
INSERT INTO rows
    SELECT NULL, table_id, number, kind, data FROM old_rows ORDER BY table_id, number;
DROP TABLE old_rows;
UPDATE meta SET value = '2' WHERE name = 'version';
""",
    "2": """
ALTER TABLE games ADD COLUMN changes TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN private INTEGER NOT NULL DEFAULT 0;
UPDATE games SET private = 1 WHERE id IN (
    SELECT id FROM tables WHERE settings LIKE '%"code":"%' AND settings NOT LIKE '%"code":""%'
);
UPDATE meta SET value = '3' WHERE name = 'version';
""",
}
"""What makes each older version the next one."""

_INSERT_ROW: Final = "INSERT INTO rows VALUES (NULL, ?, ?, ?, ?)"
"""The rows of all tables stand in one log without an index: a commit writes its end and nothing
else. What a forgotten table leaves in it is taken out a piece at a time."""

_LOOKED_THROUGH: Final = 2
"""As many times the rows of a forgotten table are looked through: what is dead in the log is then
never much more than what lives."""

_MOST_AT_ONCE: Final = 20_000
"""Rows that are looked through at once at most: what waits for a commit waits for this too. The
rest is looked through the next time."""

_WAL_PAGES: Final = 4_000
"""Pages (16 MB) that are written ahead before they go to their place: while they do, commits wait.
Nearly all are the same few pages at the end of the log, so that seldom is cheap."""

GATHER_S: Final = 0.001
"""Least time between two commits: what comes in meanwhile is committed together. A write that
comes after a pause does not wait."""

ROWS_VERSION: Final = 1
"""Version of what a table's rows say and of what the engine makes of them."""

_DELETE_TABLE: Final = "DELETE FROM tables WHERE id = ?"
_CLEAR: Final = "clear"
"""Among the statements: so many rows of a forgotten table are in the log."""

_FORGOTTEN: Final = "table_id NOT IN (SELECT id FROM tables)"
_LAST_ID: Final = 2**63 - 1

Statement = tuple[str, Sequence[Any]]
_sql: Final = operator.itemgetter(0)
Call = Callable[[], None]
Write = tuple[list[Statement], Call | None, float]
"""Statements, what to call when they are committed, and when they came."""


class JournalError(RuntimeError):
    """The database cannot be opened, or belongs to another version."""


class Row(NamedTuple):
    """One entry of a table's journal: its kind and what it says."""

    kind: str
    data: Any


class StoredTable(NamedTuple):
    """A table as the journal holds it; `problem` says why it cannot be read, "" when it can."""

    id: str
    created: float
    settings: dict[str, Any]
    seed: bytes
    rows: list[Row]
    problem: str = ""


class Journal:
    """The database of one server. Methods that write return at once and call back when it is safe.

    Attributes:
        on_failure: called once when the database can no longer be written; no call-back of a
            write comes after that, so that nothing is told that is not kept.

    Raises:
        JournalError: the file is no journal or cannot be written.
    """

    def __init__(self, path: Path, metrics: Metrics | None = None) -> None:
        self._metrics = metrics
        self._queue: queue.SimpleQueue[list[Write]] = queue.SimpleQueue()
        self._outbox: list[Write] = []
        self._handed_over = 0.0
        self._cleared = 0
        self._owed = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self.on_failure: Callable[[BaseException], None] = lambda error: None
        try:
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise
        except (sqlite3.Error, JournalError) as error:
            raise JournalError(f"{path}: {error}") from None

    def _prepare(self) -> None:
        """Make what is missing, and bring an older file up to date."""
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute(f"PRAGMA wal_autocheckpoint = {_WAL_PAGES}")
        self._db.execute("BEGIN IMMEDIATE")
        self._execute_all(_SCHEMA)
        self._db.execute("INSERT OR IGNORE INTO meta VALUES ('version', ?)", (_VERSION,))
        while (version := self._version()) in _MIGRATIONS:
            self._execute_all(_MIGRATIONS[version])
        if version != _VERSION:
            raise JournalError(f"journal version {version}, this server has {_VERSION}")
        self._db.execute("COMMIT")

    def _version(self) -> str:
        ((version,),) = self._db.execute("SELECT value FROM meta WHERE name = 'version'")
        return str(version)

    def _execute_all(self, script: str) -> None:
        for statement in script.split(";"):
            self._db.execute(statement)

    # ------------------------------------------------------------------ the writer

    def start(self) -> None:
        """Start the writing thread; callbacks come on the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._hand_over()
        self._thread = threading.Thread(target=self._write_forever, name="journal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Commit what is waiting and close the file; blocks until done."""
        if self._thread is not None:
            self._hand_over()
            self._queue.put([])
            self._thread.join()
            self._thread = None
        self._db.close()

    def _write_forever(self) -> None:
        try:
            while self._write_batch():
                pass
        except Exception as error:
            # Nothing that depends on these rows may be told: the server must stop.
            self._on_loop(self.on_failure, error)

    def _write_batch(self) -> bool:
        """Commit everything that waits, at least one write; False when it is the end."""
        batches = [self._queue.get()]
        while not self._queue.empty():
            batches.append(self._queue.get())
        writes = [write for batch in batches for write in batch]
        statements = [statement for write in writes for statement in write[0]]
        if statements:
            self._db.execute("BEGIN IMMEDIATE")
            for sql, group in itertools.groupby(statements, _sql):
                values = [values for _, values in group]
                if sql == _CLEAR:
                    self._clear(sum(rows for (rows,) in values))
                else:
                    self._db.executemany(sql, values)
            self._db.execute("COMMIT")
        calls = [(call, since) for _, call, since in writes]
        self._on_loop(self._committed, calls, time.monotonic())
        return all(batches)

    def _clear(self, rows: int) -> None:
        """So many rows are dead now: take what is dead out of the next piece of the log."""
        self._owed += _LOOKED_THROUGH * rows
        piece = min(self._owed, _MOST_AT_ONCE)
        self._owed -= piece
        first = self._cleared
        ids = "SELECT id FROM rows WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?"
        last = self._db.execute(ids, (first, piece)).fetchone()
        self._cleared = 0 if last is None else last[0]
        self._db.execute(
            f"DELETE FROM rows WHERE id > ? AND id <= ? AND {_FORGOTTEN}",
            (first, self._cleared or _LAST_ID),
        )

    def _on_loop(self, call: Callable[..., None], *arguments: Any) -> None:
        assert self._loop is not None
        # The loop may be closed: then nobody is left to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *arguments)

    def _committed(self, calls: list[tuple[Call | None, float]], when: float) -> None:
        assert self._loop is not None
        self._count(-len(calls))
        for call, since in calls:
            if self._metrics is not None:
                self._metrics.commit_seconds.observe(when - since)
            if call is None:
                continue
            try:
                call()
            except Exception as error:
                # A fault at one table must not keep the others from their events.
                context = {"message": "a table failed after a commit", "exception": error}
                self._loop.call_exception_handler(context)

    def _put(self, statements: list[Statement], call: Call | None) -> None:
        """Write at the end of this turn of the loop, or with the next commit."""
        self._count(1)
        now = time.monotonic()
        if not self._outbox and self._loop is not None:
            next_at = self._handed_over + GATHER_S
            if next_at <= now:
                self._loop.call_soon(self._hand_over)
            else:
                self._loop.call_at(next_at, self._hand_over)
        self._outbox.append((statements, call, now))

    def _hand_over(self) -> None:
        if self._outbox:
            self._handed_over = time.monotonic()
            self._queue.put(self._outbox)
            self._outbox = []

    def _count(self, more: int) -> None:
        if self._metrics is not None:
            self._metrics.journal_queue.add(more)

    # ------------------------------------------------------------------ tables

    def create_table(
        self,
        table_id: str,
        created: float,
        settings: dict[str, Any],
        seed: bytes,
        call: Call | None = None,
    ) -> None:
        """Write a new table; `call` comes when it is committed."""
        values = (table_id, created, ROWS_VERSION, compact(settings), seed)
        self._put([("INSERT INTO tables VALUES (?, ?, ?, ?, ?)", values)], call)

    def append(
        self,
        table_id: str,
        number: int,
        rows: Sequence[Row],
        call: Call | None = None,
    ) -> None:
        """Write rows `number`, `number + 1` ... of a table; `call` comes when committed."""
        self._put(
            [
                (
                    _INSERT_ROW,
                    (table_id, number + index, row.kind, compact(row.data)),
                )
                for index, row in enumerate(rows)
            ],
            call,
        )

    def delete_table(self, table_id: str, rows: int, call: Call | None = None) -> None:
        """Forget a table with so many rows; its match, if it became one, stays in `games`."""
        self._put([(_DELETE_TABLE, (table_id,)), (_CLEAR, (rows,))], call)

    def finish_table(
        self,
        table_id: str,
        game: Sequence[Any],
        players: Sequence[Sequence[Any]],
        call: Call | None = None,
    ) -> None:
        """Write a finished match: its `games` row and four `players` rows.

        `game` has the columns of `games`; each of `players` those of `players`. The table and
        its rows stay until `delete_table`.
        """
        statements: list[Statement] = [
            ("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", game)
        ]
        statements += [
            ("INSERT OR REPLACE INTO players VALUES (?, ?, ?, ?, ?, ?, ?)", player)
            for player in players
        ]
        self._put(statements, call)

    def unfinished(self) -> list[StoredTable]:
        """Every table that is kept, oldest first; only before `start`.

        Raises:
            JournalError: the database is damaged.
        """
        rows: dict[str, list[tuple[int, str, str]]] = {}
        try:
            self._db.execute(f"DELETE FROM rows WHERE {_FORGOTTEN}")
            for table_id, number, kind, data in self._db.execute(
                "SELECT table_id, number, kind, data FROM rows ORDER BY id"
            ):
                rows.setdefault(table_id, []).append((number, kind, data))
            tables = self._db.execute(
                "SELECT id, created, version, settings, seed FROM tables ORDER BY created, id"
            ).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"the journal cannot be read: {error}") from None
        return [
            _stored(table_id, created, version, settings, seed, rows.get(table_id, []))
            for table_id, created, version, settings, seed in tables
        ]


def _stored(
    table_id: str,
    created: float,
    version: int,
    settings: str,
    seed: bytes,
    entries: Sequence[tuple[int, str, str]],
) -> StoredTable:
    """A table as it is kept, or the reason why it cannot be read."""
    if version != ROWS_VERSION:
        problem = f"its rows have version {version}, this server has {ROWS_VERSION}"
        return StoredTable(table_id, created, {}, b"", [], problem)
    rows: list[Row] = []
    try:
        for number, kind, data in entries:
            if number != len(rows):
                raise ValueError(f"row {len(rows)} is missing")
            rows.append(Row(kind, json.loads(data)))
        return StoredTable(table_id, created, json.loads(settings), bytes(seed), rows)
    except (ValueError, TypeError) as error:
        problem = f"row {len(rows)}: {error}"
        return StoredTable(table_id, created, {}, b"", [], problem)


class TableLog:
    """One table's part of the journal; it numbers the rows.

    Attributes:
        number: how many rows the table has.
    """

    def __init__(self, journal: Journal, table_id: str) -> None:
        self._journal = journal
        self._table_id = table_id
        self.number = 0

    def write(self, *rows: Row, then: Call | None = None) -> None:
        """Write rows; `then` comes when they, and all before them, are committed."""
        self._journal.append(self._table_id, self.number, rows, then)
        self.number += len(rows)
