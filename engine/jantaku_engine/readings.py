"""Readings: every way to see a winning hand as groups, with what each group is worth.

A reading is three integers that are sums over its groups and pair, so that the parts of a hand
(a suit, a meld) are added up without looking at their groups again:

* `sequences`: how many sequences begin at each place, 3 bits for each of 21 places (7 a suit);
* `triplets`: the kinds of triplets and quads, one bit each;
* `shape`: counts in the fields below.

What a suit's code can be read as is computed once and remembered.

Tiles to count (for dora, for the codes of suits) are added up in two integers, three bits a
kind: m and p in one; s, honours and the number of red fives in the other.
"""

from __future__ import annotations

from typing import Final

from . import melds as meld
from .shapes import Grouping, groupings
from .tiles import DORA_OF, IS_YAOCHUU, KIND

Part = tuple[int, int, int]
"""`sequences`, `triplets` and `shape` of some of the groups of a hand."""

# --- Tiles added up ----------------------------------------------------------------------------

REDS_SHIFT: Final = 54

MP: Final = tuple(1 << 3 * kind if kind < 18 else 0 for kind in KIND[:37])
"""What each tile code adds to the sum of m and p."""

SZ: Final = tuple(
    (1 << 3 * (kind - 18) if kind >= 18 else 0) + (code >= 34) * (1 << REDS_SHIFT)
    for code, kind in enumerate(KIND[:37])
)
"""What each tile code adds to the sum of s, honours and red fives."""


def count_dora(indicators: tuple[int, ...], mp: int, sz: int) -> int:
    """Dora of these indicators among the tiles (RULES 1.6)."""
    count = 0
    for indicator in indicators:
        dora = DORA_OF[KIND[indicator]]
        count += (mp >> 3 * dora if dora < 18 else sz >> 3 * (dora - 18)) & 7
    return count


# --- Fields of `shape` -------------------------------------------------------------------------

FU_MASK: Final = 0xFF
"""Fu of triplets, quads and the wait, bits 0-7."""
CONCEALED_SHIFT: Final = 8
"""Number of concealed triplets and quads, 3 bits."""
TRIPLET_SHIFT: Final = 11
"""Number of triplets and quads, 3 bits."""
KAN_SHIFT: Final = 14
"""Number of quads, 3 bits."""
OUTSIDE_SHIFT: Final = 17
"""Number of groups and pair with a terminal or honour, 3 bits."""
SEQUENCE_SHIFT: Final = 20
"""Number of sequences, 3 bits."""
WAIT_SHIFT: Final = 23
"""How the winning tile completes the hand, 3 bits."""
PAIRS_SHIFT: Final = 26
"""Number of pairs, 3 bits: 1 in the reading of a complete hand."""
PAIR_SHIFT: Final = 29
"""Kind of the pair, 6 bits."""

_CONCEALED: Final = 1 << CONCEALED_SHIFT
_TRIPLET: Final = 1 << TRIPLET_SHIFT
_KAN: Final = 1 << KAN_SHIFT
_OUTSIDE: Final = 1 << OUTSIDE_SHIFT
_SEQUENCE: Final = 1 << SEQUENCE_SHIFT

TANKI: Final = 1
SHANPON: Final = 2
RYANMEN: Final = 3
KANCHAN: Final = 4
PENCHAN: Final = 5

WAIT_NAMES: Final = ("", "tanki", "shanpon", "ryanmen", "kanchan", "penchan")
"""Name of each way to complete the hand."""

# --- Colours: which tiles a part has, as bits that are joined by or ----------------------------

HONOURS: Final = 1 << 3
SIMPLES: Final = 1 << 4
TERMINALS: Final = 1 << 5
NOT_GREEN: Final = 1 << 6
GREEN_DRAGON: Final = 1 << 7
NOT_PEACOCK: Final = 1 << 8

_GREEN: Final = (19, 20, 21, 23, 25, 32)
_PEACOCK: Final = (18, 22, 24, 26, 33)


def _colour(kind: int) -> int:
    colour = 1 << kind // 9
    if not IS_YAOCHUU[kind]:
        colour |= SIMPLES
    elif kind < 27:
        colour |= TERMINALS
    if kind not in _GREEN:
        colour |= NOT_GREEN
    if kind == 32:
        colour |= GREEN_DRAGON
    if kind not in _PEACOCK:
        colour |= NOT_PEACOCK
    return colour


_COLOUR: Final = tuple(_colour(kind) for kind in range(34))


# --- Groups ------------------------------------------------------------------------------------


def _sequence(kind: int) -> Part:
    outside = _OUTSIDE if kind % 9 in (0, 6) else 0
    return 1 << 3 * (kind // 9 * 7 + kind % 9), 0, _SEQUENCE + outside


def triplet_fu(kind: int, concealed: bool, quad: bool) -> int:
    """Fu of a triplet or quad (RULES 7.1)."""
    return (2 << concealed << IS_YAOCHUU[kind]) * (4 if quad else 1)


def _triplet(kind: int, concealed: bool, quad: bool = False) -> Part:
    shape = _TRIPLET + triplet_fu(kind, concealed, quad)
    if concealed:
        shape += _CONCEALED
    if quad:
        shape += _KAN
    if IS_YAOCHUU[kind]:
        shape += _OUTSIDE
    return 0, 1 << kind, shape


def _pair(kind: int) -> Part:
    outside = _OUTSIDE if IS_YAOCHUU[kind] else 0
    return 0, 0, (kind << PAIR_SHIFT) + (1 << PAIRS_SHIFT) + outside


_SEQUENCES: Final = tuple([_sequence(kind) for kind in range(27)])
_TRIPLETS: Final = tuple([_triplet(kind, True) for kind in range(34)])
_PAIRS: Final = tuple([_pair(kind) for kind in range(34)])


def _whole(first: int, grouping: Grouping) -> Part:
    """The sums over the groups and the pair of one suit, whose first kind is given."""
    pair, runs, triplets = grouping
    sequences = kinds = shape = 0
    for rank in runs:
        part = _SEQUENCES[first + rank]
        sequences += part[0]
        shape += part[2]
    for rank in triplets:
        part = _TRIPLETS[first + rank]
        kinds += part[1]
        shape += part[2]
    if pair >= 0:
        shape += _PAIRS[first + pair][2]
    return sequences, kinds, shape


# --- Suits -------------------------------------------------------------------------------------

Suit = tuple[int, tuple[Part, ...]]
"""Colours of one suit of the concealed tiles, and its readings."""

SUITS: Final[tuple[dict[int, Suit], ...]] = ({}, {}, {}, {})
"""Remembered by suit and code: suits without the winning tile."""

WINNING_SUITS: Final[tuple[dict[int, Suit], ...]] = ({}, {}, {}, {}, {}, {}, {}, {})
"""Remembered by suit * 2 + tsumo and code << 4 | rank: the suit of the winning tile."""


def _suit_colours(suit: int, code: int) -> int:
    colours = 0
    for rank in range(9):
        if code >> 3 * rank & 7:
            colours |= _COLOUR[9 * suit + rank]
    return colours


def read_suit(suit: int, code: int) -> Suit:
    """Readings of a suit that the winning tile is not of; none when it does not split."""
    known = SUITS[suit].get(code)
    if known is None:
        readings = [_whole(9 * suit, grouping) for grouping in groupings(code, suit == 3)]
        known = SUITS[suit][code] = (_suit_colours(suit, code), tuple(readings))
    return known


def read_winning_suit(suit: int, code: int, rank: int, tsumo: bool) -> Suit:
    """Readings of a suit that the winning tile, which `code` contains, is of.

    Each split comes once for each group that the winning tile may complete: a triplet that a
    ron completes is open (RULES 7.1), and the wait has its fu.
    """
    memo = WINNING_SUITS[suit * 2 + tsumo]
    known = memo.get(code << 4 | rank)
    if known is None:
        first = 9 * suit
        readings: dict[Part, None] = {}
        for grouping in groupings(code, suit == 3):
            sequences, triplets, shape = _whole(first, grouping)
            for added in _completions(first, rank, tsumo, grouping):
                readings[sequences, triplets, shape + added] = None
        known = memo[code << 4 | rank] = (_suit_colours(suit, code), tuple(readings))
    return known


def _completions(first: int, rank: int, tsumo: bool, grouping: Grouping) -> list[int]:
    """What each group that the winning tile may complete adds to the shape."""
    pair, runs, triplets = grouping
    added = []
    if pair == rank:
        added.append((TANKI << WAIT_SHIFT) + 2)
    if rank in triplets:
        change = 0
        if not tsumo:
            kind = first + rank
            change = triplet_fu(kind, False, False) - triplet_fu(kind, True, False) - _CONCEALED
        added.append((SHANPON << WAIT_SHIFT) + change)
    if rank in runs:
        added.append((PENCHAN << WAIT_SHIFT) + 2 if rank == 6 else RYANMEN << WAIT_SHIFT)
    if rank - 1 in runs:
        added.append((KANCHAN << WAIT_SHIFT) + 2)
    if rank - 2 in runs:
        added.append((PENCHAN << WAIT_SHIFT) + 2 if rank == 2 else RYANMEN << WAIT_SHIFT)
    return added


# --- Melds -------------------------------------------------------------------------------------

LaidDown = tuple[int, int, int, int]
"""Colours of a meld, and the three sums of its group."""


def _laid_down(type_: int, kind: int) -> LaidDown:
    if type_ != meld.CHI:
        part = _triplet(kind, type_ == meld.ANKAN, type_ >= meld.DAIMINKAN)
        return _COLOUR[kind], part[0], part[1], part[2]
    if kind >= 27 or kind % 9 > 6:
        return 0, 0, 0, 0
    part = _sequence(kind)
    colours = _COLOUR[kind] | _COLOUR[kind + 1] | _COLOUR[kind + 2]
    return colours, part[0], part[1], part[2]


LAID_DOWN: Final[tuple[LaidDown, ...]] = tuple(
    _laid_down(type_, kind) for type_ in range(5) for kind in range(34)
)
"""Group of each meld by type * 34 + lowest kind: only an ankan is concealed (RULES 7.1)."""
