"""A real browser and a real server for the tests of the web client, and a player with a mouse.

The browser is Debian's Chromium, driven by Playwright. Where either is missing the tests skip
with one line that says how to enable them; with `CI=true` they fail instead.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from jantaku_clients.bots import BOTS
from jantaku_engine import actions as act
from jantaku_engine.actions import Action, from_mjai
from jantaku_engine.mjai import event_from_mjai
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import MJAI
from jantaku_engine.view import SeatView

Page = Any
Browser = Any

HOW: Final = (
    "web tests need a browser: apt-get install chromium && "
    ".venv/bin/python -m pip install playwright"
)
LAYOUT: Final = (Path(__file__).parent / "layout.js").read_text(encoding="utf-8")
"""A JavaScript function that looks at the table and says what is wrong with its layout."""

STAGE: Final = (Path(__file__).parent / "stage.js").read_text(encoding="utf-8")
"""A JavaScript function that puts a table without a server on the page: `stage`."""

FAST: Final = {"pace_ms": 0, "call_window_ms": 0, "pause_ms": 300}
"""Bots that answer at once, and short pauses between hands."""


def chromium() -> str:
    """Path of the browser; skips the test, or fails it in CI, where there is none."""
    named = os.environ.get("JANTAKU_CHROMIUM") or shutil.which("chromium") or ""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        named = ""
    if not named:
        if os.environ.get("CI") == "true":
            pytest.fail(HOW, pytrace=False)
        pytest.skip(HOW, allow_module_level=True)
    return named


@contextlib.contextmanager
def running_server(data: Path, *flags: str) -> Iterator[str]:
    """A server of its own process on a free port; gives its address."""
    command = [sys.executable, "-m", "jantaku_clients.cli", "serve", "--port", "0"]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("JANTAKU_")
    }
    process = subprocess.Popen(
        [*command, "--data", str(data), "--log-level", "error", *flags],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "http://" in line, f"the server did not start: {line!r}"
        yield "http://" + line.split("http://")[1].strip()
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout is not None:
            process.stdout.close()


@contextlib.contextmanager
def running_browser() -> Iterator[Browser]:
    """Chromium without a window."""
    path = chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class _Lag:
    """A line between two addresses on which every byte arrives `seconds` later."""

    def __init__(self, host: str, port: int, seconds: float) -> None:
        self._target = (host, port)
        self._seconds = seconds
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._start(self._accept)

    def _start(self, work: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._target)
                self._sockets += (near, far)
                for source, sink in ((near, far), (far, near)):
                    waiting: queue.Queue[tuple[float, bytes]] = queue.Queue()
                    self._start(self._read, source, waiting)
                    self._start(self._write, sink, waiting)

    def _read(self, source: socket.socket, waiting: queue.Queue[tuple[float, bytes]]) -> None:
        data = b"first"
        while data:
            try:
                data = source.recv(65536)
            except OSError:
                data = b""
            waiting.put((time.monotonic() + self._seconds, data))

    def _write(self, sink: socket.socket, waiting: queue.Queue[tuple[float, bytes]]) -> None:
        with contextlib.suppress(OSError):
            while True:
                when, data = waiting.get()
                time.sleep(max(0.0, when - time.monotonic()))
                if not data:
                    sink.shutdown(socket.SHUT_WR)
                    return
                sink.sendall(data)

    def close(self) -> None:
        """Cut everything."""
        for one in (self._listener, *self._sockets):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        for one in (self._listener, *self._sockets):
            one.close()


@contextlib.contextmanager
def lagging(url: str, seconds: float) -> Iterator[str]:
    """Another address of the same server, from which every byte comes so much later."""
    host, port = url.removeprefix("http://").split(":")
    lag = _Lag(host, int(port), seconds)
    try:
        yield f"http://127.0.0.1:{lag.port}"
    finally:
        lag.close()


class Watched:
    """A page of its own context whose console and websocket bytes are kept."""

    def __init__(
        self,
        browser: Browser,
        width: int = 1280,
        height: int = 800,
        language: str = "en",
        **more: Any,
    ) -> None:
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, locale=language, **more
        )
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.frames: list[dict[str, Any]] = []
        self.sent: list[dict[str, Any]] = []
        self.bytes = 0
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("websocket", self._websocket)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _websocket(self, socket: Any) -> None:
        socket.on("framereceived", lambda frame: self._received(frame))
        socket.on("framesent", lambda frame: self.sent.append(json.loads(frame)))

    def _received(self, frame: str) -> None:
        self.bytes += len(frame)
        self.frames.append(json.loads(frame))

    def events(self) -> list[dict[str, Any]]:
        """The mjai events that the page was told, once each, in order."""
        found = {f["seq"]: f["event"] for f in self.frames if f["type"] == "event"}
        return [found[seq] for seq in sorted(found)]

    def seat(self) -> int:
        """The seat that the page was given."""
        seat: int = next(f["seat"] for f in reversed(self.frames) if f["type"] == "joined")
        return seat

    def wait(self, milliseconds: int = 15) -> None:
        """Let the browser run."""
        self.page.wait_for_timeout(milliseconds)

    def settle(self) -> None:
        """Let the page draw what it knows."""
        self.page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def resize(self, width: int, height: int) -> None:
        """Give the page another size, and wait until it has it."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.settle()

    def until(self, condition: str, seconds: float = 10) -> None:
        """Wait for a JavaScript condition; the page's policy lets nothing in it evaluate texts."""
        deadline = time.monotonic() + seconds
        while not self.page.evaluate(condition):
            assert time.monotonic() < deadline, f"not within {seconds} s: {condition}"
            self.wait()

    def wait_for_frame(self, kind: str, seconds: float = 20, start: int = 0) -> dict[str, Any]:
        """The first message of a type since `start`, waiting for it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for frame in self.frames[start:]:
                if frame["type"] == kind:
                    return frame
            self.wait()
        raise AssertionError(f"no {kind} within {seconds} s; last: {self.frames[-3:]}")

    def open_lobby(self, url: str) -> None:
        """Open the lobby and wait until it can be used; what came before is forgotten."""
        self.frames.clear()
        self.sent.clear()
        self.page.goto(url)
        self.page.wait_for_selector(".create form")

    def create(self, **settings: Any) -> None:
        """Make a table as the lobby's form does, with the tests' own pace."""
        message = {
            "rules": {"preset": "standard", "length": "tonpuu"},
            "seats": ["open", "bot:greedy", "bot:greedy", "bot:greedy"],
            "clock": "people",
            **FAST,
            **settings,
        }
        self.page.evaluate("message => jantaku.app.screen.create(message)", message)
        self.page.wait_for_selector("main.table")

    def close(self) -> None:
        """The page is done: it must not have complained."""
        self.context.close()
        assert not self.complaints, self.complaints


class Player:
    """Plays a seat by clicking, with a house bot's mind and only what the page was told."""

    def __init__(self, watched: Watched, seed: int = 0, bot: str = "greedy") -> None:
        self.watched = watched
        self.page = watched.page
        self.mind = BOTS[bot](random.Random(seed))
        self.view: SeatView | None = None
        self.seat = -1
        self.clicks = 0
        self.over = False
        self.answered: set[int] = set()
        self._read = 0
        self._seq = -1
        self._request: dict[str, Any] | None = None
        self._pending_discard = False
        self.called: set[str] = set()

    def read(self) -> None:
        """Take in what has come over the websocket."""
        while self._read < len(self.watched.frames):
            frame = self.watched.frames[self._read]
            self._read += 1
            kind = frame["type"]
            if kind in ("joined", "resumed"):
                self.seat = frame["seat"]
            elif kind == "event" and frame["seq"] > self._seq:
                self._seq = frame["seq"]
                event = event_from_mjai(frame["event"])
                if frame["event"]["type"] == "start_game":
                    rules = Ruleset.from_dict(frame["event"]["rules"])
                    self.view = SeatView(self.seat, rules)
                assert self.view is not None
                self.view.apply(event)
                self.mind.see(event)
                self.over = self.over or frame["event"]["type"] == "end_game"
            elif kind == "request":
                self._request = frame

    def choose(self) -> tuple[dict[str, Any], Action] | None:
        """The open question and the answer to it, if this player has to give one."""
        self.read()
        request = self._request
        if request is None or request["id"] in self.answered:
            return None
        assert self.view is not None
        menu = tuple(from_mjai(item) for item in request["menu"])
        self.answered.add(request["id"])
        forced = len(menu) == 1 and menu[0].type == act.DAHAI and menu[0].flag
        if self._pending_discard or (forced and self.view.table.riichi[self.seat]):
            # The page answers by itself: the tile was chosen with the riichi, or is the only one.
            self._pending_discard = False
            return None
        return request, self.mind.choose(self.view, menu)

    def click(self, request: dict[str, Any], action: Action) -> None:
        """Do it with the mouse."""
        self.called.add(act.ACTION_NAMES[action.type])
        if action.type == act.DAHAI:
            self._click_tile(action.tile, action.flag)
        elif action.type == act.REACH:
            self.page.click(".actions .act.reach")
            self.page.wait_for_selector(".actions .ask")
            self.page.click(".tiles .may >> nth=0")
            self._pending_discard = True
        else:
            index = [from_mjai(item) for item in request["menu"]].index(action)
            self.page.click(f'.actions button[data-index="{index}"]')
        self.clicks += 1

    def _click_tile(self, tile: int, drawn: bool) -> None:
        place = '[data-key="drawn"]' if drawn else ':not([data-key="drawn"])'
        self.page.click(f'.tiles button.t.may[data-t="{MJAI[tile]}"]{place} >> nth=0')

    def wait_for_question(self, seconds: float = 20) -> dict[str, Any]:
        """The question that this seat has not answered yet, waiting for it and its buttons."""
        deadline = time.monotonic() + seconds
        while True:
            self.read()
            request = self._request
            if request is not None and request["id"] not in self.answered:
                break
            assert time.monotonic() < deadline, "nobody asks"
            self.watched.wait()
        self.page.wait_for_selector(".table.asked")
        return request

    def step(self) -> bool:
        """Answer if asked; whether something was clicked."""
        chosen = self.choose()
        if chosen is None:
            return False
        self.click(*chosen)
        return True


def play_until(players: list[Player], done: Any, seconds: float = 120) -> None:
    """Let the players answer in turn until `done()`."""
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "the game did not get there in time"
        clicked = [player.step() for player in players]
        if not any(clicked):
            players[0].watched.wait()
