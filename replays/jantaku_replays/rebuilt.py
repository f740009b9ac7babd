"""A wall rebuilt from what a record shows, for records that have no seed, key or tile ids."""

from __future__ import annotations

from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import MJAI, UNKNOWN
from jantaku_engine.wall import DORA_INDICATORS, HAIPAI, LIVE, RINSHAN, URA_INDICATORS

from .record import RecordError


class ShownTiles:
    """Tiles of one wall by their index in it, taken in the order in which they are shown."""

    def __init__(self, oya: int, tehais: tuple[tuple[int, ...], ...]) -> None:
        self.tiles: dict[int, int] = {}
        self._draws = 0
        self._kans = 0
        self._rinshan = False
        for seat, hand in enumerate(tehais):
            self.tiles.update(zip(HAIPAI[(seat - oya) % 4], hand, strict=True))

    def kan(self) -> None:
        """The next draw is from the dead wall.

        Raises:
            RecordError: a fifth kan.
        """
        if self._kans == len(RINSHAN):
            raise RecordError("a fifth kan")
        self._kans += 1
        self._rinshan = True

    def draw(self, tile: int) -> None:
        """The next draw.

        Raises:
            RecordError: the wall has no more.
        """
        if self._rinshan:
            self.tiles[RINSHAN[self._kans - 1]] = tile
            self._rinshan = False
        elif self._draws == len(LIVE):
            raise RecordError(f"the wall has only {len(LIVE)} draws")
        else:
            self.tiles[LIVE[self._draws]] = tile
            self._draws += 1

    def indicators(self, dora: tuple[int, ...], ura: tuple[int, ...] = ()) -> None:
        """The indicators that are turned in this hand, the first one included.

        Raises:
            RecordError: more than five.
        """
        if max(len(dora), len(ura)) > len(DORA_INDICATORS):
            raise RecordError("a sixth dora indicator")
        self.tiles.update(zip(DORA_INDICATORS, dora, strict=False))
        self.tiles.update(zip(URA_INDICATORS, ura, strict=False))

    def wall_ids(self, rules: Ruleset) -> list[int]:
        """Ids that show these tiles; what was never seen lies where nothing is known.

        Raises:
            RecordError: more of a tile than the set has.
        """
        free: list[list[int]] = [[] for _ in range(UNKNOWN)]
        for tile_id in range(135, -1, -1):
            free[rules.tiles[tile_id]].append(tile_id)
        ids = [-1] * 136
        for index, tile in self.tiles.items():
            if not free[tile]:
                count = rules.tiles.count(tile)
                raise RecordError(f"shows {MJAI[tile]} more often than the set has it ({count})")
            ids[index] = free[tile].pop()
        rest = sorted(tile_id for same in free for tile_id in same)
        return [tile_id if tile_id >= 0 else rest.pop() for tile_id in ids]
