"""Options of yaku that the table has to play: declarations, streaks, first turns.

Their value in han stands with the other yaku; here the table must offer, note and pay them. The
parameter is named after the option; `test_options` looks whether any value is missing.
"""

from __future__ import annotations

from typing import Any

import pytest
from kit import Game, at, rules, tile
from kit_match import Hanchan

from jantaku_engine import events as ev
from jantaku_engine.tiles import UNKNOWN

GAP_5P = "123m456m789m46p99s"
"""Waits for 5p, pure straight."""
APART = "147m258p369s1234z"
"""With one of these again: thirteen kinds that nothing connects."""


# --- open riichi ---------------------------------------------------------------------------------


def gap_5p(second_hand: str = "5p", draws: str = "5z...6z", **options: Any) -> Game:
    """The dealer waits for 5p from the deal on."""
    hands = (GAP_5P, second_hand, "", "")
    return Game(rules(**options), hands=hands, draws=draws, keep_out="5p5s", dora="1z")


def open_riichi_later(second_hand: str = "5p", draws: str = "5z...6z", **options: Any) -> Game:
    """The dealer declares an open riichi in its second turn."""
    game = gap_5p(second_hand, draws, **options).play("0: tsumogiri").until_turn(0)
    return game.play("0: reach open F")


@pytest.mark.parametrize("open_riichi", [True, False])
def test_open_riichi_is_offered(open_riichi: bool) -> None:
    game = gap_5p(open_riichi=open_riichi).play("0: tsumogiri").until_turn(0)
    assert game.offers(0, "reach") == (["reach", "reach open"] if open_riichi else ["reach"])
    assert open_riichi or game.refuses("0: reach open")


def test_open_riichi_shows_the_hand_and_is_two_han() -> None:
    game = open_riichi_later(open_riichi=True)
    accepted = game.all(ev.ReachAccepted)[0]
    assert sorted(accepted.tehai) == sorted(game.table.hands[0].tiles())
    assert accepted.seen_by(2) == accepted
    game.play("1: dahai 5p", "0: hora")
    assert game.yaku == {"open_riichi": 2, "ippatsu": 1, "ittsuu": 2}


@pytest.mark.parametrize("open_riichi", [True, False])
def test_a_closed_riichi_shows_nothing(open_riichi: bool) -> None:
    game = Game(rules(open_riichi=open_riichi), hands=(GAP_5P, "", "", ""), draws="5z")
    game.play("0: reach P").until_turn(1)
    assert game.all(ev.ReachAccepted)[0].tehai == ()


@pytest.mark.parametrize(
    ("open_double_riichi", "first_turn", "later"),
    [(True, ["reach", "reach open"], ["reach"]), (False, ["reach"], ["reach"])],
)
def test_open_double_riichi_belongs_to_the_first_turn(
    open_double_riichi: bool, first_turn: list[str], later: list[str]
) -> None:
    game = gap_5p(open_double_riichi=open_double_riichi)
    assert game.offers(0, "reach") == first_turn
    game.play("0: tsumogiri").until_turn(0)
    assert game.offers(0, "reach") == later


def test_open_double_riichi_is_three_han_flat() -> None:
    for plain_too in (False, True):
        game = gap_5p(open_double_riichi=True, open_riichi=plain_too)
        game.play("0: reach open P", "1: dahai 5p", "0: hora")
        assert game.yaku == {"open_double_riichi": 3, "ippatsu": 1, "ittsuu": 2}


@pytest.mark.parametrize("open_riichi_dealin_yakuman", [True, False])
def test_dealing_into_an_open_riichi(open_riichi_dealin_yakuman: bool) -> None:
    options: dict[str, Any] = {
        "open_riichi": True,
        "open_riichi_dealin_yakuman": open_riichi_dealin_yakuman,
    }
    free = open_riichi_later(**options).play("1: dahai 5p", "0: hora")
    assert free.hora.yakuman == open_riichi_dealin_yakuman
    if open_riichi_dealin_yakuman:
        assert free.yaku == {"open_riichi": 1}
        assert free.gains == (48_000, -48_000, 0, 0)


def test_a_seat_in_riichi_and_a_tsumo_do_not_make_an_open_riichi_a_yakuman() -> None:
    options: dict[str, Any] = {"open_riichi": True, "open_riichi_dealin_yakuman": True}
    game = gap_5p("123s456s789s46s11s", "5z7z..6z5p", **options)
    game.play("0: tsumogiri", "1: reach C").until_turn(0)
    game.play("0: reach open F", "1: tsumogiri", "0: hora")
    assert game.yaku == {"open_riichi": 2, "ippatsu": 1, "ittsuu": 2}

    game = open_riichi_later("", "5z...6z...5p", **options).play("0: hora")
    assert game.yaku == {"open_riichi": 2, "ippatsu": 1, "menzen_tsumo": 1, "ittsuu": 2}


# --- streaks of the dealer -----------------------------------------------------------------------


@pytest.mark.parametrize("paarenchan", [True, False])
def test_the_eighth_hand_of_a_dealer(paarenchan: bool) -> None:
    options = rules(paarenchan=paarenchan)
    game = Hanchan(options, round=1, kept=8).ron(1, 0)
    assert (dict(game.horas[0].yaku) == {"paarenchan": 1}) == paarenchan
    for kept, seat in ((7, 1), (8, 2)):
        other = Hanchan(options, round=1, kept=kept).ron(seat, 0)
        assert dict(other.horas[0].yaku) == {"ittsuu": 2}


@pytest.mark.parametrize(
    ("paarenchan_count", "after_keeps", "after_wins"),
    [("renchan", True, False), ("wins", False, True)],
)
def test_what_a_streak_is(paarenchan_count: str, after_keeps: bool, after_wins: bool) -> None:
    options = rules(paarenchan=True, paarenchan_count=paarenchan_count, tobi="off")
    keeps = Hanchan(options, round=1)
    for _ in range(8):
        keeps.exhaust(1)
    keeps.ron(1, 0)
    assert ("paarenchan" in dict(keeps.horas[0].yaku)) == after_keeps

    wins = Hanchan(options, round=1)
    for _ in range(8):
        wins.ron(1, 0)
    assert ("paarenchan" in dict(wins.horas[-1].yaku)) == after_wins
    assert "paarenchan" not in dict(wins.horas[-2].yaku)


def test_a_draw_breaks_a_streak_of_wins_and_a_passed_deal_every_streak() -> None:
    game = Hanchan(rules(tobi="off"), round=1)
    game.ron(1, 0).ron(1, 0)
    assert (game.match.kept, game.match.wins) == (2, 2)
    game.exhaust(1)
    assert (game.match.kept, game.match.wins) == (3, 0)
    game.ron(1, 0)
    assert (game.match.kept, game.match.wins) == (4, 1)
    game.abort()
    assert (game.match.kept, game.match.wins) == (5, 0)
    game.ron(2, 0)
    assert (game.match.kept, game.match.wins) == (0, 0)


@pytest.mark.parametrize("paarenchan_needs_yaku", [True, False])
def test_whether_the_eighth_hand_needs_a_yaku(paarenchan_needs_yaku: bool) -> None:
    options = rules(paarenchan=True, paarenchan_needs_yaku=paarenchan_needs_yaku)
    hands = ("99m123p456s78s44p1z", "9m", "6s", "")
    game = Game(options, kept=8, hands=hands, keep_out="69s")
    game.play("1: dahai 9m", "0: pon 9m 9m 9m", "0: dahai E", "2: dahai 6s")
    assert game.claims(0) == ([] if paarenchan_needs_yaku else ["hora", "none"])
    if not paarenchan_needs_yaku:
        assert game.play("0: hora").yaku == {"paarenchan": 1}


# --- first turns ---------------------------------------------------------------------------------


@pytest.mark.parametrize("shiisan_puutou", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_thirteen_unconnected_tiles_win_the_first_turn(shiisan_puutou: bool, seat: int) -> None:
    hands = ["", "", "", ""]
    hands[seat] = APART
    game = Game(rules(shiisan_puutou=shiisan_puutou), hands=hands, draws=at([seat], "1z"))
    game.until_turn(seat)
    assert bool(game.offers(seat, "hora")) == shiisan_puutou
    if shiisan_puutou:
        assert game.play(f"{seat}: hora").yaku == {"shiisan_puutou": 1}


def test_thirteen_unconnected_tiles_are_too_late_after_a_call_or_the_first_turn() -> None:
    options = rules(shiisan_puutou=True)
    late = Game(options, hands=("", APART, "", ""), draws=at([1, 5], "5s1z"))
    late.play("1: dahai 5s").until_turn(1)
    assert late.offers(1, "hora") == []
    kan = Game(options, hands=("1111p", APART, "", ""), draws=at([1], "1z"))
    kan.play("0: ankan 1p 1p 1p 1p").until_turn(1)
    assert kan.offers(1, "hora") == []


@pytest.mark.parametrize(
    ("shiisan_puutou_with_renhou", "claims"), [(True, ["hora", "none"]), (False, [])]
)
def test_thirteen_unconnected_tiles_by_a_first_ron(
    shiisan_puutou_with_renhou: bool, claims: list[str]
) -> None:
    options = rules(shiisan_puutou=True, shiisan_puutou_with_renhou=shiisan_puutou_with_renhou)
    game = Game(options, hands=("2z", "", APART, "2z")).play("0: dahai S")
    assert game.claims(2) == claims
    later = Game(options, hands=("", "", APART, "2z")).play("3: dahai S")
    assert later.claims(2) == []


@pytest.mark.parametrize("shiisan_puutou", [True, False])
def test_a_streak_does_not_make_unconnected_tiles_a_win(shiisan_puutou: bool) -> None:
    options = rules(paarenchan=True, paarenchan_needs_yaku=False, shiisan_puutou=shiisan_puutou)
    game = Game(options, kept=8, hands=(APART, "", "", ""), draws="1z")
    assert bool(game.offers(0, "hora")) == shiisan_puutou


@pytest.mark.parametrize("shiisan_puutou_mode", ["yakuman", "mangan"])
def test_what_thirteen_unconnected_tiles_pay(shiisan_puutou_mode: str) -> None:
    options = rules(shiisan_puutou=True, shiisan_puutou_mode=shiisan_puutou_mode)
    game = Game(options, hands=(APART, "", "", ""), draws="1z").play("0: hora")
    paid = 16_000 if shiisan_puutou_mode == "yakuman" else 4000
    assert game.gains == (3 * paid, -paid, -paid, -paid)


@pytest.mark.parametrize("renhou", [True, False])
def test_kokushi_robbing_the_first_concealed_kan_is_renhou_too(renhou: bool) -> None:
    hands = ("1111z", "19m19p19s234567z1m", "", "")
    game = Game(rules(renhou=renhou), hands=hands).play("0: ankan E E E E", "1: hora")
    assert set(game.yaku) == ({"kokushi_musou", "renhou"} if renhou else {"kokushi_musou"})


# --- the least hand ------------------------------------------------------------------------------


@pytest.mark.parametrize(("min_han", "claims"), [(1, ["hora", "none"]), (2, [])])
def test_too_small_a_hand_is_not_offered(min_han: int, claims: list[str]) -> None:
    # Haku alone, with a red five: dora does not help.
    hands = ("", "123m460m78s99p555z", "9s", "9s")
    game = Game(rules(min_han=min_han), hands=hands, keep_out="69s")
    game.play("2: dahai 9s")
    assert game.claims(1) == claims
    game.play("3: dahai 9s")
    assert game.claims(1) == []
    assert game.furiten(1)


@pytest.mark.parametrize(("shibari2_honba", "claims"), [("off", ["hora", "none"]), (5, [])])
def test_two_han_from_five_honba_on(shibari2_honba: int | str, claims: list[str]) -> None:
    hands = ("", "123m456m78s99p555z", "9s", "")
    options = rules(shibari2_honba=shibari2_honba)
    at_five = Game(options, hands=hands, honba=5, keep_out="69s").play("2: dahai 9s")
    assert at_five.claims(1) == claims
    at_four = Game(options, hands=hands, honba=4, keep_out="69s").play("2: dahai 9s")
    assert at_four.claims(1) == ["hora", "none"]


def test_a_second_winner_is_not_spared_the_two_han_because_the_first_takes_the_honba() -> None:
    hands = ("9s", "123p456p789p78s66z", "123m456m78s99p555z", "")
    game = Game(rules(shibari2_honba=5), hands=hands, honba=5, keep_out="69s", dora="1z")
    game.play("0: dahai 9s")
    assert game.offers(1, "hora") == ["hora"]
    assert game.claims(2) == []


@pytest.mark.parametrize("kuitan", [True, False])
def test_open_tanyao_alone(kuitan: bool) -> None:
    hands = ("", "234m456m78s55p33p1z", "5p", "6s")
    game = Game(rules(kuitan=kuitan), hands=hands, keep_out="69s5p")
    game.play("2: dahai 5p", "1: pon 5p 5p 5p", "1: dahai E", "3: dahai 6s")
    assert game.claims(1) == (["hora", "none"] if kuitan else [])


def test_a_view_of_an_open_riichi_knows_the_shown_hand_only_by_the_event() -> None:
    game = open_riichi_later(open_riichi=True).until_turn(1)
    assert game.views[2].table.hands[0].tiles() == (UNKNOWN,) * 13
    assert tile("4p") in game.all(ev.ReachAccepted)[0].tehai
