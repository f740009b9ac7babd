"""The tricky situations at the table: one test for each row of `cases/table.md`, with its id."""
# ruff: noqa: N802

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from kit import Game, at, columns, rules, tile, yaochuu
from kit_match import Hanchan

import paths
from jantaku_engine import events as ev
from jantaku_engine.melds import PON
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import UNKNOWN
from jantaku_engine.wall import FIRST_LIVE, LAST_LIVE, RINSHAN
from jantaku_engine.win import DOUBLE, NO_RIICHI, RIICHI

TIMINGS = ("immediate", "ankan_now_minkan_at_discard", "ankan_now_minkan_after_pass")
GAP_5P = "123m456m789m46p99s"
"""Waits for 5p, pure straight."""
SIDES_69S = "123m456m789m78s55z"
"""Waits for 6s and 9s, pure straight; the pair of Haku keeps pinfu out."""


def test_every_row_has_its_test() -> None:
    files = ("test_table_cases.py", "test_table_cases_ends.py")
    source = "".join((Path(__file__).parent / file).read_text(encoding="utf-8") for file in files)
    tested = set(re.findall(r"^def test_([A-Z]\d+)_", source, re.MULTILINE))
    assert set(paths.table_cases()) <= tested


# --- hand and scoring boundary -------------------------------------------------------------------


def test_B20_own_kan_within_the_go_round_gives_rinshan_and_never_ippatsu() -> None:
    wishes: dict[str, Any] = {
        "hands": ("111m234p567p78s99s", "", "", ""),
        "rinshan": "6s",
        "keep_out": "69s",
    }
    game = Game(**wishes, draws="5z . . . 1m")
    game.play("0: reach P", "0: ankan 1m 1m 1m 1m", "0: hora")
    assert "rinshan_kaihou" in game.yaku
    assert "ippatsu" not in game.yaku

    without_kan = Game(**wishes, draws="5z . . . 6s")
    without_kan.play("0: reach P", "0: hora")
    assert without_kan.yaku["ippatsu"] == 1


def test_B42_nagashi_is_a_draw_and_pays_like_a_mangan_tsumo() -> None:
    hand = Hanchan(Ruleset(), honba=3, kyotaku=2)
    hand.deal(draws=columns({2: yaochuu()})).tsumogiri()
    assert hand.draw.reason == ev.NAGASHI_MANGAN
    assert hand.draw.nagashi == (2,)
    assert hand.draw.deltas == (-4000, -2000, 8000, -2000)
    assert hand.match.kyotaku == 2
    assert hand.match.honba == 4


# --- calls, kan, riichi, furiten -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("kuikae", "chi"),
    [
        ("forbidden", []),
        ("genbutsu_only_forbidden", ["chi 1m 2m 3m"]),
        ("allowed", ["chi 1m 2m 3m"]),
    ],
)
def test_C01_a_chi_that_leaves_no_legal_discard_is_not_offered(kuikae: str, chi: list[str]) -> None:
    game = Game(rules(kuikae=kuikae), hands=("7z1m", "1123444m77z66z9p1s", "6z", ""))
    game.play("0: dahai C", "1: pon C C C", "1: dahai 9p", "2: dahai F", "1: pon F F F")
    game.play("1: dahai 1s", "0: dahai 1m")
    assert game.offers(1, "chi") == chi
    assert game.offers(1, "pon") == ["pon 1m 1m 1m"]


def test_C03_pon_with_a_red_five_forbids_the_five_only() -> None:
    game = Game(hands=("5s", "0s5s5s2s3s8s19m19p123z", "", ""))
    game.play("0: dahai 5s")
    assert game.offers(1, "pon") == ["pon 5s 5s 5s", "pon 5s 5s 5sr"]
    game.play("1: pon 5s 5s 5sr")
    assert game.discards(1) == {"2s", "3s", "8s", "1m", "9m", "1p", "9p", "E", "S", "W"}


@pytest.mark.parametrize(("first", "second"), [("0p", "5p"), ("5p", "0p")])
def test_C07_a_passed_five_is_furiten_for_both_colours(first: str, second: str) -> None:
    game = Game(hands=("", GAP_5P, first, second), keep_out="5p")
    names = {"0p": "5pr", "5p": "5p"}
    game.play(f"2: dahai {names[first]}")
    assert game.menu(1) == ["hora", "none"]
    game.play(f"3: dahai {names[second]}")
    assert game.menu(1) == []
    assert game.furiten(1)


def test_C07_an_own_red_five_in_the_river_is_furiten_for_the_ordinary_five() -> None:
    game = Game(hands=("", "123m456m789m60p99s", "5p", ""), draws=". 4p", keep_out="5p")
    game.play("1: dahai 5pr", "2: dahai 5p")
    assert game.menu(1) == []
    assert game.furiten(1)


@pytest.mark.parametrize("temp_furiten_end", ["own_draw", "own_discard"])
def test_C08_temporary_furiten_does_not_outlive_the_declaration_of_riichi(
    temp_furiten_end: str,
) -> None:
    game = Game(
        rules(temp_furiten_end=temp_furiten_end),
        hands=("5p", GAP_5P, "5p", ""),
        draws=". 5z",
        keep_out="5p",
    )
    game.play("0: dahai 5p", "1: none")
    assert game.table.turn == 1
    assert game.furiten(1) == (temp_furiten_end == "own_discard")
    game.play("1: reach P")
    assert not game.furiten(1)
    game.play("2: dahai 5p")
    assert game.menu(1) == ["hora", "none"]


@pytest.mark.parametrize(("first", "won"), [("5p", False), ("6p", True)])
def test_C10_a_ponned_discard_keeps_the_whole_wait_furiten(first: str, won: bool) -> None:
    hands = ("0p", f"123m456m789m3p{first}9s1z", "2p", f"{first}{first}")
    game = Game(hands=hands, draws=". 9s . 4p", keep_out="25p")
    game.play(f"1: dahai {first}", f"3: pon {first} {first} {first}", "3: tsumogiri")
    game.play("1: dahai E", "2: dahai 2p")
    assert bool(game.offers(1, "hora")) == won
    game.until_turn(3)
    if not won:
        game.play("0: dahai 5pr")
        assert game.claims(1) == ["chi 5pr 3p 4p", "none"]


def test_C11_the_own_ponned_discard_cannot_be_robbed_back() -> None:
    game = Game(
        hands=("123456789p11s78s", "123m456m789m99p7s9s", "", "99s"),
        draws=". 8s . . . 9s",
        keep_out="69s",
    )
    game.play("1: dahai 9s", "3: pon 9s 9s 9s", "3: tsumogiri", "3: kakan 9s 9s 9s 9s")
    assert game.table.hands[1].waits() == 1 << tile("6s") | 1 << tile("9s")
    assert game.menu(0) == ["hora", "none"]
    assert game.menu(1) == []
    assert game.furiten(1)


@pytest.mark.parametrize("riichi_ankan", ["none", "same_shape", "same_waits"])
def test_C15_in_riichi_only_the_kind_just_drawn_may_be_kanned(riichi_ankan: str) -> None:
    game = Game(
        rules(riichi_ankan=riichi_ankan),
        hands=("777789p123m456m9s", "", "", ""),
        draws="5z . . . 3s",
        keep_out="9s",
    )
    assert game.offers(0, "ankan") == ["ankan 7p 7p 7p 7p"]
    game.play("0: reach P").until_turn(0)
    assert game.menu(0) == ["dahai 3s tsumogiri"]


def test_C18_a_drawn_wait_is_won_or_discarded_but_not_kanned() -> None:
    game = Game(hands=("333m45m678p345s99s", "", "", ""), draws="5z . . . 3m", keep_out="36m")
    game.play("0: reach P").until_turn(0)
    assert game.menu(0) == ["hora", "dahai 3m tsumogiri"]


@pytest.mark.parametrize("in_riichi", [False, True])
def test_C19_no_ankan_when_the_last_live_tile_was_drawn(in_riichi: bool) -> None:
    hands = ("111p234s567s78m99m", "111s234p567p78m99m", "", "")
    game = Game(hands=hands, draws="5z 6z", last="1p 1s", keep_out="69m")
    if in_riichi:
        game.play("0: reach P", "1: reach F")
    game.until_turn(0, live_left=1)
    assert game.offers(0, "ankan") == ["ankan 1p 1p 1p 1p"]
    game.until_turn(1, live_left=0)
    assert game.offers(1, "ankan", "dahai")[-1] == "dahai 1s tsumogiri"
    assert game.offers(1, "ankan") == []


@pytest.mark.parametrize(("discarder", "live_left", "kakan"), [(0, 1, True), (1, 0, False)])
def test_C19_no_kakan_when_the_last_live_tile_was_drawn(
    discarder: int, live_left: int, kakan: bool
) -> None:
    # Seat 3 pons; from whom decides how many draws are left when it draws the fourth tile.
    hands = ("2z", "", "", "22z") if discarder == 0 else ("", "2z", "", "22z")
    game = Game(hands=hands, last="2z ." if kakan else ". 2z")
    game.play(f"{discarder}: dahai S", "3: pon S S S", "3: tsumogiri")
    game.until_turn(3, live_left)
    assert "S" in game.discards(3)
    assert game.offers(3, "kakan") == ["kakan S S S S"] * kakan


@pytest.mark.parametrize(
    ("hand", "menu"),
    [
        ("444p123m456m789m9s", []),
        ("44p123m456m789m13s", []),
        ("345p123m456m789m9s", []),
        ("44p123m456m789m99s", ["hora", "none"]),
        ("35p123m456m789m99s", ["hora", "none"]),
    ],
)
def test_C21_in_riichi_a_discard_can_only_be_won(hand: str, menu: list[str]) -> None:
    game = Game(hands=("4p", hand, "", ""), draws=". 5z", keep_out="4p9s2s")
    game.play("1: reach P", "0: dahai 4p")
    assert game.claims(1) == menu


def test_C22_riichi_needs_a_thousand_points() -> None:
    hands = ("123m456m789m46p99s", "123p456p789p46m99p", "", "")
    game = Game(hands=hands, scores=(900, 1000, 49_000, 49_100), draws="5z 6z", keep_out="5m5p")
    assert game.offers(0, "reach") == []
    assert game.refuses("0: reach")
    game.until_turn(1)
    assert game.offers(1, "reach") == ["reach"]
    game.play("1: reach F")
    assert game.all(ev.ReachAccepted)[0].scores == (900, 0, 49_000, 49_100)


def test_C22_riichi_needs_four_live_tiles_after_the_draw() -> None:
    hands = ("", "123m456m789m46p99s", "123p456p789p46m99p", "")
    game = Game(hands=hands, keep_out="5m5p")
    game.until_turn(1, live_left=4)
    assert game.offers(1, "reach") == ["reach"]
    game.until_turn(2, live_left=3)
    assert game.offers(2, "reach") == []


@pytest.mark.parametrize(("seat", "live_left", "reach"), [(0, 5, ["reach"]), (1, 4, [])])
def test_C22_a_replacement_draw_counts_too(seat: int, live_left: int, reach: list[str]) -> None:
    hands = ["", "", "", ""]
    hands[seat] = "111p123m456m78m99s"
    game = Game(hands=hands, draws=at([64 + seat], "1p"), keep_out="69m")
    game.until_turn(seat, live_left).play(f"{seat}: ankan 1p 1p 1p 1p")
    assert game.table.live_left == live_left - 1
    assert game.offers(seat, "reach") == reach


def test_C24_a_hand_with_a_concealed_kan_may_declare_riichi() -> None:
    game = Game(hands=("1111p123m456m78m9s", "", "", ""), draws="9s", rinshan="5z")
    game.play("0: ankan 1p 1p 1p 1p")
    assert game.offers(0, "reach") == ["reach"]
    game.play("0: reach P")
    assert game.all(ev.ReachAccepted)[0].actor == 0
    assert game.table.riichi[0] == RIICHI


def test_C26_a_ponned_declaration_tile_leaves_the_riichi_without_ippatsu() -> None:
    hands = ("123m456m789m12p99s", "", "11z3p", "")
    game = Game(hands=hands, draws="1z", keep_out="3p")
    game.play("0: reach E", "2: pon E E E")
    assert game.types[-4:] == ["reach", "dahai", "reach_accepted", "pon"]
    assert game.table.kyotaku == 1
    game.play("2: dahai 3p", "0: hora")
    assert set(game.yaku) == {"double_riichi", "ittsuu"}

    goes_on = Game(hands=hands, draws="1z", keep_out="3p")
    goes_on.play("0: reach E", "2: pon E E E", "0: tsumogiri", "0: tsumogiri")
    assert [d.riichi for d in goes_on.table.rivers[0]] == [True, True, False]

    not_called = Game(hands=hands, draws="1z", keep_out="3p")
    not_called.play("0: reach E", "2: dahai 3p", "0: hora")
    assert set(not_called.yaku) == {"double_riichi", "ippatsu", "ittsuu"}


@pytest.mark.parametrize(("kan", "riichi"), [(True, RIICHI), (False, DOUBLE)])
def test_C27_a_concealed_kan_before_makes_the_first_discard_a_plain_riichi(
    kan: bool, riichi: int
) -> None:
    game = Game(hands=("1111p", "123m456m789m46p99s", "", ""), draws=". 5z", keep_out="5p")
    if kan:
        game.play("0: ankan 1p 1p 1p 1p")
    game.play("1: reach P").until_turn(2)
    assert game.table.riichi == [NO_RIICHI, riichi, NO_RIICHI, NO_RIICHI]


@pytest.mark.parametrize("kan_dora_timing", TIMINGS)
def test_C32_a_robbed_kan_never_happened(kan_dora_timing: str) -> None:
    hands = ("99s", "", SIDES_69S, "9s")
    game = Game(
        rules(kan_dora_timing=kan_dora_timing),
        hands=hands,
        draws=". . . . . . . 9s",
        keep_out="69s",
    )
    game.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri", "0: kakan 9s 9s 9s 9s", "2: hora")
    assert game.hora.target == 0
    assert game.hora.pai == tile("9s")
    assert game.yaku["chankan"] == 1
    assert game.all(ev.Dora) == []
    assert len(game.table.dora_markers) == 1
    assert [meld.type for meld in game.table.hands[0].melds] == [PON]
    assert game.table.kans == 0

    stands = Game(
        rules(kan_dora_timing=kan_dora_timing),
        hands=hands,
        draws=". . . . . . . 9s",
        keep_out="69s",
    )
    stands.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri", "0: kakan 9s 9s 9s 9s")
    stands.play("2: none", "0: tsumogiri").until_turn(1)
    assert len(stands.all(ev.Dora)) == 1


def test_C34_after_an_added_kan_nobody_is_in_the_first_go_round() -> None:
    def kakan_before_seat_3_draws() -> Game:
        game = Game(
            rules(renhou=True),
            hands=("1z22z", "", "11z2z9s", SIDES_69S),
            draws=". . 1z 6s",
            keep_out="69s",
        )
        game.play("0: dahai E", "2: pon E E E", "2: dahai S", "0: pon S S S", "0: tsumogiri")
        return game.play("2: kakan E E E E", "2: dahai 9s")

    by_ron = kakan_before_seat_3_draws()
    assert by_ron.table.rivers[3] == []
    by_ron.play("3: hora")
    assert set(by_ron.yaku) == {"ittsuu"}

    by_tsumo = kakan_before_seat_3_draws().play("3: none", "3: hora")
    assert set(by_tsumo.yaku) == {"menzen_tsumo", "ittsuu"}


def test_C34_without_a_call_the_same_hand_has_renhou_or_chiihou() -> None:
    by_ron = Game(rules(renhou=True), hands=("9s", "", "", SIDES_69S), keep_out="69s")
    by_ron.play("0: dahai 9s", "3: hora")
    assert set(by_ron.yaku) == {"renhou"}
    by_tsumo = Game(hands=("", "", "", SIDES_69S), draws=". . . 6s", keep_out="69s")
    by_tsumo.play("3: hora")
    assert set(by_tsumo.yaku) == {"chiihou"}


def test_C35_no_renhou_once_the_winner_has_drawn_and_discarded() -> None:
    game = Game(rules(renhou=True), hands=("", SIDES_69S, "9s", ""), keep_out="69s")
    game.play("1: tsumogiri", "2: dahai 9s", "1: hora")
    assert game.yaku == {"ittsuu": 2}


@pytest.mark.parametrize(("renhou", "yaku"), [(False, {"ittsuu": 2}), (True, {"renhou": 1})])
def test_C35_without_the_local_yaku_the_ordinary_ones_remain(
    renhou: bool, yaku: dict[str, int]
) -> None:
    game = Game(rules(renhou=renhou), hands=("9s", SIDES_69S, "", ""), keep_out="69s")
    game.play("0: dahai 9s")
    assert game.menu(1)[0] == "hora"
    game.play("1: hora")
    assert game.yaku == yaku


@pytest.mark.parametrize("kans", range(5))
def test_C36_each_kan_takes_one_tile_from_the_end_of_the_live_wall(kans: int) -> None:
    game = Game(hands=("1111m2222m3333m4p", "", "", ""), draws="5z", rinshan="4p4p4p9m")
    quads = ("1m", "2m", "3m", "4p")
    for quad in quads[:kans]:
        game.play(f"0: ankan {quad} {quad} {quad} {quad}")
    game.play("0: dahai P").to_end()
    indices = [FIRST_LIVE, *RINSHAN[:kans], *range(FIRST_LIVE + 1, LAST_LIVE + 1 - kans)]
    drawn = [game.rules.tiles[game.wall.ids[index]] for index in indices]
    assert [event.pai for event in game.all(ev.Tsumo)] == drawn
    assert game.table.live_left == 0
    assert game.draw.reason == ev.EXHAUSTIVE


def test_C37_a_draw_is_shown_to_its_owner_alone() -> None:
    game = Game(hands=("111p", "", "", ""), draws="1p").play("0: ankan 1p 1p 1p 1p").to_end()
    draws = game.all(ev.Tsumo)
    assert len(draws) == 70
    for event in draws:
        for seat in (0, 1, 2, 3, -1):
            seen = event.seen_by(seat)
            assert isinstance(seen, ev.Tsumo)
            assert seen.pai == (event.pai if seat == event.actor else UNKNOWN)
            assert seen.actor == event.actor
