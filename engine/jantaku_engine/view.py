"""What one seat may know: its state rebuilt from nothing but its masked events.

>>> view = SeatView(seat=0, rules=Ruleset())
>>> view.menu()
()
"""

from __future__ import annotations

from . import events as ev
from .menu import Menu, menu
from .rules import Ruleset
from .table import Table


class SeatView:
    """One seat's knowledge of the running hand.

    Its menu equals the engine's menu for the seat whenever the seat is asked.

    Attributes:
        seat: 0-3, or -1 for a spectator. table: the state, the others' tiles unknown.
    """

    __slots__ = ("rules", "seat", "table")

    def __init__(self, seat: int, rules: Ruleset) -> None:
        self.seat = seat
        self.rules = rules
        self.table = Table(rules)

    def apply(self, event: ev.Event) -> None:
        """Take the next event, as the seat sees it (`Event.seen_by`)."""
        if isinstance(event, ev.StartKyoku):
            self.table = Table(self.rules)
        self.table.apply(event)

    def menu(self) -> Menu:
        """Legal actions of the seat now; empty when it is not asked."""
        return menu(self.table, self.seat) if self.seat >= 0 else ()
