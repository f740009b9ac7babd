"""Every option of ordinary hands and dora on each of its values, and every preset."""

from __future__ import annotations

from typing import Any

import pytest
from win_kit import Row, check_row, check_values, has, score

from jantaku_engine.options_value import VALUE_OF_HANDS
from jantaku_engine.rules import PRESETS, Ruleset

PINFU = "234m456p67s22s345m+8s"
"""Tanyao and pinfu, nothing else, closed."""
EDGE = "12m456p345678s99p+3m"
"""No yaku."""
ONE_HAN = "345m678m234p55s78s+9s"
"""Pinfu alone."""
PAIRS = "1133m5577p2299s4z+4z"
OPEN_PINFU = "345p34s678p88s+5s"
TANKI = "222m333p444s555s7p+7p"
ORPHANS = "119m19p19s123456z+7z"
ORPHANS_13 = "19m19p19s1234567z+9s"
ON_RINSHAN = ["tsumo", "rinshan", "last_tile", "ankan 9999m"]
TENHOU = ["tsumo", "first_turn", "EE"]
KAN_HAND = "234m678p99s56s+7s"

# Option, value, hand, facts, other options and numbers, what must come out.
ROWS: list[Row] = [
    ("min_han", 1, ONE_HAN, [], {}, {"han": 1}),
    ("min_han", 2, ONE_HAN, [], {"dora": "4s"}, {"reason": "below_minimum"}),
    ("min_han", 2, PINFU, [], {}, {"han": 2}),
    ("shibari2_honba", "off", ONE_HAN, [], {"honba": 5}, {"han": 1}),
    ("shibari2_honba", 5, ONE_HAN, [], {"honba": 4}, {"han": 1}),
    ("shibari2_honba", 5, ONE_HAN, [], {"honba": 5}, {"reason": "below_minimum"}),
    ("shibari2_honba", 5, PINFU, [], {"honba": 5}, {"han": 2}),
    ("honba_value", 300, PINFU, [], {"honba": 2}, {"pay_discarder": 2600}),
    ("honba_value", 1500, PINFU, [], {"honba": 2}, {"pay_discarder": 5000}),
    ("honba_value", 1500, PINFU, ["tsumo"], {"honba": 2}, {"pay_others": 1700}),
    ("kuitan", True, "345m678s22p56p+7p", ["chi 456m"], {}, has(tanyao=1)),
    ("kuitan", False, "345m678s22p56p+7p", ["chi 456m"], {}, {"reason": "no_yaku"}),
    ("kuitan", False, PINFU, [], {}, has(pinfu=1, tanyao=1)),
    ("pinfu_tsumo", True, PINFU, ["tsumo"], {}, {"han": 3, "fu": 20}),
    ("pinfu_tsumo", False, PINFU, ["tsumo"], {}, {"han": 2, "fu": 30}),
    ("pinfu_tsumo", False, PINFU, [], {}, {"han": 2, "fu": 30}),
    ("open_pinfu_fu", 2, OPEN_PINFU, ["chi 345m"], {}, {"fu": 30}),
    ("open_pinfu_fu", 0, OPEN_PINFU, ["chi 345m"], {}, {"fu": 20, "pay_discarder": 1300}),
    ("open_pinfu_fu", 0, OPEN_PINFU, ["chi 345m", "tsumo"], {}, {"fu": 30}),
    ("open_pinfu_yaku", False, "123m678s99p67p+8p", ["chi 789m"], {}, {"reason": "no_yaku"}),
    ("open_pinfu_yaku", True, "123m678s99p67p+8p", ["chi 789m"], {}, has(pinfu=1)),
    ("open_pinfu_yaku", True, "123m678s99p67p+8p", ["chi 789m", "tsumo"], {}, {"fu": 30}),
    ("open_pinfu_yaku", True, "123m678s99p68p+7p", ["chi 789m"], {}, {"reason": "no_yaku"}),
    ("chiitoitsu", "2han25fu", PAIRS, [], {}, {"han": 2, "fu": 25, "pay_discarder": 1600}),
    ("chiitoitsu", "1han50fu", PAIRS, [], {}, {"han": 1, "fu": 50, "pay_discarder": 1600}),
    ("honroutou_han", 2, "1199m1199p11s22z1z+1z", [], {}, {"han": 4}),
    ("honroutou_han", 3, "1199m1199p11s22z1z+1z", [], {}, {"han": 5}),
    (
        "honroutou_han",
        3,
        "99p11s+1s",
        ["pon 999m", "pon 111m", "pon 444z"],
        {},
        has(toitoi=2, honroutou=2),
    ),
    ("ryanpeikou_distinct", False, "22223333444m55p+4m", [], {}, {"han": 5}),
    ("ryanpeikou_distinct", True, "22223333444m55p+4m", [], {}, {"han": 3, "fu": 50}),
    ("ryanpeikou_distinct", True, "112233m778899s5p+5p", [], {}, has(ryanpeikou=3)),
    ("haitei_with_rinshan", False, "234m456p67s22p+8s", ON_RINSHAN, {}, {"han": 2}),
    ("haitei_with_rinshan", True, "234m456p67s22p+8s", ON_RINSHAN, {}, {"han": 3}),
    ("houtei_after_rinshan", True, ONE_HAN, ["last_tile", "rinshan"], {}, {"han": 2}),
    ("houtei_after_rinshan", False, ONE_HAN, ["last_tile", "rinshan"], {}, {"han": 1}),
    ("houtei_after_rinshan", False, ONE_HAN, ["last_tile"], {}, {"han": 2}),
    ("double_wind_pair_fu", 4, "345p222m67s22z+8s", ["SS", "pon 555z"], {}, {"fu": 40}),
    ("double_wind_pair_fu", 2, "345p222m67s22z+8s", ["SS", "pon 555z"], {}, {"fu": 30}),
    ("double_wind_pair_fu", 2, "234m456p67s345m22z+8s", ["riichi", "SE"], {}, {"fu": 40}),
    ("kiriage", False, PINFU, ["riichi", "ippatsu"], {}, {"pay_discarder": 7700}),
    (
        "kiriage",
        True,
        PINFU,
        ["riichi", "ippatsu"],
        {},
        {"pay_discarder": 8000, "limit": "mangan", "han": 4, "fu": 30},
    ),
    ("kazoe", "yakuman", PINFU, [], {"dora": "1s1s1s1s7s7s"}, {"limit": "sanbaiman"}),
    (
        "kazoe",
        "yakuman",
        "4446667788m+7m",
        ["riichi", "ankan 2222m"],
        {"dora": "1m1m1m1m"},
        {"limit": "kazoe_yakuman", "pay_discarder": 32000, "yakuman": 0},
    ),
    (
        "kazoe",
        "sanbaiman",
        "4446667788m+7m",
        ["riichi", "ankan 2222m"],
        {"dora": "1m1m1m1m"},
        {"limit": "sanbaiman", "pay_discarder": 24000},
    ),
    (
        "kazoe",
        "stack",
        "4446667788m+7m",
        ["riichi", "ankan 2222m"],
        {"dora": "1m1m1m1m"},
        {"limit": "kazoe_yakuman", "pay_discarder": 64000},
    ),
    (
        "kazoe",
        "stack",
        "4446667788m+7m",
        ["riichi", "ankan 2222m"],
        {"dora": "1m1m1m1m", "yakuman_cap": 1},
        {"limit": "kazoe_yakuman", "pay_discarder": 32000},
    ),
    (
        "kazoe",
        "stack",
        "4446667788m+7m",
        ["riichi", "ankan 2222m"],
        {"dora": "1m1m1m1m", "yakuman_stack": False},
        {"limit": "kazoe_yakuman", "pay_discarder": 32000},
    ),
    # dora
    ("ippatsu", True, PINFU, ["riichi", "ippatsu"], {}, {"han": 4}),
    ("ippatsu", False, PINFU, ["riichi", "ippatsu"], {}, {"han": 3}),
    ("ura_dora", True, ONE_HAN, ["riichi"], {"ura": "4s"}, {"ura": 2}),
    ("ura_dora", False, ONE_HAN, ["riichi"], {"ura": "4s"}, {"ura": 0}),
    ("kan_dora", True, KAN_HAND, ["ankan 7777z"], {"dora": "1z8s"}, {"dora": 2}),
    ("kan_dora", False, KAN_HAND, ["ankan 7777z"], {"dora": "1z8s"}, {"dora": 0}),
    ("kan_dora", False, KAN_HAND, ["riichi", "ankan 7777z"], {"ura": "8s8s"}, {"ura": 2}),
    ("kan_ura", True, KAN_HAND, ["riichi", "ankan 7777z"], {"ura": "3z8s"}, {"ura": 2}),
    ("kan_ura", False, KAN_HAND, ["riichi", "ankan 7777z"], {"ura": "3z8s"}, {"ura": 0}),
    ("kan_ura", False, KAN_HAND, ["riichi", "ankan 7777z"], {"ura": "8s3z"}, {"ura": 2}),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}={row[1]}-{row[2]}")
def test_option(row: Row) -> None:
    check_row(row)


OF_DORA = ("ippatsu", "ura_dora", "kan_dora", "kan_ura", "honba_value")


@pytest.mark.parametrize("name", [*(option.name for option in VALUE_OF_HANDS), *OF_DORA])
def test_every_value_of_every_option_is_tried(name: str) -> None:
    check_values(name, ROWS)


@pytest.mark.parametrize(
    ("aka", "text", "expected"),
    [
        ((1, 1, 1), "340m340p67s22s340s+8s", 3),
        ((0, 0, 0), "345m345p67s22s345s+8s", 0),
        ((1, 2, 1), "234m340p67s22s340p+8s", 2),
    ],
)
def test_aka_dora_count_where_the_set_has_them(
    aka: tuple[int, int, int], text: str, expected: int
) -> None:
    result = score(text, aka_dora=dict(zip("mps", aka, strict=True)))
    assert result.aka == expected


# Preset, hand, facts, what must come out.
PRESET_ROWS: list[tuple[str, str, list[str], dict[str, Any]]] = [
    ("standard", TANKI, [], {"yakuman": 2}),
    ("standard", PINFU, ["riichi", "ippatsu"], {"pay_discarder": 7700}),
    ("tenhou", TANKI, [], {"yakuman": 1}),
    ("tenhou", ORPHANS_13, TENHOU, {"yakuman": 2}),
    ("tenhou", "345p222m67s22z+8s", ["SS", "pon 555z"], {"fu": 40}),
    ("tenhou2009", TANKI, [], {"yakuman": 1}),
    ("mahjongsoul", TANKI, [], {"yakuman": 2}),
    ("mahjongsoul", ORPHANS, TENHOU, {"yakuman": 3}),
    ("mleague", PINFU, ["riichi", "ippatsu"], {"limit": "mangan"}),
    ("mleague", TANKI, [], {"yakuman": 1}),
    ("mleague", "345p222m67s22z+8s", ["SS", "pon 555z"], {"fu": 30}),
    ("mleague", "4446667788m+7m", ["riichi", "ankan 2222m"], {"limit": "sanbaiman"}),
    ("wrc2022", "11z22z+1z", ["pon 555z", "pon 666z", "pon 777z"], {"yakuman": 1}),
    ("wrc2022", PINFU, ["first_turn"], {"han": 7}),
    ("ema2016", "11z22z+1z", ["pon 555z", "pon 666z", "pon 777z"], {"yakuman": 1}),
    ("ema2016", "456s678p1z+1z", ["pon 222m", "pon 999p", "EE", "last_tile"], {"fu": 30}),
    ("ema2016", EDGE, ["first_turn"], {"limit": "mangan"}),
]


@pytest.mark.parametrize("row", PRESET_ROWS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_preset(row: tuple[str, str, list[str], dict[str, Any]]) -> None:
    preset, text, facts, expected = row
    result = score(text, *facts, rules=Ruleset.preset(preset))
    assert {name: getattr(result, name) for name in expected} == expected


def test_every_preset_is_tried() -> None:
    assert {row[0] for row in PRESET_ROWS} == set(PRESETS)
