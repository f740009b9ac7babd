"""The replay desk: reads a record for somebody who wants to step through it.

A record is a finished game of this server or bytes that a client has sent; both go through the
readers of `jantaku_replays`, off the event loop and one at a time, and nothing is stored. The
answer is a list of messages, one of the game and one for each hand, that the client fetches at
its own pace from the shelf, where it lies for a while.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections import OrderedDict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_engine.table import Table
from jantaku_engine.tiles import MJAI, tile_table
from jantaku_replays import files
from jantaku_replays.outlook import outlook
from jantaku_replays.prove import HandProof, prove
from jantaku_replays.record import KyokuRecord, NotRiichiError, Record, RecordError
from jantaku_replays.verify import complete

from .hints import win_parts
from .replay_files import REPLAYS, replay_name
from .wire import Message, WireError

MOST_SENT: Final = 4 * 1024 * 1024
"""Most bytes of a record that a client may send; it may be compressed with gzip."""

MOST_UNPACKED: Final = 8 * 1024 * 1024
MOST_HELD: Final = 64 * 1024 * 1024
"""Most bytes of records that all clients together may be sending."""

MOST_IDLE_S: Final = 30.0
"""How long a record may stand still on its way, when others want its place."""

MOST_WAITING: Final = 32
MOST_SHELVED: Final = 100_000
"""Most events of records that all clients together have open: about a hundred games, 100 MB."""

Done = Callable[[list[Message] | WireError], None]


class Upload:
    """A record on its way from a client, in order.

    Attributes:
        heard_at: when its last bytes came, in seconds of the desk's clock.
    """

    __slots__ = ("data", "heard_at", "name", "size")

    def __init__(self, name: str, size: int, now: float) -> None:
        self.name = name
        self.size = size
        self.heard_at = now
        self.data = bytearray()

    def add(self, part: bytes) -> bool:
        """Take the next bytes; whether the record is whole now.

        Raises:
            WireError: more bytes than were announced.
        """
        if len(self.data) + len(part) > self.size:
            raise WireError("invalid", "the record is longer than it was announced")
        self.data += part
        return len(self.data) == self.size


class Shelf:
    """The records that clients have open, one each; what was used last is put away last.

    A client fetches all hands as soon as it has a record, so only who is very slow, or keeps
    many records open, finds one put away; it may open it again.
    """

    def __init__(self, most: int = MOST_SHELVED) -> None:
        self._most = most
        self._records: OrderedDict[object, list[Message]] = OrderedDict()
        self._events = 0

    def put(self, owner: object, record: list[Message]) -> None:
        """Keep a record for its owner; its last one is put away, and others if there are many."""
        self.remove(owner)
        self._records[owner] = record
        self._events += _count_events(record)
        while self._events > self._most and len(self._records) > 1:
            self.remove(next(iter(self._records)))

    def take(self, owner: object) -> list[Message]:
        """The record of an owner; empty when it has none, or when it has been put away."""
        if owner in self._records:
            self._records.move_to_end(owner)
        return self._records.get(owner, [])

    def remove(self, owner: object) -> None:
        """Put an owner's record away."""
        self._events -= _count_events(self._records.pop(owner, []))


def _count_events(record: list[Message]) -> int:
    return sum(len(hand["events"]) for hand in record[1:])


class ReplayDesk:
    """Reads records one at a time.

    `work` runs a function off the event loop; `now` tells the seconds of some clock.
    """

    def __init__(
        self,
        data: Path,
        work: Callable[[Callable[[], Any], Callable[[Any], None]], None],
        now: Callable[[], float],
    ) -> None:
        self.shelf = Shelf()
        self._folder = data / REPLAYS
        self._work = work
        self._now = now
        self._uploads: set[Upload] = set()
        self._waiting: deque[tuple[Callable[[], Any], Done]] = deque()
        self._busy = False
        self._held = 0

    def begin(self, name: str, size: int) -> Upload:
        """A client announces a record.

        Raises:
            WireError: `invalid` when it is too large, `full` when too many are on their way.
        """
        if size > MOST_SENT:
            raise WireError("invalid", f"a record may have {MOST_SENT >> 20} MiB")
        now = self._now()
        if self._held + size > MOST_HELD:
            for idle in [one for one in self._uploads if now - one.heard_at > MOST_IDLE_S]:
                self.drop(idle)
        if self._held + size > MOST_HELD:
            raise WireError("full", "too many records are being read; try again soon")
        self._held += size
        upload = Upload(name, size, now)
        self._uploads.add(upload)
        return upload

    def add(self, upload: Upload, part: bytes) -> bool:
        """The next bytes of a record; whether it is whole now.

        Raises:
            WireError: more bytes than were announced, or they come too late.
        """
        if upload not in self._uploads:
            raise WireError("unexpected", "the record stood still too long; announce it again")
        upload.heard_at = self._now()
        return upload.add(part)

    def drop(self, upload: Upload) -> None:
        """The record is whole, its client is gone, or it has stood still."""
        if upload in self._uploads:
            self._uploads.remove(upload)
            self._held -= upload.size

    def read_upload(self, upload: Upload, done: Done) -> None:
        """Read what a client has sent."""
        data, name = bytes(upload.data), upload.name
        self._enqueue(lambda: read_bytes(data, name), done)

    def read_game(self, game: str, done: Done) -> None:
        """Read a finished game of this server; `game` is hexadecimal digits."""
        path = self._folder / replay_name(game)
        self._enqueue(lambda: read_file(path), done)

    def _enqueue(self, job: Callable[[], Any], done: Done) -> None:
        if len(self._waiting) >= MOST_WAITING:
            raise WireError("full", "too many records are being read; try again soon")
        self._waiting.append((job, done))
        self._next()

    def _next(self) -> None:
        if self._busy or not self._waiting:
            return
        self._busy = True
        job, done = self._waiting.popleft()

        def finished(result: list[Message] | WireError) -> None:
            self._busy = False
            self._next()
            done(result)

        self._work(job, finished)


def read_file(path: Path) -> list[Message] | WireError:
    """The messages of a replay file."""
    try:
        data = path.read_bytes()
    except OSError:
        return WireError("not_found", "there is no such game, or it is still being played")
    return read_bytes(data, path.name)


def read_bytes(data: bytes, name: str) -> list[Message] | WireError:
    """The messages of a record in any form that the readers know."""
    try:
        return describe(files.parse(_unpacked(data), name))
    except (RecordError, NotRiichiError) as error:
        return WireError("invalid", f"{files.printable(name)}: {error}")
    except (OSError, EOFError, zlib.error):
        return WireError("invalid", f"{files.printable(name)}: the compressed data is broken")
    except Exception as error:  # a record is anybody's bytes: the desk must go on
        return WireError("invalid", f"{files.printable(name)}: cannot be read ({error!r:.80})")


def _unpacked(data: bytes) -> bytes:
    # Twice: what is sent compressed may be a compressed file.
    for _ in range(2):
        if data.startswith(b"\x1f\x8b"):
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacker:
                data = unpacker.read(MOST_UNPACKED + 1)
    if len(data) > MOST_UNPACKED:
        raise RecordError(f"is larger than {MOST_UNPACKED >> 20} MiB")
    return data


def describe(record: Record) -> list[Message]:
    """`replay` with the game, then a `replay_kyoku` for each hand.

    What a form does not tell is filled in by the engine. A game that no engine could have
    played so far is shown as it was told.
    """
    differences = 0
    try:
        record, tally = complete(record)
        differences = len(tally.mismatches)
    except RecordError:
        differences = 1
    proof = prove(record)
    codes = tile_table(record.rules.aka_dora)
    game: Message = {
        "type": "replay",
        "form": record.form,
        "names": list(record.names),
        "bots": list(record.bots),
        "rules": record.rules.to_dict(),
        "kyokus": [_summary(kyoku) for kyoku in record.kyokus],
        "end": record.end[0].to_mjai() if record.whole else None,
        "differences": differences,
        "seed": proof.seed_verdict,
    }
    hands = [
        kyoku_message(record.rules, index, kyoku, codes, hand)
        for index, (kyoku, hand) in enumerate(zip(record.kyokus, proof.hands, strict=True))
    ]
    return [game, *hands]


def _summary(kyoku: KyokuRecord) -> Message:
    """The line of a hand in the table of contents."""
    start = kyoku.events[0]
    assert isinstance(start, ev.StartKyoku)
    deltas = [0, 0, 0, 0]
    winners: list[int] = []
    draw = ""
    for event in kyoku.events:
        if isinstance(event, ev.Hora | ev.Ryukyoku):
            deltas = [a + b for a, b in zip(deltas, event.deltas, strict=True)]
        if isinstance(event, ev.Hora):
            winners.append(event.actor)
        elif isinstance(event, ev.Ryukyoku):
            draw = event.reason
    return {
        "bakaze": ev.WINDS[start.bakaze],
        "kyoku": start.kyoku,
        "honba": start.honba,
        "oya": start.oya,
        "winners": winners,
        "draw": draw,
        "deltas": deltas,
    }


def kyoku_message(
    rules: Ruleset, index: int, kyoku: KyokuRecord, codes: tuple[int, ...], proof: HandProof
) -> Message:
    """One hand: its events, its wall, and what follows from them at each step."""
    facts, fu_parts = step_facts(rules, kyoku.events)
    return {
        "type": "replay_kyoku",
        "index": index,
        "events": [event.to_mjai() for event in kyoku.events],
        "wall": [MJAI[codes[tile_id]] for tile_id in kyoku.wall.ids],
        "ids": list(kyoku.wall.ids),
        "derived": kyoku.derived,
        "proof": {
            "verdict": proof.verdict,
            "tiles": proof.tiles,
            "promised": proof.promised,
            "key": proof.key,
        },
        "facts": facts,
        "fu_parts": fu_parts,
    }


def step_facts(rules: Ruleset, events: list[ev.Event]) -> tuple[list[list[Any]], Message]:
    """What changes for whom at each event, and the fu parts of each win by event number.

    A change is `[event number, seat, shanten, [[tile, left], ...], furiten]`, the waits of a
    tenpai hand and how many of each its owner has not seen; it holds until the next one.
    """
    table = Table(rules)
    facts: list[list[Any]] = []
    parts: Message = {}
    last: list[Any] = [None] * 4
    for number, event in enumerate(events):
        if isinstance(event, ev.Hora):
            parts[str(number)] = [list(part) for part in win_parts(table, event)]
        table.apply(event)
        for seat in range(4):
            now = outlook(table, seat)
            if now is not None and now != last[seat]:
                last[seat] = now
                waits = [[MJAI[wait.kind], wait.left] for wait in now.waits]
                facts.append([number, seat, now.shanten, waits, now.furiten])
    return facts, parts
