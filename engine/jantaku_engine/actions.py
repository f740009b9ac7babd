"""Actions: what a seat may answer. Small, immutable, interned, with a text form.

An action says nothing about who acts: the seat is given where it is answered. Its text form
round-trips (`parse_action(str(action)) == action`) and its mjai form is the answer of a bot.
"""

from __future__ import annotations

from typing import Any, Final

from .melds import ANKAN as MELD_ANKAN
from .melds import CHI as MELD_CHI
from .tiles import KIND, MJAI, UNKNOWN, TileError, parse_mjai, sort_tiles

NONE: Final = 0
DAHAI: Final = 1
REACH: Final = 2
CHI: Final = 3
PON: Final = 4
DAIMINKAN: Final = 5
KAKAN: Final = 6
ANKAN: Final = 7
HORA: Final = 8
RYUUKYOKU: Final = 9
NOTEN: Final = 10

ACTION_NAMES: Final = (
    "none",
    "dahai",
    "reach",
    "chi",
    "pon",
    "daiminkan",
    "kakan",
    "ankan",
    "hora",
    "ryukyoku",
    "noten",
)
"""Name of each action type, by number; the mjai `type`, and `noten` for the folded hand."""


class ActionError(ValueError):
    """A text or message that names no action."""


class Action:
    """One answer.

    Attributes:
        type: `NONE` .. `NOTEN`.
        tile: tile code discarded, called or added; -1 where there is none.
        consumed: tile codes that leave the hand for a meld, sorted.
        flag: for a dahai, that the tile just drawn is discarded (tsumogiri); for a reach,
            that the hand is shown (open riichi).
        code: a number that differs for different actions.
    """

    __slots__ = ("code", "consumed", "flag", "tile", "type")

    def __init__(self, type: int, tile: int, consumed: tuple[int, ...], flag: bool) -> None:
        self.type = type
        self.tile = tile
        self.consumed = consumed
        self.flag = flag
        code = (type << 1 | flag) << 6 | tile + 1
        for consumed_tile in consumed:
            code = code << 6 | consumed_tile + 1
        self.code = code

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Action) and self.code == other.code)

    def __hash__(self) -> int:
        return self.code

    def __str__(self) -> str:
        words = [ACTION_NAMES[self.type]]
        if self.tile >= 0:
            words.append(MJAI[self.tile])
        words.extend(MJAI[t] for t in self.consumed)
        if self.flag:
            words.append("open" if self.type == REACH else "tsumogiri")
        return " ".join(words)

    def __repr__(self) -> str:
        return f"<Action {self}>"

    def to_mjai(self, seat: int, target: int = -1) -> dict[str, Any]:
        """The mjai message with which `seat` answers so; `target` is whose tile it takes."""
        message: dict[str, Any] = {"type": ACTION_NAMES[self.type]}
        if self.type == NONE:
            return message
        message["actor"] = seat
        if self.type in (CHI, PON, DAIMINKAN, HORA):
            message["target"] = seat if target < 0 else target
        if self.tile >= 0:
            message["pai"] = MJAI[self.tile]
        if self.type == DAHAI:
            message["tsumogiri"] = self.flag
        if self.consumed:
            message["consumed"] = [MJAI[t] for t in self.consumed]
        if self.type == REACH and self.flag:
            message["open"] = True
        return message


_INTERNED: Final[dict[int, Action]] = {}


def _make(type: int, tile: int = -1, consumed: tuple[int, ...] = (), flag: bool = False) -> Action:
    action = Action(type, tile, consumed, flag)
    return _INTERNED.setdefault(action.code, action)


PASS: Final = _make(NONE)
WIN: Final = _make(HORA)
KYUUSHU: Final = _make(RYUUKYOKU)
FOLD: Final = _make(NOTEN)
RIICHI: Final = _make(REACH)
OPEN_RIICHI: Final = _make(REACH, flag=True)

DISCARDS: Final = tuple(_make(DAHAI, tile) for tile in range(37))
"""The discard of each tile code from the hand."""

TSUMOGIRI: Final = tuple(_make(DAHAI, tile, flag=True) for tile in range(37))
"""The discard of each tile code just drawn."""


def call(type: int, tile: int, consumed: tuple[int, ...]) -> Action:
    """A chi, pon, daiminkan or kakan of `tile` with `consumed` (a kakan: the pon's three)."""
    return _make(type, tile, tuple(sort_tiles(consumed)))


def ankan(consumed: tuple[int, ...]) -> Action:
    """A concealed kan of four tiles."""
    return _make(ANKAN, -1, tuple(sort_tiles(consumed)))


def meld_type(action_type: int) -> int:
    """Meld type that a call makes; -1 for an action that is no call."""
    kind = action_type - CHI + MELD_CHI
    return kind if MELD_CHI <= kind <= MELD_ANKAN else -1


_CONSUMED: Final = {CHI: 2, PON: 2, DAIMINKAN: 3, KAKAN: 3, ANKAN: 4}


def _checked(type_: int, tile: int, consumed: tuple[int, ...], flag: bool, source: str) -> Action:
    wants_tile = type_ in (DAHAI, CHI, PON, DAIMINKAN, KAKAN)
    if wants_tile != (tile >= 0) or len(consumed) != _CONSUMED.get(type_, 0):
        raise ActionError(f"{source}: wrong number of tiles for {ACTION_NAMES[type_]}")
    tiles = [*consumed, tile] if tile >= 0 else list(consumed)
    if UNKNOWN in tiles:
        raise ActionError(f"{source}: an action needs known tiles, not '?'")
    kinds = sorted([KIND[t] for t in tiles])
    if type_ == CHI:
        low = kinds[0]
        if low >= 27 or low % 9 > 6 or kinds != [low, low + 1, low + 2]:
            raise ActionError(f"{source}: not three consecutive tiles of one suit")
    elif len(set(kinds)) > 1:
        raise ActionError(f"{source}: not all of one kind")
    return _make(type_, tile, tuple(sort_tiles(consumed)), flag)


def parse_action(text: str) -> Action:
    """The action of a text form (`dahai 5mr tsumogiri`, `chi 3m 4m 5mr`, `none`).

    Raises:
        ActionError: no such action.
    """
    words = text.split()
    if not words or words[0] not in ACTION_NAMES:
        raise ActionError(f"{text!r}: an action begins with one of {', '.join(ACTION_NAMES)}")
    type_ = ACTION_NAMES.index(words.pop(0))
    flag = bool(words) and words[-1] == {REACH: "open", DAHAI: "tsumogiri"}.get(type_)
    if flag:
        words.pop()
    try:
        tiles = [parse_mjai(word) for word in words]
    except TileError as error:
        raise ActionError(f"{text!r}: {error}") from None
    first = -1 if type_ == ANKAN or not tiles else tiles.pop(0)
    return _checked(type_, first, tuple(tiles), flag, repr(text))


def from_mjai(message: dict[str, Any]) -> Action:
    """The action of an mjai answer; fields that the action does not need are ignored.

    Raises:
        ActionError: unknown type, or fields that are missing or of the wrong form.
    """
    source = "mjai answer"
    name = message.get("type")
    if name not in ACTION_NAMES:
        raise ActionError(f"{source}: unknown type {name!r}; one of {', '.join(ACTION_NAMES)}")
    type_ = ACTION_NAMES.index(name)
    source = f"mjai {name}"
    tile = -1
    consumed: tuple[int, ...] = ()
    flag: object = False
    try:
        if type_ in (DAHAI, CHI, PON, DAIMINKAN, KAKAN):
            tile = parse_mjai(message["pai"])
        if type_ in _CONSUMED:
            raw = message["consumed"]
            if not isinstance(raw, list | tuple):
                raise ActionError(f"{source}: consumed must be a list of tiles")
            consumed = tuple(parse_mjai(t) for t in raw)
        if type_ == DAHAI:
            flag = message["tsumogiri"]
        elif type_ == REACH:
            flag = message.get("open", False)
    except KeyError as error:
        raise ActionError(f"{source}: field {error} is missing") from None
    except TileError as error:
        raise ActionError(f"{source}: {error}") from None
    if not isinstance(flag, bool):
        raise ActionError(f"{source}: tsumogiri and open are true or false")
    return _checked(type_, tile, consumed, flag, source)
