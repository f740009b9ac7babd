"""House bots at a table: a player in the process, fed and asked like anybody else.

The server knows no bot by itself; the command that starts it hands over `Players`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final, Protocol

from jantaku_engine.actions import Action
from jantaku_engine.events import Event
from jantaku_engine.menu import Menu
from jantaku_engine.view import SeatView

from .audience import Frames, Question
from .clock import Clock
from .wire import Message


class Player(Protocol):
    """Who answers for one seat, knowing what the seat knows."""

    @property
    def needs_view(self) -> bool:
        """False for a player that looks at its menus only."""
        ...

    def see(self, event: Event) -> None:
        """Take note of an event, masked for the seat; the view knows it already."""
        ...

    def choose(self, view: SeatView, menu: Menu) -> Action:
        """One of the actions of `menu`."""
        ...


Players = Mapping[str, Callable[[Random], Player]]
"""House bots by name: each makes a player from a source of chance."""

Run = Callable[[Callable[[], Any], Callable[[Any], None]], None]
"""Computes the first call away from the event loop and hands the result to the second."""

Answer = Callable[["HouseSeat", Question, "Action | Exception"], None]
"""Takes a house bot's action, or why it has none."""

CLAIM_SHARE: Final = 0.5
"""Part of the call window in which a house bot decides about another's tile: what it thinks
must not take longer than the window, or everybody would learn that it was asked."""


class HouseSeat:
    """A listener that thinks with a player, away from the event loop, after its pace."""

    def __init__(
        self,
        player: Player,
        view: SeatView,
        clock: Clock,
        pace_ms: int,
        window_ms: int,
        run: Run,
        answer: Answer,
    ) -> None:
        self._player = player
        self._view = view
        self._clock = clock
        self._pace = pace_ms / 1000
        self._claim_pace = min(self._pace, window_ms / 1000 * CLAIM_SHARE)
        self._run = run
        self._answer = answer
        self._new: list[Event] = []
        self._thinking = False
        self._next: Question | None = None

    def event(self, seq: int, event: Event, seat: int, frames: Frames) -> None:
        """See `audience.Listener.event`; the bot looks at it when it is asked."""
        self._new.append(event)

    def question(self, question: Question, now: float) -> None:
        """See `audience.Listener.question`."""
        pace = self._pace if question.target == question.seat else self._claim_pace
        if pace:
            self._clock.call_at(now + pace, functools.partial(self._think, question))
        else:
            self._think(question)

    def _think(self, question: Question) -> None:
        # A player is one thread's at a time: when the clock was faster than its last thought,
        # the newest question waits for that thought to end.
        if self._thinking:
            self._next = question
            return
        self._thinking = True
        events, self._new = self._new, []
        self._run(
            functools.partial(self._choose, events, question.menu),
            functools.partial(self._thought, question),
        )

    def _choose(self, events: list[Event], menu: Menu) -> Action | Exception:
        try:
            for event in events:
                if self._player.needs_view:
                    self._view.apply(event)
                self._player.see(event)
            return self._player.choose(self._view, menu)
        except Exception as error:  # anybody's program: its table goes on without it
            return error

    def _thought(self, question: Question, action: Action | Exception) -> None:
        self._thinking = False
        waiting, self._next = self._next, None
        self._answer(self, question, action)
        if waiting is not None:
            self._think(waiting)

    def notice(self, message: Message) -> None:
        """House bots need no news."""

    def busy(self) -> bool:
        """See `audience.Listener.busy`: it keeps what it is told until it is asked."""
        return False
