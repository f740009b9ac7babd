"""A bot that takes the shortest way to its own hand and is afraid of nobody."""

from __future__ import annotations

from typing import Final

from jantaku_engine import actions as act
from jantaku_engine.actions import KYUUSHU, RIICHI, WIN, Action
from jantaku_engine.hand import Hand
from jantaku_engine.melds import CHI
from jantaku_engine.menu import Menu
from jantaku_engine.shapes import shanten
from jantaku_engine.table import Table
from jantaku_engine.tiles import DORA_OF, EAST, HAKU, KIND
from jantaku_engine.view import SeatView

from .player import Bot

NEAR_ENOUGH: Final = 2
"""Up to this shanten a hand of nine kinds of terminals and honours is played on."""


class Greedy(Bot):
    """Lowers shanten, takes every win, declares riichi when it can, never folds.

    * It discards for the lowest shanten, then for the most unseen tiles that lower it further
      (ukeire), then what is worth least.
    * It opens its hand only with a pon of yakuhai, so that it always has a yaku; from then on
      it takes every chi and pon that lowers its shanten.
    * It makes ankan and kakan that do not raise its shanten, and no daiminkan.
    * It declares nine terminals unless thirteen orphans, or another hand, are near.
    """

    __slots__ = ()

    def choose(self, view: SeatView, menu: Menu) -> Action:
        """See `Player.choose`."""
        if len(menu) == 1:
            return menu[0]
        if WIN in menu:
            return WIN
        table = view.table
        hand = table.hands[view.seat]
        if menu[-1].type == act.NONE:
            return best_call(table, view.seat, menu)
        if RIICHI in menu:
            return RIICHI
        now = shanten(hand.counts, len(hand.melds))
        if KYUUSHU in menu and now > NEAR_ENOUGH:
            return KYUUSHU
        for action in menu:
            if action.type in (act.ANKAN, act.KAKAN) and _after_kan(hand, action) <= now:
                return action
        return best_discard(table, view.seat, menu)


def best_discard(table: Table, seat: int, menu: Menu) -> Action:
    """The discard of `menu` for speed: lowest shanten, most ukeire, least worth."""
    hand = table.hands[seat]
    melds = len(hand.melds)
    discards = [action for action in menu if action.type == act.DAHAI]
    distance = {
        kind: shanten(_without(hand.counts, kind), melds)
        for kind in {KIND[action.tile] for action in discards}
    }
    nearest = min(distance.values())
    unseen = unseen_tiles(table, seat)
    width = {
        kind: ukeire(_without(hand.counts, kind), melds, nearest, unseen)
        for kind, far in distance.items()
        if far == nearest
    }
    widest = max(width.values())
    return min(
        (action for action in discards if width.get(KIND[action.tile]) == widest),
        key=lambda action: _worth(table, seat, action.tile),
    )


def best_call(table: Table, seat: int, menu: Menu) -> Action:
    """The chi or pon of `menu` that brings the hand furthest, else pass."""
    hand = table.hands[seat]
    yakuhai = yakuhai_kinds(table, seat)
    has_yaku = any(meld.type != CHI and meld.kind in yakuhai for meld in hand.melds)
    now = shanten(hand.counts, len(hand.melds))
    best = menu[-1]
    nearest = now
    for action in menu:
        if action.type not in (act.CHI, act.PON):
            continue
        gives_yaku = KIND[action.tile] in yakuhai
        if not has_yaku and not gives_yaku:
            continue
        after = shanten(_without(hand.counts, *kinds_of(action)), len(hand.melds) + 1)
        # A yaku is worth a call that brings the hand no nearer, but not a closed tenpai.
        if after < nearest or (gives_yaku and best.type == act.NONE and 0 < after == now):
            best = action
            nearest = after
    return best


def _after_kan(hand: Hand, kan: Action) -> int:
    """Shanten after this ankan or kakan, before its rinshan draw."""
    if kan.type == act.KAKAN:
        return shanten(_without(hand.counts, KIND[kan.tile]), len(hand.melds))
    return shanten(_without(hand.counts, *kinds_of(kan)), len(hand.melds) + 1)


def kinds_of(call: Action) -> list[int]:
    """Kinds of the tiles that a call takes from the hand."""
    return [KIND[tile] for tile in call.consumed]


def yakuhai_kinds(table: Table, seat: int) -> tuple[int, ...]:
    """Kinds whose triplet is a yaku for `seat` (RULES 5.3)."""
    return (HAKU, HAKU + 1, HAKU + 2, EAST + table.bakaze, EAST + table.seat_wind(seat))


def unseen_tiles(table: Table, seat: int) -> list[int]:
    """How many tiles of each kind `seat` has not seen: none of them lies open or in its hand."""
    unseen = [4 - count for count in table.hands[seat].counts]
    for hand in table.hands:
        for meld in hand.melds:
            for tile in meld.tiles:
                unseen[KIND[tile]] -= 1
    for river in table.rivers:
        for discard in river:
            if not discard.called:
                unseen[KIND[discard.tile]] -= 1
    for marker in table.dora_markers:
        unseen[KIND[marker]] -= 1
    return unseen


def ukeire(counts: list[int], melds: int, now: int, unseen: list[int]) -> int:
    """How many unseen tiles lower the shanten `now` of 13 - 3 * melds concealed tiles."""
    total = 0
    for kind in range(34):
        left = unseen[kind]
        if left <= 0:
            continue
        counts[kind] += 1
        if shanten(counts, melds) < now:
            total += left
        counts[kind] -= 1
    return total


def _without(counts: list[int], *kinds: int) -> list[int]:
    left = counts.copy()
    for kind in kinds:
        left[kind] -= 1
    return left


def _worth(table: Table, seat: int, tile: int) -> int:
    """What a tile is worth when it helps the shape no more than another: dora, then the middle."""
    kind = KIND[tile]
    dora = (tile != kind) + sum(1 for marker in table.dora_markers if DORA_OF[KIND[marker]] == kind)
    if kind >= EAST:
        middle = 1 if kind in yakuhai_kinds(table, seat) else 0
    else:
        middle = min(kind % 9, 8 - kind % 9) + 1
    return dora * 8 + middle
