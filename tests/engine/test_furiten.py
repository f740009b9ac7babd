"""The three furiten (RULES 4): what blocks a ron, for how long, and that tsumo stays free."""

from __future__ import annotations

import pytest
from kit import RON_9S, Game, at, rules, tile

SIDES = RON_9S[0]
"""Waits for 6s and 9s, pure straight."""
GAP_5P = "123m456m789m46p99s"
"""Waits for 5p."""


# --- own discards --------------------------------------------------------------------------------


def test_one_wait_in_the_own_river_blocks_every_wait() -> None:
    game = Game(hands=("", SIDES, "9s", "6s"), draws=".6s", keep_out="69s")
    game.play("1: dahai 6s", "2: dahai 9s")
    assert game.offers(1, "hora") == []
    game.play("3: dahai 6s")
    assert game.offers(1, "hora") == []


def test_tsumo_is_free_in_furiten() -> None:
    game = Game(hands=("", SIDES, "", ""), draws=at([1, 5], "6s9s"), keep_out="69s")
    game.play("1: dahai 6s").until_turn(1)
    assert game.furiten(1)
    assert game.menu(1)[0] == "hora"
    game.play("1: hora")
    assert game.yaku == {"menzen_tsumo": 1, "ittsuu": 2}


def test_furiten_goes_when_the_wait_changes() -> None:
    # 6s was discarded from a wait for 6s and 9s; with 5p and 5z it waits for honours.
    hands = ("", "123m456m789m78s5z7p", "", "5z")
    game = Game(hands=hands, draws=at([1, 5, 9], "6s9s7z"), keep_out="69s5z")
    game.play("1: dahai 6s").until_turn(1)
    assert game.table.hands[1].waits() == 0
    game.play("1: dahai 7p")
    assert game.table.hands[1].waits()
    assert not game.furiten(1)
    game.play("3: dahai P")
    assert game.claims(1) == ["hora", "none"]


def test_tiles_of_own_sets_are_no_discards() -> None:
    # The called 9s lies in the river of seat 0, and a pon of an own wait is no discard either.
    hands = ("9s", "99s123m79s555z11p1z", "8s", "")
    game = Game(hands=hands, keep_out="89s")
    game.play("0: dahai 9s", "1: pon 9s 9s 9s", "1: dahai E", "2: dahai 8s")
    assert game.claims(1) == ["hora", "none"]

    hands = ("4p", "44p123m456s77z23p1z", "1p", "")
    game = Game(hands=hands, keep_out="14p")
    game.play("0: dahai 4p", "1: pon 4p 4p 4p", "1: dahai E")
    assert game.table.hands[1].waits() == 1 << tile("1p") | 1 << tile("4p")
    assert not game.furiten(1)


def test_a_tile_in_the_own_river_is_furiten_though_it_was_called() -> None:
    hands = ("", SIDES, "9s", "66s")
    game = Game(hands=hands, draws=".6s", keep_out="69s")
    game.play("1: dahai 6s", "3: pon 6s 6s 6s", "3: tsumogiri", "2: dahai 9s")
    assert game.table.rivers[1][0].called
    assert game.offers(1, "hora") == []


# --- passed tiles --------------------------------------------------------------------------------


def test_a_tile_without_yaku_makes_furiten_as_well() -> None:
    # Open, without yaku on 6s; on the last tile it would win by houtei.
    hands = ("", "99m123p456s78s44p1z", "9m", "6s")
    game = Game(hands=hands, keep_out="69s")
    game.play("2: dahai 9m", "1: pon 9m 9m 9m", "1: dahai E", "3: dahai 6s")
    assert game.claims(1) == []
    assert game.furiten(1)


def test_passing_blocks_until_the_own_draw() -> None:
    hands = ("9s", SIDES, "6s", "")
    game = Game(hands=hands, keep_out="69s")
    game.play("0: dahai 9s")
    assert game.offers(1, "hora") == ["hora"]
    game.play("1: none")
    assert game.table.turn == 1
    assert not game.furiten(1), "its own draw has come"
    game.play("1: tsumogiri", "2: dahai 6s")
    assert game.claims(1) == ["hora", "none"]


def test_calling_the_winning_tile_is_passing_it() -> None:
    hands = ("9s", "123m456m789m7s99s8s", "6s", "")
    game = Game(hands=hands, keep_out="69s")
    game.play("0: dahai 9s", "1: pon 9s 9s 9s", "1: dahai 7s")
    assert game.table.temp_furiten[1]


def test_a_candidate_in_the_same_window_is_not_hurt_by_anothers_pass() -> None:
    game = Game(hands=("9s", *RON_9S), keep_out="69s").play("0: dahai 9s")
    game.kyoku.answer(1, game.pending[1][-1])
    assert game.offers(2, "hora") == ["hora"]
    assert not game.table.temp_furiten[1], "furiten begins when the window closes"
    game.play("2: none", "3: none")
    assert [game.table.temp_furiten[seat] for seat in range(4)] == [False, False, True, True]


def test_a_passed_robbed_tile_is_furiten_until_the_own_draw() -> None:
    hands = ("99s", "", SIDES, "9s")
    game = Game(hands=hands, draws=at([7], "9s"), keep_out="69s")
    game.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri", "0: kakan 9s 9s 9s 9s")
    assert not game.table.temp_furiten[2], "its own draw came after the pon"
    game.play("2: none")
    assert game.table.temp_furiten[2]
    game.play("0: tsumogiri").until_turn(2)
    assert not game.table.temp_furiten[2]


@pytest.mark.parametrize("kokushi_rob_ankan", [True, False])
def test_kokushi_is_furiten_after_a_concealed_kan_that_it_might_have_robbed(
    kokushi_rob_ankan: bool,
) -> None:
    options = rules(kokushi_rob_ankan=kokushi_rob_ankan)
    game = Game(options, hands=("1111z", "", "19m19p19s234567z1m", ""))
    game.play("0: ankan E E E E")
    assert game.claims(2) == (["hora", "none"] if kokushi_rob_ankan else [])
    game.until_turn(0)
    assert game.table.temp_furiten[2] == kokushi_rob_ankan


def test_other_hands_are_not_furiten_after_a_concealed_kan_of_their_wait() -> None:
    game = Game(hands=("5550p", "", GAP_5P, "")).play("0: ankan 5p 5p 5p 5pr")
    assert game.claims(2) == []
    assert not game.table.temp_furiten[2]


# --- in riichi -----------------------------------------------------------------------------------


def riichi(*rest: str, draws: str = "5z") -> Game:
    """The dealer waits for 6s and 9s in double riichi."""
    game = Game(hands=("123m456m789m78s44p", *rest), draws=draws, keep_out="69s")
    return game.play("0: reach P")


def test_passing_a_discard_in_riichi_is_furiten_to_the_end() -> None:
    game = riichi("9s", "6s", "9s")
    game.play("1: dahai 9s")
    assert game.claims(0) == ["hora", "none"]
    game.play("0: none", "2: dahai 6s")
    assert game.claims(0) == []
    game.until_turn(0)
    assert game.table.riichi_furiten[0]
    game.play("0: tsumogiri").until_turn(3)
    game.play("3: dahai 9s")
    assert game.claims(0) == []


def test_letting_an_own_draw_go_in_riichi_is_furiten_to_the_end() -> None:
    game = riichi("", "", "9s", draws=at([0, 4, 12], "5z6s9s"))
    game.until_turn(0)
    assert game.menu(0) == ["hora", "dahai 6s tsumogiri"]
    game.play("0: tsumogiri")
    assert game.table.riichi_furiten[0]
    game.play("3: dahai 9s")
    assert game.claims(0) == []
    game.until_turn(0).play("0: tsumogiri").until_turn(0)
    assert game.menu(0)[0] == "hora", "tsumo is free"


def test_passing_a_robbed_tile_in_riichi_is_furiten_to_the_end() -> None:
    game = Game(hands=(SIDES, "9s", "", "99s"), draws=at([2, 5], "1z9s"), keep_out="69s")
    game.play("1: dahai 9s", "3: pon 9s 9s 9s", "3: tsumogiri", "0: reach E")
    assert not game.furiten(0)
    game.play("3: kakan 9s 9s 9s 9s")
    assert game.claims(0) == ["hora", "none"]
    game.play("0: none", "3: tsumogiri").until_turn(1)
    assert game.table.riichi_furiten[0]


def test_furiten_riichi_is_legal() -> None:
    game = Game(hands=(SIDES, "9s", "", ""), draws=at([0, 4], "6s5z"), keep_out="69s")
    game.play("0: dahai 6s", "0: reach P", "1: dahai 9s")
    assert game.claims(0) == []
    assert game.table.riichi[0]


@pytest.mark.parametrize("temp_furiten_end", ["own_draw", "own_discard"])
def test_temporary_furiten_ends_at_the_own_draw_or_discard(temp_furiten_end: str) -> None:
    options = rules(temp_furiten_end=temp_furiten_end)
    game = Game(options, hands=("9s", SIDES, "", ""), keep_out="69s")
    game.play("0: dahai 9s", "1: none")
    assert game.table.turn == 1
    assert game.table.temp_furiten[1] == (temp_furiten_end == "own_discard")
    game.play("1: tsumogiri")
    assert not game.table.temp_furiten[1]


@pytest.mark.parametrize("temp_furiten_end", ["own_draw", "own_discard"])
def test_in_temporary_furiten_an_own_rinshan_tile_counts_as_a_draw(temp_furiten_end: str) -> None:
    options = rules(temp_furiten_end=temp_furiten_end)
    hands = ("9s", "111p234m567m78s55z", "1p", "")
    game = Game(options, hands=hands, keep_out="69s")
    game.play("0: dahai 9s")
    game.play("1: none", "1: tsumogiri")
    game.play("2: dahai 1p", "1: daiminkan 1p 1p 1p 1p")
    assert game.table.phase == 1
    assert not game.table.temp_furiten[1]
