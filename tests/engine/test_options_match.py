"""Options of payments and of the game: situations that differ in one option alone.

The parameter is named after the option; `test_options` looks whether any value is missing.
"""

from __future__ import annotations

import pytest
from kit import RON_9S, Game, at, pons, rules
from kit_match import Hanchan

from jantaku_engine import events as ev
from jantaku_engine.match import final_points

# --- payments ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("honba_value", "by_tsumo", "by_ron"),
    [
        (300, (-2200, -1200, 4600, -1200), (-3200, 0, 3200, 0)),
        (1500, (-3000, -2000, 7000, -2000), (-5600, 0, 5600, 0)),
        (0, (-2000, -1000, 4000, -1000), (-2600, 0, 2600, 0)),
    ],
)
def test_what_a_honba_is_worth(
    honba_value: int, by_tsumo: tuple[int, ...], by_ron: tuple[int, ...]
) -> None:
    tsumo = Hanchan(rules(honba_value=honba_value), honba=2).tsumo(2)
    assert tsumo.horas[0].deltas == by_tsumo
    ron = Hanchan(rules(honba_value=honba_value), honba=2).ron(2, 0)
    assert ron.horas[0].deltas == by_ron


@pytest.mark.parametrize(
    ("multi_ron_honba", "gains"),
    [("first", (-5800, 4200, 2600, 0)), ("each", (-6400, 4200, 3200, 0))],
)
def test_who_of_several_winners_is_paid_honba(multi_ron_honba: str, gains: tuple[int, ...]) -> None:
    game = Game(
        rules(multi_ron_honba=multi_ron_honba),
        hands=("9s", *RON_9S),
        dora="1z",
        honba=2,
        kyotaku=1,
        keep_out="69s",
    )
    game.play("0: dahai 9s", "2: hora", "1: hora")
    assert game.gains == gains


@pytest.mark.parametrize(
    ("pao", "dragons", "winds"),
    [
        (True, (48_000, 0, -48_000, 0), (96_000, 0, -96_000, 0)),
        (False, (48_000, -16_000, -16_000, -16_000), (96_000, -32_000, -32_000, -32_000)),
    ],
)
def test_liability_for_big_three_dragons_and_big_four_winds(
    pao: bool, dragons: tuple[int, ...], winds: tuple[int, ...]
) -> None:
    three = pons(rules(pao=pao), "567z", "234p9s357m", draws=at([8], "9s")).play("0: hora")
    assert three.yaku == {"daisangen": 1}
    assert three.gains == dragons
    four = pons(rules(pao=pao), "1234z", "9s3579m", draws=at([9], "9s")).play("0: hora")
    assert four.yaku == {"daisuushii": 2}
    assert four.gains == winds


def four_kans_by_the_dealer(**options: object) -> Game:
    game = Game(
        rules(**options),
        hands=("1111m2222m3333m9s", "", "4p", ""),
        draws="5z",
        rinshan="4p4p4p9s",
    )
    for kind in ("1m", "2m", "3m"):
        game.play(f"0: ankan {kind} {kind} {kind} {kind}")
    return game.play("0: dahai P", "2: dahai 4p", "0: daiminkan 4p 4p 4p 4p", "0: hora")


@pytest.mark.parametrize(
    ("pao_suukantsu", "gains"),
    [(True, (48_000, 0, -48_000, 0)), (False, (48_000, -16_000, -16_000, -16_000))],
)
def test_liability_for_four_kans(pao_suukantsu: bool, gains: tuple[int, ...]) -> None:
    game = four_kans_by_the_dealer(pao_suukantsu=pao_suukantsu)
    assert game.yaku == {"suukantsu": 1}
    assert game.gains == gains


@pytest.mark.parametrize(
    ("pao_daiminkan_rinshan", "gains"),
    [(True, (0, 1500, -1500, 0)), (False, (-700, 1500, -400, -400))],
)
def test_who_feeds_a_daiminkan_pays_its_rinshan_win(
    pao_daiminkan_rinshan: bool, gains: tuple[int, ...]
) -> None:
    game = Game(
        rules(pao_daiminkan_rinshan=pao_daiminkan_rinshan),
        hands=("", "999p123m456m78s55z", "9p", ""),
        rinshan="9s",
        dora="1z1z",
        keep_out="69s",
    )
    game.play("2: dahai 9p", "1: daiminkan 9p 9p 9p 9p", "1: hora")
    assert game.yaku == {"rinshan_kaihou": 1}
    assert game.gains == gains


@pytest.mark.parametrize(
    ("pao_local", "gains"),
    [(True, (48_000, 0, -48_000, 0)), (False, (48_000, -16_000, -16_000, -16_000))],
)
def test_liability_for_local_yakuman(pao_local: bool, gains: tuple[int, ...]) -> None:
    options = rules(pao_local=pao_local, suurenkou=True)
    triplets = pons(options, "2345p", "9s3579m", draws=at([9], "9s")).play("0: hora")
    assert triplets.yaku == {"suurenkou": 1}
    assert triplets.gains == gains

    options = rules(pao_local=pao_local, isshoku_yonjun=True)
    runs = Game(
        options,
        hands=("4444p5550p9s357m9m", "", "", "6666p"),
        draws=at([16], "9s"),
        keep_out="9s",
    )
    for discard in ("3m", "5m", "7m", "9m"):
        red = "5pr" if discard == "9m" else "5p"
        runs.play("3: dahai 6p", f"0: chi 6p 4p {red}", f"0: dahai {discard}")
    runs.play("0: hora")
    assert runs.yaku == {"isshoku_yonjun": 1}
    assert runs.gains == (gains[0], gains[1], gains[3], gains[2])


@pytest.mark.parametrize(
    ("pao_scope", "by_tsumo", "by_ron"),
    [
        ("part", (96_000, -16_000, -64_000, -16_000), (96_000, 0, -24_000, -72_000)),
        ("all", (96_000, 0, -96_000, 0), (96_000, 0, -48_000, -48_000)),
    ],
)
def test_liability_covers_its_yakuman_or_the_whole_hand(
    pao_scope: str, by_tsumo: tuple[int, ...], by_ron: tuple[int, ...]
) -> None:
    options = rules(pao_scope=pao_scope)
    tsumo = pons(options, "567z", "111z2z357m", draws=at([8], "2z")).play("0: hora")
    assert tsumo.yaku == {"daisangen": 1, "tsuuiisou": 1}
    assert tsumo.gains == by_tsumo
    ron = pons(options, "567z", "111z2z357m", draws=at([7], "2z"))
    ron.play("3: dahai S", "0: hora")
    assert ron.gains == by_ron


@pytest.mark.parametrize(
    ("pao_honba", "gains"),
    [
        ("liable", (49_600, 0, -24_600, -24_000)),
        ("discarder", (49_600, 0, -24_000, -24_600)),
    ],
)
def test_who_pays_the_honba_of_a_shared_ron(pao_honba: str, gains: tuple[int, ...]) -> None:
    game = pons(rules(pao_honba=pao_honba), "567z", "234p9s357m", honba=2, kyotaku=1)
    game.play("3: dahai 9s", "0: hora")
    assert game.gains == gains


# --- who deals next ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("renchan", "win", "tenpai", "noten"),
    [
        ("tenpai", True, True, False),
        ("agari", True, False, False),
        ("noten", True, True, True),
        ("none", False, False, False),
    ],
)
def test_when_the_dealer_stays(renchan: str, win: bool, tenpai: bool, noten: bool) -> None:
    options = rules(renchan=renchan)

    def stays(game: Hanchan) -> bool:
        assert game.match.round in (1, 2)
        return game.match.round == 1

    assert stays(Hanchan(options, round=1).tsumo(1)) == win
    assert stays(Hanchan(options, round=1).exhaust(1)) == tenpai
    assert stays(Hanchan(options, round=1).exhaust(2)) == noten
    assert stays(Hanchan(options, round=1).abort())
    assert not stays(Hanchan(options, round=1).tsumo(2))


@pytest.mark.parametrize("agari_yame", [True, False])
def test_a_winning_top_dealer_ends_the_last_hand(agari_yame: bool) -> None:
    game = Hanchan(rules(agari_yame=agari_yame), round=7).tsumo(3)
    assert game.match.scores[3] == 31_000
    assert game.over == agari_yame
    if not agari_yame:
        assert (game.match.round, game.match.honba) == (7, 1)


@pytest.mark.parametrize("tenpai_yame", [True, False])
def test_a_tenpai_top_dealer_ends_the_last_hand(tenpai_yame: bool) -> None:
    scores = (25_000, 25_000, 20_000, 30_000)
    game = Hanchan(rules(tenpai_yame=tenpai_yame), round=7, scores=scores).exhaust(3)
    assert game.over == tenpai_yame
    if not tenpai_yame:
        assert (game.match.round, game.match.honba) == (7, 1)


@pytest.mark.parametrize("extension", ["none", "sudden_death"])
def test_the_game_goes_on_while_nobody_has_the_target(extension: str) -> None:
    game = Hanchan(rules(extension=extension), round=7).exhaust()
    assert game.over == (extension == "none")
    if not game.over:
        game.tsumo(0)
        starts = [e for e in game.match.events if isinstance(e, ev.StartKyoku)]
        assert (starts[1].bakaze, starts[1].kyoku) == (2, 1)


@pytest.mark.parametrize("extension_renchan_first", [True, False])
def test_a_staying_dealer_may_hold_up_sudden_death(extension_renchan_first: bool) -> None:
    options = rules(extension="sudden_death", extension_renchan_first=extension_renchan_first)
    scores = (20_000, 29_000, 25_500, 25_500)
    other_is_top = Hanchan(options, round=8, scores=scores).exhaust(0, 1)
    assert max(other_is_top.match.scores) == 30_500
    assert other_is_top.over == (not extension_renchan_first)

    scores = (29_000, 20_000, 25_500, 25_500)
    assert Hanchan(options, round=8, scores=scores).exhaust(0, 1).over
    assert Hanchan(options, round=8, scores=scores).tsumo(0).over


@pytest.mark.parametrize(("extension_winds", "over"), [(1, True), (2, False)])
def test_how_many_winds_an_extension_may_add(extension_winds: int, over: bool) -> None:
    options = rules(length="tonpuu", extension="sudden_death", extension_winds=extension_winds)
    assert not Hanchan(options, round=6).exhaust().over
    south_4 = Hanchan(options, round=7).exhaust()
    assert south_4.over == over
    assert Hanchan(options, round=11).exhaust().over


# --- final points --------------------------------------------------------------------------------

SCORES = (40_300, 30_200, 20_100, 9_400)


@pytest.mark.parametrize(
    ("uma", "points"),
    [
        ((20, 10, -10, -20), (50.3, 10.2, -19.9, -40.6)),
        ((0, 0, 0, 0), (30.3, 0.2, -9.9, -20.6)),
        ((30, 10, -10, -30), (60.3, 10.2, -19.9, -50.6)),
    ],
)
def test_points_by_place(uma: tuple[int, ...], points: tuple[float, ...]) -> None:
    assert Hanchan(rules(uma=uma), round=7, scores=SCORES).exhaust().end.points == points


@pytest.mark.parametrize("tonpuu_uma", [None, (10, 5, -5, -10)])
def test_a_tonpuu_may_have_other_points_by_place(tonpuu_uma: tuple[int, ...] | None) -> None:
    options = rules(tonpuu_uma=tonpuu_uma)
    assert Hanchan(options, round=7, scores=SCORES).exhaust().end.points[0] == 50.3
    options = rules(tonpuu_uma=tonpuu_uma, length="tonpuu")
    tonpuu = Hanchan(options, round=3, scores=SCORES).exhaust().end.points
    assert tonpuu[0] == (40.3 if tonpuu_uma else 50.3)
    assert sum(tonpuu) == pytest.approx(0)


@pytest.mark.parametrize(
    ("oka", "points"),
    [
        (True, (50.3, 10.2, -19.9, -40.6)),
        (False, (35.3, 15.2, -14.9, -35.6)),
    ],
)
def test_oka_goes_to_the_first(oka: bool, points: tuple[float, ...]) -> None:
    assert Hanchan(rules(oka=oka), round=7, scores=SCORES).exhaust().end.points == points


@pytest.mark.parametrize(("length", "hands"), [("tonpuu", 4), ("hanchan", 8)])
def test_scheduled_hands(length: str, hands: int) -> None:
    game = Hanchan(rules(length=length), round=hands - 2)
    assert not game.exhaust().over
    assert game.exhaust().over


@pytest.mark.parametrize(("start", "oka"), [(25_000, 20.0), (30_000, 0.0)])
def test_points_at_the_start(start: int, oka: float) -> None:
    game = Hanchan(rules(start=start), round=7).deal()
    first = game.match.events[1]
    assert isinstance(first, ev.StartKyoku)
    assert first.scores == (start,) * 4
    points = game.tsumogiri().end.points
    assert points == (
        start / 1000 - 30 + 20 + oka,
        start / 1000 - 20,
        start / 1000 - 40,
        start / 1000 - 50,
    )


@pytest.mark.parametrize(("target", "over"), [(30_000, True), (40_000, False)])
def test_points_that_end_the_extension(target: int, over: bool) -> None:
    options = rules(target=target, extension="sudden_death")
    assert not Hanchan(options, round=7).tsumo(2).over
    scores = (25_000, 25_000, 26_000, 24_000)
    game = Hanchan(options, round=7, scores=scores).tsumo(2)
    assert game.match.scores[2] == 30_000
    assert game.over == over


@pytest.mark.parametrize(("target", "first"), [(30_000, 50.3), (40_000, 80.3)])
def test_points_are_counted_from_the_target(target: int, first: float) -> None:
    # The first place gets what the others are short of: 40.3 - 40 + 20 + 4 x 15.
    game = Hanchan(rules(target=target), round=7, scores=SCORES).exhaust()
    assert game.end.points[0] == first


@pytest.mark.parametrize(
    ("tobi", "below", "zero"),
    [("lt0", True, False), ("le0", True, True), ("off", False, False)],
)
def test_bust(tobi: str, below: bool, zero: bool) -> None:
    for score, over in ((900, below), (1000, zero), (1100, False)):
        scores = (25_000, score, 37_000, 38_000 - score)
        assert Hanchan(rules(tobi=tobi), scores=scores).exhaust(0).over == over


@pytest.mark.parametrize(
    ("leftover_riichi", "alone", "tied"),
    [
        ("first", (43_300, 30_200, 17_100, 9_400), (33_000, 30_000, 20_000, 17_000)),
        ("lost", (40_300, 30_200, 17_100, 9_400), (30_000, 30_000, 20_000, 17_000)),
        ("split", (43_300, 30_200, 17_100, 9_400), (31_500, 31_500, 20_000, 17_000)),
    ],
)
def test_deposits_that_nobody_won(
    leftover_riichi: str, alone: tuple[int, ...], tied: tuple[int, ...]
) -> None:
    options = rules(leftover_riichi=leftover_riichi)
    scores = (40_300, 30_200, 17_100, 9_400)
    first = Hanchan(options, round=7, kyotaku=3, scores=scores).exhaust().end
    assert first.scores == alone
    lost = 3.0 if leftover_riichi == "lost" else 0.0
    assert sum(first.points) == pytest.approx(-lost)
    scores = (30_000, 30_000, 20_000, 17_000)
    equal = Hanchan(options, round=7, kyotaku=3, scores=scores).exhaust().end
    assert equal.scores == tied


@pytest.mark.parametrize(
    ("tie", "ranks", "points"),
    [
        ("seat", (2, 3, 1, 4), (10.0, -10.0, 50.0, -50.0)),
        ("split_uma", (2, 2, 1, 4), (0.0, 0.0, 50.0, -50.0)),
    ],
)
def test_equal_scores(tie: str, ranks: tuple[int, ...], points: tuple[float, ...]) -> None:
    scores = (30_000, 30_000, 40_000, 0)
    game = Hanchan(rules(tie=tie), round=7, scores=scores).exhaust()
    assert game.end.ranks == ranks
    assert game.end.points == points


@pytest.mark.parametrize(
    ("points_rounding", "points"),
    [
        ("none", (49.6, 9.5, -19.5, -39.6)),
        ("half_away", (49.0, 10.0, -19.0, -40.0)),
        ("goshashonyu", (51.0, 9.0, -20.0, -40.0)),
    ],
)
def test_final_points_are_rounded(points_rounding: str, points: tuple[float, ...]) -> None:
    options = rules(points_rounding=points_rounding)
    scores = (39_600, 29_500, 20_500, 10_400)
    assert Hanchan(options, round=7, scores=scores).exhaust().end.points == points


@pytest.mark.parametrize(
    ("points_rounding", "last"), [("none", -50.5), ("half_away", -51.0), ("goshashonyu", -50.0)]
)
def test_scores_below_zero_are_rounded_too(points_rounding: str, last: float) -> None:
    options = rules(points_rounding=points_rounding, tobi="off")
    scores = (40_000, 35_000, 25_500, -500)
    assert Hanchan(options, round=7, scores=scores).exhaust().end.points[3] == last


@pytest.mark.parametrize("leftover_riichi", ["first", "lost", "split"])
@pytest.mark.parametrize("points_rounding", ["none", "half_away", "goshashonyu"])
@pytest.mark.parametrize("tie", ["seat", "split_uma"])
def test_points_of_all_places_sum_to_zero(
    leftover_riichi: str, points_rounding: str, tie: str
) -> None:
    options = rules(leftover_riichi=leftover_riichi, points_rounding=points_rounding, tie=tie)
    for scores in ((34_600, 26_400, 20_600, 18_400), (30_500, 30_500, 20_500, 18_500)):
        assert sum(final_points(scores, 0, options)[2]) == pytest.approx(0)


def test_equal_places_that_share_uma_have_equal_points() -> None:
    scores = (30_500, 30_500, 20_500, 18_500)
    assert final_points(scores, 0, rules(tie="split_uma"))[2] == (25.5, 25.5, -19.5, -31.5)
