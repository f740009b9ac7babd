"""Chi, pon, daiminkan and ron on a discard: who is asked, who comes first, what is forbidden."""

from __future__ import annotations

from itertools import permutations

import pytest
from kit import RON_9S, Game, at, rules, tile, wish

from jantaku_engine import events as ev
from jantaku_engine.actions import PASS, WIN, parse_action
from jantaku_engine.kyoku import IllegalAction
from jantaku_engine.tiles import MJAI

RON_CHI_PON = ("9s", "78s147m258p12345z", "99s258m147p1234z", RON_9S[0])
"""Seat 1 may chi the 9s of seat 0, seat 2 may pon it, seat 3 may win it."""


def fill(hand: str) -> str:
    """The hand, filled up with pairs of honours that go with nothing else."""
    return hand + "11223344556677z"[: 13 - len(wish(hand))] + "z"


# --- who is asked --------------------------------------------------------------------------------


def test_everybody_who_can_use_a_discard_is_asked_at_once() -> None:
    game = Game(hands=RON_CHI_PON, keep_out="69s").play("0: dahai 9s")
    assert game.menu(0) == []
    assert game.menu(1) == ["chi 9s 7s 8s", "none"]
    assert game.menu(2) == ["pon 9s 9s 9s", "none"]
    assert game.menu(3) == ["hora", "none"]


def test_a_seat_that_may_win_is_offered_its_calls_too() -> None:
    hands = ("9s", "123m456m789m7s99s8s", "", "")
    game = Game(hands=hands, keep_out="69s").play("0: dahai 9s")
    assert game.menu(1) == ["hora", "pon 9s 9s 9s", "chi 9s 7s 8s", "none"]
    game.play("1: pon 9s 9s 9s")
    assert game.types[-1] == "pon"


def test_only_the_next_seat_may_chi() -> None:
    hands = ("4p", "", "35p", "35p")
    game = Game(hands=hands).play("0: dahai 4p")
    assert game.offers(2, "chi") == []
    assert game.offers(3, "chi") == []
    game = Game(hands=("35p", "", "", "4p")).play("3: dahai 4p")
    assert game.offers(0, "chi") == ["chi 4p 3p 5p"]


@pytest.mark.parametrize(
    ("hand", "discard", "chi"),
    [
        ("2356p", "4p", {"chi 4p 2p 3p", "chi 4p 3p 5p", "chi 4p 5p 6p"}),
        ("34m50p", "6p", set()),
        ("4m506p", "7p", {"chi 7p 5p 6p", "chi 7p 5pr 6p"}),
        ("406p", "3p", {"chi 3p 4p 5pr"}),
        ("89m1p2p", "9m", set()),
        ("89m12p", "3p", {"chi 3p 1p 2p"}),
        ("23z", "4z", set()),
        ("67z", "5z", set()),
    ],
)
def test_chi_is_a_run_within_a_suit(hand: str, discard: str, chi: set[str]) -> None:
    names = {"4z": "N", "5z": "P"}
    game = Game(hands=(discard, fill(hand), "", ""))
    game.play(f"0: dahai {names.get(discard, discard)}")
    assert set(game.offers(1, "chi")) == chi


@pytest.mark.parametrize(
    ("hand", "calls"),
    [
        ("55p", {"pon 5p 5p 5p"}),
        ("50p", {"pon 5p 5p 5pr"}),
        ("550p", {"pon 5p 5p 5p", "pon 5p 5p 5pr", "daiminkan 5p 5p 5p 5pr"}),
    ],
)
def test_a_player_chooses_which_fives_to_show(hand: str, calls: set[str]) -> None:
    game = Game(hands=("5p", "", hand, "")).play("0: dahai 5p")
    assert set(game.offers(2, "pon", "daiminkan")) == calls


def test_the_red_five_itself_may_be_called() -> None:
    game = Game(hands=("0p", "46p", "555p", "")).play("0: dahai 5pr")
    assert "chi 5pr 4p 6p" in game.menu(1)
    assert game.offers(2, "pon") == ["pon 5pr 5p 5p"]
    assert game.offers(2, "daiminkan") == ["daiminkan 5pr 5p 5p 5p"]
    game.play("2: pon 5pr 5p 5p")
    assert [m.tiles for m in game.table.hands[2].melds] == [(13, 13, 35)]
    assert game.table.rivers[0][0].called


def test_the_last_discard_can_only_be_won() -> None:
    hands = ("", "", RON_9S[0], "99s258m147p1234z")
    game = Game(hands=hands, last="9s", keep_out="69s")
    game.until_turn(1, live_left=0).play("1: dahai 9s")
    assert game.menu(2) == ["hora", "none"]
    assert game.menu(3) == []
    one_before = Game(hands=("", "", "", "99s258m147p1234z"), last="9s.", keep_out="69s")
    one_before.until_turn(0, live_left=1).play("0: dahai 9s")
    assert one_before.menu(3) == ["pon 9s 9s 9s", "none"]


# --- who comes first -----------------------------------------------------------------------------

CALLS = {"chi": (1, "chi 9s 7s 8s"), "pon": (2, "pon 9s 9s 9s"), "hora": (3, "hora")}


@pytest.mark.parametrize("order", list(permutations(CALLS)))
def test_ron_over_pon_over_chi_in_whatever_order_they_answer(order: tuple[str, ...]) -> None:
    game = Game(hands=RON_CHI_PON, keep_out="69s").play("0: dahai 9s")
    events = len(game.kyoku.events)
    for number, name in enumerate(order):
        seat, text = CALLS[name]
        assert len(game.kyoku.events) == events, "resolved before all had answered"
        game.kyoku.answer(seat, parse_action(text))
        assert seat not in game.pending or number == 2
    assert game.hora.actor == 3
    assert game.table.rivers[0][-1].called is False


@pytest.mark.parametrize("order", list(permutations(("chi", "pon"))))
def test_pon_over_chi_when_the_win_is_passed(order: tuple[str, ...]) -> None:
    game = Game(hands=RON_CHI_PON, keep_out="69s").play("0: dahai 9s")
    game.play(*(f"{CALLS[name][0]}: {CALLS[name][1]}" for name in order))
    assert game.types[-1] == "pon"
    assert game.table.turn == 2


def test_chi_when_nobody_else_wants_the_tile() -> None:
    game = Game(hands=RON_CHI_PON, keep_out="69s").play("0: dahai 9s", "1: chi 9s 7s 8s")
    assert game.types[-1] == "chi"
    assert game.table.turn == 1


def test_a_daiminkan_comes_before_a_chi() -> None:
    hands = ("9s", "78s147m258p12345z", "999s258m147p123z", "")
    game = Game(hands=hands).play("0: dahai 9s")
    game.play("1: chi 9s 7s 8s", "2: daiminkan 9s 9s 9s 9s")
    assert "chi" not in game.types
    assert "daiminkan" in game.types


def test_after_a_call_the_seats_between_lose_their_turn() -> None:
    game = Game(hands=("1z", "", "", "11z")).play("0: dahai E", "3: pon E E E", "3: tsumogiri")
    game.until(lambda g: g.types[-1] == "tsumo")
    assert game.table.turn == 0
    assert game.table.live_left == 68


# --- after a call --------------------------------------------------------------------------------


def test_after_a_chi_or_pon_there_is_only_the_discard() -> None:
    # Complete with the called tile, four of a kind in the hand, and tenpai: a discard all the same.
    hands = ("9s", "1111m23m78s555z99p", "", "")
    game = Game(hands=hands).play("0: dahai 9s", "1: chi 9s 7s 8s")
    assert {text.split()[0] for text in game.menu(1)} == {"dahai"}
    assert all(not text.endswith("tsumogiri") for text in game.menu(1))
    assert game.refuses("1: ankan 1m 1m 1m 1m")
    assert game.refuses("1: hora")
    assert game.refuses("1: reach")


def test_an_added_kan_waits_for_a_later_turn() -> None:
    hands = ("9p", "999p", "", "")
    game = Game(hands=hands).play("0: dahai 9p", "1: pon 9p 9p 9p")
    assert game.offers(1, "kakan") == []
    assert "9p" not in game.discards(1)
    game.play("1: tsumogiri").until_turn(1)
    assert game.offers(1, "kakan") == ["kakan 9p 9p 9p 9p"]


@pytest.mark.parametrize(
    ("hand", "call", "forbidden"),
    [
        ("14m23m", "chi 1m 2m 3m", {"1m", "4m"}),
        ("14m23m", "chi 4m 2m 3m", {"1m", "4m"}),
        ("123m25m", "chi 2m 1m 3m", {"2m"}),
        ("123m6m", "chi 3m 1m 2m", {"3m"}),
        ("4m789m", "chi 7m 8m 9m", {"7m"}),
        ("3m456m7m", "chi 3m 4m 5m", {"3m", "6m"}),
        ("567m8m", "chi 8m 6m 7m", {"5m", "8m"}),
        ("234567m8m", "chi 8m 6m 7m", {"5m", "8m"}),
        ("9m78m6m1p", "chi 9m 7m 8m", {"6m", "9m"}),
        ("8m9m789p1s", "chi 7p 8p 9p", {"7p"}),
        ("6p7p5p0p8p", "chi 8p 6p 7p", {"5p", "5pr", "8p"}),
        ("340m6m5m", "chi 5m 3m 4m", {"2m", "5m", "5mr"}),
    ],
)
def test_kuikae(hand: str, call: str, forbidden: set[str]) -> None:
    called = call.split()[1]
    game = Game(hands=(called, fill(hand), "", ""))
    game.play(f"0: dahai {called}", f"1: {call}")
    held = {MJAI[code] for code in game.table.hands[1].tiles()}
    assert held - game.discards(1) == forbidden & held
    assert game.discards(1) <= held
    # It lasts for this one discard.
    game.play("1: dahai E").until_turn(1)
    assert (forbidden & held) <= game.discards(1)


# --- refusals ------------------------------------------------------------------------------------


def test_an_answer_out_of_turn_or_out_of_the_menu_is_refused_with_the_reason() -> None:
    game = Game(hands=RON_CHI_PON, keep_out="69s")
    with pytest.raises(IllegalAction, match="seat 2 is not asked"):
        game.kyoku.answer(2, PASS)
    with pytest.raises(IllegalAction, match="may not hora"):
        game.kyoku.answer(0, WIN)
    game.play("0: dahai 9s")
    assert game.refuses("1: pon 9s 9s 9s")
    assert game.refuses("2: hora")
    assert game.refuses("0: none")
    game.kyoku.answer(1, PASS)
    assert game.refuses("1: none"), "an answer cannot be given twice"
    assert game.refuses("1: chi 9s 7s 8s")


def test_a_finished_hand_asks_nobody() -> None:
    game = Game(hands=RON_CHI_PON, keep_out="69s").play("0: dahai 9s", "3: hora")
    assert game.over
    assert game.pending == {}
    for seat in range(4):
        assert game.refuses(f"{seat}: none")


# --- several rons --------------------------------------------------------------------------------


@pytest.mark.parametrize("target", range(4))
def test_several_winners_are_paid_in_turn_order_from_the_discarder(target: int) -> None:
    hands = ["", "", "", ""]
    order = [(target + turn) % 4 for turn in (1, 2, 3)]
    for seat, hand in zip(order, RON_9S, strict=True):
        hands[seat] = hand
    hands[target] = "9s"
    game = Game(hands=hands, keep_out="69s", dora="1z", honba=1, kyotaku=2)
    game.play(f"{target}: dahai 9s", *(f"{seat}: hora" for seat in reversed(order)))
    assert [hora.actor for hora in game.horas] == order
    values = [3900 if seat == 0 else 2600 for seat in order]
    assert [hora.deltas[hora.actor] for hora in game.horas] == [
        values[0] + 300 + 2000,
        values[1],
        values[2],
    ]
    assert [hora.points for hora in game.horas] == values
    assert game.gains[target] == -sum(values) - 300
    assert game.horas[1].scores[target] == game.horas[0].scores[target] - values[1]


def test_a_winner_that_passes_leaves_the_tile_to_the_others() -> None:
    game = Game(hands=("9s", *RON_9S), keep_out="69s")
    game.play("0: dahai 9s", "2: hora")
    assert [hora.actor for hora in game.horas] == [2]


def test_a_furiten_seat_and_one_without_yaku_do_not_count_as_claims() -> None:
    options = rules(multi_ron="double", sanchahou=True)
    game = Game(options, hands=("9s", *RON_9S), draws=at([1], "6s"), keep_out="69s")
    # Seat 1 lets its 6s go: it is furiten when seat 0 discards the 9s.
    game.play("1: dahai 6s", "2: none", "3: none").until_turn(0)
    game.play("0: dahai 9s")
    assert game.claims(1) == ["chi 9s 7s 8s", "none"]
    game.play("3: hora", "2: hora")
    assert [hora.actor for hora in game.horas] == [2, 3]


def test_ura_markers_are_shown_for_the_winner_in_riichi_alone() -> None:
    hands = ("9s", RON_9S[0], RON_9S[1], "")
    game = Game(hands=hands, draws=at([1], "1z"), keep_out="69s", ura="4z")
    game.play("0: tsumogiri", "1: reach E", "0: dahai 9s", "1: hora", "2: hora")
    assert [hora.ura_markers for hora in game.horas] == [(tile("N"),), ()]
    assert isinstance(game.horas[0], ev.Hora)
