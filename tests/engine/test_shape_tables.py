"""The shipped tables are what their generator makes."""

from __future__ import annotations

import importlib.util
import random

import pytest

import paths
from jantaku_engine import shape_tables

SPEC = importlib.util.spec_from_file_location(
    "make_tables", paths.CHECKOUT / "engine" / "make_tables.py"
)
assert SPEC
assert SPEC.loader
make = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make)

ALL_SUITS = list(make.suits(9))
SEED = 5


def rows_by_number(table: bytes, row_of, every) -> dict[int, set[tuple[int, ...]]]:
    found: dict[int, set[tuple[int, ...]]] = {}
    for counts in every:
        found.setdefault(table[make.code_of(counts)], set()).add(row_of(counts))
    return found


def test_there_are_405350_suits() -> None:
    assert len(ALL_SUITS) == 405_350


def test_every_number_of_a_row_means_one_row_and_two_together_lack_what_the_tables_say() -> None:
    print("seed", SEED)
    sample = random.Random(SEED).sample(ALL_SUITS, 20_000)
    suits = rows_by_number(shape_tables.SUIT_ROWS, make.suit_row, sample)
    honours = rows_by_number(shape_tables.HONOUR_ROWS, make.honour_row, make.suits(7))
    assert all(len(rows) == 1 for rows in (*suits.values(), *honours.values()))
    known = {**suits, **honours}
    assert max(known) < shape_tables.SINGLE
    assert all(suits[number] == honours[number] for number in suits.keys() & honours.keys())
    rows = {number: next(iter(found)) for number, found in known.items()}
    merged: dict[int, set[tuple[int, ...]]] = {}
    for a, x in rows.items():
        for b, y in rows.items():
            number = shape_tables.MERGED[a * shape_tables.SINGLE + b]
            merged.setdefault(number, set()).add(make.merge(x, y))
    assert all(len(found) == 1 for found in merged.values())
    assert max(merged) < shape_tables.DOUBLE
    for a, (x,) in merged.items():
        for b, (y,) in merged.items():
            whole = make.merge(x, y)
            for melds in range(5):
                place = (melds * shape_tables.DOUBLE + a) * shape_tables.DOUBLE + b
                assert shape_tables.LACKING[place] == whole[9 - melds]


def test_kinds_and_pairs_of_a_suit_are_counted() -> None:
    for counts in random.Random(SEED).sample(ALL_SUITS, 20_000):
        assert shape_tables.KINDS[make.code_of(counts)] == make.kinds_and_pairs(counts)


@pytest.mark.long
def test_the_generator_writes_the_module_again() -> None:
    path = paths.CHECKOUT / "engine" / "jantaku_engine" / "shape_tables.py"
    assert path.read_text(encoding="utf-8") == make.module(make.tables())
