"""Who pays what for a win at the table (RULES 7.3-7.6): honba, deposits, liability."""

from __future__ import annotations

import pytest
from kit import RON_9S, Game, at, pons, rules

from jantaku_engine.rules import Ruleset

# --- honba and deposits --------------------------------------------------------------------------

TENPAI = "123m456m789m12p99s"
"""Waits for 3p: by ron 2600, as dealer 3900; by tsumo 1000 and 2000, as dealer 2000 from all."""


@pytest.mark.parametrize("oya", range(4))
@pytest.mark.parametrize("seat", range(4))
def test_a_tsumo_is_paid_by_all_with_a_hundred_for_each_honba(oya: int, seat: int) -> None:
    hands = ["", "", "", ""]
    hands[seat] = TENPAI
    drawn = (seat - oya) % 4 + 4
    game = Game(
        oya=oya,
        hands=hands,
        draws=at([drawn], "3p"),
        keep_out="3p",
        dora="1z",
        honba=3,
        kyotaku=2,
    )
    # Its first draw would be a yakuman: it wins in its second turn.
    game.play(f"{seat}: tsumogiri", f"{seat}: hora")
    for payer in range(4):
        if payer != seat:
            share = 2000 if oya in (seat, payer) else 1000
            assert game.gains[payer] == -share - 300
    assert sum(game.gains) == 2000
    assert game.table.kyotaku == 0


@pytest.mark.parametrize("oya", range(4))
def test_a_ron_is_paid_by_the_discarder_with_three_hundred_for_each_honba(oya: int) -> None:
    game = Game(
        oya=oya,
        hands=(TENPAI, "", "3p", ""),
        keep_out="3p",
        dora="1z",
        honba=3,
        kyotaku=2,
    )
    game.play("2: dahai 3p", "0: hora")
    won = 3900 if oya == 0 else 2600
    assert game.gains == (won + 900 + 2000, 0, -won - 900, 0)


def test_a_score_may_go_below_zero() -> None:
    scores = (25_000, 25_000, 400, 49_600)
    game = Game(hands=(TENPAI, "", "3p", ""), scores=scores, keep_out="3p", dora="1z")
    game.play("2: dahai 3p", "0: hora")
    assert game.table.scores == [28_900, 25_000, -3500, 49_600]


# --- liability -----------------------------------------------------------------------------------


def dragons(options: Ruleset, *lines: str, **wishes: object) -> Game:
    """The dealer has ponned all dragons, the last from seat 2, and waits for 9s."""
    game = pons(options, "567z", "234p9s357m", draws=at([8], "9s"), **wishes)
    return game.play(*lines)


def test_the_liable_seat_pays_a_tsumo_alone_and_all_honba() -> None:
    game = dragons(rules(), "0: hora", honba=2, kyotaku=1)
    assert game.yaku == {"daisangen": 1}
    assert game.gains == (48_000 + 600 + 1000, 0, -48_600, 0)
    assert game.hora.pao == 2


def test_the_liable_seat_and_the_discarder_share_a_ron() -> None:
    game = dragons(rules(), "3: dahai 9s", "0: hora", honba=2)
    assert game.gains == (48_600, 0, -24_600, -24_000)
    assert game.hora.pao == 2


def test_the_liable_seat_that_discards_pays_it_all_itself() -> None:
    game = dragons(rules(), "2: dahai 9s", "0: hora", honba=2)
    assert game.gains == (48_600, 0, -48_600, 0)
    assert game.hora.pao == -1


def test_three_winds_make_nobody_liable() -> None:
    game = pons(rules(), "123z", "44z23p357m", draws=at([8], "1p"))
    assert game.table.liable == [[], [], [], []]
    game.play("0: hora")
    assert game.yaku == {"shousuushii": 1}
    assert game.gains == (48_000, -16_000, -16_000, -16_000)


def test_a_concealed_kan_counts_as_an_earlier_group() -> None:
    hands = ("555z66z77z123p9s3m5m", "6z", "7z", "")
    game = Game(hands=hands, draws=at([0, 7], "5z9s"), rinshan="1m", keep_out="9s")
    game.play("0: ankan P P P P", "0: dahai 1m", "1: dahai F", "0: pon F F F", "0: dahai 3m")
    game.play("2: dahai C", "0: pon C C C", "0: dahai 5m", "0: hora")
    assert game.yaku == {"daisangen": 1}
    assert game.gains == (48_000, 0, -48_000, 0)


def test_a_last_group_of_own_tiles_makes_nobody_liable() -> None:
    hands = ("555z66z77z123p9s3m5m", "6z", "7z", "")
    game = Game(hands=hands, draws=at([7], "5z"), rinshan="9s", keep_out="9s")
    game.play("0: tsumogiri", "1: dahai F", "0: pon F F F", "0: dahai 3m")
    game.play("2: dahai C", "0: pon C C C", "0: dahai 5m", "0: ankan P P P P", "0: hora")
    assert game.yaku == {"daisangen": 1}
    assert game.gains == (48_000, -16_000, -16_000, -16_000)


def two_liable(rinshan: str, *lines: str) -> Game:
    """Seat 1 feeds the third dragon, seat 2 the fourth kan."""
    hands = ("555z666z777z111m9s", "7z", "1m", "9s")
    game = Game(
        rules(pao_suukantsu=True),
        hands=hands,
        draws="5z",
        rinshan=f"6z2m3m{rinshan}",
        keep_out="9s",
    )
    game.play("0: ankan P P P P", "0: ankan F F F F", "0: dahai 2m", "1: dahai C")
    game.play("0: daiminkan C C C C", "0: dahai 3m", "2: dahai 1m", "0: daiminkan 1m 1m 1m 1m")
    return game.play(*lines)


def test_two_liable_seats_answer_for_one_yakuman_each() -> None:
    by_tsumo = two_liable("9s", "0: hora")
    assert by_tsumo.yaku == {"suukantsu": 1, "daisangen": 1}
    assert by_tsumo.gains == (96_000, -48_000, -48_000, 0)
    by_ron = two_liable("4m", "0: dahai 4m", "3: dahai 9s", "0: hora")
    assert by_ron.gains == (96_000, -24_000, -24_000, -48_000)


FED_KAN = rules(pao_daiminkan_rinshan=True)


def test_who_fed_a_daiminkan_answers_for_its_own_replacement_tile_alone() -> None:
    hands = ("", "999p111m123s78s55z", "9p", "")
    at_once = Game(FED_KAN, hands=hands, rinshan="6s", keep_out="69s")
    at_once.play("2: dahai 9p", "1: daiminkan 9p 9p 9p 9p", "1: hora")
    won = at_once.hora.points
    assert at_once.gains == (0, won, -won, 0)

    after_another_kan = Game(FED_KAN, hands=hands, rinshan="1m6s", keep_out="69s")
    after_another_kan.play("2: dahai 9p", "1: daiminkan 9p 9p 9p 9p", "1: ankan 1m 1m 1m 1m")
    assert all(gain < 0 for gain in after_another_kan.play("1: hora").gains[2:])

    later = Game(
        FED_KAN, hands=("", "999p555z123s78s11m", "9p", ""), draws=at([6], "6s"), keep_out="69s"
    )
    later.play("2: dahai 9p", "1: daiminkan 9p 9p 9p 9p", "1: tsumogiri", "1: hora")
    assert later.gains[0] < 0
    assert later.gains[3] < 0


def test_liability_concerns_the_win_of_its_hand_alone() -> None:
    game = pons(rules(), "567z", "234p9s357m", draws=at([5], "9s"))
    assert game.table.liable[0] == [("daisangen", 2)]
    assert game.table.liable[1:] == [[], [], []]


def test_where_yakuman_do_not_stack_the_liable_seat_pays_the_one() -> None:
    options = Ruleset.preset("wrc2022")
    game = pons(options, "567z", "111z2z357m", draws=at([8], "2z")).play("0: hora")
    assert game.hora.yakuman == 1
    assert game.gains == (48_000, 0, -48_000, 0)


def test_the_first_of_two_winners_takes_its_honba_from_the_liable_seat() -> None:
    # Seat 1 keeps a pure straight that waits for 6s and 9s while it feeds two dragons.
    hands = ("55z66z77z234p9s357m", "5z6z123p456p789p78s", "7z", "9s")
    game = Game(
        hands=hands, draws=at([1, 2], "1z1z"), keep_out="69s", dora="2z", honba=1, kyotaku=1
    )
    game.play("0: tsumogiri", "1: dahai P", "0: pon P P P", "0: dahai 3m")
    game.play("1: dahai F", "0: pon F F F", "0: dahai 5m")
    game.play("2: dahai C", "0: pon C C C", "0: dahai 7m")
    game.play("3: dahai 9s", "1: hora", "0: hora")
    assert [hora.actor for hora in game.horas] == [0, 1]
    assert game.horas[0].deltas == (48_000 + 300 + 1000, 0, -24_300, -24_000)
    assert game.horas[1].deltas == (0, 2600, 0, -2600)


@pytest.mark.parametrize(("multi_ron_honba", "second"), [("first", 0), ("each", 300)])
def test_deposits_go_to_the_first_winner_whoever_takes_honba(
    multi_ron_honba: str, second: int
) -> None:
    options = rules(multi_ron_honba=multi_ron_honba)
    hands = ("9s", *RON_9S)
    game = Game(options, hands=hands, keep_out="69s", dora="1z", honba=1, kyotaku=3)
    game.play("0: dahai 9s", "3: hora", "1: hora")
    assert [hora.deltas[hora.actor] for hora in game.horas] == [2600 + 300 + 3000, 2600 + second]
