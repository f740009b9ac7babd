"""Finding records: files, folders, archives, and what cannot be used among them."""

from __future__ import annotations

import gzip
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from record_kit import TINY

from jantaku_replays import files
from jantaku_replays.files import RecordFiles, printable
from jantaku_replays.record import RecordError


def write_zip(path: Path, members: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def names(found: RecordFiles, root: Path) -> list[str]:
    return [source.name.removeprefix(f"{root}{os.sep}") for source in found.sources]


def problems(found: RecordFiles, root: Path) -> list[str]:
    return [str(problem).removeprefix(f"{root}{os.sep}") for problem in found.problems]


def test_a_file_is_read_whatever_its_name_and_wherever_it_is_compressed(tmp_path: Path) -> None:
    for name, data in {
        "game.xml": TINY.encode(),
        "game.mjlog": gzip.compress(TINY.encode()),
        "game.xml.gz": gzip.compress(TINY.encode()),
        "2009 game": TINY.encode(),
    }.items():
        path = tmp_path / name
        path.write_bytes(data)
        with RecordFiles([path]) as found:
            (source,) = found.sources
            assert found.read(source).names == ("Ada", "Ben", "Cho", "Dee")


def test_a_folder_is_searched_in_order_with_all_below(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "a").mkdir()
    for name in ("b/2.mjson", "b/1.xml", "a/3.mjlog", "z.mjson.gz", "notes.txt", "a/.hidden"):
        (tmp_path / name).write_text(TINY)
    write_zip(tmp_path / "c.zip", {"x/9.xml": TINY, "8.xml": TINY})
    with RecordFiles([tmp_path]) as found:
        assert names(found, tmp_path) == [
            "c.zip/x/9.xml",
            "c.zip/8.xml",
            "z.mjson.gz",
            "a/3.mjlog",
            "b/1.xml",
            "b/2.mjson",
        ]
        assert found.problems == []
        assert all(found.read(source) for source in found.sources if "xml" in source.name)


def test_an_archive_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "games", {"1.xml": TINY})
    with RecordFiles([path]) as found:
        assert names(found, tmp_path) == ["games/1.xml"]


def test_other_files_of_an_archive_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "README.md": "hello",
        "1.xml": TINY,
        "pic.png": b"\x89PNG",
        "a": "",
        "b": "",
    }
    path = write_zip(tmp_path / "games.zip", members)
    with RecordFiles([path]) as found:
        assert names(found, tmp_path) == ["games.zip/1.xml"]
        assert problems(found, tmp_path) == [
            "games.zip: has files that are no records, passed over: "
            "README.md, pic.png, a and 1 more"
        ]


@pytest.mark.parametrize(
    "member",
    ["../evil.xml", "a/../../evil.xml", "/etc/evil.xml", "..\\evil.xml", "C:\\evil.xml", "C:x.xml"],
)
def test_a_member_that_climbs_out_is_refused(tmp_path: Path, member: str) -> None:
    path = write_zip(tmp_path / "games.zip", {member: TINY, "good.xml": TINY})
    before = sorted(tmp_path.parent.rglob("*"))
    with RecordFiles([path]) as found:
        assert names(found, tmp_path) == ["games.zip/good.xml"]
        assert [found.read(source).form for source in found.sources] == ["tenhou_xml"]
        (problem,) = found.problems
        assert problem.why == "is refused: its path climbs out of the archive"
    assert sorted(tmp_path.parent.rglob("*")) == before


def test_a_record_in_an_archive_is_named_as_messages_name_it(tmp_path: Path) -> None:
    members = {"a/1.xml": TINY, "a/2.xml": TINY, "a/notes": TINY, "b.xml": "", "lin\n.xml": TINY}
    path = write_zip(tmp_path / "games.zip", members)
    with RecordFiles([path]) as found:
        shown = [source.name for source in found.sources]
    for name in (*shown, f"{path}/a/notes"):
        with RecordFiles([name]) as found:
            assert [source.name for source in found.sources] == [name]
            assert found.problems == []
    with RecordFiles([path / "a/1.xml"]) as found:
        assert found.read(found.sources[0]).names == ("Ada", "Ben", "Cho", "Dee")


def test_a_folder_in_an_archive_is_named_likewise(tmp_path: Path) -> None:
    members = {"a/1.xml": TINY, "ab/2.xml": TINY, "a/c/3.xml": TINY, "README": "hello"}
    path = write_zip(tmp_path / "games.zip", members)
    with RecordFiles([path / "a"]) as found:
        assert names(found, tmp_path) == ["games.zip/a/1.xml", "games.zip/a/c/3.xml"]
        assert found.problems == []


def test_what_an_archive_does_not_hold_is_told(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "games.zip", {"1.xml": TINY, "../2.xml": TINY, ".": TINY})
    with RecordFiles([path / "no.xml", path / "1.xml/2.xml", path / "../2.xml"]) as found:
        assert found.sources == []
        assert problems(found, tmp_path) == [
            "games.zip/no.xml: is not in the archive",
            "games.zip/1.xml/2.xml: is not in the archive",
            "games.zip/../2.xml: is refused: its path climbs out of the archive",
        ]


def test_what_has_no_records_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_zip(tmp_path / "empty.zip", {})
    (tmp_path / "cut.zip").write_bytes(b"PK\x03\x04 and no more")
    (tmp_path / "text.zip").write_text("hello")
    paths = [tmp_path / name for name in ("empty", "empty.zip", "cut.zip", "text.zip")]
    endings = ".xml, .mjlog, .mjson, .json, .jsonl (each also as .gz)"
    with RecordFiles(paths) as found:
        assert found.sources == []
        assert problems(found, tmp_path) == [
            f"empty: has no records: {endings}, or .zip",
            f"empty.zip: has no records: {endings}",
            "cut.zip: is no readable zip archive (File is not a zip file)",
            "text.zip: is no readable zip archive (File is not a zip file)",
        ]


def read_error(path: Path) -> str:
    with RecordFiles([path]) as found:
        assert found.problems == []
        with pytest.raises(RecordError) as error:
            found.read(found.sources[0])
        return str(error.value)


def test_a_missing_file(tmp_path: Path) -> None:
    assert read_error(tmp_path / "no.xml") == "cannot be read: No such file or directory"


def test_names_that_no_file_can_have(tmp_path: Path) -> None:
    assert read_error(tmp_path / ("x" * 5000)) == "cannot be read: File name too long"
    (tmp_path / "file").write_text(TINY)
    assert read_error(tmp_path / "file" / "game.xml") == "cannot be read: Not a directory"


def test_a_gzip_file_that_is_cut_or_damaged(tmp_path: Path) -> None:
    path = tmp_path / "game.xml.gz"
    data = gzip.compress(TINY.encode())
    path.write_bytes(data[:-20])
    assert read_error(path) == "is cut off: the compressed data ends too early"
    path.write_bytes(data[:-6] + b"\x00\x00" + data[-4:])
    assert "CRC" in read_error(path)
    path.write_bytes(data[:30] + b"\xff" * 30)
    assert read_error(path).startswith("cannot be read: Error -3")
    path.write_bytes(b"\x1f\x8b\x07")
    assert read_error(path)


def test_a_damaged_member_of_an_archive(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "games.zip", {"1.xml": TINY})
    data = bytearray(path.read_bytes())
    data[60:90] = b"\xff" * 30
    path.write_bytes(data)
    assert read_error(path).startswith("cannot be read: ")


def test_an_encrypted_member_of_an_archive(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "games.zip", {"1.xml": TINY})
    data = path.read_bytes()
    # Bit 0 of the flags, in the local and in the central header.
    data = data.replace(b"PK\x03\x04\x14\x00\x00", b"PK\x03\x04\x14\x00\x01")
    central = data.index(b"PK\x01\x02")
    data = data[: central + 8] + b"\x01" + data[central + 9 :]
    path.write_bytes(data)
    assert "encrypted" in read_error(path)


@pytest.mark.parametrize("name", ["bomb.xml", "bomb.xml.gz", "bomb.zip"])
def test_no_more_is_read_than_the_limit(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1 << 20)
    path = tmp_path / name
    bomb = b"<mjloggm>" + b" " * (1 << 20)
    if name == "bomb.zip":
        write_zip(path, {"1.xml": bomb})
    else:
        path.write_bytes(gzip.compress(bomb) if name.endswith(".gz") else bomb)
    assert read_error(path) == "is larger than 1 MiB"


def test_names_are_shown_on_one_line() -> None:
    assert printable("a\nb\x1b[31m\u202e.xml") == "a\\nb\\x1b[31m\\u202e.xml"
    assert printable("bad\udcff.xml") == "bad\\udcff.xml"
    assert printable("東1局.xml") == "東1局.xml"
