"""Every yaku of the catalogue: hands that have it, closed and open, and hands that just miss it."""

from __future__ import annotations

from typing import Any

import pytest
from win_kit import yaku

import paths
from jantaku_engine.rules import DEFAULT, OPTIONS, Ruleset
from jantaku_engine.yaku.catalogue import CATALOGUE, YAKU

Case = tuple[Any, ...]

ON = {name: {name: True} for name in OPTIONS}

EIGHT = {"paarenchan": True, "kept": 8}

# Each hand: yaku, value, hand, facts, options.
HAVE: list[Case] = [
    ("riichi", 1, "345m678m234p55s78s+9s", ["riichi"], {}),
    ("riichi", 1, "234m678p99s56s+7s", ["riichi", "ankan 7777z"], {}),
    ("double_riichi", 2, "345m678m234p55s78s+9s", ["double"], {}),
    ("open_riichi", 2, "345m678m234p55s78s+9s", ["open"], ON["open_riichi"]),
    (
        "open_riichi",
        1,
        "345m678m234p55s78s+9s",
        ["open"],
        {"open_riichi": True, "open_riichi_dealin_yakuman": True},
    ),
    ("open_double_riichi", 3, "345m678m234p55s78s+9s", ["open_double"], ON["open_double_riichi"]),
    ("ippatsu", 1, "345m678m234p55s78s+9s", ["riichi", "ippatsu"], {}),
    ("ippatsu", 1, "345m678m234p55s78s+9s", ["double", "ippatsu", "tsumo"], {}),
    ("menzen_tsumo", 1, "13m456p678s99s345m+2m", ["tsumo"], {}),
    ("menzen_tsumo", 1, "13m456p678s99s+2m", ["tsumo", "ankan 1111z"], {}),
    ("pinfu", 1, "234m456p67s345m22z+8s", ["WE"], {}),
    ("pinfu", 1, "23456m678p345s99p+4m", ["tsumo"], {}),
    ("pinfu", 1, "112233m789p5567s+8s", [], {}),
    ("tanyao", 1, "345m678s22p56p+7p", ["chi 456m"], {}),
    ("tanyao", 1, "24m456p678s88s345m+3m", [], {}),
    ("tanyao", 1, "2244m3366p4477s8s+8s", [], {}),
    ("iipeikou", 1, "223344m567p11s79s+8s", [], {}),
    ("iipeikou", 1, "22334m567p11s789s+4m", ["tsumo"], {}),
    ("yakuhai_haku", 1, "234m456p789s55z11p+5z", [], {}),
    ("yakuhai_haku", 1, "234m678p99s56s+7s", ["pon 555z"], {}),
    ("yakuhai_hatsu", 1, "234m456p789s66z11p+6z", [], {}),
    ("yakuhai_hatsu", 1, "234m678p99s56s+7s", ["daiminkan 6666z"], {}),
    ("yakuhai_chun", 1, "234m456p789s77z11p+7z", [], {}),
    ("yakuhai_chun", 1, "234m678p99s56s+7s", ["kakan 7777z"], {}),
    ("yakuhai_seat_wind", 1, "234m456p789s33z11p+3z", ["WE"], {}),
    ("yakuhai_seat_wind", 1, "234m678p99s56s+7s", ["pon 222z", "SS"], {}),
    ("yakuhai_round_wind", 1, "234m456p789s11z11p+1z", ["SE"], {}),
    ("yakuhai_round_wind", 1, "234m678p99s56s+7s", ["pon 222z", "SS"], {}),
    ("rinshan_kaihou", 1, "456p78p55z+9p", ["tsumo", "rinshan", "chi 123m", "kakan 9999s"], {}),
    ("rinshan_kaihou", 1, "234m456p67s22p+8s", ["tsumo", "rinshan", "ankan 9999m"], {}),
    ("chankan", 1, "345m678m234p55s78s+9s", ["chankan"], {}),
    ("chankan", 1, "456p78p55z+9p", ["chankan", "chi 123m", "pon 999s"], {}),
    ("haitei_raoyue", 1, "13m456p678s99s345m+2m", ["tsumo", "last_tile"], {}),
    ("haitei_raoyue", 1, "456p78p55z+9p", ["tsumo", "last_tile", "chi 123m", "pon 999s"], {}),
    ("houtei_raoyui", 1, "13m456p678s99s345m+2m", ["last_tile"], {}),
    ("houtei_raoyui", 1, "456p78p55z+9p", ["last_tile", "chi 123m", "pon 999s"], {}),
    ("chiitoitsu", 2, "1188m2255p3366s7z+7z", [], {}),
    ("chanta", 2, "123m789m12p999s44z+3p", [], {}),
    ("chanta", 1, "789m12p44z+3p", ["chi 123m", "pon 999s"], {}),
    ("ittsuu", 2, "12345678m234p55s+9m", [], {}),
    ("ittsuu", 1, "12345m234p55s+6m", ["chi 789m"], {}),
    ("sanshoku_doujun", 2, "123m123p456m99p12s+3s", [], {}),
    ("sanshoku_doujun", 1, "345p34s678p88s+5s", ["chi 345m"], {}),
    ("sanshoku_doukou", 2, "444m444p44s678s55p+4s", [], {}),
    ("sanshoku_doukou", 2, "44m55p+4m", ["pon 444p", "ankan 4444s", "chi 123m"], {}),
    ("sanankou", 2, "222m333p44s55s678m+4s", ["tsumo"], {}),
    ("sanankou", 2, "333p444s555m8s+8s", ["pon 222m"], {}),
    ("sankantsu", 2, "22p67s+8s", ["ankan 1111m", "ankan 9999p", "ankan 1111z"], {}),
    ("sankantsu", 2, "55p67m+8m", ["daiminkan 2222m", "kakan 3333p", "ankan 4444s"], {}),
    ("toitoi", 2, "222m888p444s66s77p+6s", [], {}),
    ("toitoi", 2, "55m888s33p+5m", ["pon 222p", "pon 444z"], {}),
    ("honroutou", 2, "111m999p11s33z+1s", ["ankan 9999s", "WE"], {}),
    ("honroutou", 2, "99p11s+1s", ["pon 999m", "pon 111m", "pon 222z"], {}),
    ("honroutou", 2, "1199m1199p11s22z1z+1z", [], {}),
    ("shousangen", 2, "55566677z234m67p+5p", [], {}),
    ("shousangen", 2, "555z66z34m+5m", ["pon 777z", "chi 789s"], {}),
    ("ryanpeikou", 3, "112233m778899s5p+5p", [], {}),
    ("ryanpeikou", 3, "22223333444m55p+4m", [], {}),
    ("junchan", 3, "12m999p11s789s111m+3m", [], {}),
    ("junchan", 2, "12s99m+3s", ["chi 123m", "pon 999p", "chi 789s"], {}),
    ("honitsu", 3, "123456789s11z44z+4z", [], {}),
    ("honitsu", 2, "345m55z66z+6z", ["chi 123m", "chi 678m"], {}),
    ("chinitsu", 6, "1122334567899p+9p", [], {}),
    ("chinitsu", 5, "345m5566m+6m", ["chi 123m", "chi 678m"], {}),
    ("sanshoku_tsuukan", 2, "123m456p234m55p78s+9s", [], ON["sanshoku_tsuukan"]),
    ("sanshoku_tsuukan", 1, "456p234m55p78s+9s", ["chi 123m"], ON["sanshoku_tsuukan"]),
    ("isshoku_sanjun", 2, "111222333m99p78s+9s", [], ON["isshoku_sanjun"]),
    ("isshoku_sanjun", 2, "112233m78s99p+9s", ["chi 123m"], ON["isshoku_sanjun"]),
    ("sanrenkou", 2, "222333444p56s77m+7s", [], ON["sanrenkou"]),
    ("sanrenkou", 2, "77p23m+4m", ["daiminkan 3333s", "pon 444s", "pon 555s"], ON["sanrenkou"]),
    ("tenhou", 1, "234m456p67s22s345m+8s", ["tsumo", "first_turn", "EE"], {}),
    ("chiihou", 1, "234m456p67s22s345m+8s", ["tsumo", "first_turn", "NE"], {}),
    ("renhou", 1, "12m456p345678s99p+3m", ["first_turn", "NE"], ON["renhou"]),
    ("kokushi_musou", 1, "119m19p19s123456z+7z", [], {}),
    ("kokushi_musou_13", 2, "19m19p19s1234567z+7z", [], {}),
    ("chuuren_poutou", 1, "1112345678899s+9s", [], {}),
    ("chuuren_poutou", 1, "1122345678999p+1p", ["tsumo"], {}),
    ("junsei_chuuren_poutou", 2, "1112345678999m+5m", [], {}),
    ("junsei_chuuren_poutou", 2, "1112345678999p+9p", ["tsumo"], {}),
    ("suuankou", 1, "222m333p444s55s77p+5s", ["tsumo"], {}),
    ("suuankou", 1, "333p55s77p+5s", ["tsumo", "ankan 2222m", "ankan 4444s"], {}),
    ("suuankou_tanki", 2, "222m333p444s555s7p+7p", [], {}),
    ("suukantsu", 1, "5p+5p", ["daiminkan 1111m", "kakan 9999p", "ankan 2222s", "kakan 3333z"], {}),
    (
        "suukantsu",
        1,
        "5p+5p",
        ["tsumo", "ankan 1111m", "ankan 9999p", "ankan 2222s", "ankan 3333z"],
        {},
    ),
    ("chinroutou", 1, "111m99s11s+1s", ["pon 999p", "pon 111p"], {}),
    ("chinroutou", 1, "111m999m111p999s1s+1s", [], {}),
    ("tsuuiisou", 1, "1122334455667z+7z", [], {}),
    ("tsuuiisou", 1, "33z44z555z+3z", ["pon 111z", "pon 222z"], {}),
    ("daisuushii", 2, "11122233344z88m+4z", [], {}),
    ("daisuushii", 2, "44z88m+4z", ["pon 111z", "pon 222z", "pon 333z"], {}),
    ("shousuushii", 1, "111222333z44z23s+1s", [], {}),
    ("shousuushii", 1, "44z23s+1s", ["pon 111z", "pon 222z", "pon 333z"], {}),
    ("daisangen", 1, "55566677z22m789p+7z", [], {}),
    ("daisangen", 1, "67m99s+8m", ["pon 555z", "pon 666z", "ankan 7777z"], {}),
    ("ryuuiisou", 1, "22334466688s66z+8s", [], {}),
    ("ryuuiisou", 1, "2234666888s+2s", ["chi 234s"], {}),
    (
        "shiisan_puutou",
        1,
        "147m258p369s1234z+4z",
        ["tsumo", "first_turn"],
        ON["shiisan_puutou"],
    ),
    (
        "shiisan_puutou",
        1,
        "159m159p159s1235z+9s",
        ["tsumo", "first_turn", "EE"],
        ON["shiisan_puutou"],
    ),
    ("daichisei", 2, "1122334455667z+7z", [], ON["daichisei"]),
    ("daisharin", 1, "2233445566778p+8p", [], ON["daisharin"]),
    ("touhoku_shinkansen", 1, "123456789p1144z+1z", [], ON["touhoku_shinkansen"]),
    (
        "touhoku_shinkansen",
        1,
        "456m78m11z+9m",
        ["chi 123m", "daiminkan 4444z"],
        ON["touhoku_shinkansen"],
    ),
    ("hyakumangoku", 1, "9998887776665m+5m", [], ON["hyakumangoku"]),
    (
        "hyakumangoku",
        1,
        "77m88m+7m",
        ["daiminkan 9999m", "kakan 6666m", "pon 555m"],
        ON["hyakumangoku"],
    ),
    ("isshoku_yonjun", 1, "1111222233399s+3s", [], ON["isshoku_yonjun"]),
    ("isshoku_yonjun", 1, "22334p55s+4p", ["chi 234p", "chi 234p"], ON["isshoku_yonjun"]),
    ("suurenkou", 1, "2223334445559p+9p", [], ON["suurenkou"]),
    ("suurenkou", 1, "66p99m+6p", ["pon 333p", "pon 444p", "kakan 0555p"], ON["suurenkou"]),
    ("benikujaku", 1, "111555777s99s77z+7z", [], ON["benikujaku"]),
    ("benikujaku", 1, "99s77z+7z", ["pon 111s", "pon 555s", "pon 777s"], ON["benikujaku"]),
    ("paarenchan", 1, "234m456p67s22s345m+8s", ["EE"], {"paarenchan": True, "kept": 8}),
    (
        "paarenchan",
        1,
        "67s22s345m+8s",
        ["EE", "chi 234m", "pon 777z"],
        {"paarenchan": True, "kept": 9},
    ),
]

# Each hand: yaku that it does not have, hand, facts, options.
MISS: list[Case] = [
    ("riichi", "345m678m234p55s78s+9s", [], {}),
    ("riichi", "345m678m234p55s78s+9s", ["double"], {}),
    ("double_riichi", "345m678m234p55s78s+9s", ["riichi"], {}),
    ("open_riichi", "345m678m234p55s78s+9s", ["riichi"], ON["open_riichi"]),
    ("open_riichi", "345m678m234p55s78s+9s", ["open"], {}),
    ("open_double_riichi", "345m678m234p55s78s+9s", ["double"], ON["open_double_riichi"]),
    ("open_double_riichi", "345m678m234p55s78s+9s", ["open_double"], ON["open_riichi"]),
    ("ippatsu", "345m678m234p55s78s+9s", ["riichi"], {}),
    ("menzen_tsumo", "234m678s22p56p+7p", ["tsumo", "pon 777z"], {}),
    ("menzen_tsumo", "345m678m234p55s78s+9s", ["riichi"], {}),
    ("pinfu", "234m456p67s345m22z+8s", ["SE", "riichi"], {}),
    ("pinfu", "234m456p67s345m11z+8s", ["SE", "riichi"], {}),
    ("pinfu", "234m456p67s345m55z+8s", ["riichi"], {}),
    ("pinfu", "234m456p68s345m99m+7s", ["riichi"], {}),
    ("pinfu", "234m456p12s345m99m+3s", ["riichi"], {}),
    ("pinfu", "234m456p89s345m99m+7s", ["riichi"], {}),
    ("pinfu", "234m456p678s345m9m+9m", ["riichi"], {}),
    ("pinfu", "234m456p67s111m99m+8s", ["riichi"], {}),
    ("pinfu", "456p67s22p234s+8s", ["chi 234m"], {}),
    ("tanyao", "234m345s67p88s+5p", ["chi 789m"], {}),
    ("tanyao", "234m345s67p11s234p+8p", ["riichi"], {}),
    ("iipeikou", "345m345p678s99s78m+6m", [], {}),
    ("iipeikou", "34m567p11s234s+5m", ["riichi", "ankan 9999p"], {}),
    ("iipeikou", "34m567p11s789s+5m", ["chi 345m", "last_tile"], {}),
    ("yakuhai_haku", "456p78p55z+9p", ["chi 123m", "pon 999s", "last_tile"], {}),
    ("yakuhai_hatsu", "1155m3399p66z22s8s+8s", [], {}),
    ("yakuhai_chun", "55566677z234m67p+5p", [], {}),
    ("yakuhai_seat_wind", "234m678p99s56s+7s", ["pon 111z", "SE"], {}),
    ("yakuhai_round_wind", "234m678p99s56s+7s", ["pon 444z", "NS"], {}),
    ("rinshan_kaihou", "234m456p67s22p+8s", ["tsumo", "ankan 9999m"], {}),
    ("rinshan_kaihou", "345m678m234p55s78s+9s", ["rinshan"], {}),
    ("chankan", "345m678m234p55s78s+9s", [], {}),
    ("haitei_raoyue", "13m456p678s99s345m+2m", ["last_tile"], {}),
    ("haitei_raoyue", "234m456p67s22p+8s", ["tsumo", "last_tile", "rinshan", "ankan 9999m"], {}),
    ("houtei_raoyui", "13m456p678s99s345m+2m", ["tsumo", "last_tile"], {}),
    ("houtei_raoyui", "345m678m234p55s78s+9s", ["chankan", "last_tile"], {}),
    ("chiitoitsu", "223344m556677p9s+9s", [], {}),
    ("chiitoitsu", "1111m2233p4455s6z+6z", [], {}),
    ("chanta", "123m789p456p99s12s+3s", ["riichi"], {}),
    ("chanta", "111m999p11s33z+1s", ["ankan 9999s", "WE"], {}),
    ("chanta", "12m999p11s789s111m+3m", [], {}),
    ("ittsuu", "12334578m99p234s+9m", [], {}),
    ("ittsuu", "123m456m789p22s67s+8s", ["riichi"], {}),
    ("sanshoku_doujun", "234m234p456s67s88p+5s", [], {}),
    ("sanshoku_doukou", "444m555p678m3m+3m", ["pon 444s"], {}),
    ("sanankou", "333p44s888s55m+4s", ["pon 222m"], {}),
    ("sanankou", "333p44s88m+4s", ["tsumo", "pon 222m", "pon 666z"], {}),
    ("sankantsu", "55p67m333p+8m", ["daiminkan 2222m", "ankan 4444s"], {}),
    ("toitoi", "345m33p88s+8s", ["pon 222p", "pon 555z"], {}),
    ("honroutou", "99p11s+1s", ["pon 999m", "pon 111m", "pon 111p"], {}),
    ("honroutou", "99p22s+2s", ["pon 999m", "pon 111m", "pon 222z"], {}),
    ("honroutou", "33z44z555z+3z", ["pon 111z", "pon 222z"], {}),
    ("shousangen", "555z34m99p+5m", ["pon 777z", "chi 789s"], {}),
    ("shousangen", "555z44z34m+5m", ["pon 777z", "chi 789s"], {}),
    ("ryanpeikou", "223344m34p456p88s+5p", [], {}),
    ("ryanpeikou", "1133m5577p2299s4z+4z", [], {}),
    ("junchan", "123m789m123p99s78s+6s", [], {}),
    ("junchan", "123m789m12p999s44z+3p", [], {}),
    ("honitsu", "345p55z66z+6z", ["chi 123m", "chi 678m"], {}),
    ("honitsu", "345m5566m+6m", ["chi 123m", "chi 678m"], {}),
    ("chinitsu", "345m55m66z+6z", ["chi 123m", "chi 678m"], {}),
    ("sanshoku_tsuukan", "123m456m234p55p78s+9s", ["riichi"], ON["sanshoku_tsuukan"]),
    ("sanshoku_tsuukan", "123m456p234m55p78s+9s", [], {}),
    ("isshoku_sanjun", "112233m456s78s99p+9s", [], ON["isshoku_sanjun"]),
    ("sanrenkou", "55s234m99s+5s", ["pon 333p", "pon 444p", "last_tile"], ON["sanrenkou"]),
    ("sanrenkou", "222333555p56s77m+7s", [], ON["sanrenkou"]),
    ("tenhou", "234m456p67s22s345m+8s", ["tsumo", "first_turn", "SE"], {}),
    ("tenhou", "234m456p67s22s345m+8s", ["tsumo", "EE"], {}),
    ("chiihou", "234m456p67s22s345m+8s", ["first_turn", "SE"], {}),
    ("chiihou", "234m456p67s22s345m+8s", ["tsumo", "first_turn", "EE"], {}),
    ("renhou", "234m456p67s22s345m+8s", ["first_turn"], {}),
    ("renhou", "234m456p67s22s345m+8s", ["first_turn", "EE"], ON["renhou"]),
    ("renhou", "234m456p67s22s345m+8s", [], ON["renhou"]),
    ("kokushi_musou", "19m19p19s1234567z+9s", [], {}),
    ("kokushi_musou", "1199m19p19s12345z+6z", ["riichi"], {}),
    ("kokushi_musou_13", "19m119p19s123456z+7z", [], {}),
    ("chuuren_poutou", "1112345678899s+7s", [], {}),
    ("chuuren_poutou", "1112345678999m+5m", [], {}),
    ("chuuren_poutou", "2345678999m+8m", ["tsumo", "ankan 1111m"], {}),
    ("junsei_chuuren_poutou", "1122345678999m+1m", [], {}),
    ("suuankou", "222m333p444s55s77p+5s", [], {}),
    ("suuankou", "333p444s55s77m+5s", ["tsumo", "pon 222m"], {}),
    ("suuankou_tanki", "111m222p888s33z44z+4z", ["tsumo"], {}),
    ("suukantsu", "67m5p5p+8m", ["daiminkan 2222m", "kakan 3333p", "kakan 4444s"], {}),
    ("chinroutou", "23m99s+1m", ["pon 999p", "pon 111p", "pon 111s"], {}),
    ("chinroutou", "99p11s+1s", ["pon 999m", "pon 111m", "pon 222z"], {}),
    ("tsuuiisou", "1122334455667z+7z", [], ON["daichisei"]),
    ("tsuuiisou", "33z44z555m+3z", ["pon 111z", "pon 222z"], {}),
    ("daisuushii", "88m55z+5z", ["pon 111z", "pon 222z", "pon 333z"], {}),
    ("shousuushii", "23m99s+4m", ["pon 111z", "pon 222z", "pon 333z"], {}),
    ("daisangen", "67m99s345p+8m", ["pon 555z", "pon 666z"], {}),
    ("ryuuiisou", "23466688s77z+8s", ["chi 234s"], {}),
    ("ryuuiisou", "2234666777s+2s", ["chi 234s"], {}),
    ("shiisan_puutou", "147m258p369s1234z+4z", ["tsumo"], ON["shiisan_puutou"]),
    ("shiisan_puutou", "147m258p369s1234z+5z", ["tsumo", "first_turn"], ON["shiisan_puutou"]),
    ("shiisan_puutou", "147m258p368s1234z+4z", ["tsumo", "first_turn"], ON["shiisan_puutou"]),
    ("shiisan_puutou", "146m258p369s1234z+4z", ["tsumo", "first_turn"], ON["shiisan_puutou"]),
    ("shiisan_puutou", "19m19p19s1234567z+7z", ["tsumo", "first_turn"], ON["shiisan_puutou"]),
    ("shiisan_puutou", "147m258p369s1144z+4z", ["tsumo", "first_turn"], ON["shiisan_puutou"]),
    ("shiisan_puutou", "147m258p369s1234z+4z", ["tsumo", "first_turn"], {}),
    ("daichisei", "112233445566z9m+9m", [], ON["daichisei"]),
    ("daichisei", "33z44z555z+3z", ["pon 111z", "pon 222z"], ON["daichisei"]),
    ("daisharin", "2233445566778m+8m", [], ON["daisharin"]),
    ("daisharin", "1122334455667p+7p", [], ON["daisharin"]),
    ("touhoku_shinkansen", "123456789p1133z+1z", [], ON["touhoku_shinkansen"]),
    ("touhoku_shinkansen", "123456p789s1144z+1z", ["riichi"], ON["touhoku_shinkansen"]),
    ("hyakumangoku", "99988877766m55m+5m", [], ON["hyakumangoku"]),
    ("hyakumangoku", "9998887776665p+5p", [], ON["hyakumangoku"]),
    ("isshoku_yonjun", "111222333m78s99p+9s", [], ON["isshoku_yonjun"]),
    ("suurenkou", "66p99m+6p", ["pon 333m", "pon 444m", "pon 555m"], ON["suurenkou"]),
    ("benikujaku", "99s77z+7z", ["pon 333s", "pon 555s", "pon 777s"], ON["benikujaku"]),
    ("benikujaku", "99s66z+6z", ["pon 111s", "pon 555s", "pon 777s"], ON["benikujaku"]),
    ("paarenchan", "234m456p67s22s345m+8s", ["EE"], {"paarenchan": True, "kept": 7}),
    ("paarenchan", "234m456p67s22s345m+8s", ["SE"], {"paarenchan": True, "kept": 8}),
]


def name(case: Case) -> str:
    text = next(part for part in case[1:] if isinstance(part, str))
    return f"{case[0]}-{text}-{'-'.join(part for part in case[-2] if ' ' not in part)}"


@pytest.mark.parametrize("case", HAVE, ids=name)
def test_a_hand_that_has_it(case: Case) -> None:
    yaku_id, value, text, facts, more = case
    found = yaku(text, *facts, **more)
    assert found.get(yaku_id) == value, found
    assert type(found[yaku_id]) is int


@pytest.mark.parametrize("case", MISS, ids=name)
def test_a_hand_that_just_misses_it(case: Case) -> None:
    yaku_id, text, facts, more = case
    assert yaku_id not in yaku(text, *facts, **more)


def is_open(facts: list[str]) -> bool:
    return any(" " in fact and not fact.startswith("ankan") for fact in facts)


OF_HANDS = [entry for entry in CATALOGUE if entry.kind not in ("limit", "draw")]


@pytest.mark.parametrize("entry", OF_HANDS, ids=lambda entry: entry.id)
def test_every_yaku_is_tried_closed_open_and_missed(entry: Any) -> None:
    values = {(is_open(case[3]), case[1]) for case in HAVE if case[0] == entry.id}
    assert any(case[0] == entry.id for case in MISS)
    assert (False, entry.closed) in values
    assert ((True, entry.open) in values) == bool(entry.open)


def test_a_closed_yaku_does_not_count_with_an_open_meld() -> None:
    """RULES 5.8: the same tiles, with one group called."""
    assert yaku("112233m778899s5p+5p") == {"ryanpeikou": 3}
    assert yaku("112233m789s5p+5p", "chi 789s", "last_tile") == {"houtei_raoyui": 1}
    assert yaku("333p444s55s77m+5s", "tsumo", "pon 222m").get("suuankou") is None
    assert "chuuren_poutou" not in yaku("1112345678m+8m", "chi 789m", "last_tile")


def test_one_han_less_when_open() -> None:
    """RULES 5.8."""
    less = {entry.id for entry in OF_HANDS if entry.open and entry.open < entry.closed}
    assert less == {
        *("sanshoku_doujun", "ittsuu", "chanta", "junchan", "honitsu", "chinitsu"),
        "sanshoku_tsuukan",
    }


def test_replaced_yaku_do_not_count() -> None:
    for entry in OF_HANDS:
        for other in entry.replaces:
            assert YAKU[other]
            for case in HAVE:
                if case[0] == entry.id:
                    assert other not in yaku(case[2], *case[3], **case[4])


def test_a_wind_that_is_seat_and_round_counts_twice() -> None:
    assert yaku("234m678p99s56s+7s", "pon 222z", "SS") == {
        "yakuhai_seat_wind": 1,
        "yakuhai_round_wind": 1,
    }


def test_results_list_yaku_in_the_order_of_the_catalogue() -> None:
    order = [entry.id for entry in CATALOGUE]
    for _, _, text, facts, more in HAVE:
        found = list(yaku(text, *facts, **more))
        assert found == sorted(found, key=order.index)


def test_local_yaku_are_off_by_default_and_have_a_switch_of_their_own() -> None:
    for entry in OF_HANDS:
        assert entry.default == (entry.kind != "local")
        if entry.kind == "local":
            assert getattr(DEFAULT, entry.option) is False
        assert bool(entry.tests(DEFAULT)) == entry.default


def test_the_catalogue_is_the_table_of_yaku() -> None:
    """Every row of yaku.tsv, in its order, with its names, values, kind and default."""
    lines = paths.rules_text("yaku.tsv").splitlines()
    columns = lines[0].split("\t")
    rows = [dict(zip(columns, line.split("\t"), strict=False)) for line in lines[1:]]
    assert [entry.id for entry in CATALOGUE] == [row["id"] for row in rows]
    for entry, row in zip(CATALOGUE, rows, strict=True):
        assert (entry.kanji, entry.english) == (row["kanji"], row["english"])
        assert entry.kind == row["kind"]
        assert entry.default == (row["default"] == "on")
        if entry.kind == "draw":
            continue
        sign = "y" if entry.yakuman else ""
        for value, cell in ((entry.closed, row["closed"]), (entry.open, row["open"])):
            assert (f"{sign}{value}" if value else "-") == cell, entry.id


def test_options_that_change_a_yaku_exist() -> None:
    rules = Ruleset()
    for entry in CATALOGUE:
        for clause in (*entry.changes, *entry.ways):
            if clause.option:
                assert OPTIONS[clause.option].domain.check(clause.value) == clause.value
                assert hasattr(rules, clause.option)
