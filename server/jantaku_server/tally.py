"""Numbers that are counted at every move, so that counting costs nothing beside the move."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence


class Tally:
    """How often something happened."""

    def __init__(self, name: str, says: str) -> None:
        self.name = name
        self.says = says
        self.number = 0

    def inc(self) -> None:
        """It happened once more."""
        self.number += 1


class Level:
    """How many there are now."""

    def __init__(self, name: str, says: str) -> None:
        self.name = name
        self.says = says
        self.number = 0

    def add(self, more: int) -> None:
        """There are `more` more than before; fewer when it is negative."""
        self.number += more


class Times:
    """How long something took: how many times lie up to each of the `bounds` (seconds).

    Attributes:
        sum: of all times, in seconds.
    """

    def __init__(self, name: str, says: str, bounds: Sequence[float]) -> None:
        self.name = name
        self.says = says
        self.sum = 0.0
        self._bounds = [float(bound) for bound in bounds]
        self._numbers = [0] * (len(bounds) + 1)

    def observe(self, seconds: float) -> None:
        """It took so long, once more."""
        self.sum += seconds
        self._numbers[bisect_left(self._bounds, seconds)] += 1

    def up_to(self) -> Iterator[tuple[float | None, int]]:
        """Each bound, and last None, with the number of times that are not longer."""
        number = 0
        for bound, more in zip([*self._bounds, None], self._numbers, strict=True):
            number += more
            yield bound, number
