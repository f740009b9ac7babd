"""The wall: its layout, its keys, and the shuffle against the text of engine/FAIRNESS.md."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import paths
from jantaku_engine import wall as wall_module
from jantaku_engine.wall import (
    DEAD_WALL,
    DORA_INDICATORS,
    HAIPAI,
    LIVE,
    LIVE_DRAWS,
    RINSHAN,
    URA_INDICATORS,
    Wall,
    WallError,
    commitment,
    kyoku_key,
    mix_entropy,
    shuffle,
)

SEED = bytes(range(32))
PAGE = (paths.CHECKOUT / "engine" / "FAIRNESS.md").read_text(encoding="utf-8")
keys = st.binary(min_size=32, max_size=32)


# --- layout (RULES 1.2) ---------------------------------------------------------------------------


def test_every_index_has_one_use() -> None:
    dealt = [index for seat in HAIPAI for index in seat]
    dead = [*DORA_INDICATORS, *URA_INDICATORS, *RINSHAN]
    assert sorted([*dealt, *LIVE, *dead]) == list(range(136))
    assert sorted(dead) == list(DEAD_WALL)
    assert len(LIVE) == LIVE_DRAWS == 70
    assert [len(seat) for seat in HAIPAI] == [13] * 4


def test_deal_is_three_rounds_of_four_and_one_each_from_the_dealer_on() -> None:
    assert HAIPAI[0] == (0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48)
    assert HAIPAI[1] == (4, 5, 6, 7, 20, 21, 22, 23, 36, 37, 38, 39, 49)
    assert HAIPAI[3] == (12, 13, 14, 15, 28, 29, 30, 31, 44, 45, 46, 47, 51)


def test_live_draws_go_from_52_to_121_and_ura_lies_under_its_dora() -> None:
    assert (LIVE[0], LIVE[-1]) == (52, 121)
    assert DORA_INDICATORS == (130, 128, 126, 124, 122)
    assert tuple(index + 1 for index in DORA_INDICATORS) == URA_INDICATORS
    assert RINSHAN == (134, 135, 132, 133)


# --- the text of FAIRNESS.md, written again -------------------------------------------------------


def words_of(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        digest = hashlib.sha256(b"jantaku shuffle 1" + key + block.to_bytes(4, "big")).digest()
        for at in range(0, 32, 2):
            yield digest[at] * 256 + digest[at + 1]
        block += 1


def shuffle_by_the_text(key: bytes) -> tuple[list[int], int]:
    """The wall, and how many words were thrown away."""
    w = list(range(136))
    words = words_of(key)
    thrown_away = 0
    for last in range(135, 0, -1):
        n = last + 1
        limit = 65536 - (65536 % n)
        word = next(words)
        while word >= limit:
            thrown_away += 1
            word = next(words)
        j = word % n
        w[last], w[j] = w[j], w[last]
    return w, thrown_away


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


@given(keys)
def test_shuffle_is_the_shuffle_of_the_text(key: bytes) -> None:
    assert list(shuffle(key)) == shuffle_by_the_text(key)[0]


@given(seed=keys, number=st.integers(0, 2**32 - 1))
def test_key_of_a_hand_is_the_key_of_the_text(seed: bytes, number: int) -> None:
    text = hmac_sha256(seed, b"jantaku kyoku 1" + number.to_bytes(4, "big"))
    assert kyoku_key(seed, number) == text
    assert Wall.from_seed(seed, number) == Wall.from_key(text)


@given(seed=keys, contributions=st.lists(st.binary(max_size=40), max_size=4))
def test_mixed_seed_is_the_seed_of_the_text(seed: bytes, contributions: list[bytes]) -> None:
    message = b"jantaku entropy 1"
    for contribution in contributions:
        message += len(contribution).to_bytes(4, "big") + contribution
    assert mix_entropy(seed, contributions) == hmac_sha256(seed, message)


def test_vectors_of_the_page_hold() -> None:
    assert f"Its SHA-256 is `{commitment(SEED)}`" in PAGE
    mixed = mix_entropy(SEED, [b"", b"jantaku", bytes(40)])
    assert f"`seed'` is `{mixed.hex()}`" in PAGE
    rows = re.findall(
        r"^\| (seed'?) \| (\d+) \| `(\w+)` \| `(\w+)` \| ([\d ]+) \| ([\d ]+) \| `(\w+)` \|$",
        PAGE,
        re.MULTILINE,
    )
    assert len(rows) == 4
    for seed, number, key, committed, first, dead, digest in rows:
        wall = Wall.from_seed(mixed if seed == "seed'" else SEED, int(number))
        assert wall.key is not None
        assert wall.key.hex() == key
        assert wall.commitment == committed == hashlib.sha256(wall.key).hexdigest()
        assert wall.ids[:8] == tuple(map(int, first.split()))
        assert wall.ids[122:] == tuple(map(int, dead.split()))
        assert hashlib.sha256(bytes(wall.ids)).hexdigest() == digest
        assert shuffle_by_the_text(wall.key)[1] == (number == "30")


# --- the shuffle is fair --------------------------------------------------------------------------


@given(keys)
def test_a_shuffle_is_a_permutation_and_repeats(key: bytes) -> None:
    assert sorted(shuffle(key)) == list(range(136))
    assert shuffle(key) == shuffle(key)


def test_every_tile_comes_to_every_place_equally_often() -> None:
    hands = 4_000
    where = Counter()
    for number in range(hands):
        ids = shuffle(kyoku_key(SEED, number))
        where.update((index, ids[index]) for index in (0, 1, 67, 134, 135))
    # Chi-square with 135 degrees of freedom: mean 135, deviation 16.4; 217 is five of these.
    for index in (0, 1, 67, 134, 135):
        expected = hands / 136
        chi2 = sum((where[index, tile] - expected) ** 2 / expected for tile in range(136))
        assert 53 < chi2 < 217, (index, chi2)


def test_hands_of_a_match_have_unlike_walls() -> None:
    walls = [Wall.from_seed(SEED, number) for number in range(50)]
    assert len(set(walls)) == 50
    assert Wall.from_seed(bytes(32), 0) != walls[0]
    assert len({wall.commitment for wall in walls}) == 50


def test_contributions_cannot_be_shifted_between_players() -> None:
    assert mix_entropy(SEED, [b"ab", b"c"]) != mix_entropy(SEED, [b"a", b"bc"])
    assert mix_entropy(SEED, [b"", b"x"]) != mix_entropy(SEED, [b"x", b""])
    assert mix_entropy(SEED, [b"x"]) != mix_entropy(SEED, [b"x", b""])


# --- the value ------------------------------------------------------------------------------------


def test_a_wall_of_given_tiles_has_no_key() -> None:
    wall = Wall(range(136))
    assert wall.ids == tuple(range(136))
    assert (wall.key, wall.commitment) == (None, "")
    assert repr(wall) == "<Wall without commitment>"


def test_a_wall_may_know_its_commitment_before_its_key() -> None:
    key = kyoku_key(SEED, 0)
    wall = Wall(shuffle(key), commitment=commitment(key))
    assert wall.commitment == commitment(key)
    assert wall == Wall(shuffle(key), key, commitment(key))
    with pytest.raises(WallError, match="does not have the commitment that was published"):
        Wall(shuffle(key), key, commitment(SEED))


def test_a_printed_wall_tells_neither_tiles_nor_key() -> None:
    wall = Wall.from_seed(SEED, 0)
    assert repr(wall) == "<Wall 0fc19446637bea12>"
    assert str(wall) == repr(wall)


@pytest.mark.parametrize(
    ("ids", "says"),
    [
        (range(135), "wall: must have 136 tiles, not 135"),
        ((), "wall: must have 136 tiles, not 0"),
        ([*range(135), 136], "wall: 136 is no tile id (0..135)"),
        ([*range(135), -1], "wall: -1 is no tile id (0..135)"),
        ([*range(135), 7], "wall: tile 7 is there twice and tile 135 is missing"),
    ],
)
def test_tiles_that_are_no_wall_are_refused(ids: list[int], says: str) -> None:
    with pytest.raises(WallError) as error:
        Wall(ids)
    assert str(error.value) == says


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33), "0" * 32, None, bytearray(32)])
def test_seeds_and_keys_are_32_bytes(secret: bytes) -> None:
    for use in (
        shuffle,
        commitment,
        Wall.from_key,
        lambda seed: kyoku_key(seed, 0),
        lambda seed: mix_entropy(seed, []),
    ):
        with pytest.raises(WallError, match=r"(seed|key): must be 32 bytes, not "):
            use(secret)


@pytest.mark.parametrize("number", [-1, 2**32])
def test_hand_numbers_fit_in_32_bits(number: int) -> None:
    with pytest.raises(WallError, match="kyoku number: must be 0"):
        kyoku_key(SEED, number)


def test_page_names_the_labels_of_the_code() -> None:
    for label in ("_KYOKU_LABEL", "_ENTROPY_LABEL", "_SHUFFLE_LABEL"):
        assert f'"{getattr(wall_module, label).decode()}"' in PAGE
