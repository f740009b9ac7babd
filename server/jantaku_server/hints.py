"""What a person's client shows beside the table: waits, furiten, shanten, the parts of the fu.

All of it follows from the events that the follower has seen, masked as they are, so it tells
nothing that it may not know. Programs do not ask for it, and then nothing is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jantaku_engine import events as ev
from jantaku_engine.draws import is_tenpai
from jantaku_engine.fu import FuParts
from jantaku_engine.hand import Hand
from jantaku_engine.menu import question, riichi_discards
from jantaku_engine.rules import Ruleset
from jantaku_engine.shapes import shanten, waits
from jantaku_engine.table import CALLED, DECLARED, DRAWN, OVER, Table
from jantaku_engine.tiles import KIND, MJAI
from jantaku_engine.view import SeatView
from jantaku_engine.win import evaluate
from jantaku_replays.outlook import furiten, seen_kinds

from .wire import Message

_ON_TURN: Final = (DRAWN, CALLED, DECLARED)


class Hints:
    """One follower's knowledge of the running hand; `seat` -1 is a spectator.

    Events are only noted; the state is folded when hints are asked for, so that catching up
    with a long game costs one hand.
    """

    def __init__(self, seat: int, rules: Ruleset) -> None:
        self._view = SeatView(seat, rules)
        self._new: list[tuple[int, ev.Event]] = []
        self._seq = -1
        self._in_hand = False
        self._told: Message = {}

    def note(self, seq: int, event: ev.Event) -> None:
        """Take the next event, as the follower sees it."""
        if isinstance(event, ev.StartKyoku):
            self._new.clear()
            self._told = {}
            self._in_hand = True
        if self._in_hand and not isinstance(event, ev.EndGame):
            self._new.append((seq, event))

    def recall(self, events: Sequence[ev.Event], end: int) -> None:
        """Note what the follower has seen of the running hand before it came back.

        `events` are those of the match; the first `end` of them are known to the seat.
        """
        first = end - 1
        while first >= 0 and not isinstance(events[first], ev.StartKyoku):
            first -= 1
        for seq in range(max(0, first), end):
            self.note(seq, events[seq].seen_by(self._view.seat))

    def news(self) -> list[Message]:
        """The `hints` messages that the events noted since the last call give."""
        messages: list[Message] = []
        for seq, event in self._new:
            self._seq = seq
            if isinstance(event, ev.Hora):
                parts = win_parts(self._view.table, event)
                messages.append(
                    {"type": "hints", "seq": seq, "fu_parts": [list(part) for part in parts]}
                )
            self._view.apply(event)
        changed = bool(self._new)
        self._new.clear()
        if changed and self._view.seat >= 0 and self._view.table.phase != OVER:
            now = seat_hints(self._view.table, self._view.seat)
            if now != self._told:
                self._told = now
                messages.append({"type": "hints", "seq": self._seq, **now})
        return messages


def win_parts(table: Table, event: ev.Hora) -> FuParts:
    """Names and fu of the parts of a win's fu; empty where they do not count or do not fit."""
    win = question(table, event.actor, event.ura_markers)
    win.hand = event.tehai
    win.win_tile = event.pai
    win.tsumo = event.actor == event.target
    win.chankan = any(name == "chankan" for name, _ in event.yaku)
    try:
        result = evaluate(win, table.rules)
    except ValueError:
        return ()
    return result.fu_parts if result.fu == event.fu else ()


def seat_hints(table: Table, seat: int) -> Message:
    """What a seat's hand can still become.

    `shanten`; `waits` and `furiten` of a tenpai hand; on the seat's turn `discards`: each tile
    whose discard leaves the hand tenpai, with its waits, and whether riichi may be declared so.
    """
    hand = table.hands[seat]
    told: Message = {"shanten": shanten(hand.counts, len(hand.melds))}
    on_turn = table.turn == seat and table.phase in _ON_TURN
    if is_tenpai(table, seat):
        told["waits"] = _waits(table, seat, hand, hand.waits(), -1)
        told["furiten"] = furiten(table, seat)
    if on_turn and not table.riichi[seat]:
        told["discards"] = _discards(table, seat, hand)
    return told


def _discards(table: Table, seat: int, hand: Hand) -> list[Message]:
    # A hand that waits only for a fifth copy counts as one tile further away.
    if shanten(hand.counts, len(hand.melds)) > (4 in hand.counts):
        return []
    riichi = riichi_discards(table, seat) if hand.is_menzen else 0
    discards: list[Message] = []
    for kind in range(34):
        if not hand.counts[kind] or not hand.is_tenpai_without(kind, table.rules.karaten_own4):
            continue
        hand.counts[kind] -= 1
        mask = waits(hand.counts, len(hand.melds))
        hand.counts[kind] += 1
        seen = mask & (table.river_mask[seat] | 1 << kind)
        entry: dict[str, Any] = {
            "waits": _waits(table, seat, hand, mask, kind),
            "furiten": bool(seen or table.riichi_furiten[seat]),
            "riichi": bool(riichi >> kind & 1),
        }
        discards += [
            {"tile": MJAI[code], **entry}
            for code in range(37)
            if KIND[code] == kind and hand.codes[code]
        ]
    return discards


def _waits(table: Table, seat: int, hand: Hand, mask: int, without: int) -> list[Message]:
    """Each tile of the mask, how many of it the seat has not seen, and whether ron has a yaku.

    `without` is the kind that is about to be discarded, -1 for none.
    """
    seen = seen_kinds(table, seat)
    tiles = list(hand.tiles_but_drawn() if without < 0 else hand.tiles())
    if without >= 0:
        tiles.remove(next(tile for tile in tiles if KIND[tile] == without))
    told = []
    for kind in range(34):
        if mask >> kind & 1:
            win = question(table, seat)
            win.hand = tuple(tiles)
            win.win_tile = kind
            win.tsumo = win.last_tile = win.rinshan = win.chankan = win.first_turn = False
            try:
                has_yaku = evaluate(win, table.rules).win
            except ValueError:  # a wait for a fifth copy
                has_yaku = False
            told.append({"tile": MJAI[kind], "left": max(0, 4 - seen[kind]), "yaku": has_yaku})
    return told
