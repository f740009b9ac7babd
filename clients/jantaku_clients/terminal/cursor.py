"""A place in a record, and how to move it: by event, by turn, by hand."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from jantaku_engine import events as ev
from jantaku_engine.events import Event
from jantaku_replays.record import Record
from jantaku_replays.states import TableState

from .draw import table_lines
from .summary import summary_lines
from .tell import event_text, result_lines
from .tiles import Look

_TURNS = (ev.Tsumo, ev.Naki, ev.Hora, ev.Ryukyoku, ev.StartKyoku)
"""Events with which somebody's turn begins, or the hand."""

BEFORE = 2
"""Events before the last one that are told beside the table."""


class NoSuchStep(ValueError):
    """There is no such hand or step; the text says which there are."""


class Cursor:
    """A place in a record.

    Attributes:
        names: of the players, as they are shown. hand: index of the hand. step: events since
            its deal. seat: whose knowledge is shown, None for all hands. bottom: who is below.
    """

    def __init__(self, record: Record, names: Sequence[str], seat: int | None = None) -> None:
        self.names = tuple(names)
        self.hand = 0
        self.step = 0
        self.seat = seat
        self.bottom = seat or 0
        self._record = record
        self._titles = [kyoku.title for kyoku in record.kyokus]

    @property
    def events(self) -> list[Event]:
        """The events of the hand, without its last one, which shows nothing."""
        events = self._record.kyokus[self.hand].events
        return events[:-1] if isinstance(events[-1], ev.EndKyoku) else events

    @property
    def at_end(self) -> bool:
        """Whether nothing follows."""
        return self.hand == len(self._titles) - 1 and self.step == len(self.events) - 1

    # ------------------------------------------------------------------ moving

    def go_to_kyoku(self, text: str) -> None:
        """Go to a hand by its number from 1 or its name.

        Raises:
            NoSuchStep: there is no such hand.
        """
        if text in self._titles:
            self.go_to_hand(self._titles.index(text))
        elif text.isdecimal() and 1 <= int(text) <= len(self._titles):
            self.go_to_hand(int(text) - 1)
        else:
            raise NoSuchStep(
                f"no hand {text!r}; there are 1 to {len(self._titles)}: {', '.join(self._titles)}"
            )

    def go_to_hand(self, index: int) -> None:
        """Go to the deal of a hand; a negative index counts from the end."""
        self.hand = index % len(self._titles)
        self.step = 0

    def go_to_step(self, step: int) -> None:
        """Go to a step of this hand; a negative one counts from its end.

        Raises:
            NoSuchStep: the hand has no such step.
        """
        count = len(self.events)
        if not -count <= step < count:
            raise NoSuchStep(f"no step {step} in {self._titles[self.hand]}: 0 to {count - 1}")
        self.step = step % count

    def go_to(self, text: str) -> None:
        """Go where a text says: a step (`40`), a hand (`S2-1`), or both (`S2-1 40`).

        Raises:
            NoSuchStep: there is none, or the text says neither.
        """
        words = text.split()
        if len(words) == 2 or (len(words) == 1 and not _is_whole(words[0])):
            self.go_to_kyoku(words.pop(0))
        if words and not _is_whole(words[0]):
            raise NoSuchStep(f"{text!r}: write a step, a hand such as S2-1, or both")
        if words:
            self.go_to_step(int(words[0]))

    def next_event(self) -> None:
        """One event on, into the next hand."""
        if self.step < len(self.events) - 1:
            self.step += 1
        elif not self.at_end:
            self.go_to_hand(self.hand + 1)

    def previous_event(self) -> None:
        """One event back, into the end of the hand before."""
        if self.step:
            self.step -= 1
        elif self.hand:
            self.hand -= 1
            self.step = len(self.events) - 1

    def next_turn(self) -> None:
        """On to the next turn."""
        self.next_event()
        while not self.at_end and not isinstance(self.events[self.step], _TURNS):
            self.next_event()

    def previous_turn(self) -> None:
        """Back to the turn before."""
        self.previous_event()
        while self.step and not isinstance(self.events[self.step], _TURNS):
            self.previous_event()

    def next_hand(self) -> None:
        """To the deal of the next hand, or to the end of the last one."""
        if self.hand < len(self._titles) - 1:
            self.go_to_hand(self.hand + 1)
        else:
            self.step = len(self.events) - 1

    def previous_hand(self) -> None:
        """To the deal of this hand, or from there to that of the hand before."""
        self.go_to_hand(self.hand if self.step else max(0, self.hand - 1))

    def next_seat(self) -> None:
        """Show all hands, then only what seat 0 sees, seat 1, and so on."""
        self.seat = 0 if self.seat is None else self.seat + 1 if self.seat < 3 else None
        self.bottom = self.bottom if self.seat is None else self.seat

    def turn_table(self) -> None:
        """Turn the table: the seat on the right comes below."""
        self.bottom = (self.bottom + 1) % 4

    # ------------------------------------------------------------------ showing

    def summary(self, look: Look) -> list[Text]:
        """The summary of the game."""
        return summary_lines(self._record, self.names, look)

    def state(self) -> TableState:
        """The table here."""
        return TableState(self._record.rules, self.names, self.events, self.step, self.seat)

    def lines(self, look: Look) -> list[Text]:
        """The table here, what led to it, and the results of a hand that is over."""
        events = self.events
        state = self.state()
        told = [self._where()]
        for step in range(max(0, self.step - BEFORE), self.step + 1):
            event = events[step] if self.seat is None else events[step].seen_by(self.seat)
            line = event_text(event, self.names, look)
            if step < self.step:
                line.stylize("dim")
            told.append(line)
        lines = table_lines(state.table, self.names, self.bottom, look, (), told)
        for event in events[: self.step + 1]:
            if isinstance(event, ev.Hora | ev.Ryukyoku):
                lines += [Text(), *result_lines(event, self.names, look)]
        return lines

    def _where(self) -> Text:
        where = f"{self._titles[self.hand]} ({self.hand + 1}/{len(self._titles)}), "
        where += f"step {self.step}/{len(self.events) - 1}"
        seen = "" if self.seat is None else f", seen by seat {self.seat}"
        return Text(where + seen, style="dim")


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()
