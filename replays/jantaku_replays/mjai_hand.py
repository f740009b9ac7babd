"""One hand of a plain mjai log: its messages as they come, then played through the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jantaku_engine import events as ev
from jantaku_engine.events import Event, EventError
from jantaku_engine.kyoku import Kyoku
from jantaku_engine.mjai import event_from_mjai
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import MJAI, UNKNOWN, TileError, parse_mjai
from jantaku_engine.wall import Wall
from jantaku_engine.yaku.catalogue import YAKU

from .drive import Ending, Stuck, drive, first_discard_of_dealt
from .json_text import Where, integers, items, whole_number
from .mjai_ura import agreeing, possible
from .rebuilt import ShownTiles
from .record import KyokuRecord, Note, RecordError, kyoku_title

Message = Mapping[str, Any]

MOVES: Final = frozenset({"tsumo", "dahai", "reach", "chi", "pon", "daiminkan", "kakan", "ankan"})
ENDS: Final = frozenset({"hora", "ryukyoku"})

REASONS: Final = {
    **{reason: reason for reason in ev.DRAW_REASONS},
    "fanpai": ev.EXHAUSTIVE,
    "nagashimangan": ev.NAGASHI_MANGAN,
    "kyushukyuhai": ev.KYUUSHU_KYUUHAI,
    "sufonrenta": ev.SUUFON_RENDA,
    "suchareach": ev.SUUCHA_RIICHI,
    "sanchaho": ev.SANCHAHOU,
    "sukaikan": ev.SUUKAIKAN,
}
"""Why a hand was drawn, in our words and in those of older programs."""

SCORE_LIMIT: Final = 1_000_000_000
_COUNTED: Final = ("dora", "uradora", "akadora")
_START_UNTOLD: Final = frozenset({"streak", "wall_hash"})
_WIN_FIGURES: Final = frozenset({"dora", "uradora", "akadora", "yakuman", "limit", "pao"})
_WIN_COUNTS: Final = frozenset({"yakus", "fu", "fan", "hora_points"})


class Table:
    """What goes over from one hand to the next, for logs that do not say.

    Attributes:
        scores, kyotaku: after the last hand.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.scores: list[int] = [rules.start] * 4
        self.kyotaku = 0


def points(message: Message, name: str, where: str) -> tuple[int, ...]:
    """Four numbers of points in a message.

    Raises:
        RecordError: there are none.
    """
    return integers(message[name], Where(f"{where}: {name}"), 4, -SCORE_LIMIT, SCORE_LIMIT)


class MjaiHand:
    """One hand; `play` gives its record.

    Attributes:
        start: as the log tells it, with scores and deposits of 0 where it does not.
        own_scores: the scores before it, None when not told. over: it has a result.
        guessed: after `play`: what was paid for a win in riichi is not told in any way, nor are
            its ura dora.
    """

    def __init__(self, message: Message, line: int, unit: str) -> None:
        self.unit = unit
        where = self._where(line)
        self.own_scores = points(message, "scores", where) if "scores" in message else None
        self.has_kyotaku = "kyotaku" in message
        filled = {"scores": [0] * 4, "kyotaku": 0, "honba": 0, **message}
        if "oya" not in filled and type(filled.get("kyoku")) is int:
            filled["oya"] = (filled["kyoku"] - 1) % 4
        filled.pop("wall_hash", None)
        start = self._event(filled, line)
        assert isinstance(start, ev.StartKyoku)
        if any(UNKNOWN in hand for hand in start.tehais):
            raise RecordError(f"{where}: has hidden tiles ('?'), a record has all open")
        if start.oya != start.kyoku - 1:
            raise RecordError(f"{where}: seat {start.oya} cannot be the dealer of {start.kyoku}")
        self.start = start
        self.line = line
        self.title = kyoku_title(start)
        self.moves: list[Event] = []
        self.lines: list[int] = []
        self.dora = [start.dora_marker]
        self.accepted: list[tuple[int, ...] | None] = []
        self.ends: list[tuple[int, Message]] = []
        self.guessed = False
        self._drawn = -1

    @property
    def over(self) -> bool:
        """Whether the hand has a result."""
        return bool(self.ends)

    @property
    def is_first(self) -> bool:
        """Whether a game begins with this hand."""
        start = self.start
        return (start.bakaze, start.kyoku, start.honba, start.kyotaku) == (0, 1, 0, 0)

    def shown_tiles(self) -> list[int]:
        """Every tile code that the hand names."""
        drawn = [move.pai for move in self.moves if isinstance(move, ev.Tsumo)]
        return [*self.dora, *drawn, *(tile for hand in self.start.tehais for tile in hand)]

    def _where(self, line: int) -> str:
        return f"{self.unit} {line}"

    def _event(self, message: Message, line: int) -> Event:
        try:
            return event_from_mjai(message)
        except EventError as error:
            raise RecordError(f"{self._where(line)}: {error}") from None

    # ------------------------------------------------------------------ messages

    def take(self, message: Message, line: int) -> None:
        """Take the next message of the hand.

        Raises:
            RecordError: it cannot be.
        """
        type_ = message["type"]
        if type_ == "end_kyoku":
            if not self.over:
                raise RecordError(f"{self._where(line)}: {self.title} ends without a result")
        elif type_ in ENDS:
            if self.over and (type_, self.ends[-1][1]["type"]) != ("hora", "hora"):
                raise RecordError(f"{self._where(line)}: {self.title} is over already")
            self.ends.append((line, message))
        elif self.over:
            raise RecordError(f"{self._where(line)}: {self.title} is over already")
        elif type_ == "reach_accepted":
            told = points(message, "scores", self._where(line)) if "scores" in message else None
            self.accepted.append(told)
        elif type_ == "dora":
            event = self._event(message, line)
            assert isinstance(event, ev.Dora)
            self.dora.append(event.dora_marker)
        else:
            self._move(message, line)

    def _move(self, message: Message, line: int) -> None:
        if message["type"] == "dahai" and "tsumogiri" not in message:
            same = message.get("pai") == MJAI[self._drawn] if self._drawn >= 0 else False
            message = {**message, "tsumogiri": same}
        event = self._event(message, line)
        if isinstance(event, ev.Tsumo):
            if event.pai == UNKNOWN:
                raise RecordError(f"{self._where(line)}: a hidden tile ('?'), a record has none")
            self._drawn = event.pai
        elif not isinstance(event, ev.Reach):
            self._drawn = -1
        self.moves.append(event)
        self.lines.append(line)

    # ------------------------------------------------------------------ playing

    def play(
        self, rules: Ruleset, table: Table, scores_after: tuple[int, ...] | None
    ) -> KyokuRecord:
        """The hand as the engine plays it, with what the log tells in its place.

        `scores_after` are the scores before the next hand, where the log tells them.

        Raises:
            RecordError: a move that nobody could make, or tiles that cannot be.
        """
        start = self.start
        if self.own_scores is None:
            start.scores = tuple(table.scores)
        if not self.has_kyotaku:
            start.kyotaku = table.kyotaku
        self.moves = first_discard_of_dealt(self.moves, rules)
        told = self._ura()
        wall, kyoku = self._driven(rules, told)
        if not told and any(win.ura_markers for win in _wins(kyoku)):
            wall, kyoku = self._with_likely_ura(rules, kyoku, scores_after)
        table.scores = list(kyoku.table.scores)
        table.kyotaku = kyoku.table.kyotaku
        return self._record(kyoku, wall)

    def _driven(self, rules: Ruleset, ura: tuple[int, ...]) -> tuple[Wall, Kyoku]:
        """The hand on a wall with these ura dora indicators, played to its end."""
        start = self.start
        moves = self.moves
        try:
            wall = Wall(self._shown(ura).wall_ids(rules))
        except RecordError as error:
            raise RecordError(f"{self.title}, {error}") from None
        kyoku = Kyoku(
            rules, wall, start.bakaze, start.kyoku, start.honba, start.kyotaku, start.scores
        )
        try:
            drive(kyoku, moves, self._ending())
        except Stuck as error:
            told = f"{moves[error.move].to_mjai()} is illegal: " if error.move < len(moves) else ""
            place = self._where([*self.lines, self.ends[0][0]][min(error.move, len(moves))])
            raise RecordError(f"{self.title}, {place}: {told}{error}") from None
        return wall, kyoku

    def _with_likely_ura(
        self, rules: Ruleset, kyoku: Kyoku, scores_after: tuple[int, ...] | None
    ) -> tuple[Wall, Kyoku]:
        """The hand with the fewest ura dora by which most of the told figures are right."""
        told = {message.get("actor"): message for _, message in self.ends}
        shown = self._shown(()).tiles.values()
        best: tuple[int, Wall, Kyoku] | None = None
        for ura in possible(rules, kyoku.table, _wins(kyoku), shown):
            wall, other = self._driven(rules, ura)
            same = of = 0
            for win in _wins(other):
                right, figures = agreeing(win, told[win.actor])
                same += right
                of += figures
                self.guessed |= not figures and bool(win.ura_markers) and scores_after is None
            if scores_after is not None:
                same += scores_after == tuple(other.table.scores)
                of += 1
            if best is None or same > best[0]:
                best = (same, wall, other)
            if same == of:
                break
        assert best is not None
        return best[1:]

    def _shown(self, ura: tuple[int, ...]) -> ShownTiles:
        shown = ShownTiles(self.start.oya, self.start.tehais)
        line = self.line
        try:
            shown.indicators(tuple(self.dora), ura)
            for number, move in enumerate(self.moves):
                line = self.lines[number]
                if isinstance(move, ev.Tsumo):
                    shown.draw(move.pai)
                elif move.type in (ev.DAIMINKAN, ev.KAKAN, ev.ANKAN):
                    shown.kan()
            return shown
        except RecordError as error:
            raise RecordError(f"{self._where(line)}: {error}") from None

    def _ura(self) -> tuple[int, ...]:
        """The ura dora indicators that a win shows."""
        for line, message in self.ends:
            told = _ura_of(message, self._where(line))
            if told:
                return told
        return ()

    def _ending(self) -> Ending:
        line, message = self.ends[0]
        where = self._where(line)
        if message["type"] == "ryukyoku":
            reason = REASONS.get(message.get("reason", ""), "") if _is_text(message) else ""
            if not reason and any(_told_points(message, "deltas", where) or ()):
                reason = ev.EXHAUSTIVE
            tenpais = message.get("tenpais")
            folded = [
                s for s in range(4) if isinstance(tenpais, list) and tenpais[s : s + 1] == [False]
            ]
            return Ending((), -1, reason, tuple(folded))
        winners = []
        targets = set()
        for line, message in self.ends:
            where = self._where(line)
            for name in ("actor", "target"):
                if name not in message:
                    raise RecordError(f"{where}: hora: field {name} is missing")
            winners.append(whole_number(message["actor"], Where(f"{where}: actor"), 0, 3))
            targets.add(whole_number(message["target"], Where(f"{where}: target"), 0, 3))
        if len(targets) > 1 or len(set(winners)) != len(winners):
            raise RecordError(f"{where}: the wins of {self.title} are not on one tile")
        target = targets.pop()
        return Ending(tuple(sorted(winners, key=lambda seat: (seat - target) % 4)), target)

    def _record(self, kyoku: Kyoku, wall: Wall) -> KyokuRecord:
        """The engine's events, with what the log tells in their place."""
        events = list(kyoku.events)
        events[0] = self.start
        notes = {0: Note(untold=_START_UNTOLD)}
        places: list[int] = []
        turned = {"dora_markers": tuple(self.dora)}
        wins = {message.get("actor"): (line, message) for line, message in self.ends}
        lines = iter(self.lines)
        accepted = iter(self.accepted)
        line = self.line
        for number, event in enumerate(events):
            if isinstance(event, ev.ReachAccepted):
                told = next(accepted, None)
                if told is None:
                    notes[number] = Note(untold=frozenset({"scores"}))
                else:
                    events[number] = ev.ReachAccepted(event.actor, told, event.tehai)
            elif isinstance(event, ev.Hora):
                line, message = wins[event.actor]
                events[number], untold = _win(event, message, self._where(line))
                notes[number] = Note(untold, turned)
            elif isinstance(event, ev.Ryukyoku):
                line, message = self.ends[0]
                events[number], untold = _draw(event, message, self._where(line))
                notes[number] = Note(untold, turned)
            elif isinstance(event, ev.EndKyoku):
                notes[number] = Note(untold=frozenset({"wall_key"}))
            elif number and not isinstance(event, ev.Dora):
                line = next(lines, line)
            places.append(line)
        return KyokuRecord(wall, False, events, places, notes)


def _wins(kyoku: Kyoku) -> list[ev.Hora]:
    return [event for event in kyoku.events if isinstance(event, ev.Hora)]


def _is_text(message: Message) -> bool:
    return isinstance(message.get("reason"), str)


def _told_points(message: Message, name: str, where: str) -> tuple[int, ...] | None:
    return points(message, name, where) if name in message else None


def _ura_of(message: Message, where: str) -> tuple[int, ...] | None:
    for name in ("ura_markers", "uradora_markers"):
        if message.get(name) is not None:
            told = items(message[name], Where(f"{where}: {name}"), 0, 5)
            try:
                tiles = tuple(parse_mjai(tile) for tile in told)
            except TileError as error:
                raise RecordError(f"{where}: {name}: {error}") from None
            if UNKNOWN in tiles:
                raise RecordError(f"{where}: {name}: a hidden tile")
            return tiles
    return None


def _win(made: ev.Hora, message: Message, where: str) -> tuple[ev.Hora, frozenset[str]]:
    """The win as it is told, the engine's figures where it is not, and their names."""
    untold = _WIN_FIGURES
    deltas = _told_points(message, "deltas", where)
    scores = _told_points(message, "scores", where)
    # Who wins in riichi turns at least one: an empty list tells nothing.
    ura = _ura_of(message, where) or (None if made.ura_markers else ())
    untold |= frozenset(
        name
        for name, told in (("deltas", deltas), ("scores", scores), ("ura_markers", ura))
        if told is None
    )
    yaku = _known_yaku(message.get("yakus"))
    counts = [message.get(name) for name in ("fu", "fan", "hora_points")]
    fu, han, worth = made.fu, made.han, made.points
    if yaku is None or made.yakuman or any(type(count) is not int for count in counts):
        untold |= _WIN_COUNTS
        yaku = made.yaku
    else:
        fu, han, worth = (count for count in counts if isinstance(count, int))
    event = ev.Hora(
        made.actor,
        made.target,
        made.pai,
        made.tehai,
        made.ura_markers if ura is None else ura,
        yaku,
        made.dora,
        made.ura,
        made.aka,
        fu,
        han,
        made.yakuman,
        made.limit,
        worth,
        made.pao,
        made.deltas if deltas is None else deltas,
        made.scores if scores is None else scores,
    )
    return event, untold


def _known_yaku(told: Any) -> tuple[tuple[str, float], ...] | None:
    """The yaku of a win without its dora; None when the names are not ours."""
    if not isinstance(told, list) or not told:
        return None
    yaku: dict[str, float] = {}
    for pair in told:
        if not (isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)):
            return None
        name, value = pair
        if type(value) not in (int, float) or (name not in YAKU and name not in _COUNTED):
            return None
        if name not in _COUNTED:
            yaku[name] = value
    return tuple(yaku.items())


def _draw(made: ev.Ryukyoku, message: Message, where: str) -> tuple[ev.Ryukyoku, frozenset[str]]:
    """The draw as it is told, the engine's account where it is not, and its names."""
    deltas = _told_points(message, "deltas", where)
    scores = _told_points(message, "scores", where)
    reason = REASONS.get(message["reason"]) if _is_text(message) else None
    untold = {"nagashi", "tehais", "tenpais"}
    untold |= {
        name
        for name, told in (("deltas", deltas), ("scores", scores), ("reason", reason))
        if told is None
    }
    event = ev.Ryukyoku(
        made.reason if reason is None else reason,
        made.tehais,
        made.tenpais,
        made.deltas if deltas is None else deltas,
        made.scores if scores is None else scores,
    )
    return event, frozenset(untold)
