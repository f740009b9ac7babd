"""Figures of players: counted from the events of games, added up, divided at the very end.

Everything that is counted is a whole number, so that sums do not depend on the order in which
games are added.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any, Final

from jantaku_engine import events as ev

from .record import Record

_COUNTS: Final = (
    *("score", "points", "rounds", "wins", "tsumo", "deal_ins", "riichi", "calls"),
    *("won", "paid", "draws", "draw_tenpai", "dora", "ura", "aka"),
)


class PlayerTally:
    """What one player did in all games.

    Attributes:
        places: how often it came 1st .. 4th. score: sum of its final scores.
        points: sum of its final points with uma and oka, in tenths. rounds: hands played.
        wins, tsumo, deal_ins, riichi, calls: hands in which it won; won by tsumo; discarded
            what another won; had a riichi accepted; made a chi, pon or daiminkan.
        won: points gained by its wins, honba and deposits included. paid: points lost by
            dealing in.
        draws, draw_tenpai: hands that ended with the wall; in which it was tenpai then.
        dora, ura, aka: in its wins. yaku: how many of its wins had each yaku.
    """

    __slots__ = (
        "aka",
        "calls",
        "deal_ins",
        "dora",
        "draw_tenpai",
        "draws",
        "paid",
        "places",
        "points",
        "riichi",
        "rounds",
        "score",
        "tsumo",
        "ura",
        "wins",
        "won",
        "yaku",
    )

    def __init__(self) -> None:
        self.places = [0, 0, 0, 0]
        self.score = 0
        self.points = 0
        self.rounds = 0
        self.wins = 0
        self.tsumo = 0
        self.deal_ins = 0
        self.riichi = 0
        self.calls = 0
        self.won = 0
        self.paid = 0
        self.draws = 0
        self.draw_tenpai = 0
        self.dora = 0
        self.ura = 0
        self.aka = 0
        self.yaku: Counter[str] = Counter()

    @property
    def games(self) -> int:
        """Games that were played to their end."""
        return sum(self.places)

    def add(self, other: PlayerTally) -> None:
        """Add what `other` counted."""
        self.places = [a + b for a, b in zip(self.places, other.places, strict=True)]
        self.yaku.update(other.yaku)
        for name in _COUNTS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def figures(self, rounds: int) -> dict[str, Any]:
        """The averages as a JSON object; None where there is nothing to divide by.

        `placements` are counts, `rank_error` is the standard error of `average_rank`, rates are
        shares of the hands played.
        """
        games = self.games
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

    def to_dict(self) -> dict[str, Any]:
        """All figures as a JSON object; `yaku` counts wins, dora are averages of a win."""
        return {
            "games": self.games,
            "rounds": self.rounds,
            **self.figures(self.rounds),
            "wins": self.wins,
            "tsumo_share": _ratio(self.tsumo, self.wins),
            "draw_rate": _ratio(self.draws, self.rounds),
            "tenpai_at_draw_rate": _ratio(self.draw_tenpai, self.draws),
            "dora": _ratio(self.dora, self.wins),
            "ura_dora": _ratio(self.ura, self.wins),
            "red_fives": _ratio(self.aka, self.wins),
            "yaku": dict(sorted(self.yaku.items(), key=lambda item: (-item[1], item[0]))),
        }


def count_events(players: Sequence[PlayerTally], events: Iterable[ev.Event]) -> tuple[int, int]:
    """Count the events of a game for the players of seats 0-3; the games and hands that ended."""
    games = rounds = 0
    riichi: set[int] = set()
    callers: set[int] = set()
    losers: set[int] = set()
    for event in events:
        if isinstance(event, ev.StartKyoku):
            riichi.clear()
            callers.clear()
            losers.clear()
        elif isinstance(event, ev.ReachAccepted):
            riichi.add(event.actor)
        elif isinstance(event, ev.Naki):
            callers.add(event.actor)
        elif isinstance(event, ev.Hora):
            _count_win(players[event.actor], event)
            if event.target != event.actor:
                losers.add(event.target)
                players[event.target].paid -= event.deltas[event.target]
        elif isinstance(event, ev.Ryukyoku):
            if event.reason in (ev.EXHAUSTIVE, ev.NAGASHI_MANGAN):
                for seat, player in enumerate(players):
                    player.draws += 1
                    player.draw_tenpai += event.tenpais[seat]
        elif isinstance(event, ev.EndKyoku):
            rounds += 1
            for seat, player in enumerate(players):
                player.rounds += 1
                player.riichi += seat in riichi
                player.calls += seat in callers
                player.deal_ins += seat in losers
        elif isinstance(event, ev.EndGame):
            games += 1
            for seat, player in enumerate(players):
                player.places[event.ranks[seat] - 1] += 1
                player.score += event.scores[seat]
                player.points += round(event.points[seat] * 10)
    return games, rounds


def _count_win(winner: PlayerTally, event: ev.Hora) -> None:
    winner.wins += 1
    winner.tsumo += event.actor == event.target
    winner.won += event.deltas[event.actor]
    winner.dora += event.dora
    winner.ura += event.ura
    winner.aka += event.aka
    winner.yaku.update(name for name, _ in event.yaku)


class Stats:
    """Figures of many games: `games`, `rounds`, and the tally of each player by name."""

    def __init__(self) -> None:
        self.games = 0
        self.rounds = 0
        self.players: dict[str, PlayerTally] = {}

    def count(self, record: Record) -> None:
        """Count a record that has everything (`verify.complete`).

        Of a record of some hands only, the hands are counted and no placements.
        """
        seats = [PlayerTally() for _ in range(4)]
        events = [event for kyoku in record.kyokus for event in kyoku.events]
        if record.whole:
            events.append(record.end[0])
        games, rounds = count_events(seats, events)
        self.games += games
        self.rounds += rounds
        for name, tally in zip(record.names, seats, strict=True):
            self.players.setdefault(name, PlayerTally()).add(tally)

    def overall(self) -> PlayerTally:
        """All players together: rates are those of an average player."""
        total = PlayerTally()
        for tally in self.players.values():
            total.add(tally)
        return total

    def ranked(self) -> list[tuple[str, PlayerTally]]:
        """The players: who played most first, then the better average rank, then by name."""
        return sorted(
            self.players.items(),
            key=lambda item: (
                -item[1].games,
                sum(place * n for place, n in enumerate(item[1].places)),
                item[0],
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """The object of `replay stats --json`."""
        players = [{"name": name, **tally.to_dict()} for name, tally in self.ranked()]
        return {
            "games": self.games,
            "rounds": self.rounds,
            "overall": self.overall().to_dict(),
            "players": players,
        }


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
