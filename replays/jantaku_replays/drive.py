"""Playing one hand through the engine as a record tells it, move by move.

For records that leave out what follows from the rules: the engine supplies it, and says where
a move is none that the seat could make.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import Action
from jantaku_engine.events import Event
from jantaku_engine.kyoku import IllegalAction, Kyoku
from jantaku_engine.rules import Ruleset
from jantaku_engine.table import CALLED, DECLARED, DISCARDED, DRAWN

from .verify import action_of


class Stuck(ValueError):
    """The engine cannot follow; `move` is the number of the move, or how many there are."""

    def __init__(self, move: int, why: str) -> None:
        super().__init__(why)
        self.move = move


class Ending(NamedTuple):
    """How a record says that a hand ended.

    Attributes:
        winners: seats, nearest to the discarder first; empty for a draw.
        target: who dealt in; the winner itself by tsumo; -1 for a draw.
        reason: of a draw, one of `events.DRAW_REASONS`; "" when the record does not say.
        folded: tenpai seats that declared noten.
    """

    winners: tuple[int, ...] = ()
    target: int = -1
    reason: str = ""
    folded: tuple[int, ...] = ()

    @property
    def tsumo(self) -> bool:
        """Whether the winner drew the tile."""
        return self.winners == (self.target,)


def drive(kyoku: Kyoku, moves: Sequence[Event], ending: Ending) -> None:
    """Play the moves (draws, discards, riichi, calls, kans) of a hand that has just been dealt.

    Raises:
        Stuck: a move is not legal, or the hand does not end as it is told.
    """
    position = 0
    drawn = 0
    table = kyoku.table
    while kyoku.pending:
        if table.draws + table.rinshan_draws > drawn:
            _check_draw(table.turn, moves, position)
            drawn += 1
            position += 1
        move = moves[position] if position < len(moves) else None
        if table.phase in (DRAWN, CALLED, DECLARED):
            answers = _own_answer(kyoku, position, move, ending)
            position += 1
        else:
            answers = _window_answers(kyoku, move, ending, position)
            position += any(act.meld_type(answer.type) >= 0 for answer in answers.values())
        # The caller first: with `first_declared` the record's caller was the fastest.
        for seat in sorted(answers, key=lambda seat: answers[seat] is act.PASS):
            try:
                kyoku.answer(seat, answers[seat])
            except IllegalAction as error:
                raise Stuck(min(position - 1, len(moves)), str(error)) from None
    if position < len(moves):
        raise Stuck(position, f"the hand is over ({_told_end(kyoku)})")
    wins = any(isinstance(event, ev.Hora) for event in kyoku.events)
    if wins != bool(ending.winners):
        raise Stuck(len(moves), f"the hand ends otherwise here ({_told_end(kyoku)})")


def first_discard_of_dealt(moves: Sequence[Event], rules: Ruleset) -> list[Event]:
    """The moves as the engine has them: of a 14-tile deal no tile is the drawn one (RULES 1.4)."""
    changed = list(moves)
    if rules.dealer_first_tile == "dealt":
        for number, move in enumerate(moves):
            if isinstance(move, ev.Dahai):
                changed[number] = ev.Dahai(move.actor, move.pai, False)
            if not isinstance(move, ev.Tsumo | ev.Reach):
                break
    return changed


def _check_draw(seat: int, moves: Sequence[Event], position: int) -> None:
    move = moves[position] if position < len(moves) else None
    if not isinstance(move, ev.Tsumo) or move.actor != seat:
        raise Stuck(position, f"seat {seat} must draw here")


def _own_answer(
    kyoku: Kyoku, position: int, move: Event | None, ending: Ending
) -> dict[int, Action]:
    """The answer of the seat on turn."""
    ((seat, menu),) = kyoku.pending.items()
    if move is not None:
        actor: int = getattr(move, "actor", -1)
        action = action_of(move)
        if actor != seat or action is None or isinstance(move, ev.Naki):
            raise Stuck(position, f"it is the turn of seat {seat}")
        return {seat: action}
    if ending.winners:
        if ending.winners != (seat,) or not ending.tsumo:
            raise Stuck(position, f"it is the turn of seat {seat}, nobody else can win now")
        return {seat: act.WIN}
    if act.KYUUSHU in menu and ending.reason in ("", ev.KYUUSHU_KYUUHAI):
        return {seat: act.KYUUSHU}
    raise Stuck(position, f"it is the turn of seat {seat}, the hand cannot end now")


def _window_answers(
    kyoku: Kyoku, move: Event | None, ending: Ending, position: int
) -> dict[int, Action]:
    """The answers of the seats that may claim a tile."""
    table = kyoku.table
    answers: dict[int, Action] = dict.fromkeys(kyoku.pending, act.PASS)
    if move is not None:
        if (
            isinstance(move, ev.Naki)
            and table.phase == DISCARDED
            and (move.target, move.pai) == (table.turn, table.last)
        ):
            action = action_of(move)
            if move.actor not in answers or action is None:
                raise Stuck(position, f"seat {move.actor} may not call this tile")
            answers[move.actor] = action
    elif ending.winners:
        if ending.target == table.turn:
            for winner in ending.winners:
                if act.WIN not in kyoku.pending.get(winner, ()):
                    raise Stuck(position, f"seat {winner} may not win this tile")
                answers[winner] = act.WIN
    else:
        offered = [seat for seat, menu in kyoku.pending.items() if act.WIN in menu]
        unsaid = not ending.reason and table.live_left > 0 and len(offered) == 3
        if ending.reason == ev.SANCHAHOU or unsaid:
            answers.update(dict.fromkeys(offered, act.WIN))
        for seat in ending.folded:
            if act.FOLD in kyoku.pending.get(seat, ()):
                answers[seat] = act.FOLD
    return answers


def _told_end(kyoku: Kyoku) -> str:
    ends = [event for event in kyoku.events if isinstance(event, ev.Hora | ev.Ryukyoku)]
    if isinstance(ends[0], ev.Ryukyoku):
        return f"draw: {ends[0].reason}"
    return "win of seat " + " and ".join(str(getattr(event, "actor", "?")) for event in ends)
