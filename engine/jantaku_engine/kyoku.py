"""One hand (kyoku) as a state machine: it asks, takes answers, and appends events.

`pending` holds the seats that must answer, each with its exact menu. `answer` takes one answer;
when the last one is in, the answers are resolved together by rank: ron > pon = kan > chi
(RULES 2.2). It is total: any legal answer leads on, any other is refused and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import actions as act
from . import draws, menu
from . import events as ev
from .actions import Action
from .melds import ANKAN
from .rules import Ruleset
from .settle import liable_parts, win_deltas
from .table import (
    CALLED,
    DECLARED,
    DISCARDED,
    DRAWN,
    KAN_WINDOW,
    OVER,
    Table,
)
from .wall import DORA_INDICATORS, FIRST_LIVE, HAIPAI, RINSHAN, URA_INDICATORS, Wall
from .win import OPEN, OPEN_DOUBLE, Win, evaluate


class IllegalAction(ValueError):
    """An answer that the menu does not have, or from a seat that is not asked."""


class Kyoku:
    """One hand from the deal to its end.

    Attributes:
        table: the state with all four hands known. events: full events, oldest first.
        pending: seats that must answer, each with its menu; empty when the hand is over.
    """

    __slots__ = ("_answers", "_tiles", "_wall", "events", "pending", "rules", "table")

    def __init__(
        self,
        rules: Ruleset,
        wall: Wall,
        bakaze: int,
        kyoku: int,
        honba: int,
        kyotaku: int,
        scores: Sequence[int],
        kept: int = 0,
        wins: int = 0,
    ) -> None:
        """Deal the hand; `kyoku` 1-4 names the dealer, seat `kyoku - 1`."""
        self.rules = rules
        self.table = Table(rules)
        self.events: list[ev.Event] = []
        self.pending: dict[int, menu.Menu] = {}
        self._answers: dict[int, Action] = {}
        self._wall = wall
        self._tiles = [rules.tiles[tile_id] for tile_id in wall.ids]
        oya = kyoku - 1
        self._emit(
            ev.StartKyoku(
                bakaze,
                kyoku,
                oya,
                honba,
                kyotaku,
                self._tiles[DORA_INDICATORS[0]],
                tuple(scores),
                tuple(
                    tuple(self._tiles[index] for index in HAIPAI[(seat - oya) % 4])
                    for seat in range(4)
                ),
                kept,
                wins,
                wall.commitment,
            )
        )
        self._draw()

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self.table.phase == OVER

    def answer(self, seat: int, action: Action) -> None:
        """Take the answer of one seat.

        Raises:
            IllegalAction: the seat is not asked, or its menu has no such action.
        """
        choices = self.pending.get(seat)
        if choices is None:
            raise IllegalAction(f"seat {seat} is not asked now; asked: {sorted(self.pending)}")
        code = action.code
        for choice in choices:
            if choice.code == code:
                break
        else:
            legal = ", ".join([str(choice) for choice in choices])
            raise IllegalAction(f"seat {seat} may not {action}; it may: {legal}")
        del self.pending[seat]
        self._answers[seat] = action
        if not self.pending:
            answers = self._answers
            self._answers = {}
            self._resolve(answers)

    # ------------------------------------------------------------------ moving on

    def _emit(self, event: ev.Event) -> None:
        self.events.append(event)
        self.table.apply(event)

    def _ask(self) -> bool:
        """Ask every seat that may act; False when none may."""
        for seat in range(4):
            choices = menu.menu(self.table, seat)
            if choices:
                self.pending[seat] = choices
        return bool(self.pending)

    def _resolve(self, answers: dict[int, Action]) -> None:
        phase = self.table.phase
        if phase == DISCARDED:
            self._resolve_discard(answers)
        elif phase == KAN_WINDOW:
            self._resolve_kan(answers)
        elif phase in (DRAWN, CALLED, DECLARED):
            ((seat, action),) = answers.items()
            self._act(seat, action)

    def _act(self, seat: int, action: Action) -> None:
        """The seat on turn acts."""
        table = self.table
        if action.type == act.DAHAI:
            if self.rules.kan_dora_timing == "ankan_now_minkan_at_discard":
                self._turn_dora()
            self._emit(ev.Dahai(seat, action.tile, action.flag))
            if not self._ask():
                self._resolve_discard({})
        elif action.type == act.REACH:
            self._emit(ev.Reach(seat, action.flag))
            self._ask()
        elif action.type == act.ANKAN:
            self._emit(ev.Ankan(seat, action.consumed))
            if not self._ask():
                self._resolve_kan({})
        elif action.type == act.KAKAN:
            self._emit(ev.Kakan(seat, action.tile, action.consumed))
            if not self._ask():
                self._resolve_kan({})
        elif action.type == act.HORA:
            self._win(self._claim(seat, table.honba), seat, seat, table.kyotaku)
            self._end()
        elif action.type == act.RYUUKYOKU:
            self._emit(draws.abort(table, ev.KYUUSHU_KYUUHAI, (seat,)))
            self._end()

    def _resolve_discard(self, answers: dict[int, Action]) -> None:
        table = self.table
        if self._resolve_rons(answers):
            return
        # RULES 6.2: riichi accepted > suucha > suufon > suukaikan > exhaustive; then the calls.
        reason = draws.abort_after_discard(table)
        riichi = table.declaring
        if riichi >= 0:
            scores = [score - 1000 * (seat == riichi) for seat, score in enumerate(table.scores)]
            shown = table.hands[riichi].tiles() if table.declared in (OPEN, OPEN_DOUBLE) else ()
            self._emit(ev.ReachAccepted(riichi, tuple(scores), shown))
        if reason:
            shown_seats = (0, 1, 2, 3) if reason == ev.SUUCHA_RIICHI else ()
            self._emit(draws.abort(table, reason, shown_seats))
            self._end()
            return
        if table.live_left == 0:
            folded = tuple(seat for seat, a in answers.items() if a.type == act.NOTEN)
            self._emit(draws.exhaustive(table, folded))
            self._end()
            return
        if self.rules.kan_dora_timing == "ankan_now_minkan_after_pass":
            self._turn_dora()
        caller = self._best_call(answers)
        if caller < 0:
            self._draw()
            return
        action = answers[caller]
        target = table.turn
        event_type = ev.CHI + action.type - act.CHI
        self._emit(ev.Naki(event_type, caller, target, action.tile, action.consumed))
        if action.type == act.DAIMINKAN:
            self._kan_stands(concealed=False)
        else:
            self._ask()

    def _best_call(self, answers: dict[int, Action]) -> int:
        """The seat whose call is taken, -1 for none (RULES 2.2)."""
        best = -1
        for seat, action in answers.items():
            if act.meld_type(action.type) < 0:
                continue
            if best < 0 or (self.rules.call_priority == "rank" and action.type != act.CHI):
                best = seat
        return best

    def _resolve_rons(self, answers: dict[int, Action]) -> bool:
        """Settle the rons together, nearest to the discarder first (RULES 2.4, 7.4)."""
        table = self.table
        target = table.turn
        order = [(target + turn) % 4 for turn in (1, 2, 3)]
        winners = [s for s in order if s in answers and answers[s].type == act.HORA]
        if not winners:
            return False
        multi = self.rules.multi_ron
        if len(winners) == 3 and multi == "double" and self.rules.sanchahou:
            self._emit(draws.abort(table, ev.SANCHAHOU, tuple(winners)))
            self._end()
            return True
        most = {"head_bump": 1, "double": 2, "triple": 3}[multi]
        honba, kyotaku = table.honba, table.kyotaku
        each = self.rules.multi_ron_honba == "each"
        # Asked together, before the first win changes the state.
        claims = [
            self._claim(winner, honba if each or index == 0 else 0)
            for index, winner in enumerate(winners[:most])
        ]
        for claim, winner in zip(claims, winners, strict=False):
            self._win(claim, winner, target, kyotaku)
            kyotaku = 0
        self._end()
        return True

    def _resolve_kan(self, answers: dict[int, Action]) -> None:
        if not self._resolve_rons(answers):
            self._kan_stands(concealed=self.table.claimed_kan == ANKAN)

    def _kan_stands(self, concealed: bool) -> None:
        """The kan is real: indicators turn when their time is (RULES 2.9), then its draw."""
        table = self.table
        rules = self.rules
        if rules.suukaikan and rules.suukaikan_timing == "immediate" and draws.is_suukaikan(table):
            self._emit(draws.abort(table, ev.SUUKAIKAN))
            self._end()
            return
        timing = rules.kan_dora_timing
        if timing == "immediate":
            self._turn_dora()
        elif timing == "ankan_now_minkan_at_discard":
            self._turn_dora(keep=0 if concealed else 1)
        elif concealed:
            self._turn_dora(most=1)
        self._emit(ev.Tsumo(table.turn, self._tiles[RINSHAN[table.rinshan_draws]]))
        self._ask()

    def _turn_dora(self, keep: int = 0, most: int = 4) -> None:
        """Turn the kan-dora indicators that are due, except the last `keep` of them."""
        table = self.table
        if not self.rules.kan_dora:
            return
        while table.dora_due > keep and most > 0:
            marker = self._tiles[DORA_INDICATORS[len(table.dora_markers)]]
            self._emit(ev.Dora(marker))
            most -= 1

    def _draw(self) -> None:
        table = self.table
        seat = table.oya if table.turn < 0 else (table.turn + 1) % 4
        self._emit(ev.Tsumo(seat, self._tiles[FIRST_LIVE + table.draws]))
        self._ask()

    # ------------------------------------------------------------------ endings

    def _claim(self, winner: int, honba: int) -> Win:
        ura = self._ura() if self.table.riichi[winner] else ()
        return menu.question(self.table, winner, ura, honba)

    def _win(self, claim: Win, winner: int, target: int, kyotaku: int) -> None:
        table = self.table
        result = evaluate(claim, self.rules)
        deltas = win_deltas(
            result,
            self.rules,
            winner,
            target,
            table.oya,
            claim.honba,
            kyotaku,
            table.liable[winner],
            table.rinshan_feeder if winner == target else -1,
        )
        parts = liable_parts(result, table.liable[winner], target)
        self._emit(
            ev.Hora(
                winner,
                target,
                claim.win_tile,
                claim.hand,
                claim.ura,
                result.yaku,
                result.dora,
                result.ura,
                result.aka,
                result.fu,
                result.han,
                result.yakuman,
                result.limit,
                deltas[winner] - kyotaku * 1000 - claim.honba * self.rules.honba_value,
                parts[0][1] if parts else -1,
                deltas,
                tuple(s + d for s, d in zip(table.scores, deltas, strict=True)),
            )
        )

    def _ura(self) -> tuple[int, ...]:
        """The tiles under the indicators that a riichi winner turns (RULES 1.6)."""
        if not self.rules.ura_dora:
            return ()
        shown = len(self.table.dora_markers) if self.rules.kan_ura else 1
        return tuple(self._tiles[index] for index in URA_INDICATORS[:shown])

    def _end(self) -> None:
        self.pending.clear()
        key = self._wall.key
        self._emit(ev.EndKyoku(key.hex() if key else ""))
