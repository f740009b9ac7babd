"""The tricky situations at the table: one test for each row of `cases/table.md`, with its id."""
# ruff: noqa: N802

from __future__ import annotations

import pytest
from kit import Game, at, columns, fourth_kan, pons, rules, tile, yaochuu
from kit_match import Hanchan

import paths
from jantaku_engine import events as ev
from jantaku_engine.match import final_points
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
    tested = {name.split("_")[1] for name in globals() if name.startswith("test_")}
    assert set(paths.table_cases()) <= tested


# --- hand and scoring boundary -------------------------------------------------------------------


def test_B20_own_kan_within_the_go_round_gives_rinshan_and_never_ippatsu() -> None:
    wishes = {"hands": ("111m234p567p78s99s", "", "", ""), "rinshan": "6s", "keep_out": "69s"}
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


# --- draws, settlement, end of the game ----------------------------------------------------------


def test_D01_the_discard_after_the_fourth_kan_can_only_be_won() -> None:
    second, third = "123p456p789p78s55z", "99s"
    game = fourth_kan(Ruleset(), "9s", second, third).play("1: dahai 9s")
    assert game.menu(2) == ["hora", "none"]
    assert game.menu(3) == []
    game.play("2: none")
    assert game.draw.reason == ev.SUUKAIKAN
    assert game.draw.deltas == (0, 0, 0, 0)

    without = fourth_kan(rules(suukaikan=False), "9s", second, third).play("1: dahai 9s")
    assert without.offers(3, "pon") == ["pon 9s 9s 9s"]
    assert without.offers(2, "chi") == ["chi 9s 7s 8s"]


def test_D02_riichi_is_accepted_before_the_abort() -> None:
    game = fourth_kan(Ruleset(), "5z").play("1: reach P")
    assert game.types[-5:] == ["reach", "dahai", "reach_accepted", "ryukyoku", "end_kyoku"]
    assert game.draw.reason == ev.SUUKAIKAN
    assert game.table.kyotaku == 1
    assert game.gains == (0, -1000, 0, 0)

    at_once = fourth_kan(rules(suukaikan_timing="immediate"), "5z")
    assert at_once.types[-3:] == ["ankan", "ryukyoku", "end_kyoku"]
    assert at_once.draw.reason == ev.SUUKAIKAN
    assert at_once.table.kyotaku == 0


def test_D08_with_nagashi_as_a_draw_only_tenpai_keeps_the_deal() -> None:
    tenpai = Hanchan(Ruleset())
    hands = ("123m456m789m12p99s", "", "", "")
    tenpai.deal(hands=hands, draws=columns({2: yaochuu()}), keep_out="3p").tsumogiri()
    assert tenpai.draw.nagashi == (2,)
    assert (tenpai.match.round, tenpai.match.honba) == (0, 1)

    noten = Hanchan(Ruleset())
    noten.deal(draws=columns({0: yaochuu()})).tsumogiri()
    assert noten.draw.nagashi == (0,)
    assert (noten.match.round, noten.match.honba) == (1, 1)


def test_D09_a_called_discard_spoils_nagashi_and_an_own_call_does_not() -> None:
    # After a pon that skips one seat, seat 2 draws at 5, 9, 13 ...
    turns = range(5, 70, 4)
    called = Game(hands=("", "", "", "77z"), draws=at([2, *turns], f"7z {yaochuu(1)}"))
    called.play("2: tsumogiri", "3: pon C C C").to_end()
    assert called.draw.reason == ev.EXHAUSTIVE

    not_called = Game(hands=("", "", "", "77z"), draws=columns({2: f"7z {yaochuu(1)}"}))
    assert not_called.to_end().draw.nagashi == (2,)

    own_call = Game(hands=("", "7z", "77z9m", ""), draws=at(turns, yaochuu(1)))
    own_call.play("1: dahai C", "2: pon C C C", "2: dahai 9m").to_end()
    assert own_call.draw.nagashi == (2,)


def test_D10_two_nagashi_are_both_paid_and_offset() -> None:
    game = Game(draws=columns({0: yaochuu(0), 2: yaochuu(1)})).to_end()
    assert game.draw.nagashi == (0, 2)
    assert game.draw.deltas == (8000, -6000, 4000, -6000)


@pytest.mark.parametrize(
    ("nagashi", "deltas", "kyotaku", "honba"),
    [
        ("draw", (-4000, -2000, 8000, -2000), 1, 3),
        ("win", (-4200, -2200, 9600, -2200), 0, 0),
    ],
)
def test_D11_only_nagashi_as_a_win_collects(
    nagashi: str, deltas: tuple[int, ...], kyotaku: int, honba: int
) -> None:
    hand = Hanchan(rules(nagashi=nagashi), honba=2, kyotaku=1)
    hand.deal(draws=columns({2: yaochuu()})).tsumogiri()
    assert hand.draw.deltas == deltas
    assert hand.match.kyotaku == kyotaku
    assert hand.match.honba == honba


@pytest.mark.parametrize("multi_ron", ["double", "triple", "head_bump"])
def test_D17_one_win_of_the_dealer_keeps_the_deal(multi_ron: str) -> None:
    hand = Hanchan(rules(multi_ron=multi_ron), honba=1)
    hands = (SIDES_69S, "", "123p456p789p78s11m", "")
    hand.deal(hands=hands, draws=". 9s", keep_out="69s").tsumogiri(0, 2)
    winners = [e.actor for e in hand.match.events if isinstance(e, ev.Hora)]
    if multi_ron == "head_bump":
        assert winners == [2]
        assert (hand.match.round, hand.match.honba) == (1, 0)
    else:
        assert winners == [2, 0]
        assert (hand.match.round, hand.match.honba) == (0, 2)


@pytest.mark.parametrize(
    ("pao_scope", "gains"),
    [("part", (96_000, -16_000, -64_000, -16_000)), ("all", (96_000, 0, -96_000, 0))],
)
def test_D19_liability_for_one_yakuman_or_for_the_whole_hand(
    pao_scope: str, gains: tuple[int, ...]
) -> None:
    game = pons(rules(pao_scope=pao_scope), "567z", "111z2z357m", draws=at([8], "2z"))
    game.play("0: hora")
    assert game.yaku == {"daisangen": 1, "tsuuiisou": 1}
    assert game.gains == gains
    assert game.hora.pao == 2


def test_D23_the_liable_seat_that_discards_the_winning_tile_pays_an_ordinary_ron() -> None:
    game = pons(Ruleset(), "567z", "123p9s357m").play("2: dahai 9s", "0: hora")
    assert game.yaku == {"daisangen": 1}
    assert game.gains == (48_000, 0, -48_000, 0)


@pytest.mark.parametrize(
    ("tobi", "below", "zero"),
    [("lt0", True, False), ("le0", True, True), ("off", False, False)],
)
def test_D25_the_game_ends_below_zero_or_at_zero_or_not(tobi: str, below: bool, zero: bool) -> None:
    for before, after, ends in ((900, -100, below), (1000, 0, zero)):
        hand = Hanchan(rules(tobi=tobi), scores=(25_000, before, 37_000, 38_000 - before))
        hand.exhaust(0)
        assert hand.draw.scores[1] == after
        assert hand.over == ends


@pytest.mark.parametrize(("length", "hands"), [("hanchan", 8), ("tonpuu", 4)])
def test_D27_a_game_without_extension_has_exactly_its_scheduled_hands(
    length: str, hands: int
) -> None:
    game = Hanchan(rules(length=length, tobi="off"))
    rounds = []
    while not game.over:
        rounds.append(game.match.round)
        game.ron((game.oya + 1) % 4, game.oya)
    assert rounds == list(range(hands))
    starts = [e for e in game.match.events if isinstance(e, ev.StartKyoku)]
    assert [(e.bakaze, e.kyoku) for e in starts] == [(r // 4, r % 4 + 1) for r in range(hands)]


def test_D28_final_points_are_thousands_from_the_target_with_uma_and_oka() -> None:
    scores = (45_100, 27_900, 20_000, 7_000)
    assert final_points(scores, 0, rules())[2] == (55.1, 7.9, -20.0, -43.0)

    game = Hanchan(rules(), round=7, scores=scores).exhaust()
    assert game.end.points == (55.1, 7.9, -20.0, -43.0)
    assert game.end.ranks == (1, 2, 3, 4)
    assert sum(game.end.points) == 0


KARATEN = {
    "concealed": {"tenpai": True, "noten_concealed4": False, "noten_hand_or_meld4": False},
    "melded": {"tenpai": True, "noten_concealed4": True, "noten_hand_or_meld4": False},
    "others": {"tenpai": True, "noten_concealed4": True, "noten_hand_or_meld4": True},
}


@pytest.mark.parametrize("karaten_own4", ["tenpai", "noten_concealed4", "noten_hand_or_meld4"])
@pytest.mark.parametrize("place", KARATEN)
def test_D30_a_wait_for_a_fifth_tile_only(place: str, karaten_own4: str) -> None:
    hands = {
        "concealed": ("", "1111m234p567p789s", "", ""),
        "melded": ("1m", "111m234p567p789s9p", "", ""),
        "others": ("", "1m234p567p789s123s", "111m", ""),
    }[place]
    game = Game(rules(karaten_own4=karaten_own4), hands=hands)
    if place == "melded":
        game.play("0: dahai 1m", "1: pon 1m 1m 1m", "1: dahai 9p")
    game.to_end()
    tenpai = KARATEN[place][karaten_own4]
    assert game.draw.reason == ev.EXHAUSTIVE
    assert game.draw.tenpais == (False, tenpai, False, False)
    assert game.draw.deltas == ((-1000, 3000, -1000, -1000) if tenpai else (0, 0, 0, 0))


def test_D32_tenpai_in_shape_is_enough_without_a_yaku() -> None:
    hand = Hanchan(Ruleset())
    hand.deal(hands=("99m123p456s78s44p1z", "9m", "6s", ""), keep_out="69s")
    hand.play("1: dahai 9m", "0: pon 9m 9m 9m", "0: dahai E", "2: dahai 6s")
    assert 0 not in hand.match.pending
    hand.tsumogiri()
    assert hand.draw.tenpais == (True, False, False, False)
    assert hand.draw.deltas == (3000, -1000, -1000, -1000)
    assert (hand.match.round, hand.match.honba) == (0, 1)


@pytest.mark.parametrize("temp_furiten_end", ["own_draw", "own_discard"])
def test_D34_a_passed_tile_cannot_be_won_from_the_next_seat(temp_furiten_end: str) -> None:
    game = Game(
        rules(temp_furiten_end=temp_furiten_end), hands=("", GAP_5P, "5p", "5p"), keep_out="5p"
    )
    game.play("2: dahai 5p")
    assert game.menu(1) == ["hora", "none"]
    game.play("1: none", "3: dahai 5p")
    assert game.menu(1) == []

    waits_for_it = Game(
        rules(temp_furiten_end=temp_furiten_end), hands=("", GAP_5P, "", "5p"), keep_out="5p"
    )
    waits_for_it.play("3: dahai 5p")
    assert waits_for_it.menu(1) == ["hora", "none"]


def kan_with_one_tile_left(replacement: str, **options: object) -> Game:
    hands = ("999p234s567s78m99m", "", "123s456s789s12p44z", "")
    game = Game(rules(**options), hands=hands, last="9p .", rinshan=replacement, keep_out="69m3p")
    game.until_turn(0, live_left=1).play("0: ankan 9p 9p 9p 9p")
    assert game.table.live_left == 0
    return game


@pytest.mark.parametrize(
    ("haitei_with_rinshan", "yaku"),
    [
        (False, {"menzen_tsumo", "rinshan_kaihou"}),
        (True, {"menzen_tsumo", "rinshan_kaihou", "haitei_raoyue"}),
    ],
)
def test_D35_a_win_on_the_last_replacement_tile(haitei_with_rinshan: bool, yaku: set[str]) -> None:
    game = kan_with_one_tile_left("6m", haitei_with_rinshan=haitei_with_rinshan).play("0: hora")
    assert set(game.yaku) == yaku


@pytest.mark.parametrize(
    ("houtei_after_rinshan", "yaku"), [(True, {"ittsuu", "houtei_raoyui"}), (False, {"ittsuu"})]
)
def test_D35_a_ron_on_its_discard(houtei_after_rinshan: bool, yaku: set[str]) -> None:
    game = kan_with_one_tile_left("3p", houtei_after_rinshan=houtei_after_rinshan)
    game.play("0: dahai 3p", "2: hora")
    assert set(game.yaku) == yaku


def test_D35_without_a_win_the_hand_is_drawn() -> None:
    game = kan_with_one_tile_left("5z").to_end()
    assert game.draw.reason == ev.EXHAUSTIVE
    assert game.draw.tenpais == (True, False, True, False)
    assert len(game.all(ev.Tsumo)) == 70
