"""Replaying a record through the engine, and comparing everything that it tells.

The recorded walls are dealt to a `Match`, each seat answers what the record says it did, and
every event that the engine makes is compared with the recorded one. What was paid, counted or
turned wrongly is a difference and the replay goes on; where a draw, a discard or a call
differs, nothing after it would mean anything, and the replay of that game ends.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final

from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action
from jantaku_engine.events import Event
from jantaku_engine.kyoku import IllegalAction
from jantaku_engine.match import Match
from jantaku_engine.tiles import MJAI

from .findings import Mismatch, Tally
from .origin import broken_promises
from .record import NO_NOTE, KyokuRecord, Note, Record, RecordError


def verify(record: Record) -> Tally:
    """Replay one record and compare everything."""
    return replay(record)[0]


def replay(record: Record) -> tuple[Tally, Match]:
    """Like `verify`, together with the match as far as it was replayed."""
    replay = _Replay(record)
    return replay.run(), replay.match


def complete(record: Record) -> tuple[Record, Tally]:
    """The record with everything that it does not tell, as the engine has it, and the tally.

    Raises:
        RecordError: the replay cannot go to the end; the text says where and why.
    """
    replay = _Replay(record)
    tally = replay.run()
    if len(replay.hands) < len(record.kyokus) or (
        record.whole and not isinstance(replay.match.events[-1], ev.EndGame)
    ):
        raise RecordError(tally.mismatches[-1].line)
    kyokus = [
        KyokuRecord(kyoku.wall, kyoku.derived, events, _stretched(kyoku.places, len(events)))
        for kyoku, events in zip(record.kyokus, replay.hands, strict=True)
    ]
    end, place, note = record.end
    if record.whole:
        end, note = replay.match.events[-1], NO_NOTE
    return dataclasses.replace(record, kyokus=kyokus, end=(end, place, note)), tally


def _stretched(places: list[int], length: int) -> list[int]:
    return [places[min(index, len(places) - 1)] for index in range(length)]


_PLAY: Final = frozenset(
    {ev.TSUMO, ev.DAHAI, ev.CHI, ev.PON, ev.DAIMINKAN, ev.KAKAN, ev.ANKAN, ev.REACH}
)
"""Events after which the two accounts part for good when they differ."""

_DECISIONS: Final = _PLAY | {ev.HORA}

_WALL_FIELDS: Final = frozenset(
    {
        "start_kyoku tehais",
        "start_kyoku dora_marker",
        "start_kyoku wall_hash",
        "start_kyoku dice",
        "tsumo pai",
        "dora dora_marker",
        "hora ura_markers",
        "wall tile",
    }
)
"""Differences that make a wall another wall."""

_UNSORTED: Final = frozenset({"consumed", "hora_tehais", "tehai"})
_ALIASES: Final = frozenset({"uradora_markers"})
_SILENT: Final = frozenset({ev.REACH_ACCEPTED, ev.DORA})
"""Events that happen by themselves between an answer and what it leads to."""


class Account:
    """Facts of the running hand that records tell beside the events.

    Attributes:
        honba, deposits: on the table. scores: now. dora_markers: turned so far.
    """

    def __init__(self, start: ev.StartKyoku) -> None:
        self.honba = start.honba
        self.deposits = start.kyotaku
        self.scores = start.scores
        self.dora_markers: tuple[int, ...] = (start.dora_marker,)

    def apply(self, event: Event) -> None:
        """Take the next event of the hand."""
        if isinstance(event, ev.ReachAccepted):
            self.deposits += 1
            self.scores = event.scores
        elif isinstance(event, ev.Dora):
            self.dora_markers += (event.dora_marker,)
        elif isinstance(event, ev.Hora):
            self.deposits = 0
            self.scores = event.scores

    def facts(self) -> dict[str, Any]:
        """The facts now, by the names that notes use."""
        return {
            "honba": self.honba,
            "deposits": self.deposits,
            "scores before": self.scores,
            "dora_markers": self.dora_markers,
        }


class _Replay:
    def __init__(self, record: Record) -> None:
        self.record = record
        self.match = Match(record.rules, record.names)
        self.tally = Tally(games=1)
        self.seen = len(self.match.events)
        self.kyoku = record.kyokus[0]
        self.position = 0
        self.title = ""
        self.account: Account | None = None
        self.bad_slots: dict[int, tuple[int, int]] = {}
        self.hands: list[list[Event]] = []
        """The engine's events of each hand that was replayed to its end."""

    def run(self) -> Tally:
        """Replay the whole game and check where its walls come from."""
        self._replay_all()
        self._check_origin()
        return self.tally

    def _replay_all(self) -> None:
        for kyoku in self.record.kyokus:
            self.kyoku = kyoku
            self.position = 0
            self.title = kyoku.title
            if not self.record.whole:
                self._begin_part()
            if self.match.over:
                self._differ("end of the game", "another hand", "the game is over")
                return
            first = self.seen
            if not self._play():
                return
            self.hands.append(self.match.events[first : self.seen])
        if self.record.whole:
            self._end()

    def _begin_part(self) -> None:
        """Of a part of a game: take a hand as it is told, unless it follows the last one."""
        start = self.kyoku.events[0]
        assert isinstance(start, ev.StartKyoku)
        match = self.match
        round_ = start.bakaze * 4 + start.kyoku - 1
        if match.dealt and not match.over and (match.round, match.honba) == (round_, start.honba):
            return
        self.match = match = Match(self.record.rules, self.record.names)
        self.seen = len(match.events)
        match.round, match.honba, match.kyotaku = round_, start.honba, start.kyotaku
        match.kept, match.wins = start.kept, start.wins
        match.scores = list(start.scores)

    # ------------------------------------------------------------------ one hand

    def _play(self) -> bool:
        """Replay one hand; whether the game can go on."""
        kyoku = self.kyoku
        match = self.match
        tally = self.tally
        tally.rounds += 1
        before = len(tally.mismatches)
        self.bad_slots = {
            shown.event: (shown.tile_id, kyoku.wall.ids[shown.slot])
            for shown in kyoku.shown
            if kyoku.wall.ids[shown.slot] != shown.tile_id
        }
        match.deal(kyoku.wall)
        while self._compare_new() and match.pending:
            if not self._answer():
                return False
        if match.pending:
            return False
        if self.position < len(kyoku.events):
            self._differ("end of the hand", self._told(self.position), "the hand is over")
            return False
        new = tally.mismatches[before:]
        wall_differs = self.bad_slots or any(mismatch.what in _WALL_FIELDS for mismatch in new)
        if kyoku.derived and not wall_differs:
            tally.walls_checked += 1
        return True

    def _compare_new(self) -> bool:
        """Compare what the engine has added; whether the accounts are still together."""
        events = self.match.events
        kyoku = self.kyoku
        while self.seen < len(events):
            event = events[self.seen]
            if event.type == ev.END_GAME:
                break
            self.seen += 1
            if self.position == len(kyoku.events):
                self._differ("end of the hand", "the hand is over", repr(event))
                return False
            if not self._compare(kyoku.events[self.position], event):
                return False
            self.position += 1
        return True

    def _compare(self, expected: Event, got: Event) -> bool:
        same = True
        if isinstance(got, ev.Tsumo) and isinstance(expected, ev.Tsumo):
            same = got.actor == expected.actor and got.pai == expected.pai
        elif isinstance(got, ev.Dahai) and isinstance(expected, ev.Dahai):
            same = (
                got.pai == expected.pai
                and got.actor == expected.actor
                and got.tsumogiri == expected.tsumogiri
            )
        elif got.type != expected.type:
            self._part(expected, got)
            return False
        else:
            return self._compare_fields(expected, got)
        if not same:
            self._compare_messages(expected, got, NO_NOTE)
            return False
        self.tally.decisions += 1
        if self.bad_slots:
            self._compare_slot()
        return True

    def _part(self, expected: Event, got: Event) -> None:
        """Report that the engine goes on otherwise, perhaps because it did not offer this."""
        if expected.type in _DECISIONS and expected.type != ev.TSUMO:
            name = ev.EVENT_NAMES[got.type]
            self._refuse(f"no seat that is asked may do so, the engine goes on with {name}")
        else:
            self._differ("event", self._told(self.position), got.to_mjai())

    def _compare_fields(self, expected: Event, got: Event) -> bool:
        """Compare an event other than a draw or a discard, and what is told beside it."""
        note = self.kyoku.notes.get(self.position, NO_NOTE)
        differs = self._compare_messages(expected, got, note)
        if isinstance(got, ev.StartKyoku):
            self.account = Account(got)
            differs += self._compare_contradictions(note)
            # Without the same dealer and hands no answer of the record would fit.
            return "start_kyoku tehais" not in differs and "start_kyoku oya" not in differs
        assert self.account is not None
        if note.facts:
            differs += self._compare_facts(got, note.facts)
        if not differs:
            differs += self._compare_contradictions(note)
            self._compare_slot()
        self.account.apply(got)
        self._count(got)
        if isinstance(got, ev.Hora) and got.ura_markers and "ura_markers" in note.untold:
            self.tally.ura_unknown += 1
        return not (differs and got.type in _PLAY)

    def _count(self, event: Event) -> None:
        tally = self.tally
        if event.type in _DECISIONS:
            tally.decisions += 1
        if isinstance(event, ev.Hora):
            tally.wins += 1
        elif isinstance(event, ev.Ryukyoku):
            tally.draws += 1
            tally.decisions += event.reason == ev.KYUUSHU_KYUUHAI

    def _compare_messages(self, expected: Event, got: Event, note: Note) -> list[str]:
        """Compare all fields that the record tells; names of those that differ."""
        name = ev.EVENT_NAMES[got.type]
        told = expected.to_mjai()
        made = got.to_mjai()
        differs: list[str] = []
        for key in [*told, *(key for key in made if key not in told)]:
            if key in note.untold or key in _ALIASES:
                continue
            left = _plain(key, told.get(key))
            right = _plain(key, made.get(key))
            if left != right:
                differs.append(f"{name} {key}")
                self._differ(differs[-1], left, right)
        return differs

    def _compare_facts(self, got: Event, facts: Mapping[str, Any]) -> list[str]:
        assert self.account is not None
        name = ev.EVENT_NAMES[got.type]
        own = self.account.facts()
        differs: list[str] = []
        for key, value in facts.items():
            if own[key] != value:
                differs.append(f"{name} {key}")
                self._differ(differs[-1], _told(key, value), _told(key, own[key]))
        return differs

    def _compare_contradictions(self, note: Note) -> list[str]:
        for what, expected, got in note.contradictions:
            self._differ(what, expected, got)
        return [what for what, _, _ in note.contradictions]

    def _compare_slot(self) -> None:
        """The tile has the right face: is it also the very tile that the wall has there?"""
        bad = self.bad_slots.get(self.position)
        if bad is not None:
            self._differ("wall tile", bad[0], bad[1])

    # ------------------------------------------------------------------ answers

    def _answer(self) -> bool:
        """Give the recorded answers of all seats that are asked; whether they were legal."""
        match = self.match
        answers = self._recorded_answers()
        illegal = self.kyoku.notes.get(self._next_act(), NO_NOTE).illegal
        # Real answers first: with `first_declared` the record's caller was the fastest.
        for seat in sorted(answers, key=lambda seat: answers[seat] is act.PASS):
            if illegal and answers[seat] is not act.PASS:
                self._refuse(illegal)
                return False
            try:
                match.answer(seat, answers[seat])
            except IllegalAction as error:
                self._refuse(str(error))
                return False
        return True

    def _next_act(self) -> int:
        """Number of the next recorded event that somebody did."""
        events = self.kyoku.events
        position = self.position
        while position < len(events) - 1 and events[position].type in _SILENT:
            position += 1
        return position

    def _recorded_answers(self) -> dict[int, Action]:
        match = self.match
        position = self._next_act()
        events = self.kyoku.events
        event = events[min(position, len(events) - 1)]
        answers: dict[int, Action] = dict.fromkeys(match.pending, act.PASS)
        if isinstance(event, ev.Ryukyoku):
            for seat, menu in match.pending.items():
                answers[seat] = _answer_to_draw(event, seat, menu)
            return answers
        while isinstance(event, ev.Hora) and position < len(events):
            answers[event.actor] = act.WIN
            position += 1
            event = events[position]
        action = action_of(event)
        actor: int = getattr(event, "actor", -1)
        if action is not None and act.WIN not in answers.values() and actor in answers:
            answers[actor] = action
        return answers

    # ------------------------------------------------------------------ the end

    def _end(self) -> None:
        expected, place, note = self.record.end
        self.title = "end"
        last = self.match.events[-1]
        where = f"{self.record.unit} {place}"
        if not isinstance(last, ev.EndGame):
            self._differ("end of the game", "the game is over", "the game goes on", where)
            return
        told = expected.to_mjai()
        made = last.to_mjai()
        for key in told:
            if key not in note.untold and told[key] != made[key]:
                self._differ(f"end_game {key}", told[key], made[key], where)

    def _check_origin(self) -> None:
        record = self.record
        if record.origin is None:
            return
        broken = broken_promises(record.origin, record.kyokus, record.whole)
        self.tally.seeds_checked += bool(record.origin.seed) and not broken
        for kyoku, what, told, derived in broken:
            self.title = "end" if kyoku is None else kyoku.title
            place = record.end[1] if kyoku is None else kyoku.places[-1]
            self._differ(what, told, derived, f"{record.unit} {place}")

    # ------------------------------------------------------------------ findings

    def _place(self, position: int) -> str:
        places = self.kyoku.places
        return f"{self.record.unit} {places[min(position, len(places) - 1)]}"

    def _told(self, position: int) -> Any:
        return self.kyoku.events[position].to_mjai()

    def _differ(self, what: str, expected: Any, got: Any, place: str = "") -> None:
        where = place or self._place(self.position)
        self.tally.mismatches.append(
            Mismatch(self.record.name, self.title, what, expected, got, where)
        )

    def _refuse(self, why: str) -> None:
        position = self._next_act()
        told = self._told(position)
        place = self._place(position)
        self.tally.mismatches.append(
            Mismatch(self.record.name, self.title, "illegal move", told, why, place, True)
        )


def action_of(event: Event) -> Action | None:
    """The answer that leads to an event; None when nobody's answer does."""
    if isinstance(event, ev.Dahai):
        return (act.TSUMOGIRI if event.tsumogiri else act.DISCARDS)[event.pai]
    if isinstance(event, ev.Naki):
        return act.call(event.type - ev.CHI + act.CHI, event.pai, event.consumed)
    if isinstance(event, ev.Kakan):
        return act.call(act.KAKAN, event.pai, event.consumed)
    if isinstance(event, ev.Ankan):
        return act.ankan(event.consumed)
    if isinstance(event, ev.Reach):
        return act.OPEN_RIICHI if event.open else act.RIICHI
    return None


def _answer_to_draw(event: ev.Ryukyoku, seat: int, menu: tuple[Action, ...]) -> Action:
    """What a seat answered before the hand ended without a win."""
    if event.reason == ev.KYUUSHU_KYUUHAI and act.PASS not in menu:
        return act.KYUUSHU
    if event.reason == ev.SANCHAHOU and event.tenpais[seat]:
        return act.WIN
    if act.FOLD in menu and not event.tenpais[seat]:
        return act.FOLD
    return act.PASS


def _plain(key: str, value: Any) -> Any:
    """A field as it is compared: order does not matter in hands and lists of yaku."""
    if value is None:
        return None
    if key in _UNSORTED:
        return sorted(value)
    if key == "tehais":
        return [sorted(hand) for hand in value]
    if key == "yakus":
        return dict(sorted(value))
    return value


def _told(key: str, value: Any) -> Any:
    """A fact as a plain value."""
    if key == "dora_markers":
        return [MJAI[tile] for tile in value]
    return list(value) if isinstance(value, tuple) else value
