"""Yakuman that everybody plays (RULES 5.6).

Values are multiples. Four of them count double by a switch each and a switch for all; with
`dai_yakuman` they count one and a half.
"""

from __future__ import annotations

from typing import Final

from . import facts as f
from .entry import Clause, Yaku


def _doubles(switch: str, open: bool = False) -> tuple[Clause, ...]:
    """What options make of a double yakuman, the strongest last."""
    return tuple(
        Clause(option, value, closed=multiple, open=multiple if open else 0)
        for option, value, multiple in (
            ("dai_yakuman", True, 1.5),
            (switch, False, 1),
            ("double_yakuman", False, 1),
        )
    )


_SINGLE_ON_TENHOU: Final = Clause("wait_variant_on_tenhou", "single", unless=f.TENHOU)
_DOUBLE_ON_TENHOU: Final = Clause("wait_variant_on_tenhou", "always_double", when=f.TENHOU)
_MANZU_ONLY: Final = Clause("chuuren_manzu_only", needs=f.HAS_MANZU)

FIRST_TURN: Final = (
    Yaku(
        "tenhou",
        "天和",
        "heavenly hand",
        1,
        0,
        "yakuman",
        when=f.TENHOU,
        bars=f.UNCONNECTED,
        yakuman=True,
        changes=(Clause("tenhou_double", closed=2),),
    ),
    Yaku(
        "chiihou",
        "地和",
        "earthly hand",
        1,
        0,
        "yakuman",
        when=f.CHIIHOU,
        bars=f.UNCONNECTED,
        yakuman=True,
    ),
)

YAKUMAN: Final = (
    Yaku(
        "kokushi_musou",
        "国士無双",
        "thirteen orphans",
        1,
        0,
        "yakuman",
        needs=f.ORPHANS,
        yakuman=True,
    ),
    Yaku(
        "kokushi_musou_13",
        "国士無双十三面",
        "thirteen-wait thirteen orphans",
        2,
        0,
        "yakuman",
        needs=f.ORPHANS,
        yakuman=True,
        replaces=("kokushi_musou",),
        changes=(*_doubles("double_kokushi_musou_13"), _SINGLE_ON_TENHOU),
        ways=(Clause(needs=f.ORPHANS_13), _DOUBLE_ON_TENHOU),
    ),
    Yaku(
        "chuuren_poutou",
        "九蓮宝燈",
        "nine gates",
        1,
        0,
        "yakuman",
        needs=f.NINE_GATES,
        yakuman=True,
        changes=(_MANZU_ONLY,),
    ),
    Yaku(
        "junsei_chuuren_poutou",
        "純正九蓮宝燈",
        "true nine gates",
        2,
        0,
        "yakuman",
        needs=f.NINE_GATES,
        yakuman=True,
        replaces=("chuuren_poutou",),
        changes=(_MANZU_ONLY, *_doubles("double_junsei_chuuren_poutou"), _SINGLE_ON_TENHOU),
        ways=(Clause(needs=f.NINE_GATES_9), _DOUBLE_ON_TENHOU),
    ),
    Yaku(
        "suuankou",
        "四暗刻",
        "four concealed triplets",
        1,
        0,
        "yakuman",
        needs=f.FOUR_CONCEALED,
        yakuman=True,
    ),
    Yaku(
        "suuankou_tanki",
        "四暗刻単騎",
        "four concealed triplets, pair wait",
        2,
        0,
        "yakuman",
        needs=f.FOUR_CONCEALED,
        yakuman=True,
        replaces=("suuankou",),
        changes=(*_doubles("double_suuankou_tanki"), _SINGLE_ON_TENHOU),
        ways=(Clause(needs=f.TANKI), _DOUBLE_ON_TENHOU),
    ),
    Yaku(
        "suukantsu",
        "四槓子",
        "four kans",
        1,
        1,
        "yakuman",
        needs=f.FOUR_KANS,
        yakuman=True,
        changes=(Clause("suukantsu_double", closed=2, open=2),),
    ),
    Yaku(
        "chinroutou",
        "清老頭",
        "all terminals",
        1,
        1,
        "yakuman",
        needs=f.ALL_YAOCHUU,
        bars=f.HAS_HONOUR,
        yakuman=True,
    ),
    Yaku("tsuuiisou", "字一色", "all honours", 1, 1, "yakuman", needs=f.NO_SUIT, yakuman=True),
    Yaku(
        "daisuushii",
        "大四喜",
        "big four winds",
        2,
        2,
        "yakuman",
        needs=f.FOUR_WINDS,
        yakuman=True,
        changes=_doubles("double_daisuushii", open=True),
    ),
    Yaku(
        "shousuushii",
        "小四喜",
        "little four winds",
        1,
        1,
        "yakuman",
        needs=f.THREE_WINDS | f.WIND_PAIR,
        yakuman=True,
    ),
    Yaku(
        "daisangen",
        "大三元",
        "big three dragons",
        1,
        1,
        "yakuman",
        needs=f.HAKU_TRIPLET | f.HATSU_TRIPLET | f.CHUN_TRIPLET,
        yakuman=True,
    ),
    Yaku(
        "ryuuiisou",
        "緑一色",
        "all green",
        1,
        1,
        "yakuman",
        needs=f.ALL_GREEN,
        yakuman=True,
        changes=(Clause("ryuuiisou_hatsu", "required", needs=f.HAS_HATSU),),
        ways=(
            Clause(),
            Clause("ryuuiisou_pure_double", bars=f.HAS_HATSU, closed=2, open=2),
        ),
    ),
)
