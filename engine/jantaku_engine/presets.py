"""Named rule sets: what each changes in `standard`, and which cells nobody confirmed (RULES 9)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from .options import AkaDora


class Preset(NamedTuple):
    """A named rule set.

    Attributes:
        title: one sentence.
        changes: the options that differ from `standard`.
        unconfirmed: options whose value was not confirmed from a primary text.
    """

    title: str
    changes: Mapping[str, Any]
    unconfirmed: tuple[str, ...] = ()


_ONLINE: Final[Mapping[str, Any]] = {
    "kan_dora_timing": "ankan_now_minkan_at_discard",
    "temp_furiten_end": "own_discard",
    "agari_yame": True,
    "tenpai_yame": True,
    "extension": "sudden_death",
    "extension_renchan_first": True,
}

_TENHOU: Final[Mapping[str, Any]] = {
    **_ONLINE,
    "dealer_first_tile": "dealt",
    "wait_variant_on_tenhou": "single",
    "kokushi_rob_ankan": False,
    "double_yakuman": False,
    "multi_ron": "double",
    "sanchahou": True,
    "pao_scope": "all",
    "karaten_own4": "noten_hand_or_meld4",
    "points_rounding": "half_away",
}

_LEAGUE: Final[Mapping[str, Any]] = {
    "double_yakuman": False,
    "kazoe": "sanbaiman",
    "kiriage": True,
    "double_wind_pair_fu": 2,
    "nagashi": "off",
    "kyuushu_kyuuhai": False,
    "suufon_renda": False,
    "suucha_riichi": False,
    "suukaikan": False,
    "riichi_ankan": "same_shape",
    "karaten_own4": "noten_hand_or_meld4",
    "tobi": "off",
    "tie": "split_uma",
}

_FEDERATION: Final[Mapping[str, Any]] = {
    **_LEAGUE,
    "start": 30_000,
    "uma": (15, 5, -5, -15),
    "oka": False,
    "aka_dora": AkaDora(0, 0, 0),
    "yakuman_stack": False,
    "renhou": True,
    "leftover_riichi": "lost",
}

PRESETS: Final[Mapping[str, Preset]] = {
    "standard": Preset("what the source texts call the mainstream", {}),
    "tenhou": Preset("Tenhou since 2010, confirmed by its real games", _TENHOU),
    "tenhou2009": Preset(
        "Tenhou in 2009, confirmed by its real games",
        {
            **{name: value for name, value in _TENHOU.items() if name != "tenpai_yame"},
            "extension_winds": 2,
            "tonpuu_uma": (10, 5, -5, -10),
        },
    ),
    "mahjongsoul": Preset(
        "Mahjong Soul, four players",
        {
            **_ONLINE,
            "oka": False,
            "uma": (15, 5, -5, -15),
            "wait_variant_on_tenhou": "always_double",
        },
        ("karaten_own4",),
    ),
    "mleague": Preset(
        "M-League",
        {
            **_LEAGUE,
            "uma": (30, 10, -10, -30),
            "kokushi_rob_ankan": False,
            "multi_ron": "head_bump",
            "pao_suukantsu": True,
            "riichi_min_score": "none",
            "riichi_min_live_left": 0,
        },
        ("pao_scope", "pao_honba", "riichi_ankan", "temp_furiten_end", "karaten_own4"),
    ),
    "wrc2022": Preset(
        "World Riichi Championship 2022",
        {
            **_FEDERATION,
            "kokushi_rob_ankan": False,
            "renhou_mode": "stack5",
            "multi_ron": "head_bump",
            "pao_suukantsu": True,
        },
        (
            "kokushi_rob_ankan",
            "kazoe",
            "pao_honba",
            "riichi_min_live_left",
            "temp_furiten_end",
            "tobi",
        ),
    ),
    "ema2016": Preset(
        "European Mahjong Association 2016",
        {
            **_FEDERATION,
            "renhou_mode": "mangan",
            "multi_ron_honba": "each",
            "pao_honba": "discarder",
        },
        (
            "kokushi_rob_ankan",
            "kazoe",
            "kiriage",
            "nagashi",
            "multi_ron_honba",
            "pao_honba",
            "riichi_ankan",
            "leftover_riichi",
            "tie",
        ),
    ),
}
"""Every preset by name; `standard` changes nothing."""
