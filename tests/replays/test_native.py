"""The native record: written, read back, verified; and everything that it must not be."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import record_kit as kit

from jantaku_engine import events as ev
from jantaku_engine.rules import PRESETS, Ruleset
from jantaku_replays import native
from jantaku_replays.files import parse
from jantaku_replays.record import NotRiichiError, RecordError
from jantaku_replays.verify import replay, verify

BOTS = ("random", "random", "greedy", "")


def played(seed: int = 1) -> str:
    return native.dumps(kit.play(Ruleset(length="tonpuu"), seed).events, BOTS)


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def text_of(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def first(lines: list[dict[str, Any]], type_: str) -> dict[str, Any]:
    return next(line for line in lines if line["type"] == type_)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_of_every_preset_verifies_with_its_walls(preset: str) -> None:
    for seed in range(3):
        match = kit.play(Ruleset.preset(preset), seed)
        tally = kit.check(native.dumps(match.events), "game.mjson")
        assert tally.mismatches == [], f"seed {seed}"
        assert tally.rounds == tally.walls_checked == match.dealt
        assert tally.wins == sum(isinstance(event, ev.Hora) for event in match.events)


@pytest.mark.parametrize(
    "options",
    [
        {"noten_declaration": True},
        {"kan_dora_timing": "ankan_now_minkan_after_pass"},
        {"open_riichi": True},
        {"call_priority": "first_declared"},
        {"multi_ron": "double", "sanchahou": True},
        {"aka_dora": {"m": 0, "p": 4, "s": 2}},
        {"nagashi": "win"},
    ],
)
def test_a_game_of_rare_rules_verifies(options: dict[str, Any]) -> None:
    for seed in range(6):
        match = kit.play(Ruleset(length="tonpuu", **options), seed)
        tally = kit.check(native.dumps(match.events), "game.mjson")
        assert tally.mismatches == [], f"seed {seed}"


def test_the_first_line_names_version_rules_players_and_bots() -> None:
    head = lines_of(played())[0]
    assert head["type"] == "start_game"
    assert head["jantaku"] == native.FORMAT == 1
    assert head["rules"]["length"] == "tonpuu"
    assert head["names"] == ["Aoi", "Beni", "Chika", "Daigo"]
    assert head["bots"] == list(BOTS)


def test_every_decision_is_counted() -> None:
    lines = lines_of(played())
    counted = sum(
        line["type"]
        in ("tsumo", "dahai", "chi", "pon", "daiminkan", "kakan", "ankan", "reach", "hora")
        or line.get("reason") == "kyuushu_kyuuhai"
        for line in lines
    )
    assert kit.check(played(), "game.mjson").decisions == counted


@pytest.mark.parametrize("name", ["game.mjson", "game.mjson.gz"])
def test_a_written_file_is_the_same_game_each_time(tmp_path: Path, name: str) -> None:
    events = kit.play(Ruleset(length="tonpuu"), 1).events
    path = tmp_path / name
    native.write(path, events, BOTS)
    data = path.read_bytes()
    native.write(path, events, BOTS)
    assert path.read_bytes() == data
    text = gzip.decompress(data) if name.endswith(".gz") else data
    record = parse(text, name)
    assert record.bots == BOTS
    assert replay(record)[1].events == events


def test_a_real_game_becomes_a_native_record() -> None:
    name = kit.games_with("abort_ron3")[0]
    _, match = replay(parse(kit.corpus_texts()[name].encode(), name))
    tally = kit.check(native.dumps(match.events), "game.mjson")
    assert tally.mismatches == []
    # Its walls come from no key of ours: they are rebuilt from what the record shows.
    assert tally.walls_checked == 0
    assert tally.decisions == kit.count_decisions(kit.corpus_texts()[name])


def tampered(change: Callable[[list[dict[str, Any]]], None]) -> tuple[list[str], int, int]:
    lines = lines_of(played())
    change(lines)
    tally = verify(parse(text_of(lines).encode(), "game.mjson"))
    return kit.whats(tally.mismatches), tally.rounds, tally.walls_checked


@pytest.mark.parametrize(
    ("type_", "field", "value", "what"),
    [
        ("start_kyoku", "scores", [25_100, 24_900, 25_000, 25_000], "start_kyoku scores"),
        ("start_kyoku", "honba", 1, "start_kyoku honba"),
        ("start_kyoku", "kyotaku", 1, "start_kyoku kyotaku"),
        ("start_kyoku", "wall_hash", "00" * 32, "start_kyoku wall_hash"),
        ("hora", "fan", 12, "hora fan"),
        ("hora", "fu", 110, "hora fu"),
        ("hora", "deltas", [1, 2, 3, 4], "hora deltas"),
        ("hora", "scores", [1, 2, 3, 4], "hora scores"),
        ("hora", "yakus", [["haitei_raoyue", 1]], "hora yakus"),
        ("hora", "dora", 9, "hora dora"),
        ("hora", "limit", "sanbaiman", "hora limit"),
        ("hora", "hora_points", 100, "hora hora_points"),
        ("reach_accepted", "scores", [1, 2, 3, 4], "reach_accepted scores"),
        ("end_game", "points", [1, 2, 3, 4], "end_game points"),
        ("end_game", "ranks", [4, 4, 4, 4], "end_game ranks"),
        ("end_game", "scores", [1, 2, 3, 4], "end_game scores"),
    ],
)
def test_one_change_is_one_mismatch(type_: str, field: str, value: Any, what: str) -> None:
    def change(lines: list[dict[str, Any]]) -> None:
        line = first(lines, type_)
        assert line[field] != value
        line[field] = value

    found, rounds, walls = tampered(change)
    assert found == [what]
    assert walls == (rounds - 1 if "wall" in what else rounds)


def test_another_key_gives_another_wall() -> None:
    def change(lines: list[dict[str, Any]]) -> None:
        first(lines, "end_kyoku")["wall_key"] = "00" * 32

    found, _, walls = tampered(change)
    assert "start_kyoku wall_hash" in found
    assert "start_kyoku tehais" in found
    assert walls == 0


def test_a_discard_of_another_tile_is_illegal() -> None:
    def change(lines: list[dict[str, Any]]) -> None:
        start = first(lines, "start_kyoku")
        hand = start["tehais"][0]
        tile = next(name for name in start["tehais"][1] if name not in hand)
        first(lines, "dahai").update(pai=tile, tsumogiri=False)

    found, rounds, _ = tampered(change)
    assert (found, rounds) == (["illegal move"], 1)


def test_a_win_that_is_none_is_illegal() -> None:
    def change(lines: list[dict[str, Any]]) -> None:
        index = next(i for i, line in enumerate(lines) if line["type"] == "dahai")
        hora = dict(first(lines, "hora"), actor=0, target=0)
        lines[index:index] = [hora]

    assert tampered(change)[0] == ["illegal move"]


Edit = Callable[[list[dict[str, Any]]], object]


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda lines: lines[0].update(jantaku=2), "line 1: format version 2 is unknown"),
        (lambda lines: lines[0].update(jantaku="1"), "line 1: is no Jantaku record"),
        (lambda lines: lines[0].update(jantaku=True), "line 1: is no Jantaku record"),
        (lambda lines: lines[0].update(rules={"kuikea": 1}), "line 1: option 'kuikea' does not"),
        (lambda lines: lines[0].update(rules={"preset": "x"}), "line 1: preset 'x' does not"),
        (lambda lines: lines[0].update(rules=3), "line 1: rules: must be an object"),
        (lambda lines: lines[0].update(bots=["a"]), "line 1: bots must be four texts"),
        (lambda lines: lines[0].update(bots=[1, 2, 3, 4]), "line 1: bots must be four texts"),
        (lambda lines: lines[0].update(names=["a"]), "line 1: start_game: field names"),
        (lambda lines: lines.pop(0), "line 1: a record begins with start_game"),
        (lambda lines: lines.insert(1, lines[0]), "line 2: a second start_game"),
        (lambda lines: lines.pop(1), "line 2: tsumo stands outside a hand"),
        (lambda lines: lines.insert(2, lines[1]), "line 3: a hand begins before the last one"),
        (lambda lines: lines.append(lines[1]), r"line \d+: stands after end_game"),
        (lambda lines: lines.pop(), "ends before the game does"),
        (lambda lines: lines.__delitem__(slice(9, None)), "line 9: the record ends before"),
        (lambda lines: lines[2].update(type="nuki"), "line 3: type: 'nuki' is no event"),
        (lambda lines: lines[2].update(pai="9z"), "line 3: tsumo: field pai: '9z' is no tile"),
        (lambda lines: lines[2].update(pai="?"), r"line 3: has hidden tiles"),
        (lambda lines: lines[1].update(scores=[0]), "line 2: start_kyoku: field scores"),
        (
            lambda lines: lines.__setitem__(slice(3, 3), [lines[2]] * 70),
            "line 73: the wall has only 70 draws",
        ),
    ],
)
def test_what_is_no_record_is_refused_by_its_line(edit: Edit, why: str) -> None:
    lines = lines_of(played())
    edit(lines)
    with pytest.raises(RecordError, match=why):
        parse(text_of(lines).encode(), "game.mjson")


def test_five_of_a_tile_cannot_be_without_a_key() -> None:
    lines = lines_of(played())
    first(lines, "end_kyoku").pop("wall_key")
    first(lines, "start_kyoku")["tehais"] = [["1m"] * 13] * 4
    with pytest.raises(RecordError, match="the hand at line 2: shows 1m more often than the set"):
        parse(text_of(lines).encode(), "game.mjson")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("[" * 100_000, "line 2, column 101: is nested too deeply"),
        ('{"a":' * 100_000, "line 2, column 501: is nested too deeply"),
        ("{", "line 2, column 2: is no JSON"),
        ("[1]", "line 2: is no JSON object"),
        ("null", "line 2: is no JSON object"),
        (
            '{"type":"end_game","points":[NaN,0,0,0]}',
            "line 2, column 30: is no JSON .NaN is no JSON number",
        ),
        ('{"type":"end_game","points":[1e999,0,0,0]}', "line 2: end_game: field"),
        (
            '{"type":"tsumo","actor":' + "1" * 5000 + "}",
            "line 2, column 25: a number of 5,000 digits is",
        ),
        ('{"type":"tsumo"}', "line 2: tsumo: field actor is missing"),
    ],
)
def test_lines_that_are_no_message(line: str, why: str) -> None:
    text = json.dumps(lines_of(played())[0]) + "\n" + line + "\n"
    with pytest.raises(RecordError, match=why):
        parse(text.encode(), "game.mjson")


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(RecordError, match="byte 1: is no UTF-8 text"):
        parse(b"{\xff}", "game.mjson")


def test_three_players_are_another_game() -> None:
    lines = lines_of(played())
    lines[0]["names"] = ["a", "b", "c"]
    with pytest.raises(NotRiichiError, match="a game of 3 players"):
        parse(text_of(lines).encode(), "game.mjson")


def test_only_whole_games_of_four_are_written() -> None:
    events = kit.play(Ruleset(length="tonpuu"), 1).events
    with pytest.raises(ValueError, match="begins with start_game"):
        native.dumps(events[1:])
    with pytest.raises(ValueError, match="has four bots"):
        native.dumps(events, ("random",))
