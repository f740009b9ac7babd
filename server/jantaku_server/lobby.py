"""The lobby: every table of the server, how they are made, found, ended and brought back."""

from __future__ import annotations

import functools
import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import structlog

from jantaku_engine.actions import Action
from jantaku_engine.rules import PRESETS, RulesError, Ruleset
from jantaku_engine.view import SeatView

from .audience import Listener, Question
from .clock import Clock, ClockError, TimeLimits, Timer
from .game import default_action
from .house import HouseSeat, Players, Run
from .journal import Journal, StoredTable
from .limits import MAX_QUEUE
from .metrics import Metrics
from .replay_files import remove_partial, replay_name, save_replay
from .rows import rebuild
from .seats import Seat, TableSettings, hash_token
from .table import FINISHED, WAITING, LiveTable
from .wire import Message, WireError, encode_value

log = structlog.get_logger("jantaku")

LINGER_S: Final = 600.0
"""How long a finished table can still be looked at and played again."""

MOST_LISTED: Final = MAX_QUEUE * 3 // 4
"""Bytes of the list of tables, as JSON, at most: who asks for it must not seem a slow reader."""

MOST_LINGERING: Final = 100
"""Finished tables that are kept at once; of more, the oldest that nobody sits at goes first."""

ABANDONED_S: Final = 1800.0
"""How long a table waits for players before it is forgotten."""

RETRY_S: Final = 60.0
"""When a replay that could not be written is tried again."""

STAND_IN: Final = "greedy"

Done = Callable[[Any], None]


class Lobby:
    """All tables of one server, by id; to each table it is the house (`host.Host`)."""

    def __init__(
        self,
        data: Path,
        rules: Ruleset,
        players: Players,
        clock: Clock,
        journal: Journal,
        metrics: Metrics,
        run: Run,
        work: Callable[[Callable[[], Any], Done], None],
        max_tables: int,
        told: Callable[[float], None] = lambda since: None,
    ) -> None:
        self.told = told
        self.tables: dict[str, LiveTable] = {}
        self.rules = rules
        self.players = players
        self.clock = clock
        self.journal = journal
        self.metrics = metrics
        self._data = data
        self._run = run
        self._work = work
        self._max_tables = max_tables
        self._codes: dict[str, LiveTable] = {}
        self._tokens: dict[str, LiveTable] = {}
        self._timers: dict[str, Timer] = {}
        self._closed = False

    @property
    def presets(self) -> Sequence[str]:
        """Names of the rulesets that a table may have."""
        return tuple(PRESETS)

    @property
    def default_bot(self) -> str:
        """The house bot that fills seats and stands in."""
        return STAND_IN if STAND_IN in self.players else next(iter(self.players))

    @staticmethod
    def new_token() -> str:
        """A secret that opens a seat, in hex: it may stand as a word of a command."""
        return secrets.token_hex(24)

    # ------------------------------------------------------------------ making tables

    def create(
        self, message: Mapping[str, Any], then: Callable[[LiveTable, str, str], None]
    ) -> None:
        """Make a table from a `create` message; `then(table, code, owner token)` once it is kept.

        Raises:
            WireError: `rules`, `invalid` or `full`.
        """
        owner = secrets.token_hex(24)
        settings = self._settings(message, owner)
        seats = message.get("seats") or ["open"] * 4
        for seat in seats:
            self._check_bot(seat)
        table = self._new_table(settings)
        for index, seat in enumerate(seats):
            if seat.startswith("bot:"):
                bot = seat.removeprefix("bot:")
                table.take_seat(index, "house", f"{bot} {index + 1}", "", "")
        table.when_written(functools.partial(self._created, table, owner, then))

    def _created(
        self, table: LiveTable, owner: str, then: Callable[[LiveTable, str, str], None]
    ) -> None:
        preset = table.settings.rules.preset_name
        private = bool(table.settings.code)
        log.info("table created", table=table.id, preset=preset, private=private)
        then(table, table.settings.code, owner)
        table.start_if_full()

    def _check_bot(self, seat: str) -> None:
        name = seat.removeprefix("bot:")
        if seat != "open" and name not in self.players:
            known = ", ".join(self.players)
            raise WireError("invalid", f"no house bot {name!r}; there are {known}")

    def _settings(self, message: Mapping[str, Any], owner: str) -> TableSettings:
        try:
            asked = message.get("rules")
            rules = self.rules if asked is None else Ruleset.from_dict(asked, self.rules)
            people = "open" in (message.get("seats") or ["open"])
            limits = TimeLimits.of(message.get("clock") or "people")
        except RulesError as error:
            raise WireError("rules", str(error)) from None
        except ClockError as error:
            raise WireError("invalid", str(error)) from None

        def asked_or(name: str, default: Any) -> Any:
            value = message.get(name)
            return default if value is None else value

        paced = people and message.get("clock") != "bots"
        return TableSettings(
            rules=rules,
            limits=limits,
            call_window_ms=asked_or("call_window_ms", 700 if paced else 0),
            pause_ms=asked_or("pause_ms", 6_000 if paced else 0),
            pace_ms=asked_or("pace_ms", 500 if paced else 0),
            spectators=asked_or("spectators", True),
            spectator_delay=asked_or("spectator_delay", "hand"),
            chat=asked_or("chat", False),
            code=secrets.token_hex(16) if message.get("private") else "",
            owner_hash=hash_token(owner),
        )

    def _new_table(self, settings: TableSettings) -> LiveTable:
        """A table that is written to the journal.

        Raises:
            WireError: `full` when there are too many.
        """
        if sum(1 for table in self.tables.values() if table.state != FINISHED) >= self._max_tables:
            raise WireError("full", f"the server has its {self._max_tables} tables")
        now = self.clock.wall_time()
        table = LiveTable(secrets.token_hex(8), settings, secrets.token_bytes(32), now, self)
        self.journal.create_table(table.id, now, settings.to_dict(), table.seed)
        self._add(table)
        return table

    def _add(self, table: LiveTable) -> None:
        self.tables[table.id] = table
        if table.settings.code:
            self._codes[hash_token(table.settings.code)] = table
        self._arrange(table, ABANDONED_S, functools.partial(self._forget_if_abandoned, table))

    def _arrange(self, table: LiveTable, seconds: float, call: Callable[[], None]) -> None:
        """Call later, instead of what was arranged for the table before."""
        self._arrange_nothing(table)
        self._timers[table.id] = self.clock.call_at(self.clock.now() + seconds, call)

    def _arrange_nothing(self, table: LiveTable) -> None:
        timer = self._timers.pop(table.id, None)
        if timer is not None:
            timer.cancel()

    # ------------------------------------------------------------------ house bots

    def house_bot(self, table: LiveTable, seat: Seat, bot: str) -> Listener:
        """See `host.Host.house_bot`."""
        make = self.players.get(bot) or self.players[self.default_bot]
        # A bot's chances are its own affair: not derived from the seed of the walls.
        player = make(random.Random(secrets.randbits(64)))
        settings = table.settings
        return HouseSeat(
            player,
            SeatView(seat.index, settings.rules),
            self.clock,
            settings.pace_ms,
            settings.call_window_ms,
            self._run,
            functools.partial(self._house_answer, table, seat.index),
        )

    def _house_answer(
        self,
        table: LiveTable,
        index: int,
        house: HouseSeat,
        question: Question,
        answer: Action | Exception,
    ) -> None:
        seat = table.seats[index]
        if house not in seat.voices():
            return
        if isinstance(answer, Exception):
            # Its text may tell tiles; the log must not.
            kind = type(answer).__name__
            log.error("house bot failed", table=table.id, seat=index, why=kind)
            answer = default_action(question.menu)
        try:
            table.answer(seat, question.id, answer)
        except WireError as error:
            # The clock or the returned player was first; anything else is a fault of the bot.
            if error.code != "stale":
                log.error("house bot refused", table=table.id, seat=index, why=error.code)

    # ------------------------------------------------------------------ finding tables

    def public(self, most: int = 200) -> list[Message]:
        """Descriptions of at most `most` public tables that are not finished, in bounds.

        Tables that wait for players come first, and of each kind the newest.
        """
        newest = [
            table
            for table in reversed(self.tables.values())
            if not table.settings.code and table.state != FINISHED
        ]
        waiting = [table for table in newest if table.state == WAITING]
        others = [table for table in newest if table.state != WAITING]
        told: list[Message] = []
        size = 0
        for table in (waiting + others)[:most]:
            brief = table.brief()
            size += len(encode_value(brief, "json"))
            if size > MOST_LISTED:
                break
            told.append(brief)
        return told

    def find(self, message: Mapping[str, Any]) -> LiveTable:
        """The table that a message names by `table` (public) or `code` (private).

        Raises:
            WireError: `not_found`, the same for a wrong code and for a table that is not there.
        """
        code = message.get("code")
        if code:
            # By its digest: how long a look-up takes tells nothing about a secret.
            table = self._codes.get(hash_token(code))
        else:
            table = self.tables.get(message.get("table") or "")
        if table is None or (table.settings.code and not code):
            raise WireError("not_found", "no such table, or it is private and needs its code")
        return table

    def find_seat(self, token: str) -> tuple[LiveTable, Seat]:
        """The seat that a token opens.

        Raises:
            WireError: `bad_token`.
        """
        digest = hash_token(token)
        table = self._tokens.get(digest)
        seat = None if table is None else table.seat_of_digest(digest)
        if table is None or seat is None:
            raise WireError("bad_token", "this token opens no seat of a table of this server")
        return table, seat

    def seat_kept(self, table: LiveTable, seat: Seat) -> None:
        """See `host.Host.seat_kept`."""
        if seat.token_hash:
            self._tokens[seat.token_hash] = table

    def seat_freed(self, table: LiveTable, seat: Seat) -> None:
        """See `host.Host.seat_freed`."""
        if self._tokens.get(seat.token_hash) is table:
            del self._tokens[seat.token_hash]

    # ------------------------------------------------------------------ ending tables

    def table_ended(self, table: LiveTable) -> None:
        """See `host.Host.table_ended`."""
        hands = 0 if table.match is None else table.match.dealt
        log.info("match finished", table=table.id, hands=hands)
        self._arrange_nothing(table)
        self._save(table)

    def _save(self, table: LiveTable) -> None:
        self._work(
            functools.partial(_try_to_save, self._data, table),
            functools.partial(self._saved, table),
        )

    def _saved(self, table: LiveTable, outcome: tuple[Any, Any] | Exception) -> None:
        if self._closed:  # the next start writes it again
            return
        if isinstance(outcome, Exception):
            log.error("replay not written", table=table.id, why=repr(outcome)[:200])
            self._arrange(table, RETRY_S, functools.partial(self._save, table))
            return
        game, players = outcome
        replay = replay_name(table.id)
        log.info("replay written", table=table.id, replay=replay)
        self.journal.finish_table(table.id, game, players)
        table.replay_written(replay)
        self._linger(table, LINGER_S)

    def _linger(self, table: LiveTable, seconds: float) -> None:
        self._arrange(table, seconds, functools.partial(self.forget, table))
        lingering = [one for one in self.tables.values() if one.state == FINISHED]
        empty = [one for one in lingering if one.replay and not one.has_guests]
        for one in empty[: max(0, len(lingering) - MOST_LINGERING)]:
            self.forget(one)

    def _forget_if_abandoned(self, table: LiveTable) -> None:
        if table.state != WAITING:
            return
        if table.has_guests:
            self._arrange(table, ABANDONED_S, functools.partial(self._forget_if_abandoned, table))
        else:
            self.forget(table)

    def forget(self, table: LiveTable) -> None:
        """Take a table that is not being played out of the lobby and the journal."""
        self._arrange_nothing(table)
        self.tables.pop(table.id, None)
        code = hash_token(table.settings.code)
        if self._codes.get(code) is table:
            del self._codes[code]
        for seat in table.seats:
            self.seat_freed(table, seat)
        table.close("closed", "the table is closed")
        table.release()
        log.info("table closed", table=table.id)
        self.journal.delete_table(table.id, table.log.number)

    def rematch(self, table: LiveTable) -> None:
        """Play again: the same people, seats and settings at a new table with a new seed.

        What the players gave to the old seed is not mixed into the new one, which was not yet
        promised when they gave it.

        Raises:
            WireError: `full` when there are too many tables; `unexpected` when they play again
                already.
        """
        if table.played_again:
            raise WireError("unexpected", "the table plays again already")
        again = self._new_table(table.settings)
        table.played_again = True
        for old in table.seats:
            again.take_seat(old.index, old.kind, old.name, old.token_hash, "")
        again.when_written(functools.partial(self._move, table, again))

    def _move(self, table: LiveTable, again: LiveTable) -> None:
        log.info("rematch", table=table.id, again=again.id)
        table.move_to(again.id)
        again.start_if_full()

    # ------------------------------------------------------------------ start and stop

    def restore(self) -> None:
        """Bring back every table of the journal, and start to write it.

        A table that cannot be brought back stays in the journal for whoever looks into it.

        Raises:
            JournalError: the journal is damaged as a whole.
        """
        remove_partial(self._data)
        stored = self.journal.unfinished()
        self.journal.start()
        for entry in stored:
            table = self._rebuilt(entry)
            if table is not None:
                self._add(table)
                table.go_on()
                self._arrange_again(table)
                log.info("table restored", table=table.id, state=table.state)

    def _rebuilt(self, entry: StoredTable) -> LiveTable | None:
        try:
            if entry.problem:
                raise ValueError(entry.problem)
            settings = TableSettings.from_dict(entry.settings)
            table = LiveTable(entry.id, settings, entry.seed, entry.created, self)
            rebuild(table, entry.rows)
        except Exception as error:  # rows that do not fit can break anywhere in the engine
            why = entry.problem or f"its rows do not fit ({type(error).__name__})"
            log.error("table not restored", table=entry.id, why=why)
            return None
        return table

    def _arrange_again(self, table: LiveTable) -> None:
        """What `_add` arranged is right for a table that waits for players only."""
        if table.state != WAITING:
            self._arrange_nothing(table)
        if table.replay:
            passed = self.clock.wall_time() - table.ended
            self._linger(table, max(0.0, min(LINGER_S, LINGER_S - passed)))

    def close(self) -> None:
        """The server stops: every table writes its clocks and lets its players go."""
        self._closed = True
        for table in list(self.tables.values()):
            table.close("going_down", "the server stops; the table is kept")


def _try_to_save(data: Path, table: LiveTable) -> tuple[Any, Any] | Exception:
    try:
        return save_replay(data, table)
    except Exception as error:  # a full disk, most likely; the match is safe in the journal
        return error
