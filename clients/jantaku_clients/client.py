"""A client of a Jantaku server: sit down at a table and play it with one function.

    async with Client("http://127.0.0.1:8765") as client:
        await client.sit("my bot")
        result = await client.play(lambda view, menu: menu[0])

`play` keeps a `SeatView` from the seat's own events and asks the function for an action of each
menu. When the connection breaks, the client comes back by its token and the number of the last
event, misses nothing, and sends an answer again that may not have arrived.
"""

from __future__ import annotations

import contextlib
import inspect
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from jantaku_engine import events as ev
from jantaku_engine.actions import Action, ActionError, from_mjai
from jantaku_engine.events import Event, EventError
from jantaku_engine.menu import Menu
from jantaku_engine.mjai import event_from_mjai
from jantaku_engine.rules import RulesError, Ruleset
from jantaku_engine.view import SeatView
from jantaku_server import wire
from jantaku_server.wire import Format, Message, WireError

from .address import Address, parse_address
from .bots import Player
from .connection import (
    LONGEST,
    ClientError,
    ConnectionLost,
    ProtocolError,
    Refused,
    Retry,
    open_websocket,
)

__all__ = [
    "ChoiceError",
    "Choose",
    "Client",
    "ClientError",
    "ConnectionLost",
    "ProtocolError",
    "Refused",
    "Result",
    "Retry",
]

HOUSE_BOT: Final = "greedy"
"""The house bot that `sit` asks for, where the server has it."""

_TRIES: Final = 5
_LOST_RACE: Final = ("full", "unexpected", "not_found")
_GOES_ON: Final = ("going_down", "slow")
"""Codes of errors after which the seat waits for its player to come back."""


class ChoiceError(ClientError):
    """The player chose an action that its menu does not have."""


class Result(NamedTuple):
    """How a match ended, by seat: names, scores, ranks 1-4, final points, and the own seat."""

    names: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[float, ...]
    seat: int

    @staticmethod
    def of(names: Sequence[str], end: ev.EndGame, seat: int) -> Result:
        """The result that the last event tells."""
        return Result(tuple(names), end.scores, end.ranks, end.points, seat)

    def lines(self) -> list[str]:
        """The placements as lines of text, the winner first."""
        width = max(map(len, self.names))
        return [
            f"{self.ranks[seat]}.  {self.names[seat]:<{width}}  {self.scores[seat]:>7}"
            f"  {self.points[seat]:>+7.1f}{'  <' if seat == self.seat else ''}"
            for seat in sorted(range(4), key=lambda seat: self.ranks[seat])
        ]


Choose = Callable[[SeatView, Menu], Action | Awaitable[Action]]
"""Takes what the seat knows and what it may do; gives one of these actions, at once or later."""


class Client:
    """One connection to a server, at one table at most.

    Attributes:
        address: of the server, and of the table if the URL named one.
        welcome: what the server said of itself: its house bots, rules presets, clocks.
        table, seat, token: where it sits; "" and -1 while it does not.
        last_seq: number of the last event that has come, -1 for none.
        info: the last description of the table.
        late: how many answers came after the clock had answered.
    """

    def __init__(
        self,
        url: str | Address,
        fmt: Format = "json",
        retry: Retry | None = None,
        program: str = "jantaku client",
    ) -> None:
        self.address = url if isinstance(url, Address) else parse_address(url)
        self.welcome: Message = {}
        self.info: Message = {}
        self.table = ""
        self.seat = -1
        self.token = ""
        self.last_seq = -1
        self.late = 0
        self._fmt: Format = fmt
        self._retry = retry or Retry()
        self._program = program
        self._socket: ClientConnection | None = None
        self._inbox: deque[Message] = deque()
        self._watched: Message | None = None
        self._answer: tuple[int, int] | None = None
        self._is_away = False

    # ------------------------------------------------------------------ the connection

    async def __aenter__(self) -> Self:
        await self._connect()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up; a seat keeps waiting for its grace."""
        if self._socket is not None:
            await self._socket.close()

    async def _connect(self) -> None:
        subprotocol = next(name for name, fmt in wire.SUBPROTOCOLS.items() if fmt == self._fmt)
        self._socket = await open_websocket(self.address, self.address.websocket(), [subprotocol])
        hello = {"type": "hello", "protocol": wire.PROTOCOL, "client": self._program}
        try:
            await self._socket.send(wire.encode(hello, self._fmt))
            self.welcome = await self._read()
        except ConnectionClosed as error:
            raise ConnectionLost(f"{self.address} hung up: {error}") from None
        if self.welcome["type"] == "error":
            raise Refused(self.welcome["code"], self.welcome["message"])

    async def _read(self) -> Message:
        """The next message of this connection, noted down."""
        assert self._socket is not None
        frame = await self._socket.recv()
        try:
            message = wire.decode(frame, self._fmt, LONGEST)
            self._note(message)
        except (WireError, KeyError, TypeError) as error:
            raise ProtocolError(f"{self.address} sent an unreadable message: {error}") from None
        return message

    def _note(self, message: Message) -> None:
        kind = message["type"]
        if kind == "event":
            if message["seq"] != self.last_seq + 1:
                raise ProtocolError(
                    f"{self.address} sent event {message['seq']} after event {self.last_seq}"
                )
            self.last_seq += 1
        elif kind == "joined":
            self.table, self.seat, self.token = message["table"], message["seat"], message["token"]
            self.last_seq = -1
        elif kind == "resumed":
            self.table, self.seat = message["table"], message["seat"]
        elif kind == "rematch":
            self.table, self.last_seq, self._answer = message["table"], -1, None
        elif kind == "table":
            self.info = message

    async def _send(self, message: Mapping[str, Any]) -> None:
        assert self._socket is not None, "use the client in `async with`"
        await self._socket.send(wire.encode(message, self._fmt))

    async def receive(self) -> Message:
        """The next message of the server; at a table, a broken connection is made again first.

        Raises:
            ConnectionLost: it is broken for good. Refused: the seat is somebody else's now.
            ProtocolError: the server does not keep to its protocol.
        """
        if self._inbox:
            return self._inbox.popleft()
        while True:
            try:
                return await self._read()
            except ConnectionClosed as error:
                await self._come_back(error)

    async def _come_back(self, broken: ConnectionClosed) -> None:
        if not self.token and self._watched is None:
            raise ConnectionLost(f"{self.address} hung up: {broken}")
        if broken.rcvd is not None and broken.rcvd.code in (1008, 4000):
            code = broken.rcvd.reason
            raise Refused(code, wire.ERRORS.get(code, "the server closed the connection"))
        why: ClientError = ConnectionLost(str(broken))
        self._is_away = True
        for delay in self._retry.delays():
            await self._retry.sleep(delay)
            try:
                await self._connect()
                await self._take_up()
            except ConnectionClosed as error:
                why = ConnectionLost(str(error))
            except ConnectionLost as error:
                why = error
            except Refused as error:
                if error.code not in _GOES_ON:
                    raise
            else:
                self._is_away = False
                return
        raise ConnectionLost(f"the connection broke and was not made again: {why}")

    async def _take_up(self) -> None:
        """Ask for what was missed; the messages that follow are read as usual."""
        if self._watched is not None:
            await self._send({**self._watched, "after": self.last_seq})
            return
        await self._send({"type": "resume", "token": self.token, "after": self.last_seq})
        answer = await self._read()
        if answer["type"] == "error":
            raise Refused(answer["code"], answer["message"])

    async def _ask(self, message: Message, answer: str) -> Message:
        """Send a message and wait for its answer; what else comes is kept for `receive`."""
        try:
            await self._send(message)
            while True:
                got = await self._read()
                if got["type"] == answer:
                    return got
                if got["type"] == "error":
                    raise Refused(got["code"], got["message"])
                self._inbox.append(got)
        except ConnectionClosed as error:
            raise ConnectionLost(f"{self.address} hung up: {error}") from None

    # ------------------------------------------------------------------ the lobby

    async def tables(self) -> list[Message]:
        """The public tables of the server."""
        tables: list[Message] = (await self._ask({"type": "list"}, "tables"))["tables"]
        return tables

    async def create(self, **settings: Any) -> Message:
        """Make a table from the fields of `create`; its `table`, `code` and `owner` token."""
        return await self._ask({"type": "create", **settings}, "created")

    async def join(
        self,
        name: str,
        table: str = "",
        code: str = "",
        seat: int | None = None,
        kind: str = "bot",
        entropy: str | None = None,
    ) -> None:
        """Take a seat at a table, by its id or its code.

        Raises:
            Refused: `not_found`, `full`, or `unexpected` after the start.
        """
        who = {"name": name, "kind": kind, "seat": seat, "entropy": entropy}
        await self._ask({"type": "join", **_where(table, code), **who}, "joined")

    async def sit(self, name: str, kind: str = "bot") -> None:
        """Take a seat at the table of the URL; without one a free public seat, or a new table.

        The new table has three house bots and the clock for bots.

        Raises:
            Refused: see `join`.
        """
        if self.address.table or self.address.code:
            return await self.join(name, self.address.table, self.address.code, kind=kind)
        for _ in range(_TRIES):
            for table in [*await self._free_tables(), ""]:
                if not table:
                    bots = self.welcome["bots"]
                    bot = f"bot:{HOUSE_BOT if HOUSE_BOT in bots else bots[0]}"
                    made = await self.create(seats=["open", bot, bot, bot], clock="bots")
                    table = made["table"]
                try:
                    return await self.join(name, table, kind=kind)
                except Refused as error:  # somebody else was quicker
                    if error.code not in _LOST_RACE:
                        raise
        raise Refused("full", f"no seat was free in {_TRIES} attempts")

    async def _free_tables(self) -> list[str]:
        return [
            table["table"]
            for table in await self.tables()
            if table["state"] == "waiting" and any(s["kind"] == "open" for s in table["seats"])
        ]

    async def resume(self, token: str, after: int = -1) -> None:
        """Come back to a seat by its token; `play` wants every event, so `after` = -1."""
        self.last_seq = after
        await self._ask({"type": "resume", "token": token, "after": after}, "resumed")
        self.token = token

    async def spectate(self, table: str = "", code: str = "", after: int = -1) -> None:
        """Watch a table; its events come by `receive`."""
        self.last_seq = after
        self._watched = {"type": "spectate", **_where(table, code)}
        try:
            await self._ask({**self._watched, "after": after}, "table")
        except ClientError:
            self._watched = None
            raise

    async def ready(self, is_ready: bool = True) -> None:
        """Say whether the match may begin."""
        await self._send({"type": "ready", "ready": is_ready})

    async def fill(self, bot: str | None = None, owner: str | None = None) -> None:
        """Put house bots on the free seats of an own table."""
        await self._send({"type": "fill", "bot": bot, "owner": owner})

    async def chat(self, phrase: str) -> None:
        """Say one of `wire.PHRASES`."""
        await self._send({"type": "chat", "phrase": phrase})

    async def rematch(self) -> None:
        """Want to play again; when all players do, `play` can be called again."""
        await self._send({"type": "rematch"})

    async def leave(self) -> None:
        """Leave the table."""
        await self._ask({"type": "leave"}, "left")
        self.table, self.seat, self.token = "", -1, ""
        self._watched, self._answer = None, None
        self._inbox.clear()

    async def finished(self) -> str:
        """Wait until the replay of the finished match is written; its name."""
        while True:
            message = await self.receive()
            if message["type"] == "finished":
                return str(message["replay"])

    # ------------------------------------------------------------------ playing

    async def answer(self, request: int, index: int) -> None:
        """Answer a request by the index of an action in its menu."""
        self._answer = (request, index)
        # While the connection is broken there is no seat to answer from; the request comes again
        # after the return.
        if self._is_away:
            return
        with contextlib.suppress(ConnectionClosed):
            await self._send({"type": "answer", "id": request, "index": index})

    async def play(
        self,
        choose: Choose,
        see: Callable[[Event], None] | None = None,
        needs_view: bool = True,
    ) -> Result:
        """Play the match of the own seat to its end.

        `choose` answers each request; `see` is told every event that the seat sees. Without
        `needs_view` the view stays empty, which is faster.

        Raises:
            ChoiceError: `choose` gave an action that is not in the menu.
            ConnectionLost, Refused, ProtocolError: see `receive`.
        """
        view: SeatView | None = None
        names: Sequence[str] = ()
        while True:
            message = await self.receive()
            kind = message["type"]
            if kind == "event":
                event = _event(message)
                if isinstance(event, ev.StartGame):
                    view, names = _view(self.seat, event), event.names
                if needs_view:
                    _begun(view).apply(event)
                if see is not None:
                    see(event)
                if isinstance(event, ev.EndGame):
                    return Result.of(names, event, self.seat)
            elif kind == "request":
                await self._reply(message, _begun(view), choose)
            elif kind == "rejected":
                self._rejected(message)
            elif kind == "error" and message["code"] not in _GOES_ON:
                raise Refused(message["code"], message["message"])

    async def play_as(self, player: Player) -> Result:
        """Let a player of the house interface play the match; see `play`."""
        see = player.see if player.needs_view else None
        return await self.play(player.choose, see, player.needs_view)

    async def _reply(self, request: Message, view: SeatView, choose: Choose) -> None:
        if self._answer is not None and self._answer[0] == request["id"]:
            # Asked again after a break: the answer may not have arrived. It stays the same.
            await self.answer(*self._answer)
            return
        try:
            menu = tuple(from_mjai(action) for action in request["menu"])
        except ActionError as error:
            raise ProtocolError(f"{self.address} asked with an unknown action: {error}") from None
        chosen = choose(view, menu)
        action = await chosen if inspect.isawaitable(chosen) else chosen
        if action not in menu:
            legal = ", ".join(map(str, menu))
            raise ChoiceError(f"the player chose {str(action)!r}; it may: {legal}")
        await self.answer(request["id"], menu.index(action))

    def _rejected(self, message: Message) -> None:
        if message["code"] != "stale":
            raise Refused(message["code"], message["message"])
        self.late += 1


def _where(table: str, code: str) -> dict[str, str]:
    return {"code": code} if code else {"table": table}


def _event(message: Message) -> Event:
    try:
        return event_from_mjai(message["event"])
    except EventError as error:
        raise ProtocolError(f"event {message['seq']}: {error}") from None


def _begun(view: SeatView | None) -> SeatView:
    if view is None:
        raise ProtocolError("the match began before `play`: come back by `resume`")
    return view


def _view(seat: int, start: ev.StartGame) -> SeatView:
    try:
        return SeatView(seat, Ruleset.from_dict(start.rules))
    except RulesError as error:
        raise ProtocolError(f"the rules of the match: {error}") from None
