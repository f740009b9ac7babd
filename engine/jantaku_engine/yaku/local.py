"""Local yaku, each off unless its option plays it (RULES 5.7)."""

from __future__ import annotations

from typing import Final

from . import facts as f
from .entry import Clause, Yaku

_DEAL_IN: Final = Clause(
    "open_riichi_dealin_yakuman", when=f.DISCARDER_UNDECLARED, closed=1, yakuman=True
)

OPEN_RIICHI: Final = (
    Yaku(
        "open_riichi",
        "開立直",
        "open riichi",
        2,
        0,
        "local",
        when=f.OPEN_RIICHI,
        option="open_riichi",
        replaces=("riichi",),
        ways=(Clause(), _DEAL_IN),
    ),
    Yaku(
        "open_double_riichi",
        "開ダブル立直",
        "open double riichi",
        3,
        0,
        "local",
        when=f.OPEN_DOUBLE_RIICHI,
        option="open_double_riichi",
        replaces=("riichi", "double_riichi", "open_riichi"),
        ways=(Clause(), _DEAL_IN),
    ),
)

LOCAL: Final = (
    Yaku(
        "sanshoku_tsuukan",
        "三色通貫",
        "three-colour straight",
        2,
        1,
        "local",
        needs=f.STRAIGHT_IN_SUITS,
        option="sanshoku_tsuukan",
        changes=(Clause("sanshoku_tsuukan_mode", "closed1_only", closed=1, open=0),),
    ),
    Yaku(
        "isshoku_sanjun",
        "一色三順",
        "pure triple sequence",
        2,
        2,
        "local",
        needs=f.THREE_SAME_SEQUENCES,
        option="isshoku_sanjun",
        replaces=("iipeikou",),
        changes=(Clause("isshoku_sanjun_open_han", 1, open=1),),
    ),
    Yaku(
        "sanrenkou",
        "三連刻",
        "three consecutive triplets",
        2,
        2,
        "local",
        needs=f.THREE_CONSECUTIVE_TRIPLETS,
        option="sanrenkou",
    ),
)

RENHOU: Final = (
    Yaku(
        "renhou",
        "人和",
        "hand of man",
        1,
        0,
        "local",
        when=f.RENHOU,
        bars=f.UNCONNECTED,
        yakuman=True,
        option="renhou",
        changes=(
            *(
                Clause("renhou_mode", limit, closed=0, yakuman=False, floor=limit)
                for limit in ("mangan", "haneman", "baiman", "sanbaiman")
            ),
            Clause("renhou_mode", "stack5", closed=5, yakuman=False),
        ),
    ),
)

LOCAL_YAKUMAN: Final = (
    Yaku(
        "shiisan_puutou",
        "十三不搭",
        "thirteen unconnected",
        1,
        0,
        "local",
        needs=f.UNCONNECTED,
        yakuman=True,
        option="shiisan_puutou",
        changes=(Clause("shiisan_puutou_mode", "mangan", closed=5, yakuman=False),),
        ways=(
            Clause(when=f.TENHOU),
            Clause(when=f.CHIIHOU),
            Clause("shiisan_puutou_with_renhou", when=f.RENHOU),
        ),
    ),
    Yaku(
        "daichisei",
        "大七星",
        "big seven stars",
        2,
        0,
        "local",
        needs=f.SEVEN_PAIRS | f.NO_SUIT,
        yakuman=True,
        option="daichisei",
        replaces=("tsuuiisou",),
    ),
    Yaku(
        "daisharin",
        "大車輪",
        "big wheel",
        1,
        0,
        "local",
        needs=f.WHEEL,
        yakuman=True,
        option="daisharin",
        changes=(
            Clause("daisharin_suits", "p", needs=f.HAS_PINZU),
            Clause("daisharin_double", closed=2),
        ),
    ),
    Yaku(
        "touhoku_shinkansen",
        "東北新幹線",
        "north-east express",
        1,
        1,
        "local",
        needs=f.STRAIGHT,
        yakuman=True,
        option="touhoku_shinkansen",
        changes=(
            Clause("touhoku_open_ok", False, open=0),
            Clause("touhoku_souzu_only", needs=f.STRAIGHT_OF_SOUZU),
        ),
        ways=(
            Clause(needs=f.EAST_TRIPLET | f.NORTH_PAIR),
            Clause(needs=f.NORTH_TRIPLET | f.EAST_PAIR),
        ),
    ),
    Yaku(
        "hyakumangoku",
        "百万石",
        "million stones",
        1,
        1,
        "local",
        needs=f.ONE_SUIT | f.HAS_MANZU | f.SUM_100,
        bars=f.HAS_HONOUR,
        yakuman=True,
        option="hyakumangoku",
        changes=(Clause("hyakumangoku_strict_gt", needs=f.SUM_OVER_100),),
        ways=(
            Clause(),
            Clause("hyakumangoku_exact_double", bars=f.SUM_OVER_100, closed=2, open=2),
        ),
    ),
    Yaku(
        "isshoku_yonjun",
        "一色四順",
        "pure quadruple sequence",
        1,
        1,
        "local",
        needs=f.FOUR_SAME_SEQUENCES,
        yakuman=True,
        option="isshoku_yonjun",
    ),
    Yaku(
        "suurenkou",
        "四連刻",
        "four consecutive triplets",
        1,
        1,
        "local",
        needs=f.FOUR_CONSECUTIVE_TRIPLETS,
        yakuman=True,
        option="suurenkou",
    ),
    Yaku(
        "benikujaku",
        "紅孔雀",
        "crimson peacock",
        1,
        1,
        "local",
        needs=f.FOUR_TRIPLETS | f.ALL_PEACOCK,
        yakuman=True,
        option="benikujaku",
    ),
    Yaku(
        "paarenchan",
        "八連荘",
        "eight consecutive dealer hands",
        1,
        1,
        "local",
        when=f.DEALER,
        yakuman=True,
        option="paarenchan",
        changes=(
            Clause("paarenchan_count", "renchan", when=f.KEPT_EIGHT),
            Clause("paarenchan_count", "wins", when=f.WON_SEVEN),
        ),
    ),
)
