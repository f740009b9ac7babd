"""What the title of the rules in Tenhou JSON (`rule.disp`) says.

Tenhou's own titles are a room and signs: `般南喰赤` is a hanchan with open tanyao and red fives,
and in `般南` both are off. Other programs write there whatever their rooms are called
(`玉の間南`, `Jade Room South`, `段位戦`): nothing follows from a sign that such a text lacks.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_ROOMS: Final = frozenset("般上特鳳若銀琥孔技")
_SIGNS: Final = frozenset("東南喰赤速祝祭三四-0123456789")

_HANCHAN: Final = re.compile(r"南|半荘|半庄|\bsouth\b|\bhanchan\b", re.IGNORECASE)
_TONPUU: Final = re.compile(r"東|东|\beast\b|\bton(?:puu?|pū)", re.IGNORECASE)
_NO_KUITAN: Final = re.compile(
    r"(?:喰|食)い?(?:断|タン)?(?:幺|么)?九?(?:無|无|なし|ナシ)|ナシ(?:アリ|ナシ)"
)
_KUITAN: Final = re.compile(r"喰|食断|アリ(?:アリ|ナシ)|\bkuitan\b", re.IGNORECASE)
_THREE: Final = re.compile(r"三人|三麻|\bsanma\b|\b(?:3|three)[- ]player", re.IGNORECASE)


class Disp(NamedTuple):
    """What a title says.

    Attributes:
        text: the title. sure: it is one of Tenhou's own, which says everything; else what it
            says of the length and of open tanyao is only likely.
        length: `tonpuu` or `hanchan`; None when it does not say. kuitan: open tanyao; None as
            well. reds: has the sign of red fives. three: a game of three players.
    """

    text: str
    sure: bool
    length: str | None
    kuitan: bool | None
    reds: bool
    three: bool


def read_disp(text: str) -> Disp:
    """What a title says."""
    signs = set(text)
    own = bool(text) and signs <= _ROOMS | _SIGNS
    length = "hanchan" if _HANCHAN.search(text) else "tonpuu" if _TONPUU.search(text) else None
    if own:
        sure = bool(signs & _ROOMS)
        return Disp(text, sure, length, "喰" in text, "赤" in text, "三" in text[:2])
    kuitan = False if _NO_KUITAN.search(text) else True if _KUITAN.search(text) else None
    return Disp(text, False, length, kuitan, "赤" in text, _THREE.search(text) is not None)
