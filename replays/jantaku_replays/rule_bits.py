"""The few rules that forms other than the native one have a place for, and all the others.

What a form can tell is a `Bits`; `inferred` makes the ruleset that such a record means: Tenhou's
with those bits. Rules that differ from it stand in an extra field of the record, which other
programs pass over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from jantaku_engine.events import StartKyoku
from jantaku_engine.rules import RulesError, Ruleset
from jantaku_engine.tiles import RED_FIVES

from .json_text import loads_json
from .record import RecordError

Reds = tuple[int, int, int]
NO_REDS: Final = (0, 0, 0)
ALL_REDS: Final = (1, 1, 1)


class Bits(NamedTuple):
    """Rules as forms tell them; None where a record does not say.

    Attributes:
        length: `tonpuu` or `hanchan`. reds: red fives of m, p, s. kuitan: open tanyao.
        tenths: final points are not rounded. old: a game of 2009. start: points at the start.
    """

    length: str | None = None
    reds: Reds | None = None
    kuitan: bool | None = None
    tenths: bool | None = None
    old: bool = False
    start: int | None = None


def inferred(bits: Bits, base: Ruleset | None = None) -> Ruleset:
    """The ruleset of a record that tells only these bits; `base` is what is not told.

    Raises:
        RecordError: rules that contradict each other.
    """
    if base is None:
        base = Ruleset.preset("tenhou2009" if bits.old else "tenhou")
    options = base.to_dict()
    if bits.length is not None:
        options["length"] = bits.length
    if bits.reds is not None:
        options["aka_dora"] = dict(zip("mps", bits.reds, strict=True))
    if bits.kuitan is not None:
        options["kuitan"] = bits.kuitan
    if bits.tenths is not None and base.points_rounding in ("none", "half_away"):
        options["points_rounding"] = "none" if bits.tenths else "half_away"
    if bits.start is not None and bits.start != base.start:
        options["start"] = bits.start
        options["target"] = max(base.target, bits.start)
    try:
        return Ruleset.from_dict(options)
    except RulesError as error:
        raise RecordError(f"rules: {error}") from None


def bits_of(rules: Ruleset, points: Sequence[float] = ()) -> Bits:
    """The bits of a ruleset, as a record with these final points shows them."""
    aka = rules.aka_dora
    return Bits(
        rules.length,
        (aka["m"], aka["p"], aka["s"]),
        rules.kuitan,
        any(point % 1 for point in points) if points else None,
        rules.preset_name == "tenhou2009",
        rules.start,
    )


def further(rules: Ruleset, meant: Ruleset) -> dict[str, Any]:
    """The extra field for rules that are not what the bits mean; empty when they are."""
    if rules == meant:
        return {}
    changes = rules.changes()
    options = rules.to_dict()
    return {"preset": rules.preset_name, **{name: options[name] for name in changes}}


def told_further(value: Any, where: str) -> Ruleset | None:
    """The ruleset in the extra field of a record; None when there is none.

    Raises:
        RecordError: an unknown option or impossible value.
    """
    if value is None:
        return None
    try:
        if isinstance(value, str):
            value = loads_json(value)
        if not isinstance(value, Mapping):
            raise RulesError("must be an object of options")
        return Ruleset.from_dict(value)
    except ValueError as error:
        raise RecordError(f"{where}: {error}") from None


def reds_seen(tiles: Iterable[int], told: Reds | None) -> Reds:
    """Red fives of each suit: as told, but at least one where one is seen."""
    seen = set(tiles)
    reds = told or NO_REDS
    counts = [max(n, int(red in seen)) for n, red in zip(reds, RED_FIVES, strict=True)]
    return (counts[0], counts[1], counts[2])


def likely_length(last: StartKyoku, scores: Sequence[int]) -> str:
    """Tonpuu or hanchan, from the last hand of a game and the scores after it."""
    round_ = last.bakaze * 4 + last.kyoku - 1
    early = 3 <= round_ < 7 and min(scores) >= 0
    return "tonpuu" if early else "hanchan"
