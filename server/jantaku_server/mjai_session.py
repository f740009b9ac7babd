"""The mjai endpoint: a websocket on which plain mjai messages go both ways.

`GET /mjai?table=ID&name=NAME&style=auto` takes a seat; without a table, a free public seat or a
new table with house bots. The first line sent is `hello` with the seat's token; with
`?token=TOKEN&lines=N&answers=K` a program comes back that has read N lines and answered K times.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Final

import structlog

from jantaku_engine.events import END_GAME, END_KYOKU, START_GAME, Event

from . import wire
from .audience import Frames, Question
from .clock import Clock
from .limits import MAX_QUEUE, TokenBucket
from .lobby import Lobby
from .metrics import Metrics
from .mjai_dialect import STYLES, Dialect, read_answer
from .seats import Seat, hash_token
from .session import BURST, RATE, Line
from .table import WAITING, LiveTable
from .wire import Message, WireError

log = structlog.get_logger("jantaku")

_MOST_LINES: Final = 100_000


class MjaiSession:
    """One mjai program at one seat."""

    def __init__(
        self,
        line: Line,
        query: Mapping[str, str],
        lobby: Lobby,
        clock: Clock,
        metrics: Metrics,
    ) -> None:
        self._line = line
        self._query = query
        self._lobby = lobby
        self._clock = clock
        self._metrics = metrics
        self._bucket = TokenBucket(RATE * 4, BURST * 4, clock.now())
        self._table: LiveTable | None = None
        self._seat: Seat | None = None
        self._batch: list[Message] = []
        self._skip = 0
        self._gone = False

    # ------------------------------------------------------------------ coming in

    def open(self) -> None:
        """Take the seat that the address asks for, or close with the reason."""
        try:
            style = self._query.get("style", "auto")
            if style not in STYLES:
                raise WireError("invalid", f"style must be one of {', '.join(STYLES)}")
            self._skip = self._number("lines")
            self._dialect = Dialect(style, self._skip, self._number("answers"))
            token = self._query.get("token")
            if token:
                table, seat = self._lobby.find_seat(token)
                self._arrive(table, seat, token)
            elif self._query.get("table") or self._query.get("code"):
                self._join(self._lobby.find(self._query))
            else:
                self._join_any()
        except WireError as error:
            self._refuse(error)

    def _number(self, name: str) -> int:
        text = self._query.get(name, "0")
        if not text.isascii() or not text.isdigit() or int(text) > _MOST_LINES:
            raise WireError("invalid", f"{name} must be a whole number up to {_MOST_LINES}")
        return int(text)

    def _join_any(self) -> None:
        for table in self._lobby.tables.values():
            free = any(seat.kind == "open" for seat in table.seats)
            if table.state == WAITING and not table.settings.code and free:
                self._join(table)
                return
        bot = f"bot:{self._lobby.default_bot}"
        message = {"seats": ["open", bot, bot, bot], "clock": "bots"}
        self._lobby.create(message, lambda table, code, owner: self._join(table))

    def _join(self, table: LiveTable) -> None:
        name = self._query.get("name", "mjai")
        wire.check({"type": "join", "name": name, "table": table.id})
        wanted = self._query.get("seat")
        token = self._lobby.new_token()
        seat = table.take_seat(
            int(wanted) if wanted in ("0", "1", "2", "3") else None,
            "bot",
            name,
            hash_token(token),
            "",
        )
        self._table, self._seat = table, seat
        table.when_written(functools.partial(self._arrive, table, seat, token))

    def _arrive(self, table: LiveTable, seat: Seat, token: str) -> None:
        if self._gone:
            return
        self._table, self._seat = table, seat
        hello = {
            "type": "hello",
            "protocol": "mjsonp",
            "protocol_version": 3,
            "table": table.id,
            "seat": seat.index,
            "token": token,
        }
        self._send(json.dumps(hello))
        # A returning program has read the first events; they come by number of line.
        table.attach(seat, self, self._skip - 1 if self._dialect.style != "batch" else -1)
        table.tell_info()
        table.start_if_full()

    def _refuse(self, error: WireError) -> None:
        self._metrics.rejected.labels(error.code).inc()
        self._send(json.dumps({"type": "error", "code": error.code, "message": str(error)}))
        self._gone = True
        self._line.close(1008, error.code)

    # ------------------------------------------------------------------ outgoing

    def _send(self, text: str) -> None:
        if not self._gone and self._line.send(text) > MAX_QUEUE:
            self._metrics.dropped.labels("slow").inc()
            self._gone = True
            self._line.drop()

    def event(self, seq: int, event: Event, seat: int, frames: Frames) -> None:
        """See `audience.Listener.event`."""
        message = event.to_mjai()
        if event.type == START_GAME:
            message["id"] = seat
        if self._dialect.style == "batch":
            self._batch.append(message)
            if event.type in (END_KYOKU, END_GAME):
                self._flush()
        else:
            self._dialect.sent += 1
            self._send(wire.encode(message, "json"))  # type: ignore[arg-type]

    def _flush(self) -> None:
        if self._batch:
            text = json.dumps(self._batch, ensure_ascii=False, separators=(",", ":"))
            self._batch = []
            if self._skip:
                # This array was read before the program came back.
                self._skip -= 1
                return
            self._dialect.sent += 1
            self._send(text)

    def question(self, question: Question, now: float) -> None:
        """See `audience.Listener.question`."""
        self._flush()
        self._dialect.ask(question)

    def notice(self, message: Message) -> None:
        """mjai has no words for the rest; a program that lost its seat is let go."""
        if message["type"] == "error":
            self._table = self._seat = None
            self._line.close(1001 if message["code"] == "going_down" else 4000, message["code"])
            self._gone = True

    # ------------------------------------------------------------------ incoming

    def receive(self, frame: str | bytes) -> None:
        """Take a frame of one or more lines; never raises for what a program can send."""
        if isinstance(frame, bytes):
            self._complain("malformed", "mjai comes in text frames")
            return
        for text in frame.splitlines():
            if not text.strip():
                continue
            if not self._bucket.take(self._clock.now()):
                self._complain("flooding", "too many messages")
                return
            try:
                self._take(wire.decode(text, "json"))
            except WireError as error:
                self._complain(error.code, str(error))

    def _take(self, message: Message) -> None:
        table, seat = self._table, self._seat
        if table is None or seat is None:
            raise WireError("unexpected", "not at a table yet")
        question = self._dialect.answered(message)
        if question is None or table.question_of(seat) is not question:
            # Nothing was asked, or the clock was first.
            self._metrics.rejected.labels("stale").inc()
            return
        action = read_answer(message, question.menu)
        if action is None:
            raise WireError("illegal", f"no such action now: {json.dumps(message)[:200]}")
        table.answer(seat, question.id, action)
        self._bucket.give_back()

    def _complain(self, code: str, why: str) -> None:
        """The question stays open; mjai has no word for it, so the operator is told."""
        self._metrics.rejected.labels(code).inc()
        log.info("mjai answer refused", code=code, why=why)

    def closed(self) -> None:
        """The connection is gone."""
        self._gone = True
        if self._table is not None:
            self._table.detach(self)
            self._table = self._seat = None
