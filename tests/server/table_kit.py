"""Tables with walls that a test wishes for, and what was heard at which moment.

`rig` deals the walls of a test; `QUIET` is a hand in which nobody can claim anything as long as
everybody discards what it drew; `stamp` notes the moment of each frame that a peer hears.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from server_kit import Peer, World, unpack

from jantaku_engine.wall import Wall
from jantaku_server import game
from jantaku_server.table import LiveTable
from jantaku_server.wire import Message

sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))

from kit import wall, wish

__all__ = ["wish"]

CLOCK = {"move": 8_000, "bank": 3_000, "first": 20_000, "grace": 5_000}
"""The clock of most tests: milliseconds."""

HANDS = ("1369m1369p13579s", "2479m2479p24689s", "1358m1358p13579s", "2467m2467p24688s")
"""Hands without honours, far from everything."""

HONOURS = "1z2z3z4z5z6z7z" * 4


def quiet(**wishes: Any) -> Wall:
    """A wall in which everybody draws honours that nobody can claim; wishes change it."""
    return wall(**{"hands": HANDS, "draws": HONOURS, **wishes})


def rig(monkeypatch: pytest.MonkeyPatch, *walls: Wall) -> None:
    """Deal these walls to every match of the test, the last one again and again."""
    dealer = SimpleNamespace(from_seed=lambda seed, number: walls[min(number, len(walls) - 1)])
    monkeypatch.setattr(game, "Wall", dealer)


def four(world: World, **create: Any) -> tuple[LiveTable, list[Peer]]:
    """A table with the clock of this kit and four peers that answer nothing by themselves."""
    return world.seated(4, **{"clock": CLOCK, **create})


def request(peer: Peer) -> Message:
    """The newest request of a peer."""
    return peer.last("request")


def answer(peer: Peer, wanted: str = "") -> Message | None:
    """Answer the newest request: the drawn tile or a pass, or the first action of a type."""
    asked = request(peer)
    for index, action in enumerate(asked["menu"]):
        same = action["type"] == wanted if wanted else action.get("tsumogiri")
        if same or (not wanted and action["type"] == "none"):
            return peer.say("answer", id=asked["id"], index=index)
    raise AssertionError(f"no {wanted or 'dull answer'} in {asked['menu']}")


def events(peer: Peer, *kinds: str) -> list[Message]:
    """The events of a peer, all or of these types."""
    told = [message["event"] for message in peer.all("event")]
    return [event for event in told if not kinds or event["type"] in kinds]


def is_asked(peer: Peer, table: LiveTable) -> bool:
    """Whether the seat of the peer has an open question."""
    return table.question_of(table.seats[peer.seat]) is not None


class Stamps:
    """The moments, in milliseconds from the beginning of the stamps, of what a peer hears."""

    def __init__(self, peer: Peer) -> None:
        self._clock = peer.world.clock
        self._begin = self._clock.now()
        self.heard: list[tuple[int, str | bytes]] = []
        inner: Callable[[str | bytes], None] = peer.line.on_frame

        def hear(frame: str | bytes) -> None:
            self.heard.append((round((self._clock.now() - self._begin) * 1000), frame))
            inner(frame)

        peer.line.on_frame = hear

    def events(self) -> list[tuple[int, str]]:
        """Moment and type of each event."""
        told = [(moment, unpack(frame)) for moment, frame in self.heard]
        return [(t, message["event"]["type"]) for t, message in told if message["type"] == "event"]

    def first(self, *kinds: str) -> int:
        """The moment of the first event of these types."""
        return next(moment for moment, kind in self.events() if kind in kinds)


stamp = Stamps
