"""A session: one websocket of the wire schema, from its hello to its last event.

Messages are checked against the schema, counted against the client's allowance, and handed to
the lobby or the table; whatever they refuse goes back as `error` or `rejected` with a code.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final, Protocol

import structlog

from jantaku_engine.actions import Action, ActionError, from_mjai
from jantaku_engine.events import Event

from . import wire
from .audience import Frames, Question
from .clock import PRESETS as CLOCKS
from .clock import Clock, Timer
from .hints import Hints
from .limits import MAX_QUEUE, TokenBucket
from .lobby import Lobby
from .logs import fault
from .metrics import Metrics
from .replay_desk import ReplayDesk
from .replay_talk import ReplayTalk
from .seats import Seat, hash_token
from .table import FINISHED, PLAYING, WAITING, LiveTable
from .wire import Message, WireError

log = structlog.get_logger("jantaku")

RATE: Final = 20.0
"""Messages a second that a client may send on average; accepted answers are not counted."""

BURST: Final = 60.0
"""Messages that it may send at once."""

COSTS: Final = {"list": 5, "create": 5, "replay": 10, "resume": 20, "spectate": 20}
"""As how many messages those count that make the server work."""

FULL_PART: Final = 4096
"""Characters in a part of a record from which on it is not counted."""

MOST_STRIKES: Final = 20
"""Refused messages in a row after which the connection is closed."""

MOST_GUESSES: Final = 10
"""Wrong tokens and codes after which the connection is closed."""

MOST_OWN: Final = 8
"""Tables of one connection that wait for players or are played by house bots alone."""

HELLO_S: Final = 10.0
"""Seconds within which a client must have said hello."""

TAKEN_OVER: Final = 4000
"""Close code of a connection whose seat was opened from another one."""

_CLOSED_BY: Final = {"taken_over": TAKEN_OVER, "internal": 1011}
"""Close codes of connections that a table has let go and that are of no more use."""

REFUSED: Final = 1008
"""Close code of a connection that the server does not want; the reason is an error's code."""


class Line(Protocol):
    """The outgoing side of a websocket; every call returns at once."""

    def send(self, frame: str | bytes, later: bool = False) -> int:
        """Send a frame, at once or `later` (with the next one, or a moment from now).

        The number of bytes that now wait to be read.
        """

    def waiting(self) -> int:
        """The number of bytes that wait to be read."""

    def close(self, code: int, reason: str) -> None:
        """Close in order."""

    def drop(self) -> None:
        """Cut the connection without another byte."""


class Session:
    """One client. It listens to at most one table, from a seat or from outside.

    `connection` names it in the log.
    """

    def __init__(
        self,
        line: Line,
        fmt: wire.Format,
        lobby: Lobby,
        clock: Clock,
        metrics: Metrics,
        version: str,
        desk: ReplayDesk | None = None,
        connection: str = "",
    ) -> None:
        self._line = line
        self._fmt = fmt
        self._lobby = lobby
        self._clock = clock
        self._metrics = metrics
        self._version = version
        self._desk = None if desk is None else ReplayTalk(desk, self.send, self._refuse)
        self._connection = connection
        self._bucket = TokenBucket(RATE, BURST, clock.now())
        self._strikes = 0
        self._guesses = 0
        self._greeted = False
        self._hello_timer: Timer = clock.call_at(clock.now() + HELLO_S, self._too_silent)
        self._owned: set[str] = set()
        self._creating = 0
        self._wants_hints = False
        self._hints_due = False
        self._hints: Hints | None = None
        self._table: LiveTable | None = None
        self._seat: Seat | None = None
        self._gone = False

    # ------------------------------------------------------------------ outgoing

    def send(self, message: Message) -> None:
        """Send one message."""
        self._send(wire.encode(message, self._fmt))

    def _send(self, frame: str | bytes, later: bool = False) -> None:
        if self._gone:
            return
        if self._line.send(frame, later) > MAX_QUEUE:
            # It does not read: memory is ours, so it goes; its seat waits for it.
            self._leaves("slow")
            self._line.drop()

    def _leaves(self, reason: str) -> None:
        self._gone = True
        self._hello_timer.cancel()
        self._metrics.dropped.labels(reason).inc()
        log.info("connection dropped", connection=self._connection, reason=reason)

    def _close(self, code: int, reason: str) -> None:
        self._leaves(reason)
        self._line.close(code, reason)

    def _too_silent(self) -> None:
        self.send(_error(WireError("silent", f"no hello within {HELLO_S:g} seconds"), ""))
        self._close(REFUSED, "silent")

    def event(self, seq: int, event: Event, seat: int, frames: Frames) -> None:
        """See `audience.Listener.event`."""
        self._send(frames.frame(event, self._fmt), later=True)
        if self._hints is not None:
            # Told once for all events of this turn of the loop; a question does not wait for it.
            self._hints.note(seq, event)
            if not self._hints_due:
                self._hints_due = True
                self._clock.call_at(self._clock.now(), self._tell_hints)

    def busy(self) -> bool:
        """See `audience.Listener.busy`."""
        return self._line.waiting() > MAX_QUEUE // 2

    def _listen(self, table: LiveTable, seat: Seat | None) -> None:
        """What a table is about to send is for this seat, or for a spectator."""
        self._table, self._seat = table, seat
        self._hints = None
        if self._wants_hints:
            self._hints = Hints(-1 if seat is None else seat.index, table.settings.rules)

    def _tell_hints(self) -> None:
        self._hints_due = False
        if self._hints is not None:
            for message in self._hints.news():
                self.send(message)

    def question(self, question: Question, now: float) -> None:
        """See `audience.Listener.question`."""
        self._tell_hints()
        self._send(question.frame(now, self._fmt))

    def notice(self, message: Message) -> None:
        """See `audience.Listener.notice`."""
        if message["type"] == "rematch":
            self._follow(message)
        elif message["type"] == "error":
            # The table lets this client go.
            self._table = self._seat = self._hints = None
            self.send({**message, "about": ""})
            code = _CLOSED_BY.get(message["code"])
            if code is not None:
                self._close(code, message["code"])
        elif message["type"] == "accepted":
            number = wire.encode_value(message["id"], self._fmt)
            self._send(wire.ACCEPTED.frame([number], self._fmt), later=True)
        else:
            self.send(message)

    def _follow(self, message: Message) -> None:
        """The table plays again: go with it."""
        old, seat = self._table, self._seat
        self.send(message)
        table = self._lobby.tables.get(message["table"])
        if table is None or old is None:
            return
        if seat is not None:
            self._attach(table, table.seats[seat.index], -1)
        else:
            old.detach(self)
            self._watch(table, -1)

    def _watch(self, table: LiveTable, after: int) -> None:
        self._listen(table, None)
        try:
            table.spectate(self, after)
        except WireError:
            self._table = None
            raise

    def _attach(self, table: LiveTable, seat: Seat, after: int) -> None:
        self._listen(table, seat)
        if self._hints is not None and table.match is not None:
            self._hints.recall(table.match.events, min(after + 1, table.published))
        table.attach(seat, self, after)

    # ------------------------------------------------------------------ incoming

    def receive(self, frame: str | bytes) -> None:
        """Take one frame; never raises, whatever a client sends or a handler does."""
        if self._gone:
            return
        if not self._bucket.take(self._clock.now()):
            self._refuse(WireError("flooding", "too many messages; wait a moment"), "")
            return
        message: Message = {}
        try:
            message = wire.decode(frame, self._fmt)
            wire.check(message)
            if not self._greeted and message["type"] != "hello":
                raise WireError("unexpected", "the first message is hello")
            more = COSTS.get(message["type"], 1) - 1
            if not self._bucket.take(self._clock.now(), more):
                raise WireError("flooding", f"too many of {message['type']}; wait a moment")
            _HANDLERS[message["type"]](self, message)
            self._strikes = 0
        except WireError as error:
            self._answer_error(error, message)
        except Exception as error:  # the one place for faults of ours: this message fails alone
            self._metrics.faults.inc()
            fault("message failed", error, connection=self._connection)
            self._answer_error(WireError("internal", "the server failed at this message"), message)

    def _answer_error(self, error: WireError, message: Message) -> None:
        kind = message.get("type", "")
        secret = message.get("code") if error.code == "not_found" else message.get("owner")
        if error.code == "bad_token" or (secret and error.code in ("not_found", "forbidden")):
            self._guesses += 1
        answer_id = message.get("id")
        if (
            kind == "answer"
            and self._table is not None
            and self._seat is not None
            and isinstance(answer_id, int)
        ):
            self._reject(self._table, self._seat, answer_id, error)
        else:
            self._refuse(error, kind)

    def _reject(self, table: LiveTable, seat: Seat, answer_id: int, error: WireError) -> None:
        """Say why, and ask the open question again; the seat is never punished."""
        self._metrics.rejected.labels(error.code).inc()
        self.send({"type": "rejected", "id": answer_id, "code": error.code, "message": str(error)})
        question = table.question_of(seat)
        if question is not None and question.id == answer_id:
            self.question(question, self._clock.now())

    def _refuse(self, error: WireError, about: str) -> None:
        self._metrics.rejected.labels(error.code).inc()
        self.send(_error(error, about))
        self._strikes += 1
        if error.code == "version":
            self._close(REFUSED, "version")
        elif self._guesses >= MOST_GUESSES:
            self._close(REFUSED, "guessing")
        elif self._strikes >= MOST_STRIKES:
            self._close(REFUSED, error.code)

    def closed(self) -> None:
        """The connection is gone."""
        self._gone = True
        self._hello_timer.cancel()
        if self._desk is not None:
            self._desk.close()
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
        self._hello_timer.cancel()
        self._wants_hints = message.get("hints") is True
        log.debug("hello", connection=self._connection, client=message.get("client") or "")
        self.send(
            {
                "type": "welcome",
                "protocol": wire.PROTOCOL,
                "server": f"jantaku {self._version}",
                "bots": sorted(self._lobby.players),
                "presets": list(self._lobby.presets),
                "rules": self._lobby.rules.brief(),
                "clocks": {name: limits.to_dict() for name, limits in CLOCKS.items()},
                "phrases": list(wire.PHRASES),
                "max_frame": wire.MAX_FRAME,
            }
        )

    def _list(self, message: Message) -> None:
        self.send({"type": "tables", "tables": self._lobby.public()})

    def _create(self, message: Message) -> None:
        tables = (self._lobby.tables.get(table_id) for table_id in self._owned)
        own = [table for table in tables if table is not None and _is_idle(table)]
        self._owned = {table.id for table in own}
        if len(own) + self._creating >= MOST_OWN:
            raise WireError("full", f"{MOST_OWN} tables of this connection wait for players")
        self._lobby.create(message, self._created)
        self._creating += 1

    def _created(self, table: LiveTable, code: str, owner: str) -> None:
        self._creating -= 1
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
        if table.seats[seat.index] is not seat:
            return  # it has left already
        if self._gone or self._table is not table:
            # It left before it was told its token, so nobody can come back to this seat.
            if table.state == WAITING:
                table.leave_seat(seat)
            else:
                table.attach(seat, self, -1)
                table.detach(self)
            return
        self.send({"type": "joined", "table": table.id, "seat": seat.index, "token": token})
        self._attach(table, seat, -1)
        table.tell_info()
        table.start_if_full()

    def _need_no_table(self) -> None:
        if self._table is not None:
            raise WireError("unexpected", "this connection is at a table; leave it first")

    def _need_table(self) -> LiveTable:
        if self._table is None:
            raise WireError("unexpected", "this connection is at no table")
        return self._table

    def _need_seat(self) -> tuple[LiveTable, Seat]:
        if self._table is None or self._seat is None:
            raise WireError("unexpected", "this connection has no seat")
        return self._table, self._seat

    def _ready(self, message: Message) -> None:
        table, seat = self._need_seat()
        table.set_ready(seat, message.get("ready") is not False)

    def _fill(self, message: Message) -> None:
        table = self._need_table()
        if table.id not in self._owned and not table.is_owner(message.get("owner") or ""):
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
        choice: Action | int = -1
        if message.get("index") is not None:
            choice = message["index"]
        else:
            actor = message["action"].get("actor")
            if actor is not None and actor != seat.index:
                raise WireError("illegal", f"this connection answers for seat {seat.index}")
            try:
                choice = from_mjai(message["action"])
            except ActionError as error:
                raise WireError("illegal", str(error)) from None
        table.answer(seat, message["id"], choice)
        self._bucket.give_back()

    def _resume(self, message: Message) -> None:
        self._need_no_table()
        table, seat = self._lobby.find_seat(message["token"])
        after = message.get("after")
        after = -1 if after is None else after
        if after >= table.published:
            raise WireError("invalid", f"after: the last event is number {table.published - 1}")
        self.send({"type": "resumed", "table": table.id, "seat": seat.index})
        self._attach(table, seat, after)

    def _spectate(self, message: Message) -> None:
        self._need_no_table()
        table = self._lobby.find(message)
        after = message.get("after")
        after = -1 if after is None else after
        self._watch(table, after)

    def _chat(self, message: Message) -> None:
        table, seat = self._need_seat()
        table.say(seat, message["phrase"])

    def _rematch(self, message: Message) -> None:
        table, seat = self._need_seat()
        if table.state != FINISHED:
            raise WireError("unexpected", "the match is not over")
        if seat.rematch:
            return  # said already: a second rematch must not begin
        seat.rematch = True
        waiting = [s for s in table.seats if s.kind != "house" and not s.rematch]
        table.tell_rematch()
        if not waiting:
            self._lobby.rematch(table)

    def _leave(self, message: Message) -> None:
        table = self._need_table()
        table.detach(self)
        if table.state == WAITING and self._seat is not None:
            table.leave_seat(self._seat)
        self._table = self._seat = self._hints = None
        self.send({"type": "left", "table": table.id})

    def _ping(self, message: Message) -> None:
        self.send({"type": "pong", "nonce": message.get("nonce") or ""})

    def _need_desk(self) -> ReplayTalk:
        if self._desk is None:
            raise WireError("unexpected", "this server has no replay desk")
        return self._desk

    def _replay(self, message: Message) -> None:
        self._need_desk().open(message)

    def _replay_data(self, message: Message) -> None:
        self._need_desk().data(message)
        if len(message["data"]) >= FULL_PART:
            self._bucket.give_back()

    def _replay_more(self, message: Message) -> None:
        self._need_desk().more(message)


def _error(error: WireError, about: str) -> Message:
    return {"type": "error", "code": error.code, "message": str(error), "about": about[:40]}


def _is_idle(table: LiveTable) -> bool:
    """Whether a table only waits, or plays for nobody."""
    return table.state == WAITING or (table.state == PLAYING and table.is_demo)


_HANDLERS: Final[dict[str, Callable[[Session, Message], None]]] = {
    "hello": Session._hello,
    "list": Session._list,
    "create": Session._create,
    "join": Session._join,
    "ready": Session._ready,
    "fill": Session._fill,
    "answer": Session._answer,
    "resume": Session._resume,
    "spectate": Session._spectate,
    "chat": Session._chat,
    "rematch": Session._rematch,
    "leave": Session._leave,
    "ping": Session._ping,
    "replay": Session._replay,
    "replay_data": Session._replay_data,
    "replay_more": Session._replay_more,
}
