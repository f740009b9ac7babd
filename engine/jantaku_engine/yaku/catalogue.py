"""The catalogue of yaku: every one of them, in the order in which results list them.

>>> CATALOGUE[0].id, YAKU["daisangen"].kanji
('riichi', '大三元')
"""

from __future__ import annotations

from typing import Final

from .entry import Clause, Test, Value, Yaku
from .local import LOCAL, LOCAL_YAKUMAN, OPEN_RIICHI, RENHOU
from .ordinary import ORDINARY, RIICHI
from .yakuman import FIRST_TURN, YAKUMAN

__all__ = ["CATALOGUE", "YAKU", "Clause", "Test", "Value", "Yaku"]

CATALOGUE: Final[tuple[Yaku, ...]] = (
    *RIICHI,
    *OPEN_RIICHI,
    *ORDINARY,
    *LOCAL,
    *FIRST_TURN,
    *RENHOU,
    *YAKUMAN,
    *LOCAL_YAKUMAN,
    Yaku("kazoe_yakuman", "数え役満", "counted yakuman", 1, 1, "limit", yakuman=True),
    Yaku("nagashi_mangan", "流し満貫", "mangan at draw", 5, 5, "draw"),
)
"""All yaku, and the two names of the field that look like one."""

YAKU: Final[dict[str, Yaku]] = {yaku.id: yaku for yaku in CATALOGUE}
"""The catalogue by id."""
