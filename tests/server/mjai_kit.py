"""Mjai programs of every way of talking, with a pipe, in a world without sockets or time.

`Program` plays by a `SeatView` of its own and marks each answer with the event that it answers.
Whatever its speed and however often its connection breaks, the table must never take an answer
for another question than the one it was given to: `Program` asserts that for every answer.
"""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from server_kit import FakeLine, World

from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import PASS, Action
from jantaku_engine.mjai import event_from_mjai
from jantaku_engine.rules import Ruleset
from jantaku_engine.view import SeatView
from jantaku_server.mjai_session import MjaiSession

PAIRS = [
    ("line", "line"),
    ("line", "auto"),
    ("act, passing with none", "act"),
    ("act, passing with none", "auto"),
    ("act, passing in silence", "act"),
    ("act, passing in silence", "auto"),
    ("act, passing now and then with none", "act"),
    ("act, passing now and then with none", "auto"),
    ("a none for the start, then only when it acts", "auto"),
    ("a none for every discard of others", "auto"),
    ("batch", "batch"),
]
"""What the program does, and what its owner says of it; `auto` says nothing."""

Delay = Callable[[bool], float]
"""Seconds that a program needs for a message, which it has to decide about or only to read."""

TALKS = {
    # what the program says when it is not asked, and whether it says that it passes
    "line": ("everything", True),
    "act, passing with none": ("nothing", True),
    "act, passing in silence": ("nothing", False),
    "act, passing now and then with none": ("nothing", None),
    "a none for every discard of others": ("discards", True),
    "a none for the start, then only when it acts": ("start", True),
    "batch": ("everything", True),
}


class Program:
    """An mjai program and its pipe: reads messages one by one, thinks, answers.

    `answers` holds every answer with the number of the event that it answers; `asked` the
    questions that the table took an answer to.
    """

    def __init__(
        self, world: World, talk: str, style: str, seed: int = 0, delay: Delay = lambda decides: 0.0
    ) -> None:
        self.world = world
        self.style = style
        self.unasked, self.says_pass = TALKS[talk]
        self.rng = Random(seed)
        self.delay = delay
        self.token = ""
        self.table = ""
        self.answers: list[tuple[str, int]] = []
        self.errors: list[dict[str, Any]] = []
        self.starts = self.taken = self.events = self.lines = 0
        self.view = SeatView(-1, Ruleset())
        self.seat = -1
        self._inbox: deque[str] = deque()
        self._thinks = self._decides = False
        self._sent = 0
        self.session: MjaiSession | None = None
        self.line = FakeLine()

    # ------------------------------------------------------------------ the connection

    def connect(self, resend_from: int = 0, **query: Any) -> Program:
        """Take a seat, or come back to it and send answers again."""
        if self.token:
            query |= {"token": self.token, "lines": self.lines, "events": self.events}
            query["answers"] = resend_from
        self._sent = resend_from
        line = self.line = FakeLine()
        line.on_frame = lambda frame: self._hear(line, frame)
        asked = {"style": self.style, "name": "program", **query}
        world = self.world
        self.session = MjaiSession(
            line, {k: str(v) for k, v in asked.items()}, world.lobby, world.clock, world.metrics
        )
        self.session.open()
        world.clock.settle()
        return self

    def drop(self) -> None:
        """The connection breaks; what the program says meanwhile does not arrive."""
        if self.session is not None:
            self.session.closed()
        self.session = None

    def _hear(self, line: FakeLine, frame: str | bytes) -> None:
        if line is not self.line:
            return
        message = json.loads(frame)
        if isinstance(message, dict) and message["type"] == "hello":
            self.token, self.table, self.seat = message["token"], message["table"], message["seat"]
            self.world.clock.call_soon(self._send)
        elif isinstance(message, dict) and message["type"] == "error":
            self.errors.append(message)
        else:
            self.lines += 1
            self.events += len(message) if isinstance(message, list) else 1
            self._inbox.append(str(frame))
            self._think()

    def _send(self) -> None:
        while self.session is not None and self._sent < len(self.answers):
            text, event = self.answers[self._sent]
            self._sent += 1
            self._deliver(text, event)

    def _deliver(self, text: str, event: int) -> None:
        """The table may take this answer for the question after `event` only."""
        table = self.world.lobby.tables.get(self.table)
        if table is None:
            return
        before = table.question_of(table.seats[self.seat])
        assert self.session is not None
        self.session.receive(text)
        after = table.question_of(table.seats[self.seat])
        if before is not None and after is None:
            assert before.id == event + 1, f"{text}: given to {event}, taken after {before.id - 1}"
            self.taken += 1

    # ------------------------------------------------------------------ the program

    def _think(self) -> None:
        if not self._thinks and self._inbox:
            self._thinks = True
            answer = self._read(json.loads(self._inbox.popleft()))
            clock = self.world.clock
            delay = self.delay(self._decides)
            clock.call_at(clock.now() + delay, lambda: self._say(answer))

    def _say(self, answer: tuple[str, int] | None) -> None:
        if answer is not None:
            self.answers.append(answer)
            self._send()
        self._thinks = False
        self._think()

    def _read(self, message: Any) -> tuple[str, int] | None:
        events = message if isinstance(message, list) else [message]
        for plain in events:
            event = event_from_mjai(plain)
            if isinstance(event, ev.StartGame):
                self.view = SeatView(plain["id"], Ruleset.from_dict(event.rules))
                self.at = -1
                self.starts += 1
            self.view.apply(event)
            self.at += 1
        menu = self.view.menu() if self._may_speak(event) else ()
        self._decides = bool(menu)
        if menu:
            action = self._choose(menu)
            says = self.says_pass if self.says_pass is not None else self.rng.random() < 0.5
            if action != PASS or says:
                return json.dumps(self._told(action)), self.at
            return None
        is_start = event.type == ev.START_GAME
        is_discard = event.type == ev.DAHAI and getattr(event, "actor", -1) != self.seat
        speaks = {"everything": True, "start": is_start, "discards": is_discard, "nothing": False}
        return ('{"type":"none"}', self.at) if speaks[self.unasked] else None

    def _may_speak(self, event: ev.Event) -> bool:
        actor = getattr(event, "actor", -1)
        own = actor == self.seat and event.type in (ev.TSUMO, ev.CHI, ev.PON, ev.REACH)
        others = actor != self.seat and event.type in (ev.DAHAI, ev.KAKAN, ev.ANKAN)
        return own or others

    def _choose(self, menu: tuple[Action, ...]) -> Action:
        # Mostly short hands: everything that ends one is liked.
        if act.WIN in menu:
            return act.WIN
        return self.rng.choice(menu)

    def _told(self, action: Action) -> dict[str, Any]:
        """An answer as loose as programs write them."""
        message = action.to_mjai(self.seat, self.view.table.turn)
        for name in ("actor", "target", "consumed", "tsumogiri"):
            needed = name == "consumed" and action.type in (act.CHI, act.PON, act.ANKAN)
            needed |= name == "tsumogiri" and not action.flag
            if not needed and self.rng.random() < 0.3:
                message.pop(name, None)
        return message


def when_deciding(rng: Random, *seconds: float) -> Delay:
    return lambda decides: rng.choice(seconds) if decides else 0.0


def for_every_message(rng: Random, *seconds: float) -> Delay:
    return lambda decides: rng.choice(seconds)


def to_start(rng: Random, seconds: float) -> Delay:
    first = itertools.chain([seconds], itertools.repeat(0.01))
    return lambda decides: next(first)
