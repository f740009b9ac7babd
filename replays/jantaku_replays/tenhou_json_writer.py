"""Writing records as Tenhou JSON, the form of Tenhou's replay viewer, and links to that viewer."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote

from jantaku_engine import events as ev
from jantaku_engine.tiles import KIND

from . import tenhou_json_codes as codes
from .json_text import compact
from .record import KyokuRecord, Record, RecordError
from .rule_bits import bits_of, further, inferred

VIEWER: Final = "https://tenhou.net/6/#json="


def dumps(record: Record) -> str:
    """The text of a record that is complete (see `verify.complete`).

    Raises:
        RecordError: the game has something that the form has no place for.
    """
    return compact(_top(record, [_hand(record, kyoku) for kyoku in record.kyokus])) + "\n"


def links(record: Record) -> list[str]:
    """A link to Tenhou's viewer for each hand of a complete record.

    Raises:
        RecordError: as `dumps`.
    """
    return [
        VIEWER + quote(compact(_top(record, [_hand(record, kyoku)], link=True)), safe=":,")
        for kyoku in record.kyokus
    ]


def _top(record: Record, hands: list[Any], link: bool = False) -> dict[str, Any]:
    rules = record.rules
    end = record.end[0]
    assert isinstance(end, ev.EndGame)
    told_end = record.whole and not link
    aka = rules.aka_dora
    disp = "南" if rules.length == "hanchan" else "東"
    disp += "喰" * rules.kuitan + "赤" * any(aka.values())
    rule: dict[str, Any] = {"disp": disp}
    rule |= {f"aka5{number}": aka[suit] for number, suit in enumerate("mps", 1)}
    points = end.points if told_end else ()
    # What the reader would take it for; the age and the start are not told by these fields.
    bits = bits_of(rules, points)._replace(old=False)
    if not told_end:
        bits = bits._replace(start=None)
    rest = further(rules, inferred(bits))
    if rest:
        rule["jantaku"] = rest
    top: dict[str, Any] = {"title": ["", ""], "name": list(record.names), "rule": rule}
    top["log"] = hands
    if told_end:
        pairs = zip(end.scores, end.points, strict=True)
        top["sc"] = [_short(number) for pair in pairs for number in pair]
    return top


def _short(number: float) -> float:
    return int(number) if number == int(number) else number


def _numbers(tiles: tuple[int, ...]) -> list[int]:
    return [codes.NUMBERS[tile] for tile in tiles]


def _hand(record: Record, kyoku: KyokuRecord) -> list[Any]:
    """One hand: round, scores, indicators, each seat's tiles, draws and discards, the result."""
    start = kyoku.events[0]
    assert isinstance(start, ev.StartKyoku)
    dora = [start.dora_marker]
    ura: tuple[int, ...] = ()
    draws: list[list[Any]] = [[], [], [], []]
    discards: list[list[Any]] = [[], [], [], []]
    pons: dict[tuple[int, int], ev.Naki] = {}
    drawn = -1
    riichi = ""
    for event in kyoku.events:
        if isinstance(event, ev.Tsumo):
            drawn = event.pai
            draws[event.actor].append(codes.NUMBERS[drawn])
        elif isinstance(event, ev.Dahai):
            # Of a 14-tile deal no tile is the drawn one, but Tenhou writes it as such.
            first = event.actor == start.oya and not discards[event.actor]
            same = event.tsumogiri or (first and _dealt_last(record, event, drawn))
            number = codes.TSUMOGIRI if same else codes.NUMBERS[event.pai]
            discards[event.actor].append(f"r{number}" if riichi else number)
            riichi = ""
        elif isinstance(event, ev.Reach):
            if event.open:
                raise RecordError("Tenhou JSON has no place for an open riichi")
            riichi = "r"
        elif isinstance(event, ev.Naki):
            draws[event.actor].append(codes.call_text(event))
            drawn = -1
            if event.type == ev.DAIMINKAN:
                discards[event.actor].append(codes.NOTHING)
            elif event.type == ev.PON:
                pons[event.actor, KIND[event.pai]] = event
        elif isinstance(event, ev.Ankan):
            discards[event.actor].append(codes.ankan_text(event))
        elif isinstance(event, ev.Kakan):
            pon = pons[event.actor, KIND[event.pai]]
            discards[event.actor].append(codes.kakan_text(event, pon))
        elif isinstance(event, ev.Dora):
            dora.append(event.dora_marker)
        elif isinstance(event, ev.Hora) and event.ura_markers:
            ura = event.ura_markers
    hand: list[Any] = [
        [start.bakaze * 4 + start.kyoku - 1, start.honba, start.kyotaku],
        list(start.scores),
        _numbers(tuple(dora)),
        _numbers(ura),
    ]
    for seat in range(4):
        hand += [_numbers(start.tehais[seat]), draws[seat], discards[seat]]
    hand.append(_result(record, start, kyoku))
    return hand


def _dealt_last(record: Record, event: ev.Dahai, drawn: int) -> bool:
    return record.rules.dealer_first_tile == "dealt" and event.pai == drawn


def _result(record: Record, start: ev.StartKyoku, kyoku: KyokuRecord) -> list[Any]:
    ends = [e for e in kyoku.events if isinstance(e, ev.Hora | ev.Ryukyoku)]
    draw = ends[0]
    if isinstance(draw, ev.Ryukyoku):
        if draw.reason == ev.EXHAUSTIVE and not any(draw.deltas):
            return [codes.ALL_TENPAI if all(draw.tenpais) else codes.ALL_NOTEN]
        text = codes.DRAW_TEXTS[draw.reason]
        paid = draw.reason in (ev.EXHAUSTIVE, ev.NAGASHI_MANGAN)
        return [text, list(draw.deltas)] if paid else [text]
    result: list[Any] = [codes.WIN]
    honba = start.honba * record.rules.honba_value
    for event in ends:
        assert isinstance(event, ev.Hora)
        result += [list(event.deltas), _win(event, start, honba)]
        if record.rules.multi_ron_honba == "first":
            honba = 0
    return result


def _win(win: ev.Hora, start: ev.StartKyoku, honba: int) -> list[Any]:
    seat_wind = (win.actor - start.oya) % 4
    texts = [
        codes.yaku_text(name, value, win.yakuman > 0, seat_wind, start.bakaze)
        for name, value in win.yaku
    ]
    if not win.yakuman:
        counts = ((codes.DORA, win.dora), (codes.URA_DORA, win.ura), (codes.AKA_DORA, win.aka))
        texts += [f"{name}({count}飜)" for name, count in counts if count]
    pao = win.pao if win.pao >= 0 else win.actor
    return [win.actor, win.target, pao, _points(win, start.oya, honba), *texts]


def _points(win: ev.Hora, oya: int, honba: int) -> str:
    """Fu and han or the limit, then the points: of each payer by tsumo."""
    text = codes.LIMIT_TEXTS.get(win.limit) or f"{win.fu}符{win.han}飜"
    if win.actor != win.target or win.pao >= 0:
        return f"{text}{win.points}点"
    paid = [-delta - honba // 3 for delta in win.deltas]
    if win.actor == oya:
        return f"{text}{paid[(oya + 1) % 4]}点∀"
    other = next(seat for seat in range(4) if seat not in (win.actor, oya))
    return f"{text}{paid[other]}-{paid[oya]}点"
