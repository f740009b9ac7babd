"""Finding the order of play in a hand of Tenhou JSON.

The form lists the draws and discards of each seat apart. When a discard was called is told only
by the caller's list: where the same tile is discarded again before the caller's next turn, more
than one order fits the lists. `readings` gives each of them; the engine says which is legal.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from jantaku_engine import events as ev
from jantaku_engine.events import Event
from jantaku_engine.tiles import MJAI

Take = int | ev.Naki
"""Among the draws: the tile drawn, or a call."""


class Drop(NamedTuple):
    """Among the discards: a tile, or what stands in its place.

    Attributes:
        tile: tile code; -1 for the tile just drawn, and where there is none.
        riichi: declared with this discard. kan: an ankan or kakan instead of a discard.
        nothing: the place of a discard that a daiminkan skips.
    """

    tile: int = -1
    riichi: bool = False
    kan: ev.Ankan | ev.Kakan | None = None
    nothing: bool = False


class Lists(NamedTuple):
    """The draws and discards of the four seats, and who begins."""

    oya: int
    takes: tuple[tuple[Take, ...], ...]
    drops: tuple[tuple[Drop, ...], ...]


MOST_STEPS: Final = 20_000
"""More than the lists of any real hand need; hostile lists end here."""


class DeadEnd(NamedTuple):
    """Why no order goes on from the furthest place: entries used so far, and the reason."""

    used: int = -1
    why: str = "nothing was played"


class Search:
    """All orders of play that fit the lists.

    Attributes:
        dead_end: where the furthest order that does not fit has stopped.
        gave_up: the lists have too many orders. steps: turns that were tried.
    """

    def __init__(self, lists: Lists) -> None:
        self.lists = lists
        self.dead_end = DeadEnd()
        self.gave_up = False
        self._moves: list[Event] = []
        self._takes = [0, 0, 0, 0]
        self._drops = [0, 0, 0, 0]
        self._total = sum(map(len, lists.takes)) + sum(map(len, lists.drops))
        self._barren: set[tuple[int, ...]] = set()
        self.steps = 0

    def readings(self) -> Iterator[list[Event]]:
        """Every order as events: draws, discards, riichi, calls and kans."""
        yield from self._turn(self.lists.oya)

    # ------------------------------------------------------------------ one turn

    def _turn(self, seat: int) -> Iterator[list[Event]]:
        """The turn of a seat whose next entry is a draw, or a call that fits; then the rest."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            self.gave_up = True
            return
        mark = (len(self._moves), self._takes[seat], self._drops[seat])
        last = self._own_moves(seat)
        if last is not None:
            if self._used() == self._total:
                yield list(self._moves)
            elif last >= 0:
                yield from self._after_discard(seat, last)
            else:
                self._stop(f"seat {seat} plays nothing more, but the lists go on")
        del self._moves[mark[0] :]
        self._takes[seat], self._drops[seat] = mark[1:]

    def _own_moves(self, seat: int) -> int | None:
        """Everything that a seat does until its discard, which is the result.

        -1 when its lists end before; None when they do not fit.
        """
        while True:
            take = self._next_take(seat)
            if take is None:
                # A kan that is robbed, or the last thing in the lists.
                return -1
            self._takes[seat] += 1
            drawn = -1
            if isinstance(take, ev.Naki):
                self._moves.append(take)
                if take.type == ev.DAIMINKAN:
                    drop = self._next_drop(seat)
                    if drop is not None and drop.nothing:
                        self._drops[seat] += 1
                    if isinstance(self._next_take(seat), ev.Naki):
                        self._stop(f"seat {seat} does not draw after its kan")
                        return None
                    continue
            else:
                drawn = take
                self._moves.append(ev.Tsumo(seat, take))
            drop = self._next_drop(seat)
            if drop is None:
                return -1
            self._drops[seat] += 1
            if drop.nothing:
                self._stop(f"seat {seat} discards nothing without a daiminkan")
                return None
            if drop.kan is None:
                return self._discard(seat, drop, drawn)
            self._moves.append(drop.kan)
            if isinstance(self._next_take(seat), ev.Naki):
                self._stop(f"seat {seat} does not draw after its kan")
                return None

    def _discard(self, seat: int, drop: Drop, drawn: int) -> int | None:
        tile = drop.tile
        if tile < 0:
            if drawn < 0:
                self._stop(f"seat {seat} discards a drawn tile (60), but it has called")
                return None
            tile = drawn
        if drop.riichi:
            self._moves.append(ev.Reach(seat))
        self._moves.append(ev.Dahai(seat, tile, drop.tile < 0))
        return tile

    def _after_discard(self, seat: int, tile: int) -> Iterator[list[Event]]:
        """Who goes on after a discard: a caller, or the next seat."""
        key = (*self._takes, *self._drops, seat)
        if key in self._barren:
            return
        fruitful = False
        callers = []
        for turn in (1, 2, 3):
            caller = (seat + turn) % 4
            take = self._next_take(caller)
            if isinstance(take, ev.Naki) and (take.target, take.pai) == (seat, tile):
                callers.append((take.type == ev.CHI, caller))
        goes_on = [caller for _, caller in sorted(callers)]
        following = (seat + 1) % 4
        take = self._next_take(following)
        if take is not None and not isinstance(take, ev.Naki):
            goes_on.append(following)
        for actor in goes_on:
            for reading in self._turn(actor):
                fruitful = True
                yield reading
        if not goes_on:
            self._stop(
                f"seat {seat} discards {MJAI[tile]}, and nobody's next draw or call fits after it"
            )
        if not fruitful:
            self._barren.add(key)

    # ------------------------------------------------------------------ places

    def _next_take(self, seat: int) -> Take | None:
        takes = self.lists.takes[seat]
        return takes[self._takes[seat]] if self._takes[seat] < len(takes) else None

    def _next_drop(self, seat: int) -> Drop | None:
        drops = self.lists.drops[seat]
        return drops[self._drops[seat]] if self._drops[seat] < len(drops) else None

    def _used(self) -> int:
        return sum(self._takes) + sum(self._drops)

    def _stop(self, why: str) -> None:
        used = self._used()
        if used > self.dead_end.used:
            self.dead_end = DeadEnd(used, why)
