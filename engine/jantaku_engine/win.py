"""The win evaluator: whether a hand wins, with which yaku, and what it pays (RULES 5, 7).

Every ron and tsumo, offered, claimed or settled, is decided by `evaluate`. It tries every
reading of the tiles and keeps the one that pays most; then the one with a real yakuman, with
more han, with more fu (RULES 5.1). Furiten is not its business, and who pays under pao neither.
"""

from __future__ import annotations

from typing import Final

from .fu import PAIR_FU, FuParts, fu_parts
from .melds import ANKAN, Meld
from .payments import ron_points, tsumo_points
from .readings import (
    LAID_DOWN,
    MP,
    PAIR_SHIFT,
    PAIRS_SHIFT,
    REDS_SHIFT,
    SUITS,
    SZ,
    WINNING_SUITS,
    Part,
    count_dora,
    read_suit,
    read_winning_suit,
)
from .rules import Ruleset
from .shapes import SUIT_MASK
from .tiles import KIND, check_possible
from .yaku import facts as f
from .yaku.book import Book, book_of
from .yaku.choice import BELOW_MINIMUM, NO_YAKU, NOT_COMPLETE, Choice
from .yaku.entry import Value
from .yaku.reading_facts import COLOUR_FACTS, form_facts, one_suit_facts

__all__ = [
    "BELOW_MINIMUM",
    "DOUBLE",
    "NOT_COMPLETE",
    "NO_RIICHI",
    "NO_YAKU",
    "OPEN",
    "OPEN_DOUBLE",
    "RIICHI",
    "RIICHI_NAMES",
    "Win",
    "WinError",
    "WinResult",
    "check_win",
    "evaluate",
]

NO_RIICHI: Final = 0
RIICHI: Final = 1
DOUBLE: Final = 2
OPEN: Final = 3
OPEN_DOUBLE: Final = 4

RIICHI_NAMES: Final = ("none", "riichi", "double", "open", "open_double")
"""Name of each kind of riichi, by number."""


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
        "_rules",
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
        yaku: tuple[tuple[str, Value], ...] = (),
        dora: int = 0,
        ura: int = 0,
        aka: int = 0,
        han: int = 0,
        fu: int = 0,
        yakuman: Value = 0,
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
        self._question: Win | None = None
        self._rules: Ruleset | None = None
        self._reading: Part | None = None

    @property
    def fu_parts(self) -> FuParts:
        """Name and fu of each part; their sum, rounded up to 10, is `fu` (RULES 7.1).

        Empty where fu do not count.
        """
        win, rules = self._question, self._rules
        if win is None or rules is None or not self.fu:
            return ()
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
    mp = MP[win_tile]
    sz = SZ[win_tile]
    for tile in win.hand:
        mp += MP[tile]
        sz += SZ[tile]

    kind = KIND[win_tile]
    win_suit = kind // 9
    winning_code = (mp if win_suit < 2 else sz) >> 27 * (win_suit & 1) & SUIT_MASK
    suit = WINNING_SUITS[win_suit * 2 + win.tsumo].get(winning_code << 4 | kind % 9)
    if suit is None:
        suit = read_winning_suit(win_suit, winning_code, kind % 9, win.tsumo)
    colours = suit[0]
    readings = suit[1]
    sequences = triplets = shape = 0
    for other in range(4):
        code = (mp if other < 2 else sz) >> 27 * (other & 1) & SUIT_MASK
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
    codes = (mp & SUIT_MASK, mp >> 27, sz & SUIT_MASK, sz >> 27 & SUIT_MASK)

    closed = True
    for meld in melds:
        laid = LAID_DOWN[meld.type * 34 + meld.kind]
        colours |= laid[0]
        sequences += laid[1]
        triplets += laid[2]
        shape += laid[3]
        if meld.type != ANKAN:
            closed = False
        for tile in meld.tiles:
            mp += MP[tile]
            sz += SZ[tile]

    book = book_of(rules)
    dora = count_dora(win.dora if book.every_dora else win.dora[:1], mp, sz)
    ura = 0
    if win.riichi and book.any_ura:
        ura = count_dora(win.ura if book.every_ura else win.ura[:1], mp, sz)
    aka = sz >> REDS_SHIFT
    moment = _moment(win, book, closed)
    choice = Choice(book, moment, win.seat_wind, win.round_wind, win.honba, dora + ura + aka)
    facts = COLOUR_FACTS[colours]
    if facts & f.ONE_SUIT and not facts & f.HAS_HONOUR:
        facts |= one_suit_facts(winning_code, kind % 9, bool(melds), mp & SUIT_MASK)
    for reading in readings:
        part = (reading[0] + sequences, reading[1] + triplets, reading[2] + shape)
        if part[2] >> PAIRS_SHIFT & 7 == 1:
            choice.offer(part, facts)
    if not melds:
        form = form_facts(codes, kind, facts, win.first_turn)
        if form:
            choice.offer_form(facts | form)
    return _result(win, book, choice, dora, ura, aka)


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


def _result(win: Win, book: Book, choice: Choice, dora: int, ura: int, aka: int) -> WinResult:
    """The best reading with its payments, or why there is none."""
    verdict = choice.verdict
    if verdict is None:
        return WinResult(choice.reason)
    if verdict.fixed or (verdict.yakuman and not book.rules.yakuman_add_dora):
        dora = ura = aka = 0
    base = choice.base
    result = WinResult(
        "",
        verdict.yaku,
        dora,
        ura,
        aka,
        choice.han,
        choice.fu,
        choice.yakuman,
        choice.limit,
        base,
    )
    result._question = win
    result._rules = book.rules
    result._reading = choice.part
    dealer = win.seat_wind == 0
    honba = win.honba * book.honba_value
    if win.tsumo:
        from_dealer, from_others = tsumo_points(base, dealer)
        result.pay_others = from_others + honba // 3
        if not dealer:
            result.pay_dealer = from_dealer + honba // 3
    else:
        result.pay_discarder = ron_points(base, dealer) + honba
    return result


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
