"""The win evaluator: readings that compete, fu and their parts, dora, options, reasons."""

from __future__ import annotations

import pytest
from win_kit import question, score, yaku

from jantaku_engine.melds import parse_meld
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import TileError, parse_mpsz
from jantaku_engine.win import Win, WinError, WinResult, check_win, evaluate
from jantaku_engine.yaku import book

PINFU = "234m456p67s22s345m+8s"
"""Tanyao and pinfu, nothing else, closed."""

WIND_KANS = ("ankan 1111z", "ankan 2222z", "ankan 3333z", "ankan 4444z")

EDGE = "12m456p345678s99p+3m"
"""No yaku."""


def pay(result: WinResult) -> tuple[int, int, int]:
    return result.pay_discarder, result.pay_dealer, result.pay_others


# --- why a hand is no win ------------------------------------------------------------------------


def test_reasons() -> None:
    assert score("234m456p67s22s345m+9s").reason == "not_complete"
    assert score(EDGE, dora="2m").reason == "no_yaku"
    assert score("345m678m234p55s78s+9s", min_han=2).reason == "below_minimum"
    assert score(PINFU).reason == ""


def test_no_win_has_no_value() -> None:
    result = score(EDGE)
    assert not result.win
    assert (result.yaku, result.han, result.fu, result.base) == ((), 0, 0, 0)
    assert pay(result) == (0, 0, 0)
    assert result.fu_parts == ()
    assert repr(result) == "<WinResult no_yaku>"


def test_another_number_of_tiles_is_not_complete() -> None:
    short = Win(tuple(parse_mpsz("22s")), 19, ())
    assert evaluate(short, Ruleset()).reason == "not_complete"
    with pytest.raises(WinError, match="2 concealed tiles with 0 melds: write 13"):
        check_win(short, Ruleset())
    with pytest.raises(WinError, match="13 concealed tiles with 1 meld: write 10"):
        score("234m456p67s22s345m+8s", "pon 777z")


def test_four_pairs_and_two_groups_are_not_complete() -> None:
    assert score("55111m66999p77s2z+2z").reason == "not_complete"


def test_tiles_that_cannot_be() -> None:
    with pytest.raises(TileError, match="5 tiles of 2s"):
        score("22222s234m456p67s+8s")
    with pytest.raises(TileError, match="2 tiles of 0m: the rules have 1"):
        score("00m234m456p67567s+8s")


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        (["riichi", "chi 234m"], "riichi with an open hand"),
        (["ippatsu", "chi 234m"], "ippatsu without riichi"),
        (["chankan", "tsumo", "chi 234m"], "chankan with a tsumo"),
        (["first_turn", "chi 234m"], "first turn with melds"),
    ],
)
def test_facts_that_contradict(facts: list[str], says: str) -> None:
    with pytest.raises(WinError, match=says):
        score("456p67s22s345m+8s", *facts)


# --- readings that compete -----------------------------------------------------------------------


def test_a_triplet_completed_by_ron_is_open() -> None:
    by_ron = score("222m333p44s55s678m+4s")
    by_tsumo = score("222m333p44s55s678m+4s", "tsumo")
    assert "sanankou" not in dict(by_ron.yaku)
    assert ("open triplet of 4s", 2) in by_ron.fu_parts
    assert ("closed triplet of 4s", 4) in by_tsumo.fu_parts


def test_a_triplet_completed_by_ron_is_concealed_when_the_tile_fits_elsewhere() -> None:
    """444s can be complete beside 4s of 456s, so three triplets are concealed."""
    result = score("222m333p44456s88m+4s")
    assert dict(result.yaku) == {"tanyao": 1, "sanankou": 2}


def test_pinfu_and_three_triplets_compete_by_payment() -> None:
    assert yaku("111222333m99p78s+9s") == {"pinfu": 1, "iipeikou": 1, "junchan": 3}
    assert yaku("22223333444m55p+4m", ryanpeikou_distinct=True) == {"tanyao": 1, "sanankou": 2}


def test_the_wait_is_read_for_pinfu_or_for_fu() -> None:
    """3345m waits for 3m as a pair or, with 33m as the pair, for 3m and 6m as a sequence."""
    assert dict(score("3345m678p345s678s+6m").yaku) == {"pinfu": 1, "tanyao": 1}
    by_the_pair = score("3345m678p345s678s+3m")
    assert dict(by_the_pair.yaku) == {"pinfu": 1, "tanyao": 1}
    assert by_the_pair.fu == 30


def test_one_tile_as_an_edge_or_as_the_pair() -> None:
    """1233m + 3m: 123 33 by the edge or by the pair has the same fu, 2 for the wait."""
    result = score("1233m456p789s111z+3m", "NE")
    assert result.fu == 40
    assert [fu for name, fu in result.fu_parts if name.endswith("wait")] == [2]


def test_seven_pairs_or_two_double_sequences() -> None:
    assert yaku("112233m778899s5p+5p") == {"ryanpeikou": 3}
    assert yaku("1133m5577p2299s4z+4z") == {"chiitoitsu": 2}


def test_at_the_same_payment_a_real_yakuman_beats_a_counted_one() -> None:
    """Nine gates is also chinitsu with 13 han of dora."""
    result = score("1112345678899m+9m", "riichi", dora="8m8m")
    assert dict(result.yaku) == {"chuuren_poutou": 1}
    assert (result.yakuman, result.han, result.limit) == (1, 0, "yakuman")


def test_at_the_same_payment_more_han() -> None:
    """Seven pairs are 2 han, two double sequences 3: with dora both are counted yakuman."""
    result = score("112233m778899s5p+5p", "riichi", dora="4p4p4p4p7s7s")
    assert (result.han, result.limit) == (1 + 3 + 8 + 4, "kazoe_yakuman")


def test_the_concealed_part_decides_the_wait_not_the_melds() -> None:
    """The third 4m completes the concealed 23m although a called 234m holds a 4m too."""
    result = score("23m55p678s+4m", "chi 234m", "chi 345s")
    assert result.fu == 30
    assert ("open pinfu", 2) in result.fu_parts


def test_identical_sequences_called_and_concealed() -> None:
    result = score("24m55p678s+3m", "chi 234m", "chi 345s")
    assert ("kanchan wait", 2) in result.fu_parts


def test_suuankou_by_ron_only_on_the_pair() -> None:
    assert yaku("222m333p444s555s7p+7p") == {"suuankou_tanki": 2}
    assert yaku("222m333p444s55s77p+5s") == {"tanyao": 1, "sanankou": 2, "toitoi": 2}
    assert yaku("222m333p444s55s77p+5s", "tsumo") == {"suuankou": 1}


def test_nine_gates_needs_a_hand_without_kan() -> None:
    assert "chuuren_poutou" not in yaku("2345678999m+8m", "ankan 1111m")


# --- fu ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "facts", "fu", "parts"),
    [
        (PINFU, [], 30, "base 20, menzen ron 10"),
        (PINFU, ["tsumo"], 20, "base 20"),
        ("456p67s22p234s+5s", ["chi 234m"], 30, "base 20, open pinfu 2"),
        ("456p67s22p234s+5s", ["chi 234m", "tsumo"], 30, "base 20, tsumo 2"),
        ("1188m2255p3366s7z+7z", [], 25, "seven pairs 25"),
        (
            "234m11156777s24p+3p",
            ["tsumo"],
            40,
            "base 20, closed triplet of 1s 8, kanchan wait 2, tsumo 2",
        ),
        (
            "67s22p+5s",
            ["riichi", "ankan 1111m", "ankan 9999p", "ankan 1111z"],
            130,
            "base 20, menzen ron 10, closed quad of 1m 32, closed quad of 9p 32, "
            "closed quad of 1z 32",
        ),
        (
            "55p67m+8m",
            ["daiminkan 2222m", "kakan 3333p", "ankan 4444s"],
            60,
            "base 20, open quad of 2m 8, open quad of 3p 8, closed quad of 4s 16",
        ),
        (
            "456s678p1z+1z",
            ["pon 222m", "pon 999p", "EE", "last_tile"],
            40,
            "base 20, open triplet of 2m 2, open triplet of 9p 4, pair of 1z 4, tanki wait 2",
        ),
        (
            "13m456p678s99s345m+2m",
            ["tsumo"],
            30,
            "base 20, kanchan wait 2, tsumo 2",
        ),
        (
            "12m456p345678s55z+3m",
            ["riichi"],
            40,
            "base 20, menzen ron 10, pair of 5z 2, penchan wait 2",
        ),
        (
            "222m888p444s66s77p+6s",
            [],
            50,
            "base 20, menzen ron 10, closed triplet of 2m 4, closed triplet of 8p 4, "
            "closed triplet of 4s 4, open triplet of 6s 2",
        ),
        (
            "234m456p67s22p+8s",
            ["tsumo", "rinshan", "ankan 9999m"],
            60,
            "base 20, closed quad of 9m 32, tsumo 2",
        ),
    ],
)
def test_fu_and_their_parts(text: str, facts: list[str], fu: int, parts: str) -> None:
    result = score(text, *facts)
    assert ", ".join(f"{name} {value}" for name, value in result.fu_parts) == parts
    assert result.fu == fu


@pytest.mark.parametrize(
    ("winds", "fu"),
    [("EE", 4), ("SE", 2), ("ES", 2), ("SW", 0)],
)
def test_fu_of_a_pair_of_east(winds: str, fu: int) -> None:
    result = score("234m456p67s345s11z+8s", winds, "riichi")
    assert dict(result.fu_parts).get("pair of 1z", 0) == fu


def test_fu_of_a_pair_of_a_dragon() -> None:
    for dragon in ("55z", "66z", "77z"):
        assert score(f"234m456p67s345s{dragon}+8s", "riichi").fu == 40


def test_yakuman_have_no_fu() -> None:
    result = score("222m333p444s555s7p+7p")
    assert (result.fu, result.fu_parts) == (0, ())


# --- dora ----------------------------------------------------------------------------------------


def test_dora_of_every_part_of_the_hand() -> None:
    result = score("234m67s22p+8s", "ankan 9999m", "pon 777z", dora="8m6z1p1p7s")
    assert (result.dora, result.han) == (4 + 3 + 2 + 2 + 1, 13)
    assert result.limit == "kazoe_yakuman"


def test_an_indicator_points_to_the_next_of_its_cycle() -> None:
    for indicator, tiles in (("9m", "11m"), ("4z", "11z"), ("7z", "55z"), ("9s", "11s")):
        hand = f"234567m678p34s{tiles}+5s"
        assert score(hand, "riichi", dora=indicator).dora == 2


def test_a_red_indicator_is_a_five() -> None:
    assert score("234m678p67s66m345s+8s", "riichi", dora="0m").dora == 2


def test_ura_count_in_riichi_only() -> None:
    assert score(PINFU, ura="1s").ura == 0
    assert score(PINFU, "riichi", ura="1s").ura == 2


def test_red_fives_by_their_code_wherever_they_are() -> None:
    result = score("234m34p678s88s+0p", "chi 340s")
    assert (result.aka, result.han) == (2, 3)


def test_dora_make_no_win() -> None:
    assert score(EDGE, dora="2m2m2m").reason == "no_yaku"


def test_yakuman_count_no_dora() -> None:
    result = score("222m333p444s555s7p+7p", dora="6p")
    assert (result.dora, result.aka, result.han) == (0, 0, 0)


# --- payments ------------------------------------------------------------------------------------


def test_who_pays_with_honba() -> None:
    assert pay(score(PINFU, "SE", honba=2)) == (2600, 0, 0)
    assert pay(score(PINFU, "EE", honba=1)) == (3200, 0, 0)
    assert pay(score(PINFU, "SE", "tsumo", honba=2)) == (0, 1500, 900)
    assert pay(score(PINFU, "EE", "tsumo", honba=2)) == (0, 0, 1500)


def test_base_points_lead_to_the_payment() -> None:
    result = score(PINFU)
    assert (result.base, result.pay_discarder) == (480, 2000)
    assert score("19m19p19s1234567z+9s").base == 16000


def test_yakuman_parts_are_visible() -> None:
    result = score("11z22z+1z", "pon 555z", "pon 666z", "pon 777z")
    assert result.yaku == (("tsuuiisou", 1), ("daisangen", 1))
    assert (result.yakuman, result.base) == (2, 16000)


# --- local yaku and limits that have no case elsewhere -------------------------------------------


def test_renhou_as_a_floor_gives_way_to_a_better_hand() -> None:
    rules = {"renhou": True, "renhou_mode": "mangan"}
    low = score("1144m2277p3388s5z+5z", "first_turn", **rules)
    assert (low.limit, low.han, low.pay_discarder) == ("mangan", 2, 8000)
    high = score("2233445566778p+8p", "first_turn", **rules)
    assert (high.limit, high.han, high.pay_discarder) == ("sanbaiman", 11, 24000)
    assert dict(high.yaku)["renhou"] == 0


def test_renhou_as_a_floor_is_enough_to_win_and_no_yakuman_beside_one() -> None:
    rules = {"renhou": True, "renhou_mode": "haneman"}
    assert score(EDGE, "first_turn", **rules, min_han=2).pay_discarder == 12000
    assert yaku("19m19p19s1234567z+9s", "first_turn", **rules) == {"kokushi_musou_13": 2}


def test_shiisan_puutou_as_mangan_is_worth_that_and_nothing_more() -> None:
    result = score(
        "147m258p369s1234z+4z",
        "tsumo",
        "first_turn",
        dora="3z",
        shiisan_puutou=True,
        shiisan_puutou_mode="mangan",
    )
    assert dict(result.yaku) == {"shiisan_puutou": 5}
    assert (result.han, result.dora, result.fu, result.limit) == (5, 0, 0, "mangan")
    assert pay(result) == (0, 4000, 2000)


def test_shiisan_puutou_needs_a_tile_from_2_to_8_and_wide_gaps() -> None:
    for text in ("147m258p367s1234z+4z", "146m258p369s1234z+4z", "1477m258p369s123z+4z"):
        found = yaku(text, "tsumo", "first_turn", shiisan_puutou=True)
        assert ("shiisan_puutou" in found) == (text == "1477m258p369s123z+4z"), text


def test_an_open_riichi_that_is_not_played_is_a_riichi() -> None:
    assert dict(score(PINFU, "open", ura="1s").yaku) == {"riichi": 1, "pinfu": 1, "tanyao": 1}
    assert yaku(PINFU, "open_double")["double_riichi"] == 2
    assert yaku(PINFU, "open_double", open_riichi=True)["open_riichi"] == 2


def test_paarenchan_counts_beside_other_yakuman_and_not_alone() -> None:
    rules = {"paarenchan": True}
    assert yaku("222m333p444s55s77p+5s", "tsumo", "EE", kept=9, **rules) == {
        "suuankou": 1,
        "paarenchan": 1,
    }
    assert score(EDGE, "EE", kept=9, **rules).reason == "no_yaku"


def test_rulesets_are_told_apart_by_their_values() -> None:
    """Equal rules give equal results, different ones do not, whatever was asked before."""
    for cap in (1, 2, 3):
        for honba_value in range(300, 30_300, 300):
            rules = Ruleset.from_dict({"honba_value": honba_value, "yakuman_cap": cap})
            assert score(PINFU, honba=1, rules=rules).pay_discarder == 2000 + honba_value
            assert score("5z+5z", *WIND_KANS, rules=rules).yakuman == cap


def test_what_is_remembered_can_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(book, "_MOST_VERDICTS", 2)
    hands = (PINFU, EDGE, "1133m5577p2299s4z+4z", "222m333p444s555s7p+7p")
    first = [score(hand, facts).yaku for hand in hands for facts in ("ron", "tsumo")]
    again = [score(hand, facts).yaku for hand in hands for facts in ("ron", "tsumo")]
    assert first == again


def test_the_order_of_tiles_and_melds_does_not_matter() -> None:
    win = question("55p406m67m+8m", "daiminkan 2222m", "pon 333p", dora="4p")
    known = evaluate(win, Ruleset())
    assert known.win
    turned = Win(win.hand[::-1], win.win_tile, win.melds[::-1], seat_wind=1, dora=win.dora)
    assert repr(evaluate(turned, Ruleset())) == repr(known)


def test_the_question_tells_its_tiles_and_whether_it_is_closed() -> None:
    win = question("55p67m+8m", "daiminkan 2222m", "kakan 3333p", "ankan 4444s")
    assert len(win.tiles) == 17
    assert not win.closed
    assert question("67s22p+5s", "ankan 1111m", "ankan 9999p", "ankan 1111z").closed
    assert parse_meld("ankan 1111m").type == win.melds[2].type
