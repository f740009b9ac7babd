"""Broken records of every form: one line each, with the place and the reason."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import record_kit as kit

from jantaku_engine.rules import Ruleset
from jantaku_replays import convert, native, tenhou_json_writer
from jantaku_replays.files import parse
from jantaku_replays.record import RecordError
from jantaku_replays.verify import verify

FORMS = ("native", "mjai", "tenhou-json", "tenhou-xml")
PLACE = re.compile(r"line \d+|column \d+|element \d+|hand \d+|byte \d+|character \d+|E1-0")


def game(form: str) -> str:
    """A game of Tenhou's rules in a form; its first hand has a pon."""
    events = kit.play(Ruleset.preset("tenhou", length="tonpuu"), 4).events
    record = convert.completed(parse(native.dumps(events).encode(), "game"))
    return convert.FORMS[form].dumps(record)


def line_about(data: bytes) -> str:
    """The reason why a record is refused, or the first difference that is found."""
    try:
        mismatches = verify(parse(data, "game")).mismatches
    except RecordError as error:
        return str(error)
    assert mismatches
    return mismatches[0].line


def assert_line(data: bytes, *reasons: str) -> None:
    line = line_about(data)
    assert "\n" not in line
    assert len(line) <= 1000
    assert any(reason in line for reason in reasons), line


def json_edit(text: str, change: Callable[[Any], object]) -> bytes:
    value = json.loads(text)
    change(value)
    return json.dumps(value).encode()


def lines_edit(text: str, change: Callable[[list[dict[str, Any]]], object]) -> bytes:
    lines = [json.loads(line) for line in text.splitlines()]
    change(lines)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


@pytest.mark.parametrize("form", FORMS)
def test_the_unbroken_record_is_fine(form: str) -> None:
    assert verify(parse(game(form).encode(), "game")).mismatches == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("part", [0.01, 0.3, 0.5, 0.9, 0.999])
def test_cut_off(form: str, part: float) -> None:
    text = game(form)
    data = text[: int(len(text) * part)].encode()
    line = line_about(data)
    assert PLACE.search(line), line


@pytest.mark.parametrize("form", FORMS)
def test_compressed_data_cut_off_is_no_form(form: str) -> None:
    with pytest.raises(RecordError, match="is no record"):
        parse(gzip.compress(game(form).encode())[:-20], "game")


@pytest.mark.parametrize(
    ("form", "data", "reason"),
    [
        ("native", lambda t: lines_edit(t, lambda v: v[1]["tehais"][2].pop()), "line 2"),
        ("mjai", lambda t: lines_edit(t, lambda v: v[1]["tehais"][2].pop()), "line 2"),
        ("tenhou-json", lambda t: json_edit(t, lambda v: v["log"][0][4].pop()), "12 entries"),
        (
            "tenhou-xml",
            lambda t: re.sub(r'hai0="\d+,', 'hai0="', t, count=1).encode(),
            "hai0 has 12 numbers, not 13",
        ),
        ("tenhou-json", lambda t: json_edit(t, lambda v: v["log"][0].pop()), "16 parts, not 17"),
        ("native", lambda t: lines_edit(t, lambda v: v[1]["scores"].pop()), "field scores"),
        ("mjai", lambda t: lines_edit(t, lambda v: v[1]["scores"].pop()), "3 entries, not 4"),
    ],
)
def test_wrong_counts(form: str, data: Callable[[str], bytes], reason: str) -> None:
    assert_line(data(game(form)), reason)


def five_of_a_kind(hand: list[Any], tile: Any) -> None:
    hand[:5] = [tile] * 5


@pytest.mark.parametrize("form", FORMS)
def test_a_tile_five_times(form: str) -> None:
    text = game(form)
    if form == "tenhou-json":
        data = json_edit(text, lambda v: five_of_a_kind(v["log"][0][4], 41))
    elif form == "tenhou-xml":
        data = re.sub(r'hai0="\d+,\d+', 'hai0="1,1', text, count=1).encode()
    else:
        data = lines_edit(text, lambda v: five_of_a_kind(v[1]["tehais"][0], "E"))
        if form == "native":
            # With its key a native record has the tiles of that wall, whatever it shows.
            data = re.sub(rb'"wall_(key|hash)": "\w+"', rb'"x": ""', data)
    assert_line(data, "more often than the set has", "hai0 has a tile twice")


@pytest.mark.parametrize("form", FORMS)
def test_a_call_that_nobody_could_make(form: str) -> None:
    """A pon of somebody who does not hold the tiles, right after the first discard."""
    text = game(form)
    if form == "tenhou-json":
        data = json_edit(text, lambda v: v["log"][0][8].insert(0, "47p4747"))
    elif form == "tenhou-xml":
        data = re.sub(r"(<D\d+/>)", r'\1<N who="2" m="51242"/>', text, count=1).encode()
    else:

        def pon(lines: list[dict[str, Any]]) -> None:
            tile = lines[3]["pai"]
            lines.insert(
                4,
                {"type": "pon", "actor": 2, "target": 0, "pai": tile, "consumed": [tile, tile]},
            )

        data = lines_edit(text, pon)
    assert_line(data, "is illegal", "no order of play is legal")


@pytest.mark.parametrize("form", FORMS)
def test_wrong_scores(form: str) -> None:
    text = game(form)
    if form == "tenhou-json":
        data = json_edit(text, lambda v: v["log"][1].__setitem__(1, [25_100] * 4))
    elif form == "tenhou-xml":
        second = text.index("<INIT", text.index("<INIT") + 1)
        changed = re.sub(r'ten="[^"]*"', 'ten="0,1,2,3"', text[second:], count=1)
        data = (text[:second] + changed).encode()
    else:

        def scores(lines: list[dict[str, Any]]) -> None:
            starts = [line for line in lines if line["type"] == "start_kyoku"]
            starts[1]["scores"] = [25_100] * 4

        data = lines_edit(text, scores)
    line = line_about(data)
    assert "start_kyoku scores" in line
    assert re.search(r"(line|element|hand) \d+: ", line)


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 290_000,
        b'{"log":' + b"[" * 290_000,
        b'{"type":"start_game","names":' + b"[" * 290_000,
        b'{"type":"start_game","jantaku":1,"rules":' + b'{"a":' * 290_000,
        b"<mjloggm>" + b"<a>" * 1_000_000,
        b"https://tenhou.net/6/#json=" + b"%5B" * 290_000,
    ],
    ids=["list", "log", "mjai", "native", "xml", "link"],
)
def test_endless_nesting(data: bytes) -> None:
    assert_line(data, "nested too deeply", "has an element <a> inside", "is no JSON", "is no whole")


@pytest.mark.parametrize("of", [b"[],", b"0,", b"{},"])
@pytest.mark.parametrize("beginning", [b'{"log":[', b"[", b'{"type":"start_game","names":['])
def test_megabytes_of_values_are_not_parsed(beginning: bytes, of: bytes) -> None:
    # The parser would stop everything else for a second, and a packed record of it is tiny.
    assert_line(beginning + of * 2_000_000 + b"0]}", "has more than 300,000 values")


@pytest.mark.parametrize("line", [b"", b"{", b"{}"])
def test_megabytes_of_lines_are_not_read(line: bytes) -> None:
    data = b'{"type":"start_game"}\n' + (line + b"\n") * 2_000_000
    assert_line(data, "has more than 500,000 lines")


@pytest.mark.parametrize("form", FORMS)
def test_another_encoding(form: str) -> None:
    text = game(form).replace("Aoi", "葵")
    data = text.encode("shift-jis") if form != "tenhou-xml" else b"\xff\xfe" + b"<\x00\x00\xd8"
    line = line_about(data)
    assert re.search(r"byte \d+: is no UTF-(8|16) text", line), line


@pytest.mark.parametrize("form", FORMS)
def test_what_a_link_or_file_says_is_shown_on_one_bounded_line(form: str) -> None:
    text = game(form)
    for name, value in (("E", "x" * 100_000), ("5", "\\n" * 10_000)):
        changed = text.replace(f'"{name}"', f'"{value}"', 1)
        if changed != text:
            line = line_about(changed.encode())
            assert "\n" not in line
            assert len(line) <= 1000


def test_links_of_the_writer_are_whole_records() -> None:
    record = convert.completed(parse(game("native").encode(), "game"))
    for link in tenhou_json_writer.links(record):
        assert verify(parse(link.encode(), "link")).mismatches == []
