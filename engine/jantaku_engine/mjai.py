"""Reading events from mjai messages, strictly: `event_from_mjai(event.to_mjai()) == event`.

Every field that an event needs is checked for type, range and length; extra fields are ignored,
so that records of later versions and of other programs can be read as far as they are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from . import events as ev
from .events import DRAW_REASONS, WINDS, Event, EventError, Points, Tiles
from .tiles import KIND, UNKNOWN, TileError, parse_mjai, sort_tiles

Message = Mapping[str, Any]

LIMITS: Final = (
    "none",
    "mangan",
    "haneman",
    "baiman",
    "sanbaiman",
    "yakuman",
    "kazoe_yakuman",
)
"""Limit names of a win, from the least (INTERFACES `score`)."""

_MOST_POINTS: Final = 1_000_000_000
_MOST_COUNT: Final = 1_000_000


def event_from_mjai(message: Message) -> Event:
    """The event that an mjai message tells; `?` stands for a tile that is hidden.

    Raises:
        EventError: no mapping, an unknown `type`, or a field that is missing or impossible;
            the text names the field.
    """
    if not isinstance(message, Mapping):
        raise EventError(f"an mjai message is an object, not {_told(message)}")
    name = message.get("type")
    reader = _READERS.get(name) if isinstance(name, str) else None
    if reader is None:
        raise EventError(f"type: {_told(name)} is no event; one of {', '.join(ev.EVENT_NAMES)}")
    try:
        return reader(message)
    except EventError as error:
        raise EventError(f"{name}: {error}") from None


# ---------------------------------------------------------------------- fields


def _told(value: object) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__} too large to print"
    return text if len(text) <= 60 else text[:57] + "..."


def _field(message: Message, name: str) -> Any:
    if name not in message:
        raise EventError(f"field {name} is missing")
    return message[name]


def _whole(value: object, name: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise EventError(f"field {name}: must be a whole number {low}..{high}, not {_told(value)}")
    return value


def _seat(message: Message, name: str) -> int:
    return _whole(_field(message, name), name, 0, 3)


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise EventError(f"field {name}: must be true or false, not {_told(value)}")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise EventError(f"field {name}: must be a text, not {_told(value)}")
    return value


def _number(value: object, name: str, least: float) -> float:
    if type(value) not in (int, float) or not least <= value <= _MOST_POINTS:  # type: ignore[operator]
        raise EventError(f"field {name}: must be a number from {least:g} up, not {_told(value)}")
    return value  # type: ignore[return-value]


def _items(value: object, name: str, least: int, most: int) -> list[Any]:
    if not isinstance(value, list | tuple) or not least <= len(value) <= most:
        size = str(least) if least == most else f"{least}..{most}"
        raise EventError(f"field {name}: must be a list of {size}, not {_told(value)}")
    return list(value)


def _tile(value: object, name: str) -> int:
    try:
        return parse_mjai(value)
    except TileError as error:
        raise EventError(f"field {name}: {error}") from None


def _shown_tile(message: Message, name: str) -> int:
    tile = _tile(_field(message, name), name)
    if tile == UNKNOWN:
        raise EventError(f"field {name}: everybody sees this tile, it cannot be '?'")
    return tile


def _tiles(value: object, name: str, least: int, most: int) -> Tiles:
    return tuple(_tile(item, name) for item in _items(value, name, least, most))


def _shown_tiles(message: Message, name: str, least: int, most: int) -> Tiles:
    tiles = _tiles(_field(message, name), name, least, most)
    if UNKNOWN in tiles:
        raise EventError(f"field {name}: everybody sees these tiles, none can be '?'")
    return tiles


def _hands(message: Message, least: int, most: int) -> tuple[Tiles, ...]:
    hands = _items(_field(message, "tehais"), "tehais", 4, 4)
    return tuple(_tiles(hand, f"tehais[{seat}]", least, most) for seat, hand in enumerate(hands))


def _points(message: Message, name: str) -> Points:
    return tuple(
        _whole(item, name, -_MOST_POINTS, _MOST_POINTS)
        for item in _items(_field(message, name), name, 4, 4)
    )


def _hex(message: Message, name: str) -> str:
    value = _text(message.get(name, ""), name)
    if value and (len(value) != 64 or set(value) - set("0123456789abcdef")):
        raise EventError(f"field {name}: must be 64 hex digits in lower case, not {_told(value)}")
    return value


# ---------------------------------------------------------------------- events


def _start_game(message: Message) -> Event:
    names = _items(_field(message, "names"), "names", 4, 4)
    rules = message.get("rules", {})
    if not isinstance(rules, Mapping):
        raise EventError(f"field rules: must be an object of options, not {_told(rules)}")
    return ev.StartGame(tuple(_text(name, "names") for name in names), dict(rules))


def _start_kyoku(message: Message) -> Event:
    bakaze = _field(message, "bakaze")
    if bakaze not in tuple(WINDS):
        raise EventError(f"field bakaze: must be one of {', '.join(WINDS)}, not {_told(bakaze)}")
    streak = message.get("streak", {"kept": 0, "wins": 0})
    if not isinstance(streak, Mapping):
        raise EventError(f"field streak: must be an object, not {_told(streak)}")
    return ev.StartKyoku(
        WINDS.index(bakaze),
        _whole(_field(message, "kyoku"), "kyoku", 1, 4),
        _seat(message, "oya"),
        _whole(_field(message, "honba"), "honba", 0, _MOST_COUNT),
        _whole(_field(message, "kyotaku"), "kyotaku", 0, _MOST_COUNT),
        _shown_tile(message, "dora_marker"),
        _points(message, "scores"),
        _hands(message, 13, 13),
        _whole(_field(streak, "kept"), "streak.kept", 0, _MOST_COUNT),
        _whole(_field(streak, "wins"), "streak.wins", 0, _MOST_COUNT),
        _hex(message, "wall_hash"),
    )


def _tsumo(message: Message) -> Event:
    return ev.Tsumo(_seat(message, "actor"), _tile(_field(message, "pai"), "pai"))


def _dahai(message: Message) -> Event:
    return ev.Dahai(
        _seat(message, "actor"),
        _shown_tile(message, "pai"),
        _flag(_field(message, "tsumogiri"), "tsumogiri"),
    )


def _check_set(kinds: list[int], is_run: bool) -> None:
    low = min(kinds)
    wanted = [low, low + 1, low + 2] if is_run else [low] * len(kinds)
    if sorted(kinds) != wanted or (is_run and (low >= 27 or low % 9 > 6)):
        raise EventError("field consumed: these tiles make no such set")


def _naki(message: Message, type_: int, size: int) -> Event:
    actor = _seat(message, "actor")
    target = _seat(message, "target")
    if target == actor or (type_ == ev.CHI and target != (actor + 3) % 4):
        raise EventError(f"field target: seat {actor} cannot take this tile from seat {target}")
    pai = _shown_tile(message, "pai")
    consumed = _shown_tiles(message, "consumed", size, size)
    _check_set([KIND[tile] for tile in (pai, *consumed)], type_ == ev.CHI)
    return ev.Naki(type_, actor, target, pai, tuple(sort_tiles(consumed)))


def _chi(message: Message) -> Event:
    return _naki(message, ev.CHI, 2)


def _pon(message: Message) -> Event:
    return _naki(message, ev.PON, 2)


def _daiminkan(message: Message) -> Event:
    return _naki(message, ev.DAIMINKAN, 3)


def _kakan(message: Message) -> Event:
    pai = _shown_tile(message, "pai")
    consumed = _shown_tiles(message, "consumed", 3, 3)
    _check_set([KIND[tile] for tile in (pai, *consumed)], False)
    return ev.Kakan(_seat(message, "actor"), pai, tuple(sort_tiles(consumed)))


def _ankan(message: Message) -> Event:
    consumed = _shown_tiles(message, "consumed", 4, 4)
    _check_set([KIND[tile] for tile in consumed], False)
    return ev.Ankan(_seat(message, "actor"), tuple(sort_tiles(consumed)))


def _dora(message: Message) -> Event:
    return ev.Dora(_shown_tile(message, "dora_marker"))


def _reach(message: Message) -> Event:
    return ev.Reach(_seat(message, "actor"), _flag(message.get("open", False), "open"))


def _reach_accepted(message: Message) -> Event:
    actor = _seat(message, "actor")
    deposit = tuple(-1000 if seat == actor else 0 for seat in range(4))
    if "deltas" in message and _points(message, "deltas") != deposit:
        raise EventError(f"field deltas: a deposit is {list(deposit)}")
    return ev.ReachAccepted(
        actor, _points(message, "scores"), _tiles(message.get("tehai", []), "tehai", 0, 13)
    )


def _yaku(message: Message) -> tuple[tuple[str, float], ...]:
    pairs = [
        _items(pair, "yakus", 2, 2) for pair in _items(_field(message, "yakus"), "yakus", 0, 60)
    ]
    yaku = tuple((_text(name, "yakus"), _number(value, "yakus", 0)) for name, value in pairs)
    if len({name for name, _ in yaku}) != len(yaku):
        raise EventError("field yakus: a yaku stands there twice")
    return yaku


def _count(message: Message, name: str, most: int = _MOST_COUNT) -> int:
    return _whole(_field(message, name), name, 0, most)


def _hora(message: Message) -> Event:
    limit = _field(message, "limit")
    if limit not in LIMITS:
        raise EventError(f"field limit: must be one of {', '.join(LIMITS)}, not {_told(limit)}")
    ura = _shown_tiles(message, "ura_markers", 0, 5)
    alias = message.get("uradora_markers", message["ura_markers"])
    if _tiles(alias, "uradora_markers", 0, 5) != ura:
        raise EventError("field uradora_markers: must be the same as ura_markers")
    return ev.Hora(
        actor=_seat(message, "actor"),
        target=_seat(message, "target"),
        pai=_shown_tile(message, "pai"),
        tehai=_shown_tiles(message, "hora_tehais", 1, 13),
        ura_markers=ura,
        yaku=_yaku(message),
        dora=_count(message, "dora"),
        ura=_count(message, "uradora"),
        aka=_count(message, "akadora"),
        fu=_count(message, "fu"),
        han=_count(message, "fan"),
        yakuman=_number(_field(message, "yakuman"), "yakuman", 0),
        limit=limit,
        points=_count(message, "hora_points", _MOST_POINTS),
        pao=_whole(message.get("pao", -1), "pao", -1, 3),
        deltas=_points(message, "deltas"),
        scores=_points(message, "scores"),
    )


def _ryukyoku(message: Message) -> Event:
    reason = _field(message, "reason")
    if reason not in DRAW_REASONS:
        reasons = ", ".join(DRAW_REASONS)
        raise EventError(f"field reason: must be one of {reasons}, not {_told(reason)}")
    nagashi = tuple(
        _whole(seat, "nagashi", 0, 3)
        for seat in _items(message.get("nagashi", []), "nagashi", 0, 4)
    )
    if len(set(nagashi)) != len(nagashi):
        raise EventError("field nagashi: a seat stands there twice")
    return ev.Ryukyoku(
        reason,
        _hands(message, 1, 14),
        tuple(
            _flag(item, "tenpais") for item in _items(_field(message, "tenpais"), "tenpais", 4, 4)
        ),
        _points(message, "deltas"),
        _points(message, "scores"),
        nagashi,
    )


def _end_kyoku(message: Message) -> Event:
    return ev.EndKyoku(_hex(message, "wall_key"))


def _end_game(message: Message) -> Event:
    return ev.EndGame(
        _points(message, "scores"),
        tuple(
            _whole(rank, "ranks", 1, 4) for rank in _items(_field(message, "ranks"), "ranks", 4, 4)
        ),
        tuple(
            _number(item, "points", -_MOST_POINTS)
            for item in _items(_field(message, "points"), "points", 4, 4)
        ),
    )


_READERS: Final[dict[str, Callable[[Message], Event]]] = {
    "start_game": _start_game,
    "start_kyoku": _start_kyoku,
    "tsumo": _tsumo,
    "dahai": _dahai,
    "chi": _chi,
    "pon": _pon,
    "daiminkan": _daiminkan,
    "kakan": _kakan,
    "ankan": _ankan,
    "dora": _dora,
    "reach": _reach,
    "reach_accepted": _reach_accepted,
    "hora": _hora,
    "ryukyoku": _ryukyoku,
    "end_kyoku": _end_kyoku,
    "end_game": _end_game,
}
