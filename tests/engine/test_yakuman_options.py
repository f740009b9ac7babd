"""Every option of yakuman and of local yaku on each of its values."""

from __future__ import annotations

import pytest
from win_kit import Row, check_row, check_values, has

from jantaku_engine.options_value import LOCAL_YAKU, YAKUMAN

PINFU = "234m456p67s22s345m+8s"
"""Tanyao and pinfu, nothing else, closed."""
EDGE = "12m456p345678s99p+3m"
"""No yaku."""
ONE_HAN = "345m678m234p55s78s+9s"
"""Pinfu alone."""
PAIRS = "1133m5577p2299s4z+4z"
TANKI = "222m333p444s555s7p+7p"
SHANPON = "222m333p444s55s77p+5s"
ORPHANS = "119m19p19s123456z+7z"
ORPHANS_13 = "19m19p19s1234567z+9s"
GATES_M = "1112345678999m+5m"
GATES_S = "1112345678999s+5s"
GREEN = "22334466688s66z+8s"
NO_HATSU = "2234666888s+2s"
KANS = ["daiminkan 2222m", "kakan 3333p", "ankan 4444s", "daiminkan 6666m"]
WINDS = ["pon 111z", "pon 222z", "pon 333z"]
WIND_KANS = ["ankan 1111z", "ankan 2222z", "ankan 3333z", "ankan 4444z"]
TENHOU = ["tsumo", "first_turn", "EE"]
CHIIHOU = ["tsumo", "first_turn", "SE"]
UNCONNECTED = "147m258p369s1234z+4z"
EXPRESS = "123456789p1144z+1z"
STONES = "9998887776665m+5m"
MORE_STONES = "77m88m+7m"
LAID_STONES = ["daiminkan 9999m", "kakan 6666m", "pon 555m"]
FIVE_HAN = "123m456p234m55p78s+9s"
TRIPLE_RUN = "112233m78s99p+9s"
IDENTICAL = "22334p55s+4p"
CALLED = ["chi 234p", "chi 234p"]

# Option, value, hand, facts, other options and numbers, what must come out.
ROWS: list[Row] = [
    ("double_yakuman", True, TANKI, [], {}, has(suuankou_tanki=2)),
    ("double_yakuman", False, TANKI, [], {}, has(suuankou_tanki=1)),
    ("double_yakuman", False, "44z88m+4z", WINDS, {}, has(daisuushii=1)),
    ("double_kokushi_musou_13", True, ORPHANS_13, [], {}, has(kokushi_musou_13=2)),
    ("double_kokushi_musou_13", False, ORPHANS_13, [], {}, has(kokushi_musou_13=1)),
    ("double_junsei_chuuren_poutou", True, GATES_M, [], {}, has(junsei_chuuren_poutou=2)),
    ("double_junsei_chuuren_poutou", False, GATES_M, [], {}, has(junsei_chuuren_poutou=1)),
    ("double_suuankou_tanki", True, TANKI, [], {}, has(suuankou_tanki=2)),
    ("double_suuankou_tanki", False, TANKI, [], {}, has(suuankou_tanki=1)),
    ("double_daisuushii", True, "44z88m+4z", WINDS, {}, has(daisuushii=2)),
    ("double_daisuushii", False, "44z88m+4z", WINDS, {}, has(daisuushii=1)),
    ("dai_yakuman", False, TANKI, [], {}, {"yakuman": 2, "pay_discarder": 64000}),
    ("dai_yakuman", True, TANKI, [], {}, {"yakuman": 1.5, "pay_discarder": 48000}),
    ("dai_yakuman", True, "44z88m+4z", WINDS, {}, has(daisuushii=1.5)),
    ("dai_yakuman", True, TANKI, [], {"double_yakuman": False}, has(suuankou_tanki=1)),
    ("dai_yakuman", True, "1122334455667z+7z", [], {"daichisei": True}, has(daichisei=2)),
    ("yakuman_stack", True, SHANPON, CHIIHOU, {}, {"yakuman": 2}),
    ("yakuman_stack", False, SHANPON, CHIIHOU, {}, {"yakuman": 1, "pay_others": 8000}),
    ("yakuman_stack", False, SHANPON, CHIIHOU, {}, has(chiihou=1, suuankou=1)),
    ("yakuman_cap", 6, "5z+5z", WIND_KANS, {"suukantsu_double": True}, {"yakuman": 6}),
    ("yakuman_cap", 2, "5z+5z", WIND_KANS, {}, {"yakuman": 2, "pay_discarder": 64000}),
    ("yakuman_cap", "none", "5z+5z", WIND_KANS, {"suukantsu_double": True}, {"yakuman": 7}),
    ("yakuman_add_dora", False, SHANPON, ["tsumo"], {"dora": "1m1m1m1m"}, {"dora": 0}),
    ("yakuman_add_dora", True, SHANPON, ["tsumo"], {"dora": "1m1m1m"}, {"dora": 9, "yakuman": 1}),
    (
        "yakuman_add_dora",
        True,
        SHANPON,
        ["tsumo"],
        {"dora": "1m1m1m2p2p"},
        {"dora": 15, "yakuman": 2, "han": 0, "pay_others": 16000},
    ),
    (
        "yakuman_add_dora",
        True,
        TANKI,
        [],
        {"dora": "1m1m", "dai_yakuman": True},
        {"dora": 6, "yakuman": 1.5},
    ),
    (
        "yakuman_add_dora",
        True,
        TANKI,
        [],
        {"dora": "1m1m1m", "dai_yakuman": True},
        {"dora": 9, "yakuman": 2},
    ),
    ("wait_variant_on_tenhou", "actual", ORPHANS, TENHOU, {}, has(tenhou=1, kokushi_musou=1)),
    (
        "wait_variant_on_tenhou",
        "actual",
        ORPHANS_13,
        TENHOU,
        {},
        has(tenhou=1, kokushi_musou_13=2),
    ),
    ("wait_variant_on_tenhou", "single", ORPHANS_13, TENHOU, {}, has(tenhou=1, kokushi_musou=1)),
    ("wait_variant_on_tenhou", "single", GATES_M, TENHOU, {}, has(tenhou=1, chuuren_poutou=1)),
    ("wait_variant_on_tenhou", "single", TANKI, TENHOU, {}, has(tenhou=1, suuankou=1)),
    (
        "wait_variant_on_tenhou",
        "single",
        ORPHANS_13,
        CHIIHOU,
        {},
        has(chiihou=1, kokushi_musou_13=2),
    ),
    ("wait_variant_on_tenhou", "single", TANKI, [], {}, has(suuankou_tanki=2)),
    (
        "wait_variant_on_tenhou",
        "always_double",
        ORPHANS,
        TENHOU,
        {},
        has(tenhou=1, kokushi_musou_13=2),
    ),
    (
        "wait_variant_on_tenhou",
        "always_double",
        SHANPON,
        TENHOU,
        {},
        has(tenhou=1, suuankou_tanki=2),
    ),
    (
        "wait_variant_on_tenhou",
        "always_double",
        "1112345678899m+9m",
        TENHOU,
        {},
        has(tenhou=1, junsei_chuuren_poutou=2),
    ),
    (
        "wait_variant_on_tenhou",
        "always_double",
        SHANPON,
        CHIIHOU,
        {},
        has(chiihou=1, suuankou=1),
    ),
    ("tenhou_double", False, PINFU, TENHOU, {}, has(tenhou=1)),
    ("tenhou_double", True, PINFU, TENHOU, {}, has(tenhou=2)),
    ("tenhou_double", True, PINFU, CHIIHOU, {}, has(chiihou=1)),
    ("suukantsu_double", False, "3z+3z", KANS, {}, has(suukantsu=1)),
    ("suukantsu_double", True, "3z+3z", KANS, {}, has(suukantsu=2)),
    ("chuuren_manzu_only", False, GATES_S, [], {}, has(junsei_chuuren_poutou=2)),
    ("chuuren_manzu_only", True, GATES_S, [], {}, has(chinitsu=6)),
    ("chuuren_manzu_only", True, GATES_M, [], {}, has(junsei_chuuren_poutou=2)),
    ("chuuren_manzu_only", True, "1112345678899p+7p", [], {}, {"yakuman": 0}),
    ("ryuuiisou_hatsu", "any", NO_HATSU, ["chi 234s"], {}, has(ryuuiisou=1)),
    ("ryuuiisou_hatsu", "required", NO_HATSU, ["chi 234s"], {}, {"yakuman": 0}),
    ("ryuuiisou_hatsu", "required", GREEN, [], {}, has(ryuuiisou=1)),
    ("ryuuiisou_pure_double", False, NO_HATSU, ["chi 234s"], {}, has(ryuuiisou=1)),
    ("ryuuiisou_pure_double", True, NO_HATSU, ["chi 234s"], {}, has(ryuuiisou=2)),
    ("ryuuiisou_pure_double", True, GREEN, [], {}, has(ryuuiisou=1)),
    (
        "ryuuiisou_pure_double",
        True,
        NO_HATSU,
        ["chi 234s"],
        {"ryuuiisou_hatsu": "required"},
        {"yakuman": 0},
    ),
    ("open_riichi", False, ONE_HAN, ["open"], {}, has(riichi=1, pinfu=1)),
    ("open_riichi", True, ONE_HAN, ["open"], {}, has(open_riichi=2, pinfu=1)),
    ("open_double_riichi", False, ONE_HAN, ["open_double"], {}, has(double_riichi=2, pinfu=1)),
    ("open_double_riichi", True, ONE_HAN, ["open_double"], {}, has(open_double_riichi=3, pinfu=1)),
    (
        "open_riichi_dealin_yakuman",
        False,
        ONE_HAN,
        ["open"],
        {"open_riichi": True},
        has(open_riichi=2, pinfu=1),
    ),
    (
        "open_riichi_dealin_yakuman",
        True,
        ONE_HAN,
        ["open"],
        {"open_riichi": True},
        {"yaku": {"open_riichi": 1}, "yakuman": 1, "pay_discarder": 32000},
    ),
    (
        "open_riichi_dealin_yakuman",
        True,
        ONE_HAN,
        ["open", "discarder_riichi"],
        {"open_riichi": True},
        has(open_riichi=2, pinfu=1),
    ),
    (
        "open_riichi_dealin_yakuman",
        True,
        ONE_HAN,
        ["open", "tsumo"],
        {"open_riichi": True},
        has(open_riichi=2, menzen_tsumo=1, pinfu=1),
    ),
    (
        "open_riichi_dealin_yakuman",
        True,
        ONE_HAN,
        ["open_double"],
        {"open_double_riichi": True},
        has(open_double_riichi=1),
    ),
    ("sanshoku_tsuukan", False, FIVE_HAN, [], {}, has(pinfu=1)),
    ("sanshoku_tsuukan", True, FIVE_HAN, [], {}, has(pinfu=1, sanshoku_tsuukan=2)),
    (
        "sanshoku_tsuukan_mode",
        "closed2_open1",
        "456p234m55p78s+9s",
        ["chi 123m"],
        {"sanshoku_tsuukan": True},
        has(sanshoku_tsuukan=1),
    ),
    (
        "sanshoku_tsuukan_mode",
        "closed1_only",
        "456p234m55p78s+9s",
        ["chi 123m"],
        {"sanshoku_tsuukan": True},
        {"reason": "no_yaku"},
    ),
    (
        "sanshoku_tsuukan_mode",
        "closed1_only",
        FIVE_HAN,
        [],
        {"sanshoku_tsuukan": True},
        has(pinfu=1, sanshoku_tsuukan=1),
    ),
    ("isshoku_sanjun", False, TRIPLE_RUN, ["chi 123m"], {}, has(junchan=2)),
    ("isshoku_sanjun", True, TRIPLE_RUN, ["chi 123m"], {}, has(isshoku_sanjun=2, junchan=2)),
    (
        "isshoku_sanjun_open_han",
        2,
        TRIPLE_RUN,
        ["chi 123m"],
        {"isshoku_sanjun": True},
        has(isshoku_sanjun=2, junchan=2),
    ),
    (
        "isshoku_sanjun_open_han",
        1,
        TRIPLE_RUN,
        ["chi 123m"],
        {"isshoku_sanjun": True},
        has(isshoku_sanjun=1, junchan=2),
    ),
    ("sanrenkou", False, "222333444p56s77m+7s", [], {}, has(tanyao=1, sanankou=2)),
    ("sanrenkou", True, "222333444p56s77m+7s", [], {}, has(tanyao=1, sanankou=2, sanrenkou=2)),
    ("renhou", False, PINFU, ["first_turn"], {}, has(pinfu=1, tanyao=1)),
    ("renhou", True, PINFU, ["first_turn"], {}, has(renhou=1)),
    ("renhou_mode", "yakuman", EDGE, ["first_turn"], {"renhou": True}, {"yakuman": 1}),
    (
        "renhou_mode",
        "mangan",
        EDGE,
        ["first_turn"],
        {"renhou": True},
        {"yaku": {"renhou": 0}, "han": 0, "fu": 40, "limit": "mangan", "pay_discarder": 8000},
    ),
    ("renhou_mode", "haneman", PAIRS, ["first_turn"], {"renhou": True}, {"limit": "haneman"}),
    ("renhou_mode", "baiman", PAIRS, ["first_turn"], {"renhou": True}, {"limit": "baiman"}),
    (
        "renhou_mode",
        "sanbaiman",
        PAIRS,
        ["first_turn"],
        {"renhou": True},
        {"limit": "sanbaiman", "yaku": {"chiitoitsu": 2, "renhou": 0}, "han": 2, "fu": 25},
    ),
    (
        "renhou_mode",
        "stack5",
        PINFU,
        ["first_turn"],
        {"renhou": True},
        {"yaku": {"pinfu": 1, "tanyao": 1, "renhou": 5}, "han": 7, "limit": "haneman"},
    ),
    ("shiisan_puutou", False, UNCONNECTED, CHIIHOU, {}, {"reason": "not_complete"}),
    ("shiisan_puutou", True, UNCONNECTED, CHIIHOU, {}, has(shiisan_puutou=1)),
    ("shiisan_puutou", True, UNCONNECTED, TENHOU, {}, has(shiisan_puutou=1)),
    (
        "shiisan_puutou_mode",
        "yakuman",
        UNCONNECTED,
        CHIIHOU,
        {"shiisan_puutou": True},
        {"yakuman": 1, "limit": "yakuman"},
    ),
    (
        "shiisan_puutou_mode",
        "mangan",
        UNCONNECTED,
        CHIIHOU,
        {"shiisan_puutou": True},
        {"yaku": {"shiisan_puutou": 5}, "han": 5, "fu": 0, "limit": "mangan"},
    ),
    (
        "shiisan_puutou_with_renhou",
        False,
        UNCONNECTED,
        ["first_turn"],
        {"shiisan_puutou": True},
        {"reason": "not_complete"},
    ),
    (
        "shiisan_puutou_with_renhou",
        True,
        UNCONNECTED,
        ["first_turn"],
        {"shiisan_puutou": True},
        has(shiisan_puutou=1),
    ),
    ("daichisei", False, "1122334455667z+7z", [], {}, has(tsuuiisou=1)),
    ("daichisei", True, "1122334455667z+7z", [], {}, has(daichisei=2)),
    ("daisharin", False, "2233445566778p+8p", [], {}, {"limit": "sanbaiman"}),
    ("daisharin", True, "2233445566778p+8p", [], {}, has(daisharin=1)),
    ("daisharin_suits", "p", "2233445566778s+8s", [], {"daisharin": True}, {"yakuman": 0}),
    ("daisharin_suits", "any", "2233445566778s+8s", [], {"daisharin": True}, has(daisharin=1)),
    ("daisharin_double", False, "2233445566778p+8p", [], {"daisharin": True}, has(daisharin=1)),
    ("daisharin_double", True, "2233445566778p+8p", [], {"daisharin": True}, has(daisharin=2)),
    ("touhoku_shinkansen", False, EXPRESS, [], {}, {"yakuman": 0}),
    ("touhoku_shinkansen", True, EXPRESS, [], {}, has(touhoku_shinkansen=1)),
    (
        "touhoku_open_ok",
        True,
        "456m78m44z+9m",
        ["chi 123m", "pon 111z"],
        {"touhoku_shinkansen": True},
        {"yakuman": 1},
    ),
    (
        "touhoku_open_ok",
        False,
        "456m78m44z+9m",
        ["chi 123m", "pon 111z"],
        {"touhoku_shinkansen": True},
        {"yakuman": 0},
    ),
    (
        "touhoku_open_ok",
        False,
        "456123m78m44z+9m",
        ["ankan 1111z"],
        {"touhoku_shinkansen": True},
        {"yakuman": 1},
    ),
    ("touhoku_souzu_only", False, EXPRESS, [], {"touhoku_shinkansen": True}, {"yakuman": 1}),
    ("touhoku_souzu_only", True, EXPRESS, [], {"touhoku_shinkansen": True}, {"yakuman": 0}),
    (
        "touhoku_souzu_only",
        True,
        "123456789s1144z+1z",
        [],
        {"touhoku_shinkansen": True},
        {"yakuman": 1},
    ),
    ("hyakumangoku", False, MORE_STONES, LAID_STONES, {}, {"yakuman": 0}),
    ("hyakumangoku", True, MORE_STONES, LAID_STONES, {}, has(hyakumangoku=1)),
    (
        "hyakumangoku_strict_gt",
        False,
        STONES,
        [],
        {"hyakumangoku": True},
        has(suuankou_tanki=2, hyakumangoku=1),
    ),
    (
        "hyakumangoku_strict_gt",
        True,
        STONES,
        [],
        {"hyakumangoku": True},
        has(suuankou_tanki=2),
    ),
    (
        "hyakumangoku_strict_gt",
        True,
        MORE_STONES,
        LAID_STONES,
        {"hyakumangoku": True},
        has(hyakumangoku=1),
    ),
    (
        "hyakumangoku_exact_double",
        False,
        STONES,
        [],
        {"hyakumangoku": True},
        has(suuankou_tanki=2, hyakumangoku=1),
    ),
    (
        "hyakumangoku_exact_double",
        True,
        STONES,
        [],
        {"hyakumangoku": True},
        has(suuankou_tanki=2, hyakumangoku=2),
    ),
    (
        "hyakumangoku_exact_double",
        True,
        MORE_STONES,
        LAID_STONES,
        {"hyakumangoku": True},
        has(hyakumangoku=1),
    ),
    ("isshoku_yonjun", False, IDENTICAL, CALLED, {}, has(tanyao=1)),
    ("isshoku_yonjun", True, IDENTICAL, CALLED, {}, has(isshoku_yonjun=1)),
    ("suurenkou", False, "2223334445559p+9p", [], {}, has(suuankou_tanki=2)),
    ("suurenkou", True, "2223334445559p+9p", [], {}, has(suuankou_tanki=2, suurenkou=1)),
    ("benikujaku", False, "111555777s99s77z+7z", [], {}, {"han": 8}),
    ("benikujaku", True, "111555777s99s77z+7z", [], {}, has(benikujaku=1)),
    ("paarenchan", False, PINFU, ["EE"], {"kept": 8}, {"han": 2}),
    ("paarenchan", True, PINFU, ["EE"], {"kept": 8}, has(paarenchan=1)),
    ("paarenchan_count", "renchan", PINFU, ["EE"], {"kept": 8, "paarenchan": True}, {"yakuman": 1}),
    ("paarenchan_count", "renchan", PINFU, ["EE"], {"wins": 8, "paarenchan": True}, {"yakuman": 0}),
    ("paarenchan_count", "wins", PINFU, ["EE"], {"wins": 7, "paarenchan": True}, {"yakuman": 1}),
    ("paarenchan_count", "wins", PINFU, ["EE"], {"wins": 6, "paarenchan": True}, {"yakuman": 0}),
    (
        "paarenchan_needs_yaku",
        True,
        EDGE,
        ["EE"],
        {"kept": 8, "paarenchan": True},
        {"reason": "no_yaku"},
    ),
    ("paarenchan_needs_yaku", False, EDGE, ["EE"], {"kept": 8, "paarenchan": True}, {"yakuman": 1}),
    (
        "paarenchan_needs_yaku",
        True,
        PINFU,
        ["EE"],
        {"kept": 8, "paarenchan": True, "min_han": 3},
        {"reason": "below_minimum"},
    ),
    (
        "paarenchan_needs_yaku",
        True,
        PINFU,
        ["EE"],
        {"kept": 8, "paarenchan": True, "min_han": 2},
        {"yakuman": 1},
    ),
    (
        "paarenchan_needs_yaku",
        False,
        EDGE,
        ["EE"],
        {"kept": 8, "paarenchan": True, "min_han": 4},
        {"yakuman": 1},
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}={row[1]}-{row[2]}")
def test_option(row: Row) -> None:
    check_row(row)


@pytest.mark.parametrize("name", [option.name for option in (*YAKUMAN, *LOCAL_YAKU)])
def test_every_value_of_every_option_is_tried(name: str) -> None:
    check_values(name, ROWS)
