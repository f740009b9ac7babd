"""A table: one match, its four seats, its clocks, and everybody who follows it.

No coroutine runs here: answers, timers and commits call in, and every call returns at once. The
order of one answer: the engine takes it, the journal commits it, and only then are it and its
consequences told (`_commit` → `_pump`).
"""

from __future__ import annotations

import functools
import hmac
from collections.abc import Callable, Sequence
from typing import Final

from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action
from jantaku_engine.kyoku import IllegalAction
from jantaku_engine.match import Match
from jantaku_engine.wall import Wall, commitment, mix_entropy

from .audience import Frames, Listener, Question, send_events
from .clock import Clock, Timer
from .journal import Journal, Row
from .metrics import Metrics
from .seats import Kind, Seat, TableSettings, hash_token
from .spectators import Spectators
from .wire import Message, WireError

WAITING: Final = "waiting"
PLAYING: Final = "playing"
FINISHED: Final = "finished"


class LiveTable:
    """One table from its creation to its replay.

    Attributes:
        id, settings, seats, match, state: see the module; `match` exists from the start on.
        created, started, ended: seconds since 1970, 0.0 while it has not happened.
        published: number of match events that seats have been told.
        replay: name of the replay file, when there is one.
    """

    def __init__(
        self,
        table_id: str,
        settings: TableSettings,
        seed: bytes,
        created: float,
        clock: Clock,
        journal: Journal,
        metrics: Metrics,
        make_house: Callable[[LiveTable, Seat, str], Listener],
        on_end: Callable[[LiveTable], None],
    ) -> None:
        self.id = table_id
        self.settings = settings
        self.seats = [Seat(index) for index in range(4)]
        self.match: Match | None = None
        self.state = WAITING
        self.created = created
        self.started = 0.0
        self.ended = 0.0
        self.published = 0
        self.replay = ""
        self.seed = seed
        self._clock = clock
        self._journal = journal
        self._metrics = metrics
        self._make_house = make_house
        self._on_end = on_end
        self._key = b""
        self._rows = 0
        self._committed = 0
        self._questions: dict[int, Question] = {}
        self._alarm: Timer | None = None
        self._alarm_at = 0.0
        self._hold: Timer | None = None
        self._next_deal: Timer | None = None
        self._last_discard_at = -1e9
        self._spectators = Spectators(settings.spectator_delay, clock)
        self._closed = False

    # ------------------------------------------------------------------ description

    @property
    def is_demo(self) -> bool:
        """Four house bots, played to be watched."""
        return self.state != FINISHED and all(seat.kind == "house" for seat in self.seats)

    def info(self) -> Message:
        """What anybody may know of the table."""
        rules = self.settings.rules
        return {
            "table": self.id,
            "state": self.state,
            "preset": rules.preset_name,
            "length": rules.length,
            "rules": rules.to_dict(),
            "private": bool(self.settings.code),
            "clock": self.settings.limits.to_dict(),
            "seats": [
                {
                    "seat": seat.index,
                    "kind": seat.kind,
                    "name": seat.name,
                    "ready": seat.ready,
                    "online": seat.kind == "house" or seat.listener is not None,
                    "stand_in": seat.stand_in is not None,
                }
                for seat in self.seats
            ],
            "spectators": self.settings.spectators,
            "spectator_delay": self.settings.spectator_delay,
            "chat": self.settings.chat,
            "seed_hash": commitment(self.seed),
            "replay": self.replay,
        }

    def tell_info(self) -> None:
        """Send the table's description to everybody at it."""
        self._notice({"type": "table", **self.info()})

    def _notice(self, message: Message) -> None:
        for seat in self.seats:
            if seat.listener is not None:
                seat.listener.notice(message)
        for listener in self._spectators.listeners():
            listener.notice(message)

    # ------------------------------------------------------------------ seats

    def take_seat(
        self, wanted: int | None, kind: Kind, name: str, token_hash: str, entropy: str
    ) -> Seat:
        """Seat somebody; the match starts by `start_if_full`.

        Raises:
            WireError: `unexpected` after the start, `full` when the place is taken.
        """
        if self.state != WAITING:
            raise WireError("unexpected", "the match has begun; a seat is resumed by its token")
        free = [seat for seat in self.seats if seat.kind == "open"]
        if wanted is not None:
            free = [seat for seat in free if seat.index == wanted]
        if not free:
            raise WireError("full", "no free seat" if wanted is None else f"seat {wanted} is taken")
        seat = free[0]
        seat.kind = kind
        seat.name = name
        seat.token_hash = token_hash
        seat.entropy = entropy
        seat.ready = True
        self._write(Row("seat", [seat.index, kind, name, token_hash, entropy]))
        return seat

    def leave_seat(self, seat: Seat) -> None:
        """Free a seat before the start."""
        self.seats[seat.index] = Seat(seat.index)
        self._write(Row("seat", [seat.index, "open", "", "", ""]))
        self.tell_info()

    def seat_of_token(self, token: str) -> Seat | None:
        """The seat that a token opens; compared in constant time."""
        digest = hash_token(token)
        found = None
        for seat in self.seats:
            if seat.token_hash and hmac.compare_digest(seat.token_hash, digest):
                found = seat
        return found

    def is_owner(self, token: str) -> bool:
        """Whether a token is the owner's."""
        return hmac.compare_digest(self.settings.owner_hash, hash_token(token))

    def fill(self, bot: str) -> None:
        """Put house bots on the free seats."""
        for seat in self.seats:
            if seat.kind == "open":
                self.take_seat(seat.index, "house", f"{bot} {seat.index + 1}", "", "")

    def start_if_full(self) -> None:
        """Start the match when every seat is taken and ready."""
        if self.state == WAITING and all(s.kind != "open" and s.ready for s in self.seats):
            self._start()
            self._commit([Row("start", self._clock.wall_time())], ())
            self.tell_info()

    def _start(self) -> None:
        self.state = PLAYING
        self.started = self._clock.wall_time()
        self._key = mix_entropy(self.seed, [bytes.fromhex(s.entropy) for s in self.seats])
        self.match = Match(self.settings.rules, [seat.name for seat in self.seats])
        for seat in self.seats:
            seat.bank_ms = self.settings.limits.bank
            if seat.kind == "house" and seat.listener is None:
                seat.listener = self._make_house(self, seat, seat.name.rsplit(" ", 1)[0])

    # ------------------------------------------------------------------ coming and going

    def attach(self, seat: Seat, listener: Listener, after: int) -> None:
        """Give a seat to a connection: what it missed, then its open question.

        `after` is the number of the last event that it has seen, -1 for none. Whoever listened
        before is told and let go; a stand-in stops at once.
        """
        if seat.listener is not None and seat.listener is not listener:
            seat.listener.notice(
                {"type": "error", "code": "taken_over", "message": "the seat was opened elsewhere"}
            )
        seat.listener = listener
        seat.stand_in = None
        if seat.away is not None:
            seat.away.cancel()
            seat.away = None
        listener.notice({"type": "table", **self.info()})
        self._send_events(listener, seat.index, after + 1, self.published)
        question = self._questions.get(seat.index)
        if question is not None:
            listener.question(question, self._clock.now())
        self._presence(seat)

    def detach(self, listener: Listener) -> None:
        """A connection is gone: a seat's grace begins; a spectator is forgotten."""
        if self._spectators.remove(listener):
            return
        for seat in self.seats:
            if seat.listener is listener:
                seat.listener = None
                if self.state != FINISHED and not self._closed:
                    self._start_grace(seat)
                self._presence(seat)

    def _start_grace(self, seat: Seat) -> None:
        when = self._clock.now() + self.settings.limits.grace / 1000
        seat.away = self._clock.call_at(when, functools.partial(self._stand_in, seat))

    def _stand_in(self, seat: Seat) -> None:
        """After the grace a house bot plays for an absent player; before the start it goes."""
        seat.away = None
        if seat.listener is not None:
            return
        if self.state == WAITING:
            self.leave_seat(seat)
        if self.state != PLAYING:
            return
        seat.stand_in = self._make_house(self, seat, "")
        self._send_events(seat.stand_in, seat.index, 0, self.published)
        question = self._questions.get(seat.index)
        if question is not None:
            seat.stand_in.question(question, self._clock.now())
        self._presence(seat)

    def _presence(self, seat: Seat) -> None:
        self._notice(
            {
                "type": "presence",
                "seat": seat.index,
                "online": seat.listener is not None,
                "stand_in": seat.stand_in is not None,
            }
        )

    # ------------------------------------------------------------------ answers

    def answer(self, seat: Seat, question_id: int, action: Action | int) -> None:
        """Take a seat's answer, an action or its index in the menu.

        It is acknowledged when it is committed (`accepted`).

        Raises:
            WireError: `stale` when the question is closed, `illegal` when the menu has no such
                action; the question stays open and nothing has changed.
        """
        question = self._questions.get(seat.index)
        if question is None or question.id != question_id:
            raise WireError("stale", f"question {question_id} is not open")
        if isinstance(action, int):
            if action >= len(question.menu):
                raise WireError("illegal", f"the menu has {len(question.menu)} actions")
            action = question.menu[action]
        if action not in question.menu:
            raise WireError("illegal", f"the menu has no action {str(action)!r}")
        self._take(question, action, timed_out=False)

    def _take(self, question: Question, action: Action, timed_out: bool) -> None:
        match = self.match
        assert match is not None
        seat = self.seats[question.seat]
        try:
            match.answer(seat.index, action)
        except IllegalAction as error:  # the question was not the engine's: a fault of ours
            raise WireError("illegal", str(error)) from None
        now = self._clock.now()
        seat.bank_ms = question.left(now)[1]
        seat.answered = True
        del self._questions[seat.index]
        self._metrics.thinking_seconds.observe(now - question.asked_at)
        row = Row("answer", [seat.index, str(action), seat.bank_ms])
        accepted = None if timed_out else (seat, question.id)
        self._commit([row], (accepted,) if accepted else ())

    def question_of(self, seat: Seat) -> Question | None:
        """The open question of a seat."""
        return self._questions.get(seat.index)

    # ------------------------------------------------------------------ journal, then the world

    def _write(self, *rows: Row) -> None:
        self._journal.append(self.id, self._rows, rows)
        self._rows += len(rows)

    def when_written(self, call: Callable[[], None]) -> None:
        """Call when everything that the table has written so far is committed."""
        self._journal.append(self.id, self._rows, (), call)

    def _commit(self, rows: Sequence[Row], accepted: Sequence[tuple[Seat, int]]) -> None:
        """Write rows; when they are safe, acknowledge and publish what follows from them."""
        assert self.match is not None
        done = len(self.match.events)
        self._journal.append(
            self.id,
            self._rows,
            rows,
            functools.partial(self._on_commit, done, accepted, self._clock.now()),
        )
        self._rows += len(rows)

    def _on_commit(self, done: int, accepted: Sequence[tuple[Seat, int]], since: float) -> None:
        self._committed = max(self._committed, done)
        for seat, question_id in accepted:
            if seat.listener is not None:
                seat.listener.notice({"type": "accepted", "id": question_id})
        self._metrics.moves.inc(len(accepted))
        self._pump()
        self._metrics.answer_seconds.observe(self._clock.now() - since)

    def _pump(self) -> None:
        """Publish what is committed, as far as the call window lets it, then ask."""
        if self._closed or self.match is None:
            return
        if self._hold is not None:
            return
        events = self.match.events
        while self.published < self._committed:
            if self._must_wait(events):
                return
            event = events[self.published]
            self._publish(event)
        self._serve_spectators()
        if self.published == len(events):
            self._after_publishing()

    def _must_wait(self, events: list[ev.Event]) -> bool:
        """Hold back what follows a discard that nobody claimed until its window is over."""
        window = self.settings.call_window_ms / 1000
        before = events[self.published - 1] if self.published else None
        if not window or not isinstance(before, ev.Dahai | ev.Kakan | ev.Ankan):
            return False
        for event in events[self.published : self._committed]:
            if isinstance(event, ev.Hora | ev.Naki):
                return False
            if isinstance(event, ev.Tsumo):
                break
        until = self._last_discard_at + window
        if self._clock.now() >= until:
            return False
        self._hold = self._clock.call_at(until, self._release)
        return True

    def _release(self) -> None:
        self._hold = None
        self._pump()

    def _publish(self, event: ev.Event) -> None:
        seq = self.published
        self.published += 1
        now = self._clock.now()
        if isinstance(event, ev.Dahai | ev.Kakan | ev.Ankan):
            self._last_discard_at = now
        self._spectators.published(event, now)
        self._metrics.events.inc()
        frames = Frames(seq, event)
        for seat in self.seats:
            if seat.listener is None and seat.stand_in is None:
                continue
            seen = event.seen_by(seat.index)
            for listener in seat.voices():
                listener.event(seq, seen, seat.index, frames)

    def _send_events(self, listener: Listener, seat: int, first: int, end: int) -> None:
        if self.match is not None:
            send_events(listener, self.match.events, seat, first, end)

    def _after_publishing(self) -> None:
        match = self.match
        assert match is not None
        if match.over:
            if self.state == PLAYING:
                self._end()
        elif match.between_hands:
            if self._next_deal is None:
                pause = self.settings.pause_ms / 1000 if match.dealt else 0.0
                self._next_deal = self._clock.call_at(self._clock.now() + pause, self._deal)
        else:
            self._ask()

    def _deal(self) -> None:
        self._next_deal = None
        match = self.match
        if self._closed or match is None or not match.between_hands:
            return
        match.deal(Wall.from_seed(self._key, match.dealt))
        self._commit([Row("deal", match.dealt)], ())

    # ------------------------------------------------------------------ questions and their clock

    def _ask(self) -> None:
        match = self.match
        assert match is not None
        assert match.kyoku is not None
        now = self._clock.now()
        turn = match.kyoku.table.turn
        limits = self.settings.limits
        # All questions stand before the first is told: a house bot may answer at once.
        new: list[Question] = []
        for index, menu in match.pending.items():
            if index in self._questions:
                continue
            seat = self.seats[index]
            free = limits.move if seat.answered else limits.first
            question = Question(len(match.events), index, turn, menu, now, free, seat.bank_ms)
            self._questions[index] = question
            new.append(question)
        for question in new:
            self._tell(question)
        self._set_alarm()

    def _tell(self, question: Question) -> None:
        for listener in self.seats[question.seat].voices():
            listener.question(question, self._clock.now())

    def _set_alarm(self) -> None:
        if not self._questions:
            return
        first = min(question.deadline for question in self._questions.values())
        if self._alarm is not None:
            if self._alarm_at <= first:
                return
            self._alarm.cancel()
        self._alarm_at = first
        self._alarm = self._clock.call_at(first, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        if self._closed:
            return
        now = self._clock.now()
        for question in list(self._questions.values()):
            if self._questions.get(question.seat) is question and question.deadline <= now:
                self._metrics.timeouts.inc()
                self._take(question, default_action(question.menu), timed_out=True)
        self._set_alarm()

    # ------------------------------------------------------------------ spectators

    def spectate(self, listener: Listener, after: int) -> None:
        """Let somebody watch, masked and delayed.

        Raises:
            WireError: `forbidden` when the table has no spectators.
        """
        if not self.settings.spectators:
            raise WireError("forbidden", "this table has no spectators")
        listener.notice({"type": "table", **self.info()})
        self._spectators.add(listener, min(after + 1, self.published))
        self._serve_spectators()

    def _serve_spectators(self) -> None:
        if self.match is not None:
            events = self.match.events
            self._spectators.serve(events, self.published, self.state == FINISHED)

    # ------------------------------------------------------------------ end and rebuilding

    def _end(self) -> None:
        self.state = FINISHED
        if not self.ended:
            self.ended = self._clock.wall_time()
            self._write(Row("end", self.ended))
        self._metrics.games.inc()
        self._serve_spectators()
        self._on_end(self)

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

    def tell_finished(self, replay: str) -> None:
        """The replay is on disk: say so."""
        self.replay = replay
        self._notice({"type": "finished", "table": self.id, "replay": replay})

    def close(self, code: str, message: str) -> None:
        """The server stops: write the clocks down and let everybody go."""
        if self._closed:
            return
        if self.state == PLAYING:
            now = self._clock.now()
            spent = {
                str(q.seat): round((now - q.asked_at) * 1000) for q in self._questions.values()
            }
            self._write(Row("stop", spent))
        self._closed = True
        self._spectators.close()
        timers = [self._alarm, self._hold, self._next_deal]
        for timer in timers + [seat.away for seat in self.seats]:
            if timer is not None:
                timer.cancel()
        self._notice({"type": "error", "code": code, "message": message})

    def rebuild(self, rows: Sequence[Row]) -> None:
        """Play the journal's rows: the table is where it was, clocks included.

        Nothing is told: the players come back by their tokens. Absent seats have their grace.

        Raises:
            ValueError: the rows do not fit this table.
        """
        spent: dict[str, int] = {}
        for row in rows:
            spent = row.data if row.kind == "stop" else {} if row.kind != "seat" else spent
            self._replay_row(row)
        self._rows = len(rows)
        if self.match is None:
            for seat in self.seats:
                if seat.kind not in ("open", "house"):
                    self._start_grace(seat)
            return
        self.published = self._committed = len(self.match.events)
        for event in self.match.events:
            self._spectators.published(event, self._clock.now())
        if self.state == PLAYING:
            for seat in self.seats:
                if seat.kind == "house" and seat.listener is not None:
                    self._send_events(seat.listener, seat.index, 0, self.published)
                elif seat.kind != "house":
                    self._start_grace(seat)
        self._after_publishing()
        for question in self._questions.values():
            question.asked_at -= spent.get(str(question.seat), 0) / 1000
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self._set_alarm()

    def _replay_row(self, row: Row) -> None:
        if row.kind == "seat":
            index, kind, name, token_hash, entropy = row.data
            seat = Seat(index, kind, name, token_hash, entropy, ready=kind != "open")
            self.seats[index] = seat
        elif row.kind == "start":
            self._start()
            self.started = row.data
        elif row.kind == "deal":
            assert self.match is not None
            self.match.deal(Wall.from_seed(self._key, self.match.dealt))
        elif row.kind == "answer":
            index, action, bank_ms = row.data
            assert self.match is not None
            self.match.answer(index, act.parse_action(action))
            self.seats[index].bank_ms = bank_ms
            self.seats[index].answered = True
        elif row.kind == "end":
            self.ended = row.data


def default_action(menu: Sequence[Action]) -> Action:
    """What the clock answers: pass, or discard the drawn tile, or the last legal discard."""
    if act.PASS in menu:
        return act.PASS
    discards = [action for action in menu if action.type == act.DAHAI]
    drawn = [action for action in discards if action.flag]
    return (drawn or discards)[-1]
