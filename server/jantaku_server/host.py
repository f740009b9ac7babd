"""What a table needs of the house that it stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .audience import Listener
from .clock import Clock
from .journal import Journal
from .metrics import Metrics
from .seats import Seat

if TYPE_CHECKING:
    from .table import LiveTable


class Host(Protocol):
    """The house, to a table: the lobby."""

    @property
    def clock(self) -> Clock:
        """Time."""

    @property
    def journal(self) -> Journal:
        """Where everything is kept."""

    @property
    def metrics(self) -> Metrics:
        """What is counted."""

    def house_bot(self, table: LiveTable, seat: Seat, bot: str) -> Listener:
        """A house bot for this seat, by its name; "" for the one that stands in."""

    def seat_kept(self, table: LiveTable, seat: Seat) -> None:
        """A seat is taken and committed: its token opens it from now on."""

    def seat_freed(self, table: LiveTable, seat: Seat) -> None:
        """A seat is free: its token opens nothing any more."""

    def table_ended(self, table: LiveTable) -> None:
        """The last event of the match has been told."""

    def told(self, since: float) -> None:
        """What follows from an answer that came at the moment `since` has been told."""
