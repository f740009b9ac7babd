"""Hand shapes: distance to a complete hand, waits, and how a hand splits into groups.

A suit is one small number, its *code*: the count of rank r (0-8, or 0-6 for honours) is the
octal digit r, so codes of parts of a hand add up. Whatever is asked of a suit is computed once
for each code and then remembered, so that an answer is a few lookups.

Tiles of melds are not part of a shape: `melds` says how many groups are already laid down.

Shanten counts tiles that can exist: no target holds five of a kind. Waits only look at the
shape: a kind that completes it counts even when the hand holds all four already (karaten,
RULES 6.4); callers that care remove it. A hand with nothing but such waits therefore has waits
and shanten 1.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from .shape_tables import DOUBLE, HONOUR_ROWS, KINDS, LACKING, MERGED, SINGLE, SUIT_ROWS
from .tiles import YAOCHUU

SUIT_MASK: Final = (1 << 27) - 1
"""The nine digits of a suit code."""

ONES: Final = 0o111111111
"""Every digit of a suit code once."""

_ORPHANS: Final = sum(1 << kind for kind in YAOCHUU)


Codes = tuple[int, int, int, int]
"""Codes of m, p, s and honours."""


class Decomposition(NamedTuple):
    """One way to split the concealed part of a complete hand into groups and a pair.

    Attributes:
        pair: kind of the pair, 0-33.
        sequences: lowest kind of each sequence, ascending.
        triplets: kind of each triplet, ascending.
    """

    pair: int
    sequences: tuple[int, ...]
    triplets: tuple[int, ...]


Grouping = tuple[int, tuple[int, ...], tuple[int, ...]]
"""The same for one suit, in ranks; the pair is -1 where the suit has none."""


def suit_codes(counts: list[int]) -> Codes:
    """Codes of m, p, s and honours of 34 counts."""
    c = counts
    return (
        c[0] + (c[1] << 3) + (c[2] << 6) + (c[3] << 9) + (c[4] << 12)
        + (c[5] << 15) + (c[6] << 18) + (c[7] << 21) + (c[8] << 24),
        c[9] + (c[10] << 3) + (c[11] << 6) + (c[12] << 9) + (c[13] << 12)
        + (c[14] << 15) + (c[15] << 18) + (c[16] << 21) + (c[17] << 24),
        c[18] + (c[19] << 3) + (c[20] << 6) + (c[21] << 9) + (c[22] << 12)
        + (c[23] << 15) + (c[24] << 18) + (c[25] << 21) + (c[26] << 24),
        c[27] + (c[28] << 3) + (c[29] << 6) + (c[30] << 9) + (c[31] << 12)
        + (c[32] << 15) + (c[33] << 18),
    )  # fmt: skip


# --- Groups -----------------------------------------------------------------------------------

_GROUPS: Final[tuple[dict[int, tuple[Grouping, ...]], ...]] = ({}, {})
_SETS: Final[dict[int, tuple[Grouping, ...]]] = {0: ((-1, (), ()),)}
_HONOUR_SETS: Final[dict[int, tuple[Grouping, ...]]] = {0: ((-1, (), ()),)}


def _digit_sum(code: int) -> int:
    total = 0
    while code:
        total += code & 7
        code >>= 3
    return total


def _sets(code: int, honours: bool) -> tuple[Grouping, ...]:
    """Ways to split a code into sequences and triplets only, lowest rank first.

    The lowest rank is either a triplet and some sequences or only sequences, so that no way
    comes twice.
    """
    memo = _HONOUR_SETS if honours else _SETS
    known = memo.get(code)
    if known is not None:
        return known
    shift = 0
    while not code >> shift & 7:
        shift += 3
    rank = shift // 3
    count = code >> shift & 7
    found: list[Grouping] = []
    for triplets in (1, 0):
        runs = count - 3 * triplets
        if runs < 0 or (runs and (honours or rank > 6)):
            continue
        if runs and (code >> shift + 3 & 7 < runs or code >> shift + 6 & 7 < runs):
            continue
        rest = code - (3 * triplets + runs * 0o111 << shift)
        for _, low_runs, low_triplets in _sets(rest, honours):
            found.append((-1, (rank,) * runs + low_runs, (rank,) * triplets + low_triplets))
    memo[code] = tuple(found)
    return memo[code]


def groupings(code: int, honours: bool) -> tuple[Grouping, ...]:
    """Every way to split one suit into groups, with a pair when a pair is what is left over.

    A suit whose number of tiles is 1 more than a multiple of three has none.
    """
    memo = _GROUPS[honours]
    known = memo.get(code)
    if known is not None:
        return known
    found: tuple[Grouping, ...] = ()
    size = _digit_sum(code) % 3
    if size == 0:
        found = _sets(code, honours)
    elif size == 2:
        found = tuple(
            (rank, runs, triplets)
            for rank in range(7 if honours else 9)
            if code >> 3 * rank & 7 >= 2
            for _, runs, triplets in _sets(code - (2 << 3 * rank), honours)
        )
    memo[code] = found
    return found


def decompositions(counts: list[int], melds: int) -> tuple[Decomposition, ...]:
    """Every split of 14 - 3 * melds concealed tiles into groups and one pair.

    Seven pairs and thirteen orphans are no such split; they are asked with `is_chiitoitsu`
    and `is_kokushi`. Empty when the tiles do not make a standard hand.
    """
    codes = suit_codes(counts)
    if sum(counts) != 14 - 3 * melds or not _one_pair(codes):
        return ()
    found: list[Decomposition] = [Decomposition(-1, (), ())]
    for suit, code in enumerate(codes):
        if code:
            first = 9 * suit
            found = [
                Decomposition(
                    done.pair if pair < 0 else first + pair,
                    done.sequences + tuple([first + rank for rank in runs]),
                    done.triplets + tuple([first + rank for rank in triplets]),
                )
                for done in found
                for pair, runs, triplets in groupings(code, suit == 3)
            ]
    return tuple(found)


# --- Waits ------------------------------------------------------------------------------------

# One number for each suit code: bit 0 = it splits into groups (and a pair, if two tiles are
# left over); bits 1-9 = ranks whose tile makes it do so; bits 10-11 = tiles modulo 3.
_WAITS: Final[tuple[dict[int, int], ...]] = ({}, {})
_WAIT_BITS: Final = (1 << 9) - 1


def _suit_waits(code: int, honours: bool) -> int:
    known = _WAITS[honours].get(code)
    if known is not None:
        return known
    size = _digit_sum(code) % 3
    value = size << 10
    if size == 0:
        value |= bool(_sets(code, honours))
    else:
        value |= bool(groupings(code, honours))
        for rank in range(7 if honours else 9):
            if groupings(code + (1 << 3 * rank), honours):
                value |= 2 << rank
    _WAITS[honours][code] = value
    return value


def _one_pair(codes: Codes) -> bool:
    """Every suit splits into groups, exactly one of them with a pair."""
    m, p, s, z = codes
    a = _suit_waits(m, False)
    b = _suit_waits(p, False)
    c = _suit_waits(s, False)
    d = _suit_waits(z, True)
    return bool(a & b & c & d & 1) and (a >> 10) + (b >> 10) + (c >> 10) + (d >> 10) == 2


def is_complete(counts: list[int], melds: int) -> bool:
    """Whether 14 - 3 * melds concealed tiles are a complete hand of any form (RULES 5.1).

    Shiisan puutou, which is no shape to wait for, is not asked here.
    """
    codes = suit_codes(counts)
    if _one_pair(codes) and sum(counts) == 14 - 3 * melds:
        return True
    return melds == 0 and (is_chiitoitsu(codes) or is_kokushi(codes))


def waits(counts: list[int], melds: int) -> int:
    """Bit mask of the kinds that complete 13 - 3 * melds concealed tiles (RULES 4).

    0 when the hand is not tenpai, or has another number of tiles. A kind of which the hand
    holds four already is included.
    """
    return waits_of_codes(suit_codes(counts), melds)


def waits_of_codes(codes: Codes, melds: int) -> int:
    """`waits` of suit codes."""
    m, p, s, z = codes
    a = _WAITS[0].get(m, -1)
    if a < 0:
        a = _suit_waits(m, False)
    b = _WAITS[0].get(p, -1)
    if b < 0:
        b = _suit_waits(p, False)
    c = _WAITS[0].get(s, -1)
    if c < 0:
        c = _suit_waits(s, False)
    d = _WAITS[1].get(z, -1)
    if d < 0:
        d = _suit_waits(z, True)
    sizes = (a >> 10) + (b >> 10) + (c >> 10) + (d >> 10)
    mask = 0
    if sizes == 1 or sizes == 4:
        # Either one suit has a tile too many and waits to make it a pair, or two suits have
        # a pair and wait to make one of the two a group. A suit's waits count when its three
        # neighbours are complete.
        if b & c & d & 1:
            mask = a >> 1 & _WAIT_BITS
        if a & c & d & 1:
            mask |= (b >> 1 & _WAIT_BITS) << 9
        if a & b & d & 1:
            mask |= (c >> 1 & _WAIT_BITS) << 18
        if a & b & c & 1:
            mask |= (d >> 1 & _WAIT_BITS) << 27
    if melds == 0:
        mask |= _special_waits(codes)
    return mask


# --- Seven pairs and thirteen orphans -----------------------------------------------------------

TERMINALS_ONCE: Final = 0o100000001
"""The digits of 1 and 9 of a suit once."""

HONOURS_ONCE: Final = 0o1111111
"""The digits of the seven honours once."""

# Of a suit code: how many kinds it has, how many of them at least twice, and the same for
# terminals only, 4 bits each.
_KINDS: Final[dict[int, int]] = {}


def _suit_kinds(code: int) -> int:
    known = _KINDS.get(code)
    if known is not None:
        return known
    value = 0
    for rank in range(9):
        count = code >> 3 * rank & 7
        step = 0x101 if rank in (0, 8) else 0x001
        value += step * (count > 0) + (step << 4) * (count > 1)
    _KINDS[code] = value
    return value


def is_chiitoitsu(codes: Codes) -> bool:
    """Fourteen tiles that are seven different pairs (RULES 5.4)."""
    m, p, s, z = codes
    if (m | p | s | z) & ~(2 * ONES):
        return False
    return m.bit_count() + p.bit_count() + s.bit_count() + z.bit_count() == 7


def is_kokushi(codes: Codes) -> bool:
    """Fourteen tiles that are the thirteen orphans and one of them again."""
    return _orphan_kinds(codes) == 13 and _outsiders(codes) == 0


def _outsiders(codes: Codes) -> int:
    """Non-zero when the hand has a tile from 2 to 8."""
    m, p, s, _ = codes
    return (m | p | s) & ~(7 * TERMINALS_ONCE)


def _orphan_kinds(codes: Codes) -> int:
    m, p, s, z = codes
    of_suits = _suit_kinds(m) + _suit_kinds(p) + _suit_kinds(s)
    return (of_suits >> 8 & 15) + (_suit_kinds(z) & 15)


def _special_waits(codes: Codes) -> int:
    """Waits of thirteen tiles for seven pairs and for thirteen orphans."""
    m, p, s, z = codes
    mask = 0
    triples = (m & m >> 1) | (p & p >> 1) | (s & s >> 1) | (z & z >> 1)
    if not (m | p | s | z) & (4 * ONES) and not triples & ONES:
        singles = [code & ONES for code in codes]
        if sum(code.bit_count() for code in singles) == 1:
            for suit, code in enumerate(singles):
                if code:
                    mask |= 1 << 9 * suit + (code.bit_length() - 1) // 3
    if not _outsiders(codes) and _orphan_kinds(codes) >= 12:
        missing = 0
        for kind in YAOCHUU:
            if not codes[kind // 9] >> 3 * (kind % 9) & 7:
                missing |= 1 << kind
        mask |= missing or _ORPHANS
    return mask


# --- Shanten ------------------------------------------------------------------------------------


def shanten(counts: list[int], melds: int) -> int:
    """Tiles still to exchange until tenpai: -1 complete, 0 tenpai, up to 8 (RULES 5.1).

    The least over standard form, seven pairs and thirteen orphans, of 13 or 14 concealed
    tiles minus 3 * melds, four of a kind at most.
    """
    c = counts
    m = (
        c[0] + 5 * c[1] + 25 * c[2] + 125 * c[3] + 625 * c[4]
        + 3125 * c[5] + 15625 * c[6] + 78125 * c[7] + 390625 * c[8]
    )  # fmt: skip
    p = (
        c[9] + 5 * c[10] + 25 * c[11] + 125 * c[12] + 625 * c[13]
        + 3125 * c[14] + 15625 * c[15] + 78125 * c[16] + 390625 * c[17]
    )  # fmt: skip
    s = (
        c[18] + 5 * c[19] + 25 * c[20] + 125 * c[21] + 625 * c[22]
        + 3125 * c[23] + 15625 * c[24] + 78125 * c[25] + 390625 * c[26]
    )  # fmt: skip
    z = (
        c[27] + 5 * c[28] + 25 * c[29] + 125 * c[30] + 625 * c[31]
        + 3125 * c[32] + 15625 * c[33]
    )  # fmt: skip
    mp = MERGED[SUIT_ROWS[m] * SINGLE + SUIT_ROWS[p]]
    sz = MERGED[SUIT_ROWS[s] * SINGLE + HONOUR_ROWS[z]]
    lacking = LACKING[(melds * DOUBLE + mp) * DOUBLE + sz]
    if melds == 0 and lacking > 1:
        kinds = KINDS[m] + KINDS[p] + KINDS[s] + KINDS[z]
        pairs = kinds >> 4
        kinds &= 15
        other = 7 - pairs + (7 - kinds if kinds < 7 else 0)
        if other < lacking:
            lacking = other
        # Thirteen orphans lack at least as many tiles as there are kinds too few.
        if 14 - kinds <= lacking:
            other = _orphans_lacking(c)
            if other < lacking:
                lacking = other
    return lacking - 1


def _orphans_lacking(counts: list[int]) -> int:
    kinds = pair = 0
    for kind in YAOCHUU:
        count = counts[kind]
        if count:
            kinds += 1
            if count > 1:
                pair = 1
    return 14 - kinds - pair
