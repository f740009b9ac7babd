"""Tiles: ids, kinds and the small code that the table plays with.

Three numbers name a tile:

* an *id*, 0-135, names one of the 136 physical tiles; only the wall uses it (RULES 1.1);
* a *kind*, 0-33, is what a rule compares: 0-8 = 1-9m, 9-17 = 1-9p, 18-26 = 1-9s,
  27-33 = East, South, West, North, White, Green, Red; kind = id // 4;
* a *tile*, 0-36, is what a player sees: a kind, or 34, 35, 36 for a red five of m, p, s.

Two tiles of the same code are the same to every rule, so hands, rivers, melds, actions and
events hold tile codes, and the menu never lists a choice twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

KINDS: Final = 34
TILES: Final = 37
UNKNOWN: Final = 37
"""The code of a tile that the viewer may not know; `?` in text."""

EAST: Final = 27
SOUTH: Final = 28
WEST: Final = 29
NORTH: Final = 30
HAKU: Final = 31
HATSU: Final = 32
CHUN: Final = 33

RED_FIVES: Final = (34, 35, 36)
"""Codes of the red fives of m, p, s."""

KIND: Final[tuple[int, ...]] = (*range(34), 4, 13, 22, UNKNOWN)
"""Kind of each tile code."""

YAOCHUU: Final = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
"""Kinds of terminals and honours."""

IS_YAOCHUU: Final[tuple[bool, ...]] = tuple(k in YAOCHUU for k in range(34))

DORA_OF: Final[tuple[int, ...]] = (
    *(s * 9 + (n + 1) % 9 for s in range(3) for n in range(9)),
    28, 29, 30, 27, 32, 33, 31,
)  # fmt: skip
"""Kind of the dora that an indicator of each kind points to (RULES 1.6)."""

_HONOURS: Final = "ESWNPFC"
MJAI: Final[tuple[str, ...]] = (
    *(f"{n}{s}" for s in "mps" for n in range(1, 10)),
    *_HONOURS,
    "5mr",
    "5pr",
    "5sr",
    "?",
)
"""mjai text of each tile code."""

MPSZ: Final[tuple[str, ...]] = (
    *(f"{n}{s}" for s in "mps" for n in range(1, 10)),
    *(f"{n}z" for n in range(1, 8)),
    "0m",
    "0p",
    "0s",
    "?",
)
"""mpsz text of each tile code."""

UNICODE: Final[tuple[str, ...]] = (
    *(chr(0x1F007 + n) for n in range(9)),
    *(chr(0x1F019 + n) for n in range(9)),
    *(chr(0x1F010 + n) for n in range(9)),
    *(chr(0x1F000 + n) for n in range(4)),
    chr(0x1F006),
    chr(0x1F005),
    chr(0x1F004),
    chr(0x1F00B),
    chr(0x1F01D),
    chr(0x1F014),
    chr(0x1F02B),
)
"""Unicode picture of each tile code (red fives look like fives)."""

SORT_KEY: Final[tuple[int, ...]] = (*(k * 2 for k in range(34)), 9, 27, 45, 99)
"""Sort key of each tile code: by kind, a red five right after the ordinary fives."""

_FROM_MJAI: Final[dict[str, int]] = {text: code for code, text in enumerate(MJAI)}
_FROM_MPSZ: Final[dict[str, int]] = {text: code for code, text in enumerate(MPSZ)}

DEFAULT_AKA: Final[Mapping[str, int]] = {"m": 1, "p": 1, "s": 1}


class TileError(ValueError):
    """A text or number that names no tile, or a set of tiles that cannot be."""


def tile_table(aka: Mapping[str, int] = DEFAULT_AKA) -> tuple[int, ...]:
    """Tile code of each id 0-135, with `aka` red fives a suit (0-4 each; RULES 1.1).

    The reds of a suit are the first copies: 16, 52 and 88 with one red a suit.
    """
    codes = [tile_id // 4 for tile_id in range(136)]
    for suit, name in enumerate("mps"):
        for copy in range(aka[name]):
            codes[suit * 36 + 16 + copy] = 34 + suit
    return tuple(codes)


def parse_mjai(text: object) -> int:
    """Tile code of an mjai text (`5mr`, `E`, `?`).

    Raises:
        TileError: no text, or one that names no tile.
    """
    code = _FROM_MJAI.get(text, -1) if isinstance(text, str) else -1
    if code < 0:
        raise TileError(f"{text!r} is no tile: mjai names are 1m..9s, 5mr, E S W N P F C")
    return code


def parse_mpsz(text: str) -> list[int]:
    """Tile codes of mpsz text in the order written (`340m12z`; 0 = red five).

    Raises:
        TileError: a digit without a suit, an unknown letter, or 8z, 9z, 0z.
    """
    tiles: list[int] = []
    digits = ""
    for position, char in enumerate(text):
        if char in "0123456789":
            digits += char
        elif char in "mpsz" and digits:
            for digit in digits:
                code = _FROM_MPSZ.get(digit + char)
                if code is None:
                    raise TileError(f"{digit}{char} in {text!r} is no tile: honours are 1z..7z")
                tiles.append(code)
            digits = ""
        else:
            raise TileError(
                f"{text!r} cannot be read at {char!r} (position {position}): write digits, then "
                "m, p, s or z; 1z..7z are E S W N White Green Red"
            )
    if digits:
        raise TileError(f"{text!r} ends in digits without a suit letter (m, p, s or z)")
    return tiles


def format_mpsz(tiles: Iterable[int]) -> str:
    """Compact mpsz text of tile codes, sorted by kind (`340m12z`)."""
    parts: list[str] = []
    suit = ""
    for code in sort_tiles(tiles):
        text = MPSZ[code]
        if suit and text[-1] != suit:
            parts.append(suit)
        parts.append(text[0])
        suit = text[-1]
    return "".join(parts) + suit


def sort_tiles(tiles: Iterable[int]) -> list[int]:
    """Tile codes sorted by kind, red fives after ordinary fives."""
    return sorted(tiles, key=SORT_KEY.__getitem__)


def kind_counts(tiles: Iterable[int]) -> list[int]:
    """How many tiles of each of the 34 kinds; unknown tiles are not counted."""
    counts = [0] * 34
    for code in tiles:
        if code < 37:
            counts[KIND[code]] += 1
    return counts


def check_possible(tiles: Sequence[int], aka: Mapping[str, int] = DEFAULT_AKA) -> None:
    """Check that these tiles can come from one set.

    Raises:
        TileError: five of a kind, or more red fives than the set has (RULES 1.1).
    """
    for kind, count in enumerate(kind_counts(tiles)):
        if count > 4:
            raise TileError(f"{count} tiles of {MPSZ[kind]}: there are only four")
    for suit, name in enumerate("mps"):
        for code, most in ((34 + suit, aka[name]), (4 + suit * 9, 4 - aka[name])):
            count = sum(1 for tile in tiles if tile == code)
            if count > most:
                raise TileError(f"{count} tiles of {MPSZ[code]}: the rules have {most}")
