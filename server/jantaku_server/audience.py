"""Who hears a table: listeners, and frames that are encoded once for all who may see the same.

A listener is anything that follows a table from a seat or from outside: a websocket session, an
mjai session, a house bot. Masking has happened before an event reaches it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, Final, Protocol

from jantaku_engine.actions import Action
from jantaku_engine.events import Event

from . import wire

PIECE: Final = 100
"""Most events that one call sends to somebody who catches up; the rest follows a moment later,
so that nobody's return stops the loop."""

BUSY_S: Final = 0.05
"""How long catching up pauses for somebody who reads slowly."""


@dataclasses.dataclass
class Question:
    """What a seat is asked.

    Attributes:
        id: number of events before it; the same question has the same id after a restart.
        seat: who is asked. target: whose tile may be claimed, or the seat itself.
        menu: its legal actions. free_ms: time without charge. bank_ms: the seat's bank when it
            was asked.
        asked_at: from when on its time runs, in seconds of the table's clock. After a restart
            this may be a moment to come: the clock waits for the player.
        spent_ms: time that it had used before the server was stopped.
    """

    id: int
    seat: int
    target: int
    menu: tuple[Action, ...]
    free_ms: int
    bank_ms: int
    asked_at: float
    spent_ms: int = 0

    @property
    def deadline(self) -> float:
        """When the clock answers, in seconds of the table's clock."""
        return self.asked_at + (self.free_ms + self.bank_ms - self.spent_ms) / 1000

    def used(self, now: float) -> int:
        """Milliseconds that the seat has thought, those before a stop included."""
        return self.spent_ms + max(0, round((now - self.asked_at) * 1000))

    def left(self, now: float) -> tuple[int, int]:
        """Milliseconds left of the free time and of the bank."""
        used = self.used(now)
        over = max(0, used - self.free_ms)
        return max(0, self.free_ms - used), max(0, self.bank_ms - over)

    def message(self, now: float) -> wire.Message:
        """The `request` message at this moment."""
        time_ms, bank_ms = self.left(now)
        return {
            "type": "request",
            "id": self.id,
            "menu": [action.to_mjai(self.seat, self.target) for action in self.menu],
            "time_ms": time_ms,
            "bank_ms": bank_ms,
        }


class Frames:
    """One event's frames: each format is encoded once for every audience that sees the same."""

    __slots__ = ("_event", "_frames", "_seq")

    def __init__(self, seq: int, event: Event) -> None:
        self._seq = seq
        self._event = event
        self._frames: dict[tuple[str, int], str | bytes] = {}

    def frame(self, event: Event, seat: int, fmt: wire.Format) -> str | bytes:
        """The frame of `event`, which is this event as `seat` sees it."""
        key = (fmt, -2 if event is self._event else seat)
        frame = self._frames.get(key)
        if frame is None:
            frame = self._frames[key] = wire.encode(event_message(self._seq, event), fmt)
        return frame


def send_events(
    listener: Listener, events: Sequence[Event], seat: int, first: int, end: int
) -> None:
    """Send a listener the events from number `first` up to `end`, as `seat` sees them."""
    for seq in range(first, end):
        event = events[seq]
        listener.event(seq, event.seen_by(seat), seat, Frames(seq, event))


def event_message(seq: int, event: Event) -> dict[str, Any]:
    """The `event` message of a masked event."""
    return {"type": "event", "seq": seq, "event": event.to_mjai()}


class Listener(Protocol):
    """One who follows a table. Calls come from the event loop and must return at once."""

    def event(self, seq: int, event: Event, seat: int, frames: Frames) -> None:
        """The next event, as `seat` (-1 a spectator) sees it."""

    def question(self, question: Question, now: float) -> None:
        """The seat is asked; also sent again after a refused answer and on return."""

    def notice(self, message: wire.Message) -> None:
        """Anything else that the table says."""

    def busy(self) -> bool:
        """Whether so much waits unread that catching up should pause."""
