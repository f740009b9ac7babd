"""A server without sockets, disk or time.

`World` is a lobby on a `FakeClock` and a `FakeJournal`; `Peer` is one client of the wire schema
in it, over a `FakeLine`. A server with all of them is in `app_kit`.
"""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgpack
import pytest

from jantaku_clients.bots import BOTS
from jantaku_engine.events import Event
from jantaku_engine.rules import Ruleset
from jantaku_server import session, wire
from jantaku_server.audience import Frames, Question
from jantaku_server.house import Players
from jantaku_server.journal import Row, StoredTable
from jantaku_server.lobby import Lobby
from jantaku_server.metrics import Metrics
from jantaku_server.replay_desk import ReplayDesk
from jantaku_server.session import Session
from jantaku_server.table import FINISHED, LiveTable
from jantaku_server.wire import Format, Message

COMPILED = not str(session.__file__).endswith(".py")
plain_only = pytest.mark.skipif(COMPILED, reason="no test can put its own code into a compiled one")

# ---------------------------------------------------------------------- time


class FakeTimer:
    """A call that was arranged; see `clock.Timer`."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeClock:
    """Time that stands still until it is told: `advance`, `run_until`, `settle`.

    Timers fire in order of their moment, those of one moment in the order they were arranged,
    and while one fires `now()` is its moment.
    """

    def __init__(self, now: float = 1000.0, epoch: float = 1_700_000_000.0) -> None:
        self._now = now
        self._epoch = epoch - now
        self._heap: list[tuple[float, int, FakeTimer]] = []
        self._count = itertools.count()

    def now(self) -> float:
        return self._now

    def wall_time(self) -> float:
        return self._epoch + self._now

    def call_at(self, when: float, call: Callable[[], None]) -> FakeTimer:
        timer = FakeTimer(call)
        heapq.heappush(self._heap, (when, next(self._count), timer))
        return timer

    def call_soon(self, call: Callable[[], None]) -> FakeTimer:
        return self.call_at(self._now, call)

    @property
    def next_at(self) -> float | None:
        """The moment of the next timer, None when there is none."""
        while self._heap and self._heap[0][2].cancelled:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def step(self) -> bool:
        """Fire the next timer, going to its moment; False when there is none."""
        if self.next_at is None:
            return False
        when, _, timer = heapq.heappop(self._heap)
        self._now = max(self._now, when)
        timer.call()
        return True

    def settle(self) -> None:
        """Fire everything that is due now, and what that makes due, without time passing."""
        for _ in range(1_000_000):
            if self.next_at is None or self.next_at > self._now:
                return
            self.step()
        raise AssertionError("the table does not come to rest")

    def advance(self, seconds: float) -> None:
        """Let time pass; timers up to and at its end fire."""
        end = self._now + seconds
        # Sums of milliseconds are not exact: a timer of this very moment fires.
        while self.next_at is not None and self.next_at <= end + 1e-9:
            self.step()
        self._now = max(self._now, end)

    def run_until(self, is_done: Callable[[], bool], within: float = 1e6) -> None:
        """Fire timers one by one until something is so, at most `within` seconds from now."""
        end = self._now + within
        while not is_done():
            assert self.next_at is not None, "nothing is arranged any more"
            assert self.next_at <= end, f"not within {within} s"
            self.step()


# ---------------------------------------------------------------------- the journal


@dataclasses.dataclass
class _StoredTable:
    created: float
    settings: dict[str, Any]
    seed: bytes
    rows: list[Row] = dataclasses.field(default_factory=list)


class FakeJournal:
    """The interface of `journal.Journal` in memory.

    Writes are committed as soon as the clock settles; with `hold` they wait for `commit`. What
    waits is lost by a crash: `unfinished` tells only what was committed. Data go through JSON,
    as in the real one, and row numbers must follow each other.
    """

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self.hold = False
        self.waiting: list[tuple[Callable[[], None], Callable[[], None] | None]] = []
        self.tables: dict[str, _StoredTable] = {}
        self.games: dict[str, Sequence[Any]] = {}
        self.players: dict[str, Sequence[Sequence[Any]]] = {}
        self.on_failure: Callable[[BaseException], None] = lambda error: None

    def start(self) -> None:
        pass

    def close(self) -> None:
        self.commit()

    def commit(self, number: int | None = None) -> None:
        """Commit the oldest `number` writes, or all of them; their callbacks come now."""
        for _ in range(len(self.waiting) if number is None else number):
            write, call = self.waiting.pop(0)
            write()
            if call is not None:
                call()

    def _put(self, write: Callable[[], None], call: Callable[[], None] | None) -> None:
        self.waiting.append((write, call))
        if not self.hold:
            self._clock.call_soon(self._commit_one)

    def _commit_one(self) -> None:
        if self.waiting and not self.hold:
            self.commit(1)

    def create_table(
        self,
        table_id: str,
        created: float,
        settings: dict[str, Any],
        seed: bytes,
        call: Callable[[], None] | None = None,
    ) -> None:
        stored = _StoredTable(created, json.loads(json.dumps(settings)), seed)
        self._put(lambda: self.tables.__setitem__(table_id, stored), call)

    def append(
        self,
        table_id: str,
        number: int,
        rows: Sequence[Row],
        call: Callable[[], None] | None = None,
    ) -> None:
        copies = [Row(row.kind, json.loads(json.dumps(row.data))) for row in rows]

        def write() -> None:
            if copies:
                stored = self.tables[table_id].rows
                assert len(stored) == number, f"row {number} after {len(stored)} rows"
                stored.extend(copies)

        self._put(write, call)

    def delete_table(
        self, table_id: str, rows: int, call: Callable[[], None] | None = None
    ) -> None:
        stored = self.tables.get(table_id)
        assert stored is None or rows >= len(stored.rows)
        self._put(lambda: (self.tables.pop(table_id, None), None)[1], call)

    def finish_table(
        self,
        table_id: str,
        game: Sequence[Any],
        players: Sequence[Sequence[Any]],
        call: Callable[[], None] | None = None,
    ) -> None:
        def write() -> None:
            self.games[table_id] = game
            self.players[table_id] = players

        self._put(write, call)

    def unfinished(self) -> list[StoredTable]:
        return [
            StoredTable(table_id, t.created, dict(t.settings), t.seed, list(t.rows))
            for table_id, t in sorted(self.tables.items(), key=lambda item: item[1].created)
        ]


# ---------------------------------------------------------------------- who listens


class FakeListener:
    """A listener that remembers what it heard; see `audience.Listener`."""

    def __init__(self) -> None:
        self.events: list[tuple[int, Event]] = []
        self.questions: list[tuple[Question, float]] = []
        self.notices: list[Message] = []

    def event(self, seq: int, event: Event, seat: int, frames: Frames) -> None:
        self.events.append((seq, event))

    def question(self, question: Question, now: float) -> None:
        self.questions.append((question, now))

    def notice(self, message: Message) -> None:
        self.notices.append(message)

    def busy(self) -> bool:
        return False


class FakeLine:
    """The outgoing side of a websocket that keeps every frame; see `session.Line`.

    `unread` is what it tells of waiting bytes; `on_frame` hears each frame.
    """

    def __init__(self) -> None:
        self.frames: list[str | bytes] = []
        self.unread = 0
        self.closed: tuple[int, str] | None = None
        self.dropped = False
        self.on_frame: Callable[[str | bytes], None] = lambda frame: None

    def send(self, frame: str | bytes, later: bool = False) -> int:
        assert not self.dropped, "a frame on a line that was cut"
        self.frames.append(frame)
        self.on_frame(frame)
        return self.unread

    def waiting(self) -> int:
        return self.unread

    def close(self, code: int, reason: str) -> None:
        if self.closed is None:
            self.closed = (code, reason)

    def drop(self) -> None:
        self.dropped = True


def unpack(frame: str | bytes) -> Message:
    """The message in a frame of the server."""
    if isinstance(frame, str):
        message: Message = json.loads(frame)
        return message
    unpacked: Message = msgpack.unpackb(frame)
    return unpacked


class Peer:
    """A client of the wire schema over a `FakeLine`.

    `say` sends a message; `got` lists what came; with `play` set, each `request` is answered
    by the index that it returns, a moment later and in zero time.
    """

    def __init__(self, world: World, fmt: Format = "json", hello: bool = True) -> None:
        self.world = world
        self.fmt: Format = fmt
        self.line = FakeLine()
        self.line.on_frame = self._hear
        self.got: list[Message] = []
        self.play: Callable[[Message], int | None] | None = None
        self.session = Session(
            self.line, fmt, world.lobby, world.clock, world.metrics, world.version, world.desk
        )
        self.token = ""
        self.seat = -1
        self.table = ""
        if hello:
            self.say("hello", protocol=1)

    def _hear(self, frame: str | bytes) -> None:
        message = unpack(frame)
        self.got.append(message)
        if message["type"] == "joined":
            self.token, self.seat, self.table = message["token"], message["seat"], message["table"]
        if message["type"] == "request" and self.play is not None:
            self.world.clock.call_soon(lambda: self._answer(message))

    def _answer(self, request: Message) -> None:
        index = None if self.play is None or self.line.closed else self.play(request)
        if index is not None:
            self.session.receive(
                wire.encode({"type": "answer", "id": request["id"], "index": index}, self.fmt)
            )

    def begin(self, play: Callable[[Message], int | None]) -> None:
        """From now on answer by `play`, the request that is open too."""
        self.play = play
        if self.got[-1]["type"] == "request":
            request = self.got[-1]
            self.world.clock.call_soon(lambda: self._answer(request))

    def say(self, kind: str, **fields: Any) -> Message | None:
        """Send a message, let everything settle; the last message that came, if any came."""
        return self.send(wire.encode({"type": kind, **fields}, self.fmt))

    def send(self, frame: str | bytes) -> Message | None:
        """Send a raw frame, let everything settle; the last message that came, if any came."""
        before = len(self.got)
        self.session.receive(frame)
        self.world.clock.settle()
        return self.got[-1] if len(self.got) > before else None

    def all(self, kind: str) -> list[Message]:
        """Every message of a type that came, oldest first."""
        return [message for message in self.got if message["type"] == kind]

    def last(self, kind: str) -> Message:
        """The newest message of a type."""
        return self.all(kind)[-1]

    def hang_up(self) -> None:
        """The connection is gone."""
        self.play = None
        self.session.closed()
        self.world.clock.settle()


def sample(metrics: Metrics, name: str, **labels: str) -> float:
    """A figure of /metrics; 0 while it has none of these labels."""
    return metrics._registry.get_sample_value(name, labels) or 0.0


def first_choice(request: Message) -> int:
    """Answers with the first action of the menu."""
    return 0


def dull(request: Message) -> int:
    """Passes, or discards the drawn tile: games without calls."""
    menu = request["menu"]
    for index, action in enumerate(menu):
        if action["type"] == "none" or action.get("tsumogiri"):
            return index
    return len(menu) - 1


def refused(answer: Message | None) -> str:
    """The code of an `error` or `rejected` that must have come."""
    assert answer is not None
    assert answer["type"] in ("error", "rejected"), answer
    assert answer["code"] in wire.ERRORS
    assert answer["message"]
    return str(answer["code"])


def open_request(peers: list[Peer]) -> tuple[Peer, Message]:
    """Who is asked now, and what."""
    peer = next(peer for peer in peers if peer.got[-1]["type"] == "request")
    return peer, peer.got[-1]


# ---------------------------------------------------------------------- a lobby of its own


class World:
    """A lobby with house bots on fake time and a fake journal."""

    version = "0.0"

    def __init__(
        self,
        data: Path,
        journal: FakeJournal | None = None,
        clock: FakeClock | None = None,
        players: Players = BOTS,
        max_tables: int = 100,
    ) -> None:
        self.data = data
        self.clock = clock or FakeClock()
        self.journal = journal or FakeJournal(self.clock)
        self.metrics = Metrics()
        self.lobby = Lobby(
            data,
            Ruleset(),
            players,
            self.clock,
            self.journal,  # type: ignore[arg-type]
            self.metrics,
            self._run,
            self._run,
            max_tables,
        )
        self.desk = ReplayDesk(data, self._run, self.clock.now)

    def _run(self, compute: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self.clock.call_soon(lambda: done(compute()))

    def after_crash(self, seconds: float = 0.0) -> World:
        """What a new process makes of what was committed, `seconds` later."""
        clock = FakeClock(self.clock.now() + seconds, self.clock.wall_time() + seconds)
        journal = FakeJournal(clock)
        journal.tables = self.journal.tables
        journal.games, journal.players = self.journal.games, self.journal.players
        again = World(self.data, journal, clock)
        again.lobby.restore()
        clock.settle()
        return again

    def peer(self, fmt: Format = "json") -> Peer:
        """A client that said hello."""
        return Peer(self, fmt)

    def table(self, **create: Any) -> tuple[LiveTable, Peer]:
        """A new table without pauses, and the peer that owns it (and sits nowhere)."""
        owner = self.peer()
        owner.say("create", **{"call_window_ms": 0, "pause_ms": 0, "pace_ms": 0, **create})
        return self.lobby.tables[owner.last("created")["table"]], owner

    def seated(
        self,
        number: int = 4,
        formats: Iterable[Format] = ("json",),
        play: Callable[[Message], int | None] | None = None,
        **create: Any,
    ) -> tuple[LiveTable, list[Peer]]:
        """A table at which peers took the first `number` seats and house bots the others."""
        table, owner = self.table(**create)
        peers = []
        for index, fmt in zip(range(number), itertools.cycle(formats), strict=False):
            peer = self.peer(fmt)
            peer.play = play
            where = {"code": table.settings.code} if table.settings.code else {"table": table.id}
            peer.say("join", **where, name=f"player {index}", seat=index)
            peers.append(peer)
        if number < 4:
            token = owner.last("created")["owner"]
            peers[0].say("fill", bot="tsumogiri", owner=token)
        return table, peers

    def finish(self, table: LiveTable, within: float = 1e6) -> None:
        """Play on until the match is over and its replay is told."""
        self.clock.run_until(lambda: table.state == FINISHED and table.replay != "", within)
