"""A table: four seats, everybody who follows it, and the game between them.

No coroutine runs here: answers, timers and commits call in, and every call returns at once.
`Game` decides what happens and when; the table knows who sits, who listens, and who is told.
"""

from __future__ import annotations

import contextlib
import functools
import hmac
from collections.abc import Callable
from typing import Final

import structlog

from jantaku_engine.actions import Action
from jantaku_engine.events import Event
from jantaku_engine.match import Match
from jantaku_engine.wall import commitment
from jantaku_replays.origin import Origin

from .audience import BUSY_S, PIECE, Frames, Listener, Question, send_events
from .game import Game
from .host import Host
from .journal import Row, TableLog
from .rows import seat_row
from .seats import Kind, Seat, TableSettings, distinct_name, hash_token
from .spectators import Spectators
from .wire import Message, WireError

log = structlog.get_logger("jantaku")

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "finished"

ARRIVAL_S: Final = 10.0
"""How long a seat that was just taken is kept for a connection that never comes to it."""


class LiveTable:
    """One table from its creation to the end of its lingering.

    Attributes:
        id, settings, seats: who plays what. state: `waiting`, `playing`, `finished`.
        created, started, ended: seconds since 1970, 0.0 while it has not happened.
        replay: name of the replay file, when there is one.
        seed: the secret of its walls, public when the match is over (FAIRNESS.md).
        played_again: whether its players have gone on to a rematch.
        game: from the start on. log: its part of the journal. spent: milliseconds that the open
            questions had used when that was last written, by seat.
    """

    def __init__(
        self, table_id: str, settings: TableSettings, seed: bytes, created: float, host: Host
    ) -> None:
        self.id = table_id
        self.settings = settings
        self.seats = [Seat(index) for index in range(4)]
        self.state = WAITING
        self.created = created
        self.started = 0.0
        self.ended = 0.0
        self.replay = ""
        self.played_again = False
        self.seed = seed
        self._host = host
        self._clock = host.clock
        self.log = TableLog(host.journal, table_id)
        self.game: Game | None = None
        self.spent: dict[int, int] = {}
        self._spectators = Spectators(settings.spectator_delay, host.clock)
        self._about = settings.brief()
        self._closed = False

    # ------------------------------------------------------------------ description

    @property
    def match(self) -> Match | None:
        """The engine's match, from the start on."""
        return None if self.game is None else self.game.match

    @property
    def published(self) -> int:
        """Number of match events that seats have been told."""
        return 0 if self.game is None else self.game.published

    @property
    def origin(self) -> Origin:
        """Where the walls come from; secret until the match is over."""
        return Origin.of(self.seed, [bytes.fromhex(seat.entropy) for seat in self.seats])

    @property
    def is_demo(self) -> bool:
        """Four house bots, played to be watched."""
        return self.state != FINISHED and all(seat.kind == "house" for seat in self.seats)

    @property
    def has_guests(self) -> bool:
        """Somebody from outside listens at a seat."""
        return any(seat.is_remote and seat.listener is not None for seat in self.seats)

    def brief(self) -> Message:
        """What anybody may know of the table, without the rules one by one."""
        return {
            "table": self.id,
            "state": self.state,
            **self._about,
            "seats": [seat.brief() for seat in self.seats],
            "seed_hash": commitment(self.seed),
            "replay": self.replay,
        }

    def info(self) -> Message:
        """What anybody may know of the table."""
        return {**self.brief(), "rules": self.settings.rules.to_dict()}

    def tell_info(self) -> None:
        """Send the table's description to everybody at it."""
        self._notice({"type": "table", **self.info()})

    def _notice(self, message: Message) -> None:
        for listener in self._listeners():
            listener.notice(message)

    def _listeners(self) -> list[Listener]:
        seated = [seat.listener for seat in self.seats if seat.listener is not None]
        return seated + self._spectators.listeners()

    # ------------------------------------------------------------------ seats

    def take_seat(
        self, wanted: int | None, kind: Kind, name: str, token_hash: str, entropy: str
    ) -> Seat:
        """Seat somebody, under a name that nobody else has; `start_if_full` starts the match.

        Raises:
            WireError: `unexpected` after the start, `full` when the place is taken.
        """
        if self.state != WAITING or self._closed:
            raise WireError("unexpected", "the match has begun; a seat is resumed by its token")
        free = [seat.index for seat in self.seats if seat.kind == "open"]
        if wanted is not None:
            free = [index for index in free if index == wanted]
        if not free:
            raise WireError("full", "no free seat" if wanted is None else f"seat {wanted} is taken")
        name = distinct_name(name, kind, [seat.name for seat in self.seats])
        seat = Seat(free[0], kind, name, token_hash, entropy, ready=True)
        self.seats[seat.index] = seat
        if seat.is_remote:
            seat.away = self._clock.call_at(
                self._clock.now() + ARRIVAL_S, functools.partial(self._give_up, seat)
            )
        self.log.write(seat_row(seat), then=functools.partial(self._seat_kept, seat))
        return seat

    def _seat_kept(self, seat: Seat) -> None:
        if self.seats[seat.index] is seat and not self._closed:
            self._host.seat_kept(self, seat)

    def leave_seat(self, seat: Seat) -> None:
        """Free a seat before the start; nothing happens to one that is free already."""
        if self.state != WAITING or self._closed or self.seats[seat.index] is not seat:
            return
        seat.stop_waiting()
        self.seats[seat.index] = free = Seat(seat.index)
        self._host.seat_freed(self, seat)
        self.log.write(seat_row(free), then=self.tell_info)

    def set_ready(self, seat: Seat, ready: bool) -> None:
        """A player is ready to begin, or is not.

        Raises:
            WireError: `unexpected` after the start.
        """
        if self.state != WAITING or self._closed:
            raise WireError("unexpected", "the match has begun")
        seat.ready = ready
        self.log.write(Row("ready", [seat.index, ready]), then=self.tell_info)
        self.start_if_full()

    def seat_of_digest(self, digest: str) -> Seat | None:
        """The seat that the token with this SHA-256 opens; compared in constant time."""
        same = [seat for seat in self.seats if hmac.compare_digest(seat.token_hash, digest)]
        return same[0] if same else None

    def is_owner(self, token: str) -> bool:
        """Whether a token is the owner's."""
        return hmac.compare_digest(self.settings.owner_hash, hash_token(token))

    def fill(self, bot: str) -> None:
        """Put house bots on the free seats."""
        for seat in list(self.seats):
            if seat.kind == "open":
                self.take_seat(seat.index, "house", f"{bot} {seat.index + 1}", "", "")

    def start_if_full(self) -> None:
        """Start the match when every seat is taken, and its player ready and here."""
        full = all(seat.is_set for seat in self.seats)
        if self.state == WAITING and full and not self._closed:
            now = self._clock.wall_time()
            game = self.make_game(now)
            log.info("match started", table=self.id)
            self.log.write(Row("start", now), then=self.tell_info)
            game.begin()

    def make_game(self, started: float) -> Game:
        """The match begins, with its house bots; nothing is told yet."""
        self.state = PLAYING
        self.started = started
        self.game = Game(
            [seat.name for seat in self.seats],
            self.origin.walls_seed(),
            self.settings,
            self._clock,
            self.log,
            self._host.metrics,
            self,
        )
        for seat in self.seats:
            if seat.kind == "house":
                seat.listener = self._host.house_bot(self, seat, seat.name.rsplit(" ", 1)[0])
        return self.game

    # ------------------------------------------------------------------ coming and going

    def attach(self, seat: Seat, listener: Listener, after: int) -> None:
        """Give a seat to a connection: what it missed, then its open question.

        `after` is the number of the last event that it has seen, -1 for none. Whoever listened
        before is told and let go; a stand-in stops at once.
        """
        if self.seats[seat.index] is not seat or self._closed:
            listener.notice(_error("not_found", "the seat is not kept any more"))
            return
        if seat.listener is not None and seat.listener is not listener:
            seat.listener.notice(_error("taken_over", "the seat was opened elsewhere"))
        if seat.lost:
            log.info("seat regained", table=self.id, seat=seat.index)
        seat.listener = listener
        seat.stand_in = None
        seat.lost = False
        seat.stop_waiting()
        if self.game is not None:
            self.game.player_is_here(seat.index)
        listener.notice({"type": "table", **self.info()})
        self._catch_up(seat, listener, after + 1)
        self._presence(seat)
        self.start_if_full()

    def _catch_up(self, seat: Seat, listener: Listener, first: int) -> None:
        """Tell a seat what it has missed, a piece at a time; at last its question, or the end."""
        if seat.listener is not listener or self._closed:
            return
        busy = listener.busy()
        end = min(first + PIECE * (not busy), self.published)
        self._send_events(listener, seat.index, first, end)
        seat.behind = end < self.published
        if seat.behind:
            again = functools.partial(self._catch_up, seat, listener, end)
            self._clock.call_at(self._clock.now() + BUSY_S * busy, again)
            return
        question = self.question_of(seat)
        if question is not None:
            listener.question(question, self._clock.now())
        if self.replay:
            listener.notice(self._finished())

    def _send_events(self, listener: Listener, seat: int, first: int, end: int) -> None:
        if self.match is not None:
            send_events(listener, self.match.events, seat, first, end)

    def detach(self, listener: Listener) -> None:
        """A connection is gone: a seat's grace begins; a spectator is forgotten."""
        if self._spectators.remove(listener):
            return
        for seat in self.seats:
            if seat.listener is listener:
                seat.listener = None
                if self.state != FINISHED and not self._closed:
                    log.info("seat lost", table=self.id, seat=seat.index)
                    self._start_grace(seat)
                self._presence(seat)

    def _start_grace(self, seat: Seat) -> None:
        seat.lost = True
        when = self._clock.now() + self.settings.limits.grace / 1000
        seat.away = self._clock.call_at(when, functools.partial(self._give_up, seat))

    def _give_up(self, seat: Seat) -> None:
        """After the grace a house bot plays for an absent player; before the start it goes."""
        seat.away = None
        if self.state == WAITING:
            log.info("seat freed", table=self.id, seat=seat.index)
            self.leave_seat(seat)
        elif self.state == PLAYING:
            log.info("stand-in plays", table=self.id, seat=seat.index)
            seat.stand_in = self._host.house_bot(self, seat, "")
            self._brief_bot(seat, seat.stand_in)
            question = self.question_of(seat)
            if question is not None:
                seat.stand_in.question(question, self._clock.now())
            self._presence(seat)

    def _brief_bot(self, seat: Seat, bot: Listener) -> None:
        """Tell a house bot what its seat knows of the running hand."""
        if self.match is not None and self.match.kyoku is not None:
            first = len(self.match.events) - len(self.match.kyoku.events)
            self._send_events(bot, seat.index, max(0, first), self.published)

    def _presence(self, seat: Seat) -> None:
        self._notice({"type": "presence", **seat.presence})

    def spectate(self, listener: Listener, after: int) -> None:
        """Let somebody watch, masked and delayed.

        Raises:
            WireError: `forbidden` when the table has no spectators.
        """
        if not self.settings.spectators or self._closed:
            raise WireError("forbidden", "this table has no spectators")
        listener.notice({"type": "table", **self.info()})
        self._spectators.add(listener, after + 1)

    # ------------------------------------------------------------------ the game (`game.Stage`)

    def answer(self, seat: Seat, question_id: int, action: Action | int) -> None:
        """Take a seat's answer, an action or its index in the menu.

        It is acknowledged when it is committed (`accepted`).

        Raises:
            WireError: `stale` when the question is closed, `illegal` when the menu has no such
                action; the question stays open and nothing has changed.
        """
        if self.game is None:
            raise WireError("stale", f"question {question_id} is not open")
        self.game.answer(seat.index, question_id, action, own=seat.stand_in is None)

    def question_of(self, seat: Seat) -> Question | None:
        """The open question of a seat."""
        return None if self.game is None else self.game.questions.get(seat.index)

    def show(self, seq: int, event: Event) -> None:
        """See `game.Stage.show`."""
        frames = Frames(seq)
        for seat in self.seats:
            seen = event.seen_by(seat.index)
            for listener in seat.voices():
                try:
                    listener.event(seq, seen, seat.index, frames)
                except Exception as error:  # its fault must not stop the table
                    self._drop(listener, error)

    def ask(self, question: Question) -> None:
        """See `game.Stage.ask`."""
        for listener in self.seats[question.seat].voices():
            try:
                listener.question(question, self._clock.now())
            except Exception as error:  # its fault must not stop the table
                self._drop(listener, error)

    def _drop(self, listener: Listener, error: Exception) -> None:
        log.error("listener failed", table=self.id, why=type(error).__name__)
        self.detach(listener)
        with contextlib.suppress(Exception):  # whatever is wrong with it, it is let go
            listener.notice(_error("internal", "the server failed; come back by resume"))

    def acknowledge(self, seat: int, question_id: int) -> None:
        """See `game.Stage.acknowledge`."""
        listener = self.seats[seat].listener
        if listener is not None:
            listener.notice({"type": "accepted", "id": question_id})

    def rest(self) -> None:
        """See `game.Stage.rest`."""
        if self.match is not None:
            self._spectators.published(self.match.events, self.published)
            self._spectators.serve()

    def told(self, since: float) -> None:
        """See `game.Stage.told`."""
        self._host.told(since)

    def end(self) -> None:
        """See `game.Stage.end`."""
        if self.state == PLAYING:
            self.state = FINISHED
            for seat in self.seats:
                seat.stop_waiting()
            if not self.ended:
                self.ended = self._clock.wall_time()
                self.log.write(Row("end", self.ended))
            self._host.metrics.games.inc()
            self._host.table_ended(self)

    # ------------------------------------------------------------------ after the match

    def replay_written(self, replay: str) -> None:
        """The replay is on disk and its match in the database: keep that, then say so."""
        row = Row("saved", replay)
        self.log.write(row, then=functools.partial(self._tell_finished, replay))

    def finish(self, replay: str) -> None:
        """The match is over and kept."""
        self.state = FINISHED
        self.replay = replay

    def _tell_finished(self, replay: str) -> None:
        self.finish(replay)
        info = {"type": "table", **self.info()}
        finished = self._finished()
        for seat in self.seats:
            for listener in seat.voices():
                listener.notice(info)
                listener.notice(finished)
        self._spectators.finish(info, finished)

    def _finished(self) -> Message:
        """The end, with what proves the walls: the seed that `seed_hash` promised."""
        return {
            "type": "finished",
            "table": self.id,
            "replay": self.replay,
            **self.origin.tail(),
            "entropy": [seat.entropy for seat in self.seats],
        }

    def say(self, seat: Seat, phrase: str) -> None:
        """A phrase for everybody at the table.

        Raises:
            WireError: `forbidden` at a table without chat.
        """
        if not self.settings.chat:
            raise WireError("forbidden", "this table has no chat")
        self._notice({"type": "chat", "seat": seat.index, "phrase": phrase})

    def tell_rematch(self) -> None:
        """Who wants to play again."""
        wanted = [seat.index for seat in self.seats if seat.rematch]
        self._notice({"type": "rematch_wanted", "seats": wanted})

    def move_to(self, table_id: str) -> None:
        """Send everybody on to the rematch; who sat here is heard of no more."""
        message = {"type": "rematch", "table": table_id}
        moving = [seat.listener for seat in self.seats if seat.is_remote]
        for seat in self.seats:
            seat.listener = None
        for listener in [*moving, *self._spectators.listeners()]:
            if listener is not None:
                listener.notice(message)

    # ------------------------------------------------------------------ journal, stop, restart

    def when_written(self, call: Callable[[], None]) -> None:
        """Call when everything that the table has written so far is committed."""
        self.log.write(then=call)

    def close(self, code: str, message: str) -> None:
        """Stop: write the clocks down and let everybody go; the journal keeps the table."""
        if self._closed:
            return
        self._closed = True
        if self.game is not None:
            used = self.game.close()
            if self.state == PLAYING:
                self.log.write(Row("stop", used))
        self._spectators.close()
        for seat in self.seats:
            seat.stop_waiting()
        self._notice(_error(code, message))

    def release(self) -> None:
        """After `close`, when nobody will look at it again: its memory goes at once.

        What refers to itself would stay until the next sweep (`sweeper`).
        """
        self.game = None
        for seat in self.seats:
            seat.listener = seat.stand_in = None

    def go_on(self) -> None:
        """After `rows.rebuild`: the clocks run again, and the players come back by their tokens.

        Nothing is told. Absent players have their grace, and their clocks wait that long.
        """
        for seat in self.seats:
            if seat.is_remote:
                self._host.seat_kept(self, seat)
                if self.state != FINISHED:
                    self._start_grace(seat)
        if self.game is None:
            self.start_if_full()
            return
        now = self._clock.now()
        grace = self.settings.limits.grace / 1000
        for seat in self.seats:
            if seat.listener is not None:
                self._brief_bot(seat, seat.listener)
        self.game.resume(self.spent, [now + grace * seat.is_remote for seat in self.seats])
        self.rest()
        if self.replay:
            self._spectators.finish(self._finished())


def _error(code: str, message: str) -> Message:
    return {"type": "error", "code": code, "message": message}
