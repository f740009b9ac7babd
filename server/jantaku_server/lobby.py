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

from .audience import Listener
from .clock import Clock, ClockError, TimeLimits
from .house import HouseSeat, Players, Run
from .journal import Journal
from .metrics import Metrics
from .replay_files import save_replay
from .seats import Seat, TableSettings, hash_token
from .table import FINISHED, PLAYING, WAITING, LiveTable
from .wire import Message, WireError

log = structlog.get_logger("jantaku")

LINGER_S: Final = 600.0
"""How long a finished table can still be looked at and played again."""

ABANDONED_S: Final = 1800.0
"""How long a table waits for players before it is forgotten."""

STAND_IN: Final = "greedy"


class Lobby:
    """All tables of one server, by id."""

    def __init__(
        self,
        data: Path,
        rules: Ruleset,
        players: Players,
        clock: Clock,
        journal: Journal,
        metrics: Metrics,
        run: Run,
        work: Callable[[Callable[[], Any], Callable[[Any], None]], None],
        max_tables: int,
    ) -> None:
        self.tables: dict[str, LiveTable] = {}
        self.rules = rules
        self.players = players
        self._data = data
        self._clock = clock
        self._journal = journal
        self._metrics = metrics
        self._run = run
        self._work = work
        self._max_tables = max_tables
        self._codes: dict[str, LiveTable] = {}

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
        """A secret that opens a seat."""
        return secrets.token_urlsafe(24)

    # ------------------------------------------------------------------ making tables

    def create(
        self, message: Mapping[str, Any], then: Callable[[LiveTable, str, str], None]
    ) -> None:
        """Make a table from a `create` message; `then(table, code, owner token)` once it is kept.

        Raises:
            WireError: `rules`, `invalid` or `full`.
        """
        if sum(1 for table in self.tables.values() if table.state != FINISHED) >= self._max_tables:
            raise WireError("full", f"the server has its {self._max_tables} tables")
        owner = secrets.token_urlsafe(24)
        settings = self._settings(message, owner)
        seats = message.get("seats") or ["open"] * 4
        for seat in seats:
            self._check_bot(seat)
        table = self._add(
            secrets.token_hex(8), settings, secrets.token_bytes(32), self._clock.wall_time()
        )
        self._journal.create_table(table.id, table.created, settings.to_dict(), table.seed)
        for index, seat in enumerate(seats):
            if seat.startswith("bot:"):
                bot = seat.removeprefix("bot:")
                table.take_seat(index, "house", f"{bot} {index + 1}", "", "")
        log.info("table created", table=table.id, preset=settings.rules.preset_name)
        table.when_written(functools.partial(then, table, settings.code, owner))
        if "open" not in seats:
            table.when_written(table.start_if_full)

    def _check_bot(self, seat: str) -> None:
        name = seat.removeprefix("bot:")
        if seat != "open" and name not in self.players:
            known = ", ".join(self.players)
            raise WireError("invalid", f"no house bot {name!r}; there are {known}")

    def _settings(self, message: Mapping[str, Any], owner: str) -> TableSettings:
        try:
            asked = message.get("rules")
            rules = self.rules if asked is None else Ruleset.from_dict(asked)
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
            code=secrets.token_urlsafe(12) if message.get("private") else "",
            owner_hash=hash_token(owner),
        )

    def _add(self, table_id: str, settings: TableSettings, seed: bytes, at: float) -> LiveTable:
        table = LiveTable(
            table_id,
            settings,
            seed,
            at,
            self._clock,
            self._journal,
            self._metrics,
            self._house_seat,
            self._ended,
        )
        self.tables[table_id] = table
        self._clock.call_at(
            self._clock.now() + ABANDONED_S, functools.partial(self._forget_if_waiting, table)
        )
        if settings.code:
            self._codes[settings.code] = table
        self.count()
        return table

    def count(self) -> None:
        """Bring the figures of tables by state up to date."""
        for state in (WAITING, PLAYING, FINISHED):
            number = sum(1 for table in self.tables.values() if table.state == state)
            self._metrics.tables.labels(state).set(number)

    def _house_seat(self, table: LiveTable, seat: Seat, name: str) -> Listener:
        make = self.players.get(name) or self.players[self.default_bot]
        # A bot's chances are its own affair: not derived from the seed of the walls.
        player = make(random.Random(secrets.randbits(64)))
        view = SeatView(seat.index, table.settings.rules)
        pace = table.settings.pace_ms
        answer = functools.partial(self._house_answer, table, seat.index)
        return HouseSeat(player, view, self._clock, pace, self._run, answer)

    def _house_answer(
        self, table: LiveTable, index: int, house: HouseSeat, question_id: int, action: Action
    ) -> None:
        seat = table.seats[index]
        if house not in seat.voices():
            return
        try:
            table.answer(seat, question_id, action)
        except WireError as error:
            # The clock or the returned player was first; anything else is a fault of the bot.
            if error.code != "stale":
                log.warning("house bot refused", table=table.id, seat=index, why=str(error))

    # ------------------------------------------------------------------ finding tables

    def public(self) -> list[Message]:
        """Descriptions of the public tables that are not finished, oldest first."""
        return [
            table.info()
            for table in self.tables.values()
            if not table.settings.code and table.state != FINISHED
        ]

    def find(self, message: Mapping[str, Any]) -> LiveTable:
        """The table that a message names by `table` (public) or `code` (private).

        Raises:
            WireError: `not_found`, the same for a wrong code and for a table that is not there.
        """
        code = message.get("code")
        table = self._codes.get(code) if code else self.tables.get(message.get("table") or "")
        if table is None or (table.settings.code and not code):
            raise WireError("not_found", "no such table, or it is private and needs its code")
        return table

    def find_seat(self, token: str) -> tuple[LiveTable, Seat]:
        """The seat that a token opens.

        Raises:
            WireError: `bad_token`.
        """
        found = None
        for table in self.tables.values():
            seat = table.seat_of_token(token)
            if seat is not None:
                found = table, seat
        if found is None:
            raise WireError("bad_token", "this token opens no seat of a table of this server")
        return found

    # ------------------------------------------------------------------ ending tables

    def _ended(self, table: LiveTable) -> None:
        log.info("match finished", table=table.id)
        self.count()
        self._work(
            functools.partial(save_replay, self._data, table), functools.partial(self._saved, table)
        )

    def _saved(self, table: LiveTable, rows: tuple[Any, Any]) -> None:
        game, players = rows
        self._journal.finish_table(
            table.id, game, players, functools.partial(table.tell_finished, game[-1])
        )
        self._clock.call_at(self._clock.now() + LINGER_S, functools.partial(self.forget, table))

    def _forget_if_waiting(self, table: LiveTable) -> None:
        if table.state == WAITING and self.tables.get(table.id) is table:
            if all(seat.listener is None for seat in table.seats):
                self.forget(table)
            else:
                self._clock.call_at(
                    self._clock.now() + ABANDONED_S,
                    functools.partial(self._forget_if_waiting, table),
                )

    def forget(self, table: LiveTable) -> None:
        """Take a table that is not being played out of the lobby and the journal."""
        self.tables.pop(table.id, None)
        self._codes.pop(table.settings.code, None)
        table.close("not_found", "the table is closed")
        self._journal.delete_table(table.id)
        self.count()

    def rematch(self, table: LiveTable) -> None:
        """Play again: the same people, seats and settings at a new table with a new seed."""
        again = self._add(
            secrets.token_hex(8), table.settings, secrets.token_bytes(32), self._clock.wall_time()
        )
        self._journal.create_table(again.id, again.created, again.settings.to_dict(), again.seed)
        for old in table.seats:
            again.take_seat(old.index, old.kind, old.name, old.token_hash, old.entropy)
        again.when_written(functools.partial(self._move, table, again))

    def _move(self, table: LiveTable, again: LiveTable) -> None:
        listeners = [seat.listener for seat in table.seats if seat.kind != "house"]
        for seat in table.seats:
            seat.token_hash = ""
        if table.settings.code:
            self._codes[table.settings.code] = again
        for listener in listeners:
            if listener is not None:
                listener.notice({"type": "rematch", "table": again.id})
        again.start_if_full()

    # ------------------------------------------------------------------ start and stop

    def restore(self) -> None:
        """Bring back every table of the journal; before the journal starts to write."""
        stored = self._journal.unfinished()
        self._journal.start()
        for entry in stored:
            try:
                settings = TableSettings.from_dict(entry.settings)
                table = self._add(entry.id, settings, entry.seed, entry.created)
                table.rebuild(entry.rows)
            except (ValueError, KeyError, TypeError) as error:
                # Kept in the journal for whoever looks into it, but not played.
                self.tables.pop(entry.id, None)
                log.error("table not restored", table=entry.id, why=str(error)[:200])
            else:
                log.info("table restored", table=entry.id, rows=len(entry.rows))
        self.count()

    def close(self) -> None:
        """The server stops: every table writes its clocks and lets its players go."""
        for table in list(self.tables.values()):
            table.close("going_down", "the server stops; the table is kept")
