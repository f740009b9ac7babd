"""Options of the table: two situations that differ in one option alone, and their outcomes.

The parameter is named after the option; `test_options` looks whether any value is missing.
"""

from __future__ import annotations

import pytest
from kit import RON_9S, Game, at, columns, fourth_kan, rules, tile, yaochuu

from jantaku_engine import events as ev
from jantaku_engine.options import AkaDora

# --- calls ---------------------------------------------------------------------------------------


def three_claim_9s(**options: object) -> Game:
    game = Game(rules(**options), hands=("9s", *RON_9S), dora="1z", keep_out="69s")
    return game.play("0: dahai 9s", "3: hora", "2: hora", "1: hora")


@pytest.mark.parametrize(
    ("multi_ron", "winners", "gains"),
    [
        ("head_bump", [1], (-2600, 2600, 0, 0)),
        ("double", [1, 2], (-5200, 2600, 2600, 0)),
        ("triple", [1, 2, 3], (-7800, 2600, 2600, 2600)),
    ],
)
def test_how_many_may_win_one_tile(
    multi_ron: str, winners: list[int], gains: tuple[int, ...]
) -> None:
    game = three_claim_9s(multi_ron=multi_ron)
    assert [hora.actor for hora in game.horas] == winners
    assert game.gains == gains


@pytest.mark.parametrize(
    ("sanchahou", "types"),
    [(True, ["ryukyoku", "end_kyoku"]), (False, ["hora", "hora", "end_kyoku"])],
)
def test_three_claims_abort_the_hand_or_two_are_paid(sanchahou: bool, types: list[str]) -> None:
    game = three_claim_9s(multi_ron="double", sanchahou=sanchahou)
    assert game.types[3:] == types
    if sanchahou:
        assert game.draw.reason == ev.SANCHAHOU
        assert game.gains == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("kuikae", "after_chi", "after_pon"),
    [
        ("forbidden", {"7m", "8m"}, {"1m", "7m", "8m"}),
        ("genbutsu_only_forbidden", {"4m", "7m", "8m"}, {"1m", "7m", "8m"}),
        ("allowed", {"1m", "4m", "7m", "8m"}, {"1m", "4m", "7m", "8m"}),
    ],
)
def test_what_may_be_discarded_after_a_call(
    kuikae: str, after_chi: set[str], after_pon: set[str]
) -> None:
    hand = "123m4m7m8m7777z888s"
    chi = Game(rules(kuikae=kuikae), hands=("1m", hand, "", "")).play("0: dahai 1m")
    chi.play("1: chi 1m 2m 3m")
    assert chi.discards(1) - {"C", "8s"} == after_chi

    hand = "144m4m7m8m7777z888s"
    pon = Game(rules(kuikae=kuikae), hands=("4m", hand, "", "")).play("0: dahai 4m")
    pon.play("1: pon 4m 4m 4m")
    assert pon.discards(1) - {"C", "8s"} == after_pon


@pytest.mark.parametrize(
    ("kan_dora_timing", "ankan", "daiminkan", "kakan"),
    [
        (
            "immediate",
            ["ankan", "dora", "tsumo", "dahai", "tsumo"],
            ["daiminkan", "dora", "tsumo", "dahai", "tsumo"],
            ["kakan", "dora", "tsumo", "dahai", "tsumo"],
        ),
        (
            "ankan_now_minkan_at_discard",
            ["ankan", "dora", "tsumo", "dahai", "tsumo"],
            ["daiminkan", "tsumo", "dora", "dahai", "tsumo"],
            ["kakan", "tsumo", "dora", "dahai", "tsumo"],
        ),
        (
            "ankan_now_minkan_after_pass",
            ["ankan", "dora", "tsumo", "dahai", "tsumo"],
            ["daiminkan", "tsumo", "dahai", "dora", "tsumo"],
            ["kakan", "tsumo", "dahai", "dora", "tsumo"],
        ),
    ],
)
def test_when_the_indicator_of_a_kan_turns(
    kan_dora_timing: str, ankan: list[str], daiminkan: list[str], kakan: list[str]
) -> None:
    options = rules(kan_dora_timing=kan_dora_timing)
    closed = Game(options, hands=("1111p", "", "", ""), rinshan="2z")
    closed.play("0: ankan 1p 1p 1p 1p", "0: dahai S").until_turn(1)
    assert closed.types[2:] == ankan

    opened = Game(options, hands=("1p", "111p", "", ""), rinshan="2z")
    opened.play("0: dahai 1p", "1: daiminkan 1p 1p 1p 1p", "1: dahai S").until_turn(2)
    assert opened.types[3:] == daiminkan

    added = Game(options, hands=("1p", "11p", "", ""), draws=at([4], "1p"), rinshan="2z")
    added.play("0: dahai 1p", "1: pon 1p 1p 1p", "1: tsumogiri", "1: kakan 1p 1p 1p 1p")
    added.play("1: dahai S").until_turn(2)
    assert added.types[-5:] == kakan


@pytest.mark.parametrize(
    ("kan_min_live_left", "with_two", "with_one"), [(1, True, True), (2, True, False)]
)
def test_how_many_live_tiles_a_kan_needs(
    kan_min_live_left: int, with_two: bool, with_one: bool
) -> None:
    game = Game(
        rules(kan_min_live_left=kan_min_live_left),
        hands=("1111p", "", "", "1111s"),
    )
    game.until_turn(3, live_left=2)
    assert bool(game.offers(3, "ankan")) == with_two
    game.until_turn(0, live_left=1)
    assert bool(game.offers(0, "ankan")) == with_one


@pytest.mark.parametrize(("kokushi_rob_ankan", "claims"), [(True, ["hora", "none"]), (False, [])])
def test_kokushi_on_the_tile_of_a_concealed_kan(kokushi_rob_ankan: bool, claims: list[str]) -> None:
    hands = ("1111z", "19m19p19s234567z1m", "", "")
    game = Game(rules(kokushi_rob_ankan=kokushi_rob_ankan), hands=hands)
    game.play("0: ankan E E E E")
    assert game.claims(1) == claims
    assert (game.types[-1] == "ankan") == kokushi_rob_ankan


@pytest.mark.parametrize("call_priority", ["rank", "first_declared"])
@pytest.mark.parametrize("first", ["chi", "pon"])
def test_pon_outranks_chi_or_the_first_voice_counts(call_priority: str, first: str) -> None:
    options = rules(call_priority=call_priority)
    game = Game(options, hands=("5p", "46p", "55p", ""), dora="1z")
    game.play("0: dahai 5p")
    assert game.offers(1, "chi") == ["chi 5p 4p 6p"]
    assert game.offers(2, "pon") == ["pon 5p 5p 5p"]
    lines = ["1: chi 5p 4p 6p", "2: pon 5p 5p 5p"]
    game.play(*(lines if first == "chi" else lines[::-1]))
    taken = first if call_priority == "first_declared" else "pon"
    assert game.types[-1] == taken


# --- riichi and furiten --------------------------------------------------------------------------

GAP_5P = "123m456m789m46p99s"


@pytest.mark.parametrize(
    ("riichi_min_score", "asked"), [(1000, 1000), ("none", -2000), (5000, 5000)]
)
def test_how_many_points_riichi_needs(riichi_min_score: int | str, asked: int) -> None:
    options = rules(riichi_min_score=riichi_min_score)
    for score, allowed in ((asked, True), (asked - 100, riichi_min_score == "none")):
        scores = (score, 25_000, 25_000, 50_000)
        game = Game(options, hands=(GAP_5P, "", "", ""), scores=scores, draws="5z")
        assert bool(game.offers(0, "reach")) == allowed


@pytest.mark.parametrize(("riichi_min_live_left", "fewest"), [(4, 4), (0, 0), (10, 10)])
def test_how_many_live_tiles_riichi_needs(riichi_min_live_left: int, fewest: int) -> None:
    hands = (GAP_5P, "123p456p789p46m11p", "123s456s789s46m11s", "")
    game = Game(rules(riichi_min_live_left=riichi_min_live_left), hands=hands, keep_out="5m5p")
    while not game.over:
        seat = game.table.turn
        if seat < 3 and seat in game.pending:
            assert bool(game.offers(seat, "reach")) == (game.table.live_left >= fewest)
        game.step()


@pytest.mark.parametrize(
    ("riichi_ankan", "many_readings", "one_reading"),
    [("none", False, False), ("same_shape", False, True), ("same_waits", True, True)],
)
def test_a_concealed_kan_in_riichi(
    riichi_ankan: str, many_readings: bool, one_reading: bool
) -> None:
    for hand, allowed, out in (
        ("111222333m55p67s", many_readings, "58s5p"),
        ("111m234p567p78s99s", one_reading, "69s"),
        ("222m3m456p789p123s", False, "134m"),
    ):
        drawn = "2m" if hand.startswith("222") else "1m"
        game = Game(
            rules(riichi_ankan=riichi_ankan),
            hands=(hand, "", "", ""),
            draws=f"5z...{drawn}",
            keep_out=out,
        )
        game.play("0: reach P").until_turn(0)
        assert bool(game.offers(0, "ankan")) == allowed, hand


@pytest.mark.parametrize(("temp_furiten_end", "free"), [("own_draw", False), ("own_discard", True)])
def test_temporary_furiten_across_an_own_call(temp_furiten_end: str, free: bool) -> None:
    hands = ("3m", "123m456m78s99p555z", "9s", "9s")
    game = Game(rules(temp_furiten_end=temp_furiten_end), hands=hands, keep_out="69s")
    game.play("3: dahai 9s", "1: none", "0: dahai 3m", "1: chi 3m 1m 2m")
    assert game.furiten(1) or game.table.temp_furiten[1]
    game.play("1: dahai 6m", "2: dahai 9s")
    assert game.claims(1) == (["hora", "none"] if free else [])


# --- draws ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("noten_declaration", [False, True])
def test_a_tenpai_seat_may_fold_at_the_exhaustive_draw(noten_declaration: bool) -> None:
    def deal() -> Game:
        hands = ("123m456m789m46p99s", "123p456p789p46m11p", "", "")
        options = rules(noten_declaration=noten_declaration)
        game = Game(options, hands=hands, draws=".5z", keep_out="5m5p")
        game.play("1: reach P").until_turn(1, live_left=0)
        return game.play("1: tsumogiri")

    game = deal()
    assert game.claims(0) == (["noten", "none"] if noten_declaration else [])
    assert game.claims(1) == []
    assert game.to_end().draw.tenpais == (True, True, False, False)
    if noten_declaration:
        folded = deal().play("0: noten")
        assert folded.draw.tenpais == (False, True, False, False)
        assert folded.draw.deltas == (-1000, 3000, -1000, -1000)
        assert set(folded.draw.tehais[0]) == {tile("?")}


@pytest.mark.parametrize(
    ("nagashi", "reason", "deltas"),
    [
        ("off", ev.EXHAUSTIVE, (0, 0, 0, 0)),
        ("draw", ev.NAGASHI_MANGAN, (-4000, -2000, 8000, -2000)),
        ("win", ev.NAGASHI_MANGAN, (-4100, -2100, 9300, -2100)),
    ],
)
def test_nagashi_mangan(nagashi: str, reason: str, deltas: tuple[int, ...]) -> None:
    game = Game(rules(nagashi=nagashi), honba=1, kyotaku=1, draws=columns({2: yaochuu()}))
    game.to_end()
    assert game.draw.reason == reason
    assert game.draw.deltas == deltas
    assert game.table.kyotaku == (0 if nagashi == "win" else 1)


@pytest.mark.parametrize(
    ("nagashi_value", "non_dealer", "dealer"),
    [
        ("mangan", (-4000, -2000, 8000, -2000), (12_000, -4000, -4000, -4000)),
        ("baiman", (-8000, -4000, 16_000, -4000), (24_000, -8000, -8000, -8000)),
        ("sanbaiman", (-12_000, -6000, 24_000, -6000), (36_000, -12_000, -12_000, -12_000)),
    ],
)
def test_what_nagashi_is_worth(
    nagashi_value: str, non_dealer: tuple[int, ...], dealer: tuple[int, ...]
) -> None:
    options = rules(nagashi_value=nagashi_value)
    assert Game(options, draws=columns({2: yaochuu()})).to_end().draw.deltas == non_dealer
    assert Game(options, draws=columns({0: yaochuu()})).to_end().draw.deltas == dealer


@pytest.mark.parametrize("kyuushu_kyuuhai", [True, False])
def test_nine_terminals_and_honours_may_abort(kyuushu_kyuuhai: bool) -> None:
    hands = ("19m19p19s123z568m7p", "", "", "")
    game = Game(rules(kyuushu_kyuuhai=kyuushu_kyuuhai), hands=hands, draws="7p")
    assert game.offers(0, "ryukyoku") == ["ryukyoku"] * kyuushu_kyuuhai
    assert game.refuses("0: ryukyoku") == (not kyuushu_kyuuhai)


@pytest.mark.parametrize("suufon_renda", [True, False])
def test_four_equal_winds_abort(suufon_renda: bool) -> None:
    game = Game(rules(suufon_renda=suufon_renda), draws="3z3z3z3z")
    for seat in range(4):
        game.play(f"{seat}: dahai W")
    assert game.over == suufon_renda
    if suufon_renda:
        assert game.draw.reason == ev.SUUFON_RENDA


FOUR_TENPAI = ("123m456m789m46p99s", "123p456p789p46s99m", "123s456s789s46m11p", "222333444z46p11m")


@pytest.mark.parametrize("suucha_riichi", [True, False])
def test_four_riichi_abort(suucha_riichi: bool) -> None:
    game = Game(
        rules(suucha_riichi=suucha_riichi),
        hands=FOUR_TENPAI,
        draws="5z6z7z7z",
        keep_out="5m5p5s",
    )
    for seat, discard in enumerate("PFCC"):
        game.play(f"{seat}: reach {discard}")
    assert game.table.kyotaku == 4
    assert game.over == suucha_riichi
    if suucha_riichi:
        assert game.draw.reason == ev.SUUCHA_RIICHI
        assert game.gains == (-1000, -1000, -1000, -1000)


@pytest.mark.parametrize("suukaikan", [True, False])
def test_four_kans_by_two_seats_abort(suukaikan: bool) -> None:
    game = fourth_kan(rules(suukaikan=suukaikan), "9m").play("1: dahai 9m")
    assert game.over == suukaikan
    if suukaikan:
        assert game.draw.reason == ev.SUUKAIKAN


@pytest.mark.parametrize(
    ("suukaikan_timing", "tail"),
    [
        ("immediate", ["ankan", "ryukyoku", "end_kyoku"]),
        ("after_discard", ["dora", "tsumo", "dahai", "ryukyoku", "end_kyoku"]),
    ],
)
def test_when_four_kans_abort(suukaikan_timing: str, tail: list[str]) -> None:
    game = fourth_kan(rules(suukaikan_timing=suukaikan_timing), "9m")
    if not game.over:
        game.play("1: dahai 9m")
    assert game.types[-len(tail) :] == tail
    assert game.draw.reason == ev.SUUKAIKAN


@pytest.mark.parametrize("tenpai_rule", ["keishiki"])
def test_tenpai_is_a_matter_of_shape(tenpai_rule: str) -> None:
    hands = ("", "123m456m99p78s444p", "", "")
    game = Game(rules(tenpai_rule=tenpai_rule), hands=hands).to_end()
    assert game.draw.tenpais == (False, True, False, False)


# --- tiles and dora ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "aka_dora", [AkaDora(1, 1, 1), AkaDora(0, 0, 0), AkaDora(1, 2, 1), AkaDora(0, 4, 0)]
)
def test_so_many_red_fives_are_in_the_wall(aka_dora: AkaDora) -> None:
    options = rules(aka_dora=aka_dora)
    wall = Game(options).wall
    codes = [options.tiles[tile_id] for tile_id in wall.ids]
    assert [codes.count(code) for code in (34, 35, 36)] == list(aka_dora.values())
    assert [codes.count(code) for code in (4, 13, 22)] == [4 - n for n in aka_dora.values()]


@pytest.mark.parametrize("aka_dora", [AkaDora(1, 1, 1), AkaDora(1, 2, 1)])
def test_red_fives_in_the_winning_hand_are_dora(aka_dora: AkaDora) -> None:
    second = "0p" if aka_dora["p"] == 2 else "5p"
    hands = ("", f"123m456m789m0p{second}99s", "5p", "")
    game = Game(rules(aka_dora=aka_dora), hands=hands, dora="1z", keep_out="5p9s")
    game.play("2: dahai 5p", "1: hora")
    assert game.hora.aka == (2 if second == "0p" else 1)


@pytest.mark.parametrize(("dealer_first_tile", "tsumogiri"), [("drawn", True), ("dealt", False)])
@pytest.mark.parametrize("declares", [False, True])
def test_whether_the_dealers_first_tile_is_a_drawn_one(
    dealer_first_tile: str, tsumogiri: bool, declares: bool
) -> None:
    options = rules(dealer_first_tile=dealer_first_tile, wait_variant_on_tenhou="single")
    game = Game(options, hands=(GAP_5P, "", "", ""), draws="5z")
    if declares:
        game.play("0: reach")
    first = [text for text in game.menu(0) if text.startswith("dahai P")]
    assert first == (["dahai P tsumogiri"] if tsumogiri else ["dahai P"])
    game.play("0: dahai P").until_turn(1)
    assert sum(text.endswith("tsumogiri") for text in game.menu(1)) == 1


def riichi_win(**options: object) -> Game:
    """Seat 0 declares, makes a concealed kan of 1m in the next turn and wins in the third.

    Each dora indicator points to the pair of 9s, each ura indicator to the kan.
    """
    game = Game(
        rules(**options),
        hands=("111m234p567p78s99s", "", "", ""),
        draws=at([0, 4, 8], "5z1m6s"),
        dora="8s8s",
        ura="9m9m",
        keep_out="69s1m",
    )
    return game.play("0: reach P", "0: ankan 1m 1m 1m 1m", "0: tsumogiri", "0: hora")


@pytest.mark.parametrize(("kan_dora", "dora", "ura"), [(True, 4, 8), (False, 2, 4)])
def test_whether_kans_turn_indicators(kan_dora: bool, dora: int, ura: int) -> None:
    game = riichi_win(kan_dora=kan_dora)
    assert game.types.count("dora") == kan_dora
    assert (game.hora.dora, game.hora.ura) == (dora, ura)
    assert len(game.hora.ura_markers) == 1 + kan_dora


@pytest.mark.parametrize(("ura_dora", "markers", "ura"), [(True, 2, 8), (False, 0, 0)])
def test_whether_ura_dora_count(ura_dora: bool, markers: int, ura: int) -> None:
    game = riichi_win(ura_dora=ura_dora)
    assert len(game.hora.ura_markers) == markers
    assert (game.hora.dora, game.hora.ura) == (4, ura)


@pytest.mark.parametrize(("kan_ura", "markers", "ura"), [(True, 2, 8), (False, 1, 4)])
def test_whether_ura_dora_lie_under_the_indicators_of_kans(
    kan_ura: bool, markers: int, ura: int
) -> None:
    game = riichi_win(kan_ura=kan_ura)
    assert len(game.hora.ura_markers) == markers
    assert (game.hora.dora, game.hora.ura) == (4, ura)


@pytest.mark.parametrize("ippatsu", [True, False])
def test_whether_ippatsu_counts(ippatsu: bool) -> None:
    game = Game(rules(ippatsu=ippatsu), hands=(GAP_5P, "5p", "", ""), draws="5z", keep_out="5p")
    game.play("0: reach P", "1: dahai 5p", "0: hora")
    assert ("ippatsu" in game.yaku) == ippatsu
