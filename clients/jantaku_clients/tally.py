"""Figures of played games: counted from their events, added up, divided at the very end.

Everything that is counted is a whole number, so that sums do not depend on the order in which
games are added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

from jantaku_engine import events as ev


class SeatTally:
    """What one seat did in all games.

    Attributes:
        places: how often it came 1st .. 4th. score: sum of its final scores.
        points: sum of its final points with uma and oka, in tenths.
        wins, deal_ins, riichi, calls: hands in which it won; discarded what another won; had a
            riichi accepted; made a chi, pon or daiminkan.
        won: points gained by its wins, honba and deposits included. paid: points lost by
            dealing in.
    """

    __slots__ = ("calls", "deal_ins", "paid", "places", "points", "riichi", "score", "wins", "won")

    def __init__(self) -> None:
        self.places = [0, 0, 0, 0]
        self.score = 0
        self.points = 0
        self.wins = 0
        self.deal_ins = 0
        self.riichi = 0
        self.calls = 0
        self.won = 0
        self.paid = 0

    def add(self, other: SeatTally) -> None:
        """Add what `other` counted."""
        self.places = [a + b for a, b in zip(self.places, other.places, strict=True)]
        self.score += other.score
        self.points += other.points
        self.wins += other.wins
        self.deal_ins += other.deal_ins
        self.riichi += other.riichi
        self.calls += other.calls
        self.won += other.won
        self.paid += other.paid

    def figures(self, rounds: int) -> dict[str, Any]:
        """The averages as a JSON object; None where there is nothing to divide by.

        `placements` are counts, `rank_error` is the standard error of `average_rank`, rates are
        shares of the hands played.
        """
        games = sum(self.places)
        return {
            "placements": list(self.places),
            "average_rank": _ratio(sum(p * n for p, n in enumerate(self.places, 1)), games),
            "rank_error": rank_error(self.places),
            "win_rate": _ratio(self.wins, rounds),
            "deal_in_rate": _ratio(self.deal_ins, rounds),
            "riichi_rate": _ratio(self.riichi, rounds),
            "call_rate": _ratio(self.calls, rounds),
            "average_win": _ratio(self.won, self.wins),
            "average_deal_in": _ratio(self.paid, self.deal_ins),
            "average_score": _ratio(self.score, games),
            "average_points": _ratio(self.points, games * 10),
        }


class Tally:
    """What happened in all games: `games`, `rounds` (hands), `decisions` (answers), `seats`."""

    __slots__ = ("decisions", "games", "rounds", "seats")

    def __init__(self) -> None:
        self.games = 0
        self.rounds = 0
        self.decisions = 0
        self.seats = tuple(SeatTally() for _ in range(4))

    def add(self, other: Tally) -> None:
        """Add what `other` counted."""
        self.games += other.games
        self.rounds += other.rounds
        self.decisions += other.decisions
        for mine, theirs in zip(self.seats, other.seats, strict=True):
            mine.add(theirs)

    def count(self, events: Iterable[ev.Event]) -> None:
        """Count the events of one whole game."""
        riichi: set[int] = set()
        callers: set[int] = set()
        losers: set[int] = set()
        for event in events:
            if isinstance(event, ev.StartKyoku):
                self.rounds += 1
                riichi.clear()
                callers.clear()
                losers.clear()
            elif isinstance(event, ev.ReachAccepted):
                riichi.add(event.actor)
            elif isinstance(event, ev.Naki):
                callers.add(event.actor)
            elif isinstance(event, ev.Hora):
                winner = self.seats[event.actor]
                winner.wins += 1
                winner.won += event.deltas[event.actor]
                if event.target != event.actor:
                    losers.add(event.target)
                    self.seats[event.target].paid -= event.deltas[event.target]
            elif isinstance(event, ev.EndKyoku):
                for seat, tally in enumerate(self.seats):
                    tally.riichi += seat in riichi
                    tally.calls += seat in callers
                    tally.deal_ins += seat in losers
            elif isinstance(event, ev.EndGame):
                self.games += 1
                for seat, tally in enumerate(self.seats):
                    tally.places[event.ranks[seat] - 1] += 1
                    tally.score += event.scores[seat]
                    tally.points += round(event.points[seat] * 10)


def rank_error(places: Sequence[int]) -> float | None:
    """Standard error of the average of ranks that occurred so often; None below two games."""
    games = sum(places)
    if games < 2:
        return None
    mean = sum(rank * n for rank, n in enumerate(places, 1)) / games
    variance = sum(n * (rank - mean) ** 2 for rank, n in enumerate(places, 1)) / (games - 1)
    return round(sqrt(variance / games), 6)


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 6) if whole else None
