"""Spectators of a table: the public events, late by a hand or by seconds."""

from __future__ import annotations

from collections.abc import Sequence

from jantaku_engine import events as ev
from jantaku_engine.events import Event

from .audience import Listener, send_events
from .clock import Clock, Timer


class Spectators:
    """Who watches one table from outside, and how much of it they have seen.

    With the delay `hand` a hand is shown when it is over; with seconds, each event so long
    after the players saw it (0: with them).
    """

    def __init__(self, delay: str | int, clock: Clock) -> None:
        self._delay = delay
        self._clock = clock
        self._seen: dict[Listener, int] = {}
        self._times: list[float] = []
        self._hand_ends = 0
        self._timer: Timer | None = None
        self._again: tuple[Sequence[Event], int, bool] = ((), 0, False)

    def add(self, listener: Listener, first: int) -> None:
        """A spectator comes who has seen all events before number `first`."""
        self._seen[listener] = max(0, first)

    def remove(self, listener: Listener) -> bool:
        """A spectator goes; False for somebody who was none."""
        return self._seen.pop(listener, None) is not None

    def listeners(self) -> list[Listener]:
        """Everybody who watches."""
        return list(self._seen)

    def published(self, event: Event, now: float) -> None:
        """The players have been told the next event."""
        self._times.append(now)
        if isinstance(event, ev.EndKyoku | ev.EndGame):
            self._hand_ends = len(self._times)

    def _limit(self, published: int, finished: bool) -> int:
        if finished or self._delay == 0:
            return published
        if isinstance(self._delay, str):
            return self._hand_ends
        horizon = self._clock.now() - self._delay
        shown = max(self._seen.values(), default=0)
        while shown < published and self._times[shown] <= horizon:
            shown += 1
        return shown

    def serve(self, events: Sequence[Event], published: int, finished: bool) -> None:
        """Show what the delay allows of the first `published` events."""
        if not self._seen:
            return
        limit = self._limit(published, finished)
        for listener, first in list(self._seen.items()):
            if first < limit:
                self._seen[listener] = limit
                send_events(listener, events, -1, first, limit)
        self._again = (events, published, finished)
        if isinstance(self._delay, int) and limit < published and self._timer is None:
            self._timer = self._clock.call_at(self._times[limit] + self._delay, self._turn)

    def _turn(self) -> None:
        self._timer = None
        self.serve(*self._again)

    def close(self) -> None:
        """No more timers."""
        if self._timer is not None:
            self._timer.cancel()
