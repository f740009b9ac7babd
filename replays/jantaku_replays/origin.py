"""Where the walls of a game come from: the seed that was promised before the first deal.

A server publishes the SHA-256 of a game's seed, the players may send bytes, and when the game
is over the seed is shown. Then the key of every hand must follow from it (engine/FAIRNESS.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from jantaku_engine import events as ev
from jantaku_engine.wall import commitment, kyoku_key, mix_entropy

from .record import KyokuRecord, RecordError

_KEY: Final = re.compile(r"[0-9a-f]{64}")
_ENTROPY: Final = re.compile(r"([0-9a-f]{2}){0,1024}")
NO_ENTROPY: Final = (b"", b"", b"", b"")


class Origin(NamedTuple):
    """A game's seed and what was promised of it.

    Attributes:
        seed: 32 bytes; b"" in a record that does not show it.
        entropy: the bytes of each seat's player, b"" for none.
        seed_hash: what was published before the first deal, 64 hexadecimal digits.
    """

    seed: bytes
    entropy: tuple[bytes, ...]
    seed_hash: str

    @staticmethod
    def of(seed: bytes, entropy: Sequence[bytes] = NO_ENTROPY) -> Origin:
        """The origin of a game with this seed, honestly promised."""
        return Origin(seed, tuple(entropy), commitment(seed))

    def walls_seed(self) -> bytes:
        """The seed that the hands' keys come from: with the players' bytes, if there are any."""
        return mix_entropy(self.seed, self.entropy) if any(self.entropy) else self.seed

    def head(self) -> dict[str, Any]:
        """The fields of the record's first line."""
        return {
            "seed_hash": self.seed_hash,
            "entropy": [given.hex() for given in self.entropy],
        }

    def tail(self) -> dict[str, Any]:
        """The fields of the record's last line."""
        return {"seed": self.seed.hex()}


def read_origin(
    head: Mapping[str, Any], head_line: int, tail: Mapping[str, Any], tail_line: int
) -> Origin | None:
    """The origin that the first and last line of a record tell; None when they tell nothing.

    Raises:
        RecordError: a field that cannot be.
    """
    seed_hash = head.get("seed_hash", "")
    entropy = head.get("entropy", [""] * 4)
    seed = tail.get("seed", "")
    if seed_hash != "" and not _is(seed_hash, _KEY):
        raise RecordError(f"line {head_line}: seed_hash must be 64 hexadecimal digits")
    if not (isinstance(entropy, list) and len(entropy) == 4):
        raise RecordError(f"line {head_line}: entropy must be four texts")
    if not all(_is(given, _ENTROPY) for given in entropy):
        raise RecordError(f"line {head_line}: entropy must be texts of hexadecimal digits")
    if seed != "" and not _is(seed, _KEY):
        raise RecordError(f"line {tail_line}: seed must be 64 hexadecimal digits")
    if not seed_hash and not seed:
        return None
    return Origin(bytes.fromhex(seed), tuple(bytes.fromhex(given) for given in entropy), seed_hash)


def _is(value: Any, form: re.Pattern[str]) -> bool:
    return isinstance(value, str) and form.fullmatch(value) is not None


class Broken(NamedTuple):
    """A promise that was not kept: the hand (None: the whole game), what, told, and derived."""

    kyoku: KyokuRecord | None
    what: str
    told: str
    derived: str


MOST_HANDS: Final = 500
"""Of a part of a game each key must be that of one of so many hands; no game has as many."""


def broken_promises(
    origin: Origin, kyokus: Iterable[KyokuRecord], whole: bool = True
) -> list[Broken]:
    """Everything in which the seed, its promise and the keys of the hands do not agree.

    Without `whole` they are some hands of the game, in order, and their numbers are unknown; a
    seed that such a part does not show breaks no promise, as the game may not be over.
    """
    if not origin.seed:
        missing = Broken(None, "end_game seed", "none", "the seed that seed_hash promises")
        return [missing] if whole else []
    broken = []
    real_hash = commitment(origin.seed)
    if origin.seed_hash != real_hash:
        told = origin.seed_hash or "none"
        broken.append(Broken(None, "start_game seed_hash", told, real_hash))
    seed = origin.walls_seed()
    number = 0
    for kyoku in kyokus:
        end = kyoku.events[-1]
        told = end.wall_key if isinstance(end, ev.EndKyoku) else ""
        numbers = range(number, number + 1 if whole else MOST_HANDS)
        found = next((n for n in numbers if kyoku_key(seed, n).hex() == told), None)
        if found is None:
            derived = kyoku_key(seed, number).hex() if whole else "no such key for any later hand"
            broken.append(Broken(kyoku, "end_kyoku wall_key", told or "none", derived))
        number = (number if found is None else found) + 1
    return broken
