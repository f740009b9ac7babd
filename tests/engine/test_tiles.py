"""Tiles: ids, kinds, codes and their text forms (RULES 1.1, 1.6)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku_engine import tiles
from jantaku_engine.tiles import (
    DORA_OF,
    IS_YAOCHUU,
    KIND,
    MJAI,
    MPSZ,
    SORT_KEY,
    UNICODE,
    UNKNOWN,
    YAOCHUU,
    TileError,
    check_possible,
    format_mpsz,
    kind_counts,
    parse_mjai,
    parse_mpsz,
    sort_tiles,
    tile_table,
)

known = st.integers(0, 36)


def kind(text: str) -> int:
    return KIND[parse_mpsz(text)[0]]


# --- the set (RULES 1.1) --------------------------------------------------------------------------


def test_the_set_has_four_of_each_kind_and_one_red_five_a_suit() -> None:
    table = tile_table()
    assert len(table) == 136
    assert all(KIND[code] == tile_id // 4 for tile_id, code in enumerate(table))
    assert {tile_id: table[tile_id] for tile_id in (16, 52, 88)} == {16: 34, 52: 35, 88: 36}
    assert sum(code >= 34 for code in table) == 3


@given(st.fixed_dictionaries({suit: st.integers(0, 4) for suit in "mps"}))
def test_red_fives_replace_ordinary_fives(aka: dict[str, int]) -> None:
    table = tile_table(aka)
    for suit, name in enumerate("mps"):
        assert table.count(34 + suit) == aka[name]
        assert table.count(4 + 9 * suit) == 4 - aka[name]
    assert kind_counts(table) == [4] * 34


def test_yaochuu_are_terminals_and_honours() -> None:
    assert sorted(parse_mpsz("19m19p19s1234567z")) == list(YAOCHUU)
    assert [k for k in range(34) if IS_YAOCHUU[k]] == list(YAOCHUU)


@pytest.mark.parametrize(
    ("indicator", "dora"),
    [
        ("1m", "2m"),
        ("9m", "1m"),
        ("9p", "1p"),
        ("9s", "1s"),
        ("4p", "5p"),
        ("1z", "2z"),
        ("4z", "1z"),
        ("5z", "6z"),
        ("6z", "7z"),
        ("7z", "5z"),
    ],
)
def test_dora_follows_its_indicator(indicator: str, dora: str) -> None:
    assert DORA_OF[kind(indicator)] == kind(dora)


def test_every_kind_is_the_dora_of_one_indicator() -> None:
    assert sorted(DORA_OF) == list(range(34))


# --- text forms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [MJAI, MPSZ], ids=["mjai", "mpsz"])
def test_every_tile_has_its_own_name(names: tuple[str, ...]) -> None:
    assert len(names) == len(set(names)) == 38


@pytest.mark.parametrize(
    ("code", "mjai", "mpsz"),
    [
        (0, "1m", "1m"),
        (4, "5m", "5m"),
        (17, "9p", "9p"),
        (26, "9s", "9s"),
        (27, "E", "1z"),
        (30, "N", "4z"),
        (31, "P", "5z"),
        (32, "F", "6z"),
        (33, "C", "7z"),
        (34, "5mr", "0m"),
        (35, "5pr", "0p"),
        (36, "5sr", "0s"),
        (37, "?", "?"),
    ],
)
def test_names_of_some_tiles(code: int, mjai: str, mpsz: str) -> None:
    assert (MJAI[code], MPSZ[code]) == (mjai, mpsz)
    assert parse_mjai(mjai) == code


def test_unicode_pictures_are_the_tiles_that_they_should_be() -> None:
    numbers = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]
    suits = (("m", "CHARACTERS"), ("p", "CIRCLES"), ("s", "BAMBOOS"))
    names = [f"MAHJONG TILE {n} OF {suit}" for _, suit in suits for n in numbers]
    honours = ("EAST WIND", "SOUTH WIND", "WEST WIND", "NORTH WIND")
    dragons = ("WHITE DRAGON", "GREEN DRAGON", "RED DRAGON")
    names += [f"MAHJONG TILE {honour}" for honour in (*honours, *dragons)]
    names += [f"MAHJONG TILE FIVE OF {suit}" for _, suit in suits]
    assert [unicodedata.name(picture) for picture in UNICODE] == [*names, "MAHJONG TILE BACK"]


@given(st.integers(0, 37))
def test_mjai_round_trips(code: int) -> None:
    assert parse_mjai(MJAI[code]) == code


@given(st.lists(known, max_size=14))
def test_mpsz_round_trips_up_to_order(codes: list[int]) -> None:
    text = format_mpsz(codes)
    assert parse_mpsz(text) == sort_tiles(codes)
    assert format_mpsz(parse_mpsz(text)) == text


@given(st.lists(known, max_size=14))
def test_mpsz_is_read_in_the_order_written(codes: list[int]) -> None:
    assert parse_mpsz("".join(MPSZ[code] for code in codes)) == codes


def test_mpsz_puts_red_fives_beside_the_fives() -> None:
    assert format_mpsz(parse_mpsz("505m1z6m4m")) == "45506m1z"
    assert format_mpsz([]) == ""
    assert parse_mpsz("") == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("123", "ends in digits without a suit letter"),
        ("123m4", "ends in digits without a suit letter"),
        ("8z", "8z in '8z' is no tile: honours are 1z..7z"),
        ("9z", "is no tile"),
        ("0z", "is no tile"),
        ("m", "cannot be read at 'm' (position 0)"),
        ("1mm", "cannot be read at 'm' (position 2)"),
        ("1m 2m", "cannot be read at ' ' (position 2)"),
        ("1x", "cannot be read at 'x' (position 1)"),
        ("E", "cannot be read at 'E'"),
        ("?", "cannot be read at '?'"),
        ("一m", "cannot be read at '一'"),
        ("¹m", "cannot be read at '¹'"),
    ],
)
def test_bad_mpsz_is_refused_where_it_breaks(text: str, says: str) -> None:
    with pytest.raises(TileError) as error:
        parse_mpsz(text)
    assert says in str(error.value)


@pytest.mark.parametrize("text", ["", "0m", "5r", "10m", "e", "1z", "5mr ", "1M", None, 5, []])
def test_bad_mjai_is_refused(text: str) -> None:
    with pytest.raises(TileError, match="is no tile"):
        parse_mjai(text)


@given(st.text(max_size=12))
def test_any_text_is_tiles_or_a_tile_error(text: str) -> None:
    for parse in (parse_mpsz, parse_mjai):
        try:
            parse(text)
        except TileError:
            continue
        assert parse is parse_mpsz or text in MJAI


# --- collections ----------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 37)))
def test_sorting_goes_by_kind_with_red_fives_after_fives(codes: list[int]) -> None:
    ordered = sort_tiles(codes)
    assert sorted(ordered) == sorted(codes)
    assert [KIND[code] for code in ordered] == sorted(KIND[code] for code in codes)
    assert ordered == sorted(codes, key=lambda code: (KIND[code], code))
    assert len(set(SORT_KEY)) == 38


@given(st.lists(st.integers(0, 37)))
def test_counts_go_by_kind_and_leave_unknown_tiles_out(codes: list[int]) -> None:
    counts = kind_counts(codes)
    assert sum(counts) == len(codes) - codes.count(UNKNOWN)
    for k in range(34):
        assert counts[k] == sum(KIND[code] == k for code in codes)


@given(st.lists(st.integers(0, 135), unique=True, max_size=40))
def test_tiles_of_one_set_are_possible(ids: list[int]) -> None:
    table = tile_table()
    check_possible([table[tile_id] for tile_id in ids])


@pytest.mark.parametrize(
    ("text", "aka", "says"),
    [
        ("11111m", (1, 1, 1), "5 tiles of 1m: there are only four"),
        ("5550m5m", (1, 1, 1), "5 tiles of 5m: there are only four"),
        ("00m", (1, 1, 1), "2 tiles of 0m: the rules have 1"),
        ("0p", (0, 0, 0), "1 tiles of 0p: the rules have 0"),
        ("5555s", (1, 1, 1), "4 tiles of 5s: the rules have 3"),
        ("000p", (1, 2, 1), "3 tiles of 0p: the rules have 2"),
    ],
)
def test_impossible_tiles_are_refused(text: str, aka: tuple[int, int, int], says: str) -> None:
    with pytest.raises(TileError) as error:
        check_possible(parse_mpsz(text), dict(zip("mps", aka, strict=True)))
    assert str(error.value) == says


def test_tables_cannot_be_changed() -> None:
    for name in ("KIND", "MJAI", "MPSZ", "UNICODE", "DORA_OF", "SORT_KEY", "YAOCHUU", "RED_FIVES"):
        assert isinstance(getattr(tiles, name), tuple), name
