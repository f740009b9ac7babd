"""Values out of JSON that nobody has checked yet; each error says where."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import orjson

from .record import RecordError


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


def decode_text(data: bytes) -> str:
    """Bytes as UTF-8 text.

    Raises:
        RecordError: they are not.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start}: is no UTF-8 text") from None


def load_json(data: bytes) -> Any:
    """The JSON value of a whole text.

    Raises:
        RecordError: no JSON, or nested too deeply.
    """
    try:
        return json.loads(decode_text(data), parse_constant=refuse_constant)
    except RecursionError:
        raise RecordError("is nested too deeply") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise RecordError(f"{place}: is no whole JSON ({error.msg})") from None
    except ValueError as error:
        raise RecordError(f"is no JSON ({str(error)[:80]})") from None


def refuse_constant(text: str) -> Any:
    """NaN and Infinity are no JSON."""
    raise ValueError(f"{text} is no JSON number")


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
