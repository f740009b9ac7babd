"""Reading Tenhou JSON, the form of Tenhou's replay viewer, into `Record`.

The lists of a hand tell neither the order of play nor what follows from the rules. The engine
plays each order that fits (`tenhou_json_search`) until one is legal; what the record does tell
(payments, yaku, indicators) stays as it is told, so that verifying compares it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from jantaku_engine import events as ev
from jantaku_engine.events import Event
from jantaku_engine.kyoku import Kyoku
from jantaku_engine.match import final_points
from jantaku_engine.rules import Ruleset
from jantaku_engine.wall import Wall

from . import tenhou_json_codes as codes
from .drive import Ending, Stuck, drive, first_discard_of_dealt
from .json_text import Where, fields, integers, items, load_json, short, text_of, whole_number
from .rebuilt import ShownTiles
from .record import KyokuRecord, Note, NotRiichiError, Record, RecordError, kyoku_title
from .rule_bits import Bits, Reds, inferred, likely_length, reds_seen, told_further
from .tenhou_disp import Disp, read_disp
from .tenhou_json_search import DeadEnd, Drop, Lists, Search, Take
from .tenhou_json_win import WinTold, read_win, win_event

MOST_HANDS: Final = 200
MOST_ENTRIES: Final = 60
MOST_READINGS: Final = 64
SCORE_LIMIT: Final = 100_000_000

_START_UNTOLD: Final = frozenset({"streak", "wall_hash"})
_SCORES: Final = frozenset({"scores"})
_DRAW_UNTOLD: Final = frozenset({"scores", "nagashi", "tehais", "tenpais"})
_ABORT_UNTOLD: Final = _DRAW_UNTOLD | {"deltas"}
_END_UNTOLD: Final = frozenset({"wall_key"})
_RANKS: Final = frozenset({"ranks"})
_NO_END: Final = frozenset({"ranks", "scores", "points"})


def read_tenhou_json(data: bytes, name: str, rules: Ruleset | None = None) -> Record:
    """The game, or the hands of one, of a Tenhou JSON text; `rules` where it has other rules.

    Raises:
        RecordError: no such record, cut off, impossible, or with no legal order of play.
        NotRiichiError: a three-player game.
    """
    top = load_json(data)
    if not isinstance(top, Mapping) or "log" not in top:
        raise RecordError("is no Tenhou JSON: it has no field log")
    hands = [
        _Hand(value, Where(f"hand {number}"))
        for number, value in enumerate(items(top["log"], Where("log"), 1, MOST_HANDS), 1)
    ]
    names = _names(top)
    final = _final(top)
    ruleset, kyokus = _played_by(hands, _readings(top, hands, final, rules))
    whole = hands[0].is_first and final is not None
    end = _end(hands[-1], kyokus[-1], final, ruleset)
    return Record(name, "tenhou_json", ruleset, names, ("",) * 4, "hand", kyokus, end, whole=whole)


# ---------------------------------------------------------------------- the game


def _names(top: Mapping[str, Any]) -> tuple[str, ...]:
    names = items(top.get("name", [""] * 4), Where("name"), 3, 4)
    if len(names) == 3 or names[3:] == [None]:
        raise NotRiichiError("a three-player game")
    return tuple(text_of(name, Where("name")) for name in names)


class _Final(NamedTuple):
    scores: tuple[int, ...]
    points: tuple[float, ...]


def _final(top: Mapping[str, Any]) -> _Final | None:
    """The final scores and points, where the record has them."""
    if "sc" not in top:
        return None
    where = Where("sc")
    values = items(top["sc"], where, 8, 8)
    points = []
    for value in values[1::2]:
        if type(value) not in (int, float) or not abs(value) <= SCORE_LIMIT:
            raise RecordError(f"{where}: {short(value)} is no number of points")
        points.append(float(value))
    return _Final(integers(values[::2], where, 4, -SCORE_LIMIT, SCORE_LIMIT), tuple(points))


class _Reading(NamedTuple):
    """Rules that a record may have been played by, and why, for errors."""

    rules: Ruleset
    why: str


def _readings(
    top: Mapping[str, Any], hands: list[_Hand], final: _Final | None, given: Ruleset | None
) -> list[_Reading]:
    """The rules that a record names by its title and red fives, the likeliest first.

    Whether open tanyao counts is certain only where a title is Tenhou's own.
    """
    rule = fields(top.get("rule", {}), Where("rule"))
    told = told_further(rule.get("jantaku"), "rule: jantaku")
    if told is not None and given is None:
        return [_Reading(told, "by the rules in its field jantaku")]
    disp = read_disp(text_of(rule.get("disp", ""), Where("rule: disp")))
    if disp.three:
        raise NotRiichiError("a three-player game")
    tenths = None if final is None else any(point % 1 for point in final.points)
    bits = Bits(
        _length(disp, hands, final),
        _reds(rule, disp, hands),
        None,
        tenths,
        str(top.get("ref", "")).startswith("2009"),
        _even_start(hands[0]),
    )
    if given is not None:
        return [_Reading(inferred(bits, given), "by the rules that were named")]
    by_title = f"as rule.disp {short(disp.text)} says"
    likely = True if disp.kuitan is None else disp.kuitan
    readings = [_Reading(inferred(bits._replace(kuitan=likely)), "")]
    if not disp.sure:
        readings.append(_Reading(inferred(bits._replace(kuitan=not likely)), ""))
        return [reading._replace(why="with open tanyao and without") for reading in readings]
    tanyao = "with" if likely else "without"
    return [readings[0]._replace(why=f"{tanyao} open tanyao, {by_title}")]


def _reds(rule: Mapping[str, Any], disp: Disp, hands: list[_Hand]) -> Reds:
    where = Where("rule")
    silent = not {"aka", "aka51", "aka52", "aka53"} & rule.keys()
    each = whole_number(rule.get("aka", int(silent and disp.reds)), where, 0, 4)
    reds: Reds = (
        whole_number(rule.get("aka51", each), where, 0, 4),
        whole_number(rule.get("aka52", each), where, 0, 4),
        whole_number(rule.get("aka53", each), where, 0, 4),
    )
    return reds_seen((tile for hand in hands for tile in hand.shown_tiles()), reds)


def _length(disp: Disp, hands: list[_Hand], final: _Final | None) -> str:
    """As the title says, unless it is no title of Tenhou's and the hands say otherwise."""
    last = hands[-1].start
    if disp.length == "hanchan" or (disp.length == "tonpuu" and (disp.sure or last.bakaze < 2)):
        return disp.length
    return likely_length(last, final.scores if final else hands[-1].scores_after())


def _even_start(first: _Hand) -> int | None:
    """The points at the start of a game, where all have the same."""
    even = first.is_first and len(set(first.start.scores)) == 1
    return first.start.scores[0] if even else None


def _played_by(hands: list[_Hand], readings: list[_Reading]) -> tuple[Ruleset, list[KyokuRecord]]:
    """The rules by which the hands are legal and their wins have tanyao as told, and the hands.

    Raises:
        RecordError: by none of the rules they are legal.
    """
    legal: list[tuple[Ruleset, list[KyokuRecord]]] = []
    illegal: list[str] = []
    for rules, why in readings:
        try:
            kyokus = [hand.play(rules) for hand in hands]
        except _NoOrder as error:
            illegal.append(f"{error} (read {why}; other rules can be named with --rules)")
            continue
        legal.append((rules, kyokus))
        if not any(hand.tanyao_differs for hand in hands):
            return rules, kyokus
    if not legal:
        raise RecordError(illegal[0])
    return legal[0]


def _end(
    hand: _Hand, kyoku: KyokuRecord, final: _Final | None, rules: Ruleset
) -> tuple[Event, int, Note]:
    if final is not None:
        event = ev.EndGame(final.scores, (1, 2, 3, 4), final.points)
        return event, hand.number, Note(untold=_RANKS)
    scores, ranks, points = final_points(hand.scores_after(), 0, rules)
    return ev.EndGame(tuple(scores), ranks, points), hand.number, Note(untold=_NO_END)


# ---------------------------------------------------------------------- one hand


class _NoOrder(RecordError):
    """No order of play is legal by these rules."""


class _Hand:
    """One hand as it is told; `play` finds out what happened."""

    def __init__(self, value: Any, where: Where) -> None:
        parts = items(value, where, 5, 17)
        if len(parts) == 14:
            raise NotRiichiError("a three-player game")
        if len(parts) != 17:
            raise RecordError(f"{where}: has {len(parts)} parts, not 17")
        if parts[13:16] == [[], [], []]:
            raise NotRiichiError("a three-player game")
        self.number = int(where.text.split()[-1])
        round_, honba, kyotaku = integers(parts[0], where.at("round"), 3, 0, 1_000_000)
        if round_ > 15:
            raise RecordError(f"{where}: round {round_} is not in 0..15")
        self.dora = self._tiles(parts[2], where.at("dora"), 1, 5)
        self.ura = self._tiles(parts[3], where.at("ura dora"), 0, 5)
        oya = round_ % 4
        tehais = tuple(
            self._tiles(parts[4 + 3 * seat], where.at(f"hand of seat {seat}"), 13, 13)
            for seat in range(4)
        )
        self.start = ev.StartKyoku(
            round_ // 4,
            oya + 1,
            oya,
            honba,
            kyotaku,
            self.dora[0],
            integers(parts[1], where.at("scores"), 4, -SCORE_LIMIT, SCORE_LIMIT),
            tehais,
        )
        self.title = kyoku_title(self.start)
        self.where = where = Where(f"{where} ({self.title})")
        takes = [
            self._takes(parts[5 + 3 * seat], where.at(f"draws of seat {seat}"), seat)
            for seat in range(4)
        ]
        drops = [
            self._drops(parts[6 + 3 * seat], where.at(f"discards of seat {seat}"), seat)
            for seat in range(4)
        ]
        self.lists = Lists(oya, tuple(takes), tuple(drops))
        self.tanyao_differs = False
        """After `play`: a win has tanyao by the rules but not as told, or the other way."""
        self._result(items(parts[16], where.at("result"), 1, 9))

    @property
    def is_first(self) -> bool:
        """Whether a game begins with this hand."""
        start = self.start
        return (start.bakaze, start.kyoku, start.honba, start.kyotaku) == (0, 1, 0, 0)

    def _tiles(self, value: Any, where: Where, least: int, most: int) -> tuple[int, ...]:
        tiles = []
        for number, item in enumerate(items(value, where, least, most), 1):
            with where.item(number):
                tiles.append(codes.tile_code(item))
        return tuple(tiles)

    def _takes(self, value: Any, where: Where, seat: int) -> tuple[Take, ...]:
        takes: list[Take] = []
        for number, item in enumerate(items(value, where, 0, MOST_ENTRIES), 1):
            with where.item(number):
                if isinstance(item, str):
                    takes.append(codes.parse_call(item, seat))
                else:
                    takes.append(codes.tile_code(item))
        return tuple(takes)

    def _drops(self, value: Any, where: Where, seat: int) -> tuple[Drop, ...]:
        drops: list[Drop] = []
        for number, item in enumerate(items(value, where, 0, MOST_ENTRIES), 1):
            with where.item(number):
                drops.append(_drop(item, seat))
        return tuple(drops)

    def _result(self, result: list[Any]) -> None:
        where = self.where.at("result")
        text = text_of(result[0], where)
        self.wins: list[WinTold] = []
        self.reason = ""
        self.folded: tuple[int, ...] = ()
        """Seats that did not show a hand, where tenpai seats may do so."""
        self.deltas: tuple[int, ...] | None = None
        if text == codes.WIN:
            if len(result) not in (3, 5, 7):
                raise RecordError(f"{where}: has {len(result)} parts, a win has 3, 5 or 7")
            for deltas, win in zip(result[1::2], result[2::2], strict=True):
                self.wins.append(read_win(deltas, win, self.start, where))
            if len({win.target for win in self.wins}) > 1:
                raise RecordError(f"{where}: the wins are not on one tile")
            return
        if text not in codes.DRAWS or len(result) > 2:
            raise RecordError(f"{where}: {text[:20]!r} is no result of a hand")
        self.reason = codes.DRAWS[text]
        if len(result) == 2:
            self.deltas = integers(result[1], where, 4, -SCORE_LIMIT, SCORE_LIMIT)
            self.folded = tuple(seat for seat in range(4) if self.deltas[seat] < 0)
        elif text == codes.ALL_NOTEN:
            self.folded = (0, 1, 2, 3)

    def shown_tiles(self) -> list[int]:
        """Every tile code that the hand names."""
        tiles = [*self.dora, *self.ura]
        for hand in self.start.tehais:
            tiles.extend(hand)
        for takes in self.lists.takes:
            tiles.extend(take for take in takes if not isinstance(take, ev.Naki))
        return tiles

    def scores_after(self) -> tuple[int, ...]:
        """The scores after the hand, as it tells them."""
        scores = list(self.start.scores)
        for seat, drops in enumerate(self.lists.drops):
            scores[seat] -= 1000 * any(drop.riichi for drop in drops)
        for deltas in [self.deltas or (0,) * 4, *(win.deltas for win in self.wins)]:
            scores = [score + delta for score, delta in zip(scores, deltas, strict=True)]
        return tuple(scores)

    # ------------------------------------------------------------------ playing

    def play(self, rules: Ruleset) -> KyokuRecord:
        """The hand in its one legal order.

        Raises:
            _NoOrder: no order is legal.
            RecordError: too many fit, or the tiles cannot be.
        """
        self.tanyao_differs = False
        search = Search(self.lists)
        dead = DeadEnd()
        for number, moves in enumerate(search.readings()):
            if number == MOST_READINGS:
                search.gave_up = True
                break
            try:
                return self._played(moves, rules)
            except Stuck as error:
                move = moves[error.move] if error.move < len(moves) else None
                what = f"{_told(move)}: " if move is not None else "at the end: "
                if error.move > dead.used:
                    dead = DeadEnd(error.move, f"{what}{error}")
        if search.gave_up:
            raise RecordError(f"{self.where}: too many orders of play fit the lists")
        why = dead.why if dead.used >= 0 else search.dead_end.why
        raise _NoOrder(f"{self.where}: no order of play is legal: {why}")

    def _played(self, moves: list[Event], rules: Ruleset) -> KyokuRecord:
        start = self.start
        shown = ShownTiles(start.oya, start.tehais)
        try:
            shown.indicators(self.dora, self.ura)
            for move in moves:
                if isinstance(move, ev.Tsumo):
                    shown.draw(move.pai)
                elif move.type in (ev.DAIMINKAN, ev.KAKAN, ev.ANKAN):
                    shown.kan()
            wall = Wall(shown.wall_ids(rules))
        except RecordError as error:
            raise RecordError(f"{self.where}: {error}") from None
        kyoku = Kyoku(
            rules, wall, start.bakaze, start.kyoku, start.honba, start.kyotaku, start.scores
        )
        target = self.wins[0].target if self.wins else -1
        winners = tuple(sorted((win.actor for win in self.wins), key=lambda s: (s - target) % 4))
        moves = first_discard_of_dealt(moves, rules)
        drive(kyoku, moves, Ending(winners, target, self.reason, self.folded))
        return self._record(kyoku, wall)

    def _record(self, kyoku: Kyoku, wall: Wall) -> KyokuRecord:
        """The engine's events with what the record tells in their place."""
        notes = {0: Note(untold=_START_UNTOLD)}
        events = list(kyoku.events)
        events[0] = self.start
        turned = {"dora_markers": self.dora}
        wins = {win.actor: win for win in self.wins}
        for number, event in enumerate(events):
            if isinstance(event, ev.ReachAccepted):
                notes[number] = Note(untold=_SCORES)
            elif isinstance(event, ev.Hora):
                told, untold = win_event(event, wins[event.actor], self.ura)
                self.tanyao_differs |= _has_tanyao(told) != _has_tanyao(event)
                events[number] = told
                notes[number] = Note(untold, turned)
            elif isinstance(event, ev.Ryukyoku):
                untold = _ABORT_UNTOLD if self.deltas is None else _DRAW_UNTOLD
                deltas = self.deltas or (0, 0, 0, 0)
                reason = self.reason
                events[number] = ev.Ryukyoku(
                    reason, event.tehais, event.tenpais, deltas, event.scores
                )
                notes[number] = Note(untold, turned)
            elif isinstance(event, ev.EndKyoku):
                notes[number] = Note(untold=_END_UNTOLD)
        return KyokuRecord(wall, False, events, [self.number] * len(events), notes)


def _drop(item: Any, seat: int) -> Drop:
    """One entry of the discards.

    Raises:
        RecordError: no such entry.
    """
    if isinstance(item, str):
        if item[:1] != "r":
            return Drop(kan=codes.parse_kan(item, seat))
        digits = item[1:]
        if not (digits.isascii() and digits.isdigit() and len(digits) == 2):
            raise RecordError(f"{item[:30]!r} is no discard")
        number = int(digits)
        return Drop(-1 if number == codes.TSUMOGIRI else codes.tile_code(number), riichi=True)
    if type(item) is int and item == codes.TSUMOGIRI:
        return Drop()
    if type(item) is int and item == codes.NOTHING:
        return Drop(nothing=True)
    return Drop(codes.tile_code(item))


def _has_tanyao(win: ev.Hora) -> bool:
    return any(name == "tanyao" for name, _ in win.yaku)


def _told(move: Event) -> str:
    message = move.to_mjai()
    words = [f"seat {message.pop('actor')} {message.pop('type')}"]
    if "pai" in message:
        words.append(str(message["pai"]))
    return " ".join(words)
