"""Writing records as Tenhou XML (mjlog)."""

from __future__ import annotations

import json
from typing import Any, Final
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from jantaku_engine import events as ev

from . import tenhou_codes as codes
from .record import Record, RecordError
from .rule_bits import Bits, bits_of, further, inferred
from .tenhou_ids import HandIds
from .tenhou_wall import DerivedWall, TenhouWalls

_DRAW_TAGS: Final = "TUVW"
_DISCARD_TAGS: Final = "DEFG"
_DRAW_TYPES: Final = {reason: type_ for type_, reason in codes.DRAWS.items()}
_LIMIT_NUMBERS: Final = {
    **{limit: number for number, limit in enumerate(codes.LIMITS)},
    "kazoe_yakuman": 5,
}
_YAKU_NUMBERS: Final = {name: number for number, name in reversed(list(enumerate(codes.YAKU)))}
_RIICHI: Final = ("riichi", "double_riichi", "open_riichi", "open_double_riichi")


def dumps(record: Record) -> str:
    """The text of a complete record.

    Raises:
        RecordError: the game has something that the form has no place for.
    """
    if not record.whole:
        raise RecordError("Tenhou XML has no place for a part of a game")
    names = {f"n{seat}": quote(name, safe="") for seat, name in enumerate(record.names)}
    elements = [_shuffle(record)] if record.shuffle else []
    elements += [_go(record), _element("UN", names), _element("TAIKYOKU", {"oya": 0})]
    walls = TenhouWalls(record.shuffle) if record.shuffle else None
    end = record.end[0]
    assert isinstance(end, ev.EndGame)
    for number, kyoku in enumerate(record.kyokus):
        hand = _HandWriter(record, kyoku.events, HandIds(record.rules, kyoku.wall))
        hand.write(None if walls is None else walls.next_wall())
        if number == len(record.kyokus) - 1:
            hand.last["owari"] = _owari(end)
        elements += [_element(tag, attributes) for tag, attributes in hand.elements]
    return '<mjloggm ver="2.3">' + "".join(elements) + "</mjloggm>\n"


def _element(tag: str, attributes: dict[str, Any]) -> str:
    texts = [f" {name}={quoteattr(str(value))}" for name, value in attributes.items()]
    return f"<{tag}{''.join(texts)}/>"


def _shuffle(record: Record) -> str:
    return _element("SHUFFLE", {"seed": record.shuffle, "ref": ""})


def _go(record: Record) -> str:
    rules = record.rules
    end = record.end[0]
    assert isinstance(end, ev.EndGame)
    bits = bits_of(rules, end.points)
    reds = any(bits.reds or ())
    type_ = 1 | (0 if reds else 2) | (0 if rules.kuitan else 4)
    type_ |= 8 if rules.length == "hanchan" else 0
    told = Bits(bits.length, (1, 1, 1) if reds else (0, 0, 0), bits.kuitan, bits.tenths)
    attributes: dict[str, Any] = {"type": type_, "lobby": 0}
    rest = further(rules, inferred(told))
    if rest:
        attributes["jantaku"] = json.dumps(rest, separators=(",", ":"))
    return _element("GO", attributes)


def _owari(end: ev.EndGame) -> str:
    pairs = zip(end.scores, end.points, strict=True)
    return ",".join(f"{score // 100},{points:.1f}" for score, points in pairs)


def _joined(numbers: Any) -> str:
    return ",".join(str(number) for number in numbers)


class _HandWriter:
    """The elements of one hand.

    Attributes:
        elements: tags and attributes in order. last: the attributes of the last one.
    """

    def __init__(self, record: Record, events: list[ev.Event], ids: HandIds) -> None:
        self.record = record
        self.events = events
        self.ids = ids
        self.elements: list[tuple[str, dict[str, Any]]] = []
        self.last: dict[str, Any] = {}
        start = events[0]
        assert isinstance(start, ev.StartKyoku)
        self.start = start
        self.scores = start.scores
        self.deposits = start.kyotaku

    def _add(self, tag: str, **attributes: Any) -> None:
        self.last = attributes
        self.elements.append((tag, attributes))

    def write(self, derived: DerivedWall | None) -> None:
        """Write all events; `derived` has the dice, where they are known."""
        start = self.start
        dice = (1, 1) if derived is None else derived.dice
        seed = (
            *(start.bakaze * 4 + start.kyoku - 1, start.honba, start.kyotaku),
            *(dice[0] - 1, dice[1] - 1, self.ids.turn_dora()),
        )
        hands = {f"hai{s}": _joined(self.ids.haipai(s, start.oya)) for s in range(4)}
        self._add("INIT", seed=_joined(seed), ten=_hundreds(start.scores), oya=start.oya, **hands)
        for event in self.events[1:]:
            self._event(event)

    def _event(self, event: ev.Event) -> None:
        ids = self.ids
        if isinstance(event, ev.Tsumo):
            self._add(f"{_DRAW_TAGS[event.actor]}{ids.draw(event.actor)}")
        elif isinstance(event, ev.Dahai):
            self._add(f"{_DISCARD_TAGS[event.actor]}{ids.discard(event)}")
        elif isinstance(event, ev.Naki | ev.Kakan | ev.Ankan):
            self._add("N", who=event.actor, m=ids.call(event))
        elif isinstance(event, ev.Dora):
            self._add("DORA", hai=ids.turn_dora())
        elif isinstance(event, ev.Reach):
            if event.open:
                raise RecordError("Tenhou XML has no place for an open riichi")
            self._add("REACH", who=event.actor, step=1)
        elif isinstance(event, ev.ReachAccepted):
            self.scores = event.scores
            self.deposits += 1
            self._add("REACH", who=event.actor, ten=_hundreds(event.scores), step=2)
        elif isinstance(event, ev.Hora):
            self._win(event)
        elif isinstance(event, ev.Ryukyoku):
            self._draw(event)

    # ------------------------------------------------------------------ results

    def _paid(self, deltas: tuple[int, ...]) -> dict[str, str]:
        pairs = zip(self.scores, deltas, strict=True)
        sc = [number // 100 for pair in pairs for number in pair]
        return {"ba": f"{self.start.honba},{self.deposits}", "sc": _joined(sc)}

    def _win(self, win: ev.Hora) -> None:
        machi, hand, melds = self.ids.win(win)
        attributes: dict[str, Any] = {"hai": _joined(hand)}
        if melds:
            attributes["m"] = _joined(melds)
        attributes["machi"] = machi
        attributes["ten"] = f"{win.fu},{win.points},{_LIMIT_NUMBERS[win.limit]}"
        attributes |= self._yaku(win)
        attributes["doraHai"] = _joined(self.ids.dora())
        if win.ura_markers:
            attributes["doraHaiUra"] = _joined(self.ids.ura(len(win.ura_markers)))
        attributes |= {"who": win.actor, "fromWho": win.target}
        if win.pao >= 0:
            attributes["paoWho"] = win.pao
        self._add("AGARI", **self._paid(win.deltas), **attributes)
        self.scores = win.scores
        self.deposits = 0

    def _yaku(self, win: ev.Hora) -> dict[str, str]:
        winds = {
            "yakuhai_seat_wind": codes.FIRST_SEAT_WIND + (win.actor - self.start.oya) % 4,
            "yakuhai_round_wind": codes.FIRST_ROUND_WIND + self.start.bakaze,
        }
        numbers: list[tuple[int, float]] = []
        for name, value in win.yaku:
            number = winds.get(name, _YAKU_NUMBERS.get(name, -1))
            if number < 0:
                raise RecordError(f"Tenhou XML has no place for the yaku {name}")
            if win.yakuman and value != 1:
                raise RecordError(f"Tenhou XML has no place for {name} of {value:g} yakuman")
            numbers.append((number, value))
        numbers.sort()
        if win.yakuman:
            if win.yakuman != len(numbers):
                raise RecordError(f"Tenhou XML has no place for a win of {win.yakuman:g} yakuman")
            return {"yakuman": _joined(number for number, _ in numbers)}
        riichi = any(name in _RIICHI for name, _ in win.yaku)
        pairs = [(codes.DORA, win.dora), (codes.AKA_DORA, win.aka)]
        numbers += [pair for pair in pairs if pair[1]]
        if riichi:
            numbers.append((codes.URA_DORA, win.ura))
        return {"yaku": _joined(f"{number},{value:g}" for number, value in sorted(numbers))}

    def _draw(self, draw: ev.Ryukyoku) -> None:
        attributes: dict[str, Any] = {}
        if _DRAW_TYPES[draw.reason]:
            attributes["type"] = _DRAW_TYPES[draw.reason]
        attributes |= self._paid(draw.deltas)
        for seat, hand in enumerate(draw.tehais):
            if self.ids.shows(seat, hand):
                attributes[f"hai{seat}"] = _joined(self.ids.hand(seat))
        self._add("RYUUKYOKU", **attributes)


def _hundreds(scores: tuple[int, ...]) -> str:
    return _joined(score // 100 for score in scores)
