"""What a turn of the loop has to say is written together; who only has to know waits for more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from app_kit import wait_for
from websockets.protocol import State

from jantaku_server.lines import BUSY_LATER_S, LATER_S, Outbox, WebsocketLine
from jantaku_server.tally import Times


class Transport:
    """Keeps what is written; `unread` is what its buffer holds."""

    def __init__(self) -> None:
        self.writes: list[bytes] = []
        self.unread = 0
        self.is_cut = False

    def abort(self) -> None:
        self.is_cut = True

    def write(self, data: bytes) -> None:
        self.writes.append(data)

    def get_write_buffer_size(self) -> int:
        return self.unread


class Desk:
    """An outbox with four lines."""

    def __init__(self) -> None:
        self.times = Times("answers", "", (1.0,))
        self.outbox = Outbox(self.times)
        self.transports = [Transport() for _ in range(4)]
        self.protocol = SimpleNamespace(state=State.OPEN)
        self.lines = [WebsocketLine(self.connection(one), self.outbox) for one in self.transports]

    def connection(self, transport: Transport) -> Any:
        return SimpleNamespace(transport=transport, protocol=self.protocol)

    def steps(self, number: int) -> None:
        """Let steps of the waiting pass, without their time."""
        for _ in range(number):
            self.outbox._take_step()

    @property
    def counted(self) -> int:
        return list(self.times.up_to())[-1][1]

    @property
    def written(self) -> list[int]:
        return [len(transport.writes) for transport in self.transports]


class StandingLoop:
    """A loop whose time stands still; `calls` are what it shall call, and when."""

    def __init__(self) -> None:
        self.now = 0.0
        self.calls: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[[], None]) -> SimpleNamespace:
        self.calls.append((when, call))
        return SimpleNamespace(when=lambda: when)


@pytest.fixture
async def desk() -> Desk:
    return Desk()


async def test_a_turn_s_messages_are_one_write_at_its_end(desk: Desk) -> None:
    for text in ("a", "b", "c"):
        desk.lines[0].send(text)
    assert desk.written == [0, 0, 0, 0]
    await asyncio.sleep(0)
    assert desk.transports[0].writes == [b"\x81\x01a\x81\x01b\x81\x01c"]


async def test_who_is_asked_hears_all_at_once_and_the_others_soon(desk: Desk) -> None:
    for line in desk.lines:
        line.send(b"event", later=True)
    desk.lines[2].send(b"request")
    desk.outbox.told(0.0)
    await asyncio.sleep(0)
    assert desk.written == [0, 0, 1, 0]
    assert desk.transports[2].writes == [b"\x82\x05event\x82\x07request"]
    assert desk.counted == 0, "an answer is told when the last has heard of it"
    await wait_for(lambda: desk.written == [1, 1, 1, 1])
    assert desk.counted == 1


async def test_what_comes_while_one_waits_is_written_with_it(desk: Desk) -> None:
    desk.lines[0].send("1", later=True)
    await asyncio.sleep(0)
    desk.lines[0].send("2", later=True)
    assert desk.written[0] == 0
    await wait_for(lambda: desk.written[0] > 0)
    assert desk.transports[0].writes == [b"\x81\x011\x81\x012"]


async def test_who_was_asked_meanwhile_waits_anew(desk: Desk) -> None:
    line, transport = desk.lines[0], desk.transports[0]
    line.send("1", later=True)
    desk.steps(2)
    line.send("asked")
    line.send("2", later=True)
    desk.steps(1)
    assert transport.writes == [b"\x81\x011\x81\x05asked\x81\x012"]
    line.send("3", later=True)
    desk.steps(3)
    assert len(transport.writes) == 1, "the wait of the first event would be over"
    desk.steps(1)
    assert transport.writes[1:] == [b"\x81\x013"]


async def test_after_a_long_turn_nobody_waits_longer_than_that_turn(desk: Desk) -> None:
    loop = StandingLoop()
    desk.outbox._loop = loop  # type: ignore[assignment]
    desk.lines[0].send("event", later=True)
    desk.outbox.told(0.0)
    (when, step) = loop.calls.pop()
    loop.now = when + 1.0
    step()
    assert desk.written[0] == 1
    assert desk.counted == 1
    assert loop.calls == [], "all is told: the steps rest"


async def test_the_steps_rest_when_nobody_waits(desk: Desk) -> None:
    desk.lines[0].send("event", later=True)
    desk.outbox.told(0.0)
    await wait_for(lambda: desk.counted == 1 and desk.written[0] == 1)
    step = desk.outbox.step
    for _ in range(10):
        await asyncio.sleep(0)
    assert desk.outbox.step == step
    desk.lines[0].send("event", later=True)
    await wait_for(lambda: desk.written[0] == 2)


@pytest.mark.parametrize(
    ("passed", "computed", "wait"),
    [
        pytest.param(0.005, 0.005, LATER_S, id="a burst of some milliseconds"),
        pytest.param(1.2, 0.5, LATER_S, id="work with pauses"),
        pytest.param(1.2, 1.1, BUSY_LATER_S, id="hardly a pause"),
    ],
)
async def test_the_wait_is_longer_only_when_the_server_stays_busy(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, passed: float, computed: float, wait: float
) -> None:
    clock, cpu = time.monotonic, time.thread_time
    monkeypatch.setattr(time, "monotonic", lambda: clock() + passed)
    monkeypatch.setattr(time, "thread_time", lambda: cpu() + computed)
    desk.steps(1)
    assert desk.outbox._wait == wait


async def test_an_answer_that_only_the_asked_hear_of_is_counted_at_the_end_of_the_turn(
    desk: Desk,
) -> None:
    desk.lines[0].send("request")
    desk.outbox.told(0.0)
    assert desk.counted == 0
    await asyncio.sleep(0)
    assert desk.counted == 1


async def test_an_answer_that_nobody_hears_of_is_counted_at_once(desk: Desk) -> None:
    desk.outbox.told(0.0)
    assert desk.counted == 1


async def test_what_waits_is_counted_with_what_the_transport_holds(desk: Desk) -> None:
    line, transport = desk.lines[0], desk.transports[0]
    assert line.send("abc") == 5
    transport.unread = 5
    await asyncio.sleep(0)
    assert line.send("abc", later=True) == 10
    transport.unread = 0
    assert line.send("abc", later=True) == 10
    assert line.waiting() == 10


async def test_nothing_is_written_to_a_connection_that_closes(desk: Desk) -> None:
    desk.lines[0].send("abc")
    desk.protocol.state = State.CLOSING
    await asyncio.sleep(0)
    assert desk.written[0] == 0


async def test_a_line_that_fails_is_cut_and_the_others_hear(desk: Desk) -> None:
    faults: list[object] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda loop, context: faults.append(context["exception"]))
    desk.transports[0].write = None  # type: ignore[assignment, method-assign]
    desk.lines[0].send("a")
    desk.lines[2].send("c")
    await asyncio.sleep(0)
    assert desk.written == [0, 0, 1, 0]
    assert desk.transports[0].is_cut
    assert len(faults) == 1
