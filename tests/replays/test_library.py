"""`jantaku_replays.read`: games, hands, events and tables for programs."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
import record_kit as kit

import jantaku_replays
from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_replays import NotRiichiError, RecordError, convert, native, tenhou_json_writer
from jantaku_replays.files import parse


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One game in every form."""
    events = kit.play(Ruleset.preset("tenhou", length="tonpuu"), 2).events
    record = convert.completed(parse(native.dumps(events).encode(), "game"))
    for form in convert.FORMS.values():
        (tmp_path / f"game{form.suffixes[0]}").write_text(form.dumps(record))
    return tmp_path


def test_every_form_gives_the_same_game(folder: Path) -> None:
    games = list(jantaku_replays.read(folder))
    assert [game.form for game in games] == ["tenhou_json", "mjai", "native", "tenhou_xml"]
    for game in games:
        assert game.differences == []
        assert game.whole
        assert game.names == ("Aoi", "Beni", "Chika", "Daigo")
        assert game.rules == Ruleset.preset("tenhou", length="tonpuu")
        assert game.end == games[0].end
        assert [hand.title for hand in game] == [hand.title for hand in games[0]]
        for hand, other in zip(game, games[0], strict=True):
            # Only a native record has the wall's commitment and key, in the first and last.
            assert hand.events[1:-1] == other.events[1:-1]
    assert [hand.wall_known for hand in games[2]] == [True] * len(games[2])
    assert not any(hand.wall_known for hand in games[0])


def test_the_table_goes_along_with_the_events(folder: Path) -> None:
    (game,) = jantaku_replays.read(folder / "game.json")
    for hand in game:
        scores: list[int] = []
        for event, table in hand.steps():
            if isinstance(event, ev.Tsumo):
                assert table.hands[event.actor].drawn == event.pai
            scores = list(table.scores)
        last = next(e for e in reversed(hand.events) if isinstance(e, ev.Hora | ev.Ryukyoku))
        assert scores == list(last.scores)


def test_states_are_a_seats_and_can_be_kept(folder: Path) -> None:
    (game,) = jantaku_replays.read(folder / "game.jsonl")
    states = list(game.hands[0].states(seat=2))
    assert len(states) == len(game.hands[0].events)
    assert states[0].table.hands[2].known
    assert not states[0].table.hands[0].known
    assert [state.table.live_left for state in states[:4]] == [70, 69, 69, 68]


def test_archives_and_links_are_read(folder: Path) -> None:
    with zipfile.ZipFile(folder / "games.zip", "w") as archive:
        archive.write(folder / "game.json", "a.json")
        archive.write(folder / "game.xml", "b.xml")
    assert len(list(jantaku_replays.read(folder / "games.zip"))) == 2
    (game,) = jantaku_replays.read(folder / "game.xml")
    (link, *_) = tenhou_json_writer.links(game.record)
    (hand,) = jantaku_replays.read(link)
    assert not hand.whole
    assert len(hand) == 1


def test_differences_are_kept_beside_the_game(folder: Path) -> None:
    path = folder / "game.mjson"
    path.write_text(path.read_text().replace('"kyotaku":0', '"kyotaku":1', 1))
    (game,) = jantaku_replays.read(path)
    assert [difference.what for difference in game.differences] == ["start_kyoku kyotaku"]
    start = game.hands[0].events[0]
    assert isinstance(start, ev.StartKyoku)
    assert start.kyotaku == 0


def test_what_cannot_be_read_is_named_or_passed_over(folder: Path) -> None:
    (folder / "a.json").write_text("{}")
    (folder / "b.xml").write_text(kit.change(kit.TINY, 'type="9"', 'type="25"'))
    with pytest.raises(RecordError, match=r"a\.json: is no Tenhou JSON"):
        list(jantaku_replays.read(folder / "a.json"))
    with pytest.raises(NotRiichiError, match=r"b\.xml: a three-player game"):
        list(jantaku_replays.read(folder / "b.xml"))
    assert len(list(jantaku_replays.read(folder, skip_bad=True))) == 4
    with pytest.raises(RecordError, match="has no records"):
        list(jantaku_replays.read(str(_empty(folder))))


def _empty(folder: Path) -> Path:
    (folder / "empty").mkdir()
    return folder / "empty"
