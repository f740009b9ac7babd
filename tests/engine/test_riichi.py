"""Riichi (RULES 3): who may declare, the deposit, what is left to decide, ippatsu, double."""

from __future__ import annotations

import pytest
from kit import RON_9S, Game, at, rules

from jantaku_engine import events as ev
from jantaku_engine.win import DOUBLE, RIICHI

GAP_5P = "123m456m789m46p99s"
"""Waits for 5p, pure straight."""


# --- who may declare -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "drawn", "offered"),
    [
        (GAP_5P, "5z", True),
        ("123m456m789m4p6p9s8s", "5z", False),
        ("123m456m78m4p6p99s8s", "9m", True),
        ("1122m3344p5566s7z", "1z", True),
        ("19m19p19s1234567z", "5p", True),
        ("1111m456p789p123s", "5z", True),
    ],
)
def test_a_closed_hand_that_can_be_tenpai_may_declare(hand: str, drawn: str, offered: bool) -> None:
    game = Game(hands=(hand, "", "", ""), draws=drawn)
    assert bool(game.offers(0, "reach")) == offered


def test_only_discards_that_keep_tenpai_go_with_the_declaration() -> None:
    game = Game(hands=("123m456m789m4p6p99s", "", "", ""), draws="7p")
    game.play("0: reach")
    assert game.discards(0) == {"4p", "7p"}
    assert {text.split()[0] for text in game.menu(0)} == {"dahai"}
    assert game.refuses("0: dahai 9s")
    assert game.refuses("0: reach")


def test_a_declaration_that_would_break_the_hand_is_not_possible() -> None:
    game = Game(hands=("123m456m789m4p6p99s", "", "", ""), draws="1z").play("0: reach")
    assert game.discards(0) == {"E"}


def test_an_open_hand_may_not_declare() -> None:
    hands = ("1z", "11z123m456m46p99s2z", "", "")
    game = Game(hands=hands, draws=".5z", keep_out="5p")
    game.play("0: dahai E", "1: pon E E E", "1: dahai S").until_turn(1)
    assert game.table.hands[1].waits()
    assert game.offers(1, "reach") == []
    assert game.refuses("1: reach")


def test_nobody_declares_twice() -> None:
    game = Game(hands=(GAP_5P, "", "", ""), draws="5z", keep_out="5p").play("0: reach P")
    game.until_turn(0)
    assert game.offers(0, "reach") == []


@pytest.mark.parametrize("karaten_own4", ["tenpai", "noten_concealed4", "noten_hand_or_meld4"])
def test_own_copies_are_counted_after_the_discard(karaten_own4: str) -> None:
    # Without one 3m it waits for 3m alone, of which it then holds three.
    options = rules(karaten_own4=karaten_own4)
    game = Game(options, hands=("1223334m123p789s", "", "", ""), draws="3m", dora="1z")
    game.play("0: reach")
    assert "3m" in game.discards(0)


@pytest.mark.parametrize(
    ("karaten_own4", "allowed"),
    [("tenpai", True), ("noten_concealed4", False), ("noten_hand_or_meld4", False)],
)
def test_riichi_on_a_fifth_tile_alone(karaten_own4: str, allowed: bool) -> None:
    # Without Haku it waits for a fifth 1m, without a 1m for Haku.
    options = rules(karaten_own4=karaten_own4)
    game = Game(options, hands=("1111m234p567p789s", "", "", ""), draws="5z").play("0: reach")
    assert "1m" in game.discards(0)
    assert ("P" in game.discards(0)) == allowed


# --- the deposit ---------------------------------------------------------------------------------


def test_the_deposit_is_paid_when_the_discard_has_survived() -> None:
    game = Game(hands=(GAP_5P, "", "55z", ""), draws="5z", keep_out="5p").play("0: reach P")
    assert game.table.kyotaku == 0
    assert game.table.scores[0] == 25_000
    assert game.claims(2) == ["pon P P P", "none"]
    game.play("2: pon P P P")
    assert game.types[-4:] == ["reach", "dahai", "reach_accepted", "pon"]
    assert game.table.kyotaku == 1
    assert game.table.scores[0] == 24_000


def test_before_the_next_draw() -> None:
    game = Game(hands=(GAP_5P, "", "", ""), draws="1z", keep_out="5p")
    game.play("0: reach E").until_turn(1)
    assert game.types[-4:] == ["reach", "dahai", "reach_accepted", "tsumo"]


def test_a_ronned_declaration_is_void_and_costs_no_deposit() -> None:
    game = Game(hands=(GAP_5P, RON_9S[1], "", ""), draws="9s", dora="1z", keep_out="69s5p")
    game.play("0: reach 9s", "1: hora")
    assert game.all(ev.ReachAccepted) == []
    assert game.gains == (-2600, 2600, 0, 0)
    assert game.table.riichi[0] == 0
    assert game.table.kyotaku == 0


def test_the_winner_takes_all_deposits_and_its_own() -> None:
    game = Game(
        hands=(GAP_5P, "5p", "", ""), draws="5z", keep_out="5p", kyotaku=2, dora="1z", ura="1z"
    )
    game.play("0: reach P", "1: dahai 5p", "0: hora")
    won = game.hora.points
    assert game.gains == (won + 2000, -won, 0, 0)
    assert game.hora.deltas == (won + 3000, -won, 0, 0)


def test_a_declaration_on_the_last_tile_is_accepted_where_it_is_allowed() -> None:
    options = rules(riichi_min_live_left=0)
    game = Game(options, hands=("", GAP_5P, "", ""), last="5z", keep_out="5p")
    game.until_turn(1, 0).play("1: reach P")
    assert game.types[-3:] == ["reach_accepted", "ryukyoku", "end_kyoku"]
    assert game.table.kyotaku == 1
    assert game.draw.tenpais[1]


# --- what is left to decide ----------------------------------------------------------------------


def test_in_riichi_the_drawn_tile_is_discarded() -> None:
    game = Game(hands=(GAP_5P, "", "", ""), draws=at([0, 4], "5z1m"), keep_out="5p")
    game.play("0: reach P").until_turn(0)
    assert game.menu(0) == ["dahai 1m tsumogiri"]
    assert game.refuses("0: dahai 1m")
    assert game.refuses("0: dahai 9s")


def test_a_kan_in_riichi_must_not_break_tenpai_or_change_the_wait() -> None:
    # 222m 3m waits for 1m 3m 4m; with the kan it would wait for 3m alone.
    game = Game(hands=("222m3m456p789p123s", "", "", ""), draws=at([0, 4], "5z2m"), keep_out="134m")
    game.play("0: reach P").until_turn(0)
    assert game.menu(0) == ["dahai 2m tsumogiri"]


@pytest.mark.parametrize("riichi_ankan", ["same_shape", "same_waits"])
def test_an_older_quad_is_no_kan_though_the_drawn_tile_would_keep_the_wait(
    riichi_ankan: str,
) -> None:
    # 1111m 23m: with the drawn 4m it could be 1111m and 234m, waiting for 9s as before.
    game = Game(
        rules(riichi_ankan=riichi_ankan),
        hands=("111123m456p789p9s", "", "", ""),
        draws=at([0, 4], "5z4m"),
        keep_out="9s",
    )
    assert game.offers(0, "ankan")
    game.play("0: reach P").until_turn(0)
    assert game.menu(0) == ["dahai 4m tsumogiri"]


def test_after_a_kan_in_riichi_the_replacement_is_won_or_discarded() -> None:
    game = Game(
        hands=("111m234p567p78s99s", "", "", ""),
        draws=at([0, 4], "5z1m"),
        rinshan="5z",
        keep_out="69s",
    )
    game.play("0: reach P", "0: ankan 1m 1m 1m 1m")
    assert game.menu(0) == ["dahai P tsumogiri"]


# --- double riichi -------------------------------------------------------------------------------


def test_double_riichi_with_the_first_discard() -> None:
    game = Game(hands=("5z", "", GAP_5P, "55z"), draws="..1z", keep_out="5p")
    game.play("0: dahai P", "2: reach E").until_turn(3)
    assert game.table.riichi[2] == DOUBLE


def test_a_call_before_spoils_the_double() -> None:
    game = Game(hands=("5z", "", GAP_5P, "55z"), draws="...1z", keep_out="5p")
    game.play("0: dahai P", "3: pon P P P", "3: tsumogiri", "2: reach E").until_turn(3)
    assert game.table.riichi[2] == RIICHI


def test_an_own_concealed_kan_spoils_the_double() -> None:
    game = Game(hands=("1111p123m456m78m9s", "", "", ""), draws="9s", rinshan="5z")
    game.play("0: ankan 1p 1p 1p 1p", "0: reach P").until_turn(1)
    assert game.table.riichi[0] == RIICHI


def test_the_second_discard_is_too_late_for_the_double() -> None:
    game = Game(hands=(GAP_5P, "", "", ""), draws=at([0, 4], "1z5z"), keep_out="5p")
    game.play("0: tsumogiri").until_turn(0).play("0: reach P").until_turn(1)
    assert game.table.riichi[0] == RIICHI


# --- ippatsu -------------------------------------------------------------------------------------


def declared(*rest: str, draws: str, rinshan: str = "") -> Game:
    game = Game(hands=(GAP_5P, *rest), draws=draws, keep_out="5p", rinshan=rinshan)
    return game.play("0: reach P")


def test_ippatsu_by_ron_and_by_the_next_draw() -> None:
    by_ron = declared("", "", "5p", draws="5z").play("3: dahai 5p", "0: hora")
    assert "ippatsu" in by_ron.yaku
    by_tsumo = declared("", "", "", draws="5z...5p").play("0: hora")
    assert "ippatsu" in by_tsumo.yaku


def test_ippatsu_ends_with_the_own_next_discard() -> None:
    game = declared("5p", "", "", draws="5z")
    game.until_turn(0).play("0: tsumogiri", "1: dahai 5p", "0: hora")
    assert "ippatsu" not in game.yaku
    assert "double_riichi" in game.yaku


@pytest.mark.parametrize(
    ("calls", "ippatsu"),
    [
        (("1: tsumogiri", "2: tsumogiri"), True),
        (("1: dahai C", "2: pon C C C", "2: dahai 6s"), False),
        (("1: dahai 8s", "2: chi 8s 6s 7s", "2: dahai F"), False),
        (("1: ankan 1p 1p 1p 1p", "1: tsumogiri"), False),
        (("1: dahai F", "2: daiminkan F F F F", "2: tsumogiri"), False),
    ],
)
def test_any_call_or_kan_ends_ippatsu(calls: tuple[str, ...], ippatsu: bool) -> None:
    hands = ("7z8s1111p6z", "77z67s666z", "5p")
    game = declared(*hands, draws="5z", rinshan="1z2z").play(*calls)
    game.play("3: dahai 5p", "0: hora")
    assert ("ippatsu" in game.yaku) == ippatsu


def test_a_robbed_kan_combines_with_ippatsu() -> None:
    hands = ("99s", "", RON_9S[0], "9s")
    game = Game(hands=hands, draws=at([5, 7], "1z9s"), keep_out="69s")
    game.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri")
    game.play("2: reach E", "0: kakan 9s 9s 9s 9s", "2: hora")
    assert set(game.yaku) == {"riichi", "ippatsu", "chankan", "ittsuu"}


def test_a_second_added_kan_meets_no_ippatsu() -> None:
    # The first added kan has stood, so the go-round is over when the second one is robbed.
    hands = ("99s11p", "", RON_9S[0], "9s1p")
    game = Game(hands=hands, draws=at([8, 10], "1z1p"), rinshan="9s", keep_out="69s1p")
    game.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri")
    game.play("3: dahai 1p", "0: pon 1p 1p 1p", "0: tsumogiri")
    game.play("2: reach E", "0: kakan 1p 1p 1p 1p", "0: kakan 9s 9s 9s 9s", "2: hora")
    assert set(game.yaku) == {"riichi", "chankan", "ittsuu"}
