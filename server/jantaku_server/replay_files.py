"""Finished matches: their replay files, and the rows by which they are found again."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jantaku_engine import events as ev
from jantaku_replays import native

from .seats import changes_text

if TYPE_CHECKING:
    from .table import LiveTable

DATABASE = "jantaku.sqlite3"
REPLAYS = "replays"
_PARTIAL = ".part.gz"


def replay_name(table_id: str) -> str:
    """File name of a match's replay."""
    return f"{table_id}.mjson.gz"


def save_replay(data: Path, table: LiveTable) -> tuple[tuple[Any, ...], list[tuple[Any, ...]]]:
    """Write the replay of a finished match; its row of `games` and rows of `players`.

    The file appears under its name only when it is whole and on the disk.

    Raises:
        OSError: it cannot be written; then it is not there.
    """
    match = table.match
    assert match is not None
    folder = data / REPLAYS
    folder.mkdir(parents=True, exist_ok=True)
    name = replay_name(table.id)
    bots = [seat.name.rsplit(" ", 1)[0] if seat.kind == "house" else "" for seat in table.seats]
    partial = folder / f".{table.id}{_PARTIAL}"
    native.write(partial, match.events, bots, table.origin)
    _flush(partial)
    partial.rename(folder / name)
    _flush(folder)
    end = match.events[-1]
    assert isinstance(end, ev.EndGame)
    rules = match.rules
    game = (
        table.id,
        table.started,
        table.ended,
        rules.length,
        rules.preset_name,
        match.dealt,
        name,
        changes_text(rules),
        bool(table.settings.code),
    )
    players = [
        (
            table.id,
            s.index,
            s.name,
            s.kind,
            end.ranks[s.index],
            end.scores[s.index],
            end.points[s.index],
        )
        for s in table.seats
    ]
    return game, players


def _flush(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_partial(data: Path) -> None:
    """Remove what a server left that ended while it wrote a replay."""
    for path in (data / REPLAYS).glob(f".*{_PARTIAL}"):
        path.unlink(missing_ok=True)


def list_games(data: Path, newest: int = 1000, private: bool = False) -> list[dict[str, Any]]:
    """The finished matches in a data folder, newest first; with `private` those of private tables.

    Raises:
        FileNotFoundError: the folder holds no database of a server.
        sqlite3.Error: it cannot be read.
    """
    path = data / DATABASE
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such database; name a server's folder with --data")
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    database.row_factory = sqlite3.Row
    try:
        games = database.execute(
            f"SELECT {_game_columns(database)} FROM games WHERE ? OR NOT private"
            " ORDER BY ended DESC, id LIMIT ?",
            (private, newest),
        ).fetchall()
        return [_game(database, dict(row)) for row in games]
    finally:
        database.close()


def _game_columns(database: sqlite3.Connection) -> str:
    """What is read of `games`; a folder that no newer server has opened lacks the last two."""
    there = {row["name"] for row in database.execute("PRAGMA table_info(games)")}
    new = {"changes": "''", "private": "0"}
    last = [name if name in there else f"{value} AS {name}" for name, value in new.items()]
    return ", ".join(["id, started, ended, rules, length, hands, replay", *last])


def _game(database: sqlite3.Connection, game: dict[str, Any]) -> dict[str, Any]:
    players = database.execute(
        "SELECT seat, name, kind, placement, score, points FROM players"
        " WHERE game_id = ? ORDER BY seat",
        (game["id"],),
    )
    return {**game, "private": bool(game["private"]), "players": [dict(row) for row in players]}
