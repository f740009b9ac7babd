"""A session: one websocket of the wire schema, from its hello to its last event.

Messages are checked against the schema, counted against the client's allowance, and handed to
the lobby or the table; whatever they refuse goes back as `error` or `rejected` with a code.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable
from typing import Any, Final, Protocol

import structlog

from jantaku_engine.actions import Action, ActionError, from_mjai
from jantaku_engine.events import Event

from . import wire
from .audience import Frames, Question
from .clock import PRESETS as CLOCKS
from .clock import Clock
from .hints import Hints
from .limits import MAX_QUEUE, TokenBucket
from .lobby import Lobby
from .metrics import Metrics
from .replay_desk import ReplayDesk, Upload
from .seats import Seat, hash_token
from .table import FINISHED, WAITING, LiveTable
from .wire import Message, WireError

log = structlog.get_logger("jantaku")

RATE: Final = 20.0
"""Messages a second that a client may send on average."""

BURST: Final = 60.0
"""Messages that it may send at once."""

MOST_STRIKES: Final = 20
"""Refused messages in a row after which the connection is closed."""


class Line(Protocol):
    """The outgoing side of a websocket; every call returns at once."""

    def send(self, frame: str | bytes) -> int:
        """Send a frame; the number of bytes that now wait to be read."""

    def close(self, code: int, reason: str) -> None:
        """Close in order."""

    def drop(self) -> None:
        """Cut the connection without another byte."""


class Session:
    """One client. It listens to at most one table, from a seat or from outside."""

    def __init__(
        self,
        line: Line,
        fmt: wire.Format,
        lobby: Lobby,
        clock: Clock,
        metrics: Metrics,
        version: str,
        desk: ReplayDesk | None = None,
    ) -> None:
        self._line = line
        self._fmt = fmt
        self._lobby = lobby
        self._clock = clock
        self._metrics = metrics
        self._version = version
        self._bucket = TokenBucket(RATE, BURST, clock.now())
        self._strikes = 0
        self._greeted = False
        self._owned: set[str] = set()
        self._wants_hints = False
        self._hints: Hints | None = None
        self._desk = desk
        self._upload: Upload | None = None
        self._replay: list[Message] = []
        self._table: LiveTable | None = None
        self._seat: Seat | None = None
        self._gone = False
        self._catching_up = False

    # ------------------------------------------------------------------ outgoing

    def send(self, message: Message) -> None:
        """Send one message."""
        self._send(wire.encode(message, self._fmt))

    def _send(self, frame: str | bytes) -> None:
        if self._gone:
            return
        waiting = self._line.send(frame)
        if waiting > MAX_QUEUE:
            # It does not read: memory is ours, so it goes; its seat waits for it.
            self._metrics.dropped.labels("slow").inc()
            self._metrics.send_queue.set(waiting)
            self._gone = True
            self._line.drop()

    def event(self, seq: int, event: Event, seat: int, frames: Frames) -> None:
        """See `audience.Listener.event`."""
        self._send(frames.frame(event, seat, self._fmt))
        if self._hints is not None:
            self._hints.note(seq, event)
            if not self._catching_up:
                self._tell_hints()

    def _follow_with_hints(self, table: LiveTable, seat: int) -> None:
        """A table is about to send what this client has missed: fold it once, at the end."""
        self._hints = Hints(seat, table.settings.rules) if self._wants_hints else None
        self._catching_up = self._hints is not None

    def _caught_up(self) -> None:
        self._catching_up = False
        self._tell_hints()

    def _tell_hints(self) -> None:
        if self._hints is not None:
            for message in self._hints.news():
                self.send(message)

    def question(self, question: Question, now: float) -> None:
        """See `audience.Listener.question`."""
        self.send(question.message(now))

    def notice(self, message: Message) -> None:
        """See `audience.Listener.notice`."""
        if message["type"] == "rematch":
            self._follow(message)
            return
        self.send(message)
        if message["type"] == "error" and message["code"] in ("taken_over", "going_down"):
            self._table = self._seat = None
            if message["code"] == "taken_over":
                self._line.close(4000, "taken_over")

    def _follow(self, message: Message) -> None:
        """The table plays again: go with it."""
        seat = self._seat
        self.send(message)
        table = self._lobby.tables.get(message["table"])
        if table is not None and seat is not None:
            self._table, self._seat = table, table.seats[seat.index]
            self._follow_with_hints(table, seat.index)
            table.attach(self._seat, self, -1)
            self._caught_up()

    # ------------------------------------------------------------------ incoming

    def receive(self, frame: str | bytes) -> None:
        """Take one frame; never raises for anything that a client can send."""
        if not self._bucket.take(self._clock.now()):
            self._refuse(WireError("flooding", "too many messages; wait a moment"), "")
            return
        kind = ""
        try:
            message = wire.decode(frame, self._fmt)
            kind = message["type"][:40]
            wire.check(message)
            if not self._greeted and kind != "hello":
                raise WireError("unexpected", "the first message is hello")
            self._HANDLERS[kind](self, message)
            self._strikes = 0
        except WireError as error:
            self._refuse(error, kind)

    def _refuse(self, error: WireError, about: str) -> None:
        self._metrics.rejected.labels(error.code).inc()
        self.send({"type": "error", "code": error.code, "message": str(error), "about": about})
        self._strikes += 1
        if self._strikes >= MOST_STRIKES or error.code == "version":
            self._metrics.dropped.labels(error.code).inc()
            self._gone = True
            self._line.close(1008, error.code)

    def closed(self) -> None:
        """The connection is gone."""
        self._gone = True
        self._drop_upload()
        self._replay = []
        if self._table is not None:
            self._table.detach(self)
            self._table = self._seat = None

    # ------------------------------------------------------------------ handlers

    def _hello(self, message: Message) -> None:
        if self._greeted:
            raise WireError("unexpected", "hello was said already")
        if message["protocol"] != wire.PROTOCOL:
            raise WireError("version", f"the server speaks protocol {wire.PROTOCOL}")
        self._greeted = True
        self._wants_hints = message.get("hints") is True
        self.send(
            {
                "type": "welcome",
                "protocol": wire.PROTOCOL,
                "server": f"jantaku {self._version}",
                "bots": sorted(self._lobby.players),
                "presets": list(self._lobby.presets),
                "clocks": {name: limits.to_dict() for name, limits in CLOCKS.items()},
                "phrases": list(wire.PHRASES),
                "max_frame": wire.MAX_FRAME,
            }
        )

    def _list(self, message: Message) -> None:
        self.send({"type": "tables", "tables": self._lobby.public()})

    def _create(self, message: Message) -> None:
        self._lobby.create(message, self._created)

    def _created(self, table: LiveTable, code: str, owner: str) -> None:
        self._owned.add(table.id)
        self.send({"type": "created", "table": table.id, "code": code, "owner": owner})

    def _join(self, message: Message) -> None:
        self._need_no_table()
        table = self._lobby.find(message)
        token = self._lobby.new_token()
        seat = table.take_seat(
            message.get("seat"),
            message.get("kind") or "person",
            message["name"],
            hash_token(token),
            message.get("entropy") or "",
        )
        self._table, self._seat = table, seat
        table.when_written(functools.partial(self._joined, table, seat, token))

    def _joined(self, table: LiveTable, seat: Seat, token: str) -> None:
        self.send({"type": "joined", "table": table.id, "seat": seat.index, "token": token})
        if self._gone:
            return
        self._follow_with_hints(table, seat.index)
        table.attach(seat, self, -1)
        self._caught_up()
        table.tell_info()
        table.start_if_full()

    def _need_no_table(self) -> None:
        if self._table is not None:
            raise WireError("unexpected", "this connection is at a table; leave it first")

    def _need_seat(self) -> tuple[LiveTable, Seat]:
        if self._table is None or self._seat is None:
            raise WireError("unexpected", "this connection has no seat")
        return self._table, self._seat

    def _ready(self, message: Message) -> None:
        table, seat = self._need_seat()
        if table.state != WAITING:
            raise WireError("unexpected", "the match has begun")
        seat.ready = message.get("ready") is not False
        table.tell_info()
        table.start_if_full()

    def _fill(self, message: Message) -> None:
        table = self._table
        if table is None:
            raise WireError("unexpected", "this connection is at no table")
        owner = message.get("owner") or ""
        if table.id not in self._owned and not table.is_owner(owner):
            raise WireError("forbidden", "only who created the table may fill it")
        bot = message.get("bot") or self._lobby.default_bot
        if bot not in self._lobby.players:
            raise WireError("invalid", f"no house bot {bot!r}")
        if table.state != WAITING:
            raise WireError("unexpected", "the match has begun")
        table.fill(bot)
        table.tell_info()
        table.when_written(table.start_if_full)

    def _answer(self, message: Message) -> None:
        table, seat = self._need_seat()
        choice: Action | int
        try:
            if message.get("index") is not None:
                choice = message["index"]
            elif message.get("action") is not None:
                choice = from_mjai(message["action"])
            else:
                raise WireError("invalid", "answer: give index or action")
            table.answer(seat, message["id"], choice)
            self._bucket.give_back()
        except ActionError as error:
            self._reject(table, seat, message["id"], WireError("illegal", str(error)))
        except WireError as error:
            self._reject(table, seat, message["id"], error)

    def _reject(self, table: LiveTable, seat: Seat, answer_id: int, error: WireError) -> None:
        """Say why, and ask the open question again; the seat is never punished."""
        self._metrics.rejected.labels(error.code).inc()
        self.send({"type": "rejected", "id": answer_id, "code": error.code, "message": str(error)})
        question = table.question_of(seat)
        if question is not None and question.id == answer_id:
            self.question(question, self._clock.now())

    def _resume(self, message: Message) -> None:
        self._need_no_table()
        table, seat = self._lobby.find_seat(message["token"])
        self._table, self._seat = table, seat
        self.send({"type": "resumed", "table": table.id, "seat": seat.index})
        after = message.get("after")
        self._follow_with_hints(table, seat.index)
        table.attach(seat, self, -1 if after is None else after)
        self._caught_up()

    def _spectate(self, message: Message) -> None:
        self._need_no_table()
        table = self._lobby.find(message)
        after = message.get("after")
        self._follow_with_hints(table, -1)
        table.spectate(self, -1 if after is None else after)
        self._caught_up()
        self._table = table

    def _chat(self, message: Message) -> None:
        table, seat = self._need_seat()
        table.say(seat, message["phrase"])

    def _rematch(self, message: Message) -> None:
        table, seat = self._need_seat()
        if table.state != FINISHED:
            raise WireError("unexpected", "the match is not over")
        seat.rematch = True
        waiting = [s for s in table.seats if s.kind != "house" and not s.rematch]
        table.tell_rematch()
        if not waiting:
            self._lobby.rematch(table)

    def _leave(self, message: Message) -> None:
        table = self._table
        if table is None:
            raise WireError("unexpected", "this connection is at no table")
        table.detach(self)
        if table.state == WAITING and self._seat is not None:
            table.leave_seat(self._seat)
        self._table = self._seat = None
        self.send({"type": "left", "table": table.id})

    def _ping(self, message: Message) -> None:
        self.send({"type": "pong", "nonce": message.get("nonce") or ""})

    def _need_desk(self) -> ReplayDesk:
        if self._desk is None:
            raise WireError("unexpected", "this server has no replay desk")
        return self._desk

    def _open_replay(self, message: Message) -> None:
        desk = self._need_desk()
        self._drop_upload()
        self._replay = []
        if message.get("game") is not None:
            desk.read_game(message["game"], self._replay_read)
        elif message.get("size") is not None:
            self._upload = desk.begin(message.get("name") or "record", message["size"])
        else:
            raise WireError("invalid", "replay: give game, or size of the record that follows")

    def _replay_data(self, message: Message) -> None:
        desk = self._need_desk()
        upload = self._upload
        if upload is None:
            raise WireError("unexpected", "no record has been announced")
        try:
            part = base64.b64decode(message["data"], validate=True)
        except ValueError:
            raise WireError("invalid", "replay_data: data must be base64") from None
        whole = upload.add(part)
        self._bucket.give_back()
        if whole:
            self._drop_upload()
            desk.read_upload(upload, self._replay_read)

    def _drop_upload(self) -> None:
        if self._upload is not None and self._desk is not None:
            self._desk.drop(self._upload)
        self._upload = None

    def _replay_read(self, result: list[Message] | WireError) -> None:
        if self._gone:
            return
        if isinstance(result, WireError):
            self._refuse(result, "replay")
            return
        self._replay = result
        self.send(result[0])

    def _replay_more(self, message: Message) -> None:
        index = message["index"] + 1
        if index >= len(self._replay):
            raise WireError("not_found", "the record has no such hand")
        self._bucket.give_back()
        self.send(self._replay[index])

    _HANDLERS: Final[dict[str, Callable[[Any, Message], None]]] = {
        "hello": _hello,
        "list": _list,
        "create": _create,
        "join": _join,
        "ready": _ready,
        "fill": _fill,
        "answer": _answer,
        "resume": _resume,
        "spectate": _spectate,
        "chat": _chat,
        "rematch": _rematch,
        "leave": _leave,
        "ping": _ping,
        "replay": _open_replay,
        "replay_data": _replay_data,
        "replay_more": _replay_more,
    }
