"""Facts: what a yaku may ask of a hand and of the moment, as bits of two integers.

*Hand facts* describe one reading of a winning hand, *moment facts* describe when and how it
was won. A yaku is then a comparison of masks, not a piece of code.
"""

from __future__ import annotations

from typing import Final

# --- Hand facts: tiles -----------------------------------------------------------------------

HAS_HONOUR: Final = 1 << 0
NO_YAOCHUU: Final = 1 << 1
"""Only 2 to 8."""
ALL_YAOCHUU: Final = 1 << 2
"""Only 1, 9 and honours."""
HAS_TERMINAL: Final = 1 << 3
NO_SUIT: Final = 1 << 4
"""Only honours."""
ONE_SUIT: Final = 1 << 5
"""Tiles of exactly one suit, honours or not."""
HAS_MANZU: Final = 1 << 6
HAS_PINZU: Final = 1 << 7
HAS_SOUZU: Final = 1 << 8
ALL_GREEN: Final = 1 << 9
"""Only 2 3 4 6 8 s and Green."""
HAS_HATSU: Final = 1 << 10
ALL_PEACOCK: Final = 1 << 11
"""Only 1 5 7 9 s and Red."""

# --- Hand facts: sequences -------------------------------------------------------------------

HAS_SEQUENCE: Final = 1 << 12
FOUR_SEQUENCES: Final = 1 << 13
TWIN_SEQUENCES: Final = 1 << 14
"""Two identical sequences."""
TWO_TWINS: Final = 1 << 15
"""Twice two identical sequences, or four identical ones."""
TWO_DIFFERENT_TWINS: Final = 1 << 16
THREE_SAME_SEQUENCES: Final = 1 << 17
FOUR_SAME_SEQUENCES: Final = 1 << 18
SAME_SEQUENCE_IN_SUITS: Final = 1 << 19
STRAIGHT: Final = 1 << 20
"""123 456 789 of one suit."""
STRAIGHT_OF_SOUZU: Final = 1 << 21
STRAIGHT_IN_SUITS: Final = 1 << 22
"""123 456 789, each of another suit."""

# --- Hand facts: triplets (quads are triplets too) -------------------------------------------

FOUR_TRIPLETS: Final = 1 << 23
THREE_CONCEALED: Final = 1 << 24
"""Three or four concealed triplets."""
FOUR_CONCEALED: Final = 1 << 25
THREE_KANS: Final = 1 << 26
"""Three or four kans."""
FOUR_KANS: Final = 1 << 27
SAME_TRIPLET_IN_SUITS: Final = 1 << 28
THREE_CONSECUTIVE_TRIPLETS: Final = 1 << 29
FOUR_CONSECUTIVE_TRIPLETS: Final = 1 << 30
HAKU_TRIPLET: Final = 1 << 31
HATSU_TRIPLET: Final = 1 << 32
CHUN_TRIPLET: Final = 1 << 33
TWO_DRAGONS: Final = 1 << 34
"""Two or three dragon triplets."""
EAST_TRIPLET: Final = 1 << 35
NORTH_TRIPLET: Final = 1 << 36
THREE_WINDS: Final = 1 << 37
"""Three or four wind triplets."""
FOUR_WINDS: Final = 1 << 38
SEAT_WIND_TRIPLET: Final = 1 << 39
ROUND_WIND_TRIPLET: Final = 1 << 40

# --- Hand facts: the rest --------------------------------------------------------------------

ALL_OUTSIDE: Final = 1 << 41
"""Every group and the pair has a terminal or honour."""
DRAGON_PAIR: Final = 1 << 42
WIND_PAIR: Final = 1 << 43
EAST_PAIR: Final = 1 << 44
NORTH_PAIR: Final = 1 << 45
VALUED_PAIR: Final = 1 << 46
"""Dragons, seat wind or round wind."""
RYANMEN: Final = 1 << 47
"""The winning tile completes a two-sided sequence wait."""
TANKI: Final = 1 << 48
"""The winning tile completes the pair."""
SEVEN_PAIRS: Final = 1 << 49
ORPHANS: Final = 1 << 50
"""Thirteen orphans and one of them twice."""
ORPHANS_13: Final = 1 << 51
"""Of which the winning tile is the second: the wait was for all thirteen."""
UNCONNECTED: Final = 1 << 52
"""The form of shiisan puutou."""
NINE_GATES: Final = 1 << 53
"""1112345678999 of one suit and one more of it, nothing laid down."""
NINE_GATES_9: Final = 1 << 54
"""Of which the winning tile is the one more."""
WHEEL: Final = 1 << 55
"""22334455667788 of one suit, nothing laid down."""
SUM_100: Final = 1 << 56
"""All numbers of the tiles, in a hand of one suit, sum to 100 or more."""
SUM_OVER_100: Final = 1 << 57

# --- Moment facts ----------------------------------------------------------------------------

CLOSED: Final = 1 << 0
"""No chi, pon, daiminkan or kakan."""
TSUMO: Final = 1 << 1
RON: Final = 1 << 2
DEALER: Final = 1 << 3
RIICHI: Final = 1 << 4
DOUBLE_RIICHI: Final = 1 << 5
OPEN_RIICHI: Final = 1 << 6
OPEN_DOUBLE_RIICHI: Final = 1 << 7
ANY_RIICHI: Final = 1 << 8
IPPATSU: Final = 1 << 9
RINSHAN: Final = 1 << 10
"""Tsumo: on a tile from the dead wall; ron: on a discard after such a draw."""
CHANKAN: Final = 1 << 11
LAST_TILE: Final = 1 << 12
TENHOU: Final = 1 << 13
"""The dealer's tsumo on the first own turn, no call or kan before."""
CHIIHOU: Final = 1 << 14
"""Another seat's tsumo on the first own turn, no call or kan before."""
RENHOU: Final = 1 << 15
"""Not the dealer's ron before the first own turn, no call or kan before."""
DISCARDER_UNDECLARED: Final = 1 << 16
"""A ron on a seat that is not in riichi."""
KEPT_EIGHT: Final = 1 << 17
"""The deal has been kept eight times before this hand."""
WON_SEVEN: Final = 1 << 18
"""The dealer has won the seven hands before this one."""
