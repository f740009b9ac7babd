"""Time as an argument: the clock that tables run on, and the presets of their time limits."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol


class Timer(Protocol):
    """A call that was arranged and can be taken back."""

    def cancel(self) -> None:
        """Do not make the call."""


class Clock(Protocol):
    """What a table needs of time; tests bring one that stands still until told."""

    def now(self) -> float:
        """Seconds since some fixed moment; never goes back."""

    def wall_time(self) -> float:
        """Seconds since 1970."""

    def call_at(self, when: float, call: Callable[[], None]) -> Timer:
        """Arrange a call at a moment of `now()`."""


class LoopClock:
    """The clock of the running event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()

    def now(self) -> float:
        """See `Clock.now`."""
        return time.monotonic()  # what the loop itself asks

    def wall_time(self) -> float:
        """See `Clock.wall_time`."""
        return time.time()

    def call_at(self, when: float, call: Callable[[], None]) -> Timer:
        """See `Clock.call_at`."""
        return self._loop.call_at(when, call)


class ClockError(ValueError):
    """A time limit that does not exist or cannot be."""


@dataclasses.dataclass(frozen=True)
class TimeLimits:
    """How long a seat may think, in milliseconds.

    Attributes:
        move: for each answer, free of charge. bank: for the whole game, used after `move`.
        first: for the first answer of the game (programs load their models), at least `move`.
        grace: after a disconnect until a house bot stands in.
    """

    move: int
    bank: int
    first: int
    grace: int

    @staticmethod
    def of(value: str | Mapping[str, Any]) -> TimeLimits:
        """The limits that a table names: a preset, or an object with all or some fields.

        Raises:
            ClockError: no such preset or field, or a number out of range.
        """
        if isinstance(value, str):
            if value not in PRESETS:
                raise ClockError(f"clock: no preset {value!r}; there are {', '.join(PRESETS)}")
            return PRESETS[value]
        limits = dataclasses.asdict(PRESETS["people"])
        for name, number in value.items():
            if name not in _RANGES:
                raise ClockError(f"clock: no field {name!r}; there are {', '.join(_RANGES)}")
            low, high = _RANGES[name]
            whole = isinstance(number, int) and not isinstance(number, bool)
            if not whole or not low <= number <= high:
                raise ClockError(f"clock: {name} must be {low} to {high} milliseconds")
            limits[name] = number
        if "first" not in value:
            limits["first"] = max(limits["first"], limits["move"])
        elif limits["first"] < limits["move"]:
            raise ClockError("clock: first must not be shorter than move")
        return TimeLimits(**limits)

    def to_dict(self) -> dict[str, int]:
        """The four numbers by name."""
        return dataclasses.asdict(self)


_RANGES: Final = {
    "move": (100, 600_000),
    "bank": (0, 3_600_000),
    "first": (100, 600_000),
    "grace": (0, 3_600_000),
}

PRESETS: Final[dict[str, TimeLimits]] = {
    "people": TimeLimits(move=8_000, bank=30_000, first=20_000, grace=15_000),
    "slow": TimeLimits(move=30_000, bank=120_000, first=60_000, grace=60_000),
    "fast": TimeLimits(move=4_000, bank=8_000, first=15_000, grace=10_000),
    "bots": TimeLimits(move=5_000, bank=10_000, first=60_000, grace=5_000),
}
"""Named limits: three paces for people, and one for programs."""
