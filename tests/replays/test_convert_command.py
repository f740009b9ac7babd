"""`jantaku replay convert` as people and scripts use it."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
import record_kit as kit

from jantaku_clients.cli import main
from jantaku_engine.rules import Ruleset
from jantaku_replays import native
from jantaku_replays.files import parse, read_file


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit status, stdout, stderr."""
    status = main(["replay", "convert", *map(str, arguments)])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return status, captured.out, captured.err


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A native record."""
    path = tmp_path / "game.mjson"
    events = kit.play(Ruleset.preset("tenhou", length="tonpuu"), 2).events
    native.write(path, events, ("greedy", "", "", "random"))
    return path


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("out.mjson", "native"),
        ("out.mjson.gz", "native"),
        ("out.jsonl", "mjai"),
        ("out.json", "tenhou_json"),
        ("OUT.JSON.GZ", "tenhou_json"),
        ("out.xml", "tenhou_xml"),
        ("out.mjlog", "tenhou_xml"),
        ("out.xml.gz", "tenhou_xml"),
    ],
)
def test_the_ending_says_the_form(
    game: Path, capsys: pytest.CaptureFixture[str], name: str, form: str
) -> None:
    out = game.parent / name
    status, told, errors = run(capsys, game, out)
    assert (status, errors) == (0, "")
    assert told.count("\n") == 1
    assert out.read_bytes().startswith(b"\x1f\x8b") == name.lower().endswith(".gz")
    assert read_file(out).form == form


def test_one_line_says_what_is_dropped(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, told, _ = run(capsys, game, game.parent / "out.json")
    assert "without keys and commitments of the walls; who the bots are" in told
    _, told, _ = run(capsys, game, game.parent / "out.mjson")
    assert told.endswith(", nothing dropped\n")


def test_the_same_game_gives_the_same_bytes(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in ("mjson.gz", "jsonl", "json", "mjlog.gz"):
        written = []
        for copy in range(2):
            out = game.parent / f"{copy}.{ending}"
            assert run(capsys, game, out)[0] == 0
            written.append(out.read_bytes())
        assert written[0] == written[1]


def test_an_existing_file_stays_unless_forced(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = game.parent / "out.json"
    out.write_text("mine")
    status, _, errors = run(capsys, game, out)
    assert status == 2
    assert errors.endswith("out.json: exists (--force overwrites it)\n")
    assert out.read_text() == "mine"
    assert run(capsys, game, out, "--force")[0] == 0
    assert json.loads(out.read_text())["log"]


def test_nothing_is_left_when_it_cannot_be_written(
    game: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    status, _, errors = run(capsys, game, game.parent / "no" / "out.json")
    assert status == 2
    assert "cannot be written: No such file or directory" in errors

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    status, _, errors = run(capsys, game, game.parent / "out.json")
    assert "cannot be written: No space left on device" in errors
    assert [path.name for path in game.parent.iterdir()] == ["game.mjson"]


def test_a_folder_is_never_overwritten(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (game.parent / "out.json").mkdir()
    status, _, errors = run(capsys, game, game.parent / "out.json", "--force")
    assert status == 2
    assert "is no file, it is left alone" in errors


def test_names_are_hidden_on_request(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for ending in ("mjson", "jsonl", "json", "xml"):
        out = game.parent / f"out.{ending}"
        run(capsys, game, out, "--hide-names")
        record = read_file(out)
        assert record.names == ("A", "B", "C", "D")
        assert record.bots == ("", "", "", "")
        assert "Chika" not in out.read_text()
    assert "Chika" not in run(capsys, game, "--url", "--hide-names")[1]


def test_stdout_and_a_form_by_name(game: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["replay", "convert", str(game), "-", "--to", "mjai"]) == 0
    captured = capsysbinary.readouterr()
    assert parse(captured.out, "out").form == "mjai"
    assert captured.err.startswith(b"-: plain mjai")


def test_links_to_the_viewer_are_written_and_read(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, told, _ = run(capsys, game, "--url")
    links = told.splitlines()
    record = read_file(game)
    assert status == 0
    assert len(links) == len(record.kyokus)
    assert all(link.startswith("https://tenhou.net/6/#json=%7B%22title%22") for link in links)
    assert all(link.isascii() and link.isprintable() and " " not in link for link in links)
    out = game.parent / "hand.mjson"
    assert run(capsys, links[1], out)[0] == 0
    hand = read_file(out)
    assert not hand.whole
    assert [kyoku.title for kyoku in hand.kyokus] == [record.kyokus[1].title]
    # A file may hold the link, too.
    (game.parent / "link.txt").write_text(links[1] + "\n")
    assert read_file(game.parent / "link.txt").kyokus[0].title == hand.kyokus[0].title


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("https://tenhou.net/0/?log=2019050417gm-0029-0000-4f2a8622&tw=2", "is not fetched"),
        ("https://tenhou.net/6/#json=", "is no whole JSON"),
        ("https://tenhou.net/6/#json=%FF", "byte 0: is no UTF-8 text"),
        ("https://example.org/6/#json=%7B%7D", "is no link to Tenhou's viewer"),
    ],
)
def test_a_link_that_has_no_record(
    game: Path, capsys: pytest.CaptureFixture[str], link: str, why: str
) -> None:
    status, _, errors = run(capsys, link, game.parent / "out.mjson")
    assert status == 2
    assert why in errors
    assert errors.count("\n") == 1
    assert not (game.parent / "out.mjson").exists()


def test_a_record_that_does_not_verify_is_not_converted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.xml"
    path.write_text(kit.change(kit.TINY, 'ten="0,32000', 'ten="0,48000'))
    status, _, errors = run(capsys, path, tmp_path / "out.json")
    assert status == 2
    assert "E1-0, element 8: hora hora_points: the record has 48000, the engine 32000" in errors


def test_other_rules_are_named_for_forms_that_do_not_tell_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = kit.play(Ruleset.preset("mleague", length="tonpuu"), 3).events
    native.write(tmp_path / "game.mjson", events)
    run(capsys, tmp_path / "game.mjson", tmp_path / "game.jsonl")
    text = (tmp_path / "game.jsonl").read_text()
    head, rest = text.split("\n", 1)
    message = json.loads(head)
    del message["rules"]
    (tmp_path / "bare.jsonl").write_text(json.dumps(message) + "\n" + rest)
    bare = tmp_path / "bare.jsonl"
    assert run(capsys, bare, tmp_path / "out.mjson", "--rules", "mleague")[0] == 0
    assert read_file(tmp_path / "out.mjson").rules.preset_name == "mleague"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("game.mjson",), "name either OUT or --url"),
        (("game.mjson", "out.json", "--url"), "name either OUT or --url"),
        (("game.mjson", "out.txt"), "no form has this ending"),
        (("none.mjson", "out.json"), "none.mjson: cannot be read: No such file or directory"),
        (("game.mjson", "out.json", "--rules", "tenho"), "preset 'tenho' does not exist"),
    ],
)
def test_wrong_usage_is_one_line(
    game: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    why: str,
) -> None:
    monkeypatch.chdir(game.parent)
    status, told, errors = run(capsys, *arguments)
    assert (status, told) == (2, "")
    assert why in errors
    assert errors.count("\n") == 1


def test_a_part_of_a_game_cannot_be_tenhou_xml(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = run(capsys, game, "--url")[1].splitlines()[0]
    status, _, errors = run(capsys, link, game.parent / "out.xml")
    assert status == 2
    assert "Tenhou XML has no place for a part of a game" in errors
    assert run(capsys, link, game.parent / "out.jsonl")[0] == 0
    assert not read_file(game.parent / "out.jsonl").whole


def test_a_compressed_file_has_no_time_in_it(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = game.parent / "out.json.gz"
    run(capsys, game, out)
    data = out.read_bytes()
    assert data[4:8] == b"\x00" * 4
    assert json.loads(gzip.decompress(data))["name"][2] == "Chika"
