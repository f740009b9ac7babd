"""Reading one hand of a Tenhou XML record.

The reader follows the tiles by id, which the engine does not: it knows where each draw lies in
the wall, whether a discard is the tile just drawn, and when a record contradicts itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jantaku_engine import events as ev
from jantaku_engine.rules import Ruleset
from jantaku_engine.tiles import UNKNOWN, sort_tiles
from jantaku_engine.wall import DORA_INDICATORS, HAIPAI, LIVE, RINSHAN, URA_INDICATORS, Wall

from . import tenhou_codes as codes
from .record import NO_NOTE, Difference, KyokuRecord, Note, RecordError, Shown, kyoku_title
from .tenhou_wall import DerivedWall
from .xml_elements import (
    SCORE_LIMIT,
    Element,
    hundreds,
    seat_of,
    tag_tile,
    tile_ids,
    whole,
    whole_list,
)

_DRAW_TAGS: Final = {"T": 0, "U": 1, "V": 2, "W": 3}
_DISCARD_TAGS: Final = {"D": 0, "E": 1, "F": 2, "G": 3}

_START_UNTOLD: Final = frozenset({"streak", "wall_hash"})
_END_UNTOLD: Final = frozenset({"wall_key"})
_SCORES: Final = frozenset({"scores"})
_RYUKYOKU_UNTOLD: Final = frozenset({"scores", "nagashi"})
_YAKUMAN_UNTOLD: Final = frozenset({"scores", "fu"})
"""Tenhou notes the fu of the tiles even for a yakuman, where they do not count (RULES 7.2)."""


class HandReader:
    """One hand: its events, and every tile where the record puts it."""

    def __init__(self, rules: Ruleset, init: Element, derived: DerivedWall | None) -> None:
        self.rules = rules
        self.tiles = rules.tiles
        self.derived = derived
        self.events: list[ev.Event] = []
        self.places: list[int] = []
        self.notes: dict[int, Note] = {}
        self.shown: list[Shown] = []
        self.slots: dict[int, int] = {}
        self.used: set[int] = set()
        self.melds: list[dict[int, frozenset[int]]] = [{}, {}, {}, {}]
        """Ids of each seat's melds, by the lowest id (a kakan takes the place of its pon)."""
        self.draws = 0
        self.kans = 0
        self.indicators = 1
        self.drawn = -1
        self.claimable = (-1, -1)
        """Seat and id of the tile that may be called or won: a discard or a kan's tile."""
        self.kan_seat = -1
        self.dealt_turn = rules.dealer_first_tile == "dealt"
        self.over = False
        self._init(init)

    # ------------------------------------------------------------------ bookkeeping

    def _add(self, element: Element, event: ev.Event, note: Note = NO_NOTE) -> None:
        if note is not NO_NOTE:
            self.notes[len(self.events)] = note
        self.events.append(event)
        self.places.append(element.number)

    def _show(self, element: Element, index: int, tile_id: int) -> None:
        """The record shows this tile at this index, with the event that is added next."""
        self.shown.append(Shown(index, tile_id, len(self.events)))
        if self.derived is None:
            self._place(element, index, tile_id)

    def _place(self, element: Element, index: int, tile_id: int) -> None:
        """Without a seed the wall is what is shown: a tile can lie in one place only."""
        if index in self.slots:
            return
        if tile_id in self.used:
            raise RecordError(f"{element}: tile {tile_id} is already elsewhere in the wall")
        self.used.add(tile_id)
        self.slots[index] = tile_id

    def _codes(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.tiles[tile_id] for tile_id in ids)

    def _sorted(self, ids: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sort_tiles(self._codes(ids)))

    # ------------------------------------------------------------------ elements

    def _init(self, element: Element) -> None:
        seed = whole_list(element, "seed", 0, 1_000_000, (6,))
        round_, honba, kyotaku, die1, die2, dora = seed
        if round_ > 15 or dora > 135 or die1 > 5 or die2 > 5:
            raise RecordError(f"{element}: seed {','.join(map(str, seed))} cannot be")
        oya = seat_of(element, "oya")
        haipai = tuple(tile_ids(element, f"hai{seat}", (13,)) for seat in range(4))
        for seat in range(4):
            indices = HAIPAI[(seat - oya) % 4]
            # The record lists a hand sorted or not: with a seed, what counts is the set.
            tiles = haipai[seat]
            if self.derived is not None:
                tiles = _in_wall_order(tiles, indices, self.derived.ids)
            for index, tile_id in zip(indices, tiles, strict=True):
                self._show(element, index, tile_id)
        self._show(element, DORA_INDICATORS[0], dora)
        self.hands = [set(tiles) for tiles in haipai]
        self.oya = oya
        self.round_wind = round_ // 4
        start = ev.StartKyoku(
            round_ // 4,
            round_ % 4 + 1,
            oya,
            honba,
            kyotaku,
            self.tiles[dora],
            hundreds(element, "ten"),
            tuple(self._codes(tiles) for tiles in haipai),
        )
        self.title = kyoku_title(start)
        dice = (die1 + 1, die2 + 1)
        differs: tuple[Difference, ...] = ()
        if self.derived is not None and self.derived.dice != dice:
            differs = (Difference("start_kyoku dice", list(dice), list(self.derived.dice)),)
        self._add(element, start, Note(untold=_START_UNTOLD, contradictions=differs))

    def take(self, element: Element) -> None:
        """Take the next element of this hand."""
        tag = element.tag
        letter = tag[:1]
        if self.over and tag != "AGARI":
            raise RecordError(f"{element}: stands after the end of {self.title}")
        if letter in _DRAW_TAGS and tag[1:].isdigit():
            self._draw(element, _DRAW_TAGS[letter])
        elif letter in _DISCARD_TAGS and tag[1:].isdigit():
            self._discard(element, _DISCARD_TAGS[letter])
        elif tag == "N":
            self._call(element)
        elif tag == "REACH":
            self._reach(element)
        elif tag == "DORA":
            self._dora(element)
        elif tag == "AGARI":
            self._agari(element)
        elif tag == "RYUUKYOKU":
            self._ryuukyoku(element)
        else:
            raise RecordError(f"{element}: no Tenhou record has such an element")

    def _draw(self, element: Element, seat: int) -> None:
        tile_id = tag_tile(element)
        if self.kan_seat == seat:
            index = RINSHAN[self.kans - 1]
            self.kan_seat = -1
        elif self.draws == len(LIVE):
            raise RecordError(f"{element}: the wall has only {len(LIVE)} draws")
        else:
            index = LIVE[self.draws]
            self.draws += 1
        self._show(element, index, tile_id)
        self.hands[seat].add(tile_id)
        self.drawn = tile_id
        self._add(element, ev.Tsumo(seat, self.tiles[tile_id]))

    def _discard(self, element: Element, seat: int) -> None:
        tile_id = tag_tile(element)
        # RULES 1.4: of a 14-tile deal no tile is the drawn one.
        tsumogiri = tile_id == self.drawn and not self.dealt_turn
        self._add(
            element, ev.Dahai(seat, self.tiles[tile_id], tsumogiri), self._leaves(seat, tile_id)
        )
        self.dealt_turn = False
        self.drawn = -1
        self.claimable = (seat, tile_id)

    def _leaves(self, seat: int, *ids: int) -> Note:
        """Take tiles out of a hand; the note says so when they are not in it."""
        hand = self.hands[seat]
        missing = [tile_id for tile_id in ids if tile_id not in hand]
        hand.difference_update(ids)
        if missing:
            return Note(illegal=f"seat {seat} does not hold tile {missing[0]}")
        return NO_NOTE

    def _call(self, element: Element) -> None:
        who = seat_of(element, "who")
        try:
            call = codes.decode_call(whole(element, "m", 0, 0xFFFF), who)
        except RecordError as error:
            raise RecordError(f"{element}: {error}") from None
        consumed = self._sorted(call.consumed)
        self.dealt_turn = False
        self.drawn = -1
        note = NO_NOTE
        if call.type == ev.ANKAN:
            note = self._leaves(who, *call.consumed)
            self._add(element, ev.Ankan(who, consumed), note)
            self.claimable = (who, call.consumed[0])
        elif call.type == ev.KAKAN:
            note = self._leaves(who, call.tile)
            self._add(element, ev.Kakan(who, self.tiles[call.tile], consumed), note)
            self.claimable = (who, call.tile)
        else:
            note = self._leaves(who, *call.consumed)
            if self.claimable != (call.target, call.tile):
                note = Note(illegal=f"tile {call.tile} was not just discarded by {call.target}")
            tile = self.tiles[call.tile]
            self._add(element, ev.Naki(call.type, who, call.target, tile, consumed), note)
            self.claimable = (-1, -1)
        self._lay(self.melds[who], call)
        if call.type >= ev.DAIMINKAN:
            self._count_kan(element, who)

    def _lay(self, melds: dict[int, frozenset[int]], call: codes.Call) -> None:
        if call.type == ev.KAKAN:
            melds.pop(min(call.consumed), None)
        ids = codes.meld_ids(call)
        melds[min(ids)] = ids

    def _count_kan(self, element: Element, who: int) -> None:
        if self.kans == 4:
            raise RecordError(f"{element}: a fifth kan")
        self.kans += 1
        self.kan_seat = who

    def _reach(self, element: Element) -> None:
        who = seat_of(element, "who")
        if whole(element, "step", 1, 2) == 1:
            self._add(element, ev.Reach(who))
        elif "ten" in element.attributes:
            self._add(element, ev.ReachAccepted(who, hundreds(element, "ten")))
        else:
            self._add(element, ev.ReachAccepted(who, (0, 0, 0, 0)), Note(untold=_SCORES))

    def _dora(self, element: Element) -> None:
        tile_id = whole(element, "hai", 0, 135)
        if self.indicators == len(DORA_INDICATORS):
            raise RecordError(f"{element}: a sixth dora indicator")
        self._show(element, DORA_INDICATORS[self.indicators], tile_id)
        self.indicators += 1
        self._add(element, ev.Dora(self.tiles[tile_id]))

    # ------------------------------------------------------------------ results

    def _agari(self, element: Element) -> None:
        who = seat_of(element, "who")
        target = seat_of(element, "fromWho")
        machi = whole(element, "machi", 0, 135)
        hai = tile_ids(element, "hai")
        if machi not in hai:
            raise RecordError(f"{element}: the winning tile {machi} is not in hai")
        concealed = tuple(tile_id for tile_id in hai if tile_id != machi)
        dora = tile_ids(element, "doraHai", (1, 2, 3, 4, 5))
        told_ura = "doraHaiUra" in element.attributes
        ura = tile_ids(element, "doraHaiUra", (1, 2, 3, 4, 5)) if told_ura else ()
        for indices, ids in ((DORA_INDICATORS, dora), (URA_INDICATORS, ura)):
            for index, tile_id in zip(indices, ids, strict=False):
                self._show(element, index, tile_id)
        fu, points, limit = whole_list(element, "ten", 0, SCORE_LIMIT, (3,))
        if limit >= len(codes.LIMITS):
            raise RecordError(f"{element}: limit {limit} is not in 0..5")
        yaku, han, multiple, counts = self._yaku(element, who)
        honba, deposits = whole_list(element, "ba", 0, SCORE_LIMIT, (2,))
        before, deltas = self._payments(element)
        event = ev.Hora(
            who,
            target,
            self.tiles[machi],
            self._sorted(concealed),
            self._codes(ura),
            yaku,
            *counts,
            fu,
            han,
            multiple,
            "kazoe_yakuman" if limit == 5 and not multiple else codes.LIMITS[limit],
            points,
            seat_of(element, "paoWho") if "paoWho" in element.attributes else -1,
            deltas,
            (0, 0, 0, 0),
        )
        facts = {
            "honba": honba,
            "deposits": deposits,
            "scores before": before,
            "dora_markers": self._codes(dora),
        }
        untold = _YAKUMAN_UNTOLD if multiple else _SCORES
        self._add(
            element,
            event,
            Note(untold, facts, "", self._contradictions(element, who, target, concealed, machi)),
        )
        self.over = True

    def _yaku(
        self, element: Element, who: int
    ) -> tuple[tuple[tuple[str, float], ...], int, int, tuple[int, int, int]]:
        """Yaku, han, multiple, and the counts of dora, ura and red dora."""
        seat_wind = (who - self.oya) % 4
        if ("yaku" in element.attributes) == ("yakuman" in element.attributes):
            raise RecordError(f"{element}: must have either yaku or yakuman")
        try:
            if "yakuman" in element.attributes:
                ids = whole_list(element, "yakuman", 0, 99)
                yakuman = tuple((codes.yaku_name(i, seat_wind, self.round_wind), 1) for i in ids)
                return yakuman, 0, len(ids), (0, 0, 0)
            numbers = whole_list(element, "yaku", 0, 99)
            if len(numbers) % 2:
                raise RecordError("yaku must be pairs")
            pairs = dict(zip(numbers[::2], numbers[1::2], strict=True))
            dora = tuple(pairs.pop(i, 0) for i in (codes.DORA, codes.URA_DORA, codes.AKA_DORA))
            yaku = tuple(
                (codes.yaku_name(i, seat_wind, self.round_wind), han) for i, han in pairs.items()
            )
        except RecordError as error:
            raise RecordError(f"{element}: {error}") from None
        return yaku, sum(numbers[1::2]), 0, (dora[0], dora[1], dora[2])

    def _payments(self, element: Element) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Scores before, and their changes."""
        sc = whole_list(element, "sc", -SCORE_LIMIT, SCORE_LIMIT, (8,))
        return tuple(s * 100 for s in sc[::2]), tuple(s * 100 for s in sc[1::2])

    def _contradictions(
        self, element: Element, who: int, target: int, concealed: tuple[int, ...], machi: int
    ) -> tuple[Difference, ...]:
        """Compare the ids that a win repeats with what the record showed before."""
        melds: list[frozenset[int]] = []
        if "m" in element.attributes:
            for m in whole_list(element, "m", 0, 0xFFFF):
                try:
                    melds.append(codes.meld_ids(codes.decode_call(m, who)))
                except RecordError as error:
                    raise RecordError(f"{element}: {error}") from None
        pairs = (
            ("hai", sorted(concealed), sorted(self.hands[who] - {machi})),
            ("machi", machi, self.drawn if who == target else self.claimable[1]),
            ("m", _by_tiles(melds), _by_tiles(self.melds[who].values())),
        )
        return tuple(
            Difference(f"hora {name}", told, shown) for name, told, shown in pairs if told != shown
        )

    def _ryuukyoku(self, element: Element) -> None:
        type_ = element.attributes.get("type", "")
        if type_ not in codes.DRAWS:
            raise RecordError(f"{element}: unknown type {type_[:20]!r}")
        reason = codes.DRAWS[type_]
        tehais: list[tuple[int, ...]] = []
        differs: list[Difference] = []
        for seat in range(4):
            name = f"hai{seat}"
            if name not in element.attributes:
                tehais.append((UNKNOWN,) * (13 - 3 * len(self.melds[seat])))
                continue
            ids = tile_ids(element, name)
            tehais.append(self._sorted(ids))
            if set(ids) != self.hands[seat]:
                differs.append(
                    Difference(f"ryukyoku {name}", sorted(ids), sorted(self.hands[seat]))
                )
        shown = tuple(f"hai{seat}" in element.attributes for seat in range(4))
        honba, deposits = whole_list(element, "ba", 0, SCORE_LIMIT, (2,))
        before, deltas = self._payments(element)
        tenpais = (False,) * 4 if reason == ev.KYUUSHU_KYUUHAI else shown
        event = ev.Ryukyoku(reason, tuple(tehais), tenpais, deltas, (0, 0, 0, 0))
        facts = {"honba": honba, "deposits": deposits, "scores before": before}
        self._add(element, event, Note(_RYUKYOKU_UNTOLD, facts, "", tuple(differs)))
        self.over = True

    def finish(self) -> KyokuRecord:
        """The hand with its wall.

        Raises:
            RecordError: the hand has no result.
        """
        if not self.over:
            raise RecordError(f"{self.title} has no result, after element {self.places[-1]}")
        last = self.places[-1]
        self.notes[len(self.events)] = Note(untold=_END_UNTOLD)
        self.events.append(ev.EndKyoku())
        self.places.append(last)
        ids = self.derived.ids if self.derived is not None else _filled(self.slots)
        return KyokuRecord(
            Wall(ids),
            self.derived is not None,
            self.events,
            self.places,
            self.notes,
            self.shown,
        )


def _by_tiles(melds: Iterable[frozenset[int]]) -> list[list[int]]:
    return sorted(sorted(meld) for meld in melds)


def _in_wall_order(
    tiles: tuple[int, ...], indices: tuple[int, ...], wall: tuple[int, ...]
) -> tuple[int, ...]:
    """The tiles of a dealt hand at the indices where the wall has them; strangers fill up."""
    dealt = [wall[index] for index in indices]
    strangers = [tile_id for tile_id in tiles if tile_id not in dealt]
    return tuple(tile_id if tile_id in tiles else strangers.pop() for tile_id in dealt)


def _filled(slots: dict[int, int]) -> list[int]:
    """A whole wall: tiles that are never seen lie where nothing is known, in order of id."""
    used = set(slots.values())
    unseen = iter([tile_id for tile_id in range(136) if tile_id not in used])
    return [slots[index] if index in slots else next(unseen) for index in range(136)]
