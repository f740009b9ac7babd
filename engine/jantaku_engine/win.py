"""The win evaluator: whether a hand wins, with which yaku, and what it pays (RULES 5, 7).

Every ron and tsumo, offered, claimed or settled, is decided by `evaluate`. It tries every
reading of the tiles and keeps the one that pays most; then the one with a real yakuman, with
more han, with more fu (RULES 5.1). Furiten is not its business, and who pays under pao neither.
"""

from __future__ import annotations

from typing import Final

from .fu import PAIR_FU, FuParts, fu_parts, total_fu
from .melds import ANKAN, Meld
from .payments import LIMIT_BASE, hand_base, ron_points, tsumo_points, yakuman_base
from .readings import (
    COLOUR_FACTS,
    MELDS,
    PAIR_SHIFT,
    PAIRS_SHIFT,
    SUITS,
    WINNING_SUITS,
    Part,
    is_unconnected,
    read_meld,
    read_suit,
    read_winning_suit,
    reading_facts,
)
from .rules import Ruleset
from .shapes import ONES, SUIT_MASK, is_chiitoitsu, is_kokushi
from .tiles import DORA_OF, KIND, check_possible
from .yaku import facts as f
from .yaku.book import Book, Verdict, book_of

NO_RIICHI: Final = 0
RIICHI: Final = 1
DOUBLE: Final = 2
OPEN: Final = 3
OPEN_DOUBLE: Final = 4

RIICHI_NAMES: Final = ("none", "riichi", "double", "open", "open_double")
"""Name of each kind of riichi, by number."""

NOT_COMPLETE: Final = "not_complete"
NO_YAKU: Final = "no_yaku"
BELOW_MINIMUM: Final = "below_minimum"


class WinError(ValueError):
    """Tiles or facts that cannot be a winning hand to ask about."""


class Win:
    """The question: a hand, its winning tile, and the moment. Immutable by convention.

    Attributes:
        hand: concealed tile codes without the winning tile, 13 - 3 for each meld.
        win_tile: tile code. melds: laid-down sets.
        tsumo: drawn by oneself; otherwise a ron.
        seat_wind, round_wind: 0-3, East to North; seat wind East is the dealer.
        riichi: `NO_RIICHI` .. `OPEN_DOUBLE`. ippatsu: within the go-round after it.
        last_tile: no live tile is left, so haitei or houtei.
        rinshan: tsumo: the tile came from the dead wall; ron: the discarder had just drawn
            from it.
        chankan: the ron takes the tile of a kan.
        first_turn: nobody has called, and it is the first own turn (tenhou, chiihou) or before
            it (renhou).
        dora, ura: indicators, tile codes. Ura are looked at in riichi only.
        honba: counters on the table. discarder_riichi: whether the discarder is in riichi.
        kept: times the dealer has kept the deal before this hand. wins: wins of the dealer in
            a row before this hand.
    """

    __slots__ = (
        "chankan",
        "discarder_riichi",
        "dora",
        "first_turn",
        "hand",
        "honba",
        "ippatsu",
        "kept",
        "last_tile",
        "melds",
        "riichi",
        "rinshan",
        "round_wind",
        "seat_wind",
        "tsumo",
        "ura",
        "win_tile",
        "wins",
    )

    def __init__(
        self,
        hand: tuple[int, ...],
        win_tile: int,
        melds: tuple[Meld, ...] = (),
        tsumo: bool = False,
        seat_wind: int = 0,
        round_wind: int = 0,
        riichi: int = NO_RIICHI,
        ippatsu: bool = False,
        last_tile: bool = False,
        rinshan: bool = False,
        chankan: bool = False,
        first_turn: bool = False,
        dora: tuple[int, ...] = (),
        ura: tuple[int, ...] = (),
        honba: int = 0,
        discarder_riichi: bool = False,
        kept: int = 0,
        wins: int = 0,
    ) -> None:
        self.hand = hand
        self.win_tile = win_tile
        self.melds = melds
        self.tsumo = tsumo
        self.seat_wind = seat_wind
        self.round_wind = round_wind
        self.riichi = riichi
        self.ippatsu = ippatsu
        self.last_tile = last_tile
        self.rinshan = rinshan
        self.chankan = chankan
        self.first_turn = first_turn
        self.dora = dora
        self.ura = ura
        self.honba = honba
        self.discarder_riichi = discarder_riichi
        self.kept = kept
        self.wins = wins

    @property
    def closed(self) -> bool:
        """No chi, pon, daiminkan or kakan."""
        return all(meld.type == ANKAN for meld in self.melds)

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tile codes: concealed, winning, laid down."""
        return (*self.hand, self.win_tile, *(tile for meld in self.melds for tile in meld.tiles))


class WinResult:
    """The answer. Immutable by convention.

    Attributes:
        win: whether it is a win. reason: why not, empty for a win: `not_complete`, `no_yaku`,
            `below_minimum`.
        yaku: id and han of each yaku in catalogue order; with yakuman only these, with their
            multiples.
        dora, ura, aka: han from dora.
        han: all han, 0 with yakuman. fu: rounded; 0 where fu do not count.
        yakuman: the multiple that is paid, 0 for none.
        limit: `none`, `mangan`, `haneman`, `baiman`, `sanbaiman`, `yakuman`, `kazoe_yakuman`.
        base: base points, see `payments`.
        pay_discarder, pay_dealer, pay_others: what each payer pays, with honba, without
            deposits; 0 where that payer does not exist.
    """

    __slots__ = (
        "_question",
        "_reading",
        "aka",
        "base",
        "dora",
        "fu",
        "han",
        "limit",
        "pay_dealer",
        "pay_discarder",
        "pay_others",
        "reason",
        "ura",
        "win",
        "yaku",
        "yakuman",
    )

    def __init__(
        self,
        reason: str,
        yaku: tuple[tuple[str, float], ...] = (),
        dora: int = 0,
        ura: int = 0,
        aka: int = 0,
        han: int = 0,
        fu: int = 0,
        yakuman: float = 0,
        limit: str = "none",
        base: int = 0,
    ) -> None:
        self.win = not reason
        self.reason = reason
        self.yaku = yaku
        self.dora = dora
        self.ura = ura
        self.aka = aka
        self.han = han
        self.fu = fu
        self.yakuman = yakuman
        self.limit = limit
        self.base = base
        self.pay_discarder = 0
        self.pay_dealer = 0
        self.pay_others = 0
        self._question: tuple[Win, Ruleset] | None = None
        self._reading: Part | None = None

    @property
    def fu_parts(self) -> FuParts:
        """Name and fu of each part; their sum, rounded up to 10, is `fu` (RULES 7.1).

        Empty where fu do not count.
        """
        if self._question is None or not self.fu:
            return ()
        win, rules = self._question
        if self._reading is None:
            return (("seven pairs", self.fu),)
        return fu_parts(
            self._reading,
            win.melds,
            KIND[win.win_tile],
            _pair_fu(win, rules, self._reading[2]),
            win.closed,
            win.tsumo,
            any(name == "pinfu" for name, _ in self.yaku),
            rules.open_pinfu_fu,
        )

    def __repr__(self) -> str:
        if not self.win:
            return f"<WinResult {self.reason}>"
        yaku = ", ".join(f"{name} {value:g}" for name, value in self.yaku)
        return f"<WinResult {yaku}; {self.han} han {self.fu} fu {self.limit}, base {self.base}>"


# The concealed tiles are added up in two integers, three bits a kind: m and p in one, s,
# honours and the number of red fives in the other.
_REDS_SHIFT: Final = 48
_HONOURS_MASK: Final = (1 << 21) - 1
_MP: Final = tuple(1 << 3 * kind if kind < 18 else 0 for kind in KIND[:37])
_SZ: Final = tuple(
    (1 << 3 * (kind - 18) if kind >= 18 else 0) + (code >= 34) * (1 << _REDS_SHIFT)
    for code, kind in enumerate(KIND[:37])
)
_NINE_GATES: Final = 0o311111113
_ONE_TILE: Final = frozenset(1 << 3 * rank for rank in range(9))
_WHEEL: Final = 0o022222220


def _pair_fu(win: Win, rules: Ruleset, shape: int) -> int:
    table = PAIR_FU[rules.double_wind_pair_fu]
    return table[win.seat_wind * 4 + win.round_wind][shape >> PAIR_SHIFT]


def evaluate(win: Win, rules: Ruleset) -> WinResult:
    """Whether this is a win under these rules, and what it is worth.

    The tiles are taken as they are: `check_win` says whether they can be.
    """
    melds = win.melds
    if len(win.hand) + 3 * len(melds) != 13:
        return WinResult(NOT_COMPLETE)
    win_tile = win.win_tile
    mp = _MP[win_tile]
    sz = _SZ[win_tile]
    for tile in win.hand:
        mp += _MP[tile]
        sz += _SZ[tile]
    codes = (mp & SUIT_MASK, mp >> 27, sz & SUIT_MASK, sz >> 27 & _HONOURS_MASK)

    sequences = triplets = shape = colours = 0
    closed = True
    for meld in melds:
        laid = MELDS[meld.type].get(meld.tiles)
        if laid is None:
            laid = read_meld(meld)
        colours |= laid[0]
        part = laid[1]
        sequences += part[0]
        triplets += part[1]
        shape += part[2]
        if meld.type != ANKAN:
            closed = False
        for tile in meld.tiles:
            mp += _MP[tile]
            sz += _SZ[tile]

    kind = KIND[win_tile]
    win_suit = kind // 9
    tsumo = win.tsumo
    code = codes[win_suit]
    suit = WINNING_SUITS[win_suit * 2 + tsumo].get(code << 4 | kind % 9)
    if suit is None:
        suit = read_winning_suit(win_suit, code, kind % 9, tsumo)
    colours |= suit[0]
    readings = suit[1]
    for other, code in enumerate(codes):
        if not code or other == win_suit:
            continue
        suit = SUITS[other].get(code)
        if suit is None:
            suit = read_suit(other, code)
        colours |= suit[0]
        parts = suit[1]
        if len(parts) == 1:
            part = parts[0]
            sequences += part[0]
            triplets += part[1]
            shape += part[2]
        else:
            readings = tuple(
                [(x[0] + y[0], x[1] + y[1], x[2] + y[2]) for x in readings for y in parts]
            )

    book = book_of(rules)
    choice = _Choice(win, book, closed, mp, sz)
    tile_facts = COLOUR_FACTS[colours]
    if tile_facts & f.ONE_SUIT and not tile_facts & f.HAS_HONOUR:
        tile_facts |= _one_suit_facts(codes[win_suit], kind % 9, mp, melds)
    for reading in readings:
        part = (reading[0] + sequences, reading[1] + triplets, reading[2] + shape)
        if part[2] >> PAIRS_SHIFT & 7 == 1:
            choice.read(part, tile_facts)
    if not melds:
        _read_other_forms(choice, codes, kind, tile_facts)
    return choice.result()


def _one_suit_facts(code: int, rank: int, mp: int, melds: tuple[Meld, ...]) -> int:
    """Hand facts that only a hand of one suit can have; `code` is its concealed part."""
    facts = 0
    if not melds:
        rest = code - _NINE_GATES
        if rest in _ONE_TILE:
            facts |= f.NINE_GATES
            if rest == 1 << 3 * rank:
                facts |= f.NINE_GATES_9
        elif code == _WHEEL:
            facts |= f.WHEEL
    manzu = mp & SUIT_MASK
    if manzu:
        total = sum((rank + 1) * (manzu >> 3 * rank & 7) for rank in range(9))
        if total >= 100:
            facts |= f.SUM_100
        if total > 100:
            facts |= f.SUM_OVER_100
    return facts


def _read_other_forms(
    choice: _Choice, codes: tuple[int, int, int, int], kind: int, tile_facts: int
) -> None:
    """Offer seven pairs, thirteen orphans and thirteen unconnected tiles, where they are."""
    m, p, s, z = codes
    if not (m | p | s | z) & ~(2 * ONES):
        if is_chiitoitsu(codes):
            choice.read_form(tile_facts | f.SEVEN_PAIRS, True)
    elif tile_facts & f.ALL_YAOCHUU:
        if is_kokushi(codes):
            doubled = codes[kind // 9] >> 3 * (kind % 9) & 7 == 2
            facts = f.ORPHANS | f.ORPHANS_13 if doubled else f.ORPHANS
            choice.read_form(tile_facts | facts, False)
    elif choice.win.first_turn and is_unconnected(codes):
        choice.read_form(tile_facts | f.UNCONNECTED, False)


def _moment(win: Win, book: Book, closed: bool) -> int:
    """Moment facts of a win."""
    dealer = win.seat_wind == 0
    moment = book.riichi[win.riichi]
    if closed:
        moment |= f.CLOSED
    if dealer:
        moment |= f.DEALER
        if win.kept >= 8:
            moment |= f.KEPT_EIGHT
        if win.wins >= 7:
            moment |= f.WON_SEVEN
    if win.tsumo:
        moment |= f.TSUMO
    else:
        moment |= f.RON
        if not win.discarder_riichi:
            moment |= f.DISCARDER_UNDECLARED
    if win.first_turn and not win.melds:
        if win.tsumo:
            moment |= f.TENHOU if dealer else f.CHIIHOU
        elif not dealer:
            moment |= f.RENHOU
    if win.ippatsu:
        moment |= f.IPPATSU
    if win.rinshan:
        moment |= f.RINSHAN
    if win.chankan:
        moment |= f.CHANKAN
    if win.last_tile:
        moment |= f.LAST_TILE
    return moment


def _count(indicators: tuple[int, ...], all_counted: bool, mp: int, sz: int) -> int:
    """Dora of these indicators among the tiles; only the first one counts without kan dora."""
    count = 0
    for indicator in indicators if all_counted else indicators[:1]:
        dora = DORA_OF[KIND[indicator]]
        count += (mp >> 3 * dora if dora < 18 else sz >> 3 * (dora - 18)) & 7
    return count


class _Choice:
    """The best reading so far, of one question."""

    __slots__ = (
        "aka",
        "base",
        "book",
        "closed",
        "dora",
        "fu",
        "han",
        "has_yaku",
        "limit",
        "minimum",
        "moment",
        "pair_fu",
        "part",
        "ura",
        "verdict",
        "win",
        "wind_triplets",
        "yakuman",
    )

    def __init__(self, win: Win, book: Book, closed: bool, mp: int, sz: int) -> None:
        rules = book.rules
        self.win = win
        self.book = book
        self.closed = closed
        self.moment = _moment(win, book, closed)
        self.dora = _count(win.dora, rules.kan_dora, mp, sz) if win.dora else 0
        self.ura = 0
        if win.riichi and win.ura and rules.ura_dora:
            self.ura = _count(win.ura, rules.kan_dora and rules.kan_ura, mp, sz)
        self.aka = sz >> _REDS_SHIFT
        self.minimum = rules.min_han
        if rules.shibari2_honba != "off" and win.honba >= rules.shibari2_honba:
            self.minimum = max(2, rules.min_han)
        self.pair_fu = PAIR_FU[rules.double_wind_pair_fu][win.seat_wind * 4 + win.round_wind]
        self.wind_triplets = (1 << 27 + win.seat_wind, 1 << 27 + win.round_wind)
        self.has_yaku = False
        self.verdict: Verdict | None = None
        self.part: Part | None = None
        self.base = self.han = self.fu = 0
        self.yakuman: float = 0
        self.limit = NOT_COMPLETE

    def read(self, part: Part, tile_facts: int) -> None:
        """Offer a reading in groups and one pair."""
        facts = tile_facts | reading_facts(part)
        seat, round_ = self.wind_triplets
        if part[1] & seat:
            facts |= f.SEAT_WIND_TRIPLET
        if part[1] & round_:
            facts |= f.ROUND_WIND_TRIPLET
        pair_fu = self.pair_fu[part[2] >> PAIR_SHIFT]
        if pair_fu:
            facts |= f.VALUED_PAIR
        verdict = self.book.judge(self.moment, facts)
        fu = total_fu(
            part[2],
            pair_fu,
            self.closed,
            self.win.tsumo,
            verdict.pinfu,
            self.book.rules.open_pinfu_fu,
        )
        self.weigh(verdict, fu, part)

    def read_form(self, facts: int, seven_pairs: bool) -> None:
        """Offer a form that is not four groups and a pair."""
        fu = 0
        if seven_pairs:
            fu = 25 if self.book.rules.chiitoitsu == "2han25fu" else 50
        self.weigh(self.book.judge(self.moment, facts), fu, None)

    def weigh(self, verdict: Verdict, fu: int, part: Part | None) -> None:
        """Keep this reading when it is a win and better than the best so far."""
        rules = self.book.rules
        han = 0
        yakuman: float = 0
        if verdict.yakuman:
            fu = 0
            limit = "yakuman"
            yakuman = self._paid_multiple(verdict.yakuman)
            base = yakuman_base(yakuman)
        else:
            if verdict.han:
                self.has_yaku = True
            if verdict.han < self.minimum and not verdict.floor:
                if self.limit == NOT_COMPLETE:
                    self.limit = NO_YAKU
                return
            han = verdict.han
            if not verdict.fixed:
                han += self.dora + self.ura + self.aka
            base, limit = hand_base(han, fu, rules.kiriage, rules.kazoe)
            if verdict.floor and LIMIT_BASE[verdict.floor] > base:
                base = LIMIT_BASE[verdict.floor]
                limit = verdict.floor
        if self.verdict is None or (base, yakuman > 0, han, fu) > (
            self.base,
            self.yakuman > 0,
            self.han,
            self.fu,
        ):
            self.verdict = verdict
            self.part = part
            self.base = base
            self.han = han
            self.fu = fu
            self.yakuman = yakuman
            self.limit = limit

    def _paid_multiple(self, multiple: float) -> float:
        """The sum of multiples after the options on dora, stacking and the cap (RULES 5.6)."""
        rules = self.book.rules
        if rules.yakuman_add_dora:
            bonus = self.dora + self.ura + self.aka
            multiple = max(multiple, int((13 * multiple + bonus) // 13))
        if not rules.yakuman_stack:
            return 1
        if rules.yakuman_cap != "none":
            return min(multiple, rules.yakuman_cap)
        return multiple

    def result(self) -> WinResult:
        """The answer: the best reading, or why there is none."""
        verdict = self.verdict
        if verdict is None:
            return WinResult(BELOW_MINIMUM if self.has_yaku else self.limit)
        rules = self.book.rules
        counts_dora = rules.yakuman_add_dora if self.yakuman else not verdict.fixed
        found = WinResult(
            "",
            verdict.yaku,
            self.dora if counts_dora else 0,
            self.ura if counts_dora else 0,
            self.aka if counts_dora else 0,
            self.han,
            self.fu,
            self.yakuman,
            self.limit,
            self.base,
        )
        win = self.win
        dealer = win.seat_wind == 0
        honba = win.honba * rules.honba_value
        if win.tsumo:
            from_dealer, from_others = tsumo_points(self.base, dealer)
            found.pay_others = from_others + honba // 3
            if not dealer:
                found.pay_dealer = from_dealer + honba // 3
        else:
            found.pay_discarder = ron_points(self.base, dealer) + honba
        found._question = (win, rules)
        found._reading = self.part
        return found


def check_win(win: Win, rules: Ruleset) -> None:
    """Check that a question can be asked: its tiles can be, and its facts do not contradict.

    Raises:
        TileError: more tiles of a kind, or more red fives, than the rules have.
        WinError: another number of concealed tiles than the melds leave, or facts that no
            moment has.
    """
    wanted = 13 - 3 * len(win.melds)
    if len(win.hand) != wanted:
        laid = f"{len(win.melds)} melds" if len(win.melds) != 1 else "1 meld"
        raise WinError(
            f"{len(win.hand)} concealed tiles with {laid}: write {wanted}, without the winning tile"
        )
    check_possible(win.tiles, rules.aka_dora)
    if win.riichi and not win.closed:
        raise WinError("riichi with an open hand: only ankan may be laid down")
    if win.ippatsu and not win.riichi:
        raise WinError("ippatsu without riichi")
    if win.chankan and win.tsumo:
        raise WinError("chankan with a tsumo: a kan is robbed by ron")
    if win.first_turn and win.melds:
        raise WinError("first turn with melds: nobody has called or made a kan before it")
