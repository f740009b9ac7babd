"""Who hears a table: listeners, and frames that are encoded once for all who may see the same.

A listener is anything that follows a table from a seat or from outside: a websocket session, an
mjai session, a house bot. Masking has happened before an event reaches it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Final, Protocol

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
        spent_ms: time that it had used before the server was stopped or killed, as far as that
            was written.
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

    def frame(self, now: float, fmt: wire.Format) -> str | bytes:
        """The frame of the `request` message at this moment."""
        time_ms, bank_ms = self.left(now)
        menu = _menu(self.menu, self.seat, self.target, fmt)
        values = [
            wire.encode_value(self.id, fmt),
            wire.encode_array(menu, fmt),
            wire.encode_value(time_ms, fmt),
            wire.encode_value(bank_ms, fmt),
        ]
        return wire.REQUEST.frame(values, fmt)


class _Kept:
    """What a format makes of small things that come again and again.

    Attributes:
        bodies: draws and discards, by `Event.code`.
        items: the actions of menus, by `Action.code`, for each seat and target.
    """

    def __init__(self) -> None:
        self.bodies: dict[int, bytes] = {}
        self.items: list[dict[int, bytes]] = [{} for _ in range(16)]


_KEPT: Final[dict[wire.Format, _Kept]] = {"json": _Kept(), "msgpack": _Kept()}


def _body(event: Event, fmt: wire.Format) -> bytes:
    code = event.code()
    if code < 0:
        return wire.encode_value(event.to_mjai(), fmt)
    bodies = _KEPT[fmt].bodies
    body = bodies.get(code)
    if body is None:
        body = bodies[code] = wire.encode_value(event.to_mjai(), fmt)
    return body


def _menu(menu: tuple[Action, ...], seat: int, target: int, fmt: wire.Format) -> list[bytes]:
    kept = _KEPT[fmt].items[seat << 2 | target]
    items: list[bytes] = []
    for action in menu:
        item = kept.get(action.code)
        if item is None:
            item = kept[action.code] = wire.encode_value(action.to_mjai(seat, target), fmt)
        items.append(item)
    return items


class Frames:
    """One event's frames: each format is encoded once for every audience that sees the same."""

    __slots__ = ("_made", "_seq")

    def __init__(self, seq: int) -> None:
        self._seq = seq
        self._made: list[tuple[Event, wire.Format, str | bytes]] = []

    def frame(self, event: Event, fmt: wire.Format) -> str | bytes:
        """The frame of what somebody sees of the event."""
        for seen, made_fmt, frame in self._made:
            if seen is event and made_fmt == fmt:
                return frame
        values = [wire.encode_value(self._seq, fmt), _body(event, fmt)]
        frame = wire.EVENT.frame(values, fmt)
        self._made.append((event, fmt, frame))
        return frame


def send_events(
    listener: Listener, events: Sequence[Event], seat: int, first: int, end: int
) -> None:
    """Send a listener the events from number `first` up to `end`, as `seat` sees them."""
    for seq in range(first, end):
        event = events[seq]
        listener.event(seq, event.seen_by(seat), seat, Frames(seq))


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
