"""Tile ids of one hand, followed from the wall, for forms that name every tile by its id.

Events know tiles by their face. Where a seat holds the same face more than once, the copy with
the least id leaves the hand, the tile just drawn only when it is meant.
"""

from __future__ import annotations

from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import UNKNOWN
from jantaku_engine.wall import DORA_INDICATORS, HAIPAI, LIVE, RINSHAN, URA_INDICATORS, Wall

from . import tenhou_codes as codes


class HandIds:
    """Where each tile of one hand is, by its id."""

    def __init__(self, rules: Ruleset, wall: Wall) -> None:
        self._codes = rules.tiles
        self._wall = wall.ids
        self._hands: list[set[int]] = [set(), set(), set(), set()]
        self._melds: list[list[codes.Call]] = [[], [], [], []]
        self._draws = 0
        self._kans = 0
        self._rinshan = False
        self._turned = 0
        self._drawn = -1
        self._claimable = -1

    def haipai(self, seat: int, oya: int) -> list[int]:
        """The tiles dealt to a seat, in the order of the deal."""
        ids = [self._wall[index] for index in HAIPAI[(seat - oya) % 4]]
        self._hands[seat] = set(ids)
        return ids

    def hand(self, seat: int) -> list[int]:
        """The concealed tiles of a seat."""
        return sorted(self._hands[seat])

    def shows(self, seat: int, tiles: tuple[int, ...]) -> bool:
        """Whether an event that shows these tiles of a seat shows its hand."""
        return len(tiles) == len(self._hands[seat]) and UNKNOWN not in tiles

    def turn_dora(self) -> int:
        """The next dora indicator."""
        self._turned += 1
        return self._wall[DORA_INDICATORS[self._turned - 1]]

    def dora(self) -> list[int]:
        """The indicators turned so far."""
        return [self._wall[index] for index in DORA_INDICATORS[: self._turned]]

    def ura(self, count: int) -> list[int]:
        """The first tiles under them."""
        return [self._wall[index] for index in URA_INDICATORS[:count]]

    def draw(self, seat: int) -> int:
        """The next tile that a seat draws."""
        if self._rinshan:
            self._drawn = self._wall[RINSHAN[self._kans - 1]]
            self._rinshan = False
        else:
            self._drawn = self._wall[LIVE[self._draws]]
            self._draws += 1
        self._hands[seat].add(self._drawn)
        return self._drawn

    def discard(self, event: ev.Dahai) -> int:
        """The tile that is discarded."""
        if event.tsumogiri:
            tile_id = self._drawn
            self._hands[event.actor].remove(tile_id)
        else:
            (tile_id,) = self._leave(event.actor, (event.pai,))
        self._claimable = tile_id
        self._drawn = -1
        return tile_id

    def _leave(self, seat: int, tiles: tuple[int, ...]) -> list[int]:
        """Take tiles out of a hand, the one just drawn last."""
        hand = self._hands[seat]
        left = []
        for tile in tiles:
            copies = [tile_id for tile_id in hand if self._codes[tile_id] == tile]
            tile_id = min(copies, key=lambda copy: (copy == self._drawn, copy))
            hand.remove(tile_id)
            left.append(tile_id)
        return left

    def call(self, event: ev.Naki | ev.Kakan | ev.Ankan) -> int:
        """Make a call; its number."""
        seat = event.actor
        if isinstance(event, ev.Naki):
            ids = tuple(self._leave(seat, event.consumed))
            call = codes.Call(event.type, event.target, self._claimable, ids)
            self._melds[seat].insert(0, call)
        elif isinstance(event, ev.Ankan):
            ids = tuple(sorted(self._leave(seat, event.consumed)))
            call = codes.Call(ev.ANKAN, seat, -1, ids)
            self._claimable = ids[0]
            self._melds[seat].insert(0, call)
        else:
            (added,) = self._leave(seat, (event.pai,))
            self._claimable = added
            melds = self._melds[seat]
            index = next(
                index
                for index, meld in enumerate(melds)
                if meld.type == ev.PON and meld.tile // 4 == added // 4
            )
            # The pon's own target and called tile stay in the number.
            pon = melds[index]
            call = codes.Call(ev.KAKAN, pon.target, pon.tile, (*pon.consumed, added))
            melds[index] = call
        if event.type >= ev.DAIMINKAN:
            self._kans += 1
            self._rinshan = True
        self._drawn = -1
        return codes.encode_call(call, seat)

    def win(self, event: ev.Hora) -> tuple[int, list[int], list[int]]:
        """Winning tile, concealed tiles with it, and the numbers of the melds, newest first."""
        machi = self._drawn if event.actor == event.target else self._claimable
        hand = sorted(self._hands[event.actor] | {machi})
        melds = [codes.encode_call(call, event.actor) for call in self._melds[event.actor]]
        return machi, hand, melds
