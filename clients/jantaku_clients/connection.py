"""What every client of a server shares: its websocket, its patience, and its errors."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Iterator, Sequence
from random import Random
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from .address import Address

LONGEST: Final = 16 * 1024 * 1024
"""Most bytes of one message from a server that a client reads."""


class ClientError(Exception):
    """What keeps a client from going on; one line."""


class ConnectionLost(ClientError):
    """The server cannot be reached, or was not there again in time."""


class Refused(ClientError):
    """The server said no; `code` is one of `wire.ERRORS`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{message} ({code})")
        self.code = code


class ProtocolError(ClientError):
    """The server sent something that its protocol does not have, such as a gap in the events."""


@dataclasses.dataclass(frozen=True)
class Retry:
    """How a broken connection is made again.

    Attributes:
        first, longest: seconds before the first attempt, and most between two; they double.
        patience: seconds of waiting after which it is given up.
        sleep, rng: how to wait, and chance that spreads the attempts of many clients.
    """

    first: float = 0.1
    longest: float = 5.0
    patience: float = 120.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rng: Random = dataclasses.field(default_factory=Random)

    def delays(self) -> Iterator[float]:
        """Seconds to wait before each attempt."""
        waited, step = 0.0, self.first
        while waited < self.patience:
            delay = step * self.rng.uniform(0.5, 1.0)
            yield delay
            waited += delay
            step = min(2 * step, self.longest)


async def open_websocket(
    address: Address, url: str, subprotocols: Sequence[str] = ()
) -> ClientConnection:
    """A websocket of a server.

    Raises:
        ConnectionLost: nobody answers there, or no server of this kind does.
    """
    try:
        return await connect(
            url,
            subprotocols=[Subprotocol(name) for name in subprotocols] or None,
            compression=None,
            max_size=LONGEST,
            # A proxy of the environment is for other machines.
            proxy=None if address.is_local else True,
        )
    except (OSError, WebSocketException, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        where = f"http{'s' * address.secure}://{address.place}"
        raise ConnectionLost(f"{where} cannot be reached: {reason}") from None
