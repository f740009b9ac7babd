"""Figures of simulated games: the four seats' tallies, and how many answers were given."""

from __future__ import annotations

from collections.abc import Iterable

from jantaku_engine import events as ev
from jantaku_replays.stats import PlayerTally, count_events


class Tally:
    """What happened in all games: `games`, `rounds` (hands), `decisions` (answers), `seats`."""

    __slots__ = ("decisions", "games", "rounds", "seats")

    def __init__(self) -> None:
        self.games = 0
        self.rounds = 0
        self.decisions = 0
        self.seats = tuple(PlayerTally() for _ in range(4))

    def add(self, other: Tally) -> None:
        """Add what `other` counted."""
        self.games += other.games
        self.rounds += other.rounds
        self.decisions += other.decisions
        for mine, theirs in zip(self.seats, other.seats, strict=True):
            mine.add(theirs)

    def count(self, events: Iterable[ev.Event]) -> None:
        """Count the events of one whole game."""
        games, rounds = count_events(self.seats, events)
        self.games += games
        self.rounds += rounds
