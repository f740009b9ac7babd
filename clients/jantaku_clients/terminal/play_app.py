"""The screen of `jantaku play`: keys in, the table out, the connection between them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static
from websockets.exceptions import ConnectionClosed

from ..client import Client, ClientError
from .choices import KEYS, Choice, question_lines
from .follow import screen_text
from .game import PHRASES, Game
from .tiles import Look

HELP: Final = """\
left, right       choose            enter   do it
a number, enter   the entry with that number
w win   r riichi  c chi  p pon  k kan  x pass  d draw (nine terminals)  f show no tenpai
                  of several chi or kan the key goes to the next one, enter does it
b                 house bots on the free seats (your own table, before the game)
! and 1..8        say something, where the table has chat
m                 another game (when this one is over)
page up, down     scroll
?                 this help: any key closes it
ctrl-q            leave; the seat stays yours, and the way back is printed
"""

ALONE_S: Final = 0.6
"""Seconds after which the only action of a menu is done by itself."""

SOON_S: Final = 0.02
"""Seconds in which messages are gathered before the table is drawn anew."""

_TICK_S: Final = 0.25
_LETTERS: Final = frozenset(KEYS.values())


class Play(App[None]):
    """One seat at one table.

    Attributes:
        client: at a table already. game: what the seat knows. failure: why it ended, "" if not.
    """

    CSS = """
    #scroll { height: 1fr; scrollbar-size-vertical: 0; }
    #ask { height: auto; }
    """
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    BINDINGS: ClassVar = [("ctrl+c", "quit", "leave")]

    def __init__(self, client: Client, owner: str, link: str, look: Look) -> None:
        super().__init__(ansi_color=True)
        self.client = client
        self.game = Game(client.seat, link)
        self.failure = ""
        self._owner = owner
        self._look = look
        self._lost = False
        self._stale = False
        self._at_result = False
        self._help = False
        self._width = look.width
        self._talking = False
        self._number = ""
        self._tasks: set[asyncio.Task[None]] = set()

    def compose(self) -> ComposeResult:
        """The table, and below it what is asked."""
        with VerticalScroll(id="scroll", can_focus=False):
            yield Static(id="table")
        yield Static(id="ask")

    def on_mount(self) -> None:
        """Begin to listen."""
        self.theme = "ansi-dark"
        self.game.info = self.client.info
        self.set_interval(_TICK_S, self._show_question)
        self.run_worker(self._listen(), exit_on_error=False)
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Draw anew for the new size."""
        self._width = event.size.width
        self._show()

    # ------------------------------------------------------------------ the connection

    def lost(self) -> None:
        """The connection broke and is being made again."""
        self._lost = True
        self._show_question()

    async def _listen(self) -> None:
        try:
            while True:
                message = await self.client.receive()
                self._lost = False
                if message["type"] == "rematch":
                    self.game = Game(self.client.seat)
                    self.game.info = self.client.info
                self.game.take(message, time.monotonic())
                if message["type"] == "request":
                    self._asked()
                self._show_soon()
        except (ClientError, ValueError, KeyError) as error:
            self.failure = str(error)
            self._show()

    def _asked(self) -> None:
        self._number = ""
        question = self.game.question
        assert question is not None
        if self.game.sent is not None and self.game.sent[0] == question.id:
            # Asked again after a break: the answer may not have arrived. It stays the same.
            self._send(*self.game.sent)
        elif len(question.choices) == 1:
            only = question.choices[0]
            self.set_timer(ALONE_S, lambda: self._choose(only, question.id))

    def _send(self, request: int, index: int) -> None:
        self.game.sent = (request, index)
        self._do(self.client.answer(request, index))

    def _do(self, work: object) -> None:
        async def quietly() -> None:
            # A broken connection is made again by whoever listens.
            with contextlib.suppress(ConnectionClosed):
                await work  # type: ignore[misc]

        task = asyncio.get_running_loop().create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _choose(self, choice: Choice | None, request: int | None = None) -> None:
        question = self.game.question
        if choice is None or question is None or (request is not None and question.id != request):
            return
        if self.game.sent is None or self.game.sent[0] != question.id or self.game.problem:
            self._number = ""
            self._send(question.id, choice.place)

    # ------------------------------------------------------------------ keys

    async def on_key(self, event: events.Key) -> None:
        """Do what a key means now."""
        key = event.key
        if key in ("pageup", "pagedown"):
            scroll = self.query_one("#scroll", VerticalScroll)
            (scroll.scroll_page_up if key == "pageup" else scroll.scroll_page_down)()
        elif self._help or key == "question_mark":
            # Under the help no key acts: the table cannot be seen.
            self._help = not self._help
            self._show()
        elif key == "exclamation_mark":
            self._talking = True
        elif self._talking:
            self._talking = False
            if key in "12345678":
                self._do(self.client.chat(list(PHRASES)[int(key) - 1]))
        elif key == "b" and self.game.view is None:
            self._do(self.client.fill(owner=self._owner or None))
        elif key == "m" and self.game.over is not None:
            self._do(self.client.rematch())
        else:
            self._answer_key(key)
        self._show_question()

    def _answer_key(self, key: str) -> None:
        question = self.game.question
        if question is None:
            return
        if key in ("left", "right"):
            question.move(-1 if key == "left" else 1)
        elif key.isdecimal() and len(key) == 1:
            self._number = (self._number + key)[-2:]
            choice = question.numbered(int(self._number))
            if choice is not None:
                question.selected = question.choices.index(choice)
        elif key == "backspace":
            self._number = ""
        elif key == "enter":
            if self._number and question.numbered(int(self._number)) is None:
                self.game.problem = f"there is no entry {self._number}"
                self._number = ""
            else:
                self._choose(question.choices[question.selected])
        elif key in _LETTERS:
            self._choose(question.press(key))

    # ------------------------------------------------------------------ the screen

    def _show_soon(self) -> None:
        """Draw once for all messages that come together."""
        if not self._stale:
            self._stale = True
            self.set_timer(SOON_S, self._show)

    def _show(self) -> None:
        self._stale = False
        look = self._look._replace(width=max(20, self._width))
        lines = [Text(line) for line in HELP.splitlines()] if self._help else self.game.lines(look)
        self.query_one("#table", Static).update(screen_text(lines))
        if self.game.hand_is_over != self._at_result:
            # On a small screen the result is below the table: show it, and the table again.
            self._at_result = self.game.hand_is_over
            scroll = self.query_one("#scroll", VerticalScroll)
            move = scroll.scroll_end if self._at_result else scroll.scroll_home
            self.call_after_refresh(move, animate=False)
        self._show_question()

    def _show_question(self) -> None:
        look = self._look._replace(width=max(20, self._width))
        game = self.game
        lines: list[Text] = []
        if game.question is not None and not self._help:
            lines += question_lines(game.question, look)
        status = game.clock_text(time.monotonic())
        if self.failure:
            status = Text(f"{self.failure}  ctrl-q leaves", style="bold red")
        elif self._lost:
            status = Text("the connection is lost, trying again ...", style="bold red")
        elif game.problem:
            status.append(f"  {game.problem}", style="bold red")
        elif self._help:
            status.append("  any key goes back to the table", style="bold")
        elif self._talking:
            words = (f"{number} {text}" for number, text in enumerate(PHRASES.values(), 1))
            status = Text("  ".join(words))
        elif game.over is not None:
            status = Text("m another game   ctrl-q leave", style="bold")
        elif game.view is None:
            status = Text("b house bots on the free seats   ctrl-q leave   ? help", style="bold")
        elif game.question is None:
            status = Text("? help   ctrl-q leave", style="dim")
        if self._number:
            status.append(f"   number {self._number}_", style="bold")
        self.query_one("#ask", Static).update(screen_text([*lines, status]))
