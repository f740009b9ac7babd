"""What stands in a hand of Tenhou JSON: tile numbers, calls, discards, and texts of wins."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jantaku_engine import events as ev
from jantaku_engine.tiles import KIND
from jantaku_engine.yaku.catalogue import YAKU as CATALOGUE

from .json_text import short
from .record import RecordError

# ---------------------------------------------------------------------- tiles

NUMBERS: Final[tuple[int, ...]] = (
    *(suit * 10 + number for suit in (1, 2, 3) for number in range(1, 10)),
    *range(41, 48),
    51,
    52,
    53,
)
"""Tile number of each tile code."""

_CODES: Final = {number: code for code, number in enumerate(NUMBERS)}
TSUMOGIRI: Final = 60
"""Stands for the discard of the tile just drawn."""

NOTHING: Final = 0
"""Stands among the discards where a daiminkan takes the place of one."""


def tile_code(number: object) -> int:
    """The tile code of a number.

    Raises:
        RecordError: no such tile.
    """
    if type(number) is not int or number not in _CODES:
        raise RecordError(f"{short(number)} is no tile (11-19, 21-29, 31-39, 41-47, 51-53)")
    return _CODES[number]


# ---------------------------------------------------------------------- calls

_PLACES: Final = {ev.CHI: (0, 1, 2), ev.PON: (0, 1, 2), ev.DAIMINKAN: (0, 1, 3)}
"""Tiles before the called one, by how many seats its owner sits before the caller, less one."""

_LETTERS: Final = {"c": ev.CHI, "p": ev.PON, "m": ev.DAIMINKAN}
_CALL: Final = re.compile(r"(?P<before>(?:\d\d){0,3})(?P<letter>[a-z])(?P<after>(?:\d\d){1,4})")


def _texts(tiles: tuple[int, ...]) -> list[str]:
    return [str(NUMBERS[tile]) for tile in tiles]


def _parsed(text: str) -> tuple[list[int], str, list[int]]:
    match = _CALL.fullmatch(text)
    if match is None or not text.isascii():
        raise RecordError(f"{text[:30]!r} is no call")
    before, after = match["before"], match["after"]
    return (
        [tile_code(int(before[i : i + 2])) for i in range(0, len(before), 2)],
        match["letter"],
        [tile_code(int(after[i : i + 2])) for i in range(0, len(after), 2)],
    )


def _check_set(text: str, tiles: list[int], is_run: bool) -> None:
    kinds = sorted([KIND[tile] for tile in tiles])
    low = kinds[0]
    run = [low, low + 1, low + 2] if low < 27 and low % 9 <= 6 else []
    if kinds != (run if is_run else [low] * len(kinds)):
        raise RecordError(f"{text!r}: these tiles make no such set")


def call_text(call: ev.Naki) -> str:
    """A chi, pon or daiminkan as it stands among the draws of its caller."""
    place = _PLACES[call.type][(call.actor - call.target) % 4 - 1]
    letter = next(letter for letter, type_ in _LETTERS.items() if type_ == call.type)
    texts = _texts(call.consumed)
    return "".join([*texts[:place], letter, *_texts((call.pai,)), *texts[place:]])


def parse_call(text: str, actor: int) -> ev.Naki:
    """The chi, pon or daiminkan that a text among the draws of `actor` tells.

    Raises:
        RecordError: no such call.
    """
    before, letter, after = _parsed(text)
    type_ = _LETTERS.get(letter)
    size = 4 if type_ == ev.DAIMINKAN else 3
    if type_ is None or len(before) + len(after) != size or len(before) not in _PLACES[type_]:
        raise RecordError(f"{text[:30]!r} is no chi, pon or daiminkan")
    if type_ == ev.CHI and before:
        raise RecordError(f"{text!r}: a chi is only from the seat before")
    _check_set(text, [*before, *after], type_ == ev.CHI)
    target = (actor - 1 - _PLACES[type_].index(len(before))) % 4
    consumed = tuple(sorted([*before, *after[1:]], key=lambda tile: (KIND[tile], tile)))
    return ev.Naki(type_, actor, target, after[0], consumed)


def ankan_text(kan: ev.Ankan) -> str:
    """An ankan as it stands among the discards."""
    texts = _texts(kan.consumed)
    return "".join([*texts[:3], "a", texts[3]])


def kakan_text(kan: ev.Kakan, pon: ev.Naki) -> str:
    """A kakan as it stands among the discards: its pon with the added tile before the called."""
    place = _PLACES[ev.PON][(pon.actor - pon.target) % 4 - 1]
    own = _texts(pon.consumed)
    called = _texts((kan.pai, pon.pai))
    return "".join([*own[:place], "k", *called, *own[place:]])


def parse_kan(text: str, actor: int) -> ev.Ankan | ev.Kakan:
    """The ankan or kakan that a text among the discards of `actor` tells.

    Raises:
        RecordError: no such kan.
    """
    before, letter, after = _parsed(text)
    if letter not in ("a", "k") or len(before) + len(after) != 4:
        raise RecordError(f"{text[:30]!r} is no ankan or kakan")
    _check_set(text, [*before, *after], False)
    if letter == "a":
        return ev.Ankan(actor, tuple(sorted([*before, *after])))
    return ev.Kakan(actor, after[0], tuple(sorted([*before, *after[1:]])))


# ---------------------------------------------------------------------- results

WIN: Final = "和了"

DRAW_TEXTS: Final = {
    ev.EXHAUSTIVE: "流局",
    ev.NAGASHI_MANGAN: "流し満貫",
    ev.KYUUSHU_KYUUHAI: "九種九牌",
    ev.SUUFON_RENDA: "四風連打",
    ev.SUUCHA_RIICHI: "四家立直",
    ev.SANCHAHOU: "三家和了",
    ev.SUUKAIKAN: "四槓散了",
}
ALL_TENPAI: Final = "全員聴牌"
ALL_NOTEN: Final = "全員不聴"

DRAWS: Final = {
    **{text: reason for reason, text in DRAW_TEXTS.items()},
    ALL_TENPAI: ev.EXHAUSTIVE,
    ALL_NOTEN: ev.EXHAUSTIVE,
    "三家和": ev.SANCHAHOU,
    "四開槓": ev.SUUKAIKAN,
}
"""Reason of each text, those of other programs included."""

LIMIT_TEXTS: Final = {
    "mangan": "満貫",
    "haneman": "跳満",
    "baiman": "倍満",
    "sanbaiman": "三倍満",
    "yakuman": "役満",
    "kazoe_yakuman": "数え役満",
}
_LIMITS: Final = {text: limit for limit, text in LIMIT_TEXTS.items()}

_WINDS: Final = "東南西北"
DORA: Final = "ドラ"
URA_DORA: Final = "裏ドラ"
AKA_DORA: Final = "赤ドラ"

_OWN_NAMES: Final = {
    "double_riichi": "両立直",
    "tanyao": "断幺九",
    "haitei_raoyue": "海底摸月",
    "chanta": "混全帯幺九",
    "junchan": "純全帯幺九",
    "kokushi_musou_13": "国士無双１３面",
}
"""Where Tenhou writes a yaku otherwise than the catalogue."""

_NAMES: Final = {
    id_: _OWN_NAMES.get(id_, yaku.kanji)
    for id_, yaku in CATALOGUE.items()
    if yaku.kind not in ("limit", "draw") and "wind" not in id_
}
_IDS: Final = {
    **{yaku.kanji: id_ for id_, yaku in CATALOGUE.items() if id_ in _NAMES},
    **{name: id_ for id_, name in _NAMES.items()},
    "ダブル立直": "double_riichi",
    "国士無双十三面待ち": "kokushi_musou_13",
}
_SEAT_WIND: Final = "yakuhai_seat_wind"
_ROUND_WIND: Final = "yakuhai_round_wind"
_VALUE: Final = re.compile(r"(?P<name>[^()]{1,20})\((?:(?P<han>\d{1,3})飜|(?P<times>.{0,8})役満)\)")
_TIMES: Final = ("", "ダブル", "トリプル", "4倍", "5倍", "6倍")
_POINTS: Final = re.compile(
    r"(?:(?P<fu>\d{2,3})符(?P<han>\d{1,2})飜|(?P<limit>\D{1,5}))"
    r"(?P<first>\d{1,7})(?:-(?P<dealer>\d{1,7}))?点(?P<all>∀?)"
)


def yaku_text(name: str, value: float, yakuman: bool, seat_wind: int, round_wind: int) -> str:
    """One yaku of a win with its value."""
    if name == _SEAT_WIND:
        kanji = f"自風 {_WINDS[seat_wind]}"
    elif name == _ROUND_WIND:
        kanji = f"場風 {_WINDS[round_wind]}"
    else:
        kanji = _NAMES.get(name, name)
    if not yakuman:
        return f"{kanji}({value:g}飜)"
    index = int(value) - 1
    times = _TIMES[index] if index < len(_TIMES) else f"{value:g}倍"
    return f"{kanji}({times}役満)"


class Value(NamedTuple):
    """One yaku or kind of dora: its id or the dora's text, han, and yakuman multiple."""

    name: str
    han: int
    yakuman: int


def parse_yaku(text: str, seat_wind: int, round_wind: int) -> Value | None:
    """The yaku that a text names; None for one that only other programs know.

    A wind that is not the winner's or the round's names itself.
    """
    match = _VALUE.fullmatch(text)
    if match is None:
        return None
    name = match["name"]
    han = int(match["han"] or 0)
    times = match["times"]
    if times is not None and times not in _TIMES:
        return None
    yakuman = 0 if times is None else _TIMES.index(times) + 1
    if name in (DORA, URA_DORA, AKA_DORA):
        return Value(name, han, 0)
    for place, right, id_ in (("自風 ", seat_wind, _SEAT_WIND), ("場風 ", round_wind, _ROUND_WIND)):
        if name.startswith(place) and name[len(place) :] in tuple(_WINDS):
            wind = _WINDS.index(name[len(place) :])
            return Value(id_ if wind == right else f"{id_} {ev.WINDS[wind]}", han, yakuman)
    if name not in _IDS:
        return None
    return Value(_IDS[name], han, yakuman)


class Points(NamedTuple):
    """A win's fu (0 when not told), limit and points without honba and deposits."""

    fu: int
    limit: str
    points: int


def parse_points(text: str) -> Points | None:
    """The value that a win's text tells; None for the text of another program."""
    match = _POINTS.fullmatch(text)
    if match is None:
        return None
    first = int(match["first"])
    points = first
    if match["dealer"]:
        points = 2 * first + int(match["dealer"])
    elif match["all"]:
        points = 3 * first
    if match["limit"]:
        limit = _LIMITS.get(match["limit"])
        return None if limit is None else Points(0, limit, points)
    return Points(int(match["fu"]), "none", points)
