"""Hands without a winner (RULES 5.5, 6): noten payments, nagashi, the abortive draws."""

from __future__ import annotations

import pytest
from kit import RON_9S, Game, at, columns, fourth_kan, rules, tile, yaochuu

from jantaku_engine import events as ev

WAITS = ("111222333m1p777s", "444555666m1p888s", "777888999m1p999s", "222333444s1p777p")
"""Four hands that wait for 1p."""
FOUR_TENPAI = ("123m456m789m46p99s", "123p456p789p46s99m", "123s456s789s46m11p", "222333444z46p11m")
"""Waits for 5p, 5s, 5m and 5p; the last is no yaku but riichi."""


# --- the exhaustive draw -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tenpai", "deltas"),
    [
        ((), (0, 0, 0, 0)),
        ((2,), (-1000, -1000, 3000, -1000)),
        ((0, 3), (1500, -1500, -1500, 1500)),
        ((0, 1, 3), (1000, 1000, -3000, 1000)),
        ((0, 1, 2, 3), (0, 0, 0, 0)),
    ],
)
def test_noten_payments(tenpai: tuple[int, ...], deltas: tuple[int, ...]) -> None:
    hands = [WAITS[seat] if seat in tenpai else "" for seat in range(4)]
    game = Game(hands=hands, keep_out="1p", honba=2, kyotaku=1).to_end()
    assert game.draw.reason == ev.EXHAUSTIVE
    assert game.draw.tenpais == tuple(seat in tenpai for seat in range(4))
    assert game.draw.deltas == deltas
    assert game.table.kyotaku == 1
    for seat in range(4):
        shown = game.draw.tehais[seat]
        assert (set(shown) == {tile("?")}) == (seat not in tenpai)


def test_a_wait_whose_tiles_are_all_visible_is_tenpai() -> None:
    # Seat 2 holds all four 5p; seat 1 waits for 5p alone.
    game = Game(hands=("", "123m456m789m46p99s", "5550p", "")).to_end()
    assert game.draw.tenpais == (False, True, False, False)


def test_a_ron_on_the_last_discard_comes_before_the_draw_and_spoils_nagashi() -> None:
    draws = columns({1: f"{' '.join(yaochuu().split()[:17])} 9s"})
    game = Game(hands=("", "", RON_9S[0], ""), draws=draws, keep_out="69s")
    game.until_turn(1, 0).play("1: dahai 9s", "2: hora")
    assert game.hora.target == 1
    assert game.all(ev.Ryukyoku) == []


def test_haitei_and_houtei_belong_to_the_last_tile_alone() -> None:
    hands = ("", RON_9S[0], RON_9S[1], RON_9S[2])
    for last, live_left, haitei, houtei in (("9s", 0, True, True), ("9s...", 3, False, False)):
        seat = 1 if live_left == 0 else 2
        game = Game(hands=hands, last=last, keep_out="69s").until_turn(seat, live_left)
        game.play(f"{seat}: hora")
        assert ("haitei_raoyue" in game.yaku) == haitei
        game = Game(hands=hands, last=last, keep_out="69s").until_turn(seat, live_left)
        game.play(f"{seat}: dahai 9s", "3: hora")
        assert ("houtei_raoyui" in game.yaku) == houtei
    one_left = Game(hands=("123m456m789m78s55z", "", "", RON_9S[1]), last="9s.", keep_out="69s")
    one_left.until_turn(0, 1).play("0: dahai 9s", "3: hora")
    assert "houtei_raoyui" not in one_left.yaku


# --- nagashi -------------------------------------------------------------------------------------


def test_nagashi_replaces_the_noten_payments() -> None:
    hands = ("444555666m1p888s", "", "", "")
    game = Game(hands=hands, draws=columns({2: yaochuu()}), keep_out="1p")
    game.to_end()
    assert game.draw.tenpais == (True, False, False, False)
    assert game.draw.deltas == (-4000, -2000, 8000, -2000)


def test_discards_in_riichi_count_for_nagashi() -> None:
    hands = ("", "", "345m567m345s22s46p", "")
    game = Game(hands=hands, draws=columns({2: yaochuu()}), keep_out="5p")
    game.until_turn(2).play("2: reach 1m").to_end()
    assert game.draw.nagashi == (2,)
    assert game.draw.deltas == (-4000, -2000, 8000, -2000)
    assert game.gains == (-4000, -2000, 7000, -2000)


def test_a_middle_tile_among_the_discards_spoils_nagashi() -> None:
    tiles = yaochuu().split()
    tiles[9] = "2m"
    game = Game(draws=columns({2: " ".join(tiles)})).to_end()
    assert game.draw.reason == ev.EXHAUSTIVE


def test_two_non_dealers_with_nagashi() -> None:
    game = Game(draws=columns({1: yaochuu(0), 3: yaochuu(1)})).to_end()
    assert game.draw.nagashi == (1, 3)
    assert game.draw.deltas == (-8000, 8000 - 2000, -4000, 8000 - 2000)


def test_of_two_nagashi_as_wins_the_first_from_the_dealer_collects() -> None:
    options = rules(nagashi="win")
    draws = columns({1: yaochuu(0), 3: yaochuu(1)})
    game = Game(options, draws=draws, honba=1, kyotaku=2).to_end()
    assert game.draw.deltas == (-4100 - 4000, 8300 + 2000 - 2000, -2100 - 2000, 8000 - 2100)
    assert game.table.kyotaku == 0


# --- nine terminals and honours ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "drawn", "offered"),
    [
        ("19m19p19s123z568m7p", "7p", True),
        ("19m19p19s12z5568m7p", "3z", True),
        ("19m19p19s12z5568m7p", "7p", False),
        ("1199m1199p1199s1z", "1z", False),
        ("19m19p19s1234567z", "1m", True),
    ],
)
def test_nine_different_kinds_among_fourteen(hand: str, drawn: str, offered: bool) -> None:
    game = Game(hands=(hand, "", "", ""), draws=drawn)
    assert bool(game.offers(0, "ryukyoku")) == offered
    for seat in (1, 2, 3):
        hands = ["", "", "", ""]
        hands[seat] = hand
        game = Game(hands=hands, draws=at([seat], drawn)).until_turn(seat)
        assert bool(game.offers(seat, "ryukyoku")) == offered


def test_nine_kinds_belong_to_the_first_draw_and_an_unbroken_go_round() -> None:
    nine = "19m19p19s123z568m7p"
    later = Game(hands=("", nine, "", "")).until_turn(1)
    later.play("1: dahai 7p").until_turn(1)
    assert later.offers(1, "ryukyoku") == []
    called = Game(hands=("5z", "", nine, "55z")).play("0: dahai P", "3: pon P P P")
    called.play("3: tsumogiri").until_turn(2)
    assert called.offers(2, "ryukyoku") == []


def test_the_declarer_shows_its_fourteen_tiles() -> None:
    game = Game(hands=("19m19p19s123z568m7p", "", "", ""), draws="7p").play("0: ryukyoku")
    assert game.draw.reason == ev.KYUUSHU_KYUUHAI
    assert len(game.draw.tehais[0]) == 14
    assert tile("?") not in game.draw.tehais[0]
    assert set(game.draw.tehais[1]) == {tile("?")}
    assert game.draw.deltas == (0, 0, 0, 0)


# --- four winds ----------------------------------------------------------------------------------


def test_four_different_or_later_winds_do_not_abort() -> None:
    mixed = Game(draws="3z3z3z4z")
    mixed.play("0: dahai W", "1: dahai W", "2: dahai W", "3: dahai N")
    assert not mixed.over
    later = Game(draws="7m8m9p1s3z3z3z3z")
    for seat, name in enumerate(("7m", "8m", "9p", "1s")):
        later.play(f"{seat}: dahai {name}")
    for seat in range(4):
        later.play(f"{seat}: dahai W")
    assert not later.over
    dragons = Game(draws="5z5z5z5z")
    for seat in range(4):
        dragons.play(f"{seat}: dahai P")
    assert not dragons.over


@pytest.mark.parametrize("kan", [False, True])
def test_a_kan_in_between_spoils_four_winds(kan: bool) -> None:
    draws, rinshan = ("3z5p3z3z", "3z") if kan else ("3z3z3z3z", "")
    game = Game(hands=("", "1111p", "", ""), draws=draws, rinshan=rinshan)
    game.play("0: dahai W")
    if kan:
        game.play("1: ankan 1p 1p 1p 1p")
    game.play("1: dahai W", "2: dahai W", "3: dahai W")
    assert game.over == (not kan)


def test_a_double_riichi_on_the_fourth_wind_pays_its_deposit() -> None:
    hands = ("", "", "", "123m456m789m46p99s")
    game = Game(hands=hands, draws="3z3z3z3z", keep_out="5p")
    game.play("0: dahai W", "1: dahai W", "2: dahai W", "3: reach W")
    assert game.types[-4:] == ["dahai", "reach_accepted", "ryukyoku", "end_kyoku"]
    assert game.draw.reason == ev.SUUFON_RENDA
    assert game.gains == (0, 0, 0, -1000)
    assert game.table.kyotaku == 1


def test_nobody_is_asked_for_calls_on_the_discard_that_aborts() -> None:
    # Seat 2 could pon the last riichi discard only if the hand went on.
    hands = (*FOUR_TENPAI[:2], "123s456s789s46m77z", FOUR_TENPAI[3])
    game = Game(hands=hands, draws="5z6z5z7z", keep_out="5m5p5s")
    game.play("0: reach P", "1: reach F", "2: reach P", "3: reach C")
    assert game.over
    without = Game(rules(suucha_riichi=False), hands=(*hands[:2], "55z", ""), draws="5z6z")
    assert without.play("0: dahai P").claims(2) == ["pon P P P", "none"]


# --- four riichi ---------------------------------------------------------------------------------


def test_a_fourth_riichi_that_is_ronned_is_no_abort() -> None:
    game = Game(hands=FOUR_TENPAI, draws="5z6z7z0p", keep_out="5m5p5s")
    game.play("0: reach P", "1: reach F", "2: reach C", "3: reach 5pr")
    assert game.claims(0) == ["hora", "none"]
    game.play("0: hora")
    assert len(game.all(ev.ReachAccepted)) == 3
    assert game.hora.deltas[0] == game.hora.points + 3000
    assert game.gains[3] == -game.hora.points


def test_after_a_pass_on_the_fourth_riichi_the_hand_is_aborted() -> None:
    game = Game(hands=FOUR_TENPAI, draws="5z6z7z0p", keep_out="5m5p5s")
    game.play("0: reach P", "1: reach F", "2: reach C", "3: reach 5pr", "0: none")
    assert game.draw.reason == ev.SUUCHA_RIICHI
    assert game.table.kyotaku == 4
    assert all(tile("?") not in hand for hand in game.draw.tehais)
    assert game.draw.tenpais == (True, True, True, True)


def test_four_riichi_with_four_equal_winds_are_told_as_four_riichi() -> None:
    hands = (*FOUR_TENPAI[:3], "555666z888m46p11m")
    game = Game(hands=hands, draws="3z3z3z3z", keep_out="5m5p5s")
    game.play(*(f"{seat}: reach W" for seat in range(4)))
    assert game.draw.reason == ev.SUUCHA_RIICHI


# --- three rons ----------------------------------------------------------------------------------

SANCHAHOU = rules(multi_ron="double", sanchahou=True)


def test_a_riichi_on_a_tile_that_three_win_costs_no_deposit() -> None:
    hands = ("123m456m789m46p11z", *RON_9S)
    game = Game(SANCHAHOU, hands=hands, draws="9s", keep_out="69s5p", kyotaku=1)
    game.play("0: reach 9s", "1: hora", "2: hora", "3: hora")
    assert game.draw.reason == ev.SANCHAHOU
    assert game.all(ev.ReachAccepted) == []
    assert game.gains == (0, 0, 0, 0)
    assert game.table.kyotaku == 1
    shown = [tile("?") not in hand for hand in game.draw.tehais]
    assert shown == [False, True, True, True]


def test_three_who_could_win_but_two_who_do() -> None:
    game = Game(SANCHAHOU, hands=("9s", *RON_9S), keep_out="69s")
    game.play("0: dahai 9s", "1: hora", "3: hora", "2: none")
    assert [hora.actor for hora in game.horas] == [1, 3]


@pytest.mark.parametrize("sanchahou", [True, False])
def test_three_kokushi_on_one_concealed_kan(sanchahou: bool) -> None:
    orphans = "19m19p19s234567z"
    hands = ("1111z", f"{orphans}1m", f"{orphans}9m", f"{orphans}1p")
    game = Game(rules(multi_ron="double", sanchahou=sanchahou), hands=hands)
    game.play("0: ankan E E E E", "1: hora", "2: hora", "3: hora")
    if sanchahou:
        assert game.draw.reason == ev.SANCHAHOU
        assert game.gains == (0, 0, 0, 0)
    else:
        assert [hora.actor for hora in game.horas] == [1, 2]
    assert game.all(ev.Dora) == []


# --- four kans -----------------------------------------------------------------------------------


def test_a_ron_on_the_discard_after_the_fourth_kan_wins() -> None:
    game = fourth_kan(rules(), "9s", "123p456p789p78s55z").play("1: dahai 9s")
    assert game.claims(2) == ["hora", "none"]
    game.play("2: hora")
    assert game.hora.target == 1


def test_four_kans_abort_on_the_last_tile_too() -> None:
    # Three kans have moved the end of the live wall: seat 1 draws with one tile left.
    hands = ("1111z2222z3333z4m", "444s456m789m78p99p", "", "")
    draws = at([0, 65], "6z4s")
    game = Game(hands=hands, draws=draws, rinshan="1p1m1s9m", keep_out="69s6p4s")
    for wind in "ESW":
        game.play(f"0: ankan {wind} {wind} {wind} {wind}")
    game.play("0: dahai F").until_turn(1, live_left=1)
    game.play("1: ankan 4s 4s 4s 4s")
    assert game.table.live_left == 0
    game.play("1: dahai 9m")
    assert game.draw.reason == ev.SUUKAIKAN
    assert game.draw.deltas == (0, 0, 0, 0)
