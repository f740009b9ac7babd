"""From the sums of a reading, and the colours of its tiles, to hand facts."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from ..readings import (
    CONCEALED_SHIFT,
    GREEN_DRAGON,
    HONOURS,
    KAN_SHIFT,
    NOT_GREEN,
    NOT_PEACOCK,
    OUTSIDE_SHIFT,
    PAIR_SHIFT,
    PAIRS_SHIFT,
    RYANMEN,
    SIMPLES,
    TANKI,
    TERMINALS,
    TRIPLET_SHIFT,
    WAIT_SHIFT,
    Part,
)
from ..shapes import ONES, Codes, is_chiitoitsu, is_kokushi
from . import facts as f

_NINE_GATES: Final = 0o311111113
_ONE_TILE: Final = frozenset(1 << 3 * rank for rank in range(9))
_WHEEL: Final = 0o022222220


def _colour_facts(colours: int) -> int:
    suits = colours & 7
    facts = suits * f.HAS_MANZU
    if colours & HONOURS:
        facts |= f.HAS_HONOUR
    if suits == 0:
        facts |= f.NO_SUIT
    elif suits in (1, 2, 4):
        facts |= f.ONE_SUIT
    if not colours & SIMPLES:
        facts |= f.ALL_YAOCHUU
    if colours & TERMINALS:
        facts |= f.HAS_TERMINAL
    elif not colours & HONOURS:
        facts |= f.NO_YAOCHUU
    if not colours & NOT_GREEN:
        facts |= f.ALL_GREEN
    if colours & GREEN_DRAGON:
        facts |= f.HAS_HATSU
    if not colours & NOT_PEACOCK:
        facts |= f.ALL_PEACOCK
    return facts


COLOUR_FACTS: Final = tuple(_colour_facts(colours) for colours in range(512))
"""Hand facts of joined colours."""

# --- From sums to facts ------------------------------------------------------------------------

_SEQUENCE_FACTS: Final[dict[int, int]] = {}
_TRIPLET_FACTS: Final[dict[int, int]] = {}
_SHAPE_BITS: Final = PAIRS_SHIFT - CONCEALED_SHIFT
_SHAPE_MASK: Final = (1 << _SHAPE_BITS) - 1
_SHAPE_FACTS: Final[list[int]] = [-1] * (1 << _SHAPE_BITS)


def reading_facts(part: Part) -> int:
    """Hand facts of a whole reading, without those of its tiles and of the winds."""
    sequences, triplets, shape = part
    facts = _PAIR_FACTS[shape >> PAIR_SHIFT]
    counts = shape >> CONCEALED_SHIFT & _SHAPE_MASK
    known = _SHAPE_FACTS[counts]
    facts |= known if known >= 0 else _shape_facts(counts)
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


def _shape_facts(counts: int) -> int:
    facts = 0
    shape = counts << CONCEALED_SHIFT
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
    _SHAPE_FACTS[counts] = facts
    return facts


def _pair_facts(kind: int) -> int:
    if kind < 27:
        return 0
    if kind >= 31:
        return f.DRAGON_PAIR | f.VALUED_PAIR
    ends = {27: f.EAST_PAIR, 30: f.NORTH_PAIR}
    return f.WIND_PAIR | ends.get(kind, 0)


_PAIR_FACTS: Final = tuple(_pair_facts(kind) for kind in range(34))


# --- Facts of the tiles --------------------------------------------------------------------------


def one_suit_facts(code: int, rank: int, laid_down: bool, manzu: int) -> int:
    """Facts that only a hand of one suit and no honours can have.

    Args:
        code: the concealed tiles, the winning one of `rank` among them.
        laid_down: whether there are melds.
        manzu: code of all tiles of m, those of melds too.
    """
    facts = 0
    if not laid_down:
        rest = code - _NINE_GATES
        if rest in _ONE_TILE:
            facts |= f.NINE_GATES
            if rest == 1 << 3 * rank:
                facts |= f.NINE_GATES_9
        elif code == _WHEEL:
            facts |= f.WHEEL
    if manzu:
        total = sum([(rank + 1) * (manzu >> 3 * rank & 7) for rank in range(9)])
        if total >= 100:
            facts |= f.SUM_100
        if total > 100:
            facts |= f.SUM_OVER_100
    return facts


def form_facts(codes: Codes, kind: int, facts: int, first_turn: bool) -> int:
    """Facts of fourteen concealed tiles in a form that is not groups; 0 when they have none.

    Args:
        kind: kind of the winning tile, which is among `codes`.
        facts: those of the tiles. first_turn: whether shiisan puutou may count.
    """
    m, p, s, z = codes
    if not (m | p | s | z) & ~(2 * ONES):
        return f.SEVEN_PAIRS if is_chiitoitsu(codes) else 0
    if facts & f.ALL_YAOCHUU:
        if not is_kokushi(codes):
            return 0
        doubled = codes[kind // 9] >> 3 * (kind % 9) & 7 == 2
        return f.ORPHANS | f.ORPHANS_13 if doubled else f.ORPHANS
    return f.UNCONNECTED if first_turn and is_unconnected(codes) else 0


def is_unconnected(codes: Codes) -> bool:
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
