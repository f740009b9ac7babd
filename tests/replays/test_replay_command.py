"""`jantaku replay verify` as people and scripts use it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import record_kit as kit
from record_kit import TINY, change

from jantaku_clients.cli import main
from jantaku_engine.rules import Ruleset
from jantaku_replays import native

BOMB = '<!DOCTYPE x [<!ENTITY a "aa">]>'


def run(capsys: pytest.CaptureFixture[str], *paths: Path, as_json: bool = True) -> Any:
    """Exit status, the JSON object (or text), and the lines on stderr."""
    arguments = ["replay", "verify", *map(str, paths), *["--json"] * as_json]
    status = main(arguments)
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    out = json.loads(captured.out) if as_json else captured.out
    return status, out, captured.err.splitlines()


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.xml").write_text(text)


def test_records_that_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, a=TINY)
    events = kit.play(Ruleset(length="tonpuu"), 1).events
    native.write(tmp_path / "b.mjson.gz", events)
    rounds = sum(event.to_mjai()["type"] == "start_kyoku" for event in events)
    status, report, errors = run(capsys, tmp_path)
    assert (status, errors) == (0, [])
    assert list(report) == [
        "games",
        "rounds",
        "wins",
        "draws",
        "decisions",
        "walls_checked",
        "mismatches",
        "skipped",
    ]
    assert (report["games"], report["rounds"]) == (2, rounds + 1)
    assert report["walls_checked"] == rounds
    assert report["mismatches"] == report["skipped"] == []


def test_the_summary_counts_one_as_one_and_several_as_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, a=TINY)
    _, out, _ = run(capsys, tmp_path / "a.xml", as_json=False)
    assert out.startswith("1 game, 1 round, 1 win, 0 draws\n")
    write(tmp_path, b=change(TINY, 'ten="0,32000', 'ten="0,48000'))
    _, out, _ = run(capsys, tmp_path, as_json=False)
    assert "2 games, 2 rounds, 2 wins, 0 draws\n" in out
    assert re.search("^1 mismatch, 0 skipped", out, re.MULTILINE)


def test_a_record_that_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, a=TINY, b=change(TINY, 'ten="0,32000', 'ten="0,48000'))
    status, report, errors = run(capsys, tmp_path)
    assert (status, errors) == (1, [])
    assert report["mismatches"] == [
        {
            "file": str(tmp_path / "b.xml"),
            "kyoku": "E1-0",
            "what": "hora hora_points",
            "expected": 48_000,
            "got": 32_000,
        }
    ]
    status, text, errors = run(capsys, tmp_path, as_json=False)
    assert (status, errors) == (1, [])
    assert text.splitlines()[0] == (
        f"{tmp_path / 'b.xml'}: E1-0, element 8: hora hora_points: "
        "the record has 48000, the engine 32000"
    )
    assert text.splitlines()[-1] == ("1 mismatch, 0 skipped, 0 that cannot be read or are illegal")


def test_an_illegal_move_is_a_mismatch_and_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, a=change(TINY, "<D109/>", "<D77/>"), b=TINY)
    status, report, errors = run(capsys, tmp_path)
    assert status == 2
    assert report["games"] == 2
    assert [found["what"] for found in report["mismatches"]] == ["illegal move"]
    (line,) = errors
    assert f"{tmp_path / 'a.xml'}: E1-0, element 7: illegal move" in line


def test_other_games_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, a=change(TINY, 'type="9"', 'type="25"'), b=TINY)
    status, report, errors = run(capsys, tmp_path)
    assert (status, errors) == (0, [])
    assert report["games"] == 1
    assert report["skipped"] == [{"file": str(tmp_path / "a.xml"), "why": "a three-player game"}]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        ("hello", "is no record"),
        (TINY[: len(TINY) // 2], "element 3 <TAIKYOKU>: is no whole XML"),
        (BOMB + TINY, "declarations such as <!DOCTYPE are refused"),
        (change(TINY, "<T109/>", "<T136/>"), "element 5 <T136>: tile 136 is not in 0..135"),
        ('{"type":"start_game","jantaku":9}', "line 1: format version 9 is unknown"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_stops_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, why: str
) -> None:
    write(tmp_path, a=text, b=TINY)
    for as_json in (True, False):
        status, _, errors = run(capsys, tmp_path, as_json=as_json)
        assert status == 2
        (line,) = errors
        assert line.startswith(f"jantaku replay verify: {tmp_path / 'a.xml'}: ")
        assert why in line
    assert run(capsys, tmp_path)[1]["games"] == 1


def test_a_missing_path_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, b=TINY)
    status, report, errors = run(capsys, tmp_path / "no.xml", tmp_path / "b.xml")
    assert (status, report["games"]) == (2, 1)
    assert errors == [
        f"jantaku replay verify: {tmp_path / 'no.xml'}: cannot be read: No such file or directory"
    ]


def test_no_path_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "verify"]) == 2
    assert "PATH" in capsys.readouterr().err
    assert main(["replay"]) == 2
