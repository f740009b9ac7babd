"""A game through every form and back, each stage verified."""

from __future__ import annotations

import record_kit as kit

import paths
from jantaku_engine import events as ev
from jantaku_engine.events import Event
from jantaku_replays import convert
from jantaku_replays.files import parse
from jantaku_replays.record import Record


def through(record: Record, form: str) -> Record:
    """The record written in a form and read again; both are without a difference."""
    text = convert.convert(record, convert.FORMS[form]).text
    return convert.completed(parse(text.encode(), record.name))


def chain(text: str, name: str) -> tuple[Record, Record]:
    """A Tenhou XML game at the start and at the end: native, mjai, Tenhou JSON, native."""
    start = convert.completed(parse(text.encode(), name))
    record = start
    for form in ("native", "mjai", "tenhou-json", "native"):
        record = through(record, form)
        assert record.form == {"tenhou-json": "tenhou_json"}.get(form, form)
    return start, record


def bare(event: Event) -> dict[str, object]:
    """An event without the keys and commitments of walls, which only native records have."""
    message = event.to_mjai()
    message.pop("wall_hash", None)
    message.pop("wall_key", None)
    return message


def assert_same_game(start: Record, end: Record) -> None:
    """Everything is equal but the walls' seed and tiles that were never seen."""
    assert end.rules == start.rules, start.name
    assert end.names == start.names, start.name
    assert end.whole == start.whole, start.name
    assert len(end.kyokus) == len(start.kyokus), start.name
    for before, after in zip(start.kyokus, end.kyokus, strict=True):
        for left, right in zip(before.events, after.events, strict=True):
            assert bare(right) == bare(left), f"{start.name}, {before.title}"
    assert end.end[0] == start.end[0], start.name
    assert isinstance(end.end[0], ev.EndGame)


def rare_games(each: int) -> list[str]:
    """Names of the shortest games with each feature that the index knows."""
    rows = sorted(paths.corpus_index(), key=lambda row: int(row["rounds"]))
    features = {feature for row in rows for feature in row["features"].split(",")}
    chosen: dict[str, None] = {}
    for feature in sorted(features):
        with_it = [row["name"] for row in rows if feature in row["features"].split(",")]
        chosen |= dict.fromkeys(with_it[:each])
    return sorted(chosen)


def run_chain(names: list[str]) -> int:
    """The chain on some games of the corpus; how many."""
    for name in names:
        assert_same_game(*chain(kit.corpus_texts()[name], name))
    return len(names)
