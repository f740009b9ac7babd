"""Finding records in files, folders and archives, and reading them within limits.

`ARCHIVE.zip/MEMBER` names a record in an archive, or a folder of them, as messages do.

Nothing is ever written: members of an archive are read in memory, one at a time, and no more
than `MOST_BYTES` of any record is decompressed.
"""

from __future__ import annotations

import gzip
import io
import os
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import IO, Final, NamedTuple

from jantaku_engine.rules import Ruleset

from .json_text import decode_text, loads_json
from .mjai_log import read_mjai
from .native import read_native
from .record import NotRiichiError, Record, RecordError
from .tenhou_json_reader import read_tenhou_json
from .tenhou_link import STARTS, json_of_link
from .tenhou_xml import read_tenhou_xml

MOST_BYTES: Final = 16 * 1024 * 1024
"""Size limit of one record, decompressed."""

_PLAIN: Final = (".xml", ".mjlog", ".mjson", ".json", ".jsonl")
SUFFIXES: Final = (*_PLAIN, *(f"{suffix}.gz" for suffix in _PLAIN))
"""How names of records end, in folders and archives."""

_NAMED: Final = f"{', '.join(_PLAIN)} (each also as .gz)"
_ZIP: Final = ".zip"
_GZIP_START: Final = b"\x1f\x8b"
_ZIP_STARTS: Final = (b"PK\x03\x04", b"PK\x05\x06")
MOST_LINES: Final = 500_000
"""Lines in one record: more than a thousand hands have."""

_LINKS: Final = tuple(start.encode() for start in STARTS)
_FORMS: Final = ("Tenhou XML", "Tenhou JSON", "a native record", "an mjai log")
_BOM: Final = b"\xef\xbb\xbf"
_UTF16: Final = (
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    *((sign + b"\x00", "utf-16-le") for sign in (b"<", b"{", b"[", b"h")),
    *((b"\x00" + sign, "utf-16-be") for sign in (b"<", b"{", b"[", b"h")),
)
"""How a text in UTF-16 begins, which some programs write: a mark, or the first sign."""

STDIN: Final = "-"
"""The path of the standard input (and of the standard output, where a command writes)."""

LINK: Final = "link"
"""How a link is called in messages: it is too long to be shown."""


class Source(NamedTuple):
    """Where one record lies: a file, a member of an archive, or given in itself.

    Attributes:
        name: for messages and reports. path: the file. member: in the archive, None if none.
        stream: the standard input, in place of the file. link: to Tenhou's viewer, as well.
    """

    name: str
    path: Path
    member: zipfile.ZipInfo | None = None
    stream: IO[bytes] | None = None
    link: str = ""


class Problem(NamedTuple):
    """A file or place that cannot be used, and why."""

    name: str
    why: str

    def __str__(self) -> str:
        return f"{self.name}: {self.why}"


class RecordFiles:
    """The records under some paths: files, folders (with all below, sorted) and .zip archives.

    A path may be a link to Tenhou's viewer, or `-` for `stdin` when that is given.
    A context manager: it keeps the archive open that is being read.

    Attributes:
        sources: the records in order. problems: what cannot be used; the rest still can.
    """

    def __init__(
        self, paths: Sequence[str | os.PathLike[str]], stdin: IO[bytes] | None = None
    ) -> None:
        self.sources: list[Source] = []
        self.problems: list[Problem] = []
        self._archive: zipfile.ZipFile | None = None
        self._archive_path: Path | None = None
        texts = [os.fspath(path) for path in paths]
        links = [text for text in texts if text.startswith(STARTS)]
        for text in texts:
            if text.startswith(STARTS):
                number = f" {links.index(text) + 1}" if len(links) > 1 else ""
                self.sources.append(Source(f"{LINK}{number}", Path(), link=text))
            elif text == STDIN and stdin is not None:
                self.sources.append(Source("stdin", Path(), stream=stdin))
            else:
                self._find(Path(text))

    def __enter__(self) -> RecordFiles:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the archive that is open."""
        if self._archive is not None:
            self._archive.close()
        self._archive = None
        self._archive_path = None

    def read(self, source: Source, rules: Ruleset | None = None) -> Record:
        """The record of a source; `rules` as in `parse`.

        Raises:
            RecordError: it cannot be read; the text says why.
            NotRiichiError: it is no four-player riichi.
        """
        if source.link:
            return parse(source.link.encode("utf-8", "surrogateescape"), source.name, rules)
        return parse(self._bytes(source), source.name, rules)

    # ------------------------------------------------------------------ finding

    def _problem(self, name: str, why: str) -> None:
        self.problems.append(Problem(name, why))

    def _find(self, path: Path) -> None:
        name = printable(str(path))
        if os.path.isdir(path):  # unlike Path.is_dir, False for whatever cannot be looked at
            before = len(self.sources) + len(self.problems)
            self._find_in_folder(path)
            if len(self.sources) + len(self.problems) == before:
                self._problem(name, f"has no records: {_NAMED}, or {_ZIP}")
        elif (archive := _archive_around(path)) is not None:
            self._find_in_archive(archive, path.relative_to(archive).as_posix())
        elif path.suffix.lower() == _ZIP or _starts_as_zip(path):
            self._find_in_archive(path)
        else:
            self.sources.append(Source(name, path))

    def _find_in_folder(self, folder: Path) -> None:
        def unreadable(error: OSError) -> None:
            self._problem(printable(str(error.filename)), f"cannot be read: {error.strerror}")

        for parent, folders, files in os.walk(folder, onerror=unreadable):
            folders.sort()
            for file in sorted(files):
                path = Path(parent, file)
                if file.lower().endswith(_ZIP):
                    self._find_in_archive(path)
                elif file.lower().endswith(SUFFIXES):
                    self.sources.append(Source(printable(str(path)), path))

    def _find_in_archive(self, path: Path, inside: str = "") -> None:
        """Find the records of an archive, or only those at or below a place in it."""
        name = printable(str(path))
        wanted = PurePosixPath(printable(inside))
        try:
            members = self._open(path).infolist()
        except (RecordError, OSError) as error:
            self._problem(name, _why(error))
            return
        strangers: list[str] = []
        before = len(self.sources) + len(self.problems)
        for member in members:
            place = PurePosixPath(printable(member.filename))
            if member.is_dir() or place.parts[: len(wanted.parts)] != wanted.parts:
                continue
            full_name = f"{name}/{printable(member.filename)}"
            if _climbs_out(member.filename):
                self._problem(full_name, "is refused: its path climbs out of the archive")
            elif member.filename.lower().endswith(SUFFIXES) or place == wanted:
                self.sources.append(Source(full_name, path, member))
            else:
                strangers.append(printable(member.filename))
        if len(self.sources) + len(self.problems) == before and not strangers:
            if inside:
                self._problem(f"{name}/{wanted}", "is not in the archive")
            else:
                self._problem(name, f"has no records: {_NAMED}")
        elif strangers:
            more = f" and {len(strangers) - 3} more" if len(strangers) > 3 else ""
            files = ", ".join(strangers[:3])
            self._problem(name, f"has files that are no records, passed over: {files}{more}")

    # ------------------------------------------------------------------ reading

    def _open(self, path: Path) -> zipfile.ZipFile:
        if self._archive is None or self._archive_path != path:
            self.close()
            try:
                self._archive = zipfile.ZipFile(path)
            except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
                raise RecordError(f"is no readable zip archive ({error})") from None
            self._archive_path = path
        return self._archive

    def _bytes(self, source: Source) -> bytes:
        try:
            if source.stream is not None:
                return _unpacked(source.stream)
            if source.member is None:
                with source.path.open("rb") as file:
                    return _unpacked(file)
            with self._open(source.path).open(source.member) as file:
                return _unpacked(file)
        except (OSError, EOFError, zlib.error, zipfile.BadZipFile, ValueError) as error:
            raise RecordError(_why(error)) from None
        except (NotImplementedError, RuntimeError) as error:
            # An encrypted member, or a compression that Python does not know.
            raise RecordError(f"cannot be read: {error}") from None


def parse(data: bytes, name: str, rules: Ruleset | None = None) -> Record:
    """The record in some bytes; their beginning shows the form.

    `rules` are those of a game in a form that tells only a few (plain mjai, Tenhou JSON) and
    that was not played by Tenhou's.

    Raises:
        RecordError, NotRiichiError: as the reader of that form.
    """
    encoding = next((name for start, name in _UTF16 if data.startswith(start)), "")
    if encoding:
        text = decode_text(data, encoding)
        if text.lstrip("\ufeff \t\r\n").startswith("<"):
            # XML names its encoding in itself.
            return read_tenhou_xml(data, name)
        data = text.encode()
    if data.count(b"\n") > MOST_LINES:
        raise RecordError(f"has more than {MOST_LINES:,} lines")
    start = data.removeprefix(_BOM).lstrip()[:1024]
    if not start:
        raise RecordError("is empty")
    if start.startswith(b"<"):
        return read_tenhou_xml(data, name)
    if start.startswith(_LINKS):
        return read_tenhou_json(json_of_link(decode_text(data)), name, rules)
    if start.startswith(b"["):
        return read_mjai(data, name, rules)
    if start.startswith(b"{"):
        return _parse_json(data, name, rules)
    raise RecordError(f"is no record: none of {', '.join(_FORMS)}")


def _parse_json(data: bytes, name: str, rules: Ruleset | None) -> Record:
    """A native record, an mjai log or Tenhou JSON: the first line shows which."""
    line = data.removeprefix(_BOM).lstrip().split(b"\n", 1)[0]
    try:
        first = loads_json(line.decode())
    except ValueError:
        # A value over more than one line, or a broken one: only mjai has one a line.
        return (read_mjai if b'"type"' in line else read_tenhou_json)(data, name, rules)
    if not isinstance(first, dict) or "type" not in first:
        return read_tenhou_json(data, name, rules)
    if "jantaku" in first or "wall_hash" in first:
        return read_native(data, name)
    return read_mjai(data, name, rules)


def read_file(path: Path, rules: Ruleset | None = None) -> Record:
    """The record in one file.

    Raises:
        RecordError: it cannot be read; the text says why, without the name.
        NotRiichiError: it is no four-player riichi.
    """
    try:
        with path.open("rb") as file:
            return parse(_unpacked(file), printable(str(path)), rules)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        if isinstance(error, RecordError | NotRiichiError):
            raise
        raise RecordError(_why(error)) from None


def printable(name: str) -> str:
    """A file name that can be shown on any terminal, on one line."""
    safe = name.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in safe)


def _unpacked(file: IO[bytes]) -> bytes:
    """All bytes of a file, decompressed when it is gzip."""
    data = file.read(MOST_BYTES + 1)
    if data.startswith(_GZIP_START):
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as unpacker:
            data = unpacker.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise RecordError(f"is larger than {MOST_BYTES >> 20} MiB")
    return data


def _starts_as_zip(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) in _ZIP_STARTS
    except OSError:
        return False


def _archive_around(path: Path) -> Path | None:
    """The archive that a path leads into, None when it leads elsewhere."""
    if os.path.lexists(path):
        return None
    return next((place for place in path.parents if _starts_as_zip(place)), None)


def _climbs_out(member: str) -> bool:
    path = PurePosixPath(member.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or any(":" in part for part in path.parts[:1])


def _why(error: Exception) -> str:
    if isinstance(error, RecordError):
        return str(error)
    if isinstance(error, EOFError):
        return "is cut off: the compressed data ends too early"
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {error.strerror}"
    return f"cannot be read: {error}"
