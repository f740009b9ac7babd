"""Shanten, waits and decompositions: by example, by brute force, and beside xiangting."""

from __future__ import annotations

import random
from functools import cache

import pytest
import xiangting

from jantaku_engine.shapes import (
    Decomposition,
    decompositions,
    groupings,
    is_complete,
    shanten,
    suit_codes,
    waits,
    waits_of_codes,
)
from jantaku_engine.tiles import YAOCHUU, format_mpsz, kind_counts, parse_mpsz

FOUR = xiangting.PlayerCount.FOUR
SEED = 20


def counts_of(text: str) -> list[int]:
    return kind_counts(parse_mpsz(text))


def waits_text(text: str, melds: int = 0) -> str:
    mask = waits(counts_of(text), melds)
    return format_mpsz(kind for kind in range(34) if mask >> kind & 1)


def random_hand(chance: random.Random, size: int) -> list[int]:
    """Tiles of the whole set, or of a narrow part of it where groups and pairs abound."""
    whole = list(range(136))
    part = chance.choice(
        [
            whole,
            whole[:36],
            whole[:72],
            whole[108:] + whole[72:108],
            [tile for tile in whole if tile // 4 in YAOCHUU or tile < 16],
        ]
    )
    counts = [0] * 34
    for tile in chance.sample(part, size):
        counts[tile // 4] += 1
    return counts


def random_hands(number: int, seed: int, sizes: tuple[int, ...]) -> list[tuple[list[int], int]]:
    print(f"seed {seed}")
    chance = random.Random(seed)
    hands = []
    for _ in range(number):
        melds = chance.randrange(5)
        hands.append((random_hand(chance, chance.choice(sizes) - 3 * melds), melds))
    return hands


# --- brute force: the rules again, in the slowest way --------------------------------------------


@cache
def splits(counts: tuple[int, ...], groups: int, pairs: int) -> int:
    """In how many ways the tiles split into so many groups and pairs."""
    first = next((kind for kind in range(34) if counts[kind]), None)
    if first is None:
        return groups == 0 and pairs == 0
    total = 0
    parts = [((first,) * 3, 1, 0), ((first,) * 2, 0, 1)]
    if first < 27 and first % 9 < 7:
        parts.append(((first, first + 1, first + 2), 1, 0))
    for part, group, pair in parts:
        rest = list(counts)
        for kind in part:
            rest[kind] -= 1
        if min(rest) >= 0 and groups >= group and pairs >= pair:
            total += splits(tuple(rest), groups - group, pairs - pair)
    return total


def complete(counts: list[int], melds: int) -> bool:
    if splits(tuple(counts), 4 - melds, 1):
        return True
    if melds or sum(counts) != 14:
        return False
    return sorted(counts)[-7:] == [2] * 7 or (
        all(counts[kind] for kind in YAOCHUU)
        and not any(counts[kind] for kind in range(34) if kind not in YAOCHUU)
    )


def with_one(counts: list[int], kind: int, change: int = 1) -> list[int]:
    changed = list(counts)
    changed[kind] += change
    return changed


def test_waits_are_the_kinds_that_complete_the_hand() -> None:
    tenpai = 0
    for counts, melds in random_hands(1500, SEED, (13,)):
        expected = sum(1 << k for k in range(34) if complete(with_one(counts, k), melds))
        assert waits(counts, melds) == expected, (counts, melds)
        tenpai += expected != 0
    assert tenpai > 200


def test_is_complete_by_brute_force() -> None:
    chance = random.Random(SEED)
    done = 0
    for counts, melds in random_hands(1500, SEED, (13,)):
        mask = waits(counts, melds)
        kinds = [k for k in range(34) if mask >> k & 1] or [chance.randrange(34)]
        for kind in kinds:
            hand = with_one(counts, kind)
            assert is_complete(hand, melds) == complete(hand, melds), (hand, melds)
            done += is_complete(hand, melds)
    assert done > 300


def test_shanten_falls_by_one_at_best_and_is_zero_exactly_at_tenpai() -> None:
    """By induction this pins every value: 0 by brute force, each step down by search."""
    for counts, melds in random_hands(400, SEED + 1, (13,)):
        now = shanten(counts, melds)
        drawn = {
            kind: shanten(with_one(counts, kind), melds) for kind in range(34) if counts[kind] < 4
        }
        wins = [kind for kind in drawn if complete(with_one(counts, kind), melds)]
        assert (now == 0) == bool(wins), (counts, melds)
        assert [kind for kind, after in drawn.items() if after == -1] == wins
        assert min(drawn.values()) == now - 1
        for kind, after in drawn.items():
            hand = with_one(counts, kind)
            discarded = [shanten(with_one(hand, k, -1), melds) for k in range(34) if hand[k]]
            assert min(discarded) == max(after, 0), (hand, melds)
            assert max(discarded) <= after + 1


def test_decompositions_by_brute_force() -> None:
    hands = 0
    for counts, melds in random_hands(1500, SEED + 2, (13,)):
        mask = waits(counts, melds)
        for kind in range(34):
            hand = with_one(counts, kind)
            if not mask >> kind & 1:
                continue
            found = decompositions(hand, melds)
            assert len(found) == len(set(found))
            for pair, sequences, triplets in found:
                tiles = [pair] * 2 + [k for k in triplets for _ in range(3)]
                tiles += [low + step for low in sequences for step in range(3)]
                assert kind_counts(tiles) == hand
                assert len(sequences) + len(triplets) == 4 - melds
            assert bool(found) == bool(splits(tuple(hand), 4 - melds, 1))
            hands += 1
    assert hands > 500


# --- beside xiangting ----------------------------------------------------------------------------


def test_shanten_agrees_with_xiangting() -> None:
    """Its replacement number is shanten + 1; like ours, it never aims at a fifth copy."""
    for counts, melds in random_hands(20_000, SEED + 3, (13, 14)):
        expected = xiangting.calculate_replacement_number(counts, FOUR) - 1
        assert shanten(counts, melds) == expected, (counts, melds)


def test_waits_agree_with_xiangting() -> None:
    """Except for karaten: it leaves out kinds of which the hand has four."""
    tenpai = 0
    for counts, melds in random_hands(20_000, SEED + 4, (13,)):
        number, tiles = xiangting.calculate_necessary_tiles(counts, FOUR)
        expected = tiles if number == 1 else 0
        drawable = sum(1 << kind for kind in range(34) if counts[kind] < 4)
        assert waits(counts, melds) & drawable == expected, (counts, melds)
        tenpai += number == 1
    assert tenpai > 1000


# --- by example ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("234m456p67s22s345m", 0, "58s"),
        ("1112345678999m", 0, "123456789m"),
        ("19m19p19s1234567z", 0, "19m19p19s1234567z"),
        ("119m19p19s123456z", 0, "7z"),
        ("1133m5577p2299s4z", 0, "4z"),
        ("2345m678p345s666s", 0, "25m"),
        ("2333m", 3, "124m"),
        ("2233m", 3, "23m"),
        ("5z", 4, "5z"),
        ("23m55p", 3, "14m"),
        ("1144m55p", 2, ""),
        ("22334455667788p", 0, ""),
        ("222333444m55p", 1, ""),
    ],
)
def test_waits_of(hand: str, melds: int, expected: str) -> None:
    assert waits_text(hand, melds) == expected


def test_four_of_a_kind_is_not_two_pairs() -> None:
    """RULES 5.4: such seven pairs are not tenpai."""
    assert waits_text("1111m2233p4455s6z") == ""
    assert shanten(counts_of("1111m2233p4455s6z"), 0) == 2
    assert not is_complete(counts_of("1111m2233p4455s66z"), 0)


def test_a_third_tile_of_a_pair_leaves_seven_pairs_one_kind_short() -> None:
    assert shanten(counts_of("1133557m7799p11s"), 0) == 0
    assert shanten(counts_of("1113355m7799p11s"), 0) == 1
    assert waits_text("1113355m7799p11s") == ""


def test_a_fifth_copy_is_a_wait_but_no_tenpai_of_shanten() -> None:
    """Karaten (RULES 6.4): the shape waits for a tile that the hand holds four of."""
    assert waits_text("1111m", 3) == "1m"
    assert shanten(counts_of("1111m"), 3) == 1
    assert waits_text("1111m234p567s777z") == "1m"
    assert shanten(counts_of("1111m234p567s777z"), 0) == 1


def test_a_wait_for_a_fifth_copy_beside_a_live_wait() -> None:
    assert waits_text("1111234m", 2) == "14m"
    assert shanten(counts_of("1111234m"), 2) == 0


def test_a_hand_with_another_number_of_tiles_has_no_waits() -> None:
    assert waits_text("234m456p678s22345m") == ""
    assert waits_text("23m", 3) == ""


def test_melds_count_as_groups_and_rule_out_other_forms() -> None:
    assert shanten(counts_of("119m19p19s12z3z"), 1) > 1
    assert shanten(counts_of("119m19p19s123456z"), 0) == 0
    assert not is_complete(counts_of("1133m5577p2299s44z"), 1)


@pytest.mark.parametrize(
    ("hand", "melds", "expected"),
    [
        ("147m258p369s1234z", 0, 6),
        ("19m19p19s1234567z", 0, 0),
        ("147m258p3699s1234z", 0, 5),
        ("234m456p678s22z345m", 0, -1),
        ("5m5p", 4, 0),
        ("1m", 4, 0),
        ("147m2p", 3, 2),
    ],
)
def test_shanten_of(hand: str, melds: int, expected: int) -> None:
    assert shanten(counts_of(hand), melds) == expected


def test_decompositions_of_four_identical_sequences_and_triplets() -> None:
    found = decompositions(counts_of("222233334444m55p"), 0)
    assert Decomposition(13, (1, 1, 1, 1), ()) in found
    assert Decomposition(13, (1,), (1, 2, 3)) in found
    assert len(found) == 2


def splits_by_pair(text: str) -> int:
    """Different decompositions, counted by taking out each pair and ordering the rest."""
    counts = counts_of(text)
    found: set[tuple[int, tuple[tuple[int, ...], ...]]] = set()

    def search(rest: list[int], groups: tuple[tuple[int, ...], ...], pair: int) -> None:
        first = next((kind for kind in range(34) if rest[kind]), None)
        if first is None:
            found.add((pair, tuple(sorted(groups))))
            return
        for part in ((first,) * 3, (first, first + 1, first + 2)):
            if part[-1] >= 34 or (part[0] != part[-1] and (first >= 27 or first % 9 > 6)):
                continue
            less = list(rest)
            for kind in part:
                less[kind] -= 1
            if min(less) >= 0:
                search(less, (*groups, part), pair)

    for pair in range(34):
        if counts[pair] >= 2:
            search(with_one(counts, pair, -2), (), pair)
    return len(found)


@pytest.mark.parametrize(
    "text", ["11122233344455m", "22223333444455m", "11112222333344p", "33344455566677s"]
)
def test_the_number_of_decompositions(text: str) -> None:
    assert len(decompositions(counts_of(text), 0)) == splits_by_pair(text) > 1


def test_no_decomposition_of_other_forms_and_incomplete_hands() -> None:
    assert decompositions(counts_of("1133m5577p2299s44z"), 0) == ()
    assert decompositions(counts_of("19m19p19s12345677z"), 0) == ()
    assert decompositions(counts_of("234m456p678s22z346m"), 0) == ()
    assert decompositions(counts_of("22m22p22s22z"), 2) == ()


def test_honours_make_no_sequences() -> None:
    assert groupings(suit_codes(counts_of("123z"))[3], True) == ()
    assert groupings(suit_codes(counts_of("123m"))[0], False) == ((-1, (0,), ()),)


def test_codes_add_up() -> None:
    whole = suit_codes(counts_of("1123456m99p777z"))
    first = suit_codes(counts_of("112m9p7z"))
    second = suit_codes(counts_of("3456m9p77z"))
    assert whole == tuple(a + b for a, b in zip(first, second, strict=True))
    assert waits_of_codes(suit_codes(counts_of("23m55p")), 3) == waits(counts_of("23m55p"), 3)
