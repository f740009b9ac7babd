"""Who pays what for a win at the table: honba, deposits and liability (RULES 7.3-7.6)."""

from __future__ import annotations

from collections.abc import Sequence

from .payments import tsumo_points
from .rules import Ruleset
from .win import WinResult

Liable = Sequence[tuple[str, int]]


def win_deltas(
    result: WinResult,
    rules: Ruleset,
    winner: int,
    target: int,
    oya: int,
    honba: int,
    kyotaku: int,
    liable: Liable,
    feeder: int,
) -> tuple[int, ...]:
    """Changes of the four scores by one win, each payment a multiple of 100.

    Args:
        result: the evaluated win, asked with this `honba`.
        winner, target, oya: seats; `target` is the winner itself by tsumo.
        honba: counters that this win is paid. kyotaku: deposits that it takes.
        liable: (yaku id, seat) pairs of the winner (`table.Table.liable`).
        feeder: who fed the daiminkan of a rinshan win, -1 for none.
    """
    payments = [0, 0, 0, 0]
    parts = liable_parts(result, liable, target)
    if parts:
        _pay_with_liable(payments, result, rules, winner, target, oya, honba, parts)
    elif target != winner:
        payments[target] = result.pay_discarder
    else:
        for seat in range(4):
            if seat != winner:
                payments[seat] = result.pay_dealer if seat == oya else result.pay_others
        if rules.pao_daiminkan_rinshan and feeder >= 0:
            total = sum(payments)
            payments = [total if seat == feeder else 0 for seat in range(4)]
    deltas = [-amount for amount in payments]
    deltas[winner] = sum(payments) + kyotaku * 1000
    return tuple(deltas)


def liable_parts(result: WinResult, liable: Liable, target: int) -> list[tuple[float, int]]:
    """(multiple, seat) of each yakuman of this win that somebody but the discarder answers for."""
    if not result.yakuman:
        return []
    return [
        (multiple, seat)
        for yaku, seat in liable
        for name, multiple in result.yaku
        if name == yaku and seat != target
    ]


def _pay_with_liable(
    payments: list[int],
    result: WinResult,
    rules: Ruleset,
    winner: int,
    target: int,
    oya: int,
    honba: int,
    parts: list[tuple[float, int]],
) -> None:
    """RULES 7.6: each liable seat answers for its yakuman, or for the whole hand."""
    unit = 48_000 if winner == oya else 32_000
    left: float = result.yakuman
    first = parts[0][1]
    for index, (multiple, seat) in enumerate(parts):
        # Under `all` what nobody answers for by name falls to the last liable seat.
        whole = rules.pao_scope == "all" and index == len(parts) - 1
        share = left if whole else min(multiple, left)
        left -= share
        points = round(unit * share)
        if target == winner:
            payments[seat] += points
        else:
            payments[seat] += points // 2
            payments[target] += points - points // 2
    extra = honba * rules.honba_value
    if target == winner:
        base = round(8000 * left)
        from_dealer, from_others = tsumo_points(base, winner == oya)
        for seat in range(4):
            if seat != winner:
                payments[seat] += from_dealer if seat == oya else from_others
        payments[first] += extra
    else:
        payments[target] += round(unit * left)
        payments[first if rules.pao_honba == "liable" else target] += extra
