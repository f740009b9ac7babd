"""Stepping through a record by keys: the screen behind `jantaku replay show --follow`."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.console import Group
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Footer, Input, Static

from .cursor import Cursor, NoSuchStep
from .tiles import Look

HELP: Final = """\
right, l, space   next event            left, h   event before
down, j           next turn             up, k     turn before
n, page down      next hand             p, page up  hand before
home, end         begin, end of the hand
g                 go to: a step (40), a hand (S2-1), or both (S2-1 40)
s                 all hands, then only what seat 0, 1, 2, 3 sees
t                 turn the table by a seat
?                 this help: any key closes it
q                 quit
"""


def screen_text(lines: list[Text]) -> Group:
    """Lines that are cut at the edge of the screen rather than wrapped."""
    for line in lines:
        line.no_wrap = True
        line.overflow = "ellipsis"
    return Group(*lines)


class Follow(App[None]):
    """One record and a cursor in it."""

    CSS = """
    VerticalScroll { scrollbar-size-vertical: 0; }
    #go { display: none; dock: bottom; margin-bottom: 1; }
    #go.open { display: block; }
    """
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    # The footer is cut at the right of a narrow screen: the way out and the help come first.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "help"),
        Binding("q", "quit", "quit"),
        Binding("right,l,space", "move('next_event')", "next"),
        Binding("left,h", "move('previous_event')", "back"),
        Binding("down,j", "move('next_turn')", "turn", priority=True),
        Binding("up,k", "move('previous_turn')", "turn back", priority=True),
        Binding("n,pagedown", "move('next_hand')", "hand", priority=True),
        Binding("p,pageup", "move('previous_hand')", "hand back", priority=True),
        Binding("home", "edge(0)", "begin", priority=True, show=False),
        Binding("end", "edge(-1)", "end", priority=True, show=False),
        Binding("s", "move('next_seat')", "seat"),
        Binding("t", "move('turn_table')", "turn table", show=False),
        Binding("g", "ask_where", "go to"),
        Binding("escape", "close_input", "back", show=False),
    ]

    def __init__(self, cursor: Cursor, look: Look) -> None:
        super().__init__(ansi_color=True)
        self.cursor = cursor
        self.look = look
        self._help = False
        self._width = look.width

    def compose(self) -> ComposeResult:
        """The table, a line for jumps, the keys."""
        with VerticalScroll(can_focus=False):
            yield Static(id="table")
        yield Input(id="go", placeholder="a step (40), a hand (S2-1), or both")
        yield Footer()

    def on_mount(self) -> None:
        """Show the first table."""
        self.theme = "ansi-dark"
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Draw anew for the new width."""
        self._width = event.size.width
        self._show()

    def on_key(self, event: events.Key) -> None:
        """Any key closes the help, and does nothing else to a table that nobody sees."""
        if self._help and event.key != "q":
            event.prevent_default()
            self.action_help()

    def _show(self, problem: str = "") -> None:
        look = self.look._replace(width=max(20, self._width))
        lines = [Text(line) for line in HELP.splitlines()] if self._help else []
        lines = lines or self.cursor.lines(look)
        if self.cursor.at_end and not self._help:
            lines += [Text(), *self.cursor.summary(look)]
        if problem:
            lines = [Text(problem, style="bold red"), *lines]
        self.query_one("#table", Static).update(screen_text(lines))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a jump is typed, its letters are no keys; under the help there are none."""
        if self._help:
            return action in ("help", "quit")
        typing = isinstance(self.focused, Input)
        return not typing or action in ("close_input", "quit")

    def action_move(self, method: str) -> None:
        """Move the cursor."""
        getattr(self.cursor, method)()
        self._show()

    def action_edge(self, step: int) -> None:
        """To the begin or end of the hand."""
        self.cursor.go_to_step(step)
        self._show()

    def action_help(self) -> None:
        """Show or hide the keys."""
        self._help = not self._help
        self.refresh_bindings()
        self._show()

    def action_ask_where(self) -> None:
        """Ask where to go."""
        box = self.query_one("#go", Input)
        box.add_class("open")
        box.focus()

    def action_close_input(self) -> None:
        """Back to the table."""
        box = self.query_one("#go", Input)
        box.value = ""
        box.remove_class("open")
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go there."""
        self.action_close_input()
        try:
            self.cursor.go_to(event.value)
        except NoSuchStep as error:
            self._show(str(error))
        else:
            self._show()
