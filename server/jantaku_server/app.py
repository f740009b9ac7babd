"""The server as a whole: one port, one database, and everything between them."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import ipaddress
import secrets
import signal
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import filelock
import structlog
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import MultipleValuesError
from websockets.exceptions import ConnectionClosed, NegotiationError
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from jantaku_engine.rules import Ruleset

from . import wire
from .clock import LoopClock
from .house import Players
from .journal import Journal, JournalError
from .lines import CLOSE_S, Outbox, WebsocketLine
from .lobby import Lobby
from .logs import fault
from .metrics import Metrics
from .mjai_session import MOST_PARAMETERS, MjaiSession
from .pages import Pages, respond
from .replay_desk import ReplayDesk
from .replay_files import DATABASE
from .session import Session
from .settings import Settings
from .sockets import (
    LIBRARY_CLOSES,
    SEND_BUFFER,
    SPARE_SOCKETS,
    Connection,
    allow_files,
    bounded,
)
from .sweeper import Sweeper
from .table import FINISHED, PLAYING, WAITING, LiveTable
from .wire import WireError

log = structlog.get_logger("jantaku")

DEMO_PAUSE_S: Final = 5.0

HANDSHAKE_S: Final = 5.0
"""Seconds that a client has for its request."""

_OWN: Final = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}
"""An address of this machine for those that mean all of its addresses."""

_FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Real-IP")


class StartError(RuntimeError):
    """The server cannot start: the folder or the port is taken or out of reach."""


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
        self._lines: set[WebsocketLine] = set()
        self.sweeper = Sweeper(lambda: len(self._lines))

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._server is not None
        # With several addresses and no port named each has its own: tell the most common one's.
        sockets = sorted(self._server.sockets, key=lambda one: one.family != socket.AF_INET)
        port: int = sockets[0].getsockname()[1]
        return port

    @property
    def address(self) -> str:
        """The address to open in a browser or to give to a client on this machine."""
        return self._at(_OWN.get(self.settings.host, self.settings.host))

    @property
    def network_address(self) -> str:
        """The address to give to other machines; empty when it listens on this one only."""
        assert self._server is not None
        if self.settings.host in _OWN:
            return self._at(_network_host(self.settings.host))
        bound = {ipaddress.ip_address(one.getsockname()[0]) for one in self._server.sockets}
        return "" if all(one.is_loopback for one in bound) else self.address

    def _at(self, host: str) -> str:
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    async def start(self) -> None:
        """Open the folder and the port, bring the tables back, and listen.

        Raises:
            StartError: the folder is another server's, or the port cannot be had.
            JournalError: the database cannot be used.
        """
        asyncio.get_running_loop().set_exception_handler(self._unexpected)
        self._lock_folder()
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="jantaku")
        try:
            self._open()
        except JournalError:
            self._threads.shutdown()
            self._lock.release()
            raise
        try:
            await self._bind()
            self.lobby.restore()
            assert self._server is not None
            await self._server.start_serving()
        except (OSError, UnicodeError) as error:
            self.lobby.close()
            await self._close_data()
            raise StartError(self._no_port(error)) from None
        self._healthy = True
        log.info("server started", host=self.settings.host, port=self.port)
        if self.settings.demo:
            self._demo()

    def _lock_folder(self) -> None:
        data = self.settings.data
        try:
            data.mkdir(parents=True, exist_ok=True)
            self._lock = filelock.FileLock(data / "jantaku.lock")
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise StartError(
                f"{data}: another server uses this folder; name another with --data"
            ) from None
        except OSError as error:
            raise StartError(
                f"{data}: cannot be the data folder ({error.strerror}); name another with --data"
            ) from None

    def _open(self) -> None:
        settings = self.settings
        data = settings.data
        self.clock = LoopClock()
        self._outbox = Outbox(self.metrics.answer_seconds)
        self._journal = Journal(data / DATABASE, self.metrics)
        self._journal.on_failure = self._journal_failed
        self.lobby = Lobby(
            data,
            self._rules,
            self._players,
            self.clock,
            self._journal,
            self.metrics,
            self._work,
            self._work,
            settings.max_tables,
            self._outbox.told,
        )
        self._pages = Pages(
            data,
            self.lobby,
            self.metrics,
            settings.metrics_token,
            self._version,
            lambda: self._healthy,
            self._web,
        )
        self._desk = ReplayDesk(data, self._work, time.monotonic)
        for state in (WAITING, PLAYING, FINISHED):
            self.metrics.tables.labels(state).set_function(functools.partial(self._count, state))
        self.metrics.send_queue.set_function(
            lambda: max((line.waiting() for line in self._lines), default=0)
        )

    def _count(self, state: str) -> int:
        return sum(table.state == state for table in self.lobby.tables.values())

    async def _bind(self) -> None:
        """Take the port; nobody comes in before the tables are back."""
        most = self.settings.max_connections + SPARE_SOCKETS
        files = allow_files(most + SPARE_SOCKETS)
        if files < most:
            log.info("few open files allowed", allowed=files, connections=most)
        self._server = await serve(
            self._talk,
            self.settings.host or None,
            self.settings.port,
            start_serving=False,
            create_connection=bounded(most, self.sweeper.gone),
            process_request=self._request,
            subprotocols=[Subprotocol(name) for name in wire.SUBPROTOCOLS],
            select_subprotocol=_subprotocol,
            compression=None,
            max_size=wire.MAX_FRAME,
            max_queue=16,
            open_timeout=HANDSHAKE_S,
            ping_interval=20,
            ping_timeout=20,
            close_timeout=CLOSE_S,
            server_header=None,
        )
        for listening in self._server.sockets:
            # Accepted connections inherit it: what a client does not read stays small.
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)

    def _no_port(self, error: OSError | UnicodeError) -> str:
        where = f"{self.settings.host}:{self.settings.port}"
        why = (isinstance(error, OSError) and error.strerror) or str(error)
        return f"{where}: cannot listen there ({why}); choose another with --host or --port"

    async def stop(self) -> None:
        """Let everybody go and keep every table."""
        self._healthy = False
        self.lobby.close()
        for line in self._lines:
            line.close(1001, "going_down")
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

    # ------------------------------------------------------------------ faults, work off the loop

    def _fault(self, event: str, error: BaseException, **fields: Any) -> None:
        self.metrics.faults.inc()
        fault(event, error, **fields)

    def _unexpected(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Whatever a timer, a callback or a task lets fall: it fails alone."""
        error = context.get("exception") or RuntimeError(context.get("message", ""))
        self._fault("callback failed", error)

    def _work(self, compute: Callable[[], Any], done: Callable[[Any], None]) -> None:
        loop = asyncio.get_running_loop()
        try:
            future = loop.run_in_executor(self._threads, compute)
        except RuntimeError:  # the threads are gone: the server stops
            return
        future.add_done_callback(functools.partial(self._worked, done))

    def _worked(self, done: Callable[[Any], None], future: asyncio.Future[Any]) -> None:
        if future.cancelled():
            return
        error = future.exception()
        if error is not None:
            self._fault("work failed", error)
        else:
            done(future.result())

    # ------------------------------------------------------------------ connections

    async def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a plain request; let a websocket of this server or a program pass."""
        try:
            if "websocket" in request.headers.get("Upgrade", "").lower():
                return self._websocket(request)
            if request.method not in ("GET", "HEAD"):
                text = b"only GET and HEAD\n"
                return respond(HTTPStatus.METHOD_NOT_ALLOWED, text, "text/plain", Allow="GET, HEAD")
            response = await self._pages.get(request, _is_local(connection, request))
        except MultipleValuesError as error:
            text = f"header {error} is given twice\n".encode()
            return respond(HTTPStatus.BAD_REQUEST, text, "text/plain")
        except Exception as error:  # the one place for faults of a page
            self._fault("request failed", error)
            return respond(HTTPStatus.INTERNAL_SERVER_ERROR, b"the server failed\n", "text/plain")
        if request.method == "HEAD":
            response.body = b""
        return response

    def _websocket(self, request: Request) -> Response | None:
        if request.path.partition("?")[0] not in ("/ws", "/mjai"):
            return respond(HTTPStatus.NOT_FOUND, b"websockets are at /ws and /mjai\n", "text/plain")
        origin = request.headers.get("Origin")
        own = _is_own(origin, request.headers.get("Host", ""))
        if not own and origin not in self.settings.origins:
            self.metrics.rejected.labels("origin").inc()
            return respond(HTTPStatus.FORBIDDEN, b"foreign origin\n", "text/plain")
        if len(self._lines) >= self.settings.max_connections:
            self.metrics.rejected.labels("full").inc()
            return respond(HTTPStatus.SERVICE_UNAVAILABLE, b"full\n", "text/plain")
        return None

    async def _talk(self, connection: ServerConnection) -> None:
        """One websocket from its handshake to its end; no exception leaves here."""
        assert connection.request is not None
        path, _, query = connection.request.path.partition("?")
        name = secrets.token_hex(4)
        line = WebsocketLine(connection, self._outbox)
        self._lines.add(line)
        self.metrics.connections.set(len(self._lines))
        log.debug("connection opened", connection=name, path=path)
        session: Session | MjaiSession | None = None
        try:
            if path == "/mjai":
                crowded = query.count("&") >= MOST_PARAMETERS
                address = {} if crowded else dict(parse_qsl(query))
                session = MjaiSession(line, address, self.lobby, self.clock, self.metrics, name)
                if crowded:
                    why = f"an address has at most {MOST_PARAMETERS} parameters"
                    session.refuse(WireError("invalid", why))
                else:
                    session.open()
            else:
                session = Session(
                    line,
                    wire.SUBPROTOCOLS.get(connection.subprotocol or "", "json"),
                    self.lobby,
                    self.clock,
                    self.metrics,
                    self._version,
                    self._desk,
                    name,
                )
            await self._listen(connection, session, name)
        except Exception as error:
            self._fault("connection failed", error, connection=name)
        finally:
            self._lines.discard(line)
            self.metrics.connections.set(len(self._lines))
            if session is not None:
                session.closed()
            log.debug("connection closed", connection=name, code=int(connection.close_code or 0))

    async def _listen(
        self, connection: ServerConnection, session: Session | MjaiSession, name: str
    ) -> None:
        def take(frame: str | bytes) -> None:
            try:
                session.receive(frame)
            except Exception as error:
                self._fault("message failed", error, connection=name)

        assert isinstance(connection, Connection)
        connection.hand_to(take)
        try:
            async for frame in connection:
                take(frame)
        except ConnectionClosed as closed:
            sent = closed.sent
            reason = LIBRARY_CLOSES.get(sent.code) if sent and not closed.rcvd_then_sent else None
            if connection.is_flooding:
                reason = "flooding"
            if reason is not None:
                self.metrics.dropped.labels(reason).inc()
                if reason != "unreachable":
                    self.metrics.rejected.labels(reason).inc()
                log.info("connection dropped", connection=name, reason=reason)

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
            with contextlib.suppress(WireError):  # a full server: tables with people go first
                self.lobby.create(message, self._demo_made)
        self.clock.call_at(self.clock.now() + DEMO_PAUSE_S, self._demo)

    @staticmethod
    def _demo_made(table: LiveTable, code: str, owner: str) -> None:
        log.info("demonstration table", table=table.id)


def _network_host(host: str) -> str:
    """What other machines may call this one, which listens on all addresses by `host`."""
    v6 = host == "::"
    family, far = socket.AF_INET6 if v6 else socket.AF_INET, "2001:db8::1" if v6 else "192.0.2.1"
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        # Chooses the address that leads to the network; nothing is sent.
        probe.connect((far, 9))
        return str(probe.getsockname()[0])
    return socket.gethostname()


def _is_own(origin: str | None, host: str) -> bool:
    """Whether a page of this server or a program asks, rather than somebody else's page."""
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == host.lower() != ""
    except ValueError:
        return False


def _is_local(connection: ServerConnection, request: Request) -> bool:
    """Whether a request comes from this machine, and not through a proxy on it."""
    if any(name in request.headers for name in _FORWARDED):
        return False
    try:
        address = ipaddress.ip_address(connection.remote_address[0])
    except (ValueError, TypeError, IndexError):
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def _subprotocol(connection: ServerConnection, offered: Any) -> Subprotocol | None:
    known = next((name for name in offered if name in wire.SUBPROTOCOLS), None)
    if offered and known is None:
        raise NegotiationError(f"the subprotocols are {', '.join(wire.SUBPROTOCOLS)}")
    return None if known is None else Subprotocol(known)


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
        StartError, JournalError: see `App.start`.
    """
    app = App(settings, rules, players, version, web)
    loop = asyncio.get_running_loop()
    for name in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(name, app.stopping.set)
    await app.start()
    app.sweeper.take_over()
    on_ready(app)
    await app.stopping.wait()
    await app.stop()
    return not app.failed
