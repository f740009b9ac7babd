"""The native record, `.mjson` and `.mjson.gz`: a full-information mjai log, one message a line.

Line 1 is `start_game` with the format version in `jantaku`, all options in `rules`, `names`,
and `bots` (who sat there, "" for nobody known). The other lines are the events as `to_mjai`
gives them, all hands open. `wall_hash` in `start_kyoku` is the SHA-256 of the hand's key,
`wall_key` in `end_kyoku` the key itself, from which the wall is dealt again. A server's record
also has `seed_hash` and `entropy` in line 1 and `seed` in the last (see `origin`); a record of
a game of Tenhou has Tenhou's seed of all walls in `shuffle`, and one that has only some hands of
a game `"whole":false`, in line 1.
"""

from __future__ import annotations

import gzip
import io
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jantaku_engine import events as ev
from jantaku_engine.events import Event, EventError
from jantaku_engine.mjai import event_from_mjai
from jantaku_engine.rules import RulesError, Ruleset
from jantaku_engine.tiles import UNKNOWN
from jantaku_engine.wall import Wall

from .json_text import compact, decode_text, loads_json
from .origin import Origin, read_origin
from .rebuilt import ShownTiles
from .record import NO_NOTE, KyokuRecord, NotRiichiError, Record, RecordError
from .tenhou_wall import TenhouWalls

FORMAT: Final = 1
"""Version of the format, the field `jantaku` of line 1."""

_PACKING: Final = 6
"""How hard gzip tries: 9 takes twice as long for one part in a hundred."""

_KANS: Final = (ev.DAIMINKAN, ev.KAKAN, ev.ANKAN)
_NO_BOTS: Final = ("", "", "", "")


# ---------------------------------------------------------------------- writing


def dumps(
    events: Iterable[Event],
    bots: Sequence[str] = _NO_BOTS,
    origin: Origin | None = None,
    shuffle: str = "",
    whole: bool = True,
) -> str:
    """The text of a record of a whole game (`match.events`), with the origin of its walls.

    `shuffle` is Tenhou's seed, for games that were played there; without `whole` the record has
    some hands of a game.

    Raises:
        ValueError: the first event is no StartGame, or there are not four bots.
    """
    played = list(events)
    if not played or played[0].type != ev.START_GAME or len(bots) != 4:
        raise ValueError("a record begins with start_game and has four bots")
    head = {"type": "start_game", "jantaku": FORMAT, **played[0].to_mjai(), "bots": list(bots)}
    if shuffle:
        head["shuffle"] = shuffle
    if not whole:
        head["whole"] = False
    lines = [_line(event) for event in played]
    if origin is not None:
        head |= origin.head()
        lines[-1] = compact(played[-1].to_mjai() | origin.tail())
    if len(played) == 1 and origin is not None:
        head |= origin.tail()
    lines[0] = compact(head)
    return "\n".join(lines) + "\n"


_LINES: Final[dict[int, str]] = {}
"""The lines of draws and discards, by `Event.code`."""


def _line(event: Event) -> str:
    code = event.code()
    if code < 0:
        return compact(event.to_mjai())
    line = _LINES.get(code)
    if line is None:
        line = _LINES[code] = compact(event.to_mjai())
    return line


def write(
    path: Path,
    events: Iterable[Event],
    bots: Sequence[str] = _NO_BOTS,
    origin: Origin | None = None,
) -> None:
    """Write a record; compressed when the name ends in `.gz`.

    Raises:
        ValueError: as `dumps`. OSError: the file cannot be written.
    """
    data = dumps(events, bots, origin).encode()
    if path.suffix == ".gz":
        buffer = io.BytesIO()
        # No name and no time inside: the same game gives the same file.
        with gzip.GzipFile("", "wb", _PACKING, buffer, mtime=0) as file:
            file.write(data)
        data = buffer.getvalue()
    path.write_bytes(data)


# ---------------------------------------------------------------------- reading


def read_native(data: bytes, name: str) -> Record:
    """The game of a native record.

    Raises:
        RecordError: no such record, another version, an impossible line, or cut off.
        NotRiichiError: a game of other than four players.
    """
    messages = _messages(data)
    first = next(messages, None)
    if first is None:
        raise RecordError("is empty")
    rules, bots = _head(*first)
    shuffle, walls = _shuffle(*first)
    whole = first[1].get("whole", True) is not False
    names: tuple[str, ...] = ()
    kyokus: list[KyokuRecord] = []
    hand: _HandReader | None = None
    end: Event | None = None
    line, message = first
    for line, message in itertools.chain([first], messages):
        event = _event(line, message)
        if end is not None:
            raise RecordError(f"line {line}: stands after end_game")
        if isinstance(event, ev.StartGame):
            if names:
                raise RecordError(f"line {line}: a second start_game")
            names = event.names
        elif isinstance(event, ev.StartKyoku):
            if hand is not None:
                raise RecordError(f"line {line}: a hand begins before the last one has ended")
            derived = None if walls is None else walls.next_wall().ids
            hand = _HandReader(rules, event, line, derived)
        elif isinstance(event, ev.EndGame):
            end = event
        elif hand is None:
            raise RecordError(f"line {line}: {message['type']} stands outside a hand")
        else:
            hand.take(event, line)
            if isinstance(event, ev.EndKyoku):
                kyokus.append(hand.finish(event))
                hand = None
    if hand is not None or end is None or not kyokus:
        raise RecordError(f"line {line}: the record ends before the game does (no end_game)")
    origin = read_origin(first[1], first[0], message, line)
    ending = (end, line, NO_NOTE)
    return Record(
        name, "native", rules, names, bots, "line", kyokus, ending, origin, whole, shuffle
    )


def _messages(data: bytes) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The JSON object of each line, with its number from 1; blank lines are passed over."""
    for number, line in enumerate(decode_text(data).split("\n"), 1):
        if not line.strip():
            continue
        message = loads_json(line, line=number)
        if not isinstance(message, dict):
            raise RecordError(f"line {number}: is no JSON object")
        yield number, message


def _head(line: int, head: Mapping[str, Any]) -> tuple[Ruleset, tuple[str, ...]]:
    """Rules and bots of the first line."""
    if head.get("type") != "start_game":
        raise RecordError(f"line {line}: a record begins with start_game")
    version = head.get("jantaku")
    if type(version) is not int:
        raise RecordError(f"line {line}: is no Jantaku record (no format version in `jantaku`)")
    if version != FORMAT:
        raise RecordError(f"line {line}: format version {version} is unknown, this reads {FORMAT}")
    names = head.get("names")
    if isinstance(names, list) and len(names) in (2, 3):
        raise NotRiichiError(f"a game of {len(names)} players")
    bots = head.get("bots", list(_NO_BOTS))
    if not (isinstance(bots, list) and len(bots) == 4 and all(type(bot) is str for bot in bots)):
        raise RecordError(f"line {line}: bots must be four texts")
    try:
        rules = Ruleset.from_dict(head.get("rules", {}))
    except RulesError as error:
        raise RecordError(f"line {line}: {error}") from None
    return rules, tuple(bots)


def _shuffle(line: int, head: Mapping[str, Any]) -> tuple[str, TenhouWalls | None]:
    """Tenhou's seed in the first line, and the walls that it gives."""
    shuffle = head.get("shuffle", "")
    if not isinstance(shuffle, str):
        raise RecordError(f"line {line}: shuffle must be a text")
    try:
        return shuffle, TenhouWalls(shuffle) if shuffle else None
    except RecordError as error:
        raise RecordError(f"line {line}: shuffle: {error}") from None


def _event(line: int, message: Mapping[str, Any]) -> Event:
    try:
        return event_from_mjai(message)
    except EventError as error:
        raise RecordError(f"line {line}: {error}") from None


class _HandReader:
    """One hand: its events, and the tiles where they show that they lie in the wall."""

    def __init__(
        self, rules: Ruleset, start: ev.StartKyoku, line: int, derived: tuple[int, ...] | None
    ) -> None:
        self.rules = rules
        self.derived = derived
        self.start = start
        self.events: list[Event] = [start]
        self.places = [line]
        for hand in start.tehais:
            self._check_open(hand, line)
        self.shown = ShownTiles(start.oya, start.tehais)
        self.shown.indicators((start.dora_marker,))
        self.dora = [start.dora_marker]

    def _check_open(self, tiles: tuple[int, ...], line: int) -> None:
        if UNKNOWN in tiles:
            raise RecordError(f"line {line}: has hidden tiles ('?'), a record has all open")

    def take(self, event: Event, line: int) -> None:
        """Take the next event of the hand."""
        try:
            self._show(event)
        except RecordError as error:
            raise RecordError(f"line {line}: {error}") from None
        self.events.append(event)
        self.places.append(line)

    def _show(self, event: Event) -> None:
        if isinstance(event, ev.Tsumo):
            if event.pai == UNKNOWN:
                raise RecordError("has hidden tiles ('?'), a record has all open")
            self.shown.draw(event.pai)
        elif event.type in _KANS:
            self.shown.kan()
        elif isinstance(event, ev.Dora):
            self.dora.append(event.dora_marker)
            self.shown.indicators(tuple(self.dora))
        elif isinstance(event, ev.Hora) and event.ura_markers:
            self.shown.indicators(tuple(self.dora), event.ura_markers)

    def finish(self, end: ev.EndKyoku) -> KyokuRecord:
        """The hand with its wall: dealt again from its key, or rebuilt from what was seen."""
        if end.wall_key:
            wall = Wall.from_key(bytes.fromhex(end.wall_key))
        elif self.derived is not None:
            wall = Wall(self.derived, commitment=self.start.wall_hash)
        else:
            wall = Wall(self._rebuilt(), commitment=self.start.wall_hash)
        derived = bool(end.wall_key) or self.derived is not None
        return KyokuRecord(wall, derived, self.events, self.places)

    def _rebuilt(self) -> list[int]:
        try:
            return self.shown.wall_ids(self.rules)
        except RecordError as error:
            raise RecordError(f"the hand at line {self.places[0]}: {error}") from None
