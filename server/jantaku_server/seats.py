"""Who sits at a table, and how the table was made."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from typing import Any, Literal

from jantaku_engine.rules import Ruleset

from .audience import Listener
from .clock import TimeLimits, Timer

Kind = Literal["open", "person", "bot", "house"]


@dataclasses.dataclass(frozen=True, slots=True)
class TableSettings:
    """How a table was made; all of it is in the journal.

    Attributes:
        rules: the ruleset. limits: the seats' time limits.
        call_window_ms: least time between a discard and the next draw, so that a pause does
            not tell who could call. pause_ms: between hands. pace_ms: a house bot's thinking.
        spectators: whether there may be any. spectator_delay: `hand`, or seconds (0 = live).
        chat: whether phrases may be said. code: what a private table is joined with, or "".
        owner_hash: SHA-256 of the owner's token.
    """

    rules: Ruleset
    limits: TimeLimits
    call_window_ms: int = 0
    pause_ms: int = 0
    pace_ms: int = 0
    spectators: bool = True
    spectator_delay: str | int = "hand"
    chat: bool = False
    code: str = ""
    owner_hash: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON form, with the rules by name and value."""
        plain = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return {**plain, "rules": self.rules.to_dict(), "limits": self.limits.to_dict()}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> TableSettings:
        """The settings of a JSON form."""
        return TableSettings(
            **{
                **data,
                "rules": Ruleset.from_dict(data["rules"]),
                "limits": TimeLimits(**data["limits"]),
            }
        )


@dataclasses.dataclass(slots=True)
class Seat:
    """One seat: who sits there, how much bank is left, and who listens for it."""

    index: int
    kind: Kind = "open"
    name: str = ""
    token_hash: str = ""
    entropy: str = ""
    ready: bool = False
    bank_ms: int = 0
    answered: bool = False
    listener: Listener | None = None
    stand_in: Listener | None = None
    away: Timer | None = None
    rematch: bool = False

    def voices(self) -> list[Listener]:
        """Who is told what this seat is told."""
        return [one for one in (self.listener, self.stand_in) if one is not None]


def hash_token(token: str) -> str:
    """What the server keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
