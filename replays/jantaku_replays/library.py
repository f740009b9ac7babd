"""Records for programs: games, their hands, and the table at every step.

>>> import jantaku_replays
>>> for game in jantaku_replays.read("games/"):        # doctest: +SKIP
...     for hand in game:
...         for event, table in hand.steps():
...             ...
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from jantaku_engine.events import EndGame, Event
from jantaku_engine.rules import Ruleset
from jantaku_engine.table import Table
from jantaku_engine.wall import Wall

from .files import RecordFiles
from .findings import Mismatch
from .record import KyokuRecord, NotRiichiError, Record, RecordError
from .states import TableState, hand_states
from .verify import complete


class Hand:
    """One hand of a game.

    Attributes:
        title: `S2-1` is South 2 with one honba. events: all of them, every hand open.
        wall: the 136 tiles; wall_known: they come from a seed or key, else what was never
            shown lies anywhere.
    """

    __slots__ = ("_names", "_rules", "events", "title", "wall", "wall_known")

    def __init__(self, rules: Ruleset, names: tuple[str, ...], kyoku: KyokuRecord) -> None:
        self._rules = rules
        self._names = names
        self.title = kyoku.title
        self.events: tuple[Event, ...] = tuple(kyoku.events)
        self.wall: Wall = kyoku.wall
        self.wall_known = kyoku.derived

    def steps(self) -> Iterator[tuple[Event, Table]]:
        """Each event with the table after it; it is one table that goes along, to look at only."""
        table = Table(self._rules)
        for event in self.events:
            table.apply(event)
            yield event, table

    def states(self, seat: int | None = None) -> Iterator[TableState]:
        """The table after each event, as `seat` knows it (-1 a spectator, None all open).

        Each can be kept, and Jupyter shows it as a picture.
        """
        return hand_states(self._rules, self._names, self.events, seat)

    def __repr__(self) -> str:
        return f"<Hand {self.title}: {len(self.events)} events>"


class Game:
    """One game, with everything that its record leaves out and the engine finds.

    Attributes:
        name: where it was read from. form: `native`, `mjai`, `tenhou_json` or `tenhou_xml`.
        rules, names, bots: of the game. hands: in order; iterating over the game gives them.
        end: final scores, ranks and points. whole: False for some hands of a game.
        differences: where the record and the engine do not agree; empty for a good record.
        record: the complete record, for `jantaku_replays.convert`.
    """

    __slots__ = ("differences", "end", "hands", "record")

    def __init__(self, record: Record) -> None:
        """Take a record as it was read.

        Raises:
            RecordError: it cannot be replayed to its end; the text says where and why.
        """
        self.record, tally = complete(record)
        self.differences: list[Mismatch] = tally.mismatches
        self.hands = [Hand(self.rules, self.names, kyoku) for kyoku in self.record.kyokus]
        end = self.record.end[0]
        assert isinstance(end, EndGame)
        self.end = end

    @property
    def name(self) -> str:
        """Where it was read from."""
        return self.record.name

    @property
    def form(self) -> str:
        """The form that it was read from."""
        return self.record.form

    @property
    def rules(self) -> Ruleset:
        """All options."""
        return self.record.rules

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names."""
        return self.record.names

    @property
    def bots(self) -> tuple[str, ...]:
        """Who sat there, "" for nobody known."""
        return self.record.bots

    @property
    def whole(self) -> bool:
        """The game from its beginning to its end."""
        return self.record.whole

    def __iter__(self) -> Iterator[Hand]:
        return iter(self.hands)

    def __len__(self) -> int:
        return len(self.hands)

    def __repr__(self) -> str:
        return f"<Game {self.name}: {len(self.hands)} hands>"


def read(
    path: str | os.PathLike[str], rules: Ruleset | None = None, skip_bad: bool = False
) -> Iterator[Game]:
    """The games in a file, below a folder, in a .zip archive, or in a link to Tenhou's viewer.

    `rules` are those of games in forms that tell only a few (plain mjai, Tenhou JSON), where
    they were not Tenhou's. With `skip_bad` what cannot be read is passed over.

    Raises:
        RecordError: a record that cannot be read or replayed; the text says which and why.
        NotRiichiError: a game of other than four players.
    """
    with RecordFiles([path]) as found:
        if found.problems and not found.sources and not skip_bad:
            raise RecordError(str(found.problems[0]))
        for source in found.sources:
            try:
                game = Game(found.read(source, rules))
            except (RecordError, NotRiichiError) as error:
                if not skip_bad:
                    raise type(error)(f"{source.name}: {error}") from None
            else:
                yield game
