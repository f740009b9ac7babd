"""Walls from Tenhou's seeds: the twister against its published numbers, the walls against games."""

from __future__ import annotations

import random
import re

import pytest
import record_kit as kit

import paths
from jantaku_replays.files import parse
from jantaku_replays.record import RecordError
from jantaku_replays.tenhou_wall import TenhouWalls, init_by_array

PUBLISHED = (1067595299, 955945823, 477289528, 4107218783, 4228976476)
"""First outputs of mt19937ar.c for the key 0x123, 0x234, 0x345, 0x456 (mt19937ar.out)."""


def test_the_twister_seeded_by_array_gives_the_published_numbers() -> None:
    twister = random.Random()
    twister.setstate((3, (*init_by_array((0x123, 0x234, 0x345, 0x456)), 624), None))
    assert tuple(twister.getrandbits(32) for _ in PUBLISHED) == PUBLISHED


def test_a_key_of_624_words_is_mixed_in_whole() -> None:
    words = [random.Random(5).getrandbits(32) for _ in range(624)]
    key = int.from_bytes(b"".join(word.to_bytes(4, "little") for word in words), "little")
    assert tuple(init_by_array(words)) == random.Random(key).getstate()[1][:624]


@pytest.mark.parametrize("seeded", ["yes", "yes-hex"])
def test_both_forms_of_the_seed_give_every_tile_of_a_game(seeded: str) -> None:
    row = next(row for row in paths.corpus_index() if row["seeded"] == seeded)
    record = parse(kit.corpus_texts()[row["name"]].encode(), row["name"])
    assert len(record.kyokus) == int(row["rounds"])
    for kyoku in record.kyokus:
        assert kyoku.derived
        assert len(kyoku.shown) > 60
        for shown in kyoku.shown:
            assert kyoku.wall.ids[shown.slot] == shown.tile_id, (kyoku.title, shown)


def test_the_walls_of_one_game_differ_and_repeat_from_the_same_seed() -> None:
    row = next(row for row in paths.corpus_index() if row["seeded"] == "yes")
    seed = re.search(r'SHUFFLE seed="([^"]*)"', kit.corpus_texts()[row["name"]])
    assert seed
    first, second = TenhouWalls(seed[1]), TenhouWalls(seed[1])
    walls = [first.next_wall() for _ in range(3)]
    assert len(set(walls)) == 3
    assert [second.next_wall() for _ in range(3)] == walls
    assert all(sorted(wall.ids) == list(range(136)) for wall in walls)


@pytest.mark.parametrize(
    ("seed", "why"),
    [
        ("mt19937ar-sha512-n288-base64,####", "no base64"),
        ("mt19937ar-sha512-n288-base64,AAAA", "has 3 bytes, not 2496"),
        ("mt19937ar-sha512-n288,12345678,FF", "32 words"),
        ("mt19937ar-sha512-n288," + ",".join(["XY"] * 32), "32 words"),
        ("mt19937ar-sha512-n288," + ",".join(["-1"] * 32), "32 words"),
        ("xorshift,00", "unknown form 'xorshift,00'"),
        ("", "unknown form"),
    ],
)
def test_other_seeds_are_refused(seed: str, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        TenhouWalls(seed)
