"""Melds: the sets that a player has laid down (RULES 2.5, 2.8)."""

from __future__ import annotations

from typing import Final

from .tiles import KIND, MPSZ, SORT_KEY, TileError, parse_mpsz, sort_tiles

CHI: Final = 0
PON: Final = 1
DAIMINKAN: Final = 2
KAKAN: Final = 3
ANKAN: Final = 4

MELD_NAMES: Final = ("chi", "pon", "daiminkan", "kakan", "ankan")
"""Name of each meld type, by number."""


class Meld:
    """One laid-down set; immutable.

    Attributes:
        type: `CHI`, `PON`, `DAIMINKAN`, `KAKAN` or `ANKAN`.
        tiles: tile codes, sorted by kind; 3, or 4 for a kan.
        called: tile code taken from another seat (for a kakan, by its pon); -1 for an ankan.
        target: absolute seat 0-3 that the called tile came from; -1 when unknown or none.
        added: tile code added by a kakan; -1 otherwise.
        kind: lowest kind of the set, 0-33.
    """

    __slots__ = ("added", "called", "kind", "target", "tiles", "type")

    def __init__(
        self, type: int, tiles: tuple[int, ...], called: int = -1, target: int = -1, added: int = -1
    ) -> None:
        self.type = type
        self.tiles = tiles if _is_sorted(tiles) else tuple(sort_tiles(tiles))
        self.called = called
        self.target = target
        self.added = added
        self.kind = KIND[self.tiles[0]]

    @property
    def is_kan(self) -> bool:
        """Daiminkan, kakan or ankan."""
        return self.type >= DAIMINKAN

    @property
    def is_open(self) -> bool:
        """Everything but an ankan opens the hand (RULES, Terms: menzen)."""
        return self.type != ANKAN

    def _fields(self) -> tuple[object, ...]:
        return (self.type, self.tiles, self.called, self.target, self.added)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Meld) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash(self._fields())

    def __str__(self) -> str:
        digits = "".join(MPSZ[t][0] for t in self.tiles)
        return f"{MELD_NAMES[self.type]} {digits}{MPSZ[self.tiles[0]][1]}"

    def __repr__(self) -> str:
        return f"<Meld {self} called={self.called} target={self.target} added={self.added}>"


def _is_sorted(tiles: tuple[int, ...]) -> bool:
    before = -1
    for tile in tiles:
        key = SORT_KEY[tile]
        if key < before:
            return False
        before = key
    return True


def parse_meld(text: str) -> Meld:
    """A meld from its text form, tiles in any order (`chi 234p`, `kakan 5550p`).

    Raises:
        TileError: unknown word, wrong number of tiles, or tiles that make no such set.
    """
    words = text.split()
    if len(words) != 2 or words[0] not in MELD_NAMES:
        raise TileError(f"meld {text!r}: write one of {', '.join(MELD_NAMES)} and its tiles")
    type_ = MELD_NAMES.index(words[0])
    tiles = tuple(parse_mpsz(words[1]))
    kinds = sorted(KIND[t] for t in tiles)
    if len(tiles) != (4 if type_ >= DAIMINKAN else 3):
        raise TileError(f"meld {text!r}: {words[0]} has {4 if type_ >= DAIMINKAN else 3} tiles")
    if type_ == CHI:
        low = kinds[0]
        if low >= 27 or low % 9 > 6 or kinds != [low, low + 1, low + 2]:
            raise TileError(f"meld {text!r}: not three consecutive tiles of one suit")
    elif kinds[0] != kinds[-1]:
        raise TileError(f"meld {text!r}: not all of one kind")
    return Meld(type_, tiles)
