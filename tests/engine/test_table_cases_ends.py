"""The tricky situations at the table: draws, settlement and the end of the game (rows D)."""
# ruff: noqa: N802

from __future__ import annotations

import pytest
from kit import Game, at, columns, fourth_kan, pons, rules, yaochuu
from kit_match import Hanchan

from jantaku_engine import events as ev
from jantaku_engine.match import final_points
from jantaku_engine.rules import Ruleset

GAP_5P = "123m456m789m46p99s"
"""Waits for 5p, pure straight."""
SIDES_69S = "123m456m789m78s55z"
"""Waits for 6s and 9s, pure straight; the pair of Haku keeps pinfu out."""


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
    assert sum(game.end.points) == pytest.approx(0)


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
