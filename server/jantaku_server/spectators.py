"""Spectators of a table: the public events, late by a hand or by seconds."""

from __future__ import annotations

from collections.abc import Sequence

from jantaku_engine import events as ev
from jantaku_engine.events import Event

from .audience import BUSY_S, PIECE, Frames, Listener, send_events
from .clock import Clock, Timer
from .wire import Message


class Spectators:
    """Who watches one table from outside, and how much of it they may see.

    With the delay `hand` a hand is shown when it is over; with seconds, each event so long
    after the players saw it (0: with them). When the match is over, all of it is shown.
    """

    def __init__(self, delay: str | int, clock: Clock) -> None:
        self._seconds = delay if isinstance(delay, int) else -1
        self._clock = clock
        self._events: Sequence[Event] = ()
        self._published = 0
        self._times: list[float] = []
        self._allowed = 0
        self._shown = 0
        self._watching: dict[Listener, int] = {}
        self._late: dict[Listener, int] = {}
        self._timer: Timer | None = None
        self._last: tuple[Message, ...] = ()
        self._told: set[Listener] = set()

    def add(self, listener: Listener, first: int) -> None:
        """A spectator comes who has seen all events before number `first`."""
        self._late[listener] = first
        self.serve()

    def remove(self, listener: Listener) -> bool:
        """A spectator goes; False for somebody who was none."""
        watched = self._watching.pop(listener, None) is not None
        self._told.discard(listener)
        return self._late.pop(listener, None) is not None or watched

    def listeners(self) -> list[Listener]:
        """Everybody who watches."""
        return [*self._watching, *self._late]

    def published(self, events: Sequence[Event], number: int) -> None:
        """The players have been told the first `number` of `events`; `serve` follows."""
        self._events = events
        for index in range(self._published, number):
            is_end = isinstance(events[index], ev.EndKyoku | ev.EndGame)
            if self._seconds > 0:
                self._times.append(self._clock.now())
            if self._seconds == 0 or (self._seconds < 0 and is_end):
                self._allowed = index + 1
        if number and isinstance(events[number - 1], ev.EndGame):
            self._allowed = number
        self._published = number

    def finish(self, *messages: Message) -> None:
        """Tell everybody this when they have seen the last event."""
        self._last = messages
        self.serve()

    def serve(self) -> None:
        """Show what may be shown now; a long way is gone in pieces."""
        self.close()
        if not self._watching:
            self._shown = self._allow()
            if not self._late:
                return
        for listener, first in list(self._late.items()):
            if first < self._shown:
                end = first if listener.busy() else min(first + PIECE, self._shown)
                send_events(listener, self._events, -1, first, end)
                self._late[listener] = first = end
            if first >= self._shown:
                del self._late[listener]
                self._watching[listener] = first
        start = self._shown
        share = max(1, PIECE // max(1, len(self._watching)))
        self._shown = min(self._allow(), start + share)
        for seq in range(start, self._shown):
            self._show(seq)
        if self._last and self._shown == self._published:
            for listener in [one for one in self._watching if one not in self._told]:
                self._told.add(listener)
                for message in self._last:
                    listener.notice(message)
        self._set_timer()

    def _show(self, seq: int) -> None:
        event = self._events[seq]
        seen = event.seen_by(-1)
        frames = Frames(seq)
        for listener, first in list(self._watching.items()):
            if first <= seq:
                listener.event(seq, seen, -1, frames)

    def _allow(self) -> int:
        """How many events may be shown now; with a delay in seconds, those old enough."""
        now = self._clock.now()
        while (
            self._allowed < len(self._times) and now >= self._times[self._allowed] + self._seconds
        ):
            self._allowed += 1
        return self._allowed

    def _set_timer(self) -> None:
        if self._shown < self._allowed or self._late:
            pause = BUSY_S * any(listener.busy() for listener in self._late)
            self._timer = self._clock.call_at(self._clock.now() + pause, self.serve)
        elif self._allowed < len(self._times):
            at = self._times[self._allowed] + self._seconds
            self._timer = self._clock.call_at(at, self.serve)

    def close(self) -> None:
        """Arrange nothing more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
