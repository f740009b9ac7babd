"""The state of one hand (kyoku), as a fold of its events (RULES 2-4).

The same class serves the engine, which knows all four hands, and a seat's view, which knows one:
`apply` takes full or masked events. Nothing here decides; `menu`, `draws` and `kyoku` do.
"""

from __future__ import annotations

from typing import Final

from . import events as ev
from .hand import Hand
from .melds import ANKAN, CHI, DAIMINKAN, KAKAN, PON, Meld
from .rules import Ruleset
from .tiles import HAKU, IS_YAOCHUU, KIND
from .win import DOUBLE, NO_RIICHI, OPEN, OPEN_DOUBLE, RIICHI

IDLE: Final = 0
DRAWN: Final = 1
CALLED: Final = 2
DECLARED: Final = 3
DISCARDED: Final = 4
KAN_WINDOW: Final = 5
KAN: Final = 6
OVER: Final = 7

PHASE_NAMES: Final = (
    "idle",
    "drawn",
    "called",
    "declared",
    "discarded",
    "kan_window",
    "kan",
    "over",
)
"""Names of the phases: before the deal or between draw and draw, the seat on turn has drawn,
has called, has declared riichi, has discarded, has declared a kan that may be robbed, waits for
its rinshan tile; the hand is over."""

LIVE_DRAWS: Final = 70

_NAKI_MELD: Final = {ev.CHI: CHI, ev.PON: PON, ev.DAIMINKAN: DAIMINKAN}


class Discard:
    """A tile in a river: its code, whether it was tsumogiri, sideways (riichi), and called."""

    __slots__ = ("called", "riichi", "tile", "tsumogiri")

    def __init__(self, tile: int, tsumogiri: bool, riichi: bool) -> None:
        self.tile = tile
        self.tsumogiri = tsumogiri
        self.riichi = riichi
        self.called = False


_STATE: Final = (
    "_sideways_due",
    "all_yaochuu",
    "bakaze",
    "claimed_kan",
    "declared",
    "declaring",
    "dora_due",
    "dora_markers",
    "draws",
    "honba",
    "ippatsu",
    "kept",
    "kuikae",
    "kyoku",
    "kyotaku",
    "last",
    "liable",
    "oya",
    "phase",
    "riichi",
    "riichi_furiten",
    "rinshan",
    "rinshan_draws",
    "rinshan_feeder",
    "river_mask",
    "scores",
    "temp_furiten",
    "turn",
    "uninterrupted",
    "wins",
)


class Table:
    """One hand's state; lists are indexed by seat 0-3, masks have a bit for each kind.

    Attributes:
        bakaze, kyoku, oya, honba, kyotaku, scores, kept, wins: as in `events.StartKyoku`.
        phase: `IDLE` .. `OVER`; turn: the seat that drew, called or discarded last.
        last: tile code that may be claimed: the discard, or the tile of a kan; -1 for none.
        claimed_kan: meld type of the kan that may be robbed, -1 for none.
        hands, rivers, dora_markers: what lies there.
        river_mask: kinds in the own river. all_yaochuu: no discard but terminals and honours,
            none called (RULES 5.5).
        live_left: draws left (RULES 1.3). draws, rinshan_draws: tiles taken so far.
        dora_due: kan-dora indicators that have yet to turn (RULES 2.9).
        uninterrupted: no call and no kan by anyone so far.
        riichi: kind of riichi in force, `win.NO_RIICHI` when none. declaring: the seat whose
            riichi waits for its discard to survive, -1 for none; declared: its kind.
        ippatsu: still within the go-round. temp_furiten, riichi_furiten: RULES 4.2, 4.3.
        kuikae: kinds that the seat that has just called must not discard (RULES 2.7).
        rinshan: the seat on turn has drawn from the dead wall.
        rinshan_feeder: who fed the daiminkan of this rinshan draw, -1 for none.
        liable: (yaku id, seat) pairs that a seat's win would make pay (RULES 7.6).
    """

    __slots__ = ("hands", "rivers", "rules", *_STATE)

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.bakaze = 0
        self.kyoku = 1
        self.oya = 0
        self.honba = 0
        self.kyotaku = 0
        self.kept = 0
        self.wins = 0
        self.scores: list[int] = [rules.start] * 4
        self.phase = IDLE
        self.turn = -1
        self.last = -1
        self.hands: list[Hand] = []
        self.rivers: list[list[Discard]] = [[], [], [], []]
        self.dora_markers: list[int] = []
        self.river_mask = [0, 0, 0, 0]
        self.all_yaochuu = [True, True, True, True]
        self.draws = 0
        self.rinshan_draws = 0
        self.dora_due = 0
        self.uninterrupted = True
        self.riichi = [NO_RIICHI] * 4
        self.declaring = -1
        self.declared = NO_RIICHI
        self.ippatsu = [False] * 4
        self.temp_furiten = [False] * 4
        self.riichi_furiten = [False] * 4
        self.kuikae = 0
        self.rinshan = False
        self.rinshan_feeder = -1
        self.liable: list[list[tuple[str, int]]] = [[], [], [], []]
        self.claimed_kan = -1
        self._sideways_due = [False] * 4

    @property
    def live_left(self) -> int:
        """Tiles that can still be drawn from the live wall (RULES 1.3)."""
        return LIVE_DRAWS - self.draws - self.rinshan_draws

    @property
    def kans(self) -> int:
        """Kans made by all seats together."""
        return sum(hand.kans for hand in self.hands)

    def seat_wind(self, seat: int) -> int:
        """Wind of a seat, 0-3 (RULES 1.5)."""
        return (seat - self.oya) % 4

    def is_first_turn(self, seat: int) -> bool:
        """Before the seat's first discard, no call or kan by anyone so far."""
        return self.uninterrupted and not self.rivers[seat]

    def is_furiten(self, seat: int) -> bool:
        """Whether the seat may not win by ron (RULES 4)."""
        return (
            self.riichi_furiten[seat]
            or self.temp_furiten[seat]
            or (self.hands[seat].waits() & self.river_mask[seat]) != 0
        )

    # ------------------------------------------------------------------ the fold

    def apply(self, event: ev.Event) -> None:
        """Take one event of this hand, full or masked, in order."""
        if self.phase in (DISCARDED, KAN_WINDOW) and not isinstance(event, ev.Hora):
            self._close_window()
        if isinstance(event, ev.Tsumo):
            self._tsumo(event)
        elif isinstance(event, ev.Dahai):
            self._dahai(event)
        elif isinstance(event, ev.Naki):
            self._naki(event)
        elif isinstance(event, ev.Kakan):
            self._kakan(event)
        elif isinstance(event, ev.Ankan):
            self._ankan(event)
        elif isinstance(event, ev.Dora):
            self.dora_markers.append(event.dora_marker)
            self.dora_due -= 1
        elif isinstance(event, ev.Reach):
            self._reach(event)
        elif isinstance(event, ev.ReachAccepted):
            self._reach_accepted(event)
        elif isinstance(event, ev.StartKyoku):
            self._start(event)
        elif isinstance(event, ev.Hora):
            if self.phase == KAN_WINDOW:
                self._void_kan()
            self.scores = list(event.scores)
            self.kyotaku = 0
            self.phase = OVER
        elif isinstance(event, ev.Ryukyoku):
            self.scores = list(event.scores)
            if event.reason == ev.NAGASHI_MANGAN and self.rules.nagashi == "win":
                self.kyotaku = 0
            self.phase = OVER

    def _start(self, event: ev.StartKyoku) -> None:
        self.bakaze = event.bakaze
        self.kyoku = event.kyoku
        self.oya = event.oya
        self.honba = event.honba
        self.kyotaku = event.kyotaku
        self.kept = event.kept
        self.wins = event.wins
        self.scores = list(event.scores)
        self.hands = [Hand(tiles) for tiles in event.tehais]
        self.dora_markers = [event.dora_marker]

    def _tsumo(self, event: ev.Tsumo) -> None:
        seat = event.actor
        if self.phase == KAN:
            self.rinshan = True
            self.rinshan_draws += 1
        else:
            self.rinshan = False
            self.rinshan_feeder = -1
            self.draws += 1
        self.hands[seat].draw(event.pai)
        if self.rules.temp_furiten_end == "own_draw":
            self.temp_furiten[seat] = False
        self.turn = seat
        self.last = -1
        self.phase = DRAWN

    def _dahai(self, event: ev.Dahai) -> None:
        seat = event.actor
        tile = event.pai
        kind = KIND[tile]
        hand = self.hands[seat]
        if self.riichi[seat]:
            self.ippatsu[seat] = False
            # RULES 4.3: an own winning draw that is let go.
            if hand.known and hand.drawn >= 0 and hand.waits() >> KIND[hand.drawn] & 1:
                self.riichi_furiten[seat] = True
        hand.discard(tile)
        self.river_mask[seat] |= 1 << kind
        self.all_yaochuu[seat] = self.all_yaochuu[seat] and IS_YAOCHUU[kind]
        self.rivers[seat].append(Discard(tile, event.tsumogiri, self._sideways_due[seat]))
        self._sideways_due[seat] = False
        if self.rules.temp_furiten_end == "own_discard":
            self.temp_furiten[seat] = False
        self.kuikae = 0
        self.turn = seat
        self.last = tile
        self.phase = DISCARDED

    def _naki(self, event: ev.Naki) -> None:
        seat = event.actor
        meld = Meld(_NAKI_MELD[event.type], (event.pai, *event.consumed), event.pai, event.target)
        hand = self.hands[seat]
        hand.lay(meld, event.consumed)
        discard = self.rivers[event.target][-1]
        discard.called = True
        self._sideways_due[event.target] = discard.riichi
        self.all_yaochuu[event.target] = False
        self._interrupt()
        self._note_liable(seat, event.target, meld)
        self.rinshan = False
        self.turn = seat
        self.last = -1
        if event.type == ev.DAIMINKAN:
            self.rinshan_feeder = event.target
            self.dora_due += 1
            self.phase = KAN
        else:
            self.kuikae = kuikae_mask(self.rules.kuikae, event.pai, event.consumed)
            self.phase = CALLED

    def _kakan(self, event: ev.Kakan) -> None:
        seat = event.actor
        hand = self.hands[seat]
        kind = KIND[event.pai]
        pon = next(m for m in hand.melds if m.type == PON and m.kind == kind)
        hand.extend(
            Meld(KAKAN, (*pon.tiles, event.pai), pon.called, pon.target, event.pai), event.pai
        )
        self._open_kan(seat, event.pai, KAKAN)

    def _ankan(self, event: ev.Ankan) -> None:
        meld = Meld(ANKAN, event.consumed)
        self.hands[event.actor].lay(meld, event.consumed)
        self._open_kan(event.actor, event.consumed[0], ANKAN)

    def _open_kan(self, seat: int, tile: int, meld_type: int) -> None:
        # The kan becomes real when the window closes (RULES 2.3, 2.8).
        self.turn = seat
        self.last = tile
        self.rinshan_feeder = -1
        self.dora_due += 1
        self.claimed_kan = meld_type
        self.phase = KAN_WINDOW

    def _void_kan(self) -> None:
        hand = self.hands[self.turn]
        kind = KIND[self.last]
        kan = next(m for m in hand.melds if m.type == self.claimed_kan and m.kind == kind)
        hand.void_kan(kan, self.last)
        self.dora_due -= 1

    def _reach(self, event: ev.Reach) -> None:
        seat = event.actor
        double = self.is_first_turn(seat)
        if event.open:
            double = double and self.rules.open_double_riichi
            self.declared = OPEN_DOUBLE if double else OPEN
        else:
            self.declared = DOUBLE if double else RIICHI
        self.declaring = seat
        self._sideways_due[seat] = True
        self.phase = DECLARED

    def _reach_accepted(self, event: ev.ReachAccepted) -> None:
        seat = event.actor
        self.scores = list(event.scores)
        self.kyotaku += 1
        self.riichi[seat] = self.declared
        self.ippatsu[seat] = True
        self.declaring = -1
        self.declared = NO_RIICHI

    def _close_window(self) -> None:
        """The tile was not won: whoever waited for it is furiten; a kan becomes real."""
        bit = 1 << KIND[self.last]
        ankan = self.phase == KAN_WINDOW and self.claimed_kan == ANKAN
        for seat in range(4):
            hand = self.hands[seat]
            if seat == self.turn or not hand.waits() & bit:
                continue
            if ankan and not (self.rules.kokushi_rob_ankan and hand.is_kokushi_tenpai()):
                continue
            if self.riichi[seat]:
                self.riichi_furiten[seat] = True
            else:
                self.temp_furiten[seat] = True
        if self.phase == KAN_WINDOW:
            self._interrupt()
            self.claimed_kan = -1
            self.phase = KAN
        else:
            self.phase = IDLE

    def _interrupt(self) -> None:
        """A call or kan: nobody's first go-round or ippatsu survives (RULES 2.8)."""
        self.uninterrupted = False
        self.ippatsu = [False] * 4

    def _note_liable(self, seat: int, feeder: int, meld: Meld) -> None:
        """RULES 7.6: the feeder of the set that makes a yakuman certain is liable."""
        rules = self.rules
        melds = self.hands[seat].melds
        kinds = [m.kind for m in melds if m.type != CHI]
        mine = self.liable[seat]
        if rules.pao and meld.type != CHI:
            if meld.kind >= HAKU and sum(1 for k in kinds if k >= HAKU) == 3:
                mine.append(("daisangen", feeder))
            elif 27 <= meld.kind < HAKU and sum(1 for k in kinds if 27 <= k < HAKU) == 4:
                mine.append(("daisuushii", feeder))
        if rules.pao_suukantsu and meld.type == DAIMINKAN and sum(m.is_kan for m in melds) == 4:
            mine.append(("suukantsu", feeder))
        if rules.pao_local and len(melds) == 4:
            low = min(m.kind for m in melds)
            if len(kinds) == 4 and low <= low // 9 * 9 + 5 < 27:
                if rules.suurenkou and sorted(kinds) == [low, low + 1, low + 2, low + 3]:
                    mine.append(("suurenkou", feeder))
            elif not kinds and rules.isshoku_yonjun and all(m.kind == low for m in melds):
                mine.append(("isshoku_yonjun", feeder))

    def snapshot(self) -> dict[str, object]:
        """Everything that this state is, as plain comparable values."""
        plain: dict[str, object] = {name: getattr(self, name) for name in _STATE}
        plain["hands"] = [(h.tiles(), h.drawn, tuple(h.melds), h.size) for h in self.hands]
        plain["rivers"] = [
            [(d.tile, d.tsumogiri, d.riichi, d.called) for d in river] for river in self.rivers
        ]
        return {
            name: list(value) if isinstance(value, list) else value for name, value in plain.items()
        }


def kuikae_mask(rule: str, called: int, consumed: tuple[int, ...]) -> int:
    """Kinds that may not be discarded after calling `called` with `consumed` (RULES 2.7)."""
    if rule == "allowed":
        return 0
    kind = KIND[called]
    mask = 1 << kind
    low, high = sorted((KIND[consumed[0]], KIND[consumed[1]]))
    if rule == "forbidden" and high == low + 1:
        other = high + 1 if kind == low - 1 else low - 1
        if other >= 0 and other // 9 == low // 9:
            mask |= 1 << other
    return mask
