"""Real games through every form: XML, native, mjai, Tenhou JSON, native, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import chain_kit
import pytest
import record_kit as kit

import paths
from jantaku_engine.events import EndGame, Hora, Ryukyoku
from jantaku_engine.rules import PRESETS, Ruleset
from jantaku_replays import convert, mjai_log, native
from jantaku_replays.files import parse

PARTS = 8
EACH = 4
"""Games with each feature; the sample has 141 of the 1,203."""


@pytest.mark.parametrize("part", range(PARTS))
def test_games_with_rare_things_come_back_equal(part: int) -> None:
    names = chain_kit.rare_games(EACH)
    assert 130 <= len(names) <= 160
    assert chain_kit.run_chain(names[part::PARTS]) > 15


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_all_games_come_back_equal(part: int) -> None:
    names = [row["name"] for row in paths.corpus_index()]
    assert len(names) == 1203
    assert chain_kit.run_chain(names[part::PARTS]) >= 1203 // PARTS


@pytest.mark.parametrize("part", range(PARTS))
def test_tenhou_xml_comes_back_with_its_seed_and_walls(part: int) -> None:
    names = chain_kit.rare_games(1)
    for name in names[part::PARTS]:
        first = convert.completed(parse(kit.corpus_texts()[name].encode(), name))
        again = chain_kit.through(chain_kit.through(first, "native"), "tenhou-xml")
        chain_kit.assert_same_game(first, again)
        assert again.shuffle == first.shuffle
        if first.shuffle:
            assert all(kyoku.derived for kyoku in again.kyokus)
            assert [k.wall for k in again.kyokus] == [k.wall for k in first.kyokus]


@pytest.mark.parametrize("part", range(PARTS))
def test_an_independent_reader_takes_our_mjai(part: int, tmp_path: Path) -> None:
    """`riichienv` reads it as a game of Tenhou's and has the same scores after every hand."""
    riichienv = pytest.importorskip("riichienv")
    names = [row["name"] for row in paths.corpus_index()][::6][:200]
    assert len(names) == 200
    for name in names[part::PARTS]:
        record = convert.completed(parse(kit.corpus_texts()[name].encode(), name))
        path = tmp_path / "game.jsonl"
        path.write_text(mjai_log.dumps(record), encoding="utf-8")
        replay = riichienv.MjaiReplay.from_jsonl(str(path), rule="tenhou")
        theirs = [kyoku.take_grp_features() for kyoku in replay.take_kyokus()]
        ends = [
            next(e for e in reversed(kyoku.events) if isinstance(e, Hora | Ryukyoku))
            for kyoku in record.kyokus
        ]
        assert [t["round_end_scores"] for t in theirs] == [list(e.scores) for e in ends], name
        final = record.end[0]
        assert isinstance(final, EndGame)
        # They leave the last deposits on the table, we give them to the first place.
        their_final = list(theirs[-1]["round_end_scores"])
        left = sum(final.scores) - sum(their_final)
        their_final[their_final.index(max(their_final))] += left
        assert their_final == list(final.scores), name


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_comes_back_from_every_form(preset: str) -> None:
    """Rules that a form has no place for stand in an extra field."""
    for seed, length in enumerate(("tonpuu", "hanchan")):
        print(f"seed {seed}")
        events = kit.play(Ruleset.preset(preset, length=length), seed).events
        record = convert.completed(parse(native.dumps(events).encode(), "game"))
        for form in convert.FORMS:
            chain_kit.assert_same_game(record, chain_kit.through(record, form))


@pytest.mark.parametrize(
    "options",
    [
        {"noten_declaration": True},
        {"start": 35_000, "target": 40_000},
        {"aka_dora": {"m": 0, "p": 2, "s": 1}},
        {"leftover_riichi": "split"},
        {"call_priority": "first_declared", "multi_ron": "triple"},
    ],
    ids=str,
)
def test_single_options_come_back_from_every_form(options: dict[str, object]) -> None:
    events = kit.play(Ruleset(length="tonpuu", **options), 3).events  # type: ignore[arg-type]
    record = convert.completed(parse(native.dumps(events).encode(), "game"))
    for form in convert.FORMS:
        chain_kit.assert_same_game(record, chain_kit.through(record, form))


def test_games_of_tenhou_need_no_extra_field() -> None:
    """What is written of them is nothing but the forms of the field."""
    text = kit.corpus_texts()[kit.games_with("double_ron")[0]]
    record = convert.completed(parse(text.encode(), "game"))
    if record.rules.preset_name == "tenhou":
        head = json.loads(mjai_log.dumps(record).split("\n", 1)[0])
        assert head.keys() == {"type", "names", "kyoku_first", "aka_flag"}
    assert "jantaku" not in convert.FORMS["tenhou-json"].dumps(record)
    assert "jantaku" not in convert.FORMS["tenhou-xml"].dumps(record)
