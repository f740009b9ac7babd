"""What a seat may do now: the exact menu of legal actions (RULES 2-4).

Works on what the seat itself may know, so the engine and a seat's view give the same menu.
The win evaluator alone decides whether a hand wins; the cheap tests before it only spare calls.
"""

from __future__ import annotations

from . import actions as act
from .actions import DISCARDS, FOLD, KYUUSHU, OPEN_RIICHI, PASS, RIICHI, TSUMOGIRI, WIN, Action
from .draws import abort_after_discard, is_tenpai
from .hand import Hand
from .melds import ANKAN, KAKAN, PON
from .table import CALLED, DECLARED, DISCARDED, DRAWN, KAN_WINDOW, Table, kuikae_mask
from .tiles import KIND, YAOCHUU
from .win import Win, WinResult, evaluate

Menu = tuple[Action, ...]
NOTHING: Menu = ()


def menu(table: Table, seat: int) -> Menu:
    """Legal actions of `seat` at this moment; empty when it is not asked.

    A seat that may let something pass has `PASS` as its last entry; on its own turn it must act.
    """
    phase = table.phase
    if seat == table.turn:
        if phase == DRAWN:
            return _draw_menu(table, seat)
        if phase == CALLED:
            return _discards(table.hands[seat], ~table.kuikae)
        if phase == DECLARED:
            return _drawn_discards(table, seat, riichi_discards(table, seat))
        if phase == DISCARDED and _may_fold(table, seat):
            return (FOLD, PASS)
    elif phase == DISCARDED:
        return _claim_menu(table, seat)
    elif phase == KAN_WINDOW and ron_result(table, seat) is not None:
        return (WIN, PASS)
    return NOTHING


# ---------------------------------------------------------------------- wins


def question(table: Table, seat: int, ura: tuple[int, ...] = (), honba: int | None = None) -> Win:
    """The win that `seat` would claim now, as the evaluator wants it asked.

    On the seat's own turn it is the drawn tile, otherwise the tile that lies to be claimed.
    """
    hand = table.hands[seat]
    tsumo = seat == table.turn
    chankan = table.phase == KAN_WINDOW and table.claimed_kan == KAKAN
    return Win(
        hand=hand.tiles_but_drawn(),
        win_tile=hand.drawn if tsumo else table.last,
        melds=tuple(hand.melds),
        tsumo=tsumo,
        seat_wind=table.seat_wind(seat),
        round_wind=table.bakaze,
        riichi=table.riichi[seat],
        ippatsu=table.ippatsu[seat],
        last_tile=table.live_left == 0,
        rinshan=table.rinshan,
        chankan=chankan,
        first_turn=table.is_first_turn(seat),
        dora=tuple(table.dora_markers),
        ura=ura,
        honba=table.honba if honba is None else honba,
        discarder_riichi=not tsumo and table.riichi[table.turn] != 0,
        kept=table.kept if seat == table.oya else 0,
        wins=table.wins if seat == table.oya else 0,
    )


def tsumo_result(table: Table, seat: int) -> WinResult | None:
    """The win on the tile just drawn, or None."""
    hand = table.hands[seat]
    if hand.drawn < 0:
        return None
    if not hand.waits() >> KIND[hand.drawn] & 1 and not _may_be_thirteen_apart(table, seat):
        return None
    result = evaluate(question(table, seat), table.rules)
    return result if result.win else None


def ron_result(table: Table, seat: int) -> WinResult | None:
    """The win on the discard or kan tile that lies to be claimed, or None (RULES 2.10, 4)."""
    hand = table.hands[seat]
    ankan = table.phase == KAN_WINDOW and table.claimed_kan == ANKAN
    if ankan and not (table.rules.kokushi_rob_ankan and hand.is_kokushi_tenpai()):
        return None
    if not hand.waits() >> KIND[table.last] & 1:
        if not _may_be_thirteen_apart(table, seat):
            return None
    elif table.is_furiten(seat):
        return None
    result = evaluate(question(table, seat), table.rules)
    return result if result.win else None


def _may_be_thirteen_apart(table: Table, seat: int) -> bool:
    # The one hand that wins without being tenpai in shape (RULES 5.7, shiisan_puutou).
    return table.rules.shiisan_puutou and table.is_first_turn(seat)


# ---------------------------------------------------------------------- own turn


def _draw_menu(table: Table, seat: int) -> Menu:
    hand = table.hands[seat]
    items: list[Action] = []
    if tsumo_result(table, seat) is not None:
        items.append(WIN)
    if table.riichi[seat]:
        items.append(TSUMOGIRI[hand.drawn])
        items.extend(_ankans(table, seat))
        return tuple(items)
    items.extend(_drawn_discards(table, seat, -1))
    if _may_declare_riichi(table, seat):
        double = table.is_first_turn(seat)
        items.append(RIICHI)
        if table.rules.open_riichi or (double and table.rules.open_double_riichi):
            items.append(OPEN_RIICHI)
    items.extend(_ankans(table, seat))
    items.extend(_kakans(table, seat))
    if _may_declare_kyuushu(table, seat):
        items.append(KYUUSHU)
    return tuple(items)


def _drawn_discards(table: Table, seat: int, allowed: int) -> Menu:
    """Discards after a draw, of the kinds in the mask `allowed`."""
    hand = table.hands[seat]
    dealt = table.rules.dealer_first_tile == "dealt" and table.draws == 1 and not table.rinshan
    if dealt and seat == table.oya:
        # RULES 1.4: no tile of a 14-tile deal is the drawn one.
        return tuple(
            DISCARDS[tile] for tile in range(37) if hand.codes[tile] and allowed >> KIND[tile] & 1
        )
    return _discards(hand, allowed)


def _discards(hand: Hand, allowed: int) -> Menu:
    """Discards of the kinds in the mask `allowed`, the drawn tile last."""
    drawn = hand.drawn
    items = [
        DISCARDS[tile]
        for tile in range(37)
        if hand.codes[tile] > (tile == drawn) and allowed >> KIND[tile] & 1
    ]
    if drawn >= 0 and allowed >> KIND[drawn] & 1:
        items.append(TSUMOGIRI[drawn])
    return tuple(items)


def _may_declare_riichi(table: Table, seat: int) -> bool:
    """RULES 3.1."""
    rules = table.rules
    hand = table.hands[seat]
    return (
        (rules.riichi_min_score == "none" or table.scores[seat] >= rules.riichi_min_score)
        and table.live_left >= rules.riichi_min_live_left
        and hand.is_menzen
        and hand.may_reach_tenpai()
        and riichi_discards(table, seat) != 0
    )


def riichi_discards(table: Table, seat: int) -> int:
    """Mask of the kinds whose discard leaves the hand tenpai (RULES 3.2)."""
    hand = table.hands[seat]
    mask = 0
    for kind in range(34):
        if hand.counts[kind] and hand.is_tenpai_without(kind, table.rules.karaten_own4):
            mask |= 1 << kind
    return mask


def _may_kan(table: Table) -> bool:
    """RULES 2.8."""
    return table.live_left >= table.rules.kan_min_live_left and table.rinshan_draws < 4


def _ankans(table: Table, seat: int) -> list[Action]:
    hand = table.hands[seat]
    if not _may_kan(table):
        return []
    return [
        act.ankan(hand.pick(kind, 4)[0])
        for kind in range(34)
        if hand.counts[kind] == 4
        and (not table.riichi[seat] or _may_kan_in_riichi(table, seat, kind))
    ]


def _may_kan_in_riichi(table: Table, seat: int, kind: int) -> bool:
    """RULES 3.5: only the kind just drawn, no wait of the hand, and no wait changed."""
    hand = table.hands[seat]
    rule = table.rules.riichi_ankan
    before = hand.waits()
    if rule == "none" or kind != KIND[hand.drawn] or before >> kind & 1:
        return False
    if hand.waits_after_ankan(kind) != before:
        return False
    return rule == "same_waits" or hand.ankan_keeps_readings(kind)


def _kakans(table: Table, seat: int) -> list[Action]:
    hand = table.hands[seat]
    if not hand.melds or not _may_kan(table):
        return []
    return [
        act.call(act.KAKAN, hand.pick(meld.kind, 1)[0][0], meld.tiles)
        for meld in hand.melds
        if meld.type == PON and hand.counts[meld.kind]
    ]


def _may_declare_kyuushu(table: Table, seat: int) -> bool:
    """RULES 6.2: nine kinds of terminals and honours among the first fourteen tiles."""
    if not table.rules.kyuushu_kyuuhai or not table.is_first_turn(seat):
        return False
    counts = table.hands[seat].counts
    return sum(1 for kind in YAOCHUU if counts[kind]) >= 9


# ---------------------------------------------------------------------- claims


def _claim_menu(table: Table, seat: int) -> Menu:
    items: list[Action] = []
    if ron_result(table, seat) is not None:
        items.append(WIN)
    # RULES 2.6, 6.2: the last discard, and one that ends the hand, can only be won.
    if table.live_left > 0 and not table.riichi[seat] and not abort_after_discard(table):
        items.extend(_calls(table, seat))
    if _may_fold(table, seat):
        items.append(FOLD)
    if items:
        items.append(PASS)
    return tuple(items)


def _calls(table: Table, seat: int) -> list[Action]:
    hand = table.hands[seat]
    tile = table.last
    kind = KIND[tile]
    items: list[Action] = []
    if hand.counts[kind] >= 2:
        for pair in hand.pick(kind, 2):
            _offer(table, hand, items, act.PON, pair)
        if hand.counts[kind] == 3 and _may_kan(table):
            items.append(act.call(act.DAIMINKAN, tile, hand.pick(kind, 3)[0]))
    if kind < 27 and (table.turn + 1) % 4 == seat:
        number = kind % 9
        for low, high in ((-2, -1), (-1, 1), (1, 2)):
            if number + low < 0 or number + high > 8:
                continue
            if hand.counts[kind + low] and hand.counts[kind + high]:
                for first in hand.pick(kind + low, 1):
                    for second in hand.pick(kind + high, 1):
                        _offer(table, hand, items, act.CHI, first + second)
    return items


def _offer(
    table: Table, hand: Hand, items: list[Action], type_: int, consumed: tuple[int, ...]
) -> None:
    """Add a chi or pon unless it would leave no legal discard (RULES 2.7)."""
    forbidden = kuikae_mask(table.rules.kuikae, table.last, consumed)
    kinds = [KIND[tile] for tile in consumed]
    for kind in range(34):
        if hand.counts[kind] > kinds.count(kind) and not forbidden >> kind & 1:
            items.append(act.call(type_, table.last, consumed))
            return


def _may_fold(table: Table, seat: int) -> bool:
    """RULES 6.4: with `noten_declaration`, a tenpai hand may be folded at the last discard."""
    return (
        table.rules.noten_declaration
        and table.live_left == 0
        and not table.riichi[seat]
        and not (seat == table.turn and table.declaring == seat)
        and not abort_after_discard(table)
        and is_tenpai(table, seat)
    )
