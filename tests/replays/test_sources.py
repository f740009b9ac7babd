"""Wherever a record is read: links, stdin, any UTF, other rules, and errors with their place."""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from pathlib import Path

import pytest
import record_kit as kit

from jantaku_clients.cli import main
from jantaku_engine.rules import Ruleset
from jantaku_replays import convert, native, tenhou_json_writer
from jantaku_replays.files import RecordFiles, parse
from jantaku_replays.record import Record, RecordError
from jantaku_replays.verify import verify

FORMS = ("native", "mjai", "tenhou-json", "tenhou-xml")
COMMANDS = ("verify", "show", "prove", "stats")


@pytest.fixture(scope="module")
def record() -> Record:
    events = kit.play(Ruleset.preset("tenhou", length="tonpuu"), 2).events
    return convert.completed(parse(native.dumps(events).encode(), "game"))


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit status, stdout, stderr."""
    status = main(["replay", *map(str, arguments)])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return status, captured.out, captured.err


def give_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


# ---------------------------------------------------------------------- links


def test_a_link_is_read_everywhere(record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    link = tenhou_json_writer.links(record)[0]
    status, told, errors = run(capsys, "verify", link)
    assert (status, errors) == (0, "")
    assert told.startswith("1 game, 1 round")
    assert run(capsys, "show", link)[0] == 0
    status, told, _ = run(capsys, "prove", link)
    assert status == 1  # a link has no keys
    assert told.startswith("link: unproved")
    status, told, _ = run(capsys, "stats", link, "--json")
    assert (status, json.loads(told)["rounds"]) == (0, 1)


def test_of_several_links_the_bad_one_is_named_shortly(
    record: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    good = tenhou_json_writer.links(record)[0]
    bad = good[: len(good) // 2]
    for command in ("verify", "prove", "stats"):
        status, _, errors = run(capsys, command, good, bad)
        assert status == 2
        assert errors.startswith(f"jantaku replay {command}: link 2: line 1, column ")
        assert len(errors) < 200
    assert run(capsys, "show", bad)[2].startswith("jantaku replay show: link: line 1, column ")


# ---------------------------------------------------------------------- archives


def test_a_record_in_an_archive_is_read_everywhere_by_the_name_that_messages_give_it(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = convert.convert(record, convert.FORMS["native"]).text
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("1.mjson", text)
        archive.writestr("old/2.mjson", text)
    errors = run(capsys, "show", path)[2]
    one, two = re.findall(r"name one of them \((.+), (.+)\)$", errors, re.MULTILINE)[0]
    assert two == f"{path}/old/2.mjson"
    for name in (one, two):
        for command in COMMANDS:
            status, _, errors = run(capsys, command, name)
            assert (status, errors) == (0, ""), command
        assert run(capsys, "convert", name, tmp_path / f"{Path(name).stem}.xml")[0] == 0


# ---------------------------------------------------------------------- stdin and stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_a_record_on_stdin(
    record: Record,
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    give_stdin(monkeypatch, convert.native_text(record).encode())
    status, told, errors = run(capsys, command, "-")
    assert (status, errors) == (0, "")
    assert "Aoi" in told or command in ("verify", "prove")
    give_stdin(monkeypatch, b"hello")
    status, _, errors = run(capsys, command, "-")
    assert status == 2
    assert errors.startswith(f"jantaku replay {command}: stdin: is no record")


def test_converting_from_stdin_to_stdout(
    record: Record,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    give_stdin(monkeypatch, convert.native_text(record).encode())
    assert main(["replay", "convert", "-", "-", "--to", "mjai"]) == 0
    out = capsysbinary.readouterr().out
    assert verify(parse(out, "out")).mismatches == []
    give_stdin(monkeypatch, out)
    assert main(["replay", "convert", "-", "--url"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"https://tenhou.net/6/#json=")


def test_stdin_is_read_once(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, errors = run(capsys, "verify", "-", "-")
    assert (status, errors) == (2, "jantaku replay verify: - (stdin) can be read only once\n")


def test_a_page_of_figures_on_stdout(record: Record, tmp_path: Path) -> None:
    path = tmp_path / "game.mjson"
    path.write_text(convert.native_text(record))
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        assert main(["replay", "stats", str(path), "--html", "-"]) == 0
    page = out.buffer.getvalue()  # type: ignore[attr-defined]
    assert page.startswith(b"<!doctype html>")
    assert page.rstrip().endswith(b"</html>")


def test_a_program_that_reads_no_stdin_has_a_file_of_that_name(tmp_path: Path) -> None:
    with RecordFiles([Path("-")]) as found:
        assert found.sources[0].stream is None


# ---------------------------------------------------------------------- encodings


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_any_utf_is_read_in_every_form(record: Record, form: str, encoding: str) -> None:
    """Some shells write every text that goes through them in UTF-16."""
    text = convert.FORMS[form].dumps(record).replace("Aoi", "葵")
    if form == "tenhou-xml":
        text = convert.FORMS[form].dumps(record)
    read = parse(text.encode(encoding), "game")
    assert verify(read).mismatches == []
    assert read.names == (record.names if form == "tenhou-xml" else ("葵", *record.names[1:]))


@pytest.mark.parametrize("form", FORMS)
def test_half_a_sign_of_utf_16_is_told_with_its_place(record: Record, form: str) -> None:
    data = convert.FORMS[form].dumps(record).encode("utf-16")[:-1]
    with pytest.raises(RecordError, match=rf"^byte {len(data) - 1}: is no UTF-16 text$"):
        parse(data, "game")


# ---------------------------------------------------------------------- places of errors

NINES = "9" * 5000


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"log":\n' + "[" * 100_000, "line 2, column 100: is nested too deeply"),
        ('{"title":"[[{","log":' + "[" * 100_000, "line 1, column 121: is nested too deeply"),
        (
            '{"log":\n  [[' + NINES + "]]}",
            "line 2, column 5: a number of 5,000 digits is too large",
        ),
        ('{"log": [-' + NINES + "]}", "line 1, column 10: a number of 5,000 digits is too large"),
        ('{"a":"NaN",\n"log":[NaN]}', "line 2, column 8: is no whole JSON (NaN is no JSON number)"),
        (
            '{"type":"start_game"}\n{"type":"tsumo","actor":' + NINES + "}",
            "line 2, column 25: a number of 5,000 digits is too large",
        ),
        ('{"type":"start_game"}\n' + "[" * 9999, "line 2, column 101: is nested too deeply"),
        (
            '{"type":"start_game"}\n{"type"',
            "line 2, column 8: is no JSON (Expecting ':' delimiter)",
        ),
        ("[\n[" + '{"type":' * 9999, "line 2, column 786: is nested too deeply"),
        (
            '{"log":[[]],"rule":{"jantaku":"' + "[" * 9999 + '"}}',
            "rule: jantaku: line 1, column 101: is nested too deeply",
        ),
        (
            '{"log":[[]],"rule":{"jantaku":"[' + NINES + ']"}}',
            "rule: jantaku: line 1, column 2: a number of 5,000 digits is too large",
        ),
    ],
)
def test_every_error_in_json_has_its_place(
    text: str, why: str, record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "rule" in text:
        value = json.loads(text)
        value["log"] = json.loads(convert.FORMS["tenhou-json"].dumps(record))["log"]
        text = json.dumps(value)
    path = tmp_path / "game.json"
    path.write_text(text)
    status, _, errors = run(capsys, "verify", path)
    assert (status, errors) == (2, f"jantaku replay verify: {path}: {why}\n")


def test_looking_for_the_place_takes_no_longer_than_reading() -> None:
    quotes = '{"log":[' + '"\\"' * 300_000 + "[" * 100_000
    with pytest.raises(RecordError):
        parse(quotes.encode(), "game")
    with pytest.raises(RecordError, match="is nested too deeply"):
        parse(("[" * 100_000 + '"' + '\\"' * 1_000_000 + "\\").encode(), "game")


# ---------------------------------------------------------------------- other rules, help


@pytest.mark.parametrize("command", COMMANDS)
def test_rules_are_named_wherever_a_record_is_read(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = kit.play(Ruleset.preset("mleague", length="tonpuu"), 3).events
    whole = convert.completed(parse(native.dumps(events).encode(), "game"))
    game = json.loads(convert.FORMS["tenhou-json"].dumps(whole))
    del game["rule"]["jantaku"]
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game))
    status, _, _ = run(capsys, command, path, "--rules", "mleague")
    assert status == (1 if command == "prove" else 0)
    status, _, errors = run(capsys, command, path, "--rules", "mleage")
    assert status == 2
    assert errors.startswith(f"jantaku replay {command}: preset 'mleage' does not exist")
    if command == "verify":
        assert run(capsys, command, path)[0] != 0


@pytest.mark.parametrize("command", [*COMMANDS, "convert"])
def test_errors_begin_with_the_command_that_was_given(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = [tmp_path / "out.json"] if command == "convert" else []
    status, _, errors = run(capsys, command, tmp_path / "no.xml", *more)
    assert status == 2
    assert errors == (
        f"jantaku replay {command}: {tmp_path / 'no.xml'}: "
        "cannot be read: No such file or directory\n"
    )


def test_the_help_names_everything_that_can_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    status, told, _ = run(capsys, "--help")
    assert status == 0
    assert "Verify, convert, show, prove and count records" in told
    for command in (*COMMANDS, "convert"):
        assert f"jantaku replay {command}" in told
    main(["--help"])
    assert "verify, convert, show, prove and count records" in capsys.readouterr().out
