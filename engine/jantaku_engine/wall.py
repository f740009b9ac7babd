"""The wall: its layout, and the shuffle that anybody can repeat (RULES 1.2, FAIRNESS.md).

A match has a secret seed of 32 bytes. Each hand's key is derived from it, the SHA-256 of the
key is published before the deal and the key after the hand: who has the key can deal the
same wall again and compare.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256
from struct import Struct
from typing import Final

WALL_TILES: Final = 136
LIVE_DRAWS: Final = 70
"""Live tiles before the dealer's first draw."""

FIRST_LIVE: Final = 52
"""Index of the dealer's first draw; each draw takes the next index."""

LAST_LIVE: Final = 121
"""Index of the last live tile without kans; each kan moves it down by one."""

LIVE: Final = tuple(range(FIRST_LIVE, LAST_LIVE + 1))
"""Indices of the live draws in order."""

HAIPAI: Final[tuple[tuple[int, ...], ...]] = tuple(
    (*(block * 16 + seat * 4 + tile for block in range(3) for tile in range(4)), 48 + seat)
    for seat in range(4)
)
"""Indices of the 13 tiles dealt to each seat wind: the dealer first, then in turn order."""

DORA_INDICATORS: Final = (130, 128, 126, 124, 122)
"""Indices of the dora indicator and of the indicators of kan 1-4."""

URA_INDICATORS: Final = (131, 129, 127, 125, 123)
"""Indices of the tiles under them, in the same order."""

RINSHAN: Final = (134, 135, 132, 133)
"""Indices of the replacement tiles of kan 1-4."""

DEAD_WALL: Final = tuple(range(122, 136))
"""Indices of the dead wall before any kan."""

SEED_BYTES: Final = 32

_KYOKU_LABEL: Final = b"jantaku kyoku 1"
_ENTROPY_LABEL: Final = b"jantaku entropy 1"
_SHUFFLE_LABEL: Final = b"jantaku shuffle 1"
_WORDS: Final = Struct(">16H")
_ALL_IDS: Final = frozenset(range(WALL_TILES))


class WallError(ValueError):
    """Tiles that are no wall, or a seed or key of the wrong form."""


def _secret(value: bytes, what: str) -> bytes:
    if not isinstance(value, bytes) or len(value) != SEED_BYTES:
        size = len(value) if isinstance(value, bytes) else type(value).__name__
        raise WallError(f"{what}: must be {SEED_BYTES} bytes, not {size}")
    return value


def mix_entropy(seed: bytes, contributions: Sequence[bytes]) -> bytes:
    """A new seed from a secret seed and bytes that the players sent, in seat order.

    The commitment of `seed` must be published before the contributions are known.

    Raises:
        WallError: `seed` is not 32 bytes.
    """
    mac = hmac.new(_secret(seed, "seed"), _ENTROPY_LABEL, sha256)
    for contribution in contributions:
        mac.update(len(contribution).to_bytes(4, "big"))
        mac.update(contribution)
    return mac.digest()


def kyoku_key(seed: bytes, kyoku_number: int) -> bytes:
    """Key of one hand: `kyoku_number` counts the hands dealt in the match, from 0.

    Raises:
        WallError: `seed` is not 32 bytes, or the number is not in 0 .. 2**32 - 1.
    """
    if not 0 <= kyoku_number < 1 << 32:
        raise WallError(f"kyoku number: must be 0 .. {(1 << 32) - 1}, not {kyoku_number}")
    message = _KYOKU_LABEL + kyoku_number.to_bytes(4, "big")
    return hmac.digest(_secret(seed, "seed"), message, "sha256")


def commitment(key: bytes) -> str:
    """What is published before the deal: the SHA-256 of a key or seed, in hex.

    Raises:
        WallError: `key` is not 32 bytes.
    """
    return sha256(_secret(key, "key")).hexdigest()


def shuffle(key: bytes) -> tuple[int, ...]:
    """The 136 tile ids in an order that only the key decides, each order equally likely.

    Fisher-Yates from the last index down, each step with the next 16-bit word of a SHA-256
    counter stream; words that would favour small numbers are thrown away.

    Raises:
        WallError: `key` is not 32 bytes.
    """
    prefix = _SHUFFLE_LABEL + _secret(key, "key")
    ids = list(range(WALL_TILES))
    counter = 0
    words: tuple[int, ...] = ()
    next_word = 16
    for last in range(WALL_TILES - 1, 0, -1):
        choices = last + 1
        limit = 65536 - 65536 % choices
        word = limit
        while word >= limit:
            if next_word == 16:
                words = _WORDS.unpack(sha256(prefix + counter.to_bytes(4, "big")).digest())
                counter += 1
                next_word = 0
            word = words[next_word]
            next_word += 1
        chosen = word % choices
        ids[last], ids[chosen] = ids[chosen], ids[last]
    return tuple(ids)


class Wall:
    """The 136 tiles of one hand in the order of the layout; immutable by convention.

    Attributes:
        ids: tile id at each index, a permutation of 0-135.
        key: the key that it was shuffled from; None when unknown.
        commitment: SHA-256 of the key in hex; empty when neither is known.

    Raises:
        WallError: not a permutation, or key and commitment do not belong together.
    """

    __slots__ = ("commitment", "ids", "key")

    def __init__(self, ids: Iterable[int], key: bytes | None = None, commitment: str = "") -> None:
        self.ids = tuple(ids)
        if len(self.ids) != WALL_TILES or _ALL_IDS.difference(self.ids):
            raise WallError(_not_a_wall(self.ids))
        self.key = key
        self.commitment = commitment if key is None else sha256(_secret(key, "key")).hexdigest()
        if commitment and commitment != self.commitment:
            raise WallError("wall: the key does not have the commitment that was published")

    @classmethod
    def from_key(cls, key: bytes) -> Wall:
        """The wall that a hand's key gives.

        Raises:
            WallError: `key` is not 32 bytes.
        """
        return cls(shuffle(key), key)

    @classmethod
    def from_seed(cls, seed: bytes, kyoku_number: int) -> Wall:
        """The wall of hand `kyoku_number` (from 0) of the match with this seed.

        Raises:
            WallError: as `kyoku_key`.
        """
        return cls.from_key(kyoku_key(seed, kyoku_number))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wall) and self.ids == other.ids

    def __hash__(self) -> int:
        return hash(self.ids)

    def __repr__(self) -> str:
        # The key and the tiles are secret during the hand: neither may slip into a message.
        return f"<Wall {self.commitment[:16] or 'without commitment'}>"


def _not_a_wall(ids: tuple[int, ...]) -> str:
    if len(ids) != WALL_TILES:
        return f"wall: must have {WALL_TILES} tiles, not {len(ids)}"
    strange = [tile_id for tile_id in ids if tile_id not in _ALL_IDS]
    if strange:
        return f"wall: {strange[0]!r} is no tile id (0..{WALL_TILES - 1})"
    missing = min(_ALL_IDS.difference(ids))
    double = next(tile_id for tile_id in ids if ids.count(tile_id) > 1)
    return f"wall: tile {double} is there twice and tile {missing} is missing"
