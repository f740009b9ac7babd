"""A seat's tiles: concealed counts, melds, the drawn tile, and the waits, computed when asked.

The hand of somebody else may be unknown: then only its size and its melds are kept.
"""

from __future__ import annotations

from typing import Final

from .melds import KAKAN, PON, Meld
from .shapes import decompositions, shanten, waits
from .tiles import KIND, RED_FIVES, UNKNOWN, YAOCHUU

_RED_OF: Final[dict[int, int]] = {4: RED_FIVES[0], 13: RED_FIVES[1], 22: RED_FIVES[2]}


_UNKNOWN_SHANTEN: Final = 99


class Hand:
    """One seat's tiles.

    Attributes:
        codes: how many concealed tiles of each tile code 0-36. counts: the same of each kind.
        size: number of concealed tiles. melds: laid-down sets, oldest first.
        drawn: tile code just drawn, or -1. known: whether the concealed tiles are known.
    """

    __slots__ = ("_shanten", "_waits", "codes", "counts", "drawn", "known", "melds", "size")

    def __init__(self, tiles: tuple[int, ...]) -> None:
        self.codes = [0] * 37
        self.counts = [0] * 34
        self.size = len(tiles)
        self.melds: list[Meld] = []
        self.drawn = -1
        self.known = UNKNOWN not in tiles
        self._waits = -1
        self._shanten = _UNKNOWN_SHANTEN
        if self.known:
            for tile in tiles:
                self.codes[tile] += 1
                self.counts[KIND[tile]] += 1

    @property
    def is_menzen(self) -> bool:
        """No open meld (RULES, Terms)."""
        return all(not meld.is_open for meld in self.melds)

    @property
    def kans(self) -> int:
        """How many of the melds are kans."""
        return sum(1 for meld in self.melds if meld.is_kan)

    def tiles(self) -> tuple[int, ...]:
        """Concealed tile codes in ascending code order, the drawn one included."""
        if not self.known:
            return (UNKNOWN,) * self.size
        return tuple(code for code in range(37) for _ in range(self.codes[code]))

    def tiles_but_drawn(self) -> tuple[int, ...]:
        """Concealed tile codes without the drawn one."""
        if self.drawn < 0 or not self.known:
            return (UNKNOWN,) * (self.size - (self.drawn >= 0)) if not self.known else self.tiles()
        self.codes[self.drawn] -= 1
        rest = self.tiles()
        self.codes[self.drawn] += 1
        return rest

    def draw(self, tile: int) -> None:
        """Take a tile from the wall; the waits stay those of the hand before it."""
        self.drawn = tile
        self.size += 1
        if self.known:
            self.codes[tile] += 1
            self.counts[KIND[tile]] += 1

    def discard(self, tile: int) -> None:
        """Let a tile go; the drawn tile, if any, is part of the hand from now on."""
        self.size -= 1
        if self.known:
            self._remove(tile)
            if self.drawn < 0 or KIND[tile] != KIND[self.drawn]:
                self._waits = -1
                self._shanten = _UNKNOWN_SHANTEN
        self.drawn = -1

    def lay(self, meld: Meld, consumed: tuple[int, ...]) -> None:
        """Lay down a meld that takes `consumed` from the hand."""
        self._take(consumed)
        self.melds.append(meld)

    def extend(self, meld: Meld, tile: int) -> None:
        """Replace the pon of the same kind by this kakan, adding `tile` from the hand."""
        self._take((tile,))
        for index, old in enumerate(self.melds):
            if old.type == PON and old.kind == meld.kind:
                self.melds[index] = meld
                return
        raise ValueError(f"no pon to extend by {meld}")

    def void_kan(self, meld: Meld, tile: int) -> None:
        """Undo a robbed kan whose `tile` went to the winner (RULES 2.3, 2.10)."""
        rest = list(meld.tiles)
        rest.remove(tile)
        index = self.melds.index(meld)
        if meld.type == KAKAN:
            self.melds[index] = Meld(PON, tuple(rest), meld.called, meld.target)
            return
        del self.melds[index]
        self.size += len(rest)
        self._waits = -1
        if self.known:
            for back in rest:
                self.codes[back] += 1
                self.counts[KIND[back]] += 1

    def _take(self, tiles: tuple[int, ...]) -> None:
        self.size -= len(tiles)
        self.drawn = -1
        self._waits = -1
        self._shanten = _UNKNOWN_SHANTEN
        if self.known:
            for tile in tiles:
                self._remove(tile)

    def _remove(self, tile: int) -> None:
        self.codes[tile] -= 1
        self.counts[KIND[tile]] -= 1
        if self.codes[tile] < 0:
            raise ValueError(f"tile code {tile} is not in the hand")

    def waits(self) -> int:
        """Bit mask of the kinds that complete the shape of the hand without its drawn tile.

        Kinds of which the hand holds four already are included (RULES 4, 6.4). 0 for a hand
        that is unknown or has just called.
        """
        if self._waits < 0:
            if not self.known:
                return 0
            drawn = KIND[self.drawn] if self.drawn >= 0 else -1
            if (self.size - (drawn >= 0)) % 3 != 1:
                return 0
            if drawn >= 0:
                self.counts[drawn] -= 1
                self._waits = waits(self.counts, len(self.melds))
                self.counts[drawn] += 1
            else:
                self._waits = waits(self.counts, len(self.melds))
        return self._waits

    def may_reach_tenpai(self) -> bool:
        """Whether some discard of a hand that has drawn may leave it tenpai in shape.

        Shanten counts a hand that waits only for a fifth copy as one tile further away. That of
        the hand without the drawn tile is kept while only drawn tiles are discarded, and a draw
        brings it down by one at most.
        """
        counts = self.counts
        kind = KIND[self.drawn]
        if self._shanten == _UNKNOWN_SHANTEN:
            counts[kind] -= 1
            self._shanten = shanten(counts, len(self.melds))
            counts[kind] += 1
        near = 1 if 4 in counts else 0
        return self._shanten <= near + 1 and shanten(counts, len(self.melds)) <= near

    def is_tenpai_without(self, kind: int, karaten_own4: str) -> bool:
        """Whether discarding one tile of `kind` leaves the hand tenpai (RULES 3.2, 6.4)."""
        self.counts[kind] -= 1
        mask = self.live_waits(waits(self.counts, len(self.melds)), karaten_own4)
        self.counts[kind] += 1
        return mask != 0

    def live_waits(self, mask: int, karaten_own4: str) -> int:
        """`mask` without the kinds that the player itself holds four of (RULES 6.4).

        `karaten_own4` says which copies count: `tenpai` none, `noten_concealed4` the concealed
        ones, `noten_hand_or_meld4` those in melds too.
        """
        if karaten_own4 == "tenpai" or not mask:
            return mask
        counts = self.counts
        if karaten_own4 == "noten_hand_or_meld4":
            counts = counts.copy()
            for meld in self.melds:
                for tile in meld.tiles:
                    counts[KIND[tile]] += 1
        for kind in range(34):
            if mask >> kind & 1 and counts[kind] >= 4:
                mask &= ~(1 << kind)
        return mask

    def is_kokushi_tenpai(self) -> bool:
        """Waits for thirteen orphans (without its drawn tile)."""
        return (
            not self.melds
            and self.waits() != 0
            and sum(1 for kind in YAOCHUU if self.counts[kind]) >= 12
        )

    def waits_after_ankan(self, kind: int) -> int:
        """Waits after a concealed kan of `kind`, of which the hand holds four."""
        self.counts[kind] -= 4
        mask = waits(self.counts, len(self.melds) + 1)
        self.counts[kind] += 4
        return mask

    def ankan_keeps_readings(self, kind: int) -> bool:
        """Whether `kind` is a triplet in every reading of every win of this hand.

        The hand holds four of `kind`, one of them just drawn (RULES 3.5, `same_shape`).
        """
        melds = len(self.melds)
        for wait in range(34):
            if not self.waits() >> wait & 1:
                continue
            self.counts[kind] -= 1
            self.counts[wait] += 1
            before = len(decompositions(self.counts, melds))
            self.counts[kind] -= 3
            after = len(decompositions(self.counts, melds + 1))
            self.counts[kind] += 4
            self.counts[wait] -= 1
            if before != after:
                return False
        return True

    def pick(self, kind: int, number: int) -> list[tuple[int, ...]]:
        """Every way to take `number` tiles of `kind` that looks different (red fives)."""
        red = _RED_OF.get(kind, -1)
        plain = self.codes[kind]
        reds = self.codes[red] if red >= 0 else 0
        return [
            (kind,) * (number - take) + (red,) * take
            for take in range(min(reds, number) + 1)
            if number - take <= plain
        ]
