"""Calls as Tenhou writes them, and its numbers of yaku."""

from __future__ import annotations

import pytest

import paths
from jantaku_engine import events as ev
from jantaku_engine.tiles import MJAI, tile_table
from jantaku_replays.record import RecordError
from jantaku_replays.tenhou_codes import YAKU, Call, decode_call, yaku_name

TILES = tile_table()


def told(call: Call) -> tuple[str, int, str, str]:
    """Type, target, taken or added tile, tiles of the hand."""
    tile = MJAI[TILES[call.tile]] if call.tile >= 0 else ""
    own = " ".join(MJAI[TILES[tile_id]] for tile_id in call.consumed)
    return ev.EVENT_NAMES[call.type], call.target, tile, own


@pytest.mark.parametrize(
    ("who", "m", "call"),
    [
        # Chi of the middle tile of 456p, copies 1, 0, 2 of the three.
        (2, (10 * 3 + 1) << 10 | 2 << 7 | 0 << 5 | 1 << 3 | 7, ("chi", 1, "5pr", "4p 6p")),
        # Chi of the first tile of 789s, the last of all runs.
        (0, (20 * 3 + 0) << 10 | 7, ("chi", 3, "7s", "8s 9s")),
        # Pon of the red 5m from the right; copy 3 stays out.
        (1, (4 * 3 + 0) << 9 | 3 << 5 | 9, ("pon", 2, "5mr", "5m 5m")),
        # Kakan of the red 5s on a pon that came from across.
        (3, (22 * 3 + 2) << 9 | 0 << 5 | 0x12, ("kakan", 3, "5sr", "5s 5s 5s")),
        (0, 135 << 8 | 2, ("daiminkan", 2, "C", "C C C")),
        (3, 16 << 8, ("ankan", 3, "", "5mr 5m 5m 5m")),
    ],
)
def test_calls(who: int, m: int, call: tuple[str, int, str, str]) -> None:
    assert told(decode_call(m, who)) == call


@pytest.mark.parametrize(
    ("who", "m", "why"),
    [
        (0, 0x20, "three-player"),
        (0, (21 * 3) << 10 | 7, "no chi"),
        (0, (20 * 3) << 10 | 6, "no chi"),
        (0, (34 * 3) << 9 | 9, "no pon"),
        (0, (4 * 3) << 9 | 8, "no pon"),
        (0, 136 << 8 | 1, "no kan"),
        (0, 1 << 16, "not in 0..65535"),
        (0, -1, "not in 0..65535"),
    ],
)
def test_numbers_that_are_no_call(who: int, m: int, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        decode_call(m, who)


def test_a_wind_is_only_a_yaku_of_its_owner() -> None:
    south_seat, east_round = 1, 0
    assert yaku_name(11, south_seat, east_round) == "yakuhai_seat_wind"
    assert yaku_name(10, south_seat, east_round) == "yakuhai_seat_wind E"
    assert yaku_name(14, south_seat, east_round) == "yakuhai_round_wind"
    assert yaku_name(16, south_seat, east_round) == "yakuhai_round_wind W"


def test_every_yaku_is_in_the_catalogue() -> None:
    lines = paths.rules_text("yaku.tsv").splitlines()
    assert set(YAKU) <= {line.split("\t")[0] for line in lines[1:]}


@pytest.mark.parametrize("number", [-1, 52, 99])
def test_numbers_that_are_no_yaku(number: int) -> None:
    with pytest.raises(RecordError, match="there is no yaku"):
        yaku_name(number, 0, 0)
