"""Who sits at a table, and how the table was made."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Container, Mapping
from typing import Any, Final, Literal, get_args

from jantaku_engine.options import show
from jantaku_engine.rules import Ruleset

from .audience import Listener
from .clock import TimeLimits, Timer

Kind = Literal["open", "person", "bot", "house"]
KINDS: Final = get_args(Kind)

_LONGEST_NAME: Final = 40

_LONGEST_CHANGES: Final = 120
"""Characters that a list of tables or games spends on the options of one of them."""


@dataclasses.dataclass(frozen=True)
class TableSettings:
    """How a table was made; all of it is in the journal.

    Attributes:
        rules: the ruleset. limits: the seats' time limits.
        call_window_ms: least time between a discard (or a kan that can be robbed) and what
            follows it, whoever could claim it, so that no pause tells who could. pause_ms:
            between hands. pace_ms: a house bot's thinking on its turn.
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

    def brief(self) -> dict[str, Any]:
        """What anybody may know, without the rules one by one."""
        return {
            "preset": self.rules.preset_name,
            "length": self.rules.length,
            "changes": changes_text(self.rules),
            "private": bool(self.code),
            "clock": self.limits.to_dict(),
            "spectators": self.spectators,
            "spectator_delay": self.spectator_delay,
            "chat": self.chat,
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> TableSettings:
        """The settings of a JSON form.

        Raises:
            ValueError, TypeError, KeyError: no such form.
        """
        return TableSettings(
            **{
                **data,
                "rules": Ruleset.from_dict(data["rules"]),
                "limits": TimeLimits(**data["limits"]),
            }
        )


@dataclasses.dataclass
class Seat:
    """One seat: who sits there, and who listens for it.

    Attributes:
        kind: `open`, a `person` or a program (`bot`) that connects, or a `house` bot.
        token_hash: SHA-256 of the token that opens the seat. entropy: its bytes, hexadecimal.
        listener: the connection, or the house bot. stand_in: who plays for an absent player.
        behind: the listener is being told old events and must not be told new ones yet.
        away: while nobody listens, when the seat is given up or a stand-in comes. lost: whether
            somebody listened before.
        rematch: wants to play again.
    """

    index: int
    kind: Kind = "open"
    name: str = ""
    token_hash: str = ""
    entropy: str = ""
    ready: bool = False
    listener: Listener | None = None
    stand_in: Listener | None = None
    behind: bool = False
    away: Timer | None = None
    lost: bool = False
    rematch: bool = False

    @property
    def is_remote(self) -> bool:
        """Somebody from outside sits here."""
        return self.kind in ("person", "bot")

    @property
    def is_set(self) -> bool:
        """Whether the match may begin as far as this seat goes."""
        if self.is_remote:
            return self.ready and self.listener is not None
        return self.kind == "house"

    @property
    def presence(self) -> dict[str, Any]:
        """Whether its player is there, and whether a house bot plays for it."""
        return {
            "seat": self.index,
            "online": self.listener is not None or self.kind == "house",
            "stand_in": self.stand_in is not None,
        }

    def brief(self) -> dict[str, Any]:
        """What anybody may know of the seat."""
        told = {"seat": self.index, "kind": self.kind, "name": self.name, "ready": self.ready}
        return {**told, **self.presence}

    def voices(self) -> list[Listener]:
        """Who is told at once what this seat is told."""
        voices: list[Listener] = []
        if self.listener is not None and not self.behind:
            voices.append(self.listener)
        if self.stand_in is not None:
            voices.append(self.stand_in)
        return voices

    def stop_waiting(self) -> None:
        """Nobody has to come any more."""
        if self.away is not None:
            self.away.cancel()
            self.away = None


def changes_text(rules: Ruleset) -> str:
    """What differs from the preset but for the length, which is told apart; "" for nothing."""
    changes = rules.changes()
    text = ", ".join([f"{k}={show(v)}" for k, v in changes.items() if k != "length"])
    return text if len(text) <= _LONGEST_CHANGES else text[: _LONGEST_CHANGES - 3] + "..."


def distinct_name(name: str, kind: Kind, others: Container[str]) -> str:
    """The name that a player gets at a table where the others have theirs.

    Whoever comes second with a name has a number behind it. A house bot's name ends with the
    number of its seat, 1 to 4; where that is taken it has a higher one instead.
    """
    base, number = (name.rsplit(" ", 1)[0], 5) if kind == "house" else (name, 2)
    distinct = name
    while distinct in others:
        end = f" {number}"
        distinct = base[: _LONGEST_NAME - len(end)].rstrip() + end
        number += 1
    return distinct


def hash_token(token: str) -> str:
    """What the server keeps of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
