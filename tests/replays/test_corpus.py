"""The judge: every real game of the corpus goes through the engine without a difference."""

from __future__ import annotations

import pytest
import record_kit as kit

import paths

PARTS = 16
"""The corpus is verified in parts, so that several processes can share it."""


@pytest.mark.parametrize("part", range(PARTS))
def test_all_games_agree_in_everything(part: int) -> None:
    for row in paths.corpus_index()[part::PARTS]:
        name = row["name"]
        text = kit.corpus_texts()[name]
        tally = kit.check(text, name)
        assert [str(mismatch) for mismatch in tally.mismatches] == []
        assert tally.rounds == int(row["rounds"]), name
        assert tally.decisions == kit.count_decisions(text), name
        assert tally.wins == text.count("<AGARI "), name
        assert tally.draws == text.count("<RYUUKYOKU "), name
        assert tally.walls_checked == (tally.rounds if row["seeded"] != "no" else 0), name


def test_the_index_lists_every_game_of_the_archive() -> None:
    rows = paths.corpus_index()
    assert {row["name"] for row in rows} == set(kit.corpus_texts())
    assert len(rows) == 1203
    assert sum(int(row["rounds"]) for row in rows) == 11_042
