"""The options of a ruleset as data: allowed values, meaning, source.

The default of each option stands once, in the dataclass `rules.Ruleset`; `rules.OPTIONS` is
this table with the defaults filled in.

Each domain checks a value as JSON and TOML have it, or as text in the notation of `show`, which
is the one that is printed everywhere: "on", "20/10/-10/-20", "1/1/1".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

SUITS: Final = ("m", "p", "s")


class RulesError(ValueError):
    """An option that does not exist, a value that it cannot have, or two that contradict."""


class AkaDora(Mapping[str, int]):
    """Red fives in the set, 0-4 in each suit: an immutable mapping of `m`, `p`, `s` (RULES 1.1)."""

    __slots__ = ("_counts",)

    def __init__(self, m: int = 1, p: int = 1, s: int = 1) -> None:
        self._counts = (m, p, s)

    def __getitem__(self, suit: str) -> int:
        if suit not in SUITS:
            raise KeyError(suit)
        return self._counts[SUITS.index(suit)]

    def __iter__(self) -> Iterator[str]:
        return iter(SUITS)

    def __len__(self) -> int:
        return 3

    def __hash__(self) -> int:
        return hash(self._counts)

    def __reduce__(self) -> tuple[type[AkaDora], tuple[int, int, int]]:
        return AkaDora, self._counts

    def __repr__(self) -> str:
        return "AkaDora(m={}, p={}, s={})".format(*self._counts)


class Choice(NamedTuple):
    """One of a few words, numbers or truth values."""

    values: tuple[str | int | bool, ...]

    def check(self, value: object) -> object:
        """The value, when it is one of these and of the same type (1 is not true)."""
        for allowed in self.values:
            if type(value) is type(allowed) and value == allowed:
                return value
            if type(allowed) is bool and value == show(allowed):
                return allowed
        raise RulesError(f"must be {self}")

    def __str__(self) -> str:
        truth = all(type(value) is bool for value in self.values)
        return _one_of([show(value) for value in self.values]) + " (false or true)" * truth

    def examples(self) -> tuple[object, ...]:
        """Every value."""
        return self.values


class Number(NamedTuple):
    """A whole number from `low` to `high` in steps, or one of `words`."""

    low: int
    high: int
    step: int = 1
    words: tuple[str, ...] = ()

    def check(self, value: object) -> object:
        """The value, when it is such a number or word."""
        if type(value) is int and self.low <= value <= self.high and value % self.step == 0:
            return value
        if type(value) is str and value in self.words:
            return value
        raise RulesError(f"must be {self}")

    def __str__(self) -> str:
        multiple = f" in steps of {self.step}" if self.step > 1 else ""
        return _one_of([f"{self.low}..{self.high}{multiple}", *map(show, self.words)])

    def examples(self) -> tuple[object, ...]:
        """The ends of the range and every word."""
        return (self.low, self.high, *self.words)


class Uma(NamedTuple):
    """Four whole thousands, first to fourth place, that sum to zero."""

    optional: bool = False

    def check(self, value: object) -> object:
        """The value as a tuple; None for "none" where that is allowed."""
        if self.optional and (value is None or value == "none"):
            return None
        places = _numbers(value) if isinstance(value, str) else value
        if (
            isinstance(places, list | tuple)
            and len(places) == 4
            and all(type(place) is int for place in places)
            and sum(places) == 0
        ):
            return tuple(places)
        raise RulesError(f"must be {self}")

    def __str__(self) -> str:
        words = ['four whole thousands with sum 0: "20/10/-10/-20"', "[20, 10, -10, -20]"]
        return _one_of(words + ['"none"'] * self.optional)

    def examples(self) -> tuple[object, ...]:
        """A few."""
        return ((20, 10, -10, -20), (0, 0, 0, 0), *[None] * self.optional)


class Aka(NamedTuple):
    """Counts of red fives for the three suits."""

    def check(self, value: object) -> object:
        """The value as `AkaDora`."""
        if isinstance(value, str) and len(numbers := _numbers(value)) == len(SUITS):
            value = dict(zip(SUITS, numbers, strict=True))
        if (
            isinstance(value, Mapping)
            and set(value) == set(SUITS)
            and all(type(count) is int and 0 <= count <= 4 for count in value.values())
        ):
            return AkaDora(value["m"], value["p"], value["s"])
        raise RulesError(f"must be {self}")

    def __str__(self) -> str:
        return 'counts 0..4 of m, p and s: "1/1/1" or {m = 1, p = 1, s = 1}'

    def examples(self) -> tuple[object, ...]:
        """A few."""
        return (AkaDora(1, 1, 1), AkaDora(0, 0, 0), AkaDora(1, 2, 1))


Domain = Choice | Number | Uma | Aka


class Option(NamedTuple):
    """One option of the rules.

    Attributes:
        name: field of `Ruleset`.
        group: heading under which it is listed.
        domain: what values it can have.
        meaning: one sentence.
        source: section of the rule book, then the source texts that name it.
        default: value in the preset `standard`.
    """

    name: str
    group: str
    domain: Domain
    meaning: str
    source: str
    default: Any = None


def show(value: object) -> str:
    """A value as text for people: as in TOML, with `on` and `off` for truth values."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, AkaDora):
        return "/".join(str(count) for count in value.values())
    if isinstance(value, tuple):
        return "/".join(str(place) for place in value)
    if value is None:
        return '"none"'
    return f'"{value}"' if isinstance(value, str) else str(value)


def _numbers(text: str) -> list[int]:
    """Whole numbers as `show` writes several of them; none when the text is anything else."""
    if not re.fullmatch(r"[+-]?[0-9]{1,6}(/[+-]?[0-9]{1,6})*", text):
        return []
    return [int(number) for number in text.split("/")]


def _one_of(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


ON_OFF: Final = Choice((False, True))


def group(name: str, *rows: tuple[str, Domain, str, str]) -> tuple[Option, ...]:
    """Options of one heading from rows of name, domain, meaning and source."""
    return tuple(
        Option(option, name, domain, meaning, f"RULES {source}")
        for option, domain, meaning, source in rows
    )
