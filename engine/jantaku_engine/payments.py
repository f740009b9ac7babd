"""From han and fu to base points, and from base points to what each seat pays (RULES 7.2, 7.3).

Base points are the common unit: a ron pays four times (dealer: six times) the base, a tsumo
once or twice, every payment rounded up to 100. A yakuman has the base 8000, a multiple of
yakuman as many times that; so whoever shares a payment between seats (pao, nagashi) starts
from a base too.
"""

from __future__ import annotations

from typing import Final

MANGAN: Final = 2_000
HANEMAN: Final = 3_000
BAIMAN: Final = 4_000
SANBAIMAN: Final = 6_000
YAKUMAN: Final = 8_000

LIMIT_BASE: Final[dict[str, int]] = {
    "mangan": MANGAN,
    "haneman": HANEMAN,
    "baiman": BAIMAN,
    "sanbaiman": SANBAIMAN,
    "yakuman": YAKUMAN,
}
"""Base points of each limit by its name."""

NAGASHI_BASE: Final[dict[str, int]] = {
    name: LIMIT_BASE[name] for name in ("mangan", "baiman", "sanbaiman")
}
"""Base points of nagashi mangan for each value of the option `nagashi_value`."""

_LIMIT_OF_HAN: Final[tuple[tuple[int, str], ...]] = (
    *((0, "none"),) * 5,
    (MANGAN, "mangan"),
    *((HANEMAN, "haneman"),) * 2,
    *((BAIMAN, "baiman"),) * 3,
    *((SANBAIMAN, "sanbaiman"),) * 2,
)
_KIRIAGE: Final = ((4, 30), (3, 60))


def hand_base(han: int, fu: int, kiriage: bool, counted: int) -> tuple[int, str]:
    """Base points and limit of a hand without yakuman (RULES 7.2).

    Args:
        han: all han, dora included.
        fu: rounded fu; without effect from 5 han on.
        kiriage: 4 han 30 fu and 3 han 60 fu are mangan.
        counted: each full 13 han are a yakuman, up to so many; with 0 they are a sanbaiman.
    """
    if han < 5:
        base = fu << 2 + han
        if base >= MANGAN or (kiriage and (han, fu) in _KIRIAGE):
            return MANGAN, "mangan"
        return base, "none"
    if han < 13:
        return _LIMIT_OF_HAN[han]
    if not counted:
        return SANBAIMAN, "sanbaiman"
    return YAKUMAN * min(han // 13, counted), "kazoe_yakuman"


def yakuman_base(multiple: float) -> int:
    """Base points of so many yakuman; halves occur (option `dai_yakuman`)."""
    return int(YAKUMAN * multiple)


def round_up(points: int) -> int:
    """The next multiple of 100."""
    return (points + 99) // 100 * 100


def ron_points(base: int, dealer: bool) -> int:
    """What the discarder pays to a winner, without honba."""
    return (base * (6 if dealer else 4) + 99) // 100 * 100


def tsumo_points(base: int, dealer: bool) -> tuple[int, int]:
    """What the dealer and what each other seat pays for a tsumo, without honba.

    The dealer pays nothing (0) when the dealer is the winner.
    """
    twice = (base * 2 + 99) // 100 * 100
    if dealer:
        return 0, twice
    return twice, (base + 99) // 100 * 100


def honba_on_ron(honba: int, honba_value: int) -> int:
    """What a discarder pays more (RULES 7.3)."""
    return honba * honba_value


def honba_on_tsumo(honba: int, honba_value: int) -> int:
    """What each payer of a tsumo pays more (RULES 7.3)."""
    return honba * honba_value // 3
