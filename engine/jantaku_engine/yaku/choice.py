"""The choice among the readings of one hand (RULES 5.1)."""

from __future__ import annotations

from typing import Final

from ..fu import total_fu
from ..payments import LIMIT_BASE, hand_base, yakuman_base
from ..readings import PAIR_SHIFT, Part
from . import facts as f
from .book import Book, Verdict
from .entry import Value
from .reading_facts import reading_facts

NOT_COMPLETE: Final = "not_complete"
NO_YAKU: Final = "no_yaku"
BELOW_MINIMUM: Final = "below_minimum"


class Choice:
    """The best reading so far: by payment, then real yakuman, then han, then fu.

    Attributes:
        verdict: its yaku; None while no reading is a win. reason: why none is.
        part: its groups; None for a form that is not groups.
        base, limit, han, fu, yakuman: as in `win.WinResult`.
    """

    __slots__ = (
        "_bonus",
        "_book",
        "_minimum",
        "_moment",
        "_page",
        "_pair_fu",
        "_round_wind",
        "_seat_wind",
        "base",
        "fu",
        "han",
        "limit",
        "part",
        "reason",
        "verdict",
        "yakuman",
    )

    def __init__(
        self, book: Book, moment: int, seat_wind: int, round_wind: int, honba: int, bonus: int
    ) -> None:
        """Begin with no reading; `bonus` is the han of all dora."""
        self._book = book
        self._moment = moment
        self._page = book.page(moment)
        self._bonus = bonus
        self._seat_wind = 27 + seat_wind
        self._round_wind = 27 + round_wind
        self._pair_fu = book.pair_fu[seat_wind * 4 + round_wind]
        self._minimum = book.min_han
        if honba >= book.shibari2_honba and book.min_han < 2:
            self._minimum = 2
        self.reason = NOT_COMPLETE
        self.verdict: Verdict | None = None
        self.part: Part | None = None
        self.base = self.han = self.fu = 0
        self.yakuman: Value = 0
        self.limit = "none"

    def offer(self, part: Part, tile_facts: int) -> None:
        """Weigh a reading in groups and one pair."""
        facts = tile_facts | reading_facts(part)
        if part[1] >> self._seat_wind & 1:
            facts |= f.SEAT_WIND_TRIPLET
        if part[1] >> self._round_wind & 1:
            facts |= f.ROUND_WIND_TRIPLET
        pair_fu = self._pair_fu[part[2] >> PAIR_SHIFT]
        if pair_fu:
            facts |= f.VALUED_PAIR
        moment = self._moment
        verdict = self._book.judge(self._page, moment, facts)
        fu = total_fu(
            part[2],
            pair_fu,
            moment & f.CLOSED != 0,
            moment & f.TSUMO != 0,
            verdict.pinfu,
            self._book.open_pinfu_fu,
        )
        self._weigh(verdict, fu, part)

    def offer_form(self, facts: int) -> None:
        """Weigh a form that is not groups; shiisan puutou is one only where it is played."""
        fu = 0
        if facts & f.SEVEN_PAIRS:
            fu = self._book.chiitoitsu_fu
        verdict = self._book.judge(self._page, self._moment, facts)
        if verdict.unconnected or not facts & f.UNCONNECTED:
            self._weigh(verdict, fu, None)

    def _weigh(self, verdict: Verdict, fu: int, part: Part | None) -> None:
        book = self._book
        han = 0
        yakuman: Value = 0
        judged = verdict if verdict.rest is None else verdict.rest
        if not judged.yakuman and judged.han < self._minimum and not judged.floor:
            if judged.han or self.reason == BELOW_MINIMUM:
                self.reason = BELOW_MINIMUM
            else:
                self.reason = NO_YAKU
            return
        if verdict.yakuman:
            fu = 0
            limit = "yakuman"
            yakuman = self._paid_multiple(verdict.yakuman)
            base = yakuman_base(yakuman)
        else:
            han = verdict.han if verdict.fixed else verdict.han + self._bonus
            base, limit = hand_base(han, fu, book.kiriage, book.counted)
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

    def _paid_multiple(self, multiple: Value) -> Value:
        """The sum of multiples after the options on dora, stacking and the cap (RULES 5.6)."""
        rules = self._book.rules
        if rules.yakuman_add_dora:
            multiple = max(multiple, (13 * multiple + self._bonus) // 13)
        if not rules.yakuman_stack:
            return 1
        if rules.yakuman_cap != "none":
            multiple = min(multiple, rules.yakuman_cap)
        return int(multiple) if multiple == int(multiple) else multiple
