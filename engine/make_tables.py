"""Write `jantaku_engine/shape_tables.py`: the tables that shanten looks up.

    python engine/make_tables.py

A suit is a number in base 5 here, the count of rank r being the digit r. What a part of the hand
lacks is a *row*: entry 5 * h + j is the least number of tiles to add for j groups and h pairs. The
405,350 suits of up to fourteen tiles have only 126 different rows, the honours 55, and two
parts together 180; so numbers of rows are bytes, and every step is a look-up.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MOST_TILES: Final = 14
OUTPUT: Final = Path(__file__).parent / "jantaku_engine" / "shape_tables.py"

Row = tuple[int, ...]

# While a row is computed, a set of (groups j, pairs h, tiles lacking d) is an integer with the
# bit 32 * j + 16 * h + d: to add a group and two lacking tiles is one shift.
_ALL: Final = (1 << 160) - 1
_NO_PAIR: Final = sum(0xFFFF << 32 * groups for groups in range(5))


class Rows:
    """Different rows, each with its number in order of appearance."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self._numbers: dict[Row, int] = {}

    def number(self, row: Row) -> int:
        """The number of a row."""
        if row not in self._numbers:
            self._numbers[row] = len(self.rows)
            self.rows.append(row)
        return self._numbers[row]


def suits(ranks: int) -> Iterator[tuple[int, ...]]:
    """Counts of every suit of so many ranks and up to fourteen tiles."""

    def more(counts: tuple[int, ...], left: int) -> Iterator[tuple[int, ...]]:
        if len(counts) == ranks:
            yield counts
            return
        for count in range(min(4, left) + 1):
            yield from more((*counts, count), left - count)

    return more((), MOST_TILES)


def code_of(counts: tuple[int, ...]) -> int:
    """The number in base 5 of a suit."""
    return sum(count * 5**rank for rank, count in enumerate(counts))


def row_of(lacking: int) -> Row:
    """The row whose sets of lacking tiles are these."""
    row = []
    for pairs in range(2):
        for groups in range(5):
            bits = lacking >> 32 * groups + 16 * pairs & 0xFFFF
            row.append((bits & -bits).bit_length() - 1)
    return tuple(row)


def honour_row(counts: tuple[int, ...]) -> Row:
    """What honours lack: triplets and a pair."""
    lacking = 1
    for count in counts:
        pair = (lacking & _NO_PAIR) << 16 + max(0, 2 - count)
        lacking = (lacking | lacking << 32 + max(0, 3 - count) | pair) & _ALL
    return row_of(lacking)


# Walking up the ranks, entry 5 * x + y holds what is lacking when x sequences began two ranks
# ago and y one rank ago.
States = tuple[int, ...]

_LOW_STATES: Final[dict[tuple[int, ...], States]] = {}


def suit_row(counts: tuple[int, ...]) -> Row:
    """What a suit lacks: sequences, triplets and a pair."""
    low = counts[:5]
    states = _LOW_STATES.get(low)
    if states is None:
        states = (1, *(0,) * 24)
        for rank, count in enumerate(low):
            states = next_states(states, count, rank)
        _LOW_STATES[low] = states
    for rank in range(5, 9):
        states = next_states(states, counts[rank], rank)
    return row_of(states[0])


def next_states(states: States, count: int, rank: int) -> States:
    """States one rank up: no kind is used more than four times."""
    after = [0] * 25
    for index, lacking in enumerate(states):
        if not lacking:
            continue
        begun = index % 5
        held = index // 5 + begun
        for new in range(5 - held if rank < 7 else 1):
            used = held + new
            total = _add(lacking, 32 * new, used - count)
            if used < 2:
                total |= _add(lacking, 32 * new + 32, used + 3 - count)
            if used < 3:
                total |= _add(lacking & _NO_PAIR, 32 * new + 16, used + 2 - count)
            after[5 * begun + new] |= total
    return tuple(after)


def _add(lacking: int, parts: int, tiles: int) -> int:
    """Every entry with more groups and pairs (as a shift) and more lacking tiles."""
    return lacking << parts + (tiles if tiles > 0 else 0) & _ALL


def merge(x: Row, y: Row) -> Row:
    """The row of two parts together."""
    return tuple(
        [min(x[i] + y[groups - i] for i in range(groups + 1)) for groups in range(5)]
        + [
            min(min(x[i] + y[5 + groups - i], x[5 + i] + y[groups - i]) for i in range(groups + 1))
            for groups in range(5)
        ]
    )


def kinds_and_pairs(counts: tuple[int, ...]) -> int:
    """How many kinds a suit has, and 16 for each that it has twice."""
    return sum((count > 0) + 16 * (count > 1) for count in counts)


def tables() -> dict[str, bytes]:
    """The content of every table by its name."""
    rows = Rows()
    suit_rows = bytearray(5**9)
    kinds = bytearray(5**9)
    for counts in suits(9):
        code = code_of(counts)
        suit_rows[code] = rows.number(suit_row(counts))
        kinds[code] = kinds_and_pairs(counts)
    honour_rows = bytearray(5**7)
    for counts in suits(7):
        honour_rows[code_of(counts)] = rows.number(honour_row(counts))
    single = len(rows.rows)
    both = Rows()
    merged = bytes(both.number(merge(x, y)) for x in rows.rows for y in rows.rows)
    double = len(both.rows)
    lacking = bytes(
        min(min(x[i] + y[9 - melds - i], x[5 + i] + y[4 - melds - i]) for i in range(5 - melds))
        for melds in range(5)
        for x in both.rows
        for y in both.rows
    )
    assert single < 256
    assert double < 256
    return {
        "SUIT_ROWS": bytes(suit_rows),
        "HONOUR_ROWS": bytes(honour_rows),
        "MERGED": merged,
        "LACKING": lacking,
        "KINDS": bytes(kinds),
        "SINGLE": single.to_bytes(2, "big"),
        "DOUBLE": double.to_bytes(2, "big"),
    }


_DOCS: Final = {
    "SUIT_ROWS": "Row of each suit of m, p or s, by its number in base 5.",
    "HONOUR_ROWS": "Row of the honours, by their number in base 5.",
    "MERGED": "Row of two parts together, by row * SINGLE + row.",
    "LACKING": "Tiles to add for a hand with 0-4 melds, by (melds * DOUBLE + row) * DOUBLE + row.",
    "KINDS": "Kinds of a suit, and 16 for each that it has twice, by its number in base 5.",
}


def module(content: dict[str, bytes]) -> str:
    """The text of the module."""
    single = int.from_bytes(content["SINGLE"], "big")
    double = int.from_bytes(content["DOUBLE"], "big")
    parts = [
        '"""Tables of `shapes.shanten`; written by engine/make_tables.py, not by hand."""',
        "",
        "from __future__ import annotations",
        "",
        "import base64",
        "import zlib",
        "from typing import Final",
        "",
        f"SINGLE: Final = {single}",
        '"""How many different rows single suits and the honours have."""',
        "",
        f"DOUBLE: Final = {double}",
        '"""How many different rows two of them together have."""',
        "",
        "",
        "def _unpack(text: str) -> bytes:",
        "    return zlib.decompress(base64.b64decode(text))",
        "",
        "",
    ]
    for name, doc in _DOCS.items():
        text = base64.b64encode(zlib.compress(content[name], 9)).decode()
        lines = [text[start : start + 88] for start in range(0, len(text), 88)]
        parts += [f"{name}: Final[bytes] = _unpack("]
        parts += [f'    "{line}"' for line in lines]
        parts += [")", f'"""{doc}"""', ""]
    return "\n".join(parts)


if __name__ == "__main__":
    OUTPUT.write_text(module(tables()), encoding="utf-8")
    print(f"{OUTPUT}: {OUTPUT.stat().st_size:,} bytes")
