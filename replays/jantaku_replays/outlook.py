"""What a hand on the table can still become: shanten, waits and how many are left, furiten."""

from __future__ import annotations

from typing import NamedTuple

from jantaku_engine.draws import is_tenpai
from jantaku_engine.shapes import shanten
from jantaku_engine.table import Table
from jantaku_engine.tiles import KIND


class Wait(NamedTuple):
    """A kind that completes the hand, and how many of it its owner has not seen."""

    kind: int
    left: int


class Outlook(NamedTuple):
    """What a hand can become.

    Attributes:
        shanten: -1 complete, 0 tenpai; of a hand that must discard, after its best discard.
        waits: of a tenpai hand without its drawn tile, else empty.
        furiten: `riichi`, `temporary` or `river` (RULES 4); "" when ron is possible.
    """

    shanten: int
    waits: tuple[Wait, ...]
    furiten: str


def outlook(table: Table, seat: int) -> Outlook | None:
    """The outlook of a seat's hand; None when its tiles are not known."""
    hand = table.hands[seat]
    if not hand.known:
        return None
    lacking = shanten(hand.counts, len(hand.melds))
    if not is_tenpai(table, seat):
        return Outlook(lacking, (), "")
    seen = seen_kinds(table, seat)
    mask = hand.live_waits(hand.waits(), table.rules.karaten_own4)
    waits = tuple(Wait(kind, max(0, 4 - seen[kind])) for kind in range(34) if mask >> kind & 1)
    return Outlook(lacking, waits, furiten(table, seat))


def furiten(table: Table, seat: int) -> str:
    """Why the seat may not win by ron: `riichi`, `temporary`, `river`, or "" when it may."""
    if table.riichi_furiten[seat]:
        return "riichi"
    if table.temp_furiten[seat]:
        return "temporary"
    return "river" if table.hands[seat].waits() & table.river_mask[seat] else ""


def seen_kinds(table: Table, seat: int) -> list[int]:
    """How many tiles of each of the 34 kinds the seat can see: its own and what lies open."""
    seen = list(table.hands[seat].counts)
    for hand in table.hands:
        for meld in hand.melds:
            for tile in meld.tiles:
                seen[KIND[tile]] += 1
    for river in table.rivers:
        for discard in river:
            if not discard.called:
                seen[KIND[discard.tile]] += 1
    for marker in table.dora_markers:
        seen[KIND[marker]] += 1
    return seen
