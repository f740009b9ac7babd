"""The server as a whole: one port, one database, and everything between them."""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import logging
import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import filelock
import structlog
from websockets.asyncio.server import Server, ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from jantaku_engine.actions import Action
from jantaku_engine.rules import Ruleset

from . import wire
from .clock import LoopClock
from .house import Players
from .journal import Journal
from .lobby import Lobby
from .metrics import Metrics
from .mjai_session import MjaiSession
from .pages import Pages, respond
from .replay_desk import ReplayDesk
from .replay_files import DATABASE
from .session import Session
from .settings import Settings
from .table import LiveTable

log = structlog.get_logger("jantaku")

DEMO_PAUSE_S: Final = 5.0


class StartError(RuntimeError):
    """The server cannot start: the folder or the port is taken or out of reach."""


class WebsocketLine:
    """The outgoing side of a websocket: the transport's buffer is the queue, and it is bounded."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection
        self._closing: asyncio.Task[None] | None = None

    def send(self, frame: str | bytes) -> int:
        """See `session.Line.send`."""
        connection = self._connection
        broadcast((connection,), frame)
        return connection.transport.get_write_buffer_size()

    def close(self, code: int, reason: str) -> None:
        """See `session.Line.close`."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._connection.close(code, reason))

    def drop(self) -> None:
        """See `session.Line.drop`."""
        self._connection.transport.abort()


class App:
    """One running server."""

    def __init__(
        self,
        settings: Settings,
        rules: Ruleset,
        players: Players,
        version: str,
        web: Path | None = None,
    ) -> None:
        self.settings = settings
        self._web = web
        self.metrics = Metrics()
        self.stopping = asyncio.Event()
        self._rules = rules
        self._players = players
        self._version = version
        self._server: Server | None = None
        self._healthy = False
        self._failed = False
        self._connections = 0

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._server is not None
        port: int = next(iter(self._server.sockets)).getsockname()[1]
        return port

    async def start(self) -> None:
        """Open the folder, bring the tables back, and listen.

        Raises:
            StartError: the folder is another server's, or the port cannot be had.
        """
        data = self.settings.data
        try:
            data.mkdir(parents=True, exist_ok=True)
            self._lock = filelock.FileLock(data / "jantaku.lock")
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise StartError(f"{data}: another server uses this folder") from None
        except OSError as error:
            raise StartError(f"{data}: {error.strerror}") from None
        self.clock = LoopClock()
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="jantaku")
        self._journal = Journal(data / DATABASE, self.metrics)
        self._journal.on_failure = self._journal_failed
        self.lobby = Lobby(
            data,
            self._rules,
            self._players,
            self.clock,
            self._journal,
            self.metrics,
            self._think,
            self._work,
            self.settings.max_tables,
        )
        self._pages = Pages(
            data,
            self.lobby,
            self.metrics,
            self.settings.metrics_token,
            self._version,
            lambda: self._healthy,
            self._web,
        )
        self._desk = ReplayDesk(data, self._work)
        self.lobby.restore()
        try:
            self._server = await serve(
                self._talk,
                self.settings.host,
                self.settings.port,
                process_request=self._request,
                subprotocols=[Subprotocol(name) for name in wire.SUBPROTOCOLS],
                select_subprotocol=_subprotocol,
                compression=None,
                max_size=wire.MAX_FRAME,
                max_queue=16,
                ping_interval=20,
                ping_timeout=20,
                server_header=None,
            )
        except OSError as error:
            await self._close_data()
            raise StartError(
                f"{self.settings.host}:{self.settings.port}: {error.strerror or error}"
            ) from None
        self._healthy = True
        log.info("server started", host=self.settings.host, port=self.port)
        if self.settings.demo:
            self._demo()

    async def stop(self) -> None:
        """Let everybody go and keep every table."""
        self._healthy = False
        self.lobby.close()
        if self._server is not None:
            self._server.close(close_connections=True, code=1001, reason="going_down")
            await self._server.wait_closed()
        await self._close_data()
        log.info("server stopped")

    async def _close_data(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._journal.close)
        self._lock.release()

    def _journal_failed(self, error: BaseException) -> None:
        # What cannot be kept must not be told: stop rather than go on without a journal.
        log.error("journal failed", why=str(error))
        self._healthy = False
        self._failed = True
        self.stopping.set()

    @property
    def failed(self) -> bool:
        """Whether the server stopped because its journal failed."""
        return self._failed

    # ------------------------------------------------------------------ work off the loop

    def _think(self, compute: Callable[[], Action], done: Callable[[Action], None]) -> None:
        self._work(compute, done)

    def _work(self, compute: Callable[[], Any], done: Callable[[Any], None]) -> None:
        loop = asyncio.get_running_loop()
        try:
            future = loop.run_in_executor(self._threads, compute)
        except RuntimeError:  # the threads are gone: the server stops
            return
        future.add_done_callback(functools.partial(self._worked, done))

    @staticmethod
    def _worked(done: Callable[[Any], None], future: asyncio.Future[Any]) -> None:
        if future.cancelled():
            return
        error = future.exception()
        if error is not None:
            log.error("work failed", why=repr(error)[:300])
        else:
            done(future.result())

    # ------------------------------------------------------------------ connections

    async def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a plain GET; let a websocket of this server or a program pass."""
        path = request.path.partition("?")[0]
        if request.headers.get("Upgrade", "").lower() != "websocket":
            return await self._pages.get(request, _is_local(connection))
        if path not in ("/ws", "/mjai"):
            return respond(HTTPStatus.NOT_FOUND, b"websockets are at /ws and /mjai\n", "text/plain")
        origin = request.headers.get("Origin")
        own = origin is None or urlsplit(origin).netloc == request.headers.get("Host")
        if not own and origin not in self.settings.origins:
            self.metrics.rejected.labels("origin").inc()
            return respond(HTTPStatus.FORBIDDEN, b"foreign origin\n", "text/plain")
        if self._connections >= self.settings.max_connections:
            return respond(HTTPStatus.SERVICE_UNAVAILABLE, b"full\n", "text/plain")
        return None

    async def _talk(self, connection: ServerConnection) -> None:
        request = connection.request
        assert request is not None
        path, _, query = request.path.partition("?")
        line = WebsocketLine(connection)
        session: Session | MjaiSession
        if path == "/mjai":
            session = MjaiSession(
                line, dict(parse_qsl(query)), self.lobby, self.clock, self.metrics
            )
            session.open()
        else:
            fmt = wire.SUBPROTOCOLS.get(connection.subprotocol or "", "json")
            session = Session(
                line, fmt, self.lobby, self.clock, self.metrics, self._version, self._desk
            )
        self._connections += 1
        self.metrics.connections.set(self._connections)
        try:
            async for frame in connection:
                session.receive(frame)
        except ConnectionClosed:
            pass
        finally:
            self._connections -= 1
            self.metrics.connections.set(self._connections)
            session.closed()

    # ------------------------------------------------------------------ the demonstration

    def _demo(self) -> None:
        bot = f"bot:{self.lobby.default_bot}"
        message = {
            "seats": [bot] * 4,
            "pace_ms": 900,
            "pause_ms": 6_000,
            "call_window_ms": 300,
            "spectator_delay": 0,
        }
        if not any(table.is_demo for table in self.lobby.tables.values()):
            self.lobby.create(message, self._demo_made)
        self.clock.call_at(self.clock.now() + DEMO_PAUSE_S, self._demo)

    @staticmethod
    def _demo_made(table: LiveTable, code: str, owner: str) -> None:
        log.info("demonstration table", table=table.id)


def _is_local(connection: ServerConnection) -> bool:
    try:
        return ipaddress.ip_address(connection.remote_address[0]).is_loopback
    except (ValueError, TypeError, IndexError):
        return False


def _subprotocol(connection: ServerConnection, offered: Any) -> Subprotocol | None:
    return next((name for name in offered if name in wire.SUBPROTOCOLS), None)


def set_up_logs(level: str, fmt: str) -> None:
    """Structured lines on stderr: for people on a terminal, JSON elsewhere or on request."""
    as_json = fmt == "json" or (fmt == "auto" and not sys.stderr.isatty())
    number = {"debug": 10, "info": 20, "warning": 30, "error": 40}[level]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer()
            if as_json
            else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    # The library's own lines carry addresses with tokens; operators need none of them.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


async def run(
    settings: Settings,
    rules: Ruleset,
    players: Players,
    version: str,
    on_ready: Callable[[App], None],
    web: Path | None = None,
) -> bool:
    """Run a server until it is told to stop (SIGINT, SIGTERM); False when its journal failed.

    Raises:
        StartError: see `App.start`.
    """
    app = App(settings, rules, players, version, web)
    await app.start()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, app.stopping.set)
    on_ready(app)
    await app.stopping.wait()
    await app.stop()
    return not app.failed
