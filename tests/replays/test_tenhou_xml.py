"""Reading Tenhou XML: what a game says, and what is no game."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import record_kit as kit
from record_kit import TINY, change

import paths
from jantaku_engine import events as ev
from jantaku_engine.tiles import parse_mpsz, sort_tiles
from jantaku_replays.files import parse
from jantaku_replays.record import NotRiichiError, Record, RecordError
from jantaku_replays.tenhou_xml import read_tenhou_xml


def read(text: str) -> Record:
    return read_tenhou_xml(text.encode(), "game.xml")


def test_the_tiny_game_is_read_in_full() -> None:
    record = read(TINY)
    (kyoku,) = record.kyokus
    assert record.names == ("Ada", "Ben", "Cho", "Dee")
    assert kyoku.title == "E1-0"
    start, draw, discard, win, over = kyoku.events
    assert isinstance(start, ev.StartKyoku)
    assert start.dora_marker == parse_mpsz("4s")[0]
    assert sorted(start.tehais[1]) == sort_tiles(parse_mpsz("19m19p19s1234567z"))
    assert draw == ev.Tsumo(0, ev.WINDS.index("E") + 27)
    # RULES 1.4: of fourteen dealt tiles none is the drawn one.
    assert discard == ev.Dahai(0, 27, False)
    assert isinstance(win, ev.Hora)
    assert win.yaku == (("kokushi_musou_13", 1),)
    assert over == ev.EndKyoku()
    assert record.end[0] == ev.EndGame(
        (-7000, 57_000, 25_000, 25_000), (1, 2, 3, 4), (-57, 67, 5, -15)
    )


def test_what_is_never_seen_fills_the_wall() -> None:
    (kyoku,) = read(TINY).kyokus
    assert not kyoku.derived
    assert sorted(kyoku.wall.ids) == list(range(136))
    # The dealer's first four tiles, the first draw, the indicator.
    assert kyoku.wall.ids[:4] == (4, 8, 12, 20)
    assert kyoku.wall.ids[52] == 109
    assert kyoku.wall.ids[130] == 84


@pytest.mark.parametrize(
    ("bits", "option", "value"),
    [
        (0x01, "length", "tonpuu"),
        (0x09, "length", "hanchan"),
        (0x0B, "aka_dora", {"m": 0, "p": 0, "s": 0}),
        (0x09, "aka_dora", {"m": 1, "p": 1, "s": 1}),
        (0x0D, "kuitan", False),
        (0xE9, "kuitan", True),
    ],
)
def test_the_room_decides_the_rules(bits: int, option: str, value: object) -> None:
    rules = read(TINY.replace('type="9"', f'type="{bits}"')).rules
    assert getattr(rules, option) == value
    assert rules.preset_name == "tenhou"


def test_points_with_tenths_are_not_rounded() -> None:
    assert read(TINY).rules.points_rounding == "half_away"
    assert read(change(TINY, "570,67.0", "570,66.9")).rules.points_rounding == "none"


def test_the_oldest_games_have_their_own_rules() -> None:
    old = change(TINY, '<INIT seed="', '<INIT shuffle="mt19937ar,0" seed="')
    assert read(old).rules.preset_name == "tenhou2009"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_utf_is_read(encoding: str) -> None:
    data = change(TINY, "Ben", "弁").encode(encoding)
    assert parse(data, "game.xml").names[1] == "弁"


def test_the_limit_of_a_counted_yakuman_is_told_by_its_yaku() -> None:
    text = change(TINY, 'ten="0,32000,5" yakuman="48"', 'ten="30,32000,5" yaku="21,2,35,6,52,5"')
    win = read(text).kyokus[0].events[3]
    assert isinstance(win, ev.Hora)
    assert (win.limit, win.han, win.dora, win.yakuman) == ("kazoe_yakuman", 13, 5, 0)


def test_players_may_come_and_go_anywhere() -> None:
    text = change(TINY, "<T109/>", '<BYE who="0"/><UN n0="Ada"/><T109/><UN n3="Dee"/>')
    text = change(text, "</mjloggm>", '<BYE who="1"/></mjloggm>')
    assert kit.check(text).mismatches == []


def test_three_players_are_another_game() -> None:
    with pytest.raises(NotRiichiError, match="three-player"):
        read(change(TINY, 'type="9"', 'type="25"'))


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'


def edit(pattern: str, replacement: str) -> Callable[[str], str]:
    return lambda text: change(text, pattern, replacement)


@pytest.mark.parametrize(
    ("edited", "why"),
    [
        (edit("^", BOMB), "character 0: declarations such as <!DOCTYPE are refused"),
        (edit("<GO", '<!ENTITY a "b"><GO'), "declarations such as <!ENTITY are refused"),
        (edit("^", "<!doctype html>"), "declarations such as <!doctype are refused"),
        (edit("<AGARI.*", ""), r"after element 7 <D109>: is no whole XML \(no element found\)"),
        (edit("machi=.*", "mac"), "after element 7 <D109>: is no whole XML"),
        (edit("<AGARI.*/>", ""), "E1-0 has no result, after element 7"),
        (edit("owari=", "x="), "ends after element 8 <AGARI>, before the game does"),
        (edit("<INIT.*?/>.*<AGARI.*/>", ""), "has no hand"),
        (edit("<GO.*?/>", ""), "has no <GO>"),
        (edit("^<mjloggm", "<svg"), "no whole XML|outermost element is <svg>"),
        (edit("<T109/>", "<T109><a/></T109>"), "element 5 <T109>: has an element <a> inside"),
        (edit("<T109/>", "<T109/>now"), "after element 5 <T109>: text 'now"),
        (edit("<T109/>", "<BYE/>" * 100_000), "has more than 100,000 elements"),
        (edit("<T109/>", "<HELLO/>"), "element 5 <HELLO>: no Tenhou record has such"),
        (edit("<T109/>", "<T136/>"), "element 5 <T136>: tile 136 is not in 0..135"),
        (edit("<T109/>", "<T99999999999999/>"), "is no whole number"),
        (edit("<T109/>", "<T4/>"), "element 5 <T4>: tile 4 is already elsewhere in the wall"),
        (edit('hai0="4,', 'hai0="136,'), "element 4 <INIT>: hai0 136 is not in 0..135"),
        (edit('hai0="4,', 'hai0="-1,'), "element 4 <INIT>: hai0 -1 is not in 0..135"),
        (edit('hai0="4,', 'hai0="8,'), "element 4 <INIT>: hai0 has a tile twice"),
        (edit('hai0="4,', 'hai0="5,'), "element 4 <INIT>: tile 5 is already elsewhere"),
        (edit('hai0="4,', 'hai0="'), "element 4 <INIT>: hai0 has 12 numbers, not 13"),
        (edit('hai0="4,', 'hai0="four,'), "element 4 <INIT>: hai0 'four' is no whole number"),
        (edit('hai0="4,', 'hai0="4_0,'), "is no whole number"),
        (edit('hai0="4,', 'hai0="٤,'), "is no whole number"),
        (edit("hai3=", "hai4="), "element 4 <INIT>: attribute hai3 is missing"),
        (edit('seed="0,', 'seed="16,'), "element 4 <INIT>: seed 16,0,0,1,2,84 cannot be"),
        (edit('oya="0"\n', 'oya="4"\n'), "element 4 <INIT>: oya 4 is not in 0..3"),
        (edit('ten="250,', 'ten="NaN,'), "ten 'NaN' is no whole number"),
        (edit('machi="109"', 'machi="4"'), "the winning tile 4 is not in hai"),
        (edit('yakuman="48"', 'yakuman="99"'), "element 8 <AGARI>: yaku: there is no yaku 99"),
        (edit('yakuman="48"', 'yaku="1"'), "element 8 <AGARI>: yaku must be pairs"),
        (edit('yakuman="48"', ""), "must have either yaku or yakuman"),
        (edit('ten="0,32000,5"', 'ten="0,32000,6"'), "limit 6 is not in 0..5"),
        (edit('ba="0,0"', 'ba="0"'), "ba has 1 numbers, not 2"),
        (edit("570,67.0", "570,x"), "element 8 <AGARI>: owari 'x' is no whole number"),
        (edit(",250,-15.0", ""), "owari has 6 numbers, not 8"),
        (edit("<AGARI", "<AGARI ba='0,0'"), "no whole XML .duplicate attribute"),
        (edit("<AGARI", '<RYUUKYOKU type="rain"/><AGARI'), "unknown type 'rain'"),
        (edit("<AGARI", '<N who="0" m="32"/><AGARI'), "element 8 <N>: m: 32 is a call of three"),
        (edit("<AGARI", '<REACH who="0" step="3"/><AGARI'), "step 3 is not in 1..2"),
        (edit("</mjloggm>", "<T5/></mjloggm>"), "element 9 <T5>: stands after the end of the game"),
        (edit("<INIT", "<T5/><INIT"), "element 4 <T5>: stands before the first <INIT>"),
        (edit("<GO", '<SHUFFLE seed="?" ref=""/><GO'), "element 1 <SHUFFLE>: seed: unknown form"),
    ],
)
def test_what_is_no_record_is_refused_by_its_place(edited: Callable[[str], str], why: str) -> None:
    with pytest.raises(RecordError, match=why):
        read(edited(TINY))


def test_a_declaration_is_refused_in_other_encodings_too() -> None:
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        with pytest.raises(RecordError, match="<!DOCTYPE are refused"):
            parse((BOMB + TINY).encode(encoding), "bomb.xml")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "is empty"),
        (b" \n ", "is empty"),
        (b"\xff\xfe", "is empty"),
        (b"\x00\x01\x02 binary", "is no record"),
        (b"\x7fELF", "is no record"),
        (b"<mjloggm>\xff</mjloggm>", "byte 9: is no UTF-8 text"),
        (b"\xff\xfe<\x00m\x00", "is no whole XML"),
        (b"\xff\xfe<\x00m", "byte 4: is no UTF-16 text"),
        (b'<?xml version="1.0" encoding="UTF-7"?><mjloggm/>', "encoding 'UTF-7' is not read"),
        (b'<?xml version="1.0" encoding="utf-16"?><mjloggm/>', "encoding 'utf-16' is not read"),
        (b"<mjloggm>\x00</mjloggm>", "is no whole XML"),
        (b"<" * 100_000, "is no whole XML"),
        (b"<a>" * 100_000, "outermost element is <a>"),
        (b"<mjloggm>" * 100_000, "has an element <mjloggm> inside"),
    ],
)
def test_bytes_that_are_no_record(data: bytes, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        parse(data, "game.xml")


def test_more_than_a_wall_of_draws_is_refused() -> None:
    row = next(row for row in paths.corpus_index() if row["seeded"] == "yes")
    text = change(kit.corpus_texts()[row["name"]], "(<INIT.*?/>)", r"\1" + "<T0/>" * 70)
    with pytest.raises(RecordError, match=r"<T\d+>: the wall has only 70 draws"):
        read(text)
