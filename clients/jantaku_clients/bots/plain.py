"""Two bots that look at nothing but their menu: the measure of engine speed, and of other bots."""

from __future__ import annotations

from jantaku_engine.actions import DAHAI, NONE, Action
from jantaku_engine.menu import Menu
from jantaku_engine.view import SeatView

from .player import Bot


class RandomBot(Bot):
    """Every action of its menu with equal chance: it wins, calls and folds now and then."""

    __slots__ = ()
    needs_view = False

    def choose(self, view: SeatView, menu: Menu) -> Action:
        """See `Player.choose`."""
        # Of all methods only `random` gives the same numbers in every version of Python.
        return menu[int(self.rng.random() * len(menu))]


class Tsumogiri(Bot):
    """Discards the tile that it has drawn and lets everything else pass: it never wins.

    Where no tile of the hand is the drawn one (the dealer's first turn when all fourteen tiles
    are dealt, RULES 1.4) it discards the last one that the menu lists.
    """

    __slots__ = ()
    needs_view = False

    def choose(self, view: SeatView, menu: Menu) -> Action:
        """See `Player.choose`."""
        chosen = menu[-1]
        if chosen.type == NONE:
            return chosen
        for action in menu:
            if action.type == DAHAI:
                chosen = action
                if action.flag:
                    break
        return chosen
