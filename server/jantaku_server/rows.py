"""What the rows of a table in the journal say, and how a table is made of them again.

    seat    [seat, kind, name, SHA-256 of its token, entropy]   taken, or `open` when freed
    ready   [seat, true or false]
    start   seconds since 1970; the first event
    deal    how many hands are dealt now
    answer  [seat, action, milliseconds of bank left]           a player's or the clock's
    used    {seat: milliseconds used}                           of each open question, now and then
    stop    {seat: milliseconds used}                           likewise, when the server stops
    end     seconds since 1970; the last event has been told
    saved   name of the replay file

The engine is deterministic: with the table's seed and rules, these rows give every event.
Whoever changes their meaning, or what the engine makes of them, raises `journal.ROWS_VERSION`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .journal import Row
from .seats import KINDS, Seat

if TYPE_CHECKING:
    from .table import LiveTable


def seat_row(seat: Seat) -> Row:
    """Somebody has taken a seat, or it is free."""
    return Row("seat", [seat.index, seat.kind, seat.name, seat.token_hash, seat.entropy])


def rebuild(table: LiveTable, rows: Sequence[Row]) -> None:
    """Play the journal's rows: the table is where it was. Time stands until its `go_on`.

    Raises:
        ValueError, TypeError, LookupError, RuntimeError: the rows do not fit this table.
    """
    for row in rows:
        _replay(table, row)
    table.log.number = len(rows)
    if table.game is not None:
        table.game.rebuilt()
    if table.replay and (table.match is None or not table.match.over):
        raise ValueError("the replay is there, but the match is not over")


def _replay(table: LiveTable, row: Row) -> None:
    data = row.data
    if row.kind == "seat":
        index, kind, name, token_hash, entropy = data
        if index not in range(4) or kind not in KINDS:
            raise ValueError(f"there is no seat {index!r} for {kind!r}")
        bytes.fromhex(entropy)
        table.seats[index] = Seat(index, kind, str(name), str(token_hash), entropy)
        table.seats[index].ready = kind != "open"
    elif row.kind == "ready":
        index, ready = data
        table.seats[index].ready = bool(ready)
    elif row.kind == "start":
        table.make_game(float(data))
    elif row.kind in ("used", "stop"):
        table.spent = {int(seat): int(used) for seat, used in data.items()}
    elif row.kind == "end":
        table.ended = float(data)
    elif row.kind == "saved":
        table.finish(str(data))
    elif table.game is None or row.kind not in ("deal", "answer"):
        raise ValueError(f"a row {row.kind!r} does not fit here")
    else:
        before = len(table.game.match.events)
        table.game.replay(row)
        if len(table.game.match.events) > before:
            table.spent = {}  # new questions
        else:
            table.spent.pop(data[0], None)  # the other seats are still thinking
