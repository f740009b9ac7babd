"""Kans (RULES 2.8-2.10): which are legal, their replacement tiles, indicators, and robbing them."""

from __future__ import annotations

import pytest
from kit import RON_9S, Game, at, fourth_kan, rules, tile

from jantaku_engine import events as ev
from jantaku_engine.melds import ANKAN, DAIMINKAN, KAKAN

TIMINGS = ("immediate", "ankan_now_minkan_at_discard", "ankan_now_minkan_after_pass")
AT_DISCARD = rules(kan_dora_timing="ankan_now_minkan_at_discard")


# --- which are legal -----------------------------------------------------------------------------


def test_a_concealed_kan_of_any_four_after_the_own_draw() -> None:
    game = Game(hands=("1111m5550p777s2z4z", "", "", ""), draws="7s")
    assert game.offers(0, "ankan") == [
        "ankan 1m 1m 1m 1m",
        "ankan 5p 5p 5p 5pr",
        "ankan 7s 7s 7s 7s",
    ]


@pytest.mark.parametrize("held", [True, False])
def test_a_tile_drawn_now_or_held_before_may_be_added(held: bool) -> None:
    hands = ("9p", "999p" if held else "99p", "", "")
    game = Game(hands=hands, draws="" if held else at([4], "9p"))
    game.play("0: dahai 9p", "1: pon 9p 9p 9p", "1: tsumogiri").until_turn(1)
    assert game.offers(1, "kakan") == ["kakan 9p 9p 9p 9p"]
    game.play("1: tsumogiri" if held else "1: kakan 9p 9p 9p 9p")
    if held:
        game.until_turn(1)
        assert game.offers(1, "kakan") == ["kakan 9p 9p 9p 9p"]


@pytest.mark.parametrize(
    ("pon", "added", "kakan"),
    [
        ("pon 5p 5p 5p", "0p", "kakan 5pr 5p 5p 5p"),
        ("pon 5p 5p 5pr", "5p", "kakan 5p 5p 5p 5pr"),
    ],
)
def test_a_red_five_in_an_added_kan(pon: str, added: str, kakan: str) -> None:
    held = "55p" if added == "0p" else "50p"
    game = Game(hands=("5p", held, "", ""), draws=at([4], added))
    game.play("0: dahai 5p", f"1: {pon}", "1: tsumogiri").until_turn(1)
    assert game.offers(1, "kakan") == [kakan]
    game.play(f"1: {kakan}")
    meld = game.table.hands[1].melds[0]
    assert meld.type == KAKAN
    assert meld.added == tile("5pr" if added == "0p" else "5p")
    assert meld.tiles == (13, 13, 13, 35)


def test_three_in_hand_and_a_discard_make_a_daiminkan() -> None:
    game = Game(hands=("9p", "", "999p", ""), rinshan="1z").play("0: dahai 9p")
    assert set(game.claims(2)) == {"pon 9p 9p 9p", "daiminkan 9p 9p 9p 9p", "none"}
    game.play("2: daiminkan 9p 9p 9p 9p")
    meld = game.table.hands[2].melds[0]
    assert (meld.type, meld.target) == (DAIMINKAN, 0)
    assert game.table.turn == 2
    assert game.table.hands[2].drawn == tile("E")


def test_consecutive_kans_take_the_replacement_tiles_in_order() -> None:
    game = Game(hands=("1111m2222m3333m4p", "", "", ""), rinshan="4p5z4p4p", draws="6z")
    for kind in ("1m", "2m", "3m"):
        game.play(f"0: ankan {kind} {kind} {kind} {kind}")
    drawn = [event.pai for event in game.all(ev.Tsumo)]
    assert drawn == [tile("F"), tile("4p"), tile("P"), tile("4p")]
    assert game.table.live_left == 66
    assert game.table.kans == 3


def test_there_is_no_fifth_kan() -> None:
    hands = ("1111m2222m3333m4p", "999s", "7777s9s", "")
    game = Game(hands=hands, draws="5z", rinshan="4p4p4p6z", keep_out="9s")
    for kind in ("1m", "2m", "3m", "4p"):
        game.play(f"0: ankan {kind} {kind} {kind} {kind}")
    game.play("0: dahai P").until_turn(2)
    assert game.offers(2, "ankan") == []
    game.play("2: dahai 9s")
    assert game.offers(1, "daiminkan", "pon") == ["pon 9s 9s 9s"]


def test_there_is_no_fifth_kan_in_riichi_either() -> None:
    hands = ("1111m2222m3333m4p", "111p456s789s78m99m", "", "")
    game = Game(hands=hands, draws=at([0, 1, 5], "5z6z1p"), rinshan="4p4p4p7z", keep_out="69m1p")
    for kind in ("1m", "2m", "3m"):
        game.play(f"0: ankan {kind} {kind} {kind} {kind}")
    game.play("0: dahai P", "1: reach F").until_turn(1)
    assert game.offers(1, "ankan") == ["ankan 1p 1p 1p 1p"]

    game = Game(hands=hands, draws=at([0, 1, 5], "5z6z1p"), rinshan="4p4p4p7z", keep_out="69m1p")
    for kind in ("1m", "2m", "3m", "4p"):
        game.play(f"0: ankan {kind} {kind} {kind} {kind}")
    game.play("0: dahai P", "1: reach F").until_turn(1)
    assert game.menu(1) == ["dahai 1p tsumogiri"]


# --- indicators ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("timing", "by_tsumo", "by_ron"), list(zip(TIMINGS, (2, 0, 0), (2, 2, 0), strict=True))
)
def test_which_wins_count_the_indicator_of_an_open_kan(
    timing: str, by_tsumo: int, by_ron: int
) -> None:
    # The indicator of the kan points to the pair of Haku.
    options = rules(kan_dora_timing=timing)
    hands = ("9p", "", "999p456m78s55z789m", "")
    game = Game(options, hands=hands, rinshan="6s", dora="1z7z", keep_out="69s")
    game.play("0: dahai 9p", "2: daiminkan 9p 9p 9p 9p", "2: hora")
    assert game.hora.dora == by_tsumo

    hands = ("9p", RON_9S[0], "999p", "")
    game = Game(options, hands=hands, rinshan="9s", dora="1z7z", keep_out="69s")
    game.play("0: dahai 9p", "2: daiminkan 9p 9p 9p 9p", "2: dahai 9s", "1: hora")
    assert game.hora.dora == by_ron


@pytest.mark.parametrize("timing", TIMINGS)
def test_the_indicator_of_a_concealed_kan_counts_at_once(timing: str) -> None:
    hands = ("111p456m789m78s55z", "", "", "")
    game = Game(rules(kan_dora_timing=timing), hands=hands, draws="1p", rinshan="6s", dora="1z7z")
    game.play("0: ankan 1p 1p 1p 1p", "0: hora")
    assert game.hora.dora == 2


def open_then_closed(timing: str) -> Game:
    """Seat 1 makes a daiminkan and with its replacement tile a concealed kan."""
    options = rules(kan_dora_timing=timing)
    game = Game(options, hands=("9p", "999p111s", "", ""), rinshan="1s1z", dora="2z3z4z")
    return game.play("0: dahai 9p", "1: daiminkan 9p 9p 9p 9p", "1: ankan 1s 1s 1s 1s")


@pytest.mark.parametrize(
    ("timing", "types"),
    [
        ("immediate", ["daiminkan", "dora", "tsumo", "ankan", "dora", "tsumo"]),
        (
            "ankan_now_minkan_at_discard",
            ["daiminkan", "tsumo", "ankan", "dora", "dora", "tsumo"],
        ),
        ("ankan_now_minkan_after_pass", ["daiminkan", "tsumo", "ankan", "dora", "tsumo"]),
    ],
)
def test_an_open_kan_and_another_in_the_same_turn(timing: str, types: list[str]) -> None:
    game = open_then_closed(timing)
    assert game.types[3:] == types
    assert [e.dora_marker for e in game.all(ev.Dora)] == [
        tile(name) for name in ("W", "N")[: types.count("dora")]
    ]
    game.play("1: dahai E").until_turn(2)
    assert game.types.count("dora") == 2


def test_two_added_kans_in_one_turn_turn_the_first_indicator_before_the_second_tile() -> None:
    hands = ("9s1p", "99s11p9m", "", "")
    game = Game(AT_DISCARD, hands=hands, draws=at([7], "9s"), rinshan="1p", keep_out="9s1p")
    game.play("0: dahai 9s", "1: pon 9s 9s 9s", "1: tsumogiri")
    game.play("0: dahai 1p", "1: pon 1p 1p 1p", "1: tsumogiri")
    game.until_turn(1)
    game.play("1: kakan 9s 9s 9s 9s", "1: kakan 1p 1p 1p 1p", "1: tsumogiri").until_turn(2)
    tail = game.types[game.types.index("kakan") :]
    assert tail == ["kakan", "tsumo", "kakan", "dora", "tsumo", "dora", "dahai", "tsumo"]


def test_a_robbed_second_kan_turns_neither_indicator() -> None:
    hands = ("99s11p", "", RON_9S[0], "9s1p")
    game = Game(AT_DISCARD, hands=hands, draws=at([10], "1p"), rinshan="9s", keep_out="69s1p")
    game.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri")
    game.play("3: dahai 1p", "0: pon 1p 1p 1p", "0: tsumogiri")
    game.play("0: kakan 1p 1p 1p 1p", "0: kakan 9s 9s 9s 9s", "2: hora")
    assert game.all(ev.Dora) == []


# --- robbing -------------------------------------------------------------------------------------


def test_a_robbed_kan_is_a_discard_win_from_its_maker() -> None:
    hands = ("99s", "", RON_9S[0], "9s")
    game = Game(hands=hands, draws=at([7], "9s"), keep_out="69s", dora="1z", honba=1, kyotaku=1)
    game.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri", "0: kakan 9s 9s 9s 9s")
    assert game.claims(2) == ["hora", "none"]
    assert game.claims(1) == []
    game.play("2: hora")
    # Chankan and pure straight, 40 fu.
    assert game.gains == (-5200 - 300, 0, 5200 + 300 + 1000, 0)
    assert game.table.live_left == 70 - len(game.all(ev.Tsumo))


def test_chankan_is_yaku_enough() -> None:
    hands = ("99s", "99m456p123s78s22p1z", "9m", "9s")
    game = Game(hands=hands, draws=at([8], "9s"), keep_out="69s")
    game.play("2: dahai 9m", "1: pon 9m 9m 9m", "1: dahai E")
    game.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri").until_turn(0)
    game.play("0: kakan 9s 9s 9s 9s", "1: hora")
    assert game.yaku == {"chankan": 1}


def test_several_may_rob_one_kan() -> None:
    options = rules(multi_ron="triple")
    hands = ("99s", RON_9S[0], RON_9S[1], "9s")
    game = Game(options, hands=hands, draws=at([7], "9s"), keep_out="69s", honba=1)
    game.play("3: dahai 9s", "0: pon 9s 9s 9s", "0: tsumogiri", "0: kakan 9s 9s 9s 9s")
    game.play("2: hora", "1: hora")
    assert [hora.actor for hora in game.horas] == [1, 2]


def test_nobody_is_asked_about_an_open_kan_of_a_discard() -> None:
    # Whoever waits for the tile of a daiminkan could have won the discard, and has passed it.
    game = Game(hands=("9s", "999s", RON_9S[0], ""), keep_out="69s").play("0: dahai 9s")
    assert game.claims(2) == ["hora", "none"]
    game.play("1: daiminkan 9s 9s 9s 9s", "2: none")
    assert game.types[3:] == ["daiminkan", "dora", "tsumo"]
    assert game.table.temp_furiten[2]


def test_kokushi_robs_without_chankan_and_the_kan_is_undone() -> None:
    hands = ("1111z", "19m19p19s234567z1m", "", "")
    game = Game(hands=hands, draws="5p").play("0: ankan E E E E", "1: hora")
    assert game.yaku == {"kokushi_musou": 1}
    assert game.gains == (-32_000, 32_000, 0, 0)
    assert game.table.hands[0].melds == []
    assert game.table.kans == 0
    assert game.table.hands[0].codes[tile("E")] == 3
    assert game.all(ev.Dora) == []


def test_only_kokushi_robs_a_concealed_kan() -> None:
    hands = ("5550p", "123m456m789m46p99s", "", "")
    game = Game(hands=hands).play("0: ankan 5p 5p 5p 5pr")
    assert game.claims(1) == []
    assert game.table.hands[0].melds[0].type == ANKAN


def test_a_robbed_first_kan_leaves_the_first_go_round_alive() -> None:
    # Seat 1 robs before its first draw: nothing has interrupted the go-round.
    hands = ("1111z", "19m19p19s234567z1m", "", "")
    game = Game(rules(renhou=True), hands=hands).play("0: ankan E E E E")
    assert game.table.uninterrupted
    game.play("1: none")
    assert not game.table.uninterrupted


# --- what a kan ends -----------------------------------------------------------------------------


def test_a_concealed_kan_ends_nine_terminals_and_chiihou() -> None:
    hands = ("2222p", "19m19p19s123z568m7s", "123m456m789m78s55z", "")
    game = Game(hands=hands, draws=at([1, 2], "7s6s"), keep_out="69s")
    game.play("0: ankan 2p 2p 2p 2p").until_turn(1)
    assert game.offers(1, "ryukyoku") == []
    game.play("2: hora")
    assert "chiihou" not in game.yaku


def test_an_own_concealed_kan_ends_tenhou_and_nine_terminals() -> None:
    game = Game(hands=("1111z9m19p19s23z5z6z", "", "", ""), draws="7z", rinshan="7p")
    assert game.offers(0, "ryukyoku") == ["ryukyoku"]
    game.play("0: ankan E E E E")
    assert game.offers(0, "ryukyoku") == []

    game = Game(hands=("111p456m789m78s55z", "", "", ""), draws="1p", rinshan="6s")
    game.play("0: ankan 1p 1p 1p 1p", "0: hora")
    assert set(game.yaku) == {"menzen_tsumo", "rinshan_kaihou"}


def test_a_rinshan_win_with_the_fourth_kan_comes_before_the_abort() -> None:
    game = fourth_kan(rules(), "6p")
    assert game.menu(1)[0] == "hora"
    game.play("1: hora")
    assert "rinshan_kaihou" in game.yaku


def test_four_kans_by_one_do_not_abort() -> None:
    game = Game(hands=("1111m2222m3333m4p", "", "", ""), draws="5z", rinshan="4p4p4p6z")
    for kind in ("1m", "2m", "3m", "4p"):
        game.play(f"0: ankan {kind} {kind} {kind} {kind}")
    game.play("0: dahai P").to_end()
    assert game.draw.reason == ev.EXHAUSTIVE
