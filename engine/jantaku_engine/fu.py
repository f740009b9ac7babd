"""Fu: the sum that decides, and the same sum as parts with names (RULES 7.1)."""

from __future__ import annotations

from typing import Final

from .melds import ANKAN, CHI, Meld
from .readings import FU_MASK, PAIR_SHIFT, SHANPON, WAIT_NAMES, WAIT_SHIFT, Part, triplet_fu
from .tiles import MPSZ

FuParts = tuple[tuple[str, int], ...]
"""Name and fu of each part, in the order in which they are added up."""

BASE: Final = 20


def _pair_fu(kind: int, seat_wind: int, round_wind: int, double_wind: int) -> int:
    if kind < 27:
        return 0
    if kind >= 31:
        return 2
    wind = kind - 27
    if wind == seat_wind == round_wind:
        return double_wind
    return 2 if wind in (seat_wind, round_wind) else 0


PAIR_FU: Final[dict[int, tuple[tuple[int, ...], ...]]] = {
    double_wind: tuple(
        tuple(_pair_fu(kind, winds // 4, winds % 4, double_wind) for kind in range(34))
        for winds in range(16)
    )
    for double_wind in (2, 4)
}
"""Fu of a pair by the option `double_wind_pair_fu`, by seat wind * 4 + round wind, by kind."""


def total_fu(
    shape: int, pair_fu: int, closed: bool, tsumo: bool, pinfu: bool, open_pinfu_fu: int
) -> int:
    """Fu of a reading, rounded up to 10.

    Args:
        shape: of the whole reading. pair_fu: fu of its pair.
        pinfu: whether it counts as pinfu; a closed one has no fu for its tsumo.
        open_pinfu_fu: what an open ron gets that would have no fu beyond the base.
    """
    fu = BASE + (shape & FU_MASK) + pair_fu
    if tsumo:
        if not (pinfu and closed):
            fu += 2
    elif closed:
        fu += 10
    elif fu == BASE:
        fu += open_pinfu_fu
    return (fu + 9) // 10 * 10


def fu_parts(
    part: Part,
    melds: tuple[Meld, ...],
    win_kind: int,
    pair_fu: int,
    closed: bool,
    tsumo: bool,
    pinfu: bool,
    open_pinfu_fu: int,
) -> FuParts:
    """The parts that `total_fu` adds up and rounds."""
    _, triplets, shape = part
    parts = [("base", BASE)]
    if closed and not tsumo:
        parts.append(("menzen ron", 10))
    laid = {meld.kind: meld for meld in melds if meld.type != CHI}
    wait = shape >> WAIT_SHIFT & 7
    for kind in range(34):
        if not triplets >> kind & 1:
            continue
        meld = laid.get(kind)
        quad = meld is not None and meld.is_kan
        concealed = meld.type == ANKAN if meld else tsumo or wait != SHANPON or kind != win_kind
        name = f"{'closed' if concealed else 'open'} {'quad' if quad else 'triplet'}"
        parts.append((f"{name} of {MPSZ[kind]}", triplet_fu(kind, concealed, quad)))
    if pair_fu:
        parts.append((f"pair of {MPSZ[shape >> PAIR_SHIFT]}", pair_fu))
    if WAIT_NAMES[wait] in ("tanki", "kanchan", "penchan"):
        parts.append((f"{WAIT_NAMES[wait]} wait", 2))
    if tsumo and not (pinfu and closed):
        parts.append(("tsumo", 2))
    if not closed and not tsumo and len(parts) == 1 and open_pinfu_fu:
        parts.append(("open pinfu", open_pinfu_fu))
    return tuple(parts)
