"""Readings: every way to see a winning hand as groups, with what each group is worth.

A reading is three integers that are sums over its groups and pair, so that the parts of a hand
(a suit, a meld) are added up without looking at their groups again:

* `sequences`: how many sequences begin at each place, 3 bits for each of 21 places (7 a suit);
* `triplets`: the kinds of triplets and quads, one bit each;
* `shape`: counts in the fields below.

What a suit's code can be read as is computed once and remembered.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final

from . import melds as meld
from .melds import Meld
from .shapes import ONES, groupings
from .tiles import IS_YAOCHUU, KIND
from .yaku import facts as f

Part = tuple[int, int, int]
"""`sequences`, `triplets` and `shape` of some of the groups of a hand."""

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

_HONOURS: Final = 1 << 3
_SIMPLES: Final = 1 << 4
_TERMINALS: Final = 1 << 5
_NOT_GREEN: Final = 1 << 6
_GREEN_DRAGON: Final = 1 << 7
_NOT_PEACOCK: Final = 1 << 8

_GREEN: Final = (19, 20, 21, 23, 25, 32)
_PEACOCK: Final = (18, 22, 24, 26, 33)


def _colour(kind: int) -> int:
    colour = 1 << kind // 9
    if not IS_YAOCHUU[kind]:
        colour |= _SIMPLES
    elif kind < 27:
        colour |= _TERMINALS
    if kind not in _GREEN:
        colour |= _NOT_GREEN
    if kind == 32:
        colour |= _GREEN_DRAGON
    if kind not in _PEACOCK:
        colour |= _NOT_PEACOCK
    return colour


_COLOUR: Final = tuple(_colour(kind) for kind in range(34))


def _colour_facts(colours: int) -> int:
    suits = colours & 7
    facts = suits * f.HAS_MANZU
    if colours & _HONOURS:
        facts |= f.HAS_HONOUR
    if suits == 0:
        facts |= f.NO_SUIT
    elif suits in (1, 2, 4):
        facts |= f.ONE_SUIT
    if not colours & _SIMPLES:
        facts |= f.ALL_YAOCHUU
    if colours & _TERMINALS:
        facts |= f.HAS_TERMINAL
    elif not colours & _HONOURS:
        facts |= f.NO_YAOCHUU
    if not colours & _NOT_GREEN:
        facts |= f.ALL_GREEN
    if colours & _GREEN_DRAGON:
        facts |= f.HAS_HATSU
    if not colours & _NOT_PEACOCK:
        facts |= f.ALL_PEACOCK
    return facts


COLOUR_FACTS: Final = tuple(_colour_facts(colours) for colours in range(512))
"""Hand facts of joined colours."""

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


def _sum(parts: list[Part]) -> Part:
    sequences = triplets = shape = 0
    for part in parts:
        sequences += part[0]
        triplets += part[1]
        shape += part[2]
    return sequences, triplets, shape


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
        first = 9 * suit
        readings = []
        for pair, runs, triplets in groupings(code, suit == 3):
            parts = [_sequence(first + rank) for rank in runs]
            parts += [_triplet(first + rank, True) for rank in triplets]
            if pair >= 0:
                parts.append(_pair(first + pair))
            readings.append(_sum(parts))
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
        for pair, runs, triplets in groupings(code, suit == 3):
            parts = [_sequence(first + low) for low in runs]
            parts += [_triplet(first + kind, True) for kind in triplets]
            if pair >= 0:
                parts.append(_pair(first + pair))
            whole = _sum(parts)
            for added in _completions(first, rank, tsumo, pair, runs, triplets):
                readings[whole[0], whole[1], whole[2] + added] = None
        known = memo[code << 4 | rank] = (_suit_colours(suit, code), tuple(readings))
    return known


def _completions(
    first: int, rank: int, tsumo: bool, pair: int, runs: tuple[int, ...], triplets: tuple[int, ...]
) -> list[int]:
    """What each group that the winning tile may complete adds to the shape."""
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

LaidDown = tuple[int, Part]
"""Colours of a meld, and its group."""

MELDS: Final[tuple[dict[tuple[int, ...], LaidDown], ...]] = ({}, {}, {}, {}, {})
"""Remembered by meld type and tiles."""


def read_meld(laid: Meld) -> LaidDown:
    """The group of a meld: only an ankan is concealed (RULES 7.1)."""
    known = MELDS[laid.type].get(laid.tiles)
    if known is None:
        colours = 0
        for tile in laid.tiles:
            colours |= _COLOUR[KIND[tile]]
        if laid.type == meld.CHI:
            part = _sequence(laid.kind)
        else:
            part = _triplet(laid.kind, laid.type == meld.ANKAN, laid.is_kan)
        known = MELDS[laid.type][laid.tiles] = (colours, part)
    return known


# --- From sums to facts ------------------------------------------------------------------------

_SEQUENCE_FACTS: Final[dict[int, int]] = {}
_TRIPLET_FACTS: Final[dict[int, int]] = {}
_SHAPE_FACTS: Final[dict[int, int]] = {}
_SHAPE_MASK: Final = (1 << PAIRS_SHIFT) - (1 << CONCEALED_SHIFT)


def reading_facts(part: Part) -> int:
    """Hand facts of a whole reading, without those of its tiles and of the winds."""
    sequences, triplets, shape = part
    facts = _PAIR_FACTS[shape >> PAIR_SHIFT]
    known = _SHAPE_FACTS.get(shape & _SHAPE_MASK, -1)
    facts |= known if known >= 0 else _shape_facts(shape & _SHAPE_MASK)
    if sequences:
        known = _SEQUENCE_FACTS.get(sequences, -1)
        facts |= known if known >= 0 else _sequence_facts(sequences)
    if triplets:
        known = _TRIPLET_FACTS.get(triplets, -1)
        facts |= known if known >= 0 else _triplet_facts(triplets)
    return facts


def _sequence_facts(sequences: int) -> int:
    counts = [sequences >> 3 * place & 7 for place in range(21)]
    twins = sum(1 for count in counts if count > 1)
    facts = f.HAS_SEQUENCE
    if sum(counts) == 4:
        facts |= f.FOUR_SEQUENCES
    if twins:
        facts |= f.TWIN_SEQUENCES
    if twins == 2:
        facts |= f.TWO_TWINS | f.TWO_DIFFERENT_TWINS
    if max(counts) > 2:
        facts |= f.THREE_SAME_SEQUENCES
    if max(counts) > 3:
        facts |= f.FOUR_SAME_SEQUENCES | f.TWO_TWINS
    for rank in range(7):
        if counts[rank] and counts[rank + 7] and counts[rank + 14]:
            facts |= f.SAME_SEQUENCE_IN_SUITS
    for suit in range(3):
        if counts[7 * suit] and counts[7 * suit + 3] and counts[7 * suit + 6]:
            facts |= f.STRAIGHT
            if suit == 2:
                facts |= f.STRAIGHT_OF_SOUZU
    for low, middle, high in permutations(range(3)):
        if counts[7 * low] and counts[7 * middle + 3] and counts[7 * high + 6]:
            facts |= f.STRAIGHT_IN_SUITS
    _SEQUENCE_FACTS[sequences] = facts
    return facts


def _triplet_facts(triplets: int) -> int:
    facts = 0
    for kind, fact in (
        (27, f.EAST_TRIPLET),
        (30, f.NORTH_TRIPLET),
        (31, f.HAKU_TRIPLET),
        (32, f.HATSU_TRIPLET),
        (33, f.CHUN_TRIPLET),
    ):
        if triplets >> kind & 1:
            facts |= fact
    winds = (triplets >> 27 & 15).bit_count()
    if winds >= 3:
        facts |= f.THREE_WINDS
    if winds == 4:
        facts |= f.FOUR_WINDS
    if (triplets >> 31).bit_count() >= 2:
        facts |= f.TWO_DRAGONS
    suits = [triplets >> 9 * suit & 0x1FF for suit in range(3)]
    if suits[0] & suits[1] & suits[2]:
        facts |= f.SAME_TRIPLET_IN_SUITS
    for ranks in suits:
        if ranks & ranks >> 1 & ranks >> 2:
            facts |= f.THREE_CONSECUTIVE_TRIPLETS
        if ranks & ranks >> 1 & ranks >> 2 & ranks >> 3:
            facts |= f.FOUR_CONSECUTIVE_TRIPLETS
    _TRIPLET_FACTS[triplets] = facts
    return facts


def _shape_facts(shape: int) -> int:
    facts = 0
    concealed = shape >> CONCEALED_SHIFT & 7
    if concealed >= 3:
        facts |= f.THREE_CONCEALED
    if concealed == 4:
        facts |= f.FOUR_CONCEALED
    if shape >> TRIPLET_SHIFT & 7 == 4:
        facts |= f.FOUR_TRIPLETS
    kans = shape >> KAN_SHIFT & 7
    if kans >= 3:
        facts |= f.THREE_KANS
    if kans == 4:
        facts |= f.FOUR_KANS
    if shape >> OUTSIDE_SHIFT & 7 == 5:
        facts |= f.ALL_OUTSIDE
    wait = shape >> WAIT_SHIFT & 7
    if wait == RYANMEN:
        facts |= f.RYANMEN
    elif wait == TANKI:
        facts |= f.TANKI
    _SHAPE_FACTS[shape] = facts
    return facts


def _pair_facts(kind: int) -> int:
    if kind < 27:
        return 0
    if kind >= 31:
        return f.DRAGON_PAIR | f.VALUED_PAIR
    ends = {27: f.EAST_PAIR, 30: f.NORTH_PAIR}
    return f.WIND_PAIR | ends.get(kind, 0)


_PAIR_FACTS: Final = tuple(_pair_facts(kind) for kind in range(34))

# --- Forms that are no groups ------------------------------------------------------------------


def is_unconnected(codes: tuple[int, int, int, int]) -> bool:
    """Fourteen tiles in the form of shiisan puutou (RULES 5.7).

    Thirteen kinds, one of them as a pair; numbers of a suit at least three apart; at least one
    tile from 2 to 8.
    """
    pairs = kinds = 0
    has_simple = False
    for suit, code in enumerate(codes):
        ranks = (code | code >> 1) & ONES
        if code & 4 * ONES or code & code >> 1 & ONES:
            return False
        if suit < 3 and (ranks & ranks >> 3 or ranks & ranks >> 6):
            return False
        kinds += ranks.bit_count()
        pairs += (code & 2 * ONES).bit_count()
        has_simple = has_simple or (suit < 3 and ranks & 0o011111110 != 0)
    return kinds == 13 and pairs == 1 and has_simple
