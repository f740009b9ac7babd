"""What a verification finds: counts and mismatches."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Mismatch(NamedTuple):
    """One thing in which the record (`expected`) and the engine (`got`) differ.

    Attributes:
        file: name of the record. kyoku: the hand (`S2-1`), or `end` for the end of the game.
        what: the event and the field. expected, got: plain values.
        place: line or element of the record.
        illegal: nobody could have done what the record says.
    """

    file: str
    kyoku: str
    what: str
    expected: Any
    got: Any
    place: str
    illegal: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The object of `replay verify --json`."""
        return {
            "file": self.file,
            "kyoku": self.kyoku,
            "what": self.what,
            "expected": self.expected,
            "got": self.got,
        }

    @property
    def line(self) -> str:
        """Place and difference, without the name of the record."""
        line = f"{self.kyoku}, {self.place}: {self.what}: "
        if self.illegal:
            return f"{line}{self.expected} is illegal: {self.got}"
        return f"{line}the record has {self.expected}, the engine {self.got}"

    def __str__(self) -> str:
        return f"{self.file}: {self.line}"


@dataclass(slots=True)
class Tally:
    """What was verified, of one record or of many.

    Attributes:
        games, rounds, wins, draws: of the records, as far as they were replayed.
        decisions: recorded draws, discards, calls, riichi, wins and nine-terminals
            declarations that were checked against the engine.
        walls_checked: rounds whose whole wall was derived from a recorded seed or key and
            agrees with everything that the record shows.
        seeds_checked: games whose every key follows from the seed promised before the deal.
        ura_unknown: wins in riichi whose ura dora indicators the record does not show; those of
            the replay are invented, as many as the payments tell.
        mismatches: every difference.
    """

    games: int = 0
    rounds: int = 0
    wins: int = 0
    draws: int = 0
    decisions: int = 0
    walls_checked: int = 0
    seeds_checked: int = 0
    ura_unknown: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count in what another tally counted."""
        self.games += other.games
        self.rounds += other.rounds
        self.wins += other.wins
        self.draws += other.draws
        self.decisions += other.decisions
        self.walls_checked += other.walls_checked
        self.seeds_checked += other.seeds_checked
        self.ura_unknown += other.ura_unknown
        self.mismatches.extend(other.mismatches)
