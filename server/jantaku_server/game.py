"""The match of a table while it is played: answers and time go in, events and questions come out.

The order of one answer: the engine takes it, the journal commits it, and only then are it and
its consequences told. The engine is deterministic, so the committed answers decide every event;
after a restart the same rows give the same events and the same open questions.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action
from jantaku_engine.match import Match
from jantaku_engine.wall import Wall

from .audience import Question
from .clock import Clock, Timer
from .journal import Row, TableLog
from .metrics import Metrics
from .seats import TableSettings
from .wire import WireError

_CLAIMABLE: Final = (ev.Dahai, ev.Kakan, ev.Ankan)
"""Events whose tile somebody may claim: the call window follows each of them."""


KEEP_S: Final = 5.0
"""How often the time that open questions have used is written down: what a kill gives back."""


class Stage(Protocol):
    """Where a game is told: its table."""

    def show(self, seq: int, event: ev.Event) -> None:
        """The next event, committed and due."""

    def ask(self, question: Question) -> None:
        """A seat is asked."""

    def acknowledge(self, seat: int, question_id: int) -> None:
        """The answer of a seat's player is committed."""

    def rest(self) -> None:
        """All that may be told now has been told."""

    def told(self, since: float) -> None:
        """What follows from an answer that came at the moment `since` has been told."""

    def end(self) -> None:
        """The last event has been told."""


class Game:
    """One match with its clocks.

    Attributes:
        match: the engine's match. published: number of its events that have been told.
        questions: the open question of each seat that is asked.
    """

    def __init__(
        self,
        names: Sequence[str],
        key: bytes,
        settings: TableSettings,
        clock: Clock,
        log: TableLog,
        metrics: Metrics,
        stage: Stage,
    ) -> None:
        self.match = Match(settings.rules, names)
        self.published = 0
        self.questions: dict[int, Question] = {}
        self._key = key
        self._settings = settings
        self._clock = clock
        self._log = log
        self._metrics = metrics
        self._stage = stage
        self._banks = [settings.limits.bank] * 4
        self._answered = [False] * 4
        self._committed = 0
        self._claimable_at = 0.0
        self._alarm: Timer | None = None
        self._alarm_at = 0.0
        self._kept_at = 0.0
        self._hold: Timer | None = None
        self._next_deal: Timer | None = None
        self._closed = False

    # ------------------------------------------------------------------ answers

    def begin(self) -> None:
        """Tell the first event when everything that the table wrote is committed."""
        self._commit()

    def answer(self, seat: int, question_id: int, choice: Action | int, own: bool) -> None:
        """Take an answer, an action or its index in the menu; `own`: of the player itself.

        The player's own answer is acknowledged when it is committed.

        Raises:
            WireError: `stale` when the question is closed, `illegal` when the menu has no such
                action; the question stays open and nothing has changed.
        """
        question = self.questions.get(seat)
        if self._closed or question is None or question.id != question_id:
            raise WireError("stale", f"question {question_id} is not open")
        if isinstance(choice, int):
            if not 0 <= choice < len(question.menu):
                raise WireError("illegal", f"the menu has {len(question.menu)} actions")
            choice = question.menu[choice]
        if choice not in question.menu:
            raise WireError("illegal", f"the menu has no action {str(choice)!r}")
        self._metrics.moves.inc()
        self._take(question, choice, question if own else None)

    def _take(self, question: Question, action: Action, acknowledge: Question | None) -> None:
        seat = question.seat
        self.match.answer(seat, action)
        now = self._clock.now()
        self._banks[seat] = question.left(now)[1]
        self._answered[seat] = True
        del self.questions[seat]
        self._metrics.thinking_seconds.observe(question.used(now) / 1000)
        self._commit(Row("answer", [seat, str(action), self._banks[seat]]), acknowledge)

    def _commit(self, row: Row | None = None, acknowledge: Question | None = None) -> None:
        """Write a row; when it is safe, acknowledge it and tell what follows from it."""
        rows = () if row is None else (row,)
        then = functools.partial(
            self._on_commit, len(self.match.events), acknowledge, self._clock.now()
        )
        self._log.write(*rows, then=then)

    def _on_commit(self, done: int, acknowledge: Question | None, since: float) -> None:
        self._committed = max(self._committed, done)
        if acknowledge is not None:
            self._stage.acknowledge(acknowledge.seat, acknowledge.id)
        self._pump()
        if acknowledge is not None:
            self._stage.told(since)

    # ------------------------------------------------------------------ telling

    def _pump(self) -> None:
        """Tell what is committed, as far as the call window lets it, then go on."""
        if self._closed:
            return
        events = self.match.events
        while self.published < self._committed and not self._must_wait():
            event = events[self.published]
            self.published += 1
            if isinstance(event, _CLAIMABLE):
                self._claimable_at = self._clock.now()
            self._metrics.events.inc()
            self._stage.show(self.published - 1, event)
        self._stage.rest()
        if self.published == len(events):
            self._go_on()

    def _must_wait(self) -> bool:
        """Whether the call window holds the next event back.

        Nothing that follows a discard is told before the window is over, be it a draw, a call
        or a win: the moment of the next event is the same whether nobody could claim the tile,
        or somebody could and decided within the window.
        """
        if self._hold is not None:
            return True
        if not self.published or not isinstance(self.match.events[self.published - 1], _CLAIMABLE):
            return False
        until = self._claimable_at + self._settings.call_window_ms / 1000
        if self._clock.now() >= until:
            return False
        self._hold = self._clock.call_at(until, self._release)
        return True

    def _release(self) -> None:
        self._hold = None
        self._pump()

    def _go_on(self) -> None:
        match = self.match
        if match.over:
            self._stage.end()
        elif not match.between_hands:
            self._ask()
        elif self._next_deal is None:
            pause = self._settings.pause_ms / 1000 if match.dealt else 0.0
            self._next_deal = self._clock.call_at(self._clock.now() + pause, self._deal)

    def _deal(self) -> None:
        self._next_deal = None
        if not self._closed:
            self.match.deal(Wall.from_seed(self._key, self.match.dealt))
            self._commit(Row("deal", self.match.dealt))

    # ------------------------------------------------------------------ questions and their clock

    def _ask(self) -> None:
        # All questions stand before the first is told: a house bot may answer at once.
        new = [
            self._question(seat, self._clock.now())
            for seat in self.match.pending
            if seat not in self.questions
        ]
        for question in new:
            self._stage.ask(question)
        self._set_alarm()

    def _question(self, seat: int, asked_at: float, spent_ms: int = 0) -> Question:
        match = self.match
        assert match.kyoku is not None
        limits = self._settings.limits
        self.questions[seat] = question = Question(
            id=len(match.events),
            seat=seat,
            target=match.kyoku.table.turn,
            menu=match.pending[seat],
            free_ms=limits.move if self._answered[seat] else limits.first,
            bank_ms=self._banks[seat],
            asked_at=asked_at,
            spent_ms=spent_ms,
        )
        return question

    def _set_alarm(self) -> None:
        if not self.questions:
            return
        first = min([question.deadline for question in self.questions.values()])
        first = min(first, self._keep_at())
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
        for question in list(self.questions.values()):
            if self.questions.get(question.seat) is question and not any(question.left(now)):
                self._metrics.timeouts.inc()
                self._take(question, default_action(question.menu), None)
        if self.questions and now >= self._keep_at():
            self._kept_at = now
            self._log.write(Row("used", self._used()))
        self._set_alarm()

    def _keep_at(self) -> float:
        """When to write down what the open questions have used, of which there must be some."""
        oldest = min([question.asked_at for question in self.questions.values()])
        return max(oldest, self._kept_at) + KEEP_S

    def _used(self) -> dict[str, int]:
        """The milliseconds that each open question has used, by seat, for the journal."""
        now = self._clock.now()
        return {str(question.seat): question.used(now) for question in self.questions.values()}

    def player_is_here(self, seat: int) -> None:
        """A player has come: a clock that waited for it since a restart runs from now on."""
        question = self.questions.get(seat)
        now = self._clock.now()
        if question is not None and question.asked_at > now:
            question.asked_at = now
            self._set_alarm()

    # ------------------------------------------------------------------ stop and restart

    def close(self) -> dict[str, int]:
        """Stop; the milliseconds that each open question has used, by seat, for the journal."""
        self._closed = True
        for timer in (self._alarm, self._hold, self._next_deal):
            if timer is not None:
                timer.cancel()
        self._alarm = self._hold = self._next_deal = None  # they refer to this game
        return self._used()

    def replay(self, row: Row) -> None:
        """Play one row of the journal again; nothing is told.

        Raises:
            ValueError, TypeError, RuntimeError: the row does not fit.
        """
        if row.kind == "deal":
            self.match.deal(Wall.from_seed(self._key, self.match.dealt))
            if row.data != self.match.dealt:
                raise ValueError(f"deal {row.data!r} stands where deal {self.match.dealt} should")
        else:
            seat, action, bank_ms = row.data
            self.match.answer(seat, act.parse_action(action))
            self._banks[seat] = int(bank_ms)
            self._answered[seat] = True

    def rebuilt(self) -> None:
        """All rows were replayed: everything that they led to counts as told."""
        self.published = self._committed = len(self.match.events)

    def resume(self, spent: Mapping[int, int], waits: Sequence[float]) -> None:
        """Go on after `rebuilt`.

        `spent` is what `close` gave; `waits` is until when, in seconds of the clock, each
        seat's clock stands still for its player to come back.
        """
        for seat in self.match.pending:
            self._question(seat, waits[seat], spent.get(seat, 0))
        for question in list(self.questions.values()):
            self._stage.ask(question)
        self._set_alarm()
        self._go_on()


def default_action(menu: Sequence[Action]) -> Action:
    """What the clock answers: pass, or discard the drawn tile, or the last legal discard."""
    if act.PASS in menu:
        return act.PASS
    discards = [action for action in menu if action.type == act.DAHAI]
    drawn = [action for action in discards if action.flag]
    return (drawn or discards)[-1]
