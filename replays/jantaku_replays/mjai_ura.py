"""Ura dora indicators that an mjai log does not show.

Some programs write the wins of riichi without them. How many ura dora a win had shows in its
figures and payments; which indicators they were, nothing tells, so any will do that give as many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_engine.table import Table
from jantaku_engine.tiles import DORA_OF, KIND, UNKNOWN

MOST_TRIES: Final = 60
"""Different counts of ura dora that are tried; one winner has at most 13 or so."""

Message = Mapping[str, Any]
Counts = tuple[int, ...]


def possible(
    rules: Ruleset, table: Table, wins: Sequence[ev.Hora], shown: Iterable[int]
) -> Iterator[tuple[int, ...]]:
    """Indicators that may lie there, for each way to count them in the hands that turn them.

    Those with the fewest ura dora come first. `table` is as the wins have left it, `shown` are
    the tile codes that lie elsewhere.
    """
    free = [0] * UNKNOWN
    for tile in rules.tiles:
        free[tile] += 1
    for tile in shown:
        free[tile] -= 1
    turning = [win for win in wins if win.ura_markers]
    hands = [_counts(win, table) for win in turning]
    found: dict[Counts, tuple[int, ...]] = {(0,) * len(hands): ()}
    for _ in range(max(len(win.ura_markers) for win in turning)):
        longer: dict[Counts, tuple[int, ...]] = {}
        for counts, tiles in found.items():
            for tile in range(UNKNOWN):
                if free[tile] > tiles.count(tile):
                    dora = DORA_OF[KIND[tile]]
                    more = tuple(c + hand[dora] for c, hand in zip(counts, hands, strict=True))
                    longer.setdefault(more, (*tiles, tile))
        found = longer
    ways = sorted(found, key=lambda counts: (sum(counts), counts))
    yield from (found[counts] for counts in ways[:MOST_TRIES])


def _counts(win: ev.Hora, table: Table) -> list[int]:
    """How many tiles of each kind the hand of a win has."""
    counts = [0] * 34
    melds = table.hands[win.actor].melds
    for tile in (*win.tehai, win.pai, *(tile for meld in melds for tile in meld.tiles)):
        counts[KIND[tile]] += 1
    return counts


def agreeing(win: ev.Hora, message: Message) -> tuple[int, int]:
    """Of the figures that ura dora change: how many are told as the engine has them, and how many
    are told at all.
    """
    made = {
        "fan": win.han,
        "hora_points": win.points,
        "deltas": list(win.deltas),
        "scores": list(win.scores),
    }
    same = [message[name] == value for name, value in made.items() if name in message]
    told = message.get("yakus")
    if isinstance(told, list):
        ura = [
            pair[1]
            for pair in told
            if isinstance(pair, list) and pair[:1] == ["uradora"] and len(pair) == 2
        ]
        same += [count == win.ura for count in ura]
    return sum(same), len(same)
