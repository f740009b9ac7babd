"""The elements of a Tenhou XML text, read without trusting it.

A record is one element with children that have attributes and nothing inside. Declarations
(`<!DOCTYPE`, `<!ENTITY`) have no place in it and are refused before the parser sees the text,
so no entity is ever expanded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from xml.parsers import expat

from .record import RecordError

ROOT: Final = "mjloggm"

MOST_ELEMENTS: Final = 100_000
"""Far more than the longest game has."""

SCORE_LIMIT: Final = 1_000_000
"""Least and most hundreds of points, and most of anything that is counted."""

_DECLARATION: Final = re.compile(r"<!\s*(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)", re.IGNORECASE)
_XML_HEAD: Final = re.compile(rb"""\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"'>]{1,40})["']""")
_BOMS: Final = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
    (b"<\x00", "utf-16-le"),
    (b"\x00<", "utf-16-be"),
)
_UTF8_NAMES: Final = ("utf-8", "utf8", "us-ascii", "ascii")


class Element(NamedTuple):
    """One element of the record: its tag and attributes, and its number from 1."""

    tag: str
    attributes: Mapping[str, str]
    number: int

    def __str__(self) -> str:
        return f"element {self.number} <{self.tag[:20]}>"


def decode(data: bytes) -> str:
    """The text of XML bytes: UTF-8, or UTF-16 when its first bytes say so.

    Raises:
        RecordError: another encoding, or bytes that are not in it.
    """
    encoding = next((name for start, name in _BOMS if data.startswith(start)), "utf-8")
    head = _XML_HEAD.match(data)
    if encoding == "utf-8" and head:
        named = head.group(1).decode("ascii", "replace")
        if named.lower() not in _UTF8_NAMES:
            raise RecordError(f"encoding {named!r} is not read: records are UTF-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start}: is no {encoding.upper()} text") from None


def read_elements(data: bytes) -> list[Element]:
    """The elements of a record, in order.

    Raises:
        RecordError: no XML, cut off, another root element, nested elements, or a declaration.
    """
    text = decode(data)
    if not text.strip():
        raise RecordError("is empty")
    found = _DECLARATION.search(text)
    if found:
        raise RecordError(
            f"character {found.start()}: declarations such as {found.group()} are refused"
        )
    return _Collector().collect(text)


class _Collector:
    """Takes the parser's calls."""

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self.depth = 0

    def collect(self, text: str) -> list[Element]:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            parser.Parse(text, True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            last = f", after {self.elements[-1]}" if self.elements else ""
            raise RecordError(
                f"line {error.lineno}, column {error.offset}{last}: is no whole XML ({what})"
            ) from None
        return self.elements

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        if self.depth == 2:
            if len(self.elements) == MOST_ELEMENTS:
                raise RecordError(f"has more than {MOST_ELEMENTS:,} elements")
            self.elements.append(Element(tag, attributes, len(self.elements) + 1))
        elif self.depth > 2:
            raise RecordError(f"{self.elements[-1]}: has an element <{tag[:20]}> inside")
        elif tag != ROOT:
            raise RecordError(f"the outermost element is <{tag[:20]}>, not <{ROOT}>")

    def _end(self, _tag: str) -> None:
        self.depth -= 1

    def _text(self, text: str) -> None:
        if not text.isspace():
            where = f"after {self.elements[-1]}" if self.elements else "at the beginning"
            raise RecordError(f"{where}: text {text[:20]!r} has no place in a record")

    def _doctype(self, *_: object) -> None:
        raise RecordError("a document type declaration is refused")


# ---------------------------------------------------------------------- attributes
# Each raises RecordError for what is missing, no number, or out of range.


def number(text: str, where: Element, name: str, low: int, high: int) -> int:
    """A whole number from `low` to `high`; `name` tells where it stands in the element."""
    # int() also takes " 1", "1_0" and digits of other scripts: a record has none of them.
    digits = text[1:] if text[:1] == "-" else text
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
        raise RecordError(f"{where}: {name} {text[:40]!r} is no whole number")
    value = int(text)
    if not low <= value <= high:
        raise RecordError(f"{where}: {name} {value} is not in {low}..{high}")
    return value


def required(element: Element, name: str) -> str:
    """An attribute that must be there."""
    text = element.attributes.get(name)
    if text is None:
        raise RecordError(f"{element}: attribute {name} is missing")
    return text


def whole(element: Element, name: str, low: int, high: int) -> int:
    """A whole number in an attribute."""
    return number(required(element, name), element, name, low, high)


def seat_of(element: Element, name: str) -> int:
    """A seat in an attribute."""
    return whole(element, name, 0, 3)


def whole_list(
    element: Element, name: str, low: int, high: int, counts: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Whole numbers with commas between; as many as one of `counts`, if given."""
    text = required(element, name)
    parts = text.split(",") if text else []
    if counts and len(parts) not in counts:
        wanted = " or ".join(str(count) for count in counts)
        raise RecordError(f"{element}: {name} has {len(parts)} numbers, not {wanted}")
    return tuple(number(part, element, name, low, high) for part in parts)


def tile_ids(element: Element, name: str, counts: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Tile ids in an attribute, all different."""
    ids = whole_list(element, name, 0, 135, counts)
    if len(set(ids)) != len(ids):
        raise RecordError(f"{element}: {name} has a tile twice")
    return ids


def tag_tile(element: Element) -> int:
    """The tile id in a tag such as `T45`."""
    return number(element.tag[1:], element, "tile", 0, 135)


def hundreds(element: Element, name: str) -> tuple[int, ...]:
    """Points of the four seats, which are written in hundreds."""
    values = whole_list(element, name, -SCORE_LIMIT, SCORE_LIMIT, (4,))
    return tuple(value * 100 for value in values)
