"""A match that is put at any point and played by outcomes instead of tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kit import NO_HANDS, split, tsumogiri_of, wall

from jantaku_engine import actions as act
from jantaku_engine import events as ev
from jantaku_engine.actions import parse_action
from jantaku_engine.match import Match
from jantaku_engine.rules import Ruleset

TENPAI = "123m456m789m12p99s"
"""Waits for 3p. By tsumo it takes 1000 and 2000, as dealer 2000 from all; by ron 2600, 3900."""


class Hanchan:
    """A match that is put at any point and played by outcomes instead of tiles."""

    def __init__(
        self,
        options: Ruleset,
        *,
        round: int = 0,
        honba: int = 0,
        kyotaku: int = 0,
        scores: Sequence[int] | None = None,
        kept: int = 0,
        wins: int = 0,
    ) -> None:
        self.match = Match(options)
        self.match.round = round
        self.match.honba = honba
        self.match.kyotaku = kyotaku
        self.match.scores = list(scores or (options.start,) * 4)
        self.match.kept = kept
        self.match.wins = wins

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.match.over

    @property
    def oya(self) -> int:
        """The dealer of the next hand."""
        return self.match.round % 4

    @property
    def end(self) -> ev.EndGame:
        """The end of the game."""
        last = self.match.events[-1]
        assert isinstance(last, ev.EndGame), "the game is not over"
        return last

    @property
    def draw(self) -> ev.Ryukyoku:
        """How the last drawn hand ended."""
        draws = [event for event in self.match.events if isinstance(event, ev.Ryukyoku)]
        assert draws, "no hand was drawn"
        return draws[-1]

    @property
    def horas(self) -> list[ev.Hora]:
        """All wins of the game."""
        return [event for event in self.match.events if isinstance(event, ev.Hora)]

    def deal(self, **wishes: Any) -> Hanchan:
        """Deal the next hand with a wished-for wall."""
        self.match.deal(wall(self.match.rules, oya=self.oya, **wishes))
        return self

    def play(self, *lines: str) -> Hanchan:
        """Play lines as `Game.play` does, others by default; stops after the last line."""
        for line in lines:
            seat, text = split(line)
            wanted = parse_action(text)
            for _ in range(400):
                menu = self.match.pending.get(seat, ())
                drawn = act.TSUMOGIRI[wanted.tile] if wanted.type == act.DAHAI else wanted
                choice = next((action for action in (wanted, drawn) if action in menu), None)
                if choice is not None:
                    self.match.answer(seat, choice)
                    break
                assert not menu or act.PASS in menu, f"{line}: not in {menu}"
                assert self.match.pending, f"{line}: the hand is over"
                self._default()
            else:
                raise AssertionError(f"{line}: never possible")
        return self

    def _default(self, wins: tuple[int, ...] = ()) -> None:
        """The lowest seat that is asked passes or discards what it drew, or takes its win."""
        match = self.match
        seat = min(match.pending)
        menu = match.pending[seat]
        assert match.kyoku is not None
        if act.WIN in menu and seat in wins:
            match.answer(seat, act.WIN)
        elif act.PASS in menu:
            match.answer(seat, act.PASS)
        else:
            match.answer(seat, tsumogiri_of(menu, match.kyoku.table.hands[seat].drawn))

    def tsumogiri(self, *wins: int) -> Hanchan:
        """Play on by discarding what is drawn; the seats `wins` take every win."""
        while self.match.pending:
            self._default(wins)
        return self

    def tsumo(self, seat: int) -> Hanchan:
        """The next hand is won by the seat's second draw (its first would be a yakuman)."""
        hands = list(NO_HANDS)
        hands[seat] = TENPAI
        turn = (seat - self.oya) % 4
        self.deal(hands=hands, draws=". " * (turn + 4) + "3p", dora="1z", keep_out="3p")
        return self.tsumogiri(seat)

    def exhaust(self, *tenpai: int) -> Hanchan:
        """The next hand is drawn with these seats tenpai."""
        waits = ("111222333m1p777s", "444555666m1p888s", "777888999m1p999s", "222333444s1p777p")
        hands = [waits[seat] if seat in tenpai else "" for seat in range(4)]
        self.deal(hands=hands, keep_out="1p", seed=1)
        return self.tsumogiri()

    def ron(self, seat: int, target: int) -> Hanchan:
        """The next hand is won by a seat on the first discard of another."""
        hands = list(NO_HANDS)
        hands[seat] = TENPAI
        turn = (target - self.oya) % 4
        self.deal(hands=hands, draws=". " * turn + "3p", dora="1z", keep_out="3p")
        return self.tsumogiri(seat)

    def abort(self) -> Hanchan:
        """The next hand is aborted by the dealer's nine terminals and honours."""
        hands = list(NO_HANDS)
        hands[self.oya] = "19m19p19s1234z568m"
        self.deal(hands=hands)
        seat = self.oya
        self.match.answer(seat, act.KYUUSHU)
        return self
