"""The walls of a Tenhou game from its recorded seed.

One Mersenne twister gives all hands of a game, 288 words each; SHA-512 of every 128 bytes of
them gives the numbers of the shuffle and of the two dice. The twister is seeded by array here
and then run by `random.Random`, which is the same generator.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import random
import struct
from collections.abc import Sequence
from typing import Final, NamedTuple

from jantaku_engine.wall import WALL_TILES

from .record import RecordError

_STATE_WORDS: Final = 624
_HAND_WORDS: Final = 288
_BLOCK_BYTES: Final = 128
_SEED_BYTES: Final = 2496
_HEX_WORDS: Final = 32
_BASE64_FORM: Final = "mt19937ar-sha512-n288-base64,"
_HEX_FORM: Final = "mt19937ar-sha512-n288,"

_NEW_LAYOUT: Final = tuple(range(WALL_TILES - 1, -1, -1))
"""Tenhou's index at each index of our layout: it counts from the other end."""

_OLD_DEAD_WALL: Final = (12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1)
_OLD_LAYOUT: Final = _NEW_LAYOUT[:122] + _OLD_DEAD_WALL
"""With hex seeds each indicator lies under, and each rinshan tile before, its neighbour."""


class DerivedWall(NamedTuple):
    """Tile ids of one hand in the order of RULES 1.2, and the two dice (1-6)."""

    ids: tuple[int, ...]
    dice: tuple[int, int]


def init_by_array(key: Sequence[int]) -> list[int]:
    """State of a Mersenne twister (MT19937) seeded with 32-bit words."""
    state = [19650218]
    for i in range(1, _STATE_WORDS):
        last = state[-1]
        state.append((1812433253 * (last ^ last >> 30) + i) & 0xFFFFFFFF)
    i, j = 1, 0
    for _ in range(max(_STATE_WORDS, len(key))):
        last = state[i - 1]
        state[i] = ((state[i] ^ (last ^ last >> 30) * 1664525) + key[j] + j) & 0xFFFFFFFF
        i += 1
        j = (j + 1) % len(key)
        if i == _STATE_WORDS:
            state[0] = state[-1]
            i = 1
    for _ in range(_STATE_WORDS - 1):
        last = state[i - 1]
        state[i] = ((state[i] ^ (last ^ last >> 30) * 1566083941) - i) & 0xFFFFFFFF
        i += 1
        if i == _STATE_WORDS:
            state[0] = state[-1]
            i = 1
    state[0] = 0x80000000
    return state


class TenhouWalls:
    """The walls of one game in order, from the `seed` of its SHUFFLE element.

    Raises:
        RecordError: the seed has none of the two known forms.
    """

    def __init__(self, seed: str) -> None:
        if seed.startswith(_BASE64_FORM):
            words = _base64_words(seed[len(_BASE64_FORM) :])
            self._layout = _NEW_LAYOUT
        elif seed.startswith(_HEX_FORM):
            words = _hex_words(seed[len(_HEX_FORM) :])
            self._layout = _OLD_LAYOUT
        else:
            raise RecordError(f"seed: unknown form {seed[:40]!r}; known is {_BASE64_FORM}...")
        self._twister = random.Random()
        self._twister.setstate((3, (*init_by_array(words), _STATE_WORDS), None))

    def next_wall(self) -> DerivedWall:
        """The wall of the next hand."""
        numbers = self._numbers()
        tiles = list(range(WALL_TILES))
        for i in range(WALL_TILES - 1):
            j = i + numbers[i] % (WALL_TILES - i)
            tiles[i], tiles[j] = tiles[j], tiles[i]
        return DerivedWall(
            tuple(tiles[index] for index in self._layout),
            (numbers[135] % 6 + 1, numbers[136] % 6 + 1),
        )

    def _numbers(self) -> tuple[int, ...]:
        size = _HAND_WORDS * 4
        raw = self._twister.getrandbits(size * 8).to_bytes(size, "little")
        digests = b"".join(
            hashlib.sha512(raw[start : start + _BLOCK_BYTES]).digest()
            for start in range(0, size, _BLOCK_BYTES)
        )
        return struct.unpack(f"<{len(digests) // 4}I", digests)


def _base64_words(text: str) -> tuple[int, ...]:
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise RecordError("seed: is no base64") from None
    if len(raw) != _SEED_BYTES:
        raise RecordError(f"seed: has {len(raw)} bytes, not {_SEED_BYTES}")
    return struct.unpack(f"<{_SEED_BYTES // 4}I", raw)


def _hex_words(text: str) -> tuple[int, ...]:
    words = text.split(",")
    try:
        numbers = tuple(int(word, 16) for word in words)
    except ValueError:
        numbers = ()
    if len(numbers) != _HEX_WORDS or not all(0 <= word < 1 << 32 for word in numbers):
        raise RecordError(f"seed: must be {_HEX_WORDS} words of 8 hex digits")
    return numbers
