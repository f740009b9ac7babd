"""Readings and waits of a hand by trying everything; shares nothing with the engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jantaku_engine.tiles import KIND

YAOCHUU = (0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33)
Counts = tuple[int, ...]


@lru_cache(40_000)
def splits(counts: Counts) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Every way to split tiles into groups: (lowest kind, 0 run or 1 triplet), sorted."""
    if not any(counts):
        return ((),)
    low = next(kind for kind in range(34) if counts[kind])
    found = set()
    if counts[low] >= 3:
        rest = list(counts)
        rest[low] -= 3
        found |= {tuple(sorted((*split, (low, 1)))) for split in splits(tuple(rest))}
    if low < 27 and low % 9 < 7 and counts[low + 1] and counts[low + 2]:
        rest = list(counts)
        for kind in (low, low + 1, low + 2):
            rest[kind] -= 1
        found |= {tuple(sorted((*split, (low, 0)))) for split in splits(tuple(rest))}
    return tuple(sorted(found))


@lru_cache(40_000)
def readings(counts: Counts) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """(pair, groups) of every reading as groups and a pair."""
    found = []
    for pair in range(34):
        if counts[pair] >= 2:
            rest = list(counts)
            rest[pair] -= 2
            found += [(pair, split) for split in splits(tuple(rest))]
    return tuple(found)


def complete(counts: Counts) -> bool:
    """Groups and a pair, seven different pairs, or thirteen orphans."""
    if readings(counts):
        return True
    if sum(counts) != 14:
        return False
    return sum(count == 2 for count in counts) == 7 or (
        all(counts[kind] for kind in YAOCHUU) and sum(counts[kind] for kind in YAOCHUU) == 14
    )


@lru_cache(40_000)
def waits(counts: Counts) -> frozenset[int]:
    """Kinds that complete the shape, a fifth copy too."""
    found = set()
    for kind in range(34):
        more = list(counts)
        more[kind] += 1
        if complete(tuple(more)):
            found.add(kind)
    return frozenset(found)


def counted(tiles: Sequence[int]) -> Counts:
    counts = [0] * 34
    for tile in tiles:
        counts[KIND[tile]] += 1
    return tuple(counts)
