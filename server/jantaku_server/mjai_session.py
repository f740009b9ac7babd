"""The mjai endpoint: a websocket on which plain mjai messages go both ways.

`GET /mjai?table=ID&name=NAME&style=auto` takes a seat; without a table, a free public seat or a
new table with house bots. The first message sent is `hello` with the seat and its token; after
it come game events, and `error` where an answer is refused. Neither is for the program itself.

A program comes back with `?token=TOKEN&lines=N&answers=K&style=STYLE`: it has read N messages,
and its next answer on this connection is its answer number K + 1, counted from 1. Whoever
brings back `answers=0` and sends every answer of the game once more is exact in each style: what
was answered before the connection broke is taken now, what was taken already is recognized. A
program of the style `batch` also tells `events=E`, the number of events in the arrays it read.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping
from typing import Final

import structlog

from jantaku_engine import actions as act
from jantaku_engine.actions import Action
from jantaku_engine.events import END_GAME, END_KYOKU, START_GAME, Event
from jantaku_replays.json_text import compact

from . import wire
from .audience import Frames, Question
from .clock import Clock
from .limits import MAX_QUEUE, TokenBucket
from .lobby import Lobby
from .metrics import Metrics
from .mjai_dialect import STYLES, Dialect, read_answer
from .seats import Seat, hash_token
from .session import BURST, MOST_STRIKES, RATE, Line
from .table import WAITING, LiveTable
from .wire import Message, WireError

log = structlog.get_logger("jantaku")

MOST_PARAMETERS: Final = 20
"""An address with more is refused unread."""

_MOST_LINES: Final = 100_000
_LONGEST_PASS_MS: Final = 60_000
_MOST_GAMES: Final = 1_000_000
_ARRAY_ENDS: Final = (START_GAME, END_KYOKU, END_GAME)
"""Events after which an array is sent although nobody is asked."""


class MjaiSession:
    """One mjai program at one seat."""

    def __init__(
        self,
        line: Line,
        query: Mapping[str, str],
        lobby: Lobby,
        clock: Clock,
        metrics: Metrics,
        connection: str = "",
    ) -> None:
        self._line = line
        self._connection = connection
        self._query = query
        self._lobby = lobby
        self._clock = clock
        self._metrics = metrics
        self._bucket = TokenBucket(RATE, BURST, clock.now())
        self._strikes = 0
        self._table: LiveTable | None = None
        self._seat: Seat | None = None
        self._style = "auto"
        self._dialect = Dialect("auto", 0)
        self._pass_after = 0.0
        self._games = 1
        self._name = query.get("name", "mjai")
        self._wanted: int | None = None
        self._made: LiveTable | None = None
        self._batch: list[Message] = []
        self._past = 0
        self._gone = False

    # ------------------------------------------------------------------ coming in

    def open(self) -> None:
        """Take the seat that the address asks for, or close with the reason."""
        try:
            self._style = self._query.get("style", "auto")
            if self._style not in STYLES:
                raise WireError("invalid", f"style must be one of {', '.join(STYLES)}")
            self._pass_after = self._number("pass_after", _LONGEST_PASS_MS) / 1000
            self._games = self._number("games", _MOST_GAMES, least=1)
            token = self._query.get("token")
            if token:
                self._return(token)
            else:
                self._sit()
        except WireError as error:
            self.refuse(error)

    def refuse(self, error: WireError) -> None:
        """Close with the reason, instead of or after `open`."""
        self._metrics.rejected.labels(error.code).inc()
        self._tell_error(error.code, str(error))
        self._gone = True
        self._line.close(1008, error.code)

    def _sit(self) -> None:
        # All wishes are read before a table is made for them.
        wire.check({"type": "join", "name": self._name, "table": "any"})
        if "seat" in self._query:
            self._wanted = self._number("seat", 3)
        if self._query.get("table") or self._query.get("code"):
            self._join(self._lobby.find(self._query))
        else:
            self._join_any()

    def _number(self, name: str, most: int, least: int = 0) -> int:
        """A number of the address; the least where it has none."""
        text = self._query.get(name, str(least))
        is_number = text.isascii() and text.isdigit() and len(text) < 10
        if not is_number or not least <= int(text) <= most:
            raise WireError("invalid", f"{name} must be a whole number from {least} to {most}")
        return int(text)

    def _join_any(self) -> None:
        for table in self._lobby.tables.values():
            if not table.settings.code and self._has_place(table):
                self._join(table)
                return
        seats = [f"bot:{self._lobby.default_bot}"] * 4
        seats[self._wanted or 0] = "open"
        message = {"seats": seats, "clock": "bots"}
        self._lobby.create(message, lambda table, code, owner: self._join_new(table))

    def _has_place(self, table: LiveTable) -> bool:
        """Whether the seat that the program wants, or any, is free at a table that waits."""
        free = [seat.index for seat in table.seats if seat.kind == "open"]
        fits = bool(free) if self._wanted is None else self._wanted in free
        return table.state == WAITING and fits

    def _join_new(self, table: LiveTable) -> None:
        self._made = table
        try:
            if self._gone:
                self._put_away(table)
            elif self._has_place(table):
                self._join(table)
            else:  # somebody else was quicker
                self._join_any()
        except WireError as error:
            self._put_away(table)
            self.refuse(error)

    def _put_away(self, table: LiveTable) -> None:
        """A table that was made for this program, and at which nobody sits, goes with it."""
        seated = any(seat.is_remote for seat in table.seats)
        if table is self._made and table.state == WAITING and not seated:
            self._lobby.forget(table)

    def _join(self, table: LiveTable) -> None:
        token = self._lobby.new_token()
        seat = table.take_seat(self._wanted, "bot", self._name, hash_token(token), "")
        self._table, self._seat = table, seat
        table.when_written(functools.partial(self._joined, table, seat, token))

    def _joined(self, table: LiveTable, seat: Seat, token: str) -> None:
        if table.seats[seat.index] is not seat:
            return  # it was given up already
        if self._gone:
            # The program left before it was told its token: nobody can come back to this seat.
            table.leave_seat(seat)
            self._put_away(table)
            return
        self._dialect = Dialect(self._style, seat.index)
        self._arrive(table, seat, token, 0)
        table.tell_info()
        table.start_if_full()

    def _return(self, token: str) -> None:
        table, seat = self._lobby.find_seat(token)
        lines = self._number("lines", _MOST_LINES)
        answers = self._number("answers", lines)
        read = self._number("events", _MOST_LINES) if self._style == "batch" else lines
        if read > table.published:
            raise WireError("invalid", f"the match has only {table.published} events so far")
        self._dialect = Dialect(self._style, seat.index, lines, answers)
        if not answers and table.match is not None:
            for seq, event in enumerate(table.match.events[:read]):
                self._missed(event, seq)
        self._table, self._seat = table, seat
        self._arrive(table, seat, token, read)

    def _arrive(self, table: LiveTable, seat: Seat, token: str, read: int) -> None:
        hello = {
            "type": "hello",
            "protocol": "mjsonp",
            "protocol_version": 3,
            "table": table.id,
            "seat": seat.index,
            "token": token,
        }
        self._send(compact(hello))
        self._past = table.published
        table.attach(seat, self, read - 1)

    # ------------------------------------------------------------------ outgoing

    def _send(self, text: str) -> None:
        if not self._gone and self._line.send(text) > MAX_QUEUE:
            self._leaves("slow")
            self._line.drop()

    def _leaves(self, reason: str) -> None:
        self._gone = True
        self._metrics.dropped.labels(reason).inc()
        log.info("connection dropped", connection=self._connection, reason=reason)

    def _tell_error(self, code: str, why: str) -> None:
        self._send(compact({"type": "error", "code": code, "message": why}))

    def event(self, seq: int, event: Event, seat: int, frames: Frames) -> None:
        """See `audience.Listener.event`."""
        message = event.to_mjai()
        if event.type == START_GAME:
            message["id"] = seat
        if self._style == "batch":
            self._batch.append(message)
            if event.type in _ARRAY_ENDS:
                self._flush()
            return
        if seq < self._past or (self._seat is not None and self._seat.behind):
            self._missed(event, seq)
        self._dialect.sent += 1
        self._send(compact(message))

    def _missed(self, event: Event, seq: int) -> None:
        if self._style != "batch":
            self._dialect.missed(event, seq)

    def _flush(self) -> None:
        if self._batch:
            self._dialect.sent += 1
            self._send(compact(self._batch))
            self._batch = []

    def question(self, question: Question, now: float) -> None:
        """See `audience.Listener.question`."""
        self._flush()
        self._dialect.ask(question)
        if self._pass_after and act.PASS in question.menu:
            when = now + self._pass_after
            self._clock.call_at(when, functools.partial(self._pass, question))

    def _pass(self, question: Question) -> None:
        """The program was silent for as long as its owner said that a pass takes."""
        table, seat = self._table, self._seat
        if table is not None and seat is not None and table.question_of(seat) is question:
            self._answer(table, seat, question, act.PASS)

    def busy(self) -> bool:
        """See `audience.Listener.busy`."""
        return self._line.waiting() > MAX_QUEUE // 2

    def notice(self, message: Message) -> None:
        """mjai has no words for most of it; a program that lost its seat is let go."""
        kind = message["type"]
        if kind == "error":
            self._table = self._seat = None
            self._tell_error(message["code"], message["message"])
            self._line.close(1001 if message["code"] == "going_down" else 4000, message["code"])
            self._gone = True
        elif kind == "finished":
            if self._games > 1:
                self._want_rematch()
            else:
                self._line.close(1000, "finished")
                self._gone = True
        elif kind == "rematch":
            self._follow(message["table"])

    def _want_rematch(self) -> None:
        table, seat = self._table, self._seat
        if table is not None and seat is not None:
            seat.rematch = True
            table.tell_rematch()
            if all(other.kind == "house" or other.rematch for other in table.seats):
                with contextlib.suppress(WireError):  # there are too many tables: then not
                    self._lobby.rematch(table)

    def _follow(self, table_id: str) -> None:
        """The table plays again: the program is told another start_game and what follows."""
        seat = self._seat
        table = self._lobby.tables.get(table_id)
        if table is not None and seat is not None:
            self._table, self._seat = table, table.seats[seat.index]
            self._dialect = Dialect(self._style, seat.index)
            self._games -= 1
            self._past = table.published
            table.attach(self._seat, self, -1)

    # ------------------------------------------------------------------ incoming

    def receive(self, frame: str | bytes) -> None:
        """Take a frame of one or more lines; never raises for what a program can send."""
        if isinstance(frame, bytes):
            if not self._gone:
                self._complain("malformed", "mjai comes in text frames")
            return
        for text in frame.split("\n"):
            if text.strip() and not self._gone:
                self._receive_line(text.strip())

    def _receive_line(self, text: str) -> None:
        is_object = text.startswith("{")
        # One answer for each message is free; what is more must not come too fast.
        is_free = is_object and self._dialect.owes_answers
        if not is_free and not self._bucket.take(self._clock.now()):
            self._complain("flooding", "too many messages", tell=False)
            return
        try:
            message = wire.decode(text, "json")
        except WireError as error:
            if is_object:  # an answer nobody can use is still one: it counts
                self._dialect.answered({})
            self._complain(error.code, str(error))
            return
        if message["type"] != "join":  # what some programs say to `hello`
            self._take(message)

    def _take(self, message: Message) -> None:
        table, seat = self._table, self._seat
        question = self._dialect.answered(message)
        if question is None or table is None or seat is None:
            return
        is_none = message["type"] == "none"
        if table.question_of(seat) is not question:
            if not is_none:
                self._complain("stale", f"too late: {compact(message)[:200]}")
            return
        action = read_answer(message, question)
        if action is None:
            legal = ", ".join(map(str, question.menu))
            self._complain("illegal", f"may not {compact(message)[:200]}; it may: {legal}")
            return
        self._strikes = 0
        self._answer(table, seat, question, action)

    def _answer(self, table: LiveTable, seat: Seat, question: Question, action: Action) -> None:
        try:
            table.answer(seat, question.id, action)
        except WireError as error:
            self._complain(error.code, str(error))

    def _complain(self, code: str, why: str, tell: bool = True) -> None:
        """Say why an answer is of no use; a question stays open until its clock."""
        self._metrics.rejected.labels(code).inc()
        if tell:
            self._tell_error(code, why)
        self._strikes += code == "flooding"
        if self._strikes >= MOST_STRIKES:
            self._leaves(code)
            self._line.close(1008, code)

    def closed(self) -> None:
        """The connection is gone."""
        self._gone = True
        if self._table is not None:
            self._table.detach(self)
            self._table = self._seat = None
