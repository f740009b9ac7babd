"""The ways in which mjai programs talk, and which question an answer belongs to.

* `line`: one answer for every line it reads, `none` where there is nothing to do;
* `act`: an answer only when it acts, nothing or `none` when it passes;
* `batch`: a JSON array of the events since its last decision, one answer for each array;
* `auto`: `line` or `act`, found out from its first answers.

A program may be slow, and then its question is closed by the clock: its late answer must never
be taken for the answer to a later question. Where a program answers everything, answers are
matched by count; where it does not, an answer goes to the oldest question that it fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from jantaku_engine import actions as act
from jantaku_engine.actions import Action
from jantaku_engine.tiles import MJAI

from .audience import Question

STYLES: Final = ("auto", "line", "act", "batch")


def read_answer(message: Mapping[str, Any], menu: tuple[Action, ...]) -> Action | None:
    """The action of the menu that an mjai answer means, or None.

    Programs leave out what they think is clear: a bare `reach`, no `tsumogiri`, no `consumed`.
    What they do say must fit; of several actions that fit, the first in the menu is taken.
    """
    kind = message.get("type")
    pai = message.get("pai")
    consumed = message.get("consumed")
    fitting = [a for a in menu if act.ACTION_NAMES[a.type] == kind]
    if pai is not None:
        fitting = [a for a in fitting if a.tile < 0 or MJAI[a.tile] == pai]
    if isinstance(consumed, list) and all(isinstance(t, str) for t in consumed):
        wanted = sorted(consumed)
        exact = [a for a in fitting if sorted(MJAI[t] for t in a.consumed) == wanted]
        fitting = exact if exact or kind != "kakan" else fitting
    if kind == "dahai" and pai is None:
        return None
    flag = message.get("tsumogiri") if kind == "dahai" else message.get("open", False)
    # A program that discards the tile just drawn without saying so means that one.
    fitting.sort(key=lambda a: a.flag != (True if flag is None else flag))
    return fitting[0] if fitting else None


class Dialect:
    """One program's talk: what was sent, what was answered, and in which style.

    Attributes:
        style: one of `STYLES`; `auto` until it is known.
        sent, got: messages sent to it, and answers received from it.
    """

    def __init__(self, style: str, sent: int = 0, got: int = 0) -> None:
        if style == "auto" and got:
            # A program that comes back: who answers everything has answered nearly everything.
            style = "line" if got >= sent - 1 else "act"
        self.style = style
        self.sent = sent
        self.got = got
        self._asked = 0
        self._waiting: list[tuple[int, Question]] = []

    def ask(self, question: Question) -> None:
        """A question is open; it came with the last message sent."""
        self._asked += 1
        self._waiting.append((self.sent - 1, question))

    def answered(self, message: Mapping[str, Any]) -> Question | None:
        """The question that this answer belongs to, which may be closed by now; None for none."""
        self.got += 1
        if self.style == "auto":
            self._find_style(message)
        if self.style in ("line", "batch"):
            return self._by_count()
        if self.style == "act":
            return self._by_content(message)
        return None

    def _find_style(self, message: Mapping[str, Any]) -> None:
        own_turn = self._waiting and act.PASS not in self._waiting[-1][1].menu
        if self.got > self._asked:
            self.style = "line"
        elif message.get("type") != "none":
            self.style = "act"
        elif own_turn:
            self.style = "line"
        # Else it may be a pass or the answer to a first line: the clock passes either way.

    def _by_count(self) -> Question | None:
        index = self.got - 1
        while self._waiting and self._waiting[0][0] < index:
            self._waiting.pop(0)
        if self._waiting and self._waiting[0][0] == index:
            return self._waiting.pop(0)[1]
        return None

    def _by_content(self, message: Mapping[str, Any]) -> Question | None:
        for place, (_, question) in enumerate(self._waiting):
            if read_answer(message, question.menu) is not None:
                del self._waiting[: place + 1]
                return question
        return self._waiting[-1][1] if self._waiting else None
