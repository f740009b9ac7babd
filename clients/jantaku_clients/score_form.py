"""Hands to score as JSON objects: reading a question, writing an answer.

A question has these fields; those with a default may be left out:

* `hand`: concealed tiles without the winning tile, mpsz; `win`: the winning tile;
* `by`: `ron` or `tsumo`; `seat`, `round`: `E` `S` `W` `N`;
* `melds` ([]): such as `chi 234p`, `pon 777z`, `daiminkan 8888s`, `kakan 5550p`, `ankan 9999m`;
* `riichi` (`none`): `none` `riichi` `double` `open` `open_double`;
* `flags` ([]): facts about the moment, not claims of yaku, of `FLAGS`;
* `dora`, `ura` ([]): indicators; `honba`, `deposits` (0): counts;
* `rules` (standard): `preset` and options that differ; `discarder_riichi` (false);
* `streak`: `kept` and `wins` (0), deals kept and wins in a row before this hand; `id`: echoed.

An answer has `id` and `win`; a win has `yaku` (id to han, or to multiple), `dora`, `ura`, `aka`,
`han`, `fu` where they count, `yakuman`, `limit` and `pay`; no win has a `reason`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from jantaku_engine.melds import parse_meld
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import check_possible, parse_mpsz
from jantaku_engine.win import RIICHI_NAMES, Win, WinResult, check_win

WINDS: Final = "ESWN"

FIRST_TURN: Final = {
    "tenhou": ("the dealer's tsumo", True, True),
    "chiihou": ("the tsumo of a seat that is not the dealer", True, False),
    "renhou": ("the ron of a seat that is not the dealer", False, False),
}
"""Flags of the first turn: what they are facts of, whether by tsumo, whether the dealer's."""

FLAGS: Final = ("ippatsu", "haitei", "houtei", "rinshan", "chankan", *FIRST_TURN)
"""Facts about the moment of the win."""

_MOST: Final = 1_000_000
"""More honba or deposits than this are a slip."""

_LONGEST: Final = 100
"""More characters of a text, or texts of a list, than any hand has."""


class FormError(ValueError):
    """A question that cannot be read: which field, and what it should be."""


def read_question(fields: Mapping[str, Any]) -> tuple[Win, Ruleset]:
    """The question of a JSON object, and the rules to answer it by.

    Fields that no question has are ignored.

    Raises:
        FormError: a field that is missing or of the wrong form, or facts that contradict.
        RulesError: an option that does not exist, or a value that it cannot have.
        TileError: text that is no tiles, or tiles that cannot be.
        WinError: a wrong number of tiles, or facts that cannot be.
    """
    rules = _rules(json.dumps(_object(fields, "rules", {"preset": "standard"}), sort_keys=True))
    tsumo = _word(fields, "by", ("ron", "tsumo")) == "tsumo"
    seat = WINDS.index(_word(fields, "seat", tuple(WINDS)))
    flags = _texts(fields, "flags")
    for flag in flags:
        if flag not in FLAGS:
            raise FormError(f"flags: {_told(flag)} is none of {', '.join(FLAGS)}")
        if flag in FIRST_TURN:
            what, by_tsumo, by_dealer = FIRST_TURN[flag]
            if tsumo != by_tsumo or (seat == 0) != by_dealer:
                raise FormError(f"flags: {flag} is {what}")
    streak = _object(fields, "streak", {})
    win = Win(
        hand=tuple(parse_mpsz(_text(fields, "hand"))),
        win_tile=_tile(_text(fields, "win"), "win"),
        melds=tuple(parse_meld(text) for text in _texts(fields, "melds")),
        tsumo=tsumo,
        seat_wind=seat,
        round_wind=WINDS.index(_word(fields, "round", tuple(WINDS))),
        riichi=RIICHI_NAMES.index(_word(fields, "riichi", RIICHI_NAMES, "none")),
        ippatsu="ippatsu" in flags,
        last_tile="haitei" in flags or "houtei" in flags,
        rinshan="rinshan" in flags,
        chankan="chankan" in flags,
        first_turn=any(flag in FIRST_TURN for flag in flags),
        dora=tuple(_tile(text, "dora") for text in _texts(fields, "dora")),
        ura=tuple(_tile(text, "ura") for text in _texts(fields, "ura")),
        honba=_count(fields, "honba"),
        discarder_riichi=_truth(fields, "discarder_riichi"),
        kept=_count(streak, "kept"),
        wins=_count(streak, "wins"),
    )
    _count(fields, "deposits")
    check_win(win, rules)
    check_possible((*win.tiles, *win.dora, *win.ura), rules.aka_dora)
    return win, rules


def write_answer(win: Win, result: WinResult) -> dict[str, Any]:
    """The answer as a JSON object."""
    if not result.win:
        return {"win": False, "reason": result.reason}
    answer: dict[str, Any] = {
        "win": True,
        "yaku": dict(result.yaku),
        "dora": result.dora,
        "ura": result.ura,
        "aka": result.aka,
        "han": result.han,
    }
    if result.fu:
        answer["fu"] = result.fu
    answer["yakuman"] = result.yakuman
    answer["limit"] = result.limit
    answer["pay"] = payers(win, result)
    return answer


def payers(win: Win, result: WinResult) -> dict[str, int]:
    """What each payer pays, with honba, without deposits."""
    if not win.tsumo:
        return {"discarder": result.pay_discarder}
    if win.seat_wind == 0:
        return {"others": result.pay_others}
    return {"dealer": result.pay_dealer, "others": result.pay_others}


@lru_cache(maxsize=256)
def _rules(options: str) -> Ruleset:
    return Ruleset.from_dict(json.loads(options))


def _told(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _text(fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if value is None:
        raise FormError(f"{name}: is missing")
    if not isinstance(value, str):
        raise FormError(f"{name}: must be a text, not {_told(value)}")
    if len(value) > _LONGEST:
        raise FormError(f"{name}: is longer than {_LONGEST} characters")
    return value


def _texts(fields: Mapping[str, Any], name: str) -> list[str]:
    value = fields.get(name, [])
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise FormError(f"{name}: must be a list of texts, not {_told(value)}")
    if len(value) > _LONGEST or any(len(text) > _LONGEST for text in value):
        raise FormError(f"{name}: is longer than {_LONGEST} texts or characters of a text")
    return value


def _word(
    fields: Mapping[str, Any], name: str, words: tuple[str, ...], default: str | None = None
) -> str:
    value = fields.get(name, default)
    if value is None:
        raise FormError(f"{name}: is missing; one of {', '.join(words)}")
    if not isinstance(value, str) or value not in words:
        raise FormError(f"{name}: must be one of {', '.join(words)}, not {_told(value)}")
    return value


def _object(fields: Mapping[str, Any], name: str, default: dict[str, Any]) -> dict[str, Any]:
    value = fields.get(name, default)
    if not isinstance(value, dict):
        raise FormError(f"{name}: must be an object, not {_told(value)}")
    return value


def _count(fields: Mapping[str, Any], name: str) -> int:
    value = fields.get(name, 0)
    if type(value) is not int or not 0 <= value <= _MOST:
        raise FormError(f"{name}: must be a whole number from 0 on, not {_told(value)}")
    return value


def _truth(fields: Mapping[str, Any], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise FormError(f"{name}: must be true or false, not {_told(value)}")
    return value


def _tile(text: str, name: str) -> int:
    tiles = parse_mpsz(text)
    if len(tiles) != 1:
        raise FormError(f"{name}: must be one tile, not {_told(text)}")
    return tiles[0]
