"""What a row of the catalogue is made of: a yaku, and clauses by which options change it."""

from __future__ import annotations

from typing import NamedTuple

from ..rules import Ruleset

Value = int | float
"""Han, or the multiple of a yakuman; halves occur (option `dai_yakuman`)."""


class Test(NamedTuple):
    """One way to have a yaku under some rules, and what it is worth that way.

    Attributes:
        needs: hand facts that must all hold. bars: hand facts of which none may hold.
        when: moment facts that must all hold. unless: moment facts of which none may hold.
        closed: han of a closed hand, 0 for none; of a yakuman, the multiple.
        open: the same of an open hand.
        yakuman: whether the values are multiples of a yakuman.
        floor: name of the limit below which the hand does not pay; empty for none.
    """

    needs: int
    bars: int
    when: int
    unless: int
    closed: Value
    open: Value
    yakuman: bool
    floor: str


class Clause(NamedTuple):
    """What is different under an option, or in one of several ways to have a yaku.

    Facts are added to those of the yaku; values take the place of its values.

    Attributes:
        option: the clause holds when this option has `value`; without a name it always holds.
    """

    option: str = ""
    value: str | int | bool = True
    needs: int = 0
    bars: int = 0
    when: int = 0
    unless: int = 0
    closed: Value | None = None
    open: Value | None = None
    yakuman: bool | None = None
    floor: str | None = None

    def holds(self, rules: Ruleset) -> bool:
        """Whether these rules choose it."""
        return not self.option or getattr(rules, self.option) == self.value

    def applied(self, test: Test) -> Test:
        """`test` with the differences of this clause."""
        return Test(
            test.needs | self.needs,
            test.bars | self.bars,
            test.when | self.when,
            test.unless | self.unless,
            test.closed if self.closed is None else self.closed,
            test.open if self.open is None else self.open,
            test.yakuman if self.yakuman is None else self.yakuman,
            test.floor if self.floor is None else self.floor,
        )


class Yaku(NamedTuple):
    """One row of the catalogue.

    Attributes:
        id: romaji name, unique. kanji, english: its other names.
        closed: han of a closed hand; of a yakuman, the multiple. open: the same of an open
            hand; 0 where it needs a closed one.
        kind: `ordinary`, `yakuman`, `local`, `limit` or `draw`. The last two are no yaku of a
            winning hand: a name for 13 han, and nagashi mangan.
        needs, bars, when, unless: facts, as in `Test`.
        yakuman: whether it is worth yakuman. option: the switch that plays it, if there is one.
        replaces: ids of yaku that do not count beside it.
        changes: clauses of options, applied in this order.
        ways: clauses of which one is enough; none: the yaku has only one way.
    """

    id: str
    kanji: str
    english: str
    closed: Value
    open: Value
    kind: str = "ordinary"
    needs: int = 0
    bars: int = 0
    when: int = 0
    unless: int = 0
    yakuman: bool = False
    option: str = ""
    replaces: tuple[str, ...] = ()
    changes: tuple[Clause, ...] = ()
    ways: tuple[Clause, ...] = ()

    @property
    def default(self) -> bool:
        """Whether the rules that nobody changed play it: everything but local yaku."""
        return self.kind != "local"

    def tests(self, rules: Ruleset) -> tuple[Test, ...]:
        """The ways to have this yaku under `rules`; none when it is not played."""
        if self.kind in ("limit", "draw") or (self.option and not getattr(rules, self.option)):
            return ()
        test = Test(
            self.needs,
            self.bars,
            self.when,
            self.unless,
            self.closed,
            self.open,
            self.yakuman,
            "",
        )
        for change in self.changes:
            if change.holds(rules):
                test = change.applied(test)
        return tuple(way.applied(test) for way in self.ways or (Clause(),) if way.holds(rules))
