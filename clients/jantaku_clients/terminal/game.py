"""A game as its player sees it: fed with the server's messages, drawn as lines of text.

Nothing here knows a socket, a clock or a screen, so that every situation can be set up in a test.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from rich.text import Text

from jantaku_engine import events as ev
from jantaku_engine.actions import from_mjai
from jantaku_engine.events import Event
from jantaku_engine.mjai import event_from_mjai
from jantaku_engine.rules import Ruleset
from jantaku_engine.view import SeatView
from jantaku_engine.wall import commitment
from jantaku_replays.files import printable
from jantaku_server.wire import Message

from .choices import Question
from .draw import table_lines
from .tell import event_text, ranking_lines, result_lines
from .tiles import Look

MOST_TOLD: Final = 5
"""Lines about what happened, beside the own hand."""

_QUIET: Final = (ev.StartGame, ev.Tsumo, ev.EndKyoku, ev.EndGame)
PHRASES: Final = {
    "hello": "Hello!",
    "good_luck": "Good luck!",
    "nice_hand": "Nice hand!",
    "thinking": "One moment, thinking.",
    "sorry": "Sorry!",
    "thank_you": "Thank you!",
    "good_game": "Good game!",
    "one_more": "One more?",
}


class Game:
    """What the player of one seat knows.

    Attributes:
        seat: the own one. link: of the table, to be sent to others. names: by seat.
        question: the open request, None when not asked. asked_at: when it came, in the
            caller's seconds. sent: id and index of the last answer.
        problem: why something was refused. warning: what must not be overlooked.
        over: the game has ended. replay: name of its record, once it is written.
    """

    def __init__(self, seat: int = -1, link: str = "") -> None:
        self.seat = seat
        self.link = link
        self.names: tuple[str, ...] = ("", "", "", "")
        self.view: SeatView | None = None
        self.question: Question | None = None
        self.asked_at = 0.0
        self.sent: tuple[int, int] | None = None
        self.info: Message = {}
        self.over: ev.EndGame | None = None
        self.replay = ""
        self.problem = ""
        self.warning = ""
        self._results: list[ev.Hora | ev.Ryukyoku] = []
        self._told: deque[Event | str] = deque(maxlen=MOST_TOLD)
        self._promised = ""

    # ------------------------------------------------------------------ what comes

    def take(self, message: Message, now: float) -> None:
        """Take one message of the server.

        Raises:
            ValueError: a message that the protocol does not have.
        """
        kind = message["type"]
        if kind == "event":
            self._event(event_from_mjai(message["event"]))
        elif kind == "request":
            self._request(message, now)
        elif kind == "accepted":
            self._close(message["id"])
        elif kind == "rejected":
            self.problem = f"not taken: {message['message']}"
            if message["code"] == "stale":
                self._close(message["id"])
        elif kind == "table":
            self.info = message
        elif kind == "presence":
            self._presence(message)
        elif kind == "chat":
            name = printable(self._name(message["seat"]))
            self._told.append(f"{name}: {PHRASES.get(message['phrase'], message['phrase'])}")
        elif kind == "rematch_wanted":
            names = ", ".join(printable(self._name(seat)) for seat in message["seats"])
            self._told.append(f"for another game: {names}")
        elif kind == "finished":
            self.replay = message["replay"]
        elif kind == "error":
            self.problem = f"{message['message']} ({message['code']})"

    def _event(self, event: Event) -> None:
        self.problem = ""
        # Whatever was asked before this event is decided.
        self.question = None
        if isinstance(event, ev.StartGame):
            self.names = event.names
            self.view = SeatView(self.seat, Ruleset.from_dict(event.rules))
            self.over, self.replay, self.sent = None, "", None
            self._results.clear()
            return
        if self.view is None:
            raise ValueError("the game began before this client came: come back by the token")
        if isinstance(event, ev.StartKyoku):
            self._results.clear()
            self._told.clear()
            self._promised = event.wall_hash
        self.view.apply(event)
        if isinstance(event, ev.Hora | ev.Ryukyoku):
            self._results.append(event)
        elif isinstance(event, ev.EndGame):
            self.over = event
        elif isinstance(event, ev.EndKyoku) and not self._keeps_promise(event.wall_key):
            self.warning = "A WALL'S KEY IS NOT THE PROMISED ONE"
        if not isinstance(event, _QUIET):
            self._told.append(event)

    def _keeps_promise(self, key: str) -> bool:
        """Whether the key of the wall is the one promised before the deal, if both are told."""
        return not key or not self._promised or commitment(bytes.fromhex(key)) == self._promised

    def _request(self, message: Message, now: float) -> None:
        if self.view is None:
            raise ValueError("a question before the game")
        menu = tuple(from_mjai(action) for action in message["menu"])
        table = self.view.table
        times = message["time_ms"], message["bank_ms"]
        old = self.question
        self.question = Question(message["id"], menu, table, self.seat, *times)
        if old is not None and old.id == self.question.id:
            self.question.selected = old.selected
        self.asked_at = now

    def _close(self, request: int) -> None:
        if self.question is not None and self.question.id == request:
            self.question = None

    def _presence(self, message: Message) -> None:
        name = printable(self._name(message["seat"]))
        if message["seat"] == self.seat:
            return
        if message["stand_in"]:
            self._told.append(f"{name} is away, a house bot plays")
        elif not message["online"]:
            self._told.append(f"{name} has lost the connection")

    def _name(self, seat: int) -> str:
        if self.view is None and self.info:
            return str(self.info["seats"][seat]["name"])
        return self.names[seat]

    # ------------------------------------------------------------------ what is shown

    def lines(self, look: Look) -> list[Text]:
        """The table, or who sits at it before the game; results when a hand is over."""
        if self.view is None:
            return self._waiting_lines()
        if not self.view.table.hands:
            return [Text("the game begins")]
        told = [
            Text(item, style="bold")
            if isinstance(item, str)
            else event_text(item, self.names, look)
            for item in self._told
        ]
        if self.warning:
            told.insert(0, Text(self.warning, style="bold red"))
        lines = table_lines(self.view.table, self.names, self.seat, look, (), told)
        for result in self._results:
            lines += [Text(), *result_lines(result, self.names, look)]
        if self.over is not None:
            lines += [Text(), *ranking_lines(self.over, self.names)]
            if self.replay:
                lines.append(Text(f"  the record: {printable(self.replay)}", style="dim"))
        return lines

    @property
    def hand_is_over(self) -> bool:
        """Whether a result is shown under the table."""
        return bool(self._results)

    def _waiting_lines(self) -> list[Text]:
        lines = [Text("waiting for players", style="bold")]
        if self.link:
            lines.append(Text(f"the table's link: {self.link}"))
        if not self.info:
            return lines
        lines.append(Text(f"{self.info['length']}, rules {self.info['preset'] or 'of its own'}"))
        for seat in self.info["seats"]:
            who = printable(seat["name"]) if seat["kind"] != "open" else "free"
            mark = "  <- you" if seat["seat"] == self.seat else ""
            lines.append(Text(f"  seat {seat['seat']}: {who}{mark}"))
        return lines

    def clock_text(self, now: float) -> Text:
        """The time that is left, as the server counts it."""
        if self.question is None:
            return Text("")
        free, bank = self.question.left((now - self.asked_at) * 1000)
        text = Text("your turn  " if self.question.is_own_turn else "your claim  ", style="bold")
        style = "bold" if free else "bold red"
        text.append(f"{free / 1000:.0f} s", style=style if free else "dim")
        return text.append(f" + {bank / 1000:.0f} s bank", style="bold red" if not free else "dim")
