"""A whole game (hanchan or tonpuu): hands, dealer repeats, extension, end, final points (RULES 8).

`deal(wall)` starts the next hand, so that whoever runs the game brings the walls and decides
when a hand begins; `pending` and `answer` are those of the hand being played.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import events as ev
from .actions import Action
from .kyoku import IllegalAction, Kyoku
from .menu import Menu
from .rules import Ruleset
from .wall import Wall

DEFAULT_NAMES = ("A", "B", "C", "D")


class MatchError(ValueError):
    """A hand was dealt while one is played or after the end."""


class Match:
    """One game of four seats; seat 0 is the first dealer (RULES 1.5).

    Attributes:
        events: full events of the whole game, oldest first.
        kyoku: the hand being played, or the last one; None before the first deal.
        round: index of the hand now or next: 0 = East 1, 4 = South 1 ...
        honba, kyotaku, scores: as the next hand begins. kept, wins: the dealer's streak.
        dealt: how many hands were dealt. over: whether the game has ended.
    """

    __slots__ = (
        "_taken",
        "dealt",
        "events",
        "honba",
        "kept",
        "kyoku",
        "kyotaku",
        "names",
        "over",
        "round",
        "rules",
        "scores",
        "wins",
    )

    def __init__(self, rules: Ruleset, names: Sequence[str] = DEFAULT_NAMES) -> None:
        if len(names) != 4:
            raise ValueError(f"a match has four names, not {len(names)}")
        self.rules = rules
        self.names = tuple(names)
        self.kyoku: Kyoku | None = None
        self.round = 0
        self.honba = 0
        self.kyotaku = 0
        self.scores: list[int] = [rules.start] * 4
        self.kept = 0
        self.wins = 0
        self.dealt = 0
        self.over = False
        self.events: list[ev.Event] = [ev.StartGame(self.names, rules.to_dict())]
        self._taken = 0

    @property
    def pending(self) -> dict[int, Menu]:
        """Seats that must answer, each with its menu; empty between hands and at the end."""
        return {} if self.kyoku is None else self.kyoku.pending

    @property
    def between_hands(self) -> bool:
        """Whether the next step is `deal`."""
        return not self.over and (self.kyoku is None or self.kyoku.over)

    def deal(self, wall: Wall) -> None:
        """Begin the next hand with this wall.

        Raises:
            MatchError: a hand is being played, or the game is over.
        """
        if not self.between_hands:
            raise MatchError("the game is over" if self.over else "the hand is not over")
        self.dealt += 1
        self.kyoku = Kyoku(
            self.rules,
            wall,
            self.round // 4,
            self.round % 4 + 1,
            self.honba,
            self.kyotaku,
            self.scores,
            self.kept,
            self.wins,
        )
        self._taken = 0
        self._take_events()

    def answer(self, seat: int, action: Action) -> None:
        """Take the answer of one seat.

        Raises:
            IllegalAction: the seat is not asked, or its menu has no such action.
        """
        if self.kyoku is None or self.kyoku.over:
            raise IllegalAction(f"seat {seat} is not asked now: no hand is being played")
        self.kyoku.answer(seat, action)
        self._take_events()

    def _take_events(self) -> None:
        kyoku = self.kyoku
        assert kyoku is not None
        new = kyoku.events[self._taken :]
        self._taken = len(kyoku.events)
        self.events.extend(new)
        if kyoku.over:
            self._finish_hand(kyoku)

    def _finish_hand(self, kyoku: Kyoku) -> None:
        """RULES 8.1-8.5: who deals next, and whether the game goes on."""
        table = kyoku.table
        rules = self.rules
        self.scores = list(table.scores)
        self.kyotaku = table.kyotaku
        endings = [e for e in kyoku.events if isinstance(e, ev.Hora | ev.Ryukyoku)]
        winners = [e.actor for e in endings if isinstance(e, ev.Hora)]
        draw = endings[0] if isinstance(endings[0], ev.Ryukyoku) else None
        if draw is not None and draw.nagashi and rules.nagashi == "win":
            winners = list(draw.nagashi)
        aborted = draw is not None and draw.reason not in (ev.EXHAUSTIVE, ev.NAGASHI_MANGAN)
        won = table.oya in winners
        tenpai = draw is not None and not winners and not aborted and draw.tenpais[table.oya]
        repeats = aborted or _repeats(rules.renchan, won, tenpai, bool(winners))
        self.honba = 0 if winners and not won else self.honba + 1
        last = self.round >= _scheduled(rules) - 1
        stops = last and ((won and rules.agari_yame) or (tenpai and rules.tenpai_yame))
        oya = table.oya
        self.kept = self.kept + 1 if repeats else 0
        self.wins = self.wins + 1 if repeats and won else 0
        if not repeats:
            self.round += 1
        if (
            self._is_bust()
            or (repeats and stops and self._is_top(oya))
            or self._is_over_by_length(repeats, oya)
        ):
            self._finish_game()

    def _is_bust(self) -> bool:
        """RULES 8.5."""
        lowest = min(self.scores)
        return {"lt0": lowest < 0, "le0": lowest <= 0, "off": False}[self.rules.tobi]

    def _is_top(self, seat: int) -> bool:
        """RULES 8.4: first, equal scores by seat, with at least the target."""
        best = max(self.scores)
        return best >= self.rules.target and self.scores.index(best) == seat

    def _is_over_by_length(self, repeats: bool, oya: int) -> bool:
        """RULES 8.2, 8.3: the scheduled hands, then sudden death up to the last extra wind."""
        rules = self.rules
        scheduled = _scheduled(rules)
        if self.round < scheduled:
            return False
        if rules.extension == "none":
            return True
        if repeats and rules.extension_renchan_first:
            return self._is_top(oya)
        if max(self.scores) >= rules.target:
            return True
        return self.round >= scheduled + 4 * rules.extension_winds

    def _finish_game(self) -> None:
        self.over = True
        self.scores, ranks, points = final_points(self.scores, self.kyotaku, self.rules)
        self.kyotaku = 0
        self.events.append(ev.EndGame(tuple(self.scores), ranks, points))


def _scheduled(rules: Ruleset) -> int:
    return 4 if rules.length == "tonpuu" else 8


def _repeats(renchan: str, won: bool, tenpai: bool, any_win: bool) -> bool:
    """Whether the dealer stays after a win or an exhaustive draw (RULES 8.1)."""
    if renchan == "none":
        return False
    if any_win:
        return won
    return renchan == "noten" or (renchan == "tenpai" and tenpai)


def final_points(
    scores: Sequence[int], kyotaku: int, rules: Ruleset
) -> tuple[list[int], tuple[int, ...], tuple[float, ...]]:
    """Final scores, ranks 1-4 and points of a game (RULES 8.6).

    Scores gain the deposits left on the table by `leftover_riichi`; points are in thousands with
    uma and oka, the first place taking minus the sum of the others.
    """
    played = tuple(scores)
    scores = list(scores)
    order = sorted(range(4), key=lambda seat: (-played[seat], seat))
    tied = [seat for seat in order if played[seat] == played[order[0]]]
    if rules.leftover_riichi == "first" or (rules.leftover_riichi == "split" and len(tied) == 1):
        scores[order[0]] += kyotaku * 1000
    elif rules.leftover_riichi == "split":
        for seat, share in zip(tied, _shares(kyotaku * 10, len(tied)), strict=True):
            scores[seat] += share * 100
    ranks = [0] * 4
    uma = _uma_tenths(rules)
    split = rules.tie == "split_uma"
    for place, seat in enumerate(order):
        equal = split and place > 0 and played[seat] == played[order[place - 1]]
        ranks[seat] = ranks[order[place - 1]] if equal else place + 1
    # Without oka the points start from what everybody began with (RULES 9, mahjongsoul).
    origin = rules.target if rules.oka else rules.start
    tenths = [_round_points(score, rules.points_rounding) - origin // 100 for score in scores]
    oka = 4 * (origin - rules.start) // 100
    bonus = [uma[place] + (oka if place == 0 else 0) for place in range(4)]
    place = 0
    while place < 4:
        group = [seat for seat in order if ranks[seat] == ranks[order[place]]]
        together = sum(bonus[place : place + len(group)])
        for seat, share in zip(group, _shares(together, len(group)), strict=True):
            tenths[seat] += share
        place += len(group)
    # The first place takes minus the sum of the others, and what a lost deposit leaves open.
    lost = kyotaku * 10 if rules.leftover_riichi == "lost" else 0
    firsts = [seat for seat in order if ranks[seat] == 1]
    for seat, share in zip(firsts, _shares(-lost - sum(tenths), len(firsts)), strict=True):
        tenths[seat] += share
    return scores, tuple(ranks), tuple(value / 10 for value in tenths)


def _uma_tenths(rules: Ruleset) -> list[int]:
    tonpuu = rules.length == "tonpuu" and rules.tonpuu_uma is not None
    uma = rules.tonpuu_uma if tonpuu and rules.tonpuu_uma is not None else rules.uma
    return [value * 10 for value in uma]


def _shares(amount: int, number: int) -> list[int]:
    """`amount` in `number` whole parts, earlier ones one larger where it does not divide."""
    part, rest = divmod(amount, number)
    return [part + (index < rest) for index in range(number)]


def _round_points(score: int, rounding: str) -> int:
    """A score in tenths of a thousand, rounded by `points_rounding` (RULES 8.6)."""
    if rounding == "none":
        return score // 100
    up = 500 if rounding == "half_away" else 499
    thousands = (abs(score) + up) // 1000
    return (thousands if score >= 0 else -thousands) * 10
