"""The table at each step of a hand, as everybody or as one seat sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jantaku_engine.events import Event, StartKyoku
from jantaku_engine.rules import Ruleset
from jantaku_engine.table import Table

from .picture import table_svg
from .record import kyoku_title


class TableState:
    """The table after some events of one hand; Jupyter shows it as a picture.

    Attributes:
        rules, names: of the game. title: short name of the hand, `E1-0`.
        step: how many events lie between the deal (0) and this state. event: the last of them.
        seat: whose knowledge it is (-1 a spectator's), None for all hands open.
    """

    __slots__ = ("_events", "_table", "event", "names", "rules", "seat", "step", "title")

    def __init__(
        self,
        rules: Ruleset,
        names: Sequence[str],
        events: Sequence[Event],
        step: int,
        seat: int | None = None,
    ) -> None:
        """The state after `events[step]`; `events` are those of one hand, the deal first.

        Raises:
            ValueError: there is no such step, or the first event is no StartKyoku.
        """
        if not events or not isinstance(events[0], StartKyoku):
            raise ValueError("the events of a hand begin with start_kyoku")
        if not 0 <= step < len(events):
            raise ValueError(f"step {step}: this hand has steps 0 to {len(events) - 1}")
        self.rules = rules
        self.names = tuple(names)
        self.title = kyoku_title(events[0])
        self.step = step
        self.event = events[step] if seat is None else events[step].seen_by(seat)
        self.seat = seat
        self._events = events
        self._table: Table | None = None

    @property
    def table(self) -> Table:
        """The engine's table at this step, folded when it is asked for first."""
        if self._table is None:
            self._table = Table(self.rules)
            for event in self._events[: self.step + 1]:
                self._table.apply(event if self.seat is None else event.seen_by(self.seat))
        return self._table

    def __repr__(self) -> str:
        return f"<TableState {self.title} step {self.step}: {self.event.to_mjai()['type']}>"

    def _repr_svg_(self) -> str:
        """The picture that Jupyter shows."""
        return table_svg(self.table, self.names, max(self.seat or 0, 0))


def hand_states(
    rules: Ruleset, names: Sequence[str], events: Sequence[Event], seat: int | None = None
) -> Iterator[TableState]:
    """The states of a hand in order, from the deal to its end."""
    for step in range(len(events)):
        yield TableState(rules, names, events, step, seat)
