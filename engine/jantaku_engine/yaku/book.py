"""The catalogue as one ruleset plays it: from facts to yaku, every answer remembered.

Most yaku ask either only for hand facts or only for moment facts. The two kinds are found and
remembered apart, so that a known hand at a new moment costs no search.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ..fu import PAIR_FU
from ..rules import Ruleset
from . import facts as f
from .catalogue import CATALOGUE, Test, Value

NEVER: Final = 1 << 30
"""More honba than any hand has."""

_UNBOUNDED: Final = 1 << 20
"""More yakuman than any hand counts for."""

_MOST_VERDICTS: Final = 100_000
_MOST_RULESETS: Final = 256


class Found(NamedTuple):
    """A yaku that a hand has."""

    order: int
    id: str
    value: Value
    yakuman: bool
    floor: str


_Entry = tuple[int, int, str, Test]
"""The hand facts that a test needs, the place of its yaku in the catalogue, its id, the test."""


class Verdict:
    """The yaku of one reading.

    Attributes:
        yaku: id and han of each yaku, in catalogue order; only the yakuman and their multiples
            when there is one.
        han: han from yaku, 0 with yakuman. yakuman: sum of multiples, before stack and cap.
        floor: name of the limit below which the hand does not pay, or empty.
        pinfu: whether pinfu is among the yaku. fixed: worth its han whatever the tiles are, so
            without fu and dora (shiisan puutou as mangan).
        unconnected: whether the form is that of shiisan puutou, and counts.
        rest: when the only yakuman needs another yaku (paarenchan), the verdict without it: that
            must be a win by itself.
    """

    __slots__ = ("fixed", "floor", "han", "pinfu", "rest", "unconnected", "yaku", "yakuman")

    def __init__(self, found: list[Found], paarenchan_needs_yaku: bool) -> None:
        yakuman = [yaku for yaku in found if yaku.yakuman]
        self.rest: Verdict | None = None
        if paarenchan_needs_yaku and len(yakuman) == 1 and yakuman[0].id == "paarenchan":
            self.rest = Verdict([yaku for yaku in found if not yaku.yakuman], False)
        self.unconnected = any(yaku.id == "shiisan_puutou" for yaku in found)
        self.yaku: tuple[tuple[str, Value], ...] = tuple(
            [(yaku.id, yaku.value) for yaku in yakuman or found]
        )
        self.yakuman: Value = 0
        self.han = 0
        self.floor = ""
        self.pinfu = False
        self.fixed = False
        for yaku in yakuman:
            self.yakuman += yaku.value
        if yakuman:
            return
        for yaku in found:
            self.han += int(yaku.value)
            self.floor = yaku.floor or self.floor
            if yaku.id == "pinfu":
                self.pinfu = True
        self.fixed = self.unconnected


class Book:
    """The tests of every yaku under one ruleset.

    Attributes:
        rules: the ruleset.
        every_dora, any_ura, every_ura: whether kan-dora count, ura, and ura under kan-dora.
        honba_value, min_han, shibari2_honba, open_pinfu_fu, chiitoitsu_fu, pair_fu, kiriage:
            those options, where every evaluated hand asks for them.
        counted: as how many yakuman 13 han and more may count, 0 for none (`payments.hand_base`).
        riichi: moment facts of each kind of riichi. An open riichi that is not played is the
            plain riichi that it contains.
    """

    __slots__ = (
        "_asked_of_hands",
        "_by_hand",
        "_by_moment",
        "_found_by_hand",
        "_found_by_moment",
        "_hand_mask",
        "_moment_mask",
        "_pages",
        "_replaces",
        "_verdicts",
        "any_ura",
        "chiitoitsu_fu",
        "counted",
        "every_dora",
        "every_ura",
        "honba_value",
        "kiriage",
        "min_han",
        "open_pinfu_fu",
        "pair_fu",
        "riichi",
        "rules",
        "shibari2_honba",
    )

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.every_dora = rules.kan_dora
        self.any_ura = rules.ura_dora
        self.every_ura = rules.kan_dora and rules.kan_ura
        self.honba_value = rules.honba_value
        self.min_han = rules.min_han
        self.shibari2_honba = rules.shibari2_honba if rules.shibari2_honba != "off" else NEVER
        self.open_pinfu_fu: int = rules.open_pinfu_fu
        self.chiitoitsu_fu = 25 if rules.chiitoitsu == "2han25fu" else 50
        self.pair_fu = PAIR_FU[rules.double_wind_pair_fu]
        self.kiriage = rules.kiriage
        self.counted = _counted(rules)
        self._by_hand: list[_Entry] = []
        self._by_moment: list[_Entry] = []
        self._replaces: dict[str, tuple[str, ...]] = {}
        self._hand_mask = 0
        self._moment_mask = f.CLOSED
        # Moment facts that make a difference to a test of a hand.
        self._asked_of_hands = f.CLOSED
        for order, yaku in enumerate(CATALOGUE):
            tests = yaku.tests(rules)
            entries = [(test.needs, order, yaku.id, test) for test in tests]
            asks_of_hand = any(test.needs | test.bars for test in tests)
            for test in tests:
                self._hand_mask |= test.needs | test.bars
                self._moment_mask |= test.when | test.unless
                if asks_of_hand:
                    self._asked_of_hands |= test.when | test.unless
            if asks_of_hand:
                self._by_hand += entries
            else:
                self._by_moment += entries
            if tests and yaku.replaces:
                self._replaces[yaku.id] = yaku.replaces
        self._pages: dict[int, dict[int, Verdict]] = {}
        self._verdicts = 0
        self._found_by_hand: dict[tuple[int, int], list[Found]] = {}
        self._found_by_moment: dict[int, list[Found]] = {}
        opened = f.OPEN_RIICHI if rules.open_riichi else 0
        doubled = f.OPEN_DOUBLE_RIICHI if rules.open_double_riichi else 0
        self.riichi: tuple[int, ...] = (
            0,
            f.ANY_RIICHI | f.RIICHI,
            f.ANY_RIICHI | f.DOUBLE_RIICHI,
            f.ANY_RIICHI | (opened or f.RIICHI),
            f.ANY_RIICHI | (doubled or opened or f.DOUBLE_RIICHI),
        )

    def page(self, moment: int) -> dict[int, Verdict]:
        """Everything remembered of one moment: verdicts by hand facts."""
        moment &= self._moment_mask
        page = self._pages.get(moment)
        if page is None:
            page = self._pages[moment] = {}
        return page

    def judge(self, page: dict[int, Verdict], moment: int, hand: int) -> Verdict:
        """The yaku of a reading with these facts; `page` is that of the moment."""
        hand &= self._hand_mask
        verdict = page.get(hand)
        if verdict is None:
            if self._verdicts >= _MOST_VERDICTS:
                self._forget()
            verdict = page[hand] = Verdict(
                self._found(moment & self._moment_mask, hand), self.rules.paarenchan_needs_yaku
            )
            self._verdicts += 1
        return verdict

    def _forget(self) -> None:
        for page in self._pages.values():
            page.clear()
        self._pages.clear()
        self._found_by_hand.clear()
        self._found_by_moment.clear()
        self._verdicts = 0

    def _found(self, moment: int, hand: int) -> list[Found]:
        asked = moment & self._asked_of_hands
        of_hand = self._found_by_hand.get((asked, hand))
        if of_hand is None:
            of_hand = _search(self._by_hand, asked, hand)
            self._found_by_hand[asked, hand] = of_hand
        of_moment = self._found_by_moment.get(moment)
        if of_moment is None:
            of_moment = _search(self._by_moment, moment, 0)
            self._found_by_moment[moment] = of_moment
        found = sorted(of_hand + of_moment)
        replaced: set[str] = set()
        for yaku in found:
            replaced.update(self._replaces.get(yaku.id, ()))
        if replaced:
            found = [yaku for yaku in found if yaku.id not in replaced]
        return found


def _counted(rules: Ruleset) -> int:
    """As how many yakuman 13 han and more may count (RULES 5.6)."""
    if rules.kazoe == "sanbaiman":
        return 0
    if rules.kazoe == "yakuman" or not rules.yakuman_stack:
        return 1
    return _UNBOUNDED if rules.yakuman_cap == "none" else rules.yakuman_cap


def _search(entries: list[_Entry], moment: int, hand: int) -> list[Found]:
    """The yaku with a test that holds; of several such tests the one that is worth most."""
    closed = moment & f.CLOSED
    best: dict[str, Found] = {}
    for needs, order, name, test in entries:
        if (
            hand & needs != needs
            or hand & test.bars
            or moment & test.when != test.when
            or moment & test.unless
        ):
            continue
        value = test.closed if closed else test.open
        if not value and not (test.floor and closed):
            continue
        known = best.get(name)
        if known is None or (test.yakuman, value) > (known.yakuman, known.value):
            best[name] = Found(order, name, value, test.yakuman, test.floor)
    return list(best.values())


# Rulesets are compared once for each object: the second table maps the identity of a ruleset,
# which it keeps alive, to its book.
_BOOKS: Final[dict[Ruleset, Book]] = {}
_KNOWN: Final[dict[int, tuple[Ruleset, Book]]] = {}


class _Recent:
    """The ruleset asked for last: nearly always the next one too."""

    __slots__ = ("book", "rules")

    def __init__(self) -> None:
        self.rules: Ruleset | None = None
        self.book: Book | None = None


_RECENT: Final = _Recent()


def book_of(rules: Ruleset) -> Book:
    """The book of a ruleset; equal rulesets share one."""
    book = _RECENT.book
    if book is None or _RECENT.rules is not rules:
        book = _RECENT.book = _find_book(rules)
        _RECENT.rules = rules
    return book


def _find_book(rules: Ruleset) -> Book:
    known = _KNOWN.get(id(rules))
    if known is not None:
        return known[1]
    if len(_KNOWN) >= _MOST_RULESETS:
        _KNOWN.clear()
        _BOOKS.clear()
    book = _BOOKS.get(rules)
    if book is None:
        book = _BOOKS[rules] = Book(rules)
    _KNOWN[id(rules)] = (rules, book)
    return book
