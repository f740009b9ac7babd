"""Addresses of servers and of tables, as `jantaku serve` prints them and its web page shows them.

>>> parse_address("http://127.0.0.1:8765/#/t/0123456789abcdef")
Address(secure=False, place='127.0.0.1:8765', table='0123456789abcdef', code='')
>>> parse_address("https://example.org/#/c/abc").websocket()
'wss://example.org/ws'
>>> print(parse_address("example.org/table/00ff"))
http://example.org/#/t/00ff
"""

from __future__ import annotations

import dataclasses
from typing import Final
from urllib.parse import quote, unquote, urlencode, urlsplit

_SECURE: Final = {"http": False, "ws": False, "https": True, "wss": True}
_TABLES: Final = ("table", "t", "w")
_CODES: Final = ("code", "c", "wc")
"""What stands before the id of a table, and before the code of a private one, in a link."""

_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class AddressError(ValueError):
    """A text that is no address of a server or a table."""


@dataclasses.dataclass(frozen=True, slots=True)
class Address:
    """A server, and possibly one of its tables.

    Attributes:
        secure: whether the connection is encrypted. place: host, port and path of the server.
        table: id of a public table, or "". code: code of a private table, or "".
    """

    secure: bool
    place: str
    table: str = ""
    code: str = ""

    @property
    def is_local(self) -> bool:
        """Whether the server runs on this machine."""
        return urlsplit(f"//{self.place}").hostname in _LOOPBACK

    def websocket(self) -> str:
        """Where clients of the wire schema connect."""
        return f"ws{'s' * self.secure}://{self.place}/ws"

    def mjai(self, **query: str | int) -> str:
        """Where mjai programs connect; empty values are left out."""
        given = {name: value for name, value in query.items() if value != ""}
        return f"ws{'s' * self.secure}://{self.place}/mjai?{urlencode(given)}"

    def __str__(self) -> str:
        """The link, for a browser as well."""
        link = f"/#/t/{quote(self.table, safe='')}" if self.table else ""
        link = f"/#/c/{quote(self.code, safe='')}" if self.code else link
        return f"http{'s' * self.secure}://{self.place}{link}"


def parse_address(text: str) -> Address:
    """The address that a text names.

    `http://HOST:PORT` is a server, and the links of its web page, `http://HOST:PORT/#/t/ID` and
    `http://HOST:PORT/#/c/CODE`, are its tables; `http://HOST:PORT/table/ID` and
    `http://HOST:PORT/code/CODE`, which no browser opens, are the same. `https`, `ws` and
    `wss` stand for `http` too; a bare `HOST:PORT` is enough.

    Raises:
        AddressError: another scheme, no host, no such port, or another path.
    """
    full = text.strip() if "://" in text else f"http://{text.strip()}"
    try:
        parts = urlsplit(full)
        port = parts.port
    except ValueError as error:
        raise AddressError(f"{text!r}: {error}") from None
    if parts.scheme not in _SECURE:
        raise AddressError(f"{text!r}: an address begins with http:// or https://")
    if not parts.hostname or parts.username is not None or port == 0:
        raise AddressError(f"{text!r}: an address names a host, as in http://127.0.0.1:8765")
    path = [unquote(part) for part in f"{parts.path}/{parts.fragment}".split("/") if part]
    table = code = ""
    if len(path) == 2 and path[0] in _TABLES + _CODES:
        table, code = (path[1], "") if path[0] in _TABLES else ("", path[1])
    elif path not in ([], ["ws"], ["mjai"]):
        raise AddressError(f"{text!r}: the link of a table ends in /#/t/ID or /#/c/CODE")
    return Address(_SECURE[parts.scheme], parts.netloc, table, code)
