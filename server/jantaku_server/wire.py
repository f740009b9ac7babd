"""The wire schema: every message between a client and the server, in JSON and msgpack.

Both sides use this module; `PROTOCOL.md` describes each message with a sample. A message is an
object with a `type`. What a client sends is checked here, field by field, before anything
looks at it; unknown fields are ignored, so that a newer client can talk to an older server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import msgpack
import orjson

from jantaku_replays.json_text import compact

PROTOCOL: Final = 1
"""Version of this schema; `hello` names it and `welcome` answers with the server's."""

Format = Literal["json", "msgpack"]

SUBPROTOCOLS: Final[dict[str, Format]] = {
    "jantaku.v1.msgpack": "msgpack",
    "jantaku.v1.json": "json",
}
"""Websocket subprotocol of each format; without one the format is JSON."""

MAX_FRAME: Final = 16 * 1024
"""Most bytes in one message from a client."""

MAX_DEPTH: Final = 8
"""Most arrays and objects inside each other in one message."""

MAX_WHOLE: Final = 2**53
"""Numbers lie between this and its negative, so that every language reads them exactly."""

Message = dict[str, Any]

ERRORS: Final[dict[str, str]] = {
    "malformed": "the message cannot be read, or has no known type",
    "invalid": "a field is missing or has a value that it cannot have",
    "unexpected": "the message does not fit the state of this connection",
    "version": "the client speaks a version that the server does not",
    "flooding": "too many messages in too short a time; this one was dropped",
    "not_found": "there is no such table, seat or game, or the code is wrong",
    "full": "the table or the server has no free place",
    "forbidden": "only the owner of the table, or nobody, may do this",
    "bad_token": "the token opens no seat of a running table",
    "rules": "the rules of the table contradict each other or do not exist",
    "stale": "the answer is to a question that is no longer open",
    "illegal": "the menu of the question has no such action",
    "taken_over": "the seat was opened from another connection",
    "closed": "the table is closed: nobody came, or it is over and was put away",
    "guessing": "too many wrong tokens or codes on this connection",
    "silent": "no hello came in time",
    "slow": "the client reads too slowly and is disconnected",
    "going_down": "the server stops; every table is kept",
    "internal": "the server failed; the table is kept",
}
"""Stable code of each `error` and `rejected`, with its meaning."""

PHRASES: Final = (
    "hello",
    "good_luck",
    "nice_hand",
    "thinking",
    "sorry",
    "thank_you",
    "good_game",
    "one_more",
)
"""What may be said at a table with chat: codes, which each client shows in its own language."""


class WireError(ValueError):
    """A message that breaks the schema; `code` is one of `ERRORS`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message if len(message) <= _LONGEST else message[: _LONGEST - 1] + "…")
        self.code = code


_LONGEST: Final = 300


# ---------------------------------------------------------------------- encoding


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} is no JSON number")


def _object(pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    message = dict(pairs)
    if len(message) != len(pairs):
        raise ValueError("an object has the same key twice")
    return message


_LOADS: Final = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_object).decode
_PACK: Final = msgpack.Packer(autoreset=True).pack


def encode(message: Mapping[str, Any], fmt: Format) -> str | bytes:
    """One message as a text frame (JSON) or a binary frame (msgpack)."""
    if fmt == "json":
        return compact(message)
    packed: bytes = _PACK(message)
    return packed


def encode_value(value: Any, fmt: Format) -> bytes:
    """A value as it stands in a message, for a `Form`."""
    if fmt == "json":
        return orjson.dumps(value)
    packed: bytes = _PACK(value)
    return packed


def encode_array(values: list[bytes], fmt: Format) -> bytes:
    """An array of fewer than 65,536 encoded values."""
    if fmt == "json":
        return b"[" + b",".join(values) + b"]"
    size = len(values)
    head = bytes((0x90 | size,)) if size < 16 else bytes((0xDC, size >> 8, size & 255))
    return head + b"".join(values)


class Form:
    """A message that is sent at every move: only its values are encoded, and these may be kept."""

    def __init__(self, kind: str, *fields: str) -> None:
        self._json = [b'{"type":"%s"' % kind.encode()]
        self._json += [b',"%s":' % field.encode() for field in fields]
        self._msgpack: list[bytes] = [bytes((0x81 + len(fields),)) + _PACK("type") + _PACK(kind)]
        self._msgpack += [_PACK(field) for field in fields]

    def frame(self, values: list[bytes], fmt: Format) -> str | bytes:
        """The frame of the message with these encoded values, one for each field."""
        keys = self._json if fmt == "json" else self._msgpack
        parts = [keys[0]]
        for index, value in enumerate(values):
            parts.append(keys[index + 1])
            parts.append(value)
        if fmt == "json":
            parts.append(b"}")
            return b"".join(parts).decode()
        return b"".join(parts)


ACCEPTED: Final = Form("accepted", "id")
EVENT: Final = Form("event", "seq", "event")
REQUEST: Final = Form("request", "id", "menu", "time_ms", "bank_ms")


def decode(data: str | bytes, fmt: Format, longest: int = MAX_FRAME) -> Message:
    """The object in a frame, of any type.

    Both formats hold the same: objects with text keys, arrays, text, numbers, true, false, null.

    Raises:
        WireError: longer than `longest`, a frame of the other kind, not of the format, a key
            twice, too deep, a number out of range, or no object with a text `type`.
    """
    if len(data) > longest:
        raise WireError("malformed", f"the message is longer than {longest} bytes")
    try:
        if isinstance(data, str):
            if fmt != "json":
                raise ValueError("it comes in binary frames")
            message = _LOADS(data)
        else:
            if fmt != "msgpack":
                raise ValueError("it comes in text frames")
            message = msgpack.unpackb(data, raw=False, object_pairs_hook=_object)
        _examine(message, MAX_DEPTH)
    except (ValueError, RecursionError, msgpack.exceptions.UnpackException) as error:
        reason = str(error).splitlines()[0][:80] if str(error) else type(error).__name__
        raise WireError("malformed", f"the message is no {fmt}: {reason}") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise WireError("malformed", 'a message is an object with a text field "type"')
    return message


_TOO_LARGE: Final = f"a number is not between -{MAX_WHOLE} and {MAX_WHOLE}"


def _examine(value: Any, depth: int) -> None:
    """Refuse what the other format or another language cannot hold."""
    if isinstance(value, str):
        value.encode()  # a lone surrogate is a ValueError
    elif isinstance(value, dict | list):
        if not depth:
            raise ValueError(f"it has more than {MAX_DEPTH} arrays and objects inside each other")
        if isinstance(value, dict):
            for key in value:
                if not isinstance(key, str):
                    raise ValueError("a key is no text")
                key.encode()
            value = value.values()
        for item in value:
            _examine(item, depth - 1)
    # Whole numbers apart from the others: compiled, one test of both would compare them as floats.
    elif isinstance(value, int):
        if not -MAX_WHOLE <= value <= MAX_WHOLE:
            raise ValueError(_TOO_LARGE)
    elif isinstance(value, float):
        if not -MAX_WHOLE <= value <= MAX_WHOLE:  # so NaN is refused too
            raise ValueError(_TOO_LARGE)
    elif value is not None:
        raise ValueError(f"{type(value).__name__} is no kind of value here")


# ---------------------------------------------------------------------- client messages

Check = Callable[[Any], bool]


class Field:
    """What one field of a client message may be: a test, in words, and whether it may be absent."""

    __slots__ = ("check", "optional", "says")

    def __init__(self, says: str, check: Check, optional: bool = False) -> None:
        self.says = says
        self.check = check
        self.optional = optional


def _whole(low: int, high: int, optional: bool = False) -> Field:
    return Field(
        f"a whole number from {low} to {high}",
        lambda v: isinstance(v, int) and not isinstance(v, bool) and low <= v <= high,
        optional,
    )


def _text(longest: int, optional: bool = False, shortest: int = 1) -> Field:
    return Field(
        f"printable text of {shortest} to {longest} characters",
        lambda v: isinstance(v, str) and shortest <= len(v) <= longest and v.isprintable(),
        optional,
    )


def _name(longest: int) -> Field:
    return Field(
        f"printable text of 1 to {longest} characters that neither begins nor ends with a space",
        lambda v: (
            isinstance(v, str) and 1 <= len(v) <= longest and v.isprintable() and v == v.strip()
        ),
    )


def _one_of(*values: str, optional: bool = False) -> Field:
    return Field(f"one of {', '.join(values)}", lambda v: v in values, optional)


_OBJECT: Final = Field("an object", lambda v: isinstance(v, dict), optional=True)
_FLAG: Final = Field("true or false", lambda v: isinstance(v, bool), optional=True)
_ENTROPY: Final = Field(
    "2 to 64 hexadecimal digits, an even number of them",
    lambda v: (
        isinstance(v, str)
        and 2 <= len(v) <= 64
        and len(v) % 2 == 0
        and all(c in "0123456789abcdef" for c in v)
    ),
    optional=True,
)
_SEATS: Final = Field(
    'four of "open" and "bot:NAME"',
    lambda v: (
        isinstance(v, list)
        and len(v) == 4
        and all(isinstance(s, str) and (s == "open" or s.startswith("bot:")) for s in v)
    ),
    optional=True,
)
_DELAY: Final = Field(
    '"hand" or seconds from 0 to 3600',
    lambda v: v == "hand" or (isinstance(v, int) and not isinstance(v, bool) and 0 <= v <= 3600),
    optional=True,
)
CLIENT_MESSAGES: Final[dict[str, dict[str, Field]]] = {
    "hello": {
        "protocol": _whole(1, MAX_WHOLE),
        "client": _text(80, optional=True),
        "hints": _FLAG,
    },
    "list": {},
    "create": {
        "rules": _OBJECT,
        "seats": _SEATS,
        "private": _FLAG,
        "clock": Field("a preset's name or an object", lambda v: isinstance(v, str | dict), True),
        "call_window_ms": _whole(0, 10_000, optional=True),
        "pause_ms": _whole(0, 60_000, optional=True),
        "spectator_delay": _DELAY,
        "spectators": _FLAG,
        "chat": _FLAG,
        "pace_ms": _whole(0, 10_000, optional=True),
    },
    "join": {
        "table": _text(64, optional=True),
        "code": _text(64, optional=True),
        "name": _name(40),
        "seat": _whole(0, 3, optional=True),
        "kind": _one_of("person", "bot", optional=True),
        "entropy": _ENTROPY,
    },
    "ready": {"ready": _FLAG},
    "fill": {"bot": _text(40, optional=True), "owner": _text(128, optional=True)},
    "answer": {
        "id": _whole(0, MAX_WHOLE),
        "index": _whole(0, 1000, optional=True),
        "action": _OBJECT,
    },
    "resume": {"token": _text(128), "after": _whole(-1, MAX_WHOLE, optional=True)},
    "spectate": {
        "table": _text(64, optional=True),
        "code": _text(64, optional=True),
        "after": _whole(-1, MAX_WHOLE, optional=True),
    },
    "chat": {"phrase": _one_of(*PHRASES)},
    "rematch": {},
    "leave": {},
    "ping": {"nonce": _text(64, optional=True)},
    "replay": {
        "game": Field(
            "16 hexadecimal digits",
            lambda v: isinstance(v, str) and len(v) == 16 and not set(v) - set("0123456789abcdef"),
            optional=True,
        ),
        "name": _text(200, optional=True),
        "size": _whole(1, MAX_WHOLE, optional=True),
    },
    "replay_data": {"data": _text(MAX_FRAME)},
    "replay_more": {"index": _whole(0, 10_000)},
}
"""Fields of each message that a client may send."""

SERVER_MESSAGES: Final = (
    *("welcome", "tables", "created", "joined", "resumed", "table", "presence", "event"),
    *("request", "accepted", "rejected", "hints", "chat", "finished", "rematch_wanted"),
    *("rematch", "left", "pong", "replay", "replay_kyoku", "error"),
)
"""Types of the messages that the server sends."""

EITHER: Final[dict[str, tuple[str, str]]] = {
    "join": ("table", "code"),
    "spectate": ("table", "code"),
    "answer": ("index", "action"),
    "replay": ("game", "size"),
}
"""Two fields of which a message has one."""


def check(message: Message) -> Message:
    """A client message whose type is known and whose fields fit the schema.

    Raises:
        WireError: an unknown type, or a field that is missing or wrong.
    """
    fields = CLIENT_MESSAGES.get(message["type"])
    if fields is None:
        known = ", ".join(CLIENT_MESSAGES)
        raise WireError("malformed", f"unknown type {message['type'][:40]!r}; known: {known}")
    for name, field in fields.items():
        if name not in message or (field.optional and message[name] is None):
            if not field.optional:
                raise WireError("invalid", f"{message['type']}: field {name!r} is missing")
        elif not field.check(message[name]):
            raise WireError("invalid", f"{message['type']}: {name!r} must be {field.says}")
    either = EITHER.get(message["type"])
    if either is not None and sum(message.get(name) is not None for name in either) != 1:
        raise WireError("invalid", f"{message['type']}: give {' or '.join(either)}, one of them")
    return message
