"""Tenhou JSON: its strings, the search for the order of play, and what it tells."""

from __future__ import annotations

import copy
import functools
import json
from typing import Any

import pytest
import record_kit as kit

from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_replays import convert, native
from jantaku_replays import tenhou_json_codes as codes
from jantaku_replays.files import parse
from jantaku_replays.record import NotRiichiError, Record, RecordError
from jantaku_replays.tenhou_disp import read_disp
from jantaku_replays.tenhou_json_search import MOST_STEPS, Drop, Lists, Search
from jantaku_replays.verify import verify

CALLED_TWICE: dict[str, Any] = {
    "title": ["", ""],
    "name": ["A", "B", "C", "D"],
    "rule": {"disp": "東喰赤", "aka": 1},
    "log": [
        [
            *([0, 0, 0], [25000, 25000, 25000, 25000], [31], []),
            *([23, 23, 47, 47, 12, 14, 18, 29, 34, 36, 41, 42, 43], [39, "4747p47"], [23, 23]),
            *([21, 22, 47, 11, 13, 15, 17, 19, 32, 34, 36, 41, 42], ["c232122"], [47]),
            *([23, 23, 12, 14, 16, 18, 27, 29, 32, 34, 43, 44, 45], ["23p2323"], [45]),
            *([11, 12, 13, 14, 15, 16, 17, 18, 19, 31, 31, 32, 33], [31], []),
            [
                "和了",
                [-4000, -2000, -2000, 8000],
                [
                    *(3, 3, 3, "満貫2000-4000点"),
                    *("門前清自摸和(1飜)", "平和(1飜)", "一気通貫(2飜)", "ドラ(1飜)"),
                ],
            ],
        ]
    ],
}  # fmt: skip
"""Seat 0 discards 3p twice before seat 2 has a turn: the first goes to a chi of seat 1, the
second to a pon of seat 2, which could have had the first."""


def read(value: Any) -> Record:
    return parse(json.dumps(value).encode(), "game.json")


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The game above with one value changed."""
    game = copy.deepcopy(CALLED_TWICE)
    place: Any = game
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return game


def test_the_one_legal_order_is_found() -> None:
    record = read(CALLED_TWICE)
    assert verify(record).mismatches == []
    calls = [event for event in record.kyokus[0].events if isinstance(event, ev.Naki)]
    assert [(call.type, call.actor, call.target) for call in calls] == [
        (ev.CHI, 1, 0),
        (ev.PON, 0, 1),
        (ev.PON, 2, 0),
    ]


def test_a_call_of_the_first_of_two_equal_discards() -> None:
    """The same lists without the chi: then the pon can only be of the first."""
    lists = Lists(
        0,
        ((5, 6), (7,), (ev.Naki(ev.PON, 2, 0, 11, (11, 11)),), (8,)),
        ((Drop(11), Drop(11)), (Drop(7),), (Drop(3),), (Drop(4),)),
    )
    (moves,) = Search(lists).readings()
    first = next(index for index, move in enumerate(moves) if isinstance(move, ev.Dahai))
    assert isinstance(moves[first + 1], ev.Naki)


def test_lists_made_to_take_long_come_to_an_end() -> None:
    """All tiles are equal, and every second entry is a call that always fits."""
    takes = tuple(
        tuple(
            0 if number % 2 else ev.Naki(ev.PON, seat, (seat + 1 + number // 2 % 3) % 4, 0, (0, 0))
            for number in range(1, 60)
        )
        for seat in range(4)
    )
    search = Search(Lists(0, takes, ((Drop(0),) * 60,) * 4))
    for _ in search.readings():
        pass
    assert search.steps <= MOST_STEPS + 1


@pytest.mark.parametrize(
    ("text", "actor", "target", "called"),
    [
        ("c275226", 2, 1, "7p"),
        ("p474747", 2, 1, "C"),
        ("47p4747", 2, 0, "C"),
        ("4747p47", 2, 3, "C"),
        ("m39393939", 2, 1, "9s"),
        ("39m393939", 2, 0, "9s"),
        ("252552m25", 2, 3, "5p"),
        ("2552p25", 0, 1, "5p"),
        ("p522525", 0, 3, "5pr"),
    ],
)
def test_calls_round_trip(text: str, actor: int, target: int, called: str) -> None:
    call = codes.parse_call(text, actor)
    message = call.to_mjai()
    assert (call.actor, call.target, message["pai"]) == (actor, target, called)
    assert codes.call_text(call) == text


def test_kans_among_the_discards_round_trip() -> None:
    ankan = codes.parse_kan("151515a51", 1)
    assert isinstance(ankan, ev.Ankan)
    assert ankan.to_mjai()["consumed"] == ["5m", "5m", "5m", "5mr"]
    assert codes.ankan_text(ankan) == "151515a51"
    pon = codes.parse_call("31p3131", 2)
    kakan = codes.parse_kan("31k313131", 2)
    assert isinstance(kakan, ev.Kakan)
    assert codes.kakan_text(kakan, pon) == "31k313131"


@pytest.mark.parametrize(
    "text",
    ["", "c", "c2728", "c272829x", "27c2829", "p27272", "p272728", "c191121", "c414243", "x272727",
     "m272727", "p2727276", "ｐ272727", "c２７2829", "p606060", "p" + "27" * 50],
)  # fmt: skip
def test_no_call(text: str) -> None:
    with pytest.raises(RecordError):
        codes.parse_call(text, 0)


@pytest.mark.parametrize(
    "text", ["151515a", "1515a1515x", "151515k16", "15a1515", "r15", "151515b15"]
)
def test_no_kan(text: str) -> None:
    with pytest.raises(RecordError):
        codes.parse_kan(text, 0)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("30符4飜7700点", codes.Points(30, "none", 7700)),
        ("30符1飜300-500点", codes.Points(30, "none", 1100)),
        ("30符4飜3900点∀", codes.Points(30, "none", 11700)),
        ("満貫2000-4000点", codes.Points(0, "mangan", 8000)),
        ("役満16000点∀", codes.Points(0, "yakuman", 48000)),
        ("数え役満32000点", codes.Points(0, "kazoe_yakuman", 32000)),
        ("Mangan 8000", None),
        ("満貫点", None),
    ],
)
def test_texts_of_points(text: str, told: codes.Points | None) -> None:
    assert codes.parse_points(text) == told


def test_every_yaku_has_a_text_that_is_read_back() -> None:
    for name in codes.CATALOGUE:
        if codes.CATALOGUE[name].kind in ("limit", "draw"):
            continue
        for yakuman in (False, True):
            value = codes.parse_yaku(codes.yaku_text(name, 2, yakuman, 1, 2), 1, 2)
            assert value == codes.Value(name, 0 if yakuman else 2, 2 if yakuman else 0)


def test_a_wind_of_another_seat_is_told_as_such() -> None:
    value = codes.parse_yaku("自風 東(1飜)", 1, 0)
    assert value is not None
    assert value.name == "yakuhai_seat_wind E"
    assert codes.parse_yaku("場風 南(1飜)", 1, 1) == codes.Value("yakuhai_round_wind", 1, 0)


def test_words_of_other_programs_are_not_compared() -> None:
    game = changed(("log", 0, 16, 2), [3, 3, 3, "Mangan 2000-4000", "Fully concealed hand(1)"])
    assert verify(read(game)).mismatches == []


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        (("log", 0, 16, 1), [-4000, -2000, -1900, 7900], "hora deltas"),
        (("log", 0, 16, 2, 3), "跳満3000-6000点", "hora limit"),
        (("log", 0, 16, 2, 4), "立直(1飜)", "hora yakus"),
        (("log", 0, 16, 2, 7), "ドラ(2飜)", "hora dora"),
        (("log", 0, 16, 2, 2), 1, "hora pao"),
        (("log", 0, 2), [31, 32], "hora dora_markers"),
    ],
)
def test_what_it_tells_is_compared(path: tuple[Any, ...], value: Any, what: str) -> None:
    assert what in kit.whats(verify(read(changed(path, value))).mismatches)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("log",), [], "log: has 0 entries, not 1 to 200"),
        (("log",), 5, "log: must be a list, not 5"),
        (("log", 0), [1, 2], "hand 1: has 2 entries"),
        (("log", 0, 0), [16, 0, 0], "hand 1: round 16 is not in 0..15"),
        (("log", 0, 0), [0, -1, 0], "hand 1, round: -1 is no whole number"),
        (("log", 0, 1), [1, 2, 3], "hand 1, scores: has 3 entries, not 4"),
        (("log", 0, 2), [], "hand 1, dora: has 0 entries, not 1 to 5"),
        (("log", 0, 4, 3), 20, "hand 1, hand of seat 0, entry 4: 20 is no tile"),
        (("log", 0, 4), [23] * 12, "hand 1, hand of seat 0: has 12 entries, not 13"),
        (("log", 0, 4, 4), 23, "shows 3p more often than the set has it (4)"),
        (("log", 0, 5, 1), "4747p46", "draws of seat 0, entry 2: '4747p46': these tiles make no"),
        (("log", 0, 6, 0), "r99", "discards of seat 0, entry 1: 99 is no tile"),
        (("log", 0, 6, 0), True, "discards of seat 0, entry 1: True is no tile"),
        (("log", 0, 6, 0), 19, "seat 0 discards 9m, and nobody's next draw or call fits"),
        (("log", 0, 6, 0), "r23", "seat 0 reach: seat 0 may not reach"),
        (("log", 0, 6, 1), 60, "seat 0 discards a drawn tile (60), but it has called"),
        (("log", 0, 11, 0), "p232323", "nobody's next draw or call fits after it"),
        (("log", 0, 12), [45, 45], "but the lists go on"),
        (("log", 0, 16), ["和了"], "result: has 1 parts, a win has 3, 5 or 7"),
        (("log", 0, 16), ["勝ち"], "result: '勝ち' is no result"),
        (("log", 0, 16, 2, 0), 1, "it is the turn of seat 3, nobody else can win now"),
        (("log", 0, 16), ["九種九牌"], "it is the turn of seat 3, the hand cannot end now"),
        (("log", 0, 16), ["流局", [0, 0, 0, 0]], "the hand cannot end now"),
        (("name",), ["A", "B"], "name: has 2 entries"),
        (("name",), "ABCD", "name: must be a list"),
        (("rule",), [], "rule: must be an object"),
        (("rule", "jantaku"), {"preset": "x"}, "rule: jantaku: preset 'x' does not exist"),
        (("rule", "aka"), 9, "rule: 9 is no whole number 0..4"),
        (("sc",), [1, 2], "sc: has 2 entries, not 8"),
        (("sc",), [1, None] * 4, "sc: None is no number of points"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    path: tuple[Any, ...], value: Any, why: str
) -> None:
    with pytest.raises(RecordError) as error:
        read(changed(path, value))
    assert why in str(error.value)


def test_three_players_are_another_game() -> None:
    for game in (
        changed(("name",), ["A", "B", "C"]),
        changed(("rule", "disp"), "三鳳南喰赤"),
        changed(("log", 0), CALLED_TWICE["log"][0][:14]),
    ):
        with pytest.raises(NotRiichiError, match="three-player"):
            read(game)


@pytest.mark.parametrize(
    ("rule", "length", "reds", "kuitan"),
    [
        ({"disp": "般南喰赤", "aka": 1}, "hanchan", 1, True),
        ({"disp": "般東赤", "aka51": 1, "aka52": 1, "aka53": 1}, "tonpuu", 1, False),
        ({"disp": "般南喰", "aka": 0}, "hanchan", 0, True),
        ({"disp": "", "aka": 0}, "hanchan", 0, True),
    ],
)
def test_rules_by_their_title(rule: dict[str, Any], length: str, reds: int, kuitan: bool) -> None:
    rules = read(changed(("rule",), rule)).rules
    assert (rules.length, rules.kuitan) == (length, kuitan)
    assert dict(rules.aka_dora) == {"m": reds, "p": reds, "s": reds}


def test_a_red_five_that_is_seen_is_in_the_set() -> None:
    game = changed(("rule",), {"disp": "東喰", "aka": 0})
    game["log"][0][7][5] = 51
    assert dict(read(game).rules.aka_dora) == {"m": 1, "p": 0, "s": 0}


def test_two_hands_of_a_game_are_a_part_that_goes_on() -> None:
    events = kit.play(Ruleset.preset("tenhou", length="tonpuu"), 2).events
    record = convert.completed(parse(native.dumps(events).encode(), "game"))
    game = json.loads(convert.FORMS["tenhou-json"].dumps(record))
    del game["sc"]
    part = {**game, "log": game["log"][1:3]}
    read_part = read(part)
    assert not read_part.whole
    assert verify(read_part).mismatches == []
    # The scores of the second must follow from the first.
    part["log"][1][1] = [score + 100 for score in part["log"][1][1]]
    assert "start_kyoku scores" in kit.whats(verify(read(part)).mismatches)
    # Hands that do not follow each other are taken each as it is.
    assert verify(read({**game, "log": [game["log"][0], game["log"][2]]})).mismatches == []


OPEN_SIMPLES: dict[str, Any] = {
    "name": ["A", "B", "C", "D"],
    "rule": {"disp": "友人戦南", "aka": 0},
    "log": [
        [
            *([0, 0, 0], [25000, 25000, 25000, 25000], [47], []),
            *([12, 12, 12, 13, 13, 13, 24, 24, 24, 35, 35, 36, 41], [36, "3535p35", 36], [41, 36]),
            *([11, 14, 17, 21, 25, 28, 31, 34, 37, 42, 43, 44, 45], [35, 44], [60, 60]),
            *([11, 14, 17, 21, 25, 28, 31, 34, 37, 42, 43, 44, 45], [45], [60]),
            *([11, 14, 17, 21, 25, 28, 31, 34, 37, 42, 43, 44, 45], [46], [60]),
            [
                "和了",
                [12000, -4000, -4000, -4000],
                [0, 0, 0, "満貫4000点∀", "対々和(2飜)", "三暗刻(2飜)"],
            ],
        ]
    ],
}  # fmt: skip
"""An open hand of simples that was paid without tanyao."""

FOREIGN_TITLES = (
    *("玉の間南", "段位戦", "四人南", "Jade Room South", "Friendly", "牌譜屋", "MyMahjong"),
    *("玉の間南喰赤", "第三回大会 半荘", "南", ""),
)
"""What programs other than Tenhou write where Tenhou has a room and signs."""


@functools.cache
def open_tanyao() -> str:
    """A hanchan of Tenhou's in which somebody won by nothing but an open tanyao, as JSON."""
    text = kit.corpus_texts()["g0001.xml"]
    return convert.FORMS["tenhou-json"].dumps(convert.completed(parse(text.encode(), "g0001.xml")))


@pytest.mark.parametrize("title", FOREIGN_TITLES)
def test_a_title_of_another_program_forbids_nothing(title: str) -> None:
    game = json.loads(open_tanyao())
    game["rule"]["disp"] = title
    record = read(game)
    assert record.rules.kuitan
    assert record.rules.length == "hanchan"
    assert verify(record).mismatches == []


def test_wins_tell_that_there_is_no_open_tanyao_where_the_title_does_not() -> None:
    record = read(OPEN_SIMPLES)
    assert not record.rules.kuitan
    assert verify(record).mismatches == []
    with_it = copy.deepcopy(OPEN_SIMPLES)
    with_it["log"][0][16][2].append("断幺九(1飜)")
    assert read(with_it).rules.kuitan


def test_a_title_of_tenhous_own_decides_and_the_error_names_it() -> None:
    game = json.loads(open_tanyao())
    game["rule"]["disp"] = "般南赤"
    with pytest.raises(RecordError) as error:
        read(game)
    assert "no order of play is legal" in str(error.value)
    assert "(read without open tanyao, as rule.disp '般南赤' says; " in str(error.value)
    assert "--rules" in str(error.value)
    rules = Ruleset.preset("tenhou")
    assert verify(parse(json.dumps(game).encode(), "game", rules)).mismatches == []


def test_a_game_that_no_rule_makes_legal_says_what_was_tried() -> None:
    with pytest.raises(RecordError, match=r"read with open tanyao and without; .*--rules"):
        read({**changed(("log", 0, 6, 0), "r23"), "rule": {"disp": "友人戦"}})


@pytest.mark.parametrize(
    ("rule", "reds"),
    [
        ({"disp": "般東喰赤"}, 1),
        ({"disp": "段位戦東赤"}, 1),
        ({"disp": "般東喰赤", "aka": 0}, 0),
        ({"disp": "般東喰赤", "aka51": 0, "aka52": 0, "aka53": 0}, 0),
        ({"disp": "段位戦東", "aka53": 1, "aka52": 1, "aka51": 1}, 1),
    ],
)
def test_red_fives_are_what_the_fields_say_and_else_the_title(
    rule: dict[str, Any], reds: int
) -> None:
    rules = read(changed(("rule",), rule)).rules
    assert dict(rules.aka_dora) == {"m": reds, "p": reds, "s": reds}
    assert rules.length == "tonpuu"


@pytest.mark.parametrize(
    ("title", "sure", "length", "kuitan"),
    [
        ("般南喰赤", True, "hanchan", True),
        ("鳳東喰赤速", True, "tonpuu", True),
        ("特南", True, "hanchan", False),
        ("南赤", False, "hanchan", False),
        ("", False, None, None),
        ("玉の間南", False, "hanchan", None),
        ("Jade Room East", False, "tonpuu", None),
        ("Eastern Club", False, None, None),
        ("友人戦 半荘 喰断なし", False, "hanchan", False),
        ("喰タンナシ赤アリ", False, None, False),
        ("赤ナシ喰アリ", False, None, True),
        ("アリアリ東風", False, "tonpuu", True),
        ("ナシナシ", False, None, False),
    ],
)
def test_what_a_title_says(title: str, sure: bool, length: str | None, kuitan: bool | None) -> None:
    disp = read_disp(title)
    assert (disp.sure, disp.length, disp.kuitan) == (sure, length, kuitan)
    assert not disp.three


def test_a_title_with_a_three_in_it_is_not_three_players() -> None:
    assert verify(read(changed(("rule", "disp"), "第三回東"))).mismatches == []
    for disp in ("玉の間三人南", "3-Player Jade Room East", "Sanma"):
        with pytest.raises(NotRiichiError, match="three-player"):
            read(changed(("rule", "disp"), disp))
    empty = copy.deepcopy(CALLED_TWICE)
    empty["log"][0][13:16] = [[], [], []]
    with pytest.raises(NotRiichiError, match="three-player"):
        read(empty)
