"""Values out of JSON that nobody has checked yet; each error says where."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final

import orjson

from .record import RecordError

MOST_NESTED: Final = 100
"""The place that an error tells of deeper nesting is where it goes beyond this."""

MOST_VALUES: Final = 300_000
"""Values in one text. A whole game has some thousands; more of them are a burden and no record."""

_TOKEN: Final = re.compile(
    r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[][{}]|NaN|-?Infinity'
    r"|(?<![0-9.eE+-])-?[0-9]{1000,}(?![0-9.eE])",
    re.DOTALL,
)
"""A text, a bracket, or what Python reads and JSON or this program does not."""


def compact(value: Any) -> str:
    """A value as JSON without spaces.

    Raises:
        TypeError: JSON has no such value.
    """
    return orjson.dumps(value).decode()


class Where:
    """A place in a record, for errors."""

    __slots__ = ("_item", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._item = 0

    def __str__(self) -> str:
        return self.text

    def at(self, what: str) -> Where:
        """A place inside this one."""
        return Where(f"{self.text}, {what}")

    def item(self, number: int) -> Where:
        """As a context: errors inside it tell the number of the entry."""
        self._item = number
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        type_: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, RecordError):
            raise RecordError(f"{self.text}, entry {self._item}: {error}") from None


def decode_text(data: bytes, encoding: str = "utf-8-sig") -> str:
    """Bytes as text, UTF-8 or UTF-16.

    Raises:
        RecordError: they are not.
    """
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        name = encoding.upper()[: len("UTF-16")].removesuffix("-")
        raise RecordError(f"byte {error.start}: is no {name} text") from None


def load_json(data: bytes) -> Any:
    """The JSON value of a whole text.

    Raises:
        RecordError: no JSON, nested too deeply, with a number too large, or with too many values;
            the text says where.
    """
    return loads_json(decode_text(data), "is no whole JSON")


def loads_json(text: str, wrong: str = "is no JSON", line: int = 0) -> Any:
    """The JSON value of a text, which is line `line` of the record, or all of it for 0.

    Raises:
        RecordError: as `load_json`; `wrong` is what it says of a text that is no JSON.
    """
    # The parser of the standard library lets nobody else compute while it runs.
    if text.count(",") + text.count("[") + text.count("{") > MOST_VALUES:
        where = f"line {line}: " if line else ""
        raise RecordError(f"{where}has more than {MOST_VALUES:,} values")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise RecordError(f"{_place(text, _too_deep(text), line)}: is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise RecordError(f"{_place(text, error.pos, line)}: {wrong} ({error.msg})") from None
    except ValueError as error:
        found = next((m for m in _TOKEN.finditer(text) if m[0][0] not in '"[]{}'), None)
        if found is None:
            raise RecordError(f"{wrong} ({str(error)[:80]})") from None
        place = _place(text, found.start(), line)
        if found[0][-1].isdigit():
            count = len(found[0].lstrip("-"))
            raise RecordError(f"{place}: a number of {count:,} digits is too large") from None
        raise RecordError(f"{place}: {wrong} ({found[0]} is no JSON number)") from None


def _refuse_constant(text: str) -> Any:
    """NaN and Infinity are no JSON."""
    raise ValueError(f"{text} is no JSON number")


def _too_deep(text: str) -> int:
    """Where the brackets of a text are nested too deeply."""
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth > MOST_NESTED:
            return token.start()
    return len(text)


def _place(text: str, position: int, line: int) -> str:
    """Line and column, from 1, of a position in a text."""
    before = text.count("\n", 0, position)
    column = position - text.rfind("\n", 0, position)
    return f"line {line or before + 1}, column {column}"


def short(value: object) -> str:
    """A value for an error message."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__} too large to print"
    return text if len(text) <= 40 else text[:37] + "..."


def items(value: Any, where: Where, least: int, most: int) -> list[Any]:
    """A list of some length."""
    if not isinstance(value, list):
        raise RecordError(f"{where}: must be a list, not {short(value)}")
    if not least <= len(value) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise RecordError(f"{where}: has {len(value)} entries, not {wanted}")
    return value


def fields(value: Any, where: Where) -> Mapping[str, Any]:
    """An object."""
    if not isinstance(value, Mapping):
        raise RecordError(f"{where}: must be an object, not {short(value)}")
    return value


def whole_number(value: Any, where: Where, low: int, high: int) -> int:
    """A whole number in a range."""
    if type(value) is not int or not low <= value <= high:
        raise RecordError(f"{where}: {short(value)} is no whole number {low}..{high}")
    return value


def integers(value: Any, where: Where, count: int, low: int, high: int) -> tuple[int, ...]:
    """A list of whole numbers."""
    return tuple(whole_number(item, where, low, high) for item in items(value, where, count, count))


def text_of(value: Any, where: Where) -> str:
    """A text."""
    if not isinstance(value, str):
        raise RecordError(f"{where}: must be a text, not {short(value)}")
    return value
