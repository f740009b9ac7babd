"""Hands that end without a win: exhaustive and abortive draws (RULES 6, 5.5)."""

from __future__ import annotations

from typing import Final

from . import events as ev
from .payments import NAGASHI_BASE, tsumo_points
from .table import Table
from .tiles import KIND, UNKNOWN
from .win import NO_RIICHI

NO_POINTS: Final = (0, 0, 0, 0)


def is_tenpai(table: Table, seat: int) -> bool:
    """Whether the seat is tenpai in shape (RULES 6.4)."""
    hand = table.hands[seat]
    return hand.live_waits(hand.waits(), table.rules.karaten_own4) != 0


def abort_after_discard(table: Table) -> str:
    """The abortive draw that the discard just made brings unless it is won, or "" (RULES 6.2)."""
    rules = table.rules
    if table.declaring >= 0 and rules.suucha_riichi and table.riichi.count(NO_RIICHI) == 1:
        return ev.SUUCHA_RIICHI
    if table.draws == 4 and rules.suufon_renda and _four_same_winds(table):
        return ev.SUUFON_RENDA
    if table.rinshan_draws == 4 and rules.suukaikan and is_suukaikan(table):
        return ev.SUUKAIKAN if rules.suukaikan_timing == "after_discard" else ""
    return ""


def _four_same_winds(table: Table) -> bool:
    if not table.uninterrupted or any(len(river) != 1 for river in table.rivers):
        return False
    kinds = {KIND[river[0].tile] for river in table.rivers}
    return len(kinds) == 1 and 27 <= kinds.pop() <= 30


def is_suukaikan(table: Table) -> bool:
    """Four kans by two or more seats."""
    by_seat = [hand.kans for hand in table.hands]
    return sum(by_seat) == 4 and max(by_seat) < 4


def abort(table: Table, reason: str, shown: tuple[int, ...] = ()) -> ev.Ryukyoku:
    """An abortive draw that shows the hands of the seats `shown`; nobody pays."""
    tenpais = reason in (ev.SUUCHA_RIICHI, ev.SANCHAHOU)
    return ev.Ryukyoku(
        reason,
        _shown(table, shown),
        tuple(tenpais and seat in shown for seat in range(4)),
        NO_POINTS,
        tuple(table.scores),
    )


def exhaustive(table: Table, folded: tuple[int, ...] = ()) -> ev.Ryukyoku:
    """The draw at the end of the wall, with nagashi mangan or noten payments (RULES 5.5, 6.1).

    `folded` are the tenpai seats that declared noten.
    """
    tenpais = tuple(is_tenpai(table, seat) and seat not in folded for seat in range(4))
    nagashi = nagashi_seats(table)
    deltas = nagashi_deltas(table, nagashi) if nagashi else noten_deltas(tenpais)
    return ev.Ryukyoku(
        ev.NAGASHI_MANGAN if nagashi else ev.EXHAUSTIVE,
        _shown(table, tuple(seat for seat in range(4) if tenpais[seat])),
        tenpais,
        deltas,
        tuple(score + delta for score, delta in zip(table.scores, deltas, strict=True)),
        nagashi,
    )


def nagashi_seats(table: Table) -> tuple[int, ...]:
    """Seats with a nagashi mangan, in turn order from the dealer."""
    if table.rules.nagashi == "off":
        return ()
    order = [(table.oya + turn) % 4 for turn in range(4)]
    return tuple(seat for seat in order if table.all_yaochuu[seat] and table.rivers[seat])


def nagashi_deltas(table: Table, seats: tuple[int, ...]) -> tuple[int, ...]:
    """Each nagashi is paid like a tsumo, and they offset (RULES 5.5).

    With `nagashi` = `win` the first one in turn order also takes honba and deposits.
    """
    deltas = [0, 0, 0, 0]
    base = NAGASHI_BASE[table.rules.nagashi_value]
    for index, seat in enumerate(seats):
        wins = table.rules.nagashi == "win" and index == 0
        from_dealer, from_others = tsumo_points(base, seat == table.oya)
        honba = table.honba * table.rules.honba_value // 3 if wins else 0
        for payer in range(4):
            if payer != seat:
                amount = (from_dealer if payer == table.oya else from_others) + honba
                deltas[payer] -= amount
                deltas[seat] += amount
        if wins:
            deltas[seat] += table.kyotaku * 1000
    return tuple(deltas)


def noten_deltas(tenpais: tuple[bool, ...]) -> tuple[int, ...]:
    """Noten bappu: 3000 points from the noten to the tenpai seats (RULES 6.1)."""
    tenpai = sum(tenpais)
    if tenpai in (0, 4):
        return NO_POINTS
    return tuple(3000 // tenpai if is_tenpai else -3000 // (4 - tenpai) for is_tenpai in tenpais)


def _shown(table: Table, seats: tuple[int, ...]) -> tuple[ev.Tiles, ...]:
    return tuple(
        hand.tiles() if seat in seats else (UNKNOWN,) * hand.size
        for seat, hand in enumerate(table.hands)
    )
