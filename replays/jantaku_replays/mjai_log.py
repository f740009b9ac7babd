"""Plain mjai logs, as other programs of the field write and read them.

They have no header of ours and no walls, often no scores and no reason of a draw, and their
words for yaku differ. The moves are played through the engine, which supplies the rest; scores,
payments, indicators and (where the names are ours) yaku stay as they are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jantaku_engine import events as ev
from jantaku_engine.events import Event
from jantaku_engine.match import final_points
from jantaku_engine.rules import Ruleset

from .json_text import (
    Where,
    compact,
    decode_text,
    items,
    load_json,
    loads_json,
    short,
    text_of,
)
from .mjai_hand import ENDS, MOVES, MjaiHand, Table, points
from .record import KyokuRecord, Note, NotRiichiError, Record, RecordError
from .rule_bits import Bits, bits_of, further, inferred, likely_length, reds_seen, told_further
from .verify import verify

Message = Mapping[str, Any]

_PASSED_OVER: Final = frozenset({"none", "hello", "error", "reach_accepted"})
_NO_END: Final = frozenset({"ranks", "scores", "points"})
_SCORES_END: Final = frozenset({"ranks", "points"})

# ---------------------------------------------------------------------- writing

_WRITTEN: Final[Mapping[str, tuple[str, ...]]] = {
    "start_kyoku": (
        *("type", "bakaze", "dora_marker", "kyoku", "honba", "kyotaku", "oya", "scores"),
        "tehais",
    ),
    "hora": (
        *("type", "actor", "target", "pai", "hora_tehais", "ura_markers", "yakus", "fu", "fan"),
        *("hora_points", "deltas", "scores"),
    ),
    "ryukyoku": ("type", "reason", "tehais", "tenpais", "deltas", "scores"),
    "end_kyoku": ("type",),
    "end_game": ("type", "scores"),
}
"""Fields that are written, of the types that have others too."""

_DORA: Final = (("dora", "dora"), ("uradora", "uradora"), ("akadora", "akadora"))


def dumps(record: Record) -> str:
    """The text of a complete record, one message a line."""
    rules = record.rules
    head: dict[str, Any] = {
        "type": "start_game",
        "names": list(record.names),
        "kyoku_first": 4 if rules.length == "tonpuu" else 0,
        "aka_flag": any(rules.aka_dora.values()),
    }
    rest = further(rules, _meant(rules, record.whole))
    if rest:
        head["rules"] = rest
    events = [event for kyoku in record.kyokus for event in kyoku.events]
    lines = [head, *(_message(event) for event in events)]
    if record.whole:
        lines.append(_message(record.end[0]))
    return "".join(compact(line) + "\n" for line in lines)


def _meant(rules: Ruleset, whole: bool) -> Ruleset:
    """What the reader takes the written game for."""
    bits = bits_of(rules)
    reds = (1, 1, 1) if any(bits.reds or ()) else (0, 0, 0)
    start = bits.start if whole else None
    return inferred(Bits(bits.length, reds, start=start))


def _message(event: Event) -> dict[str, Any]:
    message = event.to_mjai()
    if isinstance(event, ev.Hora):
        counts = [[name, message[field]] for name, field in _DORA if message[field]]
        message["yakus"] = [*message["yakus"], *counts]
    keys = _WRITTEN.get(message["type"])
    return message if keys is None else {key: message[key] for key in keys}


# ---------------------------------------------------------------------- reading


def read_mjai(data: bytes, name: str, rules: Ruleset | None = None) -> Record:
    """The game, or the hands of one, of a plain mjai log; `rules` where it has other rules.

    Raises:
        RecordError: no such log, hidden tiles, cut off, or a move that nobody could make.
        NotRiichiError: a three-player game.
    """
    head: Message = {}
    hands: list[MjaiHand] = []
    end: tuple[int, Message] | None = None
    unit, messages = _messages(data)
    line = 0
    for line, message in messages:
        type_ = message.get("type")
        where = f"{unit} {line}"
        if not isinstance(type_, str):
            raise RecordError(f"{where}: type must be a text, not {short(type_)}")
        if type_ in _PASSED_OVER and (type_ != "reach_accepted" or not hands):
            continue
        if end is not None:
            raise RecordError(f"{where}: stands after end_game")
        if type_ == "start_game":
            if head or hands:
                raise RecordError(f"{where}: a second start_game")
            head = message
        elif type_ == "start_kyoku":
            if hands and not hands[-1].over:
                raise RecordError(f"{where}: a hand begins, but {hands[-1].title} has no result")
            hands.append(MjaiHand(message, line, unit))
        elif type_ == "end_game":
            end = (line, message)
        elif type_ in ENDS or type_ in MOVES or type_ in ("dora", "end_kyoku", "reach_accepted"):
            if not hands:
                raise RecordError(f"{where}: {type_} stands before the first start_kyoku")
            hands[-1].take(message, line)
        else:
            raise RecordError(f"{where}: {short(type_)} is no mjai event of a riichi game")
    if not hands:
        raise RecordError("has no hand (start_kyoku)")
    if not hands[-1].over:
        raise RecordError(f"{unit} {line}: the log ends before {hands[-1].title} does")
    return _record(name, unit, head, hands, end, line, rules)


def _record(
    name: str,
    unit: str,
    head: Message,
    hands: list[MjaiHand],
    end: tuple[int, Message] | None,
    line: int,
    given: Ruleset | None,
) -> Record:
    names = items(head.get("names", [""] * 4), Where("names"), 2, 4)
    if len(names) != 4:
        raise NotRiichiError(f"a game of {len(names)} players")
    rules = _rules(head, hands, given)
    table = Table(rules)
    after = [hand.own_scores for hand in hands[1:]]
    after.append(_told_scores(unit, end))
    kyokus: list[KyokuRecord] = [
        hand.play(rules, table, scores) for hand, scores in zip(hands, after, strict=True)
    ]
    start = kyokus[-1].events[0]
    assert isinstance(start, ev.StartKyoku)
    if given is None and head.get("kyoku_first") not in (0, 4) and "rules" not in head:
        # Nothing in a hand depends on how long the game is.
        rules = inferred(Bits(likely_length(start, table.scores)), rules)
    late = start.bakaze * 4 + start.kyoku >= 4 or min(table.scores) < 0
    whole = hands[0].is_first and end is not None and late
    scores, ranks, final = final_points(table.scores, table.kyotaku, rules)
    untold = _NO_END
    place = line
    if end is not None:
        place = end[0]
        told = _told_scores(unit, end)
        if told is not None:
            scores = list(told)
            untold = _SCORES_END
    ending = (ev.EndGame(tuple(scores), ranks, final), place, Note(untold=untold))
    names_ = tuple(text_of(one, Where("names")) for one in names)
    record = Record(name, "mjai", rules, names_, ("",) * 4, unit, kyokus, ending, whole=whole)
    if whole and any(hand.guessed for hand in hands):
        # With other scores than they were the game may end elsewhere: then each hand stands alone.
        found = verify(record).mismatches
        record.whole = all(one.what != "end of the game" for one in found)
    return record


def _told_scores(unit: str, end: tuple[int, Message] | None) -> tuple[int, ...] | None:
    """The scores at the end, where the log tells them."""
    if end is None or "scores" not in end[1]:
        return None
    return points(end[1], "scores", f"{unit} {end[0]}")


def _rules(head: Message, hands: list[MjaiHand], given: Ruleset | None) -> Ruleset:
    """The rules that the log tells or shows."""
    told = told_further(head.get("rules"), "rules")
    if told is not None and given is None:
        return told
    first = head.get("kyoku_first")
    length = {0: "hanchan", 4: "tonpuu"}.get(first) if type(first) is int else None
    tiles = [tile for hand in hands for tile in hand.shown_tiles()]
    seen = reds_seen(tiles, (1, 1, 1) if head.get("aka_flag") is not False else None)
    own = hands[0].own_scores
    even = hands[0].is_first and own is not None and len(set(own)) == 1
    return inferred(Bits(length, seen, start=own[0] if own is not None and even else None), given)


def _messages(data: bytes) -> tuple[str, Iterator[tuple[int, Message]]]:
    """What places count, and the messages with their places: a line each, or one JSON list."""
    text = decode_text(data)
    if text.lstrip().startswith("["):
        values = load_json(data)
        return "message", _checked("message", list(enumerate(values, 1)))
    return "line", _lines(text)


def _lines(text: str) -> Iterator[tuple[int, Message]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        value = loads_json(line, line=number)
        yield from _checked("line", [(number, value)])


def _checked(unit: str, values: list[tuple[int, Any]]) -> Iterator[tuple[int, Message]]:
    for number, value in values:
        if not isinstance(value, dict):
            raise RecordError(f"{unit} {number}: is no JSON object")
        yield number, value
