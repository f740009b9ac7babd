"""A win in Tenhou JSON: what it tells, beside what the engine finds."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from jantaku_engine import events as ev

from . import tenhou_json_codes as codes
from .json_text import Where, integers, items, text_of, whole_number
from .record import RecordError

_POINTS_LIMIT: Final = 100_000_000
_YAKU_FIELDS: Final = frozenset({"yakus", "dora", "uradora", "akadora", "fan", "yakuman"})
_POINTS_FIELDS: Final = frozenset({"fu", "limit", "hora_points"})


class WinTold(NamedTuple):
    """One win as a record tells it.

    Attributes:
        actor, target, pao: seats; pao is -1 for none. deltas: changes of the scores.
        values: the yaku; None when some are of another program. points: as `parse_points`.
    """

    actor: int
    target: int
    pao: int
    deltas: tuple[int, ...]
    values: tuple[codes.Value, ...] | None
    points: codes.Points | None


def read_win(deltas: Any, win: Any, start: ev.StartKyoku, where: Where) -> WinTold:
    """The changes of the scores, and the list that tells a win.

    Raises:
        RecordError: they cannot be.
    """
    parts = items(win, where.at("win"), 4, 70)
    actor, target, pao = (whole_number(part, where.at("win"), 0, 3) for part in parts[:3])
    texts = [text_of(part, where.at("win")) for part in parts[3:]]
    seat_wind = (actor - start.oya) % 4
    values = [codes.parse_yaku(text, seat_wind, start.bakaze) for text in texts[1:]]
    known = [value for value in values if value is not None]
    names = [value.name for value in known]
    if len(set(names)) != len(names):
        raise RecordError(f"{where}: a yaku stands there twice")
    return WinTold(
        actor,
        target,
        -1 if pao == actor else pao,
        integers(deltas, where.at("deltas"), 4, -_POINTS_LIMIT, _POINTS_LIMIT),
        tuple(known) if len(known) == len(values) else None,
        codes.parse_points(texts[0]),
    )


def win_event(made: ev.Hora, told: WinTold, ura: tuple[int, ...]) -> tuple[ev.Hora, frozenset[str]]:
    """The win as it is told, the engine's figures where it is not, and their names."""
    untold = frozenset({"scores"})
    yaku, dora, ura_dora, aka = made.yaku, made.dora, made.ura, made.aka
    han, yakuman = made.han, made.yakuman
    if told.values is None or not told.values:
        untold |= _YAKU_FIELDS
    else:
        counts = {value.name: value.han for value in told.values}
        dora = counts.pop(codes.DORA, 0)
        ura_dora = counts.pop(codes.URA_DORA, 0)
        aka = counts.pop(codes.AKA_DORA, 0)
        yaku = tuple(
            (value.name, value.yakuman or value.han)
            for value in told.values
            if value.name in counts
        )
        yakuman = sum(value.yakuman for value in told.values)
        han = 0 if yakuman else sum(value.han for value in told.values)
    fu, limit, points = made.fu, made.limit, made.points
    if told.points is None:
        untold |= _POINTS_FIELDS
    else:
        points = told.points.points
        limit = told.points.limit
        fu = told.points.fu
        if limit != "none":
            untold |= {"fu"}
        if limit == "yakuman" and not yakuman:
            # Some write a counted yakuman as a yakuman.
            limit = "kazoe_yakuman"
    event = ev.Hora(
        made.actor,
        told.target,
        made.pai,
        made.tehai,
        ura if made.ura_markers or (ura and _is_riichi(made)) else (),
        yaku,
        dora,
        ura_dora,
        aka,
        fu,
        han,
        yakuman,
        limit,
        points,
        told.pao,
        told.deltas,
        made.scores,
    )
    return event, untold


def _is_riichi(win: ev.Hora) -> bool:
    return any("riichi" in name for name, _ in win.yaku)
