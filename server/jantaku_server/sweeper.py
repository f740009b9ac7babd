"""When the cycles of what is gone are swept up: seldom, for a sweep stops the server.

Python on its own walks everything that lives whenever it has grown by a quarter: with a thousand
tables that is some tenths of a second, again and again, in the middle of play. Here the young
are walked as ever, and everything only when so much has gone that it is worth it.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Final

_YOUNG: Final = (2_000, 5, 1_000_000)
"""New objects before the young are walked; walks of the young before those of middle age are; and
never everything. Ten times as many made walks of 30 ms and more."""

LEAST: Final = 2_000
"""As many connections must have gone, however few there are."""


class Sweeper:
    """Sweeps when more connections have gone since the last time than are there.

    `living` tells how many there are.
    """

    def __init__(self, living: Callable[[], int]) -> None:
        self._living = living
        self._gone = 0

    def take_over(self) -> None:
        """From now on nobody else sweeps in this process; what is loaded by now stays for ever."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_YOUNG)

    def gone(self) -> None:
        """A connection has gone; the library leaves cycles behind."""
        self._gone += 1
        if self._gone > max(LEAST, self._living()):
            self._gone = 0
            gc.collect()
