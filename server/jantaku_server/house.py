"""House bots at a table: a player in the process, fed and asked like anybody else.

The server knows no bot by itself; the command that starts it hands over `Players`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from random import Random
from typing import Protocol

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

Run = Callable[[Callable[[], Action], Callable[[Action], None]], None]
"""Computes the first call away from the event loop and hands the result to the second."""


class HouseSeat:
    """A listener that thinks with a player and answers after its pace."""

    def __init__(
        self,
        player: Player,
        view: SeatView,
        clock: Clock,
        pace_ms: int,
        run: Run,
        answer: Callable[[HouseSeat, int, Action], None],
    ) -> None:
        self._player = player
        self._view = view
        self._clock = clock
        self._pace = pace_ms / 1000
        self._run = run
        self._answer = answer

    def event(self, seq: int, event: Event, seat: int, frames: Frames) -> None:
        """See `audience.Listener.event`."""
        if self._player.needs_view:
            self._view.apply(event)
        self._player.see(event)

    def question(self, question: Question, now: float) -> None:
        """See `audience.Listener.question`."""
        if self._pace:
            self._clock.call_at(now + self._pace, functools.partial(self._think, question))
        else:
            self._think(question)

    def _think(self, question: Question) -> None:
        self._run(
            functools.partial(self._player.choose, self._view, question.menu),
            functools.partial(self._answer, self, question.id),
        )

    def notice(self, message: Message) -> None:
        """House bots need no news."""
