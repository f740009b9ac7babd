"""Frames of RFC 6455 as a client sends them, for the reader's short way (`sockets`)."""

from __future__ import annotations

from typing import Final

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library came without its compiled part
    from websockets.utils import apply_mask

_TEXT: Final = 0x81
_BINARY: Final = 0x82
_MASKED: Final = 0x80
_SHORT: Final = 125


def whole_message(data: bytes) -> str | bytes | None:
    """The message when these bytes are one short message in one frame; None for anything else."""
    if len(data) < 6 or (data[0] != _TEXT and data[0] != _BINARY):
        return None
    size = data[1] - _MASKED
    if not 0 <= size <= _SHORT or len(data) != 6 + size:
        return None
    payload: bytes = apply_mask(data[6:], data[2:6])
    if data[0] == _BINARY:
        return payload
    try:
        return payload.decode()
    except UnicodeDecodeError:
        return None


def ends_with_frame(data: bytes) -> bool:
    """Whether bytes that begin with a frame also end with the end of one."""
    at, end = 0, len(data)
    while end - at >= 6:
        size = data[at + 1] & 127
        at += 6
        if size > _SHORT:
            wide = 2 if size == 126 else 8
            size = int.from_bytes(data[at - 4 : at - 4 + wide], "big")
            at += wide
        at += size
    return at == end
