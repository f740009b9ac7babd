"""The catalogue as one ruleset plays it: from facts to yaku, every answer remembered."""

from __future__ import annotations

from typing import Final

from ..payments import LIMIT_BASE
from ..rules import Ruleset
from . import facts as f
from .catalogue import CATALOGUE, Test, Value

_PAGE_LIMIT: Final = 200_000
_BOOK_LIMIT: Final = 64


class Verdict:
    """The yaku of one reading.

    Attributes:
        yaku: id and han of each yaku, in catalogue order; only the yakuman and their multiples
            when there is one.
        han: han from yaku, 0 with yakuman. yakuman: sum of multiples, before stack and cap.
        floor: name of the limit below which the hand does not pay, or empty.
        pinfu: whether pinfu is among the yaku. fixed: worth its han whatever the tiles are, so
            without fu and dora (shiisan puutou as mangan).
    """

    __slots__ = ("fixed", "floor", "han", "pinfu", "yaku", "yakuman")

    def __init__(
        self, yaku: tuple[tuple[str, Value], ...], yakuman: Value, floor: str, fixed: bool
    ) -> None:
        self.yaku = yaku
        self.yakuman = yakuman
        self.han = 0 if yakuman else sum(int(value) for _, value in yaku)
        self.floor = floor
        self.pinfu = any(name == "pinfu" for name, _ in yaku)
        self.fixed = fixed


class Book:
    """The tests of every yaku under one ruleset.

    Attributes:
        rules: the ruleset.
        pages: moment facts, to hand facts, to the verdict.
        riichi: moment facts of each kind of riichi. An open riichi that is not played is the
            plain riichi that it contains.
    """

    __slots__ = ("_replaces", "_tests", "pages", "riichi", "rules")

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.pages: dict[int, dict[int, Verdict]] = {}
        self._tests: list[tuple[str, tuple[Test, ...]]] = []
        self._replaces: dict[str, tuple[str, ...]] = {}
        for yaku in CATALOGUE:
            tests = yaku.tests(rules)
            if tests:
                self._tests.append((yaku.id, tests))
                self._replaces[yaku.id] = yaku.replaces
        opened = f.OPEN_RIICHI if rules.open_riichi else 0
        doubled = f.OPEN_DOUBLE_RIICHI if rules.open_double_riichi else 0
        self.riichi: tuple[int, ...] = (
            0,
            f.ANY_RIICHI | f.RIICHI,
            f.ANY_RIICHI | f.DOUBLE_RIICHI,
            f.ANY_RIICHI | (opened or f.RIICHI),
            f.ANY_RIICHI | (doubled or opened or f.DOUBLE_RIICHI),
        )

    def judge(self, moment: int, hand: int) -> Verdict:
        """The yaku of a reading with these facts."""
        page = self.pages.get(moment)
        if page is None:
            page = self.pages[moment] = {}
        verdict = page.get(hand)
        if verdict is None:
            if len(page) >= _PAGE_LIMIT:
                page.clear()
            verdict = page[hand] = self._judge(moment, hand)
        return verdict

    def _judge(self, moment: int, hand: int) -> Verdict:
        found: dict[str, tuple[bool, Value]] = {}
        floor = ""
        for name, tests in self._tests:
            for test in tests:
                if (
                    hand & test.needs != test.needs
                    or hand & test.bars
                    or moment & test.when != test.when
                    or moment & test.unless
                ):
                    continue
                value = test.closed if moment & f.CLOSED else test.open
                if test.floor and moment & f.CLOSED:
                    floor = test.floor
                elif not value:
                    continue
                found[name] = max((test.yakuman, value), found.get(name, (False, 0)))
        replaced = {other for name in found for other in self._replaces[name]}
        kept = {name: what for name, what in found.items() if name not in replaced}
        if "paarenchan" in kept and len(kept) == 1 and self.rules.paarenchan_needs_yaku:
            kept = {}
        yakuman = [(name, value) for name, (is_yakuman, value) in kept.items() if is_yakuman]
        if yakuman:
            return Verdict(tuple(yakuman), sum(value for _, value in yakuman), "", False)
        ordinary = tuple((name, value) for name, (_, value) in kept.items())
        return Verdict(ordinary, 0, floor, "shiisan_puutou" in kept)

    def floor_base(self, verdict: Verdict) -> int:
        """Base points below which the hand does not pay; 0 for none."""
        return LIMIT_BASE[verdict.floor] if verdict.floor else 0


_BOOKS: Final[dict[Ruleset, Book]] = {}
_last: Book = Book(Ruleset())


def book_of(rules: Ruleset) -> Book:
    """The book of a ruleset; equal rulesets share one."""
    global _last
    book = _last
    if book.rules is rules:
        return book
    known = _BOOKS.get(rules)
    if known is None:
        if len(_BOOKS) >= _BOOK_LIMIT:
            _BOOKS.clear()
        known = _BOOKS[rules] = Book(rules)
    _last = known
    return known
