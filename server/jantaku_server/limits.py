"""Guards against hostile or hurried clients: token buckets and bounded output."""

from __future__ import annotations

from typing import Final

MAX_QUEUE: Final = 256 * 1024
"""Most bytes that may wait for a client that does not read; then it is dropped."""


class TokenBucket:
    """Allows `rate` messages a second on average and `burst` at once."""

    __slots__ = ("_burst", "_last", "_rate", "_tokens")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._tokens = burst
        self._last = now

    def take(self, now: float, number: float = 1.0) -> bool:
        """Take tokens at the moment `now` (seconds); none, and False, when there are fewer."""
        self._tokens = min(self._burst, self._tokens + (now - self._last) * self._rate)
        self._last = now
        if self._tokens < number:
            return False
        self._tokens -= number
        return True

    def give_back(self) -> None:
        """Return a token: the message was one that had been asked for."""
        self._tokens = min(self._burst, self._tokens + 1)
