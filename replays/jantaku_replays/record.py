"""What a record is, whatever form it was written in.

Every reader turns its form into the same three things: the rules, a wall for each hand, and
the events that the game must have had. Whoever replays the record (`verify`, `convert`) deals
the walls to a `Match` and answers as the events say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jantaku_engine.events import WINDS, Event, StartKyoku
from jantaku_engine.rules import Ruleset
from jantaku_engine.wall import Wall

if TYPE_CHECKING:
    from .origin import Origin


_MOST_TEXT: Final = 500


class RecordError(ValueError):
    """A record that cannot be read; the text, one line, says where and why.

    What it quotes of the record may be anything: the middle of a long text is left out.
    """

    def __init__(self, text: str) -> None:
        line = " ".join(text.splitlines())
        if len(line) > _MOST_TEXT:
            half = _MOST_TEXT // 2 - 3
            line = f"{line[:half]} ... {line[-half:]}"
        super().__init__(line)


class NotRiichiError(ValueError):
    """A record of another game than four-player riichi; the text says which."""


class Difference(NamedTuple):
    """One fact on which two accounts of a game differ, as plain values."""

    what: str
    expected: Any
    got: Any


class Note(NamedTuple):
    """What a record tells beside an event of its stream, or does not tell about it.

    Attributes:
        untold: mjai names of fields of the event that the record does not have.
        facts: further facts about the moment (see `verify.Account`).
        illegal: why nobody could have done this, as the reader noticed; empty when fine.
        contradictions: where the record differs from itself.
    """

    untold: frozenset[str] = frozenset()
    facts: Mapping[str, Any] = {}
    illegal: str = ""
    contradictions: tuple[Difference, ...] = ()


NO_NOTE: Final = Note()


class Shown(NamedTuple):
    """A tile of the wall that the record shows: slot (index) in the wall, id, event number."""

    slot: int
    tile_id: int
    event: int


@dataclass(slots=True)
class KyokuRecord:
    """One hand of a record.

    Attributes:
        wall: the 136 tiles, derived from a recorded seed or key, or rebuilt from what is shown.
        derived: the wall comes from a recorded seed or key.
        events: from StartKyoku to EndKyoku, all hands open.
        places: line or element of each event in the record.
        notes: notes on events, by event number.
        shown: tiles of the wall that the record names by id (not in forms without ids).
    """

    wall: Wall
    derived: bool
    events: list[Event]
    places: list[int]
    notes: dict[int, Note] = field(default_factory=dict)
    shown: list[Shown] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Short name of the hand: `E1-0` is East 1 without honba."""
        start = self.events[0]
        if not isinstance(start, StartKyoku):
            raise RecordError(f"a hand begins with start_kyoku, not {start!r}")
        return kyoku_title(start)


@dataclass(slots=True)
class Record:
    """One game.

    Attributes:
        name: where it was read from.
        form: `native`, `mjai`, `tenhou_json` or `tenhou_xml`.
        rules: all options. names: the players'; bots: who sat there, "" for nobody known.
        unit: what `places` count, `line` or `element`.
        kyokus: the hands in order.
        end: the EndGame event, its place and note.
        origin: the seed of all walls and what was promised of it; None when nothing is told.
        whole: the game from its beginning to its end; else some hands of it, and `end` is only
            how things stood after the last of them.
        shuffle: Tenhou's seed of all walls, as its XML has it; "" for none.
    """

    name: str
    form: str
    rules: Ruleset
    names: tuple[str, ...]
    bots: tuple[str, ...]
    unit: str
    kyokus: list[KyokuRecord]
    end: tuple[Event, int, Note]
    origin: Origin | None = None
    whole: bool = True
    shuffle: str = ""


def kyoku_title(start: StartKyoku) -> str:
    """Short name of a hand: `S2-1` is South 2 with one honba."""
    return f"{WINDS[start.bakaze]}{start.kyoku}-{start.honba}"
